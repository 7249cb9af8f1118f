/* SPDX-License-Identifier: MIT */
/*
 * Memory for vectors, objects and goroutines: pieces of sizes that are powers
 * of two, which go to a list when they are given back.  Whole chunks come from
 * the operating system.
 */
#include "runtime/race/race_int.h"

#include <string.h>

enum { CHUNK = 1 << 20, SMALLEST = 5 };

struct race_mem_chunk {
    struct race_mem_chunk *next;
    size_t size;
};

static unsigned
size_class(size_t size)
{
    unsigned k = 0;

    while ((size_t)1 << (k + SMALLEST) < size)
        k++;
    rt_assert(k < RACE_MEM_SIZES);
    return k;
}

/* A new chunk with room for `size`; what is left of the last one is lost. */
static bool
grow(struct race *r, size_t size)
{
    size_t all = size + RT_CACHE_LINE < CHUNK ? CHUNK : size + RT_CACHE_LINE;
    struct race_mem_chunk *c;

    all = (all + 4095) & ~(size_t)4095;
    c = rt_os_map(&r->os, all);
    if (c == NULL)
        return false;
    c->next = r->mem_chunks;
    c->size = all;
    r->mem_chunks = c;
    r->mem_pos = (uint8_t *)c + RT_CACHE_LINE;
    r->mem_end = (uint8_t *)c + all;
    return true;
}

void *
race_mem_get(struct race *r, size_t size)
{
    unsigned k = size_class(size);
    size_t all = (size_t)1 << (k + SMALLEST);
    void *p;

    rt_lock(&r->mem_lock);
    p = r->mem_free[k];
    if (p != NULL) {
        memcpy(&r->mem_free[k], p, sizeof(void *));
    } else if ((size_t)(r->mem_end - r->mem_pos) >= all || grow(r, all)) {
        p = r->mem_pos;
        r->mem_pos += all;
    }
    rt_unlock(&r->mem_lock);
    if (p != NULL)
        memset(p, 0, all);
    return p;
}

void
race_mem_put(struct race *r, void *p, size_t size)
{
    unsigned k = size_class(size);

    rt_assert(p != NULL);
    rt_lock(&r->mem_lock);
    memcpy(p, &r->mem_free[k], sizeof(void *));
    r->mem_free[k] = p;
    rt_unlock(&r->mem_lock);
}

void
race_mem_fini(struct race *r)
{
    struct race_mem_chunk *c;

    while ((c = r->mem_chunks) != NULL) {
        r->mem_chunks = c->next;
        rt_os_unmap(&r->os, c, c->size);
    }
}
