/* SPDX-License-Identifier: MIT */
/* Statements. */
#include "runtime/lang/syntax/parse_int.h"

#include <stdio.h>
#include <string.h>

static struct ast_stmt *stmt_or_null(struct parser *p);
static struct ast_stmts stmt_list(struct parser *p);

/* Where a simple statement stands; what is allowed there differs. */
enum place {
    PLAIN = 0,
    IN_IF = TOK_IF,
    IN_FOR = TOK_FOR,
    IN_SWITCH = TOK_SWITCH
};

/* Simple statements. */

/* A lone `range x`, or the one behind `lhs =` or `lhs :=`; n is 0 to 3. */
static struct ast_stmt *
range_clause(struct parser *p, struct ast_exprs lhs, int define, lang_pos pos)
{
    struct ast_stmt *s = parse_stmt_node(p, STMT_RANGE, pos, STMT_SIZE(range));

    s->range.range = parse_pos(p);
    s->range.define = (uint8_t)define;
    if (lhs.n > 0)
        s->range.key = lhs.at[0];
    if (lhs.n > 1)
        s->range.value = lhs.at[1];
    if (lhs.n > 2)
        s->range.extra = lhs.at[2];
    next(p);
    s->range.x = parse_expr(p);
    return s;
}

static struct ast_stmt *
expr_stmt(struct parser *p, struct ast_expr *x)
{
    struct ast_stmt *s = parse_stmt_node(p, STMT_EXPR, x->pos, STMT_SIZE(x));

    s->x = x;
    return s;
}

/* The guard of a type switch, `x := y.(type)`, becomes STMT_TSWITCH at once;
 * the header takes it over. */
static struct ast_stmt *
bound_guard(struct parser *p, struct ast_expr *name, struct ast_expr *guard,
    lang_pos pos)
{
    struct ast_stmt *s =
        parse_stmt_node(p, STMT_TSWITCH, pos, STMT_SIZE(tswitch));

    s->tswitch.bind.name = name->name;
    s->tswitch.bind.pos = name->pos;
    s->tswitch.guard = guard;
    return s;
}

/* Behind a list of expressions: = or :=. */
static struct ast_stmt *
assignment(struct parser *p, struct ast_exprs lhs, enum place place)
{
    lang_pos pos = parse_pos(p);
    int define = at(p, TOK_DEFINE);
    struct ast_exprs rhs;
    struct ast_stmt *s;

    next(p);
    if (place == IN_FOR && at(p, TOK_RANGE))
        return range_clause(p, lhs, define, pos);
    rhs = parse_expr_list(p);
    if (place == IN_SWITCH && define && rhs.n == 1 && lhs.n == 1 &&
        rhs.at[0]->kind == EXPR_TYPEGUARD && lhs.at[0]->kind == EXPR_NAME)
        return bound_guard(p, lhs.at[0], rhs.at[0], pos);
    s = parse_stmt_node(
        p, define ? STMT_DEFINE : STMT_ASSIGN, pos, STMT_SIZE(assign));
    s->assign.lhs = lhs;
    s->assign.rhs = rhs;
    return s;
}

/* x op= y, x++ and x--. */
static struct ast_stmt *
op_assignment(struct parser *p, struct ast_exprs lhs)
{
    int incdec = at(p, TOK_INC_OP);
    struct ast_stmt *s =
        parse_stmt_node(p, STMT_ASSIGN, parse_pos(p), STMT_SIZE(assign));
    uint32_t mark = p->ntmp;

    s->op = p->s.op;
    s->assign.lhs = lhs;
    next(p);
    if (incdec)
        return s;
    parse_push(p, parse_expr(p));
    s->assign.rhs.at = parse_list_end(p, mark, &s->assign.rhs.n);
    return s;
}

static struct ast_stmt *
send(struct parser *p, struct ast_expr *chan)
{
    struct ast_stmt *s =
        parse_stmt_node(p, STMT_SEND, parse_pos(p), STMT_SIZE(send));

    next(p);
    s->send.chan = chan;
    s->send.value = parse_expr(p);
    return s;
}

/* The rest of a simple statement that begins with the expressions lhs. */
static struct ast_stmt *
simple_rest(struct parser *p, struct ast_exprs lhs, enum place place)
{
    if (lhs.n == 0)
        return expr_stmt(p, parse_bad_expr(p));
    switch (p->s.tok) {
    case TOK_ASSIGN:
    case TOK_DEFINE:
        return assignment(p, lhs, place);
    case TOK_ASSIGN_OP:
    case TOK_INC_OP:
        if (lhs.n == 1)
            return op_assignment(p, lhs);
        break;
    case TOK_ARROW:
        if (lhs.n == 1)
            return send(p, lhs.at[0]);
        break;
    default:
        if (lhs.n == 1)
            return expr_stmt(p, lhs.at[0]);
        break;
    }
    parse_error(p, "expected := or = or comma");
    parse_advance(p, UNTIL(TOK_SEMI, TOK_RBRACE));
    return expr_stmt(p, lhs.at[0]);
}

static struct ast_stmt *
simple_stmt(struct parser *p, enum place place)
{
    struct ast_exprs none = {NULL, 0};

    if (place == IN_FOR && at(p, TOK_RANGE))
        return range_clause(p, none, 0, parse_pos(p));
    return simple_rest(p, parse_expr_list(p), place);
}

/* Blocks. */

static __attribute__((noinline)) void
no_block(struct parser *p, const char *context)
{
    char msg[64];

    snprintf(msg, sizeof msg, "expected { after %s", context);
    parse_error(p, msg);
    parse_advance(p, UNTIL(TOK_NAME, TOK_RBRACE));
}

struct ast_block *
parse_block(struct parser *p, const char *context)
{
    struct ast_block *b = parse_alloc(p, sizeof *b);

    if (b == NULL)
        return NULL;
    b->lbrace = parse_pos(p);
    if (!got(p, TOK_LBRACE)) {
        no_block(p, context);
        b->rbrace = parse_pos(p);
        if (got(p, TOK_RBRACE))
            return b;
    }
    b->stmts = stmt_list(p);
    b->rbrace = parse_pos(p);
    parse_want(p, TOK_RBRACE);
    return b;
}

struct ast_block *
parse_body(struct parser *p)
{
    struct ast_block *b;
    uint32_t before = parse_nerrors(p), nmsg;

    p->fnest++;
    b = parse_block(p, "");
    p->fnest--;
    if (b == NULL || p->nomem || p->s.nomem || p->giving_up ||
        parse_nerrors(p) != before)
        return b;
    nmsg = p->c->diag->nmsg;
    parse_branches(p, b);
    p->first_msg += p->c->diag->nmsg - nmsg;
    return b;
}

static struct ast_stmt *
block_stmt(struct parser *p)
{
    struct ast_stmt *s =
        parse_stmt_node(p, STMT_BLOCK, parse_pos(p), STMT_SIZE(block));

    s->block = parse_block(p, "");
    return s;
}

static struct ast_stmts
stmt_list(struct parser *p)
{
    struct ast_stmts list;
    struct ast_stmt *s;
    uint32_t mark = p->ntmp;

    while (!at(p, TOK_EOF) && !at(p, TOK_RBRACE) && !at(p, TOK_CASE) &&
           !at(p, TOK_DEFAULT)) {
        s = stmt_or_null(p);
        if (s == NULL)
            break;
        parse_push(p, s);
        if (!got(p, TOK_SEMI) && !at(p, TOK_RBRACE)) {
            parse_error(p, "at end of statement");
            parse_advance(
                p, UNTIL(TOK_SEMI, TOK_RBRACE, TOK_CASE, TOK_DEFAULT));
            got(p, TOK_SEMI);
        }
    }
    list.at = parse_list_end(p, mark, &list.n);
    return list;
}

/* Headers of if, for and switch. */

struct header {
    struct ast_stmt *init;
    struct ast_stmt *cond; /* a simple statement, to be unpacked */
    struct ast_stmt *post;
    struct ast_expr *bad; /* stands for a missing condition of an if */
    lang_pos semi;        /* of the semicolon behind init, 0 = none */
    const char *semi_text;
};

static void
for_clauses(struct parser *p, struct header *h)
{
    if (!at(p, TOK_SEMI)) {
        if (at(p, TOK_LBRACE)) {
            parse_error(p, "expected for loop condition");
            return;
        }
        h->cond = simple_stmt(p, PLAIN);
    }
    parse_want(p, TOK_SEMI);
    if (at(p, TOK_LBRACE))
        return;
    h->post = simple_stmt(p, PLAIN);
    if (h->post->kind == STMT_DEFINE)
        parse_error_at(
            p, h->post->pos, "cannot declare in post statement of for loop");
}

static __attribute__((noinline)) void
no_var(struct parser *p, enum place place)
{
    char msg[64];

    snprintf(msg, sizeof msg, "var declaration not allowed in %s initializer",
        lang_tok_text((enum lang_tok)place));
    parse_error(p, msg);
}

/* From the keyword to the `{`, which is left. */
static void
header_clauses(struct parser *p, struct header *h, enum place place)
{
    if (!at(p, TOK_SEMI)) {
        if (got(p, TOK_VAR))
            no_var(p, place);
        h->init = simple_stmt(p, place);
        if (h->init->kind == STMT_RANGE)
            return;
    }
    if (at(p, TOK_LBRACE)) {
        h->cond = h->init;
        h->init = NULL;
        return;
    }
    if (at(p, TOK_SEMI)) {
        h->semi = parse_pos(p);
        h->semi_text = p->s.semi;
        next(p);
    } else {
        parse_want(p, TOK_LBRACE);
        if (!at(p, TOK_LBRACE))
            parse_advance(p, UNTIL(TOK_LBRACE, TOK_RBRACE));
    }
    if (place == IN_FOR)
        for_clauses(p, h);
    else if (!at(p, TOK_LBRACE))
        h->cond = simple_stmt(p, place);
}

/* An if without a condition. */
static __attribute__((noinline)) void
no_condition(struct parser *p, struct header *h)
{
    char msg[64];

    h->bad = parse_bad_expr(p);
    if (h->semi == 0)
        return;
    if (strcmp(h->semi_text, "semicolon") == 0) {
        parse_error_at(p, h->semi, "missing condition in if statement");
        return;
    }
    snprintf(msg, sizeof msg, "unexpected %s, expected { after if clause",
        h->semi_text);
    parse_error_at(p, h->semi, msg);
}

static void
parse_header(struct parser *p, struct header *h, enum place place)
{
    int outer = p->xnest;

    memset(h, 0, sizeof *h);
    next(p);
    if (at(p, TOK_LBRACE)) {
        if (place == IN_IF) {
            parse_error(p, "missing condition in if statement");
            h->bad = parse_bad_expr(p);
        }
        return;
    }
    p->xnest = -1;
    header_clauses(p, h, place);
    p->xnest = outer;
    if (place == IN_IF && h->cond == NULL)
        no_condition(p, h);
}

/* A list of expressions as text. */
static void
list_string(char *buf, size_t size, const struct ast_exprs *list)
{
    size_t n = 0;
    uint32_t i;

    buf[0] = '\0';
    for (i = 0; i < list->n && n + 8 < size; i++) {
        n += (size_t)snprintf(buf + n, size - n, "%s", i ? ", " : "");
        ast_expr_string(list->at[i], buf + n, size - n);
        n += strlen(buf + n);
    }
}

/* As list_string(), with a binary expression in parentheses, so that the =
 * shows. */
static void
emphasize(char *buf, size_t size, const struct ast_exprs *list)
{
    size_t n;

    if (list->n != 1 || list->at[0]->kind != EXPR_BINARY) {
        list_string(buf, size, list);
        return;
    }
    buf[0] = '(';
    ast_expr_string(list->at[0], buf + 1, size - 2);
    n = strlen(buf);
    buf[n] = ')';
    buf[n + 1] = '\0';
}

/* A statement where a value belongs: mostly = in place of ==. */
static __attribute__((noinline)) void
not_a_value(struct parser *p, const struct ast_stmt *s)
{
    char lhs[256], rhs[256], msg[600];
    const char *op = s->op ? lang_tok_text(s->op) : "";

    if (s->kind == STMT_SEND) {
        ast_expr_string(s->send.chan, lhs, sizeof lhs);
        ast_expr_string(s->send.value, rhs, sizeof rhs);
        snprintf(msg, sizeof msg, "cannot use %s <- %s as value", lhs, rhs);
    } else if (s->kind == STMT_TSWITCH) {
        ast_expr_string(s->tswitch.guard, rhs, sizeof rhs);
        snprintf(msg, sizeof msg, "cannot use %s := %s as value",
            s->tswitch.bind.name->text, rhs);
    } else if (s->kind == STMT_ASSIGN && s->assign.rhs.n == 0) {
        ast_expr_string(s->assign.lhs.at[0], lhs, sizeof lhs);
        snprintf(msg, sizeof msg, "cannot use %s%s%s as value", lhs, op, op);
    } else if (s->kind == STMT_ASSIGN && s->op == 0) {
        emphasize(lhs, sizeof lhs, &s->assign.lhs);
        emphasize(rhs, sizeof rhs, &s->assign.rhs);
        snprintf(msg, sizeof msg, "cannot use assignment %s = %s as value", lhs,
            rhs);
    } else if (s->kind == STMT_ASSIGN || s->kind == STMT_DEFINE) {
        list_string(lhs, sizeof lhs, &s->assign.lhs);
        list_string(rhs, sizeof rhs, &s->assign.rhs);
        snprintf(msg, sizeof msg, "cannot use %s %s= %s as value", lhs,
            s->kind == STMT_DEFINE ? ":" : op, rhs);
    } else {
        return;
    }
    parse_error_at(p, s->pos, msg);
}

/* The condition of an if or for. */
static struct ast_expr *
condition(struct parser *p, const struct header *h)
{
    if (h->cond == NULL)
        return h->bad;
    if (h->cond->kind == STMT_EXPR)
        return h->cond->x;
    not_a_value(p, h->cond);
    return parse_bad_expr(p);
}

/* Compound statements. */

/* One if without its else. */
static struct ast_stmt *
if_part(struct parser *p)
{
    struct ast_stmt *s =
        parse_stmt_node(p, STMT_IF, parse_pos(p), STMT_SIZE(if_));
    struct header h;

    parse_header(p, &h, IN_IF);
    s->if_.init = h.init;
    s->if_.cond = condition(p, &h);
    s->if_.then = parse_block(p, "if clause");
    return s;
}

static struct ast_stmt *
if_stmt(struct parser *p)
{
    struct ast_stmt *first = if_part(p), *s = first;

    while (got(p, TOK_ELSE)) {
        if (at(p, TOK_IF)) {
            s->if_.els = if_part(p);
            s = s->if_.els;
            continue;
        }
        if (at(p, TOK_LBRACE)) {
            s->if_.els = block_stmt(p);
        } else {
            parse_error(p, "else must be followed by if or statement block");
            parse_advance(p, UNTIL(TOK_NAME, TOK_RBRACE));
        }
        break;
    }
    return first;
}

static struct ast_stmt *
for_stmt(struct parser *p)
{
    lang_pos pos = parse_pos(p);
    struct ast_stmt *s;
    struct header h;

    parse_header(p, &h, IN_FOR);
    if (h.init != NULL && h.init->kind == STMT_RANGE) {
        s = h.init;
        s->pos = pos;
        s->range.body = parse_block(p, "for clause");
        return s;
    }
    s = parse_stmt_node(p, STMT_FOR, pos, STMT_SIZE(for_));
    s->for_.init = h.init;
    if (h.cond != NULL)
        s->for_.cond = condition(p, &h);
    s->for_.post = h.post;
    s->for_.body = parse_block(p, "for clause");
    return s;
}

static struct ast_case *
case_clause(struct parser *p)
{
    struct ast_case *c = parse_alloc(p, sizeof *c);

    if (c == NULL)
        return NULL;
    c->pos = parse_pos(p);
    if (got(p, TOK_CASE)) {
        c->exprs = parse_expr_list(p);
    } else if (got(p, TOK_DEFAULT)) {
        c->is_default = 1;
    } else {
        parse_error(p, "expected case or default or }");
        parse_advance(p, UNTIL(TOK_COLON, TOK_CASE, TOK_DEFAULT, TOK_RBRACE));
    }
    c->colon = parse_pos(p);
    parse_want(p, TOK_COLON);
    c->body = stmt_list(p);
    return c;
}

/* { clauses }; returns the list, *lbrace and *rbrace. */
static void *
clauses(struct parser *p, const char *missing, void *(*clause)(struct parser *),
    uint32_t *n, lang_pos *lbrace, lang_pos *rbrace)
{
    uint32_t mark = p->ntmp;
    void *list;

    *lbrace = parse_pos(p);
    if (!got(p, TOK_LBRACE)) {
        parse_error(p, missing);
        parse_advance(p, UNTIL(TOK_CASE, TOK_DEFAULT, TOK_RBRACE));
    }
    while (!at(p, TOK_EOF) && !at(p, TOK_RBRACE))
        parse_push(p, clause(p));
    list = parse_list_end(p, mark, n);
    *rbrace = parse_pos(p);
    parse_want(p, TOK_RBRACE);
    return list;
}

static void *
switch_clause(struct parser *p)
{
    return case_clause(p);
}

static struct ast_stmt *
switch_stmt(struct parser *p)
{
    lang_pos pos = parse_pos(p);
    struct ast_stmt *s, *cond;
    struct header h;

    parse_header(p, &h, IN_SWITCH);
    cond = h.cond;
    if (cond != NULL && cond->kind == STMT_EXPR &&
        cond->x->kind == EXPR_TYPEGUARD) {
        s = parse_stmt_node(p, STMT_TSWITCH, pos, STMT_SIZE(tswitch));
        s->tswitch.guard = cond->x;
    } else if (cond != NULL && cond->kind == STMT_TSWITCH) {
        s = cond;
        s->pos = pos;
    } else {
        s = parse_stmt_node(p, STMT_SWITCH, pos, STMT_SIZE(switch_));
        if (cond != NULL)
            s->switch_.tag = condition(p, &h);
        s->switch_.init = h.init;
        s->switch_.cases =
            clauses(p, "missing { after switch clause", switch_clause,
                &s->switch_.ncase, &s->switch_.lbrace, &s->switch_.rbrace);
        return s;
    }
    s->tswitch.init = h.init;
    s->tswitch.cases =
        clauses(p, "missing { after switch clause", switch_clause,
            &s->tswitch.ncase, &s->tswitch.lbrace, &s->tswitch.rbrace);
    return s;
}

static void *
comm_clause(struct parser *p)
{
    struct ast_comm *c = parse_alloc(p, sizeof *c);

    if (c == NULL)
        return NULL;
    c->pos = parse_pos(p);
    if (got(p, TOK_CASE)) {
        c->comm = simple_stmt(p, PLAIN);
    } else if (!got(p, TOK_DEFAULT)) {
        parse_error(p, "expected case or default or }");
        parse_advance(p, UNTIL(TOK_COLON, TOK_CASE, TOK_DEFAULT, TOK_RBRACE));
    }
    c->colon = parse_pos(p);
    parse_want(p, TOK_COLON);
    c->body = stmt_list(p);
    return c;
}

static struct ast_stmt *
select_stmt(struct parser *p)
{
    struct ast_stmt *s =
        parse_stmt_node(p, STMT_SELECT, parse_pos(p), STMT_SIZE(select));

    next(p);
    s->select.comms = clauses(p, "missing { after select clause", comm_clause,
        &s->select.ncomm, &s->select.lbrace, &s->select.rbrace);
    return s;
}

/* Other statements. */

static struct ast_stmt *
call_stmt(struct parser *p)
{
    int go = at(p, TOK_GO);
    struct ast_stmt *s = parse_stmt_node(
        p, go ? STMT_GO : STMT_DEFER, parse_pos(p), STMT_SIZE(x));
    struct ast_expr *x;

    next(p);
    x = parse_primary(p, NULL);
    if (x->kind == EXPR_PAREN) {
        parse_plain_error_at(p, x->pos,
            go ? "expression in go must not be parenthesized"
               : "expression in defer must not be parenthesized");
        x = ast_unparen(x);
    }
    s->x = x;
    return s;
}

static struct ast_stmt *
branch_stmt(struct parser *p, enum ast_stmt_kind kind)
{
    struct ast_stmt *s =
        parse_stmt_node(p, kind, parse_pos(p), STMT_SIZE(branch));

    next(p);
    if (kind == STMT_GOTO || (kind != STMT_FALLTHROUGH && at(p, TOK_NAME)))
        s->branch.label = parse_ident(p);
    return s;
}

static struct ast_stmt *
return_stmt(struct parser *p)
{
    struct ast_stmt *s =
        parse_stmt_node(p, STMT_RETURN, parse_pos(p), STMT_SIZE(ret));

    next(p);
    if (!at(p, TOK_SEMI) && !at(p, TOK_RBRACE))
        s->ret.values = parse_expr_list(p);
    return s;
}

static struct ast_stmt *
decl_stmt(struct parser *p)
{
    struct ast_stmt *s =
        parse_stmt_node(p, STMT_DECL, parse_pos(p), STMT_SIZE(decl));

    s->decl.decls = parse_decl_group(p);
    return s;
}

static struct ast_stmt *
empty_stmt(struct parser *p)
{
    return parse_stmt_node(p, STMT_EMPTY, parse_pos(p), STMT_SIZE(x));
}

/* `label :`, the label given and the colon current.  NULL after an error. */
static struct ast_stmt *
labeled_stmt(struct parser *p, struct ast_expr *label)
{
    struct ast_stmt *s =
        parse_stmt_node(p, STMT_LABELED, label->pos, STMT_SIZE(labeled));
    uint32_t saved;

    if (!parse_enter(p, &saved))
        return NULL;
    s->labeled.label.name = label->name;
    s->labeled.label.pos = label->pos;
    s->pos = parse_pos(p);
    next(p);
    s->labeled.stmt = at(p, TOK_RBRACE) ? empty_stmt(p) : stmt_or_null(p);
    parse_leave(p, saved);
    if (s->labeled.stmt != NULL) {
        s->pos = label->pos;
        return s;
    }
    parse_error_at(p, s->pos, "missing statement after label");
    return NULL;
}

static struct ast_stmt *
name_stmt(struct parser *p)
{
    struct ast_exprs lhs = parse_expr_list(p);

    if (lhs.n == 1 && lhs.at[0]->kind == EXPR_NAME && at(p, TOK_COLON))
        return labeled_stmt(p, lhs.at[0]);
    return simple_rest(p, lhs, PLAIN);
}

static struct ast_stmt *
compound_stmt(struct parser *p)
{
    switch (p->s.tok) {
    case TOK_LBRACE:
        return block_stmt(p);
    case TOK_IF:
        return if_stmt(p);
    case TOK_FOR:
        return for_stmt(p);
    case TOK_SWITCH:
        return switch_stmt(p);
    default:
        return select_stmt(p);
    }
}

static struct ast_stmt *
stmt_or_null(struct parser *p)
{
    struct ast_stmt *s;
    uint32_t saved;

    switch (p->s.tok) {
    case TOK_NAME:
        return name_stmt(p);
    case TOK_VAR:
    case TOK_CONST:
    case TOK_TYPE:
        return decl_stmt(p);
    case TOK_ADD:
    case TOK_SUB:
    case TOK_MUL:
    case TOK_AND:
    case TOK_XOR:
    case TOK_NOT:
    case TOK_ARROW:
    case TOK_LITERAL:
    case TOK_FUNC:
    case TOK_LPAREN:
    case TOK_LBRACK:
    case TOK_STRUCT:
    case TOK_MAP:
    case TOK_CHAN:
    case TOK_INTERFACE:
        return simple_stmt(p, PLAIN);
    case TOK_LBRACE:
    case TOK_IF:
    case TOK_FOR:
    case TOK_SWITCH:
    case TOK_SELECT:
        if (!parse_enter(p, &saved))
            return NULL;
        s = compound_stmt(p);
        parse_leave(p, saved);
        return s;
    case TOK_BREAK:
        return branch_stmt(p, STMT_BREAK);
    case TOK_CONTINUE:
        return branch_stmt(p, STMT_CONTINUE);
    case TOK_GOTO:
        return branch_stmt(p, STMT_GOTO);
    case TOK_FALLTHROUGH:
        return branch_stmt(p, STMT_FALLTHROUGH);
    case TOK_GO:
    case TOK_DEFER:
        return call_stmt(p);
    case TOK_RETURN:
        return return_stmt(p);
    case TOK_SEMI:
        return empty_stmt(p);
    default:
        return NULL;
    }
}
