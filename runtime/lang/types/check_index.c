/* SPDX-License-Identifier: MIT */

/* x[i] and x[i:j:k]. */

#include "runtime/lang/types/check_int.h"

bool
check_valid_index(
    struct check *c, struct ast_expr *e, const char *what, bool allow_negative)
{
    const char *why = NULL;

    if (e->mode == MODE_NONE)
        return false;
    check_convert_untyped(c, e, basic(c, TYPE_INT));
    if (e->mode == MODE_NONE)
        return false;
    if (!type_all(e->type, type_is_integer))
        why = "must be integer";
    else if (is_const(e) && const_kind(e->cv) != CONST_UNKNOWN) {
        if (!allow_negative && const_sign(e->cv) < 0)
            why = "must not be negative";
        else if (!check_fits(c, e->cv, basic(c, TYPE_INT), NULL))
            why = "overflows int";
    }
    if (!why)
        return true;
    if (is_valid(type_under(e->type)))
        check_errf(c, ast_expr_start(e), "invalid argument: %s %s %s", what,
            check_operand_str(c, e), why);
    return false;
}

int64_t
check_index_value(struct check *c, struct ast_expr *e, int64_t max)
{
    int64_t v;

    check_expr(c, e);
    if (!check_valid_index(c, e, "index", false)) {
        check_set_invalid(c, e);
        return -1;
    }
    if (!is_const(e) || !const_to_int64(e->cv, &v))
        return -1;
    if (max >= 0 && v >= max) {
        check_errf(c, ast_expr_start(e),
            "invalid argument: index %s out of bounds [0:%lld]",
            const_text(&c->cctx, e->cv), (long long)max);
        return -1;
    }
    return v;
}

static void
map_index(struct check *c, struct ast_expr *e, struct type *m)
{
    struct ast_expr *k = e->index.at.at[0];

    check_expr(c, k);
    check_assignment(c, k, m->key, "map index");
    e->mode = MODE_MAPINDEX;
    e->type = m->elem;
}

static bool
is_string_const(const struct ast_expr *x)
{
    return is_const(x) && const_kind(x->cv) == CONST_STRING;
}

/* What indexing each type of a parameter's set gives. */
struct each_index {
    struct check *c;
    struct type *key, *elem; /* key: all are maps */
    bool var;                /* addressable operand, and then the element */
    int64_t len;             /* the least; -1: not known */
};

static bool
index_term(struct type *t, struct type *u, void *arg)
{
    struct each_index *a = arg;
    struct type *elem = NULL, *key = NULL;
    int64_t len = -1;

    (void)t;
    if (!u)
        return false;
    if (u->kind == TYPE_POINTER && type_kind_of(u->elem) == TYPE_ARRAY) {
        elem = type_under(u->elem)->elem;
        len = type_under(u->elem)->len;
    } else if (u->kind == TYPE_STRING) {
        elem = a->c->types.byte_type;
    } else if (u->kind == TYPE_ARRAY || u->kind == TYPE_SLICE ||
               u->kind == TYPE_MAP) {
        elem = u->elem;
        key = u->key;
        len = u->kind == TYPE_ARRAY ? u->len : -1;
    }
    if (!elem)
        return false;
    if (a->elem && (!type_identical(a->elem, elem) || !a->key != !key ||
                       (key && !type_identical(a->key, key))))
        return false;
    if (!a->elem)
        a->len = len;
    else if (len >= 0 && len < a->len)
        a->len = len;
    a->elem = elem;
    a->key = key;
    return true;
}

static bool
is_no_string(struct type *t)
{
    return type_kind_of(t) != TYPE_STRING;
}

/* Is an element of a t a variable whatever the t is? */
static bool
not_assignable(struct type *t)
{
    enum type_kind k = type_kind_of(t);

    return k != TYPE_STRING && k != TYPE_ARRAY;
}

/* The operand is of parameter type; true where that was all. */
static bool
param_index(struct check *c, struct ast_expr *e, int64_t *len)
{
    struct ast_expr *x = e->index.x;
    struct each_index a = {.c = c};
    struct type m = {.kind = TYPE_MAP};

    if (!type_each_term(x->type, index_term, &a))
        return false;
    if (a.key) {
        m.key = a.key;
        m.elem = a.elem;
        map_index(c, e, &m);
        return true;
    }
    *len = a.len;
    e->type = a.elem;
    e->mode = MODE_VAR;
    if (!type_all(x->type, not_assignable) &&
        (x->mode != MODE_VAR || !type_all(x->type, is_no_string)))
        e->mode = MODE_VALUE;
    return false;
}

void
check_index(struct check *c, struct ast_expr *e)
{
    struct ast_expr *x = e->index.x, *i = e->index.at.at[0];
    struct type *u;
    int64_t len = -1;

    check_generic_or_type(c, x);
    /* f[A][B]: type arguments are written once, so that f[A] has to be a
     * function here, its other arguments following from A. */
    if (x->mode != MODE_NONE && x->kind == EXPR_INDEX &&
        check_is_generic_func(x))
        check_generic_value(c, x, NULL);
    if (x->mode == MODE_NONE) {
        check_use(c, e->index.at.at, e->index.at.n);
        return;
    }
    if (x->mode == MODE_TYPE) {
        check_var_type(c, e);
        return;
    }
    if (check_is_generic_func(x)) {
        check_index_func(c, e);
        return;
    }
    if (x->mode == MODE_BUILTIN) {
        check_errf(c, e->pos, "cannot index %s", check_operand_str(c, x));
        check_use(c, e->index.at.at, e->index.at.n);
        return;
    }
    if (e->index.at.n > 1) {
        check_errf(c, ast_expr_start(e->index.at.at[1]),
            "invalid operation: more than one index");
        check_use(c, e->index.at.at, e->index.at.n);
        return;
    }
    u = type_under(x->type);
    switch (u->kind) {
    case TYPE_STRING:
    case TYPE_UNTYPED_STRING:
        if (is_string_const(x))
            len = (int64_t)const_str_len(x->cv);
        if (type_is_untyped(x->type))
            check_update_type(c, x, basic(c, TYPE_STRING));
        check_set_value(e, c->types.byte_type);
        break;
    case TYPE_ARRAY:
        len = u->len;
        e->mode = x->mode == MODE_VAR ? MODE_VAR : MODE_VALUE;
        e->type = u->elem;
        break;
    case TYPE_POINTER:
        if (type_kind_of(u->elem) == TYPE_ARRAY) {
            len = type_under(u->elem)->len;
            e->mode = MODE_VAR;
            e->type = type_under(u->elem)->elem;
        }
        break;
    case TYPE_SLICE:
        e->mode = MODE_VAR;
        e->type = u->elem;
        break;
    case TYPE_MAP:
        map_index(c, e, u);
        return;
    case TYPE_PARAM:
        if (param_index(c, e, &len))
            return;
        break;
    default:
        break;
    }
    if (e->mode == MODE_NONE) {
        if (is_valid(u))
            check_errf(c, e->pos, "cannot index %s", check_operand_str(c, x));
        check_use(c, &i, 1);
        return;
    }
    check_index_value(c, i, len);
}

/* ---- slices ------------------------------------------------------------- */

struct each_slice {
    struct check *c;
    struct type *t, *u; /* of what came first */
    const char *why;
    bool string;
};

static bool
slice_term(struct type *t, struct type *u, void *arg)
{
    struct each_slice *a = arg;

    if (!u) {
        a->why = "no specific type in";
        return false;
    }
    if (u->kind == TYPE_STRING) {
        u = type_slice(a->c, a->c->types.byte_type);
        a->string = true;
    }
    if (!a->u) {
        a->t = t;
        a->u = u;
    } else if (!type_identical(a->u, u)) {
        a->why = check_sprintf(a->c,
            "%s and %s have different underlying types", type_str(a->c, a->t),
            type_str(a->c, t));
        return false;
    }
    return true;
}

/* What is sliced; of bytes and strings a string.  NULL after an error. */
static struct type *
slice_operand(struct check *c, struct ast_expr *x)
{
    struct each_slice a = {.c = c};

    if (x->type->kind != TYPE_PARAM)
        return type_under(x->type);
    if (type_each_term(x->type, slice_term, &a))
        return a.string ? basic(c, TYPE_STRING) : a.u;
    if (!a.u)
        check_errf(c, ast_expr_start(x), "cannot slice %s: %s %s",
            check_operand_str(c, x), a.why, type_str(c, x->type));
    else
        check_errf(c, ast_expr_start(x), "cannot slice %s: %s",
            check_operand_str(c, x), a.why);
    return NULL;
}

/* What slicing gives, or NULL; *len the operand's length if it is known. */
static struct type *
slice_result(struct check *c, struct ast_expr *e, int64_t *len)
{
    struct ast_expr *x = e->slice.x;
    struct type *u = slice_operand(c, x);

    if (!u)
        return NULL;
    switch (u->kind) {
    case TYPE_STRING:
    case TYPE_UNTYPED_STRING:
        if (e->flags & AST_F_FULL) {
            check_errf(c,
                e->slice.max ? ast_expr_start(e->slice.max) : ast_expr_start(e),
                "invalid operation: 3-index slice of string");
            return NULL;
        }
        if (is_string_const(x))
            *len = (int64_t)const_str_len(x->cv);
        if (type_is_untyped(x->type)) {
            check_update_type(c, x, basic(c, TYPE_STRING));
            return basic(c, TYPE_STRING);
        }
        return x->type;
    case TYPE_ARRAY:
        *len = u->len;
        if (x->mode != MODE_VAR) {
            check_errf(c, ast_expr_start(x),
                "cannot slice unaddressable value %s", check_operand_str(c, x));
            return NULL;
        }
        check_note_address(c, x);
        return type_slice(c, u->elem);
    case TYPE_POINTER:
        u = type_under(u->elem);
        if (u->kind != TYPE_ARRAY)
            break;
        *len = u->len;
        return type_slice(c, u->elem);
    case TYPE_SLICE:
        return x->type;
    default:
        break;
    }
    if (is_valid(u))
        check_errf(
            c, ast_expr_start(x), "cannot slice %s", check_operand_str(c, x));
    return NULL;
}

void
check_slice(struct check *c, struct ast_expr *e)
{
    struct ast_expr *x = e->slice.x;
    struct ast_expr *at[3] = {e->slice.lo, e->slice.hi, e->slice.max};
    int64_t ind[3], len = -1;
    struct type *t;
    int i, j;

    check_expr(c, x);
    if (x->mode == MODE_NONE) {
        check_use(c, at, 3);
        return;
    }
    t = slice_result(c, e, &len);
    if (!t)
        return;
    check_set_value(e, t);
    for (i = 0; i < 3; i++) {
        if (at[i])
            ind[i] = check_index_value(c, at[i], len >= 0 ? len + 1 : -1);
        else
            ind[i] = i == 0 ? 0 : len;
    }
    for (i = 0; i < 2; i++)
        for (j = i + 1; j < 3; j++)
            if (ind[i] > 0 && ind[j] >= 0 && ind[j] < ind[i] && at[j]) {
                check_errf(c, ast_expr_start(at[j]),
                    "invalid slice indices: %lld < %lld", (long long)ind[j],
                    (long long)ind[i]);
                return;
            }
}
