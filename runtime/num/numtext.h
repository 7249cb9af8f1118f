/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_NUM_NUMTEXT_H
#define RUNTIME_NUM_NUMTEXT_H

/*
 * Numbers to text and back, by the rules of package strconv. Nothing here
 * knows the virtual machine or the heap: the callers own every buffer, so
 * that the functions can be tested alone. All are pure and may run on any
 * thread without a P.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Outcome of a conversion from text; the Go side maps it to an error. */
enum num_code {
    NUM_OK = 0,
    NUM_SYNTAX = 1, /* not a number */
    NUM_RANGE = 2,  /* a number that does not fit; *out holds the limit */
    NUM_BASE = 3,   /* base is neither 0 nor in 2..36 */
    NUM_BITS = 4,   /* bit size not in 0..64 */
    NUM_NOMEM = 5   /* no memory for a very long literal */
};

/* Room that num_format_uint() may need: 64 binary digits and a sign. */
#define NUM_UINT_ROOM 66

/*
 * Writes u in the given base (2..36), with a minus sign if neg, into out,
 * which has NUM_UINT_ROOM bytes. Returns the number of bytes written.
 */
size_t num_format_uint(char *out, uint64_t u, bool neg, int base);

/*
 * Parses s[0:n] as strconv.ParseUint and strconv.ParseInt do, underscores
 * and prefixes included when base is 0. base and bits may be any value.
 */
enum num_code num_parse_uint(
    const char *s, size_t n, int64_t base, int64_t bits, uint64_t *out);
enum num_code num_parse_int(
    const char *s, size_t n, int64_t base, int64_t bits, int64_t *out);

/*
 * Upper bound of the bytes that num_format_float() writes for the same
 * arguments, or SIZE_MAX when prec is absurd (above 2^30).
 */
size_t num_float_room(char fmt, int64_t prec);

/* No less than num_float_room() for any fmt and prec < 0. */
#define NUM_SHORTEST_ROOM 448

/*
 * Writes v as strconv.FormatFloat does. fmt is one of "beEfgGxX"; anything
 * else gives '%' and the byte. prec < 0 asks for the shortest digits that
 * read back as the same float of the given width (32 or 64). out must have
 * num_float_room() bytes. Returns the number of bytes written.
 */
size_t num_format_float(char *out, double v, char fmt, int64_t prec, int bits);

/*
 * Parses the longest prefix of s[0:n] that is a floating-point number as
 * strconv.ParseFloat accepts them; *used is its length (0 with NUM_SYNTAX).
 * A float32 (bits 32) is rounded once, directly from the text.
 */
enum num_code num_parse_float(
    const char *s, size_t n, int bits, double *out, size_t *used);

#endif
