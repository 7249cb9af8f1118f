/* SPDX-License-Identifier: MIT */
#include "trace/analyze/hist.h"

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
trace_hist_merge(struct trace_hist *h, const struct trace_hist *from)
{
    unsigned i;

    if (from->n != 0 && (h->n == 0 || from->min < h->min))
        h->min = from->min;
    h->n += from->n;
    h->sum += from->sum;
    if (from->max > h->max)
        h->max = from->max;
    rt_assert(h != from);
    for (i = 0; i < TRACE_HIST_BUCKETS; i++)
        h->bucket[i] += from->bucket[i];
}

bool
trace_hist_valid(const struct trace_hist *h)
{
    uint64_t n = 0;
    unsigned i, low = TRACE_HIST_BUCKETS, high = 0;

    for (i = 0; i < TRACE_HIST_BUCKETS; i++) {
        n += h->bucket[i];
        if (h->bucket[i] != 0) {
            low = i < low ? i : low;
            high = i;
        }
    }
    return n == h->n && h->min >= 0 && h->min <= h->max &&
        (n == 0 || (trace_hist_bucket((uint64_t)h->min) == low &&
            trace_hist_bucket((uint64_t)h->max) == high));
}

int64_t
trace_hist_quantile(const struct trace_hist *h, double q)
{
    uint64_t want = (uint64_t)(q * (double)h->n), seen = 0;
    unsigned i;

    rt_assert(q >= 0 && q <= 1);
    rt_assert_full(h->n > UINT32_MAX || trace_hist_valid(h));
    for (i = 0; i < TRACE_HIST_BUCKETS; i++) {
        seen += h->bucket[i];
        if (seen > want) {
            int64_t v = middle_of(i);

            return v < h->min ? h->min : v > h->max ? h->max : v;
        }
    }
    return h->max;
}
