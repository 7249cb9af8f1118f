/* SPDX-License-Identifier: MIT */
/*
 * Merging the threads of the second family, generation by generation.  Of
 * all threads whose next event may come (trace/read/v2step.c), the one with
 * the smallest time is next.  A thread whose next event may not come yet
 * waits at the goroutine, P, thread or collector that it depends on; when
 * that changes, those of its waiters that need its next number come back.
 *
 * Go's reader gives each of its events a time of its own, at least one
 * nanosecond after the one before, and counts the begin of a generation as
 * an event.  Times here are the same.
 */
#include "trace/read/frontier.h"
#include "trace/read/v2quick.h"
#include "trace/read/v2state.h"
#include "trace/read/waitq.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/compiler.h"
#include "runtime/base/throw.h"
#include "runtime/base/varint.h"

typedef unsigned long long ull;

#define END UINT32_MAX

enum { AT_ONCE = 32 }; /* events of a thread that are decoded at a time */

/* The next events of a thread: some are decoded at a time, since those of
 * one thread resemble each other more than those of all. */
struct cursor {
    struct v2_item *items;
    uint32_t i, n;   /* items[i .. n) are to come */
    const uint8_t *at, *end;
    uint64_t ticks, ns; /* of the one decoded last */
    uint32_t batch;  /* next one of its thread, in the generation; END */
    uint32_t m;      /* index of the thread; UINT32_MAX = none */
    bool waits;
    bool late;       /* is among the late ones */
};

struct sample {
    uint64_t ticks, ns, m, p, g, stk, off;
};

struct v2_order {
    struct trace_file *f;
    struct v2_state s;
    struct v2_ids ids;
    uint64_t next_gen;
    uint32_t *link;      /* of a batch: the next of the same thread */
    struct cursor *cur;
    struct v2_item *items; /* of all cursors, at_once for each */
    struct trace_wnode *nodes;
    struct trace_frontier front; /* by ns */
    struct trace_frontier late;  /* those that wait, and have waited, by ns;
                                    while there are samples */
    uint32_t ncur, at_once, nwaiting;
    struct sample *samples;
    uint64_t nsamples, samples_cap, sample;
    uint32_t iout;       /* next of s.out to hand out */
    uint64_t last_ns, consumed, seen, stuck;
    struct trace_event quick; /* what go_quickly() has made; what it does not
                                 set is as at the begin */
    bool done;
    bool only_events;    /* nothing is to come before the frontier: no sample,
                            no event that has been made */
};

static inline struct v2_item *
item_of(const struct cursor *c)
{
    rt_assert(c->i < c->n);
    return &c->items[c->i];
}

/* ---- streams */

static void
enter_batch(struct v2_order *o, struct cursor *c)
{
    const struct v2_gen *g = o->s.gen;
    const struct v2_batch *b = &o->f->v2->batches[g->first + c->batch];

    rt_assert(c->batch < g->count && b->kind == V2B_EVENTS);
    rt_assert(o->link[c->batch] > c->batch); /* a chain has an end */
    c->batch = o->link[c->batch];
    c->at = o->f->data + b->off;
    c->end = o->f->data + b->end;
    c->ticks = b->ticks;
    c->ns = v2_ns(g->mul, b->ticks);
    o->consumed += b->end - b->off;
    if (o->consumed >= TRACE_WINDOW) {
        trace_file_window(o->f, o->f->size);
        o->f->window = 0;
        o->consumed = 0;
    }
}

static uint32_t
undefined(struct v2_item *it, unsigned at, bool string)
{
    if (it->undefined == 0) {
        it->undefined = (uint8_t)at;
        it->undefined_string = string;
    }
    return 0;
}

static inline uint32_t
stack_at(const struct v2_ids *ids, struct v2_item *it, unsigned at)
{
    int64_t n = at == 0 ? 0 : v2_stack_of(ids, it->ev.args[at]);

    return n >= 0 ? (uint32_t)n : undefined(it, at, false);
}

static inline uint32_t
string_at(const struct v2_ids *ids, struct v2_item *it, unsigned at)
{
    int64_t n = at == 0 ? 0 : v2_string_of(ids, it->ev.args[at]);

    return n >= 0 ? (uint32_t)n : undefined(it, at, true);
}

/* Fills in the numbers of strings and stacks. */
static inline void
resolve(const struct v2_ids *ids, struct v2_item *it)
{
    const struct v2_spec *k = &v2_specs[it->ev.type];

    it->stk = stack_at(ids, it, k->stk);
    if (!k->more)
        return;
    it->stk2 = k->stk2 == 0 ? 0 : stack_at(ids, it, k->stk2);
    it->str = k->str == 0 ? 0 : string_at(ids, it, k->str);
    it->str2 = k->str2 == 0 ? 0 : string_at(ids, it, k->str2);
}

/* Decodes the next events of a cursor, as many as there is room for. */
static RT_NOINLINE bool
refill(struct v2_order *o, struct cursor *c)
{
    const uint8_t *data = o->f->data, *at = c->at, *end = c->end;
    uint64_t ticks = c->ticks, ns = c->ns;
    struct v2_item *it = c->items, *stop = it + o->at_once;
    const double mul = o->s.gen->mul;
    const char *why;

    while (it < stop) {
        const uint8_t *next;

        if (at == end) {
            if (c->batch == END)
                break;
            enter_batch(o, c);
            at = c->at;
            end = c->end;
            ticks = c->ticks;
            ns = c->ns;
            continue;
        }
        next = v2_decode_usual(at, end, &it->ev);
        if (next == NULL)
            next = v2_decode(at, end, &it->ev, &why);
        if (next == NULL) {
            at = end; /* the mapped file has changed under us */
            continue;
        }
        rt_assert(next > at && it->ev.type < V2_COUNT);
        it->off = (uint64_t)(at - data);
        at = next;
        ticks += it->ev.args[0];
        ns += v2_ns(mul, it->ev.args[0]);
        if (ns > V2_MAX_NS)
            ns = V2_MAX_NS;
        it->ticks = ticks;
        it->ns = ns;
        it->stk = it->stk2 = it->str = it->str2 = 0;
        it->undefined = 0;
        if (v2_specs[it->ev.type].refers)
            resolve(&o->ids, it);
        it++;
    }
    c->at = at;
    c->end = end;
    c->ticks = ticks;
    c->ns = ns;
    c->i = 0;
    c->n = (uint32_t)(it - c->items);
    return c->n > 0;
}

/* The cursor goes to its next event; false at the end. */
static inline bool
advance(struct v2_order *o, struct cursor *c)
{
    return ++c->i < c->n || refill(o, c);
}

/* ---- one generation */

static int
by_time(const void *a, const void *b)
{
    const struct sample *x = a, *y = b;

    if (x->ns != y->ns)
        return x->ns < y->ns ? -1 : 1;
    return x->off < y->off ? -1 : x->off > y->off;
}

static bool
add_samples(struct v2_order *o, const struct v2_batch *b)
{
    const uint8_t *p = o->f->data + b->off + 1, *end = o->f->data + b->end;
    uint64_t v[5];
    int i;

    rt_assert(b->kind == V2B_SAMPLES && b->off < b->end);
    while (p < end) {
        struct sample *s;
        const uint8_t *at = p;

        if (*p++ != V2_CPU_SAMPLE) {
            trace_file_problem(o->f, TRACE_ERROR,
                (uint64_t)(at - o->f->data), "table",
                "expected a CPUSample, got event type %u", *at);
            return true;
        }
        for (i = 0; i < 5; i++) {
            p = rt_varint_get(p, end, &v[i]);
            if (p == NULL) {
                trace_file_problem(o->f, TRACE_ERROR,
                    (uint64_t)(at - o->f->data), "record",
                    "a CPUSample ends within a number");
                return true;
            }
        }
        if (!trace_grow(&o->samples, &o->samples_cap, o->nsamples,
                sizeof *o->samples))
            return false;
        s = &o->samples[o->nsamples++];
        s->ticks = v[0];
        s->ns = v2_ns(o->s.gen->mul, v[0]);
        s->m = v[1];
        s->p = v[2];
        s->g = v[3];
        s->stk = v[4];
        s->off = (uint64_t)(at - o->f->data);
    }
    return true;
}

/* Makes the chains of batches by thread; a cursor for each thread. */
static enum rt_status
chain(struct v2_order *o)
{
    const struct v2_gen *g = o->s.gen;
    uint32_t *last = NULL, n = (uint32_t)g->count, i;
    struct trace_idmap threads = {0};
    enum rt_status st = RT_ENOMEM;
    int64_t k, m;
    bool fresh;

    free(o->link);
    free(o->cur);
    free(o->nodes);
    free(o->front.a);
    free(o->late.a);
    o->link = malloc((n + 1) * sizeof *o->link);
    o->cur = calloc(n + 1, sizeof *o->cur);
    o->nodes = calloc(n + 1, sizeof *o->nodes);
    o->front.a = malloc((n + 1) * sizeof *o->front.a);
    o->late.a = malloc((n + 1) * sizeof *o->late.a);
    last = malloc((n + 1) * sizeof *last);
    o->ncur = 0;
    if (o->link == NULL || o->cur == NULL || o->nodes == NULL ||
        o->front.a == NULL || o->late.a == NULL || last == NULL)
        goto out;
    for (i = 0; i < n; i++) {
        const struct v2_batch *b = &o->f->v2->batches[g->first + i];

        if (b->kind == V2B_SAMPLES && !add_samples(o, b))
            goto out;
        if (b->kind != V2B_EVENTS)
            continue;
        k = trace_idmap_put(&threads, b->m, &fresh);
        if (k < 0)
            goto out;
        o->link[i] = END;
        if (fresh) {
            m = b->m == V2_NONE ? -2 : v2_thread(&o->s, b->m);
            if (m == -1)
                goto out;
            o->cur[k].m = m < 0 ? UINT32_MAX : (uint32_t)m;
            o->cur[k].batch = i;
            o->ncur = (uint32_t)k + 1;
        } else {
            o->link[last[k]] = i;
        }
        last[k] = i;
    }
    st = RT_OK;
out:
    trace_idmap_free(&threads);
    free(last);
    return st;
}

/* Room for the decoded events of all cursors: few for each where there are
 * many. */
static bool
give_items(struct v2_order *o)
{
    uint32_t n = o->ncur, i;

    o->at_once = n < AT_ONCE ? AT_ONCE : n < AT_ONCE * AT_ONCE ?
        AT_ONCE * AT_ONCE / n : 1;
    free(o->items);
    o->items = malloc(((uint64_t)n * o->at_once + 1) * sizeof *o->items);
    for (i = 0; o->items != NULL && i < n; i++)
        o->cur[i].items = &o->items[(uint64_t)i * o->at_once];
    return o->items != NULL;
}

static void
forget_waiters(struct v2_order *o)
{
    uint64_t i;

    for (i = 0; i < o->s.gmap.count && i < o->s.gs_cap; i++)
        o->s.gs[i].waiters = 0;
    for (i = 0; i < o->s.pmap.count && i < o->s.ps_cap; i++)
        o->s.ps[i].waiters = 0;
    for (i = 0; i < o->s.mmap.count && i < o->s.ms_cap; i++)
        o->s.ms[i].cursor = 0;
    o->s.gc_waiters = 0;
}

static RT_COLD enum rt_status
load_gen(struct v2_order *o)
{
    struct v2_file *v = o->f->v2;
    enum rt_status st;
    uint64_t t;
    uint32_t i;

    rt_assert(o->next_gen < v->ngens && o->nwaiting == 0);
    o->s.gen = &v->gens[o->next_gen++];
    o->s.initial = o->next_gen == 1;
    o->s.ids = &o->ids;
    o->nsamples = o->sample = 0;
    o->front.n = o->late.n = o->nwaiting = 0;
    st = v2_ids_load(o->f, o->s.gen, &o->ids, false);
    if (st == RT_OK)
        st = chain(o);
    if (st == RT_OK && !give_items(o))
        st = RT_ENOMEM;
    if (st != RT_OK)
        return st;
    forget_waiters(o);
    if (o->nsamples > 1)
        qsort(o->samples, o->nsamples, sizeof *o->samples, by_time);
    for (i = 0; i < o->ncur; i++) {
        if (advance(o, &o->cur[i]))
            trace_frontier_push(&o->front, item_of(&o->cur[i])->ns, i);
    }
    rt_assert_full(trace_frontier_valid(&o->front));
    rt_assert_full(v2_state_valid(&o->s));
    t = v2_ns(o->s.gen->mul, o->s.gen->min_ts);
    o->last_ns = t > o->last_ns ? t : o->last_ns + 1;
    return RT_OK;
}

/* ---- waiting */

/* Cursor c waits: while there are samples, its time counts among the others'.
 * It may be among the late ones still from when it waited before. */
static void
note_late(struct v2_order *o, uint32_t c)
{
    if (o->cur[c].late)
        return;
    o->cur[c].late = true;
    trace_frontier_push(&o->late, item_of(&o->cur[c])->ns, c);
}

/* The time of the first event that waits.  Entries of cursors that went on are
 * dropped, or put right, when they come to the top: once for each time that
 * they waited. */
static uint64_t
first_late(struct v2_order *o)
{
    while (o->late.n > 0) {
        struct cursor *c = &o->cur[o->late.a[0].c];

        if (!c->waits) {
            c->late = false;
            trace_frontier_drop(&o->late);
        } else if (item_of(c)->ns != o->late.a[0].key) {
            rt_assert(item_of(c)->ns > o->late.a[0].key);
            trace_frontier_move(&o->late, item_of(c)->ns);
        } else {
            return o->late.a[0].key;
        }
    }
    return UINT64_MAX;
}

static RT_NOINLINE void
park(struct v2_order *o, uint32_t c, enum v2_step why)
{
    struct v2_state *s = &o->s;
    uint32_t *root;

    rt_assert(c < o->ncur && !o->cur[c].waits && why != V2_OK);
    o->nwaiting++;
    o->cur[c].waits = true;
    if (o->sample < o->nsamples)
        note_late(o, c);
    if (why == V2_WAIT_M) {
        rt_assert(s->need < s->mmap.count && s->ms[s->need].cursor == 0);
        s->ms[s->need].cursor = c + 1;
        return;
    }
    root = why == V2_WAIT_G ? &s->gs[s->need].waiters :
        why == V2_WAIT_P ? &s->ps[s->need].waiters : &s->gc_waiters;
    o->nodes[c].need = s->need_seq;
    o->nodes[c].ts = item_of(&o->cur[c])->ns;
    *root = trace_waitq_push(o->nodes, *root, c + 1);
}

static void
unpark(struct v2_order *o, uint32_t c)
{
    rt_assert(c < o->ncur && o->cur[c].waits && o->nwaiting > 0);
    o->nwaiting--;
    o->cur[c].waits = false;
    trace_frontier_push(&o->front, item_of(&o->cur[c])->ns, c);
}

/* What waits for a number that is past stays where it is, out of the way. */
static void
wake(struct v2_order *o, uint32_t *root, uint64_t seq)
{
    while (*root != 0 && o->nodes[*root - 1].need <= seq) {
        uint32_t c = *root;

        *root = trace_waitq_pop(o->nodes, c);
    }
    while (*root != 0 && o->nodes[*root - 1].need == seq + 1) {
        uint32_t c = *root;

        *root = trace_waitq_pop(o->nodes, c);
        unpark(o, c - 1);
    }
}

static RT_NOINLINE void
wake_all(struct v2_order *o)
{
    struct v2_state *s = &o->s;
    uint32_t i;

    rt_assert(s->nwoke_g <= 4 && s->nwoke_p <= 4 && s->nwoke_m <= 4);
    for (i = 0; i < s->nwoke_g; i++) {
        struct v2_g *g = &s->gs[s->woke_g[i]];

        if (g->waiters != 0 && (g->status == V2_GO_RUNNABLE ||
            g->status == V2_GO_WAITING))
            wake(o, &g->waiters, g->seq);
    }
    for (i = 0; i < s->nwoke_p; i++) {
        struct v2_p *p = &s->ps[s->woke_p[i]];

        if (p->waiters != 0 && p->status != V2_P_RUNNING)
            wake(o, &p->waiters, p->seq);
    }
    for (i = 0; i < s->nwoke_m; i++) {
        struct v2_m *m = &s->ms[s->woke_m[i]];

        if (m->cursor != 0) {
            unpark(o, m->cursor - 1);
            m->cursor = 0;
        }
    }
    if (s->woke_gc)
        wake(o, &s->gc_waiters, s->gc_seq);
}

/* ---- the merged stream */

/* Gives times to what a step has put out. */
static RT_NOINLINE void
stamp_all(struct v2_order *o, uint64_t ns)
{
    struct v2_state *s = &o->s;
    uint64_t t0 = o->f->v2->t0, before = o->last_ns;
    uint32_t i;

    rt_assert(s->nout <= V2_QUEUE && before >= t0);
    for (i = 0; i < s->nout; i++) {
        struct v2_out *e = &s->out[i];

        if (e->counts)
            o->last_ns = ns > o->last_ns ? ns : o->last_ns + 1;
        else if (o->last_ns == before)
            /* The event that it leads to comes next. */
            e->ev.ns = (int64_t)((ns > before ? ns : before + 1) - t0);
        if (e->counts || o->last_ns != before)
            e->ev.ns = (int64_t)(o->last_ns - t0);
    }
}

static inline void
stamp(struct v2_order *o, uint64_t ns)
{
    struct v2_out *first = &o->s.out[0];

    if (o->s.nout != 1 || !first->counts) {
        stamp_all(o, ns);
        return;
    }
    o->last_ns = ns > o->last_ns ? ns : o->last_ns + 1;
    first->ev.ns = (int64_t)(o->last_ns - o->f->v2->t0);
}

static RT_COLD void
give_up(struct v2_order *o, uint64_t off, const char *what)
{
    bool cut = !o->s.gen->complete;

    o->done = true;
    o->stuck = o->f->nevents > o->seen ? o->f->nevents - o->seen : 0;
    trace_file_problem(o->f, cut ? TRACE_WARNING : TRACE_ERROR, off, "order",
        "%s; %llu events are left out", what, (ull)o->stuck);
}

/* Nothing can go on in this generation. */
static RT_COLD void
report_stuck(struct v2_order *o)
{
    const struct v2_item *first = NULL;
    char what[100];
    uint32_t i;

    for (i = 0; i < o->ncur; i++) {
        const struct cursor *c = &o->cur[i];

        if (c->waits && (first == NULL || item_of(c)->ns < first->ns))
            first = item_of(c);
    }
    if (first == NULL)
        return;
    snprintf(what, sizeof what, "no consistent ordering of events possible: "
        "%s of %llu cannot come", v2_name(first->ev.type),
        (ull)first->ev.args[1]);
    give_up(o, first->off, what);
}

/* True when the next sample, which there is, comes before all events that are
 * left. */
static RT_NOINLINE bool
sample_first(struct v2_order *o)
{
    uint64_t t = o->samples[o->sample].ns;

    return (o->front.n == 0 || t < o->front.a[0].key) && t < first_late(o);
}

static RT_NOINLINE void
put_sample(struct v2_order *o)
{
    const struct sample *p = &o->samples[o->sample++];
    struct v2_out *out = &o->s.out[0];
    struct trace_event *e = &out->ev;
    int64_t stk = v2_stack_of(&o->ids, p->stk);

    memset(out, 0, sizeof *out);
    out->counts = true;
    o->s.nout = 1;
    e->type = TRACE_EV_CPU_SAMPLE;
    e->wire = V2_CPU_SAMPLE;
    e->off = p->off;
    e->ts = p->ticks;
    e->m = p->m == V2_NONE ? TRACE_NO_M : (int64_t)p->m;
    e->p = p->p == V2_NONE ? TRACE_NO_P : (int64_t)p->p;
    e->g = p->g == V2_NONE ? 0 : p->g;
    e->stk = stk < 0 ? 0 : (uint64_t)stk;
    e->nargs = 3;
    e->args[0] = p->ticks;
    e->args[1] = p->p;
    e->args[2] = e->g;
    e->why = "";
    if (stk < 0 && o->s.gen->complete)
        trace_file_problem(o->f, TRACE_ERROR, p->off, "stack-id",
            "CPUSample uses stack %llu, which its generation does not "
            "define", (ull)p->stk);
    stamp(o, p->ns);
}

/* The next event of cursor ci, which is the first of the frontier: fills s.out,
 * or the cursor waits.  RT_EOF: reading stops. */
static inline enum rt_status
step_on(struct v2_order *o, uint32_t ci)
{
    struct cursor *c = &o->cur[ci];
    const struct v2_item *it = item_of(c);
    struct v2_state *s = &o->s;
    enum v2_step st = v2_step(s, c->m, it);

    rt_assert(!c->waits && o->front.a[0].key == it->ns);
    if (st != V2_OK) {
        s->nout = 0;
        if (st == V2_NOMEM)
            return RT_ENOMEM;
        if (st == V2_BAD) {
            give_up(o, it->off, "reading stops here");
            return RT_EOF;
        }
        trace_frontier_drop(&o->front);
        park(o, ci, st);
        return RT_OK;
    }
    o->seen++;
    stamp(o, it->ns);
    if (advance(o, c))
        trace_frontier_move(&o->front, item_of(c)->ns);
    else
        trace_frontier_drop(&o->front);
    if (s->nwoke_g + s->nwoke_p + s->nwoke_m != 0 || s->woke_gc)
        wake_all(o);
    return RT_OK;
}

/* No event may come: the next generation, or the end. */
static RT_COLD enum rt_status
next_gen(struct v2_order *o)
{
    if (o->nwaiting > 0) {
        report_stuck(o);
        return RT_EOF;
    }
    return o->next_gen == o->f->v2->ngens ? RT_EOF : load_gen(o);
}

/* ---- the usual events */

/* The next event, if it is one of those. */
static inline bool
go_quickly(struct v2_order *o)
{
    struct trace_event *e = &o->quick;
    uint32_t ci = o->front.a[0].c;
    struct cursor *c = &o->cur[ci];
    const struct v2_item *it = item_of(c);

    if (c->m == UINT32_MAX || it->undefined != 0 ||
        !v2_quick_step(&o->s, it, &o->s.ms[c->m], e))
        return false;
    o->seen++;
    o->last_ns = it->ns > o->last_ns ? it->ns : o->last_ns + 1;
    e->ns = (int64_t)(o->last_ns - o->f->v2->t0);
    if (advance(o, c))
        trace_frontier_move(&o->front, item_of(c)->ns);
    else
        trace_frontier_drop(&o->front);
    return true;
}

/* Any next event. */
static RT_NOINLINE enum rt_status
go_on(struct v2_order *o, const struct trace_event **ev)
{
    enum rt_status st = RT_OK;

    for (;;) {
        while (o->iout < o->s.nout) {
            const struct v2_out *e = &o->s.out[o->iout++];

            if (e->ev.type != TRACE_EV_NONE) {
                *ev = &e->ev;
                o->only_events = o->iout == o->s.nout && !o->done &&
                    o->sample == o->nsamples;
                return RT_OK;
            }
        }
        if (o->done)
            return RT_EOF;
        o->s.nout = o->iout = 0;
        if (o->sample < o->nsamples && sample_first(o))
            put_sample(o);
        else
            st = o->front.n > 0 ? step_on(o, o->front.a[0].c) : next_gen(o);
        if (st == RT_EOF)
            o->done = true;
        if (st != RT_OK)
            return st;
    }
}

enum rt_status
v2_order_get(struct v2_order *o, const struct trace_event **ev)
{
    if (o->only_events && o->front.n > 0 && go_quickly(o)) {
        *ev = &o->quick;
        return RT_OK;
    }
    return go_on(o, ev);
}

uint64_t
v2_order_stuck(const struct v2_order *o)
{
    return o->stuck;
}

enum rt_status
v2_order_new(struct v2_order **out, struct trace_file *f, struct rt_err *e)
{
    struct v2_order *o = calloc(1, sizeof *o);

    if (o == NULL)
        return rt_errf(e, RT_ENOMEM, UINT64_MAX, "out of memory");
    o->f = f;
    o->s.f = f;
    o->quick.msg = o->quick.why = "";
    if (f->v2->ngens == 0)
        o->done = true;
    *out = o;
    return RT_OK;
}

void
v2_order_free(struct v2_order *o)
{
    if (o == NULL)
        return;
    v2_state_clear(&o->s);
    v2_ids_clear(&o->ids);
    free(o->link);
    free(o->cur);
    free(o->items);
    free(o->nodes);
    free(o->front.a);
    free(o->late.a);
    free(o->samples);
    free(o);
}
