/* SPDX-License-Identifier: MIT */
/* block, sched, syscall and net: where goroutines waited, and how long. */
#include <stdlib.h>
#include <string.h>

#include "cmd/vole-trace/tool.h"
#include "trace/analyze/waits.h"

struct opts {
    bool json, all, system;
    uint64_t g, n, depth;
    int64_t from, to;
    const char *func, *pprof;
};

typedef unsigned long long ull;

static const struct arg_flag flags[] = {
    {"n", ARG_U64, offsetof(struct opts, n), "N",
        "at most N places (default 10)"},
    {"depth", ARG_U64, offsetof(struct opts, depth), "N",
        "at most N lines of each stack (default 12)"},
    {"g", ARG_U64, offsetof(struct opts, g), "ID", "only goroutine ID"},
    {"func", ARG_STR, offsetof(struct opts, func), "NAME",
        "only goroutines that were started with this function"},
    {"from", ARG_DUR, offsetof(struct opts, from), "T",
        "count what lies after T, such as 1.5ms after the first event"},
    {"to", ARG_DUR, offsetof(struct opts, to), "T",
        "count what lies before T"},
    {"all", ARG_BOOL, offsetof(struct opts, all), NULL,
        "count also the waits that go tool trace leaves out"},
    {"system", ARG_BOOL, offsetof(struct opts, system), NULL,
        "count also those of the runtime's own goroutines"},
    {"pprof", ARG_OUT, offsetof(struct opts, pprof), "OUT",
        "write a profile for go tool pprof to OUT (-: standard output)"},
    {"json", ARG_BOOL, offsetof(struct opts, json), NULL,
        "print one JSON object"},
    {0},
};

/* ---- for people */

/* What kind of wait: the state, or for the scheduler why it was runnable. */
static const char *
what(const struct trace_waits *w, const struct trace_site *s)
{
    if (w->kind != TRACE_WAITS_SCHED)
        return trace_gst_name(s->state);
    switch (s->cause) {
    case TRACE_EV_GO_CREATE:
        return "created";
    case TRACE_EV_GO_UNBLOCK:
    case TRACE_EV_GO_UNBLOCK_LOCAL:
        return "woken";
    case TRACE_EV_GO_SCHED:
        return "yielded";
    case TRACE_EV_GO_PREEMPT:
        return "preempted";
    case TRACE_EV_GO_SYS_EXIT:
    case TRACE_EV_GO_SYS_EXIT_LOCAL:
        return "after a system call";
    default:
        return "runnable";
    }
}

static void
print_site(struct tool *t, const struct opts *opt,
    const struct trace_summary *s, const struct trace_waits *w,
    const struct trace_site *x)
{
    char a[OUT_NUM], name[TOOL_TEXT];
    struct out *o = &t->out;

    out_printf(o, "%s", out_style(o, OUT_BOLD));
    out_cell(o, out_duration(o, a, x->ns), 9);
    out_printf(o, "%s", out_style(o, OUT_PLAIN));
    out_cell(o, out_share(a, (double)x->ns, (double)w->ns), 9);
    out_cell(o, out_count(a, x->n), 10);
    out_cell(o, out_duration(o, a, x->ns / (int64_t)x->n), 9);
    out_cell(o, out_duration(o, a, x->longest), 9);
    out_printf(o, "  %s%s%s\n", out_style(o, OUT_YELLOW), what(w, x),
        out_style(o, OUT_PLAIN));
    out_fill(o, 13, "           longest at %s in goroutine %llu (%s)",
        out_duration(o, a, x->longest_at), (ull)x->longest_g,
        tool_goroutine(name, s, x->longest_g));
    if (x->stack == 0)
        out_printf(o, "           (no stack)\n");
    else
        tool_stack(t, s->f, x->stack, 11, (uint32_t)opt->depth);
}

static void
print_left(struct tool *t, const struct trace_waits *w)
{
    char a[OUT_NUM], b[OUT_NUM];

    if (w->left_n > 0)
        out_fill(&t->out, 2, "not counted, as go tool trace does not: %s in "
            "%s more waits (-all)", out_duration(&t->out, a, w->left_ns),
            out_count(b, w->left_n));
}

static void
print_text(struct tool *t, const struct opts *opt,
    const struct trace_summary *s, const struct trace_waits *w)
{
    const struct trace_hist *h = &w->hist;
    char a[OUT_NUM], b[OUT_NUM], c[OUT_NUM], d[OUT_NUM], e[OUT_NUM];
    struct out *o = &t->out;
    uint64_t i;

    if (w->n == 0) {
        out_printf(o, "no waits of this kind\n");
        print_left(t, w);
        return;
    }
    out_fill(o, 2, "%s in %s waits at %s places: half within %s, 90 %% within "
        "%s, 99 %% within %s", out_duration(o, a, w->ns),
        out_count(b, w->n), out_count((char[OUT_NUM]){0}, w->nsites),
        out_duration(o, c, trace_hist_quantile(h, 0.5)),
        out_duration(o, d, trace_hist_quantile(h, 0.9)),
        out_duration(o, e, trace_hist_quantile(h, 0.99)));
    print_left(t, w);
    out_printf(o, "\n%s     time    share     waits     mean  longest%s\n",
        out_style(o, OUT_DIM), out_style(o, OUT_PLAIN));
    for (i = 0; i < w->nsites && i < opt->n && !out_failed(o); i++)
        print_site(t, opt, s, w, &w->sites[i]);
    if (i < w->nsites)
        out_printf(o, "... %s more (-n)\n", out_count(a, w->nsites - i));
}

/* ---- for programs */

static void
print_json(struct tool *t, const struct trace_summary *s,
    const struct trace_waits *w)
{
    const struct trace_hist *h = &w->hist;
    struct out *o = &t->out;
    uint64_t i;

    out_printf(o, "{\"kind\":\"%s\",\"n\":%llu,\"ns\":%lld,\"p50_ns\":%lld,"
        "\"p90_ns\":%lld,\"p99_ns\":%lld,\"max_ns\":%lld,\"left_out\":%llu,\"left_out_ns\":%lld,"
        "\"sites\":[", t->cmd,
        (ull)w->n, (long long)w->ns, (long long)trace_hist_quantile(h, 0.5),
        (long long)trace_hist_quantile(h, 0.9),
        (long long)trace_hist_quantile(h, 0.99), (long long)h->max,
        (ull)w->left_n, (long long)w->left_ns);
    for (i = 0; i < w->nsites && !out_failed(o); i++) {
        const struct trace_site *x = &w->sites[i];

        out_printf(o, "%s\n {\"ns\":%lld,\"n\":%llu,\"longest_ns\":%lld,"
            "\"longest_at_ns\":%lld,\"longest_g\":%llu,\"state\":\"%s\","
            "\"why\":\"%s\",\"stack\":", i > 0 ? "," : "", (long long)x->ns,
            (ull)x->n, (long long)x->longest, (long long)x->longest_at,
            (ull)x->longest_g, trace_gst_key(x->state), what(w, x));
        tool_json_stack(t, s->f, x->stack);
        out_printf(o, "}");
    }
    out_printf(o, "]}\n");
}

/* ---- */

static int
write_profile(struct tool *t, const struct trace_waits *w, const char *path)
{
    struct outfile out;
    const struct wire_sink sink = {outfile_put, &out};
    int rc = tool_create(t, &out, path);

    if (rc != TOOL_OK)
        return rc;
    if (trace_waits_pprof(w, &sink) == RT_ENOMEM)
        rc = tool_nomem(t);
    return tool_end_output(t, &out, rc);
}

static int
analyse(struct tool *t, enum trace_waits_kind kind, const struct opts *opt,
    struct trace_file *f)
{
    const struct trace_waits_filter filter = {.from = opt->from,
        .to = opt->to, .g = opt->g, .func = opt->func,
        .all = opt->all, .system = opt->system};
    struct trace_summary *s;
    struct trace_sink sink;
    struct trace_waits w;
    int st;

    trace_waits_init(&w, kind, &filter, f);
    sink = trace_waits_sink(&w);
    st = tool_listen(t, f, &sink, &s);
    if (st != TOOL_OK) {
        trace_waits_free(&w);
        return st;
    }
    st = tool_check_goroutine(t, s, opt->g, opt->func);
    if (st != TOOL_OK)
        ;
    else if (trace_waits_finish(&w, s) != RT_OK)
        st = tool_nomem(t);
    else if (opt->pprof != NULL)
        st = write_profile(t, &w, opt->pprof);
    else if (opt->json)
        print_json(t, s, &w);
    else
        print_text(t, opt, s, &w);
    trace_summary_free(s);
    trace_waits_free(&w);
    return st;
}

static int
run(struct tool *t, enum trace_waits_kind kind, int argc, char **argv)
{
    struct opts opt = {.g = UINT64_MAX, .n = 10, .depth = 12,
        .to = INT64_MAX};
    struct trace_file *f;
    int st = tool_parse(t, argc, argv, flags, &opt);

    if (st == TOOL_OK && opt.from > opt.to)
        st = tool_usage(t, "-from is later than -to");
    if (st == TOOL_OK && (opt.depth == 0 || opt.depth > TRACE_MAX_FRAMES))
        st = tool_usage(t, "-depth is 1 to %d", TRACE_MAX_FRAMES);
    if (st == TOOL_OK && opt.json && opt.pprof != NULL)
        st = tool_usage(t, "-json and -pprof exclude each other");
    if (st == TOOL_OK)
        st = tool_open(t, &f);
    if (st != TOOL_OK)
        return st;
    st = analyse(t, kind, &opt, f);
    trace_file_close(f);
    return st;
}

#define LEFT_OUT                                                       \
    "\n\nThe numbers are those of go tool trace -pprof=, which leaves some " \
    "waits out;\n-all counts them too: those that had not ended, "

static int
run_block(struct tool *t, int argc, char **argv)
{
    return run(t, TRACE_WAITS_BLOCK, argc, argv);
}

const struct tool_cmd tool_block = {
    .name = "block",
    .brief = "where goroutines waited for each other",
    .usage = "[flags] file",
    .text =
        "Prints the places where goroutines waited on channels, in select, "
        "for mutexes,\nwait groups and conditions: how often, how long, with "
        "the stack, longest total\nfirst." LEFT_OUT
        "sleeps, blocks that can\nnever end, and GC assists of Go 1.22 and "
        "later.",
    .example =
        "  vole-trace block out.trace\n"
        "  vole-trace block -func main.worker -pprof block.pprof out.trace\n"
        "  go tool pprof -top block.pprof\n",
    .run = run_block,
    .flags = flags,
};

static int
run_sched(struct tool *t, int argc, char **argv)
{
    return run(t, TRACE_WAITS_SCHED, argc, argv);
}

const struct tool_cmd tool_sched = {
    .name = "sched",
    .brief = "where goroutines became runnable and waited for a processor",
    .usage = "[flags] file",
    .text =
        "Prints how long goroutines that could run waited for a processor, "
        "by the place\nthat made them runnable: the go statement that created "
        "them, or what woke them." LEFT_OUT
        "those after a yield or\na preemption (Go before 1.22), and those "
        "before the first run (later).",
    .example =
        "  vole-trace sched out.trace\n"
        "  vole-trace sched -from 10ms -to 20ms -all out.trace\n",
    .run = run_sched,
    .flags = flags,
};

static int
run_syscall(struct tool *t, int argc, char **argv)
{
    return run(t, TRACE_WAITS_SYSCALL, argc, argv);
}

const struct tool_cmd tool_syscall = {
    .name = "syscall",
    .brief = "where goroutines spent time in system calls",
    .usage = "[flags] file",
    .text =
        "Prints the places where goroutines were in system calls: how often, "
        "how long,\nwith the stack.  Traces of Go before 1.22, and vole's, "
        "have the duration only\nof calls that took so long that they gave "
        "up their processor." LEFT_OUT
        "and those that began\nbefore the trace.",
    .example = "  vole-trace syscall -n 3 out.trace\n",
    .run = run_syscall,
    .flags = flags,
};

static int
run_net(struct tool *t, int argc, char **argv)
{
    return run(t, TRACE_WAITS_NET, argc, argv);
}

const struct tool_cmd tool_net = {
    .name = "net",
    .brief = "where goroutines waited for the network",
    .usage = "[flags] file",
    .text =
        "Prints the places where goroutines waited for a file or connection "
        "to become\nready: how often, how long, with the stack." LEFT_OUT
        "and those that began\nbefore the trace.",
    .example = "  vole-trace net -pprof net.pprof out.trace\n",
    .run = run_net,
    .flags = flags,
};
