/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "cmd/vole-trace/tool.h"
#include "trace/html/html.h"

struct opts {
    const char *out;
    bool json, system;
};

static const struct arg_flag flags[] = {
    {"o", ARG_OUT, offsetof(struct opts, out), "file",
        "write to this file, - for standard output (default: the trace's "
        "name with .html, in the current directory)"},
    {"system", ARG_BOOL, offsetof(struct opts, system), NULL,
        "begin with the runtime's own goroutines shown (in the page: r)"},
    {"json", ARG_BOOL, offsetof(struct opts, json), NULL,
        "say as JSON what was written"},
    {NULL, ARG_BOOL, 0, NULL, NULL},
};

static const char *
base_of(const char *path)
{
    const char *slash = strrchr(path, '/');

    if (strcmp(path, "-") == 0)
        return "trace";
    return slash == NULL ? path : slash + 1;
}

static int
write_page(struct tool *t, struct trace_file *f, struct outfile *out,
    const struct opts *opts)
{
    struct trace_html_options opt = {.title = base_of(t->path),
        .system = opts->system,
        .progress = t->watched ? tool_progress : NULL, .progress_arg = t};
    struct rt_err e;
    enum rt_status st = trace_html_write(f, &opt, out->f, &e);

    tool_progress_end(t);
    if (st != RT_EIO)
        return st == RT_OK ? TOOL_OK : tool_error(t, &e);
    out->err = e.os_errno;
    return TOOL_OK;
}

/* *size is that of the page. */
static int
write_file(struct tool *t, struct trace_file *f, const char *path,
    const struct opts *opts, long *size)
{
    struct outfile out;
    int rc = tool_create(t, &out, path);

    if (rc != TOOL_OK)
        return rc;
    rc = write_page(t, f, &out, opts);
    *size = ftell(out.f);
    return tool_end_output(t, &out, rc);
}

static void
conclude(struct tool *t, const char *path, long size)
{
    char name[TOOL_TEXT], a[OUT_NUM];

    out_printf(&t->out, "wrote %s, %s\n",
        out_clean(name, sizeof name, path, strlen(path)),
        out_bytes(a, (uint64_t)size));
}

static void
conclude_json(struct tool *t, const char *path, long size)
{
    out_printf(&t->out, "{\"file\":");
    out_json_string(&t->out, path, strlen(path));
    out_printf(&t->out, ",\"bytes\":%ld}\n", size);
}

static int
run(struct tool *t, int argc, char **argv)
{
    struct opts opt = {0};
    struct trace_file *f;
    long size = 0;
    char path[4096];
    int st = tool_parse(t, argc, argv, flags, &opt);

    if (st != TOOL_OK)
        return st;
    if (opt.out == NULL)
        snprintf(path, sizeof path, "%s.html", base_of(t->path));
    else
        snprintf(path, sizeof path, "%s",
            strcmp(opt.out, "/dev/stdout") == 0 ? "-" : opt.out);
    st = tool_open(t, &f);
    if (st != TOOL_OK)
        return st;
    st = write_file(t, f, path, &opt, &size);
    trace_file_close(f);
    if (st != TOOL_OK || strcmp(path, "-") == 0)
        return st;
    if (opt.json)
        conclude_json(t, path, size);
    else
        conclude(t, path, size);
    return TOOL_OK;
}

const struct tool_cmd tool_html = {
    .name = "html",
    .brief = "the trace as one page for a browser",
    .usage = "[flags] file",
    .text = "Writes a page with a timeline of processors, goroutines, heap "
        "and collections\nthat can be zoomed, searched and clicked, and the "
        "tables of the analysis\nbeside it.  The page needs nothing but "
        "itself: it can be mailed and kept.",
    .example = "  vole-trace html out.trace          writes out.trace.html\n"
        "  vole-trace html -o page.html out.trace",
    .run = run,
    .flags = flags,
};
