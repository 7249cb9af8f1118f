/* SPDX-License-Identifier: MIT */
/*
 * The profiler's host table.
 */
#include "runtime/host/host_int.h"

#include "runtime/base/throw.h"
#include "runtime/vm/vm.h"
#include "sched/sched.h"

static uint32_t
prof_walk_self(void *ctx, vpc *pcs, uint32_t max)
{
    struct sched_m *m = sched_m_self();

    (void)ctx;
    if (m == NULL || m->g == NULL || m->vt == NULL)
        return 0;
    return vm_walk_self(m, pcs, max, false);
}

static uint32_t
prof_walk_g(void *ctx, struct prof_g *g, vpc *pcs, uint32_t max)
{
    struct vole *v = ctx;

    rt_assert(g != NULL && pcs != NULL);
    return vm_walk(v->vm, sched_prof_g_of(g), 0, pcs, max);
}

static struct prof_g *
self(void *ctx)
{
    struct vole *v = ctx;

    return sched_prof_self(v->sched);
}

static void
g_info(void *ctx, struct prof_g *g, struct prof_ginfo *out)
{
    struct vole *v = ctx;

    rt_assert(g != NULL && v->sched != NULL);
    sched_prof_info(v->sched, g, out);
}

static bool
g_parked(void *ctx, struct prof_g *g)
{
    (void)ctx;
    return sched_prof_parked(g);
}

static uint32_t
count_g(void *ctx)
{
    struct vole *v = ctx;

    return sched_prof_count(v->sched);
}

static void
each_g(void *ctx, void (*fn)(void *arg, struct prof_g *g), void *arg)
{
    struct vole *v = ctx;

    sched_prof_each_g(v->sched, fn, arg);
}

static struct prof_g *
finalizer_g(void *ctx)
{
    struct vole *v = ctx;

    return sched_prof_finalizer(v->sched);
}

static bool
leaked(void *ctx, void (*fn)(void *arg, struct prof_g *g), void *arg)
{
    struct vole *v = ctx;

    return sched_prof_leaked(v->sched, fn, arg);
}

static void
wait_enter(void *ctx)
{
    struct vole *v = ctx;

    sched_prof_wait_enter(v->sched);
}

static void
wait_leave(void *ctx)
{
    struct vole *v = ctx;

    sched_prof_wait_leave(v->sched);
}

static void
prof_stop_world(void *ctx)
{
    struct vole *v = ctx;

    rt_assert(v->sched != NULL);
    sched_stop_world_any(v->sched, STW_GOROUTINE_PROFILE);
}

static void
prof_start_world(void *ctx)
{
    struct vole *v = ctx;

    sched_start_world_any(v->sched);
}

static enum rt_status
cpu_timers(void *ctx, uint32_t hz, struct rt_err *e)
{
    struct vole *v = ctx;

    return sched_prof_timers(v->sched, hz, e);
}

static void
wall_signal(void *ctx)
{
    struct vole *v = ctx;

    sched_prof_wall_signal(v->sched);
}

static bool
is_interp(void *ctx, uintptr_t addr)
{
    (void)ctx;
    return vm_is_interp(addr);
}

static void
interrupted(void *ctx, const void *ucontext, vpc *pcs, uint32_t max,
    struct prof_where *w)
{
    struct vole *v = ctx;

    vm_interrupted(v->vm, ucontext, pcs, max, w);
}

const struct prof_host host_prof_host = {
    .walk_self = prof_walk_self,
    .walk_g = prof_walk_g,
    .self = self,
    .g_info = g_info,
    .g_parked = g_parked,
    .count_g = count_g,
    .each_g = each_g,
    .finalizer_g = finalizer_g,
    .leaked = leaked,
    .wait_enter = wait_enter,
    .wait_leave = wait_leave,
    .stop_world = prof_stop_world,
    .start_world = prof_start_world,
    .cpu_timers = cpu_timers,
    .wall_signal = wall_signal,
    .is_interp = is_interp,
    .interrupted = interrupted,
};

static uint64_t
prof_sys(void *arg)
{
    const struct mprof *mp = arg;

    return prof_buckets_bytes(mp->buckets);
}

const struct gc_prof_sink host_mem_sink = {
    .malloc = mprof_malloc,
    .free = mprof_free,
    .free_many = mprof_free_many,
    .next_sample = mprof_next_sample,
    .next_cycle = mprof_next_cycle,
    .flush = mprof_flush,
    .post_sweep = mprof_post_sweep,
    .sys = prof_sys,
};
