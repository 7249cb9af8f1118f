/* SPDX-License-Identifier: MIT */
/*
 * One walk over a function's tree before its code is made.  It finds arrays
 * that are indexed by variables (a frame cannot be addressed, so they live on
 * the heap) and the bodies of range-over-func loops, which become closures:
 * what they share with their function counts as captured.
 */
#include "runtime/lang/gen/gen_int.h"
#include "runtime/lang/syntax/ast_kids.h"

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
        rt_assert(s->nfuncs > 0);
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

/* Does a call of this type return what may be memory of the caller's? */
static bool
may_lend(const struct scan *s, const struct type *sig)
{
    uint32_t i;

    for (i = sig->nparams; i < sig->nvars; i++) {
        struct type *t = sig->vars[i]->type;

        if (type_kind_of(t) == TYPE_POINTER || type_kind_of(t) == TYPE_SLICE ||
            (type_is_interface(t) && t != s->f->g->c->types.error_type))
            return true;
    }
    return false;
}

/* Does e make something that may lie in a cell? */
static bool
needs_memory(const struct scan *s, const struct ast_expr *e)
{
    switch (e->kind) {
    case EXPR_FUNCLIT:
    case EXPR_COMPOSITE:
    case EXPR_SLICE:
        return true;
    case EXPR_UNARY:
        return e->op == TOK_AND;
    case EXPR_INDEX:
        return type_kind_of(e->index.x->type) == TYPE_ARRAY;
    case EXPR_SELECTOR:
        return e->selector.how != NULL && e->selector.how->take_addr;
    case EXPR_CALL:
        if (e->flags & AST_F_CONVERSION)
            return gen_copies_bytes(e);
        if (e->call.fun->mode == MODE_BUILTIN)
            return e->call.builtin == BUILTIN_NEW ||
                e->call.builtin == BUILTIN_MAKE;
        return type_under(e->call.fun->type)->variadic ||
            may_lend(s, type_under(e->call.fun->type));
    default:
        return false;
    }
}

static void
scan_expr(struct scan *s, struct ast_expr *e)
{
    struct ast_kids k;
    uint32_t i;

    for (;; e = *k.at[0]) {
        if (e == NULL || e->mode == MODE_TYPE || e->cv != NULL)
            return;
        if (e->kind == EXPR_NAME) {
            mention(s, e->obj);
            return;
        }
        s->f->scanned_memory |= needs_memory(s, e);
        if (e->kind == EXPR_FUNCLIT)
            scan_lit(s, e);
        else if (e->kind == EXPR_INDEX)
            scan_index(s, e);
        ast_kids_of(e, &k);
        if (k.list != NULL)
            scan_exprs(s, *k.list);
        for (i = 1; i < k.n; i++)
            scan_expr(s, *k.at[i]);
        if (k.n == 0)
            return;
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
    uint32_t around = s->nfuncs;

    scan_expr(s, st->range.x);
    s->f->scanned_memory |= fn;
    if (fn)
        push_range(s, st);
    if (!st->range.define) {
        scan_expr(s, st->range.key);
        scan_expr(s, st->range.value);
    }
    scan_stmts(s, st->range.body->stmts);
    if (fn)
        s->nfuncs--;
    rt_assert(s->nfuncs == around);
}

/* A return inside a loop body stores the function's results. */
static void
scan_return(struct scan *s, struct ast_stmt *st)
{
    struct func_info *info;
    uint32_t i;

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
scan_decls(struct scan *s, struct ast_decls list)
{
    uint32_t i;

    for (i = 0; i < list.n; i++)
        if (list.at[i]->kind == DECL_VAR)
            scan_exprs(s, list.at[i]->var.values);
}

/* What all statements have in common: everything below st but an else. */
static void
scan_parts(struct scan *s, struct ast_stmt *st, const struct ast_parts *p)
{
    uint32_t i;

    if (p->init != NULL)
        scan_stmt(s, *p->init);
    for (i = 0; i < p->nexpr; i++)
        scan_expr(s, *p->expr[i]);
    for (i = 0; i < p->nlist; i++)
        scan_exprs(s, *p->list[i]);
    if (p->block != NULL)
        scan_stmts(s, (*p->block)->stmts);
    for (i = 0; i < p->ncase; i++) {
        scan_exprs(s, (*p->cases)[i]->exprs);
        scan_stmts(s, (*p->cases)[i]->body);
    }
    for (i = 0; i < p->ncomm; i++) {
        scan_stmt(s, (*p->comms)[i]->comm);
        scan_stmts(s, (*p->comms)[i]->body);
    }
    for (i = 0; st->kind != STMT_IF && i < p->nstmt; i++)
        scan_stmt(s, *p->stmt[i]);
    if (p->decls != NULL)
        scan_decls(s, *p->decls);
}

static void
scan_stmt(struct scan *s, struct ast_stmt *st)
{
    struct ast_parts p;

    for (; st != NULL; st = st->if_.els) {
        if (st->kind == STMT_RETURN)
            scan_return(s, st);
        if (st->kind == STMT_RANGE) {
            scan_range(s, st);
            return;
        }
        ast_parts_of(st, &p);
        scan_parts(s, st, &p);
        if (st->kind != STMT_IF)
            return;
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

    rt_assert(type_kind_of(gf_type(f, r->range.x)) == TYPE_FUNC);
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
