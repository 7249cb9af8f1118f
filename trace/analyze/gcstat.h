/* SPDX-License-Identifier: MIT */
#ifndef TRACE_ANALYZE_GCSTAT_H
#define TRACE_ANALYZE_GCSTAT_H

/*
 * The collector's cycles, one by one: when, why so long, who paid for it, and
 * what it did to the heap.  The list grows with cycles, up to a limit; what
 * comes after is only counted.
 */

#include "trace/analyze/analyze.h"

enum trace_worker { TRACE_DEDICATED, TRACE_FRACTIONAL, TRACE_IDLE,
    TRACE_WORKERS };

struct trace_cycle {
    int64_t from, to;          /* to: the end of the trace if open */
    uint64_t g, stack;         /* who started it, where; 0 = unknown */
    uint32_t stops;            /* stops of the world within it */
    int64_t stop_ns, stop_longest;
    int64_t worker_ns[TRACE_WORKERS]; /* processor time of mark workers */
    uint64_t assists;
    int64_t assist_ns;
    uint64_t heap_before, heap_after, goal; /* bytes; goal: at the start */
    uint64_t sweeps, swept, reclaimed; /* until the next cycle */
    int64_t sweep_ns;
    bool open;                 /* the trace ended within */
};

/* All stops of the world of one kind. */
struct trace_stops {
    char name[48];
    struct trace_hist hist;
};

enum { TRACE_STOP_KINDS = 32, TRACE_MAX_CYCLES = 100000 };

struct trace_gcstat {
    const struct trace_file *f;
    struct trace_cycle *cycles;
    uint64_t n, cap, left_out;
    struct trace_stops *stops; /* TRACE_STOP_KINDS of them */
    unsigned nstops;
    struct trace_hist assists;
    struct trace_cycle spare;  /* before the first one, after the limit */
    uint64_t heap, goal;
    int64_t stop_since;
    unsigned stop_kind;
    bool in_cycle;
};

/* Prepares *x for a pass over f and makes a sink that fills it.  RT_ENOMEM is
 * the only failure. */
enum rt_status trace_gcstat_init(struct trace_gcstat *x,
    const struct trace_file *f);
struct trace_sink trace_gcstat_sink(struct trace_gcstat *x);

/* After the pass; end is the trace's. */
void trace_gcstat_finish(struct trace_gcstat *x, int64_t end);

void trace_gcstat_free(struct trace_gcstat *x);

#endif
