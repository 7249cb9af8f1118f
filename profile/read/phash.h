/* SPDX-License-Identifier: MIT */
#ifndef PROFILE_READ_PHASH_H
#define PROFILE_READ_PHASH_H

/*
 * An index over an array that the caller keeps: from the hash of an element
 * to its position.  What an element is and when two are equal, the caller
 * says.  Zeroed memory is an empty index.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PHASH_NONE = UINT32_MAX };

struct phash {
    uint32_t *at;  /* position + 1; 0 is a free slot */
    uint32_t *tag; /* the hash's low half, so that most misses are cheap */
    size_t cap, n; /* cap is 0 or a power of two, at most half full */
};

/* Whether the element at a position is the one looked for. */
typedef bool (*phash_eq_fn)(const void *ctx, uint32_t at, const void *key);

/* The position of the element equal to key, or PHASH_NONE. */
uint32_t phash_find(const struct phash *h, uint64_t hash, phash_eq_fn eq,
    const void *ctx, const void *key);

/* Adds a position; the caller knows that its element is not there yet.
 * False when memory ran out. */
bool phash_add(struct phash *h, uint64_t hash, uint32_t at);

void phash_free(struct phash *h);

/* At least half of the slots are free, each element is where a search for it
 * ends, and there are as many as were added. */
bool phash_valid(const struct phash *h);

#endif
