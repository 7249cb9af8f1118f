/* SPDX-License-Identifier: MIT */
/*
 * Sampled allocations where every one is sampled: a span of small objects has
 * a word for each slot, the profile's record of the allocation site, instead
 * of a special for each object.
 *
 * A word is written by the owner of the slot's window and cleared by the
 * sweeper of the span: never both at a time.
 */
#include "gc/gc_int.h"

#include <stdlib.h>

bool
gc_site_set(struct gc_span *s, uint32_t slot, void *site)
{
    if (rt_unlikely(s->sites == NULL)) {
        if (s->magic == 0)
            return false;
        s->sites = calloc(s->nelems, sizeof *s->sites);
        if (s->sites == NULL)
            return false;
    }
    s->sites[slot] = site;
    return true;
}

static void
freed(struct gc_heap *h, struct gc_span *s, uint32_t slot)
{
    void *site = s->sites[slot];

    s->sites[slot] = NULL;
    h->prof->free(h->prof_arg, gc_slot_base(s, slot), site, s->elemsize);
}

/* One by one, or, where the profile can take them so, as many at once as come
 * from the same place. */
void
gc_sites_sweep(struct gc_heap *h, struct gc_span *s)
{
    void (*many)(void *, void *, size_t, uint64_t) = h->prof->free_many;
    void *last = NULL;
    uint64_t n = 0;

    for (uint32_t i = 0; i < s->nwords; i++) {
        uint64_t dead = a64_load_rlx(&s->alloc[i]) &
            ~a64_load_rlx(&s->mark[i]);
        for (; dead != 0; dead &= dead - 1) {
            uint32_t slot = i * 64 + (uint32_t)__builtin_ctzll(dead);
            void *site = s->sites[slot];

            if (site == NULL)
                continue;
            if (many == NULL) {
                freed(h, s, slot);
                continue;
            }
            s->sites[slot] = NULL;
            if (site != last && n > 0) {
                many(h->prof_arg, last, s->elemsize, n);
                n = 0;
            }
            last = site;
            n++;
        }
    }
    if (n > 0)
        many(h->prof_arg, last, s->elemsize, n);
}

void
gc_sites_free(struct gc_span *s)
{
    free(s->sites);
    s->sites = NULL;
}

static void
free_span(struct gc_heap *h, struct gc_span *s, void *arg)
{
    (void)h;
    (void)arg;
    gc_sites_free(s);
}

void
gc_sites_fini(struct gc_heap *h)
{
    gc_for_each_span(h, free_span, NULL);
}
