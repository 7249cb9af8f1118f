/* SPDX-License-Identifier: MIT */

/* Does a type implement an interface, and do type arguments satisfy the
 * constraints of their parameters? */

#include "runtime/lang/types/check_int.h"
#include "runtime/lang/types/generic.h"

/* ---- implements --------------------------------------------------------- */

/* What is being asked, for messages. */
struct question {
    struct check *c;
    struct type *V, *T;
    bool constraint;
    const char **cause; /* may be NULL */
    lang_pos pos;       /* where it is asked; 0: whatever the language */
};

static const char *
verb(const struct question *q)
{
    return q->constraint ? "satisfy" : "implement";
}

/* "V does not implement T" and what follows. */
static bool
no(const struct question *q, const char *detail)
{
    if (q->cause)
        *q->cause =
            check_sprintf(q->c, "%s does not %s %s%s%s", type_str(q->c, q->V),
                verb(q), type_str(q->c, q->T), *detail ? " " : "", detail);
    return false;
}

static bool
is_iface_ptr(struct type *t)
{
    t = type_under(t);
    return t->kind == TYPE_POINTER && type_is_interface(t->elem);
}

static bool
is_comparable(const struct question *q)
{
    if (type_strictly_comparable(q->V))
        return true;
    if (q->constraint && type_comparable(q->V)) {
        unsigned have = q->pos ? check_lang(q->c, q->pos) : 0;

        if (have == 0 || have >= 20)
            return true;
        if (q->cause)
            *q->cause = check_requires(q->c, q->pos, 20,
                check_sprintf(q->c, "%s to %s comparable",
                    type_str(q->c, q->V), verb(q)));
        return false;
    }
    if (q->cause)
        *q->cause = check_sprintf(
            q->c, "%s does not %s comparable", type_str(q->c, q->V), verb(q));
    return false;
}

/* Does T or what it is made of name V, whatever is in its type set? */
static bool
mentions(struct type *T, struct type *V, int depth)
{
    uint32_t i;

    if (depth > 32)
        return false;
    if (T->kind == TYPE_INTERFACE) {
        for (i = 0; i < T->iface->nembeds; i++)
            if (mentions(T->iface->embeds[i], V, depth + 1))
                return true;
        return false;
    }
    for (i = 0; T->kind == TYPE_UNION && i < T->nterms; i++)
        if (mentions(T->terms[i].type, V, depth + 1))
            return true;
    return T->kind != TYPE_UNION && type_identical(T, V);
}

static const char *
terms_str(struct check *c, const struct type_terms *s)
{
    struct check_text b = {.c = c};
    uint32_t i;

    for (i = 0; i < s->n; i++) {
        check_text_add(&b, i ? " | " : "");
        check_text_add(&b, type_term_str(c, &s->at[i]));
    }
    return check_text_str(&b);
}

/* Is the type V, no interface, one of T's? */
static bool
is_member(const struct question *q, struct type *Ti)
{
    const struct type_terms *s = &Ti->iface->terms;
    struct type *alt = NULL;
    uint32_t i;

    for (i = 0; i < s->n; i++) {
        struct type_term t = s->at[i];

        if (type_term_includes(&t, q->V))
            return true;
        t.tilde = true;
        if (!alt && type_identical(t.type, type_under(t.type)) &&
            type_term_includes(&t, q->V))
            alt = t.type;
    }
    if (!q->cause)
        return false;
    if (alt)
        return no(q, check_sprintf(q->c, "(possibly missing ~ for %s in %s)",
                         type_str(q->c, alt), type_str(q->c, q->T)));
    if (mentions(Ti, q->V, 0))
        return no(q, check_sprintf(q->c,
                         "(%s mentions %s, but %s is not in the type set of "
                         "%s)",
                         type_str(q->c, q->T), type_str(q->c, q->V),
                         type_str(q->c, q->V), type_str(q->c, q->T)));
    return no(q, check_sprintf(q->c, "(%s missing in %s)", type_str(q->c, q->V),
                     terms_str(q->c, s)));
}

static bool
no_interface(const struct question *q)
{
    if (!q->cause)
        return false;
    if (is_iface_ptr(q->T))
        return no(q, check_sprintf(q->c,
                         "(type %s is pointer to interface, not interface)",
                         type_str(q->c, q->T)));
    return no(q,
        check_sprintf(q->c, "(%s is not an interface)", type_str(q->c, q->T)));
}

/* Both are interfaces (Vi may be NULL) and complete; methods are asked last
 * for nothing but interfaces with specific types or comparable have more. */
static bool
implements(const struct question *q, struct type *Vi, struct type *Ti)
{
    const char *why = NULL;

    if (!Ti->nvars && !Ti->iface->comparable && !Ti->iface->terms.limited)
        return true;
    if (Vi && typeset_is_empty(Vi))
        return true;
    if (typeset_is_empty(Ti)) {
        if (q->cause)
            *q->cause = check_sprintf(q->c, "cannot %s %s (empty type set)",
                verb(q), type_str(q->c, q->T));
        return false;
    }
    if (!check_has_methods(
            q->c, q->V, q->T, true, q->cause ? &why : NULL, NULL))
        return no(q, why ? why : "");
    if (Ti->iface->terms.limited) {
        if (!Vi)
            return is_member(q, Ti);
        if (!typeset_subset(&Vi->iface->terms, &Ti->iface->terms))
            return no(q, "");
        return true;
    }
    return !Ti->iface->comparable || is_comparable(q);
}

static bool
answer(const struct question *q)
{
    struct check *c = q->c;
    struct type *V = q->V, *T = q->T;
    struct type *Vu = type_under(V), *Tu = type_under(T), *Vi = NULL;

    if (!is_valid(Vu) || !is_valid(Tu))
        return true;
    if (Vu->kind == TYPE_POINTER && !is_valid(type_under(Vu->elem)))
        return true;
    if (Tu->kind != TYPE_INTERFACE)
        return no_interface(q);
    check_iface_complete(c, Tu);
    if (V->kind == TYPE_PARAM)
        Vi = type_bound(V);
    else if (Vu->kind == TYPE_INTERFACE)
        Vi = Vu;
    if (Vi)
        check_iface_complete(c, Vi);
    return implements(q, Vi, Tu);
}

bool
type_implements(struct check *c, struct type *V, struct type *T,
    bool constraint, const char **cause)
{
    struct question q = {c, V, T, constraint, cause, 0};

    return answer(&q);
}

/* ---- arguments ---------------------------------------------------------- */

void
check_delay_verify(struct check *c, lang_pos pos,
    const struct tparam_list *params, struct type *const *targs,
    const struct ast_exprs *exprs)
{
    struct inst_use *u = CHECK_NEW(c, struct inst_use);

    u->pos = pos;
    u->params = params;
    u->targs = targs;
    u->exprs = exprs;
    check_delay(c, DELAY_VERIFY, NULL, NULL, NULL);
    c->in->delayed[c->in->ndelayed - 1].inst = u;
}

void
check_verify(struct check *c, const struct inst_use *u)
{
    struct subst s = {.c = c, .from = u->params, .to = u->targs};
    uint32_t i;

    for (i = 0; i < u->params->n; i++) {
        struct type *p = u->params->at[i], *bound;
        const char *cause = NULL;
        struct question q;

        type_bound(p);
        bound = p->bound ? type_subst(&s, p->bound) : NULL;
        q = (struct question){c, u->targs[i], bound, true, &cause, u->pos};
        if (!bound || answer(&q))
            continue;
        check_errf(c,
            u->exprs && i < u->exprs->n ? ast_expr_start(u->exprs->at[i])
                                        : u->pos,
            "%s", cause ? cause : "");
        return;
    }
    mono_record(c, u);
}
