/* SPDX-License-Identifier: MIT */
/*
 * Mark workers while the mark waits for a goroutine that comes to no safepoint:
 * how often they are started meanwhile, and that they come back afterwards.
 */
#include "tests/unit/sched/fake.h"

#include <stdlib.h>

#include "runtime/base/clock.h"
#include "sched/sched_int.h"

enum {
    LOOK_NS = 40 * 1000 * 1000,
    START_NS = 100 * 1000, /* between two starts of a worker, at the least */
    SOME = 100,            /* starts for other reasons */
    LIST = 20000,          /* objects: more than one step of a worker */
    TURNS = 2000           /* of others, in which a worker has its turn too */
};

/* word: 0 the others end; count: 0 turns of the others, 1 starts of the workers,
 * 2 as many as there may be, 3 how many others there are */

static uint64_t
starts(const struct world *w)
{
    uint64_t n = 0;

    for (uint32_t i = 0; i < w->s->cfg.procs; i++)
        n += a32_load_rlx(&w->s->allp[i]->schedtick);
    return n;
}

/* Begins a collection, in which the others wait for the caller then. */
static bool
begin(struct co *c)
{
    return sched_gc_start(c->m, gc_begun(c->w->heap) + 1);
}

/* All that the mark waits for is that this goroutine is scanned. */
static bool
only_one_is_left(const struct world *w)
{
    return a32_load_acq(&w->s->gc_marking) != 0 &&
        a32_load_acq(&w->s->nscan_later) == 1;
}

/* ---- how often a worker is started ------------------------------------------- */

/* Runs without a safepoint, and counts what the other P starts. */
static enum sched_run
watcher(struct co *c)
{
    struct world *w = c->w;

    CO_BEGIN;
    while (!begin(c))
        CO_YIELD();
    while (!only_one_is_left(w))
        rt_cpu_relax();
    /* In this order here and the other below: what the others do between the
     * two looks is not the workers'. */
    uint64_t others = a64_load_acq(&w->count[0]), n = starts(w);
    int64_t from = rt_nanotime(), ns = 0;
    while (ns < LOOK_NS)
        ns = rt_nanotime() - from;
    n = starts(w) - n;
    others = a64_load_acq(&w->count[0]) - others;
    a64_store_rlx(&w->count[1], n > others ? n - others : 0);
    a64_store_rlx(&w->count[2], SOME + (uint64_t)(ns / START_NS));
    a32_store_rel(&w->word[0], 1);
    CO_SEND(c->v[2].p, &c->v[4]);
    CO_END;
}

static enum sched_run
yielder(struct co *c)
{
    CO_BEGIN;
    while (a32_load_acq(&c->w->word[0]) == 0) {
        a64_add_full(&c->w->count[0], 1);
        CO_YIELD();
    }
    CO_END;
}

/* On two Ps. */
static enum sched_run
waits_beside(struct co *c)
{
    CO_BEGIN;
    c->v[2].p = co_chan(c, 0);
    c->n = (int64_t)a64_load_rlx(&c->w->count[3]);
    for (c->i = 0; c->i < c->n; c->i++)
        co_go(c, yielder, 0, 0, NULL, NULL);
    co_go(c, watcher, 0, 0, c->v[2].p, NULL);
    CO_RECV(c->v[2].p, &c->v[4]);
    CO_END;
}

static void
a_worker_that_waits_is_left_alone(void **state)
{
    struct world w;

    (void)state;
    for (uint64_t others = 0; others <= 2; others++) {
        world_open(&w, 2);
        a64_store_rlx(&w.count[3], others);
        assert_int_equal(world_go(&w, waits_beside), 0);
        assert_true(
            a64_load_rlx(&w.count[1]) <= a64_load_rlx(&w.count[2]));
        world_close(&w);
    }
}

/* ---- a dedicated worker comes back -------------------------------------------- */

static void *
list(struct gc_pcache *pc, int n)
{
    void **head = NULL;

    for (int i = 0; i < n; i++) {
        void **p = gc_alloc(pc, &layout_ptr);

        rt_check(p != NULL, "memory");
        gc_write_barrier(pc, p, head);
        *p = head;
        head = p;
    }
    return head;
}

/* Has a list that nobody else knows, and shows it when the others have had
 * so many turns that the workers have found nothing else to do. */
static enum sched_run
stubborn(struct co *c)
{
    struct world *w = c->w;

    CO_BEGIN;
    c->v[4].p = list(&c->m->p->cache, LIST);
    while (!begin(c))
        CO_YIELD();
    while (!only_one_is_left(w))
        rt_cpu_relax();
    uint64_t turns = a64_load_acq(&w->count[0]);
    while (a64_load_acq(&w->count[0]) < turns + TURNS)
        rt_cpu_relax();
    while (gc_phase(w->heap) != GC_OFF)
        CO_YIELD();
    a32_store_rel(&w->word[0], 1);
    CO_SEND(c->v[2].p, &c->v[5]);
    CO_END;
}

/* On four Ps, of which one is the worker's; all have something else to do. */
static enum sched_run
all_busy(struct co *c)
{
    CO_BEGIN;
    c->v[2].p = co_chan(c, 0);
    for (c->i = 0; c->i < 8; c->i++)
        co_go(c, yielder, 0, 0, NULL, NULL);
    co_go(c, stubborn, 0, 0, c->v[2].p, NULL);
    CO_RECV(c->v[2].p, &c->v[4]);
    CO_END;
}

static void
a_dedicated_worker_comes_back(void **state)
{
    struct world w;

    (void)state;
    assert_int_equal(world_run(&w, 4, all_busy), 0);
}

/* ---- other Ps' goroutines run meanwhile ---------------------------------------- */

static enum sched_run
tells(struct co *c)
{
    CO_BEGIN;
    a64_add_full(&c->w->count[0], 1);
    CO_END;
}

/* Starts two, and comes to no safepoint before one has run: on the other P,
 * whose worker has found nothing but this one. */
static enum sched_run
starts_two(struct co *c)
{
    CO_BEGIN;
    while (!begin(c))
        CO_YIELD();
    while (!only_one_is_left(c->w))
        rt_cpu_relax();
    co_go(c, tells, 0, 0, NULL, NULL);
    co_go(c, tells, 0, 0, NULL, NULL); /* this P's next; the other is not */
    while (a64_load_acq(&c->w->count[0]) == 0)
        rt_cpu_relax();
    CO_SEND(c->v[2].p, &c->v[4]);
    CO_END;
}

static enum sched_run
two_ps(struct co *c)
{
    CO_BEGIN;
    c->v[2].p = co_chan(c, 0);
    co_go(c, starts_two, 0, 0, c->v[2].p, NULL);
    CO_RECV(c->v[2].p, &c->v[4]);
    CO_END;
}

static void
a_worker_that_waits_leaves_the_p_to_others(void **state)
{
    struct world w;

    (void)state;
    assert_int_equal(world_run(&w, 2, two_ps), 0);
}

/* ---- who runs on hides nobody --------------------------------------------------- */

/* Two ran when their turn came; then one of them stands. */
static void
each_is_looked_at_again(void **state)
{
    struct world w;

    (void)state;
    for (unsigned stands = 0; stands < 2; stands++) {
        world_open(&w, 1);
        struct sched *s = w.s;
        struct gc_marker *mk = &s->allp[0]->p.cache.own;
        struct sched_gchunk *k = NULL;
        assert_int_equal(
            posix_memalign((void **)&k, RT_CACHE_LINE, sizeof *k), 0);
        memset(k, 0, sizeof *k);
        struct sched_g *g[2] = {
            gchunk_g(k, G_CHUNK - 2), gchunk_g(k, G_CHUNK - 1)};
        a32_store_rlx(&s->gc_cycle, 7);
        a32_store_rlx(&s->gc_marking, 1);
        a32_store_rlx(&s->scan_globals, UINT32_MAX);
        aptr_store_rlx(&s->scan_chunk, k);
        s->scan_head = k;
        s->scan_first = G_CHUNK - 2;
        a32_store_rlx(&g[0]->state, G_RUNNING);
        a32_store_rlx(&g[1]->state, G_RUNNING);
        assert_true(sched_gc_roots_left(s));
        assert_int_equal(sched_gc_mark_root(s, mk), GC_ROOTS_SOME);
        /* They are waited for, but nobody could mark them now. */
        assert_false(sched_gc_roots_left(s));
        assert_int_equal(sched_gc_mark_root(s, mk), GC_ROOTS_WAIT);
        assert_int_equal(a32_load_rlx(&g[0]->gc_wanted), 7);
        assert_int_equal(a32_load_rlx(&g[1]->gc_wanted), 7);
        a32_store_rlx(&g[stands]->state, G_WAITING);
        assert_int_equal(sched_gc_mark_root(s, mk), GC_ROOTS_SOME);
        assert_int_equal(a32_load_rlx(&g[stands]->gc_cycle), 7);
        assert_int_not_equal(a64_load_rlx(&g[stands]->wait_since), 0);
        assert_int_equal(a64_load_rlx(&g[1 - stands]->wait_since), 0);
        assert_int_equal(sched_gc_mark_root(s, mk), GC_ROOTS_WAIT);
        /* The other scans itself. */
        a32_store_rlx(&g[1 - stands]->gc_cycle, 7);
        assert_int_equal(sched_gc_mark_root(s, mk), GC_ROOTS_SOME);
        assert_int_equal(sched_gc_mark_root(s, mk), GC_ROOTS_DONE);
        a32_store_rlx(&s->gc_marking, 0);
        free(k);
        world_close(&w);
    }
}

/* ---- since when one waits ------------------------------------------------------- */

/* The first collection that sees it wait says so, and no later one. */
static void
the_first_look_counts(void **state)
{
    struct sched_g g = {.id = 1};
    struct world w;

    (void)state;
    world_open(&w, 1);
    a32_store_rlx(&g.state, G_RUNNABLE);
    sched_saw(w.s, &g);
    assert_int_equal(a64_load_rlx(&g.wait_since), 0);
    a32_store_rlx(&g.state, G_WAITING);
    sched_saw(w.s, &g);
    assert_int_not_equal(a64_load_rlx(&g.wait_since), 0);
    a64_store_rlx(&g.wait_since, 5);
    sched_saw(w.s, &g);
    assert_int_equal(a64_load_rlx(&g.wait_since), 5);
    world_close(&w);
}

/* ---- who stands still says so ------------------------------------------------- */

/* The mark has asked for a goroutine, which stops running: those that wait
 * look again; for one that was not asked for, or is scanned, they need not. */
static void
stopping_is_an_event(void **state)
{
    static const struct {
        uint32_t wanted, scanned;
        bool event;
    } rows[] = {{7, 6, true}, {7, 7, false}, {6, 6, false}};
    struct world w;

    (void)state;
    world_open(&w, 1);
    a32_store_rlx(&w.s->gc_cycle, 7);
    a32_store_rlx(&w.s->gc_marking, 1);
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sched_g g = {.id = 1};
        uint32_t event = a32_load_rlx(&w.s->gc_event);

        a32_store_rlx(&g.state, G_RUNNING);
        a32_store_rlx(&g.gc_wanted, rows[i].wanted);
        a32_store_rlx(&g.gc_cycle, rows[i].scanned);
        g_set_state(w.s, &g, G_RUNNING, G_WAITING);
        assert_int_equal(a32_load_rlx(&g.state), G_WAITING);
        assert_int_equal(
            a32_load_rlx(&w.s->gc_event) != event, rows[i].event);
    }
    a32_store_rlx(&w.s->gc_marking, 0);
    world_close(&w);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_worker_that_waits_is_left_alone),
        cmocka_unit_test(a_dedicated_worker_comes_back),
        cmocka_unit_test(a_worker_that_waits_leaves_the_p_to_others),
        cmocka_unit_test(each_is_looked_at_again),
        cmocka_unit_test(the_first_look_counts),
        cmocka_unit_test(stopping_is_an_event),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
