/* SPDX-License-Identifier: MIT */
/* Single events, and what they say, on one P and the global buffer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

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

/* Who runs at once after another begins a tick later, whatever the clock says
 * meanwhile. */
static void
the_next_begins_a_tick_later(void **state)
{
    struct trace_pbuf *b = begin();
    struct trace_gstate *g = &s.gs[0]->trace, *h = &s.gs[1]->trace;
    uint64_t stopped;

    (void)state;
    trace_go_start(&s.rec, b, g);
    trace_go_block(&s.rec, b, g, TRACE_BLOCK_RECV, NULL, 0);
    stopped = b->last;
    while (trace_ticks(&s.rec) < stopped + 10) {
    }
    trace_go_start_next(&s.rec, b, h);
    assert_int_equal(b->last, stopped + 1);
    assert_int_equal(h->last, stopped + 1);
    assert_int_equal(b->goid, h->goid);
    assert_int_equal(count(TRACE_EV_GO_START_LOCAL), 2);
    /* But never before what it follows. */
    trace_go_block(&s.rec, b, h, TRACE_BLOCK_RECV, NULL, 0);
    g->last = b->last + 100;
    trace_go_start_next(&s.rec, b, g);
    assert_int_equal(b->last, g->last);
    assert_true(trace_buf_valid(b->buf));
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

/* What a walk finds, as the test wants it: a path, which has the place 0, and
 * the stack of it. */
static struct {
    const void *pc;
    uint32_t n, walks;
} found;

static struct callpath *
path_self(void *self, struct callpath *paths)
{
    assert_ptr_equal(self, &found);
    if (found.pc == NULL)
        return NULL;
    if (paths->pc != found.pc)
        *paths = (struct callpath){.pc = found.pc, .n = found.n};
    return paths;
}

static uint32_t
walk_self(void *ctx, vpc *pcs, uint32_t max)
{
    uint32_t i, n = found.n < max ? found.n : max;

    (void)ctx;
    for (i = 0; i < n; i++)
        pcs[i] = vpc_make(7, (uint32_t)((uintptr_t)found.pc + i));
    found.walks++;
    return n;
}

/* A path whose number is known is not walked again, and has that number in no
 * trace but its own; one with more frames than are asked for has none. */
static void
stacks_are_known_by_their_paths(void **state)
{
    struct trace_config cfg = {.fd = -1, .max_stack = 4};
    struct trace_pbuf *b;
    struct rt_err e;
    uint64_t one, two;

    (void)state;
    memset(&found, 0, sizeof found);
    sim_init(&s, 2, 61);
    s.host.path_self = path_self;
    s.host.walk_self = walk_self;
    b = &s.p[0].trace;
    assert_int_equal(trace_start(&s.rec, &cfg, &e), RT_OK);
    found.pc = &found;
    found.n = 3;
    one = trace_stack(&s.rec, b, &found); /* which makes the table */
    assert_int_not_equal(one, 0);
    assert_int_equal(trace_stack(&s.rec, b, &found), one);
    found.walks = 0;
    assert_int_equal(trace_stack(&s.rec, b, &found), one);
    assert_int_equal(found.walks, 0);
    found.pc = &s;
    two = trace_stack(&s.rec, b, &found);
    assert_int_not_equal(two, one);
    assert_int_equal(trace_stack(&s.rec, b, &found), two);
    assert_int_equal(found.walks, 1);
    /* Cut off. */
    found.pc = &cfg;
    found.n = 5;
    for (int i = 0; i < 2; i++)
        assert_int_not_equal(trace_stack(&s.rec, b, &found), 0);
    assert_int_equal(b->paths->id, 0);
    assert_int_equal(found.walks, 3);
    /* Without a path. */
    found.pc = NULL;
    assert_int_not_equal(trace_stack(&s.rec, b, &found), 0);
    found.pc = &s;
    found.n = 3;
    assert_int_equal(trace_stack(&s.rec, b, &found), two);
    trace_stop_read(&s.rec);
    for (size_t n = 1; n > 0;) {
        const uint8_t *data;
        assert_int_equal(trace_read(&s.rec, &data, &n, &e), RT_OK);
    }
    assert_null(b->paths);
    /* The next trace numbers them anew. */
    assert_int_equal(trace_start(&s.rec, &cfg, &e), RT_OK);
    found.pc = NULL;
    found.n = 1;
    trace_stack(&s.rec, b, &found);
    found.pc = &s;
    found.n = 3;
    found.walks = 0;
    assert_int_not_equal(trace_stack(&s.rec, b, &found), 0);
    assert_int_equal(found.walks, 1);
    /* No stacks at all. */
    s.rec.max_stack = 0;
    assert_int_equal(trace_stack(&s.rec, b, &found), 0);
    sim_fini(&s);
}

/* With the number of a stack an event is what it is with the stack. */
static void
events_with_numbers_are_the_same(void **state)
{
    const vpc pcs[2] = {5 << 24, 6 << 24};
    struct trace_pbuf *b = begin();
    struct trace_gstate *g = &s.gs[0]->trace, *h = &s.gs[1]->trace;
    uint8_t *at[5];
    uint64_t id;

    (void)state;
    trace_go_start(&s.rec, b, h);
    trace_go_block(&s.rec, b, h, TRACE_BLOCK_RECV, NULL, 0);
    for (int i = 0; i < 2; i++) {
        trace_go_start(&s.rec, b, g);
        b->last = g->last = h->last = UINT64_C(1) << 60; /* one tick to each */
        at[2 * i] = b->pos;
        id = trace_stacktab_put(&s.rec.s->stacks, pcs, 2);
        if (i == 0) {
            trace_go_unblock(&s.rec, b, h, pcs, 2);
            trace_go_block(&s.rec, b, g, TRACE_BLOCK_SEND, pcs, 2);
        } else {
            trace_go_unblock_at(&s.rec, b, h, id);
            trace_go_block_at(&s.rec, b, g, TRACE_BLOCK_SEND, id);
        }
        at[2 * i + 1] = b->pos;
        assert_int_equal(b->goid, 0);
        assert_int_equal(b->last, (UINT64_C(1) << 60) + 2);
        assert_int_equal(g->last, b->last);
        trace_go_unblock(&s.rec, b, g, NULL, 0);
        trace_go_start(&s.rec, b, h);
        trace_go_block(&s.rec, b, h, TRACE_BLOCK_RECV, NULL, 0);
    }
    assert_int_equal(at[1] - at[0], at[3] - at[2]);
    assert_memory_equal(at[0], at[2], (size_t)(at[1] - at[0]));
    assert_int_equal(count(TRACE_EV_GO_BLOCK_SEND), 2);
    assert_true(trace_buf_valid(b->buf));
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

/* ---- threads without a P */

/* An event that comes too late, and one that has nothing to say, leave the
 * common buffer to the next. */
static void
the_common_buffer_is_given_back(void **state)
{
    struct trace_pbuf *global;
    struct trace_gstate *g;

    (void)state;
    begin();
    global = trace_global(&s.rec);
    g = &s.gs[0]->trace;
    trace_go_sys_exit(&s.rec, global, g, 0); /* it has not been blocked */
    assert_int_equal(count(TRACE_EV_GO_SYS_EXIT), 0);
    a32_store_rlx(&g->sysblocked, 1);
    trace_go_sys_exit(&s.rec, global, g, 0);
    assert_int_equal(count(TRACE_EV_GO_SYS_EXIT), 1);
    a32_store_rlx(&s.rec.on, 0);
    a32_store_rlx(&g->sysblocked, 1);
    trace_go_sys_exit(&s.rec, global, g, 0);
    assert_int_equal(count(TRACE_EV_GO_SYS_EXIT), 1);
    a32_store_rlx(&s.rec.on, 1);
    trace_go_sys_exit(&s.rec, global, g, 0);
    assert_int_equal(count(TRACE_EV_GO_SYS_EXIT), 2);
    sim_fini(&s);
}

/* ---- the beginning and the end */

static void
start_file(int fd)
{
    struct trace_config cfg = {.fd = fd};
    struct rt_err e;

    assert_int_equal(trace_start(&s.rec, &cfg, &e), RT_OK);
}

static int
temp_file(void)
{
    int fd = memfd_create("trace", MFD_CLOEXEC);

    assert_true(fd >= 0);
    return fd;
}

/* The first descriptor is one like any other. */
static void
a_trace_into_descriptor_0(void **state)
{
    struct rt_err e;
    int kept = dup(0), fd = temp_file();

    (void)state;
    sim_init(&s, 1, 62);
    assert_int_equal(dup2(fd, 0), 0);
    start_file(0);
    assert_int_equal(trace_stop(&s.rec, &e), RT_OK);
    assert_true(lseek(fd, 0, SEEK_END) > 16);
    if (kept >= 0) {
        dup2(kept, 0);
        close(kept);
    } else {
        close(0);
    }
    close(fd);
    sim_fini(&s);
}

/* The reader comes for full buffers although nothing is flushed for a day, be it
 * that emitters would wait for room. */
static void
full_buffers_are_written_at_once(void **state)
{
    static char text[TRACE_LOG_MAX];
    struct rt_err e;
    struct stat st;
    int64_t end;

    (void)state;
    for (int few = 0; few < 2; few++) {
        int fd = temp_file();
        struct trace_config cfg = {.fd = fd, .flush_ms = 86400000,
            .max_memory = few ? 1 : 0};

        sim_init(&s, 1, 66);
        assert_int_equal(trace_start(&s.rec, &cfg, &e), RT_OK);
        trace_proc_start(&s.rec, &s.p[0].trace, 1);
        for (unsigned n = 0; n < (TRACE_KICK_BUFS + 1) * TRACE_BUF_BYTES;
            n += sizeof text)
            trace_log(&s.rec, &s.p[0].trace, 0, "key", 3, text, sizeof text,
                NULL, 0);
        end = rt_nanotime() + INT64_C(60000000000);
        do {
            usleep(1000);
            assert_int_equal(fstat(fd, &st), 0);
        } while (st.st_size < (few ? 1 : TRACE_KICK_BUFS) * TRACE_LOG_MAX &&
            rt_nanotime() < end);
        assert_in_range(st.st_size, (few ? 1 : TRACE_KICK_BUFS) * TRACE_LOG_MAX,
            (TRACE_KICK_BUFS + 1) * TRACE_BUF_BYTES * 2);
        assert_int_equal(trace_stop(&s.rec, &e), RT_OK);
        assert_int_equal(count(TRACE_EV_USER_LOG),
            (TRACE_KICK_BUFS + 1) * TRACE_BUF_BYTES / sizeof text);
        close(fd);
        sim_fini(&s);
    }
}

/* A P that the scheduler does not name any more is stopped at the end as the
 * others are. */
static void
processors_that_are_left_over_are_closed(void **state)
{
    struct rt_err e;
    int fd = temp_file();

    (void)state;
    sim_init(&s, 2, 63);
    start_file(fd);
    trace_proc_start(&s.rec, &s.p[0].trace, 1);
    trace_proc_start(&s.rec, &s.p[1].trace, 2);
    s.procs = 1;
    assert_int_equal(trace_stop(&s.rec, &e), RT_OK);
    assert_int_equal(count(TRACE_EV_PROC_START), 2);
    assert_int_equal(count(TRACE_EV_PROC_STOP), 2);
    assert_false(s.p[1].trace.proc_started);
    close(fd);
    sim_fini(&s);
}

/* The events of a P that went are counted, in the trace in which it did. */
static void
events_of_processors_that_went_are_counted_once(void **state)
{
    struct rt_err e;

    (void)state;
    sim_init(&s, 2, 64);
    for (int round = 0; round < 2; round++) {
        int fd = temp_file();

        start_file(fd);
        trace_proc_start(&s.rec, &s.p[1].trace, 2);
        trace_proc_stop(&s.rec, &s.p[1].trace);
        s.procs = 1;
        trace_pbuf_fini(&s.rec, &s.p[1].trace);
        trace_proc_start(&s.rec, &s.p[0].trace, 1);
        assert_int_equal(count(TRACE_EV_PROC_START), 2);
        assert_int_equal(trace_stop(&s.rec, &e), RT_OK);
        assert_int_equal(count(TRACE_EV_PROC_START), 2);
        close(fd);
        trace_pbuf_init(&s.rec, &s.p[1].trace, 1);
        s.procs = 2;
    }
    sim_fini(&s);
}

/* What a storm of events has needed does not stay: a few empty buffers do. */
static void
empty_buffers_are_freed(void **state)
{
    struct trace_pbuf *b = begin();
    struct trace_state *ts = s.rec.s;
    uint64_t full = 0, most = 0;
    const uint8_t *data;
    struct rt_err e;
    size_t n;

    (void)state;
    while (full < TRACE_KEEP_BUFS + 20) {
        trace_heap_alloc(&s.rec, b, UINT64_MAX);
        rt_lock(&ts->lock);
        full = ts->nfull;
        rt_unlock(&ts->lock);
    }
    while (full > 0) {
        assert_int_equal(trace_read(&s.rec, &data, &n, &e), RT_OK);
        rt_lock(&ts->lock);
        assert_true(trace_lists_valid_locked(ts));
        full = ts->nfull;
        most = ts->nempty > most ? ts->nempty : most;
        rt_unlock(&ts->lock);
    }
    assert_int_equal(most, TRACE_KEEP_BUFS);
    sim_fini(&s);
}

/* ---- stacks in the file */

/* Numbers as long as they can be. */
static bool
long_frame(void *ctx, vpc pc, struct trace_frame *f)
{
    (void)ctx;
    *f = (struct trace_frame){.func = "main.f", .func_len = 6,
        .file = "f.go", .file_len = 4, .line = (uint32_t)pc};
    return true;
}

/* What is too long for readers loses frames before the root, not the root. */
static void
a_long_stack_keeps_its_root(void **state)
{
    vpc pcs[TRACE_STACK_MAX];
    struct trace_out o = {0};
    struct trace_symcache *syms = trace_symcache_new();
    const uint8_t *p, *end;
    uint64_t v[4], len, id, n;

    (void)state;
    begin();
    s.host.symbolize = long_frame;
    for (unsigned i = 0; i < TRACE_STACK_MAX; i++)
        pcs[i] = UINT64_MAX - i;
    trace_out_stack(&s.rec, &o, syms, trace_stacktab_get(&s.rec.s->stacks,
        pcs, TRACE_STACK_MAX), NULL, NULL);
    end = o.data + o.len;
    p = rt_varint_get(o.data + 1, end, &len);
    assert_int_equal(len, end - p);
    assert_true(len <= 2048);
    p = rt_varint_get(rt_varint_get(p, end, &id), end, &n);
    assert_true(n > 64 && n < TRACE_STACK_MAX);
    for (unsigned i = 0; i < n; i++) {
        for (int k = 0; k < 4; k++)
            p = rt_varint_get(p, end, &v[k]);
        assert_true(v[0] == pcs[i == n - 1 ? TRACE_STACK_MAX - 1 : i]);
    }
    assert_ptr_equal(p, end);
    free(o.data);
    free(syms);
    sim_fini(&s);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ticks_grow_along_goroutines_and_processors),
        cmocka_unit_test(the_next_begins_a_tick_later),
        cmocka_unit_test(stacks_that_share_a_slot_are_different),
        cmocka_unit_test(stacks_are_known_by_their_paths),
        cmocka_unit_test(events_with_numbers_are_the_same),
        cmocka_unit_test(numbers_are_left_out_in_one_stream_only),
        cmocka_unit_test(a_blocked_call_has_the_time_of_the_call),
        cmocka_unit_test(samples_from_before_are_left_out),
        cmocka_unit_test(the_common_buffer_is_given_back),
        cmocka_unit_test(a_trace_into_descriptor_0),
        cmocka_unit_test(full_buffers_are_written_at_once),
        cmocka_unit_test(processors_that_are_left_over_are_closed),
        cmocka_unit_test(events_of_processors_that_went_are_counted_once),
        cmocka_unit_test(empty_buffers_are_freed),
        cmocka_unit_test(a_long_stack_keeps_its_root),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
