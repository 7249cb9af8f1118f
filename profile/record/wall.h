/* SPDX-License-Identifier: MIT */
#ifndef PROFILE_RECORD_WALL_H
#define PROFILE_RECORD_WALL_H

/*
 * The wall clock profile: at every tick, what each goroutine does, on and off
 * the processor, by stack and state, without stopping the world.  A goroutine
 * that does not run is pinned while its stack is read: it does not begin to
 * run meanwhile.  One that runs is asked by a signal to its thread.
 */

#include <stdbool.h>
#include <stdint.h>

#include "runtime/base/atomic.h"
#include "runtime/base/callstack.h"
#include "runtime/base/err.h"
#include "runtime/base/lock.h"
#include "runtime/base/note.h"
#include "runtime/base/thread.h"

struct prof;
struct prof_cpu_ring;
struct prof_cpu_sum;
struct prof_labels;

struct prof_wall {
    a_u32 on;   /* atomic: signals for it are samples */
    a_u32 busy; /* atomic: signal handlers between entry and exit */
    a_ptr ring; /* struct prof_cpu_ring *; stays once made */
    struct rt_lock ctl; /* PROF_CTL: the rest */
    bool running;
    uint32_t hz;
    int64_t start_wall, start_mono;
    struct rt_thread thread;
    struct rt_note stop;
    /* the sampler's, and after its end whoever holds ctl */
    struct prof_cpu_sum *sum;
    uint64_t ticks;
};

struct prof_wall_record {
    const vpc *stk;
    uint32_t nstk;
    struct prof_labels *labels;
    const char *state;   /* "running", "runnable", "chan receive" ... */
    uint64_t count;      /* samples */
};

struct prof_wall_profile {
    struct prof_wall_record *v;
    uint32_t n;
    uint64_t ticks;      /* how often everybody was looked at */
    int64_t period_ns;   /* duration / ticks */
    int64_t start_wall;
    int64_t duration_ns;
    struct prof_cpu_sum *sum; /* private */
};

void prof_wall_init(struct prof_wall *w);
void prof_wall_fini(struct prof *p);

/* The handler of the signal that host->wall_signal sent to a thread which
 * runs a goroutine.  Async-signal-safe. */
void prof_wall_signal(struct prof *p, const void *ucontext);

/* As prof_cpu_start() and prof_cpu_stop(); hz 0: 100. */
enum rt_status prof_wall_start(struct prof *p, uint32_t hz, struct rt_err *e);
enum rt_status prof_wall_stop(
    struct prof *p, struct prof_wall_profile **out, struct rt_err *e);
void prof_wall_profile_free(struct prof_wall_profile *f);

#endif
