/* SPDX-License-Identifier: MIT */
/* The queues of runnable goroutines, and who has a turn. */
#include "tests/unit/sched/fake.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sched/sched_int.h"

/* ---- the queue of a P, without threads --------------------------------------- */

enum { GS = 3 * RT_RUNQ };

static struct sched_g gs[GS];
static uint8_t seen[GS];

static void
see(struct sched_g *g)
{
    assert_true(g >= gs && g < gs + GS);
    assert_int_equal(seen[g - gs]++, 0);
}

static uint32_t
drain(struct sched_pi *p)
{
    struct sched_g *g;
    uint32_t n = 0;

    for (; (g = runq_get(p, false)) != NULL; n++)
        see(g);
    assert_true(runq_empty(p) && runq_len(p) == 0);
    return n;
}

static uint32_t
drain_global(struct world *w)
{
    struct sched_g *g;
    uint32_t n = 0;

    rt_lock(&w->s->lock);
    for (; (g = globrunq_get_locked(w->s, w->s->allp[0], 1)) != NULL; n++)
        see(g);
    rt_unlock(&w->s->lock);
    return n;
}

static void
begin(struct world *w)
{
    world_open(w, 2);
    assert_true(globrunq_reserve(w->s, GS));
    memset(gs, 0, sizeof gs);
    memset(seen, 0, sizeof seen);
    for (int i = 0; i < GS; i++)
        a32_store_rlx(&gs[i].state, G_RUNNABLE);
}

/* First in, first out, whatever place of the ring it begins at; runnext comes
 * first, or last where it is the others' turn. */
static void
test_order(void **state)
{
    struct world w;
    struct sched_pi *p;

    (void)state;
    begin(&w);
    p = w.s->allp[0];
    for (uint32_t shift = 0; shift < RT_RUNQ + 2; shift++) {
        for (uint32_t i = 0; i < RT_RUNQ; i++)
            assert_true(runq_put(p, &gs[i], false));
        assert_false(runq_put(p, &gs[RT_RUNQ], true));
        assert_true(runq_valid(p) && runq_spread(p));
        assert_int_equal(runq_len(p), RT_RUNQ + 1);
        assert_ptr_equal(runq_get(p, true), &gs[0]);
        assert_ptr_equal(runq_get(p, false), &gs[RT_RUNQ]);
        for (uint32_t i = 1; i < RT_RUNQ; i++)
            assert_ptr_equal(runq_get(p, i % 2 == 0), &gs[i]);
        assert_null(runq_get(p, false));
        /* What was next goes to the end of the ring. */
        assert_false(runq_put(p, &gs[0], true));
        assert_true(runq_put(p, &gs[1], true));
        assert_ptr_equal(runq_get(p, false), &gs[1]);
        assert_ptr_equal(runq_get(p, false), &gs[0]);
    }
    world_close(&w);
}

/* Where the ring is full a half of it and the new one go to the others. */
static void
test_overflow(void **state)
{
    struct world w;
    struct sched_pi *p;

    (void)state;
    begin(&w);
    p = w.s->allp[0];
    for (uint32_t i = 0; i <= RT_RUNQ; i++)
        runq_put(p, &gs[i], false);
    assert_int_equal(runq_len(p), RT_RUNQ - RT_RUNQ / 2);
    assert_int_equal(a32_load_rlx(&w.s->qsize), RT_RUNQ / 2 + 1);
    assert_true(runq_valid(p));
    assert_int_equal(drain(p), RT_RUNQ - RT_RUNQ / 2);
    assert_int_equal(drain_global(&w), RT_RUNQ / 2 + 1);
    world_close(&w);
}

/* A thief takes half, rounded up, and everybody is somewhere, once. */
static void
test_steal(void **state)
{
    struct world w;

    (void)state;
    begin(&w);
    struct sched_pi *thief = w.s->allp[0], *p = w.s->allp[1];
    for (uint32_t n = 0; n <= RT_RUNQ; n++) {
        memset(seen, 0, sizeof seen);
        for (uint32_t i = 0; i < n; i++)
            runq_put(p, &gs[i], false);
        struct sched_g *g = runq_steal(thief, p, false);
        assert_int_equal(g != NULL, n != 0);
        if (g != NULL) {
            assert_ptr_equal(g, &gs[0]);
            see(g);
        }
        assert_int_equal(runq_len(p), n / 2);
        assert_true(runq_valid(p) && runq_valid(thief));
        assert_int_equal(drain(thief), n == 0 ? 0 : n - n / 2 - 1);
        assert_int_equal(drain(p), n / 2);
    }
    /* runnext alone is taken only by who says so. */
    assert_false(runq_put(p, &gs[0], true));
    assert_null(runq_steal(thief, p, false));
    assert_ptr_equal(runq_steal(thief, p, true), &gs[0]);
    assert_true(runq_empty(p) && runq_empty(thief));
    world_close(&w);
}

/* Of the global queue a P takes its share, and not more than fits. */
static void
test_global(void **state)
{
    struct world w;
    struct sched_g *v[GS];

    (void)state;
    begin(&w);
    struct sched_pi *p = w.s->allp[0];
    for (int i = 0; i < GS; i++)
        v[i] = &gs[i];
    rt_lock(&w.s->lock);
    globrunq_put_locked(w.s, v, 9);
    struct sched_g *g = globrunq_get_locked(w.s, p, 0);
    rt_unlock(&w.s->lock);
    /* A half of nine and one, on two Ps. */
    uint32_t share = 5 < RT_RUNQ / 2 ? 5 : RT_RUNQ / 2;
    assert_ptr_equal(g, &gs[0]);
    assert_int_equal(runq_len(p), share - 1);
    assert_int_equal(a32_load_rlx(&w.s->qsize), 9 - share);
    see(g);
    assert_int_equal(drain(p), share - 1);
    assert_int_equal(drain_global(&w), 9 - share);
    world_close(&w);
}

/* What runq_valid() is to see. */
static void
test_valid(void **state)
{
    struct world w;

    (void)state;
    begin(&w);
    struct sched_pi *p = w.s->allp[0];
    runq_put(p, &gs[0], false);
    runq_put(p, &gs[1], false);
    runq_put(p, &gs[2], true);
    assert_true(runq_valid(p));
    a32_store_rlx(&gs[1].state, G_WAITING);
    assert_false(runq_valid(p));
    a32_store_rlx(&gs[1].state, G_RUNNABLE);
    a32_store_rlx(&gs[2].state, G_RUNNING);
    assert_false(runq_valid(p));
    a32_store_rlx(&gs[2].state, G_RUNNABLE);
    aptr_store_rlx(&p->q.ring[1], &gs[0]); /* twice */
    assert_false(runq_valid(p));
    aptr_store_rlx(&p->q.ring[1], NULL);
    assert_false(runq_valid(p));
    aptr_store_rlx(&p->q.ring[1], &gs[1]);
    a32_add_full(&p->q.tail, RT_RUNQ);
    assert_false(runq_valid(p));
    a32_add_full(&p->q.tail, -(uint32_t)RT_RUNQ);
    assert_int_equal(drain(p), 3);
    world_close(&w);
}

/* At the end of the process a goroutine may stand there that goes on meanwhile, in
 * whatever state: it is moved as all are. */
static void
test_end(void **state)
{
    static const uint32_t states[] = {G_RUNNING, G_SYSCALL, G_WAITING, G_DEAD};
    struct world w;

    (void)state;
    begin(&w);
    struct sched_pi *p = w.s->allp[0], *thief = w.s->allp[1];
    for (uint32_t i = 0; i < RT_RUNQ; i++)
        runq_put(p, &gs[i], false);
    a32_store_full(&w.s->exiting, 1);
    for (uint32_t i = 0; i < RT_RUNQ; i++)
        a32_store_rlx(&gs[i].state, states[i % 4]);
    assert_true(runq_valid(p));
    runq_put(p, &gs[RT_RUNQ], false); /* half of the ring goes to the others */
    assert_int_equal(a32_load_rlx(&w.s->qsize), RT_RUNQ / 2 + 1);
    see(runq_steal(thief, p, false));
    runq_put(thief, &gs[RT_RUNQ + 1], true);
    assert_true(runq_valid(p) && runq_valid(thief));
    uint32_t n = drain(p);
    n += drain(thief) + drain_global(&w);
    assert_int_equal(n, RT_RUNQ + 1);
    a32_store_full(&w.s->exiting, 0);
    world_close(&w);
}

/* ---- turns ------------------------------------------------------------------------- */

enum { HANDS = 400 };

/* Two goroutines hand over to each other, by runnext, count[0] times. */
static enum sched_run
hand(struct co *c)
{
    CO_BEGIN;
    while (a64_load_acq(&c->w->count[0]) < HANDS) {
        a64_add_full(&c->w->count[0], 1);
        CO_SEND(c->v[2].p, &c->v[4]);
        CO_RECV(c->v[3].p, &c->v[4]);
    }
    chan_close(c->m, c->v[2].p);
    CO_END;
}

static enum sched_run
hand_back(struct co *c)
{
    CO_BEGIN;
    for (;;) {
        CO_RECV(c->v[2].p, &c->v[4]);
        if (!c->g->wake_ok)
            break;
        CO_SEND(c->v[3].p, &c->v[4]);
    }
    CO_END;
}

/* In the ring, then in the global queue: when each had its turn. */
static enum sched_run
third(struct co *c)
{
    CO_BEGIN;
    c->w->count[1] = c->w->count[0];
    c->pc = __LINE__;
    return SCHED_RUN_PREEMPT;
case __LINE__ - 2:
    c->w->count[2] = c->w->count[0];
    CO_END;
}

static enum sched_run
turns(struct co *c)
{
    CO_BEGIN;
    c->v[2].p = co_chan(c, 0);
    c->v[3].p = co_chan(c, 0);
    co_go(c, third, 0, 0, NULL, NULL);
    co_go(c, hand, 0, 0, c->v[2].p, c->v[3].p);
    co_go(c, hand_back, 0, 0, c->v[2].p, c->v[3].p);
    CO_END;
}

static enum sched_run
turns_main(struct co *c)
{
    CO_BEGIN;
    co_go(c, turns, 0, 0, NULL, NULL);
    while (a64_load_acq(&c->w->count[0]) < HANDS) {
        c->v[2].p = co_chan(c, 0);
        CO_WAIT(timer_sleep(c->m, 1000000));
    }
    CO_END;
}

/* A handful of goroutines start between two turns of the others. */
static void
test_fair(void **state)
{
    struct world w;

    (void)state;
    assert_int_equal(world_run(&w, 1, turns_main), 0);
    uint64_t ring = a64_load_rlx(&w.count[1]);
    uint64_t global = a64_load_rlx(&w.count[2]);
    assert_true(ring <= SCHED_FAIR_TICK);
    assert_true(global > 0 && global - ring <= 2 * SCHED_FAIR_TICK);
}

/* ---- tickets --------------------------------------------------------------------------- */

static struct sema_notify list;

static enum sched_run
ticket(struct co *c)
{
    CO_BEGIN;
    CO_WAIT(!notify_wait(c->m, &list, (uint32_t)c->v[0].i));
    a64_add_full(&c->w->count[0], 1);
    CO_END;
}

/* Tickets of a notify list begin again at 0: those from before are older than
 * those from after. */
static enum sched_run
wraps(struct co *c)
{
    CO_BEGIN;
    memset(&list, 0, sizeof list);
    a32_store_rlx(&list.wait, UINT32_MAX - 1);
    a32_store_rlx(&list.notify, UINT32_MAX - 1);
    for (c->i = 0; c->i < 4; c->i++)
        co_go(c, ticket, notify_add(&list), 0, NULL, NULL);
    /* A ticket that was notified before its owner came does not wait. */
    for (c->i = 1; c->i <= 4; c->i++) {
        notify_one(c->m, &list);
        while (a64_load_acq(&c->w->count[0]) < (uint64_t)c->i)
            CO_YIELD();
    }
    rt_check(a32_load_acq(&list.notify) == 2, "all");
    rt_check(notify_wait(c->m, &list, UINT32_MAX), "long notified");
    CO_END;
}

static void
test_tickets(void **state)
{
    struct world w;

    (void)state;
    assert_int_equal(world_run(&w, 1, wraps), 0);
    assert_int_equal(world_run(&w, 2, wraps), 0);
}

/* ---- yielding ------------------------------------------------------------------------ */

static enum sched_run
nothing(struct co *c)
{
    CO_BEGIN;
    CO_END;
}

static void
fire(struct sched_m *m, struct sched_timer *t, uint64_t now)
{
    (void)m;
    (void)t;
    (void)now;
}

/* Alone on the only P there is nobody to give it to; whatever could want it
 * is seen. */
static enum sched_run
yields(struct co *c)
{
    static struct sched_timer t;
    struct sched *s = c->w->s;

    CO_BEGIN;
    /* sysmon may have asked for something: that is heard at a safepoint. */
    while (sched_yield_wanted(c->m)) {
        CO_YIELD();
        CO_LOOP();
    }
    co_go(c, nothing, 0, 0, NULL, NULL);
    rt_check(sched_yield_wanted(c->m), "runnext");
    CO_YIELD();
    while (sched_yield_wanted(c->m)) {
        CO_YIELD();
        CO_LOOP();
    }
    t = (struct sched_timer){.fire = fire};
    timer_set(c->m, &t, UINT64_MAX / 4);
    rt_check(sched_yield_wanted(c->m), "timer");
    timer_stop(c->m, &t);
    while (sched_yield_wanted(c->m)) {
        CO_YIELD();
        CO_LOOP();
    }
    a32_store_full(&c->m->p->preempt, 1);
    rt_check(sched_yield_wanted(c->m), "preempt");
    a32_store_full(&c->m->p->preempt, 0);
    a32_store_full(&s->gcwaiting, 1);
    rt_check(sched_yield_wanted(c->m), "stop");
    a32_store_full(&s->gcwaiting, 0);
    CO_END;
}

static void
test_yield(void **state)
{
    struct world w;

    (void)state;
    assert_int_equal(world_run(&w, 1, yields), 0);
}

/* ---- what is said where something is wrong --------------------------------------- */

/* Runs fn in a child, which must end by a throw whose text has `text`. */
static void
expect_throw(void (*fn)(struct world *w), const char *text)
{
    char out[4096];
    size_t n = 0;
    ssize_t k;
    int fds[2], status;

    assert_int_equal(pipe(fds), 0);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        struct world w;

        dup2(fds[1], 2);
        begin(&w);
        fn(&w);
        _exit(0);
    }
    close(fds[1]);
    while (n < sizeof out - 1 &&
        (k = read(fds[0], out + n, sizeof out - 1 - n)) > 0)
        n += (size_t)k;
    out[n] = 0;
    close(fds[0]);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
    assert_non_null(strstr(out, text));
}

static void
put_waiting(struct world *w)
{
    a32_store_rlx(&gs[0].state, G_WAITING);
    runq_put(w->s->allp[0], &gs[0], false);
}

static void
steal_own(struct world *w)
{
    runq_put(w->s->allp[0], &gs[0], false);
    runq_steal(w->s->allp[0], w->s->allp[0], false);
}

static void
sleep_without_p(struct world *w)
{
    struct sched_mi m;

    memset(&m, 0, sizeof m);
    m.m.sched = w->s;
    m.m.g = &gs[0];
    m.m.p = &w->s->allp[0]->p; /* which is idle */
    timer_sleep(&m.m, 1);
}

static void
mark_while_running(struct world *w)
{
    sched_gc_mark_begin(w->s);
}

static void
stop_sleeping_for_others(struct world *w)
{
    struct sched_mi m;

    memset(&m, 0, sizeof m);
    m.m.sched = w->s;
    m_sleep(&m, 1); /* by a thread that is not its own */
}

static void
test_throws(void **state)
{
    (void)state;
    if (VOLE_CHECKS < 1)
        skip();
    expect_throw(put_waiting, "runq_holds");
    expect_throw(steal_own, "victim");
    expect_throw(sleep_without_p, "P_RUNNING");
    expect_throw(mark_while_running, "gcwaiting");
    expect_throw(stop_sleeping_for_others, "sched_m_self");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_overflow),
        cmocka_unit_test(test_steal),
        cmocka_unit_test(test_global),
        cmocka_unit_test(test_valid),
        cmocka_unit_test(test_end),
        cmocka_unit_test(test_fair),
        cmocka_unit_test(test_tickets),
        cmocka_unit_test(test_yield),
        cmocka_unit_test(test_throws),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
