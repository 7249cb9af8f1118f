/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_LIB_SUPPORT_TEXT_H
#define RUNTIME_LIB_SUPPORT_TEXT_H

/*
 * Algorithms on text that packages strings and bytes share.  A text is a
 * struct rt_str, whether it is a string or the pointer and length of a
 * []byte.  Pure functions, except that a struct text_buf allocates.
 * Results are those of Go's packages, invalid UTF-8 included.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/layout.h"
#include "runtime/lib/unicode/unicode.h"

struct vm_thread;

/* s.ptr + i, also for an empty text without a pointer; s.ptr for i == s.len:
 * the end of a text may be the next object, and what is cut off there must
 * not point to it. */
static inline const uint8_t *
text_at(struct rt_str s, int64_t i)
{
    return (const uint8_t *)((uintptr_t)s.ptr +
        (i < s.len ? (uintptr_t)i : 0));
}

/* Index of the first or last occurrence, -1 if none; empty b matches at 0 and
 * at a.len. */
int64_t text_index(struct rt_str a, struct rt_str b);
int64_t text_last_index(struct rt_str a, struct rt_str b);
int64_t text_index_byte(struct rt_str a, uint8_t c);
int64_t text_last_index_byte(struct rt_str a, uint8_t c);
/* U+FFFD finds invalid bytes too; an invalid rune is never found. */
int64_t text_index_rune(struct rt_str a, int32_t r);
int64_t text_index_any(struct rt_str a, struct rt_str chars);
int64_t text_last_index_any(struct rt_str a, struct rt_str chars);

/* Occurrences that do not overlap; runes + 1 for an empty b. */
int64_t text_count(struct rt_str a, struct rt_str b);

int text_compare(struct rt_str a, struct rt_str b);
bool text_equal(struct rt_str a, struct rt_str b);
bool text_has_prefix(struct rt_str a, struct rt_str b);
bool text_has_suffix(struct rt_str a, struct rt_str b);
bool text_equal_fold(struct rt_str a, struct rt_str b);

/* How many bytes to drop at the beginning; how many to keep before the end. */
int64_t text_trim_left(struct rt_str a, struct rt_str cutset);
int64_t text_trim_right(struct rt_str a, struct rt_str cutset);
int64_t text_trim_left_space(struct rt_str a);
int64_t text_trim_right_space(struct rt_str a);

/*
 * Steps through the fields of a between white space: finds the next one at
 * or after *at, stores where it begins in *from and where it ends in *at.
 * False when there is none.
 */
bool text_next_field(struct rt_str a, int64_t *at, int64_t *from);

/* A growing result in collected memory; at most one at a time grows. */
struct text_buf {
    struct vm_thread *t;
    uint8_t *p;
    int64_t len, cap;
    bool failed; /* out of memory: the native returns VM_EXIT */
};

/* Room for cap bytes; cap may be 0. */
void text_buf_init(struct text_buf *b, struct vm_thread *t, int64_t cap);
void text_buf_add(struct text_buf *b, const void *p, int64_t n);

/* Writes a mapped to upper, lower or title case, if that changes it: the
 * result tells.  An invalid byte becomes U+FFFD. */
bool text_to_case(struct text_buf *b, struct rt_str a, enum uni_case_to to);

/* Writes a with the first n (all if n < 0) of old replaced by new, if there
 * is any: the result tells. */
bool text_replace(struct text_buf *b, struct rt_str a, struct rt_str old,
    struct rt_str new, int64_t n);

/* Writes a with each run of invalid bytes replaced by rep. */
void text_to_valid(struct text_buf *b, struct rt_str a, struct rt_str rep);

/* Writes the n texts that lie `stride` bytes apart from elems on, each of
 * which begins with a pointer and a length, with sep between them.  False: that
 * is longer than a length can be. */
bool text_join(struct text_buf *b, const void *elems, int64_t n,
    size_t stride, struct rt_str sep);

/* What a text is cut into. */
struct text_pieces {
    struct rt_str s, sep;
    int64_t at, left; /* where the next one begins, how many there are left */
    bool after;       /* with the separator behind it */
};

/* Prepares to cut s at each sep, into runes where that is empty, but into at
 * most n pieces unless n < 0, the last of which has the rest.  How many there
 * will be. */
int64_t text_pieces_init(struct text_pieces *p, struct rt_str s,
    struct rt_str sep, int64_t n, bool after);

/* The next piece is s[*lo:*hi]; to be called as often as there are any. */
void text_next_piece(struct text_pieces *p, int64_t *lo, int64_t *hi);

/* Writes n copies of a to dst. */
void text_repeat(uint8_t *dst, struct rt_str a, int64_t n);

/* A copy of a that ends with a NUL, for functions of C; to be freed.  NULL:
 * there is no memory. */
char *text_c_string(struct rt_str a);

#endif
