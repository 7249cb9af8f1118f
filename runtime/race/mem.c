/* SPDX-License-Identifier: MIT */
/*
 * Memory for vectors, objects and goroutines: pieces of sizes that are powers
 * of two, which go to a list when they are given back.  Whole chunks come from
 * the operating system.
 */
#include "runtime/race/vec.h"

#include <string.h>

#include "runtime/base/cpu.h"
#include "runtime/base/throw.h"
#include "runtime/base/tunables.h"

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
grow(struct race_mem *m, size_t size)
{
    size_t all = size + RT_CACHE_LINE < CHUNK ? CHUNK : size + RT_CACHE_LINE;
    struct race_mem_chunk *c;

    all = (all + 4095) & ~(size_t)4095;
    c = rt_os_map(m->os, all);
    if (c == NULL)
        return false;
    c->next = m->chunks;
    c->size = all;
    m->chunks = c;
    m->pos = (uint8_t *)c + RT_CACHE_LINE;
    m->end = (uint8_t *)c + all;
    return true;
}

void
race_mem_init(struct race_mem *m, struct rt_os *os)
{
    *m = (struct race_mem){.os = os, .wide = rt_cpu_has_avx2()};
    rt_lock_init(&m->lock, RANK_RACE_MEM);
}

void *
race_mem_take(struct race_mem *m, size_t size)
{
    unsigned k = size_class(size);
    size_t all = (size_t)1 << (k + SMALLEST);
    void *p;

    if (race_mem_fails(m))
        return NULL;
    rt_lock(&m->lock);
    p = m->free[k];
    if (p != NULL) {
        memcpy(&m->free[k], p, sizeof(void *));
    } else if ((size_t)(m->end - m->pos) >= all || grow(m, all)) {
        p = m->pos;
        m->pos += all;
    }
    rt_unlock(&m->lock);
    return p;
}

void *
race_mem_get(struct race_mem *m, size_t size)
{
    void *p = race_mem_take(m, size);

    if (p != NULL)
        memset(p, 0, size);
    return p;
}

void
race_mem_put(struct race_mem *m, void *p, size_t size)
{
    unsigned k = size_class(size);

    rt_assert(p != NULL);
    rt_lock(&m->lock);
    memcpy(p, &m->free[k], sizeof(void *));
    m->free[k] = p;
    rt_unlock(&m->lock);
}

void
race_mem_fini(struct race_mem *m)
{
    struct race_mem_chunk *c;

    while ((c = m->chunks) != NULL) {
        m->chunks = c->next;
        rt_os_unmap(m->os, c, c->size);
    }
}
