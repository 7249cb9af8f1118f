/* SPDX-License-Identifier: MIT */
/* Spans: setting them up, taking them down, walking over all of them. */
#include "gc/gc_int.h"

/* Words of metadata: alloc and mark bits, then pointer bits or layouts. */
static uint32_t
meta_words(unsigned spanclass, uint32_t nelems, uint64_t npages,
    uint64_t elemsize)
{
    uint32_t words = 2 * (uint32_t)rt_div_up(nelems, 64);

    if (spanclass & 1)
        return words;
    if (spanclass / 2 != 0 && elemsize <= GC_BITMAP_MAX)
        return words + (uint32_t)npages * (GC_PAGE_SIZE / 8 / 64);
    return words + nelems;
}

static void
set_slots(struct gc_span *s, unsigned spanclass, uint64_t large)
{
    unsigned c = spanclass / 2;

    s->spanclass = (uint8_t)spanclass;
    s->elemsize = c == 0 ? large : gc_class_size[c];
    s->nelems = c == 0
        ? 1
        : (uint32_t)(s->npages * GC_PAGE_SIZE / s->elemsize);
    rt_assert(s->nelems > 0 &&
        s->nelems * s->elemsize <= s->npages * GC_PAGE_SIZE);
    s->nwords = (uint32_t)rt_div_up(s->nelems, 64);
    s->magic = gc_class_magic[c];
    s->alloc_count = 0;
    s->next_window = 0;
    s->specials = NULL;
    s->sites = NULL;
}

static void
set_meta(struct gc_span *s, uint64_t *meta)
{
    s->alloc = (a_u64 *)(void *)meta;
    s->mark = (a_u64 *)(void *)(meta + s->nwords);
    s->ptrbits = NULL;
    s->layouts = NULL;
    if (gc_span_noscan(s))
        return;
    if (s->magic != 0 && s->elemsize <= GC_BITMAP_MAX)
        s->ptrbits = meta + 2 * s->nwords;
    else
        s->layouts = (const struct rt_layout **)(void *)(meta +
            2 * s->nwords);
}

static struct rt_fixalloc *
meta_alloc_of(struct gc_heap *h, const struct gc_span *s)
{
    uint32_t words =
        meta_words(s->spanclass, s->nelems, s->npages, s->elemsize);
    uint32_t i = (words + META_STEP - 1) / META_STEP - 1;

    rt_check(i < META_SIZES, "span metadata too large");
    return &h->meta[i];
}

/* GC_HEAP held. */
static struct gc_span *
new_locked(struct gc_heap *h, unsigned spanclass, uint64_t npages,
    uint64_t large)
{
    rt_assert_held(&h->lock);
    rt_assert(spanclass < GC_NSPANCLASS && npages > 0);
    bool fresh;
    struct gc_span *s = gc_pages_alloc_locked(h, npages, &fresh);

    if (s == NULL)
        return NULL;
    set_slots(s, spanclass, large);
    uint64_t *meta = rt_fixalloc_get(meta_alloc_of(h, s));
    if (meta == NULL) {
        gc_pages_free_locked(h, s);
        return NULL;
    }
    set_meta(s, meta);
    s->fresh = fresh;
    rt_lock_init(&s->special_lock, RANK_GC_SPECIAL);
    a32_store_rlx(&s->sweepgen, a32_load_rlx(&h->sweepgen));
    h->spans_inuse++;
    /* rel: pairs with the acq in gc_span_of(); all of the above is seen. */
    a32_store_rel(&s->state, SPAN_INUSE);
    return s;
}

struct gc_span *
gc_span_new(struct gc_heap *h, unsigned spanclass, uint64_t large)
{
    rt_lock(&h->lock);
    rt_assert(spanclass < 2); /* of a large object */
    struct gc_span *s = new_locked(h, spanclass,
        rt_div_up(large, GC_PAGE_SIZE), large);
    rt_unlock(&h->lock);
    return s;
}

unsigned
gc_spans_new(struct gc_heap *h, unsigned spanclass, struct gc_span **out,
    unsigned n)
{
    unsigned k = 0;

    rt_assert(spanclass >= 2 && n <= RT_GC_BATCH);
    rt_lock(&h->lock);
    while (k < n && (out[k] = new_locked(h, spanclass,
        gc_class_pages[spanclass / 2], 0)) != NULL)
        k++;
    rt_unlock(&h->lock);
    return k;
}

void
gc_spans_free(struct gc_heap *h, struct gc_span *const *s, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        rt_check(s[i]->specials == NULL, "freeing a span with specials");
        rt_assert(s[i]->alloc_count == 0);
        rt_assert_full(gc_span_valid(h, s[i]));
        if (rt_unlikely(s[i]->sites != NULL))
            gc_sites_free(s[i]);
        rt_asan_poison(s[i]->base, s[i]->npages * GC_PAGE_SIZE);
    }
    rt_lock(&h->lock);
    for (unsigned i = 0; i < n; i++) {
        rt_assert(a32_load_rlx(&s[i]->state) == SPAN_INUSE);
        rt_assert(h->spans_inuse > 0);
        a32_store_rel(&s[i]->state, SPAN_FREE);
        rt_fixalloc_put(meta_alloc_of(h, s[i]), (void *)s[i]->alloc);
        h->spans_inuse--;
        gc_pages_free_locked(h, s[i]);
    }
    rt_unlock(&h->lock);
}

uint32_t
gc_span_count(const struct gc_span *s)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < s->nwords; i++)
        n += (uint32_t)__builtin_popcountll(a64_load_rlx(&s->alloc[i]));
    return n;
}

static bool
bits_valid(const struct gc_span *s, bool swept)
{
    for (uint32_t i = 0; i < s->nwords; i++) {
        uint64_t alloc = a64_load_rlx(&s->alloc[i]);
        uint64_t mark = a64_load_rlx(&s->mark[i]);

        if ((alloc | mark) & ~gc_window_mask(s, i))
            return false;
        if (swept && (mark & ~alloc) != 0)
            return false;
    }
    return true;
}

bool
gc_span_valid(const struct gc_heap *h, const struct gc_span *s)
{
    uint32_t sg = a32_load_rlx(&h->sweepgen), gen = a32_load_acq(&s->sweepgen);

    if (a32_load_acq(&s->state) != SPAN_INUSE ||
        (uintptr_t)s->base % GC_PAGE_SIZE != 0 ||
        gc_span_of(h, (uintptr_t)s->base) != s || sg - gen > 2)
        return false;
    if (s->nelems == 0 || s->nwords != rt_div_up(s->nelems, 64) ||
        s->nelems * s->elemsize > s->npages * GC_PAGE_SIZE ||
        (s->magic == 0) != (gc_span_class(s) == 0) ||
        (s->ptrbits != NULL || s->layouts != NULL) == gc_span_noscan(s))
        return false;
    return bits_valid(s, true) && s->alloc_count == gc_span_count(s);
}

void
gc_for_each_span(struct gc_heap *h,
    void (*fn)(struct gc_heap *h, struct gc_span *s, void *arg), void *arg)
{
    for (struct gc_arena *a = h->arenas; a != NULL; a = a->next)
        for (unsigned i = 0; i < ARENA_PAGES; i++) {
            struct gc_span *s = aptr_load_rlx(&a->span[i]);
            /* A span that began in an arena before was visited there. */
            if (s == NULL || a32_load_rlx(&s->state) != SPAN_INUSE ||
                s->base != a->base + (size_t)i * GC_PAGE_SIZE)
                continue;
            fn(h, s, arg);
        }
}

bool
gc_find_object(struct gc_heap *h, const void *addr, struct gc_object *out)
{
    struct gc_span *s = gc_span_of(h, (uintptr_t)addr);

    if (s == NULL)
        return false;
    uint32_t slot = gc_slot_of(s, (uintptr_t)addr);
    if (!gc_slot_allocated(s, slot))
        return false;
    *out = (struct gc_object){
        .base = gc_slot_base(s, slot),
        .size = gc_slot_bytes(s),
        .noscan = gc_span_noscan(s)
    };
    return true;
}
