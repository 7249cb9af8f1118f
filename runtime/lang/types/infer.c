/* SPDX-License-Identifier: MIT */

/*
 * Inference of type arguments: first from typed arguments, then from the
 * constraints' core types and methods as long as that brings something new,
 * then from untyped constants, whose largest kind counts.  What was found may
 * mention other parameters: those are replaced until none is left.
 */

#include "runtime/lang/types/unify.h"

enum {
    MAX_WEIGHT = 1 << 20
};

/* ---- errors ------------------------------------------------------------- */

/* "P, Q, and R" */
static const char *
names_str(struct check *c, const struct tparam_list *l)
{
    struct check_text b = {.c = c};
    uint32_t i;

    for (i = 0; i < l->n; i++) {
        if (i > 0)
            check_text_add(&b, l->n == 2      ? " and "
                               : i + 1 < l->n ? ", "
                                              : ", and ");
        check_text_add(&b, l->at[i]->obj->name->text);
    }
    return check_text_str(&b);
}

static struct type **
inferred(const struct unifier *u)
{
    struct type **list = CHECK_ARRAY(u->c, struct type *, u->params->n);
    uint32_t i;

    for (i = 0; i < u->params->n; i++)
        list[i] = unify_at(u, i);
    return list;
}

static void
fail(struct infer *f, lang_pos pos, const char *text)
{
    f->errpos = pos;
    f->err = text;
}

/* The argument x cannot be what the parameter's type p wants. */
static void
mismatch(struct infer *f, const struct unifier *u, struct type *p,
    struct ast_expr *x)
{
    struct check *c = f->c;
    struct subst s = {.c = c, .from = f->params, .to = inferred(u)};
    const char *have = type_str(c, x->type), *arg = check_expr_str(c, x);
    const char *want = type_str(c, p), *text;
    struct type *now;

    if (unify_unknowns(u) == f->params->n) {
        fail(f, ast_expr_start(x),
            check_sprintf(c,
                "type %s of %s does not match %s (cannot infer %s)", have, arg,
                want, names_str(c, f->params)));
        return;
    }
    now = type_subst(&s, p);
    if (now == p)
        text = check_sprintf(
            c, "type %s of %s does not match %s", have, arg, want);
    else if (f->reverse)
        text = check_sprintf(c,
            "inferred type %s for %s does not match type %s of %s",
            type_str(c, now), want, have, arg);
    else
        text = check_sprintf(c,
            "type %s of %s does not match inferred type %s for %s", have, arg,
            type_str(c, now), want);
    fail(f, ast_expr_start(x), text);
}

/* ---- arguments ---------------------------------------------------------- */

static bool
typed_args(struct infer *f, struct unifier *u)
{
    uint32_t i;

    for (i = 0; i < f->nargs; i++) {
        struct type *p = f->ptypes[i], *t = f->args[i]->type;

        if (type_is_untyped(t) ||
            (!type_mentions(p, f->params) && !type_mentions(t, f->params)))
            continue;
        if (!unify(u, p, t, UNIFY_ASSIGN)) {
            mismatch(f, u, p, f->args[i]);
            return false;
        }
    }
    return true;
}

/* The larger of two untyped types; NULL where they do not mix. */
static struct type *
larger(struct type *a, struct type *b)
{
    if (a == b)
        return a;
    if (!type_is_numeric(a) || !type_is_numeric(b))
        return NULL;
    return a->kind > b->kind ? a : b;
}

static bool
untyped_args(struct infer *f, struct unifier *u)
{
    struct type **max = CHECK_ARRAY(f->c, struct type *, f->params->n);
    uint32_t i;

    for (i = 0; i < f->nargs; i++) {
        struct type *p = f->ptypes[i], *t = f->args[i]->type, *m;

        if (!type_is_untyped(t) || p->kind != TYPE_PARAM ||
            !type_mentions(p, f->params) || is_nil(f->args[i]) ||
            unify_at(u, (uint32_t)p->index))
            continue;
        m = max[p->index] ? larger(max[p->index], t) : t;
        if (!m) {
            fail(f, ast_expr_start(f->args[i]),
                check_sprintf(f->c,
                    "mismatched types %s and %s (cannot infer %s)",
                    type_str(f->c, max[p->index]), type_str(f->c, t),
                    p->obj->name->text));
            return false;
        }
        max[p->index] = m;
    }
    for (i = 0; i < f->params->n; i++)
        if (max[i])
            unify_set(u, i, check_default_type(f->c, max[i]));
    return true;
}

/* ---- constraints -------------------------------------------------------- */

/* The type that a parameter's constraint describes, with *tilde if only its
 * structure is known, *single if there is just one; NULL for none. */
static struct type *
core_term(struct check *c, struct type *p, bool *tilde, bool *single)
{
    const struct type_terms *s = &type_bound(p)->iface->terms;
    uint32_t i;

    *tilde = false;
    *single = s->limited && s->n == 1;
    if (!s->limited || s->n == 0)
        return NULL;
    for (i = 0; i < s->n; i++)
        *tilde |= s->at[i].tilde;
    return *single ? s->at[0].type : type_common(c, p, NULL, NULL, NULL);
}

static bool
same_method(struct type *a, struct type *b, void *arg)
{
    return unify(arg, a, b, UNIFY_EXACT);
}

static void
unsatisfied(struct infer *f, struct type *p, struct type *t, const char *why)
{
    fail(f, f->pos,
        check_sprintf(f->c, "%s (type %s) does not satisfy %s%s%s",
            p->obj->name->text, type_str(f->c, t), type_str(f->c, p->bound),
            why && *why ? " " : "", why ? why : ""));
}

static bool
one_constraint(struct infer *f, struct unifier *u, uint32_t i)
{
    struct type *p = f->params->at[i], *t = unify_at(u, i);
    bool tilde, single;
    struct type *core = core_term(f->c, p, &tilde, &single);
    const char *why = NULL;

    if (core && t && !unify(u, t, core, 0)) {
        unsatisfied(f, p, t, NULL);
        return false;
    }
    if (core && !t && single && !tilde)
        unify_set(u, i, core);
    if (!t || type_mentions(t, f->params))
        return true;
    if (check_has_methods_by(
            f->c, t, type_bound(p), true, same_method, u, &why, NULL))
        return true;
    unsatisfied(f, p, t, why);
    return false;
}

static bool
constraints(struct infer *f, struct unifier *u)
{
    uint32_t i, before;

    do {
        before = unify_unknowns(u);
        for (i = 0; i < f->params->n; i++)
            if (!one_constraint(f, u, i))
                return false;
    } while (unify_unknowns(u) != before);
    return true;
}

/* ---- simplification ------------------------------------------------------ */

/* A walk from parameter to parameter by what was inferred for them. */
struct walk {
    const struct tparam_list *params;
    struct type **types;
    uint8_t *state;   /* of each parameter */
    uint32_t *weight; /* likewise: how large its type gets */
    uint32_t sum;     /* of what the type at hand mentions */
};

enum {
    NOT_SEEN,
    ON_PATH,
    SEEN
};

/* Forgets what leads back to where it came from, as replacing would never end,
 * and weighs the rest by the parameters mentioned, up to a bound. */
static void
walk_from(struct type *param, void *arg)
{
    struct walk *w = arg;
    uint32_t i = (uint32_t)param->index, before = w->sum;

    if (w->state[i] == ON_PATH)
        w->types[i] = NULL;
    if (w->state[i] == NOT_SEEN && w->types[i]) {
        w->state[i] = ON_PATH;
        w->sum = 1;
        type_each_mentioned(w->types[i], w->params, walk_from, w);
        w->weight[i] = w->sum;
        w->state[i] = SEEN;
    }
    w->sum = before + w->weight[i];
    if (w->sum > MAX_WEIGHT)
        w->sum = MAX_WEIGHT;
}

/* Replaces parameters in what was inferred; each turn at least one is gone for
 * good, as there are no cycles. */
static void
simplify(struct infer *f, struct type **types)
{
    struct walk w = {.params = f->params, .types = types};
    struct subst s = {.c = f->c, .from = f->params, .to = types};
    uint32_t i, turn;
    bool again = true;

    w.state = CHECK_ARRAY(f->c, uint8_t, f->params->n);
    w.weight = CHECK_ARRAY(f->c, uint32_t, f->params->n);
    for (i = 0; i < f->params->n; i++)
        walk_from(f->params->at[i], &w);
    for (i = 0; i < f->params->n; i++)
        if (w.weight[i] == MAX_WEIGHT)
            return; /* each doubles what follows, one after the other */
    for (turn = 0; again && turn <= f->params->n; turn++) {
        again = false;
        for (i = 0; i < f->params->n; i++) {
            struct type *t = types[i] ? type_subst(&s, types[i]) : NULL;

            again |= t != types[i];
            types[i] = t;
        }
    }
}

/* ---- the whole ---------------------------------------------------------- */

static bool
all_known(struct type *const *targs, uint32_t n)
{
    while (n > 0 && targs[n - 1])
        n--;
    return n == 0;
}

bool
check_infer(struct infer *f)
{
    struct subst s = {.c = f->c, .from = f->params, .to = f->targs};
    struct unifier u;
    uint32_t i;

    if (all_known(f->targs, f->params->n))
        return true;
    for (i = 0; i < f->nargs; i++)
        if (f->args[i]->mode == MODE_NONE)
            return false;
    for (i = 0; i < f->nargs; i++)
        f->ptypes[i] = type_subst(&s, f->ptypes[i]);
    unify_init(&u, f->c, f->params, f->targs);
    u.strict = check_lang(f->c, f->pos) && check_lang(f->c, f->pos) < 21;
    if (!typed_args(f, &u) || !constraints(f, &u) || !untyped_args(f, &u))
        return false;
    f->targs = inferred(&u);
    simplify(f, f->targs);
    for (i = 0; i < f->params->n; i++) {
        const struct object *o = f->params->at[i]->obj;

        if (f->targs[i] && !type_mentions(f->targs[i], f->params))
            continue;
        fail(f, f->pos,
            check_sprintf(f->c, "cannot infer %s (declared at %s)",
                o->name->text, check_place(f->c, o->pos)));
        return false;
    }
    return true;
}

/* ---- renaming ----------------------------------------------------------- */

void
check_infer_add(struct infer *f, const struct tparam_list *l,
    struct type *const *targs, uint32_t ntargs, struct subst *rename)
{
    struct tparam_list *all = CHECK_NEW(f->c, struct tparam_list);
    struct type **fresh = CHECK_ARRAY(f->c, struct type *, l->n);
    uint32_t had = f->params ? f->params->n : 0, i;
    struct type **known = CHECK_ARRAY(f->c, struct type *, had + l->n);

    all->n = had + l->n;
    all->at = CHECK_ARRAY(f->c, struct type *, all->n);
    for (i = 0; i < had; i++) {
        all->at[i] = f->params->at[i];
        known[i] = f->targs[i];
    }
    for (i = 0; i < l->n; i++) {
        struct type *t = type_new(f->c, TYPE_PARAM);

        t->obj = l->at[i]->obj;
        t->index = (int32_t)(had + i);
        t->serial = ++f->c->in->serial;
        all->at[had + i] = fresh[i] = t;
        known[had + i] = i < ntargs ? targs[i] : NULL;
    }
    *rename = (struct subst){.c = f->c, .from = l, .to = fresh};
    for (i = 0; i < l->n; i++)
        if (l->at[i]->bound)
            fresh[i]->bound = type_subst(rename, l->at[i]->bound);
    f->params = all;
    f->targs = known;
}
