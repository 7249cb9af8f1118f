/* SPDX-License-Identifier: MIT */
/*
 * How long, and when next.  The environment variable VOLE_NOISE is the seed,
 * to be varied from run to run; without one it is drawn from the clock.  The
 * order of the threads is the system's, so a seed does not repeat a run.
 */
#include "runtime/base/noise.h"

#if VOLE_NOISE

#include <errno.h>
#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "runtime/base/clock.h"
#include "runtime/base/compiler.h"
#include "runtime/base/rand.h"

enum {
    NOISE_GAP = 100,     /* operations between two delays, on average */
    NOISE_LONG = 9,      /* a delay is 2^0 to 2^8 pause instructions; */
    NOISE_YIELD = 200,   /* one of so many offers the processor instead, */
    NOISE_SLEEP = 2000,  /* or sleeps, */
    NOISE_MOOD = 500,    /* and then changes how restless the thread is: */
    NOISE_MOODS = 4,     /* gaps of NOISE_GAP / 4 to NOISE_GAP * 2 */
    NOISE_SLEEP_NS = 50000
};

_Thread_local uint32_t rt_noise_left;

static _Thread_local struct {
    struct rt_rand rand;
    uint32_t mood;
    bool on;
} noise;

/* getenv() is safe here since nothing in this program sets a variable. */
static RT_COLD void
noise_start(void)
{
    const char *seed = getenv("VOLE_NOISE");
    uint64_t s = seed ? strtoull(seed, NULL, 10) : (uint64_t)rt_nanotime();

    noise.on = true;
    rt_rand_init(&noise.rand, s * RT_HASH_K1 ^ (uint64_t)gettid());
    noise.mood = NOISE_MOODS - 1;
}

void
rt_noise_slow(void)
{
    int saved = errno;

    /* A signal handler in the middle of this is not delayed. */
    rt_noise_left = UINT32_MAX;
    if (!noise.on)
        noise_start();
    if (rt_rand_below(&noise.rand, NOISE_SLEEP) == 0) {
        struct timespec ts = { .tv_nsec = NOISE_SLEEP_NS };

        nanosleep(&ts, NULL);
    } else if (rt_rand_below(&noise.rand, NOISE_YIELD) == 0) {
        sched_yield();
    } else {
        uint32_t n = 1U << rt_rand_below(&noise.rand, NOISE_LONG);

        for (uint32_t i = 0; i < n; i++)
            rt_cpu_relax();
    }
    if (rt_rand_below(&noise.rand, NOISE_MOOD) == 0)
        noise.mood = rt_rand_below(&noise.rand, NOISE_MOODS);
    rt_noise_left =
        rt_rand_below(&noise.rand, (NOISE_GAP / 2) << noise.mood);
    errno = saved;
}

#endif
