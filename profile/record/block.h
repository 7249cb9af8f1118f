/* SPDX-License-Identifier: MIT */
#ifndef PROFILE_RECORD_BLOCK_H
#define PROFILE_RECORD_BLOCK_H

/*
 * Block and mutex profiles: who waited where, and who made others wait.
 *
 * Block: a wait of d ticks is kept if d >= rate, else with probability
 * d / rate; a kept short one counts rate / d times and rate ticks, so that
 * sums are unbiased however short the waits are (Go's CL 299991).
 * Mutex: one of n events is kept and counts n times.
 */

#include <stdbool.h>
#include <stdint.h>

#include "profile/record/bucket.h"
#include "runtime/base/atomic.h"
#include "runtime/base/clock.h"
#include "runtime/base/lock.h"
#include "runtime/base/tunables.h"

/* The record of a bucket of kind PROF_BLOCK or PROF_MUTEX. */
struct prof_block_rec {
    double count;   /* guarded by prof_block.lock */
    int64_t ticks;  /* likewise */
};

struct prof_block {
    a_u64 block_rate;  /* atomic: ticks; 0: off; 1: every event */
    a_u64 mutex_rate;  /* atomic: one event of so many; 0: off */
    a_u64 seed;        /* atomic: of the decisions */
    struct rt_lock lock; /* PROF_BLOCK */
    /* const after init */
    struct prof_buckets *buckets;
    const struct rt_clock *clock;
};

void prof_block_init(struct prof_block *b, struct prof_buckets *buckets,
    const struct rt_clock *clock, uint64_t seed);

/* One event per ns nanoseconds of waiting on average; 1: every event; 0 or
 * less: off.  Only before goroutines run, or in a stop of the world: see
 * prof_set_block_rate(). */
void prof_block_set_rate(struct prof_block *b, int64_t ns);

/* runtime.SetMutexProfileFraction: returns the old value; n < 0 only asks;
 * 0: off.  Any thread. */
int64_t prof_mutex_set_fraction(struct prof_block *b, int64_t n);

static inline bool
prof_block_on(const struct prof_block *b)
{
    return !RT_NO_PROFILES &&
        __builtin_expect(a64_load_rlx(&b->block_rate) != 0, 0);
}

static inline bool
prof_mutex_on(const struct prof_block *b)
{
    return !RT_NO_PROFILES &&
        __builtin_expect(a64_load_rlx(&b->mutex_rate) != 0, 0);
}

/* Whether a wait of so many ticks is kept: so that who asks first walks no
 * stack for nothing. */
bool prof_block_sampled(struct prof_block *b, int64_t ticks);

/* Books a wait of so many ticks that was kept. */
void prof_block_event(
    struct prof_block *b, int64_t ticks, const vpc *stk, uint32_t n);

/* The same for the mutex profile: ticks is what all waiters together lost. */
bool prof_mutex_sampled(struct prof_block *b);
void prof_mutex_event(
    struct prof_block *b, int64_t ticks, const vpc *stk, uint32_t n);

struct prof_block_record {
    const vpc *stk;  /* lives as long as the runtime */
    uint32_t nstk;
    int64_t count;
    int64_t cycles;  /* ticks: prof_block_cycles_per_sec() in a second */
};

/* All records of PROF_BLOCK or PROF_MUTEX: returns how many; fills out only
 * if there is room for all. */
uint32_t prof_block_records(struct prof_block *b, enum prof_kind kind,
    struct prof_block_record *out, uint32_t room);

/* Ticks in a second. */
int64_t prof_block_cycles_per_sec(const struct prof_block *b);

#endif
