/* SPDX-License-Identifier: MIT */
/* The worked example of build.h, read and analysed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/unit/trace/build.h"
#include "trace/analyze/analyze.h"
#include "trace/read/validate.h"

static void
count_problem(void *arg, const struct trace_problem *p)
{
    (void)p;
    ++*(unsigned *)arg;
}

static void
test_example(void **state)
{
    static const struct {
        int64_t ns;
        unsigned type;
        int p;
        uint64_t g;
    } want[] = {
        {0, TRACE_EV_GO_CREATE, 0, 0}, {1, TRACE_EV_GO_CREATE, 0, 0},
        {2, TRACE_EV_GO_WAITING, 0, 2}, {3, TRACE_EV_PROC_START, 0, 0},
        {4, TRACE_EV_GO_START, 0, 1}, {5, TRACE_EV_GOMAXPROCS, 0, 1},
        {100, TRACE_EV_HEAP_ALLOC, 0, 1}, {101, TRACE_EV_HEAP_GOAL, 0, 1},
        {200, TRACE_EV_GO_CREATE, 0, 1}, {300, TRACE_EV_GO_UNBLOCK, 0, 1},
        {350, TRACE_EV_PROC_START, 1, 0}, {400, TRACE_EV_GO_START, 1, 2},
        {500, TRACE_EV_GO_BLOCK_RECV, 1, 2}, {600, TRACE_EV_GO_START, 1, 3},
        {700, TRACE_EV_GO_SYS_CALL, 1, 3}, {800, TRACE_EV_GO_SYS_BLOCK, 1, 3},
        {801, TRACE_EV_PROC_STOP, 1, 0}, {1000, TRACE_EV_GC_START, 0, 0},
        {1010, TRACE_EV_STW_START, 0, 0}, {1060, TRACE_EV_STW_DONE, 0, 0},
        {1500, TRACE_EV_STW_START, 0, 0}, {1540, TRACE_EV_STW_DONE, 0, 0},
        {1600, TRACE_EV_GC_DONE, 0, 0}, {1601, TRACE_EV_HEAP_ALLOC, 0, 1},
        {1700, TRACE_EV_SWEEP_START, 0, 1}, {1750, TRACE_EV_SWEEP_DONE, 0, 1},
        {1800, TRACE_EV_GO_BLOCK_RECV, 0, 1},
        {1905, TRACE_EV_GO_SYS_EXIT, 0, 3}, {1920, TRACE_EV_GO_START, 0, 3},
        {1990, TRACE_EV_GO_UNBLOCK_LOCAL, 0, 3}, {2000, TRACE_EV_GO_END, 0, 3},
        {2010, TRACE_EV_GO_START_LOCAL, 0, 1}, {2100, TRACE_EV_GO_SCHED, 0, 1},
        {2101, TRACE_EV_PROC_STOP, 0, 0}};
    uint8_t data[512];
    size_t n = unhex(worked_example, data), i;
    unsigned problems = 0;
    struct trace_open how = {.problem = count_problem, .arg = &problems,
        .keep_going = true};
    struct trace_file *f;
    struct trace_order *o;
    struct trace_event ev;
    struct trace_rframe fr;
    struct rt_err e;

    (void)state;
    assert_int_equal(n, 287);
    assert_int_equal(trace_file_open_mem(&f, data, n, &how, &e), RT_OK);
    assert_int_equal(trace_validate(f, &e), RT_OK);
    assert_int_equal(problems, 0);
    assert_int_equal(f->version, 19);
    assert_int_equal(f->nevents, 34);
    assert_int_equal(f->nstacks, 7);
    assert_int_equal(f->nstrings, 5);
    assert_int_equal(trace_file_stack(f, 6, &fr, 1), 1);
    assert_int_equal(fr.pc, 772);
    assert_int_equal(fr.line, 33);
    assert_memory_equal(fr.func.s, "main.reader", 11);
    assert_memory_equal(fr.file.s, "prog.go", 7);
    assert_int_equal(trace_order_new(&o, f, &e), RT_OK);
    for (i = 0; i < sizeof want / sizeof *want; i++) {
        assert_int_equal(trace_order_next(o, &ev), RT_OK);
        assert_int_equal(ev.ns, want[i].ns);
        assert_int_equal(ev.type, want[i].type);
        assert_int_equal(ev.p, want[i].p);
        assert_int_equal(ev.g, want[i].g);
    }
    assert_int_equal(trace_order_next(o, &ev), RT_EOF);
    trace_order_free(o);
    trace_file_close(f);
}

/* What `go tool trace -pprof` of Go 1.19 finds in the same file. */
static void
test_example_analysis(void **state)
{
    uint8_t data[512];
    size_t n = unhex(worked_example, data);
    const struct trace_goroutine *g;
    struct trace_summary *s;
    struct trace_file *f;
    struct rt_err e;

    (void)state;
    assert_int_equal(trace_file_open_mem(&f, data, n, NULL, &e), RT_OK);
    assert_int_equal(trace_analyze(f, 10, &s, &e), RT_OK);
    assert_int_equal(s->duration, 2101);
    assert_int_equal(s->events, 34);
    assert_int_equal(s->ngs, 3);
    assert_int_equal(s->at_start, 2);
    assert_int_equal(s->created, 1);
    assert_int_equal(s->ended, 1);
    assert_int_equal(s->gomaxprocs, 2);
    assert_int_equal(s->proc_time, 2 * 2101);
    g = trace_find_goroutine(s, 1);
    assert_non_null(g);
    assert_int_equal(g->time[TRACE_ST_RECV], 190);
    assert_int_equal(g->time[TRACE_ST_RUNNABLE], 20 + 1);
    assert_int_equal(g->time[TRACE_ST_RUNNING], 1796 + 90);
    g = trace_find_goroutine(s, 3);
    assert_non_null(g);
    assert_int_equal(g->time[TRACE_ST_SYSCALL], 100 + 1105);
    assert_int_equal(g->calls, 100);
    assert_int_equal(g->time[TRACE_ST_RUNNABLE], 400 + 15);
    assert_int_equal(g->ended, 2000);
    assert_memory_equal(trace_goroutine_name(s, g).s, "main.reader", 11);
    assert_int_equal(s->gc.n, 1);
    assert_int_equal(s->gc.ns, 600);
    assert_int_equal(s->stw.n, 2);
    assert_int_equal(s->stw.ns, 90);
    assert_int_equal(s->stw_kind[1].ns, 50);
    assert_int_equal(s->sweep_ns, 50);
    assert_int_equal(s->swept, 8192);
    assert_int_equal(s->reclaimed, 4096);
    assert_int_equal(s->heap_max, 65536);
    assert_int_equal(s->goal_last, 4194304);
    assert_int_equal(s->syscalls, 1);
    assert_int_equal(s->syscalls_blocked, 1);
    assert_true(s->nlongest >= 2);
    assert_int_equal(s->longest[0].ns, 1601);
    assert_int_equal(s->longest[0].g, 2);
    assert_true(s->longest[0].open);
    assert_int_equal(s->longest[1].ns, 100 + 1105);
    assert_int_equal(s->longest[1].state, TRACE_ST_SYSCALL);
    assert_int_equal(s->longest[1].stack, 6);
    trace_summary_free(s);
    trace_file_close(f);
}

/* Of an assist only what it runs is the collector's time: goroutine 1 is
 * preempted in one and waits in it, and is in another one at the end. */
static void
test_assists(void **state)
{
    const struct trace_goroutine *g;
    struct trace_summary *s;
    struct trace_file *f;
    struct rt_err e;
    struct build b;

    (void)state;
    put_start(&b);                   /* goroutine 1 runs from tick 2 on */
    EV3(&b, GO_CREATE, 1, 2, 1, 0);
    EV1(&b, MARK_ASSIST_START, 10, 0);
    EV1(&b, GO_PREEMPT, 30, 0);      /* 30 in the assist */
    EV1(&b, GO_START_LOCAL, 1, 2);
    EV1(&b, GO_BLOCK, 500, 0);
    EV1(&b, GO_START_LOCAL, 1, 1);
    EV1(&b, GO_BLOCK_GC, 20, 0);     /* 20 */
    EV2(&b, GO_UNBLOCK_LOCAL, 700, 1, 0);
    EV1(&b, GO_START_LOCAL, 1, 1);
    EV0(&b, MARK_ASSIST_DONE, 5);    /* 5 */
    EV1(&b, MARK_ASSIST_START, 100, 0);
    EV1(&b, HEAP_ALLOC, 7, 1024);    /* 7, and not over */
    put_tables(&b);
    assert_int_equal(trace_file_open_mem(&f, b.data, b.n, NULL, &e), RT_OK);
    assert_int_equal(trace_analyze(f, 10, &s, &e), RT_OK);
    assert_int_equal(s->stuck, 0);
    assert_int_equal(s->assists, 1);
    assert_int_equal(s->assist_ns, 30 + 20 + 5);
    g = trace_find_goroutine(s, 1);
    assert_non_null(g);
    assert_int_equal(g->assist, 30 + 1 + 500 + 1 + 20 + 700 + 1 + 5);
    assert_int_equal(s->nprocs, 1);
    assert_int_equal(s->procs[0].gc, 30 + 20 + 5 + 7);
    assert_int_equal(s->procs[0].busy, s->duration - 2 - 1 - 1 - 700 - 1);
    trace_summary_free(s);
    trace_file_close(f);
}

/* What one who listens to a pass hears. */
struct heard {
    uint64_t events, spans, sum;
};

static bool
hear_event(void *arg, const struct trace_summary *s,
    const struct trace_event *e)
{
    struct heard *h = arg;

    (void)s;
    h->events++;
    h->sum = h->sum * 31 + (uint64_t)e->ns + e->type;
    return true;
}

static bool
hear_span(void *arg, const struct trace_summary *s,
    const struct trace_goroutine *g, const struct trace_span *sp)
{
    struct heard *h = arg;

    (void)s;
    h->spans++;
    h->sum = h->sum * 31 + g->id * 7 + (uint64_t)(sp->to - sp->from);
    h->sum = h->sum * 31 + sp->state + sp->stack + sp->cause_stack;
    h->sum = h->sum * 31 + sp->cause + sp->end + (uint64_t)sp->p;
    return true;
}

/* A brief pass tells the same, and adds nothing up. */
static void
test_example_brief(void **state)
{
    uint8_t data[512];
    size_t n = unhex(worked_example, data);
    struct heard h[2] = {{0}};
    struct trace_summary *s[2];
    struct trace_file *f;
    struct rt_err e;
    int i;

    (void)state;
    assert_int_equal(trace_file_open_mem(&f, data, n, NULL, &e), RT_OK);
    for (i = 0; i < 2; i++) {
        const struct trace_sink sink = {.arg = &h[i], .event = hear_event,
            .span = hear_span};
        const struct trace_pass how = {.top = 5, .brief = i == 1,
            .sinks = &sink, .nsinks = 1};

        assert_int_equal(trace_analyze_with(f, &how, &s[i], &e), RT_OK);
    }
    assert_int_equal(h[0].events, 34);
    assert_int_equal(h[1].events, 34);
    assert_int_equal(h[1].spans, h[0].spans);
    assert_int_equal(h[1].sum, h[0].sum);
    assert_int_equal(s[1]->ngs, s[0]->ngs);
    assert_int_equal(s[1]->duration, s[0]->duration);
    for (i = 0; i < (int)s[0]->ngs; i++) {
        assert_int_equal(s[1]->gs[i].id, s[0]->gs[i].id);
        assert_int_equal(s[1]->gs[i].entry, s[0]->gs[i].entry);
        assert_int_equal(s[1]->gs[i].first_stack, s[0]->gs[i].first_stack);
    }
    assert_int_equal(s[0]->nprocs, 2);
    assert_int_equal(s[1]->nprocs, 0);
    assert_int_equal(s[1]->total[TRACE_ST_RUNNING].n, 0);
    assert_int_equal(s[1]->nlongest, 0);
    trace_summary_free(s[0]);
    trace_summary_free(s[1]);
    trace_file_close(f);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_example),
        cmocka_unit_test(test_example_analysis),
        cmocka_unit_test(test_assists),
        cmocka_unit_test(test_example_brief),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
