/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_BASE_PERSIST_H
#define RUNTIME_BASE_PERSIST_H

/* Memory that lives as long as its runtime: a locked bump allocator outside
 * the heap, for profile buckets, tables and the like. */

#include <stddef.h>
#include <stdint.h>

#include "runtime/base/lock.h"
#include "runtime/base/osmem.h"

struct rt_persist_chunk;

struct rt_persist {
    struct rt_lock lock; /* PERSIST */
    struct rt_os *os;    /* const after init */
    /* guarded by lock */
    uint8_t *pos;
    uint8_t *end;
    struct rt_persist_chunk *chunks;
    /* atomic: bytes obtained */
    a_u64 bytes;
};

void rt_persist_init(struct rt_persist *p, struct rt_os *os);

/* size zeroed bytes aligned to align, a power of two up to 4096 (0: 8).
 * NULL on failure.  Any thread, under any lock. */
void *rt_persist_alloc(struct rt_persist *p, size_t size, size_t align);

/* Gives everything back. */
void rt_persist_fini(struct rt_persist *p);

#endif
