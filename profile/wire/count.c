/* SPDX-License-Identifier: MIT */
#include "profile/wire/count.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/base/hash.h"

static int
compare_labels(const struct wire_count *a, const struct wire_count *b)
{
    for (uint32_t i = 0; i < a->nlabels && i < b->nlabels; i++) {
        const struct wire_label *x = &a->labels[i], *y = &b->labels[i];
        int c = strcmp(x->key, y->key);

        if (c == 0)
            c = strcmp(x->str == NULL ? "" : x->str,
                y->str == NULL ? "" : y->str);
        if (c == 0 && x->num != y->num)
            c = x->num < y->num ? -1 : 1;
        if (c != 0)
            return c;
    }
    return (a->nlabels > b->nlabels) - (a->nlabels < b->nlabels);
}

static int
compare(const struct wire_count *a, const struct wire_count *b)
{
    for (uint32_t i = 0; i < a->stk.n && i < b->stk.n; i++)
        if (a->stk.pcs[i] != b->stk.pcs[i])
            return a->stk.pcs[i] < b->stk.pcs[i] ? -1 : 1;
    if (a->stk.n != b->stk.n)
        return a->stk.n < b->stk.n ? -1 : 1;
    return compare_labels(a, b);
}

static uint64_t
hash(const struct wire_count *c)
{
    uint64_t h = c->stk.n;

    for (uint32_t i = 0; i < c->stk.n; i++)
        h = rt_hash_mix(h ^ c->stk.pcs[i], RT_HASH_K1);
    for (uint32_t i = 0; i < c->nlabels; i++) {
        const struct wire_label *l = &c->labels[i];

        h = rt_hash_bytes(l->key, strlen(l->key), h);
        if (l->str != NULL)
            h = rt_hash_bytes(l->str, strlen(l->str), h);
    }
    return h;
}

static int
by_count(const void *a, const void *b)
{
    const struct wire_group *x = a, *y = b;

    if (x->count != y->count)
        return x->count > y->count ? -1 : 1;
    return compare(x->of, y->of);
}

/* Groups v; slot is a table of cap, a power of two, empty slots, which gets
 * numbers of groups + 1. */
static size_t
fill(const struct wire_count *v, size_t n, struct wire_group *g,
    uint32_t *slot, size_t cap)
{
    size_t ng = 0;

    for (size_t i = 0; i < n; i++) {
        size_t k = hash(&v[i]) & (cap - 1);

        while (slot[k] != 0 && compare(g[slot[k] - 1].of, &v[i]) != 0)
            k = (k + 1) & (cap - 1);
        if (slot[k] == 0) {
            g[ng++] = (struct wire_group){ &v[i], 0 };
            slot[k] = (uint32_t)ng;
        }
        g[slot[k] - 1].count++;
    }
    return ng;
}

enum rt_status
wire_group(const struct wire_count *v, size_t n, struct wire_group **out,
    size_t *ngroups)
{
    size_t cap = 16;

    while (cap < n * 2)
        cap *= 2;
    struct wire_group *g = malloc((n + 1) * sizeof *g);
    uint32_t *slot = calloc(cap, sizeof *slot);
    *out = NULL;
    *ngroups = 0;
    if (g == NULL || slot == NULL) {
        free(g);
        free(slot);
        return RT_ENOMEM;
    }
    *ngroups = fill(v, n, g, slot, cap);
    free(slot);
    qsort(g, *ngroups, sizeof *g, by_count);
    *out = g;
    return RT_OK;
}
