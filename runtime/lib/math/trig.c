/* SPDX-License-Identifier: MIT */

/*
 * Trigonometric functions and their inverses.  The methods and coefficients
 * are those that Go uses, of S. L. Moshier's Cephes library; large arguments
 * are reduced after Payne and Hanek.  The order of the operations matters:
 * each result is the same as Go's, bit for bit.
 */

#include "runtime/lib/math/math_int.h"

#include <math.h>
#include <stdbool.h>

/* 4 / pi in binary, for any argument. */
static const uint64_t four_over_pi[] = {0x0000000000000001,
    0x45f306dc9c882a53, 0xf84eafa3ea69bb81, 0xb6c52b3278872083,
    0xfca2c757bd778ac3, 0x6e48dc74849ba5c0, 0x0c925dd413a32439,
    0xfc3bd63962534e7d, 0xd1046bea5d768909, 0xd338e04d68befc82,
    0x7323ac7306a673e9, 0x3908bf177bf25076, 0x3ff12fffbc0b301f,
    0xde5e2316b414da3e, 0xda6cfd9e4f96136e, 0x9e8c7ecd3cbfd45a,
    0xea4f758fd7cbe2f6, 0x7a0e73ef14a525d4, 0xd7f6bf623f1aba10,
    0xac06608df8f6d757};

/* The 64 bits of 4 / pi from bit `at` on. */
static uint64_t
window(unsigned word, unsigned shift)
{
    uint64_t w = four_over_pi[word] << shift;
    return shift == 0 ? w : w | four_over_pi[word + 1] >> (64 - shift);
}

/* Reduces x >= 2^29 to z in [-pi/4, pi/4] and the octant it came from. */
static uint64_t
reduce_large(double x, double *z)
{
    uint64_t bits = math_bits(x);
    int exp = (int)(bits >> 52 & 0x7ff) - 1023 - 52;
    bits = (bits & 0xfffffffffffff) | (uint64_t)1 << 52;
    unsigned at = (unsigned)(exp + 61), word = at / 64, shift = at % 64;
    __extension__ typedef unsigned __int128 u128;
    uint64_t w0 = window(word, shift), w1 = window(word + 1, shift),
             w2 = window(word + 2, shift);
    u128 p = ((u128)(w0 * bits) << 64) + (u128)w1 * bits +
        (uint64_t)((u128)w2 * bits >> 64);
    uint64_t hi = (uint64_t)(p >> 64), lo = (uint64_t)p;
    uint64_t j = hi >> 61; /* the octant is the top three bits */
    hi = hi << 3 | lo >> 61;
    unsigned lz = hi == 0 ? 64 : (unsigned)__builtin_clzll(hi);
    uint64_t e = 1023 - (lz + 1);
    hi = (lz + 1 >= 64 ? 0 : hi << (lz + 1)) |
        (lz + 1 > 64 ? 0 : lo >> (64 - (lz + 1)));
    hi >>= 64 - 52;
    double f = math_from_bits(hi | e << 52);
    if (j & 1) {
        j = (j + 1) & 7;
        f -= 1;
    }
    *z = f * (MATH_PI / 4);
    return j;
}

/* Reduces x >= 0 to z and an even octant. */
static uint64_t
reduce(double x, double *z)
{
    if (x >= 1 << 29)
        return reduce_large(x, z);
    uint64_t j = (uint64_t)(x * 1.27323954473516268615107010698140931);
    double y = (double)j;
    if (j & 1) {
        j++;
        y += 1;
    }
    *z = ((x - y * 7.85398125648498535156e-1) - y * 3.77489470793079817668e-8) -
        y * 2.69515142907905952645e-15;
    return j & 7;
}

static double
sin_series(double z)
{
    double zz = z * z;
    return z + z * zz * MATH_POLY(zz, -1.66666666666666307295e-1,
        8.33333333332211858878e-3, -1.98412698295895385996e-4,
        2.75573136213857245213e-6, -2.50507477628578072866e-8,
        1.58962301576546568060e-10);
}

static double
cos_series(double z)
{
    double zz = z * z;
    return 1.0 - 0.5 * zz + zz * zz * MATH_POLY(zz, 4.16666666666665929218e-2,
        -1.38888888888730564116e-3, 2.48015872888517045348e-5,
        -2.75573141792967388112e-7, 2.08757008419747316778e-9,
        -1.13585365213876817300e-11);
}

double
math_cos(double x)
{
    if (x != x || isinf(x))
        return NAN;
    double z;
    uint64_t j = reduce(fabs(x), &z);
    bool neg = j > 3;
    j &= 3;
    if (j > 1)
        neg = !neg;
    double y = j == 1 || j == 2 ? sin_series(z) : cos_series(z);
    return neg ? -y : y;
}

double
math_sin(double x)
{
    if (x == 0 || x != x)
        return x;
    if (isinf(x))
        return NAN;
    double z;
    uint64_t j = reduce(fabs(x), &z);
    bool neg = (x < 0) != (j > 3);
    j &= 3;
    double y = j == 1 || j == 2 ? cos_series(z) : sin_series(z);
    return neg ? -y : y;
}

double
math_tan(double x)
{
    if (x == 0 || x != x)
        return x;
    if (isinf(x))
        return NAN;
    double z;
    uint64_t j = reduce(fabs(x), &z);
    double zz = z * z, y = z;
    if (zz > 1e-14)
        y = z + z * (zz * MATH_POLY(zz, -1.79565251976484877988e7,
            1.15351664838587416140e6, -1.30936939181383777646e4) /
            MATH_POLY(zz, -5.38695755929454629881e7,
                2.50083801823357915839e7, -1.32089234440210967447e6,
                1.36812963470692954678e4, 1.0));
    if (j & 2)
        y = -1 / y;
    return x < 0 ? -y : y;
}

static double
atan_series(double x)
{
    double z = x * x;
    z = z * MATH_POLY(z, -6.485021904942025371773e+01,
        -1.228866684490136173410e+02, -7.500855792314704667340e+01,
        -1.615753718733365076637e+01, -8.750608600031904122785e-01) /
        MATH_POLY(z, 1.945506571482613964425e+02, 4.853903996359136964868e+02,
            4.328810604912902668951e+02, 1.650270098316988542046e+02,
            2.485846490142306297962e+01, 1.0);
    return x * z + x;
}

/* atan of x > 0. */
static double
atan_positive(double x)
{
    const double more = 6.123233995736765886130e-17; /* of pi / 2 */
    if (x <= 0.66)
        return atan_series(x);
    if (x > 2.41421356237309504880) /* tan(3 pi / 8) */
        return MATH_PI / 2 - atan_series(1 / x) + more;
    return MATH_PI / 4 + atan_series((x - 1) / (x + 1)) + 0.5 * more;
}

double
math_atan(double x)
{
    if (x == 0 || x != x)
        return x;
    return x > 0 ? atan_positive(x) : -atan_positive(-x);
}

double
math_asin(double x)
{
    if (x == 0)
        return x;
    double a = fabs(x);
    if (!(a <= 1))
        return NAN;
    double r = sqrt(1 - a * a);
    r = a > 0.7 ? MATH_PI / 2 - atan_positive(r / a) : atan_positive(a / r);
    return x < 0 ? -r : r;
}

double
math_atan2(double y, double x)
{
    if (x != x || y != y)
        return NAN;
    if (y == 0) {
        if (x >= 0 && !signbit(x))
            return copysign(0, y);
        return copysign(MATH_PI, y);
    }
    if (x == 0)
        return copysign(MATH_PI / 2, y);
    if (isinf(x)) {
        if (x > 0)
            return copysign(isinf(y) ? MATH_PI / 4 : 0, y);
        return copysign(isinf(y) ? 3 * MATH_PI / 4 : MATH_PI, y);
    }
    if (isinf(y))
        return copysign(MATH_PI / 2, y);
    double q = math_atan(y / x);
    if (x < 0)
        return q <= 0 ? q + MATH_PI : q - MATH_PI;
    return q;
}
