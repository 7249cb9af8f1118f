/* SPDX-License-Identifier: MIT */
/*
 * The cost of one trace event: bare, with stacks of several depths, and with
 * tracing off.  Prints Go's benchmark format.  The trace goes to /dev/null
 * through the reader thread, as it would go to a file.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "trace/record/trace.h"

enum { N = 4000000 };

struct world {
    struct trace_rec rec;
    struct trace_pbuf p;
    struct trace_gstate g;
    struct rt_clock clock;
};

static void
stw(void *ctx, enum trace_stw_reason why)
{
    (void)ctx;
    (void)why;
}

static void
go_on(void *ctx)
{
    (void)ctx;
}

static void
each_g(void *ctx, void (*fn)(void *arg, const struct trace_gsnap *g),
    void *arg)
{
    struct world *w = ctx;
    struct trace_gsnap g = {.g = &w->g, .goid = 1, .entry = vpc_make(0, 0),
        .status = TRACE_G_RUNNABLE};

    fn(arg, &g);
}

static void
each_p(void *ctx, void (*fn)(void *arg, const struct trace_psnap *p),
    void *arg)
{
    struct world *w = ctx;
    struct trace_psnap p = {.b = &w->p, .thread = 1, .running = true,
        .self = true};

    fn(arg, &p);
}

static uint32_t
walk_self(void *ctx, vpc *pcs, uint32_t max)
{
    (void)ctx;
    (void)pcs;
    (void)max;
    return 0;
}

static uint32_t
walk_g(void *ctx, const struct trace_gstate *g, vpc *pcs, uint32_t max)
{
    (void)g;
    return walk_self(ctx, pcs, max);
}

static bool
symbolize(void *ctx, vpc pc, struct trace_frame *f)
{
    (void)ctx;
    (void)pc;
    f->func = "main.main";
    f->func_len = 9;
    f->file = "prog.go";
    f->file_len = 7;
    f->line = vpc_off(pc);
    return true;
}

static const struct trace_host host = {.stop_world = stw,
    .start_world = go_on, .for_each_g = each_g, .for_each_p = each_p,
    .walk_self = walk_self, .walk_g = walk_g, .symbolize = symbolize};

static void
report(const char *name, int64_t ns, double n, double bytes)
{
    printf("BenchmarkTrace%s\t%d\t%.2f ns/op\t%.2f B/op\n", name, (int)n,
        (double)ns / n, bytes / n);
}

/* Two events per round, as a yield makes them. */
static void
yields(struct world *w, const char *name, uint32_t depth)
{
    vpc pcs[TRACE_STACK_MAX];
    struct trace_config cfg = {.fd = open("/dev/null", O_WRONLY),
        .close_fd = true};
    struct trace_stats st;
    struct rt_err e;
    int64_t t;
    uint32_t k;
    int i;

    for (k = 0; k < depth; k++)
        pcs[k] = vpc_make(k, 10);
    if (trace_start(&w->rec, &cfg, &e) != RT_OK)
        abort();
    trace_go_start(&w->rec, &w->p, &w->g);
    t = rt_nanotime();
    for (i = 0; i < N / 2; i++) {
        if (trace_on(&w->rec)) {
            if (depth > 0)
                pcs[0] = vpc_make(0, (uint32_t)i % 8);
            trace_go_sched(&w->rec, &w->p, &w->g, pcs, depth);
        }
        if (trace_on(&w->rec))
            trace_go_start(&w->rec, &w->p, &w->g);
    }
    t = rt_nanotime() - t;
    trace_stop(&w->rec, &e);
    trace_get_stats(&w->rec, &st);
    report(name, t, N, (double)st.bytes);
}

static void
bare(struct world *w)
{
    struct trace_config cfg = {.fd = open("/dev/null", O_WRONLY),
        .close_fd = true};
    struct trace_stats st;
    struct rt_err e;
    int64_t t;
    int i;

    if (trace_start(&w->rec, &cfg, &e) != RT_OK)
        abort();
    t = rt_nanotime();
    for (i = 0; i < N; i++) {
        if (trace_on(&w->rec))
            trace_heap_alloc(&w->rec, &w->p, 1 << 20);
    }
    t = rt_nanotime() - t;
    trace_stop(&w->rec, &e);
    trace_get_stats(&w->rec, &st);
    report("HeapAlloc", t, N, (double)st.bytes);
}

static void
off(struct world *w)
{
    int64_t t = rt_nanotime();
    int i;

    for (i = 0; i < N; i++) {
        if (trace_on(&w->rec))
            trace_heap_alloc(&w->rec, &w->p, 1 << 20);
        __asm__ volatile("" ::: "memory");
    }
    report("Off", rt_nanotime() - t, N, 0);
}

int
main(void)
{
    static struct world w;
    int64_t t;
    uint64_t sum = 0;
    int i;

    rt_clock_init(&w.clock);
    if (trace_rec_init(&w.rec, &host, &w, &w.clock) != RT_OK)
        return 1;
    trace_pbuf_init(&w.rec, &w.p, 0);
    t = rt_nanotime();
    for (i = 0; i < N; i++)
        sum += rt_ticks(&w.clock);
    report(sum == 0 ? "" : "Ticks", rt_nanotime() - t, N, 0);
    off(&w);
    bare(&w);
    yields(&w, "Yield/depth=0", 0);
    yields(&w, "Yield/depth=4", 4);
    yields(&w, "Yield/depth=8", 8);
    yields(&w, "Yield/depth=16", 16);
    yields(&w, "Yield/depth=32", 32);
    trace_rec_fini(&w.rec);
    return 0;
}
