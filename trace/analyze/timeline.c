/* SPDX-License-Identifier: MIT */
#include "trace/analyze/timeline.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/base/throw.h"

const char *
trace_class_name(enum trace_class c)
{
    static const char *const names[] = {"running", "gc", "runnable",
        "syscall", "waiting", "sleeping", "network", "other"};

    rt_assert(c < TRACE_CL_COUNT);
    return names[c];
}

enum trace_class
trace_class_of(const struct trace_file *f, const struct trace_span *sp)
{
    struct trace_text t;

    switch (sp->state) {
    case TRACE_ST_RUNNING:
        t = trace_file_string(f, sp->label);
        return sp->label != 0 && t.len > 3 && memcmp(t.s, "GC ", 3) == 0
            ? TRACE_CL_GC : TRACE_CL_RUNNING;
    case TRACE_ST_RUNNABLE:
        return TRACE_CL_RUNNABLE;
    case TRACE_ST_SYSCALL:
        return TRACE_CL_SYSCALL;
    case TRACE_ST_SEND:
    case TRACE_ST_RECV:
    case TRACE_ST_SELECT:
    case TRACE_ST_SYNC:
    case TRACE_ST_COND:
    case TRACE_ST_FOREVER:
        return TRACE_CL_WAIT;
    case TRACE_ST_SLEEP:
        return TRACE_CL_SLEEP;
    case TRACE_ST_NET:
        return TRACE_CL_NET;
    default:
        return TRACE_CL_OTHER;
    }
}

/* ---- columns */

double
trace_column_width(const struct trace_columns *c)
{
    return (double)(c->to - c->from) / c->n;
}

/* Where column i begins. */
static int64_t
edge(const struct trace_columns *c, unsigned i)
{
    return c->from + (int64_t)((double)i * trace_column_width(c) + 0.5);
}

/* The column that a time within lies in. */
static unsigned
column_of(const struct trace_columns *c, int64_t ns)
{
    unsigned i = (unsigned)((double)(ns - c->from) / trace_column_width(c));

    rt_assert(ns >= c->from && ns <= c->to);
    if (i >= c->n)
        i = c->n - 1;
    while (i > 0 && ns < edge(c, i))
        i--;
    while (i + 1 < c->n && ns >= edge(c, i + 1))
        i++;
    return i;
}

/* Adds from .. to to the columns that it touches: at[i * step]. */
static void
spread(const struct trace_columns *c, int64_t from, int64_t to, int64_t *at,
    unsigned step)
{
    unsigned i;

    if (from < c->from)
        from = c->from;
    if (to > c->to)
        to = c->to;
    if (from >= to)
        return;
    for (i = column_of(c, from); i < c->n && from < to; i++) {
        int64_t end = i + 1 == c->n ? c->to : edge(c, i + 1);

        if (end > to)
            end = to;
        rt_assert(end >= from);
        at[i * step] += end - from;
        from = end;
    }
}

static struct trace_lane *
lane(struct trace_columns *c, struct trace_idmap *map,
    struct trace_lane **lanes, uint64_t *n, uint64_t *cap, uint64_t id)
{
    bool fresh;
    int64_t i = trace_idmap_row(map, id, lanes, cap, sizeof **lanes, &fresh);

    if (i < 0)
        return NULL;
    if (fresh) {
        ++*n;
        (*lanes)[i].id = id;
        (*lanes)[i].ns = calloc(c->n, sizeof *(*lanes)[i].ns);
    }
    return (*lanes)[i].ns == NULL ? NULL : &(*lanes)[i];
}

enum rt_status
trace_columns_init(struct trace_columns *c, const struct trace_file *f,
    int64_t from, int64_t to, unsigned n, const uint64_t *goroutines,
    uint64_t ngoroutines)
{
    uint64_t i;

    rt_assert(to > from && n > 0);
    memset(c, 0, sizeof *c);
    c->f = f;
    c->from = from;
    c->to = to;
    c->n = n;
    c->gc_since = -1;
    c->stop_since = -1;
    c->all = calloc(n, sizeof *c->all);
    c->gc = calloc(n, sizeof *c->gc);
    c->stopped = calloc(n, sizeof *c->stopped);
    c->heap = calloc(n, sizeof *c->heap);
    c->goal = calloc(n, sizeof *c->goal);
    if (c->all == NULL || c->gc == NULL || c->stopped == NULL ||
        c->heap == NULL || c->goal == NULL)
        goto nomem;
    for (i = 0; i < ngoroutines; i++) {
        if (lane(c, &c->gmap, &c->gs, &c->ngs, &c->gs_cap,
            goroutines[i]) == NULL)
            goto nomem;
    }
    return RT_OK;
nomem:
    trace_columns_free(c);
    return RT_ENOMEM;
}

void
trace_columns_free(struct trace_columns *c)
{
    uint64_t i;

    for (i = 0; i < c->nps; i++)
        free(c->ps[i].ns);
    for (i = 0; i < c->ngs; i++)
        free(c->gs[i].ns);
    trace_idmap_free(&c->pmap);
    trace_idmap_free(&c->gmap);
    free(c->ps);
    free(c->gs);
    free(c->all);
    free(c->gc);
    free(c->stopped);
    free(c->heap);
    free(c->goal);
    memset(c, 0, sizeof *c);
}

static bool
column_span(void *arg, const struct trace_summary *s,
    const struct trace_goroutine *g, const struct trace_span *sp)
{
    struct trace_columns *c = arg;
    enum trace_class cl = trace_class_of(c->f, sp);
    struct trace_lane *l;
    int64_t i;

    (void)s;
    if (sp->to <= c->from || sp->from >= c->to)
        return true;
    spread(c, sp->from, sp->to, &c->all[0][cl], TRACE_CL_COUNT);
    i = trace_idmap_get(&c->gmap, g->id);
    if (i >= 0)
        spread(c, sp->from, sp->to, &c->gs[i].ns[0][cl], TRACE_CL_COUNT);
    if (sp->state != TRACE_ST_RUNNING || sp->p < 0)
        return true;
    l = lane(c, &c->pmap, &c->ps, &c->nps, &c->ps_cap, (uint64_t)sp->p);
    if (l != NULL)
        spread(c, sp->from, sp->to, &l->ns[0][cl], TRACE_CL_COUNT);
    return l != NULL;
}

/* Holds the heap's last values up to the column of ns, and takes new ones. */
static void
hold(struct trace_columns *c, int64_t ns)
{
    unsigned to;

    if (ns < c->from)
        return;
    rt_assert(c->heap_at < c->n);
    to = ns >= c->to ? c->n - 1 : column_of(c, ns);
    for (;;) {
        if (c->heap_now > c->heap[c->heap_at])
            c->heap[c->heap_at] = c->heap_now;
        if (c->goal_now > c->goal[c->heap_at])
            c->goal[c->heap_at] = c->goal_now;
        if (c->heap_at >= to)
            break;
        c->heap_at++;
    }
}

static bool
column_event(void *arg, const struct trace_summary *s,
    const struct trace_event *e)
{
    struct trace_columns *c = arg;

    switch (e->type) {
    case TRACE_EV_HEAP_ALLOC:
    case TRACE_EV_HEAP_GOAL:
        if (e->ns >= c->to)
            break;
        hold(c, e->ns);
        if (e->type == TRACE_EV_HEAP_ALLOC)
            c->heap_now = e->args[0];
        else
            c->goal_now = e->args[0];
        hold(c, e->ns);
        break;
    case TRACE_EV_GC_START:
        c->gc_since = e->ns;
        break;
    case TRACE_EV_GC_DONE:
        if (c->gc_since >= 0)
            spread(c, c->gc_since, e->ns, c->gc, 1);
        c->gc_since = -1;
        break;
    case TRACE_EV_STW_START:
        c->stop_since = s->f->version < 10 ? -1 : e->ns;
        break;
    case TRACE_EV_STW_DONE:
        if (c->stop_since >= 0)
            spread(c, c->stop_since, e->ns, c->stopped, 1);
        c->stop_since = -1;
        break;
    default:
        break;
    }
    return true;
}

struct trace_sink
trace_columns_sink(struct trace_columns *c)
{
    return (struct trace_sink){.arg = c, .event = column_event,
        .span = column_span};
}

static int
by_id(const void *a, const void *b)
{
    const struct trace_lane *x = a, *y = b;

    return x->id < y->id ? -1 : x->id > y->id;
}

void
trace_columns_finish(struct trace_columns *c, int64_t end)
{
    hold(c, end);
    if (c->gc_since >= 0)
        spread(c, c->gc_since, end, c->gc, 1);
    if (c->stop_since >= 0)
        spread(c, c->stop_since, end, c->stopped, 1);
    if (c->nps > 0)
        qsort(c->ps, c->nps, sizeof *c->ps, by_id);
}
