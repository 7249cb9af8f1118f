/* SPDX-License-Identifier: MIT */

/* Binary expressions: arithmetic, comparisons and shifts. */

#include "runtime/lang/types/check_int.h"

static bool
is_comparison(int op)
{
    return op >= TOK_EQL && op <= TOK_GEQ;
}

static bool
may_convert(struct ast_expr *x, struct ast_expr *y)
{
    if (!type_is_untyped(x->type) && !type_is_untyped(y->type))
        return false;
    if (type_all(x->type, type_is_numeric) !=
        type_all(y->type, type_is_numeric))
        return false;
    if (type_is_interface(x->type) || type_is_interface(y->type))
        return true;
    if (type_all(x->type, type_is_bool) != type_all(y->type, type_is_bool) ||
        type_all(x->type, type_is_string) != type_all(y->type, type_is_string))
        return false;
    if (is_nil(x))
        return type_has_nil(y->type);
    if (is_nil(y))
        return type_has_nil(x->type);
    return type_kind_of(x->type) != TYPE_POINTER &&
           type_kind_of(y->type) != TYPE_POINTER;
}

void
check_match_types(struct check *c, struct ast_expr *x, struct ast_expr *y)
{
    if (!may_convert(x, y))
        return;
    check_convert_untyped(c, x, y->type);
    if (x->mode == MODE_NONE)
        return;
    check_convert_untyped(c, y, x->type);
}

static const char *
incomparable_cause(struct check *c, struct type *t)
{
    struct type *u = type_under(t);
    uint32_t i;

    switch (u->kind) {
    case TYPE_SLICE:
    case TYPE_FUNC:
    case TYPE_MAP:
        return check_sprintf(
            c, "%s can only be compared to nil", type_composite_kind(t));
    case TYPE_STRUCT:
        for (i = 0; i < u->nvars; i++)
            if (!type_comparable(u->vars[i]->type))
                return check_sprintf(c,
                    "struct containing %s cannot be compared",
                    type_str(c, u->vars[i]->type));
        return NULL;
    case TYPE_ARRAY:
        return check_sprintf(c, "%s cannot be compared", type_str(c, t));
    case TYPE_PARAM:
        if (typeset_is_empty(type_bound(t)))
            return "empty type set";
        return "incomparable types in type set";
    default:
        return NULL;
    }
}

/* What is wrong with comparing x and y, if anything; *at is to blame. */
static bool
comparable_operands(struct check *c, struct ast_expr *x, struct ast_expr *y,
    int op, struct ast_expr **at, const char **cause)
{
    *at = x;
    *cause = NULL;
    if (!check_assignable(c, x, y->type, NULL) &&
        !check_assignable(c, y, x->type, NULL)) {
        *at = y;
        *cause = check_sprintf(c, "mismatched types %s and %s",
            type_str(c, x->type), type_str(c, y->type));
        return false;
    }
    if (op != TOK_EQL && op != TOK_NEQ) {
        if (type_all(x->type, type_is_ordered)) {
            *at = y;
            return type_all(y->type, type_is_ordered);
        }
        return false;
    }
    if (is_nil(x) || is_nil(y)) {
        struct ast_expr *other = is_nil(x) ? y : x;

        *at = y;
        return type_has_nil(other->type) &&
               !(is_nil(x) && is_nil(y) && type_is_untyped(x->type) &&
                   type_is_untyped(y->type));
    }
    if (!type_comparable(x->type)) {
        *cause = incomparable_cause(c, x->type);
        return false;
    }
    if (!type_comparable(y->type)) {
        *at = y;
        *cause = incomparable_cause(c, y->type);
        return false;
    }
    return true;
}

static bool
compare_consts(struct check *c, int op, struct ast_expr *x, struct ast_expr *y)
{
    int r = const_cmp(&c->cctx, x->cv, y->cv);

    switch (op) {
    case TOK_EQL:
        return r == 0;
    case TOK_NEQ:
        return r != 0;
    case TOK_LSS:
        return r < 0;
    case TOK_LEQ:
        return r <= 0;
    case TOK_GTR:
        return r > 0;
    default:
        return r >= 0;
    }
}

/* An untyped operand that stays as it is gets its default type; nil takes the
 * other side's. */
static void
finish_compared(struct check *c, struct ast_expr *x, struct ast_expr *y)
{
    if (is_nil(x)) {
        if (type_is_untyped(x->type))
            x->type = y->type;
        return;
    }
    if (type_is_untyped(x->type))
        check_update_type(c, x, check_default_type(c, x->type));
}

bool
check_comparison(struct check *c, struct ast_expr *e, struct ast_expr *x,
    struct ast_expr *y, enum lang_tok op, bool switch_case)
{
    struct ast_expr *at;
    const char *cause, *what;

    if (!is_valid(type_under(x->type)) || !is_valid(type_under(y->type)))
        return false;
    if (comparable_operands(c, x, y, op, &at, &cause)) {
        if (!e)
            return true;
        if (is_const(x) && is_const(y)) {
            check_set_const(e, basic(c, TYPE_UNTYPED_BOOL),
                const_kind(x->cv) == CONST_UNKNOWN ||
                        const_kind(y->cv) == CONST_UNKNOWN
                    ? const_unknown()
                    : const_bool(&c->cctx, compare_consts(c, op, x, y)));
            return true;
        }
        finish_compared(c, x, y);
        finish_compared(c, y, x);
        check_set_value(e, basic(c, TYPE_UNTYPED_BOOL));
        return true;
    }
    if (!cause && (x->type->kind == TYPE_PARAM ||
                      y->type->kind == TYPE_PARAM)) {
        if (x->type->kind != TYPE_PARAM)
            at = y;
        cause = check_sprintf(c, "type parameter %s cannot use operator %s",
            type_str(c, at->type), lang_tok_text(op));
    }
    if (!cause) {
        what = type_composite_kind(at->type);
        if (!*what)
            what = type_str(c, at->type);
        cause = check_sprintf(
            c, "operator %s not defined on %s", lang_tok_text(op), what);
    }
    if (switch_case)
        check_errf(c, ast_expr_start(x), "invalid case %s in switch on %s (%s)",
            check_expr_str(c, x), check_expr_str(c, y), cause);
    else
        check_errf(c, ast_expr_start(at), "invalid operation: %s %s %s (%s)",
            check_expr_str(c, x), lang_tok_text(op), check_expr_str(c, y),
            cause);
    return false;
}

static void
shift_const(
    struct check *c, struct ast_expr *e, struct ast_expr *x, struct ast_expr *y)
{
    struct type *t =
        type_is_integer(x->type) ? x->type : basic(c, TYPE_UNTYPED_INT);
    uint64_t n;

    if (const_kind(x->cv) == CONST_UNKNOWN ||
        const_kind(y->cv) == CONST_UNKNOWN) {
        check_set_const(e, t, const_unknown());
        return;
    }
    /* Enough to write down the smallest float64. */
    if (!const_to_uint64(y->cv, &n) || n > 1023 - 1 + 52) {
        check_errf(c, ast_expr_start(y),
            "invalid operation: invalid shift count %s",
            check_operand_str(c, y));
        return;
    }
    check_set_const(
        e, t, const_shift(&c->cctx, x->cv, e->op == TOK_SHL, (uint32_t)n));
    check_overflow(c, e, e->pos);
}

/* False after an error.  In a shift of constants a count of any typed constant
 * will do, as for Go's compiler, if its value does: see shift_const(). */
static bool
shift_count(struct check *c, const struct ast_expr *x, struct ast_expr *y)
{
    if (is_const(y)) {
        if (const_is_int(const_to_int(&c->cctx, y->cv)) &&
            const_sign(y->cv) < 0) {
            check_errf(c, ast_expr_start(y),
                "invalid operation: negative shift count %s",
                check_operand_str(c, y));
            return false;
        }
        if (type_is_untyped(y->type)) {
            check_representable(c, y, basic(c, TYPE_UINT));
            return y->mode != MODE_NONE;
        }
        if (type_is_integer(y->type) || is_const(x))
            return true;
    } else if (type_all(y->type, type_is_integer)) {
        if (!type_all(y->type, type_is_unsigned) && check_lang(c, y->pos) &&
            !check_allows(c, ast_expr_start(y), 13,
                check_sprintf(c, "invalid operation: signed shift count %s",
                    check_operand_str(c, y))))
            return false;
        if (type_is_untyped(y->type))
            check_convert_untyped(c, y, basic(c, TYPE_UINT));
        return y->mode != MODE_NONE;
    } else if (type_is_untyped(y->type)) {
        check_convert_untyped(c, y, basic(c, TYPE_UINT));
        return y->mode != MODE_NONE;
    }
    check_errf(c, ast_expr_start(y),
        "invalid operation: shift count %s must be integer",
        check_operand_str(c, y));
    return false;
}

static void
check_shift(struct check *c, struct ast_expr *e)
{
    struct ast_expr *x = e->binary.x, *y = e->binary.y;

    if (is_const(x) && type_is_untyped(x->type))
        x->cv = const_to_int(&c->cctx, x->cv);
    if (!type_all(x->type, type_is_integer) &&
        !(type_is_untyped(x->type) && is_const(x) && const_is_int(x->cv))) {
        check_errf(c, ast_expr_start(x),
            "invalid operation: shifted operand %s must be integer",
            check_operand_str(c, x));
        return;
    }
    if (!shift_count(c, x, y))
        return;
    if (is_const(x) && is_const(y)) {
        shift_const(c, e, x, y);
        return;
    }
    if (is_const(y) && type_is_untyped(y->type))
        check_convert_untyped(c, y, basic(c, TYPE_UINT));
    if (is_const(x) && type_is_untyped(x->type)) {
        /* The context of the whole shift decides; see check_update_type(). */
        check_set_value(e, x->type);
        return;
    }
    if (!type_all(x->type, type_is_integer)) {
        check_errf(c, ast_expr_start(x),
            "invalid operation: shifted operand %s must be integer",
            check_operand_str(c, x));
        return;
    }
    check_set_value(e, x->type);
}

static bool
is_numeric_or_string(struct type *t)
{
    return type_is_numeric(t) || type_is_string(t);
}

static bool
binary_defined(int op, struct type *t)
{
    switch (op) {
    case TOK_ADD:
        return type_all(t, is_numeric_or_string);
    case TOK_SUB:
    case TOK_MUL:
    case TOK_QUO:
        return type_all(t, type_is_numeric);
    case TOK_OROR:
    case TOK_ANDAND:
        return type_all(t, type_is_bool);
    default:
        return type_all(t, type_is_integer);
    }
}

static bool
is_zero(const struct ast_expr *y)
{
    return is_const(y) &&
           (const_kind(y->cv) == CONST_INT ||
               const_kind(y->cv) == CONST_FLOAT) &&
           const_sign(y->cv) == 0;
}

static void
binary_const(
    struct check *c, struct ast_expr *e, struct ast_expr *x, struct ast_expr *y)
{
    static const uint8_t ops[TOK_COUNT] = {[TOK_ADD] = CONST_ADD,
        [TOK_SUB] = CONST_SUB,
        [TOK_MUL] = CONST_MUL,
        [TOK_QUO] = CONST_QUO,
        [TOK_REM] = CONST_REM,
        [TOK_AND] = CONST_AND,
        [TOK_OR] = CONST_OR,
        [TOK_XOR] = CONST_XOR,
        [TOK_AND_NOT] = CONST_AND_NOT,
        [TOK_ANDAND] = CONST_LAND,
        [TOK_OROR] = CONST_LOR};
    enum const_op op = (enum const_op)ops[e->op];

    if (const_kind(x->cv) == CONST_UNKNOWN ||
        const_kind(y->cv) == CONST_UNKNOWN) {
        check_set_const(e, x->type, const_unknown());
        return;
    }
    if (op == CONST_QUO && type_is_integer(x->type))
        op = CONST_IDIV;
    check_set_const(e, x->type, const_binary(&c->cctx, op, x->cv, y->cv));
    check_overflow(c, e, e->pos);
}

static void
mismatch(struct check *c, struct ast_expr *e, bool assign_op)
{
    struct ast_expr *x = e->binary.x, *y = e->binary.y;

    if (!is_valid(type_under(x->type)) || !is_valid(type_under(y->type)))
        return;
    if (assign_op)
        check_errf(c, ast_expr_start(x),
            "invalid operation: %s %s= %s (mismatched types %s and %s)",
            check_expr_str(c, x), lang_tok_text((enum lang_tok)e->op),
            check_expr_str(c, y), type_str(c, x->type), type_str(c, y->type));
    else
        check_errf(c, ast_expr_start(x),
            "invalid operation: %s (mismatched types %s and %s)",
            check_expr_str(c, e), type_str(c, x->type), type_str(c, y->type));
}

void
check_binary_op(struct check *c, struct ast_expr *e, bool assign_op)
{
    struct ast_expr *x = e->binary.x, *y = e->binary.y;
    int op = e->op;

    check_set_invalid(c, e);
    if (x->mode == MODE_NONE || y->mode == MODE_NONE)
        return;
    if (op == TOK_SHL || op == TOK_SHR) {
        check_shift(c, e);
        return;
    }
    check_match_types(c, x, y);
    if (x->mode == MODE_NONE || y->mode == MODE_NONE)
        return;
    if (is_comparison(op)) {
        check_comparison(c, e, x, y, (enum lang_tok)op, false);
        return;
    }
    if (!type_identical(x->type, y->type)) {
        mismatch(c, e, assign_op);
        return;
    }
    if (!binary_defined(op, x->type)) {
        check_errf(c, ast_expr_start(x),
            "invalid operation: operator %s not defined on %s",
            lang_tok_text((enum lang_tok)op), check_operand_str(c, x));
        return;
    }
    if ((op == TOK_QUO || op == TOK_REM) &&
        (is_const(x) || type_all(x->type, type_is_integer)) && is_zero(y)) {
        check_errf(c, ast_expr_start(y), "invalid operation: division by zero");
        return;
    }
    if (is_const(x) && is_const(y) && x->type->kind != TYPE_PARAM)
        binary_const(c, e, x, y);
    else
        check_set_value(e, x->type);
}

/* The left spine may be as long as the file: from its bottom up in a loop. */
void
check_binary(struct check *c, struct ast_expr *e)
{
    struct ast_expr *small[32], **spine = small, *b;
    uint32_t n = 0, i;

    for (b = e; b->kind == EXPR_BINARY; b = b->binary.x)
        n++;
    if (n > 32)
        spine = CHECK_ARRAY(c, struct ast_expr *, n);
    for (b = e, i = 0; b->kind == EXPR_BINARY; b = b->binary.x)
        spine[i++] = b;
    check_expr(c, b);
    while (n > 0) {
        b = spine[--n];
        check_expr(c, b->binary.y);
        check_binary_op(c, b, false);
    }
}
