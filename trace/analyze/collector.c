/* SPDX-License-Identifier: MIT */
/*
 * What the collector takes of a program's time: collections and stops of the
 * world, which are stretches of the whole trace, and assists and sweeps, which
 * goroutines do.
 */
#include "runtime/base/throw.h"
#include "trace/analyze/analyze_int.h"

/*
 * An assist is not over while its goroutine waits, for a P or for credit:
 * only what it runs is the collector's part of a P's time.
 */
static int64_t
ran_in_range(const struct trace_goroutine *g, int64_t now)
{
    if (g->range_since < 0 || g->state != TRACE_ST_RUNNING)
        return 0;
    rt_assert(now >= g->since && now >= g->range_since);
    return now - (g->since > g->range_since ? g->since : g->range_since);
}

void
trace_range_pause(struct trace_goroutine *g, struct trace_proc *p, int64_t now)
{
    int64_t ns = ran_in_range(g, now);

    g->range_ran += ns;
    if (g->assisting && !p->gc_worker)
        p->gc += ns;
}

static void
begin_range(struct trace_goroutine *g, int64_t now, bool assist)
{
    g->range_since = now;
    g->range_ran = 0;
    g->assisting = assist;
}

/* The range is over: its time from begin to end. */
static int64_t
end_range(struct trace_summary *s, struct trace_goroutine *g,
    struct trace_proc *p, int64_t now)
{
    s->range_since = g->range_since;
    s->range_ran = 0;
    if (g->range_since < 0)
        return 0;
    trace_range_pause(g, p, now);
    s->range_ran = g->range_ran;
    g->range_since = -1;
    return now - s->range_since;
}

static void
open_range(struct trace_range *r, int64_t now)
{
    r->since = now;
}

void
trace_range_close(struct trace_range *r, int64_t now)
{
    int64_t ns = now - r->since;

    if (r->since < 0)
        return;
    rt_assert(ns >= 0);
    r->n++;
    r->ns += ns;
    if (ns > r->longest) {
        r->longest = ns;
        r->longest_at = r->since;
    }
    r->since = -1;
}

void
trace_on_collector(struct trace_run *x, const struct trace_event *e,
    struct trace_goroutine *g, struct trace_proc *p)
{
    struct trace_summary *s = x->s;

    switch (e->type) {
    case TRACE_EV_GC_START:
        open_range(&s->gc, e->ns);
        break;
    case TRACE_EV_GC_DONE:
        trace_range_close(&s->gc, e->ns);
        break;
    case TRACE_EV_STW_START:
        if (s->f->version < 10)
            break; /* one per P: not a stop of the world */
        x->stw_kind = e->args[0] < 32 ? e->args[0] : 31;
        open_range(&s->stw, e->ns);
        open_range(&s->stw_kind[x->stw_kind], e->ns);
        break;
    case TRACE_EV_STW_DONE:
        trace_range_close(&s->stw, e->ns);
        trace_range_close(&s->stw_kind[x->stw_kind], e->ns);
        break;
    case TRACE_EV_MARK_ASSIST_START:
    case TRACE_EV_SWEEP_START:
        begin_range(g, e->ns, e->type == TRACE_EV_MARK_ASSIST_START);
        break;
    case TRACE_EV_MARK_ASSIST_DONE:
        g->assist += end_range(s, g, p, e->ns);
        s->assists++;
        s->assist_ns += s->range_ran;
        break;
    case TRACE_EV_SWEEP_DONE:
        g->sweep += end_range(s, g, p, e->ns);
        s->sweeps++;
        s->sweep_ns += s->range_ran;
        s->swept += e->args[0];
        s->reclaimed += e->args[1];
        break;
    default:
        break;
    }
}
