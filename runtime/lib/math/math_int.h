/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_LIB_MATH_MATH_INT_H
#define RUNTIME_LIB_MATH_MATH_INT_H

/*
 * Elementary functions with the results of Go's package math, bit for bit on
 * x86-64; the C library's differ in the last place.
 */

#include <stdint.h>
#include <string.h>

#define MATH_PI     3.14159265358979323846264338327950288
#define MATH_LN2    0.693147180559945309417232121458176568
#define MATH_LOG2E  1.44269504088896340735992468100189214
#define MATH_LOG10E 0.434294481903251827651128918916605082
#define MATH_SQRT2  1.41421356237309504880168872420969808
#define MATH_LN2_HI 6.93147180369123816490e-01
#define MATH_LN2_LO 1.90821492927058770002e-10

double math_exp(double x);
double math_expm1(double x);
double math_log(double x);
double math_log1p(double x);
double math_pow(double x, double y);
double math_sin(double x);
double math_cos(double x);
double math_tan(double x);
double math_asin(double x);
double math_atan(double x);
double math_atan2(double y, double x);

static inline uint64_t
math_bits(double x)
{
    uint64_t u;
    memcpy(&u, &x, 8);
    return u;
}

static inline double
math_from_bits(uint64_t u)
{
    double x;
    memcpy(&x, &u, 8);
    return x;
}

/* c[0] + x * (c[1] + x * (c[2] + ...)), n coefficients. */
static inline double
math_horner(double x, const double *c, int n)
{
    double v = c[n - 1];
    for (int i = n - 2; i >= 0; i--)
        v = c[i] + x * v;
    return v;
}

#define MATH_POLY(x, ...)                                                    \
    math_horner(x, (const double[]){__VA_ARGS__},                            \
        (int)(sizeof((const double[]){__VA_ARGS__}) / sizeof(double)))

#endif
