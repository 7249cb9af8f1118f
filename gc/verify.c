/* SPDX-License-Identifier: MIT */
/* The invariants of gc_int.h, checked over the whole heap, world stopped. */
#include "gc/gc_int.h"
#include "gc/special.h"

struct verify {
    struct rt_err *e;
    enum rt_status st;
    uint64_t pages; /* in spans in use */
    uint64_t spans;
    uint64_t free_pages;
};

static void
bad(struct verify *v, const struct gc_span *s, const char *what)
{
    if (v->st == RT_OK)
        v->st = rt_errf(v->e, RT_EFORMAT, UINT64_MAX,
            "span %p, class %u, %lu pages: %s", (void *)s->base,
            s->spanclass, (unsigned long)s->npages, what);
}

static void
check_bits(struct verify *v, const struct gc_heap *h,
    const struct gc_span *s)
{
    uint32_t sg = a32_load_rlx(&s->sweepgen);
    uint32_t now = a32_load_rlx(&h->sweepgen);

    if (sg != now && sg != now - 2)
        bad(v, s, "sweep generation");
    if (gc_span_count(s) != s->alloc_count)
        bad(v, s, "alloc_count differs from the alloc bits");
    for (uint32_t i = 0; i < s->nwords; i++) {
        uint64_t alloc = a64_load_rlx(&s->alloc[i]);
        if (alloc & ~gc_window_mask(s, i))
            bad(v, s, "alloc bits behind the last slot");
        if (a64_load_rlx(&s->mark[i]) & ~alloc)
            bad(v, s, "mark bit of a free slot");
    }
    for (uint32_t i = 0; s->sites != NULL && i < s->nelems; i++)
        if (s->sites[i] != NULL && !gc_slot_allocated(s, i))
            bad(v, s, "sample of a free slot");
    for (const struct gc_special *sp = s->specials; sp != NULL;
        sp = sp->next) {
        uint32_t slot = gc_slot_of(s, (uintptr_t)s->base + sp->offset);
        if (!gc_slot_allocated(s, slot))
            bad(v, s, "special of a free slot");
        if (sp->next != NULL && sp->next->offset > sp->offset)
            bad(v, s, "specials out of order");
    }
}

static void
check_span(struct gc_heap *h, struct gc_span *s, void *arg)
{
    struct verify *v = arg;

    v->pages += s->npages;
    v->spans++;
    for (uint64_t i = 0; i < s->npages; i++)
        if (gc_span_of(h, (uintptr_t)s->base + i * GC_PAGE_SIZE) != s)
            bad(v, s, "page table");
    if (s->alloc_count > 0 && s->alloc_count > s->nelems)
        bad(v, s, "more objects than slots");
    if (!rt_list_linked(&s->node))
        bad(v, s, "in no list");
    check_bits(v, h, s);
}

static void
check_free(struct gc_heap *h, struct verify *v)
{
    struct rt_list *n;

    for (unsigned l = 0; l < FREE_LISTS; l++) {
        if (rt_list_empty(&h->free[l]) == rt_bit_get(h->free_map, l))
            v->st = rt_errf(v->e, RT_EFORMAT, UINT64_MAX,
                "map of free lists, %u pages", l);
        LIST_FOREACH(n, &h->free[l]) {
            struct gc_span *s = LIST_ENTRY(n, struct gc_span, node);
            v->free_pages += s->npages;
            if (a32_load_rlx(&s->state) != SPAN_FREE)
                bad(v, s, "span in use in a free list");
            if (s->npages < FREE_LISTS ? s->npages != l : l != 0)
                bad(v, s, "in the wrong free list");
        }
    }
}

enum rt_status
gc_verify(struct gc_heap *h, struct rt_err *e)
{
    struct verify v = { .e = e, .st = RT_OK };

    gc_cache_flush_all(h);
    gc_for_each_span(h, check_span, &v);
    check_free(h, &v);
    if (v.st != RT_OK)
        return v.st;
    if (v.pages != h->pages_inuse || v.spans != h->spans_inuse)
        return rt_errf(e, RT_EFORMAT, UINT64_MAX,
            "%lu spans of %lu pages found, %lu of %lu in the books",
            (unsigned long)v.spans, (unsigned long)v.pages,
            (unsigned long)h->spans_inuse, (unsigned long)h->pages_inuse);
    if (v.free_pages != h->pages_free)
        return rt_errf(e, RT_EFORMAT, UINT64_MAX,
            "%lu free pages found, %lu in the books",
            (unsigned long)v.free_pages, (unsigned long)h->pages_free);
    return RT_OK;
}

void
gc_verify_or_throw(struct gc_heap *h, const char *when)
{
    struct rt_err e;

    if (gc_verify(h, &e) != RT_OK)
        rt_throwf("heap is broken %s: %s", when, e.text);
}

/* Scans all marked objects again: what they point to must be marked. */
static void
rescan(struct gc_heap *h, struct gc_span *s, void *arg)
{
    struct gc_marker *m = arg;

    (void)h;
    if (gc_span_noscan(s))
        return;
    for (uint32_t i = 0; i < s->nwords; i++)
        for (uint64_t b = a64_load_rlx(&s->mark[i]); b != 0; b &= b - 1) {
            uint32_t slot = i * 64 + (uint32_t)__builtin_ctzll(b);
            m->from = gc_slot_base(s, slot);
            gc_scan_slot(m, s, slot);
        }
}

void
gc_verify_marks(struct gc_heap *h)
{
    struct gc_marker m;

    gc_marker_init(&m, h);
    m.check = "object";
    gc_for_each_span(h, rescan, &m);
    gc_marker_flush(&m);
}

void
gc_check_marks(struct gc_heap *h)
{
    struct gc_marker m;

    gc_marker_init(&m, h);
    m.check = "a root";
    h->host->mark_roots(h->arg, &m);
    m.check = "a finalizer";
    gc_specials_mark(&m);
    gc_marker_flush(&m);
}
