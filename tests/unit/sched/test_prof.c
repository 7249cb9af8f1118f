/* SPDX-License-Identifier: MIT */
/*
 * The profiler's hooks in the scheduler: goroutine profiles while goroutines
 * are born, run, wait, are in the kernel, stop the world and die; waits; CPU
 * timers of threads that come and go.
 */
#include "tests/unit/sched/fake.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "profile/record/profile.h"

/* Numbers in stacks: who has set his labels, and who has not yet. */
enum { F_EARLY = 7, F_LABELLED = 8 };

struct lab {
    struct world w;
    struct prof p;
};

static struct lab lab;

/* ---- the profiler's host --------------------------------------------------- */

/* A goroutine's frame is v: its number in v[0], and in v[1] whether it has
 * its labels. */
static uint32_t
walk_g(void *ctx, struct prof_g *g, vpc *pcs, uint32_t max)
{
    struct co *c = (struct co *)(void *)sched_prof_g_of(g)->vg;

    (void)ctx;
    (void)max;
    pcs[0] = vpc_make(
        c->v[1].i != 0 ? F_LABELLED : F_EARLY, (uint32_t)c->v[0].i);
    return 1;
}

static struct prof_g *
self(void *ctx)
{
    return sched_prof_self(((struct lab *)ctx)->w.s);
}

static uint32_t
walk_self(void *ctx, vpc *pcs, uint32_t max)
{
    struct prof_g *g = self(ctx);

    return g == NULL ? 0 : walk_g(ctx, g, pcs, max);
}

static void
g_info(void *ctx, struct prof_g *g, struct prof_ginfo *out)
{
    sched_prof_info(((struct lab *)ctx)->w.s, g, out);
}

static bool
g_parked(void *ctx, struct prof_g *g)
{
    (void)ctx;
    return sched_prof_parked(g);
}

static uint32_t
count_g(void *ctx)
{
    return sched_prof_count(((struct lab *)ctx)->w.s);
}

static void
each_g(void *ctx, void (*fn)(void *arg, struct prof_g *g), void *arg)
{
    sched_prof_each_g(((struct lab *)ctx)->w.s, fn, arg);
}

static struct prof_g *
finalizer_g(void *ctx)
{
    return sched_prof_finalizer(((struct lab *)ctx)->w.s);
}

static void
wait_enter(void *ctx)
{
    sched_prof_wait_enter(((struct lab *)ctx)->w.s);
}

static void
wait_leave(void *ctx)
{
    sched_prof_wait_leave(((struct lab *)ctx)->w.s);
}

static void
stop_world(void *ctx)
{
    sched_stop_world_any(((struct lab *)ctx)->w.s, STW_GOROUTINE_PROFILE);
}

static void
start_world(void *ctx)
{
    sched_start_world_any(((struct lab *)ctx)->w.s);
}

static enum rt_status
cpu_timers(void *ctx, uint32_t hz, struct rt_err *e)
{
    return sched_prof_timers(((struct lab *)ctx)->w.s, hz, e);
}

static void
wall_signal(void *ctx)
{
    sched_prof_wall_signal(((struct lab *)ctx)->w.s);
}

static void
interrupted(void *ctx, const void *uc, vpc *pcs, uint32_t max,
    struct prof_where *w)
{
    struct sched_m *m = sched_m_self();
    struct sched_g *g = m->g;

    (void)ctx;
    (void)uc;
    (void)max;
    if (g != NULL && g->m == m) {
        w->goid = g->id;
        w->labels = g->prof.labels;
    }
    pcs[0] = prof_pc_mark(PROF_MARK_SYSTEM);
    w->n = 1;
}

static const struct prof_host host = {
    .walk_self = walk_self,
    .walk_g = walk_g,
    .self = self,
    .g_info = g_info,
    .g_parked = g_parked,
    .count_g = count_g,
    .each_g = each_g,
    .finalizer_g = finalizer_g,
    .wait_enter = wait_enter,
    .wait_leave = wait_leave,
    .stop_world = stop_world,
    .start_world = start_world,
    .cpu_timers = cpu_timers,
    .wall_signal = wall_signal,
    .interrupted = interrupted,
};

static void
run(uint32_t procs, co_fn fn)
{
    struct rt_clock clock;

    rt_clock_init(&clock);
    prof_init(&lab.p, &host, &lab, &clock, NULL, 1);
    world_open_prof(&lab.w, procs, &lab.p);
    assert_int_equal(world_go(&lab.w, fn), 0);
    assert_false(sched_has_stuck(lab.w.s));
    prof_fini(&lab.p);
    world_close(&lab.w);
}

/* ---- goroutines of many kinds --------------------------------------------------- */

enum { RESIDENTS = 60, KINDS = 6, CHURNERS = 4, FIRST_CHILD = 1000 };

/* w->word: 0 the end, 1 residents that have begun, 2 churners that have
 * ended, 5 residents that have (who is in the kernel at the end of the world
 * may be left there); w->count: 0 children born */

static void
label(struct co *c)
{
    char text[24];
    struct prof_pair pair = { "n", text, 1, 0 };

    pair.val_len = (size_t)snprintf(
        text, sizeof text, "%lld", (long long)c->v[0].i);
    prof_labels_unref(c->g->prof.labels);
    c->g->prof.labels = prof_labels_new(&pair, 1);
    c->v[1].i = 1;
}

/* What a resident does over and over, by its number; v[2] is a channel. */
static void
work(struct co *c)
{
    switch (c->v[0].i % KINDS) {
    case 0:
        c->v[4].i++;
        break;
    case 1:
        sched_syscall_enter(c->m);
        sched_yield();
        sched_syscall_exit(c->m);
        c->v[4].i++;
        break;
    case 2:
        if (c->v[4].i++ % 64 == 0) {
            sched_stop_world(c->m, STW_UNKNOWN);
            sched_start_world(c->m);
        }
        break;
    default:
        c->v[4].i++;
    }
}

/* v[0] number, v[2] channel that is closed at the end, v[3] one to pass
 * something back and forth. */
static enum sched_run
resident(struct co *c)
{
    CO_BEGIN;
    label(c);
    a32_add_full(&c->w->word[1], 1);
    if (c->v[0].i % KINDS == 5) {
        CO_RECV(c->v[2].p, NULL); /* waits all the time */
    } else {
        while (a32_load_acq(&c->w->word[0]) == 0) {
            work(c);
            /* Nobody keeps a P for long: the test is about changes. */
            if (c->v[0].i % KINDS == 3 || ++c->n % 32 == 0) {
                CO_YIELD();
            } else if (c->v[0].i % KINDS == 4) {
                CO_WAIT(timer_sleep(c->m, 50000));
            } else {
                CO_LOOP();
            }
        }
    }
    a32_add_full(&c->w->word[5], 1);
    CO_END;
}

static enum sched_run
child(struct co *c)
{
    CO_BEGIN;
    label(c);
    for (c->k = 0; c->k < c->v[0].i % 3; c->k++) {
        c->v[5].i++;
        CO_YIELD();
    }
    CO_END;
}

static enum sched_run
churner(struct co *c)
{
    CO_BEGIN;
    while (a32_load_acq(&c->w->word[0]) == 0) {
        if (sched_num_goroutine(c->w->s) < 500)
            co_go(c, child,
                FIRST_CHILD + (int64_t)a64_add_rlx(&c->w->count[0], 1), 0,
                NULL, NULL);
        CO_YIELD();
    }
    a32_add_full(&c->w->word[2], 1);
    CO_END;
}

/* A system goroutine that is a user's from time to time, like the one that
 * runs finalizers. */
static enum sched_run
finalizer(struct co *c)
{
    CO_BEGIN;
    c->v[0].i = 999;
    while (a32_load_acq(&c->w->word[0]) == 0) {
        sched_user_code(c->m, true);
        c->v[5].i++;
        CO_YIELD();
        sched_user_code(c->m, false);
        CO_YIELD();
    }
    CO_END;
}

static int
by_number(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return x < y ? -1 : x > y;
}

static void
check_labels(const struct prof_grecord *r)
{
    char text[24];

    snprintf(text, sizeof text, "%u", vpc_off(r->stk[0]));
    if (vpc_func(r->stk[0]) == F_LABELLED)
        rt_check(r->labels != NULL && r->labels->n == 1 &&
            strcmp(r->labels->v[0].str, text) == 0, "labels of another");
}

static void
check_set(const struct prof_gset *s, uint32_t n)
{
    uint64_t *ids = calloc(n, sizeof *ids);
    bool seen[RESIDENTS] = { false };

    rt_check(s->n == n && s->want == n, "not the promised count");
    rt_check(vpc_off(s->v[0].stk[0]) == 500, "the caller comes first");
    for (uint32_t i = 0; i < s->n; i++) {
        uint32_t num = vpc_off(s->v[i].stk[0]);

        ids[i] = s->v[i].id;
        check_labels(&s->v[i]);
        if (num < RESIDENTS) {
            rt_check(!seen[num], "a resident twice");
            seen[num] = true;
        }
    }
    for (uint32_t i = 0; i < RESIDENTS; i++)
        rt_check(seen[i], "a resident is missing");
    qsort(ids, n, sizeof *ids, by_number);
    for (uint32_t i = 1; i < n; i++)
        rt_check(ids[i] != ids[i - 1], "a goroutine twice");
    free(ids);
}

static uint32_t profiles;

static void
take_one(struct co *c)
{
    struct prof_gset *s;
    uint32_t n;
    enum rt_status st = c->i % 8 == 7 ?
        prof_goroutines_stopped(&lab.p, UINT32_MAX, &n, &s) :
        prof_goroutines(&lab.p, UINT32_MAX, &n, &s);

    rt_check(st == RT_OK && s != NULL, "no profile");
    check_set(s, n);
    prof_gset_free(s);
    /* Too little room: only the number. */
    rt_check(prof_goroutines(&lab.p, 3, &n, &s) == RT_OK && s == NULL &&
        n > RESIDENTS, "room for three");
}

static enum sched_run
profiler(struct co *c)
{
    CO_BEGIN;
    c->v[0].i = 500;
    label(c);
    c->v[2].p = co_chan(c, 0);
    for (c->k = 0; c->k < RESIDENTS; c->k++)
        co_go(c, resident, c->k, 0, c->v[2].p, NULL);
    for (c->k = 0; c->k < CHURNERS; c->k++)
        co_go(c, churner, 501 + c->k, 0, NULL, NULL);
    static const struct co_start fin = { finalizer };
    rt_check(sched_go_system(c->m, &fin, vpc_make(1, 0)) != NULL, "system");
    while (a32_load_acq(&c->w->word[1]) < RESIDENTS)
        CO_YIELD();
    for (c->i = 0; c->i < profiles; c->i++) {
        take_one(c);
        CO_YIELD();
    }
    a32_store_rel(&c->w->word[0], 1);
    chan_close(c->m, c->v[2].p);
    while (a32_load_acq(&c->w->word[2]) < CHURNERS ||
        a32_load_acq(&c->w->word[5]) < RESIDENTS)
        CO_YIELD();
    CO_END;
}

static void
goroutine_profiles_are_complete(void **state)
{
    static const uint32_t procs[] = { 1, 2, 8 };

    (void)state;
    profiles = 60;
    for (int i = 0; i < 3; i++) {
        run(procs[i], profiler);
        assert_true(a64_load_rlx(&lab.w.count[0]) > 0);
    }
}

/* Several at once, one of them from a thread that is no M. */
static void *
outsider(void *arg)
{
    struct lab *l = arg;

    while (a32_load_acq(&l->w.word[1]) < RESIDENTS)
        usleep(100);
    for (int i = 0; i < 20; i++) {
        struct prof_gset *s;
        uint32_t n;

        rt_check(prof_goroutines(&l->p, UINT32_MAX, &n, &s) == RT_OK,
            "no profile");
        rt_check(s->n == n, "not the promised count");
        prof_gset_free(s);
    }
    a32_store_rel(&l->w.word[3], 1);
    return NULL;
}

static enum sched_run
profiler_and_outsider(struct co *c)
{
    enum sched_run r;

    if (c->pc == 0) {
        pthread_t t;
        rt_check(pthread_create(&t, NULL, outsider, &lab) == 0, "thread");
        pthread_detach(t);
    }
    r = profiler(c);
    if (r == SCHED_RUN_DONE)
        while (a32_load_acq(&c->w->word[3]) == 0)
            usleep(100);
    return r;
}

static void
profiles_do_not_disturb_each_other(void **state)
{
    (void)state;
    profiles = 20;
    run(2, profiler_and_outsider);
}

/* ---- the wall clock profile ------------------------------------------------------ */

static enum sched_run
wall(struct co *c)
{
    CO_BEGIN;
    c->v[0].i = 500;
    label(c);
    c->v[2].p = co_chan(c, 0);
    for (c->k = 0; c->k < RESIDENTS; c->k++)
        co_go(c, resident, c->k, 0, c->v[2].p, NULL);
    for (c->k = 0; c->k < CHURNERS; c->k++)
        co_go(c, churner, 501 + c->k, 0, NULL, NULL);
    while (a32_load_acq(&c->w->word[1]) < RESIDENTS)
        CO_YIELD();
    rt_check(prof_wall_start(&lab.p, 1000, NULL) == RT_OK, "wall start");
    rt_check(prof_wall_start(&lab.p, 0, NULL) == RT_ESTATE, "twice");
    CO_WAIT(timer_sleep(c->m, 200000000));
    struct prof_timed_profile *f;
    rt_check(prof_wall_stop(&lab.p, &f, NULL) == RT_OK, "wall stop");
    rt_check(f->ticks > 0, "no tick");
    /* Those that only wait have been seen at each tick, waiting. */
    for (uint32_t i = 0; i < f->n; i++) {
        uint32_t num = vpc_off(f->v[i].stk[0]);

        if (!prof_pc_is_mark(f->v[i].stk[0]) && num < RESIDENTS &&
            num % KINDS == 5) {
            rt_check(strcmp(f->v[i].state, "chan receive") == 0, "state");
            rt_check(f->v[i].count == f->ticks, "ticks of a waiter");
            a64_add_rlx(&c->w->count[1], 1);
        }
    }
    rt_check(a64_load_rlx(&c->w->count[1]) == RESIDENTS / KINDS, "waiters");
    prof_timed_free(f);
    a32_store_rel(&c->w->word[0], 1);
    chan_close(c->m, c->v[2].p);
    while (a32_load_acq(&c->w->word[2]) < CHURNERS ||
        a32_load_acq(&c->w->word[5]) < RESIDENTS)
        CO_YIELD();
    CO_END;
}

static void
the_wall_clock_sees_everybody(void **state)
{
    (void)state;
    run(2, wall);
    run(8, wall);
}

/* ---- waits ------------------------------------------------------------------------ */

enum { WAIT_MS = 30 };

static void
count_lock_waiter(void *arg, struct sched_g *g)
{
    if (sched_g_state(g) == G_WAITING && g->wait_reason == WAIT_MUTEX_LOCK)
        ++*(int *)arg;
}

/* How many goroutines wait for the lock; whoever waits stays, as it is not
 * given back before there are two. */
static int
lock_waiters(struct co *c)
{
    int n = 0;

    sched_each_g(c->w->s, count_lock_waiter, &n);
    return n;
}

static enum sched_run
giver(struct co *c)
{
    CO_BEGIN;
    CO_WAIT(timer_sleep(c->m, WAIT_MS * 1000000));
    c->v[4].i = 1;
    CO_SEND(c->v[2].p, &c->v[4]);
    while (lock_waiters(c) < 2)
        CO_WAIT(timer_sleep(c->m, 1000000));
    sema_release_lock(c->m, &c->w->word[4], false, 0);
    CO_END;
}

static enum sched_run
second_waiter(struct co *c)
{
    CO_BEGIN;
    while (lock_waiters(c) < 1)
        CO_WAIT(timer_sleep(c->m, 1000000));
    CO_WAIT(!sema_acquire(
        c->m, &c->w->word[4], false, WAIT_MUTEX_LOCK));
    sema_release_lock(c->m, &c->w->word[4], false, 0);
    CO_END;
}

/* Ticks in the records of the kind, in milliseconds. */
static double
total_ms(enum prof_kind kind, int64_t *count)
{
    struct prof_block_record r[8];
    uint32_t n = prof_block_records(&lab.p.block, kind, r, 8);
    double per_ms =
        (double)prof_block_cycles_per_sec(&lab.p.block) / 1000, t = 0;

    rt_check(n <= 8, "records");
    *count = 0;
    for (uint32_t i = 0; i < n; i++) {
        t += (double)r[i].cycles / per_ms;
        *count += r[i].count;
    }
    return t;
}

static enum sched_run
waiter(struct co *c)
{
    int64_t n;

    CO_BEGIN;
    c->v[0].i = 1;
    prof_set_block_rate(&lab.p, 1);
    prof_mutex_set_fraction(&lab.p.block, 1);
    c->v[2].p = co_chan(c, 0);
    co_go(c, giver, 2, 0, c->v[2].p, NULL);
    c->v[3].i = (int64_t)sched_now(c->w->s);
    CO_RECV(c->v[2].p, NULL);
    c->v[3].i = (int64_t)sched_now(c->w->s) - c->v[3].i;
    double t = total_ms(PROF_BLOCK, &n), want = (double)c->v[3].i / 1e6;
    rt_check(n == 1, "one wait");
    /* It begins after the first look at the clock and ends when the value
     * comes, before the second one. */
    rt_check(t > 0 && t <= want * 1.05, "how long");
    co_go(c, second_waiter, 3, 0, NULL, NULL);
    CO_WAIT(!sema_acquire(
        c->m, &c->w->word[4], false, WAIT_MUTEX_LOCK));
    rt_check(total_ms(PROF_MUTEX, &n) > 0 && n == 1, "the lock was held up");
    prof_set_block_rate(&lab.p, 0);
    total_ms(PROF_BLOCK, &c->k);
    sema_release_lock(c->m, &c->w->word[4], false, 0);
    CO_WAIT(timer_sleep(c->m, 1000000));
    total_ms(PROF_BLOCK, &n);
    rt_check(n == c->k + 1 || n == c->k, "sleeping is no wait");
    CO_END;
}

static void
waits_are_charged(void **state)
{
    (void)state;
    run(2, waiter);
}

enum { TURNS = 4 };

static enum sched_run
taker(struct co *c)
{
    CO_BEGIN;
    for (c->i = 0; c->i < TURNS; c->i++) {
        a32_store_rlx(&c->w->word[0], (uint32_t)c->i + 1);
        CO_RECV(c->v[2].p, NULL);
    }
    CO_END;
}

/* On one P.  The rate when the taker begins to wait, and when the wait ends;
 * the last turn is the only one that is seen whole. */
static enum sched_run
switcher(struct co *c)
{
    static const uint8_t begin[TURNS] = {0, 1, 0, 1};
    static const uint8_t end[TURNS] = {1, 0, 1, 1};
    int64_t n;

    CO_BEGIN;
    c->v[2].p = co_chan(c, 0);
    co_go(c, taker, 2, 0, c->v[2].p, NULL);
    for (c->i = 0; c->i < TURNS; c->i++) {
        prof_set_block_rate(&lab.p, begin[c->i]);
        while (a32_load_rlx(&c->w->word[0]) != (uint32_t)c->i + 1)
            CO_YIELD();
        prof_set_block_rate(&lab.p, end[c->i]);
        total_ms(PROF_BLOCK, &n);
        rt_check(n == 0, "a wait that was not seen to its end");
        CO_SEND(c->v[2].p, &c->v[4]);
    }
    total_ms(PROF_BLOCK, &n);
    rt_check(n == 1, "the wait that began and ended with the profile on");
    CO_END;
}

static void
the_rate_changes_during_waits(void **state)
{
    (void)state;
    run(1, switcher);
}

enum { STACK = 2, RARELY = 20 };

static enum sched_run
locker(struct co *c)
{
    CO_BEGIN;
    CO_WAIT(!sema_acquire(
        c->m, &c->w->word[4], false, WAIT_MUTEX_LOCK));
    a32_add_full(&c->w->word[0], 1);
    CO_END;
}

/* One frame is left out once; a stack that would have none is whole. */
static void
look_at_unlocks(void)
{
    struct prof_block_record r[4];

    rt_check(prof_block_records(&lab.p.block, PROF_MUTEX, r, 4) == 2,
        "two stacks");
    for (int i = 0; i < 2; i++)
        rt_check(r[i].nstk == STACK ? r[i].count == STACK + 1
                                    : r[i].nstk == 1 && r[i].count == 1,
            "frames");
}

/* Gives a lock back that somebody waits for: with 0, 1, ... frames of its stack
 * that are the lock's own, and then when hardly anything is sampled. */
static enum sched_run
unlocker(struct co *c)
{
    int64_t n;

    CO_BEGIN;
    c->w->frames = STACK;
    prof_mutex_set_fraction(&lab.p.block, 1);
    for (c->i = 0; c->i < STACK + 2 + RARELY; c->i++) {
        if (c->i == STACK + 2) {
            look_at_unlocks();
            prof_mutex_set_fraction(&lab.p.block, INT64_MAX);
        }
        a32_store_rlx(&c->w->word[0], 0);
        co_go(c, locker, 2, 0, NULL, NULL);
        while (lock_waiters(c) < 1)
            CO_YIELD();
        sema_release_lock(c->m, &c->w->word[4], false,
            c->i < STACK + 2 ? (uint32_t)c->i : 0);
        while (a32_load_acq(&c->w->word[0]) == 0)
            CO_YIELD();
    }
    total_ms(PROF_MUTEX, &n);
    rt_check(n == STACK + 2, "hardly anything");
    CO_END;
}

static void
unlocks_are_sampled(void **state)
{
    (void)state;
    run(2, unlocker);
}

/* ---- CPU timers ---------------------------------------------------------------------- */

static enum sched_run
burner(struct co *c)
{
    CO_BEGIN;
    while (a32_load_acq(&c->w->word[0]) == 0) {
        for (volatile int i = 0; i < 10000; i++)
            ;
        if (c->i++ % 100 == 0) {
            CO_WAIT(timer_sleep(c->m, 1000));
        } else {
            CO_LOOP();
        }
    }
    CO_END;
}

static int64_t
process_cpu(void)
{
    struct timespec ts;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
    return ts.tv_sec * 1000000000LL + ts.tv_nsec;
}

static enum sched_run
cpu(struct co *c)
{
    struct rt_err e;

    CO_BEGIN;
    for (c->k = 0; c->k < 4; c->k++)
        co_go(c, burner, c->k, 0, NULL, NULL);
    rt_check(prof_cpu_start(&lab.p, 0, &e) == RT_OK, "start");
    rt_check(prof_cpu_start(&lab.p, 0, &e) == RT_ESTATE, "twice");
    rt_check(strcmp(e.text, "cpu profiling already in use") == 0, "text");
    c->v[3].i = process_cpu();
    while (process_cpu() - c->v[3].i < 400000000)
        CO_WAIT(timer_sleep(c->m, 10000000));
    struct prof_timed_profile *f;
    rt_check(prof_cpu_stop(&lab.p, &f, &e) == RT_OK, "stop");
    a64_store_rlx(&c->w->count[3], (uint64_t)(process_cpu() - c->v[3].i));
    a64_store_rlx(&c->w->count[2], f->samples);
    rt_check(f->period_ns == 10000000 && f->duration_ns > 0, "period");
    prof_timed_free(f);
    rt_check(prof_cpu_stop(&lab.p, &f, &e) == RT_ESTATE && f == NULL,
        "nothing to stop");
    /* Again, ended by the end of everything. */
    rt_check(prof_cpu_start(&lab.p, 1000, &e) == RT_OK, "start again");
    a32_store_rel(&c->w->word[0], 1);
    CO_END;
}

static void
cpu_time_is_sampled(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++) {
        run(2, cpu);
        /* 100 times a second of it; that is 400 ms, and as long as the one
         * who waits for them has to wait for a processor.  Timers of threads
         * fire once more than they ought to; sanitizers deliver late. */
        uint64_t n = a64_load_rlx(&lab.w.count[2]);
        uint64_t due = a64_load_rlx(&lab.w.count[3]) / 10000000;
        assert_in_range(n, RT_TSAN || RT_ASAN ? 1 : due / 2, due + 40);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(goroutine_profiles_are_complete),
        cmocka_unit_test(profiles_do_not_disturb_each_other),
        cmocka_unit_test(the_wall_clock_sees_everybody),
        cmocka_unit_test(waits_are_charged),
        cmocka_unit_test(the_rate_changes_during_waits),
        cmocka_unit_test(unlocks_are_sampled),
        cmocka_unit_test(cpu_time_is_sampled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
