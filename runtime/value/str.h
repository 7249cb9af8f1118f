/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_VALUE_STR_H
#define RUNTIME_VALUE_STR_H

/*
 * Strings.  Functions that allocate take the P's cache and return false
 * where memory is out.  Empty and single-byte results do not allocate.
 */

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "gc/gc.h"
#include "runtime/base/layout.h"

/* The 256 strings of one byte. */
extern const uint8_t str_bytes[256];

/* Three-way comparison of bytes: negative, 0 or positive. */
static inline int
str_cmp(struct rt_str a, struct rt_str b)
{
    int64_t n = a.len < b.len ? a.len : b.len;
    int c = n == 0 ? 0 : memcmp(a.ptr, b.ptr, (size_t)n);

    return c != 0 ? c : (a.len > b.len) - (a.len < b.len);
}

static inline bool
str_eq(struct rt_str a, struct rt_str b)
{
    return a.len == b.len &&
        (a.ptr == b.ptr || a.len == 0 ||
            memcmp(a.ptr, b.ptr, (size_t)a.len) == 0);
}

/* A copy of n bytes as a string. */
bool str_new(
    struct gc_pcache *pc, const void *bytes, uint64_t n, struct rt_str *out);

/* The concatenation of n strings.  Where only one of them is not empty the
 * result is that one. */
bool str_concat(struct gc_pcache *pc, const struct rt_str *s, unsigned n,
    struct rt_str *out);

bool str_to_bytes(
    struct gc_pcache *pc, struct rt_str s, struct rt_slice *out);
bool str_to_runes(
    struct gc_pcache *pc, struct rt_str s, struct rt_slice *out);
bool str_from_runes(
    struct gc_pcache *pc, const int32_t *r, int64_t n, struct rt_str *out);
/* string(rune) for any integer. */
bool str_from_rune(struct gc_pcache *pc, int64_t r, struct rt_str *out);

#endif
