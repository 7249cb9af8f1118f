/* SPDX-License-Identifier: MIT */

/* Sets of numbers, a bit for each, against arrays of bools. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "runtime/base/bits.h"
#include "runtime/base/rand.h"

enum { MEMBERS = 200, WORDS = (MEMBERS + 63) / 64 };

static void
check(const uint64_t *set, const bool *is)
{
    uint32_t next = 0;

    for (uint32_t i = 0; i < MEMBERS; i++)
        assert_int_equal(rt_bit_get(set, i), is[i]);
    RT_EACH_BIT (i, set, MEMBERS) {
        while (!is[next])
            next++;
        assert_int_equal(i, next);
        next++;
    }
    for (; next < MEMBERS; next++)
        assert_false(is[next]);
}

static void
a_set_has_what_it_was_given(void **state)
{
    struct rt_rand r;

    (void)state;
    rt_rand_init(&r, 1);
    for (uint32_t round = 0; round < 200; round++) {
        uint64_t set[WORDS] = {0};
        bool is[MEMBERS] = {false};

        for (uint32_t n = 3 * round; n > 0; n--) {
            uint32_t i = (uint32_t)rt_rand_below(&r, MEMBERS);
            rt_bit_set(set, i);
            is[i] = true;
        }
        check(set, is);
        uint32_t i = (uint32_t)rt_rand_below(&r, MEMBERS);
        rt_bit_clear(set, i);
        is[i] = false;
        check(set, is);
    }
}

/* What is found in word w once these have been put. */
static uint64_t
filled(uint32_t w, uint32_t from, uint32_t end)
{
    uint64_t set[WORDS] = {0};

    rt_bits_fill(set, from, end, true);
    return set[w];
}

static void
members_are_dropped_from_one_to_before_another(void **state)
{
    (void)state;
    for (uint32_t from = 0; from <= MEMBERS; from++)
        for (uint32_t end = 0; end <= MEMBERS; end += 1 + end % 7) {
            uint64_t set[WORDS] = {0};
            bool is[MEMBERS];

            for (uint32_t i = 0; i < MEMBERS; i++) {
                rt_bit_set(set, i);
                is[i] = i < from || i >= end;
            }
            for (uint32_t w = 0; w < WORDS; w++)
                assert_int_equal(rt_bits_within(w, from, end),
                    filled(w, from, end));
            rt_bits_fill(set, from, end, false);
            check(set, is);
        }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_set_has_what_it_was_given),
        cmocka_unit_test(members_are_dropped_from_one_to_before_another),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
