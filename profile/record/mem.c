/* SPDX-License-Identifier: MIT */
#include "profile/record/profile.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "runtime/base/hash.h"
#include "runtime/base/throw.h"

void
mprof_init(struct mprof *mp, int64_t rate, uint64_t seed)
{
    memset(mp, 0, sizeof *mp);
    ai64_store_rlx(&mp->rate, rate);
    a64_store_rlx(&mp->seed, seed);
    rt_lock_init(&mp->active_lock, RANK_PROF_ACTIVE);
    for (int i = 0; i < MPROF_CYCLES; i++)
        rt_lock_init(&mp->future_lock[i], RANK_PROF_FUTURE);
}

uint32_t
mprof_cycle(const struct mprof *mp)
{
    return a32_load_rlx(&mp->cycle) / 2;
}

/* Sets the flag of the current cycle; *was: it was set already. */
static uint32_t
set_flushed(struct mprof *mp, bool *was)
{
    uint32_t old = a32_or_full(&mp->cycle, 1);

    *was = old & 1;
    return old / 2;
}

void *
mprof_malloc(void *arg, struct gc_pcache *pc, void *p, size_t size)
{
    struct mprof *mp = arg;
    struct mprof_bucket *b = &mp->all;
    uint32_t i = (mprof_cycle(mp) + 2) % MPROF_CYCLES;

    (void)pc;
    (void)p;
    rt_lock(&mp->future_lock[i]);
    b->future[i].allocs++;
    b->future[i].alloc_bytes += size;
    rt_unlock(&mp->future_lock[i]);
    return b;
}

void
mprof_free(void *arg, void *site, size_t size)
{
    struct mprof *mp = arg;
    struct mprof_bucket *b = site;
    uint32_t i = (mprof_cycle(mp) + 1) % MPROF_CYCLES;

    rt_lock(&mp->future_lock[i]);
    b->future[i].frees++;
    b->future[i].free_bytes += size;
    rt_unlock(&mp->future_lock[i]);
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
    double x = -log(u) * (double)rate;
    return x >= 0x1p62 ? INT64_MAX : (int64_t)x;
}

void
mprof_next_cycle(void *arg)
{
    struct mprof *mp = arg;
    uint32_t old = a32_load_rlx(&mp->cycle);

    a32_store_rel(&mp->cycle, (old / 2 + 1) % MPROF_CYCLE_WRAP * 2);
}

/* Adds what is booked for cycle c to the published sums. */
static void
publish(struct mprof *mp, uint32_t c)
{
    uint32_t i = c % MPROF_CYCLES;
    struct mprof_bucket *b = &mp->all;

    rt_lock(&mp->active_lock);
    rt_lock(&mp->future_lock[i]);
    struct mprof_counts *f = &b->future[i];
    b->active.allocs += f->allocs;
    b->active.frees += f->frees;
    b->active.alloc_bytes += f->alloc_bytes;
    b->active.free_bytes += f->free_bytes;
    memset(f, 0, sizeof *f);
    rt_unlock(&mp->future_lock[i]);
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

void
mprof_read(struct mprof *mp, struct mprof_counts *out)
{
    rt_lock(&mp->active_lock);
    *out = mp->all.active;
    rt_unlock(&mp->active_lock);
}
