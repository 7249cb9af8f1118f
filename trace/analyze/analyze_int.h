/* SPDX-License-Identifier: MIT */
#ifndef TRACE_ANALYZE_ANALYZE_INT_H
#define TRACE_ANALYZE_ANALYZE_INT_H

/* A pass over a trace from inside: analyze.c follows the events, collector.c
 * adds up those of the collector, pass.c begins, forgets what came before a
 * stretch, and tells the sinks. */

#include "trace/analyze/analyze.h"
#include "trace/analyze/summary.h"
#include "trace/analyze/top.h"

enum { TRACE_NEAR_P = 256 };

struct trace_run {
    struct trace_summary *s;
    const struct trace_pass *how;
    struct trace_idmap pmap;
    bool nomem; /* a sink has said so */
    uint64_t gs_cap, procs_cap;
    struct trace_top longest, late;
    int64_t procs_since;
    uint64_t procs_now;
    uint64_t stw_kind;
    uint64_t kinds;   /* what the sinks want, as they say it */
    uint32_t states;
    bool entered;     /* the stretch that is added up has begun */
    struct trace_proc any_proc; /* stands for all Ps in a brief pass */
    uint32_t near_p[TRACE_NEAR_P]; /* index of a small P number, + 1; 0 = none */
};

/* Prepares x for f; false: no memory, and what there is of x->s and of the tops
 * is the caller's to free. */
bool trace_pass_prepare(struct trace_run *x, struct trace_file *f,
    const struct trace_pass *how);

/* The stretch that is added up begins: all sums begin anew, and what is under
 * way has begun now. */
void trace_pass_enter(struct trace_run *x);

/* Tells the sinks of an event; false: one of them gives up. */
bool trace_pass_tell(struct trace_run *x, const struct trace_event *e);

/* Tells how far the pass is. */
void trace_pass_progress(const struct trace_run *x);

/* An event of the collector, which g has done on p; others do nothing. */
void trace_on_collector(struct trace_run *x, const struct trace_event *e,
    struct trace_goroutine *g, struct trace_proc *p);

/* g stops running on p within an assist or a sweep. */
void trace_range_pause(struct trace_goroutine *g, struct trace_proc *p,
    int64_t now);

/* A stretch of the whole trace is over, if it is open. */
void trace_range_close(struct trace_range *r, int64_t now);

#endif
