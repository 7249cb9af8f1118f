/* SPDX-License-Identifier: MIT */
/*
 * Order of evaluation where the language leaves it open.  In one expression
 * list Go's own compiler makes all calls, receives and the like first, from
 * left to right, and reads variables and memory afterwards: in f(x, g(), *p)
 * x and *p are what g has left.  Programs rely on it without knowing, so the
 * same is done here: where a read comes before a call, the calls go to
 * temporaries first, and gf_expr() finds them there.  Go makes slices, type
 * assertions, len, && and || in that first round, too, of a slice's bounds all
 * but names (s[p.i : f()] begins where p.i was before f), and arguments that
 * become interfaces by way of an address, if they are in no place of their own.
 */
#include "runtime/lang/gen/gen_hoist.h"

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

    rt_assert(slot != NO_SLOT);
    rt_assert_full(gf_hoisted(f, e) == NO_SLOT); /* else it would run twice */
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

static bool is_static(const struct gfunc *f, struct ast_expr *e);

/* Whether all keys and values of a literal are constants, or literals of
 * structs and arrays of such. */
static bool
has_static_elements(const struct gfunc *f, const struct ast_expr *e)
{
    for (uint32_t i = 0; i < e->composite.elems.n; i++) {
        const struct ast_expr *x = e->composite.elems.at[i];

        if (x->kind == EXPR_KEYVALUE
                ? !is_static(f, x->kv.value) ||
                    (type_kind_of(gf_type(f, e)) == TYPE_MAP &&
                        !is_static(f, x->kv.key))
                : !is_static(f, e->composite.elems.at[i]))
            return false;
    }
    return true;
}

static bool
is_static(const struct gfunc *f, struct ast_expr *e)
{
    enum type_kind k;

    e = ast_unparen(e);
    if (e->cv != NULL || e->mode == MODE_NIL)
        return true;
    if (e->kind != EXPR_COMPOSITE || (e->flags & AST_F_ADDR) != 0)
        return false;
    k = type_kind_of(gf_type(f, e));
    return (k == TYPE_STRUCT || k == TYPE_ARRAY) && has_static_elements(f, e);
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
        return type_kind_of(gf_type(f, e)) == TYPE_MAP &&
            !has_static_elements(f, e);
    case EXPR_BINARY:
        return e->op == TOK_ANDAND || e->op == TOK_OROR;
    default:
        return false;
    }
}

/* Whether Go makes an interface of a value of t from its address: not if it is
 * as large as a number, has no pointer, and can be handed over as one, nor of
 * what is only a string or a slice. */
static bool
boxes_by_address(struct type *t)
{
    int64_t size = type_size(t);
    struct type *u = type_under(t);

    if ((size == 2 || size == 4 || size == 8) &&
        type_align(t) == (uint32_t)size && (size == 2 || !type_has_pointers(t)))
        return false;
    while ((u->kind == TYPE_STRUCT && u->nvars == 1) ||
        (u->kind == TYPE_ARRAY && u->len == 1))
        u = type_under(u->kind == TYPE_STRUCT ? u->vars[0]->type : u->elem);
    return u->kind != TYPE_STRING && u->kind != TYPE_SLICE;
}

/* Whether e, which becomes an interface, is evaluated for that at once: not if
 * it is in a place of its own, whose address will do. */
static bool
boxes_first(const struct gfunc *f, struct type *to, struct ast_expr *e)
{
    struct type *from = gf_type(f, e);

    return to != NULL && type_is_interface(to) && e->cv == NULL &&
        e->mode != MODE_NIL && from != NULL && from->kind != TYPE_TUPLE &&
        !type_is_interface(from) && boxes_by_address(from) &&
        ast_unparen(e)->mode != MODE_VAR;
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

/* The i-th argument's parameter; NULL: it has none of its own. */
static struct type *
param_of(struct type *sig, const struct ast_expr *call, uint32_t i)
{
    uint32_t fixed = sig->nparams - (sig->variadic ? 1 : 0);

    if (i < fixed)
        return sig->vars[i]->type;
    return sig->variadic && (call->flags & AST_F_DOTS) == 0
        ? type_under(sig->vars[fixed]->type)->elem : NULL;
}

/* e has been walked, and becomes a `to`. */
static void
box_first(struct walk *w, struct type *to, struct ast_expr *e)
{
    e = ast_unparen(e);
    if (w->act && gf_hoisted(w->f, e) == NO_SLOT && boxes_first(w->f, to, e))
        to_temp(w->f, e);
}

static void
walk_call(struct walk *w, struct ast_expr *call)
{
    struct type *sig = type_under(gf_type(w->f, call->call.fun));

    rt_assert(sig->kind == TYPE_FUNC);
    walk_expr(w, call->call.fun);
    for (uint32_t i = 0; i < call->call.args.n; i++) {
        walk_expr(w, call->call.args.at[i]);
        box_first(w, param_of(sig, call, i), call->call.args.at[i]);
    }
}

/* The type that the i-th element of a literal of t, which is no map, becomes. */
static struct type *
element_type(const struct gfunc *f, const struct type *t,
    const struct ast_expr *x, uint32_t i)
{
    if (t->kind != TYPE_STRUCT)
        return t->elem;
    rt_assert(x->kind == EXPR_KEYVALUE || i < t->nvars);
    return gf_obj_type(
        f, x->kind == EXPR_KEYVALUE ? x->kv.key->obj : t->vars[i]);
}

static void
walk_literal(struct walk *w, struct ast_expr *e)
{
    struct type *t = type_under(gf_type(w->f, e));

    if (t->kind == TYPE_POINTER) /* &T{...} */
        t = type_under(t->elem);
    for (uint32_t i = 0; i < e->composite.elems.n; i++) {
        struct ast_expr *x = e->composite.elems.at[i];
        struct ast_expr *v = x->kind == EXPR_KEYVALUE ? x->kv.value : x;

        walk_expr(w, v);
        if (t->kind != TYPE_MAP)
            box_first(w, element_type(w->f, t, x, i), v);
    }
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
    /* A method of the value that a pointer points at. */
    w->read |= how->kind == SEL_METHOD && how->deref;
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
    rt_assert(w->depth < DEPTH);
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
    if (e->kind == EXPR_COMPOSITE) {
        walk_literal(w, e);
    } else if (e->kind == EXPR_SLICE) {
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
        if (!w->act)
            break;
        if ((e->flags & AST_F_CONVERSION) == 0)
            to_temp(w->f, e);
        else
            box_first(w, gf_type(w->f, e), e->call.args.at[0]);
        break;
    default:
        break;
    }
}

bool
gf_hoist(struct gfunc *f, struct ast_exprs a, struct ast_exprs b)
{
    struct walk w = {.f = f};

    walk_list(&w, a);
    walk_list(&w, b);
    if (!w.need || w.deep)
        return false;
    w.act = true;
    walk_list(&w, a);
    walk_list(&w, b);
    return true;
}

/* The same for what walk() goes through of e. */
static bool
hoist_in(struct gfunc *f, struct ast_expr *e,
    void (*walk)(struct walk *w, struct ast_expr *e))
{
    struct walk w = {.f = f};

    walk(&w, e);
    if (!w.need || w.deep)
        return false;
    w.act = true;
    walk(&w, e);
    return true;
}

bool
gf_hoist_call(struct gfunc *f, struct ast_expr *e)
{
    return hoist_in(f, e, walk_call);
}

void
gf_hoist_kids(struct gfunc *f, struct ast_expr *e)
{
    hoist_in(f, e, walk_kids);
}

bool
gf_hoist_calls(struct gfunc *f, struct ast_exprs a)
{
    struct walk w = {.f = f};

    walk_list(&w, a);
    if (w.deep)
        return false;
    w.act = true;
    walk_list(&w, a);
    return true;
}

void
gf_hoist1(struct gfunc *f, struct ast_expr *e)
{
    hoist_in(f, e, walk_expr);
}

void
gf_whole_to(struct gfunc *f, struct ast_expr *e, int dst)
{
    uint32_t h = f->hoisted.n;

    gf_hoist1(f, e);
    gf_expr_to(f, e, dst);
    rt_assert(f->hoisted.n >= h);
    f->hoisted.n = h;
}
