/* SPDX-License-Identifier: MIT */
#include "trace/read/validate.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/base/throw.h"

enum gstate { UNKNOWN, RUNNABLE, RUNNING, WAITING, DEAD };

struct region {
    uint64_t task, name;
};

/* One goroutine. */
struct gor {
    uint8_t state;  /* enum gstate */
    bool assisting;
    int64_t p;      /* index of its P while running */
    struct region *regions; /* open ones, outermost first */
    uint64_t nregions, regions_cap;
};

/* One P; index by pmap. */
struct proc {
    bool running, sweeping, stopped_world;
    bool marks;     /* told that it should not be there */
    uint64_t g;     /* goroutine that runs, 0 = none */
    uint64_t sweep_off;
};

struct trace_check {
    struct trace_file *f;
    struct trace_idmap gmap, pmap, tasks;
    struct gor *gs;
    struct proc *ps;
    uint8_t *task_open;
    uint64_t gs_cap, ps_cap, tasks_cap;
    bool gc, stw, procs_known, nomem;
    uint64_t gc_off, stw_off;
    uint64_t procs; /* last Gomaxprocs */
};

typedef unsigned long long ull;

#define ERROR(c, e, rule, ...) \
    trace_file_problem((c)->f, TRACE_ERROR, (e)->off, rule, __VA_ARGS__)
#define WARN(c, e, rule, ...) \
    trace_file_problem((c)->f, TRACE_WARNING, (e)->off, rule, __VA_ARGS__)

static struct gor *
gor(struct trace_check *c, uint64_t id)
{
    int64_t i = trace_idmap_row(&c->gmap, id, &c->gs, &c->gs_cap, sizeof *c->gs,
        NULL);

    if (i < 0) {
        c->nomem = true;
        return NULL;
    }
    return &c->gs[i];
}

static struct proc *
proc(struct trace_check *c, int64_t id)
{
    int64_t i = trace_idmap_row(&c->pmap, (uint64_t)id, &c->ps, &c->ps_cap,
        sizeof *c->ps, NULL);

    if (i < 0) {
        c->nomem = true;
        return NULL;
    }
    return &c->ps[i];
}

/* ---- goroutines */

/* The goroutine that does something must run, and run here.  Goroutine 0 is
 * the scheduler: it runs wherever nobody else does. */
static bool
check_actor(struct trace_check *c, const struct trace_event *e,
    const struct gor *g, const struct proc *p, bool allow_zero)
{
    const char *what = trace_ev_name(e->type);

    if (e->g == 0 && !allow_zero) {
        ERROR(c, e, "actor", "g 0 did %s", what);
        return false;
    }
    if (e->g != 0 && g->state != RUNNING) {
        ERROR(c, e, "actor", "g %llu is not running while %s", (ull)e->g,
            what);
        return false;
    }
    if (p->g != e->g) {
        ERROR(c, e, "actor", "p %lld is not running g %llu while %s",
            (long long)e->p, (ull)e->g, what);
        return false;
    }
    return true;
}

static void
on_create(struct trace_check *c, const struct trace_event *e, struct proc *p)
{
    struct trace_rframe fr;
    struct gor *g;

    g = gor(c, e->g);
    if (g == NULL)
        return;
    check_actor(c, e, g, p, true);
    g = gor(c, e->args[0]);
    if (g == NULL)
        return;
    if (g->state != UNKNOWN)
        ERROR(c, e, "go-exists", "g %llu already exists", (ull)e->args[0]);
    g->state = RUNNABLE;
    if (c->f->version < 7)
        return;
    if (trace_file_stack(c->f, e->args[1], &fr, 1) == 0) {
        if (c->f->cut_at == UINT64_MAX)
            WARN(c, e, "entry-stack", "GoCreate of g %llu has no stack of "
                "its entry function: viewers give up", (ull)e->args[0]);
    } else if (fr.pc == 0) {
        WARN(c, e, "entry-pc", "the entry function of g %llu has pc 0",
            (ull)e->args[0]);
    } else if (trace_file_stack(c->f, e->args[1], &fr, 1) > 1) {
        WARN(c, e, "entry-frames", "the entry stack of g %llu has several "
            "frames: viewers take different ones", (ull)e->args[0]);
    }
}

static void
on_start(struct trace_check *c, const struct trace_event *e, struct gor *g,
    struct proc *p)
{
    if (g->state != RUNNABLE)
        ERROR(c, e, "go-start", "g %llu is not runnable before start",
            (ull)e->g);
    if (p->g != 0)
        ERROR(c, e, "go-start",
            "p %lld is already running g %llu while start g %llu",
            (long long)e->p, (ull)p->g, (ull)e->g);
    g->state = RUNNING;
    p->g = e->g;
}

/* The running goroutine leaves its P. */
static void
on_leave(struct trace_check *c, const struct trace_event *e, struct gor *g,
    struct proc *p, enum gstate next)
{
    if (check_actor(c, e, g, p, false) || e->g != 0)
        g->state = (uint8_t)next;
    if (next == DEAD)
        g->nregions = 0;
    p->g = 0;
}

static void
on_snapshot_wait(struct trace_check *c, const struct trace_event *e,
    struct gor *g)
{
    if (g->state != RUNNABLE)
        ERROR(c, e, "go-waiting", "g %llu is not runnable before Ev%s",
            (ull)e->g, trace_ev_name(e->type));
    g->state = WAITING;
}

static void
on_unblock(struct trace_check *c, const struct trace_event *e, struct gor *g,
    struct proc *p)
{
    check_actor(c, e, g, p, true);
    g = gor(c, e->args[0]);
    if (g == NULL)
        return;
    if (g->state != WAITING)
        ERROR(c, e, "go-unblock", "g %llu is not waiting before unpark",
            (ull)e->args[0]);
    g->state = RUNNABLE;
}

static void
on_sys_exit(struct trace_check *c, const struct trace_event *e,
    struct gor *g)
{
    if (g->state != WAITING)
        ERROR(c, e, "sys-exit", "g %llu is not waiting during syscall exit",
            (ull)e->g);
    g->state = RUNNABLE;
}

/* True if e is about goroutines and has been dealt with. */
static bool
go_event(struct trace_check *c, const struct trace_event *e, struct gor *g,
    struct proc *p)
{
    if (trace_ev_leaves(e->type)) {
        on_leave(c, e, g, p, trace_ev_blocks(e->type) ? WAITING :
            e->type == TRACE_EV_GO_SCHED || e->type == TRACE_EV_GO_PREEMPT ?
            RUNNABLE : DEAD);
        return true;
    }
    switch (e->type) {
    case TRACE_EV_GO_CREATE:
        on_create(c, e, p);
        return true;
    case TRACE_EV_GO_START:
    case TRACE_EV_GO_START_LOCAL:
    case TRACE_EV_GO_START_LABEL:
        on_start(c, e, g, p);
        return true;
    case TRACE_EV_GO_SYS_CALL:
        check_actor(c, e, g, p, false);
        return true;
    case TRACE_EV_GO_WAITING:
    case TRACE_EV_GO_IN_SYSCALL:
        on_snapshot_wait(c, e, g);
        return true;
    case TRACE_EV_GO_UNBLOCK:
    case TRACE_EV_GO_UNBLOCK_LOCAL:
        on_unblock(c, e, g, p);
        return true;
    case TRACE_EV_GO_SYS_EXIT:
    case TRACE_EV_GO_SYS_EXIT_LOCAL:
        on_sys_exit(c, e, g);
        return true;
    default:
        return false;
    }
}

/* ---- Ps */

static void
on_proc_start(struct trace_check *c, const struct trace_event *e,
    struct proc *p)
{
    if (p->running)
        ERROR(c, e, "proc-start", "p %lld is running before start",
            (long long)e->p);
    p->running = true;
}

static void
on_proc_stop(struct trace_check *c, const struct trace_event *e,
    struct proc *p)
{
    if (!p->running)
        ERROR(c, e, "proc-stop", "p %lld is not running before stop",
            (long long)e->p);
    if (p->g != 0)
        ERROR(c, e, "proc-stop",
            "p %lld is running a goroutine %llu during stop",
            (long long)e->p, (ull)p->g);
    p->running = false;
}

/* ---- collector */

static void
on_stw(struct trace_check *c, const struct trace_event *e, struct proc *p)
{
    /* Before 1.10 every P had its own. */
    bool *open = c->f->version < 10 ? &p->stopped_world : &c->stw;

    if (e->type == TRACE_EV_STW_DONE) {
        if (!*open)
            ERROR(c, e, "stw", "bogus STW end");
        *open = false;
        return;
    }
    if (*open)
        ERROR(c, e, "stw", "previous STW is not ended before a new one");
    if (c->f->version >= 10 && c->f->version < 21 && e->args[0] > 1)
        ERROR(c, e, "stw-kind", "unknown STW kind %llu", (ull)e->args[0]);
    *open = true;
    c->stw_off = e->off;
}

static void
on_gc(struct trace_check *c, const struct trace_event *e)
{
    bool start = e->type == TRACE_EV_GC_START;

    if (start && c->gc)
        ERROR(c, e, "gc", "previous GC is not ended before a new one");
    if (!start && !c->gc)
        ERROR(c, e, "gc", "bogus GC end");
    c->gc = start;
    c->gc_off = e->off;
}

static void
on_sweep(struct trace_check *c, const struct trace_event *e, struct proc *p)
{
    bool start = e->type == TRACE_EV_SWEEP_START;

    if (start && p->sweeping)
        ERROR(c, e, "sweep",
            "previous sweeping is not ended before a new one");
    if (!start && !p->sweeping)
        ERROR(c, e, "sweep", "bogus sweeping end");
    p->sweeping = start;
    p->sweep_off = e->off;
}

static void
on_assist(struct trace_check *c, const struct trace_event *e, struct gor *g)
{
    bool start = e->type == TRACE_EV_MARK_ASSIST_START;

    if (start && g->assisting)
        ERROR(c, e, "assist",
            "previous mark assist is not ended before a new one");
    g->assisting = start;
}

/* What viewers of pauses and utilisation take for granted. */
static void
check_place(struct trace_check *c, const struct trace_event *e,
    struct proc *p)
{
    bool stw = e->type == TRACE_EV_STW_START;

    if (!stw && !p->marks && c->procs_known && e->p >= (int64_t)c->procs) {
        p->marks = true;
        WARN(c, e, "gomaxprocs-p", "%s on P %lld of %llu: Go 1.19's "
            "utilisation curve fails", trace_ev_name(e->type),
            (long long)e->p, (ull)c->procs);
    }
    if (p->g == 0 && e->type != TRACE_EV_SWEEP_START)
        WARN(c, e, "no-goroutine", "%s on P %lld, which runs no goroutine",
            trace_ev_name(e->type), (long long)e->p);
}

/* ---- annotations */

static void
check_string(struct trace_check *c, const struct trace_event *e, uint64_t id)
{
    if (id != 0 && trace_file_string(c->f, id).len == 0 &&
        c->f->cut_at == UINT64_MAX)
        WARN(c, e, "string", "%s uses string %llu, which is not defined",
            trace_ev_name(e->type), (ull)id);
}

static void
on_task(struct trace_check *c, const struct trace_event *e)
{
    int64_t i = trace_idmap_row(&c->tasks, e->args[0], &c->task_open,
        &c->tasks_cap, 1, NULL);

    if (i < 0) {
        c->nomem = true;
        return;
    }
    if (e->type == TRACE_EV_USER_TASK_CREATE) {
        if (c->task_open[i])
            ERROR(c, e, "task", "task id conflicts (id:%llu)",
                (ull)e->args[0]);
        check_string(c, e, e->args[2]);
    }
    c->task_open[i] = e->type == TRACE_EV_USER_TASK_CREATE;
}

static void
on_region(struct trace_check *c, const struct trace_event *e, struct gor *g)
{
    struct trace_text a, b;
    struct region *r;

    check_string(c, e, e->args[2]);
    if (e->args[1] > 1) {
        ERROR(c, e, "region", "invalid user region mode %llu",
            (ull)e->args[1]);
        return;
    }
    if (e->args[1] == 0) {
        if (!trace_grow(&g->regions, &g->regions_cap, g->nregions,
                sizeof *g->regions)) {
            c->nomem = true;
            return;
        }
        r = &g->regions[g->nregions++];
        r->task = e->args[0];
        r->name = e->args[2];
        return;
    }
    if (g->nregions == 0)
        return;
    rt_assert(g->nregions <= g->regions_cap);
    r = &g->regions[--g->nregions];
    a = trace_file_string(c->f, r->name);
    b = trace_file_string(c->f, e->args[2]);
    if (r->task != e->args[0] || a.len != b.len ||
        memcmp(a.s, b.s, a.len) != 0)
        ERROR(c, e, "region", "misuse of region in goroutine %llu: \"%.*s\" "
            "ends while \"%.*s\" is open", (ull)e->g, (int)(b.len > 40 ? 40 :
            b.len), b.s, (int)(a.len > 40 ? 40 : a.len), a.s);
}

/* ---- */

enum rt_status
trace_check_event(struct trace_check *c, const struct trace_event *e)
{
    struct proc *p;
    struct gor *g;

    if (c->f->v2 != NULL)
        return RT_OK; /* the orderer has checked it */
    p = proc(c, e->p);
    g = gor(c, e->g);
    if (p == NULL || g == NULL)
        return RT_ENOMEM;
    if (e->stk != 0 && !trace_file_has_stack(c->f, e->stk) &&
        c->f->cut_at == UINT64_MAX && e->type != TRACE_EV_CPU_SAMPLE)
        WARN(c, e, "stack", "%s has stack %llu, which is not defined: shown "
            "without", trace_ev_name(e->type), (ull)e->stk);
    if (go_event(c, e, g, p)) {
        if (e->type == TRACE_EV_GO_START_LABEL)
            check_string(c, e, e->args[2]);
        return c->nomem ? RT_ENOMEM : RT_OK;
    }
    switch (e->type) {
    case TRACE_EV_PROC_START:
        on_proc_start(c, e, p);
        break;
    case TRACE_EV_PROC_STOP:
        on_proc_stop(c, e, p);
        break;
    case TRACE_EV_GOMAXPROCS:
        c->procs_known = true;
        c->procs = e->args[0];
        break;
    case TRACE_EV_GC_START:
    case TRACE_EV_GC_DONE:
        on_gc(c, e);
        break;
    case TRACE_EV_STW_START:
    case TRACE_EV_STW_DONE:
        on_stw(c, e, p);
        if (e->type == TRACE_EV_STW_START && c->f->version >= 11)
            check_place(c, e, p);
        break;
    case TRACE_EV_SWEEP_START:
    case TRACE_EV_SWEEP_DONE:
        on_sweep(c, e, p);
        if (e->type == TRACE_EV_SWEEP_START)
            check_place(c, e, p);
        break;
    case TRACE_EV_MARK_ASSIST_START:
    case TRACE_EV_MARK_ASSIST_DONE:
        on_assist(c, e, g);
        if (e->type == TRACE_EV_MARK_ASSIST_START)
            check_place(c, e, p);
        break;
    case TRACE_EV_FUTILE_WAKEUP:
        if (c->f->version >= 11)
            ERROR(c, e, "futile", "unexpected event type %d: Go's newer "
                "readers take no FutileWakeup", TRACE_EV_FUTILE_WAKEUP);
        break;
    case TRACE_EV_USER_TASK_CREATE:
    case TRACE_EV_USER_TASK_END:
        on_task(c, e);
        break;
    case TRACE_EV_USER_REGION:
        on_region(c, e, g);
        break;
    case TRACE_EV_USER_LOG:
        check_string(c, e, e->args[1]);
        break;
    default:
        break;
    }
    return c->nomem ? RT_ENOMEM : RT_OK;
}

/* The ids of all stacks, in the order of the file.  The map has them in an
 * order that differs from run to run. */
static uint64_t *
stack_ids(const struct trace_file *f)
{
    const struct trace_idmap *m = &f->stackmap;
    uint64_t *ids = malloc((m->count + 1) * sizeof *ids);
    uint32_t i;

    for (i = 0; ids != NULL && i < m->cap; i++) {
        rt_assert(m->vals[i] <= m->count);
        if (m->vals[i] != 0)
            ids[m->vals[i] - 1] = m->keys[i];
    }
    return ids;
}

/* Viewers key symbols by pc: one pc, one line. */
static enum rt_status
check_pcs(struct trace_check *c)
{
    const struct trace_file *f = c->f;
    struct trace_idmap pcs = {0};
    struct where {
        struct trace_rframe fr;
    } *seen = NULL;
    struct trace_rframe *fr = malloc(TRACE_MAX_FRAMES * sizeof *fr);
    uint64_t *ids = stack_ids(f);
    enum rt_status st = fr == NULL || ids == NULL ? RT_ENOMEM : RT_OK;
    uint64_t cap = 0, told = 0;
    uint32_t i, n, s;
    bool fresh;
    int64_t k;

    for (s = 0; s < f->stackmap.count && st == RT_OK; s++) {
        n = trace_file_stack(f, ids[s], fr, TRACE_MAX_FRAMES);
        for (i = 0; i < n; i++) {
            k = trace_idmap_row(&pcs, fr[i].pc, &seen, &cap, sizeof *seen,
                &fresh);
            if (k < 0) {
                st = RT_ENOMEM;
                break;
            }
            if (fresh)
                seen[k].fr = fr[i];
            else if ((seen[k].fr.line != fr[i].line ||
                seen[k].fr.func.s != fr[i].func.s ||
                seen[k].fr.file.s != fr[i].file.s) && told++ < 10)
                trace_file_problem(c->f, TRACE_WARNING, f->stacks[s].off,
                    "pc", "pc 0x%llx stands for two different lines",
                    (ull)fr[i].pc);
        }
    }
    free(ids);
    free(fr);
    free(seen);
    trace_idmap_free(&pcs);
    return st;
}

enum rt_status
trace_check_end(struct trace_check *c)
{
    struct trace_file *f = c->f;
    uint64_t end = f->size;
    uint32_t i, running = 0;

    if (f->v2 != NULL)
        return RT_OK;
    if (!c->procs_known && f->cut_at == UINT64_MAX)
        trace_file_problem(f, TRACE_WARNING, end, "gomaxprocs",
            "no Gomaxprocs: Go's newer readers stay in their initial mode");
    if (f->cut_at == UINT64_MAX) {
        for (i = 0; i < c->gmap.count && i < c->gs_cap; i++)
            running += c->gs[i].state == RUNNING;
        if (running > 0)
            trace_file_problem(f, TRACE_WARNING, end, "end",
                "%u goroutines still run at the end: Go 1.19's viewer "
                "crashes", running);
        if (c->gc)
            trace_file_problem(f, TRACE_WARNING, c->gc_off, "end",
                "GCStart without GCDone: Go 1.19's viewer crashes");
        if (c->stw)
            trace_file_problem(f, TRACE_WARNING, c->stw_off, "end",
                "STWStart without STWDone: Go 1.19's viewer crashes");
        for (i = 0; i < c->pmap.count && i < c->ps_cap; i++) {
            if (c->ps[i].sweeping)
                trace_file_problem(f, TRACE_WARNING, c->ps[i].sweep_off,
                    "end", "GCSweepStart without GCSweepDone: Go 1.19's "
                    "viewer crashes");
        }
    }
    return f->version < 7 ? RT_OK : check_pcs(c);
}

const struct trace_verdicts *
trace_verdicts_on(const char *rule)
{
    static const struct trace_verdicts rules[] = {
#define RULE(name, old, new) {name, TRACE_##old, TRACE_##new},
#include "trace/read/rules.def"
#undef RULE
    };
    size_t i;

    for (i = 0; i < sizeof rules / sizeof *rules; i++) {
        if (strcmp(rules[i].rule, rule) == 0)
            return &rules[i];
    }
    return NULL;
}

bool
trace_old_reads(const struct trace_file *f)
{
    return f->version <= 21;
}

bool
trace_new_reads(const struct trace_file *f)
{
    return f->version >= 11;
}

struct trace_check *
trace_check_new(struct trace_file *f)
{
    struct trace_check *c = calloc(1, sizeof *c);

    if (c != NULL)
        c->f = f;
    return c;
}

void
trace_check_free(struct trace_check *c)
{
    uint64_t i;

    if (c == NULL)
        return;
    for (i = 0; i < c->gs_cap; i++)
        free(c->gs[i].regions);
    free(c->gs);
    free(c->ps);
    free(c->task_open);
    trace_idmap_free(&c->gmap);
    trace_idmap_free(&c->pmap);
    trace_idmap_free(&c->tasks);
    free(c);
}

enum rt_status
trace_validate(struct trace_file *f, struct rt_err *e)
{
    struct trace_check *c = trace_check_new(f);
    struct trace_order *o = NULL;
    struct trace_event ev;
    enum rt_status st;

    if (c == NULL)
        return rt_errf(e, RT_ENOMEM, UINT64_MAX, "out of memory");
    st = trace_order_new(&o, f, e);
    while (st == RT_OK) {
        st = trace_order_next(o, &ev);
        if (st == RT_OK)
            st = trace_check_event(c, &ev);
    }
    if (st == RT_EOF)
        st = trace_check_end(c);
    trace_order_free(o);
    trace_check_free(c);
    if (st == RT_ENOMEM)
        rt_errf(e, st, UINT64_MAX, "out of memory");
    return st;
}
