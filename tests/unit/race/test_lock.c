/* SPDX-License-Identifier: MIT */
/* Locks that one goroutine has at a time: who takes one again, with nobody else
 * in between, is in the time in which it had it; else it is another time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "runtime/race/race_int.h"
#include "tests/unit/race/fake.h"

enum { LOCK = 4096, GUARDED = 4200, OTHER = 8192, THIRD = 12288 };

/* g takes the lock, accesses what it guards and gives it back; its time while
 * it had it. */
static uint64_t
turn(struct race_g *g)
{
    uint64_t e;

    race_lock(g, fake_at(LOCK));
    e = g->epoch;
    race_write(g, fake_at(GUARDED), 8, NULL, NULL);
    race_unlock(g, fake_at(LOCK));
    assert_int_not_equal(g->epoch, e);
    return e;
}

static void
who_is_alone_with_a_lock_is_in_one_time(void **state)
{
    struct fake f;

    (void)state;
    fake_begin(&f);
    struct race_g *a = race_g_new(f.race, NULL, 1, NULL, 0);
    struct race_g *b = race_g_new(f.race, a, 2, NULL, 0);
    uint64_t e;

    turn(a);
    e = turn(a);
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(turn(a), e);
    /* It has accessed something in between, and what it guards. */
    assert_false(fake_races(&f, a, 0, 1));
    assert_int_not_equal(turn(a), e);
    e = turn(a);
    race_lock(a, fake_at(LOCK));
    assert_int_equal(a->epoch, e);
    assert_false(fake_races(&f, a, 8, 2));
    race_unlock(a, fake_at(LOCK));
    race_lock(a, fake_at(LOCK));
    assert_false(race_write_shared(a, fake_at(8), 8));
    race_unlock(a, fake_at(LOCK));
    /* Others have been there, or have been told of its time. */
    turn(b);
    assert_int_not_equal(turn(a), e);
    e = turn(a);
    race_release(a, fake_at(OTHER));
    assert_int_not_equal(turn(a), e);
    e = turn(a);
    race_mark_ended_stw(f.race);
    assert_int_not_equal(turn(a), e);
    e = turn(a);
    race_pass(f.race, fake_at(LOCK), fake_at(OTHER));
    assert_int_not_equal(turn(a), e);
    assert_true(race_valid(f.race));
    race_g_end(b);
    fake_end(&f);
}

/* What it does when it has taken the lock again is known to whoever has it
 * after that, and not to whoever had it before. */
static void
a_time_that_goes_on_is_heard_as_a_whole(void **state)
{
    struct fake f;

    (void)state;
    fake_begin(&f);
    struct race_g *a = race_g_new(f.race, NULL, 1, NULL, 0);
    struct race_g *b = race_g_new(f.race, a, 2, NULL, 0);
    struct race_g *c = race_g_new(f.race, a, 3, NULL, 0);

    turn(a);
    turn(a);
    race_lock(a, fake_at(LOCK));
    assert_false(fake_races(&f, a, 0, 1));
    /* Nobody can have the lock now; who has overwritten it learns nothing. */
    race_acquire(c, fake_at(LOCK));
    assert_true(fake_races(&f, c, 0, 2));
    race_clear(f.race, fake_at(0), 8);
    assert_false(fake_races(&f, a, 0, 3));
    /* What it learns there it tells, too. */
    assert_false(fake_races(&f, c, 8, 4));
    race_release(c, fake_at(OTHER));
    race_acquire(a, fake_at(OTHER));
    race_unlock(a, fake_at(LOCK));
    assert_false(fake_races(&f, a, 16, 5));
    race_lock(b, fake_at(LOCK));
    assert_false(fake_races(&f, b, 0, 6));
    assert_false(fake_races(&f, b, 8, 7));
    assert_true(fake_races(&f, b, 16, 8));
    race_unlock(b, fake_at(LOCK));
    assert_true(race_valid(f.race));
    race_g_end(c);
    race_g_end(b);
    fake_end(&f);
}

/*
 * Who tells the same time a second time, since there was no access in between,
 * tells all that it knows by then: whoever knew of the time hears the rest.
 */
static void
what_is_told_again_is_heard(void **state)
{
    struct fake f;

    (void)state;
    fake_begin(&f);
    struct race_g *a = race_g_new(f.race, NULL, 1, NULL, 0);
    struct race_g *b = race_g_new(f.race, a, 2, NULL, 0);
    struct race_g *c = race_g_new(f.race, a, 3, NULL, 0);

    assert_false(fake_races(&f, a, 0, 1));
    race_release(a, fake_at(LOCK));
    assert_false(fake_races(&f, b, 8, 2));
    race_release(b, fake_at(OTHER));
    race_acquire(a, fake_at(OTHER));
    race_release(a, fake_at(THIRD));
    race_acquire(c, fake_at(LOCK));
    assert_false(fake_races(&f, c, 0, 3));
    race_acquire(c, fake_at(THIRD));
    assert_false(fake_races(&f, c, 8, 4));
    assert_true(race_valid(f.race));
    race_g_end(c);
    race_g_end(b);
    fake_end(&f);
}

/* What lay there before is forgotten, also by who had it last. */
static void
a_lock_that_is_gone_is_not_taken_back(void **state)
{
    struct fake f;
    uint64_t e;

    (void)state;
    fake_begin(&f);
    struct race_g *a = race_g_new(f.race, NULL, 1, NULL, 0);
    struct race_g *b = race_g_new(f.race, a, 2, NULL, 0);

    turn(a);
    e = turn(a);
    race_clear(f.race, fake_at(LOCK), 8);
    assert_int_not_equal(turn(a), e);
    /* The new one tells what has been done under it. */
    race_lock(b, fake_at(LOCK));
    assert_false(fake_races(&f, b, GUARDED, 1));
    race_unlock(b, fake_at(LOCK));
    /* Also if it goes while it is held, and the object is another's then. */
    race_lock(b, fake_at(LOCK));
    race_clear(f.race, fake_at(LOCK), 8);
    race_release(a, fake_at(THIRD));
    assert_false(fake_races(&f, b, GUARDED, 2));
    race_unlock(b, fake_at(LOCK));
    race_lock(a, fake_at(LOCK));
    assert_false(fake_races(&f, a, GUARDED, 3));
    fake_end(&f);
}

/* A time of which others have heard elsewhere is over, also if that was before
 * the lock was given back. */
static void
a_time_that_others_know_does_not_go_on(void **state)
{
    struct fake f;

    (void)state;
    fake_begin(&f);
    struct race_g *a = race_g_new(f.race, NULL, 1, NULL, 0);
    struct race_g *b = race_g_new(f.race, a, 2, NULL, 0);

    for (unsigned first = 0; first < 2; first++) {
        uint32_t place = 8 * first; /* each race is reported once */
        uint64_t at = 64 * first;

        race_lock(a, fake_at(LOCK));
        assert_false(fake_races(&f, a, at, place + 1));
        if (first == 0)
            race_release(a, fake_at(OTHER));
        race_unlock(a, fake_at(LOCK));
        if (first == 1)
            race_release(a, fake_at(OTHER));
        race_lock(a, fake_at(LOCK));
        assert_false(fake_races(&f, a, at + 8, place + 2));
        race_acquire(b, fake_at(OTHER));
        assert_false(fake_races(&f, b, at, place + 3));
        assert_true(fake_races(&f, b, at + 8, place + 4));
        race_unlock(a, fake_at(LOCK));
    }
    assert_true(race_valid(f.race));
    race_g_end(b);
    fake_end(&f);
}

/* An atomic access is part of the time that it tells, also where it is the first
 * one in it. */
static void
an_atomic_access_is_told_with_what_it_orders(void **state)
{
    struct fake f;

    (void)state;
    fake_begin(&f);
    struct race_g *a = race_g_new(f.race, NULL, 1, NULL, 0);
    struct race_g *b = race_g_new(f.race, a, 2, NULL, 0);

    for (unsigned i = 0; i < 2; i++) {
        const void *p = fake_at(8 * i);

        assert_false(fake_races(&f, a, 64, 1));
        race_release(a, fake_at(OTHER));
        race_atomic_begin(a, p);
        race_atomic_end(a, p, 8, i == 0 ? RACE_STORE : RACE_RMW,
            fake_pc(1, 2), &f);
        race_atomic_begin(b, p);
        race_atomic_end(b, p, 8, RACE_LOAD, fake_pc(1, 3), &f);
        assert_false(fake_races(&f, b, 8 * i, 4));
    }
    assert_true(race_valid(f.race));
    race_g_end(b);
    fake_end(&f);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_is_alone_with_a_lock_is_in_one_time),
        cmocka_unit_test(a_time_that_goes_on_is_heard_as_a_whole),
        cmocka_unit_test(what_is_told_again_is_heard),
        cmocka_unit_test(a_lock_that_is_gone_is_not_taken_back),
        cmocka_unit_test(a_time_that_others_know_does_not_go_on),
        cmocka_unit_test(an_atomic_access_is_told_with_what_it_orders),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
