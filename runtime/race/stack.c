/* SPDX-License-Identifier: MIT */
/*
 * Stacks by number, each once, as a tree: a stack is its innermost frame and
 * the number of the rest.  They are only added, so that looking one up needs no
 * lock: a bucket's list is published by its head.  There are limits to what is
 * kept; beyond them stacks are cut to their innermost frames, and when even
 * that is too much the number is 0 and a report says that it does not know.
 */
#include "runtime/race/race_int.h"

#include <string.h>

#include "runtime/base/hash.h"

enum {
    BUCKETS = 1 << 17,
    WHOLE = 1 << 20, /* stacks of full depth */
    STACKS = 1 << 21,
    SHORT = 8        /* frames of those beyond */
};

enum rt_status
race_stacks_init(struct race *r)
{
    struct race_stacks *s = &r->stacks;

    rt_lock_init(&s->lock, RANK_RACE_STACK);
    s->n = 1;
    s->buckets = rt_os_map_sparse(&r->os, BUCKETS * sizeof *s->buckets);
    s->recs = rt_os_map_sparse(&r->os, STACKS * sizeof *s->recs);
    return s->buckets == NULL || s->recs == NULL ? RT_ENOMEM : RT_OK;
}

void
race_stacks_fini(struct race *r)
{
    struct race_stacks *s = &r->stacks;

    if (s->buckets != NULL)
        rt_os_unmap(&r->os, s->buckets, BUCKETS * sizeof *s->buckets);
    if (s->recs != NULL)
        rt_os_unmap(&r->os, s->recs, STACKS * sizeof *s->recs);
}

/* Those of the same hash. */
static inline a_u32 *
bucket_of(const struct race_stacks *s, uint32_t outer, vpc pc)
{
    return &s->buckets[rt_hash_u64(pc, outer) % BUCKETS];
}

void
race_stacks_reset(struct race *r)
{
    struct race_stacks *s = &r->stacks;

    for (uint32_t i = 1; i < s->n; i++)
        a32_store_rlx(bucket_of(s, s->recs[i].outer, s->recs[i].pc), 0);
    memset(s->recs, 0, s->n * sizeof *s->recs);
    s->n = 1;
    a32_store_rlx(&s->full, 0);
}

static inline uint32_t
find(const struct race_stacks *s, uint32_t id, uint32_t outer, vpc pc)
{
    while (id != 0 && (s->recs[id].pc != pc || s->recs[id].outer != outer))
        id = s->recs[id].next;
    return id;
}

/* A new one, in its bucket; 0: no room.  Lock held. */
static uint32_t
make(struct race *r, a_u32 *bucket, uint32_t outer, vpc pc)
{
    struct race_stacks *s = &r->stacks;

    rt_assert_held(&s->lock);
    rt_assert(outer < s->n && pc != 0);
    if (s->n == STACKS || race_mem_fails(&r->mem))
        return 0;
    s->recs[s->n].pc = pc;
    s->recs[s->n].outer = outer;
    s->recs[s->n].next = a32_load_rlx(bucket);
    /* rel: pairs with the acq in existing(). */
    a32_store_rel(bucket, s->n);
    if (s->n >= WHOLE)
        a32_store_rlx(&s->full, 1);
    return s->n++;
}

static inline uint32_t
existing(const struct race_stacks *s, uint32_t outer, vpc pc)
{
    /* acq: pairs with the rel in make(). */
    return find(s, a32_load_acq(bucket_of(s, outer, pc)), outer, pc);
}

/* The number, whatever it takes, of a stack of any shape. */
static uint32_t
add(struct race *r, uint32_t outer, vpc pc)
{
    struct race_stacks *s = &r->stacks;
    a_u32 *bucket = bucket_of(s, outer, pc);
    uint32_t id = existing(s, outer, pc);

    if (id != 0)
        return id;
    rt_lock(&s->lock);
    id = find(s, a32_load_rlx(bucket), outer, pc);
    if (id == 0)
        id = make(r, bucket, outer, pc);
    rt_unlock(&s->lock);
    return id;
}

/* The stack's innermost frames, so many that there is room for one more. */
static uint32_t
cut(struct race *r, uint32_t id)
{
    vpc pcs[SHORT];
    uint32_t n = race_stack_pcs(r, id, pcs, SHORT), k = 0;

    if (n < SHORT)
        return id;
    for (uint32_t i = SHORT - 1; i > 0; i--)
        k = add(r, k, pcs[i - 1]);
    return k;
}

/* What calls a recursion comes into sight, and there are fewer different
 * stacks. */
static uint32_t
fold(struct race *r, uint32_t outer, vpc pc)
{
    const struct race_stack *a = &r->stacks.recs[outer];
    const struct race_stack *b = &r->stacks.recs[a->outer];

    if (a->outer == 0 || vpc_func(a->pc) != vpc_func(pc) ||
        vpc_func(b->pc) != vpc_func(pc))
        return outer;
    return add(r, b->outer, a->pc);
}

static RT_NOINLINE uint32_t
look_up(struct race *r, uint32_t outer, vpc pc)
{
    uint32_t id;

    outer = fold(r, outer, pc);
    id = existing(&r->stacks, outer, pc);
    if (id != 0)
        return id;
    if (a32_load_rlx(&r->stacks.full) != 0)
        outer = cut(r, outer);
    return add(r, outer, pc);
}

uint32_t
race_stack_add(struct race *r, uint32_t outer, vpc pc)
{
    struct race_stack *recs = r->stacks.recs;
    a_u32 *inner = &recs[outer].inner[vpc_off(pc) % RACE_INNER];
    /* acq: pairs with the rel below. */
    uint32_t id = a32_load_acq(inner);

    if (rt_likely(recs[id].pc == pc))
        return id;
    id = look_up(r, outer, pc);
    a32_store_rel(inner, id);
    return id;
}

uint32_t
race_stack_here(struct race_g *g, const void *pc, const void *fp)
{
    const struct race *r = g->race;

    return r->host == NULL ? 0 : r->host->stack(r->host_arg, g->owner, pc, fp);
}

uint32_t
race_stack_pcs(const struct race *r, uint32_t id, vpc *pcs, uint32_t n)
{
    uint32_t k = 0;

    for (; id != 0 && k < n; id = r->stacks.recs[id].outer)
        pcs[k++] = r->stacks.recs[id].pc;
    return k;
}
