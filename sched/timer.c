/* SPDX-License-Identifier: MIT */
/*
 * Timers: a 4-ary heap for each P, by deadline, under the P's TIMERS lock.
 * A timer belongs to the P that armed it; any M may fire what is overdue.
 *
 * A timer is armed (p is the P in whose heap it is) or off (p NULL); while
 * its function runs, without the lock, it is off already.  timer_stop() of a
 * firing timer answers false: it has happened.  p changes under the lock of
 * the P that it names before or after the change.
 *
 * A timer may lie in the collected heap, as part of t->obj.  Between its
 * removal from the heap of the P and the end of fire() no root names it; but
 * the M that fires has a P and does not stop meanwhile, so no mark ends and
 * nothing is swept that was alive when it began.
 */
#include "sched/sched_int.h"

#include <stdlib.h>

/* ---- the heap ----------------------------------------------------------------- */

static void
set(struct sched_timers *h, uint32_t i, struct sched_timer *t)
{
    rt_assert(i < h->cap);
    h->heap[i] = t;
    t->heap_pos = i;
}

static void
up(struct sched_timers *h, uint32_t i)
{
    struct sched_timer *t = h->heap[i];

    while (i > 0) {
        uint32_t parent = (i - 1) / 4;

        if (h->heap[parent]->when <= t->when)
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
        uint64_t when = t->when;

        for (k = first; k < first + 4 && k < h->n; k++)
            if (h->heap[k]->when < when) {
                best = k;
                when = h->heap[k]->when;
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
valid_at(const struct sched_pi *p, uint32_t i)
{
    const struct sched_timers *h = &p->timers;
    const struct sched_timer *t = h->heap[i];

    if (t->heap_pos != i || aptr_load_rlx(&t->p) != p || t->fire == NULL)
        return false;
    if (i > 0 && h->heap[(i - 1) / 4]->when > t->when)
        return false;
    for (uint64_t k = 4 * (uint64_t)i + 1; k <= 4 * (uint64_t)i + 4; k++)
        if (k < h->n && h->heap[k]->when < t->when)
            return false;
    return true;
}

bool
timers_valid(const struct sched_pi *p)
{
    const struct sched_timers *h = &p->timers;
    uint64_t next = h->n == 0 ? UINT64_MAX : h->heap[0]->when;

    if (h->n > h->cap || a64_load_rlx(&h->next) != next)
        return false;
    for (uint32_t i = 0; i < h->n; i++)
        if (!valid_at(p, i))
            return false;
    return true;
}

static void
publish(struct sched_timers *h)
{
    /* full: pairs with sleep_for_timer(), see there. */
    a64_store_full(&h->next, h->n ? h->heap[0]->when : UINT64_MAX);
}

static void
heap_add(struct sched_pi *p, struct sched_timer *t)
{
    struct sched_timers *h = &p->timers;

    rt_assert_held(&h->lock);
    rt_assert(aptr_load_rlx(&t->p) == NULL); /* in no heap yet */
    if (h->n == h->cap) {
        uint32_t cap = h->cap ? h->cap * 2 : 16;
        struct sched_timer **heap = realloc(h->heap, cap * sizeof *heap);

        if (heap == NULL)
            rt_no_memory();
        h->heap = heap;
        h->cap = cap;
    }
    aptr_store_rel(&t->p, p);
    h->heap[h->n] = t;
    t->heap_pos = h->n++;
    up(h, t->heap_pos);
    publish(h);
    rt_assert_full(valid_at(p, t->heap_pos));
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
    aptr_store_rel(&t->p, NULL);
    publish(h);
}

/*
 * Locks the heap in which t is, and returns its P; NULL where it is in none.
 * Only the caller may put it into one.
 */
static struct sched_pi *
lock_heap_of(struct sched_timer *t)
{
    struct sched_pi *p;

    /* acq: pairs with the rel in heap_add() and remove_at() */
    while ((p = aptr_load_acq(&t->p)) != NULL) {
        rt_lock(&p->timers.lock);
        if (aptr_load_rlx(&t->p) == p)
            return p;
        rt_unlock(&p->timers.lock); /* fired or moved meanwhile */
    }
    return NULL;
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
    if (s->sleeper != NULL)
        m_wake(s->sleeper);
    rt_unlock(&s->lock);
}

bool
timer_set(struct sched_m *m, struct sched_timer *t, uint64_t when)
{
    struct sched_pi *p = lock_heap_of(t);
    bool first;

    assert_has_p(m);
    rt_assert(t->fire != NULL);
    if (p != NULL) {
        t->when = when;
        down(&p->timers, t->heap_pos);
        up(&p->timers, t->heap_pos);
        publish(&p->timers);
        rt_assert_full(valid_at(p, t->heap_pos));
    } else {
        p = pi_of(m->p);
        t->when = when;
        /* This heap's roots may have been marked already. */
        gc_shade(&m->p->cache, t->obj);
        rt_lock(&p->timers.lock);
        heap_add(p, t);
    }
    first = t->heap_pos == 0;
    rt_unlock(&p->timers.lock);
    return first;
}

bool
timer_stop(struct sched_m *m, struct sched_timer *t)
{
    struct sched_pi *p = lock_heap_of(t);

    (void)m;
    if (p == NULL)
        return false;
    remove_at(&p->timers, t->heap_pos);
    rt_unlock(&p->timers.lock);
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
    struct sched_pi *p = pi_of(m->p);
    struct sched *s = m->sched;
    struct sched_g *g = m->g;
    struct sched_timer *t = g->timer;
    uint64_t now, when;
    bool first;

    assert_has_p(m);
    if (ns <= 0)
        return false;
    rt_assert(t == NULL || aptr_load_rlx(&t->p) == NULL);
    if (t == NULL) {
        t = g->timer = calloc(1, sizeof *t);
        if (t == NULL)
            rt_no_memory();
        t->fire = wake_g;
        t->arg = (uint64_t)(uintptr_t)g;
    }
    now = sched_now(s);
    when = now + (uint64_t)ns;
    if (when > INT64_MAX)
        when = INT64_MAX;
    t->when = when;
    rt_lock(&p->timers.lock);
    sched_park_begin(m, g, WAIT_SLEEP);
    heap_add(p, t);
    first = t->heap_pos == 0;
    rt_unlock(&p->timers.lock);
    /* From here on the goroutine may run elsewhere. */
    if (first)
        timer_kick(s, when);
    return true;
}

/* ---- firing ------------------------------------------------------------------------------ */

bool
timers_check(struct sched_mi *m, struct sched_pi *p, uint64_t now)
{
    struct sched_timers *h = &p->timers;
    bool ran = false;

    assert_has_p(&m->m);
    rt_assert(m->m.g == NULL); /* fire() runs in no goroutine */
    if (a64_load_acq(&h->next) > now)
        return false;
    rt_lock(&h->lock);
    /* Those that are due now, and no others, or it might never end: what is
     * set meanwhile is later than `now`, except by a program that asks for
     * the past.  A stop of the world does not wait for all of them. */
    while (h->n > 0 && h->heap[0]->when <= now &&
        !a32_load_acq(&p->s->gcwaiting)) {
        struct sched_timer *t = h->heap[0];

        remove_at(h, 0);
        rt_assert_full(h->n == 0 || valid_at(p, 0));
        rt_unlock(&h->lock);
        t->fire(&m->m, t, now);
        ran = true;
        rt_lock(&h->lock);
    }
    rt_unlock(&h->lock);
    return ran;
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
        heap_add(to, t);
        rt_unlock(&to->timers.lock);
    }
}

void
timers_free(struct sched_pi *p)
{
    struct sched_timers *h = &p->timers;

    free(h->heap);
    h->heap = NULL;
    h->n = h->cap = 0;
}

/* ---- roots ------------------------------------------------------------------------------- */

struct roots {
    void (*mark)(void *arg, void *ptr);
    void *arg;
    uint64_t now;
};

static void
g_roots(void *arg, struct sched_g *g)
{
    const struct roots *r = arg;

    for (struct sched_sudog *sd = g->waiting; sd != NULL; sd = sd->wait_link)
        r->mark(r->arg, sd->chan);
    /* As in Go, how long a goroutine waits is known from the first
     * collection on that saw it wait. */
    if (sched_g_state(g) == G_WAITING && g->wait_since == 0)
        g->wait_since = r->now;
}

void
timers_roots(struct sched *s, void (*mark)(void *arg, void *ptr), void *arg)
{
    for (uint32_t i = 0; i < a32_load_acq(&s->nall); i++) {
        struct sched_timers *h = &s->allp[i]->timers;

        rt_lock(&h->lock);
        rt_assert_full(timers_valid(s->allp[i]));
        for (uint32_t k = 0; k < h->n; k++)
            if (h->heap[k]->obj != NULL)
                mark(arg, h->heap[k]->obj);
        rt_unlock(&h->lock);
    }
}

void
sched_roots(struct sched *s, void (*mark)(void *arg, void *ptr), void *arg)
{
    struct roots r = {mark, arg, sched_now(s)};

    timers_roots(s, mark, arg);
    sched_each_g(s, g_roots, &r);
}
