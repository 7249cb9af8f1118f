/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "cmd/vole-trace/tool.h"

struct opts {
    bool json;
};

typedef unsigned long long ull;

static const struct arg_flag flags[] = {
    {"json", ARG_BOOL, offsetof(struct opts, json), NULL,
        "print one JSON object"},
    {0},
};

static void
print_json(struct out *o, const struct trace_file *f,
    const struct trace_kind *k, unsigned n)
{
    unsigned i;

    out_printf(o, "{\"version\":\"go 1.%d\",\"bytes\":%llu,\"events\":%llu,"
        "\"batches\":%llu,\"strings\":%llu,\"stacks\":%llu,\"kinds\":[",
        f->version, (ull)f->size, (ull)f->nevents, (ull)f->nbatches,
        (ull)f->nstrings, (ull)f->nstacks);
    for (i = 0; i < n; i++)
        out_printf(o, "%s{\"kind\":\"%s\",\"table\":%s,\"records\":%llu,"
            "\"bytes\":%llu}", i > 0 ? "," : "", k[i].name,
            k[i].table ? "true" : "false", (ull)k[i].n, (ull)k[i].bytes);
    out_printf(o, "]}\n");
}

static void
print_text(struct tool *t, const struct trace_file *f,
    const struct trace_kind *k, unsigned n)
{
    char a[OUT_NUM], b[OUT_NUM], c[OUT_NUM], d[OUT_NUM], path[TOOL_TEXT];
    struct out *o = &t->out;
    struct out_table tab;
    unsigned i;

    out_printf(o, "trace       %s, go 1.%d\n",
        out_clean(path, sizeof path, t->path, strlen(t->path)), f->version);
    out_printf(o, "size        %s, %s events, %.2f bytes each\n",
        out_bytes(a, f->size), out_count(b, f->nevents),
        f->nevents == 0 ? 0 : (double)f->size / (double)f->nevents);
    out_printf(o, "tables      %s batches, %s strings, %s stacks\n\n",
        out_count(a, f->nbatches), out_count(b, f->nstrings),
        out_count(c, f->nstacks));
    out_table_init(&tab, "lrrrr");
    out_table_row(&tab, (const char *const[]){"record", "number", "bytes",
        "share", "each"});
    for (i = 0; i < n; i++) {
        char each[OUT_NUM];

        snprintf(each, sizeof each, "%.1f",
            (double)k[i].bytes / (double)k[i].n);
        out_table_row(&tab, (const char *const[]){k[i].name,
            out_count(a, k[i].n), out_bytes(b, k[i].bytes),
            out_share(d, (double)k[i].bytes, (double)f->size), each});
    }
    out_table_print(o, &tab, 0);
}

static int
run(struct tool *t, int argc, char **argv)
{
    struct trace_kind kinds[TRACE_MAX_KINDS];
    struct opts opt = {0};
    struct trace_file *f;
    unsigned n;
    int st = tool_parse(t, argc, argv, flags, &opt);

    if (st == TOOL_OK)
        st = tool_open(t, &f);
    if (st != TOOL_OK)
        return st;
    n = trace_file_kinds(f, kinds);
    if (opt.json)
        print_json(&t->out, f, kinds, n);
    else
        print_text(t, f, kinds, n);
    trace_file_close(f);
    return TOOL_OK;
}

const struct tool_cmd tool_stats = {
    .name = "stats",
    .brief = "records and bytes by kind",
    .usage = "[flags] file",
    .text =
        "Prints what a file is made of: how many records of each kind, how "
        "many bytes\nthey take, tables and heads of batches included.  The "
        "names are those of the\nfile's own format.",
    .example = "  vole-trace stats out.trace\n",
    .run = run,
    .flags = flags,
};
