/* SPDX-License-Identifier: MIT */
/*
 * Two passes over the ordered events: the first learns what each goroutine
 * is called by, the second keeps the state of goroutines and Ps and, once in
 * the part, writes.  Every P has a buffer, which becomes a batch when full;
 * batches of different Ps may come in any order.
 */
#include "trace/read/rewrite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/varint.h"

enum { BUF = 1 << 16, ROOM = 256, TICK0 = 1000, MAX_BODY = 2000 };

enum gstate { NONE, RUNNABLE, RUNNING, WAITING, CALLING };

/* Which frames of a stack of the source make one here. */
enum frames { WHOLE, LEAF, ROOT, UNKNOWN, NFRAMES };

struct gor {
    uint64_t id, seq, entry, first;
    uint8_t state;
    uint8_t early;    /* state before the trace; NONE: was not there, ran */
    bool assist;
};

struct proc {
    int64_t id;
    uint64_t g;       /* who runs; 0 = nobody */
    uint64_t thread;
    uint8_t *buf;
    uint32_t n;
    uint64_t begin, last; /* ticks of the batch and of its last event */
    uint64_t start_g, start_seq, start_tick; /* a start not yet written */
    bool running, sweeping, stw;
};

struct stack {
    uint64_t src;
    uint8_t frames;
};

struct rewriter {
    struct trace_file *f;
    struct trace_rewrite *how;
    struct trace_idmap gmap, pmap, strmap, stkmap[NFRAMES];
    struct gor *gs;
    struct proc *ps;
    struct trace_text *strs;
    struct stack *stks;
    uint64_t gs_cap, ps_cap, strs_cap, nstrs, stks_cap, nstks;
    uint64_t tick;     /* of the event at hand */
    uint64_t base;     /* tick of how->from */
    uint64_t cycles, procs;
    bool writing, gc, stw, nomem, failed;
};

/* ---- tables */

static struct gor *
gor(struct rewriter *w, uint64_t id)
{
    bool fresh;
    int64_t i = trace_idmap_put(&w->gmap, id, &fresh);

    if (i < 0 || !trace_grow(&w->gs, &w->gs_cap, (uint64_t)i, sizeof *w->gs)) {
        w->nomem = true;
        return NULL;
    }
    w->gs[i].id = id;
    return &w->gs[i];
}

static struct proc *
proc(struct rewriter *w, int64_t id)
{
    bool fresh;
    int64_t i = trace_idmap_put(&w->pmap, (uint64_t)id, &fresh);

    if (i < 0 || !trace_grow(&w->ps, &w->ps_cap, (uint64_t)i, sizeof *w->ps)) {
        w->nomem = true;
        return NULL;
    }
    w->ps[i].id = id;
    return &w->ps[i];
}

static uint64_t
string(struct rewriter *w, struct trace_text t)
{
    bool fresh;
    int64_t i;

    if (t.len == 0)
        return 0;
    /* Equal texts of a file may be two; one text is at one place. */
    i = trace_idmap_put(&w->strmap, (uint64_t)(uintptr_t)t.s, &fresh);
    if (i < 0 || !trace_grow(&w->strs, &w->strs_cap, (uint64_t)i,
            sizeof *w->strs)) {
        w->nomem = true;
        return 0;
    }
    if (fresh) {
        w->strs[i] = t;
        w->nstrs++;
    }
    return (uint64_t)i + 1;
}

static uint64_t
stack(struct rewriter *w, uint64_t src, enum frames frames)
{
    bool fresh;
    int64_t i;

    if (frames != UNKNOWN && !trace_file_has_stack(w->f, src))
        return 0;
    i = trace_idmap_put(&w->stkmap[frames], src, &fresh);
    if (i < 0 || !trace_grow(&w->stks, &w->stks_cap, w->nstks + 1,
            sizeof *w->stks)) {
        w->nomem = true;
        return 0;
    }
    if (fresh) {
        /* The map gives its own index; ids count over all four maps. */
        w->stks[w->nstks].src = src;
        w->stks[w->nstks++].frames = (uint8_t)frames;
    }
    return (uint64_t)i * NFRAMES + frames + 1;
}

/* The stack that names a goroutine: one frame, the same for equal ones. */
static uint64_t
entry_of(struct rewriter *w, const struct gor *g)
{
    struct trace_rframe fr[TRACE_MAX_FRAMES];
    uint32_t n;

    if (trace_file_stack(w->f, g->entry, fr, 1) > 0 && fr[0].pc != 0)
        return stack(w, g->entry, LEAF);
    n = trace_file_stack(w->f, g->first, fr, TRACE_MAX_FRAMES);
    if (n > 0 && n <= TRACE_MAX_FRAMES && fr[n - 1].pc != 0)
        return stack(w, g->first, ROOT);
    return stack(w, 0, UNKNOWN);
}

/* ---- bytes */

static void
put(struct rewriter *w, const void *data, size_t n)
{
    if (!w->failed && n > 0 && !w->how->put(w->how->arg, data, n))
        w->failed = true;
    w->how->bytes += n;
}

static void
flush(struct rewriter *w, struct proc *p)
{
    uint8_t head[1 + 2 * RT_VARINT_MAX], *q = head;

    if (p->n == 0)
        return;
    *q++ = TRACE_EV_BATCH | 1 << 6;
    q = rt_varint_put(q, (uint64_t)p->id);
    q = rt_varint_put(q, p->begin);
    put(w, head, (size_t)(q - head));
    put(w, p->buf, p->n);
    p->n = 0;
}

/* A record with its values, the time difference first. */
static uint8_t *
encode(uint8_t *q, unsigned type, const uint64_t *v, unsigned n)
{
    uint8_t *at = q++;
    unsigned i;
    size_t len = 0;

    for (i = 0; i < n; i++)
        len += rt_varint_size(v[i]);
    *at = (uint8_t)(type | (n > 3 ? 3u : n - 1) << 6);
    if (n > 3)
        q = rt_varint_put(q, len);
    for (i = 0; i < n; i++)
        q = rt_varint_put(q, v[i]);
    return q;
}

static void
record_at(struct rewriter *w, struct proc *p, uint64_t tick, unsigned type,
    const uint64_t *vals, unsigned n)
{
    uint64_t v[8] = {0};

    if (p->buf == NULL && (p->buf = malloc(BUF)) == NULL) {
        w->nomem = true;
        return;
    }
    if (p->n + ROOM > BUF)
        flush(w, p);
    if (tick < p->last)
        tick = p->last;
    if (p->n == 0)
        p->begin = p->last = tick;
    v[0] = tick - p->last;
    if (n > 0)
        memcpy(v + 1, vals, n * sizeof *vals);
    p->last = tick;
    p->n = (uint32_t)(encode(p->buf + p->n, type, v, n + 1) - p->buf);
    w->how->events++;
}

/* A start waits for the label that may follow it. */
static void
settle(struct rewriter *w, struct proc *p, uint64_t label)
{
    uint64_t v[3] = {p->start_g, p->start_seq, label};

    if (p->start_g == 0)
        return;
    p->start_g = 0;
    record_at(w, p, p->start_tick, label != 0 ? TRACE_EV_GO_START_LABEL :
        TRACE_EV_GO_START, v, label != 0 ? 3 : 2);
}

static void
record(struct rewriter *w, struct proc *p, unsigned type,
    const uint64_t *vals, unsigned n)
{
    if (!w->writing)
        return;
    settle(w, p, 0);
    record_at(w, p, w->tick, type, vals, n);
}

static void
record0(struct rewriter *w, struct proc *p, unsigned type)
{
    record(w, p, type, NULL, 0);
}

static void
record1(struct rewriter *w, struct proc *p, unsigned type, uint64_t v)
{
    record(w, p, type, &v, 1);
}

/* ---- goroutines */

static void
on_create(struct rewriter *w, const struct trace_event *e, struct proc *p)
{
    struct gor *g = gor(w, e->args[0]);
    uint64_t v[3];

    if (g == NULL || g->state != NONE)
        return;
    g->state = RUNNABLE;
    g->seq = 0;
    v[0] = g->id;
    v[1] = w->writing ? entry_of(w, g) : 0;
    v[2] = w->writing ? stack(w, e->stk, WHOLE) : 0;
    record(w, p, TRACE_EV_GO_CREATE, v, 3);
}

static void
on_waiting(struct rewriter *w, const struct trace_event *e, struct proc *p)
{
    struct gor *g = gor(w, e->args[0]);

    if (g == NULL || g->state != RUNNABLE || g->seq != 0)
        return;
    g->state = e->type == TRACE_EV_GO_WAITING ? WAITING : CALLING;
    g->seq++;
    record1(w, p, e->type, g->id);
}

static void
begin_proc(struct rewriter *w, struct proc *p, int64_t thread)
{
    if (thread >= 0)
        p->thread = (uint64_t)thread;
    if (p->running || p->id < 0)
        return;
    p->running = true;
    record1(w, p, TRACE_EV_PROC_START, p->thread);
}

static void
start(struct rewriter *w, struct gor *g, struct proc *p)
{
    struct gor *old;

    if (p->g != 0) { /* its end is not in the trace */
        record1(w, p, TRACE_EV_GO_SCHED, 0);
        old = gor(w, p->g);
        if (old != NULL)
            old->state = RUNNABLE;
        g = gor(w, g->id);
    }
    g->state = RUNNING;
    g->seq++;
    p->g = g->id;
    if (!w->writing)
        return;
    settle(w, p, 0);
    p->start_g = g->id;
    p->start_seq = g->seq;
    p->start_tick = w->tick;
}

static void
on_start(struct rewriter *w, const struct trace_event *e, struct proc *p)
{
    struct gor *g = gor(w, e->g);

    if (g == NULL || g->state != RUNNABLE)
        return;
    begin_proc(w, p, e->m);
    start(w, g, p);
    if (e->type == TRACE_EV_GO_START_LABEL && w->writing)
        settle(w, p, string(w, trace_file_string(w->f, e->args[2])));
}

static void
sys_exit(struct rewriter *w, struct gor *g, struct proc *p)
{
    uint64_t v[3] = {g->id, ++g->seq, 0};

    g->state = RUNNABLE;
    record(w, p, TRACE_EV_GO_SYS_EXIT, v, 3);
}

static void
on_leave(struct rewriter *w, const struct trace_event *e, struct proc *p)
{
    struct gor *g = gor(w, e->g);
    bool end = e->type == TRACE_EV_GO_END || e->type == TRACE_EV_GO_STOP;
    bool yield = e->type == TRACE_EV_GO_SCHED ||
        e->type == TRACE_EV_GO_PREEMPT;

    if (g == NULL)
        return;
    if (g->state == CALLING && end) {
        /* It ends where it is: the format wants it to run for that. */
        p = proc(w, TRACE_NO_P);
        if (p == NULL || p->g != 0)
            return;
        sys_exit(w, g, p);
        start(w, g, p);
    }
    if (g->state != RUNNING || p->g != g->id)
        return;
    if (g->assist)
        record0(w, p, TRACE_EV_MARK_ASSIST_DONE);
    g->assist = g->assist && !end && !yield ? g->assist : false;
    g->state = end ? NONE : yield ? RUNNABLE : WAITING;
    p->g = 0;
    if (e->type == TRACE_EV_GO_SYS_BLOCK) {
        g->state = CALLING;
        record0(w, p, e->type);
    } else if (e->type == TRACE_EV_GO_END) {
        record0(w, p, e->type);
    } else {
        record1(w, p, e->type, w->writing ? stack(w, e->stk, WHOLE) : 0);
    }
    g->assist = false;
}

static void
on_unblock(struct rewriter *w, const struct trace_event *e, struct proc *p)
{
    struct gor *g = gor(w, e->args[0]);
    uint64_t v[3];

    if (g == NULL || g->state != WAITING)
        return;
    g->state = RUNNABLE;
    v[0] = g->id;
    v[1] = ++g->seq;
    v[2] = w->writing ? stack(w, e->stk, WHOLE) : 0;
    record(w, p, TRACE_EV_GO_UNBLOCK, v, 3);
}

static bool
go_event(struct rewriter *w, const struct trace_event *e, struct proc *p)
{
    struct gor *g;

    if (trace_ev_leaves(e->type)) {
        on_leave(w, e, p);
        return true;
    }
    switch (e->type) {
    case TRACE_EV_GO_CREATE:
        on_create(w, e, p);
        return true;
    case TRACE_EV_GO_WAITING:
    case TRACE_EV_GO_IN_SYSCALL:
        on_waiting(w, e, p);
        return true;
    case TRACE_EV_GO_START:
    case TRACE_EV_GO_START_LOCAL:
    case TRACE_EV_GO_START_LABEL:
        on_start(w, e, p);
        return true;
    case TRACE_EV_GO_UNBLOCK:
    case TRACE_EV_GO_UNBLOCK_LOCAL:
        on_unblock(w, e, p);
        return true;
    case TRACE_EV_GO_SYS_EXIT:
        g = gor(w, e->g);
        if (g != NULL && g->state == CALLING)
            sys_exit(w, g, p);
        return true;
    case TRACE_EV_GO_SYS_CALL:
        if (p->g == e->g && e->g != 0)
            record1(w, p, e->type, w->writing ? stack(w, e->stk, WHOLE) : 0);
        return true;
    case TRACE_EV_GO_LABEL:
        if (p->start_g != 0 && p->start_g == e->g && w->writing)
            settle(w, p, string(w, trace_file_string(w->f, e->args[0])));
        return true;
    default:
        return false;
    }
}

/* ---- the rest */

/* The kind of a stop in the numbers of the new header; -1: it has none. */
static int64_t
stop_kind(const struct rewriter *w, uint64_t kind)
{
    if (w->f->version < 10)
        return -1;
    if (w->f->version < 21)
        kind++;
    if (w->how->version == 21)
        return (int64_t)(kind > 16 ? 0 : kind);
    return kind == 1 || kind == 2 ? (int64_t)kind - 1 : -1;
}

static void
on_collector(struct rewriter *w, const struct trace_event *e, struct proc *p)
{
    struct gor *g = gor(w, e->g);
    uint64_t stk = w->writing ? stack(w, e->stk, WHOLE) : 0, v[2];
    int64_t kind;

    switch (e->type) {
    case TRACE_EV_GC_START:
        if (w->gc || !w->writing)
            return;
        w->gc = true;
        v[0] = w->cycles++;
        v[1] = stk;
        record(w, p, e->type, v, 2);
        return;
    case TRACE_EV_GC_DONE:
        if (w->gc)
            record0(w, p, e->type);
        w->gc = false;
        return;
    case TRACE_EV_STW_START:
        kind = stop_kind(w, e->args[0]);
        if (w->stw || kind < 0 || !w->writing || p->g == 0)
            return;
        w->stw = p->stw = true;
        record1(w, p, e->type, (uint64_t)kind);
        return;
    case TRACE_EV_STW_DONE:
        if (w->stw)
            record0(w, p, e->type);
        w->stw = p->stw = false;
        return;
    case TRACE_EV_SWEEP_START:
        if (p->sweeping || !w->writing || p->id < 0)
            return;
        p->sweeping = true;
        record1(w, p, e->type, stk);
        return;
    case TRACE_EV_SWEEP_DONE:
        if (p->sweeping)
            record(w, p, e->type, e->args, 2);
        p->sweeping = false;
        return;
    case TRACE_EV_MARK_ASSIST_START:
        if (g == NULL || g->assist || p->g != e->g || !w->writing)
            return;
        g->assist = true;
        record1(w, p, e->type, stk);
        return;
    default:
        if (g != NULL && g->assist && p->g == e->g) {
            record0(w, p, e->type);
            g->assist = false;
        }
    }
}

static void
on_log(struct rewriter *w, const struct trace_event *e, struct proc *p)
{
    uint64_t v[3] = {e->args[0],
        string(w, trace_file_string(w->f, e->args[1])),
        stack(w, e->stk, WHOLE)};

    record(w, p, e->type, v, 3);
    if (w->nomem)
        return;
    p->n = (uint32_t)(rt_varint_put(p->buf + p->n, e->msg_len) - p->buf);
    if (p->n + e->msg_len + ROOM <= BUF) {
        memcpy(p->buf + p->n, e->msg, e->msg_len);
        p->n += e->msg_len;
        return;
    }
    flush(w, p);
    put(w, e->msg, e->msg_len);
}

static void
on_sample(struct rewriter *w, const struct trace_event *e)
{
    /* In a batch of its own: readers disagree about its time difference. */
    uint64_t v[5] = {0, w->tick, e->p < 0 ? UINT64_MAX : (uint64_t)e->p, e->g,
        stack(w, e->stk, WHOLE)};
    uint8_t buf[ROOM], *q = buf;

    *q++ = TRACE_EV_BATCH | 1 << 6;
    *q++ = 0;
    q = rt_varint_put(q, w->tick);
    q = encode(q, TRACE_EV_CPU_SAMPLE, v, 5);
    put(w, buf, (size_t)(q - buf));
    w->how->events++;
}

static void
on_other(struct rewriter *w, const struct trace_event *e, struct proc *p)
{
    uint64_t stk = w->writing ? stack(w, e->stk, WHOLE) : 0, v[4];

    switch (e->type) {
    case TRACE_EV_PROC_START:
        begin_proc(w, p, e->m >= 0 ? e->m : (int64_t)e->args[0]);
        return;
    case TRACE_EV_PROC_STOP:
        if (p->g == 0 && p->running && p->id >= 0) {
            record0(w, p, e->type);
            p->running = false;
        }
        return;
    case TRACE_EV_GOMAXPROCS:
        w->procs = e->args[0];
        v[0] = e->args[0];
        v[1] = stk;
        record(w, p, e->type, v, 2);
        return;
    case TRACE_EV_HEAP_ALLOC:
    case TRACE_EV_HEAP_GOAL:
        record1(w, p, e->type, e->args[0]);
        return;
    default:
        break;
    }
    if (!w->writing)
        return;
    v[0] = e->args[0];
    v[1] = e->args[1];
    v[2] = string(w, trace_file_string(w->f, e->args[2]));
    v[3] = stk;
    switch (e->type) {
    case TRACE_EV_USER_TASK_CREATE:
    case TRACE_EV_USER_REGION:
        record(w, p, e->type, v, 4);
        return;
    case TRACE_EV_USER_TASK_END:
        v[1] = stk;
        record(w, p, e->type, v, 2);
        return;
    case TRACE_EV_USER_LOG:
        on_log(w, e, p);
        return;
    case TRACE_EV_CPU_SAMPLE:
        on_sample(w, e);
        return;
    default:
        w->how->left_out++;
    }
}

static void
take(struct rewriter *w, const struct trace_event *e)
{
    struct proc *p = proc(w, e->p);

    if (p == NULL || go_event(w, e, p))
        return;
    if (e->type >= TRACE_EV_GC_START && e->type <= TRACE_EV_SWEEP_DONE)
        on_collector(w, e, p);
    else if (e->type == TRACE_EV_MARK_ASSIST_START ||
        e->type == TRACE_EV_MARK_ASSIST_DONE)
        on_collector(w, e, p);
    else
        on_other(w, e, p);
}

/* ---- begin and end */

/* What was when the part begins. */
static void
snapshot(struct rewriter *w)
{
    struct proc *p0 = proc(w, 0), *p;
    uint64_t i, v[3];

    w->writing = true;
    w->tick = TICK0;
    for (i = 0; p0 != NULL && i < w->gmap.count && i < w->gs_cap; i++) {
        struct gor *g = &w->gs[i];

        if (g->id == 0 || g->state == NONE)
            continue;
        v[0] = g->id;
        v[1] = entry_of(w, g);
        v[2] = 0;
        g->seq = 0;
        record(w, p0, TRACE_EV_GO_CREATE, v, 3);
        w->tick++;
        if (g->state == WAITING || g->state == CALLING) {
            g->seq++;
            record1(w, p0, g->state == WAITING ? TRACE_EV_GO_WAITING :
                TRACE_EV_GO_IN_SYSCALL, g->id);
            w->tick++;
        }
    }
    for (i = 0; i < w->pmap.count && i < w->ps_cap; i++) {
        struct gor *g;

        p = &w->ps[i];
        if (p->running)
            record1(w, p, TRACE_EV_PROC_START, p->thread);
        if (p->g == 0)
            continue;
        g = gor(w, p->g);
        p->g = 0;
        if (g != NULL) {
            g->state = RUNNABLE;
            start(w, g, p);
        }
        settle(w, p, 0);
    }
    w->tick++;
    p0 = proc(w, 0);
    if (p0 != NULL) {
        v[0] = w->procs != 0 ? w->procs : 1;
        v[1] = 0;
        record(w, p0, TRACE_EV_GOMAXPROCS, v, 2);
    }
    w->base = w->tick + 1;
}

static void
close_all(struct rewriter *w)
{
    static const uint64_t zero[2];
    uint64_t i;

    w->tick++;
    for (i = 0; i < w->pmap.count && i < w->ps_cap; i++) {
        struct proc *p = &w->ps[i];
        struct gor *g = p->g != 0 ? gor(w, p->g) : NULL;

        settle(w, p, 0);
        if (p->sweeping)
            record(w, p, TRACE_EV_SWEEP_DONE, zero, 2);
        if (g != NULL && g->assist)
            record0(w, p, TRACE_EV_MARK_ASSIST_DONE);
        if (p->stw && w->stw)
            record0(w, p, TRACE_EV_STW_DONE);
        if (w->gc && p->g != 0)
            record0(w, p, TRACE_EV_GC_DONE);
        w->gc = w->gc && p->g == 0;
        if (p->g != 0)
            record1(w, p, TRACE_EV_GO_SCHED, 0);
        if (p->running)
            record0(w, p, TRACE_EV_PROC_STOP);
    }
    if (w->gc && w->pmap.count > 0)
        record0(w, &w->ps[0], TRACE_EV_GC_DONE);
    for (i = 0; i < w->pmap.count && i < w->ps_cap; i++)
        flush(w, &w->ps[i]);
}

/* ---- tables of the new file */

static uint8_t *
put_frame(struct rewriter *w, uint8_t *q, const struct trace_rframe *fr)
{
    q = rt_varint_put(q, fr->pc);
    q = rt_varint_put(q, string(w, fr->func));
    q = rt_varint_put(q, string(w, fr->file));
    return rt_varint_put(q, fr->line);
}

static void
put_stack(struct rewriter *w, uint64_t id, const struct stack *s,
    struct trace_rframe *fr, uint8_t *buf)
{
    static const struct trace_rframe unknown = {.pc = 1};
    uint32_t n = trace_file_stack(w->f, s->src, fr, TRACE_MAX_FRAMES), i;
    uint32_t lead = n, first = 0;
    uint8_t head[2 + 2 * RT_VARINT_MAX], idn[2 * RT_VARINT_MAX], *q, *r;

    if (s->frames == UNKNOWN) {
        fr[0] = unknown;
        fr[0].func.s = "?";
        fr[0].func.len = 1;
        n = 1;
    } else if (s->frames == ROOT) {
        first = n - 1;
    }
    if (s->frames == LEAF)
        n = 1;
    /* Too long a record is refused: frames in the middle go, the root, which
     * names the goroutine, stays. */
    for (lead = n - first; ; lead = lead * 3 / 4) {
        q = buf;
        for (i = 0; i < lead; i++)
            q = put_frame(w, q, i + 1 == lead ? &fr[n - 1] : &fr[first + i]);
        if (q - buf <= MAX_BODY || lead <= 1)
            break;
    }
    r = rt_varint_put(rt_varint_put(idn, id), lead);
    head[0] = TRACE_EV_STACK | 3 << 6;
    i = (uint32_t)(rt_varint_put(head + 1, (uint64_t)(r - idn) +
        (uint64_t)(q - buf)) - head);
    put(w, head, i);
    put(w, idn, (size_t)(r - idn));
    put(w, buf, (size_t)(q - buf));
}

static void
put_tables(struct rewriter *w)
{
    struct trace_rframe *fr = malloc(TRACE_MAX_FRAMES * sizeof *fr);
    uint8_t *buf = malloc(TRACE_MAX_FRAMES * 4 * RT_VARINT_MAX);
    uint64_t i, next[NFRAMES] = {0}, freq = 1000000000;
    uint8_t head[1 + 2 * RT_VARINT_MAX], *q;

    if (fr == NULL || buf == NULL) {
        w->nomem = true;
        goto out;
    }
    put(w, head, (size_t)(encode(head, TRACE_EV_FREQUENCY, &freq, 1) - head));
    for (i = 0; i < w->nstks; i++) {
        uint8_t k = w->stks[i].frames;

        put_stack(w, next[k]++ * NFRAMES + k + 1, &w->stks[i], fr, buf);
    }
    for (i = 0; i < w->nstrs; i++) {
        head[0] = TRACE_EV_STRING;
        q = rt_varint_put(head + 1, i + 1);
        q = rt_varint_put(q, w->strs[i].len);
        put(w, head, (size_t)(q - head));
        put(w, w->strs[i].s, w->strs[i].len);
    }
out:
    free(fr);
    free(buf);
}

/* ---- */

/* Go 1.22 and later tell late what was early: the state of a goroutine at the
 * time of its first event. */
static void
learn_early(struct rewriter *w, const struct trace_event *e)
{
    struct gor *g = gor(w, e->type == TRACE_EV_GO_CREATE ? e->args[0] : e->g);

    if (g == NULL)
        return;
    if (e->type == TRACE_EV_GO_CREATE)
        g->early = RUNNABLE;
    else if (e->type == TRACE_EV_GO_WAITING)
        g->early = WAITING;
    else if (e->type == TRACE_EV_GO_IN_SYSCALL)
        g->early = CALLING;
    else if (e->type == TRACE_EV_GO_START)
        g->early = NONE;
}

/* Learns entry functions and first stacks. */
static enum rt_status
learn(struct rewriter *w, struct rt_err *err)
{
    struct trace_order *o;
    struct trace_event e;
    enum rt_status st = trace_order_new(&o, w->f, err);
    struct gor *g;

    if (st != RT_OK)
        return st;
    while (!w->nomem && (st = trace_order_next(o, &e)) == RT_OK &&
        e.ns <= w->how->to) {
        if (e.type == TRACE_EV_GO_CREATE && w->f->version >= 7 &&
            (g = gor(w, e.args[0])) != NULL)
            g->entry = e.args[1];
        if (e.snapshot && w->f->version >= 22)
            learn_early(w, &e);
        if (e.stk != 0 && e.g != 0 && e.type != TRACE_EV_CPU_SAMPLE &&
            (g = gor(w, e.g)) != NULL && g->first == 0)
            g->first = e.stk;
    }
    trace_order_free(o);
    return w->nomem || st == RT_ENOMEM ? RT_ENOMEM : RT_OK;
}

static enum rt_status
write_part(struct rewriter *w, struct rt_err *err)
{
    struct trace_order *o;
    struct trace_event e;
    enum rt_status st = trace_order_new(&o, w->f, err);
    char head[17] = {0};
    bool seen = false;
    uint64_t i;

    if (st != RT_OK)
        return st;
    for (i = 0; i < w->gmap.count && i < w->gs_cap; i++)
        w->gs[i].state = w->gs[i].early;
    snprintf(head, sizeof head, "go 1.%d trace", w->how->version);
    put(w, head, 16);
    while (!w->nomem && !w->failed &&
        (st = trace_order_next(o, &e)) == RT_OK && e.ns <= w->how->to) {
        seen = seen || e.ns >= w->how->from;
        /* What a trace begins with is no part of it; it is told anew. */
        if (!w->writing && e.ns >= w->how->from && !e.snapshot)
            snapshot(w);
        if (w->writing)
            w->tick = w->base + (uint64_t)(e.ns > w->how->from ?
                e.ns - w->how->from : 0);
        take(w, &e);
    }
    trace_order_free(o);
    if (w->nomem || st == RT_ENOMEM)
        return RT_ENOMEM;
    if (!w->writing && seen)
        snapshot(w);
    if (!w->writing)
        return rt_errf(err, RT_EFORMAT, UINT64_MAX,
            "no events between these times");
    close_all(w);
    put_tables(w);
    return w->nomem ? RT_ENOMEM : w->failed ? RT_EIO : RT_OK;
}

enum rt_status
trace_rewrite(struct trace_file *f, struct trace_rewrite *how,
    struct rt_err *e)
{
    struct rewriter w = {.f = f, .how = how};
    enum rt_status st;
    uint64_t i;

    how->events = how->left_out = how->bytes = 0;
    st = learn(&w, e);
    if (st == RT_OK)
        st = write_part(&w, e);
    for (i = 0; i < w.ps_cap; i++)
        free(w.ps[i].buf);
    free(w.gs);
    free(w.ps);
    free(w.strs);
    free(w.stks);
    trace_idmap_free(&w.gmap);
    trace_idmap_free(&w.pmap);
    trace_idmap_free(&w.strmap);
    for (i = 0; i < NFRAMES; i++)
        trace_idmap_free(&w.stkmap[i]);
    if (st == RT_ENOMEM)
        rt_errf(e, st, UINT64_MAX, "out of memory");
    return st;
}
