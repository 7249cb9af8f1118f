/* SPDX-License-Identifier: MIT */
/* How many there were in each step of the trace. */
#include "runtime/base/throw.h"
#include "trace/html/html_int.h"

bool
html_area_init(struct html_area *a, uint32_t n, int64_t duration)
{
    rt_assert(n > 0);
    a->n = n;
    a->width = (double)(duration > 0 ? duration : 1) / n;
    a->part = calloc(n, sizeof *a->part);
    a->diff = calloc((size_t)n + 1, sizeof *a->diff);
    return a->part != NULL && a->diff != NULL;
}

uint32_t
html_area_step(const struct html_area *a, int64_t t)
{
    double i = (double)t / a->width;

    rt_assert(a->n > 0 && a->width > 0);
    return i <= 0 ? 0 : i >= a->n ? a->n - 1 : (uint32_t)i;
}

void
html_area_add(struct html_area *a, int64_t from, int64_t to)
{
    uint32_t i = html_area_step(a, from), k = html_area_step(a, to);

    rt_assert(i <= k || to <= from);
    if (to <= from)
        return;
    if (i == k) {
        a->part[i] += (float)((double)(to - from) / a->width);
        return;
    }
    a->part[i] += (float)(i + 1 - (double)from / a->width);
    a->part[k] += (float)((double)to / a->width - k);
    a->diff[i + 1]++;
    a->diff[k]--;
}

void
html_area_finish(struct html_area *a)
{
    int64_t whole = 0;

    for (uint32_t i = 0; i < a->n; i++) {
        whole += a->diff[i];
        rt_assert(whole >= 0); /* what ends has begun */
        a->part[i] += (float)whole;
    }
}

void
html_area_free(struct html_area *a)
{
    free(a->part);
    free(a->diff);
}

void
html_area_halve(float *v, uint32_t n)
{
    rt_assert(n % HTML_LEVEL_FACTOR == 0);
    for (uint32_t i = 0; i < n / HTML_LEVEL_FACTOR; i++) {
        float sum = 0;

        for (uint32_t k = 0; k < HTML_LEVEL_FACTOR; k++)
            sum += v[i * HTML_LEVEL_FACTOR + k];
        v[i] = sum / HTML_LEVEL_FACTOR;
    }
}
