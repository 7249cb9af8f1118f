/* SPDX-License-Identifier: MIT */
#include "runtime/value/num.h"

#include <stdbool.h>

/* 1 or 0 with the sign of x: what remains of an infinity in a product. */
static double
box_inf(double x)
{
    return copysign(isinf(x) ? 1.0 : 0.0, x);
}

struct num_complex
num_cdiv(double a, double b, double c, double d)
{
    struct num_complex z;

    /* Smith's method: scale by the larger part of the divisor. */
    if (fabs(c) >= fabs(d)) {
        double ratio = d / c, denom = c + ratio * d;
        z.re = (a + b * ratio) / denom;
        z.im = (b - a * ratio) / denom;
    } else {
        double ratio = c / d, denom = d + ratio * c;
        z.re = (a * ratio + b) / denom;
        z.im = (b * ratio - a) / denom;
    }
    if (!isnan(z.re) || !isnan(z.im))
        return z;
    /* Both parts NaN: recover what is an infinity or a zero after all. */
    if (c == 0 && d == 0 && (!isnan(a) || !isnan(b))) {
        z.re = copysign(INFINITY, c) * a;
        z.im = copysign(INFINITY, c) * b;
    } else if ((isinf(a) || isinf(b)) && isfinite(c) && isfinite(d)) {
        a = box_inf(a);
        b = box_inf(b);
        z.re = INFINITY * (a * c + b * d);
        z.im = INFINITY * (b * c - a * d);
    } else if ((isinf(c) || isinf(d)) && isfinite(a) && isfinite(b)) {
        c = box_inf(c);
        d = box_inf(d);
        z.re = 0 * (a * c + b * d);
        z.im = 0 * (b * c - a * d);
    }
    return z;
}

struct pair {
    float re, im;
};

static struct pair
unpack(uint64_t x)
{
    struct pair p;

    memcpy(&p, &x, 8);
    return p;
}

static uint64_t
pack(float re, float im)
{
    struct pair p = { re, im };
    uint64_t x;

    memcpy(&x, &p, 8);
    return x;
}

uint64_t
num_cadd64(uint64_t x, uint64_t y)
{
    struct pair p = unpack(x), q = unpack(y);

    return pack(p.re + q.re, p.im + q.im);
}

uint64_t
num_csub64(uint64_t x, uint64_t y)
{
    struct pair p = unpack(x), q = unpack(y);

    return pack(p.re - q.re, p.im - q.im);
}

uint64_t
num_cmul64(uint64_t x, uint64_t y)
{
    struct pair p = unpack(x), q = unpack(y);
    /* As gc does: the products are exact then, and each part is rounded once
     * to double and once to float. */
    struct num_complex z = num_cmul(p.re, p.im, q.re, q.im);

    return pack((float)z.re, (float)z.im);
}

uint64_t
num_cdiv64(uint64_t x, uint64_t y)
{
    struct pair p = unpack(x), q = unpack(y);
    struct num_complex z = num_cdiv(p.re, p.im, q.re, q.im);

    return pack((float)z.re, (float)z.im);
}
