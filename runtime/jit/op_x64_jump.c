/* SPDX-License-Identifier: MIT */

/* Jumps, loops, jump tables, returns. */
#include "runtime/jit/op_x64.h"

/* A jump backwards if cc, unless somebody wants the goroutine to stop. */
static void
loop(struct jit_fn *c, int cc, int32_t to)
{
    if (jit_goes_round(c, to)) {
        if (cc != X_ALWAYS)
            jit_goto(c, cc ^ 1, jit_now(c)->succ[0]);
        return;
    }
    uint8_t *skip = cc == X_ALWAYS ? NULL : x_jump(&c->b, cc ^ 1);

    rt_assert(to <= c->k && c->v[to].header);
    x_rm(&c->b, X_GROUP32_I8, X_ALU_CMP, OP_PREEMPT, 0);
    x_i8(&c->b, 0);
    jit_goto(c, X_E, to);
    jit_preempt_stub(c, to);
    if (skip != NULL)
        x_fix(skip, c->b.p);
}

static void
jump(struct jit_fn *c, int cc, bool back)
{
    const struct jit_ins *x = jit_now(c);
    int32_t to = x->succ[x->nsucc - 1];

    if (back)
        loop(c, cc, to);
    else if (cc != X_ALWAYS ||
        ((to != jit_next(c, c->k) || c->ends > 0) && !jit_copies_end(c, to)))
        jit_goto(c, cc, to);
}

static bool
asks(unsigned op)
{
    return op == OP_JT || op == OP_JF || op == OP_LJT || op == OP_LJF;
}

/* Whether x leads nowhere but to the next instruction of which there is code,
 * to which nothing else leads. */
static bool
goes_on_alone(struct jit_fn *c, const struct jit_ins *x, int32_t next)
{
    const struct jit_ins *to;

    if (x->nsucc != 1 || x->succ[0] != next || next >= c->n)
        return false;
    to = &c->v[next];
    if (to->lands || to->resumes || to->inside || to->kind != JIT_NATIVE)
        return false;
    if (!to->leader)
        return true;
    if (c->ways == NULL)
        c->ways = jit_count_ways(c);
    return c->ways != NULL && c->ways[next] == 1;
}

/* Whether nobody asks for the slot behind x. */
static bool
ends_at(struct jit_fn *c, const struct jit_ins *x, uint32_t slot)
{
    for (unsigned i = 0; i < x->nsucc; i++)
        if (x->succ[i] >= c->n || rt_bit_get(jit_live(c, x->succ[i]), slot))
            return false;
    return true;
}

/* The only one that asks for what the current instruction assigns to the slot:
 * the jump behind it, and behind moves, which are done for nobody then, as those
 * of a result that a spliced function returns; -1: there is more. */
static int32_t
only_asker(struct jit_fn *c, uint32_t slot)
{
    int32_t k = c->k;

    for (;;) {
        int32_t next = jit_next(c, k);
        if (!goes_on_alone(c, &c->v[k], next))
            return -1;
        const struct jit_ins *x = &c->v[next];
        k = next;
        if (asks(x->w[0].op))
            return x->nsucc == 2 && !x->decided && x->w[0].a == slot &&
                    ends_at(c, x, slot) ? k : -1;
        if (x->w[0].op == OP_JMP)
            continue;
        if (x->w[0].op != OP_MOV || x->moved || x->dropped ||
            x->w[0].b != slot || x->w[0].a == slot || !ends_at(c, x, slot))
            return -1;
        slot = x->w[0].a;
    }
}

bool
op_tell_jump(struct jit_fn *c, int cc, uint32_t slot)
{
    const struct jit_ins *x = jit_now(c);

    if (c->memory || c->jit->cfg.exits != 0 || x->watched ||
        c->pinned[slot] || c->jit->shapes[x->w[0].op].slow)
        return false;
    int32_t to = only_asker(c, slot);
    if (to < 0)
        return false;
    for (int32_t k = jit_next(c, c->k); k < to; k = jit_next(c, k))
        if (c->v[k].w[0].op == OP_MOV) {
            c->v[k].dropped = true;
            c->head = -1; /* that would not be found again */
        }
    c->told = to;
    c->told_cc = cc;
    return true;
}

void
op_jump(struct jit_fn *c)
{
    static const uint8_t of_slots[] = {X_E, X_NE, X_L, X_LE, X_B, X_BE};
    static const uint8_t of_consts[] = {X_E, X_NE, X_L, X_LE, X_G, X_GE};
    const struct code_ins *w = jit_now(c)->w;
    unsigned op = w->op;

    if (jit_now(c)->decided) {
        jump(c, X_ALWAYS, false);
        return;
    }
    if (op == OP_JMP || op == OP_LJMP) {
        jump(c, X_ALWAYS, op == OP_LJMP);
    } else if (op == OP_JT || op == OP_LJT || op == OP_JF || op == OP_LJF) {
        int cc = X_NE;
        if (c->told == c->k)
            cc = c->told_cc;
        else
            op_compare_i(c, op_operand(c, 0, w->a, false), 0);
        jump(c, op == OP_JT || op == OP_LJT ? cc : cc ^ 1, op >= OP_LJT);
    } else if (op <= OP_LJULE) {
        bool back = op >= OP_LJEQ;
        op_compare(c, op_operand(c, 0, w->a, false),
            op_operand(c, 1, w->b, false));
        jump(c, of_slots[op - (back ? OP_LJEQ : OP_JEQ)], back);
    } else {
        bool back = op >= OP_LJEQI;
        op_compare_i(c, op_operand(c, 0, w->a, false), (int16_t)w->b);
        jump(c, of_consts[op - (back ? OP_LJEQI : OP_JEQI)], back);
    }
}

void
op_for(struct jit_fn *c)
{
    const struct jit_ins *x = jit_now(c);
    const struct jit_web *a = jit_def(c, x->w[0].a);
    int32_t to = x->succ[1];

    if (op_in_gpr(a)) {
        x_rr(&c->b, X_INC, 0, a->reg);
        if (a->through)
            jit_x64_store(c, a);
    } else if (op_in_memory(a)) {
        x_alu_mi(&c->b, X_ALU_ADD, OP_FP, op_home(a), 1);
    } else {
        op_load(c, X_RAX, a);
        x_rr(&c->b, X_INC, 0, X_RAX);
        op_put(c, a, X_RAX);
    }
    if (x->w[0].op == OP_FORLT)
        op_compare(c, a, jit_use(c, x->w[0].b));
    else
        op_compare_i(c, a, (int16_t)x->w[0].b);
    loop(c, X_L, to);
}

/* The table of addresses stands behind the jump. */
void
op_switch(struct jit_fn *c)
{
    enum { JUMP_BYTES = 7 };
    const struct jit_ins *x = jit_now(c);
    int32_t n = x->w[0].imm, low = x->w[1].imm;

    rt_assert(n >= 0 && x->succ[0] + n <= c->n);
    op_load(c, X_RAX, jit_use(c, x->w[0].a));
    if (low != 0)
        x_alu_i(&c->b, X_ALU_SUB, X_RAX, low);
    x_alu_i(&c->b, X_ALU_CMP, X_RAX, n);
    jit_goto(c, X_AE, x->succ[0] + n);
    uint8_t *at = c->b.p + JUMP_BYTES;
    x_abs_index(&c->b, X_JUMP, 4, X_RAX, jit_exec(c->jit, at));
    rt_assert(c->b.p == at);
    for (int32_t i = 0; i < n; i++)
        jit_address(c, x->succ[0] + i);
}

void
op_return(struct jit_fn *c)
{
    const struct code_ins *w = jit_now(c)->w;
    unsigned n = w->op == OP_RET ? 0 : w->op == OP_RET1 ? 1 :
        w->op == OP_RET2 ? 2 : w->b;

    /* No slot is written that is still to be read: they go down. */
    for (unsigned i = 0; i < n; i++)
        op_store_to(c, op_operand(c, i, w->a + i, false), OP_64,
            (struct op_mem){OP_FP, -1, 0, 8 * (int32_t)i});
    x_rm(&c->b, X_JUMP, 4, OP_FP, -16);
}
