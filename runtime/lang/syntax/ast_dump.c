/* SPDX-License-Identifier: MIT */
/*
 * The tree as text, one node per line, children indented by two blanks:
 *
 *     line:col kind detail
 *
 * A left spine of binary operators is one node `binary` with its operands in
 * order, each but the first behind a line with its operator.
 */
#include "runtime/lang/syntax/ast.h"

#include <stdlib.h>

struct dump {
    FILE *out;
    const struct lang_sources *src;
    int depth;
};

static void dump_expr(struct dump *d, const struct ast_expr *e);
static void dump_stmt(struct dump *d, const struct ast_stmt *s);
static void dump_decl(struct dump *d, const struct ast_decl *decl);

static void
begin(struct dump *d, lang_pos pos, const char *kind)
{
    struct lang_place at = lang_pos_physical(d->src, pos);

    fprintf(d->out, "%*s%u:%u %s", 2 * d->depth, "", at.line, at.col, kind);
}

static void
end(struct dump *d)
{
    fputc('\n', d->out);
}

static void
line(struct dump *d, const char *text)
{
    fprintf(d->out, "%*s%s\n", 2 * d->depth, "", text);
}

static void
ident(struct dump *d, struct ast_ident id)
{
    if (id.name != NULL)
        fprintf(d->out, " %s", id.name->text);
}

/* A child that may be absent: then nothing, or a line with what is absent. */
static void
child(struct dump *d, const struct ast_expr *e, const char *absent)
{
    d->depth++;
    if (e != NULL)
        dump_expr(d, e);
    else if (absent != NULL)
        line(d, absent);
    d->depth--;
}

static void
exprs(struct dump *d, struct ast_exprs list)
{
    uint32_t i;

    for (i = 0; i < list.n; i++)
        child(d, list.at[i], NULL);
}

static void
fields(struct dump *d, const char *what, struct ast_fields list)
{
    uint32_t i;

    for (i = 0; i < list.n; i++) {
        const struct ast_field *f = list.at[i];

        d->depth++;
        begin(d, f->pos, what);
        ident(d, f->name);
        if (f->embedded)
            fputs(" embedded", d->out);
        if (i > 0 && list.at[i - 1]->type == f->type) {
            fputs(" same-type", d->out);
            end(d);
        } else {
            end(d);
            child(d, f->type, NULL);
        }
        child(d, f->tag, NULL);
        d->depth--;
    }
}

static void
signature(struct dump *d, const struct ast_signature *s)
{
    fields(d, "type-param", s->tparams);
    fields(d, "param", s->params);
    fields(d, "result", s->results);
}

static void
stmts(struct dump *d, struct ast_stmts list)
{
    uint32_t i;

    d->depth++;
    for (i = 0; i < list.n; i++)
        dump_stmt(d, list.at[i]);
    d->depth--;
}

static void
block(struct dump *d, const struct ast_block *b)
{
    if (b == NULL)
        return;
    d->depth++;
    begin(d, b->lbrace, "body");
    end(d);
    stmts(d, b->stmts);
    d->depth--;
}

static void
func(struct dump *d, const struct ast_func *f)
{
    signature(d, f->sig);
    block(d, f->body);
    if (f->lazy) {
        d->depth++;
        line(d, "(body not parsed)");
        d->depth--;
    }
}

/* The operands of a left spine in source order. */
static void
binary(struct dump *d, const struct ast_expr *e)
{
    const struct ast_expr *b, **spine;
    size_t n = 0, i;

    for (b = e; b->kind == EXPR_BINARY; b = b->binary.x)
        n++;
    spine = malloc(n * sizeof *spine);
    if (spine == NULL) {
        d->depth++;
        line(d, "(out of memory)");
        d->depth--;
        return;
    }
    for (i = n, b = e; b->kind == EXPR_BINARY; b = b->binary.x)
        spine[--i] = b;
    child(d, b, NULL);
    d->depth++;
    for (i = 0; i < n; i++) {
        begin(d, spine[i]->pos, lang_tok_text(spine[i]->op));
        end(d);
        dump_expr(d, spine[i]->binary.y);
    }
    d->depth--;
    free(spine);
}

/* What follows the kind on the line. */
static void
expr_detail(struct dump *d, const struct ast_expr *e)
{
    switch (e->kind) {
    case EXPR_NAME:
        fprintf(d->out, " %s", e->name->text);
        break;
    case EXPR_LIT:
        fprintf(d->out, " %.*s", (int)e->lit.len, e->lit.text);
        break;
    case EXPR_SELECTOR:
        ident(d, e->selector.sel);
        break;
    case EXPR_UNARY:
        fprintf(d->out, " %s", lang_tok_text(e->op));
        break;
    case EXPR_CALL:
        fputs(e->flags & AST_F_DOTS ? " ..." : "", d->out);
        break;
    case EXPR_ARRAY:
        fputs(e->flags & AST_F_DOTS ? " [...]" : "", d->out);
        break;
    case EXPR_CHAN:
        fputs(e->op == CHAN_SEND   ? " send"
              : e->op == CHAN_RECV ? " recv"
                                   : "",
            d->out);
        break;
    default:
        break;
    }
}

static void
slice(struct dump *d, const struct ast_expr *e)
{
    child(d, e->slice.x, NULL);
    child(d, e->slice.lo, "no-low");
    child(d, e->slice.hi, "no-high");
    if (e->flags & AST_F_FULL)
        child(d, e->slice.max, "no-max");
}

static void
type_children(struct dump *d, const struct ast_expr *e)
{
    switch (e->kind) {
    case EXPR_ARRAY:
        child(d, e->array.len, NULL);
        child(d, e->array.elem, NULL);
        break;
    case EXPR_SLICETYPE:
    case EXPR_CHAN:
    case EXPR_ELLIPSIS:
        child(d, e->elem, NULL);
        break;
    case EXPR_STRUCT:
        fields(d, "field", e->struct_.fields);
        break;
    case EXPR_FUNCTYPE:
        signature(d, e->sig);
        break;
    case EXPR_INTERFACE:
        fields(d, "element", e->iface.elems);
        break;
    case EXPR_MAP:
        child(d, e->map.key, NULL);
        child(d, e->map.value, NULL);
        break;
    default:
        break;
    }
}

static void
children(struct dump *d, const struct ast_expr *e)
{
    switch (e->kind) {
    case EXPR_COMPOSITE:
        child(d, e->composite.type, "no-type");
        exprs(d, e->composite.elems);
        break;
    case EXPR_KEYVALUE:
        child(d, e->kv.key, NULL);
        child(d, e->kv.value, NULL);
        break;
    case EXPR_FUNCLIT:
        func(d, e->func);
        break;
    case EXPR_PAREN:
    case EXPR_STAR:
    case EXPR_TYPEGUARD:
        child(d, e->x, NULL);
        break;
    case EXPR_SELECTOR:
        child(d, e->selector.x, NULL);
        break;
    case EXPR_INDEX:
        child(d, e->index.x, NULL);
        exprs(d, e->index.at);
        break;
    case EXPR_SLICE:
        slice(d, e);
        break;
    case EXPR_ASSERT:
        child(d, e->assert_.x, NULL);
        child(d, e->assert_.type, NULL);
        break;
    case EXPR_CALL:
        child(d, e->call.fun, NULL);
        exprs(d, e->call.args);
        break;
    case EXPR_UNARY:
        child(d, e->unary.x, NULL);
        break;
    case EXPR_BINARY:
        binary(d, e);
        break;
    default:
        type_children(d, e);
        break;
    }
}

static void
dump_expr(struct dump *d, const struct ast_expr *e)
{
    begin(d, e->pos, ast_expr_kind_name(e->kind));
    expr_detail(d, e);
    end(d);
    children(d, e);
}

/* A labelled child statement; nothing if NULL. */
static void
part(struct dump *d, const char *what, const struct ast_stmt *s)
{
    if (s == NULL)
        return;
    d->depth++;
    line(d, what);
    d->depth++;
    dump_stmt(d, s);
    d->depth -= 2;
}

static void
cases(struct dump *d, struct ast_case *const *list, uint32_t n)
{
    uint32_t i;

    d->depth++;
    for (i = 0; i < n; i++) {
        begin(d, list[i]->pos, list[i]->is_default ? "default" : "case");
        end(d);
        exprs(d, list[i]->exprs);
        d->depth++;
        line(d, "then");
        stmts(d, list[i]->body);
        d->depth--;
    }
    d->depth--;
}

static void
comms(struct dump *d, struct ast_comm *const *list, uint32_t n)
{
    uint32_t i;

    d->depth++;
    for (i = 0; i < n; i++) {
        begin(d, list[i]->pos, list[i]->comm == NULL ? "default" : "case");
        end(d);
        part(d, "comm", list[i]->comm);
        d->depth++;
        line(d, "then");
        stmts(d, list[i]->body);
        d->depth--;
    }
    d->depth--;
}

static void
assign(struct dump *d, const struct ast_stmt *s)
{
    exprs(d, s->assign.lhs);
    d->depth++;
    line(d, s->assign.rhs.n == 0 ? "(step)" : "=");
    d->depth--;
    exprs(d, s->assign.rhs);
}

/* An if and its chain of else-ifs. */
static void
if_chain(struct dump *d, const struct ast_stmt *s)
{
    for (;;) {
        part(d, "init", s->if_.init);
        child(d, s->if_.cond, NULL);
        block(d, s->if_.then);
        s = s->if_.els;
        if (s == NULL)
            return;
        if (s->kind != STMT_IF) {
            part(d, "else", s);
            return;
        }
        begin(d, s->pos, "else-if");
        end(d);
    }
}

static void
decls(struct dump *d, struct ast_decls list)
{
    uint32_t i;

    d->depth++;
    for (i = 0; i < list.n; i++)
        dump_decl(d, list.at[i]);
    d->depth--;
}

static void
stmt_detail(struct dump *d, const struct ast_stmt *s)
{
    switch (s->kind) {
    case STMT_ASSIGN:
        if (s->op != 0)
            fprintf(d->out, " %s", lang_tok_text(s->op));
        break;
    case STMT_BREAK:
    case STMT_CONTINUE:
    case STMT_GOTO:
        ident(d, s->branch.label);
        break;
    case STMT_LABELED:
        ident(d, s->labeled.label);
        break;
    case STMT_TSWITCH:
        ident(d, s->tswitch.bind);
        break;
    case STMT_RANGE:
        fputs(s->range.define ? " :=" : "", d->out);
        break;
    default:
        break;
    }
}

static void
compound(struct dump *d, const struct ast_stmt *s)
{
    switch (s->kind) {
    case STMT_IF:
        if_chain(d, s);
        break;
    case STMT_SWITCH:
        part(d, "init", s->switch_.init);
        child(d, s->switch_.tag, "no-tag");
        cases(d, s->switch_.cases, s->switch_.ncase);
        break;
    case STMT_TSWITCH:
        part(d, "init", s->tswitch.init);
        child(d, s->tswitch.guard, NULL);
        cases(d, s->tswitch.cases, s->tswitch.ncase);
        break;
    case STMT_SELECT:
        comms(d, s->select.comms, s->select.ncomm);
        break;
    case STMT_FOR:
        part(d, "init", s->for_.init);
        child(d, s->for_.cond, "no-condition");
        part(d, "post", s->for_.post);
        block(d, s->for_.body);
        break;
    case STMT_RANGE:
        child(d, s->range.key, "no-key");
        child(d, s->range.value, "no-value");
        child(d, s->range.x, NULL);
        block(d, s->range.body);
        break;
    default:
        break;
    }
}

static void
dump_stmt(struct dump *d, const struct ast_stmt *s)
{
    begin(d, s->pos, ast_stmt_kind_name(s->kind));
    stmt_detail(d, s);
    end(d);
    switch (s->kind) {
    case STMT_EXPR:
    case STMT_GO:
    case STMT_DEFER:
        child(d, s->x, NULL);
        break;
    case STMT_SEND:
        child(d, s->send.chan, NULL);
        child(d, s->send.value, NULL);
        break;
    case STMT_ASSIGN:
    case STMT_DEFINE:
        assign(d, s);
        break;
    case STMT_RETURN:
        exprs(d, s->ret.values);
        break;
    case STMT_BLOCK:
        block(d, s->block);
        break;
    case STMT_LABELED:
        d->depth++;
        dump_stmt(d, s->labeled.stmt);
        d->depth--;
        break;
    case STMT_DECL:
        decls(d, s->decl.decls);
        break;
    default:
        compound(d, s);
        break;
    }
}

static void
names(struct dump *d, const struct ast_ident *list, uint32_t n)
{
    uint32_t i;

    for (i = 0; i < n; i++)
        ident(d, list[i]);
}

static void
dump_decl(struct dump *d, const struct ast_decl *x)
{
    static const char *const kinds[] = {
        "bad-decl", "import", "const-decl", "type-decl", "var-decl", "func"};
    struct ast_fields recv;

    begin(d, x->pos, kinds[x->kind]);
    switch (x->kind) {
    case DECL_IMPORT:
        ident(d, x->import.name);
        end(d);
        child(d, x->import.path, "no-path");
        break;
    case DECL_CONST:
        names(d, x->cnst.names, x->cnst.nname);
        fprintf(d->out, " iota=%u%s", x->cnst.iota,
            x->cnst.from == x ? "" : " repeated");
        end(d);
        child(d, x->cnst.type, NULL);
        exprs(d, x->cnst.values);
        break;
    case DECL_TYPE:
        ident(d, x->type.name);
        fputs(x->type.alias ? " alias" : "", d->out);
        end(d);
        fields(d, "type-param", x->type.tparams);
        child(d, x->type.type, NULL);
        break;
    case DECL_VAR:
        names(d, x->var.names, x->var.nname);
        end(d);
        child(d, x->var.type, "no-type");
        exprs(d, x->var.values);
        break;
    case DECL_FUNC:
        ident(d, x->func.name);
        end(d);
        recv.at = (struct ast_field **)&x->func.recv;
        recv.n = x->func.recv != NULL;
        fields(d, "receiver", recv);
        func(d, &x->func.func);
        break;
    default:
        end(d);
        break;
    }
}

void
ast_dump(FILE *out, const struct lang_sources *src, const struct ast_file *file)
{
    struct dump d = {out, src, 0};

    begin(&d, file->package.pos, "package");
    ident(&d, file->package);
    end(&d);
    decls(&d, file->decls);
}

void
ast_dump_decl(
    FILE *out, const struct lang_sources *src, const struct ast_decl *decl)
{
    struct dump d = {out, src, 0};

    dump_decl(&d, decl);
}

void
ast_dump_expr(
    FILE *out, const struct lang_sources *src, const struct ast_expr *e)
{
    struct dump d = {out, src, 0};

    dump_expr(&d, e);
}
