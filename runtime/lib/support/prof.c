/* SPDX-License-Identifier: MIT */

/* Profiles by name: lists of them, names of words, writing. */

#include "runtime/lib/support/prof.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/lib/support/prof_rows.h"
#include "sched/sched.h"

/* By enum lib_kind, which is in order of the names. */
static const char *const builtin[LIB_PROF_NBUILTIN] = {
    "allocs", "block", "goroutine", "goroutineleak", "heap", "mutex",
    "threadcreate",
};

void
lib_prof_init(struct lib_prof *lp, struct prof *prof, const char *program)
{
    memset(lp, 0, sizeof *lp);
    lp->prof = prof;
    lp->program = program;
    profset_init(&lp->users);
    rt_lock_init(&lp->lock, RANK_LEAF);
}

void
lib_prof_attach(struct lib_prof *lp, struct vm *vm)
{
    lp->vm = vm;
}

void
lib_prof_fini(struct lib_prof *lp)
{
    profset_fini(&lp->users);
}

const char *
lib_prof_builtin(uint32_t i)
{
    return i < LIB_PROF_NBUILTIN ? builtin[i] : NULL;
}

const char *
lib_prof_own(struct lib_prof *lp, uint32_t i)
{
    return profset_name(&lp->users, i);
}

enum lib_kind
lib_prof_kind(const char *name)
{
    uint32_t i = 0;

    while (i < LIB_PROF_NBUILTIN && strcmp(name, builtin[i]) != 0)
        i++;
    return (enum lib_kind)i;
}

bool
lib_prof_known(struct lib_prof *lp, const char *name)
{
    return lib_prof_kind(name) != LIB_PROF_OWN ||
        profset_find(&lp->users, name) >= 0;
}

bool
lib_prof_has_delta(const char *name)
{
    return lib_prof_kind(name) != LIB_PROF_OWN;
}

uint32_t
lib_prof_count(struct lib_prof *lp, const char *name)
{
    struct prof *p = lp->prof;
    int64_t id;

    switch (lib_prof_kind(name)) {
    case LIB_PROF_ALLOCS:
    case LIB_PROF_HEAP:
        return mprof_records(&p->mem, true, NULL, 0);
    case LIB_PROF_BLOCK:
        return prof_block_records(&p->block, PROF_BLOCK, NULL, 0);
    case LIB_PROF_MUTEX:
        return prof_block_records(&p->block, PROF_MUTEX, NULL, 0);
    case LIB_PROF_GOROUTINE:
        return sched_num_goroutine(vm_sched(lp->vm));
    case LIB_PROF_LEAK:
        return a32_load_rlx(&p->gor.nleaked);
    case LIB_PROF_THREADCREATE:
        return prof_thread_records(p, NULL, 0);
    default:
        id = profset_find(&lp->users, name);
        return id < 0 ? 0 : profset_count(&lp->users, (uint32_t)id);
    }
}

/* ---- names ----------------------------------------------------------------------- */

bool
lib_prof_symbol(
    struct lib_prof *lp, vpc pc, struct wire_frame *f, char **own)
{
    struct vm_frame v;
    char name[512];
    uint64_t off = 0;

    *own = NULL;
    memset(f, 0, sizeof *f);
    f->addr = f->entry = pc;
    f->file = "";
    if (prof_pc_is_native(pc)) {
        f->addr = prof_pc_addr(pc);
        prof_native_name(pc, name, sizeof name, &off);
        f->entry = f->addr - off;
        f->func = *own = strdup(name);
        return f->func != NULL;
    }
    if (prof_pc_is_mark(pc)) {
        f->func = prof_mark_name(pc);
        return true;
    }
    if (!vm_symbolize(lp->vm, pc, &v))
        return false;
    f->func = v.func->name;
    f->file = v.file;
    f->line = v.line;
    f->start_line = v.func->line;
    f->entry = vpc_make(v.func->id, 0);
    return true;
}

/* A name that symbolize() has made. */
struct lib_prof_name {
    struct lib_prof_name *next;
    char *text;
};

static bool
symbolize(void *arg, uint64_t pc, struct wire_frame *f)
{
    struct lib_prof_syms *s = arg;
    struct lib_prof_name *n;
    char *own;
    bool ok = lib_prof_symbol(s->lp, pc, f, &own);

    if (own == NULL)
        return ok;
    n = malloc(sizeof *n);
    if (n == NULL) {
        free(own);
        f->func = NULL;
        return false;
    }
    n->text = own;
    n->next = s->names;
    s->names = n;
    return ok;
}

void
lib_prof_syms_init(struct lib_prof_syms *s, struct lib_prof *lp)
{
    s->lp = lp;
    s->names = NULL;
    s->w.symbolize = symbolize;
    s->w.arg = s;
    s->w.program = lp->program;
}

void
lib_prof_syms_free(struct lib_prof_syms *s)
{
    while (s->names != NULL) {
        struct lib_prof_name *n = s->names;

        s->names = n->next;
        free(n->text);
        free(n);
    }
}

/* ---- writing ---------------------------------------------------------------------- */

static enum rt_status
write_dump(const struct lib_snap *s, const struct wire_sink *sink)
{
    size_t cap = 1 << 16, n;
    char *buf = malloc(cap);
    bool ok = true;

    if (buf == NULL)
        return RT_ENOMEM;
    vm_dump_rewind(s->dump);
    while (ok && (n = vm_dump_next(s->dump, buf, cap)) > 0)
        ok = sink->write(sink->arg, buf, n);
    free(buf);
    return ok ? RT_OK : RT_EIO;
}

static enum rt_status
write_text(const struct lib_snap *s, const struct wire_sink *sink,
    const struct wire_syms *syms)
{
    switch (s->kind) {
    case LIB_PROF_ALLOCS:
    case LIB_PROF_HEAP:
        return wire_text_heap(sink, syms, s->heap, s->n, s->rate, s->ms);
    case LIB_PROF_BLOCK:
        return wire_text_cycles(sink, syms, "contention", s->cycles, s->n,
            s->per_sec, 1);
    case LIB_PROF_MUTEX:
        return wire_text_cycles(sink, syms, "mutex", s->cycles, s->n,
            s->per_sec, s->rate);
    default:
        return wire_text_count(sink, syms, s->name, s->count, s->n);
    }
}

static enum rt_status
write_proto(const struct lib_snap *s, const struct wire_sink *sink,
    const struct wire_syms *syms)
{
    switch (s->kind) {
    case LIB_PROF_ALLOCS:
    case LIB_PROF_HEAP:
        return wire_write_heap(sink, syms, s->heap, s->n, s->rate,
            s->kind == LIB_PROF_ALLOCS, s->time_ns);
    case LIB_PROF_BLOCK:
    case LIB_PROF_MUTEX:
        return wire_write_cycles(
            sink, syms, s->cycles, s->n, s->per_sec, s->time_ns);
    default:
        return wire_write_count(
            sink, syms, s->name, s->count, s->n, s->time_ns);
    }
}

enum rt_status
lib_snap_write(const struct lib_snap *s, const struct wire_sink *sink)
{
    struct lib_prof_syms syms;
    enum rt_status st;

    if (s->dump != NULL)
        return write_dump(s, sink);
    lib_prof_syms_init(&syms, s->lp);
    st = s->debug > 0 || s->ms != NULL ? write_text(s, sink, &syms.w) :
                                         write_proto(s, sink, &syms.w);
    lib_prof_syms_free(&syms);
    return st;
}

/* ---- CPU and wall clock profiles ---------------------------------------------------------------- */

enum rt_status
lib_prof_cpu_start(struct lib_prof *lp, uint32_t hz, struct rt_err *e)
{
    bool adopt;

    rt_lock(&lp->lock);
    adopt = lp->rate_set;
    lp->rate_set = false;
    rt_unlock(&lp->lock);
    return adopt ? RT_OK : prof_cpu_start(lp->prof, hz, e);
}

static enum rt_status
write_timed(struct lib_prof *lp, const char *value,
    const struct prof_timed_profile *f, const struct wire_sink *sink)
{
    struct wire_timed *v = calloc(f->n + 1, sizeof *v);
    struct lib_prof_syms syms;
    enum rt_status st;

    if (v == NULL)
        return RT_ENOMEM;
    for (uint32_t i = 0; i < f->n; i++) {
        const struct prof_timed_record *r = &f->v[i];

        v[i].stk.pcs = r->stk;
        v[i].stk.n = r->nstk;
        v[i].count = (int64_t)r->count;
        v[i].state = r->state;
        if (r->labels != NULL) {
            v[i].labels = r->labels->v;
            v[i].nlabels = r->labels->n;
        }
    }
    lib_prof_syms_init(&syms, lp);
    st = wire_write_timed(sink, &syms.w, value, v, f->n, f->period_ns,
        f->start_wall, f->duration_ns);
    lib_prof_syms_free(&syms);
    free(v);
    return st;
}

/* Writes what came of stopping a profile, unless sink is NULL. */
static enum rt_status
write_stopped(struct lib_prof *lp, const char *value, enum rt_status st,
    struct prof_timed_profile *f, const struct wire_sink *sink,
    struct rt_err *e)
{
    if (st != RT_OK)
        return st;
    if (sink != NULL)
        st = write_timed(lp, value, f, sink);
    prof_timed_free(f);
    if (st != RT_OK)
        rt_errf(e, st, UINT64_MAX, st == RT_ENOMEM ? "out of memory" :
                                                     "write failed");
    return st;
}

enum rt_status
lib_prof_cpu_stop(
    struct lib_prof *lp, const struct wire_sink *sink, struct rt_err *e)
{
    struct prof_timed_profile *f = NULL;
    enum rt_status st = prof_cpu_stop(lp->prof, &f, e);

    return write_stopped(lp, "cpu", st, f, sink, e);
}

enum rt_status
lib_prof_wall_stop(
    struct lib_prof *lp, const struct wire_sink *sink, struct rt_err *e)
{
    struct prof_timed_profile *f = NULL;
    enum rt_status st = prof_wall_stop(lp->prof, &f, e);

    return write_stopped(lp, "wall", st, f, sink, e);
}

bool
lib_prof_rate_start(struct lib_prof *lp, uint32_t hz)
{
    if (prof_cpu_start(lp->prof, hz, NULL) != RT_OK)
        return false;
    rt_lock(&lp->lock);
    lp->rate_set = true;
    rt_unlock(&lp->lock);
    return true;
}

void
lib_prof_rate_stop(struct lib_prof *lp)
{
    bool mine;

    rt_lock(&lp->lock);
    mine = lp->rate_set;
    lp->rate_set = false;
    rt_unlock(&lp->lock);
    if (mine)
        lib_prof_cpu_stop(lp, NULL, NULL);
}

int64_t
lib_prof_go_rate(const struct vm *vm, int64_t none)
{
    const struct code_image *im = vm_image(vm);
    int64_t rate;

    for (uint32_t i = 0; i < im->nglobals; i++) {
        const struct code_global *g = &im->global_list[i];

        if (strcmp(g->name, "runtime.MemProfileRate") != 0)
            continue;
        memcpy(&rate, (const uint8_t *)vm_globals(vm) + g->offset,
            sizeof rate);
        return rate;
    }
    return none;
}
