/* SPDX-License-Identifier: MIT */

/*
 * Declared type parameters: of types, functions and receivers.  The names of
 * a list are visible in all of its constraints, and the generic type itself
 * may be used there, so parameters are declared before their constraints are
 * looked at.
 */

#include "runtime/lang/types/check_int.h"
#include "runtime/lang/types/generic.h"

static struct type *
declare_param(
    struct check *c, lang_pos pos, const struct lang_name *name, uint32_t index)
{
    struct object *o = object_new(c, OBJ_TYPE, pos, name, NULL);
    struct type *t = type_new(c, TYPE_PARAM);

    t->obj = o;
    t->index = (int32_t)index;
    t->serial = ++c->in->serial;
    o->type = t;
    o->color = COLOR_BLACK;
    o->is_tparam = true;
    check_declare(c, o);
    return t;
}

static struct tparam_list *
new_list(struct check *c, uint32_t n)
{
    struct tparam_list *l = CHECK_NEW(c, struct tparam_list);

    l->n = n;
    l->at = CHECK_ARRAY(c, struct type *, n);
    return l;
}

const struct tparam_list *
tparam_declare(struct check *c, const struct ast_fields *fs)
{
    struct tparam_list *l = new_list(c, fs->n);
    uint32_t i;

    for (i = 0; i < fs->n; i++) {
        struct ast_field *f = fs->at[i];

        l->at[i] = declare_param(c, f->name.pos, f->name.name, i);
        f->obj = l->at[i]->obj;
    }
    return l;
}

void
tparam_bounds(
    struct check *c, const struct ast_fields *fs, const struct tparam_list *l)
{
    struct type *bound = NULL;
    uint32_t i;

    for (i = 0; i < fs->n; i++) {
        struct ast_expr *e = fs->at[i]->type;

        if (i == 0 || e != fs->at[i - 1]->type) {
            bound = check_bound(c, e);
            if (bound->kind == TYPE_PARAM) {
                check_errf(c, ast_expr_start(e),
                    "cannot use a type parameter as constraint");
                bound = invalid_type(c);
            }
        }
        l->at[i]->bound = bound;
    }
}

/* ---- receivers ---------------------------------------------------------- */

/* G[A, B] below * and parentheses; NULL where there are no arguments. */
static struct ast_expr *
receiver_index(struct ast_expr *e, bool *ptr)
{
    *ptr = false;
    while (e->kind == EXPR_PAREN || e->kind == EXPR_STAR) {
        *ptr |= e->kind == EXPR_STAR;
        e = e->x;
    }
    return e->kind == EXPR_INDEX ? e : NULL;
}

bool
tparam_is_generic_receiver(struct ast_expr *e)
{
    bool ptr;

    return receiver_index(e, &ptr) != NULL;
}

/* The receiver's own parameters, which its index declares. */
static struct tparam_list *
receiver_params(struct check *c, struct ast_expr *index)
{
    struct ast_exprs *at = &index->index.at;
    struct tparam_list *l = new_list(c, at->n);
    uint32_t i;

    for (i = 0; i < at->n; i++) {
        struct ast_expr *e = at->at[i];
        bool name = e->kind == EXPR_NAME;

        if (!name)
            check_errf(c, ast_expr_start(e),
                "receiver type parameter %s must be an identifier",
                check_expr_str(c, e));
        l->at[i] = declare_param(
            c, ast_expr_start(e), name ? e->name : c->in->blank, i);
        e->mode = MODE_TYPE;
        e->type = l->at[i];
        if (name)
            e->obj = l->at[i]->obj;
    }
    return l;
}

/* The generic type that e denotes, or NULL. */
static struct type *
receiver_base(struct check *c, struct ast_expr *e)
{
    struct type *t;

    check_generic_type(c, e);
    if (e->mode != MODE_TYPE)
        return NULL;
    t = e->type;
    if (e->obj && e->obj->tparams && t->tparams != e->obj->tparams) {
        check_errf(c, ast_expr_start(e),
            "cannot define new methods on generic alias type %s",
            check_generic_str(c, e));
        return NULL;
    }
    if (t->kind == TYPE_NAMED && t->tparams)
        return t;
    if (is_valid(t))
        check_errf(
            c, ast_expr_start(e), "%s is not a generic type", type_str(c, t));
    return NULL;
}

static const char *
measure(struct check *c, uint32_t n)
{
    return check_sprintf(c, "%u type parameter%s", n, n == 1 ? "" : "s");
}

struct type *
tparam_receiver(struct check *c, struct object *m, struct ast_expr *e)
{
    bool ptr;
    struct ast_expr *index = receiver_index(e, &ptr);
    struct type *base = receiver_base(c, index->index.x), *t;
    struct tparam_list *l = receiver_params(c, index);
    struct subst s = {.c = c, .to = l->at};
    uint32_t i;

    check_allows(c, ast_expr_start(index->index.x), 18, "type instantiation");
    m->tparams = l;
    for (i = 0; i < l->n; i++)
        l->at[i]->bound = invalid_type(c);
    if (!base)
        return invalid_type(c);
    if (base->tparams->n != l->n) {
        check_errf(c, ast_expr_start(index->index.x),
            "receiver declares %s, but receiver base type declares %u",
            measure(c, l->n), base->tparams->n);
        return invalid_type(c);
    }
    s.from = base->tparams;
    for (i = 0; i < l->n; i++) {
        struct type *b = base->tparams->at[i]->bound;

        l->at[i]->bound = b ? type_subst(&s, b) : invalid_type(c);
        l->at[i]->from = base->tparams->at[i];
    }
    t = check_instance(c, base, l->at);
    index->mode = MODE_TYPE;
    index->type = t;
    return ptr ? type_pointer(c, t) : t;
}
