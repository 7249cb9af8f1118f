/* SPDX-License-Identifier: MIT */
/* Stops of the world by threads of the host, and what changes meanwhile. */
#include "tests/unit/sched/fake.h"

#include <pthread.h>

#include "sched/sched_int.h"

enum { TIMES = 5 };

static void *
stop_and_start(void *arg)
{
    struct world *w = arg;

    sched_stop_world_any(w->s, STW_ALL_STACKS);
    sched_start_world_any(w->s);
    return NULL;
}

/* The only goroutine is in the kernel for as long as the stop takes: its P
 * does not run, whoever has the stop made. */
static enum sched_run
in_kernel(struct co *c)
{
    pthread_t t;

    CO_BEGIN;
    for (c->i = 0; c->i < TIMES; c->i++) {
        sched_syscall_enter(c->m);
        rt_check(pthread_create(&t, NULL, stop_and_start, c->w) == 0,
            "thread");
        pthread_join(t, NULL);
        sched_syscall_exit(c->m);
        CO_LOOP();
    }
    CO_END;
}

static void
a_stop_does_not_wait_for_the_kernel(void **state)
{
    struct world w;

    (void)state;
    assert_int_equal(world_run(&w, 1, in_kernel), 0);
    assert_int_equal(world_run(&w, 2, in_kernel), 0);
}

static enum sched_run
counts(struct co *c)
{
    CO_BEGIN;
    a64_add_full(&c->w->count[0], 1);
    CO_END;
}

/* As many Ps as there can be, and fewer again. */
static enum sched_run
changes_procs(struct co *c)
{
    CO_BEGIN;
    rt_check(sched_gomaxprocs(c->m, SCHED_MAX_PROCS) == 1, "one");
    rt_check(sched_gomaxprocs(c->m, SCHED_MAX_PROCS + 1) == SCHED_MAX_PROCS,
        "all");
    rt_check(sched_procs(c->w->s) == SCHED_MAX_PROCS, "not more");
    rt_check(a32_load_acq(&c->w->s->nall) == SCHED_MAX_PROCS, "made");
    for (c->i = 0; c->i < 100; c->i++)
        co_go(c, counts, 0, 0, NULL, NULL);
    while (a64_load_acq(&c->w->count[0]) < 100)
        CO_YIELD();
    rt_check(sched_gomaxprocs(c->m, 2) == SCHED_MAX_PROCS, "back");
    rt_check(sched_procs(c->w->s) == 2, "two");
    CO_END;
}

static void
there_are_only_so_many_ps(void **state)
{
    struct world w;

    (void)state;
    assert_int_equal(world_run(&w, 1, changes_procs), 0);
}

/* ---- what must hold of a stopped world ------------------------------------------- */

static bool
holds(struct sched *s)
{
    bool ok;

    rt_lock(&s->lock);
    ok = sched_valid_locked(s);
    rt_unlock(&s->lock);
    return ok;
}

#define NOTICED(s, place, value)                    \
    do {                                            \
        __typeof__(place) was = place;              \
        place = value;                              \
        rt_check(!holds(s), "not noticed");         \
        place = was;                                \
        rt_check(holds(s), "as before");            \
    } while (0)

/* Damages one thing at a time. */
static enum sched_run
damages(struct co *c)
{
    struct sched *s = c->w->s;
    struct sched_pi *p = s->allp[1];

    CO_BEGIN;
    sched_stop_world(c->m, STW_ALL_STACKS);
    rt_check(holds(s), "a stopped world");
    NOTICED(s, s->nmidle, was + 1);
    NOTICED(s, s->nmbound, s->nm + 1);
    NOTICED(s, s->stopwait, 1);
    NOTICED(s, s->pidle, p);
    NOTICED(s, p->ngfree, RT_GFREE_LIST);
    NOTICED(s, p->nsudogs, RT_SUDOG_CACHE + 1);
    NOTICED(s, c->g->m, NULL);
    a32_store_rlx(&s->npidle, 1);
    rt_check(!holds(s), "idle");
    a32_store_rlx(&s->npidle, 0);
    a32_store_rlx(&s->qsize, s->globq.cap + 1);
    rt_check(!holds(s), "queued");
    a32_store_rlx(&s->qsize, 0);
    a32_store_rlx(&p->p.state, P_IDLE);
    rt_check(!holds(s), "P");
    a32_store_rlx(&p->p.state, P_GCSTOP);
    rt_check(holds(s), "as before");
    sched_start_world(c->m);
    CO_END;
}

static void
damage_is_noticed(void **state)
{
    struct world w;

    (void)state;
    assert_int_equal(world_run(&w, 2, damages), 0);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stop_does_not_wait_for_the_kernel),
        cmocka_unit_test(there_are_only_so_many_ps),
        cmocka_unit_test(damage_is_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
