/* SPDX-License-Identifier: MIT */
/* Types. */
#include "runtime/lang/syntax/parse_int.h"

static struct ast_expr *
wrap(
    struct parser *p, enum ast_expr_kind kind, lang_pos pos, struct ast_expr *x)
{
    struct ast_expr *e = parse_expr_node(p, kind, pos, EXPR_SIZE(x));

    e->x = x;
    return e;
}

struct ast_field *
parse_field_node(struct parser *p, lang_pos pos)
{
    struct ast_field *f = parse_alloc(p, sizeof *f);

    if (f == NULL)
        f = &p->spare_field;
    f->pos = pos;
    return f;
}

struct ast_expr *
parse_type(struct parser *p)
{
    struct ast_expr *t = parse_type_or_null(p);

    if (t != NULL)
        return t;
    t = parse_bad_expr(p);
    parse_error(p, "expected type");
    parse_advance(p, UNTIL(TOK_COMMA, TOK_COLON, TOK_SEMI, TOK_RPAREN,
                         TOK_RBRACK, TOK_RBRACE));
    return t;
}

/* Behind `chan`, `chan<-` or `<-chan`. */
static struct ast_expr *
chan_elem(struct parser *p)
{
    struct ast_expr *t = parse_type_or_null(p);

    if (t == NULL) {
        t = parse_bad_expr(p);
        parse_error(p, "missing channel element type");
    }
    return t;
}

static struct ast_expr *
chan_type(struct parser *p)
{
    struct ast_expr *t =
        parse_expr_node(p, EXPR_CHAN, parse_pos(p), EXPR_SIZE(elem));

    if (got(p, TOK_ARROW)) {
        parse_want(p, TOK_CHAN);
        t->op = CHAN_RECV;
    } else {
        next(p);
        if (got(p, TOK_ARROW))
            t->op = CHAN_SEND;
    }
    t->elem = chan_elem(p);
    return t;
}

static struct ast_expr *
map_type(struct parser *p)
{
    struct ast_expr *t =
        parse_expr_node(p, EXPR_MAP, parse_pos(p), EXPR_SIZE(map));

    next(p);
    parse_want(p, TOK_LBRACK);
    t->map.key = parse_type(p);
    parse_want(p, TOK_RBRACK);
    t->map.value = parse_type(p);
    return t;
}

struct ast_expr *
parse_slice_type(struct parser *p, lang_pos pos)
{
    struct ast_expr *t =
        parse_expr_node(p, EXPR_SLICETYPE, pos, EXPR_SIZE(elem));

    t->elem = parse_type(p);
    return t;
}

struct ast_expr *
parse_array_type(struct parser *p, lang_pos pos, struct ast_expr *len)
{
    struct ast_expr *t = parse_expr_node(p, EXPR_ARRAY, pos, EXPR_SIZE(array));

    if (len == NULL) {
        if (got(p, TOK_DOTDOTDOT)) {
            t->flags |= AST_F_DOTS;
        } else {
            p->xnest++;
            len = parse_expr(p);
            p->xnest--;
        }
    }
    if (at(p, TOK_COMMA)) {
        parse_error(p, "unexpected comma; expected ]");
        next(p);
    }
    parse_want(p, TOK_RBRACK);
    t->array.len = len;
    t->array.elem = parse_type(p);
    return t;
}

/* `[` ...: an array or slice type. */
static struct ast_expr *
bracket_type(struct parser *p)
{
    lang_pos pos = parse_pos(p);

    next(p);
    if (got(p, TOK_RBRACK))
        return parse_slice_type(p, pos);
    return parse_array_type(p, pos, NULL);
}

static struct ast_expr *
func_type(struct parser *p)
{
    lang_pos pos = parse_pos(p);
    struct ast_expr *t;

    next(p);
    t = parse_expr_node(p, EXPR_FUNCTYPE, parse_pos(p), EXPR_SIZE(sig));
    t->sig = parse_signature(p, pos, "function type");
    return t;
}

/* name, pkg.name, either with type arguments; x NULL = not parsed yet. */
struct ast_expr *
parse_qualified_name(struct parser *p, struct ast_expr *x)
{
    struct ast_expr *e;
    lang_pos pos;
    int comma;

    if (x == NULL && at(p, TOK_NAME)) {
        x = parse_name_expr(p);
    } else if (x == NULL) {
        struct ast_ident blank = {p->c->names->blank, parse_pos(p)};

        x = parse_ident_expr(p, blank);
        parse_error(p, "expected name");
        parse_advance(p, UNTIL(TOK_DOT, TOK_SEMI, TOK_RBRACE));
    }
    if (at(p, TOK_DOT)) {
        e = parse_expr_node(
            p, EXPR_SELECTOR, parse_pos(p), EXPR_SIZE(selector));
        next(p);
        e->selector.x = x;
        e->selector.sel = parse_ident(p);
        x = e;
    }
    if (!at(p, TOK_LBRACK))
        return x;
    pos = parse_pos(p);
    e = parse_expr_node(p, EXPR_INDEX, pos, EXPR_SIZE(index));
    next(p);
    p->xnest++;
    e->index.x = x;
    if (at(p, TOK_RBRACK)) {
        uint32_t mark = p->ntmp;

        parse_error(p, "expected type argument list");
        parse_push(p, parse_bad_expr(p));
        e->index.at.at = parse_list_end(p, mark, &e->index.at.n);
    } else {
        e->index.at = parse_type_list(p, 1, &comma);
    }
    p->xnest--;
    e->index.rbrack = parse_pos(p);
    parse_want(p, TOK_RBRACK);
    return e;
}

/* struct. */

/* Pushes a field for each name (one embedded field if there is none). */
static void
add_fields(struct parser *p, struct ast_ident *names, uint32_t n, lang_pos pos,
    struct ast_expr *type)
{
    struct ast_expr *tag = parse_literal_or_null(p);
    struct ast_field *f;
    uint32_t i;

    if (n == 0) {
        f = parse_field_node(p, pos);
        f->embedded = 1;
        f->type = type;
        f->tag = tag;
        parse_push(p, f);
    }
    for (i = 0; i < n; i++) {
        f = parse_field_node(p, names[i].pos);
        f->name = names[i];
        f->type = type;
        f->tag = tag;
        parse_push(p, f);
    }
}

/*
 * `name [` ...: type arguments of name, or an array or slice type.  Returns
 * an EXPR_INDEX without x, or the type.
 */
struct ast_expr *
parse_array_or_targs(struct parser *p)
{
    lang_pos pos = parse_pos(p), rbrack;
    struct ast_exprs list;
    struct ast_expr *e, *elem;
    int comma;

    next(p);
    if (got(p, TOK_RBRACK))
        return parse_slice_type(p, pos);
    p->xnest++;
    list = parse_type_list(p, 0, &comma);
    p->xnest--;
    rbrack = parse_pos(p);
    parse_want(p, TOK_RBRACK);
    if (!comma && list.n == 1) {
        elem = parse_type_or_null(p);
        if (elem != NULL) {
            e = parse_expr_node(p, EXPR_ARRAY, pos, EXPR_SIZE(array));
            e->array.len = list.at[0];
            e->array.elem = elem;
            return e;
        }
    }
    e = parse_expr_node(p, EXPR_INDEX, pos, EXPR_SIZE(index));
    e->index.at = list;
    e->index.rbrack = rbrack;
    return e;
}

static void
named_field(struct parser *p)
{
    struct ast_ident id = parse_ident(p), *names;
    struct ast_expr *type;
    uint32_t n;

    if (at(p, TOK_DOT) || at(p, TOK_LITERAL) || at(p, TOK_SEMI) ||
        at(p, TOK_RBRACE)) {
        type = parse_qualified_name(p, parse_ident_expr(p, id));
        add_fields(p, NULL, 0, id.pos, type);
        return;
    }
    names = parse_ident_list(p, id, &n);
    if (n == 1 && at(p, TOK_LBRACK)) {
        type = parse_array_or_targs(p);
        if (type->kind == EXPR_INDEX) {
            type->index.x = parse_ident_expr(p, id);
            add_fields(p, NULL, 0, id.pos, type);
            return;
        }
    } else {
        type = parse_type(p);
    }
    add_fields(p, names, n, id.pos, type);
}

static int
struct_field(struct parser *p, void *arg)
{
    lang_pos pos = parse_pos(p), star = 0;
    struct ast_expr *type;
    int paren;

    (void)arg;
    if (at(p, TOK_NAME)) {
        named_field(p);
        return 0;
    }
    if (!at(p, TOK_MUL) && !at(p, TOK_LPAREN)) {
        parse_error(p, "expected field name or embedded type");
        parse_advance(p, UNTIL(TOK_SEMI, TOK_RBRACE));
        return 0;
    }
    paren = at(p, TOK_LPAREN);
    if (at(p, TOK_MUL))
        star = parse_pos(p);
    else
        parse_error(p, "cannot parenthesize embedded type");
    next(p);
    if (!paren && at(p, TOK_LPAREN)) {
        parse_error(p, "cannot parenthesize embedded type");
        next(p);
        paren = 1;
    } else if (paren && at(p, TOK_MUL)) {
        star = parse_pos(p);
        next(p);
    }
    type = parse_qualified_name(p, NULL);
    if (paren)
        got(p, TOK_RPAREN);
    if (star != 0)
        type = wrap(p, EXPR_STAR, star, type);
    add_fields(p, NULL, 0, pos, type);
    return 0;
}

static struct ast_expr *
struct_type(struct parser *p)
{
    struct ast_expr *t =
        parse_expr_node(p, EXPR_STRUCT, parse_pos(p), EXPR_SIZE(struct_));
    uint32_t mark = p->ntmp;

    next(p);
    parse_want(p, TOK_LBRACE);
    t->struct_.rbrace =
        parse_list(p, "struct type", TOK_SEMI, TOK_RBRACE, struct_field, NULL);
    t->struct_.fields.at = parse_list_end(p, mark, &t->struct_.fields.n);
    return t;
}

/* interface and constraints. */

static struct ast_expr *
embedded_term(struct parser *p)
{
    struct ast_expr *t;
    lang_pos pos = parse_pos(p);

    if (got(p, TOK_TILDE)) {
        t = parse_expr_node(p, EXPR_UNARY, pos, EXPR_SIZE(unary));
        t->op = TOK_TILDE;
        t->unary.x = parse_type(p);
        return t;
    }
    t = parse_type_or_null(p);
    if (t == NULL) {
        t = parse_bad_expr(p);
        parse_error(p, "expected ~ term or type");
        parse_advance(
            p, UNTIL(TOK_OROR, TOK_ANDAND, TOK_EQL, TOK_NEQ, TOK_LSS, TOK_LEQ,
                   TOK_GTR, TOK_GEQ, TOK_ADD, TOK_SUB, TOK_OR, TOK_XOR, TOK_QUO,
                   TOK_REM, TOK_AND, TOK_AND_NOT, TOK_SHL, TOK_SHR, TOK_NOT,
                   TOK_TILDE, TOK_SEMI, TOK_RPAREN, TOK_RBRACK, TOK_RBRACE));
    }
    return t;
}

/* A union, whose first term may be there already (else NULL). */
struct ast_expr *
parse_embedded_elem(struct parser *p, struct ast_expr *t)
{
    struct ast_expr *e;

    if (t == NULL)
        t = embedded_term(p);
    while (at(p, TOK_OR)) {
        e = parse_expr_node(p, EXPR_BINARY, parse_pos(p), EXPR_SIZE(binary));
        next(p);
        e->op = TOK_OR;
        e->binary.x = t;
        e->binary.y = embedded_term(p);
        t = e;
    }
    return t;
}

static void
method(struct parser *p, struct ast_field *f, struct ast_ident name)
{
    f->name = name;
    f->type = parse_expr_node(p, EXPR_FUNCTYPE, name.pos, EXPR_SIZE(sig));
    f->type->sig = parse_signature(p, name.pos, "interface method");
}

/* `name [` in an interface: type arguments of an embedded type, or, wrongly,
 * type parameters of a method. */
static void
bracket_elem(struct parser *p, struct ast_field *f, struct ast_ident name)
{
    lang_pos pos = parse_pos(p), end;
    struct ast_fields list;
    uint32_t mark, i;

    next(p);
    if (at(p, TOK_RBRACK)) {
        end = parse_pos(p);
        next(p);
        if (at(p, TOK_LPAREN)) {
            parse_plain_error_at(p, end, "empty type parameter list");
            method(p, f, name);
        } else {
            parse_plain_error_at(p, end, "empty type argument list");
            f->type = parse_ident_expr(p, name);
        }
        return;
    }
    list = parse_params(p, NULL, NULL, PARAMS_ARGS);
    if (list.n == 0) {
        if (p->c->diag->nmsg == p->first_msg)
            parse_plain_error_at(p, pos, "empty type parameter list");
        if (at(p, TOK_LPAREN))
            method(p, f, name);
        else
            f->type = parse_ident_expr(p, name);
        return;
    }
    if (list.at[0]->name.name != NULL) {
        method(p, f, name);
        parse_plain_error_at(
            p, pos, "interface method must have no type parameters");
        return;
    }
    f->type = parse_expr_node(p, EXPR_INDEX, pos, EXPR_SIZE(index));
    f->type->index.x = parse_ident_expr(p, name);
    f->type->index.rbrack = pos;
    mark = p->ntmp;
    for (i = 0; i < list.n; i++)
        parse_push(p, list.at[i]->type);
    f->type->index.at.at = parse_list_end(p, mark, &f->type->index.at.n);
}

static int
interface_elem(struct parser *p, void *arg)
{
    struct ast_field *f = parse_field_node(p, parse_pos(p));
    struct ast_ident name;

    (void)arg;
    if (at(p, TOK_NAME)) {
        name = parse_ident(p);
        if (at(p, TOK_LPAREN))
            method(p, f, name);
        else if (at(p, TOK_LBRACK))
            bracket_elem(p, f, name);
        else
            f->type = parse_qualified_name(p, parse_ident_expr(p, name));
    }
    if (f->name.name == NULL) {
        f->type = parse_embedded_elem(p, f->type);
        f->embedded = 1;
    }
    parse_push(p, f);
    return 0;
}

static struct ast_expr *
interface_type(struct parser *p)
{
    struct ast_expr *t =
        parse_expr_node(p, EXPR_INTERFACE, parse_pos(p), EXPR_SIZE(iface));
    uint32_t mark = p->ntmp;

    next(p);
    parse_want(p, TOK_LBRACE);
    t->iface.rbrace = parse_list(
        p, "interface type", TOK_SEMI, TOK_RBRACE, interface_elem, NULL);
    t->iface.elems.at = parse_list_end(p, mark, &t->iface.elems.n);
    return t;
}

/* Any type. */

static struct ast_expr *
paren_type(struct parser *p)
{
    struct ast_expr *t;

    next(p);
    t = parse_expr_node(p, EXPR_PAREN, parse_pos(p), EXPR_SIZE(x));
    t->x = parse_type(p);
    parse_want(p, TOK_RPAREN);
    return t;
}

static struct ast_expr *
pointer_type(struct parser *p)
{
    lang_pos pos = parse_pos(p);

    next(p);
    return wrap(p, EXPR_STAR, pos, parse_type(p));
}

static struct ast_expr *
composite_type(struct parser *p)
{
    switch (p->s.tok) {
    case TOK_MUL:
        return pointer_type(p);
    case TOK_ARROW:
    case TOK_CHAN:
        return chan_type(p);
    case TOK_FUNC:
        return func_type(p);
    case TOK_LBRACK:
        return bracket_type(p);
    case TOK_MAP:
        return map_type(p);
    case TOK_STRUCT:
        return struct_type(p);
    case TOK_INTERFACE:
        return interface_type(p);
    case TOK_NAME:
        return parse_qualified_name(p, NULL);
    default:
        return paren_type(p);
    }
}

struct ast_expr *
parse_type_or_null(struct parser *p)
{
    struct ast_expr *t;
    uint32_t saved;

    switch (p->s.tok) {
    case TOK_MUL:
    case TOK_ARROW:
    case TOK_CHAN:
    case TOK_FUNC:
    case TOK_LBRACK:
    case TOK_MAP:
    case TOK_STRUCT:
    case TOK_INTERFACE:
    case TOK_NAME:
    case TOK_LPAREN:
        break;
    default:
        return NULL;
    }
    if (!parse_enter(p, &saved))
        return parse_bad_expr(p);
    t = composite_type(p);
    parse_leave(p, saved);
    return t;
}
