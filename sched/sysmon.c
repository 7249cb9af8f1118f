/* SPDX-License-Identifier: MIT */
/*
 * The monitor, on the thread that called sched_run(), without a P: takes Ps
 * from long system calls, asks goroutines that run for 10 ms to yield, or for
 * 2 ms where others wait, sees to timers that nobody looks at, asks for a
 * collection when there was none for two minutes, prints schedtrace lines.  It
 * sleeps 20 us between looks while things happen, doubling to 10 ms when they
 * do not; less where all Ps are busy and somebody waits.  Source: sysmon in
 * proc.go.
 */
#include "sched/sched_int.h"

enum {
    SLICE_NS = 10 * 1000 * 1000,
    BUSY_SLICE_NS = 2000 * 1000, /* where others wait for a P */
    MARK_SLICE_NS = 1000 * 1000, /* while workers want their share of Ps */
    BUSY_MAX_US = 500,
    TIMER_US = 100, /* for which a timer waits for a P that looks at it */
    MON_MIN_US = 20,
    MON_MAX_US = 10000,
    OVERDUE_NS = 100 * 1000
};

static const uint64_t FORCE_GC_NS = UINT64_C(120) * 1000 * 1000 * 1000;

static bool
retake_syscall(struct sched *s, struct sched_pi *p, uint64_t now)
{
    uint32_t t = a32_load_rlx(&p->syscalltick);
    bool got;

    if (p->mon_sys != t) {
        p->mon_sys = t;
        p->mon_sys_when = now;
        return false;
    }
    /* Nothing to do for it, others idle: leave it, unless for long. */
    if (runq_empty(p) && a64_load_acq(&p->timers.next) > now &&
        a32_load_acq(&s->nspinning) + a32_load_acq(&s->npidle) > 0 &&
        now - p->mon_sys_when < SLICE_NS)
        return false;
    rt_lock(&s->lock);
    got = !a32_load_rlx(&s->gcwaiting) && retake_locked(s, p, P_IDLE);
    rt_unlock(&s->lock);
    if (got)
        p_handoff(s, p);
    return got;
}

/* Does a goroutine wait for a P, and no P for a goroutine? */
static bool
waiting(struct sched *s)
{
    uint32_t n = a32_load_acq(&s->nprocs);

    if (a32_load_acq(&s->npidle) != 0)
        return false;
    if (a32_load_acq(&s->qsize) != 0)
        return true;
    for (uint32_t i = 0; i < n; i++)
        if (!runq_empty(s->allp[i]))
            return true;
    return false;
}

static void
check_running(struct sched *s, struct sched_pi *p, uint64_t now)
{
    uint32_t t = a32_load_rlx(&p->schedtick);
    uint64_t slice;

    if (p->mon_sched != t) {
        p->mon_sched = t;
        p->mon_sched_when = now;
        return;
    }
    if (a32_load_rlx(&s->gc_marking))
        slice = MARK_SLICE_NS;
    else
        slice = waiting(s) ? BUSY_SLICE_NS : SLICE_NS;
    if (now - p->mon_sched_when < slice || s->cfg.preempt_off)
        return;
    p->mon_sched_when = now;
    preempt_one(s, p, 2);
}

static bool
sysmon_look(struct sched *s, uint64_t now)
{
    uint32_t n = a32_load_acq(&s->nprocs);
    bool any = false;

    for (uint32_t i = 0; i < n; i++) {
        struct sched_pi *p = s->allp[i];
        enum sched_pstate st = p_state(p);

        if (st == P_SYSCALL)
            any = retake_syscall(s, p, now) || any;
        else if (st == P_RUNNING)
            check_running(s, p, now);
    }
    return any;
}

/* A timer is overdue and its P busy: somebody else must fire it, or, where
 * everybody is busy, its own P must come and look. */
static void
overdue(struct sched *s, uint64_t now)
{
    uint64_t next = timers_next_all(s);
    uint32_t n = a32_load_acq(&s->nprocs);

    if (next == 0 || next + OVERDUE_NS >= now)
        return;
    if (a32_load_acq(&s->npidle) != 0) {
        sched_wakep(s);
        return;
    }
    for (uint32_t i = 0; i < n && !s->cfg.preempt_off; i++) {
        struct sched_pi *p = s->allp[i];

        if (a64_load_acq(&p->timers.next) + OVERDUE_NS < now &&
            p_state(p) == P_RUNNING)
            preempt_one(s, p, 2);
    }
}

/* How long the monitor may sleep at most, in us. */
static uint32_t
longest(struct sched *s, uint64_t now)
{
    uint64_t next, us;

    if (a32_load_rlx(&s->gc_marking) || waiting(s))
        return BUSY_MAX_US;
    next = a32_load_acq(&s->npidle) == 0 ? timers_next_all(s) : 0;
    if (next == 0)
        return MON_MAX_US;
    us = next > now ? (next - now) / 1000 + TIMER_US + 1 : TIMER_US;
    return us < MON_MAX_US ? (uint32_t)us : MON_MAX_US;
}

static void
old_heap(struct sched *s, uint64_t now)
{
    uint64_t last = (uint64_t)gc_last_end(s->heap);

    if (last != 0 && now > last + FORCE_GC_NS)
        a32_cas_full(&s->force_gc, FORCE_GC_NO, FORCE_GC_PERIODIC);
}

void
sched_request_gc(struct sched *s)
{
    /* full: before the look for idle Ps */
    a32_store_full(&s->force_gc, FORCE_GC_FORCED);
    sched_wakep(s);
}

/* A collection was asked for and has not begun: the request, which is not
 * repeated, may have met the end of another cycle. */
static bool
kick_gc(struct sched *s)
{
    if (!gc_should_start(s->heap))
        return false;
    preempt_all(s);
    return true;
}

static void
schedtrace(struct sched *s, uint64_t now, uint64_t *last)
{
    if (s->cfg.schedtrace_ms == 0 ||
        now - *last < s->cfg.schedtrace_ms * 1000000)
        return;
    *last = now;
    sched_print_state(s, s->cfg.scheddetail);
}

void
sysmon_main(struct sched *s)
{
    uint64_t now, last_trace = s->start_ns;
    uint32_t idle = 0, us = MON_MIN_US, most;

    while (!a32_load_acq(&s->exiting)) {
        if (idle == 0)
            us = MON_MIN_US;
        else if (idle > 50)
            us = us * 2 > MON_MAX_US ? MON_MAX_US : us * 2;
        most = longest(s, sched_now(s));
        if (rt_note_tsleep(&s->monnote,
            (int64_t)(us < most ? us : most) * 1000))
            return;
        now = sched_now(s);
        if (!a32_load_acq(&s->gcwaiting)) {
            idle = sysmon_look(s, now) || kick_gc(s) ? 0 : idle + 1;
            overdue(s, now);
            netpoll_monitor(s, now);
            old_heap(s, now);
            gcbg_monitor(s, now);
        }
        schedtrace(s, now, &last_trace);
    }
}
