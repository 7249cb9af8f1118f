/* SPDX-License-Identifier: MIT */
#ifndef TRACE_RECORD_TRACE_H
#define TRACE_RECORD_TRACE_H

/*
 * The execution tracer: who writes what, and when.
 *
 * Every P embeds a struct trace_pbuf and every G a struct trace_gstate; the
 * recorder, struct trace_rec, is embedded once in the runtime.  Whoever owns
 * a P may emit into the buffer of that P; a thread without a P (sysmon,
 * netpoll, the end of a system call) emits into trace_global(r).  A call
 * site reads
 *
 *     if (trace_on(r)) {
 *         n = trace_walk(r, pcs);
 *         trace_go_block(r, b, &g->trace, TRACE_BLOCK_RECV, pcs, n);
 *     }
 *
 * Rules for every trace_<event>() function, not repeated below:
 *  - b is the buffer of a P that the calling thread owns (or has taken over
 *    from a system call: then the new owner emits, in that P's name), or
 *    trace_global(r).  A thread with a P uses the buffer of its P.
 *  - Between the trace_on() test and the return of the emit function the
 *    thread must not pass a safepoint: trace_start() and trace_stop() rely
 *    on a stopped world to exclude emitters that own a P.  Threads without
 *    one are excluded by the lock of the global buffer.
 *  - May be called with any lock of sched, gc, value and vm held: only
 *    ranks TRACE_* are taken.  Not async-signal-safe.  Allocates outside the
 *    heap, never fails visibly: where memory ends, the trace is cut.
 *  - stk is an array of n vpcs, the innermost frame first, the entry
 *    function of the goroutine last; n = 0 records no stack.  The array is
 *    copied.
 *  - "the running g" is the one that the last trace_go_start() put on b.
 *
 * The order that the file promises to its readers comes from the sequence
 * number in trace_gstate and from a Lamport clock over P and G (Note [time]
 * in writer.c), so emitters of the same G must already be ordered with each
 * other, as the scheduler's own hand-over of a G orders them.
 *
 * Ideas: Go's runtime/trace.go of 1.5 to 1.19; single-writer buffers with a
 * published length instead of per-event locks are LTTng's.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/atomic.h"
#include "runtime/base/callstack.h"
#include "runtime/base/clock.h"
#include "runtime/base/err.h"
#include "runtime/base/trace_event.h"
#include "runtime/base/tunables.h"

enum {
    TRACE_STACK_MAX = CALLSTACK_MAX, /* frames that one stack may have */
    TRACE_STACK_DEFAULT = 32, /* frames that trace_walk() asks for */
    TRACE_GLOBAL_ID = -1      /* P number of the global buffer */
};

struct trace_pbuf;

/* Embedded in each G.  Zeroed memory is a valid state. */
struct trace_gstate {
    uint64_t goid;     /* set by trace_go_create() and by the snapshot */
    uint64_t seq;      /* number of the last ordered event */
    uint64_t last;     /* tick of the last event about this G */
    const struct trace_pbuf *at; /* where the last ordered event is, if that
                                    is a P's */
    a_u32 sysblocked;  /* a GoSysBlock or GoInSyscall awaits its GoSysExit */
};

/* Which events are recorded; goroutines and Ps always are.  The names that
 * -trace-events takes are in trace_classes(). */
enum trace_class {
    TRACE_C_STACK = 1 << 0,   /* stacks of events */
    TRACE_C_SYSCALL = 1 << 1, /* system calls that keep their P */
    TRACE_C_GC = 1 << 2,      /* cycles, stops, mark assists */
    TRACE_C_SWEEP = 1 << 3,
    TRACE_C_HEAP = 1 << 4,    /* HeapAlloc and HeapGoal */
    TRACE_C_USER = 1 << 5,    /* tasks, regions, logs */
    TRACE_C_CPU = 1 << 6,     /* CPU samples */
    TRACE_C_GO = 1 << 7,      /* goroutines and Ps: always */
    TRACE_C_ALL = (1 << 8) - 1
};

struct trace_buf;
struct trace_state;

struct trace_stack;

enum { TRACE_SEEN_BITS = 8 };

/* Embedded in each P, and once in the recorder.  All fields are private to
 * trace/record; the struct is here so that a P can hold it by value. */
struct trace_pbuf {
    /* owner P only */
    uint8_t *pos;          /* next free byte of buf; NULL: no buffer */
    uint8_t *end;          /* last position at which an event may begin */
    uint64_t last;         /* tick of the last event */
    uint64_t goid;         /* G that the trace shows running here, or 0 */
    bool proc_started;     /* ProcStart without its ProcStop */
    bool sweeping;         /* GCSweepStart without its GCSweepDone */
    uint64_t thread;       /* of the last ProcStart */
    struct callpath *paths; /* [CALLPATHS] numbers of stacks in the stack table
                               that is open now, by what walks find; empty when
                               recording begins; NULL: none yet */
    /* written by the owner P under TRACE_BUF, read under TRACE_BUF */
    struct trace_buf *buf;
    /* const after init */
    int32_t id;            /* number of the P, or TRACE_GLOBAL_ID */
    /* guarded by TRACE_BUF */
    struct trace_pbuf *next;
    /* atomic, written by the owner P: events by kind since the trace began */
    a_u64 count[TRACE_EV_COUNT];
    /* owner P only: stacks that it has had lately, in the stack table that is
     * open now; empty when recording begins */
    const struct trace_stack *seen[1 << TRACE_SEEN_BITS];
};

/* Embedded once in the runtime. */
struct trace_rec {
    a_u32 on;                      /* atomic; 1 while events are recorded */
    uint32_t max_stack;            /* const while on: frames per stack */
    uint32_t classes;              /* const while on: enum trace_class */
    const struct trace_host *host; /* const after init */
    void *ctx;                     /* const after init: host's argument */
    const struct rt_clock *clock;  /* const after init */
    struct trace_state *s;         /* private */
};

/* What a goroutine does at the moment of the snapshot. */
enum trace_gstatus {
    TRACE_G_RUNNABLE,
    TRACE_G_RUNNING, /* on the P whose trace_psnap names it, the caller too */
    TRACE_G_WAITING,
    TRACE_G_SYSCALL  /* in a system call, its P taken away or about to be:
                        see trace_host.for_each_g */
};

struct trace_gsnap {
    struct trace_gstate *g;
    uint64_t goid;
    vpc entry; /* first instruction of its entry function */
    enum trace_gstatus status;
};

struct trace_psnap {
    struct trace_pbuf *b;
    struct trace_gstate *g; /* G that runs on the P and will go on running
                               when the world starts without a new
                               trace_go_start(); else NULL */
    uint64_t thread;        /* OS thread id of its M */
    bool running;           /* an M owns the P and will keep it without a new
                               trace_proc_start() */
    bool self;              /* the P of the calling thread */
};

/* One frame for a person.  The strings must live as long as the runtime. */
struct trace_frame {
    const char *func; /* "main.worker.func1"; not NUL-terminated */
    const char *file;
    uint32_t func_len;
    uint32_t file_len;
    uint32_t line;
    char room[120];   /* where symbolize() may put a name that it makes */
};

/* Why the tracer stops the world. */
enum trace_stw_reason { TRACE_STW_START, TRACE_STW_STOP };

/*
 * What the layers above do for the recorder.  One const table, set by
 * trace_rec_init() and never changed.  No lock of the recorder is held when
 * these are called.
 */
struct trace_host {
    /* Stops and starts the world.  While it is stopped no G runs, no thread
     * that owns a P emits, a thread that took a P over has finished its
     * events, and no thread without a P (sysmon, netpoll) makes a G ready: a
     * wake-up between the snapshot and `on` would be lost.  The caller of
     * trace_start() or trace_stop() may be a G (on its P) or any other
     * thread. */
    void (*stop_world)(void *ctx, enum trace_stw_reason why);
    void (*start_world)(void *ctx);
    /* World stopped.  Calls fn for every G that is not dead, each once.  A G
     * whose M is in a system call is TRACE_G_SYSCALL, whether or not that M
     * still has the P reserved: after the snapshot its return must go the
     * slow way (trace_go_sys_exit(), trace_go_start()).  A G that came back
     * but has not been started may be reported either as TRACE_G_SYSCALL or
     * as TRACE_G_RUNNABLE. */
    void (*for_each_g)(void *ctx,
        void (*fn)(void *arg, const struct trace_gsnap *g), void *arg);
    /* World stopped.  Calls fn for every P below GOMAXPROCS. */
    void (*for_each_p)(void *ctx,
        void (*fn)(void *arg, const struct trace_psnap *p), void *arg);
    /* Any thread.  The stack of the G that runs on the calling thread, at
     * most max frames; 0 where there is none. */
    uint32_t (*walk_self)(void *ctx, vpc *pcs, uint32_t max);
    /* The place in a table of CALLPATHS of the stack that walk_self() would
     * find, of the G that runs on the calling thread, `self` for the host.  It
     * holds the stack's path: with the number that has been put there, or,
     * where another stack had the place, with number 0.  NULL: a stack without
     * one.  May be NULL: then there are none. */
    struct callpath *(*path_self)(void *self, struct callpath *paths);
    /* World stopped.  The stack of a G that is not running. */
    uint32_t (*walk_g)(void *ctx, const struct trace_gstate *g, vpc *pcs,
        uint32_t max);
    /* Any thread, at any time while the runtime lives, without a P: what the
     * pc is called.  False: unknown (the trace then shows its number). */
    bool (*symbolize)(void *ctx, vpc pc, struct trace_frame *f);
    /* Calling thread: around a wait in the kernel, so that the P of a G that
     * reads or stops a trace is handed off.  May be NULL. */
    void (*block_enter)(void *ctx);
    void (*block_leave)(void *ctx);
    /* A thread of the recorder, once per trace: the file could not be written
     * or memory ran out; the trace ends here and the program goes on.  May be
     * NULL. */
    void (*failed)(void *ctx, const struct rt_err *e);
    /* Reader thread: the trace ends because it has max_bytes.  May be NULL. */
    void (*limited)(void *ctx, uint64_t bytes);
};

/* ---- life ---------------------------------------------------------- */

/* Prepares *r (any contents).  ctx is passed to every host function; clock
 * must outlive r.  RT_ENOMEM is possible. */
enum rt_status trace_rec_init(struct trace_rec *r,
    const struct trace_host *host, void *ctx, const struct rt_clock *clock);

/* Frees everything, ends a trace that is still on without its tail.  No
 * emitter may be left.  Returns after the reader thread has ended. */
void trace_rec_fini(struct trace_rec *r);

/* Prepares the buffer of P number id and makes it known to r.  World stopped
 * or the P not yet in use. */
void trace_pbuf_init(struct trace_rec *r, struct trace_pbuf *b, int32_t id);

/* Hands in what the buffer of a P that goes away still holds and forgets it.
 * World stopped; the P has had its trace_proc_stop().  Required before the
 * memory of b is freed, unless trace_rec_fini() came first; then it does
 * nothing. */
void trace_pbuf_fini(struct trace_rec *r, struct trace_pbuf *b);

/* The buffer for threads without a P. */
struct trace_pbuf *trace_global(struct trace_rec *r);

/* ---- control --------------------------------------------------------- */

struct trace_config {
    int fd;             /* file to stream to from a thread of the recorder's
                           own; -1: the program calls trace_read() */
    bool close_fd;      /* the recorder closes fd at the end, also when
                           trace_start() fails */
    uint32_t max_stack; /* frames per stack; 0 = TRACE_STACK_DEFAULT */
    uint32_t flush_ms;  /* how long an event may stay in memory; 0 = 100 */
    uint64_t max_memory; /* bytes of full buffers that may wait for the
                            reader; 0 = 64 MiB.  With a file emitters then
                            wait; without one the trace is cut. */
    uint64_t max_bytes; /* the trace ends, as by trace_stop(), when the file
                           has this size, about; 0 = never.  Only with fd. */
    uint32_t classes;   /* enum trace_class; 0 = all */
};

/* Parses a list of classes, "gc,heap,user": each word adds one, and goroutines
 * and Ps are always traced; "all" is everything, and a word with a minus sign
 * takes one away from everything ("-stack,-heap").  False where a word is
 * unknown. */
bool trace_classes(const char *text, uint32_t *classes);

/*
 * Begins a trace: stops the world, records every G and P, starts the world.
 * Any thread, with or without a P, no locks held.  RT_ESTATE "execution
 * tracer already enabled" while another is on or not yet read to its end.
 */
enum rt_status trace_start(struct trace_rec *r, const struct trace_config *c,
    struct rt_err *e);

/*
 * Ends the trace: stops the world, closes what is open, starts the world and
 * waits until the reader has taken everything.  RT_OK too if no trace is on.
 * RT_EIO with the cause if the file is incomplete, after failed() told.
 * Context as trace_start(); waits between block_enter and block_leave.
 */
enum rt_status trace_stop(struct trace_rec *r, struct rt_err *e);
/* The same for a trace that is read by trace_read(), without waiting for that:
 * for a caller by whose thread it will be read. */
void trace_stop_read(struct trace_rec *r);

/*
 * ReadTrace: the next piece of the file in *data and *n, valid until the
 * next call; blocks until there is data; *n = 0 at the end.  One reader at a
 * time: RT_ESTATE to a second one, and to anyone while a file is written.
 * Where no trace is on: RT_OK and *n = 0.
 */
enum rt_status trace_read(struct trace_rec *r, const uint8_t **data,
    size_t *n, struct rt_err *e);

/* ---- flight recorder ------------------------------------------------- */

/*
 * Records into memory, all the time, what happened last, until somebody wants
 * to see it.  The memory is a row of windows; each begins, with the world
 * stopped for a moment, with the state of every G and P, so that what is kept
 * can begin at any of them.  A trace may be started and stopped meanwhile,
 * but its start empties the flight recorder, for it numbers the events anew.
 */
struct trace_flight_config {
    int64_t min_age;    /* nanoseconds that are kept at least, where max_bytes
                           allows; 0 = 10 s */
    uint64_t max_bytes; /* about how many bytes of events are kept; 0 = 10 MiB */
};

/* Begins; RT_ESTATE "flight recorder already enabled" while it records.  The
 * context of these functions is that of trace_start(); a G's P is handed
 * off. */
enum rt_status trace_flight_start(struct trace_rec *r,
    const struct trace_flight_config *c, struct rt_err *e);

/* Ends it and frees its memory; nothing if it does not record. */
void trace_flight_stop(struct trace_rec *r);

/* Whether it records. */
bool trace_flight_on(struct trace_rec *r);

/*
 * What is kept, as a complete trace: *n bytes at *data, which the caller
 * frees.  The recorder goes on.  RT_ESTATE "cannot snapshot a disabled flight
 * recorder"; RT_ENOMEM.
 */
enum rt_status trace_flight_dump(struct trace_rec *r, uint8_t **data,
    size_t *n, struct rt_err *e);

/* ---- counters ---------------------------------------------------------- */

struct trace_stats {
    uint64_t count[TRACE_EV_COUNT]; /* events by kind */
    uint64_t events;                /* their sum */
    uint64_t bytes;                 /* bytes handed to the file or reader */
    uint64_t stacks;                /* different stacks */
    uint64_t stacks_lost;           /* events whose stack found the stack
                                       table full */
    uint64_t strings;               /* different strings */
    uint64_t memory;                /* bytes held by the recorder now, the
                                       flight recorder's included */
    uint64_t waits;                 /* times an emitter waited for the
                                       reader */
    uint64_t flight_bytes;          /* of events in the flight recorder */
    uint64_t flight_windows;        /* in which they are */
    uint64_t flight_lost;           /* times it had to begin anew for want of
                                       memory, or because it was too slow */
};

/* Counters of the current trace or, after its end, of the last one. */
void trace_get_stats(struct trace_rec *r, struct trace_stats *st);

/* ---- fast path --------------------------------------------------------- */

/* True while events are recorded: one predictable branch. */
static inline bool
trace_on(const struct trace_rec *r)
{
    return !RT_NO_TRACE && __builtin_expect(a32_load_rlx(&r->on) != 0, 0);
}

/* The stack of the running G into pcs[TRACE_STACK_MAX]; how many frames. */
static inline uint32_t
trace_walk(const struct trace_rec *r, vpc *pcs)
{
    if (__builtin_expect(r->max_stack == 0, 0))
        return 0; /* TRACE_C_STACK is off */
    return r->host->walk_self(r->ctx, pcs, r->max_stack);
}

uint64_t trace_stack_slow(struct trace_rec *r, struct trace_pbuf *b,
    struct callpath *path);

/* The number of the stack of the running G, for the events that take one: 0
 * where none is recorded.  b is the buffer of the calling thread's P, `self`
 * what the host knows the thread by.  A stack of no more frames than are asked
 * for is recorded whole, so that its path says all about it. */
static inline uint64_t
trace_stack(struct trace_rec *r, struct trace_pbuf *b, void *self)
{
    struct callpath *path = NULL;

    if (__builtin_expect(b->paths != NULL, 1))
        path = r->host->path_self(self, b->paths);
    if (__builtin_expect(
            path != NULL && path->id != 0 && path->n <= r->max_stack, 1))
        return path->id;
    return trace_stack_slow(r, b, path);
}

/* Now, in the unit of trace_go_sys_exit(). */
static inline uint64_t
trace_ticks(const struct trace_rec *r)
{
    return rt_ticks(r->clock);
}

/* ---- goroutines -------------------------------------------------------- */

/* The running g (or none) makes newg; entry = first pc of its function. */
void trace_go_create(struct trace_rec *r, struct trace_pbuf *b,
    struct trace_gstate *newg, uint64_t goid, vpc entry, const vpc *stk,
    uint32_t n);

/* g begins to run on the P.  next: at once after what the same thread has just
 * written to b, that the one before has stopped; a tick later, then, and
 * without a look at the clock, which takes as long as all the rest. */
void trace_go_start_next(struct trace_rec *r, struct trace_pbuf *b,
    struct trace_gstate *g);
void trace_go_start(struct trace_rec *r, struct trace_pbuf *b,
    struct trace_gstate *g);

/* The same with a label that the viewers show: "GC (dedicated)",
 * "GC (fractional)", "GC (idle)" for mark workers. */
void trace_go_start_label(struct trace_rec *r, struct trace_pbuf *b,
    struct trace_gstate *g, const char *label);

/* The running g has returned. */
void trace_go_end(struct trace_rec *r, struct trace_pbuf *b,
    struct trace_gstate *g);

/* The running g stops for ever: nil channel, empty select. */
void trace_go_stop(struct trace_rec *r, struct trace_pbuf *b,
    struct trace_gstate *g, const vpc *stk, uint32_t n);

/* The running g yields and stays runnable: Gosched, preemption. */
void trace_go_sched(struct trace_rec *r, struct trace_pbuf *b,
    struct trace_gstate *g, const vpc *stk, uint32_t n);
void trace_go_preempt(struct trace_rec *r, struct trace_pbuf *b,
    struct trace_gstate *g, const vpc *stk, uint32_t n);

/* Why the running g blocks.  The values are event numbers. */
enum trace_block {
    TRACE_BLOCK_SLEEP = 19,
    TRACE_BLOCK_OTHER = 20,
    TRACE_BLOCK_SEND = 22,
    TRACE_BLOCK_RECV = 23,
    TRACE_BLOCK_SELECT = 24,
    TRACE_BLOCK_SYNC = 25, /* Mutex, RWMutex, WaitGroup */
    TRACE_BLOCK_COND = 26,
    TRACE_BLOCK_NET = 27,
    TRACE_BLOCK_GC = 42    /* waits in a mark assist or for a cycle */
};

/* The running g blocks.  Must be emitted before anyone can make it ready. */
void trace_go_block(struct trace_rec *r, struct trace_pbuf *b,
    struct trace_gstate *g, enum trace_block why, const vpc *stk, uint32_t n);

/* The running g, or none, makes g ready; emitted before g is put on a queue.
 * stk is the stack of the running g. */
void trace_go_unblock(struct trace_rec *r, struct trace_pbuf *b,
    struct trace_gstate *g, const vpc *stk, uint32_t n);

/* The same two with the number that trace_stack() has given; b is a P's. */
void trace_go_block_at(struct trace_rec *r, struct trace_pbuf *b,
    struct trace_gstate *g, enum trace_block why, uint64_t stack);
void trace_go_unblock_at(struct trace_rec *r, struct trace_pbuf *b,
    struct trace_gstate *g, uint64_t stack);

/* The running g enters a system call.  A short one emits nothing more. */
void trace_go_sys_call(struct trace_rec *r, struct trace_pbuf *b,
    struct trace_gstate *g, const vpc *stk, uint32_t n);

/* The P is taken from the system call of g, and given up: by whoever took it,
 * into b of that P, in place of trace_proc_stop().  since = trace_ticks() of
 * the call, from which on the P has done nothing (0 = now).  The return of g
 * from the system call must wait for this call to be over. */
void trace_go_sys_block(struct trace_rec *r, struct trace_pbuf *b,
    struct trace_gstate *g, uint64_t since);

/* g is back from a system call that took its time but has kept its P, which
 * has been idle since: everything that happens to a call whose P is taken,
 * in b of that P. */
void trace_go_sys_kept(struct trace_rec *r, struct trace_pbuf *b,
    struct trace_gstate *g, uint64_t since);

/* g is back from a system call that lost its P.  Emitted by the owner of the
 * P that is going to run g, immediately before trace_go_start() of g: not by
 * the returning thread while it has no P, since a snapshot may be under way.
 * when = trace_ticks() of the return (0 = now).  Does nothing if the trace
 * does not show g in a blocked call, so that it may be called before every
 * start of a g that comes from a system call. */
void trace_go_sys_exit(struct trace_rec *r, struct trace_pbuf *b,
    struct trace_gstate *g, uint64_t when);

/* ---- Ps ------------------------------------------------------------------ */

/* The calling thread (its OS id) begins to use the P of b. */
void trace_proc_start(struct trace_rec *r, struct trace_pbuf *b,
    uint64_t thread);

/* The P is given up, with no running g; nothing if it was not started. */
void trace_proc_stop(struct trace_rec *r, struct trace_pbuf *b);

/* GOMAXPROCS has changed (the snapshot records the first value). */
void trace_gomaxprocs(struct trace_rec *r, struct trace_pbuf *b,
    uint64_t procs, const vpc *stk, uint32_t n);

/* ---- collector ----------------------------------------------------------- */

/* A cycle begins and ends: strictly alternating, from any P. */
void trace_gc_start(struct trace_rec *r, struct trace_pbuf *b, const vpc *stk,
    uint32_t n);
void trace_gc_done(struct trace_rec *r, struct trace_pbuf *b);

/* The two stops of a cycle, as the format numbers them. */
enum trace_stw_kind {
    TRACE_STW_MARK_TERM = 0,
    TRACE_STW_SWEEP_TERM = 1
};

/* The collector begins to stop the world, which still runs; and has started it
 * again.  Strictly alternating; no trace may begin or end in between.  Only
 * while a g runs on the P of b: the viewers look it up. */
void trace_stw_start(struct trace_rec *r, struct trace_pbuf *b,
    enum trace_stw_kind kind);
void trace_stw_done(struct trace_rec *r, struct trace_pbuf *b);

/* A run of sweeping on this P: bytes looked at, bytes freed.  Alternating
 * per P; not on the global buffer; the running g must not leave the P in
 * between. */
void trace_sweep_start(struct trace_rec *r, struct trace_pbuf *b,
    const vpc *stk, uint32_t n);
void trace_sweep_done(struct trace_rec *r, struct trace_pbuf *b,
    uint64_t swept, uint64_t reclaimed);

/* The running g pays its debt of marking; may block in between. */
void trace_mark_assist_start(struct trace_rec *r, struct trace_pbuf *b,
    const vpc *stk, uint32_t n);
void trace_mark_assist_done(struct trace_rec *r, struct trace_pbuf *b);

/* Bytes of live heap now; bytes at which the next cycle begins. */
void trace_heap_alloc(struct trace_rec *r, struct trace_pbuf *b,
    uint64_t bytes);
void trace_heap_goal(struct trace_rec *r, struct trace_pbuf *b,
    uint64_t bytes);

/* ---- the program's own annotations (package runtime/trace) --------------- */

/* Task ids are unique and not 0; parent 0 = none. */
void trace_task_create(struct trace_rec *r, struct trace_pbuf *b,
    uint64_t task, uint64_t parent, const char *name, size_t len,
    const vpc *stk, uint32_t n);
void trace_task_end(struct trace_rec *r, struct trace_pbuf *b, uint64_t task,
    const vpc *stk, uint32_t n);

/* Regions of one goroutine nest; task 0 = background. */
void trace_region(struct trace_rec *r, struct trace_pbuf *b, uint64_t task,
    bool end, const char *name, size_t len, const vpc *stk, uint32_t n);

/* A message; longer ones are cut to 16 KiB. */
void trace_log(struct trace_rec *r, struct trace_pbuf *b, uint64_t task,
    const char *key, size_t key_len, const char *msg, size_t msg_len,
    const vpc *stk, uint32_t n);

/* ---- CPU samples --------------------------------------------------------- */

/* A sample that the profiler's signal handler took earlier (when, in
 * trace_ticks()) on P p (-1: none) in goroutine goid (0: none), emitted by
 * the thread that drains the profiler's ring.  Any thread, with or without a
 * P: samples have a buffer of their own. */
void trace_cpu_sample(struct trace_rec *r, uint64_t when, int32_t p,
    uint64_t goid, const vpc *stk, uint32_t n);

#endif
