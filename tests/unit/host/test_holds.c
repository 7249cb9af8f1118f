/* SPDX-License-Identifier: MIT */
/* The table of holds against a plain array: what comes and goes by chance, by
 * few and by many goroutines and locks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "runtime/base/rand.h"
#include "runtime/host/holds.h"

enum { MOST = 300, STEPS = 20000 };

struct model {
    struct hold v[MOST];
    unsigned n;
};

static const void *
lock_of(uint32_t k)
{
    return (const void *)(uintptr_t)(0xc000000000 + UINT64_C(16) * k);
}

/* What the table says of a goroutine is what the array does, in its order. */
static void
same_of_g(const struct holds *h, const struct model *m, vgoid id)
{
    uint32_t i = HOLDS_NONE;

    for (unsigned k = 0; k < m->n; k++) {
        if (m->v[k].id != id)
            continue;
        i = holds_of_g(h, id, i);
        assert_int_not_equal(i, HOLDS_NONE);
        assert_int_equal(h->v[i].id, id);
        assert_ptr_equal(h->v[i].lock, m->v[k].lock);
        assert_int_equal(h->v[i].npcs, m->v[k].npcs);
    }
    assert_int_equal(holds_of_g(h, id, i), HOLDS_NONE);
}

static void
same_of_lock(const struct holds *h, const struct model *m, const void *lock)
{
    unsigned want = 0, got = 0;

    for (unsigned k = 0; k < m->n; k++)
        want += m->v[k].lock == lock;
    for (uint32_t i = HOLDS_NONE;
        (i = holds_of_lock(h, lock, i)) != HOLDS_NONE; got++)
        assert_ptr_equal(h->v[i].lock, lock);
    assert_int_equal(got, want);
}

static void
play(uint32_t gs, uint32_t locks, uint64_t seed)
{
    static struct model m;
    struct holds h = {0};
    struct rt_rand rand;

    m.n = 0;
    rt_rand_init(&rand, seed);
    for (unsigned k = 0; k < STEPS; k++) {
        vgoid id = 1 + rt_rand_below(&rand, gs);
        const void *lock = lock_of(rt_rand_below(&rand, locks));

        if (m.n < MOST && rt_rand_below(&rand, 2) == 0) {
            /* Which is which is told by the number of pcs. */
            struct hold x = {.lock = lock, .id = id, .npcs = k % HOLD_STACK};

            assert_non_null(holds_add(&h, &x));
            m.v[m.n++] = x;
        } else if (holds_of_g(&h, id, HOLDS_NONE) != HOLDS_NONE) {
            unsigned at = 0;

            holds_remove(&h, holds_of_g(&h, id, HOLDS_NONE));
            while (m.v[at].id != id)
                at++;
            memmove(m.v + at, m.v + at + 1, (--m.n - at) * sizeof *m.v);
        }
        assert_int_equal(h.n, m.n);
        assert_true(holds_valid(&h));
        same_of_g(&h, &m, id);
        same_of_lock(&h, &m, lock);
        if (k == STEPS / 2) {
            holds_clear(&h);
            m.n = 0;
        }
    }
    holds_free(&h);
}

static void
table_is_array(void **state)
{
    (void)state;
    play(1, 3, 1);
    play(200, 1, 2);
    play(40, 40, 3);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table_is_array),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
