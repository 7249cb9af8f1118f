/* SPDX-License-Identifier: MIT */
#ifndef TRACE_ANALYZE_TOP_H
#define TRACE_ANALYZE_TOP_H

/* The longest of many waits: a binary heap of so many, shortest on top. */

#include <stdbool.h>

#include "trace/analyze/analyze.h"

struct trace_top {
    struct trace_wait *a;
    uint64_t n, cap;
    int64_t floor; /* what is not longer does not come in: when it is full */
};

/* Room for n waits, which may be none; a is the caller's to free.  False: no
 * memory. */
bool trace_top_init(struct trace_top *t, uint64_t n);

void trace_top_add(struct trace_top *t, const struct trace_wait *w);

/* Forgets all. */
void trace_top_clear(struct trace_top *t);

/* After the last one: longest first, a heap no more. */
void trace_top_sort(struct trace_top *t);

/* No wait is longer than those below it in the heap, and when it is full the
 * floor is the shortest of all. */
bool trace_top_valid(const struct trace_top *t);

#endif
