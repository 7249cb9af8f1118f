/* SPDX-License-Identifier: MIT */
/*
 * Marking.  A marked object that may hold pointers goes into the grey set by
 * its address; large ones go in pieces (oblets), by the addresses inside, so
 * that several markers can share one and no stop waits for it.
 *
 * The program writes words while they are read here.  A word is read by one
 * aligned load, so that it is some value that was stored there; if it has
 * been overwritten meanwhile, the barrier of that store has shaded both the
 * value read here and the new one.  What describes an object, its pointer
 * bits or layout, was written before the first stop: an object made later is
 * black and never scanned.  The address of such an object may be read here,
 * though; its span is seen to be in use then.
 * x86-order: stores become visible in order, and loads are done in order.
 */
#include "gc/gc_int.h"

/* Sets the mark bit; true when it was clear. */
static inline bool
set_mark(struct gc_span *s, uint32_t slot)
{
    rt_assert(slot < s->nelems);
    a_u64 *w = &s->mark[slot / 64];
    uint64_t bit = (uint64_t)1 << (slot % 64);
    uint64_t old;

    do {
        old = a64_load_rlx(w);
        if (old & bit)
            return false;
        /* rlx: who wins the bit scans the object; what it holds was written
         * before the first stop, or is shaded by the barrier. */
    } while (!a64_cas_rlx(w, old, old | bit));
    return true;
}

static RT_COLD void
unmarked(const struct gc_marker *m, const struct gc_span *s, uint32_t slot)
{
    rt_throwf("marking missed an object: %p, size %lu, class %u, slot %u of "
        "%u, %s%s, found from %s %p", (void *)gc_slot_base(s, slot),
        (unsigned long)s->elemsize, gc_span_class(s), slot, s->nelems,
        gc_span_noscan(s) ? "no pointers" : "with pointers",
        s->magic == 0 ? ", large" : "", m->check, (const void *)m->from);
}

static inline void
grey(struct gc_marker *m, struct gc_span *s, uint32_t slot)
{
    if (!set_mark(s, slot))
        return;
    m->bytes += gc_slot_bytes(s);
    m->objects++;
    if (rt_unlikely(m->check != NULL))
        unmarked(m, s, slot);
    if (rt_unlikely(m->found != NULL))
        gc_reach_found(m, s, slot);
    if (!gc_span_noscan(s))
        gc_work_push(m, (uintptr_t)gc_slot_base(s, slot), s);
}

static RT_COLD void
bad_pointer(const struct gc_heap *h, uintptr_t p)
{
    struct gc_span *s = gc_span_of(h, p);

    if (s == NULL)
        rt_throwf("pointer %p to free pages", (void *)p);
    rt_throwf("pointer %p to a free slot: span %p, slot %u of %u, size %lu",
        (void *)p, (void *)s->base, gc_slot_of(s, p), s->nelems,
        (unsigned long)s->elemsize);
}

static inline void
mark_word(struct gc_marker *m, uintptr_t p)
{
    struct gc_arena *a = gc_arena_of(m->heap, p);

    if (a == NULL)
        return; /* nil, or memory of others */
    /* acq: pairs with the rel in gc_span_new() */
    struct gc_span *s = aptr_load_acq(&a->span[gc_page_index(p)]);
    if (rt_unlikely(s == NULL || a32_load_acq(&s->state) != SPAN_INUSE))
        bad_pointer(m->heap, p);
    uint32_t slot = gc_slot_of(s, p);
    if (rt_unlikely(!gc_slot_allocated(s, slot)))
        bad_pointer(m->heap, p);
    grey(m, s, slot);
}

void
gc_mark_ptr(struct gc_marker *m, const void *p)
{
    mark_word(m, (uintptr_t)p);
}

void
gc_mark_word(struct gc_marker *m, uintptr_t word)
{
    struct gc_span *s = gc_span_of(m->heap, word);

    if (s == NULL)
        return;
    /* The record may have been reused since the page was looked up. */
    if (word - (uintptr_t)s->base >= s->elemsize * s->nelems)
        return;
    uint32_t slot = gc_slot_of(s, word);
    if (gc_slot_allocated(s, slot))
        grey(m, s, slot);
}

void
gc_mark_maybe(struct gc_marker *m, uintptr_t word)
{
    /* A stale word proves nothing. */
    if (rt_likely(m->check == NULL))
        gc_mark_word(m, word);
}

/* Where the attribute matters it must not be lost by inlining. */
#if RT_TSAN
static RT_NOINLINE RT_NO_TSAN uintptr_t
#else
static inline uintptr_t
#endif
load_word(const uint8_t *p)
{
    return *(const volatile uintptr_t *)(const void *)p;
}

void
gc_mark_mask(struct gc_marker *m, const void *base, const uint8_t *mask,
    uint64_t nwords)
{
    const uint8_t *p = base;

    for (uint64_t i = 0; i < nwords; i += 8) {
        unsigned bits = mask[i / 8];
        if (nwords - i < 8)
            bits &= (1u << (nwords - i)) - 1;
        for (; bits != 0; bits &= bits - 1)
            mark_word(m, load_word(p + (i + __builtin_ctz(bits)) * 8));
    }
}

void
gc_mark_range(struct gc_marker *m, const void *base,
    const struct rt_layout *l, uint64_t n)
{
    rt_assert(l->ptrdata <= l->size && l->ptrdata % 8 == 0);
    if (l->ptrdata == 0)
        return;
    for (uint64_t i = 0; i < n; i++)
        gc_mark_mask(m, (const uint8_t *)base + i * l->size, l->ptrmask,
            l->ptrdata / 8);
}

void
gc_mark_account(struct gc_marker *m, uint64_t stack_bytes,
    uint64_t global_bytes)
{
    m->stack_bytes += stack_bytes;
    m->global_bytes += global_bytes;
}

/* ---- scanning --------------------------------------------------------- */

static inline void
scan_bitmap(struct gc_marker *m, const struct gc_span *s, const uint8_t *p)
{
    uint32_t nw = (uint32_t)(s->elemsize / 8);
    uint32_t off = (uint32_t)(p - s->base) / 8;
    uint32_t sh = off % 64;
    const uint64_t *b = s->ptrbits + off / 64;
    uint64_t bits = gc_load_bits(b) >> sh;

    if (sh + nw > 64)
        bits |= gc_load_bits(b + 1) << (64 - sh);
    bits &= rt_low_bits(nw);
    for (; bits != 0; bits &= bits - 1)
        mark_word(m, load_word(p + (size_t)__builtin_ctzll(bits) * 8));
}

/* Scans the bytes from to to - 1 of an array of the layout at base; all are
 * multiples of 8, but elements may stick out on both sides. */
static void
scan_elements(struct gc_marker *m, const uint8_t *base,
    const struct rt_layout *l, uint64_t from, uint64_t to)
{
    uint64_t words = l->ptrdata / 8;

    rt_assert(l->size > 0 && from <= to && from % 8 == 0 && to % 8 == 0);
    for (uint64_t e = from - from % l->size; e < to; e += l->size) {
        uint64_t w = e < from ? (from - e) / 8 : 0;
        uint64_t end = (to - e) / 8 < words ? (to - e) / 8 : words;
        while (w < end) {
            unsigned bits = l->ptrmask[w / 8] >> (w % 8);
            uint64_t n = 8 - w % 8 < end - w ? 8 - w % 8 : end - w;
            bits &= (1u << n) - 1;
            for (; bits != 0; bits &= bits - 1)
                mark_word(m,
                    load_word(base + e + (w + __builtin_ctz(bits)) * 8));
            w += n;
        }
    }
}

void
gc_scan_slot(struct gc_marker *m, struct gc_span *s, uint32_t slot)
{
    rt_assert(!gc_span_noscan(s) && gc_slot_allocated(s, slot));
    if (s->ptrbits != NULL) {
        scan_bitmap(m, s, gc_slot_base(s, slot));
        return;
    }
    const struct rt_layout *l = s->layouts[slot];
    scan_elements(m, gc_slot_base(s, slot), l, 0, s->elemsize / 8 * 8);
}

/* Scans one entry of the grey set: an object, or a piece of a large one. */
static inline void
scan_grey(struct gc_marker *m, struct gc_grey g)
{
    struct gc_span *s = g.s;

    rt_assert(!gc_span_noscan(s) && gc_slot_marked(s, gc_slot_of(s, g.addr)));
    if (rt_unlikely(m->check != NULL))
        m->from = (const void *)g.addr;
    if (s->ptrbits != NULL) {
        m->scanned += s->elemsize;
        scan_bitmap(m, s, (const uint8_t *)g.addr);
        return;
    }
    uint32_t slot = gc_slot_of(s, g.addr);
    const uint8_t *base = gc_slot_base(s, slot);
    uint64_t from = g.addr - (uintptr_t)base;
    uint64_t size = s->elemsize / 8 * 8;
    rt_assert(from % RT_GC_OBLET == 0 && from < s->elemsize);
    if (from == 0)
        for (uint64_t o = RT_GC_OBLET; o < size; o += RT_GC_OBLET)
            gc_work_push(m, (uintptr_t)base + o, s);
    uint64_t to = size - from < RT_GC_OBLET ? size : from + RT_GC_OBLET;
    m->scanned += to - from;
    scan_elements(m, base, s->layouts[slot], from, to);
}

/* Scans every marked object again, after greys were dropped. */
static void
rescan_span(struct gc_heap *h, struct gc_span *s, void *arg)
{
    struct gc_marker *m = arg;

    (void)h;
    if (gc_span_noscan(s))
        return;
    for (uint32_t i = 0; i < s->nwords; i++)
        for (uint64_t b = a64_load_rlx(&s->mark[i]); b != 0; b &= b - 1)
            gc_scan_slot(m, s, i * 64 + (uint32_t)__builtin_ctzll(b));
}

/*
 * Between the grey set and the scan stands a short queue, so that the memory
 * of an object is on its way while others are scanned (the prefetch-on-grey
 * of Cher, Hosking and Vitek, "Software prefetching for mark-sweep garbage
 * collection").
 */
enum { AHEAD = 8 };

bool
gc_drain_some(struct gc_marker *m, uint64_t work)
{
    enum { OBJECTS = 256 };
    struct gc_grey queue[AHEAD];
    unsigned head = 0;
    unsigned n = 0;
    uint64_t end = m->scanned + work;
    unsigned left = work == UINT64_MAX ? UINT32_MAX : OBJECTS;

    if (end < work)
        end = UINT64_MAX;
    for (;;) {
        while (n < AHEAD) {
            struct gc_grey g = gc_work_pop(m);
            if (g.addr == 0)
                break;
            __builtin_prefetch((void *)g.addr);
            queue[(head + n++) % AHEAD] = g;
        }
        if (n == 0)
            return true;
        scan_grey(m, queue[head]);
        head = (head + 1) % AHEAD;
        n--;
        if (rt_unlikely(m->scanned >= end || --left == 0))
            break;
    }
    while (n-- > 0)
        gc_work_push(m, queue[(head + n) % AHEAD].addr,
            queue[(head + n) % AHEAD].s);
    return false;
}

void
gc_mark_drain(struct gc_marker *m)
{
    struct gc_heap *h = m->heap;

    for (;;) {
        while (!gc_drain_some(m, UINT64_MAX)) {
        }
        if (a32_load_acq(&h->work_overflow) == 0)
            return;
        a32_store_rlx(&h->work_overflow, 0);
        gc_for_each_span(h, rescan_span, m);
    }
}
