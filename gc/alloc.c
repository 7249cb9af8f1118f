/* SPDX-License-Identifier: MIT */
/*
 * Allocation: size class, window, pointer bits, zeroing, sampling.  Runs on
 * the thread that owns the P; no safepoint anywhere.
 */
#include "gc/gc_int.h"
#include "gc/special.h"

#include "runtime/race/race.h"

const uint64_t gc_zero_object = 0;

/* The layout's mask in one word, for at most 64 words. */
static uint64_t
mask_word(const struct rt_layout *l)
{
    rt_assert(l->ptrdata > 0 && l->ptrdata <= 64 * 8);
    uint64_t m = 0;

    if (l->ptrdata <= 64)
        m = l->ptrmask[0];
    else
        memcpy(&m, l->ptrmask, (l->ptrdata / 8 + 7) / 8);
    /* Bits behind the last word would reach into the next slot. */
    return m & rt_low_bits((unsigned)(l->ptrdata / 8));
}

/* What the bitmap says of a slot that holds n values of the layout. */
static uint64_t
slot_mask(const struct rt_layout *l, uint64_t n)
{
    uint64_t m = mask_word(l);
    uint64_t all = m;

    rt_assert(n >= 1 && n * l->size <= 64 * 8);
    for (uint64_t i = 1; i < n; i++)
        all |= m << (i * (l->size / 8));
    return all;
}

/* Records where the pointers of a small object are. */
static inline void
put_layout(struct gc_window *w, uint32_t slot, const struct rt_layout *l,
    uint64_t n)
{
    if (w->ptrbits == NULL) {
        w->span->layouts[w->index * 64 + slot] = l;
        return;
    }
    /* As in gc_alloc(). */
    if (n == 1 && l->ptrdata <= 64 && w->mask == l->ptrmask[0])
        return;
    uint64_t m = slot_mask(l, n);
    uint32_t nw = w->size / 8;
    if (m != w->mask)
        gc_put_ptrbits(w->ptrbits, slot * nw, nw, m);
}

/* Allocation number whatever under gcstress. */
static void
stress(struct gc_pcache *pc)
{
    if (pc->stress_left > 1) {
        pc->stress_left--;
        return;
    }
    pc->stress_left = pc->heap->cfg.stress;
    gc_request(pc);
}

/* The countdown ran out: the profiler gets its sample, the slot of s. */
static void
sample(struct gc_pcache *pc, struct gc_span *s, uint32_t slot, void *p,
    uint64_t size)
{
    struct gc_heap *h = pc->heap;
    const struct gc_prof_sink *prof = h->prof;
    /* Under stress it counts; else it is the distance that was chosen. */
    bool every = pc->next_sample == (h->cfg.stress != 0 ? -(int64_t)size : 0);

    pc->next_sample = INT64_MAX;
    if (rt_likely(prof != NULL && prof->malloc != NULL)) {
        void *site = prof->malloc(h->prof_arg, pc, p, size);
        if (site != NULL && !(every && gc_site_set(s, slot, site)) &&
            !gc_special_profile(h, p, site, size) && prof->free != NULL)
            prof->free(h->prof_arg, p, site, size);
    }
    if (prof != NULL && prof->next_sample != NULL)
        pc->next_sample = prof->next_sample(h->prof_arg, pc);
    if (h->cfg.stress == 0)
        pc->countdown = pc->next_sample;
}

/* Counts the bytes of a new object towards the next sample. */
static inline void
count(struct gc_pcache *pc, struct gc_span *s, uint32_t slot, void *p,
    uint64_t size)
{
    if (RT_NO_PROFILES)
        return;
    if (rt_unlikely(pc->heap->cfg.stress != 0)) {
        stress(pc);
        pc->next_sample -= (int64_t)size;
        if (pc->next_sample < 0)
            sample(pc, s, slot, p, size);
        return;
    }
    pc->countdown -= (int64_t)size;
    if (rt_unlikely(pc->countdown < 0))
        sample(pc, s, slot, p, size);
}

static void *
alloc_large(struct gc_pcache *pc, const struct rt_layout *l, uint64_t size,
    bool zero)
{
    struct gc_heap *h = pc->heap;

    rt_assert(size > GC_SMALL_MAX);
    if (size > GC_MAX_ALLOC)
        return NULL;
    gc_sweep_pay(pc, rt_align_up(size, GC_PAGE_SIZE));
    struct gc_span *s = gc_span_new(h, l == NULL, size);
    if (s == NULL)
        return NULL;
    if (rt_unlikely(h->cfg.race != NULL) && !s->fresh)
        race_clear(h->cfg.race, s->base, rt_align_up(size, 8));
    rt_asan_unpoison(s->base, size);
    /* A collector must not look at the old content. */
    if (!s->fresh && (zero || l != NULL))
        memset(s->base, 0, size);
    if (l != NULL)
        s->layouts[0] = l;
    if (rt_unlikely(pc->barrier)) {
        a64_store_rlx(&s->mark[0], 1);
        a64_add_rlx(&h->black, s->npages * GC_PAGE_SIZE);
    }
    a64_store_rlx(&s->alloc[0], 1);
    s->alloc_count = 1;
    a64_add_rlx(&h->counts.mallocs[0], 1);
    a64_add_rlx(&h->counts.large_bytes, s->npages * GC_PAGE_SIZE);
    void *p = s->base;
    gc_central_put(h, &s, 1);
    gc_pacer_allocated(pc, s->npages * GC_PAGE_SIZE);
    count(pc, s, 0, p, size);
    return p;
}

/* n values of the layout (NULL: no pointers), together size > 0 bytes. */
static void *
alloc(struct gc_pcache *pc, const struct rt_layout *l, uint64_t n,
    uint64_t size, bool zero)
{
    if (rt_unlikely(size > GC_SMALL_MAX))
        return alloc_large(pc, l, size, zero);
    rt_assert(size > 0 && (l == NULL || l->ptrdata <= l->size));
    unsigned sc = gc_size_class(size) * 2 + (l == NULL);
    struct gc_window *w = &pc->win[sc];
    bool counts = false;
    if (rt_unlikely(w->free == 0)) {
        if (w->held == 0) {
            if (!gc_cache_refill(pc, sc))
                return NULL;
            if (w->ptrbits != NULL)
                gc_window_prefill(w, slot_mask(l, n));
        }
        counts = pc->countdown < w->size || !gc_window_share(pc, w);
    }
    uint32_t slot;
    uint8_t *p = gc_window_take(w, counts ? &w->held : &w->free, &slot);
    rt_assert(w->size >= size && w->index * 64 + slot < w->span->nelems);
    if (l != NULL) {
        put_layout(w, slot, l, n);
        zero = true;
    }
    if (zero && !w->span->fresh)
        gc_zero_small(p, w->size);
    if (rt_unlikely(counts))
        count(pc, w->span, w->index * 64 + slot, p, w->size);
    return p;
}

/*
 * Objects of a few bytes without pointers share blocks of 16 bytes; a block
 * lives as long as one of them (Go's tiny allocator).  Under gcstress none is
 * shared.  Machine code does the same for objects of 8 bytes.
 */
static void *
alloc_tiny(struct gc_pcache *pc, uint32_t size)
{
    uint32_t off = pc->tiny_off;

    rt_assert(size > 0 && size < TINY_SIZE && off <= TINY_SIZE);
    if (size % 8 == 0)
        off = (off + 7) & ~7u;
    else if (size % 4 == 0)
        off = (off + 3) & ~3u;
    else if (size % 2 == 0)
        off = (off + 1) & ~1u;
    if (pc->tiny != NULL && off + size <= TINY_SIZE) {
        rt_assert(off % (size & -size) == 0); /* as its type may want */
        pc->tiny_off = off + size;
        pc->tiny_allocs++;
        return pc->tiny + off;
    }
    uint8_t *p = gc_alloc_noscan(pc, TINY_SIZE);
    if (p != NULL && pc->heap->cfg.stress == 0 &&
        (pc->tiny == NULL || size < pc->tiny_off)) {
        /* The new block has more room left than the old one. */
        pc->tiny = p;
        pc->tiny_off = size;
    }
    return p;
}

/* The common case of alloc() for 16 to 64 bytes without pointers; NULL where
 * it is not so simple. */
static inline void *
alloc_fast(struct gc_pcache *pc, uint64_t size)
{
    struct gc_window *w = &pc->win[gc_class8[(size + 7) / 8] * 2 + 1];
    uint32_t slot;

    if (w->free == 0)
        return NULL;
    uint8_t *p = gc_window_take(w, &w->free, &slot);
    gc_zero_small(p, w->size);
    return p;
}

void *
gc_alloc_noscan(struct gc_pcache *pc, uint64_t size)
{
    if (rt_likely(size - 16 <= 48)) {
        void *p = alloc_fast(pc, size);
        if (rt_likely(p != NULL))
            return p;
    }
    if (size < TINY_SIZE)
        return size == 0 ? (void *)(uintptr_t)&gc_zero_object
                         : alloc_tiny(pc, (uint32_t)size);
    return alloc(pc, NULL, 1, size, true);
}

void *
gc_alloc_noscan_dirty(struct gc_pcache *pc, uint64_t size)
{
    if (size < TINY_SIZE)
        return gc_alloc_noscan(pc, size);
    return alloc(pc, NULL, 1, size, false);
}

void *
gc_alloc_slow(struct gc_pcache *pc, const struct rt_layout *l)
{
    if (l->ptrdata == 0)
        return gc_alloc_noscan(pc, l->size);
    return alloc(pc, l, 1, l->size, true);
}

void *
gc_alloc_array(struct gc_pcache *pc, const struct rt_layout *l, uint64_t n)
{
    if (!gc_array_fits(l, n))
        return NULL;
    uint64_t size = l->size * n;
    if (l->ptrdata == 0 || size == 0)
        return gc_alloc_noscan(pc, size);
    return alloc(pc, l, n, size, true);
}

uint64_t
gc_round_size(uint64_t size)
{
    if (size == 0)
        return 0;
    if (size <= GC_SMALL_MAX)
        return gc_class_size[gc_size_class(size)];
    if (size > UINT64_MAX - GC_PAGE_SIZE)
        return UINT64_MAX;
    return rt_align_up(size, GC_PAGE_SIZE);
}
