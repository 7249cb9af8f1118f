/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_HOST_LOCKORDER_H
#define RUNTIME_HOST_LOCKORDER_H

/*
 * Orders of locks that could deadlock although they did not: one goroutine took
 * b while it held a, another took a while it held b, and nothing kept the two
 * from doing so at the same time.  The caller sees to it that one thread at a
 * time is in here, but for lockorder_mark().
 */

#include "runtime/host/locks.h"

struct order;
struct gc_marker;

/* NULL: no memory. */
struct order *lockorder_new(struct vm *vm);
void lockorder_free(struct order *o);

/* g is about to do what stands at its point; it has the locks in held, and
 * wants this one, NULL: none. */
void lockorder_point(struct order *o, struct sched_g *g, const struct holds *held,
    const struct hold *want);

/* Locks in the graph stay, so that no other object gets their address. */
void lockorder_mark(const struct order *o, struct gc_marker *m);

/* Tells of each circle once; their number. */
uint32_t lockorder_say(const struct order *o, FILE *out);

#endif
