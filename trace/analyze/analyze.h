/* SPDX-License-Identifier: MIT */
#ifndef TRACE_ANALYZE_ANALYZE_H
#define TRACE_ANALYZE_ANALYZE_H

/*
 * What a trace says: where goroutines and Ps spent their time, what blocked
 * longest, what the collector did.  One pass over the ordered events; memory
 * grows with goroutines, not with events.  All times are nanoseconds since
 * the first event of the trace.
 *
 * A goroutine is in one state at any time, so that for each of them
 *     sum over states of time = end (or end of the trace) - first event
 * A system call that keeps its P is part of the span in which the goroutine
 * runs, but its time is that of the call, not of running, in all sums.
 */

#include "trace/analyze/hist.h"
#include "trace/read/order.h"

/* States of a goroutine; those from TRACE_ST_SLEEP on are blocked ones. */
enum trace_gst {
    TRACE_ST_NONE,     /* not yet, or no longer */
    TRACE_ST_RUNNING,
    TRACE_ST_RUNNABLE,
    TRACE_ST_SYSCALL,  /* in a system call; as a state, and a span, only one
                          that lost its P, in sums every one whose end is
                          known */
    TRACE_ST_SLEEP,
    TRACE_ST_SEND,
    TRACE_ST_RECV,
    TRACE_ST_SELECT,
    TRACE_ST_SYNC,
    TRACE_ST_COND,
    TRACE_ST_NET,
    TRACE_ST_GC,
    TRACE_ST_OTHER,
    TRACE_ST_FOREVER,  /* select {}, a nil channel: nobody can wake it */
    TRACE_ST_BEFORE,   /* blocked since before the trace: no cause known */
    TRACE_ST_COUNT
};

/* "chan receive" and so on, for tables; "chan_receive" for programs. */
const char *trace_gst_name(enum trace_gst s);
const char *trace_gst_key(enum trace_gst s);

struct trace_goroutine {
    uint64_t id;
    uint64_t parent;      /* its creator; 0 = unknown or the scheduler */
    uint64_t entry;       /* stack id of its entry function (1.5: 0) */
    uint64_t first_stack; /* first stack seen in it: names it where entry
                             is missing */
    uint64_t stack;       /* where it last stopped running */
    int64_t created;      /* -1: before the trace */
    int64_t started;      /* first run within the trace, -1 = never */
    int64_t ended;        /* -1: not within the trace */
    int64_t since;        /* when it came into its state */
    int64_t told;         /* when the file told so: later than since for the
                             states in which v2 finds goroutines */
    int64_t time[TRACE_ST_COUNT];
    int64_t longest_block;
    int64_t assist;       /* from begin to end of its mark assists, as Go
                             counts them */
    int64_t sweep;        /* and of its sweeps */
    int64_t calls;        /* of its time in system calls, that in which they
                             had not given up their P */
    int64_t run_calls;    /* of that, in the present run */
    int64_t range_since;  /* open assist or sweep; -1 = none */
    int64_t range_ran;    /* its running time, but that of the present run */
    int64_t called;       /* when it entered its system call; -1 = not */
    int64_t p;            /* where it runs, or TRACE_NO_P */
    uint64_t label;       /* string id that it was started with, or 0 */
    struct trace_text why; /* v2: the reason for its state, in words */
    uint64_t cause_by, cause_stack; /* the event that brought it into its
                                       state: whose, where */
    int64_t cause_p;      /* and on which P */
    uint8_t cause;        /* enum trace_ev of that event */
    uint32_t runs;        /* times it was put on a P */
    uint32_t blocks;
    uint8_t state;        /* enum trace_gst at the end */
    bool system;          /* the runtime's own: GC worker and the like */
    bool assisting;       /* the open range is a mark assist */
};

/* One time that a goroutine was blocked. */
struct trace_wait {
    int64_t ns, at;       /* how long, since when */
    uint64_t g, by;       /* who woke it; 0 = the scheduler, or nobody */
    uint64_t stack;
    uint8_t state;
    bool open;            /* still blocked when the trace ended */
};

struct trace_gst_total {
    int64_t ns;
    uint64_t n;
    int64_t longest;
};

/* Time of one P by what it did. */
struct trace_proc {
    int64_t id;
    int64_t busy;         /* goroutines ran on it */
    int64_t gc;           /* of that, mark workers and assists */
    int64_t calls;        /* and system calls that had not given it up */
    int64_t since;        /* when the goroutine on it started; -1 = none */
    uint64_t runs;        /* goroutines put on it */
    uint64_t retaken;     /* times it was taken from a system call */
    uint64_t starts;      /* times a thread took it */
    uint64_t g;
    bool gc_worker;
};

struct trace_range {      /* GC cycles, stops of the world */
    uint64_t n;
    int64_t ns, longest, longest_at;
    int64_t since;        /* -1 = none is open */
};

struct trace_summary {
    const struct trace_file *f;
    int64_t duration;     /* of the trace */
    int64_t from, to;     /* what was added up: all of it, or as asked */
    uint64_t events;      /* in order; the rest could not be ordered */
    uint64_t stuck;

    struct trace_goroutine *gs; /* by id; during the pass by appearance, and
                                   with one of id 0, the scheduler */
    uint64_t ngs;
    uint64_t at_start, created, ended, alive, peak;
    struct trace_gst_total total[TRACE_ST_COUNT]; /* without system ones */

    struct trace_proc *procs; /* Ps that did something; not TRACE_NO_P */
    uint64_t nprocs;
    uint64_t gomaxprocs;  /* largest seen; 0 = not recorded */
    int64_t proc_time;    /* integral of GOMAXPROCS over time */

    struct trace_hist latency;   /* from runnable to running */
    struct trace_wait *longest;  /* longest blocks, longest first */
    struct trace_wait *late;     /* longest waits for a P */
    uint64_t nlongest, nlate;

    struct trace_range gc, stw, stw_kind[32];
    uint64_t assists, sweeps;
    int64_t assist_ns, sweep_ns; /* the running time in them */
    uint64_t swept, reclaimed;
    uint64_t heap_first, heap_max, heap_last, goal_last;
    bool heap_seen;

    uint64_t syscalls, syscalls_blocked;
    uint64_t tasks, tasks_ended, regions, logs, samples;
    uint64_t count[TRACE_EV_KINDS];

    struct trace_idmap gmap; /* during the pass: from id to index in gs */
    bool sorted;          /* the pass is over */
    int64_t range_since;  /* during a MarkAssistDone, SweepDone or
                             GoSyscallEnd: when it began, or -1 */
    int64_t range_ran;    /* the first two: of that, running */
};

/* A time that a goroutine was in one state. */
struct trace_span {
    int64_t from, to;
    int64_t p;            /* running: where; else TRACE_NO_P */
    int64_t called;       /* system call: when it was entered, or -1 */
    int64_t told;         /* from, or when the file told of it */
    uint64_t stack;       /* running: where it stopped; else where it stopped
                             running */
    uint64_t cause_by;    /* goroutine whose event began the state, if not
                             itself: its creator, who woke it */
    uint64_t cause_stack; /* and where in that goroutine */
    int64_t cause_p, end_p; /* Ps of the events that began and ended it */
    uint64_t by;          /* goroutine whose event ended it, if not itself */
    uint64_t end_stack;
    uint64_t label;       /* running: string id of its label, or 0 */
    struct trace_text why; /* v2: the reason in words; empty = none */
    uint8_t state;        /* enum trace_gst */
    uint8_t cause, end;   /* enum trace_ev of those events; end: 0 if open */
    bool open;            /* the trace ended */
    bool at_start;        /* from the list of goroutines that opens a trace */
};

/*
 * Who else looks at the events while they pass.  event is called for each,
 * after what it means has been entered in *s; span when a goroutine leaves a
 * state, before event, and at the end for all that are in one.  Both may be
 * NULL.  What they return false for is lack of memory, which ends the pass.
 * Pointers are good for the call; trace_find_goroutine() works in it.
 * A sink that wants few of them says so: it is not called for the others.
 */
struct trace_sink {
    void *arg;
    uint64_t kinds;       /* bit i: events of kind i; 0 = all */
    uint32_t states;      /* bit i: spans in state i; 0 = all */
    bool (*event)(void *arg, const struct trace_summary *s,
        const struct trace_event *e);
    bool (*span)(void *arg, const struct trace_summary *s,
        const struct trace_goroutine *g, const struct trace_span *sp);
};

struct trace_pass {
    uint64_t top;         /* how many of the longest waits to keep */
    int64_t from, to;     /* what is added up lies from here to before there;
                             to 0: no end.  Sinks hear nothing after it, and
                             of what began before only the rest */
    bool system;          /* the totals, latency and the longest waits are
                             also those of the runtime's own goroutines */
    bool brief;           /* for those who only listen: leaves out what is
                             added up of states and Ps: time, runs, blocks
                             of goroutines, total, latency, procs, the
                             longest waits */
    const struct trace_sink *sinks;
    unsigned nsinks;
    void (*progress)(void *arg, uint64_t done, uint64_t total); /* or NULL;
                             events */
    void *progress_arg;
};

/* Reads all events of f once, with everybody looking.  RT_ENOMEM is the only
 * failure. */
enum rt_status trace_analyze_with(struct trace_file *f,
    const struct trace_pass *how, struct trace_summary **out,
    struct rt_err *e);

/* Reads all events of f; top = how many of the longest waits to keep.
 * RT_ENOMEM is the only failure.  Problems go to f's problem function. */
enum rt_status trace_analyze(struct trace_file *f, uint64_t top,
    struct trace_summary **out, struct rt_err *e);

void trace_summary_free(struct trace_summary *s);

/* After the pass: what each goroutine did fits into the stretch that was added
 * up, and goroutines, Ps and the longest waits are sorted. */
bool trace_summary_valid(const struct trace_summary *s);

/* The function that a goroutine runs; never NULL, maybe "?". */
struct trace_text trace_goroutine_name(const struct trace_summary *s,
    const struct trace_goroutine *g);

/* The goroutine with that id, or NULL. */
const struct trace_goroutine *trace_find_goroutine(
    const struct trace_summary *s, uint64_t id);

/* "mark termination" and so on; the numbers changed in 1.21. */
const char *trace_stw_name(int version, uint64_t kind);

#endif
