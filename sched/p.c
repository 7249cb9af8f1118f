/* SPDX-License-Identifier: MIT */
/*
 * Ps: the right to run script code; and the global run queue.
 */
#include "sched/sched_int.h"

#include <stdlib.h>
#include <string.h>

struct sched_pi *
p_new(struct sched *s, uint32_t id)
{
    struct sched_pi *p = calloc(1, sizeof *p);

    rt_assert(id < SCHED_MAX_PROCS);
    if (p == NULL)
        return NULL;
    p->p.id = id;
    p->s = s;
    a32_store_rlx(&p->p.state, P_DEAD);
    p->seed = s->seed;
    rt_rand_init(&p->rand, sched_entropy(s) + id * 7919u);
    timers_init(&p->timers);
    gc_pcache_init(s->heap, &p->p.cache, &p->p);
    trace_pbuf_init(s->trace, &p->p.trace, (int32_t)id);
    p->p.cache.trace = &p->p.trace;
    return p;
}

void
p_free(struct sched_pi *p)
{
    struct sched_sudog *sd;

    if (p == NULL)
        return;
    while ((sd = p->sudogs) != NULL) {
        p->sudogs = sd->next;
        free(sd);
    }
    timers_clear(&p->timers);
    free(p);
}

void
p_set_count(struct sched *s, uint32_t n)
{
    rt_assert(n >= 1 && n <= a32_load_rlx(&s->nall));
    for (uint32_t i = 0; i < n; i++)
        s->allp[i]->p.alone = n == 1;
    a32_store_rel(&s->nprocs, n); /* rel: the Ps */
}

void
p_acquire(struct sched_mi *m, struct sched_pi *p)
{
    struct sched *s = m->m.sched;

    rt_assert(m->m.p == NULL && p_state(p) == P_IDLE);
    m->m.p = &p->p;
    aptr_store_rel(&p->m, m); /* rel: pairs with sched_trace_ps() */
    /* full: pairs with sysmon, with stops of the world, and with
     * sched_gc_flush_ps() */
    a32_store_full(&p->p.state, P_RUNNING);
    if (rt_unlikely(a32_load_rlx(&s->gc_marking)))
        gcwork_flush(p);
    if (trace_on(s->trace))
        trace_proc_start(s->trace, &p->p.trace, m_trace_id(m));
}

struct sched_pi *
p_release(struct sched_mi *m)
{
    struct sched *s = m->m.sched;
    struct sched_pi *p = pi_of(m->m.p);

    rt_assert(p_state(p) == P_RUNNING);
    if (rt_unlikely(a32_load_rlx(&s->gc_marking)))
        gcwork_flush(p);
    if (trace_on(s->trace))
        trace_proc_stop(s->trace, &p->p.trace);
    m->m.p = NULL;
    aptr_store_rlx(&p->curg, NULL);
    aptr_store_rlx(&p->m, NULL);
    a32_store_rel(&p->p.state, P_IDLE);
    return p;
}

void
p_idle_put_locked(struct sched *s, struct sched_pi *p)
{
    rt_assert_held(&s->lock);
    rt_assert(p_state(p) == P_IDLE || p_state(p) == P_GCSTOP ||
        p_state(p) == P_DEAD);
    rt_assert(aptr_load_rlx(&p->curg) == NULL && p->holder == NULL);
    rt_assert(a32_load_rlx(&s->npidle) < SCHED_MAX_PROCS);
    a32_store_rel(&p->p.state, P_IDLE);
    p->idle_next = s->pidle;
    s->pidle = p;
    a32_add_full(&s->npidle, 1); /* full: "Lost wake-ups" */
    if (rt_unlikely(a32_load_rlx(&s->gc_marking)))
        gcwork_left(p);
}

struct sched_pi *
p_idle_get_locked(struct sched *s)
{
    struct sched_pi *p = s->pidle;

    rt_assert_held(&s->lock);
    if (p == NULL)
        return NULL;
    rt_assert(p_state(p) == P_IDLE && a32_load_rlx(&s->npidle) > 0);
    s->pidle = p->idle_next;
    p->idle_next = NULL;
    a32_add_full(&s->npidle, UINT32_MAX);
    return p;
}

void
p_put_locked(struct sched *s, struct sched_pi *p)
{
    rt_assert_held(&s->lock);
    if (!a32_load_rlx(&s->gcwaiting)) {
        p_idle_put_locked(s, p);
        return;
    }
    rt_assert(s->stopwait > 0 && p_state(p) != P_GCSTOP);
    a32_store_rel(&p->p.state, P_GCSTOP);
    if (--s->stopwait == 0)
        rt_note_wakeup(&s->stopnote);
}

/* ---- the global queue --------------------------------------------------------- */

bool
globrunq_reserve(struct sched *s, uint32_t n)
{
    struct sched_globq *q = &s->globq;
    struct sched_g **ring, **old;
    uint32_t cap;

    rt_lock(&s->lock);
    cap = q->cap;
    rt_unlock(&s->lock);
    if (n <= cap)
        return true;
    for (cap = G_CHUNK; cap < n; cap *= 2)
        ;
    ring = malloc(cap * sizeof *ring);
    if (ring == NULL)
        return false;
    rt_lock(&s->lock);
    old = ring;
    if (cap > q->cap) {
        uint32_t size = a32_load_rlx(&s->qsize);

        for (uint32_t i = 0; i < size; i++)
            ring[i] = q->ring[(q->head + i) & (q->cap - 1)];
        old = q->ring;
        *q = (struct sched_globq){.ring = ring, .cap = cap};
    }
    rt_unlock(&s->lock);
    rt_assert((cap & (cap - 1)) == 0);
    free(old);
    return true;
}

void
globrunq_put_locked(struct sched *s, struct sched_g *const *v, uint32_t n)
{
    struct sched_globq *q = &s->globq;
    uint32_t size = a32_load_rlx(&s->qsize);

    rt_assert_held(&s->lock);
    if (rt_unlikely(s->seed != NULL)) {
        for (uint32_t i = 0; i < n; i++)
            seed_put(s->seed, v[i]);
        return;
    }
    rt_assert(n <= q->cap - size);
    for (uint32_t i = 0; i < n; i++) {
        rt_assert(runq_holds(s, v[i]));
        q->ring[(q->head + size + i) & (q->cap - 1)] = v[i];
    }
    /* full: "Lost wake-ups". */
    a32_store_full(&s->qsize, size + n);
}

void
globrunq_put(struct sched *s, struct sched_g *g)
{
    rt_lock(&s->lock);
    globrunq_put_locked(s, &g, 1);
    rt_unlock(&s->lock);
}

/* One goroutine, and a fair share of the others for p's own queue. */
struct sched_g *
globrunq_get_locked(struct sched *s, struct sched_pi *p, uint32_t max)
{
    struct sched_globq *q = &s->globq;
    uint32_t size = a32_load_rlx(&s->qsize);
    uint32_t n = size / a32_load_rlx(&s->nprocs) + 1, i;
    struct sched_g *g;

    rt_assert_held(&s->lock);
    if (size == 0)
        return NULL;
    if (n > size)
        n = size;
    if (max > 0 && n > max)
        n = max;
    if (n > RT_RUNQ / 2)
        n = RT_RUNQ / 2;
    g = q->ring[q->head & (q->cap - 1)];
    for (i = 1; i < n; i++) {
        uint32_t used = a32_load_rlx(&p->q.tail) - a32_load_acq(&p->q.head);

        if (used >= RT_RUNQ)
            break; /* runq_put() would come back for the lock we hold */
        runq_put(p, q->ring[(q->head + i) & (q->cap - 1)], false);
    }
    rt_assert(g != NULL && i <= size);
    q->head += i;
    a32_store_full(&s->qsize, size - i);
    return g;
}

/* ---- handing over ----------------------------------------------------------------- */

void
p_handoff(struct sched *s, struct sched_pi *p)
{
    bool stop = a32_load_acq(&s->gcwaiting) || a32_load_acq(&s->exiting);

    rt_assert(p_state(p) == P_IDLE); /* the caller's, and on no list */
    if (!stop && (!runq_empty(p) || a32_load_acq(&s->qsize) != 0)) {
        m_start(s, p, false);
        return;
    }
    if (!stop &&
        a32_load_acq(&s->nspinning) + a32_load_acq(&s->npidle) == 0 &&
        a32_cas_full(&s->nspinning, 0, 1)) {
        /* Everybody else is busy: somebody should look for work. */
        m_start(s, p, true);
        return;
    }
    rt_lock(&s->lock);
    if (!a32_load_rlx(&s->gcwaiting) && !a32_load_rlx(&s->exiting) &&
        (a32_load_rlx(&s->qsize) != 0 || !runq_empty(p) ||
            ((a64_load_acq(&p->timers.next) != UINT64_MAX ||
                 netpoll_wanted(s)) &&
                s->sleeper == NULL))) {
        rt_unlock(&s->lock);
        m_start(s, p, false);
        return;
    }
    p_put_locked(s, p);
    m_check_dead_locked(s);
    rt_unlock(&s->lock);
}
