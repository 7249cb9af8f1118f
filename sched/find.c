/* SPDX-License-Identifier: MIT */
/*
 * Where the next goroutine comes from: timers, the P's own queue, the global
 * queue, the netpoller, other Ps.  Source: findRunnable in Go's proc.go; read "Lost
 * wake-ups" in sched_int.h first.
 *
 * Drowsing.  Two goroutines that hand values to each other keep one P busy
 * and make work, in runnext, that nobody else should take.  An M that looks
 * for work next to them finds none for ever: spinning, it slows them down by
 * the cache lines that it reads; asleep, it is woken by the next of them, at
 * the price of a system call.  So it gives up its P, stays counted as
 * spinning, which keeps sched_wakep_next() from waking anybody, and sleeps
 * for a short time; longer, the more often that was of no use.  Real work,
 * which sched_wakep() tells of, wakes it at once.
 */
#include "sched/sched_int.h"

enum {
    STEAL_ROUNDS = 2,
    NEXT_PAUSES = 100, /* pause instructions before runnext is stolen */
    FEW_PAUSES = 4,
    SPIN_TICKS = 24,   /* between two times round, 13 to 64 ns each */
    TIMER_TICKS = 256, /* 2 to 4 ns each */
    SPINS = 10,       /* times round before an M goes to sleep */
    PASSING = 4,      /* goroutines that others start while an M spins */
    DROWSE_NS = 50000,
    DROWSE_DOUBLE = 3 /* times that it doubles */
};

static void
pause_for(int n)
{
    for (int i = 0; i < n; i++)
        rt_cpu_relax();
}

/* By the clock: a pause takes 3 ns on one processor and 100 on another, and
 * whoever spins takes its time from those who would make work.  A clock that
 * stands, that of a run by a seed, does not hold it up. */
static void
pause_ticks(const struct sched *s, uint64_t ticks)
{
    uint64_t begun = rt_ticks(s->trace->clock);

    for (int n = 0; n < NEXT_PAUSES; n += FEW_PAUSES) {
        pause_for(FEW_PAUSES);
        if (rt_ticks(s->trace->clock) - begun >= ticks)
            break;
    }
}

/*
 * runnext of a P that is switching goroutines will run there in no time
 * (ping-pong); take it only from one that is not.
 */
static struct sched_g *
steal_next(struct sched_mi *m, struct sched_pi *v)
{
    uint32_t tick = a32_load_acq(&v->schedtick);

    if (aptr_load_acq(&v->q.next) == NULL)
        return NULL;
    pause_for(NEXT_PAUSES);
    if (a32_load_acq(&v->schedtick) != tick)
        return NULL;
    return runq_steal(pi_of(m->m.p), v, true);
}

static struct sched_g *
steal(struct sched_mi *m, uint64_t now, bool *timers_ran)
{
    struct sched *s = m->m.sched;
    struct sched_pi *p = pi_of(m->m.p);
    uint32_t n = a32_load_acq(&s->nprocs);
    struct sched_g *g;

    for (int round = 0; round < STEAL_ROUNDS; round++) {
        bool last = round == STEAL_ROUNDS - 1;
        uint32_t at = rt_rand_below(&m->rand, n);

        for (uint32_t i = 0; i < n; i++) {
            struct sched_pi *v = s->allp[(at + i) % n];

            if (a32_load_acq(&s->gcwaiting) || a32_load_acq(&s->exiting))
                return NULL;
            if (v == p)
                continue;
            if (last && a64_load_acq(&v->timers.next) <= now &&
                timers_check(m, v, now)) {
                *timers_ran = true;
                return NULL;
            }
            g = runq_steal(p, v, false);
            if (g == NULL && last)
                g = steal_next(m, v);
            if (g != NULL)
                return g;
        }
    }
    return NULL;
}

bool
sched_spread(struct sched *s)
{
    uint32_t n = a32_load_acq(&s->nprocs);

    /* First: whoever takes from the global queue puts the rest into a P's
     * before he says that it is gone. */
    if (a32_load_acq(&s->qsize) != 0)
        return true;
    for (uint32_t i = 0; i < n; i++)
        if (runq_spread(s->allp[i]))
            return true;
    return false;
}

static bool
any_work(struct sched *s)
{
    uint32_t n = a32_load_acq(&s->nprocs);
    bool must;

    if (a32_load_acq(&s->qsize) != 0 || a32_load_acq(&s->bg_asked) != 0 ||
        a32_load_acq(&s->net.wanted) != 0)
        return true;
    for (uint32_t i = 0; i < n; i++)
        if (!runq_empty(s->allp[i]))
            return true;
    return a32_load_rlx(&s->gc_marking) && gc_work_available(s->heap, &must);
}

/* The M, which has no P, takes an idle one and looks for work. */
static bool
spin_again(struct sched_mi *m)
{
    struct sched *s = m->m.sched;
    struct sched_pi *p;

    assert_no_p(&m->m);
    rt_assert(!a32_load_rlx(&m->spinning));
    rt_lock(&s->lock);
    p = a32_load_rlx(&s->exiting) ? NULL : p_idle_get_locked(s);
    rt_unlock(&s->lock);
    if (p == NULL)
        return false;
    p_acquire(m, p);
    m_set_spinning(m);
    return true;
}

/* Until `next` (0: there is no timer), or until somebody wakes the sleeper. */
static void
nap_until(struct sched_mi *m, uint64_t next, bool polls)
{
    uint64_t now = next != 0 ? sched_now(m->m.sched) : 0;

    if (next != 0 && now >= next)
        return;
    if (polls)
        netpoll_sleep(m->m.sched, next != 0 ? (int64_t)(next - now) : -1);
    else
        m_sleep(m, (int64_t)(next - now));
}

/*
 * Tries to be the one M that sleeps until the next timer (0: there is none) or
 * until the netpoller has events; true: it was, and the time has come or
 * somebody has woken it.
 */
static bool
sleep_for_timer(struct sched_mi *m, uint64_t next)
{
    struct sched *s = m->m.sched;
    bool polls;

    assert_no_p(&m->m);
    rt_assert(!a32_load_rlx(&m->spinning)); /* nobody counts on it */
    rt_lock(&s->lock);
    if (s->sleeper != NULL || a32_load_rlx(&s->exiting)) {
        rt_unlock(&s->lock);
        return false;
    }
    s->sleeper = m;
    s->sleeper_polls = polls = netpoll_on(s);
    /* full: pairs with publish() and timer_kick(): a timer is added, then
     * sleep_until is looked at; we set it, then look at the timers again. */
    a64_store_full(&s->sleep_until, next != 0 ? next : UINT64_MAX);
    rt_unlock(&s->lock);
    next = timers_next_all(s);
    if (next != 0 || (polls && netpoll_wanted(s))) {
        a64_store_full(&s->sleep_until, next != 0 ? next : UINT64_MAX);
        /* Once more: one may have come before that store was seen. */
        if (timers_next_all(s) == next)
            nap_until(m, next, polls);
    }
    rt_lock(&s->lock);
    rt_assert(s->sleeper == m);
    s->sleeper = NULL;
    a64_store_full(&s->sleep_until, 0);
    rt_unlock(&s->lock);
    return true;
}

void
sched_wake_sleeper_locked(struct sched *s)
{
    rt_assert_held(&s->lock);
    if (s->sleeper == NULL)
        return;
    if (s->sleeper_polls)
        netpoll_break(s);
    else
        m_wake(s->sleeper);
}

/* Nothing to do and no timers: if somebody still waits for one that has been
 * stopped, let it see that, since there may be a deadlock. */
static void
wake_sleeper(struct sched *s)
{
    rt_lock(&s->lock);
    sched_wake_sleeper_locked(s);
    rt_unlock(&s->lock);
}

/*
 * See "Drowsing".  False: another one drowses, or a stop or the end is near.
 * True: it has slept, and has a P and spins, or has neither.
 */
static bool
drowse(struct sched_mi *m)
{
    struct sched *s = m->m.sched;
    uint32_t shift = m->naps < DROWSE_DOUBLE ? m->naps : DROWSE_DOUBLE;
    uint64_t now = sched_now(s), until = now + ((uint64_t)DROWSE_NS << shift);
    uint64_t timer;
    struct sched_pi *p;

    rt_assert(a32_load_rlx(&m->spinning));
    rt_lock(&s->lock);
    if (a32_load_rlx(&s->gcwaiting) || a32_load_rlx(&s->qsize) != 0 ||
        a32_load_rlx(&s->exiting) || aptr_load_rlx(&s->drowser) != NULL) {
        rt_unlock(&s->lock);
        return false;
    }
    p_idle_put_locked(s, p_release(m));
    rt_unlock(&s->lock);
    /* full: pairs with sched_wakep(), which looks after it has put work. */
    aptr_store_full(&s->drowser, m);
    m->naps++;
    timer = timers_next_all(s);
    if (timer != 0 && timer < until)
        until = timer;
    if (until > now && !sched_spread(s))
        m_sleep(m, (int64_t)(until - now));
    aptr_cas_full(&s->drowser, m, NULL);
    rt_lock(&s->lock);
    p = a32_load_rlx(&s->exiting) ? NULL : p_idle_get_locked(s);
    rt_unlock(&s->lock);
    if (p != NULL) {
        p_acquire(m, p);
        return true;
    }
    m_clear_spinning(m);
    /* "Lost wake-ups": a P may have become idle after that look, and others
     * left it to us, who were counted, to find what they had put. */
    if (any_work(s))
        spin_again(m);
    return true;
}

/* Gives up the P and sleeps.  Returns with a P, or without one at the end of
 * the process. */
static void
go_idle(struct sched_mi *m)
{
    struct sched *s = m->m.sched;
    bool passing = m->passing;
    uint64_t next;

    assert_has_p(&m->m);
    rt_assert(m->m.g == NULL);
    m->passing = false;
    if (passing && a32_load_rlx(&m->spinning) && drowse(m)) {
        if (m->m.p == NULL)
            m_stop(m);
        return;
    }
    rt_lock(&s->lock);
    if (a32_load_rlx(&s->gcwaiting) || a32_load_rlx(&s->qsize) != 0 ||
        a32_load_rlx(&s->exiting)) {
        rt_unlock(&s->lock);
        return;
    }
    p_idle_put_locked(s, p_release(m));
    rt_unlock(&s->lock);
    if (a32_load_rlx(&m->spinning))
        m_clear_spinning(m);
    /* "Lost wake-ups": the second look. */
    if (any_work(s) && spin_again(m))
        return;
    next = timers_next_all(s);
    if (next == 0 && !netpoll_wanted(s))
        wake_sleeper(s);
    else if (sleep_for_timer(m, next) && spin_again(m))
        return;
    m_stop(m);
}

static struct sched_g *
from_global(struct sched_mi *m, uint32_t max)
{
    struct sched *s = m->m.sched;
    struct sched_g *g;

    if (a32_load_acq(&s->qsize) == 0)
        return NULL;
    rt_lock(&s->lock);
    g = globrunq_get_locked(s, pi_of(m->m.p), max);
    rt_unlock(&s->lock);
    return g;
}

static struct sched_g *
local_work(struct sched_mi *m)
{
    struct sched_pi *p = pi_of(m->m.p);
    bool fair = p->tick % SCHED_FAIR_TICK == 0;
    struct sched_g *g = NULL;

    /* Now and then those come first that might wait for ever while two
     * others wake each other. */
    if (rt_unlikely(fair))
        g = from_global(m, 1);
    if (g == NULL)
        g = runq_get(p, fair);
    if (g == NULL)
        g = from_global(m, 0);
    return g;
}

/* May this M look for work at the other Ps, or are enough doing so? */
static bool
may_spin(struct sched_mi *m)
{
    struct sched *s = m->m.sched;
    uint32_t n = a32_load_acq(&s->nprocs);
    uint32_t idle = a32_load_acq(&s->npidle);

    if (n < 2)
        return false;
    return a32_load_rlx(&m->spinning) ||
        2 * a32_load_acq(&s->nspinning) < n - idle;
}

/* Goroutines started by all Ps. */
static uint32_t
started(struct sched *s)
{
    uint32_t n = a32_load_acq(&s->nprocs), sum = 0;

    for (uint32_t i = 0; i < n; i++)
        sum += a32_load_acq(&s->allp[i]->schedtick);
    return sum;
}

/* One time round at the others; *again: look once more before sleeping. */
static struct sched_g *
from_others(struct sched_mi *m, int *spins, bool *again)
{
    struct sched *s = m->m.sched;
    bool ran = false;
    struct sched_g *g;

    if (!a32_load_rlx(&m->spinning))
        m_set_spinning(m);
    if (*spins == 0 || *spins == SPINS - 2)
        m->started = started(s);
    g = steal(m, sched_now(s), &ran);
    if (g != NULL)
        return g;
    *again = ran;
    /* While others run, new work is likely soon, and waking us from a futex
     * costs more than these few microseconds. */
    if (!ran && ++*spins < SPINS &&
        a32_load_acq(&s->npidle) + 1 < a32_load_acq(&s->nprocs)) {
        pause_ticks(s, SPIN_TICKS);
        *again = true;
    }
    m->passing = started(s) - m->started >= PASSING;
    return NULL;
}

/* Goroutines whose descriptors have become ready, where somebody waits for
 * such; the first of them. */
static struct sched_g *
from_net(struct sched_mi *m)
{
    struct sched *s = m->m.sched;
    uint32_t n;

    if (!netpoll_wanted(s))
        return NULL;
    n = netpoll_take(m);
    if (n == 0)
        return NULL;
    if (n > 1 && !a32_load_rlx(&m->spinning))
        sched_wakep(s);
    return runq_get(pi_of(m->m.p), false);
}

bool
timers_look_due(const struct sched_pi *p)
{
    return rt_ticks(p->s->trace->clock) - p->timer_look >= TIMER_TICKS;
}

/* Fires what is due, but looks at the exact clock only every microsecond or
 * so: that costs as much as switching goroutines. */
static void
own_timers(struct sched_mi *m, struct sched_pi *p)
{
    if (!timers_look_due(p))
        return;
    p->timer_look = rt_ticks(p->s->trace->clock);
    timers_check(m, p, sched_now(p->s));
}

struct sched_g *
find_runnable(struct sched_mi *m)
{
    struct sched *s = m->m.sched;
    struct sched_g *g;
    int spins = 0;

    rt_assert(m->m.g == NULL && m->lockedg == NULL);
    if (rt_unlikely(s->seed != NULL))
        return seed_find(m);
    for (;;) {
        struct sched_pi *p = pi_of(m->m.p);
        bool again = false;

        if (p == NULL || a32_load_acq(&s->exiting))
            return NULL;
        if (rt_unlikely(a32_load_acq(&s->gcwaiting))) {
            stop_self(m);
            continue;
        }
        if (rt_unlikely(a32_load_rlx(&s->bg_asked)))
            gcbg_serve(m);
        if (p_has_timers(p))
            own_timers(m, p);
        if (rt_unlikely(a32_load_rlx(&s->net.wanted)))
            netpoll_take(m);
        if (rt_unlikely(a32_load_rlx(&s->gc_marking)) &&
            (g = gcwork_pick(m)) != NULL)
            break;
        g = local_work(m);
        if (g == NULL && spins == 0)
            g = from_net(m);
        if (g == NULL && may_spin(m))
            g = from_others(m, &spins, &again);
        if (g != NULL)
            break;
        if (again)
            continue;
        if (rt_unlikely(a32_load_rlx(&s->gc_marking)) &&
            (g = gcwork_pick_idle(m)) != NULL)
            break;
        spins = m->passing ? SPINS - 2 : 0;
        go_idle(m);
    }
    assert_has_p(&m->m);
    rt_assert(runq_holds(s, g));
    if (a32_load_rlx(&m->spinning)) {
        m->naps = 0;
        m_clear_spinning(m);
        /* There may be more work: somebody else must look for it. */
        sched_wakep(s);
    }
    return g;
}
