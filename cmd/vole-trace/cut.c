/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cmd/vole-trace/tool.h"
#include "trace/read/rewrite.h"

struct opts {
    const char *out, *header;
    int64_t from, to;
    bool v1, v2;
};

#define OUT_FLAG \
    {"o", ARG_OUT, offsetof(struct opts, out), "FILE", \
        "write to FILE (default -, standard output, if it is no terminal)"}
#define HEADER_FLAG \
    {"header", ARG_STR, offsetof(struct opts, header), "V", \
        "1.19, which all of go tool trace read, or 1.21, which names more " \
        "reasons to stop the world (default 1.19)"}

static const struct arg_flag cut_flags[] = {
    {"from", ARG_DUR, offsetof(struct opts, from), "T",
        "events from T on, such as 1.5ms after the first event"},
    {"to", ARG_DUR, offsetof(struct opts, to), "T", "events up to T"},
    OUT_FLAG,
    HEADER_FLAG,
    {0},
};

static const struct arg_flag convert_flags[] = {
    {"v1", ARG_BOOL, offsetof(struct opts, v1), NULL,
        "write the format of Go 1.11 to 1.21 (the default)"},
    {"v2", ARG_BOOL, offsetof(struct opts, v2), NULL,
        "write the format of Go 1.22 and later, as of Go 1.23"},
    OUT_FLAG,
    HEADER_FLAG,
    {0},
};

static int
write_out(struct tool *t, struct trace_file *f, struct trace_rewrite *how,
    const struct opts *opt)
{
    struct outfile out;
    enum rt_status st;
    struct rt_err e;
    int rc = tool_create(t, &out, opt->out);

    if (rc != TOOL_OK)
        return rc;
    how->put = outfile_put;
    how->arg = &out;
    st = opt->v2 ? trace_rewrite_v2(f, how, &e) : trace_rewrite(f, how, &e);
    return tool_end_output(t, &out,
        st == RT_OK || out.err != 0 ? TOOL_OK : tool_error(t, &e));
}

static int
rewrite(struct tool *t, struct opts *opt)
{
    struct trace_rewrite how = {.from = opt->from, .to = opt->to,
        .version = 19};
    struct trace_file *f;
    int st;

    if (opt->header != NULL && strcmp(opt->header, "1.21") == 0)
        how.version = 21;
    else if (opt->header != NULL && strcmp(opt->header, "1.19") != 0)
        return tool_usage(t, "-header is 1.19 or 1.21");
    if (opt->from > opt->to)
        return tool_usage(t, "-from is later than -to");
    if (opt->v2 && (opt->v1 || opt->header != NULL))
        return tool_usage(t, "-v2 excludes -v1 and -header");
    if (opt->out != NULL && strcmp(opt->out, "-") == 0)
        opt->out = NULL;
    if (opt->out == NULL && isatty(1))
        return tool_usage(t, "a trace is nothing for a terminal: -o FILE");
    st = tool_open(t, &f);
    if (st != TOOL_OK)
        return st;
    st = write_out(t, f, &how, opt);
    trace_file_close(f);
    return st;
}

static int
run_cut(struct tool *t, int argc, char **argv)
{
    struct opts opt = {.to = INT64_MAX};
    int st = tool_parse(t, argc, argv, cut_flags, &opt);

    return st != TOOL_OK ? st : rewrite(t, &opt);
}

static int
run_convert(struct tool *t, int argc, char **argv)
{
    struct opts opt = {.to = INT64_MAX};
    int st = tool_parse(t, argc, argv, convert_flags, &opt);

    return st != TOOL_OK ? st : rewrite(t, &opt);
}

const struct tool_cmd tool_cut = {
    .name = "cut",
    .brief = "write a part of a trace as a smaller one",
    .usage = "[flags] file",
    .text =
        "Writes the events between two times as a trace of its own, which "
        "begins with\nthe goroutines that were there and ends with "
        "everything closed.  The new file\nhas the format of Go 1.19, which "
        "all of go tool trace read, whatever the old\none had.",
    .example = "  vole-trace cut -from 10ms -to 12ms -o part.trace "
        "out.trace\n",
    .run = run_cut,
    .flags = cut_flags,
};

const struct tool_cmd tool_convert = {
    .name = "convert",
    .brief = "write a trace in an older or a newer format",
    .usage = "[flags] file",
    .text =
        "Writes a whole trace anew: one of Go 1.22 and later for older "
        "tools, one of Go\n1.5 to 1.10 for newer ones.  Ends of system calls "
        "that kept their processor,\nand reasons to stop the world that the "
        "header does not know, are left out.\n\n-v2 writes the format of Go "
        "1.22 and later, with the header of Go 1.23, which\ngo tool trace of "
        "Go 1.23 and later reads; a file that is of that format already\nis "
        "copied.",
    .example = "  vole-trace convert -o old.trace new.trace\n"
        "  vole-trace convert -v2 -o new.trace old.trace\n",
    .run = run_convert,
    .flags = convert_flags,
};
