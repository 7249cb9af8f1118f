/* SPDX-License-Identifier: MIT */
/*
 * Comparisons and conditions.  A condition becomes jumps: a comparison and
 * its branch are one instruction, && and || short-circuit through labels.
 */
#include "runtime/lang/gen/gen_hoist.h"
#include "runtime/lang/gen/gen_int.h"

/* ---- comparisons ------------------------------------------------------------------------------ */

void
gf_equal_slots(struct gfunc *f, struct type *t, int dst, int x, int y,
    bool neg)
{
    enum type_kind k = type_kind_of(t);

    /* Of these only nil is compared with, as a word. */
    rt_assert(k != TYPE_SLICE && k != TYPE_TUPLE && dst != NO_SLOT);
    switch (k) {
    case TYPE_FLOAT64:
        gf_abc(f, neg ? OP_SNEF : OP_SEQF, dst, x, y);
        return;
    case TYPE_FLOAT32:
        gf_abc(f, neg ? OP_SNEF32 : OP_SEQF32, dst, x, y);
        return;
    case TYPE_STRING:
        gf_abc(f, neg ? OP_SNES : OP_SEQS, dst, x, y);
        return;
    case TYPE_COMPLEX128:
        gf_abc(f, OP_CEQ, dst, x, y);
        break;
    case TYPE_INTERFACE:
        gf_abc(f, OP_EQIFACE, dst, x, y);
        break;
    case TYPE_COMPLEX64:
    case TYPE_STRUCT:
    case TYPE_ARRAY:
        if (type_size(t) == 0) {
            gf_ai(f, OP_LDI, dst, 1);
        } else {
            gf_abc(f, OP_EQT, dst, x, y);
            gf_ext(f, 0, gen_type(f->g, t));
        }
        break;
    default:
        gf_abc(f, neg ? OP_SNE : OP_SEQ, dst, x, y);
        return;
    }
    if (neg)
        gf_abc(f, OP_NOTB, dst, dst, 0);
}

static bool
is_nil(struct ast_expr *e)
{
    return ast_unparen(e)->mode == MODE_NIL;
}

/* The operands of == where one is an interface and the other is not. */
static struct type *
compare_type(const struct gfunc *f, struct ast_expr *x, struct ast_expr *y)
{
    struct type *xt = gf_type(f, x), *yt = gf_type(f, y);

    return type_is_interface(yt) && !type_is_interface(xt) ? yt : xt;
}

/*
 * Evaluates both operands.  The slot of x may be a local variable's own: no
 * call inside y can change it, for a variable that others reach is on the
 * heap and was loaded.
 */
static void
operands(struct gfunc *f, struct ast_expr *x, struct ast_expr *y,
    struct type *t, int *xs, int *ys)
{
    if (type_kind_of(t) == TYPE_STRING) {
        *xs = gf_view_before(f, x, y);
        *ys = gf_view(f, y);
        return;
    }
    *xs = gf_expr_as(f, x, t);
    *ys = gf_expr_as(f, y, t);
}

/* Large values that lie in memory are compared there. */
static bool
compare_memory(struct gfunc *f, struct ast_expr *e, struct type *t, int dst)
{
    struct ast_expr *x = e->binary.x, *y = e->binary.y;
    struct place p;
    int xs, ys;

    if (type_slots(t) <= 4 || type_is_interface(t) || !gf_is_place(f, x) ||
        !gf_is_place(f, y) ||
        (expr_may_call(y) && type_slots(t) <= GEN_FRAME_VAR_SLOTS))
        return false;
    p = gf_place_of(f, x);
    if (!gf_place_in_memory(&p)) {
        xs = gf_load_temp(f, &p);
        ys = gf_expr(f, y);
        gf_equal_slots(f, t, dst, xs, ys, e->op == TOK_NEQ);
        return true;
    }
    if (expr_may_call(y)) {
        struct place copy = gf_mem_place(gf_temp_ptr(f), 0, t);

        gf_new(f, t, HOME_CELL, copy.slot);
        gf_copy(f, &copy, &p);
        p = copy;
    }
    xs = gf_addr(f, &p, NO_SLOT);
    p = gf_place_of(f, y);
    f->pos = e->pos;
    if (!gf_place_in_memory(&p)) {
        ys = gf_temp(f, t);
        gf_load_mem(f, ys, xs, 0, t);
        gf_equal_slots(f, t, dst, ys, gf_load_temp(f, &p), e->op == TOK_NEQ);
        return true;
    }
    ys = gf_addr(f, &p, NO_SLOT);
    gf_abc(f, OP_EQMEM, dst, xs, ys);
    gf_ext(f, 0, gen_type(f->g, t));
    if (e->op == TOK_NEQ)
        gf_abc(f, OP_NOTB, dst, dst, 0);
    return true;
}

static enum lang_tok
swap_tok(enum lang_tok op)
{
    switch (op) {
    case TOK_LSS: return TOK_GTR;
    case TOK_LEQ: return TOK_GEQ;
    case TOK_GTR: return TOK_LSS;
    case TOK_GEQ: return TOK_LEQ;
    default: return op;
    }
}

void
gf_compare(struct gfunc *f, struct ast_expr *e, int dst)
{
    struct ast_expr *x = e->binary.x, *y = e->binary.y;
    enum lang_tok op = (enum lang_tok)e->op;
    struct type *t;
    enum code_op o;
    int xs, ys;
    int64_t k;

    rt_assert(op >= TOK_EQL && op <= TOK_GEQ);
    if (is_nil(x) || is_nil(y)) {
        rt_assert(op == TOK_EQL || op == TOK_NEQ);
        xs = gf_expr(f, is_nil(x) ? y : x);
        gf_abc(f, op == TOK_EQL ? OP_SEQI : OP_SNEI, dst, xs, 0);
        return;
    }
    t = compare_type(f, x, y);
    if ((op == TOK_EQL || op == TOK_NEQ) && gf_small_const(f, y, &k) &&
        (type_is_integer(t) || type_is_bool(t))) {
        xs = gf_expr(f, x);
        gf_abc(f, op == TOK_EQL ? OP_SEQI : OP_SNEI, dst, xs,
            (int)(uint16_t)k);
        return;
    }
    if ((op == TOK_EQL || op == TOK_NEQ) && compare_memory(f, e, t, dst))
        return;
    operands(f, x, y, t, &xs, &ys);
    f->pos = e->pos;
    if (op == TOK_EQL || op == TOK_NEQ) {
        gf_equal_slots(f, t, dst, xs, ys, op == TOK_NEQ);
        return;
    }
    if (op == TOK_GTR || op == TOK_GEQ) {
        int s = xs;

        xs = ys;
        ys = s;
        op = swap_tok(op);
    }
    rt_assert(op == TOK_LSS || op == TOK_LEQ);
    rt_assert(type_is_integer(t) || type_is_float(t) || type_is_string(t));
    switch (type_kind_of(t)) {
    case TYPE_FLOAT64: o = op == TOK_LSS ? OP_SLTF : OP_SLEF; break;
    case TYPE_FLOAT32: o = op == TOK_LSS ? OP_SLTF32 : OP_SLEF32; break;
    case TYPE_STRING: o = op == TOK_LSS ? OP_SLTS : OP_SLES; break;
    default:
        if (type_is_unsigned(t))
            o = op == TOK_LSS ? OP_SULT : OP_SULE;
        else
            o = op == TOK_LSS ? OP_SLT : OP_SLE;
        break;
    }
    gf_abc(f, o, dst, xs, ys);
}

/* Jump with two integer-like slots; swaps > and >= away. */
static void
jump_int(struct gfunc *f, enum lang_tok op, bool uns, int x, int y,
    uint32_t label)
{
    rt_assert(op >= TOK_EQL && op <= TOK_GEQ);
    switch (op) {
    case TOK_EQL: gf_jump_cmp(f, OP_JEQ, x, y, label); break;
    case TOK_NEQ: gf_jump_cmp(f, OP_JNE, x, y, label); break;
    case TOK_LSS: gf_jump_cmp(f, uns ? OP_JULT : OP_JLT, x, y, label); break;
    case TOK_LEQ: gf_jump_cmp(f, uns ? OP_JULE : OP_JLE, x, y, label); break;
    case TOK_GTR: gf_jump_cmp(f, uns ? OP_JULT : OP_JLT, y, x, label); break;
    default: gf_jump_cmp(f, uns ? OP_JULE : OP_JLE, y, x, label); break;
    }
}

static bool
jump_imm(struct gfunc *f, enum lang_tok op, bool uns, int x, int64_t k,
    uint32_t label)
{
    int b = (int)(uint16_t)k;

    rt_assert(k >= INT16_MIN && k <= INT16_MAX);
    rt_assert(op >= TOK_EQL && op <= TOK_GEQ);
    switch (op) {
    case TOK_EQL: gf_jump_cmp(f, OP_JEQI, x, b, label); return true;
    case TOK_NEQ: gf_jump_cmp(f, OP_JNEI, x, b, label); return true;
    default: break;
    }
    if (uns)
        return false;
    switch (op) {
    case TOK_LSS: gf_jump_cmp(f, OP_JLTI, x, b, label); break;
    case TOK_LEQ: gf_jump_cmp(f, OP_JLEI, x, b, label); break;
    case TOK_GTR: gf_jump_cmp(f, OP_JGTI, x, b, label); break;
    default: gf_jump_cmp(f, OP_JGEI, x, b, label); break;
    }
    return true;
}

static enum lang_tok
negate_tok(enum lang_tok op)
{
    switch (op) {
    case TOK_EQL: return TOK_NEQ;
    case TOK_NEQ: return TOK_EQL;
    case TOK_LSS: return TOK_GEQ;
    case TOK_LEQ: return TOK_GTR;
    case TOK_GTR: return TOK_LEQ;
    default: return TOK_LSS;
    }
}

static void
jump_float(struct gfunc *f, enum lang_tok op, bool sense, int x, int y,
    uint32_t label)
{
    enum code_op o;

    if (op == TOK_GTR || op == TOK_GEQ) {
        int s = x;

        x = y;
        y = s;
        op = swap_tok(op);
    }
    /* The negation of < is no comparison of Go's: with a NaN both fail. */
    rt_assert(op == TOK_EQL || op == TOK_NEQ || op == TOK_LSS || op == TOK_LEQ);
    switch (op) {
    case TOK_EQL: o = sense ? OP_JEQF : OP_JNEF; break;
    case TOK_NEQ: o = sense ? OP_JNEF : OP_JEQF; break;
    case TOK_LSS: o = sense ? OP_JLTF : OP_JNLTF; break;
    default: o = sense ? OP_JLEF : OP_JNLEF; break;
    }
    gf_jump_cmp(f, o, x, y, label);
}

/* A comparison as a jump; false where it must go through a bool. */
static bool
cond_compare(struct gfunc *f, struct ast_expr *e, bool sense, uint32_t label)
{
    struct ast_expr *x = e->binary.x, *y = e->binary.y;
    enum lang_tok op = (enum lang_tok)e->op;
    enum lang_tok eff = sense ? op : negate_tok(op);
    struct type *t;
    enum type_kind k;
    int xs, ys;
    int64_t c;

    rt_assert(op >= TOK_EQL && op <= TOK_GEQ);
    if (is_nil(x) || is_nil(y)) {
        xs = gf_expr(f, is_nil(x) ? y : x);
        f->pos = e->pos;
        gf_jump_cmp(f, eff == TOK_EQL ? OP_JEQI : OP_JNEI, xs, 0, label);
        return true;
    }
    t = compare_type(f, x, y);
    k = type_kind_of(t);
    if (k == TYPE_FLOAT64) {
        operands(f, x, y, t, &xs, &ys);
        f->pos = e->pos;
        jump_float(f, op, sense, xs, ys, label);
        return true;
    }
    if (k == TYPE_STRING && (op == TOK_EQL || op == TOK_NEQ)) {
        operands(f, x, y, t, &xs, &ys);
        f->pos = e->pos;
        gf_jump_cmp(f, eff == TOK_EQL ? OP_JEQS : OP_JNES, xs, ys, label);
        return true;
    }
    if (!type_is_integer(t) && !type_is_bool(t) &&
        !type_is_pointer_shaped(t))
        return false;
    if (gf_small_const(f, y, &c) &&
        (!type_is_unsigned(t) || eff == TOK_EQL || eff == TOK_NEQ)) {
        xs = gf_expr(f, x);
        f->pos = e->pos;
        return jump_imm(f, eff, type_is_unsigned(t), xs, c, label);
    }
    if (gf_small_const(f, x, &c) &&
        (!type_is_unsigned(t) || eff == TOK_EQL || eff == TOK_NEQ)) {
        ys = gf_expr(f, y);
        f->pos = e->pos;
        return jump_imm(f, swap_tok(eff), type_is_unsigned(t), ys, c, label);
    }
    operands(f, x, y, t, &xs, &ys);
    f->pos = e->pos;
    jump_int(f, eff, type_is_unsigned(t), xs, ys, label);
    return true;
}

/* Jumps to label if e is `sense`; else falls through. */
void
gf_cond(struct gfunc *f, struct ast_expr *e, bool sense, uint32_t label)
{
    uint32_t m, skip, h = f->hoisted.n;
    int slot;

    e = ast_unparen(e);
    if (e->cv != NULL) {
        if (const_bool_val(e->cv) == sense)
            gf_jump(f, label);
        return;
    }
    if (e->kind == EXPR_UNARY && e->op == TOK_NOT) {
        gf_cond(f, e->unary.x, !sense, label);
        return;
    }
    m = gf_mark(f);
    slot = h != 0 ? gf_hoisted(f, e) : NO_SLOT;
    if (slot == NO_SLOT && e->kind == EXPR_BINARY &&
        (e->op == TOK_ANDAND || e->op == TOK_OROR)) {
        /* `a && b` false, or `a || b` true: either operand decides. */
        if ((e->op == TOK_ANDAND) != sense) {
            gf_cond(f, e->binary.x, sense, label);
            gf_cond(f, e->binary.y, sense, label);
        } else {
            skip = gf_label(f);
            gf_cond(f, e->binary.x, !sense, skip);
            gf_cond(f, e->binary.y, sense, label);
            gf_place(f, skip);
        }
        return;
    }
    if (slot == NO_SLOT)
        gf_hoist1(f, e);
    if (slot != NO_SLOT || e->kind != EXPR_BINARY || e->op < TOK_EQL ||
        e->op > TOK_GEQ || !cond_compare(f, e, sense, label)) {
        if (slot == NO_SLOT)
            slot = gf_expr(f, e);
        f->pos = e->pos;
        gf_jump_if(f, slot, sense, label);
    }
    rt_assert(f->hoisted.n >= h);
    f->hoisted.n = h;
    gf_release(f, m);
}

void
gf_cond_value(struct gfunc *f, struct ast_expr *e, int dst)
{
    uint32_t end = gf_label(f), m = gf_mark(f);
    int t = gf_temp_int(f);

    /* In a temporary: dst may be a variable that e reads. */
    gf_ai(f, OP_LDI, t, 0);
    gf_cond(f, e, false, end);
    gf_ai(f, OP_LDI, t, 1);
    gf_place(f, end);
    gf_move(f, dst, t, 1);
    gf_release(f, m);
}
