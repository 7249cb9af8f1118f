/* SPDX-License-Identifier: MIT */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cmd/common/doc.h"
#include "cmd/common/fds.h"
#include "cmd/vole-trace/outfile.h"
#include "cmd/vole-trace/tool.h"

static const struct tool_cmd *const commands[] = {&tool_summary, &tool_events,
    &tool_goroutines, &tool_goroutine_cmd, &tool_procs, &tool_gc, &tool_block,
    &tool_sched, &tool_syscall, &tool_net, &tool_tasks, &tool_regions,
    &tool_html, &tool_timeline, &tool_export, &tool_diff, &tool_stats,
    &tool_validate, &tool_cut, &tool_convert};

enum { NCOMMANDS = sizeof commands / sizeof *commands };

static const struct tool_cmd *
find(const char *name)
{
    int i;

    for (i = 0; i < NCOMMANDS; i++) {
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
    }
    return NULL;
}

static int
help_all(struct tool *t)
{
    int i;

    out_printf(&t->out,
        "vole-trace reads execution traces: those of vole and those of Go 1.5 "
        "to 1.26.\n\n"
        "Usage: vole-trace command [flags] file\n\n"
        "Commands:\n");
    for (i = 0; i < NCOMMANDS; i++)
        out_printf(&t->out, "  %-11s %s\n", commands[i]->name,
            commands[i]->brief);
    out_printf(&t->out,
        "  version     the version of this program\n"
        "\nThe file - is standard input.  A file may be compressed by gzip. "
        " One that was\ncut short, by a crash or a full disk, is read up to "
        "the cut.\n\n"
        "Exit status: 0 fine, 1 bad input, 2 wrong usage.\n"
        "More about a command: vole-trace help command\n\n"
        "Example:\n"
        "  vole run -trace out.trace prog.go && vole-trace summary "
        "out.trace\n");
    return TOOL_OK;
}

static int
help_one(struct tool *t, const struct tool_cmd *c)
{
    char text[4096];

    args_describe(c->flags, text, sizeof text);
    out_printf(&t->out, "Usage: vole-trace %s %s\n\n%s\n\nFlags:\n%s\n"
        "Example:\n%s\n", c->name, c->usage, c->text, text, c->example);
    return TOOL_OK;
}

/* The manual page or a completion, for the build. */
static bool
document(struct tool *t, const char *word)
{
    struct doc_cmd cmds[NCOMMANDS];
    const struct doc_prog p = {
        .name = TOOL_NAME,
        .brief = "read execution traces of Go and vole programs",
        .text =
            "vole-trace reads the execution traces that vole and Go programs "
            "write (Go 1.5 to 1.26)\nand answers in the terminal, as JSON, "
            "or in files for other viewers.\n\n"
            "The file - is standard input.  A file may be compressed by gzip; "
            "one that was cut\nshort is read up to the cut.\nTimes are given as 1.5ms, 2s or 300us after the "
            "first event.\n\n"
            "Every command but html takes -json.  Colours are used on a "
            "terminal only, and not\nif NO_COLOR is set; a long operation "
            "shows its progress on standard error if that\nis a terminal.",
        .status = "0 fine, 1 bad input or output, 2 wrong usage.",
        .see = "vole(1), go(1)",
        .cmds = cmds,
        .ncmds = NCOMMANDS};
    int i;

    for (i = 0; i < NCOMMANDS; i++) {
        const struct tool_cmd *c = commands[i];

        cmds[i] = (struct doc_cmd){c->name, c->brief, c->usage, c->text,
            c->example, c->flags};
    }
    return doc_write(&t->out, &p, word);
}

static int
help(struct tool *t, int argc, char **argv)
{
    const struct tool_cmd *c;

    if (argc == 0)
        return help_all(t);
    if (document(t, argv[0]))
        return TOOL_OK;
    c = find(argv[0]);
    if (c == NULL)
        return tool_usage(t, "unknown command \"%s\"", argv[0]);
    return help_one(t, c);
}

static bool
is_help(const char *s)
{
    return strcmp(s, "help") == 0 || strcmp(s, "-h") == 0 ||
        strcmp(s, "-help") == 0 || strcmp(s, "--help") == 0;
}

static bool
is_version(const char *s)
{
    return strcmp(s, "version") == 0 || strcmp(s, "-version") == 0 ||
        strcmp(s, "--version") == 0;
}

static int
version(struct tool *t, int argc, char **argv)
{
    if (argc > 0)
        return tool_usage(t, "version takes no arguments: \"%s\"", argv[0]);
    out_printf(&t->out, "vole-trace version %s (traces of Go 1.5 to 1.26 and "
        "of vole)\n", TOOL_VERSION);
    return TOOL_OK;
}

static int
run(struct tool *t, int argc, char **argv)
{
    const struct tool_cmd *c;
    int i;

    if (argc < 2)
        return tool_usage(t, "no command given");
    if (is_help(argv[1]))
        return help(t, argc - 2, argv + 2);
    if (is_version(argv[1]))
        return version(t, argc - 2, argv + 2);
    c = find(argv[1]);
    if (c == NULL)
        return tool_usage(t, "unknown command \"%s\"", argv[1]);
    for (i = 2; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (argv[i][0] == '-' && is_help(argv[i]))
            return help_one(t, c);
    }
    t->cmd = c->name;
    return c->run(t, argc - 2, argv + 2);
}

/* Trace files are mapped.  Nothing that was printed is complete, so there is
 * nothing to save; the half of an output file goes away. */
static void
on_bus_error(int sig)
{
    static const char text[] = "\n" TOOL_NAME ": the trace file has become "
        "shorter, or its disk has failed, while it was read\n";
    ssize_t n = write(STDERR_FILENO, text + !isatty(STDERR_FILENO),
        sizeof text - 1 - !isatty(STDERR_FILENO));

    (void)sig;
    (void)n;
    outfile_abandon();
    _exit(TOOL_BAD);
}

int
main(int argc, char **argv)
{
    const struct sigaction bus = {.sa_handler = on_bus_error};
    struct tool t = {0};
    int st, out;

    if (!fds_init())
        return TOOL_BAD;
    out_init(&t.out);
    sigaction(SIGBUS, &bus, NULL);
    t.watched = isatty(2) != 0;
    st = run(&t, argc, argv);
    out = out_finish(&t.out, TOOL_NAME);
    return st != TOOL_OK ? st : out;
}
