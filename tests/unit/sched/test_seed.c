/* SPDX-License-Identifier: MIT */
/* Plans as text, and the streams of a seed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "runtime/base/streams.h"
#include "sched/seed.h"

/* What is printed of a plan is the text that it was made from. */
static void
test_round(void **state)
{
    static const char *const texts[] = {"7.random", "0.pos",
        "18446744073709551615.pct3x200", "3.early", "3.pos.early",
        "9.pct16x1.early", "7@", "7@12:1,40:2", "7.early@0:16383",
        "7.random.closed", "9.pct16x1.early.closed", "7.closed@12:1"};

    (void)state;
    for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct seed_plan p;
        struct seed_dev *devs;
        struct rt_err e;
        char buf[64], cut[4];
        size_t n;

        assert_int_equal(seed_parse(texts[i], &p, &devs, &e), RT_OK);
        n = seed_print(&p, buf, sizeof buf);
        assert_string_equal(buf, texts[i]);
        assert_int_equal(n, strlen(texts[i]));
        assert_int_equal(seed_print(&p, cut, sizeof cut), n);
        assert_memory_equal(cut, texts[i], n < 3 ? n : 3);
        free(devs);
    }
}

static void
test_parse(void **state)
{
    struct seed_plan p;
    struct seed_dev *devs;
    struct rt_err e;

    (void)state;
    assert_int_equal(seed_parse("7", &p, &devs, &e), RT_OK);
    assert_true(p.seed == 7 && p.kind == SEED_RANDOM && !p.early);
    assert_null(devs);
    assert_int_equal(seed_parse("7.pct", &p, &devs, &e), RT_OK);
    assert_true(p.kind == SEED_PCT && p.depth == 3 && p.steps == 1000);
    assert_int_equal(seed_parse("1@5:2,9:1", &p, &devs, &e), RT_OK);
    assert_true(p.kind == SEED_SCRIPT && p.ndevs == 2 && p.devs == devs);
    assert_true(devs[1].at == 9 && devs[1].rank == 1);
    assert_true(!p.closed);
    free(devs);
    assert_int_equal(seed_parse("7.closed", &p, &devs, &e), RT_OK);
    assert_true(p.kind == SEED_RANDOM && p.closed && !p.early);
}

static void
test_bad(void **state)
{
    static const char *const texts[] = {"", "x", "-1",
        "18446744073709551616", "7.", "7.dfs", "7.pct0", "7.pct17", "7.pct3x",
        "7.pct3x0", "7.pos@1:1", "7@1", "7@1:", "7@1:2,", "7@2:1,1:1",
        "7@1:1,1:2", "7@1:99999", "7 ", "7.early.pos",
        "7.closed.early", "7@.closed"};

    (void)state;
    for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct seed_plan p;
        struct seed_dev *devs;
        struct rt_err e;

        assert_int_equal(seed_parse(texts[i], &p, &devs, &e), RT_EFORMAT);
        assert_null(devs);
    }
}

/* Streams of one seed, and of neighbouring ones, have nothing in common. */
static void
test_streams(void **state)
{
    uint64_t seen[4 * 3];
    unsigned n = 0;

    (void)state;
    for (uint64_t seed = 0; seed < 4; seed++)
        for (int i = 0; i < 3; i++) {
            struct rt_rand a, b;

            rt_stream_init(&a, seed, (enum rt_stream)i);
            rt_stream_init(&b, seed, (enum rt_stream)i);
            seen[n] = rt_rand_u64(&a);
            assert_true(seen[n] == rt_rand_u64(&b));
            for (unsigned k = 0; k < n; k++)
                assert_true(seen[k] != seen[n]);
            n++;
        }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round),
        cmocka_unit_test(test_parse),
        cmocka_unit_test(test_bad),
        cmocka_unit_test(test_streams),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
