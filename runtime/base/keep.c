/* SPDX-License-Identifier: MIT */
#include "runtime/base/keep.h"

#include <string.h>
#include <sys/mman.h>

#include "runtime/base/throw.h"

bool
rt_keep_valid(const struct rt_keep *k)
{
    if (k->n > RT_KEEP_PIECES)
        return false;
    for (unsigned i = 0; i < k->n; i++) {
        const struct rt_keep_piece *x = &k->v[i];

        if (x->p == NULL || x->size == 0 || x->usable > x->size)
            return false;
        for (unsigned j = 0; j < i; j++)
            if (x->p < k->v[j].p + k->v[j].size &&
                k->v[j].p < x->p + x->size)
                return false;
    }
    return true;
}

/* The rest stays in order, so that the piece that was used last, which is
 * warm, is found first. */
static struct rt_keep_piece
take_out(struct rt_keep *k, unsigned i)
{
    struct rt_keep_piece x = k->v[i];

    rt_assert(i < k->n);
    k->n--;
    memmove(&k->v[i], &k->v[i + 1], (k->n - i) * sizeof *k->v);
    return x;
}

static void
give_back(struct rt_keep *k, unsigned i)
{
    struct rt_keep_piece x = take_out(k, i);

    rt_check(munmap(x.p, x.size) == 0, "munmap failed");
}

/* The piece at the address; others in its way go. */
static void *
take_at(struct rt_keep *k, uint8_t *at, size_t size, size_t *usable)
{
    for (unsigned i = k->n; i-- > 0;) {
        const struct rt_keep_piece *x = &k->v[i];

        if (x->p == at && x->size == size) {
            *usable = x->usable;
            return take_out(k, i).p;
        }
        if (x->p < at + size && at < x->p + x->size)
            give_back(k, i);
    }
    return NULL;
}

void *
rt_keep_take(struct rt_keep *k, void *at, size_t size, size_t *usable)
{
    rt_assert(size > 0);
    if (at != NULL)
        return take_at(k, at, size, usable);
    for (unsigned i = k->n; i-- > 0;) {
        const struct rt_keep_piece *x = &k->v[i];

        if (x->size == size && x->usable == size) {
            *usable = size;
            return take_out(k, i).p;
        }
    }
    return NULL;
}

bool
rt_keep_put(struct rt_keep *k, void *p, size_t size, size_t usable,
    size_t dirty)
{
    rt_assert(p != NULL && dirty <= usable && usable <= size);
    if (dirty > RT_KEEP_CLEAR)
        return false;
    memset(p, 0, dirty);
    /* What nobody has asked for again for the longest time. */
    if (k->n == RT_KEEP_PIECES)
        give_back(k, 0);
    k->v[k->n++] = (struct rt_keep_piece){p, size, usable};
    rt_assert_full(rt_keep_valid(k));
    return true;
}

void
rt_keep_free(struct rt_keep *k)
{
    while (k->n > 0)
        give_back(k, k->n - 1);
}
