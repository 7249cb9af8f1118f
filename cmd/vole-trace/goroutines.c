/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "cmd/vole-trace/tool.h"

#define NONE UINT64_MAX

struct opts {
    bool json, all;
    uint64_t g, n;
    const char *sort;
};

typedef unsigned long long ull;

static const struct arg_flag flags[] = {
    {"all", ARG_BOOL, offsetof(struct opts, all), NULL,
        "one line for each goroutine instead of each function"},
    {"g", ARG_U64, offsetof(struct opts, g), "ID",
        "everything about goroutine ID"},
    {"sort", ARG_STR, offsetof(struct opts, sort), "KEY",
        "total (default), running, runnable, blocked, syscall, count, name"},
    {"n", ARG_U64, offsetof(struct opts, n), "N",
        "at most N lines (default 50)"},
    {"json", ARG_BOOL, offsetof(struct opts, json), NULL,
        "print a JSON array of all goroutines"},
    {0},
};

/* One line: a goroutine, or all goroutines of one function. */
struct line {
    struct trace_text name;
    const struct trace_goroutine *g; /* one of them */
    uint64_t count;
    int64_t total, running, runnable, syscall, blocked, longest;
    int64_t key;
};

static int64_t
blocked_time(const struct trace_goroutine *g)
{
    int64_t ns = 0;
    int i;

    for (i = TRACE_ST_SLEEP; i < TRACE_ST_COUNT; i++)
        ns += g->time[i];
    return ns;
}

static void
add(struct line *l, const struct trace_goroutine *g)
{
    int64_t blocked = blocked_time(g);

    l->g = g;
    l->count++;
    l->running += g->time[TRACE_ST_RUNNING];
    l->runnable += g->time[TRACE_ST_RUNNABLE];
    l->syscall += g->time[TRACE_ST_SYSCALL];
    l->blocked += blocked;
    l->total += g->time[TRACE_ST_RUNNING] + g->time[TRACE_ST_RUNNABLE] +
        g->time[TRACE_ST_SYSCALL] + blocked;
    if (g->longest_block > l->longest)
        l->longest = g->longest_block;
}

static int
compare_names(struct trace_text a, struct trace_text b)
{
    uint32_t n = a.len < b.len ? a.len : b.len;
    int c = memcmp(a.s, b.s, n);

    return c != 0 ? c : (a.len > b.len) - (a.len < b.len);
}

static int
by_name(const void *a, const void *b)
{
    const struct line *x = a, *y = b;
    int c = compare_names(x->name, y->name);

    return c != 0 ? c : x->g->id < y->g->id ? -1 : 1;
}

static int
by_key(const void *a, const void *b)
{
    const struct line *x = a, *y = b;

    if (x->key != y->key)
        return x->key > y->key ? -1 : 1;
    return by_name(a, b);
}

static bool
set_key(struct line *l, const char *sort)
{
    if (strcmp(sort, "total") == 0)
        l->key = l->total;
    else if (strcmp(sort, "running") == 0)
        l->key = l->running;
    else if (strcmp(sort, "runnable") == 0)
        l->key = l->runnable;
    else if (strcmp(sort, "blocked") == 0)
        l->key = l->blocked;
    else if (strcmp(sort, "syscall") == 0)
        l->key = l->syscall;
    else if (strcmp(sort, "count") == 0)
        l->key = (int64_t)l->count;
    else if (strcmp(sort, "name") != 0)
        return false;
    return true;
}

/* Lines for all goroutines, or for the functions they run. */
static struct line *
make_lines(const struct trace_summary *s, const struct opts *opt, uint64_t *n)
{
    struct line *l = calloc(s->ngs + 1, sizeof *l);
    uint64_t i, k;

    *n = 0;
    if (l == NULL)
        return NULL;
    for (i = 0; i < s->ngs; i++) {
        l[i].name = trace_goroutine_name(s, &s->gs[i]);
        add(&l[i], &s->gs[i]);
    }
    *n = s->ngs;
    if (!opt->all && s->ngs > 0) {
        qsort(l, s->ngs, sizeof *l, by_name);
        for (i = 1, k = 0; i < s->ngs; i++) {
            if (compare_names(l[i].name, l[k].name) == 0)
                add(&l[k], l[i].g);
            else
                l[++k] = l[i];
        }
        *n = k + 1;
    }
    for (i = 0; i < *n; i++)
        set_key(&l[i], opt->sort);
    qsort(l, *n, sizeof *l, by_key);
    return l;
}

static void
print_lines(struct tool *t, const struct opts *opt, const struct line *l,
    uint64_t n)
{
    struct out *o = &t->out;
    struct out_table tab;
    char a[OUT_NUM];
    uint64_t i;

    out_table_init(&tab, "rrrrrrrl");
    out_table_row(&tab, (const char *const[]){opt->all ? "goroutine"
        : "goroutines", "total", "running", "runnable", "syscall", "blocked",
        "longest", "function"});
    for (i = 0; i < n && i < opt->n; i++) {
        char c[OUT_NUM], v[6][OUT_NUM], name[TOOL_TEXT];

        if (opt->all)
            snprintf(c, sizeof c, "%llu", (ull)l[i].g->id);
        else
            out_count(c, l[i].count);
        out_table_row(&tab, (const char *const[]){c,
            out_duration(o, v[0], l[i].total),
            out_duration(o, v[1], l[i].running),
            out_duration(o, v[2], l[i].runnable),
            out_duration(o, v[3], l[i].syscall),
            out_duration(o, v[4], l[i].blocked),
            out_duration(o, v[5], l[i].longest),
            tool_func(name, l[i].name)});
    }
    out_table_print(o, &tab, 0);
    if (n > opt->n)
        out_printf(o, "... %s more (-n)\n", out_count(a, n - opt->n));
}

/* ---- one goroutine */

static void
print_one(struct tool *t, const struct trace_summary *s,
    const struct trace_goroutine *g)
{
    char a[OUT_NUM], b[OUT_NUM], name[TOOL_TEXT];
    struct out *o = &t->out;
    struct out_table tab;
    int64_t whole = 0;
    int i;

    out_printf(o, "%sgoroutine %llu%s  %s\n", out_style(o, OUT_BOLD),
        (ull)g->id, out_style(o, OUT_PLAIN),
        tool_func(name, trace_goroutine_name(s, g)));
    if (g->created >= 0)
        out_printf(o, "  created   %s by goroutine %llu (%s)\n",
            out_duration(o, a, g->created), (ull)g->parent,
            g->parent == 0 ? "scheduler" : tool_goroutine(name, s,
                g->parent));
    else
        out_printf(o, "  created   before the trace\n");
    if (g->ended >= 0)
        out_printf(o, "  ended     %s\n", out_duration(o, a, g->ended));
    else
        out_printf(o, "  at the end of the trace: %s\n",
            trace_gst_name(g->state));
    out_printf(o, "  ran       %s times, blocked %s times\n\n",
        out_count(a, g->runs), out_count(b, g->blocks));
    for (i = TRACE_ST_RUNNING; i < TRACE_ST_COUNT; i++)
        whole += g->time[i];
    out_table_init(&tab, "lrrl");
    out_table_row(&tab, (const char *const[]){"", "time", "share", ""});
    for (i = TRACE_ST_RUNNING; i < TRACE_ST_COUNT; i++) {
        char bar[3 * 24 + 4];

        if (g->time[i] == 0)
            continue;
        out_table_row(&tab, (const char *const[]){trace_gst_name(i),
            out_duration(o, a, g->time[i]),
            out_share(b, (double)g->time[i], (double)whole),
            out_bar(o, bar, (double)g->time[i] / (double)whole, 24)});
    }
    out_table_print(o, &tab, 2);
    if (g->ended < 0 && trace_file_has_stack(s->f, g->stack)) {
        out_printf(o, "\n%slast seen at%s\n", out_style(o, OUT_BOLD),
            out_style(o, OUT_PLAIN));
        tool_stack(t, s->f, g->stack, 2, TRACE_MAX_FRAMES);
    }
}

/* ---- JSON */

static void
json_goroutine(struct tool *t, const struct trace_summary *s,
    const struct trace_goroutine *g)
{
    struct trace_text name = trace_goroutine_name(s, g);
    struct out *o = &t->out;
    int i;

    out_printf(o, "{\"id\":%llu,\"name\":", (ull)g->id);
    out_json_string(o, name.s, name.len);
    out_printf(o, ",\"parent\":%llu,\"created_ns\":%lld,\"started_ns\":%lld,"
        "\"ended_ns\":%lld,\"state\":\"%s\",\"system\":%s,\"runs\":%u,"
        "\"blocks\":%u,\"longest_block_ns\":%lld,\"assist_ns\":%lld,"
        "\"sweep_ns\":%lld", (ull)g->parent, (long long)g->created,
        (long long)g->started, (long long)g->ended,
        trace_gst_key(g->state), g->system ? "true" : "false", g->runs,
        g->blocks, (long long)g->longest_block, (long long)g->assist,
        (long long)g->sweep);
    for (i = TRACE_ST_RUNNING; i < TRACE_ST_COUNT; i++)
        out_printf(o, ",\"%s_ns\":%lld", trace_gst_key(i),
            (long long)g->time[i]);
    out_printf(o, "}");
}

static void
json_all(struct tool *t, const struct trace_summary *s,
    const struct trace_goroutine *only)
{
    uint64_t i, n = 0;

    out_printf(&t->out, "[");
    for (i = 0; i < s->ngs && !out_failed(&t->out); i++) {
        if (only != NULL && only != &s->gs[i])
            continue;
        out_printf(&t->out, n++ > 0 ? ",\n " : "\n ");
        json_goroutine(t, s, &s->gs[i]);
    }
    out_printf(&t->out, "\n]\n");
}

/* ---- */

static int
print(struct tool *t, const struct opts *opt, const struct trace_summary *s)
{
    const struct trace_goroutine *g = NULL;
    struct line *l;
    uint64_t n;

    if (opt->g != NONE) {
        g = trace_find_goroutine(s, opt->g);
        if (g == NULL) {
            struct rt_err e;

            rt_errf(&e, RT_EFORMAT, UINT64_MAX, "no goroutine %llu",
                (ull)opt->g);
            return tool_error(t, &e);
        }
    }
    if (opt->json) {
        json_all(t, s, g);
    } else if (g != NULL) {
        print_one(t, s, g);
    } else {
        l = make_lines(s, opt, &n);
        t->out.nomem |= l == NULL;
        if (l != NULL)
            print_lines(t, opt, l, n);
        free(l);
    }
    return TOOL_OK;
}

static int
run(struct tool *t, int argc, char **argv)
{
    struct opts opt = {.g = NONE, .n = 50, .sort = "total"};
    struct line probe = {0};
    struct trace_summary *s;
    struct trace_file *f;
    int st = tool_parse(t, argc, argv, flags, &opt);

    if (st == TOOL_OK && !set_key(&probe, opt.sort))
        st = tool_usage(t, "invalid value \"%s\" for flag -sort", opt.sort);
    if (st == TOOL_OK)
        st = tool_analyze(t, 0, &f, &s);
    if (st != TOOL_OK)
        return st;
    st = print(t, &opt, s);
    trace_summary_free(s);
    trace_file_close(f);
    return st;
}

const struct tool_cmd tool_goroutines = {
    .name = "goroutines",
    .brief = "time of goroutines by function, or one by one",
    .usage = "[flags] file",
    .text =
        "Adds up the time of all goroutines that run the same function: "
        "running, runnable\n(waiting for a processor), in system calls that "
        "gave up their processor, and blocked\non something else; and the "
        "longest single block.",
    .example =
        "  vole-trace goroutines -sort blocked out.trace\n"
        "  vole-trace goroutines -g 17 out.trace\n",
    .run = run,
    .flags = flags,
};
