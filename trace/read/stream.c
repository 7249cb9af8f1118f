/* SPDX-License-Identifier: MIT */
/*
 * The stream of one P, decoded some events ahead: an event gets its place in
 * the file, its time, the goroutine that it is about, and what it asks of that
 * goroutine before order.c may take it.
 */
#include "runtime/base/throw.h"
#include "trace/read/order_int.h"

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

enum move
trace_stream_refill(struct trace_order *o, struct cursor *c)
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
