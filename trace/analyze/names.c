/* SPDX-License-Identifier: MIT */
/* What states, stops of the world and goroutines are called. */
#include "trace/analyze/analyze.h"

#include <stdlib.h>

#include "runtime/base/throw.h"

#define ST_LIST                                                        \
    ST(NONE, "none", "none")                                           \
    ST(RUNNING, "running", "running")                                  \
    ST(RUNNABLE, "runnable", "runnable")                               \
    ST(SYSCALL, "system call", "syscall")                              \
    ST(SLEEP, "sleep", "sleep")                                        \
    ST(SEND, "chan send", "chan_send")                                 \
    ST(RECV, "chan receive", "chan_receive")                           \
    ST(SELECT, "select", "select")                                     \
    ST(SYNC, "sync", "sync")                                           \
    ST(COND, "sync.Cond", "cond")                                      \
    ST(NET, "network", "network")                                      \
    ST(GC, "GC assist", "gc")                                          \
    ST(OTHER, "other block", "other")                                  \
    ST(FOREVER, "blocked forever", "forever")                          \
    ST(BEFORE, "blocked before", "before")

const char *
trace_gst_name(enum trace_gst s)
{
    static const char *const names[] = {
#define ST(id, name, key) [TRACE_ST_##id] = name,
        ST_LIST
#undef ST
    };

    rt_assert(s < TRACE_ST_COUNT);
    return names[s];
}

const char *
trace_gst_key(enum trace_gst s)
{
    static const char *const keys[] = {
#define ST(id, name, key) [TRACE_ST_##id] = key,
        ST_LIST
#undef ST
    };

    rt_assert(s < TRACE_ST_COUNT);
    return keys[s];
}

const char *
trace_stw_name(int version, uint64_t kind)
{
    static const char *const names[] = {"unknown", "mark termination",
        "sweep termination", "write heap dump", "goroutine profile",
        "goroutine profile cleanup", "all goroutines stack trace",
        "read mem stats", "AllThreadsSyscall", "GOMAXPROCS", "start trace",
        "stop trace", "CountPagesInUse", "ReadMetricsSlow",
        "ReadMemStatsSlow", "PageCachePagesLeaked", "ResetDebugLog"};

    if (version < 10)
        return "stop the world";
    if (version < 21)
        kind++;
    return kind < sizeof names / sizeof *names ? names[kind] : "unknown";
}

struct trace_text
trace_goroutine_name(const struct trace_summary *s,
    const struct trace_goroutine *g)
{
    static const struct trace_text unknown = {"?", 1};
    struct trace_rframe *fr, one;
    struct trace_text t = unknown;
    uint32_t n;

    if (s->f->version < 7)
        return unknown;
    if (trace_file_stack(s->f, g->entry, &one, 1) > 0 && one.func.len > 0)
        return one.func;
    n = trace_file_stack(s->f, g->first_stack, &one, 1);
    fr = n == 0 ? NULL : malloc(n * sizeof *fr);
    if (fr == NULL)
        return unknown;
    trace_file_stack(s->f, g->first_stack, fr, n);
    if (fr[n - 1].func.len > 0)
        t = fr[n - 1].func;
    free(fr);
    return t;
}
