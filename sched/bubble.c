/* SPDX-License-Identifier: MIT */
/*
 * Bubbles: see bubble.h.
 *
 * A bubble counts its goroutines that are not durably blocked (running) and
 * reasons to hold it although all are (active): the root while it does not
 * wait, one that is on its way to wait but still holds a lock, whoever was
 * woken because nobody could go on, and those who have acquired it.  When both
 * are 0 the bubble is idle, and somebody is woken: the root if a timer is due,
 * else who waits for that, else the root.
 *
 * Invariants, with the lock held:
 *   running <= total
 *   root waits for the bubble to be idle  =>  it is not counted in active
 *   somebody has been woken for being idle  =>  active > 0, until it says so
 */
#include "sched/bubble_int.h"

#include <stdlib.h>

#include "runtime/race/race.h"

/* Midnight of the first day of 2000, UTC. */
#define BUBBLE_START_NS (UINT64_C(946684800) * 1000000000)

static bool
bubble_valid(const struct sched_bubble *b)
{
    return b->total >= b->running && b->tag != 0 && b->now >= BUBBLE_START_NS;
}

struct sched_bubble *
bubble_of(const struct sched_m *m)
{
    return m->g != NULL ? m->g->bubble : mi_of((struct sched_m *)m)->bubble;
}

uint64_t
bubble_id(const struct sched_bubble *b)
{
    return b == NULL ? 0 : b->id;
}

uint16_t
bubble_tag(const struct sched_bubble *b)
{
    return b == NULL ? 0 : b->tag;
}

uint64_t
bubble_now(const struct sched_bubble *b)
{
    return a64_load_acq(&b->clock); /* acq: pairs with set_clock_locked() */
}

static void
set_clock_locked(struct sched_bubble *b, uint64_t now)
{
    rt_assert(now >= b->now);
    b->now = now;
    /* rel: who is woken by what happens at that time reads no earlier one. */
    a64_store_rel(&b->clock, now);
}

/* ---- life ------------------------------------------------------------------ */

static void
ref(struct sched_bubble *b)
{
    uint32_t was = a32_add_full(&b->refs, 1);

    rt_assert(was > 0);
    (void)was;
}

static void
unref(struct sched_bubble *b)
{
    struct sched *s = b->s;

    if (a32_add_full(&b->refs, UINT32_MAX) != 1)
        return;
    rt_lock(&s->bubbles_lock);
    *b->link = b->next;
    if (b->next != NULL)
        b->next->link = b->link;
    rt_unlock(&s->bubbles_lock);
    timers_clear(&b->timers);
    free(b);
}

bool
bubble_open(struct sched_m *m, const void *key)
{
    struct sched *s = m->sched;
    struct sched_bubble *b = calloc(1, sizeof *b);

    rt_assert(m->g->bubble == NULL);
    if (b == NULL)
        return false;
    rt_lock_init(&b->lock, RANK_BUBBLE);
    timers_init(&b->timers);
    b->s = s;
    b->root = m->g;
    b->key = key;
    b->running = b->total = b->active = 1;
    set_clock_locked(b, BUBBLE_START_NS);
    a32_store_rlx(&b->refs, 1);
    rt_lock(&s->bubbles_lock);
    b->id = ++s->nbubbles;
    b->tag = (uint16_t)((b->id - 1) % UINT16_MAX + 1);
    b->next = s->bubbles;
    b->link = &s->bubbles;
    if (b->next != NULL)
        b->next->link = &b->next;
    s->bubbles = b;
    rt_unlock(&s->bubbles_lock);
    m->g->bubble = b;
    return true;
}

void
bubble_leave(struct sched_m *m)
{
    struct sched_bubble *b = m->g->bubble;

    rt_assert(b->root == m->g && !m->g->durable);
    rt_lock(&b->lock);
    rt_assert(b->active > 0); /* and so it stays: nobody wakes the root */
    b->key = NULL;
    b->total--;
    b->running--;
    rt_unlock(&b->lock);
    m->g->bubble = NULL;
    unref(b);
}

void
bubble_free_all(struct sched *s)
{
    while (s->bubbles != NULL) {
        a32_store_rlx(&s->bubbles->refs, 1);
        unref(s->bubbles);
    }
}

void
bubble_roots(struct sched *s, void (*mark)(void *arg, void *ptr), void *arg)
{
    rt_lock(&s->bubbles_lock);
    for (struct sched_bubble *b = s->bubbles; b != NULL; b = b->next)
        timers_mark(&b->timers, mark, arg);
    rt_unlock(&s->bubbles_lock);
}

/* ---- who can go on ------------------------------------------------------------ */

/* The race detector is told that what g did comes before whoever goes on
 * because the bubble is idle; lock held. */
static void
race_stops_locked(const struct sched_bubble *b, const struct sched_g *g)
{
    if (rt_unlikely(g->race != NULL) && b->key != NULL)
        race_merge(g->race, b->key);
}

static void
race_goes_on(const struct sched_m *m)
{
    const struct sched_bubble *b = m->g->bubble;

    if (rt_unlikely(m->g->race != NULL) && b->key != NULL)
        race_acquire(m->g->race, b->key);
}

/* Who is to be made ready, if the bubble is idle; or NULL. */
static struct sched_g *
idle_locked(struct sched_bubble *b)
{
    rt_assert_held(&b->lock);
    rt_assert_full(bubble_valid(b));
    if (b->running > 0 || b->active > 0)
        return NULL;
    b->active++;
    if (b->waiter == NULL || timers_next(&b->timers) <= b->now)
        return b->root;
    return b->waiter;
}

/* Ends a section with the lock, in which numbers have become less. */
static void
unlock_and_wake(struct sched_m *m, struct sched_bubble *b)
{
    struct sched_g *wake = idle_locked(b);

    rt_unlock(&b->lock);
    if (wake != NULL)
        sched_ready(m, wake);
}

void
bubble_born(struct sched_bubble *b, struct sched_g *g)
{
    rt_lock(&b->lock);
    rt_assert(b->running > 0 || b->active > 0);
    b->total++;
    b->running++;
    if (b->main == NULL)
        b->main = g;
    rt_unlock(&b->lock);
    ref(b);
    g->bubble = b;
}

/* The goroutine does not belong to b any more. */
static void
lose(struct sched_m *m, struct sched_bubble *b, bool main)
{
    rt_lock(&b->lock);
    rt_assert(b->running > 0 && b->total > 0);
    b->total--;
    b->running--;
    b->done = b->done || main;
    unlock_and_wake(m, b);
    unref(b);
}

void
bubble_ended(
    struct sched_m *m, struct sched_bubble *b, const struct sched_g *g)
{
    lose(m, b, g == b->main);
}

void
bubble_race_end(struct sched_g *g)
{
    struct sched_bubble *b = g->bubble;

    rt_lock(&b->lock);
    race_stops_locked(b, g);
    rt_unlock(&b->lock);
}

void
bubble_park(struct sched_m *m, struct sched_g *g)
{
    struct sched_bubble *b = g->bubble;

    rt_assert(g == m->g && mi_of(m)->parking == NULL);
    ref(b);
    rt_lock(&b->lock);
    rt_assert(b->running > 0);
    b->running--;
    b->active++;
    race_stops_locked(b, g);
    rt_unlock(&b->lock);
    mi_of(m)->parking = b;
}

void
bubble_parked(struct sched_m *m)
{
    struct sched_bubble *b = mi_of(m)->parking;

    assert_has_p(m);
    mi_of(m)->parking = NULL;
    bubble_release(m, b);
}

void
bubble_unpark(struct sched_g *g)
{
    struct sched_bubble *b = g->bubble;

    rt_assert(g->durable);
    g->durable = false;
    rt_lock(&b->lock);
    b->running++;
    rt_unlock(&b->lock);
}

/* ---- the root ----------------------------------------------------------------- */

/* Fires what is due, as if no goroutine did so: who is started by a timer is
 * nobody's child. */
static void
fire(struct sched_m *m, struct sched_bubble *b)
{
    struct sched_g *g = m->g;

    m->g = NULL;
    mi_of(m)->bubble = b;
    timers_fire(mi_of(m), &b->timers, b->now);
    mi_of(m)->bubble = NULL;
    m->g = g;
}

bool
bubble_step(struct sched_m *m)
{
    struct sched_bubble *b = m->g->bubble;
    uint64_t next;

    assert_has_p(m);
    rt_assert(b->root == m->g);
    rt_lock(&b->lock);
    rt_assert(b->active > 0);
    next = timers_next(&b->timers);
    if (b->begun && (next == UINT64_MAX || b->done)) {
        rt_unlock(&b->lock);
        race_goes_on(m);
        return false;
    }
    if (b->begun && next > b->now)
        set_clock_locked(b, next);
    b->begun = true;
    rt_unlock(&b->lock);
    fire(m, b);
    return true;
}

void
bubble_idle(struct sched_m *m)
{
    struct sched_bubble *b = m->g->bubble;

    rt_assert(b->root == m->g);
    rt_lock(&b->lock);
    rt_assert(b->running > 0 && b->active > 0);
    b->active--;
    rt_unlock(&b->lock);
    /* If nobody can go on, not even who waits for just that, it is woken as
     * soon as it has stopped. */
    sched_park_begin(m, m->g, WAIT_SYNCTEST_RUN);
}

enum bubble_stuck
bubble_stuck(struct sched_m *m)
{
    struct sched_bubble *b = m->g->bubble;
    enum bubble_stuck r = BUBBLE_OVER;

    rt_assert(b->root == m->g);
    rt_lock(&b->lock);
    if (b->total > 1)
        r = b->done ? BUBBLE_LEFT : BUBBLE_STUCK;
    rt_unlock(&b->lock);
    return r;
}

/* ---- waiting, and holding --------------------------------------------------------- */

bool
bubble_wait(struct sched_m *m)
{
    struct sched_bubble *b = m->g->bubble;
    bool first;

    rt_lock(&b->lock);
    first = b->waiter == NULL;
    if (first)
        b->waiter = m->g;
    rt_unlock(&b->lock);
    if (first)
        sched_park_begin(m, m->g, WAIT_SYNCTEST_WAIT);
    return first;
}

void
bubble_waited(struct sched_m *m)
{
    struct sched_bubble *b = m->g->bubble;

    rt_lock(&b->lock);
    rt_assert(b->waiter == m->g && b->running > 0 && b->active > 0);
    b->waiter = NULL;
    b->active--;
    rt_unlock(&b->lock);
    race_goes_on(m);
}

struct sched_bubble *
bubble_acquire(struct sched_m *m)
{
    struct sched_bubble *b = m->g->bubble;

    if (b == NULL)
        return NULL;
    ref(b);
    rt_lock(&b->lock);
    b->active++;
    rt_unlock(&b->lock);
    return b;
}

void
bubble_release(struct sched_m *m, struct sched_bubble *b)
{
    rt_lock(&b->lock);
    rt_assert(b->active > 0);
    b->active--;
    unlock_and_wake(m, b);
    unref(b);
}

void
bubble_enter(struct sched_m *m, struct sched_bubble *b)
{
    rt_assert(m->g->bubble == NULL && b->active > 0);
    bubble_born(b, m->g);
}

void
bubble_exit(struct sched_m *m)
{
    struct sched_bubble *b = m->g->bubble;

    m->g->bubble = NULL;
    lose(m, b, false);
}
