/* SPDX-License-Identifier: MIT */
/*
 * The tracer's host table, and the trace of -trace.
 */
#include "runtime/host/host_int.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "profile/record/pc.h"
#include "runtime/base/throw.h"
#include "runtime/vm/vm.h"
#include "sched/sched.h"

static void
trace_stop_world(void *ctx, enum trace_stw_reason why)
{
    struct vole *v = ctx;

    sched_stop_world_any(v->sched,
        why == TRACE_STW_START ? STW_TRACE_START : STW_TRACE_STOP);
}

static void
trace_start_world(void *ctx)
{
    struct vole *v = ctx;

    sched_start_world_any(v->sched);
}

static void
for_each_g(void *ctx, void (*fn)(void *arg, const struct trace_gsnap *g),
    void *arg)
{
    struct vole *v = ctx;

    sched_trace_gs(v->sched, fn, arg);
}

static void
for_each_p(void *ctx, void (*fn)(void *arg, const struct trace_psnap *p),
    void *arg)
{
    struct vole *v = ctx;

    sched_trace_ps(v->sched, fn, arg);
}

static uint32_t
trace_walk_self(void *ctx, vpc *pcs, uint32_t max)
{
    struct vole *v = ctx;
    struct sched_m *m = sched_m_self();

    if (m == NULL || m->g == NULL || m->vt == NULL)
        return 0;
    return vm_walk_trim(v->vm, pcs, vm_walk_self(m, pcs, max, true));
}

static uint32_t
trace_walk_g(void *ctx, const struct trace_gstate *g, vpc *pcs, uint32_t max)
{
    struct vole *v = ctx;

    uint32_t n = vm_walk(v->vm, sched_trace_g_of(g), 0, pcs, max);

    return vm_walk_trim(v->vm, pcs, n);
}

/* A pc of a CPU sample that lies in no function of the script. */
static bool
symbolize_native(vpc pc, struct trace_frame *out)
{
    const char *name = out->room;
    uint64_t off;

    if (prof_pc_is_native(pc))
        prof_native_name(pc, out->room, sizeof out->room, &off);
    else
        name = prof_mark_name(pc);
    out->func = name;
    rt_assert(name != NULL);
    out->func_len = (uint32_t)strlen(name);
    out->file = "";
    out->file_len = 0;
    out->line = 0;
    return out->func_len != 0;
}

static bool
symbolize(void *ctx, vpc pc, struct trace_frame *out)
{
    struct vole *v = ctx;
    struct vm_frame f;

    if (prof_pc_is_native(pc) || prof_pc_is_mark(pc))
        return symbolize_native(pc, out);
    if (!vm_symbolize(v->vm, pc, &f))
        return false;
    rt_assert(f.func != NULL && f.func->name != NULL && f.file != NULL);
    out->func = f.func->name;
    out->func_len = (uint32_t)strlen(f.func->name);
    out->file = f.file;
    out->file_len = (uint32_t)strlen(f.file);
    out->line = f.line;
    return true;
}

static void
block_enter(void *ctx)
{
    struct sched_m *m = sched_m_self();

    (void)ctx;
    if (m != NULL && m->p != NULL)
        sched_block_enter(m);
}

static void
block_leave(void *ctx)
{
    struct sched_m *m = sched_m_self();

    (void)ctx;
    if (m != NULL && m->p == NULL)
        sched_block_exit(m);
    rt_assert(m == NULL || m->g == NULL || m->p != NULL);
}

static void
trace_failed(void *ctx, const struct rt_err *e)
{
    struct vole *v = ctx;

    v->trace_failed = true;
    host_log(v, "trace: %s", e->text);
}

static void
trace_limited(void *ctx, uint64_t bytes)
{
    host_log(ctx, "trace: ended at its limit of %llu bytes; the program "
        "goes on", (unsigned long long)bytes);
}

const struct trace_host host_trace_host = {
    .stop_world = trace_stop_world,
    .start_world = trace_start_world,
    .for_each_g = for_each_g,
    .for_each_p = for_each_p,
    .walk_self = trace_walk_self,
    .path_self = vm_walk_path,
    .walk_g = trace_walk_g,
    .symbolize = symbolize,
    .block_enter = block_enter,
    .block_leave = block_leave,
    .failed = trace_failed,
    .limited = trace_limited,
};

bool
host_trace_config(struct vole *v, struct trace_config *cfg)
{
    cfg->max_bytes = v->opt.watch.trace_limit;
    cfg->flush_ms = v->trace_flush_ms;
    if (v->opt.watch.trace_events == NULL ||
        trace_classes(v->opt.watch.trace_events, &cfg->classes))
        return true;
    host_log(v, "unknown class of trace events in \"%s\" (all, go, "
        "syscall, gc, sweep, heap, user, cpu, stack)",
        v->opt.watch.trace_events);
    return false;
}

bool
host_trace_open(struct vole *v)
{
    struct trace_config cfg = {0};
    struct rt_err e = {0};

    if (!host_trace_config(v, &cfg))
        return false;
    if (strcmp(v->opt.watch.trace, "-") == 0) {
        cfg.fd = 1;
    } else {
        cfg.fd = open(v->opt.watch.trace,
            O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
        cfg.close_fd = true;
        if (cfg.fd < 0) {
            host_log(v, "%s: %s", v->opt.watch.trace, strerror(errno));
            return false;
        }
    }
    rt_assert(cfg.fd >= 0 && cfg.close_fd == (cfg.fd != 1));
    if (trace_start(&v->trace, &cfg, &e) != RT_OK) {
        host_log(v, "trace: %s", e.text);
        return false;
    }
    return true;
}

/* The recorder's own counters, to be compared with what is in the file. */
static void
print_stats(struct vole *v)
{
    static const char *const names[TRACE_EV_COUNT] = {
#define TRACE_EVENT(no, id, name, nvals, stack, since) [no] = name,
#include "runtime/base/trace_event.def"
#undef TRACE_EVENT
    };
    struct trace_stats st;
    int i;

    trace_get_stats(&v->trace, &st);
    for (i = 0; i < TRACE_EV_COUNT; i++) {
        if (st.count[i] != 0)
            host_log(v, "trace: %s %llu", names[i],
                (unsigned long long)st.count[i]);
    }
    host_log(v, "trace: events %llu bytes %llu stacks %llu strings %llu "
        "lost-stacks %llu waits %llu", (unsigned long long)st.events,
        (unsigned long long)st.bytes, (unsigned long long)st.stacks,
        (unsigned long long)st.strings, (unsigned long long)st.stacks_lost,
        (unsigned long long)st.waits);
}

bool
host_trace_close(struct vole *v)
{
    struct rt_err e = {0};

    trace_stop(&v->trace, &e);
    if (v->trace_stats)
        print_stats(v);
    return !v->trace_failed;
}
