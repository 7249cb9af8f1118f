/* SPDX-License-Identifier: MIT */
#include "trace/analyze/hist.h"

/* Values below 16 have a bucket each; above, four bits after the leading
 * one select the bucket. */
static unsigned
bucket_of(uint64_t v)
{
    unsigned top;

    if (v < 16)
        return (unsigned)v;
    top = 63u - (unsigned)__builtin_clzll(v);
    return (top - 3) * 16 + (unsigned)(v >> (top - 4) & 15);
}

static int64_t
middle_of(unsigned b)
{
    unsigned shift;

    if (b < 16)
        return b;
    shift = b / 16 - 1;
    return (int64_t)((((uint64_t)16 + b % 16) << shift) +
        (((uint64_t)1 << shift) >> 1));
}

void
trace_hist_add(struct trace_hist *h, int64_t ns)
{
    if (ns < 0)
        ns = 0;
    h->n++;
    h->sum += (uint64_t)ns;
    if (ns > h->max)
        h->max = ns;
    h->bucket[bucket_of((uint64_t)ns)]++;
}

void
trace_hist_merge(struct trace_hist *h, const struct trace_hist *from)
{
    unsigned i;

    h->n += from->n;
    h->sum += from->sum;
    if (from->max > h->max)
        h->max = from->max;
    for (i = 0; i < TRACE_HIST_BUCKETS; i++)
        h->bucket[i] += from->bucket[i];
}

int64_t
trace_hist_quantile(const struct trace_hist *h, double q)
{
    uint64_t want = (uint64_t)(q * (double)h->n), seen = 0;
    unsigned i;

    for (i = 0; i < TRACE_HIST_BUCKETS; i++) {
        seen += h->bucket[i];
        if (seen > want)
            return middle_of(i) < h->max ? middle_of(i) : h->max;
    }
    return h->max;
}
