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
 * over functions takes nothing, since the code of these would be made twice;
 * but where all that it returns is one literal, as an iterator is, it takes
 * memory for that closure, whose code is the same in both forms.
 */
#include "runtime/lang/gen/gen_escape.h"
#include "runtime/lang/gen/gen_lent.h"
#include "runtime/lang/gen/gen_tame.h"

#include <string.h>

enum { LENT_WORDS = GEN_CELL_BYTES / 8 }; /* a block has no more */

/* ---- the block ----------------------------------------------------------- */

/* Whether l is the closure of the literal that is all that the function returns.
 * The library's functions may come from a stock, which has them in one form. The
 * bodies of the function's own loops over functions would be made twice. */
static bool
is_returned_literal(const struct esc *x, const struct loc *l)
{
    const struct ast_expr *e = l->at;
    const struct func_info *info;
    uint32_t i;

    if (l->fn != 0 || l->site != SITE_EXPR || x->fns.at[0].returns_else ||
        e->kind != EXPR_FUNCLIT || e->func != x->lit)
        return false;
    if (x->self == NULL || x->self->pkg == NULL || x->self->pkg->library)
        return false;
    info = e->func->info;
    if (info->ncaptures == 0)
        return false; /* there is one for ever */
    for (i = 1; i < x->fns.n; i++)
        if (x->fns.at[i].is_range && x->fns.at[i].up == 0)
            return false;
    return true;
}

bool
esc_may_lend(const struct esc *x, const struct loc *l)
{
    if (l->depth != 1 || l->inside != 1)
        return false;
    if (x->fns.n != 1)
        return is_returned_literal(x, l);
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

/* The words of a closure, its function's and those of what it captures. */
static uint32_t
closure_kinds(struct esc *x, const struct ast_expr *e,
    enum code_slot_kind **kinds)
{
    const struct func_info *info = e->func->info;
    uint32_t i, words = 1;

    *kinds = gen_scratch(x->g,
        (1 + info->ncaptures * GEN_FRAME_VAR_SLOTS) * sizeof **kinds);
    (*kinds)[0] = CODE_SCALAR;
    for (i = 0; i < info->ncaptures; i++)
        words += gf_capture_kinds(&x->f, info->captures[i], *kinds + words);
    return words;
}

/* The kinds of its words; how many. */
static uint32_t
kinds_of(struct esc *x, const struct loc *l, enum code_slot_kind **kinds)
{
    uint32_t n;

    if (l->type == NULL)
        return closure_kinds(x, l->at, kinds);
    n = type_slots(l->type);
    *kinds = gen_scratch(x->g, (n + 1) * sizeof **kinds);
    type_slot_kinds(l->type, *kinds);
    return n;
}

static uint32_t
words_of(struct esc *x, const struct loc *l)
{
    enum code_slot_kind *kinds;

    return l->site == SITE_CALL ? l->block->words :
        l->type != NULL         ? type_slots(l->type) :
                                  kinds_of(x, l, &kinds);
}

static void
put_kinds(struct esc *x, const struct loc *l, uint8_t *to)
{
    uint32_t i, n;
    enum code_slot_kind *kinds;

    if (l->site == SITE_CALL) {
        memcpy(to, l->block->kinds, l->block->words);
        return;
    }
    n = kinds_of(x, l, &kinds);
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
            words += words_of(x, &x->locs.at[i]);
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
        sites[n++] = (struct escape_site){
            .at = l->at, .off = 8 * at, .words = words_of(x, l)};
        put_kinds(x, l, kinds + at);
        at += words_of(x, l);
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
    return home(f, v, v->gen_stays || gf_tame_marks(f, v) != 0);
}

int
gf_home_expr(const struct gfunc *f, const struct ast_expr *e)
{
    return home(f, e,
        (e->flags & AST_F_STAYS) != 0 || gf_tame_marks(f, e) != 0);
}

bool
gf_fits(const struct gfunc *f, const struct ast_expr *e, uint32_t words)
{
    uint32_t i;

    for (i = 0; f->sites != NULL && i < f->sites->n; i++)
        if (f->sites->at[i].at == e)
            return f->sites->at[i].words == words;
    return false;
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
