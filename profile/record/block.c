/* SPDX-License-Identifier: MIT */
#include "profile/record/block.h"

#include <string.h>

#include "runtime/base/hash.h"
#include "runtime/base/throw.h"

void
prof_block_init(struct prof_block *b, struct prof_buckets *buckets,
    const struct rt_clock *clock, uint64_t seed)
{
    memset(b, 0, sizeof *b);
    b->buckets = buckets;
    b->clock = clock;
    a64_store_rlx(&b->seed, seed);
    rt_lock_init(&b->lock, RANK_PROF_BLOCK);
}

int64_t
prof_block_cycles_per_sec(const struct prof_block *b)
{
    return (int64_t)rt_ticks_per_sec(b->clock);
}

void
prof_block_set_rate(struct prof_block *b, int64_t ns)
{
    uint64_t r = 1;

    if (ns <= 0) {
        r = 0;
    } else if (ns > 1) {
        double t =
            (double)ns * (double)prof_block_cycles_per_sec(b) / 1e9;

        if (t >= 1)
            r = t < 0x1p62 ? (uint64_t)t : (uint64_t)1 << 62;
    }
    a64_store_rlx(&b->block_rate, r);
}

int64_t
prof_mutex_set_fraction(struct prof_block *b, int64_t n)
{
    uint64_t old = a64_load_rlx(&b->mutex_rate);

    if (n >= 0)
        a64_store_rlx(&b->mutex_rate, (uint64_t)n);
    return (int64_t)old;
}

static uint64_t
random_u64(struct prof_block *b)
{
    return rt_hash_u64(a64_add_rlx(&b->seed, RT_HASH_K0), RT_HASH_K2);
}

bool
prof_block_sampled(struct prof_block *b, int64_t ticks)
{
    int64_t rate = (int64_t)a64_load_rlx(&b->block_rate);

    if (ticks <= 0)
        ticks = 1;
    if (rate <= 0)
        return false;
    /* The high half of the product is even over 0 .. rate - 1. */
    return ticks >= rate ||
        (int64_t)((__uint128_t)random_u64(b) * (uint64_t)rate >> 64) < ticks;
}

static void
book(struct prof_block *b, enum prof_kind kind, double count, int64_t ticks,
    const vpc *stk, uint32_t n)
{
    struct prof_bucket *k = prof_bucket_get(b->buckets, kind, 0, stk, n);

    rt_assert(count >= 1 && ticks >= 0);
    rt_assert(kind == PROF_BLOCK || kind == PROF_MUTEX);
    if (k == NULL)
        return;
    struct prof_block_rec *r = prof_bucket_rec(k);
    rt_lock(&b->lock);
    r->count += count;
    r->ticks += ticks;
    rt_unlock(&b->lock);
}

void
prof_block_event(
    struct prof_block *b, int64_t ticks, const vpc *stk, uint32_t n)
{
    int64_t rate = (int64_t)a64_load_rlx(&b->block_rate);

    if (ticks <= 0)
        ticks = 1;
    if (ticks < rate)
        book(b, PROF_BLOCK, (double)rate / (double)ticks, rate, stk, n);
    else
        book(b, PROF_BLOCK, 1, ticks, stk, n);
}

bool
prof_mutex_sampled(struct prof_block *b)
{
    uint64_t rate = a64_load_rlx(&b->mutex_rate);

    return rate == 1 ||
        (rate > 1 &&
            (uint64_t)((__uint128_t)random_u64(b) * rate >> 64) == 0);
}

void
prof_mutex_event(
    struct prof_block *b, int64_t ticks, const vpc *stk, uint32_t n)
{
    int64_t rate = (int64_t)a64_load_rlx(&b->mutex_rate);
    int64_t all;

    if (ticks < 0)
        ticks = 0;
    if (rate < 1) /* switched off meanwhile */
        rate = 1;
    if (__builtin_mul_overflow(ticks, rate, &all))
        all = INT64_MAX;
    book(b, PROF_MUTEX, (double)rate, all, stk, n);
}

uint32_t
prof_block_records(struct prof_block *b, enum prof_kind kind,
    struct prof_block_record *out, uint32_t room)
{
    uint32_t n = 0, k = 0;

    rt_assert(kind == PROF_BLOCK || kind == PROF_MUTEX);
    rt_lock(&b->lock);
    struct prof_bucket *first = prof_bucket_first(b->buckets, kind), *q;
    for (q = first; q != NULL; q = q->all_next)
        n++;
    for (q = n <= room ? first : NULL; q != NULL; q = q->all_next) {
        const struct prof_block_rec *r = prof_bucket_rec(q);
        int64_t count = (int64_t)r->count;

        /* Never 0, so that nobody divides by it. */
        out[k++] = (struct prof_block_record){ q->stk, q->nstk,
            count == 0 ? 1 : count, r->ticks };
    }
    rt_unlock(&b->lock);
    return n;
}
