/* SPDX-License-Identifier: MIT */

/*
 * Rules about single operands: untyped ones and what they may become,
 * representable constants, assignability.
 */

#include "runtime/lang/types/check_int.h"

void
check_set_invalid(struct check *c, struct ast_expr *e)
{
    e->mode = MODE_NONE;
    e->type = invalid_type(c);
    e->cv = NULL;
}

void
check_set_value(struct ast_expr *e, struct type *t)
{
    e->mode = MODE_VALUE;
    e->type = t;
    e->cv = NULL;
}

void
check_set_const(struct ast_expr *e, struct type *t, const struct constv *v)
{
    e->mode = MODE_CONST;
    e->type = t;
    e->cv = v;
}

struct type *
check_default_type(struct check *c, struct type *t)
{
    switch (t->kind) {
    case TYPE_UNTYPED_BOOL:
        return basic(c, TYPE_BOOL);
    case TYPE_UNTYPED_INT:
        return basic(c, TYPE_INT);
    case TYPE_UNTYPED_RUNE:
        return c->types.rune_type;
    case TYPE_UNTYPED_FLOAT:
        return basic(c, TYPE_FLOAT64);
    case TYPE_UNTYPED_COMPLEX:
        return basic(c, TYPE_COMPLEX128);
    case TYPE_UNTYPED_STRING:
        return basic(c, TYPE_STRING);
    default:
        return t;
    }
}

/* ---- representable constants -------------------------------------------- */

static bool
fits_int(const struct constv *v, enum type_kind k)
{
    int64_t i;
    uint64_t u;

    switch (k) {
    case TYPE_INT:
    case TYPE_INT64:
        return const_to_int64(v, &i);
    case TYPE_INT8:
        return const_to_int64(v, &i) && i == (int8_t)i;
    case TYPE_INT16:
        return const_to_int64(v, &i) && i == (int16_t)i;
    case TYPE_INT32:
        return const_to_int64(v, &i) && i == (int32_t)i;
    case TYPE_UINT:
    case TYPE_UINT64:
    case TYPE_UINTPTR:
        return const_to_uint64(v, &u);
    case TYPE_UINT8:
        return const_to_uint64(v, &u) && u == (uint8_t)u;
    case TYPE_UINT16:
        return const_to_uint64(v, &u) && u == (uint16_t)u;
    case TYPE_UINT32:
        return const_to_uint64(v, &u) && u == (uint32_t)u;
    default:
        return true;
    }
}

bool
check_fits(struct check *c, const struct constv *v, struct type *t,
    const struct constv **out)
{
    enum type_kind k = type_kind_of(t);
    enum const_kind ck = const_kind(v);
    const struct constv *r = v;

    if (ck == CONST_UNKNOWN) {
        if (out)
            *out = v;
        return true;
    }
    if (type_is_integer(t)) {
        r = const_to_int(&c->cctx, v);
        if (!const_is_int(r) || !fits_int(r, k))
            return false;
    } else if (type_is_float(t)) {
        if (ck != CONST_INT && ck != CONST_FLOAT)
            return false;
        if (k == TYPE_FLOAT32)
            r = const_round32(&c->cctx, v);
        else if (k == TYPE_FLOAT64)
            r = const_round64(&c->cctx, v);
    } else if (type_is_complex(t)) {
        if (ck != CONST_INT && ck != CONST_FLOAT && ck != CONST_COMPLEX)
            return false;
        if (k == TYPE_COMPLEX64)
            r = const_round32(&c->cctx, v);
        else if (k == TYPE_COMPLEX128)
            r = const_round64(&c->cctx, v);
    } else if (type_is_string(t)) {
        if (ck != CONST_STRING)
            return false;
    } else if (type_is_bool(t)) {
        if (ck != CONST_BOOL)
            return false;
    } else {
        return false;
    }
    if (!r)
        return false;
    if (out)
        *out = r;
    return true;
}

static enum conv_code
representation(struct check *c, struct ast_expr *e, struct type *t,
    const struct constv **out)
{
    if (check_fits(c, e->cv, t, out))
        return CONV_OK;
    if (type_is_numeric(e->type) && type_is_numeric(t))
        return !type_is_integer(e->type) && type_is_integer(t) ? CONV_TRUNCATED
                                                               : CONV_OVERFLOW;
    return CONV_BAD;
}

static void
conversion_error(
    struct check *c, struct ast_expr *e, struct type *t, enum conv_code code)
{
    const char *x = check_operand_str(c, e), *ts = type_str(c, t);
    lang_pos pos = ast_expr_start(e);

    if (code == CONV_TRUNCATED)
        check_errf(c, pos, "%s truncated to %s", x, ts);
    else if (code == CONV_OVERFLOW)
        check_errf(c, pos, "%s overflows %s", x, ts);
    else
        check_errf(c, pos, "cannot convert %s to type %s", x, ts);
    check_set_invalid(c, e);
}

void
check_representable(struct check *c, struct ast_expr *e, struct type *t)
{
    const struct constv *v;
    enum conv_code code = representation(c, e, t, &v);

    if (code != CONV_OK)
        conversion_error(c, e, t, code);
    else
        e->cv = v;
}

static const char *
overflow_op(const struct ast_expr *e)
{
    if (e->kind == EXPR_UNARY)
        return e->op == TOK_XOR ? "bitwise complement " : "";
    if (e->kind != EXPR_BINARY)
        return "";
    switch (e->op) {
    case TOK_ADD:
        return "addition ";
    case TOK_SUB:
        return "subtraction ";
    case TOK_XOR:
        return "bitwise XOR ";
    case TOK_MUL:
        return "multiplication ";
    case TOK_SHL:
        return "shift ";
    default:
        return "";
    }
}

void
check_overflow(struct check *c, struct ast_expr *e, lang_pos pos)
{
    if (const_kind(e->cv) == CONST_UNKNOWN) {
        check_errf(c, pos, "constant result is not representable");
        return;
    }
    if (!type_is_untyped(e->type)) {
        check_representable(c, e, type_under(e->type));
        return;
    }
    if (type_is_integer(e->type) && const_bit_len(e->cv) > 512) {
        check_errf(c, pos, "constant %soverflow", overflow_op(e));
        e->cv = const_unknown();
    }
}

/* ---- untyped operands --------------------------------------------------- */

static bool
is_comparison(int op)
{
    return op >= TOK_EQL && op <= TOK_GEQ;
}

static bool
is_shift(int op)
{
    return op == TOK_SHL || op == TOK_SHR;
}

/* One node: reports a shifted operand of non-integer type, rounds constants.
 * False where what is below must not be visited. */
static bool
update_node(struct check *c, struct ast_expr *e, struct type *t, bool shifted)
{
    if (e->mode == MODE_NONE || !e->type || !type_is_untyped(e->type))
        return false;
    if (type_is_untyped(t)) {
        e->type = t;
        return !e->cv;
    }
    if (shifted && e->cv && e->kind != EXPR_PAREN &&
        !type_all(t, type_is_integer)) {
        check_errf(c, ast_expr_start(e),
            "invalid operation: shifted operand %s (type %s) must be integer",
            check_expr_str(c, e), type_str(c, t));
        check_set_invalid(c, e);
        return false;
    }
    if (e->cv) {
        struct type *nt;
        const struct constv *v = e->cv;
        enum conv_code code = check_implicit_type(c, e, t, &nt, &v);

        if (code != CONV_OK) {
            conversion_error(c, e, type_under(t), code);
            return false;
        }
        e->cv = v;
        e->type = nt;
        return false;
    }
    e->type = t;
    return true;
}

/* Left operands come before right ones, as for Go's compiler, which of equal
 * messages in one line keeps the first.  A chain of operators leans to the
 * left: it is walked down in a loop, and its right operands wait. */
static void
update(struct check *c, struct ast_expr *e, struct type *t, bool shifted)
{
    struct ast_expr **right = NULL;
    uint32_t n = 0, cap = 0;

    while (update_node(c, e, t, shifted)) {
        if (e->kind == EXPR_PAREN) {
            e = e->x;
            continue;
        }
        shifted = false;
        if (e->kind == EXPR_UNARY) {
            e = e->unary.x;
        } else if (e->kind == EXPR_BINARY && !is_comparison(e->op)) {
            if (is_shift(e->op))
                shifted = true;
            else
                CHECK_PUSH(c, right, n, cap, e->binary.y);
            e = e->binary.x;
        } else {
            break;
        }
    }
    while (n > 0)
        update(c, right[--n], t, false);
}

void
check_update_type(struct check *c, struct ast_expr *e, struct type *t)
{
    update(c, e, t, false);
}

/* The larger of two untyped kinds, NULL where they do not mix. */
static struct type *
max_type(struct type *a, struct type *b)
{
    if (a == b)
        return a;
    if (type_is_untyped(a) && type_is_untyped(b) && type_is_numeric(a) &&
        type_is_numeric(b))
        return a->kind > b->kind ? a : b;
    return NULL;
}

static bool
untyped_suits(struct type *from, struct type *to)
{
    if (from->kind == TYPE_UNTYPED_BOOL)
        return type_is_bool(to);
    if (from->kind == TYPE_UNTYPED_STRING)
        return type_is_string(to);
    return type_is_numeric(from) && type_is_numeric(to);
}

/* An untyped operand that is to become each type of a parameter's set. */
struct each_type {
    struct check *c;
    struct ast_expr *e;
};

static bool
suits_term(struct type *t, struct type *u, void *arg)
{
    struct each_type *each = arg;
    struct type *nt;
    const struct constv *v = each->e->cv;

    (void)t;
    return u && check_implicit_type(each->c, each->e, u, &nt, &v) == CONV_OK;
}

enum conv_code
check_implicit_type(struct check *c, struct ast_expr *e, struct type *target,
    struct type **type, const struct constv **val)
{
    struct type *u = type_under(target);

    *type = e->type;
    if (e->mode == MODE_NONE || !type_is_untyped(e->type) || !is_valid(u))
        return CONV_OK;
    if (type_is_untyped(target)) {
        *type = max_type(e->type, target);
        return *type ? CONV_OK : CONV_BAD;
    }
    *type = target;
    if (is_nil(e))
        return type_has_nil(target) ? CONV_OK : CONV_BAD;
    if (u->kind == TYPE_PARAM) {
        struct each_type each = {c, e};

        return type_each_term(u, suits_term, &each) ? CONV_OK : CONV_BAD;
    }
    if (u->kind <= TYPE_UNSAFE_POINTER) {
        if (is_const(e))
            return representation(c, e, u, val);
        return untyped_suits(e->type, target) ? CONV_OK : CONV_BAD;
    }
    if (u->kind == TYPE_INTERFACE) {
        check_iface_complete(c, u);
        if (u->nvars || u->iface->comparable)
            return CONV_BAD;
        *type = check_default_type(c, e->type);
        if (is_const(e))
            return representation(c, e, *type, val);
        return CONV_OK;
    }
    return CONV_BAD;
}

void
check_convert_untyped(struct check *c, struct ast_expr *e, struct type *target)
{
    struct type *t;
    const struct constv *v = e->cv;
    enum conv_code code = check_implicit_type(c, e, target, &t, &v);

    if (code != CONV_OK) {
        conversion_error(c, e, type_under(target), code);
        return;
    }
    if (e->mode == MODE_NONE)
        return;
    if (t == e->type)
        return;
    if (is_nil(e)) {
        e->type = t;
        return;
    }
    update(c, e, t, false);
}

/* ---- assignability ------------------------------------------------------ */

static bool
is_iface_ptr(struct type *u)
{
    return u->kind == TYPE_POINTER && type_is_interface(u->elem);
}

static bool
has_name(const struct type *t)
{
    return t->kind <= TYPE_NAMED || t->kind == TYPE_PARAM;
}

/* A question about each type of a parameter's type set. */
struct each_assign {
    struct check *c;
    struct ast_expr *x;
    struct type *V, *T; /* one of them is the parameter */
    const char **cause;
};

static bool
assign_term(struct type *t, struct type *u, void *arg)
{
    struct each_assign *a = arg;
    struct check *c = a->c;
    bool to = a->T->kind == TYPE_PARAM;
    struct ast_expr *y;
    const char *text;

    (void)u;
    if (!t)
        return false;
    y = CHECK_NEW(c, struct ast_expr);
    y->kind = EXPR_BAD;
    y->mode = MODE_VALUE;
    y->x = a->x;
    y->type = to ? a->V : t;
    if (check_assignable(c, y, to ? t : a->T, a->cause))
        return true;
    if (!a->cause)
        return false;
    if (to)
        text = check_sprintf(c, "cannot assign %s to %s (in %s)",
            type_str(c, a->V), type_str(c, t), type_str(c, a->T));
    else
        text = check_sprintf(c, "cannot assign %s (in %s) to %s",
            type_str(c, t), type_str(c, a->V), type_str(c, a->T));
    *a->cause = *a->cause && **a->cause
                    ? check_sprintf(c, "%s\n\t%s", text, *a->cause)
                    : text;
    return false;
}

/* Where V or T is a type parameter, or both: what is right for each type in
 * its set, if the other one has no name. */
static bool
assignable_param(struct check *c, struct ast_expr *x, struct type *V,
    struct type *T, const char **cause)
{
    struct each_assign a = {c, x, V, T, cause};

    if (T->kind == TYPE_PARAM && !has_name(V))
        return type_each_term(T, assign_term, &a);
    if (V->kind == TYPE_PARAM && !has_name(T))
        return type_each_term(V, assign_term, &a);
    return false;
}

bool
check_assignable(
    struct check *c, struct ast_expr *x, struct type *T, const char **cause)
{
    struct type *V = x->type, *Vu, *Tu;
    struct type *nt;
    const struct constv *v = x->cv;

    if (x->mode == MODE_NONE || !is_valid(V) || !is_valid(T))
        return true;
    if (type_identical(V, T))
        return true;
    Vu = type_under(V);
    Tu = type_under(T);
    if (!is_valid(Vu) || !is_valid(Tu))
        return true;
    if (type_is_untyped(V))
        return check_implicit_type(c, x, T, &nt, &v) == CONV_OK;
    if (Vu->kind == TYPE_INTERFACE)
        check_iface_complete(c, Vu);
    if (Tu->kind == TYPE_INTERFACE)
        check_iface_complete(c, Tu);
    if ((!has_name(V) || !has_name(T)) && type_identical(Vu, Tu))
        return true;
    if (Tu->kind == TYPE_INTERFACE || is_iface_ptr(Tu)) {
        if (type_implements(c, V, T, false, cause))
            return true;
        if (V->kind != TYPE_PARAM)
            return false;
        if (cause)
            *cause = "";
    }
    if (Vu->kind == TYPE_INTERFACE && type_implements(c, T, V, false, NULL)) {
        if (cause)
            *cause = "need type assertion";
        return false;
    }
    if (Vu->kind == TYPE_CHAN && Vu->dir == TYPE_BOTH &&
        Tu->kind == TYPE_CHAN && type_identical(Vu->elem, Tu->elem))
        return V->kind != TYPE_NAMED || T->kind != TYPE_NAMED;
    if (V->kind == TYPE_PARAM || T->kind == TYPE_PARAM)
        return assignable_param(c, x, V, T, cause);
    return false;
}

static const char *
context_str(struct check *c, const char *context)
{
    if (context != check_arg_context)
        return context;
    return check_sprintf(
        c, "argument to %s", check_expr_str(c, c->in->call_fun));
}

bool
check_single(struct check *c, struct ast_expr *e)
{
    if (e->mode == MODE_TUPLE) {
        check_errf(c, ast_expr_start(e),
            "multiple-value %s in single-value context",
            check_operand_str(c, e));
        check_set_invalid(c, e);
        return false;
    }
    return e->mode != MODE_NONE;
}

static bool
assign_untyped(
    struct check *c, struct ast_expr *x, struct type *T, const char *context)
{
    struct type *target = T, *nt;
    const struct constv *v = x->cv;
    enum conv_code code;

    if (is_nil(x)) {
        if (!T) {
            check_errf(c, ast_expr_start(x), "use of untyped nil in %s",
                context_str(c, context));
            check_set_invalid(c, x);
            return false;
        }
    } else if (!T || type_is_interface(T)) {
        target = check_default_type(c, x->type);
    }
    code = check_implicit_type(c, x, target, &nt, &v);
    if (code != CONV_OK) {
        check_errf(c, ast_expr_start(x), "cannot use %s as %s value in %s%s",
            check_operand_str(c, x), type_str(c, target),
            context_str(c, context),
            code == CONV_TRUNCATED  ? " (truncated)"
            : code == CONV_OVERFLOW ? " (overflows)"
                                    : "");
        check_set_invalid(c, x);
        return false;
    }
    if (is_nil(x))
        x->type = nt;
    else if (nt != x->type)
        update(c, x, nt, false);
    return x->mode != MODE_NONE;
}

bool
check_assignment(
    struct check *c, struct ast_expr *x, struct type *T, const char *context)
{
    const char *cause = NULL;

    if (!check_single(c, x))
        return false;
    if (x->mode == MODE_NOVALUE || x->mode == MODE_BUILTIN ||
        x->mode == MODE_TYPE) {
        check_errf(c, ast_expr_start(x), "cannot assign %s to %s in %s",
            check_operand_str(c, x), T ? type_str(c, T) : "_",
            context_str(c, context));
        check_set_invalid(c, x);
        return false;
    }
    if (type_is_untyped(x->type) && !assign_untyped(c, x, T, context))
        return false;
    if (!T)
        return true;
    if (check_assignable(c, x, T, &cause))
        return true;
    if (cause && *cause)
        check_errf(c, ast_expr_start(x), "cannot use %s as %s value in %s: %s",
            check_operand_str(c, x), type_str(c, T), context_str(c, context),
            cause);
    else
        check_errf(c, ast_expr_start(x), "cannot use %s as %s value in %s",
            check_operand_str(c, x), type_str(c, T), context_str(c, context));
    check_set_invalid(c, x);
    return false;
}

/* A stand-in node (see check_expr_str()) carries the type, so that one set of rules
 * serves values that no expression of their own denotes. */
bool
check_assign_type(struct check *c, lang_pos pos, struct ast_expr *shown,
    struct type *V, struct type *T, const char *context)
{
    struct ast_expr *x = CHECK_NEW(c, struct ast_expr);

    x->kind = EXPR_BAD;
    x->pos = pos;
    x->x = shown;
    x->mode = V == shown->type ? shown->mode : MODE_VALUE;
    if (x->mode != MODE_COMMAOK && x->mode != MODE_MAPINDEX)
        x->mode = MODE_VALUE;
    x->type = V;
    return check_assignment(c, x, T, context);
}
