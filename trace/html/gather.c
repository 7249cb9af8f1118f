/* SPDX-License-Identifier: MIT */
/*
 * What the page is made of.  The first pass over the events has told which
 * goroutines and Ps there are; from it come the groups.  In the second, each
 * span that a goroutine leaves goes to its group, and to its P if it ran.
 */
#include <math.h>
#include <string.h>

#include "runtime/base/hash.h"
#include "runtime/base/throw.h"
#include "trace/html/html_int.h"

enum {
    COUNTER_STEPS = 1 << 14,
    SLOW_SHARE = 64 /* a span is slow that takes this part of the trace: it
                       would be in the chunk of its end, and missed where one
                       looks at its middle */
};

/* ---- groups ---------------------------------------------------------------- */

struct groups {
    struct trace_idmap map; /* hash of the name -> index */
    RT_VEC(, struct html_group) v;
    uint32_t *of;           /* by number of goroutine */
};

static bool
add(struct html *h, struct groups *gs, uint64_t k)
{
    const struct trace_goroutine *g = &h->sum->gs[k];
    struct trace_text t = trace_goroutine_name(h->sum, g);
    uint64_t hash = rt_hash_bytes(t.s, t.len, g->system) | 1;
    bool fresh = false;
    int64_t i = trace_idmap_put(&gs->map, hash, &fresh);
    struct html_group *to;

    if (i < 0)
        return false;
    if (fresh) {
        struct html_group empty = {.name = t, .system = g->system};

        if (!rt_vec_push(&gs->v, empty))
            return false;
    }
    rt_assert((uint64_t)i < gs->v.n);
    gs->of[k] = (uint32_t)i;
    to = &gs->v.v[i];
    to->n++;
    for (int s = 0; s < TRACE_ST_COUNT; s++)
        to->time[s] += g->time[s];
    if (g->longest_block > to->longest)
        to->longest = g->longest_block;
    return true;
}

struct rank {
    uint32_t index;
    bool system;
    int64_t time;
};

static int
busiest_first(const void *pa, const void *pb)
{
    const struct rank *a = pa, *b = pb;

    if (a->system != b->system)
        return a->system ? 1 : -1;
    if (a->time != b->time)
        return a->time > b->time ? -1 : 1;
    return a->index < b->index ? -1 : a->index > b->index;
}

static void
merge(struct html_group *to, const struct html_group *from)
{
    to->n += from->n;
    for (int s = 0; s < TRACE_ST_COUNT; s++)
        to->time[s] += from->time[s];
    if (from->longest > to->longest)
        to->longest = from->longest;
}

/* Sorts the groups; those that find no room go into the last one. */
static bool
settle(struct html *h, struct groups *gs)
{
    struct rank *r = calloc(gs->v.n + 1, sizeof *r);
    uint8_t *place = calloc(gs->v.n + 1, 1);

    if (r == NULL || place == NULL) {
        free(r);
        free(place);
        return false;
    }
    for (uint32_t i = 0; i < gs->v.n; i++)
        r[i] = (struct rank){i, gs->v.v[i].system,
            gs->v.v[i].time[TRACE_ST_RUNNING]};
    qsort(r, gs->v.n, sizeof *r, busiest_first);
    for (uint32_t i = 0; i < gs->v.n; i++) {
        uint32_t k = i < HTML_GROUPS - 1 || gs->v.n == HTML_GROUPS ? i :
            HTML_GROUPS - 1;

        place[r[i].index] = (uint8_t)k;
        if (k == i) {
            h->groups[k] = gs->v.v[r[i].index];
            h->ngroups = k + 1;
            continue;
        }
        if (h->ngroups <= k) {
            h->ngroups = k + 1;
            h->groups[k].name = (struct trace_text){"other functions", 15};
        }
        merge(&h->groups[k], &gs->v.v[r[i].index]);
    }
    rt_assert(h->ngroups <= HTML_GROUPS);
    for (uint64_t k = 0; k < h->sum->ngs; k++)
        h->group_of[k] = place[gs->of[k]];
    free(r);
    free(place);
    return true;
}

bool
html_groups(struct html *h)
{
    struct groups gs = {.of = calloc(h->sum->ngs + 1, sizeof *gs.of)};
    bool ok;

    h->group_of = calloc(h->sum->ngs + 1, 1);
    ok = gs.of != NULL && h->group_of != NULL;
    for (uint64_t k = 0; ok && k < h->sum->ngs; k++)
        ok = add(h, &gs, k);
    ok = ok && settle(h, &gs);
    trace_idmap_free(&gs.map);
    rt_vec_free(&gs.v);
    free(gs.of);
    return ok;
}

/* ---- the second pass ------------------------------------------------------- */

static bool
counter_init(struct html_counter *c, int64_t duration)
{
    c->n = COUNTER_STEPS;
    c->width = (double)(duration > 0 ? duration : 1) / c->n;
    c->low = calloc(c->n, sizeof *c->low);
    c->high = calloc(c->n, sizeof *c->high);
    if (c->low == NULL || c->high == NULL)
        return false;
    for (uint32_t i = 0; i < c->n; i++)
        c->low[i] = c->high[i] = NAN;
    return true;
}

static void
counter_set(struct html *h, struct html_counter *c, int64_t t, uint64_t v)
{
    double at = (double)t / c->width;
    uint32_t i = at >= c->n ? c->n - 1 : (uint32_t)at;

    rt_assert(t >= c->pack.last);
    if (isnan(c->low[i]) || (double)v < c->low[i])
        c->low[i] = (double)v;
    if (isnan(c->high[i]) || (double)v > c->high[i])
        c->high[i] = (double)v;
    html_pack_begin(&h->out, &c->pack, t, t);
    html_pack_i(&c->pack, t - c->pack.last);
    html_pack_u(&c->pack, v);
    c->pack.last = t;
    c->seen = true;
}

bool
html_begin(struct html *h)
{
    int64_t d = h->sum->duration;
    uint64_t steps = HTML_PROC_STEPS;
    bool ok = counter_init(&h->heap, d) && counter_init(&h->goal, d);

    h->slow = d / SLOW_SHARE;
    h->gc_since = h->stw_since = -1;
    h->procs = calloc(h->sum->nprocs + 1, sizeof *h->procs);
    ok = ok && h->procs != NULL;
    while (steps > HTML_LEAST_STEPS &&
        steps * h->sum->nprocs > HTML_ALL_PROC_STEPS)
        steps /= HTML_LEVEL_FACTOR;
    for (uint64_t i = 0; ok && i < h->sum->nprocs; i++) {
        struct html_proc *p = &h->procs[i];

        p->most = calloc(steps, sizeof *p->most);
        p->group = calloc(steps, 1);
        ok = p->most != NULL && p->group != NULL &&
            html_area_init(&p->busy, (uint32_t)steps, d);
    }
    for (uint32_t i = 0; ok && i < h->ngroups; i++)
        for (int k = 0; ok && k <= HTML_BLOCKED; k++)
            ok = html_area_init(&h->groups[i].area[k], HTML_GROUP_STEPS, d);
    return ok;
}

static int64_t
goroutine(struct html *h, uint64_t id)
{
    const struct trace_goroutine *g =
        id == 0 ? NULL : trace_find_goroutine(h->sum, id);

    return g == NULL ? -1 : g - h->sum->gs;
}

static struct html_proc *
proc(struct html *h, int64_t id)
{
    uint64_t lo = 0, hi = h->sum->nprocs;

    while (lo < hi) {
        uint64_t mid = (lo + hi) / 2;

        if (h->sum->procs[mid].id < id)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < h->sum->nprocs && h->sum->procs[lo].id == id ?
        &h->procs[lo] : NULL;
}

/* The picture of a P: which group has most of a step.  Where a file has two
 * goroutines on one P at a time, the second has what the first leaves: no P is
 * busier than always, and no step is painted for each of many. */
static void
paint(struct html_proc *p, const struct trace_span *sp, uint8_t group)
{
    int64_t begin = sp->from > p->painted ? sp->from : p->painted;
    uint32_t i = html_area_step(&p->busy, begin);
    uint32_t k = html_area_step(&p->busy, sp->to);
    double w = p->busy.width;

    if (sp->to <= begin)
        return;
    p->painted = sp->to;
    html_area_add(&p->busy, begin, sp->to);
    for (; i <= k; i++) {
        double from = i * w, to = from + w;
        double part = fmin((double)sp->to, to) - fmax((double)begin, from);

        if (part > p->most[i]) {
            p->most[i] = (float)part;
            p->group[i] = group;
        }
    }
}

/* P slices: start, length, goroutine, event that ended it, stack. */
static void
slice(struct html *h, const struct trace_span *sp, int64_t gi)
{
    struct html_proc *p = proc(h, sp->p);

    if (p == NULL)
        return;
    paint(p, sp, h->group_of[gi]);
    html_pack_begin(&h->out, &p->pack, sp->from, sp->to);
    html_pack_i(&p->pack, sp->from - p->pack.last);
    html_pack_u(&p->pack, (uint64_t)(sp->to - sp->from));
    html_pack_u(&p->pack, (uint64_t)gi);
    html_pack_u(&p->pack, sp->end);
    html_pack_u(&p->pack, html_stack(&h->stacks, sp->stack));
    p->pack.last = sp->to;
}

static int
area_of(enum trace_gst s)
{
    switch (s) {
    case TRACE_ST_RUNNING: return 0;
    case TRACE_ST_RUNNABLE: return 1;
    case TRACE_ST_SYSCALL: return 2;
    default: return HTML_BLOCKED;
    }
}

/* Spans of a group: start, length, goroutine, state, P + 1, stack, who made
 * it come into this state (number + 1), and where. */
static bool
span(void *arg, const struct trace_summary *s,
    const struct trace_goroutine *g, const struct trace_span *sp)
{
    struct html *h = arg;
    int64_t gi = goroutine(h, g->id);
    struct html_group *to;
    struct html_pack *p;

    (void)s;
    if (gi < 0 || sp->to < sp->from)
        return true;
    if (sp->state == TRACE_ST_RUNNING)
        slice(h, sp, gi);
    rt_assert(h->group_of[gi] < h->ngroups);
    to = &h->groups[h->group_of[gi]];
    html_area_add(&to->area[area_of(sp->state)], sp->from, sp->to);
    p = sp->to - sp->from > h->slow ? &to->slow : &to->pack;
    html_pack_begin(&h->out, p, sp->from, sp->to);
    html_pack_i(p, sp->from - p->last);
    html_pack_u(p, (uint64_t)(sp->to - sp->from));
    html_pack_u(p, (uint64_t)gi);
    html_pack_u(p, sp->state);
    html_pack_u(p, (uint64_t)(sp->p + 1));
    html_pack_u(p, html_stack(&h->stacks, sp->stack));
    html_pack_u(p, (uint64_t)(goroutine(h, sp->cause_by) + 1));
    html_pack_u(p, html_stack(&h->stacks, sp->cause_stack));
    p->last = sp->from;
    return !h->out.nomem && !h->stacks.nomem;
}

/* Collections (kind 0) and stops (kind + 1): start, length, kind. */
static void
band(struct html *h, int64_t from, int64_t to, uint64_t kind)
{
    rt_assert(from <= to);
    html_pack_begin(&h->out, &h->bands, from, to);
    html_pack_i(&h->bands, from - h->bands.last);
    html_pack_u(&h->bands, (uint64_t)(to - from));
    html_pack_u(&h->bands, kind);
    h->bands.last = from;
}

static bool
task_begin(struct html *h, const struct trace_event *e)
{
    struct html_task t = {.id = e->args[0], .parent = e->args[1],
        .name = e->args[2], .from = e->ns, .to = -1, .g = e->g};
    bool fresh;

    if (trace_idmap_put(&h->open_tasks, t.id, &fresh) < 0)
        return false;
    return !fresh || rt_vec_push(&h->task_list, t);
}

static void
task_end(struct html *h, const struct trace_event *e)
{
    int64_t i = trace_idmap_get(&h->open_tasks, e->args[0]);

    if (i >= 0 && (size_t)i < h->task_list.n)
        h->task_list.v[i].to = e->ns;
}

static bool
event(void *arg, const struct trace_summary *s, const struct trace_event *e)
{
    struct html *h = arg;

    (void)s;
    switch (e->type) {
    case TRACE_EV_HEAP_ALLOC:
        counter_set(h, &h->heap, e->ns, e->args[0]);
        break;
    case TRACE_EV_HEAP_GOAL:
        counter_set(h, &h->goal, e->ns, e->args[0]);
        break;
    case TRACE_EV_GC_START:
        h->gc_since = e->ns;
        break;
    case TRACE_EV_GC_DONE:
        if (h->gc_since >= 0)
            band(h, h->gc_since, e->ns, 0);
        h->gc_since = -1;
        break;
    case TRACE_EV_STW_START:
        h->stw_since = e->ns;
        h->stw_kind = e->args[0];
        break;
    case TRACE_EV_STW_DONE:
        if (h->stw_since >= 0)
            band(h, h->stw_since, e->ns, h->stw_kind + 1);
        h->stw_since = -1;
        break;
    case TRACE_EV_USER_TASK_CREATE:
        return task_begin(h, e);
    case TRACE_EV_USER_TASK_END:
        task_end(h, e);
        break;
    default:
        break;
    }
    return !h->out.nomem;
}

struct trace_sink
html_sink(struct html *h)
{
    return (struct trace_sink){.arg = h, .event = event, .span = span};
}

void
html_end(struct html *h)
{
    int64_t end = h->sum->duration;

    if (h->gc_since >= 0)
        band(h, h->gc_since, end, 0);
    if (h->stw_since >= 0)
        band(h, h->stw_since, end, h->stw_kind + 1);
    html_pack_flush(&h->out, &h->bands);
    html_pack_flush(&h->out, &h->heap.pack);
    html_pack_flush(&h->out, &h->goal.pack);
    for (uint64_t i = 0; i < h->sum->nprocs; i++) {
        html_pack_flush(&h->out, &h->procs[i].pack);
        html_area_finish(&h->procs[i].busy);
    }
    for (uint32_t i = 0; i < h->ngroups; i++) {
        html_pack_flush(&h->out, &h->groups[i].pack);
        html_pack_flush(&h->out, &h->groups[i].slow);
        for (int k = 0; k <= HTML_BLOCKED; k++)
            html_area_finish(&h->groups[i].area[k]);
    }
}
