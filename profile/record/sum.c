/* SPDX-License-Identifier: MIT */
#include "profile/record/sum.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/base/hash.h"
#include "runtime/base/throw.h"

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
    rt_assert(s->n < s->cap && (s->nslots & (s->nslots - 1)) == 0);
    rt_assert_full(prof_sum_valid(s));
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

static uint64_t
sum_hash(const struct prof_sum_row *k)
{
    uint64_t h = k->nstk ^ (k->labels == NULL ? 0 : k->labels->hash) ^
        (uintptr_t)k->state;

    for (uint32_t i = 0; i < k->nstk; i++)
        h = rt_hash_mix(h ^ k->stk[i], RT_HASH_K1);
    return h;
}

/* Where k is among the slots, or the free slot where it would be. */
static uint32_t
slot_of(const struct prof_cpu_sum *s, const struct prof_sum_row *k)
{
    uint32_t i = (uint32_t)k->hash & (s->nslots - 1);

    while (s->slots[i] != 0 && !same(&s->rows[s->slots[i] - 1], k))
        i = (i + 1) & (s->nslots - 1);
    return i;
}

bool
prof_sum_valid(const struct prof_cpu_sum *s)
{
    uint64_t total = 0;
    uint32_t used = 0;

    if (s->n > s->cap || s->cap != s->nslots / 2)
        return false;
    for (uint32_t i = 0; i < s->n; i++) {
        const struct prof_sum_row *r = &s->rows[i];

        if (r->hash != sum_hash(r) || s->slots[slot_of(s, r)] != i + 1)
            return false;
        total += r->count;
    }
    for (uint32_t i = 0; i < s->nslots; i++)
        used += s->slots[i] != 0;
    return total == s->total && used == s->n;
}

/* The row equal to k, made if need be; NULL: no memory. */
static struct prof_sum_row *
sum_find(struct prof_cpu_sum *s, const struct prof_sum_row *k)
{
    if (s->n == s->cap && !grow(s))
        return NULL;
    uint32_t i = slot_of(s, k);
    if (s->slots[i] != 0)
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

    rt_assert(n <= CALLSTACK_MAX);
    k.hash = sum_hash(&k);
    struct prof_sum_row *r = sum_find(s, &k);
    if (r == NULL) {
        s->lost += count;
        return;
    }
    r->count += count;
    s->total += count;
}
