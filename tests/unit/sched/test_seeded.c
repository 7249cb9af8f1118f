/* SPDX-License-Identifier: MIT */
/* Goroutines that run by a plan. */
#include "tests/unit/sched/fake.h"

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sched/sched_int.h"
#include "sched/seed_int.h"

enum { SEEDS = 20, POINTS = 100 };

/* Runs fn by a plan; w stays open. */
static struct seed_result
run(struct world *w, struct seed *d, const struct seed_plan *plan,
    const struct seed_rules *rules, co_fn fn)
{
    struct seed_result r;

    seed_begin(d, plan, rules);
    world_open_as(w, &(struct sched_config){.seed = d});
    world_go(w, fn);
    seed_result(d, &r);
    return r;
}

static struct seed *
new_seed(void)
{
    struct seed *d = seed_new();

    assert_non_null(d);
    return d;
}

/* Where goroutines can go on, the clock is chosen now and then only; where
 * none can, always. */
static void
the_clock_is_seldom_chosen(void **state)
{
    enum { N = 20000 };
    struct seed *d = new_seed();
    struct seed_rules rules = {0};
    struct seed_plan plan = {.seed = 3, .kind = SEED_RANDOM};
    struct seed_cands c = {.clock = true};

    (void)state;
    seed_begin(d, &plan, &rules);
    for (c.n = 1; c.n <= 5; c.n++) {
        uint32_t clock = 0;

        for (unsigned i = 0; i < N; i++) {
            uint32_t rank = strategy_pick(d, &c);

            assert_true(rank < c.n);
            clock += rank == c.n - 1;
        }
        if (c.n == 1)
            assert_int_equal(clock, N);
        else
            assert_true(clock > N / SEED_EARLY / 2 &&
                clock < 2 * N / SEED_EARLY);
    }
    seed_free(d);
}

/* ---- what a strategy draws at the beginning --------------------------------------- */

/* With a depth of n there are n - 1 steps at which the one that runs falls
 * below all others; other strategies draw nothing yet. */
static void
only_pct_has_steps_of_change(void **state)
{
    static const enum seed_kind kinds[] = {SEED_RANDOM, SEED_POS, SEED_PCT};
    struct seed *d = new_seed();
    struct seed_rules rules = {0};

    (void)state;
    for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++)
        for (uint32_t depth = 1; depth <= 5; depth++) {
            struct seed_plan plan = {.seed = depth, .kind = kinds[i],
                .depth = depth, .steps = 50};
            struct rt_rand fresh;
            uint32_t changes = kinds[i] == SEED_PCT ? depth - 1 : 0;

            seed_begin(d, &plan, &rules);
            memset(d->change, 0, sizeof d->change);
            strategy_begin(d);
            rt_stream_init(&fresh, depth, RT_STREAM_DECISIONS);
            for (uint32_t k = 0; k < 5; k++) {
                if (k < changes)
                    rt_rand_u64(&fresh);
                assert_int_equal(d->change[k] >= 1 && d->change[k] <= 51,
                    k < changes);
                assert_true(k < changes || d->change[k] == 0);
            }
            assert_int_equal(rt_rand_u64(&d->pick), rt_rand_u64(&fresh));
        }
    seed_free(d);
}

/* ---- what the program is told --------------------------------------------------- */

static enum sched_run
asks_for_cpus(struct co *c)
{
    CO_BEGIN;
    a64_store_rlx(&c->w->count[0], sched_cpus(c->w->s));
    CO_END;
}

static void
cpus_do_not_depend_on_the_machine(void **state)
{
    struct seed *d = new_seed();
    struct seed_plan plan = {.seed = 1};
    struct seed_rules rules = {0};
    struct world w;

    (void)state;
    run(&w, d, &plan, &rules, asks_for_cpus);
    assert_int_equal(a64_load_rlx(&w.count[0]), 8);
    world_close(&w);
    assert_int_equal(world_run(&w, 1, asks_for_cpus), 0);
    assert_int_equal(a64_load_rlx(&w.count[0]), sched_num_cpu());
    seed_free(d);
}

/* ---- timers that come early ------------------------------------------------------ */

/* For v[0] ns, while the others need some microseconds. */
static enum sched_run
sleeper(struct co *c)
{
    CO_BEGIN;
    CO_WAIT(timer_sleep(c->m, c->v[0].i));
    a64_add_full(&c->w->count[0], 1);
    CO_END;
}

/* v[0] points. */
static enum sched_run
worker(struct co *c)
{
    CO_BEGIN;
    for (c->i = 0; c->i < c->v[0].i; c->i++)
        CO_POINT(1);
    a64_add_full(&c->w->count[1], 1);
    CO_END;
}

/* Ends when somebody sleeps and two workers have ended. */
static enum sched_run
beside_a_sleeper(struct co *c, int64_t ns, int64_t points)
{
    CO_BEGIN;
    co_go(c, sleeper, ns, 0, NULL, NULL);
    co_go(c, worker, points, 0, NULL, NULL);
    co_go(c, worker, points, 0, NULL, NULL);
    while (a64_load_rlx(&c->w->count[1]) < 2)
        CO_POINT(2);
    CO_END;
}

static enum sched_run
beside_half_a_second(struct co *c)
{
    return beside_a_sleeper(c, INT64_C(500000000), POINTS);
}

static enum sched_run
beside_an_hour(struct co *c)
{
    return beside_a_sleeper(c, INT64_C(3600000000000), POINTS);
}

/* At the least 6,000 points. */
static enum sched_run
long_beside_half_a_second(struct co *c)
{
    return beside_a_sleeper(c, INT64_C(500000000), 3000);
}

static enum sched_run
long_beside_five_seconds(struct co *c)
{
    return beside_a_sleeper(c, INT64_C(5000000000), 3000);
}

/* 30,000 points and more. */
static enum sched_run
longer_beside_five_seconds(struct co *c)
{
    return beside_a_sleeper(c, INT64_C(5000000000), 15000);
}

/* And 25,000 before he sleeps. */
static enum sched_run
long_before_five_seconds(struct co *c)
{
    CO_BEGIN;
    for (c->i = 0; c->i < 25000; c->i++)
        CO_POINT(3);
    co_go(c, sleeper, INT64_C(5000000000), 0, NULL, NULL);
    co_go(c, worker, 3000, 0, NULL, NULL);
    while (a64_load_rlx(&c->w->count[1]) < 1)
        CO_POINT(2);
    CO_END;
}

/* How many of some seeds wake the sleeper. */
static unsigned
woken(struct seed *d, bool early, co_fn fn)
{
    struct seed_rules rules = {0};
    struct world w;
    unsigned n = 0;

    for (unsigned i = 0; i < SEEDS; i++) {
        struct seed_plan plan = {.seed = i, .early = early};
        struct seed_result r = run(&w, d, &plan, &rules, fn);

        assert_int_equal(r.end, SEED_END_NORMAL);
        n += a64_load_rlx(&w.count[0]) > 0;
        world_close(&w);
    }
    return n;
}

static void
timers_come_early_by_plan_only(void **state)
{
    struct seed *d = new_seed();

    (void)state;
    assert_int_equal(woken(d, false, beside_half_a_second), 0);
    assert_true(woken(d, true, beside_half_a_second) > 0);
    seed_free(d);
}

/* No machine is busy for an hour. */
static void
timers_come_a_second_early_at_most(void **state)
{
    struct seed *d = new_seed();

    (void)state;
    assert_int_equal(woken(d, true, beside_an_hour), 0);
    seed_free(d);
}

/* While others go on and on, a timer's turn comes after 4,000 points for each
 * second that it is away. */
static void
far_timers_wait_longer(void **state)
{
    struct seed *d = new_seed();

    (void)state;
    assert_int_equal(woken(d, false, long_beside_half_a_second), SEEDS);
    assert_int_equal(woken(d, false, long_beside_five_seconds), 0);
    assert_int_equal(woken(d, false, long_before_five_seconds), 0);
    assert_int_equal(woken(d, false, longer_beside_five_seconds), SEEDS);
    seed_free(d);
}

/* ---- what is left behind --------------------------------------------------------- */

static enum sched_run
waits(struct co *c)
{
    CO_BEGIN;
    CO_RECV(c->v[2].p, &c->v[4]);
    CO_END;
}

/* One that has ended, one that will wake up, and v[0] that will not. */
static enum sched_run
leaves_some(struct co *c)
{
    CO_BEGIN;
    c->v[2].p = co_chan(c, 0);
    co_go(c, worker, 0, 0, NULL, NULL);
    while (a64_load_rlx(&c->w->count[1]) < 1)
        CO_POINT(1);
    co_go(c, sleeper, 0, 0, NULL, NULL);
    for (c->i = 0; c->i < (int64_t)a64_load_rlx(&c->w->count[2]);
        c->i++)
        co_go(c, waits, 0, 0, c->v[2].p, NULL);
    CO_END;
}

static enum sched_run
leaves_one(struct co *c)
{
    a64_store_rlx(&c->w->count[2], 1);
    return leaves_some(c);
}

static void
sleepers_are_not_left_behind(void **state)
{
    struct seed *d = new_seed();
    struct seed_plan plan = {.seed = 3};
    struct seed_rules rules = {.leaks = true};
    struct world w;

    (void)state;
    assert_int_equal(
        run(&w, d, &plan, &rules, leaves_some).end, SEED_END_NORMAL);
    assert_int_equal(a32_load_rlx(&w.fatals), 0);
    world_close(&w);
    assert_int_equal(
        run(&w, d, &plan, &rules, leaves_one).end, SEED_END_LEAK);
    assert_int_equal(a32_load_rlx(&w.fatals), 1);
    world_close(&w);
    seed_free(d);
}

/* ---- other threads ---------------------------------------------------------------- */

static void *
wakes_sweeper(void *arg)
{
    sched_gc_wake_sweeper(((struct world *)arg)->s);
    return NULL;
}

static void
find_sweeper(void *arg, struct sched_g *g)
{
    *(bool *)arg |= g->native != NULL;
}

/* What a thread without a P asks for is done by the only one that has one. */
static enum sched_run
is_asked(struct co *c)
{
    pthread_t t;
    bool found = false;

    CO_BEGIN;
    rt_check(pthread_create(&t, NULL, wakes_sweeper, c->w) == 0, "thread");
    pthread_join(t, NULL);
    for (c->i = 0; c->i < 3; c->i++)
        CO_YIELD();
    sched_each_g(c->w->s, find_sweeper, &found);
    rt_check(found, "a sweeper");
    rt_check(a32_load_acq(&c->w->s->bg_asked) == 0, "asked for once");
    CO_END;
}

static void
other_threads_are_served(void **state)
{
    struct seed *d = new_seed();
    struct seed_plan plan = {.seed = 5};
    struct seed_rules rules = {0};
    struct world w;

    (void)state;
    assert_int_equal(run(&w, d, &plan, &rules, is_asked).status, 0);
    world_close(&w);
    seed_free(d);
}

/* ---- descriptors ------------------------------------------------------------------ */

enum { READERS = 40 };

/* In front of a read that may have to wait. */
#define CO_READABLE(fd)                                 \
    do {                                                \
        c->pc = __LINE__;                               \
        __attribute__((fallthrough));                   \
    case __LINE__:                                      \
        if (seed_wait_fd(c->m, (fd), SEED_FD_READ))     \
            return SCHED_RUN_YIELD;                     \
    } while (0)

/* v[0]: what to read from, a pipe of the process's own. */
static enum sched_run
reader(struct co *c)
{
    char byte;

    CO_BEGIN;
    CO_READABLE((int)c->v[0].i);
    rt_check(read((int)c->v[0].i, &byte, 1) == 1, "a byte");
    a64_add_full(&c->w->count[0], 1);
    CO_END;
}

static enum sched_run
feeder(struct co *c)
{
    static const char bytes[READERS];
    int fds[2];

    CO_BEGIN;
    rt_check(pipe(fds) == 0, "pipe");
    c->v[2].i = fds[0];
    c->v[3].i = fds[1];
    for (c->i = 0; c->i < READERS; c->i++)
        co_go(c, reader, c->v[2].i, 0, NULL, NULL);
    while (c->w->s->seed->fds.n < READERS)
        CO_YIELD();
    rt_check(a64_load_rlx(&c->w->count[0]) == 0, "nothing to read");
    rt_check(write((int)c->v[3].i, bytes, READERS) == READERS, "write");
    while (a64_load_rlx(&c->w->count[0]) < READERS)
        CO_POINT(1);
    close((int)c->v[2].i);
    close((int)c->v[3].i);
    CO_END;
}

/* As many as want to may wait for descriptors. */
static void
many_wait_for_a_pipe(void **state)
{
    struct seed *d = new_seed();
    struct seed_plan plan = {.seed = 6};
    struct seed_rules rules = {0};
    struct world w;

    (void)state;
    assert_int_equal(run(&w, d, &plan, &rules, feeder).status, 0);
    assert_int_equal(a64_load_rlx(&w.count[0]), READERS);
    world_close(&w);
    seed_free(d);
}

/* In front of what waits for the end of a process. */
#define CO_ENDED(pid)                                       \
    do {                                                    \
        c->pc = __LINE__;                                   \
        __attribute__((fallthrough));                       \
    case __LINE__:                                          \
        if (seed_wait_process(c->m, (pid), false))          \
            return SCHED_RUN_YIELD;                         \
    } while (0)

/* Who has come to his end as the how manieth: count[0] is the number of those
 * who have. */
enum { BUSY = 1, HEARER, WAITER };

static void
arrive(struct co *c, unsigned who)
{
    a64_add_full(&c->w->count[0], 1);
    a64_store_rlx(&c->w->count[who], a64_load_rlx(&c->w->count[0]));
}

static enum sched_run
busy(struct co *c)
{
    CO_BEGIN;
    for (c->i = 0; c->i < POINTS; c->i++)
        CO_POINT(1);
    arrive(c, BUSY);
    CO_DONE();
    CO_END;
}

static enum sched_run
hearer(struct co *c)
{
    char byte;

    CO_BEGIN;
    CO_READABLE((int)c->v[0].i);
    rt_check(read((int)c->v[0].i, &byte, 1) == 1, "a byte");
    arrive(c, HEARER);
    CO_DONE();
    CO_END;
}

static enum sched_run
waiter(struct co *c)
{
    CO_BEGIN;
    CO_ENDED((pid_t)c->v[0].i);
    rt_check(waitpid((pid_t)c->v[0].i, NULL, WNOHANG) > 0, "it has ended");
    arrive(c, WAITER);
    CO_DONE();
    CO_END;
}

/* A process that has written a byte to a pipe and has ended: its number. */
static pid_t
ended_child(int *pipe_end)
{
    int fds[2];
    siginfo_t info;
    pid_t pid;

    rt_check(pipe(fds) == 0, "pipe");
    pid = fork();
    if (pid == 0)
        _exit(write(fds[1], "x", 1) != 1);
    rt_check(pid > 0 && close(fds[1]) == 0 &&
        waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT) == 0, "a child");
    *pipe_end = fds[0];
    return pid;
}

static enum sched_run
parent(struct co *c)
{
    int fd;

    CO_BEGIN;
    c->w->root[0] = co_chan(c, 3);
    c->v[2].i = ended_child(&fd);
    c->v[3].i = fd;
    co_go(c, waiter, c->v[2].i, 0, NULL, NULL);
    co_go(c, hearer, c->v[3].i, 0, NULL, NULL);
    co_go(c, busy, 0, 0, NULL, NULL);
    CO_WAIT_ALL(3);
    close((int)c->v[3].i);
    CO_END;
}

/* What another process has done is known when nobody else can go on, however
 * long ago it was; and that it has ended comes last. */
static void
what_is_outside_comes_last(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < SEEDS; i++) {
        struct seed *d = new_seed();
        struct seed_plan plan = {
            .seed = i, .kind = i % 2 == 0 ? SEED_RANDOM : SEED_POS};
        struct seed_rules rules = {0};
        struct world w;

        assert_int_equal(run(&w, d, &plan, &rules, parent).status, 0);
        for (uint64_t who = BUSY; who <= WAITER; who++)
            assert_int_equal(a64_load_rlx(&w.count[who]), who);
        assert_int_equal(d->noutside, 0);
        world_close(&w);
        seed_free(d);
    }
}

/* ---- what who watches is told -------------------------------------------------------- */

/* The decisions that turns were told to come from, by their numbers. */
static struct {
    const struct seed *d;
    uint32_t next; /* one more than the last one's */
    unsigned by_choice, without;
} told;

static void
tell_point(void *arg, struct sched_g *g)
{
    (void)arg;
    (void)g;
}

static void
tell_turn(void *arg, struct sched_g *prev, struct sched_g *next,
    const struct seed_rec *rec)
{
    (void)arg;
    (void)prev;
    (void)next;
    if (rec == NULL) {
        told.without++;
        return;
    }
    uint32_t i = (uint32_t)(rec - told.d->recs);
    rt_check(i < told.d->nrecs && i >= told.next, "a new one");
    told.next = i + 1;
    told.by_choice++;
}

static void
tell_early(void *arg)
{
    (void)arg;
}

static void
tell_end(void *arg, enum seed_end e, int status)
{
    (void)arg;
    (void)e;
    (void)status;
}

static enum sched_run
passes_points(struct co *c)
{
    CO_BEGIN;
    for (c->i = 0; c->i < 10; c->i++)
        CO_POINT(1);
    CO_DONE();
    CO_END;
}

/* Alone at last, and then there is no choice. */
static enum sched_run
starts_some(struct co *c)
{
    CO_BEGIN;
    c->w->root[0] = co_chan(c, 0);
    for (c->i = 0; c->i < 3; c->i++)
        co_go(c, passes_points, 0, 0, NULL, NULL);
    CO_WAIT_ALL(3);
    co_go(c, passes_points, 0, 0, NULL, NULL);
    CO_WAIT_ALL(1);
    CO_END;
}

/* A turn comes from the decision that was taken for it, if there was one, not
 * from one before. */
static void
each_decision_is_told_once(void **state)
{
    static const struct seed_watch watch = {.point = tell_point,
        .turn = tell_turn, .early = tell_early, .end = tell_end};
    struct seed *d = new_seed();
    struct seed_rules rules = {.watch = &watch};
    struct world w;

    (void)state;
    told.d = d;
    told.by_choice = told.without = 0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct seed_plan plan = {.seed = seed};

        told.next = 0;
        assert_int_equal(run(&w, d, &plan, &rules, starts_some).status, 0);
        world_close(&w);
    }
    assert_true(told.by_choice > SEEDS);
    assert_true(told.without > SEEDS);
    seed_free(d);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_clock_is_seldom_chosen),
        cmocka_unit_test(only_pct_has_steps_of_change),
        cmocka_unit_test(cpus_do_not_depend_on_the_machine),
        cmocka_unit_test(timers_come_early_by_plan_only),
        cmocka_unit_test(timers_come_a_second_early_at_most),
        cmocka_unit_test(far_timers_wait_longer),
        cmocka_unit_test(sleepers_are_not_left_behind),
        cmocka_unit_test(other_threads_are_served),
        cmocka_unit_test(many_wait_for_a_pipe),
        cmocka_unit_test(what_is_outside_comes_last),
        cmocka_unit_test(each_decision_is_told_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
