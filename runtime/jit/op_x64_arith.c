/* SPDX-License-Identifier: MIT */

/* Arithmetic on whole words: calls of natives that are such, or look for a byte,
 * and bits that are counted. */
#include "runtime/jit/op_x64.h"

#include "runtime/code/arith.h"

/* Operands and results, from the call's slot on. */
struct words {
    const struct jit_web *x, *y;
    int ry; /* y's register: its own, or rcx */
};

static void
put(struct jit_fn *c, unsigned i, int reg)
{
    const struct jit_web *to = jit_def(c, jit_now(c)->w[0].a + i);

    if (!jit_is_dead(to))
        op_put(c, to, reg);
}

/* rax = the third operand and x and y, or x less both. */
static void
sum(struct jit_fn *c, struct words *w, bool sub)
{
    const struct jit_web *carry = jit_use(c, jit_now(c)->w[0].a + 2u);

    op_load(c, X_RAX, sub ? w->x : carry);
    op_alu(c, sub ? X_ALU_SUB : X_ALU_ADD, X_RAX, sub ? carry : w->x);
    w->ry = op_gpr(c, w->y, X_RCX);
    x_rr(&c->b, sub ? X_SUB : X_ADD, X_RAX, w->ry);
}

/* rcx = x & y, or ~x & y.  rdx stays, unless x is in a float register. */
static void
both(struct jit_fn *c, const struct words *w, bool invert)
{
    if (w->ry == X_RCX && invert) { /* (x | y) ^ x */
        op_alu(c, X_ALU_OR, X_RCX, w->x);
        op_alu(c, X_ALU_XOR, X_RCX, w->x);
        return;
    }
    if (w->ry == X_RCX) {
        op_alu(c, X_ALU_AND, X_RCX, w->x);
        return;
    }
    op_load(c, X_RCX, w->x);
    if (invert)
        x_rr(&c->b, X_UNARY, X_NOT, X_RCX);
    x_rr(&c->b, X_AND, X_RCX, w->ry);
}

/*
 * The highest bit of (x & y) | ((x | y) & ~sum) is the carry, that of
 * (~x & y) | (~(x ^ y) & difference) the borrow, whatever came in.
 */
static void
add_or_sub(struct jit_fn *c, struct words *w, bool sub)
{
    bool far = op_in_xmm(w->x);

    sum(c, w, sub);
    op_load(c, X_RDX, w->x);
    x_rr(&c->b, sub ? X_XOR : X_OR, X_RDX, w->ry);
    x_rr(&c->b, X_UNARY, X_NOT, sub ? X_RDX : X_RAX);
    x_rr(&c->b, X_AND, X_RDX, X_RAX);
    if (!sub)
        x_rr(&c->b, X_UNARY, X_NOT, X_RAX);
    if (far)
        x_rm(&c->b, X_STORE, X_RDX, X_RSP, OP_AT_SCRATCH);
    both(c, w, sub);
    if (far)
        x_rm(&c->b, X_OR, X_RCX, X_RSP, OP_AT_SCRATCH);
    else
        x_rr(&c->b, X_OR, X_RCX, X_RDX);
    x_shift_i(&c->b, X_SHR, X_RCX, 63);
    put(c, 0, X_RAX);
    put(c, 1, X_RCX);
}

static void
swap_bytes(struct jit_fn *c, bool all)
{
    uint32_t slot = jit_now(c)->w[0].a;
    const struct jit_web *to = jit_def(c, slot);
    int r = op_target(to);

    op_load(c, r, jit_use(c, slot));
    x_bswap(&c->b, all, r);
    put(c, 0, r);
}

static void
index_byte(struct jit_fn *c)
{
    uint32_t slot = jit_now(c)->w[0].a;

    op_load(c, X_RAX, jit_use(c, slot));
    op_load(c, X_RCX, jit_use(c, slot + 1));
    op_load(c, X_RDX, jit_use(c, slot + 2));
    x_abs(&c->b, X_JUMP, 2, jit_table_routine(c->jit, JIT_INDEX_BYTE));
    put(c, 0, X_RAX);
}

void
op_arith(struct jit_fn *c)
{
    const struct code_ins *pc = jit_now(c)->w;
    enum code_arith arith = code_arith_of(&c->im->natives[pc->imm]);

    rt_assert(arith != CODE_ARITH_NONE);
    if (arith == CODE_ARITH_INDEX_BYTE) {
        index_byte(c);
        return;
    }
    if (arith >= CODE_ARITH_SWAP) {
        swap_bytes(c, arith == CODE_ARITH_SWAP);
        return;
    }
    struct words w = {jit_use(c, pc->a), jit_use(c, pc->a + 1u), -1};

    if (arith != CODE_ARITH_MUL) {
        add_or_sub(c, &w, arith == CODE_ARITH_SUB);
        return;
    }
    w.ry = op_gpr(c, w.y, X_RCX);
    op_load(c, X_RAX, w.x);
    x_rr(&c->b, X_UNARY, X_MUL_RAX, w.ry);
    put(c, 0, X_RDX);
    put(c, 1, X_RAX);
}

/* ---- bits that are counted ------------------------------------------------- */

/*
 * r = how many bits of the word in `from`.  What r held before does not matter,
 * but some processors wait for it, so it is zeroed where it is another one.
 */
static void
count(struct jit_fn *c, enum x64_op op, int r, int from)
{
    if (r != from)
        x_rr(&c->b, X_XOR32, r, r);
    x_rr(&c->b, op, r, from);
}

void
op_count_bits(struct jit_fn *c)
{
    const struct code_ins *w = jit_now(c)->w;
    const struct jit_web *a = jit_def(c, w->a), *b = jit_use(c, w->b);
    int r = op_target(a);

    rt_assert(c->jit->counts);
    if (w->op == OP_TRAILZ && w->c < 64) { /* one bit there ends the search */
        op_load(c, X_RAX, b);
        x_rr(&c->b, X_BT_I, 5, X_RAX);
        x_i8(&c->b, w->c);
        count(c, X_TZCNT, r, X_RAX);
    } else if (w->op == OP_LEADZ) {
        count(c, X_LZCNT, r, op_gpr(c, b, X_RAX));
        if (w->c != 64)
            x_alu_i(&c->b, X_ALU_SUB, r, 64 - w->c);
    } else {
        count(c, w->op == OP_ONES ? X_POPCNT : X_TZCNT, r,
            op_gpr(c, b, X_RAX));
    }
    op_put(c, a, r);
}
