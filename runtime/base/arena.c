/* SPDX-License-Identifier: MIT */
#include "runtime/base/arena.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "runtime/base/compiler.h"
#include "runtime/base/throw.h"
#include "runtime/base/tunables.h"

struct rt_arena_chunk {
    struct rt_arena_chunk *next;
    size_t size;
    size_t mapped; /* bytes; 0: from malloc */
    size_t unused;
};

_Static_assert(sizeof(struct rt_arena_chunk) % 8 == 0, "data is 8-aligned");

#ifdef MAP_32BIT
enum { LOW = MAP_32BIT };
#else
enum { LOW = 0 };
#endif

/* Where it lies does not matter but to who asks for low memory, which there may
 * be none of. */
static void *
map_anywhere(const struct rt_arena *a, size_t bytes)
{
    int flags = MAP_PRIVATE | MAP_ANONYMOUS;
    void *p = MAP_FAILED;

    if (a->low && LOW != 0)
        p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, flags | LOW, -1, 0);
    return p != MAP_FAILED ? p
        : mmap(NULL, bytes, PROT_READ | PROT_WRITE, flags, -1, 0);
}

/* Whole pages, at a->at where that is set; NULL if somebody is there already. */
static struct rt_arena_chunk *
map_chunk(struct rt_arena *a, size_t size)
{
    size_t page = 4096, bytes = (size + page - 1) & ~(page - 1);
    struct rt_arena_chunk *c = a->at == NULL
        ? map_anywhere(a, bytes)
        : mmap(a->at, bytes, PROT_READ | PROT_WRITE,
              MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);

    if (c == MAP_FAILED)
        return NULL;
    if (a->at != NULL && (uint8_t *)c != a->at) {
        munmap(c, bytes); /* the kernel does not know the flag */
        return NULL;
    }
    c->mapped = bytes;
    if (a->at != NULL)
        a->at += bytes;
    return c;
}

/* Where sanitizers are to see the chunks they come from malloc. */
enum { SEEN = RT_ASAN || RT_TSAN };

/* What the processor maps as one: a region that is large already gets such
 * chunks, which cost one page fault instead of 512, where the system has a page
 * of that size to give.  It need not, and then they are like others. */
enum { HUGE_PAGE = 2 << 20 };

static struct rt_arena_chunk *
map_huge(const struct rt_arena *a)
{
    uint8_t *m = map_anywhere(a, 2 * (size_t)HUGE_PAGE);
    size_t before = -(uintptr_t)m & (HUGE_PAGE - 1);
    struct rt_arena_chunk *c;

    if ((void *)m == MAP_FAILED)
        return NULL;
    if (before != 0)
        munmap(m, before);
    munmap(m + before + HUGE_PAGE, HUGE_PAGE - before);
    c = (struct rt_arena_chunk *)(m + before);
    (void)madvise(c, HUGE_PAGE, MADV_HUGEPAGE);
    c->mapped = HUGE_PAGE;
    return c;
}

/* All but the smallest chunks are pages of their own: calloc would clear what a
 * heap's end has had before, whether it is used in the end or not. */
static bool
wants_pages(const struct rt_arena *a, size_t size)
{
    return a->at != NULL || (a->low && !SEEN) ||
        (size > RT_ARENA_CHUNK + sizeof(struct rt_arena_chunk) && !SEEN);
}

static bool
is_huge(const struct rt_arena *a, size_t size)
{
    return a->at == NULL && !SEEN && size == HUGE_PAGE;
}

static struct rt_arena_chunk *
new_chunk(struct rt_arena *a, size_t data)
{
    size_t size;

    if (__builtin_add_overflow(data, sizeof(struct rt_arena_chunk), &size))
        return NULL;
    if (a->limit != 0 && (a->total > a->limit || size > a->limit - a->total))
        return NULL;
    struct rt_arena_chunk *c = is_huge(a, size) ? map_huge(a)
        : wants_pages(a, size) ? map_chunk(a, size) : calloc(1, size);
    if (c == NULL)
        return NULL;
    c->size = data;
    a->total += size;
    return c;
}

void
rt_arena_nomem(struct rt_arena *a)
{
    if (a->nomem != NULL)
        a->nomem(a->nomem_arg);
}

/* A region grows by what it has, within limits: the pages of large chunks are
 * zero already, and only those that are used cost any. */
static size_t
chunk_size(const struct rt_arena *a)
{
    if (a->chunks == NULL && a->first != 0 && !SEEN)
        return a->first;
    if (a->total <= RT_ARENA_CHUNK)
        return RT_ARENA_CHUNK;
    if (a->total >= RT_ARENA_LARGE && a->at == NULL && !SEEN)
        return HUGE_PAGE - sizeof(struct rt_arena_chunk);
    return a->total < RT_ARENA_CHUNK_MOST ? a->total : RT_ARENA_CHUNK_MOST;
}

static uint8_t *
end_of(struct rt_arena_chunk *c)
{
    return (uint8_t *)(c + 1) + c->size;
}

/*
 * Mapped chunks are opened some pages at a time: the system is asked for all
 * down to a->end, since they will be used and each would be a fault else.  It
 * need not give them.  A large piece may be a table that is hardly used.
 */
enum { WINDOW = 64 * 1024 };

#ifndef MADV_POPULATE_WRITE
enum { MADV_POPULATE_WRITE = 23 };
#endif

/* `size` bytes of the first chunk, which has them behind a->end. */
static void *
open_more(struct rt_arena *a, size_t size)
{
    uint8_t *end = end_of(a->chunks), *p = a->pos;
    uintptr_t page = (uintptr_t)a->end & ~(uintptr_t)4095;

    rt_assert(a->pos <= a->end && size <= (size_t)(end - p));
    a->end = size + WINDOW < (size_t)(end - p) ? p + size + WINDOW : end;
    if (size <= WINDOW)
        (void)madvise(
            (void *)page, (uintptr_t)a->end - page, MADV_POPULATE_WRITE);
    a->pos = p + size;
    return p;
}

static void *
alloc_slow(struct rt_arena *a, size_t size)
{
    if (size > SIZE_MAX - 8)
        return NULL;
    if (size == 0 && a->chunks != NULL)
        return a->chunks + 1;
    size = (size + 7) & ~(size_t)7;
    if (a->chunks != NULL && size <= (size_t)(end_of(a->chunks) - a->pos))
        return open_more(a, size);
    if (size > RT_ARENA_CHUNK / 4 && a->chunks != NULL) {
        /* A large piece gets a chunk of its own behind the first one, so
         * that the rest of that one stays in use. */
        struct rt_arena_chunk *c = new_chunk(a, size);
        if (c == NULL)
            return NULL;
        c->next = a->chunks->next;
        a->chunks->next = c;
        return c + 1;
    }
    size_t data = chunk_size(a);
    data = size > data ? size : data;
    struct rt_arena_chunk *c = new_chunk(a, data);
    if (c == NULL && data > size && data > RT_ARENA_CHUNK) {
        data = size > RT_ARENA_CHUNK ? size : RT_ARENA_CHUNK;
        c = new_chunk(a, data);
    }
    if (c == NULL)
        return NULL;
    c->next = a->chunks;
    a->chunks = c;
    a->used = 0;
    a->pos = a->end = (uint8_t *)(c + 1);
    if (c->mapped != 0 && c->mapped < HUGE_PAGE)
        return open_more(a, size);
    a->pos += size;
    a->end += data;
    return c + 1;
}

void *
rt_arena_alloc_slow(struct rt_arena *a, size_t size)
{
    void *p = alloc_slow(a, size);

    if (rt_unlikely(p == NULL))
        rt_arena_nomem(a);
    return p;
}

void *
rt_arena_more(
    struct rt_arena *a, void *at, unsigned n, unsigned *cap, size_t size)
{
    unsigned more = *cap == 0 ? 8 : *cap * 2;

    rt_assert(n <= *cap);
    if (n < *cap)
        return at;
    /* Too many to be counted are too many to be had. */
    void *p = rt_arena_array(a, more > n ? more : SIZE_MAX, size);
    if (p == NULL)
        return NULL;
    if (n != 0)
        memcpy(p, at, n * size);
    *cap = more;
    return p;
}

char *
rt_arena_strndup(struct rt_arena *a, const char *s, size_t n)
{
    if (n == SIZE_MAX)
        return NULL;
    char *p = rt_arena_alloc(a, n + 1);
    if (p != NULL && n > 0)
        memcpy(p, s, n);
    return p;
}

char *
rt_arena_printf(struct rt_arena *a, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    int n = vsnprintf(NULL, 0, fmt, ap);
    va_end(ap);
    if (n < 0)
        return NULL;
    char *p = rt_arena_alloc(a, (size_t)n + 1);
    if (p == NULL)
        return NULL;
    va_start(ap, fmt);
    vsnprintf(p, (size_t)n + 1, fmt, ap);
    va_end(ap);
    return p;
}

/* Room for n more bytes and a NUL. */
static bool
make_room(struct rt_arena *a, struct rt_arena_text *t, size_t n)
{
    size_t cap = 2 * t->cap;
    char *at;

    if (n < t->cap - t->n)
        return true;
    if (cap < t->n + n + 1)
        cap = t->n + n + 1;
    at = rt_arena_alloc(a, cap);
    if (at == NULL)
        return false;
    if (t->n > 0)
        memcpy(at, t->at, t->n);
    at[t->n] = 0;
    t->at = at;
    t->cap = cap;
    return true;
}

bool
rt_arena_add(
    struct rt_arena *a, struct rt_arena_text *t, const char *fmt, ...)
{
    va_list ap;

    rt_assert(t->n <= t->cap && (t->at != NULL || t->cap == 0));
    va_start(ap, fmt);
    int n = vsnprintf(NULL, 0, fmt, ap);
    va_end(ap);
    if (n < 0 || !make_room(a, t, (size_t)n))
        return false;
    va_start(ap, fmt);
    vsnprintf(t->at + t->n, (size_t)n + 1, fmt, ap);
    va_end(ap);
    t->n += (size_t)n;
    rt_assert(t->n < t->cap && t->at[t->n] == 0);
    return true;
}

static void
free_chunks(struct rt_arena_chunk *c)
{
    while (c != NULL) {
        struct rt_arena_chunk *next = c->next;
        if (c->mapped == 0)
            free(c);
        else
            munmap(c, c->mapped);
        c = next;
    }
}

/* How many of the first n bytes of the chunk's data are not zero.  Of pages
 * those beyond what is kept are given back, which clears them. */
static size_t
used_bytes(struct rt_arena_chunk *c, size_t n, size_t keep)
{
    size_t page = 4096;

    if (c->mapped != 0 && n > keep) {
        size_t from = (sizeof *c + keep + page - 1) & ~(page - 1);
        if (from < c->mapped &&
            madvise((uint8_t *)c + from, c->mapped - from, MADV_DONTNEED) == 0)
            n = from - sizeof *c;
    }
    return n < c->size ? n : c->size;
}

/* So far the first chunk has been used. */
static void
note_used(struct rt_arena *a)
{
    size_t used = (size_t)(a->pos - (uint8_t *)(a->chunks + 1));

    a->used = used > a->used ? used : a->used;
}

/* So many bytes at the beginning of the first chunk, if there is one, are as
 * they were used. */
static size_t
rewind_region(struct rt_arena *a)
{
    struct rt_arena_chunk *c = a->chunks;

    rt_assert(a->at == NULL); /* what is mapped there goes on from its end */
    if (c != NULL)
        note_used(a);
    if (c == NULL || RT_ASAN ||
        (c->mapped == 0 && a->used > RT_ARENA_KEPT)) {
        rt_arena_free(a);
        return 0;
    }
    free_chunks(c->next);
    c->next = NULL;
    size_t used =
        used_bytes(c, a->used, a->kept != 0 ? a->kept : RT_ARENA_KEPT);
    a->used = 0;
    a->pos = (uint8_t *)(c + 1);
    a->total = sizeof *c + c->size;
    return used;
}

void
rt_arena_rewind(struct rt_arena *a)
{
    (void)rewind_region(a);
}

void
rt_arena_shorten(struct rt_arena *a, void *end)
{
    struct rt_arena_chunk *c = a->chunks;
    uintptr_t at = ((uintptr_t)end + 7) & ~(uintptr_t)7;

    if (c == NULL || at < (uintptr_t)(c + 1) || at > (uintptr_t)a->pos)
        return;
    note_used(a);
    a->pos = (uint8_t *)at;
}

void
rt_arena_reset(struct rt_arena *a)
{
    size_t used = rewind_region(a);

    if (used > 0)
        memset(a->chunks + 1, 0, used);
}

void
rt_arena_free(struct rt_arena *a)
{
    free_chunks(a->chunks);
    a->chunks = NULL;
    a->pos = a->end = NULL;
    a->used = 0;
    a->total = 0;
}
