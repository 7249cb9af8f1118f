/* SPDX-License-Identifier: MIT */
/*
 * Central lists: the spans of each class that no P owns.  Two pairs of lists
 * change their roles with each cycle, so that all swept spans become unswept
 * by adding 2 to one word (Go's mcentral.go, with lists under a lock).
 */
#include "gc/gc_int.h"

#include <sched.h>

static unsigned
swept(const struct gc_heap *h)
{
    return a32_load_rlx(&h->sweepgen) / 2 % 2;
}

void
gc_central_init(struct gc_central *c)
{
    rt_lock_init(&c->lock, RANK_GC_CENTRAL);
    for (int i = 0; i < 2; i++) {
        rt_list_init(&c->partial[i]);
        rt_list_init(&c->full[i]);
    }
}

static bool
list_valid(const struct gc_heap *h, struct rt_list *l, unsigned spanclass,
    bool swept_ones, bool full)
{
    uint32_t sg = a32_load_rlx(&h->sweepgen);

    for (struct rt_list *n = l->next; n != l; n = n->next) {
        const struct gc_span *s = LIST_ENTRY(n, struct gc_span, node);

        if (n->next->prev != n || s->spanclass != spanclass ||
            a32_load_rlx(&s->sweepgen) != (swept_ones ? sg : sg - 2) ||
            !gc_span_valid(h, s))
            return false;
        if (swept_ones && (s->alloc_count == s->nelems) != full)
            return false;
    }
    return true;
}

bool
gc_central_valid(struct gc_heap *h)
{
    for (unsigned i = 0; i < GC_NSPANCLASS; i++)
        for (unsigned g = 0; g < 2; g++)
            if (!list_valid(h, &h->central[i].partial[g], i, g == swept(h),
                    false) ||
                !list_valid(h, &h->central[i].full[g], i, g == swept(h),
                    true))
                return false;
    return true;
}

static struct gc_span *
pop(struct rt_list *l)
{
    struct rt_list *n = rt_list_pop_front(l);

    return n == NULL ? NULL : LIST_ENTRY(n, struct gc_span, node);
}

void
gc_central_put(struct gc_heap *h, struct gc_span *const *s, unsigned n)
{
    if (n == 0)
        return;
    struct gc_central *c = &h->central[s[0]->spanclass];
    unsigned g = swept(h);

    for (unsigned i = 0; i < n; i++) {
        rt_assert(s[i]->spanclass == s[0]->spanclass);
        rt_assert(a32_load_rlx(&s[i]->sweepgen) ==
            a32_load_rlx(&h->sweepgen));
        rt_assert_full(gc_span_valid(h, s[i]));
    }
    rt_lock(&c->lock);
    for (unsigned i = 0; i < n; i++)
        rt_list_push_front(s[i]->alloc_count == s[i]->nelems
                ? &c->full[g]
                : &c->partial[g],
            &s[i]->node);
    rt_unlock(&c->lock);
}

void
gc_central_put_stock(struct gc_heap *h, unsigned spanclass,
    struct gc_stock *k)
{
    struct gc_central *c = &h->central[spanclass];
    unsigned g = swept(h);

    if (rt_list_empty(&k->ready) && rt_list_empty(&k->full))
        return;
    rt_lock(&c->lock);
    rt_list_splice(&c->partial[g], &k->ready);
    rt_list_splice(&c->full[g], &k->full);
    rt_unlock(&c->lock);
}

unsigned
gc_central_unswept(struct gc_heap *h, unsigned spanclass,
    struct gc_span **out, unsigned n)
{
    struct gc_central *c = &h->central[spanclass];
    unsigned g = !swept(h);
    unsigned k = 0;

    rt_lock(&c->lock);
    uint32_t sg = a32_load_rlx(&h->sweepgen);
    rt_assert(n <= RT_GC_BATCH);
    while (k < n) {
        struct gc_span *s = pop(&c->partial[g]);
        if (s == NULL)
            s = pop(&c->full[g]);
        if (s == NULL)
            break;
        rt_check(a32_load_rlx(&s->sweepgen) == sg - 2,
            "swept span in an unswept list");
        a32_store_rlx(&s->sweepgen, sg - 1);
        out[k++] = s;
    }
    rt_unlock(&c->lock);
    return k;
}

void
gc_ensure_swept(struct gc_heap *h, struct gc_pcache *pc, struct gc_span *s)
{
    struct gc_central *c = &h->central[s->spanclass];
    uint32_t sg = a32_load_rlx(&h->sweepgen);

    rt_assert(sg - a32_load_acq(&s->sweepgen) <= 2);
    /* acq: pairs with the rel in gc_sweep_spans(). */
    while (a32_load_acq(&s->sweepgen) != sg) {
        bool mine = false;
        rt_lock(&c->lock);
        if (a32_load_rlx(&s->sweepgen) == sg - 2) {
            rt_list_remove(&s->node);
            a32_store_rlx(&s->sweepgen, sg - 1);
            mine = true;
        }
        rt_unlock(&c->lock);
        if (!mine) {
            sched_yield();
            continue;
        }
        /* The caller's object keeps the span from becoming empty. */
        struct gc_sweep_run run = { 0 };
        gc_sweep_spans(h, pc, &s, 1, false, &run);
        gc_sweep_end(h, pc, &run);
    }
}

/* How many spans to take in one go: more each time, as long as they are few
 * pages. */
static unsigned
take_how_many(struct gc_stock *k, unsigned spanclass)
{
    unsigned most = RT_GC_STOCK / gc_class_pages[spanclass / 2];
    unsigned n = k->take < most ? k->take : most;

    if (n < 1)
        n = 1;
    rt_assert(n >= 1 && (most == 0 || n <= RT_GC_STOCK));
    k->take = 2 * n;
    return n < RT_GC_BATCH ? n : RT_GC_BATCH;
}

/* Swept spans that others have given back. */
static bool
take_partial(struct gc_pcache *pc, unsigned spanclass, unsigned n)
{
    struct gc_central *c = &pc->heap->central[spanclass];
    struct gc_span *s;
    unsigned k = 0;

    rt_lock(&c->lock);
    while (k < n && (s = pop(&c->partial[swept(pc->heap)])) != NULL) {
        rt_assert(s->alloc_count < s->nelems); /* partial */
        rt_list_push_back(&pc->stock[spanclass].ready, &s->node);
        k++;
    }
    rt_unlock(&c->lock);
    return k > 0;
}

/* Sweeps spans of the class until there are some with free slots. */
static bool
sweep_for_slots(struct gc_pcache *pc, unsigned spanclass, unsigned n)
{
    struct gc_heap *h = pc->heap;
    struct gc_stock *k = &pc->stock[spanclass];
    struct gc_sweep_run run = { 0 };
    struct gc_span *s[RT_GC_BATCH];
    unsigned got;

    for (unsigned tried = 0; tried < RT_GC_SWEEP_SEARCH; tried += got) {
        got = gc_central_unswept(h, spanclass, s, n);
        if (got == 0)
            break;
        gc_sweep_spans(h, pc, s, got, true, &run);
        for (unsigned i = 0; i < got; i++)
            rt_list_push_back(s[i]->alloc_count < s[i]->nelems ? &k->ready
                                                               : &k->full,
                &s[i]->node);
        if (!rt_list_empty(&k->ready))
            break;
    }
    gc_sweep_end(h, pc, &run);
    return !rt_list_empty(&k->ready);
}

static bool
take_fresh(struct gc_pcache *pc, unsigned spanclass, unsigned n)
{
    struct gc_span *s[RT_GC_BATCH];
    unsigned k = gc_spans_new(pc->heap, spanclass, s, n);

    for (unsigned i = 0; i < k; i++)
        rt_list_push_back(&pc->stock[spanclass].ready, &s[i]->node);
    return k > 0;
}

struct gc_span *
gc_central_get(struct gc_pcache *pc, unsigned spanclass)
{
    struct gc_stock *k = &pc->stock[spanclass];

    rt_assert(spanclass >= 2 && spanclass < GC_NSPANCLASS);
    if (rt_list_empty(&k->ready)) {
        unsigned n = take_how_many(k, spanclass);
        if (!take_partial(pc, spanclass, n) &&
            (a64_load_rlx(&pc->heap->unswept) == 0 ||
                !sweep_for_slots(pc, spanclass, n)) &&
            !take_fresh(pc, spanclass, n))
            return NULL;
    }
    return pop(&k->ready);
}
