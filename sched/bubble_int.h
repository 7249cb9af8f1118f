/* SPDX-License-Identifier: MIT */
#ifndef SCHED_BUBBLE_INT_H
#define SCHED_BUBBLE_INT_H

/* Bubbles as this folder sees them. */

#include "sched/bubble.h"
#include "sched/sched_int.h"

struct sched_bubble {
    /* const after bubble_open() */
    struct sched *s;
    uint64_t id;
    uint16_t tag;
    struct sched_g *root;

    /* atomic */
    a_u32 refs;  /* goroutines in it, and who holds it otherwise */
    a_u64 clock; /* now, for whoever reads it without the lock */

    struct sched_timers timers; /* has a lock of its own */

    struct rt_lock lock; /* BUBBLE: the rest of the fields */
    uint64_t now;           /* written by the root alone */
    const void *key;        /* for the race detector; NULL: the root has left */
    struct sched_g *main;   /* the first that the root has started; compared
                               only */
    struct sched_g *waiter; /* in bubble_wait(); or NULL */
    bool begun;             /* the first step has been made */
    bool done;              /* the main goroutine has ended */
    uint32_t total;         /* goroutines, with the root */
    uint32_t running;       /* those that are not durably blocked */
    uint32_t active;        /* what else keeps it from being idle */

    /* guarded by the scheduler's bubbles_lock */
    struct sched_bubble *next, **link;
};

/* g, of a bubble, is about to end, and has not told the race detector yet. */
void bubble_race_end(struct sched_g *g);

/* Whether c belongs to a bubble that what m does now is not in. */
static inline bool
bubble_outside(const struct sched_m *m, uint16_t tag)
{
    return rt_unlikely(tag != 0) && bubble_tag(bubble_of(m)) != tag;
}

#endif
