/* SPDX-License-Identifier: MIT */
/*
 * Operators: arithmetic and shifts on slots, and the binary and unary
 * expressions made of them.  Comparisons, && and || are in gen_cond.c.
 */
#include "runtime/lang/gen/gen_int.h"

#include <math.h>

/* ---- operations on slots ------------------------------------------------ */

void
gf_extend(struct gfunc *f, struct type *t, int dst, int src)
{
    switch (type_kind_of(t)) {
    case TYPE_INT8: gf_abc(f, OP_SX8, dst, src, 0); break;
    case TYPE_INT16: gf_abc(f, OP_SX16, dst, src, 0); break;
    case TYPE_INT32: gf_abc(f, OP_SX32, dst, src, 0); break;
    case TYPE_UINT8: gf_abc(f, OP_ZX8, dst, src, 0); break;
    case TYPE_UINT16: gf_abc(f, OP_ZX16, dst, src, 0); break;
    case TYPE_UINT32: gf_abc(f, OP_ZX32, dst, src, 0); break;
    default: gf_move(f, dst, src, 1); break;
    }
}

static bool
is_narrow(struct type *t)
{
    return type_is_integer(t) && type_size(t) < 8;
}

static enum code_op
float_op(enum lang_tok op, bool f32)
{
    switch (op) {
    case TOK_ADD: return f32 ? OP_ADDF32 : OP_ADDF;
    case TOK_SUB: return f32 ? OP_SUBF32 : OP_SUBF;
    case TOK_MUL: return f32 ? OP_MULF32 : OP_MULF;
    default:
        rt_assert(op == TOK_QUO);
        return f32 ? OP_DIVF32 : OP_DIVF;
    }
}

static enum code_op
complex_op(enum lang_tok op, bool c64)
{
    switch (op) {
    case TOK_ADD: return c64 ? OP_CADD64 : OP_CADD;
    case TOK_SUB: return c64 ? OP_CSUB64 : OP_CSUB;
    case TOK_MUL: return c64 ? OP_CMUL64 : OP_CMUL;
    default:
        rt_assert(op == TOK_QUO);
        return c64 ? OP_CDIV64 : OP_CDIV;
    }
}

static enum code_op
int_op(enum lang_tok op, bool uns)
{
    switch (op) {
    case TOK_ADD: return OP_ADD;
    case TOK_SUB: return OP_SUB;
    case TOK_MUL: return OP_MUL;
    case TOK_QUO: return uns ? OP_UDIV : OP_DIV;
    case TOK_REM: return uns ? OP_UREM : OP_REM;
    case TOK_AND: return OP_AND;
    case TOK_OR: return OP_OR;
    case TOK_XOR: return OP_XOR;
    default:
        rt_assert(op == TOK_AND_NOT);
        return OP_ANDN;
    }
}

/* dst = x op y; arithmetic only (no shifts or comparisons). */
void
gf_binary_slots(struct gfunc *f, enum lang_tok op, struct type *t, int dst,
    int x, int y)
{
    enum type_kind k = type_kind_of(t);
    bool uns = type_is_unsigned(t);
    enum code_op o;

    if (type_is_float(t)) {
        gf_abc(f, float_op(op, k == TYPE_FLOAT32), dst, x, y);
        return;
    }
    if (type_is_complex(t)) {
        gf_abc(f, complex_op(op, k == TYPE_COMPLEX64), dst, x, y);
        return;
    }
    rt_assert(type_is_integer(t));
    o = int_op(op, uns);
    if (k == TYPE_INT32 && (o == OP_ADD || o == OP_SUB || o == OP_MUL))
        o = o == OP_ADD ? OP_ADD32 : o == OP_SUB ? OP_SUB32 : OP_MUL32;
    else if (k == TYPE_UINT32 && (o == OP_ADD || o == OP_SUB || o == OP_MUL))
        o = o == OP_ADD ? OP_ADDU32 : o == OP_SUB ? OP_SUBU32 : OP_MULU32;
    gf_abc(f, o, dst, x, y);
    if (is_narrow(t) && (o == OP_ADD || o == OP_SUB || o == OP_MUL ||
            o == OP_DIV))
        gf_extend(f, t, dst, dst);
}

/* The immediate form, where there is one for a 16-bit constant. */
bool
gf_binary_imm(struct gfunc *f, enum lang_tok op, struct type *t, int dst, int x,
    int64_t k)
{
    bool uns = type_is_unsigned(t);
    bool ext = is_narrow(t);
    enum type_kind tk = type_kind_of(t);
    enum code_op o;

    if (!type_is_integer(t))
        return false;
    rt_assert(k >= INT16_MIN && k <= INT16_MAX);
    switch (op) {
    case TOK_SUB:
        if (k == INT16_MIN)
            return false;
        k = -k;
        /* FALLTHROUGH */
    case TOK_ADD:
        o = OP_ADDI;
        if (tk == TYPE_INT32) {
            o = OP_ADDI32;
            ext = false;
        } else if (tk == TYPE_UINT32) {
            o = OP_ADDIU32;
            ext = false;
        }
        break;
    case TOK_MUL: o = OP_MULI; break;
    case TOK_QUO:
        if (k <= 0)
            return false;
        o = uns ? OP_UDIVI : OP_DIVI;
        ext = false;
        break;
    case TOK_REM:
        if (k <= 0)
            return false;
        o = uns ? OP_UREMI : OP_REMI;
        ext = false;
        break;
    case TOK_AND: o = OP_ANDI; ext = false; break;
    case TOK_OR: o = OP_ORI; ext = ext && k < 0; break;
    case TOK_XOR: o = OP_XORI; ext = ext && k < 0 && uns; break;
    case TOK_AND_NOT:
        if (k == INT16_MIN)
            return false;
        o = OP_ANDI;
        k = ~k;
        ext = false;
        break;
    default: return false;
    }
    gf_abc(f, o, dst, x, (int)(uint16_t)k);
    if (ext)
        gf_extend(f, t, dst, dst);
    return true;
}

/* Is d a power of two whose reciprocal a float32 has, too? */
static bool
is_power_of_two(double d)
{
    int e;

    return frexp(d, &e) == 0.5 && e >= -60 && e <= 60;
}

/* Floats by what costs less and rounds alike: twice x is x + x, and to divide by
 * a power of two is to multiply by its reciprocal. */
static bool
float_const(struct gfunc *f, enum lang_tok op, struct type *t, int dst, int x,
    const struct constv *cv)
{
    double d = const_to_double(cv);

    if (op == TOK_MUL && d == 2) {
        gf_binary_slots(f, TOK_ADD, t, dst, x, x);
        return true;
    }
    if (op != TOK_QUO || !is_power_of_two(d))
        return false;
    cv = const_float(&f->g->c->cctx, 1 / d);
    gf_binary_slots(
        f, TOK_MUL, t, dst, x, gf_const_slot(f, gf_const_word(t, cv)));
    return true;
}

bool
gf_binary_const(struct gfunc *f, enum lang_tok op, struct type *t, int dst,
    int x, struct ast_expr *y)
{
    const struct ast_expr *e = ast_unparen(y);
    int64_t k;

    if (e->cv != NULL && type_is_float(t))
        return float_const(f, op, t, dst, x, e->cv);
    return gf_small_const(f, y, &k) && gf_binary_imm(f, op, t, dst, x, k);
}

/* What is below 64 because of a mask or a remainder: the operand that has the
 * same bits below the greatest number that it may be, which is *most. */
static struct ast_expr *
below_64(const struct gfunc *f, struct ast_expr *e, int64_t *most)
{
    struct ast_expr *x, *y;
    int64_t k;

    e = ast_unparen(e);
    /* Another integer type has all numbers that are so small. */
    while (e->kind == EXPR_CALL && e->flags & AST_F_CONVERSION &&
        e->cv == NULL && type_is_integer(gf_type(f, e->call.args.at[0])))
        e = ast_unparen(e->call.args.at[0]);
    if (e->kind != EXPR_BINARY || e->cv != NULL)
        return NULL;
    x = e->binary.x;
    y = e->binary.y;
    if (e->op == TOK_AND && x->cv != NULL) {
        x = y;
        y = e->binary.x;
    }
    if (y->cv == NULL || !const_to_int64(y->cv, &k))
        return NULL;
    if (e->op == TOK_REM && type_is_unsigned(gf_type(f, e)) && k > 0 &&
        (k & (k - 1)) == 0)
        k--;
    else if (e->op != TOK_AND)
        return NULL;
    if (k < 0 || k > 63)
        return NULL;
    *most = k;
    return x;
}

int
gf_shift_count(struct gfunc *f, struct ast_expr *y, bool *modulo)
{
    int64_t most = 0;
    struct ast_expr *x = below_64(f, y, &most);

    *modulo = x != NULL;
    return gf_expr(f, most == 63 ? x : y);
}

void
gf_shift_slots(struct gfunc *f, enum lang_tok op, struct type *t, int dst,
    int x, int y, struct type *yt, bool modulo)
{
    rt_assert(op == TOK_SHL || op == TOK_SHR);
    rt_assert(type_is_integer(t) && type_is_integer(yt));
    if (!modulo && !type_is_unsigned(yt))
        gf_abc(f, OP_CHKSH, y, 0, 0);
    if (op == TOK_SHL) {
        gf_abc(f, modulo ? OP_SHLM : OP_SHL, dst, x, y);
        if (is_narrow(t))
            gf_extend(f, t, dst, dst);
    } else if (type_is_unsigned(t)) {
        gf_abc(f, modulo ? OP_USHRM : OP_USHR, dst, x, y);
    } else {
        gf_abc(f, modulo ? OP_SHRM : OP_SHR, dst, x, y);
    }
}

void
gf_shift_const(struct gfunc *f, enum lang_tok op, struct type *t, int dst,
    int x, uint64_t k)
{
    enum code_op o = op == TOK_SHL ? OP_SHLI : OP_USHRI;

    if (op == TOK_SHR && !type_is_unsigned(t)) {
        gf_abc(f, OP_SHRI, dst, x, k > 63 ? 63 : (int)k);
        return;
    }
    if (k > 63) {
        gf_zero(f, dst, 1);
        return;
    }
    if (o == OP_SHLI && type_kind_of(t) == TYPE_UINT32) {
        gf_abc(f, OP_SHLIU32, dst, x, (int)k);
        return;
    }
    gf_abc(f, o, dst, x, (int)k);
    if (o == OP_SHLI && is_narrow(t))
        gf_extend(f, t, dst, dst);
}

static void
shift_to(struct gfunc *f, struct ast_expr *e, int x, int dst)
{
    struct ast_expr *y = e->binary.y;
    bool modulo;
    uint64_t k;
    int ys;

    if (y->cv != NULL && const_to_uint64(y->cv, &k)) {
        gf_shift_const(f, (enum lang_tok)e->op, gf_type(f, e), dst, x, k);
        return;
    }
    ys = gf_shift_count(f, y, &modulo);
    f->pos = e->pos;
    gf_shift_slots(f, (enum lang_tok)e->op, gf_type(f, e), dst, x, ys,
        gf_type(f, y), modulo);
}

/* ---- binary expressions ------------------------------------------------- */

bool
expr_is_string_add(const struct gfunc *f, const struct ast_expr *e)
{
    return e->kind == EXPR_BINARY && e->op == TOK_ADD && e->cv == NULL &&
        type_is_string(gf_type(f, e));
}

enum { CONCAT_MAX = 60 }; /* operands of one CONCAT */

static bool
calls_behind(struct ast_expr **list, uint32_t n)
{
    uint32_t i;

    for (i = 1; i < n; i++)
        if (expr_may_call(list[i]))
            return true;
    return false;
}

/* Is one of them a constant that is not empty?  Then the result is new memory,
 * never an operand itself. */
static bool
some_const(struct ast_expr **list, uint32_t n)
{
    uint32_t i;

    for (i = 0; i < n; i++)
        if (list[i]->cv != NULL && const_str_len(list[i]->cv) != 0)
            return true;
    return false;
}

/* Joins n strings.  Of more than one CONCAT takes it joins parts first, and
 * parts of parts, so that no byte is copied often. */
static void
concat_list(struct gfunc *f, struct ast_expr **list, uint32_t n, lang_pos pos,
    int dst)
{
    struct type *st = &f->g->c->types.basic[TYPE_STRING];
    uint32_t part = 1, i, k = 0, m = gf_mark(f);
    bool some = some_const(list, n);
    int slots[CONCAT_MAX], base;

    while (n > part * CONCAT_MAX)
        part *= CONCAT_MAX;
    for (i = 0; i < n; i += part) {
        if (part == 1) {
            slots[k++] = some && !calls_behind(list + i, n - i) ?
                gf_view(f, list[i]) : gf_expr(f, list[i]);
            continue;
        }
        slots[k] = gf_temp(f, st);
        concat_list(f, list + i, n - i < part ? n - i : part, pos,
            slots[k++]);
    }
    rt_assert(k > 0 && k <= CONCAT_MAX);
    base = gf_call_base(f);
    gf_need(f, base + 2 * (int)k + 4);
    for (i = 0; i < k; i++)
        gf_move(f, base + 2 * (int)i, slots[i], 2);
    f->pos = pos;
    gf_abc(f, OP_CONCAT, dst, base, (int)k);
    gf_release(f, m);
}

/* a + b + c ... */
void
gf_concat_to(struct gfunc *f, struct ast_expr *e, int dst)
{
    struct ast_expr **list;
    struct ast_expr *b;
    uint32_t n = 0, i;

    for (b = e; expr_is_string_add(f, b); b = ast_unparen(b->binary.x))
        n++;
    list = gen_scratch(f->g, (n + 1) * sizeof *list);
    i = n + 1;
    for (b = e; expr_is_string_add(f, b); b = ast_unparen(b->binary.x))
        list[--i] = b->binary.y;
    rt_assert(i == 1);
    list[0] = b;
    concat_list(f, list, n + 1, e->pos, dst);
}

static bool
is_commutative(enum lang_tok op)
{
    return op == TOK_ADD || op == TOK_MUL || op == TOK_AND || op == TOK_OR ||
        op == TOK_XOR;
}

/* dst = x op y by e, of which y is an operand. */
static void
arith(struct gfunc *f, struct ast_expr *e, struct ast_expr *y, int x, int dst)
{
    int ys;

    if (gf_binary_const(f, (enum lang_tok)e->op, gf_type(f, e), dst, x, y))
        return;
    ys = gf_expr(f, y);
    f->pos = e->pos;
    gf_binary_slots(f, (enum lang_tok)e->op, gf_type(f, e), dst, x, ys);
}

static bool
is_chain_op(const struct gfunc *f, const struct ast_expr *e)
{
    return e->kind == EXPR_BINARY && e->cv == NULL && e->op != TOK_ANDAND &&
        e->op != TOK_OROR && !(e->op >= TOK_EQL && e->op <= TOK_GEQ) &&
        !expr_is_string_add(f, e);
}

/*
 * Arithmetic and shifts.  The left spine is walked in a loop (it may be as
 * long as the file); each link reads the accumulated value.
 */
void
gf_chain_to(struct gfunc *f, struct ast_expr *e, int dst)
{
    struct ast_expr *small[32], **list = small, *b, *y;
    uint32_t n = 0, i, m = gf_mark(f);
    int acc, own = NO_SLOT;

    for (b = e; is_chain_op(f, b); b = b->binary.x)
        n++;
    if (n > 32)
        list = gen_scratch(f->g, n * sizeof *list);
    i = n;
    for (b = e; is_chain_op(f, b); b = b->binary.x)
        list[--i] = b;
    rt_assert(n > 0 && i == 0);
    /* b is the leftmost operand; list[0] the innermost operation. */
    y = list[0]->binary.y;
    if (ast_unparen(b)->cv != NULL && is_commutative(list[0]->op) &&
        !type_is_complex(gf_type(f, e))) {
        y = b; /* there are forms for a constant that comes second */
        b = list[0]->binary.y;
    }
    acc = gf_expr(f, b);
    /* All links are of one type and share a temporary. */
    if (n > 1)
        own = gf_temp(f, gf_type(f, e));
    for (i = 0; i < n; i++) {
        uint32_t m2 = gf_mark(f);
        int to = i + 1 == n ? dst : own;

        f->pos = list[i]->pos;
        if (list[i]->op == TOK_SHL || list[i]->op == TOK_SHR)
            shift_to(f, list[i], acc, to);
        else
            arith(f, list[i], i == 0 ? y : list[i]->binary.y, acc, to);
        gf_release(f, m2);
        acc = to;
    }
    gf_release(f, m);
}

/* ---- unary expressions -------------------------------------------------- */

void
gf_unary_to(struct gfunc *f, struct ast_expr *e, int dst)
{
    struct ast_expr *x = e->unary.x;
    struct type *t = gf_type(f, e);
    uint32_t m = gf_mark(f);
    struct place p;
    int s;

    switch (e->op) {
    case TOK_ADD:
        gf_expr_to(f, x, dst);
        break;
    case TOK_SUB:
        s = gf_expr(f, x);
        f->pos = e->pos;
        if (type_is_float(t)) {
            gf_abc(f, type_kind_of(t) == TYPE_FLOAT32 ? OP_NEGF32 : OP_NEGF,
                dst, s, 0);
        } else if (type_kind_of(t) == TYPE_COMPLEX128) {
            gf_abc(f, OP_CNEG, dst, s, 0);
        } else if (type_kind_of(t) == TYPE_COMPLEX64) {
            int w = gf_temp(f, &f->g->c->types.basic[TYPE_COMPLEX128]);

            gf_abc(f, OP_C642C, w, s, 0);
            gf_abc(f, OP_CNEG, w, w, 0);
            gf_abc(f, OP_C2C64, dst, w, 0);
        } else {
            gf_abc(f, OP_NEG, dst, s, 0);
            if (is_narrow(t))
                gf_extend(f, t, dst, dst);
        }
        break;
    case TOK_XOR:
        s = gf_expr(f, x);
        gf_abc(f, OP_INV, dst, s, 0);
        if (is_narrow(t))
            gf_extend(f, t, dst, dst);
        break;
    case TOK_NOT:
        s = gf_expr(f, x);
        gf_abc(f, OP_NOTB, dst, s, 0);
        break;
    case TOK_AND:
        x = ast_unparen(x);
        if (x->kind == EXPR_COMPOSITE) {
            gf_composite_addr(f, x, gf_home_expr(f, x), dst);
        } else {
            p = gf_place_of(f, x);
            f->pos = e->pos;
            gf_addr(f, &p, dst);
        }
        break;
    case TOK_ARROW:
        s = gf_expr(f, x);
        f->pos = e->pos;
        {
            /* Through a temporary: a waker writes it while we are parked. */
            struct type *et = type_under(gf_type(f, x))->elem;
            int v = gf_temp(f, et);

            gf_abc(f, OP_CHANRECV, v, s, 0);
            gf_ext(f, 0, gen_type(f->g, gf_type(f, x)));
            gf_move(f, dst, v, type_slots(et));
        }
        break;
    default:
        break;
    }
    gf_release(f, m);
}
