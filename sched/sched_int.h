/* SPDX-License-Identifier: MIT */
#ifndef SCHED_SCHED_INT_H
#define SCHED_SCHED_INT_H

/*
 * What the files of this folder share.
 *
 * Lost wake-ups.  Whoever makes work visible (runq_put, globrunq_put,
 * timer_kick) then looks for an idle P and, if no M is spinning, starts one
 * that does (sched_wakep).  An M that finds nothing stops spinning and only
 * THEN looks at all queues again (find_runnable).  Both sides store first and
 * load after, with full order between, so one of them sees the other.  At
 * most one M is woken per piece of work: the new spinner, when it finds some,
 * starts the next (resetspinning).  Source: the comment "Worker thread
 * parking/unparking" in Go's proc.go.
 */

#include "runtime/base/rand.h"
#include "runtime/base/thread.h"
#include "runtime/base/throw.h"
#include "runtime/base/tunables.h"
#include "sched/sched.h"

enum {
    SCHED_MAX_PROCS = 256,
    SCHED_GOID_BATCH = 16,
    SCHED_FAIR_TICK = 61,
    G_CHUNK = 64, /* goroutines made at a time */
    SEMA_ROOTS = 251
};

/*
 * What a function may rely on of where it runs.  assert_has_p: on the thread
 * of m, which has a P; nobody stops the world meanwhile, but by asking.
 * assert_stw: nobody but the caller runs.  assert_no_p: no stop waits for
 * this M.
 */
#define assert_has_p(m)                                       \
    rt_assert((m)->p != NULL && p_state(pi_of((m)->p)) == P_RUNNING)
#define assert_no_p(m) rt_assert((m)->p == NULL)
#define assert_stw(s)                                                     \
    rt_assert(a32_load_acq(&(s)->gcwaiting) != 0 && (s)->stopwait == 0)

struct sched_mi; /* an M with its private part */
struct sched_pi;

/* ---- run queues (runq.c) ------------------------------------------------- */

/*
 * The owner pushes at the tail and pops at the head; thieves take from the
 * head by CAS.  Invariant: tail - head <= RT_RUNQ.  runnext is popped before
 * the ring and may be stolen too.
 */
struct sched_runq {
    a_u32 head;
    a_u32 tail; /* written by the owner only */
    a_ptr next; /* runnext */
    a_ptr ring[RT_RUNQ];
};

/* Puts g on p's queue; next: as runnext, what was there goes to the ring.
 * True if the ring has got one: work for another P. */
bool runq_put(struct sched_pi *p, struct sched_g *g, bool next);
/* The next goroutine of p, or NULL.  fair: the ring comes before runnext. */
struct sched_g *runq_get(struct sched_pi *p, bool fair);
bool runq_empty(struct sched_pi *p);
/* The ring, which anybody may take from, is not empty. */
bool runq_spread(struct sched_pi *p);
uint32_t runq_len(struct sched_pi *p);
/* Whether g may stand in a queue of s: it is runnable, or it is the end of the
 * process (Note [natives at the end] in run.c). */
bool runq_holds(const struct sched *s, const struct sched_g *g);
/* Every goroutine in it may stand there, and is there once.  Nobody else has the
 * queue in use: the world is stopped, or p is the only P. */
bool runq_valid(struct sched_pi *p);
/* Moves half of victim's queue to p's; returns one of them, or NULL. */
struct sched_g *runq_steal(struct sched_pi *p, struct sched_pi *victim,
    bool steal_next);

/*
 * The global queue: pointers in a ring that has room for every goroutine there
 * is, so that putting cannot fail.  A list through the goroutines would have
 * who takes many of them wait for as many cache lines of another processor,
 * with SCHED held.
 */
struct sched_globq {
    struct sched_g **ring;
    uint32_t cap;  /* slots of the ring; 2^n, or 0 */
    uint32_t head; /* the next to be taken is ring[head % cap] */
};

/* ---- P ---------------------------------------------------------------------- */

/*
 * The state word of a P: enum sched_pstate in the low byte.  In P_SYSCALL the
 * rest is the number of the M that is in the kernel: so an M that comes back
 * cannot take the P for its own when somebody else has taken it over and is
 * in a system call of his own.
 */
enum { P_STATE_MASK = 0xff, P_STATE_SHIFT = 8 };

/*
 * A timer in the heap of one P or bubble.  fire() runs once, on an M with a P, in the
 * scheduler, when the timer is in no heap any more; it must not block, may
 * call sched_ready() and sched_go(), and may start t again.  `obj` is a GC
 * root while the timer is in a heap.  The memory is the owner's, who fills
 * the first four fields; the others begin as zeros.
 */
struct sched_timer {
    uint64_t when; /* ns on the monotonic clock, or a bubble's */
    void (*fire)(struct sched_m *m, struct sched_timer *t, uint64_t now);
    void *obj;
    uint64_t arg;
    a_ptr heap; /* timers' own from here on: the one in which it is, or NULL */
    uint32_t heap_pos;
    uint32_t tie; /* who comes first at the same time */
};

struct sched_timers {
    struct rt_lock lock; /* TIMERS */
    struct sched_timer **heap;
    uint32_t n, cap;
    a_u64 next; /* when of heap[0]; UINT64_MAX: none */
};

struct sched_pi {
    struct sched_p p; /* first: a struct sched_p * is a struct sched_pi * */

    struct sched *s;
    struct sched_runq q;
    struct sched_timers timers;

    struct seed *seed; /* const: the scheduler's, or NULL */

    /* owner only */
    struct rt_rand rand;
    uint32_t tick;          /* goroutines started here */
    uint64_t timer_look;    /* rt_ticks() of the last look at the timers */
    uint64_t sys_since;     /* rt_ticks() of the system call that holds or
                               held the P, 0: no trace was on then; read by
                               whoever takes the P from it */
    struct sched_g *gfree;  /* dead ones to reuse: Note [dead ones] in g.c */
    uint32_t ngfree;        /* of gfree, less than RT_GFREE_LIST */
    struct sched_g *gfull;  /* RT_GFREE_LIST more, or NULL */
    struct sched_g *gc_worker; /* marks on this P */
    enum gc_worker gc_kind;    /* how it was picked */
    bool gc_picked;
    bool assist_park;       /* the goroutine that comes to the scheduler now
                               cannot pay for its allocations */
    uint32_t gc_must;       /* tick up to which the worker had its turn */
    int64_t gc_time;        /* ns in which it marked, in this cycle */
    int64_t gc_again;       /* what it waits for is looked at then, or when */
    uint32_t gc_event;      /* this is not the last event any more */
    struct sched_sudog *sudogs; /* free wait records */
    uint32_t nsudogs;
    vgoid goid, goid_end;   /* batch of ids */

    /* atomic, written by the owner */
    a_i64 ngo;         /* goroutines born minus died here */
    a_u32 schedtick;   /* tick, for sysmon and thieves */
    a_u32 syscalltick;
    a_u32 flush_wanted; /* written by who wants it: the epoch of
                           gc_flush_marks() that the owner is to reach */
    a_u32 resting;     /* its M sleeps until somebody asks, or for a while */
    a_ptr curg;        /* struct sched_g *: runs here, or is in the system
                          call that holds the P */
    a_ptr m;           /* struct sched_mi *: likewise */

    /* guarded by SCHED */
    struct sched_pi *idle_next;
    struct sched_mi *holder; /* wants to stop the world too and waits, with
                                this stopped P, for its turn */

    /* sysmon only */
    uint32_t mon_sched, mon_sys;
    uint64_t mon_sched_when, mon_sys_when;
};

/* ---- M ---------------------------------------------------------------------- */

/* in_syscall */
enum { M_HERE, M_IN_SYSCALL, M_ABANDONED };

/* thread_state */
enum { M_NO_THREAD, M_THREAD, M_JOINED };

struct sched_mi {
    struct sched_m m; /* first */

    /* atomic */
    a_u32 park;         /* m_sleep(), m_wake() */
    a_ptr nextp;        /* struct sched_pi *: handed over by a waker */
    a_u32 in_syscall;
    a_u32 done;         /* its thread has left m_main() */
    a_u32 thread_state;
    a_u32 spinning;     /* written by its own thread, or before it starts */

    /* own thread only */
    struct sched_pi *oldp;  /* P at syscall entry */
    struct sched_g *lockedg; /* LockOSThread */
    uint32_t sys_depth;
    bool stw;               /* has stopped the world */
    bool stop_traced;       /* the trace has the beginning of its stop */
    int64_t stopping_at;    /* when it had its turn to stop the world, in ns */
    int64_t started_at;     /* when it has let the world go on, in ns */
    uint64_t sys_end;       /* ticks at which it came back */
    bool passing;           /* others start goroutines, and leave it none */
    uint32_t started;       /* how many had been started when it began */
    uint32_t naps;          /* since it last found work at another P */
    uint32_t crowd;         /* Note [crowded]: how often a pause is doubled */
    uint32_t rest;          /* likewise: ns that it sleeps before it looks for
                               another goroutine; 0: it does not */
    uint64_t crowd_end;     /* rt_ticks() at the end of its last pause or rest */
    struct rt_rand rand;
    struct rt_rand prof_rand;
    struct sched_bubble *bubble;  /* whose timers it fires; or NULL */
    struct sched_bubble *parking; /* its goroutine has begun to wait durably
                                     in that bubble, which has not heard of
                                     it; or NULL */
    const void *race_cause; /* a timer whose function starts goroutines: the
                               race detector's object of whoever has set it */

    /* guarded by SCHED */
    bool blocked;           /* on the idle list */
    bool prof_live;         /* the thread runs: it may have a timer */
    bool has_prof_timer;
    timer_t prof_timer;     /* of its CPU time */
    bool bound_wait;        /* waits for its goroutine (lockedg) */
    bool wants_p;           /* came back from the kernel while the process
                               ends */
    struct sched_mi *idle_next;

    /* const after creation */
    struct rt_thread thread;
    struct sched_mi *all_next;
};

/* ---- the collector --------------------------------------------------------------- */

/* Native goroutines besides the mark workers. */
enum sched_bg { BG_SWEEPER, BG_SCAVENGER, BG_STARTER, BG_COUNT };

/* What the starter is asked for. */
enum force_gc { FORCE_GC_NO, FORCE_GC_PERIODIC, FORCE_GC_FORCED };

struct sched_gchunk {
    struct sched_gchunk *next; /* const: chunks are put in front */
    struct {
        _Alignas(RT_CACHE_LINE) struct sched_g g;
    } at[G_CHUNK];
};

static inline struct sched_gchunk *
gchunk_next(struct sched_gchunk *c)
{
    return c->next;
}

static inline struct sched_g *
gchunk_g(struct sched_gchunk *c, uint32_t i)
{
    return &c->at[i].g;
}

/*
 * A goroutine that has not run for a while has left the caches, and has what
 * it begins with in some lines of its own and some of the host's, which are
 * known when the first has come.  Who will have use for g soon asks for them;
 * g may be NULL.
 */
static inline void
g_prefetch(const struct sched_g *g)
{
    rt_prefetch(g, 3);
}

static inline void
g_prefetch_host(const struct sched_g *g)
{
    rt_prefetch(g->vg, 2);
}

/* ---- the netpoller --------------------------------------------------------- */

struct poll_chunk;

struct netpoll {
    struct rt_lock lock; /* POLL: */
    struct poll_desc *free;
    struct poll_chunk *chunks;

    /* const once on is set, which is under SCHED */
    int epfd;
    int breakfd; /* an eventfd: ends netpoll_sleep() */

    /* atomic */
    a_u32 on;
    a_u32 waiters; /* goroutines that wait */
    a_u32 wanted;  /* there may be events: the next M that looks for work takes
                      them */
    a_u32 blocked; /* an M is in netpoll_sleep() */
    a_u64 last;    /* ns: when somebody last took events */
};

/* ---- the whole ------------------------------------------------------------------ */

struct sema_root {
    _Alignas(64) struct rt_lock lock;
    struct sched_sudog *head; /* sema.c */
    a_u32 nwait;
};

struct sched {
    /* const after init */
    struct sched_config cfg;
    const struct sched_host *host;
    void *ha;
    struct trace_rec *trace;
    struct prof *prof;
    struct prof no_prof; /* where the config has none: all off */
    struct gc_heap *heap;
    uint64_t start_ns;
    struct seed *seed; /* NULL: none */
    struct loopback *loopback; /* with a seed: its sockets; or NULL */
    uint32_t ncpu;       /* processors that this process may use */
    uint32_t told_procs; /* with a seed: what the program has set GOMAXPROCS
                            to; its only M */

    /* allp[i] is const once nall > i */
    struct sched_pi *allp[SCHED_MAX_PROCS];
    a_u32 nall;   /* Ps that exist */
    a_u32 nprocs; /* those in use; written in STW */

    struct rt_lock lock; /* SCHED: the fields down to the next heading */
    struct sched_globq globq;
    struct sched_pi *pidle;
    struct sched_mi *midle;
    uint32_t max_threads;
    uint32_t nm;      /* Ms that live */
    uint32_t nmidle;  /* those on the idle list */
    uint32_t nmbound; /* those that wait for their goroutine */
    struct sched_mi *allm;
    struct sched_g *gfull; /* lists of dead goroutines, by free_next */
    int32_t stopwait; /* Ps that have not stopped yet */
    bool dead;        /* a deadlock has been reported */
    struct sched_mi *sleeper; /* M that waits for the next timer, and for
                                 events of the netpoller */
    bool sleeper_polls;       /* it does so in netpoll_sleep() */
    int exit_status;
    uint32_t prof_hz; /* of the CPU profile; 0: off */

    /* atomic; gcwaiting and exiting are written under SCHED */
    a_u32 qsize;       /* goroutines in globq */
    a_u32 gfull_any;   /* gfull is not empty */
    a_u32 npidle;
    a_u32 nspinning;
    a_ptr drowser;     /* struct sched_mi *: find.c, "Drowsing" */
    a_u32 gcwaiting;
    a_u32 exiting;
    a_u32 force_gc;    /* enum force_gc: the starter shall begin a cycle */
    a_u64 goid;
    a_u64 sleep_until; /* deadline of the sleeper, UINT64_MAX: none;
                          0: nobody sleeps */
    a_u32 stw_busy;    /* the right to stop the world */
    a_i64 nsys;        /* system goroutines alive */
    a_ptr finalizer;   /* struct sched_g *: see sched_user_code() */

    struct rt_note stopnote; /* stopwait has become 0 */
    struct rt_note exitnote;
    struct rt_note monnote;

    struct rt_lock allg_lock; /* ALLG: */
    struct sched_gchunk *gchunks;
    uint32_t ngchunks;
    uint32_t gchunk_left; /* of the first */

    /* Note [watch] in run.c.  Written while the world is stopped: */
    a_u32 watch;

    /* marking: gcwork.c.  Written while the world is stopped: */
    a_u32 gc_marking;
    a_u32 gc_cycle;       /* number of the mark; g->gc_cycle is compared */
    int64_t gc_start;
    double gc_fraction;   /* of each P's time for its worker */
    struct sched_gchunk *scan_head; /* chunks older than the mark */
    uint32_t scan_first;  /* of scan_head's goroutines */
    /* atomic: what of the roots has not been taken yet */
    a_i32 gc_dedicated;   /* workers that are still to have a P of their own */
    a_ptr scan_chunk;     /* struct sched_gchunk * */
    a_u32 scan_globals;   /* next piece; UINT32_MAX: none left */
    a_u32 scan_misc;
    a_u32 scan_busy;      /* threads that are at a piece */
    a_u32 nscan_later;    /* goroutines that ran, and are not scanned yet */
    a_u32 gc_event;       /* counts what workers wait for; a futex */
    a_u32 gc_nappers;     /* threads that sleep on it */
    a_u32 nassist;        /* goroutines in assist_wait */
    a_u32 bg_asked;       /* bits: wake-ups by threads without a P */
    a_u32 bg_made;        /* 1: being made, 2: they are there */
    a_u64 scavenge_at;    /* ns; 0: not before the next sweep */

    struct rt_lock gc_lock; /* GC_WAIT: lists by gc_link, gc_wait */
    struct sched_g *scan_later; /* ran when their turn came */
    struct sched_g *scan_last;  /* of these */
    struct sched_g *assist_wait;
    struct sched_g *cycle_wait;
    struct {
        struct sched_g *parked; /* or NULL */
        bool want;              /* woken while not parked */
    } bg[BG_COUNT];

    struct sema_root sema[SEMA_ROOTS];
    struct sema_root notify[SEMA_ROOTS];

    struct rt_lock bubbles_lock; /* BUBBLES: */
    struct sched_bubble *bubbles;
    uint64_t nbubbles; /* made so far */

    struct netpoll net;

    /* the thread of sched_run() */
    bool stuck; /* an M is still in the kernel after sched_run() */
};

static inline struct sched_mi *
mi_of(struct sched_m *m)
{
    return (struct sched_mi *)m;
}

/* The number of its thread in traces, which with a seed are the same in each
 * process. */
static inline uint64_t
m_trace_id(const struct sched_mi *m)
{
    return m->m.sched->seed != NULL ? 1 : m->m.tid;
}

static inline struct sched_pi *
pi_of(struct sched_p *p)
{
    return (struct sched_pi *)p;
}

static inline enum sched_pstate
p_state(struct sched_pi *p)
{
    return (enum sched_pstate)(a32_load_acq(&p->p.state) & P_STATE_MASK);
}

/* g.c */
/* Changes the state; waits while a marker scans the stack.  any: by a thread
 * that a stop of the world would not wait for. */
void g_set_state(struct sched *s, struct sched_g *g, enum sched_gstate from,
    enum sched_gstate to);
void g_set_state_any(struct sched_g *g, enum sched_gstate from,
    enum sched_gstate to);

/* g_set_state() where s->watch has been found to be 0. */
static inline void
g_set_state_unwatched(struct sched *s, struct sched_g *g,
    enum sched_gstate from, enum sched_gstate to)
{
#if VOLE_CHECKS >= 1
    g_set_state(s, g, from, to);
#else
    (void)s;
    (void)from;
    /* rel: as in g_set_state() */
    a32_store_rel(&g->state, to);
#endif
}

/* A native goroutine in state runnable that is on no queue. */
struct sched_g *g_new_native(struct sched_m *m,
    enum sched_run (*fn)(struct sched_m *m, struct sched_g *g, void *arg),
    void *arg, enum sched_native what);
/* run.c */
/* World stopped: what watches hand-overs may have begun or ended: a mark, a
 * trace, a profile.  Note [watch]. */
void sched_watch(struct sched *s);
/* As sched_ready(), but for no queue: the caller runs it. */
void g_unpark(struct sched_m *m, struct sched_g *g);
/* As sched_go() for the first goroutine: nobody is woken. */
struct sched_g *sched_go_quiet(struct sched_m *m, const void *fn, vpc entry);
void g_put(struct sched_mi *m, struct sched_g *g);
void g_free_all(struct sched *s);

/* m.c */
/* Sleeps until m_wake(), at most ns nanoseconds (negative: no limit).  May
 * return early: callers test their condition again. */
void m_sleep(struct sched_mi *m, int64_t ns);
/* Any number of times, by any thread. */
void m_wake(struct sched_mi *m);
/* Gets some M to run p (NULL: an idle one).  spinning: the caller has counted
 * the new spinner in nspinning.  No lock held. */
void m_start(struct sched *s, struct sched_pi *p, bool spinning);
/* Idle until somebody hands a P over, which is acquired, or the process ends
 * (m->m.p stays NULL).  Without a P, not spinning. */
void m_stop(struct sched_mi *m);
void m_idle_put_locked(struct sched *s, struct sched_mi *m);
void m_wait_p(struct sched_mi *m);
void m_set_spinning(struct sched_mi *m);
void m_clear_spinning(struct sched_mi *m);
/* There is work that waits for a P: sees to it that an M looks for some. */
void sched_wakep(struct sched *s);
/* The same for a goroutine in runnext, which the P itself will run at once if
 * its goroutine blocks: leaves an M that drowses alone. */
void sched_wakep_next(struct sched *s);
void m_main(void *arg);
void m_check_dead_locked(struct sched *s);

/* p.c */
struct sched_pi *p_new(struct sched *s, uint32_t id);
void p_free(struct sched_pi *p);
/* Sets the number of Ps in use; world stopped or not yet running. */
void p_set_count(struct sched *s, uint32_t n);
void p_acquire(struct sched_mi *m, struct sched_pi *p);
struct sched_pi *p_release(struct sched_mi *m);
void p_idle_put_locked(struct sched *s, struct sched_pi *p);
struct sched_pi *p_idle_get_locked(struct sched *s);
/* Idle, or stopped where a stop of the world waits for it. */
void p_put_locked(struct sched *s, struct sched_pi *p);
/* p, which the caller owns, comes from a syscall or a bound M: gives it to an
 * M if there is anything to do, else to the idle list.  No lock held. */
void p_handoff(struct sched *s, struct sched_pi *p);
/* Room in the global queue for n goroutines; no lock held.  False: no memory. */
bool globrunq_reserve(struct sched *s, uint32_t n);
void globrunq_put_locked(struct sched *s, struct sched_g *const *v, uint32_t n);
void globrunq_put(struct sched *s, struct sched_g *g);
struct sched_g *globrunq_get_locked(
    struct sched *s, struct sched_pi *p, uint32_t max);

/* find.c, run.c */
struct sched_g *find_runnable(struct sched_mi *m);
/* Whether p's timers, if it has any, have not been looked at for a
 * microsecond or so. */
bool timers_look_due(const struct sched_pi *p);

static inline bool
p_has_timers(const struct sched_pi *p)
{
    return a64_load_rlx(&p->timers.next) != UINT64_MAX;
}

/* Goroutines wait in the global queue or in the rings of Ps: what a P has for
 * itself next is left out. */
bool sched_spread(struct sched *s);
void schedule_loop(struct sched_mi *m);

/* A collection has seen g.  As in Go, how long a goroutine waits is known from
 * the first one on that saw it wait. */
static inline void
sched_saw(struct sched *s, struct sched_g *g)
{
    if (sched_g_state(g) == G_WAITING && a64_load_rlx(&g->wait_since) == 0)
        a64_store_rlx(&g->wait_since, sched_now(s));
}

/* gcwork.c */
/* While marking: g does not run any more.  It may be gone by now. */
void gcwork_stands(struct sched *s, struct sched_g *g);
/* While marking: the caller, who owns p, does what is wanted of it. */
void gcwork_flush(struct sched_pi *p);
/* While marking: p has no owner now, or one in the kernel.  What is still
 * wanted of it can be done by others. */
void gcwork_left(struct sched_pi *p);
/* Threads that sleep with their P, since the mark waits for others, are to
 * look again: at what that has come to, and at what else there is. */
void gcwork_event(struct sched *s);
/* A worker that should run on this P now; NULL: none.  While marking. */
struct sched_g *gcwork_pick(struct sched_mi *m);
/* The same where there is nothing else to do. */
struct sched_g *gcwork_pick_idle(struct sched_mi *m);
/* While marking, m->g at a safepoint: what is wanted of it and of the P.
 * True: it should go to the scheduler. */
bool gcwork_safepoint(struct sched_m *m);
/* m->g comes from a safepoint: true if it had to be parked, for its debt or
 * because of gc_must_wait(). */
bool gcwork_park(struct sched_mi *m);
bool gcwork_timer_due(struct sched *s, int64_t now);

/* gcbg.c */
/* Wakes the goroutines of the background that are asked for. */
void gcbg_serve(struct sched_mi *m);
/* sysmon's look at what they should do. */
void gcbg_monitor(struct sched *s, uint64_t now);

/* stw.c */
/* The right to stop the world, without stopping it: nobody else does so
 * meanwhile.  m: the caller's M, or NULL. */
void stw_take_turn(struct sched *s, struct sched_mi *m);
void stw_drop_turn(struct sched *s);
void stop_self(struct sched_mi *m); /* the M gives its P to the stop */
void preempt_one(struct sched *s, struct sched_pi *p, uint32_t why);
void preempt_all(struct sched *s);

/* backoff.c */
/* The M, which has a P and no goroutine, sleeps for m->rest ns, or until
 * somebody asks for its P.  Note [crowded]. */
void chan_rest(struct sched_mi *m);

/* syscall.c */
/* Takes p from a syscall, SCHED held; false if it is not in one. */
bool retake_locked(struct sched *s, struct sched_pi *p, enum sched_pstate to);

/* valid.c */
/* The world is stopped, and everything is as it should be then.  SCHED held;
 * walks over all goroutines. */
bool sched_valid_locked(struct sched *s);
/* All Ms have ended, and every P is idle: whoever needs one then, as
 * sched_call() does, finds it.  SCHED held. */
bool sched_ended_locked(struct sched *s);

/* sysmon.c, schedtrace.c */
void sysmon_main(struct sched *s); /* until the scheduler ends */
void sched_print_state(struct sched *s, bool detail);

/* timer.c */
/* Arms t for `when` on this P, or moves it where it is armed already; by who
 * alone may do so.  True: it has become the first of its heap, and the caller
 * must call timer_kick() once it has released its locks; t may have fired by
 * then. */
bool timer_set(struct sched_m *m, struct sched_timer *t, uint64_t when);
/* The same in the heap of the bubble that m is in; nobody need be kicked. */
void timer_set_in_bubble(
    struct sched_m *m, struct sched_timer *t, uint64_t when);
/* True: t was armed, and will not fire.  False: it was not, or its fire() has
 * begun or is about to. */
bool timer_stop(struct sched_m *m, struct sched_timer *t);
/* A P has a new first timer, which somebody must wait for. */
void timer_kick(struct sched *s, uint64_t when);
/* The same once m's goroutine has parked and may run elsewhere.  Whoever looks
 * for the stack of m's goroutine, as the profile of threads does where one is
 * started, finds none. */
void timer_kick_parked(struct sched_m *m, uint64_t when);
/* Fires what is due in p's heap; true if there was any. */
bool timers_check(struct sched_mi *m, struct sched_pi *p, uint64_t now);
/* Fires what is due in a heap, on m with a P and no goroutine; true as
 * above. */
bool timers_fire(struct sched_mi *m, struct sched_timers *h, uint64_t now);
/* An empty heap.  The earliest deadline; UINT64_MAX: none. */
void timers_init(struct sched_timers *h);
uint64_t timers_next(const struct sched_timers *h);
/* All that is in it refers to. */
void timers_mark(struct sched_timers *h, void (*mark)(void *arg, void *ptr),
    void *arg);
/* No timer is in it any more, nobody uses it, and it has no memory. */
void timers_clear(struct sched_timers *h);
/* The earliest deadline of all Ps; 0: none. */
uint64_t timers_next_all(struct sched *s);
/* How long to wait for a timer that is due at `next`, 0: there is none, but not
 * longer than `most`. */
static inline int64_t
timers_wait(uint64_t next, uint64_t now, int64_t most)
{
    if (next == 0 || (next > now && next - now >= (uint64_t)most))
        return most;
    return next > now ? (int64_t)(next - now) : 0;
}
/* What the timers of all Ps and bubbles refer to. */
void timers_roots(struct sched *s, void (*mark)(void *arg, void *ptr),
    void *arg);
void timers_move(struct sched_pi *from, struct sched_pi *to);
/* The heap is one, and each timer knows where it is; its lock held. */
bool timers_valid(const struct sched_timers *h);

/* find.c */
/* Whoever sleeps for a timer or for events, if anybody, is to look again.
 * SCHED held. */
void sched_wake_sleeper_locked(struct sched *s);

/* netpoll.c */
void netpoll_begin(struct sched *s);
void netpoll_end(struct sched *s);

static inline bool
netpoll_on(const struct sched *s)
{
    return a32_load_acq(&s->net.on) != 0; /* acq: the descriptors */
}

/* Whether anybody waits for events, so that somebody must. */
static inline bool
netpoll_wanted(const struct sched *s)
{
    return a32_load_acq(&s->net.waiters) != 0;
}

/* Makes ready, on the caller's P, those for whom something has happened; how
 * many.  It is on. */
uint32_t netpoll_take(struct sched_mi *m);
/* Waits for events, for at most ns nanoseconds (negative: no limit), or until
 * netpoll_break(); takes none.  By the sleeper only. */
void netpoll_sleep(struct sched *s, int64_t ns);
/* Any thread; it is on. */
void netpoll_break(struct sched *s);
/* sysmon's look: has nobody taken events for long? */
void netpoll_monitor(struct sched *s, uint64_t now);

/* prof.c */
/* g parks: the block profile may want to know of it.  Where s->watch is 0 the
 * caller clears prof.blocked_at itself. */
void sched_prof_park(
    struct sched *s, struct sched_g *g, enum sched_wait w);
/* The wait of g that began at prof.blocked_at is over; g is the caller's. */
void sched_prof_ready(struct sched *s, struct sched_g *g);
/* The running goroutine has released what others waited for. */
void sched_prof_unlock(struct sched_m *m, int64_t ticks, uint32_t skip);
/* The thread of m begins and ends. */
void sched_prof_m_begin(struct sched_mi *m);
void sched_prof_m_end(struct sched_mi *m);

/* m.c */
/* With a seed: runs p on the calling thread until the process ends.  False:
 * memory is out. */
bool m_run_here(struct sched *s, struct sched_pi *p);

/* seed.c: all for the only M of a scheduler with a seed. */
/* Room for n goroutines in its queues; before there are so many. */
bool seed_reserve(struct seed *d, uint32_t n);
/* g can run from now on.  again: it goes on at once. */
void seed_put(struct seed *d, struct sched_g *g);
void seed_again(struct seed *d, struct sched_g *g);
/* Whether others than the one that runs could. */
bool seed_waiting(const struct seed *d);
void seed_born(struct seed *d, struct sched_g *g);
/* find_runnable(); NULL: the process ends. */
struct sched_g *seed_find(struct sched_mi *m);
uint64_t seed_now(const struct seed *d);
/* Which of n cases of a select that are ready, in their order in the source,
 * is taken. */
uint32_t seed_case(struct seed *d, uint32_t n);
/* seed_end.c: the first goroutine has ended; true: the program goes on. */
bool seed_main_done(struct sched *s);
/* The process ends with this status. */
void seed_ended(struct sched *s, int status);
/* All goroutines stand still after that; the status that it ends with. */
int seed_over(struct sched *s, int status);

/* select.c */
void select_finish(struct sched_m *m, struct sched_g *g);
struct sched_sudog *sudog_get(struct sched_m *m);
void sudog_put(struct sched_m *m, struct sched_sudog *sd);

#endif
