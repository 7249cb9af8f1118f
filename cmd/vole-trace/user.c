/* SPDX-License-Identifier: MIT */
/* tasks and regions: the program's own annotations. */
#include <stdlib.h>
#include <string.h>

#include "cmd/vole-trace/tool.h"
#include "trace/analyze/user.h"

#define NONE UINT64_MAX

struct opts {
    bool json, list, tasks;
    uint64_t n, task;
    const char *name;
};

typedef unsigned long long ull;

/* ---- shared */

static bool
is_called(struct trace_text t, const char *name)
{
    return name == NULL ||
        (strlen(name) == t.len && memcmp(name, t.s, t.len) == 0);
}

static const char *
shown(char *buf, struct trace_text t, const char *none)
{
    return t.len == 0 ? none : tool_func(buf, t);
}

static void
json_hist(struct out *o, const struct trace_hist *h)
{
    out_printf(o, "\"ns\":%llu,\"p50_ns\":%lld,\"p90_ns\":%lld,"
        "\"p99_ns\":%lld,\"max_ns\":%lld", (ull)h->sum,
        (long long)trace_hist_quantile(h, 0.5),
        (long long)trace_hist_quantile(h, 0.9),
        (long long)trace_hist_quantile(h, 0.99), (long long)h->max);
}

/* Five cells: mean, median, 90 %, 99 %, longest. */
static void
hist_cells(struct out *o, const struct trace_hist *h, char (*v)[OUT_NUM])
{
    const int64_t ns[5] = {h->n == 0 ? -1 : (int64_t)(h->sum / h->n),
        trace_hist_quantile(h, 0.5), trace_hist_quantile(h, 0.9),
        trace_hist_quantile(h, 0.99), h->max};
    int i;

    for (i = 0; i < 5; i++)
        out_duration(o, v[i], h->n == 0 ? -1 : ns[i]);
}

/* ---- tasks */

static const struct arg_flag task_flags[] = {
    {"name", ARG_STR, offsetof(struct opts, name), "NAME",
        "only tasks of this name"},
    {"list", ARG_BOOL, offsetof(struct opts, list), NULL,
        "one line for each task instead of each name, longest first"},
    {"task", ARG_U64, offsetof(struct opts, task), "ID",
        "what happened in task ID, line by line"},
    {"n", ARG_U64, offsetof(struct opts, n), "N",
        "at most N lines (default 50)"},
    {"json", ARG_BOOL, offsetof(struct opts, json), NULL,
        "print a JSON array: of names, or with -list of tasks"},
    {0},
};

static void
print_types(struct tool *t, const struct opts *opt,
    const struct trace_user *u)
{
    struct out *o = &t->out;
    struct out_table tab;
    uint64_t i, shown_n = 0;

    out_table_init(&tab, "Lrrrrrrrrrr");
    out_table_row(&tab, (const char *const[]){"task", "begun", "ended",
        "mean", "median", "90 %", "99 %", "longest", "its id", "regions",
        "logs"});
    for (i = 0; i < u->ntypes && shown_n < opt->n; i++) {
        const struct trace_task_type *y = &u->types[i];
        char name[TOOL_TEXT], v[10][OUT_NUM];

        if (!is_called(y->name, opt->name))
            continue;
        shown_n++;
        hist_cells(o, &y->hist, v);
        snprintf(v[5], sizeof v[5], "%llu", (ull)y->longest);
        out_table_row(&tab, (const char *const[]){
            shown(name, y->name, "(begun before the trace)"),
            out_count(v[6], y->n), out_count(v[7], y->ended), v[0], v[1],
            v[2], v[3], v[4], y->hist.n > 0 ? v[5] : "-",
            out_count(v[8], y->regions), out_count(v[9], y->logs)});
    }
    out_table_print(o, &tab, 0);
}

static int64_t
length(const struct trace_task *t)
{
    return t->from < 0 || t->to < 0 ? -1 : t->to - t->from;
}

static int
longest_first(const void *a, const void *b)
{
    const struct trace_task *x = a, *y = b;

    if (length(x) != length(y))
        return length(x) > length(y) ? -1 : 1;
    return x->id < y->id ? -1 : x->id > y->id;
}

static void
print_list(struct tool *t, const struct opts *opt, struct trace_user *u)
{
    struct out *o = &t->out;
    struct out_table tab;
    uint64_t i, shown_n = 0;

    out_table_init(&tab, "rrrrrrrrL");
    out_table_row(&tab, (const char *const[]){"id", "parent", "begin",
        "time", "by", "children", "regions", "logs", "task"});
    for (i = 0; i < u->ntasks && shown_n < opt->n; i++) {
        const struct trace_task *x = &u->tasks[i];
        char name[TOOL_TEXT], v[8][OUT_NUM];

        if (x->id == 0 || !is_called(x->name, opt->name))
            continue;
        shown_n++;
        snprintf(v[0], OUT_NUM, "%llu", (ull)x->id);
        snprintf(v[1], OUT_NUM, "%llu", (ull)x->parent);
        snprintf(v[2], OUT_NUM, "G%llu", (ull)x->g);
        out_table_row(&tab, (const char *const[]){v[0],
            x->parent != 0 ? v[1] : "-", out_duration(o, v[3], x->from),
            length(x) < 0 ? x->to < 0 ? "not ended" : "-"
                : out_duration(o, v[4], length(x)), v[2],
            out_count(v[5], x->children), out_count(v[6], x->regions),
            out_count(v[7], x->logs),
            shown(name, x->name, "(begun before the trace)")});
    }
    out_table_print(o, &tab, 0);
}

static void
json_task(struct out *o, const struct trace_task *x)
{
    out_printf(o, "{\"id\":%llu,\"parent\":%llu,\"g\":%llu,\"name\":",
        (ull)x->id, (ull)x->parent, (ull)x->g);
    out_json_string(o, x->name.s, x->name.len);
    out_printf(o, ",\"from_ns\":%lld,\"to_ns\":%lld,\"children\":%llu,"
        "\"regions\":%llu,\"logs\":%llu}", (long long)x->from,
        (long long)x->to, (ull)x->children, (ull)x->regions, (ull)x->logs);
}

static void
json_type(struct out *o, const struct trace_task_type *y)
{
    out_printf(o, "{\"name\":");
    out_json_string(o, y->name.s, y->name.len);
    out_printf(o, ",\"n\":%llu,\"ended\":%llu,\"longest_id\":%llu,"
        "\"regions\":%llu,\"logs\":%llu,", (ull)y->n, (ull)y->ended,
        (ull)y->longest, (ull)y->regions, (ull)y->logs);
    json_hist(o, &y->hist);
    out_printf(o, "}");
}

static void
json_tasks(struct tool *t, const struct opts *opt, const struct trace_user *u)
{
    struct out *o = &t->out;
    uint64_t i, n = 0, all = opt->list ? u->ntasks : u->ntypes;

    out_printf(o, "[");
    for (i = 0; i < all && !out_failed(o); i++) {
        if (opt->list && u->tasks[i].id == 0)
            continue;
        if (!is_called(opt->list ? u->tasks[i].name : u->types[i].name,
            opt->name))
            continue;
        out_printf(o, n++ > 0 ? ",\n " : "\n ");
        if (opt->list)
            json_task(o, &u->tasks[i]);
        else
            json_type(o, &u->types[i]);
    }
    out_printf(o, "\n]\n");
}

/* ---- one task, line by line */

struct story {
    struct tool *t;
    const struct opts *opt;
    uint64_t id, lines;
    int64_t from;
};

static bool
is_of_task(const struct story *y, const struct trace_event *e)
{
    switch (e->type) {
    case TRACE_EV_USER_TASK_CREATE:
        return e->args[0] == y->id || e->args[1] == y->id;
    case TRACE_EV_USER_TASK_END:
    case TRACE_EV_USER_REGION:
    case TRACE_EV_USER_LOG:
        return e->args[0] == y->id;
    default:
        return false;
    }
}

static bool
story_event(void *arg, const struct trace_summary *s,
    const struct trace_event *e)
{
    struct story *y = arg;
    struct out *o = &y->t->out;
    char a[OUT_NUM], x[TOOL_TEXT], msg[TOOL_TEXT];
    bool own = e->args[0] == y->id;

    if (!is_of_task(y, e))
        return true;
    if (y->lines == 0)
        y->from = e->ns;
    y->lines++;
    out_printf(o, "%14.3f  ", (double)e->ns / 1e3);
    out_cell(o, out_duration(o, a, e->ns - y->from), 9);
    out_printf(o, "  G%-6llu ", (ull)e->g);
    switch (e->type) {
    case TRACE_EV_USER_TASK_CREATE:
        out_printf(o, "%s \"%s\"", own ? "task begins" : "begins task",
            tool_func(x, trace_file_string(s->f, e->args[2])));
        if (!own)
            out_printf(o, " (%llu)", (ull)e->args[0]);
        break;
    case TRACE_EV_USER_TASK_END:
        out_printf(o, "task ends");
        break;
    case TRACE_EV_USER_REGION:
        out_printf(o, "region \"%s\" %s",
            tool_func(x, trace_file_string(s->f, e->args[2])),
            e->args[1] == 0 ? "begins" : "ends");
        break;
    default:
        out_printf(o, "%s: %s",
            tool_func(x, trace_file_string(s->f, e->args[1])),
            out_clean(msg, sizeof msg, e->msg, e->msg_len));
        break;
    }
    out_printf(o, "\n");
    return true;
}

static int
tell(struct tool *t, const struct opts *opt, struct trace_file *f)
{
    struct story y = {.t = t, .opt = opt, .id = opt->task};
    const struct trace_sink sink = {.arg = &y, .event = story_event};
    struct trace_summary *s;
    struct rt_err e;
    int st;

    tool_streams(t);
    st = tool_pass(t, f, 0, &sink, 1, &s);

    if (st != TOOL_OK)
        return st;
    trace_summary_free(s);
    if (y.lines > 0)
        return TOOL_OK;
    rt_errf(&e, RT_EFORMAT, UINT64_MAX, "no task %llu", (ull)opt->task);
    return tool_error(t, &e);
}

/* ---- regions */

static const struct arg_flag region_flags[] = {
    {"name", ARG_STR, offsetof(struct opts, name), "NAME",
        "only regions of this name"},
    {"tasks", ARG_BOOL, offsetof(struct opts, tasks), NULL,
        "one line for each name of a task that regions are in"},
    {"n", ARG_U64, offsetof(struct opts, n), "N",
        "at most N lines (default 50)"},
    {"json", ARG_BOOL, offsetof(struct opts, json), NULL,
        "print a JSON array"},
    {0},
};

static void
print_regions(struct tool *t, const struct opts *opt,
    const struct trace_user *u)
{
    struct out *o = &t->out;
    struct out_table tab;
    uint64_t i, shown_n = 0;

    out_table_init(&tab, "LrrrrrrrrrrrrL");
    out_table_row(&tab, (const char *const[]){"region", "times", "total",
        "mean", "median", "90 %", "99 %", "longest", "running", "runnable",
        "blocked", "not ended", "not begun", opt->tasks ? "task" : ""});
    for (i = 0; i < u->nregions && shown_n < opt->n; i++) {
        const struct trace_region_type *r = &u->regions[i];
        char name[TOOL_TEXT], task[TOOL_TEXT], v[12][OUT_NUM];
        int64_t blocked = r->time[TRACE_ST_SYSCALL];
        int k;

        if (!is_called(r->name, opt->name))
            continue;
        shown_n++;
        for (k = TRACE_ST_SLEEP; k < TRACE_ST_COUNT; k++)
            blocked += r->time[k];
        hist_cells(o, &r->hist, v);
        out_table_row(&tab, (const char *const[]){
            shown(name, r->name, "\"\""), out_count(v[5], r->n),
            out_duration(o, v[6], (int64_t)r->hist.sum), v[0], v[1], v[2],
            v[3], v[4], out_duration(o, v[7], r->time[TRACE_ST_RUNNING]),
            out_duration(o, v[8], r->time[TRACE_ST_RUNNABLE]),
            out_duration(o, v[9], blocked), out_count(v[10], r->open),
            out_count(v[11], r->headless),
            opt->tasks ? shown(task, r->task, "(none)") : ""});
    }
    out_table_print(o, &tab, 0);
}

static void
json_regions(struct tool *t, const struct opts *opt,
    const struct trace_user *u)
{
    struct out *o = &t->out;
    uint64_t i, n = 0;
    int k;

    out_printf(o, "[");
    for (i = 0; i < u->nregions && !out_failed(o); i++) {
        const struct trace_region_type *r = &u->regions[i];

        if (!is_called(r->name, opt->name))
            continue;
        out_printf(o, "%s\n {\"name\":", n++ > 0 ? "," : "");
        out_json_string(o, r->name.s, r->name.len);
        if (opt->tasks) {
            out_printf(o, ",\"task\":");
            out_json_string(o, r->task.s, r->task.len);
        }
        out_printf(o, ",\"n\":%llu,\"not_ended\":%llu,\"not_begun\":%llu,"
            "\"longest_g\":%llu,\"longest_at_ns\":%lld,", (ull)r->n,
            (ull)r->open, (ull)r->headless, (ull)r->longest_g,
            (long long)r->longest_at);
        json_hist(o, &r->hist);
        for (k = TRACE_ST_RUNNING; k < TRACE_ST_COUNT; k++)
            out_printf(o, ",\"%s_ns\":%lld", trace_gst_key(k),
                (long long)r->time[k]);
        out_printf(o, ",\"stack\":");
        tool_json_stack(t, u->f, r->stack);
        out_printf(o, "}");
    }
    out_printf(o, "\n]\n");
}

/* ---- */

static void
print(struct tool *t, const struct opts *opt, struct trace_user *u,
    bool regions)
{
    if (regions && opt->json) {
        json_regions(t, opt, u);
    } else if (regions) {
        if (u->nregions == 0)
            out_printf(&t->out, "no regions\n");
        else
            print_regions(t, opt, u);
    } else {
        if (u->ntasks > 0)
            qsort(u->tasks, u->ntasks, sizeof *u->tasks, longest_first);
        if (opt->json)
            json_tasks(t, opt, u);
        else if (u->ntypes == 0)
            out_printf(&t->out, "no tasks\n");
        else if (opt->list)
            print_list(t, opt, u);
        else
            print_types(t, opt, u);
    }
}

static int
analyse(struct tool *t, const struct opts *opt, struct trace_file *f,
    bool regions)
{
    struct trace_summary *s;
    struct trace_sink sink;
    struct trace_user u;
    int st;

    trace_user_init(&u, f);
    sink = trace_user_sink(&u);
    st = tool_pass(t, f, 0, &sink, 1, &s);
    if (st == TOOL_OK) {
        if (trace_user_finish(&u, s, opt->tasks) != RT_OK)
            st = tool_nomem(t);
        else
            print(t, opt, &u, regions);
        trace_summary_free(s);
    }
    trace_user_free(&u);
    return st;
}

static int
run(struct tool *t, int argc, char **argv, bool regions)
{
    struct opts opt = {.n = 50, .task = NONE};
    struct trace_file *f;
    int st = tool_parse(t, argc, argv, regions ? region_flags : task_flags,
        &opt);

    if (st == TOOL_OK && opt.task != NONE &&
        (opt.json || opt.list || opt.name != NULL))
        st = tool_usage(t, "-task goes with no other flag");
    if (st == TOOL_OK)
        st = tool_open(t, &f);
    if (st != TOOL_OK)
        return st;
    if (opt.task != NONE)
        st = tell(t, &opt, f);
    else
        st = analyse(t, &opt, f, regions);
    trace_file_close(f);
    return st;
}

static int
run_tasks(struct tool *t, int argc, char **argv)
{
    return run(t, argc, argv, false);
}

const struct tool_cmd tool_tasks = {
    .name = "tasks",
    .brief = "the program's own tasks: how many, how long",
    .usage = "[flags] file",
    .text =
        "Prints the tasks that the program declared with trace.NewTask, by "
        "name: how many\nbegan and ended, how long they took, and which was "
        "the longest; -task shows what\nhappened in one.",
    .example =
        "  vole-trace tasks out.trace\n"
        "  vole-trace tasks -list -name request -n 10 out.trace\n"
        "  vole-trace tasks -task 7 out.trace\n",
    .run = run_tasks,
    .flags = task_flags,
};

static int
run_regions(struct tool *t, int argc, char **argv)
{
    return run(t, argc, argv, true);
}

const struct tool_cmd tool_regions = {
    .name = "regions",
    .brief = "the program's own regions: how often, how long",
    .usage = "[flags] file",
    .text =
        "Prints the regions that the program declared with trace.WithRegion "
        "or\nStartRegion, by name: how often, how long, and what their "
        "goroutines did in\nthat time; -tasks splits them by the task that "
        "they belong to.",
    .example =
        "  vole-trace regions out.trace\n"
        "  vole-trace regions -tasks -name query out.trace\n",
    .run = run_regions,
    .flags = region_flags,
};
