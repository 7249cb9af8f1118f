/* SPDX-License-Identifier: MIT */
/*
 * Memory for vectors and objects: pieces of sizes that are powers
 * of two, which go to a list when they are given back.  Each thread has a stock
 * of the smaller ones.  Whole chunks come from the operating system.
 */
#include "runtime/race/vec.h"

#include <string.h>

#include "runtime/base/cpu.h"
#include "runtime/base/hash.h"
#include "runtime/base/throw.h"
#include "runtime/base/tunables.h"

enum {
    CHUNK = 1 << 20,
    SMALLEST = 5,
    STOCK_FEW = 8,    /* so many pieces are fetched where a stock has none */
    STOCK_MANY = 64,  /* where it has more, half of them are given back */
    STACK_SHIFT = 16  /* a thread's frames are within so many bits, mostly */
};

struct race_mem_chunk {
    struct race_mem_chunk *next;
    size_t size;
};

static unsigned
size_class(size_t size)
{
    unsigned k = size <= (size_t)1 << SMALLEST ? 0
        : 64 - (unsigned)__builtin_clzll(size - 1) - SMALLEST;

    rt_assert(k < RACE_MEM_SIZES && size <= (size_t)1 << (k + SMALLEST));
    return k;
}

/* A new chunk with room for `size`; what is left of the last one is lost. */
static bool
grow(struct race_mem *m, size_t size)
{
    size_t all = size + RT_CACHE_LINE < CHUNK ? CHUNK : size + RT_CACHE_LINE;
    struct race_mem_chunk *c;

    all = (all + 4095) & ~(size_t)4095;
    c = rt_os_map(m->os, all);
    if (c == NULL)
        return false;
    c->next = m->chunks;
    c->size = all;
    m->chunks = c;
    m->pos = (uint8_t *)c + RT_CACHE_LINE;
    m->end = (uint8_t *)c + all;
    return true;
}

void
race_mem_init(struct race_mem *m, struct rt_os *os)
{
    *m = (struct race_mem){.os = os, .wide = rt_cpu_has_avx2()};
    rt_lock_init(&m->lock, RANK_RACE_MEM);
    for (unsigned i = 0; i < RACE_STOCKS; i++)
        rt_lock_init(&m->stocks[i].lock, RANK_RACE_MEM);
}

/* What a piece that is free holds: the next one. */
static void *
next_of(const void *p)
{
    void *next;

    memcpy(&next, p, sizeof next);
    return next;
}

static void
set_next(void *p, void *next)
{
    memcpy(p, &next, sizeof next);
}

/* A piece of size class k; NULL: no memory.  m->lock held. */
static void *
take_locked(struct race_mem *m, unsigned k)
{
    size_t all = (size_t)1 << (k + SMALLEST);
    void *p = m->free[k];

    rt_assert_held(&m->lock);
    if (p != NULL) {
        m->free[k] = next_of(p);
    } else if ((size_t)(m->end - m->pos) >= all || grow(m, all)) {
        p = m->pos;
        m->pos += all;
    }
    return p;
}

/* Up to n pieces of size class k, in a list; *got says how many. */
static void *
take_some(struct race_mem *m, unsigned k, uint32_t n, uint32_t *got)
{
    void *list = NULL, *p;

    rt_lock(&m->lock);
    for (*got = 0; *got < n && (p = take_locked(m, k)) != NULL; ++*got) {
        set_next(p, list);
        list = p;
    }
    rt_unlock(&m->lock);
    return list;
}

static void
put_all(struct race_mem *m, unsigned k, void *list)
{
    void *last = list;

    if (list == NULL)
        return;
    while (next_of(last) != NULL)
        last = next_of(last);
    rt_lock(&m->lock);
    set_next(last, m->free[k]);
    m->free[k] = list;
    rt_unlock(&m->lock);
}

/* The calling thread's. */
static struct race_stock *
my_stock(struct race_mem *m)
{
    uint64_t at = (uintptr_t)__builtin_frame_address(0);

    return &m->stocks[rt_hash_u64(at >> STACK_SHIFT, 0) % RACE_STOCKS];
}

static void *
pop(struct race_stock *s, unsigned k)
{
    void *p = s->free[k];

    rt_assert((p == NULL) == (s->n[k] == 0));
    if (p != NULL) {
        s->free[k] = next_of(p);
        s->n[k]--;
    }
    return p;
}

static void
push(struct race_stock *s, unsigned k, void *p)
{
    set_next(p, s->free[k]);
    s->free[k] = p;
    s->n[k]++;
}

static void *
take_from(struct race_mem *m, struct race_stock *s, unsigned k)
{
    uint32_t got;
    void *p, *list;

    rt_lock(&s->lock);
    p = pop(s, k);
    rt_unlock(&s->lock);
    if (p != NULL)
        return p;
    p = take_some(m, k, STOCK_FEW, &got);
    if (p == NULL)
        return NULL;
    list = next_of(p);
    rt_lock(&s->lock);
    while (list != NULL) {
        void *next = next_of(list);

        push(s, k, list);
        list = next;
    }
    rt_unlock(&s->lock);
    return p;
}

static void
put_into(struct race_mem *m, struct race_stock *s, unsigned k, void *p)
{
    void *rest = NULL;

    rt_lock(&s->lock);
    push(s, k, p);
    if (s->n[k] > STOCK_MANY) {
        /* What has been used last stays. */
        void *last = p;

        for (uint32_t i = 1; i < STOCK_MANY / 2; i++)
            last = next_of(last);
        rest = next_of(last);
        set_next(last, NULL);
        s->n[k] = STOCK_MANY / 2;
    }
    rt_unlock(&s->lock);
    put_all(m, k, rest);
}

void *
race_mem_take(struct race_mem *m, size_t size)
{
    unsigned k = size_class(size);
    void *p;

    if (race_mem_fails(m))
        return NULL;
    if (k < RACE_STOCK_SIZES)
        return take_from(m, my_stock(m), k);
    rt_lock(&m->lock);
    p = take_locked(m, k);
    rt_unlock(&m->lock);
    return p;
}

void *
race_mem_get(struct race_mem *m, size_t size)
{
    void *p = race_mem_take(m, size);

    if (p != NULL)
        memset(p, 0, size);
    return p;
}

void
race_mem_put(struct race_mem *m, void *p, size_t size)
{
    unsigned k = size_class(size);

    rt_assert(p != NULL);
    if (k < RACE_STOCK_SIZES) {
        put_into(m, my_stock(m), k, p);
        return;
    }
    set_next(p, NULL);
    put_all(m, k, p);
}

/* The chunks that have come after `stay`; NULL: all. */
static void
unmap_chunks(struct race_mem *m, const struct race_mem_chunk *stay)
{
    struct race_mem_chunk *c;

    while ((c = m->chunks) != stay) {
        m->chunks = c->next;
        rt_os_unmap(m->os, c, c->size);
    }
}

void
race_mem_reset(struct race_mem *m)
{
    struct race_mem_chunk *c = m->chunks;

    while (c != NULL && c->next != NULL)
        c = c->next;
    unmap_chunks(m, c);
    m->pos = c == NULL ? NULL : (uint8_t *)c + RT_CACHE_LINE;
    m->end = c == NULL ? NULL : (uint8_t *)c + c->size;
    memset(m->free, 0, sizeof m->free);
    for (unsigned i = 0; i < RACE_STOCKS; i++) {
        memset(m->stocks[i].n, 0, sizeof m->stocks[i].n);
        memset(m->stocks[i].free, 0, sizeof m->stocks[i].free);
    }
    a32_store_rlx(&m->requests, 0);
    a32_store_rlx(&m->guessed, 0);
}

uint64_t
race_mem_bytes(const struct race_mem *m)
{
    uint64_t n = 0;

    for (const struct race_mem_chunk *c = m->chunks; c != NULL; c = c->next)
        n += c->size;
    return n;
}

bool
race_mem_valid(const struct race_mem *m)
{
    for (unsigned i = 0; i < RACE_STOCKS; i++)
        for (unsigned k = 0; k < RACE_STOCK_SIZES; k++) {
            uint32_t n = m->stocks[i].n[k];
            const void *p = m->stocks[i].free[k];

            if (n > STOCK_MANY)
                return false;
            for (; p != NULL && n > 0; n--)
                p = next_of(p);
            if (p != NULL || n > 0)
                return false;
        }
    return true;
}

void
race_mem_fini(struct race_mem *m)
{
    unmap_chunks(m, NULL);
}
