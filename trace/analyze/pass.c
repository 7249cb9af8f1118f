/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "runtime/base/throw.h"

#include "trace/analyze/analyze_int.h"

bool
trace_pass_prepare(struct trace_run *x, struct trace_file *f,
    const struct trace_pass *how)
{
    struct trace_summary *s = calloc(1, sizeof *s);
    unsigned i;

    memset(x, 0, sizeof *x);
    for (i = 0; i < how->nsinks; i++) {
        const struct trace_sink *k = &how->sinks[i];

        if (k->event != NULL)
            x->kinds |= k->kinds == 0 ? UINT64_MAX : k->kinds;
        if (k->span != NULL)
            x->states |= k->states == 0 ? UINT32_MAX : k->states;
    }
    x->s = s;
    x->how = how;
    if (!trace_top_init(&x->longest, how->top) ||
        !trace_top_init(&x->late, how->top) || s == NULL)
        return false;
    s->f = f;
    s->from = how->from;
    s->to = how->to > 0 ? how->to : INT64_MAX;
    s->gc.since = -1;
    s->stw.since = -1;
    for (i = 0; i < 32; i++)
        s->stw_kind[i].since = -1;
    return true;
}

/* ---- a stretch of the trace: what came before it is forgotten */

static void
move_up(int64_t *since, int64_t from)
{
    if (*since >= 0 && *since < from)
        *since = from;
}

static void
restart_range(struct trace_range *r, int64_t from)
{
    r->n = 0;
    r->ns = r->longest = r->longest_at = 0;
    move_up(&r->since, from);
}

static void
restart_goroutine(struct trace_goroutine *g, int64_t from)
{
    memset(g->time, 0, sizeof g->time);
    g->longest_block = g->assist = g->sweep = 0;
    g->calls = g->run_calls = g->range_ran = 0;
    g->runs = g->blocks = 0;
    move_up(&g->since, from);
    move_up(&g->told, from);
    move_up(&g->range_since, from);
    move_up(&g->called, from);
}

static void
restart_proc(struct trace_proc *p, int64_t from)
{
    p->busy = p->gc = p->calls = 0;
    p->runs = p->retaken = p->starts = 0;
    move_up(&p->since, from);
}

/* Who is there stays, in the state that they are in. */
static void
restart_counts(struct trace_summary *s)
{
    s->events = 0;
    s->at_start = s->peak = s->alive;
    s->created = s->ended = 0;
    memset(s->total, 0, sizeof s->total);
    memset(&s->latency, 0, sizeof s->latency);
    memset(s->count, 0, sizeof s->count);
    s->proc_time = 0;
    s->assists = s->sweeps = s->swept = s->reclaimed = 0;
    s->assist_ns = s->sweep_ns = 0;
    s->heap_first = s->heap_max = s->heap_last;
    s->syscalls = s->syscalls_blocked = 0;
    s->tasks = s->tasks_ended = s->regions = s->logs = s->samples = 0;
}

void
trace_pass_enter(struct trace_run *x)
{
    struct trace_summary *s = x->s;
    int64_t from = s->from;
    uint64_t i;

    rt_assert(!x->entered);
    x->entered = true;
    if (from <= 0)
        return;
    for (i = 0; i < s->ngs; i++)
        restart_goroutine(&s->gs[i], from);
    for (i = 0; i < s->nprocs; i++)
        restart_proc(&s->procs[i], from);
    restart_range(&s->gc, from);
    restart_range(&s->stw, from);
    for (i = 0; i < 32; i++)
        restart_range(&s->stw_kind[i], from);
    trace_top_clear(&x->longest);
    trace_top_clear(&x->late);
    restart_counts(s);
    x->procs_since = from;
}

/* ---- those who are told */

bool
trace_pass_tell(struct trace_run *x, const struct trace_event *e)
{
    unsigned i;

    for (i = 0; i < x->how->nsinks; i++) {
        const struct trace_sink *k = &x->how->sinks[i];

        if (k->event != NULL &&
            (k->kinds == 0 || (k->kinds >> e->type & 1) != 0) &&
            !k->event(k->arg, x->s, e))
            return false;
    }
    return true;
}

void
trace_pass_progress(const struct trace_run *x)
{
    if (x->how->progress != NULL)
        x->how->progress(x->how->progress_arg, x->s->events,
            x->s->f->nevents);
}
