/* SPDX-License-Identifier: MIT */
#ifndef TRACE_ANALYZE_EXPORT_H
#define TRACE_ANALYZE_EXPORT_H

/*
 * Traces for other viewers, written while the pass goes on: memory does not
 * grow with events.
 *
 * Chrome: the JSON object of the "Trace Event Format", laid out as that of Go's
 * own viewer: process 0 has the Ps and the collector, process 1 counters,
 * process 2 tasks and regions; process 3, on demand, the goroutines.
 * Perfetto: a perfetto.protos.Trace of track descriptors and track events:
 * the same as tracks of its own kind.
 * Arrows lead from who created or woke a goroutine to where it then ran.
 */

#include "profile/wire/sink.h"
#include "trace/analyze/analyze.h"

struct trace_export {
    /* set by the caller, the rest 0 */
    const struct trace_file *f;
    const struct wire_sink *out;
    int64_t from, to;       /* what lies outside is left out or cut */
    bool goroutines;        /* a track for each */

    struct wire_buf buf;
    bool nomem, failed;     /* failed: out takes no more */
    bool any;               /* Chrome: something has been written */
    uint64_t flows;         /* arrows so far */
    struct trace_idmap pmap, gmap, taskmap, stackmap, nodemap;
    struct trace_export_g *gs; /* per goroutine */
    struct trace_export_node *nodes; /* Chrome: the tree of frames */
    struct trace_export_task *tasks; /* Chrome */
    uint64_t gs_cap, nodes_cap, tasks_cap;
    uint64_t count[TRACE_ST_COUNT]; /* goroutines by state, now */
    int64_t counted;        /* when they were last written */
    int64_t gc_since, stop_since;
    char stop_name[64];
};

struct trace_sink trace_chrome_sink(struct trace_export *x);
struct trace_sink trace_perfetto_sink(struct trace_export *x);

/* Around the pass.  RT_ENOMEM, RT_EIO (out has failed).  The summary is that
 * of the pass. */
enum rt_status trace_chrome_begin(struct trace_export *x);
enum rt_status trace_chrome_end(struct trace_export *x,
    const struct trace_summary *s);
enum rt_status trace_perfetto_begin(struct trace_export *x);
enum rt_status trace_perfetto_end(struct trace_export *x,
    const struct trace_summary *s);

void trace_export_free(struct trace_export *x);

#endif
