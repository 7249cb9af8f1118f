/* SPDX-License-Identifier: MIT */
/*
 * Assignments, definitions, variable declarations.
 */
#include "runtime/lang/gen/gen_hoist.h"
#include "runtime/lang/gen/gen_int.h"

#include <string.h>

/* Is e the name _? */
static bool
is_blank_expr(struct ast_expr *e)
{
    e = ast_unparen(e);
    return e->kind == EXPR_NAME && strcmp(e->name->text, "_") == 0;
}

/* A literal of a struct or an array is built where it will be: element by
 * element, which must not be seen where an element reads the place. */
static bool
builds_in_place(const struct gfunc *f, struct ast_expr *e)
{
    enum type_kind k;

    e = ast_unparen(e);
    if (e->kind != EXPR_COMPOSITE || (e->flags & AST_F_ADDR))
        return false;
    k = type_kind_of(gf_type(f, e));
    return k == TYPE_STRUCT || k == TYPE_ARRAY;
}

/* A large value that lies in memory: copied there, not through slots. */
static bool
copy_memory(struct gfunc *f, const struct place *p, struct ast_expr *e)
{
    struct ast_expr *x = ast_unparen(e);
    struct place q;
    int a, b;

    if (type_slots(p->type) <= 4 || type_is_interface(p->type) ||
        x->cv != NULL || !gf_place_in_memory(p))
        return false;
    if (gf_is_place(f, x)) {
        q = gf_place_of(f, x);
        gf_copy(f, p, &q);
        return true;
    }
    if (!builds_in_place(f, x) || type_slots(p->type) <= 16)
        return false;
    b = gf_temp_ptr(f);
    gf_composite_addr(f, x, HOME_CELL, b);
    a = gf_addr(f, p, NO_SLOT);
    gf_abc(f, OP_COPYT, a, b, 0);
    gf_ext(f, 0, gen_type(f->g, p->type));
    return true;
}

/* p = e, where evaluating e may read p. */
void
gf_assign_expr(struct gfunc *f, const struct place *p, struct ast_expr *e)
{
    uint32_t m = gf_mark(f);
    int s;

    if (p->kind == PLACE_BLANK) {
        gf_expr_discard(f, e);
    } else if (p->late) {
        s = gf_expr_as(f, e, p->type);
        gf_check_late(f, p);
        gf_store(f, p, s);
    } else if (p->kind == PLACE_SLOT && !builds_in_place(f, e)) {
        gf_expr_as_to(f, e, p->type, p->slot);
    } else if (!copy_memory(f, p, e)) {
        s = gf_expr_as(f, e, p->type);
        gf_store(f, p, s);
    }
    gf_release(f, m);
}

/* Stores a value of type `from` that is in slots. */
static void
store_as(struct gfunc *f, const struct place *p, struct type *from, int s)
{
    uint32_t m = gf_mark(f);

    if (p->kind != PLACE_BLANK && type_is_interface(p->type) &&
        !type_is_interface(from)) {
        int t = gf_temp(f, p->type);

        gf_to_iface(f, p->type, from, t, s);
        s = t;
    }
    gf_store(f, p, s);
    gf_release(f, m);
}

/* The values that one expression gives, a call's results, or a value and
 * whether there was one.  first: somebody wants that. */
static void
tuple_values(
    struct gfunc *f, struct ast_expr *x, uint32_t n, bool first, int *slots)
{
    if (x->kind == EXPR_CALL && !(x->flags & AST_F_COMMAOK)) {
        rt_assert(gf_type(f, x)->nvars == n);
        gf_call_tuple(f, x, slots);
        return;
    }
    rt_assert(n == 2);
    slots[0] = !first && x->kind == EXPR_ASSERT ?
        NO_SLOT : gf_temp(f, gf_type(f, x));
    slots[1] = gf_temp_int(f);
    gf_comma_ok(f, x, slots[0], slots[1]);
}

/* All places get what there is of x. */
static void
store_tuple(struct gfunc *f, const struct place *lhs, uint32_t n,
    const struct ast_expr *x, const int *slots)
{
    struct type *t = gf_type(f, x), *bt = &f->g->c->types.basic[TYPE_BOOL];
    bool call = x->kind == EXPR_CALL && !(x->flags & AST_F_COMMAOK);
    uint32_t i;

    for (i = 0; i < n; i++)
        if (slots[i] != NO_SLOT)
            store_as(f, &lhs[i],
                call ? t->vars[i]->type : i == 0 ? t : bt, slots[i]);
}

static void
assign_tuple(struct gfunc *f, struct place *lhs, uint32_t n,
    struct ast_expr *e)
{
    struct ast_expr *x = ast_unparen(e);
    int *slots = gen_alloc(f->g, n * sizeof *slots);

    tuple_values(f, x, n, lhs[0].kind != PLACE_BLANK, slots);
    store_tuple(f, lhs, n, x, slots);
}

static bool
is_wide_memory(const struct place *p)
{
    return p->kind != PLACE_BLANK && gf_is_wide(p->type) &&
        (p->kind == PLACE_LATER || gf_place_in_memory(p));
}

/* Does assigning to one of the places change a local variable in place? */
static bool
writes_slots(const struct place *lhs, uint32_t n)
{
    uint32_t i;

    for (i = 0; i < n; i++)
        if (lhs[i].kind == PLACE_SLOT || lhs[i].kind == PLACE_BYTES ||
            lhs[i].kind == PLACE_LATER)
            return true;
    return false;
}

/* One of several values that are assigned at once, where p is memory and the
 * value too large for slots: in memory of its own until all are there. */
static int
wide_value(struct gfunc *f, const struct place *p, struct ast_expr *e)
{
    struct place own = gf_mem_place(gf_temp_ptr(f), 0, p->type);

    own.sure = true;
    gf_new(f, p->type, HOME_CELL, own.slot);
    gf_assign_expr(f, &own, e);
    return own.slot;
}

static void
store_value(struct gfunc *f, const struct place *p, int s)
{
    struct place own = gf_mem_place(s, 0, p->type);

    own.sure = true;
    if (is_wide_memory(p))
        gf_copy(f, p, &own);
    else
        gf_store(f, p, s);
}

void
gf_assign_values(struct gfunc *f, struct place *lhs, uint32_t n,
    struct ast_exprs rhs)
{
    uint32_t i, m = gf_mark(f);
    int *slots;

    rt_assert(rhs.n == 1 || rhs.n == n);
    if (rhs.n == 1 && n == 1) {
        gf_assign_expr(f, &lhs[0], rhs.at[0]);
    } else if (rhs.n == 1) {
        assign_tuple(f, lhs, n, rhs.at[0]);
    } else {
        bool copy = writes_slots(lhs, n);

        slots = gen_alloc(f->g, n * sizeof *slots);
        for (i = 0; i < n; i++) {
            if (lhs[i].kind == PLACE_BLANK)
                gf_expr_discard(f, rhs.at[i]);
            else if (is_wide_memory(&lhs[i]))
                slots[i] = wide_value(f, &lhs[i], rhs.at[i]);
            else if (copy)
                slots[i] = gf_expr_copy(f, rhs.at[i], lhs[i].type);
            else
                slots[i] = gf_expr_as(f, rhs.at[i], lhs[i].type);
        }
        for (i = 0; i < n; i++)
            if (lhs[i].kind != PLACE_BLANK)
                store_value(f, &lhs[i], slots[i]);
    }
    gf_release(f, m);
}

/* ---- x op= y, x++ ---------------------------------------------------------------- */

/* x += a * b of float64s, where x has a slot, is one instruction, which rounds
 * the product as well as the sum. */
static bool
multiply_add(struct gfunc *f, struct ast_stmt *s, const struct place *p)
{
    struct ast_expr *y;
    int a, b;

    if (s->op != TOK_ADD || s->assign.rhs.n == 0 || p->kind != PLACE_SLOT ||
        type_kind_of(p->type) != TYPE_FLOAT64)
        return false;
    y = ast_unparen(s->assign.rhs.at[0]);
    if (y->kind != EXPR_BINARY || y->op != TOK_MUL || y->cv != NULL)
        return false;
    a = gf_expr(f, y->binary.x);
    b = gf_expr(f, y->binary.y);
    f->pos = s->pos;
    gf_abc(f, OP_MADDF, p->slot, a, b);
    return true;
}

/* dst = cur op the right side, which is 1 where there is none (x++, x--). */
static void
op_value(struct gfunc *f, struct ast_stmt *s, struct type *t, int dst,
    int cur)
{
    enum lang_tok op = (enum lang_tok)s->op;
    struct ast_expr *y = s->assign.rhs.n ? s->assign.rhs.at[0] : NULL;
    bool modulo;
    uint64_t k;
    int ys, base;

    f->pos = s->pos;
    if (y == NULL) {
        if (type_is_integer(t)) {
            gf_binary_imm(f, op, t, dst, cur, 1);
        } else {
            struct type *ct = t;
            const struct constv *one = const_int64(&f->g->c->cctx, 1);

            ys = gf_temp(f, ct);
            gf_const_to(f, one, ct, ys);
            gf_binary_slots(f, op, t, dst, cur, ys);
        }
        return;
    }
    if (op == TOK_SHL || op == TOK_SHR) {
        if (y->cv != NULL && const_to_uint64(y->cv, &k)) {
            gf_shift_const(f, op, t, dst, cur, k);
        } else {
            ys = gf_shift_count(f, y, &modulo);
            f->pos = s->pos;
            gf_shift_slots(f, op, t, dst, cur, ys, gf_type(f, y), modulo);
        }
        return;
    }
    if (type_is_string(t)) {
        ys = gf_expr(f, y);
        base = gf_call_base(f);
        gf_need(f, base + 4);
        gf_move(f, base, cur, 2);
        gf_move(f, base + 2, ys, 2);
        gf_abc(f, OP_CONCAT, dst, base, 2);
        return;
    }
    if (gf_binary_const(f, op, t, dst, cur, y))
        return;
    ys = gf_expr(f, y);
    f->pos = s->pos;
    gf_binary_slots(f, op, t, dst, cur, ys);
}

/* Whether op of two numbers never panics. */
static bool
is_harmless(enum lang_tok op)
{
    return op == TOK_ADD || op == TOK_SUB || op == TOK_MUL || op == TOK_AND ||
        op == TOK_OR || op == TOK_XOR || op == TOK_AND_NOT;
}

/*
 * m[k] op= y on numbers: the key is looked for once, and made if it is not
 * there, as nothing between that and the store can fail or change the map.
 * False: it is something else.
 */
static bool
op_in_map(struct gfunc *f, struct ast_stmt *s, const struct place *p)
{
    enum lang_tok op = (enum lang_tok)s->op;
    struct ast_expr *y = s->assign.rhs.n ? s->assign.rhs.at[0] : NULL;
    int ys = NO_SLOT, at, cur, dst;
    struct type *t = p->type;
    struct place elem;

    if (p->kind != PLACE_MAP || !is_harmless(op) ||
        !(type_is_integer(t) || type_is_float(t)) ||
        (y != NULL && expr_may_call(y)))
        return false;
    if (y != NULL && y->cv == NULL)
        ys = gf_expr(f, y);
    f->pos = s->pos;
    at = gf_temp_ptr(f);
    gf_abc(f, OP_MAPREF, at, p->slot, p->idx);
    gf_ext(f, 0, gen_type(f->g, p->mtype));
    elem = gf_mem_place(at, 0, t);
    cur = gf_load_temp(f, &elem);
    dst = gf_temp(f, t);
    if (ys != NO_SLOT)
        gf_binary_slots(f, op, t, dst, cur, ys);
    else
        op_value(f, s, t, dst, cur);
    gf_store(f, &elem, dst);
    return true;
}

static void
op_assign(struct gfunc *f, struct ast_stmt *s)
{
    struct place p = gf_place_of(f, s->assign.lhs.at[0]);
    struct type *t = p.type;
    int cur, dst;

    if (multiply_add(f, s, &p) || op_in_map(f, s, &p))
        return;
    f->pos = s->pos;
    if (p.kind == PLACE_SLOT) {
        op_value(f, s, t, p.slot, p.slot);
        return;
    }
    cur = gf_load_temp(f, &p);
    dst = gf_temp(f, t);
    op_value(f, s, t, dst, cur);
    gf_store(f, &p, dst);
}

/*
 * The operands of index expressions and pointer indirections on the left are
 * evaluated first; a local variable among them that the same statement
 * assigns must be read before.
 */
struct place
gf_stable(struct gfunc *f, struct place p)
{
    int t;

    switch (p.kind) {
    case PLACE_MEM:
    case PLACE_MAP:
        t = gf_temp_ptr(f);
        gf_move(f, t, p.slot, 1);
        p.slot = t;
        break;
    case PLACE_ELEM: {
        static const enum code_slot_kind kinds[2] = {CODE_POINTER, CODE_SCALAR};

        t = gf_temp_kinds(f, kinds, 2);
        gf_move(f, t, p.slot, 2);
        p.slot = t;
        break;
    }
    default:
        break;
    }
    if (p.kind == PLACE_MAP) {
        t = gf_temp(f, type_under(p.mtype)->key);
        gf_move(f, t, p.idx, type_slots(type_under(p.mtype)->key));
        p.idx = t;
    } else if (p.kind == PLACE_ELEM) {
        t = gf_temp_int(f);
        gf_move(f, t, p.idx, 1);
        p.idx = t;
    }
    return p;
}

/* Is one of the targets a local variable, or part of one? */
static bool
targets_local(const struct gfunc *f, struct ast_exprs lhs)
{
    uint32_t i;

    for (i = 0; i < lhs.n; i++) {
        struct ast_expr *e = ast_unparen(lhs.at[i]);

        if (is_blank_expr(e))
            continue;
        if (e->kind == EXPR_INDEX) {
            enum type_kind k = type_kind_of(gf_type(f, e->index.x));

            if (k != TYPE_ARRAY)
                continue;
        } else if (e->kind == EXPR_STAR) {
            continue;
        }
        return true;
    }
    return false;
}

/* The places of an assignment's left side. */
static struct place *
places_of(struct gfunc *f, struct ast_exprs lhs)
{
    struct place *ps = gen_alloc(f->g, lhs.n * sizeof *ps);
    bool local = targets_local(f, lhs);
    uint32_t i;

    for (i = 0; i < lhs.n; i++) {
        if (is_blank_expr(lhs.at[i])) {
            ps[i].kind = PLACE_BLANK;
            ps[i].type = NULL;
        } else {
            ps[i] = gf_later_place(f, lhs.at[i], local);
        }
    }
    return ps;
}

static void
assign_one(struct gfunc *f, struct ast_expr *to, struct ast_expr *e)
{
    struct place p = {0};

    if (is_blank_expr(to)) {
        p.kind = PLACE_BLANK;
    } else {
        f->late = ast_unparen(to)->kind == EXPR_INDEX && expr_may_call(e);
        p = gf_place_of(f, to);
    }
    gf_assign_expr(f, &p, e);
}

/* Several places get what one expression gives.  As elsewhere, the calls on
 * the left come first, then the one on the right, and the places are what these
 * have left. */
static void
assign_from_one(struct gfunc *f, struct ast_exprs lhs, struct ast_expr *e)
{
    struct ast_expr *x = ast_unparen(e);
    int *slots;

    if (!gf_hoist_calls(f, lhs)) {
        assign_tuple(f, places_of(f, lhs), lhs.n, e);
        return;
    }
    slots = gen_alloc(f->g, lhs.n * sizeof *slots);
    tuple_values(f, x, lhs.n, !is_blank_expr(lhs.at[0]), slots);
    store_tuple(f, places_of(f, lhs), lhs.n, x, slots);
}

void
gf_assign(struct gfunc *f, struct ast_stmt *s)
{
    struct ast_exprs lhs = s->assign.lhs, rhs = s->assign.rhs;
    uint32_t h = f->hoisted.n, m = gf_mark(f);

    f->pos = s->pos;
    if (lhs.n == rhs.n || s->op != 0) /* x++ has no right side */
        gf_hoist(f, lhs, rhs);
    if (s->op != 0)
        op_assign(f, s);
    else if (lhs.n == 1)
        assign_one(f, lhs.at[0], rhs.at[0]);
    else if (rhs.n == 1)
        assign_from_one(f, lhs, rhs.at[0]);
    else
        gf_assign_values(f, places_of(f, lhs), lhs.n, rhs);
    f->hoisted.n = h;
    gf_release(f, m);
}

/* ---- definitions ------------------------------------------------------------------- */

static bool
blank_obj(const struct object *v)
{
    return v->name == NULL || strcmp(v->name->text, "_") == 0;
}

/* v := e, v new. */
static void
define_one(struct gfunc *f, struct object *v, struct ast_expr *e)
{
    struct type *t = gf_obj_type(f, v);
    uint32_t h = f->hoisted.n, m;
    int slot, s;

    if (blank_obj(v)) {
        struct place p = {0};

        p.kind = PLACE_BLANK;
        gf_assign_expr(f, &p, e);
        return;
    }
    if (gf_crowd(f, v)) {
        struct place p = gf_var_place(f, v);

        gf_assign_expr(f, &p, e);
        return;
    }
    if (!gf_var_on_heap(f, v)) {
        slot = gf_temp(f, t);
        m = gf_mark(f);
        gf_hoist1(f, e);
        if (builds_in_place(f, e) && !type_is_interface(t)) {
            struct place p = {0};

            p.kind = PLACE_SLOT;
            p.slot = slot;
            p.type = t;
            gf_composite_place(f, ast_unparen(e), p.type, p, false);
        } else {
            gf_expr_as_to(f, e, t, slot);
        }
    } else {
        slot = gf_temp_ptr(f);
        m = gf_mark(f);
        gf_hoist1(f, e);
        if (builds_in_place(f, e) && !type_is_interface(t)) {
            /* A new cell: built in place, then it becomes the variable. */
            gf_composite_addr(f, ast_unparen(e), gf_home_var(f, v), slot);
        } else {
            struct place p = gf_mem_place(slot, 0, t);

            if (type_slots(t) > 4 && !type_is_interface(t)) {
                int cell = gf_temp_ptr(f);

                p.slot = cell;
                gf_new(f, t, gf_home_var(f, v), cell);
                gf_assign_expr(f, &p, e);
                gf_move(f, slot, cell, 1);
            } else {
                s = gf_expr_as(f, e, t);
                gf_new(f, t, gf_home_var(f, v), slot);
                gf_store(f, &p, s);
            }
        }
    }
    f->hoisted.n = h;
    gf_release(f, m);
    *gvec_push(f->g, &f->var_objs) = v;
    v->gen = (uint64_t)slot + 1;
}

static bool
all_new(struct object **objs, uint32_t n)
{
    uint32_t i;

    for (i = 0; i < n; i++)
        if (objs[i] == NULL)
            return false;
    return true;
}

static void
define_many(struct gfunc *f, struct object **objs, struct ast_exprs *lhs,
    uint32_t n, struct ast_exprs rhs)
{
    struct place *ps = gen_alloc(f->g, n * sizeof *ps);
    int *cells = gen_alloc(f->g, n * sizeof *cells);
    struct ast_exprs none = {NULL, 0};
    uint32_t i, h = f->hoisted.n, m;

    /* New variables get their slots now, their names only at the end: the
     * right sides may use older variables of the same declaration. */
    for (i = 0; i < n; i++) {
        struct object *v = objs[i];

        if (v == NULL || blank_obj(v))
            continue;
        ps[i].type = gf_obj_type(f, v);
        if (gf_crowd(f, v)) {
            ps[i] = gf_var_place(f, v);
            continue;
        }
        if (gf_var_on_heap(f, v)) {
            cells[i] = gf_temp_ptr(f);
            ps[i].kind = PLACE_MEM;
        } else {
            cells[i] = gf_temp(f, gf_obj_type(f, v));
            ps[i].kind = PLACE_SLOT;
        }
        ps[i].slot = cells[i];
    }
    m = gf_mark(f);
    if (rhs.n == n)
        gf_hoist(f, lhs != NULL ? *lhs : none, rhs);
    for (i = 0; i < n; i++) {
        struct object *v = objs[i];

        if (v == NULL && lhs != NULL && !is_blank_expr(lhs->at[i]))
            ps[i] = gf_later_place(f, lhs->at[i], true);
        else if (v == NULL || blank_obj(v))
            ps[i].kind = PLACE_BLANK;
        else if (ps[i].kind == PLACE_MEM && !gf_crowded(v))
            gf_new(f, gf_obj_type(f, v), gf_home_var(f, v), cells[i]);
    }
    if (rhs.n == n && all_new(objs, n)) {
        /* Nothing on the right sees them: no copies in between. */
        for (i = 0; i < n; i++)
            gf_assign_expr(f, &ps[i], rhs.at[i]);
    } else {
        gf_assign_values(f, ps, n, rhs);
    }
    f->hoisted.n = h;
    gf_release(f, m);
    for (i = 0; i < n; i++) {
        struct object *v = objs[i];

        if (v == NULL || blank_obj(v) || gf_crowded(v))
            continue;
        *gvec_push(f->g, &f->var_objs) = v;
        v->gen = (uint64_t)cells[i] + 1;
    }
}

void
gf_define(struct gfunc *f, struct ast_stmt *s)
{
    f->pos = s->pos;
    if (s->assign.lhs.n == 1 && s->assign.objs[0] != NULL)
        define_one(f, s->assign.objs[0], s->assign.rhs.at[0]);
    else
        define_many(f, s->assign.objs, &s->assign.lhs, s->assign.lhs.n,
            s->assign.rhs);
}

void
gf_var_decl(struct gfunc *f, struct ast_decl *d)
{
    uint32_t i, n = d->var.nname;

    f->pos = d->pos;
    if (d->var.values.n == 0) {
        for (i = 0; i < n; i++)
            if (!blank_obj(d->var.objs[i]))
                gf_declare(f, d->var.objs[i], true);
        return;
    }
    if (d->var.values.n == n) {
        if (n == 1) {
            define_one(f, d->var.objs[0], d->var.values.at[0]);
            return;
        }
    }
    define_many(f, d->var.objs, NULL, n, d->var.values);
}
