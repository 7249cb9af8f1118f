/* SPDX-License-Identifier: MIT */
/*
 * The collector's host table: what it asks of scheduler, VM and library.
 */

#include <string.h>
#include <unistd.h>

#include "gc/gc.h"
#include "runtime/base/throw.h"
#include "runtime/host/host_int.h"
#include "runtime/lib/runtime/hooks.h"
#include "runtime/vm/vm.h"
#include "sched/sched.h"

/* The calling thread, which has a P: it runs a goroutine or collects. */
static struct sched_m *
collector(void)
{
    struct sched_m *m = sched_m_self();

    rt_assert(m != NULL && m->p != NULL);
    return m;
}

static void
heap_stop_world(void *arg, const char *reason)
{
    (void)arg;
    sched_stop_world(collector(), strstr(reason, "mark") != NULL ?
        STW_GC_MARK_TERM : STW_GC_SWEEP_TERM);
}

static void
heap_start_world(void *arg)
{
    (void)arg;
    sched_start_world(collector());
}

static int64_t
stopping_at(void *arg)
{
    (void)arg;
    return sched_stopping_at(sched_m_self());
}

static int64_t
started_at(void *arg)
{
    (void)arg;
    return sched_started_at(sched_m_self());
}

static void
mark_roots(void *arg, struct gc_marker *m)
{
    struct vole *v = arg;

    rt_assert(v->vm != NULL && v->sched != NULL);
    vm_mark_roots(v->vm, m);
}

/* The goroutine that allocates passes a safepoint soon, and polls there. */
static void
request_gc(void *arg, struct gc_pcache *pc)
{
    struct vole *v = arg;
    struct sched_m *m = sched_m_self();

    if (m == NULL || m->p == NULL)
        return;
    rt_assert(pc == NULL || pc == &m->p->cache);
    a32_store_full(&m->p->preempt, 1);
    if (m->g != NULL)
        vm_sched_host.poison_g(v->vm, m->g);
}

static void
mark_begin(void *arg)
{
    struct vole *v = arg;

    sched_gc_mark_begin(v->sched);
}

static void
mark_end(void *arg)
{
    struct vole *v = arg;

    sched_gc_mark_end(v->sched);
}

static enum gc_roots
mark_root(void *arg, struct gc_marker *m)
{
    struct vole *v = arg;

    return sched_gc_mark_root(v->sched, m);
}

static bool
roots_left(void *arg)
{
    struct vole *v = arg;

    return sched_gc_roots_left(v->sched);
}

static bool
flush_ps(void *arg, struct gc_pcache *pc, uint32_t epoch)
{
    struct vole *v = arg;

    return sched_gc_flush_ps(v->sched, pc, epoch);
}

static void
wake_worker(void *arg)
{
    struct vole *v = arg;

    sched_gc_wake_worker(v->sched);
}

static void
wake_assists(void *arg)
{
    struct vole *v = arg;

    sched_gc_wake_assists(v->sched);
}

static void
mark_done(void *arg)
{
    struct vole *v = arg;

    sched_gc_mark_done(v->sched);
}

static void
wake_sweeper(void *arg)
{
    struct vole *v = arg;

    sched_gc_wake_sweeper(v->sched);
}

static uint32_t
procs(void *arg)
{
    struct vole *v = arg;

    return sched_procs(v->sched);
}

static void
finalizers_ready(void *arg)
{
    struct vole *v = arg;

    lib_finalizers_ready(&v->hooks);
}

static void
clear_caches(void *arg)
{
    struct vole *v = arg;

    lib_clear_pools(&v->hooks);
}

static void
print(void *arg, const char *line)
{
    ssize_t r;

    (void)arg;
    r = write(2, line, strlen(line));
    (void)r;
}

const struct gc_host host_gc_host = {
    .stop_world = heap_stop_world,
    .start_world = heap_start_world,
    .stopping_at = stopping_at,
    .started_at = started_at,
    .mark_roots = mark_roots,
    .mark_begin = mark_begin,
    .mark_end = mark_end,
    .mark_root = mark_root,
    .roots_left = roots_left,
    .flush_ps = flush_ps,
    .wake_worker = wake_worker,
    .wake_assists = wake_assists,
    .mark_done = mark_done,
    .wake_sweeper = wake_sweeper,
    .procs = procs,
    .request_gc = request_gc,
    .finalizers_ready = finalizers_ready,
    .clear_caches = clear_caches,
    .print = print,
};
