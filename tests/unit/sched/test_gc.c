/* SPDX-License-Identifier: MIT */
/*
 * Goroutines that allocate while the collector's threads do not get to run.
 */
#include "tests/unit/sched/fake.h"

#include <time.h>

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

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mark_that_begins_late_is_waited_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
