/* SPDX-License-Identifier: MIT */

/* Operations on floats that take more than an instruction or two: unsigned
 * conversions, min and max, complex numbers. */
#include "runtime/jit/op_x64.h"

/* ---- unsigned numbers --------------------------------------------------- */

/* Halves that keep the lowest bit round as the whole does. */
static void
from_unsigned(struct jit_fn *c, enum x64_op convert, enum x64_op add)
{
    const struct code_ins *w = jit_now(c)->w;
    const struct jit_web *a = jit_def(c, w->a), *b = jit_use(c, w->b);

    if (op_is_half(c, w->b)) {
        int r = op_targetf(a), n = op_gpr(c, b, X_RAX);
        x_rr(&c->b, X_XORF, r, r);
        x_rr(&c->b, convert, r, n);
        op_put(c, a, r);
        return;
    }
    op_load(c, X_RAX, b);
    x_rr(&c->b, X_XORF, X_XMM0, X_XMM0);
    x_rr(&c->b, X_TEST, X_RAX, X_RAX);
    uint8_t *large = x_jump(&c->b, X_S);
    x_rr(&c->b, convert, X_XMM0, X_RAX);
    uint8_t *done = x_jump(&c->b, X_ALWAYS);
    x_fix(large, c->b.p);
    x_mov(&c->b, X_RDX, X_RAX);
    x_shift_i(&c->b, X_SHR, X_RDX, 1);
    x_alu_i(&c->b, X_ALU_AND, X_RAX, 1);
    x_rr(&c->b, X_OR, X_RDX, X_RAX);
    x_rr(&c->b, convert, X_XMM0, X_RDX);
    x_rr(&c->b, add, X_XMM0, X_XMM0);
    x_fix(done, c->b.p);
    op_put(c, a, X_XMM0);
}

/* As num_f2u(): NaN goes the way of what does not fit. */
static void
to_unsigned(struct jit_fn *c)
{
    const int64_t two_to_63 = 0x43e0000000000000;
    const struct code_ins *w = jit_now(c)->w;

    op_loadf(c, X_XMM0, jit_use(c, w->b));
    x_const(&c->b, X_RAX, two_to_63);
    x_rr(&c->b, X_MOVF_FROM, X_XMM1, X_RAX);
    x_rr(&c->b, X_UCOMF, X_XMM1, X_XMM0);
    uint8_t *small = x_jump(&c->b, X_A);
    x_rr(&c->b, X_SUBF, X_XMM0, X_XMM1);
    x_rr(&c->b, X_F2I, X_RAX, X_XMM0);
    x_rr(&c->b, X_BT_I, 7, X_RAX);
    x_i8(&c->b, 63);
    uint8_t *done = x_jump(&c->b, X_ALWAYS);
    x_fix(small, c->b.p);
    x_rr(&c->b, X_F2I, X_RAX, X_XMM0);
    x_fix(done, c->b.p);
    op_put(c, jit_def(c, w->a), X_RAX);
}

void
op_float_unsigned(struct jit_fn *c)
{
    switch (jit_now(c)->w[0].op) {
    case OP_U2F:
        from_unsigned(c, X_I2F, X_ADDF);
        break;
    case OP_U2F32:
        from_unsigned(c, X_I2F32, X_ADDF32);
        break;
    default: /* F2U */
        to_unsigned(c);
        break;
    }
}

/* ---- min and max -------------------------------------------------------- */

/* Equal numbers may be zeros of either sign: min has the sign of either one,
 * max that of both.  The sum of a NaN and anything is one. */
void
op_float_extreme(struct jit_fn *c)
{
    const struct code_ins *w = jit_now(c)->w;
    bool small = w->op == OP_MINF32 || w->op == OP_MAXF32;
    bool least = w->op == OP_MINF || w->op == OP_MINF32;
    int y = op_xmm(c, jit_use(c, w->c), X_XMM1);

    op_loadf(c, X_XMM0, jit_use(c, w->b));
    x_rr(&c->b, small ? X_UCOMF32 : X_UCOMF, X_XMM0, y);
    uint8_t *nan = x_jump(&c->b, X_P);
    uint8_t *differ = x_jump(&c->b, X_NE);
    x_rr(&c->b, least ? X_ORF : X_ANDF, X_XMM0, y);
    uint8_t *done = x_jump(&c->b, X_ALWAYS);
    x_fix(nan, c->b.p);
    x_rr(&c->b, small ? X_ADDF32 : X_ADDF, X_XMM0, y);
    uint8_t *summed = x_jump(&c->b, X_ALWAYS);
    x_fix(differ, c->b.p);
    if (least)
        x_rr(&c->b, small ? X_MINF32 : X_MINF, X_XMM0, y);
    else
        x_rr(&c->b, small ? X_MAXF32 : X_MAXF, X_XMM0, y);
    x_fix(done, c->b.p);
    x_fix(summed, c->b.p);
    op_put(c, jit_def(c, w->a), X_XMM0);
}

/* ---- complex numbers ---------------------------------------------------- */

/* Whether a new value of the web `to` takes the place of what `from` has. */
static bool
overwrites(const struct jit_web *to, const struct jit_web *from)
{
    if (to->reg >= 0 && to->reg == from->reg)
        return true;
    return (to->reg < 0 || to->through) && op_in_memory(from) &&
        to->slot == from->slot;
}

/* Operands of a complex128 each: real and imaginary part. */
struct operands {
    const struct jit_web *x[2], *y[2];
};

static struct operands
operands(struct jit_fn *c)
{
    const struct code_ins *w = jit_now(c)->w;

    return (struct operands){
        {jit_use(c, w->b), jit_use(c, w->b + 1u)},
        {jit_use(c, w->c), jit_use(c, w->c + 1u)}};
}

/* xmm0 = a part of the result. */
static void
make_part(struct jit_fn *c, const struct operands *o, unsigned op,
    unsigned part)
{
    if (op != OP_CMUL) {
        op_loadf(c, X_XMM0, o->x[part]);
        op_sse(c, op == OP_CADD ? X_ADDF : X_SUBF, X_XMM0, o->y[part]);
        return;
    }
    op_loadf(c, X_XMM0, o->x[0]);
    op_sse(c, X_MULF, X_XMM0, o->y[part]);
    op_loadf(c, X_XMM1, o->x[1]);
    op_sse(c, X_MULF, X_XMM1, o->y[1 - part]);
    x_rr(&c->b, part == 0 ? X_SUBF : X_ADDF, X_XMM0, X_XMM1);
}

static void
put_part(struct jit_fn *c, unsigned part, int reg)
{
    op_put(c, jit_def(c, jit_now(c)->w[0].a + part), reg);
}

static void
binary(struct jit_fn *c)
{
    unsigned op = jit_now(c)->w[0].op;
    const struct jit_web *re = jit_def(c, jit_now(c)->w[0].a);
    struct operands o = operands(c);
    bool wait = overwrites(re, o.x[1]) || overwrites(re, o.y[1]);

    if (op == OP_CMUL)
        wait |= overwrites(re, o.x[0]) || overwrites(re, o.y[0]);
    make_part(c, &o, op, 0);
    if (wait)
        x_rm(&c->b, X_STOREF, X_XMM0, X_RSP, OP_AT_SCRATCH_2);
    else
        put_part(c, 0, X_XMM0);
    make_part(c, &o, op, 1);
    put_part(c, 1, X_XMM0);
    if (wait) {
        x_rm(&c->b, X_LOADF, X_XMM0, X_RSP, OP_AT_SCRATCH_2);
        put_part(c, 0, X_XMM0);
    }
}

/* A part of the only operand. */
static const struct jit_web *
part_of(struct jit_fn *c, unsigned part)
{
    return jit_use(c, jit_now(c)->w[0].b + part);
}

static void
negate(struct jit_fn *c)
{
    for (unsigned i = 0; i < 2; i++) {
        int r = i == 0 ? X_RAX : X_RDX;
        op_load(c, r, part_of(c, i));
        x_rr(&c->b, X_BT_I, 7, r);
        x_i8(&c->b, 63);
    }
    put_part(c, 0, X_RAX);
    put_part(c, 1, X_RDX);
}

static void
equal(struct jit_fn *c)
{
    const struct jit_web *a = jit_def(c, jit_now(c)->w[0].a);
    struct operands o = operands(c);
    uint8_t *no[4];

    for (unsigned i = 0; i < 2; i++) {
        op_sse(c, X_UCOMF, op_xmm(c, o.x[i], X_XMM0), o.y[i]);
        no[2 * i] = x_jump(&c->b, X_NE);
        no[2 * i + 1] = x_jump(&c->b, X_P);
    }
    x_const(&c->b, X_RAX, 1);
    uint8_t *done = x_jump(&c->b, X_ALWAYS);
    for (unsigned i = 0; i < 4; i++)
        x_fix(no[i], c->b.p);
    x_rr(&c->b, X_XOR32, X_RAX, X_RAX);
    x_fix(done, c->b.p);
    op_put(c, a, X_RAX);
}

/* Two float32 in a word, the real one below. */
static void
widen(struct jit_fn *c)
{
    op_load(c, X_RAX, jit_use(c, jit_now(c)->w[0].b));
    x_rr(&c->b, X_MOVF_FROM, X_XMM1, X_RAX);
    x_rr(&c->b, X_XORF, X_XMM0, X_XMM0);
    x_rr(&c->b, X_F322F, X_XMM0, X_XMM1);
    x_shift_i(&c->b, X_SHR, X_RAX, 32);
    x_rr(&c->b, X_MOVF_FROM, X_XMM1, X_RAX);
    put_part(c, 0, X_XMM0);
    x_rr(&c->b, X_XORF, X_XMM0, X_XMM0);
    x_rr(&c->b, X_F322F, X_XMM0, X_XMM1);
    put_part(c, 1, X_XMM0);
}

static void
narrow(struct jit_fn *c)
{
    for (unsigned i = 0; i < 2; i++) {
        int from = op_xmm(c, part_of(c, i), X_XMM1);
        x_rr(&c->b, X_XORF, X_XMM0, X_XMM0);
        x_rr(&c->b, X_F2F32, X_XMM0, from);
        x_rr(&c->b, X_MOVF_TO, X_XMM0, i == 0 ? X_RDX : X_RAX);
    }
    x_shift_i(&c->b, X_SHL, X_RAX, 32);
    x_rr(&c->b, X_OR, X_RAX, X_RDX);
    put_part(c, 0, X_RAX);
}

static void
binary64(struct jit_fn *c)
{
    const struct code_ins *w = jit_now(c)->w;

    op_load(c, X_RAX, jit_use(c, w->b));
    x_rr(&c->b, X_MOVF_FROM, X_XMM0, X_RAX);
    op_load(c, X_RAX, jit_use(c, w->c));
    x_rr(&c->b, X_MOVF_FROM, X_XMM1, X_RAX);
    x_rr(&c->b, w->op == OP_CADD64 ? X_ADDF32_4 : X_SUBF32_4, X_XMM0,
        X_XMM1);
    x_rr(&c->b, X_MOVF_TO, X_XMM0, X_RAX);
    put_part(c, 0, X_RAX);
}

void
op_complex(struct jit_fn *c)
{
    switch (jit_now(c)->w[0].op) {
    case OP_CNEG:
        negate(c);
        break;
    case OP_CEQ:
        equal(c);
        break;
    case OP_C642C:
        widen(c);
        break;
    case OP_C2C64:
        narrow(c);
        break;
    case OP_CADD64:
    case OP_CSUB64:
        binary64(c);
        break;
    default:
        binary(c);
        break;
    }
}
