/* SPDX-License-Identifier: MIT */
/* The ring of CPU samples, filled by signal handlers of several threads. */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "profile/record/profile.h"
#include "profile/record/ring.h"

static struct prof_where
where(uint64_t goid, uint32_t n)
{
    return (struct prof_where){ NULL, goid, -1, n };
}

static void
samples_come_out_as_they_went_in(void **state)
{
    struct prof_cpu_ring *r = prof_ring_new();
    struct prof_sample s;
    vpc stk[CALLSTACK_MAX];
    uint64_t in = 0, out = 0;

    (void)state;
    for (uint32_t i = 0; i < CALLSTACK_MAX; i++)
        stk[i] = 1000 + i;
    /* Many times round, of all depths. */
    for (int k = 0; k < 20000; k++) {
        for (int i = 0; i < 3; i++, in++) {
            struct prof_where w = where(in, (uint32_t)(in % 129));
            prof_ring_put(r, in * 3, &w, stk);
        }
        for (int i = 0; i < 3; i++, out++) {
            assert_true(prof_ring_take(r, &s));
            assert_int_equal(s.when, out * 3);
            assert_int_equal(s.w.goid, out);
            assert_int_equal(s.w.p, -1);
            assert_int_equal(s.w.n, out % 129);
            assert_memory_equal(s.stk, stk, s.w.n * sizeof *stk);
        }
        assert_false(prof_ring_take(r, &s));
    }
    assert_int_equal(prof_ring_lost(r), 0);
    prof_ring_free(r);
}

static void
a_full_ring_counts_what_it_loses(void **state)
{
    struct prof_cpu_ring *r = prof_ring_new();
    struct prof_pair pair = { "k", "v", 1, 1 };
    struct prof_labels *l = prof_labels_new(&pair, 1);
    struct prof_where w = where(1, CALLSTACK_MAX);
    struct prof_sample s;
    vpc stk[CALLSTACK_MAX] = { 1 };
    uint64_t n = 0, lost;

    (void)state;
    w.labels = l;
    for (int i = 0; i < 1000; i++)
        prof_ring_put(r, 0, &w, stk);
    lost = prof_ring_lost(r);
    assert_true(lost > 0 && lost < 1000);
    assert_int_equal(prof_ring_lost(r), 0);
    /* A lost sample keeps no reference. */
    assert_int_equal(a32_load_rlx(&l->refs), 1 + 1000 - lost);
    for (; n < 10; n++) {
        assert_true(prof_ring_take(r, &s));
        prof_labels_unref(s.w.labels);
    }
    prof_ring_put(r, 0, &w, stk); /* there is room again */
    assert_int_equal(prof_ring_lost(r), 0);
    prof_ring_free(r);
    assert_int_equal(a32_load_rlx(&l->refs), 1);
    prof_labels_unref(l);
}

/* ---- under signals ----------------------------------------------------------- */

enum { THREADS = 4 };

static struct prof prof;
static a_u64 handled; /* samples that handlers have begun to take */
static a_u32 stop_threads;
static a_u32 ready;

static void
on_signal(int sig, siginfo_t *si, void *uc)
{
    (void)sig;
    (void)si;
    prof_cpu_signal(&prof, uc);
}

static void
interrupted(void *ctx, const void *uc, vpc *pcs, uint32_t max,
    struct prof_where *w)
{
    (void)ctx;
    (void)uc;
    (void)max;
    a64_add_rlx(&handled, 1);
    pcs[0] = vpc_make(1, 1);
    pcs[1] = vpc_make(1, 2);
    w->n = 1 + (uint32_t)(a64_load_rlx(&handled) & 1);
    w->goid = 5;
}

static enum rt_status
cpu_timers(void *ctx, uint32_t hz, struct rt_err *e)
{
    (void)ctx;
    (void)hz;
    (void)e;
    return RT_OK;
}

static void
nothing(void *ctx)
{
    (void)ctx;
}

static const struct prof_host host = {
    .interrupted = interrupted,
    .cpu_timers = cpu_timers,
    .wait_enter = nothing,
    .wait_leave = nothing,
};

/* A thread that is interrupted all the time. */
static void *
victim(void *arg)
{
    struct sigevent ev;
    struct itimerspec t = { { 0, 100000 }, { 0, 100000 } };
    timer_t id;

    (void)arg;
    memset(&ev, 0, sizeof ev);
    ev.sigev_notify = SIGEV_THREAD_ID;
    ev.sigev_signo = SIGUSR1;
    ev._sigev_un._tid = (pid_t)syscall(SYS_gettid);
    if (timer_create(CLOCK_MONOTONIC, &ev, &id) != 0)
        return (void *)"timer_create";
    timer_settime(id, 0, &t, NULL);
    a32_add_full(&ready, 1);
    while (a32_load_acq(&stop_threads) == 0)
        ;
    timer_delete(id);
    return NULL;
}

static void
no_sample_is_lost_or_counted_twice(void **state)
{
    struct sigaction sa;
    struct rt_clock clock;
    pthread_t t[THREADS];

    (void)state;
    memset(&sa, 0, sizeof sa);
    sa.sa_sigaction = on_signal;
    sa.sa_flags = SA_SIGINFO | SA_RESTART;
    sigaction(SIGUSR1, &sa, NULL);
    rt_clock_init(&clock);
    prof_init(&prof, &host, NULL, &clock, NULL, 1);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&t[i], NULL, victim, NULL), 0);
    while (a32_load_acq(&ready) < THREADS)
        usleep(1000);
    for (int k = 0; k < 10; k++) {
        struct prof_timed_profile *f;
        struct rt_err e;
        uint64_t sum = 0;

        a64_store_rlx(&handled, 0);
        assert_int_equal(prof_cpu_start(&prof, 100, &e), RT_OK);
        do /* on a busy machine the threads may not run so soon */
            usleep(60000);
        while (a64_load_rlx(&handled) == 0);
        assert_int_equal(prof_cpu_stop(&prof, &f, &e), RT_OK);
        assert_int_equal(f->samples + f->lost, a64_load_rlx(&handled));
        for (uint32_t i = 0; i < f->n; i++)
            sum += f->v[i].count;
        assert_int_equal(sum, f->samples + f->lost);
        assert_in_range(f->n, 1, 3);
        prof_timed_free(f);
    }
    a32_store_rel(&stop_threads, 1);
    for (int i = 0; i < THREADS; i++) {
        void *e;
        pthread_join(t[i], &e);
        assert_null(e);
    }
    prof_fini(&prof);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_come_out_as_they_went_in),
        cmocka_unit_test(a_full_ring_counts_what_it_loses),
        cmocka_unit_test(no_sample_is_lost_or_counted_twice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
