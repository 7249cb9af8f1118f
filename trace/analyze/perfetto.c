/* SPDX-License-Identifier: MIT */
/*
 * perfetto.protos.Trace, field numbers as published with Perfetto
 * (protos/perfetto/trace).  All packets are one sequence; names of slices are
 * interned, each in the packet that first uses it.  Packets need not be in
 * order of time; those of one track and time keep the order in the file, so
 * that a slice ends before the next one begins.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile/wire/pb.h"
#include "trace/analyze/export_int.h"

enum {
    TRACE_PACKET = 1,
    PACKET_TIMESTAMP = 8,
    PACKET_SEQUENCE = 10,
    PACKET_EVENT = 11,
    PACKET_INTERNED = 12,
    PACKET_FLAGS = 13,
    PACKET_TRACK = 60,
    INTERNED_NAMES = 2,
    NAME_IID = 1,
    NAME_NAME = 2,
    TRACK_UUID = 1,
    TRACK_NAME = 2,
    TRACK_PROCESS = 3,
    TRACK_PARENT = 5,
    TRACK_COUNTER = 8,
    TRACK_ORDERING = 11,
    TRACK_RANK = 12,
    PROCESS_PID = 1,
    PROCESS_NAME = 6,
    COUNTER_UNIT = 3,
    EVENT_TYPE = 9,
    EVENT_NAME_IID = 10,
    EVENT_TRACK = 11,
    EVENT_CATEGORIES = 22,
    EVENT_NAME = 23,
    EVENT_COUNTER = 30,
    EVENT_FLOWS = 47,
    EVENT_ENDING_FLOWS = 48
};

enum { CLEARED = 1, NEEDED = 2 };       /* sequence flags */
enum { SLICE_BEGIN = 1, SLICE_END = 2, INSTANT = 3, COUNTER = 4 };
enum { UNIT_COUNT = 2, UNIT_BYTES = 3 };
enum { CHRONOLOGICAL = 2, EXPLICIT = 3 };
enum { PB_VARINT = 0, PB_FIXED64 = 1 };
enum { SEQUENCE = 1 };

/* Tracks: a kind in the high byte, a number in the rest. */
#define TRACK(kind, n) ((uint64_t)(kind) << 56 | (n))
enum { T_GROUP = 1, T_PROC, T_G, T_REGIONS, T_ASSIST, T_TASK, T_FIXED };
enum { GROUP_PROCS = 1, GROUP_COUNTERS, GROUP_TASKS, GROUP_GOROUTINES };
enum { F_GC = 1, F_STOP, F_RUNNING, F_RUNNABLE, F_SYSCALL, F_HEAP, F_GOAL };

typedef unsigned long long ull;

/* ---- fields that wire/pb.h has not: zeroes and fixed numbers */

static void
raw_varint(struct wire_buf *b, uint64_t v)
{
    uint8_t p[10];
    size_t n = 0;

    for (; v >= 0x80; v >>= 7)
        p[n++] = (uint8_t)(v | 0x80);
    p[n++] = (uint8_t)v;
    wire_buf_put(b, p, n);
}

/* Also when it is 0: absent is something else. */
static void
varint(struct wire_buf *b, uint32_t field, uint64_t v)
{
    raw_varint(b, field << 3 | PB_VARINT);
    raw_varint(b, v);
}

static void
fixed64(struct wire_buf *b, uint32_t field, uint64_t v)
{
    uint8_t p[8];
    int i;

    for (i = 0; i < 8; i++)
        p[i] = (uint8_t)(v >> (8 * i));
    raw_varint(b, field << 3 | PB_FIXED64);
    wire_buf_put(b, p, sizeof p);
}

static void
string(struct wire_buf *b, uint32_t field, const char *s)
{
    wire_pb_bytes(b, field, s, strlen(s));
}

/* ---- packets */

static size_t
begin_packet(struct trace_export *x)
{
    size_t at = wire_pb_begin(&x->buf, TRACE_PACKET);

    varint(&x->buf, PACKET_SEQUENCE, SEQUENCE);
    varint(&x->buf, PACKET_FLAGS, x->any ? NEEDED : CLEARED | NEEDED);
    x->any = true;
    return at;
}

static void
end_packet(struct trace_export *x, size_t at)
{
    wire_pb_end(&x->buf, at);
    trace_export_flush(x, false);
}

/* Describes a track.  unit: 0 = no counter; rank: its place among its
 * siblings. */
static void
track(struct trace_export *x, uint64_t uuid, uint64_t parent,
    const char *name, size_t len, uint64_t unit, uint64_t rank)
{
    size_t at = begin_packet(x), t = wire_pb_begin(&x->buf, PACKET_TRACK), c;

    varint(&x->buf, TRACK_UUID, uuid);
    wire_pb_bytes(&x->buf, TRACK_NAME, name, len);
    if (parent != 0)
        varint(&x->buf, TRACK_PARENT, parent);
    varint(&x->buf, TRACK_ORDERING, EXPLICIT);
    varint(&x->buf, TRACK_RANK, rank);
    if (unit != 0) {
        c = wire_pb_begin(&x->buf, TRACK_COUNTER);
        varint(&x->buf, COUNTER_UNIT, unit);
        wire_pb_end(&x->buf, c);
    }
    wire_pb_end(&x->buf, t);
    end_packet(x, at);
}

struct ev {
    int type;
    int64_t ns;
    uint64_t track;
    uint64_t iid;            /* interned name, or 0 */
    struct trace_text name;  /* with iid: intern it now; else the name */
    const char *category;    /* or NULL */
    uint64_t flow, end_flow; /* 0 = none */
    uint64_t value;
};

static void
event(struct trace_export *x, const struct ev *e)
{
    size_t at = begin_packet(x), t;
    struct wire_buf *b = &x->buf;

    varint(b, PACKET_TIMESTAMP, (uint64_t)e->ns);
    if (e->iid != 0 && e->name.len > 0) {
        size_t in = wire_pb_begin(b, PACKET_INTERNED);
        size_t n = wire_pb_begin(b, INTERNED_NAMES);

        varint(b, NAME_IID, e->iid);
        wire_pb_bytes(b, NAME_NAME, e->name.s, e->name.len);
        wire_pb_end(b, n);
        wire_pb_end(b, in);
    }
    t = wire_pb_begin(b, PACKET_EVENT);
    varint(b, EVENT_TYPE, (uint64_t)e->type);
    varint(b, EVENT_TRACK, e->track);
    if (e->iid != 0)
        varint(b, EVENT_NAME_IID, e->iid);
    else if (e->name.len > 0)
        wire_pb_bytes(b, EVENT_NAME, e->name.s, e->name.len);
    if (e->category != NULL)
        string(b, EVENT_CATEGORIES, e->category);
    if (e->type == COUNTER)
        varint(b, EVENT_COUNTER, e->value);
    if (e->flow != 0)
        fixed64(b, EVENT_FLOWS, e->flow);
    if (e->end_flow != 0)
        fixed64(b, EVENT_ENDING_FLOWS, e->end_flow);
    wire_pb_end(b, t);
    end_packet(x, at);
}

static void
slice(struct trace_export *x, struct ev e, int64_t from, int64_t to)
{
    if (from < 0 || !trace_export_clip(x, &from, &to))
        return;
    e.type = SLICE_BEGIN;
    e.ns = from;
    event(x, &e);
    event(x, &(struct ev){.type = SLICE_END, .ns = to, .track = e.track});
}

static struct trace_text
text(const char *s)
{
    return (struct trace_text){s, (uint32_t)strlen(s)};
}

/* ---- goroutines */

/* Interned names: states first, then goroutines. */
enum { FIRST_G = 64 };

static uint64_t
iid_of(const struct trace_export *x, const struct trace_export_g *g)
{
    return FIRST_G + (uint64_t)(g - x->gs);
}

/* A goroutine is met for the first time: describes its track. */
static void
meet(struct trace_export *x, struct trace_export_g *t, uint64_t id,
    const char *name, size_t len)
{
    if (t->named || !x->goroutines)
        return;
    track(x, TRACK(T_G, id), TRACK(T_GROUP, GROUP_GOROUTINES), name, len, 0,
        id);
}

static void
meet_proc(struct trace_export *x, int64_t p)
{
    char name[32];
    bool fresh;
    int n;

    if (trace_idmap_put(&x->pmap, (uint64_t)p, &fresh) < 0)
        x->nomem = true;
    if (!fresh)
        return;
    n = snprintf(name, sizeof name, "P%lld", (long long)p);
    track(x, TRACK(T_PROC, (uint64_t)p), TRACK(T_GROUP, GROUP_PROCS), name,
        (size_t)n, 0, (uint64_t)p + 10);
}

/* An arrow begins where the goroutine was made runnable. */
static void
arrow(struct trace_export *x, struct trace_export_g *t,
    const struct trace_span *sp)
{
    t->flow = 0;
    if (sp->cause_p < 0 || sp->cause_by == 0 || sp->open ||
        sp->from < x->from || sp->to >= x->to)
        return;
    meet_proc(x, sp->cause_p);
    t->flow = ++x->flows;
    event(x, &(struct ev){.type = INSTANT, .ns = sp->from,
        .track = TRACK(T_PROC, (uint64_t)sp->cause_p), .flow = t->flow,
        .name = text(sp->cause == TRACE_EV_GO_CREATE ? "go" : "unblock")});
}

static bool
on_span(void *arg, const struct trace_summary *s,
    const struct trace_goroutine *g, const struct trace_span *sp)
{
    struct trace_export *x = arg;
    struct trace_export_g *t = trace_export_g(x, g->id);
    char name[256];
    struct trace_text full = {name, 0};
    struct ev e;

    if (t == NULL)
        return false;
    if (sp->state == TRACE_ST_RUNNABLE)
        arrow(x, t, sp);
    if (sp->to <= x->from || sp->from >= x->to)
        return !x->nomem;
    full.len = (uint32_t)trace_export_name(s, g, name, sizeof name);
    meet(x, t, g->id, name, full.len);
    if (sp->state == TRACE_ST_RUNNING && sp->p >= 0) {
        meet_proc(x, sp->p);
        e = (struct ev){.track = TRACK(T_PROC, (uint64_t)sp->p),
            .iid = iid_of(x, t), .end_flow = t->flow};
        if (!t->has_name)
            e.name = full;
        t->has_name = true;
        t->flow = 0;
        slice(x, e, sp->from, sp->to);
    }
    t->named = true;
    if (x->goroutines)
        slice(x, (struct ev){.track = TRACK(T_G, g->id),
            .iid = (uint64_t)sp->state + 1}, sp->from, sp->to);
    return !x->nomem;
}

/* ---- events */

static void
counter(struct trace_export *x, int64_t ns, unsigned which, uint64_t value)
{
    event(x, &(struct ev){.type = COUNTER, .ns = ns,
        .track = TRACK(T_FIXED, which), .value = value});
}

static void
begin_or_end(struct trace_export *x, bool begin, int64_t ns, uint64_t uuid,
    struct trace_text name, const char *category)
{
    event(x, &(struct ev){.type = begin ? SLICE_BEGIN : SLICE_END, .ns = ns,
        .track = uuid, .name = begin ? name : (struct trace_text){"", 0},
        .category = begin ? category : NULL});
}

static void
on_region(struct trace_export *x, const struct trace_event *e,
    const struct trace_summary *s)
{
    struct trace_export_g *t = trace_export_g(x, e->g);
    const struct trace_goroutine *g = trace_find_goroutine(s, e->g);
    char name[300], label[256];
    size_t n;

    if (t == NULL || g == NULL || (e->args[1] != 0 && t->regions == 0))
        return;
    if (!t->has_regions) {
        trace_export_name(s, g, label, sizeof label);
        n = (size_t)snprintf(name, sizeof name, "%s regions", label);
        track(x, TRACK(T_REGIONS, e->g), TRACK(T_GROUP, GROUP_TASKS), name,
            n, 0, e->g);
        t->has_regions = true;
    }
    t->regions += e->args[1] == 0 ? 1u : -1u;
    begin_or_end(x, e->args[1] == 0, e->ns, TRACK(T_REGIONS, e->g),
        trace_file_string(x->f, e->args[2]), "region");
}

static void
on_task(struct trace_export *x, const struct trace_event *e)
{
    uint64_t uuid = TRACK(T_TASK, e->args[0] & 0xffffffffffffff);
    struct trace_text t;
    bool fresh;

    if (e->type == TRACE_EV_USER_TASK_END) {
        if (trace_idmap_get(&x->taskmap, e->args[0]) >= 0)
            begin_or_end(x, false, e->ns, uuid, text(""), NULL);
        return;
    }
    if (trace_idmap_put(&x->taskmap, e->args[0], &fresh) < 0)
        x->nomem = true;
    if (!fresh)
        return;
    t = trace_file_string(x->f, e->args[2]);
    track(x, uuid, TRACK(T_GROUP, GROUP_TASKS), t.s, t.len, 0,
        e->args[0] & 0x7fffffff);
    begin_or_end(x, true, e->ns, uuid, t, "task");
}

static void
on_assist(struct trace_export *x, const struct trace_event *e)
{
    struct trace_export_g *t = trace_export_g(x, e->g);
    char name[64];
    int n;

    if (t == NULL)
        return;
    if (e->type == TRACE_EV_MARK_ASSIST_START) {
        t->assist_since = e->ns;
        return;
    }
    if (t->assist_since >= x->from) {
        if (!t->has_assists) {
            n = snprintf(name, sizeof name, "G%llu assists", (ull)e->g);
            track(x, TRACK(T_ASSIST, e->g), TRACK(T_GROUP, GROUP_GOROUTINES),
                name, (size_t)n, 0, e->g);
            t->has_assists = true;
        }
        slice(x, (struct ev){.track = TRACK(T_ASSIST, e->g),
            .name = text("MARK ASSIST"), .category = "gc"}, t->assist_since,
            e->ns);
    }
    t->assist_since = -1;
}

static void
on_user(struct trace_export *x, const struct trace_summary *s,
    const struct trace_event *e)
{
    switch (e->type) {
    case TRACE_EV_USER_TASK_CREATE:
    case TRACE_EV_USER_TASK_END:
        on_task(x, e);
        break;
    case TRACE_EV_USER_REGION:
        on_region(x, e, s);
        break;
    case TRACE_EV_USER_LOG:
        if (e->p < 0)
            break;
        meet_proc(x, e->p);
        event(x, &(struct ev){.type = INSTANT, .ns = e->ns,
            .track = TRACK(T_PROC, (uint64_t)e->p), .category = "log",
            .name = {e->msg, e->msg_len}});
        break;
    case TRACE_EV_MARK_ASSIST_START:
    case TRACE_EV_MARK_ASSIST_DONE:
        on_assist(x, e);
        break;
    default:
        break;
    }
}

static bool
on_event(void *arg, const struct trace_summary *s,
    const struct trace_event *e)
{
    struct trace_export *x = arg;

    if (trace_export_count(x, e, s)) {
        counter(x, e->ns, F_RUNNING, x->count[TRACE_ST_RUNNING]);
        counter(x, e->ns, F_RUNNABLE, x->count[TRACE_ST_RUNNABLE]);
        counter(x, e->ns, F_SYSCALL, x->count[TRACE_ST_SYSCALL]);
    }
    switch (e->type) {
    case TRACE_EV_GC_START:
        x->gc_since = e->ns;
        break;
    case TRACE_EV_GC_DONE:
        slice(x, (struct ev){.track = TRACK(T_FIXED, F_GC),
            .name = text("GC"), .category = "gc"}, x->gc_since, e->ns);
        x->gc_since = -1;
        break;
    case TRACE_EV_STW_START:
        x->stop_since = s->f->version < 10 ? -1 : e->ns;
        snprintf(x->stop_name, sizeof x->stop_name, "STW (%.*s)",
            e->why_len > 0 ? (int)e->why_len : 40, e->why_len > 0 ? e->why
                : trace_stw_name(s->f->version, e->args[0]));
        break;
    case TRACE_EV_STW_DONE:
        slice(x, (struct ev){.track = TRACK(T_FIXED, F_STOP),
            .name = text(x->stop_name), .category = "gc"}, x->stop_since,
            e->ns);
        x->stop_since = -1;
        break;
    default:
        if (e->ns < x->from || e->ns >= x->to)
            break;
        if (e->type == TRACE_EV_HEAP_ALLOC)
            counter(x, e->ns, F_HEAP, e->args[0]);
        else if (e->type == TRACE_EV_HEAP_GOAL)
            counter(x, e->ns, F_GOAL, e->args[0]);
        else
            on_user(x, s, e);
        break;
    }
    return !x->nomem;
}

struct trace_sink
trace_perfetto_sink(struct trace_export *x)
{
    return (struct trace_sink){.arg = x, .event = on_event, .span = on_span};
}

/* ---- begin and end */

enum rt_status
trace_perfetto_begin(struct trace_export *x)
{
    static const struct {
        unsigned id;
        const char *name;
    } groups[] = {{GROUP_PROCS, "Processors"}, {GROUP_COUNTERS, "Counters"},
        {GROUP_TASKS, "Tasks and regions"}, {GROUP_GOROUTINES, "Goroutines"}};
    static const struct {
        unsigned id, group, unit;
        const char *name;
    } fixed[] = {{F_GC, GROUP_PROCS, 0, "GC"}, {F_STOP, GROUP_PROCS, 0, "STW"},
        {F_RUNNING, GROUP_COUNTERS, UNIT_COUNT, "Goroutines running"},
        {F_RUNNABLE, GROUP_COUNTERS, UNIT_COUNT, "Goroutines runnable"},
        {F_SYSCALL, GROUP_COUNTERS, UNIT_COUNT, "Goroutines in system calls"},
        {F_HEAP, GROUP_COUNTERS, UNIT_BYTES, "Heap"},
        {F_GOAL, GROUP_COUNTERS, UNIT_BYTES, "Heap goal"}};
    size_t i;

    x->gc_since = -1;
    x->stop_since = -1;
    x->counted = INT64_MIN / 2;
    for (i = 0; i < sizeof groups / sizeof *groups; i++)
        track(x, TRACK(T_GROUP, groups[i].id), 0, groups[i].name,
            strlen(groups[i].name), 0, i + 1);
    for (i = 0; i < sizeof fixed / sizeof *fixed; i++)
        track(x, TRACK(T_FIXED, fixed[i].id), TRACK(T_GROUP, fixed[i].group),
            fixed[i].name, strlen(fixed[i].name), fixed[i].unit, i + 1);
    /* The names of the states, interned once. */
    for (i = TRACE_ST_RUNNING; i < TRACE_ST_COUNT; i++) {
        size_t at = begin_packet(x);
        size_t in = wire_pb_begin(&x->buf, PACKET_INTERNED);
        size_t n = wire_pb_begin(&x->buf, INTERNED_NAMES);

        varint(&x->buf, NAME_IID, i + 1);
        string(&x->buf, NAME_NAME, trace_gst_name((enum trace_gst)i));
        wire_pb_end(&x->buf, n);
        wire_pb_end(&x->buf, in);
        end_packet(x, at);
    }
    return trace_export_status(x);
}

enum rt_status
trace_perfetto_end(struct trace_export *x, const struct trace_summary *s)
{
    if (x->gc_since >= 0)
        slice(x, (struct ev){.track = TRACK(T_FIXED, F_GC),
            .name = text("GC"), .category = "gc"}, x->gc_since, s->duration);
    if (x->stop_since >= 0)
        slice(x, (struct ev){.track = TRACK(T_FIXED, F_STOP),
            .name = text(x->stop_name), .category = "gc"}, x->stop_since,
            s->duration);
    trace_export_flush(x, true);
    return trace_export_status(x);
}
