/* SPDX-License-Identifier: MIT */
/* The reader: every rejection, and bytes of any kind. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

#include "runtime/base/clock.h"
#include "tests/unit/trace/build.h"
#include "trace/analyze/analyze.h"
#include "trace/read/validate.h"

/* The rules that a file has broken. */
struct found {
    char errors[1024], warnings[1024]; /* " rule rule" */
    char text[200];                    /* of the first */
    uint64_t off;
    unsigned n;
};

static void
note_problem(void *arg, const struct trace_problem *p)
{
    struct found *f = arg;
    char *s = p->severity == TRACE_ERROR ? f->errors : f->warnings;
    size_t n = strlen(s);

    snprintf(s + n, sizeof f->errors - n, " %s", p->rule);
    if (f->n++ == 0) {
        snprintf(f->text, sizeof f->text, "%s", p->text);
        f->off = p->off;
    }
}

static struct found
validate(const void *data, size_t n)
{
    struct found found = {0};
    struct trace_open how = {.problem = note_problem, .arg = &found,
        .keep_going = true};
    struct trace_file *f;
    struct rt_err e;

    if (trace_file_open_mem(&f, data, n, &how, &e) != RT_OK) {
        snprintf(found.errors, sizeof found.errors, " open");
        snprintf(found.text, sizeof found.text, "%.190s", e.text);
        found.off = e.where;
        return found;
    }
    assert_int_equal(trace_validate(f, &e), RT_OK);
    trace_file_close(f);
    return found;
}

/* The file breaks this rule, as an error, and says so in these words. */
static void
assert_error(const struct build *b, const char *rule, const char *words)
{
    struct found f = validate(b->data, b->n);
    char want[64];

    snprintf(want, sizeof want, " %s", rule);
    if (strstr(f.errors, want) == NULL)
        fail_msg("want error%s: errors%s; warnings%s; %s", want, f.errors,
            f.warnings, f.text);
    if (words != NULL && strstr(f.text, words) == NULL)
        fail_msg("want \"%s\": %s", words, f.text);
}

static void
assert_warning(const struct build *b, const char *rule)
{
    struct found f = validate(b->data, b->n);
    char want[64];

    snprintf(want, sizeof want, " %s", rule);
    if (f.errors[0] != '\0' || strstr(f.warnings, want) == NULL)
        fail_msg("want warning%s: errors%s; warnings%s; %s", want, f.errors,
            f.warnings, f.text);
}

static void
assert_clean(const struct build *b)
{
    struct found f = validate(b->data, b->n);

    if (f.n != 0)
        fail_msg("errors%s; warnings%s; %s (at byte %llu)", f.errors,
            f.warnings, f.text, (unsigned long long)f.off);
}

/* ---- headers and records */

static void
test_headers(void **state)
{
    static const struct {
        const char *text;
        size_t n;
        const char *want; /* NULL: the header is fine */
    } cases[] = {
        {"", 0, "the file is empty"},
        {"go 1.19 tr", 10, "not a Go execution trace"},
        {"go 1.19 trace", 13, "ends within the header"},
        {"GO 1.19 trace\0\0\0", 16, "not a Go execution trace"},
        {"go 1.19 trace\0x\0", 16, "not a Go execution trace"},
        {"go 1.6 trace\0\0\0\0", 16, "unsupported trace file version 1.6"},
        {"go 1.20 trace\0\0\0", 16, "unsupported trace file version 1.20"},
        {"go 1.27 trace\0\0\0", 16, "unsupported trace file version"},
        {"go 1.22 trace\0\0\0", 16, "no events"},
        {"go 1.19 trace\0\0\0", 16, "trace is empty"},
        {"go 1.5 trace\0\0\0\0", 16, "trace is empty"},
        /* Profiles: Go's begin with a sample type, vole's with the time. */
        {"\x0a\4\x08\1\x10\2\x12\4\x0a\2\1\2\x48\5", 14,
            "vole prof reads it"},
        {"\x48\x95\1\x50\x18\x0a\4\x08\1\x10\2", 11,
            "vole prof reads it"},
        {"\x48\x95\1\x50\x18\x0a\7\x08\1\x10\2", 11,
            "not a Go execution"},
        {"\x48\x95\1\x50\x18", 5, "not a Go execution"},
        {"\177ELF\2\1\1\0\0\0\0\0\0\0\0\0\0", 17, "not a Go execution"},
    };
    size_t i;

    (void)state;
    for (i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct found f = validate(cases[i].text, cases[i].n);

        if (strstr(f.text, cases[i].want) == NULL)
            fail_msg("case %zu: want %s, got %s", i, cases[i].want, f.text);
    }
}

static void
test_records(void **state)
{
    struct build b;

    (void)state;
    put_start(&b);
    put_end(&b);
    assert_clean(&b);

    put_start(&b);
    put_byte(&b, 0);
    assert_error(&b, "event-type", "unknown event type 0");
    put_start(&b);
    put_byte(&b, 50);
    assert_error(&b, "event-type", "unknown event type 50");
    put_header(&b, "go 1.11 trace");
    BATCH(&b, 0, 1);
    EV4(&b, CPU_SAMPLE, 0, 5, 0, 1, 0);
    assert_error(&b, "event-type", "unknown event type 49");

    /* A number of eleven bytes, and one of more than 64 bits. */
    put_start(&b);
    put_byte(&b, TRACE_EV_PROC_STOP);
    memset(b.data + b.n, 0xff, 10);
    b.n += 10;
    put_byte(&b, 1);
    assert_error(&b, "number", "more than 64 bits");
    put_start(&b);
    put_byte(&b, TRACE_EV_PROC_STOP);
    memset(b.data + b.n, 0xff, 9);
    b.n += 9;
    put_byte(&b, 2);
    put_end(&b);
    assert_error(&b, "number", "more than 64 bits");

    /* A length that ends within a number; a length that is too large. */
    put_start(&b);
    put_byte(&b, TRACE_EV_GO_CREATE | 3 << 6);
    put_num(&b, 4);
    put_num(&b, 1);
    put_num(&b, 2);
    put_num(&b, 1);
    put_num(&b, 300);
    put_end(&b);
    assert_error(&b, "length", "wrong length");
    put_start(&b);
    put_byte(&b, TRACE_EV_GO_CREATE | 3 << 6);
    put_num(&b, 1u << 20);
    put_end(&b);
    assert_error(&b, "length", "wrong length");

    /* Too few and too many numbers. */
    put_start(&b);
    EV0(&b, GO_SCHED, 1);
    assert_error(&b, "arguments", "GoSched has wrong number of arguments");
    put_start(&b);
    EV4(&b, GO_UNBLOCK, 1, 2, 3, 4, 5);
    assert_error(&b, "arguments", "GoUnblock has wrong number of arguments");
    put_start(&b);
    put_byte(&b, TRACE_EV_BATCH);
    put_num(&b, 0);
    assert_error(&b, "arguments", "Batch has wrong number of arguments");
}

static void
test_tables(void **state)
{
    struct build b;
    uint64_t i;

    (void)state;
    put_start(&b);
    put_string(&b, 0, "x");
    assert_error(&b, "string-id", "invalid id 0");
    put_start(&b);
    put_string(&b, 7, "");
    assert_error(&b, "string-length", "invalid length 0");
    put_start(&b);
    put_byte(&b, TRACE_EV_STRING);
    put_num(&b, 7);
    put_num(&b, 1000001);
    assert_error(&b, "string-length", "too large length 1000001");
    put_start(&b);
    put_string(&b, 2, "x");
    put_end(&b);
    assert_error(&b, "string-id", "duplicate id 2");

    /* Stacks: too many frames, the wrong number of values. */
    put_start(&b);
    put_byte(&b, TRACE_EV_STACK | 3 << 6);
    put_num(&b, 3);
    put_num(&b, 9);
    put_num(&b, 1001);
    assert_error(&b, "stack-frames", "bad number of frames: 1001");
    put_start(&b);
    put_byte(&b, TRACE_EV_STACK | 3 << 6);
    put_num(&b, 5);
    for (i = 1; i <= 5; i++)
        put_num(&b, i);
    assert_error(&b, "arguments", "Stack has wrong number of arguments");
    put_start(&b);
    put_rec(&b, TRACE_EV_STACK, 2, U(1), U(1));
    assert_error(&b, "arguments", "Stack has wrong number of arguments");

    /* A Stack that only the older reader takes. */
    put_start(&b);
    put_end(&b);
    put_byte(&b, TRACE_EV_STACK | 3 << 6);
    put_num(&b, 3 + 600 * 4);
    put_num(&b, 9);
    put_num(&b, 600);
    for (i = 0; i < 600; i++) {
        put_num(&b, i % 100 + 1);
        put_num(&b, 1);
        put_num(&b, 2);
        put_num(&b, i % 100 + 1);
    }
    assert_warning(&b, "record-length");

    /* One pc for two lines. */
    put_start(&b);
    put_end(&b);
    put_byte(&b, TRACE_EV_STACK | 3 << 6);
    put_num(&b, 7);
    put_num(&b, 9);
    put_num(&b, 1);
    put_num(&b, 256);
    put_num(&b, 1);
    put_num(&b, 2);
    put_num(&b, 99);
    assert_warning(&b, "pc");

    /* Strings before the first Batch. */
    put_header(&b, "go 1.19 trace");
    put_string(&b, 9, "x");
    BATCH(&b, 0, 1000);
    EV3(&b, GO_CREATE, 0, 1, 1, 0);
    EV2(&b, GOMAXPROCS, 1, 1, 0);
    put_tables(&b);
    assert_warning(&b, "string-before-batch");

    /* An event before the first Batch; a P that is no number. */
    put_header(&b, "go 1.19 trace");
    EV2(&b, GOMAXPROCS, 1, 1, 0);
    put_tables(&b);
    assert_error(&b, "no-batch", NULL);
    put_start(&b);
    BATCH(&b, 1ull << 40, 1);
    put_end(&b);
    assert_error(&b, "batch-p", "larger than maximum");
}

static void
test_frequency(void **state)
{
    struct build b;

    (void)state;
    put_start(&b);
    EV1(&b, GO_SCHED, 1, 0);
    EV0(&b, PROC_STOP, 1);
    assert_error(&b, "frequency", "no Frequency event");
    put_rec(&b, TRACE_EV_FREQUENCY, 1, U(0));
    assert_error(&b, "frequency", "time stamps out of order");
    put_start(&b);
    put_end(&b);
    put_rec(&b, TRACE_EV_FREQUENCY, 1, UINT64_MAX);
    assert_error(&b, "frequency", "time stamps out of order");
}

/* ---- order */

static void
test_order(void **state)
{
    struct build b;

    (void)state;
    /* A sequence number that never comes. */
    put_start(&b);
    EV1(&b, GO_BLOCK, 1, 0);
    EV2(&b, GO_START, 1, 1, 7);
    put_end(&b);
    assert_error(&b, "order", "no consistent ordering");
    /* Goroutine ids are not reused. */
    put_start(&b);
    EV3(&b, GO_CREATE, 1, 2, 1, 0);
    EV3(&b, GO_CREATE, 1, 2, 1, 0);
    put_end(&b);
    assert_error(&b, "order", "no consistent ordering");
    /* A wake-up of what does not wait; a wrong collection number. */
    put_start(&b);
    EV3(&b, GO_CREATE, 1, 2, 1, 0);
    EV3(&b, GO_UNBLOCK, 1, 2, 2, 0);
    put_end(&b);
    assert_error(&b, "order", "no consistent ordering");
    put_start(&b);
    EV2(&b, GC_START, 1, 1, 0);
    EV0(&b, GC_DONE, 1);
    put_end(&b);
    assert_error(&b, "order", "GCStart");
    /* Time runs backwards in one P. */
    put_start(&b);
    EV1(&b, HEAP_ALLOC, 50, 1);
    EV1(&b, HEAP_ALLOC, UINT64_MAX - 20, 1);
    put_end(&b);
    assert_error(&b, "time", "time stamps out of order");
    /* An effect before its cause on another P. */
    put_start(&b);
    EV3(&b, GO_CREATE, 500, 2, 1, 0);
    put_end(&b);
    BATCH(&b, 1, 1100);
    EV1(&b, PROC_START, 0, 101);
    EV2(&b, GO_START, 1, 2, 1);
    EV0(&b, GO_END, 1);
    EV0(&b, PROC_STOP, 1);
    assert_error(&b, "time", "time stamps out of order");
}

static void
test_syscalls(void **state)
{
    struct build b;

    (void)state;
    /* The whole of a blocked call. */
    put_start(&b);
    EV1(&b, GO_SYS_CALL, 10, 0);
    EV0(&b, GO_SYS_BLOCK, 10);
    EV0(&b, PROC_STOP, 1);
    EV1(&b, PROC_START, 100, 100);
    EV3(&b, GO_SYS_EXIT, 1, 1, 2, 1050);
    EV2(&b, GO_START, 1, 1, 3);
    put_end(&b);
    assert_clean(&b);
    /* The call returns before it blocks; it never blocked; too late. */
    put_start(&b);
    EV0(&b, GO_SYS_BLOCK, 10);
    EV3(&b, GO_SYS_EXIT, 1, 1, 2, 1002);
    EV2(&b, GO_START, 1, 1, 3);
    put_end(&b);
    assert_error(&b, "time", NULL);
    put_start(&b);
    EV1(&b, GO_BLOCK, 10, 0);
    EV3(&b, GO_SYS_EXIT, 1, 1, 2, 1014);
    EV2(&b, GO_START, 1, 1, 3);
    put_end(&b);
    assert_error(&b, "stray-exit", "stray syscall exit");
    put_start(&b);
    EV0(&b, GO_SYS_BLOCK, 10);
    EV3(&b, GO_SYS_EXIT, 1, 1, 2, 5000);
    EV2(&b, GO_START, 1, 1, 3);
    put_end(&b);
    assert_error(&b, "go-start", "g 1 is not runnable before start");
    /* On the P's own goroutine, by the unusable event 40. */
    put_start(&b);
    EV2(&b, GO_SYS_EXIT_LOCAL, 1, 1, 0);
    put_end(&b);
    assert_error(&b, "order", NULL);
}

/* ---- the state machine */

static void
test_procs(void **state)
{
    struct build b;

    (void)state;
    put_start(&b);
    EV1(&b, PROC_START, 1, 100);
    put_end(&b);
    assert_error(&b, "proc-start", "p 0 is running before start");
    put_start(&b);
    EV1(&b, GO_SCHED, 1, 0);
    EV0(&b, PROC_STOP, 1);
    EV0(&b, PROC_STOP, 1);
    put_tables(&b);
    assert_error(&b, "proc-stop", "p 0 is not running before stop");
    put_start(&b);
    EV0(&b, PROC_STOP, 1);
    EV1(&b, GO_SCHED, 1, 0);
    put_tables(&b);
    assert_error(&b, "proc-stop", "p 0 is running a goroutine 1 during stop");
}

static void
test_goroutines(void **state)
{
    struct build b;

    (void)state;
    put_start(&b);
    EV3(&b, GO_CREATE, 1, 2, 1, 0);
    EV2(&b, GO_START, 1, 2, 1);
    EV0(&b, GO_END, 1);
    put_end(&b);
    assert_error(&b, "go-start",
        "p 0 is already running g 1 while start g 2");
    put_header(&b, "go 1.19 trace");
    BATCH(&b, 0, 1000);
    EV2(&b, GOMAXPROCS, 1, 1, 0);
    EV0(&b, GO_END, 1);
    put_tables(&b);
    assert_error(&b, "actor", "g 0 did GoEnd");
    put_header(&b, "go 1.19 trace");
    BATCH(&b, 0, 1000);
    EV2(&b, GOMAXPROCS, 1, 1, 0);
    EV1(&b, GO_SYS_CALL, 1, 0);
    put_tables(&b);
    assert_error(&b, "actor", "g 0 did GoSysCall");
    put_start(&b);
    EV3(&b, GO_CREATE, 1, 2, 9, 0);
    put_end(&b);
    assert_warning(&b, "entry-stack");
}

static void
test_collector(void **state)
{
    struct build b;

    (void)state;
    put_start(&b);
    EV2(&b, GC_START, 1, 0, 0);
    EV2(&b, GC_START, 1, 1, 0);
    EV0(&b, GC_DONE, 1);
    put_end(&b);
    assert_error(&b, "gc", "previous GC is not ended");
    put_start(&b);
    EV0(&b, GC_DONE, 1);
    put_end(&b);
    assert_error(&b, "gc", "bogus GC end");
    put_start(&b);
    EV1(&b, STW_START, 1, 0);
    EV1(&b, STW_START, 1, 0);
    EV0(&b, STW_DONE, 1);
    put_end(&b);
    assert_error(&b, "stw", "previous STW is not ended");
    put_start(&b);
    EV0(&b, STW_DONE, 1);
    put_end(&b);
    assert_error(&b, "stw", "bogus STW end");
    put_start(&b);
    EV1(&b, STW_START, 1, 2);
    EV0(&b, STW_DONE, 1);
    put_end(&b);
    assert_error(&b, "stw", "unknown STW kind 2");
    put_start(&b);
    EV1(&b, SWEEP_START, 1, 0);
    EV1(&b, SWEEP_START, 1, 0);
    EV2(&b, SWEEP_DONE, 1, 0, 0);
    put_end(&b);
    assert_error(&b, "sweep", "previous sweeping is not ended");
    put_start(&b);
    EV2(&b, SWEEP_DONE, 1, 0, 0);
    put_end(&b);
    assert_error(&b, "sweep", "bogus sweeping end");
    put_start(&b);
    EV1(&b, MARK_ASSIST_START, 1, 0);
    EV1(&b, MARK_ASSIST_START, 1, 0);
    put_end(&b);
    assert_error(&b, "assist", "previous mark assist is not ended");
    put_start(&b);
    EV0(&b, MARK_ASSIST_DONE, 1);
    put_end(&b);
    assert_clean(&b);
}

static void
test_annotations(void **state)
{
    struct build b;

    (void)state;
    put_start(&b);
    EV4(&b, USER_TASK_CREATE, 1, 5, 0, 1, 0);
    EV4(&b, USER_TASK_CREATE, 1, 5, 0, 1, 0);
    put_end(&b);
    assert_error(&b, "task", "task id conflicts (id:5)");
    put_start(&b);
    EV2(&b, USER_TASK_END, 1, 5, 0);
    put_end(&b);
    assert_clean(&b);
    put_start(&b);
    EV4(&b, USER_REGION, 1, 0, 0, 1, 0);
    EV4(&b, USER_REGION, 1, 0, 1, 2, 0);
    put_end(&b);
    assert_error(&b, "region", "misuse of region in goroutine 1");
    put_start(&b);
    EV4(&b, USER_REGION, 1, 0, 2, 1, 0);
    put_end(&b);
    assert_error(&b, "region", "invalid user region mode");
    put_start(&b);
    EV4(&b, USER_REGION, 1, 0, 1, 1, 0);
    put_end(&b);
    assert_clean(&b);
    put_start(&b);
    EV4(&b, USER_REGION, 1, 0, 0, 77, 0);
    put_end(&b);
    assert_warning(&b, "string");
    put_start(&b);
    EV3(&b, USER_LOG, 1, 0, 1, 0);
    put_num(&b, 1000001);
    put_end(&b);
    assert_error(&b, "string-length", "too large length");
}

/* What the parsers take and the viewers do not. */
static void
test_viewers(void **state)
{
    struct build b;

    (void)state;
    put_start(&b);
    put_tables(&b);
    assert_warning(&b, "end");
    put_start(&b);
    EV2(&b, GC_START, 1, 0, 0);
    put_end(&b);
    assert_warning(&b, "end");
    put_header(&b, "go 1.19 trace");
    BATCH(&b, 0, 1000);
    EV3(&b, GO_CREATE, 0, 1, 1, 0);
    put_tables(&b);
    assert_warning(&b, "gomaxprocs");
    put_start(&b);
    EV0(&b, FUTILE_WAKEUP, 1);
    put_end(&b);
    assert_error(&b, "futile", "unexpected event type 36");
    put_start(&b);
    EV4(&b, CPU_SAMPLE, 0, 1005, 0, 1, 0);
    put_end(&b);
    assert_error(&b, "sample-batch", NULL);
    put_start(&b);
    put_end(&b);
    BATCH(&b, 0, 2000);
    EV4(&b, CPU_SAMPLE, 0, 1005, 0, 1, 1);
    assert_clean(&b);
}

/* ---- any bytes */

/* Cut anywhere, a file is read up to there: no more events than the whole,
 * and the events that are there are the first ones of each P. */
static void
test_cut_anywhere(void **state)
{
    uint8_t data[512];
    size_t n = unhex(worked_example, data), i;

    (void)state;
    for (i = 17; i < n; i++) {
        uint8_t *copy = malloc(i);
        struct trace_file *f = NULL;
        struct trace_summary *s;
        struct rt_err e;

        /* A copy, so that a sanitizer sees reads past the end. */
        memcpy(copy, data, i);
        validate(copy, i);
        if (trace_file_open_mem(&f, copy, i, NULL, &e) == RT_OK) {
            assert_int_equal(trace_analyze(f, 3, &s, &e), RT_OK);
            assert_true(s->events + s->stuck <= 34);
            trace_summary_free(s);
            trace_file_close(f);
        } else {
            assert_int_equal(e.code, RT_EFORMAT);
        }
        free(copy);
    }
}

static unsigned
rnd(unsigned *state, unsigned n)
{
    *state = *state * 1664525u + 1013904223u;
    return (*state >> 8) % n;
}

/* Every wrong byte ends in a report or in a valid file. */
static void
test_wrong_bytes(void **state)
{
    uint8_t data[512], copy[512];
    size_t n = unhex(worked_example, data);
    unsigned seed = 42, i, k;

    (void)state;
    for (i = 0; i < 20000; i++) {
        struct trace_file *f;
        struct trace_summary *s;
        struct rt_err e;

        memcpy(copy, data, n);
        for (k = rnd(&seed, 4); k < 4; k++)
            copy[16 + rnd(&seed, (unsigned)n - 16)] = (uint8_t)rnd(&seed, 256);
        if (i % 8 == 0)
            memcpy(copy, "go 1.5 trace\0\0\0\0", 16);
        validate(copy, n);
        if (trace_file_open_mem(&f, copy, n, NULL, &e) != RT_OK)
            continue;
        assert_int_equal(trace_analyze(f, 3, &s, &e), RT_OK);
        for (k = 0; k < s->nprocs; k++)
            assert_true(s->procs[k].gc <= s->procs[k].busy);
        trace_summary_free(s);
        trace_file_close(f);
    }
}

/* Many Ps that all wait for one goroutine do not make the merge slow: each
 * change looks at the next in line only. */
static void
test_many_waiters(void **state)
{
    enum { PS = 100000 };
    size_t cap = 32 + PS * 32ull, n;
    struct build *b = malloc(sizeof *b);
    uint8_t *data = malloc(cap);
    int64_t before;
    struct found f;
    uint64_t i;

    (void)state;
    put_header(b, "go 1.19 trace");
    BATCH(b, 0, 1000);
    EV3(b, GO_CREATE, 0, 1, 1, 0);
    EV2(b, GOMAXPROCS, 1, 1, 0);
    put_tables(b);
    memcpy(data, b->data, b->n);
    n = b->n;
    /* In the wrong order on purpose: the last batch starts first. */
    for (i = PS; i > 0; i--) {
        b->n = 0;
        BATCH(b, i, 1000 + 10 * i);
        EV2(b, GO_START, 0, 1, i);
        EV1(b, GO_SCHED, 1, 0);
        memcpy(data + n, b->data, b->n);
        n += b->n;
    }
    before = rt_thread_cputime();
    f = validate(data, n);
    assert_int_equal(f.n, 0);
    assert_true(rt_thread_cputime() - before < INT64_C(20000000000));
    free(data);
    free(b);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_headers),
        cmocka_unit_test(test_records),
        cmocka_unit_test(test_tables),
        cmocka_unit_test(test_frequency),
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_syscalls),
        cmocka_unit_test(test_procs),
        cmocka_unit_test(test_goroutines),
        cmocka_unit_test(test_collector),
        cmocka_unit_test(test_annotations),
        cmocka_unit_test(test_viewers),
        cmocka_unit_test(test_cut_anywhere),
        cmocka_unit_test(test_wrong_bytes),
        cmocka_unit_test(test_many_waiters),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
