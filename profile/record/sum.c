/* SPDX-License-Identifier: MIT */
#include "profile/record/sum.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/base/hash.h"

enum { FIRST_SLOTS = 256 };

struct prof_cpu_sum *
prof_sum_new(void)
{
    return calloc(1, sizeof(struct prof_cpu_sum));
}

void
prof_sum_free(struct prof_cpu_sum *s)
{
    if (s == NULL)
        return;
    for (uint32_t i = 0; i < s->n; i++)
        prof_labels_unref(s->rows[i].labels);
    prof_stacks_free(&s->stacks);
    free(s->rows);
    free(s->slots);
    free(s);
}

static bool
grow(struct prof_cpu_sum *s)
{
    uint32_t nslots = s->nslots == 0 ? FIRST_SLOTS : s->nslots * 2;
    uint32_t cap = nslots / 2;
    struct prof_sum_row *rows = realloc(s->rows, cap * sizeof *rows);

    if (rows == NULL)
        return false;
    s->rows = rows;
    uint32_t *slots = calloc(nslots, sizeof *slots);
    if (slots == NULL)
        return false;
    for (uint32_t i = 0; i < s->n; i++) {
        uint32_t k = (uint32_t)rows[i].hash & (nslots - 1);

        while (slots[k] != 0)
            k = (k + 1) & (nslots - 1);
        slots[k] = i + 1;
    }
    free(s->slots);
    s->slots = slots;
    s->nslots = nslots;
    s->cap = cap;
    return true;
}

static bool
same_labels(const struct prof_labels *a, const struct prof_labels *b)
{
    if (a == b)
        return true;
    if (a == NULL || b == NULL || a->hash != b->hash || a->n != b->n)
        return false;
    for (uint32_t i = 0; i < a->n; i++)
        if (strcmp(a->v[i].key, b->v[i].key) != 0 ||
            strcmp(a->v[i].str, b->v[i].str) != 0)
            return false;
    return true;
}

static bool
same(const struct prof_sum_row *r, const struct prof_sum_row *k)
{
    return r->hash == k->hash && r->nstk == k->nstk &&
        r->state == k->state &&
        memcmp(r->stk, k->stk, k->nstk * sizeof *k->stk) == 0 &&
        same_labels(r->labels, k->labels);
}

/* The row equal to k, made if need be; NULL: no memory. */
static struct prof_sum_row *
find(struct prof_cpu_sum *s, const struct prof_sum_row *k)
{
    if (s->n == s->cap && !grow(s))
        return NULL;
    uint32_t i = (uint32_t)k->hash & (s->nslots - 1);
    for (; s->slots[i] != 0; i = (i + 1) & (s->nslots - 1))
        if (same(&s->rows[s->slots[i] - 1], k))
            return &s->rows[s->slots[i] - 1];
    const vpc *stk = prof_stacks_keep(&s->stacks, k->stk, k->nstk);
    if (stk == NULL)
        return NULL;
    struct prof_sum_row *r = &s->rows[s->n];
    *r = *k;
    r->stk = stk;
    prof_labels_ref(r->labels);
    s->slots[i] = ++s->n;
    return r;
}

void
prof_sum_add(struct prof_cpu_sum *s, const vpc *stk, uint32_t n,
    struct prof_labels *labels, const char *state, uint64_t count)
{
    struct prof_sum_row k = { .labels = labels, .state = state, .stk = stk,
        .nstk = n };

    k.hash = n ^ (labels == NULL ? 0 : labels->hash) ^ (uintptr_t)state;
    for (uint32_t i = 0; i < n; i++)
        k.hash = rt_hash_mix(k.hash ^ stk[i], RT_HASH_K1);
    struct prof_sum_row *r = find(s, &k);
    if (r == NULL) {
        s->lost += count;
        return;
    }
    r->count += count;
    s->total += count;
}
