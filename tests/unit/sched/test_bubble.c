/* SPDX-License-Identifier: MIT */
/*
 * Bubbles: who counts as durably blocked, the clock, timers at the same time,
 * who is woken, and what belongs to a bubble.
 */
#include "fake.h"

#include "sched/bubble_int.h"

#define SECOND UINT64_C(1000000000)
#define START (UINT64_C(946684800) * SECOND) /* the clock at first */

/* What the goroutines of a test have in common. */
enum { STEPS, EVENTS, LATE };

#define COUNT(w, i) a64_load_acq(&(w)->count[i])
#define HAPPENS(w, i) a64_add_full(&(w)->count[i], 1)

/* The root's loop, with `first` as the main goroutine. */
#define CO_BUBBLE(first)                                       \
    rt_check(bubble_open(c->m, c->v), "open");                 \
    co_go(c, (first), 0, 0, c->v[2].p, c->v[3].p);             \
    while (bubble_step(c->m)) {                                \
        HAPPENS(c->w, STEPS);                                  \
        CO_WAIT((bubble_idle(c->m), true));                    \
    }

/* ---- the clock ------------------------------------------------------------- */

static enum sched_run
sleeper(struct co *c)
{
    CO_BEGIN;
    c->n = (int64_t)c->g->id % 3 + 1;
    CO_WAIT(timer_sleep(c->m, c->n * (int64_t)SECOND));
    rt_check(bubble_now(bubble_of(c->m)) == START + (uint64_t)c->n * SECOND,
        "woken at its time");
    HAPPENS(c->w, EVENTS);
    CO_END;
}

static enum sched_run
sleepers(struct co *c)
{
    CO_BEGIN;
    rt_check(bubble_now(bubble_of(c->m)) == START, "begins");
    for (c->i = 0; c->i < 30; c->i++)
        co_go(c, sleeper, 0, 0, NULL, NULL);
    CO_WAIT(timer_sleep(c->m, 3600 * (int64_t)SECOND));
    rt_check(COUNT(c->w, EVENTS) == 30, "all have woken before");
    CO_END;
}

static bool
no_bubbles(struct sched *s)
{
    rt_lock(&s->bubbles_lock);
    bool none = s->bubbles == NULL;
    rt_unlock(&s->bubbles_lock);
    return none;
}

static enum sched_run
clock_root(struct co *c)
{
    CO_BEGIN;
    CO_BUBBLE(sleepers);
    rt_check(bubble_stuck(c->m) == BUBBLE_OVER, "over");
    rt_check(bubble_now(bubble_of(c->m)) == START + 3600 * SECOND, "clock");
    /* One step for each time at which there is something, and the first. */
    rt_check(COUNT(c->w, STEPS) == 5, "steps");
    bubble_leave(c->m);
    rt_check(c->g->bubble == NULL, "left");
    /* Who has woken the root may still hold the bubble. */
    while (!no_bubbles(c->w->s))
        CO_YIELD();
    CO_END;
}

static void
test_clock(void **state)
{
    struct world w;

    (void)state;
    FOR_PROCS(p)
        assert_int_equal(world_run(&w, p, clock_root), 0);
}

/* ---- who waits durably --------------------------------------------------------- */

static enum sched_run
receiver(struct co *c)
{
    CO_BEGIN;
    CO_RECV(c->v[2].p, &c->v[4]);
    HAPPENS(c->w, EVENTS);
    CO_END;
}

static enum sched_run
selector(struct co *c)
{
    CO_BEGIN;
    c->cases[0] = (struct chan_case){c->v[2].p, &c->v[4], false};
    c->cases[1] = (struct chan_case){c->v[3].p, &c->v[4], false};
    CO_WAIT(chan_select(c->m, c->cases, 2, false) == CHAN_PARK);
    HAPPENS(c->w, EVENTS);
    CO_END;
}

/* v[2] is from outside; it is received from until somebody sends. */
static enum sched_run
waits_main(struct co *c)
{
    CO_BEGIN;
    c->v[3].p = co_chan(c, 0);
    co_go(c, receiver, 0, 0, c->v[3].p, NULL);
    co_go(c, selector, 0, 0, c->v[3].p, co_chan(c, 0));
    CO_WAIT(bubble_wait(c->m));
    bubble_waited(c->m);
    rt_check(COUNT(c->w, EVENTS) == 0, "both wait");
    /* Another that waits for a channel from outside is not durably blocked,
     * and so this one waits for it. */
    a32_store_rel(&c->w->word[0], 1);
    co_go(c, selector, 0, 0, c->v[3].p, c->v[2].p);
    CO_WAIT(bubble_wait(c->m));
    bubble_waited(c->m);
    rt_check(COUNT(c->w, EVENTS) == 1, "somebody has sent");
    rt_check(chan_close(c->m, c->v[3].p) == CHAN_DONE, "close");
    CO_WAIT(bubble_wait(c->m));
    rt_check(!bubble_wait(c->m), "waits already");
    bubble_waited(c->m);
    rt_check(COUNT(c->w, EVENTS) == 3, "all have ended");
    CO_END;
}

/* Outside: sends when the bubble waits for it. */
static enum sched_run
sender(struct co *c)
{
    CO_BEGIN;
    while (a32_load_acq(&c->w->word[0]) == 0)
        CO_YIELD();
    for (c->i = 0; c->i < 100; c->i++)
        CO_YIELD();
    CO_SEND(c->v[2].p, &c->v[4]);
    CO_END;
}

static enum sched_run
waits_root(struct co *c)
{
    CO_BEGIN;
    c->v[2].p = co_chan(c, 0);
    a32_store_rel(&c->w->word[0], 0);
    co_go(c, sender, 0, 0, c->v[2].p, NULL);
    CO_BUBBLE(waits_main);
    rt_check(bubble_stuck(c->m) == BUBBLE_OVER, "over");
    bubble_leave(c->m);
    CO_END;
}

static void
test_waits(void **state)
{
    struct world w;

    (void)state;
    FOR_PROCS(p)
        assert_int_equal(world_run(&w, p, waits_root), 0);
}

/* ---- what belongs to a bubble ----------------------------------------------------- */

static void
value(void *data, uint64_t arg, uint64_t when, uint64_t now, bool bubble,
    union rt_slot *v)
{
    (void)data;
    rt_check(bubble && now >= when && arg == 5, "value");
    v->u = when;
}

static const struct tchan_ops sends = {&layout_int, value, NULL, false};

/* Makes a channel and a timed one that is due at once, and gives both to the
 * outside. */
static enum sched_run
maker(struct co *c)
{
    CO_BEGIN;
    c->w->root[0] = co_chan(c, 1);
    c->w->root[1] = tchan_make(c->m, &sends, NULL, 5);
    tchan_set(c->m, c->w->root[1], START, 0);
    rt_check(chan_recv(c->m, c->w->root[1], &c->v[4]) == CHAN_DONE &&
            c->v[4].u == START,
        "due when it is set");
    tchan_set(c->m, c->w->root[1], START + SECOND, 0);
    CO_RECV(c->w->root[1], &c->v[4]);
    rt_check(c->v[4].u == START + SECOND, "value");
    CO_END;
}

static bool
all_outside(struct co *c)
{
    struct chan_case k[2] = {{c->w->root[0], &c->v[4], false},
        {c->v[2].p, &c->v[4], true}};

    return chan_send(c->m, c->w->root[0], &c->v[4]) == CHAN_OUTSIDE &&
        chan_recv(c->m, c->w->root[0], &c->v[4]) == CHAN_OUTSIDE &&
        chan_close(c->m, c->w->root[0]) == CHAN_OUTSIDE &&
        chan_select(c->m, k, 2, true) == CHAN_OUTSIDE &&
        chan_select(c->m, k, 1, true) == CHAN_OUTSIDE &&
        tchan_outside(c->m, c->w->root[1]);
}

static enum sched_run
stranger(struct co *c)
{
    rt_check(all_outside(c), "of another bubble");
    HAPPENS(c->w, EVENTS);
    return SCHED_RUN_DONE;
}

static enum sched_run
belongs_root(struct co *c)
{
    CO_BEGIN;
    CO_BUBBLE(maker);
    rt_check(bubble_stuck(c->m) == BUBBLE_OVER, "over");
    bubble_leave(c->m);
    rt_check(all_outside(c), "outside");
    CO_BUBBLE(stranger);
    bubble_leave(c->m);
    rt_check(COUNT(c->w, EVENTS) == 1, "the other bubble");
    CO_END;
}

static void
test_belongs(void **state)
{
    struct world w;

    (void)state;
    FOR_PROCS(p)
        assert_int_equal(world_run(&w, p, belongs_root), 0);
}

/* ---- the end ---------------------------------------------------------------------- */

static enum sched_run
forever(struct co *c)
{
    CO_BEGIN;
    CO_RECV(NULL, NULL);
    CO_END;
}

/* Ends before its child, and with it the time. */
static enum sched_run
short_main(struct co *c)
{
    CO_BEGIN;
    co_go(c, sleeper, 0, 0, NULL, NULL);
    CO_END;
}

static enum sched_run
ends_root(struct co *c)
{
    CO_BEGIN;
    CO_BUBBLE(forever);
    rt_check(bubble_stuck(c->m) == BUBBLE_STUCK, "stuck");
    bubble_leave(c->m);
    CO_BUBBLE(short_main);
    rt_check(bubble_stuck(c->m) == BUBBLE_LEFT, "left");
    rt_check(COUNT(c->w, EVENTS) == 0, "time has ended");
    bubble_leave(c->m);
    /* Those that are left keep their bubbles; the world frees them. */
    rt_check(c->w->s->bubbles != NULL && c->w->s->nbubbles == 2, "kept");
    CO_END;
}

static void
test_ends(void **state)
{
    struct world w;

    (void)state;
    FOR_PROCS(p)
        assert_int_equal(world_run(&w, p, ends_root), 0);
}

/* ---- holding one --------------------------------------------------------------------- */

/* Outside: comes back to a bubble that is held, and lets it go. */
static enum sched_run
visitor(struct co *c)
{
    CO_BEGIN;
    for (c->i = 0; c->i < 100; c->i++)
        CO_YIELD();
    rt_check(COUNT(c->w, LATE) == 0, "it is held");
    bubble_enter(c->m, c->v[2].p);
    CO_SEND(c->v[3].p, &c->v[4]);
    bubble_exit(c->m);
    rt_check(COUNT(c->w, LATE) == 0, "it is held still");
    HAPPENS(c->w, EVENTS);
    bubble_release(c->m, c->v[2].p);
    CO_END;
}

static enum sched_run
held_main(struct co *c)
{
    CO_BEGIN;
    a64_store_rel(&c->w->count[LATE], 0);
    c->w->root[0] = co_chan(c, 0);
    rt_check(chan_send(c->m, c->v[2].p, &c->v[4]) != CHAN_OUTSIDE, "signal");
    c->w->root[1] = bubble_acquire(c->m);
    a32_store_rel(&c->w->word[0], 1);
    CO_RECV(c->w->root[0], &c->v[4]);
    CO_WAIT(timer_sleep(c->m, (int64_t)SECOND));
    rt_check(COUNT(c->w, EVENTS) == 1, "no time passes while it is held");
    HAPPENS(c->w, LATE);
    CO_END;
}

/* Starts the visitor, who must not be born in the bubble. */
static enum sched_run
usher(struct co *c)
{
    CO_BEGIN;
    while (a32_load_acq(&c->w->word[0]) == 0)
        CO_YIELD();
    co_go(c, visitor, 0, 0, c->w->root[1], c->w->root[0]);
    CO_END;
}

static enum sched_run
held_root(struct co *c)
{
    CO_BEGIN;
    rt_check(bubble_acquire(c->m) == NULL, "in no bubble");
    a32_store_rel(&c->w->word[0], 0);
    c->v[2].p = co_chan(c, 1);
    co_go(c, usher, 0, 0, NULL, NULL);
    CO_BUBBLE(held_main);
    rt_check(bubble_stuck(c->m) == BUBBLE_OVER, "over");
    rt_check(COUNT(c->w, LATE) == 1, "late");
    bubble_leave(c->m);
    CO_END;
}

static void
test_held(void **state)
{
    struct world w;

    (void)state;
    FOR_PROCS(p)
        assert_int_equal(world_run(&w, p, held_root), 0);
}

/* ---- many at once ---------------------------------------------------------------------- */

static enum sched_run
many_main(struct co *c)
{
    CO_BEGIN;
    c->v[3].p = co_chan(c, 0);
    for (c->k = 0; c->k < 10; c->k++) {
        for (c->i = 0; c->i < 10; c->i++)
            co_go(c, receiver, 0, 0, c->v[3].p, NULL);
        CO_WAIT(timer_sleep(c->m, 1 + c->k % 2));
        for (c->i = 0; c->i < 10; c->i++)
            CO_SEND(c->v[3].p, &c->v[4]);
        CO_WAIT(bubble_wait(c->m));
        bubble_waited(c->m);
    }
    CO_END;
}

static enum sched_run
many_root(struct co *c)
{
    CO_BEGIN;
    CO_BUBBLE(many_main);
    rt_check(bubble_stuck(c->m) == BUBBLE_OVER, "over");
    bubble_leave(c->m);
    HAPPENS(c->w, LATE);
    CO_END;
}

static enum sched_run
many(struct co *c)
{
    CO_BEGIN;
    for (c->i = 0; c->i < 200; c->i++)
        co_go(c, many_root, 0, 0, NULL, NULL);
    while (COUNT(c->w, LATE) < 200)
        CO_YIELD();
    rt_check(COUNT(c->w, EVENTS) == 200 * 100, "each has received");
    CO_END;
}

static void
test_many(void **state)
{
    struct world w;

    (void)state;
    FOR_PROCS(p)
        assert_int_equal(world_run(&w, p, many), 0);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_clock),
        cmocka_unit_test(test_waits),
        cmocka_unit_test(test_belongs),
        cmocka_unit_test(test_ends),
        cmocka_unit_test(test_held),
        cmocka_unit_test(test_many),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
