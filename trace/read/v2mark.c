/* SPDX-License-Identifier: MIT */
/* Events of the collector, annotations: trace/read/v2step.c. */
#include "trace/read/v2step.h"

#include <string.h>

/* ---- the collector */

static const char *const stops[] = {"unknown", "GC mark termination",
    "GC sweep termination", "write heap dump", "goroutine profile",
    "goroutine profile cleanup", "all goroutines stack trace",
    "read mem stats", "AllThreadsSyscall", "GOMAXPROCS", "start trace",
    "stop trace", "CountPagesInUse (test)", "ReadMetricsSlow (test)",
    "ReadMemStatsSlow (test)", "PageCachePagesLeaked (test)",
    "ResetDebugLog (test)"};

enum { NSTOPS = sizeof stops / sizeof *stops };

const char *
v2_stw_text(uint64_t kind)
{
    return stops[kind < NSTOPS ? kind : 0];
}

static uint64_t
stw_kind(const struct v2_state *s, uint32_t str)
{
    struct trace_text t = trace_file_string(s->f, str);
    unsigned i;

    for (i = 0; i < NSTOPS; i++) {
        if (t.len == strlen(stops[i]) && memcmp(t.s, stops[i], t.len) == 0)
            return i;
    }
    return 0;
}

enum v2_step
v2_do_gc_active(struct step *x)
{
    struct v2_state *s = x->s;
    struct trace_event *e;
    enum v2_step st;

    if (s->initial) {
        if (s->gc_state != 0)
            return BAD(x, "gc", "GCActive is not the first event of the "
                "collector");
        s->gc_seq = x->a[0];
        s->gc_state = 2;
        s->woke_gc = true;
        e = v2_put(x, TRACE_EV_GC_START, true);
        e->snapshot = true;
        v2_arg(e, s->cycles++);
        return V2_OK;
    }
    if (x->a[0] != s->gc_seq + 1)
        return v2_wait_gc(x, x->a[0]);
    if (s->gc_state != 2)
        return BAD(x, "gc", "GCActive while no collection is on");
    s->gc_seq = x->a[0];
    s->woke_gc = true;
    st = v2_check_ctx(x, MUST, MUST);
    if (st == V2_OK)
        v2_put_nothing(x);
    return st;
}

enum v2_step
v2_do_gc_edge(struct step *x)
{
    struct v2_state *s = x->s;
    bool begin = x->it->ev.type == V2_GC_BEGIN;
    enum v2_step st = V2_OK;
    struct trace_event *e;

    if (!begin || s->gc_state != 0) {
        if (x->a[0] != s->gc_seq + 1)
            return v2_wait_gc(x, x->a[0]);
        if (begin && s->gc_state == 2)
            return BAD(x, "gc", "GCBegin while a collection is on");
        if (!begin && s->gc_state != 2)
            return BAD(x, "gc", "GCEnd while no collection is on");
        st = v2_check_ctx(x, MUST, MUST);
    }
    if (st != V2_OK)
        return st;
    s->gc_seq = x->a[0];
    s->gc_state = begin ? 2 : 1;
    s->woke_gc = true;
    e = v2_put(x, begin ? TRACE_EV_GC_START : TRACE_EV_GC_DONE, true);
    e->stk = x->it->stk;
    if (begin)
        v2_arg(e, s->cycles++);
    return V2_OK;
}

static enum v2_step
range_state(struct step *x, bool *open, bool begin)
{
    if (*open == begin)
        return BAD(x, "range", begin ? "%s while one is open" :
            "%s while none is open", v2_name(x->it->ev.type));
    *open = begin;
    return V2_OK;
}

/* A range of a goroutine or P begins (kind first), ends (last), or is told
 * again, as open ranges are in each generation.  *out is what came out: NULL
 * where it tells nothing new. */
static enum v2_step
range_edge(struct step *x, bool *open, bool active, unsigned first,
    unsigned last, struct trace_event **out)
{
    bool begin = x->it->ev.type == V2_SWEEP_BEGIN ||
        x->it->ev.type == V2_ASSIST_BEGIN;
    enum v2_step st = V2_OK;

    *out = NULL;
    if (!active || x->s->initial)
        st = range_state(x, open, begin || active);
    else if (!*open)
        st = BAD(x, "range", "%s, but none is open", v2_name(x->it->ev.type));
    if (st != V2_OK)
        return st;
    if (active && !x->s->initial) {
        v2_put_nothing(x);
        return V2_OK;
    }
    *out = v2_put(x, begin || active ? first : last, true);
    (*out)->stk = x->it->stk;
    (*out)->snapshot = active;
    return V2_OK;
}

enum v2_step
v2_do_sweep(struct step *x)
{
    bool active = x->it->ev.type == V2_SWEEP_ACTIVE;
    struct v2_p *p = v2_find_p(x->s, active ? x->a[0] : x->c.p);
    enum v2_step st = active ? V2_OK : v2_check_ctx(x, MUST, MAY);
    struct trace_event *e;

    if (st != V2_OK)
        return st;
    if (p == NULL)
        return BAD(x, "proc-state", "%s of a P that is not known",
            v2_name(x->it->ev.type));
    st = range_edge(x, &p->sweeping, active, TRACE_EV_SWEEP_START,
        TRACE_EV_SWEEP_DONE, &e);
    if (st != V2_OK || e == NULL)
        return st;
    e->p = (int64_t)p->id;
    if (x->it->ev.type == V2_SWEEP_END) {
        v2_arg(e, x->a[0]);
        v2_arg(e, x->a[1]);
    }
    return V2_OK;
}

enum v2_step
v2_do_assist(struct step *x)
{
    bool active = x->it->ev.type == V2_ASSIST_ACTIVE;
    struct v2_g *g = v2_find_g(x->s, active ? x->a[0] : x->c.g);
    enum v2_step st = active ? V2_OK : v2_check_ctx(x, MUST, MUST);
    struct trace_event *e;

    if (st != V2_OK)
        return st;
    if (g == NULL)
        return BAD(x, "go-state", "%s of a goroutine that is not known",
            v2_name(x->it->ev.type));
    st = range_edge(x, &g->assist, active, TRACE_EV_MARK_ASSIST_START,
        TRACE_EV_MARK_ASSIST_DONE, &e);
    if (st == V2_OK && e != NULL)
        e->g = g->id;
    return st;
}

enum v2_step
v2_do_stop_the_world(struct step *x)
{
    struct v2_state *s = x->s;
    bool begin = x->it->ev.type == V2_STW_BEGIN, open;
    enum v2_step st = v2_check_ctx(x, MUST, MUST);
    struct v2_g *g = v2_find_g(s, x->c.g);
    struct trace_event *e;

    if (st != V2_OK)
        return st;
    if (g == NULL)
        return BAD(x, "go-state", "%s by a goroutine that is not known",
            v2_name(x->it->ev.type));
    open = g->stw != 0;
    st = range_state(x, &open, begin);
    if (st != V2_OK)
        return st;
    e = v2_put(x, begin ? TRACE_EV_STW_START : TRACE_EV_STW_DONE, true);
    e->stk = x->it->stk;
    v2_because(x, e, begin ? x->it->str : g->stw - 1);
    if (begin)
        v2_arg(e, stw_kind(s, x->it->str));
    g->stw = begin ? x->it->str + 1 : 0;
    return V2_OK;
}

/* ---- annotations */

enum v2_step
v2_do_metric(struct step *x, unsigned type, enum need g)
{
    enum v2_step st = v2_check_ctx(x, MUST, g);
    struct trace_event *e;

    if (st != V2_OK)
        return st;
    e = v2_put(x, type, true);
    e->stk = x->it->stk;
    v2_arg(e, x->it->ev.type == V2_GO_LABEL ? x->it->str : x->a[0]);
    return V2_OK;
}

enum v2_step
v2_do_task(struct step *x)
{
    struct v2_state *s = x->s;
    bool begin = x->it->ev.type == V2_TASK_BEGIN;
    enum v2_step st = v2_check_ctx(x, MUST, MUST);
    struct trace_event *e;
    int64_t i;

    if (st != V2_OK)
        return st;
    i = trace_idmap_row(&s->tasks, x->a[0], &s->task_open, &s->tasks_cap, 1,
        NULL);
    if (i < 0)
        return V2_NOMEM;
    if (begin && s->task_open[i])
        return BAD(x, "task", "task %llu exists already", (ull)x->a[0]);
    s->task_open[i] = begin;
    e = v2_put(x, begin ? TRACE_EV_USER_TASK_CREATE : TRACE_EV_USER_TASK_END,
        true);
    e->stk = x->it->stk;
    v2_arg(e, x->a[0]);
    if (begin) {
        v2_arg(e, x->a[1] == V2_NONE ? 0 : x->a[1]);
        v2_arg(e, x->it->str);
    }
    return V2_OK;
}

enum v2_step
v2_do_region(struct step *x)
{
    struct v2_state *s = x->s;
    bool begin = x->it->ev.type == V2_REGION_BEGIN;
    enum v2_step st = v2_check_ctx(x, MUST, MUST);
    struct v2_g *g = v2_find_g(s, x->c.g);
    struct trace_event *e;

    if (st != V2_OK)
        return st;
    if (g == NULL)
        return BAD(x, "go-state", "%s by a goroutine that is not known",
            v2_name(x->it->ev.type));
    if (begin) {
        if (!trace_grow(&g->regions, &g->regions_cap, g->nregions,
                sizeof *g->regions))
            return V2_NOMEM;
        g->regions[g->nregions].task = x->a[0];
        g->regions[g->nregions++].name = x->it->str;
    } else if (g->nregions > 0) {
        const struct v2_region *r = &g->regions[--g->nregions];

        if (r->task != x->a[0] || r->name != x->it->str)
            return BAD(x, "region", "goroutine %llu ends another region "
                "than the innermost one", (ull)g->id);
    }
    e = v2_put(x, TRACE_EV_USER_REGION, true);
    e->stk = x->it->stk;
    v2_arg(e, x->a[0]);
    v2_arg(e, !begin);
    v2_arg(e, x->it->str);
    return V2_OK;
}

enum v2_step
v2_do_user_log(struct step *x)
{
    enum v2_step st = v2_check_ctx(x, MUST, MUST);
    struct trace_text t = trace_file_string(x->s->f, x->it->str2);
    struct trace_event *e;

    if (st != V2_OK)
        return st;
    e = v2_put(x, TRACE_EV_USER_LOG, true);
    e->stk = x->it->stk;
    e->msg = t.s;
    e->msg_len = t.len;
    v2_arg(e, x->a[0]);
    v2_arg(e, x->it->str);
    return V2_OK;
}
