/* SPDX-License-Identifier: MIT */
/* export: traces for other programs. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/vole-trace/tool.h"
#include "runtime/base/safetext.h"
#include "trace/analyze/export.h"

struct opts {
    bool chrome, perfetto, csv, json, goroutines, no_goroutines;
    int64_t from, to;
    const char *out;
};

typedef unsigned long long ull;

static const struct arg_flag flags[] = {
    {"chrome", ARG_BOOL, offsetof(struct opts, chrome), NULL,
        "JSON for chrome://tracing and ui.perfetto.dev"},
    {"perfetto", ARG_BOOL, offsetof(struct opts, perfetto), NULL,
        "Perfetto's own format, for ui.perfetto.dev and trace_processor"},
    {"csv", ARG_BOOL, offsetof(struct opts, csv), NULL,
        "a table: one line for each state of each goroutine"},
    {"json", ARG_BOOL, offsetof(struct opts, json), NULL,
        "the same as one JSON object per line"},
    {"o", ARG_OUT, offsetof(struct opts, out), "OUT",
        "write to OUT (default -, standard output)"},
    {"from", ARG_DUR, offsetof(struct opts, from), "T",
        "what happened from T on, such as 1.5ms after the first event"},
    {"to", ARG_DUR, offsetof(struct opts, to), "T", "what happened up to T"},
    {"goroutines", ARG_BOOL, offsetof(struct opts, goroutines), NULL,
        "-chrome: a row for each goroutine, too"},
    {"no-goroutines", ARG_BOOL, offsetof(struct opts, no_goroutines), NULL,
        "-perfetto: no track for each goroutine"},
    {0},
};

/* ---- Chrome and Perfetto */

static int
viewer(struct tool *t, const struct opts *opt, struct trace_file *f,
    struct outfile *out)
{
    const struct wire_sink w = {outfile_put, out};
    struct trace_export x = {.f = f, .out = &w, .from = opt->from,
        .to = opt->to, .goroutines = opt->perfetto ? !opt->no_goroutines
            : opt->goroutines};
    struct trace_summary *s;
    struct trace_sink sink;
    enum rt_status st;
    int rc;

    st = opt->perfetto ? trace_perfetto_begin(&x) : trace_chrome_begin(&x);
    sink = opt->perfetto ? trace_perfetto_sink(&x) : trace_chrome_sink(&x);
    rc = st != RT_OK ? tool_nomem(t) : tool_pass(t, f, 0, &sink, 1, &s);
    if (rc == TOOL_OK) {
        st = opt->perfetto ? trace_perfetto_end(&x, s)
            : trace_chrome_end(&x, s);
        trace_summary_free(s);
        if (st == RT_ENOMEM)
            rc = tool_nomem(t);
    }
    trace_export_free(&x);
    return rc;
}

/* ---- tables */

struct table {
    struct out o;
    const struct opts *opt;
};

/* A CSV field: quoted where it must be.  Control characters are escaped as
 * everywhere, as this is printed on terminals, too. */
static void
csv_text(struct out *o, struct trace_text t)
{
    bool quoted = memchr(t.s, ',', t.len) != NULL ||
        memchr(t.s, '"', t.len) != NULL;
    uint32_t i, from = 0;

    if (quoted)
        fputc('"', o->f);
    for (i = 0; quoted && i < t.len; i++) {
        if (t.s[i] == '"') {
            rt_safe_put(o->f, t.s + from, i - from);
            fputs("\"\"", o->f);
            from = i + 1;
        }
    }
    rt_safe_put(o->f, t.s + from, t.len - from);
    if (quoted)
        fputc('"', o->f);
}

static struct trace_text
place(const struct trace_file *f, uint64_t stk)
{
    const struct trace_text none = {"", 0};
    struct trace_rframe fr;

    return stk == 0 || trace_file_stack(f, stk, &fr, 1) == 0 ? none : fr.func;
}

static bool
table_span(void *arg, const struct trace_summary *s,
    const struct trace_goroutine *g, const struct trace_span *sp)
{
    struct table *t = arg;
    struct out *o = &t->o;
    struct trace_text name, where = place(s->f, sp->state ==
        TRACE_ST_RUNNABLE ? sp->cause_stack : sp->stack);

    if (sp->to <= t->opt->from || sp->from >= t->opt->to)
        return true;
    name = trace_goroutine_name(s, g);
    if (t->opt->csv) {
        out_printf(o, "%llu,", (ull)g->id);
        csv_text(o, name);
        out_printf(o, ",%s,%lld,%lld,%lld,", trace_gst_key(sp->state),
            (long long)sp->from, (long long)sp->to,
            (long long)(sp->to - sp->from));
        if (sp->p >= 0)
            out_printf(o, "%lld", (long long)sp->p);
        out_printf(o, ",");
        if (sp->by != 0)
            out_printf(o, "%llu", (ull)sp->by);
        out_printf(o, ",");
        csv_text(o, where);
        out_printf(o, "\r\n");
        return true;
    }
    out_printf(o, "{\"g\":%llu,\"name\":", (ull)g->id);
    out_json_string(o, name.s, name.len);
    out_printf(o, ",\"state\":\"%s\",\"from_ns\":%lld,\"to_ns\":%lld",
        trace_gst_key(sp->state), (long long)sp->from, (long long)sp->to);
    if (sp->p >= 0)
        out_printf(o, ",\"p\":%lld", (long long)sp->p);
    if (sp->by != 0)
        out_printf(o, ",\"woken_by\":%llu", (ull)sp->by);
    if (where.len > 0) {
        out_printf(o, ",\"where\":");
        out_json_string(o, where.s, where.len);
    }
    out_printf(o, "}\n");
    return true;
}

static int
table(struct tool *t, const struct opts *opt, struct trace_file *f,
    struct outfile *out)
{
    struct table x = {.o = t->out, .opt = opt};
    const struct trace_sink sink = {.arg = &x, .span = table_span};
    struct trace_summary *s;
    int st;

    x.o.f = out->f;
    if (opt->csv)
        out_printf(&x.o, "goroutine,function,state,from_ns,to_ns,ns,p,"
            "woken_by,where\r\n");
    st = tool_pass(t, f, 0, &sink, 1, &s);
    if (st == TOOL_OK)
        trace_summary_free(s);
    out->err = x.o.err;
    return st;
}

/* ---- */

static int
export(struct tool *t, const struct opts *opt, struct trace_file *f)
{
    struct outfile out;
    int rc = tool_create(t, &out, opt->out);

    if (rc != TOOL_OK)
        return rc;
    if (out.path == NULL)
        tool_streams(t);
    rc = opt->chrome || opt->perfetto ? viewer(t, opt, f, &out)
        : table(t, opt, f, &out);
    return tool_end_output(t, &out, rc);
}

static int
run(struct tool *t, int argc, char **argv)
{
    struct opts opt = {.to = INT64_MAX, .out = "-"};
    struct trace_file *f;
    int st = tool_parse(t, argc, argv, flags, &opt);

    if (st == TOOL_OK && opt.chrome + opt.perfetto + opt.csv + opt.json != 1)
        st = tool_usage(t, "one of -chrome, -perfetto, -csv and -json");
    if (st == TOOL_OK && opt.from >= opt.to)
        st = tool_usage(t, "-from is not before -to");
    if (st == TOOL_OK && opt.perfetto && strcmp(opt.out, "-") == 0 &&
        isatty(STDOUT_FILENO))
        st = tool_usage(t, "that is no text for a terminal: use -o");
    if (st == TOOL_OK)
        st = tool_open(t, &f);
    if (st != TOOL_OK)
        return st;
    st = export(t, &opt, f);
    trace_file_close(f);
    return st;
}

const struct tool_cmd tool_export = {
    .name = "export",
    .brief = "write the trace for another viewer or program",
    .usage = "-chrome|-perfetto|-csv|-json [flags] file",
    .text =
        "Writes processors with the goroutines that ran on them, the "
        "collector, heap and\ngoroutine counters, tasks and regions, and "
        "arrows from who woke a goroutine to\nwhere it ran; or a table of "
        "all states of all goroutines.",
    .example =
        "  vole-trace export -perfetto -o out.pftrace out.trace\n"
        "  vole-trace export -chrome -from 1s -to 1.2s out.trace "
        ">out.json\n"
        "  vole-trace export -csv out.trace | sort -t, -k6 -n | tail\n",
    .run = run,
    .flags = flags,
};
