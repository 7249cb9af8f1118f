/* SPDX-License-Identifier: MIT */
/*
 * VOLEDEBUG=allocfreetrace=1: every allocation, every free and every
 * collection on standard error, with stacks, in the form that Go had.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "gc/gc.h"
#include "runtime/base/throw.h"
#include "runtime/host/host_int.h"
#include "runtime/vm/vm.h"
#include "sched/sched.h"

/* One event, written at once as far as it fits, so that events of several
 * threads do not mix. */
struct text {
    size_t n;
    char buf[8192];
};

static void
flush(struct text *t)
{
    rt_assert(t->n < sizeof t->buf);
    for (size_t at = 0; at < t->n;) {
        ssize_t k = write(2, t->buf + at, t->n - at);

        if (k <= 0)
            break;
        at += (size_t)k;
    }
    t->n = 0;
}

static void __attribute__((format(printf, 2, 3)))
say(struct text *t, const char *fmt, ...)
{
    va_list ap;
    int k;

    if (sizeof t->buf - t->n < 1024)
        flush(t);
    rt_assert(t->n <= sizeof t->buf - 1024);
    va_start(ap, fmt);
    k = vsnprintf(t->buf + t->n, sizeof t->buf - t->n, fmt, ap);
    va_end(ap);
    if (k > 0)
        t->n += (size_t)k < sizeof t->buf - t->n ? (size_t)k :
            sizeof t->buf - t->n - 1;
}

static void
say_frames(struct text *t, struct vole *v, const vpc *pcs, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        struct vm_frame f;

        if (vm_symbolize(v->vm, pcs[i], &f))
            say(t, "%.600s(...)\n\t%.300s:%u +0x%x\n", f.func->name, f.file,
                f.line, f.off);
    }
}

/* The goroutine that runs on the calling thread. */
static void
say_self(struct text *t, struct vole *v)
{
    struct sched_m *m = sched_m_self();
    vpc pcs[CALLSTACK_MAX];

    if (m == NULL || m->g == NULL || m->g->vg == NULL) {
        say(t, "goroutine 0 [idle]:\n");
        return;
    }
    say(t, "goroutine %llu [running]:\n", (unsigned long long)m->g->id);
    say_frames(t, v, pcs, vm_walk(v->vm, m->g, 0, pcs, CALLSTACK_MAX));
}

/* The sink's argument is the memory profile. */
static struct vole *
vole_of(void *arg)
{
    struct vole *v = (struct vole *)((char *)arg -
        offsetof(struct vole, prof) - offsetof(struct prof, mem));

    rt_assert(v->has_prof && v->heap != NULL);
    return v;
}

static void *
trace_malloc(void *arg, struct gc_pcache *pc, void *p, size_t size)
{
    struct vole *v = vole_of(arg);
    struct text t;

    t.n = 0;
    say(&t, "tracealloc(0x%llx, 0x%zx)\n", (unsigned long long)(uintptr_t)p,
        size);
    say_self(&t, v);
    say(&t, "\n");
    flush(&t);
    return mprof_malloc(arg, pc, p, size);
}

static void
trace_free(void *arg, void *p, void *site, size_t size)
{
    struct vole *v = vole_of(arg);
    struct text t;

    t.n = 0;
    say(&t, "tracefree(0x%llx, 0x%zx)\n", (unsigned long long)(uintptr_t)p,
        size);
    say_self(&t, v);
    say(&t, "\n");
    flush(&t);
    mprof_free(arg, p, site, size);
}

struct all {
    struct vole *v;
    struct text *t;
};

static void
say_g(void *arg, struct prof_g *pg)
{
    struct all *a = arg;
    struct prof_ginfo info;
    vpc pcs[CALLSTACK_MAX];
    uint32_t n;

    host_prof_host.g_info(a->v, pg, &info);
    if (info.system)
        return;
    n = host_prof_host.walk_g(a->v, pg, pcs, CALLSTACK_MAX);
    say(a->t, "goroutine %llu [%s]:\n", (unsigned long long)info.id,
        info.state);
    say_frames(a->t, a->v, pcs, n);
    say(a->t, "\n");
}

/* World stopped. */
static void
trace_next_cycle(void *arg)
{
    struct vole *v = vole_of(arg);
    struct text t;
    struct all a = { v, &t };

    t.n = 0;
    say(&t, "tracegc()\n");
    host_prof_host.each_g(v, say_g, &a);
    say(&t, "end tracegc\n\n");
    flush(&t);
    mprof_next_cycle(arg);
}

const struct gc_prof_sink host_alloctrace_sink = {
    .malloc = trace_malloc,
    .free = trace_free,
    .next_sample = mprof_next_sample,
    .next_cycle = trace_next_cycle,
    .flush = mprof_flush,
    .post_sweep = mprof_post_sweep,
};
