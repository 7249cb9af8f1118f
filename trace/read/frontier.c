/* SPDX-License-Identifier: MIT */
#include "trace/read/frontier.h"

void
trace_frontier_replace(struct trace_frontier *f, struct trace_front x)
{
    struct trace_front *h = f->a;
    uint32_t i = 1, k, n = f->n;

    rt_assert(n > 1 && !trace_front_less(&x, &h[1]));
    h[0] = h[1];
    for (; (k = 2 * i) < n; i = k) {
        if (k + 1 < n && trace_front_less(&h[k + 1], &h[k]))
            k++;
        if (!trace_front_less(&h[k], &x))
            break;
        h[i] = h[k];
    }
    h[i] = x;
}

void
trace_frontier_push(struct trace_frontier *f, uint64_t key, uint32_t c)
{
    struct trace_front x = {key, c}, first, *h = f->a;
    uint32_t i = f->n++;

    if (i == 0) {
        h[0] = x;
        return;
    }
    first = h[0];
    if (trace_front_less(&x, &first)) {
        h[0] = x;
        x = first;
    }
    for (; i > 1 && trace_front_less(&x, &h[i / 2]); i /= 2)
        h[i] = h[i / 2];
    h[i] = x;
}

void
trace_frontier_drop(struct trace_frontier *f)
{
    struct trace_front last;

    rt_assert(f->n > 0);
    last = f->a[--f->n];
    if (f->n == 1)
        f->a[0] = last;
    else if (f->n > 1)
        trace_frontier_replace(f, last);
}

bool
trace_frontier_valid(const struct trace_frontier *f)
{
    uint32_t i;

    for (i = 1; i < f->n; i++) {
        if (!trace_front_less(&f->a[i / 2], &f->a[i]))
            return false;
    }
    return true;
}
