/* SPDX-License-Identifier: MIT */
#include "runtime/base/clock.h"

#include <time.h>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

enum {
    NS_PER_SEC = 1000000000,
    CALIBRATE_NS = 1000000, /* shortest span that gives a usable frequency:
                               two readings of 50 ns in 1 ms are 0.01 % */
};

static int64_t
read_clock(clockid_t id)
{
    struct timespec ts;

    if (clock_gettime(id, &ts) != 0)
        return 0;
    return (int64_t)ts.tv_sec * NS_PER_SEC + ts.tv_nsec;
}

int64_t
rt_nanotime(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

int64_t
rt_walltime(void)
{
    return read_clock(CLOCK_REALTIME);
}

int64_t
rt_thread_cputime(void)
{
    return read_clock(CLOCK_THREAD_CPUTIME_ID);
}

/* The processor promises a counter of constant rate in every power state:
 * CPUID 80000007h, EDX bit 8. */
static bool
has_invariant_tsc(void)
{
#if defined(__x86_64__)
    unsigned a, b, c, d;

    if (__get_cpuid(0x80000007, &a, &b, &c, &d) == 0)
        return false;
    return (d >> 8 & 1) != 0;
#else
    return false;
#endif
}

/* Reads both clocks as close together as eight tries allow: the counter is
 * taken between two readings of the time, and the tightest pair wins. */
static void
read_both(const struct rt_clock *c, uint64_t *ticks, int64_t *nanos)
{
    int64_t best = INT64_MAX;
    int64_t before, after;
    uint64_t t;
    int i;

    for (i = 0; i < 8; i++) {
        before = rt_nanotime();
        t = rt_ticks(c);
        after = rt_nanotime();
        if (after - before < best) {
            best = after - before;
            *ticks = t;
            *nanos = before + (after - before) / 2;
        }
    }
}

static void
init(struct rt_clock *c, bool tsc)
{
    c->tsc = tsc;
    /* Counters run at 1 to 5 GHz: with a tick of 13 to 64 ns, Go's on such
     * machines, the differences that a trace stores mostly fit into one byte.
     * Events that come faster are told apart by the tracer, which counts on. */
    c->shift = tsc ? 6 : 4;
    read_both(c, &c->ticks0, &c->nanos0);
}

void
rt_clock_init(struct rt_clock *c)
{
    init(c, has_invariant_tsc());
}

void
rt_clock_init_portable(struct rt_clock *c)
{
    init(c, false);
}

void
rt_clock_init_virtual(struct rt_clock *c, const uint64_t *ns)
{
    *c = (struct rt_clock){.shift = 4, .virtual_ns = ns};
}

uint64_t
rt_ticks_slow(const struct rt_clock *c)
{
    const uint64_t *ns = c->virtual_ns;
    uint64_t now = ns != NULL ? *ns : (uint64_t)rt_nanotime();

    return now >> c->shift;
}

uint64_t
rt_ticks_per_sec(const struct rt_clock *c)
{
    uint64_t ticks = c->ticks0;
    int64_t nanos = c->nanos0;

    if (!c->tsc)
        return NS_PER_SEC >> c->shift;
    do {
        read_both(c, &ticks, &nanos);
    } while (nanos - c->nanos0 < CALIBRATE_NS);
    return (uint64_t)((double)(ticks - c->ticks0) * NS_PER_SEC /
        (double)(nanos - c->nanos0));
}
