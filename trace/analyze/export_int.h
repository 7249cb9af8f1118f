/* SPDX-License-Identifier: MIT */
#ifndef TRACE_ANALYZE_EXPORT_INT_H
#define TRACE_ANALYZE_EXPORT_INT_H

/* What the exporters share; for trace/analyze only. */

#include "trace/analyze/export.h"

struct trace_export_g {
    uint64_t flow;         /* arrow that ends where it runs next; 0 = none */
    int64_t assist_since;
    uint32_t regions;      /* open ones that have been written */
    uint8_t state;
    /* Perfetto: what has been described. */
    bool named, has_name, has_regions, has_assists;
};

struct trace_export_task {
    uint64_t id, name;     /* name: string id */
    bool ended;
};

/* The record of a goroutine; NULL: no memory, which is noted. */
struct trace_export_g *trace_export_g(struct trace_export *x, uint64_t id);

/* Hands the buffer on when it is full, or in any case. */
void trace_export_flush(struct trace_export *x, bool always);

/* Cuts a span to what is exported; false: nothing is left. */
bool trace_export_clip(const struct trace_export *x, int64_t *from,
    int64_t *to);

/* The event changes who is in which state; true when it is time to write the
 * counts again. */
bool trace_export_count(struct trace_export *x, const struct trace_event *e,
    const struct trace_summary *s);

/* "G17 main.worker" into buf, which has size bytes; returns its length. */
size_t trace_export_name(const struct trace_summary *s,
    const struct trace_goroutine *g, char *buf, size_t size);

/* What the outcome is called for the caller. */
enum rt_status trace_export_status(const struct trace_export *x);

#endif
