/* SPDX-License-Identifier: MIT */
/* Vectors of clocks against plain arrays: random operations on vectors of all
 * lengths, which share pieces, do what the same does to arrays of their own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "runtime/base/rand.h"
#include "runtime/race/race_int.h"
#include "tests/unit/race/fake.h"

enum { N = 6, SLOTS = 4 * RACE_CLOCKS + 5, STEPS = 20000 };

struct pair {
    struct race_vec vec, merged;
    uint32_t plain[SLOTS];
};

static void
same(const struct pair *p)
{
    assert_true(race_vec_valid(&p->vec) && race_vec_valid(&p->merged));
    for (uint32_t i = 0; i < SLOTS; i++)
        assert_int_equal(race_vec_at(&p->vec, i), p->plain[i]);
    assert_int_equal(race_vec_at(&p->vec, SLOTS + RACE_CLOCKS), 0);
}

static uint32_t
most(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* One of them to a, which changes, and perhaps to b. */
static void
step(struct race *r, unsigned what, struct pair *a, struct pair *b)
{
    /* Whatever takes something away from a forgets what was merged. */
    if (what == 1 || what == 3 || what == 5)
        race_vec_clear(&r->mem, &a->merged);
    if (what == 3)
        race_vec_clear(&r->mem, &b->merged);
    switch (what) {
    case 0:
        race_vec_join(&r->mem, &a->vec, &b->vec);
        break;
    case 1:
        race_vec_set(&r->mem, &a->vec, &b->vec);
        break;
    case 2:
        race_vec_meet(&r->mem, &a->vec, &b->vec);
        break;
    case 3:
        race_vec_swap(&r->mem, &a->vec, &b->vec);
        break;
    case 4:
        race_vec_merge(&r->mem, &a->vec, &b->vec, &a->merged);
        break;
    default:
        race_vec_clear(&r->mem, &a->vec);
        break;
    }
    for (uint32_t i = 0; i < SLOTS; i++) {
        uint32_t x = a->plain[i], y = b->plain[i];

        a->plain[i] = what == 1 ? y : what == 5 ? 0 : most(x, y);
        if (what == 2)
            b->plain[i] = most(x, y);
        else if (what == 3)
            b->plain[i] = x;
    }
}

/* limit: of the slots that are used. */
static void
play(struct race *r, uint32_t limit, uint64_t seed)
{
    static struct pair v[N];
    struct rt_rand rand;

    memset(v, 0, sizeof v);
    rt_rand_init(&rand, seed);
    for (uint32_t k = 0; k < STEPS; k++) {
        unsigned i = rt_rand_below(&rand, N), j = rt_rand_below(&rand, N);
        /* Ticks, which are most, and now and then an end. */
        unsigned what = rt_rand_below(&rand, 64);

        if (what < 32 || i == j) {
            uint32_t slot = rt_rand_below(&rand, limit);

            race_vec_put(&r->mem, &v[i].vec, slot, ++v[i].plain[slot]);
        } else {
            step(r, what == 63 ? 5 : what % 5, &v[i], &v[j]);
        }
        same(&v[i]);
        same(&v[j]);
    }
    for (unsigned i = 0; i < N; i++) {
        same(&v[i]);
        race_vec_free(&r->mem, &v[i].vec);
        race_vec_free(&r->mem, &v[i].merged);
    }
}

static void
vectors_are_arrays(void **state)
{
    static const uint32_t limits[] = {3, RACE_CLOCKS_FEW + 1, RACE_CLOCKS,
        RACE_CLOCKS + 1, SLOTS};
    struct fake f;

    (void)state;
    fake_begin(&f);
    for (unsigned i = 0; i < sizeof limits / sizeof *limits; i++)
        play(f.race, limits[i], i + 1);
    fake_end(&f);
}

/*
 * The same as a program does it: half of the vectors are goroutines, each with
 * a slot that only it counts on, whenever it has let others know something;
 * the others are objects.  Many slots in one piece, and few.
 */
static void
play_ticks(struct race *r, uint32_t apart, uint64_t seed)
{
    static struct pair v[N];
    struct rt_rand rand;

    memset(v, 0, sizeof v);
    rt_rand_init(&rand, seed);
    for (uint32_t k = 0; k < STEPS; k++) {
        unsigned i = rt_rand_below(&rand, N / 2);
        unsigned j = N / 2 + rt_rand_below(&rand, N / 2);
        unsigned what = rt_rand_below(&rand, 5);

        if (what == 2) /* goroutines meet */
            j = (i + 1) % (N / 2);
        if (what == 1 || what == 4) /* released into an object */
            step(r, what, &v[j], &v[i]);
        else
            step(r, what, &v[i], &v[j]);
        for (unsigned g = 0; g < N / 2 && what != 0; g++) {
            uint32_t slot = RACE_CLOCKS - 1 + g * apart;

            if (g == i || g == j)
                race_vec_tick(&r->mem, &v[g].vec, slot, ++v[g].plain[slot]);
        }
        same(&v[i]);
        same(&v[j]);
    }
    for (unsigned i = 0; i < N; i++) {
        race_vec_free(&r->mem, &v[i].vec);
        race_vec_free(&r->mem, &v[i].merged);
    }
}

static void
ticks_tell(void **state)
{
    static const uint32_t apart[] = {1, RACE_CLOCKS / 2, RACE_CLOCKS};
    struct fake f;

    (void)state;
    fake_begin(&f);
    for (unsigned i = 0; i < sizeof apart / sizeof *apart; i++)
        play_ticks(f.race, apart[i], i + 1);
    fake_end(&f);
}

/* What is the same is kept once. */
static void
pieces_are_shared(void **state)
{
    struct fake f;
    struct race_vec a = {0}, b = {0};

    (void)state;
    fake_begin(&f);
    for (uint32_t i = 0; i < SLOTS; i++)
        race_vec_put(&f.race->mem, &a, i, i + 1);
    race_vec_set(&f.race->mem, &b, &a);
    assert_ptr_equal(a.c[1], b.c[1]);
    race_vec_put(&f.race->mem, &b, RACE_CLOCKS, 1000);
    assert_ptr_not_equal(a.c[1], b.c[1]);
    assert_ptr_equal(a.c[2], b.c[2]);
    assert_int_equal(race_vec_at(&a, RACE_CLOCKS), RACE_CLOCKS + 1);
    race_vec_meet(&f.race->mem, &a, &b);
    assert_ptr_equal(a.c[1], b.c[1]);
    race_vec_free(&f.race->mem, &a);
    assert_int_equal(race_vec_at(&b, RACE_CLOCKS), 1000);
    race_vec_free(&f.race->mem, &b);
    fake_end(&f);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vectors_are_arrays),
        cmocka_unit_test(ticks_tell),
        cmocka_unit_test(pieces_are_shared),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
