/* SPDX-License-Identifier: MIT */

/*
 * Exact constants over GMP: what values are made of, made from and read as;
 * const_op.c does the arithmetic.  A value keeps its limbs in the arena; GMP
 * only ever sees read-only views of them (mpz_roinit_n and the like) and
 * temporaries that are cleared before each function returns.  So values need
 * no destructor, and sharing them is free.
 *
 * Integers that fit are a plain int64.  Everything else real is an integer or
 * a rational, as long as numerator and denominator stay below RAT_BITS; what
 * arithmetic makes larger becomes a float of FLOAT_BITS, as in Go's compiler.
 * GMP's floats truncate, so they are computed with WORK_BITS and rounded.
 */

#include "runtime/lang/types/const_int.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/arena.h"
#include "runtime/base/throw.h"

static const struct constv unknown_value = {.kind = CONST_UNKNOWN};
static const struct constv true_value = {.kind = CONST_BOOL, .b = true};
static const struct constv false_value = {.kind = CONST_BOOL, .b = false};
static const struct constv zero_value = {.kind = CONST_INT};

void *
const_alloc(struct const_ctx *c, size_t n)
{
    void *p = rt_arena_alloc(c->arena, n);

    rt_check(p != NULL, "out of memory for constants");
    return p;
}

/* ---- GMP's memory -------------------------------------------------------- */

enum {
    SCRATCH = 64 * 1024
};

/* GMP's allocation functions have no argument for a context. */
static _Thread_local struct const_ctx *gmp_ctx;

static void *
gmp_alloc(size_t n)
{
    struct const_ctx *c = gmp_ctx;
    size_t size = (n + 15) & ~(size_t)15;
    void *p;

    if (c == NULL) {
        p = malloc(n);
        rt_check(p != NULL, "out of memory in GMP");
        return p;
    }
    if (c->scratch == NULL)
        c->scratch = const_alloc(c, SCRATCH);
    if (size > SCRATCH - c->at)
        return const_alloc(c, size); /* lives as long as the arena */
    p = c->scratch + c->at;
    c->at += size;
    c->live++;
    return p;
}

static void
gmp_free(void *p, size_t n)
{
    struct const_ctx *c = gmp_ctx;
    size_t off;

    if (c == NULL) {
        free(p);
        return;
    }
    off = (uintptr_t)p - (uintptr_t)c->scratch;
    if (c->scratch == NULL || off >= SCRATCH)
        return;
    /* Mostly the newest piece. */
    if (off + ((n + 15) & ~(size_t)15) == c->at)
        c->at = off;
    if (--c->live == 0)
        c->at = 0;
}

static void *
gmp_realloc(void *p, size_t old, size_t n)
{
    void *q;

    if (gmp_ctx == NULL) {
        q = realloc(p, n);
        rt_check(q != NULL, "out of memory in GMP");
        return q;
    }
    q = gmp_alloc(n);
    memcpy(q, p, old < n ? old : n);
    gmp_free(p, old);
    return q;
}

static void
hook_gmp(void)
{
    mp_set_memory_functions(gmp_alloc, gmp_realloc, gmp_free);
}

void
const_begin(struct const_ctx *c)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, hook_gmp);
    c->at = 0;
    c->live = 0;
    gmp_ctx = c;
}

void
const_end(void)
{
    gmp_ctx = NULL;
}

struct constv *
const_make(struct const_ctx *c, enum const_kind kind, enum form form)
{
    struct constv *v = const_alloc(c, sizeof *v);

    memset(v, 0, sizeof *v);
    v->kind = (uint8_t)kind;
    v->form = (uint8_t)form;
    return v;
}

enum const_kind
const_kind(const struct constv *v)
{
    return (enum const_kind)v->kind;
}

const struct constv *
const_unknown(void)
{
    return &unknown_value;
}

const struct constv *
const_bool(struct const_ctx *c, bool b)
{
    (void)c;
    return b ? &true_value : &false_value;
}

const struct constv *
const_str(struct const_ctx *c, const char *bytes, size_t len)
{
    struct constv *v = const_make(c, CONST_STRING, FORM_FLAT);

    v->s.p = bytes;
    v->s.len = len;
    return v;
}

const struct constv *
const_int64(struct const_ctx *c, int64_t i)
{
    const struct constv **lately =
        &c->lately[((uint64_t)i * UINT64_C(0x9e3779b97f4a7c15)) >>
            (64 - CONST_LATELY_BITS)];
    struct constv *v;

    if (i == 0)
        return &zero_value;
    if (*lately != NULL && (*lately)->i == i)
        return *lately;
    v = const_make(c, CONST_INT, FORM_SMALL);
    v->i = i;
    *lately = v;
    return v;
}

/* ---- views and stores --------------------------------------------------- */

static const mp_limb_t *
copy_limbs(struct const_ctx *c, mpz_srcptr z)
{
    size_t n = mpz_size(z);
    mp_limb_t *p = const_alloc(c, (n ? n : 1) * sizeof *p);

    memcpy(p, mpz_limbs_read(z), n * sizeof *p);
    return p;
}

static mp_size_t
signed_size(mpz_srcptr z)
{
    mp_size_t n = (mp_size_t)mpz_size(z);

    return mpz_sgn(z) < 0 ? -n : n;
}

const struct constv *
const_store_int(struct const_ctx *c, mpz_srcptr z)
{
    struct constv *v;

    if (mpz_fits_slong_p(z))
        return const_int64(c, mpz_get_si(z));
    v = const_make(c, CONST_INT, FORM_BIG);
    v->q.num = copy_limbs(c, z);
    v->q.nn = signed_size(z);
    return v;
}

/* f to FLOAT_BITS, to the nearest and of two to the even. */
static void
round_float(mpf_ptr f)
{
    mpz_t all, kept;
    int n = abs(f->_mp_size);
    mp_bitcnt_t bits, less;
    long up = (f->_mp_exp - n) * GMP_NUMB_BITS;

    mpz_roinit_n(all, f->_mp_d, n);
    bits = mpz_sizeinbase(all, 2);
    if (bits <= FLOAT_BITS)
        return;
    less = bits - FLOAT_BITS;
    mpz_init(kept);
    mpz_tdiv_q_2exp(kept, all, less);
    if (mpz_tstbit(all, less - 1) &&
        (mpz_scan1(all, 0) < less - 1 || mpz_odd_p(kept)))
        mpz_add_ui(kept, kept, 1);
    if (f->_mp_size < 0)
        mpz_neg(kept, kept);
    mpf_set_z(f, kept);
    up += (long)less;
    if (up < 0)
        mpf_div_2exp(f, f, (mp_bitcnt_t)-up);
    else
        mpf_mul_2exp(f, f, (mp_bitcnt_t)up);
    mpz_clear(kept);
}

const struct constv *
const_store_mpf(struct const_ctx *c, mpf_ptr f)
{
    struct constv *v;
    size_t n;

    round_float(f);
    n = (size_t)abs(f->_mp_size);
    /* Go's exponents have 32 bits. */
    if (n == 0 || f->_mp_exp < INT32_MIN / 64)
        return &zero_value;
    if (f->_mp_exp > INT32_MAX / 64 + 1)
        return &unknown_value;
    v = const_make(c, CONST_FLOAT, FORM_MPF);
    v->f.d = const_alloc(c, n * sizeof(mp_limb_t));
    memcpy(v->f.d, f->_mp_d, n * sizeof(mp_limb_t));
    v->f.prec = f->_mp_prec;
    v->f.size = f->_mp_size;
    v->f.exp = f->_mp_exp;
    return v;
}

const struct constv *
const_store_whole(struct const_ctx *c, mpz_srcptr z)
{
    const struct constv *v;
    mpf_t f;

    if (mpz_sizeinbase(z, 2) < RAT_BITS)
        return const_store_int(c, z);
    mpf_init2(f, WORK_BITS);
    mpf_set_z(f, z);
    v = const_store_mpf(c, f);
    mpf_clear(f);
    return v;
}

/* q is canonical. */
const struct constv *
const_store_rat(struct const_ctx *c, mpq_srcptr q)
{
    struct constv *v;
    mpf_t f;

    if (mpz_cmp_ui(mpq_denref(q), 1) == 0)
        return const_store_whole(c, mpq_numref(q));
    if (mpz_sizeinbase(mpq_numref(q), 2) < RAT_BITS &&
        mpz_sizeinbase(mpq_denref(q), 2) < RAT_BITS) {
        v = const_make(c, CONST_FLOAT, FORM_RAT);
        v->q.num = copy_limbs(c, mpq_numref(q));
        v->q.nn = signed_size(mpq_numref(q));
        v->q.den = copy_limbs(c, mpq_denref(q));
        v->q.dn = signed_size(mpq_denref(q));
        return v;
    }
    mpf_init2(f, WORK_BITS);
    mpf_set_q(f, q);
    v = (struct constv *)(uintptr_t)const_store_mpf(c, f);
    mpf_clear(f);
    return v;
}

/* A view of an integer; `small` holds the limb of a small one. */
mpz_srcptr
const_view_int(const struct constv *v, mpz_t z, mp_limb_t *small)
{
    if (v->form == FORM_BIG)
        return mpz_roinit_n(z, v->q.num, v->q.nn);
    *small = v->i < 0 ? 0 - (mp_limb_t)v->i : (mp_limb_t)v->i;
    return mpz_roinit_n(z, small, v->i < 0 ? -1 : v->i > 0);
}

void
const_get_mpf(const struct constv *v, mpf_t f)
{
    mpf_set_prec(f, WORK_BITS);
    if (v->form == FORM_MPF) {
        __mpf_struct ro;

        ro._mp_prec = v->f.prec;
        ro._mp_size = v->f.size;
        ro._mp_exp = v->f.exp;
        ro._mp_d = v->f.d;
        mpf_set(f, &ro);
    } else if (v->form == FORM_RAT) {
        mpq_t q;

        mpz_roinit_n(mpq_numref(q), v->q.num, v->q.nn);
        mpz_roinit_n(mpq_denref(q), v->q.den, v->q.dn);
        mpf_set_q(f, q);
    } else {
        mpz_t z;
        mp_limb_t small;

        mpf_set_z(f, const_view_int(v, z, &small));
    }
    round_float(f);
}

/* For INT and rational values only. */
void
const_get_rat(const struct constv *v, mpq_t q)
{
    if (v->form == FORM_RAT) {
        mpz_t z;

        mpz_set(mpq_numref(q), mpz_roinit_n(z, v->q.num, v->q.nn));
        mpz_set(mpq_denref(q), mpz_roinit_n(z, v->q.den, v->q.dn));
    } else {
        mpz_t z;
        mp_limb_t small;

        mpq_set_z(q, const_view_int(v, z, &small));
    }
}

const struct constv *
const_float(struct const_ctx *c, double d)
{
    mpq_t q;
    const struct constv *v;

    if (!isfinite(d))
        return &unknown_value;
    mpq_init(q);
    mpq_set_d(q, d);
    v = const_store_rat(c, q);
    mpq_clear(q);
    return v;
}

/* ---- making of digits --------------------------------------------------- */

/* mant * base^exp, base 10 or 2. */
static const struct constv *
scale(struct const_ctx *c, mpz_t mant, unsigned base, long exp)
{
    const struct constv *v;
    size_t bits = mpz_sizeinbase(mant, 2);
    unsigned long n = exp < 0 ? 0 - (unsigned long)exp : (unsigned long)exp;

    if (mpz_sgn(mant) == 0)
        return &zero_value;
    if (n * (base == 10 ? 4 : 1) + bits < 3 * RAT_BITS) {
        mpq_t q;
        mpz_t p;

        mpq_init(q);
        mpz_init(p);
        mpz_ui_pow_ui(p, base, n);
        if (exp < 0) {
            mpz_set(mpq_numref(q), mant);
            mpz_set(mpq_denref(q), p);
            mpq_canonicalize(q);
        } else {
            mpz_mul(mpq_numref(q), mant, p);
        }
        v = const_store_rat(c, q);
        mpz_clear(p);
        mpq_clear(q);
    } else {
        mpf_t f, p;

        mpf_init2(f, WORK_BITS);
        mpf_init2(p, WORK_BITS);
        mpf_set_z(f, mant);
        mpf_set_ui(p, base);
        mpf_pow_ui(p, p, n);
        if (exp < 0)
            mpf_div(f, f, p);
        else
            mpf_mul(f, f, p);
        v = const_store_mpf(c, f);
        mpf_clear(f);
        mpf_clear(p);
    }
    return v;
}

const struct constv *
const_digits(
    struct const_ctx *c, const char *digits, int radix, unsigned base, long exp)
{
    mpz_t m;
    const struct constv *v;

    if (exp == 0 && strlen(digits) < 16) {
        char *end;
        long long n = strtoll(digits, &end, radix);

        return *end || end == digits ? &unknown_value : const_int64(c, n);
    }
    mpz_init(m);
    if (mpz_set_str(m, digits, radix) != 0)
        v = &unknown_value;
    else if (exp == 0)
        v = const_store_int(c, m);
    else
        v = scale(c, m, base, exp);
    mpz_clear(m);
    return v;
}

/* ---- readers ------------------------------------------------------------ */

bool
const_bool_val(const struct constv *v)
{
    return v->kind == CONST_BOOL && v->b;
}

size_t
const_str_len(const struct constv *v)
{
    return v->kind == CONST_STRING ? v->s.len : 0;
}

/* Copies from the right end, so that the left spine of a long a + b + c
 * keeps the stack small. */
static void
flatten(struct const_ctx *c, const struct constv *v, char *buf)
{
    size_t n = 0, cap = 16, pos = v->s.len;
    const struct constv **st = const_alloc(c, cap * sizeof *st), **more;

    st[n++] = v;
    while (n) {
        const struct constv *t = st[--n];

        if (t->form == FORM_FLAT) {
            pos -= t->s.len;
            memcpy(buf + pos, t->s.p, t->s.len);
            continue;
        }
        if (n + 2 > cap) {
            more = const_alloc(c, cap * 2 * sizeof *st);
            memcpy(more, st, n * sizeof *st);
            st = more;
            cap *= 2;
        }
        st[n++] = t->s.l;
        st[n++] = t->s.r;
    }
}

const char *
const_str_val(struct const_ctx *c, const struct constv *v, size_t *len)
{
    struct constv *w = (struct constv *)(uintptr_t)v;
    char *buf;

    *len = const_str_len(v);
    if (v->kind != CONST_STRING)
        return "";
    if (v->form == FORM_ROPE) {
        buf = const_alloc(c, v->s.len + 1);
        flatten(c, v, buf);
        buf[v->s.len] = '\0';
        w->s.p = buf;
        w->form = FORM_FLAT;
    }
    return v->s.p;
}

bool
const_to_int64(const struct constv *v, int64_t *out)
{
    if (v->kind != CONST_INT || v->form != FORM_SMALL)
        return false;
    *out = v->i;
    return true;
}

bool
const_to_uint64(const struct constv *v, uint64_t *out)
{
    if (v->kind != CONST_INT)
        return false;
    if (v->form == FORM_SMALL) {
        *out = (uint64_t)v->i;
        return v->i >= 0;
    }
    *out = v->q.num[0];
    return v->q.nn == 1;
}

uint64_t
const_int_bits(const struct constv *v)
{
    if (v->kind != CONST_INT)
        return 0;
    if (v->form == FORM_SMALL)
        return (uint64_t)v->i;
    return v->q.nn < 0 ? 0 - (uint64_t)v->q.num[0] : (uint64_t)v->q.num[0];
}

int
const_sign(const struct constv *v)
{
    switch (v->kind) {
    case CONST_INT:
        if (v->form == FORM_SMALL)
            return (v->i > 0) - (v->i < 0);
        return v->q.nn < 0 ? -1 : 1;
    case CONST_FLOAT:
        if (v->form == FORM_MPF)
            return v->f.size < 0 ? -1 : 1;
        return v->q.nn < 0 ? -1 : 1;
    case CONST_COMPLEX:
        return 1;
    default:
        return 1;
    }
}

size_t
const_bit_len(const struct constv *v)
{
    mpz_t z;
    mp_limb_t small;

    if (v->kind != CONST_INT || const_sign(v) == 0)
        return 0;
    return mpz_sizeinbase(const_view_int(v, z, &small), 2);
}

bool
const_is_int(const struct constv *v)
{
    return v->kind == CONST_INT;
}

bool
const_is_real(const struct constv *v)
{
    return v->kind == CONST_INT || v->kind == CONST_FLOAT;
}

const struct constv *
const_real(struct const_ctx *c, const struct constv *v)
{
    (void)c;
    return v->kind == CONST_COMPLEX ? v->z.re : v;
}

const struct constv *
const_imag(struct const_ctx *c, const struct constv *v)
{
    (void)c;
    if (v->kind == CONST_UNKNOWN)
        return v;
    return v->kind == CONST_COMPLEX ? v->z.im : &zero_value;
}

const struct constv *
const_make_complex(
    struct const_ctx *c, const struct constv *re, const struct constv *im)
{
    struct constv *v;

    if (re->kind == CONST_UNKNOWN || im->kind == CONST_UNKNOWN)
        return &unknown_value;
    if (const_sign(im) == 0)
        return re;
    v = const_make(c, CONST_COMPLEX, FORM_SMALL);
    v->z.re = re;
    v->z.im = im;
    return v;
}

/* ---- what texts are made of --------------------------------------------- */

const char *
const_int_text(struct const_ctx *c, const struct constv *v)
{
    mpz_t z;
    mp_limb_t small;
    mpz_srcptr x = const_view_int(v, z, &small);
    char *buf = const_alloc(c, mpz_sizeinbase(x, 10) + 2);

    return mpz_get_str(buf, 10, x);
}
