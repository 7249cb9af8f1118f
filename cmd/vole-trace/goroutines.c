/* SPDX-License-Identifier: MIT */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/vole-trace/tool.h"

#define NONE UINT64_MAX

struct opts {
    bool json, all, quantiles;
    uint64_t g, n;
    const char *sort, *func;
};

typedef unsigned long long ull;

static const struct arg_flag flags[] = {
    {"all", ARG_BOOL, offsetof(struct opts, all), NULL,
        "one line for each goroutine instead of each function"},
    {"g", ARG_U64, offsetof(struct opts, g), "ID",
        "everything about goroutine ID"},
    {"sort", ARG_STR, offsetof(struct opts, sort), "KEY",
        "total (default), running, runnable, blocked, syscall, count, id, "
        "name"},
    {"quantiles", ARG_BOOL, offsetof(struct opts, quantiles), NULL,
        "how the times spread over the goroutines of a function"},
    {"func", ARG_STR, offsetof(struct opts, func), "NAME",
        "only goroutines that were started with this function"},
    {"n", ARG_U64, offsetof(struct opts, n), "N",
        "at most N lines (default 50)"},
    {"json", ARG_BOOL, offsetof(struct opts, json), NULL,
        "print a JSON array: of functions, or with -all of goroutines"},
    {0},
};

/* One line: a goroutine, or all goroutines of one function. */
struct line {
    struct trace_text name;
    const struct trace_goroutine *g; /* one of them */
    uint64_t count;
    int64_t time[TRACE_ST_COUNT]; /* NONE: total */
    int64_t blocked, assist, sweep, longest;
    uint64_t runs, blocks;
    uint64_t first;                  /* of a function: of its goroutines */
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

static int64_t
total_time(const struct trace_goroutine *g)
{
    return blocked_time(g) + g->time[TRACE_ST_RUNNING] +
        g->time[TRACE_ST_RUNNABLE] + g->time[TRACE_ST_SYSCALL];
}

static void
add(struct line *l, const struct trace_goroutine *g)
{
    int i;

    l->g = g;
    l->count++;
    for (i = TRACE_ST_RUNNING; i < TRACE_ST_COUNT; i++)
        l->time[i] += g->time[i];
    l->time[TRACE_ST_NONE] += total_time(g);
    l->blocked += blocked_time(g);
    l->assist += g->assist;
    l->sweep += g->sweep;
    l->runs += g->runs;
    l->blocks += g->blocks;
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
        l->key = l->time[TRACE_ST_NONE];
    else if (strcmp(sort, "running") == 0)
        l->key = l->time[TRACE_ST_RUNNING];
    else if (strcmp(sort, "runnable") == 0)
        l->key = l->time[TRACE_ST_RUNNABLE];
    else if (strcmp(sort, "blocked") == 0)
        l->key = l->blocked;
    else if (strcmp(sort, "syscall") == 0)
        l->key = l->time[TRACE_ST_SYSCALL];
    else if (strcmp(sort, "count") == 0)
        l->key = (int64_t)l->count;
    else if (strcmp(sort, "id") == 0)
        l->key = l->g == NULL ? 0 : -(int64_t)l->g->id;
    else if (strcmp(sort, "name") != 0)
        return false;
    return true;
}

static bool
selected(const struct opts *opt, struct trace_text name)
{
    return opt->func == NULL || (strlen(opt->func) == name.len &&
        memcmp(opt->func, name.s, name.len) == 0);
}

/* Lines for all goroutines, or for the functions they run; in *order the
 * goroutines, those of a function together. */
static struct line *
make_lines(const struct trace_summary *s, const struct opts *opt, uint64_t *n,
    const struct trace_goroutine **order)
{
    struct line *l = calloc(s->ngs + 1, sizeof *l);
    uint64_t i, k, have = 0;

    *n = 0;
    if (l == NULL)
        return NULL;
    for (i = 0; i < s->ngs; i++) {
        struct trace_text name = trace_goroutine_name(s, &s->gs[i]);

        if (!selected(opt, name))
            continue;
        l[have].name = name;
        add(&l[have++], &s->gs[i]);
    }
    *n = have;
    if (!opt->all && have > 0) {
        qsort(l, have, sizeof *l, by_name);
        for (i = 0; i < have; i++)
            order[i] = l[i].g;
        for (i = 1, k = 0; i < have; i++) {
            if (compare_names(l[i].name, l[k].name) == 0) {
                add(&l[k], l[i].g);
            } else {
                l[++k] = l[i];
                l[k].first = i;
            }
        }
        *n = k + 1;
    }
    for (i = 0; i < *n; i++)
        set_key(&l[i], opt->sort);
    qsort(l, *n, sizeof *l, by_key);
    return l;
}

/* ---- for people */

/* Which states anybody was in: a column each. */
static int
columns(const struct line *l, uint64_t n, int *col)
{
    int i, k = 0;
    uint64_t j;

    for (i = TRACE_ST_RUNNING; i < TRACE_ST_COUNT; i++) {
        bool any = i <= TRACE_ST_SYSCALL;

        for (j = 0; j < n && !any; j++)
            any = l[j].time[i] != 0;
        if (any)
            col[k++] = i;
    }
    return k;
}

/*
 * Fits the columns of states into room cells: where they take more, only the
 * first three are left, and all that is blocked becomes one.  Returns how
 * many there are.
 */
static int
fold(int *col, int ncol, int room)
{
    int k, width = 0;

    for (k = 0; k < ncol; k++) {
        int n = (int)strlen(trace_gst_name((enum trace_gst)col[k]));

        width += (n < 7 ? 7 : n) + 2;
    }
    if (width <= room)
        return ncol;
    for (k = 0; k < 3; k++)
        col[k] = TRACE_ST_RUNNING + k;
    return 3;
}

/* The cells of one line, but for the function; c has room for them. */
static void
fill_cells(const struct out *o, const struct line *l, const int *col,
    int ncol, bool folded, char (*c)[OUT_NUM], const char **cells)
{
    int64_t rest = l->time[TRACE_ST_NONE];
    int k;

    *cells++ = out_duration(o, *c++, rest);
    for (k = 0; k < ncol; k++) {
        rest -= l->time[col[k]];
        *cells++ = l->time[col[k]] == 0 ? "-" :
            out_duration(o, *c, l->time[col[k]]);
        c++;
    }
    if (folded)
        *cells = rest == 0 ? "-" : out_duration(o, *c, rest);
}

static void
print_lines(struct tool *t, const struct opts *opt, const struct line *l,
    uint64_t n)
{
    enum { NAME = 24, FIXED = 2 + 9 + 9 };
    const char *head[OUT_COLS] = {"function", opt->all ? "g" : "n", "total"};
    int col[TRACE_ST_COUNT], all = columns(l, n, col), k, ncol;
    struct out *o = &t->out;
    struct out_table tab;
    bool folded;
    char a[OUT_NUM];
    uint64_t i;

    ncol = fold(col, all, o->width - NAME - FIXED);
    folded = ncol < all;
    for (k = 0; k < ncol; k++)
        head[3 + k] = folded && col[k] == TRACE_ST_SYSCALL ? "syscall" :
            trace_gst_name(col[k]);
    head[3 + ncol] = "blocked";
    static_assert(TRACE_ST_COUNT + 3 <= OUT_COLS, "columns of all states");
    snprintf(a, sizeof a, "F%.*s", 2 + ncol + folded, "rrrrrrrrrrrrrrrrr");
    out_table_init(&tab, a);
    out_table_row(&tab, head);
    for (i = 0; i < n && i < opt->n; i++) {
        char c[OUT_COLS][OUT_NUM], name[TOOL_TEXT];
        const char *cells[OUT_COLS];

        if (opt->all)
            snprintf(c[0], sizeof c[0], "%llu", (ull)l[i].g->id);
        else
            out_count(c[0], l[i].count);
        cells[0] = tool_func(name, l[i].name);
        cells[1] = c[0];
        fill_cells(o, &l[i], col, ncol, folded, c + 1, cells + 2);
        out_table_row(&tab, cells);
    }
    out_table_print(o, &tab, 0);
    if (n > opt->n)
        out_printf(o, "... %s more (-n)\n", out_count(a, n - opt->n));
}

/* ---- quantiles over the goroutines of a function */

struct spread {
    uint64_t n;
    int64_t min, p25, p50, p90, p99, max, sum;
};

static int
by_value(const void *a, const void *b)
{
    const int64_t *x = a, *y = b;

    return *x < *y ? -1 : *x > *y;
}

/* The smallest value that is not less than the share q of all. */
static int64_t
at(const int64_t *v, uint64_t n, double q)
{
    uint64_t i = (uint64_t)(q * (double)n);

    return v[i < n ? i : n - 1];
}

/* What: a state, NONE for the whole life, COUNT for all that is blocked.
 * buf has room for the goroutines of the line. */
static struct spread
spread_of(const struct line *l, const struct trace_goroutine **order,
    int what, int64_t *buf)
{
    struct spread x = {.n = l->count};
    uint64_t i;

    for (i = 0; i < x.n; i++) {
        const struct trace_goroutine *g = order[l->first + i];

        buf[i] = what == TRACE_ST_NONE ? total_time(g)
            : what == TRACE_ST_COUNT ? blocked_time(g) : g->time[what];
        x.sum += buf[i];
    }
    qsort(buf, x.n, sizeof *buf, by_value);
    x.min = buf[0];
    x.p25 = at(buf, x.n, 0.25);
    x.p50 = at(buf, x.n, 0.5);
    x.p90 = at(buf, x.n, 0.9);
    x.p99 = at(buf, x.n, 0.99);
    x.max = buf[x.n - 1];
    return x;
}

static const struct {
    int what;
    const char *name, *key;
} spreads[] = {
    {TRACE_ST_NONE, "life", "total"},
    {TRACE_ST_RUNNING, "running", "running"},
    {TRACE_ST_RUNNABLE, "runnable", "runnable"},
    {TRACE_ST_SYSCALL, "system call", "syscall"},
    {TRACE_ST_COUNT, "blocked", "blocked"},
};

enum { NSPREADS = sizeof spreads / sizeof *spreads };

static void
print_quantiles(struct tool *t, const struct opts *opt, const struct line *l,
    uint64_t n, const struct trace_goroutine **order, int64_t *buf)
{
    struct out *o = &t->out;
    struct out_table tab;
    uint64_t i;
    int k;

    out_table_init(&tab, "Frlrrrrrr");
    out_table_row(&tab, (const char *const[]){"function", "n", "",
        "least", "25 %", "median", "90 %", "99 %", "most"});
    for (i = 0; i < n && i < opt->n; i++) {
        for (k = 0; k < NSPREADS; k++) {
            struct spread x = spread_of(&l[i], order, spreads[k].what, buf);
            char name[TOOL_TEXT], c[7][OUT_NUM];

            if (x.max == 0)
                continue;
            out_table_row(&tab, (const char *const[]){
                k == 0 ? tool_func(name, l[i].name) : "",
                k == 0 ? out_count(c[6], x.n) : "", spreads[k].name,
                out_duration(o, c[0], x.min), out_duration(o, c[1], x.p25),
                out_duration(o, c[2], x.p50), out_duration(o, c[3], x.p90),
                out_duration(o, c[4], x.p99), out_duration(o, c[5], x.max)});
        }
    }
    out_table_print(o, &tab, 0);
}

/* ---- JSON */

void
tool_json_goroutine(struct tool *t, const struct trace_summary *s,
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
        "\"sweep_ns\":%lld,\"calls_ns\":%lld", (ull)g->parent,
        (long long)g->created,
        (long long)g->started, (long long)g->ended,
        trace_gst_key(g->state), g->system ? "true" : "false", g->runs,
        g->blocks, (long long)g->longest_block, (long long)g->assist,
        (long long)g->sweep, (long long)g->calls);
    for (i = TRACE_ST_RUNNING; i < TRACE_ST_COUNT; i++)
        out_printf(o, ",\"%s_ns\":%lld", trace_gst_key(i),
            (long long)g->time[i]);
    out_printf(o, "}");
}

static void
json_function(struct tool *t, const struct line *l,
    const struct trace_goroutine **order, int64_t *buf)
{
    struct out *o = &t->out;
    int i;

    out_printf(o, "{\"name\":");
    out_json_string(o, l->name.s, l->name.len);
    out_printf(o, ",\"n\":%llu,\"runs\":%llu,\"blocks\":%llu,"
        "\"longest_block_ns\":%lld,\"assist_ns\":%lld,\"sweep_ns\":%lld,"
        "\"total_ns\":%lld,\"blocked_ns\":%lld", (ull)l->count,
        (ull)l->runs, (ull)l->blocks, (long long)l->longest,
        (long long)l->assist, (long long)l->sweep,
        (long long)l->time[TRACE_ST_NONE], (long long)l->blocked);
    for (i = TRACE_ST_RUNNING; i < TRACE_ST_COUNT; i++)
        out_printf(o, ",\"%s_ns\":%lld", trace_gst_key(i),
            (long long)l->time[i]);
    out_printf(o, ",\"quantiles\":{");
    for (i = 0; i < NSPREADS; i++) {
        struct spread x = spread_of(l, order, spreads[i].what, buf);

        out_printf(o, "%s\"%s\":{\"min_ns\":%lld,\"p25_ns\":%lld,"
            "\"p50_ns\":%lld,\"p90_ns\":%lld,\"p99_ns\":%lld,"
            "\"max_ns\":%lld}", i > 0 ? "," : "", spreads[i].key,
            (long long)x.min, (long long)x.p25, (long long)x.p50,
            (long long)x.p90, (long long)x.p99, (long long)x.max);
    }
    out_printf(o, "}}");
}

/* ---- */

static void
print(struct tool *t, const struct opts *opt, const struct trace_summary *s,
    const struct line *l, uint64_t n, const struct trace_goroutine **order,
    int64_t *buf)
{
    uint64_t i;

    if (!opt->json) {
        if (opt->quantiles && !opt->all)
            print_quantiles(t, opt, l, n, order, buf);
        else
            print_lines(t, opt, l, n);
        return;
    }
    out_printf(&t->out, "[");
    for (i = 0; i < n && !out_failed(&t->out); i++) {
        out_printf(&t->out, i > 0 ? ",\n " : "\n ");
        if (opt->all)
            tool_json_goroutine(t, s, l[i].g);
        else
            json_function(t, &l[i], order, buf);
    }
    out_printf(&t->out, "\n]\n");
}

static int
list(struct tool *t, const struct opts *opt, const struct trace_summary *s)
{
    const struct trace_goroutine **order =
        calloc(s->ngs + 1, sizeof *order);
    int64_t *buf = calloc(s->ngs + 1, sizeof *buf);
    struct line *l = NULL;
    int st = TOOL_OK;
    uint64_t n;

    if (order != NULL && buf != NULL)
        l = make_lines(s, opt, &n, order);
    if (l != NULL)
        print(t, opt, s, l, n, order, buf);
    else
        st = tool_nomem(t);
    free(l);
    free(order);
    free(buf);
    return st;
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
    if (st == TOOL_OK && opt.all && opt.quantiles)
        st = tool_usage(t, "-all and -quantiles exclude each other");
    if (st == TOOL_OK && opt.g != NONE)
        return tool_goroutine_life(t, opt.g, opt.json);
    if (st == TOOL_OK)
        st = tool_analyze(t, 0, &f, &s);
    if (st != TOOL_OK)
        return st;
    st = tool_check_goroutine(t, s, UINT64_MAX, opt.func);
    if (st == TOOL_OK)
        st = list(t, &opt, s);
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
        "running,\nrunnable (waiting for a processor), in system calls that "
        "gave up their\nprocessor, and blocked, by what they waited for.  A "
        "column that would be empty\nis left out.",
    .example =
        "  vole-trace goroutines -sort blocked out.trace\n"
        "  vole-trace goroutines -func main.worker -quantiles out.trace\n",
    .run = run,
    .flags = flags,
};
