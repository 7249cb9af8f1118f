/* SPDX-License-Identifier: MIT */
/*
 * What must hold of goroutines, Ms and Ps while the world is stopped, looked
 * at when it is about to go on, and of Ps when all Ms have ended; in builds
 * with -Dchecks=full.
 */
#include "sched/sched_int.h"

/* Running goroutines are those of the Ms that stop the world, or wait for
 * their turn to, and the one that has ended the process; the others are
 * nobody's. */
static bool
g_valid(const struct sched *s, const struct sched_g *g)
{
    uint32_t st = a32_load_acq(&g->state);

    switch (st & ~(uint32_t)G_SCAN) {
    case G_RUNNING:
        return st == G_RUNNING && g->m != NULL && g->m->g == g &&
            (g->m->p != NULL || a32_load_acq(&s->exiting));
    case G_RUNNABLE:
    case G_WAITING:
        return g->m == NULL && g->wait_reason < WAIT_COUNT;
    case G_SYSCALL:
        return g->m != NULL;
    default:
        return st == G_IDLE || st == G_DEAD;
    }
}

struct look {
    const struct sched *s;
    bool ok;
};

static void
check_g(void *arg, struct sched_g *g)
{
    struct look *l = arg;

    l->ok = l->ok && g_valid(l->s, g);
}

static bool
p_valid(struct sched_pi *p, bool used)
{
    enum sched_pstate st = p_state(p);

    if (!used)
        return st == P_DEAD && runq_empty(p) && p->timers.n == 0;
    return st == P_GCSTOP && runq_valid(p) && timers_valid(&p->timers) &&
        p->ngfree < RT_GFREE_LIST && p->nsudogs <= RT_SUDOG_CACHE;
}

/* The idle Ms are as many as it says, and have nothing. */
static bool
idle_ms_valid(const struct sched *s)
{
    uint32_t n = 0;

    for (const struct sched_mi *m = s->midle; m != NULL; m = m->idle_next) {
        if (!m->blocked || m->m.p != NULL || m->m.g != NULL ||
            a32_load_rlx(&m->spinning) || m->bound_wait)
            return false;
        n++;
    }
    return n == s->nmidle && s->nmidle + s->nmbound <= s->nm;
}

bool
sched_valid_locked(struct sched *s)
{
    uint32_t n = a32_load_rlx(&s->nprocs);
    struct look l = {s, true};

    rt_assert_held(&s->lock);
    if (!a32_load_rlx(&s->gcwaiting) || s->stopwait != 0 ||
        a32_load_rlx(&s->npidle) != 0 || s->pidle != NULL ||
        (a32_load_rlx(&s->qsize) != 0) > (s->globq.cap != 0) ||
        a32_load_rlx(&s->qsize) > s->globq.cap)
        return false;
    for (uint32_t i = 0; i < a32_load_rlx(&s->nall); i++)
        l.ok = l.ok && p_valid(s->allp[i], i < n);
    if (!l.ok || !idle_ms_valid(s))
        return false;
    sched_each_g(s, check_g, &l);
    return l.ok;
}

bool
sched_ended_locked(struct sched *s)
{
    uint32_t n = 0;

    rt_assert_held(&s->lock);
    if (a32_load_rlx(&s->gcwaiting))
        return true; /* a thread of the host stops the world: they are its */
    for (const struct sched_pi *p = s->pidle; p != NULL; p = p->idle_next) {
        if ((a32_load_acq(&p->p.state) & P_STATE_MASK) != P_IDLE)
            return false;
        n++;
    }
    return n == a32_load_rlx(&s->npidle) && n == a32_load_rlx(&s->nprocs);
}
