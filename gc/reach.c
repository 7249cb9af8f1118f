/* SPDX-License-Identifier: MIT */
/*
 * A mark of its own.  Each span gets other mark bits for as long as it lasts,
 * so all of mark.c serves without knowing of it; and the grey set is empty
 * meanwhile: what a concurrent mark has there waits aside.
 *
 * The bits of one span, in one block for all of them:
 *
 *     old alloc, old mark | mark | watched | alloc, where not swept
 *
 * A span that has not been swept yet still shows what is dead as allocated.
 * A stale word may point there, and what the dead object points to may have
 * been freed already; so its alloc bits are replaced by those of the living.
 */
#include "gc/reach.h"

#include <stdlib.h>

#include "gc/gc_int.h"
#include "gc/special.h"

enum { HEAD = 2 };

struct gc_reach {
    struct gc_heap *heap;
    struct gc_marker marker;
    uint64_t *block;
    size_t words; /* of the block; counted, then used */
    struct gc_workbuf *full; /* the collector's grey set */
    uint32_t nfull, overflow;
};

static bool
unswept(const struct gc_heap *h, const struct gc_span *s)
{
    return a32_load_rlx(&s->sweepgen) == a32_load_rlx(&h->sweepgen) - 2;
}

static size_t
words_of(const struct gc_heap *h, const struct gc_span *s)
{
    return HEAD + (size_t)s->nwords * (unswept(h, s) ? 3 : 2);
}

static void
count_span(struct gc_heap *h, struct gc_span *s, void *arg)
{
    struct gc_reach *r = arg;

    r->words += words_of(h, s);
}

static void
enter_span(struct gc_heap *h, struct gc_span *s, void *arg)
{
    struct gc_reach *r = arg;
    uint64_t *b = r->block + r->words;
    a_u64 *live;

    r->words += words_of(h, s);
    b[0] = (uintptr_t)s->alloc;
    b[1] = (uintptr_t)s->mark;
    if (unswept(h, s)) {
        live = (a_u64 *)(void *)(b + HEAD + 2 * (size_t)s->nwords);
        for (uint32_t i = 0; i < s->nwords; i++)
            a64_store_rlx(&live[i],
                a64_load_rlx(&s->alloc[i]) & a64_load_rlx(&s->mark[i]));
        s->alloc = live;
    }
    s->mark = (a_u64 *)(void *)(b + HEAD);
}

static void
leave_span(struct gc_heap *h, struct gc_span *s, void *arg)
{
    const uint64_t *b = (const uint64_t *)(const void *)s->mark - HEAD;

    (void)h;
    (void)arg;
    s->alloc = (a_u64 *)(uintptr_t)b[0];
    s->mark = (a_u64 *)(uintptr_t)b[1];
}

struct gc_reach *
gc_reach_begin(struct gc_heap *h, void (*found)(void *arg, const void *obj),
    void *arg)
{
    struct gc_reach *r = calloc(1, sizeof *r);

    if (r == NULL)
        return NULL;
    r->heap = h;
    /* The free slots of windows must not look like objects. */
    gc_cache_flush_all(h);
    gc_for_each_span(h, count_span, r);
    r->block = calloc(r->words + 1, sizeof *r->block);
    if (r->block == NULL) {
        free(r);
        return NULL;
    }
    r->words = 0;
    gc_for_each_span(h, enter_span, r);
    r->full = h->work_full;
    r->nfull = a32_load_rlx(&h->work_nfull);
    r->overflow = a32_load_rlx(&h->work_overflow);
    h->work_full = NULL;
    a32_store_rlx(&h->work_nfull, 0);
    a32_store_rlx(&h->work_overflow, 0);
    gc_marker_init(&r->marker, h);
    r->marker.found = found;
    r->marker.found_arg = arg;
    return r;
}

const void *
gc_reach_watch(struct gc_reach *r, const void *p)
{
    struct gc_span *s = gc_span_of(r->heap, (uintptr_t)p);
    uint32_t slot;

    if (s == NULL)
        return NULL;
    slot = gc_slot_of(s, (uintptr_t)p);
    if (!gc_slot_allocated(s, slot))
        return NULL;
    a64_or_full(&s->mark[s->nwords + slot / 64],
        (uint64_t)1 << (slot % 64));
    return gc_slot_base(s, slot);
}

void
gc_reach_found(struct gc_marker *m, struct gc_span *s, uint32_t slot)
{
    if (a64_load_rlx(&s->mark[s->nwords + slot / 64]) >> (slot % 64) & 1)
        m->found(m->found_arg, gc_slot_base(s, slot));
}

struct gc_marker *
gc_reach_marker(struct gc_reach *r)
{
    return &r->marker;
}

void
gc_reach_specials(struct gc_reach *r)
{
    gc_specials_mark(&r->marker);
}

void
gc_reach_drain(struct gc_reach *r)
{
    gc_mark_drain(&r->marker);
}

void
gc_reach_end(struct gc_reach *r)
{
    struct gc_heap *h = r->heap;

    gc_marker_flush(&r->marker);
    gc_for_each_span(h, leave_span, r);
    h->work_full = r->full;
    a32_store_rlx(&h->work_nfull, r->nfull);
    a32_store_rlx(&h->work_overflow, r->overflow);
    free(r->block);
    free(r);
}
