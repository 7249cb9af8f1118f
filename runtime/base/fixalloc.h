/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_BASE_FIXALLOC_H
#define RUNTIME_BASE_FIXALLOC_H

/* Records of one size with a free list, outside the heap (Go's fixalloc).
 * Not locked: the owner's lock guards it. */

#include <stddef.h>
#include <stdint.h>

#include "runtime/base/osmem.h"

struct rt_fixalloc_chunk;

struct rt_fixalloc {
    struct rt_os *os;
    size_t size;      /* of a record, a multiple of 8 */
    void *free;       /* list through the first word */
    uint8_t *pos;     /* never used part of the newest chunk */
    uint8_t *end;
    struct rt_fixalloc_chunk *chunks;
    uint64_t inuse;   /* bytes of records handed out */
    uint64_t sys;     /* bytes obtained from the system */
};

/* Records of size bytes (at least 8). */
void rt_fixalloc_init(struct rt_fixalloc *f, struct rt_os *os, size_t size);

/* A zeroed record, aligned to 8, or to 64 where its size is a multiple of
 * that; NULL on failure. */
void *rt_fixalloc_get(struct rt_fixalloc *f);

/* Takes a record back. */
void rt_fixalloc_put(struct rt_fixalloc *f, void *p);

/* Gives everything back, whatever is in use. */
void rt_fixalloc_fini(struct rt_fixalloc *f);

#endif
