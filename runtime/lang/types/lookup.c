/* SPDX-License-Identifier: MIT */

/*
 * Fields and methods by name, through embedded fields, and who implements
 * what.
 *
 * The search goes breadth first, one depth of embedding after another.  At
 * the first depth where the name occurs it must occur once, and a type that
 * was met at a lesser depth, or twice at this one, hides or doubles what is
 * below it (Go specification, Selectors).
 */

#include <string.h>
#include <strings.h>

#include "runtime/lang/types/check_int.h"
#include "runtime/lang/types/generic.h"

/* An embedded type to search, and how it was reached. */
struct embedded {
    struct type *type; /* named, struct or interface; never a pointer */
    struct object *field;
    const struct embedded *from;
    uint32_t depth;
    bool via_ptr;  /* the field that holds it is a pointer */
    bool indirect; /* some pointer on the way */
    bool multiple; /* seen more than once at this depth */
};

static void
fill_steps(struct check *c, const struct embedded *e, struct object *last,
    bool last_deref, struct lookup *out)
{
    uint32_t n = e->depth + (last != NULL), i;
    struct sel_step *s;

    if (n == 0)
        return;
    s = CHECK_ARRAY(c, struct sel_step, n);
    out->steps = s;
    out->nsteps = n;
    i = n;
    if (last) {
        s[--i].field = last;
        s[i].deref = last_deref;
    }
    for (; e->from; e = e->from) {
        s[--i].field = e->field;
        s[i].deref = e->from->via_ptr;
    }
    rt_assert(i == 0);
}

/* What one search carries along. */
struct search {
    uint32_t visited; /* types so far */
    uint32_t members; /* what these have */
    struct check *c;
    struct check_pkg *pkg;
    const struct lang_name *name;
    bool fold;
    struct object *found;
    const struct embedded *at;
    bool ambiguous;
    struct embedded **next;
    uint32_t nnext, capnext;
};

static void
hit(struct search *s, struct object *o, const struct embedded *e)
{
    if (s->found || e->multiple) {
        s->ambiguous = true;
        return;
    }
    s->found = o;
    s->at = e;
}

static void
push_embedded(struct search *s, struct object *f, const struct embedded *e)
{
    struct embedded *n = CHECK_NEW(s->c, struct embedded);
    struct type *t = f->type;

    if (t->kind == TYPE_POINTER) {
        n->via_ptr = true;
        t = t->elem;
    }
    if (t->kind != TYPE_NAMED && t->kind != TYPE_STRUCT &&
        t->kind != TYPE_INTERFACE)
        return;
    n->type = t;
    n->field = f;
    n->from = e;
    n->depth = e->depth + 1;
    n->indirect = e->indirect || n->via_ptr;
    n->multiple = e->multiple;
    CHECK_PUSH(s->c, s->next, s->nnext, s->capnext, n);
}

static void
search_struct(struct search *s, struct type *u, struct embedded *e)
{
    struct object *f = type_find_field(s->c, u, s->pkg, s->name, s->fold);
    struct object **list;
    uint32_t i, n;

    if (f)
        hit(s, f, e);
    if (s->found)
        return;
    list = type_embedded(s->c, u, &n);
    for (i = 0; i < n; i++)
        if (list[i]->embedded && list[i]->type)
            push_embedded(s, list[i], e);
}

static void
search_iface(struct search *s, struct type *u, struct embedded *e)
{
    struct object **list, *m;
    uint32_t i;

    check_iface_complete(s->c, u);
    if (!s->fold) {
        m = type_iface_find(u, s->name, s->pkg);
        if (m)
            hit(s, m, e);
        return;
    }
    list = type_iface_methods(s->c, u);
    for (i = 0; i < u->nvars; i++)
        if (object_same_name(list[i], s->pkg, s->name, true))
            hit(s, list[i], e);
}

static void
search_type(struct search *s, struct embedded *e)
{
    struct type *u;
    struct object *m;

    s->visited++;
    if (e->type->kind == TYPE_PARAM) {
        search_iface(s, type_bound(e->type), e);
        return;
    }
    s->members += e->type->nmethods + type_under(e->type)->nvars;
    if (e->type->kind == TYPE_NAMED) {
        check_obj(s->c, e->type->obj);
        m = type_find_method(s->c, e->type, s->pkg, s->name, s->fold);
        if (m) {
            hit(s, m, e);
            return;
        }
    }
    u = type_under(e->type);
    if (u->kind == TYPE_STRUCT)
        search_struct(s, u, e);
    else if (u->kind == TYPE_INTERFACE)
        search_iface(s, u, e);
}

/* Drops the types that were met before; one met twice at one depth counts as
 * ambiguous there.  All are resolved first: that may search, too. */
static uint32_t
merge(struct search *s, uint32_t serial)
{
    struct embedded **list = s->next;
    uint32_t i, w = 0;

    for (i = 0; i < s->nnext; i++)
        if (list[i]->type->kind == TYPE_NAMED)
            check_obj(s->c, list[i]->type->obj);
    for (i = 0; i < s->nnext; i++) {
        struct type *t = list[i]->type;

        if (t->mark == serial) {
            if (t->met->depth == list[i]->depth)
                t->met->multiple = true;
            continue;
        }
        t->mark = serial;
        t->met = list[i];
        list[w++] = list[i];
    }
    return w;
}

static void
finish(struct search *s, bool addressable, struct lookup *out)
{
    struct object *o = s->found;
    const struct embedded *e = s->at;

    rt_assert(o != NULL && e != NULL && !s->ambiguous);
    out->obj = o;
    out->indirect = e->indirect;
    out->base = e->type;
    if (o->kind == OBJ_VAR) {
        fill_steps(s->c, e, o, e->via_ptr, out);
        return;
    }
    fill_steps(s->c, e, NULL, false, out);
    out->base_ptr = e->via_ptr;
    if (o->ptr_recv && !e->indirect && !addressable) {
        out->obj = NULL;
        out->need_addr = true;
    }
}

/* Searches one depth after another, from root on. */
static void
search_depths(struct search *s, struct embedded *root)
{
    struct embedded *first[1] = {root}, **cur = first;
    uint32_t ncur = 1, i, serial = 0;

    while (ncur) {
        s->next = NULL;
        s->nnext = s->capnext = 0;
        for (i = 0; i < ncur; i++)
            search_type(s, cur[i]);
        if (s->ambiguous || s->found)
            return;
        if (cur == first) {
            serial = ++s->c->in->lookups;
            root->type->mark = serial;
            root->type->met = root;
        }
        cur = s->next;
        ncur = merge(s, serial);
    }
}

/* ---- tables of what is promoted ----------------------------------------- */

/*
 * Where a type embeds many others and is searched again and again, the
 * searches together would look at each of them as often: then a table of all
 * that they could find is made, by one search for everything.
 */
struct promoted {
    struct object *obj; /* at the least depth */
    const struct embedded *at;
    bool ambiguous;
};

struct promoted_table {
    struct promoted *tab; /* by name and package; open addressing */
    uint32_t n, cap;
};

static struct promoted *
promoted_slot(const struct promoted_table *t, const struct lang_name *name,
    const struct check_pkg *pkg)
{
    uint32_t i = name->hash & (t->cap - 1);

    while (t->tab[i].obj && !object_same_name(t->tab[i].obj, pkg, name, false))
        i = (i + 1) & (t->cap - 1);
    return &t->tab[i];
}

static void
promote(struct check *c, struct promoted_table *t, struct object *o,
    const struct embedded *e)
{
    struct promoted_table old = *t;
    struct promoted *p;
    uint32_t i;

    if (!o->name || is_blank(c, o->name))
        return;
    if (t->n * 2 >= t->cap) {
        t->cap = old.cap ? old.cap * 2 : 64;
        t->tab = CHECK_ARRAY(c, struct promoted, t->cap);
        for (i = 0; i < old.cap; i++)
            if (old.tab[i].obj)
                *promoted_slot(t, old.tab[i].obj->name, old.tab[i].obj->pkg) =
                    old.tab[i];
    }
    p = promoted_slot(t, o->name, o->pkg);
    if (!p->obj) {
        *p = (struct promoted){o, e, e->multiple};
        t->n++;
    } else if (p->at->depth == e->depth) {
        p->ambiguous = true;
    }
}

/* False where e's type is not complete, so that there can be no table yet. */
static bool
promote_type(struct search *s, struct promoted_table *t, struct embedded *e)
{
    struct type *u = type_under(e->type);
    struct object **list = u->vars, **methods;
    uint32_t i, n;

    if (e->type->kind == TYPE_NAMED) {
        if (e->type->state != TSTATE_DONE ||
            e->type->obj->color != COLOR_BLACK)
            return false;
        methods = type_methods(s->c, e->type, &n);
        for (i = 0; i < n; i++)
            promote(s->c, t, methods[i], e);
    }
    if (u->kind == TYPE_INTERFACE) {
        check_iface_complete(s->c, u);
        if (u->state != TSTATE_DONE)
            return false;
        list = type_iface_methods(s->c, u);
    } else if (u->kind != TYPE_STRUCT) {
        return true;
    }
    for (i = 0; i < u->nvars; i++) {
        promote(s->c, t, list[i], e);
        if (u->kind == TYPE_STRUCT && list[i]->embedded && list[i]->type)
            push_embedded(s, list[i], e);
    }
    return true;
}

static struct promoted_table *
make_table(struct check *c, const struct embedded *from)
{
    struct promoted_table *t = CHECK_NEW(c, struct promoted_table);
    struct search s = {.c = c};
    struct embedded *root = CHECK_NEW(c, struct embedded), **cur = &root;
    uint32_t ncur = 1, i, serial = 0;

    *root = *from;
    while (ncur) {
        s.next = NULL;
        s.nnext = s.capnext = 0;
        for (i = 0; i < ncur; i++)
            if (!promote_type(&s, t, cur[i]))
                return NULL;
        if (cur == &root) {
            serial = ++c->in->lookups;
            root->type->mark = serial;
            root->type->met = root;
        }
        cur = s.next;
        ncur = merge(&s, serial);
    }
    return t;
}

/* Takes down what a search has cost, and makes the table once it is cheaper
 * than those before were together. */
static void
note_search(const struct search *s, const struct embedded *root)
{
    struct type *t = root->type;

    if (s->visited < 16 || s->fold)
        return;
    t->searched += s->visited;
    if (t->searched > s->members)
        t->promoted[root->via_ptr] = make_table(s->c, root);
}

static void
search_from(struct check *c, struct type *t, bool is_ptr, bool addressable,
    struct check_pkg *pkg, const struct lang_name *name, bool fold,
    struct lookup *out)
{
    struct search s = {.c = c, .pkg = pkg, .name = name, .fold = fold};
    struct embedded root = {.type = t, .via_ptr = is_ptr, .indirect = is_ptr};
    const struct promoted_table *table = fold ? NULL : t->promoted[is_ptr];

    memset(out, 0, sizeof *out);
    if (table) {
        const struct promoted *p = promoted_slot(table, name, pkg);

        s.found = p->obj;
        s.at = p->at;
        s.ambiguous = p->ambiguous;
    } else {
        search_depths(&s, &root);
        note_search(&s, &root);
    }
    if (s.ambiguous)
        out->ambiguous = true;
    else if (s.found)
        finish(&s, addressable, out);
}

void
check_lookup_member(struct check *c, struct type *t, bool addressable,
    struct check_pkg *pkg, const struct lang_name *name, bool fold,
    struct lookup *out)
{
    struct type *u;

    memset(out, 0, sizeof *out);
    if (is_blank(c, name))
        return;
    /* A named pointer type has no methods, but the fields of its struct. */
    if (t->kind == TYPE_NAMED) {
        check_obj(c, t->obj);
        u = type_under(t);
        if (u->kind == TYPE_POINTER) {
            search_from(c, u->elem, true, addressable, pkg, name, fold, out);
            if (out->obj && out->obj->kind == OBJ_FUNC)
                memset(out, 0, sizeof *out);
            return;
        }
    }
    if (t->kind == TYPE_POINTER) {
        /* No methods through a pointer to an interface. */
        if (type_is_interface(t->elem) || t->elem->kind == TYPE_PARAM)
            return;
        search_from(c, t->elem, true, addressable, pkg, name, fold, out);
        return;
    }
    search_from(c, t, false, addressable, pkg, name, fold, out);
}

/* ---- implements --------------------------------------------------------- */

static bool
is_iface_ptr(struct type *t)
{
    t = type_under(t);
    return t->kind == TYPE_POINTER && type_is_interface(t->elem);
}

static const char *
have_want(struct check *c, const char *what, struct object *f, struct object *m)
{
    const char *fs = check_func_string(c, f, false),
               *ms = check_func_string(c, m, false);

    if (strcmp(fs, ms) == 0) {
        fs = check_func_string(c, f, true);
        ms = check_func_string(c, m, true);
    }
    if (strcmp(fs, ms) == 0)
        return check_sprintf(c, "(%s method %s)", what, m->name->text);
    return check_sprintf(c, "(%s method %s)\n\t\thave %s\n\t\twant %s", what,
        m->name->text, fs, ms);
}

static const char *
missing_cause(struct check *c, struct type *V, struct type *T, struct object *m)
{
    struct lookup l;

    if (is_iface_ptr(V))
        return check_sprintf(c,
            "(type %s is pointer to interface, not interface)", type_str(c, V));
    if (is_iface_ptr(T))
        return check_sprintf(c,
            "(type %s is pointer to interface, not interface)", type_str(c, T));
    if (!type_is_interface(V)) {
        check_lookup_member(c, V, false, m->pkg, m->name, true, &l);
        if (l.obj && l.obj->kind == OBJ_FUNC) {
            check_obj(c, l.obj);
            if (l.obj->name == m->name)
                return check_sprintf(
                    c, "(unexported method %s)", m->name->text);
            return have_want(c, "missing", l.obj, m);
        }
    }
    return check_sprintf(c, "(missing method %s)", m->name->text);
}

static bool
same_type(struct type *a, struct type *b, void *arg)
{
    (void)arg;
    return type_identical(a, b);
}

/* How signatures are compared. */
struct sameness {
    type_same_fn fn;
    void *arg;
};

/* Does V have method m?  *cause is set where not. */
static bool
has_method(struct check *c, struct type *V, struct type *T, struct object *m,
    bool static_, const struct sameness *same, const char **cause)
{
    struct type *u = V->kind == TYPE_PARAM ? type_bound(V) : type_under(V);
    struct object *f;
    struct lookup l;

    if (u->kind == TYPE_INTERFACE) {
        f = type_iface_find(u, m->name, m->pkg);
        if (!f) {
            if (static_ && cause)
                *cause = missing_cause(c, V, T, m);
            return !static_;
        }
        if (same->fn(f->type, m->type, same->arg))
            return true;
        if (cause)
            *cause = have_want(c, "wrong type for", f, m);
        return false;
    }
    check_lookup_member(c, V, false, m->pkg, m->name, false, &l);
    if (!l.obj) {
        if (!cause)
            return false;
        if (l.ambiguous)
            *cause = check_sprintf(
                c, "(ambiguous selector %s.%s)", type_str(c, V), m->name->text);
        else if (l.need_addr)
            *cause = check_sprintf(
                c, "(method %s has pointer receiver)", m->name->text);
        else
            *cause = missing_cause(c, V, T, m);
        return false;
    }
    if (l.obj->kind != OBJ_FUNC) {
        if (cause)
            *cause = check_sprintf(c, "(%s.%s is a field, not a method)",
                type_str(c, V), m->name->text);
        return false;
    }
    check_obj(c, l.obj);
    if (l.obj->type && !is_valid(l.obj->type))
        return true;
    if (l.obj->type && m->type && same->fn(l.obj->type, m->type, same->arg))
        return true;
    if (cause)
        *cause = have_want(c, "wrong type for", l.obj, m);
    return false;
}

/* An embedded field of a type in error may have any method. */
bool
check_invalid_embedded(struct type *t, int depth)
{
    uint32_t i;

    if (type_kind_of(t) == TYPE_POINTER)
        t = type_under(t)->elem;
    t = type_under(t);
    if (t->kind != TYPE_STRUCT || depth > 8)
        return false;
    for (i = 0; i < t->nvars; i++)
        if (t->vars[i]->embedded &&
            (!t->vars[i]->type || !is_valid(t->vars[i]->type) ||
                check_invalid_embedded(t->vars[i]->type, depth + 1)))
            return true;
    return false;
}

bool
check_has_methods(struct check *c, struct type *V, struct type *T, bool static_,
    const char **cause, struct object **missing)
{
    return check_has_methods_by(
        c, V, T, static_, same_type, NULL, cause, missing);
}

enum { MANY_METHODS = 8 };

bool
check_has_methods_by(struct check *c, struct type *V, struct type *T,
    bool static_, type_same_fn same, void *arg, const char **cause,
    struct object **missing)
{
    const struct sameness how = {same, arg};
    struct type *u = type_under(T);
    struct object **want;
    uint32_t i;
    bool memo;

    if (!is_valid(V) || u->kind != TYPE_INTERFACE)
        return true;
    check_iface_complete(c, u);
    if (type_is_interface(V))
        check_iface_complete(c, type_under(V));
    /* A generic function may be used as often as its constraint has methods. */
    memo = static_ && u->nvars >= MANY_METHODS && !type_has_params(V) &&
        !type_has_params(u);
    if (memo && check_set_has(&u->iface->had, V))
        return true;
    want = type_iface_methods(c, u);
    for (i = 0; i < u->nvars; i++) {
        if (has_method(c, V, T, want[i], static_, &how, cause))
            continue;
        if (check_invalid_embedded(V, 0))
            return true;
        if (missing)
            *missing = want[i];
        return false;
    }
    /* Types that are the same are so by any other measure. */
    if (memo && same == same_type)
        check_set_add(c, &u->iface->had, V);
    return true;
}
