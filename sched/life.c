/* SPDX-License-Identifier: MIT */
/*
 * The life of the whole scheduler.  sched_run() runs no goroutine on its own
 * thread: it starts the first M, is the monitor until the end, and then
 * collects the threads.  A thread that is in the kernel, perhaps for ever, is
 * left there; should it come back, it finds that it has been abandoned and
 * does nothing any more.
 */
#include "sched/bubble.h"
#include "sched/loopback.h"
#include "sched/sched_int.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    NAP_NS = 20 * 1000,
    KERNEL_WAIT = 100 /* naps that a thread in the kernel is given */
};

uint64_t
sched_now(struct sched *s)
{
    return rt_unlikely(s->seed != NULL) ? seed_now(s->seed)
                                        : (uint64_t)rt_nanotime();
}

static void
init(struct sched *s, const struct sched_config *cfg)
{
    memset(s, 0, sizeof *s);
    s->cfg = *cfg;
    s->max_threads = 10000;
    s->host = cfg->host;
    s->ha = cfg->host_arg;
    s->trace = cfg->trace;
    s->prof = cfg->prof != NULL ? cfg->prof : &s->no_prof;
    s->heap = cfg->heap;
    s->seed = cfg->seed;
    rt_lock_init(&s->lock, RANK_SCHED);
    rt_lock_init(&s->allg_lock, RANK_ALLG);
    rt_lock_init(&s->gc_lock, RANK_GC_WAIT);
    rt_lock_init(&s->bubbles_lock, RANK_BUBBLES);
    netpoll_begin(s);
    for (uint32_t i = 0; i < SEMA_ROOTS; i++) {
        rt_lock_init(&s->sema[i].lock, RANK_SEMA);
        rt_lock_init(&s->notify[i].lock, RANK_NOTIFY);
    }
    rt_note_clear(&s->stopnote);
    rt_note_clear(&s->exitnote);
    rt_note_clear(&s->monnote);
    s->start_ns = sched_now(s);
    s->ncpu = sched_num_cpu();
    s->told_procs = s->cfg.procs;
    if (s->cfg.procs < 1 || s->seed != NULL)
        s->cfg.procs = 1;
    if (s->cfg.procs > SCHED_MAX_PROCS)
        s->cfg.procs = SCHED_MAX_PROCS;
    sched_watch(s);
}

enum rt_status
sched_new(const struct sched_config *cfg, struct sched **out,
    struct rt_err *err)
{
    struct sched *s = NULL;
    uint32_t i;

    *out = NULL;
    if (posix_memalign((void **)&s, 64, sizeof *s) != 0)
        return rt_errf(err, RT_ENOMEM, UINT64_MAX, "out of memory");
    init(s, cfg);
    *out = s;
    for (i = 0; i < s->cfg.procs; i++) {
        s->allp[i] = p_new(s, i);
        if (s->allp[i] == NULL)
            return rt_errf(err, RT_ENOMEM, UINT64_MAX, "out of memory");
        a32_store_rel(&s->nall, i + 1);
    }
    p_set_count(s, s->cfg.procs);
    rt_lock(&s->lock);
    while (i-- > 0)
        p_idle_put_locked(s, s->allp[i]);
    rt_unlock(&s->lock);
    return RT_OK;
}

/* Puts the first goroutine on P 0, in the name of an M that never runs. */
static bool
first_goroutine(struct sched *s, struct sched_pi *p, const void *fn)
{
    struct sched_mi tmp;
    bool ok;

    memset(&tmp, 0, sizeof tmp);
    tmp.m.sched = s;
    p_acquire(&tmp, p);
    ok = sched_go_quiet(&tmp.m, fn, s->cfg.entry) != NULL;
    p_release(&tmp);
    return ok;
}

static bool
first_m(struct sched *s, const void *fn)
{
    struct sched_pi *p;
    bool ok;

    /* A stop by a thread of the host would keep the M from starting. */
    stw_take_turn(s, NULL);
    for (;;) {
        rt_lock(&s->lock);
        p = p_idle_get_locked(s);
        rt_unlock(&s->lock);
        if (p != NULL)
            break;
        /* The M that the end of a stop woke looks for work in vain. */
        nanosleep(&(struct timespec){0, NAP_NS}, NULL);
    }
    ok = first_goroutine(s, p, fn);
    if (ok && s->seed != NULL) {
        stw_drop_turn(s);
        return m_run_here(s, p);
    }
    if (ok)
        m_start(s, p, false);
    rt_lock(&s->lock);
    if (ok)
        ok = s->nm > 0;
    else
        p_put_locked(s, p);
    rt_unlock(&s->lock);
    stw_drop_turn(s);
    return ok;
}

/* A P for who needs one to leave.  Nobody retakes those of Ms in system calls
 * any more, and Ms that have been given up do not come back for theirs. */
static struct sched_pi *
any_p_locked(struct sched *s)
{
    struct sched_pi *p = p_idle_get_locked(s);
    uint32_t n = a32_load_acq(&s->nprocs); /* acq: the Ps, p_set_count() */

    for (uint32_t i = 0; p == NULL && i < n; i++)
        if (retake_locked(s, s->allp[i], P_IDLE))
            p = s->allp[i];
    return p;
}

/* Makes everybody leave who can. */
static void
urge(struct sched *s, struct sched_mi *m)
{
    struct sched_pi *p = NULL;

    rt_lock(&s->lock);
    if (m->wants_p && (p = any_p_locked(s)) != NULL) {
        m->wants_p = false;
        aptr_store_rel(&m->nextp, p);
    }
    if (s->sleeper == m)
        sched_wake_sleeper_locked(s);
    rt_unlock(&s->lock);
    m_wake(m);
    preempt_all(s);
}

/* True when the M's thread has ended, false if it is given up. */
static bool
wait_for(struct sched *s, struct sched_mi *m, uint32_t *naps)
{
    while (!a32_load_acq(&m->done)) { /* acq: pairs with m_main() */
        if (a32_load_acq(&m->thread_state) == M_JOINED)
            return true; /* there never was one */
        if (a32_load_acq(&m->in_syscall) == M_IN_SYSCALL &&
            ++*naps > KERNEL_WAIT &&
            a32_cas_full(&m->in_syscall, M_IN_SYSCALL, M_ABANDONED))
            return false;
        urge(s, m);
        nanosleep(&(struct timespec){0, NAP_NS}, NULL);
    }
    return true;
}

/* Every M but those in syscalls leaves its loop. */
static void
shutdown(struct sched *s)
{
    struct sched_mi *all, *m;
    uint32_t naps = 0;

    rt_lock(&s->lock);
    all = s->allm; /* since `exiting` is set no more are added */
    rt_unlock(&s->lock);
    for (m = all; m != NULL; m = m->all_next)
        m_wake(m);
    for (m = all; m != NULL; m = m->all_next) {
        if (!wait_for(s, m, &naps)) {
            s->stuck = true;
            continue;
        }
        /* Whoever started the thread may still be about to say so. */
        while (a32_load_acq(&m->thread_state) == M_NO_THREAD)
            nanosleep(&(struct timespec){0, NAP_NS}, NULL);
        if (a32_load_acq(&m->thread_state) == M_THREAD) {
            rt_thread_join(&m->thread);
            a32_store_rlx(&m->thread_state, M_JOINED);
        }
    }
}

int
sched_run(struct sched *s, const void *fn)
{
    int status;

    if (!first_m(s, fn) &&
        !a32_load_acq(&s->exiting)) { /* a signal may have come before */
        s->host->fatal(s->ha, "runtime: cannot create a thread (limit of "
            "memory or of processes)");
        sched_exit(s, 2);
    }
    if (s->seed == NULL)
        sysmon_main(s);
    rt_note_sleep(&s->exitnote);
    shutdown(s);
    rt_lock(&s->lock);
    rt_assert_full(s->stuck || sched_ended_locked(s));
    status = s->exit_status;
    rt_unlock(&s->lock);
    return s->seed == NULL ? status : seed_over(s, status);
}

void
sched_exit(struct sched *s, int status)
{
    rt_lock(&s->lock);
    if (a32_load_rlx(&s->exiting)) {
        rt_unlock(&s->lock);
        return;
    }
    s->exit_status = status;
    a32_store_full(&s->exiting, 1);
    rt_unlock(&s->lock);
    if (s->seed != NULL)
        seed_ended(s, status);
    else
        rt_note_wakeup(&s->monnote);
    rt_note_wakeup(&s->exitnote);
}

bool
sched_has_stuck(const struct sched *s)
{
    return s->stuck;
}

void
sched_free(struct sched *s)
{
    struct sched_mi *m;

    if (s == NULL || s->stuck)
        return; /* threads in the kernel may come back to it */
    for (uint32_t i = 0; i < a32_load_rlx(&s->nall); i++)
        p_free(s->allp[i]);
    bubble_free_all(s);
    g_free_all(s);
    loopback_end(s);
    netpoll_end(s);
    while ((m = s->allm) != NULL) {
        s->allm = m->all_next;
        free(m);
    }
    free(s);
}
