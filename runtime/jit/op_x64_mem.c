/* SPDX-License-Identifier: MIT */

/* Memory: through pointers, elements of slices, strings and arrays. */
#include "runtime/jit/op_x64.h"

#include "runtime/jit/access.h"

static const uint8_t bytes_of[] = {1, 1, 2, 2, 4, 4, 8};

void
op_mem_put(struct jit_fn *c, unsigned op, int reg, struct op_mem m)
{
    rt_assert(m.base >= 0 && m.base < X_XMM0 && m.index != X_RSP);
    rt_assert(m.shift >= 0 && m.shift <= 3);
    if (c->trap >= 0) {
        jit_put_trap(c, (uint32_t)c->trap);
        c->trap = -1;
    }
    if (m.index < 0)
        x_rm(&c->b, op, reg, m.base, m.disp);
    else
        x_rx(&c->b, op, reg, m.base, m.index, m.shift, m.disp);
}

void
op_load_from(struct jit_fn *c, const struct jit_web *w, enum op_size size,
    struct op_mem m)
{
    static const uint32_t ops[] = {X_LOAD8U, X_LOAD8S, X_LOAD16U, X_LOAD16S,
        X_LOAD32, X_LOAD32S, X_LOAD};
    int r = op_target(w);

    if (size == OP_64 && op_in_xmm(w)) {
        op_mem_put(c, X_LOADF, w->reg, m);
        r = w->reg;
    } else {
        op_mem_put(c, ops[size], r, m);
    }
    op_put(c, w, r);
    if (op_in_memory(w)) {
        c->held = w;
        c->held_at = c->b.p;
    }
}

static void
store_value(
    struct jit_fn *c, int32_t v, enum op_size size, struct op_mem m)
{
    static const uint32_t ops[] = {X_STORE8_I, X_STORE8_I, X_STORE16_I,
        X_STORE16_I, X_STORE32_I, X_STORE32_I, X_STORE_I};

    op_mem_put(c, ops[size], 0, m);
    if (bytes_of[size] >= 4) {
        x_i32(&c->b, v);
    } else {
        x_i8(&c->b, v);
        if (bytes_of[size] == 2)
            x_i8(&c->b, v >> 8);
    }
}

void
op_store_to(struct jit_fn *c, const struct jit_web *w, enum op_size size,
    struct op_mem m)
{
    static const uint32_t ops[] = {X_STORE8, X_STORE8, X_STORE16, X_STORE16,
        X_STORE32, X_STORE32, X_STORE};

    if (w->constant)
        store_value(c, w->value, size, m);
    else if (size == OP_64 && op_in_xmm(w))
        op_mem_put(c, X_STOREF, w->reg, m);
    else
        op_mem_put(c, ops[size], op_gpr(c, w, X_RDX), m);
}

/* Into n slots, the first operands; no web has the register of m's index. */
static void
load_words(struct jit_fn *c, uint32_t slot, unsigned n, struct op_mem m)
{
    for (unsigned i = 0; i < n; i++)
        if (op_operand(c, i, slot + i, true)->reg == m.base) {
            x_mov(&c->b, X_RAX, m.base);
            m.base = X_RAX;
        }
    for (unsigned i = 0; i < n; i++, m.disp += 8) {
        const struct jit_web *w = op_operand(c, i, slot + i, true);

        if (jit_is_dead(w))
            continue;
        if (w->reg >= 0) {
            op_load_from(c, w, OP_64, m);
        } else {
            op_mem_put(c, X_LOAD, X_RDX, m);
            op_put(c, w, X_RDX);
        }
    }
}

void
op_load_words(
    struct jit_fn *c, uint32_t slot, unsigned n, int base, int32_t disp)
{
    load_words(c, slot, n, (struct op_mem){base, -1, 0, disp});
}

/* n slots from `slot` on, which are operands from the at-th one on. */
static void
store_words(struct jit_fn *c, uint32_t slot, unsigned at, unsigned n, int base,
    int32_t disp)
{
    for (unsigned i = 0; i < n; i++)
        op_store_to(c, op_operand(c, at + i, slot + i, false), OP_64,
            (struct op_mem){base, -1, 0, disp + 8 * (int32_t)i});
}

/* ---- by address --------------------------------------------------------- */

/* The word, of those that are stored, that is a pointer. */
static unsigned
pointer_word(unsigned op)
{
    return op == OP_STIFACE ? 1 : 0;
}

/* trap: the record for which what is there before is the first access, and 1; 0:
 * it is none. */
static void
shade_pointer(struct jit_fn *c, uint32_t trap)
{
    const struct code_ins *w = jit_now(c)->w;
    unsigned i = pointer_word(w->op);
    const struct jit_web *p = jit_use(c, w->b);

    c->trap = (int64_t)trap - 1;
    op_shade(c, op_operand(c, i, w->a + i, false), (struct op_mem){
        op_gpr(c, p, X_RAX), -1, 0, w->c + 8 * (int32_t)i});
}

/* The slot from which instruction w makes the slice that it puts into this
 * one, whose array is the same; -1: it is another. */
static int32_t
slice_before(const struct code_ins *w, uint32_t slot)
{
    if (w->a != slot)
        return -1;
    if (w->op == OP_APPEND64 || w->op == OP_APPENDT || w->op == OP_APPENDSL ||
        (w->op == OP_SLICE && (w[1].a & CODE_SLICE_LO) == 0))
        return w->b;
    return -1;
}

/* Whether the slice that is stored seems to be one that has been loaded from
 * there just now and made longer or shorter, as in x.s = append(x.s, v).  It
 * need not be so: what follows from it is right for each slice. */
static bool
goes_back(const struct jit_fn *c)
{
    enum { LOOK_BACK = 12 };
    const struct jit_ins *now = &c->v[c->k];
    const struct code_ins *w = now->w;
    int32_t slot = w->a;
    bool made = false;

    for (int32_t k = c->k - 1; k >= 0 && k >= c->k - LOOK_BACK; k--) {
        const struct code_ins *x = c->v[k].w;
        int32_t from = slice_before(x, (uint32_t)slot);

        if (x->op == OP_LD3 && x->a == slot && c->v[k].known)
            return made && c->v[k].object == now->object &&
                c->v[k].word == now->word;
        if (x->op == OP_LD3 && x->a == slot)
            return made && x->b == w->b && x->c == w->c;
        if (x->op == OP_MOV && x->a == slot)
            slot = x->b;
        if (from >= 0)
            slot = from;
        made |= from >= 0;
    }
    return false;
}

/* Stores the first word of a slice, which is another than before. */
static void
store_array(struct jit_fn *c, uint32_t arg)
{
    const struct code_ins *w = jit_now(c)->w;

    (void)arg;
    op_look_at_barrier(c, X_RDX);
    uint8_t *skip = x_jump(&c->b, X_E);
    shade_pointer(c, 0);
    x_fix(skip, c->b.p);
    store_words(c, w->a, 0, 1, op_gpr(c, jit_use(c, w->b), X_RAX), w->c);
}

/* A store of a slice whose array is most often the one that it had before.
 * Then the word is not written again, and no barrier is needed: a store is
 * what a load from there soon has to wait for. */
static void
store_slice_back(struct jit_fn *c)
{
    const struct code_ins *w = jit_now(c)->w;
    int r = op_gpr(c, jit_use(c, w->b), X_RAX);

    struct op_mem m = {r, -1, 0, w->c};
    if (!jit_now(c)->safe)
        op_trap_nil(c, jit_use(c, w->b), r);
    op_look(c, m, 24, true);
    op_mem_put(c, X_CMP_TO, op_gpr(c, jit_use(c, w->a), X_RDX), m);
    jit_back(c, jit_seldom(c, X_NE, store_array, 0));
    store_words(c, w->a + 1u, 1, 2, r, w->c + 8);
}

/* A store of n words, one of which is a pointer.
 * x86-order: who finds it finds what has been written where it points, too. */
static void
store_pointer(struct jit_fn *c, unsigned n)
{
    const struct code_ins *w = jit_now(c)->w;
    const struct jit_web *p = jit_use(c, w->b);
    int r = op_gpr(c, p, X_RAX);

    if (!jit_now(c)->safe)
        op_trap_nil(c, p, r);
    op_look(c, (struct op_mem){r, -1, 0, w->c}, 8 * n, true);
    op_barrier_at(c, shade_pointer, (uint32_t)(c->trap + 1));
    store_words(c, w->a, 0, n, r, w->c);
}

static uint32_t
bytes_at_pointer(unsigned op)
{
    static const uint8_t bytes[] = {1, 1, 2, 2, 4, 4, 8, 16, 24, [OP_ST8 -
        OP_LD8U] = 1, [OP_ST16 - OP_LD8U] = 2, [OP_ST32 - OP_LD8U] = 4,
        [OP_ST64 - OP_LD8U] = 8};

    rt_assert(op >= OP_LD8U && op - OP_LD8U < sizeof bytes);
    return bytes[op - OP_LD8U];
}

/* The variables that are stored, into their registers from where the words are,
 * if none of them is in another one's. */
static bool
put_stored(struct jit_fn *c)
{
    const struct jit_ins *x = jit_now(c);
    const struct jit_web *to[JIT_WORDS_ACCESSED];
    bool apart = true;

    for (uint32_t i = 0; i < x->nwords; i++) {
        uint32_t slot = jit_slot_of_word(c, x->object, x->word + i);

        to[i] = slot == 0 ? NULL : jit_def(c, slot);
        for (uint32_t k = 0; k < x->nwords && to[i] != NULL; k++)
            apart &= k == i || to[i]->reg < 0 ||
                to[i]->reg != jit_use(c, x->w->a + k)->reg;
    }
    for (uint32_t i = 0; i < x->nwords && apart; i++)
        if (to[i] != NULL && to[i]->reg >= 0)
            op_copy(c, to[i], jit_use(c, x->w->a + i));
    return apart;
}

/* Stores of pointers, and of what has one. */
static void
store_with_pointer(struct jit_fn *c)
{
    const struct jit_ins *x = jit_now(c);

    if (op_waits(c) && put_stored(c))
        return;
    if (x->w->op == OP_STSLICE && goes_back(c))
        store_slice_back(c);
    else
        store_pointer(c, jit_words_accessed(x->w->op));
    if (x->nwords == 0 || put_stored(c))
        return;
    x_mov(&c->b, X_RAX, op_gpr(c, jit_use(c, x->w->b), X_RAX));
    op_load_vars(c, x->w->c);
}

void
op_pointer(struct jit_fn *c)
{
    static const uint8_t stores[] = {OP_8U, OP_16U, OP_32U, OP_64};
    const struct code_ins *w = jit_now(c)->w;

    if (w->op >= OP_STP && w->op <= OP_STIFACE) {
        store_with_pointer(c);
        return;
    }
    bool loads = w->op >= OP_LD8U && w->op <= OP_LD64;
    bool saves = w->op >= OP_ST8 && w->op <= OP_ST64;
    const struct jit_web *p = w->op == OP_CHKNIL
        ? op_operand(c, 0, w->a, false)
        : op_operand(c, w->op == OP_LD2 ? 2 : w->op == OP_LD3 ? 3 : 1, w->b,
            false);
    int r = op_gpr(c, p, X_RAX);
    struct op_mem m = {r, -1, 0, w->c};
    if (!jit_now(c)->safe)
        op_trap_nil(c, p, r);
    if (w->op >= OP_LD8U && w->op <= OP_ST64)
        op_look(c, m, bytes_at_pointer(w->op), w->op >= OP_ST8);
    if (loads) {
        const struct jit_web *a = op_operand(c, 0, w->a, true);
        if (!jit_is_dead(a))
            op_load_from(c, a, (enum op_size)(w->op - OP_LD8U), m);
    } else if (saves) {
        op_store_to(c, op_operand(c, 0, w->a, false),
            (enum op_size)stores[w->op - OP_ST8], m);
    } else if (w->op == OP_LD2 || w->op == OP_LD3) {
        op_load_words(c, w->a, w->op == OP_LD2 ? 2 : 3, r, w->c);
    } else if (w->op == OP_LEA) {
        const struct jit_web *a = op_operand(c, 0, w->a, true);
        x_rm(&c->b, X_LEA, op_target(a), r, w->c);
        op_put(c, a, op_target(a));
    } else {
        rt_assert(w->op == OP_CHKNIL);
    }
    op_end_trap(c, r); /* nobody asks for what would be loaded */
}

/* ---- elements ----------------------------------------------------------- */

/* Whether the index is a number that is part of the address. */
static bool
is_constant_index(const struct jit_web *i, uint32_t size)
{
    return i->constant && i->value >= 0 &&
        (uint64_t)i->value * size < (uint64_t)1 << 30;
}

/* The element's place but for the base, if its index is such a number. */
static struct op_mem
constant_place(const struct jit_web *i, uint32_t size)
{
    struct op_mem m = {.index = -1};

    if (is_constant_index(i, size))
        m.disp = (int32_t)((uint32_t)i->value * size);
    return m;
}

/* The element's place, index checked, its size being 1, 2, 4 or 8: in rax and
 * rcx, unless the webs have registers. */
static struct op_mem
checked(struct jit_fn *c, uint32_t size)
{
    const struct code_ins *w = jit_now(c)->w;
    const struct jit_web *p = jit_use(c, w->b), *len = jit_use(c, w->b + 1u),
                         *i = jit_use(c, w->c);
    struct op_mem m = constant_place(i, size);

    if (is_constant_index(i, size)) {
        if (!jit_now(c)->in_range) {
            op_compare_i(c, len, i->value);
            jit_leave(c, X_BE);
        }
    } else {
        m.index = op_gpr(c, i, X_RCX);
        if (!jit_now(c)->in_range && !jit_in_range(c, w->c, w->b + 1u)) {
            op_alu(c, X_ALU_CMP, m.index, len);
            jit_leave(c, X_AE);
        }
        m.shift = size == 0 ? 0 : __builtin_ctz(size);
    }
    m.base = op_gpr(c, p, X_RAX);
    return m;
}

/* reg = the address of element `index` of that size behind base; rcx is
 * lost. */
static void
address(struct jit_fn *c, int reg, int base, int index, uint32_t size)
{
    rt_assert(index != X_RAX || base == X_RAX);
    if (size <= 8 && (size & (size - 1)) == 0 && size != 0) {
        x_rx(&c->b, X_LEA, reg, base, index, __builtin_ctz(size), 0);
        return;
    }
    if (size == 24) {
        x_rx(&c->b, X_LEA, X_RCX, index, index, 1, 0);
        x_rx(&c->b, X_LEA, reg, base, X_RCX, 3, 0);
        return;
    }
    op_times(c, X_RCX, index, (int32_t)size);
    x_rx(&c->b, X_LEA, reg, base, X_RCX, 0, 0);
}

/* reg = the address of an element of that size, in memory m but for the
 * size. */
static void
address_of(struct jit_fn *c, int reg, struct op_mem m, uint32_t size)
{
    if (m.index < 0)
        x_rm(&c->b, X_LEA, reg, m.base, m.disp);
    else
        address(c, reg, m.base, m.index, size);
}

/* rax = the address of the element, index checked. */
static void
checked_address(struct jit_fn *c, uint32_t size)
{
    address_of(c, X_RAX, checked(c, size), size);
}

/* The element's address, index checked, is the value of slot a. */
static void
element_address(struct jit_fn *c, uint32_t size)
{
    const struct jit_web *a = jit_def(c, jit_now(c)->w[0].a);
    int r = op_target(a);

    address_of(c, r, checked(c, size), size);
    op_put(c, a, r);
}

/* Loads the n words of an element, index checked, into the slots from a on. */
static void
load_element(struct jit_fn *c, unsigned n)
{
    const struct code_ins *w = jit_now(c)->w;
    struct op_mem m = checked(c, 8 * n);

    rt_assert(n == 2 || n == 3);
    if (m.index >= 0 && n == 3) {
        x_rx(&c->b, X_LEA, X_RCX, m.index, m.index, 1, 0);
        m.index = X_RCX;
        m.shift = 3;
    } else if (m.index >= 0) {
        x_mov(&c->b, X_RCX, m.index);
        x_shift_i(&c->b, X_SHL, X_RCX, 4);
        m.index = X_RCX;
        m.shift = 0;
    }
    op_look(c, m, 8 * n, false);
    load_words(c, w->a, n, m);
}

/* The string's address is in rax. */
static void
shade_string(struct jit_fn *c, uint32_t arg)
{
    (void)arg;
    op_shade(c, jit_use(c, jit_now(c)->w[0].a),
        (struct op_mem){X_RAX, -1, 0, 0});
}

/* The element's place is as checked() has left it. */
static void
shade_element(struct jit_fn *c, uint32_t arg)
{
    const struct code_ins *w = jit_now(c)->w;
    const struct jit_web *i = jit_use(c, w->c);
    struct op_mem m = constant_place(i, 8);

    (void)arg;
    if (m.index < 0 && !is_constant_index(i, 8)) {
        m.index = op_in_gpr(i) ? i->reg : X_RCX;
        m.shift = 3;
    }
    const struct jit_web *p = jit_use(c, w->b);
    m.base = op_in_gpr(p) ? p->reg : X_RAX;
    op_shade(c, jit_use(c, w->a), m);
}

void
op_element(struct jit_fn *c)
{
    static const uint8_t stores[] = {OP_8U, OP_16U, OP_32U, OP_64};
    const struct code_ins *w = jit_now(c)->w;
    enum op_size size;
    struct op_mem m;

    switch (w->op) {
    case OP_LDX2:
        load_element(c, 2);
        break;
    case OP_LDX3:
        load_element(c, 3);
        break;
    case OP_XADDR:
        element_address(c, (uint32_t)w[1].imm);
        break;
    case OP_STXSTR:
        checked_address(c, 16);
        op_look(c, (struct op_mem){X_RAX, -1, 0, 0}, 16, true);
        op_barrier_at(c, shade_string, 0);
        store_words(c, w->a, 0, 2, X_RAX, 0);
        break;
    case OP_STXP:
        m = checked(c, 8);
        op_look(c, m, 8, true);
        op_barrier_at(c, shade_element, 0);
        op_store_to(c, jit_use(c, w->a), OP_64, m);
        break;
    case OP_STX8:
    case OP_STX16:
    case OP_STX32:
    case OP_STX64:
        size = (enum op_size)stores[w->op - OP_STX8];
        m = checked(c, bytes_of[size]);
        op_look(c, m, bytes_of[size], true);
        op_store_to(c, jit_use(c, w->a), size, m);
        break;
    default:
        size = (enum op_size)(w->op - OP_LDX8U);
        m = checked(c, bytes_of[size]);
        op_look(c, m, bytes_of[size], false);
        if (!jit_is_dead(jit_def(c, w->a))) /* else only the check counts */
            op_load_from(c, jit_def(c, w->a), size, m);
        break;
    }
}

/* ---- arrays behind a pointer -------------------------------------------- */

void
op_array(struct jit_fn *c)
{
    static const uint8_t sizes[] = {OP_8U, OP_32S, OP_32U, OP_64, OP_8U,
        OP_32U, OP_64};
    const struct code_ins *w = jit_now(c)->w;

    if (w->op == OP_CHKIDX && jit_now(c)->in_range)
        return;
    if (w->op == OP_CHKIDX) {
        op_compare_i(c, jit_use(c, w->a), w->imm);
        jit_leave(c, X_AE);
        return;
    }
    bool addr = w->op == OP_PADDR;
    enum op_size size = addr ? OP_64 : (enum op_size)sizes[w->op - OP_LDP8U];
    uint32_t bytes = addr ? (uint32_t)w[1].imm : bytes_of[size];
    const struct jit_web *p = jit_use(c, w->b), *i = jit_use(c, w->c);
    struct op_mem m = constant_place(i, bytes);
    m.base = op_gpr(c, p, X_RAX);
    op_check_nil(c, p, m.base);
    if (!is_constant_index(i, bytes)) {
        m.index = op_gpr(c, i, X_RCX);
        m.shift = addr ? 0 : __builtin_ctz(bytes);
    }
    if (addr) {
        int r = op_target(jit_def(c, w->a));
        address_of(c, r, m, bytes);
        op_put(c, jit_def(c, w->a), r);
        return;
    }
    op_look(c, m, bytes_of[size], w->op >= OP_STP8);
    if (w->op >= OP_STP8)
        op_store_to(c, jit_use(c, w->a), size, m);
    else
        op_load_from(c, jit_def(c, w->a), size, m);
}

/* The value at slot c behind the rcx elements of the slice at b. */
static void
append_value(struct jit_fn *c, uint32_t size, const struct jit_web *ptr)
{
    const struct code_ins *w = jit_now(c)->w;
    int base = op_gpr(c, ptr, X_RAX);
    enum op_size part = size == 1 ? OP_8U : size == 2 ? OP_16U :
        size == 4 ? OP_32U : OP_64;

    if (size <= 8) {
        struct op_mem m = {base, X_RCX, __builtin_ctz(size), 0};
        op_look(c, m, size, true);
        op_store_to(c, jit_use(c, w->c), part, m);
        return;
    }
    address(c, X_RAX, base, X_RCX, size);
    op_look(c, (struct op_mem){X_RAX, -1, 0, 0}, size, true);
    store_words(c, w->c, 6, size / 8, X_RAX, 0);
}

/* The slice at b with so many elements more becomes that at a. */
static void
put_longer(struct jit_fn *c, uint32_t a, uint32_t b, int32_t more)
{
    const struct jit_web *len = jit_def(c, a + 1);

    if (op_are_apart(c, a, b, 3)) {
        /* The register of one that nobody reads may be that of another part. */
        if (!jit_is_dead(len)) {
            int r = op_target(len);

            op_load(c, r, jit_use(c, b + 1));
            if (more != 0)
                x_alu_i(&c->b, X_ALU_ADD, r, more);
            op_put(c, len, r);
        }
        op_copy(c, jit_def(c, a), jit_use(c, b));
        op_copy(c, jit_def(c, a + 2), jit_use(c, b + 2));
        return;
    }
    op_load(c, X_RAX, jit_use(c, b));
    op_load(c, X_RCX, jit_use(c, b + 1));
    if (more != 0)
        x_alu_i(&c->b, X_ALU_ADD, X_RCX, more);
    op_load(c, X_RDX, jit_use(c, b + 2));
    op_put(c, jit_def(c, a), X_RAX);
    op_put(c, len, X_RCX);
    op_put(c, jit_def(c, a + 2), X_RDX);
}

/* One value more, where there is room. */
void
op_append(struct jit_fn *c)
{
    const struct code_ins *w = jit_now(c)->w;
    const struct rtype *t =
        w->op == OP_APPEND64 ? NULL : c->im->types[w[1].imm];
    const struct jit_web *ptr = jit_use(c, w->b), *len = jit_use(c, w->b + 1u);

    /* What stood behind the end may be a pointer, too. */
    if (t != NULL && rtype_has_pointers(t))
        op_barrier(c);
    op_load(c, X_RCX, len);
    op_alu(c, X_ALU_CMP, X_RCX, jit_use(c, w->b + 2u));
    jit_slow(c, X_GE);
    append_value(c, t == NULL ? 8 : (uint32_t)rtype_size(t), ptr);
    put_longer(c, w->a, w->b, 1);
}

/* Several are about to be appended, and there is room for all. */
void
op_append_room(struct jit_fn *c)
{
    const struct code_ins *w = jit_now(c)->w;
    int64_t n = w->c + ((int64_t)w[1].a << 16);

    rt_assert(n > 0 && n <= INT32_MAX);
    op_load(c, X_RDX, jit_use(c, w->b + 2u));
    op_alu(c, X_ALU_SUB, X_RDX, jit_use(c, w->b + 1u));
    x_alu_i(&c->b, X_ALU_CMP, X_RDX, (int32_t)n);
    jit_slow(c, X_L);
    put_longer(c, w->a, w->b, 0);
}

bool
op_can_copy(const struct rtype *t)
{
    uint64_t size = rtype_size(t);

    return !rtype_has_pointers(t) && size != 0 && size <= 8 &&
        (size & (size - 1)) == 0;
}

/* reg *= size, which is a power of two. */
static void
scale_by(struct jit_fn *c, int reg, uint64_t size)
{
    if (size > 1)
        x_shift_i(&c->b, X_SHL, reg, __builtin_ctzll(size));
}

/* Elements from one slice to another, as many as both have: rax = from, rdx =
 * to, rcx = bytes. */
void
op_copy_slice(struct jit_fn *c)
{
    const struct code_ins *w = jit_now(c)->w;
    bool counts = w->a != CODE_NO_SLOT && !jit_is_dead(jit_def(c, w->a));

    op_load(c, X_RCX, jit_use(c, w->b + 1u));
    op_load(c, X_RAX, jit_use(c, w->c + 1u));
    x_rr(&c->b, X_CMP, X_RCX, X_RAX);
    x_rr(&c->b, X_CMOV + X_G, X_RCX, X_RAX);
    if (counts)
        x_rm(&c->b, X_STORE, X_RCX, X_RSP, OP_AT_SCRATCH);
    scale_by(c, X_RCX, rtype_size(c->im->types[w[1].imm]));
    op_load(c, X_RAX, jit_use(c, w->c));
    op_load(c, X_RDX, jit_use(c, w->b));
    x_abs(&c->b, X_JUMP, 2, jit_table_routine(c->jit, JIT_COPY));
    if (!counts)
        return;
    x_rm(&c->b, X_LOAD, X_RAX, X_RSP, OP_AT_SCRATCH);
    op_put(c, jit_def(c, w->a), X_RAX);
}

/* The elements at c, in number c + 1, to the end of the slice at b, where
 * there is room: rax = from, rdx = to, rcx = bytes. */
void
op_append_slice(struct jit_fn *c)
{
    const struct code_ins *w = jit_now(c)->w;
    const struct jit_web *ptr = jit_use(c, w->b), *len = jit_use(c, w->b + 1u),
                         *cap = jit_use(c, w->b + 2u),
                         *n = jit_use(c, w->c + 1u);
    uint64_t size = rtype_size(c->im->types[w[1].imm]);

    op_load(c, X_RDX, cap);
    op_alu(c, X_ALU_SUB, X_RDX, len);
    op_load(c, X_RCX, n);
    x_rr(&c->b, X_CMP, X_RCX, X_RDX);
    jit_slow(c, X_G);
    op_load(c, X_RDX, len);
    scale_by(c, X_RDX, size);
    op_load(c, X_RAX, ptr);
    x_rr(&c->b, X_ADD, X_RDX, X_RAX);
    scale_by(c, X_RCX, size);
    op_load(c, X_RAX, jit_use(c, w->c));
    x_abs(&c->b, X_JUMP, 2, jit_table_routine(c->jit, JIT_COPY));
    op_load(c, X_RCX, len);
    op_load(c, X_RAX, n);
    x_rr(&c->b, X_ADD, X_RCX, X_RAX);
    op_load(c, X_RAX, ptr);
    op_load(c, X_RDX, cap);
    op_put(c, jit_def(c, w->a), X_RAX);
    op_put(c, jit_def(c, w->a + 1u), X_RCX);
    op_put(c, jit_def(c, w->a + 2u), X_RDX);
}
