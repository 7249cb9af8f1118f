/* SPDX-License-Identifier: MIT */
/*
 * Channels with a timer.
 *
 * The deadline `when` is the truth, guarded by the channel's lock; the timer
 * in a P's heap is only what makes somebody look at it in time.  Invariant,
 * whenever the lock is released:
 *
 *   the timer is in a heap  =>  when != 0, and it is wanted()
 *   when != 0, and it is wanted()
 *                           =>  the timer is in a heap with that deadline, or
 *                               on its way out of it to expire()
 *
 * It is wanted if a goroutine waits to receive, if it is to call, or if it is
 * buffered; but not as long as it can only come again and find the ring full.
 * A ticker of a nanosecond that nobody reads came ten million times while a
 * seeded schedule slept for 10 ms.
 *
 * So expire() may come for a deadline that has been changed meanwhile: it
 * compares with `when`.  A timer that nobody waits for is in no heap, does
 * no work, and is kept alive by nothing; chan_try_recv_locked() sees by the
 * clock whether it has expired (tchan_look_locked()).
 *
 * The ring has room for one value.  What setting and stopping throw away
 * cannot be received later, since expiring fills the ring under the same
 * lock; which makes the channel one without a buffer to all who use it.  One
 * that is buffered for the program, too, keeps what is in the ring.
 *
 * Locks: CHAN, then TIMERS of one P.  The idea is that of Go 1.23's
 * time.go (maybeRunChan, blockTimerChan).
 */
#include "sched/chan_int.h"

#include <stddef.h>

struct sched_tchan {
    struct sched_chan c; /* first; c.timed */
    void *data;          /* const after tchan_make() */
    struct sched_timer t;
    /* const after tchan_make() */
    const struct tchan_ops *ops;
    uint64_t arg;
    /* guarded by c.lock */
    uint64_t when; /* 0: off */
    uint64_t period;
};

static struct sched_tchan *
tchan_of(struct sched_chan *c)
{
    rt_assert(c->timed);
    return (struct sched_tchan *)c;
}

static bool
wanted(const struct sched_tchan *tc)
{
    if (tc->when == 0)
        return false;
    if (tc->ops->buffered && tc->period != 0)
        return a64_load_rlx(&tc->c.count) == 0;
    return tc->ops->call != NULL || tc->ops->buffered ||
        tc->c.recvq.first != NULL;
}

bool
tchan_hides(const struct sched_chan *c)
{
    const struct sched_tchan *tc = (const struct sched_tchan *)c;

    rt_assert(c->timed);
    return !tc->ops->buffered;
}

uint64_t
tchan_settle_locked(struct sched_m *m, struct sched_chan *c)
{
    struct sched_tchan *tc = tchan_of(c);

    assert_has_p(m);
    rt_assert(tc->t.obj == tc && tc->c.sendq.first == NULL);
    if (!wanted(tc)) {
        timer_stop(m, &tc->t);
        return 0;
    }
    /* acq: as lock_heap_of(); only the holder of the lock puts it there. */
    if (aptr_load_acq(&tc->t.heap) != NULL && tc->t.when == tc->when)
        return 0;
    if (c->bubble != 0) {
        rt_assert(!chan_outside(m, c));
        timer_set_in_bubble(m, &tc->t, tc->when);
        return 0;
    }
    return timer_set(m, &tc->t, tc->when) ? tc->when : 0;
}

/* The first time after `now` that is a whole number of periods later, so that
 * an expiry which comes late does not shift those after it; 0: none. */
static uint64_t
next_after(const struct sched_tchan *tc, uint64_t now)
{
    rt_assert(tc->when != 0 && tc->when <= now);
    return tc->period == 0
        ? 0 : tc->when + tc->period * (1 + (now - tc->when) / tc->period);
}

/* If the timer is due: sets it for the next time and gives the value to a
 * goroutine, which is then *wake, or to the ring if that is empty. */
static bool
run(struct sched_m *m, struct sched_tchan *tc, uint64_t now,
    struct sched_g **wake)
{
    union rt_slot v[TCHAN_SLOTS];
    uint64_t when = tc->when;

    *wake = NULL;
    if (when == 0 || when > now)
        return false;
    tc->when = next_after(tc, now);
    rt_assert(tc->when == 0 || tc->when > now);
    if (tc->ops->value != NULL) {
        tc->ops->value(tc->data, tc->arg, when, now, tc->c.bubble != 0, v);
        (void)chan_try_send_locked(m, &tc->c, v, wake);
    }
    return true;
}

uint64_t
tchan_now(struct sched_m *m, const struct sched_chan *c)
{
    rt_assert(!chan_outside(m, c));
    return c->bubble != 0 ? bubble_now(bubble_of(m)) : sched_now(m->sched);
}

bool
tchan_outside(const struct sched_m *m, const struct sched_chan *c)
{
    return chan_outside(m, c);
}

bool
tchan_look_locked(struct sched_m *m, struct sched_chan *c)
{
    struct sched_tchan *tc = tchan_of(c);
    struct sched_g *wake;

    /* Those that wait already come first, and have it in a heap. */
    if (tc->when == 0 || tc->ops->value == NULL || tc->ops->buffered ||
        c->recvq.first != NULL)
        return false;
    return run(m, tc, tchan_now(m, c), &wake);
}

void
tchan_taken_locked(struct sched_m *m, struct sched_chan *c)
{
    struct sched_tchan *tc = tchan_of(c);
    uint64_t now, kick;

    rt_assert(a64_load_rlx(&c->count) == 0);
    if (!tc->ops->buffered || tc->period == 0)
        return;
    now = tchan_now(m, c);
    if (tc->when != 0 && tc->when <= now)
        tc->when = next_after(tc, now); /* these found the ring full */
    kick = tchan_settle_locked(m, c);
    if (kick != 0)
        timer_kick(m->sched, kick);
}

/* sched_timer.fire */
static void
expire(struct sched_m *m, struct sched_timer *t, uint64_t now)
{
    struct sched_tchan *tc = t->obj;
    struct sched_g *wake;
    uint64_t kick;
    bool ran;

    chan_lock(m, &tc->c);
    ran = run(m, tc, now, &wake);
    kick = tchan_settle_locked(m, &tc->c);
    chan_unlock(m, &tc->c);
    if (wake != NULL)
        sched_ready(m, wake);
    if (ran && tc->ops->call != NULL) {
        mi_of(m)->race_cause = tc;
        tc->ops->call(m, tc->data, tc->arg);
        mi_of(m)->race_cause = NULL;
    }
    if (kick != 0)
        timer_kick(m->sched, kick);
}

/* ---- the API ------------------------------------------------------------------------ */

enum {
    BUF_WORD = offsetof(struct sched_tchan, c.buf) / 8,
    DATA_WORD = offsetof(struct sched_tchan, data) / 8
};

struct sched_chan *
tchan_make(struct sched_m *m, const struct tchan_ops *ops, void *data,
    uint64_t arg)
{
    static const uint8_t mask[] = {
        1 << BUF_WORD, 1 << (DATA_WORD - 8)};
    static const struct rt_layout layout = {
        sizeof(struct sched_tchan), (DATA_WORD + 1) * 8, mask};
    struct sched_tchan *tc;

    _Static_assert(BUF_WORD < 8 && DATA_WORD >= 8 && DATA_WORD < 16, "mask");
    rt_assert((ops->value == NULL) != (ops->call == NULL));
    rt_assert(!ops->buffered || ops->value != NULL);
    rt_assert(ops->elem->size <= TCHAN_SLOTS * sizeof(union rt_slot));
    tc = gc_alloc(&m->p->cache, &layout);
    if (tc == NULL)
        return NULL;
    /* The frame that has it may be scanned only after it has dropped it. */
    gc_shade(&m->p->cache, data);
    tc->data = data;
    tc->arg = arg;
    tc->ops = ops;
    tc->t.fire = expire;
    tc->t.obj = tc;
    tc->c.timed = true;
    if (!chan_init(m, &tc->c, ops->elem, CHAN_EXT_MEM, ops->value != NULL))
        return NULL;
    return &tc->c;
}

/* A timer of a bubble is due when it is set: nobody looks at the clock before
 * the bubble is idle.  As if no goroutine did it. */
static void
expire_now(struct sched_m *m, struct sched_tchan *tc)
{
    struct sched_g *g = m->g;

    rt_assert(mi_of(m)->bubble == NULL);
    if (!timer_stop(m, &tc->t))
        return; /* nobody waits for it, or it happens just now */
    mi_of(m)->bubble = g->bubble;
    m->g = NULL;
    expire(m, &tc->t, bubble_now(mi_of(m)->bubble));
    mi_of(m)->bubble = NULL;
    m->g = g;
}

/* Sets the deadline; true if the old one, or a value, has gone. */
static bool
change(struct sched_m *m, struct sched_chan *c, uint64_t when,
    uint64_t period)
{
    struct sched_tchan *tc = tchan_of(c);
    uint64_t kick;
    bool was;

    rt_assert(when != 0 || period == 0);
    rt_assert(!chan_outside(m, c));
    chan_lock(m, c);
    was = tc->when != 0;
    if (!tc->ops->buffered)
        was |= chan_discard_locked(m, c);
    if (when != 0 && chan_race_on(m))
        tchan_race_set(m, c, tc->ops->call != NULL);
    tc->when = when;
    tc->period = period;
    kick = tchan_settle_locked(m, c);
    chan_unlock(m, c);
    if (kick != 0)
        timer_kick(m->sched, kick);
    if (c->bubble != 0 && when != 0 && when <= tchan_now(m, c))
        expire_now(m, tc);
    return was;
}

bool
tchan_set(struct sched_m *m, struct sched_chan *c, uint64_t when,
    uint64_t period)
{
    rt_assert(when != 0);
    return change(m, c, when, period);
}

bool
tchan_stop(struct sched_m *m, struct sched_chan *c)
{
    return change(m, c, 0, 0);
}
