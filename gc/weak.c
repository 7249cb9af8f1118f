/* SPDX-License-Identifier: MIT */
/*
 * Weak pointers.  What a program holds is a handle, a word in the heap that
 * leads to the object; the handle stays when the object has gone, so that
 * weak pointers can still be compared.  There is one handle for each address
 * (Go's mheap.go: specialWeakHandle).
 *
 * The sweeper empties the handle before it frees the object, and sweeping of
 * a span is over before anybody gets at the object through one: so a handle
 * that still leads somewhere after gc_ensure_swept() leads to something
 * alive.
 */
#include "gc/gc_int.h"
#include "gc/special.h"

struct gc_weak {
    a_u64 addr; /* 0: gone; not a pointer for the collector */
};

void
gc_weak_clear(struct gc_weak *w)
{
    /* rel: with the one in gc_sweep_spans() at the latest; pairs with the acq
     * in gc_weak_get(). */
    a64_store_rel(&w->addr, 0);
}

/* The handle that there is already, or NULL. */
static struct gc_weak *
existing(struct gc_span *s, uint64_t offset)
{
    rt_lock(&s->special_lock);
    struct gc_special *sp = gc_special_find(s, offset, SPECIAL_WEAK);
    struct gc_weak *w = sp == NULL ? NULL : sp->weak;
    rt_unlock(&s->special_lock);
    return w;
}

void *
gc_weak_make(struct gc_pcache *pc, void *p)
{
    struct gc_heap *h = pc->heap;
    uint64_t offset;
    struct gc_span *s = gc_special_span(h, p, &offset);

    if (s == NULL)
        return p;
    gc_ensure_swept(h, pc, s);
    struct gc_weak *w = existing(s, offset);
    if (w == NULL) {
        w = gc_alloc_noscan(pc, TINY_SIZE);
        struct gc_special *sp = w == NULL ? NULL : gc_special_new(h);
        if (sp == NULL)
            return NULL;
        a64_store_rlx(&w->addr, (uint64_t)(uintptr_t)p);
        sp->kind = SPECIAL_WEAK;
        sp->offset = offset;
        sp->weak = w;
        if (!gc_special_attach(h, s, sp)) {
            gc_special_free(h, sp); /* somebody else was faster */
            w = existing(s, offset);
        }
    }
    /* The special may not have been marked from yet in this cycle. */
    gc_shade(pc, w);
    return w;
}

void *
gc_weak_get(struct gc_pcache *pc, void *handle)
{
    struct gc_heap *h = pc->heap;
    struct gc_weak *w = handle;
    uint64_t offset;

    if (gc_special_span(h, handle, &offset) == NULL)
        return handle; /* nil, or something that never dies */
    /* acq: pairs with the rel in gc_weak_clear(). */
    uintptr_t p = (uintptr_t)a64_load_acq(&w->addr);
    /* It may be dead, and even its span may be something else by now. */
    struct gc_span *s = p == 0 ? NULL : gc_span_of(h, p);
    if (s == NULL)
        return NULL;
    gc_ensure_swept(h, pc, s);
    p = (uintptr_t)a64_load_acq(&w->addr);
    /* This may be the only strong pointer now, on a stack that has been
     * scanned already. */
    gc_shade(pc, (void *)p);
    return (void *)p;
}
