/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_BASE_RAND_H
#define RUNTIME_BASE_RAND_H

/* A small fast generator (wyrand), one per P or per test. */

#include <stdint.h>

#include "runtime/base/hash.h"

struct rt_rand {
    uint64_t s;
};

/* Any seed is good, zero too. */
static inline void
rt_rand_init(struct rt_rand *r, uint64_t seed)
{
    r->s = seed;
}

static inline uint64_t
rt_rand_u64(struct rt_rand *r)
{
    r->s += RT_HASH_K0;
    return rt_hash_mix(r->s, r->s ^ RT_HASH_K1);
}

static inline uint32_t
rt_rand_u32(struct rt_rand *r)
{
    return (uint32_t)(rt_rand_u64(r) >> 32);
}

/* Evenly spread over 0 to n - 1, n > 0, up to a bias of n / 2^32. */
static inline uint32_t
rt_rand_below(struct rt_rand *r, uint32_t n)
{
    return (uint32_t)((uint64_t)rt_rand_u32(r) * n >> 32);
}

#endif
