/* SPDX-License-Identifier: MIT */
/* Marking beside the program: its phases, its barriers, its end, who pays. */
#include "tests/unit/gc/side.h"

#include "gc/special.h"

void __wrap_race_mark_ended_stw(struct race *r);

static const struct race *mark_told;
static unsigned marks_ended;

void
__wrap_race_mark_ended_stw(struct race *r)
{
    mark_told = r;
    marks_ended++;
}

/* ---- phases */

static void
barriers_are_on_between_the_stops(void **state)
{
    struct side s;
    uint64_t mark;

    (void)state;
    side_start(&s, NULL);
    assert_int_equal(gc_phase(s.h), GC_OFF);
    side_begin(&s);
    assert_int_equal(s.stops, 1);
    assert_int_equal(gc_phase(s.h), GC_MARK);
    assert_true(s.workers > 0);
    for (int i = 0; i < PS; i++)
        assert_true(s.pc[i].barrier);
    assert_false(gc_begin(s.h, &s.pc[0], GC_WHY_FORCED, &mark));
    assert_false(gc_collect(s.h, &s.pc[0], GC_WHY_FORCED));
    /* Nobody ends a mark whose roots have not been scanned. */
    assert_int_equal(side_work(&s, -1), GC_WORKED_EMPTY);
    assert_int_equal(gc_phase(s.h), GC_MARK);
    assert_int_equal(gc_cycles(s.h), 0);
    side_end(&s);
    assert_int_equal(s.stops, 2);
    assert_int_equal(s.done, 1);
    assert_int_equal(gc_phase(s.h), GC_OFF);
    assert_int_equal(gc_cycles(s.h), 1);
    for (int i = 0; i < PS; i++)
        assert_false(s.pc[i].barrier);
    assert_int_equal(side_work(&s, -1), GC_WORKED_DONE);
    gc_heap_free(s.h);
}

/* One cycle; how often the race detector heard of the end of its mark. */
static unsigned
told_by_cycle(struct side *s, bool beside)
{
    marks_ended = 0;
    if (beside) {
        side_begin(s);
        assert_int_equal(marks_ended, 0);
        side_end(s);
    } else {
        assert_true(gc_collect(s->h, &s->pc[0], GC_WHY_FORCED));
    }
    side_sweep(s);
    return marks_ended;
}

/* The race detector hears of the end of a mark by which finalizers or cleanups
 * are due, with the world stopped: what came before comes before what those do.
 * Of other marks it need not hear. */
static void
the_end_of_a_mark_orders(void **state)
{
    static uint8_t detector; /* its address is all that is needed */
    struct gc_config cfg = GC_CONFIG_DEFAULT;
    struct side s;
    uint64_t id;

    (void)state;
    cfg.race = (struct race *)(void *)&detector;
    side_start(&s, &cfg);
    for (int i = 0; i < 4; i++)
        s.root[0][i] = gc_alloc(&s.pc[0], &lay_pair);
    assert_int_equal(told_by_cycle(&s, true), 0);
    gc_set_finalizer(&s.pc[0], s.root[0][0], NULL, NULL);
    gc_set_finalizer(&s.pc[0], s.root[0][1], NULL, NULL);
    assert_int_equal(
        gc_add_cleanup(&s.pc[0], s.root[0][2], s.root[0][3], &id), RT_OK);
    for (int i = 2; i >= 0; i--) {
        assert_int_equal(told_by_cycle(&s, true), 0);
        assert_int_equal(told_by_cycle(&s, false), 0);
        s.root[0][i] = NULL;
        mark_told = NULL;
        assert_int_equal(told_by_cycle(&s, i % 2 == 0), 1);
        assert_ptr_equal(mark_told, &detector);
    }
    gc_heap_free(s.h);
}

/* At the end of the program, when no worker runs any more. */
static void
a_mark_that_nobody_ends_is_finished(void **state)
{
    struct side s;

    (void)state;
    side_start(&s, NULL);
    void **kept = gc_alloc(&s.pc[1], &lay_pair);
    void *inner = gc_alloc(&s.pc[1], &lay_pair);
    void *lost = gc_alloc(&s.pc[1], &lay_pair);
    kept[0] = inner;
    s.root[1][0] = kept;
    assert_int_equal(gc_begun(s.h), 0);
    side_begin(&s);
    assert_int_equal(gc_begun(s.h), 1);
    void *late = gc_alloc(&s.pc[1], &lay_pair);
    s.allowed = 1;
    side_work(&s, 3);
    gc_finish_mark(s.h, &s.pc[0]);
    assert_int_equal(gc_phase(s.h), GC_OFF);
    assert_int_equal(gc_cycles(s.h), 1);
    assert_false(s.pc[1].barrier);
    side_sweep(&s);
    assert_true(side_alive(&s, kept) && side_alive(&s, inner) &&
        side_alive(&s, late));
    assert_false(side_alive(&s, lost));
    gc_finish_mark(s.h, &s.pc[0]); /* nothing to do */
    assert_int_equal(gc_cycles(s.h), 1);
    assert_true(gc_collect(s.h, &s.pc[0], GC_WHY_FORCED));
    assert_int_equal(gc_begun(s.h), 2);
    assert_false(side_alive(&s, late));
    assert_true(side_alive(&s, inner));
    side_valid(&s);
    gc_heap_free(s.h);
}

static void
a_worker_stops_when_told_and_loses_nothing(void **state)
{
    struct side s;
    enum { N = 20000 };
    bool must;

    (void)state;
    side_start(&s, NULL);
    void **head = NULL;
    for (int i = 0; i < N; i++) {
        void **p = gc_alloc(&s.pc[1], &lay_pair);
        p[0] = head;
        head = p;
    }
    s.root[0][0] = head;
    side_begin(&s);
    s.allowed = PIECES;
    int rounds = 0;
    while (side_work(&s, 2) != GC_WORKED_DONE) {
        assert_true(gc_work_available(s.h, &must));
        assert_true(++rounds < N);
    }
    assert_true(rounds > 10);
    assert_int_equal(s.stops, 2);
    side_sweep(&s);
    struct gc_memstats st;
    gc_read_memstats(s.h, &st);
    assert_int_equal(st.heap_objects, N);
    gc_heap_free(s.h);
}

/* The roots that are left are in another worker's hands: a second one would
 * find nothing.  Where nobody marks, somebody must ask for them. */
static void
what_others_have_taken_is_nothing_to_do(void **state)
{
    struct side s;
    bool must;

    (void)state;
    side_start(&s, NULL);
    side_begin(&s);
    s.allowed = PIECES;
    a32_store_rlx(&s.h->active, 1);
    assert_true(gc_work_available(s.h, &must));
    assert_false(must);
    while (gc_specials_mark_next(&s.pc[0].own)) {
        assert_true(gc_work_available(s.h, &must));
        assert_false(must);
    }
    s.taken = PIECES;
    assert_false(gc_work_available(s.h, &must));
    assert_false(must);
    a32_store_rlx(&s.h->active, 0);
    assert_true(gc_work_available(s.h, &must));
    assert_true(must);
    side_end(&s);
    side_sweep(&s);
    side_valid(&s);
    gc_heap_free(s.h);
}

/* The P of a worker that is told to stop has something else to do: another
 * goes on. */
static void
a_worker_that_stops_wakes_another(void **state)
{
    struct side s;

    (void)state;
    side_start(&s, NULL);
    side_begin(&s);
    s.allowed = PIECES;
    int before = s.workers;
    assert_int_equal(side_work(&s, 0), GC_WORKED_STOPPED);
    assert_int_equal(s.workers, before + 1);
    side_end(&s);
    gc_heap_free(s.h);
}

/* ---- black allocation */

static void
what_is_born_while_marking_lives_a_cycle(void **state)
{
    struct side s;
    enum { N = 1000 };
    void *small[N], *large, *tiny, *old[N];
    struct gc_memstats st;

    (void)state;
    side_start(&s, NULL);
    /* Windows that are half used when the mark begins. */
    for (int i = 0; i < N; i++)
        old[i] = gc_alloc(&s.pc[1], &lay_node);
    gc_alloc_noscan(&s.pc[1], 3);
    side_begin(&s);
    tiny = gc_alloc_noscan(&s.pc[1], 3);
    for (int i = 0; i < N; i++)
        small[i] = gc_alloc(&s.pc[1], i % 2 ? &lay_node : &lay_pair);
    large = gc_alloc_array(&s.pc[1], &lay_ptr, 100000);
    side_end(&s);
    assert_true(a64_load_rlx(&s.h->heap_marked) >=
        N / 2 * (32 + 16) + 800000);
    side_sweep(&s);
    side_valid(&s);
    for (int i = 0; i < N; i++)
        assert_true(side_alive(&s, small[i]));
    assert_true(side_alive(&s, large));
    assert_true(side_alive(&s, tiny));
    int n = 0;
    for (int i = 0; i < N; i++)
        n += side_alive(&s, old[i]);
    assert_int_equal(n, 0);
    gc_read_memstats(s.h, &st);
    assert_int_equal(st.heap_objects, N + 2);
    /* Slots that were black and have not been used are free again. */
    assert_int_equal(a64_load_rlx(&s.h->heap_live), st.heap_alloc);
    side_begin(&s);
    side_end(&s);
    side_sweep(&s);
    gc_read_memstats(s.h, &st);
    assert_int_equal(st.heap_objects, 0);
    gc_heap_free(s.h);
}

/* What is in the hands of a P is given back in the middle of a mark. */
static void
windows_come_back_while_marking(void **state)
{
    struct side s;
    struct gc_memstats st;

    (void)state;
    side_start(&s, NULL);
    side_begin(&s);
    void *a = gc_alloc(&s.pc[1], &lay_node);
    gc_read_memstats(s.h, &st); /* flushes */
    assert_int_equal(st.heap_objects, 1);
    void *b = gc_alloc(&s.pc[2], &lay_node);
    side_end(&s);
    side_sweep(&s);
    side_valid(&s);
    assert_true(side_alive(&s, a) && side_alive(&s, b));
    gc_read_memstats(s.h, &st);
    assert_int_equal(st.heap_objects, 2);
    gc_heap_free(s.h);
}

/* ---- both halves of the barrier */

/*
 * The program holds, in a stack that has been scanned, what it has just
 * taken out of an object that has not been: only the old value's shade keeps
 * it.
 */
static bool
taken_out_survives(uint32_t shade_off)
{
    struct gc_config cfg = GC_CONFIG_DEFAULT;
    struct side s;

    cfg.shade_off = shade_off;
    side_start(&s, &cfg);
    s.order[0] = 1; /* the stack first */
    s.order[1] = 0;
    void **holder = gc_alloc(&s.pc[1], &lay_ptr);
    void *x = gc_alloc(&s.pc[1], &lay_ptr);
    holder[0] = x;
    s.root[0][0] = holder;
    side_begin(&s);
    s.allowed = 1;
    assert_int_equal(side_work(&s, -1), GC_WORKED_EMPTY);
    s.root[1][0] = holder[0]; /* a load: no barrier */
    gc_write_barrier(&s.pc[1], &holder[0], NULL);
    holder[0] = NULL;
    side_end(&s);
    side_sweep(&s);
    bool ok = side_alive(&s, x);
    gc_heap_free(s.h);
    return ok;
}

/*
 * The program puts what only its stack has, which has not been scanned, into
 * an object that has been, and forgets it: only the new value's shade keeps
 * it.
 */
static bool
put_in_survives(uint32_t shade_off)
{
    struct gc_config cfg = GC_CONFIG_DEFAULT;
    struct side s;

    cfg.shade_off = shade_off;
    side_start(&s, &cfg);
    void **holder = gc_alloc(&s.pc[1], &lay_ptr);
    void *x = gc_alloc(&s.pc[1], &lay_ptr);
    s.root[0][0] = holder;
    s.root[1][0] = x;
    side_begin(&s);
    s.allowed = 1;
    assert_int_equal(side_work(&s, -1), GC_WORKED_EMPTY);
    gc_write_barrier(&s.pc[1], &holder[0], x);
    holder[0] = x;
    s.root[1][0] = NULL;
    side_end(&s);
    side_sweep(&s);
    bool ok = side_alive(&s, x);
    gc_heap_free(s.h);
    return ok;
}

static void
the_old_value_must_be_shaded(void **state)
{
    (void)state;
    assert_true(taken_out_survives(0));
    assert_true(taken_out_survives(GC_SHADE_NEW));
    if (VOLE_CHECKS != 0)
        assert_false(taken_out_survives(GC_SHADE_OLD));
}

static void
the_new_value_must_be_shaded(void **state)
{
    (void)state;
    assert_true(put_in_survives(0));
    assert_true(put_in_survives(GC_SHADE_OLD));
    if (VOLE_CHECKS != 0)
        assert_false(put_in_survives(GC_SHADE_NEW));
}

static void
initialising_stores_shade(void **state)
{
    struct side s;
    void *x[3];

    (void)state;
    side_start(&s, NULL);
    for (int i = 0; i < 3; i++)
        s.root[1][i] = x[i] = gc_alloc(&s.pc[1], &lay_ptr);
    side_begin(&s);
    s.allowed = 1;
    side_work(&s, -1);
    void **fresh = gc_alloc_array(&s.pc[1], &lay_ptr, 3);
    s.root[0][0] = fresh;
    gc_shade(&s.pc[1], x[0]);
    gc_shade_range(&s.pc[1], &lay_ptr, &x[1], 1);
    gc_shade_words(&s.pc[1], &x[2], 1);
    memcpy(fresh, x, sizeof x);
    memset(s.root[1], 0, sizeof s.root[1]);
    side_end(&s);
    side_sweep(&s);
    for (int i = 0; i < 3; i++)
        assert_true(side_alive(&s, x[i]));
    gc_heap_free(s.h);
}

/* ---- the end */

static void
greys_of_other_ps_hold_up_the_end(void **state)
{
    struct side s;
    void **chain = NULL, *last = NULL;
    bool must;

    (void)state;
    side_start(&s, NULL);
    for (int i = 0; i < 5000; i++) {
        void **p = gc_alloc(&s.pc[1], &lay_ptr);
        p[0] = chain;
        chain = p;
        if (i == 0)
            last = p;
    }
    s.root[1][0] = chain;
    side_begin(&s);
    s.allowed = PIECES;
    s.root[1][0] = NULL;
    gc_shade(&s.pc[2], chain); /* only this P knows of it */
    s.deaf = true;
    assert_int_equal(side_work(&s, -1), GC_WORKED_WAIT);
    assert_int_equal(s.stops, 1);
    assert_true(gc_work_available(s.h, &must));
    assert_true(must);
    /* With nothing to mark debts are forgiven, but not beyond the goal. */
    s.pc[1].debt = 1000;
    gc_assist_alloc(&s.pc[1]);
    assert_int_equal(s.pc[1].debt, 0);
    uint64_t goal = gc_heap_goal(s.h);
    a64_store_rlx(&s.h->goal, gc_heap_live(s.h));
    s.pc[1].debt = 1000;
    gc_assist_alloc(&s.pc[1]);
    assert_true(s.pc[1].debt > 0 && s.pc[1].assist_wait);
    a64_store_rlx(&s.h->goal, goal);
    s.pc[1].debt = 0;
    s.pc[1].assist_wait = false;
    s.deaf = false;
    while (side_work(&s, -1) != GC_WORKED_DONE)
        assert_int_equal(gc_phase(s.h), GC_MARK);
    assert_int_equal(s.stops, 2); /* the flush has found it, no stop was
                                     in vain */
    side_sweep(&s);
    assert_true(side_alive(&s, last));
    gc_heap_free(s.h);
}

/* A P shades something after it has been flushed: much, so that the second
 * stop gives up, and little, so that it does it itself. */
static bool late;
static struct side *late_side;
static void *late_what;

static bool
flush_then_shade(void *arg, struct gc_pcache *pc, uint32_t epoch)
{
    bool ok = side_host.flush_ps(arg, pc, epoch);

    if (late) {
        late = false;
        gc_shade(&late_side->pc[2], late_what);
    }
    return ok;
}

static int
stops_with_late_chain(int n)
{
    struct gc_host h2 = side_host;
    struct gc_config cfg = GC_CONFIG_DEFAULT;
    struct side s;
    void **chain = NULL, *last = NULL;

    h2.flush_ps = flush_then_shade;
    memset(&s, 0, sizeof s);
    assert_int_equal(gc_heap_new(&s.h, &cfg, &h2, &s, NULL, NULL, NULL),
        RT_OK);
    for (int i = 0; i < PS; i++)
        gc_pcache_init(s.h, &s.pc[i], NULL);
    s.order[1] = 1;
    for (int i = 0; i < n; i++) {
        void **p = gc_alloc(&s.pc[1], &lay_ptr);
        p[0] = chain;
        chain = p;
        if (i == 0)
            last = p;
    }
    side_begin(&s);
    late = true;
    late_side = &s;
    late_what = chain;
    side_end(&s);
    side_sweep(&s);
    assert_true(side_alive(&s, last));
    int stops = s.stops;
    gc_heap_free(s.h);
    return stops;
}

static void
late_greys_are_found_in_the_second_stop(void **state)
{
    (void)state;
    assert_int_equal(stops_with_late_chain(10), 2);
    assert_true(stops_with_late_chain(100000) > 2);
}

/* ---- assists */

static void
allocation_pays_by_marking(void **state)
{
    struct side s;
    enum { N = 100000 };

    (void)state;
    side_start(&s, NULL);
    for (int i = 0; i < N; i++) {
        void **p = gc_alloc(&s.pc[1], &lay_node);
        p[1] = s.root[0][i % WORDS];
        s.root[0][i % WORDS] = p;
    }
    side_begin(&s);
    s.allowed = PIECES;
    while (a32_load_rlx(&s.h->work_nfull) == 0)
        side_work(&s, 3);
    uint64_t scanned = a64_load_rlx(&s.h->pace.scanned);
    ai64_store_rlx(&s.h->pace.credit, 0);
    for (int i = 0; i < 20000; i++)
        gc_alloc(&s.pc[2], &lay_node);
    assert_true(a64_load_rlx(&s.h->pace.scanned) > scanned);
    assert_true(ai64_load_rlx(&s.h->spent.assist) > 0);
    side_end(&s);
    gc_heap_free(s.h);
}

static void
credit_is_spent_first(void **state)
{
    struct side s;

    (void)state;
    side_start(&s, NULL);
    for (int i = 0; i < 50000; i++) {
        void **p = gc_alloc(&s.pc[1], &lay_node);
        p[1] = s.root[0][0];
        s.root[0][0] = p;
    }
    side_begin(&s);
    ai64_store_rlx(&s.h->pace.credit, (int64_t)1 << 40);
    for (int i = 0; i < 5000; i++)
        gc_alloc(&s.pc[2], &lay_node);
    assert_true(s.pc[2].debt <= 0);
    assert_true(ai64_load_rlx(&s.h->pace.credit) < (int64_t)1 << 40);
    assert_int_equal(ai64_load_rlx(&s.h->spent.assist), 0);
    /* No credit, and nothing to mark for an allocation: it waits. */
    ai64_store_rlx(&s.h->pace.credit, 0);
    int asked = s.requests;
    for (int i = 0; i < 20000 && !s.pc[2].assist_wait; i++)
        gc_alloc(&s.pc[2], &lay_node);
    assert_true(s.pc[2].assist_wait);
    assert_true(s.requests > asked);
    assert_false(gc_assist_safepoint(s.h, &s.pc[2]));
    assert_false(gc_assist_retry(s.h));
    s.allowed = PIECES;
    int woken = s.assists;
    side_work(&s, 100);
    assert_true(s.assists > woken);
    assert_true(gc_assist_retry(s.h));
    side_end(&s);
    assert_true(gc_assist_retry(s.h));
    assert_true(gc_assist_safepoint(s.h, &s.pc[2]));
    gc_heap_free(s.h);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(barriers_are_on_between_the_stops),
        cmocka_unit_test(the_end_of_a_mark_orders),
        cmocka_unit_test(a_mark_that_nobody_ends_is_finished),
        cmocka_unit_test(a_worker_stops_when_told_and_loses_nothing),
        cmocka_unit_test(what_others_have_taken_is_nothing_to_do),
        cmocka_unit_test(a_worker_that_stops_wakes_another),
        cmocka_unit_test(what_is_born_while_marking_lives_a_cycle),
        cmocka_unit_test(windows_come_back_while_marking),
        cmocka_unit_test(the_old_value_must_be_shaded),
        cmocka_unit_test(the_new_value_must_be_shaded),
        cmocka_unit_test(initialising_stores_shade),
        cmocka_unit_test(greys_of_other_ps_hold_up_the_end),
        cmocka_unit_test(late_greys_are_found_in_the_second_stop),
        cmocka_unit_test(allocation_pays_by_marking),
        cmocka_unit_test(credit_is_spent_first)
    };

    return cmocka_run_group_tests_name("gc/concur", tests, NULL, NULL);
}
