/* SPDX-License-Identifier: MIT */

/* Cells, and the closures in them: as runtime/vm/cells.c makes them, which does
 * what takes another chunk. */
#include "runtime/jit/op_x64.h"

#include "runtime/jit/access.h"
#include "runtime/vm/cells.h"

static void
zero_words(struct jit_fn *c, int base, int32_t from, int32_t n)
{
    for (int32_t i = from; i < from + n; i++) {
        x_rm(&c->b, X_STORE_I, 0, base, 8 * i);
        x_i32(&c->b, 0);
    }
}

/* The registers of variables that are made, and are zero. */
void
op_zero_vars(struct jit_fn *c)
{
    const struct jit_ins *x = jit_now(c);
    const struct jit_opnd *o = c->op + x->ops;

    for (uint32_t i = 0; i < x->nops; i++) {
        const struct jit_web *v = jit_web_of(c, o[i].node);
        if (o[i].slot < c->vs || !o[i].def)
            continue;
        if (op_in_gpr(v))
            x_const(&c->b, v->reg, 0);
        else if (op_in_xmm(v))
            x_rr(&c->b, X_XORF, v->reg, v->reg);
    }
}

/* Likewise of what has been stored, by a closure that is made or by a store,
 * which is in memory at rax and such an offset. */
void
op_load_vars(struct jit_fn *c, int32_t off)
{
    const struct jit_ins *x = jit_now(c);
    const struct jit_opnd *o = c->op + x->ops;

    for (uint32_t i = 0; i < x->nops; i++) {
        const struct jit_web *v = jit_web_of(c, o[i].node);
        if (o[i].slot < c->vs || !o[i].def || v->reg < 0)
            continue;
        x_rm(&c->b, op_in_xmm(v) ? X_LOADF : X_LOAD, v->reg, X_RAX,
            off + 8 * (c->home[o[i].slot - c->vs].word - x->word));
    }
}

/* Whether the variable is known without its memory. */
static bool
is_known(const struct jit_fn *c, const struct jit_web *v)
{
    return v->reg >= 0 || v->constant || v->derived || c->supposes;
}

bool
op_waits(struct jit_fn *c)
{
    const struct jit_ins *x = jit_now(c);
    bool waits = x->waits;

    rt_assert(!waits || (x->nsucc == 1 && x->nwords > 0));
    for (uint32_t i = 0; i < x->nwords && waits; i++) {
        uint32_t slot = jit_slot_of_word(c, x->object, x->word + i);
        waits = is_known(c, jit_def(c, slot)) ||
            !rt_bit_get(jit_live(c, x->succ[0]), slot);
    }
    return waits;
}

/* Whether some words of a variable are loaded without their memory. */
static bool
loads_known(struct jit_fn *c, unsigned n)
{
    const struct jit_ins *x = jit_now(c);
    uint32_t slot = jit_slot_of_word(c, x->object, x->word);
    bool regs = op_are_apart(c, x->w->a, slot, n);

    rt_assert(slot + n - 1 == jit_slot_of_word(c, x->object, x->word + n - 1));
    for (unsigned i = 0; i < n; i++)
        regs &= is_known(c, jit_use(c, slot + i));
    return regs;
}

/* Some words of a variable, from its registers if all have one; if not, what
 * they have goes to memory first. */
static void
load_var(struct jit_fn *c, unsigned n)
{
    const struct jit_ins *x = jit_now(c);
    uint32_t slot = jit_slot_of_word(c, x->object, x->word);
    bool regs = loads_known(c, n);

    for (unsigned i = 0; i < n && regs; i++)
        op_copy(c, jit_def(c, x->w->a + i), jit_use(c, slot + i));
    if (regs)
        return;
    int base = op_gpr(c, jit_use(c, x->w->b), X_RAX);
    for (unsigned i = 0; i < n && c->asked != NULL; i++)
        if (is_known(c, jit_use(c, slot + i)))
            op_store_to(c, jit_use(c, slot + i), OP_64,
                (struct op_mem){base, -1, 0, x->w->c + 8 * (int32_t)i});
    op_load_words(c, x->w->a, n, base, x->w->c);
}

/* Loads, and ST64, of a variable whose address is known: its register is as
 * good as its memory, if it has one. */
void
op_var(struct jit_fn *c)
{
    const struct jit_ins *x = jit_now(c);
    const struct code_ins *w = x->w;

    if (w->op == OP_LD2 || w->op == OP_LD3) {
        load_var(c, jit_words_accessed(w->op));
        return;
    }
    uint32_t slot = jit_slot_of_word(c, x->object, x->word);
    const struct jit_web *v = slot == 0 ? NULL
        : w->op == OP_LD64              ? jit_use(c, slot)
                                        : jit_def(c, slot);
    struct op_mem m = {.index = -1, .disp = w->c};

    rt_assert(x->known && (v == NULL || (uint32_t)v->slot == slot));
    rt_assert(!x->hidden || (w->op == OP_ST64 && v != NULL));
    bool stores = w->op == OP_ST64 && !x->hidden && !op_waits(c);
    if (w->op == OP_LD64 && v != NULL && is_known(c, v)) {
        op_copy(c, jit_def(c, w->a), v);
        return;
    }
    if (stores || w->op == OP_LD64)
        m.base = op_gpr(c, jit_use(c, w->b), X_RAX);
    if (w->op == OP_LD64) {
        op_load_from(c, jit_def(c, w->a), OP_64, m);
        return;
    }
    if (stores)
        op_store_to(c, jit_use(c, w->a), OP_64, m);
    if (v == NULL || v->reg < 0)
        return;
    if (op_in_gpr(v))
        op_load(c, v->reg, jit_use(c, w->a));
    else
        op_loadf(c, v->reg, jit_use(c, w->a));
}

/* rcx = a new block of cells, all of them zero. */
static void
make_block(struct jit_fn *c, const struct rt_layout *layout)
{
    const struct jit_ins *x = jit_now(c);
    int32_t words = (int32_t)(layout->size / 8);
    int32_t base = x->frame == 0 ? 0 : jit_frame_of(c, x)->base;
    int32_t head = -(int32_t)sizeof(struct vm_cells_block);

    rt_assert(layout->size % 8 == 0);
    op_load_vg(c, X_RAX);
    x_rm(&c->b, X_LOAD, X_RAX, X_RAX, offsetof(struct vm_g, cells));
    x_rr(&c->b, X_TEST, X_RAX, X_RAX);
    jit_slow(c, X_E);
    x_rm(&c->b, X_LOAD32, X_RDX, X_RAX, offsetof(struct vm_cells, used));
    x_alu_i(&c->b, X_ALU_ADD, X_RDX, VM_CELLS_HEAD + words);
    x_rm(&c->b, X_CMP32, X_RDX, X_RAX, offsetof(struct vm_cells, cap));
    jit_slow(c, X_A);
    x_rm(&c->b, X_STORE32, X_RDX, X_RAX, offsetof(struct vm_cells, used));
    x_rx(&c->b, X_LEA, X_RCX, X_RAX, X_RDX, 3,
        (int32_t)offsetof(struct vm_cells, at) - 8 * words);
    op_store_const(c, X_RCX, head, (uintptr_t)layout, X_RDX);
    op_load_vg(c, X_RAX);
    x_rm(&c->b, X_LEA, X_RDX, OP_FP, 8 * base);
    x_rm(&c->b, X_SUB, X_RDX, X_RAX, offsetof(struct vm_g, stack));
    x_shift_i(&c->b, X_SHR, X_RDX, 3);
    x_rm(&c->b, X_STORE32, X_RDX, X_RCX,
        head + (int32_t)offsetof(struct vm_cells_block, frame));
    x_rm(&c->b, X_STORE32_I, 0, X_RCX,
        head + (int32_t)offsetof(struct vm_cells_block, words));
    x_i32(&c->b, words);
    zero_words(c, X_RCX, 0, words);
}

/* Whether the next instruction fills what the current one, CELL, makes. */
static bool
is_filled(const struct jit_fn *c)
{
    const struct jit_ins *x = jit_now(c), *next = x + 1;

    return x->nsucc == 1 && x->succ[0] == c->k + 1 && c->k + 1 < c->n &&
        c->jit->cfg.exits == 0 && !next->leader && !next->lands &&
        next->kind == JIT_NATIVE && next->w[0].op == OP_MKCLOAT &&
        next->w[0].a == x->w[0].a && next->w[0].c + 1u == x->w[1].a;
}

/* CELL: some words of the frame's block, which is there. */
static void
cell_there(struct jit_fn *c)
{
    const struct code_ins *w = jit_now(c)->w;
    const struct jit_web *a = jit_def(c, w->a);
    bool zeroes = !is_filled(c) && !op_waits(c);
    int base = zeroes || !a->derived ? op_gpr(c, jit_use(c, w->b), X_RCX) : -1;

    if (zeroes)
        zero_words(c, base, w->c, w[1].a);
    if (!a->derived) {
        x_rm(&c->b, X_LEA, op_target(a), base, 8 * (int32_t)w->c);
        op_put(c, a, op_target(a));
    }
    op_zero_vars(c);
}

/* CELL: the frame's block, made if there is none, and some words of it. */
static void
cell(struct jit_fn *c)
{
    const struct code_ins *w = jit_now(c)->w;
    const struct jit_web *a = jit_def(c, w->a);
    const struct rt_layout *layout = &c->im->funcs[w[1].imm].cells;

    rt_assert((w->c + w[1].a) * 8u <= layout->size);
    if (jit_is_unmade(c, jit_use(c, w->b))) {
        rt_assert(op_waits(c) && a->derived);
        op_zero_vars(c);
        return;
    }
    if (jit_now(c)->there) {
        cell_there(c);
        return;
    }
    op_load(c, X_RCX, jit_use(c, w->b));
    x_rr(&c->b, X_TEST, X_RCX, X_RCX);
    uint8_t *there = x_jump(&c->b, X_NE);
    make_block(c, layout);
    op_put(c, jit_def(c, w->b), X_RCX);
    uint8_t *made = x_jump(&c->b, X_ALWAYS);
    x_fix(there, c->b.p);
    zero_words(c, X_RCX, w->c, w[1].a);
    x_fix(made, c->b.p);
    if (!a->derived) {
        x_rm(&c->b, X_LEA, op_target(a), X_RCX, 8 * (int32_t)w->c);
        op_put(c, a, op_target(a));
    }
    op_zero_vars(c);
}

/* CELLEND: nothing is to be done where there is no block; one in another chunk
 * than the current one, and the first of a chunk, are cells.c's. */
static void
cells_end(struct jit_fn *c)
{
    op_load(c, X_RCX, jit_use(c, jit_now(c)->w->a));
    x_rr(&c->b, X_TEST, X_RCX, X_RCX);
    if (jit_is_unmade(c, jit_use(c, jit_now(c)->w->a))) {
        jit_slow(c, X_NE);
        return;
    }
    uint8_t *none = x_jump_near(&c->b, X_E);
    op_load_vg(c, X_RAX);
    x_rm(&c->b, X_LOAD, X_RAX, X_RAX, offsetof(struct vm_g, cells));
    x_rm(&c->b, X_LEA, X_RDX, X_RCX,
        -(int32_t)offsetof(struct vm_cells, at));
    x_rr(&c->b, X_SUB, X_RDX, X_RAX);
    x_shift_i(&c->b, X_SHR, X_RDX, 3);
    x_rm(&c->b, X_LOAD32, X_RCX, X_RAX, offsetof(struct vm_cells, used));
    x_rr(&c->b, X_CMP, X_RDX, X_RCX);
    jit_slow(c, X_A);
    x_alu_i(&c->b, X_ALU_SUB, X_RDX, VM_CELLS_HEAD);
    jit_slow(c, X_B);
    uint8_t *others = x_jump_near(&c->b, X_NE);
    x_alu_mi(&c->b, X_ALU_CMP, X_RAX, offsetof(struct vm_cells, prev), 0);
    jit_slow(c, X_NE);
    x_fix_near(others, c->b.p);
    x_rm(&c->b, X_STORE32, X_RDX, X_RAX, offsetof(struct vm_cells, used));
    x_fix_near(none, c->b.p);
}

void
op_cell(struct jit_fn *c)
{
    if (jit_now(c)->w[0].op == OP_CELL)
        cell(c);
    else
        cells_end(c);
}

/* Word i that is captured, to a closure at r. */
static void
fill_word(struct jit_fn *c, int r, uint32_t i)
{
    const struct jit_web *from = jit_use(c, jit_now(c)->w->b + i);
    struct op_mem m = {r, -1, 0, 8 + 8 * (int32_t)i};

    rt_assert(r != X_RDX);
    if (!from->derived) {
        op_store_to(c, from, OP_64, m);
        return;
    }
    op_load(c, X_RDX, from);
    x_rm(&c->b, X_STORE, X_RDX, r, m.disp);
}

void
op_fill(struct jit_fn *c, int r)
{
    const struct code_ins *w = jit_now(c)->w;
    const struct code_func *f = &c->im->funcs[w[1].imm];

    rt_assert(f->closure.size == 8u * (1u + w->c) && r != X_RDX);
    op_store_const(c, r, 0, (uintptr_t)f, X_RDX);
    for (uint32_t i = 0; i < w->c; i++)
        fill_word(c, r, i);
}

/* Whether no variable of the closure that is made has the register of a captured
 * word that is another one's. */
static bool
is_filled_apart(struct jit_fn *c)
{
    const struct jit_ins *x = jit_now(c);

    for (uint32_t i = 0; i < x->w->c; i++) {
        uint32_t slot = jit_slot_of_word(c, x->object, x->word + i + 1);
        int reg = jit_def(c, slot)->reg;

        for (uint32_t k = 0; k < x->w->c && reg >= 0; k++)
            if (k != i && jit_use(c, x->w->b + k)->reg == reg)
                return false;
    }
    return true;
}

/* Whether the current instruction, MKCLOAT, or an access to variables, or CELL, has
 * nothing to do with memory. */
bool
jit_x64_needs_no_cells(struct jit_fn *c)
{
    const struct jit_ins *x = jit_now(c);
    uint32_t slot;

    switch (x->w[0].op) {
    case OP_CELL:
        return op_waits(c) && jit_def(c, x->w->a)->derived;
    case OP_MKCLOAT:
        return op_waits(c) && is_filled_apart(c);
    case OP_LD2:
    case OP_LD3:
        return x->known && loads_known(c, jit_words_accessed(x->w[0].op));
    case OP_LD64:
        slot = jit_slot_of_word(c, x->object, x->word);
        return x->known && slot != 0 && is_known(c, jit_use(c, slot));
    case OP_ST64:
        return x->known && (x->hidden || op_waits(c));
    default:
        return false;
    }
}

/* MKCLOAT that waits: what is known without its memory does not go there. */
static void
fill_late(struct jit_fn *c)
{
    const struct jit_ins *x = jit_now(c);

    rt_assert(x->waits && x->nwords == x->w->c + 1u);
    for (uint32_t i = 0; i < x->nwords; i++) {
        uint32_t slot = jit_slot_of_word(c, x->object, x->word + i);

        if (is_known(c, jit_def(c, slot)) ||
            !rt_bit_get(jit_live(c, x->succ[0]), slot))
            continue;
        int r = op_gpr(c, jit_use(c, x->w->a), X_RAX);
        if (i > 0)
            fill_word(c, r, i - 1);
        else
            op_store_const(c, r, 0,
                (uintptr_t)&c->im->funcs[x->w[1].imm], X_RDX);
    }
    for (uint32_t i = 1; i < x->nwords; i++) {
        uint32_t slot = jit_slot_of_word(c, x->object, x->word + i);
        const struct jit_web *v = jit_def(c, slot), *from;

        from = jit_use(c, x->w->b + i - 1);
        if (op_in_xmm(v))
            op_loadf(c, v->reg, from);
        else if (op_in_gpr(v))
            op_load(c, v->reg, from);
    }
}

/* MKCLOAT: what is in a cell needs no barrier. */
void
op_fill_closure(struct jit_fn *c)
{
    if (jit_now(c)->waits && is_filled_apart(c)) {
        fill_late(c);
        return;
    }
    int r = op_gpr(c, jit_use(c, jit_now(c)->w->a), X_RAX);

    op_fill(c, r);
    if (jit_now(c)->object != 0) {
        x_mov(&c->b, X_RAX, r);
        op_load_vars(c, 0);
    }
}
