/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_VALUE_SLICE_H
#define RUNTIME_VALUE_SLICE_H

/* Slices: growth, copying, bounds errors. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gc/gc.h"
#include "runtime/base/layout.h"
#include "runtime/code/rtype.h"

enum slice_status {
    SLICE_OK,
    SLICE_NOMEM,
    SLICE_LEN,      /* makeslice: len out of range */
    SLICE_CAP,      /* makeslice: cap out of range */
    SLICE_TOO_LARGE /* growslice: len out of range */
};

enum slice_status slice_make(struct gc_pcache *pc, const struct rtype *elem,
    int64_t len, int64_t cap, struct rt_slice *out);

/* Makes room for `more` elements behind the length, which stays: a larger
 * array, zero behind the elements, with Go's capacity rule (doubling below 256
 * elements, then a factor that falls to 1.25, rounded up to a size class), or
 * the same slice. */
enum slice_status slice_grow(struct gc_pcache *pc, const struct rtype *elem,
    struct rt_slice s, int64_t more, struct rt_slice *out);

/* append(s, p[0..n)); p may lie inside s. */
enum slice_status slice_append(struct gc_pcache *pc, const struct rtype *elem,
    struct rt_slice s, const void *p, int64_t n, struct rt_slice *out);

/* append(s, make([]T, n)...). */
enum slice_status slice_append_zeros(struct gc_pcache *pc,
    const struct rtype *elem, struct rt_slice s, int64_t n,
    struct rt_slice *out);

/* copy: moves the smaller number of elements; returns it. */
int64_t slice_copy(struct gc_pcache *pc, const struct rtype *elem, void *dst,
    int64_t dlen, const void *src, int64_t slen);

/* Zeroes n elements. */
void slice_clear(
    struct gc_pcache *pc, const struct rtype *elem, void *p, int64_t n);

/*
 * Bounds of s[lo:hi:max]; those not given are NULL.  `limit` is the capacity
 * of a slice, or the length of a string or array (is_cap false).  nosign has
 * bits 1, 2 and 4 for those of the three that are of types without a sign.
 * *l, *h and *m get the values.  False: text (at least 96 bytes) says what is
 * wrong, without "runtime error: ".
 */
bool slice_bounds(const int64_t *lo, const int64_t *hi, const int64_t *max,
    unsigned nosign, int64_t len, int64_t limit, bool is_cap, int64_t *l, int64_t *h,
    int64_t *m, char *text, size_t ntext);

#endif
