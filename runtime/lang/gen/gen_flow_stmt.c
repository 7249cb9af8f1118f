/* SPDX-License-Identifier: MIT */
/*
 * Reads a body's statements for the escape analysis; gen_flow.c reads the
 * expressions in them.
 */
#include "runtime/lang/gen/gen_escape.h"

static void stmt(struct esc *x, struct ast_stmt *s);

/* Where a value goes that is assigned to e. */
static uint32_t
target(struct esc *x, struct ast_expr *e)
{
    for (;;) {
        e = ast_unparen(e);
        switch (e->kind) {
        case EXPR_NAME:
            if (e->obj == NULL || e->obj->kind != OBJ_VAR)
                return NOWHERE; /* _ */
            return esc_loc_of(x, e->obj);
        case EXPR_SELECTOR:
            if (e->selector.how == NULL)
                return HEAP;
            if (esc_count_derefs(e->selector.how) > 0) {
                esc_discard(x, e->selector.x);
                return HEAP;
            }
            e = e->selector.x;
            break;
        case EXPR_INDEX:
            if (type_kind_of(e->index.x->type) == TYPE_MAP)
                esc_as(x, e->index.at.at[0],
                    type_under(e->index.x->type)->key, HEAP, 0);
            else
                esc_discard_list(x, e->index.at);
            if (type_kind_of(e->index.x->type) != TYPE_ARRAY) {
                esc_discard(x, e->index.x);
                return HEAP;
            }
            e = e->index.x;
            break;
        case EXPR_STAR:
            esc_discard(x, e->x);
            return HEAP;
        default:
            esc_discard(x, e);
            return HEAP;
        }
    }
}

/* e is what the variable of a location is declared with, which keeps it if it is
 * never assigned again. */
static void
note_value(struct esc *x, uint32_t to, struct ast_expr *e)
{
    struct loc *l;

    if (to == NOWHERE || to == HEAP || e->type == NULL ||
        type_kind_of(e->type) != TYPE_FUNC)
        return;
    l = &x->locs.at[to];
    if (l->site == SITE_VAR && object_by_value(l->at))
        l->value = e;
}

/* Several targets and values, or one value of several. */
static void
flow_values(struct esc *x, const uint32_t *to, struct type **types,
    uint32_t n, struct ast_exprs rhs, bool declares)
{
    struct esc_targets rs = {.to = to, .n = n};
    struct ast_expr *e;
    uint32_t i;

    rt_assert(rhs.n == n || rhs.n <= 1);
    if (rhs.n == n) {
        for (i = 0; i < n; i++) {
            esc_as(x, rhs.at[i], types[i], to[i], 0);
            if (declares)
                note_value(x, to[i], rhs.at[i]);
        }
        return;
    }
    if (rhs.n == 0)
        return;
    e = ast_unparen(rhs.at[0]);
    if (e->kind == EXPR_CALL) {
        /* A result that is boxed on its way is kept. */
        uint32_t *own = gen_scratch(x->g, n * sizeof *own);

        for (i = 0; i < n; i++) {
            own[i] = to[i];
            if (types[i] != NULL && type_is_interface(types[i]) &&
                e->type->kind == TYPE_TUPLE &&
                !type_is_interface(e->type->vars[i]->type))
                own[i] = HEAP;
        }
        rs.to = own;
        esc_call(x, e, &rs);
    } else if (e->kind == EXPR_ASSERT) {
        esc_val(x, e, to[0], 0);
    } else {
        esc_discard(x, e);
    }
}

/* The field that e is of the variable v, or of what that points to, directly;
 * NULL: something else. */
static const struct selection *
field_of(const struct ast_expr *e, const struct object **v)
{
    const struct ast_expr *of;

    if (e->kind != EXPR_SELECTOR || e->selector.how == NULL ||
        e->selector.how->kind != SEL_FIELD || e->selector.how->nsteps != 1)
        return NULL;
    of = ast_unparen(e->selector.x);
    *v = of->kind == EXPR_NAME ? of->obj : NULL;
    return *v != NULL && (*v)->kind == OBJ_VAR ? e->selector.how : NULL;
}

/* v.f = v.g, or a part of that as in b.buf = b.buf[:n]: what was in there is
 * there. */
static bool
is_to_itself(const struct ast_stmt *s)
{
    const struct object *to, *from;
    const struct selection *a, *b;
    struct ast_expr *e;

    if (s->kind != STMT_ASSIGN || s->op != 0 || s->assign.lhs.n != 1 ||
        s->assign.rhs.n != 1)
        return false;
    e = ast_unparen(s->assign.rhs.at[0]);
    if (e->kind == EXPR_SLICE) {
        e = ast_unparen(e->slice.x);
        if (type_kind_of(e->type) != TYPE_SLICE &&
            type_kind_of(e->type) != TYPE_STRING)
            return false;
    }
    a = field_of(ast_unparen(s->assign.lhs.at[0]), &to);
    b = field_of(e, &from);
    return a != NULL && b != NULL && to == from &&
        !type_is_interface(s->assign.lhs.at[0]->type);
}

static void
assign(struct esc *x, struct ast_stmt *s)
{
    uint32_t i, n = s->assign.lhs.n;
    uint32_t *to = gen_scratch(x->g, (n + 1) * sizeof *to);
    struct type **types = gen_scratch(x->g, (n + 1) * sizeof *types);
    bool define = s->kind == STMT_DEFINE;

    if (is_to_itself(s)) {
        esc_discard(x, s->assign.lhs.at[0]);
        esc_discard(x, s->assign.rhs.at[0]);
        return;
    }
    if (!define)
        for (i = 0; i < n; i++)
            to[i] = target(x, s->assign.lhs.at[i]);
    /* A new variable is seen behind its own definition. */
    for (i = 0; i < n; i++) {
        struct object *v = define ? s->assign.objs[i] : NULL;

        if (define)
            to[i] = v != NULL ? esc_declare(x, v) :
                target(x, s->assign.lhs.at[i]);
        types[i] = v != NULL ? v->type : s->assign.lhs.at[i]->type;
    }
    if (s->kind == STMT_ASSIGN && s->op != 0) {
        if (s->assign.rhs.n != 0)
            esc_val(x, s->assign.rhs.at[0], to[0], 0);
        return;
    }
    flow_values(x, to, types, n, s->assign.rhs, define);
}

static void
var_decl(struct esc *x, struct ast_decl *d)
{
    uint32_t i, n = d->var.nname;
    uint32_t *to = gen_scratch(x->g, (n + 1) * sizeof *to);
    struct type **types = gen_scratch(x->g, (n + 1) * sizeof *types);

    for (i = 0; i < n; i++) {
        struct object *v = d->var.objs[i];

        to[i] = esc_declare(x, v);
        types[i] = v != NULL ? v->type : NULL;
    }
    flow_values(x, to, types, n, d->var.values, true);
}

static void
return_stmt(struct esc *x, struct ast_stmt *s)
{
    uint32_t fn = x->fn, i, n;
    struct ast_exprs v = s->ret.values;
    struct type **types;
    uint32_t *to;
    struct type *sig;

    while (x->fns.at[fn].is_range)
        fn = x->fns.at[fn].up;
    sig = x->fns.at[fn].sig;
    rt_assert(sig != NULL && sig->nvars >= sig->nparams);
    n = sig->nvars - sig->nparams;
    to = gen_scratch(x->g, (n + 1) * sizeof *to);
    types = gen_scratch(x->g, (n + 1) * sizeof *types);
    for (i = 0; i < n; i++) {
        /* A loop's body stores them. */
        if (fn != x->fn)
            esc_loc_of(x, sig->vars[sig->nparams + i]);
        to[i] = fn == 0 ? 1 + i : HEAP;
        types[i] = sig->vars[sig->nparams + i]->type;
    }
    if (fn == 0) {
        struct ast_expr *e = v.n == 1 ? ast_unparen(v.at[0]) : NULL;

        if (e == NULL || e->kind != EXPR_FUNCLIT || x->lit != NULL)
            x->fns.at[0].returns_else = true;
        else
            x->lit = e->func;
    }
    flow_values(x, to, types, n, v, false);
}

static void
for_stmt(struct esc *x, struct ast_stmt *s)
{
    uint32_t i, at;
    bool fresh = (s->flags & AST_S_SHARED) == 0;

    if (s->for_.init != NULL)
        stmt(x, s->for_.init);
    x->depth++;
    for (i = 0; fresh && i < s->for_.nvar; i++)
        if (s->for_.vars[i] != NULL &&
            gmap_get(&x->ids, (uint64_t)(uintptr_t)s->for_.vars[i], &at))
            x->locs.at[at].inside = x->depth;
    esc_discard(x, s->for_.cond);
    if (s->for_.post != NULL)
        stmt(x, s->for_.post);
    esc_stmts(x, s->for_.body->stmts);
    rt_assert(x->depth > 0);
    x->depth--;
}

/* The yield function: with how many derefs the range function lets it flow to
 * the heap. */
static int
yield_leak(struct esc *x, struct ast_expr *e)
{
    struct object *fn;
    const struct sum *s;

    fn = esc_static_callee(e);
    if (fn != NULL) {
        s = esc_sum_of(x, fn);
        return esc_leak(s, NULL,
            e->kind == EXPR_SELECTOR && e->selector.how != NULL &&
                e->selector.how->kind == SEL_METHOD, 0);
    }
    return esc_leak(esc_literal_sum(x, e), NULL, 0, 0);
}

static void
range_targets(struct esc *x, struct ast_stmt *s, uint32_t *k, uint32_t *v)
{
    *k = *v = NOWHERE;
    if (s->range.define) {
        *k = esc_declare(x, s->range.kobj);
        *v = esc_declare(x, s->range.vobj);
        return;
    }
    if (s->range.key != NULL)
        *k = target(x, s->range.key);
    if (s->range.value != NULL)
        *v = target(x, s->range.value);
}

static void
range_func(struct esc *x, struct ast_stmt *s)
{
    struct ast_expr *seq = esc_origin(x, s->range.x);
    uint32_t at, k, v, old, depth = x->depth, up, yield;
    int d = yield_leak(x, seq);

    esc_discard(x, s->range.x);
    x->depth++;
    at = esc_new_loc(x, SITE_RANGE, s, NULL);
    if (seq->kind == EXPR_FUNCLIT &&
        gmap_get(&x->ids, (uint64_t)(uintptr_t)type_under(seq->type)->vars[0],
            &yield))
        esc_add_addr(x, yield, at, 0);
    else if (d != NO_LEAK)
        esc_add_addr(x, HEAP, at, d);
    up = x->fn;
    old = esc_enter(x, true, at, x->fns.at[up].sig, NULL);
    x->fns.at[x->fn].next = x->fns.at[up].is_range ? x->fns.at[up].next :
        NOWHERE;
    if (x->fns.at[x->fn].next == NOWHERE) {
        uint32_t body = x->fn, next;

        x->fn = old;
        next = esc_new_loc(x, SITE_NEXT, s, NULL);
        x->fn = body;
        x->fns.at[body].next = next;
    }
    esc_add(x, at, x->fns.at[x->fn].next, -1);
    x->depth = 1;
    range_targets(x, s, &k, &v);
    /* What a range function yields may be anything, but nothing of ours
     * unless it leaked. */
    esc_stmts(x, s->range.body->stmts);
    rt_assert(x->failed || (x->depth == 1 && x->fns.at[x->fn].is_range));
    x->depth = depth;
    x->fn = old;
}

static void
range_stmt(struct esc *x, struct ast_stmt *s)
{
    enum type_kind kind = type_kind_of(s->range.x->type);
    bool shared = (s->flags & AST_S_SHARED) != 0;
    uint32_t k, v;

    if (kind == TYPE_FUNC) {
        range_func(x, s);
        return;
    }
    if (!shared)
        x->depth++;
    range_targets(x, s, &k, &v);
    if (!shared)
        x->depth--;
    if (kind == TYPE_ARRAY)
        esc_val(x, s->range.x, v, 0);
    else if (kind == TYPE_SLICE || kind == TYPE_POINTER)
        esc_val(x, s->range.x, v, 1);
    else
        esc_discard(x, s->range.x);
    x->depth++;
    esc_stmts(x, s->range.body->stmts);
    x->depth--;
}

/* The operands of go, and of a defer in a loop, are kept. */
static void
keep_call(struct esc *x, struct ast_expr *e)
{
    struct ast_expr *fun = ast_unparen(e->call.fun);
    struct esc_targets none = {0};
    uint32_t i;

    rt_assert(e->kind == EXPR_CALL);
    if ((e->flags & AST_F_CONVERSION) || fun->mode == MODE_BUILTIN) {
        for (i = 0; i < e->call.args.n; i++)
            esc_as(x, e->call.args.at[i], x->g->c->types.empty_iface, HEAP, 0);
        return;
    }
    esc_val(x, fun, HEAP, 0);
    esc_flow_args(x, e, type_under(fun->type), NULL, NULL, 0, &none);
}

/* Whether it is a method whose operand is kept as it is until the call. */
static bool
is_late(const struct ast_expr *fun)
{
    return fun->kind == EXPR_SELECTOR && fun->selector.how != NULL &&
        fun->selector.how->late;
}

static void
defer_stmt(struct esc *x, struct ast_stmt *s)
{
    struct ast_expr *e = ast_unparen(s->x), *fun = ast_unparen(e->call.fun);
    struct esc_targets none = {.later = true};

    if (x->depth > 1 || x->fns.at[x->fn].is_range || is_late(fun) ||
        (e->flags & AST_F_CONVERSION) || fun->mode == MODE_BUILTIN)
        keep_call(x, e);
    else
        esc_call(x, e, &none);
}

static void
type_switch(struct esc *x, struct ast_stmt *s)
{
    struct ast_expr *g = s->tswitch.guard;
    uint32_t i, hop = esc_new_loc(x, SITE_NONE, NULL, NULL);

    if (s->tswitch.init != NULL)
        stmt(x, s->tswitch.init);
    esc_val(x, g->kind == EXPR_TYPEGUARD ? g->x : g, hop, 0);
    for (i = 0; i < s->tswitch.ncase; i++) {
        struct ast_case *c = s->tswitch.cases[i];

        if (c->obj != NULL) {
            uint32_t v = esc_declare(x, c->obj);
            struct type *t = c->obj->type;

            esc_add(x, v, hop,
                type_is_interface(t) || type_is_pointer_shaped(t) ? 0 : 1);
        }
        esc_stmts(x, c->body);
    }
}

static void
select_stmt(struct esc *x, struct ast_stmt *s)
{
    uint32_t i;

    for (i = 0; i < s->select.ncomm; i++) {
        if (s->select.comms[i]->comm != NULL)
            stmt(x, s->select.comms[i]->comm);
        esc_stmts(x, s->select.comms[i]->body);
    }
}

static void
stmt(struct esc *x, struct ast_stmt *s)
{
    uint32_t i;

    for (; s != NULL && s->kind == STMT_IF; s = s->if_.els) {
        if (s->if_.init != NULL)
            stmt(x, s->if_.init);
        esc_discard(x, s->if_.cond);
        esc_stmts(x, s->if_.then->stmts);
    }
    if (s == NULL || x->failed)
        return;
    switch (s->kind) {
    case STMT_EXPR:
        esc_discard(x, s->x);
        break;
    case STMT_SEND:
        esc_discard(x, s->send.chan);
        esc_as(x, s->send.value, type_under(s->send.chan->type)->elem, HEAP, 0);
        break;
    case STMT_ASSIGN:
    case STMT_DEFINE:
        assign(x, s);
        break;
    case STMT_GO:
        keep_call(x, ast_unparen(s->x));
        break;
    case STMT_DEFER:
        defer_stmt(x, s);
        break;
    case STMT_RETURN:
        return_stmt(x, s);
        break;
    case STMT_GOTO:
        /* Backwards it may be a loop. */
        if (s->branch.target == NULL || s->branch.target->pos < s->pos)
            x->failed = true;
        break;
    case STMT_BLOCK:
        esc_stmts(x, s->block->stmts);
        break;
    case STMT_SWITCH:
        if (s->switch_.init != NULL)
            stmt(x, s->switch_.init);
        esc_discard(x, s->switch_.tag);
        for (i = 0; i < s->switch_.ncase; i++) {
            esc_discard_list(x, s->switch_.cases[i]->exprs);
            esc_stmts(x, s->switch_.cases[i]->body);
        }
        break;
    case STMT_TSWITCH:
        type_switch(x, s);
        break;
    case STMT_SELECT:
        select_stmt(x, s);
        break;
    case STMT_FOR:
        for_stmt(x, s);
        break;
    case STMT_RANGE:
        range_stmt(x, s);
        break;
    case STMT_LABELED:
        stmt(x, s->labeled.stmt);
        break;
    case STMT_DECL:
        for (i = 0; i < s->decl.decls.n; i++)
            if (s->decl.decls.at[i]->kind == DECL_VAR)
                var_decl(x, s->decl.decls.at[i]);
        break;
    default:
        break;
    }
}

void
esc_stmts(struct esc *x, struct ast_stmts list)
{
    uint32_t i;

    for (i = 0; i < list.n && !x->failed; i++)
        stmt(x, list.at[i]);
}
