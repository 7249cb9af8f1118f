/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_BASE_KEEP_H
#define RUNTIME_BASE_KEEP_H

/*
 * Mappings that are kept for whoever wants the same again: a program that is
 * run thousands of times asks for the same pieces each time, and to clear what
 * has been used of one costs less than to have the system take it and find
 * another.  All that is kept reads as zero.  One thread at a time.  Zeroed
 * memory is an empty set.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    RT_KEEP_PIECES = 32,
    RT_KEEP_CLEAR = 1 << 20 /* bytes that are cleared by hand at most */
};

struct rt_keep_piece {
    uint8_t *p;
    size_t size;
    size_t usable; /* bytes at its beginning that may be accessed */
};

struct rt_keep {
    struct rt_keep_piece v[RT_KEEP_PIECES];
    unsigned n;
};

/*
 * Takes out a piece of that size: one that is usable as a whole, or, where at
 * is not NULL, the one at that address, of which *usable bytes are; others
 * that lie in its way there are given back to the system.  NULL: there is
 * none.
 */
void *rt_keep_take(
    struct rt_keep *k, void *at, size_t size, size_t *usable);

/*
 * Hands over a mapping whose first `usable` bytes may be accessed and of which
 * all but the first `dirty` read as zero.  False: it is not wanted and stays
 * the caller's.
 */
bool rt_keep_put(struct rt_keep *k, void *p, size_t size, size_t usable,
    size_t dirty);

/* Gives everything back to the system. */
void rt_keep_free(struct rt_keep *k);

/* For assertions. */
bool rt_keep_valid(const struct rt_keep *k);

#endif
