/* SPDX-License-Identifier: MIT */
/* goroutine: the life of one, line by line. */
#include <stdlib.h>
#include <string.h>

#include "cmd/vole-trace/tool.h"

struct opts {
    bool json, stacks;
    uint64_t n;
    int64_t from, to;
};

typedef unsigned long long ull;

static const struct arg_flag flags[] = {
    {"from", ARG_DUR, offsetof(struct opts, from), "T",
        "what happened from T on, such as 1.5ms after the first event"},
    {"to", ARG_DUR, offsetof(struct opts, to), "T", "what happened up to T"},
    {"n", ARG_U64, offsetof(struct opts, n), "N",
        "at most N lines (default 1000)"},
    {"stacks", ARG_BOOL, offsetof(struct opts, stacks), NULL,
        "print the stack of each stop"},
    {"json", ARG_BOOL, offsetof(struct opts, json), NULL,
        "print one JSON object"},
    {0},
};

/* ---- the figures */

static void
print_head(struct tool *t, const struct trace_summary *s,
    const struct trace_goroutine *g)
{
    char a[OUT_NUM], b[OUT_NUM], name[TOOL_TEXT];
    struct out *o = &t->out;

    out_printf(o, "%sgoroutine %llu%s  %s\n", out_style(o, OUT_BOLD),
        (ull)g->id, out_style(o, OUT_PLAIN),
        tool_func(name, trace_goroutine_name(s, g)));
    if (g->created >= 0)
        out_printf(o, "  created   %s by goroutine %llu (%s)\n",
            out_duration(o, a, g->created), (ull)g->parent,
            g->parent == 0 ? "scheduler" : tool_goroutine(name, s,
                g->parent));
    else
        out_printf(o, "  created   before the trace\n");
    if (g->ended >= 0)
        out_printf(o, "  ended     %s\n", out_duration(o, a, g->ended));
    else
        out_printf(o, "  at the end of the trace: %s\n",
            trace_gst_name(g->state));
    out_printf(o, "  ran       %s times, blocked %s times\n\n",
        out_count(a, g->runs), out_count(b, g->blocks));
}

static void
print_times(struct tool *t, const struct trace_goroutine *g)
{
    struct out *o = &t->out;
    struct out_table tab;
    int64_t whole = 0;
    int i;

    for (i = TRACE_ST_RUNNING; i < TRACE_ST_COUNT; i++)
        whole += g->time[i];
    out_table_init(&tab, "lrrB");
    out_table_row(&tab, (const char *const[]){"", "time", "share", ""});
    for (i = TRACE_ST_RUNNING; i < TRACE_ST_COUNT; i++) {
        char a[OUT_NUM], b[OUT_NUM], bar[3 * 24 + 4];

        if (g->time[i] == 0)
            continue;
        out_table_row(&tab, (const char *const[]){trace_gst_name(i),
            out_duration(o, a, g->time[i]),
            out_share(b, (double)g->time[i], (double)whole),
            out_bar(o, bar, (double)g->time[i] / (double)whole, 24)});
    }
    out_table_print(o, &tab, 2);
}

static int
no_goroutine(struct tool *t, uint64_t id)
{
    struct rt_err e;

    rt_errf(&e, RT_EFORMAT, UINT64_MAX, "no goroutine %llu", (ull)id);
    return tool_error(t, &e);
}

int
tool_goroutine_life(struct tool *t, uint64_t id, bool json)
{
    const struct trace_goroutine *g;
    struct trace_summary *s;
    struct trace_file *f;
    int st = tool_analyze(t, 0, &f, &s);

    if (st != TOOL_OK)
        return st;
    g = trace_find_goroutine(s, id);
    if (g == NULL) {
        st = no_goroutine(t, id);
    } else if (json) {
        out_printf(&t->out, "[\n ");
        tool_json_goroutine(t, s, g);
        out_printf(&t->out, "\n]\n");
    } else {
        print_head(t, s, g);
        print_times(t, g);
        if (g->ended < 0 && trace_file_has_stack(s->f, g->stack)) {
            out_printf(&t->out, "\n%slast seen at%s\n",
                out_style(&t->out, OUT_BOLD), out_style(&t->out, OUT_PLAIN));
            tool_stack(t, s->f, g->stack, 2, TRACE_MAX_FRAMES);
        }
    }
    trace_summary_free(s);
    trace_file_close(f);
    return st;
}

/* ---- line by line */

struct life {
    struct tool *t;
    const struct opts *opt;
    uint64_t id, lines, left_out;
    /* What it did while it ran, until the line that says that it ran, which
     * comes before, can be printed. */
    struct tool did;
    char *text;
    size_t len;
};

static bool
begin_life(struct life *l)
{
    l->did = *l->t;
    l->did.out.f = open_memstream(&l->text, &l->len);
    return l->did.out.f != NULL;
}

/* Prints what it did. */
static void
print_pending(struct life *l)
{
    fflush(l->did.out.f);
    fwrite(l->text, 1, l->len, l->t->out.f);
    rewind(l->did.out.f);
    l->t->out.nomem |= l->did.out.nomem;
}

static void
end_life(struct life *l)
{
    fclose(l->did.out.f);
    free(l->text);
}

enum {
    TEXT_AT = 26, /* column of a line's text */
    REST_AT = 28  /* of what did not fit behind it */
};

/* Prints a text and the function of a stack, from column `at` on. */
static void
print_rest(struct life *l, struct out *o, int at, const char *text,
    const struct trace_file *f, uint64_t stk)
{
    struct trace_rframe fr;
    char func[TOOL_TEXT];

    at = tool_flow(o, at, REST_AT, text);
    if (!l->opt->stacks && stk != 0 && trace_file_stack(f, stk, &fr, 1) > 0)
        tool_in(o, at, REST_AT, tool_func(func, fr.func));
    out_printf(o, "\n");
}

/* Whether there is a line to be printed now, and begins it: when, how long. */
static bool
begin_line(struct life *l, struct out *o, int64_t at, int64_t ns)
{
    char a[OUT_NUM];

    if (l->opt->json || at > l->opt->to || (ns < 0 ? at : at + ns) <
        l->opt->from)
        return false;
    if (l->lines >= l->opt->n) {
        l->left_out++;
        return false;
    }
    l->lines++;
    out_printf(o, "%14.3f  ", (double)at / 1e3);
    out_cell(o, ns < 0 ? "" : out_duration(o, a, ns), 8);
    out_printf(o, "  ");
    return true;
}

static enum out_style
style_of(unsigned state)
{
    return state == TRACE_ST_RUNNING ? OUT_GREEN
        : state == TRACE_ST_RUNNABLE ? OUT_YELLOW : OUT_CYAN;
}

/* What else there is to say of a span. */
static void
tell_span(char *text, size_t size, const struct trace_summary *s,
    const struct trace_span *sp)
{
    char name[TOOL_TEXT], label[TOOL_TEXT];
    const char *open = sp->open ? ", until the end of the trace" : "";

    text[0] = '\0';
    if (sp->state == TRACE_ST_RUNNING)
        snprintf(text, size, " on P%lld%s%s%s%s", (long long)sp->p,
            sp->label != 0 ? ", " : "", sp->label != 0 ?
            tool_func(label, trace_file_string(s->f, sp->label)) : "",
            sp->end == TRACE_EV_GO_PREEMPT ? ", preempted" :
            sp->end == TRACE_EV_GO_SCHED ? ", yielded" :
            sp->end == TRACE_EV_GO_END ? ", returned" : "", open);
    else if (sp->by != 0)
        snprintf(text, size, ", until goroutine %llu (%s) woke it%s",
            (ull)sp->by, tool_goroutine(name, s, sp->by), open);
    else
        snprintf(text, size, "%s", open);
}

static bool
life_span(void *arg, const struct trace_summary *s,
    const struct trace_goroutine *g, const struct trace_span *sp)
{
    struct life *l = arg;
    struct out *o = &l->t->out;
    char text[2 * TOOL_TEXT];

    if (g->id != l->id)
        return true;
    if (!begin_line(l, o, sp->from, sp->to - sp->from)) {
        print_pending(l);
        return true;
    }
    out_printf(o, "%s%s%s", out_style(o, style_of(sp->state)),
        trace_gst_name(sp->state), out_style(o, OUT_PLAIN));
    tell_span(text, sizeof text, s, sp);
    print_rest(l, o, TEXT_AT + tool_columns(trace_gst_name(sp->state)), text,
        s->f, sp->state != TRACE_ST_RUNNABLE ? sp->stack : 0);
    if (l->opt->stacks && sp->state != TRACE_ST_RUNNABLE)
        tool_stack(l->t, s->f, sp->stack, 28, TRACE_MAX_FRAMES);
    print_pending(l);
    return true;
}

static void
tell_event(char *text, size_t size, const struct trace_summary *s,
    const struct trace_event *e)
{
    char a[TOOL_TEXT], b[TOOL_TEXT];

    switch (e->type) {
    case TRACE_EV_GO_CREATE:
        snprintf(text, size, "created goroutine %llu (%s)", (ull)e->args[0],
            tool_goroutine(a, s, e->args[0]));
        break;
    case TRACE_EV_GO_UNBLOCK:
    case TRACE_EV_GO_UNBLOCK_LOCAL:
        snprintf(text, size, "woke goroutine %llu (%s)", (ull)e->args[0],
            tool_goroutine(a, s, e->args[0]));
        break;
    case TRACE_EV_GO_SYS_CALL:
        snprintf(text, size, "entered a system call");
        break;
    case TRACE_EV_MARK_ASSIST_START:
        snprintf(text, size, "began to assist the collector");
        break;
    case TRACE_EV_MARK_ASSIST_DONE:
        snprintf(text, size, "ended its assist");
        break;
    case TRACE_EV_USER_TASK_CREATE:
        snprintf(text, size, "began task %llu \"%s\"", (ull)e->args[0],
            tool_func(a, trace_file_string(s->f, e->args[2])));
        break;
    case TRACE_EV_USER_TASK_END:
        snprintf(text, size, "ended task %llu", (ull)e->args[0]);
        break;
    case TRACE_EV_USER_REGION:
        snprintf(text, size, "%s region \"%s\"", e->args[1] == 0 ? "began"
            : "ended", tool_func(a, trace_file_string(s->f, e->args[2])));
        break;
    default:
        snprintf(text, size, "logged %s: %s",
            tool_func(a, trace_file_string(s->f, e->args[1])),
            out_clean(b, sizeof b, e->msg, e->msg_len));
        break;
    }
}

static bool
life_event(void *arg, const struct trace_summary *s,
    const struct trace_event *e)
{
    struct life *l = arg;
    char text[2 * TOOL_TEXT];

    if (e->g != l->id)
        return true;
    switch (e->type) {
    case TRACE_EV_GO_CREATE:
    case TRACE_EV_GO_UNBLOCK:
    case TRACE_EV_GO_UNBLOCK_LOCAL:
    case TRACE_EV_GO_SYS_CALL:
    case TRACE_EV_MARK_ASSIST_START:
    case TRACE_EV_MARK_ASSIST_DONE:
    case TRACE_EV_USER_TASK_CREATE:
    case TRACE_EV_USER_TASK_END:
    case TRACE_EV_USER_REGION:
    case TRACE_EV_USER_LOG:
        if (!begin_line(l, &l->did.out, e->ns, -1))
            return true;
        tell_event(text, sizeof text, s, e);
        print_rest(l, &l->did.out, TEXT_AT, text, s->f, e->stk);
        if (l->opt->stacks)
            tool_stack(&l->did, s->f, e->stk, 28, TRACE_MAX_FRAMES);
        return true;
    default:
        return true;
    }
}

/* ---- as JSON: a list of spans */

static bool
json_span(void *arg, const struct trace_summary *s,
    const struct trace_goroutine *g, const struct trace_span *sp)
{
    struct life *l = arg;
    struct out *o = &l->t->out;

    if (g->id != l->id || sp->to < l->opt->from || sp->from > l->opt->to)
        return true;
    out_printf(o, "%s\n  {\"from_ns\":%lld,\"to_ns\":%lld,\"state\":\"%s\"",
        l->lines++ > 0 ? "," : "", (long long)sp->from, (long long)sp->to,
        trace_gst_key(sp->state));
    if (sp->state == TRACE_ST_RUNNING)
        out_printf(o, ",\"p\":%lld", (long long)sp->p);
    if (sp->by != 0)
        out_printf(o, ",\"woken_by\":%llu", (ull)sp->by);
    if (sp->open)
        out_printf(o, ",\"open\":true");
    if (sp->stack != 0 && sp->state != TRACE_ST_RUNNABLE) {
        out_printf(o, ",\"stack\":");
        tool_json_stack(l->t, s->f, sp->stack);
    }
    out_printf(o, "}");
    return true;
}

static int
lines(struct tool *t, const struct opts *opt, uint64_t id,
    struct trace_file *f)
{
    struct life l = {.t = t, .opt = opt, .id = id};
    const struct trace_sink sink = {.arg = &l,
        .event = opt->json ? NULL : life_event,
        .span = opt->json ? json_span : life_span};
    const struct trace_goroutine *g;
    struct trace_summary *s;
    char a[OUT_NUM];
    int st;

    if (!begin_life(&l))
        return tool_nomem(t);
    tool_streams(t);
    if (opt->json)
        out_printf(&t->out, "{\"spans\":[");
    else
        out_printf(&t->out, "%s       time/us  duration%s\n",
            out_style(&t->out, OUT_DIM), out_style(&t->out, OUT_PLAIN));
    st = tool_pass(t, f, 0, &sink, 1, &s);
    end_life(&l);
    if (st != TOOL_OK)
        return st;
    g = trace_find_goroutine(s, id);
    if (opt->json) {
        out_printf(&t->out, "\n],\"goroutine\":");
        tool_json_goroutine(t, s, g);
        out_printf(&t->out, "}\n");
    } else {
        if (l.left_out > 0)
            out_printf(&t->out, "... %s more (-n)\n",
                out_count(a, l.left_out));
        out_printf(&t->out, "\n");
        print_head(t, s, g);
        print_times(t, g);
    }
    trace_summary_free(s);
    return TOOL_OK;
}

/* Whether the file tells of the goroutine: a pass without looking. */
static int
exists(struct tool *t, struct trace_file *f, uint64_t id)
{
    struct trace_summary *s;
    bool found;
    int st = tool_pass(t, f, 0, NULL, 0, &s);

    if (st != TOOL_OK)
        return st;
    found = trace_find_goroutine(s, id) != NULL;
    trace_summary_free(s);
    return found ? TOOL_OK : no_goroutine(t, id);
}

static int
run(struct tool *t, int argc, char **argv)
{
    struct opts opt = {.n = 1000, .to = INT64_MAX};
    struct trace_file *f;
    const char *words[2];
    uint64_t id = 0;
    int st = tool_words(t, argc, argv, flags, &opt, words, 2);

    if (st != TOOL_OK)
        return st;
    if (words[0] == NULL || !args_number(words[0], &id))
        return tool_usage(t, words[0] == NULL ? "no goroutine given"
            : "\"%s\" is no number of a goroutine", words[0]);
    if (words[1] == NULL)
        return tool_usage(t, "no trace file given");
    if (opt.from > opt.to)
        return tool_usage(t, "-from is later than -to");
    t->path = words[1];
    st = tool_open(t, &f);
    if (st != TOOL_OK)
        return st;
    st = exists(t, f, id);
    if (st == TOOL_OK)
        st = lines(t, &opt, id, f);
    trace_file_close(f);
    return st;
}

const struct tool_cmd tool_goroutine_cmd = {
    .name = "goroutine",
    .brief = "the life of one goroutine, line by line",
    .usage = "[flags] id file",
    .text =
        "Prints what a goroutine did, in order: microseconds since the first "
        "event, how\nlong, and what: where it ran, what it waited for and "
        "who woke it, whom it woke\nand created, its tasks, regions and log "
        "messages; then its times by state.",
    .example =
        "  vole-trace goroutine 17 out.trace\n"
        "  vole-trace goroutine -from 1ms -to 2ms -stacks 17 out.trace\n",
    .run = run,
    .flags = flags,
};
