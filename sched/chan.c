/* SPDX-License-Identifier: MIT */
/*
 * Channels.  A value goes straight from the frame of the sender to that of
 * the receiver when one of them waits already, else through the ring.  The
 * frames of a waiting goroutine may be moved by the collector, which shrinks
 * stacks: it does so with the channels locked that the goroutine waits for
 * (sched_shift_elems()), so that under the lock sd->elem is where they are.
 *
 * Who takes a waiter off a queue, under the channel's lock, owns it: it
 * copies the value, fills the goroutine's wake_ok, wake_panic and sel_index
 * and makes it ready after the lock is released.  A waiter of a select must
 * be won first, by CAS of select_done; one that was lost to another channel
 * is just dropped (select_finish() would have removed it).
 *
 * Source: Go's chan.go.
 */
#include "sched/chan_int.h"

#include <string.h>

/* ---- elements ------------------------------------------------------------- */

enum { WORDS = 4 }; /* which most elements do not exceed */

/* Those of a few words, for which a call would take longer. */
static void
copy(void *dst, const void *src, uint64_t size)
{
    uint64_t *to = dst;
    const uint64_t *from = src;

    if (size % 8 != 0 || size > 8 * WORDS) {
        memcpy(dst, src, size);
        return;
    }
    for (uint64_t i = 0; i < size / 8; i++)
        to[i] = from[i];
}

/* Memory to slots. */
static void
load(const struct sched_chan *c, union rt_slot *dst, const void *src)
{
    uint64_t size = c->elem->size;

    switch ((enum chan_ext)c->ext) {
    case CHAN_EXT_U8:
        dst->u = *(const uint8_t *)src;
        return;
    case CHAN_EXT_S8:
        dst->i = *(const int8_t *)src;
        return;
    case CHAN_EXT_U16:
        dst->u = *(const uint16_t *)src;
        return;
    case CHAN_EXT_S16:
        dst->i = *(const int16_t *)src;
        return;
    case CHAN_EXT_U32:
        dst->u = *(const uint32_t *)src;
        return;
    case CHAN_EXT_S32:
        dst->i = *(const int32_t *)src;
        return;
    case CHAN_EXT_MEM:
        break;
    }
    if (size == 8) {
        dst->u = *(const uint64_t *)src;
        return;
    }
    if (size % 8 != 0)
        dst[size / 8].u = 0;
    copy(dst, src, size);
}

/* Slots to memory: the low bytes of a slot are the value (little endian). */
static void
store(const struct sched_chan *c, void *dst, const union rt_slot *src)
{
    uint64_t size = c->elem->size;

    if (size == 8)
        *(uint64_t *)dst = src->u;
    else if (size > 0) /* of nothing, src may be NULL */
        copy(dst, src, size);
}

/* Slots to slots, from one goroutine's frame to another's: either may have
 * been scanned already, and what leaves the one for the other would be seen
 * in neither. */
static void
pass(struct sched_m *m, const struct sched_chan *c, union rt_slot *dst,
    const union rt_slot *src)
{
    uint64_t size = c->elem->size;

    gc_shade_range(&m->p->cache, c->elem, src, 1);
    if (size - 1 < 8) /* 1 to 8 */
        *dst = *src;
    else if (size > 0)
        copy(dst, src, (size + 7) & ~(uint64_t)7);
}

/* Also while a goroutine waits to receive: what was there before is not wanted
 * any more, and would keep an object alive. */
void
chan_zero(const struct sched_chan *c, union rt_slot *dst)
{
    uint64_t size = c->elem->size;

    if (size - 1 < 8) /* 1 to 8 */
        dst->u = 0;
    else if (size > 0)
        memset(dst, 0, (size + 7) & ~(uint64_t)7);
}

static uint8_t *
at(const struct sched_chan *c, uint64_t i)
{
    return c->buf + i * c->elem->size;
}

static void
put(struct sched_m *m, struct sched_chan *c, uint64_t i,
    const union rt_slot *v)
{
    rt_assert(i < c->cap);
    if (c->elem->size == 0)
        return;
    gc_write_barrier_range(&m->p->cache, c->elem, at(c, i), v, 1);
    store(c, at(c, i), v);
}

static void
buf_take(struct sched_m *m, struct sched_chan *c, uint64_t i, union rt_slot *v)
{
    rt_assert(i < c->cap);
    if (c->elem->size == 0)
        return;
    if (v != NULL)
        load(c, v, at(c, i));
    if (c->elem->ptrdata == 0)
        return;
    /* The ring must not keep alive what has been received. */
    gc_write_barrier_range(&m->p->cache, c->elem, at(c, i), NULL, 1);
    memset(at(c, i), 0, c->elem->size);
}

static uint64_t
after(const struct sched_chan *c, uint64_t i)
{
    rt_assert(i < c->cap);
    return i + 1 == c->cap ? 0 : i + 1;
}

/* ---- wait queues ------------------------------------------------------------ */

void
waitq_put(struct waitq *q, struct sched_sudog *sd)
{
    rt_assert(!sd->queued);
    rt_assert((q->first == NULL) == (q->last == NULL));
    sd->next = NULL;
    sd->prev = q->last;
    sd->queued = true;
    if (q->last != NULL)
        q->last->next = sd;
    else
        q->first = sd;
    q->last = sd;
}

void
waitq_remove(struct waitq *q, struct sched_sudog *sd)
{
    rt_assert(sd->queued);
    rt_assert((sd->prev == NULL) == (q->first == sd));
    rt_assert((sd->next == NULL) == (q->last == sd));
    if (sd->prev != NULL)
        sd->prev->next = sd->next;
    else
        q->first = sd->next;
    if (sd->next != NULL)
        sd->next->prev = sd->prev;
    else
        q->last = sd->prev;
    sd->next = sd->prev = NULL;
    sd->queued = false;
}

/* A waiter that whoever comes could have. */
static bool
can_win(const struct sched_sudog *sd)
{
    return sd->select_case < 0 || a32_load_acq(&sd->g->select_done) == 0;
}

/* The list is one in both directions, of waiters for c; none of them can win
 * where nobody should be waiting. */
static bool
waitq_valid(const struct waitq *q, const struct sched_chan *c, bool none)
{
    const struct sched_sudog *prev = NULL, *sd;

    for (sd = q->first; sd != NULL; prev = sd, sd = sd->next)
        if (sd->prev != prev || !sd->queued || sd->chan != c ||
            sd->g == NULL || (none && can_win(sd)))
            return false;
    return q->last == prev;
}

bool
chan_valid(const struct sched_chan *c)
{
    uint64_t n = a64_load_rlx(&c->count);
    bool closed = a32_load_rlx(&c->closed) != 0;

    if (n > c->cap || (c->timed && c->cap > 1))
        return false;
    if (c->cap == 0 ? c->sendx != 0 || c->recvx != 0
                    : c->sendx >= c->cap || c->recvx >= c->cap ||
                (c->recvx + n) % c->cap != c->sendx)
        return false;
    return waitq_valid(&c->recvq, c, n > 0 || closed) &&
        waitq_valid(&c->sendq, c, n < c->cap || closed);
}

/* The first waiter that can be had, off the queue; or NULL. */
static struct sched_sudog *
pop(struct waitq *q)
{
    struct sched_sudog *sd;

    while ((sd = q->first) != NULL) {
        waitq_remove(q, sd);
        if (sd->select_case < 0)
            return sd;
        /* full: decides between the channels of a select. */
        if (a32_cas_full(&sd->g->select_done, 0, 1)) {
            sd->g->sel_index = sd->select_case;
            return sd;
        }
    }
    return NULL;
}

static void
wait_on(struct sched_m *m, struct sched_chan *c, struct waitq *q,
    union rt_slot *elem, enum sched_wait why)
{
    struct sched_g *g = m->g;
    struct sched_sudog *sd = &g->sudog;

    rt_assert(g->waiting == NULL); /* it is in no select */
    g->durable = c->bubble != 0;
    sd->g = g;
    sd->elem = elem;
    sd->chan = c;
    sd->select_case = -1;
    waitq_put(q, sd);
    sched_park_begin(m, g, why);
}

/* A nil channel: for ever. */
static enum chan_status
wait_nil(struct sched_m *m, enum sched_wait why)
{
    sched_park_begin(m, m->g, why);
    return CHAN_PARK;
}

/* ---- making ---------------------------------------------------------------------- */

bool
chan_init(struct sched_m *m, struct sched_chan *c,
    const struct rt_layout *elem, enum chan_ext ext, uint64_t cap)
{
    rt_assert(c->elem == NULL && c->buf == NULL); /* it is new */
    rt_lock_init(&c->lock, RANK_CHAN);
    c->elem = elem;
    c->ext = (uint8_t)ext;
    c->bubble = bubble_tag(bubble_of(m));
    c->plain = c->bubble == 0 && !c->timed && m->sched->cfg.race == NULL &&
        elem->size % 8 == 0 && elem->size <= 8 * WORDS;
    c->words = c->plain ? elem->size / 8 : 0;
    c->cap = cap;
    if (cap == 0 || elem->size == 0)
        return true;
    c->buf = gc_alloc_array(&m->p->cache, elem, cap); /* c is new: no barrier */
    return c->buf != NULL;
}

struct sched_chan *
chan_make(struct sched_m *m, const struct rt_layout *elem, enum chan_ext ext,
    int64_t size)
{
    static const uint8_t mask[1] = {2};
    static const struct rt_layout layout = {
        sizeof(struct sched_chan), 16, mask};
    struct sched_chan *c;

    _Static_assert(offsetof(struct sched_chan, buf) == 8, "mask");
    if (size < 0 || !gc_array_fits(elem, (uint64_t)size))
        return NULL;
    c = gc_alloc(&m->p->cache, &layout);
    if (c == NULL || !chan_init(m, c, elem, ext, (uint64_t)size))
        return NULL;
    return c;
}

void
chan_stays_open(struct sched_chan *c)
{
    rt_assert(!c->plain && !c->timed);
    c->open = 1;
}

int64_t
chan_len(const struct sched_chan *c)
{
    return c == NULL || (c->timed && tchan_hides(c))
        ? 0 : (int64_t)a64_load_acq(&c->count);
}

int64_t
chan_cap(const struct sched_chan *c)
{
    return c == NULL || (c->timed && tchan_hides(c)) ? 0 : (int64_t)c->cap;
}

/* ---- sending and receiving --------------------------------------------------------- */

/* The counter has one writer at a time: whoever holds the lock. */
static void
set_count(struct sched_chan *c, uint64_t n)
{
    rt_assert(n <= c->cap);
    /* rel: pairs with the acquire loads without the lock. */
    a64_store_rel(&c->count, n);
}

enum chan_status
chan_try_send_locked(struct sched_m *m, struct sched_chan *c,
    const union rt_slot *elem, struct sched_g **wake)
{
    uint64_t n = a64_load_rlx(&c->count);
    struct sched_sudog *sd;

    assert_has_p(m);
    rt_assert_full(chan_valid(c));
    *wake = NULL;
    if (chan_race_on(m))
        chan_race_send(m, c);
    if (rt_unlikely(a32_load_rlx(&c->closed)))
        return CHAN_CLOSED;
    if (c->recvq.first != NULL && (sd = pop(&c->recvq)) != NULL) {
        if (chan_race_on(m) && chan_race_to_receiver(m, c, sd->g))
            c->recvx = c->sendx = after(c, c->recvx);
        if (sd->elem != NULL)
            pass(m, c, sd->elem, elem);
        sd->g->wake_ok = true;
        *wake = sd->g;
        return CHAN_DONE;
    }
    if (n == c->cap)
        return CHAN_WOULD_BLOCK;
    if (chan_race_on(m))
        chan_race_put(m, c);
    put(m, c, c->sendx, elem);
    c->sendx = after(c, c->sendx);
    set_count(c, n + 1);
    return CHAN_DONE;
}

/* The ring is full and a sender waits, or there is no ring. */
static void
recv_from(struct sched_m *m, struct sched_chan *c, struct sched_sudog *sd,
    union rt_slot *elem)
{
    if (chan_race_on(m))
        chan_race_from_sender(m, c, sd->g);
    if (c->cap == 0) {
        if (elem != NULL)
            pass(m, c, elem, sd->elem);
        return;
    }
    rt_assert(a64_load_rlx(&c->count) == c->cap);
    buf_take(m, c, c->recvx, elem);
    put(m, c, c->recvx, sd->elem);
    c->recvx = c->sendx = after(c, c->recvx);
}

enum chan_status
chan_try_recv_locked(struct sched_m *m, struct sched_chan *c,
    union rt_slot *elem, struct sched_g **wake)
{
    struct sched_sudog *sd;

    assert_has_p(m);
    rt_assert_full(chan_valid(c));
    *wake = NULL;
    if (c->sendq.first != NULL && (sd = pop(&c->sendq)) != NULL) {
        recv_from(m, c, sd, elem);
        sd->g->wake_ok = true;
        *wake = sd->g;
    } else if (a64_load_rlx(&c->count) > 0 ||
        (c->timed && tchan_look_locked(m, c))) {
        if (chan_race_on(m))
            chan_race_take(m, c);
        buf_take(m, c, c->recvx, elem);
        c->recvx = after(c, c->recvx);
        set_count(c, a64_load_rlx(&c->count) - 1);
        if (c->timed)
            tchan_taken_locked(m, c);
    } else if (a32_load_rlx(&c->closed)) {
        if (chan_race_on(m))
            chan_race_closed(m->g, c);
        if (elem != NULL)
            chan_zero(c, elem);
        m->g->wake_ok = false;
        return CHAN_DONE;
    } else {
        return CHAN_WOULD_BLOCK;
    }
    m->g->wake_ok = true;
    return CHAN_DONE;
}

static bool
anybody(const struct waitq *q)
{
    const struct sched_sudog *sd = q->first;

    /* Those that another channel has woken are still in the queue. */
    while (sd != NULL && sd->select_case >= 0 &&
        a32_load_rlx(&sd->g->select_done) != 0)
        sd = sd->next;
    return sd != NULL;
}

bool
chan_ready_locked(struct sched_m *m, struct sched_chan *c, bool send)
{
    uint64_t count = a64_load_rlx(&c->count);

    rt_assert(m->p->alone);
    if (a32_load_rlx(&c->closed))
        return true;
    if (send)
        return count < c->cap || anybody(&c->recvq);
    return count > 0 || anybody(&c->sendq) ||
        (c->timed && tchan_look_locked(m, c));
}

/* With the lock, which goes: m's goroutine waits for a receiver. */
static RT_NOINLINE enum chan_status
wait_send(struct sched_m *m, struct sched_chan *c, union rt_slot *elem)
{
    rt_assert_full(chan_valid(c));
    wait_on(m, c, &c->sendq, elem, WAIT_CHAN_SEND);
    chan_unlock(m, c);
    return CHAN_PARK;
}

/* Likewise for a sender. */
static RT_NOINLINE enum chan_status
wait_recv(struct sched_m *m, struct sched_chan *c, union rt_slot *elem)
{
    uint64_t kick = 0;

    rt_assert_full(chan_valid(c));
    wait_on(m, c, &c->recvq, elem, WAIT_CHAN_RECV);
    if (elem != NULL)
        chan_zero(c, elem);
    if (c->timed)
        kick = tchan_settle_locked(m, c);
    chan_unlock(m, c);
    if (kick != 0)
        timer_kick_parked(m, kick);
    return CHAN_PARK;
}

/* With the lock, which goes. */
static RT_NOINLINE enum chan_status
send_locked(struct sched_m *m, struct sched_chan *c, union rt_slot *elem)
{
    struct sched_g *wake;
    enum chan_status st = chan_try_send_locked(m, c, elem, &wake);

    if (st == CHAN_WOULD_BLOCK)
        return wait_send(m, c, elem);
    chan_unlock(m, c);
    if (wake != NULL)
        sched_ready(m, wake);
    return st;
}

static RT_NOINLINE enum chan_status
recv_locked(struct sched_m *m, struct sched_chan *c, union rt_slot *elem)
{
    struct sched_g *wake;
    enum chan_status st = chan_try_recv_locked(m, c, elem, &wake);

    if (st == CHAN_WOULD_BLOCK)
        return wait_recv(m, c, elem);
    chan_unlock(m, c);
    if (wake != NULL)
        sched_ready(m, wake);
    return st;
}

static RT_NOINLINE enum chan_status
send_any(struct sched_m *m, struct sched_chan *c, union rt_slot *elem)
{
    if (c == NULL)
        return wait_nil(m, WAIT_CHAN_SEND_NIL);
    if (chan_outside(m, c))
        return CHAN_OUTSIDE;
    chan_lock_patiently(m, c);
    return send_locked(m, c, elem);
}

static RT_NOINLINE enum chan_status
recv_any(struct sched_m *m, struct sched_chan *c, union rt_slot *elem)
{
    if (c == NULL)
        return wait_nil(m, WAIT_CHAN_RECV_NIL);
    if (chan_outside(m, c))
        return CHAN_OUTSIDE;
    chan_lock_patiently(m, c);
    return recv_locked(m, c, elem);
}

/* ---- plain channels --------------------------------------------------------------- */

/*
 * What chan_try_send_locked() and its twin do, once more: a value of a few
 * words that goes through a ring, or to a goroutine that waits for it, while
 * no mark is under way, in a channel of no bubble or timer, without the race
 * detector.  By those it takes calls of four to six functions, most of which
 * ask for one of these; here none but of what ends it, so that no register is
 * saved.  A pool of workers with 100,000 jobs: 103.8 -> 69.3 M instructions.
 */

static inline void
move(const struct sched_chan *c, void *dst, const void *src)
{
    uint64_t *to = dst;
    const uint64_t *from = src;
    unsigned n = c->words;

    if (n == 0)
        return;
    to[0] = from[0];
    for (unsigned i = 1; i < n; i++)
        to[i] = from[i];
}

static inline uint8_t *
plain_at(const struct sched_chan *c, uint64_t i)
{
    rt_assert(i < c->cap && c->words * 8u == c->elem->size);
    return c->buf + i * c->words * 8;
}

/* Takes the lock if the channel is plain just now, and nobody has it. */
static inline bool
lock_plain(const struct sched_m *m, struct sched_chan *c)
{
    if (c == NULL || !c->plain || m->p->cache.barrier)
        return false;
    assert_has_p(m);
    if (!m->p->alone)
        return rt_trylock(&c->lock);
    rt_lock_push(&c->lock, true);
    return true;
}

static inline enum chan_status
unlock_done(const struct sched_m *m, struct sched_chan *c)
{
    rt_assert_full(chan_valid(c));
    chan_unlock(m, c);
    return CHAN_DONE;
}

static RT_NOINLINE enum chan_status
unlock_ready(struct sched_m *m, struct sched_chan *c, struct sched_g *g)
{
    rt_assert_full(chan_valid(c));
    chan_unlock(m, c);
    sched_ready(m, g);
    return CHAN_DONE;
}

/* Takes the first waiter, of no select, off the queue; its goroutine. */
static inline struct sched_g *
pop_plain(struct waitq *q, struct sched_sudog *sd)
{
    rt_assert(sd == q->first && sd->queued && sd->select_case < 0);
    q->first = sd->next;
    if (sd->next != NULL)
        sd->next->prev = NULL;
    else
        q->last = NULL;
    sd->next = NULL;
    sd->queued = false;
    sd->g->wake_ok = true;
    return sd->g;
}

enum chan_status
chan_send(struct sched_m *m, struct sched_chan *c, union rt_slot *elem)
{
    if (!lock_plain(m, c))
        return send_any(m, c, elem);

    struct sched_sudog *sd = c->recvq.first;
    uint64_t n = a64_load_rlx(&c->count);

    if (a32_load_rlx(&c->closed) != 0 ||
        (sd != NULL && sd->select_case >= 0))
        return send_locked(m, c, elem);
    if (sd != NULL) {
        if (sd->elem != NULL)
            move(c, sd->elem, elem);
        return unlock_ready(m, c, pop_plain(&c->recvq, sd));
    }
    if (n == c->cap)
        return wait_send(m, c, elem);
    move(c, plain_at(c, c->sendx), elem);
    c->sendx = after(c, c->sendx);
    set_count(c, n + 1);
    return unlock_done(m, c);
}

enum chan_status
chan_recv(struct sched_m *m, struct sched_chan *c, union rt_slot *elem)
{
    static const uint64_t zeros[WORDS];

    if (!lock_plain(m, c))
        return recv_any(m, c, elem);

    struct sched_sudog *sd = c->sendq.first;
    uint64_t n = a64_load_rlx(&c->count);

    /* Where a sender waits at a full ring two values move. */
    if (sd != NULL ? n != 0 || sd->select_case >= 0
                   : n == 0 && a32_load_rlx(&c->closed) != 0)
        return recv_locked(m, c, elem);
    if (sd == NULL && n == 0)
        return wait_recv(m, c, elem);
    m->g->wake_ok = true;
    if (sd != NULL) {
        if (elem != NULL)
            move(c, elem, sd->elem);
        return unlock_ready(m, c, pop_plain(&c->sendq, sd));
    }

    uint8_t *from = plain_at(c, c->recvx);

    if (elem != NULL)
        move(c, elem, from);
    /* The ring must not keep alive what has been received. */
    if (c->elem->ptrdata != 0)
        move(c, from, zeros);
    c->recvx = after(c, c->recvx);
    set_count(c, n - 1);
    return unlock_done(m, c);
}

enum chan_status
chan_close(struct sched_m *m, struct sched_chan *c)
{
    struct sched_sudog *sd;
    struct sched_g *list = NULL, **tail = &list, *g;

    if (c == NULL)
        return CHAN_NIL;
    if (chan_outside(m, c))
        return CHAN_OUTSIDE;
    chan_lock(m, c);
    if (a32_load_rlx(&c->closed)) {
        chan_unlock(m, c);
        return CHAN_CLOSED;
    }
    if (chan_race_on(m))
        chan_race_close(m, c);
    a32_store_rel(&c->closed, 1); /* rel: as set_count() */
    while ((sd = pop(&c->recvq)) != NULL) {
        if (chan_race_on(m))
            chan_race_closed(sd->g, c);
        if (sd->elem != NULL)
            chan_zero(c, sd->elem);
        sd->g->wake_ok = false;
        *tail = sd->g;
        tail = &sd->g->sched_link;
    }
    while ((sd = pop(&c->sendq)) != NULL) {
        if (chan_race_on(m))
            chan_race_closed(sd->g, c);
        sd->g->wake_ok = false;
        rt_assert(!sd->g->wake_panic); /* its last one has been raised */
        sd->g->wake_panic = true;
        *tail = sd->g;
        tail = &sd->g->sched_link;
    }
    *tail = NULL;
    rt_assert(c->recvq.first == NULL && c->sendq.first == NULL);
    chan_unlock(m, c);
    while ((g = list) != NULL) {
        list = g->sched_link;
        g->sched_link = NULL;
        sched_ready(m, g);
    }
    return CHAN_DONE;
}

bool
chan_discard_locked(struct sched_m *m, struct sched_chan *c)
{
    bool any = false;

    while (a64_load_rlx(&c->count) > 0) {
        buf_take(m, c, c->recvx, NULL);
        c->recvx = after(c, c->recvx);
        set_count(c, a64_load_rlx(&c->count) - 1);
        any = true;
    }
    return any;
}
