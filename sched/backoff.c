/* SPDX-License-Identifier: MIT */
/*
 * Note [crowded].  Two Ps that do little between two operations on the same
 * channels hand the cache lines of these to and fro at every one of them: a
 * pool of workers whose jobs take 30 ns takes 44 ms of processor time on one
 * P and 330 ms on two, which are not even done sooner.  So an M that finds a
 * channel locked stays away for a while, in which the others have it to
 * themselves, twice as long each time that this happens again soon after.
 * Ps that are at the channel now and then only meet seldom, and shrink the
 * pause again: by measurement nothing is lost from jobs of half a microsecond
 * on, below which a second P is no gain.
 *
 * Only who holds no other lock stays away, and nobody who is asked to come to
 * the scheduler.  Source: exponential backoff, Anderson, "The performance of
 * spin lock alternatives for shared-memory multiprocessors", 1990.
 */
#include "sched/chan_int.h"

enum {
    SOON_TICKS = 80,   /* 13 to 64 ns each: the channel is crowded */
    LATE_TICKS = 250,  /* it is not any more */
    FIRST_TICKS = 16,
    DOUBLINGS = 6,
    PAUSES = 8,        /* between two looks at the clock */
    LOOKS_A_TICK = 4   /* at most: the clock of a test may stand */
};

/* How often the pause is doubled, `gap` ticks after the last one ended. */
static uint32_t
doublings(uint32_t before, uint64_t gap)
{
    if (gap < SOON_TICKS)
        return before < DOUBLINGS ? before + 1 : before;
    return gap > LATE_TICKS && before > 0 ? before - 1 : before;
}

void
chan_stay_away(struct sched_m *m)
{
    struct sched_mi *mi = mi_of(m);
    const struct rt_clock *clock = m->sched->trace->clock;
    uint64_t begun = rt_ticks(clock), now = begun, ticks;

    assert_has_p(m);
    rt_assert(!m->p->alone); /* there is nobody else */
    mi->crowd = doublings(mi->crowd, begun - mi->crowd_end);
    rt_assert(mi->crowd <= DOUBLINGS);
    ticks = (uint64_t)FIRST_TICKS << mi->crowd;
    for (uint64_t n = 0; n < ticks * LOOKS_A_TICK; n++) {
        for (int i = 0; i < PAUSES; i++)
            rt_cpu_relax();
        now = rt_ticks(clock);
        /* acq: as at a back edge: whoever asks does not wait for this. */
        if (now - begun >= ticks || a32_load_acq(&m->p->preempt) != 0)
            break;
    }
    mi->crowd_end = now;
}
