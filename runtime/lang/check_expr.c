/* SPDX-License-Identifier: MIT */

/* Expressions: the dispatch, operators, comparisons and shifts. */

#include <string.h>

#include "runtime/base/arena.h"
#include "runtime/lang/check_int.h"
#include "runtime/lang/scan.h"
#include "runtime/lang/uniclass.h"

/* ---- literals ----------------------------------------------------------- */

static const struct constv *
rune_value(struct check *c, const char *s, uint32_t len)
{
    uint32_t r = 0, i;

    if (s[1] != '\\') {
        lang_utf8_decode((const uint8_t *)s + 1, &r);
        return const_int64(&c->cctx, r);
    }
    if (s[2] == 'x' || s[2] == 'u' || s[2] == 'U') {
        for (i = 3; i + 1 < len; i++)
            r = r * 16 +
                (uint32_t)(s[i] <= '9' ? s[i] - '0' : (s[i] | 32) - 'a' + 10);
    } else if (s[2] >= '0' && s[2] <= '7') {
        for (i = 2; i + 1 < len; i++)
            r = r * 8 + (uint32_t)(s[i] - '0');
    } else {
        static const char from[] = "abfnrtv\\'\"", to[] = "\a\b\f\n\r\t\v\\'\"";
        const char *p = strchr(from, s[2]);

        r = p ? (uint8_t)to[p - from] : (uint8_t)s[2];
    }
    return const_int64(&c->cctx, r);
}

static void
check_lit(struct check *c, struct ast_expr *e)
{
    static const uint8_t kinds[] = {[LIT_INT] = TYPE_UNTYPED_INT,
        [LIT_FLOAT] = TYPE_UNTYPED_FLOAT,
        [LIT_IMAG] = TYPE_UNTYPED_COMPLEX,
        [LIT_RUNE] = TYPE_UNTYPED_RUNE,
        [LIT_STRING] = TYPE_UNTYPED_STRING};
    const struct constv *v;
    char *buf;
    size_t n;

    if (e->lit.bad)
        return;
    if (e->op == LIT_STRING) {
        buf = check_alloc(c, (size_t)e->lit.len + 1);
        n = scan_unquote(e->lit.text, e->lit.len, buf);
        v = const_str(&c->cctx, buf, n);
    } else if (e->op == LIT_RUNE) {
        v = rune_value(c, e->lit.text, e->lit.len);
    } else {
        if (e->lit.len > 10000) {
            check_errf(c, e->pos,
                "excessively long constant: %.10s... (%u chars)", e->lit.text,
                e->lit.len);
            return;
        }
        v = const_number(&c->cctx, e->lit.text, e->lit.len);
        if (const_kind(v) == CONST_UNKNOWN) {
            check_errf(c, e->pos, "malformed constant: %.*s", (int)e->lit.len,
                e->lit.text);
            return;
        }
    }
    check_set_const(e, basic(c, (enum type_kind)kinds[e->op]), v);
    if (e->op != LIT_STRING)
        check_overflow(c, e, e->pos);
}

/* ---- unary -------------------------------------------------------------- */

struct type *
check_chan_elem(struct check *c, lang_pos pos, struct ast_expr *x, bool recv)
{
    struct type *t = type_under(x->type);
    const char *why = NULL;

    if (!is_valid(t))
        return NULL;
    if (t->kind != TYPE_CHAN)
        why = "non-channel";
    else if (recv && t->dir == TYPE_SEND)
        why = "send-only channel";
    else if (!recv && t->dir == TYPE_RECV)
        why = "receive-only channel";
    if (!why)
        return t->elem;
    check_errf(c, pos, "invalid operation: cannot %s %s %s %s",
        recv ? "receive from" : "send to", why, type_str(c, x->type),
        check_operand_str(c, x));
    return NULL;
}

static bool
unary_defined(int op, struct type *t)
{
    switch (op) {
    case TOK_ADD:
    case TOK_SUB:
        return type_is_numeric(t);
    case TOK_XOR:
        return type_is_integer(t);
    default:
        return type_is_bool(t);
    }
}

static void
unary_const(struct check *c, struct ast_expr *e, struct ast_expr *x)
{
    const struct constv *v = x->cv;
    unsigned bits = 0;

    if (const_kind(v) != CONST_UNKNOWN) {
        switch (e->op) {
        case TOK_SUB:
            v = const_neg(&c->cctx, v);
            break;
        case TOK_XOR:
            if (type_is_unsigned(x->type))
                bits = (unsigned)type_size(x->type) * 8;
            v = const_complement(&c->cctx, v, bits);
            break;
        case TOK_NOT:
            v = const_not(&c->cctx, v);
            break;
        default:
            break;
        }
    }
    check_set_const(e, x->type, v);
    if (const_kind(x->cv) != CONST_UNKNOWN)
        check_overflow(c, e, e->pos);
}

static void
check_addr(struct check *c, struct ast_expr *e, struct ast_expr *x)
{
    if (ast_unparen(x)->kind != EXPR_COMPOSITE && x->mode != MODE_VAR) {
        check_errf(c, ast_expr_start(x),
            "invalid operation: cannot take address of %s",
            check_operand_str(c, x));
        return;
    }
    check_note_address(c, x);
    check_set_value(e, type_pointer(c, x->type));
}

static enum expr_kind
check_unary(struct check *c, struct ast_expr *e)
{
    struct ast_expr *x = e->unary.x;
    struct type *t;
    int op = e->op;

    check_expr(c, x);
    if (x->mode == MODE_NONE)
        return XK_STATEMENT;
    if (op == TOK_AND) {
        check_addr(c, e, x);
        return XK_EXPRESSION;
    }
    if (op == TOK_ARROW) {
        t = check_chan_elem(c, ast_expr_start(x), x, true);
        if (t) {
            e->mode = MODE_COMMAOK;
            e->type = t;
            c->in->env.has_call = true;
        }
        return XK_STATEMENT;
    }
    if (op == TOK_TILDE) {
        check_errf(c, e->pos,
            type_is_integer(x->type)
                ? "cannot use ~ outside of interface or type constraint (use "
                  "^ for bitwise complement)"
                : "cannot use ~ outside of interface or type constraint");
        return XK_STATEMENT;
    }
    if (!unary_defined(op, x->type)) {
        check_errf(c, ast_expr_start(x),
            "invalid operation: operator %s not defined on %s",
            lang_tok_text((enum lang_tok)op), check_operand_str(c, x));
        return XK_STATEMENT;
    }
    if (is_const(x))
        unary_const(c, e, x);
    else
        check_set_value(e, x->type);
    return XK_EXPRESSION;
}

static void
check_star(struct check *c, struct ast_expr *e)
{
    struct ast_expr *x = e->x;
    struct type *t;

    check_expr_or_type(c, x);
    if (x->mode == MODE_NONE)
        return;
    if (x->mode == MODE_TYPE) {
        e->mode = MODE_TYPE;
        e->type = type_pointer(c, x->type);
        return;
    }
    if (is_nil(x) || x->mode == MODE_BUILTIN) {
        check_errf(c, ast_expr_start(x),
            "invalid operation: cannot indirect %s", check_operand_str(c, x));
        return;
    }
    t = type_under(x->type);
    if (t->kind != TYPE_POINTER) {
        if (is_valid(t))
            check_errf(c, ast_expr_start(x),
                "invalid operation: cannot indirect %s",
                check_operand_str(c, x));
        return;
    }
    e->mode = MODE_VAR;
    e->type = t->elem;
}

/* ---- binary ------------------------------------------------------------- */

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
    if (type_is_numeric(x->type) != type_is_numeric(y->type))
        return false;
    if (type_is_interface(x->type) || type_is_interface(y->type))
        return true;
    if (type_is_bool(x->type) != type_is_bool(y->type) ||
        type_is_string(x->type) != type_is_string(y->type))
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
        if (type_is_ordered(x->type)) {
            *at = y;
            return type_is_ordered(y->type);
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

/* False after an error. */
static bool
shift_count(struct check *c, struct ast_expr *y)
{
    if (is_const(y)) {
        if (const_is_int(y->cv) && const_sign(y->cv) < 0) {
            check_errf(c, ast_expr_start(y),
                "invalid operation: negative shift count %s",
                check_operand_str(c, y));
            return false;
        }
        if (type_is_untyped(y->type)) {
            check_representable(c, y, basic(c, TYPE_UINT));
            return y->mode != MODE_NONE;
        }
        if (type_is_integer(y->type))
            return true;
    } else if (type_is_integer(y->type)) {
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

    if (!type_is_integer(x->type) &&
        !(type_is_untyped(x->type) && is_const(x) && const_is_int(x->cv))) {
        check_errf(c, ast_expr_start(x),
            "invalid operation: shifted operand %s must be integer",
            check_operand_str(c, x));
        return;
    }
    if (!shift_count(c, y))
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
    if (!type_is_integer(x->type)) {
        check_errf(c, ast_expr_start(x),
            "invalid operation: shifted operand %s must be integer",
            check_operand_str(c, x));
        return;
    }
    check_set_value(e, x->type);
}

static bool
binary_defined(int op, struct type *t)
{
    switch (op) {
    case TOK_ADD:
        return type_is_numeric(t) || type_is_string(t);
    case TOK_SUB:
    case TOK_MUL:
    case TOK_QUO:
        return type_is_numeric(t);
    case TOK_OROR:
    case TOK_ANDAND:
        return type_is_bool(t);
    default:
        return type_is_integer(t);
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
        (is_const(x) || type_is_integer(x->type)) && is_zero(y)) {
        check_errf(c, ast_expr_start(y), "invalid operation: division by zero");
        return;
    }
    if (is_const(x) && is_const(y))
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

/* ---- assertions --------------------------------------------------------- */

bool
check_type_assertion(struct check *c, struct ast_expr *e, struct ast_expr *x,
    struct type *T, bool type_switch)
{
    const char *cause = "";

    if (type_is_interface(T) ||
        check_has_methods(c, T, x->type, false, &cause, NULL))
        return true;
    if (type_switch)
        check_errf(c, ast_expr_start(e),
            "impossible type switch case: %s\n\t%s cannot have dynamic type "
            "%s %s",
            check_expr_str(c, e), check_operand_str(c, x), type_str(c, T),
            cause);
    else
        check_errf(c, ast_expr_start(e),
            "impossible type assertion: %s\n\t%s does not implement %s %s",
            check_expr_str(c, e), type_str(c, T), type_str(c, x->type), cause);
    return false;
}

static void
check_assert(struct check *c, struct ast_expr *e)
{
    struct ast_expr *x = e->assert_.x;
    struct type *t;

    check_expr(c, x);
    if (x->mode == MODE_NONE)
        return;
    if (!type_is_interface(x->type)) {
        if (is_valid(type_under(x->type)))
            check_errf(c, ast_expr_start(x),
                "invalid operation: %s is not an interface",
                check_operand_str(c, x));
        return;
    }
    t = check_var_type(c, e->assert_.type);
    if (!is_valid(t))
        return;
    check_type_assertion(c, e, x, t, false);
    e->mode = MODE_COMMAOK;
    e->type = t;
}

/* ---- dispatch ----------------------------------------------------------- */

static enum expr_kind
raw(struct check *c, struct ast_expr *e, struct type *hint)
{
    enum expr_kind k;

    switch (e->kind) {
    case EXPR_NAME:
        check_ident(c, e, false);
        break;
    case EXPR_LIT:
        check_lit(c, e);
        break;
    case EXPR_FUNCLIT:
        check_funclit(c, e);
        break;
    case EXPR_COMPOSITE:
        check_composite(c, e, hint);
        break;
    case EXPR_PAREN:
        k = check_raw(c, e->x, NULL);
        e->mode = e->x->mode;
        e->type = e->x->type;
        e->cv = e->x->cv;
        return k;
    case EXPR_SELECTOR:
        check_selector(c, e, false);
        break;
    case EXPR_INDEX:
        check_index(c, e);
        break;
    case EXPR_SLICE:
        check_slice(c, e);
        break;
    case EXPR_ASSERT:
        check_assert(c, e);
        break;
    case EXPR_TYPEGUARD:
        check_errf(c, ast_expr_start(e),
            "invalid syntax tree: use of .(type) outside type switch");
        check_use(c, &e->x, 1);
        break;
    case EXPR_CALL:
        return check_call(c, e);
    case EXPR_UNARY:
        return check_unary(c, e);
    case EXPR_STAR:
        check_star(c, e);
        break;
    case EXPR_BINARY:
        check_binary(c, e);
        break;
    case EXPR_KEYVALUE:
        check_errf(c, ast_expr_start(e), "no key:value expected");
        break;
    case EXPR_ARRAY:
    case EXPR_SLICETYPE:
    case EXPR_STRUCT:
    case EXPR_FUNCTYPE:
    case EXPR_INTERFACE:
    case EXPR_MAP:
    case EXPR_CHAN:
    case EXPR_ELLIPSIS:
        check_type(c, e);
        break;
    default:
        break;
    }
    return XK_EXPRESSION;
}

enum expr_kind
check_raw(struct check *c, struct ast_expr *e, struct type *hint)
{
    enum expr_kind k;

    check_set_invalid(c, e);
    e->flags &= (uint8_t) ~(AST_F_COMMAOK | AST_F_CONVERSION | AST_F_ADDR);
    k = raw(c, e, hint);
    if (e->mode == MODE_NONE)
        return XK_STATEMENT;
    if (e->mode >= MODE_VAR && e->mode != MODE_NIL && check_pending(c, e))
        return XK_STATEMENT;
    return k;
}

/* Reports what may not be used as a value. */
static void
exclude(struct check *c, struct ast_expr *e, bool type_ok, bool builtin_ok)
{
    const char *why;

    if (!type_ok && e->mode == MODE_VALUE && check_known_bare(c, e, false))
        return;
    if (e->mode == MODE_NOVALUE)
        why = type_ok ? "used as value or type" : "used as value";
    else if (e->mode == MODE_BUILTIN && !builtin_ok)
        why = "must be called";
    else if (e->mode == MODE_TYPE && !type_ok)
        why = "is not an expression";
    else
        return;
    check_errf(c, ast_expr_start(e), "%s %s", check_operand_str(c, e), why);
    check_set_invalid(c, e);
}

void
check_multi(struct check *c, struct ast_expr *e)
{
    check_raw(c, e, NULL);
    exclude(c, e, false, false);
}

void
check_expr(struct check *c, struct ast_expr *e)
{
    check_expr_hint(c, e, NULL);
}

void
check_expr_hint(struct check *c, struct ast_expr *e, struct type *hint)
{
    check_raw(c, e, hint);
    exclude(c, e, false, false);
    check_single(c, e);
}

void
check_expr_or_type(struct check *c, struct ast_expr *e)
{
    check_raw(c, e, NULL);
    exclude(c, e, true, true);
    check_single(c, e);
}

bool
check_use(struct check *c, struct ast_expr **list, uint32_t n)
{
    bool ok = true;
    uint32_t i;

    for (i = 0; i < n; i++) {
        struct ast_expr *e = list[i];

        if (!e)
            continue;
        if (e->kind == EXPR_KEYVALUE)
            e = e->kv.value;
        if (e->kind == EXPR_NAME && is_blank(c, e->name))
            continue;
        check_raw(c, e, NULL);
        ok = ok && e->mode != MODE_NONE;
    }
    return ok;
}

bool
check_use_lhs(struct check *c, struct ast_expr **list, uint32_t n)
{
    bool ok = true;
    uint32_t i;

    for (i = 0; i < n; i++) {
        struct ast_expr *e = ast_unparen(list[i]);
        struct object *o;
        bool used;

        if (e->kind != EXPR_NAME) {
            ok = check_use(c, &list[i], 1) && ok;
            continue;
        }
        if (is_blank(c, e->name))
            continue;
        o = check_resolve_name(c, e->name, NULL);
        used = o && o->used;
        ok = check_use(c, &e, 1) && ok;
        if (o && o->kind == OBJ_VAR)
            o->used = used;
    }
    return ok;
}
