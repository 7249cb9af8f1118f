/* SPDX-License-Identifier: MIT */

/* Statements but switches and range; terminating statements. */

#include "runtime/lang/types/check_int.h"

/* ---- lists and blocks --------------------------------------------------- */

void
check_stmts(struct check *c, struct ast_stmts *l, unsigned ctx)
{
    unsigned inner = ctx & ~(unsigned)CTX_FALL;
    uint32_t i, last = l->n;

    while (last > 0 && l->at[last - 1]->kind == STMT_EMPTY)
        last--;
    for (i = 0; i < l->n; i++)
        check_stmt(
            c, l->at[i], i + 1 == last ? inner | (ctx & CTX_FALL) : inner);
}

void
check_block(struct check *c, struct ast_block *b, unsigned ctx)
{
    check_open_scope(c);
    b->scope = c->in->env.scope;
    check_stmts(c, &b->stmts, ctx);
    check_close_scope(c);
}

/* ---- simple statements -------------------------------------------------- */

static void
expr_stmt(struct check *c, struct ast_stmt *s)
{
    struct ast_expr *x = s->x;
    enum expr_kind k = check_raw(c, x, NULL);
    const char *why = "is not used";

    if (x->mode == MODE_NONE || x->mode == MODE_PACKAGE)
        return;
    if (x->mode == MODE_BUILTIN)
        why = "must be called";
    else if (x->mode == MODE_TYPE)
        why = "is not an expression";
    else if (k == XK_STATEMENT)
        return;
    check_errf(c, ast_expr_start(x), "%s %s", check_operand_str(c, x), why);
}

static void
send_stmt(struct check *c, struct ast_stmt *s)
{
    struct type *t;

    check_expr(c, s->send.chan);
    check_expr(c, s->send.value);
    if (s->send.chan->mode == MODE_NONE || s->send.value->mode == MODE_NONE)
        return;
    t = check_chan_elem(c, ast_expr_start(s->send.chan), s->send.chan, false);
    if (t)
        check_assignment(c, s->send.value, t, "send");
}

static void
go_defer(struct check *c, struct ast_stmt *s)
{
    const char *kw = s->kind == STMT_GO ? "go" : "defer", *msg;
    struct ast_expr *x = s->x;
    enum expr_kind k;

    if (x->kind != EXPR_CALL) {
        check_errf(
            c, ast_expr_start(x), "expression in %s must be function call", kw);
        check_use(c, &x, 1);
        return;
    }
    if (s->kind == STMT_DEFER && c->in->env.func)
        c->in->env.func->has_defer = true;
    k = check_raw(c, x, NULL);
    if (x->mode == MODE_NONE || k == XK_STATEMENT)
        return;
    msg = k == XK_CONVERSION ? "requires function call, not conversion"
                             : "discards result of";
    check_errf(
        c, ast_expr_start(x), "%s %s %s", kw, msg, check_operand_str(c, x));
}

static void
bare_return(struct check *c, struct ast_stmt *s, struct type *sig)
{
    uint32_t i;

    for (i = sig->nparams; i < sig->nvars; i++) {
        struct object *o = sig->vars[i], *alt;

        if (!o->name || is_blank(c, o->name))
            continue;
        alt = check_resolve_name(c, o->name, NULL);
        if (alt && alt != o)
            check_errf(c, s->pos,
                "result parameter %s not in scope at return\n\t%s: inner "
                "declaration of %s",
                o->name->text, check_place(c, alt->pos),
                alt->kind == OBJ_VAR
                    ? check_sprintf(c, "var %s %s", alt->name->text,
                          alt->type ? type_str(c, alt->type) : "")
                    : check_sprintf(c, "%s %s",
                          alt->kind == OBJ_CONST  ? "const"
                          : alt->kind == OBJ_TYPE ? "type"
                                                  : "func",
                          alt->name->text));
    }
}

static void
return_stmt(struct check *c, struct ast_stmt *s)
{
    struct func_info *f = c->in->env.func;
    struct type *sig = f->sig;
    struct object **res = sig->vars + sig->nparams;
    uint32_t n = sig->nvars - sig->nparams, i;

    s->ret.func = f->func;
    if (s->ret.values.n == 0 && n > 0 && res[0]->name) {
        bare_return(c, s, sig);
        return;
    }
    for (i = 0; i < n; i++)
        res[i]->reassigned = true;
    if (n || s->ret.values.n)
        check_init_objects(c, res, n, s->ret.values.at, s->ret.values.n, s);
}

/* ---- compound statements ------------------------------------------------ */

static void
condition(struct check *c, struct ast_expr *e, const char *where)
{
    check_expr(c, e);
    if (e->mode == MODE_NONE)
        return;
    if (!type_is_bool(e->type)) {
        if (is_valid(type_under(e->type)))
            check_errf(c, ast_expr_start(e),
                "non-boolean condition in %s statement", where);
        return;
    }
    if (type_is_untyped(e->type))
        check_update_type(c, e, basic(c, TYPE_BOOL));
}

/* Is e a constant condition of that value? */
static bool
is_always(const struct ast_expr *e, bool value)
{
    return is_const(e) && const_kind(e->cv) == CONST_BOOL &&
           const_bool_val(e->cv) == value;
}

/* A chain of else-ifs nests scopes, not calls. */
static void
if_stmt(struct check *c, struct ast_stmt *s, unsigned ctx)
{
    uint32_t depth = 0, from, dead = c->in->dead;

    for (;;) {
        from = c->in->ndelayed;
        check_open_scope(c);
        s->if_.scope = c->in->env.scope;
        depth++;
        if (s->if_.init)
            check_stmt(c, s->if_.init, 0);
        condition(c, s->if_.cond, "if");
        c->in->dead += is_always(s->if_.cond, false);
        check_block(c, s->if_.then, ctx);
        c->in->dead -= is_always(s->if_.cond, false);
        c->in->dead += is_always(s->if_.cond, true);
        check_run_delayed(c, from);
        if (!s->if_.els || s->if_.els->kind != STMT_IF)
            break;
        s = s->if_.els;
    }
    if (s->if_.els)
        check_stmt(c, s->if_.els, ctx);
    c->in->dead = dead;
    while (depth-- > 0)
        check_close_scope(c);
}

/* The variables that the init statement declares: one of each per turn, but
 * for files of before Go 1.22. */
static void
loop_vars(struct check *c, struct ast_stmt *s)
{
    struct ast_stmt *init = s->for_.init;
    unsigned lang = check_lang(c, s->pos);
    uint32_t i;

    if (lang != 0 && lang < LOOPVAR_SINCE)
        s->flags |= AST_S_SHARED;
    if (!init || init->kind != STMT_DEFINE || !init->assign.objs)
        return;
    s->for_.vars = CHECK_ARRAY(c, struct object *, init->assign.lhs.n);
    for (i = 0; i < init->assign.lhs.n; i++) {
        struct object *o = init->assign.objs[i];

        if (!o || is_blank(c, o->name))
            continue;
        o->loop_var = true;
        if ((s->flags & AST_S_SHARED) == 0)
            s->for_.vars[s->for_.nvar++] = o;
    }
}

static void
for_stmt(struct check *c, struct ast_stmt *s, unsigned ctx)
{
    struct ast_stmt *post = s->for_.post;

    check_open_scope(c);
    s->for_.scope = c->in->env.scope;
    if (s->for_.init) {
        check_stmt(c, s->for_.init, 0);
        s->for_.nvar = 0;
        loop_vars(c, s);
    }
    if (s->for_.cond)
        condition(c, s->for_.cond, "for");
    if (post) {
        if (post->kind == STMT_DEFINE) {
            check_errf(
                c, post->pos, "cannot declare in post statement of for loop");
            check_use_lhs(c, post->assign.lhs.at, post->assign.lhs.n);
        } else {
            check_stmt(c, post, 0);
        }
    }
    check_block(c, s->for_.body, ctx | CTX_BREAK | CTX_CONTINUE);
    check_close_scope(c);
}

static bool
is_receive(struct ast_expr *e)
{
    e = ast_unparen(e);
    return e->kind == EXPR_UNARY && e->op == TOK_ARROW;
}

static bool
valid_comm(struct ast_stmt *s)
{
    switch (s->kind) {
    case STMT_SEND:
        return true;
    case STMT_EXPR:
        return is_receive(s->x);
    case STMT_ASSIGN:
        if (s->op)
            return false;
        return s->assign.rhs.n == 1 && is_receive(s->assign.rhs.at[0]);
    case STMT_DEFINE:
        return s->assign.rhs.n == 1 && is_receive(s->assign.rhs.at[0]);
    default:
        return false;
    }
}

static void
select_stmt(struct check *c, struct ast_stmt *s, unsigned ctx)
{
    struct ast_comm *first = NULL;
    uint32_t i;

    for (i = 0; i < s->select.ncomm; i++) {
        struct ast_comm *m = s->select.comms[i];

        if (m->comm)
            continue;
        if (first)
            check_errf(c, m->pos, "multiple defaults (first at %s)",
                check_place(c, first->pos));
        else
            first = m;
    }
    for (i = 0; i < s->select.ncomm; i++) {
        struct ast_comm *m = s->select.comms[i];

        if (m->comm && !valid_comm(m->comm)) {
            check_errf(c, m->comm->pos,
                "select case must be send or receive (possibly with "
                "assignment)");
            continue;
        }
        check_open_scope(c);
        m->scope = c->in->env.scope;
        if (m->comm)
            check_stmt(c, m->comm, 0);
        check_stmts(c, &m->body, ctx | CTX_BREAK);
        check_close_scope(c);
    }
}

static void
stmt(struct check *c, struct ast_stmt *s, unsigned ctx)
{
    unsigned inner =
        ctx & ~(unsigned)(CTX_FALL | CTX_FINAL_CASE | CTX_TYPE_SWITCH);

    switch (s->kind) {
    case STMT_EXPR:
        expr_stmt(c, s);
        break;
    case STMT_SEND:
        send_stmt(c, s);
        break;
    case STMT_ASSIGN:
        check_assign_stmt(c, s);
        break;
    case STMT_DEFINE:
        check_define(c, s);
        break;
    case STMT_GO:
    case STMT_DEFER:
        go_defer(c, s);
        break;
    case STMT_RETURN:
        return_stmt(c, s);
        break;
    case STMT_BLOCK:
        check_block(c, s->block, inner);
        break;
    case STMT_IF:
        if_stmt(c, s, inner);
        break;
    case STMT_SWITCH:
        check_switch(c, s, inner);
        break;
    case STMT_TSWITCH:
        check_type_switch(c, s, inner);
        break;
    case STMT_SELECT:
        select_stmt(c, s, inner);
        break;
    case STMT_FOR:
        for_stmt(c, s, inner);
        break;
    case STMT_RANGE:
        check_range(c, s, inner);
        break;
    case STMT_LABELED:
        check_stmt(c, s->labeled.stmt, ctx);
        break;
    case STMT_DECL:
        check_local_decl(c, s);
        break;
    default: /* EMPTY; branches: the parser */
        break;
    }
}

void
check_stmt(struct check *c, struct ast_stmt *s, unsigned ctx)
{
    uint32_t from = c->in->ndelayed;

    if (lang_diag_full(c->parse->diag) ||
        check_too_deep(c, s->pos, "statements are nested"))
        return;
    stmt(c, s, ctx);
    check_run_delayed(c, from);
}

/* ---- terminating statements --------------------------------------------- */

static bool terminates(struct ast_stmt *s);

static bool
list_terminates(struct ast_stmts *l)
{
    uint32_t n = l->n;

    while (n > 0 && l->at[n - 1]->kind == STMT_EMPTY)
        n--;
    return n > 0 && terminates(l->at[n - 1]);
}

/* Does some break leave s? */
static bool
has_break(const struct ast_stmt *s)
{
    return s->flags & AST_S_BREAK;
}

static bool
cases_terminate(struct ast_case **cases, uint32_t n, struct ast_stmt *s)
{
    bool has_default = false;
    uint32_t i;

    if (has_break(s))
        return false;
    for (i = 0; i < n; i++) {
        struct ast_stmts *b = &cases[i]->body;
        uint32_t k = b->n;

        has_default = has_default || cases[i]->is_default;
        while (k > 0 && b->at[k - 1]->kind == STMT_EMPTY)
            k--;
        if (k > 0 && b->at[k - 1]->kind == STMT_FALLTHROUGH)
            ;
        else if (!list_terminates(b))
            return false;
    }
    return has_default;
}

static bool
is_panic(struct ast_expr *e)
{
    e = ast_unparen(e);
    return e->kind == EXPR_CALL && e->call.fun->mode == MODE_BUILTIN &&
           e->call.builtin == BUILTIN_PANIC;
}

static bool
terminates(struct ast_stmt *s)
{
    uint32_t i;

    for (;;) {
        switch (s->kind) {
        case STMT_RETURN:
        case STMT_GOTO:
            return true;
        case STMT_EXPR:
            return is_panic(s->x);
        case STMT_BLOCK:
            return list_terminates(&s->block->stmts);
        case STMT_LABELED:
            s = s->labeled.stmt;
            continue;
        case STMT_IF:
            if (!s->if_.els || !list_terminates(&s->if_.then->stmts))
                return false;
            s = s->if_.els;
            continue;
        case STMT_FOR:
            return !s->for_.cond && !has_break(s);
        case STMT_SWITCH:
            return cases_terminate(s->switch_.cases, s->switch_.ncase, s);
        case STMT_TSWITCH:
            return cases_terminate(s->tswitch.cases, s->tswitch.ncase, s);
        case STMT_SELECT:
            for (i = 0; i < s->select.ncomm; i++)
                if (!list_terminates(&s->select.comms[i]->body))
                    return false;
            return !has_break(s);
        default:
            return false;
        }
    }
}

bool
check_terminates(struct check *c, struct ast_block *b)
{
    (void)c;
    return list_terminates(&b->stmts);
}
