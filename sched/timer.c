/* SPDX-License-Identifier: MIT */
/*
 * Timers: a 4-ary heap for each P, by deadline, under the P's TIMERS lock.
 * A timer belongs to the P that armed it; any M may fire what is overdue.
 *
 * A timer is armed (p is the P in whose heap it is) or off (p NULL); while
 * its function runs, without the lock, it is off already.  timer_stop() of a
 * firing timer answers false: it has happened.  p changes under the lock of
 * the P that it names before or after the change.
 */
#include "sched/sched_int.h"

#include <stdlib.h>

/* ---- the heap ----------------------------------------------------------------- */

static void
set(struct sched_timers *h, uint32_t i, struct sched_timer *t)
{
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

static void
publish(struct sched_timers *h)
{
    /* full: pairs with sleep_idle(), see there. */
    a64_store_full(&h->next, h->n ? h->heap[0]->when : UINT64_MAX);
}

static bool
add(struct sched_pi *p, struct sched_timer *t)
{
    struct sched_timers *h = &p->timers;

    if (h->n == h->cap) {
        uint32_t cap = h->cap ? h->cap * 2 : 16;
        struct sched_timer **heap = realloc(h->heap, cap * sizeof *heap);

        if (heap == NULL)
            return false;
        h->heap = heap;
        h->cap = cap;
    }
    aptr_store_rel(&t->p, p);
    h->heap[h->n] = t;
    t->heap_pos = h->n++;
    up(h, t->heap_pos);
    publish(h);
    return true;
}

static void
remove_at(struct sched_timers *h, uint32_t i)
{
    struct sched_timer *t = h->heap[i], *last = h->heap[--h->n];

    if (last != t) {
        set(h, i, last);
        down(h, i);
        up(h, last->heap_pos);
    }
    aptr_store_rel(&t->p, NULL);
    publish(h);
}

/* ---- the API ------------------------------------------------------------------------- */

struct sched_timer *
timer_new(struct sched *s)
{
    (void)s;
    return calloc(1, sizeof(struct sched_timer));
}

void
timer_free(struct sched *s, struct sched_timer *t)
{
    (void)s;
    free(t);
}

/* p has a new first timer: the M that sleeps for the next one must sleep
 * less.  Where none sleeps, an idle M must be made to. */
static void
new_first(struct sched *s, uint64_t when)
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

void
timer_start(struct sched_m *m, struct sched_timer *t)
{
    struct sched_pi *p = pi_of(m->p);
    uint64_t when = t->when; /* it may be gone when we are done */
    bool ok, first;

    /* This heap's roots may have been marked already. */
    gc_shade(&m->p->cache, t->obj);
    rt_lock(&p->timers.lock);
    ok = add(p, t);
    first = ok && t->heap_pos == 0;
    rt_unlock(&p->timers.lock);
    if (!ok)
        rt_no_memory();
    if (first)
        new_first(m->sched, when);
}

bool
timer_stop(struct sched_m *m, struct sched_timer *t)
{
    struct sched_pi *p;

    (void)m;
    /* acq: pairs with the rel in add() and remove_at() */
    while ((p = aptr_load_acq(&t->p)) != NULL) {
        rt_lock(&p->timers.lock);
        if (aptr_load_rlx(&t->p) == p) {
            remove_at(&p->timers, t->heap_pos);
            rt_unlock(&p->timers.lock);
            return true;
        }
        rt_unlock(&p->timers.lock); /* fired or moved meanwhile */
    }
    return false;
}

static void
wake_g(struct sched_m *m, struct sched_timer *t, uint64_t now)
{
    (void)now;
    sched_ready(m, (struct sched_g *)(uintptr_t)t->arg);
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

    if (ns <= 0)
        return false;
    if (t == NULL) {
        t = g->timer = timer_new(s);
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
    if (!add(p, t))
        rt_no_memory();
    first = t->heap_pos == 0;
    rt_unlock(&p->timers.lock);
    /* From here on the goroutine may run elsewhere. */
    if (first)
        new_first(s, when);
    return true;
}

/* ---- firing ------------------------------------------------------------------------------ */

bool
timers_check(struct sched_mi *m, struct sched_pi *p, uint64_t now)
{
    struct sched_timers *h = &p->timers;
    bool ran = false;

    if (a64_load_acq(&h->next) > now)
        return false;
    rt_lock(&h->lock);
    while (h->n > 0 && h->heap[0]->when <= now) {
        struct sched_timer *t = h->heap[0];

        if (t->period != 0) {
            t->when += t->period * (1 + (now - t->when) / t->period);
            down(h, 0);
            publish(h);
        } else {
            remove_at(h, 0);
        }
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
        if (!add(to, t))
            rt_no_memory();
        rt_unlock(&to->timers.lock);
    }
}

void
timers_free(struct sched *s, struct sched_pi *p)
{
    struct sched_timers *h = &p->timers;

    /* Those of sleeping goroutines go with their goroutines. */
    for (uint32_t i = 0; i < h->n; i++)
        if (h->heap[i]->fire != wake_g)
            timer_free(s, h->heap[i]);
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
