/* SPDX-License-Identifier: MIT */
/*
 * What must be so between two operations of the recorder, as functions that
 * walk whole structures: called by builds with -Dchecks=full where a structure
 * changes hands, and by the unit tests.
 */
#include "trace/record/flight.h"
#include "trace/record/trace_int.h"

/* ---- the bytes of a buffer */

/* Numbers behind an event's own byte, with the time difference. */
static const uint8_t values[TRACE_EV_COUNT] = {
#define TRACE_EVENT(no, id, name, nvals, stack, since) [no] = (nvals),
#include "runtime/base/trace_event.def"
#undef TRACE_EVENT
};

/* One record of [p, end); NULL: it is damaged. */
static const uint8_t *
check_record(const uint8_t *p, const uint8_t *end, uint64_t *tick)
{
    unsigned ev = *p & 0x3f, n = (*p >> 6) + 1u, i;
    const uint8_t *body = NULL;
    uint64_t v, len = 0;

    p++;
    if (ev == 0 || ev >= TRACE_EV_COUNT || ev == TRACE_EV_BATCH)
        return NULL;
    if (n == 4) {
        n = values[ev];
        p = rt_varint_get(p, end, &len);
        body = p;
        if (p == NULL || len > (uint64_t)(end - p))
            return NULL;
    }
    if (n != values[ev])
        return NULL;
    for (i = 0; i < n; i++) {
        p = rt_varint_get(p, end, &v);
        if (p == NULL)
            return NULL;
        if (i == 0)
            *tick += v;
    }
    if (body != NULL && p != body + len)
        return NULL;
    if (ev != TRACE_EV_USER_LOG)
        return p;
    p = rt_varint_get(p, end, &len);
    return p == NULL || len > (uint64_t)(end - p) ? NULL : p + len;
}

bool
trace_events_valid(const uint8_t *data, uint32_t n, int32_t id,
    uint64_t *first, uint64_t *last)
{
    const uint8_t *p = data, *end = data + n;
    uint64_t v;

    if (n < 3 || *p != (TRACE_EV_BATCH | 1 << 6))
        return false;
    p = rt_varint_get(p + 1, end, &v);
    if (p == NULL || (int32_t)(int64_t)v != id)
        return false;
    p = rt_varint_get(p, end, first);
    *last = *first;
    if (p == end)
        return false; /* it is published with its first event */
    while (p != NULL && p < end)
        p = check_record(p, end, last);
    return p == end;
}

bool
trace_buf_valid(const struct trace_buf *t)
{
    uint32_t n = a32_load_acq(&t->committed); /* acq: pairs with publish() */
    uint64_t first, last;

    if (n > TRACE_BUF_BYTES || t->flushed > n)
        return false;
    if (n == 0)
        return t->flushed == 0;
    if (!trace_events_valid(t->data, n, t->id, &first, &last))
        return false;
    return t->flushed == 0 ||
        (t->flushed_tick >= first && t->flushed_tick <= last);
}

bool
trace_pbuf_valid(const struct trace_pbuf *b)
{
    const struct trace_buf *t = b->buf;
    uint32_t n;

    if (b->id < TRACE_GLOBAL_ID)
        return false;
    if (t == NULL)
        return b->pos == NULL && b->end == NULL;
    n = a32_load_rlx(&t->committed);
    return t->id == b->id && b->end == t->data + TRACE_BUF_BYTES -
        TRACE_EVENT_MAX && b->pos >= t->data + n &&
        b->pos <= t->data + TRACE_BUF_BYTES &&
        (n == 0 || b->pos == t->data + n);
}

/* ---- the lists */

/* How many; the last one is `tail`, else SIZE_MAX. */
static uint64_t
length(const struct trace_buf *t, const struct trace_buf *tail)
{
    uint64_t n = 0;

    for (; t != NULL; t = t->next) {
        n++;
        if (t->next == NULL && t != tail)
            return UINT64_MAX;
    }
    return n;
}

bool
trace_lists_valid_locked(const struct trace_state *s)
{
    const struct trace_buf *t, *bottom = NULL;
    const struct trace_pbuf *b;
    uint64_t filling = 0, full;

    for (t = s->empty; t != NULL; t = t->next)
        bottom = t;
    for (b = s->pbufs; b != NULL; b = b->next)
        filling += b->buf != NULL;
    /* The reader has those that are neither in the list nor recycled. */
    full = s->full == NULL ? 0 : length(s->full, s->full_tail);
    return full <= s->nfull && length(s->empty, bottom) == s->nempty &&
        s->nbufs == s->nempty + s->nfull + filling;
}

bool
trace_state_valid_locked(const struct trace_rec *r)
{
    const struct trace_state *s = r->s;
    unsigned users = (s->phase != TRACE_OFF) + (s->fl != NULL);

    return trace_lists_valid_locked(s) && s->users == users &&
        (s->users > 0) == (s->stacks.slots != NULL) &&
        (!s->early || s->phase == TRACE_DRAIN) &&
        (!s->reading || (s->phase != TRACE_OFF && s->cfg.fd < 0)) &&
        (a32_load_rlx(&r->on) == 0 || s->fl != NULL ||
            (s->phase == TRACE_ON && !s->failed));
}

/* ---- the tables */

/* Is st in the chain of its slot? */
static bool
in_chain(const struct trace_stacktab *t, const struct trace_stack *st)
{
    const struct trace_stack *c =
        aptr_load_acq(&t->slots[st->hash % TRACE_STACKTAB_SLOTS]);

    while (c != NULL && c != st)
        c = c->link;
    return c == st;
}

bool
trace_stacktab_valid(const struct trace_stacktab *t)
{
    const struct trace_stack *st = NULL, *last = NULL;
    uint32_t id = 0;

    if (t->slots == NULL)
        return t->region == NULL && t->tail == NULL && t->bytes == 0 &&
            aptr_load_acq(&t->first) == NULL;
    while ((st = trace_stacktab_next(t, st)) != NULL) {
        last = st;
        if (st->id != ++id || st->n == 0 || st->n > CALLSTACK_MAX ||
            st->hash != trace_stack_hash(st->pcs, st->n) ||
            (st->link != NULL && st->link->id >= id) || !in_chain(t, st))
            return false;
    }
    return last == t->tail && id == a32_load_rlx(&t->count);
}

bool
trace_strtab_valid(const struct trace_strtab *t)
{
    const struct trace_str *st = NULL, *last = NULL, *c;
    uint32_t id = 0;

    if (t->slots == NULL)
        return t->region == NULL && t->tail == NULL &&
            aptr_load_acq(&t->first) == NULL;
    while ((st = trace_strtab_next(t, st)) != NULL) {
        last = st;
        if (st->id != ++id || st->len == 0 || st->len > TRACE_STR_MAX)
            return false;
        c = t->slots[st->hash % TRACE_STRTAB_SLOTS];
        while (c != NULL && c != st)
            c = c->link;
        if (c != st)
            return false;
    }
    return last == t->tail && id == a32_load_rlx(&t->count);
}

/* ---- the flight recorder */

static bool
window_valid(const struct flight_window *w)
{
    const struct flight_chunk *c;
    uint64_t bytes = 0, v, first, last;

    for (c = w->chunks; c != NULL; c = c->next) {
        bytes += c->len;
        if (c->len < 3 || (c->next == NULL) != (c == w->tail))
            return false;
        rt_varint_get(c->data + 1, c->data + c->len, &v);
        if (!trace_events_valid(c->data, c->len, (int32_t)(int64_t)v, &first,
                &last))
            return false;
    }
    return bytes == w->bytes && w->ngs <= w->capgs && !w->oom;
}

bool
trace_flight_valid_locked(const struct trace_flight *fl)
{
    const struct flight_window *w, *last = NULL;
    uint64_t bytes = 0;

    for (w = fl->windows; w != NULL; w = w->next) {
        if (last != NULL && !w->first && w->tick < last->tick)
            return false;
        bytes += w->bytes;
        last = w;
        if (!window_valid(w))
            return false;
    }
    return last == fl->last && bytes == fl->bytes;
}
