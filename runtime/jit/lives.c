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
 * A walk over the instructions goes from point to point (lives.h).
 */
#include "runtime/jit/lives.h"

/* Of points there are at most as many as instructions and blocks, and one. */
bool
jit_lives_begin(struct jit_fn *c)
{
    struct jit_lives *l = jit_alloc(c, 1, sizeof *l);

    if (l == NULL)
        return false;
    c->lives = l;
    l->max = (uint32_t)c->n + c->nblocks + 1;
    l->max_pieces = 1 + c->phi[c->nblocks] + c->nop;
    l->live = jit_room(c, l->max + LIVES_FOUR, sizeof *l->live);
    l->begin = jit_room(c, l->max + LIVES_FOUR, sizeof *l->begin);
    l->moved = jit_room(c, l->max + LIVES_FOUR, sizeof *l->moved);
    l->piece = jit_room(c, l->max_pieces, sizeof *l->piece);
    l->asked = jit_alloc(c, c->words, 8);
    l->open = jit_alloc(c, c->words, 8);
    l->slot = jit_room(c, c->ns, sizeof *l->slot);
    if (c->failed)
        return false;
    l->npieces = 1;
    for (uint32_t s = 0; s < c->ns; s++)
        if (c->pinned[s] == 0)
            rt_bit_set(l->asked, s);
    return true;
}

uint32_t
jit_copy_of(
    const struct jit_fn *c, const struct jit_ins *x, uint32_t web, bool to)
{
    const struct jit_opnd *o = c->op + x->ops;

    for (uint32_t i = 0; i < x->nops; i++) {
        if (o[i].slot < c->vs)
            continue;
        uint32_t word = c->home[o[i].slot - c->vs].word - (uint32_t)x->word;
        bool stores = o[i].def;
        for (uint32_t k = 0; k < x->nops; k++) {
            if (o[k].slot != x->w[0].a + word || o[k].def == stores)
                continue;
            uint32_t var = c->uf[o[i].node], with = c->uf[o[k].node];
            if (web == (stores == to ? var : with))
                return stores == to ? with : var;
        }
    }
    return JIT_NO_NODE;
}
