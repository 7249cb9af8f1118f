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
#include "runtime/base/varint.h"
#include "trace/read/frontier.h"
#include "trace/read/rules.h"
#include "trace/read/v2.h"
#include "trace/read/waitq.h"

enum { AT_ONCE = 32 }; /* events of a P that are decoded at a time */

/* One goroutine; index 0 is the collector, whose "seq" counts cycles. */
struct gor {
    uint64_t seq;
    uint64_t blocked_at;         /* ticks of its GoSysBlock; 0 = none */
    uint32_t numbered[TRACE_RULE_STATES];  /* pairing heaps of cursors + 1 */
    uint32_t any[TRACE_RULE_STATES];
    uint8_t state;
};

/* One event of one P, decoded. */
struct item {
    struct trace_event ev;    /* what no event of this family has is as at
                                 the begin: wire, derived, why */
    const struct trace_rule *rule;
    uint64_t need;            /* sequence number that ev needs, or
                                 TRACE_RULE_ANY */
    uint32_t gi;              /* index in gs, if ev is ordered */
};

/* The next events of one P: some are decoded at a time, since the events of
 * one P resemble each other more than those of all. */
struct cursor {
    const struct trace_pstream *ps; /* NULL: it has no more events */
    struct item *items;
    struct item *it, *stop;   /* [it .. stop) are to come */
    const uint8_t *at, *end;
    uint64_t batch;           /* next batch to enter */
    uint64_t ts, seq;
    uint64_t g;               /* goroutine that runs on the P */
};

struct trace_order {
    struct trace_file *f;
    struct v2_order *v2; /* second family: does all of it */
    struct cursor *cur;
    struct item *items;   /* of all cursors */
    uint32_t at_once;     /* how many each cursor has */
    struct trace_wnode *nodes;
    uint32_t ncur;
    double ns_per_tick;
    struct trace_frontier front; /* by ticks (1.5: sequence number) */
    struct trace_idmap gmap;
    struct gor *gs;
    uint64_t gs_cap;
    uint64_t waiting;  /* cursors in pairing heaps */
    struct moved {
        struct trace_moved_reader list;
        struct trace_event ev; /* the last one of it, if have */
        bool have, done;
    } exits, samples;
    uint64_t moved_at;        /* what has fewer ticks goes before them; 0: not
                                 known */
    uint64_t consumed;        /* bytes decoded since memory was dropped */
    struct trace_event *ahead; /* merged, not yet handed out; or NULL */
    uint32_t taken;           /* cursor + 1 of the one merged last, which has
                                 not gone on yet; 0 = none */
    bool done;
    bool started; /* after the first Gomaxprocs, which ends the snapshot */
    uint64_t last_ts;
    uint64_t stuck;
};

/* ---- what events ask for */

/* The index of a goroutine that is not among those that were met last, from 1
 * on; 0: no memory. */
static RT_NOINLINE uint32_t
add_goroutine(struct trace_order *o, uint64_t id)
{
    bool fresh;
    int64_t i = trace_idmap_put(&o->gmap, id, &fresh);

    if (i < 0 ||
        !trace_grow(&o->gs, &o->gs_cap, (uint64_t)i + 1, sizeof *o->gs))
        return 0;
    return (uint32_t)i + 1;
}

/* Looks up what an event asks for.  False: no memory. */
static inline bool
look_up(struct trace_order *o, struct item *it, const struct trace_rule *r)
{
    const struct trace_event *e = &it->ev;
    uint64_t id;

    it->rule = r;
    if (!r->ordered)
        return true;
    it->need = trace_rule_need(e, r);
    it->gi = 0;
    if (r->of == TRACE_RULE_OF_GC)
        return true;
    id = trace_rule_whom(e, r);
    it->gi = trace_idmap_is_hot(&o->gmap, id) ?
        o->gmap.hot[id % TRACE_IDMAP_HOT] : add_goroutine(o, id);
    return it->gi != 0;
}

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

/* ---- streams */

/* Who an event is about; keeps track of who runs on the P. */
static inline void
attribute(uint64_t *runs, struct trace_event *e)
{
    e->g = *runs;
    if (trace_ev_leaves(e->type)) {
        *runs = 0;
    } else if (trace_ev_starts(e->type)) {
        *runs = e->args[0];
        e->g = *runs;
    } else if (e->type == TRACE_EV_GO_SYS_EXIT ||
        e->type == TRACE_EV_GO_WAITING || e->type == TRACE_EV_GO_IN_SYSCALL) {
        e->g = e->args[0];
    } else if (e->type >= TRACE_EV_GC_START && e->type <= TRACE_EV_STW_DONE) {
        e->g = 0;
    }
}

static void
enter_batch(struct trace_order *o, struct cursor *c)
{
    const struct trace_batch *b = &c->ps->batches[c->batch++];

    rt_assert(c->at == c->end && b->off <= b->end && b->end <= o->f->size);
    rt_assert_full(trace_frontier_valid(&o->front));
    o->consumed += b->end - b->off;
    if (o->consumed >= TRACE_WINDOW) {
        /* Streams are read in many places at once: what they still need
         * comes back from the file. */
        trace_file_window(o->f, o->f->size);
        o->f->window = 0;
        o->consumed = 0;
    }
    c->at = o->f->data + b->off;
    c->end = o->f->data + b->end;
    c->ts = b->ticks;
    c->seq = b->seq;
}

/* The long way to decode an event; false: no event. */
static RT_NOINLINE bool
decode_other(const struct trace_order *o, struct cursor *c,
    struct trace_event *e, uint64_t *dt)
{
    const struct trace_file *f = o->f;
    struct trace_record r;
    uint64_t dseq;
    char why[128];

    if (trace_decode(c->at, c->end, f->version, &r, why) !=
        TRACE_DECODE_OK) {
        /* Only if the mapped file has changed under us. */
        c->at = c->end;
        return false;
    }
    c->at = r.next;
    if (r.ev == TRACE_EV_CPU_SAMPLE || r.ev == TRACE_EV_BATCH ||
        trace_ev_is_table(r.ev))
        return false;
    trace_event_fill(&r, f->version, e, dt, &dseq);
    c->seq += dseq;
    return true;
}

/*
 * trace_file_ns() of the first family.  The division is Go's; to multiply by
 * the reciprocal gives other nanoseconds, but only if the product is within
 * the rounding errors (2^-11 below 2^40 ns) of a whole number.
 */
static inline int64_t
ns_of(const struct trace_order *o, uint64_t ts)
{
    const struct trace_file *f = o->f;
    int64_t d = (int64_t)(ts - f->min_ts), n;
    double ns = (double)d * o->ns_per_tick, part;

    if (d >= 0 && ns < 0x1p40) {
        n = (int64_t)ns;
        part = ns - (double)n;
        if (part > 0x1p-9 && part < 1 - 0x1p-9)
            return n;
    }
    return trace_file_ns(f, ts);
}

/* What is decoded gets its place, time and goroutine; r: what it asks for.
 * False: no memory. */
static inline bool
settle(struct trace_order *o, struct item *it, const struct trace_rule *r,
    const uint8_t *at, uint64_t ts, uint64_t *runs)
{
    struct trace_event *e = &it->ev;

    rt_assert(e->type < TRACE_EV_KINDS && e->nargs <= TRACE_NARGS);
    e->off = (uint64_t)(at - o->f->data);
    e->ts = ts;
    e->ns = ns_of(o, ts);
    attribute(runs, e);
    return look_up(o, it, r);
}

/* Decodes common events, as many as come and have room; returns the end of
 * them, NULL without memory.  Version 1.5 has none. */
static inline struct item *
decode_common(struct trace_order *o, struct cursor *c, struct item *it,
    struct item *stop)
{
    const uint8_t *at = c->at, *end = c->end, *next;
    uint64_t ts = c->ts, g = c->g, dt;
    int64_t p = c->ps->id;

    for (; it < stop && at < end; it++) {
        next = trace_event_common(&o->f->forms, at, end, &it->ev, &dt);
        if (next == NULL)
            break;
        ts += dt;
        it->ev.seq = 0;
        it->ev.p = p;
        if (!settle(o, it, &trace_rules[it->ev.type], at, ts, &g))
            return NULL;
        at = next;
    }
    c->at = at;
    c->ts = ts;
    c->g = g;
    return it;
}

enum move { MOVED, AT_END, NO_MEMORY };

/* Decodes the next events of a cursor, as many as there is room for. */
static RT_NOINLINE enum move
refill(struct trace_order *o, struct cursor *c)
{
    struct item *it = c->items, *stop = it + o->at_once;

    rt_assert(c->it == c->stop && stop <= o->items +
        (uint64_t)o->ncur * o->at_once);
    while ((it = decode_common(o, c, it, stop)) != NULL && it < stop) {
        const uint8_t *at = c->at;
        bool old = o->f->version < 7;
        uint64_t dt;

        if (at == c->end) {
            if (c->batch == c->ps->nbatches)
                break;
            enter_batch(o, c);
        } else if (decode_other(o, c, &it->ev, &dt)) {
            c->ts += dt;
            it->ev.seq = old ? c->seq : 0;
            it->ev.p = c->ps->id;
            if (!settle(o, it, &trace_rules[old ? 0 : it->ev.type], at, c->ts,
                    &c->g))
                return NO_MEMORY;
            it++;
        }
    }
    if (it == NULL)
        return NO_MEMORY;
    c->it = c->items;
    c->stop = it;
    return it > c->items ? MOVED : AT_END;
}

/* The cursor goes to its next event. */
static inline enum move
advance(struct trace_order *o, struct cursor *c)
{
    return ++c->it < c->stop ? MOVED : refill(o, c);
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
        e->ns = ns_of(o, e->ts);
        e->p = e->args[1] > INT32_MAX ? TRACE_NO_P : (int64_t)e->args[1];
        e->g = e->args[2];
        return true;
    }
    e->ts = e->args[2];
    e->ns = ns_of(o, e->ts);
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
    e->ns = ns_of(o, o->last_ts);
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
        m = refill(o, c);
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
