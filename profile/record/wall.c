/* SPDX-License-Identifier: MIT */
#include "profile/record/wall.h"

#include "profile/record/profile.h"
#include "profile/record/sum.h"
#include "runtime/base/throw.h"

/* The sampler takes at most one part in so many of a processor. */
enum { SHARE = 10 };

/* ---- those that do not run: by reading ------------------------------------------- */

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
    if (!p->host->g_parked(p->ctx, g))
        return false;
    p->host->g_info(p->ctx, g, info);
    return !info->system;
}

static void
unpin(struct prof_g *g)
{
    /* full: the stack has been read; pairs with prof_g_before_run_slow(). */
    uint32_t before = a32_add_full(&g->pin, UINT32_MAX);

    rt_assert(before > 0);
    (void)before;
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
    struct prof_timed *w = &p->wall;
    int64_t period = 1000000000 / w->hz, pause = period;

    while (!rt_note_tsleep(&w->stop, pause)) {
        int64_t t = rt_nanotime();

        p->host->wall_signal(p->ctx);
        p->host->each_g(p->ctx, look, p);
        prof_timed_drain(p, w);
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

static enum rt_status
wall_begin(struct prof *p, uint32_t hz, struct rt_err *e)
{
    (void)hz;
    (void)e;
    set_hook(p, true);
    return RT_OK;
}

static void
wall_end(struct prof *p, bool fini)
{
    if (!fini)
        set_hook(p, false);
}

const struct prof_timed_kind prof_wall_kind = {
    .busy = "wall profiling already in use",
    .none = "no wall profile is on",
    .thread_name = "vole-wallprof",
    .state = "running",
    .only_g = true,
    .thread = sampler,
    .begin = wall_begin,
    .end = wall_end,
};

enum rt_status
prof_wall_start(struct prof *p, uint32_t hz, struct rt_err *e)
{
    return prof_timed_start(p, &p->wall, hz, e);
}

enum rt_status
prof_wall_stop(
    struct prof *p, struct prof_timed_profile **out, struct rt_err *e)
{
    return prof_timed_stop(p, &p->wall, out, e);
}

void
prof_wall_signal(struct prof *p, const void *ucontext)
{
    prof_timed_signal(p, &p->wall, ucontext);
}
