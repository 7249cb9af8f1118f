/* SPDX-License-Identifier: MIT */
#include "trace/analyze/summary.h"

#include <stdlib.h>

/* Drops the pseudo goroutine 0 and the pseudo P. */
static void
drop_pseudo(struct trace_summary *s)
{
    uint64_t i, n = 0;

    for (i = 0; i < s->ngs; i++) {
        if (s->gs[i].id != 0)
            s->gs[n++] = s->gs[i];
    }
    s->ngs = n;
    for (i = 0, n = 0; i < s->nprocs; i++) {
        if (s->procs[i].id >= 0)
            s->procs[n++] = s->procs[i];
    }
    s->nprocs = n;
}

static int
by_goid(const void *a, const void *b)
{
    const struct trace_goroutine *x = a, *y = b;

    return x->id < y->id ? -1 : x->id > y->id;
}

static int
by_pid(const void *a, const void *b)
{
    const struct trace_proc *x = a, *y = b;

    return x->id < y->id ? -1 : x->id > y->id;
}

void
trace_summary_settle(struct trace_summary *s)
{
    drop_pseudo(s);
    if (s->ngs > 0)
        qsort(s->gs, s->ngs, sizeof *s->gs, by_goid);
    if (s->nprocs > 0)
        qsort(s->procs, s->nprocs, sizeof *s->procs, by_pid);
    s->sorted = true;
}

void
trace_summary_free(struct trace_summary *s)
{
    if (s == NULL)
        return;
    trace_idmap_free(&s->gmap);
    free(s->gs);
    free(s->procs);
    free(s->longest);
    free(s->late);
    free(s);
}

const struct trace_goroutine *
trace_find_goroutine(const struct trace_summary *s, uint64_t id)
{
    struct trace_goroutine key = {.id = id};

    if (s->ngs == 0)
        return NULL;
    if (!s->sorted) {
        int64_t i = trace_idmap_get(&s->gmap, id);

        return i < 0 ? NULL : &s->gs[i];
    }
    return bsearch(&key, s->gs, s->ngs, sizeof *s->gs, by_goid);
}
