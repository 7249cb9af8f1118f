/* SPDX-License-Identifier: MIT */
/*
 * Goroutines that allocate while the collector's threads do not get to run; a
 * collection that is asked for from outside.
 */
#include "tests/unit/sched/fake.h"

#include <time.h>

#include "sched/sched_int.h"

enum {
    PROCS = 8,
    STOPS = 6,
    LATE_MS = 50, /* for which who begins a mark does not get to run */
    SIZE = 1024,
    SLACK = 128 << 10 /* of a P: what it takes between two safepoints */
};

/* count[0]: marks begun, count[1]: the most that the goal was missed by */
static void
begin_late(struct world *w)
{
    struct timespec ts = {0, LATE_MS * 1000000};
    uint64_t goal = gc_heap_goal(w->heap), live;

    if (gc_phase(w->heap) != GC_OFF)
        return;
    nanosleep(&ts, NULL);
    live = gc_heap_live(w->heap);
    if (live > goal && live - goal > a64_load_rlx(&w->count[1]))
        a64_store_rlx(&w->count[1], live - goal);
    a64_add_full(&w->count[0], 1);
}

static enum sched_run
allocator(struct co *c)
{
    CO_BEGIN;
    while (a64_load_acq(&c->w->count[0]) < STOPS) {
        c->v[4].p = gc_alloc_array(&c->m->p->cache, &layout_byte, SIZE);
        rt_check(c->v[4].p != NULL, "memory");
        CO_LOOP();
    }
    CO_SEND(c->w->root[0], &c->v[5]);
    CO_END;
}

static enum sched_run
allocators(struct co *c)
{
    CO_BEGIN;
    c->w->before_stop = begin_late;
    c->w->root[0] = co_chan(c, 0);
    for (c->i = 0; c->i < PROCS; c->i++)
        co_go(c, allocator, 0, 0, NULL, NULL);
    for (c->i = 0; c->i < PROCS; c->i++)
        CO_RECV(c->w->root[0], &c->v[5]);
    CO_END;
}

static void
a_mark_that_begins_late_is_waited_for(void **state)
{
    struct world w;

    (void)state;
    world_open(&w, PROCS);
    assert_int_equal(world_go(&w, allocators), 0);
    assert_true(a64_load_rlx(&w.count[1]) <= PROCS * SLACK);
    world_close(&w);
}

/* ---- who has no P asks ------------------------------------------------------ */

static enum sched_run
asker(struct co *c)
{
    CO_BEGIN;
    /* The monitor, which runs no goroutines, passes it on: for the first time
     * to somebody who is yet to be born.  A request that meets the end of
     * another cycle is lost. */
    for (c->i = 1; c->i <= 3; c->i++)
        while (gc_begun(c->w->heap) < (uint64_t)c->i ||
            gc_phase(c->w->heap) != GC_OFF) {
            if (gc_begun(c->w->heap) < (uint64_t)c->i)
                sched_request_gc(c->w->s);
            CO_YIELD();
        }
    CO_END;
}

/* Another thread is about to make the sweeper when it is asked for. */
static enum sched_run
early_asker(struct co *c)
{
    struct sched *s = c->w->s;

    CO_BEGIN;
    rt_check(a32_load_acq(&s->bg_made) == 0, "nobody has asked");
    a32_store_full(&s->bg_made, 1);
    sched_gc_wake_sweeper(s);
    rt_check(a32_load_acq(&s->bg_asked) == 1u << BG_SWEEPER, "to be done");
    a32_store_full(&s->bg_made, 0);
    while (a32_load_acq(&s->bg_asked) != 0)
        CO_YIELD();
    rt_check(a32_load_acq(&s->bg_made) == 2, "made");
    CO_END;
}

static void
a_collection_that_is_asked_for_comes(void **state)
{
    struct world w;

    (void)state;
    assert_int_equal(world_run(&w, 1, asker), 0);
    assert_int_equal(world_run(&w, 2, asker), 0);
    assert_int_equal(world_run(&w, 1, early_asker), 0);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mark_that_begins_late_is_waited_for),
        cmocka_unit_test(a_collection_that_is_asked_for_comes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
