/* SPDX-License-Identifier: MIT */
#ifndef SCHED_SCHED_H
#define SCHED_SCHED_H

/*
 * The scheduler: G (goroutine), M (OS thread), P (the right to run script
 * code), after Go's runtime/proc.go and the design documents of Dmitry
 * Vyukov.  This header is the contract for the layers above; sched_int.h is
 * for this folder only.
 *
 * A goroutine has no C stack.  An M's C stack is in schedule(), which picks a
 * runnable g and calls host->run_g(); that returns when the goroutine has
 * parked, yielded or ended, and says which.  Whoever makes a goroutine
 * waiting does it in two steps:
 *
 *   1. sched_park_begin(g, reason): state running -> waiting, with the lock
 *      that guards the wait queue held; the caller has saved everything that
 *      the goroutine needs to go on (pc, fp) BEFORE;
 *   2. release that lock and return VM_PARK up to schedule() without
 *      touching the goroutine again: another M may run it by now.
 *
 * So no "commit" callback after the switch is needed (unlike gopark).
 * Wakers deliver values straight into the waiting goroutine's frame, set
 * g->wake_ok, and call sched_ready().
 *
 * Safepoints: a running goroutine notices p->preempt (a byte that the
 * interpreter tests at loop back edges) and the limit of its stack, which the
 * host's poison_g() poisons; it then returns SCHED_RUN_PREEMPT from run_g.
 */

#include <stdbool.h>
#include <stdint.h>

#include "gc/gc.h"
#include "profile/record/profile.h"
#include "runtime/base/atomic.h"
#include "runtime/base/callstack.h"
#include "runtime/base/err.h"
#include "runtime/base/layout.h"
#include "runtime/base/lock.h"
#include "runtime/base/note.h"
#include "sched/seed.h"
#include "trace/record/trace.h"

struct sched;
struct sched_g;
struct sched_m;
struct sched_p;
struct sched_chan;
struct sched_bubble;
struct vm_g;
struct race;
struct race_g;
struct pollfd;

typedef uint64_t vgoid;

/* ---- goroutine states: gstate.def has the edges -------------------------- */

enum sched_gstate {
    G_IDLE,     /* just made */
    G_RUNNABLE, /* on a run queue */
    G_RUNNING,  /* on an M with a P */
    G_SYSCALL,  /* in a blocking native: on an M, its P may be retaken */
    G_WAITING,  /* parked; see wait_reason */
    G_DEAD      /* ended; reusable */
};

/*
 * A bit beside the state: the collector scans the goroutine's stack, which
 * therefore must not begin to run (Go's _Gscan).  Set by CAS in the states
 * RUNNABLE, SYSCALL and WAITING only and only while marking; whoever wants to
 * change the state waits until it is clear.
 */
enum { G_SCAN = 0x100 };

/* Texts are Go's: "chan receive", "select", "sleep", "sync.Mutex.Lock" ... */
enum sched_wait {
    WAIT_NONE,
    WAIT_CHAN_RECV,
    WAIT_CHAN_SEND,
    WAIT_CHAN_RECV_NIL,
    WAIT_CHAN_SEND_NIL,
    WAIT_SELECT,
    WAIT_SELECT_NONE, /* select (no cases) */
    WAIT_SLEEP,
    WAIT_SEMACQUIRE,
    WAIT_MUTEX_LOCK,
    WAIT_RWMUTEX_RLOCK,
    WAIT_RWMUTEX_LOCK,
    WAIT_WAITGROUP,
    WAIT_COND,
    WAIT_IO,
    WAIT_FINALIZER,
    WAIT_GC_CYCLE,    /* runtime.GC waiting for the cycle */
    WAIT_GC_ASSIST,
    WAIT_GC_WORKER,
    WAIT_GC_SWEEP,
    WAIT_GC_SCAVENGE,
    WAIT_GC_FORCE,
    WAIT_TRACE_READER,
    WAIT_SYNCTEST_RUN,
    WAIT_SYNCTEST_WAIT,
    WAIT_COUNT
};

const char *sched_wait_text(enum sched_wait w);

/*
 * A waiter in a queue of a channel or semaphore.  Embedded one per goroutine
 * for the common case; select takes more from the P's cache.
 */
struct sched_sudog {
    struct sched_g *g;
    struct sched_sudog *next, *prev;
    union rt_slot *elem;      /* slot(s) in g's frame: value to send, or room
                                 for the one received; NULL = discard */
    struct sched_chan *chan;
    int32_t select_case;      /* -1: not from a select */
    uint32_t ticket;          /* notify lists */
    bool queued;              /* on a channel's queue */
    bool is_send;             /* select: on sendq, not recvq */
    struct sched_sudog *wait_link; /* select: the g's list; semaphores: the
                                      next for the same address */
    void *key;                /* semaphore address */
    /* mutex profile, in the first waiter for an address: how many of the
     * waiters are timed, and the sum of the ticks since which they wait
     * or have been charged */
    uint64_t since;
    uint32_t ntimed;
    bool timed;               /* this one is among them */
};

/* The native goroutines, as Go calls them. */
enum sched_native {
    NATIVE_MARK_WORKER,
    NATIVE_SWEEPER,
    NATIVE_SCAVENGER,
    NATIVE_STARTER,
    NATIVE_COUNT
};

/* The name of its function: "runtime.bgsweep". */
const char *sched_native_name(enum sched_native n);

/* What run_g() returns. */
enum sched_run {
    SCHED_RUN_PARKED,  /* waiting, or already runnable elsewhere: untouchable */
    SCHED_RUN_YIELD,   /* Gosched: still running state, put on global queue */
    SCHED_RUN_PREEMPT, /* safepoint after a preempt request */
    SCHED_RUN_DONE,    /* the function returned or Goexit: g is free */
    SCHED_RUN_EXIT     /* the process ends; sched_exit() was called */
};

/* By a seed: what a goroutine yields for, until it is there. */
enum seed_wait {
    SEED_WAIT_NOT,
    SEED_WAIT_INSIDE,  /* a descriptor that others of this process are behind */
    SEED_WAIT_OUTSIDE, /* one that another process is behind */
    SEED_WAIT_PROCESS, /* the end of a process */
    SEED_WAIT_PIDFD    /* the same, by a descriptor of it */
};

/* A goroutine's part in a schedule by a seed. */
struct seed_g {
    uint64_t prio; /* the strategy's */
    uint64_t at;   /* its last point: what seed_point() was told */
    bool passed;   /* it has yielded at a point, and goes on from there */
    bool waits_write;
    bool waited;   /* that is over, and it comes back to its instruction */
    bool for_calls; /* at the end: it waits for somebody from outside */
    enum seed_wait waits;
    int fd;        /* or the process's number */
    const struct pollfd *polled; /* what it waits for instead of fd, in memory of
                                    its own; NULL: nothing of that kind */
    uint32_t npolled;
};

/*
 * The first three cache lines are all that is looked at from birth to death of
 * one that does not park, and begin with the struct; on the next are the waits.
 */
struct sched_g {
    /* const after creation */
    vgoid id;
    vgoid parent_id;
    vpc created_at;       /* pc of the go statement; 0 for the first */
    vpc entry;            /* first instruction of its function */
    struct vm_g *vg;      /* stack, pc, fp, panics: the VM's */
    struct race_g *race;  /* while it lives; NULL: nobody watches it */

    a_u32 state;          /* enum sched_gstate and G_SCAN; g_set_state() only;
                             sched_g_state() reads it */
    uint32_t wait_reason; /* enum sched_wait; valid while waiting */
    struct sched_m *m;    /* while running or in a syscall */

    struct sched_g *sched_link; /* those that close() wakes; the dead */
    struct sched_sudog *waiting;  /* select: all of its sudogs */

    /* written by the waker before sched_ready(), read by the g when it runs */
    bool wake_ok;         /* receive: value came from a send */
    bool wake_panic;      /* send: the channel was closed meanwhile */

    bool durable;         /* in a bubble: it waits, or is about to, for what
                             only the bubble can give it */
    bool system;          /* not counted as user goroutine: finalizer, gc */
    bool leaked;          /* as far as the last look for leaks has seen */
    bool locked;          /* LockOSThread */
    a_u32 gc_cycle;       /* the last mark that has scanned the stack */
    struct sched_bubble *bubble; /* sched/bubble.h; or NULL: in none */
    a_ptr bound;           /* atomic: the sched_m that alone may run it, of
                              LockOSThread, or of a native that is in the
                              middle of a syscall; NULL: any */
    /* a native goroutine; NULL: one that runs script code */
    enum sched_run (*native)(struct sched_m *m, struct sched_g *g, void *arg);
    const char *label;       /* for the trace, at its next start; or NULL */

    struct trace_gstate trace;    /* sequence number for the tracer */
    struct prof_g prof;   /* the profiler's part, and the labels */

    a_u64 wait_since;     /* ns; 0 = unknown.  Written by whoever scans it, read
                             by profiles, which do not wait for each other */
    struct sched_sudog sudog;     /* the one for non-select waits */
    a_u32 select_done;    /* CAS 0 -> 1 decides which waker wins a select */
    int32_t sel_index;    /* select: the case that fired; -1 = default */

    struct sched_g *free_next;  /* dead, the first of a list: the next list */
    struct sched_timer *timer;    /* of Sleep; owned */
    a_u32 user_code;      /* a system goroutine that runs the program's code
                             just now: sched_user_code() */

    /* the collector's, with gc_cycle: gcwork.c */
    a_u32 gc_wanted;      /* the mark that wants the running goroutine to scan
                             itself at its next safepoint */
    struct sched_g *gc_link; /* list of those that are to be looked at again */
    struct sched_g *gc_wait; /* list of those that wait for the collector; one
                                can be in both lists */
    void *native_arg;
    struct seed_g seed;
};

_Static_assert(offsetof(struct sched_g, wait_since) <= 3 * RT_CACHE_LINE,
    "what it says above");

/* The state without G_SCAN. */
static inline enum sched_gstate
sched_g_state(const struct sched_g *g)
{
    /* acq: pairs with the rel of g_set_state() */
    return (enum sched_gstate)(a32_load_acq(&g->state) & 0xff);
}

static inline struct sched_m *
sched_g_bound(const struct sched_g *g)
{
    /* acq: pairs with the rel of slow_exit() */
    return aptr_load_acq(&g->bound);
}

/* ---- what the scheduler asks of the layer above -------------------------- */

struct sched_host {
    /* Interprets g until it stops; on the M's thread, with its P.  The answer
     * is about m->g, which sched_next() may have changed. */
    enum sched_run (*run_g)(void *host, struct sched_m *m, struct sched_g *g);
    /* Makes / releases the VM part of a goroutine.  init takes the function
     * and the argument slots (copied); RT_ENOMEM where no stack is to be
     * had. */
    enum rt_status (*g_init)(void *host, struct sched_g *g, const void *fn,
        const union rt_slot *args, uint32_t nargs);
    void (*g_free)(void *host, struct sched_g *g);
    /* Makes the stack check of a running g fail at its next call; any
     * thread; idempotent; cleared by the g itself at the safepoint. */
    void (*poison_g)(void *host, struct sched_g *g);
    /* pcs of g, leaf first, up to n; g is not running, or is the caller's. */
    unsigned (*walk_g)(void *host, struct sched_g *g, vpc *pcs, unsigned n);
    /* A fatal error of the user's program: deadlock and the like.  Prints
     * Go's text and all stacks; sets exit status 2.  World may be running.
     * An M that calls this may have a P, and none else in its hands: where
     * others have begun to end the program, it waits for them, and they may
     * stop the world. */
    void (*fatal)(void *host, const char *text);
    /* A new M's thread-local VM part; with its P, before its first run_g.
     * False: there is no memory for it, and the program ends. */
    bool (*m_init)(void *host, struct sched_m *m);
    void (*m_free)(void *host, struct sched_m *m);
    /* Marks what the stack of g holds, its defers and panics: g does not run,
     * or is the caller's at a safepoint.  Other goroutines run and are
     * scanned by other threads at the same time. */
    void (*mark_g)(void *host, struct sched_g *g, struct gc_marker *mk);
    /* Marks the package variables and other roots of the host that are no
     * goroutine's, piece by piece: piece i of as many as there are; false
     * when there is no piece i.  The world runs. */
    bool (*mark_globals)(void *host, uint32_t i, struct gc_marker *mk);
    /* Whether p is memory, outside of the heap, that only g knows of and no
     * other goroutine will.  g does not run, or is the caller's. */
    bool (*private_to)(void *host, const struct sched_g *g, const void *p);
};

/* ---- P and M: public, because the interpreter and gc live on their fields - */

enum sched_pstate { P_IDLE, P_RUNNING, P_SYSCALL, P_GCSTOP, P_DEAD };

struct sched_m {
    struct sched *sched;
    struct sched_p *p;    /* NULL while it has none */
    struct sched_g *g;    /* current; NULL in the scheduler */
    struct vm_thread *vt; /* the VM's */
    uint32_t id;
    uint32_t locks;       /* >0: not to be preempted */
    bool by_seed;         /* const: sched_by_seed() */
    uint64_t tid;         /* OS thread id, for the trace */
    /* the rest is sched_int.h's: struct sched_m is the first field of
     * struct sched_mi */
};

struct sched_p {
    uint32_t id;
    a_u32 state;             /* sched_int.h: enum sched_pstate and, in a
                                system call, whose */
    a_u32 preempt;           /* tested at back edges; not 0 = go to the
                                scheduler: 1 stop-the-world, gc request;
                                2 the time slice is over */
    bool alone;              /* written in STW: the only P, so that its owner
                                shares nothing with others but through the
                                SCHED lock */
    struct gc_pcache cache;  /* allocation */
    struct trace_pbuf trace; /* tracer */
    /* the rest is sched_int.h's, as above */
};

/* The calling thread's M; NULL on foreign threads.  The one thread-local. */
struct sched_m *sched_m_self(void);

/* ---- life ------------------------------------------------------------------ */

struct sched_config {
    uint32_t procs;       /* GOMAXPROCS, 1 .. 256 */
    const struct sched_host *host;
    void *host_arg;
    struct gc_heap *heap;
    struct trace_rec *trace;
    struct prof *prof;      /* NULL: none */
    uint64_t schedtrace_ms; /* VOLEDEBUG=schedtrace=N; 0 = off */
    bool scheddetail;
    bool preempt_off;
    vpc entry;            /* first pc of the function that sched_run() runs */
    vpc native;           /* what stands for the function of native goroutine
                             0 in traces, the next function number for 1, and
                             so on; 0: nothing */
    int err_fd;           /* where schedtrace goes */
    struct seed *seed;    /* NULL: none; else begun, and the only P and M run
                             on the thread of sched_run() */
    struct race *race;    /* the race detector; NULL: none */
};

/* Allocates.  On failure *out may be set and then goes to sched_free(). */
enum rt_status sched_new(
    const struct sched_config *cfg, struct sched **out, struct rt_err *err);

/* Makes goroutine 1 for fn, runs until it returns, the script exits or a
 * fatal error; all other Ms are stopped (they park; none runs script code
 * any more) before it returns.  Returns the process's exit status. */
int sched_run(struct sched *s, const void *fn);

/* After sched_run(): frees every g, P and M.  The heap must still be there;
 * the tracer need not.  Does nothing if a thread is stuck. */
void sched_free(struct sched *s);

/* After sched_run(): calls fn on the calling thread as if it were an M, with
 * a P and no goroutine.  False if there is no P left for it, or no memory. */
bool sched_call(struct sched *s, void (*fn)(struct sched_m *m, void *arg),
    void *arg);

/* After sched_run(): true if a thread is still inside a blocking system call
 * and could not be joined; then nothing that it may touch is freed. */
bool sched_has_stuck(const struct sched *s);

/* Sets the exit status and asks all to stop; the caller then returns
 * SCHED_RUN_EXIT from run_g.  First caller wins.  Any thread. */
void sched_exit(struct sched *s, int status);

/* ---- goroutines -------------------------------------------------------------- */

/* go fn(args): a new goroutine on the current P's runnext.  Returns NULL
 * where memory is out.  Caller has a P. */
struct sched_g *sched_go(struct sched_m *m, const void *fn,
    const union rt_slot *args, uint32_t nargs, vpc at, vpc entry);

/* System goroutine (finalizers): not counted, no deadlock detection for it. */
struct sched_g *sched_go_system(struct sched_m *m, const void *fn, vpc entry);

/*
 * A native system goroutine: a C function that the M calls where it would run
 * script code.  It answers as run_g() does: PARKED after sched_park_begin()
 * on itself, YIELD or PREEMPT to be called again when its turn comes, DONE.
 * It has no frames and keeps its state behind arg; it stands at a safepoint
 * all the time and looks at m->p->preempt now and then.  NULL where memory is
 * out.
 */
struct sched_g *sched_go_native(struct sched_m *m,
    enum sched_run (*fn)(struct sched_m *m, struct sched_g *g, void *arg),
    void *arg, enum sched_native what);

/* Step 1 of parking; see the head of this file. */
void sched_park_begin(struct sched_m *m, struct sched_g *g,
    enum sched_wait reason);

/*
 * m->g, whose run_g() would answer SCHED_RUN_PARKED now, has parked: the next
 * goroutine of the P's own queue, which m->g is then and which runs from now
 * on; so run_g() may go on with that one instead of answering, and its answer
 * will be that one's.  Or NULL: there is none, or the scheduler has something
 * else to do first, which is so every now and then at least; m->g is still the
 * one that has parked.
 */
struct sched_g *sched_next(struct sched_m *m);

/* waiting -> runnable, on the caller's P's runnext (or the global queue where
 * the caller has no P); wakes an idle P if there is one. */
void sched_ready(struct sched_m *m, struct sched_g *g);

/* Before and after a native that may block in the kernel.  exit may park the
 * M until a P is free; m->p and its cache may have changed. */
void sched_syscall_enter(struct sched_m *m);
void sched_syscall_exit(struct sched_m *m);

/* The same for waits of the runtime itself (a lock, a trace's reader), which
 * are known to be long: the P is handed over at once.  Traces show a system
 * call that blocks, as Go's do. */
void sched_block_enter(struct sched_m *m);
void sched_block_exit(struct sched_m *m);

/* Whether anything else would run if m->g gave up its P now.  If not it may
 * as well go on: a goroutine that yields in a loop, alone on its P, costs
 * and traces nothing. */
bool sched_yield_wanted(struct sched_m *m);

/* Called by run_g at a safepoint where p->preempt or the poison was seen:
 * true = return SCHED_RUN_PREEMPT; false = go on (the reason went away). */
bool sched_safepoint(struct sched_m *m);

uint32_t sched_gomaxprocs(struct sched_m *m, int32_t n); /* n < 1: just ask;
    stops the world; returns the old value */
/* The most threads that may run goroutines or be in system calls; beyond, the
 * program dies.  Returns the old limit; at first 10000.  Any thread. */
uint32_t sched_set_max_threads(struct sched *s, uint32_t n);
uint32_t sched_procs(const struct sched *s); /* any thread */
uint32_t sched_num_cpu(void);
/* Whether a goroutine that cannot go on yet does well to wait actively for a
 * moment: whoever it waits for may run just now, on another processor, and
 * nobody else wants m's P. */
bool sched_may_spin(struct sched_m *m);
/* What the program is told of: with a seed, the same on all machines. */
uint32_t sched_cpus(const struct sched *s);
/* Whether one goroutine at a time runs, as a seed says. */
bool sched_by_seed(const struct sched *s);
/* Whether it ends because some goroutines can never go on while others can: those
 * that are marked as leaked. */
bool sched_ends_for_lost(const struct sched *s);
uint32_t sched_num_goroutine(struct sched *s);

/* The recorder that sched_config named. */
struct trace_rec *sched_tracer(const struct sched *s);

/* Live goroutines in order of id, for tracebacks and profiles.  The world is
 * stopped, or the process is dying. */
void sched_for_each_g(struct sched *s,
    void (*fn)(void *arg, struct sched_g *g), void *arg);

/* The same in any order, without sorting or allocating: for the collector. */
void sched_each_g(struct sched *s,
    void (*fn)(void *arg, struct sched_g *g), void *arg);

/* LockOSThread / Unlock: counted by the library; here the binding itself. */
void sched_lock_thread(struct sched_m *m, bool lock);

/* Asks for a collection (GC_WHY_FORCED): an M begins it when it looks for
 * work, unless one is under way then.  Any thread. */
void sched_request_gc(struct sched *s);

/* ---- stop the world ------------------------------------------------------------ */

enum sched_stw {
    STW_UNKNOWN,
    STW_GC_MARK_TERM,
    STW_GC_SWEEP_TERM,
    STW_GOMAXPROCS,
    STW_ALL_STACKS,
    STW_READ_MEMSTATS,
    STW_GOROUTINE_PROFILE,
    STW_TRACE_START,
    STW_TRACE_STOP
};

/* Returns when every P but the caller's is stopped at a safepoint (or idle,
 * or in a syscall).  The caller's goroutine keeps running.  One
 * at a time: who waits for its turn counts as stopped. */
void sched_stop_world(struct sched_m *m, enum sched_stw reason);
void sched_start_world(struct sched_m *m);

/* For an M that waits with its P, and perhaps in the middle of an operation
 * of its goroutine, for what others do: it takes part in their stop of the
 * world, if one has begun, and sleeps for a moment otherwise. */
void sched_join_stop(struct sched_m *m);

/* When m's last sched_stop_world() began, others' stops before it being over,
 * in ns. */
int64_t sched_stopping_at(const struct sched_m *m);

/* When m's last sched_start_world() had woken the Ps with work, in ns. */
int64_t sched_started_at(const struct sched_m *m);

/* The same from any thread, with or without an M (the tracer's control, the
 * thread that is in sched_run()); also before and after sched_run(), when
 * there is nothing to stop. */
void sched_stop_world_any(struct sched *s, enum sched_stw reason);
void sched_start_world_any(struct sched *s);

/* The process is dying, and the calling thread may hold any lock: asks all Ps to
 * stop, and waits a moment.  Nobody starts the world again.  False: the list of
 * goroutines cannot be read. */
bool sched_freeze(struct sched *s);

/* What a trace begins with: every live goroutine, every P (trace_host's
 * for_each_g and for_each_p).  World stopped. */
void sched_trace_gs(struct sched *s,
    void (*fn)(void *arg, const struct trace_gsnap *g), void *arg);
void sched_trace_ps(struct sched *s,
    void (*fn)(void *arg, const struct trace_psnap *p), void *arg);

/* The goroutine that t is embedded in. */
struct sched_g *sched_trace_g_of(const struct trace_gstate *t);

/* ---- channels: elements are slots in frames ---------------------------------------
 * A buffer holds elements in memory layout (layout.size bytes).  `elem`
 * points to the frame slots of the value.  Status: CHAN_DONE; CHAN_PARK: the
 * caller returns VM_PARK at once; CHAN_CLOSED: send on closed channel (the
 * caller panics); CHAN_WOULD_BLOCK for the non-blocking forms; CHAN_OUTSIDE:
 * it is a channel of a bubble that the goroutine is not in (the program
 * dies).  A channel belongs to the bubble of who makes it. */
enum chan_status { CHAN_DONE, CHAN_PARK, CHAN_CLOSED, CHAN_WOULD_BLOCK,
    CHAN_NIL, CHAN_OUTSIDE };

/* size < 0 or too large: NULL (panic "makechan: size out of range").  The
 * object is on the collected heap. small = scalar kinds whose slots are
 * extended are described by `ext`: how a value of layout.size < 8 is loaded
 * into a slot. */
enum chan_ext { CHAN_EXT_MEM, CHAN_EXT_U8, CHAN_EXT_S8, CHAN_EXT_U16,
    CHAN_EXT_S16, CHAN_EXT_U32, CHAN_EXT_S32 };
struct sched_chan *chan_make(struct sched_m *m, const struct rt_layout *elem,
    enum chan_ext ext, int64_t size);
/* c is new, and nothing in the program can close it: the race detector, which
 * is there, does not compare what is sent with a close. */
void chan_stays_open(struct sched_chan *c);
enum chan_status chan_send(struct sched_m *m, struct sched_chan *c,
    union rt_slot *elem);
/* elem NULL discards.  g->wake_ok is set on CHAN_DONE, and by the waker. */
enum chan_status chan_recv(struct sched_m *m, struct sched_chan *c,
    union rt_slot *elem);
enum chan_status chan_close(struct sched_m *m, struct sched_chan *c);
int64_t chan_len(const struct sched_chan *c); /* NULL gives 0 */
int64_t chan_cap(const struct sched_chan *c);

/*
 * For moving the stack of g, which does not run and cannot begin to: calls
 * move(arg) when nobody can be writing a value into its frames, then shifts
 * the addresses that its waiters hold from [lo, hi) to the same places from
 * `to` on.  False where memory is out; then nothing has happened.  Thread
 * with a P, no channel locked.
 */
bool sched_shift_elems(struct sched_m *m, struct sched_g *g,
    const union rt_slot *lo, const union rt_slot *hi, union rt_slot *to,
    void (*move)(void *arg), void *arg);

struct chan_case {
    struct sched_chan *chan; /* NULL = never ready */
    union rt_slot *elem;
    bool send;
};
/* g->sel_index and g->wake_ok are set on CHAN_DONE or by the waker;
 * CHAN_CLOSED: a send case on a closed channel was taken.  `cases` is only
 * read during the call.  has_default: never parks (sel_index -1). */
enum chan_status chan_select(struct sched_m *m, const struct chan_case *cases,
    uint32_t n, bool has_default);

/* ---- semaphores: sync.Mutex and friends ---------------------------------------- */

/* If *addr > 0 decrements it and returns true; else parks (false: return
 * VM_PARK; when the goroutine runs again it has the token).  lifo: at the
 * head of the queue.  addr is in the collected heap or a global. */
bool sema_acquire(struct sched_m *m, a_u32 *addr, bool lifo,
    enum sched_wait reason);
/* The same for what only goroutines of the caller's bubble, if it is in one,
 * release: then it waits durably. */
bool sema_acquire_in(struct sched_m *m, a_u32 *addr, enum sched_wait reason);
/* Passes a token to the first waiter, or increments *addr.  handoff: the
 * waiter runs next on this P and the caller should yield. */
void sema_release(struct sched_m *m, a_u32 *addr, bool handoff);

/* The same for an Unlock: its stack, without the `skip` innermost frames, is
 * charged with what others have waited (mutex profile). */
void sema_release_lock(
    struct sched_m *m, a_u32 *addr, bool handoff, uint32_t skip);

struct sema_notify { /* sync.notifyList; lives in the collected heap */
    a_u32 wait;   /* next ticket */
    a_u32 notify; /* next ticket to be notified */
    uint64_t list; /* index of the queue in the scheduler's table + 1 */
};
uint32_t notify_add(struct sema_notify *l);
/* true: notified already; false: parked. */
bool notify_wait(struct sched_m *m, struct sema_notify *l, uint32_t ticket);
/* False: one of those to be woken is in a bubble that the caller is not in;
 * nobody has been woken. */
bool notify_all(struct sched_m *m, struct sema_notify *l);
bool notify_one(struct sched_m *m, struct sema_notify *l);
/* Whether there is nobody whom they would wake. */
static inline bool
notify_is_vain(const struct sema_notify *l)
{
    return a32_load_rlx(&l->wait) == a32_load_rlx(&l->notify);
}

/* ---- timers ------------------------------------------------------------------------ */

/* Parks the calling goroutine until now + ns, by its bubble's clock if it is
 * in one; false if ns <= 0 (no park). */
bool timer_sleep(struct sched_m *m, int64_t ns);
uint64_t sched_now(struct sched *s); /* monotonic ns */
/* The same for the program, and ns since 1970: with a seed, reading the clock
 * takes time, so that who waits by looking at it gets on. */
uint64_t sched_read_clock(struct sched *s);
int64_t sched_walltime(struct sched *s);

/* ---- channels with a timer (tchan.c) ------------------------------------------------ */

/* What happens when the timer of a channel expires; const. */
struct tchan_ops {
    /* Of the values that are sent. */
    const struct rt_layout *elem;
    /* Makes the value for the expiry at `when`, of at most TCHAN_SLOTS slots.
     * With the channel locked: must not block or allocate.  NULL: nothing is
     * sent.  bubble: the clock is that of one. */
    void (*value)(void *data, uint64_t arg, uint64_t when, uint64_t now,
        bool bubble, union rt_slot *v);
    /* Instead of value: called as sched_timer.fire is, without locks. */
    void (*call)(struct sched_m *m, void *data, uint64_t arg);
    /* With value: the channel has a buffer of one, as before Go 1.23. */
    bool buffered;
};

enum { TCHAN_SLOTS = 4 };

/*
 * The channel of a time.Timer or Ticker: unbuffered, as the program sees it.
 * An expiry is received if nobody has received it before the timer is set or
 * stopped; of those that nobody received in time only the first is kept.
 * With ops->call there is nothing to be received and the timer just calls.
 *
 * With ops->buffered the channel has a buffer of one that the program sees, an
 * expiry stays in it when the timer is set or stopped, and these say whether
 * the timer was still to expire.
 *
 * The timer is in a P's heap only while a goroutine waits for the channel,
 * or while it is to call, or with a buffer: others cost nothing, and are collected with the
 * channel.  `data` is a pointer that the collector follows.  NULL where
 * memory is out.
 *
 * One that is made in a bubble goes by the bubble's clock; what is due already
 * when it is set happens at once.
 */
struct sched_chan *tchan_make(struct sched_m *m, const struct tchan_ops *ops,
    void *data, uint64_t arg);
/* The channel's timer expires at `when`, not 0, and if period is not 0 each
 * `period` ns after that.  True if that was set before and was not over: for
 * a channel from which one can receive, if an expiry was to come or had not
 * been received. */
bool tchan_set(struct sched_m *m, struct sched_chan *c, uint64_t when,
    uint64_t period);
/* It does not expire any more, and nothing is to be received; true as above. */
bool tchan_stop(struct sched_m *m, struct sched_chan *c);
/* What its clock shows. */
uint64_t tchan_now(struct sched_m *m, const struct sched_chan *c);
/* Whether it belongs to a bubble that the caller is not in; then it must be
 * neither set nor stopped. */
bool tchan_outside(const struct sched_m *m, const struct sched_chan *c);

/* ---- the collector (gcwork.c, gcbg.c) ----------------------------------------------- */

/* What gc_host wants of the scheduler; arg of each is struct sched. */
void sched_gc_mark_begin(struct sched *s); /* world stopped */
void sched_gc_mark_end(struct sched *s);   /* world stopped */
enum gc_roots sched_gc_mark_root(struct sched *s, struct gc_marker *mk);
bool sched_gc_roots_left(struct sched *s);
bool sched_gc_flush_ps(struct sched *s, struct gc_pcache *pc,
    uint32_t epoch);
void sched_gc_wake_worker(struct sched *s);
void sched_gc_wake_assists(struct sched *s);
void sched_gc_mark_done(struct sched *s);
void sched_gc_wake_sweeper(struct sched *s);

/*
 * runtime.GC(), by parts, for a native at a safepoint:
 *
 *     n = gc_begun(heap)
 *     sched_gc_wait(m, n)         the end of the mark that is under way
 *     sched_gc_start(m, n + 1)    until it says true
 *     sched_gc_wait(m, n + 1)
 *     sched_gc_sweep(m, n + 1)    until it says true
 *
 * Which goroutine begins mark n + 1 is no matter, so that those that collect
 * all the time cannot keep one from having its turn.
 *
 * start: begins a forced cycle, unless that mark has begun; false: another
 * cycle is just ending or beginning.  wait: true when that mark has ended;
 * else the goroutine is parked (WAIT_GC_CYCLE) and the caller returns VM_PARK
 * at once; when it runs again the mark has ended.  sweep: sweeps some; true
 * when all that this mark left is swept and published.
 */
bool sched_gc_start(struct sched_m *m, uint64_t mark);
bool sched_gc_wait(struct sched_m *m, uint64_t mark);
bool sched_gc_sweep(struct sched_m *m, uint64_t mark);

/* ---- the profiler (prof.c) ------------------------------------------------------- */

/* What struct prof_host wants of the scheduler; see there. */
struct sched_g *sched_prof_g_of(struct prof_g *g);
struct prof_g *sched_prof_self(struct sched *s);
bool sched_prof_parked(struct prof_g *pg);
void sched_prof_info(
    struct sched *s, struct prof_g *g, struct prof_ginfo *out);
void sched_prof_each_g(struct sched *s,
    void (*fn)(void *arg, struct prof_g *g), void *arg);
struct prof_g *sched_prof_finalizer(struct sched *s);
/* How many goroutines a profile of all shows. */
uint32_t sched_prof_count(struct sched *s);
/* leak.c.  World stopped; a thread without a P. */
bool sched_prof_leaked(struct sched *s,
    void (*fn)(void *arg, struct prof_g *g), void *arg);
void sched_prof_wait_enter(struct sched *s);
void sched_prof_wait_leave(struct sched *s);
enum rt_status sched_prof_timers(
    struct sched *s, uint32_t hz, struct rt_err *e);

void sched_prof_wall_signal(struct sched *s);

/* The running system goroutine begins or ends to run code of the program, as
 * finalizers are: meanwhile profiles and tracebacks show it as a user's
 * goroutine.  As in Go, runtime.NumGoroutine() never counts it. */
void sched_user_code(struct sched_m *m, bool on);

static inline bool
sched_g_is_system(const struct sched_g *g)
{
    return g->system && a32_load_acq(&g->user_code) == 0;
}

/* Whether g, which stands still, waits for a sync.Mutex or sync.RWMutex. */
static inline bool
sched_g_waits_for_lock(const struct sched_g *g)
{
    return sched_g_state(g) == G_WAITING &&
        (g->wait_reason == WAIT_MUTEX_LOCK ||
            g->wait_reason == WAIT_RWMUTEX_LOCK ||
            g->wait_reason == WAIT_RWMUTEX_RLOCK);
}

/* Roots held by this layer: sudog elements need none (they point into
 * frames); timers' obj.  World stopped. */
void sched_roots(struct sched *s, void (*mark)(void *arg, void *ptr),
    void *arg);

#endif
