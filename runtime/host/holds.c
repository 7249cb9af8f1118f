/* SPDX-License-Identifier: MIT */
#include "runtime/host/holds.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/hash.h"
#include "runtime/base/throw.h"

static uint32_t *
list_of_g(const struct holds *h, vgoid id)
{
    return &h->first_of_g[rt_hash_u64(id, RT_HASH_K2) & (h->cap - 1)];
}

static uint32_t *
list_of_lock(const struct holds *h, const void *lock)
{
    return &h->first_of_lock[rt_hash_u64((uintptr_t)lock, RT_HASH_K0) &
        (h->cap - 1)];
}

/* ---- links ---------------------------------------------------------------- */

static void
link_lock(struct holds *h, uint32_t i)
{
    struct hold *x = &h->v[i];
    uint32_t *first = list_of_lock(h, x->lock);

    x->by_lock = (struct hold_link){HOLDS_NONE, *first};
    if (*first != HOLDS_NONE)
        h->v[*first].by_lock.prev = i;
    *first = i;
}

/* Behind those that came before it, which are few. */
static void
link_g(struct holds *h, uint32_t i)
{
    struct hold *x = &h->v[i];
    uint32_t *first = list_of_g(h, x->id), last = *first;

    x->by_g = (struct hold_link){HOLDS_NONE, HOLDS_NONE};
    if (last == HOLDS_NONE) {
        *first = i;
        return;
    }
    while (h->v[last].by_g.next != HOLDS_NONE)
        last = h->v[last].by_g.next;
    h->v[last].by_g.next = i;
    x->by_g.prev = last;
}

/* The neighbours of number i in both lists have `prev` and `next` instead. */
static void
relink(struct holds *h, uint32_t i, const uint32_t *to)
{
    const struct hold *x = &h->v[i];
    struct hold_link g = x->by_g, l = x->by_lock;

    *(g.prev != HOLDS_NONE ? &h->v[g.prev].by_g.next
                           : list_of_g(h, x->id)) = to != NULL ? *to : g.next;
    *(l.prev != HOLDS_NONE ? &h->v[l.prev].by_lock.next
                           : list_of_lock(h, x->lock)) =
        to != NULL ? *to : l.next;
    if (g.next != HOLDS_NONE)
        h->v[g.next].by_g.prev = to != NULL ? *to : g.prev;
    if (l.next != HOLDS_NONE)
        h->v[l.next].by_lock.prev = to != NULL ? *to : l.prev;
}

static bool
grow(struct holds *h)
{
    uint32_t cap = h->cap ? 2 * h->cap : 16;
    struct hold *v = realloc(h->v, cap * sizeof *v);
    uint32_t *lists = v == NULL ? NULL : malloc(2 * cap * sizeof *lists);

    if (v != NULL)
        h->v = v;
    if (lists == NULL)
        return false;
    uint32_t *old = h->first_of_g, old_cap = h->cap, next;

    memset(lists, 0xff, 2 * cap * sizeof *lists);
    h->first_of_g = lists;
    h->first_of_lock = lists + cap;
    h->cap = cap;
    for (uint32_t i = 0; i < h->n; i++)
        link_lock(h, i);
    /* In their order. */
    for (uint32_t k = 0; k < old_cap; k++)
        for (uint32_t i = old[k]; i != HOLDS_NONE; i = next) {
            next = h->v[i].by_g.next;
            link_g(h, i);
        }
    free(old);
    return true;
}

/* ---- for others ------------------------------------------------------------- */

struct hold *
holds_add(struct holds *h, const struct hold *x)
{
    rt_assert(x->id != 0 && x->npcs <= HOLD_STACK);
    if (h->n == h->cap && !grow(h))
        return NULL;
    h->v[h->n] = *x;
    link_lock(h, h->n);
    link_g(h, h->n);
    return &h->v[h->n++];
}

void
holds_remove(struct holds *h, uint32_t i)
{
    rt_assert(i < h->n);
    relink(h, i, NULL);
    h->n--;
    if (i == h->n)
        return;
    relink(h, h->n, &i);
    h->v[i] = h->v[h->n];
}

uint32_t
holds_of_g(const struct holds *h, vgoid id, uint32_t after)
{
    uint32_t i = HOLDS_NONE;

    if (h->n > 0)
        i = after == HOLDS_NONE ? *list_of_g(h, id) : h->v[after].by_g.next;
    while (i != HOLDS_NONE && h->v[i].id != id)
        i = h->v[i].by_g.next;
    return i;
}

uint32_t
holds_of_lock(const struct holds *h, const void *lock, uint32_t after)
{
    uint32_t i = HOLDS_NONE;

    if (h->n > 0)
        i = after == HOLDS_NONE ? *list_of_lock(h, lock)
                                : h->v[after].by_lock.next;
    while (i != HOLDS_NONE && h->v[i].lock != lock)
        i = h->v[i].by_lock.next;
    return i;
}

void
holds_clear(struct holds *h)
{
    h->n = 0;
    if (h->cap != 0)
        memset(h->first_of_g, 0xff, 2 * h->cap * sizeof *h->first_of_g);
}

void
holds_free(struct holds *h)
{
    free(h->v);
    free(h->first_of_g);
    *h = (struct holds){0};
}

/* Of many it looks at the newest: all of them, at each point of a program,
 * would take time that grows with their square. */
bool
holds_valid(const struct holds *h)
{
    enum { NEWEST = 64 };

    for (uint32_t i = h->n > NEWEST ? h->n - NEWEST : 0; i < h->n; i++) {
        const struct hold *x = &h->v[i];

        if (x->id == 0 || x->npcs > HOLD_STACK ||
            (x->by_g.prev == HOLDS_NONE ? *list_of_g(h, x->id)
                                        : h->v[x->by_g.prev].by_g.next) != i ||
            (x->by_lock.prev == HOLDS_NONE
                    ? *list_of_lock(h, x->lock)
                    : h->v[x->by_lock.prev].by_lock.next) != i)
            return false;
    }
    return h->n <= h->cap && (h->cap & (h->cap - 1)) == 0;
}
