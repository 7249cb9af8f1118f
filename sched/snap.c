/* SPDX-License-Identifier: MIT */
/*
 * What a trace begins with: the state of every goroutine and every P while
 * the world is stopped.
 */
#include "sched/sched_int.h"

#include <stddef.h>

struct visit_g {
    void (*fn)(void *arg, const struct trace_gsnap *g);
    void *arg;
};

static void
visit(void *arg, struct sched_g *g)
{
    const struct visit_g *v = arg;
    struct trace_gsnap snap = {&g->trace, g->id, g->entry,
        TRACE_G_RUNNABLE};

    switch (sched_g_state(g)) {
    case G_RUNNING:
        snap.status = TRACE_G_RUNNING;
        break;
    case G_WAITING:
        snap.status = TRACE_G_WAITING;
        break;
    case G_SYSCALL:
        snap.status = TRACE_G_SYSCALL;
        break;
    default:
        break;
    }
    v->fn(v->arg, &snap);
}

void
sched_trace_gs(struct sched *s,
    void (*fn)(void *arg, const struct trace_gsnap *g), void *arg)
{
    struct visit_g v = {fn, arg};

    sched_each_g(s, visit, &v);
}

void
sched_trace_ps(struct sched *s,
    void (*fn)(void *arg, const struct trace_psnap *p), void *arg)
{
    uint32_t n = a32_load_acq(&s->nprocs);
    struct sched_m *self = sched_m_self();

    for (uint32_t i = 0; i < n; i++) {
        struct sched_pi *p = s->allp[i];
        struct trace_psnap snap = {.b = &p->p.trace};
        /* Of the stopped Ps only the caller's, and those of Ms that wait to
         * stop the world too, still have an M. */
        struct sched_mi *m = aptr_load_acq(&p->m);
        struct sched_g *g = aptr_load_acq(&p->curg);

        snap.self = self != NULL && self->p == &p->p;
        snap.running = m != NULL;
        snap.thread = m != NULL ? m_trace_id(m) : 0;
        if (m != NULL && g != NULL &&
            sched_g_state(g) == G_RUNNING)
            snap.g = &g->trace;
        fn(arg, &snap);
    }
}

struct trace_rec *
sched_tracer(const struct sched *s)
{
    return s->trace;
}

struct sched_g *
sched_trace_g_of(const struct trace_gstate *t)
{
    return (struct sched_g *)(uintptr_t)((const char *)t -
        offsetof(struct sched_g, trace));
}
