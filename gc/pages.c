/* SPDX-License-Identifier: MIT */
/*
 * Pages: runs of free pages in lists by length, best fit, merged with their
 * neighbours when they come back (TCMalloc's page heap).  Per page one bit
 * tells whether it may be dirty and one whether memory is behind it, so that
 * fresh memory needs no zeroing and the statistics stay exact through splits
 * and merges.  All functions run under GC_HEAP unless they say otherwise.
 */
#include "gc/gc_int.h"

static unsigned
list_of(uint64_t npages)
{
    return npages < FREE_LISTS ? (unsigned)npages : 0;
}

static struct gc_span *
span_at(const struct gc_heap *h, uintptr_t addr)
{
    struct gc_arena *a = gc_arena_of(h, addr);

    return a == NULL ? NULL : aptr_load_rlx(&a->span[gc_page_index(addr)]);
}

static void
set_page(struct gc_heap *h, uintptr_t addr, struct gc_span *s)
{
    struct gc_arena *a = gc_arena_of(h, addr);

    /* rel: pairs with the acq in gc_span_of(). */
    aptr_store_rel(&a->span[gc_page_index(addr)], s);
}

static void
set_pages(struct gc_heap *h, struct gc_span *s, struct gc_span *val)
{
    for (uint64_t i = 0; i < s->npages; i++)
        set_page(h, (uintptr_t)s->base + i * GC_PAGE_SIZE, val);
}

/* Calls of fn for the pages of a span, arena by arena. */
struct piece {
    struct gc_arena *a;
    unsigned from, to; /* pages in the arena */
    uint64_t left;     /* pages behind this piece */
};

static struct piece
first_piece(const struct gc_heap *h, const uint8_t *base, uint64_t npages)
{
    struct gc_arena *a = gc_arena_of(h, (uintptr_t)base);
    unsigned from = gc_page_index((uintptr_t)base);
    uint64_t n = ARENA_PAGES - from < npages ? ARENA_PAGES - from : npages;

    return (struct piece){ a, from, from + (unsigned)n, npages - n };
}

static bool
next_piece(const struct gc_heap *h, struct piece *p)
{
    if (p->left == 0)
        return false;
    *p = first_piece(h, p->a->base + ARENA_SIZE, p->left);
    return true;
}

/* ---- free lists ----------------------------------------------------- */

static void
link_free(struct gc_heap *h, struct gc_span *s)
{
    unsigned l = list_of(s->npages);

    a32_store_rlx(&s->state, SPAN_FREE);
    rt_list_push_front(&h->free[l], &s->node);
    rt_bit_set(h->free_map, l);
    set_page(h, (uintptr_t)s->base, s);
    set_page(h, (uintptr_t)s->base + (s->npages - 1) * GC_PAGE_SIZE, s);
}

static void
unlink_free(struct gc_heap *h, struct gc_span *s)
{
    unsigned l = list_of(s->npages);

    rt_list_remove(&s->node);
    if (rt_list_empty(&h->free[l]))
        rt_bit_clear(h->free_map, l);
}

/* The smallest run of 128 pages and more that fits; lowest address of equal
 * ones. */
static struct gc_span *
best_large(struct gc_heap *h, uint64_t npages)
{
    struct gc_span *best = NULL;
    struct rt_list *n;

    LIST_FOREACH(n, &h->free[0]) {
        struct gc_span *s = LIST_ENTRY(n, struct gc_span, node);
        if (s->npages < npages)
            continue;
        if (best == NULL || s->npages < best->npages ||
            (s->npages == best->npages && s->base < best->base))
            best = s;
    }
    return best;
}

static struct gc_span *
find_free(struct gc_heap *h, uint64_t npages)
{
    for (uint64_t l = npages; l < FREE_LISTS; l = (l / 64 + 1) * 64) {
        uint64_t m = h->free_map[l / 64] >> (l % 64);
        if (m == 0)
            continue;
        l += (unsigned)__builtin_ctzll(m);
        return LIST_ENTRY(h->free[l].next, struct gc_span, node);
    }
    return best_large(h, npages);
}

/* Merges s, which is in no list, with free neighbours and links it. */
static void
merge_and_link(struct gc_heap *h, struct gc_span *s)
{
    struct gc_span *p = span_at(h, (uintptr_t)s->base - GC_PAGE_SIZE);
    struct gc_span *n =
        span_at(h, (uintptr_t)s->base + s->npages * GC_PAGE_SIZE);

    if (p != NULL && a32_load_rlx(&p->state) == SPAN_FREE) {
        unlink_free(h, p);
        set_page(h, (uintptr_t)s->base - GC_PAGE_SIZE, NULL);
        set_page(h, (uintptr_t)p->base, NULL);
        s->base = p->base;
        s->npages += p->npages;
        rt_fixalloc_put(&h->spans, p);
    }
    if (n != NULL && a32_load_rlx(&n->state) == SPAN_FREE) {
        unlink_free(h, n);
        set_page(h, (uintptr_t)n->base, NULL);
        s->npages += n->npages;
        rt_fixalloc_put(&h->spans, n);
    }
    link_free(h, s);
}

/* ---- growth ---------------------------------------------------------- */

static bool
add_arena(struct gc_heap *h, uint8_t *base)
{
    uintptr_t i = (uintptr_t)base >> ARENA_SHIFT;
    a_ptr *t = aptr_load_rlx(&h->table[i >> TABLE_BITS]);
    struct gc_arena *a;

    if (t == NULL) {
        t = rt_persist_alloc(&h->persist, TABLE_SIZE * sizeof *t, 64);
        if (t == NULL)
            return false;
        /* rel: pairs with the acq in gc_arena_of(), here and below. */
        aptr_store_rel(&h->table[i >> TABLE_BITS], t);
    }
    a = aptr_load_rlx(&t[i % TABLE_SIZE]);
    if (a != NULL)
        return true; /* from an attempt that failed later */
    a = rt_persist_alloc(&h->persist, sizeof *a, 64);
    if (a == NULL)
        return false;
    a->base = base;
    memset(a->released, 0xff, sizeof a->released);
    aptr_store_rel(&t[i % TABLE_SIZE], a);
    if (h->last_arena == NULL)
        h->arenas = a;
    else
        h->last_arena->next = a;
    h->last_arena = a;
    return true;
}

static bool
add_arenas(struct gc_heap *h, uint8_t *base, size_t size)
{
    for (size_t i = 0; i < size; i += ARENA_SIZE)
        if (!add_arena(h, base + i))
            return false;
    return true;
}

/* Commits size bytes (whole arenas) of the newest region and makes them a
 * free run. */
static bool
commit(struct gc_heap *h, struct gc_region *r, size_t size)
{
    rt_assert(size % ARENA_SIZE == 0 && r->committed + size <= r->size);
    uint8_t *base = r->base + r->committed;
    struct gc_span *s = rt_fixalloc_get(&h->spans);

    if (s == NULL)
        return false;
    /* First what may be refused, before records are made for it. */
    if (rt_os_commit(&h->os, base, size) != RT_OK) {
        rt_fixalloc_put(&h->spans, s);
        return false;
    }
    if (!add_arenas(h, base, size)) {
        rt_os_uncommit(&h->os, base, size);
        rt_fixalloc_put(&h->spans, s);
        return false;
    }
    r->committed += size;
    rt_asan_poison(base, size);
    s->base = base;
    s->npages = size / GC_PAGE_SIZE;
    h->pages_free += s->npages;
    h->pages_released += s->npages;
    merge_and_link(h, s);
    return true;
}

/* Address space, far from that of others where it is the first and there is
 * room; at the hint, or anywhere.  NULL: there is none. */
static uint8_t *
reserve(struct gc_heap *h, uint8_t *hint, size_t size)
{
    enum { TRIES = 8 };
    uint8_t *near = h->cfg.near, *p;

    if (hint != NULL || near == NULL)
        return rt_os_reserve(&h->os, hint, size, ARENA_SIZE);
    for (unsigned i = 0; i < TRIES; i++) {
        hint = near + ((uintptr_t)i << 40);
        p = rt_os_reserve(&h->os, hint, size, ARENA_SIZE);
        if (p == hint || p == NULL || i == TRIES - 1)
            break;
        rt_os_release(&h->os, p, size, 0);
    }
    return p;
}

static bool
add_region(struct gc_heap *h, size_t need)
{
    struct gc_region *r =
        rt_persist_alloc(&h->persist, sizeof(struct gc_region), 8);
    struct gc_region *last = h->regions;
    void *hint = last == NULL ? h->cfg.base : last->base + last->size;
    size_t size = need < RT_GC_GROW ? RT_GC_GROW : need;

    if (r == NULL)
        return false;
    r->base = reserve(h, hint, size);
    if (r->base == NULL && size > need) {
        size = need;
        r->base = reserve(h, hint, size);
    }
    if (r->base == NULL)
        return false;
    if (h->cfg.base != NULL && r->base != hint) {
        rt_os_release(&h->os, r->base, size, 0);
        return false;
    }
    if ((uintptr_t)r->base + size > (uintptr_t)1 << 48) {
        rt_os_release(&h->os, r->base, size, 0);
        return false;
    }
    r->size = size;
    r->committed = 0;
    r->next = h->regions;
    h->regions = r;
    return true;
}

/* Obtains a free run of at least npages. */
static bool
grow(struct gc_heap *h, uint64_t npages)
{
    size_t need = rt_align_up(npages * GC_PAGE_SIZE, ARENA_SIZE);
    struct gc_region *r = h->regions;

    if (r != NULL && r->size - r->committed < need) {
        /* The rest of the old region is not lost: it may even join up with
         * a new one behind it. */
        if (r->size > r->committed)
            commit(h, r, r->size - r->committed);
        r = NULL;
    }
    if (r == NULL) {
        if (!add_region(h, need))
            return false;
        r = h->regions;
    }
    return commit(h, r, need);
}

/* ---- the interface --------------------------------------------------- */

/* Cuts the run down to npages; the rest becomes a free run. */
static bool
split(struct gc_heap *h, struct gc_span *s, uint64_t npages)
{
    if (s->npages == npages)
        return true;
    struct gc_span *rest = rt_fixalloc_get(&h->spans);
    if (rest == NULL)
        return false;
    rt_assert(s->npages > npages);
    rest->base = s->base + npages * GC_PAGE_SIZE;
    rest->npages = s->npages - npages;
    s->npages = npages;
    link_free(h, rest);
    return true;
}

struct gc_span *
gc_pages_alloc_locked(struct gc_heap *h, uint64_t npages, bool *fresh)
{
    rt_assert_held(&h->lock);
    rt_assert(npages > 0);
    struct gc_span *s = find_free(h, npages);
    if (s == NULL) {
        if (!grow(h, npages))
            return NULL;
        s = find_free(h, npages);
        rt_check(s != NULL, "no run of pages after growth");
    }
    unlink_free(h, s);
    if (!split(h, s, npages)) {
        link_free(h, s);
        return NULL;
    }
    rt_assert(s->npages == npages && h->pages_free >= npages);
    *fresh = true;
    struct piece p = first_piece(h, s->base, npages);
    do {
        rt_assert(h->pages_released >=
            rt_bits_count(p.a->released, p.from, p.to));
        h->pages_released -= rt_bits_count(p.a->released, p.from, p.to);
        if (rt_bits_count(p.a->dirty, p.from, p.to) != 0)
            *fresh = false;
        rt_bits_fill(p.a->released, p.from, p.to, false);
        rt_bits_fill(p.a->dirty, p.from, p.to, true);
    } while (next_piece(h, &p));
    h->pages_free -= npages;
    h->pages_inuse += npages;
    set_pages(h, s, s);
    return s;
}

void
gc_pages_free_locked(struct gc_heap *h, struct gc_span *s)
{
    rt_assert_held(&h->lock);
    set_pages(h, s, NULL);
    rt_assert(h->pages_inuse >= s->npages);
    h->pages_inuse -= s->npages;
    h->pages_free += s->npages;
    merge_and_link(h, s);
}

/* Discards the runs of unreleased pages of one free span. */
static uint64_t
release_span(struct gc_heap *h, struct gc_span *s, uint64_t max)
{
    uint64_t done = 0;
    struct piece p = first_piece(h, s->base, s->npages);

    do {
        for (unsigned i = p.from; i < p.to && done < max; i++) {
            if (rt_bit_get(p.a->released, i))
                continue;
            unsigned j = i + 1;
            while (j < p.to && !rt_bit_get(p.a->released, j) &&
                (j - i) * (uint64_t)GC_PAGE_SIZE < max - done)
                j++;
            rt_asan_unpoison(p.a->base + i * GC_PAGE_SIZE,
                (size_t)(j - i) * GC_PAGE_SIZE);
            rt_os_discard(&h->os, p.a->base + i * GC_PAGE_SIZE,
                (size_t)(j - i) * GC_PAGE_SIZE);
            rt_asan_poison(p.a->base + i * GC_PAGE_SIZE,
                (size_t)(j - i) * GC_PAGE_SIZE);
            rt_bits_fill(p.a->released, i, j, true);
            /* Though it is zero, a race detector knows of what was there;
             * who gets it must find that it has been used. */
            rt_bits_fill(p.a->dirty, i, j, h->cfg.race != NULL);
            h->pages_released += j - i;
            done += (uint64_t)(j - i) * GC_PAGE_SIZE;
            i = j;
        }
    } while (done < max && next_piece(h, &p));
    return done;
}

uint64_t
gc_pages_release_locked(struct gc_heap *h, uint64_t max)
{
    uint64_t done = 0;
    struct rt_list *n;

    /* Long runs first: fewer calls for the same memory. */
    for (unsigned i = FREE_LISTS; i > 0 && done < max; i--)
        LIST_FOREACH(n, &h->free[i == FREE_LISTS ? 0 : i]) {
            if (done >= max)
                break;
            done += release_span(h, LIST_ENTRY(n, struct gc_span, node),
                max - done);
        }
    return done;
}

/* Clears all that has been used: nothing of it is needed any more. */
static void
clear_all(struct gc_heap *h)
{
    for (struct gc_arena *a = h->arenas; a != NULL; a = a->next)
        for (unsigned i = 0; i < ARENA_PAGES; i++) {
            unsigned j = i;

            while (j < ARENA_PAGES && !rt_bit_get(a->released, j))
                j++;
            size_t size = (size_t)(j - i) * GC_PAGE_SIZE;
            uint8_t *p = a->base + i * GC_PAGE_SIZE;
            if (size > RT_KEEP_CLEAR / 4)
                rt_os_discard(&h->os, p, size);
            else
                memset(p, 0, size);
            i = j;
        }
}

void
gc_pages_fini(struct gc_heap *h)
{
    struct gc_region *next;

    for (struct gc_region *r = h->regions; r != NULL; r = r->next)
        rt_asan_unpoison(r->base, r->committed);
    if (h->os.keep != NULL)
        clear_all(h);
    for (struct gc_region *r = h->regions; r != NULL; r = next) {
        next = r->next;
        rt_os_release_clean(&h->os, r->base, r->size, r->committed);
    }
    h->regions = NULL;
}
