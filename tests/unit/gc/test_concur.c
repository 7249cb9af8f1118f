/* SPDX-License-Identifier: MIT */
/*
 * Marking beside the program, on one thread: the test is the program, calls
 * the worker where it wants one to run, and says which roots may be scanned
 * already.  So every order of events can be had.
 */
#include "tests/unit/gc/fake.h"

#include "gc/gc_int.h"

enum { PS = 3, PIECES = 2, WORDS = 64 };

struct side {
    struct gc_heap *h;
    struct gc_pcache pc[PS];
    void *root[PIECES][WORDS]; /* two places: say, globals and a stack */
    int order[PIECES];         /* in which they are scanned */
    int allowed, taken;        /* pieces that may be, that have been */
    bool deaf;                 /* the Ps do not hear that they should flush */
    int stops, flushes, assists, workers, done, requests, sweeps;
    bool stopped;
    int steps; /* of a worker until it is stopped; negative: no end */
};

static void
stop_world(void *arg, const char *why)
{
    struct side *s = arg;

    assert_false(s->stopped);
    assert_true(strcmp(why, "GC") == 0 ||
        strcmp(why, "GC sweep termination") == 0 ||
        strcmp(why, "GC mark termination") == 0);
    s->stopped = true;
    s->stops++;
}

static void
start_world(void *arg)
{
    struct side *s = arg;

    assert_true(s->stopped);
    s->stopped = false;
}

static void
mark_roots(void *arg, struct gc_marker *m)
{
    struct side *s = arg;

    assert_true(s->stopped);
    for (int i = 0; i < PIECES; i++)
        gc_mark_range(m, s->root[i], &lay_ptr, WORDS);
}

static void
mark_begin(void *arg)
{
    struct side *s = arg;

    assert_true(s->stopped);
    s->taken = 0;
}

static void
mark_end(void *arg)
{
    assert_true(((struct side *)arg)->stopped);
}

static enum gc_roots
mark_root(void *arg, struct gc_marker *m)
{
    struct side *s = arg;

    assert_false(s->stopped);
    if (s->taken == PIECES)
        return GC_ROOTS_DONE;
    if (s->taken == s->allowed)
        return GC_ROOTS_WAIT;
    gc_mark_range(m, s->root[s->order[s->taken++]], &lay_ptr, WORDS);
    return GC_ROOTS_SOME;
}

static bool
flush_ps(void *arg, struct gc_pcache *pc, uint32_t epoch)
{
    struct side *s = arg;

    s->flushes++;
    gc_flush_marks(pc, epoch);
    for (int i = 0; i < PS && !s->deaf; i++)
        gc_flush_marks(&s->pc[i], epoch);
    return !s->deaf;
}

static void
wake_worker(void *arg)
{
    ((struct side *)arg)->workers++;
}

static void
wake_assists(void *arg)
{
    ((struct side *)arg)->assists++;
}

static void
mark_done(void *arg)
{
    struct side *s = arg;

    assert_false(s->stopped);
    s->done++;
}

static void
request_gc(void *arg, struct gc_pcache *pc)
{
    (void)pc;
    ((struct side *)arg)->requests++;
}

static void
wake_sweeper(void *arg)
{
    ((struct side *)arg)->sweeps++;
}

static uint32_t
procs(void *arg)
{
    (void)arg;
    return PS;
}

static const struct gc_host host = {
    .stop_world = stop_world,
    .start_world = start_world,
    .mark_roots = mark_roots,
    .mark_begin = mark_begin,
    .mark_end = mark_end,
    .mark_root = mark_root,
    .flush_ps = flush_ps,
    .wake_worker = wake_worker,
    .wake_assists = wake_assists,
    .mark_done = mark_done,
    .request_gc = request_gc,
    .wake_sweeper = wake_sweeper,
    .procs = procs
};

static void
side_start(struct side *s, const struct gc_config *cfg)
{
    struct gc_config def = GC_CONFIG_DEFAULT;

    memset(s, 0, sizeof *s);
    def.verify = true;
    assert_int_equal(gc_heap_new(&s->h, cfg == NULL ? &def : cfg, &host, s,
        NULL, NULL, NULL), RT_OK);
    for (int i = 0; i < PS; i++)
        gc_pcache_init(s->h, &s->pc[i], NULL);
    for (int i = 0; i < PIECES; i++)
        s->order[i] = i;
}

static bool
stop_worker(void *arg)
{
    struct side *s = arg;

    return s->steps >= 0 && s->steps-- == 0;
}

static enum gc_worked
work(struct side *s, int steps)
{
    s->steps = steps;
    return gc_worker_run(s->h, &s->pc[0], GC_WORKER_DEDICATED, stop_worker,
        s);
}

static void
begin(struct side *s)
{
    uint64_t mark = 0;

    assert_true(gc_begin(s->h, &s->pc[0], GC_WHY_FORCED, &mark));
    assert_int_equal(mark, gc_cycles(s->h) + 1);
}

/* Lets everything be scanned and the mark end. */
static void
end(struct side *s)
{
    s->allowed = PIECES;
    for (int i = 0; work(s, -1) != GC_WORKED_DONE; i++)
        assert_true(i < 10);
}

static void
sweep(struct side *s)
{
    while (!gc_sweep_done(s->h))
        gc_sweep_some(s->h, &s->pc[0], 1);
}

static bool
alive(struct side *s, const void *p)
{
    struct gc_object o;

    return gc_find_object(s->h, p, &o);
}

static void
valid(struct side *s)
{
    struct rt_err e = { 0 };

    if (gc_verify(s->h, &e) != RT_OK)
        fail_msg("%s", e.text);
}

/* ---- phases ------------------------------------------------------------ */

static void
barriers_are_on_between_the_stops(void **state)
{
    struct side s;
    uint64_t mark;

    (void)state;
    side_start(&s, NULL);
    assert_int_equal(gc_phase(s.h), GC_OFF);
    begin(&s);
    assert_int_equal(s.stops, 1);
    assert_int_equal(gc_phase(s.h), GC_MARK);
    assert_true(s.workers > 0);
    for (int i = 0; i < PS; i++)
        assert_true(s.pc[i].barrier);
    assert_false(gc_begin(s.h, &s.pc[0], GC_WHY_FORCED, &mark));
    assert_false(gc_collect(s.h, &s.pc[0], GC_WHY_FORCED));
    /* Nobody ends a mark whose roots have not been scanned. */
    assert_int_equal(work(&s, -1), GC_WORKED_EMPTY);
    assert_int_equal(gc_phase(s.h), GC_MARK);
    assert_int_equal(gc_cycles(s.h), 0);
    end(&s);
    assert_int_equal(s.stops, 2);
    assert_int_equal(s.done, 1);
    assert_int_equal(gc_phase(s.h), GC_OFF);
    assert_int_equal(gc_cycles(s.h), 1);
    for (int i = 0; i < PS; i++)
        assert_false(s.pc[i].barrier);
    assert_int_equal(work(&s, -1), GC_WORKED_DONE);
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
    begin(&s);
    assert_int_equal(gc_begun(s.h), 1);
    void *late = gc_alloc(&s.pc[1], &lay_pair);
    s.allowed = 1;
    work(&s, 3);
    gc_finish_mark(s.h, &s.pc[0]);
    assert_int_equal(gc_phase(s.h), GC_OFF);
    assert_int_equal(gc_cycles(s.h), 1);
    assert_false(s.pc[1].barrier);
    sweep(&s);
    assert_true(alive(&s, kept) && alive(&s, inner) && alive(&s, late));
    assert_false(alive(&s, lost));
    gc_finish_mark(s.h, &s.pc[0]); /* nothing to do */
    assert_int_equal(gc_cycles(s.h), 1);
    assert_true(gc_collect(s.h, &s.pc[0], GC_WHY_FORCED));
    assert_int_equal(gc_begun(s.h), 2);
    assert_false(alive(&s, late));
    assert_true(alive(&s, inner));
    valid(&s);
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
    begin(&s);
    s.allowed = PIECES;
    int rounds = 0;
    while (work(&s, 2) != GC_WORKED_DONE) {
        assert_true(gc_work_available(s.h, &must));
        assert_true(++rounds < N);
    }
    assert_true(rounds > 10);
    assert_int_equal(s.stops, 2);
    sweep(&s);
    struct gc_memstats st;
    gc_read_memstats(s.h, &st);
    assert_int_equal(st.heap_objects, N);
    gc_heap_free(s.h);
}

/* ---- black allocation ----------------------------------------------------- */

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
    begin(&s);
    tiny = gc_alloc_noscan(&s.pc[1], 3);
    for (int i = 0; i < N; i++)
        small[i] = gc_alloc(&s.pc[1], i % 2 ? &lay_node : &lay_pair);
    large = gc_alloc_array(&s.pc[1], &lay_ptr, 100000);
    end(&s);
    assert_true(a64_load_rlx(&s.h->heap_marked) >=
        N / 2 * (32 + 16) + 800000);
    sweep(&s);
    valid(&s);
    for (int i = 0; i < N; i++)
        assert_true(alive(&s, small[i]));
    assert_true(alive(&s, large));
    assert_true(alive(&s, tiny));
    int n = 0;
    for (int i = 0; i < N; i++)
        n += alive(&s, old[i]);
    assert_int_equal(n, 0);
    gc_read_memstats(s.h, &st);
    assert_int_equal(st.heap_objects, N + 2);
    /* Slots that were black and have not been used are free again. */
    assert_int_equal(a64_load_rlx(&s.h->heap_live), st.heap_alloc);
    begin(&s);
    end(&s);
    sweep(&s);
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
    begin(&s);
    void *a = gc_alloc(&s.pc[1], &lay_node);
    gc_read_memstats(s.h, &st); /* flushes */
    assert_int_equal(st.heap_objects, 1);
    void *b = gc_alloc(&s.pc[2], &lay_node);
    end(&s);
    sweep(&s);
    valid(&s);
    assert_true(alive(&s, a) && alive(&s, b));
    gc_read_memstats(s.h, &st);
    assert_int_equal(st.heap_objects, 2);
    gc_heap_free(s.h);
}

/* ---- both halves of the barrier ---------------------------------------------- */

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
    begin(&s);
    s.allowed = 1;
    assert_int_equal(work(&s, -1), GC_WORKED_EMPTY);
    s.root[1][0] = holder[0]; /* a load: no barrier */
    gc_write_barrier(&s.pc[1], &holder[0], NULL);
    holder[0] = NULL;
    end(&s);
    sweep(&s);
    bool ok = alive(&s, x);
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
    begin(&s);
    s.allowed = 1;
    assert_int_equal(work(&s, -1), GC_WORKED_EMPTY);
    gc_write_barrier(&s.pc[1], &holder[0], x);
    holder[0] = x;
    s.root[1][0] = NULL;
    end(&s);
    sweep(&s);
    bool ok = alive(&s, x);
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
    begin(&s);
    s.allowed = 1;
    work(&s, -1);
    void **fresh = gc_alloc_array(&s.pc[1], &lay_ptr, 3);
    s.root[0][0] = fresh;
    gc_shade(&s.pc[1], x[0]);
    gc_shade_range(&s.pc[1], &lay_ptr, &x[1], 1);
    gc_shade_words(&s.pc[1], &x[2], 1);
    memcpy(fresh, x, sizeof x);
    memset(s.root[1], 0, sizeof s.root[1]);
    end(&s);
    sweep(&s);
    for (int i = 0; i < 3; i++)
        assert_true(alive(&s, x[i]));
    gc_heap_free(s.h);
}

/* ---- the end --------------------------------------------------------------------- */

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
    begin(&s);
    s.allowed = PIECES;
    s.root[1][0] = NULL;
    gc_shade(&s.pc[2], chain); /* only this P knows of it */
    s.deaf = true;
    assert_int_equal(work(&s, -1), GC_WORKED_WAIT);
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
    while (work(&s, -1) != GC_WORKED_DONE)
        assert_int_equal(gc_phase(s.h), GC_MARK);
    assert_int_equal(s.stops, 2); /* the flush has found it, no stop was
                                     in vain */
    sweep(&s);
    assert_true(alive(&s, last));
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
    bool ok = flush_ps(arg, pc, epoch);

    if (late) {
        late = false;
        gc_shade(&late_side->pc[2], late_what);
    }
    return ok;
}

static int
stops_with_late_chain(int n)
{
    struct gc_host h2 = host;
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
    begin(&s);
    late = true;
    late_side = &s;
    late_what = chain;
    end(&s);
    sweep(&s);
    assert_true(alive(&s, last));
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

/* ---- assists ---------------------------------------------------------------------- */

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
    begin(&s);
    s.allowed = PIECES;
    while (a32_load_rlx(&s.h->work_nfull) == 0)
        work(&s, 3);
    uint64_t scanned = a64_load_rlx(&s.h->pace.scanned);
    ai64_store_rlx(&s.h->pace.credit, 0);
    for (int i = 0; i < 20000; i++)
        gc_alloc(&s.pc[2], &lay_node);
    assert_true(a64_load_rlx(&s.h->pace.scanned) > scanned);
    assert_true(ai64_load_rlx(&s.h->spent.assist) > 0);
    end(&s);
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
    begin(&s);
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
    work(&s, 100);
    assert_true(s.assists > woken);
    assert_true(gc_assist_retry(s.h));
    end(&s);
    assert_true(gc_assist_retry(s.h));
    assert_true(gc_assist_safepoint(s.h, &s.pc[2]));
    gc_heap_free(s.h);
}

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
    begin(&s);
    for (int i = 0; i < 20000; i++)
        gc_alloc(&s.pc[2], &lay_node);
    assert_false(s.pc[2].assist_wait);
    end(&s);
    /* Then the program, for as long. */
    gc_limiter_update(s.h, now + 10 * (int64_t)1000000000);
    assert_int_equal(a32_load_rlx(&s.h->limiter.limiting), 0);
    gc_heap_free(s.h);
}

/* ---- pacing -------------------------------------------------------------------------- */

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
    begin(&s);
    end(&s);
    sweep(&s);
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
    begin(&s);
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
    end(&s);
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
    begin(&s);
    assert_true(gc_pacer_valid(s.h));
    ai64_store_rlx(&s.h->pace.credit,
        (int64_t)a64_load_rlx(&s.h->pace.scanned) + 1);
    assert_false(gc_pacer_valid(s.h));
    a64_add_rlx(&s.h->pace.scanned, 1);
    assert_true(gc_pacer_valid(s.h));
    ai64_store_rlx(&s.h->pace.credit, -100);
    assert_true(gc_pacer_valid(s.h));
    end(&s);
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
    begin(&s);
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
    end(&s);
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
    begin(&s);
    end(&s);
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

/* ---- finalizers -------------------------------------------------------------------------- */

static void
a_finalizer_keeps_what_its_object_needs(void **state)
{
    struct side s;
    struct gc_finalizer x;
    void *obj[2], *inner[2];

    (void)state;
    side_start(&s, NULL);
    for (int i = 0; i < 2; i++) {
        obj[i] = gc_alloc(&s.pc[1], &lay_ptr);
        inner[i] = gc_alloc(&s.pc[1], &lay_ptr);
        *(void **)obj[i] = inner[i];
    }
    assert_int_equal(gc_set_finalizer(&s.pc[1], obj[0], NULL, NULL), RT_OK);
    s.root[1][0] = obj[1];
    begin(&s);
    s.allowed = 1;
    work(&s, -1); /* specials have been marked by now */
    assert_int_equal(gc_set_finalizer(&s.pc[1], obj[1], NULL, NULL), RT_OK);
    s.root[1][0] = NULL;
    end(&s);
    sweep(&s);
    for (int i = 0; i < 2; i++) {
        assert_true(alive(&s, obj[i]));
        assert_true(alive(&s, inner[i]));
    }
    int n = 0;
    while (gc_finalizer_next(s.h, &s.pc[1], &x))
        n++;
    assert_int_equal(n, 2);
    /* Nobody has kept them: now they die. */
    begin(&s);
    end(&s);
    sweep(&s);
    for (int i = 0; i < 2; i++)
        assert_false(alive(&s, inner[i]));
    gc_heap_free(s.h);
}

/* One that is handed out while a mark runs goes from a root that has not been
 * scanned to a place that has been. */
static void
handing_out_a_finalizer_shades(void **state)
{
    struct side s;
    struct gc_finalizer x = { 0 };

    (void)state;
    side_start(&s, NULL);
    void **obj = gc_alloc(&s.pc[1], &lay_ptr);
    void *inner = obj[0] = gc_alloc(&s.pc[1], &lay_ptr);
    assert_int_equal(gc_set_finalizer(&s.pc[1], obj, NULL, NULL), RT_OK);
    begin(&s);
    end(&s);
    sweep(&s);
    begin(&s);
    assert_true(gc_finalizer_next(s.h, &s.pc[1], &x));
    assert_ptr_equal(x.obj, obj);
    end(&s);
    sweep(&s);
    assert_true(alive(&s, obj) && alive(&s, inner));
    gc_heap_free(s.h);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(barriers_are_on_between_the_stops),
        cmocka_unit_test(a_mark_that_nobody_ends_is_finished),
        cmocka_unit_test(a_worker_stops_when_told_and_loses_nothing),
        cmocka_unit_test(what_is_born_while_marking_lives_a_cycle),
        cmocka_unit_test(windows_come_back_while_marking),
        cmocka_unit_test(the_old_value_must_be_shaded),
        cmocka_unit_test(the_new_value_must_be_shaded),
        cmocka_unit_test(initialising_stores_shade),
        cmocka_unit_test(greys_of_other_ps_hold_up_the_end),
        cmocka_unit_test(late_greys_are_found_in_the_second_stop),
        cmocka_unit_test(allocation_pays_by_marking),
        cmocka_unit_test(credit_is_spent_first),
        cmocka_unit_test(no_assists_while_the_limiter_limits),
        cmocka_unit_test(a_quarter_of_the_processors_marks),
        cmocka_unit_test(the_trigger_is_below_the_goal),
        cmocka_unit_test(the_price_rises_as_the_room_shrinks),
        cmocka_unit_test(credit_is_for_work),
        cmocka_unit_test(the_price_pays_for_all),
        cmocka_unit_test(sweeping_keeps_pace_with_allocation),
        cmocka_unit_test(a_finalizer_keeps_what_its_object_needs),
        cmocka_unit_test(handing_out_a_finalizer_shades)
    };

    return cmocka_run_group_tests_name("gc/concur", tests, NULL, NULL);
}
