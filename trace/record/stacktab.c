/* SPDX-License-Identifier: MIT */
#include "trace/record/stacktab.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/base/throw.h"

void *
trace_region_alloc(struct trace_region **head, size_t size, uint64_t *bytes)
{
    const size_t cap = TRACE_REGION_BYTES - sizeof(struct trace_region);
    struct trace_region *b = *head;
    void *p;

    rt_assert(size > 0);
    size = (size + 7) & ~(size_t)7;
    if (size > cap / 4) {
        /* A block of its own, behind the current one. */
        b = malloc(sizeof *b + size);
        if (b == NULL)
            return NULL;
        *bytes += sizeof *b + size;
        b->used = cap;
        if (*head == NULL) {
            b->next = NULL;
            *head = b;
        } else {
            b->next = (*head)->next;
            (*head)->next = b;
        }
        return b->data;
    }
    if (b == NULL || b->used + size > cap) {
        b = malloc(TRACE_REGION_BYTES);
        if (b == NULL)
            return NULL;
        *bytes += TRACE_REGION_BYTES;
        b->next = *head;
        b->used = 0;
        *head = b;
    }
    p = b->data + b->used;
    b->used += size;
    rt_assert(b->used <= cap && (uintptr_t)p % 8 == 0);
    return p;
}

void
trace_region_free(struct trace_region **head)
{
    while (*head != NULL) {
        struct trace_region *b = *head;

        *head = b->next;
        free(b);
    }
}

void
trace_stacktab_init(struct trace_stacktab *t)
{
    memset(t, 0, sizeof *t);
    rt_lock_init(&t->lock, RANK_TRACE_STACK);
}

bool
trace_stacktab_open(struct trace_stacktab *t)
{
    rt_assert(t->slots == NULL && t->region == NULL);
    t->slots = calloc(TRACE_STACKTAB_SLOTS, sizeof *t->slots);
    if (t->slots == NULL)
        return false;
    t->tail = NULL;
    t->bytes = TRACE_STACKTAB_SLOTS * sizeof *t->slots;
    aptr_store_rel(&t->first, NULL);
    a32_store_rlx(&t->count, 0);
    a64_store_rlx(&t->lost, 0);
    return true;
}

void
trace_stacktab_close(struct trace_stacktab *t)
{
    rt_assert_full(trace_stacktab_valid(t));
    trace_region_free(&t->region);
    free(t->slots);
    t->slots = NULL;
    t->tail = NULL;
    t->bytes = 0;
    aptr_store_rel(&t->first, NULL);
}

/* A sum of products with one odd factor per position: the multiplications do
 * not depend on each other.  The factors keep equal frames at different
 * depths apart. */
uint64_t
trace_stack_hash(const vpc *pcs, uint32_t n)
{
    const uint64_t golden = UINT64_C(0x9e3779b97f4a7c15);
    uint64_t k = golden;
    uint64_t h = n;
    uint32_t i;

    for (i = 0; i < n; i++) {
        h += (pcs[i] ^ pcs[i] >> 24) * k;
        k += 2 * golden;
    }
    h ^= h >> 32;
    h *= UINT64_C(0xd6e8feb86659fd93);
    return h ^ h >> 32;
}

static const struct trace_stack *
find(const struct trace_stack *st, uint64_t hash, const vpc *pcs, uint32_t n)
{
    uint32_t i;

    for (; st != NULL; st = st->link) {
        if (st->hash != hash || st->n != n)
            continue;
        for (i = 0; i < n && st->pcs[i] == pcs[i]; i++)
            ;
        if (i == n)
            return st;
    }
    return NULL;
}

static const struct trace_stack *
insert(struct trace_stacktab *t, a_ptr *slot, uint64_t hash, const vpc *pcs,
    uint32_t n)
{
    struct trace_stack *st = NULL;

    rt_assert_held(&t->lock);
    rt_assert((t->tail == NULL) == (a32_load_rlx(&t->count) == 0));
    if (t->bytes < TRACE_STACKTAB_BYTES)
        st = trace_region_alloc(&t->region, sizeof *st + n * sizeof *pcs,
            &t->bytes);
    if (st == NULL) {
        a64_add_rlx(&t->lost, 1);
        return NULL;
    }
    st->link = aptr_load_rlx(slot);
    aptr_store_rlx(&st->next, NULL);
    st->hash = hash;
    st->id = a32_load_rlx(&t->count) + 1;
    st->n = n;
    memcpy(st->pcs, pcs, n * sizeof *pcs);
    a32_store_rlx(&t->count, st->id);
    /* rel: the node is complete; pairs with the acq in get() and next(). */
    aptr_store_rel(t->tail == NULL ? &t->first : &t->tail->next, st);
    rt_assert(st->link == NULL || st->link->id < st->id);
    t->tail = st;
    aptr_store_rel(slot, st);
    return st;
}

const struct trace_stack *
trace_stacktab_get(struct trace_stacktab *t, const vpc *pcs, uint32_t n)
{
    const struct trace_stack *st;
    uint64_t hash;
    a_ptr *slot;

    if (n == 0 || t->slots == NULL)
        return NULL;
    if (n > CALLSTACK_MAX)
        n = CALLSTACK_MAX;
    hash = trace_stack_hash(pcs, n);
    slot = &t->slots[hash % TRACE_STACKTAB_SLOTS];
    /* acq: pairs with the rel in insert(). */
    st = find(aptr_load_acq(slot), hash, pcs, n);
    if (st != NULL)
        return st;
    rt_lock(&t->lock);
    st = find(aptr_load_rlx(slot), hash, pcs, n);
    if (st == NULL)
        st = insert(t, slot, hash, pcs, n);
    rt_unlock(&t->lock);
    return st;
}

uint32_t
trace_stacktab_put(struct trace_stacktab *t, const vpc *pcs, uint32_t n)
{
    const struct trace_stack *st = trace_stacktab_get(t, pcs, n);

    rt_assert(st == NULL || (st->id != 0 && st->pcs[0] == pcs[0]));
    return st == NULL ? 0 : st->id;
}

const struct trace_stack *
trace_stacktab_next(const struct trace_stacktab *t,
    const struct trace_stack *st)
{
    /* acq: pairs with the rel in insert(). */
    return aptr_load_acq(st == NULL ? &t->first : &st->next);
}
