/* SPDX-License-Identifier: MIT */

/*
 * The generic declarations of the library that the checker knows by name,
 * until there are type parameters:
 *
 *     sync/atomic.Pointer[T]   weak.Pointer[T]   weak.Make   runtime.AddCleanup
 *
 * The library declares each of them once, without parameters, with the types
 * typeT and typeS where T and S are meant (the pattern).  An instance is the
 * pattern with those replaced.  Its methods have signatures of their own and
 * share the pattern's code, which is right because a T only occurs behind
 * pointers.  Where it does not (the S of AddCleanup), the call is checked
 * against the pattern and carried out by another function, whose parameters
 * are interfaces.
 */

#include <string.h>

#include "runtime/lang/types/check_int.h"

enum { MAX_PARAMS = 2 };

static const struct known {
    const char *path, *name;
    const char *params[MAX_PARAMS]; /* as printed; the library's type is
                                       "type" and the same */
    const char *lowered;            /* the function to call; NULL: itself */
} table[] = {
    { "runtime", "AddCleanup", { "T", "S" }, "addCleanup" },
    { "sync/atomic", "Pointer", { "T" }, NULL },
    { "weak", "Make", { "T" }, NULL },
    { "weak", "Pointer", { "T" }, NULL },
};

/* What type arguments stand for. */
struct binding {
    struct type *param[MAX_PARAMS]; /* the library's placeholders */
    struct type *arg[MAX_PARAMS];   /* NULL: not known yet */
    uint32_t n;
};

struct known_inst {
    struct known_inst *next;
    struct object *pattern;
    struct type *args[MAX_PARAMS];
    struct type *type;
};

static const struct known *
known_of(const struct object *o)
{
    if (o == NULL || o->pkg == NULL || !o->pkg->library || o->is_method ||
        o->origin != NULL || (o->kind != OBJ_TYPE && o->kind != OBJ_FUNC))
        return NULL;
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (strcmp(table[i].name, o->name->text) == 0 &&
            strcmp(table[i].path, o->pkg->path) == 0 &&
            o == scope_lookup(o->pkg->scope, o->name))
            return &table[i];
    return NULL;
}

/* The object that a name or qualified name denotes. */
static struct object *
named_object(struct ast_expr *e)
{
    e = ast_unparen(e);
    if (e->kind == EXPR_NAME ||
        (e->kind == EXPR_SELECTOR && e->selector.how == NULL))
        return e->obj;
    return NULL;
}

static struct object *
package_object(struct check *c, struct check_pkg *p, const char *name)
{
    for (uint32_t i = 0; i < p->scope->n; i++)
        if (strcmp(p->scope->list[i]->name->text, name) == 0) {
            check_obj(c, p->scope->list[i]);
            return p->scope->list[i];
        }
    rt_throwf("lang: package %s has no %s", p->path, name);
}

static void
bind_params(struct check *c, const struct known *k, struct check_pkg *p,
    struct binding *b)
{
    memset(b, 0, sizeof *b);
    for (; b->n < MAX_PARAMS && k->params[b->n] != NULL; b->n++) {
        struct object *o = package_object(
            c, p, check_sprintf(c, "type%s", k->params[b->n]));
        o->shown = k->params[b->n];
        b->param[b->n] = o->type;
    }
}

/* ---- substitution ------------------------------------------------------------ */

static struct type *instance(
    struct check *c, struct object *pattern, const struct binding *b);

static struct type *subst(
    struct check *c, struct type *t, const struct binding *b);

static void
subst_vars(struct check *c, struct type *to, const struct type *t,
    const struct binding *b)
{
    to->vars = CHECK_ARRAY(c, struct object *, t->nvars + 1);
    to->nvars = t->nvars;
    for (uint32_t i = 0; i < t->nvars; i++) {
        struct object *v = CHECK_NEW(c, struct object);
        *v = *t->vars[i];
        v->type = subst(c, v->type, b);
        to->vars[i] = v;
    }
}

static struct type *
subst(struct check *c, struct type *t, const struct binding *b)
{
    struct type *r;

    switch (t->kind) {
    case TYPE_NAMED:
        for (uint32_t i = 0; i < b->n; i++)
            if (t == b->param[i])
                return b->arg[i] != NULL ? b->arg[i] : t;
        return known_of(t->obj) != NULL ? instance(c, t->obj, b) : t;
    case TYPE_POINTER:
        return type_pointer(c, subst(c, t->elem, b));
    case TYPE_SLICE:
        return type_slice(c, subst(c, t->elem, b));
    case TYPE_ARRAY:
        return type_array(c, subst(c, t->elem, b), t->len);
    case TYPE_STRUCT:
    case TYPE_FUNC:
        r = type_new(c, (enum type_kind)t->kind);
        r->nparams = t->nparams;
        r->variadic = t->variadic;
        r->recv = t->recv;
        subst_vars(c, r, t, b);
        return r;
    default:
        return t;
    }
}

/* The pattern's method for the instance t. */
static struct object *
inst_method(struct check *c, struct type *t, struct object *m,
    const struct binding *b)
{
    struct object *o = CHECK_NEW(c, struct object);

    check_obj(c, m);
    *o = *m;
    o->origin = m;
    o->recv_named = t->obj;
    o->type = subst(c, m->type, b);
    o->type->recv = CHECK_NEW(c, struct object);
    *o->type->recv = *m->type->recv;
    o->type->recv->type = m->ptr_recv ? type_pointer(c, t) : t;
    return o;
}

static struct known_inst *
find_instance(struct check *c, struct object *pattern, const struct binding *b)
{
    for (struct known_inst *k = c->in->known; k != NULL; k = k->next) {
        uint32_t i = 0;
        while (i < b->n && k->pattern == pattern &&
            type_identical(k->args[i], b->arg[i]))
            i++;
        if (i == b->n)
            return k;
    }
    return NULL;
}

static struct type *
instance(struct check *c, struct object *pattern, const struct binding *b)
{
    struct type *p = pattern->type, *t;
    struct known_inst *k;

    for (uint32_t i = 0; i < b->n; i++)
        if (b->arg[i] == NULL)
            return p;
    k = find_instance(c, pattern, b);
    if (k != NULL)
        return k->type;
    k = CHECK_NEW(c, struct known_inst);
    k->pattern = pattern;
    t = k->type = type_new(c, TYPE_NAMED);
    t->targs = CHECK_ARRAY(c, struct type *, b->n);
    t->ntargs = b->n;
    for (uint32_t i = 0; i < b->n; i++)
        t->targs[i] = k->args[i] = b->arg[i];
    k->next = c->in->known;
    c->in->known = k;
    t->obj = CHECK_NEW(c, struct object);
    *t->obj = *pattern;
    t->obj->origin = pattern;
    t->obj->type = t;
    t->serial = ++c->in->serial;
    t->under = subst(c, type_under(p), b);
    t->methods = CHECK_ARRAY(c, struct object *, p->nmethods + 1);
    for (; t->nmethods < p->nmethods; t->nmethods++)
        t->methods[t->nmethods] =
            inst_method(c, t, p->methods[t->nmethods], b);
    return t;
}

/* ---- explicit arguments -------------------------------------------------------- */

/* The binding that the index of e spells out; false after an error. */
static bool
explicit_args(struct check *c, struct ast_expr *e, const struct known *k,
    struct object *o, struct binding *b)
{
    struct ast_exprs *at = &e->index.at;
    bool ok = true;

    bind_params(c, k, o->pkg, b);
    for (uint32_t i = 0; i < at->n; i++) {
        struct type *t = check_var_type(c, at->at[i]);
        if (!is_valid(t))
            ok = false;
        if (i < b->n)
            b->arg[i] = t;
    }
    if (at->n <= b->n)
        return ok;
    if (o->kind == OBJ_TYPE)
        check_errf(c, e->index.x->pos,
            "too many type arguments for type %s: have %u, want %u",
            o->name->text, at->n, b->n);
    else
        check_errf(c, ast_expr_start(at->at[b->n]),
            "got %u type arguments but want %u", at->n, b->n);
    return false;
}

/* Turns G[A] into what the generator sees as (G), with the type of the
 * instance; the text of the expression stays. */
static void
make_inst(struct ast_expr *e, struct type *t)
{
    e->kind = EXPR_PAREN;
    e->flags |= AST_F_INST;
    ast_unparen(e)->type = t;
}

static bool
complete(const struct binding *b)
{
    for (uint32_t i = 0; i < b->n; i++)
        if (b->arg[i] == NULL)
            return false;
    return true;
}

bool
check_known_index(struct check *c, struct ast_expr *e)
{
    struct object *o = named_object(e->index.x);
    const struct known *k = known_of(o);
    struct binding b;

    if (k == NULL || e->index.x->mode == MODE_NONE)
        return false;
    check_set_invalid(c, e);
    if (!explicit_args(c, e, k, o, &b))
        return true;
    if (o->kind == OBJ_TYPE) {
        e->mode = MODE_TYPE;
        e->type = instance(c, o, &b);
        return true;
    }
    /* The call finds the rest by inference. */
    e->obj = o;
    check_set_value(e, subst(c, o->type, &b));
    if (complete(&b) && k->lowered == NULL)
        make_inst(e, e->type);
    return true;
}

/* ---- uses without arguments ------------------------------------------------------ */

static const char *
params_text(struct check *c, const struct known *k)
{
    return k->params[1] == NULL
        ? check_sprintf(c, "[%s any]", k->params[0])
        : check_sprintf(c, "[%s, %s any]", k->params[0], k->params[1]);
}

bool
check_known_bare(struct check *c, struct ast_expr *e, bool type)
{
    struct ast_expr *x = e;

    while (x->kind == EXPR_PAREN && !(x->flags & AST_F_INST))
        x = x->x;
    struct object *o = x->kind == EXPR_INDEX ? x->obj : named_object(x);
    const struct known *k = x->kind == EXPR_PAREN ? NULL : known_of(o);
    if (k == NULL || o->pkg == c->in->env.pkg || e->mode == MODE_NONE)
        return false;
    if (o->kind == OBJ_TYPE)
        check_errf(c, ast_expr_start(e),
            "cannot use generic type %s%s without instantiation",
            type ? type_str(c, o->type) : check_expr_str(c, e),
            type ? params_text(c, k) : "");
    else if (x->kind == EXPR_INDEX && k->lowered != NULL)
        check_generic(c, ast_expr_start(e),
            check_sprintf(c, "value of func %s", o->name->text));
    else
        check_errf(c, ast_expr_start(e),
            "cannot use generic function %s without instantiation",
            check_expr_str(c, e));
    check_set_invalid(c, e);
    return true;
}

/* ---- calls ------------------------------------------------------------------------ */

/* Does t mention a parameter? */
static bool
mentions(struct type *t, const struct binding *b)
{
    for (uint32_t i = 0; i < b->n; i++)
        if (t == b->param[i])
            return true;
    if (t->kind == TYPE_POINTER)
        return mentions(t->elem, b);
    for (uint32_t i = 0; t->kind == TYPE_FUNC && i < t->nvars; i++)
        if (mentions(t->vars[i]->type, b))
            return true;
    return false;
}

/* Makes the pattern p match t, or says no. */
static bool
unify(struct type *p, struct type *t, struct binding *b)
{
    for (uint32_t i = 0; i < b->n; i++) {
        if (p != b->param[i])
            continue;
        if (b->arg[i] == NULL)
            b->arg[i] = t;
        return type_identical(b->arg[i], t);
    }
    if (p->kind != TYPE_NAMED)
        t = type_under(t);
    if (p->kind != t->kind)
        return false;
    if (p->kind == TYPE_POINTER)
        return unify(p->elem, t->elem, b);
    if (p->kind != TYPE_FUNC)
        return type_identical(p, t);
    if (p->nparams != t->nparams || p->nvars != t->nvars ||
        p->variadic != t->variadic)
        return false;
    for (uint32_t i = 0; i < p->nvars; i++)
        if (!unify(p->vars[i]->type, t->vars[i]->type, b))
            return false;
    return true;
}

static void
mismatch(struct check *c, struct ast_expr *e, struct ast_expr *arg,
    struct type *p, const struct binding *b)
{
    struct type *now = subst(c, p, b);
    const char *fun = check_expr_str(c, e->call.fun);

    if (!type_identical(now, p))
        check_errf(c, ast_expr_start(arg),
            "in call to %s, type %s of %s does not match inferred type %s "
            "for %s",
            fun, type_str(c, arg->type), check_expr_str(c, arg),
            type_str(c, now), type_str(c, p));
    else
        check_errf(c, ast_expr_start(arg),
            "in call to %s, type %s of %s does not match %s", fun,
            type_str(c, arg->type), check_expr_str(c, arg), type_str(c, p));
}

/* Type arguments from those of the call that have a type; sig: explicit ones
 * are in place. */
static bool
infer_typed(struct check *c, struct ast_expr *e, struct type *sig,
    struct binding *b)
{
    const char *cause;

    for (uint32_t i = 0; i < sig->nparams; i++) {
        struct ast_expr *x = e->call.args.at[i];
        struct type *p = sig->vars[i]->type;
        struct binding before = *b;
        if (type_is_untyped(x->type) || !mentions(p, b) ||
            unify(p, x->type, b))
            continue;
        *b = before;
        struct type *now = subst(c, p, b);
        if (mentions(now, b) || !check_assignable(c, x, now, &cause)) {
            mismatch(c, e, x, p, b);
            return false;
        }
    }
    return true;
}

/* Finds the type arguments that are missing; false after an error. */
static bool
infer(struct check *c, struct ast_expr *e, const struct known *k,
    struct object *o, struct binding *b)
{
    struct type *sig = subst(c, o->type, b);

    for (uint32_t i = 0; i < sig->nparams; i++)
        if (e->call.args.at[i]->mode == MODE_NONE)
            return false;
    if (!infer_typed(c, e, sig, b))
        return false;
    for (uint32_t j = 0; j < b->n; j++) {
        for (uint32_t i = 0; i < sig->nparams && b->arg[j] == NULL; i++)
            if (sig->vars[i]->type == b->param[j] &&
                !is_nil(e->call.args.at[i]))
                b->arg[j] =
                    check_default_type(c, e->call.args.at[i]->type);
        if (b->arg[j] != NULL)
            continue;
        check_errf(c, e->pos,
            "in call to %s, cannot infer %s (declared at %s)",
            check_expr_str(c, e->call.fun), k->params[j],
            check_place(c, o->pos));
        return false;
    }
    return true;
}

/* Lets the call be carried out by the lowered function. */
static void
lower(struct check *c, struct ast_expr *e, struct ast_expr *fun,
    struct object *o)
{
    fun->obj = o;
    fun->type = o->type;
    check_add_dep(c, o);
    o->used = true;
    for (uint32_t i = 0; i < e->call.args.n; i++) {
        struct ast_expr *x = e->call.args.at[i];
        for (; is_nil(x); x = x->x) {
            x->type = o->type->vars[i]->type;
            if (x->kind != EXPR_PAREN)
                break;
        }
    }
}

bool
check_known_call(struct check *c, struct ast_expr *e)
{
    struct ast_expr *f = e->call.fun, *x;
    struct binding b;

    while (f->kind == EXPR_PAREN && !(f->flags & AST_F_INST))
        f = f->x;
    if (f->kind == EXPR_PAREN)
        return false;
    x = f->kind == EXPR_INDEX ? ast_unparen(f->index.x) : f;
    struct object *o = named_object(x);
    const struct known *k = known_of(o);
    if (k == NULL || o->kind != OBJ_FUNC || f->mode == MODE_NONE)
        return false;
    bind_params(c, k, o->pkg, &b);
    for (uint32_t i = 0; x != f && i < f->index.at.n; i++)
        b.arg[i] = f->index.at.at[i]->type;
    check_args(c, &e->call.args, false);
    struct ast_exprs *args = &e->call.args;
    struct type *sig = o->type;
    bool tuple = args->n == 1 && args->at[0]->mode == MODE_TUPLE;
    if (tuple && k->lowered != NULL) {
        check_generic(c, e->pos, check_sprintf(c,
            "call of %s with the results of another call", o->name->text));
        return true;
    }
    if (tuple || (e->flags & AST_F_DOTS) || args->n != sig->nparams) {
        if (check_arg_count(c, e, sig))
            check_arguments(c, e, sig);
        return true;
    }
    if (!infer(c, e, k, o, &b))
        return true;
    sig = subst(c, sig, &b);
    check_arguments(c, e, sig);
    f->type = x->type = sig;
    if (x != f)
        make_inst(f, sig);
    if (k->lowered != NULL)
        lower(c, e, x, package_object(c, o->pkg, k->lowered));
    check_call_result(c, e, sig);
    return true;
}
