/* SPDX-License-Identifier: MIT */
/*
 * The strategies: which of the candidates goes on.  What they draw comes from
 * the stream of decisions; a script draws nothing.
 *
 * PCT finds a bug of depth d (d ordered events are needed) in a program of n
 * goroutines and k steps with a probability of at least 1 / (n * k^(d-1)).  It
 * starves whoever has a low priority, so who has run alone for long falls
 * below all others: else a program that waits in a loop would never end.
 */
#include "sched/seed_int.h"

static uint64_t
draw_prio(struct seed *d)
{
    return rt_rand_u64(&d->pick) | SEED_PRIO_DRAWN;
}

void
strategy_begin(struct seed *d)
{
    rt_stream_init(&d->pick, d->plan.seed, RT_STREAM_DECISIONS);
    d->lowest = SEED_PRIO_LOW;
    d->next_dev = 0;
    for (uint32_t i = 0; d->plan.kind == SEED_PCT && i + 1 < d->plan.depth;
        i++)
        d->change[i] = rt_rand_u64(&d->pick) % (d->plan.steps + 1) + 1;
}

void
strategy_born(struct seed *d, struct sched_g *g)
{
    bool by_prio = d->plan.kind == SEED_PCT || d->plan.kind == SEED_POS;

    g->seed.prio = by_prio ? draw_prio(d) : 0;
}

void
strategy_step(struct seed *d, struct sched_g *g)
{
    if (d->plan.kind == SEED_POS)
        g->seed.prio = draw_prio(d);
    if (d->plan.kind != SEED_PCT)
        return;
    for (uint32_t i = 0; i + 1 < d->plan.depth; i++)
        if (d->change[i] == d->steps)
            g->seed.prio = SEED_PRIO_CHANGE - i;
    if (d->alone > SEED_ALONE)
        g->seed.prio = --d->lowest;
}

/* The first of the highest priority among the first n in ready. */
static uint32_t
highest(const struct seed *d, uint32_t n)
{
    uint32_t best = 0;

    for (uint32_t i = 1; i < n; i++)
        if (d->prios[i] > d->prios[best])
            best = i;
    return best;
}

/* The same, which is d->best.  It is looked for once each time that the best one
 * has gone on, and not at each point: with ten thousand that are ready that was
 * most of what PCT took. */
static uint32_t
best_of(struct seed *d, uint32_t n)
{
    rt_assert(n > 0 && n <= d->ready.n && n <= SEED_MOST_READY);
    if (d->best == SEED_UNKNOWN)
        d->best = highest(d, n);
    rt_assert(d->prios[d->best] == d->ready.v[d->best]->seed.prio);
    rt_assert_full(d->best == highest(d, n));
    return d->best;
}

/* Of the goroutine with the highest priority. */
static uint32_t
by_priority(struct seed *d, const struct seed_cands *c)
{
    uint32_t n = c->n - c->clock - (c->cur != NULL), best;

    if (n == 0)
        return seed_rank_of_cur(c);
    best = best_of(d, n);
    if (c->cur != NULL && c->cur->seed.prio >= d->prios[best])
        return seed_rank_of_cur(c);
    return seed_rank_of(c, best);
}

static uint32_t
by_script(struct seed *d, uint32_t n)
{
    const struct seed_plan *p = &d->plan;

    while (d->next_dev < p->ndevs && p->devs[d->next_dev].at < d->nrecs)
        d->next_dev++;
    if (d->next_dev == p->ndevs || p->devs[d->next_dev].at != d->nrecs)
        return 0;
    uint32_t rank = p->devs[d->next_dev].rank;
    return rank < n ? rank : 0;
}

uint32_t
strategy_pick(struct seed *d, const struct seed_cands *c)
{
    if (d->plan.kind == SEED_SCRIPT)
        return by_script(d, c->n);
    if (c->clock &&
        (c->n == 1 || rt_rand_below(&d->pick, SEED_EARLY) == 0))
        return c->n - 1;
    if (d->plan.kind == SEED_RANDOM)
        return rt_rand_below(&d->pick, c->n - c->clock);
    return by_priority(d, c);
}

uint32_t
strategy_case(struct seed *d, uint32_t n)
{
    return d->plan.kind == SEED_SCRIPT ? by_script(d, n)
                                       : rt_rand_below(&d->select, n);
}
