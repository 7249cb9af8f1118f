/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_BASE_ARENA_H
#define RUNTIME_BASE_ARENA_H

/*
 * A region: many small allocations, one release.  The front end keeps a whole
 * compilation in one.  Zeroed memory is an empty region.  One thread at a
 * time.  The smallest chunks come from malloc, larger ones are mapped; where
 * ASan and LSan are to see them all come from malloc, unless they are to have
 * the same addresses in each process.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/compiler.h"

struct rt_arena_chunk;

struct rt_arena {
    uint8_t *pos; /* next free byte of the first chunk, 8-aligned */
    uint8_t *end; /* of what may be used of it without a call */
    struct rt_arena_chunk *chunks;
    size_t used;  /* bytes of the first chunk before which pos has been at least
                     where it was set back */
    size_t total; /* bytes of all chunks */
    uint8_t *at;  /* NULL: chunks may be anywhere; else they are mapped here, one
                     behind the other, and it is the end of the last */
    bool low;     /* chunks are below 2 GiB as long as there is room: machine code
                     has addresses there in four bytes */
    size_t limit; /* refuse to grow beyond this many; 0: no limit */
    size_t first; /* bytes of the first chunk, of which those that are used
                     cost memory; 0: some pages */
    size_t kept;  /* bytes of that which stay when the region is begun again,
                     however few are used next; 0: RT_ARENA_KEPT */

    /* Called where an allocation would return NULL, unless it is NULL.  It
     * must not return: whoever sets it gives the way out (setjmp). */
    void (*nomem)(void *arg);
    void *nomem_arg;
};

void *rt_arena_alloc_slow(struct rt_arena *a, size_t size);

/* Calls a->nomem if it is set: for memory that is not from the region but
 * shares its fate. */
void rt_arena_nomem(struct rt_arena *a);

/* size zeroed bytes, aligned to 8, that live until rt_arena_free().  NULL
 * only when memory or the limit is exhausted.  size 0 gives a valid address
 * that may be shared. */
static inline void *
rt_arena_alloc(struct rt_arena *a, size_t size)
{
    /* The chunks are zeroed as a whole when they are obtained.  Size 0
     * takes the slow path, since an empty region has no address to give. */
    if (rt_likely(size - 1 < (size_t)(a->end - a->pos))) {
        uint8_t *p = a->pos;
        size_t step = (size + 7) & ~(size_t)7;
        a->pos = step <= (size_t)(a->end - p) ? p + step : a->end;
        return p;
    }
    return rt_arena_alloc_slow(a, size);
}

/* n elements of size bytes each; NULL on overflow too. */
static inline void *
rt_arena_array(struct rt_arena *a, size_t n, size_t size)
{
    size_t bytes;

    if (__builtin_mul_overflow(n, size, &bytes))
        bytes = SIZE_MAX; /* which fails */
    return rt_arena_alloc(a, bytes);
}

/* Room for an element behind the n of a list that grows: `at`, or where n is
 * *cap, a copy of it that has room for twice as many, which *cap then says.
 * NULL where rt_arena_array() would give it; *cap is as it was then. */
void *rt_arena_more(
    struct rt_arena *a, void *at, unsigned n, unsigned *cap, size_t size);

/* A copy of n bytes with a NUL behind them. */
char *rt_arena_strndup(struct rt_arena *a, const char *s, size_t n);

/* printf into the region. */
char *rt_arena_printf(struct rt_arena *a, const char *fmt, ...)
    RT_PRINTF(2, 3);

/* A text that grows at its end; zero is an empty one, whose `at` is NULL. */
struct rt_arena_text {
    char *at; /* n bytes and a NUL */
    size_t n, cap;
};

/* printf behind a text.  It moves into twice the room where it has none, so that
 * a long one may be made of many parts.  False: no memory, and it is as it was. */
bool rt_arena_add(struct rt_arena *a, struct rt_arena_text *t, const char *fmt,
    ...) RT_PRINTF(3, 4);

/* Gives everything back; the region is empty and may be used again, a->nomem
 * stays. */
void rt_arena_free(struct rt_arena *a);

/* The region is empty, as after rt_arena_free(), but may keep memory, of which
 * it clears what was used: for a work that is done again and again.  Not for
 * chunks at addresses of their own. */
void rt_arena_reset(struct rt_arena *a);

/* The same, but that nothing is cleared: until rt_arena_free() pieces of the
 * region hold anything, and who wants them to be zero clears them. */
void rt_arena_rewind(struct rt_arena *a);

/* Behind all that has been taken: what is taken from now on can be given to
 * rt_arena_shorten() as a whole.  NULL: nothing has been. */
static inline void *
rt_arena_at(const struct rt_arena *a)
{
    return a->pos;
}

/* Nobody needs what has been taken from `end` on, which is in a piece or behind
 * one: as far as that can be taken again it is, and holds anything then.  So it is
 * for regions that are rewound, not for those that are reset. */
void rt_arena_shorten(struct rt_arena *a, void *end);

#endif
