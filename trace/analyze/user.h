/* SPDX-License-Identifier: MIT */
#ifndef TRACE_ANALYZE_USER_H
#define TRACE_ANALYZE_USER_H

/*
 * Tasks, regions and log messages of runtime/trace.  Memory grows with tasks
 * and with kinds of regions.
 *
 * A region ends with the innermost end event of its goroutine.  One that is
 * not ended lasts, as Go counts it, as long as its goroutine or the trace, and
 * is counted as such besides.  One that ends without having begun in the trace
 * is counted, but has no duration.
 */

#include "trace/analyze/analyze.h"

struct trace_task {
    uint64_t id, parent;   /* parent: 0 = none */
    uint64_t g;            /* who created it; 0 = unknown */
    struct trace_text name; /* empty: it began before the trace */
    int64_t from, to;      /* -1: before the trace, not within it */
    uint64_t regions, logs, children;
};

/* All tasks of one name. */
struct trace_task_type {
    struct trace_text name;
    uint64_t n, ended, regions, logs;
    uint64_t longest;      /* id of the longest */
    struct trace_hist hist; /* durations of those that are whole */
};

/* All regions of one name, within tasks of one name. */
struct trace_region_type {
    struct trace_text name, task; /* task: empty = in none */
    uint64_t n, open, headless;   /* begun; of these, not ended; not begun */
    uint64_t stack;        /* where the first began */
    uint64_t longest_g;
    int64_t longest_at;
    int64_t time[TRACE_ST_COUNT]; /* of the goroutine, within them */
    struct trace_hist hist;
};

struct trace_user {
    const struct trace_file *f;
    struct trace_idmap taskmap, strmap, typemap, gmap;
    struct trace_task *tasks;
    struct trace_region_type *regions;
    struct trace_task_type *types; /* finished */
    struct trace_open_region *open;
    uint32_t *heads;       /* per goroutine: index + 1 in open */
    struct trace_text *names;
    uint64_t ntasks, nregions, ntypes, nopen, nfree, nnames;
    uint64_t tasks_cap, regions_cap, open_cap, heads_cap, names_cap;
    uint64_t types_cap;
};

void trace_user_init(struct trace_user *u, const struct trace_file *f);
struct trace_sink trace_user_sink(struct trace_user *u);

/* After the pass, of which s is the summary: the types of tasks; regions of
 * equal names are one, within the same task name if by_task.  Both sorted by
 * total time.  RT_ENOMEM is the only failure. */
enum rt_status trace_user_finish(struct trace_user *u,
    const struct trace_summary *s, bool by_task);

void trace_user_free(struct trace_user *u);

#endif
