/* SPDX-License-Identifier: MIT */

/*
 * Fields and methods by name, through embedded fields, and what follows from
 * it: method sets and who implements what.
 *
 * The search goes breadth first, one depth of embedding after another.  At
 * the first depth where the name occurs it must occur once, and a type that
 * was met at a lesser depth, or twice at this one, hides or doubles what is
 * below it (Go specification, Selectors).
 */

#include <string.h>
#include <strings.h>

#include "runtime/lang/types/check_int.h"

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

bool
object_same_name(const struct object *o, const struct check_pkg *pkg,
    const struct lang_name *name, bool fold)
{
    if (fold)
        return o->name && strcasecmp(o->name->text, name->text) == 0;
    return o->name == name && (o->exported || o->pkg == pkg);
}

struct object *
type_find_method(struct type *named, struct check_pkg *pkg,
    const struct lang_name *name, bool fold)
{
    uint32_t i;

    for (i = 0; i < named->nmethods; i++)
        if (object_same_name(named->methods[i], pkg, name, fold))
            return named->methods[i];
    return NULL;
}

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
}

/* What one search carries along. */
struct search {
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
search_type(struct search *s, struct embedded *e)
{
    struct type *u;
    struct object *m;
    uint32_t i;

    if (e->type->kind == TYPE_NAMED) {
        check_obj(s->c, e->type->obj);
        m = type_find_method(e->type, s->pkg, s->name, s->fold);
        if (m) {
            hit(s, m, e);
            return;
        }
    }
    u = type_under(e->type);
    if (u->kind == TYPE_STRUCT) {
        for (i = 0; i < u->nvars; i++) {
            struct object *f = u->vars[i];

            if (object_same_name(f, s->pkg, s->name, s->fold)) {
                hit(s, f, e);
                continue;
            }
            if (!s->found && f->embedded && f->type)
                push_embedded(s, f, e);
        }
    } else if (u->kind == TYPE_INTERFACE) {
        check_iface_complete(s->c, u);
        for (i = 0; i < u->nvars; i++)
            if (object_same_name(u->vars[i], s->pkg, s->name, s->fold))
                hit(s, u->vars[i], e);
    }
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

static void
search_from(struct check *c, struct type *t, bool is_ptr, bool addressable,
    struct check_pkg *pkg, const struct lang_name *name, bool fold,
    struct lookup *out)
{
    struct search s = {.c = c, .pkg = pkg, .name = name, .fold = fold};
    struct embedded root = {.type = t, .via_ptr = is_ptr, .indirect = is_ptr};
    struct embedded *first[1] = {&root}, **cur = first;
    uint32_t ncur = 1, i, serial = 0;

    memset(out, 0, sizeof *out);
    while (ncur) {
        s.next = NULL;
        s.nnext = s.capnext = 0;
        for (i = 0; i < ncur; i++)
            search_type(&s, cur[i]);
        if (s.ambiguous) {
            out->ambiguous = true;
            return;
        }
        if (s.found) {
            finish(&s, addressable, out);
            return;
        }
        if (cur == first) {
            serial = ++c->in->lookups;
            t->mark = serial;
            t->met = &root;
        }
        cur = s.next;
        ncur = merge(&s, serial);
    }
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
        if (type_is_interface(t->elem))
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

static struct object *
iface_method(struct type *u, const struct object *m)
{
    uint32_t i;

    for (i = 0; i < u->nvars; i++)
        if (object_same_name(u->vars[i], m->pkg, m->name, false))
            return u->vars[i];
    return NULL;
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

/* Does V have method m?  *cause is set where not. */
static bool
has_method(struct check *c, struct type *V, struct type *T, struct object *m,
    bool static_, const char **cause)
{
    struct type *u = type_under(V);
    struct object *f;
    struct lookup l;

    if (u->kind == TYPE_INTERFACE) {
        f = iface_method(u, m);
        if (!f) {
            if (static_ && cause)
                *cause = missing_cause(c, V, T, m);
            return !static_;
        }
        if (type_identical(f->type, m->type))
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
    if (l.obj->type && m->type && type_identical(l.obj->type, m->type))
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
    struct type *u = type_under(T);
    uint32_t i;

    if (!is_valid(V) || u->kind != TYPE_INTERFACE)
        return true;
    check_iface_complete(c, u);
    if (type_is_interface(V))
        check_iface_complete(c, type_under(V));
    for (i = 0; i < u->nvars; i++) {
        if (has_method(c, V, T, u->vars[i], static_, cause))
            continue;
        if (check_invalid_embedded(V, 0))
            return true;
        if (missing)
            *missing = u->vars[i];
        return false;
    }
    return true;
}

bool
check_conforms(
    struct check *c, struct type *V, struct type *T, const char **cause)
{
    const char *why = NULL;

    if (!is_valid(type_under(V)) || !is_valid(type_under(T)))
        return true;
    if (!type_is_interface(T)) {
        if (cause && is_iface_ptr(T))
            *cause = check_sprintf(c,
                "%s does not implement %s (type %s is pointer to interface, "
                "not interface)",
                type_str(c, V), type_str(c, T), type_str(c, T));
        else if (cause)
            *cause = check_sprintf(c, "%s is not an interface", type_str(c, T));
        return false;
    }
    if (check_has_methods(c, V, T, true, &why, NULL))
        return true;
    if (cause)
        *cause = check_sprintf(c, "%s does not implement %s %s", type_str(c, V),
            type_str(c, T), why ? why : "");
    return false;
}

bool
check_implements(struct check *c, struct type *t, struct type *iface,
    struct object **missing)
{
    return check_has_methods(c, t, iface, true, NULL, missing);
}

/* ---- method sets -------------------------------------------------------- */

struct method_cache {
    struct method_set set;
};

struct gather {
    struct check *c;
    struct object **list; /* candidates, one for each name */
    uint32_t n, cap;
    struct type **seen;
    uint32_t nseen, capseen;
};

static void
add_candidate(struct gather *g, struct object *m)
{
    uint32_t i;

    for (i = 0; i < g->n; i++)
        if (g->list[i]->name == m->name &&
            (m->exported || g->list[i]->pkg == m->pkg))
            return;
    CHECK_PUSH(g->c, g->list, g->n, g->cap, m);
}

static void
gather_push(struct gather *g, struct type *t)
{
    uint32_t i;

    if (t->kind == TYPE_POINTER)
        t = t->elem;
    for (i = 0; i < g->nseen; i++)
        if (g->seen[i] == t)
            return;
    CHECK_PUSH(g->c, g->seen, g->nseen, g->capseen, t);
}

static void
gather_of(struct gather *g, struct type *t)
{
    struct type *u;
    uint32_t i;

    if (t->kind == TYPE_NAMED) {
        check_obj(g->c, t->obj);
        for (i = 0; i < t->nmethods; i++)
            if (!is_blank(g->c, t->methods[i]->name))
                add_candidate(g, t->methods[i]);
    }
    u = type_under(t);
    if (u->kind == TYPE_INTERFACE) {
        check_iface_complete(g->c, u);
        for (i = 0; i < u->nvars; i++)
            add_candidate(g, u->vars[i]);
    } else if (u->kind == TYPE_STRUCT) {
        for (i = 0; i < u->nvars; i++)
            if (u->vars[i]->embedded)
                gather_push(g, u->vars[i]->type);
    }
}

/* All method names below t; which of them are promoted is then a matter of
 * look-up. */
static void
gather_names(struct gather *g, struct type *t)
{
    uint32_t i;

    gather_push(g, t);
    for (i = 0; i < g->nseen; i++)
        gather_of(g, g->seen[i]);
}

static bool
entry_less(const struct object *a, const struct object *b)
{
    int r = strcmp(a->name->text, b->name->text);

    if (r == 0 && a->pkg && b->pkg)
        r = strcmp(a->pkg->path, b->pkg->path);
    return r < 0;
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
    uint32_t i, j, n = 0;

    if (t->mset)
        return &t->mset->set;
    m = CHECK_NEW(c, struct method_cache);
    if (t->kind != TYPE_POINTER || !type_is_interface(t->elem))
        gather_names(&g, t);
    m->set.list = CHECK_ARRAY(c, struct method_entry, g.n);
    for (i = 0; i < g.n; i++) {
        struct lookup l;
        struct method_entry e = {0};

        check_lookup_member(
            c, t, false, g.list[i]->pkg, g.list[i]->name, false, &l);
        if (!l.obj || l.obj->kind != OBJ_FUNC)
            continue;
        check_obj(c, l.obj);
        set_entry(c, &e, &l);
        for (j = n++; j > 0 && entry_less(e.func, m->set.list[j - 1].func); j--)
            m->set.list[j] = m->set.list[j - 1];
        m->set.list[j] = e;
    }
    m->set.n = n;
    t->mset = m;
    return &m->set;
}
