/* SPDX-License-Identifier: MIT */
/* gc: cycles, stops of the world, and what they leave to the program. */
#include <stdlib.h>
#include <string.h>

#include "cmd/vole-trace/tool.h"
#include "trace/analyze/gcstat.h"
#include "trace/analyze/mmu.h"

struct opts {
    bool json, stacks;
    uint64_t n;
    const char *count;
};

typedef unsigned long long ull;

static const struct arg_flag flags[] = {
    {"n", ARG_U64, offsetof(struct opts, n), "N",
        "at most N cycles (default 20)"},
    {"stacks", ARG_BOOL, offsetof(struct opts, stacks), NULL,
        "print the stack that started each cycle"},
    {"mmu", ARG_STR, offsetof(struct opts, count), "LIST",
        "what takes processors from the program: stw, background, assist, "
        "sweep (default stw,background,assist)"},
    {"json", ARG_BOOL, offsetof(struct opts, json), NULL,
        "print one JSON object"},
    {0},
};

enum { BAR = 40, WINDOWS = 40 };

/* ---- windows of the curve: 1, 2, 5, 10 ... us up to the whole trace */

static int
windows(int64_t duration, int64_t *w)
{
    static const int steps[] = {1, 2, 5};
    int64_t unit = 1000;
    int n = 0, i;

    for (; unit < duration && n < WINDOWS - 1; unit *= 10) {
        for (i = 0; i < 3 && unit * steps[i] < duration; i++)
            w[n++] = unit * steps[i];
    }
    w[n++] = duration;
    return n;
}

static bool
parse_count(const char *list, unsigned *flag)
{
    static const struct {
        const char *name;
        unsigned flag;
    } words[] = {{"stw", TRACE_MMU_STW}, {"background", TRACE_MMU_BACKGROUND},
        {"assist", TRACE_MMU_ASSIST}, {"sweep", TRACE_MMU_SWEEP}};

    *flag = 0;
    while (*list != '\0') {
        size_t n = strcspn(list, ","), i;

        for (i = 0; i < 4; i++) {
            if (strlen(words[i].name) == n &&
                memcmp(words[i].name, list, n) == 0)
                break;
        }
        if (i == 4)
            return false;
        *flag |= words[i].flag;
        list += n + (list[n] == ',');
    }
    return *flag != 0;
}

/* ---- for people */

static void
heading(struct tool *t, const char *text)
{
    out_printf(&t->out, "\n%s%s%s\n", out_style(&t->out, OUT_BOLD), text,
        out_style(&t->out, OUT_PLAIN));
}

static void
print_totals(struct tool *t, const struct trace_gcstat *x,
    const struct trace_summary *s)
{
    char a[OUT_NUM], b[OUT_NUM], c[OUT_NUM];
    struct out *o = &t->out;
    int64_t stop = 0, cycle = 0;
    uint64_t i;

    for (i = 0; i < x->n; i++) {
        stop += x->cycles[i].stop_ns;
        cycle += x->cycles[i].to - x->cycles[i].from;
    }
    out_fill(o, 2, "%s cycles in %s: collecting %s of the time, the world "
        "stopped for it %s", out_count(a, x->n + x->left_out),
        out_duration(o, b, s->duration),
        out_share(c, (double)cycle, (double)s->duration),
        out_share((char[OUT_NUM]){0}, (double)stop, (double)s->duration));
}

static void
print_cycles(struct tool *t, const struct opts *opt,
    const struct trace_gcstat *x)
{
    char a[OUT_NUM];
    struct out *o = &t->out;
    struct out_table tab;
    uint64_t i;

    heading(t, "Cycles");
    out_table_init(&tab, "rrrrrrrrrrrr");
    out_table_row(&tab, (const char *const[]){"", "begin", "time", "stopped",
        "longest", "workers", "idle workers", "assists", "before", "after",
        "goal", "reclaimed"});
    for (i = 0; i < x->n && i < opt->n; i++) {
        const struct trace_cycle *c = &x->cycles[i];
        char v[12][OUT_NUM];

        out_table_row(&tab, (const char *const[]){out_count(v[0], i + 1),
            out_duration(o, v[1], c->from),
            out_duration(o, v[2], c->to - c->from),
            out_duration(o, v[3], c->stop_ns),
            out_duration(o, v[4], c->stop_longest),
            out_duration(o, v[5], c->worker_ns[TRACE_DEDICATED] +
                c->worker_ns[TRACE_FRACTIONAL]),
            out_duration(o, v[6], c->worker_ns[TRACE_IDLE]),
            out_duration(o, v[7], c->assist_ns),
            out_bytes(v[8], c->heap_before), out_bytes(v[9], c->heap_after),
            c->goal != 0 ? out_bytes(v[10], c->goal) : "-",
            out_bytes(v[11], c->reclaimed)});
    }
    out_table_print(o, &tab, 2);
    if (i < x->n + x->left_out)
        out_printf(o, "  ... %s more (-n)\n",
            out_count(a, x->n + x->left_out - i));
    for (i = 0; opt->stacks && i < x->n && i < opt->n; i++) {
        out_printf(o, "  cycle %s, started by goroutine %llu\n",
            out_count(a, i + 1), (ull)x->cycles[i].g);
        tool_stack(t, x->f, x->cycles[i].stack, 4, 12);
    }
}

static void
hist_row(struct tool *t, struct out_table *tab, const char *name,
    const struct trace_hist *h)
{
    char a[OUT_NUM], b[6][OUT_NUM];

    if (h->n == 0)
        return;
    out_table_row(tab, (const char *const[]){name, out_count(a, h->n),
        out_duration(&t->out, b[0], (int64_t)h->sum),
        out_duration(&t->out, b[1], (int64_t)(h->sum / h->n)),
        out_duration(&t->out, b[2], trace_hist_quantile(h, 0.5)),
        out_duration(&t->out, b[3], trace_hist_quantile(h, 0.99)),
        out_duration(&t->out, b[4], h->max)});
}

static void
print_stops(struct tool *t, const struct trace_gcstat *x)
{
    struct out_table tab;
    char name[TOOL_TEXT + 8], why[TOOL_TEXT];
    unsigned i;

    if (x->nstops == 0 && x->assists.n == 0)
        return;
    heading(t, "Pauses");
    out_table_init(&tab, "lrrrrrr");
    out_table_row(&tab, (const char *const[]){"", "times", "time", "mean",
        "median", "99 %", "longest"});
    for (i = 0; i < x->nstops; i++) {
        snprintf(name, sizeof name, "stop: %s",
            out_clean(why, sizeof why, x->stops[i].name,
                strlen(x->stops[i].name)));
        hist_row(t, &tab, name, &x->stops[i].hist);
    }
    hist_row(t, &tab, "mark assists", &x->assists);
    out_table_print(&t->out, &tab, 2);
}

static void
print_mmu(struct tool *t, const struct trace_mmu *m, int64_t duration)
{
    struct out *o = &t->out;
    struct out_table tab;
    int64_t w[WINDOWS];
    char a[OUT_NUM];
    int i, n = windows(duration, w);

    if (trace_mmu_mean(m) < 0)
        return;
    heading(t, "Minimum mutator utilization");
    out_fill(o, 2, "  what the collector leaves to the program in the worst "
        "window of a length; %s on average",
        out_share(a, trace_mmu_mean(m), 1));
    out_table_init(&tab, "rrB");
    out_table_row(&tab, (const char *const[]){"window", "left", ""});
    for (i = 0; i < n; i++) {
        double u = trace_mmu_at(m, w[i]);
        char b[OUT_NUM], bar[3 * BAR + 4];

        out_table_row(&tab, (const char *const[]){out_duration(o, a, w[i]),
            out_share(b, u, 1), out_bar(o, bar, u, BAR)});
    }
    out_table_print(o, &tab, 2);
    if (m->merged > 0)
        out_printf(o, "  (approximate: too many changes to keep them all)\n");
}

/* ---- for programs */

static void
json_hist(struct out *o, const struct trace_hist *h)
{
    out_printf(o, "\"n\":%llu,\"ns\":%llu,\"p50_ns\":%lld,\"p99_ns\":%lld,"
        "\"max_ns\":%lld}", (ull)h->n, (ull)h->sum,
        (long long)trace_hist_quantile(h, 0.5),
        (long long)trace_hist_quantile(h, 0.99), (long long)h->max);
}

static void
json_cycle(struct tool *t, const struct trace_file *f,
    const struct trace_cycle *c)
{
    struct out *o = &t->out;

    out_printf(o, "{\"from_ns\":%lld,\"to_ns\":%lld,\"open\":%s,\"g\":%llu,"
        "\"stops\":%u,\"stop_ns\":%lld,\"stop_longest_ns\":%lld,"
        "\"dedicated_ns\":%lld,\"fractional_ns\":%lld,\"idle_ns\":%lld,"
        "\"assists\":%llu,\"assist_ns\":%lld", (long long)c->from,
        (long long)c->to, c->open ? "true" : "false", (ull)c->g, c->stops,
        (long long)c->stop_ns, (long long)c->stop_longest,
        (long long)c->worker_ns[TRACE_DEDICATED],
        (long long)c->worker_ns[TRACE_FRACTIONAL],
        (long long)c->worker_ns[TRACE_IDLE], (ull)c->assists,
        (long long)c->assist_ns);
    out_printf(o, ",\"heap_before\":%llu,\"heap_after\":%llu,\"goal\":%llu,"
        "\"sweeps\":%llu,\"sweep_ns\":%lld,\"swept\":%llu,"
        "\"reclaimed\":%llu,\"stack\":", (ull)c->heap_before,
        (ull)c->heap_after, (ull)c->goal, (ull)c->sweeps,
        (long long)c->sweep_ns, (ull)c->swept, (ull)c->reclaimed);
    tool_json_stack(t, f, c->stack);
    out_printf(o, "}");
}

static void
print_json(struct tool *t, const struct trace_gcstat *x,
    const struct trace_mmu *m, int64_t duration)
{
    struct out *o = &t->out;
    int64_t w[WINDOWS];
    uint64_t i;
    int k, n = trace_mmu_mean(m) < 0 ? 0 : windows(duration, w);

    out_printf(o, "{\"duration_ns\":%lld,\"cycles_n\":%llu,\"cycles\":[",
        (long long)duration, (ull)(x->n + x->left_out));
    for (i = 0; i < x->n && !out_failed(o); i++) {
        out_printf(o, i > 0 ? ",\n " : "\n ");
        json_cycle(t, x->f, &x->cycles[i]);
    }
    out_printf(o, "],\n\"stops\":[");
    for (i = 0; i < x->nstops; i++) {
        out_printf(o, "%s{\"kind\":", i > 0 ? "," : "");
        out_json_string(o, x->stops[i].name, strlen(x->stops[i].name));
        out_printf(o, ",");
        json_hist(o, &x->stops[i].hist);
    }
    out_printf(o, "],\"assists\":{");
    json_hist(o, &x->assists);
    out_printf(o, ",\n\"mmu_mean\":%.9f,\"mmu_exact\":%s,\"mmu\":[",
        n == 0 ? 1 : trace_mmu_mean(m), m->merged == 0 ? "true" : "false");
    for (k = 0; k < n; k++)
        out_printf(o, "%s{\"window_ns\":%lld,\"util\":%.9f}",
            k > 0 ? "," : "", (long long)w[k], trace_mmu_at(m, w[k]));
    out_printf(o, "]}\n");
}

/* ---- */

static int
analyse(struct tool *t, const struct opts *opt, unsigned count,
    struct trace_file *f)
{
    struct trace_summary *s = NULL;
    struct trace_sink sinks[2];
    struct trace_gcstat x;
    struct trace_mmu m;
    int st;

    trace_mmu_init(&m, count, f);
    if (trace_gcstat_init(&x, f) != RT_OK)
        return tool_nomem(t);
    sinks[0] = trace_gcstat_sink(&x);
    sinks[1] = trace_mmu_sink(&m);
    st = tool_pass(t, f, 0, sinks, 2, &s);
    if (st == TOOL_OK && trace_mmu_finish(&m) != RT_OK)
        st = tool_nomem(t);
    if (st == TOOL_OK) {
        trace_gcstat_finish(&x, s->duration);
        if (opt->json) {
            print_json(t, &x, &m, s->duration);
        } else {
            print_totals(t, &x, s);
            if (x.n > 0)
                print_cycles(t, opt, &x);
            print_stops(t, &x);
            print_mmu(t, &m, s->duration);
        }
    }
    trace_summary_free(s);
    trace_gcstat_free(&x);
    trace_mmu_free(&m);
    return st;
}

static int
run(struct tool *t, int argc, char **argv)
{
    struct opts opt = {.n = 20, .count = "stw,background,assist"};
    struct trace_file *f;
    unsigned count;
    int st = tool_parse(t, argc, argv, flags, &opt);

    if (st == TOOL_OK && !parse_count(opt.count, &count))
        st = tool_usage(t, "invalid value \"%s\" for flag -mmu", opt.count);
    if (st == TOOL_OK)
        st = tool_open(t, &f);
    if (st != TOOL_OK)
        return st;
    st = analyse(t, &opt, count, f);
    trace_file_close(f);
    return st;
}

const struct tool_cmd tool_gc = {
    .name = "gc",
    .brief = "what the garbage collector did, and what it cost",
    .usage = "[flags] file",
    .text =
        "Prints each cycle of the collector: when, how long, how long the "
        "world was\nstopped, processor time of mark workers (idle ones use "
        "processors that nobody\nwants) and of assists, the heap before and "
        "after and the goal; then all pauses\nby kind, assists from begin to "
        "end, as the goroutine feels them; then the share\nof the processors "
        "that is left to the program in the worst window of each\nlength.",
    .example =
        "  vole-trace gc out.trace\n"
        "  vole-trace gc -mmu stw -json out.trace\n",
    .run = run,
    .flags = flags,
};
