/* SPDX-License-Identifier: MIT */
/* Single events, and what they say, on one P and the global buffer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/trace/sim.h"
#include "trace/record/trace_int.h"

static struct sim s;

/* A trace that nobody reads, and the first P, on which no goroutine runs. */
static struct trace_pbuf *
begin(void)
{
    struct trace_config cfg = {.fd = -1};
    struct rt_err e;

    sim_init(&s, 2, 61);
    assert_int_equal(trace_start(&s.rec, &cfg, &e), RT_OK);
    trace_proc_start(&s.rec, &s.p[0].trace, 1);
    trace_proc_start(&s.rec, &s.p[1].trace, 2);
    return &s.p[0].trace;
}

static uint64_t
count(enum trace_ev ev)
{
    struct trace_stats st;

    trace_get_stats(&s.rec, &st);
    return st.count[ev];
}

/* However far a goroutine's or a P's clock is ahead of the counter. */
static void
ticks_grow_along_goroutines_and_processors(void **state)
{
    struct trace_pbuf *b = begin(), *c = &s.p[1].trace;
    struct trace_gstate *g = &s.gs[0]->trace, *h = &s.gs[1]->trace;
    uint64_t ahead;

    (void)state;
    g->last += UINT64_C(1) << 40;
    ahead = g->last;
    trace_go_start(&s.rec, b, g);
    assert_int_equal(b->last, ahead + 1);
    assert_int_equal(g->last, ahead + 1);
    trace_go_block(&s.rec, b, g, TRACE_BLOCK_RECV, NULL, 0);
    assert_int_equal(b->last, ahead + 2);
    trace_go_unblock(&s.rec, c, g, NULL, 0); /* by whom the clock is behind */
    assert_int_equal(c->last, ahead + 3);
    trace_go_start(&s.rec, c, h);
    assert_int_equal(h->last, ahead + 4);
    assert_true(trace_buf_valid(b->buf) && trace_buf_valid(c->buf));
    sim_fini(&s);
}

/* The P remembers stacks by a few of their frames: two that fall together
 * there are two all the same, also if one is the other's beginning. */
static void
stacks_that_share_a_slot_are_different(void **state)
{
    const uint64_t golden = UINT64_C(0x9e3779b97f4a7c15);
    vpc pcs[3] = {5 << 24, 6 << 24, 0};
    struct trace_pbuf *b = begin();
    struct trace_gstate *g = &s.gs[0]->trace;
    uint64_t slot = (pcs[0] + pcs[1] + pcs[1] + 2) * golden >>
        (64 - TRACE_SEEN_BITS);

    (void)state;
    do
        pcs[2] += 1 << 24;
    while ((pcs[0] + pcs[1] + pcs[2] + 3) * golden >>
        (64 - TRACE_SEEN_BITS) != slot);
    trace_go_start(&s.rec, b, g);
    trace_go_sys_call(&s.rec, b, g, pcs, 3);
    assert_int_equal(b->seen[slot]->n, 3);
    trace_go_sys_call(&s.rec, b, g, pcs, 2);
    assert_int_equal(b->seen[slot]->n, 2);
    trace_go_sys_call(&s.rec, b, g, pcs, 3);
    assert_int_equal(b->seen[slot]->n, 3);
    pcs[1]++;
    trace_go_sys_call(&s.rec, b, g, pcs, 2);
    assert_int_equal(b->seen[(pcs[0] + 2 * pcs[1] + 2) * golden >>
        (64 - TRACE_SEEN_BITS)]->pcs[1], pcs[1]);
    sim_fini(&s);
}

/* Where the event before is not in the same stream, the number says which it
 * follows; a stream without a P orders nothing. */
static void
numbers_are_left_out_in_one_stream_only(void **state)
{
    struct trace_pbuf *b = begin(), *c = &s.p[1].trace;
    struct trace_pbuf *global = trace_global(&s.rec);
    struct trace_gstate *g = &s.gs[0]->trace;

    (void)state;
    trace_go_start(&s.rec, b, g);
    assert_int_equal(count(TRACE_EV_GO_START_LOCAL), 1); /* its first */
    trace_go_block(&s.rec, b, g, TRACE_BLOCK_RECV, NULL, 0);
    trace_go_unblock(&s.rec, b, g, NULL, 0);
    assert_int_equal(count(TRACE_EV_GO_UNBLOCK_LOCAL), 1);
    trace_go_start(&s.rec, c, g);
    assert_int_equal(count(TRACE_EV_GO_START), 1);
    trace_go_block(&s.rec, c, g, TRACE_BLOCK_RECV, NULL, 0);
    trace_go_unblock(&s.rec, global, g, NULL, 0);
    assert_int_equal(count(TRACE_EV_GO_UNBLOCK), 1);
    assert_null(g->at);
    trace_go_start(&s.rec, c, g);
    assert_int_equal(count(TRACE_EV_GO_START), 2);
    assert_int_equal(g->seq, 5);
    sim_fini(&s);
}

/* A call that blocks does so from its beginning on; so has its P been idle. */
static void
a_blocked_call_has_the_time_of_the_call(void **state)
{
    struct trace_pbuf *b = begin();
    struct trace_gstate *g = &s.gs[0]->trace;
    uint64_t since, now;

    (void)state;
    trace_go_start(&s.rec, b, g);
    trace_go_sys_call(&s.rec, b, g, NULL, 0);
    since = trace_ticks(&s.rec) + 1000;
    trace_go_sys_block(&s.rec, b, g, since);
    assert_int_equal(g->last, since + 1); /* ProcStop, right behind it */
    assert_int_equal(b->last, since + 1);
    assert_int_equal(a32_load_rlx(&g->sysblocked), 1);
    assert_false(b->proc_started);
    while (trace_ticks(&s.rec) < since + 10)
        ;
    trace_proc_start(&s.rec, b, 1);
    trace_go_sys_exit(&s.rec, b, g, 0);
    assert_int_equal(a32_load_rlx(&g->sysblocked), 0);
    trace_go_start(&s.rec, b, g);
    trace_go_sys_call(&s.rec, b, g, NULL, 0);
    since = b->last + 1;
    while (trace_ticks(&s.rec) < since + 100)
        ;
    now = trace_ticks(&s.rec);
    trace_go_sys_kept(&s.rec, b, g, since);
    assert_true(b->last >= now && b->proc_started && b->goid == g->goid);
    assert_int_equal(count(TRACE_EV_GO_SYS_BLOCK), 2);
    assert_int_equal(count(TRACE_EV_GO_SYS_EXIT), 2);
    assert_true(trace_buf_valid(b->buf));
    sim_fini(&s);
}

/* A sample that was taken before the trace began has no place in it. */
static void
samples_from_before_are_left_out(void **state)
{
    struct trace_state *ts;

    (void)state;
    begin();
    ts = s.rec.s;
    trace_cpu_sample(&s.rec, ts->start_tick - 1, 0, 1, NULL, 0);
    assert_int_equal(count(TRACE_EV_CPU_SAMPLE), 0);
    trace_cpu_sample(&s.rec, ts->start_tick, 0, 1, NULL, 0);
    assert_int_equal(count(TRACE_EV_CPU_SAMPLE), 1);
    sim_fini(&s);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ticks_grow_along_goroutines_and_processors),
        cmocka_unit_test(stacks_that_share_a_slot_are_different),
        cmocka_unit_test(numbers_are_left_out_in_one_stream_only),
        cmocka_unit_test(a_blocked_call_has_the_time_of_the_call),
        cmocka_unit_test(samples_from_before_are_left_out),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
