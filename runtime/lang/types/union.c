/* SPDX-License-Identifier: MIT */

/* Unions of terms in constraints: A | ~B. */

#include "runtime/lang/types/check_int.h"
#include "runtime/lang/types/generic.h"

static bool
is_or(const struct ast_expr *e)
{
    return e->kind == EXPR_BINARY && e->op == TOK_OR;
}

static bool
is_tilde(const struct ast_expr *e)
{
    return e->kind == EXPR_UNARY && e->op == TOK_TILDE;
}

/* One term; it is no type parameter. */
static struct type_term
union_term(struct check *c, struct ast_expr *e)
{
    struct type_term t = {NULL, is_tilde(e)};
    struct ast_expr *x = t.tilde ? e->unary.x : e;

    t.type = check_type(c, x);
    if (t.type->kind == TYPE_PARAM) {
        if (t.tilde)
            check_errf(c, ast_expr_start(x),
                "type in term %s cannot be a type parameter",
                check_expr_str(c, e));
        else
            check_errf(c, ast_expr_start(x), "term cannot be a type parameter");
        t.type = invalid_type(c);
    }
    return t;
}

/* The term's expression, i from the left in a union of n. */
static struct ast_expr *
term_expr(struct ast_expr *e, uint32_t i, uint32_t n)
{
    for (; i + 1 < n; n--)
        e = e->binary.x;
    return is_or(e) && i > 0 ? e->binary.y : e;
}

struct type *
check_union(struct check *c, struct ast_expr *e)
{
    struct ast_expr *spine = e, **list;
    struct type *t;
    uint32_t n = 1, i;

    if (!is_or(e) && !is_tilde(e))
        return union_term(c, e).type;
    for (; is_or(spine); spine = spine->binary.x)
        n++;
    list = CHECK_ARRAY(c, struct ast_expr *, n);
    for (spine = e, i = n; is_or(spine); spine = spine->binary.x)
        list[--i] = spine->binary.y;
    list[0] = spine;
    t = type_new(c, TYPE_UNION);
    t->terms = CHECK_ARRAY(c, struct type_term, n);
    for (i = 0; i < n; i++) {
        struct type_term term = union_term(c, list[i]);

        if (i == TYPE_MAX_TERMS)
            check_errf(c, ast_expr_start(list[i]),
                "cannot handle more than %d union terms (implementation "
                "limitation)",
                TYPE_MAX_TERMS);
        t->terms[t->nterms++] = term;
    }
    e->mode = MODE_TYPE;
    e->type = t;
    if (n > TYPE_MAX_TERMS)
        return invalid_type(c);
    check_delay(c, DELAY_UNION, t, NULL, e);
    return t;
}

/* A term that is an interface, together with others. */
static void
iface_term(struct check *c, const struct type_term *t, lang_pos pos)
{
    struct type *u = type_under(t->type);
    const char *s = type_term_str(c, t);

    check_iface_complete(c, u);
    if (u->nvars)
        check_errf(
            c, pos, "cannot use %s in union (%s contains methods)", s, s);
    else if (t->type == c->in->comparable_obj->type)
        check_errf(c, pos, "cannot use comparable in union");
    else if (u->iface->comparable)
        check_errf(
            c, pos, "cannot use %s in union (%s embeds comparable)", s, s);
}

static bool
tilde_ok(struct check *c, const struct type_term *t, lang_pos pos)
{
    struct type *u = type_under(t->type);

    if (!t->tilde)
        return true;
    if (u->kind == TYPE_INTERFACE)
        check_errf(c, pos, "invalid use of ~ (%s is an interface)",
            type_str(c, t->type));
    else if (!type_identical(u, t->type))
        check_errf(c, pos, "invalid use of ~ (underlying type of %s is %s)",
            type_str(c, t->type), type_str(c, u));
    else
        return true;
    return false;
}

void
check_union_terms(struct check *c, struct type *t, struct ast_expr *e)
{
    uint32_t i, k;

    for (i = 0; i < t->nterms; i++) {
        const struct type_term *y = &t->terms[i];
        lang_pos pos = ast_expr_start(term_expr(e, i, t->nterms));

        if (!is_valid(type_under(y->type)) || !tilde_ok(c, y, pos))
            continue;
        if (type_is_interface(y->type)) {
            iface_term(c, y, pos);
            continue;
        }
        for (k = 0; k < i; k++)
            if (!type_is_interface(t->terms[k].type) &&
                !type_terms_disjoint(&t->terms[k], y))
                break;
        if (k < i)
            check_errf(c, pos, "overlapping terms %s and %s",
                type_term_str(c, y), type_term_str(c, &t->terms[k]));
    }
}
