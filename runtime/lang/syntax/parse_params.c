/* SPDX-License-Identifier: MIT */
/* Signatures and parameter lists, those of type parameters too. */
#include "runtime/lang/syntax/parse_int.h"

#include <stdio.h>

/* A parameter list under construction. */
struct params {
    struct ast_expr *name; /* beginning of the first one, or NULL */
    struct ast_expr *type;
    enum params_kind kind;
    uint32_t named; /* how many have name and type */
    uint32_t typed; /* how many have a type */
};

static enum lang_tok
close_of(enum params_kind kind)
{
    return kind == PARAMS_TYPES || kind == PARAMS_ARGS ? TOK_RBRACK
                                                       : TOK_RPAREN;
}

static struct ast_ident
ident_of(const struct ast_expr *name)
{
    struct ast_ident id = {name->name, name->pos};

    return id;
}

/*
 * Behind a name: array, slice or instantiated type.  Type parameters may go
 * on with a union.
 */
static void
param_bracket(struct parser *p, struct ast_field *f, struct ast_expr *name,
    int constraints)
{
    f->type = parse_array_or_targs(p);
    if (f->type->kind == EXPR_INDEX)
        f->type->index.x = name;
    else
        f->name = ident_of(name);
    if (constraints && at(p, TOK_OR))
        f->type = parse_embedded_elem(p, f->type);
}

/* `...T` */
static struct ast_expr *
dots_type(struct parser *p)
{
    struct ast_expr *t =
        parse_expr_node(p, EXPR_ELLIPSIS, parse_pos(p), EXPR_SIZE(elem));

    next(p);
    t->elem = parse_type_or_null(p);
    if (t->elem == NULL) {
        t->kind = EXPR_BAD;
        parse_error(p, "... is missing type");
    }
    return t;
}

/*
 * One parameter as far as it can be told alone: name and type, a type, or a
 * name that may be a type (in name, type NULL).  NULL after an error.
 */
static struct ast_field *
param(struct parser *p, struct ast_expr *name, enum lang_tok close)
{
    int constraints = close == TOK_RBRACK;
    struct ast_field *f =
        parse_field_node(p, name != NULL ? name->pos : parse_pos(p));

    if (name == NULL && at(p, TOK_NAME))
        name = parse_name_expr(p);
    if (name != NULL) {
        if (at(p, TOK_LBRACK)) {
            param_bracket(p, f, name, constraints);
            return f;
        }
        if (at(p, TOK_DOT)) {
            f->type = parse_qualified_name(p, name);
            if (constraints && at(p, TOK_OR))
                f->type = parse_embedded_elem(p, f->type);
            return f;
        }
        if (constraints && at(p, TOK_OR)) {
            f->type = parse_embedded_elem(p, name);
            return f;
        }
        f->name = ident_of(name);
    }
    if (at(p, TOK_DOTDOTDOT)) {
        f->type = dots_type(p);
        return f;
    }
    if (constraints && at(p, TOK_TILDE)) {
        f->type = parse_embedded_elem(p, NULL);
        return f;
    }
    f->type = parse_type_or_null(p);
    if (constraints && at(p, TOK_OR) && f->type != NULL)
        f->type = parse_embedded_elem(p, f->type);
    if (f->name.name != NULL || f->type != NULL)
        return f;
    parse_expected(p, close);
    parse_advance(p, close == TOK_RBRACK ? UNTIL(TOK_COMMA, TOK_RBRACK)
                                         : UNTIL(TOK_COMMA, TOK_RPAREN));
    return NULL;
}

static int
param_item(struct parser *p, void *arg)
{
    struct params *l = arg;
    struct ast_field *f;

    if (l->type != NULL) {
        f = parse_field_node(p, l->name->pos);
        f->name = ident_of(l->name);
        f->type = l->type;
    } else {
        f = param(p, l->name, close_of(l->kind));
    }
    l->name = l->type = NULL;
    if (f == NULL)
        return 0;
    if (f->type != NULL) {
        l->typed++;
        l->named += f->name.name != NULL;
    }
    parse_push(p, f);
    return 0;
}

/* All are types: what looked like a name is one. */
static void
names_to_types(struct parser *p, struct ast_fields list)
{
    uint32_t i;

    for (i = 0; i < list.n; i++) {
        struct ast_field *f = list.at[i];

        if (f->type == NULL)
            f->type = parse_ident_expr(p, f->name);
        f->name.name = NULL;
    }
}

/*
 * Gives names the type that follows them.  Returns where the leftmost
 * parameter is that lacks its name or has no type at all, 0 if none.
 */
static lang_pos
share_types(struct parser *p, struct ast_fields list)
{
    struct ast_expr *type = NULL;
    lang_pos err = 0;
    uint32_t i;

    for (i = list.n; i-- > 0;) {
        struct ast_field *f = list.at[i];

        if (f->type != NULL) {
            type = f->type;
            if (f->name.name == NULL) {
                err = ast_expr_start(type);
                f->name.name = p->c->names->blank;
                f->name.pos = err;
            }
        } else if (type != NULL) {
            f->type = type;
        } else {
            err = f->name.pos;
            f->type = parse_bad_expr(p);
        }
    }
    return err;
}

static void
missing(struct parser *p, struct ast_fields list, const struct params *l,
    lang_pos pos, lang_pos end)
{
    int tparams = l->kind == PARAMS_TYPES;

    if (l->named == l->typed)
        parse_error_at(p, end,
            tparams ? "missing type constraint" : "missing parameter type");
    else if (!tparams)
        parse_error_at(p, pos, "missing parameter name");
    else if (list.n == 1)
        parse_error_at(
            p, pos, "missing type parameter name or invalid array length");
    else
        parse_error_at(p, pos, "missing type parameter name");
}

/* The first `...` where none may stand. */
static void
check_dots(struct parser *p, struct ast_fields list, enum params_kind kind)
{
    uint32_t i, n = list.n;

    if (kind == PARAMS_IN)
        n--;
    for (i = 0; i < n; i++) {
        const struct ast_expr *t = list.at[i]->type;

        if (t->kind != EXPR_ELLIPSIS)
            continue;
        parse_plain_error_at(p, t->pos,
            kind == PARAMS_IN ? "can only use ... with final parameter"
                              : "invalid use of ...");
        return;
    }
}

struct ast_fields
parse_params(struct parser *p, struct ast_expr *name, struct ast_expr *type,
    enum params_kind kind)
{
    struct params l = {name, type, kind, 0, 0};
    struct ast_fields list;
    enum lang_tok close = close_of(kind);
    uint32_t mark = p->ntmp;
    lang_pos end, err;

    if (name != NULL && type != NULL && at(p, close)) {
        param_item(p, &l);
        end = parse_pos(p);
        next(p);
    } else {
        p->xnest++;
        end = parse_list(p, "parameter list", TOK_COMMA, close, param_item, &l);
        p->xnest--;
    }
    list.at = parse_list_end(p, mark, &list.n);
    if (list.n == 0)
        return list;
    if (l.named == 0 && kind != PARAMS_TYPES) {
        names_to_types(p, list);
    } else if (l.named != list.n) {
        err = share_types(p, list);
        if (err != 0)
            missing(p, list, &l, err, end);
    }
    check_dots(p, list, kind);
    return list;
}

static __attribute__((noinline)) void
no_type_params(struct parser *p, lang_pos pos, const char *context)
{
    char msg[96];

    snprintf(msg, sizeof msg, "%s must have no type parameters", context);
    parse_error_at(p, pos, msg);
}

static void
type_params(struct parser *p, struct ast_signature *sig, const char *context)
{
    lang_pos pos = parse_pos(p);

    next(p);
    if (context != NULL)
        no_type_params(p, pos, context);
    if (at(p, TOK_RBRACK)) {
        parse_error(p, "empty type parameter list");
        next(p);
        return;
    }
    sig->tparams = parse_params(p, NULL, NULL, PARAMS_TYPES);
}

struct ast_signature *
parse_signature(struct parser *p, lang_pos pos, const char *context)
{
    struct ast_signature *sig = parse_alloc(p, sizeof *sig);
    struct ast_field *f;
    struct ast_expr *t;
    uint32_t mark;

    if (sig == NULL)
        sig = &p->spare_sig;
    sig->pos = pos;
    if (at(p, TOK_LBRACK))
        type_params(p, sig, context);
    parse_want(p, TOK_LPAREN);
    sig->params = parse_params(p, NULL, NULL, PARAMS_IN);
    if (got(p, TOK_LPAREN)) {
        sig->results = parse_params(p, NULL, NULL, PARAMS_OUT);
        return sig;
    }
    pos = parse_pos(p);
    t = parse_type_or_null(p);
    if (t != NULL) {
        f = parse_field_node(p, pos);
        f->type = t;
        mark = p->ntmp;
        parse_push(p, f);
        sig->results.at = parse_list_end(p, mark, &sig->results.n);
    }
    return sig;
}
