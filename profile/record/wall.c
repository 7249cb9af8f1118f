/* SPDX-License-Identifier: MIT */
#include "profile/record/wall.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "profile/record/profile.h"
#include "profile/record/ring.h"
#include "profile/record/sum.h"
#include "runtime/base/throw.h"

/* The sampler takes at most one part in so many of a processor. */
enum { SHARE = 10 };

static const char running[] = "running";

/* ---- those that run: by signal ---------------------------------------------- */

void
prof_wall_signal(struct prof *p, const void *ucontext)
{
    struct prof_wall *wl = &p->wall;
    vpc stk[PROF_STACK_MAX];
    struct prof_where w = { NULL, 0, -1, 0 };
    struct prof_cpu_ring *r;

    /* full: pairs with prof_wall_stop(). */
    a32_add_full(&wl->busy, 1);
    r = aptr_load_acq(&wl->ring);
    if (a32_load_acq(&wl->on) != 0 && r != NULL) {
        p->host->interrupted(p->ctx, ucontext, stk, PROF_STACK_MAX, &w);
        if (w.goid != 0)
            prof_ring_put(r, 0, &w, stk);
    }
    a32_add_full(&wl->busy, UINT32_MAX);
}

static void
drain(struct prof *p)
{
    struct prof_cpu_ring *r = aptr_load_acq(&p->wall.ring);
    struct prof_sample s;

    while (prof_ring_take(r, &s)) {
        prof_sum_add(p->wall.sum, s.stk, s.w.n, s.w.labels, running, 1);
        prof_labels_unref(s.w.labels);
    }
}

/* ---- those that do not: by reading ------------------------------------------- */

/*
 * Keeps g from beginning to run until unpin().  False: it runs, or is dead.
 * Note [pin]: we set pin and then read the state; who runs g sets the state
 * and then reads pin (prof_g_before_run_slow()), both by operations on pin
 * with full order, so one of the two sees the other.
 */
static bool
pin(struct prof *p, struct prof_g *g, struct prof_ginfo *info)
{
    a32_add_full(&g->pin, 1); /* full: Note [pin] */
    p->host->g_info(p->ctx, g, info);
    return info->alive && !info->running && !info->system;
}

static void
unpin(struct prof_g *g)
{
    /* full: the stack has been read; pairs with prof_g_before_run_slow(). */
    a32_add_full(&g->pin, UINT32_MAX);
}

static void
look(void *arg, struct prof_g *g)
{
    struct prof *p = arg;
    vpc stk[PROF_STACK_MAX];
    struct prof_ginfo info;

    if (pin(p, g, &info)) {
        uint32_t n = p->host->walk_g(p->ctx, g, stk, PROF_STACK_MAX);

        prof_sum_add(p->wall.sum, stk, n, g->labels, info.state, 1);
    }
    unpin(g);
}

static void
sampler(void *arg)
{
    struct prof *p = arg;
    struct prof_wall *w = &p->wall;
    int64_t period = 1000000000 / w->hz, pause = period;

    while (!rt_note_tsleep(&w->stop, pause)) {
        int64_t t = rt_nanotime();

        p->host->wall_signal(p->ctx);
        p->host->each_g(p->ctx, look, p);
        drain(p);
        w->ticks++;
        /* With very many goroutines less often. */
        t = rt_nanotime() - t;
        pause = period > t * (SHARE - 1) ? period - t : t * (SHARE - 1);
    }
}

/* ---- start and stop ------------------------------------------------------------- */

/* The hook before a goroutine runs looks at pins or does not; world stopped,
 * so that no thread is in between. */
static void
set_hook(struct prof *p, bool on)
{
    uint32_t v;

    p->host->stop_world(p->ctx);
    v = a32_load_rlx(&p->gor.active);
    a32_store_rel(&p->gor.active,
        on ? v | PROF_GOR_WALL : v & ~(uint32_t)PROF_GOR_WALL);
    p->host->start_world(p->ctx);
}

static bool
make_ring(struct prof_wall *w)
{
    struct prof_cpu_ring *r;

    if (aptr_load_rlx(&w->ring) != NULL)
        return true;
    r = prof_ring_new();
    if (r == NULL)
        return false;
    aptr_store_rel(&w->ring, r); /* rel: pairs with prof_wall_signal() */
    return true;
}

static enum rt_status
start_locked(struct prof *p, uint32_t hz, struct rt_err *e)
{
    struct prof_wall *w = &p->wall;
    enum rt_status st;

    if (w->running)
        return rt_errf(
            e, RT_ESTATE, UINT64_MAX, "wall profiling already in use");
    w->sum = prof_sum_new();
    if (w->sum == NULL || !make_ring(w)) {
        prof_sum_free(w->sum);
        w->sum = NULL;
        return rt_errf(e, RT_ENOMEM, UINT64_MAX, "out of memory");
    }
    w->hz = hz;
    w->ticks = 0;
    w->start_wall = rt_walltime();
    w->start_mono = rt_nanotime();
    rt_note_clear(&w->stop);
    set_hook(p, true);
    a32_store_full(&w->on, 1);
    st = rt_thread_start(&w->thread, sampler, p, 0, "vole-wallprof", e);
    if (st == RT_OK) {
        w->running = true;
        return RT_OK;
    }
    a32_store_full(&w->on, 0);
    set_hook(p, false);
    prof_sum_free(w->sum);
    w->sum = NULL;
    return st;
}

enum rt_status
prof_wall_start(struct prof *p, uint32_t hz, struct rt_err *e)
{
    enum rt_status st;

    if (hz == 0)
        hz = PROF_CPU_HZ;
    if (hz > PROF_CPU_MAX_HZ)
        hz = PROF_CPU_MAX_HZ;
    p->host->wait_enter(p->ctx);
    rt_lock(&p->wall.ctl);
    st = start_locked(p, hz, e);
    rt_unlock(&p->wall.ctl);
    p->host->wait_leave(p->ctx);
    return st;
}

/* No more samples; all of them have been summed up. */
static void
quiesce(struct prof *p, bool world)
{
    struct prof_wall *w = &p->wall;

    rt_note_wakeup(&w->stop);
    rt_thread_join(&w->thread);
    a32_store_full(&w->on, 0); /* full: pairs with prof_wall_signal() */
    while (a32_load_acq(&w->busy) != 0)
        sched_yield();
    if (world)
        set_hook(p, false);
    drain(p);
    w->running = false;
}

static enum rt_status
finish(struct prof *p, struct prof_wall_profile **out, struct rt_err *e)
{
    struct prof_wall *w = &p->wall;
    struct prof_cpu_sum *s = w->sum;
    struct prof_wall_profile *f = calloc(1, sizeof *f);

    w->sum = NULL;
    if (f != NULL)
        f->v = malloc((s->n + 1) * sizeof *f->v);
    if (f == NULL || f->v == NULL) {
        free(f);
        prof_sum_free(s);
        return rt_errf(e, RT_ENOMEM, UINT64_MAX, "out of memory");
    }
    for (uint32_t i = 0; i < s->n; i++)
        f->v[f->n++] = (struct prof_wall_record){ s->rows[i].stk,
            s->rows[i].nstk, s->rows[i].labels, s->rows[i].state,
            s->rows[i].count };
    f->ticks = w->ticks;
    f->start_wall = w->start_wall;
    f->duration_ns = rt_nanotime() - w->start_mono;
    f->period_ns =
        w->ticks == 0 ? 0 : f->duration_ns / (int64_t)w->ticks;
    f->sum = s;
    *out = f;
    return RT_OK;
}

enum rt_status
prof_wall_stop(struct prof *p, struct prof_wall_profile **out,
    struct rt_err *e)
{
    enum rt_status st;

    *out = NULL;
    p->host->wait_enter(p->ctx);
    rt_lock(&p->wall.ctl);
    if (!p->wall.running) {
        st = rt_errf(e, RT_ESTATE, UINT64_MAX, "no wall profile is on");
    } else {
        quiesce(p, true);
        st = finish(p, out, e);
    }
    rt_unlock(&p->wall.ctl);
    p->host->wait_leave(p->ctx);
    return st;
}

void
prof_wall_profile_free(struct prof_wall_profile *f)
{
    if (f == NULL)
        return;
    prof_sum_free(f->sum);
    free(f->v);
    free(f);
}

void
prof_wall_init(struct prof_wall *w)
{
    memset(w, 0, sizeof *w);
    rt_lock_init(&w->ctl, RANK_PROF_CTL);
}

void
prof_wall_fini(struct prof *p)
{
    struct prof_wall *w = &p->wall;

    if (w->running) {
        quiesce(p, false);
        prof_sum_free(w->sum);
    }
    prof_ring_free(aptr_load_rlx(&w->ring));
}
