/* SPDX-License-Identifier: MIT */

/*
 * Unification: which types make two types the same, where some parameters
 * (those of the unifier, "bound" ones) are still open.
 *
 * Parameters that were found to stand for the same type share a slot.  Three
 * kinds of match: exact, where types have to be identical; inexact, where a
 * defined type matches a literal like its underlying type, channel directions
 * do not count and an interface matches what has its methods; and that of an
 * assignment, inexact at the top and exact below.
 */

#include "runtime/lang/types/unify.h"

enum {
    MAX_DEPTH = 50,
    MAX_STEPS = 1 << 20 /* beyond that, types do not match */
};

/* Interfaces under comparison, innermost first. */
struct unify_pair {
    struct type *x, *y;
    const struct unify_pair *prev;
};

static bool nify(struct unifier *u, struct type *x, struct type *y,
    unsigned mode, const struct unify_pair *p);

/* ---- slots -------------------------------------------------------------- */

void
unify_init(struct unifier *u, struct check *c, const struct tparam_list *l,
    struct type *const *targs)
{
    uint32_t i;

    u->c = c;
    u->params = l;
    u->slot = CHECK_ARRAY(c, uint32_t, l->n);
    u->types = CHECK_ARRAY(c, struct type *, l->n);
    u->depth = u->steps = 0;
    u->strict = false;
    for (i = 0; i < l->n; i++) {
        u->slot[i] = i;
        u->types[i] = targs[i];
    }
}

/* The index of a bound parameter, -1 for any other type. */
static int32_t
bound_index(const struct unifier *u, const struct type *t)
{
    if (t->kind == TYPE_PARAM && (uint32_t)t->index < u->params->n &&
        u->params->at[t->index] == t)
        return t->index;
    return -1;
}

/* Parameters that share a slot name one of themselves, and only that one's type
 * counts. */
static bool
unifier_valid(const struct unifier *u)
{
    for (uint32_t i = 0; i < u->params->n; i++)
        if (u->slot[i] >= u->params->n || u->slot[u->slot[i]] != u->slot[i])
            return false;
    return true;
}

struct type *
unify_at(const struct unifier *u, uint32_t i)
{
    rt_assert(i < u->params->n);
    return u->types[u->slot[i]];
}

void
unify_set(struct unifier *u, uint32_t i, struct type *t)
{
    rt_assert(i < u->params->n);
    u->types[u->slot[i]] = t;
}

uint32_t
unify_unknowns(const struct unifier *u)
{
    uint32_t i, n = 0;

    for (i = 0; i < u->params->n; i++)
        n += unify_at(u, i) == NULL;
    return n;
}

/* Lets two parameters share a slot; false where both have a type and do not
 * share it. */
static bool
join(struct unifier *u, uint32_t x, uint32_t y)
{
    uint32_t from = u->slot[x], to = u->slot[y], i;

    if (from == to)
        return true;
    if (u->types[from]) {
        if (u->types[to])
            return false;
        i = from;
        from = to;
        to = i;
    }
    for (i = 0; i < u->params->n; i++)
        if (u->slot[i] == from)
            u->slot[i] = to;
    rt_assert(u->slot[x] == u->slot[y]);
    rt_assert_full(unifier_valid(u));
    return true;
}

/* ---- interfaces --------------------------------------------------------- */

/* t's underlying type if it is an interface and t no parameter. */
static struct type *
as_interface(struct check *c, struct type *t)
{
    struct type *u = type_under(t);

    if (u->kind != TYPE_INTERFACE)
        return NULL;
    check_iface_complete(c, u);
    return u;
}

static bool
same_terms(const struct type *a, const struct type *b)
{
    return a->iface->comparable == b->iface->comparable &&
           typeset_subset(&a->iface->terms, &b->iface->terms) &&
           typeset_subset(&b->iface->terms, &a->iface->terms);
}

/* All methods of the smaller set are in the other one, too; of equal sets if
 * all is asked for. */
static bool
unify_interfaces(struct unifier *u, struct type *x, struct type *y, bool all,
    const struct unify_pair *p)
{
    const struct unify_pair here = {x, y, p};
    struct object **list;
    uint32_t i;

    rt_assert(x->kind == TYPE_INTERFACE && y->kind == TYPE_INTERFACE);
    if (!same_terms(x, y) || (all && x->nvars != y->nvars))
        return false;
    for (; p; p = p->prev)
        if ((p->x == x && p->y == y) || (p->x == y && p->y == x))
            return true;
    if (x->nvars > y->nvars) {
        struct type *t = x;

        x = y;
        y = t;
    }
    list = type_iface_methods(u->c, x);
    for (i = 0; i < x->nvars; i++) {
        struct object *m = type_iface_find(y, list[i]->name, list[i]->pkg);

        if (!m || !m->type ||
            !nify(u, list[i]->type, m->type, UNIFY_EXACT, &here))
            return false;
    }
    return true;
}

/* t, no interface, has all methods of x. */
static bool
unify_methods(struct unifier *u, struct type *x, struct type *t,
    const struct unify_pair *p)
{
    struct object **list = type_iface_methods(u->c, x);
    struct lookup l;
    uint32_t i;

    for (i = 0; i < x->nvars; i++) {
        check_lookup_member(
            u->c, t, false, list[i]->pkg, list[i]->name, false, &l);
        if (!l.obj || l.obj->kind != OBJ_FUNC)
            return false;
        check_obj(u->c, l.obj);
        if (!l.obj->type ||
            !nify(u, list[i]->type, l.obj->type, UNIFY_EXACT, p))
            return false;
    }
    return true;
}

/* ---- structure ---------------------------------------------------------- */

static bool
unify_fields(struct unifier *u, struct type *x, struct type *y, unsigned mode,
    const struct unify_pair *p)
{
    uint32_t i;

    if (x->nvars != y->nvars)
        return false;
    for (i = 0; i < x->nvars; i++)
        if (!type_same_field(x->vars[i], y->vars[i]) ||
            !nify(u, x->vars[i]->type, y->vars[i]->type, mode, p))
            return false;
    return true;
}

static bool
unify_funcs(struct unifier *u, struct type *x, struct type *y, unsigned mode,
    const struct unify_pair *p)
{
    uint32_t i;

    if (x->nvars != y->nvars || x->nparams != y->nparams ||
        x->variadic != y->variadic)
        return false;
    for (i = 0; i < x->nvars; i++)
        if (!nify(u, x->vars[i]->type, y->vars[i]->type, mode, p))
            return false;
    return true;
}

/* The arguments before the origins, for better messages. */
static bool
unify_named(struct unifier *u, struct type *x, struct type *y, unsigned mode,
    const struct unify_pair *p)
{
    uint32_t i;

    if (x->ntargs != y->ntargs)
        return false;
    for (i = 0; i < x->ntargs; i++)
        if (!nify(u, x->targs[i], y->targs[i], mode, p))
            return false;
    return x->origin && x->origin == y->origin;
}

/* x and y are of one kind, and neither is bound. */
static bool
unify_structure(struct unifier *u, struct type *x, struct type *y,
    unsigned mode, const struct unify_pair *p)
{
    unsigned emode = mode & UNIFY_ASSIGN ? mode | UNIFY_EXACT : mode;

    switch (x->kind) {
    case TYPE_ARRAY:
        return (x->len < 0 || y->len < 0 || x->len == y->len) &&
               nify(u, x->elem, y->elem, emode, p);
    case TYPE_SLICE:
    case TYPE_POINTER:
        return nify(u, x->elem, y->elem, emode, p);
    case TYPE_CHAN:
        return (!(mode & UNIFY_EXACT) || x->dir == y->dir) &&
               nify(u, x->elem, y->elem, emode, p);
    case TYPE_MAP:
        return nify(u, x->key, y->key, emode, p) &&
               nify(u, x->elem, y->elem, emode, p);
    case TYPE_STRUCT:
        return unify_fields(u, x, y, emode, p);
    case TYPE_FUNC:
        return unify_funcs(u, x, y, emode, p);
    case TYPE_INTERFACE:
        check_iface_complete(u->c, x);
        check_iface_complete(u->c, y);
        return unify_interfaces(u, x, y, true, p);
    case TYPE_NAMED:
        return unify_named(u, x, y, mode, p);
    default:
        return x->kind < TYPE_NAMED;
    }
}

/* ---- bound parameters --------------------------------------------------- */

/* Parameter i, whose type so far matches y: which of the two it keeps. */
static bool
choose(struct unifier *u, uint32_t i, struct type *y, unsigned mode)
{
    struct type *x = unify_at(u, i);
    rt_assert(x != NULL);
    struct type *xi = as_interface(u->c, x), *yi = as_interface(u->c, y);
    bool xn = x->kind == TYPE_NAMED, yn = y->kind == TYPE_NAMED;

    if (xi && yi) {
        if (xn && yn)
            return type_identical(x, y);
        if (xi->nvars != yi->nvars)
            return false;
    } else if (xi || yi) {
        return false; /* either would do: the order must not decide */
    }
    if ((mode & UNIFY_EXACT) || xn)
        return true;
    if (yn || (type_kind_of(y) == TYPE_CHAN && type_under(y)->dir != TYPE_BOTH))
        unify_set(u, i, y);
    return true;
}

static bool
unify_bound(struct unifier *u, uint32_t i, struct type *y, unsigned mode,
    const struct unify_pair *p)
{
    struct type *x = unify_at(u, i);
    int32_t k = bound_index(u, y);

    if (k >= 0)
        return join(u, i, (uint32_t)k) ||
               nify(u, unify_at(u, i), unify_at(u, (uint32_t)k), mode, p);
    if (!x) {
        unify_set(u, i, y);
        return true;
    }
    return nify(u, x, y, mode, p) && choose(u, i, y, mode);
}

/* ---- the whole ---------------------------------------------------------- */

static bool
is_literal(const struct type *t)
{
    return t->kind != TYPE_NAMED && t->kind != TYPE_PARAM;
}

/* Neither is bound: interfaces, parameters of others, and the structure. */
static bool
unify_rest(struct unifier *u, struct type *x, struct type *y, unsigned mode,
    const struct unify_pair *p)
{
    struct type *xi, *yi, *core;

    if (!(mode & UNIFY_EXACT) && !u->strict) {
        xi = as_interface(u->c, x);
        yi = as_interface(u->c, y);
        if (xi && yi)
            return unify_interfaces(u, xi, yi, false, p);
        if (xi || yi)
            return xi ? unify_methods(u, xi, y, p) : unify_methods(u, yi, x, p);
    }
    if (y->kind == TYPE_PARAM) {
        struct type *t = x;

        x = y;
        y = t;
    }
    if (x->kind == TYPE_PARAM) {
        core = type_common(u->c, x, NULL, NULL, NULL);
        return core && nify(u, core, y, UNIFY_ASSIGN, p);
    }
    return x->kind == y->kind && unify_structure(u, x, y, mode, p);
}

static bool
nify_step(struct unifier *u, struct type *x, struct type *y, unsigned mode,
    const struct unify_pair *p)
{
    int32_t i;

    if (x == y)
        return true;
    if (u->depth > MAX_DEPTH || u->steps++ > MAX_STEPS)
        return false;
    if (x->kind == TYPE_NAMED || bound_index(u, y) >= 0) {
        struct type *t = x;

        x = y;
        y = t;
    }
    if (!(mode & UNIFY_EXACT) && y->kind == TYPE_NAMED && is_literal(x) &&
        (u->strict || x->kind != TYPE_INTERFACE)) {
        y = type_under(y);
        if (x == y)
            return true;
    }
    i = bound_index(u, x);
    if (i >= 0)
        return unify_bound(u, (uint32_t)i, y, mode, p);
    return unify_rest(u, x, y, mode, p);
}

static bool
nify(struct unifier *u, struct type *x, struct type *y, unsigned mode,
    const struct unify_pair *p)
{
    bool ok;

    rt_assert(x != NULL && y != NULL);
    u->depth++;
    ok = nify_step(u, x, y, mode, p);
    u->depth--;
    return ok;
}

bool
unify(struct unifier *u, struct type *x, struct type *y, unsigned mode)
{
    return nify(u, x, y, mode, NULL);
}
