/* SPDX-License-Identifier: MIT */
/* Sites of waits: which stacks are one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/unit/trace/build.h"
#include "trace/analyze/top.h"
#include "trace/analyze/waits.h"

enum { PAIRS = 100 };

#define FACTOR UINT64_C(0x9e3779b97f4a7c15)

static uint64_t
mix(uint64_t h, uint64_t pc)
{
    return (h ^ pc) * FACTOR + (h >> 29);
}

/* The second address with which the first gives the hash `to`. */
static uint64_t
second(uint64_t first, uint64_t to)
{
    uint64_t inverse = FACTOR, h = mix(0, first);
    int i;

    for (i = 0; i < 6; i++)
        inverse *= 2 - FACTOR * inverse;
    return h ^ (to - (h >> 29)) * inverse;
}

static void
put_stack(struct build *b, uint64_t id, uint64_t pc0, uint64_t pc1)
{
    uint8_t body[64], *p = body;

    p = rt_varint_put(p, id);
    p = rt_varint_put(p, 2);
    p = rt_varint_put(p, pc0);
    *p++ = 1;
    *p++ = 2;
    *p++ = 10;
    p = rt_varint_put(p, pc1);
    *p++ = 1;
    *p++ = 2;
    *p++ = 20;
    put_byte(b, TRACE_EV_STACK | 3 << 6);
    put_num(b, (uint64_t)(p - body));
    memcpy(b->data + b->n, body, (size_t)(p - body));
    b->n += (size_t)(p - body);
}

/* Stacks that are made to have one hash stay apart; those of the same
 * addresses under two numbers are one. */
static void
test_collisions(void **state)
{
    static struct build b;
    const struct trace_waits_filter filter = {.to = INT64_MAX,
        .g = UINT64_MAX};
    struct trace_summary *s;
    struct trace_waits w;
    struct trace_file *f;
    struct trace_sink sink;
    struct trace_pass how = {.sinks = &sink, .nsinks = 1};
    uint64_t i, to = mix(mix(0, 1000), 77);
    struct rt_err e;

    (void)state;
    put_header(&b, "go 1.19 trace");
    BATCH(&b, 0, 1000);
    EV3(&b, GO_CREATE, 0, 1, 1, 0);
    EV1(&b, PROC_START, 1, 100);
    EV2(&b, GO_START, 1, 1, 1);
    for (i = 0; i < 2 * PAIRS; i++) {
        EV1(&b, GO_BLOCK_RECV, 1, 10 + i);
        EV2(&b, GO_UNBLOCK_LOCAL, 5 + i % PAIRS, 1, 0);
        EV1(&b, GO_START_LOCAL, 1, 1);
    }
    put_end(&b);
    for (i = 0; i < 2 * PAIRS; i++)
        put_stack(&b, 10 + i, 1000 + i % PAIRS,
            second(1000 + i % PAIRS, to));
    assert_int_equal(trace_file_open_mem(&f, b.data, b.n, NULL, &e), RT_OK);
    trace_waits_init(&w, TRACE_WAITS_BLOCK, &filter, f);
    sink = trace_waits_sink(&w);
    assert_int_equal(trace_analyze_with(f, &how, &s, &e), RT_OK);
    assert_int_equal(w.nsites, 2 * PAIRS);
    assert_int_equal(trace_waits_finish(&w, s), RT_OK);
    assert_int_equal(w.nsites, PAIRS);
    for (i = 0; i < PAIRS; i++) {
        /* Longest first. */
        assert_int_equal(w.sites[i].n, 2);
        assert_int_equal(w.sites[i].longest, 5 + PAIRS - 1 - i);
        assert_int_equal(w.sites[i].ns, 2 * w.sites[i].longest);
        assert_int_equal(w.sites[i].stack, 10 + PAIRS - 1 - i);
    }
    trace_waits_free(&w);
    trace_summary_free(s);
    trace_file_close(f);
}

/* Of many waits the longest are kept, whatever came first. */
static void
test_longest(void **state)
{
    static const int64_t sorted[] = {12, 9, 9, 7, 5, 3, 2, 1};
    static const int64_t mixed[] = {5, 9, 1, 9, 3, 12, 2, 7};
    struct trace_top t;
    uint64_t k, i;

    (void)state;
    for (k = 0; k <= 2 * 8 + 1; k++) {
        const int64_t *ns = k % 2 == 0 ? sorted : mixed;
        uint64_t cap = k / 2;

        assert_true(trace_top_init(&t, cap));
        for (i = 0; i < 3; i++)
            trace_top_add(&t, &(struct trace_wait){.ns = 100});
        trace_top_clear(&t);
        for (i = 0; i < 8; i++)
            trace_top_add(&t, &(struct trace_wait){.ns = ns[i],
                .at = (int64_t)i});
        trace_top_sort(&t);
        assert_int_equal(t.n, cap);
        for (i = 0; i < cap; i++)
            assert_int_equal(t.a[i].ns, sorted[i]);
        free(t.a);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_collisions),
        cmocka_unit_test(test_longest),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
