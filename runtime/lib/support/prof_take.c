/* SPDX-License-Identifier: MIT */

/* Snapshots of profiles. */

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "gc/gc.h"
#include "runtime/lib/support/prof_rows.h"
#include "sched/sched.h"

enum { SPARE = 50 }; /* records that may come while room is made */

static int64_t
wall_ns(void)
{
    struct timespec ts;

    clock_gettime(CLOCK_REALTIME, &ts);
    return (int64_t)ts.tv_sec * 1000000000 + ts.tv_nsec;
}

/* ---- the runtime's records ----------------------------------------------------------- */

uint32_t
lib_read_mem(struct prof *p, bool inuse_zero, void *r, uint32_t room)
{
    return mprof_records(&p->mem, inuse_zero, r, room);
}

uint32_t
lib_read_block(struct prof *p, bool mutex, void *r, uint32_t room)
{
    return prof_block_records(
        &p->block, mutex ? PROF_MUTEX : PROF_BLOCK, r, room);
}

uint32_t
lib_read_threads(struct prof *p, bool flag, void *r, uint32_t room)
{
    (void)flag;
    return prof_thread_records(p, r, room);
}

/* All of them, in an array; NULL: no memory. */
static void *
read_all(struct prof *p, lib_read_fn *read, bool flag, size_t size,
    uint32_t *n)
{
    void *r = NULL;
    uint32_t room = 0;

    while ((*n = read(p, flag, r, room)) > room || r == NULL) {
        free(r);
        room = *n + SPARE;
        r = calloc(room, size);
        if (r == NULL)
            return NULL;
    }
    return r;
}

/* ---- heap, allocs ------------------------------------------------------------------ */

static bool
take_memstats(struct lib_snap *s)
{
    struct gc_memstats *g = calloc(1, sizeof *g);
    struct sched *sched = vm_sched(s->lp->vm);
    struct wire_memstats *m;
    struct rusage ru;

    m = s->ms = calloc(1, sizeof *m);
    if (g == NULL || m == NULL) {
        free(g);
        return false;
    }
    sched_stop_world_any(sched, STW_READ_MEMSTATS);
    gc_read_memstats(vm_heap(s->lp->vm), g);
    sched_start_world_any(sched);
#define SAME(f) m->f = g->f
    SAME(alloc), SAME(total_alloc), SAME(sys), SAME(lookups), SAME(mallocs),
        SAME(frees), SAME(heap_alloc), SAME(heap_sys), SAME(heap_idle),
        SAME(heap_inuse), SAME(heap_released), SAME(heap_objects),
        SAME(stack_inuse), SAME(stack_sys), SAME(mspan_inuse),
        SAME(mspan_sys), SAME(mcache_inuse), SAME(mcache_sys),
        SAME(buck_hash_sys), SAME(gc_sys), SAME(other_sys), SAME(next_gc),
        SAME(last_gc), SAME(num_gc), SAME(num_forced_gc),
        SAME(gc_cpu_fraction);
#undef SAME
    _Static_assert(sizeof g->pause_ns == sizeof s->pauses[0], "256 of them");
    memcpy(s->pauses[0], g->pause_ns, sizeof g->pause_ns);
    memcpy(s->pauses[1], g->pause_end, sizeof g->pause_end);
    m->pause_ns = s->pauses[0];
    m->pause_end = s->pauses[1];
    if (getrusage(RUSAGE_SELF, &ru) == 0)
        m->max_rss = (uint64_t)ru.ru_maxrss * 1024;
    free(g);
    return true;
}

static bool
take_heap(struct lib_snap *s)
{
    struct prof *p = s->lp->prof;
    struct mprof_record *r;
    uint32_t n;

    if (s->debug != 0 && !take_memstats(s))
        return false;
    s->rate = mprof_rate(&p->mem);
    r = read_all(p, lib_read_mem, true, sizeof *r, &n);
    if (r == NULL)
        return false;
    s->heap = calloc(n + 1, sizeof *s->heap);
    for (uint32_t i = 0; i < n && s->heap != NULL; i++) {
        struct wire_heap *h = &s->heap[i];

        h->stk.pcs = r[i].stk;
        h->stk.n = r[i].nstk;
        h->alloc_objects = (int64_t)r[i].c.allocs;
        h->alloc_bytes = (int64_t)r[i].c.alloc_bytes;
        h->free_objects = (int64_t)r[i].c.frees;
        h->free_bytes = (int64_t)r[i].c.free_bytes;
    }
    s->n = n;
    free(r);
    return s->heap != NULL;
}

/* ---- block, mutex -------------------------------------------------------------------- */

static bool
take_cycles(struct lib_snap *s, bool mutex)
{
    struct prof *p = s->lp->prof;
    struct prof_block *b = &p->block;
    struct prof_block_record *r;
    uint32_t n;

    s->per_sec = prof_block_cycles_per_sec(b);
    s->rate = prof_mutex_set_fraction(b, -1);
    r = read_all(p, lib_read_block, mutex, sizeof *r, &n);
    if (r == NULL)
        return false;
    s->cycles = calloc(n + 1, sizeof *s->cycles);
    for (uint32_t i = 0; i < n && s->cycles != NULL; i++) {
        struct wire_cycles *c = &s->cycles[i];

        c->stk.pcs = r[i].stk;
        c->stk.n = r[i].nstk;
        c->count = r[i].count;
        c->cycles = r[i].cycles;
    }
    s->n = n;
    free(r);
    return s->cycles != NULL;
}

/* ---- goroutine ------------------------------------------------------------------------ */

static bool
take_goroutines(struct lib_snap *s, struct rt_err *e)
{
    struct sched_m *m = sched_m_self();
    struct prof_gset *gs;
    bool leak = s->kind == LIB_PROF_LEAK;
    uint32_t n = 0;

    (void)e;
    if (leak && prof_goroutines_leaked(s->lp->prof, &n, &s->gs) != RT_OK)
        return false;
    if (s->debug >= 2) { /* of all, the leaked ones marked */
        s->dump = vm_dump_take(
            s->lp->vm, m != NULL ? m->g : NULL, true);
        return s->dump != NULL;
    }
    if (!leak &&
        prof_goroutines(s->lp->prof, UINT32_MAX, &n, &s->gs) != RT_OK)
        return false;
    gs = s->gs;
    s->n = gs->n;
    s->count = calloc(gs->n + 1, sizeof *s->count);
    for (uint32_t i = 0; i < gs->n && s->count != NULL; i++) {
        struct wire_count *c = &s->count[i];

        c->stk.pcs = gs->v[i].stk;
        c->stk.n = gs->v[i].nstk;
        if (gs->v[i].labels != NULL) {
            c->labels = gs->v[i].labels->v;
            c->nlabels = gs->v[i].labels->n;
        }
    }
    return s->count != NULL;
}

/* ---- threadcreate, the program's -------------------------------------------------------- */

static bool
take_threads(struct lib_snap *s)
{
    struct prof_stack *r;
    uint32_t n;

    r = read_all(s->lp->prof, lib_read_threads, false, sizeof *r, &n);
    if (r == NULL)
        return false;
    s->count = calloc(n + 1, sizeof *s->count);
    for (uint32_t i = 0; i < n && s->count != NULL; i++) {
        s->count[i].stk.pcs = r[i].pcs;
        s->count[i].stk.n = r[i].n;
    }
    s->n = n;
    free(r);
    return s->count != NULL;
}

static bool
take_own(struct lib_snap *s, uint32_t id)
{
    s->name = profset_name(&s->lp->users, id);
    if (!profset_copy(&s->lp->users, id, &s->own))
        return false;
    s->n = s->own.n;
    s->count = calloc(s->n + 1, sizeof *s->count);
    for (uint32_t i = 0; i < s->n && s->count != NULL; i++) {
        s->count[i].stk.pcs = s->own.pcs[i];
        s->count[i].stk.n = s->own.len[i];
    }
    return s->count != NULL;
}

static bool
take(struct lib_snap *s, int64_t id, struct rt_err *e)
{
    switch (s->kind) {
    case LIB_PROF_ALLOCS:
    case LIB_PROF_HEAP:
        return take_heap(s);
    case LIB_PROF_BLOCK:
        return take_cycles(s, false);
    case LIB_PROF_MUTEX:
        return take_cycles(s, true);
    case LIB_PROF_GOROUTINE:
    case LIB_PROF_LEAK:
        return take_goroutines(s, e);
    case LIB_PROF_THREADCREATE:
        return take_threads(s);
    default:
        return take_own(s, (uint32_t)id);
    }
}

enum rt_status
lib_prof_take(struct lib_prof *lp, const char *name, int64_t debug,
    struct lib_snap **out, struct rt_err *e)
{
    enum lib_kind kind = lib_prof_kind(name);
    int64_t id = -1;
    struct lib_snap *s;

    *out = NULL;
    if (kind == LIB_PROF_OWN) {
        id = profset_find(&lp->users, name);
        if (id < 0)
            return rt_errf(
                e, RT_EUNSUP, UINT64_MAX, "unknown profile %s", name);
    }
    s = calloc(1, sizeof *s);
    if (s == NULL)
        return rt_errf(e, RT_ENOMEM, UINT64_MAX, "out of memory");
    s->lp = lp;
    s->kind = kind;
    s->name = lib_prof_builtin(kind);
    s->debug = debug;
    s->time_ns = wall_ns();
    if (!take(s, id, e)) {
        lib_snap_free(s);
        return rt_errf(e, RT_ENOMEM, UINT64_MAX, "out of memory");
    }
    *out = s;
    return RT_OK;
}

void
lib_snap_free(struct lib_snap *s)
{
    if (s == NULL)
        return;
    free(s->heap);
    free(s->count);
    free(s->cycles);
    free(s->ms);
    if (s->gs != NULL)
        prof_gset_free(s->gs);
    profset_stacks_free(&s->own);
    vm_dump_free(s->dump);
    free(s);
}
