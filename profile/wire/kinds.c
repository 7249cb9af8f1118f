/* SPDX-License-Identifier: MIT */
/*
 * Go's kinds of profiles as protocol buffers: which values, units and labels
 * each has, and how heap samples are scaled.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "profile/wire/count.h"
#include "profile/wire/pprof.h"

void
wire_scale_heap(int64_t *objects, int64_t *bytes, int64_t rate)
{
    if (*objects == 0 || *bytes == 0) {
        *objects = *bytes = 0;
        return;
    }
    if (rate <= 1)
        return;
    /* An object of this size is sampled with probability
     * 1 - exp(-size / rate). */
    double avg = (double)*bytes / (double)*objects;
    double k = 1 / (1 - exp(-avg / (double)rate));
    *objects = (int64_t)((double)*objects * k);
    *bytes = (int64_t)((double)*bytes * k);
}

/* The stack without runtime functions at its leaf, unless there is nothing
 * else. */
static struct wire_stack
without_runtime(const struct wire_syms *syms, struct wire_stack s)
{
    for (uint32_t i = 0; i < s.n; i++) {
        struct wire_frame f = { 0 };

        if (!syms->symbolize(syms->arg, s.pcs[i], &f) ||
            strncmp(f.func, "runtime.", 8) != 0)
            return (struct wire_stack){ s.pcs + i, s.n - i };
    }
    return s;
}

static void
heap_sample(struct wire_pprof *w, const struct wire_syms *syms,
    const struct wire_heap *r, int64_t rate)
{
    int64_t v[4] = { r->alloc_objects, r->alloc_bytes,
        r->alloc_objects - r->free_objects, r->alloc_bytes - r->free_bytes };
    struct wire_stack s = without_runtime(syms, r->stk);
    struct wire_label l = { .key = "bytes" };

    if (r->alloc_objects > 0)
        l.num = r->alloc_bytes / r->alloc_objects;
    wire_scale_heap(&v[0], &v[1], rate);
    wire_scale_heap(&v[2], &v[3], rate);
    wire_pprof_sample(w, v, 4, s.pcs, s.n, &l, l.num != 0);
}

static enum rt_status
kind_finish(struct wire_pprof *w, const struct wire_sink *sink)
{
    enum rt_status st = wire_pprof_finish(w, sink);

    wire_pprof_free(w);
    return st;
}

enum rt_status
wire_write_heap(const struct wire_sink *sink, const struct wire_syms *syms,
    const struct wire_heap *v, size_t n, int64_t rate, bool alloc,
    int64_t time_ns)
{
    struct wire_pprof *w = wire_pprof_new(syms);

    if (w == NULL)
        return RT_ENOMEM;
    wire_pprof_time(w, time_ns, 0);
    wire_pprof_period(w, "space", "bytes", rate);
    wire_pprof_sample_type(w, "alloc_objects", "count");
    wire_pprof_sample_type(w, "alloc_space", "bytes");
    wire_pprof_sample_type(w, "inuse_objects", "count");
    wire_pprof_sample_type(w, "inuse_space", "bytes");
    if (alloc)
        wire_pprof_default_type(w, "alloc_space");
    for (size_t i = 0; i < n; i++)
        heap_sample(w, syms, &v[i], rate);
    return kind_finish(w, sink);
}

enum rt_status
wire_write_count(const struct wire_sink *sink, const struct wire_syms *syms,
    const char *name, const struct wire_count *v, size_t n, int64_t time_ns)
{
    struct wire_pprof *w = wire_pprof_new(syms);
    struct wire_group *g = NULL;
    size_t ng = 0;
    enum rt_status st;

    if (w == NULL)
        return RT_ENOMEM;
    wire_pprof_time(w, time_ns, 0);
    wire_pprof_period(w, name, "count", 1);
    wire_pprof_sample_type(w, name, "count");
    st = wire_group(v, n, &g, &ng);
    for (size_t i = 0; i < ng; i++)
        wire_pprof_sample(w, &g[i].count, 1, g[i].of->stk.pcs,
            g[i].of->stk.n, g[i].of->labels, g[i].of->nlabels);
    free(g);
    if (st == RT_OK)
        return kind_finish(w, sink);
    wire_pprof_free(w);
    return st;
}

enum rt_status
wire_write_cycles(const struct wire_sink *sink, const struct wire_syms *syms,
    const struct wire_cycles *v, size_t n, int64_t cycles_per_sec,
    int64_t time_ns)
{
    struct wire_pprof *w = wire_pprof_new(syms);
    double per_ns = (double)cycles_per_sec / 1e9;

    if (w == NULL)
        return RT_ENOMEM;
    wire_pprof_time(w, time_ns, 0);
    wire_pprof_period(w, "contentions", "count", 1);
    wire_pprof_sample_type(w, "contentions", "count");
    wire_pprof_sample_type(w, "delay", "nanoseconds");
    for (size_t i = 0; i < n; i++) {
        int64_t val[2] = { v[i].count, (int64_t)((double)v[i].cycles /
            per_ns) };

        wire_pprof_sample(w, val, 2, v[i].stk.pcs, v[i].stk.n, NULL, 0);
    }
    return kind_finish(w, sink);
}

enum rt_status
wire_write_timed(const struct wire_sink *sink, const struct wire_syms *syms,
    const char *value, const struct wire_timed *v, size_t n,
    int64_t period_ns, int64_t start_ns, int64_t duration_ns)
{
    enum { LABELS = 64 };
    struct wire_pprof *w = wire_pprof_new(syms);

    if (w == NULL)
        return RT_ENOMEM;
    wire_pprof_time(w, start_ns, duration_ns);
    wire_pprof_sample_type(w, "samples", "count");
    wire_pprof_sample_type(w, value, "nanoseconds");
    wire_pprof_period(w, value, "nanoseconds", period_ns);
    for (size_t i = 0; i < n; i++) {
        int64_t val[2] = { v[i].count, v[i].count * period_ns };
        struct wire_label l[1 + LABELS] = { { .key = "state",
            .str = v[i].state } };
        uint32_t first = v[i].state != NULL;
        uint32_t k = v[i].nlabels < LABELS ? v[i].nlabels : LABELS;

        if (k > 0)
            memcpy(l + first, v[i].labels, k * sizeof *l);
        wire_pprof_sample(w, val, 2, v[i].stk.pcs, v[i].stk.n, l, first + k);
    }
    return kind_finish(w, sink);
}
