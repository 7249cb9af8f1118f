/* SPDX-License-Identifier: MIT */

/*
 * Substitution of type parameters in types.  What does not mention them is
 * shared with the original; instances of generic types become instances with
 * other arguments, which are expanded only when somebody looks inside, so
 * that recursive types end.
 */

#include "runtime/lang/types/check_int.h"
#include "runtime/lang/types/generic.h"

/* ---- questions ---------------------------------------------------------- */

/* Which parameters count: those of a list, or any; or none, and each of the
 * list's is told to someone. */
struct which {
    const struct tparam_list *list;
    void (*each)(struct type *param, void *arg);
    void *arg;
};

static bool has_params(struct type *t, const struct which *w);
static bool part_has_params(struct type *t, const struct which *w);

/* Are the types of all its variables and methods known? */
static bool
is_whole(const struct type *t)
{
    bool iface = t->kind == TYPE_INTERFACE;
    uint32_t n = iface ? t->iface->nmethods : t->nvars, i;

    for (i = 0; i < n; i++)
        if (!(iface ? t->iface->methods[i] : t->vars[i])->type)
            return false;
    return true;
}

static bool
counts(struct type *p, const struct which *w)
{
    bool listed = !w->list || ((uint32_t)p->index < w->list->n &&
                                  w->list->at[p->index] == p);

    if (listed && w->each)
        w->each(p, w->arg);
    return listed && !w->each;
}

static bool
vars_have_params(
    struct object *const *vars, uint32_t n, const struct which *w)
{
    uint32_t i;

    for (i = 0; i < n; i++)
        if (vars[i]->type && has_params(vars[i]->type, w))
            return true;
    return false;
}

static bool
iface_has_params(const struct type *t, const struct which *w)
{
    const struct iface_info *f = t->iface;
    uint32_t i;

    for (i = 0; i < f->nembeds; i++)
        if (has_params(f->embeds[i], w))
            return true;
    return vars_have_params(f->methods, f->nmethods, w);
}

/* A type that several others are made of is looked at once. */
static bool
has_params(struct type *t, const struct which *w)
{
    bool any = !w->list, found;

    if (t->closed)
        return false;
    found = part_has_params(t, w);
    if (any && !found && is_whole(t))
        t->closed = true;
    return found;
}

bool
type_has_params(struct type *t)
{
    const struct which any = {NULL, NULL, NULL};

    return has_params(t, &any);
}

static bool
part_has_params(struct type *t, const struct which *w)
{
    uint32_t i;

    switch (t->kind) {
    case TYPE_PARAM:
        return counts(t, w);
    case TYPE_NAMED:
        for (i = 0; i < t->ntargs; i++)
            if (has_params(t->targs[i], w))
                return true;
        return false;
    case TYPE_POINTER:
    case TYPE_SLICE:
    case TYPE_ARRAY:
    case TYPE_CHAN:
        return has_params(t->elem, w);
    case TYPE_MAP:
        return has_params(t->key, w) || has_params(t->elem, w);
    case TYPE_STRUCT:
    case TYPE_FUNC:
    case TYPE_TUPLE:
        return vars_have_params(t->vars, t->nvars, w);
    case TYPE_INTERFACE:
        return iface_has_params(t, w);
    case TYPE_UNION:
        for (i = 0; i < t->nterms; i++)
            if (has_params(t->terms[i].type, w))
                return true;
        return false;
    default:
        return false;
    }
}

bool
type_mentions(struct type *t, const struct tparam_list *l)
{
    const struct which w = {l, NULL, NULL};

    return type_has_params(t) && has_params(t, &w);
}

void
type_each_mentioned(struct type *t, const struct tparam_list *l,
    void (*each)(struct type *param, void *arg), void *arg)
{
    const struct which w = {l, each, arg};

    if (type_has_params(t))
        has_params(t, &w);
}

/* ---- parts -------------------------------------------------------------- */

/* Copies of the objects with types substituted; the list itself where none
 * changes. */
static struct object **
subst_vars(const struct subst *s, struct object **vars, uint32_t n)
{
    struct object **list = vars;
    uint32_t i, k;

    for (i = 0; i < n; i++) {
        struct type *old = vars[i]->type, *t = old ? type_subst(s, old) : NULL;

        if (t == old && list == vars)
            continue;
        if (list == vars) {
            list = CHECK_ARRAY(s->c, struct object *, n);
            for (k = 0; k < i; k++)
                list[k] = vars[k];
        }
        list[i] = CHECK_NEW(s->c, struct object);
        *list[i] = *vars[i];
        list[i]->type = t;
    }
    return list;
}

/* The fields of one struct are its own: their offsets may differ. */
static struct type *
subst_struct(const struct subst *s, struct type *t)
{
    struct object **vars = subst_vars(s, t->vars, t->nvars);
    struct type *r;
    uint32_t i;

    if (vars == t->vars)
        return t;
    r = type_new(s->c, TYPE_STRUCT);
    r->vars = vars;
    r->nvars = t->nvars;
    for (i = 0; i < t->nvars; i++) {
        if (vars[i] != t->vars[i])
            continue;
        vars[i] = CHECK_NEW(s->c, struct object);
        *vars[i] = *t->vars[i];
    }
    return r;
}

static struct type *
subst_func(const struct subst *s, struct type *t)
{
    struct object **vars = subst_vars(s, t->vars, t->nvars), **recv = NULL;
    struct type *r;

    if (t->recv)
        recv = subst_vars(s, &t->recv, 1);
    if (vars == t->vars && (!recv || recv == &t->recv))
        return t;
    r = type_new(s->c, TYPE_FUNC);
    r->vars = vars;
    r->nvars = t->nvars;
    r->nparams = t->nparams;
    r->variadic = t->variadic;
    r->recv = recv ? *recv : NULL;
    return r;
}

static struct type *
subst_tuple(const struct subst *s, struct type *t)
{
    struct object **vars = subst_vars(s, t->vars, t->nvars);

    return vars == t->vars ? t : type_tuple(s->c, vars, t->nvars);
}

/* A list of types likewise. */
static struct type **
subst_list(const struct subst *s, struct type **list, uint32_t n)
{
    struct type **to = list;
    uint32_t i, k;

    for (i = 0; i < n; i++) {
        struct type *t = type_subst(s, list[i]);

        if (t == list[i] && to == list)
            continue;
        if (to == list) {
            to = CHECK_ARRAY(s->c, struct type *, n);
            for (k = 0; k < i; k++)
                to[k] = list[k];
        }
        to[i] = t;
    }
    return to;
}

static struct type *
subst_iface(const struct subst *s, struct type *t)
{
    const struct iface_info *f = t->iface;
    struct object **methods = subst_vars(s, f->methods, f->nmethods);
    struct type **embeds = subst_list(s, f->embeds, f->nembeds), *r;

    if (methods == f->methods && embeds == f->embeds)
        return t;
    r = type_new(s->c, TYPE_INTERFACE);
    r->iface = CHECK_NEW(s->c, struct iface_info);
    r->state = TSTATE_PENDING;
    r->iface->methods = methods;
    r->iface->nmethods = f->nmethods;
    r->iface->embeds = embeds;
    r->iface->nembeds = f->nembeds;
    r->iface->embed_pos = f->embed_pos;
    r->iface->implicit = f->implicit;
    r->iface->pos = f->pos;
    r->iface->pkg = f->pkg;
    return r;
}

static struct type *
subst_union(const struct subst *s, struct type *t)
{
    struct type *r = NULL;
    uint32_t i, k;

    for (i = 0; i < t->nterms; i++) {
        struct type *u = type_subst(s, t->terms[i].type);

        if (!r && u == t->terms[i].type)
            continue;
        if (!r) {
            r = type_new(s->c, TYPE_UNION);
            r->terms = CHECK_ARRAY(s->c, struct type_term, t->nterms);
            r->nterms = t->nterms;
            for (k = 0; k < t->nterms; k++)
                r->terms[k] = t->terms[k];
        }
        r->terms[i].type = u;
    }
    return r ? r : t;
}

static struct type *
subst_named(const struct subst *s, struct type *t)
{
    struct type **targs, *generic = t->origin ? t->origin : t;

    if (s->local && generic->obj->func)
        generic = s->local(s->arg, generic);
    if (!t->origin)
        return generic;
    targs = subst_list(s, t->targs, t->ntargs);
    return targs == t->targs && generic == t->origin ?
        t : check_instance(s->c, generic, targs);
}

static struct type *
subst_param(const struct subst *s, struct type *t)
{
    uint32_t i = (uint32_t)t->index;

    rt_assert(s->from != NULL && s->to != NULL);
    if (i < s->from->n && s->from->at[i] == t && s->to[i])
        return s->to[i];
    return t;
}

struct type *
type_subst(const struct subst *s, struct type *t)
{
    struct type *elem, *key, *r;

    if (t->closed && !s->local)
        return t;
    switch (t->kind) {
    case TYPE_PARAM:
        return subst_param(s, t);
    case TYPE_NAMED:
        return subst_named(s, t);
    case TYPE_POINTER:
        return type_pointer(s->c, type_subst(s, t->elem));
    case TYPE_SLICE:
        return type_slice(s->c, type_subst(s, t->elem));
    case TYPE_ARRAY:
    case TYPE_CHAN:
    case TYPE_MAP:
        elem = type_subst(s, t->elem);
        key = t->key ? type_subst(s, t->key) : NULL;
        if (elem == t->elem && key == t->key)
            return t;
        r = type_new(s->c, (enum type_kind)t->kind);
        r->elem = elem;
        r->key = key;
        r->len = t->len;
        r->dir = t->dir;
        return r;
    case TYPE_STRUCT:
        return subst_struct(s, t);
    case TYPE_FUNC:
        return subst_func(s, t);
    case TYPE_TUPLE:
        return subst_tuple(s, t);
    case TYPE_INTERFACE:
        return subst_iface(s, t);
    case TYPE_UNION:
        return subst_union(s, t);
    default:
        return t;
    }
}
