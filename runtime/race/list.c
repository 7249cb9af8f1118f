/* SPDX-License-Identifier: MIT */
/*
 * What half a cell knows, of writes or of reads: nothing, one access, or a
 * list of accesses.  The word is then an epoch of no slot whose clock is the
 * number of the list's first node.  All functions run with the cell's lock
 * held, or before others know the cell; checks read the word without.
 */
#include "runtime/race/race_int.h"

static uint32_t
first_node(uint64_t word)
{
    rt_assert(race_is_list(word) && race_clock(word) > 0);
    return (uint32_t)race_clock(word);
}

static uint32_t
node_get(struct race *r)
{
    uint32_t i;

    if (race_mem_fails(&r->mem))
        return 0;
    rt_lock(&r->list_lock);
    i = r->free_node;
    if (i != 0)
        r->free_node = r->nodes[i].next;
    else if (r->nnodes < RACE_NODES)
        i = r->nnodes++;
    rt_unlock(&r->list_lock);
    if (i != 0)
        r->nodes[i] = (struct race_node){0};
    return i;
}

static void
node_put(struct race *r, uint32_t i)
{
    rt_lock(&r->list_lock);
    rt_assert(i > 0 && i < r->nnodes);
    r->nodes[i].next = r->free_node;
    r->free_node = i;
    rt_unlock(&r->list_lock);
}

void
race_list_free(struct race *r, uint64_t word)
{
    uint32_t next;

    for (uint32_t i = first_node(word); i != 0; i = next) {
        next = r->nodes[i].next;
        node_put(r, i);
    }
}

void
race_list_each(struct race *r, uint64_t word, uint32_t stack,
    void (*fn)(void *arg, uint64_t e, uint32_t stack), void *arg)
{
    if (word != 0 && !race_is_list(word)) {
        fn(arg, word, stack);
        return;
    }
    if (word == 0)
        return;
    for (uint32_t i = first_node(word); i != 0; i = r->nodes[i].next)
        for (unsigned k = 0; k < RACE_NODE; k++)
            if (r->nodes[i].e[k] != 0)
                fn(arg, r->nodes[i].e[k], r->nodes[i].stack[k]);
}

/* Whether two differ in nothing but the bytes. */
static bool
same_but_mask(uint64_t a, uint64_t b)
{
    return ((a ^ b) & ~RACE_MASK) == 0;
}

/* Adds to a list; false: there is no room. */
static bool
add(struct race *r, uint32_t first, uint64_t e, uint32_t at)
{
    uint64_t *free_e = NULL;
    uint32_t *free_at = NULL, n = 0, last = 0;

    for (uint32_t i = first; i != 0; i = r->nodes[i].next) {
        struct race_node *d = &r->nodes[i];

        last = i;
        for (unsigned k = 0; k < RACE_NODE; k++) {
            n += d->e[k] != 0;
            if (d->e[k] == 0 && free_e == NULL) {
                free_e = &d->e[k];
                free_at = &d->stack[k];
            } else if (d->e[k] != 0 && same_but_mask(d->e[k], e)) {
                d->e[k] |= e;
                d->stack[k] = at;
                return true;
            }
        }
    }
    if (n >= RACE_LIST_MAX)
        return false;
    if (free_e == NULL) {
        uint32_t i = node_get(r);

        if (i == 0)
            return false;
        r->nodes[last].next = i;
        free_e = &r->nodes[i].e[0];
        free_at = &r->nodes[i].stack[0];
    }
    *free_e = e;
    *free_at = at;
    return true;
}

void
race_list_add(
    struct race *r, a_u64 *word, a_u32 *stack, uint64_t e, uint32_t at)
{
    uint64_t known = a64_load_rlx(word);

    rt_assert((e & RACE_MASK) != 0 && !race_is_list(e));
    if (known != 0 && race_is_list(known)) {
        if (!add(r, first_node(known), e, at))
            a64_add_rlx(&r->dropped, 1);
        return;
    }
    if (known == 0 || same_but_mask(known, e)) {
        a32_store_rlx(stack, at);
        a64_store_rlx(word, known | e);
        return;
    }
    uint32_t i = node_get(r);
    if (i == 0) {
        a64_add_rlx(&r->dropped, 1);
        return;
    }
    r->nodes[i].e[0] = known;
    r->nodes[i].stack[0] = a32_load_rlx(stack);
    r->nodes[i].e[1] = e;
    r->nodes[i].stack[1] = at;
    a64_store_rlx(word, race_epoch(RACE_NO_SLOT, i));
}

/* The access without the bytes of e, as race_list_drop() says; 0: nothing is
 * left of it. */
static uint64_t
without(const struct race_g *g, uint64_t old, uint64_t e, enum race_drop drop)
{
    if (drop == RACE_DROP_BEFORE &&
        (!race_before(g, old) || ((e & RACE_ATOMIC) && !(old & RACE_ATOMIC))))
        return old;
    old &= ~(e & RACE_MASK);
    return (old & RACE_MASK) == 0 ? 0 : old;
}

void
race_list_drop(struct race_g *g, a_u64 *word, a_u32 *stack, uint64_t e,
    enum race_drop drop)
{
    struct race *r = g->race;
    uint64_t known = a64_load_rlx(word), one = 0;
    uint32_t at = 0, left = 0;

    if (known == 0)
        return;
    if (!race_is_list(known)) {
        a64_store_rlx(word, without(g, known, e, drop));
        return;
    }
    for (uint32_t i = first_node(known); i != 0; i = r->nodes[i].next) {
        struct race_node *d = &r->nodes[i];

        for (unsigned k = 0; k < RACE_NODE; k++) {
            if (d->e[k] == 0)
                continue;
            d->e[k] = without(g, d->e[k], e, drop);
            if (d->e[k] != 0) {
                left++;
                one = d->e[k];
                at = d->stack[k];
            }
        }
    }
    if (left > 1)
        return;
    race_list_free(r, known);
    a32_store_rlx(stack, at);
    a64_store_rlx(word, one);
}
