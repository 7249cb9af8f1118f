/* SPDX-License-Identifier: MIT */

/* Strings, slices, interfaces: what of them is no more than a few loads,
 * comparisons and stores. */
#include "runtime/jit/op_x64.h"

#include "runtime/value/map.h"

/* ---- strings ------------------------------------------------------------ */

void
op_compare_strings(struct jit_fn *c, uint32_t b, uint32_t d)
{
    uint8_t *differ, *same, *empty, *end;

    op_load(c, X_RCX, jit_use(c, b + 1));
    op_alu(c, X_ALU_CMP, X_RCX, jit_use(c, d + 1));
    differ = x_jump_near(&c->b, X_NE);
    op_load(c, X_RAX, jit_use(c, b));
    op_load(c, X_RDX, jit_use(c, d));
    x_rr(&c->b, X_CMP, X_RAX, X_RDX);
    same = x_jump_near(&c->b, X_E);
    x_rr(&c->b, X_TEST, X_RCX, X_RCX);
    empty = x_jump_near(&c->b, X_E);
    x_abs(&c->b, X_JUMP, 2, jit_table_routine(c->jit, JIT_MEMEQ));
    end = c->b.p;
    x_fix_near(differ, end);
    x_fix_near(same, end);
    x_fix_near(empty, end);
}

void
op_jump_string(struct jit_fn *c)
{
    const struct jit_ins *x = jit_now(c);

    rt_assert(x->nsucc == 2);
    op_compare_strings(c, x->w[0].a, x->w[0].b);
    jit_goto(c, x->w[0].op == OP_JEQS ? X_E : X_NE, x->succ[1]);
}

void
op_equal_strings(struct jit_fn *c)
{
    const struct code_ins *w = jit_now(c)->w;

    op_compare_strings(c, w->b, w->c);
    op_set(c, w->op == OP_SEQS ? X_E : X_NE, w->a);
}

/* As str_cmp(): the bytes that both have, then the lengths. */
void
op_order_strings(struct jit_fn *c)
{
    const struct code_ins *w = jit_now(c)->w;

    op_load(c, X_RCX, jit_use(c, w->b + 1u));
    op_load(c, X_RAX, jit_use(c, w->c + 1u));
    x_rr(&c->b, X_CMP, X_RCX, X_RAX);
    x_rr(&c->b, X_CMOV + X_G, X_RCX, X_RAX);
    x_rr(&c->b, X_TEST, X_RCX, X_RCX);
    uint8_t *empty = x_jump(&c->b, X_E);
    op_load(c, X_RAX, jit_use(c, w->b));
    op_load(c, X_RDX, jit_use(c, w->c));
    x_abs(&c->b, X_JUMP, 2, jit_table_routine(c->jit, JIT_MEMCMP));
    uint8_t *differ = x_jump(&c->b, X_NE);
    x_fix(empty, c->b.p);
    op_load(c, X_RAX, jit_use(c, w->b + 1u));
    op_alu(c, X_ALU_CMP, X_RAX, jit_use(c, w->c + 1u));
    x_fix(differ, c->b.p);
    op_set(c, w->op == OP_SLTS ? X_L : X_LE, w->a);
}

/* rax = a character and its width above, of what is at rax, up to rcx. */
static void
decode_rune(struct jit_fn *c, uint32_t arg)
{
    const struct code_ins *w = jit_now(c)->w;

    (void)arg;
    op_load(c, X_RCX, jit_use(c, w->b + 1u));
    x_rr(&c->b, X_SUB, X_RCX, X_RAX);
    op_alu(c, X_ALU_ADD, X_RAX, jit_use(c, w->b));
    x_abs(&c->b, X_JUMP, 2, jit_table_routine(c->jit, JIT_RUNE));
    x_rr(&c->b, X_LOAD32, X_RDX, X_RAX);
    x_mov(&c->b, X_RCX, X_RAX);
    x_shift_i(&c->b, X_SHR, X_RCX, 32);
    op_load(c, X_RAX, jit_use(c, w->a));
    x_rr(&c->b, X_ADD, X_RCX, X_RAX);
}

/* rax = where the character begins, rcx = behind it, rdx = the character. */
void
op_range_string(struct jit_fn *c)
{
    const struct jit_ins *x = jit_now(c);
    const struct code_ins *w = x->w;

    rt_assert(x->nsucc == 2);
    op_load(c, X_RAX, jit_use(c, w->a));
    op_alu(c, X_ALU_CMP, X_RAX, jit_use(c, w->b + 1u));
    jit_goto(c, X_GE, x->succ[1]);
    x_rx(&c->b, X_LOAD8U, X_RDX, op_gpr(c, jit_use(c, w->b), X_RCX), X_RAX,
        0, 0);
    x_alu_i(&c->b, X_ALU_CMP, X_RDX, 0x80);
    size_t other = jit_seldom(c, X_AE, decode_rune, 0);
    x_rm(&c->b, X_LEA, X_RCX, X_RAX, 1);
    jit_back(c, other);
    op_put(c, jit_def(c, w->a), X_RCX);
    op_put(c, jit_def(c, w->a + 1u), X_RAX);
    op_put(c, jit_def(c, w->a + 2u), X_RDX);
}

/* ---- parts of slices and strings ---------------------------------------- */

/* The register holds what the bound, number i of those that SLICE has, is;
 * false: it is not given, or the lower one is zero. */
static bool
load_bound(struct jit_fn *c, int reg, unsigned i)
{
    const struct code_ins *w = jit_now(c)->w;

    if ((w[1].a >> i & 1) == 0)
        return false;
    const struct jit_web *b = jit_use(c, w->c + i);
    if (i == 0 && b->constant && b->value == 0)
        return false;
    op_load(c, reg, b);
    return true;
}

static void
put_unless_dead(struct jit_fn *c, uint32_t slot, int reg)
{
    const struct jit_web *to = jit_def(c, slot);

    if (!jit_is_dead(to))
        op_put(c, to, reg);
}

/* rax = the lower bound in it times size, or 0 if ZF: an empty rest does not
 * point past the end. */
static void
scale(struct jit_fn *c, uint32_t size)
{
    uint8_t *some = x_jump(&c->b, X_NE);

    x_rr(&c->b, X_XOR32, X_RAX, X_RAX);
    x_fix(some, c->b.p);
    op_times(c, X_RAX, X_RAX, (int32_t)size);
}

/* rax = the first element, rcx = length, rdx = capacity. */
void
op_slice(struct jit_fn *c)
{
    const struct code_ins *w = jit_now(c)->w;
    const struct jit_web *ptr = jit_use(c, w->b), *cap = jit_use(c, w->b + 2u);
    bool max = load_bound(c, X_RDX, 2);

    rt_assert(!op_in_xmm(ptr) && !op_in_xmm(cap));
    if (max) {
        op_alu(c, X_ALU_CMP, X_RDX, cap);
        jit_leave(c, X_A);
    } else {
        op_load(c, X_RDX, cap);
    }
    bool hi = load_bound(c, X_RCX, 1);
    if (!hi)
        op_load(c, X_RCX, jit_use(c, w->b + 1u));
    if (hi || max) {
        x_rr(&c->b, X_CMP, X_RCX, X_RDX);
        jit_leave(c, X_A);
    }
    if (load_bound(c, X_RAX, 0)) {
        x_rr(&c->b, X_CMP, X_RAX, X_RCX);
        jit_leave(c, X_A);
        x_rr(&c->b, X_SUB, X_RCX, X_RAX);
        x_rr(&c->b, X_SUB, X_RDX, X_RAX);
        scale(c, (uint32_t)w[1].imm);
        op_alu(c, X_ALU_ADD, X_RAX, ptr);
    } else {
        op_load(c, X_RAX, ptr);
    }
    put_unless_dead(c, w->a, X_RAX);
    put_unless_dead(c, w->a + 1u, X_RCX);
    put_unless_dead(c, w->a + 2u, X_RDX);
}

void
op_slice_string(struct jit_fn *c)
{
    const struct code_ins *w = jit_now(c)->w;
    const struct jit_web *ptr = jit_use(c, w->b), *len = jit_use(c, w->b + 1u);

    rt_assert(!op_in_xmm(ptr) && !op_in_xmm(len));
    if (load_bound(c, X_RCX, 1)) {
        op_alu(c, X_ALU_CMP, X_RCX, len);
        jit_leave(c, X_A);
    } else {
        op_load(c, X_RCX, len);
    }
    if (load_bound(c, X_RAX, 0)) {
        x_rr(&c->b, X_CMP, X_RAX, X_RCX);
        jit_leave(c, X_A);
        x_rr(&c->b, X_SUB, X_RCX, X_RAX);
        scale(c, 1);
        op_alu(c, X_ALU_ADD, X_RAX, ptr);
    } else {
        op_load(c, X_RAX, ptr);
    }
    put_unless_dead(c, w->a, X_RAX);
    put_unless_dead(c, w->a + 1u, X_RCX);
}

void
op_map_len(struct jit_fn *c)
{
    const struct code_ins *w = jit_now(c)->w;

    _Static_assert(offsetof(struct map, count) == 0, "as is read here");
    op_load(c, X_RAX, jit_use(c, w->b));
    x_rr(&c->b, X_TEST, X_RAX, X_RAX);
    uint8_t *nil = x_jump(&c->b, X_E);
    op_look(c, (struct op_mem){X_RAX, -1, 0, 0}, 8, false);
    x_rm(&c->b, X_LOAD, X_RAX, X_RAX, 0);
    x_fix(nil, c->b.p);
    op_put(c, jit_def(c, w->a), X_RAX);
}

/* ---- interfaces --------------------------------------------------------- */

_Static_assert(RK_POINTER == 22 && offsetof(struct rtype, kind) == 0,
    "jit_keep_equal() compares pointers as they are");

/* rax = the type of both, which is not NULL: eax = whether they are equal.
 * side: where to leave by if they cannot be compared. */
static void
compare_values(struct jit_fn *c, uint32_t side)
{
    const struct code_ins *w = jit_now(c)->w;

    op_load(c, X_RCX, jit_use(c, w->b + 1u));
    op_load(c, X_RDX, jit_use(c, w->c + 1u));
    x_abs(&c->b, X_JUMP, 2, jit_table_routine(c->jit, JIT_EQUAL));
    uint8_t *fine = x_jump(&c->b, X_NS);
    x_const(&c->b, X_RAX, side);
    op_exit(c, JIT_EXIT_SIDE);
    x_fix(fine, c->b.p);
}

/* Different types, or both nil, settle it. */
void
op_equal_ifaces(struct jit_fn *c)
{
    const struct code_ins *w = jit_now(c)->w;
    const struct jit_web *to = jit_def(c, w->a);

    op_load(c, X_RAX, jit_use(c, w->b));
    op_alu(c, X_ALU_CMP, X_RAX, jit_use(c, w->c));
    uint8_t *differ = x_jump(&c->b, X_NE);
    x_rr(&c->b, X_TEST, X_RAX, X_RAX);
    size_t same = jit_seldom(c, X_NE, compare_values, jit_side(c));
    x_const(&c->b, X_RAX, 1);
    uint8_t *done = x_jump(&c->b, X_ALWAYS);
    x_fix(differ, c->b.p);
    x_rr(&c->b, X_XOR32, X_RAX, X_RAX);
    x_fix(done, c->b.p);
    jit_back(c, same);
    op_put(c, to, X_RAX);
}

/* What a receive or a select has left in the goroutine. */
void
op_wake_result(struct jit_fn *c)
{
    const struct code_ins *w = jit_now(c)->w;
    const struct jit_web *to = jit_def(c, w->a);

    op_load_vg(c, X_RAX);
    x_rm(&c->b, X_LOAD, X_RAX, X_RAX, offsetof(struct vm_g, g));
    if (w->op == OP_RECVOK)
        x_rm(&c->b, X_LOAD8U, X_RAX, X_RAX,
            offsetof(struct sched_g, wake_ok));
    else
        x_rm(&c->b, X_LOAD32S, X_RAX, X_RAX,
            offsetof(struct sched_g, sel_index));
    op_put(c, to, X_RAX);
}

/* How a value of the type is taken out of an interface here. */
enum taken {
    TAKEN_NOT,    /* not here */
    TAKEN_DIRECT, /* it is the data word */
    TAKEN_WORD,   /* a load of 64 bits */
    TAKEN_BYTE,   /* of 8, without a sign */
    TAKEN_STRING  /* of twice 64 */
};

static enum taken
how_taken(const struct rtype *t)
{
    if (rtype_direct(t))
        return t->slots == 1 ? TAKEN_DIRECT : TAKEN_NOT;
    if (t->kind == RK_STRING)
        return TAKEN_STRING;
    if (t->slots == 1 && rtype_size(t) == 8)
        return TAKEN_WORD;
    return t->kind == RK_BOOL || t->kind == RK_UINT8 ? TAKEN_BYTE : TAKEN_NOT;
}

bool
op_can_take(const struct rtype *t)
{
    return how_taken(t) != TAKEN_NOT;
}

/* The value behind the data word in rdx: in rdx, of a string also in rcx. */
static void
take(struct jit_fn *c, enum taken how)
{
    if (how == TAKEN_STRING)
        x_rm(&c->b, X_LOAD, X_RCX, X_RDX, 8);
    if (how == TAKEN_STRING || how == TAKEN_WORD)
        x_rm(&c->b, X_LOAD, X_RDX, X_RDX, 0);
    else if (how == TAKEN_BYTE)
        x_rm(&c->b, X_LOAD8U, X_RDX, X_RDX, 0);
}

static void
put_taken(struct jit_fn *c, enum taken how)
{
    uint32_t a = jit_now(c)->w[0].a;

    if (a == CODE_NO_SLOT)
        return;
    put_unless_dead(c, a, X_RDX);
    if (how == TAKEN_STRING)
        put_unless_dead(c, a + 1, X_RCX);
}

/* rdx = the data word of the interface at b; "equal" if its type is t. */
static void
compare_type(struct jit_fn *c, const struct rtype *t)
{
    uint32_t b = jit_now(c)->w[0].b;

    op_load(c, X_RDX, jit_use(c, b + 1));
    op_load(c, X_RAX, jit_use(c, b));
    x_const(&c->b, X_RCX, (int64_t)(uintptr_t)t);
    x_rr(&c->b, X_CMP, X_RAX, X_RCX);
}

void
op_assert(struct jit_fn *c)
{
    const struct code_ins *w = jit_now(c)->w;
    bool asks = w->op == OP_ASSERTOK;
    const struct rtype *t = c->im->types[w[asks ? 1 : 2].imm];
    enum taken how = how_taken(t);

    rt_assert(how != TAKEN_NOT);
    compare_type(c, t);
    if (!asks) {
        jit_leave(c, X_NE);
        take(c, how);
        put_taken(c, how);
        return;
    }
    x_rr(&c->b, X_SET + X_E, 0, X_RAX);
    x_rr(&c->b, X_LOAD8U, X_RAX, X_RAX);
    uint8_t *other = x_jump(&c->b, X_NE);
    take(c, how);
    uint8_t *done = x_jump(&c->b, X_ALWAYS);
    x_fix(other, c->b.p);
    x_rr(&c->b, X_XOR32, X_RDX, X_RDX);
    x_rr(&c->b, X_XOR32, X_RCX, X_RCX);
    x_fix(done, c->b.p);
    put_taken(c, how);
    if (w->c != CODE_NO_SLOT)
        put_unless_dead(c, w->c, X_RAX);
}

/* Of a type whose values are the data word. */
void
op_make_iface(struct jit_fn *c)
{
    const struct code_ins *w = jit_now(c)->w;
    const struct rtype *t = c->im->types[w[1].imm];

    rt_assert(rtype_direct(t));
    op_load(c, X_RDX, jit_use(c, w->b));
    op_put_const(c, jit_def(c, w->a), (int64_t)(uintptr_t)t);
    put_unless_dead(c, w->a + 1u, X_RDX);
}
