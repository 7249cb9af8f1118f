/* SPDX-License-Identifier: MIT */

/*
 * Where webs live, and which registers are free for them.
 *
 * Two webs clash if one is assigned while the other is live.  That is asked
 * only of points: the instructions that assign something, and the places where
 * what is live has been assigned in no order.  A web lives from point to point,
 * in few pieces, and it begins at some points.  What has a register has left
 * that at the points where it lives, and at those where it begins; of what is
 * there already a web that comes later takes another one.  No two webs are ever
 * compared.
 *
 * A copy does not clash with what it is a copy of, nor with what else has that
 * one's register while it lives: webs that live in one register at the same
 * time have the same value, always.
 *
 * A walk over the instructions goes from point to point.  It keeps the webs
 * that live behind the last one, by slot, and looks only at what has changed
 * since.
 */
#include "runtime/jit/jit_int.h"

#include <string.h>

struct jit_lives {
    struct jit_point *point;
    uint32_t n, max;
    struct jit_piece *piece; /* where webs live, and where they begin; number 0
                                is none */
    uint32_t npieces, max_pieces;
    uint64_t *asked; /* the set of slots that may be in registers */
    /* in the walk */
    uint64_t *open;  /* the set of slots in which a web lives */
    uint32_t *web;   /* by slot, if it is open: the web */
    uint32_t *since; /* the point that it has been open since */
    uint64_t *begun; /* of those, where it has been assigned at that point */
    bool anew;       /* slots may have other webs without being assigned */
};

/* Of points there are at most as many as instructions and blocks, and one; of
 * pieces most often one for each web. */
bool
jit_lives_begin(struct jit_fn *c)
{
    struct jit_lives *l = jit_alloc(c, 1, sizeof *l);

    if (l == NULL)
        return false;
    c->lives = l;
    l->max = (uint32_t)c->n + c->nblocks + 1;
    l->max_pieces = c->nw + c->nw / 4 + 2;
    l->point = jit_room(c, l->max, sizeof *l->point);
    l->piece = jit_room(c, l->max_pieces, sizeof *l->piece);
    l->asked = jit_alloc(c, c->words, 8);
    l->open = jit_alloc(c, c->words, 8);
    l->begun = jit_alloc(c, c->words, 8);
    l->web = jit_room(c, c->ns, sizeof *l->web);
    l->since = jit_room(c, c->ns, sizeof *l->since);
    if (c->failed)
        return false;
    l->npieces = 1;
    for (uint32_t s = 0; s < c->ns; s++)
        if (c->pinned[s] == 0)
            rt_bit_set(l->asked, s);
    return true;
}

/* Room for more pieces; false: memory is exhausted. */
static bool
more_pieces(struct jit_fn *c)
{
    struct jit_lives *l = c->lives;
    size_t max = 2 * (size_t)l->max_pieces;
    struct jit_piece *p = jit_room(c, max, sizeof *p);

    if (p == NULL)
        return false;
    memcpy(p, l->piece, l->npieces * sizeof *p);
    l->piece = p;
    l->max_pieces = (uint32_t)max;
    return true;
}

/* Another piece of a web's life, where there is memory. */
static RT_ALWAYS_INLINE void
put_piece(struct jit_fn *c, uint32_t web, struct jit_piece p)
{
    struct jit_lives *l = c->lives;
    struct jit_web *w = &c->web[web];

    rt_assert(p.first <= p.last && p.last < l->n && (p.begins || p.lives));
    if (l->npieces == l->max_pieces && !more_pieces(c))
        return;
    rt_assert(l->npieces < JIT_PIECES);
    p.next = w->pieces & (JIT_PIECES - 1);
    l->piece[l->npieces] = p;
    w->pieces = l->npieces++;
}

/* The web in slot s has lived up to point `last`; begins: it was assigned where
 * it began. */
static inline void
close(struct jit_fn *c, uint32_t s, uint32_t last, bool begins)
{
    const struct jit_lives *l = c->lives;

    put_piece(c, l->web[s],
        (struct jit_piece){.first = l->since[s], .last = last,
            .begins = begins, .lives = true});
}

/* The web that is in slot s now lives from the last point on; false: there is
 * none. */
static inline bool
open(struct jit_fn *c, uint32_t s)
{
    struct jit_lives *l = c->lives;
    uint32_t node = c->cur[s];

    if (node == JIT_NO_NODE)
        return false;
    l->web[s] = c->uf[node];
    l->since[s] = l->n - 1;
    return true;
}

/* The slot is live before the last point and behind it: is it the same web? */
static inline void
look_again(struct jit_fn *c, uint32_t s)
{
    struct jit_lives *l = c->lives;
    uint32_t node = c->cur[s];

    if (node != JIT_NO_NODE && c->uf[node] == l->web[s])
        return;
    close(c, s, l->n - 2, rt_bit_get(l->begun, s));
    rt_bit_clear(l->begun, s);
    if (!open(c, s))
        rt_bit_clear(l->open, s);
}

/* Another point, behind which these slots are live. */
static inline void
put_point(struct jit_fn *c, const uint64_t *live)
{
    struct jit_lives *l = c->lives;
    uint32_t words = c->words;

    rt_assert(l->n < l->max);
    l->point[l->n++] = (struct jit_point){.moved = JIT_NO_NODE};
    for (uint32_t w = 0; w < words; w++) {
        uint64_t was = l->open[w], is = live[w] & l->asked[w];
        uint64_t begun = l->begun[w], ends = was & ~is, begins = is & ~was;
        uint64_t opened = 0;

        for (uint64_t b = ends; b != 0; b &= b - 1)
            close(c, 64 * w + (uint32_t)__builtin_ctzll(b), l->n - 2,
                (begun & b & -b) != 0);
        for (uint64_t b = begins; b != 0; b &= b - 1)
            if (open(c, 64 * w + (uint32_t)__builtin_ctzll(b)))
                opened |= b & -b;
        l->open[w] = (was & is) | opened;
        l->begun[w] = begun & ~(ends | begins);
        for (uint64_t b = l->anew ? is & was : 0; b != 0; b &= b - 1)
            look_again(c, 64 * w + (uint32_t)__builtin_ctzll(b));
    }
    l->anew = false;
}

/* The web, which is one of that slot, begins at the last point. */
static inline void
put_birth(struct jit_fn *c, uint32_t s, uint32_t web)
{
    struct jit_lives *l = c->lives;
    uint32_t last = l->n - 1;

    if (rt_bit_get(l->open, s) && l->since[s] == last && l->web[s] == web)
        rt_bit_set(l->begun, s);
    else
        put_piece(c, web,
            (struct jit_piece){.first = last, .last = last, .begins = true});
}

void
jit_lives_lose(struct jit_fn *c)
{
    c->lives->anew = true;
}

void
jit_lives_at(struct jit_fn *c, int32_t k)
{
    struct jit_lives *l = c->lives;
    const uint64_t *unknown = c->torn + (size_t)c->lead[k] * c->words;
    uint64_t any = 0;

    l->anew = true;
    if (k == 0)
        unknown = jit_live(c, 0);
    for (uint32_t w = 0; w < c->words; w++)
        any |= unknown[w] & l->asked[w];
    if (any == 0)
        return;
    put_point(c, jit_live(c, k));
    RT_EACH_BIT (s, unknown, c->ns)
        if (rt_bit_get(l->open, s))
            put_birth(c, s, l->web[s]);
}

void
jit_lives_step(
    struct jit_fn *c, const struct jit_ins *x, const uint64_t *behind)
{
    const struct jit_opnd *o = c->op + x->ops, *end = o + x->nops;
    struct jit_lives *l = c->lives;

    put_point(c, behind);
    if (x->w[0].op == OP_MOV && x->kind == JIT_NATIVE)
        l->point[l->n - 1].moved = c->uf[o[1].node];
    for (; o < end; o++) {
        if (!o->def || c->pinned[o->slot] != 0)
            continue;
        if (rt_bit_get(l->open, o->slot))
            look_again(c, o->slot);
        put_birth(c, o->slot, c->uf[o->node]);
    }
}

void
jit_lives_end(struct jit_fn *c)
{
    struct jit_lives *l = c->lives;

    RT_EACH_BIT (s, l->open, c->ns)
        close(c, s, l->n - 1, rt_bit_get(l->begun, s));
}

/* The register of what is copied at a point, as a set. */
static uint32_t
moved(const struct jit_fn *c, const struct jit_point *p)
{
    int32_t reg = p->moved == JIT_NO_NODE ? -1 : c->web[p->moved].reg;

    return reg < 0 ? 0 : (uint32_t)1 << reg;
}

uint32_t
jit_lives_beside(const struct jit_fn *c, uint32_t web)
{
    const struct jit_lives *l = c->lives;
    uint32_t set = 0;

    for (uint32_t i = c->web[web].pieces; i != 0; i = l->piece[i].next) {
        const struct jit_piece *p = &l->piece[i];
        const struct jit_point *at = l->point + p->first;
        const struct jit_point *end = l->point + p->last + p->lives;

        if (p->begins)
            set |= (at->live & ~moved(c, at)) | at->begin;
        for (; at < end; at++)
            set |= at->moved == web ? 0 : at->begin;
    }
    return set;
}

void
jit_lives_take(struct jit_fn *c, uint32_t web, int reg)
{
    struct jit_lives *l = c->lives;
    struct jit_web *w = &c->web[web];
    uint32_t bit = (uint32_t)1 << reg;

    rt_assert(w->reg < 0 && reg >= 0 && reg < 32);
    rt_assert((jit_lives_beside(c, web) >> reg & 1) == 0);
    w->reg = (int8_t)reg;
    c->floats |= reg >= X_XMM0;
    for (uint32_t i = w->pieces; i != 0; i = l->piece[i].next) {
        const struct jit_piece *p = &l->piece[i];
        struct jit_point *at = l->point + p->first;
        struct jit_point *end = l->point + p->last + p->lives;

        at->begin |= p->begins ? bit : 0;
        for (; at < end; at++)
            at->live |= bit;
    }
}
