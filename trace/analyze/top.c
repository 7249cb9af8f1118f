/* SPDX-License-Identifier: MIT */
#include "trace/analyze/top.h"

#include <stdlib.h>

#include "runtime/base/throw.h"

static void
sift_down(struct trace_top *t, uint64_t i)
{
    struct trace_wait w = t->a[i];
    uint64_t k;

    for (; (k = 2 * i + 1) < t->n; i = k) {
        if (k + 1 < t->n && t->a[k + 1].ns < t->a[k].ns)
            k++;
        if (t->a[k].ns >= w.ns)
            break;
        t->a[i] = t->a[k];
    }
    t->a[i] = w;
}

void
trace_top_add(struct trace_top *t, const struct trace_wait *w)
{
    uint64_t i, up;

    if (w->ns <= t->floor)
        return;
    rt_assert(t->cap > 0 && t->n <= t->cap);
    if (t->n == t->cap) {
        t->a[0] = *w;
        sift_down(t, 0);
        t->floor = t->a[0].ns;
        return;
    }
    for (i = t->n++; i > 0; i = up) {
        up = (i - 1) / 2;
        if (t->a[up].ns <= w->ns)
            break;
        t->a[i] = t->a[up];
    }
    t->a[i] = *w;
    if (t->n == t->cap)
        t->floor = t->a[0].ns;
}

static int
longer_first(const void *a, const void *b)
{
    const struct trace_wait *x = a, *y = b;

    if (x->ns != y->ns)
        return x->ns > y->ns ? -1 : 1;
    return x->at < y->at ? -1 : x->at > y->at;
}

void
trace_top_clear(struct trace_top *t)
{
    t->n = 0;
    t->floor = t->cap == 0 ? INT64_MAX : INT64_MIN;
}

bool
trace_top_init(struct trace_top *t, uint64_t n)
{
    t->cap = n;
    trace_top_clear(t);
    t->a = calloc(n + 1, sizeof *t->a);
    return t->a != NULL;
}

bool
trace_top_valid(const struct trace_top *t)
{
    uint64_t i;

    for (i = 1; i < t->n; i++) {
        if (t->a[(i - 1) / 2].ns > t->a[i].ns)
            return false;
    }
    if (t->n > t->cap)
        return false;
    return t->n < t->cap ? t->floor == INT64_MIN :
        t->floor == (t->cap == 0 ? INT64_MAX : t->a[0].ns);
}

void
trace_top_sort(struct trace_top *t)
{
    rt_assert_full(trace_top_valid(t));
    qsort(t->a, t->n, sizeof *t->a, longer_first);
}
