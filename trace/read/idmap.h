/* SPDX-License-Identifier: MIT */
#ifndef TRACE_READ_IDMAP_H
#define TRACE_READ_IDMAP_H

/*
 * From 64-bit ids of a file (goroutines, strings, stacks, Ps), which may be
 * anything, to dense indices 0, 1, 2 ...  Open addressing; a random seed
 * keeps a hostile file from choosing colliding ids.  Before it, a small table
 * of the ids that were put in last: most look-ups of a trace are of few.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/throw.h"

enum { TRACE_IDMAP_HOT = 64 };

struct trace_idmap {
    uint64_t *keys;
    uint32_t *vals; /* index + 1; 0 = free slot */
    uint64_t seed;
    uint32_t cap;   /* 0 or a power of two */
    uint32_t count;
    uint32_t hot[TRACE_IDMAP_HOT]; /* index + 1 by id's low bits; 0 = none */
    uint64_t hot_id[TRACE_IDMAP_HOT];
};

enum { TRACE_IDMAP_NONE = -1, TRACE_IDMAP_NOMEM = -2 };

/* Zeroed memory is an empty map. */
void trace_idmap_free(struct trace_idmap *m);

/* Each id is where a search finds it, the indices are 0 to count - 1, half of
 * the slots are free, and the small table says what the large one does. */
bool trace_idmap_valid(const struct trace_idmap *m);

/* The slow halves of the functions below. */
int64_t trace_idmap_find(const struct trace_idmap *m, uint64_t id);
int64_t trace_idmap_add(struct trace_idmap *m, uint64_t id, bool *fresh);

static inline bool
trace_idmap_is_hot(const struct trace_idmap *m, uint64_t id)
{
    unsigned k = id % TRACE_IDMAP_HOT;

    return m->hot_id[k] == id && m->hot[k] != 0;
}

/* The index of id, or TRACE_IDMAP_NONE. */
static inline int64_t
trace_idmap_get(const struct trace_idmap *m, uint64_t id)
{
    if (trace_idmap_is_hot(m, id))
        return (int64_t)m->hot[id % TRACE_IDMAP_HOT] - 1;
    return trace_idmap_find(m, id);
}

/* The index of id; a new id gets the next index and *fresh = true.
 * TRACE_IDMAP_NOMEM when there is no memory or 2^31 ids are in use. */
static inline int64_t
trace_idmap_put(struct trace_idmap *m, uint64_t id, bool *fresh)
{
    *fresh = false;
    if (trace_idmap_is_hot(m, id))
        return (int64_t)m->hot[id % TRACE_IDMAP_HOT] - 1;
    return trace_idmap_add(m, id, fresh);
}

bool trace_grow_slow(void *array, uint64_t *cap, uint64_t i, uint64_t size);

/* Makes *array (elements of size bytes, *cap of them) hold index i; new
 * elements are zeroed.  False: no memory. */
static inline bool
trace_grow(void *array, uint64_t *cap, uint64_t i, uint64_t size)
{
    rt_assert(size > 0);
    return i < *cap || trace_grow_slow(array, cap, i, size);
}

/* trace_idmap_put() for an id of which *rows, an array as trace_grow() wants
 * it, keeps a row at its index: that of a new id is zero.  fresh may be NULL.
 * TRACE_IDMAP_NOMEM also when there is no memory for the row. */
static inline int64_t
trace_idmap_row(struct trace_idmap *m, uint64_t id, void *rows, uint64_t *cap,
    uint64_t size, bool *fresh)
{
    bool unused;
    int64_t i = trace_idmap_put(m, id, fresh != NULL ? fresh : &unused);

    return i < 0 || trace_grow(rows, cap, (uint64_t)i, size) ? i
        : TRACE_IDMAP_NOMEM;
}

#endif
