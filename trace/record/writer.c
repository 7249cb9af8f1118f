/* SPDX-License-Identifier: MIT */
/*
 * One function per event.  Layout of the records: docs/TRACE-FORMAT.md.
 *
 * Note [time].  Readers merge the streams of the Ps by the smallest time
 * among those next events whose G is in the right state, and reject a file
 * whose merged times ever decrease.  Processor counters alone do not give
 * that: they are read without a fence, and may differ by some nanoseconds
 * between cores.  So every event's tick is
 *     max(counter, last tick of this P + 1, last tick of this G + 1)
 * a Lamport clock over the only two things that order events: the P's stream
 * and the G's sequence.  Events about the process (GC, stop-the-world), which
 * alternate globally, use the recorder's `order` instead of a G.
 *
 * That a system call has blocked, and its P been idle, is found out later than
 * it happened: by whoever takes the P, or at the return.  These two events,
 * and no others, bear a time that has passed, that of the call.  Nobody has
 * written to that P's stream since, and they cause nothing but what is written
 * after them, with the time of then.
 *
 * Note [sequence].  seq of a G grows at every event that makes it runnable,
 * running or waiting from outside: GoWaiting, GoInSyscall, GoStart,
 * GoStartLabel, GoUnblock, GoSysExit.  Where the one before stands on the
 * same P, GoStart and GoUnblock are the Local variants, which do not write it
 * down: the order of the P's stream is enough, since what is in between, the
 * end of a run, is there too.  That saves three bytes and more.  The first
 * start of a goroutine needs no number either, wherever it was made: readers
 * take a GoStartLocal as soon as the goroutine is runnable, and nothing has
 * made it so before its GoCreate.
 */
#include <stdlib.h>
#include <string.h>

#include "trace/record/trace_int.h"

/* For events that nothing but their P orders. */
#define NO_FLOOR NULL

/* What an event relies on that came before it on its P.  Only where nothing
 * has been dropped: then `on` has fallen, and rises in a stopped world. */
#define assert_flow(r, cond) rt_assert(!trace_on(r) || (cond))

/* Excludes the end of the trace for threads without a P; for the others the
 * stopped world does.  False: the event must be dropped, nothing is held. */
static inline bool
writer_enter(struct trace_rec *r, struct trace_pbuf *b)
{
    if (rt_likely(b->id != TRACE_GLOBAL_ID))
        return true;
    rt_lock(&r->s->global_lock);
    if (trace_on(r))
        return true;
    rt_unlock(&r->s->global_lock);
    return false;
}

static inline void
writer_leave(struct trace_rec *r, struct trace_pbuf *b)
{
    if (rt_unlikely(b->id == TRACE_GLOBAL_ID))
        rt_unlock(&r->s->global_lock);
}

/* Note [time].  when = 0: now. */
static inline uint64_t
next_tick(struct trace_rec *r, struct trace_pbuf *b, uint64_t when,
    uint64_t *floor)
{
    uint64_t now = when != 0 ? when : trace_ticks(r);

    if (rt_unlikely(now <= b->last))
        now = b->last + 1;
    if (floor != NULL) {
        if (rt_unlikely(now <= *floor))
            now = *floor + 1;
        *floor = now;
    }
    return now;
}

/* Makes the record visible to the reader. */
static inline void
publish(struct trace_pbuf *b, uint8_t *p, enum trace_ev ev)
{
    rt_assert(p > b->pos && p <= b->buf->data + TRACE_BUF_BYTES);
    b->pos = p;
    /* rel: the bytes; pairs with the acq in take_published(). */
    a32_store_rel(&b->buf->committed, (uint32_t)(p - b->buf->data));
    a64_store_rlx(&b->count[ev], a64_load_rlx(&b->count[ev]) + 1);
}

static inline bool
has_room(struct trace_rec *r, struct trace_pbuf *b, uint64_t when)
{
    return rt_likely(b->pos < b->end) || trace_buf_refill(r, b, when);
}

/*
 * One event of the time `when` (0: now): its number, then the time difference
 * and nargs further numbers.  The count of numbers goes into the top bits of
 * the first byte; from four on a byte with their length follows it.  False:
 * dropped, the trace is cut.
 */
static RT_ALWAYS_INLINE bool
put_at(struct trace_rec *r, struct trace_pbuf *b, uint64_t when,
    uint64_t *floor, enum trace_ev ev, const unsigned nargs, uint64_t a0,
    uint64_t a1, uint64_t a2, uint64_t a3)
{
    uint8_t *p, *len = NULL;
    uint64_t tick;

    if (!has_room(r, b, when))
        return false;
    tick = next_tick(r, b, when, floor);
    p = b->pos;
    *p++ = (uint8_t)(ev | (nargs < 3 ? nargs : 3) << 6);
    if (nargs >= 3)
        len = p++;
    p = rt_varint_put(p, tick - b->last);
    if (nargs >= 1)
        p = rt_varint_put(p, a0);
    if (nargs >= 2)
        p = rt_varint_put(p, a1);
    if (nargs >= 3)
        p = rt_varint_put(p, a2);
    if (nargs >= 4)
        p = rt_varint_put(p, a3);
    if (nargs >= 3)
        *len = (uint8_t)(p - len - 1);
    rt_assert(tick > b->last && p - b->pos <= TRACE_EVENT_MAX);
    b->last = tick;
    publish(b, p, ev);
    return true;
}

static RT_ALWAYS_INLINE bool
put(struct trace_rec *r, struct trace_pbuf *b, uint64_t *floor,
    enum trace_ev ev, const unsigned nargs, uint64_t a0, uint64_t a1,
    uint64_t a2, uint64_t a3)
{
    return put_at(r, b, 0, floor, ev, nargs, a0, a1, a2, a3);
}

static inline bool
put0(struct trace_rec *r, struct trace_pbuf *b, uint64_t *floor,
    enum trace_ev ev)
{
    return put(r, b, floor, ev, 0, 0, 0, 0, 0);
}

static inline bool
put1(struct trace_rec *r, struct trace_pbuf *b, uint64_t *floor,
    enum trace_ev ev, uint64_t a0)
{
    return put(r, b, floor, ev, 1, a0, 0, 0, 0);
}

static inline bool
put2(struct trace_rec *r, struct trace_pbuf *b, uint64_t *floor,
    enum trace_ev ev, uint64_t a0, uint64_t a1)
{
    return put(r, b, floor, ev, 2, a0, a1, 0, 0);
}

static inline bool
wants(const struct trace_rec *r, uint32_t class)
{
    return rt_likely((r->classes & class) != 0);
}

static inline bool
same(const struct trace_stack *st, const vpc *stk, uint32_t n)
{
    uint32_t i;

    if (st == NULL || st->n != n)
        return false;
    for (i = 0; i < n; i++) {
        if (st->pcs[i] != stk[i])
            return false;
    }
    return true;
}

/* Most stacks are few: the P remembers them by their leaf, middle, root and
 * depth.  The top bits of a product with the golden ratio keep neighbours,
 * such as the places of one function, in slots of their own (Knuth, The Art
 * of Computer Programming, vol. 3, 6.4). */
static inline uint64_t
stack_id(struct trace_rec *r, struct trace_pbuf *b, const vpc *stk, uint32_t n)
{
    const struct trace_stack **e;
    uint64_t h;

    if (n == 0)
        return 0;
    rt_assert(n <= TRACE_STACK_MAX);
    h = (stk[0] + stk[n / 2] + stk[n - 1] + n) * UINT64_C(0x9e3779b97f4a7c15);
    e = &b->seen[h >> (64 - TRACE_SEEN_BITS)];
    if (rt_unlikely(!same(*e, stk, n))) {
        const struct trace_stack *st =
            trace_stacktab_get(&r->s->stacks, stk, n);

        if (st == NULL)
            return 0;
        *e = st;
    }
    return (*e)->id;
}

/* The path is not known yet, or there is none. */
RT_NOINLINE uint64_t
trace_stack_slow(struct trace_rec *r, struct trace_pbuf *b,
    struct callpath *path)
{
    vpc pcs[TRACE_STACK_MAX];
    uint64_t id;

    rt_assert(b->id >= 0 && (path == NULL || path->n > 0));
    if (b->paths == NULL && r->host->path_self != NULL)
        b->paths = calloc(CALLPATHS, sizeof *b->paths);
    id = stack_id(r, b, pcs, trace_walk(r, pcs));
    if (path != NULL && path->n <= r->max_stack)
        path->id = (uint32_t)id;
    return id;
}

static inline uint64_t
string_id(struct trace_rec *r, const char *s, size_t len)
{
    return trace_strtab_put(&r->s->strings, s, len);
}

/* Note [sequence]: an ordered event of g is about to stand on b. */
static inline void
moves(struct trace_gstate *g, const struct trace_pbuf *b)
{
    g->seq++;
    g->at = rt_likely(b->id != TRACE_GLOBAL_ID) ? b : NULL;
}

/* ---- goroutines */

void
trace_emit_create(struct trace_rec *r, struct trace_pbuf *b,
    struct trace_gstate *newg, uint64_t goid, vpc entry, uint64_t stack)
{
    rt_assert(goid != 0);
    newg->goid = goid;
    moves(newg, b);
    newg->seq = 0;
    newg->last = 0;
    a32_store_rlx(&newg->sysblocked, 0);
    put(r, b, &newg->last, TRACE_EV_GO_CREATE, 3, goid,
        stack_id(r, b, &entry, 1), stack, 0);
}

void
trace_go_create(struct trace_rec *r, struct trace_pbuf *b,
    struct trace_gstate *newg, uint64_t goid, vpc entry, const vpc *stk,
    uint32_t n)
{
    if (!writer_enter(r, b))
        return;
    trace_emit_create(r, b, newg, goid, entry, stack_id(r, b, stk, n));
    writer_leave(r, b);
}

void
trace_emit_start(struct trace_rec *r, struct trace_pbuf *b,
    struct trace_gstate *g)
{
    rt_assert(b->id >= 0 && g->goid != 0);
    moves(g, b);
    if (put2(r, b, &g->last, TRACE_EV_GO_START, g->goid, g->seq))
        b->goid = g->goid;
}

/* when = 0: now. */
static inline void
go_start(struct trace_rec *r, struct trace_pbuf *b, struct trace_gstate *g,
    uint64_t when)
{
    rt_assert(b->id >= 0);
    assert_flow(r, b->goid == 0 && a32_load_rlx(&g->sysblocked) == 0);
    if (!writer_enter(r, b))
        return;
    if (rt_likely(g->at == b || g->seq == 0)) {
        moves(g, b);
        if (put_at(r, b, when, &g->last, TRACE_EV_GO_START_LOCAL, 1, g->goid,
                0, 0, 0))
            b->goid = g->goid;
    } else {
        trace_emit_start(r, b, g);
    }
    writer_leave(r, b);
}

void
trace_go_start(struct trace_rec *r, struct trace_pbuf *b,
    struct trace_gstate *g)
{
    go_start(r, b, g, 0);
}

void
trace_go_start_next(struct trace_rec *r, struct trace_pbuf *b,
    struct trace_gstate *g)
{
    go_start(r, b, g, b->last + 1);
}

void
trace_go_start_label(struct trace_rec *r, struct trace_pbuf *b,
    struct trace_gstate *g, const char *label)
{
    rt_assert(b->id >= 0 && label[0] != 0);
    assert_flow(r, b->goid == 0);
    if (!writer_enter(r, b))
        return;
    moves(g, b);
    if (put(r, b, &g->last, TRACE_EV_GO_START_LABEL, 3, g->goid, g->seq,
            string_id(r, label, strlen(label)), 0))
        b->goid = g->goid;
    writer_leave(r, b);
}

void
trace_go_end(struct trace_rec *r, struct trace_pbuf *b,
    struct trace_gstate *g)
{
    assert_flow(r, b->goid == g->goid);
    if (!writer_enter(r, b))
        return;
    if (put0(r, b, &g->last, TRACE_EV_GO_END))
        b->goid = 0;
    writer_leave(r, b);
}

/* The running g leaves the P. */
static inline void
off_proc(struct trace_rec *r, struct trace_pbuf *b, struct trace_gstate *g,
    enum trace_ev ev, const vpc *stk, uint32_t n)
{
    assert_flow(r, b->goid == g->goid);
    if (!writer_enter(r, b))
        return;
    if (put1(r, b, &g->last, ev, stack_id(r, b, stk, n)))
        b->goid = 0;
    writer_leave(r, b);
}

void
trace_go_stop(struct trace_rec *r, struct trace_pbuf *b,
    struct trace_gstate *g, const vpc *stk, uint32_t n)
{
    off_proc(r, b, g, TRACE_EV_GO_STOP, stk, n);
}

void
trace_go_sched(struct trace_rec *r, struct trace_pbuf *b,
    struct trace_gstate *g, const vpc *stk, uint32_t n)
{
    off_proc(r, b, g, TRACE_EV_GO_SCHED, stk, n);
}

void
trace_go_preempt(struct trace_rec *r, struct trace_pbuf *b,
    struct trace_gstate *g, const vpc *stk, uint32_t n)
{
    off_proc(r, b, g, TRACE_EV_GO_PREEMPT, stk, n);
}

void
trace_go_block(struct trace_rec *r, struct trace_pbuf *b,
    struct trace_gstate *g, enum trace_block why, const vpc *stk, uint32_t n)
{
    off_proc(r, b, g, (enum trace_ev)why, stk, n);
}

void
trace_go_block_at(struct trace_rec *r, struct trace_pbuf *b,
    struct trace_gstate *g, enum trace_block why, uint64_t stack)
{
    rt_assert(b->id >= 0);
    assert_flow(r, b->goid == g->goid);
    if (put1(r, b, &g->last, (enum trace_ev)why, stack))
        b->goid = 0;
}

static inline void
go_unblock(struct trace_rec *r, struct trace_pbuf *b, struct trace_gstate *g,
    uint64_t stack)
{
    assert_flow(r, b->goid != g->goid);
    if (rt_likely(g->at == b)) {
        g->seq++;
        put2(r, b, &g->last, TRACE_EV_GO_UNBLOCK_LOCAL, g->goid, stack);
    } else {
        moves(g, b);
        put(r, b, &g->last, TRACE_EV_GO_UNBLOCK, 3, g->goid, g->seq, stack, 0);
    }
}

void
trace_go_unblock_at(struct trace_rec *r, struct trace_pbuf *b,
    struct trace_gstate *g, uint64_t stack)
{
    rt_assert(b->id >= 0);
    go_unblock(r, b, g, stack);
}

void
trace_go_unblock(struct trace_rec *r, struct trace_pbuf *b,
    struct trace_gstate *g, const vpc *stk, uint32_t n)
{
    if (!writer_enter(r, b))
        return;
    go_unblock(r, b, g, stack_id(r, b, stk, n));
    writer_leave(r, b);
}

void
trace_emit_waiting(struct trace_rec *r, struct trace_pbuf *b,
    struct trace_gstate *g, bool in_syscall)
{
    moves(g, b);
    a32_store_rlx(&g->sysblocked, in_syscall);
    put1(r, b, &g->last,
        in_syscall ? TRACE_EV_GO_IN_SYSCALL : TRACE_EV_GO_WAITING, g->goid);
}

/* ---- system calls */

void
trace_go_sys_call(struct trace_rec *r, struct trace_pbuf *b,
    struct trace_gstate *g, const vpc *stk, uint32_t n)
{
    assert_flow(r, b->goid == g->goid && a32_load_rlx(&g->sysblocked) == 0);
    if (!wants(r, TRACE_C_SYSCALL) || !writer_enter(r, b))
        return;
    put1(r, b, &g->last, TRACE_EV_GO_SYS_CALL, stack_id(r, b, stk, n));
    writer_leave(r, b);
}

void
trace_go_sys_block(struct trace_rec *r, struct trace_pbuf *b,
    struct trace_gstate *g, uint64_t since)
{
    rt_assert(b->id >= 0);
    assert_flow(r, b->goid == g->goid && a32_load_rlx(&g->sysblocked) == 0);
    if (!writer_enter(r, b))
        return;
    if (put_at(r, b, since, &g->last, TRACE_EV_GO_SYS_BLOCK, 0, 0, 0, 0, 0))
        b->goid = 0;
    /* For Go's viewer the call ends there where the P stops, so that g does
     * not go on before. */
    if (b->proc_started &&
        put_at(r, b, since, &g->last, TRACE_EV_PROC_STOP, 0, 0, 0, 0, 0))
        b->proc_started = false;
    /* rel: seq and last of g; pairs with the acq in trace_go_sys_exit(). */
    a32_store_rel(&g->sysblocked, 1);
    writer_leave(r, b);
}

void
trace_go_sys_exit(struct trace_rec *r, struct trace_pbuf *b,
    struct trace_gstate *g, uint64_t when)
{
    assert_flow(r, b->goid != g->goid);
    if (!writer_enter(r, b))
        return;
    /* acq: pairs with the rel in trace_go_sys_block(). */
    if (a32_load_acq(&g->sysblocked) != 0) {
        a32_store_rlx(&g->sysblocked, 0);
        /* The call may have returned before the P was taken and noticed
         * after: no return before the block. */
        if (when != 0 && when < g->last)
            when = g->last;
        if (when > trace_ticks(r))
            when = 0;
        moves(g, b);
        put(r, b, &g->last, TRACE_EV_GO_SYS_EXIT, 3, g->goid, g->seq, when,
            0);
    }
    writer_leave(r, b);
}

void
trace_go_sys_kept(struct trace_rec *r, struct trace_pbuf *b,
    struct trace_gstate *g, uint64_t since)
{
    uint64_t thread = b->thread;

    trace_go_sys_block(r, b, g, since);
    trace_proc_start(r, b, thread);
    trace_go_sys_exit(r, b, g, 0);
    trace_go_start(r, b, g);
}

/* ---- Ps */

void
trace_emit_proc_start(struct trace_rec *r, struct trace_pbuf *b,
    uint64_t thread)
{
    if (b->proc_started)
        return;
    b->thread = thread;
    if (put1(r, b, NO_FLOOR, TRACE_EV_PROC_START, thread))
        b->proc_started = true;
}

void
trace_proc_start(struct trace_rec *r, struct trace_pbuf *b, uint64_t thread)
{
    rt_assert(b->id >= 0);
    trace_emit_proc_start(r, b, thread);
}

void
trace_proc_stop(struct trace_rec *r, struct trace_pbuf *b)
{
    rt_assert(b->id >= 0);
    assert_flow(r, b->goid == 0 && !b->sweeping);
    if (b->proc_started && put0(r, b, NO_FLOOR, TRACE_EV_PROC_STOP))
        b->proc_started = false;
}

void
trace_emit_gomaxprocs(struct trace_rec *r, struct trace_pbuf *b,
    uint64_t procs, uint64_t stack)
{
    rt_assert(procs > 0);
    put2(r, b, NO_FLOOR, TRACE_EV_GOMAXPROCS, procs, stack);
}

void
trace_gomaxprocs(struct trace_rec *r, struct trace_pbuf *b, uint64_t procs,
    const vpc *stk, uint32_t n)
{
    if (!writer_enter(r, b))
        return;
    trace_emit_gomaxprocs(r, b, procs, stack_id(r, b, stk, n));
    writer_leave(r, b);
}

/* ---- collector */

/* An event that alternates over the whole process: *open is its state, which
 * a trace that starts in the middle does not know about. */
static void
put_process(struct trace_rec *r, struct trace_pbuf *b, a_u32 *open, bool begin,
    enum trace_ev ev, unsigned nargs, uint64_t a0, uint64_t a1)
{
    uint64_t order;
    bool ok;

    rt_assert(nargs <= 2);
    if (a32_load_acq(open) == (begin ? 1u : 0u))
        return;
    order = a64_load_acq(&r->s->order);
    if (nargs == 0)
        ok = put0(r, b, &order, ev);
    else if (nargs == 1)
        ok = put1(r, b, &order, ev, a0);
    else
        ok = put2(r, b, &order, ev, a0, a1);
    if (!ok)
        return;
    a64_store_rel(&r->s->order, order);
    a32_store_rel(open, begin);
}

void
trace_gc_start(struct trace_rec *r, struct trace_pbuf *b, const vpc *stk,
    uint32_t n)
{
    if (!wants(r, TRACE_C_GC) || !writer_enter(r, b))
        return;
    put_process(r, b, &r->s->gc_open, true, TRACE_EV_GC_START, 2,
        a64_add_rlx(&r->s->gcseq, 1), stack_id(r, b, stk, n));
    writer_leave(r, b);
}

void
trace_gc_done(struct trace_rec *r, struct trace_pbuf *b)
{
    if (!wants(r, TRACE_C_GC) || !writer_enter(r, b))
        return;
    put_process(r, b, &r->s->gc_open, false, TRACE_EV_GC_DONE, 0, 0, 0);
    writer_leave(r, b);
}

void
trace_stw_start(struct trace_rec *r, struct trace_pbuf *b,
    enum trace_stw_kind kind)
{
    rt_assert(kind == TRACE_STW_MARK_TERM || kind == TRACE_STW_SWEEP_TERM);
    assert_flow(r, b->goid != 0);
    if (!wants(r, TRACE_C_GC) || !writer_enter(r, b))
        return;
    a32_store_rlx(&r->s->stw_kind, kind);
    put_process(r, b, &r->s->stw_open, true, TRACE_EV_STW_START, 1, kind, 0);
    writer_leave(r, b);
}

void
trace_stw_done(struct trace_rec *r, struct trace_pbuf *b)
{
    if (!wants(r, TRACE_C_GC) || !writer_enter(r, b))
        return;
    put_process(r, b, &r->s->stw_open, false, TRACE_EV_STW_DONE, 0, 0, 0);
    writer_leave(r, b);
}

void
trace_sweep_start(struct trace_rec *r, struct trace_pbuf *b, const vpc *stk,
    uint32_t n)
{
    rt_assert(b->id >= 0);
    if (wants(r, TRACE_C_SWEEP) && !b->sweeping && put1(r, b, NO_FLOOR, TRACE_EV_SWEEP_START,
            stack_id(r, b, stk, n)))
        b->sweeping = true;
}

void
trace_sweep_done(struct trace_rec *r, struct trace_pbuf *b, uint64_t swept,
    uint64_t reclaimed)
{
    rt_assert(b->id >= 0);
    if (b->sweeping && put2(r, b, NO_FLOOR, TRACE_EV_SWEEP_DONE, swept,
            reclaimed))
        b->sweeping = false;
}

void
trace_mark_assist_start(struct trace_rec *r, struct trace_pbuf *b,
    const vpc *stk, uint32_t n)
{
    rt_assert(b->id >= 0);
    if (wants(r, TRACE_C_GC))
        put1(r, b, NO_FLOOR, TRACE_EV_MARK_ASSIST_START, stack_id(r, b, stk, n));
}

void
trace_mark_assist_done(struct trace_rec *r, struct trace_pbuf *b)
{
    rt_assert(b->id >= 0);
    if (wants(r, TRACE_C_GC))
        put0(r, b, NO_FLOOR, TRACE_EV_MARK_ASSIST_DONE);
}

void
trace_heap_alloc(struct trace_rec *r, struct trace_pbuf *b, uint64_t bytes)
{
    if (!wants(r, TRACE_C_HEAP) || !writer_enter(r, b))
        return;
    put1(r, b, NO_FLOOR, TRACE_EV_HEAP_ALLOC, bytes);
    writer_leave(r, b);
}

void
trace_heap_goal(struct trace_rec *r, struct trace_pbuf *b, uint64_t bytes)
{
    if (!wants(r, TRACE_C_HEAP) || !writer_enter(r, b))
        return;
    put1(r, b, NO_FLOOR, TRACE_EV_HEAP_GOAL, bytes);
    writer_leave(r, b);
}

/* ---- annotations */

void
trace_task_create(struct trace_rec *r, struct trace_pbuf *b, uint64_t task,
    uint64_t parent, const char *name, size_t len, const vpc *stk, uint32_t n)
{
    rt_assert(task != 0 && parent != task);
    if (!wants(r, TRACE_C_USER) || !writer_enter(r, b))
        return;
    put(r, b, NO_FLOOR, TRACE_EV_USER_TASK_CREATE, 4, task, parent,
        string_id(r, name, len), stack_id(r, b, stk, n));
    writer_leave(r, b);
}

void
trace_task_end(struct trace_rec *r, struct trace_pbuf *b, uint64_t task,
    const vpc *stk, uint32_t n)
{
    rt_assert(task != 0);
    if (!wants(r, TRACE_C_USER) || !writer_enter(r, b))
        return;
    put2(r, b, NO_FLOOR, TRACE_EV_USER_TASK_END, task, stack_id(r, b, stk, n));
    writer_leave(r, b);
}

void
trace_region(struct trace_rec *r, struct trace_pbuf *b, uint64_t task,
    bool end, const char *name, size_t len, const vpc *stk, uint32_t n)
{
    if (!wants(r, TRACE_C_USER) || !writer_enter(r, b))
        return;
    put(r, b, NO_FLOOR, TRACE_EV_USER_REGION, 4, task, end,
        string_id(r, name, len), stack_id(r, b, stk, n));
    writer_leave(r, b);
}

/* The message follows the record, outside its length. */
static void
put_log(struct trace_rec *r, struct trace_pbuf *b, uint64_t task,
    uint64_t key, uint64_t stack, const char *msg, size_t len)
{
    uint64_t tick;
    uint8_t *p, *lenp;

    rt_assert(msg != NULL || len == 0);
    if (len > TRACE_LOG_MAX)
        len = TRACE_LOG_MAX;
    /* pos may be past end, by less than an event. */
    if ((b->pos >= b->end || (size_t)(b->end - b->pos) <= len) &&
        !trace_buf_refill(r, b, 0))
        return;
    tick = next_tick(r, b, 0, NO_FLOOR);
    p = b->pos;
    *p++ = TRACE_EV_USER_LOG | 3 << 6;
    lenp = p++;
    p = rt_varint_put(p, tick - b->last);
    p = rt_varint_put(p, task);
    p = rt_varint_put(p, key);
    p = rt_varint_put(p, stack);
    *lenp = (uint8_t)(p - lenp - 1);
    p = rt_varint_put(p, len);
    memcpy(p, msg, len);
    b->last = tick;
    publish(b, p + len, TRACE_EV_USER_LOG);
}

void
trace_log(struct trace_rec *r, struct trace_pbuf *b, uint64_t task,
    const char *key, size_t key_len, const char *msg, size_t msg_len,
    const vpc *stk, uint32_t n)
{
    if (!wants(r, TRACE_C_USER) || !writer_enter(r, b))
        return;
    put_log(r, b, task, string_id(r, key, key_len), stack_id(r, b, stk, n), msg,
        msg_len);
    writer_leave(r, b);
}

/* ---- CPU samples */

void
trace_cpu_sample(struct trace_rec *r, uint64_t when, int32_t p, uint64_t goid,
    const vpc *stk, uint32_t n)
{
    struct trace_state *s = r->s;

    rt_lock(&s->global_lock);
    /* One taken before the trace began would lie before its time zero. */
    if (trace_on(r) && wants(r, TRACE_C_CPU) && when >= s->start_tick)
        put(r, &s->cpu, NO_FLOOR, TRACE_EV_CPU_SAMPLE, 4, when,
            (uint64_t)(int64_t)p, goid, stack_id(r, &s->cpu, stk, n));
    rt_unlock(&s->global_lock);
}

/* ---- the end of a trace */

void
trace_emit_close_process(struct trace_rec *r, struct trace_pbuf *b, bool keep)
{
    struct trace_state *s = r->s;
    uint32_t gc = a32_load_rlx(&s->gc_open), stw = a32_load_rlx(&s->stw_open);

    put_process(r, b, &s->stw_open, false, TRACE_EV_STW_DONE, 0, 0, 0);
    put_process(r, b, &s->gc_open, false, TRACE_EV_GC_DONE, 0, 0, 0);
    if (!keep)
        return;
    a32_store_rlx(&s->gc_open, gc);
    a32_store_rlx(&s->stw_open, stw);
}

/* Viewers dereference what a running G or an open range should have been
 * followed by, so everything that began ends here.  keep: in the file only,
 * the flight recorder goes on. */
void
trace_emit_close(struct trace_rec *r, struct trace_pbuf *b, const vpc *stk,
    uint32_t n, bool keep)
{
    if (b->sweeping)
        put2(r, b, NO_FLOOR, TRACE_EV_SWEEP_DONE, 0, 0);
    if (b->goid != 0)
        put1(r, b, NO_FLOOR, TRACE_EV_GO_SCHED, stack_id(r, b, stk, n));
    if (b->proc_started)
        put0(r, b, NO_FLOOR, TRACE_EV_PROC_STOP);
    if (keep)
        return;
    b->sweeping = false;
    b->goid = 0;
    b->proc_started = false;
}
