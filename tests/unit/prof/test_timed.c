/* SPDX-License-Identifier: MIT */
/* What a finished profile says: its period, its samples, and those for which
 * there was no room. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "profile/record/pc.h"
#include "profile/record/profile.h"

/* The stack that is interrupted. */
static vpc stack[PROF_STACK_MAX];
static uint32_t depth;
static uint64_t goid = 1;

static void
interrupted(void *ctx, const void *ucontext, vpc *pcs, uint32_t max,
    struct prof_where *w)
{
    (void)ctx;
    (void)ucontext;
    assert_int_equal(max, PROF_STACK_MAX);
    memcpy(pcs, stack, depth * sizeof *pcs);
    w->n = depth;
    w->goid = goid;
}

static void
nothing(void *ctx)
{
    (void)ctx;
}

static const struct prof_host host = {.interrupted = interrupted,
    .wait_enter = nothing, .wait_leave = nothing};

/* Takes nothing out of the ring: what does not fit there is lost. */
static void sleeper(void *arg);

static enum rt_status
begin(struct prof *p, uint32_t hz, struct rt_err *e)
{
    (void)p;
    (void)hz;
    (void)e;
    return RT_OK;
}

static void
end(struct prof *p, bool fini)
{
    (void)p;
    (void)fini;
}

static const struct prof_timed_kind kind = {.busy = "on", .none = "off",
    .thread_name = "test", .state = "running", .thread = sleeper,
    .begin = begin, .end = end};

static struct prof p;
static struct rt_clock the_clock;

static void
sleeper(void *arg)
{
    (void)arg;
    while (!rt_note_tsleep(&p.cpu.stop, 1000000000))
        continue;
}

static struct prof_timed *
start(uint32_t hz)
{
    struct rt_err e;

    rt_clock_init(&the_clock);
    memset(&p, 0, sizeof p);
    p.host = &host;
    p.clock = &the_clock;
    prof_timed_init(&p.cpu, &kind);
    assert_int_equal(prof_timed_start(&p, &p.cpu, hz, &e), RT_OK);
    assert_int_equal(prof_timed_start(&p, &p.cpu, hz, &e), RT_ESTATE);
    return &p.cpu;
}

static struct prof_timed_profile *
stop(void)
{
    struct prof_timed_profile *f;
    struct rt_err e;

    assert_int_equal(prof_timed_stop(&p, &p.cpu, &f, &e), RT_OK);
    assert_non_null(f);
    return f;
}

static void
finish(struct prof_timed_profile *f)
{
    struct prof_timed_profile *none;
    struct rt_err e;

    prof_timed_free(f);
    assert_int_equal(prof_timed_stop(&p, &p.cpu, &none, &e), RT_ESTATE);
    assert_null(none);
    prof_timed_fini(&p, &p.cpu);
}

/* Samples that come hz times a second stand for that part of it; those of
 * whoever looks at everybody now and then, for the time between. */
static void
periods(void **state)
{
    static const struct {
        uint32_t hz;
        int64_t ns;
    } want[] = {{0, 10000000}, {1, 1000000000}, {100, 10000000},
        {7, 142857142}, {10000, 100000}, {10001, 100000},
        {UINT32_MAX, 100000}};
    struct prof_timed_profile *f;
    struct rt_err e;

    (void)state;
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        start(want[i].hz);
        f = stop();
        assert_int_equal(f->period_ns, want[i].ns);
        assert_int_equal(f->samples + f->lost + f->n + f->ticks, 0);
        finish(f);
    }
    for (uint64_t ticks = 1; ticks < 10; ticks += 4) {
        start(100)->ticks = ticks;
        f = stop();
        assert_int_equal(f->ticks, ticks);
        assert_true(f->duration_ns > 0);
        assert_int_equal(f->period_ns, f->duration_ns / (int64_t)ticks);
        prof_timed_free(f);
        /* The next one begins without them. */
        assert_int_equal(prof_timed_start(&p, &p.cpu, 100, &e), RT_OK);
        f = stop();
        assert_int_equal(f->ticks, 0);
        finish(f);
    }
}

/* The ring takes so many samples of full depth and loses the others, which
 * are one record more; the next profile begins with none. */
static void
lost_samples_are_a_record(void **state)
{
    enum { FIT = (1 << 15) / (5 + PROF_STACK_MAX), LOST = 7 };
    struct prof_timed_profile *f;
    struct prof_timed *t;

    (void)state;
    t = start(100);
    depth = PROF_STACK_MAX;
    for (uint32_t i = 0; i < depth; i++)
        stack[i] = vpc_make(i + 1, i);
    for (int i = 0; i < FIT + LOST; i++)
        prof_timed_signal(&p, t, NULL);
    f = stop();
    assert_int_equal(f->samples, FIT);
    assert_int_equal(f->lost, LOST);
    assert_int_equal(f->n, 2);
    assert_int_equal(f->v[0].count, FIT);
    assert_int_equal(f->v[0].nstk, PROF_STACK_MAX);
    assert_memory_equal(f->v[0].stk, stack, sizeof stack);
    assert_int_equal(f->v[1].count, LOST);
    assert_int_equal(f->v[1].nstk, 1);
    assert_int_equal(f->v[1].stk[0], prof_pc_mark(PROF_MARK_LOST));
    assert_string_equal(f->v[1].state, "running");
    prof_timed_free(f);

    struct rt_err e;
    assert_int_equal(prof_timed_start(&p, t, 100, &e), RT_OK);
    prof_timed_signal(&p, t, NULL);
    f = stop();
    assert_int_equal(f->samples, 1);
    assert_int_equal(f->lost, 0);
    assert_int_equal(f->n, 1);
    finish(f);
}

/* Signals before and after a profile are nobody's; where only goroutines
 * count, neither are those of threads that run none. */
static void
samples_of_nobody(void **state)
{
    static struct prof_timed_kind only_g;
    struct prof_timed_profile *f;
    struct prof_timed *t;

    (void)state;
    t = start(100);
    depth = 1;
    stack[0] = vpc_make(1, 1);
    goid = 0;
    prof_timed_signal(&p, t, NULL);
    f = stop();
    assert_int_equal(f->samples, 1);
    prof_timed_signal(&p, t, NULL);
    prof_timed_free(f);

    struct rt_err e;
    only_g = kind;
    only_g.only_g = true;
    t->kind = &only_g;
    assert_int_equal(prof_timed_start(&p, t, 100, &e), RT_OK);
    prof_timed_signal(&p, t, NULL);
    goid = 1;
    prof_timed_signal(&p, t, NULL);
    f = stop();
    assert_int_equal(f->samples, 1);
    finish(f);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(periods),
        cmocka_unit_test(lost_samples_are_a_record),
        cmocka_unit_test(samples_of_nobody),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
