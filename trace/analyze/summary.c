/* SPDX-License-Identifier: MIT */
#include "trace/analyze/summary.h"

#include <stdlib.h>

#include "runtime/base/throw.h"

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

/* Its states follow each other: they are no longer than the stretch. */
static bool
times_valid(const struct trace_goroutine *g, int64_t all)
{
    int64_t sum = 0;
    int st;

    for (st = TRACE_ST_RUNNING; st < TRACE_ST_COUNT; st++)
        sum += g->time[st];
    return sum >= 0 && sum <= all && g->calls >= 0;
}

static bool
waits_sorted(const struct trace_wait *w, uint64_t n)
{
    uint64_t i;

    for (i = 0; i < n; i++) {
        if (w[i].ns < 0 || (i > 0 && w[i].ns > w[i - 1].ns))
            return false;
    }
    return true;
}

bool
trace_summary_valid(const struct trace_summary *s)
{
    int64_t all = s->to - s->from;
    uint64_t i;

    if (!s->sorted || all < 0)
        return false;
    for (i = 0; i < s->ngs; i++) {
        if (!times_valid(&s->gs[i], all) ||
            (i > 0 && s->gs[i].id <= s->gs[i - 1].id))
            return false;
    }
    for (i = 0; i < s->nprocs; i++) {
        if (s->procs[i].busy < 0 ||
            (i > 0 && s->procs[i].id <= s->procs[i - 1].id))
            return false;
    }
    return waits_sorted(s->longest, s->nlongest) &&
        waits_sorted(s->late, s->nlate);
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

        rt_assert(i < (int64_t)s->ngs);
        return i < 0 ? NULL : &s->gs[i];
    }
    return bsearch(&key, s->gs, s->ngs, sizeof *s->gs, by_goid);
}
