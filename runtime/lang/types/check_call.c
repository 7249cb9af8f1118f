/* SPDX-License-Identifier: MIT */

/* Calls: functions, methods, conversions; arguments against parameters. */

#include "runtime/lang/types/check_int.h"
#include "runtime/lang/types/generic.h"

/* The context of argument errors, spelt out only where there is one. */
const char check_arg_context[] = "argument";

/* The types of arguments as passed: a tuple's parts count one by one. */
static struct type **
arg_types(struct check *c, struct ast_exprs *args, uint32_t *n)
{
    struct type **list;
    uint32_t i;

    if (args->n == 1 && args->at[0]->mode == MODE_TUPLE) {
        struct type *t = args->at[0]->type;

        *n = t->nvars;
        list = CHECK_ARRAY(c, struct type *, t->nvars);
        for (i = 0; i < t->nvars; i++)
            list[i] = t->vars[i]->type;
        return list;
    }
    *n = args->n;
    list = CHECK_ARRAY(c, struct type *, args->n);
    for (i = 0; i < args->n; i++)
        list[i] = args->at[i]->type;
    return list;
}

static void
count_error(struct check *c, struct ast_expr *e, struct type *sig,
    uint32_t nargs, uint32_t npars)
{
    struct ast_exprs *args = &e->call.args;
    bool tuple = args->n == 1 && args->at[0]->mode == MODE_TUPLE;
    lang_pos at = ast_expr_start(e);
    struct type **have, **want;
    uint32_t n, i;

    if (nargs > npars)
        at = ast_expr_start(args->at[tuple ? 0 : npars]);
    else if (nargs > 0)
        at = ast_expr_start(args->at[tuple ? 0 : nargs - 1]);
    have = arg_types(c, args, &n);
    want = CHECK_ARRAY(c, struct type *, sig->nparams);
    for (i = 0; i < sig->nparams; i++)
        want[i] = sig->vars[i]->type;
    check_errf(c, at, "%s arguments in call to %s\n\thave %s\n\twant %s",
        nargs > npars ? "too many" : "not enough",
        check_expr_str(c, e->call.fun),
        type_summary(c, have, n, false, (e->flags & AST_F_DOTS) != 0),
        type_summary(c, want, sig->nparams, sig->variadic, false));
}

struct type *
check_param_type(const struct ast_expr *call, struct type *sig, uint32_t i)
{
    bool dots = (call->flags & AST_F_DOTS) != 0;

    if (sig->variadic && i >= sig->nparams - 1) {
        struct type *t = sig->vars[sig->nparams - 1]->type;

        return dots || t->kind != TYPE_SLICE ? t : t->elem;
    }
    return sig->vars[i]->type;
}

bool
check_arg_count(struct check *c, struct ast_expr *e, struct type *sig)
{
    struct ast_exprs *args = &e->call.args;
    bool dots = (e->flags & AST_F_DOTS) != 0;
    bool tuple = args->n == 1 && args->at[0]->mode == MODE_TUPLE;
    uint32_t nargs = tuple ? args->at[0]->type->nvars : args->n;
    uint32_t npars = sig->nparams;

    if (dots && !sig->variadic) {
        check_errf(c, ast_expr_start(e),
            "cannot use ... in call to non-variadic %s",
            check_expr_str(c, e->call.fun));
        return false;
    }
    if (dots && tuple) {
        check_errf(c, ast_expr_start(e), "cannot use ... with %u-valued %s",
            nargs, check_expr_str(c, args->at[0]));
        return false;
    }
    if (sig->variadic && !dots)
        npars = nargs + 1 >= npars ? nargs : npars - 1;
    if (nargs == npars)
        return true;
    count_error(c, e, sig, nargs, npars);
    return false;
}

bool
check_arguments(struct check *c, struct ast_expr *e, struct type *sig)
{
    struct ast_exprs *args = &e->call.args;
    bool tuple = args->n == 1 && args->at[0]->mode == MODE_TUPLE, ok = true;
    uint32_t nargs = tuple ? args->at[0]->type->nvars : args->n, i;

    for (i = 0; i < nargs; i++) {
        struct type *T = check_param_type(e, sig, i);

        c->in->call_fun = e->call.fun;
        if (tuple)
            ok = check_assign_type(c, ast_expr_start(args->at[0]), args->at[0],
                     args->at[0]->type->vars[i]->type, T, check_arg_context) &&
                 ok;
        else
            ok = check_assignment(c, args->at[i], T, check_arg_context) && ok;
    }
    return ok;
}

/* Before Go 1.21 what an argument F[A] lacks had to follow from A. */
static void
infer_alone(struct check *c, struct ast_expr *x)
{
    if (x->kind == EXPR_INDEX && check_is_generic_func(x) &&
        check_lang(c, x->pos) && check_lang(c, x->pos) < 21)
        check_generic_value(c, x, NULL);
}

void
check_args(struct check *c, struct ast_exprs *args, bool generic)
{
    uint32_t i;

    if (args->n == 1) {
        check_multi(c, args->at[0], generic);
    } else {
        for (i = 0; i < args->n; i++) {
            if (generic)
                check_generic_expr(c, args->at[i]);
            else
                check_expr(c, args->at[i]);
        }
    }
    for (i = 0; generic && i < args->n; i++)
        infer_alone(c, args->at[i]);
}

struct ast_expr **
check_spread_args(struct check *c, struct ast_exprs *args, uint32_t *n)
{
    struct ast_expr *call, **list;
    struct type *t;
    uint32_t i;

    *n = args->n;
    if (args->n != 1 || args->at[0]->mode != MODE_TUPLE)
        return args->at;
    call = args->at[0];
    t = call->type;
    list = CHECK_ARRAY(c, struct ast_expr *, t->nvars);
    for (i = 0; i < t->nvars; i++) {
        list[i] = CHECK_NEW(c, struct ast_expr);
        list[i]->kind = EXPR_BAD;
        list[i]->pos = ast_expr_start(call);
        list[i]->x = call;
        check_set_value(list[i], t->vars[i]->type);
    }
    *n = t->nvars;
    return list;
}

static void
call_conversion(struct check *c, struct ast_expr *e)
{
    struct ast_exprs *args = &e->call.args;
    struct type *T = e->call.fun->type;

    e->flags |= AST_F_CONVERSION;
    if (args->n == 0) {
        check_errf(c, ast_expr_start(e), "missing argument in conversion to %s",
            type_str(c, T));
        return;
    }
    if (args->n > 1) {
        check_use(c, args->at, args->n);
        check_errf(c, ast_expr_start(args->at[args->n - 1]),
            "too many arguments in conversion to %s", type_str(c, T));
        return;
    }
    check_expr(c, args->at[0]);
    if (args->at[0]->mode == MODE_NONE)
        return;
    if (type_is_constraint(c, T)) {
        check_errf(c, ast_expr_start(e),
            "cannot use interface %s in conversion (contains specific type "
            "constraints or is comparable)",
            type_str(c, T));
        return;
    }
    if (e->flags & AST_F_DOTS) {
        check_errf(c, ast_expr_start(args->at[0]),
            "invalid use of ... in conversion to %s", type_str(c, T));
        return;
    }
    check_conversion(c, e, args->at[0], T);
}

static enum expr_kind
call_builtin(struct check *c, struct ast_expr *e)
{
    struct ast_expr *f = ast_unparen(e->call.fun);
    unsigned id = f->obj ? (unsigned)f->obj->index : 0;

    e->call.builtin = id;
    if (!check_builtin(c, e, id))
        check_set_invalid(c, e);
    if (e->mode != MODE_NONE && !is_const(e))
        c->in->env.has_call = true;
    return builtin_is_statement(id) ? XK_STATEMENT : XK_EXPRESSION;
}

void
check_call_result(struct check *c, struct ast_expr *e, struct type *sig)
{
    struct type *t = type_result(c, sig);

    e->type = t;
    e->mode = t->kind != TYPE_TUPLE ? MODE_VALUE
              : t->nvars == 0       ? MODE_NOVALUE
                                    : MODE_TUPLE;
    /* An argument that was not found is in the result. */
    if (!is_valid(t) || (sig->tparams && type_mentions(t, sig->tparams)))
        e->mode = MODE_NONE;
    c->in->env.has_call = true;
}

static const char *
not_func(struct check *c, struct type *t, struct type *u, void *arg)
{
    (void)arg;
    if (!u || u->kind == TYPE_FUNC)
        return NULL;
    return check_sprintf(c, "%s is not a function", type_str(c, t));
}

enum expr_kind
check_call(struct check *c, struct ast_expr *e)
{
    struct ast_expr *f = e->call.fun;
    const char *cause = NULL;
    struct type *sig;

    check_generic_or_type(c, f);
    switch (f->mode) {
    case MODE_NONE:
        check_use(c, e->call.args.at, e->call.args.n);
        return XK_STATEMENT;
    case MODE_TYPE:
        if (check_is_generic(f)) {
            check_not_generic(c, f, NULL);
            check_use(c, e->call.args.at, e->call.args.n);
        } else {
            call_conversion(c, e);
        }
        return XK_CONVERSION;
    case MODE_BUILTIN:
        return call_builtin(c, e);
    default:
        break;
    }
    sig = type_common(c, f->type, not_func, NULL, &cause);
    if (!sig) {
        if (is_valid(type_under(f->type)))
            check_errf(c, ast_expr_start(f),
                "invalid operation: cannot call %s: %s",
                check_operand_str(c, f), cause);
        return XK_STATEMENT;
    }
    check_args(c, &e->call.args, true);
    sig = check_call_args(c, e, sig);
    if (sig->kind == TYPE_FUNC)
        check_call_result(c, e, sig);
    return XK_STATEMENT;
}
