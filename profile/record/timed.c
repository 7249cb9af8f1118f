/* SPDX-License-Identifier: MIT */
#include "profile/record/timed.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "profile/record/profile.h"
#include "profile/record/ring.h"
#include "profile/record/sum.h"
#include "runtime/base/cstack.h"
#include "runtime/base/throw.h"

/* ---- samples ------------------------------------------------------------------ */

static void
sample(struct prof *p, const struct prof_timed *t, struct prof_cpu_ring *r,
    const void *ucontext)
{
    vpc stk[PROF_STACK_MAX];
    struct prof_where w = { NULL, 0, -1, 0 };

    p->host->interrupted(p->ctx, ucontext, stk, PROF_STACK_MAX, &w);
    if (!t->kind->only_g || w.goid != 0)
        prof_ring_put(r, rt_ticks(p->clock), &w, stk);
}

void
prof_timed_signal(
    struct prof *p, struct prof_timed *t, const void *ucontext)
{
    struct prof_cpu_ring *r;

    /* full: pairs with silence(), which clears `on` and then looks at
     * `busy`. */
    a32_add_full(&t->busy, 1);
    r = aptr_load_acq(&t->ring);
    if (a32_load_acq(&t->on) != 0 && r != NULL)
        sample(p, t, r, ucontext);
    a32_add_full(&t->busy, UINT32_MAX);
}

void
prof_timed_drain(struct prof *p, struct prof_timed *t)
{
    struct prof_cpu_ring *r = aptr_load_acq(&t->ring);
    struct prof_sample s;

    while (prof_ring_take(r, &s)) {
        if (t->kind->note != NULL)
            t->kind->note(p, &s);
        prof_sum_add(t->sum, s.stk, s.w.n, s.w.labels, t->kind->state, 1);
        prof_labels_unref(s.w.labels);
    }
}

/* ---- start and stop --------------------------------------------------------------- */

static bool
make_ring(struct prof_timed *t)
{
    struct prof_cpu_ring *r;

    if (aptr_load_rlx(&t->ring) != NULL)
        return true;
    r = prof_ring_new();
    if (r == NULL)
        return false;
    aptr_store_rel(&t->ring, r); /* rel: pairs with prof_timed_signal() */
    return true;
}

/* No more samples; all of them have been summed up. */
static void
silence(struct prof *p, struct prof_timed *t)
{
    a32_store_full(&t->on, 0); /* full: pairs with prof_timed_signal() */
    while (a32_load_acq(&t->busy) != 0)
        sched_yield();
    prof_timed_drain(p, t);
    rt_assert_full(prof_ring_valid(aptr_load_rlx(&t->ring)));
    rt_assert_full(prof_sum_valid(t->sum));
}

static void
drop_sum(struct prof_timed *t)
{
    prof_sum_free(t->sum);
    t->sum = NULL;
}

static enum rt_status
start_locked(
    struct prof *p, struct prof_timed *t, uint32_t hz, struct rt_err *e)
{
    enum rt_status st;

    rt_assert_held(&t->ctl);
    rt_assert(hz > 0 && hz <= PROF_CPU_MAX_HZ);
    if (t->running)
        return rt_errf(e, RT_ESTATE, UINT64_MAX, "%s", t->kind->busy);
    rt_assert(t->sum == NULL && a32_load_rlx(&t->on) == 0);
    t->sum = prof_sum_new();
    if (t->sum == NULL || !make_ring(t)) {
        drop_sum(t);
        return rt_errf(e, RT_ENOMEM, UINT64_MAX, "out of memory");
    }
    t->hz = hz;
    t->ticks = 0;
    t->start_wall = rt_walltime();
    t->start_mono = rt_nanotime();
    rt_note_clear(&t->stop);
    a32_store_full(&t->on, 1);
    st = t->kind->begin(p, hz, e);
    if (st == RT_OK) {
        st = rt_thread_start(
            &t->thread, t->kind->thread, p, 0, t->kind->thread_name, e);
        if (st == RT_OK) {
            t->running = true;
            return RT_OK;
        }
        t->kind->end(p, false);
    }
    silence(p, t);
    drop_sum(t);
    return st;
}

enum rt_status
prof_timed_start(
    struct prof *p, struct prof_timed *t, uint32_t hz, struct rt_err *e)
{
    enum rt_status st;

    if (hz == 0)
        hz = PROF_CPU_HZ;
    if (hz > PROF_CPU_MAX_HZ)
        hz = PROF_CPU_MAX_HZ;
    rt_cstack_prepare(); /* the signal's handler unwinds */
    p->host->wait_enter(p->ctx);
    rt_lock(&t->ctl);
    st = start_locked(p, t, hz, e);
    rt_unlock(&t->ctl);
    p->host->wait_leave(p->ctx);
    return st;
}

static void
quiesce(struct prof *p, struct prof_timed *t, bool fini)
{
    rt_note_wakeup(&t->stop);
    rt_thread_join(&t->thread);
    t->kind->end(p, fini);
    silence(p, t);
    t->running = false;
    rt_assert(a32_load_rlx(&t->on) == 0 && a32_load_rlx(&t->busy) == 0);
}

static enum rt_status
finish(struct prof_timed *t, struct prof_timed_profile **out,
    struct rt_err *e)
{
    struct prof_cpu_ring *r = aptr_load_rlx(&t->ring);
    struct prof_cpu_sum *s = t->sum;
    struct prof_timed_profile *f = calloc(1, sizeof *f);
    vpc lost = prof_pc_mark(PROF_MARK_LOST);

    rt_assert_held(&t->ctl);
    rt_assert(s != NULL && !t->running);
    t->sum = NULL;
    uint64_t n = s->lost + prof_ring_lost(r);
    uint64_t samples = s->total;
    if (n > 0)
        prof_sum_add(s, &lost, 1, NULL, t->kind->state, n);
    if (f != NULL)
        f->v = malloc((s->n + 1) * sizeof *f->v);
    if (f == NULL || f->v == NULL) {
        free(f);
        prof_sum_free(s);
        return rt_errf(e, RT_ENOMEM, UINT64_MAX, "out of memory");
    }
    for (uint32_t i = 0; i < s->n; i++)
        f->v[f->n++] = (struct prof_timed_record){ s->rows[i].stk,
            s->rows[i].nstk, s->rows[i].labels, s->rows[i].state,
            s->rows[i].count };
    f->samples = samples;
    f->lost = n;
    f->ticks = t->ticks;
    f->start_wall = t->start_wall;
    f->duration_ns = rt_nanotime() - t->start_mono;
    f->period_ns = t->ticks == 0 ? 1000000000 / t->hz
                                 : f->duration_ns / (int64_t)t->ticks;
    f->sum = s;
    *out = f;
    return RT_OK;
}

enum rt_status
prof_timed_stop(struct prof *p, struct prof_timed *t,
    struct prof_timed_profile **out, struct rt_err *e)
{
    enum rt_status st;

    *out = NULL;
    p->host->wait_enter(p->ctx);
    rt_lock(&t->ctl);
    if (!t->running) {
        st = rt_errf(e, RT_ESTATE, UINT64_MAX, "%s", t->kind->none);
    } else {
        quiesce(p, t, false);
        st = finish(t, out, e);
    }
    rt_unlock(&t->ctl);
    p->host->wait_leave(p->ctx);
    return st;
}

void
prof_timed_free(struct prof_timed_profile *f)
{
    if (f == NULL)
        return;
    prof_sum_free(f->sum);
    free(f->v);
    free(f);
}

void
prof_timed_init(struct prof_timed *t, const struct prof_timed_kind *kind)
{
    memset(t, 0, sizeof *t);
    t->kind = kind;
    rt_lock_init(&t->ctl, RANK_PROF_CTL);
}

void
prof_timed_fini(struct prof *p, struct prof_timed *t)
{
    if (t->running) {
        quiesce(p, t, true);
        drop_sum(t);
    }
    prof_ring_free(aptr_load_rlx(&t->ring));
}
