/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/vole-trace/outfile.h"
#include "cmd/vole-trace/tool.h"
#include "trace/html/html.h"

struct opts {
    const char *out;
    bool json;
};

static const struct arg_flag flags[] = {
    {"o", ARG_STR, offsetof(struct opts, out), "file",
        "write to this file, - for standard output (default: the trace's "
        "name with .html, in the current directory)"},
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

static bool
write_page(struct tool *t, struct trace_file *f, FILE *out, struct rt_err *e)
{
    struct trace_html_options opt = {.title = base_of(t->path),
        .progress = t->watched ? tool_progress : NULL, .progress_arg = t};
    bool ok = trace_html_write(f, &opt, out, e) == RT_OK;

    tool_progress_end(t);
    return ok;
}

static bool
write_file(struct tool *t, struct trace_file *f, const char *path,
    long *size, struct rt_err *e)
{
    struct outfile out;
    bool ok;

    if (!outfile_open(&out, path)) {
        rt_err_os(e, errno, "cannot create %s", path);
        return false;
    }
    ok = write_page(t, f, out.f, e);
    *size = ftell(out.f);
    if (!outfile_close(&out, ok)) {
        rt_err_os(e, errno, "write");
        ok = false;
    }
    return ok;
}

static void
conclude(struct tool *t, const char *path, long size)
{
    out_printf(&t->out, "wrote %s, %.1f MB\n", path, (double)size / 1e6);
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
    struct rt_err e = {0};
    long size = 0;
    char path[4096];
    bool ok;
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
    if (strcmp(path, "-") == 0)
        ok = write_page(t, f, stdout, &e);
    else
        ok = write_file(t, f, path, &size, &e);
    trace_file_close(f);
    if (!ok && e.os_errno == EPIPE)
        return TOOL_OK;
    if (!ok)
        return tool_error(t, &e);
    if (strcmp(path, "-") == 0)
        return TOOL_OK;
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
