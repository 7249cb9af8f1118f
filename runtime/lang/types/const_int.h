/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_LANG_TYPES_CONST_INT_H
#define RUNTIME_LANG_TYPES_CONST_INT_H

/* What const.c (values), const_op.c (operations) and const_text.c (texts)
 * share. */

#include <gmp.h>

#include "runtime/lang/types/const.h"

enum {
    RAT_BITS = 4096,  /* of what is kept exactly */
    FLOAT_BITS = 512, /* of what is not, as in Go's compiler */
    WORK_BITS = 640   /* of GMP's floats, which truncate, before rounding */
};

/* How a value is kept. */
enum form {
    FORM_SMALL, /* an integer in i */
    FORM_BIG,   /* an integer in q.num */
    FORM_RAT,   /* q */
    FORM_MPF,   /* f */
    FORM_FLAT,  /* a string in s.p */
    FORM_ROPE   /* s.l and s.r, not joined yet */
};

struct constv {
    uint8_t kind;
    uint8_t form;

    union {
        bool b;
        int64_t i;

        struct {
            const char *p;
            size_t len;
            const struct constv *l, *r;
        } s;

        struct {
            const mp_limb_t *num, *den;
            mp_size_t nn, dn; /* nn carries the sign */
        } q;

        struct {
            mp_limb_t *d;
            int prec, size;
            mp_exp_t exp;
        } f;

        struct {
            const struct constv *re, *im;
        } z;
    };
};

/* n bytes of the arena. */
void *const_alloc(struct const_ctx *c, size_t n);

/* A value with nothing but its kind and form. */
struct constv *const_make(
    struct const_ctx *c, enum const_kind kind, enum form form);

/* Copies of GMP's values, in the simplest form; q is canonical, f is rounded
 * to as many bits as Go's compiler keeps. */
const struct constv *const_store_int(struct const_ctx *c, mpz_srcptr z);
const struct constv *const_store_rat(struct const_ctx *c, mpq_srcptr q);
/* An integer that arithmetic made.  One of thousands of bits goes on as a float,
 * or else squares of squares would take all memory: the checker ends untyped
 * integers at 512 bits, but a float that happens to be whole nowhere. */
const struct constv *const_store_whole(struct const_ctx *c, mpz_srcptr z);
const struct constv *const_store_mpf(struct const_ctx *c, mpf_ptr f);

/* A view of an integer in z; `small` holds the limb of a small one. */
mpz_srcptr const_view_int(const struct constv *v, mpz_t z, mp_limb_t *small);

/* Sets f, which is initialised, to a real. */
void const_get_mpf(const struct constv *v, mpf_t f);

/* Sets q, which is initialised, to an integer or a rational. */
void const_get_rat(const struct constv *v, mpq_t q);

/* The integer with these digits, all of the radix, times base^exp (base 2 or
 * 10); CONST_UNKNOWN where they are none. */
const struct constv *const_digits(struct const_ctx *c, const char *digits,
    int radix, unsigned base, long exp);

/* A real as d * 2^exp with 0.5 <= |d| < 1. */
double const_frexp(const struct constv *v, long *exp);

/* An integer in decimal, in the arena. */
const char *const_int_text(struct const_ctx *c, const struct constv *v);

#endif
