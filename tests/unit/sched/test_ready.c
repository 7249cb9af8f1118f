/* SPDX-License-Identifier: MIT */
/* Who has the highest priority of those that are ready, by a plain search. */
#include "tests/unit/sched/fake.h"

#include "sched/sched_int.h"
#include "sched/seed_int.h"

enum { MOST = SEED_MOST_READY + 300 };

struct crowd {
    struct seed *d;
    struct sched_g *gs; /* MOST of them */
    struct sched_g **out; /* those that are not ready */
    uint32_t nout;
    struct rt_rand rand;
};

static void
open_crowd(struct crowd *k, enum seed_kind kind)
{
    struct seed_plan plan = {.seed = 5, .kind = kind, .depth = 3, .steps = 100};
    struct seed_rules rules = {0};

    k->d = seed_new();
    k->gs = calloc(MOST, sizeof *k->gs);
    k->out = calloc(MOST, sizeof(struct sched_g *));
    assert_true(k->d != NULL && k->gs != NULL && k->out != NULL);
    seed_begin(k->d, &plan, &rules);
    assert_true(seed_reserve(k->d, MOST));
    rt_stream_init(&k->rand, 1, RT_STREAM_DATA);
    k->nout = MOST;
    for (uint32_t i = 0; i < MOST; i++)
        k->out[i] = &k->gs[i];
}

static void
close_crowd(struct crowd *k)
{
    seed_free(k->d);
    free(k->gs);
    free(k->out);
}

/* One that was not ready is. Few priorities, so that many have the same. */
static void
put(struct crowd *k)
{
    struct sched_g *g = k->out[--k->nout];

    g->seed.prio = rt_rand_below(&k->rand, 1000);
    seed_put(k->d, g);
}

static void
take(struct crowd *k, uint32_t i)
{
    k->out[k->nout++] = seed_take_ready(k->d, i);
}

static void
check(struct crowd *k, struct sched_g *cur)
{
    struct seed *d = k->d;
    uint32_t n = d->ready.n < SEED_MOST_READY ? d->ready.n : SEED_MOST_READY;
    struct seed_cands c = {.cur = cur, .n = n + (cur != NULL)};
    uint32_t best = 0;

    for (uint32_t i = 1; i < n; i++)
        if (d->ready.v[i]->seed.prio > d->ready.v[best]->seed.prio)
            best = i;
    if (cur != NULL && cur->seed.prio >= d->ready.v[best]->seed.prio)
        assert_int_equal(strategy_pick(d, &c), 0);
    else
        assert_int_equal(strategy_pick(d, &c), best + (cur != NULL));
}

/* The best goes on, others do, and new ones come, in any order, with so many
 * ready at the beginning. */
static void
go_on(enum seed_kind kind, uint32_t ready)
{
    enum { STEPS = 3000 };
    struct sched_g cur = {.seed = {.prio = 990}};
    struct crowd k;

    open_crowd(&k, kind);
    while (k.d->ready.n < ready)
        put(&k);
    for (uint32_t i = 0; i < STEPS; i++) {
        uint32_t n = k.d->ready.n;

        check(&k, i % 3 == 0 ? &cur : NULL);
        switch (rt_rand_below(&k.rand, 5)) {
        case 0:
            take(&k, k.d->best);
            break;
        case 1:
            take(&k, rt_rand_below(&k.rand, n));
            break;
        case 2: /* the last candidate, and a new one in its place */
            take(&k, n - 1 < SEED_MOST_READY ? n - 1 : SEED_MOST_READY - 1);
            break;
        default:
            if (k.nout > 0)
                put(&k);
            break;
        }
        if (k.d->ready.n == 0)
            put(&k);
    }
    close_crowd(&k);
}

static void
few(void **state)
{
    (void)state;
    go_on(SEED_PCT, 1);
    go_on(SEED_POS, 20);
}

static void
more_than_candidates(void **state)
{
    (void)state;
    go_on(SEED_PCT, SEED_MOST_READY - 5);
    go_on(SEED_POS, MOST - 50);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few),
        cmocka_unit_test(more_than_candidates),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
