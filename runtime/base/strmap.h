/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_BASE_STRMAP_H
#define RUNTIME_BASE_STRMAP_H

/*
 * A table from strings to what they name, in a region: packages by path and
 * the like.  Nothing is taken out again.  Open addressing with linear probing
 * (Knuth 6.4, algorithm L), at most half full.
 */

#include <stdbool.h>
#include <stdint.h>

#include "runtime/base/arena.h"

struct rt_strmap_row {
    const char *key; /* NULL: free */
    void *value;
};

struct rt_strmap {
    struct rt_strmap_row *rows; /* zeroed: an empty table */
    uint32_t n, cap;            /* cap is 0 or a power of two */
};

/* The value of a key; NULL if it is not there. */
void *rt_strmap_get(const struct rt_strmap *m, const char *key);

/*
 * Adds a key, unless it is there: then the first value stays and this one is
 * forgotten.  The key is not copied.  False if memory is used up and the
 * region returns from that.
 */
bool rt_strmap_add(struct rt_strmap *m, struct rt_arena *a, const char *key,
    void *value);

#endif
