/* SPDX-License-Identifier: MIT */
#ifndef GC_SPECIAL_H
#define GC_SPECIAL_H

/*
 * Specials: what is known of single objects beside their memory, finalizers,
 * cleanups, weak pointers and sampled sites (special.c; Go's mheap.go).
 */

#include "gc/gc_int.h"

/* Attaches the sampled allocation site; false: no memory. */
bool gc_special_profile(struct gc_heap *h, void *p, void *site,
    uint64_t size);

/* The span of an address inside a heap object and the address's offset in it;
 * NULL where it is in none. */
struct gc_span *gc_special_span(struct gc_heap *h, const void *p,
    uint64_t *offset);

struct gc_special *gc_special_new(struct gc_heap *h);
void gc_special_free(struct gc_heap *h, struct gc_special *sp);

/* The special of this kind at the offset, NULL where there is none.
 * special_lock of s held. */
struct gc_special *gc_special_find(struct gc_span *s, uint64_t offset,
    uint32_t kind);

/* Links sp; false when there is one of that key already. */
bool gc_special_attach(struct gc_heap *h, struct gc_span *s,
    struct gc_special *sp);

/* Empties the handle of a weak pointer, before its object is freed. */
void gc_weak_clear(struct gc_weak *w);

/* Deals with the specials of unmarked objects while s is swept: marks what
 * waits for its finalizer, clears weak pointers, hands sites to the profiler.
 * True when a finalizer or cleanup became ready. */
bool gc_specials_sweep(struct gc_heap *h, struct gc_span *s);

/* Whether the sweep will find finalizers or cleanups that are due.  World
 * stopped, at the end of a mark. */
bool gc_specials_due(struct gc_heap *h);

/* Marks what specials and ready finalizers keep alive.  World stopped. */
void gc_specials_mark(struct gc_marker *m);

/* The same beside the program.  begin: world stopped.  next: marks a piece;
 * false when all have been taken.  left: whether there is one that nobody
 * has taken; any thread. */
void gc_specials_mark_begin(struct gc_heap *h);
bool gc_specials_mark_next(struct gc_marker *m);
bool gc_specials_mark_left(const struct gc_heap *h);

#endif
