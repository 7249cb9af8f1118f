/* SPDX-License-Identifier: MIT */
/*
 * Buffers of events and their lists.
 *
 * A buffer is written by the owner of one P without a lock.  After each
 * event the owner publishes the length (committed, release); the reader may
 * copy what is published at any time (acquire) and remembers how far it got
 * (flushed).  So an idle P's last events reach the file without that P's
 * help, and a process that is killed loses at most one flush interval.
 *
 * A P changes its buffer under TRACE_BUF, in one step with handing in the
 * old one.  The reader looks at the full list and at the current buffers
 * under the same lock; thus, taking the former before the latter, it keeps
 * the events of each P in order.
 *
 * Note [cut].  A trace can end before trace_stop(): the disk is full, the
 * pipe is closed, memory is short.  Nobody stops the world for that: `on`
 * simply falls to 0.  An event e may then be dropped on one P while another P
 * still records.  The file stays consistent all the same: any event caused
 * by e happens after e's emitter saw `on` = 0 (or set it), so its own emitter
 * sees 0 too, and is dropped.  What is recorded is closed under causes.
 */
#include <stdlib.h>

#include "runtime/base/futex.h"
#include "trace/record/trace_int.h"

void
trace_kick(a_u32 *word)
{
    a32_add_full(word, 1);
    rt_futex_wake(word, RT_FUTEX_ALL);
}

static void
push_full_locked(struct trace_state *s, struct trace_buf *t)
{
    rt_assert_held(&s->lock);
    rt_assert(s->phase == TRACE_ON && t->flushed <= a32_load_rlx(&t->committed));
    t->next = NULL;
    if (s->full == NULL)
        s->full = t;
    else
        s->full_tail->next = t;
    s->full_tail = t;
    s->nfull++;
}

/* Keeps t for later, or frees it. */
static void
put_empty_locked(struct trace_state *s, struct trace_buf *t)
{
    enum { KEEP = TRACE_KEEP_BUFS };

    rt_assert_held(&s->lock);
    rt_assert(s->nempty < s->nbufs);
    if (s->nempty >= KEEP) {
        s->nbufs--;
        free(t);
        return;
    }
    t->next = s->empty;
    s->empty = t;
    s->nempty++;
}

/* The buffer of b is complete: to the trace, to the flight recorder. */
static void
hand_over_locked(struct trace_state *s, struct trace_pbuf *b)
{
    struct trace_buf *t = b->buf;

    rt_assert(t != NULL && t->id == b->id);
    rt_assert_full(trace_pbuf_valid(b) && trace_buf_valid(t));
    t->last = b->last;
    if (s->fl != NULL && !t->file_only)
        trace_flight_add_locked(s, t);
    if (s->phase == TRACE_ON)
        push_full_locked(s, t);
    else
        put_empty_locked(s, t);
}

static struct trace_buf *
get_empty_locked(struct trace_state *s, int32_t id)
{
    struct trace_buf *t = s->empty;

    rt_assert((t == NULL) == (s->nempty == 0));
    if (t != NULL) {
        s->empty = t->next;
        s->nempty--;
    } else {
        t = malloc(sizeof *t);
        if (t == NULL)
            return NULL;
        s->nbufs++;
    }
    t->next = NULL;
    t->id = id;
    t->flushed = 0;
    t->flushed_tick = 0;
    t->file_only = s->file_only;
    a32_store_rlx(&t->committed, 0);
    return t;
}

static void
cut_locked(struct trace_rec *r, const struct rt_err *e)
{
    struct trace_state *s = r->s;

    rt_assert_held(&s->lock);
    rt_assert(e->code != RT_OK);
    a32_store_full(&r->on, 0);
    if (s->fl != NULL)
        trace_flight_kick_locked(s);
    /* What was recorded can be lost as well when it is written after the
     * recording has ended. */
    if (s->failed || s->phase == TRACE_OFF)
        return;
    s->failed = true;
    s->err = *e;
}

void
trace_cut(struct trace_rec *r, const struct rt_err *e)
{
    struct trace_state *s = r->s;

    rt_lock(&s->lock);
    cut_locked(r, e);
    rt_unlock(&s->lock);
    trace_kick(&s->space);
    trace_kick(&s->wake);
}

/* Waits, TRACE_BUF held, until a full buffer may be handed in; each change of
 * what is tested here is followed by a kick of `space`.  With a file the
 * reader thread makes room whatever the program does, so that waiting is safe
 * under any lock and in a stopped world.  Without one the reader may be
 * the very G that waits: cut instead. */
static bool
await_room_locked(struct trace_rec *r)
{
    struct trace_state *s = r->s;
    struct rt_err e;
    uint32_t seen;

    if (s->closing || s->phase != TRACE_ON)
        return true;
    while (s->phase == TRACE_ON && !s->failed && !s->closing &&
        s->nfull >= s->max_full) {
        if (s->cfg.fd < 0) {
            rt_errf(&e, RT_ELIMIT, UINT64_MAX,
                "trace cut: nobody reads it and %llu MiB wait",
                (unsigned long long)(s->nfull * TRACE_BUF_BYTES >> 20));
            cut_locked(r, &e);
            return false;
        }
        s->waits++;
        seen = a32_load_acq(&s->space);
        rt_unlock(&s->lock);
        rt_futex_wait(&s->space, seen, -1);
        rt_lock(&s->lock);
    }
    return !s->failed || s->closing;
}

/* The Batch record is not published before the first event. */
static void
begin_batch(struct trace_rec *r, struct trace_pbuf *b, struct trace_buf *t,
    uint64_t when)
{
    uint64_t now = when != 0 ? when : trace_ticks(r);

    rt_assert(b->buf == t && t->flushed == 0);
    if (now < b->last)
        now = b->last;
    b->last = now;
    b->pos = t->data;
    *b->pos++ = TRACE_EV_BATCH | 1 << 6;
    b->pos = rt_varint_put(b->pos, (uint64_t)(int64_t)b->id);
    b->pos = rt_varint_put(b->pos, now);
    b->end = t->data + TRACE_BUF_BYTES - TRACE_EVENT_MAX;
    rt_assert(b->pos < b->end);
}

bool
trace_buf_refill(struct trace_rec *r, struct trace_pbuf *b, uint64_t when)
{
    struct trace_state *s = r->s;
    struct trace_buf *t = NULL;
    struct rt_err e;
    bool kick = false;

    rt_lock(&s->lock);
    if (!s->dropped && await_room_locked(r)) {
        t = get_empty_locked(s, b->id);
        if (t == NULL) {
            s->dropped = true;
            rt_errf(&e, RT_ENOMEM, UINT64_MAX,
                "trace cut: out of memory for buffers");
            cut_locked(r, &e);
        }
    }
    if (t != NULL) {
        if (b->buf != NULL) {
            hand_over_locked(s, b);
            kick = s->nfull >= s->kick_full;
        }
        b->buf = t;
    }
    rt_assert_full(trace_lists_valid_locked(s));
    rt_unlock(&s->lock);
    if (t == NULL) {
        trace_kick(&s->space);
        trace_kick(&s->wake);
        return false;
    }
    begin_batch(r, b, t, when);
    if (kick)
        trace_kick(&s->wake);
    return true;
}

static void
hand_in_locked(struct trace_state *s, struct trace_pbuf *b)
{
    if (b->buf != NULL)
        hand_over_locked(s, b);
    b->buf = NULL;
    b->pos = NULL;
    b->end = NULL;
}

void
trace_buf_hand_in(struct trace_rec *r, struct trace_pbuf *b)
{
    struct trace_state *s = r->s;

    rt_lock(&s->lock);
    hand_in_locked(s, b);
    rt_unlock(&s->lock);
    trace_kick(&s->wake);
}

void
trace_buf_hand_in_all(struct trace_rec *r)
{
    struct trace_state *s = r->s;
    struct trace_pbuf *b;

    rt_lock(&s->global_lock);
    rt_lock(&s->lock);
    for (b = s->pbufs; b != NULL; b = b->next)
        hand_in_locked(s, b);
    rt_assert_full(trace_lists_valid_locked(s));
    rt_unlock(&s->lock);
    rt_unlock(&s->global_lock);
    trace_kick(&s->wake);
}

void
trace_buf_recycle(struct trace_state *s, struct trace_buf *t)
{
    rt_lock(&s->lock);
    rt_assert(s->nfull > 0 && t != s->full);
    s->nfull--;
    put_empty_locked(s, t);
    rt_unlock(&s->lock);
    trace_kick(&s->space);
}

static void
free_list(struct trace_buf *t)
{
    while (t != NULL) {
        struct trace_buf *next = t->next;

        free(t);
        t = next;
    }
}

void
trace_buf_free_full_locked(struct trace_state *s)
{
    free_list(s->full);
    free_list(s->taken);
    s->full = NULL;
    s->full_tail = NULL;
    s->taken = NULL;
    s->taken_tail = NULL;
    rt_assert(s->nbufs >= s->nfull);
    s->nbufs -= s->nfull;
    s->nfull = 0;
}

void
trace_buf_free_all_locked(struct trace_state *s)
{
    struct trace_pbuf *b;

    rt_assert(s->users == 0);
    for (b = s->pbufs; b != NULL; b = b->next) {
        free(b->buf);
        b->buf = NULL;
        b->pos = NULL;
        b->end = NULL;
        free(b->paths);
        b->paths = NULL;
    }
    trace_buf_free_full_locked(s);
    free_list(s->empty);
    s->empty = NULL;
    s->nempty = 0;
    s->nbufs = 0;
}
