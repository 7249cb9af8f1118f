/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_BASE_CLOCK_H
#define RUNTIME_BASE_CLOCK_H

/*
 * Three clocks:
 *   rt_nanotime()       CLOCK_MONOTONIC in nanoseconds: exact, about 25 ns
 *   rt_ticks()          the cheapest steadily growing counter, about 10 ns:
 *                       the time stamp counter where the processor says that
 *                       it is invariant, else CLOCK_MONOTONIC
 *   rt_thread_cputime() processor time of the calling thread
 *
 * Ticks of different threads may be a few nanoseconds out of step, since the
 * counter is read without a fence; who needs order adds it (trace/record
 * does, with a Lamport clock over the reading).
 */

#include <stdbool.h>
#include <stdint.h>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

/* One per runtime; constant after rt_clock_init(). */
struct rt_clock {
    bool tsc;        /* ticks are the time stamp counter */
    uint32_t shift;  /* rt_ticks() = counter >> shift: 13 to 64 ns */
    uint64_t ticks0; /* a reading of both clocks at the same instant, from */
    int64_t nanos0;  /* which rt_ticks_per_sec() measures */
    const uint64_t *virtual_ns; /* ticks are these nanoseconds; or NULL */
};

/* Nanoseconds of CLOCK_MONOTONIC. */
int64_t rt_nanotime(void);

/* Nanoseconds since 1970 of CLOCK_REALTIME. */
int64_t rt_walltime(void);

/* Processor time of the calling thread in nanoseconds. */
int64_t rt_thread_cputime(void);

/* Picks the tick source and takes the reference reading.  Takes
 * microseconds; does not wait for a calibration. */
void rt_clock_init(struct rt_clock *c);

/* The same with CLOCK_MONOTONIC as the source: for tests, and for machines
 * whose counters drift apart. */
void rt_clock_init_portable(struct rt_clock *c);

/* The same with a virtual clock as the source, in nanoseconds, never 0 and
 * never less than before; ns must outlive c. */
void rt_clock_init_virtual(struct rt_clock *c, const uint64_t *ns);

/* Ticks per second, measured against CLOCK_MONOTONIC since rt_clock_init();
 * waits until that is 1 ms ago.  The longer ago, the more exact. */
uint64_t rt_ticks_per_sec(const struct rt_clock *c);

uint64_t rt_ticks_slow(const struct rt_clock *c);

/* The current tick: never 0, steadily growing on one thread. */
static inline uint64_t
rt_ticks(const struct rt_clock *c)
{
#if defined(__x86_64__)
    if (__builtin_expect(c->tsc, 1))
        return __rdtsc() >> c->shift;
#endif
    return rt_ticks_slow(c);
}

#endif
