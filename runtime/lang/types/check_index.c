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
    if (!type_is_integer(e->type))
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

void
check_index(struct check *c, struct ast_expr *e)
{
    struct ast_expr *x = e->index.x, *i = e->index.at.at[0];
    struct type *u;
    int64_t len = -1;

    check_expr_or_type(c, x);
    if (x->mode == MODE_NONE) {
        check_use(c, e->index.at.at, e->index.at.n);
        return;
    }
    if (check_known_index(c, e))
        return;
    if (x->mode == MODE_TYPE) {
        check_use(c, e->index.at.at, e->index.at.n);
        check_errf(c, ast_expr_start(x),
            "invalid operation: %s (%s is not a generic type)",
            check_expr_str(c, e), type_str(c, x->type));
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

/* What slicing gives, or NULL; *len the operand's length if it is known. */
static struct type *
slice_result(struct check *c, struct ast_expr *e, int64_t *len)
{
    struct ast_expr *x = e->slice.x;
    struct type *u = type_under(x->type);

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
