/* SPDX-License-Identifier: MIT */
/*
 * How long an exploration waits for a worker: without end for one that computes,
 * whatever a clock on the wall says, and for a while for one that waits.
 */
#include "runtime/explore/explore.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

static const int64_t MS = 1000 * 1000;

/* Of the calling process. */
static int64_t
cpu_time(void)
{
    struct timespec ts;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
    return ts.tv_sec * 1000 * MS + ts.tv_nsec;
}

static void
spin(int64_t ns)
{
    int64_t end = cpu_time() + ns;

    while (cpu_time() < end) {
    }
}

/* Targets.  Their argument is how long they compute, in ns. */

static bool
computes(void *arg, const struct seed_plan *plan,
    const struct seed_rules *rules, struct seed_result *out)
{
    (void)plan;
    (void)rules;
    spin(*(const int64_t *)arg);
    *out = (struct seed_result){.end = SEED_END_NORMAL, .hash = 1, .steps = 1};
    return true;
}

static void *
beside(void *arg)
{
    spin(*(const int64_t *)arg);
    kill(getpid(), SIGKILL); /* a sanitizer's exit() would wait */
    return NULL;
}

/* By another thread than the process's first, which waits. */
static bool
computes_beside(void *arg, const struct seed_plan *plan,
    const struct seed_rules *rules, struct seed_result *out)
{
    pthread_t t;

    (void)plan;
    (void)rules;
    (void)out;
    if (pthread_create(&t, NULL, beside, arg) != 0)
        return false;
    while (pause() != 0) {
    }
    return true;
}

static bool
waits(void *arg, const struct seed_plan *plan, const struct seed_rules *rules,
    struct seed_result *out)
{
    (void)plan;
    (void)rules;
    (void)out;
    spin(*(const int64_t *)arg);
    while (pause() != 0) {
    }
    return true;
}

/* Explores one schedule of it, with a patience of 50 ms. */
static void
try(bool (*run)(void *, const struct seed_plan *, const struct seed_rules *,
        struct seed_result *), int64_t ns, struct explore_report *out)
{
    struct explore_target t = {.run = run, .arg = &ns};
    struct explore_config c = {.strategy = EXPLORE_RANDOM, .schedules = 1,
        .workers = 1, .patience = 50 * MS};
    struct rt_err err;

    assert_int_equal(explore(&t, &c, out, &err), RT_OK);
}

static void
test_computes(void **state)
{
    struct explore_report r;

    (void)state;
    try(computes, 500 * MS, &r);
    assert_string_equal(r.trouble, "");
    assert_int_equal(r.count.schedules, 1);
    explore_report_free(&r);
}

static void
test_computes_beside(void **state)
{
    struct explore_report r;

    (void)state;
    try(computes_beside, 500 * MS, &r);
    assert_string_equal(
        r.trouble, "the process that ran schedules 0 to 0 has died");
    explore_report_free(&r);
}

static void
test_waits(void **state)
{
    struct explore_report r;

    (void)state;
    try(waits, 0, &r);
    assert_non_null(strstr(r.trouble, "did nothing for 0 s"));
    assert_int_equal(r.count.schedules, 0);
    explore_report_free(&r);
}

/* What it has computed before does not count again. */
static void
test_waits_later(void **state)
{
    struct explore_report r;

    (void)state;
    try(waits, 300 * MS, &r);
    assert_non_null(strstr(r.trouble, "did nothing for 0 s"));
    explore_report_free(&r);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_computes),
        cmocka_unit_test(test_computes_beside),
        cmocka_unit_test(test_waits),
        cmocka_unit_test(test_waits_later),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
