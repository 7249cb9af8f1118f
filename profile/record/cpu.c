/* SPDX-License-Identifier: MIT */
#include "profile/record/cpu.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "profile/record/profile.h"
#include "profile/record/ring.h"
#include "profile/record/sum.h"
#include "runtime/base/throw.h"
#include "trace/record/trace.h"

enum { DRAIN_MS = 40 };

/* ---- samples ------------------------------------------------------------------ */

static void
sample(struct prof *p, struct prof_cpu_ring *r, const void *ucontext)
{
    vpc stk[PROF_STACK_MAX];
    struct prof_where w = { NULL, 0, -1, 0 };

    p->host->interrupted(p->ctx, ucontext, stk, PROF_STACK_MAX, &w);
    prof_ring_put(r, rt_ticks(p->clock), &w, stk);
}

void
prof_cpu_signal(struct prof *p, const void *ucontext)
{
    struct prof_cpu *c = &p->cpu;
    struct prof_cpu_ring *r;

    /* full: pairs with prof_cpu_stop(), which clears `on` and then looks at
     * `busy`. */
    a32_add_full(&c->busy, 1);
    r = aptr_load_acq(&c->ring);
    if (a32_load_acq(&c->on) != 0 && r != NULL)
        sample(p, r, ucontext);
    a32_add_full(&c->busy, UINT32_MAX);
}

static void
drain(struct prof *p)
{
    struct prof_cpu_ring *r = aptr_load_acq(&p->cpu.ring);
    struct prof_sample s;

    while (prof_ring_take(r, &s)) {
        if (p->trace != NULL && trace_on(p->trace))
            trace_cpu_sample(
                p->trace, s.when, s.w.p, s.w.goid, s.stk, s.w.n);
        prof_sum_add(p->cpu.sum, s.stk, s.w.n, s.w.labels, NULL, 1);
        prof_labels_unref(s.w.labels);
    }
}

static void
drainer(void *arg)
{
    struct prof *p = arg;

    while (!rt_note_tsleep(&p->cpu.stop, DRAIN_MS * 1000000LL))
        drain(p);
}

/* ---- start and stop --------------------------------------------------------------- */

static bool
make_ring(struct prof_cpu *c)
{
    struct prof_cpu_ring *r;

    if (aptr_load_rlx(&c->ring) != NULL)
        return true;
    r = prof_ring_new();
    if (r == NULL)
        return false;
    aptr_store_rel(&c->ring, r); /* rel: pairs with prof_cpu_signal() */
    return true;
}

static void
end_drainer(struct prof_cpu *c)
{
    rt_note_wakeup(&c->stop);
    rt_thread_join(&c->drainer);
}

static enum rt_status
start_locked(struct prof *p, uint32_t hz, struct rt_err *e)
{
    struct prof_cpu *c = &p->cpu;
    enum rt_status st;

    if (c->running)
        return rt_errf(
            e, RT_ESTATE, UINT64_MAX, "cpu profiling already in use");
    c->sum = prof_sum_new();
    if (c->sum == NULL || !make_ring(c)) {
        prof_sum_free(c->sum);
        c->sum = NULL;
        return rt_errf(e, RT_ENOMEM, UINT64_MAX, "out of memory");
    }
    c->hz = hz;
    c->start_wall = rt_walltime();
    c->start_mono = rt_nanotime();
    rt_note_clear(&c->stop);
    st = rt_thread_start(&c->drainer, drainer, p, 0, "vole-cpuprof", e);
    if (st == RT_OK) {
        a32_store_full(&c->on, 1);
        st = p->host->cpu_timers(p->ctx, hz, e);
        if (st == RT_OK) {
            c->running = true;
            return RT_OK;
        }
        a32_store_full(&c->on, 0);
        end_drainer(c);
    }
    prof_sum_free(c->sum);
    c->sum = NULL;
    return st;
}

enum rt_status
prof_cpu_start(struct prof *p, uint32_t hz, struct rt_err *e)
{
    enum rt_status st;

    if (hz == 0)
        hz = PROF_CPU_HZ;
    if (hz > PROF_CPU_MAX_HZ)
        hz = PROF_CPU_MAX_HZ;
    p->host->wait_enter(p->ctx);
    rt_lock(&p->cpu.ctl);
    st = start_locked(p, hz, e);
    rt_unlock(&p->cpu.ctl);
    p->host->wait_leave(p->ctx);
    return st;
}

/* No more samples; all of them have been summed up. */
static void
quiesce(struct prof *p)
{
    struct prof_cpu *c = &p->cpu;

    p->host->cpu_timers(p->ctx, 0, NULL);
    a32_store_full(&c->on, 0); /* full: pairs with prof_cpu_signal() */
    while (a32_load_acq(&c->busy) != 0)
        sched_yield();
    end_drainer(c);
    drain(p);
    c->running = false;
}

static enum rt_status
finish(struct prof *p, struct prof_cpu_profile **out, struct rt_err *e)
{
    struct prof_cpu *c = &p->cpu;
    struct prof_cpu_ring *r = aptr_load_rlx(&c->ring);
    struct prof_cpu_sum *s = c->sum;
    struct prof_cpu_profile *f = calloc(1, sizeof *f);
    vpc lost = prof_pc_mark(PROF_MARK_LOST);

    c->sum = NULL;
    uint64_t n = s->lost + prof_ring_lost(r);
    uint64_t samples = s->total;
    if (n > 0)
        prof_sum_add(s, &lost, 1, NULL, NULL, n);
    if (f != NULL)
        f->v = malloc((s->n + 1) * sizeof *f->v);
    if (f == NULL || f->v == NULL) {
        free(f);
        prof_sum_free(s);
        return rt_errf(e, RT_ENOMEM, UINT64_MAX, "out of memory");
    }
    for (uint32_t i = 0; i < s->n; i++)
        f->v[f->n++] = (struct prof_cpu_record){ s->rows[i].stk,
            s->rows[i].nstk, s->rows[i].labels, s->rows[i].count };
    f->samples = samples;
    f->lost = n;
    f->period_ns = 1000000000 / c->hz;
    f->start_wall = c->start_wall;
    f->duration_ns = rt_nanotime() - c->start_mono;
    f->sum = s;
    *out = f;
    return RT_OK;
}

enum rt_status
prof_cpu_stop(struct prof *p, struct prof_cpu_profile **out,
    struct rt_err *e)
{
    enum rt_status st;

    *out = NULL;
    p->host->wait_enter(p->ctx);
    rt_lock(&p->cpu.ctl);
    if (!p->cpu.running) {
        st = rt_errf(e, RT_ESTATE, UINT64_MAX, "no cpu profile is on");
    } else {
        quiesce(p);
        st = finish(p, out, e);
    }
    rt_unlock(&p->cpu.ctl);
    p->host->wait_leave(p->ctx);
    return st;
}

void
prof_cpu_profile_free(struct prof_cpu_profile *f)
{
    if (f == NULL)
        return;
    prof_sum_free(f->sum);
    free(f->v);
    free(f);
}

void
prof_cpu_init(struct prof_cpu *c)
{
    memset(c, 0, sizeof *c);
    rt_lock_init(&c->ctl, RANK_PROF_CTL);
}

void
prof_cpu_fini(struct prof *p)
{
    struct prof_cpu *c = &p->cpu;

    if (c->running) {
        quiesce(p);
        prof_sum_free(c->sum);
    }
    prof_ring_free(aptr_load_rlx(&c->ring));
}
