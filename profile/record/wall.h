/* SPDX-License-Identifier: MIT */
#ifndef PROFILE_RECORD_WALL_H
#define PROFILE_RECORD_WALL_H

/*
 * The wall clock profile: at every tick, what each goroutine does, on and off
 * the processor, by stack and state, without stopping the world.  A goroutine
 * that does not run is pinned while its stack is read: it does not begin to
 * run meanwhile.  One that runs is asked by a signal to its thread.
 */

#include "profile/record/timed.h"

extern const struct prof_timed_kind prof_wall_kind;

/* The handler of the signal that host->wall_signal sent to a thread which
 * runs a goroutine.  Async-signal-safe. */
void prof_wall_signal(struct prof *p, const void *ucontext);

/* As prof_cpu_start() and prof_cpu_stop(); hz 0: 100. */
enum rt_status prof_wall_start(struct prof *p, uint32_t hz, struct rt_err *e);
enum rt_status prof_wall_stop(
    struct prof *p, struct prof_timed_profile **out, struct rt_err *e);

#endif
