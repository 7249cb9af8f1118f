/* SPDX-License-Identifier: MIT */
/*
 * The slow side of the write barrier: shades the old and the new value, as
 * Go's hybrid barrier does while a stack is grey.  The flag in the pcache is
 * raised only while a mark runs beside the program.
 */
#include "gc/gc_int.h"

void
gc_barrier_slow(struct gc_pcache *pc, void *old, void *val)
{
    gc_mark_ptr(pc->marker, old);
    gc_mark_ptr(pc->marker, val);
}

void
gc_barrier_range_slow(struct gc_pcache *pc, const struct rt_layout *l,
    void *dst, const void *src, uint64_t n)
{
    gc_mark_range(pc->marker, dst, l, n);
    if (src != NULL)
        gc_mark_range(pc->marker, src, l, n);
}
