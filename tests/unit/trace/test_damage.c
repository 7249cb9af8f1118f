/* SPDX-License-Identifier: MIT */
/* The validators of the reader's structures accept what the reader makes, and
 * notice damage. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "runtime/base/hash.h"
#include "tests/unit/trace/build.h"
#include "trace/analyze/mmu.h"
#include "trace/analyze/top.h"
#include "trace/analyze/waits.h"
#include "trace/read/frontier.h"
#include "trace/read/idmap.h"
#include "trace/read/moved.h"
#include "trace/read/rewrite.h"
#include "trace/read/v2state.h"
#include "trace/read/waitq.h"

static void
frontiers_are_ordered(void **state)
{
    struct trace_front room[40], swap;
    struct trace_frontier f = {.a = room};
    uint32_t i;

    (void)state;
    assert_true(trace_frontier_valid(&f));
    for (i = 0; i < 39; i++) {
        trace_frontier_push(&f, i * 7919 % 101 / 3, i);
        assert_true(trace_frontier_valid(&f));
    }
    for (i = 1; i < f.n; i++) { /* each entry, under the one above it */
        swap = room[i];
        room[i] = (struct trace_front){0, 0};
        room[i / 2].key++; /* where that is 0, too */
        assert_false(trace_frontier_valid(&f));
        room[i / 2].key--;
        room[i] = swap;
    }
    for (; f.n > 0; trace_frontier_drop(&f))
        assert_true(trace_frontier_valid(&f));
}

static void
heaps_of_waiters_are_trees(void **state)
{
    struct trace_wnode n[32] = {{0}};
    uint32_t root = 0, c, count;

    (void)state;
    for (c = 1; c <= 32; c++) {
        n[c - 1].need = c * 7919 % 31;
        n[c - 1].ts = c;
        root = trace_waitq_push(n, root, c);
        assert_true(trace_waitq_valid(n, root, 32, &count));
        assert_int_equal(count, c);
    }
    root = trace_waitq_pop(n, root); /* now it has levels */
    assert_true(trace_waitq_valid(n, root, 32, &count));
    assert_int_equal(count, 31);
    n[root - 1].need += 40;
    assert_false(trace_waitq_valid(n, root, 32, NULL));
    n[root - 1].need -= 40;
    c = n[root - 1].child;
    n[c - 1].sibling = c; /* a circle */
    assert_false(trace_waitq_valid(n, root, 32, NULL));
    n[c - 1].sibling = 33; /* none of ours */
    assert_false(trace_waitq_valid(n, root, 32, NULL));
    assert_true(trace_waitq_valid(n, 0, 32, &count));
    assert_int_equal(count, 0);
}

static void
maps_find_what_they_have(void **state)
{
    struct trace_idmap m = {0};
    bool fresh;
    uint64_t i;
    uint32_t k;

    (void)state;
    assert_true(trace_idmap_valid(&m));
    for (i = 0; i < 500; i++) {
        assert_int_equal(trace_idmap_put(&m, i << 40 | 5, &fresh), i);
        assert_true(fresh);
    }
    assert_true(trace_idmap_valid(&m));
    for (k = 0; m.vals[k] == 0; k++)
        ;
    m.keys[k] ^= 1; /* is looked for elsewhere, or known as another */
    assert_false(trace_idmap_valid(&m));
    m.keys[k] ^= 1;
    m.vals[k] = m.vals[k] % 500 + 1; /* two with one index */
    assert_false(trace_idmap_valid(&m));
    m.vals[k] = (m.vals[k] + 498) % 500 + 1;
    assert_true(trace_idmap_valid(&m));
    m.count++;
    assert_false(trace_idmap_valid(&m));
    m.count--;
    m.hot[5] = m.hot[5] % 500 + 1; /* the short way leads to another one */
    assert_false(trace_idmap_valid(&m));
    trace_idmap_free(&m);
}

/* The two were of one hash for every seed: after a word, a flip of its top bit
 * is undone by flips of two bits of the next. */
static void
no_two_texts_have_one_hash_for_all_seeds(void **state)
{
    uint8_t a[16] = "these are two .", b[16];
    uint64_t seed, same = 0;

    (void)state;
    memcpy(b, a, sizeof b);
    b[7] ^= 0x80;
    b[15] ^= 0x80;
    b[11] ^= 0x80;
    for (seed = 1; seed < 2000; seed++) {
        uint64_t s = seed * UINT64_C(0x9e3779b97f4a7c15);

        same += rt_hash_foreign(a, 16, s) == rt_hash_foreign(b, 16, s);
        same += rt_hash_foreign(a, 15, s) == rt_hash_foreign(a, 16, s);
        same += rt_hash_foreign(a, 0, s) == rt_hash_foreign("\0", 1, s);
        assert_true(rt_hash_foreign(a, 7, s) == rt_hash_foreign(b, 7, s));
    }
    assert_int_equal(same, 0);
}

static void
moved_events_are_sorted(void **state)
{
    struct trace_moved_list l = {0};
    struct trace_moved_reader r;
    uint64_t i;

    (void)state;
    for (i = 0; i < 100; i++)
        assert_true(trace_moved_add(&l, i * 37 % 101, i, 0));
    assert_false(trace_moved_valid(&l));
    trace_moved_end(&l);
    assert_true(trace_moved_valid(&l));
    assert_true(trace_moved_open(&r, &l));
    assert_true(trace_moved_reader_valid(&r));
    r.nruns = 2; /* of a list that has one */
    assert_false(trace_moved_reader_valid(&r));
    r.nruns = 1;
    trace_moved_close(&r);
    l.a[50].key = l.a[49].key;
    l.a[50].off = 0;
    assert_false(trace_moved_valid(&l));
    l.a[50] = l.a[99];
    l.n = 51;
    assert_true(trace_moved_valid(&l));
    l.n = l.cap + 1;
    assert_false(trace_moved_valid(&l));
    l.n = 51;
    trace_moved_free(&l);
}

/* ---- files */

static struct build b;

static struct trace_file *
open_bytes(const void *data, size_t n)
{
    struct trace_file *f;
    struct rt_err e;

    if (trace_file_open_mem(&f, data, n, NULL, &e) != RT_OK)
        fail_msg("%s", e.text);
    assert_true(trace_file_valid(f));
    return f;
}

static struct trace_file *
open_example(void)
{
    b.n = unhex(worked_example, b.data);
    return open_bytes(b.data, b.n);
}

#define DAMAGED(f, place, value) \
    do { \
        __typeof__(place) was = place; \
        place = value; \
        assert_false(trace_file_valid(f)); \
        place = was; \
        assert_true(trace_file_valid(f)); \
    } while (0)

static void
an_index_lies_within_its_file(void **state)
{
    struct trace_file *f;

    (void)state;
    f = open_example();
    assert_int_equal(f->pmap.count, 2);
    DAMAGED(f, f->ps[0].batches[0].end, b.n + 1);
    DAMAGED(f, f->ps[0].batches[0].off, f->ps[0].batches[0].end + 1);
    DAMAGED(f, f->ps[0].batches[0].off, 3);
    DAMAGED(f, f->nbatches, f->nbatches + 1);
    DAMAGED(f, f->strings[1].len, (uint32_t)b.n);
    DAMAGED(f, f->strings[0].s, "elsewhere");
    DAMAGED(f, f->nstrings, f->nstrings - 1);
    DAMAGED(f, f->stacks[0].off, b.n - f->stacks[0].len + 1);
    DAMAGED(f, f->stacks[0].n, f->stacks[0].len + 1);
    DAMAGED(f, f->bytes[TRACE_EV_GO_START], 0);
    DAMAGED(f, f->cut_at, b.n - 1);
    DAMAGED(f, f->min_ts, f->max_ts + 1);
    trace_file_close(f);
}

struct bytes {
    uint8_t *data;
    uint64_t n, cap;
};

static bool
keep(void *arg, const void *data, size_t n)
{
    struct bytes *to = arg;

    if (!trace_grow(&to->data, &to->cap, to->n + n, 1))
        return false;
    memcpy(to->data + to->n, data, n);
    to->n += n;
    return true;
}

/* The same trace in the second family's format. */
static struct bytes
second_family(void)
{
    struct bytes to = {0};
    struct trace_rewrite how = {.to = INT64_MAX, .put = keep, .arg = &to};
    struct trace_file *f;
    struct rt_err e;

    f = open_example();
    assert_int_equal(trace_rewrite_v2(f, &how, &e), RT_OK);
    trace_file_close(f);
    return to;
}

static void
generations_follow_each_other(void **state)
{
    struct bytes bytes = second_family();
    struct trace_file *f = open_bytes(bytes.data, bytes.n);
    struct v2_file *v = f->v2;

    (void)state;
    assert_non_null(v);
    assert_true(v->nbatches > 2 && v->nframes > 1 && f->nstacks > 1);
    DAMAGED(f, v->batches[1].gen, 7);
    DAMAGED(f, v->batches[1].at, v->batches[0].end - 1);
    DAMAGED(f, v->batches[1].end, v->batches[2].at + 1);
    DAMAGED(f, v->batches[0].ticks, v->gens[0].min_ts - 1);
    DAMAGED(f, v->gens[0].count, v->nbatches - 1);
    DAMAGED(f, v->gens[0].first, 1);
    DAMAGED(f, v->gens[0].end, f->size + 1);
    DAMAGED(f, v->gens[0].mul, 0);
    DAMAGED(f, v->stacks[1].first, 0);
    DAMAGED(f, v->stacks[1].n, v->stacks[1].n + 1);
    DAMAGED(f, v->frames[0].func, (uint32_t)f->nstrings + 1);
    DAMAGED(f, v->frames[1].file, (uint32_t)f->nstrings + 1);
    DAMAGED(f, f->nstacks, f->nstacks - 1);
    trace_file_close(f);
    free(bytes.data);
}

/* What the orderer of the second family knows, after a P has been started by
 * a thread. */
static void
threads_and_processors_belong_together(void **state)
{
    struct v2_gen gen = {.gen = 1, .complete = true};
    struct v2_ids ids = {.strs = NULL};
    struct v2_state s = {.gen = &gen, .ids = &ids, .initial = true};
    struct v2_item it = {.ev = {.type = V2_PROC_STATUS,
        .args = {0, 3, V2_P_RUNNING}}};
    int64_t m;

    (void)state;
    m = v2_thread(&s, 70);
    assert_int_equal(m, 0);
    assert_int_equal(v2_thread(&s, 71), 1);
    assert_int_equal(v2_step(&s, 0, &it), V2_OK);
    it.ev = (struct v2_event){.type = V2_GO_STATUS,
        .args = {0, 5, 70, V2_GO_RUNNING}};
    assert_int_equal(v2_step(&s, 0, &it), V2_OK);
    assert_true(v2_state_valid(&s));
    assert_int_equal(s.ps[0].m, 1);
    s.ps[0].m = 2;
    assert_false(v2_state_valid(&s));
    s.ps[0].m = 3;
    assert_false(v2_state_valid(&s));
    s.ps[0].m = 1;
    s.ms[0].p = V2_NONE;
    assert_false(v2_state_valid(&s));
    s.ms[0].p = 3;
    assert_true(v2_state_valid(&s));
    s.gs[0].id++;
    assert_false(v2_state_valid(&s));
    s.gs[0].id--;
    s.gs[0].status = V2_GO_WAITING + 1;
    assert_false(v2_state_valid(&s));
    s.gs[0].status = V2_GO_RUNNING;
    s.gs[0].nregions = 1;
    assert_false(v2_state_valid(&s));
    s.gs[0].nregions = 0;
    s.nout = V2_QUEUE + 1;
    assert_false(v2_state_valid(&s));
    v2_state_clear(&s);
}

/* ---- what is made of the events */

/* A batch of the second family. */
static void
put_batch(uint64_t m, uint64_t tick, const uint8_t *data, size_t n)
{
    put_byte(&b, V2_BATCH);
    put_num(&b, 1);
    put_num(&b, m);
    put_num(&b, tick);
    put_num(&b, n);
    memcpy(b.data + b.n, data, n);
    b.n += n;
}

static uint8_t *
record(uint8_t *p, enum trace_v2 type, uint64_t dt, uint64_t x, uint64_t y,
    uint64_t z)
{
    const uint64_t v[] = {dt, x, y, z};
    unsigned i;

    *p++ = (uint8_t)type;
    for (i = 0; i < v2_nargs[type]; i++)
        p = rt_varint_put(p, v[i]);
    return p;
}

/* Goroutine 2 waits since before the trace, which the file tells after
 * 1,000 ns; the trace is 2,000 ns long. */
static struct trace_file *
told_late(void)
{
    uint8_t data[200], *p = data;

    put_header(&b, "go 1.22 trace");
    *p++ = V2_FREQUENCY;
    p = rt_varint_put(p, 1000000000);
    put_batch(V2_NONE, 1000, data, (size_t)(p - data));
    p = record(data, V2_PROC_STATUS, 0, 0, V2_P_RUNNING, 0);
    p = record(p, V2_GO_STATUS, 0, 1, 7, V2_GO_RUNNING);
    p = record(p, V2_GO_STATUS, 1000, 2, V2_NONE, V2_GO_WAITING);
    p = record(p, V2_PROCS_CHANGE, 1000, 1, 0, 0);
    put_batch(7, 1000, data, (size_t)(p - data));
    return open_bytes(b.data, b.n);
}

/* What is added up begins where it was asked to. */
static void
late_states_begin_with_the_stretch(void **state)
{
    struct trace_file *f = told_late();
    struct trace_pass how = {.from = 500};
    struct trace_summary *s;
    const struct trace_goroutine *g;
    struct rt_err e;

    (void)state;
    for (; how.from >= 0; how.from -= 500) {
        assert_int_equal(trace_analyze_with(f, &how, &s, &e), RT_OK);
        assert_int_equal(s->to, 2000);
        g = trace_find_goroutine(s, 2);
        assert_non_null(g);
        assert_int_equal(g->time[TRACE_ST_BEFORE], 2000 - how.from);
        assert_int_equal(s->total[TRACE_ST_BEFORE].ns, 2000 - how.from);
        assert_true(trace_summary_valid(s));
        trace_summary_free(s);
    }
    trace_file_close(f);
}

static void
sums_fit_into_the_stretch(void **state)
{
    struct trace_file *f;
    struct trace_summary *s;
    struct rt_err e;

    (void)state;
    f = open_example();
    assert_int_equal(trace_analyze(f, 5, &s, &e), RT_OK);
    assert_true(trace_summary_valid(s));
    assert_true(s->ngs > 1 && s->nprocs > 1 && s->nlongest > 1);
    s->gs[0].time[TRACE_ST_RUNNING] += s->to;
    assert_false(trace_summary_valid(s));
    s->gs[0].time[TRACE_ST_RUNNING] -= s->to;
    s->gs[1].id = s->gs[0].id;
    assert_false(trace_summary_valid(s));
    s->gs[1].id++;
    s->procs[1].id = 0;
    assert_false(trace_summary_valid(s));
    s->procs[1].id = 1;
    assert_true(trace_summary_valid(s));
    s->procs[0].busy = -1;
    assert_false(trace_summary_valid(s));
    s->procs[0].busy = 0;
    s->longest[1].ns = s->longest[0].ns + 1;
    assert_false(trace_summary_valid(s));
    s->longest[1].ns = 0;
    s->nlongest = 2;
    s->sorted = false;
    assert_false(trace_summary_valid(s));
    s->sorted = true;
    s->to = s->from - 1;
    assert_false(trace_summary_valid(s));
    trace_summary_free(s);
    trace_file_close(f);
}

static void
the_longest_are_a_heap(void **state)
{
    struct trace_top t;
    int64_t i;

    (void)state;
    assert_true(trace_top_init(&t, 7));
    assert_true(trace_top_valid(&t));
    for (i = 0; i < 50; i++) {
        trace_top_add(&t, &(struct trace_wait){.ns = i * 37 % 101});
        assert_true(trace_top_valid(&t));
    }
    t.floor--;
    assert_false(trace_top_valid(&t));
    t.floor++;
    t.a[3].ns = 0;
    assert_false(trace_top_valid(&t));
    free(t.a);
}

static void
buckets_hold_what_was_counted(void **state)
{
    static struct trace_hist h;
    int64_t i;

    (void)state;
    assert_true(trace_hist_valid(&h));
    for (i = 3; i < 1000000; i *= 3)
        trace_hist_add(&h, i);
    assert_true(trace_hist_valid(&h));
    h.n++;
    assert_false(trace_hist_valid(&h));
    h.n--;
    h.max *= 2;
    assert_false(trace_hist_valid(&h));
    h.max /= 2;
    h.bucket[3]--; /* the smallest is gone, and counted elsewhere */
    h.bucket[100]++;
    assert_false(trace_hist_valid(&h));
}

/* A file may say that there are very many Ps, and then again few. */
static void
processors_that_collect_are_counted(void **state)
{
    struct trace_file *f;
    struct trace_mmu m;
    struct trace_sink k;
    struct trace_event e = {.type = TRACE_EV_GOMAXPROCS, .args = {1 << 19}};
    int64_t p;

    (void)state;
    f = open_example();
    trace_mmu_init(&m, TRACE_MMU_SWEEP, f);
    k = trace_mmu_sink(&m);
    assert_true(k.event(k.arg, NULL, &e));
    e.type = TRACE_EV_SWEEP_START;
    for (p = 0; p < 10; p++) {
        e.p = p * 3;
        e.ns += 10;
        assert_true(k.event(k.arg, NULL, &e));
    }
    assert_int_equal(m.gcprocs, 10);
    assert_true(trace_mmu_valid(&m));
    e.type = TRACE_EV_GOMAXPROCS;
    e.args[0] = 8;
    e.ns += 10;
    assert_true(k.event(k.arg, NULL, &e));
    assert_int_equal(m.gcprocs, 3); /* 0, 3, 6 */
    assert_true(trace_mmu_valid(&m));
    m.gcprocs++;
    assert_false(trace_mmu_valid(&m));
    m.gcprocs--;
    m.steps[2].ns = m.steps[1].ns;
    assert_false(trace_mmu_valid(&m));
    m.steps[2].ns++;
    m.steps[2].util = -1;
    assert_false(trace_mmu_valid(&m));
    trace_mmu_free(&m);
    trace_file_close(f);
}

static void
sites_have_all_waits(void **state)
{
    const struct trace_waits_filter all = {.to = INT64_MAX, .g = UINT64_MAX,
        .all = true, .system = true};
    struct trace_waits w;
    struct trace_sink k;
    struct trace_pass how = {.sinks = &k, .nsinks = 1};
    struct trace_summary *s;
    struct trace_file *f;
    struct rt_err e;

    (void)state;
    f = open_example();
    trace_waits_init(&w, TRACE_WAITS_SCHED, &all, f);
    k = trace_waits_sink(&w);
    assert_int_equal(trace_analyze_with(f, &how, &s, &e), RT_OK);
    assert_int_equal(trace_waits_finish(&w, s), RT_OK);
    assert_true(w.nsites > 0 && trace_waits_valid(&w));
    w.sites[0].ns++;
    assert_false(trace_waits_valid(&w));
    w.sites[0].ns--;
    w.n++;
    assert_false(trace_waits_valid(&w));
    w.n--;
    w.sites[0].longest = 0;
    assert_false(trace_waits_valid(&w));
    trace_waits_free(&w);
    trace_summary_free(s);
    trace_file_close(f);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frontiers_are_ordered),
        cmocka_unit_test(heaps_of_waiters_are_trees),
        cmocka_unit_test(maps_find_what_they_have),
        cmocka_unit_test(no_two_texts_have_one_hash_for_all_seeds),
        cmocka_unit_test(moved_events_are_sorted),
        cmocka_unit_test(an_index_lies_within_its_file),
        cmocka_unit_test(generations_follow_each_other),
        cmocka_unit_test(threads_and_processors_belong_together),
        cmocka_unit_test(late_states_begin_with_the_stretch),
        cmocka_unit_test(sums_fit_into_the_stretch),
        cmocka_unit_test(the_longest_are_a_heap),
        cmocka_unit_test(buckets_hold_what_was_counted),
        cmocka_unit_test(processors_that_collect_are_counted),
        cmocka_unit_test(sites_have_all_waits),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
