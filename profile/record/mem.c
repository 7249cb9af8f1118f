/* SPDX-License-Identifier: MIT */
#include "profile/record/mem.h"

#include <string.h>

#include "profile/record/pc.h"
#include "runtime/base/hash.h"
#include "runtime/base/throw.h"

void
mprof_init(struct mprof *mp, struct prof_buckets *b, int64_t rate,
    uint64_t seed, mprof_walk_fn walk, void *ctx)
{
    memset(mp, 0, sizeof *mp);
    ai64_store_rlx(&mp->rate, rate);
    a64_store_rlx(&mp->seed, seed);
    mp->buckets = b;
    mp->walk = walk;
    mp->ctx = ctx;
    rt_lock_init(&mp->active_lock, RANK_PROF_ACTIVE);
}

void
mprof_set_rate(struct mprof *mp, int64_t rate)
{
    ai64_store_rlx(&mp->rate, rate < 0 ? 0 : rate);
}

int64_t
mprof_rate(const struct mprof *mp)
{
    return ai64_load_rlx(&mp->rate);
}

uint32_t
mprof_cycle(const struct mprof *mp)
{
    return a32_load_rlx(&mp->cycle) / 2;
}

static struct mprof_rec *
rec_of(struct prof_bucket *b)
{
    return prof_bucket_rec(b);
}

/* Sets the flag of the current cycle; *was: it was set already. */
static uint32_t
set_flushed(struct mprof *mp, bool *was)
{
    uint32_t old = a32_or_full(&mp->cycle, 1);

    *was = old & 1;
    return old / 2;
}

/* ---- events --------------------------------------------------------------- */

/* As prof_bucket_get(), which it spares in most cases; n > 0. */
static struct prof_bucket *
bucket_of(struct mprof *mp, uint64_t size, const vpc *stk, uint32_t n)
{
    rt_assert(n > 0);
    uint64_t h = stk[0] ^ stk[n > 1] << 20 ^ size << 40;
    a_ptr *at = &mp->recent[h * RT_HASH_K1 >> 56];
    /* acq: pairs with the rel below: the contents of the bucket. */
    struct prof_bucket *b = aptr_load_acq(at);

    _Static_assert(MPROF_RECENT == 1 << (64 - 56), "index");
    if (rt_likely(b != NULL && prof_bucket_is(b, size, stk, n)))
        return b;
    b = prof_bucket_get(mp->buckets, PROF_MEM, size, stk, n);
    if (b != NULL)
        aptr_store_rel(at, b); /* rel: see above */
    return b;
}

void *
mprof_malloc(void *arg, struct gc_pcache *pc, void *p, size_t size)
{
    struct mprof *mp = arg;
    vpc stk[PROF_STACK_MAX];
    uint32_t n = 0;

    (void)pc;
    (void)p;
    if (mp->walk != NULL)
        n = mp->walk(mp->ctx, stk, PROF_STACK_MAX);
    if (n == 0) /* the scheduler allocates: a timer, a native goroutine */
        stk[n++] = prof_pc_mark(PROF_MARK_SYSTEM);
    struct prof_bucket *b = bucket_of(mp, size, stk, n);
    if (b == NULL)
        return NULL;
    /* The cycle changes only in a stop, and this P does not stop here. */
    uint32_t i = (mprof_cycle(mp) + 2) % MPROF_CYCLES;
    a64_add_rlx(&rec_of(b)->future[i].allocs, 1);
    return b;
}

void
mprof_free(void *arg, void *p, void *bucket, size_t size)
{
    (void)p;
    mprof_free_many(arg, bucket, size, 1);
}

void
mprof_free_many(void *arg, void *bucket, size_t size, uint64_t n)
{
    struct mprof *mp = arg;
    uint32_t i = (mprof_cycle(mp) + 1) % MPROF_CYCLES;

    rt_assert(((struct prof_bucket *)bucket)->kind == PROF_MEM);
    rt_assert(((struct prof_bucket *)bucket)->size == size);
    /* full: after the allocations; pairs with mem_take() */
    a64_add_full(&rec_of(bucket)->future[i].frees, n);
}

/*
 * The natural logarithm of x, normal and positive, to 12 digits, by the series
 * of the inverse hyperbolic tangent.  Every program draws a number at its
 * start, and the first use of libm's takes three times 64 KB of memory for
 * its code and tables.
 */
static double
natural_log(double x)
{
    uint64_t bits;
    double m, s, q;
    int e;

    memcpy(&bits, &x, 8);
    e = (int)(bits >> 52) - 1023;
    bits = (bits & (UINT64_MAX >> 12)) | (uint64_t)1023 << 52;
    memcpy(&m, &bits, 8);
    if (m > 1.4142135623730951) {
        m /= 2;
        e++;
    }
    s = (m - 1) / (m + 1); /* at most .172 */
    q = s * s;
    return e * 0.6931471805599453 + 2 * s * (1 + q * (1 / 3. + q * (1 / 5. +
        q * (1 / 7. + q * (1 / 9. + q * (1 / 11. + q * (1 / 13.)))))));
}

int64_t
mprof_next_sample(void *arg, struct gc_pcache *pc)
{
    struct mprof *mp = arg;
    int64_t rate = ai64_load_rlx(&mp->rate);

    (void)pc;
    if (rate <= 0)
        return INT64_MAX;
    if (rate == 1)
        return 0;
    uint64_t r = a64_add_rlx(&mp->seed, RT_HASH_K0);
    /* Evenly in (0, 1], with 53 bits. */
    double u = (double)((rt_hash_u64(r, RT_HASH_K2) >> 11) + 1) * 0x1p-53;
    double x = -natural_log(u) * (double)rate;
    return x >= 0x1p62 ? INT64_MAX : (int64_t)x;
}

/* ---- cycles ----------------------------------------------------------------- */

void
mprof_next_cycle(void *arg)
{
    struct mprof *mp = arg;
    uint32_t old = a32_load_rlx(&mp->cycle);

    a32_store_rel(&mp->cycle, (old / 2 + 1) % MPROF_CYCLE_WRAP * 2);
}

/* What has been counted so far. */
static uint64_t
mem_take(a_u64 *n)
{
    /* full: of what has been freed the allocation is seen, too */
    return a64_load_acq(n) == 0 ? 0 : a64_swap_full(n, 0);
}

/* Adds what is booked in element i to what is published; active_lock held. */
static void
publish_locked(struct mprof *mp, uint32_t i)
{
    struct prof_bucket *b = prof_bucket_first(mp->buckets, PROF_MEM);

    rt_assert(i < MPROF_CYCLES);
    rt_assert_held(&mp->active_lock);
    for (; b != NULL; b = b->all_next) {
        struct mprof_rec *r = rec_of(b);

        /* In this order, so that there are never more frees. */
        r->frees += mem_take(&r->future[i].frees);
        r->allocs += mem_take(&r->future[i].allocs);
        rt_assert(r->frees <= r->allocs);
    }
}

static void
publish(struct mprof *mp, uint32_t cycle)
{
    rt_lock(&mp->active_lock);
    publish_locked(mp, cycle % MPROF_CYCLES);
    rt_unlock(&mp->active_lock);
}

void
mprof_flush(void *arg)
{
    struct mprof *mp = arg;
    bool was;
    uint32_t c = set_flushed(mp, &was);

    if (!was)
        publish(mp, c);
}

void
mprof_post_sweep(void *arg)
{
    struct mprof *mp = arg;

    /* Allocations booked for C + 1 were made during C - 1, and the sweep of
     * C that has just ended has found all frees among them. */
    publish(mp, mprof_cycle(mp) + 1);
}

/* ---- reading -------------------------------------------------------------------- */

/* Brings what is published up to date; active_lock held.  A bucket that is
 * inserted meanwhile has nothing published yet. */
static struct prof_bucket *
settle_locked(struct mprof *mp)
{
    struct prof_bucket *first = prof_bucket_first(mp->buckets, PROF_MEM);
    bool none = true;

    /* Between next_cycle and flush. */
    publish_locked(mp, mprof_cycle(mp) % MPROF_CYCLES);
    for (struct prof_bucket *b = first; b != NULL && none; b = b->all_next)
        none = rec_of(b)->allocs == 0 && rec_of(b)->frees == 0;
    /* No data at all: there has been no collection yet.  A program that never
     * collects is to have a profile, too. */
    for (uint32_t i = 0; none && i < MPROF_CYCLES; i++)
        publish_locked(mp, i);
    return first;
}

static bool
wanted(struct prof_bucket *b, bool inuse_zero)
{
    return inuse_zero || rec_of(b)->allocs != rec_of(b)->frees;
}

static struct mprof_counts
counts(struct prof_bucket *b)
{
    const struct mprof_rec *r = rec_of(b);

    return (struct mprof_counts){ r->allocs, r->frees, r->allocs * b->size,
        r->frees * b->size };
}

uint32_t
mprof_records(struct mprof *mp, bool inuse_zero, struct mprof_record *out,
    uint32_t room)
{
    uint32_t n = 0, k = 0;

    rt_lock(&mp->active_lock);
    struct prof_bucket *first = settle_locked(mp), *b;
    for (b = first; b != NULL; b = b->all_next)
        n += wanted(b, inuse_zero);
    for (b = n <= room ? first : NULL; b != NULL; b = b->all_next)
        if (wanted(b, inuse_zero))
            out[k++] = (struct mprof_record){ b->stk, b->nstk, b->size,
                counts(b) };
    rt_unlock(&mp->active_lock);
    return n;
}

void
mprof_read(struct mprof *mp, struct mprof_counts *out)
{
    struct prof_bucket *b;

    memset(out, 0, sizeof *out);
    rt_lock(&mp->active_lock);
    b = prof_bucket_first(mp->buckets, PROF_MEM);
    for (; b != NULL; b = b->all_next) {
        struct mprof_counts c = counts(b);

        out->allocs += c.allocs;
        out->frees += c.frees;
        out->alloc_bytes += c.alloc_bytes;
        out->free_bytes += c.free_bytes;
    }
    rt_unlock(&mp->active_lock);
}
