/* SPDX-License-Identifier: MIT */
/*
 * Lent memory: what a function makes and returns the address of is its
 * caller's where that knows that nobody keeps it.
 *
 * A function as bufio.NewReader makes something, of which only its results
 * tell; so whether it must be on the heap is for its caller to say.  All such
 * things of a function are one block (struct escape_block), each of them made
 * at most once in a call.  The function is generated twice where both forms of
 * it are called: as it is written, and with one parameter more, the address of
 * a zeroed block.  A caller whose escape analysis finds that the block need not
 * outlive its frame or iteration has it in a cell; if it is what the caller
 * itself returns, it is part of the caller's own block.
 *
 * Only calls of declared functions lend.  A function with literals or loops
 * over functions takes nothing, since the code of these would be made twice.
 */
#include "runtime/lang/gen/gen_escape.h"

#include <string.h>

enum { LENT_WORDS = GEN_CELL_BYTES / 8 }; /* a block has no more */

/* ---- the block ----------------------------------------------------------- */

bool
esc_may_lend(const struct esc *x, const struct loc *l)
{
    if (x->fns.n != 1 || l->depth != 1 || l->inside != 1)
        return false;
    switch (l->site) {
    case SITE_VAR:
    case SITE_EXPR:
        return l->type != NULL && type_size(l->type) <= GEN_CELL_BYTES;
    case SITE_CALL:
        return true;
    default:
        return false;
    }
}

static uint32_t
words_of(const struct loc *l)
{
    return l->site == SITE_CALL ? l->block->words : type_slots(l->type);
}

static void
put_kinds(struct esc *x, const struct loc *l, uint8_t *to)
{
    uint32_t i, n = words_of(l);
    enum code_slot_kind *kinds;

    if (l->site == SITE_CALL) {
        memcpy(to, l->block->kinds, n);
        return;
    }
    kinds = gen_scratch(x->g, (n + 1) * sizeof *kinds);
    type_slot_kinds(l->type, kinds);
    for (i = 0; i < n; i++)
        to[i] = (uint8_t)kinds[i];
}

/* Whoever has asked for the block of the stock's has it. */
static bool
same_block(const struct escape_block *a, const struct escape_block *b)
{
    return a != NULL && a->words == b->words &&
        memcmp(a->kinds, b->kinds, b->words) == 0;
}

void
esc_make_block(struct esc *x, struct object *fn, struct sum *s)
{
    struct gen *g = x->g;
    struct escape_block *b;
    struct escape_site *sites;
    uint8_t *kinds;
    uint32_t i, n = 0, words = 0, at = 0;

    for (i = 0; i < x->locs.n; i++)
        if (x->locs.at[i].lent) {
            words += words_of(&x->locs.at[i]);
            n++;
            if (words > LENT_WORDS)
                return;
        }
    if (words == 0 || gen_is_noinline(fn->decl))
        return;
    sites = gen_scratch(g, n * sizeof *sites);
    kinds = gen_scratch(g, words);
    for (i = n = 0; i < x->locs.n; i++) {
        const struct loc *l = &x->locs.at[i];

        if (!l->lent)
            continue;
        sites[n++] = (struct escape_site){.at = l->at, .off = 8 * at};
        put_kinds(x, l, kinds + at);
        at += words_of(l);
    }
    rt_assert(at == words);
    b = gen_scratch(g, sizeof *b);
    *b = (struct escape_block){.words = words, .linked = x->linked,
        .heap = s->heap, .into = s->into, .out = s->out, .kinds = kinds};
    if (x->ready != NULL && !same_block(x->ready->s.block, b))
        return;
    s->s.block = b;
    s->sites = (struct escape_sites){.at = sites, .n = n};
}

/* ---- code ---------------------------------------------------------------- */

static int
home(const struct gfunc *f, const void *site, bool stays)
{
    uint32_t i;

    if (stays)
        return HOME_CELL;
    for (i = 0; f->sites != NULL && i < f->sites->n; i++)
        if (f->sites->at[i].at == site)
            return (int)f->sites->at[i].off;
    return HOME_HEAP;
}

int
gf_home_var(const struct gfunc *f, const struct object *v)
{
    return home(f, v, v->gen_stays);
}

int
gf_home_expr(const struct gfunc *f, const struct ast_expr *e)
{
    return home(f, e, (e->flags & AST_F_STAYS) != 0);
}

void
gf_lent(struct gfunc *f, int at, int dst)
{
    rt_assert(f->lent != NO_SLOT && at >= 0 && at < 8 * LENT_WORDS);
    if (at == 0)
        gf_move(f, dst, f->lent, 1);
    else
        gf_abc(f, OP_LEA, dst, f->lent, at);
}

/* Has the function asked for the marks in its tree?  Where it has not they may
 * be there all the same, if somebody wanted to know what it does with its
 * parameters, and its code must not depend on that. */
static bool
has_asked(const struct gfunc *f)
{
    return f->w->kind != WORK_FUNC || f->scanned_memory || f->w->lent;
}

int
gf_lend(struct gfunc *f, const struct ast_expr *e, struct object *fn)
{
    int at, from = home(f, e, (e->flags & AST_F_LENDS) != 0 && has_asked(f));
    const struct escape_block *b;
    enum code_slot_kind *kinds;
    uint32_t i;

    if (from == HOME_HEAP)
        return NO_SLOT;
    b = gen_escape_block(f->g, fn);
    if (b == NULL)
        return NO_SLOT;
    at = gf_temp_ptr(f);
    if (from != HOME_CELL) {
        gf_lent(f, from, at);
        return at;
    }
    kinds = gen_scratch(f->g, b->words * sizeof *kinds);
    for (i = 0; i < b->words; i++)
        kinds[i] = (enum code_slot_kind)b->kinds[i];
    return gf_cell(f, kinds, b->words, at) ? at : NO_SLOT;
}
