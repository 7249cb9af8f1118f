/* SPDX-License-Identifier: MIT */
#include "trace/analyze/export_int.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FULL = 1 << 16 };

void
trace_export_free(struct trace_export *x)
{
    wire_buf_free(&x->buf);
    trace_idmap_free(&x->pmap);
    trace_idmap_free(&x->gmap);
    trace_idmap_free(&x->taskmap);
    trace_idmap_free(&x->stackmap);
    trace_idmap_free(&x->nodemap);
    free(x->gs);
    free(x->nodes);
    free(x->tasks);
    x->gs = NULL;
    x->nodes = NULL;
    x->tasks = NULL;
}

enum rt_status
trace_export_status(const struct trace_export *x)
{
    return x->nomem || x->buf.failed ? RT_ENOMEM
        : x->failed ? RT_EIO : RT_OK;
}

struct trace_export_g *
trace_export_g(struct trace_export *x, uint64_t id)
{
    bool fresh;
    int64_t i = trace_idmap_row(&x->gmap, id, &x->gs, &x->gs_cap, sizeof *x->gs,
        &fresh);

    if (i < 0) {
        x->nomem = true;
        return NULL;
    }
    if (fresh)
        x->gs[i].assist_since = -1;
    return &x->gs[i];
}

void
trace_export_flush(struct trace_export *x, bool always)
{
    if ((!always && x->buf.n < FULL) || x->buf.n == 0)
        return;
    if (!x->failed && !x->out->write(x->out->arg, x->buf.data, x->buf.n))
        x->failed = true;
    x->buf.n = 0;
}

bool
trace_export_clip(const struct trace_export *x, int64_t *from, int64_t *to)
{
    if (*from < x->from)
        *from = x->from;
    if (*to > x->to)
        *to = x->to;
    return *from < *to;
}

/* Counts are written at most this often within a trace. */
enum { SAMPLES = 20000 };

bool
trace_export_count(struct trace_export *x, const struct trace_event *e,
    const struct trace_summary *s)
{
    const struct trace_goroutine *g;
    struct trace_export_g *t;
    uint64_t id = e->g;
    int64_t whole;

    if (e->type == TRACE_EV_GO_CREATE || e->type == TRACE_EV_GO_UNBLOCK ||
        e->type == TRACE_EV_GO_UNBLOCK_LOCAL ||
        e->type == TRACE_EV_GO_WAITING || e->type == TRACE_EV_GO_IN_SYSCALL)
        id = e->args[0];
    g = id == 0 ? NULL : trace_find_goroutine(s, id);
    t = g == NULL ? NULL : trace_export_g(x, id);
    if (t == NULL || t->state == g->state)
        return false;
    x->count[t->state]--;
    x->count[g->state]++;
    t->state = g->state;
    if (e->ns < x->from || e->ns >= x->to)
        return false;
    whole = trace_file_ns(x->f, x->f->max_ts);
    if (e->ns - x->counted < whole / SAMPLES)
        return false;
    x->counted = e->ns;
    return true;
}

size_t
trace_export_name(const struct trace_summary *s,
    const struct trace_goroutine *g, char *buf, size_t size)
{
    struct trace_text t = trace_goroutine_name(s, g);
    int n = snprintf(buf, size, "G%llu %.*s", (unsigned long long)g->id,
        t.len > 200 ? 200 : (int)t.len, t.s);

    return n < 0 ? 0 : (size_t)n < size ? (size_t)n : size - 1;
}
