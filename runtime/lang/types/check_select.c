/* SPDX-License-Identifier: MIT */

/* Selectors: qualified names, fields, methods, method expressions. */

#include <string.h>
#include <strings.h>

#include "runtime/lang/types/check_int.h"

/* ---- pkg.X -------------------------------------------------------------- */

/* Why the package may lack what it has in today's Go, as the end of a message. */
static const char *
lacking(struct check *c, const struct check_pkg *p)
{
    const char *why = NULL;

    if (p != NULL && p->library && c->host != NULL && c->host->edition != NULL)
        why = c->host->edition(c->host->ctx, p->path);
    return why == NULL ? "" : check_sprintf(c, " (%s)", why);
}

static void
undefined_in(struct check *c, struct ast_expr *e, struct check_pkg *p)
{
    const char *sel = e->selector.sel.name->text;
    uint32_t i;

    for (i = 0; i < p->scope->n; i++) {
        const struct object *o = p->scope->list[i];

        if (o->exported && strcasecmp(o->name->text, sel) == 0) {
            check_errf(c, e->selector.sel.pos, "undefined: %s (but have %s)",
                check_expr_str(c, e), o->name->text);
            return;
        }
    }
    check_errf(c, e->selector.sel.pos, "undefined: %s%s", check_expr_str(c, e),
        lacking(c, p));
}

static void
qualified(struct check *c, struct ast_expr *e, struct object *pn)
{
    struct check_pkg *p = pn->imported;
    struct object *o;

    pn->used = true;
    e->selector.x->mode = MODE_PACKAGE;
    e->selector.x->obj = pn;
    o = scope_lookup(p->scope, e->selector.sel.name);
    if (!o && !p->fake && check_more(c, p))
        o = scope_lookup(p->scope, e->selector.sel.name);
    if (!o) {
        if (!p->fake)
            undefined_in(c, e, p);
        return;
    }
    if (!o->exported) {
        check_errf(c, e->selector.sel.pos, "name %s not exported by package %s",
            e->selector.sel.name->text, p->name);
        /* fall through: what it is is known */
    }
    check_obj(c, o);
    o->used = true;
    e->obj = o;
    if (o->kind == OBJ_BUILTIN) {
        e->mode = MODE_BUILTIN;
        return;
    }
    if (!o->type || !is_valid(o->type))
        return;
    switch (o->kind) {
    case OBJ_CONST:
        check_set_const(e, o->type, o->cv);
        break;
    case OBJ_TYPE:
        e->mode = MODE_TYPE;
        e->type = o->type;
        break;
    case OBJ_VAR:
        e->mode = MODE_VAR;
        e->type = o->type;
        break;
    case OBJ_FUNC:
        check_set_value(e, o->type);
        break;
    default:
        break;
    }
}

/* ---- messages ----------------------------------------------------------- */

const char *
check_lookup_error(struct check *c, struct type *t, const struct lang_name *sel,
    struct object *alt, bool literal)
{
    enum {
        MISSING,
        MISSPELLED,
        UNEXPORTED,
        INACCESSIBLE
    } e = MISSING;

    const char *ts = type_str(c, t), *s = sel->text;
    const char *a = alt ? alt->name->text : "";
    const char *what = alt && alt->kind == OBJ_FUNC ? "method" : "field";

    if (alt) {
        if (alt->pkg == c->in->env.pkg)
            e = MISSPELLED;
        else if (sel->exported && alt->exported)
            e = MISSPELLED;
        else if (sel->exported)
            e = strcmp(s + 1, a + 1) == 0 ? UNEXPORTED : MISSING;
        else if (alt->exported)
            e = strcmp(s + 1, a + 1) == 0 ? MISSPELLED : MISSING;
        else if (sel == alt->name)
            e = INACCESSIBLE;
    }
    if (literal) {
        if (e == INACCESSIBLE)
            return check_sprintf(c,
                "cannot refer to unexported field %s in struct literal of "
                "type %s",
                a, ts);
        return check_sprintf(c,
            "unknown field %s in struct literal of type %s%s%s", s, ts,
            e == MISSPELLED   ? ", but does have "
            : e == UNEXPORTED ? ", but does have unexported "
                              : "",
            e == MISSING ? "" : a);
    }
    if (e == INACCESSIBLE)
        return check_sprintf(c, "cannot refer to unexported %s %s", what, a);
    if (e == MISSING)
        return check_sprintf(c, "type %s has no field or method %s", ts, s);
    return check_sprintf(c,
        "type %s has no field or method %s, but does have %s%s %s", ts, s,
        e == UNEXPORTED ? "unexported " : "", what, a);
}

/* The package of a type with a name, or of what the pointer points to; NULL. */
static const struct check_pkg *
home_of(const struct type *t)
{
    if (t->kind == TYPE_POINTER)
        t = t->elem;
    return t->kind == TYPE_NAMED && t->obj != NULL ? t->obj->pkg : NULL;
}

static void
not_found(struct check *c, struct ast_expr *e, struct lookup *l)
{
    struct ast_expr *x = e->selector.x;
    const struct lang_name *sel = e->selector.sel.name;
    lang_pos pos = e->selector.sel.pos;
    struct type *u = type_under(x->type);
    const char *why;

    if (!is_valid(u))
        return;
    if (l->ambiguous) {
        check_errf(c, pos, "ambiguous selector %s.%s", check_expr_str(c, x),
            sel->text);
        return;
    }
    if (l->need_addr) {
        if (x->mode == MODE_TYPE)
            check_errf(c, pos,
                "invalid method expression %s.%s (needs pointer receiver "
                "(*%s).%s)",
                type_str(c, x->type), sel->text, type_str(c, x->type),
                sel->text);
        else
            check_errf(c, pos, "cannot call pointer method %s on %s", sel->text,
                type_str(c, x->type));
        return;
    }
    if (u->kind == TYPE_POINTER && (type_is_interface(u->elem) ||
                                       u->elem->kind == TYPE_PARAM)) {
        why = check_sprintf(c, "type %s is pointer to %s, not %s",
            type_str(c, x->type),
            u->elem->kind == TYPE_PARAM ? "type parameter" : "interface",
            u->elem->kind == TYPE_PARAM ? "type parameter" : "interface");
    } else {
        struct lookup alt;

        check_lookup_member(
            c, x->type, x->mode == MODE_VAR, c->in->env.pkg, sel, true, &alt);
        why = check_lookup_error(c, x->type, sel, alt.obj, false);
    }
    check_errf(c, pos, "%s.%s undefined (%s)%s", check_expr_str(c, x), sel->text,
        why, lacking(c, home_of(x->type)));
}

/* ---- selections --------------------------------------------------------- */

void
check_fill_selection(struct check *c, struct selection *s, struct type *recv,
    const struct lookup *l)
{
    struct object *o = l->obj;

    s->obj = o;
    s->recv = recv;
    s->steps = l->steps;
    s->nsteps = l->nsteps;
    if (o->kind == OBJ_VAR) {
        s->kind = SEL_FIELD;
        s->base = o->type;
        return;
    }
    s->kind = SEL_METHOD;
    s->is_iface = type_is_interface(l->base);
    s->base = l->base_ptr ? type_pointer(c, l->base) : l->base;
    if (!s->is_iface) {
        s->take_addr = o->ptr_recv && !l->base_ptr;
        s->deref = !o->ptr_recv && l->base_ptr;
    }
}

static bool
steps_deref(const struct selection *s)
{
    uint32_t i;

    for (i = 0; i < s->nsteps; i++)
        if (s->steps[i].deref)
            return true;
    return false;
}

/* T.m: the receiver becomes the first parameter. */
static void
method_expr(struct check *c, struct ast_expr *e, struct lookup *l)
{
    struct ast_expr *x = e->selector.x;
    struct type *m = l->obj->type, *sig;
    struct object *r;
    uint32_t i;

    sig = type_new(c, TYPE_FUNC);
    sig->vars = CHECK_ARRAY(c, struct object *, m->nvars + 1);
    r = object_new(c, OBJ_VAR, 0,
        m->nparams && m->vars[0]->name ? c->in->blank : NULL, x->type);
    if (r->name && m->recv && m->recv->name)
        r->name = m->recv->name;
    r->var_kind = VAR_PARAM;
    sig->vars[0] = r;
    for (i = 0; i < m->nvars; i++)
        sig->vars[i + 1] = m->vars[i];
    sig->nvars = m->nvars + 1;
    sig->nparams = m->nparams + 1;
    sig->variadic = m->variadic;
    e->selector.how->kind = SEL_METHOD_EXPR;
    check_set_value(e, sig);
}

static void
selected(struct check *c, struct ast_expr *e, struct lookup *l)
{
    struct ast_expr *x = e->selector.x;
    struct selection *s = CHECK_NEW(c, struct selection);
    struct object *o = l->obj;

    check_fill_selection(c, s, x->type, l);
    e->selector.how = s;
    e->obj = o;
    if (o->kind == OBJ_FUNC) {
        check_obj(c, o);
        check_add_dep(c, o);
        o->used = true;
        if (!o->type || !is_valid(o->type))
            return;
        if (x->mode == MODE_TYPE) {
            method_expr(c, e, l);
            return;
        }
        /* A method of an instance may want the address. */
        if ((s->take_addr || x->type->kind == TYPE_PARAM) && !steps_deref(s))
            check_note_address(c, x);
        check_set_value(e, o->type);
        return;
    }
    if (x->mode == MODE_TYPE) {
        check_errf(c, e->selector.sel.pos,
            "%s.%s undefined (type %s has no method %s)", check_expr_str(c, x),
            o->name->text, type_str(c, x->type), o->name->text);
        return;
    }
    if (!o->type || !is_valid(o->type))
        return;
    e->mode = x->mode == MODE_VAR || l->indirect ? MODE_VAR : MODE_VALUE;
    e->type = o->type;
}

void
check_selector(struct check *c, struct ast_expr *e, bool want_type)
{
    struct ast_expr *x = e->selector.x;
    struct lookup l;

    check_set_invalid(c, e);
    e->obj = NULL;
    e->selector.how = NULL;
    if (x->kind == EXPR_NAME) {
        struct object *o = check_resolve_name(c, x->name, NULL);

        if (o == NULL)
            o = check_import_called(c, x->name, x->pos);
        if (o && o->kind == OBJ_PKGNAME) {
            qualified(c, e, o);
            return;
        }
    }
    check_expr_or_type(c, x);
    if (x->mode == MODE_NONE)
        return;
    if (x->mode == MODE_BUILTIN) {
        check_errf(c, e->pos, "invalid use of %s in selector expression",
            check_operand_str(c, x));
        return;
    }
    if (want_type) {
        check_errf(
            c, e->selector.sel.pos, "%s is not a type", check_expr_str(c, e));
        return;
    }
    check_lookup_member(c, x->type, x->mode == MODE_VAR, c->in->env.pkg,
        e->selector.sel.name, false, &l);
    if (l.obj)
        selected(c, e, &l);
    else
        not_found(c, e, &l);
}
