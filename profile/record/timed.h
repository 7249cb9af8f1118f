/* SPDX-License-Identifier: MIT */
#ifndef PROFILE_RECORD_TIMED_H
#define PROFILE_RECORD_TIMED_H

/*
 * What the CPU and the wall clock profile have in common: signal handlers put
 * samples into a ring without locks; a thread of the profiler takes them out
 * and sums them up by stack, labels and state.
 */

#include <stdbool.h>
#include <stdint.h>

#include "profile/record/labels.h"
#include "runtime/base/atomic.h"
#include "runtime/base/callstack.h"
#include "runtime/base/err.h"
#include "runtime/base/lock.h"
#include "runtime/base/note.h"
#include "runtime/base/thread.h"

struct prof;
struct prof_timed;
struct prof_cpu_ring;
struct prof_cpu_sum;
struct prof_sample;

enum { PROF_CPU_HZ = 100, PROF_CPU_MAX_HZ = 10000 };

/* What an interrupted thread was doing. */
struct prof_where {
    struct prof_labels *labels; /* of the goroutine, not referenced */
    uint64_t goid;  /* 0: none */
    int32_t p;      /* -1: none */
    uint32_t n;     /* frames */
};

/* In what they differ. */
struct prof_timed_kind {
    const char *busy, *none; /* error texts */
    const char *thread_name;
    const char *state;       /* of the samples of signals; may be NULL */
    bool only_g;             /* signals count where a goroutine runs only */
    void (*thread)(void *prof); /* until the note `stop` is set */
    /* Signals begin to come, and end; fini: the runtime has ended, there is
     * no world to stop. */
    enum rt_status (*begin)(struct prof *p, uint32_t hz, struct rt_err *e);
    void (*end)(struct prof *p, bool fini);
    void (*note)(struct prof *p, const struct prof_sample *s); /* or NULL */
};

struct prof_timed {
    const struct prof_timed_kind *kind;
    a_u32 on;            /* atomic: samples are taken */
    a_u32 busy;          /* atomic: signal handlers between entry and exit */
    a_ptr ring;          /* struct prof_cpu_ring *; stays once made */
    struct rt_lock ctl;  /* PROF_CTL: start and stop */
    /* guarded by ctl */
    bool running;
    uint32_t hz;
    int64_t start_wall, start_mono;
    struct rt_thread thread;
    struct rt_note stop;
    /* the thread's, and after its end whoever holds ctl */
    struct prof_cpu_sum *sum;
    uint64_t ticks;      /* how often everybody was looked at; 0: samples come
                            hz times a second */
};

struct prof_timed_record {
    const vpc *stk;
    uint32_t nstk;
    struct prof_labels *labels;
    const char *state;   /* wall: "running", "runnable", "chan receive" ... */
    uint64_t count;      /* samples */
};

/* A finished profile. */
struct prof_timed_profile {
    struct prof_timed_record *v;
    uint32_t n;
    uint64_t samples;    /* all together, without the lost ones */
    uint64_t lost;       /* for which there was no room; they are a record
                            too, with the mark LOST */
    uint64_t ticks;
    int64_t period_ns;   /* what one sample stands for */
    int64_t start_wall;  /* ns since 1970 */
    int64_t duration_ns;
    struct prof_cpu_sum *sum; /* private: owns the stacks */
};

void prof_timed_init(
    struct prof_timed *t, const struct prof_timed_kind *kind);
void prof_timed_fini(struct prof *p, struct prof_timed *t);

/* Begins a profile of hz samples per second (0: 100).  RT_ESTATE: there is
 * one; RT_ENOMEM, RT_EIO.  Any thread. */
enum rt_status prof_timed_start(struct prof *p, struct prof_timed *t,
    uint32_t hz, struct rt_err *e);
/* Ends it; *out is the caller's.  RT_ESTATE where none is on. */
enum rt_status prof_timed_stop(struct prof *p, struct prof_timed *t,
    struct prof_timed_profile **out, struct rt_err *e);
void prof_timed_free(struct prof_timed_profile *f);

/* The signal handler's work: ucontext is that of the interrupted thread of
 * the scheduler.  Async-signal-safe. */
void prof_timed_signal(
    struct prof *p, struct prof_timed *t, const void *ucontext);

/* The profiler's thread: sums up what is in the ring. */
void prof_timed_drain(struct prof *p, struct prof_timed *t);

#endif
