/* SPDX-License-Identifier: MIT */
/*
 * The grey set: buffers of addresses, one in the hands of each marker, the
 * others in two common lists.  When no memory is left for a buffer the object
 * is dropped and work_overflow remembers that marked objects must be scanned
 * once more; so marking never fails.
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
    rt_lock(&h->work_lock);
    struct gc_workbuf *b = h->work_full;
    if (b != NULL)
        h->work_full = b->next;
    rt_unlock(&h->work_lock);
    return b;
}

/* Into the list that it belongs to. */
static void
put(struct gc_heap *h, struct gc_workbuf *b)
{
    rt_lock(&h->work_lock);
    struct gc_workbuf **l = b->n == 0 ? &h->work_empty : &h->work_full;
    b->next = *l;
    *l = b;
    rt_unlock(&h->work_lock);
}

void
gc_marker_flush(struct gc_marker *m)
{
    if (m->buf != NULL)
        put(m->heap, m->buf);
    m->buf = NULL;
}

void
gc_work_push_slow(struct gc_marker *m, struct gc_grey g)
{
    struct gc_workbuf *e = get_empty(m->heap);

    if (e == NULL) {
        rt_lock(&m->heap->work_lock);
        m->heap->work_overflow = true;
        rt_unlock(&m->heap->work_lock);
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

    if (f == NULL)
        return (struct gc_grey){ 0, NULL };
    if (m->buf != NULL)
        put(m->heap, m->buf);
    m->buf = f;
    return f->obj[--f->n];
}
