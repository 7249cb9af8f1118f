/* SPDX-License-Identifier: MIT */
#ifndef PROFILE_RECORD_THREAD_H
#define PROFILE_RECORD_THREAD_H

/*
 * The threadcreate profile: the stack that led to each thread of the
 * scheduler, native frames first, then those of the script whose goroutine
 * ran there.  A thread that no goroutine led to, such as the first one, is
 * counted with an empty stack, as Go counts those of its scheduler: what made
 * it is always the same, and unwinding is a tenth of a short program's time.
 */

#include <stdint.h>

#include "runtime/base/callstack.h"
#include "runtime/base/lock.h"
#include "runtime/base/persist.h"

struct prof;
struct prof_thread_node;

struct prof_threads {
    struct rt_lock lock; /* PROF_THREAD */
    struct prof_thread_node *first; /* guarded by lock; newest first */
    uint32_t n;                     /* likewise */
};

/* A stack that lives as long as its runtime. */
struct prof_stack {
    const vpc *pcs;
    uint32_t n;
};

void prof_threads_init(struct prof_threads *t);
void prof_threads_fini(struct prof_threads *t);

/* The calling thread is about to create a thread: records its stack, without
 * the `skip` innermost native frames, if it runs a goroutine.  Slow, and not
 * signal-safe. */
void prof_thread_created(struct prof *p, uint32_t skip);

/* Returns how many there are; fills out only if there is room for all. */
uint32_t prof_thread_records(
    struct prof *p, struct prof_stack *out, uint32_t room);

#endif
