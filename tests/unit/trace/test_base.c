/* SPDX-License-Identifier: MIT */
/* Numbers and clocks, of which traces are made; the recorder's tables. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "runtime/base/clock.h"
#include "runtime/base/varint.h"
#include "trace/analyze/hist.h"
#include "trace/record/stacktab.h"
#include "trace/record/strtab.h"

static void
test_varint(void **state)
{
    static const uint64_t values[] = {0, 1, 127, 128, 300, 16383, 16384,
        UINT32_MAX, UINT64_C(1) << 56, UINT64_C(1) << 63, UINT64_MAX};
    uint8_t buf[RT_VARINT_MAX];
    size_t i, n, k;
    uint64_t v;

    (void)state;
    for (i = 0; i < sizeof values / sizeof *values; i++) {
        n = (size_t)(rt_varint_put(buf, values[i]) - buf);
        assert_int_equal(n, rt_varint_size(values[i]));
        assert_ptr_equal(rt_varint_get(buf, buf + n, &v), buf + n);
        assert_true(v == values[i]);
        for (k = 0; k < n; k++) {
            assert_null(rt_varint_get(buf, buf + k, &v));
            assert_int_equal(v, 0);
        }
    }
    /* -1 as the trace format writes it; then one bit too many. */
    assert_int_equal(rt_varint_put(buf, UINT64_MAX) - buf, 10);
    assert_int_equal(buf[9], 1);
    buf[9] = 2;
    assert_null(rt_varint_get(buf, buf + 10, &v));
    assert_int_equal(v, 1);
    memset(buf, 0x80, sizeof buf);
    assert_null(rt_varint_get(buf, buf + 10, &v));
    assert_int_equal(v, 1);
    /* A number may have needless zero groups at its end. */
    buf[2] = 0;
    assert_ptr_equal(rt_varint_get(buf, buf + 10, &v), buf + 3);
    assert_int_equal(v, 0);
}

static void
test_clock(void **state)
{
    struct rt_clock c;
    uint64_t t, last, freq;
    int64_t n, cpu;
    int i;

    (void)state;
    rt_clock_init(&c);
    cpu = rt_thread_cputime();
    last = rt_ticks(&c);
    assert_true(last > 0);
    for (i = 0; i < 100000; i++) {
        t = rt_ticks(&c);
        assert_true(t >= last);
        last = t;
    }
    assert_true(rt_thread_cputime() > cpu);
    assert_true(rt_walltime() > INT64_C(1600000000000000000));
    freq = rt_ticks_per_sec(&c);
    assert_true(freq > 10000000 && freq < UINT64_C(10000000000));
    /* Ticks and nanoseconds tell the same story over 20 ms. */
    n = rt_nanotime();
    t = rt_ticks(&c);
    while (rt_nanotime() - n < 20000000)
        ;
    t = rt_ticks(&c) - t;
    n = rt_nanotime() - n;
    assert_true((double)t / (double)freq * 1e9 > (double)n * 0.9);
    assert_true((double)t / (double)freq * 1e9 < (double)n * 1.1);
}

/* Every thread puts the same stacks: each gets one id, ids are dense. */
enum { THREADS = 4, STACKS = 2000 };

struct putter {
    struct trace_stacktab *t;
    pthread_t thread;
    uint32_t ids[STACKS];
};

static void
make_stack(vpc *pcs, uint32_t i)
{
    pcs[0] = vpc_make(i, 1);
    pcs[1] = vpc_make(i / 7, 2);
    pcs[2] = vpc_make(1, i % 3);
}

static void *
put_stacks(void *arg)
{
    struct putter *p = arg;
    vpc pcs[3];
    uint32_t i;

    for (i = 0; i < STACKS; i++) {
        make_stack(pcs, i);
        p->ids[i] = trace_stacktab_put(p->t, pcs, 3);
    }
    return NULL;
}

static void
test_stacktab(void **state)
{
    static struct putter p[THREADS];
    struct trace_stacktab t;
    const struct trace_stack *st = NULL;
    vpc pcs[3];
    uint32_t i, id = 0;

    (void)state;
    trace_stacktab_init(&t);
    pcs[0] = 1;
    assert_int_equal(trace_stacktab_put(&t, pcs, 1), 0); /* closed */
    assert_true(trace_stacktab_open(&t));
    assert_int_equal(trace_stacktab_put(&t, pcs, 0), 0);
    for (i = 0; i < THREADS; i++) {
        p[i].t = &t;
        assert_int_equal(pthread_create(&p[i].thread, NULL, put_stacks,
            &p[i]), 0);
    }
    for (i = 0; i < THREADS; i++)
        pthread_join(p[i].thread, NULL);
    for (i = 1; i < THREADS; i++)
        assert_memory_equal(p[0].ids, p[i].ids, sizeof p[0].ids);
    while ((st = trace_stacktab_next(&t, st)) != NULL)
        assert_int_equal(st->id, ++id);
    assert_int_equal(id, STACKS);
    for (i = 0; i < STACKS; i++) {
        make_stack(pcs, i);
        assert_int_equal(trace_stacktab_put(&t, pcs, 3), p[0].ids[i]);
        /* A prefix is another stack. */
        if (i == 0)
            assert_int_equal(trace_stacktab_put(&t, pcs, 2), STACKS + 1);
    }
    trace_stacktab_close(&t);
}

/* A full table says so and stays within its bounds. */
static void
test_stacktab_full(void **state)
{
    struct trace_stacktab t;
    vpc pcs[CALLSTACK_MAX] = {0};
    uint64_t i = 0;

    (void)state;
    trace_stacktab_init(&t);
    assert_true(trace_stacktab_open(&t));
    do {
        pcs[0] = ++i;
    } while (trace_stacktab_put(&t, pcs, CALLSTACK_MAX) != 0);
    assert_true(t.bytes < TRACE_STACKTAB_BYTES + 2 * TRACE_REGION_BYTES);
    assert_int_equal(a64_load_rlx(&t.lost), 1);
    pcs[0] = 1;
    assert_int_equal(trace_stacktab_put(&t, pcs, CALLSTACK_MAX), 1);
    trace_stacktab_close(&t);
}

static void
test_strtab(void **state)
{
    struct trace_strtab t;
    const struct trace_str *s;
    char *big = malloc(1 << 16);

    (void)state;
    memset(big, 'x', 1 << 16);
    trace_strtab_init(&t);
    assert_int_equal(trace_strtab_put(&t, "a", 1), 0); /* closed */
    assert_true(trace_strtab_open(&t));
    assert_int_equal(trace_strtab_put(&t, "", 0), 0);
    assert_int_equal(trace_strtab_put(&t, "abc", 3), 1);
    assert_int_equal(trace_strtab_put(&t, "abcd", 4), 2);
    assert_int_equal(trace_strtab_put(&t, "abc", 3), 1);
    assert_int_equal(trace_strtab_put(&t, big, 1 << 16), 3);
    s = trace_strtab_next(&t, NULL);
    assert_int_equal(s->len, 3);
    assert_memory_equal(s->text, "abc", 3);
    s = trace_strtab_next(&t, trace_strtab_next(&t, s));
    assert_int_equal(s->len, TRACE_STR_MAX);
    assert_null(trace_strtab_next(&t, s));
    trace_strtab_close(&t);
    free(big);
}

static void
test_hist(void **state)
{
    static struct trace_hist h;
    int64_t i, q;

    (void)state;
    assert_int_equal(trace_hist_quantile(&h, 0.5), 0);
    for (i = 1; i <= 100000; i++)
        trace_hist_add(&h, i);
    assert_int_equal(h.n, 100000);
    assert_int_equal(h.max, 100000);
    q = trace_hist_quantile(&h, 0.5);
    assert_true(q > 47000 && q < 53000);
    q = trace_hist_quantile(&h, 0.99);
    assert_true(q > 93000 && q <= 100000);
    trace_hist_add(&h, INT64_MAX);
    trace_hist_add(&h, -5);
    assert_true(h.max == INT64_MAX);
    assert_int_equal(h.min, 0);
}

/* What a bucket stands for is not told where nothing as small or as large was
 * counted: the median of one time is that time. */
static void
test_hist_ends(void **state)
{
    static struct trace_hist one, two, none;

    (void)state;
    trace_hist_add(&one, 4160000);
    assert_int_equal(trace_hist_quantile(&one, 0.5), 4160000);
    trace_hist_add(&two, 4250000);
    trace_hist_merge(&two, &one);
    trace_hist_merge(&two, &none);
    assert_int_equal(two.min, 4160000);
    assert_int_equal(two.max, 4250000);
    trace_hist_merge(&none, &two);
    assert_int_equal(none.min, 4160000);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_varint),
        cmocka_unit_test(test_clock),
        cmocka_unit_test(test_stacktab),
        cmocka_unit_test(test_stacktab_full),
        cmocka_unit_test(test_strtab),
        cmocka_unit_test(test_hist),
        cmocka_unit_test(test_hist_ends),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
