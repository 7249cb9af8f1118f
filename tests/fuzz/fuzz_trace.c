/* SPDX-License-Identifier: MIT */
/*
 * libFuzzer target: reader, orderer, validator, analysis, exports and page on
 * any bytes.  tests/fuzz/run_trace_fuzz.py builds and runs it.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/analyze/analyze.h"
#include "trace/analyze/export.h"
#include "trace/analyze/gcstat.h"
#include "trace/analyze/mmu.h"
#include "trace/analyze/timeline.h"
#include "trace/analyze/user.h"
#include "trace/analyze/waits.h"
#include "trace/html/html.h"
#include "trace/html/html_int.h"
#include "trace/read/rewrite.h"
#include "trace/read/validate.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The viewer is the same for all traces: only what is put into it counts. */
const char html_page_head[] = "", html_page_tail[] = "";

static void
on_problem(void *arg, const struct trace_problem *p)
{
    uint64_t *n = arg;

    /* A text must be there and end. */
    *n += p->text[0] != '\0' && p->rule[0] != '\0';
}

/* Touches all that an event points to. */
static uint64_t
touch(const struct trace_file *f, const struct trace_event *e)
{
    struct trace_rframe fr[4];
    uint64_t sum = e->ts ^ e->off;
    uint32_t i, n;

    if (e->off >= f->size)
        abort();
    n = trace_file_stack(f, e->stk, fr, 4);
    for (i = 0; i < n && i < 4; i++) {
        if (fr[i].func.len > 0)
            sum += (uint8_t)fr[i].func.s[fr[i].func.len - 1];
        sum += fr[i].pc + fr[i].line;
    }
    for (i = 0; i < e->why_len; i++)
        sum += (uint8_t)e->why[i];
    for (i = 0; i < e->msg_len; i++)
        sum += (uint8_t)e->msg[i];
    return sum;
}

static uint64_t
read_all(struct trace_file *f)
{
    struct trace_order *o;
    struct trace_event e;
    uint64_t sum = 0;
    int64_t last = 0;

    if (trace_order_new(&o, f, NULL) != RT_OK)
        return 0;
    while (trace_order_next(o, &e) == RT_OK) {
        sum += touch(f, &e);
        if (e.ns < last || e.type == 0 || e.type >= TRACE_EV_KINDS)
            abort(); /* the promise of trace/read/event.h */
        last = e.ns;
    }
    trace_order_free(o);
    return sum;
}

static bool
swallow(void *arg, const void *data, size_t n)
{
    uint64_t *sum = arg;

    *sum += n == 0 ? 0 : ((const uint8_t *)data)[n - 1];
    return true;
}

/* What waits and user annotations tell, in one pass. */
static void
analyze_all(struct trace_file *f)
{
    struct trace_waits_filter all = {.to = INT64_MAX, .g = UINT64_MAX,
        .all = true};
    struct trace_waits waits[4];
    struct trace_gcstat gc;
    struct trace_user user;
    struct trace_sink sinks[6];
    /* Brief or not, as the file will have it. */
    struct trace_pass how = {.top = 4, .brief = f->nevents % 2 != 0,
        .sinks = sinks, .nsinks = 6};
    struct trace_summary *s;
    uint64_t sum = 0;
    struct wire_sink out = {swallow, &sum};
    int i;

    if (trace_gcstat_init(&gc, f) != RT_OK)
        return;
    trace_user_init(&user, f);
    for (i = 0; i < 4; i++) {
        trace_waits_init(&waits[i], (enum trace_waits_kind)i, &all, f);
        sinks[i] = trace_waits_sink(&waits[i]);
    }
    sinks[4] = trace_gcstat_sink(&gc);
    sinks[5] = trace_user_sink(&user);
    if (trace_analyze_with(f, &how, &s, NULL) == RT_OK) {
        trace_gcstat_finish(&gc, s->duration);
        trace_user_finish(&user, s, true);
        for (i = 0; i < 4; i++) {
            if (trace_waits_finish(&waits[i], s) == RT_OK)
                trace_waits_pprof(&waits[i], &out);
        }
        trace_summary_free(s);
    }
    for (i = 0; i < 4; i++)
        trace_waits_free(&waits[i]);
    trace_gcstat_free(&gc);
    trace_user_free(&user);
}

/* The pictures: columns of the first goroutines, and the utilization. */
static void
draw_all(struct trace_file *f)
{
    static const uint64_t some[] = {1, 2, 3};
    struct trace_columns columns;
    struct trace_mmu mmu;
    struct trace_sink sinks[2];
    struct trace_pass how = {.sinks = sinks, .nsinks = 2};
    struct trace_summary *s;

    if (trace_columns_init(&columns, f, 0, 1 << 20, 16, some, 3) != RT_OK)
        return;
    trace_mmu_init(&mmu, TRACE_MMU_STW | TRACE_MMU_BACKGROUND |
        TRACE_MMU_ASSIST | TRACE_MMU_SWEEP, f);
    sinks[0] = trace_columns_sink(&columns);
    sinks[1] = trace_mmu_sink(&mmu);
    if (trace_analyze_with(f, &how, &s, NULL) == RT_OK) {
        trace_columns_finish(&columns, s->duration);
        if (trace_mmu_finish(&mmu) == RT_OK &&
            trace_mmu_at(&mmu, 1000) > 1)
            abort(); /* a share */
        trace_summary_free(s);
    }
    trace_columns_free(&columns);
    trace_mmu_free(&mmu);
}

/* For other viewers. */
static void
export_all(struct trace_file *f)
{
    uint64_t sum = 0;
    struct wire_sink out = {swallow, &sum};
    struct trace_export chrome = {.f = f, .out = &out, .to = INT64_MAX,
        .goroutines = true};
    struct trace_export perfetto = chrome;
    struct trace_sink sinks[2];
    struct trace_pass how = {.sinks = sinks, .nsinks = 2};
    struct trace_summary *s;

    sinks[0] = trace_chrome_sink(&chrome);
    sinks[1] = trace_perfetto_sink(&perfetto);
    if (trace_chrome_begin(&chrome) == RT_OK &&
        trace_perfetto_begin(&perfetto) == RT_OK &&
        trace_analyze_with(f, &how, &s, NULL) == RT_OK) {
        trace_chrome_end(&chrome, s);
        trace_perfetto_end(&perfetto, s);
        trace_summary_free(s);
    }
    trace_export_free(&chrome);
    trace_export_free(&perfetto);
}

static void
page(struct trace_file *f)
{
    static FILE *nowhere;
    struct trace_html_options opt = {.title = "fuzz"};

    if (nowhere == NULL)
        nowhere = fopen("/dev/null", "w");
    if (nowhere != NULL)
        trace_html_write(f, &opt, nowhere, NULL);
}

struct bytes {
    uint8_t *data;
    uint64_t n, cap;
};

static bool
keep(void *arg, const void *data, size_t n)
{
    struct bytes *b = arg;

    if (b->n + n > 1 << 22 ||
        !trace_grow(&b->data, &b->cap, b->n + n, 1))
        return false;
    memcpy(b->data + b->n, data, n);
    b->n += n;
    return true;
}

/* A new file of what could be read; it must be readable itself. */
static void
rewrite(struct trace_file *f, uint64_t size)
{
    struct bytes out = {0};
    struct trace_rewrite how = {.from = 0, .to = INT64_MAX,
        .version = size & 4 ? 19 : 21, .put = keep, .arg = &out};
    struct trace_file *again;

    if (size & 8)
        how.from = 100;
    if ((size & 32 ? trace_rewrite_v2(f, &how, NULL) :
            trace_rewrite(f, &how, NULL)) == RT_OK &&
        trace_file_open_mem(&again, out.data, out.n, NULL, NULL) == RT_OK) {
        read_all(again);
        trace_file_close(again);
    }
    free(out.data);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static volatile uint64_t sink;
    uint64_t problems = 0;
    struct trace_open how = {.problem = on_problem, .arg = &problems,
        .keep_going = true};
    struct trace_file *f;

    if (trace_file_open_mem(&f, data, size, &how, NULL) != RT_OK)
        return 0;
    sink += read_all(f);
    trace_validate(f, NULL);
    switch (size % 16) { /* the dearest parts in turn */
    case 0:
        analyze_all(f);
        break;
    case 1:
        draw_all(f);
        break;
    case 2:
        export_all(f);
        break;
    case 3:
        if (data[size / 2] % 32 == 0) /* fifty times as dear as the others */
            page(f);
        break;
    case 4:
    case 5:
        rewrite(f, size >> 2);
        break;
    default:
        break;
    }
    trace_file_close(f);
    sink += problems;
    return 0;
}
