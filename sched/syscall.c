/* SPDX-License-Identifier: MIT */
/*
 * Blocking natives.  While a native is in the kernel its M keeps the P in
 * state P_SYSCALL; sysmon and stop-the-world may take the P by CAS.  When the
 * M returns and the P is gone it takes an idle one, or queues its goroutine
 * bound to itself and sleeps until some M hands over a P: the native's C
 * frames are on this thread, so no other M can go on with it.
 *
 *     P_RUNNING --enter--> P_SYSCALL --leave (CAS)--> P_RUNNING
 *                             |
 *                             +--retake (CAS, SCHED held)--> P_IDLE, P_GCSTOP
 *
 * Nested enters (a runtime wait inside a native's bracket) only count, and so
 * do those of an M that has stopped the world: nobody takes its P.
 */
#include "sched/sched_int.h"

/* rt_ticks() of 13 to 64 ns each: a call that takes as long is shown by a
 * trace as one that has blocked, although nobody has taken its P. */
enum { LONG_CALL_TICKS = VOLE_HOSTILE ? 1 : 1024 };

static uint32_t
syscall_state(const struct sched_mi *m)
{
    return P_SYSCALL | m->m.id << P_STATE_SHIFT;
}

static RT_NOINLINE void
trace_enter(struct sched_m *m)
{
    struct trace_rec *r = m->sched->trace;
    vpc pcs[TRACE_STACK_MAX];
    uint32_t n = trace_walk(r, pcs);

    trace_go_sys_call(r, &m->p->trace, &m->g->trace, pcs, n);
    pi_of(m->p)->sys_since = trace_ticks(r);
}

/* Back with the P of before, while a trace is on. */
static RT_NOINLINE void
trace_kept(struct sched *s, struct sched_pi *p, struct sched_g *g)
{
    uint64_t since = p->sys_since;

    /* The trace has been on all the time: to start one takes all Ps. */
    if (since != 0 && trace_ticks(s->trace) - since >= LONG_CALL_TICKS)
        trace_go_sys_kept(s->trace, &p->p.trace, &g->trace, since);
}

/* False where there is nothing to leave later. */
static bool
enter(struct sched_m *m)
{
    struct sched_mi *mi = mi_of(m);
    struct sched *s = m->sched;
    struct sched_pi *p;

    if (mi->sys_depth++ > 0 || mi->stw || s->seed != NULL)
        return false;
    p = pi_of(m->p);
    p->sys_since = 0;
    if (trace_on(s->trace))
        trace_enter(m);
    if (rt_unlikely(a32_load_rlx(&s->gc_marking)))
        gcwork_flush(p);
    g_set_state(s, m->g, G_RUNNING, G_SYSCALL);
    mi->oldp = p;
    a32_store_rlx(&p->syscalltick, a32_load_rlx(&p->syscalltick) + 1);
    a32_store_rel(&mi->in_syscall, M_IN_SYSCALL);
    m->p = NULL;
    /* full: everything before belongs to whoever takes the P by CAS; and
     * pairs with a stop, which sets gcwaiting and then looks at the Ps. */
    a32_store_full(&p->p.state, syscall_state(mi));
    if (rt_unlikely(a32_load_rlx(&s->gc_marking)))
        gcwork_left(p);
    return true;
}

/* The stop of the world may have looked before P_SYSCALL was visible. */
static void
help_stop(struct sched *s, struct sched_pi *p)
{
    rt_lock(&s->lock);
    if (a32_load_rlx(&s->gcwaiting) && retake_locked(s, p, P_IDLE))
        p_put_locked(s, p);
    rt_unlock(&s->lock);
}

bool
retake_locked(struct sched *s, struct sched_pi *p, enum sched_pstate to)
{
    uint32_t old = a32_load_acq(&p->p.state);
    struct sched_g *g;

    rt_assert_held(&s->lock);
    /* full: pairs with enter() and leave() */
    if ((old & P_STATE_MASK) != P_SYSCALL ||
        !a32_cas_full(&p->p.state, old, to))
        return false;
    /* The M cannot pass slow_exit() before we release SCHED. */
    g = aptr_load_acq(&p->curg);
    if (trace_on(s->trace) && g != NULL)
        trace_go_sys_block(
            s->trace, &p->p.trace, &g->trace, p->sys_since);
    aptr_store_rlx(&p->curg, NULL);
    aptr_store_rlx(&p->m, NULL);
    return true;
}

/* A native that comes back after the end of the process: its thread stays
 * here, for nothing that it could touch may be there any more. */
static void
block_for_ever(void)
{
    struct rt_note never = {A_INIT(0)};

    for (;;)
        rt_note_sleep(&never);
}

/* Sleeps until there is a P in nextp.  The native must not go on without
 * one, not even at the end of the process. */
static void
wait_p(struct sched_mi *m)
{
    struct sched *s = m->m.sched;

    while (aptr_load_acq(&m->nextp) == NULL) {
        if (a32_load_acq(&s->exiting)) {
            rt_lock(&s->lock);
            if (aptr_load_rlx(&m->nextp) == NULL)
                m->wants_p = true; /* urge() will see to it */
            rt_unlock(&s->lock);
        }
        m_sleep(m, -1);
    }
    m_wait_p(m);
}

/* The P is gone: another one, or sleep until there is. */
static void
slow_exit(struct sched_m *m)
{
    struct sched_mi *mi = mi_of(m);
    struct sched *s = m->sched;
    struct sched_pi *p;
    struct sched_g *g = m->g;

    rt_lock(&s->lock);
    p = a32_load_rlx(&s->gcwaiting) ? NULL : p_idle_get_locked(s);
    if (p != NULL) {
        rt_unlock(&s->lock);
        p_acquire(mi, p);
        g_set_state(s, g, G_SYSCALL, G_RUNNING);
    } else {
        struct sched_m *was = sched_g_bound(g);

        aptr_store_rlx(&g->bound, m);
        g->m = NULL;
        g_set_state_any(g, G_SYSCALL, G_RUNNABLE);
        globrunq_put_locked(s, &g, 1);
        rt_unlock(&s->lock);
        wait_p(mi);
        /* In this order: while g is bound its stack is not moved, and the
         * native that goes on knows where it is. */
        g_set_state(s, g, G_RUNNABLE, G_RUNNING);
        /* rel: pairs with the acq of sched_g_bound() */
        aptr_store_rel(&g->bound, was);
    }
    g->m = m;
    p = pi_of(m->p);
    aptr_store_rel(&p->curg, g);
    a32_store_rlx(&p->schedtick, ++p->tick);
    if (trace_on(s->trace)) {
        trace_go_sys_exit(s->trace, &p->p.trace, &g->trace, mi->sys_end);
        trace_go_start(s->trace, &p->p.trace, &g->trace);
    }
}

static void
leave(struct sched_m *m)
{
    struct sched_mi *mi = mi_of(m);
    struct sched *s = m->sched;
    struct sched_pi *p = mi->oldp;

    if (--mi->sys_depth > 0 || mi->stw || s->seed != NULL)
        return;
    /* full: pairs with wait_for() in life.c; after its CAS everything may be
     * gone. */
    if (!a32_cas_full(&mi->in_syscall, M_IN_SYSCALL, M_HERE))
        block_for_ever();
    mi->oldp = NULL;
    /* full: pairs with retake_locked() */
    if (!a32_cas_full(&p->p.state, syscall_state(mi), P_RUNNING)) {
        mi->sys_end = trace_on(s->trace) ? trace_ticks(s->trace) : 0;
        slow_exit(m);
        prof_g_before_run(s->prof, &s->prof->gor, &m->g->prof);
        return;
    }
    m->p = &p->p;
    if (rt_unlikely(a32_load_rlx(&s->gc_marking)))
        gcwork_flush(p);
    g_set_state(s, m->g, G_SYSCALL, G_RUNNING);
    if (trace_on(s->trace))
        trace_kept(s, p, m->g);
    prof_g_before_run(s->prof, &s->prof->gor, &m->g->prof);
    a32_store_rlx(&p->schedtick, ++p->tick);
    if (a32_load_acq(&s->exiting) || a32_load_acq(&s->gcwaiting))
        preempt_one(s, p, 1);
}

void
sched_syscall_enter(struct sched_m *m)
{
    struct sched *s = m->sched;

    if (enter(m) && a32_load_acq(&s->gcwaiting))
        help_stop(s, mi_of(m)->oldp);
}

void
sched_syscall_exit(struct sched_m *m)
{
    leave(m);
}

void
sched_block_enter(struct sched_m *m)
{
    struct sched *s = m->sched;
    struct sched_pi *p;
    bool got;

    if (!enter(m))
        return;
    p = mi_of(m)->oldp;
    rt_lock(&s->lock);
    got = retake_locked(s, p, P_IDLE);
    rt_unlock(&s->lock);
    if (got)
        p_handoff(s, p);
}

void
sched_block_exit(struct sched_m *m)
{
    leave(m);
}
