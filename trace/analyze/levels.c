/* SPDX-License-Identifier: MIT */
/* Timelines at several resolutions. */
#include <stdlib.h>
#include <string.h>

#include "trace/analyze/timeline.h"

/* The piece of each level that still grows; n = 0: none. */
struct trace_level_lane {
    uint64_t id;
    struct trace_piece open[TRACE_MAX_LEVELS];
    int64_t longest[TRACE_MAX_LEVELS]; /* span within it */
};

static struct trace_level_lane *
lane(struct trace_idmap *map, struct trace_level_lane **lanes, uint64_t *cap,
    uint64_t id)
{
    bool fresh;
    int64_t i = trace_idmap_put(map, id, &fresh);

    if (i < 0 || !trace_grow(lanes, cap, (uint64_t)i, sizeof **lanes))
        return NULL;
    (*lanes)[i].id = id;
    return &(*lanes)[i];
}

static bool
flush(struct trace_levels *l, unsigned level, bool is_p,
    struct trace_level_lane *lane_)
{
    struct trace_piece *p = &lane_->open[level];
    bool ok = p->n == 0 || l->emit(l->arg, level, is_p, lane_->id, p);

    p->n = 0;
    return ok;
}

/* Whether a span belongs into the open piece: both are short, and not far
 * from each other. */
static bool
melts(const struct trace_levels *l, unsigned level,
    const struct trace_piece *p, const struct trace_span *sp)
{
    int64_t res = l->res[level];

    return p->n > 0 && p->to - p->from < res && sp->to - sp->from < res &&
        sp->from - p->to < res;
}

static bool
add(struct trace_levels *l, unsigned level, bool is_p,
    struct trace_level_lane *lane_, const struct trace_span *sp, uint64_t who)
{
    enum trace_class cl = trace_class_of(l->f, sp);
    struct trace_piece *p = &lane_->open[level];
    int64_t ns = sp->to - sp->from;

    if (!melts(l, level, p, sp)) {
        if (!flush(l, level, is_p, lane_))
            return false;
        memset(p, 0, sizeof *p);
        p->from = sp->from;
        lane_->longest[level] = -1;
    }
    p->to = sp->to;
    p->n++;
    p->ns[cl] += ns;
    if (ns > lane_->longest[level]) {
        lane_->longest[level] = ns;
        p->who = who;
        p->stack = sp->stack;
        p->state = sp->state;
        p->cl = (uint8_t)cl;
    }
    return true;
}

static bool
on_span(void *arg, const struct trace_summary *s,
    const struct trace_goroutine *g, const struct trace_span *sp)
{
    bool on_p = sp->state == TRACE_ST_RUNNING && sp->p >= 0;
    struct trace_level_lane *gl, *pl = NULL;
    struct trace_levels *l = arg;
    unsigned i;

    (void)s;
    gl = lane(&l->gmap, &l->gs, &l->gs_cap, g->id);
    if (on_p)
        pl = lane(&l->pmap, &l->ps, &l->ps_cap, (uint64_t)sp->p);
    if (gl == NULL || (on_p && pl == NULL))
        return false;
    for (i = 0; i < l->n; i++) {
        if (!add(l, i, false, gl, sp, on_p ? (uint64_t)sp->p + 1 : 0))
            return false;
        if (on_p && !add(l, i, true, pl, sp, g->id))
            return false;
    }
    return true;
}

struct trace_sink
trace_levels_sink(struct trace_levels *l)
{
    return (struct trace_sink){.arg = l, .span = on_span};
}

enum rt_status
trace_levels_finish(struct trace_levels *l)
{
    bool ok = true;
    uint32_t i;
    unsigned k;

    for (k = 0; k < l->n; k++) {
        for (i = 0; i < l->pmap.count && ok; i++)
            ok = flush(l, k, true, &l->ps[i]);
        for (i = 0; i < l->gmap.count && ok; i++)
            ok = flush(l, k, false, &l->gs[i]);
    }
    return ok ? RT_OK : RT_ENOMEM;
}

void
trace_levels_free(struct trace_levels *l)
{
    trace_idmap_free(&l->pmap);
    trace_idmap_free(&l->gmap);
    free(l->ps);
    free(l->gs);
    l->ps = NULL;
    l->gs = NULL;
}
