/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_BASE_STREAMS_H
#define RUNTIME_BASE_STREAMS_H

/*
 * The streams of random numbers that one seed stands for.  They know nothing
 * of each other: how many numbers one of them has given changes no other, so
 * that a schedule which is replayed by its list of decisions, and draws none,
 * meets the same map orders and random numbers as when it was found.
 */

#include <stdint.h>

#include "runtime/base/rand.h"

enum rt_stream {
    RT_STREAM_DECISIONS, /* who runs next */
    RT_STREAM_SELECT,    /* which ready case a select takes */
    RT_STREAM_DATA       /* what the program sees as random */
};

/* The beginning of a stream of this seed.  The finalizer is splitmix64's (S.
 * Vigna), which sets neighbouring seeds far apart. */
static inline void
rt_stream_init(struct rt_rand *r, uint64_t seed, enum rt_stream which)
{
    uint64_t x = seed + (uint64_t)(which + 1) * UINT64_C(0x9e3779b97f4a7c15);

    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    rt_rand_init(r, x ^ x >> 31);
}

#endif
