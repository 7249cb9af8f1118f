/* SPDX-License-Identifier: MIT */
/* Expressions. */
#include "runtime/lang/syntax/parse_int.h"

#include <stdio.h>

struct ast_expr *
parse_ident_expr(struct parser *p, struct ast_ident id)
{
    struct ast_expr *e = parse_expr_node(p, EXPR_NAME, id.pos, EXPR_SIZE(name));

    e->name = id.name;
    return e;
}

struct ast_expr *
parse_name_expr(struct parser *p)
{
    return parse_ident_expr(p, parse_ident(p));
}

struct ast_expr *
parse_literal_or_null(struct parser *p)
{
    struct ast_expr *e;

    if (!at(p, TOK_LITERAL))
        return NULL;
    e = parse_expr_node(p, EXPR_LIT, parse_pos(p), EXPR_SIZE(lit));
    e->op = p->s.lit;
    e->lit.text = (const char *)p->s.text + p->s.off;
    e->lit.len = (uint32_t)(p->s.p - p->s.text) - p->s.off;
    e->lit.bad = p->s.bad;
    next(p);
    return e;
}

/* Operands. */

static struct ast_expr *
paren(struct parser *p)
{
    struct ast_expr *e =
        parse_expr_node(p, EXPR_PAREN, parse_pos(p), EXPR_SIZE(x));

    next(p);
    p->xnest++;
    e->x = parse_expr(p);
    p->xnest--;
    parse_want(p, TOK_RPAREN);
    return e;
}

/* A function literal or a function type. */
static struct ast_expr *
func_operand(struct parser *p)
{
    lang_pos pos = parse_pos(p), sig_pos;
    struct ast_signature *sig;
    struct ast_expr *e;
    struct ast_func *f;

    next(p);
    sig_pos = parse_pos(p);
    sig = parse_signature(p, pos, "function type");
    if (!at(p, TOK_LBRACE)) {
        e = parse_expr_node(p, EXPR_FUNCTYPE, sig_pos, EXPR_SIZE(sig));
        e->sig = sig;
        return e;
    }
    f = parse_alloc(p, sizeof *f);
    if (f == NULL)
        return parse_bad_expr(p);
    e = parse_expr_node(p, EXPR_FUNCLIT, pos, EXPR_SIZE(func));
    e->func = f;
    f->sig = sig;
    f->file = p->file;
    f->lbrace = parse_pos(p);
    p->xnest++;
    f->body = parse_body(p);
    p->xnest--;
    if (f->body != NULL)
        f->rbrace = f->body->rbrace;
    return e;
}

/* Operands that nest: guarded by the depth limit. */
static struct ast_expr *
nested_operand(struct parser *p)
{
    struct ast_expr *e;
    uint32_t saved;

    if (!parse_enter(p, &saved))
        return parse_bad_expr(p);
    e = at(p, TOK_LPAREN) ? paren(p) : func_operand(p);
    parse_leave(p, saved);
    return e;
}

static struct ast_expr *
operand(struct parser *p)
{
    struct ast_expr *e;

    switch (p->s.tok) {
    case TOK_NAME:
        return parse_name_expr(p);
    case TOK_LITERAL:
        return parse_literal_or_null(p);
    case TOK_LPAREN:
    case TOK_FUNC:
        return nested_operand(p);
    case TOK_LBRACK:
    case TOK_CHAN:
    case TOK_MAP:
    case TOK_STRUCT:
    case TOK_INTERFACE:
        return parse_type(p);
    default:
        e = parse_bad_expr(p);
        parse_error(p, "expected expression");
        parse_advance(p, UNTIL(TOK_RPAREN, TOK_RBRACK, TOK_RBRACE));
        return e;
    }
}

/* Composite literals. */

static struct ast_expr *composite(struct parser *p, struct ast_expr *type);

/* An element or key: an expression, or a literal with its type elided.  Most
 * of a table's are literals and nothing else. */
static struct ast_expr *
bare_element(struct parser *p)
{
    if (at(p, TOK_LITERAL) &&
        (*p->s.p == ',' || *p->s.p == ':' || *p->s.p == '}'))
        return parse_literal_or_null(p);
    return at(p, TOK_LBRACE) ? composite(p, NULL) : parse_expr(p);
}

static int
element(struct parser *p, void *arg)
{
    uint32_t *nkey = arg;
    struct ast_expr *e = bare_element(p), *kv;

    if (at(p, TOK_COLON)) {
        kv = parse_expr_node(p, EXPR_KEYVALUE, parse_pos(p), EXPR_SIZE(kv));
        next(p);
        kv->kv.key = e;
        kv->kv.value = bare_element(p);
        e = kv;
        ++*nkey;
    }
    parse_push(p, e);
    return 0;
}

/* The elements of a literal, whose brace is current. */
void
parse_elements(struct parser *p, struct ast_expr *e)
{
    uint32_t mark = p->ntmp;

    next(p);
    p->xnest++;
    e->composite.rbrace = parse_list(p, "composite literal", TOK_COMMA,
        TOK_RBRACE, element, &e->composite.nkey);
    p->xnest--;
    e->composite.elems.at = parse_list_end(p, mark, &e->composite.elems.n);
}

/* Leaves them for later if that can be seen from the brackets. */
static bool
skip_elements(struct parser *p, struct ast_expr *e)
{
    uint32_t rbrace = p->lazy ? scan_skip_plain(&p->s) : 0;

    if (rbrace == 0)
        return false;
    e->flags |= AST_F_LAZY;
    e->composite.rbrace = p->s.file->base + rbrace;
    next(p);
    return true;
}

static struct ast_expr *
composite(struct parser *p, struct ast_expr *type)
{
    struct ast_expr *e;
    uint32_t saved;

    if (!parse_enter(p, &saved))
        return parse_bad_expr(p);
    e = parse_expr_node(p, EXPR_COMPOSITE, parse_pos(p), EXPR_SIZE(composite));
    e->composite.type = type;
    if (!skip_elements(p, e))
        parse_elements(p, e);
    p->height++; /* key-value pairs */
    parse_leave(p, saved);
    return e;
}

/* Whether x cannot be a type (so that `a[x] {` is no composite literal). */
static int
is_value(const struct ast_expr *x)
{
    for (;;) {
        switch (x->kind) {
        case EXPR_LIT:
        case EXPR_COMPOSITE:
        case EXPR_FUNCLIT:
        case EXPR_SLICE:
        case EXPR_ASSERT:
        case EXPR_TYPEGUARD:
        case EXPR_CALL:
        case EXPR_UNARY:
        case EXPR_BINARY:
            return 1;
        case EXPR_PAREN:
            x = x->x;
            break;
        case EXPR_INDEX:
            if (x->index.at.n == 1 && is_value(x->index.at.at[0]))
                return 1;
            x = x->index.x;
            break;
        default:
            return 0;
        }
    }
}

/* Whether a `{` behind x begins a composite literal. */
static int
may_be_literal_type(const struct parser *p, const struct ast_expr *x)
{
    while (x->kind == EXPR_PAREN)
        x = x->x;
    switch (x->kind) {
    case EXPR_NAME:
    case EXPR_SELECTOR:
        return p->xnest >= 0;
    case EXPR_INDEX:
        return p->xnest >= 0 && !is_value(x);
    case EXPR_ARRAY:
    case EXPR_SLICETYPE:
    case EXPR_STRUCT:
    case EXPR_MAP:
        return 1;
    default:
        return 0;
    }
}

/* Primary expressions. */

static struct ast_expr *
selector(struct parser *p, struct ast_expr *x)
{
    lang_pos pos = parse_pos(p);
    struct ast_expr *e;

    next(p);
    if (at(p, TOK_NAME)) {
        e = parse_expr_node(p, EXPR_SELECTOR, pos, EXPR_SIZE(selector));
        e->selector.x = x;
        e->selector.sel = parse_ident(p);
        return e;
    }
    if (!got(p, TOK_LPAREN)) {
        parse_error(p, "expected name or (");
        parse_advance(p, UNTIL(TOK_SEMI, TOK_RPAREN));
        return x;
    }
    if (got(p, TOK_TYPE)) {
        e = parse_expr_node(p, EXPR_TYPEGUARD, pos, EXPR_SIZE(x));
        e->x = x;
    } else {
        e = parse_expr_node(p, EXPR_ASSERT, pos, EXPR_SIZE(assert_));
        e->assert_.x = x;
        e->assert_.type = parse_type(p);
    }
    parse_want(p, TOK_RPAREN);
    return e;
}

/* Behind `x[i` or `x[`: the rest of a slice expression. */
static struct ast_expr *
slice(struct parser *p, struct ast_expr *x, struct ast_expr *lo, lang_pos pos)
{
    struct ast_expr *e;

    if (!got(p, TOK_COLON)) {
        parse_error(p, "expected comma, : or ]");
        parse_advance(p, UNTIL(TOK_COMMA, TOK_COLON, TOK_RBRACK));
    }
    e = parse_expr_node(p, EXPR_SLICE, pos, EXPR_SIZE(slice));
    e->slice.x = x;
    e->slice.lo = lo;
    if (!at(p, TOK_COLON) && !at(p, TOK_RBRACK))
        e->slice.hi = parse_expr(p);
    if (at(p, TOK_COLON)) {
        e->flags |= AST_F_FULL;
        if (e->slice.hi == NULL)
            parse_plain_error_at(
                p, parse_pos(p), "middle index required in 3-index slice");
        next(p);
        if (!at(p, TOK_RBRACK))
            e->slice.max = parse_expr(p);
        else
            parse_plain_error_at(
                p, parse_pos(p), "final index required in 3-index slice");
    }
    p->xnest--;
    parse_want(p, TOK_RBRACK);
    return e;
}

static struct ast_expr *
index_rest(struct parser *p, struct ast_expr *x)
{
    lang_pos pos = parse_pos(p);
    struct ast_exprs list = {NULL, 0};
    struct ast_expr *e;
    uint32_t mark = p->ntmp;
    int comma = 0;

    next(p);
    p->xnest++;
    if (at(p, TOK_COLON))
        return slice(p, x, NULL, pos);
    if (at(p, TOK_RBRACK)) {
        parse_error(p, "expected operand");
        parse_push(p, parse_bad_expr(p));
        list.at = parse_list_end(p, mark, &list.n);
    } else {
        list = parse_type_list(p, 0, &comma);
    }
    if (!comma && !at(p, TOK_RBRACK))
        return slice(p, x, list.n != 0 ? list.at[0] : NULL, pos);
    e = parse_expr_node(p, EXPR_INDEX, pos, EXPR_SIZE(index));
    e->index.x = x;
    e->index.at = list;
    p->xnest--;
    e->index.rbrack = parse_pos(p);
    parse_want(p, TOK_RBRACK);
    return e;
}

static struct ast_expr *
index_or_slice(struct parser *p, struct ast_expr *x)
{
    uint32_t saved;

    if (!parse_enter(p, &saved))
        return x;
    x = index_rest(p, x);
    parse_leave(p, saved);
    return x;
}

static int
argument(struct parser *p, void *arg)
{
    struct ast_expr *call = arg;

    parse_push(p, parse_expr(p));
    if (!got(p, TOK_DOTDOTDOT))
        return 0;
    call->flags |= AST_F_DOTS;
    return 1;
}

static struct ast_expr *
call(struct parser *p, struct ast_expr *fun)
{
    struct ast_expr *e =
        parse_expr_node(p, EXPR_CALL, parse_pos(p), EXPR_SIZE(call));
    uint32_t mark = p->ntmp, saved;

    e->call.fun = fun;
    if (!parse_enter(p, &saved))
        return e;
    next(p);
    p->xnest++;
    e->call.rparen =
        parse_list(p, "argument list", TOK_COMMA, TOK_RPAREN, argument, e);
    p->xnest--;
    e->call.args.at = parse_list_end(p, mark, &e->call.args.n);
    parse_leave(p, saved);
    return e;
}

struct ast_expr *
parse_primary(struct parser *p, struct ast_expr *x)
{
    uint32_t saved = p->height;

    p->height = 0;
    if (x == NULL)
        x = operand(p);
    for (;;) {
        switch (p->s.tok) {
        case TOK_DOT:
            x = selector(p, x);
            break;
        case TOK_LBRACK:
            x = index_or_slice(p, x);
            break;
        case TOK_LPAREN:
            x = call(p, x);
            break;
        case TOK_LBRACE:
            if (!may_be_literal_type(p, x))
                goto out;
            if (x->kind == EXPR_PAREN)
                parse_error(p, "cannot parenthesize type in composite literal");
            x = composite(p, x);
            break;
        default:
            goto out;
        }
        if (!parse_grow(p))
            break;
    }
out:
    if (p->height < saved)
        p->height = saved;
    return x;
}

/* Operators. */

static __attribute__((noinline)) void
no_chan(struct parser *p, const struct ast_expr *t)
{
    char buf[128], msg[192];

    snprintf(msg, sizeof msg, "unexpected %s, expected chan",
        ast_expr_string(t, buf, sizeof buf));
    parse_error(p, msg);
}

/*
 * `<-x` where x turned out to be a channel type: `<-` belongs to its first
 * chan.  In <-chan<- chan T (read as <-(chan<- (chan T))) the arrows move
 * one chan to the left each.
 */
static struct ast_expr *
receive_type(struct parser *p, struct ast_expr *x)
{
    struct ast_expr *t = x;
    uint8_t dir = CHAN_SEND;

    while (dir == CHAN_SEND) {
        if (t->kind != EXPR_CHAN) {
            no_chan(p, t);
            break;
        }
        dir = t->op;
        if (dir == CHAN_RECV)
            parse_error(p, "unexpected <-, expected chan");
        t->op = CHAN_RECV;
        t = t->elem;
    }
    return x;
}

static struct ast_expr *unary(struct parser *p);

static struct ast_expr *
operator(struct parser *p)
{
    lang_pos pos = parse_pos(p);
    enum lang_tok op = p->s.tok;
    struct ast_expr *e, *x;

    next(p);
    if (op == TOK_MUL) {
        e = parse_expr_node(p, EXPR_STAR, pos, EXPR_SIZE(x));
        e->x = unary(p);
        return e;
    }
    x = unary(p);
    if (op == TOK_ARROW && x->kind == EXPR_CHAN) {
        x->pos = pos;
        return receive_type(p, x);
    }
    e = parse_expr_node(p, EXPR_UNARY, pos, EXPR_SIZE(unary));
    e->op = (uint8_t)op;
    e->unary.x = x;
    return e;
}

static struct ast_expr *
unary(struct parser *p)
{
    struct ast_expr *e;
    uint32_t saved;

    switch (p->s.tok) {
    case TOK_MUL:
    case TOK_ADD:
    case TOK_SUB:
    case TOK_NOT:
    case TOK_XOR:
    case TOK_TILDE:
    case TOK_AND:
    case TOK_ARROW:
        if (!parse_enter(p, &saved))
            return parse_bad_expr(p);
        e = operator(p);
        parse_leave(p, saved);
        return e;
    default:
        return parse_primary(p, NULL);
    }
}

struct ast_expr *
parse_binary(struct parser *p, struct ast_expr *x, int prec)
{
    uint32_t saved = p->height;
    int op_prec;

    p->height = 0;
    if (x == NULL)
        x = unary(p);
    op_prec = lang_tok_prec(p->s.tok);
    if (op_prec > prec) {
        p->depth++;
        do {
            struct ast_expr *e = parse_expr_node(
                p, EXPR_BINARY, parse_pos(p), EXPR_SIZE(binary));

            e->op = p->s.tok;
            e->binary.x = x;
            next(p);
            e->binary.y = parse_binary(p, NULL, op_prec);
            x = e;
            op_prec = lang_tok_prec(p->s.tok);
        } while (op_prec > prec);
        p->depth--;
        parse_grow(p);
    }
    if (p->height < saved)
        p->height = saved;
    return x;
}

struct ast_expr *
parse_expr(struct parser *p)
{
    return parse_binary(p, NULL, 0);
}

struct ast_exprs
parse_expr_list(struct parser *p)
{
    struct ast_exprs list;
    uint32_t mark = p->ntmp;

    parse_push(p, parse_expr(p));
    while (got(p, TOK_COMMA))
        parse_push(p, parse_expr(p));
    list.at = parse_list_end(p, mark, &list.n);
    return list;
}

struct ast_exprs
parse_type_list(struct parser *p, int strict, int *comma)
{
    struct ast_exprs list;
    uint32_t mark = p->ntmp;
    struct ast_expr *t;

    parse_push(p, strict ? parse_type(p) : parse_expr(p));
    *comma = 0;
    while (got(p, TOK_COMMA)) {
        *comma = 1;
        t = parse_type_or_null(p);
        if (t == NULL)
            break;
        parse_push(p, t);
    }
    list.at = parse_list_end(p, mark, &list.n);
    return list;
}
