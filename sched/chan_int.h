/* SPDX-License-Identifier: MIT */
#ifndef SCHED_CHAN_INT_H
#define SCHED_CHAN_INT_H

/* Channels as chan.c and select.c see them. */

#include "sched/bubble_int.h"

/* First in, first out, linked through next and prev. */
struct waitq {
    struct sched_sudog *first, *last;
};

/*
 * On the collected heap; buf is the only pointer that the collector follows.
 * Invariants, with lock held:
 *   count > 0 or closed    =>  recvq has no waiter that can win
 *   count < cap or closed  =>  sendq has no waiter that can win
 *   sendx == (recvx + count) mod cap
 */
struct sched_chan {
    struct rt_lock lock; /* CHAN */
    uint8_t *buf;        /* cap elements in memory layout */
    /* guarded by lock; len() and selects with a default look without it */
    a_u64 count;
    a_u32 closed;
    /* const after chan_make() */
    uint8_t ext : 3;   /* enum chan_ext */
    uint8_t open : 1;  /* chan_stays_open() */
    uint8_t plain : 1; /* chan.c, "Plain channels" */
    uint8_t words : 3; /* of an element of such */
    bool timed;        /* the first part of a struct sched_tchan */
    uint16_t bubble; /* bubble_tag() of that of its maker */
    uint64_t cap;
    const struct rt_layout *elem;
    /* guarded by lock */
    uint64_t sendx, recvx;
    struct waitq recvq, sendq;
};

/* Pauses, m having found a channel locked; m has a P, not the only one, and
 * holds no lock.  Note [crowded] in backoff.c. */
void chan_stay_away(struct sched_m *m);

/*
 * The owner of the only P needs no lock.  Where there are several the lock
 * is one that sleeps: a spin lock, whose release is a plain store, saves 3 %
 * of a ping-pong, but two Ps at one busy channel then hand its cache lines to
 * and fro at every operation, where of two that sleep one goes on alone for
 * a while (a pool of workers on 2 Ps: half the time).  After the unlock c may
 * be gone if the caller has parked.
 */
static inline void
chan_lock(const struct sched_m *m, struct sched_chan *c)
{
    if (m->p->alone)
        rt_lock_push(&c->lock, true);
    else
        rt_lock(&c->lock);
}

/* The same, not at once where others are at c all the time: for a caller who
 * holds no other lock. */
static inline void
chan_lock_patiently(struct sched_m *m, struct sched_chan *c)
{
    if (!m->p->alone && rt_unlikely(rt_lock_taken(&c->lock)))
        chan_stay_away(m);
    chan_lock(m, c);
}

static inline void
chan_unlock(const struct sched_m *m, struct sched_chan *c)
{
    if (m->p->alone)
        rt_lock_pop(&c->lock);
    else
        rt_unlock(&c->lock);
}

void waitq_put(struct waitq *q, struct sched_sudog *sd);
void waitq_remove(struct waitq *q, struct sched_sudog *sd);

/*
 * Sends or receives without waiting; c->lock held.  CHAN_DONE, CHAN_CLOSED
 * (send only) or CHAN_WOULD_BLOCK.  *wake is the goroutine that the caller
 * must make ready once it has released its locks, or NULL.
 */
enum chan_status chan_try_send_locked(struct sched_m *m, struct sched_chan *c,
    const union rt_slot *elem, struct sched_g **wake);
enum chan_status chan_try_recv_locked(struct sched_m *m, struct sched_chan *c,
    union rt_slot *elem, struct sched_g **wake);

/* What a receive from a closed channel gives: a zero value at dst. */
void chan_zero(const struct sched_chan *c, union rt_slot *dst);

/* Whether that would not answer CHAN_WOULD_BLOCK.  Of the only P; c->lock
 * held. */
bool chan_ready_locked(struct sched_m *m, struct sched_chan *c, bool send);

/* Prepares c, all zeros and on the collected heap, with room for cap elements.
 * False where memory is out. */
bool chan_init(struct sched_m *m, struct sched_chan *c,
    const struct rt_layout *elem, enum chan_ext ext, uint64_t cap);
/* Drops what the ring holds; c->lock held.  True if there was anything. */
bool chan_discard_locked(struct sched_m *m, struct sched_chan *c);

/* The invariants of struct sched_chan and its queues; c->lock held. */
bool chan_valid(const struct sched_chan *c);

/* Whether c belongs to a bubble that what m does now is not in. */
static inline bool
chan_outside(const struct sched_m *m, const struct sched_chan *c)
{
    return bubble_outside(m, c->bubble);
}

/* Whether somebody watches for races; if so the functions below are to be
 * called at the places that they are named after, before the value moves, with
 * c->lock held. */
static inline bool
chan_race_on(const struct sched_m *m)
{
    return rt_unlikely(m->sched->cfg.race != NULL);
}

void chan_race_send(struct sched_m *m, const struct sched_chan *c);
/* Into and out of the ring. */
void chan_race_put(struct sched_m *m, const struct sched_chan *c);
void chan_race_take(struct sched_m *m, const struct sched_chan *c);
/* To g, which waits for a value; true: by way of the ring's next place, which
 * is then the next but one. */
bool chan_race_to_receiver(
    struct sched_m *m, const struct sched_chan *c, struct sched_g *g);
/* From g, which waits with one. */
void chan_race_from_sender(
    struct sched_m *m, const struct sched_chan *c, struct sched_g *g);
void chan_race_close(struct sched_m *m, const struct sched_chan *c);
/* g, which need not run, finds the channel closed. */
void chan_race_closed(struct sched_g *g, const struct sched_chan *c);
/* A timed channel is set; calls: its timer starts goroutines. */
void tchan_race_set(
    struct sched_m *m, const struct sched_chan *c, bool calls);

/*
 * For a channel that is timed, with its lock held (tchan.c).
 *
 * look: the timer is in no heap, so nobody else sees whether it has expired:
 * if so, puts the value into the ring, and answers true.  settle: goroutines
 * have begun or ceased to wait; puts the timer into a heap or takes it out.
 * Answers the time with which to call timer_kick() after the unlock, or 0.
 * taken: the ring has just been emptied, by m's goroutine, which runs on.
 * hides, with or without the lock: the program does not see that there is a
 * buffer.
 */
bool tchan_look_locked(struct sched_m *m, struct sched_chan *c);
uint64_t tchan_settle_locked(struct sched_m *m, struct sched_chan *c);
void tchan_taken_locked(struct sched_m *m, struct sched_chan *c);
bool tchan_hides(const struct sched_chan *c);

#endif
