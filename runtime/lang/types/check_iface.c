/* SPDX-License-Identifier: MIT */

/*
 * Interface types and their method sets.
 *
 * A set is a treap: a search tree by name (unexported names by package path,
 * too) that is a heap by a hash of the name, so that its shape follows from
 * its members alone.  Finished nodes never change.  Therefore an interface
 * that embeds another one begins with the other's tree and copies only the
 * nodes above what it adds: in a chain of embedded interfaces each costs what
 * it declares itself, not what it has.  And two sets of the same names have
 * the same shape and can be compared node by node.
 *
 * The sorted list of all methods (type.vars) is made when somebody asks.
 */

#include <string.h>

#include "runtime/lang/types/check_int.h"

struct method_node {
    struct object *method;
    struct method_node *left, *right;
    uint32_t n;     /* methods in this tree */
    uint32_t owner; /* serial of the set that made it and may change it */
};

/* The set under construction. */
struct method_adder {
    struct check *c;
    struct method_node *set;
    uint32_t owner;
};

/* ---- the tree ----------------------------------------------------------- */

static int
compare_name(const struct lang_name *name, const struct check_pkg *pkg,
    const struct object *m)
{
    int r;

    if (name != m->name)
        return strcmp(name->text, m->name->text);
    if (name->exported || pkg == m->pkg)
        return 0;
    r = strcmp(pkg ? pkg->path : "", m->pkg ? m->pkg->path : "");
    return r != 0 ? r : pkg < m->pkg ? -1 : 1;
}

static int
compare_methods(const struct object *a, const struct object *b)
{
    return compare_name(a->name, a->pkg, b);
}

/* Must a be nearer to the root than b? */
static bool
is_above(const struct object *a, const struct object *b)
{
    uint32_t x = a->name->hash * 0x9e3779b1u, y = b->name->hash * 0x9e3779b1u;

    x ^= x >> 15;
    y ^= y >> 15;
    return x != y ? x > y : compare_methods(a, b) < 0;
}

static uint32_t
count(const struct method_node *t)
{
    return t ? t->n : 0;
}

static struct object *
find(const struct method_node *t, const struct lang_name *name,
    const struct check_pkg *pkg)
{
    while (t) {
        int r = compare_name(name, pkg, t->method);

        if (r == 0)
            return t->method;
        t = r < 0 ? t->left : t->right;
    }
    return NULL;
}

/* t itself if it is the adder's own, else a copy that is. */
static struct method_node *
own(struct method_adder *a, struct method_node *t)
{
    struct method_node *n;

    if (t->owner == a->owner)
        return t;
    n = CHECK_NEW(a->c, struct method_node);
    *n = *t;
    n->owner = a->owner;
    return n;
}

static void
recount(struct method_node *t)
{
    t->n = 1 + count(t->left) + count(t->right);
}

/* Parts t into what is before and what is behind m, which it does not have. */
static void
part(struct method_adder *a, struct method_node *t, const struct object *m,
    struct method_node **before, struct method_node **behind)
{
    if (!t) {
        *before = *behind = NULL;
        return;
    }
    t = own(a, t);
    if (compare_methods(m, t->method) < 0) {
        *behind = t;
        part(a, t->left, m, before, &t->left);
    } else {
        *before = t;
        part(a, t->right, m, &t->right, behind);
    }
    recount(t);
}

/* t and m, which it does not have. */
static struct method_node *
insert(struct method_adder *a, struct method_node *t, struct object *m)
{
    struct method_node *n;

    if (t && !is_above(m, t->method)) {
        t = own(a, t);
        if (compare_methods(m, t->method) < 0)
            t->left = insert(a, t->left, m);
        else
            t->right = insert(a, t->right, m);
        t->n++;
        return t;
    }
    n = CHECK_NEW(a->c, struct method_node);
    n->method = m;
    n->owner = a->owner;
    part(a, t, m, &n->left, &n->right);
    recount(n);
    return n;
}

static bool
same_trees(const struct method_node *a, const struct method_node *b,
    iface_same_fn same, void *arg)
{
    if (a == b)
        return true;
    return count(a) == count(b) &&
           compare_methods(a->method, b->method) == 0 &&
           same_trees(a->left, b->left, same, arg) &&
           (a->method == b->method || same(a->method, b->method, arg)) &&
           same_trees(a->right, b->right, same, arg);
}

static struct object **
list_tree(const struct method_node *t, struct object **to)
{
    if (!t)
        return to;
    to = list_tree(t->left, to);
    *to++ = t->method;
    return list_tree(t->right, to);
}

/* ---- questions ---------------------------------------------------------- */

struct object *
type_iface_find(const struct type *t, const struct lang_name *name,
    const struct check_pkg *pkg)
{
    return find(t->iface->set, name, pkg);
}

struct object *
type_iface_some(const struct type *t)
{
    return t->iface->set ? t->iface->set->method : NULL;
}

bool
type_iface_same(
    const struct type *a, const struct type *b, iface_same_fn same, void *arg)
{
    return same_trees(a->iface->set, b->iface->set, same, arg);
}

struct object **
type_iface_methods(struct check *c, struct type *t)
{
    if (!t->vars && t->nvars) {
        t->vars = CHECK_ARRAY(c, struct object *, t->nvars);
        list_tree(t->iface->set, t->vars);
    }
    return t->vars;
}

void
type_iface_add(struct check *c, struct type *t, struct object *m)
{
    struct method_adder a = {c, t->iface->set, ++c->in->serial};

    t->iface->set = insert(&a, a.set, m);
    t->nvars = count(t->iface->set);
}

/* ---- declaration -------------------------------------------------------- */

static void
add_method(struct check *c, struct iface_info *f, struct ast_field *m)
{
    struct object *o;

    if (is_blank(c, m->name.name)) {
        check_errf(c, m->name.pos, "methods must have a unique non-blank name");
        return;
    }
    o = object_new(c, OBJ_FUNC, m->name.pos, m->name.name, NULL);
    o->is_method = true;
    o->color = COLOR_BLACK;
    m->obj = o;
    o->type = m->type->kind == EXPR_FUNCTYPE
                  ? check_signature(c, m->type->sig, NULL, NULL, NULL)
                  : invalid_type(c);
    m->type->mode = MODE_TYPE;
    m->type->type = o->type;
    f->methods[f->nmethods++] = o;
}

static void
add_embed(struct check *c, struct iface_info *f, struct ast_field *m)
{
    struct type *t;

    t = check_union(c, m->type);
    if (!is_valid(t))
        return;
    f->embed_pos[f->nembeds] = ast_expr_start(m->type);
    f->embeds[f->nembeds++] = t;
}

/* Is t an interface whose method set is known? */
static bool
is_complete(struct type *t)
{
    t = type_under(t);
    return t->kind == TYPE_INTERFACE && t->state == TSTATE_DONE;
}

struct type *
check_iface_type(struct check *c, struct ast_expr *e)
{
    struct ast_fields *fs = &e->iface.elems;
    struct type *t = type_new(c, TYPE_INTERFACE);
    struct iface_info *f = CHECK_NEW(c, struct iface_info);
    uint32_t i;

    t->iface = f;
    t->state = TSTATE_PENDING;
    f->pos = e->pos;
    f->implicit = (e->flags & AST_F_IMPLICIT) != 0;
    f->pkg = c->in->env.pkg;
    f->methods = CHECK_ARRAY(c, struct object *, fs->n);
    f->embeds = CHECK_ARRAY(c, struct type *, fs->n);
    f->embed_pos = CHECK_ARRAY(c, lang_pos, fs->n);
    for (i = 0; i < fs->n; i++) {
        if (fs->at[i]->embedded || !fs->at[i]->name.name)
            add_embed(c, f, fs->at[i]);
        else
            add_method(c, f, fs->at[i]);
    }
    for (i = 0; i < f->nembeds; i++)
        if (!is_complete(f->embeds[i]))
            break;
    if (i == f->nembeds)
        check_iface_complete(c, t);
    else
        check_delay(c, DELAY_IFACE, t, NULL, NULL);
    return t;
}

struct type *
check_bound(struct check *c, struct ast_expr *e)
{
    struct type *t, *u;

    if (e->kind != EXPR_UNARY && e->kind != EXPR_BINARY)
        return check_type(c, e);
    u = check_union(c, e);
    t = type_new(c, TYPE_INTERFACE);
    t->iface = CHECK_NEW(c, struct iface_info);
    t->state = TSTATE_PENDING;
    t->iface->pos = e->pos;
    t->iface->pkg = c->in->env.pkg;
    t->iface->implicit = true;
    t->iface->embeds = CHECK_NEW(c, struct type *);
    t->iface->embed_pos = CHECK_NEW(c, lang_pos);
    t->iface->embeds[0] = u;
    t->iface->embed_pos[0] = ast_expr_start(e);
    t->iface->nembeds = is_valid(u);
    check_delay(c, DELAY_IFACE, t, NULL, NULL);
    return t;
}

/* ---- completion --------------------------------------------------------- */

static void
report_duplicate(
    struct check *c, lang_pos pos, struct object *o, struct object *first)
{
    check_errf(c, pos,
        "duplicate method %s\n\t%s: other declaration of method %s",
        o->name->text, check_place(c, first->pos), o->name->text);
}

/* o is written in the interface itself, so nothing may repeat it. */
static void
add_explicit(struct method_adder *a, struct object *o)
{
    struct object *p = find(a->set, o->name, o->pkg);

    if (p)
        report_duplicate(a->c, o->pos, o, p);
    else
        a->set = insert(a, a->set, o);
}

/* Adds the methods of an embedded interface to those so far, which may repeat
 * one if the types are the same.  The smaller set is entered into the larger
 * one. */
static void
add_tree(struct method_adder *a, struct method_node *embedded, lang_pos pos)
{
    bool swap = count(embedded) > count(a->set);
    struct method_node *small = swap ? a->set : embedded;
    struct object **list;
    uint32_t i, n = count(small);

    if (a->set == embedded)
        return;
    list = CHECK_ARRAY(a->c, struct object *, n);
    list_tree(small, list);
    if (swap)
        a->set = embedded;
    for (i = 0; i < n; i++) {
        struct object *o = list[i], *p = find(a->set, o->name, o->pkg);

        if (!p)
            a->set = insert(a, a->set, o);
        else if (!type_identical(p->type, o->type) ||
                 (check_lang(a->c, pos) && check_lang(a->c, pos) < 14))
            report_duplicate(a->c, pos, o, swap ? o : p);
    }
}

static void
add_embedded_set(struct method_adder *a, struct type *t, uint32_t i)
{
    struct check *c = a->c;
    struct iface_info *f = t->iface;
    struct type *u;

    if (f->embeds[i]->kind == TYPE_NAMED)
        check_obj(c, f->embeds[i]->obj);
    u = type_under(f->embeds[i]);
    if (u->kind == TYPE_INTERFACE) {
        check_iface_complete(c, u);
        add_tree(a, u->iface->set, f->embed_pos[i]);
    } else if (is_valid(u) && f->pkg && !f->pkg->library &&
               !check_allows(c, f->embed_pos[i], 18,
                   check_sprintf(c, "embedding %s %s",
                       u->kind == TYPE_UNION ? "interface element"
                                             : "non-interface type",
                       type_str(c, f->embeds[i])))) {
        return;
    }
    typeset_add(c, f, f->embeds[i], f->embed_pos[i]);
}

void
check_iface_complete(struct check *c, struct type *t)
{
    struct iface_info *f = t->iface;
    struct check_pkg *saved = c->in->env.pkg;
    struct method_adder a = {c, NULL, ++c->in->serial};
    uint32_t i;

    if (t->state != TSTATE_PENDING)
        return;
    t->state = TSTATE_BUSY;
    c->in->env.pkg = f->pkg;
    for (i = 0; i < f->nmethods; i++)
        add_explicit(&a, f->methods[i]);
    for (i = 0; i < f->nembeds; i++)
        add_embedded_set(&a, t, i);
    f->set = a.set;
    t->nvars = count(a.set);
    t->state = TSTATE_DONE;
    c->in->env.pkg = saved;
}
