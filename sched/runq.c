/* SPDX-License-Identifier: MIT */
/*
 * The run queue of a P.  Note [runq order]: the owner publishes a slot by the
 * release store of tail (pairs with the acquire load of tail by thieves) and
 * thieves take by a full CAS of head, after reading the slots; a slot is
 * rewritten only after head has passed it, which the owner sees by its
 * acquire load of head.  The only P of all has no thieves.
 *
 * Source: runqput, runqget, runqgrab in Go's proc.go.
 */
#include "sched/sched_int.h"

static struct sched_g *
slot_load(struct sched_runq *q, uint32_t i)
{
    return aptr_load_rlx(&q->ring[i % RT_RUNQ]);
}

/* Half of a full ring and g go to the global queue. */
static bool
put_slow(struct sched_pi *p, struct sched_g *g, uint32_t h, uint32_t t)
{
    struct sched_runq *q = &p->q;
    struct sched *s = p->s;
    struct sched_g *batch[RT_RUNQ / 2 + 1];
    uint32_t n = (t - h) / 2, i;

    rt_assert(t - h == RT_RUNQ);
    for (i = 0; i < n; i++)
        batch[i] = slot_load(q, h + i);
    /* full: see Note [runq order] */
    if (!a32_cas_full(&q->head, h, h + n))
        return false;
    batch[n] = g;
    rt_lock(&s->lock);
    globrunq_put_locked(s, batch, n + 1);
    rt_unlock(&s->lock);
    return true;
}

bool
runq_put(struct sched_pi *p, struct sched_g *g, bool next)
{
    struct sched_runq *q = &p->q;
    uint32_t h, t;

    rt_assert(runq_holds(p->s, g));
    if (rt_unlikely(p->seed != NULL)) {
        seed_put(p->seed, g);
        return false;
    }
    if (next) {
        void *old;

        if (p->p.alone) {
            old = aptr_load_rlx(&q->next);
            aptr_store_rlx(&q->next, g);
        } else {
            /* full: pairs with a thief's CAS of runnext; and "Lost
             * wake-ups". */
            old = aptr_swap_full(&q->next, g);
        }
        if (old == NULL)
            return false;
        g = old;
    }
    for (;;) {
        h = a32_load_acq(&q->head); /* acq: Note [runq order] */
        t = a32_load_rlx(&q->tail);
        rt_assert(t - h <= RT_RUNQ);
        if (t - h < RT_RUNQ) {
            aptr_store_rlx(&q->ring[t % RT_RUNQ], g);
            /* rel: Note [runq order]; full: "Lost wake-ups", of which the
             * only P has none. */
            if (p->p.alone)
                a32_store_rel(&q->tail, t + 1);
            else
                a32_store_full(&q->tail, t + 1);
            return true;
        }
        if (put_slow(p, g, h, t))
            return true;
    }
}

static struct sched_g *
get_next(struct sched_pi *p)
{
    struct sched_runq *q = &p->q;
    struct sched_g *g = aptr_load_rlx(&q->next);

    if (g == NULL)
        return NULL;
    if (p->p.alone) {
        aptr_store_rlx(&q->next, NULL);
        return g;
    }
    /* full: a thief may take it, but only the owner puts one there. */
    return aptr_cas_full(&q->next, g, NULL) ? g : NULL;
}

/* The ring's next ones after h. */
static void
prefetch(struct sched_runq *q, uint32_t h, uint32_t t)
{
    if (t - h < 3)
        return;
    /* By now that one's first line should have come. */
    g_prefetch_host(slot_load(q, h + 1));
    g_prefetch(slot_load(q, h + 2));
}

static struct sched_g *
get_first(struct sched_pi *p)
{
    struct sched_runq *q = &p->q;

    for (;;) {
        uint32_t h = a32_load_acq(&q->head); /* acq: Note [runq order] */
        uint32_t t = a32_load_rlx(&q->tail);
        struct sched_g *g;

        if (t == h)
            return NULL;
        g = slot_load(q, h);
        rt_assert(g != NULL);
        prefetch(q, h, t);
        if (p->p.alone) {
            a32_store_rlx(&q->head, h + 1);
            return g;
        }
        if (a32_cas_full(&q->head, h, h + 1))
            return g;
    }
}

struct sched_g *
runq_get(struct sched_pi *p, bool fair)
{
    struct sched_g *g;

    if (fair && (g = get_first(p)) != NULL)
        return g;
    g = get_next(p);
    return g != NULL ? g : get_first(p);
}

bool
runq_empty(struct sched_pi *p)
{
    struct sched_runq *q = &p->q;

    /* runnext may move into the ring between the looks: the loop makes sure
     * that all three belong together. */
    for (;;) {
        uint32_t h = a32_load_acq(&q->head);
        uint32_t t = a32_load_acq(&q->tail);
        void *next = aptr_load_acq(&q->next);

        if (t == a32_load_acq(&q->tail))
            return h == t && next == NULL;
    }
}

bool
runq_spread(struct sched_pi *p)
{
    /* acq: Note [runq order] */
    return a32_load_acq(&p->q.head) != a32_load_acq(&p->q.tail);
}

uint32_t
runq_len(struct sched_pi *p)
{
    return a32_load_acq(&p->q.tail) - a32_load_acq(&p->q.head) +
        (aptr_load_acq(&p->q.next) != NULL);
}

bool
runq_holds(const struct sched *s, const struct sched_g *g)
{
    return g != NULL &&
        (sched_g_state(g) == G_RUNNABLE || a32_load_acq(&s->exiting) != 0);
}

bool
runq_valid(struct sched_pi *p)
{
    struct sched_runq *q = &p->q;
    uint32_t h = a32_load_acq(&q->head), t = a32_load_acq(&q->tail);
    const struct sched_g *next = aptr_load_acq(&q->next);

    if (t - h > RT_RUNQ || (next != NULL && !runq_holds(p->s, next)))
        return false;
    for (uint32_t i = h; i != t; i++) {
        const struct sched_g *g = slot_load(q, i);

        if (!runq_holds(p->s, g) || g == next)
            return false;
        for (uint32_t k = h; k != i; k++)
            if (slot_load(q, k) == g)
                return false;
    }
    return true;
}

static uint32_t
grab(struct sched_pi *victim, struct sched_g **batch, bool steal_next)
{
    struct sched_runq *q = &victim->q;
    uint32_t h, t, n, i;

    for (;;) {
        h = a32_load_acq(&q->head);
        t = a32_load_acq(&q->tail);
        n = t - h;
        n = n - n / 2;
        if (n == 0) {
            struct sched_g *g;

            if (!steal_next)
                return 0;
            g = aptr_load_acq(&q->next);
            if (g == NULL || !aptr_cas_full(&q->next, g, NULL))
                return 0;
            batch[0] = g;
            return 1;
        }
        if (n > RT_RUNQ / 2)
            continue; /* head and tail were read apart */
        for (i = 0; i < n; i++)
            batch[i] = slot_load(q, h + i);
        if (a32_cas_full(&q->head, h, h + n))
            return n;
    }
}

struct sched_g *
runq_steal(struct sched_pi *p, struct sched_pi *victim, bool steal_next)
{
    struct sched_g *batch[RT_RUNQ];
    uint32_t n = grab(victim, batch, steal_next), i;

    rt_assert(p != victim && n <= RT_RUNQ);
    if (n == 0)
        return NULL;
    for (i = 1; i < n; i++)
        runq_put(p, batch[i], false);
    return batch[0];
}
