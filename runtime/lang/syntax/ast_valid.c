/* SPDX-License-Identifier: MIT */

/*
 * Whether a tree is what ast.h says, as the parser leaves it: nothing that is
 * never NULL is missing, each kind stands only where it may, branches lead to
 * what encloses them, positions go up with the source, and what belongs to the
 * checker is empty.  Builds with all checks ask it of each tree that was
 * parsed without an error; what a tree may be after one is anybody's guess.
 */
#include "runtime/lang/syntax/ast_valid.h"

#include <stdbool.h>

enum { PARSER_FLAGS = AST_F_DOTS | AST_F_FULL | AST_F_IMPLICIT };

static bool expr_valid(const struct ast_expr *e);
static bool signature_valid(const struct ast_signature *s);
static bool fields_valid(struct ast_fields list);
static bool block_valid(const struct ast_block *b);
static bool stmt_valid(const struct ast_stmt *s);
static bool decl_valid(const struct ast_decl *d);

/* ---- expressions ---------------------------------------------------------- */

static bool
exprs_valid(struct ast_exprs list)
{
    for (uint32_t i = 0; i < list.n; i++)
        if (list.at[i] == NULL || list.at[i]->kind == EXPR_KEYVALUE ||
            !expr_valid(list.at[i]))
            return false;
    return true;
}

static bool
optional(const struct ast_expr *e)
{
    return e == NULL || expr_valid(e);
}

static bool
composite_valid(const struct ast_expr *e)
{
    uint32_t nkey = 0;

    if (!optional(e->composite.type) || e->composite.rbrace < e->pos)
        return false;
    for (uint32_t i = 0; i < e->composite.elems.n; i++) {
        const struct ast_expr *x = e->composite.elems.at[i];

        if (x == NULL)
            return false;
        if (x->kind != EXPR_KEYVALUE) {
            if (!expr_valid(x))
                return false;
        } else if (!expr_valid(x->kv.key) || !expr_valid(x->kv.value)) {
            return false;
        } else {
            nkey++;
        }
    }
    return nkey == e->composite.nkey;
}

static bool
func_valid(const struct ast_func *f)
{
    if (!signature_valid(f->sig) || f->file == NULL || f->info != NULL ||
        (f->lazy && f->body != NULL))
        return false;
    if (f->body == NULL)
        return (f->lbrace != 0) == (f->lazy != 0);
    return ast_body_valid(f);
}

/* What follows after the first operand, which the caller goes on with. */
static bool
rest_valid(const struct ast_expr *e)
{
    switch (e->kind) {
    case EXPR_NAME:
        return e->name != NULL;
    case EXPR_LIT:
        return e->op >= LIT_INT && e->op <= LIT_STRING && !e->lit.bad &&
            e->lit.len > 0;
    case EXPR_COMPOSITE:
        return composite_valid(e);
    case EXPR_FUNCLIT:
        return e->func != NULL && e->func->body != NULL && func_valid(e->func);
    case EXPR_SELECTOR:
        return e->selector.sel.name != NULL && e->selector.how == NULL;
    case EXPR_INDEX:
        return e->index.at.n >= 1 && exprs_valid(e->index.at);
    case EXPR_SLICE:
        return optional(e->slice.lo) && optional(e->slice.hi) &&
            optional(e->slice.max) &&
            ((e->flags & AST_F_FULL) == 0 ? e->slice.max == NULL :
                    e->slice.hi != NULL && e->slice.max != NULL);
    case EXPR_ASSERT:
        return expr_valid(e->assert_.type);
    case EXPR_CALL:
        return exprs_valid(e->call.args) && e->call.rparen > e->pos &&
            ((e->flags & AST_F_DOTS) == 0 || e->call.args.n > 0);
    case EXPR_UNARY:
    case EXPR_PAREN:
    case EXPR_STAR:
    case EXPR_TYPEGUARD: /* where there is no type switch: the checker's to say */
        return true;
    case EXPR_BINARY:
        return lang_tok_prec((enum lang_tok)e->op) > 0 &&
            expr_valid(e->binary.y);
    case EXPR_ARRAY:
        return expr_valid(e->array.elem) &&
            (e->array.len == NULL) == ((e->flags & AST_F_DOTS) != 0) &&
            optional(e->array.len);
    case EXPR_SLICETYPE:
    case EXPR_ELLIPSIS:
        return expr_valid(e->elem);
    case EXPR_CHAN:
        return e->op <= CHAN_RECV && expr_valid(e->elem);
    case EXPR_STRUCT:
        return fields_valid(e->struct_.fields);
    case EXPR_FUNCTYPE:
        return signature_valid(e->sig);
    case EXPR_INTERFACE:
        return fields_valid(e->iface.elems);
    case EXPR_MAP:
        return expr_valid(e->map.key) && expr_valid(e->map.value);
    default:
        return false; /* bad, or not where it stands */
    }
}

static const struct ast_expr *
first_operand(const struct ast_expr *e, bool *has)
{
    *has = true;
    switch (e->kind) {
    case EXPR_PAREN:
    case EXPR_STAR:
    case EXPR_TYPEGUARD:
        return e->x;
    case EXPR_SELECTOR:
        return e->selector.x;
    case EXPR_INDEX:
        return e->index.x;
    case EXPR_SLICE:
        return e->slice.x;
    case EXPR_ASSERT:
        return e->assert_.x;
    case EXPR_CALL:
        return e->call.fun;
    case EXPR_UNARY:
        return e->unary.x;
    case EXPR_BINARY:
        return e->binary.x;
    default:
        *has = false;
        return NULL;
    }
}

static bool
expr_valid(const struct ast_expr *e)
{
    bool has = true;

    while (has) {
        if (e == NULL || e->pos == 0 || e->mode != MODE_NONE ||
            e->type != NULL || e->cv != NULL || e->obj != NULL ||
            (e->flags & ~PARSER_FLAGS) != 0 || !rest_valid(e))
            return false;
        e = first_operand(e, &has);
    }
    return true;
}

/* ---- types ---------------------------------------------------------------- */

static bool
fields_valid(struct ast_fields list)
{
    for (uint32_t i = 0; i < list.n; i++) {
        const struct ast_field *f = list.at[i];

        if (f == NULL || f->type == NULL || f->obj != NULL ||
            (f->embedded && f->name.name != NULL))
            return false;
        /* In `a, b T` they are the same nodes. */
        if (i > 0 && list.at[i - 1]->type == f->type) {
            if (list.at[i - 1]->tag != f->tag)
                return false;
        } else if (!expr_valid(f->type) || !optional(f->tag)) {
            return false;
        }
        if (f->tag != NULL && f->tag->kind != EXPR_LIT)
            return false;
    }
    return true;
}

/* All have names or none has. */
static bool
named_alike(struct ast_fields list)
{
    for (uint32_t i = 1; i < list.n; i++)
        if ((list.at[i]->name.name == NULL) !=
            (list.at[0]->name.name == NULL))
            return false;
    return true;
}

static bool
signature_valid(const struct ast_signature *s)
{
    return s != NULL && fields_valid(s->tparams) && fields_valid(s->params) &&
        fields_valid(s->results) && named_alike(s->params) &&
        named_alike(s->results);
}

/* ---- statements ----------------------------------------------------------- */

/* Statements of one list, which lie between two positions. */
static bool
stmts_valid(struct ast_stmts list, lang_pos from, lang_pos to)
{
    for (uint32_t i = 0; i < list.n; i++) {
        const struct ast_stmt *s = list.at[i];

        if (s == NULL || s->pos < from || s->pos > to || !stmt_valid(s))
            return false;
        /* The position of an assignment or a send is its operator's, so only
         * statements that begin with theirs can be compared. */
        if (s->kind >= STMT_GO && s->kind <= STMT_RANGE)
            from = s->pos;
    }
    return true;
}

static bool
block_valid(const struct ast_block *b)
{
    return b != NULL && b->lbrace < b->rbrace && b->scope == NULL &&
        stmts_valid(b->stmts, b->lbrace, b->rbrace);
}

static bool
simple(const struct ast_stmt *s)
{
    if (s == NULL)
        return true;
    switch (s->kind) {
    case STMT_EMPTY:
    case STMT_EXPR:
    case STMT_SEND:
    case STMT_ASSIGN:
    case STMT_DEFINE:
        return stmt_valid(s);
    default:
        return false;
    }
}

static bool
cases_valid(struct ast_case *const *cases, uint32_t n, lang_pos lbrace,
    lang_pos rbrace)
{
    lang_pos from = lbrace;

    for (uint32_t i = 0; i < n; i++) {
        const struct ast_case *k = cases[i];

        if (k == NULL || k->pos < from || k->colon < k->pos ||
            k->colon > rbrace || k->obj != NULL || k->scope != NULL ||
            (k->is_default ? k->exprs.n != 0 : k->exprs.n == 0) ||
            !exprs_valid(k->exprs) ||
            !stmts_valid(k->body, k->colon, rbrace))
            return false;
        if (k->falls && (k->body.n == 0 || i + 1 == n))
            return false;
        from = k->colon;
    }
    return true;
}

static bool
comms_valid(const struct ast_stmt *s)
{
    lang_pos from = s->select.lbrace;

    for (uint32_t i = 0; i < s->select.ncomm; i++) {
        const struct ast_comm *k = s->select.comms[i];

        if (k == NULL || k->pos < from || k->colon < k->pos ||
            k->colon > s->select.rbrace || !simple(k->comm) ||
            !stmts_valid(k->body, k->colon, s->select.rbrace))
            return false;
        from = k->colon;
    }
    return true;
}

static bool
breakable(const struct ast_stmt *s)
{
    switch (s->kind) {
    case STMT_FOR:
    case STMT_RANGE:
    case STMT_SWITCH:
    case STMT_TSWITCH:
    case STMT_SELECT:
        return true;
    default:
        return false;
    }
}

/* A branch leads to what begins before it, but for a goto. */
static bool
branch_valid(const struct ast_stmt *s)
{
    const struct ast_stmt *to = s->branch.target;

    switch (s->kind) {
    case STMT_BREAK:
        return to != NULL && breakable(to) && (to->flags & AST_S_BREAK) &&
            to->pos < s->pos;
    case STMT_CONTINUE:
        return to != NULL && to->pos < s->pos &&
            (to->kind == STMT_FOR || to->kind == STMT_RANGE);
    case STMT_GOTO:
        return to != NULL && to->kind == STMT_LABELED && to->labeled.used &&
            to->labeled.label.name == s->branch.label.name;
    default:
        return true;
    }
}

static bool
assign_valid(const struct ast_stmt *s)
{
    if (s->assign.lhs.n == 0 || s->assign.objs != NULL ||
        !exprs_valid(s->assign.lhs) || !exprs_valid(s->assign.rhs))
        return false;
    if (s->assign.rhs.n == 0)
        return s->kind == STMT_ASSIGN && s->assign.lhs.n == 1 &&
            (s->op == TOK_ADD || s->op == TOK_SUB);
    return s->op == 0 || (s->kind == STMT_ASSIGN && s->assign.lhs.n == 1 &&
        s->assign.rhs.n == 1);
}

/* An else-if chain in a loop: it may be as long as the file. */
static bool
if_valid(const struct ast_stmt *s)
{
    for (;; s = s->if_.els) {
        if (!simple(s->if_.init) || !expr_valid(s->if_.cond) ||
            !block_valid(s->if_.then))
            return false;
        if (s->if_.els == NULL)
            return true;
        if (s->if_.els->kind != STMT_IF)
            return s->if_.els->kind == STMT_BLOCK && stmt_valid(s->if_.els);
    }
}

static bool
range_valid(const struct ast_stmt *s)
{
    return optional(s->range.key) && optional(s->range.value) &&
        optional(s->range.extra) && expr_valid(s->range.x) &&
        (s->range.key != NULL || s->range.value == NULL) &&
        (s->range.value != NULL || s->range.extra == NULL) &&
        (s->range.key != NULL || !s->range.define) &&
        s->range.range > s->pos && s->range.kobj == NULL &&
        s->range.vobj == NULL && block_valid(s->range.body);
}

static bool
tswitch_valid(const struct ast_stmt *s)
{
    const struct ast_expr *g = s->tswitch.guard;

    return simple(s->tswitch.init) && g != NULL && g->kind == EXPR_TYPEGUARD &&
        expr_valid(g->x) && cases_valid(s->tswitch.cases, s->tswitch.ncase,
            s->tswitch.lbrace, s->tswitch.rbrace);
}

static bool
decls_valid(struct ast_decls list)
{
    for (uint32_t i = 0; i < list.n; i++)
        if (list.at[i] == NULL || list.at[i]->kind == DECL_IMPORT ||
            list.at[i]->kind == DECL_FUNC || !decl_valid(list.at[i]))
            return false;
    return true;
}

static bool
body_of_kind_valid(const struct ast_stmt *s)
{
    switch (s->kind) {
    case STMT_EMPTY:
        return true;
    case STMT_EXPR:
        return expr_valid(s->x);
    case STMT_GO:
    case STMT_DEFER:
        return expr_valid(s->x) && s->x->kind != EXPR_PAREN;
    case STMT_SEND:
        return expr_valid(s->send.chan) && expr_valid(s->send.value);
    case STMT_ASSIGN:
    case STMT_DEFINE:
        return assign_valid(s);
    case STMT_RETURN:
        return exprs_valid(s->ret.values) && s->ret.func == NULL;
    case STMT_BREAK:
    case STMT_CONTINUE:
    case STMT_GOTO:
    case STMT_FALLTHROUGH:
        return branch_valid(s);
    case STMT_BLOCK:
        return block_valid(s->block);
    case STMT_IF:
        return if_valid(s);
    case STMT_SWITCH:
        return simple(s->switch_.init) && optional(s->switch_.tag) &&
            cases_valid(s->switch_.cases, s->switch_.ncase,
                s->switch_.lbrace, s->switch_.rbrace);
    case STMT_TSWITCH:
        return tswitch_valid(s);
    case STMT_SELECT:
        return comms_valid(s);
    case STMT_FOR:
        return simple(s->for_.init) && optional(s->for_.cond) &&
            simple(s->for_.post) && s->for_.nvar == 0 &&
            block_valid(s->for_.body);
    case STMT_RANGE:
        return range_valid(s);
    case STMT_LABELED:
        return s->labeled.label.name != NULL && s->labeled.stmt != NULL &&
            stmt_valid(s->labeled.stmt);
    case STMT_DECL:
        return decls_valid(s->decl.decls);
    default:
        return false;
    }
}

static bool
stmt_valid(const struct ast_stmt *s)
{
    if (s->pos == 0 || s->gen != NULL || s->mark != 0)
        return false;
    return body_of_kind_valid(s);
}

/* ---- declarations --------------------------------------------------------- */

static bool
names_valid(const struct ast_ident *names, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (names[i].name == NULL ||
            (i > 0 && names[i].pos <= names[i - 1].pos))
            return false;
    return n > 0;
}

static bool
const_valid(const struct ast_decl *d)
{
    const struct ast_decl *from = d->cnst.from;

    if (!names_valid(d->cnst.names, d->cnst.nname) || d->cnst.objs != NULL ||
        !optional(d->cnst.type) || !exprs_valid(d->cnst.values))
        return false;
    if (d->cnst.type != NULL || d->cnst.values.n != 0)
        return from == d;
    return from == NULL || (from->kind == DECL_CONST &&
        from->group == d->group && from->cnst.iota < d->cnst.iota);
}

static bool
decl_valid(const struct ast_decl *d)
{
    if (d->pos < d->group || d->file == NULL || d->obj != NULL)
        return false;
    switch (d->kind) {
    case DECL_IMPORT:
        return d->import.path != NULL && d->import.path->kind == EXPR_LIT;
    case DECL_CONST:
        return const_valid(d);
    case DECL_TYPE:
        return d->type.name.name != NULL && expr_valid(d->type.type) &&
            fields_valid(d->type.tparams);
    case DECL_VAR:
        return names_valid(d->var.names, d->var.nname) &&
            d->var.objs == NULL && optional(d->var.type) &&
            exprs_valid(d->var.values) &&
            (d->var.type != NULL || d->var.values.n > 0);
    case DECL_FUNC:
        return d->func.name.name != NULL && func_valid(&d->func.func) &&
            (d->func.recv == NULL ||
                fields_valid((struct ast_fields){
                    &((struct ast_decl *)d)->func.recv, 1}));
    default:
        return false;
    }
}

bool
ast_body_valid(const struct ast_func *f)
{
    return f->body != NULL && f->body->lbrace == f->lbrace &&
        f->body->rbrace == f->rbrace && block_valid(f->body);
}

bool
ast_file_valid(const struct ast_file *f)
{
    if (f->src == NULL || f->package.name == NULL || f->scope != NULL ||
        f->nimport > f->decls.n)
        return false;
    for (uint32_t i = 0; i < f->decls.n; i++) {
        const struct ast_decl *d = f->decls.at[i];

        if (d == NULL || d->file != f ||
            (d->kind == DECL_IMPORT) != (i < f->nimport) ||
            (i > 0 && d->pos <= f->decls.at[i - 1]->pos) || !decl_valid(d))
            return false;
    }
    return true;
}
