/* SPDX-License-Identifier: MIT */
/*
 * After how many points a schedule is given up, and when that means that the
 * program has no end.
 */
#include "runtime/explore/explore.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* A program that takes so many points by each schedule. */
struct program {
    uint64_t points;
};

static const struct seed_rec recs[] = {{.step = 1, .ncand = 2, .rank = 1}};

static bool
takes(void *arg, const struct seed_plan *plan, const struct seed_rules *rules,
    struct seed_result *out)
{
    const struct program *p = arg;
    bool over = p->points > rules->budget;

    *out = (struct seed_result){.hash = plan->seed + 1,
        .end = over ? SEED_END_LIVELOCK : SEED_END_NORMAL,
        .status = over ? 2 : 0,
        .used = over ? rules->budget : p->points,
        .steps = over ? rules->budget : p->points,
        .recs = recs, .nrecs = 1};
    return true;
}

static void
explored(uint64_t points, enum explore_strategy s, uint64_t budget,
    struct explore_report *out)
{
    struct program p = {points};
    struct explore_target t = {.run = takes, .arg = &p};
    struct explore_config c = {.strategy = s, .schedules = 9, .depth = 3,
        .workers = 1, .rules = {.budget = budget}};
    struct rt_err err;

    assert_int_equal(explore(&t, &c, out, &err), RT_OK);
    assert_string_equal(out->trouble, "");
}

static void
long_programs_are_waited_for(void **state)
{
    static const uint64_t points[] = {1, SEED_BUDGET, SEED_BUDGET + 1,
        50 * (uint64_t)SEED_BUDGET};

    (void)state;
    for (unsigned i = 0; i < sizeof points / sizeof *points; i++)
        for (int s = EXPLORE_MIX; s <= EXPLORE_RANDOM; s++) {
            struct explore_report r;

            explored(points[i], (enum explore_strategy)s, 0, &r);
            assert_int_equal(r.n, 0);
            assert_int_equal(r.count.schedules, 9);
            /* The first has said how long it takes. */
            assert_int_equal(r.count.endless, 0);
            assert_int_equal(r.count.used, points[i]);
            assert_int_equal(r.count.steps, points[i]);
            explore_report_free(&r);
        }
}

static void
what_has_no_end_is_told_with_its_budget(void **state)
{
    const uint64_t last = 50 * (uint64_t)SEED_BUDGET;
    struct explore_report r;

    (void)state;
    explored(last + 1, EXPLORE_RANDOM, 0, &r);
    assert_int_equal(r.n, 1);
    assert_int_equal(r.v[0].end, SEED_END_LIVELOCK);
    assert_int_equal(r.v[0].budget, last);
    assert_int_equal(r.v[0].at, 1);
    /* What was given up says nothing of how long a schedule is. */
    assert_int_equal(r.count.used, 0);
    assert_int_equal(r.count.steps, 0);
    explore_report_free(&r);
}

static void
a_budget_that_is_asked_for_holds(void **state)
{
    struct explore_report r;

    (void)state;
    explored(1001, EXPLORE_RANDOM, 1000, &r);
    assert_int_equal(r.n, 1);
    assert_int_equal(r.v[0].budget, 1000);
    explore_report_free(&r);
    explored(1000, EXPLORE_RANDOM, 1000, &r);
    assert_int_equal(r.n, 0);
    explore_report_free(&r);
}

/* They may starve others. */
static void
unfair_strategies_are_not_believed(void **state)
{
    struct explore_report r;

    (void)state;
    explored(SEED_BUDGET + 1, EXPLORE_PCT, 0, &r);
    assert_int_equal(r.n, 0);
    assert_int_equal(r.count.endless, 9);
    explore_report_free(&r);
}

static void
a_failure_is_made_simpler_by_its_own_budget(void **state)
{
    struct program p = {UINT64_MAX};
    struct explore_target t = {.run = takes, .arg = &p};
    struct seed_rules rules = {0};
    struct explore_report r;
    struct rt_err err;
    uint32_t took;

    (void)state;
    explored(p.points, EXPLORE_RANDOM, 0, &r);
    assert_int_equal(r.n, 1);
    assert_int_equal(r.v[0].ndevs, 1);
    r.v[0].budget = 3;
    assert_int_equal(
        explore_shrink(&t, &rules, &r.v[0], 10, 1000000000, &took, &err),
        RT_OK);
    assert_int_equal(r.v[0].steps, 3);
    explore_report_free(&r);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(long_programs_are_waited_for),
        cmocka_unit_test(what_has_no_end_is_told_with_its_budget),
        cmocka_unit_test(a_budget_that_is_asked_for_holds),
        cmocka_unit_test(unfair_strategies_are_not_believed),
        cmocka_unit_test(a_failure_is_made_simpler_by_its_own_budget),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
