/* SPDX-License-Identifier: MIT */
/* Declarations: imports, constants, types, variables, functions. */
#include "runtime/lang/syntax/parse_int.h"

/* State of one parenthesised or single declaration. */
struct group {
    enum ast_decl_kind kind;
    lang_pos pos;
    uint32_t iota;
    struct ast_decl *from; /* last const spec with values */
};

static struct ast_decl *
decl_node(struct parser *p, enum ast_decl_kind kind, lang_pos group)
{
    struct ast_decl *d = parse_alloc(p, sizeof *d);

    if (d == NULL)
        d = &p->spare_decl;
    d->kind = (uint8_t)kind;
    d->pos = parse_pos(p);
    d->group = group;
    d->file = p->file;
    d->dir = parse_take_directives(p, kind);
    return d;
}

static void
set_import_path(struct parser *p, struct ast_decl *d)
{
    struct ast_expr *path = d->import.path;
    char *value;

    if (path->lit.bad)
        return;
    if (path->op != LIT_STRING) {
        parse_error_at(p, path->pos, "import path must be a string");
        path->lit.bad = 1;
        return;
    }
    value = parse_alloc(p, path->lit.len + 1);
    if (value == NULL)
        return;
    d->import.value_len =
        (uint32_t)scan_unquote(path->lit.text, path->lit.len, value);
    d->import.value = value;
}

static void
import_decl(struct parser *p, struct ast_decl *d)
{
    if (at(p, TOK_NAME)) {
        d->import.name = parse_ident(p);
    } else if (at(p, TOK_DOT)) {
        d->import.name.name = lang_name_str(p->c->names, ".");
        d->import.name.pos = parse_pos(p);
        next(p);
    }
    d->import.path = parse_literal_or_null(p);
    if (d->import.path == NULL) {
        parse_error(p, "missing import path");
        parse_advance(p, UNTIL(TOK_SEMI, TOK_RPAREN));
        return;
    }
    set_import_path(p, d);
}

static void
const_decl(struct parser *p, struct ast_decl *d, struct group *g)
{
    d->cnst.names = parse_ident_list(p, parse_ident(p), &d->cnst.nname);
    if (!at(p, TOK_EOF) && !at(p, TOK_SEMI) && !at(p, TOK_RPAREN)) {
        d->cnst.type = parse_type_or_null(p);
        if (parse_got_assign(p))
            d->cnst.values = parse_expr_list(p);
    }
    if (d->cnst.type != NULL || d->cnst.values.n != 0)
        g->from = d;
    d->cnst.from = g->from;
    d->cnst.iota = g->iota++;
}

/* Whether x can only be a type in a constraint, not an array length. */
static int
is_type_elem(const struct ast_expr *x)
{
    for (;;) {
        switch (x->kind) {
        case EXPR_ARRAY:
        case EXPR_SLICETYPE:
        case EXPR_STRUCT:
        case EXPR_FUNCTYPE:
        case EXPR_INTERFACE:
        case EXPR_MAP:
        case EXPR_CHAN:
            return 1;
        case EXPR_UNARY:
            if (x->op == TOK_TILDE)
                return 1;
            x = x->unary.x;
            break;
        case EXPR_STAR:
        case EXPR_PAREN:
            x = x->x;
            break;
        case EXPR_BINARY:
            if (is_type_elem(x->binary.y))
                return 1;
            x = x->binary.x;
            break;
        default:
            return 0;
        }
    }
}

/*
 * Splits x, read as an expression behind `type T [`, into a type parameter's
 * name and the constraint that follows it, *type (NULL if x is just a name).
 * `P *C` reads as a product, `P (C)` as a call, `P *C | D` as an or.  NULL if
 * x is an expression after all; force says that it cannot be one.
 */
static struct ast_expr *
split_tparam(
    struct parser *p, struct ast_expr *x, int force, struct ast_expr **type)
{
    struct ast_expr *top = x, * or = NULL, *name, *arg;

    *type = NULL;
    if (x->kind == EXPR_NAME)
        return x;
    while (x->kind == EXPR_BINARY && x->op == TOK_OR &&
           x->binary.x->kind != EXPR_NAME) {
        force = force || is_type_elem(x->binary.y);
        or = x;
        x = x->binary.x;
    }
    if (x->kind == EXPR_BINARY) {
        name = x->binary.x;
        arg = x->binary.y;
        if (name->kind != EXPR_NAME || x->op != TOK_MUL)
            return NULL;
        *type = parse_expr_node(p, EXPR_STAR, x->pos, EXPR_SIZE(x));
    } else if (x->kind == EXPR_CALL) {
        name = x->call.fun;
        if (name->kind != EXPR_NAME || x->call.args.n != 1 ||
            (x->flags & AST_F_DOTS))
            return NULL;
        arg = x->call.args.at[0];
        *type = parse_expr_node(p, EXPR_PAREN, x->pos, EXPR_SIZE(x));
    } else {
        return NULL;
    }
    if (!force && !is_type_elem(arg))
        return NULL;
    (*type)->x = arg;
    if (or != NULL) {
        or->binary.x = *type;
        *type = top;
    }
    return name;
}

/* `type T [` name ...: an array type or type parameters. */
static void
array_or_tparams(struct parser *p, struct ast_decl *d, lang_pos lbrack)
{
    struct ast_expr *x = parse_name_expr(p), *name, *type;

    if (!at(p, TOK_LBRACK)) {
        p->xnest++;
        x = parse_binary(p, parse_primary(p, x), 0);
        p->xnest--;
    }
    name = split_tparam(p, x, at(p, TOK_COMMA), &type);
    if (name == NULL || (type == NULL && at(p, TOK_RBRACK))) {
        d->type.type = parse_array_type(p, lbrack, x);
        return;
    }
    d->type.tparams = parse_params(p, name, type, PARAMS_TYPES);
    d->type.alias = (uint8_t)parse_got_assign(p);
    d->type.type = parse_type_or_null(p);
}

static void
type_decl(struct parser *p, struct ast_decl *d)
{
    lang_pos lbrack;

    d->type.name = parse_ident(p);
    if (at(p, TOK_LBRACK)) {
        lbrack = parse_pos(p);
        next(p);
        if (at(p, TOK_NAME))
            array_or_tparams(p, d, lbrack);
        else if (got(p, TOK_RBRACK))
            d->type.type = parse_slice_type(p, lbrack);
        else
            d->type.type = parse_array_type(p, lbrack, NULL);
    } else {
        d->type.alias = (uint8_t)parse_got_assign(p);
        d->type.type = parse_type_or_null(p);
    }
    if (d->type.type == NULL) {
        d->type.type = parse_bad_expr(p);
        parse_error(p, "in type declaration");
        parse_advance(p, UNTIL(TOK_SEMI, TOK_RPAREN));
    }
}

static void
var_decl(struct parser *p, struct ast_decl *d)
{
    d->var.names = parse_ident_list(p, parse_ident(p), &d->var.nname);
    if (parse_got_assign(p)) {
        d->var.values = parse_expr_list(p);
        return;
    }
    d->var.type = parse_type(p);
    if (parse_got_assign(p))
        d->var.values = parse_expr_list(p);
}

static int
spec(struct parser *p, void *arg)
{
    struct group *g = arg;
    struct ast_decl *d = decl_node(p, g->kind, g->pos);

    switch (g->kind) {
    case DECL_IMPORT:
        import_decl(p, d);
        break;
    case DECL_CONST:
        const_decl(p, d, g);
        break;
    case DECL_TYPE:
        type_decl(p, d);
        break;
    default:
        var_decl(p, d);
        break;
    }
    parse_push(p, d);
    return 0;
}

/* import, const, type or var with its specs, which are pushed. */
void
parse_decls(struct parser *p)
{
    struct group g = {DECL_VAR, parse_pos(p), 0, NULL};

    if (at(p, TOK_IMPORT))
        g.kind = DECL_IMPORT;
    else if (at(p, TOK_CONST))
        g.kind = DECL_CONST;
    else if (at(p, TOK_TYPE))
        g.kind = DECL_TYPE;
    next(p);
    if (!at(p, TOK_LPAREN)) {
        spec(p, &g);
        return;
    }
    parse_unused_directives(p);
    next(p);
    parse_list(p, "grouped declaration", TOK_SEMI, TOK_RPAREN, spec, &g);
}

struct ast_decls
parse_decl_group(struct parser *p)
{
    struct ast_decls list;
    uint32_t mark = p->ntmp;

    parse_decls(p);
    list.at = parse_list_end(p, mark, &list.n);
    return list;
}

static void
receiver(struct parser *p, struct ast_decl *d)
{
    struct ast_fields recv = parse_params(p, NULL, NULL, PARAMS_OUT);

    if (recv.n == 0) {
        parse_plain_error_at(p, parse_pos(p), "method has no receiver");
        return;
    }
    if (recv.n > 1)
        parse_plain_error_at(p, parse_pos(p), "method has multiple receivers");
    d->func.recv = recv.at[0];
}

/* The body, or, where bodies are left for later, what brackets show of it. */
static void
func_body(struct parser *p, struct ast_func *f)
{
    uint32_t rbrace;

    f->lbrace = parse_pos(p);
    if (p->flags & PARSE_LAZY_BODIES) {
        rbrace = scan_skip_block(&p->s);
        if (rbrace != 0) {
            f->lazy = 1;
            f->rbrace = p->s.file->base + rbrace;
            next(p);
            return;
        }
    }
    f->body = parse_body(p);
    if (f->body != NULL)
        f->rbrace = f->body->rbrace;
}

/* func ... ; the keyword is current. */
void
parse_func_decl(struct parser *p)
{
    lang_pos keyword = parse_pos(p);
    struct ast_decl *d;
    const char *context = NULL;

    next(p);
    d = decl_node(p, DECL_FUNC, keyword);
    d->func.func.file = p->file;
    parse_push(p, d);
    if (got(p, TOK_LPAREN)) {
        context = "method";
        receiver(p, d);
    }
    if (at(p, TOK_NAME)) {
        d->func.name = parse_ident(p);
        d->func.func.sig = parse_signature(p, keyword, context);
    } else {
        d->func.name.name = p->c->names->blank;
        d->func.name.pos = parse_pos(p);
        d->func.func.sig = parse_alloc(p, sizeof *d->func.func.sig);
        parse_error(
            p, context == NULL ? "expected name or (" : "expected name");
        parse_advance(p, UNTIL(TOK_LBRACE, TOK_SEMI));
    }
    if (at(p, TOK_LBRACE))
        func_body(p, &d->func.func);
}
