/* SPDX-License-Identifier: MIT */

/*
 * For the generator's stock of ready code: declarations by number, and
 * functions whose code is there already, so that nobody has to look at their
 * bodies.
 */

#include "runtime/lang/types/check_int.h"

struct object *
check_decl_at(const struct check_pkg *pkg, uint32_t i)
{
    return i < pkg->ndecls ? pkg->decls[i]->obj : NULL;
}

void
check_declare_now(struct check *c, struct object *o)
{
    check_obj(c, o);
    check_run_delayed(c, 0);
}

uint32_t
check_func_deps(const struct object *fn, struct object *const **deps)
{
    rt_assert(fn->dinfo != NULL);
    *deps = fn->dinfo->deps;
    return fn->dinfo->ndeps;
}

void
check_func_refers(struct check *c, struct object *fn, struct object *to)
{
    struct decl_info *d = fn->dinfo;

    rt_assert(d != NULL && fn->type != NULL && to->dinfo != NULL);
    CHECK_PUSH(c, d->deps, d->ndeps, d->depcap, to);
}

struct type *
type_func(struct check *c, struct type *const *list, uint32_t n,
    uint32_t nparams, bool variadic)
{
    struct type *t = type_new(c, TYPE_FUNC);
    uint32_t i;

    rt_assert(nparams <= n && (!variadic || nparams > 0));
    t->vars = CHECK_ARRAY(c, struct object *, n);
    t->nvars = n;
    t->nparams = nparams;
    t->variadic = variadic;
    for (i = 0; i < n; i++) {
        t->vars[i] = object_new(c, OBJ_VAR, 0, NULL, list[i]);
        t->vars[i]->var_kind = i < nparams ? VAR_PARAM : VAR_RESULT;
        t->vars[i]->index = (int32_t)(i < nparams ? i : i - nparams);
        t->vars[i]->color = COLOR_BLACK;
    }
    return t;
}
