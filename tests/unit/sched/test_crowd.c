/* SPDX-License-Identifier: MIT */
/*
 * Staying away from channels at which others are all the time.  The linker
 * puts functions of this file in the place of chan_stay_away() and of the
 * clock (meson.build).
 */
#include "tests/unit/sched/fake.h"

#include "sched/chan_int.h"

void __real_chan_stay_away(struct sched_m *m);
void __wrap_chan_stay_away(struct sched_m *m);
uint64_t __real_rt_ticks_slow(const struct rt_clock *c);
uint64_t __wrap_rt_ticks_slow(const struct rt_clock *c);

static a_u32 away;

/* Of the thread that runs the tests; 0: the real clock. */
static _Thread_local uint64_t ticks, step;

void
__wrap_chan_stay_away(struct sched_m *m)
{
    a32_add_full(&away, 1);
    __real_chan_stay_away(m);
}

uint64_t
__wrap_rt_ticks_slow(const struct rt_clock *c)
{
    return ticks == 0 ? __real_rt_ticks_slow(c) : (ticks += step);
}

/* ---- for how long ---------------------------------------------------------------- */

enum { FIRST = 16, MOST = 256, SOON = 10, BETWEEN = 160, LATE = 1000 };
enum { REST = 50000, LONGEST = 4 * REST };

static struct {
    struct sched s;
    struct sched_mi m;
    struct sched_pi p;
    struct rt_clock clock;
    struct trace_rec trace;
} alone;

static void
make_alone(void)
{
    memset(&alone, 0, sizeof alone);
    alone.s.trace = &alone.trace;
    alone.trace.clock = &alone.clock; /* a slow one */
    alone.m.m.sched = &alone.s;
    alone.m.m.p = &alone.p.p;
    alone.p.s = &alone.s;
    a32_store_rlx(&alone.p.p.state, P_RUNNING);
    ticks = 100000;
    step = 1;
}

/* `gap` ticks after the last time; how long it took. */
static uint64_t
stay_away(uint64_t gap)
{
    uint64_t begun = ticks += gap;

    __real_chan_stay_away(&alone.m.m);
    return ticks - begun - 1; /* but for its first look at the clock */
}

static void
a_pause_doubles_while_it_is_crowded(void **state)
{
    (void)state;
    make_alone();
    assert_int_equal(stay_away(LATE), FIRST);
    assert_int_equal(stay_away(LATE), FIRST);
    for (uint64_t n = 2 * FIRST; n <= MOST; n *= 2)
        assert_int_equal(stay_away(SOON), n);
    assert_int_equal(stay_away(BETWEEN), MOST);
    assert_int_equal(alone.m.rest, 0);
    for (uint64_t n = MOST / 2; n >= FIRST; n /= 2)
        assert_int_equal(stay_away(LATE), n);
    assert_int_equal(stay_away(LATE), FIRST);
    assert_int_equal(stay_away(BETWEEN), FIRST);
    ticks = 0;
}

/* From there on it rests, and its goroutine comes to the scheduler. */
static void
a_rest_doubles_while_it_is_crowded(void **state)
{
    (void)state;
    make_alone();
    while (stay_away(SOON) < MOST)
        assert_int_equal(alone.m.rest, 0);
    for (uint32_t ns = REST; ns <= LONGEST; ns *= 2) {
        assert_int_equal(a32_load_acq(&alone.p.p.preempt), 0);
        assert_int_equal(stay_away(SOON), MOST);
        assert_int_equal(alone.m.rest, ns);
        assert_int_equal(a32_swap_full(&alone.p.p.preempt, 0), 2);
    }
    for (uint32_t ns = LONGEST; ns > 0; ns = ns > REST ? ns / 2 : 0) {
        assert_int_equal(alone.m.rest, ns);
        alone.m.rest = 0;
        a32_store_rel(&alone.p.p.preempt, 0);
        assert_int_equal(stay_away(LATE), MOST);
    }
    assert_int_equal(alone.m.rest, 0);
    assert_int_equal(a32_load_acq(&alone.p.p.preempt), 0);
    ticks = 0;
}

/* ---- rest ------------------------------------------------------------------------ */

static a_u32 rests; /* 1: a rest has no end of its own; 2: it has begun */

void __real_rt_futex_wait(a_u32 *a, uint32_t val, int64_t ns);
void __wrap_rt_futex_wait(a_u32 *a, uint32_t val, int64_t ns);

void
__wrap_rt_futex_wait(a_u32 *a, uint32_t val, int64_t ns)
{
    if (a == &alone.p.p.preempt && a32_load_acq(&rests) != 0) {
        assert_int_equal(ns, REST);
        ns = -1;
        a32_store_rel(&rests, 2);
    }
    __real_rt_futex_wait(a, val, ns);
}

static void *
rest(void *arg)
{
    alone.m.rest = REST;
    chan_rest(&alone.m);
    return arg;
}

/* Of someone who comes for the P, before the rest begins or in it. */
static void
a_rest_ends_when_somebody_asks(void **state)
{
    pthread_t t;

    (void)state;
    make_alone();
    ticks = 0;
    a32_store_rel(&rests, 1);
    assert_int_equal(pthread_create(&t, NULL, rest, NULL), 0);
    while (a32_load_acq(&rests) != 2 || a32_load_acq(&alone.p.resting) == 0)
        rt_cpu_relax();
    preempt_one(&alone.s, &alone.p, 1);
    assert_int_equal(pthread_join(t, NULL), 0);
    assert_int_equal(a32_load_acq(&alone.p.p.preempt), 1);
    assert_int_equal(a32_load_acq(&alone.p.resting), 0);
    rest(NULL);
    assert_int_equal(a32_load_acq(&alone.p.p.preempt), 1);
    a32_store_rel(&rests, 0);
}

/* His own wish to come to the scheduler is fulfilled; what others want of the
 * P while that was there is seen by what they have set. */
static void
who_has_to_stop_does_not_rest(void **state)
{
    (void)state;
    make_alone();
    ticks = 0;
    a32_store_rel(&rests, 1);
    a32_store_rel(&alone.p.p.preempt, 2);
    a32_store_rel(&alone.s.gcwaiting, 1);
    rest(NULL);
    a32_store_rel(&alone.p.p.preempt, 2);
    a32_store_rel(&alone.s.gcwaiting, 0);
    a32_store_rel(&alone.s.exiting, 1);
    rest(NULL);
    assert_int_equal(a32_load_acq(&alone.p.p.preempt), 0);
    assert_int_equal(a32_load_acq(&rests), 1);
    a32_store_rel(&rests, 0);
}

static a_u32 rested;

void __real_chan_rest(struct sched_mi *m);
void __wrap_chan_rest(struct sched_mi *m);

void
__wrap_chan_rest(struct sched_mi *m)
{
    a32_add_full(&rested, 1);
    __real_chan_rest(m);
}

/* Before the M looks for another goroutine, and once. */
static enum sched_run
gives_up(struct co *c)
{
    CO_BEGIN;
    CO_YIELD();
    rt_check(a32_load_acq(&rested) == 0, "it does not rest");
    mi_of(c->m)->rest = 1;
    CO_YIELD();
    rt_check(a32_load_acq(&rested) == 1, "it has rested");
    CO_YIELD();
    rt_check(a32_load_acq(&rested) == 1, "once");
    CO_END;
}

static void
who_has_given_up_rests(void **state)
{
    struct world w;

    (void)state;
    a32_store_rel(&rested, 0);
    assert_int_equal(world_run(&w, 1, gives_up), 0);
}

static void
a_pause_ends_when_somebody_asks(void **state)
{
    (void)state;
    make_alone();
    a32_store_rel(&alone.p.p.preempt, 1);
    assert_int_equal(stay_away(LATE), 1);
    a32_store_rel(&alone.p.p.preempt, 0);
    assert_int_equal(stay_away(LATE), FIRST);
    ticks = 0;
}

/* A clock that stands holds nobody up for ever. */
static void
a_pause_ends_without_a_clock(void **state)
{
    (void)state;
    make_alone();
    step = 0;
    __real_chan_stay_away(&alone.m.m);
    assert_int_equal(alone.m.crowd_end, ticks);
    ticks = 0;
}

/* ---- who ------------------------------------------------------------------------- */

enum { OP_SEND, OP_RECV, OP_SELECT };

static struct chan_case both[2];

/* v[0]: by which operation; once the channel is locked */
static enum sched_run
uses(struct co *c)
{
    CO_BEGIN;
    while (a32_load_acq(&c->w->word[0]) == 0)
        rt_cpu_relax();
    if (c->v[0].i == OP_SEND) {
        CO_SEND(c->w->root[1], &c->v[4]);
    } else if (c->v[0].i == OP_RECV) {
        CO_RECV(c->w->root[1], &c->v[4]);
    } else {
        CO_WAIT(chan_select(c->m, both, 2, false) == CHAN_PARK);
    }
    /* Now: the two may meet at the channel by which they end. */
    a32_store_rel(&c->w->word[1], a32_load_acq(&away));
    CO_DONE();
    CO_END;
}

/* count 0: the operation; count 1: which of the two channels is locked until
 * the other goroutine, on another P, sleeps for it. */
static enum sched_run
locks(struct co *c)
{
    struct sched_chan *ch;

    CO_BEGIN;
    c->w->root[0] = co_chan(c, 1);
    for (c->i = 1; c->i <= 2; c->i++) {
        c->w->root[c->i] = co_chan(c, 2);
        CO_SEND(c->w->root[c->i], &c->v[4]);
    }
    c->n = c->w->root[1] < c->w->root[2] ? 1 : 2; /* locked first */
    both[0] = (struct chan_case){c->w->root[1], &c->v[5], false};
    both[1] = (struct chan_case){c->w->root[2], &c->v[5], false};
    if (a64_load_rlx(&c->w->count[0]) == OP_SELECT)
        ch = c->w->root[a64_load_rlx(&c->w->count[1]) == 1 ? c->n : 3 - c->n];
    else
        ch = c->w->root[1];
    co_go(c, uses, (int64_t)a64_load_rlx(&c->w->count[0]), 0, NULL, NULL);
    rt_lock(&ch->lock);
    a32_store_rel(&c->w->word[0], 1);
    while (a32_load_acq(&ch->lock.word) != 2)
        rt_cpu_relax();
    rt_unlock(&ch->lock);
    CO_WAIT_ALL(1);
    CO_END;
}

/* How often somebody stayed away. */
static uint32_t
times(uint64_t op, uint64_t which)
{
    struct world w;

    a32_store_rel(&away, 0);
    world_open(&w, 2);
    a64_store_rlx(&w.count[0], op);
    a64_store_rlx(&w.count[1], which);
    assert_int_equal(world_go(&w, locks), 0);
    world_close(&w);
    return a32_load_acq(&w.word[1]);
}

/* But nobody who holds another lock: a select that has its first channel. */
static void
who_finds_a_channel_locked_stays_away(void **state)
{
    (void)state;
    assert_int_equal(times(OP_SEND, 1), 1);
    assert_int_equal(times(OP_RECV, 1), 1);
    assert_int_equal(times(OP_SELECT, 1), 1);
    assert_int_equal(times(OP_SELECT, 2), 0);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pause_doubles_while_it_is_crowded),
        cmocka_unit_test(a_rest_doubles_while_it_is_crowded),
        cmocka_unit_test(a_rest_ends_when_somebody_asks),
        cmocka_unit_test(who_has_to_stop_does_not_rest),
        cmocka_unit_test(who_has_given_up_rests),
        cmocka_unit_test(a_pause_ends_when_somebody_asks),
        cmocka_unit_test(a_pause_ends_without_a_clock),
        cmocka_unit_test(who_finds_a_channel_locked_stays_away),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
