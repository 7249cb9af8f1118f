/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/safetext.h"
#include "trace/analyze/export_int.h"

/* Processes, and the threads of the first that are no Ps. */
enum { PROCS, STATS, TASKS, GOROUTINES };
enum { TID_GC = 1000004, TID_STOP = 1000005 };

/* A frame and those that called it. */
struct trace_export_node {
    uint64_t parent;   /* index + 1; 0 = none */
    struct trace_rframe fr;
};

typedef unsigned long long ull;

static void
put(struct trace_export *x, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

static void
put(struct trace_export *x, const char *fmt, ...)
{
    char text[512];
    va_list ap;
    int n;

    va_start(ap, fmt);
    n = vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    if (n > 0)
        wire_buf_put(&x->buf, text,
            (size_t)n < sizeof text ? (size_t)n : sizeof text - 1);
}

/* A JSON string.  Bytes that are no UTF-8 become U+FFFD. */
static void
put_text(struct trace_export *x, const char *s, size_t len)
{
    size_t i, n;

    wire_buf_put(&x->buf, "\"", 1);
    for (i = 0; i < len; i += n) {
        char esc[RT_SAFE_ESC];

        n = rt_json_char(s + i, len - i, esc);
        if (*esc != '\0')
            wire_buf_put(&x->buf, esc, strlen(esc));
        else
            wire_buf_put(&x->buf, s + i, n);
    }
    wire_buf_put(&x->buf, "\"", 1);
}

/* Begins an event: {"ph":..,"ts":..,"pid":..,"tid":.. */
static void
begin(struct trace_export *x, char phase, int64_t ns, int pid, ull tid)
{
    put(x, "%s{\"ph\":\"%c\",\"ts\":%lld.%03d,\"pid\":%d,\"tid\":%llu",
        x->any ? ",\n" : "\n", phase, (long long)(ns / 1000),
        (int)(ns % 1000), pid, tid);
    x->any = true;
}

static void
name(struct trace_export *x, const char *s, size_t len)
{
    put(x, ",\"name\":");
    put_text(x, s, len);
}

static void
duration(struct trace_export *x, int64_t ns)
{
    put(x, ",\"dur\":%lld.%03d", (long long)(ns / 1000), (int)(ns % 1000));
}

static void
end(struct trace_export *x)
{
    put(x, "}");
    trace_export_flush(x, false);
}

/* ---- stacks */

static uint64_t
node(struct trace_export *x, uint64_t parent, const struct trace_rframe *fr)
{
    uint64_t key = (parent * 0x9e3779b97f4a7c15u ^ fr->pc) + fr->line;
    bool fresh;
    int64_t i = trace_idmap_row(&x->nodemap, key, &x->nodes, &x->nodes_cap,
        sizeof *x->nodes, &fresh);

    if (i < 0) {
        x->nomem = true;
        return 0;
    }
    if (fresh)
        x->nodes[i] = (struct trace_export_node){parent, *fr};
    return (uint64_t)i + 1;
}

/* The number of a stack's leaf in the tree of frames; 0 = none. */
static uint64_t
leaf(struct trace_export *x, uint64_t stk)
{
    struct trace_rframe fr[128];
    uint32_t n = trace_file_stack(x->f, stk, fr, 128);
    uint64_t at = 0;

    if (n > 128)
        n = 128;
    while (n > 0)
        at = node(x, at, &fr[--n]);
    return at;
}

static void
stack(struct trace_export *x, const char *key, uint64_t stk)
{
    uint64_t i = stk == 0 ? 0 : leaf(x, stk);

    if (i != 0)
        put(x, ",\"%s\":%llu", key, (ull)i);
}

/* ---- spans */

/* An arrow from where the goroutine was made runnable to where it runs. */
static void
arrow(struct trace_export *x, const struct trace_span *sp)
{
    const char *what = sp->cause == TRACE_EV_GO_CREATE ? "go" : "unblock";

    if (sp->end_p < 0 || sp->cause_p < 0 || sp->cause_by == 0 || sp->open ||
        sp->from < x->from || sp->to >= x->to)
        return;
    x->flows++;
    begin(x, 's', sp->from, PROCS, (ull)sp->cause_p);
    name(x, what, strlen(what));
    put(x, ",\"cat\":\"sched\",\"id\":%llu", (ull)x->flows);
    end(x);
    begin(x, 't', sp->to, PROCS, (ull)sp->end_p);
    name(x, what, strlen(what));
    put(x, ",\"cat\":\"sched\",\"id\":%llu", (ull)x->flows);
    end(x);
}

static bool
on_span(void *arg, const struct trace_summary *s,
    const struct trace_goroutine *g, const struct trace_span *sp)
{
    struct trace_export *x = arg;
    int64_t from = sp->from, to = sp->to;
    char text[256];
    size_t n;

    if (sp->state == TRACE_ST_RUNNABLE)
        arrow(x, sp);
    if (!trace_export_clip(x, &from, &to))
        return !x->nomem;
    if (sp->state == TRACE_ST_RUNNING && sp->p >= 0) {
        n = trace_export_name(s, g, text, sizeof text);
        begin(x, 'X', from, PROCS, (ull)sp->p);
        duration(x, to - from);
        name(x, text, n);
        stack(x, "esf", sp->stack);
        end(x);
    }
    if (x->goroutines) {
        begin(x, 'X', from, GOROUTINES, (ull)g->id);
        duration(x, to - from);
        name(x, trace_gst_name(sp->state), strlen(trace_gst_name(sp->state)));
        stack(x, "sf", sp->state == TRACE_ST_RUNNABLE ? sp->cause_stack
            : sp->stack);
        if (sp->by != 0)
            put(x, ",\"args\":{\"woken_by\":%llu}", (ull)sp->by);
        else if (sp->p >= 0)
            put(x, ",\"args\":{\"p\":%lld}", (long long)sp->p);
        end(x);
    }
    return !x->nomem;
}

/* ---- events */

static void
slice(struct trace_export *x, int64_t from, int64_t to, ull tid,
    const char *text)
{
    if (from < 0 || !trace_export_clip(x, &from, &to))
        return;
    begin(x, 'X', from, PROCS, tid);
    duration(x, to - from);
    name(x, text, strlen(text));
    end(x);
}

static void
instant(struct trace_export *x, const struct trace_event *e, const char *text,
    size_t len)
{
    begin(x, 'i', e->ns, e->p >= 0 ? PROCS : TASKS,
        e->p >= 0 ? (ull)e->p : 0);
    name(x, text, len);
    put(x, ",\"s\":\"t\"");
    stack(x, "sf", e->stk);
    end(x);
}

static void
async(struct trace_export *x, char phase, int64_t ns, const char *cat,
    uint64_t id, struct trace_text t)
{
    begin(x, phase, ns, TASKS, 0);
    put(x, ",\"cat\":\"%s\",\"id\":\"%s%llu\"", cat, *cat == 't' ? "T" : "G",
        (ull)id);
    name(x, t.s, t.len);
    end(x);
}

/* Begin and end have the same name, or viewers do not match them. */
static void
on_task(struct trace_export *x, const struct trace_event *e)
{
    bool begins = e->type == TRACE_EV_USER_TASK_CREATE;
    int64_t i = begins ? trace_idmap_row(&x->taskmap, e->args[0], &x->tasks,
        &x->tasks_cap, sizeof *x->tasks, NULL)
        : trace_idmap_get(&x->taskmap, e->args[0]);

    if (i == TRACE_IDMAP_NOMEM)
        x->nomem = true;
    if (i < 0 || (!begins && x->tasks[i].ended))
        return;
    if (begins)
        x->tasks[i] = (struct trace_export_task){e->args[0], e->args[2],
            false};
    x->tasks[i].ended = !begins;
    async(x, begins ? 'b' : 'e', e->ns, "task", e->args[0],
        trace_file_string(x->f, x->tasks[i].name));
}

static void
on_user(struct trace_export *x, const struct trace_event *e)
{
    struct trace_export_g *g = trace_export_g(x, e->g);
    struct trace_text t;

    if (g == NULL)
        return;
    switch (e->type) {
    case TRACE_EV_USER_TASK_CREATE:
    case TRACE_EV_USER_TASK_END:
        on_task(x, e);
        break;
    case TRACE_EV_USER_REGION:
        if (e->args[1] != 0 && g->regions == 0)
            break; /* began outside of what is exported */
        g->regions += e->args[1] == 0 ? 1u : -1u;
        async(x, e->args[1] == 0 ? 'b' : 'e', e->ns, "region", e->g,
            trace_file_string(x->f, e->args[2]));
        break;
    default:
        t = (struct trace_text){e->msg, e->msg_len};
        instant(x, e, t.s, t.len);
        break;
    }
}

static void
counters(struct trace_export *x, int64_t ns)
{
    begin(x, 'C', ns, STATS, 0);
    name(x, "Goroutines", 10);
    put(x, ",\"args\":{\"Running\":%llu,\"Runnable\":%llu,\"GCWaiting\":%llu}",
        (ull)x->count[TRACE_ST_RUNNING], (ull)x->count[TRACE_ST_RUNNABLE],
        (ull)x->count[TRACE_ST_GC]);
    end(x);
    begin(x, 'C', ns, STATS, 0);
    name(x, "Threads", 7);
    put(x, ",\"args\":{\"Running\":%llu,\"InSyscall\":%llu}",
        (ull)x->count[TRACE_ST_RUNNING], (ull)x->count[TRACE_ST_SYSCALL]);
    end(x);
}

static void
heap(struct trace_export *x, const struct trace_summary *s, int64_t ns)
{
    uint64_t left = s->goal_last > s->heap_last ? s->goal_last - s->heap_last
        : 0;

    begin(x, 'C', ns, STATS, 0);
    name(x, "Heap", 4);
    put(x, ",\"args\":{\"Allocated\":%llu,\"NextGC\":%llu}",
        (ull)s->heap_last, (ull)left);
    end(x);
}

static void
on_assist(struct trace_export *x, const struct trace_event *e)
{
    struct trace_export_g *g = trace_export_g(x, e->g);
    const struct trace_text t = {"MARK ASSIST", 11};

    if (g == NULL)
        return;
    if (e->type == TRACE_EV_MARK_ASSIST_START) {
        g->assist_since = e->ns;
        return;
    }
    if (g->assist_since >= x->from) {
        async(x, 'b', g->assist_since, "gc", e->g, t);
        async(x, 'e', e->ns, "gc", e->g, t);
    }
    g->assist_since = -1;
}

static bool
on_event(void *arg, const struct trace_summary *s,
    const struct trace_event *e)
{
    struct trace_export *x = arg;
    bool in = e->ns >= x->from && e->ns < x->to;

    if (trace_export_count(x, e, s))
        counters(x, e->ns);
    switch (e->type) {
    case TRACE_EV_GC_START:
        x->gc_since = e->ns;
        break;
    case TRACE_EV_GC_DONE:
        slice(x, x->gc_since, e->ns, TID_GC, "GC");
        x->gc_since = -1;
        break;
    case TRACE_EV_STW_START:
        x->stop_since = s->f->version < 10 ? -1 : e->ns;
        snprintf(x->stop_name, sizeof x->stop_name, "STW (%.*s)",
            e->why_len > 0 ? (int)e->why_len : 40, e->why_len > 0 ? e->why
                : trace_stw_name(s->f->version, e->args[0]));
        break;
    case TRACE_EV_STW_DONE:
        slice(x, x->stop_since, e->ns, TID_STOP, x->stop_name);
        x->stop_since = -1;
        break;
    case TRACE_EV_HEAP_ALLOC:
    case TRACE_EV_HEAP_GOAL:
        if (in)
            heap(x, s, e->ns);
        break;
    case TRACE_EV_MARK_ASSIST_START:
    case TRACE_EV_MARK_ASSIST_DONE:
        if (in)
            on_assist(x, e);
        break;
    case TRACE_EV_GO_SYS_CALL:
        if (in)
            instant(x, e, "syscall", 7);
        break;
    case TRACE_EV_CPU_SAMPLE:
        if (in)
            instant(x, e, "CPU profile sample", 18);
        break;
    case TRACE_EV_USER_TASK_CREATE:
    case TRACE_EV_USER_TASK_END:
    case TRACE_EV_USER_REGION:
    case TRACE_EV_USER_LOG:
        if (in)
            on_user(x, e);
        break;
    default:
        break;
    }
    return !x->nomem;
}

struct trace_sink
trace_chrome_sink(struct trace_export *x)
{
    return (struct trace_sink){.arg = x, .event = on_event, .span = on_span};
}

/* ---- begin and end */

static void
meta(struct trace_export *x, const char *what, int pid, ull tid,
    const char *text, size_t len)
{
    begin(x, 'M', 0, pid, tid);
    name(x, what, strlen(what));
    put(x, ",\"args\":{\"name\":");
    put_text(x, text, len);
    put(x, "}");
    end(x);
}

static void
sort_index(struct trace_export *x, const char *what, int pid, ull tid,
    int index)
{
    begin(x, 'M', 0, pid, tid);
    name(x, what, strlen(what));
    put(x, ",\"args\":{\"sort_index\":%d}", index);
    end(x);
}

enum rt_status
trace_chrome_begin(struct trace_export *x)
{
    static const char *const names[] = {"PROCS", "STATS", "TASKS",
        "GOROUTINES"};
    static const int order[] = {1, 0, 2, 3};
    int i;

    x->gc_since = -1;
    x->stop_since = -1;
    x->counted = INT64_MIN / 2;
    put(x, "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[");
    for (i = 0; i < (x->goroutines ? 4 : 3); i++) {
        meta(x, "process_name", i, 0, names[i], strlen(names[i]));
        sort_index(x, "process_sort_index", i, 0, order[i]);
    }
    meta(x, "thread_name", PROCS, TID_GC, "GC", 2);
    sort_index(x, "thread_sort_index", PROCS, TID_GC, -6);
    meta(x, "thread_name", PROCS, TID_STOP, "STW", 3);
    sort_index(x, "thread_sort_index", PROCS, TID_STOP, -5);
    return trace_export_status(x);
}

static void
frames(struct trace_export *x)
{
    uint32_t i;

    put(x, "\n],\"stackFrames\":{");
    for (i = 0; i < x->nodemap.count; i++) {
        const struct trace_export_node *n = &x->nodes[i];
        char text[512];
        int len = n->fr.func.len == 0
            ? snprintf(text, sizeof text, "0x%llx", (ull)n->fr.pc)
            : snprintf(text, sizeof text, "%.*s:%llu",
                n->fr.func.len > 400 ? 400 : (int)n->fr.func.len,
                n->fr.func.s, (ull)n->fr.line);

        put(x, "%s\n\"%u\":{\"name\":", i > 0 ? "," : "", i + 1);
        put_text(x, text, (size_t)len);
        if (n->parent != 0)
            put(x, ",\"parent\":%llu", (ull)n->parent);
        put(x, "}");
        trace_export_flush(x, false);
    }
    put(x, "}}\n");
}

enum rt_status
trace_chrome_end(struct trace_export *x, const struct trace_summary *s)
{
    char text[256];
    uint64_t i;
    size_t n;

    slice(x, x->gc_since, s->duration, TID_GC, "GC");
    slice(x, x->stop_since, s->duration, TID_STOP, x->stop_name);
    for (i = 0; i < x->taskmap.count; i++) {
        if (!x->tasks[i].ended)
            async(x, 'e', s->duration < x->to ? s->duration : x->to, "task",
                x->tasks[i].id, trace_file_string(x->f, x->tasks[i].name));
    }
    for (i = 0; i < s->nprocs; i++) {
        n = (size_t)snprintf(text, sizeof text, "Proc %lld",
            (long long)s->procs[i].id);
        meta(x, "thread_name", PROCS, (ull)s->procs[i].id, text, n);
        sort_index(x, "thread_sort_index", PROCS, (ull)s->procs[i].id,
            (int)s->procs[i].id);
    }
    for (i = 0; x->goroutines && i < s->ngs; i++) {
        n = trace_export_name(s, &s->gs[i], text, sizeof text);
        meta(x, "thread_name", GOROUTINES, (ull)s->gs[i].id, text, n);
    }
    frames(x);
    trace_export_flush(x, true);
    return trace_export_status(x);
}
