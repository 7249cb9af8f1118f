/* SPDX-License-Identifier: MIT */
/*
 * One walk over a function's tree before its code is made.  It finds arrays
 * that are indexed by variables (a frame cannot be addressed, so they live on
 * the heap) and the bodies of range-over-func loops, which become closures:
 * what they share with their function counts as captured.
 */
#include "runtime/lang/gen/gen_int.h"

#include <string.h>

struct scan {
    struct gfunc *f; /* whose body it is */
    struct ast_stmt **funcs; /* enclosing range-over-func loops */
    uint32_t nfuncs, cap;
    struct object **found; /* captures, when collecting */
    uint32_t nfound, fcap;
    bool collect;
};

static void scan_expr(struct scan *s, struct ast_expr *e);
static void scan_stmts(struct scan *s, struct ast_stmts list);
static void scan_stmt(struct scan *s, struct ast_stmt *st);

static void
scan_exprs(struct scan *s, struct ast_exprs list)
{
    uint32_t i;

    for (i = 0; i < list.n; i++)
        scan_expr(s, list.at[i]);
}

/* The local variable whose own memory the place e is part of. */
static struct object *
root_var(const struct scan *s, struct ast_expr *e)
{
    for (;;) {
        e = ast_unparen(e);
        switch (e->kind) {
        case EXPR_NAME:
            return e->obj != NULL && e->obj->kind == OBJ_VAR &&
                e->obj->var_kind != VAR_PACKAGE ? e->obj : NULL;
        case EXPR_SELECTOR: {
            const struct selection *how = e->selector.how;
            uint32_t i;

            if (how == NULL || how->kind != SEL_FIELD)
                return NULL;
            for (i = 0; i < how->nsteps; i++)
                if (how->steps[i].deref)
                    return NULL;
            e = e->selector.x;
            break;
        }
        case EXPR_INDEX:
            if (type_kind_of(gf_type(s->f, e->index.x)) != TYPE_ARRAY)
                return NULL;
            e = e->index.x;
            break;
        default:
            return NULL;
        }
    }
}

/* A mention of v inside the loop bodies around: shared if declared outside. */
static void
mention(struct scan *s, struct object *v)
{
    uint32_t i;

    if (v == NULL || v->kind != OBJ_VAR || v->var_kind == VAR_PACKAGE ||
        v->var_kind == VAR_FIELD || v->name == NULL)
        return;
    for (i = 0; i < s->nfuncs; i++) {
        struct ast_stmt *r = s->funcs[i];

        if (v->pos < r->range.body->lbrace ||
            v->pos > r->range.body->rbrace)
            if (v != r->range.kobj && v != r->range.vobj)
                v->captured = true;
    }
    if (s->collect) {
        struct ast_stmt *r = s->funcs[0];

        if ((v->pos >= r->range.body->lbrace &&
                v->pos <= r->range.body->rbrace) ||
            v == r->range.kobj || v == r->range.vobj)
            return;
        if (gmap_get(&s->f->g->seen, (uint64_t)(uintptr_t)v, &i) &&
            i == s->f->g->nseen)
            return;
        gmap_put(
            s->f->g, &s->f->g->seen, (uint64_t)(uintptr_t)v, s->f->g->nseen);
        if (s->nfound == s->fcap) {
            s->found = gen_scratch_grow(s->f->g, s->found, &s->fcap,
                sizeof *s->found);
        }
        s->found[s->nfound++] = v;
    }
}

static void
scan_index(struct scan *s, struct ast_expr *e)
{
    struct type *t = type_under(gf_type(s->f, e->index.x));
    struct object *v;

    if (t->kind != TYPE_ARRAY || e->index.at.n == 0 ||
        e->index.at.at[0]->cv != NULL)
        return;
    v = root_var(s, e->index.x);
    if (v == NULL)
        return;
    /* 8-byte elements of an array in the frame itself have their own
     * instruction. */
    if (ast_unparen(e->index.x)->kind == EXPR_NAME &&
        type_size(t->elem) == 8 && type_in_frame_scalar(t->elem))
        return;
    v->gen_ptr = v;
}

static void
scan_lit(struct scan *s, struct ast_expr *e)
{
    struct func_info *info = e->func->info;
    uint32_t i;

    if (info != NULL && s->nfuncs > 0)
        for (i = 0; i < info->ncaptures; i++)
            mention(s, info->captures[i]);
    if (e->func->body != NULL && !s->collect)
        scan_stmts(s, e->func->body->stmts);
}

static void
scan_expr(struct scan *s, struct ast_expr *e)
{
    for (;;) {
        if (e == NULL || e->mode == MODE_TYPE)
            return;
        if (e->cv != NULL)
            return;
        switch (e->kind) {
        case EXPR_NAME:
            mention(s, e->obj);
            return;
        case EXPR_PAREN:
        case EXPR_STAR:
        case EXPR_TYPEGUARD:
            e = e->x;
            continue;
        case EXPR_SELECTOR:
            e = e->selector.x;
            continue;
        case EXPR_COMPOSITE:
            scan_exprs(s, e->composite.elems);
            return;
        case EXPR_KEYVALUE:
            if (e->kv.key->obj == NULL || e->kv.key->kind != EXPR_NAME ||
                e->kv.key->obj->var_kind != VAR_FIELD)
                scan_expr(s, e->kv.key);
            e = e->kv.value;
            continue;
        case EXPR_FUNCLIT:
            scan_lit(s, e);
            return;
        case EXPR_INDEX:
            scan_index(s, e);
            scan_exprs(s, e->index.at);
            e = e->index.x;
            continue;
        case EXPR_SLICE:
            scan_expr(s, e->slice.lo);
            scan_expr(s, e->slice.hi);
            scan_expr(s, e->slice.max);
            e = e->slice.x;
            continue;
        case EXPR_ASSERT:
            e = e->assert_.x;
            continue;
        case EXPR_CALL:
            scan_exprs(s, e->call.args);
            if (e->flags & AST_F_CONVERSION)
                return;
            e = e->call.fun;
            continue;
        case EXPR_UNARY:
            e = e->unary.x;
            continue;
        case EXPR_BINARY:
            scan_expr(s, e->binary.y);
            e = e->binary.x;
            continue;
        default:
            return;
        }
    }
}

static void
push_range(struct scan *s, struct ast_stmt *st)
{
    if (s->nfuncs == s->cap) {
        s->funcs = gen_scratch_grow(s->f->g, s->funcs, &s->cap,
            sizeof *s->funcs);
    }
    s->funcs[s->nfuncs++] = st;
}

static void
scan_range(struct scan *s, struct ast_stmt *st)
{
    bool fn = type_kind_of(gf_type(s->f, st->range.x)) == TYPE_FUNC;

    scan_expr(s, st->range.x);
    if (fn)
        push_range(s, st);
    if (!st->range.define) {
        scan_expr(s, st->range.key);
        scan_expr(s, st->range.value);
    }
    scan_stmts(s, st->range.body->stmts);
    if (fn)
        s->nfuncs--;
}

static void
scan_cases(struct scan *s, struct ast_case **cases, uint32_t n)
{
    uint32_t i;

    for (i = 0; i < n; i++) {
        scan_exprs(s, cases[i]->exprs);
        scan_stmts(s, cases[i]->body);
    }
}

/* A return inside a loop body stores the function's results. */
static void
scan_return(struct scan *s, struct ast_stmt *st)
{
    struct func_info *info;
    uint32_t i;

    scan_exprs(s, st->ret.values);
    if (s->nfuncs == 0 || st->ret.func == NULL)
        return;
    info = st->ret.func->info;
    if (info == NULL || info->sig == NULL)
        return;
    for (i = info->sig->nparams; i < info->sig->nvars; i++) {
        struct object *v = info->sig->vars[i];

        v->captured = true;
        v->reassigned = true;
    }
}

static void
scan_stmt(struct scan *s, struct ast_stmt *st)
{
    uint32_t i;

    if (st == NULL)
        return;
    switch (st->kind) {
    case STMT_EXPR:
    case STMT_GO:
    case STMT_DEFER:
        scan_expr(s, st->x);
        break;
    case STMT_SEND:
        scan_expr(s, st->send.chan);
        scan_expr(s, st->send.value);
        break;
    case STMT_ASSIGN:
    case STMT_DEFINE:
        scan_exprs(s, st->assign.lhs);
        scan_exprs(s, st->assign.rhs);
        break;
    case STMT_RETURN:
        scan_return(s, st);
        break;
    case STMT_BLOCK:
        scan_stmts(s, st->block->stmts);
        break;
    case STMT_IF:
        for (; st != NULL && st->kind == STMT_IF; st = st->if_.els) {
            scan_stmt(s, st->if_.init);
            scan_expr(s, st->if_.cond);
            scan_stmts(s, st->if_.then->stmts);
        }
        scan_stmt(s, st);
        break;
    case STMT_SWITCH:
        scan_stmt(s, st->switch_.init);
        scan_expr(s, st->switch_.tag);
        scan_cases(s, st->switch_.cases, st->switch_.ncase);
        break;
    case STMT_TSWITCH:
        scan_stmt(s, st->tswitch.init);
        scan_expr(s, st->tswitch.guard);
        scan_cases(s, st->tswitch.cases, st->tswitch.ncase);
        break;
    case STMT_SELECT:
        for (i = 0; i < st->select.ncomm; i++) {
            scan_stmt(s, st->select.comms[i]->comm);
            scan_stmts(s, st->select.comms[i]->body);
        }
        break;
    case STMT_FOR:
        scan_stmt(s, st->for_.init);
        scan_expr(s, st->for_.cond);
        scan_stmt(s, st->for_.post);
        scan_stmts(s, st->for_.body->stmts);
        break;
    case STMT_RANGE:
        scan_range(s, st);
        break;
    case STMT_LABELED:
        scan_stmt(s, st->labeled.stmt);
        break;
    case STMT_DECL:
        for (i = 0; i < st->decl.decls.n; i++)
            if (st->decl.decls.at[i]->kind == DECL_VAR)
                scan_exprs(s, st->decl.decls.at[i]->var.values);
        break;
    default:
        break;
    }
}

static void
scan_stmts(struct scan *s, struct ast_stmts list)
{
    uint32_t i;

    for (i = 0; i < list.n; i++)
        scan_stmt(s, list.at[i]);
}

void
gf_scan_body(struct gfunc *f, struct ast_block *body)
{
    struct scan s = {0};

    s.f = f;
    scan_stmts(&s, body->stmts);
}

void
gf_scan_init(struct gfunc *f, struct ast_expr *e)
{
    struct scan s = {0};

    s.f = f;
    scan_expr(&s, e);
}

struct object **
gf_scan_captures(struct gfunc *f, struct ast_stmt *r, uint32_t *n)
{
    struct scan s = {0};
    struct object **out;

    s.f = f;
    f->g->nseen++;
    s.collect = true;
    push_range(&s, r);
    if (!r->range.define) {
        scan_expr(&s, r->range.key);
        scan_expr(&s, r->range.value);
    }
    scan_stmts(&s, r->range.body->stmts);
    out = gen_alloc(f->g, (s.nfound + 1) * sizeof *out);
    if (s.nfound != 0)
        memcpy(out, s.found, s.nfound * sizeof *out);
    *n = s.nfound;
    return out;
}
