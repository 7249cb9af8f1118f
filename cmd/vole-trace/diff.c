/* SPDX-License-Identifier: MIT */
/* diff: what changed between two runs. */
#include <stdlib.h>
#include <string.h>

#include "cmd/vole-trace/tool.h"
#include "trace/analyze/waits.h"

struct opts {
    bool json, all, system;
    uint64_t n;
};

typedef unsigned long long ull;
typedef long long ll;

static const struct arg_flag flags[] = {
    {"n", ARG_U64, offsetof(struct opts, n), "N",
        "at most N lines of each table (default 15)"},
    {"all", ARG_BOOL, offsetof(struct opts, all), NULL,
        "count also the waits that go tool trace leaves out"},
    {"system", ARG_BOOL, offsetof(struct opts, system), NULL,
        "count also the waits of the runtime's own goroutines"},
    {"json", ARG_BOOL, offsetof(struct opts, json), NULL,
        "print one JSON object"},
    {0},
};

enum { NKINDS = 4, BEFORE = 0, AFTER = 1 };

static const char *const kinds[NKINDS] = {"block", "sched", "syscall", "net"};

/* One run. */
struct side {
    struct trace_file *f;
    struct trace_summary *s;
    struct trace_waits w[NKINDS];
};

/* A thing that both runs may have, by its name. */
struct item {
    char *key;
    int64_t ns[2];
    uint64_t n[2];
    int64_t running[2], blocked[2]; /* functions */
    const struct side *side; /* the one that has the stack */
    uint64_t stack;
};

struct items {
    struct item *a;
    uint64_t n, cap;
    bool nomem;
};

/* ---- collecting */

static void
free_items(struct items *v)
{
    uint64_t i;

    for (i = 0; i < v->n; i++)
        free(v->a[i].key);
    free(v->a);
}

/* Takes key, which is malloc'd. */
static struct item *
add(struct items *v, char *key)
{
    if (key == NULL || !trace_grow(&v->a, &v->cap, v->n, sizeof *v->a)) {
        v->nomem = true;
        free(key);
        return NULL;
    }
    v->a[v->n].key = key;
    return &v->a[v->n++];
}

static int
by_key(const void *a, const void *b)
{
    const struct item *x = a, *y = b;

    return strcmp(x->key, y->key);
}

static int64_t
change(const struct item *x)
{
    return x->ns[AFTER] - x->ns[BEFORE];
}

static int
by_change(const void *a, const void *b)
{
    const struct item *x = a, *y = b;
    int64_t p = llabs(change(x)), q = llabs(change(y));

    return p != q ? (p > q ? -1 : 1) : strcmp(x->key, y->key);
}

/* Makes those of the same key one, and sorts by change. */
static void
unite(struct items *v)
{
    uint64_t i, k = 0;
    int s;

    if (v->n == 0)
        return;
    qsort(v->a, v->n, sizeof *v->a, by_key);
    for (i = 1; i < v->n; i++) {
        struct item *x = &v->a[k], *y = &v->a[i];

        if (strcmp(x->key, y->key) != 0) {
            v->a[++k] = *y;
            continue;
        }
        for (s = 0; s < 2; s++) {
            x->ns[s] += y->ns[s];
            x->n[s] += y->n[s];
            x->running[s] += y->running[s];
            x->blocked[s] += y->blocked[s];
        }
        free(y->key);
    }
    v->n = k + 1;
    qsort(v->a, v->n, sizeof *v->a, by_change);
}

static void
add_functions(struct items *v, const struct side *side, int which)
{
    const struct trace_summary *s = side->s;
    uint64_t i;
    int k;

    for (i = 0; i < s->ngs; i++) {
        const struct trace_goroutine *g = &s->gs[i];
        struct trace_text t = trace_goroutine_name(s, g);
        struct item *x = add(v, strndup(t.s, t.len));

        if (x == NULL)
            return;
        x->n[which] = 1;
        x->running[which] = g->time[TRACE_ST_RUNNING];
        for (k = TRACE_ST_SYSCALL; k < TRACE_ST_COUNT; k++)
            x->blocked[which] += g->time[k];
        x->ns[which] = x->running[which] + x->blocked[which] +
            g->time[TRACE_ST_RUNNABLE];
    }
}

/* The functions of a stack, as text: lines move between versions. */
static char *
stack_key(const struct trace_file *f, uint64_t stk, struct trace_rframe *fr)
{
    uint32_t i, n = trace_file_stack(f, stk, fr, TRACE_MAX_FRAMES);
    size_t size = 1, at = 0;
    char *key;

    if (n > TRACE_MAX_FRAMES)
        n = TRACE_MAX_FRAMES;
    for (i = 0; i < n; i++)
        size += fr[i].func.len + 20;
    key = malloc(size);
    for (i = 0; key != NULL && i < n; i++) {
        memcpy(key + at, fr[i].func.s, fr[i].func.len);
        at += fr[i].func.len;
        if (fr[i].func.len == 0) /* 1.5: addresses only */
            at += (size_t)snprintf(key + at, size - at, "%llx",
                (ull)fr[i].pc);
        key[at++] = '\n';
    }
    if (key != NULL)
        key[at] = '\0';
    return key;
}

static void
add_sites(struct items *v, const struct side *side, int kind, int which,
    struct trace_rframe *fr)
{
    const struct trace_waits *w = &side->w[kind];
    uint64_t i;

    for (i = 0; i < w->nsites; i++) {
        struct item *x = add(v, stack_key(side->f, w->sites[i].stack, fr));

        if (x == NULL)
            return;
        x->ns[which] = w->sites[i].ns;
        x->n[which] = w->sites[i].n;
        x->side = side;
        x->stack = w->sites[i].stack;
    }
}

/* ---- reading */

static void
close_side(struct side *x)
{
    int i;

    for (i = 0; i < NKINDS; i++)
        trace_waits_free(&x->w[i]);
    trace_summary_free(x->s);
    trace_file_close(x->f);
}

static int
read_side(struct tool *t, const char *path, const struct opts *opt,
    struct side *x)
{
    const struct trace_waits_filter filter = {.to = INT64_MAX,
        .g = UINT64_MAX, .all = opt->all, .system = opt->system};
    struct trace_sink sinks[NKINDS];
    int st, i;

    t->path = path;
    t->warnings = 0;
    st = tool_open(t, &x->f);
    if (st != TOOL_OK)
        return st;
    for (i = 0; i < NKINDS; i++) {
        trace_waits_init(&x->w[i], (enum trace_waits_kind)i, &filter, x->f);
        sinks[i] = trace_waits_sink(&x->w[i]);
    }
    st = tool_pass(t, x->f, 0, sinks, NKINDS, &x->s);
    for (i = 0; st == TOOL_OK && i < NKINDS; i++) {
        if (trace_waits_finish(&x->w[i], x->s) != RT_OK)
            st = tool_nomem(t);
    }
    if (st != TOOL_OK)
        close_side(x);
    return st;
}

/* ---- for people */

static void
heading(struct tool *t, const char *text)
{
    out_printf(&t->out, "\n%s%s%s\n", out_style(&t->out, OUT_BOLD), text,
        out_style(&t->out, OUT_PLAIN));
}

/* "+12.3 ms", "-4 us". */
static char *
signed_duration(const struct out *o, char *buf, int64_t ns)
{
    char a[OUT_NUM];

    snprintf(buf, OUT_NUM, "%s%s", ns < 0 ? "-" : "+",
        out_duration(o, a, ns < 0 ? -ns : ns));
    return buf;
}

/* "+12 %", "x 34", "new", "gone". */
static char *
ratio(char *buf, double before, double after)
{
    if (before <= 0)
        snprintf(buf, OUT_NUM, after > 0 ? "new" : "");
    else if (after <= 0)
        snprintf(buf, OUT_NUM, "gone");
    else if (after / before >= 10)
        snprintf(buf, OUT_NUM, "x %.0f", after / before);
    else
        snprintf(buf, OUT_NUM, "%+.1f %%", (after / before - 1) * 100);
    return buf;
}

static void
duration_row(struct tool *t, struct out_table *tab, const char *name,
    int64_t a, int64_t b)
{
    char v[4][OUT_NUM];

    out_table_row(tab, (const char *const[]){name,
        out_duration(&t->out, v[0], a), out_duration(&t->out, v[1], b),
        signed_duration(&t->out, v[2], b - a),
        ratio(v[3], (double)a, (double)b)});
}

static void
count_row(struct out_table *tab, const char *name, uint64_t a, uint64_t b)
{
    char v[5][OUT_NUM];

    snprintf(v[3], OUT_NUM, "%s%s", b < a ? "-" : "+",
        out_count(v[2], b < a ? a - b : b - a));
    out_table_row(tab, (const char *const[]){name, out_count(v[0], a),
        out_count(v[1], b), v[3], ratio(v[4], (double)a, (double)b)});
}

static void
bytes_row(struct out_table *tab, const char *name, uint64_t a, uint64_t b)
{
    char v[5][OUT_NUM];

    snprintf(v[3], OUT_NUM, "%s%s", b < a ? "-" : "+",
        out_bytes(v[2], b < a ? a - b : b - a));
    out_table_row(tab, (const char *const[]){name, out_bytes(v[0], a),
        out_bytes(v[1], b), v[3], ratio(v[4], (double)a, (double)b)});
}

static int64_t
busy(const struct trace_summary *s)
{
    int64_t ns = 0;
    uint64_t i;

    for (i = 0; i < s->nprocs; i++)
        ns += s->procs[i].busy;
    return ns;
}

static void
print_totals(struct tool *t, const struct side *x)
{
    const struct trace_summary *a = x[BEFORE].s, *b = x[AFTER].s;
    struct out_table tab;
    char name[64];
    int i;

    out_table_init(&tab, "lrrrr");
    out_table_row(&tab, (const char *const[]){"", "before", "after",
        "change", ""});
    duration_row(t, &tab, "duration", a->duration, b->duration);
    duration_row(t, &tab, "processors busy", busy(a), busy(b));
    count_row(&tab, "goroutines", a->ngs, b->ngs);
    for (i = TRACE_ST_RUNNING; i < TRACE_ST_BEFORE; i++) {
        if (a->total[i].ns == 0 && b->total[i].ns == 0)
            continue;
        snprintf(name, sizeof name, "  %s", trace_gst_name(i));
        duration_row(t, &tab, name, a->total[i].ns, b->total[i].ns);
    }
    duration_row(t, &tab, "99 % of waits for a processor",
        trace_hist_quantile(&a->latency, 0.99),
        trace_hist_quantile(&b->latency, 0.99));
    count_row(&tab, "collections", a->gc.n, b->gc.n);
    duration_row(t, &tab, "  longest stop", a->stw.longest, b->stw.longest);
    bytes_row(&tab, "largest heap", a->heap_max, b->heap_max);
    count_row(&tab, "system calls", a->syscalls, b->syscalls);
    out_table_print(&t->out, &tab, 0);
}

static void
print_functions(struct tool *t, const struct opts *opt,
    const struct items *v)
{
    struct out *o = &t->out;
    struct out_table tab;
    uint64_t i;

    heading(t, "Goroutines by function");
    out_table_init(&tab, "Frrrrrrrr");
    out_table_row(&tab, (const char *const[]){"function", "before", "after",
        "change", "", "running", "blocked", "n", ""});
    for (i = 0; i < v->n && i < opt->n; i++) {
        const struct item *x = &v->a[i];
        char c[8][OUT_NUM], name[TOOL_TEXT];

        snprintf(c[6], OUT_NUM, "%llu", (ull)x->n[BEFORE]);
        snprintf(c[7], OUT_NUM, "-> %llu", (ull)x->n[AFTER]);
        out_table_row(&tab, (const char *const[]){
            out_clean(name, sizeof name, x->key, strlen(x->key)),
            out_duration(o, c[0], x->ns[BEFORE]),
            out_duration(o, c[1], x->ns[AFTER]),
            signed_duration(o, c[2], change(x)),
            ratio(c[3], (double)x->ns[BEFORE], (double)x->ns[AFTER]),
            signed_duration(o, c[4], x->running[AFTER] - x->running[BEFORE]),
            signed_duration(o, c[5], x->blocked[AFTER] - x->blocked[BEFORE]),
            c[6], c[7]});
    }
    out_table_print(o, &tab, 0);
}

static void
print_sites(struct tool *t, const struct opts *opt, const char *what,
    const struct items *v)
{
    char c[5][OUT_NUM];
    struct out *o = &t->out;
    uint64_t i;

    if (v->n == 0)
        return;
    heading(t, what);
    out_printf(o, "%s   before     after     change%s\n",
        out_style(o, OUT_DIM), out_style(o, OUT_PLAIN));
    for (i = 0; i < v->n && i < opt->n && change(&v->a[i]) != 0; i++) {
        const struct item *x = &v->a[i];
        bool more = change(x) > 0;

        out_cell(o, out_duration(o, c[0], x->ns[BEFORE]), 9);
        out_cell(o, out_duration(o, c[0], x->ns[AFTER]), 10);
        out_printf(o, "%s", out_style(o, more ? OUT_RED : OUT_GREEN));
        out_cell(o, signed_duration(o, c[0], change(x)), 11);
        out_printf(o, "%s  %s, %s -> %s waits\n", out_style(o, OUT_PLAIN),
            ratio(c[1], (double)x->ns[BEFORE], (double)x->ns[AFTER]),
            out_count(c[2], x->n[BEFORE]), out_count(c[3], x->n[AFTER]));
        tool_stack(t, x->side->f, x->stack, 11, 6);
    }
}

/* ---- for programs */

static void
json_side(struct out *o, const char *name, const struct side *x)
{
    const struct trace_summary *s = x->s;
    int i;

    out_printf(o, "\"%s\":{\"duration_ns\":%lld,\"busy_ns\":%lld,"
        "\"goroutines\":%llu,\"gc\":%llu,\"stw_longest_ns\":%lld,"
        "\"heap_max\":%llu,\"syscalls\":%llu,\"latency_p99_ns\":%lld", name,
        (ll)s->duration, (ll)busy(s), (ull)s->ngs, (ull)s->gc.n,
        (ll)s->stw.longest, (ull)s->heap_max, (ull)s->syscalls,
        (ll)trace_hist_quantile(&s->latency, 0.99));
    for (i = TRACE_ST_RUNNING; i < TRACE_ST_COUNT; i++)
        out_printf(o, ",\"%s_ns\":%lld", trace_gst_key(i),
            (ll)s->total[i].ns);
    out_printf(o, "}");
}

static void
json_items(struct tool *t, const char *name, const struct items *v)
{
    struct out *o = &t->out;
    uint64_t i;

    out_printf(o, ",\n\"%s\":[", name);
    for (i = 0; i < v->n && !out_failed(o); i++) {
        const struct item *x = &v->a[i];

        out_printf(o, "%s\n {\"before_ns\":%lld,\"after_ns\":%lld,"
            "\"change_ns\":%lld,\"before_n\":%llu,\"after_n\":%llu",
            i > 0 ? "," : "", (ll)x->ns[0], (ll)x->ns[1], (ll)change(x),
            (ull)x->n[0], (ull)x->n[1]);
        if (x->side == NULL) {
            out_printf(o, ",\"before_running_ns\":%lld,"
                "\"after_running_ns\":%lld,\"before_blocked_ns\":%lld,"
                "\"after_blocked_ns\":%lld,\"function\":",
                (ll)x->running[0], (ll)x->running[1], (ll)x->blocked[0],
                (ll)x->blocked[1]);
            out_json_string(o, x->key, strlen(x->key));
        } else {
            out_printf(o, ",\"stack\":");
            tool_json_stack(t, x->side->f, x->stack);
        }
        out_printf(o, "}");
    }
    out_printf(o, "]");
}

/* ---- */

static int
print(struct tool *t, const struct opts *opt, const struct side *x)
{
    static const char *const what[NKINDS] = {"Waits for other goroutines",
        "Waits for a processor", "System calls", "Waits for the network"};
    struct trace_rframe *fr = malloc(TRACE_MAX_FRAMES * sizeof *fr);
    struct items v[NKINDS + 1] = {0};
    int i, st = TOOL_OK;

    if (fr == NULL)
        return tool_nomem(t);
    for (i = 0; i < NKINDS; i++) {
        add_sites(&v[i], &x[BEFORE], i, BEFORE, fr);
        add_sites(&v[i], &x[AFTER], i, AFTER, fr);
    }
    add_functions(&v[NKINDS], &x[BEFORE], BEFORE);
    add_functions(&v[NKINDS], &x[AFTER], AFTER);
    for (i = 0; i <= NKINDS; i++) {
        unite(&v[i]);
        if (v[i].nomem)
            st = TOOL_BAD;
    }
    if (st != TOOL_OK) {
        st = tool_nomem(t);
    } else if (opt->json) {
        out_printf(&t->out, "{");
        json_side(&t->out, "before", &x[BEFORE]);
        out_printf(&t->out, ",\n");
        json_side(&t->out, "after", &x[AFTER]);
        json_items(t, "functions", &v[NKINDS]);
        for (i = 0; i < NKINDS; i++)
            json_items(t, kinds[i], &v[i]);
        out_printf(&t->out, "}\n");
    } else {
        print_totals(t, x);
        print_functions(t, opt, &v[NKINDS]);
        for (i = 0; i < NKINDS; i++)
            print_sites(t, opt, what[i], &v[i]);
    }
    for (i = 0; i <= NKINDS; i++)
        free_items(&v[i]);
    free(fr);
    return st;
}

static int
run(struct tool *t, int argc, char **argv)
{
    struct opts opt = {.n = 15};
    struct side x[2] = {0};
    const char *path[2];
    int st = tool_words(t, argc, argv, flags, &opt, path, 2);

    if (st == TOOL_OK && path[1] == NULL)
        st = tool_usage(t, "two trace files are needed");
    if (st == TOOL_OK && strcmp(path[0], "-") == 0 &&
        strcmp(path[1], "-") == 0)
        st = tool_usage(t, "only one can be standard input");
    if (st == TOOL_OK)
        st = read_side(t, path[0], &opt, &x[BEFORE]);
    if (st != TOOL_OK)
        return st;
    st = read_side(t, path[1], &opt, &x[AFTER]);
    if (st == TOOL_OK) {
        st = print(t, &opt, x);
        close_side(&x[AFTER]);
    }
    close_side(&x[BEFORE]);
    return st;
}

const struct tool_cmd tool_diff = {
    .name = "diff",
    .brief = "what changed between two runs",
    .usage = "[flags] before after",
    .text =
        "Compares two traces: totals, the time of goroutines by the function "
        "they run,\nand the places where they waited, each sorted by how "
        "much it changed.  Places\nare the same where the functions on the "
        "stack are; lines may have moved.",
    .example =
        "  vole-trace diff before.trace after.trace\n"
        "  vole-trace diff -n 5 -json before.trace after.trace\n",
    .run = run,
    .flags = flags,
};
