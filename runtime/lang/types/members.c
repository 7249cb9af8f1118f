/* SPDX-License-Identifier: MIT */

/*
 * Hash tables of the checker, and with them the members that a type declares
 * itself: the fields of a struct and the methods of a named type.  A type of
 * few members is searched from end to end; one of many gets an index at the
 * first question.
 */

#include <string.h>
#include <strings.h>

#include "runtime/lang/types/check_int.h"
#include "runtime/lang/types/generic.h"

enum {
    FEW_MEMBERS = 8,
    FIRST_CAP = 16
};

/* ---- sets of pointers --------------------------------------------------- */

static uint32_t
hash_ptr(const void *p)
{
    return (uint32_t)(((uint64_t)(uintptr_t)p * 0x9e3779b97f4a7c15u) >> 32);
}

static const void **
ptr_slot(const struct check_set *s, const void *p)
{
    uint32_t i = hash_ptr(p) & (s->cap - 1);

    while (s->tab[i] && s->tab[i] != p)
        i = (i + 1) & (s->cap - 1);
    return &s->tab[i];
}

static void
check_set_grow(struct check *c, struct check_set *s)
{
    struct check_set old = *s;
    uint32_t i;

    s->cap = old.cap ? old.cap * 2 : FIRST_CAP;
    s->tab = CHECK_ARRAY(c, const void *, s->cap);
    for (i = 0; i < old.cap; i++)
        if (old.tab[i])
            *ptr_slot(s, old.tab[i]) = old.tab[i];
}

bool
check_set_add(struct check *c, struct check_set *s, const void *p)
{
    const void **slot;

    if (s->n * 2 >= s->cap)
        check_set_grow(c, s);
    slot = ptr_slot(s, p);
    if (*slot)
        return false;
    *slot = p;
    s->n++;
    return true;
}

bool
check_set_has(const struct check_set *s, const void *p)
{
    return s->n != 0 && *ptr_slot(s, p) != NULL;
}

/* ---- objects by name ---------------------------------------------------- */

bool
object_same_name(const struct object *o, const struct check_pkg *pkg,
    const struct lang_name *name, bool fold)
{
    if (fold)
        return o->name && strcasecmp(o->name->text, name->text) == 0;
    return o->name == name && (o->exported || o->pkg == pkg);
}

static struct object **
name_slot(const struct object_table *t, const struct lang_name *name,
    const struct check_pkg *pkg)
{
    uint32_t i = name->hash & (t->cap - 1);

    while (t->tab[i] && !object_same_name(t->tab[i], pkg, name, false))
        i = (i + 1) & (t->cap - 1);
    return &t->tab[i];
}

struct object *
object_table_find(const struct object_table *t, const struct lang_name *name,
    const struct check_pkg *pkg)
{
    return t->n ? *name_slot(t, name, pkg) : NULL;
}

static void
object_table_grow(struct check *c, struct object_table *t)
{
    struct object_table old = *t;
    uint32_t i;

    t->cap = old.cap ? old.cap * 2 : FIRST_CAP;
    t->tab = CHECK_ARRAY(c, struct object *, t->cap);
    for (i = 0; i < old.cap; i++)
        if (old.tab[i])
            *name_slot(t, old.tab[i]->name, old.tab[i]->pkg) = old.tab[i];
}

struct object *
object_table_add(struct check *c, struct object_table *t, struct object *o)
{
    struct object **slot;

    if (t->n * 2 >= t->cap)
        object_table_grow(c, t);
    slot = name_slot(t, o->name, o->pkg);
    if (*slot)
        return *slot;
    *slot = o;
    t->n++;
    return NULL;
}

/* ---- members ------------------------------------------------------------ */

struct member_index {
    struct object_table names;
    uint32_t n; /* of how many members: the type may still get more */
    struct object **embedded;
    uint32_t nembedded, embcap;
};

/* The index of a type with these members; NULL where they are few. */
static struct member_index *
index_of(struct check *c, struct type *t, struct object **list, uint32_t n)
{
    struct member_index *x = t->members;
    uint32_t i;

    if (n <= FEW_MEMBERS || (x && x->n == n))
        return n <= FEW_MEMBERS ? NULL : x;
    x = t->members = CHECK_NEW(c, struct member_index);
    x->n = n;
    for (i = 0; i < n; i++) {
        if (list[i]->embedded)
            CHECK_PUSH(c, x->embedded, x->nembedded, x->embcap, list[i]);
        if (!is_blank(c, list[i]->name))
            object_table_add(c, &x->names, list[i]);
    }
    return x;
}

static struct object *
find_member(struct check *c, struct type *t, struct object **list, uint32_t n,
    struct check_pkg *pkg, const struct lang_name *name, bool fold)
{
    struct member_index *x = fold ? NULL : index_of(c, t, list, n);
    uint32_t i;

    if (x)
        return object_table_find(&x->names, name, pkg);
    for (i = 0; i < n; i++)
        if (object_same_name(list[i], pkg, name, fold))
            return list[i];
    return NULL;
}

struct object *
type_find_field(struct check *c, struct type *st, struct check_pkg *pkg,
    const struct lang_name *name, bool fold)
{
    return find_member(c, st, st->vars, st->nvars, pkg, name, fold);
}

struct object *
type_find_method(struct check *c, struct type *named, struct check_pkg *pkg,
    const struct lang_name *name, bool fold)
{
    struct type *t = named->origin ? named->origin : named;
    struct object *m =
        find_member(c, t, t->methods, t->nmethods, pkg, name, fold);

    return m && t != named ? check_method_of(c, named, m) : m;
}

struct object **
type_methods(struct check *c, struct type *t, uint32_t *n)
{
    struct type *o = t->origin;
    uint32_t i;

    if (o && t->nmethods != o->nmethods) {
        t->methods = CHECK_ARRAY(c, struct object *, o->nmethods);
        t->nmethods = o->nmethods;
        for (i = 0; i < o->nmethods; i++)
            t->methods[i] = check_method_of(c, t, o->methods[i]);
    }
    *n = t->nmethods;
    return t->methods;
}

struct object **
type_embedded(struct check *c, struct type *st, uint32_t *n)
{
    struct member_index *x = index_of(c, st, st->vars, st->nvars);

    *n = x ? x->nembedded : st->nvars;
    return x ? x->embedded : st->vars;
}
