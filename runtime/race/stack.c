/* SPDX-License-Identifier: MIT */
/*
 * Stacks by number, each once.  They are only added, so that looking one up
 * needs no lock: a bucket's list is published by its head.  There are limits
 * to what is kept; beyond them stacks are cut to their innermost frames, and
 * when even that is too much the number is 0 and a report says that it does
 * not know.
 */
#include "runtime/race/race_int.h"

#include <string.h>

#include "runtime/base/hash.h"

enum {
    BUCKETS = 1 << 17,
    WHOLE = 1 << 19,  /* stacks of full depth */
    STACKS = 1 << 20,
    SHORT = 8,        /* frames of those beyond */
    PCS = 1 << 24
};

enum rt_status
race_stacks_init(struct race *r)
{
    struct race_stacks *s = &r->stacks;

    rt_lock_init(&s->lock, RANK_RACE_STACK);
    s->n = 1;
    s->buckets = rt_os_map_sparse(&r->os, BUCKETS * sizeof *s->buckets);
    s->recs = rt_os_map_sparse(&r->os, STACKS * sizeof *s->recs);
    s->pcs = rt_os_map_sparse(&r->os, PCS * sizeof *s->pcs);
    return s->buckets == NULL || s->recs == NULL || s->pcs == NULL
        ? RT_ENOMEM : RT_OK;
}

void
race_stacks_fini(struct race *r)
{
    struct race_stacks *s = &r->stacks;

    if (s->buckets != NULL)
        rt_os_unmap(&r->os, s->buckets, BUCKETS * sizeof *s->buckets);
    if (s->recs != NULL)
        rt_os_unmap(&r->os, s->recs, STACKS * sizeof *s->recs);
    if (s->pcs != NULL)
        rt_os_unmap(&r->os, s->pcs, PCS * sizeof *s->pcs);
}

static uint32_t
find(const struct race_stacks *s, uint32_t id, uint32_t hash, const vpc *pcs,
    uint32_t n)
{
    for (; id != 0; id = s->recs[id].next) {
        const struct race_stack *k = &s->recs[id];

        if (k->hash == hash && k->n == n &&
            memcmp(s->pcs + k->at, pcs, n * sizeof *pcs) == 0)
            return id;
    }
    return 0;
}

/* A new one, not in its bucket yet; 0: no room.  Lock held. */
static uint32_t
make(struct race *r, uint32_t hash, const vpc *pcs, uint32_t n)
{
    struct race_stacks *s = &r->stacks;

    rt_assert_held(&s->lock);
    if (s->n == STACKS || s->npcs + n > PCS || race_mem_fails(&r->mem))
        return 0;
    s->recs[s->n] = (struct race_stack){
        .hash = hash, .at = (uint32_t)s->npcs, .n = n};
    memcpy(s->pcs + s->npcs, pcs, n * sizeof *pcs);
    s->npcs += n;
    return s->n++;
}

uint32_t
race_stack_intern(struct race *r, const vpc *pcs, uint32_t n)
{
    struct race_stacks *s = &r->stacks;

    if (n == 0)
        return 0;
    if (a32_load_rlx(&s->full) != 0 && n > SHORT)
        n = SHORT;
    uint32_t hash = (uint32_t)rt_hash_bytes(pcs, n * sizeof *pcs, 0);
    a_u32 *bucket = &s->buckets[hash % BUCKETS];
    /* acq: pairs with the rel below. */
    uint32_t id = find(s, a32_load_acq(bucket), hash, pcs, n);

    if (id != 0)
        return id;
    rt_lock(&s->lock);
    uint32_t first = a32_load_rlx(bucket);
    id = find(s, first, hash, pcs, n);
    if (id == 0 && (id = make(r, hash, pcs, n)) != 0) {
        s->recs[id].next = first;
        a32_store_rel(bucket, id);
    }
    if (s->n >= WHOLE || s->npcs >= PCS / 2)
        a32_store_rlx(&s->full, 1);
    rt_unlock(&s->lock);
    return id;
}

/* A recursion shows its two innermost frames of each function; what calls it
 * comes into sight, and there are fewer different stacks. */
static uint32_t
fold(vpc *pcs, uint32_t n)
{
    uint32_t k = 0;

    for (uint32_t i = 0; i < n; i++)
        if (k < 2 || vpc_func(pcs[i]) != vpc_func(pcs[k - 1]) ||
            vpc_func(pcs[i]) != vpc_func(pcs[k - 2]))
            pcs[k++] = pcs[i];
    return k;
}

/* Stacks are short, as a rule. */
static bool
same_pcs(const vpc *a, const vpc *b, uint32_t n)
{
    uint32_t i = 0;

    while (i < n && a[i] == b[i])
        i++;
    return i == n;
}

uint32_t
race_stack_here(struct race_g *g, const void *pc, const void *fp)
{
    struct race *r = g->race;
    vpc pcs[RACE_FRAMES];

    if (r->host == NULL)
        return 0;
    uint32_t n = r->host->walk(r->host_arg, g->owner, pc, fp, pcs,
        RACE_FRAMES);
    rt_assert(n <= RACE_FRAMES);
    if (n == 0)
        return 0;
    n = fold(pcs, n);
    /* A loop's accesses have few stacks, and a recursion's few of which the
     * innermost frames are the same. */
    uint64_t inner = pcs[0] + (n > 1 ? 3 * pcs[1] : 0);
    uint32_t *last = &g->stacks[inner % (sizeof g->stacks / sizeof *last)];
    const struct race_stack *k = &r->stacks.recs[*last];
    if (k->n == n && same_pcs(r->stacks.pcs + k->at, pcs, n))
        return *last;
    *last = race_stack_intern(r, pcs, n);
    return *last;
}

const vpc *
race_stack_pcs(const struct race *r, uint32_t id, uint32_t *n)
{
    const struct race_stack *k = &r->stacks.recs[id];

    *n = id == 0 ? 0 : k->n;
    return r->stacks.pcs + k->at;
}
