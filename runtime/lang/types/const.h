/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_LANG_TYPES_CONST_H
#define RUNTIME_LANG_TYPES_CONST_H

/*
 * Values of constant expressions, exact: booleans, strings, integers of any
 * size, rationals, floats of 512 bits and more where a rational would grow
 * too large, and complex numbers.  A value is immutable and lives in the
 * arena of its const_ctx; nothing needs freeing.
 *
 * Kinds are those of the value, not of a Go type: 2.0 and 2 are both integer
 * 2 here, so that const_to_int64() is cheap and comparing needs no care.  Every
 * operation returns the simplest kind that holds its result.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rt_arena;

enum const_kind {
    CONST_UNKNOWN, /* follows an error */
    CONST_BOOL,
    CONST_STRING,
    CONST_INT,
    CONST_FLOAT,  /* not an integer, or too large to be kept as one */
    CONST_COMPLEX /* imaginary part not zero */
};

struct constv;

enum { CONST_LATELY_BITS = 8 };

struct const_ctx {
    struct rt_arena *arena;

    /* Small integers that were made lately, by a hash: most of a table's are
     * among them, and values are never changed. */
    const struct constv *lately[1 << CONST_LATELY_BITS];

    /* Where GMP's temporaries live between const_begin() and const_end(). */
    uint8_t *scratch;
    size_t at;     /* bytes of it in use */
    unsigned live; /* pieces of it in use */
};

/*
 * Until const_end(), GMP's memory on this thread comes from c's arena, so
 * that running out of memory takes the arena's way out (rt_arena.nomem)
 * instead of GMP's abort() and loses nothing.  At other times and on other
 * threads GMP uses malloc as ever.
 */
void const_begin(struct const_ctx *c);
void const_end(void);

enum const_kind const_kind(const struct constv *v);

/* Makers.  Strings are not copied. */
const struct constv *const_unknown(void);
const struct constv *const_bool(struct const_ctx *c, bool b);
const struct constv *const_str(
    struct const_ctx *c, const char *bytes, size_t len);
const struct constv *const_int64(struct const_ctx *c, int64_t i);
const struct constv *const_float(struct const_ctx *c, double d);

/* The value of a Go literal's text (any base, underscores, hexadecimal
 * floats, a trailing i); CONST_UNKNOWN where the text is not one or its
 * exponent is beyond reason. */
const struct constv *const_number(
    struct const_ctx *c, const char *text, size_t len);

/* Readers.  The plain ones demand the right kind. */
bool const_bool_val(const struct constv *v);
/* Flattens a concatenation; the bytes live in the arena. */
const char *const_str_val(
    struct const_ctx *c, const struct constv *v, size_t *len);
size_t const_str_len(const struct constv *v);
/* True and *out set iff v is an integer that fits. */
bool const_to_int64(const struct constv *v, int64_t *out);
bool const_to_uint64(const struct constv *v, uint64_t *out);
/* Any integer modulo 2^64 (two's complement). */
uint64_t const_int_bits(const struct constv *v);
/* Nearest, ties to even; infinite where it overflows.  Of a complex one the
 * real part. */
double const_to_double(const struct constv *v);
float const_to_float(const struct constv *v);
void const_to_complex(const struct constv *v, double *re, double *im);
void const_to_complex64(const struct constv *v, float *re, float *im);

/* -1, 0, 1; of a complex value 1 unless zero. */
int const_sign(const struct constv *v);
/* Bits of an integer's absolute value; 0 for others. */
size_t const_bit_len(const struct constv *v);
bool const_is_int(const struct constv *v);
/* v as an integer, if it is one but for the last bits of what it is computed
 * with, as Go's constant.ToInt; else v itself. */
const struct constv *const_to_int(
    struct const_ctx *c, const struct constv *v);
bool const_is_real(const struct constv *v);
const struct constv *const_real(struct const_ctx *c, const struct constv *v);
const struct constv *const_imag(struct const_ctx *c, const struct constv *v);
const struct constv *const_make_complex(
    struct const_ctx *c, const struct constv *re, const struct constv *im);

/* Value rounded to float32/float64 (both parts of a complex one); NULL where
 * it overflows. */
const struct constv *const_round32(struct const_ctx *c, const struct constv *v);
const struct constv *const_round64(struct const_ctx *c, const struct constv *v);

enum const_op {
    CONST_ADD, /* also of strings */
    CONST_SUB,
    CONST_MUL,
    CONST_QUO,  /* exact; the divisor is not zero */
    CONST_IDIV, /* integers, truncated */
    CONST_REM,
    CONST_AND,
    CONST_OR,
    CONST_XOR,
    CONST_AND_NOT,
    CONST_LAND, /* of booleans */
    CONST_LOR
};

/* Kinds must suit the operation; CONST_UNKNOWN if either operand is. */
const struct constv *const_binary(struct const_ctx *c, enum const_op op,
    const struct constv *a, const struct constv *b);
const struct constv *const_shift(
    struct const_ctx *c, const struct constv *v, bool left, uint32_t count);
const struct constv *const_neg(struct const_ctx *c, const struct constv *v);
const struct constv *const_not(struct const_ctx *c, const struct constv *v);
/* ^v; for an unsigned type of `bits` bits within its range, else bits = 0. */
const struct constv *const_complement(
    struct const_ctx *c, const struct constv *v, unsigned bits);

/* Order of two reals, strings or booleans: <0, 0, >0.  Complex values and
 * booleans: 0 iff equal. */
int const_cmp(
    struct const_ctx *c, const struct constv *a, const struct constv *b);
uint32_t const_hash(struct const_ctx *c, const struct constv *v);

/* As Go's messages show it: exact integers, %.6g floats, quoted strings cut
 * after 72 bytes.  In the arena. */
const char *const_text(struct const_ctx *c, const struct constv *v);
/* The same as a value of the given kind, which is no lower than its own:
 * integer 10 as complex gives (10 + 0i). */
const char *const_text_as(
    struct const_ctx *c, const struct constv *v, enum const_kind as);

#endif
