/* SPDX-License-Identifier: MIT */
#include "runtime/lang/syntax/ast_kids.h"

#include "runtime/base/throw.h"
#include "runtime/lang/syntax/parse_int.h"

/* ---- expressions ---------------------------------------------------------- */

static void
kid(struct ast_kids *k, struct ast_expr **slot)
{
    if (*slot != NULL)
        k->at[k->n++] = slot;
}

void
ast_kids_of(struct ast_expr *e, struct ast_kids *k)
{
    k->n = 0;
    k->list = NULL;
    switch (e->kind) {
    case EXPR_PAREN:
    case EXPR_STAR:
    case EXPR_TYPEGUARD:
        kid(k, &e->x);
        break;
    case EXPR_SELECTOR:
        kid(k, &e->selector.x);
        break;
    case EXPR_COMPOSITE:
        k->list = &e->composite.elems;
        break;
    case EXPR_KEYVALUE:
        kid(k, &e->kv.key);
        kid(k, &e->kv.value);
        break;
    case EXPR_INDEX:
        kid(k, &e->index.x);
        k->list = &e->index.at;
        break;
    case EXPR_SLICE:
        kid(k, &e->slice.x);
        kid(k, &e->slice.lo);
        kid(k, &e->slice.hi);
        kid(k, &e->slice.max);
        break;
    case EXPR_ASSERT:
        kid(k, &e->assert_.x);
        break;
    case EXPR_CALL:
        kid(k, &e->call.fun);
        k->list = &e->call.args;
        break;
    case EXPR_UNARY:
        kid(k, &e->unary.x);
        break;
    case EXPR_BINARY:
        kid(k, &e->binary.x);
        kid(k, &e->binary.y);
        break;
    default:
        break;
    }
}

/* ---- statements ----------------------------------------------------------- */

static void
part(struct ast_parts *p, struct ast_expr **slot)
{
    if (*slot != NULL)
        p->expr[p->nexpr++] = slot;
}

static void
part_stmt(struct ast_parts *p, struct ast_stmt **slot)
{
    if (*slot != NULL)
        p->stmt[p->nstmt++] = slot;
}

static void
part_init(struct ast_parts *p, struct ast_stmt **slot)
{
    p->init = *slot != NULL ? slot : NULL;
}

static void
part_list(struct ast_parts *p, struct ast_exprs *list)
{
    p->list[p->nlist++] = list;
}

static void
loop_parts(struct ast_stmt *s, struct ast_parts *p)
{
    if (s->kind == STMT_FOR) {
        part_init(p, &s->for_.init);
        part(p, &s->for_.cond);
        p->block = &s->for_.body;
        part_stmt(p, &s->for_.post);
    } else {
        part(p, &s->range.x);
        part(p, &s->range.key);
        part(p, &s->range.value);
        p->block = &s->range.body;
    }
}

static void
switch_parts(struct ast_stmt *s, struct ast_parts *p)
{
    switch (s->kind) {
    case STMT_SWITCH:
        part_init(p, &s->switch_.init);
        part(p, &s->switch_.tag);
        p->cases = &s->switch_.cases;
        p->ncase = s->switch_.ncase;
        break;
    case STMT_TSWITCH:
        part_init(p, &s->tswitch.init);
        part(p, &s->tswitch.guard);
        p->cases = &s->tswitch.cases;
        p->ncase = s->tswitch.ncase;
        break;
    default:
        p->comms = &s->select.comms;
        p->ncomm = s->select.ncomm;
        break;
    }
}

void
ast_parts_of(struct ast_stmt *s, struct ast_parts *p)
{
    p->init = NULL;
    p->block = NULL;
    p->decls = NULL;
    p->nexpr = p->nlist = p->ncase = p->ncomm = p->nstmt = 0;
    switch (s->kind) {
    case STMT_EXPR:
    case STMT_GO:
    case STMT_DEFER:
        part(p, &s->x);
        break;
    case STMT_SEND:
        part(p, &s->send.chan);
        part(p, &s->send.value);
        break;
    case STMT_ASSIGN:
    case STMT_DEFINE:
        part_list(p, &s->assign.lhs);
        part_list(p, &s->assign.rhs);
        break;
    case STMT_RETURN:
        part_list(p, &s->ret.values);
        break;
    case STMT_BLOCK:
        p->block = &s->block;
        break;
    case STMT_IF:
        part_init(p, &s->if_.init);
        part(p, &s->if_.cond);
        p->block = &s->if_.then;
        part_stmt(p, &s->if_.els);
        break;
    case STMT_SWITCH:
    case STMT_TSWITCH:
    case STMT_SELECT:
        switch_parts(s, p);
        break;
    case STMT_FOR:
    case STMT_RANGE:
        loop_parts(s, p);
        break;
    case STMT_LABELED:
        part_stmt(p, &s->labeled.stmt);
        break;
    case STMT_DECL:
        p->decls = &s->decl.decls;
        break;
    default:
        break;
    }
}

/* ---- sizes ---------------------------------------------------------------- */

size_t
ast_expr_size(const struct ast_expr *e)
{
    static const uint8_t size[EXPR_KIND_COUNT] = {
        [EXPR_BAD] = EXPR_SIZE(name),
        [EXPR_NAME] = EXPR_SIZE(name),
        [EXPR_LIT] = EXPR_SIZE(lit),
        [EXPR_COMPOSITE] = EXPR_SIZE(composite),
        [EXPR_KEYVALUE] = EXPR_SIZE(kv),
        [EXPR_FUNCLIT] = EXPR_SIZE(func),
        [EXPR_PAREN] = EXPR_SIZE(x),
        [EXPR_SELECTOR] = EXPR_SIZE(selector),
        [EXPR_INDEX] = EXPR_SIZE(index),
        [EXPR_SLICE] = EXPR_SIZE(slice),
        [EXPR_ASSERT] = EXPR_SIZE(assert_),
        [EXPR_TYPEGUARD] = EXPR_SIZE(x),
        [EXPR_CALL] = EXPR_SIZE(call),
        [EXPR_UNARY] = EXPR_SIZE(unary),
        [EXPR_STAR] = EXPR_SIZE(x),
        [EXPR_BINARY] = EXPR_SIZE(binary),
        [EXPR_ARRAY] = EXPR_SIZE(array),
        [EXPR_SLICETYPE] = EXPR_SIZE(elem),
        [EXPR_STRUCT] = EXPR_SIZE(struct_),
        [EXPR_FUNCTYPE] = EXPR_SIZE(sig),
        [EXPR_INTERFACE] = EXPR_SIZE(iface),
        [EXPR_MAP] = EXPR_SIZE(map),
        [EXPR_CHAN] = EXPR_SIZE(elem),
        [EXPR_ELLIPSIS] = EXPR_SIZE(elem),
    };

    rt_assert(e->kind < EXPR_KIND_COUNT);
    return size[e->kind];
}

size_t
ast_stmt_size(const struct ast_stmt *s)
{
    static const uint8_t size[STMT_KIND_COUNT] = {
        [STMT_EMPTY] = STMT_SIZE(x),
        [STMT_EXPR] = STMT_SIZE(x),
        [STMT_SEND] = STMT_SIZE(send),
        [STMT_ASSIGN] = STMT_SIZE(assign),
        [STMT_DEFINE] = STMT_SIZE(assign),
        [STMT_GO] = STMT_SIZE(x),
        [STMT_DEFER] = STMT_SIZE(x),
        [STMT_RETURN] = STMT_SIZE(ret),
        [STMT_BREAK] = STMT_SIZE(branch),
        [STMT_CONTINUE] = STMT_SIZE(branch),
        [STMT_GOTO] = STMT_SIZE(branch),
        [STMT_FALLTHROUGH] = STMT_SIZE(branch),
        [STMT_BLOCK] = STMT_SIZE(block),
        [STMT_IF] = STMT_SIZE(if_),
        [STMT_SWITCH] = STMT_SIZE(switch_),
        [STMT_TSWITCH] = STMT_SIZE(tswitch),
        [STMT_SELECT] = STMT_SIZE(select),
        [STMT_FOR] = STMT_SIZE(for_),
        [STMT_RANGE] = STMT_SIZE(range),
        [STMT_LABELED] = STMT_SIZE(labeled),
        [STMT_DECL] = STMT_SIZE(decl),
    };

    rt_assert(s->kind < STMT_KIND_COUNT);
    return size[s->kind];
}
