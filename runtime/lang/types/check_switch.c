/* SPDX-License-Identifier: MIT */

/* Expression switches and type switches. */

#include "runtime/lang/types/check_int.h"

static void
check_defaults(struct check *c, struct ast_case **cases, uint32_t n)
{
    struct ast_case *first = NULL;
    uint32_t i;

    for (i = 0; i < n; i++) {
        if (!cases[i]->is_default)
            continue;
        if (first)
            check_errf(c, cases[i]->pos, "multiple defaults (first at %s)",
                check_place(c, first->pos));
        else
            first = cases[i];
    }
}

/* ---- expression switches ------------------------------------------------ */

static void
case_value(struct check *c, struct ast_expr *tag, struct ast_expr *v,
    struct const_set *seen)
{
    lang_pos prev;

    check_expr(c, v);
    if (tag->mode == MODE_NONE || v->mode == MODE_NONE)
        return;
    check_convert_untyped(c, v, tag->type);
    if (v->mode == MODE_NONE)
        return;
    if (!check_comparison(c, NULL, v, tag, TOK_EQL, true))
        return;
    if (is_nil(v)) {
        v->type = tag->type;
        return;
    }
    if (type_is_untyped(v->type))
        check_update_type(c, v, check_default_type(c, v->type));
    /* Go's compiler lets truth values and complex numbers come twice. */
    if (!is_const(v) || const_kind(v->cv) == CONST_BOOL ||
        type_is_complex(v->type))
        return;
    prev = const_set_add(c, seen, v->cv, v->type, v->pos);
    if (prev)
        check_errf(c, ast_expr_start(v),
            "duplicate case %s in expression switch\n\t%s: previous case",
            check_operand_str(c, v), check_place(c, prev));
}

/* The operand of a switch without one. */
static struct ast_expr *
true_tag(struct check *c, struct ast_stmt *s)
{
    struct ast_expr *x = CHECK_NEW(c, struct ast_expr);

    x->kind = EXPR_NAME;
    x->name = lang_name_str(c->parse->names, "true");
    x->pos = s->switch_.ncase ? s->switch_.cases[0]->pos : s->switch_.rbrace;
    check_set_const(x, basic(c, TYPE_BOOL), const_bool(&c->cctx, true));
    return x;
}

static struct ast_expr *
switch_tag(struct check *c, struct ast_stmt *s)
{
    struct ast_expr *x = s->switch_.tag;

    if (!x)
        return true_tag(c, s);
    check_expr(c, x);
    if (x->mode != MODE_NONE)
        check_assignment(c, x, NULL, "switch expression");
    if (x->mode != MODE_NONE && !type_comparable(x->type) &&
        !type_has_nil(x->type)) {
        check_errf(c, ast_expr_start(x),
            "cannot switch on %s (%s is not comparable)",
            check_operand_str(c, x), type_str(c, x->type));
        check_set_invalid(c, x);
    }
    return x;
}

void
check_switch(struct check *c, struct ast_stmt *s, unsigned ctx)
{
    struct const_set seen = {NULL, 0, 0};
    struct ast_expr *tag;
    uint32_t i, j;

    check_open_scope(c);
    s->switch_.scope = c->in->env.scope;
    if (s->switch_.init)
        check_stmt(c, s->switch_.init, 0);
    tag = switch_tag(c, s);
    check_defaults(c, s->switch_.cases, s->switch_.ncase);
    for (i = 0; i < s->switch_.ncase; i++) {
        struct ast_case *k = s->switch_.cases[i];

        for (j = 0; j < k->exprs.n; j++)
            case_value(c, tag, k->exprs.at[j], &seen);
        check_open_scope(c);
        k->scope = c->in->env.scope;
        check_stmts(c, &k->body, ctx | CTX_BREAK);
        check_close_scope(c);
    }
    check_close_scope(c);
}

/* ---- type switches ------------------------------------------------------ */

struct seen_type {
    struct type *type; /* NULL: an empty slot */
    lang_pos pos;
    uint32_t hash;
};

/* The types of a switch so far; open addressing. */
struct seen_types {
    struct seen_type *tab;
    uint32_t n, cap;
    lang_pos nil_pos; /* of the case nil; 0: there was none */
};

static bool
is_nil_name(struct check *c, struct ast_expr *e)
{
    e = ast_unparen(e);
    return e->kind == EXPR_NAME &&
           check_resolve_name(c, e->name, NULL) == c->in->nil_obj;
}

static struct seen_type *
seen_slot(const struct seen_types *s, struct type *t, uint32_t hash)
{
    uint32_t i = hash & (s->cap - 1);

    while (s->tab[i].type && (s->tab[i].hash != hash ||
                                 !type_identical(s->tab[i].type, t)))
        i = (i + 1) & (s->cap - 1);
    return &s->tab[i];
}

static void
seen_grow(struct check *c, struct seen_types *s)
{
    struct seen_types old = *s;
    uint32_t i;

    s->cap = old.cap ? old.cap * 2 : 16;
    s->tab = CHECK_ARRAY(c, struct seen_type, s->cap);
    for (i = 0; i < old.cap; i++)
        if (old.tab[i].type)
            *seen_slot(s, old.tab[i].type, old.tab[i].hash) = old.tab[i];
}

/* Adds t, NULL for nil, which stands at pos; where it was before, or 0. */
static lang_pos
seen_add(struct check *c, struct seen_types *s, struct type *t, lang_pos pos)
{
    struct seen_type st = {t, pos, 0}, *slot;
    lang_pos before;

    if (!t) {
        before = s->nil_pos;
        s->nil_pos = before ? before : pos;
        return before;
    }
    if (s->n * 2 >= s->cap)
        seen_grow(c, s);
    st.hash = type_hash(c, t);
    slot = seen_slot(s, t, st.hash);
    if (slot->type)
        return slot->pos;
    *slot = st;
    s->n++;
    return 0;
}

static bool
duplicate_type(struct check *c, struct seen_types *seen, struct type *t,
    struct ast_expr *e)
{
    lang_pos pos = ast_expr_start(e), before = seen_add(c, seen, t, pos);

    if (before)
        check_errf(c, pos,
            "duplicate case %s in type switch\n\t%s: previous case",
            t ? type_str(c, t) : "nil", check_place(c, before));
    return before != 0;
}

/* Checks a clause's types; the type that the symbol has in the clause. */
static struct type *
case_types(struct check *c, struct ast_expr *x, struct ast_case *k,
    struct seen_types *seen)
{
    struct type *t = NULL;
    uint32_t i;

    for (i = 0; i < k->exprs.n; i++) {
        struct ast_expr *e = k->exprs.at[i];

        if (is_nil_name(c, e)) {
            t = NULL;
            check_expr(c, e);
        } else {
            t = check_var_type(c, e);
            if (!is_valid(t))
                continue;
        }
        if (duplicate_type(c, seen, t, e))
            continue;
        if (t && x)
            check_type_assertion(c, e, x, t, true);
    }
    if (k->exprs.n == 1 && t)
        return t;
    return x ? x->type : invalid_type(c);
}

static struct ast_expr *
guard_operand(struct check *c, struct ast_stmt *s)
{
    struct ast_expr *x = s->tswitch.guard->x;

    check_expr(c, x);
    if (x->mode == MODE_NONE)
        return NULL;
    if (type_is_interface(x->type)) {
        check_iface_complete(c, type_under(x->type));
        return x;
    }
    if (x->type->kind == TYPE_PARAM)
        check_errf(c, ast_expr_start(x),
            "cannot use type switch on type parameter value %s", check_operand_str(c, x));
    else if (is_valid(type_under(x->type)))
        check_errf(c, ast_expr_start(x), "%s is not an interface",
            check_operand_str(c, x));
    return NULL;
}

/* The clause's own variable. */
static struct object *
clause_var(struct check *c, struct ast_stmt *s, struct type *t)
{
    struct object *o =
        object_new(c, OBJ_VAR, s->tswitch.bind.pos, s->tswitch.bind.name, t);

    o->color = COLOR_BLACK;
    check_declare(c, o);
    return o;
}

void
check_type_switch(struct check *c, struct ast_stmt *s, unsigned ctx)
{
    bool bind = s->tswitch.bind.name != NULL, used = false;
    struct seen_types seen = {NULL, 0, 0, 0};
    struct ast_expr *x;
    uint32_t i;

    check_open_scope(c);
    s->tswitch.scope = c->in->env.scope;
    if (s->tswitch.init)
        check_stmt(c, s->tswitch.init, 0);
    if (bind && is_blank(c, s->tswitch.bind.name)) {
        check_errf(
            c, s->tswitch.bind.pos, "no new variable on left side of :=");
        bind = false;
    }
    x = guard_operand(c, s);
    check_defaults(c, s->tswitch.cases, s->tswitch.ncase);
    for (i = 0; i < s->tswitch.ncase; i++) {
        struct ast_case *k = s->tswitch.cases[i];
        struct type *t = case_types(c, x, k, &seen);

        check_open_scope(c);
        k->scope = c->in->env.scope;
        if (bind)
            k->obj = clause_var(c, s, t);
        check_stmts(c, &k->body, ctx | CTX_BREAK);
        if (bind) {
            if (k->obj->used) {
                used = true;
            } else {
                k->obj->used = true; /* the clauses together count */
                k->obj = NULL;
            }
        }
        check_close_scope(c);
    }
    if (bind && !used)
        check_errf(c, s->tswitch.bind.pos, "%s declared and not used",
            s->tswitch.bind.name->text);
    check_close_scope(c);
}
