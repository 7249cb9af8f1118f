/* SPDX-License-Identifier: MIT */
/*
 * Merging the streams of the Ps (internal/trace/order.go of Go 1.7 to 1.19
 * has the idea).  Each goroutine has a sequence number and a state; an event
 * that concerns one may be taken only when both fit, and changes them:
 *
 *     GoCreate                    0, dead      -> 1, runnable
 *     GoWaiting, GoInSyscall      1, runnable  -> 2, waiting
 *     GoStart, GoStartLabel s     s, runnable  -> s+1, running
 *     GoStartLocal                any runnable -> +1, running
 *     GoBlock*, GoSleep, GoSysBlock  any running -> same, waiting
 *     GoSched, GoPreempt          any running  -> same, runnable
 *     GoUnblock, GoSysExit s      s, waiting   -> s+1, runnable
 *     GoUnblockLocal              any waiting  -> +1, runnable
 *     GCStart k                   k cycles so far -> k+1
 *
 * Of all Ps whose next event may be taken, the one with the smallest time is
 * next.  Those Ps are in a binary heap, the frontier.  A P whose next event
 * may not be taken waits at the goroutine that it depends on, in a pairing
 * heap ordered by what it waits for, so that a change of a goroutine looks
 * at two candidates and not at all Ps: the merge of n events costs
 * O(n log n) whatever the file says.
 *
 * Two kinds of events have their place elsewhere than in their P's stream: a
 * GoSysExit with a real time (the goroutine found out later), and CPU
 * samples.  The index has them sorted; they are merged in afterwards.
 *
 * Version 1.5 has a global sequence number instead: the same frontier,
 * ordered by that number, nothing ever waits.
 */
#include "trace/read/order.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/base/throw.h"
#include "trace/read/order_int.h"

enum { AT_ONCE = 32 }; /* events of a P that are decoded at a time */

/* Whether the event may be taken now. */
static inline bool
is_ready(const struct trace_order *o, const struct item *it)
{
    const struct gor *g = &o->gs[it->gi];

    rt_assert(it->gi < o->gs_cap && it->rule != NULL);
    return !it->rule->ordered || (g->state == it->rule->from &&
        (it->need == TRACE_RULE_ANY || it->need == g->seq));
}

/* ---- the frontier */

static inline uint64_t
key_of(const struct trace_order *o, const struct cursor *c)
{
    return o->f->version < 7 ? c->it->ev.seq : c->it->ev.ts;
}

static void
front_push(struct trace_order *o, uint32_t ci)
{
    trace_frontier_push(&o->front, key_of(o, &o->cur[ci]), ci);
}

/* ---- cursors */

/* The cursor goes to its next event. */
static inline enum move
advance(struct trace_order *o, struct cursor *c)
{
    return ++c->it < c->stop ? MOVED : trace_stream_refill(o, c);
}

/* Makes a cursor wait at its goroutine. */
static RT_NOINLINE void
park(struct trace_order *o, uint32_t ci)
{
    const struct item *it = o->cur[ci].it;
    struct gor *g = &o->gs[it->gi];
    uint32_t *heap = it->need == TRACE_RULE_ANY ? &g->any[it->rule->from] :
        &g->numbered[it->rule->from];

    rt_assert(it->rule->ordered && !is_ready(o, it));
    o->nodes[ci].need = it->need;
    o->nodes[ci].ts = it->ev.ts;
    *heap = trace_waitq_push(o->nodes, *heap, ci + 1);
    o->waiting++;
}

/* A goroutine has changed: who has waited for what it is now? */
static RT_NOINLINE void
wake(struct trace_order *o, struct gor *g)
{
    uint32_t *heap = &g->numbered[g->state], root;

    /* What needs a smaller number will never be ready; it stays out of the
     * way of the others. */
    while ((root = *heap) != 0 && o->nodes[root - 1].need < g->seq)
        *heap = trace_waitq_pop(o->nodes, root);
    rt_assert(root == 0 || o->cur[root - 1].it->rule->from == g->state);
    if (root != 0 && o->nodes[root - 1].need == g->seq) {
        *heap = trace_waitq_pop(o->nodes, root);
        rt_assert(o->waiting > 0);
        o->waiting--;
        front_push(o, root - 1);
    }
    heap = &g->any[g->state];
    root = *heap;
    if (root != 0) {
        rt_assert(o->waiting > 0 && is_ready(o, o->cur[root - 1].it));
        *heap = trace_waitq_pop(o->nodes, root);
        o->waiting--;
        front_push(o, root - 1);
    }
}

/* Checks the times that a GoSysExit claims. */
static void
check_exit(struct trace_order *o, const struct trace_event *e,
    const struct gor *g)
{
    uint64_t real = e->args[2];

    if (real == 0 || o->f->version < 7)
        return;
    if (g->blocked_at == 0)
        trace_file_problem(o->f, TRACE_ERROR, e->off, "stray-exit",
            "stray syscall exit: goroutine %llu was in no blocked call",
            (unsigned long long)e->g);
    else if (real < g->blocked_at)
        trace_file_problem(o->f, TRACE_ERROR, e->off, "time",
            "time stamps out of order: goroutine %llu left its system call "
            "before it was blocked in it", (unsigned long long)e->g);
}

/* A system call becomes a blocked one, or such a one ends. */
static RT_NOINLINE void
apply_syscall(struct trace_order *o, const struct item *it, struct gor *g)
{
    if (it->ev.type != TRACE_EV_GO_SYS_EXIT) {
        g->blocked_at = it->ev.ts;
        return;
    }
    check_exit(o, &it->ev, g);
    g->blocked_at = 0;
}

/* The event happens. */
static inline void
apply(struct trace_order *o, const struct item *it)
{
    struct gor *g = &o->gs[it->gi];

    if (!it->rule->ordered)
        return;
    rt_assert(is_ready(o, it));
    g->state = it->rule->to;
    g->seq += it->rule->counts;
    if (rt_unlikely(it->rule->syscall))
        apply_syscall(o, it, g);
}

/* The event on top may not be taken after all. */
static RT_NOINLINE void
put_back(struct trace_order *o, uint32_t ci)
{
    const struct item *it = o->cur[ci].it;

    trace_file_problem(o->f, TRACE_WARNING, it->ev.off, "order-claim",
        "%s of goroutine %llu on P %lld: another P does the same at that "
        "time", trace_ev_name(it->ev.type),
        (unsigned long long)trace_rule_whom(&it->ev, it->rule),
        (long long)it->ev.p);
    trace_frontier_drop(&o->front);
    park(o, ci);
}

/* ---- the merged stream */

/* The frontier is empty: every cursor that is not at its end is in the heap of
 * a goroutine, and in one only, but for those that have been left there since
 * their number is past. */
static bool
all_wait(const struct trace_order *o)
{
    uint64_t waiting = 0, g;
    uint32_t i, left = 0, n;
    int st;

    for (i = 0; i < o->ncur; i++)
        left += o->cur[i].ps != NULL;
    for (g = 0; g < o->gs_cap; g++) {
        for (st = 0; st < TRACE_RULE_STATES; st++) {
            if (!trace_waitq_valid(o->nodes, o->gs[g].numbered[st], o->ncur,
                    &n))
                return false;
            waiting += n;
            if (!trace_waitq_valid(o->nodes, o->gs[g].any[st], o->ncur, &n))
                return false;
            waiting += n;
        }
    }
    return o->taken == 0 && waiting <= o->waiting && o->waiting == left;
}

static RT_COLD void
report_stuck(struct trace_order *o)
{
    struct trace_event first = {.off = UINT64_MAX};
    uint64_t g;
    uint32_t i;

    for (i = 0; i < o->ncur; i++) {
        struct cursor *c = &o->cur[i];

        if (c->ps == NULL)
            continue;
        if (c->it->ev.off < first.off)
            first = c->it->ev;
        do {
            o->stuck++;
        } while (advance(o, c) == MOVED);
        c->ps = NULL;
    }
    if (first.off == UINT64_MAX)
        return;
    g = trace_rule_whom(&first, &trace_rules[first.type]);
    trace_file_problem(o->f,
        o->f->cut_at == UINT64_MAX ? TRACE_ERROR : TRACE_WARNING, first.off,
        "order", "no consistent ordering of events possible: P %lld cannot "
        "go on with %s of goroutine %llu; %llu events are left out",
        (long long)first.p, trace_ev_name(first.type), (unsigned long long)g,
        (unsigned long long)o->stuck);
}

/* The event that was taken last is no longer needed: its P goes on. */
static inline bool
go_on(struct trace_order *o)
{
    uint32_t ci = o->taken - 1;
    struct cursor *c = &o->cur[ci];
    bool ordered = c->it->rule->ordered;
    uint32_t gi = c->it->gi;
    enum move m = advance(o, c);
    struct gor *g;

    o->taken = 0;
    if (m == NO_MEMORY)
        return false;
    if (m == MOVED && is_ready(o, c->it)) {
        trace_frontier_move(&o->front, key_of(o, c));
    } else {
        trace_frontier_drop(&o->front);
        if (m == MOVED)
            park(o, ci);
        else
            c->ps = NULL;
    }
    rt_assert(gi < o->gs_cap);
    g = &o->gs[gi];
    if (ordered && (g->numbered[g->state] | g->any[g->state]) != 0)
        wake(o, g);
    return true;
}

/* The next event of the Ps' streams, moved ones left out; NULL at the end. */
static inline enum rt_status
merge(struct trace_order *o, struct trace_event **e)
{
    *e = NULL;
    for (;;) {
        uint32_t ci, last = o->taken; /* if it is on top, it is ready */
        struct item *it;

        if (o->taken != 0 && !go_on(o))
            return RT_ENOMEM;
        if (o->front.n == 0)
            break;
        ci = o->front.a[0].c;
        rt_assert(ci < o->ncur && o->cur[ci].ps != NULL);
        rt_assert(o->front.a[0].key == key_of(o, &o->cur[ci]));
        it = o->cur[ci].it;
        if (ci + 1 != last && !is_ready(o, it)) {
            /* Another P's event came first. */
            put_back(o, ci);
            continue;
        }
        apply(o, it);
        o->taken = ci + 1;
        if (it->ev.type == TRACE_EV_GO_SYS_EXIT && it->ev.args[2] != 0)
            continue;
        *e = &it->ev;
        return RT_OK;
    }
    rt_assert_full(o->done || all_wait(o));
    if (!o->done && o->f->version >= 7)
        report_stuck(o);
    o->done = true;
    return RT_OK;
}

/* Decodes an event that the index has put elsewhere. */
static bool
fetch_moved(struct trace_order *o, const struct trace_moved *m,
    struct trace_event *e)
{
    const struct trace_file *f = o->f;
    struct trace_record r;
    uint64_t dt, dseq;
    char why[128];

    if (trace_decode(f->data + m->off, f->data + f->size, f->version, &r,
            why) != TRACE_DECODE_OK)
        return false;
    trace_event_fill(&r, f->version, e, &dt, &dseq);
    e->off = m->off;
    if (e->type == TRACE_EV_CPU_SAMPLE) {
        e->ts = e->args[0];
        e->ns = trace_file_ns(o->f, e->ts);
        e->p = e->args[1] > INT32_MAX ? TRACE_NO_P : (int64_t)e->args[1];
        e->g = e->args[2];
        return true;
    }
    e->ts = e->args[2];
    e->ns = trace_file_ns(o->f, e->ts);
    e->p = m->p;
    e->g = e->args[0];
    e->seq = f->version < 7 ? e->args[1] : 0;
    return true;
}

/* True when a moved event goes before the merged one that is ahead. */
static bool
goes_first(struct trace_order *o, struct moved *list)
{
    const struct trace_event *a = o->ahead, *m = &list->ev;

    struct trace_moved next;

    while (!list->have && !list->done) {
        list->done = !trace_moved_next(&list->list, &next);
        list->have = !list->done && fetch_moved(o, &next, &list->ev);
        if (list->done && list->list.failed)
            trace_file_problem(o->f, TRACE_ERROR, 0, "order",
                "a temporary file cannot be read: events are left out");
    }
    if (!list->have || a == NULL)
        return list->have;
    if (o->f->version < 7 && m->type == TRACE_EV_GO_SYS_EXIT)
        return m->seq < a->seq;
    if (m->ts != a->ts)
        return m->ts < a->ts;
    return m->type == TRACE_EV_GO_SYS_EXIT && a->g == m->g &&
        trace_ev_starts(a->type);
}

static RT_COLD void
report_time(const struct trace_order *o, struct trace_event *e)
{
    trace_file_problem(o->f, TRACE_ERROR, e->off, "time",
        "time stamps out of order: %s on P %lld is %lld ns before the event "
        "that precedes it", trace_ev_name(e->type), (long long)e->p,
        (long long)(trace_file_ns(o->f, o->last_ts) -
            trace_file_ns(o->f, e->ts)));
    e->ns = trace_file_ns(o->f, o->last_ts);
}

/* Stamps an event that is handed out. */
static inline void
hand_out(struct trace_order *o, struct trace_event *e)
{
    rt_assert(e->type != TRACE_EV_NONE && e->type < TRACE_EV_KINDS);
    rt_assert(e->off < o->f->size);
    if (rt_unlikely(e->ts < o->last_ts))
        report_time(o, e);
    else
        o->last_ts = e->ts;
    e->snapshot = !o->started;
    if (e->type == TRACE_EV_GOMAXPROCS)
        o->started = true;
}

/* The time of a list's next event, as far as it is known. */
static uint64_t
moved_time(const struct moved *list)
{
    return list->have ? list->ev.ts : list->done ? UINT64_MAX : 0;
}

/* Which of the three is next: the event that is ahead, or one that has been
 * moved? */
static RT_NOINLINE struct trace_event *
choose(struct trace_order *o)
{
    struct trace_event *e = o->ahead;
    bool x = goes_first(o, &o->exits), s = goes_first(o, &o->samples);
    uint64_t tx, ts;

    if (x && s) /* both before what is ahead: the earlier one */
        x = o->exits.ev.ts <= o->samples.ev.ts;
    if (x) {
        o->exits.have = false;
        e = &o->exits.ev;
    } else if (s) {
        o->samples.have = false;
        e = &o->samples.ev;
    } else {
        o->ahead = NULL;
    }
    tx = moved_time(&o->exits);
    ts = moved_time(&o->samples);
    if (o->f->version >= 7) /* before, exits do not go by their time */
        o->moved_at = tx < ts ? tx : ts;
    return e;
}

/* trace_order_get() of the first family; apart, so that the second one's costs
 * a jump. */
static RT_NOINLINE enum rt_status
get(struct trace_order *o, const struct trace_event **ev)
{
    struct trace_event *e;

    if (o->ahead == NULL && merge(o, &o->ahead) != RT_OK)
        return RT_ENOMEM;
    e = o->ahead;
    if (e == NULL || e->ts >= o->moved_at)
        e = choose(o);
    else
        o->ahead = NULL;
    if (e == NULL)
        return RT_EOF;
    hand_out(o, e);
    *ev = e;
    return RT_OK;
}

enum rt_status
trace_order_get(struct trace_order *o, const struct trace_event **ev)
{
    return o->v2 != NULL ? v2_order_get(o->v2, ev) : get(o, ev);
}

enum rt_status
trace_order_next(struct trace_order *o, struct trace_event *ev)
{
    const struct trace_event *e;
    enum rt_status st = trace_order_get(o, &e);

    if (st == RT_OK)
        *ev = *e;
    return st;
}

uint64_t
trace_order_stuck(const struct trace_order *o)
{
    return o->v2 != NULL ? v2_order_stuck(o->v2) : o->stuck;
}

enum rt_status
trace_order_new(struct trace_order **out, struct trace_file *f,
    struct rt_err *e)
{
    struct trace_order *o = calloc(1, sizeof *o);
    uint32_t i, n = f->pmap.count;
    uint64_t k;

    if (o == NULL)
        return rt_errf(e, RT_ENOMEM, UINT64_MAX, "out of memory");
    o->f = f;
    o->ns_per_tick = 1e9 / f->freq;
    o->ncur = n;
    if (f->v2 != NULL) {
        enum rt_status st = v2_order_new(&o->v2, f, e);

        if (st == RT_OK)
            *out = o;
        else
            trace_order_free(o);
        return st;
    }
    o->cur = calloc(n + 1, sizeof *o->cur);
    o->nodes = calloc(n + 1, sizeof *o->nodes);
    o->front.a = calloc(n + 1, sizeof *o->front.a);
    if (!trace_moved_open(&o->exits.list, &f->exits) ||
        !trace_moved_open(&o->samples.list, &f->samples))
        goto nomem;
    o->exits.done = o->exits.list.nruns == 0;
    o->samples.done = o->samples.list.nruns == 0;
    /* Few for each where there are many. */
    o->at_once = n < AT_ONCE ? AT_ONCE : n < AT_ONCE * AT_ONCE ?
        AT_ONCE * AT_ONCE / n : 1;
    o->items = calloc((uint64_t)n * o->at_once + 1, sizeof *o->items);
    if (o->cur == NULL || o->nodes == NULL || o->front.a == NULL ||
        o->items == NULL || !trace_grow(&o->gs, &o->gs_cap, 0, sizeof *o->gs))
        goto nomem;
    o->gs[0].state = TRACE_RULE_RUNNABLE;
    for (k = 0; k < (uint64_t)n * o->at_once; k++)
        o->items[k].ev.why = "";
    for (i = 0; i < n; i++) {
        struct cursor *c = &o->cur[i];
        enum move m;

        c->ps = &f->ps[i];
        c->items = &o->items[(uint64_t)i * o->at_once];
        m = trace_stream_refill(o, c);
        if (m == NO_MEMORY)
            goto nomem;
        if (m == AT_END)
            c->ps = NULL;
        else if (is_ready(o, c->it))
            front_push(o, i);
        else
            park(o, i);
    }
    rt_assert_full(trace_frontier_valid(&o->front));
    rt_assert(o->front.n + o->waiting <= n);
    *out = o;
    return RT_OK;
nomem:
    trace_order_free(o);
    return rt_errf(e, RT_ENOMEM, UINT64_MAX, "out of memory");
}

void
trace_order_free(struct trace_order *o)
{
    if (o == NULL)
        return;
    v2_order_free(o->v2);
    trace_moved_close(&o->exits.list);
    trace_moved_close(&o->samples.list);
    free(o->cur);
    free(o->items);
    free(o->nodes);
    free(o->front.a);
    free(o->gs);
    trace_idmap_free(&o->gmap);
    free(o);
}
