/* SPDX-License-Identifier: MIT */
#include "profile/record/cpu.h"

#include "profile/record/profile.h"
#include "profile/record/ring.h"
#include "trace/record/trace.h"

enum { DRAIN_MS = 40 };

static void
note(struct prof *p, const struct prof_sample *s)
{
    if (p->trace != NULL && trace_on(p->trace))
        trace_cpu_sample(
            p->trace, s->when, s->w.p, s->w.goid, s->stk, s->w.n);
}

static void
drainer(void *arg)
{
    struct prof *p = arg;

    while (!rt_note_tsleep(&p->cpu.stop, DRAIN_MS * 1000000LL))
        prof_timed_drain(p, &p->cpu);
}

static enum rt_status
cpu_begin(struct prof *p, uint32_t hz, struct rt_err *e)
{
    return p->host->cpu_timers(p->ctx, hz, e);
}

static void
cpu_end(struct prof *p, bool fini)
{
    (void)fini;
    p->host->cpu_timers(p->ctx, 0, NULL);
}

const struct prof_timed_kind prof_cpu_kind = {
    .busy = "cpu profiling already in use",
    .none = "no cpu profile is on",
    .thread_name = "vole-cpuprof",
    .thread = drainer,
    .begin = cpu_begin,
    .end = cpu_end,
    .note = note,
};

enum rt_status
prof_cpu_start(struct prof *p, uint32_t hz, struct rt_err *e)
{
    return prof_timed_start(p, &p->cpu, hz, e);
}

enum rt_status
prof_cpu_stop(
    struct prof *p, struct prof_timed_profile **out, struct rt_err *e)
{
    return prof_timed_stop(p, &p->cpu, out, e);
}

void
prof_cpu_signal(struct prof *p, const void *ucontext)
{
    prof_timed_signal(p, &p->cpu, ucontext);
}
