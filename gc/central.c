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

static struct gc_span *
pop(struct rt_list *l)
{
    struct rt_list *n = rt_list_pop_front(l);

    return n == NULL ? NULL : LIST_ENTRY(n, struct gc_span, node);
}

void
gc_central_put(struct gc_heap *h, struct gc_span *s)
{
    struct gc_central *c = &h->central[s->spanclass];
    unsigned i = swept(h);

    rt_lock(&c->lock);
    rt_list_push_front(
        s->alloc_count == s->nelems ? &c->full[i] : &c->partial[i],
        &s->node);
    rt_unlock(&c->lock);
}

struct gc_span *
gc_central_unswept(struct gc_heap *h, unsigned spanclass)
{
    struct gc_central *c = &h->central[spanclass];
    unsigned i = !swept(h);

    rt_lock(&c->lock);
    struct gc_span *s = pop(&c->partial[i]);
    if (s == NULL)
        s = pop(&c->full[i]);
    if (s != NULL) {
        uint32_t sg = a32_load_rlx(&h->sweepgen);
        rt_check(a32_load_rlx(&s->sweepgen) == sg - 2,
            "swept span in an unswept list");
        a32_store_rlx(&s->sweepgen, sg - 1);
    }
    rt_unlock(&c->lock);
    return s;
}

void
gc_ensure_swept(struct gc_heap *h, struct gc_pcache *pc, struct gc_span *s)
{
    struct gc_central *c = &h->central[s->spanclass];
    uint32_t sg = a32_load_rlx(&h->sweepgen);

    /* acq: pairs with the rel in gc_sweep_span(). */
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
        gc_sweep_span(h, pc, s, false, &run);
        gc_sweep_end(h, pc, &run);
    }
}

/* Sweeps spans of the class until one has a free slot. */
static struct gc_span *
sweep_for_slots(struct gc_pcache *pc, unsigned spanclass)
{
    struct gc_heap *h = pc->heap;
    struct gc_sweep_run run = { 0 };
    struct gc_span *s = NULL;

    for (int i = 0; i < RT_GC_SWEEP_BATCH; i++) {
        s = gc_central_unswept(h, spanclass);
        if (s == NULL)
            break;
        gc_sweep_span(h, pc, s, true, &run);
        if (s->alloc_count < s->nelems)
            break;
        gc_central_put(h, s);
        s = NULL;
    }
    gc_sweep_end(h, pc, &run);
    return s;
}

struct gc_span *
gc_central_get(struct gc_pcache *pc, unsigned spanclass)
{
    struct gc_heap *h = pc->heap;
    struct gc_central *c = &h->central[spanclass];

    rt_lock(&c->lock);
    struct gc_span *s = pop(&c->partial[swept(h)]);
    rt_unlock(&c->lock);
    if (s == NULL && a64_load_rlx(&h->unswept) != 0)
        s = sweep_for_slots(pc, spanclass);
    if (s == NULL)
        s = gc_span_new(h, spanclass, 0);
    return s;
}
