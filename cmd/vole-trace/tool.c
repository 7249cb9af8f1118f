/* SPDX-License-Identifier: MIT */
#include "cmd/vole-trace/tool.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

int
tool_usage(const struct tool *t, const char *fmt, ...)
{
    char text[512];
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    if (t->cmd != NULL)
        out_tell(TOOL_NAME, "%s: %s (%s help %s)", t->cmd, text, TOOL_NAME,
            t->cmd);
    else
        out_tell(TOOL_NAME, "%s (%s help)", text, TOOL_NAME);
    return TOOL_USAGE;
}

static const char *
shown_path(const struct tool *t)
{
    return strcmp(t->path, "-") == 0 ? "standard input" : t->path;
}

int
tool_error(const struct tool *t, const struct rt_err *e)
{
    if (e->code == RT_EIO)
        out_tell(TOOL_NAME, "%s", e->text);
    else if (e->where == UINT64_MAX)
        out_tell(TOOL_NAME, "%s: %s", shown_path(t), e->text);
    else
        out_tell(TOOL_NAME, "%s: %s (at byte %llu)", shown_path(t), e->text,
            (unsigned long long)e->where);
    return TOOL_BAD;
}

int
tool_words(struct tool *t, int argc, char **argv,
    const struct arg_flag *flags, void *opts, const char **words, int n)
{
    bool ended = false;
    char err[256];
    int at = 0, k = 0;

    for (k = 0; k < n; k++)
        words[k] = NULL;
    /* Flags may stand before, between and after the words. */
    for (k = 0;; k++) {
        if (!ended && !args_parse_to(argc, argv, &at, flags, opts, &ended,
                err, sizeof err))
            return tool_usage(t, "%s", err);
        if (at == argc)
            return TOOL_OK;
        if (k == n)
            return tool_usage(t, n == 1 ? "one trace file at a time: \"%s\" "
                "is too much" : "\"%s\" is too much", argv[at]);
        words[k] = argv[at++];
    }
}

int
tool_parse(struct tool *t, int argc, char **argv,
    const struct arg_flag *flags, void *opts)
{
    int st = tool_words(t, argc, argv, flags, opts, &t->path, 1);

    if (st == TOOL_OK && t->path == NULL)
        st = tool_usage(t, "no trace file given");
    return st;
}

/* The first few warnings; errors come back as the error of the call. */
static void
warn(void *arg, const struct trace_problem *p)
{
    enum { MANY = 5 };
    struct tool *t = arg;

    if (p->severity == TRACE_ERROR && strcmp(p->rule, "order") != 0 &&
        strcmp(p->rule, "time") != 0)
        return;
    if (++t->warnings <= MANY)
        out_tell(TOOL_NAME, "warning: %s: %s (at byte %llu)", shown_path(t),
            p->text, (unsigned long long)p->off);
    if (t->warnings == MANY + 1)
        out_tell(TOOL_NAME, "warning: %s: there is more: %s validate",
            shown_path(t), TOOL_NAME);
}

int
tool_open(struct tool *t, struct trace_file **f)
{
    struct trace_open opt = {.problem = warn, .arg = t,
        .progress = tool_progress};
    enum rt_status st;
    struct rt_err e;

    st = trace_file_open(f, t->path, &opt, &e);
    tool_progress_end(t);
    return st == RT_OK ? TOOL_OK : tool_error(t, &e);
}

/* ---- analysis, with a progress bar where it takes long */

static int64_t
clock_ms(void)
{
    struct timespec ts;

    clock_gettime(CLOCK_MONOTONIC, &ts);
    return ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

void
tool_progress(void *arg, uint64_t done, uint64_t total)
{
    enum { WIDTH = 30, AFTER = 1000, EVERY = 100 };
    struct tool *t = arg;
    int64_t now;
    char bar[WIDTH * 3 + 1];
    struct out o = t->out;
    double share;

    if (!t->watched || total == 0)
        return;
    now = clock_ms();
    if (t->begun == 0)
        t->begun = now;
    if (now - t->begun < AFTER || now - t->drawn < EVERY)
        return;
    t->drawn = now;
    share = (double)done / (double)total;
    out_bar(&o, bar, share, WIDTH);
    fprintf(stderr, "\r\033[K%s: %s %3.0f %% %s", TOOL_NAME,
        t->indexed ? "reading" : "indexing", share * 100, bar);
    fflush(stderr);
}

void
tool_progress_end(struct tool *t)
{
    if (t->drawn != 0)
        fputs("\r\033[K", stderr);
    t->drawn = 0;
    t->indexed = true;
}

void
tool_streams(struct tool *t)
{
    if (isatty(STDOUT_FILENO))
        t->watched = false;
}

static int
pass(struct tool *t, struct trace_file *f, struct trace_pass *how,
    struct trace_summary **s)
{
    enum rt_status st;
    struct rt_err e;

    how->progress = tool_progress;
    how->progress_arg = t;
    st = trace_analyze_with(f, how, s, &e);
    tool_progress_end(t);
    return st == RT_OK ? TOOL_OK : tool_error(t, &e);
}

int
tool_sum_up(struct tool *t, struct trace_file *f,
    const struct trace_pass *how, struct trace_summary **s)
{
    struct trace_pass own = *how;

    return pass(t, f, &own, s);
}

int
tool_pass(struct tool *t, struct trace_file *f, uint64_t top,
    const struct trace_sink *sinks, unsigned nsinks, struct trace_summary **s)
{
    struct trace_pass how = {.top = top, .sinks = sinks, .nsinks = nsinks};

    return pass(t, f, &how, s);
}

int
tool_listen(struct tool *t, struct trace_file *f,
    const struct trace_sink *sink, struct trace_summary **s)
{
    struct trace_pass how = {.brief = true, .sinks = sink, .nsinks = 1};

    return pass(t, f, &how, s);
}

int
tool_analyze(struct tool *t, uint64_t top, struct trace_file **f,
    struct trace_summary **s)
{
    int st = tool_open(t, f);

    if (st != TOOL_OK)
        return st;
    st = tool_pass(t, *f, top, NULL, 0, s);
    if (st != TOOL_OK)
        trace_file_close(*f);
    return st;
}

static int
no_such(const struct tool *t, const char *fmt, ...)
{
    struct rt_err e = {.code = RT_EFORMAT, .where = UINT64_MAX};
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(e.text, sizeof e.text, fmt, ap);
    va_end(ap);
    return tool_error(t, &e);
}

int
tool_check_goroutine(const struct tool *t, const struct trace_summary *s,
    uint64_t g, const char *func)
{
    size_t len = func == NULL ? 0 : strlen(func);
    uint64_t i;

    if (g != UINT64_MAX && trace_find_goroutine(s, g) == NULL)
        return no_such(t, "there is no goroutine %llu",
            (unsigned long long)g);
    if (func == NULL)
        return TOOL_OK;
    for (i = 0; i < s->ngs; i++) {
        struct trace_text name = trace_goroutine_name(s, &s->gs[i]);

        if (name.len == len && memcmp(name.s, func, len) == 0)
            return TOOL_OK;
    }
    return no_such(t, "no goroutine was started with %s", func);
}

static int
output_error(const char *path)
{
    out_tell(TOOL_NAME, "%s: %s", path, strerror(errno));
    return TOOL_BAD;
}

int
tool_create(struct tool *t, struct outfile *o, const char *path)
{
    *o = (struct outfile){.f = t->out.f};
    if (path == NULL || strcmp(path, "-") == 0)
        return TOOL_OK;
    return outfile_open(o, path) ? TOOL_OK : output_error(path);
}

int
tool_end_output(struct tool *t, struct outfile *o, int rc)
{
    const char *path = o->path;

    if (path == NULL) {
        t->out.err = o->err;
        return rc;
    }
    return outfile_close(o, rc == TOOL_OK) ? rc : output_error(path);
}

int
tool_nomem(const struct tool *t)
{
    struct rt_err e;

    rt_errf(&e, RT_ENOMEM, UINT64_MAX, "out of memory");
    return tool_error(t, &e);
}

char *
tool_func(char *buf, struct trace_text t)
{
    return out_clean(buf, TOOL_TEXT, t.s, t.len);
}

/* The last part of a path. */
static struct trace_text
base_of(struct trace_text t)
{
    uint32_t i = t.len;

    while (i > 0 && t.s[i - 1] != '/')
        i--;
    t.s += i;
    t.len -= i;
    return t;
}

static struct trace_rframe *
frames_of(struct tool *t, const struct trace_file *f, uint64_t stk,
    uint32_t *n)
{
    struct trace_rframe one, *fr;

    *n = trace_file_stack(f, stk, &one, 1);
    fr = *n == 0 ? NULL : malloc(*n * sizeof *fr);
    t->out.nomem |= fr == NULL && *n != 0;
    if (fr != NULL)
        trace_file_stack(f, stk, fr, *n);
    return fr;
}

int
tool_columns(const char *s)
{
    int n = 0;

    for (; *s != '\0'; s++)
        n += ((unsigned char)*s & 0xc0) != 0x80;
    return n;
}

/* Where a word of so many columns begins a line that should begin at rest. */
static int
line_start(const struct out *o, int rest, int columns)
{
    return rest + columns <= o->width ? rest :
        columns < o->width ? o->width - columns : 0;
}

int
tool_flow(struct out *o, int at, int rest, const char *text)
{
    char word[TOOL_TEXT];

    while (*text != '\0') {
        size_t gap = strspn(text, " "), n = strcspn(text + gap, " ");
        int columns;

        if (n > sizeof word - 1)
            n = sizeof word - 1;
        snprintf(word, sizeof word, "%.*s", (int)n, text + gap);
        columns = tool_columns(word);
        if (at > rest && at + (int)gap + columns > o->width) {
            at = line_start(o, rest, columns);
            out_printf(o, "\n%*s%s", at, "", word);
            at += columns;
        } else {
            out_printf(o, "%*s%s", (int)gap, "", word);
            at += (int)gap + columns;
        }
        text += gap + n;
    }
    return at;
}

void
tool_in(struct out *o, int at, int rest, const char *func)
{
    int columns = 3 + tool_columns(func);

    if (at + 2 + columns > o->width)
        out_printf(o, "\n%*s", line_start(o, rest, columns), "");
    else
        out_printf(o, "  ");
    out_printf(o, "%sin %s%s", out_style(o, OUT_DIM), func,
        out_style(o, OUT_PLAIN));
}

/* A frame's place behind its function, or below it where the line ends. */
static void
print_place(struct out *o, int indent, int columns, const char *file,
    uint64_t line)
{
    char place[TOOL_TEXT + OUT_NUM];

    snprintf(place, sizeof place, "%s:%llu", file, (unsigned long long)line);
    if (indent + columns + 2 + tool_columns(place) > o->width)
        out_printf(o, "\n%*s", indent + 2, "");
    else
        out_printf(o, "  ");
    out_printf(o, "%s%s%s", out_style(o, OUT_DIM), place,
        out_style(o, OUT_PLAIN));
}

void
tool_stack(struct tool *t, const struct trace_file *f, uint64_t stk,
    int indent, uint32_t max)
{
    enum { FILE_WIDTH = 22 }; /* of most names with a line number */
    char func[TOOL_TEXT], file[TOOL_TEXT];
    struct trace_rframe *fr;
    uint32_t i, n, shown;
    int width = 0, most;

    fr = frames_of(t, f, stk, &n);
    if (fr == NULL)
        return;
    shown = n <= max ? n : max - 1;
    for (i = 0; i < shown; i++) {
        int w = (int)strlen(tool_func(func, fr[i].func));

        if (w > width)
            width = w;
    }
    most = t->out.width - indent - FILE_WIDTH;
    if (width > most)
        width = most > 24 ? most : 24;
    for (i = 0; i < shown; i++) {
        if (fr[i].func.len == 0)
            snprintf(func, sizeof func, "0x%llx",
                (unsigned long long)fr[i].pc);
        else
            tool_func(func, fr[i].func);
        tool_func(file, base_of(fr[i].file));
        out_printf(&t->out, "%*s%s%-*s%s", indent, "",
            out_style(&t->out, OUT_CYAN), *file != '\0' ? width : 0, func,
            out_style(&t->out, OUT_PLAIN));
        if (*file != '\0')
            print_place(&t->out, indent, tool_columns(func) > width ?
                tool_columns(func) : width, file, fr[i].line);
        out_printf(&t->out, "\n");
    }
    if (shown < n)
        out_printf(&t->out, "%*s%s... %u more%s\n", indent, "",
            out_style(&t->out, OUT_DIM), n - shown,
            out_style(&t->out, OUT_PLAIN));
    free(fr);
}

void
tool_json_stack(struct tool *t, const struct trace_file *f, uint64_t stk)
{
    struct out *o = &t->out;
    struct trace_rframe *fr;
    uint32_t i, n;

    fr = frames_of(t, f, stk, &n);
    out_printf(o, "[");
    for (i = 0; fr != NULL && i < n; i++) {
        out_printf(o, "%s{\"func\":", i > 0 ? "," : "");
        out_json_string(o, fr[i].func.s, fr[i].func.len);
        out_printf(o, ",\"file\":");
        out_json_string(o, fr[i].file.s, fr[i].file.len);
        out_printf(o, ",\"line\":%llu,\"pc\":%llu}",
            (unsigned long long)fr[i].line, (unsigned long long)fr[i].pc);
    }
    out_printf(o, "]");
    free(fr);
}

char *
tool_goroutine(char *buf, const struct trace_summary *s, uint64_t id)
{
    const struct trace_goroutine *g = trace_find_goroutine(s, id);
    struct trace_text none = {"?", 1};

    return tool_func(buf, g == NULL ? none : trace_goroutine_name(s, g));
}
