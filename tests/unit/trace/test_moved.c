/* SPDX-License-Identifier: MIT */
/* Lists of moved events: what goes in comes out sorted, whether it is kept in
 * memory or in runs in a file. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdlib.h>

#include "trace/read/moved.h"

/* Keys in no order, some of them twice. */
static uint64_t
key_of(uint64_t i)
{
    return i * UINT64_C(0x9e3779b97f4a7c15) % 1000003;
}

static void
in_and_out(uint64_t n, const char *tmpdir)
{
    struct trace_moved_list l = {0};
    struct trace_moved_reader r;
    struct trace_moved x, last = {0};
    uint64_t i, sum = 0;
    int round;

    setenv("TMPDIR", tmpdir, 1);
    for (i = 0; i < n; i++)
        assert_true(trace_moved_add(&l, key_of(i), i, (int64_t)i % 7));
    trace_moved_end(&l);
    for (round = 0; round < 2; round++) {
        assert_true(trace_moved_open(&r, &l));
        for (i = sum = 0; trace_moved_next(&r, &x); i++) {
            assert_true(x.key == key_of(x.off));
            assert_int_equal(x.p, x.off % 7);
            assert_true(i == 0 || x.key > last.key ||
                (x.key == last.key && x.off > last.off));
            last = x;
            sum += x.off;
        }
        assert_int_equal(i, n);
        assert_true(n == 0 || sum == n * (n - 1) / 2);
        assert_false(r.failed);
        trace_moved_close(&r);
    }
    assert_int_equal(l.in_memory, l.nruns == 0 && n > TRACE_MOVED_RUN);
    assert_true(l.in_memory || l.n <= TRACE_MOVED_RUN);
    trace_moved_free(&l);
}

static void
test_memory(void **state)
{
    (void)state;
    in_and_out(0, "/tmp");
    in_and_out(1, "/tmp");
    in_and_out(1000, "/tmp");
    in_and_out(TRACE_MOVED_RUN, "/tmp");
}

static void
test_runs(void **state)
{
    (void)state;
    in_and_out(TRACE_MOVED_RUN + 1, "/tmp");
    in_and_out(TRACE_MOVED_RUN * 3 + 77, "/tmp");
}

static void
test_no_folder(void **state)
{
    (void)state;
    in_and_out(TRACE_MOVED_RUN * 2 + 5, "/nowhere/to/be/found");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_runs),
        cmocka_unit_test(test_no_folder),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
