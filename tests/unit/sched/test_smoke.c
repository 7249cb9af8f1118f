/* SPDX-License-Identifier: MIT */
/* Each feature once, on 1, 2 and 8 Ps. */
#include "tests/unit/sched/fake.h"

#include <time.h>
#include <unistd.h>

/* ---- nothing ---- */

static enum sched_run
empty(struct co *c)
{
    CO_BEGIN;
    CO_END;
}

static void
test_empty(void **state)
{
    struct world w;

    (void)state;
    FOR_PROCS(p)
        assert_int_equal(world_run(&w, p, empty), 0);
}

/* ---- ping-pong ---- */

enum { PINGS = 2000 };

static enum sched_run
pong(struct co *c)
{
    CO_BEGIN;
    for (c->i = 0; c->i < PINGS; c->i++) {
        CO_RECV(c->v[2].p, &c->v[4]);
        rt_check(c->g->wake_ok && c->v[4].i == c->i, "pong");
        CO_SEND(c->v[3].p, &c->v[4]);
        CO_LOOP();
    }
    CO_END;
}

static enum sched_run
ping(struct co *c)
{
    CO_BEGIN;
    c->v[2].p = co_chan(c, 0);
    c->v[3].p = co_chan(c, 0);
    co_go(c, pong, 0, 0, c->v[2].p, c->v[3].p);
    for (c->i = 0; c->i < PINGS; c->i++) {
        c->v[4].i = c->i;
        CO_SEND(c->v[2].p, &c->v[4]);
        CO_RECV(c->v[3].p, &c->v[5]);
        rt_check(c->v[5].i == c->i, "ping");
        CO_LOOP();
    }
    sched_exit(c->w->s, 7);
    return SCHED_RUN_EXIT;
    CO_END;
}

static void
test_ping_pong(void **state)
{
    struct world w;

    (void)state;
    FOR_PROCS(p)
        assert_int_equal(world_run(&w, p, ping), 7);
}

/* ---- fan in, with buffers ---- */

enum { SENDERS = 20, EACH = 300 };

static enum sched_run
sender(struct co *c)
{
    CO_BEGIN;
    for (c->i = 0; c->i < EACH; c->i++) {
        c->v[4].i = 1;
        CO_SEND(c->v[2].p, &c->v[4]);
        CO_LOOP();
    }
    CO_SEND(c->v[3].p, &c->v[4]);
    CO_END;
}

static enum sched_run
closer(struct co *c)
{
    CO_BEGIN;
    for (c->i = 0; c->i < SENDERS; c->i++)
        CO_RECV(c->v[3].p, NULL);
    rt_check(chan_close(c->m, c->v[2].p) == CHAN_DONE, "close");
    CO_END;
}

static enum sched_run
fan_in(struct co *c)
{
    CO_BEGIN;
    c->v[2].p = co_chan(c, 3);
    c->v[3].p = co_chan(c, 0);
    for (c->i = 0; c->i < SENDERS; c->i++)
        co_go(c, sender, 0, 0, c->v[2].p, c->v[3].p);
    co_go(c, closer, 0, 0, c->v[2].p, c->v[3].p);
    for (;;) {
        CO_RECV(c->v[2].p, &c->v[4]);
        if (!c->g->wake_ok)
            break;
        c->n += c->v[4].i;
        CO_LOOP();
    }
    rt_check(c->n == SENDERS * EACH, "fan in");
    rt_check(c->v[4].i == 0, "zero of a closed channel");
    CO_END;
}

static void
test_fan_in(void **state)
{
    struct world w;

    (void)state;
    FOR_PROCS(p)
        assert_int_equal(world_run(&w, p, fan_in), 0);
}

/* ---- sleep ---- */

static enum sched_run
sleeper(struct co *c)
{
    CO_BEGIN;
    c->i = (int64_t)sched_now(c->w->s);
    CO_WAIT(timer_sleep(c->m, c->v[0].i));
    rt_check((int64_t)sched_now(c->w->s) >= c->i + c->v[0].i, "too early");
    CO_SEND(c->v[2].p, &c->v[0]);
    CO_END;
}

static enum sched_run
sleepers(struct co *c)
{
    CO_BEGIN;
    c->v[2].p = co_chan(c, 0);
    for (c->i = 0; c->i < 100; c->i++)
        co_go(c, sleeper, (c->i * 37 % 100) * 100000, 0, c->v[2].p, NULL);
    for (c->i = 0; c->i < 100; c->i++)
        CO_RECV(c->v[2].p, &c->v[3]);
    CO_END;
}

static void
test_sleep(void **state)
{
    struct world w;

    (void)state;
    FOR_PROCS(p)
        assert_int_equal(world_run(&w, p, sleepers), 0);
}

/* ---- select ---- */

static enum sched_run
select_main(struct co *c)
{
    CO_BEGIN;
    c->v[2].p = co_chan(c, 0);
    c->v[3].p = co_chan(c, 0);
    c->v[5].p = co_chan(c, 0);
    for (c->i = 0; c->i < 4; c->i++)
        co_go(c, sender, 0, 0, c->v[2 + c->i % 2].p, c->v[5].p);
    c->k = 0;
    while (c->k < 4) {
        c->cases[0] = (struct chan_case){c->v[2].p, &c->v[4], false};
        c->cases[1] = (struct chan_case){c->v[3].p, &c->v[4], false};
        c->cases[2] = (struct chan_case){c->v[5].p, &c->v[4], false};
        c->cases[3] = (struct chan_case){NULL, NULL, true};
        CO_WAIT(chan_select(c->m, c->cases, 4, false) == CHAN_PARK);
        rt_check(c->g->wake_ok, "select ok");
        if (c->g->sel_index == 2)
            c->k++;
        else
            c->n++;
        CO_LOOP();
    }
    rt_check(c->n == 4 * EACH, "select count");
    c->cases[0] = (struct chan_case){c->v[2].p, &c->v[4], true};
    CO_WAIT(chan_select(c->m, c->cases, 1, true) == CHAN_PARK);
    rt_check(c->g->sel_index == -1, "default");
    CO_END;
}

static void
test_select(void **state)
{
    struct world w;

    (void)state;
    FOR_PROCS(p)
        assert_int_equal(world_run(&w, p, select_main), 0);
}

/* One case and a default, of a channel with room: it waits for a value alone. */
static enum sched_run
only_case(struct co *c)
{
    CO_BEGIN;
    c->v[2].p = co_chan(c, 1);
    c->cases[0] = (struct chan_case){c->v[2].p, &c->v[4], false};
    rt_check(chan_select(c->m, c->cases, 1, true) == CHAN_DONE &&
        c->g->sel_index == -1, "nothing there");
    c->v[3].i = 7;
    CO_SEND(c->v[2].p, &c->v[3]);
    rt_check(chan_select(c->m, c->cases, 1, true) == CHAN_DONE &&
        c->g->sel_index == 0 && c->g->wake_ok && c->v[4].i == 7, "a value");
    chan_close(c->m, c->v[2].p);
    rt_check(chan_select(c->m, c->cases, 1, true) == CHAN_DONE &&
        c->g->sel_index == 0 && !c->g->wake_ok && c->v[4].i == 0, "closed");
    CO_END;
}

static void
test_only_case(void **state)
{
    struct world w;

    (void)state;
    assert_int_equal(world_run(&w, 1, only_case), 0);
}

/* ---- deadlocks ---- */

static enum sched_run
stuck(struct co *c)
{
    CO_BEGIN;
    c->v[2].p = co_chan(c, 0);
    co_go(c, closer, 0, 0, c->v[2].p, c->v[2].p);
    CO_YIELD();
    CO_WAIT(chan_select(c->m, c->cases, 0, false) == CHAN_PARK);
    CO_END;
}

static void
test_deadlock(void **state)
{
    struct world w;

    (void)state;
    FOR_PROCS(p) {
        assert_int_equal(world_run(&w, p, stuck), 2);
        assert_int_equal(a32_load_rlx(&w.fatals), 1);
        assert_string_equal(w.text, "all goroutines are asleep - deadlock!");
    }
}

/* ---- exit while others run ---- */

static enum sched_run
busy(struct co *c)
{
    CO_BEGIN;
    for (;;)
        CO_LOOP();
    CO_END;
}

static enum sched_run
in_kernel(struct co *c)
{
    struct timespec ts = {0, 300000};

    CO_BEGIN;
    for (;;) {
        sched_syscall_enter(c->m);
        nanosleep(&ts, NULL);
        sched_syscall_exit(c->m);
        CO_LOOP();
    }
    CO_END;
}

static enum sched_run
exit_main(struct co *c)
{
    CO_BEGIN;
    for (c->i = 0; c->i < 4; c->i++) {
        co_go(c, busy, 0, 0, NULL, NULL);
        co_go(c, sleeper, 1000000000, 0, NULL, NULL);
    }
    CO_WAIT(timer_sleep(c->m, 30 * 1000 * 1000));
    CO_END;
}

static void
test_exit(void **state)
{
    struct world w;

    (void)state;
    FOR_PROCS(p)
        assert_int_equal(world_run(&w, p, exit_main), 0);
}

static enum sched_run
kernel_main(struct co *c)
{
    CO_BEGIN;
    for (c->i = 0; c->i < 6; c->i++)
        co_go(c, in_kernel, 0, 0, NULL, NULL);
    CO_WAIT(timer_sleep(c->m, 30 * 1000 * 1000));
    CO_END;
}

static void
test_exit_kernel(void **state)
{
    struct world w;

    (void)state;
    FOR_PROCS(p) {
        world_open(&w, p);
        assert_int_equal(world_go(&w, kernel_main), 0);
        world_close(&w);
    }
}

/* Longer than the end waits for a thread in the kernel, and shorter. */
static enum sched_run
long_in_kernel(struct co *c)
{
    CO_BEGIN;
    for (;; c->i++) {
        struct timespec ts = {0, 300000 + c->i * 1700000 % 7000000};

        sched_syscall_enter(c->m);
        nanosleep(&ts, NULL);
        sched_syscall_exit(c->m);
        CO_LOOP();
    }
    CO_END;
}

static enum sched_run
long_kernel_main(struct co *c)
{
    CO_BEGIN;
    for (c->i = 0; c->i < 8; c->i++)
        co_go(c, long_in_kernel, 0, 0, NULL, NULL);
    CO_WAIT(timer_sleep(c->m, 20 * 1000 * 1000));
    CO_END;
}

/* Threads that are given up have the Ps that others wait for: these get them,
 * and the end does not wait for ever. */
static void
test_exit_given_up(void **state)
{
    struct world w;

    (void)state;
    for (int i = 0; i < 20; i++) {
        world_open(&w, 2);
        assert_int_equal(world_go(&w, long_kernel_main), 0);
        world_close(&w);
    }
}

/* A thread that does not come back is left where it is. */
static enum sched_run
for_ever(struct co *c)
{
    char byte;

    CO_BEGIN;
    sched_syscall_enter(c->m);
    if (read((int)c->v[0].i, &byte, 1) != 1)
        rt_throw("read");
    sched_syscall_exit(c->m);
    rt_throw("an abandoned thread went on");
    CO_END;
}

static int pipe_fds[2];

static enum sched_run
stuck_main(struct co *c)
{
    CO_BEGIN;
    co_go(c, for_ever, pipe_fds[0], 0, NULL, NULL);
    CO_WAIT(timer_sleep(c->m, 5 * 1000 * 1000));
    CO_END;
}

static void
test_stuck(void **state)
{
    static struct world w; /* stays in use */
    struct timespec ts = {0, 5000000};

    (void)state;
    assert_int_equal(pipe(pipe_fds), 0);
    world_open(&w, 2);
    assert_int_equal(world_go(&w, stuck_main), 0);
    assert_true(sched_has_stuck(w.s));
    world_close(&w);
    /* Now it comes back, and must notice. */
    assert_int_equal(write(pipe_fds[1], "x", 1), 1);
    nanosleep(&ts, NULL);
}

int
main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_empty),
        cmocka_unit_test(test_ping_pong),
        cmocka_unit_test(test_fan_in),
        cmocka_unit_test(test_sleep),
        cmocka_unit_test(test_select),
        cmocka_unit_test(test_only_case),
        cmocka_unit_test(test_deadlock),
        cmocka_unit_test(test_exit),
        cmocka_unit_test(test_exit_kernel),
        cmocka_unit_test(test_exit_given_up),
        cmocka_unit_test(test_stuck),
    };

    if (argc > 1)
        cmocka_set_test_filter(argv[1]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
