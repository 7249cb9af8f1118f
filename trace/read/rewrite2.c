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
#include "trace/read/rewrite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/varint.h"
#include "trace/read/v2.h"

#define NONE UINT64_MAX     /* no thread, no P, no goroutine */
#define OUTSIDE (NONE - 1)  /* thread of what happens on no P */
#define MADE_UP (UINT64_C(1) << 40) /* threads from here on are */

enum {
    BUF = 1 << 14, /* bytes of a batch; at most V2_MAX_BATCH */
    ROOM = 1 + 6 * RT_VARINT_MAX,
    TICK0 = 1000,
    GEN = 1
};

enum { P_RUNNING = 1, P_IDLE };
enum gstate { GONE, RUNNABLE, RUNNING, CALLING, WAITING }; /* as in GoStatus */
enum frames { WHOLE, LEAF, NFRAMES };

struct gor {
    uint64_t id, seq, entry;
    uint32_t m;        /* CALLING: its thread, index + 1 */
    uint8_t state;
    bool assist;
};

struct proc {
    int64_t id;
    uint64_t g, seq, thread;
    uint64_t call_tick, call_stk; /* a GoSysCall that is not written yet */
    uint32_t m;        /* index + 1 of its thread; 0 = does not run */
    bool known, calls, sweeping;
};

struct thread {
    uint64_t id;
    uint8_t *buf;
    uint32_t n;
    uint64_t begin, last; /* ticks of the batch and of its last event */
    uint32_t next_free;   /* made-up ones: index + 1 of the next */
    bool busy;            /* has a P, or a goroutine in a system call */
};

struct stack {
    uint64_t src;
    uint8_t frames;
};

struct writer {
    struct trace_file *f;
    struct trace_rewrite *how;
    struct trace_idmap gmap, pmap, mmap, strmap, stkmap[NFRAMES];
    struct gor *gs;
    struct proc *ps;
    struct thread *ms;
    struct trace_text *strs;
    struct stack *stks;
    uint64_t gs_cap, ps_cap, ms_cap, strs_cap, stks_cap, nstks;
    uint64_t tick, made_up, procs, gc_seq, stw_g;
    uint32_t free;         /* made-up threads that are free: index + 1 */
    struct thread samples; /* the batch of CPU samples */
    bool writing, gc, procs_due, nomem, failed;
};

/* ---- tables */

static struct gor *
gor(struct writer *w, uint64_t id)
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
proc(struct writer *w, int64_t id)
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

static struct thread *
thread(struct writer *w, uint64_t id)
{
    bool fresh;
    int64_t i = trace_idmap_put(&w->mmap, id, &fresh);

    if (i < 0 || !trace_grow(&w->ms, &w->ms_cap, (uint64_t)i, sizeof *w->ms)) {
        w->nomem = true;
        return NULL;
    }
    w->ms[i].id = id;
    return &w->ms[i];
}

/* For what happens on no P. */
static struct thread *
outside(struct writer *w)
{
    return thread(w, OUTSIDE);
}

static uint64_t
string(struct writer *w, struct trace_text t)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    uint32_t k;
    bool fresh;
    int64_t i;

    if (t.len == 0)
        return 0;
    if (t.len > V2_MAX_STRING)
        t.len = V2_MAX_STRING;
    for (k = 0; k < t.len; k++)
        h = (h ^ (uint8_t)t.s[k]) * UINT64_C(0x100000001b3);
    /* Of two texts with one hash, the later one goes by the next. */
    for (;; h++) {
        i = trace_idmap_put(&w->strmap, h, &fresh);
        if (i < 0 || !trace_grow(&w->strs, &w->strs_cap, (uint64_t)i,
                sizeof *w->strs)) {
            w->nomem = true;
            return 0;
        }
        if (fresh)
            w->strs[i] = t;
        if (fresh || (w->strs[i].len == t.len &&
            memcmp(w->strs[i].s, t.s, t.len) == 0))
            return (uint64_t)i + 1;
    }
}

static uint64_t
words(struct writer *w, const char *s)
{
    return string(w, (struct trace_text){s, (uint32_t)strlen(s)});
}

static uint64_t
stack(struct writer *w, uint64_t src, enum frames frames)
{
    bool fresh;
    int64_t i;

    if (!w->writing || !trace_file_has_stack(w->f, src))
        return 0;
    i = trace_idmap_put(&w->stkmap[frames], src, &fresh);
    if (i < 0 || !trace_grow(&w->stks, &w->stks_cap, w->nstks,
            sizeof *w->stks)) {
        w->nomem = true;
        return 0;
    }
    if (fresh) {
        w->stks[w->nstks].src = src;
        w->stks[w->nstks++].frames = (uint8_t)frames;
    }
    return (uint64_t)i * NFRAMES + frames + 1;
}

/* ---- bytes */

static void
put(struct writer *w, const void *data, size_t n)
{
    if (!w->failed && n > 0 && !w->how->put(w->how->arg, data, n))
        w->failed = true;
    w->how->bytes += n;
}

static void
put_batch(struct writer *w, uint64_t m, uint64_t tick, const uint8_t *body,
    uint64_t n)
{
    uint8_t head[1 + 4 * RT_VARINT_MAX], *q = head;

    *q++ = V2_BATCH;
    q = rt_varint_put(q, GEN);
    q = rt_varint_put(q, m);
    q = rt_varint_put(q, tick);
    q = rt_varint_put(q, n);
    put(w, head, (size_t)(q - head));
    put(w, body, n);
}

static void
flush(struct writer *w, struct thread *m)
{
    if (m->n > 0)
        put_batch(w, m->id, m->begin, m->buf, m->n);
    m->n = 0;
}

static bool
make_room(struct writer *w, struct thread *m)
{
    if (m->buf == NULL && (m->buf = malloc(BUF)) == NULL)
        w->nomem = true;
    else if (m->n + ROOM > BUF)
        flush(w, m);
    return !w->nomem;
}

static void
emit_at(struct writer *w, struct thread *m, uint64_t tick, unsigned type,
    unsigned n, const uint64_t *v)
{
    uint8_t *q;
    unsigned i;

    if (!w->writing || m == NULL || !make_room(w, m))
        return;
    if (tick < m->last)
        tick = m->last;
    if (m->n == 0)
        m->begin = m->last = tick;
    q = m->buf + m->n;
    *q++ = (uint8_t)type;
    q = rt_varint_put(q, tick - m->last);
    for (i = 0; i < n; i++)
        q = rt_varint_put(q, v[i]);
    m->n = (uint32_t)(q - m->buf);
    m->last = tick;
    w->how->events++;
}

#define EMIT(w, m, type, ...) \
    emit_at(w, m, (w)->tick, type, \
        sizeof((uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t), \
        (const uint64_t[]){__VA_ARGS__})
#define EMIT0(w, m, type) emit_at(w, m, (w)->tick, type, 0, NULL)

static struct thread *
thread_of(struct writer *w, const struct proc *p)
{
    return p->m == 0 ? NULL : &w->ms[p->m - 1];
}

/* Any P that runs a goroutine: for events that need one and have none. */
static struct proc *
some_running(struct writer *w, struct proc *p)
{
    uint64_t i;

    if (p->m != 0 && p->g != 0)
        return p;
    for (i = 0; i < w->pmap.count && i < w->ps_cap; i++) {
        if (w->ps[i].m != 0 && w->ps[i].g != 0)
            return &w->ps[i];
    }
    return NULL;
}

/* ---- Ps and threads */

/* A GoSysCall after which its goroutine goes on had no duration. */
static void
settle(struct writer *w, struct proc *p)
{
    struct thread *m = thread_of(w, p);

    if (!p->calls)
        return;
    p->calls = false;
    emit_at(w, m, p->call_tick, V2_GO_SYSCALL_BEGIN, 2,
        (const uint64_t[]){++p->seq, p->call_stk});
    emit_at(w, m, p->call_tick, V2_GO_SYSCALL_END, 0, NULL);
}

/* A thread for the P: the one it names, if that is free. */
static void
bind(struct writer *w, struct proc *p)
{
    struct thread *m = p->thread == 0 ? NULL : thread(w, p->thread);

    if (m == NULL || m->busy) {
        if (w->free != 0) {
            m = &w->ms[w->free - 1];
            w->free = m->next_free;
        } else {
            m = thread(w, MADE_UP + w->made_up++);
        }
    }
    if (m == NULL)
        return;
    m->busy = true;
    p->m = (uint32_t)(m - w->ms) + 1;
}

/* The thread has nothing to do any more. */
static void
release(struct writer *w, uint32_t mi)
{
    struct thread *m = &w->ms[mi - 1];

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
        EMIT(w, thread_of(w, p), V2_PROC_STATUS, (uint64_t)p->id, P_IDLE);
    p->known = true;
    EMIT(w, thread_of(w, p), V2_PROC_START, (uint64_t)p->id, ++p->seq);
}

static void
stop_proc(struct writer *w, struct proc *p)
{
    struct thread *m = thread_of(w, p);

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

static void
tell_procs(struct writer *w, struct proc *p)
{
    if (!w->procs_due || !w->writing)
        return;
    w->procs_due = false;
    EMIT(w, thread_of(w, p), V2_PROCS_CHANGE, w->procs, 0);
}

static void
on_create(struct writer *w, const struct trace_event *e, struct proc *p)
{
    struct gor *g = gor(w, e->args[0]);

    if (g == NULL || g->state != GONE)
        return;
    g->state = RUNNABLE;
    g->entry = w->f->version < 7 ? 0 : e->args[1];
    if (!w->writing)
        return;
    begin_proc(w, p);
    settle(w, p);
    if (p->m != 0)
        EMIT(w, thread_of(w, p), V2_GO_CREATE, g->id,
            stack(w, g->entry, LEAF), stack(w, e->stk, WHOLE));
    else
        EMIT(w, outside(w), V2_GO_STATUS_STACK, g->id, NONE, RUNNABLE,
            stack(w, g->entry, LEAF));
}

static void
on_start(struct writer *w, const struct trace_event *e, struct proc *p)
{
    struct gor *g = gor(w, e->g), *old;

    if (g == NULL || g->state != RUNNABLE || p->id < 0)
        return;
    begin_proc(w, p);
    settle(w, p);
    if (p->g != 0 && (old = gor(w, p->g)) != NULL) {
        EMIT(w, thread_of(w, p), V2_GO_STOP, words(w, "runtime.Gosched"), 0);
        old->state = RUNNABLE; /* its end is not in the trace */
        g = gor(w, e->g);
    }
    g->state = RUNNING;
    p->g = g->id;
    EMIT(w, thread_of(w, p), V2_GO_START, g->id, ++g->seq);
    tell_procs(w, p);
    if (e->type == TRACE_EV_GO_START_LABEL)
        EMIT(w, thread_of(w, p), V2_GO_LABEL,
            string(w, trace_file_string(w->f, e->args[2])));
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

static void
end_stop(struct writer *w, uint64_t g)
{
    uint64_t i;

    for (i = 0; g != 0 && i < w->pmap.count && i < w->ps_cap; i++) {
        struct proc *p = &w->ps[i];

        if (p->g == g && p->m != 0) {
            settle(w, p);
            EMIT0(w, thread_of(w, p), V2_STW_END);
            w->stw_g = 0;
        }
    }
}

/* The system call of the P's goroutine blocks: it keeps the thread. */
static void
block_call(struct writer *w, struct gor *g, struct proc *p)
{
    struct thread *m = thread_of(w, p);

    if (m == NULL)
        return;
    emit_at(w, m, p->calls ? p->call_tick : w->tick, V2_GO_SYSCALL_BEGIN, 2,
        (const uint64_t[]){++p->seq, p->calls ? p->call_stk : 0});
    p->calls = false;
    if (p->sweeping)
        EMIT(w, m, V2_SWEEP_END, 0, 0);
    p->sweeping = false;
    EMIT0(w, m, V2_PROC_STOP);
    g->m = p->m;
    p->m = 0;
}

static void
on_leave(struct writer *w, const struct trace_event *e, struct proc *p)
{
    struct gor *g = gor(w, e->g);
    bool end = e->type == TRACE_EV_GO_END;

    if (g == NULL || g->state != RUNNING || p->g != g->id)
        return;
    if (w->stw_g == g->id)
        end_stop(w, g->id);
    if (e->type == TRACE_EV_GO_SYS_BLOCK) {
        g->state = CALLING;
        block_call(w, g, p);
        p->g = 0;
        return;
    }
    settle(w, p);
    if (end && g->assist)
        EMIT0(w, thread_of(w, p), V2_ASSIST_END);
    g->assist = g->assist && !end;
    p->g = 0;
    g->state = end ? GONE : trace_ev_blocks(e->type) ||
        e->type == TRACE_EV_GO_STOP ? WAITING : RUNNABLE;
    if (end)
        EMIT0(w, thread_of(w, p), V2_GO_DESTROY);
    else
        EMIT(w, thread_of(w, p), g->state == WAITING ? V2_GO_BLOCK :
            V2_GO_STOP, words(w, reason(e->type)), stack(w, e->stk, WHOLE));
}

static void
on_unblock(struct writer *w, const struct trace_event *e, struct proc *p)
{
    struct gor *g = gor(w, e->args[0]);
    struct thread *m;

    if (g == NULL || g->state != WAITING)
        return;
    settle(w, p);
    g->state = RUNNABLE;
    m = p->m != 0 ? thread_of(w, p) : outside(w);
    EMIT(w, m, V2_GO_UNBLOCK, g->id, ++g->seq, stack(w, e->stk, WHOLE));
}

static void
on_sys_exit(struct writer *w, const struct trace_event *e)
{
    struct gor *g = gor(w, e->g);

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
        g = gor(w, e->args[0]);
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
        p->call_stk = stack(w, e->stk, WHOLE);
        return true;
    default:
        return false;
    }
}

/* ---- the rest */

static void
on_collector(struct writer *w, const struct trace_event *e, struct proc *p)
{
    struct gor *g = gor(w, e->g);
    struct proc *r = some_running(w, p);
    uint64_t kind;

    if (r != NULL)
        settle(w, r);
    switch (e->type) {
    case TRACE_EV_GC_START:
        if (w->gc || r == NULL)
            return;
        w->gc = true;
        EMIT(w, thread_of(w, r), V2_GC_BEGIN, ++w->gc_seq,
            stack(w, e->stk, WHOLE));
        return;
    case TRACE_EV_GC_DONE:
        if (!w->gc || r == NULL)
            return;
        w->gc = false;
        EMIT(w, thread_of(w, r), V2_GC_END, ++w->gc_seq);
        return;
    case TRACE_EV_STW_START:
        if (w->f->version < 10 || w->stw_g != 0 || r == NULL)
            return;
        kind = e->args[0] + (w->f->version < 21);
        w->stw_g = r->g;
        EMIT(w, thread_of(w, r), V2_STW_BEGIN, words(w, v2_stw_text(kind)),
            stack(w, e->stk, WHOLE));
        return;
    case TRACE_EV_STW_DONE:
        end_stop(w, w->stw_g);
        return;
    case TRACE_EV_SWEEP_START:
        if (p->sweeping || p->m == 0)
            return;
        p->sweeping = true;
        EMIT(w, thread_of(w, p), V2_SWEEP_BEGIN, stack(w, e->stk, WHOLE));
        return;
    case TRACE_EV_SWEEP_DONE:
        if (!p->sweeping)
            return;
        p->sweeping = false;
        EMIT(w, thread_of(w, p), V2_SWEEP_END, e->args[0], e->args[1]);
        return;
    default:
        if (g == NULL || p->g != e->g || p->m == 0 || e->g == 0 ||
            g->assist == (e->type == TRACE_EV_MARK_ASSIST_START))
            return;
        g->assist = !g->assist;
        if (g->assist)
            EMIT(w, thread_of(w, p), V2_ASSIST_BEGIN,
                stack(w, e->stk, WHOLE));
        else
            EMIT0(w, thread_of(w, p), V2_ASSIST_END);
    }
}

static void
on_user(struct writer *w, const struct trace_event *e, struct proc *p)
{
    struct thread *m = thread_of(w, p);
    uint64_t stk = stack(w, e->stk, WHOLE), name;

    if (m == NULL || p->g == 0) {
        w->how->left_out++;
        return;
    }
    name = string(w, trace_file_string(w->f,
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
            string(w, (struct trace_text){e->msg, e->msg_len}), stk);
    }
}

static void
on_sample(struct writer *w, const struct trace_event *e)
{
    struct thread *b = &w->samples;
    const uint64_t v[5] = {w->tick, NONE, e->p < 0 ? NONE : (uint64_t)e->p,
        e->g == 0 ? NONE : e->g, stack(w, e->stk, WHOLE)};
    uint8_t *q;
    int i;

    if (!w->writing || !make_room(w, b))
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
        r = some_running(w, p);
        if (r != NULL && w->writing) {
            settle(w, r);
            tell_procs(w, r);
        }
        return;
    case TRACE_EV_HEAP_ALLOC:
    case TRACE_EV_HEAP_GOAL:
        r = p->m != 0 ? p : some_running(w, p);
        if (r == NULL) {
            w->how->left_out++;
            return;
        }
        settle(w, r);
        EMIT(w, thread_of(w, r), e->type == TRACE_EV_HEAP_ALLOC ?
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
    struct proc *p = proc(w, e->p);

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
    EMIT(w, outside(w), V2_GO_STATUS_STACK, g->id, m, g->state,
        stack(w, g->entry, LEAF));
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
        struct gor *g = p->g == 0 ? NULL : gor(w, p->g);

        p->seq = 0;
        p->known |= p->g != 0;
        if (!p->known || p->id < 0)
            continue;
        bind(w, p);
        EMIT(w, thread_of(w, p), V2_PROC_STATUS, (uint64_t)p->id, P_RUNNING);
        if (g == NULL)
            continue;
        EMIT(w, thread_of(w, p), V2_GO_STATUS_STACK, g->id,
            p->m == 0 ? NONE : thread_of(w, p)->id, RUNNING,
            stack(w, g->entry, LEAF));
        tell_procs(w, p);
    }
}

/* ---- tables of the generation */

struct table {
    struct writer *w;
    uint8_t *buf;
    uint32_t n;
    uint8_t type;
};

static void
end_table(struct table *t)
{
    if (t->n > 1)
        put_batch(t->w, NONE, TICK0, t->buf, t->n);
    t->buf[0] = t->type;
    t->n = 1;
}

static uint8_t *
table_room(struct table *t, uint32_t n)
{
    if (t->n + n > V2_MAX_BATCH)
        end_table(t);
    return t->buf + t->n;
}

static void
put_stack(struct table *t, uint64_t id, const struct stack *s,
    struct trace_rframe *fr)
{
    uint32_t n = trace_file_stack(t->w->f, s->src, fr, TRACE_MAX_FRAMES), i;
    uint32_t keep = n < V2_MAX_FRAMES ? n : V2_MAX_FRAMES;
    uint8_t *q = table_room(t, (2 + 4 * V2_MAX_FRAMES) * RT_VARINT_MAX);

    if (s->frames == LEAF)
        keep = n = 1;
    *q++ = V2_STACK;
    q = rt_varint_put(q, id);
    q = rt_varint_put(q, keep);
    for (i = 0; i < keep; i++) {
        /* Where some are too many, the root stays. */
        const struct trace_rframe *k = &fr[i + 1 == keep ? n - 1 : i];

        q = rt_varint_put(q, k->pc);
        q = rt_varint_put(q, string(t->w, k->func));
        q = rt_varint_put(q, string(t->w, k->file));
        q = rt_varint_put(q, k->line);
    }
    t->n = (uint32_t)(q - t->buf);
}

static void
put_string(struct table *t, uint64_t id, struct trace_text s)
{
    uint8_t *q = table_room(t, 1 + 2 * RT_VARINT_MAX + s.len);

    *q++ = V2_STRING;
    q = rt_varint_put(q, id);
    q = rt_varint_put(q, s.len);
    memcpy(q, s.s, s.len);
    t->n = (uint32_t)(q + s.len - t->buf);
}

static void
put_tables(struct writer *w)
{
    struct trace_rframe *fr = malloc(TRACE_MAX_FRAMES * sizeof *fr);
    struct table t = {w, malloc(V2_MAX_BATCH), 0, V2_STACKS};
    uint64_t i, next[NFRAMES] = {0};
    uint8_t freq[1 + RT_VARINT_MAX] = {V2_FREQUENCY};

    w->nomem |= fr == NULL || t.buf == NULL;
    if (!w->nomem) {
        put_batch(w, NONE, TICK0, freq,
            (uint64_t)(rt_varint_put(freq + 1, 1000000000) - freq));
        end_table(&t);
        for (i = 0; i < w->nstks; i++) {
            uint8_t k = w->stks[i].frames;

            put_stack(&t, next[k]++ * NFRAMES + k + 1, &w->stks[i], fr);
        }
        t.type = V2_STRINGS;
        end_table(&t);
        for (i = 0; i < w->strmap.count; i++)
            put_string(&t, i + 1, w->strs[i]);
        end_table(&t);
    }
    free(fr);
    free(t.buf);
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
    put(w, "go 1.23 trace\0\0\0", 16);
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
        flush(w, &w->ms[i]);
    flush(w, &w->samples);
    put_tables(w);
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
    struct writer w = {.f = f, .how = how};
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
