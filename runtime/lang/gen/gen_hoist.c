/* SPDX-License-Identifier: MIT */
/*
 * Order of evaluation where the language leaves it open.  In one expression
 * list Go's own compiler makes all calls, receives and the like first, from
 * left to right, and reads variables and memory afterwards: in f(x, g(), *p)
 * x and *p are what g has left.  Programs rely on it without knowing, so the
 * same is done here: where a read comes before a call, the calls go to
 * temporaries first, and gf_expr() finds them there.  Go makes slices, type
 * assertions, len, && and || in that first round, too, and of a slice's bounds
 * all but names: s[p.i : f()] begins where p.i was before f.
 */
#include "runtime/lang/gen/gen_int.h"
#include "runtime/lang/syntax/ast_kids.h"

enum { HOIST_FEW = 8 }; /* so many are found by looking at all */

/* The map is never cleared, though the list is cut: what it says holds if the
 * list has the expression there. */
int
gf_hoisted(const struct gfunc *f, const struct ast_expr *e)
{
    uint32_t i, n = f->hoisted.n;

    if (n > HOIST_FEW &&
        gmap_get(&f->hoisted_ids, (uint64_t)(uintptr_t)e, &i) && i < n &&
        f->hoisted.at[i].e == e)
        return f->hoisted.at[i].slot;
    for (i = n < HOIST_FEW ? n : HOIST_FEW; i-- > 0;)
        if (f->hoisted.at[i].e == e)
            return f->hoisted.at[i].slot;
    return NO_SLOT;
}

static void
note_hoisted(struct gfunc *f, const struct ast_expr *e, int slot)
{
    uint32_t at = f->hoisted.n;
    struct hoisted *h = gvec_push(f->g, &f->hoisted);

    h->e = e;
    h->slot = slot;
    if (at >= HOIST_FEW)
        gmap_put(f->g, &f->hoisted_ids, (uint64_t)(uintptr_t)e, at);
}

/* Calls that are only a computation on their operands. */
static bool
is_plain(const struct gfunc *f, const struct ast_expr *e)
{
    enum type_kind k;

    if (e->flags & AST_F_CONVERSION)
        return true;
    if (e->call.fun->mode != MODE_BUILTIN)
        return false;
    switch (e->call.builtin) {
    case BUILTIN_LEN:
    case BUILTIN_CAP:
        k = type_kind_of(gf_type(f, e->call.args.at[0]));
        return k != TYPE_CHAN;
    case BUILTIN_REAL:
    case BUILTIN_IMAG:
    case BUILTIN_COMPLEX:
        return true;
    default:
        return false;
    }
}

/* What is evaluated as a whole, and first. */
static bool
goes_first(const struct gfunc *f, struct ast_expr *e)
{
    switch (e->kind) {
    case EXPR_CALL:
        return !is_plain(f, e);
    case EXPR_UNARY:
        return e->op == TOK_ARROW;
    case EXPR_COMPOSITE: /* entry by entry */
        return type_kind_of(gf_type(f, e)) == TYPE_MAP && expr_may_call(e);
    case EXPR_BINARY:
        return e->op == TOK_ANDAND || e->op == TOK_OROR;
    default:
        return false;
    }
}

static void
to_temp(struct gfunc *f, struct ast_expr *e)
{
    int slot;

    if (gf_type(f, e) == NULL || gf_type(f, e)->kind == TYPE_TUPLE)
        return;
    slot = e->kind == EXPR_BINARY ? gf_temp_int(f) : gf_temp(f, gf_type(f, e));
    gf_expr_to(f, e, slot);
    note_hoisted(f, e, slot);
}

enum { DEPTH = 200 }; /* of operands that anybody would count on */

/* One walk serves both questions: whether a call comes behind a read, and,
 * with act, putting the calls into temporaries. */
struct walk {
    struct gfunc *f;
    bool act;
    uint32_t depth;
    bool read; /* something was read already */
    bool need; /* and a call came behind it */
    bool deep;
};

static void walk_expr(struct walk *w, struct ast_expr *e);
static void walk_kind(struct walk *w, struct ast_expr *e);

static void
walk_list(struct walk *w, struct ast_exprs list)
{
    uint32_t i;

    for (i = 0; i < list.n; i++)
        walk_expr(w, list.at[i]);
}

static void
walk_selector(struct walk *w, struct ast_expr *e)
{
    const struct selection *how = e->selector.how;
    uint32_t i;

    if (how == NULL) {
        if (e->obj != NULL && e->obj->kind == OBJ_VAR)
            w->read = true;
        return;
    }
    walk_expr(w, e->selector.x);
    for (i = 0; i < how->nsteps; i++)
        if (how->steps[i].deref)
            w->read = true;
}

static void
walk_expr(struct walk *w, struct ast_expr *e)
{
    if (e == NULL)
        return;
    e = ast_unparen(e);
    if (e->cv != NULL || e->mode == MODE_TYPE ||
        gf_hoisted(w->f, e) != NO_SLOT)
        return;
    if (goes_first(w->f, e)) {
        if (w->act)
            to_temp(w->f, e);
        else
            w->need |= w->read && expr_may_call(e);
        return;
    }
    if (w->depth == DEPTH) {
        w->deep = true;
        return;
    }
    w->depth++;
    walk_kind(w, e);
    w->depth--;
}

/* Everything below e, from left to right. */
static void
walk_kids(struct walk *w, struct ast_expr *e)
{
    struct ast_kids k;
    uint32_t i;

    ast_kids_of(e, &k);
    for (i = 0; i < k.n; i++)
        walk_expr(w, *k.at[i]);
    if (k.list != NULL)
        walk_list(w, *k.list);
}

static void
walk_bound(struct walk *w, struct ast_expr *e)
{
    if (e == NULL)
        return;
    e = ast_unparen(e);
    walk_expr(w, e);
    if (w->act && e->cv == NULL && e->kind != EXPR_NAME &&
        gf_hoisted(w->f, e) == NO_SLOT)
        to_temp(w->f, e);
}

static void
walk_kind(struct walk *w, struct ast_expr *e)
{
    if (e->kind == EXPR_NAME) {
        if (e->obj != NULL && e->obj->kind == OBJ_VAR &&
            (e->obj->var_kind == VAR_PACKAGE || gf_var_on_heap(w->f, e->obj)))
            w->read = true;
        return;
    }
    if (e->kind == EXPR_SELECTOR) {
        walk_selector(w, e);
        return;
    }
    if (e->kind == EXPR_SLICE) {
        walk_expr(w, e->slice.x);
        walk_bound(w, e->slice.lo);
        walk_bound(w, e->slice.hi);
        walk_bound(w, e->slice.max);
    } else if (e->kind == EXPR_CALL) /* a conversion, or of a built-in */
        walk_list(w, e->call.args);
    else
        walk_kids(w, e);
    switch (e->kind) {
    case EXPR_STAR:
        w->read = true;
        break;
    case EXPR_INDEX:
        w->read |= type_kind_of(gf_type(w->f, e->index.x)) != TYPE_ARRAY;
        break;
    case EXPR_SLICE:
    case EXPR_ASSERT:
        if (w->act)
            to_temp(w->f, e);
        break;
    case EXPR_CALL:
        if (w->act && !(e->flags & AST_F_CONVERSION))
            to_temp(w->f, e);
        break;
    default:
        break;
    }
}

bool
gf_hoist(struct gfunc *f, struct ast_exprs a, struct ast_exprs b)
{
    struct walk w = {0};

    w.f = f;
    walk_list(&w, a);
    walk_list(&w, b);
    if (!w.need || w.deep)
        return false;
    w.act = true;
    walk_list(&w, a);
    walk_list(&w, b);
    return true;
}

void
gf_hoist1(struct gfunc *f, struct ast_expr *e)
{
    struct ast_exprs list = {&e, 1}, none = {NULL, 0};

    gf_hoist(f, list, none);
}
