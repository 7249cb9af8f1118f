/* SPDX-License-Identifier: MIT */
/*
 * Reads a body's expressions for the escape analysis: which values come to be
 * where (gen_escape.c says what that means).  gen_flow_call.c reads the calls
 * among them, gen_flow_stmt.c the statements around them.
 */
#include "runtime/lang/gen/gen_escape.h"

#include <string.h>

static void place_addr(struct esc *x, struct ast_expr *e, uint32_t to, int d);

/* ---- locations and flows ------------------------------------------------- */

uint32_t
esc_new_loc(struct esc *x, enum site site, void *at, struct type *t)
{
    struct loc *l = gvec_push(x->g, &x->locs);

    memset(l, 0, sizeof *l);
    l->site = (uint8_t)site;
    l->at = at;
    l->fn = x->fn;
    l->depth = l->inside = x->depth;
    l->type = t;
    l->escapes = t != NULL && type_size(t) > GEN_CELL_BYTES;
    if (x->locs.n > LOCS_MAX)
        x->failed = true;
    return x->locs.n - 1;
}

void
esc_add(struct esc *x, uint32_t to, uint32_t from, int d)
{
    struct flow *w;

    /* Where a location has its own address, what gets its value has that. */
    if (to == NOWHERE || from == HEAP || (to == from && d >= 0) || x->failed)
        return;
    rt_assert(to < x->locs.n && from < x->locs.n && d >= -1);
    if (x->flows.n == FLOWS_MAX) {
        x->failed = true;
        return;
    }
    w = gvec_push(x->g, &x->flows);
    w->from = from;
    w->derefs = d < DEREFS_MAX ? d : DEREFS_MAX;
    w->next = x->locs.at[to].flows;
    x->locs.at[to].flows = x->flows.n;
}

void
esc_add_addr(struct esc *x, uint32_t to, uint32_t from, int d)
{
    esc_add(x, to, from, d - 1);
}

uint32_t
esc_declare(struct esc *x, struct object *v)
{
    uint32_t at;

    if (v == NULL)
        return NOWHERE;
    at = esc_new_loc(x, SITE_VAR, v, v->type);
    gmap_put(x->g, &x->ids, (uint64_t)(uintptr_t)v, at);
    return at;
}

static bool
by_address(struct esc *x, struct object *v)
{
    return gf_var_on_heap(&x->f, v);
}

uint32_t
esc_loc_of(struct esc *x, struct object *v)
{
    uint32_t at, k;

    if (v == NULL || v->kind != OBJ_VAR || v->var_kind == VAR_PACKAGE)
        return HEAP;
    if (!gmap_get(&x->ids, (uint64_t)(uintptr_t)v, &at)) {
        /* Not declared in what was walked: nothing is known. */
        x->failed = true;
        return HEAP;
    }
    for (k = x->fn; k != x->locs.at[at].fn && k != 0; k = x->fns.at[k].up)
        if (x->fns.at[k].is_range)
            esc_add(x, x->fns.at[k].closure, at, by_address(x, v) ? -1 : 0);
    return at;
}

struct ast_expr *
esc_origin(struct esc *x, struct ast_expr *e)
{
    uint32_t at;

    for (;;) {
        e = ast_unparen(e);
        if (e->kind == EXPR_CALL && (e->flags & AST_F_CONVERSION))
            e = e->call.args.at[0];
        else if (e->kind == EXPR_NAME && e->obj != NULL &&
            e->obj->kind == OBJ_VAR &&
            gmap_get(&x->ids, (uint64_t)(uintptr_t)e->obj, &at) &&
            x->locs.at[at].value != NULL)
            e = x->locs.at[at].value;
        else
            return e;
    }
}

/* ---- expressions --------------------------------------------------------- */

void
esc_discard(struct esc *x, struct ast_expr *e)
{
    esc_val(x, e, NOWHERE, 0);
}

void
esc_discard_list(struct esc *x, struct ast_exprs list)
{
    uint32_t i;

    for (i = 0; i < list.n; i++)
        esc_discard(x, list.at[i]);
}

void
esc_as(struct esc *x, struct ast_expr *e, struct type *t, uint32_t to, int d)
{
    if (e == NULL)
        return;
    if (t == NULL || e->type == NULL || !type_is_interface(t) ||
        type_is_interface(e->type) || ast_unparen(e)->mode == MODE_NIL ||
        type_is_pointer_shaped(e->type)) {
        esc_val(x, e, to, d);
        return;
    }
    if (e->cv != NULL)
        return;
    /* What a box leads to is on the heap, wherever the box is. */
    esc_val(x, e, type_has_pointers(e->type) ? HEAP : NOWHERE, 0);
    if (e->type->kind != TYPE_TUPLE)
        esc_add_addr(x, to, esc_new_loc(x, SITE_BOX, e, NULL), d);
}

int
esc_count_derefs(const struct selection *how)
{
    uint32_t i;
    int n = 0;

    for (i = 0; i < how->nsteps; i++)
        n += how->steps[i].deref;
    return n;
}

void
esc_steps(struct esc *x, struct ast_expr *e, bool addr, uint32_t to, int d)
{
    int n = esc_count_derefs(e->selector.how);

    if (!addr)
        esc_val(x, e->selector.x, to, d + n);
    else if (n > 0)
        esc_val(x, e->selector.x, to, d + n - 1);
    else
        place_addr(x, e->selector.x, to, d);
}

void
esc_receiver(struct esc *x, struct ast_expr *e, uint32_t to, int d)
{
    const struct selection *how = e->selector.how;

    esc_steps(x, e, how->take_addr, to, d + how->deref);
}

static void
elements(struct esc *x, struct ast_expr *e, struct type *t, uint32_t to, int d)
{
    uint32_t i;

    t = type_under(t);
    for (i = 0; i < e->composite.elems.n; i++) {
        struct ast_expr *v = e->composite.elems.at[i];
        struct type *et = t->elem;

        if (t->kind == TYPE_STRUCT) {
            et = v->kind == EXPR_KEYVALUE ? v->kv.key->obj->type :
                t->vars[i]->type;
        } else if (t->kind == TYPE_MAP) {
            esc_as(x, v->kv.key, t->key, HEAP, 0);
        }
        esc_as(x, v->kind == EXPR_KEYVALUE ? v->kv.value : v, et, to, d);
    }
}

uint32_t
esc_site(struct esc *x, struct ast_expr *e, struct type *t, int64_t n,
    uint32_t to, int d)
{
    uint32_t at = esc_new_loc(x, SITE_EXPR, e, NULL);
    int64_t size = t == NULL ? 0 : type_size(t);

    if (size != 0 && n > GEN_CELL_BYTES / size)
        x->locs.at[at].escapes = true;
    esc_add_addr(x, to, at, d);
    return at;
}

static void
composite(struct esc *x, struct ast_expr *e, bool addr, uint32_t to, int d)
{
    struct type *t = e->type;
    uint32_t at = to;
    int64_t n;

    if (e->flags & AST_F_ADDR) {
        addr = true;
        t = type_under(t)->elem;
    }
    if (addr) {
        at = esc_site(x, e, t, 1, to, d);
        x->locs.at[at].type = t;
        d = 0;
    }
    switch (type_kind_of(t)) {
    case TYPE_MAP:
        elements(x, e, t, HEAP, 0);
        break;
    case TYPE_SLICE:
        if (addr) {
            /* The expression is one site: the slice's array is not it. */
            elements(x, e, t, HEAP, 0);
            x->locs.at[at].escapes = true;
        } else {
            n = check_composite_len(e);
            at = esc_site(x, e, type_under(t)->elem, n, to, d);
            x->locs.at[at].type = type_array(x->g->c, type_under(t)->elem, n);
            elements(x, e, t, at, 0);
        }
        break;
    default:
        elements(x, e, t, at, d);
        break;
    }
}

static void
place_addr(struct esc *x, struct ast_expr *e, uint32_t to, int d)
{
    e = ast_unparen(e);
    if (d > 0) {
        esc_val(x, e, to, d - 1);
        return;
    }
    switch (e->kind) {
    case EXPR_NAME:
        if (e->obj != NULL && e->obj->kind == OBJ_VAR)
            esc_add_addr(x, to, esc_loc_of(x, e->obj), 0);
        break;
    case EXPR_SELECTOR:
        if (e->selector.how != NULL && e->selector.how->kind == SEL_FIELD)
            esc_steps(x, e, true, to, 0);
        break;
    case EXPR_INDEX:
        esc_discard_list(x, e->index.at);
        if (type_kind_of(e->index.x->type) == TYPE_ARRAY)
            place_addr(x, e->index.x, to, 0);
        else
            esc_val(x, e->index.x, to, 0);
        break;
    case EXPR_STAR:
        esc_val(x, e->x, to, 0);
        break;
    case EXPR_COMPOSITE:
        composite(x, e, true, to, 0);
        break;
    default:
        /* A copy stands for it. */
        esc_val(x, e, type_has_pointers(e->type) ? HEAP : NOWHERE, 0);
        break;
    }
}

/* ---- literals ------------------------------------------------------------ */

void
esc_declare_params(struct esc *x, struct type *sig, bool recv)
{
    struct fn *fn = &x->fns.at[x->fn];
    uint32_t i, at, n = 0;

    if (recv) {
        at = esc_declare(x, sig->recv);
        x->locs.at[at].param = true;
        n = 1;
    }
    for (i = 0; i < sig->nparams; i++) {
        at = esc_declare(x, sig->vars[i]);
        x->locs.at[at].param = true;
        x->locs.at[at].index = (uint16_t)(n + i);
    }
    fn->nparams = n + sig->nparams;
    for (; i < sig->nvars; i++) {
        at = esc_declare(x, sig->vars[i]);
        esc_add(x, x->fn == 0 ? 1 + i - sig->nparams : HEAP, at, 0);
    }
}

uint32_t
esc_enter(struct esc *x, bool is_range, uint32_t closure, struct type *sig,
    struct ast_func *lit)
{
    uint32_t old = x->fn;
    struct fn *n = gvec_push(x->g, &x->fns);

    memset(n, 0, sizeof *n);
    n->up = old;
    n->is_range = is_range;
    n->closure = closure;
    n->sig = sig;
    n->lit = lit;
    x->fn = x->fns.n - 1;
    return old;
}

uint32_t
esc_literal(struct esc *x, struct ast_expr *e, uint32_t to, int d)
{
    struct func_info *info = e->func->info;
    uint32_t at = esc_site(x, e, NULL, 1, to, d), i, old, depth = x->depth;

    for (i = 0; i < info->ncaptures; i++) {
        struct object *v = info->captures[i];

        esc_add(x, at, esc_loc_of(x, v), by_address(x, v) ? -1 : 0);
    }
    old = esc_enter(x, false, at, info->sig, e->func);
    x->depth = 1;
    esc_declare_params(x, info->sig, false);
    esc_stmts(x, e->func->body->stmts);
    x->depth = depth;
    x->fn = old;
    return at;
}

static void
binary(struct esc *x, struct ast_expr *e, uint32_t to, int d)
{
    /* A join may be one of its operands. */
    if (e->op != TOK_ADD || type_kind_of(e->type) != TYPE_STRING)
        to = NOWHERE;
    while (e->kind == EXPR_BINARY && e->cv == NULL) {
        esc_val(x, e->binary.y, to, d);
        e = ast_unparen(e->binary.x);
    }
    esc_val(x, e, to, d);
}

static void
index_val(struct esc *x, struct ast_expr *e, uint32_t to, int d)
{
    esc_discard_list(x, e->index.at);
    switch (type_kind_of(e->index.x->type)) {
    case TYPE_ARRAY:
        esc_val(x, e->index.x, to, d);
        break;
    case TYPE_MAP: /* what is in it is on the heap */
        esc_discard(x, e->index.x);
        break;
    default:
        esc_val(x, e->index.x, to, d + 1);
        break;
    }
}

static void
slice_val(struct esc *x, struct ast_expr *e, uint32_t to, int d)
{
    esc_discard(x, e->slice.lo);
    esc_discard(x, e->slice.hi);
    esc_discard(x, e->slice.max);
    if (type_kind_of(e->slice.x->type) == TYPE_ARRAY)
        place_addr(x, e->slice.x, to, d);
    else
        esc_val(x, e->slice.x, to, d);
}

static void
selector_val(struct esc *x, struct ast_expr *e, uint32_t to, int d)
{
    const struct selection *how = e->selector.how;

    if (how == NULL)
        return; /* another package's */
    switch (how->kind) {
    case SEL_FIELD:
        esc_steps(x, e, false, to, d);
        break;
    case SEL_METHOD:
        if (how->late)
            esc_val(x, e->selector.x, HEAP, 0);
        else if (how->is_iface)
            esc_steps(x, e, false, HEAP, 0);
        else
            esc_receiver(x, e, HEAP, 0);
        break;
    default:
        break;
    }
}

static void
assert_val(struct esc *x, struct ast_expr *e, struct type *t, uint32_t to,
    int d)
{
    if (type_is_interface(t) || type_is_pointer_shaped(t))
        esc_val(x, e, to, d);
    else
        esc_val(x, e, to, d + 1);
}

void
esc_val(struct esc *x, struct ast_expr *e, uint32_t to, int d)
{
    struct esc_targets rs = {.to = &to, .d = d, .n = 1};

    if (e == NULL || x->failed)
        return;
    e = ast_unparen(e);
    if (e->cv != NULL || e->mode == MODE_TYPE || e->mode == MODE_NIL)
        return;
    if (to != NOWHERE && e->type != NULL && e->type->kind != TYPE_TUPLE &&
        !type_has_pointers(e->type))
        to = NOWHERE;
    switch (e->kind) {
    case EXPR_NAME:
        if (e->obj != NULL && e->obj->kind == OBJ_VAR)
            esc_add(x, to, esc_loc_of(x, e->obj), d);
        break;
    case EXPR_SELECTOR:
        selector_val(x, e, to, d);
        break;
    case EXPR_COMPOSITE:
        composite(x, e, false, to, d);
        break;
    case EXPR_FUNCLIT:
        esc_literal(x, e, to, d);
        break;
    case EXPR_INDEX:
        index_val(x, e, to, d);
        break;
    case EXPR_STAR:
        esc_val(x, e->x, to, d + 1);
        break;
    case EXPR_SLICE:
        slice_val(x, e, to, d);
        break;
    case EXPR_ASSERT:
        assert_val(x, e->assert_.x,
            e->type->kind == TYPE_TUPLE ? e->type->vars[0]->type : e->type,
            to, d);
        break;
    case EXPR_CALL:
        if (e->flags & AST_F_CONVERSION)
            esc_conversion(x, e, to, d);
        else if (e->call.fun->mode == MODE_BUILTIN)
            esc_builtin(x, e, to, d);
        else
            esc_call(x, e, &rs);
        break;
    case EXPR_UNARY:
        if (e->op == TOK_AND)
            place_addr(x, e->unary.x, to, d);
        else
            esc_discard(x, e->unary.x); /* what is received is on the heap */
        break;
    case EXPR_BINARY:
        binary(x, e, to, d);
        break;
    default:
        x->failed = true;
        break;
    }
}
