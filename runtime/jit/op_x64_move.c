/* SPDX-License-Identifier: MIT */

/* Moves, constants, package variables, parts of frames. */
#include "runtime/jit/op_x64.h"

void
op_copy(struct jit_fn *c, const struct jit_web *to, const struct jit_web *from)
{
    if (to == from || jit_is_dead(to))
        return;
    c->checked[to - c->web] = c->checked[from - c->web];
    if (to->reg >= 0 && to->reg == from->reg) {
        if (to->through)
            jit_x64_store(c, to);
    } else if (op_in_xmm(to) && !op_in_xmm(from)) {
        op_put(c, to, op_xmm(c, from, to->reg));
    } else if (op_in_xmm(from)) {
        op_put(c, to, from->reg);
    } else if (to->derived) {
        rt_assert(from->derived && from->of == to->of && from->value == to->value);
    } else if (to->reg < 0 && from->constant) {
        op_store_const(c, OP_FP, op_home(to),
            (uint64_t)(int64_t)from->value, X_RAX);
    } else {
        op_put(c, to, op_gpr(c, from, op_target(to)));
    }
}

void
jit_x64_copy(
    struct jit_fn *c, const struct jit_web *to, const struct jit_web *from)
{
    op_copy(c, to, from);
}

/* Whether a new value of `to` would take the place of `from`. */
static bool
covers(const struct jit_web *to, const struct jit_web *from)
{
    if (jit_is_dead(to))
        return false;
    return (to->reg >= 0 && to->reg == from->reg) ||
        (op_in_memory(from) && to->slot == from->slot);
}

bool
op_are_apart(struct jit_fn *c, uint32_t to, uint32_t from, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        for (unsigned k = 0; k < n; k++)
            if (i != k && covers(jit_def(c, to + i), jit_use(c, from + k)))
                return false;
    return true;
}

/* n words, two or three, that may have registers of one another. */
static void
move_words(struct jit_fn *c, uint32_t to, uint32_t from, unsigned n)
{
    static const uint8_t scratch[] = {X_RAX, X_RCX, X_RDX};
    bool apart = op_are_apart(c, to, from, n);

    rt_assert(n <= sizeof scratch);
    for (unsigned i = 0; i < n; i++)
        if (apart)
            op_copy(c, jit_def(c, to + i), jit_use(c, from + i));
        else if (!jit_is_dead(jit_def(c, to + i)))
            op_load(c, scratch[i], jit_use(c, from + i));
    for (unsigned i = 0; i < n && !apart; i++)
        if (!jit_is_dead(jit_def(c, to + i)))
            op_put(c, jit_def(c, to + i), scratch[i]);
}

void
op_moves(struct jit_fn *c)
{
    const struct code_ins *w = jit_now(c)->w;
    const struct code_image *im = c->im;

    if (w->op == OP_NOP)
        return;
    const struct jit_web *to = op_operand(c, 0, w->a, true);
    switch (w->op) {
    case OP_MOV: /* half of all instructions are these two */
        op_copy(c, to, op_operand(c, 1, w->b, false));
        break;
    case OP_MOV2:
        move_words(c, w->a, w->b, 2);
        break;
    case OP_MOV3:
        move_words(c, w->a, w->b, 3);
        break;
    case OP_LDI:
        op_put_const(c, to, w->imm);
        break;
    case OP_LDK:
        op_put_const(c, to, (int64_t)im->consts[w->imm]);
        break;
    case OP_LDSTR:
        op_put_const(c, to, (int64_t)(uintptr_t)im->strings[w->imm].ptr);
        op_put_const(c, op_operand(c, 1, w->a + 1u, true),
            im->strings[w->imm].len);
        break;
    case OP_KADDR:
        op_put_const(c, to, (int64_t)(uintptr_t)&im->consts[w->imm]);
        break;
    case OP_SADDR:
        op_put_const(c, to, (int64_t)(uintptr_t)&im->strings[w->imm]);
        break;
    case OP_LDFN:
        op_put_const(c, to, (int64_t)(uintptr_t)&im->funcs[w->imm].self);
        break;
    case OP_LDTYPE:
        op_put_const(c, to, (int64_t)(uintptr_t)im->types[w->imm]);
        break;
    case OP_ZERO:
        for (uint32_t i = 0; i < (uint32_t)w->imm; i++)
            op_put_const(c, op_operand(c, i, w->a + i, true), 0);
        break;
    default:
        rt_throw("jit: no move");
    }
}

/* The global's address is in rax. */
static void
shade_global(struct jit_fn *c, uint32_t arg)
{
    (void)arg;
    op_shade(c, jit_use(c, jit_now(c)->w[0].a),
        (struct op_mem){X_RAX, -1, 0, 0});
}

static uint32_t
bytes_of_global(unsigned op)
{
    static const uint8_t bytes[] = {1, 1, 4, 4, 8, 16, 24, 1, 4, 8, 8};

    rt_assert(op >= OP_GLD8U && op <= OP_GSTP);
    return bytes[op - OP_GLD8U];
}

void
op_globals(struct jit_fn *c)
{
    const struct code_ins *w = jit_now(c)->w;
    uintptr_t at = (uintptr_t)(c->jit->vm->globals + (uint32_t)w->imm);
    struct op_mem m = {X_RAX, -1, 0, 0};

    if (w->op == OP_GADDR) {
        op_put_const(c, jit_def(c, w->a), (int64_t)at);
        return;
    }
    x_const(&c->b, X_RAX, (int64_t)at);
    op_look(c, m, bytes_of_global(w->op), w->op >= OP_GST8);
    if (w->op == OP_GSTP)
        op_barrier_at(c, shade_global, 0);
    switch (w->op) {
    case OP_GLD8U:
        op_load_from(c, jit_def(c, w->a), OP_8U, m);
        break;
    case OP_GLD8S:
        op_load_from(c, jit_def(c, w->a), OP_8S, m);
        break;
    case OP_GLD32U:
        op_load_from(c, jit_def(c, w->a), OP_32U, m);
        break;
    case OP_GLD32S:
        op_load_from(c, jit_def(c, w->a), OP_32S, m);
        break;
    case OP_GLD64:
        op_load_from(c, jit_def(c, w->a), OP_64, m);
        break;
    case OP_GLD2:
        op_load_words(c, w->a, 2, X_RAX, 0);
        break;
    case OP_GLD3:
        op_load_words(c, w->a, 3, X_RAX, 0);
        break;
    case OP_GST8:
        op_store_to(c, jit_use(c, w->a), OP_8U, m);
        break;
    case OP_GST32:
        op_store_to(c, jit_use(c, w->a), OP_32U, m);
        break;
    default:
        op_store_to(c, jit_use(c, w->a), OP_64, m);
        break;
    }
}

/* ---- parts of frames ------------------------------------------------------ */

/* Some bytes of a slot. */
struct part {
    struct jit_web *of; /* the whole slot, which is read, and written, too */
    int at, bits;       /* from its lowest bit on */
    enum op_size size;
};

static struct part
part_of_frame(struct jit_fn *c)
{
    static const enum op_size sizes[] = {OP_8U, OP_8S, OP_16U, OP_16S, OP_32U,
        OP_32S, OP_8U, OP_16U, OP_32U};
    const struct code_ins *w = jit_now(c)->w;
    struct part p = {
        .of = jit_use(c, (uint32_t)w->imm / 8),
        .at = 8 * (int)((uint32_t)w->imm % 8),
        .size = sizes[w->op - OP_FX8U]};

    p.bits = p.size <= OP_8S ? 8 : p.size <= OP_16S ? 16 : 32;
    rt_assert(p.at + p.bits <= 64);
    return p;
}

static struct op_mem
home_of(const struct part *p)
{
    return (struct op_mem){OP_FP, -1, 0, op_home(p->of) + p->at / 8};
}

/* The lowest bits of the register, and nothing else, from bit `at` on. */
static void
move_bits(struct jit_fn *c, int reg, int bits, int at)
{
    if (at == 0) {
        x_rr(&c->b, bits == 8 ? X_LOAD8U : bits == 16 ? X_LOAD16U : X_LOAD32,
            reg, reg);
        return;
    }
    x_shift_i(&c->b, X_SHL, reg, 64 - bits);
    if (64 - bits > at)
        x_shift_i(&c->b, X_SHR, reg, 64 - bits - at);
}

/* A part of what is in a register. */
static void
load_part(struct jit_fn *c, const struct jit_web *to, const struct part *p)
{
    static const uint32_t lowest[] = {
        X_LOAD8U, X_LOAD8S, X_LOAD16U, X_LOAD16S, X_LOAD32, X_LOAD32S};
    bool sign =
        p->size == OP_8S || p->size == OP_16S || p->size == OP_32S;
    int r = op_target(to);

    if (p->at == 0) {
        x_rr(&c->b, lowest[p->size], r, op_gpr(c, p->of, X_RAX));
    } else {
        op_load(c, r, p->of);
        if (p->at + p->bits < 64)
            x_shift_i(&c->b, X_SHL, r, 64 - p->bits - p->at);
        x_shift_i(&c->b, sign ? X_SAR : X_SHR, r, 64 - p->bits);
    }
    op_put(c, to, r);
}

/* The lowest bits of `from` become a part of what is in a register. */
static void
store_part(struct jit_fn *c, const struct jit_web *from, const struct part *p)
{
    int64_t others = (int64_t)~((((uint64_t)1 << p->bits) - 1) << p->at);
    int r = op_target(p->of);

    op_load(c, X_RCX, from);
    move_bits(c, X_RCX, p->bits, p->at);
    op_load(c, r, p->of);
    if (p->bits == 32 && p->at == 32) {
        x_rr(&c->b, X_LOAD32, r, r);
    } else if (others == (int32_t)others) {
        x_alu_i(&c->b, X_ALU_AND, r, (int32_t)others);
    } else {
        x_const(&c->b, X_RDX, others);
        x_rr(&c->b, X_FORM(0, 1, 0, X_ALU_AND * 8 + 3), r, X_RDX);
    }
    x_rr(&c->b, X_FORM(0, 1, 0, X_ALU_OR * 8 + 3), r, X_RCX);
    op_put(c, p->of, r);
}

static void
op_part(struct jit_fn *c)
{
    const struct code_ins *w = jit_now(c)->w;
    struct part p = part_of_frame(c);

    if (w->op >= OP_FS8 && op_in_memory(p.of))
        op_store_to(c, jit_use(c, w->a), p.size, home_of(&p));
    else if (w->op >= OP_FS8)
        store_part(c, jit_use(c, w->a), &p);
    else if (op_in_memory(p.of))
        op_load_from(c, jit_def(c, w->a), p.size, home_of(&p));
    else
        load_part(c, jit_def(c, w->a), &p);
}

void
op_frame(struct jit_fn *c)
{
    const struct code_ins *w = jit_now(c)->w;
    struct op_mem m = {OP_FP, -1, 3, 8 * w->b};

    if (w->op != OP_FLDX && w->op != OP_FSTX) {
        op_part(c);
        return;
    }
    /* No web has these slots in a register. */
    m.index = op_gpr(c, jit_use(c, w->c), X_RCX);
    if (w->op == OP_FLDX)
        op_load_from(c, jit_def(c, w->a), OP_64, m);
    else
        op_store_to(c, jit_use(c, w->a), OP_64, m);
}
