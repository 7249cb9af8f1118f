/* SPDX-License-Identifier: MIT */
#include "profile/read/phash.h"

#include <stdlib.h>

#include "runtime/base/throw.h"

/* 32 bits of the hash are kept, and they alone say where an element lives:
 * so the index grows without asking the caller again. */
static uint32_t
fold(uint64_t hash)
{
    return (uint32_t)(hash ^ hash >> 32);
}

static void
put(struct phash *h, uint32_t tag, uint32_t value)
{
    size_t i = tag & (h->cap - 1);

    rt_assert(value != 0 && h->n < h->cap); /* a free slot ends the search */
    while (h->at[i] != 0)
        i = (i + 1) & (h->cap - 1);
    h->at[i] = value;
    h->tag[i] = tag;
}

uint32_t
phash_find(const struct phash *h, uint64_t hash, phash_eq_fn eq,
    const void *ctx, const void *key)
{
    uint32_t tag = fold(hash);
    size_t i;

    if (h->cap == 0)
        return PHASH_NONE;
    for (i = tag & (h->cap - 1); h->at[i] != 0; i = (i + 1) & (h->cap - 1)) {
        if (h->tag[i] == tag && eq(ctx, h->at[i] - 1, key))
            return h->at[i] - 1;
    }
    return PHASH_NONE;
}

static bool
grow(struct phash *h)
{
    struct phash n = {.cap = h->cap == 0 ? 64 : h->cap * 2, .n = h->n};
    size_t i;

    n.at = calloc(n.cap, sizeof *n.at);
    n.tag = calloc(n.cap, sizeof *n.tag);
    if (n.at == NULL || n.tag == NULL) {
        phash_free(&n);
        return false;
    }
    for (i = 0; i < h->cap; i++) {
        if (h->at[i] != 0)
            put(&n, h->tag[i], h->at[i]);
    }
    free(h->at);
    free(h->tag);
    *h = n;
    rt_assert_full(phash_valid(h));
    return true;
}

bool
phash_add(struct phash *h, uint64_t hash, uint32_t at)
{
    rt_assert(at != PHASH_NONE);
    if (h->n >= h->cap / 2 && !grow(h))
        return false;
    put(h, fold(hash), at + 1);
    h->n++;
    return true;
}

void
phash_free(struct phash *h)
{
    free(h->at);
    free(h->tag);
    *h = (struct phash){0};
}

bool
phash_valid(const struct phash *h)
{
    size_t i, k, n = 0;

    if ((h->cap & (h->cap - 1)) != 0 || h->n > h->cap / 2)
        return false;
    for (i = 0; i < h->cap; i++) {
        if (h->at[i] == 0)
            continue;
        n++;
        for (k = h->tag[i] & (h->cap - 1); k != i; k = (k + 1) & (h->cap - 1)) {
            if (h->at[k] == 0)
                return false;
        }
    }
    return n == h->n;
}
