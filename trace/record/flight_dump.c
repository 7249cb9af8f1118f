/* SPDX-License-Identifier: MIT */
/*
 * From windows of the flight recorder to a trace.  The events are copied, but
 * for sequence numbers, which count from the first window's moment on (see
 * flight.h): after GoCreate of the snapshot a G has number 0, after GoWaiting,
 * GoInSyscall or GoStart 1, and the events go on from there.
 *
 * Ticks: the snapshot ends a little before the moment, since counters of
 * different processors may differ by some nanoseconds; the closing events
 * stand at the tick of the last window's moment.
 */
#include <stdlib.h>
#include <string.h>

#include "runtime/base/hash.h"
#include "trace/record/flight.h"

enum { SLACK = 1000, MAX_VALUES = 8 };

/* Ids that occur. */
struct marks {
    uint8_t *bits;
    size_t n;
    bool oom;
};

/* From the id of a G to what is subtracted from its numbers. */
struct bases {
    struct base {
        uint64_t goid, base;
    } *slot; /* goid 0: free */
    size_t mask;
};

struct enc {
    struct trace_rec *r;
    const struct flight_window *w;
    struct trace_out *events; /* all but the tables */
    struct bases bases;
    struct marks stacks, strings;
    uint64_t start; /* tick of the end of the snapshot */
    uint64_t carry; /* ticks of dropped events */
    uint64_t tick;  /* of the last snapshot event */
};

static void
mark(struct marks *m, uint64_t id)
{
    size_t want = (size_t)(id / 8 + 1);

    rt_assert(id <= UINT32_MAX);
    if (want > m->n) {
        size_t n = m->n == 0 ? 1024 : m->n;
        uint8_t *p;

        while (n < want)
            n *= 2;
        p = realloc(m->bits, n);
        if (p == NULL) {
            m->oom = true;
            return;
        }
        memset(p + m->n, 0, n - m->n);
        m->bits = p;
        m->n = n;
    }
    m->bits[id / 8] |= (uint8_t)(1u << id % 8);
}

static bool
marked(const struct marks *m, uint64_t id)
{
    return id / 8 < m->n && (m->bits[id / 8] >> id % 8 & 1) != 0;
}

static void
mark_string(void *arg, uint32_t id)
{
    mark(arg, id);
}

/* ---- numbers */

static bool
bases_open(struct bases *b, const struct flight_window *w)
{
    size_t cap = 64, i, k;

    while (cap < 2 * w->ngs)
        cap *= 2;
    b->slot = calloc(cap, sizeof *b->slot);
    b->mask = cap - 1;
    for (i = 0; b->slot != NULL && i < w->ngs; i++) {
        const struct flight_g *g = &w->gs[i];

        rt_assert(g->goid != 0 && i <= b->mask / 2);
        k = (size_t)rt_hash_u64(g->goid, 0) & b->mask;
        while (b->slot[k].goid != 0)
            k = (k + 1) & b->mask;
        b->slot[k].goid = g->goid;
        /* May be -1: what the recording itself began with has the number 0. */
        b->slot[k].base = g->status == TRACE_G_RUNNABLE ? g->seq : g->seq - 1;
    }
    return b->slot != NULL;
}

static uint64_t
base_of(const struct bases *b, uint64_t goid)
{
    size_t k = (size_t)rt_hash_u64(goid, 0) & b->mask;

    for (; b->slot[k].goid != 0; k = (k + 1) & b->mask) {
        if (b->slot[k].goid == goid)
            return b->slot[k].base;
    }
    return 0; /* created later */
}

/* ---- writing */

/* A record of n values, the first one the time difference. */
static void
dump_put(struct enc *x, unsigned ev, const uint64_t *v, unsigned n)
{
    uint8_t rec[2 + MAX_VALUES * RT_VARINT_MAX], *p = rec, *len = NULL;
    unsigned i;

    rt_assert(ev < TRACE_EV_COUNT && n > 0 && n <= MAX_VALUES);
    *p++ = (uint8_t)(ev | (n <= 3 ? n - 1 : 3) << 6);
    if (n > 3)
        len = p++;
    for (i = 0; i < n; i++)
        p = rt_varint_put(p, v[i]);
    if (len != NULL)
        *len = (uint8_t)(p - len - 1);
    trace_out_bytes(x->events, rec, (size_t)(p - rec));
}

static void
batch(struct enc *x, int32_t id, uint64_t tick)
{
    trace_out_batch(x->events, id, tick);
    x->carry = 0;
    x->tick = tick;
}

/* An event of the snapshot: one tick after the one before. */
#define PUT(x, ev, ...)                              \
    do {                                             \
        const uint64_t v_[] = {1, ##__VA_ARGS__};    \
        dump_put(x, ev, v_, sizeof v_ / sizeof *v_); \
        (x)->tick++;                                 \
    } while (0)

static void
snapshot_g(struct enc *x, const struct flight_g *g)
{
    uint64_t id = trace_stacktab_put(&x->r->s->stacks, &g->entry, 1);

    mark(&x->stacks, id);
    PUT(x, TRACE_EV_GO_CREATE, g->goid, id, 0);
    if (g->status == TRACE_G_WAITING)
        PUT(x, TRACE_EV_GO_WAITING, g->goid);
    else if (g->status == TRACE_G_SYSCALL)
        PUT(x, TRACE_EV_GO_IN_SYSCALL, g->goid);
}

/* What the whole process is in the middle of goes to the first P that runs a
 * G, since viewers look it up. */
static void
snapshot_process(struct enc *x)
{
    const struct flight_window *w = x->w;

    if (w->gc_open)
        PUT(x, TRACE_EV_GC_START, 0, 0);
    if (w->stw_open)
        PUT(x, TRACE_EV_STW_START, w->stw_kind);
}

static const struct flight_p *
busy_p(const struct flight_window *w)
{
    size_t i;

    for (i = 0; i < w->nps; i++) {
        if (w->ps[i].goid != 0)
            return &w->ps[i];
    }
    return NULL;
}

static void
snapshot_p(struct enc *x, const struct flight_p *p, bool process)
{
    if (!p->started && p->goid == 0)
        return;
    rt_assert(p->id >= 0);
    batch(x, p->id, x->tick);
    if (p->started)
        PUT(x, TRACE_EV_PROC_START, p->thread);
    if (p->goid != 0)
        PUT(x, TRACE_EV_GO_START, p->goid, 1);
    if (p->sweeping)
        PUT(x, TRACE_EV_SWEEP_START, 0);
    if (process)
        snapshot_process(x);
}

static void
snapshot(struct enc *x)
{
    const struct flight_window *w = x->w;
    const struct flight_p *busy = busy_p(w);
    uint64_t room = 2 * w->ngs + 5 * w->nps + 2 * SLACK;
    size_t i;

    x->start = w->tick > room ? w->tick - SLACK : room;
    rt_assert(x->start + SLACK > room);
    batch(x, TRACE_GLOBAL_ID, x->start + SLACK - room);
    for (i = 0; i < w->ngs; i++)
        snapshot_g(x, &w->gs[i]);
    PUT(x, TRACE_EV_GOMAXPROCS, w->procs, 0);
    PUT(x, TRACE_EV_GOMAXPROCS, w->procs, 0); /* see snapshot.c */
    if (busy == NULL)
        snapshot_process(x);
    for (i = 0; i < w->nps; i++)
        snapshot_p(x, &w->ps[i], &w->ps[i] == busy);
}

/* ---- the events */

static const uint8_t *
dump_number(const uint8_t *p, uint64_t *v)
{
    return rt_varint_get(p, p + RT_VARINT_MAX, v);
}

/* Events whose last value is a stack. */
static const bool has_stack[TRACE_EV_COUNT] = {
#define TRACE_EVENT(no, id, name, nvals, stack, since) [no] = (stack) != 0,
#include "runtime/base/trace_event.def"
#undef TRACE_EVENT
};

/* Changes the values of an event so that they fit to the snapshot.  False:
 * the event is dropped. */
static bool
adapt(struct enc *x, unsigned ev, uint64_t *v, unsigned n)
{
    switch (ev) {
    case TRACE_EV_GO_START:
    case TRACE_EV_GO_UNBLOCK:
        v[2] -= base_of(&x->bases, v[1]);
        break;
    case TRACE_EV_GO_START_LABEL:
        v[2] -= base_of(&x->bases, v[1]);
        mark(&x->strings, v[3]);
        break;
    case TRACE_EV_GO_SYS_EXIT:
        v[2] -= base_of(&x->bases, v[1]);
        if (v[3] != 0 && v[3] < x->start)
            v[3] = x->start; /* not before its GoInSyscall */
        break;
    case TRACE_EV_GC_START:
        v[1] = v[1] - x->w->gcseq + x->w->gc_open;
        break;
    case TRACE_EV_GO_CREATE:
        mark(&x->stacks, v[2]);
        break;
    case TRACE_EV_USER_TASK_CREATE:
    case TRACE_EV_USER_REGION:
        mark(&x->strings, v[3]);
        break;
    case TRACE_EV_USER_LOG:
        mark(&x->strings, v[2]);
        break;
    case TRACE_EV_CPU_SAMPLE:
        if (v[1] < x->start)
            return false;
        break;
    default:
        break;
    }
    if (has_stack[ev])
        mark(&x->stacks, v[n - 1]);
    return true;
}

static const uint8_t *
copy_event(struct enc *x, const uint8_t *p)
{
    unsigned ev = *p & 0x3f, n = (*p >> 6) + 1u;
    uint64_t v[MAX_VALUES], len;
    const uint8_t *end;

    p++;
    if (n == 4) {
        p = dump_number(p, &len);
        end = p + len;
        for (n = 0; p < end && n < MAX_VALUES; n++)
            p = dump_number(p, &v[n]);
    } else {
        for (unsigned i = 0; i < n; i++)
            p = dump_number(p, &v[i]);
    }
    if (adapt(x, ev, v, n)) {
        v[0] += x->carry;
        x->carry = 0;
        dump_put(x, ev, v, n);
    } else {
        x->carry += v[0];
    }
    if (ev == TRACE_EV_USER_LOG) {
        end = dump_number(p, &len) + len;
        trace_out_bytes(x->events, p, (size_t)(end - p));
        p = end;
    }
    return p;
}

static void
copy_chunk(struct enc *x, const struct flight_chunk *c)
{
    const uint8_t *p = c->data, *end = p + c->len;
    uint64_t id, tick;

    rt_assert(*p == (TRACE_EV_BATCH | 1 << 6) && c->len > 2);
    p = dump_number(dump_number(p + 1, &id), &tick);
    batch(x, (int32_t)(int64_t)id, tick);
    while (p < end)
        p = copy_event(x, p);
}

/* ---- the end */

static void
dump_close_p(struct enc *x, const struct flight_window *w,
    const struct flight_p *p, bool process)
{
    if (!p->started && p->goid == 0 && !p->sweeping)
        return;
    batch(x, p->id, w->tick);
    if (process && w->stw_open)
        PUT(x, TRACE_EV_STW_DONE);
    if (process && w->gc_open)
        PUT(x, TRACE_EV_GC_DONE);
    if (p->sweeping)
        PUT(x, TRACE_EV_SWEEP_DONE, 0, 0);
    if (p->goid != 0)
        PUT(x, TRACE_EV_GO_SCHED, 0);
    if (p->started)
        PUT(x, TRACE_EV_PROC_STOP);
}

static void
close_all(struct enc *x, const struct flight_window *w)
{
    const struct flight_p *busy = busy_p(w);
    size_t i;

    if (busy == NULL && (w->stw_open || w->gc_open)) {
        batch(x, TRACE_GLOBAL_ID, w->tick);
        if (w->stw_open)
            PUT(x, TRACE_EV_STW_DONE);
        if (w->gc_open)
            PUT(x, TRACE_EV_GC_DONE);
    }
    for (i = 0; i < w->nps; i++)
        dump_close_p(x, w, &w->ps[i], &w->ps[i] == busy);
}

/* ---- tables */

static bool
tables(struct enc *x, struct trace_out *o)
{
    struct trace_state *s = x->r->s;
    struct trace_symcache *syms = trace_symcache_new();
    const struct trace_stack *st = NULL;
    const struct trace_str *str = NULL;

    if (syms == NULL)
        return false;
    trace_out_batch(o, TRACE_GLOBAL_ID, 1);
    trace_out_frequency(x->r, o);
    while ((st = trace_stacktab_next(&s->stacks, st)) != NULL) {
        if (marked(&x->stacks, st->id))
            trace_out_stack(x->r, o, syms, st, mark_string, &x->strings);
    }
    while ((str = trace_strtab_next(&s->strings, str)) != NULL) {
        if (marked(&x->strings, str->id))
            trace_out_string(o, str);
    }
    free(syms);
    return true;
}

enum rt_status
trace_flight_encode(struct trace_rec *r, const struct flight_window *w,
    const struct flight_window *end, struct trace_out *o)
{
    struct trace_out events = {0};
    struct enc x = {.r = r, .w = w, .events = &events};
    const struct flight_window *at;
    const struct flight_chunk *c;
    bool ok;

    ok = bases_open(&x.bases, w);
    if (ok) {
        snapshot(&x);
        for (at = w; at != end; at = at->next) {
            for (c = at->chunks; c != NULL; c = c->next)
                copy_chunk(&x, c);
        }
        close_all(&x, end);
        trace_out_header(o);
        ok = tables(&x, o);
        trace_out_bytes(o, events.data, events.len);
    }
    ok = ok && !o->oom && !events.oom && !x.stacks.oom && !x.strings.oom;
    free(events.data);
    free(x.bases.slot);
    free(x.stacks.bits);
    free(x.strings.bits);
    return ok ? RT_OK : RT_ENOMEM;
}
