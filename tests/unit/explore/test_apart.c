/* SPDX-License-Identifier: MIT */
/*
 * Failures in which a timer came early do not end a search, and are told where
 * there are no others.
 */
#include "runtime/explore/explore.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* A program that fails where timers may come early, and by the schedules from a
 * seed on; 0: it has no other failure. */
struct program {
    uint64_t from;
};

static bool
fails(void *arg, const struct seed_plan *plan, const struct seed_rules *rules,
    struct seed_result *out)
{
    const struct program *p = arg;
    bool plain = p->from != 0 && plan->seed >= p->from;

    (void)rules;
    *out = (struct seed_result){.hash = plan->seed + 1, .steps = 1,
        .end = SEED_END_NORMAL, .used = 1, .failure = 7,
        .early = plan->early && !plain ? 5 : 0,
        .status = plain || plan->early};
    return true;
}

static void
explored(uint64_t from, enum explore_strategy s, bool all,
    struct explore_report *out)
{
    struct program p = {from};
    struct explore_target t = {.run = fails, .arg = &p};
    struct explore_config c = {.strategy = s, .schedules = 100, .all = all,
        .workers = 2};
    struct rt_err err;

    assert_int_equal(explore(&t, &c, out, &err), RT_OK);
    assert_string_equal(out->trouble, "");
}

static void
another_failure_is_looked_for(void **state)
{
    struct explore_report r;

    (void)state;
    explored(41, EXPLORE_MIX, false, &r);
    assert_int_equal(r.n, 1);
    assert_int_equal(r.v[0].at, 42);
    assert_int_equal(r.v[0].early_by, 0);
    assert_true(r.count.failures > 10);
    explore_report_free(&r);
}

static void
it_is_told_where_there_is_no_other(void **state)
{
    struct explore_report r;

    (void)state;
    explored(0, EXPLORE_MIX, false, &r);
    assert_int_equal(r.n, 1);
    assert_int_equal(r.v[0].at, 4);
    assert_int_equal(r.v[0].early_by, 5);
    assert_int_equal(r.v[0].times, 25);
    assert_int_equal(r.count.schedules, 100);
    explore_report_free(&r);
}

static void
both_are_kept_where_all_are(void **state)
{
    struct explore_report r;

    (void)state;
    explored(41, EXPLORE_MIX, true, &r);
    assert_int_equal(r.n, 2);
    assert_int_equal(r.v[0].at, 4);
    assert_int_equal(r.v[0].early_by, 5);
    assert_int_equal(r.v[0].times, 10);
    assert_int_equal(r.v[1].at, 42);
    assert_int_equal(r.v[1].early_by, 0);
    assert_int_equal(r.v[1].times, 59);
    explore_report_free(&r);
}

static void
a_punctual_search_has_none(void **state)
{
    struct explore_report r;

    (void)state;
    explored(0, EXPLORE_PUNCTUAL, false, &r);
    assert_int_equal(r.n, 0);
    assert_int_equal(r.count.schedules, 100);
    explore_report_free(&r);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(another_failure_is_looked_for),
        cmocka_unit_test(it_is_told_where_there_is_no_other),
        cmocka_unit_test(both_are_kept_where_all_are),
        cmocka_unit_test(a_punctual_search_has_none),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
