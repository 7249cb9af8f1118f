/* SPDX-License-Identifier: MIT */
/*
 * The tables of a stock that is being written: what functions ask for, each
 * thing once.
 */
#include "runtime/lang/gen/gen_record.h"

#include <string.h>

#include "runtime/lang/types/object.h"

bool
stock_known(struct gen *g, struct table *t, uint64_t key, uint32_t *id)
{
    if (gmap_get(&t->ids, key, id))
        return true;
    *id = t->n++;
    gmap_put(g, &t->ids, key, *id);
    return false;
}

uint32_t
stock_put_str(struct gen *g, const void *s, size_t n)
{
    struct gen_record *r = g->record;
    uint64_t h = 14695981039346656037u;
    uint32_t id;
    size_t i;

    for (i = 0; i < n; i++)
        h = (h ^ ((const uint8_t *)s)[i]) * 1099511628211u;
    h += n;
    while (gmap_get(&r->strs.ids, h, &id)) {
        if (r->strs.rows.at[2 * id + 1] == n &&
            (n == 0 ||
             memcmp(r->bytes.at + r->strs.rows.at[2 * id], s, n) == 0))
            return id;
        h++;
    }
    stock_known(g, &r->strs, h, &id);
    REC_PUT(g, r->strs.rows, r->bytes.n);
    REC_PUT(g, r->strs.rows, n);
    for (i = 0; i < n; i++)
        *gvec_push(g, &r->bytes) = ((const uint8_t *)s)[i];
    *gvec_push(g, &r->bytes) = 0;
    return id;
}

uint32_t
stock_put_name(struct gen *g, const char *s)
{
    return stock_put_str(g, s, strlen(s));
}

/* ---- packages and objects -------------------------------------------------- */

static uint32_t
put_pkg(struct gen *g, const struct check_pkg *p)
{
    struct gen_record *r = g->record;
    uint32_t id;

    if (!p->library || p->fake || (p->eager && !g->opt->tree))
        r->bad = true;
    if (!stock_known(g, &r->pkgs, (uint64_t)(uintptr_t)p, &id)) {
        uint32_t name = stock_put_name(g, p->path);

        REC_PUT(g, r->pkgs.rows, name);
    }
    return id;
}

bool
stock_is_declared(const struct object *o)
{
    return o->pkg != NULL && check_decl_at(o->pkg, o->order) == o;
}

/* The numbers of type arguments, in scratch memory. */
static uint32_t *
put_targs(struct gen *g, struct type *const *targs, uint32_t n)
{
    uint32_t *ids = gen_scratch(g, n * sizeof *ids), i;

    for (i = 0; i < n; i++)
        ids[i] = stock_put_type(g, targs[i]);
    return ids;
}

static void
put_words(struct gen *g, const uint32_t *at, uint32_t n)
{
    uint32_t i;

    for (i = 0; i < n; i++)
        REC_PUT(g, g->record->words, at[i]);
}

static uint32_t
put_instance(struct gen *g, const struct object *o)
{
    struct gen_record *r = g->record;
    uint32_t origin = stock_put_obj(g, o->origin), id;
    uint32_t *targs = put_targs(g, o->targs, o->ntargs);

    if (r->bad || stock_known(g, &r->objs, (uint64_t)(uintptr_t)o, &id))
        return r->bad ? 0 : id;
    REC_PUT(g, r->objs.rows, STOCK_INSTANCE);
    REC_PUT(g, r->objs.rows, origin);
    REC_PUT(g, r->objs.rows, r->words.n);
    REC_PUT(g, r->objs.rows, 0);
    REC_PUT(g, r->words, o->ntargs);
    put_words(g, targs, o->ntargs);
    return id;
}

uint32_t
stock_put_obj(struct gen *g, const struct object *o)
{
    struct gen_record *r = g->record;
    uint32_t id;

    if (gmap_get(&r->objs.ids, (uint64_t)(uintptr_t)o, &id))
        return id;
    if (o->origin != NULL)
        return put_instance(g, o);
    if (!stock_is_declared(o)) {
        r->bad = true;
        return 0;
    }
    if (!stock_known(g, &r->objs, (uint64_t)(uintptr_t)o, &id)) {
        uint32_t pkg = put_pkg(g, o->pkg);
        uint32_t name = stock_put_name(g, o->name->text);

        REC_PUT(g, r->objs.rows, pkg);
        REC_PUT(g, r->objs.rows, o->order);
        REC_PUT(g, r->objs.rows, name);
        REC_PUT(g, r->objs.rows, 0);
    }
    return id;
}

/* ---- types ---------------------------------------------------------------------- */

/* A struct's field or an interface's method: name, package, type, whether it
 * is embedded, tag. */
static void
put_member(struct gen *g, const struct object *m, uint32_t *to)
{
    to[0] = m->name != NULL ? stock_put_name(g, m->name->text) + 1 : 0;
    to[1] = m->pkg != NULL ? put_pkg(g, m->pkg) + 1 : 0;
    to[2] = stock_put_type(g, m->type);
    to[3] = m->embedded;
    to[4] = m->tag != NULL ? stock_put_str(g, m->tag, m->tag_len) + 1 : 0;
}

static uint32_t
put_members(struct gen *g, struct object *const *list, uint32_t n,
    uint32_t *to)
{
    uint32_t i;

    *to++ = n;
    for (i = 0; i < n; i++)
        put_member(g, list[i], to + i * STOCK_MEMBER);
    return 1 + n * STOCK_MEMBER;
}

/* A receiver makes no difference to a type. */
static uint32_t
put_func(struct gen *g, const struct type *t, uint32_t *to)
{
    uint32_t i;

    to[0] = t->nvars;
    to[1] = t->nparams;
    to[2] = t->variadic;
    for (i = 0; i < t->nvars; i++)
        to[3 + i] = stock_put_type(g, t->vars[i]->type);
    return 3 + t->nvars;
}

static uint32_t
put_named(struct gen *g, const struct type *t, uint32_t *to)
{
    if (t == g->c->types.error_type) {
        to[0] = UINT32_MAX;
    } else if (t->obj->func != NULL) {
        g->record->bad = true;
    } else {
        to[0] = stock_put_obj(g, t->obj);
    }
    to[1] = t->ntargs;
    memcpy(to + 2, put_targs(g, t->targs, t->ntargs), t->ntargs * sizeof *to);
    return 2 + t->ntargs;
}

/* What a type is made of, behind its kind; how many words. */
static uint32_t
put_inside(struct gen *g, struct type *t, uint32_t *to)
{
    struct object **methods;
    uint32_t n;

    switch (t->kind) {
    case TYPE_NAMED:
        return put_named(g, t, to);
    case TYPE_STRUCT:
        return put_members(g, t->vars, t->nvars, to);
    case TYPE_INTERFACE:
        if (type_interface_methods(t, &methods, &n))
            return put_members(g, methods, n, to);
        break;
    case TYPE_FUNC:
        return put_func(g, t, to);
    case TYPE_POINTER:
    case TYPE_SLICE:
        to[0] = stock_put_type(g, t->elem);
        return 1;
    case TYPE_ARRAY:
        to[0] = stock_put_type(g, t->elem);
        to[1] = (uint32_t)t->len;
        if (t->len < 0 || t->len > INT32_MAX)
            g->record->bad = true;
        return 2;
    case TYPE_MAP:
        to[0] = stock_put_type(g, t->key);
        to[1] = stock_put_type(g, t->elem);
        return 2;
    case TYPE_CHAN:
        to[0] = stock_put_type(g, t->elem);
        to[1] = t->dir;
        return 2;
    default:
        if (t->kind != TYPE_INVALID && t->kind <= TYPE_UNSAFE_POINTER)
            return 0;
        break;
    }
    g->record->bad = true;
    return 0;
}

uint32_t
stock_put_type(struct gen *g, struct type *t)
{
    struct gen_record *r = g->record;
    uint32_t id, n, *to;

    t = type_canon(g->c, t);
    if (gmap_get(&r->types.ids, (uint64_t)(uintptr_t)t, &id))
        return id;
    to = gen_scratch(g,
        (4 + t->ntargs + (t->nvars + 1) * STOCK_MEMBER) * sizeof *to);
    /* The parts come first: the words of one type are together. */
    n = put_inside(g, t, to);
    if (r->bad)
        return 0;
    if (stock_known(g, &r->types, (uint64_t)(uintptr_t)t, &id))
        return id;
    REC_PUT(g, r->types.rows, r->words.n);
    REC_PUT(g, r->words, t->kind);
    put_words(g, to, n);
    return id;
}

/* ---- constants and selectors ------------------------------------------------------- */

uint32_t
stock_put_const(struct gen *g, uint64_t v)
{
    struct gen_record *r = g->record;
    uint32_t id;

    if (!stock_known(g, &r->consts, v, &id)) {
        REC_PUT(g, r->consts.rows, v);
        REC_PUT(g, r->consts.rows, v >> 32);
    }
    return id;
}

uint32_t
stock_put_selector(struct gen *g, const struct object *m, uint64_t at)
{
    struct gen_record *r = g->record;
    uint32_t id, name, pkg, type;

    if (gmap_get(&r->sels.ids, at, &id))
        return id;
    name = stock_put_name(g, m->name->text);
    pkg = m->name->exported || m->pkg == NULL ? 0 : put_pkg(g, m->pkg) + 1;
    type = stock_put_type(g, g->sels.at[at].sig);
    if (r->bad)
        return 0;
    stock_known(g, &r->sels, at, &id);
    REC_PUT(g, r->sels.rows, name);
    REC_PUT(g, r->sels.rows, pkg);
    REC_PUT(g, r->sels.rows, type);
    return id;
}
