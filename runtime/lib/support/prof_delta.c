/* SPDX-License-Identifier: MIT */

/*
 * The difference of two snapshots of a profile.  Rows of both, those of the
 * older one negative, are sorted by stack and labels, and neighbours that are
 * equal are added up; what comes to nothing is left out.
 */

#include <stdlib.h>
#include <string.h>

#include "runtime/lib/support/prof_rows.h"

enum { VALUES = 4 };

struct row {
    struct wire_stack stk;
    const struct wire_label *labels;
    uint32_t nlabels;
    int64_t size; /* heap: of one object; else 0 */
    int64_t v[VALUES];
};

static int
cmp_labels(const struct row *a, const struct row *b)
{
    if (a->nlabels != b->nlabels)
        return a->nlabels < b->nlabels ? -1 : 1;
    for (uint32_t i = 0; i < a->nlabels; i++) {
        int c = strcmp(a->labels[i].key, b->labels[i].key);

        if (c == 0)
            c = strcmp(a->labels[i].str, b->labels[i].str);
        if (c != 0)
            return c;
    }
    return 0;
}

static int
cmp(const void *x, const void *y)
{
    const struct row *a = x, *b = y;
    int c;

    if (a->stk.n != b->stk.n)
        return a->stk.n < b->stk.n ? -1 : 1;
    c = memcmp(a->stk.pcs, b->stk.pcs, a->stk.n * sizeof *a->stk.pcs);
    if (c != 0)
        return c;
    if (a->size != b->size)
        return a->size < b->size ? -1 : 1;
    return cmp_labels(a, b);
}

static void
heap_row(struct row *r, const struct wire_heap *h, int64_t rate)
{
    int64_t o = h->alloc_objects, b = h->alloc_bytes;

    r->stk = h->stk;
    r->size = o > 0 ? b / o : 0;
    wire_scale_heap(&o, &b, rate);
    r->v[0] = o;
    r->v[1] = b;
    o = h->alloc_objects - h->free_objects;
    b = h->alloc_bytes - h->free_bytes;
    wire_scale_heap(&o, &b, rate);
    r->v[2] = o;
    r->v[3] = b;
}

static void
rows_of(const struct lib_snap *s, int64_t sign, struct row *out)
{
    for (size_t i = 0; i < s->n; i++) {
        struct row *r = &out[i];

        memset(r, 0, sizeof *r);
        if (s->heap != NULL) {
            heap_row(r, &s->heap[i], s->rate);
        } else if (s->cycles != NULL) {
            r->stk = s->cycles[i].stk;
            r->v[0] = s->cycles[i].count;
            r->v[1] = (int64_t)((double)s->cycles[i].cycles /
                ((double)s->per_sec / 1e9));
        } else {
            r->stk = s->count[i].stk;
            r->labels = s->count[i].labels;
            r->nlabels = s->count[i].nlabels;
            r->v[0] = 1;
        }
        for (int k = 0; k < VALUES; k++)
            r->v[k] *= sign;
    }
}

/* Adds equal neighbours up; returns how many rows are left. */
static size_t
fold(struct row *r, size_t n)
{
    size_t out = 0;

    for (size_t i = 0; i < n;) {
        struct row sum = r[i];
        int64_t any = 0;

        for (i++; i < n && cmp(&sum, &r[i]) == 0; i++)
            for (int k = 0; k < VALUES; k++)
                sum.v[k] += r[i].v[k];
        for (int k = 0; k < VALUES; k++)
            any |= sum.v[k];
        if (any != 0)
            r[out++] = sum;
    }
    return out;
}

/* Describes the values; returns how many a sample has. */
static uint32_t
describe(struct wire_pprof *w, const struct lib_snap *s)
{
    if (s->heap != NULL) {
        wire_pprof_sample_type(w, "alloc_objects", "count");
        wire_pprof_sample_type(w, "alloc_space", "bytes");
        wire_pprof_sample_type(w, "inuse_objects", "count");
        wire_pprof_sample_type(w, "inuse_space", "bytes");
        wire_pprof_period(w, "space", "bytes", s->rate);
        if (s->kind == LIB_PROF_ALLOCS)
            wire_pprof_default_type(w, "alloc_space");
        return 4;
    }
    if (s->cycles != NULL) {
        wire_pprof_sample_type(w, "contentions", "count");
        wire_pprof_sample_type(w, "delay", "nanoseconds");
        wire_pprof_period(w, "contentions", "count", 1);
        wire_pprof_default_type(w, "delay");
        return 2;
    }
    wire_pprof_sample_type(w, s->name, "count");
    wire_pprof_period(w, s->name, "count", 1);
    return 1;
}

static void
put_row(struct wire_pprof *w, const struct row *r, uint32_t nvalues)
{
    struct wire_label size = {.key = "bytes", .num = r->size,
        .unit = "bytes"};

    if (r->size != 0)
        wire_pprof_sample(
            w, r->v, nvalues, r->stk.pcs, r->stk.n, &size, 1);
    else
        wire_pprof_sample(w, r->v, nvalues, r->stk.pcs, r->stk.n, r->labels,
            r->nlabels);
}

enum rt_status
lib_snap_write_delta(const struct lib_snap *old, const struct lib_snap *new,
    const struct wire_sink *sink)
{
    size_t n = old->n + new->n;
    struct row *r = calloc(n + 1, sizeof *r);
    struct lib_prof_syms syms;
    struct wire_pprof *w;
    enum rt_status st = RT_ENOMEM;
    uint32_t nvalues;

    lib_prof_syms_init(&syms, new->lp);
    w = wire_pprof_new(&syms.w);
    if (r != NULL && w != NULL) {
        rows_of(old, -1, r);
        rows_of(new, 1, r + old->n);
        qsort(r, n, sizeof *r, cmp);
        n = fold(r, n);
        nvalues = describe(w, new);
        wire_pprof_time(w, new->time_ns, new->time_ns - old->time_ns);
        for (size_t i = 0; i < n; i++)
            put_row(w, &r[i], nvalues);
        st = wire_pprof_finish(w, sink);
    }
    wire_pprof_free(w);
    lib_prof_syms_free(&syms);
    free(r);
    return st;
}
