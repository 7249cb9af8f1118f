/* SPDX-License-Identifier: MIT */
#include "runtime/lang/types/spec.h"

#include <string.h>

#include "runtime/lang/syntax/ast_kids.h"
#include "runtime/lang/types/check_int.h"
#include "runtime/lang/types/generic.h"

/* From what the generic tree has to what stands for it in the copy. */
struct twin {
    const void *old;
    void *new;
};

struct spec {
    struct check *c;
    struct subst subst;
    struct object *fn;       /* the instance */
    struct func_info *root;  /* of the generic function */
    struct twin *twins;      /* objects, statements, functions and their
                                infos, local types; open addressing */
    uint32_t ntwins, cap;
    struct ast_stmt **jumps; /* copied ones with a target */
    uint32_t njumps, jumpcap;
};

static void copy_stmts(struct spec *s, struct ast_stmts *list);

/* ---- twins ------------------------------------------------------------------ */

static struct twin *
twin_slot(struct twin *at, uint32_t cap, const void *old)
{
    uint64_t h = (uint64_t)(uintptr_t)old * 0x9e3779b97f4a7c15u;
    uint32_t i = (uint32_t)(h >> 32) & (cap - 1);

    rt_assert(cap > 0 && (cap & (cap - 1)) == 0);
    while (at[i].old != NULL && at[i].old != old)
        i = (i + 1) & (cap - 1);
    return &at[i];
}

static void *
twin_of(const struct spec *s, const void *old)
{
    return s->cap == 0 ? NULL : twin_slot(s->twins, s->cap, old)->new;
}

static void
twin_put(struct spec *s, const void *old, void *new)
{
    struct twin *at;
    uint32_t i, cap;

    if (s->ntwins * 2 >= s->cap) {
        cap = s->cap == 0 ? 64 : s->cap * 2;
        at = CHECK_ARRAY(s->c, struct twin, cap);
        for (i = 0; i < s->cap; i++)
            if (s->twins[i].old != NULL)
                *twin_slot(at, cap, s->twins[i].old) = s->twins[i];
        s->twins = at;
        s->cap = cap;
    }
    at = twin_slot(s->twins, s->cap, old);
    rt_assert(at->old == NULL);
    at->old = old;
    at->new = new;
    s->ntwins++;
}

/* ---- types and objects ---------------------------------------------------- */

/* One type has one twin, so that the fields of a struct are the same wherever
 * it is met. */
static struct type *
copy_type(struct spec *s, struct type *t)
{
    struct type *n;

    if (t == NULL || t->kind < TYPE_NAMED)
        return t;
    n = twin_of(s, t);
    if (n != NULL)
        return n;
    n = type_subst(&s->subst, t);
    if (n != t && twin_of(s, t) == NULL)
        twin_put(s, t, n);
    return n;
}

static struct func_info *
copy_info(struct spec *s, struct func_info *f)
{
    struct func_info *n = f == NULL ? NULL : twin_of(s, f);

    return n != NULL ? n : f;
}

/* Is the local type t declared in the body, or in a literal of it? */
static bool
is_own_type(const struct spec *s, const struct type *t)
{
    const struct func_info *f = t->obj->func;

    while (f != NULL && f != s->root)
        f = f->outer;
    return f != NULL;
}

/* subst.local: a type declared in the body has one twin in each instance.  It
 * is known before its right side is, which may mention it. */
static struct type *
local_type(void *arg, struct type *t)
{
    struct spec *s = arg;
    struct type *n = twin_of(s, t);

    if (n != NULL || !is_own_type(s, t))
        return n != NULL ? n : t;
    n = type_new(s->c, TYPE_NAMED);
    twin_put(s, t, n);
    n->obj = CHECK_NEW(s->c, struct object);
    *n->obj = *t->obj;
    n->obj->type = n;
    n->obj->func = copy_info(s, t->obj->func);
    n->tparams = t->tparams;
    n->targs = s->fn->targs;
    n->ntargs = s->fn->ntargs;
    n->serial = ++s->c->in->serial;
    n->under = copy_type(s, type_under(t));
    return n;
}

/* A variable of the function, literals included. */
static struct object *
copy_var(struct spec *s, struct object *v)
{
    struct object *n = twin_of(s, v);

    if (n != NULL)
        return n;
    n = CHECK_NEW(s->c, struct object);
    *n = *v;
    twin_put(s, v, n);
    n->type = copy_type(s, v->type);
    n->func = copy_info(s, v->func);
    return n;
}

/* The instance that a generic function's instance with the parameters'
 * arguments is here. */
static struct object *
copy_func(struct spec *s, struct object *f)
{
    struct type **to;
    bool same = true;
    uint32_t i;

    if (f->origin == NULL)
        return f;
    to = CHECK_ARRAY(s->c, struct type *, f->ntargs);
    for (i = 0; i < f->ntargs; i++) {
        to[i] = copy_type(s, f->targs[i]);
        same &= to[i] == f->targs[i];
    }
    if (same)
        return f;
    f = check_func_instance(s->c, f->origin, to, f->ntargs);
    check_obj(s->c, f);
    return f;
}

/* What a name or pkg.X denotes. */
static struct object *
copy_object(struct spec *s, struct object *o)
{
    if (o == NULL)
        return NULL;
    if (o->kind == OBJ_FUNC)
        return copy_func(s, o);
    if (o->kind == OBJ_VAR && o->var_kind != VAR_PACKAGE &&
        o->var_kind != VAR_FIELD)
        return copy_var(s, o);
    return o;
}

static struct object **
copy_vars(struct spec *s, struct object **list, uint32_t n)
{
    struct object **to = CHECK_ARRAY(s->c, struct object *, n + 1);
    uint32_t i;

    for (i = 0; i < n; i++)
        to[i] = list[i] == NULL ? NULL : copy_object(s, list[i]);
    return to;
}

/* A signature whose parameters and results are the copy's variables. */
static struct type *
copy_sig(struct spec *s, struct type *sig)
{
    struct type *n = type_new(s->c, TYPE_FUNC);

    n->variadic = sig->variadic;
    n->nparams = sig->nparams;
    n->nvars = sig->nvars;
    n->vars = copy_vars(s, sig->vars, sig->nvars);
    n->recv = sig->recv == NULL ? NULL : copy_var(s, sig->recv);
    return n;
}

/* ---- functions -------------------------------------------------------------- */

/* Makes `to`, a copy of the node `from`, a function of its own. */
static void
copy_body(struct spec *s, struct ast_func *from, struct ast_func *to)
{
    struct func_info *old = from->info;
    struct func_info *n = CHECK_NEW(s->c, struct func_info);

    *n = *old;
    twin_put(s, from, to);
    twin_put(s, old, n);
    to->info = n;
    n->func = to;
    n->outer = copy_info(s, old->outer);
    if (old->obj != NULL)
        n->obj = s->fn;
    n->sig = copy_sig(s, old->sig);
    n->captures = copy_vars(s, old->captures, old->ncaptures);
    n->capcap = n->ncaptures;
    n->captured = NULL; /* holds those of the origin; nobody asks any more */
    to->body = CHECK_NEW(s->c, struct ast_block);
    *to->body = *from->body;
    copy_stmts(s, &to->body->stmts);
}

static struct ast_func *
copy_literal(struct spec *s, struct ast_func *f)
{
    struct ast_func *n = CHECK_NEW(s->c, struct ast_func);

    *n = *f;
    copy_body(s, f, n);
    return n;
}

/* ---- constants ---------------------------------------------------------------- */

/* The node n gets type t, to which its constant is converted if it can be. */
static bool
set_const(struct spec *s, struct ast_expr *n, struct type *t)
{
    const struct constv *v;

    if (!type_is_const_type(t) || !check_fits(s->c, n->cv, t, &v))
        return false;
    n->type = t;
    n->cv = v;
    return true;
}

/* The constant operand of a conversion to t, of which the generic function
 * only knew a parameter: its type is still untyped. */
static void
convert_operand(struct spec *s, struct ast_expr **slot, struct type *t)
{
    struct ast_expr *x = *slot;

    while (x->kind == EXPR_PAREN) {
        if (!set_const(s, x, t))
            set_const(s, x, check_default_type(s->c, x->type));
        x = x->x;
    }
    if (!set_const(s, x, t))
        set_const(s, x, check_default_type(s->c, x->type));
}

/* What unsafe.Offsetof(sel) is: the checker leaves no selection there. */
static int64_t
offset_of(struct spec *s, const struct ast_expr *sel)
{
    struct type *base = sel->selector.x->type, *u = type_under(base);
    struct lookup l;
    int64_t at = 0;
    uint32_t i;

    if (u->kind == TYPE_POINTER)
        base = u->elem;
    check_lookup_member(s->c, base, false, s->fn->pkg, sel->selector.sel.name,
        false, &l);
    type_size(base);
    for (i = 0; i < l.nsteps; i++)
        at += l.steps[i].field->offset;
    return at;
}

/* A call of unsafe.Sizeof and the like that was no constant because a
 * parameter's size is not known. */
static void
fold_builtin(struct spec *s, struct ast_expr *n)
{
    struct ast_expr *x = n->call.args.n > 0 ? n->call.args.at[0] : NULL;
    int64_t v;

    if (n->cv != NULL || n->call.fun->mode != MODE_BUILTIN || x == NULL)
        return;
    switch (n->call.builtin) {
    case BUILTIN_SIZEOF:
        v = type_size(x->type);
        break;
    case BUILTIN_ALIGNOF:
        type_size(x->type);
        v = type_align(x->type);
        break;
    case BUILTIN_OFFSETOF:
        v = offset_of(s, ast_unparen(x));
        break;
    default:
        return;
    }
    n->mode = MODE_CONST;
    n->cv = const_int64(&s->c->cctx, v);
}

/* ---- expressions --------------------------------------------------------------- */

static void copy_expr(struct spec *s, struct ast_expr **slot);

static void
copy_exprs(struct spec *s, struct ast_exprs *list)
{
    struct ast_expr **at = CHECK_ARRAY(s->c, struct ast_expr *, list->n + 1);
    uint32_t i;

    for (i = 0; i < list->n; i++) {
        at[i] = list->at[i];
        copy_expr(s, &at[i]);
    }
    list->at = at;
}

static bool
method_is_instance(const struct object *o)
{
    return o->kind == OBJ_FUNC && o->origin != NULL;
}

/* The generator reads offsets of fields on the way to a member. */
static void
lay_out(struct type *t, const struct lookup *l)
{
    uint32_t i;

    for (i = 0; i < l->nsteps; i++) {
        if (type_kind_of(t) == TYPE_POINTER)
            t = type_under(t)->elem;
        type_size(t);
        t = l->steps[i].field->type;
    }
}

/* How a selector reaches its field or method from the operand's type in the
 * instance.  What the package of the generic function may name, counts. */
static void
copy_selection(struct spec *s, struct ast_expr *n)
{
    struct selection *old = n->selector.how, *how;
    struct type *recv = copy_type(s, old->recv);
    struct lookup l;

    if (recv == old->recv && !method_is_instance(old->obj))
        return;
    check_lookup_member(s->c, recv, true, s->fn->pkg, n->selector.sel.name,
        false, &l);
    rt_check(l.obj != NULL, "lang: a selection without its member");
    how = CHECK_NEW(s->c, struct selection);
    lay_out(recv, &l);
    check_obj(s->c, l.obj);
    check_fill_selection(s->c, how, recv, &l);
    how->kind = old->kind;
    how->late = old->kind == SEL_METHOD && old->recv->kind == TYPE_PARAM &&
        (how->nsteps > 0 || how->deref);
    n->selector.how = how;
    n->obj = l.obj;
}

/* The keys of a struct literal are fields of its type. */
static void
name_fields(struct ast_expr *n)
{
    struct type *t = n->type;
    uint32_t i;

    if (t->kind == TYPE_POINTER && (n->flags & AST_F_ADDR))
        t = t->elem;
    t = type_under(t);
    if (t->kind != TYPE_STRUCT)
        return;
    for (i = 0; i < n->composite.elems.n; i++) {
        struct ast_expr *e = n->composite.elems.at[i];

        if (e->kind == EXPR_KEYVALUE)
            e->kv.key->obj = t->vars[e->kv.key->obj->index];
    }
}

/* What is peculiar to a kind, before what is below is copied. */
static void
copy_own(struct spec *s, struct ast_expr *n)
{
    switch (n->kind) {
    case EXPR_NAME:
        n->obj = copy_object(s, n->obj);
        break;
    case EXPR_SELECTOR:
        if (n->selector.how != NULL)
            copy_selection(s, n);
        else
            n->obj = copy_object(s, n->obj);
        break;
    case EXPR_FUNCLIT:
        n->func = copy_literal(s, n->func);
        break;
    case EXPR_ASSERT:
        copy_expr(s, &n->assert_.type);
        break;
    case EXPR_COMPOSITE:
        if (n->composite.type != NULL)
            copy_expr(s, &n->composite.type);
        break;
    default:
        break;
    }
}

/* What is peculiar to a kind, afterwards. */
static void
finish_own(struct spec *s, struct ast_expr *n)
{
    struct ast_expr *x;

    if (n->kind == EXPR_COMPOSITE) {
        name_fields(n);
    } else if (n->kind == EXPR_CALL && (n->flags & AST_F_CONVERSION)) {
        x = n->call.args.at[0];
        if (n->cv == NULL && x->cv != NULL && type_is_untyped(x->type))
            convert_operand(s, &n->call.args.at[0], n->type);
    } else if (n->kind == EXPR_CALL) {
        fold_builtin(s, n);
    }
}

static struct ast_expr *
copy_node(struct spec *s, const struct ast_expr *e)
{
    size_t size = ast_expr_size(e);
    struct ast_expr *n = check_alloc(s->c, size);
    struct type *t;

    memcpy(n, e, size);
    t = copy_type(s, e->type);
    if (t == e->type)
        return n;
    if (n->cv == NULL || !set_const(s, n, t))
        n->type = t;
    return n;
}

/* Replaces what the slot holds, in a loop along a left spine.  The parts of
 * types are left: all about a type is on its outermost node. */
static void
copy_expr(struct spec *s, struct ast_expr **slot)
{
    struct ast_kids k;
    struct ast_expr *n;
    uint32_t i;

    for (;; slot = k.at[0]) {
        n = *slot = copy_node(s, *slot);
        if (n->mode == MODE_TYPE)
            return;
        copy_own(s, n);
        ast_kids_of(n, &k);
        for (i = 1; i < k.n; i++)
            copy_expr(s, k.at[i]);
        if (k.list != NULL)
            copy_exprs(s, k.list);
        finish_own(s, n);
        if (k.n == 0)
            return;
    }
}

/* ---- statements ------------------------------------------------------------------ */

static void copy_stmt(struct spec *s, struct ast_stmt **slot);

static void
copy_stmts(struct spec *s, struct ast_stmts *list)
{
    struct ast_stmt **at = CHECK_ARRAY(s->c, struct ast_stmt *, list->n + 1);
    uint32_t i;

    for (i = 0; i < list->n; i++) {
        at[i] = list->at[i];
        copy_stmt(s, &at[i]);
    }
    list->at = at;
}

static void
copy_cases(struct spec *s, struct ast_case ***cases, uint32_t n)
{
    struct ast_case **at = CHECK_ARRAY(s->c, struct ast_case *, n + 1);
    uint32_t i;

    for (i = 0; i < n; i++) {
        at[i] = CHECK_NEW(s->c, struct ast_case);
        *at[i] = *(*cases)[i];
        at[i]->obj = copy_object(s, at[i]->obj);
        copy_exprs(s, &at[i]->exprs);
        copy_stmts(s, &at[i]->body);
    }
    *cases = at;
}

static void
copy_comms(struct spec *s, struct ast_comm ***comms, uint32_t n)
{
    struct ast_comm **at = CHECK_ARRAY(s->c, struct ast_comm *, n + 1);
    uint32_t i;

    for (i = 0; i < n; i++) {
        at[i] = CHECK_NEW(s->c, struct ast_comm);
        *at[i] = *(*comms)[i];
        if (at[i]->comm != NULL)
            copy_stmt(s, &at[i]->comm);
        copy_stmts(s, &at[i]->body);
    }
    *comms = at;
}

/* Constants and types have no code. */
static void
copy_decls(struct spec *s, struct ast_decls *list)
{
    struct ast_decl **at = CHECK_ARRAY(s->c, struct ast_decl *, list->n + 1);
    uint32_t i;

    for (i = 0; i < list->n; i++) {
        at[i] = list->at[i];
        if (at[i]->kind != DECL_VAR)
            continue;
        at[i] = CHECK_NEW(s->c, struct ast_decl);
        *at[i] = *list->at[i];
        at[i]->var.objs = copy_vars(s, at[i]->var.objs, at[i]->var.nname);
        copy_exprs(s, &at[i]->var.values);
    }
    list->at = at;
}

/* What is peculiar to a kind. */
static void
copy_stmt_own(struct spec *s, struct ast_stmt *n)
{
    switch (n->kind) {
    case STMT_DEFINE:
        n->assign.objs = copy_vars(s, n->assign.objs, n->assign.lhs.n);
        break;
    case STMT_RETURN:
        n->ret.func = twin_of(s, n->ret.func);
        break;
    case STMT_BREAK:
    case STMT_CONTINUE:
    case STMT_GOTO:
        CHECK_PUSH(s->c, s->jumps, s->njumps, s->jumpcap, n);
        break;
    case STMT_FOR:
        n->for_.vars = copy_vars(s, n->for_.vars, n->for_.nvar);
        break;
    case STMT_RANGE:
        n->range.kobj = copy_object(s, n->range.kobj);
        n->range.vobj = copy_object(s, n->range.vobj);
        break;
    default:
        break;
    }
}

static void
copy_parts(struct spec *s, const struct ast_parts *p)
{
    struct ast_block *b;
    uint32_t i;

    if (p->init != NULL)
        copy_stmt(s, p->init);
    for (i = 0; i < p->nexpr; i++)
        copy_expr(s, p->expr[i]);
    for (i = 0; i < p->nlist; i++)
        copy_exprs(s, p->list[i]);
    if (p->block != NULL) {
        b = CHECK_NEW(s->c, struct ast_block);
        *b = **p->block;
        *p->block = b;
        copy_stmts(s, &b->stmts);
    }
    if (p->ncase > 0)
        copy_cases(s, p->cases, p->ncase);
    if (p->ncomm > 0)
        copy_comms(s, p->comms, p->ncomm);
    if (p->decls != NULL)
        copy_decls(s, p->decls);
}

/* May a branch name it, or a loop it as its label? */
static bool
is_target(const struct ast_stmt *s)
{
    return s->kind == STMT_LABELED || s->kind == STMT_FOR ||
        s->kind == STMT_RANGE || s->kind == STMT_SWITCH ||
        s->kind == STMT_TSWITCH || s->kind == STMT_SELECT;
}

static void
copy_stmt(struct spec *s, struct ast_stmt **slot)
{
    struct ast_parts p;
    struct ast_stmt *n;
    size_t size;
    uint32_t i;

    for (;; slot = p.stmt[0]) {
        size = ast_stmt_size(*slot);
        n = check_alloc(s->c, size);
        memcpy(n, *slot, size);
        if (is_target(n))
            twin_put(s, *slot, n);
        *slot = n;
        copy_stmt_own(s, n);
        ast_parts_of(n, &p);
        copy_parts(s, &p);
        if (p.nstmt == 0)
            return;
        for (i = 1; i < p.nstmt; i++)
            copy_stmt(s, p.stmt[i]);
    }
}

/* ---- the whole ------------------------------------------------------------------- */

static void
copy_function(struct spec *s, struct object *fn)
{
    struct ast_decl *d = CHECK_NEW(s->c, struct ast_decl);
    struct object *origin = fn->origin;
    uint32_t i;

    *d = *origin->decl;
    copy_body(s, &origin->decl->func.func, &d->func.func);
    for (i = 0; i < s->njumps; i++)
        s->jumps[i]->branch.target = twin_of(s, s->jumps[i]->branch.target);
    fn->decl = d;
    fn->info = d->func.func.info;
    fn->type = fn->info->sig;
}

bool
check_func_spec(struct check *c, struct object *fn)
{
    struct spec s = {.c = c, .fn = fn};
    struct object *origin = fn->origin;

    if (origin == NULL || fn->info != NULL || origin->decl == NULL)
        return true;
    if (!check_func_body(c, origin))
        return false;
    if (origin->info == NULL || origin->decl->func.func.body == NULL)
        return true;
    s.root = origin->info;
    s.subst.c = c;
    s.subst.from = origin->tparams;
    s.subst.to = fn->targs;
    s.subst.local = local_type;
    s.subst.arg = &s;
    copy_function(&s, fn);
    return true;
}
