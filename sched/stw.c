/* SPDX-License-Identifier: MIT */
/*
 * Stopping the world.
 *
 * A stop: gcwaiting is set, every running P is asked to preempt, idle Ps and
 * those in syscalls are taken at once, and the stopper waits until the count
 * of Ps that are not stopped yet is 0.  An M whose P is stopped goes to the
 * idle list.  An M that wants to stop the world itself meanwhile keeps its P,
 * stopped: the collector relies on finding its P's cache again.
 *
 * sysmon and Ms that come back from the kernel may hold a P for a moment
 * without running; they own it until p_put_locked() counts it as stopped, so
 * that a stop waits for them and for the trace events that they emit.
 *
 * A stop for the collector is in the trace from the moment at which it had its
 * turn until it has woken the Ps: the time to stop them is part of the pause.
 * The turn is held for as long, and a trace begins or ends in a stop of its
 * own; so it has both events or neither.
 *
 * Source: stopTheWorldWithSema in Go's proc.go.
 */
#include "sched/sched_int.h"

#include <time.h>

#include "runtime/base/clock.h"
#include "runtime/base/futex.h"

void
preempt_one(struct sched *s, struct sched_pi *p, uint32_t why)
{
    struct sched_g *g;

    /* full: the condition that the owner will look at is set; pairs with the
     * swap in sched_safepoint(). */
    a32_store_full(&p->p.preempt, why);
    /* rlx: behind the full store; pairs with chan_rest(). */
    if (rt_unlikely(a32_load_rlx(&p->resting) != 0))
        rt_futex_wake(&p->p.preempt, 1);
    g = aptr_load_acq(&p->curg);
    if (g != NULL && g->native == NULL)
        s->host->poison_g(s->ha, g);
    else if (g != NULL && a32_load_acq(&s->gc_nappers) != 0)
        gcwork_event(s); /* it may be a worker that naps */
}

void
preempt_all(struct sched *s)
{
    uint32_t n = a32_load_acq(&s->nprocs);

    for (uint32_t i = 0; i < n; i++)
        if (p_state(s->allp[i]) == P_RUNNING)
            preempt_one(s, s->allp[i], 1);
}

void
stop_self(struct sched_mi *m)
{
    struct sched *s = m->m.sched;

    if (a32_load_rlx(&m->spinning))
        m_clear_spinning(m);
    rt_lock(&s->lock);
    a32_store_rlx(&m->m.p->preempt, 0);
    if (!a32_load_rlx(&s->gcwaiting)) {
        rt_unlock(&s->lock);
        return;
    }
    p_put_locked(s, p_release(m));
    m_idle_put_locked(s, m);
    rt_unlock(&s->lock);
    m_wait_p(m);
}

/* A moment, until a stop by somebody else begins or ends. */
static void
stw_nap(void)
{
    struct timespec ts = {0, 20000};

    nanosleep(&ts, NULL);
}

/* The world is being stopped by somebody else: the M takes part, but keeps
 * its P and its goroutine. */
static void
wait_with_p(struct sched *s, struct sched_mi *m)
{
    struct sched_pi *p = pi_of(m->m.p);

    rt_lock(&s->lock);
    if (!a32_load_rlx(&s->gcwaiting)) {
        rt_unlock(&s->lock);
        stw_nap();
        return;
    }
    p->holder = m;
    p_put_locked(s, p);
    while (p->holder != NULL) {
        rt_unlock(&s->lock);
        m_sleep(m, -1);
        rt_lock(&s->lock);
    }
    rt_unlock(&s->lock);
    if (m->m.g != NULL)
        prof_g_before_run(s->prof, &s->prof->gor, &m->m.g->prof);
}

void
sched_join_stop(struct sched_m *m)
{
    rt_assert(m == sched_m_self() && m->p != NULL);
    wait_with_p(m->sched, mi_of(m));
}

/* Waits for the right to stop the world; others may stop it meanwhile. */
void
stw_take_turn(struct sched *s, struct sched_mi *m)
{
    while (!a32_cas_full(&s->stw_busy, 0, 1)) {
        if (m != NULL && m->m.p != NULL)
            wait_with_p(s, m);
        else
            stw_nap();
    }
}

void
stw_drop_turn(struct sched *s)
{
    a32_store_rel(&s->stw_busy, 0); /* rel: pairs with stw_take_turn() */
}

/* The turn is m's.  The trace ascribes a stop to the goroutine that runs. */
static void
note_begin(struct sched *s, struct sched_mi *m, enum sched_stw reason)
{
    if (m == NULL)
        return;
    m->stopping_at = rt_nanotime();
    m->stop_traced = (reason == STW_GC_MARK_TERM ||
        reason == STW_GC_SWEEP_TERM) && m->m.p != NULL && m->m.g != NULL &&
        trace_on(s->trace);
    if (m->stop_traced)
        trace_stw_start(s->trace, &m->m.p->trace,
            reason == STW_GC_MARK_TERM ? TRACE_STW_MARK_TERM
                                       : TRACE_STW_SWEEP_TERM);
}

/* Still m's turn, its P runs again, and others may: they have not been woken
 * yet, lest they run in what the trace shows as a stop. */
static void
note_end(struct sched *s, struct sched_mi *m)
{
    if (m == NULL)
        return;
    m->started_at = rt_nanotime();
    if (m->stop_traced && trace_on(s->trace))
        trace_stw_done(s->trace, &m->m.p->trace);
}

static void
stop(struct sched *s, struct sched_mi *m, enum sched_stw reason)
{
    struct sched_pi *p;
    uint32_t n;
    bool wait;

    stw_take_turn(s, m);
    note_begin(s, m, reason);
    rt_lock(&s->lock);
    n = a32_load_rlx(&s->nprocs);
    s->stopwait = (int32_t)n;
    a32_store_full(&s->gcwaiting, 1);
    preempt_all(s);
    if (m != NULL && m->m.p != NULL) {
        a32_store_rel(&m->m.p->state, P_GCSTOP);
        a32_store_rlx(&m->m.p->preempt, 0);
        s->stopwait--;
    }
    for (uint32_t i = 0; i < n; i++)
        if (retake_locked(s, s->allp[i], P_GCSTOP))
            s->stopwait--;
    while ((p = p_idle_get_locked(s)) != NULL) {
        a32_store_rel(&p->p.state, P_GCSTOP);
        s->stopwait--;
    }
    wait = s->stopwait > 0;
    rt_unlock(&s->lock);
    if (m != NULL)
        m->stw = true;
    if (!wait)
        return;
    /* Again and again: a P may have missed the request while it was changing
     * hands or goroutines. */
    while (!rt_note_tsleep(&s->stopnote, 100 * 1000))
        preempt_all(s);
    rt_note_clear(&s->stopnote);
}

static void
start(struct sched *s, struct sched_mi *m)
{
    struct sched_pi *run[SCHED_MAX_PROCS];
    struct sched_mi *held[SCHED_MAX_PROCS];
    uint32_t k = 0, nheld = 0;

    if (m != NULL)
        m->stw = false;
    sched_watch(s);
    rt_lock(&s->lock);
    rt_assert_full(sched_valid_locked(s));
    a32_store_full(&s->gcwaiting, 0);
    for (uint32_t i = a32_load_rlx(&s->nprocs); i-- > 0;) {
        struct sched_pi *p = s->allp[i];

        rt_assert(p_state(p) == P_GCSTOP);
        if (m != NULL && &p->p == m->m.p) {
            a32_store_rel(&p->p.state, P_RUNNING);
        } else if (p->holder != NULL) {
            a32_store_rel(&p->p.state, P_RUNNING);
            held[nheld++] = p->holder;
            p->holder = NULL;
        } else if (runq_empty(p)) {
            p_idle_put_locked(s, p);
        } else {
            a32_store_rel(&p->p.state, P_IDLE);
            run[k++] = p;
        }
    }
    m_check_dead_locked(s);
    rt_unlock(&s->lock);
    note_end(s, m);
    while (nheld > 0)
        m_wake(held[--nheld]);
    while (k > 0)
        m_start(s, run[--k], false);
    stw_drop_turn(s);
    /* For the global queue, and for the timers. */
    sched_wakep(s);
}

void
sched_stop_world(struct sched_m *m, enum sched_stw reason)
{
    stop(m->sched, mi_of(m), reason);
}

void
sched_start_world(struct sched_m *m)
{
    start(m->sched, mi_of(m));
}

int64_t
sched_stopping_at(const struct sched_m *m)
{
    return ((const struct sched_mi *)m)->stopping_at;
}

int64_t
sched_started_at(const struct sched_m *m)
{
    return ((const struct sched_mi *)m)->started_at;
}

static struct sched_mi *
self_in(struct sched *s)
{
    struct sched_m *m = sched_m_self();

    return m != NULL && m->sched == s ? mi_of(m) : NULL;
}

void
sched_stop_world_any(struct sched *s, enum sched_stw reason)
{
    stop(s, self_in(s), reason);
}

void
sched_start_world_any(struct sched *s)
{
    start(s, self_in(s));
}

/* Without locks, hence without knowing who has stopped; Ms that want to stop,
 * or take a lock that the caller holds, stay where they are. */
bool
sched_freeze(struct sched *s)
{
    enum { ROUNDS = 5 };
    const struct timespec ms = {0, 1000000};

    s->stopwait = INT32_MAX; /* nobody waits for the last of them */
    a32_store_full(&s->gcwaiting, 1);
    for (int i = 0; i < ROUNDS; i++) {
        preempt_all(s);
        nanosleep(&ms, NULL);
    }
    for (int i = 0; i < ROUNDS; i++) {
        if (rt_trylock(&s->allg_lock)) {
            rt_unlock(&s->allg_lock);
            return true;
        }
        nanosleep(&ms, NULL);
    }
    return false;
}

/* ---- GOMAXPROCS ------------------------------------------------------------------ */

uint32_t
sched_num_cpu(void)
{
    return (uint32_t)rt_cpu_count();
}

bool
sched_may_spin(struct sched_m *m)
{
    struct sched *s = m->sched;
    /* Those that look for work or sleep, and this one, hold no lock. */
    uint32_t others =
        a32_load_rlx(&s->npidle) + a32_load_rlx(&s->nspinning) + 1;

    return s->seed == NULL && s->ncpu > 1 &&
        a32_load_rlx(&s->nprocs) > others &&
        a32_load_rlx(&m->p->preempt) == 0 && runq_empty(pi_of(m->p));
}

uint32_t
sched_procs(const struct sched *s)
{
    return s == NULL ? 0 : a32_load_acq(&s->nprocs);
}

/* World stopped: is a P that goes away kept by an M that waits for its turn? */
static bool
any_holder(struct sched *s, uint32_t from, uint32_t to)
{
    bool any = false;

    rt_lock(&s->lock);
    for (uint32_t i = from; i < to; i++)
        any = any || s->allp[i]->holder != NULL;
    rt_unlock(&s->lock);
    return any;
}

/* Ps up to n exist; fewer where memory is out. */
static uint32_t
make_ps(struct sched *s, uint32_t n)
{
    for (uint32_t i = a32_load_rlx(&s->nall); i < n; i++) {
        s->allp[i] = p_new(s, i);
        if (s->allp[i] == NULL)
            return i;
        a32_store_rel(&s->nall, i + 1); /* rel: allp[i] */
    }
    return n;
}

/* Takes what the Ps from n on have. */
static void
ps_retire(struct sched *s, uint32_t n, uint32_t old)
{
    for (uint32_t i = n; i < old; i++) {
        struct sched_pi *p = s->allp[i];
        struct sched_g *g;

        rt_lock(&s->lock);
        while ((g = runq_get(p, false)) != NULL)
            globrunq_put_locked(s, &g, 1);
        rt_unlock(&s->lock);
        timers_move(p, s->allp[0]);
        a32_store_rel(&p->p.state, P_DEAD);
    }
}

/* World stopped, the caller has no P. */
static void
set_procs(struct sched *s, uint32_t old, uint32_t n)
{
    n = make_ps(s, n);
    for (uint32_t i = old; i < n; i++)
        a32_store_rel(&s->allp[i]->p.state, P_GCSTOP);
    ps_retire(s, n, old);
    p_set_count(s, n);
    if (trace_on(s->trace))
        trace_gomaxprocs(s->trace, trace_global(s->trace), n, NULL, 0);
}

/*
 * The caller gives up its P first, for it may be one that goes away: if it
 * kept it while it waits for its turn, a few goroutines that all want fewer
 * Ps would wait for each other for ever.
 */
uint32_t
sched_gomaxprocs(struct sched_m *m, int32_t want)
{
    struct sched *s = m->sched;
    uint32_t old = a32_load_acq(&s->nprocs), n;

    if (s->seed != NULL) {
        /* There is one P; what the program has asked for is remembered. */
        old = s->told_procs;
        if (want >= 1)
            s->told_procs = want > SCHED_MAX_PROCS ? SCHED_MAX_PROCS
                                                   : (uint32_t)want;
        return old;
    }
    if (want < 1 || (uint32_t)want == old)
        return old;
    n = want > SCHED_MAX_PROCS ? SCHED_MAX_PROCS : (uint32_t)want;
    sched_block_enter(m);
    for (;;) {
        stop(s, mi_of(m), STW_GOMAXPROCS);
        old = a32_load_rlx(&s->nprocs);
        if (n >= old || !any_holder(s, n, old))
            break;
        start(s, mi_of(m)); /* those that keep them have their turn */
        stw_nap();
    }
    set_procs(s, old, n);
    start(s, mi_of(m));
    sched_block_exit(m);
    return old;
}
