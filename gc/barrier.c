/* SPDX-License-Identifier: MIT */
/*
 * The slow side of the write barrier: shades the old and the new value, as
 * Go's hybrid barrier does while a stack is grey.  The flag in the pcache is
 * raised only while a mark runs beside the program.
 */
#include "gc/gc_int.h"

/* Left out by the tests that show that it is needed. */
static inline bool
shades(const struct gc_pcache *pc, uint32_t half)
{
    return VOLE_CHECKS == 0 || pc->heap->cfg.shade_off != half;
}

void
gc_barrier_slow(struct gc_pcache *pc, void *old, void *val)
{
    if (shades(pc, GC_SHADE_OLD))
        gc_mark_ptr(pc->marker, old);
    if (shades(pc, GC_SHADE_NEW))
        gc_mark_ptr(pc->marker, val);
}

void
gc_barrier_range_slow(struct gc_pcache *pc, const struct rt_layout *l,
    void *dst, const void *src, uint64_t n)
{
    if (shades(pc, GC_SHADE_OLD))
        gc_mark_range(pc->marker, dst, l, n);
    if (src != NULL && shades(pc, GC_SHADE_NEW))
        gc_mark_range(pc->marker, src, l, n);
}

void
gc_shade_slow(struct gc_pcache *pc, const void *val)
{
    if (shades(pc, GC_SHADE_NEW))
        gc_mark_ptr(pc->marker, val);
}

void
gc_shade_range_slow(struct gc_pcache *pc, const struct rt_layout *l,
    const void *src, uint64_t n)
{
    if (shades(pc, GC_SHADE_NEW))
        gc_mark_range(pc->marker, src, l, n);
}

void
gc_shade_words_slow(struct gc_pcache *pc, const void *words, uint64_t n)
{
    const uint8_t *p = words;

    if (!shades(pc, GC_SHADE_NEW))
        return;
    for (uint64_t i = 0; i < n; i++) {
        uintptr_t v;
        memcpy(&v, p + i * 8, sizeof v);
        gc_mark_maybe(pc->marker, v);
    }
}
