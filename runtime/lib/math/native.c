/* SPDX-License-Identifier: MIT */

/*
 * Natives of package math: the elementary functions; the trigonometric ones
 * are in trig.c.  The methods and coefficients are those that Go
 * uses: sinh and tanh are S. L. Moshier's Cephes library's, expm1, log, log1p
 * and cbrt those of FreeBSD's msun (Sun Microsystems, 1993).  The order of the
 * operations matters: each result is the same as Go's, bit for bit.
 */

#include "runtime/lib/math/math_int.h"

#include <math.h>
#include <string.h>
#include <stdbool.h>

#include "runtime/base/cpu.h"
#include "runtime/lib/lib.h"
#include "runtime/lib/natives.h"
#include "runtime/vm/native.h"

/*
 * exp by a Taylor series of degree 9 at x/16 after taking out the power of
 * two, and squaring as (1 + y)^2 - 1 = y (y + 2) four times.  `fused` is a
 * constant: Go uses fused operations where the processor has them.
 */
static inline __attribute__((always_inline)) double
exp_series(double x, bool fused)
{
    static const double c[] = {1.0, 0.5, 1.6666666666666666667e-1,
        4.1666666666666666667e-2, 8.3333333333333333333e-3,
        1.3888888888888888889e-3, 1.9841269841269841270e-4,
        2.4801587301587301587e-5};
    const double log2e = 1.4426950408889634073599246810018920;
    const double ln2_hi = 0.69314718055966295651160180568695068359375;
    const double ln2_lo = 0.28235290563031577122588448175013436025525412e-12;

    if (x != x || x == INFINITY)
        return x;
    if (x == -INFINITY)
        return 0;
    if (x > 7.09782712893384e+02)
        return INFINITY;
    /* Rounded to even like the processor's conversion; too small is the same
     * as any very small value. */
    double scaled = x * log2e;
    int n = scaled < -2147483648.0 ? INT32_MIN : (int)rint(scaled);
    double k = n;
    double y, v = c[7];
    if (fused) {
        x = fma(-k, ln2_hi, x);
        x = fma(-k, ln2_lo, x);
        x *= 0.0625;
        for (int i = 6; i >= 0; i--)
            v = fma(v, x, c[i]);
    } else {
        x = x - k * ln2_hi;
        x = x - k * ln2_lo;
        x *= 0.0625;
        for (int i = 6; i >= 0; i--)
            v = v * x + c[i];
    }
    x *= v;
    for (int i = 0; i < 3; i++) {
        y = x + 2.0;
        x *= y;
    }
    y = x + 2.0;
    x = fused ? fma(x, y, 1.0) : x * y + 1.0;
    /* x * 2^n */
    int64_t e = (int64_t)n + 1023;
    if (e >= 2047)
        return INFINITY;
    if (e > 0)
        return x * math_from_bits((uint64_t)e << 52);
    if (e < -52)
        return 0;
    x *= math_from_bits((uint64_t)(e + 1022) << 52);
    return x * math_from_bits((uint64_t)1 << 52);
}

#if defined(__x86_64__)
__attribute__((target("fma"))) static double
exp_fused(double x)
{
    return exp_series(x, true);
}
#endif

double
math_exp(double x)
{
#if defined(__x86_64__)
    if (rt_cpu_has_fma())
        return exp_fused(x);
#endif
    return exp_series(x, false);
}

/* Frexp for finite values other than 0. */
static double
split(double x, int *exp)
{
    return frexp(x, exp);
}

/* 2^k e^(hi - lo) for a small hi - lo (msun's e_exp.c). */
static double
exp_multi(double hi, double lo, int k)
{
    double r = hi - lo;
    double t = r * r;
    double c = r - t * MATH_POLY(t, 1.66666666666666657415e-01,
        -2.77777777770155933842e-03, 6.61375632143793436117e-05,
        -1.65339022054652515390e-06, 4.13813679705723846039e-08);
    double y = 1 - ((lo - (r * c) / (2 - c)) - hi);
    return ldexp(y, k);
}

static double
exp2_go(double x)
{
    if (x != x)
        return x;
    if (x > 1.0239999999999999e+03)
        return INFINITY;
    if (x < -1.0740e+03)
        return 0;
    int k = (int)(x > 0 ? x + 0.5 : x < 0 ? x - 0.5 : 0);
    double t = x - k;
    return exp_multi(t * MATH_LN2_HI, -t * MATH_LN2_LO, k);
}

/* Multiplies y by 2^k by way of its exponent. */
static double
scale(double y, int k)
{
    return math_from_bits(math_bits(y) + ((uint64_t)(int64_t)k << 52));
}

double
math_expm1(double x)
{
    const double ln2_half = 3.46573590279972654709e-01;
    double ax = fabs(x), c = 0;
    int k = 0;

    if (x != x || x == INFINITY)
        return x;
    if (ax >= 3.88162421113569373274e+01) { /* 56 ln 2 */
        if (x < 0)
            return -1;
        if (ax >= 7.09782712893383973096e+02)
            return INFINITY;
    }
    if (ax > ln2_half) {
        double hi, lo;
        if (ax < 1.03972077083991796413e+00) { /* 1.5 ln 2 */
            k = x > 0 ? 1 : -1;
            hi = x - k * MATH_LN2_HI;
            lo = k * MATH_LN2_LO;
        } else {
            const double inv_ln2 = 1.44269504088896338700e+00;
            k = (int)(inv_ln2 * x + (x > 0 ? 0.5 : -0.5));
            hi = x - k * MATH_LN2_HI;
            lo = k * MATH_LN2_LO;
        }
        x = hi - lo;
        c = (hi - x) - lo;
    } else if (ax < 0x1p-54) {
        return x;
    }
    double half = 0.5 * x;
    double sq = x * half;
    double r = MATH_POLY(sq, 1, -3.33333333333331316428e-02,
        1.58730158725481460165e-03, -7.93650757867487942473e-05,
        4.00821782732936239552e-06, -2.01099218183624371326e-07);
    double t = 3 - r * half;
    double e = sq * ((r - t) / (6.0 - x * t));
    if (k == 0)
        return x - (x * e - sq);
    e = x * (e - c) - c;
    e -= sq;
    if (k == -1)
        return 0.5 * (x - e) - 0.5;
    if (k == 1)
        return x < -0.25 ? -2 * (e - (x + 0.5)) : 1 + 2 * (x - e);
    if (k <= -2 || k > 56)
        return scale(1 - (e - x), k) - 1;
    if (k < 20) {
        t = math_from_bits(0x3ff0000000000000 - (0x20000000000000 >> k));
        return scale(t - (e - x), k);
    }
    t = math_from_bits((uint64_t)(0x3ff - k) << 52); /* 2^-k */
    double y = x - (e + t);
    y += 1;
    return scale(y, k);
}

double
math_log(double x)
{
    if (x != x || x == INFINITY)
        return x;
    if (x < 0)
        return NAN;
    if (x == 0)
        return -INFINITY;
    /* The fraction and exponent as they stand, also for a denormal x. */
    uint64_t bits = math_bits(x);
    double f = math_from_bits((bits & 0xFFFFFFFFFFFFF) | 0x3FE0000000000000);
    double k = (double)((int)(bits >> 52) - 0x3FE);
    if (f <= 7.07106781186547524401e-01) {
        k -= 1;
        f *= 2;
    }
    f -= 1;
    double s = f / (2 + f);
    double s2 = s * s;
    double s4 = s2 * s2;
    double t1 = s2 * MATH_POLY(s4, 6.666666666666735130e-01,
        2.857142874366239149e-01, 1.818357216161805012e-01,
        1.479819860510658591e-01);
    double t2 = s4 * MATH_POLY(s4, 3.999999999940941908e-01,
        2.222219843214978396e-01, 1.531383769920937332e-01);
    double r = t1 + t2;
    double sq = 0.5 * f * f;
    return k * MATH_LN2_HI - ((sq - (s * (sq + r) + k * MATH_LN2_LO)) - f);
}

double
math_log1p(double x)
{
    double f = 0, c = 0;
    uint64_t rest = 0; /* 0 where |f| < 2^-20 */
    int k = 1;
    double ax = fabs(x);

    if (x < -1 || x != x)
        return NAN;
    if (x == -1)
        return -INFINITY;
    if (x == INFINITY)
        return x;
    if (ax < 4.142135623730950488017e-01) { /* sqrt 2 - 1 */
        if (ax < 0x1p-54)
            return x;
        if (ax < 0x1p-29)
            return x - x * x * 0.5;
        if (x > -2.928932188134524755992e-01) { /* sqrt 2 / 2 - 1 */
            k = 0;
            f = x;
            rest = 1;
        }
    }
    if (k != 0) {
        double u = ax < 0x1p53 ? 1.0 + x : x;
        rest = math_bits(u);
        k = (int)(rest >> 52) - 1023;
        if (ax < 0x1p53) {
            c = k > 0 ? 1.0 - (u - x) : x - (u - 1.0);
            c /= u;
        }
        rest &= 0x000fffffffffffff;
        if (rest < 0x0006a09e667f3bcd) { /* sqrt 2 */
            u = math_from_bits(rest | 0x3ff0000000000000);
        } else {
            k++;
            u = math_from_bits(rest | 0x3fe0000000000000);
            rest = (0x0010000000000000 - rest) >> 2;
        }
        f = u - 1.0;
    }
    double sq = 0.5 * f * f;
    if (rest == 0) {
        if (f == 0) {
            if (k == 0)
                return 0;
            c += k * MATH_LN2_LO;
            return k * MATH_LN2_HI + c;
        }
        double r = sq * (1.0 - 0.66666666666666666 * f);
        if (k == 0)
            return f - r;
        return k * MATH_LN2_HI - ((r - (k * MATH_LN2_LO + c)) - f);
    }
    double s = f / (2.0 + f);
    double z = s * s;
    double r = z * MATH_POLY(z, 6.666666666666735130e-01,
        3.999999999940941908e-01, 2.857142874366239149e-01,
        2.222219843214978396e-01, 1.818357216161805012e-01,
        1.531383769920937332e-01, 1.479819860510658591e-01);
    if (k == 0)
        return f - (sq - s * (sq + r));
    return k * MATH_LN2_HI -
        ((sq - (s * (sq + r) + (k * MATH_LN2_LO + c))) - f);
}

static double
log2_go(double x)
{
    if (x != x || x == INFINITY)
        return x;
    int e = 0;
    double f = x == 0 || x == -INFINITY ? x : split(x, &e);
    if (f == 0.5)
        return e - 1;
    return math_log(f) * MATH_LOG2E + e;
}

static bool
is_odd(double x)
{
    if (fabs(x) >= 0x1p53)
        return false;
    double whole;
    return modf(x, &whole) == 0 && ((int64_t)whole & 1) != 0;
}

/* The special cases of pow; false if there is none. */
static bool
pow_special(double x, double y, double *r)
{
    if (y == 0 || x == 1)
        return *r = 1, true;
    if (y == 1)
        return *r = x, true;
    if (x != x || y != y)
        return *r = NAN, true;
    if (x == 0) {
        bool keep = signbit(x) && is_odd(y);
        if (y < 0)
            *r = keep ? -INFINITY : INFINITY;
        else
            *r = keep ? x : 0;
        return true;
    }
    if (isinf(y)) {
        if (x == -1)
            *r = 1;
        else
            *r = (fabs(x) < 1) == (y > 0) ? 0 : INFINITY;
        return true;
    }
    if (isinf(x)) {
        if (x < 0)
            *r = math_pow(1 / x, -y);
        else
            *r = y < 0 ? 0 : INFINITY;
        return true;
    }
    if (y == 0.5)
        return *r = sqrt(x), true;
    if (y == -0.5)
        return *r = 1 / sqrt(x), true;
    return false;
}

double
math_pow(double x, double y)
{
    double r;
    if (pow_special(x, y, &r))
        return r;
    double whole;
    double frac = modf(fabs(y), &whole);
    if (frac != 0 && x < 0)
        return NAN;
    if (whole >= 0x1p63) {
        if (x == -1)
            return 1;
        return (fabs(x) < 1) == (y > 0) ? 0 : INFINITY;
    }
    /* The result is a * 2^e: the fractional power by exp and log, the whole
     * one by squaring. */
    double a = 1;
    int64_t e = 0;
    if (frac != 0) {
        if (frac > 0.5) {
            frac -= 1;
            whole += 1;
        }
        a = math_exp(frac * math_log(x));
    }
    int xe0;
    double x1 = split(x, &xe0);
    int64_t xe = xe0;
    for (int64_t i = (int64_t)whole; i != 0; i >>= 1) {
        if (xe < -4096 || xe > 4096) {
            /* It overflows or underflows from here on. */
            e += xe;
            break;
        }
        if (i & 1) {
            a *= x1;
            e += xe;
        }
        x1 *= x1;
        xe *= 2;
        if (x1 < .5) {
            x1 += x1;
            xe--;
        }
    }
    if (y < 0) {
        a = 1 / a;
        e = -e;
    }
    return ldexp(a, e > 100000 ? 100000 : e < -100000 ? -100000 : (int)e);
}

/* |x|, but -0 stays what it is. */
static double
magnitude(double x)
{
    return x < 0 ? -x : x;
}

static double
sinh_go(double x)
{
    double a = magnitude(x), r;
    if (a > 21) {
        r = math_exp(a) * 0.5;
    } else if (a > 0.5) {
        double e = math_exp(a);
        r = (e - 1 / e) * 0.5;
    } else {
        double s = a * a;
        r = MATH_POLY(s, -0.6307673640497716991184787251e+6,
            -0.8991272022039509355398013511e+5,
            -0.2894211355989563807284660366e+4,
            -0.2630563213397497062819489e+2) * a;
        r = r / MATH_POLY(s, -0.6307673640497716991212077277e+6,
            0.1521517378790019070696485176e+5,
            -0.173678953558233699533450911e+3, 1.0);
    }
    return x < 0 ? -r : r;
}

static double
cosh_go(double x)
{
    x = fabs(x);
    double e = math_exp(x);
    return x > 21 ? e * 0.5 : (e + 1 / e) * 0.5;
}

static double
tanh_go(double x)
{
    double z = fabs(x);
    if (z > 0.5 * 8.8029691931113054295988e+01)
        return x < 0 ? -1 : 1;
    if (z >= 0.625) {
        z = 1 - 2 / (math_exp(2 * z) + 1);
        return x < 0 ? -z : z;
    }
    if (x == 0)
        return x;
    double s = x * x;
    return x + x * s * MATH_POLY(s, -1.61468768441708447952e3,
        -9.92877231001918586564e1, -9.64399179425052238628e-1) /
        MATH_POLY(s, 4.84406305325125486048e3, 2.23548839060100448583e3,
            1.12811678491632931402e2, 1.0);
}

static double
asinh_go(double x)
{
    if (x != x || isinf(x))
        return x;
    double a = magnitude(x), r;
    if (a > 1 << 28)
        r = math_log(a) + 6.93147180559945286227e-01;
    else if (a > 2)
        r = math_log(2 * a + 1 / (sqrt(a * a + 1) + a));
    else if (a < 0x1p-28)
        r = a;
    else
        r = math_log1p(a + a * a / (1 + sqrt(1 + a * a)));
    return x < 0 ? -r : r;
}

static double
acosh_go(double x)
{
    if (x < 1 || x != x)
        return NAN;
    if (x == 1)
        return 0;
    if (x >= 1 << 28)
        return math_log(x) + MATH_LN2;
    if (x > 2)
        return math_log(2 * x - 1 / (x + sqrt(x * x - 1)));
    double t = x - 1;
    return math_log1p(t + sqrt(2 * t + t * t));
}

static double
atanh_go(double x)
{
    if (x < -1 || x > 1 || x != x)
        return NAN;
    if (x == 1)
        return INFINITY;
    if (x == -1)
        return -INFINITY;
    double a = magnitude(x), r;
    if (a < 0x1p-28) {
        r = a;
    } else if (a < 0.5) {
        r = a + a;
        r = 0.5 * math_log1p(r + r * a / (1 - a));
    } else {
        r = 0.5 * math_log1p((a + a) / (1 - a));
    }
    return x < 0 ? -r : r;
}

static double
cbrt_go(double x)
{
    if (x == 0 || x != x || isinf(x))
        return x;
    double a = fabs(x);
    /* A third of the exponent: good to 5 bits. */
    double t = math_from_bits(math_bits(a) / 3 + ((uint64_t)715094163 << 32));
    if (a < 2.22507385850720138309e-308) {
        t = 0x1p54 * a;
        t = math_from_bits(math_bits(t) / 3 + ((uint64_t)696219795 << 32));
    }
    /* A step to 23 bits, rounded up to 20. */
    double r = t * t / a;
    double s = 5.42857142857142815906e-01 + r * t;
    t *= 3.57142857142857150787e-01 + 1.60714285714285720630e+00 /
        (s + 1.41428571428571436819e+00 + -7.05306122448979611050e-01 / s);
    t = math_from_bits(
        (math_bits(t) & ((uint64_t)0xFFFFFFFFC << 28)) + ((uint64_t)1 << 30));
    /* One of Newton's. */
    s = t * t;
    r = a / s;
    double w = t + t;
    r = (r - t) / (w + r);
    t = t + t * r;
    return x < 0 ? -t : t;
}

static double
hypot_go(double p, double q)
{
    p = fabs(p);
    q = fabs(q);
    if (isinf(p) || isinf(q))
        return INFINITY;
    if (p != p || q != q)
        return NAN;
    double hi = p > q ? p : q, lo = p > q ? q : p;
    if (hi == 0)
        return 0;
    q = lo / hi;
    return hi * sqrt(1 + q * q);
}

static double
max_go(double x, double y)
{
    if (x == INFINITY || y == INFINITY)
        return INFINITY;
    if (x != x || y != y)
        return NAN;
    if (x == 0 && y == 0)
        return signbit(x) ? y : x;
    return x > y ? x : y;
}

static double
min_go(double x, double y)
{
    if (x == -INFINITY || y == -INFINITY)
        return -INFINITY;
    if (x != x || y != y)
        return NAN;
    if (x == 0 && y == 0)
        return signbit(x) ? x : y;
    return x < y ? x : y;
}

/* A zero has the sign of x; the C library forgets it for tiny y. */
static double
remainder_go(double x, double y)
{
    double r = remainder(x, y);
    return r == 0 ? copysign(0, x) : r;
}

static double
ldexp_go(double x, int64_t e)
{
    if (x == 0 || x - x != 0)
        return x;
    /* The exponent of the result, which wraps at the ends as Go's does. */
    int own;
    frexp(x, &own);
    int64_t sum = e + (own - 1);
    if (sum < -1075)
        return copysign(0, x);
    return sum > 1023 ? copysign(INFINITY, x) : ldexp(x, (int)e);
}

/* Functions of one and two numbers. */
#define FN1(fn, expr)                                                        \
    enum vm_status lib_math_##fn(                                            \
        struct vm_thread *t, union lib_math_##fn##_1to1 *f)                  \
    {                                                                        \
        (void)t;                                                             \
        double x = f->in.x;                                                  \
        f->out.r = (expr);                                                   \
        return VM_OK;                                                        \
    }
/* The same of x and y, whatever Go calls them. */
#define FN2(fn, px, py, expr)                                                \
    enum vm_status lib_math_##fn(                                            \
        struct vm_thread *t, union lib_math_##fn##_2to1 *f)                  \
    {                                                                        \
        (void)t;                                                             \
        double x = f->in.px, y = f->in.py;                                   \
        f->out.r = (expr);                                                   \
        return VM_OK;                                                        \
    }

FN1(Abs, fabs(x))
FN1(Acos, MATH_PI / 2 - math_asin(x))
FN1(Acosh, acosh_go(x))
FN1(Asin, math_asin(x))
FN1(Asinh, asinh_go(x))
FN1(Atan, math_atan(x))
FN2(Atan2, y, x, math_atan2(x, y))
FN1(Atanh, atanh_go(x))
FN1(Cbrt, cbrt_go(x))
FN1(Ceil, ceil(x))
FN2(Copysign, f, sign, copysign(x, y))
FN1(Cos, math_cos(x))
FN1(Cosh, cosh_go(x))
FN1(Exp, math_exp(x))
FN1(Exp2, exp2_go(x))
FN1(Expm1, math_expm1(x))
FN1(Floor, floor(x))
FN2(Hypot, p, q, hypot_go(x, y))
FN1(Log, math_log(x))
FN1(Log10, math_log(x) * MATH_LOG10E)
FN1(Log1p, math_log1p(x))
FN1(Log2, log2_go(x))
FN2(Max, x, y, max_go(x, y))
FN2(Min, x, y, min_go(x, y))
FN2(Mod, x, y, fmod(x, y))
FN2(Nextafter, x, y, x == y ? x : nextafter(x, y))
FN2(Pow, x, y, math_pow(x, y))
FN2(Remainder, x, y, remainder_go(x, y))
FN1(Round, round(x))
FN1(RoundToEven, rint(x))
FN1(Sin, math_sin(x))
FN1(Sinh, sinh_go(x))
FN1(Sqrt, sqrt(x))
FN1(Tan, math_tan(x))
FN1(Tanh, tanh_go(x))
FN1(Trunc, trunc(x))

enum vm_status
lib_math_FMA(struct vm_thread *t, union lib_math_FMA_3to1 *f)
{
    (void)t;
    f->out.r = fma(f->in.x, f->in.y, f->in.z);
    return VM_OK;
}

/* The same bits as another type; the upper half of a slot that holds a float32
 * is of no meaning. */
#define SAME_BITS(fn, pa, type)                                              \
    enum vm_status lib_math_##fn(                                            \
        struct vm_thread *t, union lib_math_##fn##_1to1 *f)                  \
    {                                                                        \
        type x = (type)f->in.pa;                                             \
                                                                             \
        (void)t;                                                             \
        f->slot[0].u = 0;                                                    \
        memcpy(&f->out.r, &x, sizeof x);                                     \
        return VM_OK;                                                        \
    }

SAME_BITS(Float32bits, f, float)
SAME_BITS(Float32frombits, b, uint32_t)
SAME_BITS(Float64bits, f, double)
SAME_BITS(Float64frombits, b, uint64_t)

enum vm_status
lib_math_Nextafter32(struct vm_thread *t, union lib_math_Nextafter32_2to1 *f)
{
    (void)t;
    float x = f->in.x, y = f->in.y;
    float r = x == y ? x : nextafterf(x, y);
    f->out.r = 0;
    f->out.r = r;
    return VM_OK;
}

enum vm_status
lib_math_Signbit(struct vm_thread *t, union lib_math_Signbit_1to1 *f)
{
    (void)t;
    f->out.r = math_bits(f->in.x) >> 63;
    return VM_OK;
}

/* func Frexp(f float64) (frac float64, exp int) */
enum vm_status
lib_math_Frexp(struct vm_thread *t, union lib_math_Frexp_1to2 *f)
{
    (void)t;
    double x = f->in.f;
    int e = 0;
    if (x != 0 && x == x && !isinf(x))
        x = split(x, &e);
    f->out.frac = x;
    f->out.exp = e;
    return VM_OK;
}

/* func Ldexp(frac float64, exp int) float64 */
enum vm_status
lib_math_Ldexp(struct vm_thread *t, union lib_math_Ldexp_2to1 *f)
{
    (void)t;
    f->out.r = ldexp_go(f->in.frac, f->in.exp);
    return VM_OK;
}

/* func Modf(f float64) (integer float64, fractional float64) */
enum vm_status
lib_math_Modf(struct vm_thread *t, union lib_math_Modf_1to2 *f)
{
    (void)t;
    double x = f->in.f, whole = trunc(x);
    f->out.integer = whole;
    f->out.fractional = copysign(x - whole, x);
    return VM_OK;
}

/* func Sincos(x float64) (sin, cos float64) */
enum vm_status
lib_math_Sincos(struct vm_thread *t, union lib_math_Sincos_1to2 *f)
{
    (void)t;
    double x = f->in.x;
    f->out.sin = math_sin(x);
    f->out.cos = math_cos(x);
    return VM_OK;
}
