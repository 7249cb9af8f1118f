/* SPDX-License-Identifier: MIT */

/*
 * Uses of generic functions: type arguments that are written, that follow
 * from a call's arguments or from what the function is assigned to; how the
 * tree says so is in generic.h.
 */

#include "runtime/lang/types/check_int.h"
#include "runtime/lang/types/generic.h"

bool
check_is_generic_func(const struct ast_expr *e)
{
    return e->mode == MODE_VALUE && e->type->kind == TYPE_FUNC &&
           e->type->tparams != NULL;
}

/* The name or pkg.X of a generic function. */
static struct ast_expr *
func_name(struct ast_expr *f)
{
    return f->kind == EXPR_INDEX ? f->index.x : f;
}

struct type *
check_instantiate(struct check *c, struct ast_expr *f,
    struct type *const *targs, lang_pos pos)
{
    struct ast_expr *x = func_name(f);
    const struct tparam_list *l = f->type->tparams;
    const struct ast_exprs *written = NULL;
    struct object *o;

    o = check_func_instance(c, x->obj, targs, l->n);
    check_obj(c, o);
    if (f->kind == EXPR_INDEX) {
        written = &f->index.at; /* stays as it is, for messages */
        f->kind = EXPR_PAREN;
        f->flags |= AST_F_INST;
    }
    check_delay_verify(c, pos, l, o->targs, written);
    x->obj = o;
    if (!o->type) {
        check_set_invalid(c, f);
        return f->type;
    }
    check_set_value(x, o->type);
    check_set_value(f, o->type);
    return o->type;
}

void
check_index_func(struct check *c, struct ast_expr *e)
{
    struct ast_expr *x = e->index.x;
    struct type **targs = check_type_list(c, &e->index.at);

    check_allows(c, e->pos, 18, "function instantiation");
    if (!targs)
        return;
    e->index.inst = targs;
    check_set_value(e, x->type);
    if (e->index.at.n == x->type->tparams->n)
        check_instantiate(c, e, targs, e->pos);
}

/* The arguments that are written; too many are reported at the one of that
 * index. */
static bool
written_args(struct check *c, struct ast_expr *f, struct type *sig, bool last,
    struct type *const **targs, uint32_t *n)
{
    uint32_t want = sig->tparams->n;

    *targs = NULL;
    *n = 0;
    if (f->kind != EXPR_INDEX)
        return true;
    *targs = f->index.inst;
    *n = f->index.at.n;
    if (*n <= want)
        return true;
    check_errf(c, ast_expr_start(f->index.at.at[last ? *n - 1 : want]),
        "got %u type arguments but want %u", *n, want);
    return false;
}

/* ---- values ------------------------------------------------------------- */

/* The function's type as that of an ordinary function. */
static struct type *
plain_sig(struct check *c, struct type *sig)
{
    struct type *t = type_new(c, TYPE_FUNC);

    t->vars = sig->vars;
    t->nvars = sig->nvars;
    t->nparams = sig->nparams;
    t->variadic = sig->variadic;
    return t;
}

/* Assigning to the target is like calling a function that has e's type as its
 * parameter with the target. */
static bool
infer_from_target(struct check *c, struct ast_expr *e,
    const struct target *target, struct infer *f)
{
    struct ast_expr *arg;
    struct subst rename;
    struct type *const *targs;
    uint32_t n;

    if (!written_args(c, e, e->type, true, &targs, &n))
        return false;
    if (target)
        check_allows(c, e->pos, 21,
            n ? "partially instantiated function in assignment"
              : "implicitly instantiated function in assignment");
    *f = (struct infer){.c = c, .pos = e->pos, .reverse = true};
    check_infer_add(f, e->type->tparams, targs, n, &rename);
    if (target) {
        arg = CHECK_NEW(c, struct ast_expr);
        arg->kind = EXPR_NAME;
        arg->pos = e->pos;
        arg->name = lang_name_str(c->parse->names, target->desc);
        check_set_value(arg, target->sig);
        f->ptypes = CHECK_NEW(c, struct type *);
        f->ptypes[0] = type_subst(&rename, plain_sig(c, e->type));
        f->args = CHECK_NEW(c, struct ast_expr *);
        f->args[0] = arg;
        f->nargs = 1;
    }
    if (check_infer(f))
        return true;
    if (f->err)
        check_errf(c, f->errpos, "%s", f->err);
    return false;
}

void
check_generic_value(
    struct check *c, struct ast_expr *e, const struct target *target)
{
    struct infer f;

    if (e->kind != EXPR_INDEX && !target) {
        check_errf(c, ast_expr_start(e),
            "cannot use generic function %s without instantiation",
            check_expr_str(c, e));
        check_set_invalid(c, e);
        return;
    }
    if (infer_from_target(c, e, target, &f))
        check_instantiate(c, e, f.targs, e->pos);
    else
        check_set_invalid(c, e);
}

/* ---- calls -------------------------------------------------------------- */

/* What a call has to find out. */
struct call {
    struct check *c;
    struct ast_expr *e;
    struct type *sig;
    struct infer f;
    uint32_t ncallee; /* type parameters that are the callee's */
};

/* Adds the parameters of arguments that are generic functions themselves. */
static bool
add_generic_args(struct call *k)
{
    struct check *c = k->c;
    uint32_t i, n;

    for (i = 0; i < k->f.nargs; i++) {
        struct ast_expr *x = k->f.args[i], *stand_in;
        struct type *const *targs;
        struct subst rename;

        if (!check_is_generic_func(x))
            continue;
        if (!written_args(c, x, x->type, true, &targs, &n) ||
            !check_allows(c, ast_expr_start(x), 21,
                "implicitly instantiated function as argument"))
            return false;
        check_infer_add(&k->f, x->type->tparams, targs, n, &rename);
        stand_in = CHECK_NEW(c, struct ast_expr);
        stand_in->kind = EXPR_BAD;
        stand_in->pos = ast_expr_start(x);
        stand_in->x = x;
        check_set_value(stand_in, type_subst(&rename, plain_sig(c, x->type)));
        k->f.args[i] = stand_in;
    }
    return true;
}

/* The callee's parameters; false after an error. */
static bool
add_callee(struct call *k)
{
    struct ast_expr *fun = k->e->call.fun;
    struct type *const *targs;
    struct subst rename;
    uint32_t i, n;

    if (!k->sig->tparams)
        return true;
    if (!written_args(k->c, fun, k->sig, false, &targs, &n))
        return false;
    if (n == 0)
        check_allows(
            k->c, ast_expr_start(k->e), 18, "implicit function instantiation");
    check_infer_add(&k->f, k->sig->tparams, targs, n, &rename);
    k->ncallee = k->sig->tparams->n;
    for (i = 0; i < k->f.nargs; i++)
        k->f.ptypes[i] = type_subst(&rename, k->f.ptypes[i]);
    return true;
}

/* Gives callee and arguments what was found for them. */
static struct type *
distribute(struct call *k, struct ast_expr **args)
{
    struct ast_expr *e = k->e;
    struct type *sig = k->sig;
    uint32_t from = k->ncallee, i;

    if (k->ncallee)
        sig = check_instantiate(k->c, e->call.fun, k->f.targs, e->pos);
    for (i = 0; i < k->f.nargs; i++) {
        const struct tparam_list *l;

        if (!check_is_generic_func(args[i]))
            continue;
        l = args[i]->type->tparams;
        check_instantiate(k->c, args[i], k->f.targs + from, e->pos);
        from += l->n;
    }
    return sig;
}

static bool
has_generic_arg(struct ast_expr **args, uint32_t n)
{
    while (n > 0 && !check_is_generic_func(args[n - 1]))
        n--;
    return n > 0;
}

struct type *
check_call_args(struct check *c, struct ast_expr *e, struct type *sig)
{
    struct call k = {.c = c, .e = e};
    struct ast_expr **args;
    uint32_t n, i;

    k.sig = sig;
    if (!check_arg_count(c, e, sig))
        return sig;
    args = check_spread_args(c, &e->call.args, &n);
    if (sig->tparams || has_generic_arg(args, n)) {
        k.f = (struct infer){.c = c, .pos = e->pos, .nargs = n};
        k.f.args = CHECK_ARRAY(c, struct ast_expr *, n);
        k.f.ptypes = CHECK_ARRAY(c, struct type *, n);
        for (i = 0; i < n; i++) {
            k.f.args[i] = args[i];
            k.f.ptypes[i] = check_param_type(e, sig, i);
        }
        if (!add_callee(&k) || !add_generic_args(&k))
            return sig;
        if (!check_infer(&k.f)) {
            if (k.f.err)
                check_errf(c, k.f.errpos, "in call to %s, %s",
                    check_expr_str(c, e->call.fun), k.f.err);
            return sig;
        }
        sig = distribute(&k, args);
        if (sig->kind != TYPE_FUNC)
            return sig;
    }
    check_arguments(c, e, sig);
    return sig;
}
