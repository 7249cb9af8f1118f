/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_NUM_DECIMAL_H
#define RUNTIME_NUM_DECIMAL_H

/*
 * Floats as decimal numbers of a few digits and back, each correctly rounded,
 * with a table of powers of ten in place of numbers of any length. All
 * functions are pure. Those that return a bool may say false: then the digits
 * cannot be told by 192 bits, or are too many, and the caller asks somebody
 * slower.
 */

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

/* The powers of ten that there are: see runtime/num/pow10.py. */
#define NUM_POW10_LOW  (-343)
#define NUM_POW10_HIGH 341

extern const uint64_t num_pow10[][2];

/* The most digits that num_rounded() and num_fixed() know of. */
#define NUM_ROUNDED_MOST 17
#define NUM_FIXED_MOST   19

/* The number m * 10^exp. */
struct num_decimal {
    uint64_t m;
    int exp;
};

/*
 * The decimal of fewest digits that is nearer to v than to any other float of
 * the given width (32 or 64), of several the one nearest to v, of two equally
 * near ones the even one, except that 2^-12, the only power of two that is so
 * as a float32, has the larger there, as in Go. v is finite and positive.
 */
struct num_decimal num_shortest(double v, int bits);

/*
 * v, which is finite and positive, rounded half to even to n digits, 1 to
 * NUM_ROUNDED_MOST: d->m has exactly n of them.
 */
bool num_rounded(struct num_decimal *d, double v, int n);

/*
 * v, which is finite and not negative, rounded half to even to prec digits
 * after the point, 0 to NUM_FIXED_MOST: *whole is what stands before it and
 * *frac, below 10^prec, behind it.
 */
bool num_fixed(uint64_t *whole, uint64_t *frac, double v, int prec);

/*
 * The float of the given width that is nearest to m * 10^exp, infinity if
 * that is too large; of two equally near ones the even one.
 */
bool num_nearest(double *v, uint64_t m, int64_t exp, int bits);

#endif
