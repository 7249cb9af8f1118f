/* SPDX-License-Identifier: MIT */
/* The collector's events in a real trace, from a runtime of one P that runs
 * one goroutine. */
#include "tests/unit/gc/fake.h"

#include <stdio.h>
#include <unistd.h>

#include "gc/gc_int.h"
#include "trace/record/trace.h"

static struct trace_gstate g = { .goid = 1 };

struct tracer {
    struct fake f;
    struct trace_rec rec;
    struct trace_pbuf pbuf;
};

static void
stop(void *ctx, enum trace_stw_reason why)
{
    (void)ctx;
    (void)why;
}

static void
start(void *ctx)
{
    (void)ctx;
}

static void
each_g(void *ctx, void (*fn)(void *arg, const struct trace_gsnap *s),
    void *arg)
{
    struct trace_gsnap s = { &g, 1, vpc_make(0, 0), TRACE_G_RUNNING };

    (void)ctx;
    fn(arg, &s);
}

static void
each_p(void *ctx, void (*fn)(void *arg, const struct trace_psnap *s),
    void *arg)
{
    struct tracer *t = ctx;
    struct trace_psnap s = { &t->pbuf, &g, 1, true, true };

    fn(arg, &s);
}

static uint32_t
walk_self(void *ctx, vpc *pcs, uint32_t max)
{
    (void)ctx;
    (void)max;
    pcs[0] = vpc_make(0, 1);
    return 1;
}

static uint32_t
walk_g(void *ctx, const struct trace_gstate *s, vpc *pcs, uint32_t max)
{
    (void)s;
    return walk_self(ctx, pcs, max);
}

static bool
symbolize(void *ctx, vpc pc, struct trace_frame *f)
{
    (void)ctx;
    *f = (struct trace_frame){.func = "main.main", .file = "main.go",
        .func_len = 9, .file_len = 7, .line = vpc_off(pc)};
    return true;
}

static const struct trace_host host = {
    .stop_world = stop,
    .start_world = start,
    .for_each_g = each_g,
    .for_each_p = each_p,
    .walk_self = walk_self,
    .walk_g = walk_g,
    .symbolize = symbolize
};

static void
cycles_leave_balanced_events(void **state)
{
    static struct tracer t;
    struct gc_config cfg = GC_CONFIG_DEFAULT;
    struct rt_clock clock;
    struct rt_err e = { 0 };
    struct trace_stats st;
    FILE *out = tmpfile();

    (void)state;
    assert_non_null(out);
    memset(&t, 0, sizeof t);
    rt_clock_init(&clock);
    assert_int_equal(trace_rec_init(&t.rec, &host, &t, &clock), RT_OK);
    assert_int_equal(gc_heap_new(&t.f.h, &cfg, &fake_host, &t.f, NULL, NULL,
        &t.rec), RT_OK);
    gc_pcache_init(t.f.h, &t.f.pc, &t.f);
    trace_pbuf_init(&t.rec, &t.pbuf, 0);
    t.f.pc.trace = &t.pbuf;
    /* Events before the start go nowhere. */
    fake_collect(&t.f);
    struct trace_config tc = { .fd = fileno(out) };
    assert_int_equal(trace_start(&t.rec, &tc, &e), RT_OK);
    uint64_t before = gc_cycles(t.f.h);
    for (int i = 0; i < 400000; i++) {
        gc_alloc(&t.f.pc, &lay_node);
        gc_poll(t.f.h, &t.f.pc);
    }
    fake_collect(&t.f);
    uint64_t cycles = gc_cycles(t.f.h) - before;
    assert_int_equal(trace_stop(&t.rec, &e), RT_OK);
    trace_get_stats(&t.rec, &st);
    assert_true(cycles >= 3);
    assert_int_equal(st.count[TRACE_EV_GC_START], cycles);
    assert_int_equal(st.count[TRACE_EV_GC_DONE], cycles);
    assert_int_equal(st.count[TRACE_EV_HEAP_GOAL], cycles);
    assert_true(st.count[TRACE_EV_HEAP_ALLOC] > 400000 * 32 / 8192);
    assert_true(st.count[TRACE_EV_SWEEP_START] > 0);
    assert_int_equal(st.count[TRACE_EV_SWEEP_START],
        st.count[TRACE_EV_SWEEP_DONE]);
    fake_stop(&t.f);
    trace_pbuf_fini(&t.rec, &t.pbuf);
    trace_rec_fini(&t.rec);
    fclose(out);
}

/* A cycle whose times and sizes are known, as one line. */
static void
line_of_a_cycle(void **state)
{
    static struct fake f;
    struct gc_cycle_times *t;

    (void)state;
    fake_start(&f, NULL, NULL, NULL);
    a64_store_rlx(&f.h->cycles, 7);
    t = &f.h->times;
    t->stopped = f.h->born + 2034000000;
    t->running = t->stopped + 12345;
    t->mark = t->running;
    t->term_stop = t->running + 1234567;
    t->term = t->term_stop;
    t->end = t->term_stop + 15678901;
    ai64_store_rlx(&f.h->spent.assist, 999);
    ai64_store_rlx(&f.h->spent.worker, 99999);
    ai64_store_rlx(&f.h->spent.idle, 100999);
    f.h->stop_cpu = 0;
    f.h->live_before = 5 << 20;
    f.h->live_term = 6 << 20;
    a64_store_rlx(&f.h->heap_marked, (3 << 20) - 1);
    f.h->goal_before = 4 << 20;
    f.h->stack_bytes = 1 << 20;
    f.h->global_bytes = 2 << 20;
    f.h->why = GC_WHY_FORCED;
    gc_trace_print(f.h);
    assert_string_equal(f.line,
        "gc 7 @2.050s 0%: 0.012+1.2+15 ms clock, "
        "0.012+0/0.099/0.10+15 ms cpu, 5->6->2 MB, 4 MB goal, 1 MB stacks, "
        "2 MB globals, 1 P (forced)\n");
    /* One stop: its marker has had all Ps. */
    t->running = 0;
    t->mark = t->stopped + 4567890;
    t->term_stop = t->mark + 9999999;
    t->end = t->term_stop + 100000;
    f.h->why = GC_WHY_HEAP;
    gc_trace_print(f.h);
    assert_string_equal(f.line,
        "gc 7 @2.048s 0%: 4.5+9.9+0.10 ms clock, "
        "4.5+0/9.9/0.10+0.10 ms cpu, 5->6->2 MB, 4 MB goal, 1 MB stacks, "
        "2 MB globals, 1 P\n");
    /* From ten milliseconds on there are no decimals. */
    t->term_stop = t->mark + 10000000;
    t->end = t->term_stop + 100000;
    gc_trace_print(f.h);
    assert_string_equal(f.line,
        "gc 7 @2.048s 0%: 4.5+10+0.10 ms clock, "
        "4.5+0/10/0.10+0.10 ms cpu, 5->6->2 MB, 4 MB goal, 1 MB stacks, "
        "2 MB globals, 1 P\n");
    fake_stop(&f);
}

/* Each cycle says what it was asked to say, the pacer last. */
static void
lines_are_asked_for(void **state)
{
    static struct fake f;
    char end[128];

    (void)state;
    for (unsigned what = 0; what < 4; what++) {
        struct gc_config cfg = GC_CONFIG_DEFAULT;
        cfg.trace = (what & 1) != 0;
        cfg.pacer_trace = (what & 2) != 0;
        fake_start(&f, &cfg, NULL, NULL);
        for (int i = 0; i < 1000; i++)
            f.root[0] = gc_alloc(&f.pc, &lay_node);
        f.nroots = 1;
        fake_collect(&f);
        const char *begin = cfg.pacer_trace ? "pacer: mark of "
            : cfg.trace ? "gc 1 @" : "";
        assert_int_equal(f.line[0] == '\0', what == 0);
        assert_memory_equal(f.line, begin, strlen(begin));
        snprintf(end, sizeof end, "live 32, trigger %lu, goal %lu\n",
            (unsigned long)a64_load_rlx(&f.h->trigger),
            (unsigned long)a64_load_rlx(&f.h->goal));
        if (cfg.pacer_trace)
            assert_string_equal(strstr(f.line, "live "), end);
        fake_stop(&f);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cycles_leave_balanced_events),
        cmocka_unit_test(line_of_a_cycle),
        cmocka_unit_test(lines_are_asked_for),
    };

    return cmocka_run_group_tests_name("gc/trace", tests, NULL, NULL);
}
