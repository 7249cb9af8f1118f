/* SPDX-License-Identifier: MIT */

/*
 * Exact constants as what the types of a program hold: the nearest float64 and
 * float32, and the integer that a float stands for.
 */

#include "runtime/lang/types/const_int.h"

#include <float.h>
#include <math.h>

/*
 * n/d > 0 rounded to `mant` bits with the last bit no smaller than 2^emin,
 * ties to even.  The quotient is taken with two or three bits to spare; the
 * remainder is the sticky bit.
 */
static double
round_ratio(mpz_srcptr n, mpz_srcptr d, long mant, long emin)
{
    long s =
        mant + 2 - ((long)mpz_sizeinbase(n, 2) - (long)mpz_sizeinbase(d, 2));
    long bits, drop;
    uint64_t m;
    bool sticky, half;
    mpz_t a, b, q, r;

    mpz_init(a);
    mpz_init(b);
    mpz_init(q);
    mpz_init(r);
    mpz_mul_2exp(a, n, s > 0 ? (mp_bitcnt_t)s : 0);
    mpz_mul_2exp(b, d, s < 0 ? (mp_bitcnt_t)-s : 0);
    mpz_tdiv_qr(q, r, a, b);
    sticky = mpz_sgn(r) != 0;
    m = mpz_get_ui(q);
    mpz_clear(a);
    mpz_clear(b);
    mpz_clear(q);
    mpz_clear(r);
    bits = 64 - __builtin_clzll(m);
    drop = bits - mant;
    if (drop < emin + s)
        drop = emin + s;
    if (drop > 62)
        return 0;
    half = (m >> (drop - 1)) & 1;
    sticky = sticky || (m & (((uint64_t)1 << (drop - 1)) - 1)) != 0;
    m >>= drop;
    if (half && (sticky || (m & 1)))
        m++;
    return ldexp((double)m, (int)(drop - s));
}

static double
to_float(const struct constv *v, long mant, long emin)
{
    double r;
    int sign = const_sign(v);
    mpq_t q;

    if (v->kind == CONST_COMPLEX)
        return to_float(v->z.re, mant, emin);
    if (sign == 0 || (v->kind != CONST_INT && v->kind != CONST_FLOAT))
        return 0;
    mpq_init(q);
    if (v->form == FORM_MPF) {
        mpf_t f;
        long exp;

        mpf_init(f);
        const_get_mpf(v, f);
        (void)mpf_get_d_2exp(&exp, f);
        if (exp > 2000 || exp < -2000) {
            mpf_clear(f);
            mpq_clear(q);
            return exp < 0 ? 0 : sign * (double)INFINITY;
        }
        mpq_set_f(q, f);
        mpf_clear(f);
    } else {
        const_get_rat(v, q);
    }
    mpq_abs(q, q);
    if (mpz_sizeinbase(mpq_numref(q), 2) >
        mpz_sizeinbase(mpq_denref(q), 2) + 1100)
        r = (double)INFINITY;
    else
        r = round_ratio(mpq_numref(q), mpq_denref(q), mant, emin);
    mpq_clear(q);
    return sign < 0 ? -r : r;
}

double
const_to_double(const struct constv *v)
{
    if (v->kind == CONST_INT && v->form == FORM_SMALL)
        return (double)v->i;
    return to_float(v, 53, -1074);
}

float
const_to_float(const struct constv *v)
{
    double d;

    if (v->kind == CONST_INT && v->form == FORM_SMALL)
        return (float)v->i;
    d = to_float(v, 24, -149);
    if (d > (double)FLT_MAX)
        return INFINITY;
    if (d < -(double)FLT_MAX)
        return -INFINITY;
    return (float)d;
}

void
const_to_complex(const struct constv *v, double *re, double *im)
{
    *re = const_to_double(v);
    *im = v->kind == CONST_COMPLEX ? const_to_double(v->z.im) : 0;
}

void
const_to_complex64(const struct constv *v, float *re, float *im)
{
    *re = const_to_float(v);
    *im = v->kind == CONST_COMPLEX ? const_to_float(v->z.im) : 0;
}

static const struct constv *
round_to(struct const_ctx *c, const struct constv *v, bool single)
{
    double d;

    if (v->kind == CONST_COMPLEX) {
        const struct constv *re = round_to(c, v->z.re, single);
        const struct constv *im = round_to(c, v->z.im, single);

        return re && im ? const_make_complex(c, re, im) : NULL;
    }
    if (!const_is_real(v))
        return v;
    d = single ? (double)const_to_float(v) : const_to_double(v);
    if (!isfinite(d))
        return NULL;
    return const_float(c, d);
}

const struct constv *
const_round32(struct const_ctx *c, const struct constv *v)
{
    if (v->kind == CONST_INT && v->form == FORM_SMALL && v->i > -(1 << 24) &&
        v->i < 1 << 24)
        return v;
    return round_to(c, v, true);
}

const struct constv *
const_round64(struct const_ctx *c, const struct constv *v)
{
    if (v->kind == CONST_INT && v->form == FORM_SMALL &&
        v->i > -((int64_t)1 << 53) && v->i < (int64_t)1 << 53)
        return v;
    return round_to(c, v, false);
}

double
const_frexp(const struct constv *v, long *exp)
{
    double d;
    mpf_t f;

    mpf_init(f);
    const_get_mpf(v, f);
    d = mpf_get_d_2exp(exp, f);
    mpf_clear(f);
    return d;
}

/* Values that once grew beyond what rationals may are floats for good.  In Go
 * one that is within 4 of its last bits of an integer counts as that. */
const struct constv *
const_to_int(struct const_ctx *c, const struct constv *v)
{
    enum { TRUSTED_BITS = FLOAT_BITS - 4 };
    const struct constv *r = v;
    mpf_t f, far;
    mpz_t near;
    long exp;

    if (v->form != FORM_MPF)
        return v;
    (void)const_frexp(v, &exp);
    if (exp > RAT_BITS)
        return v;
    mpf_init(f);
    const_get_mpf(v, f);
    mpf_init2(far, WORK_BITS);
    mpz_init(near);
    /* The nearest integer, and how far it is. */
    mpf_set_d(far, mpf_sgn(f) < 0 ? -.5 : .5);
    mpf_add(far, far, f);
    mpz_set_f(near, far);
    mpf_set_z(far, near);
    mpf_sub(far, far, f);
    mpf_abs(far, far);
    mpf_mul_2exp(far, far, TRUSTED_BITS);
    mpf_abs(f, f);
    if (mpz_sgn(near) != 0 && mpf_cmp(far, f) <= 0)
        r = const_store_int(c, near);
    mpz_clear(near);
    mpf_clear(far);
    mpf_clear(f);
    return r;
}
