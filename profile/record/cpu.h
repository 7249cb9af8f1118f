/* SPDX-License-Identifier: MIT */
#ifndef PROFILE_RECORD_CPU_H
#define PROFILE_RECORD_CPU_H

/*
 * The CPU profile: each thread of the scheduler has a timer of its own CPU
 * time, whose signal reads the interrupted stack into a ring without locks; a
 * thread of the profiler empties the ring, hands the samples to the tracer
 * and sums them up by stack and labels.  Native frames come first where the
 * time went into the runtime itself.
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
struct prof_cpu_ring;
struct prof_cpu_sum;

enum { PROF_CPU_HZ = 100, PROF_CPU_MAX_HZ = 10000 };

/* What an interrupted thread was doing. */
struct prof_where {
    struct prof_labels *labels; /* of the goroutine, not referenced */
    uint64_t goid;  /* 0: none */
    int32_t p;      /* -1: none */
    uint32_t n;     /* frames */
};

struct prof_cpu {
    a_u32 on;            /* atomic: samples are taken */
    a_u32 busy;          /* atomic: signal handlers between entry and exit */
    a_ptr ring;          /* struct prof_cpu_ring *; stays once made */
    struct rt_lock ctl;  /* PROF_CTL: start and stop */
    /* guarded by ctl */
    bool running;
    uint32_t hz;
    int64_t start_wall, start_mono;
    struct rt_thread drainer;
    struct rt_note stop;
    /* the drainer's, and after its end whoever holds ctl */
    struct prof_cpu_sum *sum;
};

struct prof_cpu_record {
    const vpc *stk;
    uint32_t nstk;
    struct prof_labels *labels;
    uint64_t count;      /* samples */
};

/* A finished profile. */
struct prof_cpu_profile {
    struct prof_cpu_record *v;
    uint32_t n;
    uint64_t samples;    /* all together, without the lost ones */
    uint64_t lost;       /* for which there was no room; they are a record
                            too, with the mark LOST */
    int64_t period_ns;
    int64_t start_wall;  /* ns since 1970 */
    int64_t duration_ns;
    struct prof_cpu_sum *sum; /* private: owns the stacks */
};

void prof_cpu_init(struct prof_cpu *c);
void prof_cpu_fini(struct prof *p);

/*
 * Begins a profile of hz samples per second of CPU time (0: 100).
 * RT_ESTATE "cpu profiling already in use"; RT_ENOMEM, RT_EIO.  Any thread.
 */
enum rt_status prof_cpu_start(
    struct prof *p, uint32_t hz, struct rt_err *e);

/* Ends it; *out is the caller's.  RT_ESTATE where none is on.  Takes less
 * than 10 ms. */
enum rt_status prof_cpu_stop(
    struct prof *p, struct prof_cpu_profile **out, struct rt_err *e);

void prof_cpu_profile_free(struct prof_cpu_profile *f);

static inline bool
prof_cpu_on(const struct prof_cpu *c)
{
    return a32_load_acq(&c->on) != 0;
}

/* The signal handler's work: ucontext is that of the interrupted thread of
 * the scheduler.  Async-signal-safe. */
void prof_cpu_signal(struct prof *p, const void *ucontext);

#endif
