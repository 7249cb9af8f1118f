/* SPDX-License-Identifier: MIT */
#include "trace/analyze/gcstat.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/throw.h"

enum rt_status
trace_gcstat_init(struct trace_gcstat *x, const struct trace_file *f)
{
    memset(x, 0, sizeof *x);
    x->f = f;
    x->stop_since = -1;
    x->stops = calloc(TRACE_STOP_KINDS, sizeof *x->stops);
    return x->stops == NULL ? RT_ENOMEM : RT_OK;
}

void
trace_gcstat_free(struct trace_gcstat *x)
{
    free(x->cycles);
    free(x->stops);
    memset(x, 0, sizeof *x);
}

/* The cycle that runs, or was the last to run. */
static struct trace_cycle *
current(struct trace_gcstat *x)
{
    return x->n == 0 || x->left_out > 0 ? &x->spare : &x->cycles[x->n - 1];
}

static bool
on_begin(struct trace_gcstat *x, const struct trace_summary *s,
    const struct trace_event *e)
{
    struct trace_cycle *c;

    x->in_cycle = true;
    if (x->n == TRACE_MAX_CYCLES) {
        x->left_out++;
        return true;
    }
    if (!trace_grow(&x->cycles, &x->cap, x->n, sizeof *x->cycles))
        return false;
    (void)s;
    c = &x->cycles[x->n++];
    *c = (struct trace_cycle){.from = e->ns, .to = -1, .g = e->g,
        .stack = e->stk, .heap_before = x->heap, .heap_after = x->heap,
        .goal = x->goal};
    return true;
}

/* The kinds of stops in order of appearance; the last one takes the rest. */
static unsigned
stop_kind(struct trace_gcstat *x, const struct trace_event *e)
{
    const char *name = trace_stw_name(x->f->version, e->args[0]);
    char text[sizeof x->stops->name];
    unsigned i;

    if (e->why_len > 0) { /* v2 */
        snprintf(text, sizeof text, "%.*s", (int)e->why_len, e->why);
        name = text;
    }
    for (i = 0; i < x->nstops; i++) {
        if (strcmp(x->stops[i].name, name) == 0)
            return i;
    }
    if (x->nstops == TRACE_STOP_KINDS)
        return TRACE_STOP_KINDS - 1;
    snprintf(x->stops[i].name, sizeof x->stops[i].name, "%s", name);
    x->nstops++;
    return i;
}

static void
on_stop_done(struct trace_gcstat *x, const struct trace_event *e)
{
    int64_t ns = e->ns - x->stop_since;
    struct trace_cycle *c = current(x);

    if (x->stop_since < 0)
        return;
    rt_assert(x->stop_kind < TRACE_STOP_KINDS && ns >= 0);
    trace_hist_add(&x->stops[x->stop_kind].hist, ns);
    /* The last stop of a cycle may end after it has. */
    if (x->in_cycle || (x->n > 0 && x->stop_since <= c->to)) {
        c->stops++;
        c->stop_ns += ns;
        if (ns > c->stop_longest)
            c->stop_longest = ns;
    }
    x->stop_since = -1;
}

/* Assists and sweeps: a cycle has cost what they ran; a goroutine feels an
 * assist from begin to end. */
static void
on_range_done(struct trace_gcstat *x, const struct trace_event *e,
    const struct trace_summary *s)
{
    struct trace_cycle *c = current(x);

    rt_assert(s->range_ran >= 0);
    if (e->type == TRACE_EV_MARK_ASSIST_DONE) {
        c->assists++;
        c->assist_ns += s->range_ran;
        trace_hist_add(&x->assists,
            s->range_since < 0 ? 0 : e->ns - s->range_since);
        return;
    }
    c->sweeps++;
    c->sweep_ns += s->range_ran;
    c->swept += e->args[0];
    c->reclaimed += e->args[1];
}

static bool
on_event(void *arg, const struct trace_summary *s,
    const struct trace_event *e)
{
    struct trace_gcstat *x = arg;

    switch (e->type) {
    case TRACE_EV_GC_START:
        return on_begin(x, s, e);
    case TRACE_EV_GC_DONE:
        current(x)->to = e->ns;
        current(x)->heap_after = x->heap;
        x->in_cycle = false;
        break;
    case TRACE_EV_STW_START:
        if (x->f->version < 10)
            break; /* one per P: not a stop of the world */
        x->stop_since = e->ns;
        x->stop_kind = stop_kind(x, e);
        break;
    case TRACE_EV_STW_DONE:
        on_stop_done(x, e);
        break;
    case TRACE_EV_MARK_ASSIST_DONE:
    case TRACE_EV_SWEEP_DONE:
        on_range_done(x, e, s);
        break;
    case TRACE_EV_HEAP_ALLOC:
        x->heap = e->args[0];
        break;
    case TRACE_EV_HEAP_GOAL:
        x->goal = e->args[0];
        break;
    default:
        break;
    }
    return true;
}

static bool
on_span(void *arg, const struct trace_summary *s,
    const struct trace_goroutine *g, const struct trace_span *sp)
{
    static const char *const names[] = {"GC (dedicated)", "GC (fractional)",
        "GC (idle)"};
    struct trace_gcstat *x = arg;
    struct trace_text t;
    int i;

    (void)s;
    (void)g;
    if (sp->state != TRACE_ST_RUNNING || sp->label == 0)
        return true;
    t = trace_file_string(x->f, sp->label);
    for (i = 0; i < TRACE_WORKERS; i++) {
        if (t.len == strlen(names[i]) && memcmp(t.s, names[i], t.len) == 0)
            current(x)->worker_ns[i] += sp->to - sp->from;
    }
    return true;
}

struct trace_sink
trace_gcstat_sink(struct trace_gcstat *x)
{
    return (struct trace_sink){.arg = x, .event = on_event, .span = on_span};
}

void
trace_gcstat_finish(struct trace_gcstat *x, int64_t end)
{
    struct trace_cycle *c = current(x);

    if (c == &x->spare || c->to >= 0)
        return;
    c->to = end;
    c->open = true;
    c->heap_after = x->heap;
}
