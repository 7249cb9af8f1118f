/* SPDX-License-Identifier: MIT */
/*
 * Two passes over the ordered events: the first learns what each goroutine
 * is called by, the second keeps the state of goroutines and Ps and, once in
 * the part, writes.  Every P has a buffer, which becomes a batch when full;
 * batches of different Ps may come in any order.
 */
#include "trace/read/rewrite_int.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/varint.h"

/* ---- goroutines */

static void
on_create(struct rewriter *w, const struct trace_event *e, struct proc *p)
{
    struct gor *g = rw_gor(w, e->args[0]);
    uint64_t v[3];

    if (g == NULL || g->state != NONE)
        return;
    g->state = RUNNABLE;
    g->seq = 0;
    v[0] = g->id;
    v[1] = w->writing ? rw_entry_of(w, g) : 0;
    v[2] = w->writing ? rw_stack(w, e->stk, WHOLE) : 0;
    rw_record(w, p, TRACE_EV_GO_CREATE, v, 3);
}

static void
on_waiting(struct rewriter *w, const struct trace_event *e, struct proc *p)
{
    struct gor *g = rw_gor(w, e->args[0]);

    if (g == NULL || g->state != RUNNABLE || g->seq != 0)
        return;
    g->state = e->type == TRACE_EV_GO_WAITING ? WAITING : CALLING;
    g->seq++;
    rw_record1(w, p, e->type, g->id);
}

static void
begin_proc(struct rewriter *w, struct proc *p, int64_t thread)
{
    if (thread >= 0)
        p->thread = (uint64_t)thread;
    if (p->running || p->id < 0)
        return;
    p->running = true;
    rw_record1(w, p, TRACE_EV_PROC_START, p->thread);
}

static void
start(struct rewriter *w, struct gor *g, struct proc *p)
{
    struct gor *old;

    if (p->g != 0) { /* its end is not in the trace */
        rw_record1(w, p, TRACE_EV_GO_SCHED, 0);
        old = rw_gor(w, p->g);
        if (old != NULL)
            old->state = RUNNABLE;
        g = rw_gor(w, g->id);
    }
    g->state = RUNNING;
    g->seq++;
    p->g = g->id;
    if (!w->writing)
        return;
    rw_settle(w, p, 0);
    p->start_g = g->id;
    p->start_seq = g->seq;
    p->start_tick = w->tick;
}

static void
on_start(struct rewriter *w, const struct trace_event *e, struct proc *p)
{
    struct gor *g = rw_gor(w, e->g);

    if (g == NULL || g->state != RUNNABLE)
        return;
    begin_proc(w, p, e->m);
    start(w, g, p);
    if (e->type == TRACE_EV_GO_START_LABEL && w->writing)
        rw_settle(w, p, rw_string(w, trace_file_string(w->f, e->args[2])));
}

static void
sys_exit(struct rewriter *w, struct gor *g, struct proc *p)
{
    uint64_t v[3] = {g->id, ++g->seq, 0};

    g->state = RUNNABLE;
    rw_record(w, p, TRACE_EV_GO_SYS_EXIT, v, 3);
}

static void
on_leave(struct rewriter *w, const struct trace_event *e, struct proc *p)
{
    struct gor *g = rw_gor(w, e->g);
    bool end = e->type == TRACE_EV_GO_END || e->type == TRACE_EV_GO_STOP;
    bool yield = e->type == TRACE_EV_GO_SCHED ||
        e->type == TRACE_EV_GO_PREEMPT;

    if (g == NULL)
        return;
    if (g->state == CALLING && end) {
        /* It ends where it is: the format wants it to run for that. */
        p = rw_proc(w, TRACE_NO_P);
        if (p == NULL || p->g != 0)
            return;
        sys_exit(w, g, p);
        start(w, g, p);
    }
    if (g->state != RUNNING || p->g != g->id)
        return;
    if (g->assist)
        rw_record0(w, p, TRACE_EV_MARK_ASSIST_DONE);
    g->assist = g->assist && !end && !yield ? g->assist : false;
    g->state = end ? NONE : yield ? RUNNABLE : WAITING;
    p->g = 0;
    if (e->type == TRACE_EV_GO_SYS_BLOCK) {
        g->state = CALLING;
        rw_record0(w, p, e->type);
    } else if (e->type == TRACE_EV_GO_END) {
        rw_record0(w, p, e->type);
    } else {
        rw_record1(w, p, e->type, w->writing ? rw_stack(w, e->stk, WHOLE) : 0);
    }
    g->assist = false;
}

static void
on_unblock(struct rewriter *w, const struct trace_event *e, struct proc *p)
{
    struct gor *g = rw_gor(w, e->args[0]);
    uint64_t v[3];

    if (g == NULL || g->state != WAITING)
        return;
    g->state = RUNNABLE;
    v[0] = g->id;
    v[1] = ++g->seq;
    v[2] = w->writing ? rw_stack(w, e->stk, WHOLE) : 0;
    rw_record(w, p, TRACE_EV_GO_UNBLOCK, v, 3);
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
        g = rw_gor(w, e->g);
        if (g != NULL && g->state == CALLING)
            sys_exit(w, g, p);
        return true;
    case TRACE_EV_GO_SYS_CALL:
        if (p->g == e->g && e->g != 0)
            rw_record1(w, p, e->type,
                w->writing ? rw_stack(w, e->stk, WHOLE) : 0);
        return true;
    case TRACE_EV_GO_LABEL:
        if (p->start_g != 0 && p->start_g == e->g && w->writing)
            rw_settle(w, p, rw_string(w, trace_file_string(w->f, e->args[0])));
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
    struct gor *g = rw_gor(w, e->g);
    uint64_t stk = w->writing ? rw_stack(w, e->stk, WHOLE) : 0, v[2];
    int64_t kind;

    switch (e->type) {
    case TRACE_EV_GC_START:
        if (w->gc || !w->writing)
            return;
        w->gc = true;
        v[0] = w->cycles++;
        v[1] = stk;
        rw_record(w, p, e->type, v, 2);
        return;
    case TRACE_EV_GC_DONE:
        if (w->gc)
            rw_record0(w, p, e->type);
        w->gc = false;
        return;
    case TRACE_EV_STW_START:
        kind = stop_kind(w, e->args[0]);
        if (w->stw || kind < 0 || !w->writing || p->g == 0)
            return;
        w->stw = p->stw = true;
        rw_record1(w, p, e->type, (uint64_t)kind);
        return;
    case TRACE_EV_STW_DONE:
        if (w->stw)
            rw_record0(w, p, e->type);
        w->stw = p->stw = false;
        return;
    case TRACE_EV_SWEEP_START:
        if (p->sweeping || !w->writing || p->id < 0)
            return;
        p->sweeping = true;
        rw_record1(w, p, e->type, stk);
        return;
    case TRACE_EV_SWEEP_DONE:
        if (p->sweeping)
            rw_record(w, p, e->type, e->args, 2);
        p->sweeping = false;
        return;
    case TRACE_EV_MARK_ASSIST_START:
        if (g == NULL || g->assist || p->g != e->g || !w->writing)
            return;
        g->assist = true;
        rw_record1(w, p, e->type, stk);
        return;
    default:
        if (g != NULL && g->assist && p->g == e->g) {
            rw_record0(w, p, e->type);
            g->assist = false;
        }
    }
}

static void
on_log(struct rewriter *w, const struct trace_event *e, struct proc *p)
{
    uint64_t v[3] = {e->args[0],
        rw_string(w, trace_file_string(w->f, e->args[1])),
        rw_stack(w, e->stk, WHOLE)};

    rw_record(w, p, e->type, v, 3);
    if (w->nomem)
        return;
    p->n = (uint32_t)(rt_varint_put(p->buf + p->n, e->msg_len) - p->buf);
    if (p->n + e->msg_len + ROOM <= BUF) {
        memcpy(p->buf + p->n, e->msg, e->msg_len);
        p->n += e->msg_len;
        return;
    }
    rw_flush(w, p);
    rw_put(w, e->msg, e->msg_len);
}

static void
on_sample(struct rewriter *w, const struct trace_event *e)
{
    /* In a batch of its own: readers disagree about its time difference. */
    uint64_t v[5] = {0, w->tick, e->p < 0 ? UINT64_MAX : (uint64_t)e->p, e->g,
        rw_stack(w, e->stk, WHOLE)};
    uint8_t buf[ROOM], *q = buf;

    *q++ = TRACE_EV_BATCH | 1 << 6;
    *q++ = 0;
    q = rt_varint_put(q, w->tick);
    q = rw_encode(q, TRACE_EV_CPU_SAMPLE, v, 5);
    rw_put(w, buf, (size_t)(q - buf));
    w->how->events++;
}

static void
on_other(struct rewriter *w, const struct trace_event *e, struct proc *p)
{
    uint64_t stk = w->writing ? rw_stack(w, e->stk, WHOLE) : 0, v[4];

    switch (e->type) {
    case TRACE_EV_PROC_START:
        begin_proc(w, p, e->m >= 0 ? e->m : (int64_t)e->args[0]);
        return;
    case TRACE_EV_PROC_STOP:
        if (p->g == 0 && p->running && p->id >= 0) {
            rw_record0(w, p, e->type);
            p->running = false;
        }
        return;
    case TRACE_EV_GOMAXPROCS:
        w->procs = e->args[0];
        v[0] = e->args[0];
        v[1] = stk;
        rw_record(w, p, e->type, v, 2);
        return;
    case TRACE_EV_HEAP_ALLOC:
    case TRACE_EV_HEAP_GOAL:
        rw_record1(w, p, e->type, e->args[0]);
        return;
    default:
        break;
    }
    if (!w->writing)
        return;
    v[0] = e->args[0];
    v[1] = e->args[1];
    v[2] = rw_string(w, trace_file_string(w->f, e->args[2]));
    v[3] = stk;
    switch (e->type) {
    case TRACE_EV_USER_TASK_CREATE:
    case TRACE_EV_USER_REGION:
        rw_record(w, p, e->type, v, 4);
        return;
    case TRACE_EV_USER_TASK_END:
        v[1] = stk;
        rw_record(w, p, e->type, v, 2);
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
    struct proc *p = rw_proc(w, e->p);

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
    struct proc *p0 = rw_proc(w, 0), *p;
    uint64_t i, v[3];

    w->writing = true;
    w->tick = TICK0;
    for (i = 0; p0 != NULL && i < w->gmap.count && i < w->gs_cap; i++) {
        struct gor *g = &w->gs[i];

        if (g->id == 0 || g->state == NONE)
            continue;
        v[0] = g->id;
        v[1] = rw_entry_of(w, g);
        v[2] = 0;
        g->seq = 0;
        rw_record(w, p0, TRACE_EV_GO_CREATE, v, 3);
        w->tick++;
        if (g->state == WAITING || g->state == CALLING) {
            g->seq++;
            rw_record1(w, p0, g->state == WAITING ? TRACE_EV_GO_WAITING :
                TRACE_EV_GO_IN_SYSCALL, g->id);
            w->tick++;
        }
    }
    for (i = 0; i < w->pmap.count && i < w->ps_cap; i++) {
        struct gor *g;

        p = &w->ps[i];
        if (p->running)
            rw_record1(w, p, TRACE_EV_PROC_START, p->thread);
        if (p->g == 0)
            continue;
        g = rw_gor(w, p->g);
        p->g = 0;
        if (g != NULL) {
            g->state = RUNNABLE;
            start(w, g, p);
        }
        rw_settle(w, p, 0);
    }
    w->tick++;
    p0 = rw_proc(w, 0);
    if (p0 != NULL) {
        v[0] = w->procs != 0 ? w->procs : 1;
        v[1] = 0;
        rw_record(w, p0, TRACE_EV_GOMAXPROCS, v, 2);
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
        struct gor *g = p->g != 0 ? rw_gor(w, p->g) : NULL;

        rw_settle(w, p, 0);
        if (p->sweeping)
            rw_record(w, p, TRACE_EV_SWEEP_DONE, zero, 2);
        if (g != NULL && g->assist)
            rw_record0(w, p, TRACE_EV_MARK_ASSIST_DONE);
        if (p->stw && w->stw)
            rw_record0(w, p, TRACE_EV_STW_DONE);
        if (w->gc && p->g != 0)
            rw_record0(w, p, TRACE_EV_GC_DONE);
        w->gc = w->gc && p->g == 0;
        if (p->g != 0)
            rw_record1(w, p, TRACE_EV_GO_SCHED, 0);
        if (p->running)
            rw_record0(w, p, TRACE_EV_PROC_STOP);
    }
    if (w->gc && w->pmap.count > 0)
        rw_record0(w, &w->ps[0], TRACE_EV_GC_DONE);
    for (i = 0; i < w->pmap.count && i < w->ps_cap; i++)
        rw_flush(w, &w->ps[i]);
}

/* ---- */

/* Go 1.22 and later tell late what was early: the state of a goroutine at the
 * time of its first event. */
static void
learn_early(struct rewriter *w, const struct trace_event *e)
{
    bool creates = e->type == TRACE_EV_GO_CREATE;
    struct gor *g = rw_gor(w, creates ? e->args[0] : e->g);

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
            (g = rw_gor(w, e.args[0])) != NULL)
            g->entry = e.args[1];
        if (e.snapshot && w->f->version >= 22)
            learn_early(w, &e);
        if (e.stk != 0 && e.g != 0 && e.type != TRACE_EV_CPU_SAMPLE &&
            (g = rw_gor(w, e.g)) != NULL && g->first == 0)
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
    rw_put(w, head, 16);
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
    rw_put_tables(w);
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
