/* SPDX-License-Identifier: MIT */
#include "runtime/base/persist.h"

#include "runtime/base/bits.h"
#include "runtime/base/throw.h"
#include "runtime/base/tunables.h"

struct rt_persist_chunk {
    struct rt_persist_chunk *next;
    size_t size;
};

void
rt_persist_init(struct rt_persist *p, struct rt_os *os)
{
    *p = (struct rt_persist){ .os = os };
    rt_lock_init(&p->lock, RANK_PERSIST);
}

/* The address that the next allocation would get, or NULL when it does not
 * fit into the first chunk. */
static uint8_t *
fit(const struct rt_persist *p, size_t size, size_t align)
{
    uintptr_t at = rt_align_up((uintptr_t)p->pos, align);

    if (p->pos == NULL || at > (uintptr_t)p->end ||
        size > (uintptr_t)p->end - at)
        return NULL;
    return (uint8_t *)at;
}

static bool
persist_grow(struct rt_persist *p, size_t size)
{
    size_t want = sizeof(struct rt_persist_chunk) + 4096;

    if (__builtin_add_overflow(want, size, &want) ||
        want > SIZE_MAX - RT_PERSIST_CHUNK)
        return false;
    want = rt_align_up(want, RT_PERSIST_CHUNK);
    struct rt_persist_chunk *c = rt_os_map(p->os, want);
    if (c == NULL)
        return false;
    c->next = p->chunks;
    c->size = want;
    p->chunks = c;
    p->pos = (uint8_t *)(c + 1);
    p->end = (uint8_t *)c + want;
    a64_add_rlx(&p->bytes, want);
    return true;
}

void *
rt_persist_alloc(struct rt_persist *p, size_t size, size_t align)
{
    if (align == 0)
        align = 8;
    rt_check(rt_is_pow2(align) && align <= 4096, "bad alignment");
    rt_lock(&p->lock);
    uint8_t *at = fit(p, size, align);
    if (at == NULL && persist_grow(p, size))
        at = fit(p, size, align);
    if (at != NULL)
        p->pos = at + size;
    rt_unlock(&p->lock);
    return at;
}

void
rt_persist_fini(struct rt_persist *p)
{
    while (p->chunks != NULL) {
        struct rt_persist_chunk *c = p->chunks;
        size_t size = c->size;
        /* All but the newest are full. */
        size_t used = p->end == (uint8_t *)c + size
            ? (size_t)(p->pos - (uint8_t *)c) : size;

        p->chunks = c->next;
        rt_os_unmap_used(p->os, c, size, used);
    }
    p->pos = p->end = NULL;
    a64_store_rlx(&p->bytes, 0);
}
