/* SPDX-License-Identifier: MIT */
#ifndef PROFILE_RECORD_CPU_H
#define PROFILE_RECORD_CPU_H

/*
 * The CPU profile: each thread of the scheduler has a timer of its own CPU
 * time, whose signal reads the interrupted stack.  Native frames come first
 * where the time went into the runtime itself.  The samples go to the tracer
 * as well.
 */

#include "profile/record/timed.h"

extern const struct prof_timed_kind prof_cpu_kind;

/* Begins a profile of hz samples per second of CPU time (0: 100).
 * RT_ESTATE "cpu profiling already in use"; RT_ENOMEM, RT_EIO.  Any thread. */
enum rt_status prof_cpu_start(
    struct prof *p, uint32_t hz, struct rt_err *e);

/* Ends it; *out goes to prof_timed_free().  RT_ESTATE where none is on.
 * Takes less than 10 ms. */
enum rt_status prof_cpu_stop(
    struct prof *p, struct prof_timed_profile **out, struct rt_err *e);

/* The handler of the timers' signal.  Async-signal-safe. */
void prof_cpu_signal(struct prof *p, const void *ucontext);

#endif
