/* SPDX-License-Identifier: MIT */

/*
 * Initialisation, assignment, short variable declarations, and what they
 * mean for the variables: assigned again, address taken.
 */

#include "runtime/lang/types/check_int.h"

/* ---- notes for the generator -------------------------------------------- */

/* The variable that e is or is a part of, without following a pointer. */
static struct object *
root_var(struct ast_expr *e)
{
    for (;;) {
        uint32_t i;

        switch (e->kind) {
        case EXPR_PAREN:
            e = e->x;
            continue;
        case EXPR_NAME:
            return e->obj && e->obj->kind == OBJ_VAR ? e->obj : NULL;
        case EXPR_SELECTOR:
            if (!e->selector.how) /* pkg.X */
                return e->obj && e->obj->kind == OBJ_VAR ? e->obj : NULL;
            for (i = 0; i < e->selector.how->nsteps; i++)
                if (e->selector.how->steps[i].deref)
                    return NULL;
            e = e->selector.x;
            continue;
        case EXPR_INDEX:
            if (!e->index.x->type ||
                type_kind_of(e->index.x->type) != TYPE_ARRAY)
                return NULL;
            e = e->index.x;
            continue;
        default:
            return NULL;
        }
    }
}

void
check_note_assigned(struct check *c, struct ast_expr *e)
{
    struct object *v = root_var(e);

    (void)c;
    if (v)
        v->reassigned = true;
}

void
check_note_address(struct check *c, struct ast_expr *e)
{
    struct object *v = root_var(e);

    (void)c;
    if (v)
        v->addr_taken = true;
}

/* ---- initialisation ----------------------------------------------------- */

static bool
var_type_from(struct check *c, struct object *v, struct type *t,
    const struct ast_expr *x, const char *context)
{
    if (v->type)
        return is_valid(v->type);
    if (t->kind == TYPE_UNTYPED_NIL) {
        check_errf(c, ast_expr_start(x), "use of untyped nil in %s", context);
        v->type = invalid_type(c);
        return false;
    }
    v->type = check_default_type(c, t);
    return true;
}

void
check_init_object(
    struct check *c, struct object *v, struct ast_expr *x, const char *context)
{
    if (x->mode == MODE_NONE || !x->type || !is_valid(x->type) ||
        (v->type && !is_valid(v->type))) {
        if (!v->type)
            v->type = invalid_type(c);
        return;
    }
    if (var_type_from(c, v, x->type, x, context))
        check_assignment(c, x, v->type, context);
}

/* One of several values of x. */
static void
init_part(struct check *c, struct object *v, struct ast_expr *x, struct type *t,
    const char *context)
{
    if (!is_valid(t) || (v->type && !is_valid(v->type))) {
        if (!v->type)
            v->type = invalid_type(c);
        return;
    }
    if (var_type_from(c, v, t, x, context))
        check_assign_type(c, ast_expr_start(x), x, t, v->type, context);
}

static void
invalidate(struct check *c, struct object **lhs, uint32_t n)
{
    uint32_t i;

    for (i = 0; i < n; i++)
        if (!lhs[i]->type)
            lhs[i]->type = invalid_type(c);
}

static void
mismatch(struct check *c, struct ast_expr **rhs, uint32_t nrhs, uint32_t l,
    uint32_t r)
{
    struct ast_expr *x = ast_unparen(rhs[0]);
    const char *vs = l == 1 ? "" : "s", *rs = r == 1 ? "" : "s";

    if (nrhs == 1 && x->kind == EXPR_CALL)
        check_errf(c, ast_expr_start(rhs[0]),
            "assignment mismatch: %u variable%s but %s returns %u value%s", l,
            vs, check_expr_str(c, x->call.fun), r, rs);
    else
        check_errf(c, ast_expr_start(rhs[0]),
            "assignment mismatch: %u variable%s but %u value%s", l, vs, r, rs);
}

static void
return_mismatch(struct check *c, struct ast_stmt *s, struct object **lhs,
    uint32_t l, struct ast_expr **rhs, uint32_t nrhs)
{
    struct type **have, **want;
    lang_pos at = s->pos;
    uint32_t i, r = nrhs;
    bool tuple = nrhs == 1 && rhs[0]->mode == MODE_TUPLE;

    if (tuple)
        r = rhs[0]->type->nvars;
    if (r > l)
        at = ast_expr_start(rhs[tuple ? 0 : l]);
    else if (r > 0)
        at = ast_expr_start(rhs[tuple ? 0 : r - 1]);
    have = CHECK_ARRAY(c, struct type *, r);
    want = CHECK_ARRAY(c, struct type *, l);
    for (i = 0; i < r; i++)
        have[i] = tuple ? rhs[0]->type->vars[i]->type : rhs[i]->type;
    for (i = 0; i < l; i++)
        want[i] = lhs[i]->type;
    check_errf(c, at, "%s return values\n\thave %s\n\twant %s",
        r > l ? "too many" : "not enough",
        type_summary(c, have, r, false, false),
        type_summary(c, want, l, false, false));
}

static bool
is_commaok(const struct ast_expr *x)
{
    return x->mode == MODE_MAPINDEX || x->mode == MODE_COMMAOK;
}

/* Flags the operation itself, below parentheses. */
static void
flag_commaok(struct ast_expr *x)
{
    for (; x->kind == EXPR_PAREN; x = x->x)
        x->flags |= AST_F_COMMAOK;
    x->flags |= AST_F_COMMAOK;
}

void
check_init_objects(struct check *c, struct object **lhs, uint32_t l,
    struct ast_expr **rhs, uint32_t r, struct ast_stmt *ret)
{
    const char *context = ret ? "return statement" : "assignment";
    bool is_call = r == 1 && ast_unparen(rhs[0])->kind == EXPR_CALL;
    struct ast_expr *x;
    uint32_t i;

    if (l == r && !is_call) {
        for (i = 0; i < l; i++) {
            check_expr_for(c, rhs[i], lhs[i]->type,
                lhs[i]->name && (!ret || *lhs[i]->name->text)
                    ? lhs[i]->name->text
                    : "result variable");
            check_init_object(c, lhs[i], rhs[i], context);
        }
        return;
    }
    if (r != 1) {
        if (check_use(c, rhs, r)) {
            if (ret)
                return_mismatch(c, ret, lhs, l, rhs, r);
            else
                mismatch(c, rhs, r, l, r);
        }
        invalidate(c, lhs, l);
        return;
    }
    x = rhs[0];
    check_multi(c, x, false);
    if (x->mode == MODE_NONE) {
        invalidate(c, lhs, l);
        return;
    }
    if (x->mode == MODE_TUPLE && x->type->nvars == l) {
        for (i = 0; i < l; i++)
            init_part(c, lhs[i], x, x->type->vars[i]->type, context);
        return;
    }
    if (x->mode != MODE_TUPLE && l == 1) {
        check_init_object(c, lhs[0], x, context);
        return;
    }
    if (l == 2 && !ret && is_commaok(x)) {
        flag_commaok(x);
        init_part(c, lhs[0], x, x->type, context);
        init_part(c, lhs[1], x, basic(c, TYPE_UNTYPED_BOOL), context);
        return;
    }
    if (ret)
        return_mismatch(c, ret, lhs, l, rhs, r);
    else
        mismatch(c, rhs, r, l, x->mode == MODE_TUPLE ? x->type->nvars : 1);
    invalidate(c, lhs, l);
}

/* ---- assignment --------------------------------------------------------- */

struct type *
check_lhs(struct check *c, struct ast_expr *e)
{
    struct ast_expr *x = ast_unparen(e), *s;
    struct object *v = NULL;
    bool used = false;

    if (x->kind == EXPR_NAME) {
        if (is_blank(c, x->name)) {
            x->obj = NULL;
            x->type = NULL;
            x->mode = MODE_NONE;
            return NULL;
        }
        v = check_resolve_name(c, x->name, NULL);
        if (v && v->kind == OBJ_VAR)
            used = v->used;
        else
            v = NULL;
    }
    check_expr(c, e);
    if (v)
        v->used = used || v->var_kind == VAR_PACKAGE;
    if (e->mode == MODE_NONE || !is_valid(e->type))
        return invalid_type(c);
    if (e->mode == MODE_VAR || e->mode == MODE_MAPINDEX) {
        check_note_assigned(c, e);
        return e->type;
    }
    s = x;
    if (s->kind == EXPR_SELECTOR && s->selector.x->mode == MODE_MAPINDEX)
        check_errf(c, ast_expr_start(e),
            "cannot assign to struct field %s in map", check_expr_str(c, e));
    else
        check_errf(c, ast_expr_start(e),
            "cannot assign to %s (neither addressable nor a map index "
            "expression)",
            check_expr_str(c, e));
    return invalid_type(c);
}

static void
assign_var(struct check *c, struct ast_expr *lhs, struct ast_expr *rhs)
{
    struct type *T = check_lhs(c, lhs);

    if (T && !is_valid(T)) {
        check_use(c, &rhs, 1);
        return;
    }
    check_expr_for(c, rhs, T,
        T && type_kind_of(T) == TYPE_FUNC ? check_expr_str(c, lhs) : "");
    if (rhs->mode != MODE_NONE)
        check_assignment(
            c, rhs, T, T ? "assignment" : "assignment to _ identifier");
}

static void
assign_part(
    struct check *c, struct ast_expr *lhs, struct ast_expr *x, struct type *t)
{
    struct type *T = check_lhs(c, lhs);

    if ((T && !is_valid(T)) || !is_valid(t))
        return;
    check_assign_type(c, ast_expr_start(x), x, t, T,
        T ? "assignment" : "assignment to _ identifier");
}

static void
assign_vars(struct check *c, struct ast_exprs *lhs, struct ast_exprs *rhs)
{
    bool is_call = rhs->n == 1 && ast_unparen(rhs->at[0])->kind == EXPR_CALL;
    uint32_t l = lhs->n, r = rhs->n, i;
    struct ast_expr *x;

    if (l == r && !is_call) {
        for (i = 0; i < l; i++)
            assign_var(c, lhs->at[i], rhs->at[i]);
        return;
    }
    if (r != 1) {
        bool ok = check_use_lhs(c, lhs->at, l);

        if (check_use(c, rhs->at, r) && ok)
            mismatch(c, rhs->at, r, l, r);
        return;
    }
    x = rhs->at[0];
    check_multi(c, x, false);
    if (x->mode == MODE_NONE) {
        if (l == 1)
            check_lhs(c, lhs->at[0]);
        else
            check_use_lhs(c, lhs->at, l);
        return;
    }
    if (x->mode == MODE_TUPLE && x->type->nvars == l) {
        for (i = 0; i < l; i++)
            assign_part(c, lhs->at[i], x, x->type->vars[i]->type);
    } else if (x->mode != MODE_TUPLE && l == 1) {
        struct type *T = check_lhs(c, lhs->at[0]);

        if (!T || is_valid(T))
            check_assignment(
                c, x, T, T ? "assignment" : "assignment to _ identifier");
    } else if (l == 2 && is_commaok(x)) {
        flag_commaok(x);
        assign_part(c, lhs->at[0], x, x->type);
        assign_part(c, lhs->at[1], x, basic(c, TYPE_UNTYPED_BOOL));
    } else {
        mismatch(c, rhs->at, r, l, x->mode == MODE_TUPLE ? x->type->nvars : 1);
        check_use_lhs(c, lhs->at, l);
    }
}

/* x op= y is checked as x op y and then as an assignment of that. */
static void
assign_op(struct check *c, struct ast_stmt *s)
{
    struct ast_expr *b, *x, *y;
    struct type *T;

    if (s->assign.lhs.n != 1 || s->assign.rhs.n != 1) {
        check_errf(c, s->pos,
            "assignment operation %s= requires single-valued expressions",
            lang_tok_text((enum lang_tok)s->op));
        return;
    }
    x = s->assign.lhs.at[0];
    y = s->assign.rhs.at[0];
    check_expr(c, x);
    check_expr(c, y);
    b = CHECK_NEW(c, struct ast_expr);
    b->kind = EXPR_BINARY;
    b->op = s->op;
    b->pos = s->pos;
    b->binary.x = x;
    b->binary.y = y;
    check_binary_op(c, b, true);
    if (b->mode == MODE_NONE) {
        check_lhs(c, x);
        return;
    }
    T = check_lhs(c, x);
    if (T && !is_valid(T))
        return;
    check_assignment(c, b, T, "assignment");
}

void
check_assign_stmt(struct check *c, struct ast_stmt *s)
{
    if (s->assign.rhs.n == 0) {
        struct ast_expr *x = s->assign.lhs.at[0];
        const char *op = lang_tok_text((enum lang_tok)s->op);

        check_expr(c, x);
        if (x->mode == MODE_NONE)
            return;
        if (!type_all(x->type, type_is_numeric)) {
            if (is_valid(type_under(x->type)))
                check_errf(c, ast_expr_start(x),
                    "invalid operation: %s%s%s (non-numeric type %s)",
                    check_expr_str(c, x), op, op, type_str(c, x->type));
            return;
        }
        check_lhs(c, x);
    } else if (s->op) {
        assign_op(c, s);
    } else {
        assign_vars(c, &s->assign.lhs, &s->assign.rhs);
    }
}

/* ---- := ----------------------------------------------------------------- */

/* The variables on the left; fresh ones are not in scope yet. */
static bool
define_vars(
    struct check *c, struct ast_stmt *s, struct object **vars, uint32_t *nnew)
{
    struct ast_exprs *l = &s->assign.lhs;
    struct check_set names = {NULL, 0, 0};
    bool bad = false;
    uint32_t i;

    for (i = 0; i < l->n; i++) {
        struct ast_expr *x = l->at[i];
        struct object *old;

        if (x->kind != EXPR_NAME) {
            check_use_lhs(c, &x, 1);
            check_errf(c, ast_expr_start(x),
                "non-name %s on left side of :=", check_expr_str(c, x));
            bad = true;
            continue;
        }
        if (l->n > 1 && !is_blank(c, x->name) &&
            !check_set_add(c, &names, x->name)) {
            check_errf(c, x->pos,
                "%s repeated on left side of :=", check_expr_str(c, x));
            bad = true;
            continue;
        }
        old = is_blank(c, x->name) ? NULL
                                   : scope_lookup(c->in->env.scope, x->name);
        x->obj = old;
        if (old && old->kind == OBJ_VAR) {
            vars[i] = old;
            old->reassigned = true;
            x->mode = MODE_VAR;
            x->type = old->type;
            continue;
        }
        if (old) {
            check_errf(c, x->pos, "cannot assign to %s", check_expr_str(c, x));
            bad = true;
            continue;
        }
        vars[i] = object_new(c, OBJ_VAR, x->pos, x->name, NULL);
        vars[i]->color = COLOR_BLACK;
        vars[i]->func = c->in->env.func;
        s->assign.objs[i] = vars[i];
        x->obj = vars[i];
        if (!is_blank(c, x->name))
            (*nnew)++;
    }
    return !bad;
}

void
check_define(struct check *c, struct ast_stmt *s)
{
    struct ast_exprs *l = &s->assign.lhs;
    struct object **vars = CHECK_ARRAY(c, struct object *, l->n);
    uint32_t i, nnew = 0;
    bool ok;

    s->assign.objs = CHECK_ARRAY(c, struct object *, l->n);
    ok = define_vars(c, s, vars, &nnew);
    for (i = 0; i < l->n; i++)
        if (!vars[i])
            vars[i] = object_new(
                c, OBJ_VAR, ast_expr_start(l->at[i]), c->in->blank, NULL);
    check_init_objects(c, vars, l->n, s->assign.rhs.at, s->assign.rhs.n, NULL);
    for (i = 0; i < l->n; i++) {
        if (!s->assign.objs[i])
            continue;
        l->at[i]->mode = MODE_VAR;
        l->at[i]->type = vars[i]->type;
    }
    if (nnew == 0 && ok) {
        check_errf(c, s->pos, "no new variables on left side of :=");
        return;
    }
    for (i = 0; i < l->n; i++)
        if (s->assign.objs[i])
            check_declare(c, s->assign.objs[i]);
}
