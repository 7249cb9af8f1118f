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

#define ANY UINT64_MAX /* any sequence number */

/* One goroutine; index 0 is the collector, whose "seq" counts cycles. */
struct gor {
    uint64_t seq;
    uint64_t blocked_at;         /* ticks of its GoSysBlock; 0 = none */
    uint32_t numbered[NSTATES];  /* pairing heaps of cursors + 1 */
    uint32_t any[NSTATES];
    uint8_t state;
};

/* The next event of one P. */
struct cursor {
    struct trace_event ev;
    const struct trace_pstream *ps;
    const uint8_t *at, *end;
    uint64_t batch;           /* next batch to enter */
    uint64_t ts, seq;
    uint64_t g;               /* goroutine that runs on the P */
};

/* What an event asks of a goroutine and does to it. */
struct step {
    uint64_t g;
    uint64_t seq;     /* needed, or ANY */
    uint8_t from, to;
    bool counts;      /* the sequence number grows */
    bool ordered;     /* false: nothing is asked */
};

struct trace_order {
    struct trace_file *f;
    struct v2_order *v2; /* second family: does all of it */
    struct cursor *cur;
    struct trace_wnode *nodes;
    uint32_t ncur;
    uint32_t *front;   /* binary heap of cursors */
    uint32_t nfront;
    struct trace_idmap gmap;
    struct gor *gs;
    uint64_t gs_cap;
    uint64_t waiting;  /* cursors in pairing heaps */
    struct moved {
        const struct trace_moved *list;
        uint64_t n, next;     /* next one that is not yet decoded */
        struct trace_event ev; /* the one before it, if have */
        bool have;
    } exits, samples;
    uint64_t consumed;        /* bytes decoded since memory was dropped */
    struct trace_event ahead; /* merged, not yet handed out */
    bool have_ahead, done;
    bool started; /* after the first Gomaxprocs, which ends the snapshot */
    uint64_t last_ts;
    uint64_t stuck;
};

/* ---- what events ask for */

static struct step
step_of(const struct trace_event *e)
{
    struct step s = {.g = e->args[0], .seq = ANY, .ordered = true};

    switch (e->type) {
    case TRACE_EV_GO_CREATE:
        s.seq = 0, s.from = DEAD, s.to = RUNNABLE, s.counts = true;
        break;
    case TRACE_EV_GO_WAITING:
    case TRACE_EV_GO_IN_SYSCALL:
        s.seq = 1, s.from = RUNNABLE, s.to = WAITING, s.counts = true;
        break;
    case TRACE_EV_GO_START:
    case TRACE_EV_GO_START_LABEL:
        s.seq = e->args[1];
        s.from = RUNNABLE, s.to = RUNNING, s.counts = true;
        break;
    case TRACE_EV_GO_START_LOCAL:
        s.from = RUNNABLE, s.to = RUNNING, s.counts = true;
        break;
    case TRACE_EV_GO_BLOCK:
    case TRACE_EV_GO_BLOCK_SEND:
    case TRACE_EV_GO_BLOCK_RECV:
    case TRACE_EV_GO_BLOCK_SELECT:
    case TRACE_EV_GO_BLOCK_SYNC:
    case TRACE_EV_GO_BLOCK_COND:
    case TRACE_EV_GO_BLOCK_NET:
    case TRACE_EV_GO_BLOCK_GC:
    case TRACE_EV_GO_SLEEP:
    case TRACE_EV_GO_SYS_BLOCK:
        s.g = e->g, s.from = RUNNING, s.to = WAITING;
        break;
    case TRACE_EV_GO_SCHED:
    case TRACE_EV_GO_PREEMPT:
        s.g = e->g, s.from = RUNNING, s.to = RUNNABLE;
        break;
    case TRACE_EV_GO_UNBLOCK:
    case TRACE_EV_GO_SYS_EXIT:
        s.seq = e->args[1];
        s.from = WAITING, s.to = RUNNABLE, s.counts = true;
        break;
    case TRACE_EV_GO_UNBLOCK_LOCAL:
    case TRACE_EV_GO_SYS_EXIT_LOCAL:
        s.from = WAITING, s.to = RUNNABLE, s.counts = true;
        break;
    case TRACE_EV_GC_START:
        s.seq = e->args[0];
        s.from = RUNNABLE, s.to = RUNNABLE, s.counts = true;
        break;
    default:
        s.ordered = false;
        break;
    }
    return s;
}

static struct gor *
gor_of(struct trace_order *o, const struct trace_event *e,
    const struct step *s)
{
    bool fresh;
    int64_t i = 0;

    if (e->type != TRACE_EV_GC_START) {
        i = trace_idmap_put(&o->gmap, s->g, &fresh);
        if (i < 0)
            return NULL;
        i++;
    }
    if (!trace_grow(&o->gs, &o->gs_cap, (uint64_t)i, sizeof *o->gs))
        return NULL;
    return &o->gs[i];
}

/* ---- the frontier */

static bool
front_less(const struct trace_order *o, uint32_t a, uint32_t b)
{
    const struct cursor *x = &o->cur[a], *y = &o->cur[b];

    if (o->f->version < 7 && x->ev.seq != y->ev.seq)
        return x->ev.seq < y->ev.seq;
    if (x->ev.ts != y->ev.ts)
        return x->ev.ts < y->ev.ts;
    return a < b;
}

static void
front_push(struct trace_order *o, uint32_t c)
{
    uint32_t i = o->nfront++, up;

    for (; i > 0; i = up) {
        up = (i - 1) / 2;
        if (!front_less(o, c, o->front[up]))
            break;
        o->front[i] = o->front[up];
    }
    o->front[i] = c;
}

static uint32_t
front_pop(struct trace_order *o)
{
    uint32_t top = o->front[0], last = o->front[--o->nfront];
    uint32_t i = 0, k;

    for (; (k = 2 * i + 1) < o->nfront; i = k) {
        if (k + 1 < o->nfront && front_less(o, o->front[k + 1], o->front[k]))
            k++;
        if (!front_less(o, o->front[k], last))
            break;
        o->front[i] = o->front[k];
    }
    o->front[i] = last;
    return top;
}

/* ---- streams */

/* Who an event is about; keeps track of who runs on the P. */
static void
attribute(struct cursor *c)
{
    struct trace_event *e = &c->ev;

    e->g = c->g;
    switch (e->type) {
    case TRACE_EV_GO_START:
    case TRACE_EV_GO_START_LOCAL:
    case TRACE_EV_GO_START_LABEL:
        c->g = e->args[0];
        e->g = c->g;
        break;
    case TRACE_EV_GO_SYS_EXIT:
    case TRACE_EV_GO_WAITING:
    case TRACE_EV_GO_IN_SYSCALL:
        e->g = e->args[0];
        break;
    case TRACE_EV_GO_END:
    case TRACE_EV_GO_STOP:
    case TRACE_EV_GO_SCHED:
    case TRACE_EV_GO_PREEMPT:
    case TRACE_EV_GO_SLEEP:
    case TRACE_EV_GO_BLOCK:
    case TRACE_EV_GO_BLOCK_SEND:
    case TRACE_EV_GO_BLOCK_RECV:
    case TRACE_EV_GO_BLOCK_SELECT:
    case TRACE_EV_GO_BLOCK_SYNC:
    case TRACE_EV_GO_BLOCK_COND:
    case TRACE_EV_GO_BLOCK_NET:
    case TRACE_EV_GO_BLOCK_GC:
    case TRACE_EV_GO_SYS_BLOCK:
        c->g = 0;
        break;
    case TRACE_EV_GC_START:
    case TRACE_EV_GC_DONE:
    case TRACE_EV_STW_START:
    case TRACE_EV_STW_DONE:
        e->g = 0;
        break;
    default:
        break;
    }
}

/* Decodes the next event of a P into c->ev; false at the end of the P. */
static bool
advance(struct trace_order *o, struct cursor *c)
{
    const struct trace_file *f = o->f;
    struct trace_record r;
    uint64_t dt, dseq;
    char why[128];

    for (;;) {
        while (c->at == c->end) {
            const struct trace_batch *b;

            if (c->batch == c->ps->nbatches)
                return false;
            b = &c->ps->batches[c->batch++];
            o->consumed += b->end - b->off;
            if (o->consumed >= TRACE_WINDOW) {
                /* Streams are read in many places at once: what they still
                 * need comes back from the file. */
                trace_file_window(o->f, o->f->size);
                o->f->window = 0;
                o->consumed = 0;
            }
            c->at = f->data + b->off;
            c->end = f->data + b->end;
            c->ts = b->ticks;
            c->seq = b->seq;
        }
        if (trace_decode(c->at, c->end, f->version, &r, why) !=
            TRACE_DECODE_OK) {
            /* Only if the mapped file has changed under us. */
            c->at = c->end;
            continue;
        }
        c->at = r.next;
        if (r.ev == TRACE_EV_CPU_SAMPLE || r.ev == TRACE_EV_BATCH ||
            trace_ev_is_table(r.ev))
            continue;
        trace_event_fill(&r, f->version, &c->ev, &dt, &dseq);
        c->ts += dt;
        c->seq += dseq;
        c->ev.off = (uint64_t)(r.at - f->data);
        c->ev.ts = c->ts;
        c->ev.seq = f->version < 7 ? c->seq : 0;
        c->ev.p = c->ps->id;
        attribute(c);
        return true;
    }
}

/* Puts a cursor where its event belongs: the frontier or a queue. */
static bool
file_cursor(struct trace_order *o, uint32_t ci)
{
    struct cursor *c = &o->cur[ci];
    struct step s = step_of(&c->ev);
    uint32_t *heap;
    struct gor *g;

    if (!s.ordered || o->f->version < 7) {
        front_push(o, ci);
        return true;
    }
    g = gor_of(o, &c->ev, &s);
    if (g == NULL)
        return false;
    if (g->state == s.from && (s.seq == ANY || s.seq == g->seq)) {
        front_push(o, ci);
        return true;
    }
    o->nodes[ci].need = s.seq;
    o->nodes[ci].ts = c->ts;
    heap = s.seq == ANY ? &g->any[s.from] : &g->numbered[s.from];
    *heap = trace_waitq_push(o->nodes, *heap, ci + 1);
    o->waiting++;
    return true;
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

/* Applies the event of a cursor; false: it may not be taken after all, and
 * has gone back to a queue.  *st tells of memory. */
static bool
apply(struct trace_order *o, uint32_t ci, enum rt_status *st)
{
    struct cursor *c = &o->cur[ci];
    struct step s = step_of(&c->ev);
    struct gor *g;

    if (!s.ordered || o->f->version < 7)
        return true;
    g = gor_of(o, &c->ev, &s);
    if (g == NULL) {
        *st = RT_ENOMEM;
        return false;
    }
    if (g->state != s.from || (s.seq != ANY && s.seq != g->seq)) {
        /* Another P's event came first. */
        trace_file_problem(o->f, TRACE_WARNING, c->ev.off, "order-claim",
            "%s of goroutine %llu on P %lld: another P does the same at that "
            "time", trace_ev_name(c->ev.type), (unsigned long long)s.g,
            (long long)c->ev.p);
        if (!file_cursor(o, ci))
            *st = RT_ENOMEM;
        return false;
    }
    g->state = s.to;
    g->seq += s.counts;
    if (c->ev.type == TRACE_EV_GO_SYS_BLOCK ||
        c->ev.type == TRACE_EV_GO_IN_SYSCALL)
        g->blocked_at = c->ev.ts;
    if (c->ev.type == TRACE_EV_GO_SYS_EXIT) {
        check_exit(o, &c->ev, g);
        g->blocked_at = 0;
    }
    wake(o, g);
    return true;
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
        if (c->ev.off < first.off)
            first = c->ev;
        do {
            o->stuck++;
        } while (advance(o, c));
        c->ps = NULL;
    }
    if (first.off == UINT64_MAX)
        return;
    g = step_of(&first).g;
    if (first.type == TRACE_EV_GC_START)
        g = 0;
    trace_file_problem(o->f,
        o->f->cut_at == UINT64_MAX ? TRACE_ERROR : TRACE_WARNING, first.off,
        "order", "no consistent ordering of events possible: P %lld cannot "
        "go on with %s of goroutine %llu; %llu events are left out",
        (long long)first.p, trace_ev_name(first.type), (unsigned long long)g,
        (unsigned long long)o->stuck);
}

/* The next event of the Ps' streams, moved ones left out. */
static enum rt_status
merge(struct trace_order *o, struct trace_event *e)
{
    enum rt_status st = RT_OK;
    bool moved;
    uint32_t ci;

    while (o->nfront > 0) {
        ci = front_pop(o);
        if (!apply(o, ci, &st)) {
            if (st != RT_OK)
                return st;
            continue;
        }
        *e = o->cur[ci].ev;
        moved = e->type == TRACE_EV_GO_SYS_EXIT && e->args[2] != 0;
        if (!advance(o, &o->cur[ci]))
            o->cur[ci].ps = NULL;
        else if (!file_cursor(o, ci))
            return RT_ENOMEM;
        if (!moved)
            return RT_OK;
    }
    if (!o->done && o->f->version >= 7)
        report_stuck(o);
    o->done = true;
    return RT_EOF;
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
        e->p = e->args[1] > INT32_MAX ? TRACE_NO_P : (int64_t)e->args[1];
        e->g = e->args[2];
        return true;
    }
    e->ts = e->args[2];
    e->p = m->p;
    e->g = e->args[0];
    e->seq = f->version < 7 ? e->args[1] : 0;
    return true;
}

/* True when a moved event goes before the merged one that is ahead. */
static bool
goes_first(struct trace_order *o, struct moved *list)
{
    const struct trace_event *a = &o->ahead, *m = &list->ev;

    while (!list->have && list->next < list->n)
        list->have = fetch_moved(o, &list->list[list->next++], &list->ev);
    if (!list->have || !o->have_ahead)
        return list->have;
    if (o->f->version < 7 && m->type == TRACE_EV_GO_SYS_EXIT)
        return m->seq < a->seq;
    if (m->ts != a->ts)
        return m->ts < a->ts;
    return m->type == TRACE_EV_GO_SYS_EXIT && a->g == m->g &&
        (a->type == TRACE_EV_GO_START || a->type == TRACE_EV_GO_START_LOCAL ||
            a->type == TRACE_EV_GO_START_LABEL);
}

/* Stamps an event that is handed out. */
static void
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
    e->ns = trace_file_ns(o->f, o->last_ts);
    e->snapshot = !o->started;
    if (e->type == TRACE_EV_GOMAXPROCS)
        o->started = true;
}

enum rt_status
trace_order_next(struct trace_order *o, struct trace_event *ev)
{
    enum rt_status st;
    bool x, s;

    if (o->v2 != NULL)
        return v2_order_next(o->v2, ev);
    if (!o->have_ahead) {
        st = merge(o, &o->ahead);
        if (st != RT_OK && st != RT_EOF)
            return st;
        o->have_ahead = st == RT_OK;
    }
    x = goes_first(o, &o->exits);
    s = goes_first(o, &o->samples);
    if (x && s) /* both before what is ahead: the earlier one */
        x = o->exits.ev.ts <= o->samples.ev.ts;
    if (x) {
        o->exits.have = false;
        *ev = o->exits.ev;
    } else if (s) {
        o->samples.have = false;
        *ev = o->samples.ev;
    } else if (o->have_ahead) {
        o->have_ahead = false;
        *ev = o->ahead;
    } else {
        return RT_EOF;
    }
    hand_out(o, ev);
    return RT_OK;
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
    o->exits.list = f->exits;
    o->exits.n = f->nexits;
    o->samples.list = f->samples;
    o->samples.n = f->nsamples;
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
    if (o->cur == NULL || o->nodes == NULL || o->front == NULL ||
        !trace_grow(&o->gs, &o->gs_cap, 0, sizeof *o->gs))
        goto nomem;
    o->gs[0].state = RUNNABLE;
    for (i = 0; i < n; i++) {
        o->cur[i].ps = &f->ps[i];
        if (!advance(o, &o->cur[i]))
            o->cur[i].ps = NULL;
        else if (!file_cursor(o, i))
            goto nomem;
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
    free(o->cur);
    free(o->nodes);
    free(o->front);
    free(o->gs);
    trace_idmap_free(&o->gmap);
    free(o);
}
