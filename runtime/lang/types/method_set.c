/* SPDX-License-Identifier: MIT */

/* Method sets of types, for the generator. */

#include <stdlib.h>
#include <string.h>

#include "runtime/lang/types/check_int.h"

struct method_cache {
    struct method_set set;
};

/* Methods anywhere below a type, one for each name: which of them are promoted
 * is then a matter of look-up. */
struct gather {
    struct check *c;
    struct object_table names;
    struct object **list;
    uint32_t n, cap;
    struct check_set met;
    struct type **types; /* those met, in order */
    uint32_t ntypes, typecap;
};

static void
add_candidate(struct gather *g, struct object *m)
{
    if (!object_table_add(g->c, &g->names, m))
        CHECK_PUSH(g->c, g->list, g->n, g->cap, m);
}

static void
add_type(struct gather *g, struct type *t)
{
    if (t->kind == TYPE_POINTER)
        t = t->elem;
    if (check_set_add(g->c, &g->met, t))
        CHECK_PUSH(g->c, g->types, g->ntypes, g->typecap, t);
}

static void
gather_of(struct gather *g, struct type *t)
{
    struct type *u;
    struct object **list;
    uint32_t i, n;

    if (t->kind == TYPE_NAMED) {
        check_obj(g->c, t->obj);
        list = type_methods(g->c, t, &n);
        for (i = 0; i < n; i++)
            if (!is_blank(g->c, list[i]->name))
                add_candidate(g, list[i]);
    }
    u = type_under(t);
    if (u->kind == TYPE_INTERFACE) {
        check_iface_complete(g->c, u);
        list = type_iface_methods(g->c, u);
        for (i = 0; i < u->nvars; i++)
            add_candidate(g, list[i]);
    } else if (u->kind == TYPE_STRUCT) {
        list = type_embedded(g->c, u, &n);
        for (i = 0; i < n; i++)
            if (list[i]->embedded)
                add_type(g, list[i]->type);
    }
}

static void
gather_names(struct gather *g, struct type *t)
{
    uint32_t i;

    add_type(g, t);
    for (i = 0; i < g->ntypes; i++)
        gather_of(g, g->types[i]);
}

static int
compare_entries(const void *a, const void *b)
{
    const struct object *x = ((const struct method_entry *)a)->func;
    const struct object *y = ((const struct method_entry *)b)->func;
    int r = strcmp(x->name->text, y->name->text);

    if (r == 0 && x->pkg && y->pkg)
        r = strcmp(x->pkg->path, y->pkg->path);
    return r;
}

static void
set_entry(struct check *c, struct method_entry *e, const struct lookup *l)
{
    bool is_iface = type_is_interface(l->base);

    e->func = l->obj;
    e->steps = l->steps;
    e->nsteps = l->nsteps;
    e->base = l->base_ptr ? type_pointer(c, l->base) : l->base;
    e->is_iface = is_iface;
    if (is_iface)
        return;
    e->take_addr = l->obj->ptr_recv && !l->base_ptr;
    e->deref = !l->obj->ptr_recv && l->base_ptr;
}

const struct method_set *
type_method_set(struct check *c, struct type *t)
{
    struct gather g = {.c = c};
    struct method_cache *m;
    uint32_t i;

    if (t->mset)
        return &t->mset->set;
    m = CHECK_NEW(c, struct method_cache);
    if (t->kind != TYPE_POINTER || !type_is_interface(t->elem))
        gather_names(&g, t);
    m->set.list = CHECK_ARRAY(c, struct method_entry, g.n);
    for (i = 0; i < g.n; i++) {
        struct lookup l;

        check_lookup_member(
            c, t, false, g.list[i]->pkg, g.list[i]->name, false, &l);
        if (!l.obj || l.obj->kind != OBJ_FUNC)
            continue;
        check_obj(c, l.obj);
        set_entry(c, &m->set.list[m->set.n++], &l);
    }
    if (m->set.n > 1)
        qsort(m->set.list, m->set.n, sizeof *m->set.list, compare_entries);
    t->mset = m;
    return &m->set;
}
