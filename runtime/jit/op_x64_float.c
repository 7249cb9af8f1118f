/* SPDX-License-Identifier: MIT */

/*
 * Floats.  A float32 is in the lower half of a slot, whose upper half is zero;
 * so is a float register that holds one, and scalar operations leave the upper
 * bits of their target as they are.
 */
#include "runtime/jit/op_x64.h"

static void
binary(struct jit_fn *c, enum x64_op op, bool swaps)
{
    const struct code_ins *w = jit_now(c)->w;
    const struct jit_web *a = jit_def(c, w->a), *b = jit_use(c, w->b),
                         *d = jit_use(c, w->c);
    int r = op_targetf(a);

    rt_assert(r >= X_XMM0 && r != X_XMM1);
    if (op_in_xmm(b) && b->reg == r) {
        op_sse(c, op, r, d);
    } else if (op_in_xmm(d) && d->reg == r && swaps) {
        op_sse(c, op, r, b);
    } else {
        if (op_in_xmm(d) && d->reg == r)
            r = X_XMM0;
        op_loadf(c, r, b);
        op_sse(c, op, r, d);
    }
    op_put(c, a, r);
}

/* a += b * d, rounded twice. */
static void
multiply_add(struct jit_fn *c)
{
    const struct code_ins *w = jit_now(c)->w;
    const struct jit_web *a = jit_def(c, w->a);
    int r = op_in_xmm(a) ? a->reg : X_XMM1;

    op_loadf(c, X_XMM0, jit_use(c, w->b));
    op_sse(c, X_MULF, X_XMM0, jit_use(c, w->c));
    op_loadf(c, r, a);
    x_rr(&c->b, X_ADDF, r, X_XMM0);
    op_put(c, a, r);
}

/* The sign is a bit of the slot: 6 clears it, 7 flips it.  In float registers,
 * too: the way through a general one costs four times as much. */
static void
change_sign(struct jit_fn *c, int how, int bit)
{
    const struct code_ins *w = jit_now(c)->w;
    const struct jit_web *a = jit_def(c, w->a), *b = jit_use(c, w->b);
    uint64_t mask = UINT64_C(1) << bit;

    rt_assert((how == 6 || how == 7) && (bit == 31 || bit == 63));
    if (op_in_xmm(a) || op_in_xmm(b)) {
        int r = op_targetf(a);
        op_loadf(c, r, b);
        op_number(c, X_XMM1, how == 6 ? ~mask : mask);
        x_rr(&c->b, how == 6 ? X_ANDF : X_XORF, r, X_XMM1);
        op_put(c, a, r);
        return;
    }
    op_load(c, X_RAX, b);
    x_rr(&c->b, X_BT_I, how, X_RAX);
    x_i8(&c->b, bit);
    op_put(c, a, X_RAX);
}

void
op_float(struct jit_fn *c)
{
    const struct code_ins *w = jit_now(c)->w;
    const struct jit_web *a = jit_def(c, w->a);
    int r = op_targetf(a);

    switch (w->op) {
    case OP_ADDF:
        binary(c, X_ADDF, true);
        break;
    case OP_SUBF:
        binary(c, X_SUBF, false);
        break;
    case OP_MULF:
        binary(c, X_MULF, true);
        break;
    case OP_DIVF:
        binary(c, X_DIVF, false);
        break;
    case OP_ADDF32:
        binary(c, X_ADDF32, true);
        break;
    case OP_SUBF32:
        binary(c, X_SUBF32, false);
        break;
    case OP_MULF32:
        binary(c, X_MULF32, true);
        break;
    case OP_DIVF32:
        binary(c, X_DIVF32, false);
        break;
    case OP_MADDF:
        multiply_add(c);
        break;
    case OP_NEGF:
        change_sign(c, 7, 63);
        break;
    case OP_NEGF32:
        change_sign(c, 7, 31);
        break;
    case OP_ABSF:
        change_sign(c, 6, 63);
        break;
    case OP_FLOORF:
        x_rr(&c->b, X_ROUNDF, r, op_xmm(c, jit_use(c, w->b), X_XMM0));
        x_i8(&c->b, 9); /* downwards, no exceptions */
        op_put(c, a, r);
        break;
    default: /* SQRTF */
        x_rr(&c->b, X_SQRTF, r, op_xmm(c, jit_use(c, w->b), X_XMM0));
        op_put(c, a, r);
        break;
    }
}

/* A conversion into a float register, whose old value must not matter and
 * whose upper bits must be zero. */
static void
convert(struct jit_fn *c, enum x64_op op, int from)
{
    const struct jit_web *a = jit_def(c, jit_now(c)->w[0].a);
    int r = op_targetf(a);

    if (r == from) {
        x_movf(&c->b, X_XMM1, from);
        from = X_XMM1;
    }
    x_rr(&c->b, X_XORF, r, r);
    x_rr(&c->b, op, r, from);
    op_put(c, a, r);
}

void
op_float_convert(struct jit_fn *c)
{
    const struct code_ins *w = jit_now(c)->w;
    const struct jit_web *a = jit_def(c, w->a), *b = jit_use(c, w->b);
    int r = op_target(a);

    switch (w->op) {
    case OP_I2F:
        convert(c, X_I2F, op_gpr(c, b, X_RAX));
        break;
    case OP_I2F32:
        convert(c, X_I2F32, op_gpr(c, b, X_RAX));
        break;
    case OP_F2F32:
        convert(c, X_F2F32, op_xmm(c, b, X_XMM1));
        break;
    case OP_F322F:
        convert(c, X_F322F, op_xmm(c, b, X_XMM1));
        break;
    default: /* F2I */
        x_rr(&c->b, X_F2I, r, op_xmm(c, b, X_XMM0));
        op_put(c, a, r);
        break;
    }
}

static void
compare(struct jit_fn *c, enum x64_op op, const struct jit_web *a,
    const struct jit_web *b)
{
    int r = op_xmm(c, a, X_XMM0);

    op_sse(c, op, r, b);
}

void
op_float_compare(struct jit_fn *c)
{
    const struct code_ins *w = jit_now(c)->w;
    const struct jit_web *b = jit_use(c, w->b), *d = jit_use(c, w->c);
    enum x64_op op = w->op >= OP_SEQF32 ? X_UCOMF32 : X_UCOMF;

    switch (w->op) {
    case OP_SLTF:
    case OP_SLTF32:
    case OP_SLEF:
    case OP_SLEF32: /* "above" is false where one is NaN */
        compare(c, op, d, b);
        op_set(c, w->op == OP_SLTF || w->op == OP_SLTF32 ? X_A : X_AE, w->a);
        return;
    default:
        break;
    }
    bool equal = w->op == OP_SEQF || w->op == OP_SEQF32;
    compare(c, op, b, d);
    x_rr(&c->b, X_SET + (equal ? X_NP : X_P), 0, X_RCX);
    x_rr(&c->b, X_SET + (equal ? X_E : X_NE), 0, X_RAX);
    x_rr(&c->b, equal ? X_AND : X_OR, X_RAX, X_RCX);
    const struct jit_web *a = jit_def(c, w->a);
    int r = op_target(a);
    x_rr(&c->b, X_LOAD8U, r, X_RAX);
    op_put(c, a, r);
}

void
op_jump_float(struct jit_fn *c)
{
    const struct jit_ins *x = jit_now(c);
    const struct jit_web *a = jit_use(c, x->w[0].a),
                         *b = jit_use(c, x->w[0].b);
    uint8_t *skip;

    switch (x->w[0].op) {
    case OP_JEQF:
        compare(c, X_UCOMF, a, b);
        skip = x_jump(&c->b, X_P);
        jit_goto(c, X_E, x->succ[1]);
        x_fix(skip, c->b.p);
        break;
    case OP_JNEF:
        compare(c, X_UCOMF, a, b);
        jit_goto(c, X_NE, x->succ[1]);
        jit_goto(c, X_P, x->succ[1]);
        break;
    case OP_JLTF:
        compare(c, X_UCOMF, b, a);
        jit_goto(c, X_A, x->succ[1]);
        break;
    case OP_JLEF:
        compare(c, X_UCOMF, b, a);
        jit_goto(c, X_AE, x->succ[1]);
        break;
    case OP_JNLTF:
        compare(c, X_UCOMF, b, a);
        jit_goto(c, X_BE, x->succ[1]);
        break;
    default: /* JNLEF */
        compare(c, X_UCOMF, b, a);
        jit_goto(c, X_B, x->succ[1]);
        break;
    }
}
