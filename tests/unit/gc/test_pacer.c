/* SPDX-License-Identifier: MIT */
/* When a mark begins, how hard it works, and what it asks of allocation. */
#include "tests/unit/gc/side.h"

static void
no_assists_while_the_limiter_limits(void **state)
{
    struct side s;

    (void)state;
    side_start(&s, NULL);
    int64_t now = s.h->born;
    /* The collector has had all processors for ten seconds. */
    ai64_add_rlx(&s.h->total.worker, 10 * (int64_t)1000000000 * PS);
    gc_limiter_update(s.h, now += 10 * (int64_t)1000000000);
    assert_int_equal(a32_load_rlx(&s.h->limiter.limiting), 1);
    side_begin(&s);
    for (int i = 0; i < 20000; i++)
        gc_alloc(&s.pc[2], &lay_node);
    assert_false(s.pc[2].assist_wait);
    side_end(&s);
    /* Then the program, for as long. */
    gc_limiter_update(s.h, now + 10 * (int64_t)1000000000);
    assert_int_equal(a32_load_rlx(&s.h->limiter.limiting), 0);
    gc_heap_free(s.h);
}

/* ---- pacing */

static void
a_quarter_of_the_processors_marks(void **state)
{
    (void)state;
    for (uint32_t n = 1; n <= 256; n++) {
        uint32_t d;
        double f;
        gc_worker_shares(n, &d, &f);
        double share = (d + f * n) / n;
        assert_true(share > 0.17 && share < 0.34);
        if (n % 4 == 0) {
            assert_int_equal(d, n / 4);
            assert_true(f == 0);
        }
    }
    uint32_t d;
    double f;
    gc_worker_shares(1, &d, &f);
    assert_true(d == 0 && f == 0.25);
    gc_worker_shares(2, &d, &f);
    assert_true(d == 0 && f == 0.25);
}

static void
the_trigger_is_below_the_goal(void **state)
{
    struct side s;

    (void)state;
    side_start(&s, NULL);
    s.root[0][0] = gc_alloc_noscan(&s.pc[1], 64 << 20);
    side_begin(&s);
    side_end(&s);
    side_sweep(&s);
    uint64_t live = a64_load_rlx(&s.h->heap_marked);
    uint64_t goal = gc_heap_goal(s.h);
    uint64_t room = goal - live;
    /* The program allocated nothing during the mark: a late trigger. */
    uint64_t t = a64_load_rlx(&s.h->trigger);
    assert_true(t > live + room * 9 / 10 && t < goal);
    /* Now it allocates as fast as can be: an early one. */
    for (int i = 0; i < 4; i++)
        s.h->pace.cons_mark[i] = 1000;
    s.h->pace.last_work = 1 << 20;
    gc_pacer_set_goal(s.h);
    t = a64_load_rlx(&s.h->trigger);
    assert_true(t >= live + room / 10 * 7 - 10 && t < live + room * 72 / 100);
    /* Without workers the goal itself. */
    s.h->cfg.stop_world = true;
    gc_pacer_set_goal(s.h);
    assert_int_equal(a64_load_rlx(&s.h->trigger), goal);
    gc_heap_free(s.h);
}

static void
the_price_rises_as_the_room_shrinks(void **state)
{
    struct side s;

    (void)state;
    side_start(&s, NULL);
    for (int i = 0; i < 100000; i++) {
        void **p = gc_alloc(&s.pc[1], &lay_node);
        p[1] = s.root[0][0];
        s.root[0][0] = p;
    }
    side_begin(&s);
    a64_store_rlx(&s.h->goal, a64_load_rlx(&s.h->heap_live) + (8 << 20));
    gc_pacer_revise(s.h);
    uint64_t before = a64_load_rlx(&s.h->pace.ratio);
    a64_add_rlx(&s.h->heap_live, 6 << 20);
    gc_pacer_revise(s.h);
    uint64_t after = a64_load_rlx(&s.h->pace.ratio);
    assert_true(after > 3 * before);
    /* Marking lowers it. */
    a64_add_rlx(&s.h->pace.scanned, s.h->pace.expected / 2);
    gc_pacer_revise(s.h);
    assert_true(a64_load_rlx(&s.h->pace.ratio) < after * 6 / 10);
    side_end(&s);
    gc_heap_free(s.h);
}

/* Nobody can spend what nobody has scanned. */
static void
credit_is_for_work(void **state)
{
    struct side s;
    void *marked;

    (void)state;
    side_start(&s, NULL);
    marked = gc_alloc(&s.pc[1], &lay_node);
    s.root[0][0] = marked;
    side_begin(&s);
    assert_true(gc_pacer_valid(s.h));
    ai64_store_rlx(&s.h->pace.credit,
        (int64_t)a64_load_rlx(&s.h->pace.scanned) + 1);
    assert_false(gc_pacer_valid(s.h));
    a64_add_rlx(&s.h->pace.scanned, 1);
    assert_true(gc_pacer_valid(s.h));
    ai64_store_rlx(&s.h->pace.credit, -100);
    assert_true(gc_pacer_valid(s.h));
    side_end(&s);
    assert_true(gc_pacer_valid(s.h));
    gc_heap_free(s.h);
}

/* What is allocated until the goal pays for exactly what is left to scan. */
static void
the_price_pays_for_all(void **state)
{
    static const uint64_t work[] = {1 << 20, 3 << 20, 40 << 20};
    struct side s;

    (void)state;
    side_start(&s, NULL);
    side_begin(&s);
    uint64_t live = a64_load_rlx(&s.h->heap_live);
    for (unsigned i = 0; i < 3; i++) {
        s.h->pace.expected = s.h->pace.most = work[i];
        a64_store_rlx(&s.h->pace.scanned, work[i] / 4);
        a64_store_rlx(&s.h->goal, live + (8 << 20));
        gc_pacer_revise(s.h);
        uint64_t left = work[i] - work[i] / 4;
        uint64_t paid = (a64_load_rlx(&s.h->pace.ratio) << 23) >> 10;
        assert_true(paid <= left && left - paid <= 8 << 10);
        /* In pieces as well as at once; what is paid is not asked here. */
        s.pc[1].debt = INT64_MIN / 2;
        for (int k = 0; k < 8; k++)
            gc_pacer_allocated(&s.pc[1], 1 << 20);
        uint64_t debt = (uint64_t)(s.pc[1].debt - INT64_MIN / 2);
        assert_true(debt <= paid && paid - debt <= 8);
        a64_store_rlx(&s.h->heap_live, live);
    }
    s.pc[1].debt = 0;
    side_end(&s);
    gc_heap_free(s.h);
}

/* Nobody sweeps in the background: allocation alone has done it by the time
 * at which the next mark would begin. */
static void
sweeping_keeps_pace_with_allocation(void **state)
{
    struct side s;

    (void)state;
    side_start(&s, NULL);
    for (int i = 0; i < 400000; i++) {
        void **p = gc_alloc(&s.pc[1], &lay_node);
        p[1] = s.root[0][i % WORDS];
        if (i % 3 == 0)
            s.root[0][i % WORDS] = p;
    }
    side_begin(&s);
    side_end(&s);
    uint64_t all = a64_load_rlx(&s.h->unswept);
    assert_true(all > 500);
    uint64_t from = a64_load_rlx(&s.h->heap_live);
    uint64_t room = a64_load_rlx(&s.h->trigger) - from;
    while (a64_load_rlx(&s.h->heap_live) < from + room / 2)
        gc_alloc(&s.pc[2], &lay_pair);
    /* In proportion, and not all at once. */
    uint64_t half = a64_load_rlx(&s.h->unswept);
    assert_true(half < all * 7 / 10 && half > 0);
    while (a64_load_rlx(&s.h->heap_live) < from + room)
        gc_alloc(&s.pc[2], &lay_pair);
    assert_int_equal(a64_load_rlx(&s.h->unswept), 0);
    gc_heap_free(s.h);
}

/* Each page that is swept counts once, however many one run takes. */
static void
each_swept_page_counts_once(void **state)
{
    struct side s;

    (void)state;
    side_start(&s, NULL);
    for (int i = 0; i < 100000; i++)
        s.root[0][i % WORDS] = gc_alloc(&s.pc[1], &lay_node);
    side_begin(&s);
    side_end(&s);
    uint64_t pages = s.h->pages_inuse;
    assert_true(a64_load_rlx(&s.h->unswept) > 4 * RT_GC_BATCH);
    assert_int_equal(a64_load_rlx(&s.h->pace.pages_swept), 0);
    gc_sweep_all(s.h, &s.pc[0]);
    assert_int_equal(a64_load_rlx(&s.h->pace.pages_swept), pages);
    gc_heap_free(s.h);
}

/* ---- what a cycle tells the next */

/* A mark has ended that took 1000 ns of three processors. */
static void
mark_took(struct side *s, int64_t worker, uint64_t scanned,
    uint64_t allocated)
{
    struct gc_heap *h = s->h;

    a32_store_rlx(&h->phase, GC_TERM);
    h->times.mark = 5000;
    h->times.term = 6000;
    ai64_store_rlx(&h->spent.worker, worker);
    a64_store_rlx(&h->pace.scanned, scanned);
    h->pace.live_begin = a64_load_rlx(&h->heap_live);
    a64_store_rlx(&h->heap_live, h->pace.live_begin + allocated);
    gc_pacer_end(h);
    a32_store_rlx(&h->phase, GC_OFF);
}

static void
the_ratio_is_of_equal_processor_time(void **state)
{
    struct side s;

    (void)state;
    side_start(&s, NULL);
    struct gc_pace *p = &s.h->pace;
    /* A quarter of the time for 1000 bytes of marking; the program allocates
     * three times as much in the other three quarters. */
    mark_took(&s, 750, 1000, 3000);
    assert_int_equal(p->last_work, 1000);
    assert_int_equal(p->next, 1);
    assert_true(p->cons_mark[0] > 0.999 && p->cons_mark[0] < 1.001);
    mark_took(&s, 1500, 1000, 3000);
    assert_int_equal(p->next, 2);
    assert_true(p->cons_mark[1] > 2.999 && p->cons_mark[1] < 3.001);
    /* Of a mark that took no time, or found nothing, nothing is learnt. */
    mark_took(&s, 0, 1000, 3000);
    mark_took(&s, 750, 0, 3000);
    assert_int_equal(p->next, 2);
    mark_took(&s, 750, 1000, 0);
    assert_int_equal(p->next, 3);
    assert_true(p->cons_mark[2] == 0);
    gc_heap_free(s.h);
}

/* Nothing is in use, and the peak of it is nothing. */
static void
the_peak_of_an_empty_heap(void **state)
{
    struct side s;

    (void)state;
    side_start(&s, NULL);
    side_cycle(&s);
    assert_int_equal(s.h->pages_inuse, 0);
    assert_int_equal(a64_load_rlx(&s.h->inuse_peak), 0);
    s.root[0][0] = gc_alloc_noscan(&s.pc[1], 1 << 20);
    side_cycle(&s);
    uint64_t large = s.h->pages_inuse * GC_PAGE_SIZE;
    assert_int_equal(a64_load_rlx(&s.h->inuse_peak), large);
    gc_heap_free(s.h);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_assists_while_the_limiter_limits),
        cmocka_unit_test(a_quarter_of_the_processors_marks),
        cmocka_unit_test(the_trigger_is_below_the_goal),
        cmocka_unit_test(the_price_rises_as_the_room_shrinks),
        cmocka_unit_test(credit_is_for_work),
        cmocka_unit_test(the_price_pays_for_all),
        cmocka_unit_test(sweeping_keeps_pace_with_allocation),
        cmocka_unit_test(each_swept_page_counts_once),
        cmocka_unit_test(the_ratio_is_of_equal_processor_time),
        cmocka_unit_test(the_peak_of_an_empty_heap)
    };

    return cmocka_run_group_tests_name("gc/pacer", tests, NULL, NULL);
}
