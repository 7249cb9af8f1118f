/* SPDX-License-Identifier: MIT */
/*
 * The digits of floats against the C library, which rounds correctly to any
 * precision and reads any text back, over floats and texts of every kind.
 *
 * DECIMAL_CASES sets the number of cases of each test and DECIMAL_SEED where
 * they begin.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <math.h>

#include "runtime/num/decimal.h"
#include "runtime/num/numtext.h"

static uint64_t
setting(const char *name, uint64_t otherwise)
{
    const char *text = getenv(name);

    return text == NULL ? otherwise : strtoull(text, NULL, 10);
}

static uint64_t
cases(void)
{
    return setting("DECIMAL_CASES", 20000);
}

static uint64_t
seed(void)
{
    return setting("DECIMAL_SEED", 88172645463325252u) | 1;
}

static uint64_t
next(uint64_t *x)
{
    *x ^= *x << 13;
    *x ^= *x >> 7;
    *x ^= *x << 17;
    return *x;
}

static double
from_bits(uint64_t u)
{
    double v;

    memcpy(&v, &u, sizeof v);
    return v;
}

/*
 * A positive float of kind i: any bits, integers, few decimals, ties, powers
 * of two and their neighbours, products of powers of ten.
 */
static double
some_float(uint64_t *x, uint64_t i)
{
    uint64_t u = next(x), v = next(x);
    double f;

    switch (i % 8) {
    case 0:
        f = from_bits(u & INT64_MAX);
        break;
    case 1:
        f = (double)(u >> (v & 63));
        break;
    case 2:
        f = (double)(u % 10000000) / 1000;
        break;
    case 3:
        f = (double)(u % 65536) / 4096;
        break;
    case 4:
        f = from_bits((u % 2046) << 52) + from_bits(v & 1);
        break;
    case 5:
        f = from_bits(((u % 2046) << 52) - 1 + v % 3);
        break;
    case 6:
        f = (double)(u % 100000) * pow(10, (double)(v % 80) - 40);
        break;
    default:
        f = from_bits(u >> 12); /* subnormal */
        break;
    }
    return isfinite(f) && f > 0 ? f : 1;
}

static double
read_back(const char *text, int bits)
{
    return bits == 32 ? (double)strtof(text, NULL) : strtod(text, NULL);
}

/*
 * The shortest decimal by trial: of each number of digits the rounded one,
 * and next to a power of two, where the interval is lopsided, the one above.
 */
static struct num_decimal
shortest_by_trial(double v, int bits)
{
    char text[64];

    for (int n = 1;; n++) {
        struct num_decimal d;

        snprintf(text, sizeof text, "%.*e", n - 1, v);
        d.m = 0;
        for (const char *p = text; *p != 'e'; p++) {
            if (*p != '.')
                d.m = d.m * 10 + (uint64_t)(*p - '0');
        }
        d.exp = atoi(strchr(text, 'e') + 1) - (n - 1);
        for (int up = 0; up < 2; up++, d.m++) {
            snprintf(text, sizeof text, "%llue%d", (unsigned long long)d.m,
                d.exp);
            if (read_back(text, bits) == v)
                return d;
        }
    }
}

static void
assert_same_decimal(struct num_decimal a, struct num_decimal b, double v)
{
    for (; a.m % 10 == 0; a.m /= 10)
        a.exp++;
    for (; b.m % 10 == 0; b.m /= 10)
        b.exp++;
    if (a.m != b.m || a.exp != b.exp)
        fail_msg("%a: %llue%d, not %llue%d", v, (unsigned long long)a.m, a.exp,
            (unsigned long long)b.m, b.exp);
}

static void
finds_shortest(void **state)
{
    uint64_t x = seed();

    (void)state;
    for (uint64_t i = 0; i < cases(); i++) {
        double v = some_float(&x, i);
        float f = (float)v;

        assert_same_decimal(num_shortest(v, 64), shortest_by_trial(v, 64), v);
        if (isinf(f) || f == 0 || f == 0x1p-12F)
            continue;
        v = (double)f;
        assert_same_decimal(num_shortest(v, 32), shortest_by_trial(v, 32), v);
    }
    assert_same_decimal(num_shortest(0x1p-12, 32),
        (struct num_decimal){24414063, -11}, 0x1p-12);
}

static void
rounds_to_digits(void **state)
{
    uint64_t x = seed(), unknown = 0;

    (void)state;
    for (uint64_t i = 0; i < cases(); i++) {
        int n = 1 + (int)(next(&x) % NUM_ROUNDED_MOST);
        double v = some_float(&x, i);
        struct num_decimal d;
        char text[64], ours[64];

        if (!num_rounded(&d, v, n)) {
            unknown++;
            continue;
        }
        snprintf(text, sizeof text, "%.*e", n - 1, v);
        snprintf(ours, sizeof ours, "%llu", (unsigned long long)d.m);
        assert_int_equal(strlen(ours), n);
        memmove(ours + 2, ours + 1, (size_t)n);
        ours[1] = '.';
        snprintf(ours + (n == 1 ? 1 : n + 1), 8, "e%c%02d",
            d.exp + n - 1 < 0 ? '-' : '+', abs(d.exp + n - 1));
        assert_string_equal(ours, text);
    }
    /* Ties of integers and of small fractions, of which few are drawn. */
    assert_true(unknown * 8 < cases());
}

static void
rounds_to_places(void **state)
{
    uint64_t x = seed(), known = 0;

    (void)state;
    for (uint64_t i = 0; i < cases(); i++) {
        int prec = (int)(next(&x) % (NUM_FIXED_MOST + 1));
        double v = i == 0 ? 0 : some_float(&x, i);
        uint64_t whole, frac;
        char text[512], ours[512];

        if (!num_fixed(&whole, &frac, v, prec)) {
            assert_true(v >= 0x1p64);
            continue;
        }
        known++;
        snprintf(text, sizeof text, "%.*f", prec, v);
        if (prec == 0)
            snprintf(ours, sizeof ours, "%llu", (unsigned long long)whole);
        else
            snprintf(ours, sizeof ours, "%llu.%0*llu",
                (unsigned long long)whole, prec, (unsigned long long)frac);
        assert_string_equal(ours, text);
    }
    assert_true(known * 2 > cases());
}

/* Writes a literal of kind i. */
static void
some_literal(char *text, size_t room, uint64_t *x, uint64_t i)
{
    uint64_t u = next(x), v = next(x);
    double f = some_float(x, i);

    switch (u % 6) {
    case 0: /* what floats print as */
        snprintf(text, room, "%.*e", (int)(v % 30), f);
        break;
    case 1: /* the middle between two floats and what is next to it */
        snprintf(text, room, "%.*e", (int)(v % 800),
            nextafter(f, 0) / 2 + f / 2);
        break;
    case 2:
        snprintf(text, room, "%llue%d", (unsigned long long)next(x),
            (int)(v % 700) - 360);
        break;
    case 3:
        snprintf(text, room, "%llu.%llu", (unsigned long long)(v % 1000),
            (unsigned long long)next(x));
        break;
    case 4: /* half of a unit of 24 and of 53 bits */
        snprintf(text, room, "%llu%s",
            (unsigned long long)((v >> 40 << (i % 36)) + (1u << i % 31)),
            i % 2 == 0 ? "" : ".000000000000000000000000000001");
        break;
    default: /* so many digits that they do not fit 64 bits */
        snprintf(text, room, "0.%0*llu%llue%d", (int)(v % 40),
            (unsigned long long)next(x), (unsigned long long)next(x),
            (int)(v % 600) - 300);
        break;
    }
}

static void
reads_nearest(void **state)
{
    uint64_t x = seed();

    (void)state;
    for (uint64_t i = 0; i < cases(); i++) {
        char text[1200];

        some_literal(text, sizeof text, &x, i);
        for (int bits = 32; bits <= 64; bits += 32) {
            double v, w = read_back(text, bits);
            size_t used;

            assert_int_equal(
                num_parse_float(text, strlen(text), bits, &v, &used),
                isinf(w) ? NUM_RANGE : NUM_OK);
            assert_int_equal(used, strlen(text));
            if (v != w)
                fail_msg("%s: %a, not %a", text, v, w);
        }
    }
}

/* One that the table tells, just so, and one that it does not. */
static void
tells_what_it_does_not_know(void **state)
{
    struct num_decimal d;
    double v;

    (void)state;
    /* A tie behind a division by ten, and its neighbours. */
    assert_false(num_rounded(&d, 1234500, 4));
    assert_true(num_rounded(&d, 1234501, 4));
    assert_int_equal(d.m, 1235);
    assert_true(num_rounded(&d, 1234499, 4));
    assert_int_equal(d.m, 1234);
    /* An exact power of ten tells ties. */
    assert_true(num_rounded(&d, 1.25, 2));
    assert_int_equal(d.m, 12);
    assert_true(num_rounded(&d, 1.75, 2));
    assert_int_equal(d.m, 18);
    assert_true(num_nearest(&v, 9007199254740993, 0, 64));
    assert_true(v == 9007199254740992);
    assert_false(num_nearest(&v, 90071992547409930, -1, 64));
    assert_true(num_nearest(&v, 90071992547409931, -1, 64));
    assert_true(v == 9007199254740994);
    /* The ends of the table, and beyond. */
    assert_true(num_nearest(&v, UINT64_MAX, -343, 64));
    assert_true(v == 0);
    assert_true(num_nearest(&v, UINT64_MAX, -342, 64));
    assert_true(v == 0x1p-1072);
    assert_true(num_nearest(&v, 3, -324, 64));
    assert_true(v == 0x1p-1074);
    assert_true(num_nearest(&v, 2, -324, 64));
    assert_true(v == 0);
    assert_true(num_nearest(&v, 1, INT64_MIN, 64));
    assert_true(v == 0);
    assert_true(num_nearest(&v, 1, INT64_MAX, 64) && isinf(v));
    assert_true(num_nearest(&v, 1, 309, 64) && isinf(v));
    assert_true(num_nearest(&v, 1, 39, 32) && isinf(v));
    assert_true(num_nearest(&v, 0, INT64_MAX, 32));
    assert_true(v == 0);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_shortest),
        cmocka_unit_test(rounds_to_digits),
        cmocka_unit_test(rounds_to_places),
        cmocka_unit_test(reads_nearest),
        cmocka_unit_test(tells_what_it_does_not_know),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
