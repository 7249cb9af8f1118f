/* SPDX-License-Identifier: MIT */
#ifndef CMD_VOLE_TRACE_TOOL_H
#define CMD_VOLE_TRACE_TOOL_H

/* What the subcommands share.  Exit status: 0 fine, 1 bad input or output,
 * 2 wrong usage. */

#include "cmd/common/args.h"
#include "cmd/common/out.h"
#include "cmd/vole-trace/outfile.h"
#include "trace/analyze/analyze.h"
#include "trace/read/validate.h"

enum { TOOL_OK = 0, TOOL_BAD = 1, TOOL_USAGE = 2 };

#define TOOL_NAME "vole-trace"

struct tool {
    struct out out;
    const char *cmd;  /* the subcommand */
    const char *path; /* file as given; "-" is standard input */
    uint64_t warnings;
    bool watched;     /* standard error is a terminal: show progress */
    int64_t begun, drawn; /* milliseconds; of the progress bar */
    bool indexed;     /* the index is made */
};

struct tool_cmd {
    const char *name;
    const char *brief;   /* one line for the list of commands */
    const char *usage;   /* after "vole-trace name " */
    const char *text;    /* paragraphs of help */
    const char *example; /* one or more lines */
    int (*run)(struct tool *t, int argc, char **argv);
    const struct arg_flag *flags;
};

extern const struct tool_cmd tool_block, tool_convert, tool_cut, tool_diff,
    tool_events, tool_export, tool_gc, tool_goroutine_cmd, tool_goroutines,
    tool_html, tool_net, tool_procs, tool_regions, tool_sched, tool_stats,
    tool_summary, tool_syscall, tool_tasks, tool_timeline, tool_validate;

/* Parses the flags of t->cmd into *opts and the one file name before or
 * after them.  TOOL_OK, or the exit status after a message. */
int tool_parse(struct tool *t, int argc, char **argv,
    const struct arg_flag *flags, void *opts);

/* The same for up to n words; those that are missing are NULL. */
int tool_words(struct tool *t, int argc, char **argv,
    const struct arg_flag *flags, void *opts, const char **words, int n);

/* "vole-trace: ..." on standard error; returns TOOL_USAGE. */
int tool_usage(const struct tool *t, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* "vole-trace: file: text (at byte N)"; returns TOOL_BAD. */
int tool_error(const struct tool *t, const struct rt_err *e);

/* Opens the file; problems that are warnings go to standard error.  TOOL_OK
 * or the exit status after a message. */
int tool_open(struct tool *t, struct trace_file **f);

/* One pass over an open file with others looking (trace/analyze/analyze.h).
 * TOOL_OK or the exit status after a message; the file stays open. */
int tool_pass(struct tool *t, struct trace_file *f, uint64_t top,
    const struct trace_sink *sinks, unsigned nsinks, struct trace_summary **s);

/* The same with all that a pass can be told, but its progress. */
int tool_sum_up(struct tool *t, struct trace_file *f,
    const struct trace_pass *how, struct trace_summary **s);

/* The same, brief, for one who needs only names of goroutines of *s. */
int tool_listen(struct tool *t, struct trace_file *f,
    const struct trace_sink *sink, struct trace_summary **s);

/* Columns that a text without control characters takes, about. */
int tool_columns(const char *s);

/* Prints words from column `at` on; one that would leave the line begins the
 * next at column `rest`.  Returns the column behind them. */
int tool_flow(struct out *o, int at, int rest, const char *text);

/* Prints "in" and a function's name behind column `at`, or where that would
 * leave the line, at column `rest` of the next. */
void tool_in(struct out *o, int at, int rest, const char *func);

/* Draws how far a long operation is, at most ten times a second and not in
 * its first second; arg is the struct tool.  The other wipes it out. */
void tool_progress(void *arg, uint64_t done, uint64_t total);
void tool_progress_end(struct tool *t);

/* The command prints while it reads: no bar between its lines if they go to a
 * terminal. */
void tool_streams(struct tool *t);

/* Opens what a command writes besides text: the file path, or standard output
 * where that is NULL or "-".  Else than TOOL_OK after a message. */
int tool_create(struct tool *t, struct outfile *o, const char *path);

/* Ends it.  rc is what came of the work: TOOL_OK also when only the output
 * has failed, which is told here, or of standard output by out_finish(). */
int tool_end_output(struct tool *t, struct outfile *o, int rc);

/* "out of memory"; returns TOOL_BAD. */
int tool_nomem(const struct tool *t);

/* Whether the trace has the goroutine g (UINT64_MAX: any) and one that was
 * started with func (NULL: any).  TOOL_OK, or TOOL_BAD after a message. */
int tool_check_goroutine(const struct tool *t, const struct trace_summary *s,
    uint64_t g, const char *func);

/* Opens and analyses it. */
int tool_analyze(struct tool *t, uint64_t top, struct trace_file **f,
    struct trace_summary **s);

/* ---- texts; each returns the buffer that it has written into */

enum { TOOL_TEXT = 160 };

/* A name from the file, safe to print. */
char *tool_func(char *buf, struct trace_text t);

/* Prints a stack, indented, one frame per line: function, file:line. */
void tool_stack(struct tool *t, const struct trace_file *f, uint64_t stk,
    int indent, uint32_t max);

/* The stack as a JSON array. */
void tool_json_stack(struct tool *t, const struct trace_file *f,
    uint64_t stk);

/* One goroutine as a JSON object, and all figures about it (opens the file,
 * which has been parsed). */
void tool_json_goroutine(struct tool *t, const struct trace_summary *s,
    const struct trace_goroutine *g);
int tool_goroutine_life(struct tool *t, uint64_t id, bool json);

/* The name of a goroutine's function in buf (TOOL_TEXT bytes). */
char *tool_goroutine(char *buf, const struct trace_summary *s, uint64_t id);

#endif
