/* SPDX-License-Identifier: MIT */
/* Helpers over the tree, and expressions as messages show them. */
#include "runtime/lang/syntax/ast.h"

#include <string.h>

struct ast_expr *
ast_unparen(struct ast_expr *e)
{
    while (e->kind == EXPR_PAREN)
        e = e->x;
    return e;
}

lang_pos
ast_expr_start(const struct ast_expr *e)
{
    for (;;) {
        switch (e->kind) {
        case EXPR_COMPOSITE:
            if (e->composite.type == NULL)
                return e->pos;
            e = e->composite.type;
            break;
        case EXPR_KEYVALUE:
            e = e->kv.key;
            break;
        case EXPR_SELECTOR:
            e = e->selector.x;
            break;
        case EXPR_INDEX:
            e = e->index.x;
            break;
        case EXPR_PAREN:
            if (!(e->flags & AST_F_INST))
                return e->pos;
            e = e->x;
            break;
        case EXPR_SLICE: /* as Go's compiler: its messages show the [ */
            return e->pos;
        case EXPR_ASSERT:
            e = e->assert_.x;
            break;
        case EXPR_TYPEGUARD:
            e = e->x;
            break;
        case EXPR_CALL:
            e = e->call.fun;
            break;
        case EXPR_BINARY:
            e = e->binary.x;
            break;
        default:
            return e->pos;
        }
    }
}

static const char *const expr_names[EXPR_KIND_COUNT] = {
    [EXPR_BAD] = "bad",
    [EXPR_NAME] = "name",
    [EXPR_LIT] = "literal",
    [EXPR_COMPOSITE] = "composite",
    [EXPR_KEYVALUE] = "key-value",
    [EXPR_FUNCLIT] = "func-literal",
    [EXPR_PAREN] = "paren",
    [EXPR_SELECTOR] = "selector",
    [EXPR_INDEX] = "index",
    [EXPR_SLICE] = "slice",
    [EXPR_ASSERT] = "assert",
    [EXPR_TYPEGUARD] = "type-guard",
    [EXPR_CALL] = "call",
    [EXPR_UNARY] = "unary",
    [EXPR_STAR] = "star",
    [EXPR_BINARY] = "binary",
    [EXPR_ARRAY] = "array-type",
    [EXPR_SLICETYPE] = "slice-type",
    [EXPR_STRUCT] = "struct-type",
    [EXPR_FUNCTYPE] = "func-type",
    [EXPR_INTERFACE] = "interface-type",
    [EXPR_MAP] = "map-type",
    [EXPR_CHAN] = "chan-type",
    [EXPR_ELLIPSIS] = "dots-type",
};

static const char *const stmt_names[STMT_KIND_COUNT] = {
    [STMT_EMPTY] = "empty",
    [STMT_EXPR] = "expr",
    [STMT_SEND] = "send",
    [STMT_ASSIGN] = "assign",
    [STMT_DEFINE] = "define",
    [STMT_GO] = "go",
    [STMT_DEFER] = "defer",
    [STMT_RETURN] = "return",
    [STMT_BREAK] = "break",
    [STMT_CONTINUE] = "continue",
    [STMT_GOTO] = "goto",
    [STMT_FALLTHROUGH] = "fallthrough",
    [STMT_BLOCK] = "block",
    [STMT_IF] = "if",
    [STMT_SWITCH] = "switch",
    [STMT_TSWITCH] = "type-switch",
    [STMT_SELECT] = "select",
    [STMT_FOR] = "for",
    [STMT_RANGE] = "range",
    [STMT_LABELED] = "labeled",
    [STMT_DECL] = "decl",
};

const char *
ast_expr_kind_name(enum ast_expr_kind k)
{
    return (unsigned)k < EXPR_KIND_COUNT ? expr_names[k] : "?";
}

const char *
ast_stmt_kind_name(enum ast_stmt_kind k)
{
    return (unsigned)k < STMT_KIND_COUNT ? stmt_names[k] : "?";
}

/* Expressions as text. */

/* Output that stops when the buffer is full. */
struct text {
    char *p;
    char *end; /* the last byte, for the NUL */
};

static void put_expr(struct text *t, const struct ast_expr *e);

static void
put_n(struct text *t, const char *s, size_t n)
{
    if (n > (size_t)(t->end - t->p))
        n = (size_t)(t->end - t->p);
    memcpy(t->p, s, n);
    t->p += n;
}

static void
put(struct text *t, const char *s)
{
    put_n(t, s, strlen(s));
}

static void
put_exprs(struct text *t, struct ast_exprs list)
{
    uint32_t i;

    for (i = 0; i < list.n && t->p < t->end; i++) {
        if (i != 0)
            put(t, ", ");
        put_expr(t, list.at[i]);
    }
}

/* Fields, those of the same type together. */
static void
put_fields(struct text *t, struct ast_fields list, const char *sep)
{
    uint32_t i;

    for (i = 0; i < list.n && t->p < t->end; i++) {
        const struct ast_field *f = list.at[i];
        int more = i + 1 < list.n && f->name.name != NULL &&
                   list.at[i + 1]->name.name != NULL &&
                   list.at[i + 1]->type == f->type;

        if (f->name.name != NULL)
            put(t, f->name.name->text);
        if (more) {
            put(t, ", ");
            continue;
        }
        if (f->name.name != NULL)
            put(t, " ");
        put_expr(t, f->type);
        if (f->tag != NULL) {
            put(t, " ");
            put_expr(t, f->tag);
        }
        if (i + 1 < list.n)
            put(t, sep);
    }
}

static void
put_signature(struct text *t, const struct ast_signature *s)
{
    if (s->tparams.n != 0) {
        put(t, "[");
        put_fields(t, s->tparams, ", ");
        put(t, "]");
    }
    put(t, "(");
    put_fields(t, s->params, ", ");
    put(t, ")");
    if (s->results.n == 0)
        return;
    put(t, " ");
    if (s->results.n == 1 && s->results.at[0]->name.name == NULL) {
        put_expr(t, s->results.at[0]->type);
        return;
    }
    put(t, "(");
    put_fields(t, s->results, ", ");
    put(t, ")");
}

static void
put_interface(struct text *t, const struct ast_expr *e)
{
    uint32_t i;

    put(t, "interface{");
    for (i = 0; i < e->iface.elems.n && t->p < t->end; i++) {
        const struct ast_field *f = e->iface.elems.at[i];

        if (i != 0)
            put(t, "; ");
        if (f->name.name != NULL) {
            put(t, f->name.name->text);
            put_signature(t, f->type->sig);
        } else {
            put_expr(t, f->type);
        }
    }
    put(t, "}");
}

static void
put_chan(struct text *t, const struct ast_expr *e)
{
    const struct ast_expr *elem = e->elem;
    int paren = e->op != CHAN_SEND && elem->kind == EXPR_CHAN &&
                elem->op == CHAN_RECV && e->op == CHAN_BOTH;

    put(t, e->op == CHAN_RECV   ? "<-chan "
           : e->op == CHAN_SEND ? "chan<- "
                                : "chan ");
    put(t, paren ? "(" : "");
    put_expr(t, elem);
    put(t, paren ? ")" : "");
}

static void
put_index(struct text *t, const struct ast_expr *e)
{
    put_expr(t, e->index.x);
    put(t, "[");
    put_exprs(t, e->index.at);
    put(t, "]");
}

static void
put_slice(struct text *t, const struct ast_expr *e)
{
    put_expr(t, e->slice.x);
    put(t, "[");
    if (e->slice.lo != NULL)
        put_expr(t, e->slice.lo);
    put(t, ":");
    if (e->slice.hi != NULL)
        put_expr(t, e->slice.hi);
    if (e->flags & AST_F_FULL) {
        put(t, ":");
        if (e->slice.max != NULL)
            put_expr(t, e->slice.max);
    }
    put(t, "]");
}

/* The operators of a left spine from the bottom up would need a stack; as
 * the output is cut at its size anyway, recursion is bounded by that: a
 * spine longer than the room left is replaced by "…". */
static void
put_binary(struct text *t, const struct ast_expr *e)
{
    const struct ast_expr *b;
    size_t n = 0, room = (size_t)(t->end - t->p);

    for (b = e->binary.x; b->kind == EXPR_BINARY && n <= room / 2; n++)
        b = b->binary.x;
    if (n > room / 2 || n > 512)
        put(t, "…");
    else
        put_expr(t, e->binary.x);
    put(t, " ");
    put(t, lang_tok_text(e->op));
    put(t, " ");
    put_expr(t, e->binary.y);
}

static void
put_type(struct text *t, const struct ast_expr *e)
{
    switch (e->kind) {
    case EXPR_ARRAY:
        put(t, "[");
        if (e->array.len != NULL)
            put_expr(t, e->array.len);
        else
            put(t, "...");
        put(t, "]");
        put_expr(t, e->array.elem);
        break;
    case EXPR_SLICETYPE:
        put(t, "[]");
        put_expr(t, e->elem);
        break;
    case EXPR_ELLIPSIS:
        put(t, "...");
        put_expr(t, e->elem);
        break;
    case EXPR_STRUCT:
        put(t, "struct{");
        put_fields(t, e->struct_.fields, "; ");
        put(t, "}");
        break;
    case EXPR_FUNCTYPE:
        put(t, "func");
        put_signature(t, e->sig);
        break;
    case EXPR_INTERFACE:
        put_interface(t, e);
        break;
    case EXPR_MAP:
        put(t, "map[");
        put_expr(t, e->map.key);
        put(t, "]");
        put_expr(t, e->map.value);
        break;
    case EXPR_CHAN:
        put_chan(t, e);
        break;
    default:
        put(t, "<bad expr>");
        break;
    }
}

static void
put_call(struct text *t, const struct ast_expr *e)
{
    put_expr(t, e->call.fun);
    put(t, "(");
    put_exprs(t, e->call.args);
    put(t, e->flags & AST_F_DOTS ? "...)" : ")");
}

static void
put_composite(struct text *t, const struct ast_expr *e)
{
    if (e->composite.type != NULL)
        put_expr(t, e->composite.type);
    put(t, e->composite.elems.n != 0 ? "{…}" : "{}");
}

static void
put_expr(struct text *t, const struct ast_expr *e)
{
    if (t->p == t->end)
        return;
    switch (e->kind) {
    case EXPR_NAME:
        put_n(t, e->name->text, e->name->len);
        break;
    case EXPR_LIT:
        put_n(t, e->lit.text, e->lit.len);
        break;
    case EXPR_COMPOSITE:
        put_composite(t, e);
        break;
    case EXPR_KEYVALUE:
        put_expr(t, e->kv.key);
        put(t, ": ");
        put_expr(t, e->kv.value);
        break;
    case EXPR_FUNCLIT:
        put(t, "func");
        put_signature(t, e->func->sig);
        put(t, e->func->body != NULL && e->func->body->stmts.n != 0 ? " {…}"
                                                                    : " {}");
        break;
    case EXPR_PAREN:
        if (e->flags & AST_F_INST) {
            put_index(t, e);
            break;
        }
        put(t, "(");
        put_expr(t, e->x);
        put(t, ")");
        break;
    case EXPR_SELECTOR:
        put_expr(t, e->selector.x);
        put(t, ".");
        put(t, e->selector.sel.name->text);
        break;
    case EXPR_INDEX:
        put_index(t, e);
        break;
    case EXPR_SLICE:
        put_slice(t, e);
        break;
    case EXPR_ASSERT:
        put_expr(t, e->assert_.x);
        put(t, ".(");
        put_expr(t, e->assert_.type);
        put(t, ")");
        break;
    case EXPR_TYPEGUARD:
        put_expr(t, e->x);
        put(t, ".(type)");
        break;
    case EXPR_CALL:
        put_call(t, e);
        break;
    case EXPR_UNARY:
        put(t, lang_tok_text(e->op));
        put_expr(t, e->unary.x);
        break;
    case EXPR_STAR:
        put(t, "*");
        put_expr(t, e->x);
        break;
    case EXPR_BINARY:
        put_binary(t, e);
        break;
    default:
        put_type(t, e);
        break;
    }
}

char *
ast_expr_string(const struct ast_expr *e, char *buf, size_t size)
{
    struct text t = {buf, buf + size - 1};

    put_expr(&t, e);
    *t.p = '\0';
    return buf;
}
