/* SPDX-License-Identifier: MIT */
/*
 * Stops of the world, and the end of the program, while everything runs:
 * channels, timers, system calls, allocation, locked threads.
 */
#include "tests/unit/sched/fake.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "sched/sched_int.h"

/* ---- stops of the world while everything runs --------------------------- */

enum { STOPPERS = 3, STOPS = 15 };

static enum sched_run
allocator(struct co *c)
{
    CO_BEGIN;
    while (a32_load_acq(&c->w->word[1]) == 0) {
        c->v[4].p = gc_alloc_array(&c->m->p->cache, &layout_ptr, 100);
        CO_LOOP();
        *(void **)c->v[4].p = c->v[4].p;
        co_count(c, 3, 1);
    }
    CO_DONE();
    CO_END;
}

static enum sched_run
kernel_user(struct co *c)
{
    struct timespec ts = {0, 50000};

    CO_BEGIN;
    while (a32_load_acq(&c->w->word[1]) == 0) {
        sched_syscall_enter(c->m);
        nanosleep(&ts, NULL);
        sched_syscall_exit(c->m);
        rt_check(c->m->p != NULL && c->m->g == c->g, "after the syscall");
        sched_block_enter(c->m);
        sched_syscall_enter(c->m);
        sched_syscall_exit(c->m);
        sched_block_exit(c->m);
        rt_check(c->m->p != NULL && c->m->g == c->g, "after the wait");
        co_count(c, 4, 1);
        CO_LOOP();
    }
    CO_DONE();
    CO_END;
}

static enum sched_run
stopper(struct co *c)
{
    CO_BEGIN;
    for (c->i = 0; c->i < STOPS; c->i++) {
        if (c->v[0].i == 0) {
            gc_collect(c->w->heap, &c->m->p->cache, GC_WHY_FORCED);
        } else if (c->v[0].i == 1) {
            struct sched_p *p = c->m->p;

            sched_stop_world(c->m, STW_ALL_STACKS);
            rt_check(c->m->p == p, "the P stays");
            /* A stop may enclose system calls. */
            sched_syscall_enter(c->m);
            sched_syscall_exit(c->m);
            c->n = (int64_t)world_count(c->w, 3);
            for (int i = 0; i < 2000; i++)
                rt_cpu_relax();
            rt_check(c->n == (int64_t)world_count(c->w, 3), "somebody runs");
            sched_start_world(c->m);
        } else {
            sched_gomaxprocs(c->m, (int32_t)(1 + c->i * 5 % 9));
        }
        CO_YIELD();
    }
    CO_DONE();
    CO_END;
}

static enum sched_run
stopping(struct co *c)
{
    CO_BEGIN;
    c->w->root[0] = co_chan(c, 0);
    for (c->i = 0; c->i < STOPPERS; c->i++) {
        co_go(c, stopper, c->i, 0, NULL, NULL);
        co_go(c, allocator, 0, 0, NULL, NULL);
        co_go(c, kernel_user, 0, 0, NULL, NULL);
    }
    CO_WAIT_ALL(STOPPERS);
    a32_store_full(&c->w->word[1], 1);
    CO_WAIT_ALL(2 * STOPPERS);
    CO_END;
}

static void
test_stops(void **state)
{
    struct world w;

    (void)state;
    FOR_PROCS(p) {
        assert_int_equal(world_run(&w, p, stopping), 0);
        assert_true(world_count(&w, 3) > 0 && world_count(&w, 4) > 0);
    }
}

/* ---- the end in the middle of everything -------------------------------- */

static enum sched_run
endless_pong(struct co *c)
{
    CO_BEGIN;
    for (;;) {
        CO_RECV(c->v[2].p, &c->v[4]);
        CO_SEND(c->v[3].p, &c->v[4]);
        CO_LOOP();
    }
    CO_END;
}

static enum sched_run
endless_ping(struct co *c)
{
    CO_BEGIN;
    c->v[2].p = co_chan(c, 0);
    c->v[3].p = co_chan(c, 0);
    co_go(c, endless_pong, 0, 0, c->v[2].p, c->v[3].p);
    for (;;) {
        CO_SEND(c->v[2].p, &c->v[4]);
        CO_RECV(c->v[3].p, &c->v[4]);
        CO_LOOP();
    }
    CO_END;
}

static enum sched_run
endless_timers(struct co *c)
{
    CO_BEGIN;
    for (;;) {
        CO_WAIT(timer_sleep(c->m, 20000 + co_random(c, 50000)));
        CO_LOOP();
    }
    CO_END;
}

static enum sched_run
endless_stops(struct co *c)
{
    CO_BEGIN;
    for (;;) {
        gc_collect(c->w->heap, &c->m->p->cache, GC_WHY_FORCED);
        CO_WAIT(timer_sleep(c->m, 100000));
        sched_gomaxprocs(c->m, (int32_t)(1 + co_random(c, 6)));
        CO_LOOP();
    }
    CO_END;
}

static enum sched_run
endless_locked(struct co *c)
{
    CO_BEGIN;
    sched_lock_thread(c->m, true);
    for (;;) {
        CO_WAIT(timer_sleep(c->m, 50000));
        CO_LOOP();
    }
    CO_END;
}

static void
everything(struct co *c)
{
    for (int i = 0; i < 3; i++) {
        co_go(c, endless_ping, 0, 0, NULL, NULL);
        co_go(c, endless_timers, 0, 0, NULL, NULL);
        co_go(c, kernel_user, 0, 0, NULL, NULL);
        co_go(c, allocator, 0, 0, NULL, NULL);
    }
    co_go(c, endless_locked, 0, 0, NULL, NULL);
    co_go(c, endless_stops, 0, 0, NULL, NULL);
}

/* Each step of it is a P that is handed to its thread. */
static enum sched_run
endless_handed(struct co *c)
{
    CO_BEGIN;
    sched_lock_thread(c->m, true);
    for (;;) {
        CO_YIELD();
        CO_LOOP();
    }
    CO_END;
}

static enum sched_run
endless_marks(struct co *c)
{
    CO_BEGIN;
    for (;;) {
        gc_collect(c->w->heap, &c->m->p->cache, GC_WHY_FORCED);
        CO_YIELD();
        CO_LOOP();
    }
    CO_END;
}

static int64_t run_ns;

static enum sched_run
until_exit(struct co *c)
{
    CO_BEGIN;
    everything(c);
    CO_WAIT(timer_sleep(c->m, run_ns));
    sched_exit(c->w->s, 3);
    return SCHED_RUN_EXIT;
    CO_END;
}

/* The end comes while Ps are on their way to threads that see the end first,
 * and while the world is being stopped, which waits for these Ps. */
static enum sched_run
exit_while_handed(struct co *c)
{
    CO_BEGIN;
    for (int i = 0; i < 6; i++)
        co_go(c, endless_handed, 0, 0, NULL, NULL);
    for (int i = 0; i < 2; i++)
        co_go(c, endless_marks, 0, 0, NULL, NULL);
    CO_WAIT(timer_sleep(c->m, run_ns));
    sched_exit(c->w->s, 3);
    return SCHED_RUN_EXIT;
    CO_END;
}

static void
test_exit_handed(void **state)
{
    struct world w;

    (void)state;
    for (int i = 0; i < 150; i++) {
        run_ns = 20000 + i * 3000;
        world_open(&w, (uint32_t)(2 + i % 4));
        assert_int_equal(world_go(&w, exit_while_handed), 3);
        assert_false(sched_has_stuck(w.s));
        world_close(&w);
    }
}

static void
test_exit(void **state)
{
    struct world *w = malloc(sizeof *w);

    (void)state;
    for (int i = 0; i < 25; i++) {
        run_ns = i * 150000;
        world_open(w, (uint32_t)(1 + i % 5));
        assert_int_equal(world_go(w, until_exit), 3);
        if (sched_has_stuck(w->s)) {
            /* On a very busy machine; its threads still use it. */
            w = malloc(sizeof *w);
            continue;
        }
        world_close(w);
    }
    free(w);
}

/* ---- a thread without memory, while others end the program -------------- */

/* What the host does where others were first: word[1] says that it has begun,
 * word[2] that they are done. */
static bool
part_refused(struct world *w, struct sched_m *m)
{
    rt_check(m->p != NULL, "the P is in the M's hands");
    a32_store_full(&w->word[1], 1);
    while (a32_load_acq(&w->word[2]) == 0)
        sched_join_stop(m);
    return false;
}

static enum sched_run
nothing(struct co *c)
{
    CO_BEGIN;
    CO_END;
}

static enum sched_run
stop_and_exit(struct co *c)
{
    CO_BEGIN;
    c->w->no_thread = part_refused;
    co_go(c, nothing, 0, 0, NULL, NULL); /* another M is started for it */
    while (a32_load_acq(&c->w->word[1]) == 0)
        rt_cpu_relax();
    sched_stop_world(c->m, STW_ALL_STACKS);
    sched_start_world(c->m);
    sched_exit(c->w->s, 5);
    a32_store_full(&c->w->word[2], 1);
    return SCHED_RUN_EXIT;
    CO_END;
}

static void
test_exit_without_thread(void **state)
{
    struct world w;

    (void)state;
    for (uint32_t procs = 2; procs <= 4; procs++)
        for (int i = 0; i < 20; i++)
            assert_int_equal(world_run(&w, procs, stop_and_exit), 5);
}

/* ---- a foreign thread stops the world; a trace begins and ends ---------- */

static enum sched_run
while_told(struct co *c)
{
    CO_BEGIN;
    everything(c);
    while (a32_load_acq(&c->w->word[2]) == 0)
        CO_WAIT(timer_sleep(c->m, 200000));
    sched_exit(c->w->s, 4);
    return SCHED_RUN_EXIT;
    CO_END;
}

static void *
tracer(void *arg)
{
    struct world *w = arg;
    struct rt_err e;

    for (int i = 0; i < 12; i++) {
        struct trace_config cfg = {.close_fd = true};

        if (i % 2) {
            sched_stop_world_any(w->s, STW_UNKNOWN);
            sched_start_world_any(w->s);
            continue;
        }
        cfg.fd = open("/dev/null", O_WRONLY);
        rt_check(cfg.fd >= 0, "/dev/null");
        rt_check(trace_start(&w->trace, &cfg, &e) == RT_OK, "start");
        usleep(2000);
        rt_check(trace_stop(&w->trace, &e) == RT_OK, "stop");
    }
    a32_store_full(&w->word[2], 1);
    return NULL;
}

static void
test_foreign(void **state)
{
    (void)state;
    FOR_PROCS(p) {
        struct world *w = malloc(sizeof *w);
        pthread_t t;

        world_open(w, p);
        assert_int_equal(pthread_create(&t, NULL, tracer, w), 0);
        assert_int_equal(world_go(w, while_told), 4);
        pthread_join(t, NULL);
        if (sched_has_stuck(w->s))
            continue;
        world_close(w);
        free(w);
    }
}

/* ---- a call after the end ------------------------------------------------ */

static enum sched_run
does_nothing(struct co *c)
{
    CO_BEGIN;
    CO_END;
}

static void
count_call(struct sched_m *m, void *arg)
{
    rt_check(m->p != NULL && m->g == NULL && sched_m_self() == m, "an M");
    ++*(int *)arg;
}

/* It has a P as long as there is one, and gives it back. */
static void
test_call(void **state)
{
    struct sched_pi *p[2];
    struct world w;
    int calls = 0;

    (void)state;
    world_open(&w, 2);
    assert_int_equal(world_go(&w, does_nothing), 0);
    for (int i = 1; i <= 5; i++) {
        assert_true(sched_call(w.s, count_call, &calls));
        assert_int_equal(calls, i);
        assert_int_equal(a32_load_acq(&w.s->npidle), 2);
        assert_null(sched_m_self());
    }
    rt_lock(&w.s->lock);
    for (int i = 0; i < 2; i++)
        assert_non_null(p[i] = p_idle_get_locked(w.s));
    rt_unlock(&w.s->lock);
    assert_false(sched_call(w.s, count_call, &calls));
    assert_int_equal(calls, 5);
    rt_lock(&w.s->lock);
    for (int i = 0; i < 2; i++)
        p_put_locked(w.s, p[i]);
    rt_unlock(&w.s->lock);
    assert_true(sched_call(w.s, count_call, &calls));
    world_close(&w);
}

int
main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stops),
        cmocka_unit_test(test_exit),
        cmocka_unit_test(test_exit_without_thread),
        cmocka_unit_test(test_exit_handed),
        cmocka_unit_test(test_foreign),
        cmocka_unit_test(test_call),
    };

    if (argc > 1)
        cmocka_set_test_filter(argv[1]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
