/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_JIT_LIVES_H
#define RUNTIME_JIT_LIVES_H

/*
 * Where webs live: the walk that finds it, in the order of the code.
 *
 * A slot is open while a web lives in it: from where it is assigned, or from
 * where a block begins, up to the last point behind which it is live.  What is
 * live in a block is so where that begins, or it is assigned before: so only
 * beginnings of blocks and assignments are looked at, and at each point the
 * slots that are live no more.  What is lost is not live behind that, unless it
 * is nobody's: a web that would live on there does no harm.  Where one
 * instruction leads to the next one, which begins a block, each slot has the web
 * that it has had.
 */
#include <string.h>

#include "runtime/jit/jit_int.h"

/* Points are looked at so many at a time: a web lives at some fifteen, and where
 * they are looked at one by one, nobody can foretell which is the last. */
enum { LIVES_FOUR = 4 };
typedef uint32_t lives_four __attribute__((vector_size(16)));
typedef int32_t lives_lanes __attribute__((vector_size(16)));
typedef uint64_t lives_halves __attribute__((vector_size(16)));

#define LIVES_COPIES ((uint32_t)1 << 31)

struct jit_lives {
    /* By point where webs may begin to live; behind the last one there is room
     * for LIVES_FOUR. */
    uint32_t *live;  /* the set of registers that live behind it */
    uint32_t *begin; /* the set of those that begin there */
    uint32_t *moved; /* the web of which one begins as a copy; or JIT_NO_NODE; or
                        LIVES_COPIES and the instruction that copies variables,
                        or to them */
    uint32_t n, max;
    struct jit_piece *piece; /* where webs live, and where they begin; number 0
                                is none */
    uint32_t npieces, max_pieces; /* each is of one assignment, or of one slot that
                                     is live where a block begins */
    uint64_t *asked; /* the set of slots that may be in registers */
    /* in the walk */
    uint64_t *open; /* the set of slots in which a web lives */
    struct lives_slot {
        uint32_t web, since; /* since: as in struct jit_piece */
    } *slot; /* by slot, if it is open */
};

/* The beginning of the walk; false: memory is exhausted. */
bool jit_lives_begin(struct jit_fn *c);

/* Another piece of a web's life: `since` and `end` are its. */
static RT_ALWAYS_INLINE void
lives_piece(const struct jit_fn *c, struct jit_lives *l, uint32_t web,
    uint32_t since, uint32_t end)
{
    uint32_t i = l->npieces++;
    struct jit_web *w = &c->web[web];

    rt_assert(since / 2 < l->n && since / 2 <= end && end <= l->n);
    rt_assert(since % 2 != 0 || since / 2 < end);
    rt_assert(i < l->max_pieces);
    l->piece[i] = (struct jit_piece){since, end, w->pieces};
    w->pieces = i;
}

/* The web in slot s, which is open, has lived up to the point before `end`. */
static RT_ALWAYS_INLINE void
lives_close(
    const struct jit_fn *c, struct jit_lives *l, uint32_t s, uint32_t end)
{
    struct lives_slot is = l->slot[s];

    rt_assert(rt_bit_get(l->open, s));
    if (is.since / 2 < end)
        lives_piece(c, l, is.web, is.since, end);
}

/* The web lives in slot s from point `since` on; begins: it is assigned
 * there. */
static RT_ALWAYS_INLINE void
lives_open(
    struct jit_lives *l, uint32_t s, uint32_t web, uint32_t since, bool begins)
{
    rt_bit_set(l->open, s);
    l->slot[s] = (struct lives_slot){web, 2 * since + begins};
}

/* Of the slots that are open, those that are not in the set live no more behind
 * the point before `end`.  Most sets have one word. */
static RT_ALWAYS_INLINE void
lives_keep(const struct jit_fn *c, struct jit_lives *l, const uint64_t *set,
    uint32_t end)
{
    uint64_t *open = l->open;
    uint32_t w = 0, words = c->words;

    do {
        uint64_t ends = open[w] & ~set[w];

        for (; ends != 0; ends &= ends - 1)
            lives_close(c, l, 64 * w + (uint32_t)__builtin_ctzll(ends), end);
        open[w] &= set[w];
    } while (rt_unlikely(++w < words));
}

/* Another point; moved: as of that. */
static RT_ALWAYS_INLINE void
lives_point(struct jit_lives *l, uint32_t moved)
{
    uint32_t i = l->n++;

    rt_assert(i < l->max);
    l->live[i] = l->begin[i] = 0;
    l->moved[i] = moved;
}

/* Block k begins. */
static inline void
lives_at(struct jit_fn *c, struct jit_lives *l, int32_t k)
{
    uint32_t b = (uint32_t)c->lead[k], phi = c->phi[b], words = c->words;
    const uint64_t *live = jit_live(c, k);
    const uint64_t *unknown = k == 0 ? live : c->torn + (size_t)b * words;
    bool falls = k > 0 && c->v[k - 1].falls;
    uint64_t any = 0, more = 0;

    for (uint32_t w = 0; w < words; w++) {
        any |= unknown[w] & l->asked[w];
        more |= live[w] & l->asked[w] & ~l->open[w];
    }
    if (falls && (any | more) == 0)
        return;
    lives_keep(c, l, live, l->n);
    if (any != 0)
        lives_point(l, JIT_NO_NODE);
    RT_EACH_BIT (s, live, c->ns) {
        uint32_t web = c->uf[phi++], n = l->n;

        if (c->pinned[s] != 0)
            continue;
        if (any != 0 && rt_bit_get(unknown, s)) { /* it begins */
            if (rt_bit_get(l->open, s))
                lives_close(c, l, s, n - 1);
            lives_open(l, s, web, n - 1, true);
            continue;
        }
        if (rt_bit_get(l->open, s)) {
            if (l->slot[s].web == web)
                continue;
            lives_close(c, l, s, any != 0 ? n - 1 : n);
        }
        lives_open(l, s, web, any != 0 ? n - 1 : n, false);
    }
}

/* x assigns something that may be in a register; what is live behind it. */
static RT_ALWAYS_INLINE void
lives_step(struct jit_fn *c, struct jit_lives *l, const struct jit_ins *x,
    const uint64_t *behind)
{
    uint32_t moved = JIT_NO_NODE;

    if (x->w[0].op == OP_MOV && x->kind == JIT_NATIVE)
        moved = c->uf[c->op[x->ops + 1].node];
    else if (jit_copies(c, x))
        moved = LIVES_COPIES + (uint32_t)(x - c->v);
    lives_keep(c, l, behind, l->n);
    lives_point(l, moved);
}

/* The web in slot s begins at the last point. */
static RT_ALWAYS_INLINE void
lives_begin(const struct jit_fn *c, struct jit_lives *l, uint32_t s,
    uint32_t web, const uint64_t *behind)
{
    uint32_t n = l->n - 1;
    bool is_open = rt_bit_get(l->open, s);

    if (!rt_bit_get(behind, s) || (is_open && l->slot[s].web == web)) {
        lives_piece(c, l, web, 2 * n + 1, n);
        return;
    }
    if (is_open)
        lives_close(c, l, s, n);
    lives_open(l, s, web, n, true);
}

/* The end of the walk. */
static inline void
lives_end(struct jit_fn *c, struct jit_lives *l)
{
    RT_EACH_BIT (s, l->open, c->ns)
        lives_close(c, l, s, l->n);
}

static inline uint32_t
lives_register(const struct jit_fn *c, uint32_t web)
{
    int32_t reg = web == JIT_NO_NODE ? -1 : c->web[web].reg;

    return reg < 0 ? 0 : (uint32_t)1 << reg;
}

/* Whether an instruction copies variables there. */
static RT_ALWAYS_INLINE bool
lives_copies(uint32_t moved)
{
    return moved + 1 > LIVES_COPIES; /* which JIT_NO_NODE is not */
}

/* The register of what is copied to the web that begins at point i, as a set. */
static RT_ALWAYS_INLINE uint32_t
lives_moved(const struct jit_fn *c, uint32_t i, uint32_t web, bool copies)
{
    uint32_t of = c->lives->moved[i];

    if (copies && lives_copies(of))
        of = jit_copy_of(c, &c->v[of - LIVES_COPIES], web, true);
    return lives_register(c, of);
}

/* The registers of what begins at point i, but for a copy of the web. */
static inline uint32_t
lives_begun(const struct jit_fn *c, uint32_t i, uint32_t web)
{
    const struct jit_lives *l = c->lives;
    uint32_t by = l->moved[i];

    if (!lives_copies(by))
        return by == web ? 0 : l->begin[i];
    by = jit_copy_of(c, &c->v[by - LIVES_COPIES], web, false);
    return l->begin[i] & ~lives_register(c, by);
}

static RT_ALWAYS_INLINE lives_four
lives_load(const uint32_t *p)
{
    lives_four v;

    memcpy(&v, p, sizeof v);
    return v;
}

static RT_ALWAYS_INLINE void
lives_store(uint32_t *p, lives_four v)
{
    memcpy(p, &v, sizeof v);
}

/* What is in any of the four sets. */
static RT_ALWAYS_INLINE uint32_t
lives_any(lives_four v)
{
    lives_halves h = (lives_halves)v;
    uint64_t both = h[0] | h[1];

    return (uint32_t)(both | both >> 32);
}

/* Those of the next four that are among the next n. */
static RT_ALWAYS_INLINE lives_four
lives_first(uint32_t n)
{
    const lives_lanes lane = {0, 1, 2, 3};

    rt_assert(n <= INT32_MAX);
    return (lives_four)(lane < (int32_t)n);
}

/* The registers of what begins at n points from i on, but for copies of the web;
 * no instruction copies variables. */
static RT_ALWAYS_INLINE lives_four
lives_begun_at(
    const struct jit_lives *l, uint32_t i, uint32_t n, uint32_t web)
{
    lives_four set = {0};

    for (; n > LIVES_FOUR; n -= LIVES_FOUR, i += LIVES_FOUR)
        set |= lives_load(l->begin + i) &
            (lives_four)(lives_load(l->moved + i) != web);
    return set |
        (lives_load(l->begin + i) & lives_first(n) &
            (lives_four)(lives_load(l->moved + i) != web));
}

/* The set of registers that webs have with which this one clashes; copies:
 * whether there may be instructions that copy variables. */
static RT_ALWAYS_INLINE uint32_t
lives_beside(const struct jit_fn *c, uint32_t web, bool copies)
{
    const struct jit_lives *l = c->lives;
    lives_four begun = {0};
    uint32_t set = 0;

    for (uint32_t i = c->web[web].pieces; i != 0; i = l->piece[i].next) {
        const struct jit_piece *p = &l->piece[i];
        uint32_t at = p->since / 2;

        if (p->since % 2 != 0)
            set |= (l->live[at] & ~lives_moved(c, at, web, copies)) |
                l->begin[at];
        if (!copies)
            begun |= lives_begun_at(l, at, p->end - at, web);
        for (; copies && at < p->end; at++)
            set |= lives_begun(c, at, web);
    }
    return set | lives_any(begun);
}

/* The web gets a register that is not among these. */
static RT_ALWAYS_INLINE void
lives_take(struct jit_fn *c, uint32_t web, int reg)
{
    struct jit_lives *l = c->lives;
    struct jit_web *w = &c->web[web];
    uint32_t bit = (uint32_t)1 << reg;

    rt_assert(w->reg < 0 && reg >= 0 && reg < 32);
    rt_assert((lives_beside(c, web, true) >> reg & 1) == 0);
    w->reg = (int8_t)reg;
    w->away = true;
    rt_bit_set(c->placed, w->slot);
    c->floats |= reg >= X_XMM0;
    for (uint32_t i = w->pieces; i != 0; i = l->piece[i].next) {
        const struct jit_piece *p = &l->piece[i];
        uint32_t at = p->since / 2, n = p->end - at;

        if (p->since % 2 != 0)
            l->begin[at] |= bit;
        for (; n > LIVES_FOUR; n -= LIVES_FOUR, at += LIVES_FOUR)
            lives_store(l->live + at, lives_load(l->live + at) | bit);
        lives_store(l->live + at,
            lives_load(l->live + at) | (lives_first(n) & bit));
    }
}

#endif
