/* SPDX-License-Identifier: MIT */

/* Expressions: the dispatch, literals, unary operators and assertions. */

#include <string.h>

#include "runtime/lang/syntax/scan.h"
#include "runtime/lang/syntax/uniclass.h"
#include "runtime/lang/types/check_int.h"

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

/* What an older language does not have in numbers. */
static void
check_lit_lang(struct check *c, const struct ast_expr *e)
{
    const char *s = e->lit.text;
    int radix = e->lit.len > 2 && s[0] == '0' ? s[1] | 32 : 0;

    if (e->lit.len <= 2)
        return;
    if (memchr(s, '_', e->lit.len))
        check_allows(c, e->pos, 13, "underscore in numeric literal");
    else if (radix == 'b')
        check_allows(c, e->pos, 13, "binary literal");
    else if (radix == 'o')
        check_allows(c, e->pos, 13, "0o/0O-style octal literal");
    else if (radix == 'x' && e->op != LIT_INT)
        check_allows(c, e->pos, 13, "hexadecimal floating-point literal");
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
        check_lit_lang(c, e);
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

/* Why nothing can be received from a t (*arg) or sent to it. */
static const char *
not_chan(struct check *c, struct type *t, struct type *u, void *arg)
{
    const bool *recv = arg;

    if (!u)
        return "no specific channel type";
    if (u->kind != TYPE_CHAN)
        return check_sprintf(c, "non-channel %s", type_str(c, t));
    if (*recv && u->dir == TYPE_SEND)
        return check_sprintf(c, "send-only channel %s", type_str(c, t));
    if (!*recv && u->dir == TYPE_RECV)
        return check_sprintf(c, "receive-only channel %s", type_str(c, t));
    return NULL;
}

struct type *
check_chan_elem(struct check *c, lang_pos pos, struct ast_expr *x, bool recv)
{
    const char *why = NULL, *what = recv ? "receive from" : "send to";
    struct type *t;

    if (!is_valid(type_under(x->type)))
        return NULL;
    t = type_common(c, x->type, not_chan, &recv, &why);
    if (t)
        return t->elem;
    if (x->type->kind == TYPE_PARAM)
        check_errf(c, pos, "invalid operation: cannot %s %s: %s", what,
            check_operand_str(c, x), why);
    else
        check_errf(c, pos, "invalid operation: cannot %s %s %s", what, why,
            check_operand_str(c, x));
    return NULL;
}

static bool
unary_defined(int op, struct type *t)
{
    switch (op) {
    case TOK_ADD:
    case TOK_SUB:
        return type_all(t, type_is_numeric);
    case TOK_XOR:
        return type_all(t, type_is_integer);
    default:
        return type_all(t, type_is_bool);
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
            type_all(x->type, type_is_integer)
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

static bool
is_pointer(struct type *t)
{
    return type_kind_of(t) == TYPE_POINTER;
}

static void
check_star(struct check *c, struct ast_expr *e)
{
    const char *why = NULL;
    struct ast_expr *x = e->x;
    struct type *t;

    check_expr_or_type(c, x);
    if (x->mode == MODE_NONE)
        return;
    if (x->mode == MODE_TYPE) {
        check_no_constraint(c, x->type, x);
        e->mode = MODE_TYPE;
        e->type = type_pointer(c, x->type);
        return;
    }
    if (is_nil(x) || x->mode == MODE_BUILTIN) {
        check_errf(c, ast_expr_start(x),
            "invalid operation: cannot indirect %s", check_operand_str(c, x));
        return;
    }
    if (!type_all(x->type, is_pointer)) {
        if (is_valid(type_under(x->type)))
            check_errf(c, ast_expr_start(x),
                "invalid operation: cannot indirect %s",
                check_operand_str(c, x));
        return;
    }
    t = type_common(c, x->type, NULL, NULL, &why);
    if (!t) {
        check_errf(c, ast_expr_start(x),
            "invalid operation: cannot indirect %s: %s",
            check_operand_str(c, x), why);
        return;
    }
    e->mode = MODE_VAR;
    e->type = t->elem;
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
    if (x->type->kind == TYPE_PARAM) {
        check_errf(c, ast_expr_start(x),
            "invalid operation: cannot use type assertion on type parameter "
            "value %s",
            check_operand_str(c, x));
        return;
    }
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

/* Evaluates e, which may be generic and lack type arguments. */
static enum expr_kind
raw_generic(struct check *c, struct ast_expr *e, struct type *hint)
{
    enum expr_kind k;

    check_set_invalid(c, e);
    if (check_too_deep(c, e->pos, "expressions are nested"))
        return XK_STATEMENT;
    e->flags &= (uint8_t) ~(AST_F_COMMAOK | AST_F_CONVERSION | AST_F_ADDR);
    k = raw(c, e, hint);
    if (e->mode == MODE_NONE)
        return XK_STATEMENT;
    if (e->mode >= MODE_VAR && e->mode != MODE_NIL && check_pending(c, e))
        return XK_STATEMENT;
    return k;
}

void
check_not_generic(
    struct check *c, struct ast_expr *e, const struct target *target)
{
    if (check_is_generic_func(e)) {
        check_generic_value(c, e, target);
    } else if (check_is_generic(e)) {
        check_errf(c, ast_expr_start(e),
            "cannot use generic type %s without instantiation",
            check_expr_str(c, e));
        check_set_invalid(c, e);
    }
}

enum expr_kind
check_raw(struct check *c, struct ast_expr *e, struct type *hint)
{
    const struct target *target = c->in->target;
    enum expr_kind k;

    c->in->target = NULL; /* not for what is inside */
    k = raw_generic(c, e, hint);
    if (e->mode == MODE_VALUE || e->mode == MODE_TYPE)
        check_not_generic(c, e, target);
    return k;
}

/* Reports what may not be used as a value. */
static void
exclude(struct check *c, struct ast_expr *e, bool type_ok, bool builtin_ok)
{
    const char *why;

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
check_multi(struct check *c, struct ast_expr *e, bool generic)
{
    if (generic)
        raw_generic(c, e, NULL);
    else
        check_raw(c, e, NULL);
    exclude(c, e, false, false);
}

void
check_generic_expr(struct check *c, struct ast_expr *e)
{
    raw_generic(c, e, NULL);
    exclude(c, e, false, false);
    check_single(c, e);
}

void
check_expr_for(
    struct check *c, struct ast_expr *e, struct type *T, const char *desc)
{
    struct type *u = T ? type_under(T) : NULL;
    struct target target = {u, desc};

    if (u && u->kind == TYPE_FUNC)
        c->in->target = &target;
    check_expr(c, e);
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

void
check_generic_or_type(struct check *c, struct ast_expr *e)
{
    raw_generic(c, e, NULL);
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
        raw_generic(c, e, NULL);
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
