/* SPDX-License-Identifier: MIT */
#include "trace/analyze/analyze.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/base/compiler.h"
#include "runtime/base/throw.h"
#include "trace/analyze/analyze_int.h"

/* ---- goroutines and processors */

static RT_NOINLINE struct trace_goroutine *
add_goroutine(struct trace_run *x, uint64_t id, int64_t now)
{
    struct trace_summary *s = x->s;
    struct trace_goroutine *g;
    bool fresh;
    int64_t i = trace_idmap_row(&s->gmap, id, &s->gs, &x->gs_cap, sizeof *s->gs,
        &fresh);

    if (i < 0)
        return NULL;
    g = &s->gs[i];
    if (fresh) {
        s->ngs++;
        g->id = id;
        g->created = -1;
        g->started = -1;
        g->ended = -1;
        g->since = now;
        g->range_since = -1;
        g->called = -1;
        g->p = TRACE_NO_P;
    }
    return g;
}

/* The goroutine, which is a new one when it has not been seen; NULL: no
 * memory. */
static inline struct trace_goroutine *
goroutine(struct trace_run *x, uint64_t id, int64_t now)
{
    struct trace_summary *s = x->s;
    unsigned k = id % TRACE_IDMAP_HOT;

    if (trace_idmap_is_hot(&s->gmap, id) && s->gmap.hot[k] <= s->ngs)
        return &s->gs[s->gmap.hot[k] - 1];
    return add_goroutine(x, id, now);
}

static RT_NOINLINE struct trace_proc *
add_processor(struct trace_run *x, int64_t id)
{
    struct trace_summary *s = x->s;
    struct trace_proc *p;
    bool fresh;
    int64_t i;

    i = trace_idmap_row(&x->pmap, (uint64_t)id, &s->procs, &x->procs_cap,
        sizeof *s->procs, &fresh);
    if (i < 0)
        return NULL;
    p = &s->procs[i];
    if (fresh) {
        s->nprocs++;
        p->id = id;
        p->since = -1;
    }
    if (id >= 0 && id < TRACE_NEAR_P)
        x->near_p[id] = (uint32_t)i + 1;
    return p;
}

static inline struct trace_proc *
processor(struct trace_run *x, int64_t id)
{
    struct trace_summary *s = x->s;

    return (uint64_t)id < TRACE_NEAR_P && x->near_p[id] != 0 ?
        &s->procs[x->near_p[id] - 1] : add_processor(x, id);
}

/* The state that the goroutine leaves.  Field by field: an initializer is a
 * string instruction, which is slow. */
static inline void
fill_span(struct trace_span *sp, const struct trace_goroutine *g, int64_t now,
    const struct trace_event *e)
{
    rt_assert(g->since <= now && g->state < TRACE_ST_COUNT);
    sp->from = g->since;
    sp->to = now;
    sp->p = g->p;
    sp->called = g->state == TRACE_ST_SYSCALL ? g->called : 0;
    sp->told = g->told;
    sp->stack = g->stack;
    sp->cause_by = g->cause_by;
    sp->cause_stack = g->cause_stack;
    sp->cause_p = g->cause_p;
    sp->label = g->label;
    sp->why = g->why;
    sp->state = g->state;
    sp->cause = g->cause;
    sp->open = e == NULL;
    if (e == NULL) {
        sp->end_p = 0;
        sp->by = sp->end_stack = 0;
        sp->end = 0;
        sp->at_start = false;
        return;
    }
    sp->end_p = e->p;
    sp->by = e->g == g->id ? 0 : e->g;
    sp->end_stack = e->stk;
    sp->end = e->type;
    sp->at_start = e->snapshot;
    if (g->state == TRACE_ST_RUNNING && e->type != TRACE_EV_GO_SYS_BLOCK)
        sp->stack = e->stk;
}

/* Tells the sinks that the goroutine leaves its state. */
static RT_NOINLINE void
tell_span(struct trace_run *x, const struct trace_goroutine *g, int64_t now,
    const struct trace_event *e)
{
    const struct trace_sink *k = x->how->sinks, *end = k + x->how->nsinks;
    struct trace_span sp;

    fill_span(&sp, g, now, e);
    for (; k < end; k++) {
        if (k->span != NULL &&
            (k->states == 0 || (k->states >> g->state & 1) != 0) &&
            !k->span(k->arg, x->s, g, &sp))
            x->nomem = true;
    }
}

/* When the state began: a system call at its entry, not when it lost its
 * P. */
static inline int64_t
since_of(const struct trace_goroutine *g)
{
    return g->state == TRACE_ST_SYSCALL && g->called >= 0 ? g->called :
        g->since;
}

/* Keeps the state that the goroutine leaves, which is among the longest. */
static RT_NOINLINE void
keep_wait(struct trace_top *t, const struct trace_goroutine *g,
    int64_t now, uint64_t by, const struct trace_event *e)
{
    int64_t at = since_of(g);
    const struct trace_wait w = {.ns = now - at, .at = at, .g = g->id,
        .by = by, .stack = g->stack, .state = g->state, .open = e == NULL};

    trace_top_add(t, &w);
}

/* Whether the goroutine is in no total. */
static inline bool
is_left_out(const struct trace_run *x, const struct trace_goroutine *g)
{
    return g->system && !x->how->system;
}

/* Adds up the state that the goroutine leaves. */
static RT_ALWAYS_INLINE void
add_up(struct trace_run *x, struct trace_goroutine *g, int64_t now, uint64_t by,
    const struct trace_event *e)
{
    struct trace_gst_total *t = &x->s->total[g->state];
    int64_t ns = now - g->since;

    rt_assert(ns >= 0 && g->state < TRACE_ST_COUNT);
    g->time[g->state] += ns;
    if (g->state == TRACE_ST_NONE || is_left_out(x, g))
        return;
    t->ns += ns;
    t->n++;
    ns = g->state == TRACE_ST_RUNNING ? ns - g->run_calls :
        now - since_of(g);
    g->run_calls = 0;
    if (ns > t->longest)
        t->longest = ns;
    if (g->state == TRACE_ST_RUNNABLE) {
        if (e != NULL)
            trace_hist_add(&x->s->latency, ns);
        if (ns > x->late.floor)
            keep_wait(&x->late, g, now, by, e);
    } else if (g->state >= TRACE_ST_SYSCALL) {
        g->blocks++;
        if (ns > g->longest_block)
            g->longest_block = ns;
        /* Nothing is known of a block that began before the trace. */
        if (g->state != TRACE_ST_BEFORE && ns > x->longest.floor)
            keep_wait(&x->longest, g, now, by, e);
    }
}

/* The goroutine leaves its state: counts the time, keeps long waits.  e is
 * the event that makes it, NULL at the end of the trace. */
static RT_ALWAYS_INLINE void
leave_state(struct trace_run *x, struct trace_goroutine *g, int64_t now,
    uint64_t by, const struct trace_event *e, bool sums)
{
    if ((x->states >> g->state & 1) != 0 && g->state != TRACE_ST_NONE &&
        g->id != 0)
        tell_span(x, g, now, e);
    if (sums)
        add_up(x, g, now, by, e);
}

/*
 * Since when the goroutine has been in a state that the file tells late: since
 * the trace began, but for what it is known to have done before, and what was
 * before the stretch that is added up.
 */
static RT_NOINLINE int64_t
since_before(const struct trace_run *x, const struct trace_goroutine *g)
{
    int64_t from = x->entered && x->s->from > 0 ? x->s->from : 0;

    return g->ended > from ? g->ended : from;
}

/* In line where most events come by. */
static RT_ALWAYS_INLINE void
set_state(struct trace_run *x, struct trace_goroutine *g, enum trace_gst st,
    const struct trace_event *e, uint64_t by, bool sums)
{
    bool was_so = e->snapshot && x->s->f->version >= 22;
    int64_t now = e->ns;
    uint64_t who = e->g;

    if (was_so)
        g->state = TRACE_ST_NONE; /* has not come from another state */
    leave_state(x, g, now, by, e, sums);
    g->state = (uint8_t)st;
    g->since = was_so ? since_before(x, g) : now;
    rt_assert(g->since <= now);
    g->told = now;
    g->cause = e->type;
    g->cause_p = e->p;
    g->cause_by = who == g->id ? 0 : who;
    g->cause_stack = e->stk;
    g->why = (struct trace_text){e->why, e->why_len};
}

static RT_NOINLINE void
set_state_rarely(struct trace_run *x, struct trace_goroutine *g,
    enum trace_gst st, const struct trace_event *e)
{
    set_state(x, g, st, e, 0, !x->how->brief);
}

static bool
starts_with(struct trace_text t, const char *prefix)
{
    size_t n = strlen(prefix);

    return t.len >= n && memcmp(t.s, prefix, n) == 0;
}

/*
 * The runtime's own goroutines: Go's tools take those whose entry function is
 * runtime.*, except runtime.main.  The one that writes the trace is one more:
 * who reads it did not start that.
 */
static bool
is_system(const struct trace_summary *s, const struct trace_goroutine *g)
{
    struct trace_text t = trace_goroutine_name(s, g);

    if (t.len == 12 && memcmp(t.s, "runtime.main", 12) == 0)
        return false;
    return starts_with(t, "runtime.") || starts_with(t, "runtime/trace.");
}

/* The first stack names a goroutine whose entry the file does not have. */
static RT_NOINLINE void
name_by_stack(struct trace_run *x, struct trace_goroutine *g, uint64_t stk)
{
    g->first_stack = stk;
    if (g->entry == 0)
        g->system = is_system(x->s, g);
}

static inline void
note_stack(struct trace_run *x, struct trace_goroutine *g, uint64_t stk)
{
    if (stk != 0 && g->first_stack == 0)
        name_by_stack(x, g, stk);
}

static bool
on_create(struct trace_run *x, const struct trace_event *e)
{
    struct trace_summary *s = x->s;
    struct trace_goroutine *g = goroutine(x, e->args[0], e->ns);

    if (g == NULL)
        return false;
    g->parent = e->g;
    g->entry = s->f->version < 7 ? 0 : e->args[1];
    g->system = is_system(s, g);
    if (e->snapshot) {
        if (s->f->version >= 22)
            note_stack(x, g, e->stk); /* where it is, not who made it */
        s->at_start++;
    } else {
        s->created++;
        g->created = e->ns;
    }
    if (++s->alive > s->peak)
        s->peak = s->alive;
    set_state_rarely(x, g, TRACE_ST_RUNNABLE, e);
    return true;
}

static RT_ALWAYS_INLINE void
on_start(struct trace_run *x, const struct trace_event *e,
    struct trace_goroutine *g, struct trace_proc *p, bool sums)
{
    if (e->snapshot && g->started < 0 && g->state == TRACE_ST_RUNNABLE) {
        /* It ran already: not a wait for a P. */
        if ((x->states >> g->state & 1) != 0)
            tell_span(x, g, e->ns, e);
        g->state = TRACE_ST_NONE;
    }
    note_stack(x, g, e->stk);
    set_state(x, g, TRACE_ST_RUNNING, e, 0, sums);
    g->p = e->p;
    g->label = e->type == TRACE_EV_GO_START_LABEL ? e->args[2] : 0;
    if (g->started < 0)
        g->started = e->ns;
    if (!sums)
        return;
    g->runs++;
    p->runs++;
    p->g = e->g;
    p->since = g->since;
    p->gc_worker = e->type == TRACE_EV_GO_START_LABEL &&
        starts_with(trace_file_string(x->s->f, e->args[2]), "GC ");
}

static void
free_proc(struct trace_proc *p, int64_t now)
{
    rt_assert(p->since <= now);
    if (p->since >= 0) {
        p->busy += now - p->since;
        if (p->gc_worker)
            p->gc += now - p->since;
    }
    p->since = -1;
    p->g = 0;
    p->gc_worker = false;
}

/*
 * The running goroutine has spent time in a system call on p: that is not
 * running time.  The span that it runs in may not be over, which is why its
 * sum can be short of that until then.
 */
static RT_NOINLINE void
count_call(struct trace_run *x, struct trace_goroutine *g, struct trace_proc *p,
    int64_t ns)
{
    rt_assert(ns >= 0);
    g->calls += ns;
    g->run_calls += ns;
    g->time[TRACE_ST_RUNNING] -= ns;
    g->time[TRACE_ST_SYSCALL] += ns;
    p->calls += ns;
    if (is_left_out(x, g))
        return;
    x->s->total[TRACE_ST_RUNNING].ns -= ns;
    x->s->total[TRACE_ST_SYSCALL].ns += ns;
}

/* A call that kept its P to the end is counted with those that lost it. */
static void
count_kept_call(struct trace_run *x, struct trace_goroutine *g,
    struct trace_proc *p, int64_t ns)
{
    struct trace_gst_total *t = &x->s->total[TRACE_ST_SYSCALL];

    count_call(x, g, p, ns);
    if (is_left_out(x, g))
        return;
    t->n++;
    if (ns > t->longest)
        t->longest = ns;
}

/* The state after an event that leaves. */
static const uint8_t state_after[TRACE_EV_KINDS] = {
    [TRACE_EV_GO_SLEEP] = TRACE_ST_SLEEP,
    [TRACE_EV_GO_BLOCK_SEND] = TRACE_ST_SEND,
    [TRACE_EV_GO_BLOCK_RECV] = TRACE_ST_RECV,
    [TRACE_EV_GO_BLOCK_SELECT] = TRACE_ST_SELECT,
    [TRACE_EV_GO_BLOCK_SYNC] = TRACE_ST_SYNC,
    [TRACE_EV_GO_BLOCK_COND] = TRACE_ST_COND,
    [TRACE_EV_GO_BLOCK_NET] = TRACE_ST_NET,
    [TRACE_EV_GO_BLOCK_GC] = TRACE_ST_GC,
    [TRACE_EV_GO_BLOCK] = TRACE_ST_OTHER,
    [TRACE_EV_GO_SYS_BLOCK] = TRACE_ST_SYSCALL,
    [TRACE_EV_GO_STOP] = TRACE_ST_FOREVER,
    [TRACE_EV_GO_SCHED] = TRACE_ST_RUNNABLE,
    [TRACE_EV_GO_PREEMPT] = TRACE_ST_RUNNABLE,
};

static RT_ALWAYS_INLINE void
on_leave(struct trace_run *x, const struct trace_event *e,
    struct trace_goroutine *g, struct trace_proc *p, bool sums)
{
    enum trace_gst st = state_after[e->type];

    note_stack(x, g, e->stk);
    if (g->range_since >= 0)
        trace_range_pause(g, p, e->ns);
    set_state(x, g, st, e, 0, sums);
    if (e->type != TRACE_EV_GO_SYS_BLOCK) {
        g->stack = e->stk; /* that of a system call is GoSysCall's */
        g->called = -1;
    }
    g->p = TRACE_NO_P;
    g->label = 0;
    if (sums)
        free_proc(p, e->ns);
    if (st == TRACE_ST_NONE) {
        g->ended = e->ns;
        x->s->ended++;
        x->s->alive--;
    }
}

static RT_ALWAYS_INLINE bool
on_wake(struct trace_run *x, const struct trace_event *e, bool sums)
{
    struct trace_goroutine *g = goroutine(x, e->args[0], e->ns);

    if (g == NULL)
        return false;
    set_state(x, g, TRACE_ST_RUNNABLE, e,
        e->type == TRACE_EV_GO_SYS_EXIT ? 0 : e->g, sums);
    g->called = -1;
    return true;
}

/* ---- the rest */

static void
on_other(struct trace_run *x, const struct trace_event *e)
{
    struct trace_summary *s = x->s;

    switch (e->type) {
    case TRACE_EV_GOMAXPROCS:
        s->proc_time += (int64_t)x->procs_now * (e->ns - x->procs_since);
        /* The first one holds for the whole time before it as well. */
        if (x->procs_now == 0)
            s->proc_time = (int64_t)(e->args[0] & 0xfffff) *
                (e->ns - s->from);
        x->procs_now = e->args[0] & 0xfffff;
        x->procs_since = e->ns;
        if (e->args[0] > s->gomaxprocs)
            s->gomaxprocs = e->args[0];
        break;
    case TRACE_EV_HEAP_ALLOC:
        if (!s->heap_seen)
            s->heap_first = e->args[0];
        s->heap_seen = true;
        s->heap_last = e->args[0];
        if (e->args[0] > s->heap_max)
            s->heap_max = e->args[0];
        break;
    case TRACE_EV_HEAP_GOAL:
        s->goal_last = e->args[0];
        break;
    case TRACE_EV_USER_TASK_CREATE:
        s->tasks++;
        break;
    case TRACE_EV_USER_TASK_END:
        s->tasks_ended++;
        break;
    case TRACE_EV_USER_REGION:
        s->regions += e->args[1] == 0;
        break;
    case TRACE_EV_USER_LOG:
        s->logs++;
        break;
    case TRACE_EV_CPU_SAMPLE:
        s->samples++;
        break;
    default:
        break;
    }
}

static RT_ALWAYS_INLINE bool
take(struct trace_run *x, const struct trace_event *e, bool sums)
{
    struct trace_summary *s = x->s;
    struct trace_proc *p = sums ? processor(x, e->p) : &x->any_proc;
    struct trace_goroutine *g = goroutine(x, e->g, e->ns);

    if (p == NULL || g == NULL)
        return false;
    rt_assert(e->type != TRACE_EV_NONE && e->type < TRACE_EV_KINDS);
    s->events++;
    s->count[e->type]++;
    switch (e->type) {
    case TRACE_EV_GO_CREATE:
        return on_create(x, e);
    case TRACE_EV_GO_WAITING:
        note_stack(x, g, e->stk);
        set_state_rarely(x, g, TRACE_ST_BEFORE, e);
        return true;
    case TRACE_EV_GO_IN_SYSCALL:
        note_stack(x, g, e->stk);
        set_state_rarely(x, g, TRACE_ST_SYSCALL, e);
        return true;
    case TRACE_EV_GO_START:
    case TRACE_EV_GO_START_LOCAL:
    case TRACE_EV_GO_START_LABEL:
        on_start(x, e, g, p, sums);
        return true;
    case TRACE_EV_GO_UNBLOCK:
    case TRACE_EV_GO_UNBLOCK_LOCAL:
    case TRACE_EV_GO_SYS_EXIT:
    case TRACE_EV_GO_SYS_EXIT_LOCAL:
        return on_wake(x, e, sums);
    case TRACE_EV_GO_LABEL:
        p->gc_worker = starts_with(trace_file_string(s->f, e->args[0]),
            "GC ");
        g->label = e->args[0];
        return true;
    case TRACE_EV_GO_SYSCALL_END:
        s->range_since = g->called;
        if (sums && g->called >= 0)
            count_kept_call(x, g, p, e->ns - g->called);
        g->called = -1;
        return true;
    case TRACE_EV_GO_SYS_CALL:
        s->syscalls++;
        note_stack(x, g, e->stk);
        g->stack = e->stk;
        g->called = e->ns;
        return true;
    case TRACE_EV_GO_SYS_BLOCK:
        s->syscalls_blocked++;
        p->retaken++;
        if (sums && g->called >= 0)
            count_call(x, g, p, e->ns - g->called);
        break;
    case TRACE_EV_PROC_START:
        p->starts++;
        return true;
    default:
        break;
    }
    if (trace_ev_leaves(e->type)) {
        on_leave(x, e, g, p, sums);
    } else {
        trace_on_collector(x, e, g, p);
        on_other(x, e);
    }
    return true;
}

/* ---- begin and end */

/* All events; RT_EOF when it is done.  *end is the time of the last one. */
static RT_ALWAYS_INLINE enum rt_status
take_all(struct trace_run *x, struct trace_order *o, int64_t *end, bool sums)
{
    const struct trace_event *e;
    enum rt_status st;

    while ((st = trace_order_get(o, &e)) == RT_OK) {
        rt_assert(e->ns >= *end);
        if (!x->entered && e->ns >= x->s->from)
            trace_pass_enter(x);
        *end = e->ns;
        if (e->ns >= x->s->to)
            continue; /* only to know how long the trace is */
        if (!take(x, e, sums) ||
            ((x->kinds >> e->type & 1) != 0 && !trace_pass_tell(x, e)) ||
            x->nomem)
            return RT_ENOMEM;
        if ((x->s->events & 0xffff) == 0)
            trace_pass_progress(x);
    }
    return st;
}

/* What the goroutine is in the midst of when the trace ends.  Before 1.22 no
 * record tells when a call that kept its P was over. */
static void
close_open(struct trace_run *x, struct trace_goroutine *g, int64_t end)
{
    struct trace_proc *p;

    if (g->state != TRACE_ST_RUNNING)
        return;
    p = processor(x, g->p);
    rt_assert(p != NULL); /* it has come to run there, so it is known */
    if (g->range_since >= 0)
        trace_range_pause(g, p, end);
    if (x->s->f->version >= 22 && g->called >= 0)
        count_kept_call(x, g, p, end - g->called);
}

static void
finish(struct trace_run *x, int64_t end)
{
    struct trace_summary *s = x->s;
    bool brief = x->how->brief;
    uint64_t i;

    s->duration = end;
    if (!x->entered)
        trace_pass_enter(x); /* it would begin after the end */
    if (end > s->to)
        end = s->to;
    s->to = end > s->from ? end : s->from;
    end = s->to;
    for (i = 0; i < s->ngs; i++) {
        struct trace_goroutine *g = &s->gs[i];

        if (!brief)
            close_open(x, g, end);
        leave_state(x, g, end, 0, NULL, !brief);
    }
    for (i = 0; i < s->nprocs; i++)
        free_proc(&s->procs[i], end);
    trace_range_close(&s->gc, end);
    trace_range_close(&s->stw, end);
    trace_range_close(&s->stw_kind[x->stw_kind], end);
    s->proc_time += (int64_t)x->procs_now * (end - x->procs_since);
    trace_summary_settle(s);
    if (x->procs_now == 0)
        s->proc_time = (int64_t)s->nprocs * (end - s->from);
    trace_top_sort(&x->longest);
    trace_top_sort(&x->late);
    s->longest = x->longest.a;
    s->nlongest = x->longest.n;
    s->late = x->late.a;
    s->nlate = x->late.n;
    rt_assert_full(trace_summary_valid(s));
}

enum rt_status
trace_analyze_with(struct trace_file *f, const struct trace_pass *how,
    struct trace_summary **out, struct rt_err *err)
{
    struct trace_order *o = NULL;
    enum rt_status st = RT_ENOMEM;
    int64_t end = 0;
    struct trace_run x;

    if (trace_pass_prepare(&x, f, how))
        st = trace_order_new(&o, f, err);
    if (st == RT_OK)
        st = how->brief ? take_all(&x, o, &end, false) :
            take_all(&x, o, &end, true);
    if (st == RT_EOF) {
        x.s->stuck = trace_order_stuck(o);
        finish(&x, end);
        st = x.nomem ? RT_ENOMEM : RT_OK;
    }
    if (st == RT_OK) {
        *out = x.s;
    } else {
        free(x.longest.a);
        free(x.late.a);
        trace_summary_free(x.s);
        st = rt_errf(err, st, UINT64_MAX, "out of memory");
    }
    trace_order_free(o);
    trace_idmap_free(&x.pmap);
    return st;
}

enum rt_status
trace_analyze(struct trace_file *f, uint64_t top, struct trace_summary **out,
    struct rt_err *err)
{
    const struct trace_pass how = {.top = top};

    return trace_analyze_with(f, &how, out, err);
}
