/* SPDX-License-Identifier: MIT */
/*
 * libFuzzer target: reader, orderer, validator and analysis on any bytes.
 * tests/fuzz/run_trace_fuzz.py builds and runs it.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "trace/analyze/analyze.h"
#include "trace/analyze/gcstat.h"
#include "trace/analyze/user.h"
#include "trace/analyze/waits.h"
#include "trace/read/rewrite.h"
#include "trace/read/validate.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Hash tables are seeded: the same input must take the same way. */
ssize_t
getrandom(void *buf, size_t n, unsigned flags)
{
    (void)flags;
    memset(buf, 0x5a, n);
    return (ssize_t)n;
}

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

/* All the analyses in one pass. */
static void
analyze_all(struct trace_file *f)
{
    struct trace_waits_filter all = {.to = INT64_MAX, .g = UINT64_MAX,
        .all = true};
    struct trace_waits waits[4];
    struct trace_gcstat gc;
    struct trace_user user;
    struct trace_sink sinks[6];
    struct trace_pass how = {.top = 4, .sinks = sinks, .nsinks = 6};
    struct trace_summary *s;
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
        trace_user_finish(&user, true);
        trace_summary_free(s);
    }
    for (i = 0; i < 4; i++) {
        trace_waits_finish(&waits[i]);
        trace_waits_free(&waits[i]);
    }
    trace_gcstat_free(&gc);
    trace_user_free(&user);
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
    if ((size & 16 ? trace_rewrite_v2(f, &how, NULL) :
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
    if (size % 4 == 0) /* the dearest part */
        analyze_all(f);
    if (size % 4 == 1)
        rewrite(f, size);
    trace_file_close(f);
    sink += problems;
    return 0;
}
