/* SPDX-License-Identifier: MIT */

/* Integers. */
#include "runtime/jit/op_x64.h"

/* Behind an addition, whose sum is a's: what the next instruction adds, if that
 * is a number, by which the sum goes on to be in the same register; then there
 * is no more to be done for it.  0: it is something else. */
static int32_t
join_next(struct jit_fn *c, const struct jit_web *a)
{
    const struct jit_ins *x = jit_now(c) + 1;

    if (c->k + 1 >= c->n || x->w[0].op != OP_ADDI || !x->reached ||
        x->dropped || x->leader || x->header || x->resumes || x->inside ||
        c->odd || !op_in_gpr(a) || a->through)
        return 0;
    const struct jit_opnd *o = c->op + x->ops;
    const struct jit_web *to = jit_web_of(c, o->node);
    rt_assert(o->def && x->nops == (o->use ? 1 : 2) && x->kind == JIT_NATIVE);
    if (jit_web_of(c, o[x->nops - 1].node) != a || to->reg != a->reg ||
        to->through)
        return 0;
    c->joined = c->k + 1;
    return (int16_t)x->w[0].c;
}

/* a = b op c, of add, and, or, xor, sub. */
static void
binary(struct jit_fn *c, enum x64_alu op)
{
    const struct code_ins *w = jit_now(c)->w;
    const struct jit_web *a = op_operand(c, 0, w->a, true),
                         *b = op_operand(c, 1, w->b, false),
                         *d = op_operand(c, 2, w->c, false);
    int r = op_target(a);
    bool swaps = op != X_ALU_SUB;
    int32_t more = op == X_ALU_ADD && op_in_gpr(b) && op_in_gpr(d)
        ? join_next(c, a) : 0;

    if (more != 0) {
        x_rx(&c->b, X_LEA, r, b->reg, d->reg, 0, more);
    } else if (op_in_gpr(b) && b->reg == r) {
        op_alu(c, op, r, d);
    } else if (op_in_gpr(d) && d->reg == r && swaps) {
        op_alu(c, op, r, b);
    } else if (op_in_gpr(d) && d->reg == r) {
        op_load(c, X_RAX, b);
        op_alu(c, op, X_RAX, d);
        r = X_RAX;
    } else if (op == X_ALU_ADD && op_in_gpr(b) && op_in_gpr(d)) {
        x_rx(&c->b, X_LEA, r, b->reg, d->reg, 0, 0);
    } else if (op == X_ALU_ADD && op_in_gpr(b) && d->constant) {
        x_rm(&c->b, X_LEA, r, b->reg, d->value);
    } else if (b->constant && swaps) {
        op_load(c, r, d);
        op_alu(c, op, r, b);
    } else {
        op_load(c, r, b);
        op_alu(c, op, r, d);
    }
    op_put(c, a, r);
}

/* The same, then an extension of the lower half. */
static void
binary32(struct jit_fn *c, enum x64_alu op, enum x64_op extend)
{
    const struct code_ins *w = jit_now(c)->w;
    const struct jit_web *a = jit_def(c, w->a);
    int r = op_target(a);

    op_load(c, X_RAX, jit_use(c, w->b));
    op_alu(c, op, X_RAX, jit_use(c, w->c));
    x_rr(&c->b, extend, r, X_RAX);
    op_put(c, a, r);
}

static void
multiply_by(struct jit_fn *c, int r, const struct jit_web *w)
{
    if (op_in_memory(w))
        x_rm(&c->b, X_IMUL, r, OP_FP, op_home(w));
    else
        x_rr(&c->b, X_IMUL, r, op_gpr(c, w, X_RCX));
}

void
op_times(struct jit_fn *c, int r, int s, int32_t n)
{
    int k = n > 0 ? __builtin_ctz((uint32_t)n) : 0;
    int32_t odd = n >> k;

    if (odd == 3 || odd == 5 || odd == 9) {
        x_rx(&c->b, X_LEA, r, s, s, __builtin_ctz((uint32_t)odd - 1), 0);
    } else if (odd == 1) {
        x_mov(&c->b, r, s);
    } else {
        x_rr(&c->b, X_IMUL_I, r, s);
        x_i32(&c->b, n);
        return;
    }
    if (k > 0)
        x_shift_i(&c->b, X_SHL, r, k);
}

static void
multiply(struct jit_fn *c)
{
    const struct code_ins *w = jit_now(c)->w;
    const struct jit_web *a = jit_def(c, w->a), *b = jit_use(c, w->b),
                         *d = jit_use(c, w->c);
    int r = op_target(a);

    if (d->constant) {
        op_times(c, r, op_gpr(c, b, X_RAX), d->value);
    } else if (op_in_gpr(d) && d->reg == r) {
        multiply_by(c, r, b);
    } else {
        op_load(c, r, b);
        multiply_by(c, r, d);
    }
    if (w->op != OP_MUL)
        x_rr(&c->b, w->op == OP_MUL32 ? X_LOAD32S : X_LOAD32, r, r);
    op_put(c, a, r);
}

static void
unary(struct jit_fn *c, enum x64_unary op)
{
    const struct code_ins *w = jit_now(c)->w;
    const struct jit_web *a = jit_def(c, w->a);
    int r = op_target(a);

    op_load(c, r, jit_use(c, w->b));
    x_rr(&c->b, X_UNARY, op, r);
    op_put(c, a, r);
}

void
op_integer(struct jit_fn *c)
{
    const struct code_ins *w = jit_now(c)->w;

    switch (w->op) {
    case OP_ADD:
        binary(c, X_ALU_ADD);
        break;
    case OP_SUB:
        binary(c, X_ALU_SUB);
        break;
    case OP_AND:
        binary(c, X_ALU_AND);
        break;
    case OP_OR:
        binary(c, X_ALU_OR);
        break;
    case OP_XOR:
        binary(c, X_ALU_XOR);
        break;
    case OP_ADD32:
        binary32(c, X_ALU_ADD, X_LOAD32S);
        break;
    case OP_SUB32:
        binary32(c, X_ALU_SUB, X_LOAD32S);
        break;
    case OP_ADDU32:
        binary32(c, X_ALU_ADD, X_LOAD32);
        break;
    case OP_SUBU32:
        binary32(c, X_ALU_SUB, X_LOAD32);
        break;
    case OP_ANDN:
        op_load(c, X_RAX, jit_use(c, w->c));
        x_rr(&c->b, X_UNARY, X_NOT, X_RAX);
        op_alu(c, X_ALU_AND, X_RAX, jit_use(c, w->b));
        op_put(c, jit_def(c, w->a), X_RAX);
        break;
    case OP_NEG:
        unary(c, X_NEG);
        break;
    case OP_INV:
        unary(c, X_NOT);
        break;
    default:
        multiply(c);
        break;
    }
}

/* ---- division ----------------------------------------------------------- */

/* q = n / 2^s, rounded towards zero: a negative number is made larger by
 * 2^s - 1 before it is shifted.  q may be n. */
static void
divide_power(struct jit_fn *c, int q, int n, int s)
{
    rt_assert(s >= 1 && s < 64 && n != X_RAX);
    if (jit_now(c)->natural) {
        x_mov(&c->b, q, n);
        x_shift_i(&c->b, X_SHR, q, s);
        return;
    }
    x_mov(&c->b, X_RAX, n);
    if (s > 1)
        x_shift_i(&c->b, X_SAR, X_RAX, 63);
    x_shift_i(&c->b, X_SHR, X_RAX, 64 - s);
    if (q == n) {
        x_rr(&c->b, X_ADD, q, X_RAX);
    } else {
        x_rr(&c->b, X_ADD, X_RAX, n);
        x_mov(&c->b, q, X_RAX);
    }
    x_shift_i(&c->b, X_SAR, q, s);
}

/* The multiplier and the shift that stand for a division by d, |d| >= 2:
 * Hacker's Delight, 10-1. */
static int64_t
magic(int64_t d, int *shift)
{
    const uint64_t two63 = (uint64_t)1 << 63;
    uint64_t ad = d < 0 ? -(uint64_t)d : (uint64_t)d;
    uint64_t t = two63 + ((uint64_t)d >> 63), anc = t - 1 - t % ad;
    uint64_t q1 = two63 / anc, r1 = two63 - q1 * anc;
    uint64_t q2 = two63 / ad, r2 = two63 - q2 * ad, delta;
    int p = 63;

    do {
        p++;
        q1 *= 2;
        r1 *= 2;
        if (r1 >= anc) {
            q1++;
            r1 -= anc;
        }
        q2 *= 2;
        r2 *= 2;
        if (r2 >= ad) {
            q2++;
            r2 -= ad;
        }
        delta = ad - r2;
    } while (q1 < delta || (q1 == delta && r1 == 0));
    *shift = p - 64;
    return d < 0 ? -(int64_t)(q2 + 1) : (int64_t)(q2 + 1);
}

/* rdx = n / d by a multiplication; rax is lost. */
static void
divide_magic(struct jit_fn *c, int n, int64_t d)
{
    int s;
    int64_t m = magic(d, &s);

    rt_assert(n != X_RAX && n != X_RDX && (d < -1 || d > 1));
    x_const(&c->b, X_RAX, m);
    x_rr(&c->b, X_UNARY, X_IMUL_RAX, n);
    if (d > 0 && m < 0)
        x_rr(&c->b, X_ADD, X_RDX, n);
    if (d < 0 && m > 0)
        x_rr(&c->b, X_SUB, X_RDX, n);
    if (s > 0)
        x_shift_i(&c->b, X_SAR, X_RDX, s);
    if (d > 0 && jit_now(c)->natural)
        return;
    /* What was rounded down is one too small if the quotient is negative. */
    x_mov(&c->b, X_RAX, d > 0 ? n : X_RDX);
    x_shift_i(&c->b, X_SAR, X_RAX, 63);
    x_rr(&c->b, X_SUB, X_RDX, X_RAX);
}

/* a = b / d or b % d, of a constant that is not 0 or -1. */
static void
divide_const(struct jit_fn *c, int32_t d, bool rem)
{
    const struct code_ins *w = jit_now(c)->w;
    const struct jit_web *a = jit_def(c, w->a);
    uint64_t ad = d < 0 ? -(uint64_t)(int64_t)d : (uint64_t)d;
    bool power = (ad & (ad - 1)) == 0;

    if (rem && power && jit_now(c)->natural && ad <= INT32_MAX) {
        int m = op_target(a);
        op_load(c, m, jit_use(c, w->b));
        x_alu_i(&c->b, X_ALU_AND, m, (int32_t)(ad - 1));
        op_put(c, a, m);
        return;
    }
    int n = op_gpr(c, jit_use(c, w->b), X_RCX), q = X_RAX;
    if (ad == 1) {
        x_mov(&c->b, X_RAX, n);
    } else if (power) {
        q = rem || !op_in_gpr(a) ? X_RAX : a->reg;
        divide_power(c, q, n, __builtin_ctzll(ad));
        if (d < 0)
            x_rr(&c->b, X_UNARY, X_NEG, q);
    } else {
        divide_magic(c, n, d);
        q = X_RDX;
    }
    if (!rem) {
        op_put(c, a, q);
        return;
    }
    int r = op_in_gpr(a) ? a->reg : X_RCX;
    op_times(c, X_RAX, q, d);
    x_mov(&c->b, r, n);
    x_rr(&c->b, X_SUB, r, X_RAX);
    op_put(c, a, r);
}

/* By the divider: rax by rcx. */
static void
divide_slots(struct jit_fn *c, bool sign, bool rem)
{
    const struct code_ins *w = jit_now(c)->w;

    op_load(c, X_RCX, jit_use(c, w->c));
    x_rr(&c->b, X_TEST, X_RCX, X_RCX);
    jit_leave(c, X_E);
    if (sign) { /* the smallest number by -1 would fault */
        x_alu_i(&c->b, X_ALU_CMP, X_RCX, -1);
        jit_leave(c, X_E);
    }
    op_load(c, X_RAX, jit_use(c, w->b));
    if (sign) {
        x_i8(&c->b, 0x48); /* cqo */
        x_i8(&c->b, 0x99);
    } else {
        x_rr(&c->b, X_XOR32, X_RDX, X_RDX);
    }
    x_rr(&c->b, X_UNARY, sign ? X_IDIV_RAX : X_DIV_RAX, X_RCX);
    op_put(c, jit_def(c, w->a), rem ? X_RDX : X_RAX);
}

/*
 * rdx = n / d, for d from 3 on that is no power of two; rax is lost.  With 2^s
 * the power below d, 2^(64 + s) / d, rounded up, has 64 bits; the quotient is
 * right if what that is too large by, times d, is below 2^s.  Else one more bit
 * is wanted, and twice the rest is less than d: the number is 2^64 and what is
 * multiplied by here, so n is added to the product, without what overflows.  Of
 * n below 2^32 2^64 / d is good enough.
 */
static void
divide_unsigned_magic(struct jit_fn *c, int n, uint32_t d, bool half)
{
    int s = 31 - __builtin_clz(d);
    unsigned __int128 power = (unsigned __int128)1 << (half ? 64 : 64 + s);
    uint64_t m = (uint64_t)(power / d), rest = (uint64_t)(power % d);
    bool more = !half && d - rest >= (uint64_t)1 << s;

    rt_assert(n != X_RAX && n != X_RDX && d > 2 && (d & (d - 1)) != 0);
    rt_assert(!more || 2 * rest < d);
    x_const(&c->b, X_RAX, (int64_t)((more ? 2 * m : m) + 1));
    x_rr(&c->b, X_UNARY, X_MUL_RAX, n);
    if (more) {
        x_mov(&c->b, X_RAX, n);
        x_rr(&c->b, X_SUB, X_RAX, X_RDX);
        x_shift_i(&c->b, X_SHR, X_RAX, 1);
        x_rr(&c->b, X_ADD, X_RDX, X_RAX);
    }
    if (!half)
        x_shift_i(&c->b, X_SHR, X_RDX, s);
}

/* By a constant, not 0, that is at most INT32_MAX. */
static void
divide_unsigned_const(struct jit_fn *c, uint32_t d, bool rem)
{
    const struct code_ins *w = jit_now(c)->w;
    const struct jit_web *a = jit_def(c, w->a), *b = jit_use(c, w->b);

    rt_assert(d > 0 && d <= INT32_MAX);
    if ((d & (d - 1)) == 0) {
        op_load(c, X_RAX, b);
        if (rem)
            x_alu_i(&c->b, X_ALU_AND, X_RAX, (int32_t)(d - 1));
        else if (d > 1)
            x_shift_i(&c->b, X_SHR, X_RAX, __builtin_ctz(d));
        op_put(c, a, X_RAX);
        return;
    }
    int n = op_gpr(c, b, X_RCX);
    divide_unsigned_magic(c, n, d, op_is_half(c, w->b));
    if (!rem) {
        op_put(c, a, X_RDX);
        return;
    }
    int r = op_in_gpr(a) ? a->reg : X_RCX;
    op_times(c, X_RAX, X_RDX, (int32_t)d);
    x_mov(&c->b, r, n);
    x_rr(&c->b, X_SUB, r, X_RAX);
    op_put(c, a, r);
}

void
op_divide(struct jit_fn *c)
{
    const struct code_ins *w = jit_now(c)->w;
    const struct jit_web *d;

    switch (w->op) {
    case OP_DIVI:
    case OP_REMI:
        divide_const(c, (int16_t)w->c, w->op == OP_REMI);
        break;
    case OP_UDIVI:
    case OP_UREMI:
        divide_unsigned_const(c, w->c, w->op == OP_UREMI);
        break;
    case OP_UDIV:
    case OP_UREM:
        d = jit_use(c, w->c);
        if (d->constant && d->value > 0) {
            divide_unsigned_const(
                c, (uint32_t)d->value, w->op == OP_UREM);
            break;
        }
        divide_slots(c, false, w->op == OP_UREM);
        break;
    default:
        d = jit_use(c, w->c);
        if (d->constant && d->value > 0)
            divide_const(c, d->value, w->op == OP_REM);
        else
            divide_slots(c, true, w->op == OP_REM);
        break;
    }
}

/* ---- the rest ----------------------------------------------------------- */

static void
shift_const(struct jit_fn *c, enum x64_shift op)
{
    const struct code_ins *w = jit_now(c)->w;
    const struct jit_web *a = jit_def(c, w->a);
    int r = op_target(a);

    op_load(c, r, jit_use(c, w->b));
    x_shift_i(&c->b, op, r, w->c & 63);
    if (w->op == OP_SHLIU32)
        x_rr(&c->b, X_LOAD32, r, r);
    op_put(c, a, r);
}

/* By as many places as the lowest bits of a slot say, which is what the
 * processor does. */
static void
shift_modulo(struct jit_fn *c, enum x64_shift op)
{
    const struct code_ins *w = jit_now(c)->w;
    const struct jit_web *a = jit_def(c, w->a);
    int r = op_target(a);

    op_load(c, X_RCX, jit_use(c, w->c));
    op_load(c, r, jit_use(c, w->b));
    x_rr(&c->b, X_SHIFT_CL, op, r);
    op_put(c, a, r);
}

void
op_shifts(struct jit_fn *c)
{
    const struct code_ins *w = jit_now(c)->w;

    switch (w->op) {
    case OP_SHLM:
        shift_modulo(c, X_SHL);
        return;
    case OP_SHRM:
        shift_modulo(c, X_SAR);
        return;
    case OP_USHRM:
        shift_modulo(c, X_SHR);
        return;
    case OP_CHKSH:
        op_compare_i(c, jit_use(c, w->a), 0);
        jit_leave(c, X_L);
        return;
    case OP_SHLI:
    case OP_SHLIU32:
        shift_const(c, X_SHL);
        return;
    case OP_SHRI:
        shift_const(c, X_SAR);
        return;
    case OP_USHRI:
        shift_const(c, X_SHR);
        return;
    default:
        break;
    }
    op_load(c, X_RCX, jit_use(c, w->c));
    op_load(c, X_RAX, jit_use(c, w->b));
    if (w->op == OP_SHR) {
        /* 63 places are as good as more. */
        x_const(&c->b, X_RDX, 63);
        x_rr(&c->b, X_CMP, X_RCX, X_RDX);
        x_rr(&c->b, X_CMOV + X_A, X_RCX, X_RDX);
        x_rr(&c->b, X_SHIFT_CL, X_SAR, X_RAX);
    } else {
        /* All ones where the count is below 64, else zero. */
        x_rr(&c->b, X_SHIFT_CL, w->op == OP_SHL ? X_SHL : X_SHR, X_RAX);
        x_alu_i(&c->b, X_ALU_CMP, X_RCX, 64);
        x_rr(&c->b, X_SBB, X_RDX, X_RDX);
        x_rr(&c->b, X_AND, X_RAX, X_RDX);
    }
    op_put(c, jit_def(c, w->a), X_RAX);
}

static void
add_const(struct jit_fn *c)
{
    const struct code_ins *w = jit_now(c)->w;
    const struct jit_web *a = jit_def(c, w->a), *b = jit_use(c, w->b);
    int32_t v = (int16_t)w->c;
    int r = op_target(a);

    if (c->joined == c->k) {
        rt_assert(op_in_gpr(a) && b->reg == r);
        return;
    }
    if (a == b && op_in_memory(a) && w->op == OP_ADDI) {
        x_alu_mi(&c->b, X_ALU_ADD, OP_FP, op_home(a), v);
        return;
    }
    if (op_in_gpr(b) && b->reg != r) {
        x_rm(&c->b, X_LEA, r, b->reg, v);
    } else {
        op_load(c, r, b);
        x_alu_i(&c->b, X_ALU_ADD, r, v);
    }
    if (w->op != OP_ADDI)
        x_rr(&c->b, w->op == OP_ADDI32 ? X_LOAD32S : X_LOAD32, r, r);
    op_put(c, a, r);
}

static void
alu_const(struct jit_fn *c, enum x64_alu op)
{
    const struct code_ins *w = jit_now(c)->w;
    const struct jit_web *a = jit_def(c, w->a);
    int r = op_target(a);

    op_load(c, r, jit_use(c, w->b));
    x_alu_i(&c->b, op, r, (int16_t)w->c);
    op_put(c, a, r);
}

/* a = v - b. */
static void
subtract_from(struct jit_fn *c, int32_t v)
{
    const struct code_ins *w = jit_now(c)->w;
    const struct jit_web *a = jit_def(c, w->a), *b = jit_use(c, w->b);
    int r = X_RAX;

    if (op_in_gpr(a) && op_in_gpr(b) && a->reg == b->reg) {
        r = a->reg;
        x_rr(&c->b, X_UNARY, X_NEG, r);
        x_alu_i(&c->b, X_ALU_ADD, r, v);
    } else {
        x_const(&c->b, X_RAX, v);
        op_alu(c, X_ALU_SUB, X_RAX, b);
    }
    op_put(c, a, r);
}

void
op_immediate(struct jit_fn *c)
{
    const struct code_ins *w = jit_now(c)->w;
    const struct jit_web *a = op_operand(c, 0, w->a, true);
    int r = op_target(a);

    switch (w->op) {
    case OP_ANDI:
        alu_const(c, X_ALU_AND);
        break;
    case OP_ORI:
        alu_const(c, X_ALU_OR);
        break;
    case OP_XORI:
        alu_const(c, X_ALU_XOR);
        break;
    case OP_MULI:
        op_times(c, r, op_gpr(c, jit_use(c, w->b), X_RAX), (int16_t)w->c);
        op_put(c, a, r);
        break;
    case OP_ISUB:
        subtract_from(c, (int16_t)w->c);
        break;
    default:
        add_const(c);
        break;
    }
}

void
op_extend(struct jit_fn *c)
{
    static const uint32_t ops[] = {X_LOAD8S, X_LOAD16S, X_LOAD32S, X_LOAD8U,
        X_LOAD16U, X_LOAD32};
    const struct code_ins *w = jit_now(c)->w;
    const struct jit_web *a = jit_def(c, w->a);
    int r = op_target(a);

    x_rr(&c->b, ops[w->op - OP_SX8], r, op_gpr(c, jit_use(c, w->b), X_RAX));
    op_put(c, a, r);
}

void
op_compares(struct jit_fn *c)
{
    static const uint8_t cc[] = {X_E, X_NE, X_L, X_LE, X_B, X_BE};
    const struct code_ins *w = jit_now(c)->w;

    switch (w->op) {
    case OP_NOTB:
        op_compare_i(c, jit_use(c, w->b), 0);
        op_set(c, X_E, w->a);
        break;
    case OP_SEQI:
    case OP_SNEI:
        op_compare_i(c, jit_use(c, w->b), (int16_t)w->c);
        op_set(c, w->op == OP_SEQI ? X_E : X_NE, w->a);
        break;
    default:
        op_compare(c, jit_use(c, w->b), jit_use(c, w->c));
        op_set(c, cc[w->op - OP_SEQ], w->a);
        break;
    }
}
