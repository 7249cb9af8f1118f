/* SPDX-License-Identifier: MIT */
/*
 * A trace of the first family as one of the second: header 1.23, which go
 * tool trace of 1.23 and later reads; one generation, a tick is a nanosecond.
 *
 * The second family has the events of a thread together, not those of a P.
 * The thread that runs a P is the one that its ProcStart names, or a made-up
 * one where that is still elsewhere.  A goroutine whose system call blocks
 * keeps the thread, and its P goes on with another one:
 *
 *     first family            second, on the thread of the P
 *     GoSysCall .. other      GoSyscallBegin GoSyscallEnd (no time between)
 *     GoSysCall GoSysBlock    GoSyscallBegin .. ProcStop
 *     GoSysExit               GoSyscallEndBlocked, on the goroutine's thread
 *
 * So a GoSysCall waits for what comes next on its P.
 */
#include "trace/read/rewrite2_int.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/hash.h"
#include "runtime/base/throw.h"
#include "runtime/base/varint.h"
#include "trace/read/v2.h"

/* ---- Ps and threads */

/* A GoSysCall after which its goroutine goes on had no duration. */
static void
settle(struct writer *w, struct proc *p)
{
    struct thread *m = rw2_thread_of(w, p);

    if (!p->calls)
        return;
    p->calls = false;
    rw2_emit_at(w, m, p->call_tick, V2_GO_SYSCALL_BEGIN, 2,
        (const uint64_t[]){++p->seq, p->call_stk});
    rw2_emit_at(w, m, p->call_tick, V2_GO_SYSCALL_END, 0, NULL);
}

/* A thread for the P: the one it names, if that is free and is none of those
 * that are made up here. */
static void
bind(struct writer *w, struct proc *p)
{
    struct thread *m = p->thread == 0 || p->thread >= MADE_UP ? NULL :
        rw2_thread(w, p->thread);

    if (m == NULL || m->busy) {
        if (w->free != 0) {
            m = &w->ms[w->free - 1];
            w->free = m->next_free;
        } else {
            m = rw2_thread(w, MADE_UP + w->made_up++);
        }
    }
    if (m == NULL)
        return;
    rt_assert(!m->busy && p->m == 0);
    m->busy = true;
    p->m = (uint32_t)(m - w->ms) + 1;
    rw2_see_running(w, p);
}

/* The thread has nothing to do any more. */
static void
release(struct writer *w, uint32_t mi)
{
    struct thread *m = &w->ms[mi - 1];

    rt_assert(mi != 0 && mi <= w->mmap.count && m->busy);
    m->busy = false;
    if (m->id >= MADE_UP && m->id < OUTSIDE) {
        m->next_free = w->free;
        w->free = mi;
    }
}

static void
begin_proc(struct writer *w, struct proc *p)
{
    if (p->m != 0 || p->id < 0 || !w->writing)
        return;
    bind(w, p);
    if (!p->known)
        EMIT(w, rw2_thread_of(w, p), V2_PROC_STATUS, (uint64_t)p->id, P_IDLE);
    p->known = true;
    EMIT(w, rw2_thread_of(w, p), V2_PROC_START, (uint64_t)p->id, ++p->seq);
}

static void
stop_proc(struct writer *w, struct proc *p)
{
    struct thread *m = rw2_thread_of(w, p);

    if (m == NULL || p->g != 0)
        return;
    if (p->sweeping)
        EMIT(w, m, V2_SWEEP_END, 0, 0);
    p->sweeping = false;
    EMIT0(w, m, V2_PROC_STOP);
    release(w, p->m);
    p->m = 0;
}

/* ---- goroutines */

/* The P begins to run the goroutine. */
static void
put_on(struct writer *w, struct proc *p, struct gor *g)
{
    rt_assert(g->p == 0);
    p->g = g->id;
    g->p = (uint32_t)(p - w->ps) + 1;
    rw2_see_running(w, p);
}

/* The P does not run the goroutine any more. */
static void
take_off(struct writer *w, struct proc *p, struct gor *g)
{
    rt_assert(p->g == g->id && g->p == (uint32_t)(p - w->ps) + 1);
    p->g = 0;
    g->p = 0;
    rw2_see_running(w, p);
}

static void
tell_procs(struct writer *w, struct proc *p)
{
    if (!w->procs_due || !w->writing)
        return;
    w->procs_due = false;
    EMIT(w, rw2_thread_of(w, p), V2_PROCS_CHANGE, w->procs, 0);
}

static void
on_create(struct writer *w, const struct trace_event *e, struct proc *p)
{
    struct gor *g = rw2_gor(w, e->args[0]);

    if (g == NULL || g->state != GONE)
        return;
    g->state = RUNNABLE;
    g->entry = w->f->version < 7 ? 0 : e->args[1];
    if (!w->writing)
        return;
    begin_proc(w, p);
    settle(w, p);
    if (p->m != 0)
        EMIT(w, rw2_thread_of(w, p), V2_GO_CREATE, g->id,
            rw2_stack(w, g->entry, LEAF), rw2_stack(w, e->stk, WHOLE));
    else
        EMIT(w, rw2_outside(w), V2_GO_STATUS_STACK, g->id, NONE, RUNNABLE,
            rw2_stack(w, g->entry, LEAF));
}

static void
on_start(struct writer *w, const struct trace_event *e, struct proc *p)
{
    struct gor *g = rw2_gor(w, e->g), *old;

    if (g == NULL || g->state != RUNNABLE || p->id < 0)
        return;
    begin_proc(w, p);
    settle(w, p);
    if (p->g != 0 && (old = rw2_gor(w, p->g)) != NULL) {
        EMIT(w, rw2_thread_of(w, p), V2_GO_STOP,
            rw2_words(w, "runtime.Gosched"), 0);
        old->state = RUNNABLE; /* its end is not in the trace */
        take_off(w, p, old);
        g = rw2_gor(w, e->g);
    }
    g->state = RUNNING;
    put_on(w, p, g);
    EMIT(w, rw2_thread_of(w, p), V2_GO_START, g->id, ++g->seq);
    tell_procs(w, p);
    if (e->type == TRACE_EV_GO_START_LABEL)
        EMIT(w, rw2_thread_of(w, p), V2_GO_LABEL,
            rw2_string(w, trace_file_string(w->f, e->args[2])));
}

static const char *
reason(unsigned type)
{
    switch (type) {
    case TRACE_EV_GO_SCHED: return "runtime.Gosched";
    case TRACE_EV_GO_PREEMPT: return "preempted";
    case TRACE_EV_GO_STOP: return "forever";
    case TRACE_EV_GO_SLEEP: return "sleep";
    case TRACE_EV_GO_BLOCK_SEND: return "chan send";
    case TRACE_EV_GO_BLOCK_RECV: return "chan receive";
    case TRACE_EV_GO_BLOCK_SELECT: return "select";
    case TRACE_EV_GO_BLOCK_SYNC: return "sync";
    case TRACE_EV_GO_BLOCK_COND: return "sync.(*Cond).Wait";
    case TRACE_EV_GO_BLOCK_NET: return "network";
    case TRACE_EV_GO_BLOCK_GC: return "GC mark assist wait for work";
    default: return "unspecified";
    }
}

/* The goroutine that had stopped the world starts it. */
static void
end_stop(struct writer *w)
{
    struct gor *g = w->stw_g == 0 ? NULL : rw2_gor(w, w->stw_g);
    struct proc *p = g == NULL || g->p == 0 ? NULL : &w->ps[g->p - 1];

    if (p == NULL || p->m == 0)
        return;
    settle(w, p);
    EMIT0(w, rw2_thread_of(w, p), V2_STW_END);
    w->stw_g = 0;
}

/* The system call of the P's goroutine blocks: it keeps the thread. */
static void
block_call(struct writer *w, struct gor *g, struct proc *p)
{
    struct thread *m = rw2_thread_of(w, p);

    if (m == NULL)
        return;
    rw2_emit_at(w, m, p->calls ? p->call_tick : w->tick, V2_GO_SYSCALL_BEGIN, 2,
        (const uint64_t[]){++p->seq, p->calls ? p->call_stk : 0});
    p->calls = false;
    if (p->sweeping)
        EMIT(w, m, V2_SWEEP_END, 0, 0);
    p->sweeping = false;
    EMIT0(w, m, V2_PROC_STOP);
    g->m = p->m;
    p->m = 0;
    rw2_see_running(w, p);
}

static void
on_leave(struct writer *w, const struct trace_event *e, struct proc *p)
{
    struct gor *g = rw2_gor(w, e->g);
    bool end = e->type == TRACE_EV_GO_END;

    if (g == NULL || g->state != RUNNING || p->g != g->id)
        return;
    if (w->stw_g == g->id)
        end_stop(w);
    if (e->type == TRACE_EV_GO_SYS_BLOCK) {
        g->state = CALLING;
        block_call(w, g, p);
        take_off(w, p, g);
        return;
    }
    settle(w, p);
    if (end && g->assist)
        EMIT0(w, rw2_thread_of(w, p), V2_ASSIST_END);
    g->assist = g->assist && !end;
    take_off(w, p, g);
    g->state = end ? GONE : trace_ev_blocks(e->type) ||
        e->type == TRACE_EV_GO_STOP ? WAITING : RUNNABLE;
    if (end)
        EMIT0(w, rw2_thread_of(w, p), V2_GO_DESTROY);
    else
        EMIT(w, rw2_thread_of(w, p), g->state == WAITING ? V2_GO_BLOCK :
            V2_GO_STOP, rw2_words(w, reason(e->type)),
            rw2_stack(w, e->stk, WHOLE));
}

static void
on_unblock(struct writer *w, const struct trace_event *e, struct proc *p)
{
    struct gor *g = rw2_gor(w, e->args[0]);
    struct thread *m;

    if (g == NULL || g->state != WAITING)
        return;
    settle(w, p);
    g->state = RUNNABLE;
    m = p->m != 0 ? rw2_thread_of(w, p) : rw2_outside(w);
    EMIT(w, m, V2_GO_UNBLOCK, g->id, ++g->seq, rw2_stack(w, e->stk, WHOLE));
}

static void
on_sys_exit(struct writer *w, const struct trace_event *e)
{
    struct gor *g = rw2_gor(w, e->g);

    if (g == NULL || g->state != CALLING)
        return;
    g->state = RUNNABLE;
    if (g->m == 0)
        return;
    EMIT0(w, &w->ms[g->m - 1], V2_GO_SYSCALL_END_BLOCKED);
    release(w, g->m);
    g->m = 0;
}

static bool
go_event(struct writer *w, const struct trace_event *e, struct proc *p)
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
        g = rw2_gor(w, e->args[0]);
        if (g != NULL && g->state == RUNNABLE && !w->writing)
            g->state = e->type == TRACE_EV_GO_WAITING ? WAITING : CALLING;
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
        on_sys_exit(w, e);
        return true;
    case TRACE_EV_GO_SYS_CALL:
        settle(w, p);
        if (p->g != e->g || e->g == 0 || p->m == 0)
            return true;
        p->calls = true;
        p->call_tick = w->tick;
        p->call_stk = rw2_stack(w, e->stk, WHOLE);
        return true;
    default:
        return false;
    }
}

/* ---- the rest */

static void
on_collector(struct writer *w, const struct trace_event *e, struct proc *p)
{
    struct gor *g = rw2_gor(w, e->g);
    struct proc *r = rw2_some_running(w, p);
    uint64_t kind;

    if (r != NULL)
        settle(w, r);
    switch (e->type) {
    case TRACE_EV_GC_START:
        if (w->gc || r == NULL)
            return;
        w->gc = true;
        EMIT(w, rw2_thread_of(w, r), V2_GC_BEGIN, ++w->gc_seq,
            rw2_stack(w, e->stk, WHOLE));
        return;
    case TRACE_EV_GC_DONE:
        if (!w->gc || r == NULL)
            return;
        w->gc = false;
        EMIT(w, rw2_thread_of(w, r), V2_GC_END, ++w->gc_seq);
        return;
    case TRACE_EV_STW_START:
        if (w->f->version < 10 || w->stw_g != 0 || r == NULL)
            return;
        kind = e->args[0] + (w->f->version < 21);
        w->stw_g = r->g;
        EMIT(w, rw2_thread_of(w, r), V2_STW_BEGIN,
            rw2_words(w, v2_stw_text(kind)),
            rw2_stack(w, e->stk, WHOLE));
        return;
    case TRACE_EV_STW_DONE:
        end_stop(w);
        return;
    case TRACE_EV_SWEEP_START:
        if (p->sweeping || p->m == 0)
            return;
        p->sweeping = true;
        EMIT(w, rw2_thread_of(w, p), V2_SWEEP_BEGIN,
            rw2_stack(w, e->stk, WHOLE));
        return;
    case TRACE_EV_SWEEP_DONE:
        if (!p->sweeping)
            return;
        p->sweeping = false;
        EMIT(w, rw2_thread_of(w, p), V2_SWEEP_END, e->args[0], e->args[1]);
        return;
    default:
        if (g == NULL || p->g != e->g || p->m == 0 || e->g == 0 ||
            g->assist == (e->type == TRACE_EV_MARK_ASSIST_START))
            return;
        g->assist = !g->assist;
        if (g->assist)
            EMIT(w, rw2_thread_of(w, p), V2_ASSIST_BEGIN,
                rw2_stack(w, e->stk, WHOLE));
        else
            EMIT0(w, rw2_thread_of(w, p), V2_ASSIST_END);
    }
}

static void
on_user(struct writer *w, const struct trace_event *e, struct proc *p)
{
    struct thread *m = rw2_thread_of(w, p);
    uint64_t stk = rw2_stack(w, e->stk, WHOLE), name;

    if (m == NULL || p->g == 0) {
        w->how->left_out++;
        return;
    }
    name = rw2_string(w, trace_file_string(w->f,
        e->args[e->type == TRACE_EV_USER_LOG ? 1 : 2]));
    switch (e->type) {
    case TRACE_EV_USER_TASK_CREATE:
        EMIT(w, m, V2_TASK_BEGIN, e->args[0], e->args[1], name, stk);
        return;
    case TRACE_EV_USER_TASK_END:
        EMIT(w, m, V2_TASK_END, e->args[0], stk);
        return;
    case TRACE_EV_USER_REGION:
        EMIT(w, m, e->args[1] == 0 ? V2_REGION_BEGIN : V2_REGION_END,
            e->args[0], name, stk);
        return;
    default:
        EMIT(w, m, V2_USER_LOG, e->args[0], name,
            rw2_string(w, (struct trace_text){e->msg, e->msg_len}), stk);
    }
}

static void
on_sample(struct writer *w, const struct trace_event *e)
{
    struct thread *b = &w->samples;
    const uint64_t v[5] = {w->tick, NONE, e->p < 0 ? NONE : (uint64_t)e->p,
        e->g == 0 ? NONE : e->g, rw2_stack(w, e->stk, WHOLE)};
    uint8_t *q;
    int i;

    if (!w->writing || !rw2_make_room(w, b))
        return;
    q = b->buf + b->n;
    if (b->n == 0) {
        b->id = NONE;
        b->begin = w->tick;
        *q++ = V2_CPU_SAMPLES;
    }
    *q++ = V2_CPU_SAMPLE;
    for (i = 0; i < 5; i++)
        q = rt_varint_put(q, v[i]);
    b->n = (uint32_t)(q - b->buf);
    w->how->events++;
}

static void
on_other(struct writer *w, const struct trace_event *e, struct proc *p)
{
    struct proc *r;

    switch (e->type) {
    case TRACE_EV_PROC_START:
        if (e->m >= 0)
            p->thread = (uint64_t)e->m;
        p->known |= !w->writing; /* a P of the snapshot */
        begin_proc(w, p);
        return;
    case TRACE_EV_PROC_STOP:
        settle(w, p);
        p->known &= w->writing;
        stop_proc(w, p);
        return;
    case TRACE_EV_GOMAXPROCS:
        w->procs = e->args[0];
        w->procs_due = true;
        r = rw2_some_running(w, p);
        if (r != NULL && w->writing) {
            settle(w, r);
            tell_procs(w, r);
        }
        return;
    case TRACE_EV_HEAP_ALLOC:
    case TRACE_EV_HEAP_GOAL:
        r = p->m != 0 ? p : rw2_some_running(w, p);
        if (r == NULL) {
            w->how->left_out++;
            return;
        }
        settle(w, r);
        EMIT(w, rw2_thread_of(w, r), e->type == TRACE_EV_HEAP_ALLOC ?
            V2_HEAP_ALLOC : V2_HEAP_GOAL, e->args[0]);
        return;
    case TRACE_EV_USER_TASK_CREATE:
    case TRACE_EV_USER_TASK_END:
    case TRACE_EV_USER_REGION:
    case TRACE_EV_USER_LOG:
        settle(w, p);
        on_user(w, e, p);
        return;
    case TRACE_EV_CPU_SAMPLE:
        on_sample(w, e);
        return;
    default:
        w->how->left_out++;
    }
}

static void
take(struct writer *w, const struct trace_event *e)
{
    struct proc *p = rw2_proc(w, e->p);

    if (p == NULL || go_event(w, e, p))
        return;
    if ((e->type >= TRACE_EV_GC_START && e->type <= TRACE_EV_SWEEP_DONE) ||
        e->type == TRACE_EV_MARK_ASSIST_START ||
        e->type == TRACE_EV_MARK_ASSIST_DONE)
        on_collector(w, e, p);
    else
        on_other(w, e, p);
}

/* ---- begin and end */

/* A goroutine that was there before the trace: where, and called what. */
static void
tell_goroutine(struct writer *w, struct gor *g)
{
    struct proc sys = {.id = -1};
    uint64_t m = NONE;

    if (g->id == 0 || g->state == GONE || g->state == RUNNING)
        return;
    if (g->state == CALLING) {
        bind(w, &sys);
        if (sys.m == 0)
            return;
        g->m = sys.m;
        m = w->ms[g->m - 1].id;
    }
    EMIT(w, rw2_outside(w), V2_GO_STATUS_STACK, g->id, m, g->state,
        rw2_stack(w, g->entry, LEAF));
}

static void
snapshot(struct writer *w)
{
    uint64_t i;

    w->writing = true;
    w->tick = TICK0;
    for (i = 0; i < w->gmap.count && i < w->gs_cap && !w->nomem; i++) {
        w->gs[i].seq = 0; /* a status begins it anew */
        tell_goroutine(w, &w->gs[i]);
    }
    for (i = 0; i < w->pmap.count && i < w->ps_cap && !w->nomem; i++) {
        struct proc *p = &w->ps[i];
        struct gor *g = p->g == 0 ? NULL : rw2_gor(w, p->g);

        p->seq = 0;
        p->known |= p->g != 0;
        if (!p->known || p->id < 0)
            continue;
        bind(w, p);
        EMIT(w, rw2_thread_of(w, p), V2_PROC_STATUS, (uint64_t)p->id,
            P_RUNNING);
        if (g == NULL)
            continue;
        EMIT(w, rw2_thread_of(w, p), V2_GO_STATUS_STACK, g->id,
            p->m == 0 ? NONE : rw2_thread_of(w, p)->id, RUNNING,
            rw2_stack(w, g->entry, LEAF));
        tell_procs(w, p);
    }
}

/* ---- */

static enum rt_status
write_all(struct writer *w, struct rt_err *err)
{
    const struct trace_event *e;
    struct trace_order *o;
    enum rt_status st = trace_order_new(&o, w->f, err);
    uint64_t i;

    if (st != RT_OK)
        return st;
    rw2_put(w, "go 1.23 trace\0\0\0", 16);
    while (!w->nomem && !w->failed &&
        (st = trace_order_get(o, &e)) == RT_OK) {
        if (!w->writing && !e->snapshot)
            snapshot(w);
        if (w->writing)
            w->tick = TICK0 + 1 + (uint64_t)e->ns;
        take(w, e);
    }
    trace_order_free(o);
    if (w->nomem || st == RT_ENOMEM)
        return RT_ENOMEM;
    if (!w->writing)
        snapshot(w);
    for (i = 0; i < w->pmap.count && i < w->ps_cap; i++)
        settle(w, &w->ps[i]);
    for (i = 0; i < w->mmap.count && i < w->ms_cap; i++)
        rw2_flush(w, &w->ms[i]);
    rw2_flush(w, &w->samples);
    rw2_put_tables(w);
    return w->nomem ? RT_ENOMEM : w->failed ? RT_EIO : RT_OK;
}

/* What is of the second family already stays as it is. */
static enum rt_status
copy(struct trace_file *f, struct trace_rewrite *how)
{
    uint64_t n = f->cut_at < f->size ? f->cut_at : f->size, at, k;

    for (at = 0; at < n; at += k) {
        k = n - at < 1 << 20 ? n - at : 1 << 20;
        if (!how->put(how->arg, f->data + at, k))
            return RT_EIO;
        trace_file_window(f, at);
    }
    how->bytes = n;
    how->events = f->nevents;
    return RT_OK;
}

enum rt_status
trace_rewrite_v2(struct trace_file *f, struct trace_rewrite *how,
    struct rt_err *e)
{
    struct writer w = {.f = f, .how = how, .seed = rt_hash_seed(how)};
    enum rt_status st;
    uint64_t i;

    how->events = how->left_out = how->bytes = 0;
    if (f->v2 != NULL)
        return copy(f, how);
    st = write_all(&w, e);
    for (i = 0; i < w.ms_cap; i++)
        free(w.ms[i].buf);
    free(w.samples.buf);
    free(w.gs);
    free(w.ps);
    free(w.running);
    free(w.ms);
    free(w.strs);
    free(w.stks);
    trace_idmap_free(&w.gmap);
    trace_idmap_free(&w.pmap);
    trace_idmap_free(&w.mmap);
    trace_idmap_free(&w.strmap);
    for (i = 0; i < NFRAMES; i++)
        trace_idmap_free(&w.stkmap[i]);
    if (st == RT_ENOMEM)
        rt_errf(e, st, UINT64_MAX, "out of memory");
    return st;
}
