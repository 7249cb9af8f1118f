/* SPDX-License-Identifier: MIT */
/* Numbers to text and back, against results of Go's strconv. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <math.h>

#include "runtime/num/numtext.h"

static const struct {
    double v;
    char fmt;
    int prec, bits;
    const char *text;
} floats[] = {
#include "float_cases.inc"
};

static void
formats_floats(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof floats / sizeof floats[0]; i++) {
        char buf[1024];
        size_t room = num_float_room(floats[i].fmt, floats[i].prec), n;

        assert_true(room <= sizeof buf);
        n = num_format_float(buf, floats[i].v, floats[i].fmt, floats[i].prec,
            floats[i].bits);
        assert_true(n <= room);
        buf[n] = 0;
        assert_string_equal(buf, floats[i].text);
    }
}

/* The shortest text of a float reads back as the same float. */
static void
floats_round_trip(void **state)
{
    uint64_t x = 88172645463325252u;

    (void)state;
    for (int i = 0; i < 200000; i++) {
        char buf[512];
        double v, w;
        size_t n, used;

        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        memcpy(&v, &x, sizeof v);
        if (isnan(v) || isinf(v))
            continue;
        n = num_format_float(buf, v, "gefx"[i % 4], -1, 64);
        assert_int_equal(num_parse_float(buf, n, 64, &w, &used), NUM_OK);
        assert_int_equal(used, n);
        assert_memory_equal(&v, &w, sizeof v);
    }
}

static void
parses_floats(void **state)
{
    static const struct {
        const char *text;
        int bits;
        enum num_code rc;
        size_t used;
        double v;
    } cases[] = {
        {"1.5", 64, NUM_OK, 3, 1.5},
        {"-0x1.8p1", 64, NUM_OK, 8, -3},
        {"0x_1p-2", 64, NUM_OK, 7, 0.25},
        {"1_0", 64, NUM_OK, 3, 10},
        {"1__0", 64, NUM_SYNTAX, 0, 0},
        {"0x1.a606a5p-128", 32, NUM_OK, 15, 0x1.a606a8p-128},
        {"1e400", 64, NUM_RANGE, 5, (double)INFINITY},
        {"3.5e38", 32, NUM_RANGE, 6, (double)INFINITY},
        {"1e-400", 64, NUM_OK, 6, 0},
        {"-Inf", 64, NUM_OK, 4, -(double)INFINITY},
        {"infinity", 64, NUM_OK, 8, (double)INFINITY},
        {"+nan", 64, NUM_SYNTAX, 0, 0},
        {"0x1", 64, NUM_SYNTAX, 0, 0},
        {".", 64, NUM_SYNTAX, 0, 0},
        {"", 64, NUM_SYNTAX, 0, 0},
        {"1e", 64, NUM_SYNTAX, 0, 0},
        {"12i", 64, NUM_OK, 2, 12},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double v;
        size_t used;

        assert_int_equal(num_parse_float(cases[i].text, strlen(cases[i].text),
                             cases[i].bits, &v, &used),
            cases[i].rc);
        assert_int_equal(used, cases[i].used);
        assert_true(v == cases[i].v);
    }
}

static void
parses_integers(void **state)
{
    static const struct {
        const char *text;
        int base, bits;
        enum num_code rc;
        int64_t v;
    } cases[] = {
        {"0", 10, 64, NUM_OK, 0},
        {"-9223372036854775808", 10, 64, NUM_OK, INT64_MIN},
        {"9223372036854775808", 10, 64, NUM_RANGE, INT64_MAX},
        {"-129", 10, 8, NUM_RANGE, -128},
        {"127", 10, 8, NUM_OK, 127},
        {"0x_ff", 0, 0, NUM_OK, 255},
        {"0b101", 0, 0, NUM_OK, 5},
        {"0o17", 0, 0, NUM_OK, 15},
        {"017", 0, 0, NUM_OK, 15},
        {"1_000", 0, 0, NUM_OK, 1000},
        {"1_000", 10, 0, NUM_SYNTAX, 0},
        {"_1", 0, 0, NUM_SYNTAX, 0},
        {"zz", 36, 0, NUM_OK, 1295},
        {"", 10, 0, NUM_SYNTAX, 0},
        {"+", 10, 0, NUM_SYNTAX, 0},
        {"12a", 10, 0, NUM_SYNTAX, 0},
        {"1", 1, 0, NUM_BASE, 0},
        {"1", 37, 0, NUM_BASE, 0},
        {"1", 10, 65, NUM_BITS, 0},
        {"1", 10, -1, NUM_BITS, 0},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        int64_t v;

        assert_int_equal(num_parse_int(cases[i].text, strlen(cases[i].text),
                             cases[i].base, cases[i].bits, &v),
            cases[i].rc);
        assert_true(v == cases[i].v);
    }
}

static void
formats_integers(void **state)
{
    char buf[NUM_UINT_ROOM];

    (void)state;
    assert_int_equal(num_format_uint(buf, UINT64_MAX, false, 10), 20);
    assert_memory_equal(buf, "18446744073709551615", 20);
    assert_int_equal(num_format_uint(buf, 255, true, 16), 3);
    assert_memory_equal(buf, "-ff", 3);
    assert_int_equal(num_format_uint(buf, UINT64_MAX, true, 2), 65);
    assert_int_equal(num_format_uint(buf, 0, false, 36), 1);
    assert_memory_equal(buf, "0", 1);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formats_floats),
        cmocka_unit_test(floats_round_trip),
        cmocka_unit_test(parses_floats),
        cmocka_unit_test(parses_integers),
        cmocka_unit_test(formats_integers),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
