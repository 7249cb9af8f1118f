/* SPDX-License-Identifier: MIT */
/*
 * The windows of a P: how spans come in and go out.  Everything here runs on
 * the thread that owns the P, or in STW.
 */
#include "gc/gc_int.h"

#include "runtime/race/race.h"
#include "trace/record/trace.h"

void
gc_pcache_init(struct gc_heap *h, struct gc_pcache *pc, void *owner)
{
    memset(pc, 0, sizeof *pc);
    pc->heap = h;
    pc->owner = owner;
    for (unsigned i = 0; i < GC_NSPANCLASS; i++) {
        rt_list_init(&pc->stock[i].ready);
        rt_list_init(&pc->stock[i].full);
        pc->stock[i].take = 1;
    }
    gc_marker_init(&pc->own, h);
    pc->marker = &pc->own;
    pc->barrier = gc_phase(h) == GC_MARK;
    pc->next_sample = INT64_MAX;
    if (h->prof != NULL && h->prof->next_sample != NULL)
        pc->next_sample = h->prof->next_sample(h->prof_arg, pc);
    pc->countdown = h->cfg.stress != 0 ? 0 : pc->next_sample;
    pc->stress_left = h->cfg.stress;
    rt_lock(&h->lock);
    pc->next = h->pcaches;
    h->pcaches = pc;
    h->npcaches++;
    rt_unlock(&h->lock);
}

void
gc_pcache_fini(struct gc_pcache *pc)
{
    struct gc_heap *h = pc->heap;

    gc_cache_flush(pc);
    gc_marker_flush(&pc->own);
    gc_marker_sum(&pc->own);
    rt_assert(h->npcaches > 0);
    rt_lock(&h->lock);
    struct gc_pcache **p = &h->pcaches;
    while (*p != pc)
        p = &(*p)->next;
    *p = pc->next;
    h->npcaches--;
    rt_unlock(&h->lock);
    pc->heap = NULL;
}

/* The slots of a window that have not been taken. */
static inline uint64_t
unused(const struct gc_window *w)
{
    return w->free | w->held;
}

/* Marks the free slots of a window in advance: while a mark runs beside the
 * program, what is allocated is black. */
static void
blacken(struct gc_heap *h, struct gc_window *w)
{
    rt_assert((a64_load_rlx(&w->span->alloc[w->index]) & unused(w)) ==
        unused(w));
    a64_or_full(&w->span->mark[w->index], unused(w));
    a64_add_rlx(&h->black,
        (uint64_t)__builtin_popcountll(unused(w)) * w->size);
}

/* Takes that back for the slots that have not been used. */
static void
unblacken(struct gc_heap *h, struct gc_window *w)
{
    a64_and_full(&w->span->mark[w->index], ~unused(w));
    a64_add_rlx(&h->black,
        -(uint64_t)__builtin_popcountll(unused(w)) * w->size);
}

void
gc_cache_blacken(struct gc_heap *h, struct gc_pcache *pc)
{
    for (unsigned i = 0; i < GC_NSPANCLASS; i++)
        if (unused(&pc->win[i]) != 0)
            blacken(h, &pc->win[i]);
    /* The block that tiny objects share is in use, and white. */
    if (pc->tiny != NULL)
        gc_mark_ptr(&pc->own, pc->tiny);
}

/* Nothing is known any more of what was in the free slots of a window. */
static void
forget(struct race *r, const struct gc_window *w)
{
    for (uint64_t left = unused(w); left != 0;) {
        /* A run of them at once: most windows are empty. */
        unsigned from = (unsigned)__builtin_ctzll(left);
        uint64_t run = ~(left >> from);
        unsigned n = run == 0 ? 64 : (unsigned)__builtin_ctzll(run);

        race_clear(r, w->base + (uint64_t)from * w->size,
            (uint64_t)n * w->size);
        left &= from + n == 64 ? 0 : ~UINT64_C(0) << (from + n);
    }
}

/* Points the window at the next 64 slots of its span with a free one. */
static bool
advance(struct gc_pcache *pc, struct gc_window *w)
{
    struct gc_span *s = w->span;

    while (s->next_window < s->nwords) {
        uint32_t i = s->next_window++;
        uint64_t all = gc_window_mask(s, i);
        uint64_t used = a64_load_rlx(&s->alloc[i]);
        if (used == all)
            continue;
        /* All slots count as allocated while the P owns the window. */
        a64_store_rlx(&s->alloc[i], all);
        rt_assert((used & ~all) == 0);
        w->held = all & ~used;
        w->base = gc_slot_base(s, i * 64);
        /* 64 slots of size bytes have 8 * size words: whole map words. */
        w->ptrbits = s->ptrbits == NULL
            ? NULL
            : s->ptrbits + (size_t)i * s->elemsize / 8;
        w->size = (uint32_t)s->elemsize;
        w->index = i;
        if (rt_unlikely(pc->heap->cfg.race != NULL) && !s->fresh)
            forget(pc->heap->cfg.race, w);
        if (rt_unlikely(pc->barrier))
            blacken(pc->heap, w);
        return true;
    }
    return false;
}

bool
gc_window_share(struct gc_pcache *pc, struct gc_window *w)
{
    uint64_t rest = w->held;
    int64_t n = __builtin_popcountll(rest);

    rt_assert(w->free == 0 && rest != 0);
    if (RT_NO_PROFILES || pc->countdown >= n * w->size) {
        rest = 0;
    } else {
        n = pc->countdown / w->size;
        for (int64_t i = 0; i < n; i++)
            rest &= rest - 1;
    }
    pc->countdown -= n * w->size;
    w->free = w->held & ~rest;
    w->held = rest;
    return w->free != 0;
}

/* The free slots of a window are held again. */
static void
unshare(struct gc_pcache *pc, struct gc_window *w)
{
    rt_assert((w->held & w->free) == 0);
    pc->countdown += (int64_t)__builtin_popcountll(w->free) * w->size;
    w->held |= w->free;
    w->free = 0;
}

void
gc_window_prefill(struct gc_window *w, uint64_t mask)
{
    uint32_t nw = w->size / 8;

    rt_assert(w->ptrbits != NULL && nw >= 1 && nw <= 64);
    uint64_t all = gc_window_mask(w->span, w->index);
    uint32_t words = ((64 - (uint32_t)__builtin_clzll(all)) * nw + 63) / 64;
    __uint128_t rep = mask;
    bool equal = true;

    for (uint32_t len = nw; len < 128; len *= 2)
        rep |= rep << len;
    /* Bit 0 of the window is bit 0 of a word; word i begins in the middle
     * of a slot. */
    for (uint32_t i = 0; i < words && equal; i++)
        equal = gc_load_bits(&w->ptrbits[i]) ==
            (uint64_t)(rep >> (i * 64 % nw));
    if (!equal && unused(w) == all) {
        for (uint32_t i = 0; i < words; i++)
            gc_store_bits(&w->ptrbits[i], (uint64_t)(rep >> (i * 64 % nw)));
    } else if (!equal) {
        for (uint64_t f = unused(w); f != 0; f &= f - 1)
            gc_put_ptrbits(w->ptrbits, (uint32_t)__builtin_ctzll(f) * nw, nw,
                mask);
    }
    w->mask = mask;
}

/* Puts the window's span into the stock. */
static void
release(struct gc_pcache *pc, unsigned spanclass)
{
    struct gc_heap *h = pc->heap;
    struct gc_window *w = &pc->win[spanclass];
    struct gc_stock *k = &pc->stock[spanclass];
    struct gc_span *s = w->span;

    rt_assert(s->spanclass == spanclass);
    unshare(pc, w);
    if (w->held != 0) {
        /* Before the slots are free: a marker that finds a stale address of
         * one must not mark it again. */
        bool black = a32_load_rlx(&h->phase) != GC_OFF &&
            (a64_load_rlx(&s->mark[w->index]) & w->held) != 0;
        uint64_t used = a64_load_rlx(&s->alloc[w->index]);
        a64_store_rlx(&s->alloc[w->index], used & ~w->held);
        if (black)
            unblacken(h, w);
    }
    uint32_t before = s->alloc_count;
    s->alloc_count = gc_span_count(s);
    rt_assert(s->alloc_count >= before && s->alloc_count <= s->nelems);
    k->mallocs += s->alloc_count - before;
    if (s->alloc_count != s->nelems)
        a64_add_rlx(&h->heap_live,
            -(uint64_t)(s->nelems - s->alloc_count) * s->elemsize);
    s->next_window = 0;
    memset(w, 0, sizeof *w);
    rt_list_push_front(s->alloc_count == s->nelems ? &k->full : &k->ready,
        &s->node);
}

bool
gc_cache_refill(struct gc_pcache *pc, unsigned spanclass)
{
    struct gc_window *w = &pc->win[spanclass];

    rt_assert(unused(w) == 0);
    rt_assert(spanclass >= 2 && spanclass < GC_NSPANCLASS);
    if (w->span != NULL) {
        if (advance(pc, w))
            return true;
        release(pc, spanclass);
    }
    gc_sweep_pay(pc, (uint64_t)gc_class_pages[spanclass / 2] * GC_PAGE_SIZE);
    struct gc_span *s = gc_central_get(pc, spanclass);
    if (s == NULL)
        return false;
    rt_assert(a32_load_rlx(&s->sweepgen) ==
        a32_load_rlx(&pc->heap->sweepgen));
    s->next_window = 0;
    w->span = s;
    /* The span counts as if all of it were used; release() corrects. */
    gc_pacer_allocated(pc,
        (uint64_t)(s->nelems - s->alloc_count) * s->elemsize);
    rt_check(advance(pc, w), "span without a free slot");
    return true;
}

void
gc_cache_flush(struct gc_pcache *pc)
{
    struct gc_heap *h = pc->heap;

    for (unsigned i = 0; i < GC_NSPANCLASS; i++) {
        struct gc_stock *k = &pc->stock[i];
        if (pc->win[i].span != NULL)
            release(pc, i);
        gc_central_put_stock(h, i, k);
        k->take = 1;
        if (k->mallocs != 0)
            a64_add_rlx(&h->counts.mallocs[i / 2], k->mallocs);
        k->mallocs = 0;
    }
    pc->tiny = NULL;
    pc->tiny_off = 0;
    a64_add_rlx(&h->counts.tiny, pc->tiny_allocs);
    pc->tiny_allocs = 0;
}

void
gc_cache_flush_all(struct gc_heap *h)
{
    for (struct gc_pcache *pc = h->pcaches; pc != NULL; pc = pc->next)
        gc_cache_flush(pc);
}

void
gc_sample_reset(struct gc_heap *h)
{
    if (h->prof == NULL || h->prof->next_sample == NULL)
        return;
    for (struct gc_pcache *pc = h->pcaches; pc != NULL; pc = pc->next) {
        for (unsigned i = 0; i < GC_NSPANCLASS; i++)
            unshare(pc, &pc->win[i]);
        pc->next_sample = h->prof->next_sample(h->prof_arg, pc);
        if (h->cfg.stress == 0)
            pc->countdown = pc->next_sample;
    }
}
