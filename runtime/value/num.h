/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_VALUE_NUM_H
#define RUNTIME_VALUE_NUM_H

/* Arithmetic whose special cases C leaves open and Go, or its amd64
 * implementation, defines. */

#include <math.h>
#include <stdint.h>
#include <string.h>

/* min and max as the builtins: NaN wins, -0 < +0. */
static inline double
num_min(double x, double y)
{
    if (x != x || y != y)
        return x + y;
    if (x == 0 && y == 0)
        return signbit(x) ? x : y;
    return x < y ? x : y;
}

static inline double
num_max(double x, double y)
{
    if (x != x || y != y)
        return x + y;
    if (x == 0 && y == 0)
        return signbit(x) ? y : x;
    return x > y ? x : y;
}

/* float64 to int64: what does not fit gives the smallest number. */
static inline int64_t
num_f2i(double x)
{
#if defined(__x86_64__)
    /* Not the intrinsic: gcc 12 folds it as if it saturated. */
    int64_t i;
    __asm__("cvttsd2si %1, %0" : "=r"(i) : "x"(x));
    return i;
#else
    if (x >= -0x1p63 && x < 0x1p63)
        return (int64_t)x;
    return INT64_MIN;
#endif
}

static inline uint64_t
num_f2u(double x)
{
    if (x < 0x1p63)
        return (uint64_t)num_f2i(x);
    return (uint64_t)num_f2i(x - 0x1p63) ^ (uint64_t)1 << 63;
}

/* How many bits of x are ones: sums of two, of four, of eight, and the sum of
 * those is the highest byte of a product. */
static inline int64_t
num_ones(uint64_t x)
{
    x -= x >> 1 & 0x5555555555555555;
    x = (x & 0x3333333333333333) + (x >> 2 & 0x3333333333333333);
    x = (x + (x >> 4)) & 0x0F0F0F0F0F0F0F0F;
    return (int64_t)(x * 0x0101010101010101 >> 56);
}

/* How many bits x needs; none for 0. */
static inline int64_t
num_bits(uint64_t x)
{
    return x == 0 ? 0 : 64 - __builtin_clzll(x);
}

/* How many low bits of x are zeros, at most n. */
static inline int64_t
num_zeros_below(uint64_t x, unsigned n)
{
    unsigned zeros = x == 0 ? 64 : (unsigned)__builtin_ctzll(x);

    return zeros < n ? zeros : n;
}

struct num_complex {
    double re, im;
};

static inline struct num_complex
num_cadd(double a, double b, double c, double d)
{
    return (struct num_complex){ a + c, b + d };
}

static inline struct num_complex
num_csub(double a, double b, double c, double d)
{
    return (struct num_complex){ a - c, b - d };
}

static inline struct num_complex
num_cmul(double a, double b, double c, double d)
{
    return (struct num_complex){ a * c - b * d, a * d + b * c };
}

/* (a + bi) / (c + di) with the infinities and NaNs of C99's annex G as Go
 * takes them over. */
struct num_complex num_cdiv(double a, double b, double c, double d);

/* complex64 in one word, real part in the low half. */
uint64_t num_cadd64(uint64_t x, uint64_t y);
uint64_t num_csub64(uint64_t x, uint64_t y);
uint64_t num_cmul64(uint64_t x, uint64_t y);
uint64_t num_cdiv64(uint64_t x, uint64_t y);

#endif
