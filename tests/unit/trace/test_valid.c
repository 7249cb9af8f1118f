/* SPDX-License-Identifier: MIT */
/* The validators accept what the recorder makes, and notice damage. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/trace/sim.h"
#include "trace/record/flight.h"

static void
stacks_are_numbered_and_found(void **state)
{
    struct trace_stacktab t;
    struct trace_stack *st;
    vpc pcs[3] = {1 << 24, 2 << 24, 3 << 24};
    uint32_t i;

    (void)state;
    trace_stacktab_init(&t);
    assert_true(trace_stacktab_valid(&t));
    assert_int_equal(trace_stacktab_put(&t, pcs, 3), 0); /* closed */
    assert_true(trace_stacktab_open(&t));
    for (i = 0; i < 600; i++) {
        pcs[2] = (vpc)(i % 300 + 1) << 24;
        assert_int_equal(trace_stacktab_put(&t, pcs, 3), i % 300 + 1);
    }
    /* A shorter stack is another one, and so is none at all. */
    assert_int_equal(trace_stacktab_put(&t, pcs, 2), 301);
    assert_int_equal(trace_stacktab_put(&t, pcs, 0), 0);
    assert_true(trace_stacktab_valid(&t));
    st = (struct trace_stack *)(uintptr_t)trace_stacktab_get(&t, pcs, 2);
    st->pcs[1]++;
    assert_false(trace_stacktab_valid(&t));
    st->pcs[1]--;
    st->id++;
    assert_false(trace_stacktab_valid(&t));
    st->id--;
    st->n = 1;
    assert_false(trace_stacktab_valid(&t));
    st->n = 2;
    assert_true(trace_stacktab_valid(&t));
    a32_store_rlx(&t.count, 300);
    assert_false(trace_stacktab_valid(&t));
    a32_store_rlx(&t.count, 301);
    trace_stacktab_close(&t);
    assert_true(trace_stacktab_valid(&t));
}

/* A table that is closed has no memory. */
static void
closed_tables_are_empty(void **state)
{
    struct trace_stacktab t;
    struct trace_region *region = NULL;
    uint64_t bytes = 0;

    (void)state;
    trace_stacktab_init(&t);
    assert_true(trace_stacktab_valid(&t));
    t.bytes = 8;
    assert_false(trace_stacktab_valid(&t));
    t.bytes = 0;
    assert_non_null(trace_region_alloc(&region, 8, &bytes));
    t.region = region;
    assert_false(trace_stacktab_valid(&t));
    t.region = NULL;
    assert_true(trace_stacktab_valid(&t));
    trace_region_free(&region);
}

/* A stack deeper than the table keeps is that of its innermost frames. */
static void
deep_stacks_are_cut(void **state)
{
    struct trace_stacktab t;
    vpc pcs[CALLSTACK_MAX + 8];
    const struct trace_stack *st;
    uint32_t i;

    (void)state;
    for (i = 0; i < CALLSTACK_MAX + 8; i++)
        pcs[i] = (vpc)(i + 1) << 24;
    trace_stacktab_init(&t);
    assert_true(trace_stacktab_open(&t));
    st = trace_stacktab_get(&t, pcs, CALLSTACK_MAX + 8);
    assert_int_equal(st->n, CALLSTACK_MAX);
    assert_ptr_equal(trace_stacktab_get(&t, pcs, CALLSTACK_MAX), st);
    assert_true(trace_stacktab_valid(&t));
    trace_stacktab_close(&t);
}

static void
strings_are_numbered_and_cut(void **state)
{
    struct trace_strtab t;
    char text[TRACE_STR_MAX + 2];
    const struct trace_str *st;
    uint32_t i;

    (void)state;
    trace_strtab_init(&t);
    assert_true(trace_strtab_valid(&t));
    assert_true(trace_strtab_open(&t));
    for (i = 0; i < 4000; i++) {
        int n = snprintf(text, sizeof text, "name %u", i % 2000);

        assert_int_equal(trace_strtab_put(&t, text, (size_t)n), i % 2000 + 1);
    }
    assert_int_equal(trace_strtab_put(&t, text, 0), 0);
    memset(text, 'x', sizeof text);
    assert_int_equal(trace_strtab_put(&t, text, TRACE_STR_MAX + 1), 2001);
    assert_int_equal(trace_strtab_put(&t, text, TRACE_STR_MAX), 2001);
    assert_int_equal(trace_strtab_put(&t, text, TRACE_STR_MAX - 1), 2002);
    assert_true(trace_strtab_valid(&t));
    st = trace_strtab_next(&t, NULL);
    ((struct trace_str *)(uintptr_t)st)->hash++;
    assert_false(trace_strtab_valid(&t));
    ((struct trace_str *)(uintptr_t)st)->hash--;
    trace_strtab_close(&t);
}

/* Two texts of one length whose FNV-1a values of 64 bits are the same. */
static void
strings_with_one_hash_are_different(void **state)
{
    static const char a[] = "8yn0iYCKYHlIj4-BwPqk";
    static const char b[] = "GReLUrM4wMqfg9yzV3KQ";
    struct trace_strtab t;
    const struct trace_str *first;

    (void)state;
    trace_strtab_init(&t);
    assert_true(trace_strtab_open(&t));
    assert_int_equal(trace_strtab_put(&t, a, sizeof a - 1), 1);
    assert_int_equal(trace_strtab_put(&t, b, sizeof b - 1), 2);
    first = trace_strtab_next(&t, NULL);
    assert_int_equal(first->hash, trace_strtab_next(&t, first)->hash);
    assert_int_equal(trace_strtab_put(&t, a, sizeof a - 1), 1);
    assert_int_equal(trace_strtab_put(&t, b, sizeof b - 1), 2);
    assert_true(trace_strtab_valid(&t));
    trace_strtab_close(&t);
}

/* Blocks of memory do not overlap, are aligned, and are counted. */
static void
regions_do_not_overlap(void **state)
{
    enum { N = 4000 };
    struct trace_region *head = NULL;
    static uint8_t *p[N];
    static size_t size[N];
    uint64_t bytes = 0, sum = 0;
    size_t i, k;

    (void)state;
    for (i = 0; i < N; i++) {
        uint64_t before = bytes;

        size[i] = i % 97 == 0 ? 40000 : 1 + i * 13 % 300;
        p[i] = trace_region_alloc(&head, size[i], &bytes);
        assert_non_null(p[i]);
        /* A large one has a block of its own. */
        if (size[i] == 40000)
            assert_int_equal(bytes - before, 40000 + sizeof *head);
        else if (bytes != before)
            assert_int_equal(bytes - before, TRACE_REGION_BYTES);
        assert_int_equal((uintptr_t)p[i] % 8, 0);
        memset(p[i], (int)(i & 0xff), size[i]);
        sum += size[i];
    }
    for (i = 0; i < N; i++) {
        for (k = 0; k < size[i]; k++)
            assert_int_equal(p[i][k], i & 0xff);
    }
    assert_true(bytes >= sum);
    trace_region_free(&head);
    assert_null(head);
}

/* ---- events */

static struct sim s;

/* One P that has written something, and nobody reads. */
static struct trace_buf *
some_events(void)
{
    struct trace_config cfg = {.fd = -1};
    struct rt_err e;

    sim_init(&s, 1, 51);
    assert_int_equal(trace_start(&s.rec, &cfg, &e), RT_OK);
    do {
        sim_run(&s, 40);
        sim_join(&s, false);
    } while (s.p[0].trace.buf == NULL ||
        a32_load_rlx(&s.p[0].trace.buf->committed) < 200);
    return s.p[0].trace.buf;
}

static void
buffers_hold_whole_events(void **state)
{
    struct trace_pbuf *b = &s.p[0].trace;
    struct trace_buf *t = some_events();
    uint32_t n = a32_load_rlx(&t->committed);
    uint64_t first, last;

    (void)state;
    assert_true(trace_buf_valid(t));
    assert_true(trace_pbuf_valid(b));
    assert_true(trace_events_valid(t->data, n, 0, &first, &last));
    assert_int_equal(last, b->last);
    assert_true(first > 0 && first < last);
    assert_false(trace_events_valid(t->data, n, 1, &first, &last));
    assert_false(trace_events_valid(t->data, n - 1, 0, &first, &last) &&
        last == b->last);
    t->data[0]++;
    assert_false(trace_buf_valid(t));
    t->data[0]--;
    t->flushed = n + 1;
    assert_false(trace_buf_valid(t));
    t->flushed = n;
    assert_false(trace_buf_valid(t)); /* without the tick of that place */
    t->flushed_tick = last;
    assert_true(trace_buf_valid(t));
    t->flushed = 0;
    t->flushed_tick = 0;
    b->pos++;
    assert_false(trace_pbuf_valid(b));
    b->pos--;
    b->end--;
    assert_false(trace_pbuf_valid(b));
    b->end++;
    assert_true(trace_pbuf_valid(b));
    sim_fini(&s);
}

/* A record whose length is not in the buffer to its end, or leads out of it. */
static void
lengths_lie_in_the_buffer(void **state)
{
    enum { LONG = 3 << 6, EV = TRACE_EV_PROC_START };
    static const struct {
        uint8_t data[12];
        uint32_t n;
        bool good;
    } rows[] = {
        {{TRACE_EV_BATCH | 1 << 6, 0, 5, EV | LONG, 2, 1, 2}, 7, true},
        {{TRACE_EV_BATCH | 1 << 6, 0, 5, EV | LONG, 0x80}, 5, false},
        {{TRACE_EV_BATCH | 1 << 6, 0, 5, EV | LONG}, 4, false},
        {{TRACE_EV_BATCH | 1 << 6, 0, 5, EV | LONG, 3, 1, 2}, 7, false},
        {{TRACE_EV_BATCH | 1 << 6, 0, 5, EV | LONG, 1, 1, 2}, 7, false}};
    uint64_t first, last;

    (void)state;
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(trace_events_valid(
            rows[i].data, rows[i].n, 0, &first, &last), rows[i].good);
}

static void
lists_and_phases_are_counted(void **state)
{
    struct trace_state *ts;

    (void)state;
    some_events();
    ts = s.rec.s;
    rt_lock(&ts->lock);
    assert_true(trace_state_valid_locked(&s.rec));
    ts->nempty++;
    assert_false(trace_lists_valid_locked(ts));
    ts->nempty--;
    ts->nbufs--;
    assert_false(trace_lists_valid_locked(ts));
    ts->nbufs++;
    ts->users++;
    assert_false(trace_state_valid_locked(&s.rec));
    ts->users--;
    ts->early = true;
    assert_false(trace_state_valid_locked(&s.rec));
    ts->early = false;
    ts->failed = true; /* and recording goes on */
    assert_false(trace_state_valid_locked(&s.rec));
    ts->failed = false;
    rt_unlock(&ts->lock);
    sim_fini(&s);
}

static void
windows_are_counted(void **state)
{
    struct trace_flight_config cfg = {.max_bytes = 1 << 20};
    struct trace_flight *fl;
    struct rt_err e;
    uint8_t *data;
    size_t n;

    (void)state;
    sim_init(&s, 1, 52);
    assert_int_equal(trace_flight_start(&s.rec, &cfg, &e), RT_OK);
    sim_run(&s, 2000);
    sim_join(&s, false);
    assert_int_equal(trace_flight_dump(&s.rec, &data, &n, &e), RT_OK);
    free(data);
    fl = s.rec.s->fl;
    rt_lock(&s.rec.s->lock);
    assert_true(fl->bytes > 0 && trace_flight_valid_locked(fl));
    fl->bytes++;
    assert_false(trace_flight_valid_locked(fl));
    fl->bytes--;
    fl->windows->chunks->data[0]++;
    assert_false(trace_flight_valid_locked(fl));
    fl->windows->chunks->data[0]--;
    assert_true(trace_flight_valid_locked(fl));
    rt_unlock(&s.rec.s->lock);
    trace_flight_stop(&s.rec);
    sim_fini(&s);
}

/* ---- windows of the flight recorder */

enum { WINDOWS = 6 };

static uint64_t
bytes_of_last(const struct trace_flight *fl)
{
    uint64_t n;

    rt_lock(&s.rec.s->lock);
    n = fl->last->bytes;
    rt_unlock(&s.rec.s->lock);
    return n;
}

/* WINDOWS windows of different sizes, begun at 0, 10, 20...; TRACE_CTL is
 * held, so that the recorder's thread leaves them alone. */
static struct trace_flight *
begin_windows(void)
{
    struct trace_flight_config cfg = {.max_bytes = 1 << 30,
        .min_age = INT64_C(3600) * 1000 * 1000 * 1000};
    struct trace_flight *fl;
    struct flight_window *w;
    struct rt_err e;
    uint8_t *data;
    int64_t when = 0;
    size_t n;

    sim_init(&s, 1, 53);
    sim_run(&s, 0);
    assert_int_equal(trace_flight_start(&s.rec, &cfg, &e), RT_OK);
    fl = s.rec.s->fl;
    for (int i = 1; i < WINDOWS; i++) {
        while (bytes_of_last(fl) == 0)
            usleep(100);
        assert_int_equal(trace_flight_dump(&s.rec, &data, &n, &e), RT_OK);
        free(data);
    }
    sim_join(&s, true);
    rt_lock(&s.rec.s->ctl);
    for (w = fl->windows; w != NULL; w = w->next, when += 10)
        w->when = when;
    assert_int_equal(when, 10 * WINDOWS);
    return fl;
}

static void
end_windows(void)
{
    rt_unlock(&s.rec.s->ctl);
    trace_flight_stop(&s.rec);
    sim_fini(&s);
}

/* How many are left; their bytes are counted, and the last one stays. */
static int
windows_left(const struct trace_flight *fl)
{
    const struct flight_window *w, *last = NULL;
    uint64_t bytes = 0;
    int n = 0;

    for (w = fl->windows; w != NULL; w = w->next, n++) {
        bytes += w->bytes;
        last = w;
    }
    assert_int_equal(bytes, fl->bytes);
    assert_ptr_equal(last, fl->last);
    assert_int_equal(last->when, 10 * (WINDOWS - 1));
    return n;
}

/* A window goes when the one after it is as old as the trace has to be. */
static void
old_windows_go(void **state)
{
    struct trace_flight *fl = begin_windows();
    struct trace_state *ts = s.rec.s;

    (void)state;
    fl->min_age = 100;
    trace_flight_prune(ts, 109);
    assert_int_equal(windows_left(fl), WINDOWS);
    trace_flight_prune(ts, 110);
    assert_int_equal(windows_left(fl), WINDOWS - 1);
    assert_int_equal(fl->windows->when, 10);
    trace_flight_prune(ts, 139);
    assert_int_equal(windows_left(fl), WINDOWS - 3);
    trace_flight_prune(ts, 1000);
    assert_int_equal(windows_left(fl), 2);
    trace_flight_prune(ts, 2000);
    assert_int_equal(windows_left(fl), 2);
    end_windows();
}

/* Or when there are more bytes than wanted, however young it is. */
static void
large_windows_go(void **state)
{
    struct trace_flight *fl = begin_windows();
    struct trace_state *ts = s.rec.s;
    uint64_t first = fl->windows->bytes;

    (void)state;
    assert_true(first > 0);
    fl->max_bytes = fl->bytes;
    trace_flight_prune(ts, 60);
    assert_int_equal(windows_left(fl), WINDOWS);
    fl->max_bytes = fl->bytes - first;
    trace_flight_prune(ts, 60);
    assert_int_equal(windows_left(fl), WINDOWS - 1);
    fl->max_bytes = fl->bytes - 1;
    trace_flight_prune(ts, 60);
    assert_int_equal(windows_left(fl), WINDOWS - 2);
    fl->max_bytes = 0;
    trace_flight_prune(ts, 60);
    assert_int_equal(windows_left(fl), 2);
    end_windows();
}

/* What does not fit to the windows after it is of no use. */
static void
windows_before_a_first_one_go(void **state)
{
    struct trace_flight *fl = begin_windows();
    struct flight_window *w = fl->windows->next->next;

    (void)state;
    w->first = true;
    trace_flight_prune(s.rec.s, 60);
    assert_ptr_equal(fl->windows, w);
    assert_int_equal(windows_left(fl), WINDOWS - 2);
    fl->last->first = true;
    trace_flight_prune(s.rec.s, 60);
    assert_int_equal(windows_left(fl), 1);
    end_windows();
}

/* A dump leaves no more than is wanted. */
static void
dumps_free_windows(void **state)
{
    struct trace_flight *fl = begin_windows();
    struct rt_err e;
    uint8_t *data;
    size_t n;

    (void)state;
    fl->max_bytes = 0;
    rt_unlock(&s.rec.s->ctl);
    assert_int_equal(trace_flight_dump(&s.rec, &data, &n, &e), RT_OK);
    free(data);
    rt_lock(&s.rec.s->ctl);
    assert_true(fl->windows->next == fl->last);
    end_windows();
}

/* A sample from before the window is left out; the time between the events
 * around it stays. */
static void
time_of_dropped_events_is_kept(void **state)
{
    enum { BEFORE = 0x1111111, AFTER = 0x2222222, START = 1 << 20 };
    static const uint64_t sample[] = {1000, 5, 0, 1, 0};
    struct trace_flight_config cfg = {0};
    struct flight_window w = {.tick = START, .procs = 1, .first = true};
    struct flight_window end = {.tick = START + 100000, .procs = 1};
    struct flight_chunk *c = calloc(1, sizeof *c + 200);
    struct trace_out o = {0};
    uint8_t want[40], *p, *len;
    struct rt_err e;

    (void)state;
    sim_init(&s, 1, 54);
    assert_int_equal(trace_flight_start(&s.rec, &cfg, &e), RT_OK);
    p = c->data;
    *p++ = TRACE_EV_BATCH | 1 << 6;
    p = rt_varint_put(rt_varint_put(p, 0), START + 10);
    *p++ = TRACE_EV_HEAP_ALLOC | 1 << 6;
    p = rt_varint_put(rt_varint_put(p, 7), BEFORE);
    for (int i = 0; i < 2; i++) { /* 2000 ticks of samples */
        *p++ = TRACE_EV_CPU_SAMPLE | 3 << 6;
        len = p++;
        for (int k = 0; k < 5; k++)
            p = rt_varint_put(p, sample[k]);
        *len = (uint8_t)(p - len - 1);
    }
    *p++ = TRACE_EV_HEAP_ALLOC | 1 << 6;
    p = rt_varint_put(rt_varint_put(p, 11), AFTER);
    *p++ = TRACE_EV_HEAP_ALLOC | 1 << 6;
    p = rt_varint_put(rt_varint_put(p, 13), BEFORE);
    c->len = (uint32_t)(p - c->data);
    w.chunks = w.tail = c;
    w.next = &end;
    assert_int_equal(trace_flight_encode(&s.rec, &w, &end, &o), RT_OK);

    p = want;
    *p++ = TRACE_EV_HEAP_ALLOC | 1 << 6;
    p = rt_varint_put(rt_varint_put(p, 7), BEFORE);
    *p++ = TRACE_EV_HEAP_ALLOC | 1 << 6;
    p = rt_varint_put(rt_varint_put(p, 2011), AFTER);
    *p++ = TRACE_EV_HEAP_ALLOC | 1 << 6;
    p = rt_varint_put(rt_varint_put(p, 13), BEFORE);
    assert_non_null(memmem(o.data, o.len, want, (size_t)(p - want)));
    free(o.data);
    free(c);
    trace_flight_stop(&s.rec);
    sim_fini(&s);
}

/* Windows that a test makes by itself: the first is dumped. */
static void
begin_encode(struct flight_window *w, struct flight_window *end)
{
    struct trace_flight_config cfg = {0};
    struct rt_err e;

    sim_init(&s, 1, 55);
    assert_int_equal(trace_flight_start(&s.rec, &cfg, &e), RT_OK);
    *w = (struct flight_window){.tick = 1 << 20, .procs = 2, .first = true,
        .next = end};
    *end = (struct flight_window){.tick = (1 << 20) + 100000, .procs = 2};
}

static void
end_encode(struct trace_out *o)
{
    free(o->data);
    trace_flight_stop(&s.rec);
    sim_fini(&s);
}

/* What the process is in the middle of is told on the first P that runs a
 * goroutine, which may be the first of all. */
static void
a_running_collection_is_told_on_a_busy_processor(void **state)
{
    static const uint8_t want[] = {TRACE_EV_GO_START | 2 << 6, 1, 7, 1,
        TRACE_EV_GC_START | 2 << 6, 1, 0, 0};
    struct flight_window w, end;

    (void)state;
    for (unsigned busy = 0; busy < 2; busy++) {
        struct flight_p ps[2] = {{0, true, false, 1, 0},
            {1, true, false, 2, 0}};
        struct trace_out o = {0};

        begin_encode(&w, &end);
        ps[busy].goid = 7;
        w.ps = ps;
        w.nps = 2;
        w.gc_open = 1;
        assert_int_equal(trace_flight_encode(&s.rec, &w, &end, &o), RT_OK);
        assert_non_null(memmem(o.data, o.len, want, sizeof want));
        end_encode(&o);
    }
}

/* However large the numbers of stacks are, a dump holds those that its events
 * name, and no others. */
static void
a_dump_holds_the_stacks_of_its_events(void **state)
{
    enum { STACKS = 9500, FROM = 8100 };
    struct flight_chunk *c = calloc(1, sizeof *c + 16 + STACKS * 4);
    struct flight_window w, end;
    struct trace_out o = {0};
    uint8_t *p = c->data;

    (void)state;
    begin_encode(&w, &end);
    p[0] = TRACE_EV_BATCH | 1 << 6;
    p = rt_varint_put(rt_varint_put(p + 1, 0), w.tick + 10);
    for (uint32_t id = 1; id <= STACKS; id++) {
        vpc pc = vpc_make(5, id);

        assert_int_equal(trace_stacktab_put(&s.rec.s->stacks, &pc, 1), id);
        if (id >= FROM && id % 2 == 0) {
            *p++ = TRACE_EV_GO_SCHED | 1 << 6;
            p = rt_varint_put(rt_varint_put(p, 1), id);
        }
    }
    c->len = (uint32_t)(p - c->data);
    w.chunks = w.tail = c;
    assert_int_equal(trace_flight_encode(&s.rec, &w, &end, &o), RT_OK);
    for (uint32_t id = 1; id <= STACKS; id++) {
        uint8_t want[40];

        p = rt_varint_put(rt_varint_put(want, id), 1);
        p = rt_varint_put(p, vpc_make(5, id));
        assert_int_equal(
            memmem(o.data, o.len, want, (size_t)(p - want)) != NULL,
            id >= FROM && id % 2 == 0);
    }
    free(c);
    end_encode(&o);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stacks_are_numbered_and_found),
        cmocka_unit_test(closed_tables_are_empty),
        cmocka_unit_test(deep_stacks_are_cut),
        cmocka_unit_test(strings_are_numbered_and_cut),
        cmocka_unit_test(strings_with_one_hash_are_different),
        cmocka_unit_test(regions_do_not_overlap),
        cmocka_unit_test(buffers_hold_whole_events),
        cmocka_unit_test(lengths_lie_in_the_buffer),
        cmocka_unit_test(lists_and_phases_are_counted),
        cmocka_unit_test(windows_are_counted),
        cmocka_unit_test(old_windows_go),
        cmocka_unit_test(large_windows_go),
        cmocka_unit_test(windows_before_a_first_one_go),
        cmocka_unit_test(dumps_free_windows),
        cmocka_unit_test(time_of_dropped_events_is_kept),
        cmocka_unit_test(a_running_collection_is_told_on_a_busy_processor),
        cmocka_unit_test(a_dump_holds_the_stacks_of_its_events),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
