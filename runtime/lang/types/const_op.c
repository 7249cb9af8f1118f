/* SPDX-License-Identifier: MIT */

/*
 * Operations on constants.  Small integers are computed directly, larger
 * ones and other reals by GMP: as rationals unless an operand is a float, and
 * complex numbers by their parts.
 */

#include "runtime/lang/types/const_int.h"

#include <string.h>

enum {
    ROPE_MIN = 64 /* concatenations below are copied at once */
};

/* ---- arithmetic --------------------------------------------------------- */

static const struct constv *
concat(struct const_ctx *c, const struct constv *a, const struct constv *b)
{
    size_t n = a->s.len + b->s.len;
    struct constv *v;

    if (a->s.len == 0)
        return b;
    if (b->s.len == 0)
        return a;
    if (n <= ROPE_MIN && a->form == FORM_FLAT && b->form == FORM_FLAT) {
        char *p = const_alloc(c, n + 1);

        memcpy(p, a->s.p, a->s.len);
        memcpy(p + a->s.len, b->s.p, b->s.len);
        p[n] = '\0';
        return const_str(c, p, n);
    }
    v = const_make(c, CONST_STRING, FORM_ROPE);
    v->s.len = n;
    v->s.l = a;
    v->s.r = b;
    return v;
}

static bool
small_op(enum const_op op, int64_t a, int64_t b, int64_t *r)
{
    switch (op) {
    case CONST_ADD:
        return !__builtin_add_overflow(a, b, r);
    case CONST_SUB:
        return !__builtin_sub_overflow(a, b, r);
    case CONST_MUL:
        return !__builtin_mul_overflow(a, b, r);
    case CONST_IDIV:
        if (b == 0 || (a == INT64_MIN && b == -1))
            return false;
        *r = a / b;
        return true;
    case CONST_QUO:
        if (b == 0 || b == -1 || a % b != 0)
            return false;
        *r = a / b;
        return true;
    case CONST_REM:
        if (b == 0)
            return false;
        *r = b == -1 ? 0 : a % b;
        return true;
    case CONST_AND:
        *r = a & b;
        return true;
    case CONST_OR:
        *r = a | b;
        return true;
    case CONST_XOR:
        *r = a ^ b;
        return true;
    case CONST_AND_NOT:
        *r = a & ~b;
        return true;
    default:
        return false;
    }
}

static const struct constv *
int_op(struct const_ctx *c, enum const_op op, const struct constv *a,
    const struct constv *b)
{
    mpz_t za, zb, r;
    mp_limb_t la, lb;
    mpz_srcptr x, y;
    const struct constv *v;
    int64_t small;

    if (a->form == FORM_SMALL && b->form == FORM_SMALL &&
        small_op(op, a->i, b->i, &small))
        return const_int64(c, small);
    x = const_view_int(a, za, &la);
    y = const_view_int(b, zb, &lb);
    mpz_init(r);
    switch (op) {
    case CONST_ADD:
        mpz_add(r, x, y);
        break;
    case CONST_SUB:
        mpz_sub(r, x, y);
        break;
    case CONST_MUL:
        mpz_mul(r, x, y);
        break;
    case CONST_IDIV:
        mpz_tdiv_q(r, x, y);
        break;
    case CONST_REM:
        mpz_tdiv_r(r, x, y);
        break;
    case CONST_AND:
        mpz_and(r, x, y);
        break;
    case CONST_OR:
        mpz_ior(r, x, y);
        break;
    case CONST_XOR:
        mpz_xor(r, x, y);
        break;
    default: /* AND_NOT */
        mpz_com(r, y);
        mpz_and(r, x, r);
        break;
    }
    v = const_store_whole(c, r);
    mpz_clear(r);
    return v;
}

static const struct constv *
float_op(struct const_ctx *c, enum const_op op, const struct constv *a,
    const struct constv *b)
{
    mpf_t x, y;
    const struct constv *v;

    mpf_init(x);
    mpf_init(y);
    const_get_mpf(a, x);
    const_get_mpf(b, y);
    if (op == CONST_ADD)
        mpf_add(x, x, y);
    else if (op == CONST_SUB)
        mpf_sub(x, x, y);
    else if (op == CONST_MUL)
        mpf_mul(x, x, y);
    else
        mpf_div(x, x, y);
    v = const_store_mpf(c, x);
    mpf_clear(x);
    mpf_clear(y);
    return v;
}

static const struct constv *
rat_op(struct const_ctx *c, enum const_op op, const struct constv *a,
    const struct constv *b)
{
    mpq_t x, y;
    const struct constv *v;

    mpq_init(x);
    mpq_init(y);
    const_get_rat(a, x);
    const_get_rat(b, y);
    if (op == CONST_ADD)
        mpq_add(x, x, y);
    else if (op == CONST_SUB)
        mpq_sub(x, x, y);
    else if (op == CONST_MUL)
        mpq_mul(x, x, y);
    else
        mpq_div(x, x, y);
    v = const_store_rat(c, x);
    mpq_clear(x);
    mpq_clear(y);
    return v;
}

static const struct constv *
real_op(struct const_ctx *c, enum const_op op, const struct constv *a,
    const struct constv *b)
{
    int64_t small;

    if (op == CONST_QUO && const_sign(b) == 0)
        return const_unknown();
    if ((op == CONST_IDIV || op == CONST_REM) &&
        (!const_is_int(a) || !const_is_int(b) || const_sign(b) == 0))
        return const_unknown();
    if (a->kind == CONST_INT && b->kind == CONST_INT) {
        if (op != CONST_QUO)
            return int_op(c, op, a, b);
        if (a->form == FORM_SMALL && b->form == FORM_SMALL &&
            small_op(op, a->i, b->i, &small))
            return const_int64(c, small);
    }
    if (op > CONST_QUO)
        return const_unknown();
    if (a->form == FORM_MPF || b->form == FORM_MPF)
        return float_op(c, op, a, b);
    return rat_op(c, op, a, b);
}

static const struct constv *
complex_op(struct const_ctx *c, enum const_op op, const struct constv *x,
    const struct constv *y)
{
    const struct constv *a = const_real(c, x), *b = const_imag(c, x);
    const struct constv *p = const_real(c, y), *q = const_imag(c, y);
    const struct constv *re, *im, *s;

#define R(op, x, y) real_op(c, op, x, y)
    switch (op) {
    case CONST_ADD:
    case CONST_SUB:
        re = R(op, a, p);
        im = R(op, b, q);
        break;
    case CONST_MUL:
        re = R(CONST_SUB, R(CONST_MUL, a, p), R(CONST_MUL, b, q));
        im = R(CONST_ADD, R(CONST_MUL, a, q), R(CONST_MUL, b, p));
        break;
    case CONST_QUO:
        s = R(CONST_ADD, R(CONST_MUL, p, p), R(CONST_MUL, q, q));
        if (const_sign(s) == 0)
            return const_unknown();
        re = R(
            CONST_QUO, R(CONST_ADD, R(CONST_MUL, a, p), R(CONST_MUL, b, q)), s);
        im = R(
            CONST_QUO, R(CONST_SUB, R(CONST_MUL, b, p), R(CONST_MUL, a, q)), s);
        break;
    default:
        return const_unknown();
    }
#undef R
    return const_make_complex(c, re, im);
}

const struct constv *
const_binary(struct const_ctx *c, enum const_op op, const struct constv *a,
    const struct constv *b)
{
    if (a->kind == CONST_UNKNOWN || b->kind == CONST_UNKNOWN)
        return const_unknown();
    if (a->kind == CONST_BOOL && b->kind == CONST_BOOL) {
        if (op == CONST_LAND)
            return const_bool(c, a->b && b->b);
        return op == CONST_LOR ? const_bool(c, a->b || b->b) : const_unknown();
    }
    if (a->kind == CONST_STRING && b->kind == CONST_STRING)
        return op == CONST_ADD ? concat(c, a, b) : const_unknown();
    if (a->kind == CONST_COMPLEX || b->kind == CONST_COMPLEX)
        return complex_op(c, op, a, b);
    if (!const_is_real(a) || !const_is_real(b))
        return const_unknown();
    return real_op(c, op, a, b);
}

const struct constv *
const_shift(
    struct const_ctx *c, const struct constv *v, bool left, uint32_t count)
{
    mpz_t z, r;
    mp_limb_t small;
    const struct constv *res;

    if (v->kind != CONST_INT)
        return const_unknown();
    mpz_init(r);
    if (left)
        mpz_mul_2exp(r, const_view_int(v, z, &small), count);
    else
        mpz_fdiv_q_2exp(r, const_view_int(v, z, &small), count);
    res = const_store_int(c, r);
    mpz_clear(r);
    return res;
}

const struct constv *
const_neg(struct const_ctx *c, const struct constv *v)
{
    if (v->kind == CONST_UNKNOWN)
        return v;
    return const_binary(c, CONST_SUB, const_int64(c, 0), v);
}

const struct constv *
const_not(struct const_ctx *c, const struct constv *v)
{
    return v->kind == CONST_BOOL ? const_bool(c, !v->b) : const_unknown();
}

const struct constv *
const_complement(struct const_ctx *c, const struct constv *v, unsigned bits)
{
    mpz_t z, r;
    mp_limb_t small;
    const struct constv *res;

    if (v->kind != CONST_INT)
        return const_unknown();
    mpz_init(r);
    mpz_com(r, const_view_int(v, z, &small));
    if (bits)
        mpz_fdiv_r_2exp(r, r, bits);
    res = const_store_int(c, r);
    mpz_clear(r);
    return res;
}

/* ---- order and hash ----------------------------------------------------- */

static int
compare_real(const struct constv *a, const struct constv *b)
{
    int r;

    if (a->kind == CONST_INT && a->form == FORM_SMALL && b->kind == CONST_INT &&
        b->form == FORM_SMALL)
        return (a->i > b->i) - (a->i < b->i);
    if (a->form == FORM_MPF || b->form == FORM_MPF) {
        mpf_t x, y;

        mpf_init(x);
        mpf_init(y);
        const_get_mpf(a, x);
        const_get_mpf(b, y);
        r = mpf_cmp(x, y);
        mpf_clear(x);
        mpf_clear(y);
    } else {
        mpq_t x, y;

        mpq_init(x);
        mpq_init(y);
        const_get_rat(a, x);
        const_get_rat(b, y);
        r = mpq_cmp(x, y);
        mpq_clear(x);
        mpq_clear(y);
    }
    return r;
}

int
const_cmp(struct const_ctx *c, const struct constv *a, const struct constv *b)
{
    if (a->kind == CONST_STRING && b->kind == CONST_STRING) {
        size_t n, m;
        const char *p = const_str_val(c, a, &n);
        const char *q = const_str_val(c, b, &m);
        int r = memcmp(p, q, n < m ? n : m);

        return r ? r : (n > m) - (n < m);
    }
    if (a->kind == CONST_BOOL && b->kind == CONST_BOOL)
        return a->b != b->b;
    if (a->kind == CONST_COMPLEX || b->kind == CONST_COMPLEX)
        return compare_real(const_real(c, a), const_real(c, b)) ||
               compare_real(const_imag(c, a), const_imag(c, b));
    if (!const_is_real(a) || !const_is_real(b))
        return 1;
    return compare_real(a, b);
}

uint32_t
const_hash(struct const_ctx *c, const struct constv *v)
{
    uint64_t h = 14695981039346656037u;
    size_t i, n;

    switch (v->kind) {
    case CONST_BOOL:
        return v->b;
    case CONST_STRING: {
        const char *p = const_str_val(c, v, &n);

        for (i = 0; i < n; i++)
            h = (h ^ (uint8_t)p[i]) * 1099511628211u;
        break;
    }
    case CONST_INT:
        h = const_int_bits(v) * 0x9e3779b97f4a7c15u;
        break;
    case CONST_FLOAT:
    case CONST_COMPLEX: {
        double re, im;
        uint64_t x, y;

        const_to_complex(v, &re, &im);
        memcpy(&x, &re, 8);
        memcpy(&y, &im, 8);
        h = (x ^ (y * 31)) * 0x9e3779b97f4a7c15u;
        break;
    }
    default:
        return 0;
    }
    return (uint32_t)(h ^ (h >> 32));
}
