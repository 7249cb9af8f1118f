/* SPDX-License-Identifier: MIT */
/* UTF-8, hashes, random numbers, bits, debug variables. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "runtime/base/bits.h"
#include "runtime/base/debugvar.h"
#include "runtime/base/hash.h"
#include "runtime/base/rand.h"
#include "runtime/base/utf8.h"

static void
every_rune_comes_back(void **state)
{
    (void)state;
    for (int32_t r = -1; r <= RT_RUNE_MAX + 1; r++) {
        uint8_t b[4];
        int32_t back;
        unsigned n = rt_utf8_encode(b, r);
        assert_int_equal(n, rt_utf8_width(r));
        assert_int_equal(rt_utf8_decode(b, n, &back), n);
        assert_int_equal(back, rt_rune_valid(r) ? r : RT_RUNE_ERROR);
        assert_int_equal(rt_utf8_count(b, n), 1);
        /* Each proper prefix is broken. */
        for (unsigned k = 1; k < n; k++) {
            assert_int_equal(rt_utf8_decode(b, k, &back), 1);
            assert_int_equal(back, RT_RUNE_ERROR);
        }
    }
}

static void
broken_bytes_count_singly(void **state)
{
    static const struct {
        const char *s;
        size_t runes;
    } t[] = {
        { "\xc0\x80", 2 }, { "\xed\xa0\x80", 3 }, { "\xf4\x90\x80\x80", 4 },
        { "\xe0\x80\x80", 3 }, { "\xf0\x80\x80\x80", 4 }, { "\x80", 1 },
        { "\xff\xfe", 2 }, { "a\xe4\xb8z", 4 }, { "\xc3\xa9\xc3", 2 },
        { "abcdefghijk\xe2\x82\xac", 12 }
    };

    (void)state;
    for (size_t i = 0; i < sizeof t / sizeof t[0]; i++) {
        const uint8_t *s = (const uint8_t *)t[i].s;
        assert_int_equal(rt_utf8_count(s, strlen(t[i].s)), t[i].runes);
    }
}

static void
hashes_spread(void **state)
{
    uint8_t buf[64] = { 0 };
    uint32_t bucket[256] = { 0 };

    (void)state;
    for (size_t n = 0; n < 64; n++)
        for (size_t bit = 0; bit < n * 8; bit++) {
            uint64_t a = rt_hash_bytes(buf, n, 1);
            buf[bit / 8] ^= (uint8_t)(1 << (bit % 8));
            uint64_t b = rt_hash_bytes(buf, n, 1);
            buf[bit / 8] ^= (uint8_t)(1 << (bit % 8));
            assert_true(a != b);
            assert_in_range(__builtin_popcountll(a ^ b), 8, 56);
        }
    assert_true(rt_hash_bytes("a", 1, 1) != rt_hash_bytes("a", 1, 2));
    for (uint64_t i = 0; i < 256 * 1000; i++)
        bucket[rt_hash_u64(i * 8, 3) >> 56]++;
    for (int i = 0; i < 256; i++)
        assert_in_range(bucket[i], 800, 1200);
}

static void
random_numbers_are_even(void **state)
{
    struct rt_rand r;
    uint32_t n[10] = { 0 };

    (void)state;
    rt_rand_init(&r, 0);
    for (int i = 0; i < 100000; i++)
        n[rt_rand_below(&r, 10)]++;
    for (int i = 0; i < 10; i++)
        assert_in_range(n[i], 9500, 10500);
}

static void
bit_ranges(void **state)
{
    (void)state;
    assert_int_equal(rt_align_up(17, 16), 32);
    assert_int_equal(rt_align_down(17, 16), 16);
    assert_int_equal(rt_div_up(17, 16), 2);
    assert_int_equal(rt_log2(4097), 12);
    assert_true(rt_is_pow2(64) && !rt_is_pow2(0) && !rt_is_pow2(65));
    for (uint64_t from = 0; from <= 200; from += 7)
        for (uint64_t to = from; to <= 200; to += 5) {
            uint64_t b[4] = { 0 };
            rt_bits_fill(b, from, to, true);
            assert_int_equal(rt_bits_count(b, 0, 256), to - from);
            for (uint64_t i = 0; i < 256; i++)
                assert_int_equal(rt_bit_get(b, i), i >= from && i < to);
            rt_bits_fill(b, from, to, false);
            assert_int_equal(rt_bits_count(b, 0, 256), 0);
        }
}

struct lines {
    int n;
    char last[200];
};

static void
collect(void *arg, const char *line)
{
    struct lines *l = arg;

    l->n++;
    snprintf(l->last, sizeof l->last, "%s", line);
}

static void
debug_variables_are_parsed(void **state)
{
    struct rt_debugvars v;
    struct lines l = { 0 };

    (void)state;
    rt_debugvars_parse(&v, NULL, collect, &l);
    assert_int_equal(v.gctrace, 0);
    rt_debugvars_parse(&v, "gctrace,,schedtrace=1000,gcstress=0x10,", collect,
        &l);
    assert_int_equal(v.gctrace, 1);
    assert_int_equal(v.schedtrace, 1000);
    assert_int_equal(v.gcstress, 16);
    assert_int_equal(l.n, 0);
    rt_debugvars_parse(&v, "nonsense=1", collect, &l);
    assert_int_equal(l.n, 1);
    assert_string_equal(l.last, "VOLEDEBUG: unknown name: nonsense");
    rt_debugvars_parse(&v, "gctrace=1,gctrace=yes", collect, &l);
    assert_int_equal(l.n, 2);
    assert_int_equal(v.gctrace, 1);
    rt_debugvars_parse(&v, "gctrace=99999999999999999999", collect, &l);
    assert_int_equal(l.n, 3);
    assert_int_equal(v.gctrace, 0);
    rt_debugvars_parse(&v, "help", collect, &l);
    assert_true(l.n > 10);
    rt_debugvars_parse(&v, "help,x,gctrace=2", NULL, NULL);
    assert_int_equal(v.gctrace, 2);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_rune_comes_back),
        cmocka_unit_test(broken_bytes_count_singly),
        cmocka_unit_test(hashes_spread),
        cmocka_unit_test(random_numbers_are_even),
        cmocka_unit_test(bit_ranges),
        cmocka_unit_test(debug_variables_are_parsed)
    };

    return cmocka_run_group_tests_name("base/text", tests, NULL, NULL);
}
