/* SPDX-License-Identifier: MIT */

/* Values of a few words, of which the last need not be whole: structs and
 * arrays of small fields.  In slots the rest of that word is zero, or what
 * nobody looks at. */
#include "runtime/jit/op_x64.h"

enum { WORDS_MAX = 4 };

bool
op_can_move(uint64_t size, bool watched)
{
    uint64_t rest = size % 8;

    if (size == 0 || size > 8 * WORDS_MAX)
        return false;
    /* The detector is told of whole words, or of one part. */
    return !watched || rest == 0 ||
        (size < 8 && (rest & (rest - 1)) == 0);
}

bool
op_can_compare(const struct rtype *t)
{
    return (t->flags & RT_F_MEMEQ) != 0 && op_can_move(rtype_size(t), false) &&
        t->slots == (rtype_size(t) + 7) / 8;
}

/* The largest piece of so many bytes, and of how many it is. */
static enum op_size
first_piece(unsigned rest, unsigned *bytes)
{
    rt_assert(rest > 0 && rest < 8);
    *bytes = rest >= 4 ? 4 : rest >= 2 ? 2 : 1;
    return *bytes == 4 ? OP_32U : *bytes == 2 ? OP_16U : OP_8U;
}

/* The slot = so many bytes at m, less than a word; rdx and rcx are lost. */
static void
load_rest(struct jit_fn *c, uint32_t slot, unsigned rest, struct op_mem m)
{
    static const uint32_t loads[] = {
        [OP_8U] = X_LOAD8U, [OP_16U] = X_LOAD16U, [OP_32U] = X_LOAD32};
    const struct jit_web *w = jit_def(c, slot);
    unsigned bytes, done;
    enum op_size size = first_piece(rest, &bytes);

    if (jit_is_dead(w))
        return;
    if (bytes == rest) {
        op_load_from(c, w, size, m);
        return;
    }
    op_mem_put(c, loads[size], X_RDX, m);
    for (done = bytes; done < rest; done += bytes) {
        size = first_piece(rest - done, &bytes);
        op_mem_put(c, loads[size], X_RCX,
            (struct op_mem){m.base, -1, 0, m.disp + (int32_t)done});
        x_shift_i(&c->b, X_SHL, X_RCX, 8 * (int)done);
        x_rr(&c->b, X_OR, X_RDX, X_RCX);
    }
    op_put(c, w, X_RDX);
}

/* So many bytes at m = the lowest of the slot; rdx is lost. */
static void
store_rest(struct jit_fn *c, uint32_t slot, unsigned rest, struct op_mem m)
{
    static const uint32_t stores[] = {
        [OP_8U] = X_STORE8, [OP_16U] = X_STORE16, [OP_32U] = X_STORE32};
    const struct jit_web *w = jit_use(c, slot);
    unsigned bytes, left = rest;
    enum op_size size = first_piece(rest, &bytes);

    if (bytes == rest) {
        op_store_to(c, w, size, m);
        return;
    }
    op_load(c, X_RDX, w);
    for (;;) {
        op_mem_put(c, stores[size], X_RDX, m);
        left -= bytes;
        if (left == 0)
            return;
        m.disp += (int32_t)bytes;
        x_shift_i(&c->b, X_SHR, X_RDX, 8 * (int)bytes);
        size = first_piece(left, &bytes);
    }
}

/* LDM: as op_load_words(), and the rest. */
static void
load(struct jit_fn *c, uint32_t bytes, int base)
{
    const struct code_ins *w = jit_now(c)->w;
    uint32_t n = bytes / 8;

    for (uint32_t i = 0; i < n && bytes % 8 != 0; i++)
        if (jit_def(c, w->a + i)->reg == base) {
            x_mov(&c->b, X_RAX, base);
            base = X_RAX;
        }
    op_load_words(c, w->a, n, base, w->c);
    if (bytes % 8 != 0)
        load_rest(c, w->a + n, bytes % 8,
            (struct op_mem){base, -1, 0, w->c + 8 * (int32_t)n});
}

/* STT. */
static void
store(struct jit_fn *c, uint32_t bytes, int base)
{
    const struct code_ins *w = jit_now(c)->w;
    struct op_mem m = {base, -1, 0, w->c};

    for (uint32_t i = 0; i < bytes / 8; i++, m.disp += 8)
        op_store_to(c, jit_use(c, w->a + i), OP_64, m);
    if (bytes % 8 != 0)
        store_rest(c, w->a + bytes / 8, bytes % 8, m);
}

void
op_words(struct jit_fn *c)
{
    const struct code_ins *w = jit_now(c)->w;
    const struct jit_web *p = jit_use(c, w->b);
    const struct rtype *t = w->op == OP_STT ? c->im->types[w[1].imm] : NULL;
    uint32_t bytes =
        t != NULL ? (uint32_t)rtype_size(t) : (uint32_t)w[1].imm;

    rt_assert(op_can_move(bytes, jit_now(c)->watched));
    if (t != NULL && rtype_has_pointers(t)) {
        rt_assert(bytes % 8 == 0);
        op_barrier(c);
    }
    int r = op_gpr(c, p, X_RAX);
    op_check_nil(c, p, r);
    op_look(c, (struct op_mem){r, -1, 0, w->c}, bytes, t != NULL);
    if (t != NULL)
        store(c, bytes, r);
    else
        load(c, bytes, r);
}

/* EQT of types whose values are equal if their bytes are. */
void
op_equal_words(struct jit_fn *c)
{
    const struct code_ins *w = jit_now(c)->w;
    uint32_t bytes = (uint32_t)rtype_size(c->im->types[w[1].imm]);
    uint32_t n = (bytes + 7) / 8;
    uint8_t *differ[WORDS_MAX];

    rt_assert(op_can_compare(c->im->types[w[1].imm]) && n <= WORDS_MAX);
    for (uint32_t i = 0; i < n; i++) {
        op_load(c, X_RAX, jit_use(c, w->b + i));
        x_rr(&c->b, X_XOR, X_RAX, op_gpr(c, jit_use(c, w->c + i), X_RDX));
        if (i + 1 < n)
            differ[i] = x_jump(&c->b, X_NE);
    }
    if (bytes % 8 != 0)
        x_shift_i(&c->b, X_SHL, X_RAX, 64 - 8 * (int)(bytes % 8));
    for (uint32_t i = 0; i + 1 < n; i++)
        x_fix(differ[i], c->b.p);
    op_set(c, X_E, w->a);
}
