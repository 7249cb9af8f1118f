/* SPDX-License-Identifier: MIT */
#include "runtime/base/fixalloc.h"

#include <string.h>

#include "runtime/base/bits.h"
#include "runtime/base/compiler.h"
#include "runtime/base/throw.h"
#include "runtime/base/tunables.h"

/* As large as a cache line, so that records of a multiple of that begin at
 * the beginning of one. */
struct rt_fixalloc_chunk {
    _Alignas(RT_CACHE_LINE) struct rt_fixalloc_chunk *next;
    size_t size;
};

void
rt_fixalloc_init(struct rt_fixalloc *f, struct rt_os *os, size_t size)
{
    rt_check(size >= sizeof(void *), "record too small");
    *f = (struct rt_fixalloc){ .os = os, .size = rt_align_up(size, 8) };
}

static bool
fixalloc_grow(struct rt_fixalloc *f)
{
    size_t want = rt_align_up(sizeof(struct rt_fixalloc_chunk) + f->size,
        RT_FIXALLOC_CHUNK);
    struct rt_fixalloc_chunk *c = rt_os_map(f->os, want);

    if (c == NULL)
        return false;
    c->next = f->chunks;
    c->size = want;
    f->chunks = c;
    f->pos = (uint8_t *)(c + 1);
    f->end = (uint8_t *)c + want;
    f->sys += want;
    return true;
}

void *
rt_fixalloc_get(struct rt_fixalloc *f)
{
    void *p = f->free;

    if (p != NULL) {
        memcpy(&f->free, p, sizeof(void *));
        memset(p, 0, f->size);
    } else {
        if ((size_t)(f->end - f->pos) < f->size && !fixalloc_grow(f))
            return NULL;
        p = f->pos;
        f->pos += f->size;
    }
    f->inuse += f->size;
    return p;
}

void
rt_fixalloc_put(struct rt_fixalloc *f, void *p)
{
    memcpy(p, &f->free, sizeof(void *));
    f->free = p;
    f->inuse -= f->size;
}

void
rt_fixalloc_fini(struct rt_fixalloc *f)
{
    while (f->chunks != NULL) {
        struct rt_fixalloc_chunk *c = f->chunks;
        size_t size = c->size;
        /* All but the newest are full. */
        size_t used = f->end == (uint8_t *)c + size
            ? (size_t)(f->pos - (uint8_t *)c) : size;

        f->chunks = c->next;
        rt_os_unmap_used(f->os, c, size, used);
    }
    f->free = NULL;
    f->pos = f->end = NULL;
    f->inuse = f->sys = 0;
}
