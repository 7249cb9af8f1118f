/* SPDX-License-Identifier: MIT */

/* Calls of natives that are one atomic operation.  All but loads are locked,
 * where others could see the difference, so they are in one order.
 * x86-order: a load is an ordinary one, which takes part in that. */
#include "runtime/jit/op_x64.h"

#include "runtime/code/atomics.h"

/*
 * The words of the library's own locks are in the memory of no other process,
 * so where there is one P only nobody else has them: what is locked otherwise
 * is a load and a store then, behind the jump that this answers; NULL: of
 * other words.
 */
static uint8_t *
unless_alone(struct jit_fn *c, const struct code_atomic *a)
{
    if (!a->constant)
        return NULL;
    x_rm(&c->b, X_GROUP32_I8, X_ALU_CMP, X_RSP, OP_AT_ALONE);
    x_i8(&c->b, 0);
    return x_jump(&c->b, X_NE);
}

/* The i-th value behind the address, in this register. */
static void
load_value(
    struct jit_fn *c, const struct code_atomic *a, int reg, unsigned i)
{
    if (a->constant)
        x_const(&c->b, reg, a->value[i]);
    else
        op_load(c, reg, jit_use(c, jit_now(c)->w[0].a + 1u + i));
}

/* The result, which is in rax. */
static void
put_result(struct jit_fn *c, const struct code_atomic *a)
{
    const struct jit_web *to = jit_def(c, jit_now(c)->w[0].a);

    if (jit_is_dead(to))
        return;
    if (!a->wide)
        x_rr(&c->b, a->sign ? X_LOAD32S : X_LOAD32, X_RAX, X_RAX);
    op_put(c, to, X_RAX);
}

/* What was there before is in rax; the loop ends when nobody else has come in
 * between. */
static void
combine(struct jit_fn *c, const struct code_atomic *a, int addr)
{
    x_rm(&c->b, a->wide ? X_LOAD : X_LOAD32, X_RAX, addr, 0);
    uint8_t *again = c->b.p;
    load_value(c, a, X_RDX, 0);
    x_rr(&c->b, a->op == CODE_ATOMIC_AND ? X_AND : X_OR, X_RDX, X_RAX);
    x_rm(&c->b, a->wide ? X_LOCK_CMPXCHG : X_LOCK_CMPXCHG32, X_RDX, addr, 0);
    x_jump_to(&c->b, X_NE, again);
    put_result(c, a);
}

/* At "equal" behind it the bits are set, at "not equal" they are not. */
static void
take(struct jit_fn *c, const struct code_atomic *a, int addr)
{
    x_rm(&c->b, a->wide ? X_LOAD : X_LOAD32, X_RAX, addr, 0);
    load_value(c, a, X_RDX, 1);
    x_rr(&c->b, a->wide ? X_TEST : X_TEST32, X_RDX, X_RAX);
    uint8_t *not_free = x_jump(&c->b, X_NE);
    load_value(c, a, X_RDX, 0);
    x_rr(&c->b, X_OR, X_RDX, X_RAX);
    uint8_t *alone = unless_alone(c, a);
    x_rm(&c->b, a->wide ? X_LOCK_CMPXCHG : X_LOCK_CMPXCHG32, X_RDX, addr, 0);
    if (alone != NULL) {
        uint8_t *done = x_jump(&c->b, X_ALWAYS);
        x_fix(alone, c->b.p);
        x_rm(&c->b, a->wide ? X_STORE : X_STORE32, X_RDX, addr, 0);
        x_rr(&c->b, X_CMP, X_RDX, X_RDX);
        x_fix(done, c->b.p);
    }
    x_fix(not_free, c->b.p);
}

/* The sum is in rax. */
static void
add(struct jit_fn *c, const struct code_atomic *a, int addr)
{
    load_value(c, a, X_RDX, 0);
    x_mov(&c->b, X_RAX, X_RDX);
    uint8_t *alone = unless_alone(c, a);
    x_rm(&c->b, a->wide ? X_LOCK_XADD : X_LOCK_XADD32, X_RAX, addr, 0);
    x_rr(&c->b, X_ADD, X_RAX, X_RDX);
    if (alone != NULL) {
        uint8_t *done = x_jump(&c->b, X_ALWAYS);
        x_fix(alone, c->b.p);
        x_rm(&c->b, a->wide ? X_LOAD : X_LOAD32, X_RAX, addr, 0);
        x_rr(&c->b, X_ADD, X_RAX, X_RDX);
        x_rm(&c->b, a->wide ? X_STORE : X_STORE32, X_RAX, addr, 0);
        x_fix(done, c->b.p);
    }
    put_result(c, a);
}

void
op_atomic(struct jit_fn *c)
{
    const struct code_ins *w = jit_now(c)->w;
    const struct jit_web *p = jit_use(c, w->a);
    struct code_atomic a;
    bool is = code_is_atomic(&c->im->natives[w->imm], &a);

    rt_assert(is);
    int addr = op_gpr(c, p, X_RCX);
    op_check_nil(c, p, addr);
    switch ((enum code_atomic_op)a.op) {
    case CODE_ATOMIC_LOAD:
        op_load_from(c, jit_def(c, w->a),
            a.wide ? OP_64 : a.sign ? OP_32S : OP_32U,
            (struct op_mem){addr, -1, 0, 0});
        return;
    case CODE_ATOMIC_STORE:
        load_value(c, &a, X_RAX, 0);
        x_rm(&c->b, a.wide ? X_XCHG : X_XCHG32, X_RAX, addr, 0);
        return;
    case CODE_ATOMIC_SWAP:
        load_value(c, &a, X_RAX, 0);
        x_rm(&c->b, a.wide ? X_XCHG : X_XCHG32, X_RAX, addr, 0);
        put_result(c, &a);
        return;
    case CODE_ATOMIC_ADD:
        add(c, &a, addr);
        return;
    case CODE_ATOMIC_AND:
    case CODE_ATOMIC_OR:
        combine(c, &a, addr);
        return;
    case CODE_ATOMIC_CAS:
        load_value(c, &a, X_RAX, 0);
        load_value(c, &a, X_RDX, 1);
        x_rm(&c->b, a.wide ? X_LOCK_CMPXCHG : X_LOCK_CMPXCHG32, X_RDX, addr,
            0);
        op_set(c, X_E, w->a);
        return;
    case CODE_ATOMIC_TAKE:
        take(c, &a, addr);
        op_set(c, X_E, w->a);
        return;
    }
}
