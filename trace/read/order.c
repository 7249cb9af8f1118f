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

#include "runtime/base/varint.h"
#include "trace/read/v2.h"
#include "trace/read/waitq.h"

enum gstate { DEAD, RUNNABLE, RUNNING, WAITING, NSTATES };

enum { AT_ONCE = 64 }; /* events of a P that are decoded at a time */

#define ANY UINT64_MAX /* any sequence number */

/* One goroutine; index 0 is the collector, whose "seq" counts cycles. */
struct gor {
    uint64_t seq;
    uint64_t blocked_at;         /* ticks of its GoSysBlock; 0 = none */
    uint32_t numbered[NSTATES];  /* pairing heaps of cursors + 1 */
    uint32_t any[NSTATES];
    uint8_t state;
};

/* What an event asks of a goroutine and does to it, by kind. */
struct rule {
    uint8_t from, to;
    uint8_t of;       /* enum whose */
    uint8_t seq;      /* enum needs */
    bool counts;      /* the sequence number grows */
    bool ordered;     /* false: nothing is asked */
};

enum whose { OF_ARG, OF_SELF, OF_GC };
enum needs { NEEDS_ANY, NEEDS_0, NEEDS_1, NEEDS_ARG1, NEEDS_ARG0 };

/* One event of one P, decoded. */
struct item {
    struct trace_event ev;
    const struct rule *rule;
    uint64_t need;            /* sequence number that ev needs, or ANY */
    uint32_t gi;              /* index in gs, if ev is ordered */
};

/* The next events of one P: some are decoded at a time, since the events of
 * one P resemble each other more than those of all. */
struct cursor {
    const struct trace_pstream *ps; /* NULL: it has no more events */
    struct item *items;
    uint32_t i, n;            /* items[i .. n) are to come */
    const uint8_t *at, *end;
    uint64_t batch;           /* next batch to enter */
    uint64_t ts, seq;
    uint64_t g;               /* goroutine that runs on the P */
};

/* A cursor in the frontier. */
struct front {
    uint64_t key; /* ticks (1.5: sequence number) of its event */
    uint32_t c;
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
    struct front *front; /* binary heap */
    uint32_t nfront;
    struct trace_idmap gmap;
    struct gor *gs;
    uint64_t gs_cap;
    uint64_t waiting;  /* cursors in pairing heaps */
    struct moved {
        struct trace_moved_reader list;
        struct trace_event ev; /* the last one of it, if have */
        bool have, done;
    } exits, samples;
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

#define BLOCKS {RUNNING, WAITING, OF_SELF, NEEDS_ANY, false, true}
#define YIELDS {RUNNING, RUNNABLE, OF_SELF, NEEDS_ANY, false, true}

static const struct rule rules[TRACE_EV_KINDS] = {
    [TRACE_EV_GO_CREATE] = {DEAD, RUNNABLE, OF_ARG, NEEDS_0, true, true},
    [TRACE_EV_GO_WAITING] = {RUNNABLE, WAITING, OF_ARG, NEEDS_1, true, true},
    [TRACE_EV_GO_IN_SYSCALL] = {RUNNABLE, WAITING, OF_ARG, NEEDS_1, true,
        true},
    [TRACE_EV_GO_START] = {RUNNABLE, RUNNING, OF_ARG, NEEDS_ARG1, true, true},
    [TRACE_EV_GO_START_LABEL] = {RUNNABLE, RUNNING, OF_ARG, NEEDS_ARG1, true,
        true},
    [TRACE_EV_GO_START_LOCAL] = {RUNNABLE, RUNNING, OF_ARG, NEEDS_ANY, true,
        true},
    [TRACE_EV_GO_UNBLOCK] = {WAITING, RUNNABLE, OF_ARG, NEEDS_ARG1, true,
        true},
    [TRACE_EV_GO_SYS_EXIT] = {WAITING, RUNNABLE, OF_ARG, NEEDS_ARG1, true,
        true},
    [TRACE_EV_GO_UNBLOCK_LOCAL] = {WAITING, RUNNABLE, OF_ARG, NEEDS_ANY, true,
        true},
    [TRACE_EV_GO_SYS_EXIT_LOCAL] = {WAITING, RUNNABLE, OF_ARG, NEEDS_ANY,
        true, true},
    [TRACE_EV_GC_START] = {RUNNABLE, RUNNABLE, OF_GC, NEEDS_ARG0, true, true},
    [TRACE_EV_GO_SCHED] = YIELDS,
    [TRACE_EV_GO_PREEMPT] = YIELDS,
    [TRACE_EV_GO_BLOCK] = BLOCKS,
    [TRACE_EV_GO_BLOCK_SEND] = BLOCKS,
    [TRACE_EV_GO_BLOCK_RECV] = BLOCKS,
    [TRACE_EV_GO_BLOCK_SELECT] = BLOCKS,
    [TRACE_EV_GO_BLOCK_SYNC] = BLOCKS,
    [TRACE_EV_GO_BLOCK_COND] = BLOCKS,
    [TRACE_EV_GO_BLOCK_NET] = BLOCKS,
    [TRACE_EV_GO_BLOCK_GC] = BLOCKS,
    [TRACE_EV_GO_SLEEP] = BLOCKS,
    [TRACE_EV_GO_SYS_BLOCK] = BLOCKS,
};

static inline uint64_t
whom(const struct trace_event *e, const struct rule *r)
{
    return r->of == OF_SELF ? e->g : r->of == OF_ARG ? e->args[0] : 0;
}

/* Looks up what an event asks for.  False: no memory. */
static bool
look_up(struct trace_order *o, struct item *it)
{
    const struct trace_event *e = &it->ev;
    const struct rule *r = &rules[o->f->version < 7 ? 0 : e->type];
    bool fresh;
    int64_t i = 0;

    it->rule = r;
    if (!r->ordered)
        return true;
    it->need = r->seq == NEEDS_ANY ? ANY : r->seq == NEEDS_ARG1 ? e->args[1] :
        r->seq == NEEDS_ARG0 ? e->args[0] : r->seq == NEEDS_1;
    if (r->of != OF_GC) {
        i = trace_idmap_put(&o->gmap, whom(e, r), &fresh);
        if (i < 0)
            return false;
        i++;
    }
    it->gi = (uint32_t)i;
    return trace_grow(&o->gs, &o->gs_cap, (uint64_t)i, sizeof *o->gs);
}

static inline struct item *
item_of(const struct cursor *c)
{
    return &c->items[c->i];
}

static inline bool
is_ready(const struct trace_order *o, const struct item *it)
{
    const struct gor *g = &o->gs[it->gi];

    return !it->rule->ordered || (g->state == it->rule->from &&
        (it->need == ANY || it->need == g->seq));
}

/* ---- the frontier */

static inline bool
front_less(const struct front *a, const struct front *b)
{
    return a->key != b->key ? a->key < b->key : a->c < b->c;
}

static inline struct front
front_of(const struct trace_order *o, uint32_t ci)
{
    const struct trace_event *e = &item_of(&o->cur[ci])->ev;

    return (struct front){o->f->version < 7 ? e->seq : e->ts, ci};
}

static void
front_push(struct trace_order *o, uint32_t ci)
{
    struct front x = front_of(o, ci);
    uint32_t i = o->nfront++, up;

    for (; i > 0; i = up) {
        up = (i - 1) / 2;
        if (!front_less(&x, &o->front[up]))
            break;
        o->front[i] = o->front[up];
    }
    o->front[i] = x;
}

/* x takes the place of what is on top. */
static void
front_sift(struct trace_order *o, struct front x)
{
    uint32_t i = 0, k;

    for (; (k = 2 * i + 1) < o->nfront; i = k) {
        if (k + 1 < o->nfront &&
            front_less(&o->front[k + 1], &o->front[k]))
            k++;
        if (!front_less(&o->front[k], &x))
            break;
        o->front[i] = o->front[k];
    }
    o->front[i] = x;
}

static void
front_drop(struct trace_order *o)
{
    struct front last = o->front[--o->nfront];

    if (o->nfront > 0)
        front_sift(o, last);
}

/* ---- streams */

/* Who an event is about; keeps track of who runs on the P. */
static inline void
attribute(struct cursor *c, struct trace_event *e)
{
    e->g = c->g;
    if (trace_ev_starts(e->type)) {
        c->g = e->args[0];
        e->g = c->g;
    } else if (trace_ev_leaves(e->type)) {
        c->g = 0;
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
static bool
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

/* Decodes the next event of a P; false at the end of the P. */
static bool
decode(struct trace_order *o, struct cursor *c, struct trace_event *e)
{
    const struct trace_file *f = o->f;
    const uint8_t *next, *at;
    uint64_t dt;

    for (;;) {
        while (c->at == c->end) {
            if (c->batch == c->ps->nbatches)
                return false;
            enter_batch(o, c);
        }
        at = c->at;
        next = trace_event_common(&f->forms, at, c->end, e, &dt);
        if (next != NULL)
            c->at = next;
        else if (!decode_other(o, c, e, &dt))
            continue;
        c->ts += dt;
        e->off = (uint64_t)(at - f->data);
        e->ts = c->ts;
        e->ns = ns_of(o, e->ts);
        e->seq = f->version < 7 ? c->seq : 0;
        e->p = c->ps->id;
        attribute(c, e);
        return true;
    }
}

enum move { MOVED, AT_END, NO_MEMORY };

/* The cursor goes to its next event. */
static enum move
advance(struct trace_order *o, struct cursor *c)
{
    if (c->i + 1 < c->n) {
        c->i++;
        return MOVED;
    }
    c->i = c->n = 0;
    while (c->n < o->at_once && decode(o, c, &c->items[c->n].ev)) {
        if (!look_up(o, &c->items[c->n]))
            return NO_MEMORY;
        c->n++;
    }
    return c->n > 0 ? MOVED : AT_END;
}

/* Makes a cursor wait at its goroutine. */
static void
park(struct trace_order *o, uint32_t ci)
{
    const struct item *it = item_of(&o->cur[ci]);
    struct gor *g = &o->gs[it->gi];
    uint32_t *heap = it->need == ANY ? &g->any[it->rule->from] :
        &g->numbered[it->rule->from];

    o->nodes[ci].need = it->need;
    o->nodes[ci].ts = it->ev.ts;
    *heap = trace_waitq_push(o->nodes, *heap, ci + 1);
    o->waiting++;
}

/* A goroutine has changed: who has waited for what it is now? */
static void
wake(struct trace_order *o, struct gor *g)
{
    uint32_t *heap = &g->numbered[g->state], root;

    /* What needs a smaller number will never be ready; it stays out of the
     * way of the others. */
    while ((root = *heap) != 0 && o->nodes[root - 1].need < g->seq)
        *heap = trace_waitq_pop(o->nodes, root);
    if (root != 0 && o->nodes[root - 1].need == g->seq) {
        *heap = trace_waitq_pop(o->nodes, root);
        o->waiting--;
        front_push(o, root - 1);
    }
    heap = &g->any[g->state];
    root = *heap;
    if (root != 0) {
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

/* The event happens. */
static void
apply(struct trace_order *o, const struct item *it)
{
    struct gor *g = &o->gs[it->gi];

    if (!it->rule->ordered)
        return;
    g->state = it->rule->to;
    g->seq += it->rule->counts;
    if (it->ev.type == TRACE_EV_GO_SYS_BLOCK ||
        it->ev.type == TRACE_EV_GO_IN_SYSCALL)
        g->blocked_at = it->ev.ts;
    if (it->ev.type == TRACE_EV_GO_SYS_EXIT) {
        check_exit(o, &it->ev, g);
        g->blocked_at = 0;
    }
}

/* The event on top may not be taken after all. */
static void
put_back(struct trace_order *o, uint32_t ci)
{
    const struct item *it = item_of(&o->cur[ci]);

    trace_file_problem(o->f, TRACE_WARNING, it->ev.off, "order-claim",
        "%s of goroutine %llu on P %lld: another P does the same at that "
        "time", trace_ev_name(it->ev.type),
        (unsigned long long)whom(&it->ev, it->rule), (long long)it->ev.p);
    front_drop(o);
    park(o, ci);
}

/* ---- the merged stream */

static void
report_stuck(struct trace_order *o)
{
    struct trace_event first = {.off = UINT64_MAX};
    uint64_t g;
    uint32_t i;

    for (i = 0; i < o->ncur; i++) {
        struct cursor *c = &o->cur[i];

        if (c->ps == NULL)
            continue;
        if (item_of(c)->ev.off < first.off)
            first = item_of(c)->ev;
        do {
            o->stuck++;
        } while (advance(o, c) == MOVED);
        c->ps = NULL;
    }
    if (first.off == UINT64_MAX)
        return;
    g = whom(&first, &rules[first.type]);
    trace_file_problem(o->f,
        o->f->cut_at == UINT64_MAX ? TRACE_ERROR : TRACE_WARNING, first.off,
        "order", "no consistent ordering of events possible: P %lld cannot "
        "go on with %s of goroutine %llu; %llu events are left out",
        (long long)first.p, trace_ev_name(first.type), (unsigned long long)g,
        (unsigned long long)o->stuck);
}

/* The event that was taken last is no longer needed: its P goes on. */
static bool
go_on(struct trace_order *o)
{
    uint32_t ci = o->taken - 1;
    struct cursor *c = &o->cur[ci];
    bool ordered = item_of(c)->rule->ordered;
    uint32_t gi = item_of(c)->gi;
    enum move m = advance(o, c);

    o->taken = 0;
    if (m == NO_MEMORY)
        return false;
    if (m == AT_END) {
        c->ps = NULL;
        front_drop(o);
    } else if (is_ready(o, item_of(c))) {
        front_sift(o, front_of(o, ci));
    } else {
        front_drop(o);
        park(o, ci);
    }
    if (ordered)
        wake(o, &o->gs[gi]);
    return true;
}

/* The next event of the Ps' streams, moved ones left out; NULL at the end. */
static enum rt_status
merge(struct trace_order *o, struct trace_event **e)
{
    *e = NULL;
    for (;;) {
        struct item *it;

        if (o->taken != 0 && !go_on(o))
            return RT_ENOMEM;
        if (o->nfront == 0)
            break;
        it = item_of(&o->cur[o->front[0].c]);
        if (!is_ready(o, it)) { /* another P's event came first */
            put_back(o, o->front[0].c);
            continue;
        }
        apply(o, it);
        o->taken = o->front[0].c + 1;
        if (it->ev.type == TRACE_EV_GO_SYS_EXIT && it->ev.args[2] != 0)
            continue;
        *e = &it->ev;
        return RT_OK;
    }
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

/* Stamps an event that is handed out. */
static inline void
hand_out(struct trace_order *o, struct trace_event *e)
{
    if (e->ts < o->last_ts)
        trace_file_problem(o->f, TRACE_ERROR, e->off, "time",
            "time stamps out of order: %s on P %lld is %lld ns before the "
            "event that precedes it", trace_ev_name(e->type),
            (long long)e->p, (long long)(trace_file_ns(o->f, o->last_ts) -
                trace_file_ns(o->f, e->ts)));
    else
        o->last_ts = e->ts;
    if (e->ts != o->last_ts)
        e->ns = ns_of(o, o->last_ts);
    e->snapshot = !o->started;
    if (e->type == TRACE_EV_GOMAXPROCS)
        o->started = true;
}

/* With events that have been moved: which of the three is next? */
static struct trace_event *
choose(struct trace_order *o)
{
    struct trace_event *e = o->ahead;
    bool x = goes_first(o, &o->exits), s = goes_first(o, &o->samples);

    if (x && s) /* both before what is ahead: the earlier one */
        x = o->exits.ev.ts <= o->samples.ev.ts;
    if (x) {
        o->exits.have = false;
        return &o->exits.ev;
    }
    if (s) {
        o->samples.have = false;
        return &o->samples.ev;
    }
    o->ahead = NULL;
    return e;
}

static enum rt_status
get(struct trace_order *o, const struct trace_event **ev)
{
    struct trace_event *e;

    if (o->ahead == NULL && merge(o, &o->ahead) != RT_OK)
        return RT_ENOMEM;
    e = o->ahead;
    if (!o->exits.done || !o->samples.done)
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
    o->front = calloc(n + 1, sizeof *o->front);
    if (!trace_moved_open(&o->exits.list, &f->exits) ||
        !trace_moved_open(&o->samples.list, &f->samples))
        goto nomem;
    o->exits.done = o->exits.list.nruns == 0;
    o->samples.done = o->samples.list.nruns == 0;
    /* Few for each where there are many. */
    o->at_once = n < AT_ONCE ? AT_ONCE : n < AT_ONCE * AT_ONCE ?
        AT_ONCE * AT_ONCE / n : 1;
    o->items = calloc((uint64_t)n * o->at_once + 1, sizeof *o->items);
    if (o->cur == NULL || o->nodes == NULL || o->front == NULL ||
        o->items == NULL || !trace_grow(&o->gs, &o->gs_cap, 0, sizeof *o->gs))
        goto nomem;
    o->gs[0].state = RUNNABLE;
    for (i = 0; i < n; i++) {
        struct cursor *c = &o->cur[i];
        enum move m;

        c->ps = &f->ps[i];
        c->items = &o->items[(uint64_t)i * o->at_once];
        m = advance(o, c);
        if (m == NO_MEMORY)
            goto nomem;
        if (m == AT_END)
            c->ps = NULL;
        else if (is_ready(o, item_of(c)))
            front_push(o, i);
        else
            park(o, i);
    }
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
    free(o->front);
    free(o->gs);
    trace_idmap_free(&o->gmap);
    free(o);
}
