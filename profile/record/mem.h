/* SPDX-License-Identifier: MIT */
#ifndef PROFILE_RECORD_MEM_H
#define PROFILE_RECORD_MEM_H

/*
 * The memory profile: what was allocated and freed, sampled, by call stack.
 *
 * The difficulty is that allocations are seen at once and frees only when the
 * sweeper comes by, so a naive count would be full of garbage that is already
 * dead.  As in Go's mprof.go, an event is booked for a future cycle and
 * published when the sweep that could free it is over:
 *     allocation during cycle C             -> C + 2
 *     free, found by the sweep of cycle C   -> C + 1
 *     publication of C after its sweep      -> active
 * The ring has an element for each of C, C + 1, C + 2.  The collector calls
 * mprof_next_cycle() (world stopped), mprof_flush() (world started) and
 * mprof_post_sweep() (last span swept) in this order.
 *
 * Functions have the shape of gc's sink table: arg is the struct mprof.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/record/bucket.h"
#include "runtime/base/atomic.h"
#include "runtime/base/lock.h"

struct gc_pcache;

enum { MPROF_CYCLES = 3, MPROF_RATE_DEFAULT = 512 * 1024 };

struct mprof_counts {
    uint64_t allocs;
    uint64_t frees;
    uint64_t alloc_bytes;
    uint64_t free_bytes;
};

/* The record of a bucket of kind PROF_MEM.  The objects of a bucket are of one
 * size, so their number is enough. */
struct mprof_rec {
    /* guarded by mprof.active_lock */
    uint64_t allocs, frees;
    /* atomic: counted by whoever allocates and sweeps */
    struct {
        a_u64 allocs, frees;
    } future[MPROF_CYCLES];
};

/* Call sites that are found without hashing their stacks. */
enum { MPROF_RECENT = 256 };

/* Fills pcs with the stack of the goroutine that runs on the calling thread,
 * leaf first, and returns its depth; 0 where there is none. */
typedef uint32_t (*mprof_walk_fn)(void *ctx, vpc *pcs, uint32_t max);

struct mprof {
    a_i64 rate;         /* atomic: mean bytes between samples; 0: off */
    a_u64 seed;         /* atomic: of the sampling distances */
    a_u32 cycle;        /* atomic: 2 * number + flushed flag */
    struct rt_lock active_lock; /* PROF_ACTIVE */
    /* atomic: direct-mapped, buckets that were used lately or NULL */
    a_ptr recent[MPROF_RECENT];
    /* const after init */
    struct prof_buckets *buckets;
    mprof_walk_fn walk; /* may be NULL: no stacks */
    void *ctx;
};

/* Cycle numbers wrap where the ring begins anew. */
enum { MPROF_CYCLE_WRAP = MPROF_CYCLES * (2 << 24) };

void mprof_init(struct mprof *mp, struct prof_buckets *b, int64_t rate,
    uint64_t seed, mprof_walk_fn walk, void *ctx);

/* runtime.MemProfileRate: bytes between samples on average; 1: everything;
 * 0 or less: off.  Takes effect at each P's next sample: call
 * gc_sample_reset() with the world stopped to have it at once.  Any thread. */
void mprof_set_rate(struct mprof *mp, int64_t rate);
int64_t mprof_rate(const struct mprof *mp);

/* An object was sampled; the result, a struct prof_bucket, goes to
 * mprof_free() with it.  Owner of a P. */
void *mprof_malloc(void *arg, struct gc_pcache *pc, void *p, size_t size);

/* A sampled object has been freed, by the sweep of the current cycle. */
void mprof_free(void *arg, void *p, void *bucket, size_t size);

/* The same for n objects of one bucket. */
void mprof_free_many(void *arg, void *bucket, size_t size, uint64_t n);

/* Bytes to the next sample: exponentially distributed around the rate, so
 * that no pattern of sizes can hide; INT64_MAX when sampling is off. */
int64_t mprof_next_sample(void *arg, struct gc_pcache *pc);

/* World stopped, marking has ended. */
void mprof_next_cycle(void *arg);

/* The world runs again: publishes the cycle whose sweep is over.  Does
 * nothing the second time. */
void mprof_flush(void *arg);

/* The sweep of the current cycle is over: publishes it too, so that a
 * profile taken after runtime.GC() shows all frees. */
void mprof_post_sweep(void *arg);

/* Number of the current cycle. */
uint32_t mprof_cycle(const struct mprof *mp);

/* One call site as published, unscaled. */
struct mprof_record {
    const vpc *stk;  /* lives as long as the runtime */
    uint32_t nstk;
    uint64_t size;   /* of one object */
    struct mprof_counts c;
};

/*
 * The published profile: returns how many records it has; fills out with
 * them only if there is room for all.  inuse_zero: those too of which
 * nothing is in use any more.  Where nothing was ever published, since no
 * collection has run, everything that is booked is published first.  Any
 * thread that holds no lock of rank PROF_ACTIVE or below.
 */
uint32_t mprof_records(struct mprof *mp, bool inuse_zero,
    struct mprof_record *out, uint32_t room);

/* The sums of all records as they are published, unscaled. */
void mprof_read(struct mprof *mp, struct mprof_counts *out);

#endif
