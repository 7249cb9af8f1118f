/* SPDX-License-Identifier: MIT */
/*
 * Many goroutines at once on 1, 2 and 8 Ps; what they count must come out
 * even.  Meant for the sanitizers too: plain fields of struct world are
 * guarded by nothing but the synchronisation under test.
 */
#include "tests/unit/sched/fake.h"

#include <unistd.h>

#include "sched/sched_int.h"

/* ---- selects that send and receive on the same channels ----------------- */

enum { STORM = 12, STORM_EACH = 400 };

static void
three(struct co *c, bool send)
{
    for (int i = 0; i < 3; i++)
        c->cases[i] = (struct chan_case){c->w->root[1 + i], &c->v[4], send};
}

static enum sched_run
storm_send(struct co *c)
{
    CO_BEGIN;
    for (c->i = 0; c->i < STORM_EACH; c->i++) {
        c->v[4].i = c->v[0].i * STORM_EACH + c->i;
        three(c, true);
        CO_WAIT(chan_select(c->m, c->cases, 3, false) == CHAN_PARK);
        co_count(c, 0, (uint64_t)c->v[4].i);
        CO_LOOP();
    }
    CO_DONE();
    CO_END;
}

static enum sched_run
storm_recv(struct co *c)
{
    CO_BEGIN;
    for (;;) {
        three(c, false);
        CO_WAIT(chan_select(c->m, c->cases, 3, false) == CHAN_PARK);
        if (!c->g->wake_ok)
            break;
        co_count(c, 1, (uint64_t)c->v[4].i);
        co_count(c, 2, 1);
        CO_LOOP();
    }
    CO_DONE();
    CO_END;
}

static enum sched_run
storm(struct co *c)
{
    CO_BEGIN;
    c->w->root[0] = co_chan(c, 0);
    c->w->root[1] = co_chan(c, 0);
    c->w->root[2] = co_chan(c, 1);
    c->w->root[3] = co_chan(c, 7);
    for (c->i = 0; c->i < STORM; c->i++) {
        co_go(c, storm_send, c->i, 0, NULL, NULL);
        co_go(c, storm_recv, 0, 0, NULL, NULL);
    }
    CO_WAIT_ALL(STORM);
    /* Buffered values are received before the end is seen only on their own
     * channel, so that one must be emptied first. */
    while (chan_len(c->w->root[2]) + chan_len(c->w->root[3]) > 0)
        CO_YIELD();
    for (c->i = 1; c->i <= 3; c->i++)
        rt_check(chan_close(c->m, c->w->root[c->i]) == CHAN_DONE, "close");
    CO_WAIT_ALL(STORM);
    CO_END;
}

static void
test_select_storm(void **state)
{
    struct world w;

    (void)state;
    FOR_PROCS(p) {
        assert_int_equal(world_run(&w, p, storm), 0);
        assert_int_equal(world_count(&w, 0), world_count(&w, 1));
        assert_int_equal(world_count(&w, 2), STORM * STORM_EACH);
    }
}

/* ---- closing under waiters ---------------------------------------------- */

enum { CLOSERS = 60, WAITERS = 9 };

/* True when the goroutine has parked; else the channel was closed already. */
static bool
send_to_closing(struct co *c)
{
    enum chan_status st = chan_send(c->m, c->v[3].p, &c->v[4]);

    rt_check(st == CHAN_PARK || st == CHAN_CLOSED, "nobody receives");
    return st == CHAN_PARK;
}

static enum sched_run
close_waiter(struct co *c)
{
    CO_BEGIN;
    c->v[4].i = 77;
    if (c->v[0].i % 3 == 0) {
        CO_RECV(c->v[2].p, &c->v[4]);
        rt_check(!c->g->wake_ok && c->v[4].i == 0, "receive of closed");
    } else if (c->v[0].i % 3 == 1) {
        c->cases[0] = (struct chan_case){c->v[2].p, &c->v[4], false};
        c->cases[1] = (struct chan_case){c->v[2].p, &c->v[4], false};
        c->cases[2] = (struct chan_case){NULL, NULL, true};
        CO_WAIT(chan_select(c->m, c->cases, 3, false) == CHAN_PARK);
        rt_check(c->g->sel_index >= 0 && c->g->sel_index < 2 &&
            !c->g->wake_ok && c->v[4].i == 0, "select of closed");
    } else {
        CO_WAIT(send_to_closing(c));
        c->g->wake_panic = false;
    }
    CO_DONE();
    CO_END;
}

static enum sched_run
close_one(struct co *c)
{
    CO_BEGIN;
    CO_YIELD();
    rt_check(chan_close(c->m, c->v[2].p) == CHAN_DONE, "close");
    rt_check(chan_close(c->m, c->v[2].p) == CHAN_CLOSED, "close twice");
    CO_END;
}

static enum sched_run
closing(struct co *c)
{
    CO_BEGIN;
    c->w->root[0] = co_chan(c, 0);
    for (c->n = 0; c->n < CLOSERS; c->n++) {
        c->v[2].p = co_chan(c, 0);
        c->v[3].p = co_chan(c, 0);
        for (c->i = 0; c->i < WAITERS; c->i++)
            co_go(c, close_waiter, c->i, 0, c->v[2].p, c->v[3].p);
        co_go(c, close_one, 0, 0, c->v[2].p, NULL);
        co_go(c, close_one, 0, 0, c->v[3].p, NULL);
        CO_WAIT_ALL(WAITERS);
    }
    CO_END;
}

static enum sched_run
closed_select(struct co *c)
{
    CO_BEGIN;
    c->v[2].p = co_chan(c, 1);
    rt_check(chan_close(c->m, c->v[2].p) == CHAN_DONE, "close");
    c->cases[0] = (struct chan_case){NULL, NULL, false};
    c->cases[1] = (struct chan_case){c->v[2].p, &c->v[4], true};
    rt_check(chan_select(c->m, c->cases, 2, true) == CHAN_CLOSED, "closed");
    rt_check(c->g->sel_index == 1, "index");
    c->cases[1].send = false;
    c->v[4].i = 5;
    rt_check(chan_select(c->m, c->cases, 2, true) == CHAN_DONE, "receive");
    rt_check(c->g->sel_index == 1 && !c->g->wake_ok && c->v[4].i == 0, "end");
    rt_check(chan_close(c->m, NULL) == CHAN_NIL, "close nil");
    rt_check(chan_len(NULL) == 0 && chan_cap(NULL) == 0, "nil");
    CO_END;
}

static void
test_close(void **state)
{
    struct world w;

    (void)state;
    FOR_PROCS(p) {
        assert_int_equal(world_run(&w, p, closing), 0);
        assert_int_equal(world_run(&w, p, closed_select), 0);
    }
}

/* ---- semaphores and notify lists ---------------------------------------- */

enum { LOCKERS = 16, LOCKS = 300 };

static uint64_t guarded; /* by word[0] */

static enum sched_run
locker(struct co *c)
{
    CO_BEGIN;
    for (c->i = 0; c->i < LOCKS; c->i++) {
        CO_WAIT(!sema_acquire(c->m, &c->w->word[0], c->i % 3 == 0,
            WAIT_MUTEX_LOCK));
        guarded++;
        if (c->i % 5 == 0)
            CO_YIELD();
        guarded++;
        sema_release(c->m, &c->w->word[0], c->i % 7 == 0);
        if (c->i % 7 == 0)
            CO_YIELD();
        CO_LOOP();
    }
    CO_DONE();
    CO_END;
}

static enum sched_run
locking(struct co *c)
{
    CO_BEGIN;
    c->w->root[0] = co_chan(c, 0);
    a32_store_rlx(&c->w->word[0], 1);
    for (c->i = 0; c->i < LOCKERS; c->i++)
        co_go(c, locker, c->i, 0, NULL, NULL);
    CO_WAIT_ALL(LOCKERS);
    rt_check(a32_load_acq(&c->w->word[0]) == 1, "the token is back");
    CO_END;
}

static struct sema_notify note;
static uint64_t turn; /* guarded by word[0] */

/* Waits for its turn as users of sync.Cond do. */
static enum sched_run
cond_waiter(struct co *c)
{
    CO_BEGIN;
    CO_WAIT(!sema_acquire(c->m, &c->w->word[0], false, WAIT_MUTEX_LOCK));
    while (turn != c->v[0].u) {
        c->n = notify_add(&note);
        sema_release(c->m, &c->w->word[0], false);
        CO_WAIT(!notify_wait(c->m, &note, (uint32_t)c->n));
        CO_WAIT(!sema_acquire(c->m, &c->w->word[0], false, WAIT_MUTEX_LOCK));
    }
    turn++;
    sema_release(c->m, &c->w->word[0], false);
    notify_all(c->m, &note);
    CO_DONE();
    CO_END;
}

static enum sched_run
conds(struct co *c)
{
    CO_BEGIN;
    c->w->root[0] = co_chan(c, 0);
    memset(&note, 0, sizeof note);
    turn = 0;
    a32_store_rlx(&c->w->word[0], 1);
    for (c->i = 39; c->i >= 0; c->i--)
        co_go(c, cond_waiter, c->i, 0, NULL, NULL);
    CO_WAIT_ALL(40);
    CO_END;
}

/* As many single notifications as waiters. */
static enum sched_run
one_waiter(struct co *c)
{
    CO_BEGIN;
    c->n = notify_add(&note);
    co_count(c, 0, 1);
    CO_YIELD();
    CO_WAIT(!notify_wait(c->m, &note, (uint32_t)c->n));
    CO_DONE();
    CO_END;
}

static enum sched_run
ones(struct co *c)
{
    CO_BEGIN;
    c->w->root[0] = co_chan(c, 50);
    memset(&note, 0, sizeof note);
    for (c->i = 0; c->i < 50; c->i++)
        co_go(c, one_waiter, 0, 0, NULL, NULL);
    while (world_count(c->w, 0) < 50)
        CO_YIELD();
    for (c->i = 0; c->i < 50; c->i++) {
        notify_one(c->m, &note);
        CO_RECV(c->w->root[0], &c->v[4]);
        rt_check(chan_len(c->w->root[0]) == 0, "one at a time");
    }
    CO_END;
}

static void
test_sema(void **state)
{
    struct world w;

    (void)state;
    FOR_PROCS(p) {
        guarded = 0;
        assert_int_equal(world_run(&w, p, locking), 0);
        assert_int_equal(guarded, 2 * LOCKERS * LOCKS);
        assert_int_equal(world_run(&w, p, conds), 0);
        assert_int_equal(world_run(&w, p, ones), 0);
    }
}

/* ---- timers ------------------------------------------------------------- */

enum { TIMERS = 400 };

static void
timer_start(struct sched_m *m, struct sched_timer *t)
{
    uint64_t when = t->when; /* it may be gone when it has been set */

    if (timer_set(m, t, when))
        timer_kick(m->sched, when);
}

static void
count_fire(struct sched_m *m, struct sched_timer *t, uint64_t now)
{
    struct world *w = (struct world *)(uintptr_t)t->arg;

    (void)m;
    rt_check(now >= t->when, "fired too early");
    a64_add_full(&w->count[0], 1);
    free(t);
}

/* count 0: fired, 1: stopped, 2: started */
static enum sched_run
timer_user(struct co *c)
{
    CO_BEGIN;
    c->k = c->v[0].i;
    for (c->i = 0; c->i < TIMERS; c->i++) {
        struct sched_timer *t = calloc(1, sizeof *t);

        t->when = sched_now(c->w->s) + (uint64_t)co_random(c, 2000000);
        t->fire = count_fire;
        t->arg = (uint64_t)(uintptr_t)c->w;
        /* One in two is meant to be stopped: far away, so that it is still
         * there. */
        if (c->i % 2 == 0) {
            t->when += 3600000000000u;
            co_count(c, 2, 1);
            timer_start(c->m, t);
            rt_check(timer_stop(c->m, t), "stopped");
            rt_check(!timer_stop(c->m, t), "stopped twice");
            co_count(c, 1, 1);
            free(t);
        } else {
            co_count(c, 2, 1);
            timer_start(c->m, t);
        }
        if (co_random(c, 4) == 0)
            CO_WAIT(timer_sleep(c->m, co_random(c, 100000)));
        CO_LOOP();
    }
    CO_DONE();
    CO_END;
}

static enum sched_run
timing(struct co *c)
{
    CO_BEGIN;
    c->w->root[0] = co_chan(c, 0);
    for (c->i = 0; c->i < 5; c->i++)
        co_go(c, timer_user, c->i, 0, NULL, NULL);
    CO_WAIT_ALL(5);
    while (world_count(c->w, 0) + world_count(c->w, 1) < world_count(c->w, 2))
        CO_WAIT(timer_sleep(c->m, 100000));
    CO_END;
}

static void
never(struct sched_m *m, struct sched_timer *t, uint64_t now)
{
    (void)m;
    (void)t;
    (void)now;
    rt_throw("fired after an hour");
}

/* The sleeper must notice that its timer is gone. */
static enum sched_run
stopped_deadlock(struct co *c)
{
    static struct sched_timer timer;

    CO_BEGIN;
    timer = (struct sched_timer){
        .when = sched_now(c->w->s) + 3600000000000u, .fire = never};
    timer_start(c->m, &timer);
    CO_WAIT(timer_sleep(c->m, 1000000));
    rt_check(timer_stop(c->m, &timer), "stop");
    CO_WAIT(chan_recv(c->m, NULL, NULL) == CHAN_PARK);
    CO_END;
}

static void
test_timers(void **state)
{
    struct world w;

    (void)state;
    FOR_PROCS(p) {
        assert_int_equal(world_run(&w, p, timing), 0);
        assert_int_equal(world_count(&w, 1), 5 * TIMERS / 2);
        assert_int_equal(world_count(&w, 2), 5 * TIMERS);
        assert_int_equal(world_run(&w, p, stopped_deadlock), 2);
    }
}

/* ---- goroutines that are locked to their threads ------------------------ */

static enum sched_run
locked_pong(struct co *c)
{
    CO_BEGIN;
    sched_lock_thread(c->m, true);
    c->v[0].u = c->m->id;
    for (;;) {
        CO_RECV(c->v[2].p, &c->v[4]);
        rt_check(c->v[0].u == c->m->id, "another thread");
        if (!c->g->wake_ok)
            break;
        if (c->v[4].i % 10 == 0) {
            sched_syscall_enter(c->m);
            usleep(30);
            sched_syscall_exit(c->m);
        }
        CO_SEND(c->v[3].p, &c->v[4]);
        rt_check(c->v[0].u == c->m->id, "another thread");
        CO_LOOP();
    }
    if (c->v[1].i) {
        sched_lock_thread(c->m, false);
        CO_YIELD();
    }
    CO_DONE();
    CO_END;
}

static enum sched_run
locked(struct co *c)
{
    CO_BEGIN;
    c->w->root[0] = co_chan(c, 0);
    c->v[2].p = co_chan(c, 0);
    c->v[3].p = co_chan(c, 0);
    for (c->i = 0; c->i < 4; c->i++)
        co_go(c, locked_pong, 0, c->i % 2, c->v[2].p, c->v[3].p);
    for (c->i = 0; c->i < 300; c->i++) {
        c->v[4].i = c->i;
        CO_SEND(c->v[2].p, &c->v[4]);
        CO_RECV(c->v[3].p, &c->v[4]);
    }
    rt_check(chan_close(c->m, c->v[2].p) == CHAN_DONE, "close");
    CO_WAIT_ALL(4);
    CO_END;
}

/* All wait, some of them on their own threads. */
static enum sched_run
locked_deadlock(struct co *c)
{
    CO_BEGIN;
    sched_lock_thread(c->m, true);
    c->v[2].p = co_chan(c, 0);
    co_go(c, locked_pong, 0, 0, c->v[2].p, c->v[2].p);
    CO_WAIT(chan_recv(c->m, NULL, NULL) == CHAN_PARK);
    CO_END;
}

static void
test_locked(void **state)
{
    struct world w;

    (void)state;
    FOR_PROCS(p) {
        assert_int_equal(world_run(&w, p, locked), 0);
        assert_int_equal(world_run(&w, p, locked_deadlock), 2);
    }
}

/* ---- many goroutines, in generations ------------------------------------ */

static enum sched_run
tree(struct co *c)
{
    CO_BEGIN;
    co_count(c, 0, 1);
    if (c->v[0].i > 0) {
        c->v[2].p = co_chan(c, 0);
        co_go(c, tree, c->v[0].i - 1, 0, NULL, c->v[2].p);
        co_go(c, tree, c->v[0].i - 1, 0, NULL, c->v[2].p);
        CO_RECV(c->v[2].p, NULL);
        CO_RECV(c->v[2].p, NULL);
    }
    if (c->v[3].p != NULL)
        CO_SEND(c->v[3].p, &c->v[0]);
    CO_END;
}

static enum sched_run
forest(struct co *c)
{
    CO_BEGIN;
    c->v[2].p = co_chan(c, 0);
    for (c->i = 0; c->i < 3; c->i++) {
        co_go(c, tree, 11, 0, NULL, c->v[2].p);
        CO_RECV(c->v[2].p, NULL);
    }
    while (sched_num_goroutine(c->w->s) != 1)
        CO_YIELD();
    CO_END;
}

static void
test_forest(void **state)
{
    struct world w;

    (void)state;
    FOR_PROCS(p) {
        assert_int_equal(world_run(&w, p, forest), 0);
        assert_int_equal(world_count(&w, 0), 3 * 4095);
    }
}

/* ---- more that can run than queues of Ps hold --------------------------- */

/* The global queue grows while it is in use, and who died is used again. */
static enum sched_run
one_of_many(struct co *c)
{
    CO_BEGIN;
    for (c->i = 0; c->i < 3; c->i++)
        CO_YIELD();
    co_count(c, 0, c->v[0].i);
    co_count(c, 1, 1);
    CO_END;
}

static enum sched_run
crowd(struct co *c)
{
    CO_BEGIN;
    for (c->n = 500; c->n <= 8000; c->n *= 4) {
        for (c->i = 1; c->i <= c->n; c->i++)
            co_go(c, one_of_many, c->i, 0, NULL, NULL);
        while (sched_num_goroutine(c->w->s) != 1)
            CO_YIELD();
    }
    CO_END;
}

static void
test_crowd(void **state)
{
    struct world w;
    int64_t sum = 0, count = 0;

    (void)state;
    for (int64_t n = 500; n <= 8000; n *= 4) {
        sum += n * (n + 1) / 2;
        count += n;
    }
    FOR_PROCS(p) {
        assert_int_equal(world_run(&w, p, crowd), 0);
        assert_int_equal(world_count(&w, 0), sum);
        assert_int_equal(world_count(&w, 1), count);
    }
}

int
main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_select_storm),
        cmocka_unit_test(test_close),
        cmocka_unit_test(test_sema),
        cmocka_unit_test(test_timers),
        cmocka_unit_test(test_locked),
        cmocka_unit_test(test_forest),
        cmocka_unit_test(test_crowd),
    };

    if (argc > 1)
        cmocka_set_test_filter(argv[1]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
