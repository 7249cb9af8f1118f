/* SPDX-License-Identifier: MIT */
/*
 * Timers: a 4-ary heap for each P, by deadline, under its TIMERS lock, and one
 * for each bubble.  A timer belongs to the P that armed it; any M may fire what
 * is overdue.  Those of a bubble are fired by its root alone.
 *
 * A timer is armed (`heap` is the one in which it is) or off (NULL); while its
 * function runs, without the lock, it is off already.  timer_stop() of a firing
 * timer answers false: it has happened.  `heap` changes under the lock of the
 * heap that it names before or after the change.
 *
 * A timer may lie in the collected heap, as part of t->obj.  Between its
 * removal from the heap of the P and the end of fire() no root names it; but
 * the M that fires has a P and does not stop meanwhile, so no mark ends and
 * nothing is swept that was alive when it began.
 */
#include "sched/bubble_int.h"

#include <stdlib.h>
#include <string.h>

/* ---- the heap ----------------------------------------------------------------- */

static void
set(struct sched_timers *h, uint32_t i, struct sched_timer *t)
{
    rt_assert(i < h->cap);
    h->heap[i] = t;
    t->heap_pos = i;
}

static bool
is_before(const struct sched_timer *a, const struct sched_timer *b)
{
    return a->when < b->when || (a->when == b->when && a->tie < b->tie);
}

static void
up(struct sched_timers *h, uint32_t i)
{
    struct sched_timer *t = h->heap[i];

    while (i > 0) {
        uint32_t parent = (i - 1) / 4;

        if (!is_before(t, h->heap[parent]))
            break;
        set(h, i, h->heap[parent]);
        i = parent;
    }
    set(h, i, t);
}

static void
down(struct sched_timers *h, uint32_t i)
{
    struct sched_timer *t = h->heap[i];

    for (;;) {
        uint32_t first = i * 4 + 1, best = i, k;
        const struct sched_timer *least = t;

        for (k = first; k < first + 4 && k < h->n; k++)
            if (is_before(h->heap[k], least)) {
                best = k;
                least = h->heap[k];
            }
        if (best == i)
            break;
        set(h, i, h->heap[best]);
        i = best;
    }
    set(h, i, t);
}

/* heap[i] is where it says it is, and in order with those around it. */
static bool
valid_at(const struct sched_timers *h, uint32_t i)
{
    const struct sched_timer *t = h->heap[i];

    if (t->heap_pos != i || aptr_load_rlx(&t->heap) != h || t->fire == NULL)
        return false;
    if (i > 0 && is_before(t, h->heap[(i - 1) / 4]))
        return false;
    for (uint64_t k = 4 * (uint64_t)i + 1; k <= 4 * (uint64_t)i + 4; k++)
        if (k < h->n && is_before(h->heap[k], t))
            return false;
    return true;
}

bool
timers_valid(const struct sched_timers *h)
{
    if (h->n > h->cap || (h->heap == NULL) != (h->cap == 0))
        return false;
    /* First whether n is right: what is behind it must not be looked into. */
    for (uint32_t i = 0; i < h->cap; i++)
        if ((h->heap[i] != NULL) != (i < h->n))
            return false;
    for (uint32_t i = 0; i < h->n; i++)
        if (!valid_at(h, i))
            return false;
    return a64_load_rlx(&h->next) ==
        (h->n == 0 ? UINT64_MAX : h->heap[0]->when);
}

static void
publish(struct sched_timers *h)
{
    /* full: pairs with sleep_for_timer(), see there. */
    a64_store_full(&h->next, h->n ? h->heap[0]->when : UINT64_MAX);
}

static void
heap_add(struct sched_timers *h, struct sched_timer *t)
{
    rt_assert_held(&h->lock);
    rt_assert(aptr_load_rlx(&t->heap) == NULL); /* in no heap yet */
    if (h->n == h->cap) {
        uint32_t cap = h->cap ? h->cap * 2 : 16;
        struct sched_timer **heap = realloc(h->heap, cap * sizeof *heap);

        if (heap == NULL)
            rt_no_memory();
        memset(heap + h->cap, 0, (cap - h->cap) * sizeof *heap);
        h->heap = heap;
        h->cap = cap;
    }
    rt_assert(h->heap[h->n] == NULL);
    aptr_store_rel(&t->heap, h);
    h->heap[h->n] = t;
    t->heap_pos = h->n++;
    up(h, t->heap_pos);
    publish(h);
    rt_assert_full(valid_at(h, t->heap_pos));
}

static void
remove_at(struct sched_timers *h, uint32_t i)
{
    struct sched_timer *t = h->heap[i], *last = h->heap[--h->n];

    rt_assert_held(&h->lock);
    rt_assert(i <= h->n && t->heap_pos == i);
    if (last != t) {
        set(h, i, last);
        down(h, i);
        up(h, last->heap_pos);
    }
    h->heap[h->n] = NULL;
    aptr_store_rel(&t->heap, NULL);
    publish(h);
}

/*
 * Locks the heap in which t is, and returns it; NULL where it is in none.
 * Only the caller may put it into one.
 */
static struct sched_timers *
lock_heap_of(struct sched_timer *t)
{
    struct sched_timers *h;

    /* acq: pairs with the rel in heap_add() and remove_at() */
    while ((h = aptr_load_acq(&t->heap)) != NULL) {
        rt_lock(&h->lock);
        if (aptr_load_rlx(&t->heap) == h)
            return h;
        rt_unlock(&h->lock); /* fired or moved meanwhile */
    }
    return NULL;
}

void
timers_init(struct sched_timers *h)
{
    rt_lock_init(&h->lock, RANK_TIMERS);
    a64_store_rlx(&h->next, UINT64_MAX);
}

uint64_t
timers_next(const struct sched_timers *h)
{
    return a64_load_acq(&h->next);
}

/* ---- the API ------------------------------------------------------------------------- */

/* The M that sleeps for the next timer must sleep less.  Where none sleeps,
 * an idle M must be made to. */
void
timer_kick(struct sched *s, uint64_t when)
{
    /* acq, after the full store in publish(): pairs with sleep_for_timer() */
    uint64_t until = a64_load_acq(&s->sleep_until);

    if (until == 0) {
        sched_wakep(s);
        return;
    }
    if (until <= when)
        return;
    rt_lock(&s->lock);
    sched_wake_sleeper_locked(s);
    rt_unlock(&s->lock);
}

void
timer_kick_parked(struct sched_m *m, uint64_t when)
{
    struct sched_g *g = m->g;

    rt_assert(g != NULL);
    m->g = NULL;
    timer_kick(m->sched, when);
    m->g = g;
}

/* Moves t in its heap, or puts it into h. */
static bool
set_in(struct sched_m *m, struct sched_timer *t, uint64_t when,
    struct sched_timers *h)
{
    struct sched_timers *in = lock_heap_of(t);
    bool first;

    assert_has_p(m);
    rt_assert(t->fire != NULL);
    t->when = when;
    if (in != NULL) {
        down(in, t->heap_pos);
        up(in, t->heap_pos);
        publish(in);
        rt_assert_full(valid_at(in, t->heap_pos));
    } else {
        in = h;
        /* This heap's roots may have been marked already. */
        gc_shade(&m->p->cache, t->obj);
        rt_lock(&in->lock);
        heap_add(in, t);
    }
    first = t->heap_pos == 0;
    rt_unlock(&in->lock);
    return first;
}

bool
timer_set(struct sched_m *m, struct sched_timer *t, uint64_t when)
{
    return set_in(m, t, when, &pi_of(m->p)->timers);
}

/* Timers of a bubble that are due at the same time come in any order. */
static void
draw_tie(struct sched_m *m, struct sched_timer *t)
{
    t->tie = (uint32_t)rt_rand_u64(&pi_of(m->p)->rand);
}

void
timer_set_in_bubble(struct sched_m *m, struct sched_timer *t, uint64_t when)
{
    /* Only who is in the bubble puts it into the heap, and does so here. */
    if (aptr_load_acq(&t->heap) == NULL) /* acq: as lock_heap_of() */
        draw_tie(m, t);
    set_in(m, t, when, &bubble_of(m)->timers);
}

bool
timer_stop(struct sched_m *m, struct sched_timer *t)
{
    struct sched_timers *h = lock_heap_of(t);

    (void)m;
    if (h == NULL)
        return false;
    remove_at(h, t->heap_pos);
    rt_unlock(&h->lock);
    return true;
}

static void
wake_g(struct sched_m *m, struct sched_timer *t, uint64_t now)
{
    (void)now;
    struct sched_g *g = (struct sched_g *)(uintptr_t)t->arg;

    rt_assert(g->timer == t && g->wait_reason == WAIT_SLEEP);
    sched_ready(m, g);
}

bool
timer_sleep(struct sched_m *m, int64_t ns)
{
    struct sched *s = m->sched;
    struct sched_g *g = m->g;
    struct sched_bubble *b = g->bubble;
    struct sched_timers *h = b != NULL ? &b->timers : &pi_of(m->p)->timers;
    struct sched_timer *t = g->timer;
    uint64_t when;
    bool first;

    assert_has_p(m);
    if (ns <= 0)
        return false;
    rt_assert(t == NULL || aptr_load_rlx(&t->heap) == NULL);
    if (t == NULL) {
        t = g->timer = calloc(1, sizeof *t);
        if (t == NULL)
            rt_no_memory();
        t->fire = wake_g;
        t->arg = (uint64_t)(uintptr_t)g;
    }
    t->tie = 0;
    if (b != NULL)
        draw_tie(m, t);
    when = (b != NULL ? bubble_now(b) : sched_now(s)) + (uint64_t)ns;
    if (when > INT64_MAX)
        when = INT64_MAX;
    t->when = when;
    rt_lock(&h->lock);
    heap_add(h, t);
    first = t->heap_pos == 0;
    sched_park_begin(m, g, WAIT_SLEEP);
    rt_unlock(&h->lock);
    /* From here on the goroutine may run elsewhere. */
    if (first && b == NULL)
        timer_kick_parked(m, when);
    return true;
}

/* ---- firing ------------------------------------------------------------------------------ */

bool
timers_fire(struct sched_mi *m, struct sched_timers *h, uint64_t now)
{
    bool ran = false;

    assert_has_p(&m->m);
    rt_assert(m->m.g == NULL); /* fire() runs in no goroutine */
    rt_lock(&h->lock);
    /* Those that are due now, and no others, or it might never end: what is
     * set meanwhile is later than `now`, except by a program that asks for
     * the past.  A stop of the world does not wait for all of them. */
    while (h->n > 0 && h->heap[0]->when <= now &&
        !a32_load_acq(&m->m.sched->gcwaiting)) {
        struct sched_timer *t = h->heap[0];

        remove_at(h, 0);
        rt_assert_full(h->n == 0 || valid_at(h, 0));
        rt_unlock(&h->lock);
        t->fire(&m->m, t, now);
        ran = true;
        rt_lock(&h->lock);
    }
    rt_unlock(&h->lock);
    return ran;
}

bool
timers_check(struct sched_mi *m, struct sched_pi *p, uint64_t now)
{
    if (a64_load_acq(&p->timers.next) > now)
        return false;
    return timers_fire(m, &p->timers, now);
}

/* The earliest deadline of all Ps; 0: none. */
uint64_t
timers_next_all(struct sched *s)
{
    uint32_t i, n = a32_load_acq(&s->nprocs);
    uint64_t best = UINT64_MAX;

    for (i = 0; i < n; i++) {
        uint64_t t = a64_load_acq(&s->allp[i]->timers.next);

        if (t < best)
            best = t;
    }
    return best == UINT64_MAX ? 0 : best;
}

/* World stopped; all timers change hands. */
void
timers_move(struct sched_pi *from, struct sched_pi *to)
{
    assert_stw(from->s);
    rt_assert(from != to);
    for (;;) {
        struct sched_timers *h = &from->timers;
        struct sched_timer *t;

        /* A timer_stop() on a thread that is in a syscall is not possible,
         * so that between the two locks nobody misses t. */
        rt_lock(&h->lock);
        t = h->n > 0 ? h->heap[h->n - 1] : NULL;
        if (t != NULL)
            remove_at(h, h->n - 1);
        rt_unlock(&h->lock);
        if (t == NULL)
            break;
        rt_lock(&to->timers.lock);
        heap_add(&to->timers, t);
        rt_unlock(&to->timers.lock);
    }
}

void
timers_clear(struct sched_timers *h)
{
    for (uint32_t i = 0; i < h->n; i++)
        aptr_store_rel(&h->heap[i]->heap, NULL);
    free(h->heap);
    h->heap = NULL;
    h->n = h->cap = 0;
}

/* ---- roots ------------------------------------------------------------------------------- */

struct roots {
    void (*mark)(void *arg, void *ptr);
    void *arg;
    struct sched *s;
};

static void
g_roots(void *arg, struct sched_g *g)
{
    const struct roots *r = arg;

    for (struct sched_sudog *sd = g->waiting; sd != NULL; sd = sd->wait_link)
        r->mark(r->arg, sd->chan);
    sched_saw(r->s, g);
}

void
timers_mark(struct sched_timers *h, void (*mark)(void *arg, void *ptr),
    void *arg)
{
    rt_lock(&h->lock);
    rt_assert_full(timers_valid(h));
    for (uint32_t k = 0; k < h->n; k++)
        if (h->heap[k]->obj != NULL)
            mark(arg, h->heap[k]->obj);
    rt_unlock(&h->lock);
}

void
timers_roots(struct sched *s, void (*mark)(void *arg, void *ptr), void *arg)
{
    for (uint32_t i = 0; i < a32_load_acq(&s->nall); i++)
        timers_mark(&s->allp[i]->timers, mark, arg);
    bubble_roots(s, mark, arg);
}

void
sched_roots(struct sched *s, void (*mark)(void *arg, void *ptr), void *arg)
{
    struct roots r = {mark, arg, s};

    timers_roots(s, mark, arg);
    sched_each_g(s, g_roots, &r);
}
