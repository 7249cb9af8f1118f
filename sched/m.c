/* SPDX-License-Identifier: MIT */
/*
 * Ms: OS threads that run goroutines.  An M without work sleeps until
 * somebody hands it a P.
 *
 * Parking differs from rt_note in that waking twice is harmless: an M may be
 * woken for a P, for an earlier timer and for the end of the process at
 * once.  Each sleeper waits in a loop for its own condition: nextp, a turn
 * in stw.c, or `exiting`.
 */
#include "sched/sched_int.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/futex.h"

static _Thread_local struct sched_m *tls_m;

struct sched_m *
sched_m_self(void)
{
    return tls_m;
}

void
m_sleep(struct sched_mi *m, int64_t ns)
{
    rt_assert(sched_m_self() == &m->m); /* its own thread sleeps */
    /* acq: pairs with the full swap in m_wake(). */
    while (a32_load_acq(&m->park) == 0) {
        rt_futex_wait(&m->park, 0, ns);
        if (ns >= 0)
            break;
    }
    /* full: a wake-up either comes before, and what led to it is seen by the
     * caller, or after, and ends the next sleep. */
    a32_swap_full(&m->park, 0);
}

void
m_wake(struct sched_mi *m)
{
    /* full: pairs with m_sleep() */
    if (a32_swap_full(&m->park, 1) == 0)
        rt_futex_wake(&m->park, 1);
}

void
m_set_spinning(struct sched_mi *m)
{
    assert_has_p(&m->m);
    rt_assert(!a32_load_rlx(&m->spinning));
    a32_store_rlx(&m->spinning, 1);
    a32_add_full(&m->m.sched->nspinning, 1);
}

void
m_clear_spinning(struct sched_mi *m)
{
    rt_assert(a32_load_rlx(&m->spinning) == 1); /* counts for one */
    rt_assert(a32_load_rlx(&m->m.sched->nspinning) > 0);
    a32_store_rlx(&m->spinning, 0);
    a32_add_full(&m->m.sched->nspinning, UINT32_MAX);
}

/*
 * The M gives up its P for good, and one that it was given and has not looked
 * for: start_bound() may hand a P to the M of a locked goroutine just before
 * the end, which that M sees first.  A P that stays in nextp is never stopped,
 * so that whoever stops the world waits for ever.  After the end no P comes.
 */
static void
m_retire(struct sched_mi *m)
{
    struct sched *s = m->m.sched;
    struct sched_pi *next;

    if (a32_load_rlx(&m->spinning))
        m_clear_spinning(m);
    rt_lock(&s->lock);
    rt_assert(a32_load_rlx(&s->exiting));
    next = aptr_load_rlx(&m->nextp);
    aptr_store_rlx(&m->nextp, NULL);
    if (next != NULL)
        p_put_locked(s, next);
    if (m->m.p != NULL)
        p_put_locked(s, p_release(m));
    rt_unlock(&s->lock);
}

void
m_main(void *arg)
{
    struct sched_mi *m = arg;
    struct sched *s = m->m.sched;

    rt_assert(tls_m == NULL); /* the thread is nobody else's */
    tls_m = &m->m;
    m->m.tid = rt_thread_osid();
    sched_prof_m_begin(m);
    m_wait_p(m);
    /* Only now: where there is no memory for m's part, the host may have to
     * wait for who ends the program, and whoever stops the world for that
     * waits for the P, which it would not get as long as it is in nextp. */
    if (m->m.p != NULL && s->host->m_init(s->ha, &m->m))
        schedule_loop(m);
    m_retire(m);
    sched_prof_m_end(m);
    s->host->m_free(s->ha, &m->m);
    tls_m = NULL;
    a32_store_rel(&m->done, 1); /* rel: pairs with shutdown() */
}

/* Go's limit, which stops a program that leaks threads.  The caller has no
 * P in its hands but its own: fatal() may wait for who stops the world. */
static void
exhausted(struct sched *s)
{
    dprintf(s->cfg.err_fd, "runtime: program exceeds %u-thread limit\n",
        s->max_threads);
    s->host->fatal(s->ha, "thread exhaustion");
    sched_exit(s, 2);
}

/*
 * No thread for p: it stays idle.  With fewer threads a program goes on, but
 * not when all of them wait in the kernel, perhaps for the goroutines that
 * nobody runs now, nor where there are as many as may be (full).
 */
static void
give_up(struct sched *s, struct sched_pi *p, bool spinning, bool full)
{
    bool stuck;

    if (spinning)
        a32_add_full(&s->nspinning, UINT32_MAX);
    rt_lock(&s->lock);
    p_put_locked(s, p);
    if (full) {
        rt_unlock(&s->lock);
        exhausted(s);
        return;
    }
    stuck = (!runq_empty(p) || a32_load_rlx(&s->qsize) != 0) && !s->dead &&
        !a32_load_rlx(&s->exiting) && !a32_load_rlx(&s->gcwaiting) &&
        a32_load_acq(&s->npidle) == a32_load_rlx(&s->nprocs);
    s->dead |= stuck;
    rt_unlock(&s->lock);
    if (!stuck)
        return;
    s->host->fatal(s->ha, "runtime: cannot create a thread (limit of memory "
        "or of processes)");
    sched_exit(s, 2);
}

uint32_t
sched_set_max_threads(struct sched *s, uint32_t n)
{
    rt_lock(&s->lock);
    uint32_t old = s->max_threads;
    bool full = s->nm > n && !s->dead;
    s->max_threads = n;
    s->dead |= full;
    rt_unlock(&s->lock);
    if (full)
        exhausted(s);
    return old;
}

/* A new M, on the list of all; NULL: no memory, or the process ends, which
 * the caller sets off where too many threads are why (*full). */
static struct sched_mi *
m_new(struct sched *s, bool *full)
{
    struct sched_mi *m = calloc(1, sizeof *m);

    *full = false;
    if (m == NULL)
        return NULL;
    m->m.sched = s;
    m->m.by_seed = s->seed != NULL;
    rt_rand_init(&m->rand, (uint64_t)rt_nanotime() ^ (uintptr_t)m);
    rt_lock(&s->lock);
    *full = s->nm >= s->max_threads && !s->dead;
    if (a32_load_rlx(&s->exiting) || *full) {
        s->dead |= *full;
        rt_unlock(&s->lock);
        free(m);
        return NULL;
    }
    m->m.id = s->allm == NULL ? 0 : s->allm->m.id + 1;
    s->nm++;
    m->all_next = s->allm;
    s->allm = m;
    rt_unlock(&s->lock);
    return m;
}

bool
m_run_here(struct sched *s, struct sched_pi *p)
{
    bool full;
    struct sched_mi *m = m_new(s, &full);

    if (m == NULL) {
        rt_lock(&s->lock);
        p_put_locked(s, p);
        rt_unlock(&s->lock);
        if (full)
            exhausted(s);
        return false;
    }
    aptr_store_rlx(&m->nextp, p);
    a32_store_rlx(&m->thread_state, M_JOINED); /* it has none of its own */
    m_main(m);
    return true;
}

static bool
new_thread(struct sched *s, struct sched_pi *p, bool spinning, bool *full)
{
    struct sched_mi *m = m_new(s, full);

    if (m == NULL)
        return false;
    if (s->cfg.prof != NULL)
        prof_thread_created(s->prof, 0);
    a32_store_rlx(&m->spinning, spinning);
    aptr_store_rlx(&m->nextp, p);
    if (rt_thread_start(&m->thread, m_main, m, 0, "vole-m", NULL) == RT_OK) {
        /* rel: thread is written; pairs with shutdown() */
        a32_store_rel(&m->thread_state, M_THREAD);
        return true;
    }
    rt_lock(&s->lock);
    s->nm--; /* stays on allm, never runs */
    rt_unlock(&s->lock);
    a32_store_rel(&m->thread_state, M_JOINED);
    return false;
}

void
m_start(struct sched *s, struct sched_pi *p, bool spinning)
{
    struct sched_mi *m;
    bool stop, full;

    rt_lock(&s->lock);
    if (p == NULL)
        p = p_idle_get_locked(s);
    /* With a seed there is one M, and none before m_run_here(). */
    stop = a32_load_rlx(&s->exiting) || a32_load_rlx(&s->gcwaiting) ||
        (s->seed != NULL && s->midle == NULL);
    if (p == NULL || stop) {
        if (p != NULL)
            p_put_locked(s, p);
        rt_unlock(&s->lock);
        if (spinning)
            a32_add_full(&s->nspinning, UINT32_MAX);
        /* A P may be idle since, and others that had work left it to the one
         * that was counted as spinning.  The end of a stop wakes somebody
         * itself. */
        if (spinning && !stop)
            sched_wakep_next(s);
        return;
    }
    m = s->midle;
    if (m != NULL) {
        assert_no_p(&m->m);
        rt_assert(m->blocked && aptr_load_rlx(&m->nextp) == NULL);
        s->midle = m->idle_next;
        m->idle_next = NULL;
        m->blocked = false;
        s->nmidle--;
        a32_store_rlx(&m->spinning, spinning);
        aptr_store_rel(&m->nextp, p); /* rel: pairs with m_wait_p() */
    }
    rt_unlock(&s->lock);
    if (m != NULL)
        m_wake(m);
    else if (!new_thread(s, p, spinning, &full))
        give_up(s, p, spinning, full);
}

void
m_idle_put_locked(struct sched *s, struct sched_mi *m)
{
    rt_assert_held(&s->lock);
    assert_no_p(&m->m);
    rt_assert(!m->blocked && m->m.g == NULL);
    rt_assert(s->nmidle + s->nmbound < s->nm);
    m->idle_next = s->midle;
    s->midle = m;
    m->blocked = true;
    s->nmidle++;
}

/* Sleeps until there is a P in nextp, or the process ends. */
void
m_wait_p(struct sched_mi *m)
{
    struct sched_pi *p;

    assert_no_p(&m->m);
    /* acq: pairs with the stores under SCHED before m_wake(). */
    while ((p = aptr_load_acq(&m->nextp)) == NULL) {
        if (a32_load_acq(&m->m.sched->exiting)) {
            /* Once more: it may have come just before the end, and a P must
             * not be lost.  After the end none comes. */
            p = aptr_load_acq(&m->nextp);
            if (p == NULL)
                return;
            break;
        }
        m_sleep(m, -1);
    }
    aptr_store_rlx(&m->nextp, NULL);
    p_acquire(m, p);
}

void
m_stop(struct sched_mi *m)
{
    struct sched *s = m->m.sched;

    rt_assert(m->m.p == NULL && !a32_load_rlx(&m->spinning));
    rt_lock(&s->lock);
    if (a32_load_rlx(&s->exiting)) {
        rt_unlock(&s->lock);
        return;
    }
    m_idle_put_locked(s, m);
    m_check_dead_locked(s);
    rt_unlock(&s->lock);
    m_wait_p(m);
}

void
sched_wakep_next(struct sched *s)
{
    /* acq, full: "Lost wake-ups" in sched_int.h */
    if (a32_load_acq(&s->npidle) == 0 || a32_load_acq(&s->nspinning) != 0 ||
        !a32_cas_full(&s->nspinning, 0, 1))
        return;
    m_start(s, NULL, true);
}

void
sched_wakep(struct sched *s)
{
    struct sched_mi *m;

    if (a32_load_acq(&s->npidle) == 0) {
        if (rt_unlikely(a32_load_acq(&s->gc_nappers) != 0))
            gcwork_event(s); /* a P whose worker waits for others */
        return;
    }
    m = aptr_load_acq(&s->drowser);
    /* full: only one wakes it. */
    if (rt_unlikely(m != NULL) && aptr_cas_full(&s->drowser, m, NULL))
        m_wake(m);
    else
        sched_wakep_next(s);
}

bool
sched_call(struct sched *s, void (*fn)(struct sched_m *m, void *arg),
    void *arg)
{
    struct sched_pi *p;
    struct sched_mi m;
    bool ran;

    rt_lock(&s->lock);
    p = p_idle_get_locked(s);
    rt_unlock(&s->lock);
    if (p == NULL)
        return false;
    memset(&m, 0, sizeof m);
    m.m.sched = s;
    m.m.tid = rt_thread_osid();
    rt_assert(tls_m == NULL && a32_load_acq(&s->exiting));
    tls_m = &m.m;
    p_acquire(&m, p);
    ran = s->host->m_init(s->ha, &m.m);
    if (ran)
        fn(&m.m, arg);
    rt_lock(&s->lock);
    p_put_locked(s, p_release(&m));
    rt_unlock(&s->lock);
    s->host->m_free(s->ha, &m.m);
    tls_m = NULL;
    return ran;
}

/*
 * Reports a deadlock if nothing runs and nothing can: every M is idle or
 * waits for its own goroutine, every P is idle, no timer is armed, nobody
 * waits for a descriptor.  An M in a
 * syscall, or one that waits for a timer, is not idle; a P that somebody is
 * about to start is not either.  Whoever changes one of these calls this.
 */
void
m_check_dead_locked(struct sched *s)
{
    rt_assert_held(&s->lock);
    if (s->seed != NULL)
        return; /* seed_idle() knows */
    if (s->nm == 0 || a64_load_rlx(&s->goid) == 0 || /* not begun */
        s->nmidle + s->nmbound < s->nm || s->dead ||
        a32_load_rlx(&s->exiting) || a32_load_rlx(&s->gcwaiting) ||
        a32_load_rlx(&s->gc_marking) || a32_load_acq(&s->bg_asked) != 0 ||
        a32_load_acq(&s->npidle) < a32_load_rlx(&s->nprocs) ||
        a32_load_rlx(&s->qsize) != 0 || timers_next_all(s) != 0 ||
        netpoll_wanted(s))
        return;
    s->dead = true;
    rt_unlock(&s->lock);
    s->host->fatal(s->ha, "all goroutines are asleep - deadlock!");
    sched_exit(s, 2); /* where the host has not done so */
    rt_lock(&s->lock);
}
