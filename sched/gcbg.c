/* SPDX-License-Identifier: MIT */
/*
 * The scheduler's part in collections outside of the mark: the goroutines of
 * the background, which sweep, give memory back to the system and begin
 * cycles that nobody's allocation begins, and the steps of runtime.GC().
 *
 * The three are native goroutines.  Who wants one of them may have no P or be
 * no thread of the scheduler at all: he leaves a bit in bg_asked, and the next
 * look for something to run serves it.
 */
#include "sched/sched_int.h"

enum { SWEEP_BATCH = 16 };

/* ---- goroutines of the background ------------------------------------------------------ */

/* Parks until bg_wake(i); goes on at once if that came already. */
static enum sched_run
bg_park(struct sched_m *m, struct sched_g *g, enum sched_bg i,
    enum sched_wait why)
{
    struct sched *s = m->sched;
    enum sched_run r = SCHED_RUN_YIELD;

    rt_assert(i < BG_COUNT && m->g == g);
    rt_lock(&s->gc_lock);
    rt_assert(s->bg[i].parked == NULL);
    if (s->bg[i].want) {
        s->bg[i].want = false;
    } else {
        s->bg[i].parked = g;
        sched_park_begin(m, g, why);
        r = SCHED_RUN_PARKED;
    }
    rt_unlock(&s->gc_lock);
    return r;
}

static void
bg_wake(struct sched_m *m, enum sched_bg i)
{
    struct sched *s = m->sched;
    struct sched_g *g;

    rt_lock(&s->gc_lock);
    g = s->bg[i].parked;
    s->bg[i].parked = NULL;
    if (g == NULL)
        s->bg[i].want = true;
    rt_unlock(&s->gc_lock);
    if (g != NULL)
        sched_ready(m, g);
}

static bool
busy(struct sched_m *m)
{
    if (m->sched->seed != NULL)
        return false; /* it sweeps all before anybody else runs */
    return a32_load_rlx(&m->p->preempt) != 0 || !runq_empty(pi_of(m->p)) ||
        a32_load_acq(&m->sched->qsize) != 0 ||
        a32_load_acq(&m->sched->gcwaiting);
}

static enum sched_run
sweeper(struct sched_m *m, struct sched_g *g, void *arg)
{
    struct sched *s = m->sched;

    (void)arg;
    while (!gc_sweep_done(s->heap)) {
        gc_sweep_some(s->heap, &m->p->cache, SWEEP_BATCH);
        if (gc_sweep_done(s->heap))
            break;
        if (busy(m)) {
            a32_swap_full(&m->p->preempt, 0);
            return SCHED_RUN_YIELD;
        }
        if (s->seed == NULL &&
            a64_load_rlx(&pi_of(m->p)->timers.next) <= sched_now(s))
            return SCHED_RUN_YIELD;
    }
    bg_wake(m, BG_SCAVENGER);
    return bg_park(m, g, BG_SWEEPER, WAIT_GC_SWEEP);
}

/* Gives a piece of free memory back, then sleeps for a hundred times as long
 * as that took.  sysmon wakes it: a timer would be something to wait for in a
 * program that is dead otherwise. */
static enum sched_run
scavenger(struct sched_m *m, struct sched_g *g, void *arg)
{
    struct sched *s = m->sched;
    uint64_t t0 = sched_now(s), t1;

    (void)arg;
    if (gc_sweep_done(s->heap) && gc_scavenge_some(s->heap)) {
        t1 = sched_now(s);
        a64_store_rlx(&s->scavenge_at, t1 + 100 * (t1 - t0 + 1000));
    }
    return bg_park(m, g, BG_SCAVENGER, WAIT_GC_SCAVENGE);
}

static enum sched_run
starter(struct sched_m *m, struct sched_g *g, void *arg)
{
    struct sched *s = m->sched;
    uint64_t mark;

    (void)arg;
    switch (a32_swap_full(&s->force_gc, FORCE_GC_NO)) {
    case FORCE_GC_PERIODIC:
        gc_begin(s->heap, &m->p->cache, GC_WHY_PERIODIC, &mark);
        break;
    case FORCE_GC_FORCED:
        gc_begin(s->heap, &m->p->cache, GC_WHY_FORCED, &mark);
        break;
    }
    return bg_park(m, g, BG_STARTER, WAIT_GC_FORCE);
}

/* Makes the three, when the first of them is needed. */
static bool
bg_make(struct sched_m *m)
{
    struct sched *s = m->sched;

    if (a32_load_acq(&s->bg_made) == 2)
        return true;
    if (!a32_cas_full(&s->bg_made, 0, 1))
        return false;
    /* Each may run, and be waited for by another, before its birth returns
     * here: bg_park says who it is. */
    sched_go_native(m, sweeper, NULL, NATIVE_SWEEPER);
    sched_go_native(m, scavenger, NULL, NATIVE_SCAVENGER);
    sched_go_native(m, starter, NULL, NATIVE_STARTER);
    /* rel: pairs with the acq above.  Those that memory was lacking for are
     * lacking: allocation and the next cycle sweep. */
    a32_store_rel(&s->bg_made, 2);
    return true;
}

static void
bg_ask(struct sched *s, enum sched_bg i)
{
    struct sched_m *m = sched_m_self();

    if (m == NULL || m->p == NULL || m->sched != s) {
        /* full: "Lost wake-ups" */
        a32_or_full(&s->bg_asked, 1u << i);
        sched_wakep(s);
        return;
    }
    if (bg_make(m))
        bg_wake(m, i);
    else
        a32_or_full(&s->bg_asked, 1u << i);
}

void
gcbg_serve(struct sched_mi *m)
{
    struct sched *s = m->m.sched;
    uint32_t asked;

    if (!bg_make(&m->m))
        return;
    asked = a32_swap_full(&s->bg_asked, 0);
    for (uint32_t i = 0; i < BG_COUNT; i++)
        if (asked >> i & 1)
            bg_wake(&m->m, (enum sched_bg)i);
}

void
sched_gc_wake_sweeper(struct sched *s)
{
    bg_ask(s, BG_SWEEPER);
}

void
gcbg_monitor(struct sched *s, uint64_t now)
{
    uint64_t at = a64_load_rlx(&s->scavenge_at);
    bool must;

    if (at != 0 && at <= now) {
        a64_store_rlx(&s->scavenge_at, 0);
        bg_ask(s, BG_SCAVENGER);
    }
    if (a32_load_acq(&s->force_gc) != 0)
        bg_ask(s, BG_STARTER);
    /* Should a wake-up of workers ever be missing, it comes here. */
    if (a32_load_rlx(&s->gc_marking) && gc_work_available(s->heap, &must))
        sched_wakep(s);
}

/* ---- runtime.GC() ----------------------------------------------------------------------- */

bool
sched_gc_start(struct sched_m *m, uint64_t mark)
{
    struct gc_heap *h = m->sched->heap;
    uint64_t n;

    return gc_begun(h) >= mark ||
        gc_begin(h, &m->p->cache, GC_WHY_FORCED, &n);
}

bool
sched_gc_sweep(struct sched_m *m, uint64_t mark)
{
    struct gc_heap *h = m->sched->heap;

    if (gc_begun(h) > mark)
        return true;
    if (!gc_sweep_done(h))
        gc_sweep_some(h, &m->p->cache, SWEEP_BATCH);
    return gc_sweep_done(h);
}
