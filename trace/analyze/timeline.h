/* SPDX-License-Identifier: MIT */
#ifndef TRACE_ANALYZE_TIMELINE_H
#define TRACE_ANALYZE_TIMELINE_H

/*
 * Timelines: what each P and each goroutine did when.  Columns cut a stretch
 * of time into equal parts and add up what happened in each: what a picture
 * of a given width needs.  Memory: columns * lanes.
 */

#include "trace/analyze/analyze.h"

/* What a lane's time is divided into. */
enum trace_class {
    TRACE_CL_RUNNING,
    TRACE_CL_GC,       /* running: mark workers */
    TRACE_CL_RUNNABLE,
    TRACE_CL_SYSCALL,
    TRACE_CL_WAIT,     /* for another goroutine */
    TRACE_CL_SLEEP,
    TRACE_CL_NET,
    TRACE_CL_OTHER,
    TRACE_CL_COUNT
};

const char *trace_class_name(enum trace_class c);

/* The class of a span. */
enum trace_class trace_class_of(const struct trace_file *f,
    const struct trace_span *sp);

struct trace_lane {
    uint64_t id;              /* of the P or goroutine */
    int64_t (*ns)[TRACE_CL_COUNT]; /* per column */
};

struct trace_columns {
    const struct trace_file *f;
    int64_t from, to;
    unsigned n;
    struct trace_idmap pmap, gmap;
    struct trace_lane *ps, *gs;
    uint64_t nps, ngs, ps_cap, gs_cap;
    int64_t (*all)[TRACE_CL_COUNT]; /* of all goroutines together */
    int64_t *gc, *stopped;    /* ns within a cycle, with the world stopped */
    uint64_t *heap, *goal;    /* largest bytes; 0 = no value */
    uint64_t heap_now, goal_now;
    unsigned heap_at;         /* column of the last value */
    int64_t gc_since, stop_since; /* -1 = none is open */
};

/* n columns of from .. to (to > from), with a lane for each of the given
 * goroutines and each P that does something.  RT_ENOMEM. */
enum rt_status trace_columns_init(struct trace_columns *c,
    const struct trace_file *f, int64_t from, int64_t to, unsigned n,
    const uint64_t *goroutines, uint64_t ngoroutines);
struct trace_sink trace_columns_sink(struct trace_columns *c);

/* After the pass; end is the trace's. */
void trace_columns_finish(struct trace_columns *c, int64_t end);

void trace_columns_free(struct trace_columns *c);

/* Nanoseconds of a column. */
double trace_column_width(const struct trace_columns *c);

#endif
