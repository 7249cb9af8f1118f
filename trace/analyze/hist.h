/* SPDX-License-Identifier: MIT */
#ifndef TRACE_ANALYZE_HIST_H
#define TRACE_ANALYZE_HIST_H

/* Durations, counted in buckets that are 1/16 of their value wide, so that
 * percentiles are within 6 % in constant memory (HdrHistogram's idea). */

#include <stdbool.h>
#include <stdint.h>

#include "runtime/base/throw.h"

enum { TRACE_HIST_BUCKETS = 61 * 16 };

struct trace_hist {
    uint64_t n, sum;
    int64_t min, max; /* both 0 if n is */
    uint32_t bucket[TRACE_HIST_BUCKETS];
};

/* Values below 16 have a bucket each; above, four bits after the leading
 * one select the bucket. */
static inline unsigned
trace_hist_bucket(uint64_t v)
{
    unsigned top;

    if (v < 16)
        return (unsigned)v;
    top = 63u - (unsigned)__builtin_clzll(v);
    return (top - 3) * 16 + (unsigned)(v >> (top - 4) & 15);
}

/* Counts one duration in nanoseconds; negative ones count as 0. */
static inline void
trace_hist_add(struct trace_hist *h, int64_t ns)
{
    if (ns < 0)
        ns = 0;
    if (h->n == 0 || ns < h->min)
        h->min = ns;
    h->n++;
    h->sum += (uint64_t)ns;
    if (ns > h->max)
        h->max = ns;
    rt_assert(trace_hist_bucket((uint64_t)ns) < TRACE_HIST_BUCKETS);
    h->bucket[trace_hist_bucket((uint64_t)ns)]++;
}

/* As many are in buckets as were counted, the smallest and the largest where
 * they belong. */
bool trace_hist_valid(const struct trace_hist *h);

/* Adds all that from has counted to h. */
void trace_hist_merge(struct trace_hist *h, const struct trace_hist *from);

/* The duration below which the fraction q (0 .. 1) of all lie, never outside
 * of what was counted; 0 if empty. */
int64_t trace_hist_quantile(const struct trace_hist *h, double q);

#endif
