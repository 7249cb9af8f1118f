/* SPDX-License-Identifier: MIT */

/*
 * Types of finite size: none may contain itself.  Generic types are looked at
 * once, with their parameters left open; of an instance only the arguments
 * for the parameters that are contained remain to be looked at.
 */

#include "runtime/lang/types/check_int.h"
#include "runtime/lang/types/generic.h"

enum {
    VALID_UNKNOWN,
    VALID_ACTIVE,
    VALID_YES,
    VALID_NO
};

struct type_path {
    struct object **at;
    uint32_t n, cap;
    bool pending; /* some part is not known yet */
};

static bool is_finite(struct check *c, struct type *t, struct type_path *p);

/* A struct that many defined types share is looked at once. */
static bool
finite_struct(struct check *c, struct type *t, struct type_path *p)
{
    bool before = p->pending, ok = true;
    uint32_t i;

    if (t->valid == VALID_YES)
        return true;
    p->pending = false;
    for (i = 0; i < t->nvars && ok; i++)
        ok = is_finite(c, t->vars[i]->type, p);
    if (ok && !p->pending) {
        t->valid = VALID_YES;
        if (!type_has_params(t))
            t->cmp = type_comparable(t) ? 2 : 1;
    }
    p->pending |= before;
    return ok;
}

/* What stands for an instance in messages: its origin, where it was made. */
static struct object *
instance_object(struct check *c, const struct type *t)
{
    struct object *o = CHECK_NEW(c, struct object);

    *o = *t->origin->obj;
    if (t->pos)
        o->pos = t->pos;
    return o;
}

/* t, declared or an instance of what is, is being looked at already. */
static bool
report_cycle(struct check *c, struct type *t, struct type_path *p)
{
    const struct lang_name *name = t->obj->name;
    uint32_t i;

    for (i = p->n; i > 0; i--)
        if (p->at[i - 1]->name == name && p->at[i - 1]->type == t->obj->type)
            break;
    if (i == 0)
        return false;
    if (t->origin && p->at[i - 1] == t->obj) {
        /* the declaration itself does not count, but this use of it */
        CHECK_PUSH(c, p->at, p->n, p->cap, instance_object(c, t));
        check_cycle_error_from(c, p->at + i, p->n - i, 0);
        p->n--;
    } else {
        check_cycle_error_from(c, p->at + i - 1, p->n - i + 1, 0);
    }
    return false;
}

/* A declared type, which may be generic: its parameters stand for themselves,
 * and those that it contains are marked. */
static bool
finite_declared(
    struct check *c, struct type *t, struct object *shown, struct type_path *p)
{
    bool ok;

    if (t->valid == VALID_YES || t->valid == VALID_NO)
        return t->valid == VALID_YES;
    if (t->valid == VALID_ACTIVE)
        return report_cycle(c, t, p);
    if (t->state == TSTATE_PENDING) {
        p->pending = true;
        return true;
    }
    if (check_too_deep(c, t->obj->pos, "types refer to each other"))
        return true;
    t->valid = VALID_ACTIVE;
    CHECK_PUSH(c, p->at, p->n, p->cap, shown);
    ok = is_finite(c, t->from ? t->from : type_under(t), p);
    p->n--;
    t->valid = ok ? VALID_YES : VALID_NO;
    if (!ok) {
        t->under = invalid_type(c);
        return false;
    }
    /* Known from the bottom up: nobody recurses deeply for them later. */
    if (p->pending) {
        t->valid = VALID_UNKNOWN; /* asked again later */
        return true;
    }
    if (!t->tparams) {
        t->cmp = type_comparable(t) ? 2 : 1;
        type_size(t);
    }
    return true;
}

/* An instance contains what its origin does, and the arguments for those
 * parameters that the origin contains. */
static bool
finite_instance(struct check *c, struct type *t, struct type_path *p)
{
    struct type *o = t->origin;
    struct object *shown;
    bool ok = true;
    uint32_t i;

    if (t->valid == VALID_YES || t->valid == VALID_NO)
        return t->valid == VALID_YES;
    if (o->valid == VALID_ACTIVE)
        return report_cycle(c, t, p);
    shown = instance_object(c, t);
    if (!finite_declared(c, o, shown, p))
        return false;
    CHECK_PUSH(c, p->at, p->n, p->cap, shown);
    for (i = 0; i < t->ntargs && ok; i++)
        if (i < o->tparams->n && o->tparams->at[i]->valid == VALID_YES)
            ok = is_finite(c, t->targs[i], p);
    p->n--;
    if (!p->pending && !type_has_params(t))
        t->valid = ok ? VALID_YES : VALID_NO;
    return ok;
}

/* False where t contains itself; reported once. */
static bool
is_finite(struct check *c, struct type *t, struct type_path *p)
{
    uint32_t i;
    bool ok = true;

    switch (t->kind) {
    case TYPE_ARRAY:
        return is_finite(c, t->elem, p);
    case TYPE_INTERFACE:
        for (i = 0; i < t->iface->nembeds && ok; i++)
            ok = is_finite(c, t->iface->embeds[i], p);
        return ok;
    case TYPE_UNION:
        for (i = 0; i < t->nterms && ok; i++)
            ok = is_finite(c, t->terms[i].type, p);
        return ok;
    case TYPE_STRUCT:
        return finite_struct(c, t, p);
    case TYPE_PARAM:
        t->valid = VALID_YES; /* it is contained in what declares it */
        return true;
    case TYPE_NAMED:
        return t->origin ? finite_instance(c, t, p)
                         : finite_declared(c, t, t->obj, p);
    default:
        return true;
    }
}

void
check_valid_type(struct check *c, struct object *o)
{
    struct type_path p = {NULL, 0, 0, false};

    if (o->type)
        is_finite(c, o->type, &p);
}
