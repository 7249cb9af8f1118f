/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <string.h>

#include "cmd/vole-trace/tool.h"

struct opts {
    bool json, system;
    uint64_t n;
    int64_t from, to;
};

typedef unsigned long long ull;

static const struct arg_flag flags[] = {
    {"n", ARG_U64, offsetof(struct opts, n), "N",
        "show the N longest blocks (default 5)"},
    {"from", ARG_DUR, offsetof(struct opts, from), "T",
        "count what lies after T, such as 1.5ms after the first event"},
    {"to", ARG_DUR, offsetof(struct opts, to), "T",
        "count what lies before T"},
    {"system", ARG_BOOL, offsetof(struct opts, system), NULL,
        "count also the runtime's own goroutines"},
    {"json", ARG_BOOL, offsetof(struct opts, json), NULL,
        "print one JSON object"},
    {0},
};

enum { BAR = 20 };

/* ---- for people */

static void
heading(struct tool *t, const char *text)
{
    out_printf(&t->out, "\n%s%s%s\n", out_style(&t->out, OUT_BOLD), text,
        out_style(&t->out, OUT_PLAIN));
}

/* What all processors did. */
struct busy {
    int64_t all, gc, calls;
};

static struct busy
busy_time(const struct trace_summary *s)
{
    struct busy b = {0};
    uint64_t i;

    for (i = 0; i < s->nprocs; i++) {
        b.all += s->procs[i].busy;
        b.gc += s->procs[i].gc;
        b.calls += s->procs[i].calls;
    }
    return b;
}

/* A label and what there is to say, in lines that fit. */
static void
labelled(struct tool *t, const char *name, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

static void
labelled(struct tool *t, const char *name, const char *fmt, ...)
{
    char text[512], head[16];
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    snprintf(head, sizeof head, "%-11s", name);
    out_fill(&t->out, 12, "%s%s%s %s", out_style(&t->out, OUT_BOLD), head,
        out_style(&t->out, OUT_PLAIN), text);
}

static void
heap(struct tool *t, const struct trace_summary *s)
{
    char a[OUT_NUM], b[OUT_NUM], c[OUT_NUM], d[OUT_NUM];

    if (!s->heap_seen)
        return;
    if (s->goal_last == 0)
        labelled(t, "heap", "%s at the start, %s at most, %s at the end",
            out_bytes(a, s->heap_first), out_bytes(b, s->heap_max),
            out_bytes(c, s->heap_last));
    else
        labelled(t, "heap", "%s at the start, %s at most, %s at the end, "
            "next collection at %s", out_bytes(a, s->heap_first),
            out_bytes(b, s->heap_max), out_bytes(c, s->heap_last),
            out_bytes(d, s->goal_last));
}

static uint64_t
systems(const struct trace_summary *s)
{
    uint64_t i, n = 0;

    for (i = 0; i < s->ngs; i++)
        n += s->gs[i].system;
    return n;
}

static void
overview(struct tool *t, const struct opts *opt,
    const struct trace_summary *s)
{
    char a[OUT_NUM], b[OUT_NUM], c[OUT_NUM], d[OUT_NUM], e[OUT_NUM];
    uint64_t own = opt->system ? 0 : systems(s);
    struct out *o = &t->out;

    labelled(t, "duration", "%s, %s events, %s of go 1.%d trace",
        out_duration(o, a, s->duration), out_count(b, s->events),
        out_bytes(c, s->f->size), s->f->version);
    if (opt->from > 0 || opt->to < s->duration)
        labelled(t, "counted", "%s, from %s to %s",
            out_duration(o, a, s->to - s->from), out_duration(o, b, s->from),
            out_duration(o, c, s->to));
    labelled(t, "processors", "%s, %s busy",
        out_count(a, s->gomaxprocs != 0 ? s->gomaxprocs : s->nprocs),
        out_share(b, (double)busy_time(s).all, (double)s->proc_time));
    labelled(t, "goroutines", "%s: %s at the start, %s created, %s ended, at "
        "most %s at once", out_count(a, s->ngs), out_count(b, s->at_start),
        out_count(c, s->created), out_count(d, s->ended),
        out_count(e, s->peak));
    if (own > 0)
        labelled(t, "", "%s of them the runtime's own, not counted below "
            "(-system)", out_count(a, own));
    heap(t, s);
}

static void
share_row(struct tool *t, struct out_table *tab, const char *name, int64_t ns,
    int64_t whole)
{
    char a[OUT_NUM], b[OUT_NUM], bar[3 * BAR + 4];
    double share = whole > 0 ? (double)ns / (double)whole : 0;

    out_table_row(tab, (const char *const[]){name,
        out_duration(&t->out, a, ns), out_share(b, (double)ns, (double)whole),
        out_bar(&t->out, bar, share, BAR)});
}

static void
processors(struct tool *t, const struct trace_summary *s)
{
    struct busy b = busy_time(s);
    int64_t idle = s->proc_time - b.all;
    struct out_table tab;

    if (s->proc_time <= 0)
        return;
    heading(t, "Where the processors' time went");
    out_table_init(&tab, "lrrB");
    out_table_row(&tab, (const char *const[]){"", "time", "share", ""});
    share_row(t, &tab, "running goroutines", b.all - b.gc - b.calls,
        s->proc_time);
    if (b.calls > 0)
        share_row(t, &tab, "in system calls", b.calls, s->proc_time);
    if (b.gc > 0)
        share_row(t, &tab, "collecting garbage", b.gc, s->proc_time);
    share_row(t, &tab, "idle", idle > 0 ? idle : 0, s->proc_time);
    out_table_print(&t->out, &tab, 2);
}

static void
states(struct tool *t, const struct trace_summary *s)
{
    struct out_table tab;
    int64_t whole = 0;
    int i;

    for (i = TRACE_ST_RUNNING; i < TRACE_ST_COUNT; i++)
        whole += s->total[i].ns;
    if (whole == 0)
        return;
    heading(t, "Where the goroutines' time went");
    out_table_init(&tab, "lrrrrrB");
    out_table_row(&tab, (const char *const[]){"", "time", "share", "times",
        "mean", "longest", ""});
    for (i = TRACE_ST_RUNNING; i < TRACE_ST_COUNT; i++) {
        const struct trace_gst_total *x = &s->total[i];
        char a[OUT_NUM], b[OUT_NUM], c[OUT_NUM], d[OUT_NUM], e[OUT_NUM];
        char bar[3 * BAR + 4];

        if (x->n == 0)
            continue;
        out_table_row(&tab, (const char *const[]){trace_gst_name(i),
            out_duration(&t->out, a, x->ns),
            out_share(b, (double)x->ns, (double)whole), out_count(c, x->n),
            out_duration(&t->out, d, x->ns / (int64_t)x->n),
            out_duration(&t->out, e, x->longest),
            out_bar(&t->out, bar, (double)x->ns / (double)whole, BAR)});
    }
    out_table_print(&t->out, &tab, 2);
}

static void
latency(struct tool *t, const struct trace_summary *s)
{
    const struct trace_hist *h = &s->latency;
    char a[OUT_NUM], b[OUT_NUM], c[OUT_NUM], d[OUT_NUM], e[OUT_NUM];
    struct out *o = &t->out;

    if (h->n == 0)
        return;
    heading(t, "From runnable to running");
    out_fill(o, 2, "  %s times: half within %s, 90 %% within %s, 99 %% within "
        "%s, all within %s", out_count(a, h->n),
        out_duration(o, b, trace_hist_quantile(h, 0.5)),
        out_duration(o, c, trace_hist_quantile(h, 0.9)),
        out_duration(o, d, trace_hist_quantile(h, 0.99)),
        out_duration(o, e, h->max));
}

static void
range_row(struct tool *t, struct out_table *tab, const char *name,
    const struct trace_range *r, int64_t whole)
{
    char a[OUT_NUM], b[OUT_NUM], c[OUT_NUM], d[OUT_NUM], e[OUT_NUM];

    if (r->n == 0)
        return;
    out_table_row(tab, (const char *const[]){name, out_count(a, r->n),
        out_duration(&t->out, b, r->ns),
        out_share(c, (double)r->ns, (double)whole),
        out_duration(&t->out, d, r->ns / (int64_t)r->n),
        out_duration(&t->out, e, r->longest)});
}

static void
collector(struct tool *t, const struct trace_summary *s)
{
    const struct trace_range assist = {.n = s->assists, .ns = s->assist_ns,
        .longest = -1};
    const struct trace_range sweep = {.n = s->sweeps, .ns = s->sweep_ns,
        .longest = -1};
    char a[OUT_NUM], b[OUT_NUM], name[64];
    int64_t whole = s->to - s->from;
    struct out_table tab;
    int i;

    if (s->gc.n == 0 && s->stw.n == 0 && s->sweeps == 0)
        return;
    heading(t, "Garbage collection");
    out_table_init(&tab, "lrrrrr");
    out_table_row(&tab, (const char *const[]){"", "times", "time",
        "share", "mean", "longest"});
    range_row(t, &tab, "cycles", &s->gc, whole);
    for (i = 0; i < 32; i++) {
        snprintf(name, sizeof name, "stop: %s",
            trace_stw_name(s->f->version, (uint64_t)i));
        range_row(t, &tab, name, &s->stw_kind[i], whole);
    }
    range_row(t, &tab, "mark assists", &assist, whole);
    range_row(t, &tab, "sweeping", &sweep, whole);
    out_table_print(&t->out, &tab, 2);
    if (s->swept != 0)
        out_printf(&t->out, "  %s swept, %s reclaimed\n",
            out_bytes(a, s->swept), out_bytes(b, s->reclaimed));
}

static void
calls(struct tool *t, const struct trace_summary *s)
{
    char a[OUT_NUM], b[OUT_NUM], c[OUT_NUM];
    struct out *o = &t->out;

    if (s->syscalls + s->syscalls_blocked > 0) {
        heading(t, "System calls");
        out_printf(o, "  %s, of which %s gave up their processor",
            out_count(a, s->syscalls > s->syscalls_blocked ? s->syscalls
                : s->syscalls_blocked), out_count(b, s->syscalls_blocked));
        if (s->total[TRACE_ST_SYSCALL].n > 0)
            out_printf(o, ", for %s in %s",
                out_duration(o, c, s->total[TRACE_ST_SYSCALL].ns),
                s->f->version >= 22 ? "all" : "those");
        out_printf(o, "\n");
    }
    if (s->tasks + s->regions + s->logs > 0) {
        heading(t, "Annotations");
        out_printf(o, "  %s task%s, %s region%s, %s log message%s\n",
            out_count(a, s->tasks), s->tasks == 1 ? "" : "s",
            out_count(b, s->regions), s->regions == 1 ? "" : "s",
            out_count(c, s->logs), s->logs == 1 ? "" : "s");
    }
    if (s->samples > 0)
        out_printf(o, "\n%sCPU samples%s %s\n", out_style(o, OUT_BOLD),
            out_style(o, OUT_PLAIN), out_count(a, s->samples));
}

static void
one_block(struct tool *t, const struct trace_summary *s,
    const struct trace_wait *w)
{
    char a[OUT_NUM], b[OUT_NUM], name[TOOL_TEXT], by[TOOL_TEXT];
    char end[TOOL_TEXT + 64] = "";
    struct out *o = &t->out;
    int pad;

    if (w->open)
        snprintf(end, sizeof end, ", until the end");
    else if (w->by != 0)
        snprintf(end, sizeof end, ", until goroutine %llu (%s) woke it",
            (ull)w->by, tool_goroutine(by, s, w->by));
    out_duration(o, a, w->ns);
    pad = 11 - (int)strlen(a) + (strstr(a, "\302") != NULL);
    out_fill(o, 13, "%*s%s%s%s  %s%s%s, goroutine %llu (%s), at %s%s",
        pad, "", out_style(o, OUT_BOLD), a, out_style(o, OUT_PLAIN),
        out_style(o, OUT_YELLOW), trace_gst_name(w->state),
        out_style(o, OUT_PLAIN), (ull)w->g, tool_goroutine(name, s, w->g),
        out_duration(o, b, w->at), end);
    tool_stack(t, s->f, w->stack, 13, 6);
}

static void
longest(struct tool *t, const struct trace_summary *s)
{
    uint64_t i;

    if (s->nlongest == 0)
        return;
    heading(t, "Longest blocks");
    for (i = 0; i < s->nlongest; i++)
        one_block(t, s, &s->longest[i]);
}

static void
print_text(struct tool *t, const struct opts *opt,
    const struct trace_summary *s)
{
    char path[TOOL_TEXT];
    struct out *o = &t->out;

    out_printf(o, "%strace%s       %s\n", out_style(o, OUT_BOLD),
        out_style(o, OUT_PLAIN),
        out_clean(path, sizeof path, t->path, strlen(t->path)));
    overview(t, opt, s);
    processors(t, s);
    states(t, s);
    latency(t, s);
    collector(t, s);
    calls(t, s);
    longest(t, s);
}

/* ---- for programs */

static void
json_range(struct out *o, const char *name, const struct trace_range *r)
{
    out_printf(o, ",\"%s\":{\"n\":%llu,\"ns\":%lld,\"longest_ns\":%lld}",
        name, (ull)r->n, (long long)r->ns, (long long)r->longest);
}

static void
json_states(struct tool *t, const struct trace_summary *s)
{
    const struct trace_hist *h = &s->latency;
    struct out *o = &t->out;
    int i;

    out_printf(o, ",\"states\":{");
    for (i = TRACE_ST_RUNNING; i < TRACE_ST_COUNT; i++)
        out_printf(o, "%s\"%s\":{\"n\":%llu,\"ns\":%lld,\"longest_ns\":%lld}",
            i > TRACE_ST_RUNNING ? "," : "", trace_gst_key(i),
            (ull)s->total[i].n, (long long)s->total[i].ns,
            (long long)s->total[i].longest);
    out_printf(o, "},\"latency\":{\"n\":%llu,\"p50_ns\":%lld,\"p90_ns\":%lld,"
        "\"p99_ns\":%lld,\"max_ns\":%lld}", (ull)h->n,
        (long long)trace_hist_quantile(h, 0.5),
        (long long)trace_hist_quantile(h, 0.9),
        (long long)trace_hist_quantile(h, 0.99), (long long)h->max);
}

static void
json_longest(struct tool *t, const struct trace_summary *s)
{
    struct out *o = &t->out;
    uint64_t i;

    out_printf(o, ",\"longest_blocks\":[");
    for (i = 0; i < s->nlongest; i++) {
        const struct trace_wait *w = &s->longest[i];

        out_printf(o, "%s{\"state\":\"%s\",\"ns\":%lld,\"at_ns\":%lld,"
            "\"g\":%llu,\"by\":%llu,\"open\":%s,\"stack\":", i > 0 ? "," : "",
            trace_gst_key(w->state), (long long)w->ns, (long long)w->at,
            (ull)w->g, (ull)w->by, w->open ? "true" : "false");
        tool_json_stack(t, s->f, w->stack);
        out_printf(o, "}");
    }
    out_printf(o, "]");
}

static void
print_json(struct tool *t, const struct trace_summary *s)
{
    struct out *o = &t->out;
    struct busy b = busy_time(s);
    bool first = true;
    int i;

    out_printf(o, "{\"version\":\"go 1.%d\",\"bytes\":%llu,\"events\":%llu,"
        "\"unordered\":%llu,\"truncated\":%s,\"duration_ns\":%lld,"
        "\"from_ns\":%lld,\"to_ns\":%lld",
        s->f->version, (ull)s->f->size, (ull)s->events, (ull)s->stuck,
        s->f->cut_at == UINT64_MAX ? "false" : "true",
        (long long)s->duration, (long long)s->from, (long long)s->to);
    out_printf(o, ",\"procs\":%llu,\"proc_ns\":%lld,\"busy_ns\":%lld,"
        "\"gc_busy_ns\":%lld,\"calls_busy_ns\":%lld", (ull)s->gomaxprocs,
        (long long)s->proc_time, (long long)b.all, (long long)b.gc,
        (long long)b.calls);
    out_printf(o, ",\"goroutines\":{\"n\":%llu,\"at_start\":%llu,"
        "\"created\":%llu,\"ended\":%llu,\"peak\":%llu}", (ull)s->ngs,
        (ull)s->at_start, (ull)s->created, (ull)s->ended, (ull)s->peak);
    out_printf(o, ",\"heap\":{\"first\":%llu,\"max\":%llu,\"last\":%llu,"
        "\"goal\":%llu}", (ull)s->heap_first, (ull)s->heap_max,
        (ull)s->heap_last, (ull)s->goal_last);
    json_states(t, s);
    json_range(o, "gc", &s->gc);
    json_range(o, "stw", &s->stw);
    out_printf(o, ",\"assists\":{\"n\":%llu,\"ns\":%lld},\"sweeps\":{\"n\":"
        "%llu,\"ns\":%lld,\"swept\":%llu,\"reclaimed\":%llu}",
        (ull)s->assists, (long long)s->assist_ns, (ull)s->sweeps,
        (long long)s->sweep_ns, (ull)s->swept, (ull)s->reclaimed);
    out_printf(o, ",\"syscalls\":%llu,\"syscalls_blocked\":%llu,\"tasks\":"
        "%llu,\"regions\":%llu,\"logs\":%llu,\"samples\":%llu",
        (ull)s->syscalls, (ull)s->syscalls_blocked, (ull)s->tasks,
        (ull)s->regions, (ull)s->logs, (ull)s->samples);
    out_printf(o, ",\"kinds\":{");
    for (i = 1; i < TRACE_EV_KINDS; i++) {
        if (s->count[i] == 0)
            continue;
        out_printf(o, "%s\"%s\":%llu", first ? "" : ",",
            trace_ev_name((unsigned)i), (ull)s->count[i]);
        first = false;
    }
    out_printf(o, "}");
    json_longest(t, s);
    out_printf(o, "}\n");
}

/* ---- */

static int
run(struct tool *t, int argc, char **argv)
{
    struct opts opt = {.n = 5, .to = INT64_MAX};
    struct trace_summary *s;
    struct trace_file *f;
    int st = tool_parse(t, argc, argv, flags, &opt);

    if (st == TOOL_OK && opt.n > 1000000)
        st = tool_usage(t, "-n is at most 1000000");
    if (st == TOOL_OK && opt.from >= opt.to)
        st = tool_usage(t, "-from is not before -to");
    if (st == TOOL_OK)
        st = tool_open(t, &f);
    if (st != TOOL_OK)
        return st;
    st = tool_sum_up(t, f, &(struct trace_pass){.top = opt.n,
        .from = opt.from, .to = opt.to, .system = opt.system}, &s);
    if (st != TOOL_OK) {
        trace_file_close(f);
        return st;
    }
    if (opt.json)
        print_json(t, s);
    else
        print_text(t, &opt, s);
    trace_summary_free(s);
    trace_file_close(f);
    return TOOL_OK;
}

const struct tool_cmd tool_summary = {
    .name = "summary",
    .brief = "where the time went, at a glance",
    .usage = "[flags] file",
    .text =
        "Prints how long the trace is, what the processors and the "
        "goroutines did with\ntheir time, how long runnable goroutines "
        "waited for a processor, what the\ncollector did, and the longest "
        "blocks with their stacks.",
    .example = "  vole-trace summary -n 10 out.trace\n",
    .run = run,
    .flags = flags,
};
