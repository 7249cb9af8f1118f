/* SPDX-License-Identifier: MIT */
/* procs: what each processor did. */
#include <string.h>

#include "cmd/vole-trace/tool.h"

struct opts {
    bool json;
};

typedef unsigned long long ull;

static const struct arg_flag flags[] = {
    {"json", ARG_BOOL, offsetof(struct opts, json), NULL,
        "print a JSON array"},
    {0},
};

enum { BAR = 24 };

static void
print_text(struct tool *t, const struct trace_summary *s)
{
    struct out *o = &t->out;
    struct out_table tab;
    uint64_t i;

    out_table_init(&tab, "lrrrrrrrrB");
    out_table_row(&tab, (const char *const[]){"P", "busy", "share",
        "collecting", "idle", "runs", "mean run", "handed over", "threads",
        ""});
    for (i = 0; i < s->nprocs; i++) {
        const struct trace_proc *p = &s->procs[i];
        int64_t idle = s->duration - p->busy;
        double share = s->duration > 0
            ? (double)p->busy / (double)s->duration : 0;
        char id[OUT_NUM], v[8][OUT_NUM], bar[3 * BAR + 4];

        snprintf(id, sizeof id, "P%lld", (long long)p->id);
        out_table_row(&tab, (const char *const[]){id,
            out_duration(o, v[0], p->busy),
            out_share(v[1], (double)p->busy, (double)s->duration),
            out_duration(o, v[2], p->gc),
            out_duration(o, v[3], idle > 0 ? idle : 0),
            out_count(v[4], p->runs),
            out_duration(o, v[5],
                p->runs > 0 ? p->busy / (int64_t)p->runs : 0),
            out_count(v[6], p->retaken), out_count(v[7], p->starts),
            out_bar(o, bar, share, BAR)});
    }
    out_table_print(o, &tab, 0);
}

static void
print_json(struct tool *t, const struct trace_summary *s)
{
    struct out *o = &t->out;
    uint64_t i;

    out_printf(o, "[");
    for (i = 0; i < s->nprocs && !out_failed(o); i++) {
        const struct trace_proc *p = &s->procs[i];

        out_printf(o, "%s\n {\"id\":%lld,\"busy_ns\":%lld,\"gc_ns\":%lld,"
            "\"idle_ns\":%lld,\"runs\":%llu,\"retaken\":%llu,\"starts\":%llu}",
            i > 0 ? "," : "", (long long)p->id, (long long)p->busy,
            (long long)p->gc, (long long)(s->duration - p->busy),
            (ull)p->runs, (ull)p->retaken, (ull)p->starts);
    }
    out_printf(o, "\n]\n");
}

static int
run(struct tool *t, int argc, char **argv)
{
    struct opts opt = {0};
    struct trace_summary *s;
    struct trace_file *f;
    int st = tool_parse(t, argc, argv, flags, &opt);

    if (st == TOOL_OK)
        st = tool_analyze(t, 0, &f, &s);
    if (st != TOOL_OK)
        return st;
    if (opt.json)
        print_json(t, s);
    else
        print_text(t, s);
    trace_summary_free(s);
    trace_file_close(f);
    return TOOL_OK;
}

const struct tool_cmd tool_procs = {
    .name = "procs",
    .brief = "what each processor did",
    .usage = "[flags] file",
    .text =
        "Prints for each processor (P) how long goroutines ran on it, how "
        "much of that\nwas collecting garbage, how long it was idle, how "
        "many times a goroutine was\nput on it and for how long on average, "
        "how often it was taken away from a\ngoroutine in a system call, and "
        "how often a thread took it.",
    .example = "  vole-trace procs out.trace\n",
    .run = run,
    .flags = flags,
};
