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
 * A short pause is spent waiting.  Where that was not enough, the goroutine
 * gives its place up at its next safepoint, as if its time slice were over,
 * and the M rests: it sleeps, with its P.  Who is not at rest takes the
 * goroutine from the global queue and others from the P's own one when there
 * is nothing else to be done, so that nobody waits for the sleeper, and what
 * is left of the time is the system's.  The P counts as running: nobody is
 * woken for it, which would take longer than what there is to be done; but
 * who wants it to come to the scheduler (preempt_one()) ends the rest.  The
 * pool above: 112 ms when Ms waited only, 57 so.
 *
 * Only who holds no other lock stays away, and nobody who is asked to come to
 * the scheduler.  Source: exponential backoff, Anderson, "The performance of
 * spin lock alternatives for shared-memory multiprocessors", 1990.
 */
#include "runtime/base/futex.h"
#include "sched/chan_int.h"

enum {
    SOON_TICKS = 80,   /* 13 to 64 ns each: the channel is crowded */
    LATE_TICKS = 250,  /* it is not any more */
    FIRST_TICKS = 16,
    DOUBLINGS = 4,     /* of a pause */
    RESTS = 3,         /* so often a rest may be doubled, less one */
    PAUSES = 8,        /* between two looks at the clock */
    LOOKS_A_TICK = 4   /* at most: the clock of a test may stand */
};

#define REST_NS 50000u

/* How often the pause is doubled, `gap` ticks after the last one ended; what
 * is above DOUBLINGS are rests. */
static uint32_t
doublings(uint32_t before, uint64_t gap)
{
    if (gap < SOON_TICKS)
        return before < DOUBLINGS + RESTS ? before + 1 : before;
    return gap > LATE_TICKS && before > 0 ? before - 1 : before;
}

static void
spend(struct sched_mi *m, uint64_t begun, unsigned doubled)
{
    const struct rt_clock *clock = m->m.sched->trace->clock;
    uint64_t now = begun, ticks = (uint64_t)FIRST_TICKS << doubled;

    for (uint64_t n = 0; n < ticks * LOOKS_A_TICK; n++) {
        for (int i = 0; i < PAUSES; i++)
            rt_cpu_relax();
        now = rt_ticks(clock);
        /* acq: as at a back edge: whoever asks does not wait for this. */
        if (now - begun >= ticks || a32_load_acq(&m->m.p->preempt) != 0)
            break;
    }
    m->crowd_end = now;
}

void
chan_stay_away(struct sched_m *m)
{
    struct sched_mi *mi = mi_of(m);
    uint64_t now = rt_ticks(m->sched->trace->clock);

    assert_has_p(m);
    rt_assert(!m->p->alone); /* there is nobody else */
    mi->crowd = doublings(mi->crowd, now - mi->crowd_end);
    rt_assert(mi->crowd <= DOUBLINGS + RESTS);
    spend(mi, now, mi->crowd < DOUBLINGS ? mi->crowd : DOUBLINGS);
    if (mi->crowd <= DOUBLINGS)
        return;
    mi->rest = REST_NS << (mi->crowd - DOUBLINGS - 1);
    /* full: as in preempt_one(); whoever has asked is heard likewise. */
    a32_cas_full(&m->p->preempt, 0, 2);
}

void
chan_rest(struct sched_mi *m)
{
    struct sched *s = m->m.sched;
    struct sched_pi *p = pi_of(m->m.p);
    uint32_t ns = m->rest;

    rt_assert(m->m.g == NULL && ns > 0 && p_state(p) == P_RUNNING);
    m->rest = 0;
    /* No goroutine's time slice is over any more.  Whoever asked before, and
     * was not heard because of the 2, has set his condition before that.
     * full: so it is seen below. */
    a32_cas_full(&p->p.preempt, 2, 0);
    /* full: either preempt_one() sees this, or the system sees its 1. */
    a32_store_full(&p->resting, 1);
    if (!a32_load_acq(&s->exiting) && !a32_load_acq(&s->gcwaiting))
        rt_futex_wait(&p->p.preempt, 0, ns);
    a32_store_rlx(&p->resting, 0);
    m->crowd_end = rt_ticks(s->trace->clock);
}
