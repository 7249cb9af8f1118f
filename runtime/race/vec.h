/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_RACE_VEC_H
#define RUNTIME_RACE_VEC_H

/*
 * Vectors of clocks, and the memory that they are made of.  Whoever has one
 * brings the memory along, and is alone with the vector; the pieces that
 * vectors share see to themselves.
 */

#include "runtime/base/lock.h"
#include "runtime/base/osmem.h"
#include "runtime/base/throw.h"
#include "runtime/race/race.h"

/*
 * A piece of a vector: the clocks of RACE_CLOCKS slots.  The first one, if it
 * knows of no slot beyond, may have fewer: RACE_CLOCKS_FEW, or one of the numbers
 * between for which its size in bytes is a power of two.  Vectors share pieces;
 * one that is shared is not written any more.
 */
enum { RACE_CLOCKS = 252, RACE_CLOCKS_FEW = 12 };

struct race_clocks {
    a_u32 refs;
    uint32_t n; /* const */
    uint32_t by; /* the slot in it whose tick has made it so, and 1; 0: it has
                    been changed since.  See Note [ticks] in vec.c. */
    uint32_t unused;
    uint32_t v[];
};

/* The pieces of a vector that others have too, all of it; it is not written any
 * more. */
struct race_base {
    a_u32 refs;
    uint32_t n;
    struct race_clocks *c[];
};

enum {
    RACE_MEM_SIZES = 20, /* powers of two, from 32 bytes on */
    RACE_STOCKS = 16,
    RACE_STOCK_SIZES = 6 /* the smaller ones, up to a kilobyte */
};

/* Free memory for the threads whose stacks are at some addresses, most often
 * one.  Two threads that hand pieces to and fro through one list have the list
 * and its lock to hand over, too: the prime sieve at two Ps took twice the
 * time. */
struct race_stock {
    _Alignas(RT_CACHE_LINE) struct rt_lock lock; /* RACE_MEM */
    /* guarded by lock */
    uint32_t n[RACE_STOCK_SIZES]; /* how many there are, of each size */
    void *free[RACE_STOCK_SIZES];
};

struct race_mem {
    struct rt_os *os;
    bool wide; /* const: there are AVX2's instructions */
    uint32_t fail_at; /* the request from which on all fail; 0: never; const
                         once it is used */
    a_u32 requests;   /* so far, where they are to fail; atomic */
    a_u32 guessed; /* atomic: slots that have got a new owner who knows nothing
                      of what the old one did: ticks do not tell any more */
    struct rt_lock lock; /* RACE_MEM */
    /* guarded by lock */
    void *free[RACE_MEM_SIZES];
    uint8_t *pos, *end;
    struct race_mem_chunk *chunks;
    struct race_stock stocks[RACE_STOCKS];
};

/* os stays the caller's. */
void race_mem_init(struct race_mem *m, struct rt_os *os);
void race_mem_fini(struct race_mem *m);
/* All that has been taken is free; nobody has any of it. */
void race_mem_reset(struct race_mem *m);
/* Whether a request for a piece of what the detector keeps is to fail, for
 * tests; each asks once. */
static inline bool
race_mem_fails(struct race_mem *m)
{
    return rt_unlikely(m->fail_at != 0) &&
        a32_add_rlx(&m->requests, 1) + 1 >= m->fail_at;
}
/* Zeroed memory, until race_mem_fini(); NULL: none. */
void *race_mem_get(struct race_mem *m, size_t size);
/* The same with anything in it. */
void *race_mem_take(struct race_mem *m, size_t size);
void race_mem_put(struct race_mem *m, void *p, size_t size);
/* For tests, while nobody else uses it: what it has of the system, in bytes; and
 * whether the stocks are as they say. */
uint64_t race_mem_bytes(const struct race_mem *m);
bool race_mem_valid(const struct race_mem *m);

/* These end the process where memory is out.  Vectors belong to the caller. */
void race_vec_join(struct race_mem *m, struct race_vec *a, const struct race_vec *b);
/* The same; *merged has the pieces that have become part of a lately, and the
 * base beside them, and that a has not lost since: many who merge are children
 * of one, and what they know of others is the same. */
void race_vec_merge(struct race_mem *m, struct race_vec *a,
    const struct race_vec *b, struct race_vec *merged);
void race_vec_set(struct race_mem *m, struct race_vec *a, const struct race_vec *b);
/* The same where b's owner makes a goroutine that gets a and the slot: both are
 * a base with news from then on, if they are long or would be, or if b's owner
 * has made another one and heard of nobody since (again), until either hears of
 * others. */
void race_vec_fork(struct race_mem *m, struct race_vec *a, struct race_vec *b,
    uint32_t slot, bool again);
/* All become 0. */
void race_vec_clear(struct race_mem *m, struct race_vec *a);
bool race_vec_valid(const struct race_vec *a);
/* Both become the greater.  told: the slot of a goroutine whose vector one of
 * them is and of whose clock nobody else has been told before; 0: none. */
void race_vec_meet(struct race_mem *m, struct race_vec *a, struct race_vec *b,
    uint32_t told);
/* a becomes the greater, b what a was. */
void race_vec_swap(struct race_mem *m, struct race_vec *a, struct race_vec *b);
void race_vec_free(struct race_mem *m, struct race_vec *a);

static inline uint32_t
race_vec_at(const struct race_vec *a, uint32_t i)
{
    struct race_clocks *const *c = a->c;
    uint32_t k = i / RACE_CLOCKS, n = a->n;

    if (a->base != NULL) {
        for (uint32_t j = 0; j < a->nnews; j++)
            if (a->news[j].slot == i)
                return a->news[j].clock;
        c = a->base->c;
        n = a->base->n;
    }
    if (k >= n || c[k] == NULL)
        return 0;
    i -= k * RACE_CLOCKS;
    return i < c[k]->n ? c[k]->v[i] : 0;
}

/* Whether it has no clocks; one with clocks that are all 0 may be said to have
 * some. */
static inline bool
race_vec_empty(const struct race_vec *a)
{
    return a->base == NULL && a->n == 0;
}

/* Whether nobody else has the piece: who has none cannot get any. */
static inline bool
race_clocks_own(const struct race_clocks *x)
{
    /* acq: pairs with the full in drop(): what others have read is read. */
    return a32_load_acq(&x->refs) == 1;
}

/* The piece of a vector that is one piece of its own; else NULL.  So are those
 * of most programs, and of them nothing else needs to be looked at. */
static inline struct race_clocks *
race_vec_only(const struct race_vec *a)
{
    return a->base == NULL && a->n == 1 && a->c[0] != NULL &&
        race_clocks_own(a->c[0]) ? a->c[0] : NULL;
}

/* race_vec_put() and race_vec_tick() of any vector. */
void race_vec_put_any(struct race_mem *m, struct race_vec *a, uint32_t i,
    uint32_t c, bool tick);

/* The clock of slot i becomes c. */
static inline void
race_vec_put(struct race_mem *m, struct race_vec *a, uint32_t i, uint32_t c)
{
    struct race_clocks *x = race_vec_only(a);

    if (rt_unlikely(x == NULL || i >= x->n)) {
        race_vec_put_any(m, a, i, c, false);
        return;
    }
    x->v[i] = c;
    x->by = 0;
}

/* The same of the vector of the goroutine that has the slot, at its tick. */
static inline void
race_vec_tick(struct race_mem *m, struct race_vec *a, uint32_t i, uint32_t c)
{
    struct race_clocks *x = race_vec_only(a);

    rt_assert(race_vec_at(a, i) < c);
    if (rt_unlikely(x == NULL || i >= x->n)) {
        race_vec_put_any(m, a, i, c, true);
        return;
    }
    x->v[i] = c;
    x->by = i + 1;
}

#endif
