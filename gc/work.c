/* SPDX-License-Identifier: MIT */
/*
 * The grey set: buffers of addresses, one in the hands of each marker, the
 * others in two common lists.  When no memory is left for a buffer the object
 * is dropped and work_overflow remembers that marked objects must be scanned
 * once more; so marking never fails.  One buffer is there from the beginning:
 * without any, a list of a million objects would be followed by one object each
 * time that all are scanned.
 */
#include "gc/gc_int.h"

void
gc_marker_init(struct gc_marker *m, struct gc_heap *h)
{
    *m = (struct gc_marker){ .heap = h };
}

static struct gc_workbuf *
get_empty(struct gc_heap *h)
{
    rt_lock(&h->work_lock);
    struct gc_workbuf *b = h->work_empty;
    if (b != NULL)
        h->work_empty = b->next;
    else
        b = rt_fixalloc_get(&h->workbufs);
    rt_unlock(&h->work_lock);
    if (b != NULL) {
        b->n = 0;
        b->next = NULL;
    }
    return b;
}

static struct gc_workbuf *
get_full(struct gc_heap *h)
{
    /* acq: pairs with the full add in put().  Who misses a buffer that comes
     * just now will be asked again before the mark ends. */
    if (a32_load_acq(&h->work_nfull) == 0)
        return NULL;
    rt_lock(&h->work_lock);
    struct gc_workbuf *b = h->work_full;
    if (b != NULL) {
        rt_assert(b->n > 0 && b->n <= RT_GC_WORKBUF);
        rt_assert(a32_load_rlx(&h->work_nfull) > 0);
        h->work_full = b->next;
        a32_add_full(&h->work_nfull, UINT32_MAX);
    }
    rt_unlock(&h->work_lock);
    return b;
}

/* Into the list that it belongs to. */
static void
put(struct gc_heap *h, struct gc_workbuf *b)
{
    rt_assert(b->n <= RT_GC_WORKBUF);
    rt_lock(&h->work_lock);
    if (b->n == 0) {
        b->next = h->work_empty;
        h->work_empty = b;
    } else {
        b->next = h->work_full;
        h->work_full = b;
        /* full: see "The end" in concur.c */
        a32_add_full(&h->work_nfull, 1);
    }
    rt_unlock(&h->work_lock);
}

bool
gc_marker_flush(struct gc_marker *m)
{
    struct gc_workbuf *b = m->buf;

    if (b == NULL)
        return false;
    bool any = b->n != 0;
    m->buf = NULL;
    put(m->heap, b);
    return any;
}

void
gc_marker_sum(struct gc_marker *m)
{
    struct gc_heap *h = m->heap;

    a64_add_rlx(&h->marked, m->bytes);
    a64_add_rlx(&h->stack_scan, m->stack_bytes);
    a64_add_rlx(&h->global_scan, m->global_bytes);
    m->bytes = m->objects = 0;
    m->stack_bytes = m->global_bytes = 0;
}

bool
gc_work_share(struct gc_marker *m)
{
    enum { FEW = 4 };
    struct gc_heap *h = m->heap;
    struct gc_workbuf *b = m->buf;

    if (a32_load_rlx(&h->work_nfull) != 0)
        return true;
    if (b == NULL || b->n <= FEW)
        return false;
    struct gc_workbuf *e = get_empty(h);
    if (e == NULL)
        return false;
    /* The others get what has been there longest: it is nearer to the roots,
     * and more hangs from it. */
    e->n = b->n / 2;
    memcpy(e->obj, b->obj, e->n * sizeof *e->obj);
    b->n -= e->n;
    memmove(b->obj, b->obj + e->n, b->n * sizeof *b->obj);
    put(h, e);
    return true;
}

void
gc_work_push_slow(struct gc_marker *m, struct gc_grey g)
{
    struct gc_workbuf *e = get_empty(m->heap);

    rt_assert(g.addr != 0 && g.s != NULL);
    if (e == NULL) {
        a32_store_rel(&m->heap->work_overflow, 1);
        return;
    }
    if (m->buf != NULL)
        put(m->heap, m->buf);
    m->buf = e;
    e->obj[e->n++] = g;
}

struct gc_grey
gc_work_pop_slow(struct gc_marker *m)
{
    struct gc_workbuf *f = get_full(m->heap);

    rt_assert(m->buf == NULL || m->buf->n == 0);
    if (f == NULL)
        return (struct gc_grey){ 0, NULL };
    if (m->buf != NULL)
        put(m->heap, m->buf);
    m->buf = f;
    return f->obj[--f->n];
}
