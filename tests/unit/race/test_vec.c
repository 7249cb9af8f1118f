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

/* One of them to a, which changes, and perhaps to b; where they meet, told is
 * as there. */
static void
step(struct race *r, unsigned what, struct pair *a, struct pair *b,
    uint32_t told)
{
    /* Whatever takes something away from a forgets what was merged. */
    if (what == 1 || what == 3 || what >= 5)
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
        race_vec_meet(&r->mem, &a->vec, &b->vec, told);
        break;
    case 3:
        race_vec_swap(&r->mem, &a->vec, &b->vec);
        break;
    case 4:
        race_vec_merge(&r->mem, &a->vec, &b->vec, &a->merged);
        break;
    case 5:
        race_vec_clear(&r->mem, &a->vec);
        break;
    default:
        /* As of a short one, and of one whose child's slot is far away. */
        race_vec_fork(&r->mem, &a->vec, &b->vec,
            a->plain[0] % 2 == 0 ? 1 : SLOTS - 1, a->plain[1] % 2 == 0);
        break;
    }
    for (uint32_t i = 0; i < SLOTS; i++) {
        uint32_t x = a->plain[i], y = b->plain[i];

        a->plain[i] = what == 1 || what == 6 ? y : what == 5 ? 0 : most(x, y);
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
            step(r, what == 63 ? 5 : what > 56 ? 6 : what % 5, &v[i], &v[j],
                0);
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
play_all(bool wide)
{
    static const uint32_t limits[] = {3, RACE_CLOCKS_FEW + 1, RACE_CLOCKS / 2,
        RACE_CLOCKS, RACE_CLOCKS + 1, SLOTS};
    struct fake f;

    fake_begin(&f);
    f.race->mem.wide &= wide;
    for (unsigned i = 0; i < sizeof limits / sizeof *limits; i++)
        play(f.race, limits[i], i + 1);
    fake_end(&f);
}

static void
vectors_are_arrays(void **state)
{
    (void)state;
    play_all(true);
    play_all(false);
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
        unsigned what = rt_rand_below(&rand, 6);
        uint32_t mine = RACE_CLOCKS - 1 + i * apart;

        if (what == 2 || what == 5) /* goroutines meet, or one is made */
            j = (i + 1) % (N / 2);
        if (what == 5) {
            /* In the slot of one whose end it has seen. */
            step(r, 0, &v[j], &v[i], 0);
            step(r, 6, &v[i], &v[j], 0);
        } else if (what == 1 || what == 4) /* released into an object */
            step(r, what, &v[j], &v[i], 0);
        else
            step(r, what, &v[i], &v[j],
                v[i].plain[mine] > 0 && k % 3 > 0 ? mine : 0);
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
    race_vec_meet(&f.race->mem, &a, &b, 0);
    assert_ptr_equal(a.c[1], b.c[1]);
    race_vec_free(&f.race->mem, &a);
    assert_int_equal(race_vec_at(&b, RACE_CLOCKS), 1000);
    race_vec_free(&f.race->mem, &b);
    fake_end(&f);
}

/* c, which knew all of a, hears what a has learnt since without a tick. */
static void
hears(struct race *r, struct race_vec *c, struct race_vec *a, uint32_t slot,
    uint32_t clock)
{
    assert_int_equal(race_vec_at(a, slot), clock);
    race_vec_join(&r->mem, c, a);
    assert_int_equal(race_vec_at(c, slot), clock);
    race_vec_free(&r->mem, a);
    race_vec_free(&r->mem, c);
}

/* A piece that has changed in any other way than by its tick is not known to
 * whoever knows the tick. */
static void
what_comes_after_a_tick_is_heard(void **state)
{
    static const uint32_t pieces[] = {0, RACE_CLOCKS};
    struct fake f;

    (void)state;
    fake_begin(&f);
    struct race_mem *m = &f.race->mem;
    /* The other's slot in the first piece, which may be copied, or also in
     * another. */
    for (unsigned long p = 0; p < 2; p++)
        for (unsigned way = 0; way < 6; way++) {
            struct race_vec a = {0}, b = {0}, c = {0}, merged = {0};
            uint32_t at = pieces[p];

            race_vec_tick(m, &a, at, 1);
            race_vec_set(m, &c, &a);
            if (way == 2 || way == 4)
                race_vec_tick(m, &b, at + 1, 5);
            else
                race_vec_put(m, &b, at + 1, 5);
            switch (way) {
            case 0:
                race_vec_put(m, &a, at + 1, 5);
                break;
            case 1:
            case 2:
                race_vec_meet(m, &a, &b, 0);
                break;
            case 3:
                race_vec_swap(m, &a, &b);
                break;
            case 4:
                race_vec_join(m, &a, &b);
                break;
            default:
                race_vec_merge(m, &a, &b, &merged);
                break;
            }
            race_vec_free(m, &merged);
            race_vec_free(m, &b);
            hears(f.race, &c, &a, at + 1, 5);
        }
    /* The same of the second that a meeting changes. */
    struct race_vec a = {0}, b = {0}, c = {0};
    race_vec_tick(m, &b, 1, 5);
    race_vec_set(m, &c, &b);
    race_vec_put(m, &a, 0, 1);
    race_vec_meet(m, &a, &b, 0);
    race_vec_free(m, &a);
    hears(f.race, &c, &b, 0, 1);
    fake_end(&f);
}

/* What lies behind a short piece that others have, too, is not its. */
static void
short_pieces_end_where_they_end(void **state)
{
    struct race_vec a = {0}, b = {0}, y = {0}, behind[8] = {{0}};
    struct fake f;

    (void)state;
    fake_begin(&f);
    struct race_mem *m = &f.race->mem;
    race_vec_put(m, &a, 0, 1);
    for (unsigned i = 0; i < 8; i++)
        for (uint32_t k = 0; k < RACE_CLOCKS_FEW; k++)
            race_vec_put(m, &behind[i], k, 1000);
    race_vec_put(m, &a, RACE_CLOCKS, 1);
    race_vec_set(m, &b, &a);
    assert_ptr_equal(a.c[0], b.c[0]);
    assert_int_equal(a.c[0]->n, RACE_CLOCKS_FEW);
    /* Clocks that another's are greater than, where that is looked at. */
    race_vec_put(m, &y, RACE_CLOCKS_FEW + 18, 7);
    race_vec_put(m, &y, RACE_CLOCKS, 7);
    race_vec_join(m, &a, &y);
    assert_int_equal(race_vec_at(&a, 0), 1);
    assert_int_equal(race_vec_at(&a, RACE_CLOCKS_FEW + 18), 7);
    assert_int_equal(race_vec_at(&a, RACE_CLOCKS), 7);
    assert_int_equal(race_vec_at(&b, RACE_CLOCKS_FEW + 18), 0);
    for (unsigned i = 0; i < 8; i++)
        race_vec_free(m, &behind[i]);
    race_vec_free(m, &a);
    race_vec_free(m, &b);
    race_vec_free(m, &y);
    fake_end(&f);
}

/* Who makes many that do one thing and end hands on one reference: neither their
 * vectors nor what they are merged into have pieces of their own. */
static void
children_lean(void **state)
{
    struct race_vec parent = {0}, child[2] = {{0}}, done = {0}, merged = {0};
    struct fake f;

    (void)state;
    fake_begin(&f);
    struct race_mem *m = &f.race->mem;
    for (uint32_t i = 0; i < SLOTS; i++)
        race_vec_put(m, &parent, i, 1);
    for (uint32_t i = 0; i < 2; i++) {
        race_vec_fork(m, &child[i], &parent, 7 + i, false);
        race_vec_tick(m, &child[i], 7 + i, 2);
        race_vec_tick(m, &parent, 0, 2 + i);
        assert_int_equal(child[i].n, 0);
        race_vec_merge(m, &done, &child[i], &merged);
    }
    assert_ptr_equal(child[0].base, child[1].base);
    assert_int_equal(race_vec_at(&done, 0), 2);
    assert_int_equal(race_vec_at(&done, 7), 2);
    assert_int_equal(race_vec_at(&done, 8), 2);
    assert_int_equal(race_vec_at(&child[0], 8), 1);
    /* What hears of others has pieces. */
    race_vec_join(m, &child[0], &done);
    assert_null(child[0].base);
    assert_int_equal(race_vec_at(&child[0], 8), 2);
    assert_int_equal(race_vec_at(&child[1], 7), 1);
    race_vec_free(m, &child[0]);
    race_vec_free(m, &child[1]);
    race_vec_free(m, &parent);
    race_vec_free(m, &done);
    race_vec_free(m, &merged);
    fake_end(&f);
}

/* So do those whose maker has made another one before and heard of nobody since,
 * however short they are; and what it has in stock for more is given back. */
static void
short_children_lean_again(void **state)
{
    enum { CHILDREN = 100 };
    struct race_vec parent = {0}, child[CHILDREN] = {{0}};
    struct race_base *base;
    struct fake f;

    (void)state;
    fake_begin(&f);
    struct race_mem *m = &f.race->mem;
    race_vec_put(m, &parent, 1, 5);
    race_vec_fork(m, &child[0], &parent, 2, false);
    assert_null(child[0].base);
    race_vec_free(m, &child[0]);
    for (uint32_t i = 0; i < CHILDREN; i++) {
        race_vec_fork(m, &child[i], &parent, 2, true);
        race_vec_put(m, &child[i], 2, i);
    }
    base = parent.base;
    assert_non_null(base);
    for (uint32_t i = 0; i < CHILDREN; i++) {
        assert_ptr_equal(child[i].base, base);
        assert_int_equal(race_vec_at(&child[i], 1), 5);
        assert_int_equal(race_vec_at(&child[i], 2), i);
    }
    /* What hears of others has pieces, and no stock. */
    race_vec_put(m, &child[0], 3, 9);
    race_vec_join(m, &parent, &child[0]);
    assert_null(parent.base);
    assert_int_equal(a32_load_rlx(&base->refs), CHILDREN);
    for (uint32_t i = CHILDREN - 1; i > 0; i--) {
        race_vec_free(m, &child[i]);
        assert_int_equal(a32_load_rlx(&base->refs), i);
    }
    race_vec_fork(m, &parent, &child[0], 4, true);
    assert_ptr_equal(parent.base, base);
    race_vec_free(m, &child[0]);
    assert_int_equal(a32_load_rlx(&base->refs), 1);
    race_vec_free(m, &parent);
    assert_true(race_mem_valid(m));
    fake_end(&f);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vectors_are_arrays),
        cmocka_unit_test(ticks_tell),
        cmocka_unit_test(children_lean),
        cmocka_unit_test(short_children_lean_again),
        cmocka_unit_test(pieces_are_shared),
        cmocka_unit_test(what_comes_after_a_tick_is_heard),
        cmocka_unit_test(short_pieces_end_where_they_end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
