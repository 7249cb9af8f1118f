/* SPDX-License-Identifier: MIT */
#ifndef TRACE_ANALYZE_WAITS_H
#define TRACE_ANALYZE_WAITS_H

/*
 * Where goroutines waited, and how long: by stack, as in the profiles of
 * `go tool trace -pprof=`.  The table grows with stacks.
 *
 * Go's tools leave some waits out, and not the same in all versions.  By
 * default the same ones are left out here, so that the numbers agree:
 *     in every version  waits that had not ended with the trace, waits
 *                       without a stack, waits of no time
 *     v1, sched         after a yield, a preemption or a system call
 *     v1, syscall       calls that kept their processor
 *     v2, block         GC assists, waits of the runtime for itself
 *     v2, all           what a goroutine waited before it first ran
 */

#include "profile/wire/sink.h"
#include "trace/analyze/analyze.h"

enum trace_waits_kind {
    TRACE_WAITS_BLOCK,   /* channels, select, mutexes, conditions */
    TRACE_WAITS_SCHED,   /* runnable, not yet running */
    TRACE_WAITS_SYSCALL,
    TRACE_WAITS_NET
};

struct trace_waits_filter {
    int64_t from, to;    /* the part of each wait within counts */
    uint64_t g;          /* one goroutine; UINT64_MAX = all */
    const char *func;    /* entry function of the goroutine, or NULL */
    bool system;         /* the runtime's own goroutines too, as Go does */
    bool all;            /* also what Go leaves out: all of the above, sleep
                            and other blocks */
};

/* All waits at one place. */
struct trace_site {
    uint64_t stack;      /* stack id; 0 = none */
    uint64_t n;
    int64_t ns, longest, longest_at;
    uint64_t longest_g;
    uint8_t state;       /* enum trace_gst of the first of them */
    uint8_t cause;       /* sched: enum trace_ev of the event that made the
                            first of them runnable */
};

struct trace_waits {
    enum trace_waits_kind kind;
    struct trace_waits_filter filter;
    const struct trace_file *f;
    struct trace_idmap map;
    struct trace_site *sites;
    uint64_t nsites, cap;
    uint64_t n;
    int64_t ns;
    uint64_t left_n;     /* waits that all would count as well */
    int64_t left_ns;
    struct trace_hist hist;
};

/* Prepares *w for a pass over f and makes a sink that fills it. */
void trace_waits_init(struct trace_waits *w, enum trace_waits_kind kind,
    const struct trace_waits_filter *filter, const struct trace_file *f);
struct trace_sink trace_waits_sink(struct trace_waits *w);

/* After the pass, of which s is the summary: stacks of the same addresses become one, and the sites are
 * sorted, longest time first.  RT_ENOMEM is the only failure. */
enum rt_status trace_waits_finish(struct trace_waits *w,
    const struct trace_summary *s);

/* Writes the sites as a compressed profile that pprof opens: sample types
 * contentions/count and delay/nanoseconds.  RT_ENOMEM, RT_EIO. */
enum rt_status trace_waits_pprof(const struct trace_waits *w,
    const struct wire_sink *sink);

void trace_waits_free(struct trace_waits *w);

/* After the pass: the sites have all waits, and their time. */
bool trace_waits_valid(const struct trace_waits *w);

#endif
