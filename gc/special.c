/* SPDX-License-Identifier: MIT */
/*
 * Specials: records attached to single objects, for finalizers, cleanups,
 * weak pointers and sampled allocations (Go's mheap.go: special).
 *
 * An object with a finalizer is kept by it in this way: what the object
 * points to is a root, the object itself is not.  So an object that another
 * one with a finalizer points to is marked and waits for its turn; a cycle of
 * objects of which one has a finalizer never dies.  When the sweeper finds
 * the object unmarked, it marks it, so that it lives one cycle more, and
 * hands it to the queue.
 */
#include "gc/gc_int.h"
#include "gc/special.h"

struct gc_special *
gc_special_new(struct gc_heap *h)
{
    rt_lock(&h->special_lock);
    struct gc_special *sp = rt_fixalloc_get(&h->specials);
    rt_unlock(&h->special_lock);
    return sp;
}

void
gc_special_free(struct gc_heap *h, struct gc_special *sp)
{
    rt_lock(&h->special_lock);
    rt_fixalloc_put(&h->specials, sp);
    rt_unlock(&h->special_lock);
}

/* Where a special of this key stands or belongs in the list.  The highest
 * offset comes first: where every allocation is sampled, which happens mostly
 * in the order of addresses, its place is found at once. */
static struct gc_special **
place(struct gc_span *s, uint64_t offset, uint32_t kind)
{
    struct gc_special **p = &s->specials;

    while (*p != NULL && ((*p)->offset > offset ||
        ((*p)->offset == offset && (*p)->kind < kind)))
        p = &(*p)->next;
    return p;
}

static bool
is_key(const struct gc_special *sp, uint64_t offset, uint32_t kind)
{
    return sp != NULL && sp->offset == offset && sp->kind == kind;
}

struct gc_special *
gc_special_find(struct gc_span *s, uint64_t offset, uint32_t kind)
{
    struct gc_special *sp = *place(s, offset, kind);

    return is_key(sp, offset, kind) ? sp : NULL;
}

/* The bit of the arena by which marking finds the spans that have specials
 * which are roots; the span's lock is held. */
static void
note_roots(struct gc_heap *h, const struct gc_span *s, bool on)
{
    unsigned page = gc_page_index((uintptr_t)s->base);
    a_u64 *w = &gc_arena_of(h, (uintptr_t)s->base)->special[page / 64];
    uint64_t bit = (uint64_t)1 << (page % 64);

    if (((a64_load_rlx(w) & bit) != 0) == on)
        return;
    if (on)
        a64_or_full(w, bit);
    else
        a64_and_full(w, ~bit);
}

bool
gc_special_attach(struct gc_heap *h, struct gc_span *s, struct gc_special *sp)
{
    rt_lock(&s->special_lock);
    struct gc_special **p = place(s, sp->offset, sp->kind);
    bool ok = sp->kind == SPECIAL_CLEANUP ||
        !is_key(*p, sp->offset, sp->kind);
    if (ok) {
        sp->next = *p;
        *p = sp;
        if (sp->kind != SPECIAL_PROFILE)
            note_roots(h, s, true);
    }
    rt_unlock(&s->special_lock);
    return ok;
}

bool
gc_special_profile(struct gc_heap *h, void *p, void *site, uint64_t size)
{
    struct gc_span *s = gc_span_of(h, (uintptr_t)p);
    struct gc_special *sp = gc_special_new(h);

    if (sp == NULL)
        return false;
    sp->kind = SPECIAL_PROFILE;
    sp->offset = (uint64_t)((uint8_t *)p - s->base);
    sp->prof.site = site;
    sp->prof.size = size;
    /* The object is new, so there is none yet, and its span is swept. */
    rt_check(gc_special_attach(h, s, sp), "object sampled twice");
    return true;
}

void *
gc_find_site(struct gc_heap *h, const uint8_t *base)
{
    struct gc_span *s = gc_span_of(h, (uintptr_t)base);
    uint64_t offset = (uint64_t)(base - s->base);
    void *site = NULL;

    rt_assert(s != NULL && offset < s->npages * GC_PAGE_SIZE);
    if (s->sites != NULL && s->sites[gc_slot_of(s, (uintptr_t)base)] != NULL)
        return s->sites[gc_slot_of(s, (uintptr_t)base)];
    rt_lock(&s->special_lock);
    struct gc_special *sp = *place(s, offset, SPECIAL_PROFILE);
    if (is_key(sp, offset, SPECIAL_PROFILE))
        site = sp->prof.site;
    rt_unlock(&s->special_lock);
    return site;
}

struct gc_span *
gc_special_span(struct gc_heap *h, const void *p, uint64_t *offset)
{
    struct gc_span *s = gc_span_of(h, (uintptr_t)p);

    if (s == NULL || !gc_slot_allocated(s, gc_slot_of(s, (uintptr_t)p)))
        return NULL;
    *offset = (uint64_t)((const uint8_t *)p - s->base);
    return s;
}

/* The same for an object that may have a finalizer: the tiny allocator hands
 * out addresses inside of its blocks. */
static struct gc_span *
object_span(struct gc_heap *h, void *obj, uint64_t *offset)
{
    struct gc_span *s = gc_special_span(h, obj, offset);

    if (s != NULL && s->spanclass != TINY_CLASS * 2 + 1 &&
        gc_slot_base(s, gc_slot_of(s, (uintptr_t)obj)) != (uint8_t *)obj)
        return NULL;
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
    struct gc_special *sp = gc_special_new(h);
    if (sp == NULL)
        return RT_ENOMEM;
    sp->kind = SPECIAL_FINALIZER;
    sp->offset = offset;
    sp->fin = (struct gc_finalizer){ .obj = obj, .fn = fn, .info = info };
    if (!gc_special_attach(h, s, sp)) {
        gc_special_free(h, sp);
        return RT_ESTATE;
    }
    /* Specials may have been marked from already in this cycle. */
    if (pc->barrier) {
        gc_shade(pc, fn);
        if (!gc_span_noscan(s))
            gc_scan_slot(pc->marker, s, gc_slot_of(s, (uintptr_t)obj));
    }
    return RT_OK;
}

/* Takes the special of this key out of the list; id counts for cleanups. */
static bool
detach(struct gc_pcache *pc, struct gc_span *s, uint64_t offset,
    uint32_t kind, uint64_t id)
{
    gc_ensure_swept(pc->heap, pc, s);
    rt_lock(&s->special_lock);
    struct gc_special **p = place(s, offset, kind);
    while (is_key(*p, offset, kind) && kind == SPECIAL_CLEANUP &&
        (*p)->cleanup.id != id)
        p = &(*p)->next;
    struct gc_special *sp = is_key(*p, offset, kind) ? *p : NULL;
    if (sp != NULL)
        *p = sp->next;
    if (s->specials == NULL)
        note_roots(pc->heap, s, false);
    rt_unlock(&s->special_lock);
    if (sp != NULL)
        gc_special_free(pc->heap, sp);
    return sp != NULL;
}

bool
gc_clear_finalizer(struct gc_pcache *pc, void *obj)
{
    uint64_t offset;
    struct gc_span *s = object_span(pc->heap, obj, &offset);

    return s != NULL && detach(pc, s, offset, SPECIAL_FINALIZER, 0);
}

enum rt_status
gc_add_cleanup(struct gc_pcache *pc, void *p, void *rec, uint64_t *id)
{
    struct gc_heap *h = pc->heap;
    uint64_t offset;
    struct gc_span *s = gc_special_span(h, p, &offset);

    if (s == NULL)
        return RT_EFORMAT;
    gc_ensure_swept(h, pc, s);
    struct gc_special *sp = gc_special_new(h);
    if (sp == NULL)
        return RT_ENOMEM;
    sp->kind = SPECIAL_CLEANUP;
    sp->offset = offset;
    sp->cleanup.rec = rec;
    *id = sp->cleanup.id = a64_add_rlx(&h->cleanup_id, 1) + 1;
    gc_special_attach(h, s, sp);
    gc_shade(pc, rec);
    return RT_OK;
}

bool
gc_stop_cleanup(struct gc_pcache *pc, void *p, uint64_t id)
{
    uint64_t offset;
    struct gc_span *s = gc_special_span(pc->heap, p, &offset);

    return s != NULL && detach(pc, s, offset, SPECIAL_CLEANUP, id);
}

/* Appends a list to a queue. */
static void
enqueue(struct gc_heap *h, struct gc_queue *q, struct gc_special *list)
{
    rt_lock(&h->final_lock);
    while (list != NULL) {
        struct gc_special *next = list->next;
        list->next = NULL;
        *q->tail = list;
        q->tail = &list->next;
        list = next;
    }
    rt_unlock(&h->final_lock);
}

static struct gc_special *
dequeue(struct gc_heap *h, struct gc_queue *q)
{
    rt_lock(&h->final_lock);
    struct gc_special *sp = q->head;
    if (sp != NULL) {
        q->head = sp->next;
        if (q->head == NULL)
            q->tail = &q->head;
    }
    rt_unlock(&h->final_lock);
    return sp;
}

/* What the queues hold is a root as long as it is there: hence the shades
 * where it is handed out before the mark has seen it. */
bool
gc_finalizer_next(struct gc_heap *h, struct gc_pcache *pc,
    struct gc_finalizer *out)
{
    struct gc_special *sp = dequeue(h, &h->finals);

    if (sp == NULL)
        return false;
    *out = sp->fin;
    gc_special_free(h, sp);
    if (pc != NULL) {
        gc_shade(pc, out->obj);
        gc_shade(pc, out->fn);
    }
    return true;
}

void *
gc_cleanup_next(struct gc_pcache *pc)
{
    struct gc_special *sp = dequeue(pc->heap, &pc->heap->cleanups);

    if (sp == NULL)
        return NULL;
    void *rec = sp->cleanup.rec;
    gc_special_free(pc->heap, sp);
    gc_shade(pc, rec);
    return rec;
}

/* ---- sweeping --------------------------------------------------------- */

/* What a sweep takes off the objects of a span, by kind. */
struct due {
    struct gc_special *list[SPECIAL_PROFILE + 1]; /* ascending offsets */
};

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
 * list as far as they have become due.  An object with a finalizer is marked
 * and lives on: its finalizers run and weak pointers to it are cleared; all
 * else waits until it dies without one.  Returns where the next slot begins.
 */
static struct gc_special **
take_slot(struct gc_span *s, struct gc_special **p, uint32_t slot,
    struct due *d)
{
    bool final = slot_has_finalizer(s, *p, slot);

    if (final)
        a64_store_rlx(&s->mark[slot / 64],
            a64_load_rlx(&s->mark[slot / 64]) | (uint64_t)1 << (slot % 64));
    while (*p != NULL &&
        gc_slot_of(s, (uintptr_t)s->base + (*p)->offset) == slot) {
        struct gc_special *sp = *p;
        if (final && sp->kind > SPECIAL_WEAK) {
            p = &sp->next;
            continue;
        }
        *p = sp->next;
        if (sp->kind == SPECIAL_WEAK)
            gc_weak_clear(sp->weak);
        sp->next = d->list[sp->kind];
        d->list[sp->kind] = sp;
    }
    return p;
}

/* Frees a list; samples go back to the profiler. */
static void
drop(struct gc_heap *h, struct gc_span *s, struct gc_special *list)
{
    while (list != NULL) {
        struct gc_special *next = list->next;
        if (list->kind == SPECIAL_PROFILE && h->prof != NULL &&
            h->prof->free != NULL)
            h->prof->free(h->prof_arg, s->base + list->offset,
                list->prof.site, list->prof.size);
        gc_special_free(h, list);
        list = next;
    }
}

bool
gc_specials_sweep(struct gc_heap *h, struct gc_span *s)
{
    struct due d;

    for (unsigned i = 0; i <= SPECIAL_PROFILE; i++)
        d.list[i] = NULL;
    rt_lock(&s->special_lock);
    struct gc_special **p = &s->specials;
    while (*p != NULL) {
        uint32_t slot = gc_slot_of(s, (uintptr_t)s->base + (*p)->offset);
        if (gc_slot_marked(s, slot))
            p = &(*p)->next;
        else
            p = take_slot(s, p, slot, &d);
    }
    if (s->specials == NULL)
        note_roots(h, s, false);
    rt_unlock(&s->special_lock);
    drop(h, s, d.list[SPECIAL_PROFILE]);
    drop(h, s, d.list[SPECIAL_WEAK]);
    enqueue(h, &h->finals, d.list[SPECIAL_FINALIZER]);
    enqueue(h, &h->cleanups, d.list[SPECIAL_CLEANUP]);
    return d.list[SPECIAL_FINALIZER] != NULL ||
        d.list[SPECIAL_CLEANUP] != NULL;
}

static void
mark_special(struct gc_marker *m, struct gc_span *s,
    const struct gc_special *sp)
{
    switch (sp->kind) {
    case SPECIAL_FINALIZER:
        if (!gc_span_noscan(s))
            gc_scan_slot(m, s,
                gc_slot_of(s, (uintptr_t)s->base + sp->offset));
        gc_mark_ptr(m, sp->fin.fn);
        break;
    case SPECIAL_WEAK:
        gc_mark_ptr(m, sp->weak);
        break;
    case SPECIAL_CLEANUP:
        gc_mark_ptr(m, sp->cleanup.rec);
        break;
    default:
        break;
    }
}

static void
mark_span_specials(struct gc_marker *m, struct gc_span *s)
{
    rt_lock(&s->special_lock);
    for (struct gc_special *sp = s->specials; sp != NULL; sp = sp->next)
        mark_special(m, s, sp);
    rt_unlock(&s->special_lock);
}

/* No span is swept or freed while marking, so a bit leads to a span. */
static void
mark_arena_specials(struct gc_marker *m, struct gc_arena *a)
{
    for (unsigned i = 0; i < ARENA_PAGES / 64; i++)
        for (uint64_t b = a64_load_rlx(&a->special[i]); b != 0; b &= b - 1)
            mark_span_specials(m, aptr_load_acq(
                &a->span[i * 64 + (unsigned)__builtin_ctzll(b)]));
}

static bool
span_due(struct gc_span *s)
{
    bool due = false;

    rt_lock(&s->special_lock);
    for (struct gc_special *sp = s->specials; sp != NULL && !due; sp = sp->next)
        due = (sp->kind == SPECIAL_FINALIZER || sp->kind == SPECIAL_CLEANUP) &&
            !gc_slot_marked(
                s, gc_slot_of(s, (uintptr_t)s->base + sp->offset));
    rt_unlock(&s->special_lock);
    return due;
}

bool
gc_specials_due(struct gc_heap *h)
{
    for (struct gc_arena *a = h->arenas; a != NULL; a = a->next)
        for (unsigned i = 0; i < ARENA_PAGES / 64; i++)
            for (uint64_t b = a64_load_rlx(&a->special[i]); b != 0; b &= b - 1)
                if (span_due(aptr_load_acq(
                    &a->span[i * 64 + (unsigned)__builtin_ctzll(b)])))
                    return true;
    return false;
}

static void
mark_queues(struct gc_marker *m)
{
    struct gc_heap *h = m->heap;

    rt_lock(&h->final_lock);
    for (struct gc_special *sp = h->finals.head; sp != NULL; sp = sp->next) {
        gc_mark_ptr(m, sp->fin.obj);
        gc_mark_ptr(m, sp->fin.fn);
    }
    for (struct gc_special *sp = h->cleanups.head; sp != NULL; sp = sp->next)
        gc_mark_ptr(m, sp->cleanup.rec);
    rt_unlock(&h->final_lock);
}

void
gc_specials_mark(struct gc_marker *m)
{
    for (struct gc_arena *a = m->heap->arenas; a != NULL; a = a->next)
        mark_arena_specials(m, a);
    mark_queues(m);
}

void
gc_specials_mark_begin(struct gc_heap *h)
{
    h->root_last = h->last_arena;
    a32_store_rlx(&h->root_queues, 1);
    aptr_store_rlx(&h->root_arena, h->arenas);
}

bool
gc_specials_mark_left(const struct gc_heap *h)
{
    return a32_load_rlx(&h->root_queues) != 0 ||
        aptr_load_rlx(&h->root_arena) != NULL;
}

bool
gc_specials_mark_next(struct gc_marker *m)
{
    struct gc_heap *h = m->heap;

    if (a32_load_rlx(&h->root_queues) != 0 &&
        a32_cas_full(&h->root_queues, 1, 0)) {
        mark_queues(m);
        return true;
    }
    for (;;) {
        struct gc_arena *a = aptr_load_rlx(&h->root_arena);
        if (a == NULL)
            return false;
        struct gc_arena *next = a == h->root_last ? NULL : a->next;
        if (!aptr_cas_full(&h->root_arena, a, next))
            continue;
        mark_arena_specials(m, a);
        return true;
    }
}
