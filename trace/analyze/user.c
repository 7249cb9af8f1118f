/* SPDX-License-Identifier: MIT */
#include "trace/analyze/user.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/base/throw.h"

/* A region that has begun; those of a goroutine are a list, innermost
 * first. */
struct trace_open_region {
    uint32_t outer;          /* index + 1; in the free list: the next */
    uint32_t type;           /* index of its type */
    int64_t from;
    int64_t time[TRACE_ST_COUNT]; /* of the goroutine when it began */
};

void
trace_user_init(struct trace_user *u, const struct trace_file *f)
{
    memset(u, 0, sizeof *u);
    u->f = f;
}

void
trace_user_free(struct trace_user *u)
{
    trace_idmap_free(&u->taskmap);
    trace_idmap_free(&u->strmap);
    trace_idmap_free(&u->typemap);
    trace_idmap_free(&u->gmap);
    free(u->tasks);
    free(u->regions);
    free(u->types);
    free(u->open);
    free(u->heads);
    free(u->names);
    memset(u, 0, sizeof *u);
}

static int
compare(struct trace_text a, struct trace_text b)
{
    uint32_t n = a.len < b.len ? a.len : b.len;
    int c = n == 0 ? 0 : memcmp(a.s, b.s, n);

    return c != 0 ? c : (a.len > b.len) - (a.len < b.len);
}

/* ---- tasks */

/* The task with that id; id 0 is the background task, which is kept too. */
static struct trace_task *
task(struct trace_user *u, uint64_t id)
{
    bool fresh;
    int64_t i = trace_idmap_row(&u->taskmap, id, &u->tasks, &u->tasks_cap,
        sizeof *u->tasks, &fresh);

    if (i < 0)
        return NULL;
    if (fresh) {
        u->ntasks++;
        u->tasks[i] = (struct trace_task){.id = id, .from = -1, .to = -1,
            .name = {"", 0}};
    }
    return &u->tasks[i];
}

static bool
on_create(struct trace_user *u, const struct trace_event *e)
{
    struct trace_task *t;

    if (e->args[1] != 0) {
        t = task(u, e->args[1]);
        if (t == NULL)
            return false;
        t->children++;
    }
    t = task(u, e->args[0]);
    if (t == NULL)
        return false;
    t->parent = e->args[1];
    t->name = trace_file_string(u->f, e->args[2]);
    t->g = e->g;
    t->from = e->ns;
    return true;
}

static bool
on_end(struct trace_user *u, const struct trace_event *e)
{
    struct trace_task *t = task(u, e->args[0]);

    if (t != NULL)
        t->to = e->ns;
    return t != NULL;
}

static bool
on_log(struct trace_user *u, const struct trace_event *e)
{
    struct trace_task *t = task(u, e->args[0]);

    if (t != NULL)
        t->logs++;
    return t != NULL;
}

/* ---- regions */

static bool
intern(struct trace_user *u, struct trace_text t, uint64_t id, uint64_t *i)
{
    bool fresh;
    int64_t k = trace_idmap_row(&u->strmap, id, &u->names, &u->names_cap,
        sizeof *u->names, &fresh);

    if (k < 0)
        return false;
    if (fresh)
        u->names[k] = t;
    *i = (uint64_t)k;
    return true;
}

/* The type of a region, by the index of its task and its name. */
static int64_t
type_of(struct trace_user *u, const struct trace_event *e)
{
    struct trace_task *t = task(u, e->args[0]);
    struct trace_region_type *r;
    uint64_t name, tn = 0;
    bool fresh;
    int64_t i;

    if (t == NULL || !intern(u, trace_file_string(u->f, e->args[2]),
        e->args[2], &name))
        return -1;
    t->regions++;
    /* Names of tasks have no id here: their text's address serves. */
    if (t->name.len > 0 &&
        !intern(u, t->name, (uint64_t)(uintptr_t)t->name.s | 1ull << 63, &tn))
        return -1;
    if (t->name.len > 0)
        tn++;
    i = trace_idmap_row(&u->typemap, tn << 32 | name, &u->regions,
        &u->regions_cap, sizeof *u->regions, &fresh);
    if (i < 0)
        return -1;
    r = &u->regions[i];
    if (fresh) {
        u->nregions++;
        r->name = u->names[name];
        r->task = t->name;
        r->stack = e->stk;
    }
    return i;
}

/* The list of open regions of a goroutine. */
static uint32_t *
head_of(struct trace_user *u, uint64_t g)
{
    int64_t i = trace_idmap_row(&u->gmap, g, &u->heads, &u->heads_cap,
        sizeof *u->heads, NULL);

    return i < 0 ? NULL : &u->heads[i];
}

static void
times_of(const struct trace_goroutine *g, int64_t now, int64_t *time)
{
    memset(time, 0, TRACE_ST_COUNT * sizeof *time);
    if (g == NULL)
        return;
    memcpy(time, g->time, sizeof g->time);
    rt_assert(g->since <= now);
    time[g->state] += now - g->since;
}

static bool
begin_region(struct trace_user *u, const struct trace_summary *s,
    const struct trace_event *e, int64_t type)
{
    uint32_t *head = head_of(u, e->g), i;
    struct trace_open_region *r;

    if (head == NULL)
        return false;
    if (u->nfree != 0) {
        i = (uint32_t)u->nfree;
        rt_assert(i <= u->nopen);
        u->nfree = u->open[i - 1].outer;
    } else {
        if (u->nopen >= UINT32_MAX ||
            !trace_grow(&u->open, &u->open_cap, u->nopen, sizeof *u->open))
            return false;
        i = (uint32_t)++u->nopen;
    }
    r = &u->open[i - 1];
    r->outer = *head;
    r->type = (uint32_t)type;
    r->from = e->ns;
    times_of(trace_find_goroutine(s, e->g), e->ns, r->time);
    u->regions[type].open++;
    *head = i;
    return true;
}

/* The innermost region of the goroutine id is over; time is what the goroutine
 * has done until now. */
static void
end_region(struct trace_user *u, uint64_t id, const int64_t *time,
    int64_t now, uint32_t *head)
{
    struct trace_open_region *r = &u->open[*head - 1];
    struct trace_region_type *t = &u->regions[r->type];
    int64_t ns = now - r->from;
    uint32_t i = *head;
    int k;

    rt_assert(*head != 0 && *head <= u->nopen && r->type < u->nregions);
    rt_assert(ns >= 0);
    t->n++;
    if (ns >= t->hist.max) {
        t->longest_g = id;
        t->longest_at = r->from;
    }
    trace_hist_add(&t->hist, ns);
    for (k = 0; k < TRACE_ST_COUNT; k++)
        t->time[k] += time[k] - r->time[k];
    *head = r->outer;
    r->outer = (uint32_t)u->nfree;
    u->nfree = i;
}

static bool
on_region(struct trace_user *u, const struct trace_summary *s,
    const struct trace_event *e)
{
    int64_t type, time[TRACE_ST_COUNT];
    uint32_t *head;

    if (e->args[1] == 0) {
        type = type_of(u, e);
        return type >= 0 && begin_region(u, s, e, type);
    }
    head = head_of(u, e->g);
    if (head == NULL)
        return false;
    if (*head != 0) {
        rt_assert(u->regions[u->open[*head - 1].type].open > 0);
        u->regions[u->open[*head - 1].type].open--;
        times_of(trace_find_goroutine(s, e->g), e->ns, time);
        end_region(u, e->g, time, e->ns, head);
        return true;
    }
    type = type_of(u, e);
    if (type >= 0)
        u->regions[type].headless++;
    return type >= 0;
}

/* The goroutine's regions that nobody has ended last as long as it. */
static void
cut_regions(struct trace_user *u, uint64_t id, const int64_t *time,
    int64_t now)
{
    int64_t i = trace_idmap_get(&u->gmap, id);

    while (i >= 0 && u->heads[i] != 0)
        end_region(u, id, time, now, &u->heads[i]);
}

static void
on_goroutine_end(struct trace_user *u, const struct trace_summary *s,
    const struct trace_event *e)
{
    int64_t time[TRACE_ST_COUNT];

    times_of(trace_find_goroutine(s, e->g), e->ns, time);
    cut_regions(u, e->g, time, e->ns);
}

static bool
on_event(void *arg, const struct trace_summary *s,
    const struct trace_event *e)
{
    struct trace_user *u = arg;

    switch (e->type) {
    case TRACE_EV_USER_TASK_CREATE:
        return on_create(u, e);
    case TRACE_EV_USER_TASK_END:
        return on_end(u, e);
    case TRACE_EV_USER_LOG:
        return on_log(u, e);
    case TRACE_EV_USER_REGION:
        return on_region(u, s, e);
    case TRACE_EV_GO_END:
        on_goroutine_end(u, s, e);
        return true;
    default:
        return true;
    }
}

struct trace_sink
trace_user_sink(struct trace_user *u)
{
    return (struct trace_sink){.arg = u, .event = on_event};
}

/* ---- types */

static int
task_by_name(const void *a, const void *b)
{
    const struct trace_task *x = a, *y = b;
    int c = compare(x->name, y->name);

    return c != 0 ? c : x->id < y->id ? -1 : x->id > y->id;
}

static int
type_by_time(const void *a, const void *b)
{
    const struct trace_task_type *x = a, *y = b;

    if (x->hist.sum != y->hist.sum)
        return x->hist.sum > y->hist.sum ? -1 : 1;
    return compare(x->name, y->name);
}

static int
region_by_name(const void *a, const void *b)
{
    const struct trace_region_type *x = a, *y = b;
    int c = compare(x->name, y->name);

    return c != 0 ? c : compare(x->task, y->task);
}

static int
region_by_time(const void *a, const void *b)
{
    const struct trace_region_type *x = a, *y = b;

    if (x->hist.sum != y->hist.sum)
        return x->hist.sum > y->hist.sum ? -1 : 1;
    return region_by_name(a, b);
}

static void
add_task(struct trace_task_type *y, const struct trace_task *t)
{
    y->n++;
    y->regions += t->regions;
    y->logs += t->logs;
    if (t->to < 0)
        return;
    y->ended++;
    if (t->from < 0)
        return;
    if (t->to - t->from >= y->hist.max)
        y->longest = t->id;
    trace_hist_add(&y->hist, t->to - t->from);
}

static bool
task_types(struct trace_user *u)
{
    struct trace_task_type *y = NULL;
    uint64_t i;

    if (u->ntasks > 0)
        qsort(u->tasks, u->ntasks, sizeof *u->tasks, task_by_name);
    for (i = 0; i < u->ntasks; i++) {
        const struct trace_task *t = &u->tasks[i];

        if (t->id == 0)
            continue;
        if (y == NULL || compare(y->name, t->name) != 0) {
            if (!trace_grow(&u->types, &u->types_cap, u->ntypes,
                sizeof *u->types))
                return false;
            y = &u->types[u->ntypes++];
            y->name = t->name;
        }
        add_task(y, t);
    }
    if (u->ntypes > 0)
        qsort(u->types, u->ntypes, sizeof *u->types, type_by_time);
    return true;
}

static void
merge_region(struct trace_region_type *a, const struct trace_region_type *b)
{
    int i;

    a->n += b->n;
    a->open += b->open;
    a->headless += b->headless;
    if (b->hist.max > a->hist.max) {
        a->longest_g = b->longest_g;
        a->longest_at = b->longest_at;
    }
    for (i = 0; i < TRACE_ST_COUNT; i++)
        a->time[i] += b->time[i];
    trace_hist_merge(&a->hist, &b->hist);
}

enum rt_status
trace_user_finish(struct trace_user *u, const struct trace_summary *s,
    bool by_task)
{
    static const int64_t nothing[TRACE_ST_COUNT];
    uint64_t i, k = 0;

    for (i = 0; i < s->ngs; i++)
        cut_regions(u, s->gs[i].id, s->gs[i].time, s->duration);
    cut_regions(u, 0, nothing, s->duration);
    if (!task_types(u))
        return RT_ENOMEM;
    if (u->nregions == 0)
        return RT_OK;
    if (u->nregions > 0)
        qsort(u->regions, u->nregions, sizeof *u->regions, region_by_name);
    for (i = 1; i < u->nregions; i++) {
        struct trace_region_type *a = &u->regions[k];
        const struct trace_region_type *b = &u->regions[i];

        if (compare(a->name, b->name) == 0 &&
            (!by_task || compare(a->task, b->task) == 0))
            merge_region(a, b);
        else
            u->regions[++k] = *b;
    }
    u->nregions = k + 1;
    if (u->nregions > 0)
        qsort(u->regions, u->nregions, sizeof *u->regions, region_by_time);
    return RT_OK;
}
