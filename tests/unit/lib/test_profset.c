/* SPDX-License-Identifier: MIT */
/*
 * The program's own profiles: places are used again, copies are complete and
 * independent, threads may add, remove and copy at once.
 */
#include "runtime/lib/support/profset.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void
names(void **state)
{
    struct profset s;

    (void)state;
    profset_init(&s);
    assert_int_equal(profset_find(&s, "a"), -1);
    assert_null(profset_name(&s, 0));
    for (int i = 0; i < 20; i++) {
        char name[8] = {(char)('a' + i), 'x'};

        /* Only as many bytes as were given count. */
        assert_int_equal(profset_make(&s, name, 1), i);
        name[1] = 0;
        assert_int_equal(profset_find(&s, name), i);
        assert_string_equal(profset_name(&s, (uint32_t)i), name);
    }
    assert_int_equal(profset_find(&s, "ax"), -1);
    profset_fini(&s);
}

static void
places(void **state)
{
    struct profset s;
    struct profset_stacks c;
    int64_t at[100];

    (void)state;
    profset_init(&s);
    assert_int_equal(profset_make(&s, "p", 1), 0);
    for (int i = 0; i < 100; i++) {
        vpc pcs[3] = {(vpc)i, (vpc)i + 1, 7};

        at[i] = profset_add(&s, 0, pcs, (uint32_t)i % 4);
        for (int k = 0; k < i; k++)
            assert_int_not_equal(at[i], at[k]);
    }
    assert_int_equal(profset_count(&s, 0), 100);
    for (int i = 0; i < 100; i += 2)
        profset_remove(&s, 0, at[i]);
    assert_int_equal(profset_count(&s, 0), 50);
    assert_true(profset_copy(&s, 0, &c));
    /* The copy is of that moment. */
    for (int i = 0; i < 100; i += 2) {
        vpc pc = 1000;

        at[i] = profset_add(&s, 0, &pc, 1);
        assert_in_range(at[i], 0, 99); /* free places first */
    }
    assert_int_equal(c.n, 50);
    for (uint32_t i = 0; i < c.n; i++) {
        uint32_t was = 2 * i + 1;

        assert_int_equal(c.len[i], was % 4);
        assert_int_equal(c.pcs[i][0], was);
        if (c.len[i] > 1)
            assert_int_equal(c.pcs[i][1], was + 1);
    }
    profset_stacks_free(&c);
    assert_int_equal(profset_count(&s, 0), 100);
    profset_fini(&s);
}

enum { THREADS = 4, ROUNDS = 3000 };

static void *
worker(void *arg)
{
    struct profset *s = arg;
    int64_t mine[8];
    vpc pcs[5] = {1, 2, 3, 4, 5};

    for (int i = 0; i < ROUNDS; i++) {
        for (uint32_t k = 0; k < 8; k++)
            mine[k] = profset_add(s, 0, pcs, k % 5 + 1);
        for (int k = 0; k < 8; k++)
            profset_remove(s, 0, mine[k]);
    }
    return NULL;
}

static void
at_once(void **state)
{
    pthread_t t[THREADS];
    struct profset s;
    struct profset_stacks c;

    (void)state;
    profset_init(&s);
    profset_make(&s, "p", 1);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&t[i], NULL, worker, &s), 0);
    for (int i = 0; i < 200; i++) {
        assert_true(profset_copy(&s, 0, &c));
        assert_in_range(c.n, 0, 8 * THREADS);
        for (uint32_t k = 0; k < c.n; k++)
            for (uint32_t j = 0; j < c.len[k]; j++)
                assert_int_equal(c.pcs[k][j], j + 1);
        profset_stacks_free(&c);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], NULL);
    assert_int_equal(profset_count(&s, 0), 0);
    profset_fini(&s);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names),
        cmocka_unit_test(places),
        cmocka_unit_test(at_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
