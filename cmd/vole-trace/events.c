/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "cmd/vole-trace/tool.h"

#define NONE UINT64_MAX

/* Where an event's name begins, and the width of a file's offset before it. */
enum { NAME_AT = 30, OFFSET_WIDTH = 10 };

struct opts {
    bool json, stacks, offsets;
    uint64_t g, n;
    const char *p, *kind;
    int64_t from, to;
};

typedef unsigned long long ull;

static const struct arg_flag flags[] = {
    {"g", ARG_U64, offsetof(struct opts, g), "ID",
        "events of or about goroutine ID"},
    {"p", ARG_STR, offsetof(struct opts, p), "N",
        "events on processor N (-1: without a processor)"},
    {"kind", ARG_STR, offsetof(struct opts, kind), "LIST",
        "kinds, separated by commas; GoBlock* is a pattern"},
    {"from", ARG_DUR, offsetof(struct opts, from), "T",
        "events from T on, such as 1.5ms after the first event"},
    {"to", ARG_DUR, offsetof(struct opts, to), "T", "events up to T"},
    {"n", ARG_U64, offsetof(struct opts, n), "N", "at most N events"},
    {"stacks", ARG_BOOL, offsetof(struct opts, stacks), NULL,
        "print the stack of each event"},
    {"offsets", ARG_BOOL, offsetof(struct opts, offsets), NULL,
        "print the byte offset of each event"},
    {"json", ARG_BOOL, offsetof(struct opts, json), NULL,
        "print one JSON object per line"},
    {0},
};

/* ---- filters */

/* Compares without case; a * at the end of the pattern matches the rest. */
static bool
matches(const char *pat, size_t n, const char *name)
{
    size_t i;

    for (i = 0; i < n; i++) {
        if (pat[i] == '*' && i + 1 == n)
            return true;
        if (name[i] == '\0' || (pat[i] | 32) != (name[i] | 32))
            return false;
    }
    return name[n] == '\0';
}

static bool
kind_in(const char *list, const char *name)
{
    while (list != NULL && *list != '\0') {
        size_t n = strcspn(list, ",");

        if (matches(list, n, name))
            return true;
        list += n + (list[n] == ',');
    }
    return false;
}

/* Every word of -kind must stand for something. */
static int
check_kinds(struct tool *t, const char *list)
{
    const char *p = list;

    if (list != NULL && *list == '\0')
        return tool_usage(t, "-kind needs the name of an event");
    while (p != NULL && *p != '\0') {
        size_t n = strcspn(p, ",");
        bool found = false;
        unsigned i;

        for (i = 1; i < TRACE_EV_KINDS; i++)
            found |= matches(p, n, trace_ev_name(i));
        if (!found)
            return tool_usage(t, "no kind of event is called \"%.*s\"",
                (int)n, p);
        p += n + (p[n] == ',');
    }
    return TOOL_OK;
}

static bool
is_about(const struct trace_event *e, uint64_t g)
{
    if (e->g == g)
        return true;
    return (e->type == TRACE_EV_GO_CREATE || e->type == TRACE_EV_GO_UNBLOCK ||
        e->type == TRACE_EV_GO_UNBLOCK_LOCAL) && e->args[0] == g;
}

static bool
wanted(const struct opts *o, int64_t p, const struct trace_event *e)
{
    return e->ns >= o->from && (o->g == NONE || is_about(e, o->g)) &&
        (o->p == NULL || e->p == p) &&
        (o->kind == NULL || kind_in(o->kind, trace_ev_name(e->type)));
}

/* ---- printing */

/* What follows the name, in words. */
static void
describe(const struct trace_file *f, const struct trace_event *e, char *buf,
    size_t size)
{
    const uint64_t *a = e->args;
    char x[TOOL_TEXT], num[OUT_NUM], num2[OUT_NUM];
    struct trace_rframe fr;

    buf[0] = '\0';
    switch (e->type) {
    case TRACE_EV_GOMAXPROCS:
        snprintf(buf, size, "procs=%llu", (ull)a[0]);
        break;
    case TRACE_EV_PROC_START:
        snprintf(buf, size, "thread=%llu", (ull)a[0]);
        break;
    case TRACE_EV_GC_START:
        snprintf(buf, size, "cycle=%llu", (ull)a[0]);
        break;
    case TRACE_EV_STW_START:
        if (e->why_len > 0)
            snprintf(buf, size, "%s",
                out_clean(x, sizeof x, e->why, e->why_len));
        else
            snprintf(buf, size, "%s", trace_stw_name(f->version, a[0]));
        break;
    case TRACE_EV_SWEEP_DONE:
        snprintf(buf, size, "swept=%s reclaimed=%s", out_bytes(num, a[0]),
            out_bytes(num2, a[1]));
        break;
    case TRACE_EV_GO_CREATE:
        x[0] = '\0';
        if (f->version >= 7 && trace_file_stack(f, a[1], &fr, 1) > 0)
            tool_func(x, fr.func);
        snprintf(buf, size, "new=%llu %s", (ull)a[0], x);
        break;
    case TRACE_EV_GO_START_LABEL:
        snprintf(buf, size, "\"%s\"",
            tool_func(x, trace_file_string(f, a[2])));
        break;
    case TRACE_EV_GO_UNBLOCK:
    case TRACE_EV_GO_UNBLOCK_LOCAL:
        snprintf(buf, size, "wakes=%llu", (ull)a[0]);
        break;
    case TRACE_EV_HEAP_ALLOC:
    case TRACE_EV_HEAP_GOAL:
        snprintf(buf, size, "%s", out_bytes(num, a[0]));
        break;
    case TRACE_EV_USER_TASK_CREATE:
        snprintf(buf, size, "task=%llu parent=%llu \"%s\"", (ull)a[0],
            (ull)a[1], tool_func(x, trace_file_string(f, a[2])));
        break;
    case TRACE_EV_USER_TASK_END:
        snprintf(buf, size, "task=%llu", (ull)a[0]);
        break;
    case TRACE_EV_USER_REGION:
        snprintf(buf, size, "task=%llu %s \"%s\"", (ull)a[0],
            a[1] == 0 ? "begin" : "end",
            tool_func(x, trace_file_string(f, a[2])));
        break;
    case TRACE_EV_USER_LOG: {
        char msg[TOOL_TEXT];

        snprintf(buf, size, "task=%llu %s: %s", (ull)a[0],
            tool_func(x, trace_file_string(f, a[1])),
            out_clean(msg, sizeof msg, e->msg, e->msg_len));
        break;
    }
    case TRACE_EV_GO_LABEL:
        snprintf(buf, size, "\"%s\"",
            tool_func(x, trace_file_string(f, a[0])));
        break;
    default:
        if (e->why_len > 0)
            snprintf(buf, size, "%s",
                out_clean(x, sizeof x, e->why, e->why_len));
        break;
    }
}

/* Microseconds with nanoseconds behind the point: sortable by eye. */
static void
print_text(struct tool *t, const struct trace_file *f, const struct opts *opt,
    const struct trace_event *e)
{
    struct out *o = &t->out;
    char what[3 * TOOL_TEXT], func[TOOL_TEXT] = "", p[OUT_NUM], g[OUT_NUM];
    struct trace_rframe fr;
    int at = NAME_AT + 17 + (opt->offsets ? OFFSET_WIDTH : 0);

    describe(f, e, what, sizeof what);
    if (e->stk != 0 && !opt->stacks && trace_file_stack(f, e->stk, &fr, 1) > 0)
        tool_func(func, fr.func);
    snprintf(p, sizeof p, e->p < 0 ? "-" : "%lld", (long long)e->p);
    snprintf(g, sizeof g, e->g == 0 ? "-" : "%llu", (ull)e->g);
    if (opt->offsets)
        out_printf(o, "%s%9llu%s ", out_style(o, OUT_DIM), (ull)e->off,
            out_style(o, OUT_PLAIN));
    /* The name begins at NAME_AT; what would leave the line stands below it. */
    out_printf(o, "%14.3f  P%-3s G%-7s %s%-17s%s", (double)e->ns / 1e3, p, g,
        out_style(o, OUT_BOLD), trace_ev_name(e->type),
        out_style(o, OUT_PLAIN));
    if (what[0] != '\0') {
        out_printf(o, " ");
        at = tool_flow(o, at + 1, NAME_AT, what);
    }
    if (func[0] != '\0')
        tool_in(o, what[0] != '\0' ? at : at - 1, NAME_AT, func);
    out_printf(o, "\n");
    if (opt->stacks)
        tool_stack(t, f, e->stk, 18, TRACE_MAX_FRAMES);
}

static void
json_field(struct out *o, const char *name, uint64_t v)
{
    out_printf(o, ",\"%s\":%llu", name, (ull)v);
}

static void
json_text(struct out *o, const char *name, struct trace_text s)
{
    out_printf(o, ",\"%s\":", name);
    out_json_string(o, s.s, s.len);
}

static void
json_args(struct tool *t, const struct trace_file *f,
    const struct trace_event *e)
{
    struct out *o = &t->out;
    const uint64_t *a = e->args;

    switch (e->type) {
    case TRACE_EV_GOMAXPROCS:
        json_field(o, "procs", a[0]);
        break;
    case TRACE_EV_PROC_START:
        json_field(o, "thread", a[0]);
        break;
    case TRACE_EV_GC_START:
        json_field(o, "cycle", a[0]);
        break;
    case TRACE_EV_STW_START:
        json_field(o, "reason", a[0]);
        break;
    case TRACE_EV_SWEEP_DONE:
        json_field(o, "swept", a[0]);
        json_field(o, "reclaimed", a[1]);
        break;
    case TRACE_EV_GO_CREATE:
        json_field(o, "new", a[0]);
        if (f->version >= 7) {
            out_printf(o, ",\"entry\":");
            tool_json_stack(t, f, a[1]);
        }
        break;
    case TRACE_EV_GO_START:
        json_field(o, "seq", a[1]);
        break;
    case TRACE_EV_GO_START_LABEL:
        json_field(o, "seq", a[1]);
        json_text(o, "label", trace_file_string(f, a[2]));
        break;
    case TRACE_EV_GO_UNBLOCK:
        json_field(o, "seq", a[1]);
        json_field(o, "wakes", a[0]);
        break;
    case TRACE_EV_GO_UNBLOCK_LOCAL:
        json_field(o, "wakes", a[0]);
        break;
    case TRACE_EV_GO_SYS_EXIT:
        json_field(o, "seq", a[1]);
        break;
    case TRACE_EV_HEAP_ALLOC:
    case TRACE_EV_HEAP_GOAL:
        json_field(o, "bytes", a[0]);
        break;
    case TRACE_EV_GO_LABEL:
        json_text(o, "label", trace_file_string(f, a[0]));
        break;
    case TRACE_EV_GO_WAITING:
    case TRACE_EV_GO_IN_SYSCALL:
        json_field(o, "of", a[0]);
        break;
    case TRACE_EV_USER_TASK_CREATE:
        json_field(o, "task", a[0]);
        json_field(o, "parent", a[1]);
        json_text(o, "name", trace_file_string(f, a[2]));
        break;
    case TRACE_EV_USER_TASK_END:
        json_field(o, "task", a[0]);
        break;
    case TRACE_EV_USER_REGION:
        json_field(o, "task", a[0]);
        json_field(o, "end", a[1]);
        json_text(o, "name", trace_file_string(f, a[2]));
        break;
    case TRACE_EV_USER_LOG:
        json_field(o, "task", a[0]);
        json_text(o, "key", trace_file_string(f, a[1]));
        out_printf(o, ",\"message\":");
        out_json_string(o, e->msg, e->msg_len);
        break;
    default:
        break;
    }
}

static void
print_json(struct tool *t, const struct trace_file *f,
    const struct trace_event *e)
{
    struct out *o = &t->out;

    out_printf(o, "{\"ns\":%lld,\"p\":%lld,\"g\":%llu,\"kind\":\"%s\"",
        (long long)e->ns, (long long)e->p, (ull)e->g, trace_ev_name(e->type));
    if (e->m >= 0)
        json_field(o, "m", (uint64_t)e->m);
    if (e->wire != 0)
        json_field(o, "wire", e->wire);
    if (e->derived)
        out_printf(o, ",\"derived\":true");
    json_args(t, f, e);
    if (e->why_len > 0) {
        out_printf(o, ",\"why\":");
        out_json_string(o, e->why, e->why_len);
    }
    if (e->stk != 0) {
        out_printf(o, ",\"stack\":");
        tool_json_stack(t, f, e->stk);
    }
    out_printf(o, ",\"offset\":%llu}\n", (ull)e->off);
}

/* ---- */

static int
check(struct tool *t, const struct opts *o, int64_t *p)
{
    char *end;

    *p = 0;
    if (o->p != NULL) {
        *p = strtoll(o->p, &end, 10);
        if (*o->p == '\0' || *end != '\0' || *p < -1)
            return tool_usage(t, "invalid value \"%s\" for flag -p", o->p);
    }
    if (o->from > o->to)
        return tool_usage(t, "-from is later than -to");
    return check_kinds(t, o->kind);
}

static int
print_all(struct tool *t, struct trace_file *f, const struct opts *opt,
    int64_t p)
{
    struct trace_order *o;
    struct trace_event e;
    struct rt_err err;
    enum rt_status st;
    uint64_t n = 0;

    st = trace_order_new(&o, f, &err);
    if (st != RT_OK)
        return tool_error(t, &err);
    while (n < opt->n && !out_failed(&t->out)) {
        st = trace_order_next(o, &e);
        if (st != RT_OK || e.ns > opt->to)
            break;
        if (!wanted(opt, p, &e))
            continue;
        n++;
        if (opt->json)
            print_json(t, f, &e);
        else
            print_text(t, f, opt, &e);
    }
    trace_order_free(o);
    if (st == RT_ENOMEM) {
        rt_errf(&err, st, UINT64_MAX, "out of memory");
        return tool_error(t, &err);
    }
    return TOOL_OK;
}

static int
run(struct tool *t, int argc, char **argv)
{
    struct opts opt = {.g = NONE, .n = NONE, .to = INT64_MAX};
    struct trace_file *f;
    int64_t p;
    int st = tool_parse(t, argc, argv, flags, &opt);

    if (st == TOOL_OK)
        st = check(t, &opt, &p);
    if (st == TOOL_OK)
        st = tool_open(t, &f);
    if (st != TOOL_OK)
        return st;
    st = print_all(t, f, &opt, p);
    trace_file_close(f);
    return st;
}

const struct tool_cmd tool_events = {
    .name = "events",
    .brief = "list events in order, with filters",
    .usage = "[flags] file",
    .text =
        "Prints events in the order in which they happened: microseconds "
        "since the first\nevent, processor, goroutine, kind, details and the "
        "innermost function.  Filters\ncan be combined.",
    .example =
        "  vole-trace events -g 1 -kind 'GoBlock*,GoUnblock*' -n 20 "
        "out.trace\n"
        "  vole-trace events -from 1.5ms -to 2ms -stacks out.trace\n",
    .run = run,
    .flags = flags,
};
