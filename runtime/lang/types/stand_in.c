/* SPDX-License-Identifier: MIT */

/*
 * For the generator's stocks of ready code: declarations by number, functions
 * and initialisers whose code is there already, so that nobody has to look at
 * them, and types without source.
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
check_obj_deps(const struct object *o, struct object *const **deps)
{
    rt_assert(o->dinfo != NULL);
    *deps = o->dinfo->deps;
    return o->dinfo->ndeps;
}

void
check_obj_refers(struct check *c, struct object *o, struct object *to)
{
    struct decl_info *d = o->dinfo;

    rt_assert(d != NULL && o->type != NULL && to->dinfo != NULL);
    CHECK_PUSH(c, d->deps, d->ndeps, d->depcap, to);
}

bool
check_var_typed(struct object *v, struct type *t)
{
    const struct decl_info *d = v->dinfo;

    if (v->color != COLOR_WHITE || !d->pkg->library || d->type != NULL ||
        d->init == NULL || d->lhs != NULL)
        return false;
    v->type = t;
    v->color = COLOR_BLACK;
    return true;
}

bool
check_var_ready(struct object *v)
{
    struct decl_info *d = v->dinfo;

    rt_assert(d->pkg->library && d->lhs == NULL && v->type != NULL);
    if (d->init_checked)
        return false;
    d->init_checked = true;
    return true;
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

static struct object *
new_member(struct check *c, enum object_kind kind, const struct type_member *m)
{
    struct object *o = object_new(c, kind, 0, m->name, m->type);

    o->pkg = m->pkg;
    o->embedded = m->embedded;
    o->tag = m->tag;
    o->tag_len = m->tag_len;
    return o;
}

struct type *
type_struct(struct check *c, const struct type_member *list, uint32_t n)
{
    struct type *t = type_new(c, TYPE_STRUCT);
    uint32_t i;

    t->vars = CHECK_ARRAY(c, struct object *, n);
    t->nvars = n;
    for (i = 0; i < n; i++) {
        t->vars[i] = new_member(c, OBJ_VAR, &list[i]);
        t->vars[i]->var_kind = VAR_FIELD;
        t->vars[i]->index = (int32_t)i;
    }
    return t;
}

struct type *
type_interface(struct check *c, const struct type_member *list, uint32_t n)
{
    struct type *t = type_new(c, TYPE_INTERFACE);
    struct iface_info *f = CHECK_NEW(c, struct iface_info);
    uint32_t i;

    if (n == 0)
        return c->types.empty_iface;
    t->iface = f;
    t->state = TSTATE_PENDING;
    f->methods = CHECK_ARRAY(c, struct object *, n);
    f->nmethods = n;
    for (i = 0; i < n; i++) {
        f->methods[i] = new_member(c, OBJ_FUNC, &list[i]);
        f->methods[i]->is_method = true;
    }
    check_iface_complete(c, t);
    return t;
}

bool
type_interface_methods(struct type *t, struct object ***list, uint32_t *n)
{
    const struct iface_info *f = t->iface;

    if (f->nembeds != 0 || t->state != TSTATE_DONE)
        return false;
    *list = f->methods;
    *n = f->nmethods;
    return true;
}
