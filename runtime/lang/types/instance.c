/* SPDX-License-Identifier: MIT */

/*
 * Instances of generic types and functions: one for each list of arguments,
 * found by a hash table; what is inside is made when it is asked for.
 */

#include <string.h>

#include "runtime/lang/types/check_int.h"
#include "runtime/lang/types/generic.h"

enum {
    MAX_INSTANCES = 1 << 17
};

/* ---- the table ---------------------------------------------------------- */

/* An instance by what it is made of. */
struct inst_entry {
    const void *origin; /* generic type or function; NULL: an empty slot */
    struct type **targs;
    uint32_t n, hash;
    void *inst; /* struct type or struct object */
};

struct inst_table {
    struct inst_entry *tab; /* open addressing */
    uint32_t n, cap;
};

static uint32_t
mix(uint32_t h, uint32_t v)
{
    return (h ^ v) * 0x01000193u + 0x9e37u;
}

/* What type_shape() keeps in the type. */
static uint32_t
new_shape(struct type *t)
{
    uint32_t h = mix(0x811c9dc5u, t->kind), i;

    if (t->kind == TYPE_PARAM || (t->kind == TYPE_NAMED && !t->origin))
        return mix(h, t->serial);
    if (t->kind == TYPE_NAMED) {
        h = mix(h, t->origin->serial);
        for (i = 0; i < t->ntargs; i++)
            h = mix(h, type_shape(t->targs[i]));
        return h;
    }
    if (t->kind == TYPE_INTERFACE)
        return h; /* its methods may not be known yet */
    if (t->elem)
        h = mix(h, type_shape(t->elem));
    if (t->key)
        h = mix(h, type_shape(t->key));
    h = mix(h, (uint32_t)t->dir + t->nvars + t->nparams);
    if (t->kind == TYPE_ARRAY && t->len >= 0)
        h = mix(h, (uint32_t)t->len);
    for (i = 0; i < t->nvars; i++)
        if (t->vars[i]->type)
            h = mix(h, type_shape(t->vars[i]->type));
    return h;
}

uint32_t
type_shape(struct type *t)
{
    if (!t->shape)
        t->shape = new_shape(t) | 1;
    return t->shape;
}

static uint32_t
hash_args(const void *origin, struct type *const *targs, uint32_t n)
{
    uint64_t p = (uint64_t)(uintptr_t)origin * 0x9e3779b97f4a7c15u;
    uint32_t h = (uint32_t)(p >> 32), i;

    for (i = 0; i < n; i++)
        h = mix(h, type_shape(targs[i]));
    return h ^ (h >> 15);
}

static bool
same_args(const struct inst_entry *e, struct type *const *targs)
{
    uint32_t i;

    for (i = 0; i < e->n; i++)
        if (!type_identical(e->targs[i], targs[i]))
            return false;
    return true;
}

/* As many entries as it says, each without a gap behind where its hash points. */
static bool
table_valid(const struct inst_table *t)
{
    uint32_t i, h, n = 0;

    for (i = 0; i < t->cap; i++) {
        if (!t->tab[i].origin)
            continue;
        n++;
        for (h = t->tab[i].hash & (t->cap - 1); h != i;
             h = (h + 1) & (t->cap - 1))
            if (!t->tab[h].origin)
                return false;
    }
    return n == t->n && n < t->cap;
}

static void
grow(struct check *c, struct inst_table *t)
{
    struct inst_table old = *t;
    uint32_t i, h;

    t->cap = old.cap ? old.cap * 2 : 64;
    t->tab = CHECK_ARRAY(c, struct inst_entry, t->cap);
    for (i = 0; i < old.cap; i++) {
        if (!old.tab[i].origin)
            continue;
        h = old.tab[i].hash & (t->cap - 1);
        while (t->tab[h].origin)
            h = (h + 1) & (t->cap - 1);
        t->tab[h] = old.tab[i];
    }
    rt_assert_full(table_valid(t));
}

/* The entry for these arguments, which are copied into a new one; its inst is
 * NULL then and is to be set at once. */
static struct inst_entry *
entry_of(
    struct check *c, const void *origin, struct type *const *targs, uint32_t n)
{
    struct inst_table *t = c->in->insts;
    uint32_t hash = hash_args(origin, targs, n), i;
    struct inst_entry *e;

    rt_assert(origin != NULL && n > 0);
    if (!t)
        t = c->in->insts = CHECK_NEW(c, struct inst_table);
    if (t->n * 2 >= t->cap)
        grow(c, t);
    for (i = hash & (t->cap - 1); t->tab[i].origin; i = (i + 1) & (t->cap - 1))
        if (t->tab[i].hash == hash && t->tab[i].origin == origin &&
            same_args(&t->tab[i], targs))
            return &t->tab[i];
    e = &t->tab[i];
    e->origin = origin;
    e->targs = CHECK_ARRAY(c, struct type *, n);
    memcpy(e->targs, targs, n * sizeof *targs);
    e->n = n;
    e->hash = hash;
    t->n++;
    return e;
}

/* A few lines of source can ask for more instances than there is memory. */
static bool
too_many(struct check *c, lang_pos pos)
{
    if (!c->in->insts || c->in->insts->n < MAX_INSTANCES)
        return false;
    check_errf(c, pos, "too many instances of generic types");
    lang_diag_stop(c->parse->diag);
    return true;
}

/* ---- types -------------------------------------------------------------- */

struct type *
check_instance(struct check *c, struct type *generic, struct type *const *targs)
{
    struct inst_entry *e;
    struct type *t;

    if (too_many(c, generic->obj->pos))
        return invalid_type(c);
    e = entry_of(c, generic, targs, generic->tparams->n);
    t = e->inst;
    if (t)
        return t;
    t = e->inst = type_new(c, TYPE_NAMED);
    t->obj = generic->obj;
    t->origin = generic;
    t->targs = e->targs;
    t->ntargs = e->n;
    t->serial = ++c->in->serial;
    return t;
}

struct type *
type_expand(struct type *t)
{
    struct type *o = t->origin;
    struct check *c = o->obj->pkg->check;
    struct subst s = {.c = c, .from = o->tparams, .to = t->targs};

    rt_assert(o->tparams != NULL && o->tparams->n == t->ntargs);
    if (o->state == TSTATE_PENDING)
        return invalid_type(c);
    /* One that contains itself would never end. */
    if (!o->valid)
        check_valid_type(c, o->obj);
    t->under = type_subst(&s, type_under(o));
    return t->under;
}

/* ---- functions ---------------------------------------------------------- */

/* The signature in terms of the arguments; NULL while there is none. */
static struct type *
signature_of(struct check *c, const struct object *o)
{
    struct object *origin = o->origin;
    struct subst s = {.c = c, .to = o->targs};
    struct type *sig, *t;

    rt_assert(origin != NULL && o->ntargs > 0);
    check_obj(c, origin);
    s.from = origin->tparams;
    if (!origin->type)
        return NULL;
    if (!is_valid(origin->type) || !origin->tparams ||
        origin->tparams->n != o->ntargs)
        return invalid_type(c);
    sig = type_subst(&s, origin->type);
    if (sig != origin->type || !sig->tparams)
        return sig;
    t = type_new(c, TYPE_FUNC); /* as it is, but not generic */
    t->vars = sig->vars;
    t->nvars = sig->nvars;
    t->nparams = sig->nparams;
    t->variadic = sig->variadic;
    return t;
}

void
check_instance_type(struct check *c, struct object *o)
{
    struct type *t = signature_of(c, o);

    if (!t)
        return; /* asked again later */
    o->type = t;
    o->color = COLOR_BLACK;
}

struct object *
check_func_instance(struct check *c, struct object *origin,
    struct type *const *targs, uint32_t n)
{
    struct inst_entry *e = entry_of(c, origin, targs, n);
    struct object *o = e->inst;

    if (o)
        return o;
    o = e->inst = CHECK_NEW(c, struct object);
    *o = *origin;
    o->origin = origin;
    o->targs = e->targs;
    o->ntargs = e->n;
    o->tparams = NULL;
    o->type = NULL;
    o->color = COLOR_WHITE;
    o->dinfo = NULL;
    o->info = NULL;
    return o;
}

struct object *
check_method_of(struct check *c, struct type *t, struct object *m)
{
    if (t->kind != TYPE_NAMED || !t->origin || m->origin)
        return m;
    return check_func_instance(c, m, t->targs, t->ntargs);
}
