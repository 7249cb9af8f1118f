/* SPDX-License-Identifier: MIT */
#ifndef GC_REACH_H
#define GC_REACH_H

/*
 * What can be reached from some of the roots: a mark beside the collector's
 * own, which frees nothing.  The caller marks the roots that it wants to
 * begin with, has them followed, and may add others when it has seen what
 * they lead to.
 *
 *     r = gc_reach_begin(h, found, arg)
 *     gc_reach_watch(r, p) ...          found() is to hear of these objects
 *     gc_mark_*(gc_reach_marker(r), ...)
 *     gc_reach_drain(r)                 as often as wanted
 *     gc_reach_end(r)
 *
 * The world stands from begin to end; a collection may be in any phase, and
 * goes on as if nothing had been.
 */

#include "gc/gc.h"

struct gc_reach;

/* NULL: no memory.  found() is called once for each watched object when it is
 * reached, with its first byte; it may take no lock.  The heap must have been
 * swept as far as it concerns the caller: nothing is expected of garbage. */
struct gc_reach *gc_reach_begin(struct gc_heap *h,
    void (*found)(void *arg, const void *obj), void *arg);

/* Watches the object that p points into, and returns its first byte; NULL:
 * p points to nothing that the collector owns.  Before anything is marked. */
const void *gc_reach_watch(struct gc_reach *r, const void *p);

struct gc_marker *gc_reach_marker(struct gc_reach *r);

/* Marks what finalizers, cleanups and weak pointers keep. */
void gc_reach_specials(struct gc_reach *r);

/* Follows what has been marked. */
void gc_reach_drain(struct gc_reach *r);

void gc_reach_end(struct gc_reach *r);

#endif
