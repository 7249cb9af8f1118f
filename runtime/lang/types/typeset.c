/* SPDX-License-Identifier: MIT */

/*
 * Type sets: which types an interface admits besides by its methods.  A set
 * is all types, or a list of terms T and ~T of which no two overlap; that of
 * an interface is the intersection of its elements' sets, that of a union the
 * union of its terms'.  What may be done with an operand of parameter type is
 * what may be done with a value of each type in the set of its constraint.
 */

#include <string.h>

#include "runtime/lang/types/check_int.h"
#include "runtime/lang/types/generic.h"

/* ---- terms -------------------------------------------------------------- */

bool
type_terms_disjoint(const struct type_term *x, const struct type_term *y)
{
    return !type_identical(y->tilde ? type_under(x->type) : x->type,
        x->tilde ? type_under(y->type) : y->type);
}

bool
type_term_includes(const struct type_term *x, struct type *t)
{
    return type_identical(x->type, x->tilde ? type_under(t) : t);
}

/* Do no two terms overlap? */
static bool
terms_valid(const struct type_terms *s)
{
    uint32_t i, k;

    for (i = 0; i < s->n; i++)
        for (k = i + 1; k < s->n; k++)
            if (!type_terms_disjoint(&s->at[i], &s->at[k]))
                return false;
    return s->n == 0 || s->limited;
}

/* Adds y to a list of terms that do not overlap. */
static void
add_term(struct check *c, struct type_terms *s, const struct type_term *y)
{
    uint32_t i, w = 0;

    for (i = 0; i < s->n; i++) {
        if (type_terms_disjoint(&s->at[i], y)) {
            s->at[w++] = s->at[i];
            continue;
        }
        if (s->at[i].tilde || !y->tilde)
            return; /* nothing was dropped: y is part of one */
    }
    s->n = w;
    CHECK_PUSH(c, s->at, s->n, s->cap, *y);
    rt_assert_full(terms_valid(s));
}

void
typeset_unite(
    struct check *c, struct type_terms *s, const struct type_terms *more)
{
    uint32_t i;

    if (!more->limited)
        s->limited = false;
    for (i = 0; i < more->n && s->limited; i++)
        add_term(c, s, &more->at[i]);
}

void
typeset_intersect(
    struct check *c, struct type_terms *s, const struct type_terms *with)
{
    struct type_terms r = {.limited = true};
    uint32_t i, k;

    if (!with->limited)
        return;
    if (!s->limited) {
        *s = *with;
        s->cap = s->n; /* shared: a push copies */
        return;
    }
    for (i = 0; i < s->n; i++)
        for (k = 0; k < with->n; k++)
            if (!type_terms_disjoint(&s->at[i], &with->at[k]))
                add_term(c, &r,
                    !s->at[i].tilde || with->at[k].tilde ? &s->at[i]
                                                         : &with->at[k]);
    *s = r;
}

bool
typeset_subset(const struct type_terms *a, const struct type_terms *b)
{
    uint32_t i, k;

    if (!b->limited)
        return true;
    if (!a->limited)
        return false;
    for (i = 0; i < a->n; i++) {
        for (k = 0; k < b->n; k++)
            if (!type_terms_disjoint(&a->at[i], &b->at[k]) &&
                (!a->at[i].tilde || b->at[k].tilde))
                break;
        if (k == b->n)
            return false;
    }
    return true;
}

bool
typeset_is_empty(const struct type *iface)
{
    return iface->iface->terms.limited && iface->iface->terms.n == 0;
}

/* ---- of interfaces ------------------------------------------------------ */

/* The set of a union, which stands at pos; false if it has too many terms.
 * Its overlaps are reported elsewhere. */
static bool
union_terms(struct check *c, struct type *u, lang_pos pos, struct type_terms *s)
{
    uint32_t i;

    s->limited = true;
    for (i = 0; i < u->nterms && s->limited; i++) {
        struct type_term t = u->terms[i];
        struct type *under = type_under(t.type);

        if (under->kind == TYPE_INTERFACE) {
            check_iface_complete(c, under);
            typeset_unite(c, s, &under->iface->terms);
        } else if (is_valid(under) &&
                   (!t.tilde || type_identical(t.type, under))) {
            add_term(c, s, &t);
        }
        if (s->n > TYPE_MAX_TERMS) {
            check_errf(c, pos,
                "cannot handle more than %d union terms (implementation "
                "limitation)",
                TYPE_MAX_TERMS);
            return false;
        }
    }
    return true;
}

/* Only what is comparable remains. */
static void
keep_comparable(struct type_terms *s)
{
    struct type_term *from = s->at;
    uint32_t i, w = 0;

    for (i = 0; i < s->n; i++)
        if (type_strictly_comparable(from[i].type))
            w++;
    if (w == s->n)
        return;
    s->n = w;
    for (i = w = 0; w < s->n; i++)
        if (type_strictly_comparable(from[i].type))
            s->at[w++] = from[i];
}

void
typeset_add(struct check *c, struct iface_info *f, struct type *t, lang_pos pos)
{
    struct type *u = type_under(t);
    struct type_terms s = {.limited = true};
    struct type_term one = {t, false};

    if (u->kind == TYPE_INTERFACE) {
        f->comparable |= u->iface->comparable;
        s = u->iface->terms;
    } else if (u->kind == TYPE_UNION) {
        if (!union_terms(c, u, pos, &s))
            return;
    } else if (is_valid(u)) {
        add_term(c, &s, &one);
    } else {
        return;
    }
    typeset_intersect(c, &f->terms, &s);
    if (!f->comparable || !f->terms.limited)
        return;
    if (f->terms.n && f->terms.cap == f->terms.n && s.at == f->terms.at) {
        struct type_terms own = {.limited = true};

        typeset_unite(c, &own, &f->terms); /* no longer shared */
        f->terms = own;
    }
    keep_comparable(&f->terms);
    f->comparable = false;
}

bool
type_is_constraint(struct check *c, struct type *t)
{
    struct type *u = type_under(t);

    if (u->kind != TYPE_INTERFACE)
        return false;
    check_iface_complete(c, u);
    return u->iface->comparable || u->iface->terms.limited;
}

/* ---- of parameters ------------------------------------------------------ */

struct type *
type_bound(struct type *t)
{
    struct check *c = t->obj->pkg->check;
    struct type *b = t->bound, *u = b ? type_under(b) : NULL;

    if (!b || !is_valid(u) || u->kind == TYPE_PARAM)
        return c->types.empty_iface;
    if (u->kind != TYPE_INTERFACE) {
        t->bound = u = type_new(c, TYPE_INTERFACE);
        u->iface = CHECK_NEW(c, struct iface_info);
        u->iface->pkg = t->obj->pkg;
        u->iface->pos = t->obj->pos;
        u->iface->implicit = true;
        u->iface->embeds = CHECK_NEW(c, struct type *);
        u->iface->embed_pos = CHECK_NEW(c, lang_pos);
        u->iface->embeds[0] = b;
        u->iface->embed_pos[0] = t->obj->pos;
        u->iface->nembeds = 1;
        u->state = TSTATE_PENDING;
    }
    check_iface_complete(c, u);
    rt_assert(u->iface != NULL);
    return u;
}

bool
type_each_term(struct type *t, type_term_fn f, void *arg)
{
    const struct type_terms *s;
    uint32_t i;

    if (t->kind != TYPE_PARAM)
        return f(t, type_under(t), arg);
    s = &type_bound(t)->iface->terms;
    if (!s->limited || !s->n)
        return f(NULL, NULL, arg);
    for (i = 0; i < s->n; i++)
        if (!f(s->at[i].type, type_under(s->at[i].type), arg))
            return false;
    return true;
}

struct all_arg {
    bool (*is)(struct type *);
};

static bool
all_step(struct type *t, struct type *u, void *arg)
{
    const struct all_arg *a = arg;

    (void)u;
    return t && a->is(t);
}

bool
type_all(struct type *t, bool (*is)(struct type *))
{
    struct all_arg a = {is};

    return t->kind != TYPE_PARAM ? is(t) : type_each_term(t, all_step, &a);
}

/* ---- the common underlying type ------------------------------------------ */

struct common {
    struct check *c;
    type_cond_fn cond;
    void *arg;
    struct type *t, *u; /* of the terms so far */
    const char *cause;
};

/* Two channel types: the restricted one counts. */
static void
common_chan(struct common *m, struct type *t, struct type *u)
{
    if (!type_identical(m->u->elem, u->elem)) {
        m->cause = check_sprintf(m->c,
            "channels %s and %s have different element types",
            type_str(m->c, m->t), type_str(m->c, t));
    } else if (m->u->dir == u->dir) {
        return;
    } else if (m->u->dir == TYPE_BOTH) {
        m->t = t;
        m->u = u;
    } else if (u->dir != TYPE_BOTH) {
        m->cause = check_sprintf(m->c,
            "channels %s and %s have conflicting directions",
            type_str(m->c, m->t), type_str(m->c, t));
    }
}

static bool
common_step(struct type *t, struct type *u, void *arg)
{
    struct common *m = arg;

    if (m->cond)
        m->cause = m->cond(m->c, t, u, m->arg);
    if (m->cause) {
        m->u = NULL;
        return false;
    }
    if (!u) {
        m->cause = "no specific type";
    } else if (!m->u) {
        m->t = t;
        m->u = u;
    } else if (m->u->kind == TYPE_CHAN && u->kind == TYPE_CHAN) {
        common_chan(m, t, u);
    } else if (!type_identical(m->u, u)) {
        m->cause =
            check_sprintf(m->c, "%s and %s have different underlying types",
                type_str(m->c, m->t), type_str(m->c, t));
    }
    return m->cause == NULL;
}

struct type *
type_common(struct check *c, struct type *t, type_cond_fn cond, void *arg,
    const char **cause)
{
    struct common m = {.c = c, .cond = cond, .arg = arg};

    if (t->kind != TYPE_PARAM && !cond)
        return type_under(t);
    type_each_term(t, common_step, &m);
    if (cause)
        *cause = m.cause;
    return m.cause ? NULL : m.u;
}
