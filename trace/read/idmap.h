/* SPDX-License-Identifier: MIT */
#ifndef TRACE_READ_IDMAP_H
#define TRACE_READ_IDMAP_H

/*
 * From 64-bit ids of a file (goroutines, strings, stacks, Ps), which may be
 * anything, to dense indices 0, 1, 2 ...  Open addressing; a random seed
 * keeps a hostile file from choosing colliding ids.
 */

#include <stdbool.h>
#include <stdint.h>

struct trace_idmap {
    uint64_t *keys;
    uint32_t *vals; /* index + 1; 0 = free slot */
    uint64_t seed;
    uint32_t cap;   /* 0 or a power of two */
    uint32_t count;
};

enum { TRACE_IDMAP_NONE = -1, TRACE_IDMAP_NOMEM = -2 };

/* Zeroed memory is an empty map. */
void trace_idmap_free(struct trace_idmap *m);

/* The index of id, or TRACE_IDMAP_NONE. */
int64_t trace_idmap_get(const struct trace_idmap *m, uint64_t id);

/* The index of id; a new id gets the next index and *fresh = true.
 * TRACE_IDMAP_NOMEM when there is no memory or 2^31 ids are in use. */
int64_t trace_idmap_put(struct trace_idmap *m, uint64_t id, bool *fresh);

/* Makes *array (elements of size bytes, *cap of them) hold index i; new
 * elements are zeroed.  False: no memory. */
bool trace_grow(void *array, uint64_t *cap, uint64_t i, uint64_t size);

#endif
