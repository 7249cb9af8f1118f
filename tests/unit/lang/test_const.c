/* SPDX-License-Identifier: MIT */

/* Exact constants: literals, arithmetic, rounding, texts. */

#include "tests/unit/lang/check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/arena.h"
#include "runtime/lang/types/const.h"

struct env {
    struct rt_arena arena;
    struct const_ctx c;
};

static const struct constv *
num(struct env *e, const char *s)
{
    return const_number(&e->c, s, strlen(s));
}

static int
setup(void **state)
{
    struct env *e = calloc(1, sizeof *e);

    e->c.arena = &e->arena;
    *state = e;
    return e ? 0 : -1;
}

static int
teardown(void **state)
{
    struct env *e = *state;

    rt_arena_free(&e->arena);
    free(e);
    return 0;
}

static void
test_literals(void **state)
{
    static const struct {
        const char *in, *out;
    } rows[] = {{"0", "0"}, {"1_000", "1000"}, {"0x_fF", "255"}, {"0b101", "5"},
        {"0o17", "15"}, {"017", "15"}, {"1.5", "1.5"}, {"0x1p-2", "0.25"},
        {"0x1.8p1", "3"}, {".5e1", "5"}, {"1e3", "1000"}, {"2i", "(0 + 2i)"},
        {"0123i", "(0 + 123i)"},
        {"123456789012345678901234567890", "123456789012345678901234567890"},
        {"1e-400", "1e-400"}, {"1.00000001", "1.00000001"},
        {"1e100000", "1e+100000"}, {"1e999999999999", "unknown"}};
    struct env *e = *state;
    size_t i;

    for (i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct constv *v = num(e, rows[i].in);
        enum const_kind k = const_kind(v);

        if (k == CONST_INT && strlen(rows[i].out) > 40)
            k = CONST_FLOAT;
        if (strchr(rows[i].in, 'e') && k == CONST_INT &&
            strchr(rows[i].out, 'e'))
            k = CONST_FLOAT;
        assert_string_equal(const_text_as(&e->c, v, k), rows[i].out);
    }
}

/* Each decimal must round as strtod() and strtof() do, which are exact. */
static void
test_rounding(void **state)
{
    static const char *const rows[] = {"0.1", "1e23", "9007199254740993",
        "9007199254740992.5", "1.7976931348623157e308", "1.797693134862316e308",
        "4.9406564584124654e-324", "2.4703282292062327e-324",
        "2.4703282292062328e-324", "2.2250738585072011e-308", "16777217",
        "16777219", "3.4028235677973366e38", "1.401298464324817e-45",
        "7.0064923216240853e-46", "7.0064923216240854e-46", "1e-400", "1e400",
        "123456789.123456789e-30", "0.30000001192092896"};
    struct env *e = *state;
    size_t i;

    for (i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct constv *v = num(e, rows[i]);
        double d = const_to_double(v), wd = strtod(rows[i], NULL);
        float f = const_to_float(v), wf = strtof(rows[i], NULL);

        assert_memory_equal(&d, &wd, sizeof d);
        assert_memory_equal(&f, &wf, sizeof f);
    }
    assert_null(const_round64(&e->c, num(e, "1e400")));
    assert_null(const_round32(&e->c, num(e, "1e39")));
    assert_int_equal(const_sign(const_round64(&e->c, num(e, "1e-400"))), 0);
}

static void
test_integers(void **state)
{
    struct env *e = *state;
    const struct constv *max = num(e, "0x7fffffffffffffff");
    const struct constv *one = num(e, "1"), *v;
    int64_t i;
    uint64_t u;

    v = const_binary(&e->c, CONST_ADD, max, one);
    assert_string_equal(const_text(&e->c, v), "9223372036854775808");
    assert_false(const_to_int64(v, &i));
    assert_true(const_to_uint64(v, &u));
    assert_true(u == (uint64_t)1 << 63);
    v = const_binary(&e->c, CONST_SUB, v, one);
    assert_true(const_to_int64(v, &i));
    assert_true(i == INT64_MAX);
    v = const_shift(&e->c, one, true, 600);
    assert_int_equal(const_bit_len(v), 601);
    v = const_shift(&e->c, v, false, 598);
    assert_string_equal(const_text(&e->c, v), "4");
    v = const_shift(&e->c, num(e, "5"), false, 1);
    assert_string_equal(const_text(&e->c, v), "2");
    v = const_shift(&e->c, const_int64(&e->c, -5), false, 1);
    assert_string_equal(const_text(&e->c, v), "-3");
    v = const_complement(&e->c, num(e, "1"), 8);
    assert_string_equal(const_text(&e->c, v), "254");
    v = const_complement(&e->c, num(e, "1"), 0);
    assert_string_equal(const_text(&e->c, v), "-2");
    v = const_binary(&e->c, CONST_IDIV, const_int64(&e->c, -7), num(e, "2"));
    assert_string_equal(const_text(&e->c, v), "-3");
    v = const_binary(&e->c, CONST_REM, const_int64(&e->c, -7), num(e, "2"));
    assert_string_equal(const_text(&e->c, v), "-1");
    v = const_binary(&e->c, CONST_IDIV, const_int64(&e->c, INT64_MIN),
        const_int64(&e->c, -1));
    assert_string_equal(const_text(&e->c, v), "9223372036854775808");
    v = const_binary(&e->c, CONST_AND_NOT, const_int64(&e->c, -1),
        const_shift(&e->c, one, true, 70));
    assert_string_equal(const_text(&e->c, v), "-1180591620717411303425");
    assert_true(const_int_bits(v) == UINT64_MAX);
}

static void
test_fractions(void **state)
{
    struct env *e = *state;
    const struct constv *third =
        const_binary(&e->c, CONST_QUO, num(e, "1"), num(e, "3"));
    const struct constv *v;
    double re, im;

    v = const_binary(&e->c, CONST_MUL, third, num(e, "3"));
    assert_int_equal(const_kind(v), CONST_INT);
    assert_string_equal(const_text(&e->c, v), "1");
    assert_int_equal(const_cmp(&e->c, third, num(e, "0.3")), 1);
    v = const_binary(&e->c, CONST_QUO, num(e, "1e5000"), num(e, "1e4999"));
    assert_true(const_to_double(v) == 10.0);
    v = const_binary(&e->c, CONST_MUL, num(e, "1e100000"), num(e, "1e100000"));
    assert_string_equal(const_text_as(&e->c, v, CONST_FLOAT), "1e+200000");
    v = const_binary(&e->c, CONST_MUL, num(e, "2i"), num(e, "3i"));
    assert_int_equal(const_kind(v), CONST_INT);
    assert_string_equal(const_text(&e->c, v), "-6");
    v = const_make_complex(&e->c, num(e, "1"), num(e, "2"));
    v = const_binary(&e->c, CONST_QUO, v, num(e, "2i"));
    const_to_complex(v, &re, &im);
    assert_true(re == 1.0 && im == -0.5);
}

static void
test_strings(void **state)
{
    struct env *e = *state;
    const struct constv *a = const_str(&e->c, "ab", 2), *v = a;
    const char *s;
    size_t n, i;

    /* A long chain is flattened once, in linear time. */
    for (i = 1; i < 200000; i++)
        v = const_binary(&e->c, CONST_ADD, v, a);
    assert_int_equal(const_str_len(v), 400000);
    s = const_str_val(&e->c, v, &n);
    assert_int_equal(n, 400000);
    for (i = 0; i < n; i++)
        assert_int_equal(s[i], "ab"[i % 2]);
    for (v = a, i = 1; i < 200000; i++)
        v = const_binary(&e->c, CONST_ADD, a, v);
    s = const_str_val(&e->c, v, &n);
    assert_int_equal(n, 400000);
    assert_int_equal(s[n - 1], 'b');
    assert_int_equal(const_cmp(&e->c, a, const_str(&e->c, "abc", 3)), -1);
    assert_string_equal(const_text(&e->c, const_str(&e->c, "a\"\n\x01", 4)),
        "\"a\\\"\\n\\x01\"");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_literals, setup, teardown),
        cmocka_unit_test_setup_teardown(test_rounding, setup, teardown),
        cmocka_unit_test_setup_teardown(test_integers, setup, teardown),
        cmocka_unit_test_setup_teardown(test_fractions, setup, teardown),
        cmocka_unit_test_setup_teardown(test_strings, setup, teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
