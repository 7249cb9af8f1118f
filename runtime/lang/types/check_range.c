/* SPDX-License-Identifier: MIT */

/* for ... range: over integers, strings, arrays, slices, maps, channels and
 * functions. */

#include "runtime/lang/types/check_int.h"

/* What the two iteration values are; NULL where there is none. */
struct range_types {
    struct type *key, *value;
    const char *why; /* not rangeable because */
    bool ok;
    unsigned since;  /* rangeable since that minor version; 0: always */
};

static struct range_types
range_func(struct check *c, struct type *f)
{
    static const char pre[] = "func must be func(yield func(...) bool): ";
    struct range_types r = {.ok = false};
    const char *cause = NULL;
    struct type *y, *res;

    if (f->nparams != 1)
        r.why = "wrong argument count";
    else if (f->nvars != f->nparams)
        r.why = "unexpected results";
    else if (!(y = type_common(c, f->vars[0]->type, NULL, NULL, &cause)))
        r.why = check_sprintf(c, "in yield type, %s", cause);
    else if (y->kind != TYPE_FUNC)
        r.why = "argument is not func";
    else if (y->nparams > 2)
        r.why = "yield func has too many parameters";
    else if (y->nvars - y->nparams != 1)
        r.why = "yield func does not return bool";
    else {
        res = y->vars[y->nparams]->type;
        if (res->kind != TYPE_BOOL)
            r.why = type_is_bool(res) ? "yield func returns user-defined "
                                        "boolean, not bool"
                                      : "yield func does not return bool";
        else
            r.ok = true;
    }
    r.since = RANGEFUNC_SINCE;
    if (!r.ok) {
        r.why = check_sprintf(c, "%s%s", pre, r.why);
        return r;
    }
    if (y->nparams > 0)
        r.key = y->vars[0]->type;
    if (y->nparams > 1)
        r.value = y->vars[1]->type;
    return r;
}

static const char *
send_only(struct check *c, struct type *t, struct type *u, void *arg)
{
    (void)arg;
    if (!u || u->kind != TYPE_CHAN || u->dir != TYPE_SEND)
        return NULL;
    return check_sprintf(
        c, "receive from send-only channel %s", type_str(c, t));
}

static struct range_types
range_types(struct check *c, struct type *t)
{
    struct range_types r = {.ok = true};
    struct type *u = type_common(c, t, send_only, NULL, &r.why);

    if (!u) {
        r.ok = false;
        return r;
    }
    if (u->kind == TYPE_POINTER && type_kind_of(u->elem) == TYPE_ARRAY)
        u = type_under(u->elem);
    switch (u->kind) {
    case TYPE_ARRAY:
    case TYPE_SLICE:
        r.key = basic(c, TYPE_INT);
        r.value = u->elem;
        return r;
    case TYPE_MAP:
        r.key = u->key;
        r.value = u->elem;
        return r;
    case TYPE_CHAN:
        r.key = u->elem;
        return r;
    case TYPE_FUNC:
        return range_func(c, u);
    default:
        break;
    }
    if (type_is_string(u)) {
        r.key = basic(c, TYPE_INT);
        r.value = c->types.rune_type;
    } else if (type_is_integer(u)) {
        r.key = t;
        r.since = RANGEINT_SINCE;
    } else {
        r.ok = false;
    }
    return r;
}

static bool
over_int(struct check *c, struct type *t)
{
    struct type *u = type_common(c, t, NULL, NULL, NULL);

    return u && type_is_integer(u);
}

static bool
over_func(struct check *c, struct type *t)
{
    struct type *u = type_common(c, t, NULL, NULL, NULL);

    return u && u->kind == TYPE_FUNC;
}

static bool
check_clause(struct check *c, struct ast_stmt *s, struct range_types *r)
{
    struct ast_expr *x = s->range.x;
    lang_pos at = ast_expr_start(x);

    if (r->since != 0 && r->ok) {
        unsigned lang = check_lang(c, at);

        if (lang != 0 && lang < r->since) {
            const char *what = check_sprintf(
                c, "cannot range over %s:", check_operand_str(c, x));

            check_allows(c, at, r->since, what);
            return false;
        }
    }
    if (!r->ok && r->why)
        check_errf(
            c, at, "cannot range over %s: %s", check_operand_str(c, x), r->why);
    else if (!r->ok)
        check_errf(c, at, "cannot range over %s", check_operand_str(c, x));
    else if (!r->key && s->range.key)
        check_errf(c, ast_expr_start(s->range.key),
            "range over %s permits no iteration variables",
            check_operand_str(c, x));
    else if (!r->value && s->range.value)
        check_errf(c, ast_expr_start(s->range.value),
            "range over %s permits only one iteration variable",
            check_operand_str(c, x));
    else if (s->range.extra)
        check_errf(c, ast_expr_start(s->range.extra),
            "range clause permits at most two iteration variables");
    if (!r->ok)
        r->key = r->value = NULL;
    return r->ok;
}

/* One variable of `for k, v := range`. */
static struct object *
define_var(struct check *c, struct ast_expr *lhs, struct type *t,
    struct ast_expr *int_x, uint32_t *nnew)
{
    struct object *o;

    if (!lhs)
        return NULL;
    if (lhs->kind != EXPR_NAME) {
        check_errf(c, ast_expr_start(lhs), "cannot declare %s",
            check_expr_str(c, lhs));
        return NULL;
    }
    o = object_new(c, OBJ_VAR, lhs->pos, lhs->name, NULL);
    o->color = COLOR_BLACK;
    o->loop_var = true;
    lhs->obj = o;
    if (!is_blank(c, lhs->name))
        (*nnew)++;
    if (!t || !is_valid(t)) {
        o->type = invalid_type(c);
        o->used = true;
    } else if (int_x) {
        check_init_object(c, o, int_x, "range clause");
    } else {
        o->type = t;
    }
    lhs->mode = MODE_VAR;
    lhs->type = o->type;
    return o;
}

static void
define_vars(struct check *c, struct ast_stmt *s, struct range_types *r,
    struct ast_expr *int_x)
{
    struct object *k, *v;
    unsigned lang = check_lang(c, s->pos);
    uint32_t nnew = 0;

    if (lang != 0 && lang < LOOPVAR_SINCE)
        s->flags |= AST_S_SHARED;

    k = define_var(c, s->range.key, r->key, int_x, &nnew);
    v = define_var(c, s->range.value, r->value, NULL, &nnew);
    s->range.kobj = k;
    s->range.vobj = v;
    /* One variable for all iterations is one that is assigned. */
    if (s->flags & AST_S_SHARED) {
        if (k)
            k->reassigned = true;
        if (v)
            v->reassigned = true;
    }
    if (nnew == 0) {
        check_errf(c, s->pos, "no new variables on left side of :=");
        return;
    }
    if (k)
        check_declare(c, k);
    if (v)
        check_declare(c, v);
}

static void
assign_one(struct check *c, struct ast_expr *lhs, struct type *t,
    struct ast_expr *int_x)
{
    struct type *T;

    if (!lhs || !t || !is_valid(t))
        return;
    T = check_lhs(c, lhs);
    if (T && !is_valid(T))
        return;
    if (!int_x) {
        check_assign_type(c, ast_expr_start(lhs), lhs, t, T,
            T ? "assignment" : "assignment to _ identifier");
        return;
    }
    check_assignment(c, int_x, T, "range clause");
    if (int_x->mode != MODE_NONE && !over_int(c, int_x->type))
        check_errf(c, ast_expr_start(lhs),
            "cannot use iteration variable of type %s",
            type_str(c, int_x->type));
}

void
check_range(struct check *c, struct ast_stmt *s, unsigned ctx)
{
    struct range_types r = {.ok = false};
    struct ast_expr *x = s->range.x, *int_x = NULL;

    check_expr(c, x);
    if (x->mode != MODE_NONE && is_valid(type_under(x->type))) {
        r = range_types(c, x->type);
        if (check_clause(c, s, &r) && over_int(c, x->type))
            int_x = x;
        else if (type_is_untyped(x->type) && !is_nil(x))
            check_update_type(c, x, check_default_type(c, x->type));
    }
    check_open_scope(c);
    s->range.scope = c->in->env.scope;
    if (s->range.define) {
        define_vars(c, s, &r, int_x);
    } else if (s->range.key) {
        assign_one(c, s->range.key, r.key, int_x);
        assign_one(c, s->range.value, r.value, NULL);
    } else if (int_x) {
        check_assignment(c, int_x, NULL, "range clause");
    }
    if (s->range.x->type != NULL && c->in->env.func != NULL &&
        over_func(c, s->range.x->type))
        s->range.number = ++c->in->env.func->nranges;
    check_block(c, s->range.body, ctx | CTX_BREAK | CTX_CONTINUE);
    check_close_scope(c);
}
