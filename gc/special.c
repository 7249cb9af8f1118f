/* SPDX-License-Identifier: MIT */
/*
 * Specials: records attached to single objects, for finalizers and for
 * sampled allocations (Go's mheap.go: special).
 *
 * An object with a finalizer is kept by it in this way: what the object
 * points to is a root, the object itself is not.  So an object that another
 * one with a finalizer points to is marked and waits for its turn; a cycle of
 * objects of which one has a finalizer never dies.  When the sweeper finds
 * the object unmarked, it marks it, so that it lives one cycle more, and
 * hands it to the queue.
 */
#include "gc/gc_int.h"

static struct gc_special *
new_special(struct gc_heap *h)
{
    rt_lock(&h->special_lock);
    struct gc_special *sp = rt_fixalloc_get(&h->specials);
    rt_unlock(&h->special_lock);
    return sp;
}

static void
free_special(struct gc_heap *h, struct gc_special *sp)
{
    rt_lock(&h->special_lock);
    rt_fixalloc_put(&h->specials, sp);
    rt_unlock(&h->special_lock);
}

/* Where a special of this key stands or belongs in the list. */
static struct gc_special **
place(struct gc_span *s, uint64_t offset, uint32_t kind)
{
    struct gc_special **p = &s->specials;

    while (*p != NULL && ((*p)->offset < offset ||
        ((*p)->offset == offset && (*p)->kind < kind)))
        p = &(*p)->next;
    return p;
}

static bool
is_key(const struct gc_special *sp, uint64_t offset, uint32_t kind)
{
    return sp != NULL && sp->offset == offset && sp->kind == kind;
}

/* Links sp; false when there is one of that key. */
static bool
attach(struct gc_span *s, struct gc_special *sp)
{
    rt_lock(&s->special_lock);
    struct gc_special **p = place(s, sp->offset, sp->kind);
    bool ok = !is_key(*p, sp->offset, sp->kind);
    if (ok) {
        sp->next = *p;
        *p = sp;
    }
    rt_unlock(&s->special_lock);
    return ok;
}

bool
gc_special_profile(struct gc_heap *h, void *p, void *site, uint64_t size)
{
    struct gc_span *s = gc_span_of(h, (uintptr_t)p);
    struct gc_special *sp = new_special(h);

    if (sp == NULL)
        return false;
    sp->kind = SPECIAL_PROFILE;
    sp->offset = (uint64_t)((uint8_t *)p - s->base);
    sp->prof.site = site;
    sp->prof.size = size;
    /* The object is new, so there is none yet, and its span is swept. */
    rt_check(attach(s, sp), "object sampled twice");
    return true;
}

/* The span and offset of an object that may have a finalizer. */
static struct gc_span *
object_span(struct gc_heap *h, void *obj, uint64_t *offset)
{
    struct gc_span *s = gc_span_of(h, (uintptr_t)obj);

    if (s == NULL)
        return NULL;
    uint32_t slot = gc_slot_of(s, (uintptr_t)obj);
    if (!gc_slot_allocated(s, slot))
        return NULL;
    /* The tiny allocator hands out addresses inside of its blocks. */
    if (gc_slot_base(s, slot) != (uint8_t *)obj &&
        s->spanclass != TINY_CLASS * 2 + 1)
        return NULL;
    *offset = (uint64_t)((uint8_t *)obj - s->base);
    return s;
}

enum rt_status
gc_set_finalizer(struct gc_pcache *pc, void *obj, void *fn, const void *info)
{
    struct gc_heap *h = pc->heap;
    uint64_t offset;
    struct gc_span *s = object_span(h, obj, &offset);

    if (s == NULL)
        return RT_EFORMAT;
    gc_ensure_swept(h, pc, s);
    struct gc_special *sp = new_special(h);
    if (sp == NULL)
        return RT_ENOMEM;
    sp->kind = SPECIAL_FINALIZER;
    sp->offset = offset;
    sp->fin = (struct gc_finalizer){ .obj = obj, .fn = fn, .info = info };
    if (attach(s, sp))
        return RT_OK;
    free_special(h, sp);
    return RT_ESTATE;
}

bool
gc_clear_finalizer(struct gc_pcache *pc, void *obj)
{
    struct gc_heap *h = pc->heap;
    uint64_t offset;
    struct gc_span *s = object_span(h, obj, &offset);

    if (s == NULL)
        return false;
    gc_ensure_swept(h, pc, s);
    rt_lock(&s->special_lock);
    struct gc_special **p = place(s, offset, SPECIAL_FINALIZER);
    struct gc_special *sp = *p;
    bool found = is_key(sp, offset, SPECIAL_FINALIZER);
    if (found)
        *p = sp->next;
    rt_unlock(&s->special_lock);
    if (found)
        free_special(h, sp);
    return found;
}

/* Appends a list of finalizers to the queue. */
static void
enqueue(struct gc_heap *h, struct gc_special *list)
{
    rt_lock(&h->final_lock);
    while (list != NULL) {
        struct gc_special *next = list->next;
        list->next = NULL;
        *h->final_tail = list;
        h->final_tail = &list->next;
        list = next;
    }
    rt_unlock(&h->final_lock);
}

bool
gc_finalizer_next(struct gc_heap *h, struct gc_pcache *pc,
    struct gc_finalizer *out)
{
    rt_lock(&h->final_lock);
    struct gc_special *sp = h->final_head;
    if (sp != NULL) {
        h->final_head = sp->next;
        if (h->final_head == NULL)
            h->final_tail = &h->final_head;
        /* It leaves a root, perhaps before that has been marked, for a frame
         * that perhaps has been. */
        if (pc != NULL) {
            gc_shade(pc, sp->fin.obj);
            gc_shade(pc, sp->fin.fn);
        }
    }
    rt_unlock(&h->final_lock);
    if (sp == NULL)
        return false;
    *out = sp->fin;
    free_special(h, sp);
    return true;
}

static bool
slot_has_finalizer(const struct gc_span *s, const struct gc_special *sp,
    uint32_t slot)
{
    for (; sp != NULL; sp = sp->next) {
        if (gc_slot_of(s, (uintptr_t)s->base + sp->offset) != slot)
            return false;
        if (sp->kind == SPECIAL_FINALIZER)
            return true;
    }
    return false;
}

/*
 * Takes the specials of one unmarked slot, whose first one is *p, out of the
 * list as far as they have become due: finalizers into *ready, or, if the
 * slot has none, samples into *dead.  Returns where the next slot begins.
 */
static struct gc_special **
take_slot(struct gc_span *s, struct gc_special **p, uint32_t slot,
    struct gc_special ***ready, struct gc_special ***dead)
{
    bool final = slot_has_finalizer(s, *p, slot);

    if (final)
        a64_store_rlx(&s->mark[slot / 64],
            a64_load_rlx(&s->mark[slot / 64]) | (uint64_t)1 << (slot % 64));
    while (*p != NULL &&
        gc_slot_of(s, (uintptr_t)s->base + (*p)->offset) == slot) {
        struct gc_special *sp = *p;
        if (final && sp->kind != SPECIAL_FINALIZER) {
            p = &sp->next;
            continue;
        }
        struct gc_special ***to = final ? ready : dead;
        *p = sp->next;
        sp->next = NULL;
        **to = sp;
        *to = &sp->next;
    }
    return p;
}

bool
gc_specials_sweep(struct gc_heap *h, struct gc_span *s)
{
    struct gc_special *ready = NULL;
    struct gc_special *dead = NULL;
    struct gc_special **ready_tail = &ready;
    struct gc_special **dead_tail = &dead;

    rt_lock(&s->special_lock);
    struct gc_special **p = &s->specials;
    while (*p != NULL) {
        uint32_t slot = gc_slot_of(s, (uintptr_t)s->base + (*p)->offset);
        if (gc_slot_marked(s, slot))
            p = &(*p)->next;
        else
            p = take_slot(s, p, slot, &ready_tail, &dead_tail);
    }
    rt_unlock(&s->special_lock);
    while (dead != NULL) {
        struct gc_special *next = dead->next;
        if (h->prof != NULL && h->prof->free != NULL)
            h->prof->free(h->prof_arg, dead->prof.site, dead->prof.size);
        free_special(h, dead);
        dead = next;
    }
    if (ready == NULL)
        return false;
    enqueue(h, ready);
    return true;
}

static void
mark_span_specials(struct gc_heap *h, struct gc_span *s, void *arg)
{
    struct gc_marker *m = arg;

    (void)h;
    for (struct gc_special *sp = s->specials; sp != NULL; sp = sp->next) {
        if (sp->kind != SPECIAL_FINALIZER)
            continue;
        if (!gc_span_noscan(s))
            gc_scan_slot(m, s,
                gc_slot_of(s, (uintptr_t)s->base + sp->offset));
        gc_mark_ptr(m, sp->fin.fn);
    }
}

void
gc_specials_mark(struct gc_marker *m)
{
    struct gc_heap *h = m->heap;

    gc_for_each_span(h, mark_span_specials, m);
    for (struct gc_special *sp = h->final_head; sp != NULL; sp = sp->next) {
        gc_mark_ptr(m, sp->fin.obj);
        gc_mark_ptr(m, sp->fin.fn);
    }
}
