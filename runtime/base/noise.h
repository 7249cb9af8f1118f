/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_BASE_NOISE_H
#define RUNTIME_BASE_NOISE_H

/*
 * Noise: a build (-Dnoise=true) in which every operation of atomic.h, and so
 * every lock too, may be delayed, before and after it takes place.  A window
 * of some instructions between two operations, which a thread is interrupted
 * in once in a million times, is then open long enough for another thread to
 * come by.  The idea is that of noise makers for concurrent programs, as in
 * IBM's ConTest.
 *
 * Most operations are not delayed; one in NOISE_GAP waits for up to some
 * microseconds, fewer offer the processor, and very few sleep.  From time to
 * time a thread draws how restless it is, so that slow threads meet fast ones.
 *
 * In other builds there is nothing of it.
 */

#if VOLE_NOISE

#include <stdint.h>

/* How many operations of this thread are still not delayed.  A thread-local
 * variable, although state hangs from a runtime elsewhere: the operations know
 * only their word, and readers of traces, which have no runtime, use them too.
 */
extern _Thread_local uint32_t rt_noise_left
    __attribute__((tls_model("initial-exec")));

/* Delays the calling thread and draws rt_noise_left anew.  Async-signal-safe;
 * errno stays. */
void rt_noise_slow(void);

static inline void
rt_noise(void)
{
    if (rt_noise_left == 0)
        rt_noise_slow();
    else
        rt_noise_left--;
}

static inline void
rt_noise_after(const char *unused)
{
    (void)unused;
    rt_noise();
}

/* At the head of an operation: noise now, and when its block is left. */
#define RT_NOISE() \
    __attribute__((cleanup(rt_noise_after))) const char noise_here_ = 0; \
    rt_noise()

#else

#define RT_NOISE() ((void)0)

#endif

#endif
