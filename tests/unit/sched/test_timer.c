/* SPDX-License-Identifier: MIT */
/* The heap of timers, and channels with a timer. */
#include "tests/unit/sched/fake.h"

#include <stdlib.h>

#include "sched/sched_int.h"

static const uint64_t HOUR = UINT64_C(3600000000000);

/* ---- the heap ------------------------------------------------------------------ */

enum { HEAP = 200, STEPS = 3000 };

static struct sched_timer heap[HEAP];

static void
never(struct sched_m *m, struct sched_timer *t, uint64_t now)
{
    (void)m;
    (void)t;
    (void)now;
    rt_throw("fired after an hour");
}

static uint64_t
some_time(struct rt_rand *r)
{
    return HOUR * 1000 + rt_rand_below(r, 500);
}

/* Timers come, go and are set to another time, at random places; after each
 * step the heap is one. */
static enum sched_run
heap_steps(struct co *c)
{
    const struct sched_pi *p = pi_of(c->m->p);
    struct rt_rand r;

    rt_rand_init(&r, 17);
    memset(heap, 0, sizeof heap);
    for (int i = 0; i < STEPS; i++) {
        struct sched_timer *t = &heap[rt_rand_below(&r, HEAP)];
        bool armed = aptr_load_rlx(&t->heap) != NULL;

        t->fire = never;
        switch (rt_rand_below(&r, 3)) {
        case 0:
            rt_check(timer_stop(c->m, t) == armed, "stop");
            break;
        default:
            timer_set(c->m, t, some_time(&r));
            rt_check(aptr_load_rlx(&t->heap) == &p->timers, "set");
            break;
        }
        rt_check(timers_valid(&p->timers), "heap");
    }
    /* Out of the middle, so that the last comes to places where it is less
     * than what is above. */
    for (int i = 0; i < HEAP; i++) {
        timer_stop(c->m, &heap[i]);
        rt_check(timers_valid(&p->timers), "heap");
    }
    rt_check(p->timers.n == 0, "empty");
    return SCHED_RUN_DONE;
}

/* What timers_valid() is to see. */
static enum sched_run
heap_damage(struct co *c)
{
    struct sched_pi *p = pi_of(c->m->p);
    struct sched_timers *h = &p->timers;
    uint64_t when;

    memset(heap, 0, sizeof heap);
    for (uint32_t i = 0; i < 30; i++) {
        heap[i].fire = never;
        timer_set(c->m, &heap[i], HOUR * 1000 + i);
    }
    for (uint32_t i = 1; i < 30; i++) {
        when = h->heap[i]->when;
        h->heap[i]->when = HOUR; /* less than the root */
        rt_check(!timers_valid(&p->timers), "order");
        h->heap[i]->when = when;
        h->heap[i]->heap_pos--;
        rt_check(!timers_valid(&p->timers), "place");
        h->heap[i]->heap_pos++;
        aptr_store_rlx(&h->heap[i]->heap, NULL);
        rt_check(!timers_valid(&p->timers), "owner");
        aptr_store_rlx(&h->heap[i]->heap, h);
    }
    h->n++;
    rt_check(!timers_valid(&p->timers), "one too many");
    h->n -= 2;
    rt_check(!timers_valid(&p->timers), "one too few");
    h->n++;
    when = a64_load_rlx(&h->next);
    a64_store_rlx(&h->next, when + 1);
    rt_check(!timers_valid(&p->timers), "next");
    a64_store_rlx(&h->next, when);
    rt_check(timers_valid(&p->timers), "mended");
    for (uint32_t i = 0; i < 30; i++)
        timer_stop(c->m, &heap[i]);
    return SCHED_RUN_DONE;
}

/* A wait ends at the timer or after `most`, whichever is first. */
static void
test_wait(void **state)
{
    enum { MOST = 500 };

    (void)state;
    assert_int_equal(timers_wait(0, 1000, MOST), MOST);
    assert_int_equal(timers_wait(1, 1000, MOST), 0);
    assert_int_equal(timers_wait(1000, 1000, MOST), 0);
    for (uint64_t ahead = 1; ahead < MOST; ahead++)
        assert_int_equal(timers_wait(1000 + ahead, 1000, MOST), ahead);
    assert_int_equal(timers_wait(1000 + MOST, 1000, MOST), MOST);
    assert_int_equal(timers_wait(UINT64_MAX, 1000, MOST), MOST);
    assert_int_equal(timers_wait(UINT64_MAX, UINT64_MAX - 9, MOST), 9);
}

static void
test_heap(void **state)
{
    struct world w;

    (void)state;
    assert_int_equal(world_run(&w, 1, heap_steps), 0);
    assert_int_equal(world_run(&w, 1, heap_damage), 0);
}

/* ---- what fires, and when --------------------------------------------------------- */

/* count 0: how many have fired; root[1]: the last one */
static void
in_order(struct sched_m *m, struct sched_timer *t, uint64_t now)
{
    struct world *w = (struct world *)(uintptr_t)t->arg;
    struct sched_timer *last = w->root[1];

    rt_check(aptr_load_acq(&t->heap) == NULL, "out of the heap");
    rt_check(now >= t->when, "too early");
    rt_check(last == NULL || last->when <= t->when, "order");
    rt_check(m->p != NULL && m->g == NULL, "in the scheduler");
    w->root[1] = t;
    a64_add_full(&w->count[0], 1);
}

/* On one P nobody else fires: all that are due do in one call, by time, and
 * no others. */
static enum sched_run
fires(struct co *c)
{
    struct sched_pi *p = pi_of(c->m->p);
    struct rt_rand r;
    uint64_t now = HOUR * 1000 + 250;
    uint32_t due = 0;

    rt_rand_init(&r, 3);
    memset(heap, 0, sizeof heap);
    for (int i = 0; i < HEAP; i++) {
        heap[i].fire = in_order;
        heap[i].arg = (uint64_t)(uintptr_t)c->w;
        timer_set(c->m, &heap[i], some_time(&r));
        due += heap[i].when <= now;
    }
    c->m->g = NULL; /* as in the scheduler */
    rt_check(!timers_check(mi_of(c->m), p, HOUR), "nothing is due");
    rt_check(timers_check(mi_of(c->m), p, now), "some are due");
    rt_check(a64_load_acq(&c->w->count[0]) == due, "all that are due");
    rt_check(timers_valid(&p->timers) && p->timers.n == HEAP - due, "the rest");
    rt_check(!timers_check(mi_of(c->m), p, now), "once");
    rt_check(timers_check(mi_of(c->m), p, HOUR * 1001), "the rest");
    rt_check(a64_load_acq(&c->w->count[0]) == HEAP, "all");
    c->m->g = c->g;
    return SCHED_RUN_DONE;
}

/* A timer that starts itself again at once does not keep its M for ever. */
static void
again(struct sched_m *m, struct sched_timer *t, uint64_t now)
{
    timer_set(m, t, now + 1);
}

static enum sched_run
restarts(struct co *c)
{
    struct sched_pi *p = pi_of(c->m->p);

    memset(heap, 0, sizeof heap);
    for (int i = 0; i < HEAP; i++) {
        heap[i].fire = again;
        timer_set(c->m, &heap[i], HOUR * 1000);
    }
    c->m->g = NULL; /* as in the scheduler */
    rt_check(timers_check(mi_of(c->m), p, HOUR * 1000), "due");
    c->m->g = c->g;
    rt_check(p->timers.n == HEAP && timers_valid(&p->timers), "again");
    for (int i = 0; i < HEAP; i++)
        rt_check(timer_stop(c->m, &heap[i]), "stop");
    return SCHED_RUN_DONE;
}

static void
test_fires(void **state)
{
    struct world w;

    (void)state;
    assert_int_equal(world_run(&w, 1, fires), 0);
    assert_int_equal(world_run(&w, 1, restarts), 0);
}

/* ---- channels with a timer ----------------------------------------------------------- */

static void
value(void *data, uint64_t arg, uint64_t when, uint64_t now,
    bool bubble, union rt_slot *v)
{
    (void)data;
    (void)bubble;
    rt_check(now >= when && arg == 5, "value");
    v->u = when;
}

static void
called(struct sched_m *m, void *data, uint64_t arg)
{
    struct world *w = (struct world *)(uintptr_t)arg;

    (void)m;
    rt_check(data == NULL, "data");
    a64_add_full(&w->count[1], 1);
}

static const struct tchan_ops sends = {&layout_int, value, NULL, false};
static const struct tchan_ops calls = {&layout_int, NULL, called, false};

static uint32_t
armed(struct co *c)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < a32_load_acq(&c->w->s->nall); i++) {
        struct sched_pi *p = c->w->s->allp[i];

        rt_lock(&p->timers.lock);
        rt_check(timers_valid(&p->timers), "heap");
        n += p->timers.n;
        rt_unlock(&p->timers.lock);
    }
    return n;
}

static bool
try_recv(struct co *c, struct sched_chan *ch)
{
    struct chan_case k = {ch, &c->v[6], false};

    rt_check(chan_select(c->m, &k, 1, true) == CHAN_DONE, "select");
    return c->g->sel_index == 0;
}

/* Without a goroutine that waits nothing is in a heap, whatever time it is;
 * the channel seems to have no buffer. */
static enum sched_run
unobserved(struct co *c)
{
    uint64_t now = sched_now(c->w->s);
    struct sched_chan *ch = c->v[2].p = tchan_make(c->m, &sends, NULL, 5);

    rt_check(ch != NULL && chan_cap(ch) == 0 && chan_len(ch) == 0, "made");
    rt_check(!try_recv(c, ch) && !tchan_stop(c->m, ch), "not set");
    rt_check(!tchan_set(c->m, ch, now + HOUR, 0), "set");
    rt_check(!try_recv(c, ch) && armed(c) == 0, "not yet");
    rt_check(tchan_set(c->m, ch, now, 0) && chan_len(ch) == 0, "earlier");
    rt_check(try_recv(c, ch) && c->v[6].u == now, "expired");
    rt_check(!try_recv(c, ch) && !tchan_stop(c->m, ch), "once");
    /* What was not received is gone. */
    rt_check(!tchan_set(c->m, ch, now, 0), "set again");
    rt_check(tchan_stop(c->m, ch) && !try_recv(c, ch), "stale");
    rt_check(!tchan_set(c->m, ch, now, 0), "set after stop");
    rt_check(tchan_set(c->m, ch, now + HOUR, 0) && !try_recv(c, ch), "later");
    /* The first of those that were missed, then those that keep the beat. */
    rt_check(tchan_set(c->m, ch, now - 10, HOUR), "ticker");
    rt_check(try_recv(c, ch) && c->v[6].u == now - 10, "tick");
    rt_check(!try_recv(c, ch) && armed(c) == 0, "no tick");
    rt_check(tchan_stop(c->m, ch), "a ticker is always on");
    return SCHED_RUN_DONE;
}

/* While a goroutine waits the timer is in a heap, and only then. */
static enum sched_run
waits(struct co *c)
{
    CO_BEGIN;
    CO_RECV(c->v[2].p, &c->v[4]);
    a64_add_full(&c->w->count[3], 1);
    do {
        c->cases[0] = (struct chan_case){c->v[2].p, &c->v[4], false};
        c->cases[1] = (struct chan_case){c->v[3].p, &c->v[4], false};
        CO_WAIT(chan_select(c->m, c->cases, 2, false) == CHAN_PARK);
    } while (c->g->sel_index == 0);
    a64_add_full(&c->w->count[2], 1);
    CO_END;
}

/* Until goroutines wait as they should; they are on their way there. */
#define UNTIL(cond)    \
    while (!(cond))    \
    CO_YIELD()

static enum sched_run
observed(struct co *c)
{
    CO_BEGIN;
    c->v[2].p = tchan_make(c->m, &sends, NULL, 5);
    c->v[3].p = co_chan(c, 0);
    tchan_set(c->m, c->v[2].p, sched_now(c->w->s) + HOUR, HOUR);
    for (c->i = 0; c->i < 3; c->i++)
        co_go(c, waits, 0, 0, c->v[2].p, c->v[3].p);
    /* An expiry for each of them; some may have several. */
    while (a64_load_acq(&c->w->count[3]) < 3) {
        tchan_set(c->m, c->v[2].p, 1, 0);
        CO_YIELD();
    }
    tchan_set(c->m, c->v[2].p, HOUR * 1000, 0);
    /* They come to the select, which another channel ends: then nobody waits
     * for the timer any more. */
    for (c->i = 0; c->i < 3; c->i++)
        CO_SEND(c->v[3].p, &c->v[5]);
    UNTIL(a64_load_acq(&c->w->count[2]) == 3);
    UNTIL(armed(c) == 0);
    CO_END;
}

static enum sched_run
calling(struct co *c)
{
    CO_BEGIN;
    c->v[2].p = tchan_make(c->m, &calls, NULL, (uint64_t)(uintptr_t)c->w);
    rt_check(!tchan_set(c->m, c->v[2].p, HOUR * 1000, 0), "set");
    rt_check(armed(c) == 1 && !try_recv(c, c->v[2].p), "armed");
    rt_check(tchan_stop(c->m, c->v[2].p) && armed(c) == 0, "stopped");
    rt_check(!tchan_set(c->m, c->v[2].p, HOUR * 1000, 0), "set again");
    rt_check(tchan_set(c->m, c->v[2].p, 1, 0), "set to the past");
    UNTIL(a64_load_acq(&c->w->count[1]) == 1);
    rt_check(!tchan_stop(c->m, c->v[2].p) && armed(c) == 0, "called");
    CO_END;
}

/* The one that waits has been woken by another channel, and has not run yet:
 * then the value goes into the ring, where setting the timer finds it. */
static enum sched_run
loser(struct co *c)
{
    CO_BEGIN;
    c->cases[0] = (struct chan_case){c->v[2].p, &c->v[4], false};
    c->cases[1] = (struct chan_case){c->v[3].p, &c->v[4], false};
    a64_add_full(&c->w->count[4], 1);
    CO_WAIT(chan_select(c->m, c->cases, 2, false) == CHAN_PARK);
    rt_check(c->g->sel_index == 1, "the other one");
    CO_END;
}

static enum sched_run
lost_value(struct co *c)
{
    CO_BEGIN;
    c->v[2].p = tchan_make(c->m, &sends, NULL, 5);
    c->v[3].p = co_chan(c, 0);
    tchan_set(c->m, c->v[2].p, HOUR * 1000, HOUR);
    co_go(c, loser, 0, 0, c->v[2].p, c->v[3].p);
    UNTIL(a64_load_acq(&c->w->count[4]) == 1 && armed(c) == 1);
    c->cases[0] = (struct chan_case){c->v[3].p, &c->v[5], true};
    rt_check(chan_select(c->m, c->cases, 1, true) == CHAN_DONE &&
        c->g->sel_index == 0, "it waits");
    c->m->g = NULL; /* as in the scheduler */
    timers_check(mi_of(c->m), pi_of(c->m->p), HOUR * 1000);
    c->m->g = c->g;
    rt_check(armed(c) == 0, "nobody waits any more");
    rt_check(tchan_set(c->m, c->v[2].p, HOUR * 2000, HOUR), "it was on");
    rt_check(!try_recv(c, c->v[2].p), "stale");
    CO_END;
}

/* Nobody waits for it: that is a deadlock, and not an hour's wait. */
static enum sched_run
forgotten(struct co *c)
{
    CO_BEGIN;
    c->v[2].p = tchan_make(c->m, &sends, NULL, 5);
    tchan_set(c->m, c->v[2].p, sched_now(c->w->s) + HOUR, HOUR);
    CO_WAIT(chan_recv(c->m, NULL, NULL) == CHAN_PARK);
    CO_END;
}

static void
test_tchan(void **state)
{
    struct world w;

    (void)state;
    FOR_PROCS(p) {
        assert_int_equal(world_run(&w, p, unobserved), 0);
        assert_int_equal(world_run(&w, p, observed), 0);
        assert_int_equal(world_run(&w, p, calling), 0);
        assert_int_equal(world_run(&w, p, forgotten), 2);
    }
    assert_int_equal(world_run(&w, 1, lost_value), 0);
}

/* ---- who sleeps until the next one --------------------------------------------------- */

/* With nothing to do a thread sleeps until the first of all timers, also if
 * that is set later, to an earlier time. */
static enum sched_run
sleeps(struct co *c)
{
    struct sched *s = c->w->s;

    CO_BEGIN;
    memset(heap, 0, sizeof heap);
    for (c->i = 3; c->i > 0; c->i--) {
        heap[c->i].fire = never;
        if (timer_set(c->m, &heap[c->i], HOUR * 1000 * (uint64_t)c->i))
            timer_kick(s, heap[c->i].when);
        UNTIL(a64_load_acq(&s->sleep_until) == heap[c->i].when);
    }
    for (c->i = 3; c->i > 0; c->i--)
        rt_check(timer_stop(c->m, &heap[c->i]), "stop");
    CO_END;
}

static void
test_sleeps(void **state)
{
    struct world w;

    (void)state;
    assert_int_equal(world_run(&w, 2, sleeps), 0);
    assert_int_equal(world_run(&w, 8, sleeps), 0);
}

/* ---- storms ---------------------------------------------------------------------------- */

enum { TICKERS = 30, TICKS = 40 };

/* Receives ticks, sometimes by a select that something else may end; sets the
 * ticker of all now and then. */
static enum sched_run
tick_user(struct co *c)
{
    CO_BEGIN;
    for (c->i = 0; c->i < TICKS; c->i++) {
        c->cases[0] = (struct chan_case){c->v[2].p, &c->v[4], false};
        c->cases[1] = (struct chan_case){c->v[3].p, &c->v[4], false};
        c->cases[2] = (struct chan_case){c->w->root[0], &c->v[4], false};
        CO_WAIT(chan_select(c->m, c->cases, 3, false) == CHAN_PARK);
        if (c->i % 8 == 7)
            tchan_set(c->m, c->v[3].p, sched_now(c->w->s) + 20000, 30000);
        if (c->i % 8 == 3)
            tchan_stop(c->m, c->v[2].p);
        if (c->i % 8 == 3)
            tchan_set(c->m, c->v[2].p, 1, 10000);
        CO_LOOP();
    }
    a64_add_full(&c->w->count[0], 1);
    tchan_stop(c->m, c->v[2].p);
    CO_END;
}

static enum sched_run
storm(struct co *c)
{
    CO_BEGIN;
    c->w->root[0] = co_chan(c, 0);
    c->v[3].p = tchan_make(c->m, &sends, NULL, 5);
    tchan_set(c->m, c->v[3].p, 1, 30000);
    for (c->i = 0; c->i < TICKERS; c->i++) {
        c->v[2].p = tchan_make(c->m, &sends, NULL, 5);
        tchan_set(c->m, c->v[2].p, 1, 10000);
        co_go(c, tick_user, 0, 0, c->v[2].p, c->v[3].p);
    }
    while (a64_load_acq(&c->w->count[0]) < TICKERS) {
        c->cases[0] = (struct chan_case){c->w->root[0], &c->v[4], true};
        CO_WAIT(chan_select(c->m, c->cases, 1, true) == CHAN_PARK);
        CO_WAIT(timer_sleep(c->m, 50000));
    }
    tchan_stop(c->m, c->v[3].p);
    rt_check(armed(c) == 0, "nothing is left");
    CO_END;
}

static void
test_storm(void **state)
{
    struct world w;

    (void)state;
    FOR_PROCS(p)
        assert_int_equal(world_run(&w, p, storm), 0);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wait),
        cmocka_unit_test(test_heap),
        cmocka_unit_test(test_fires),
        cmocka_unit_test(test_tchan),
        cmocka_unit_test(test_sleeps),
        cmocka_unit_test(test_storm),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
