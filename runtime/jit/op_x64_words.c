/* SPDX-License-Identifier: MIT */

/* Values of a few words, of which the last need not be whole: structs and
 * arrays of small fields.  In slots the rest of that word is zero, or what
 * nobody looks at. */
#include "runtime/jit/op_x64.h"

#include <string.h>

enum {
    WORDS_MAX = 4,
    COMPARED_MAX = 8, /* words */
    STRINGS_MAX = 4,
    FLOATS_MAX = 8
};

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

/* What two values are compared by. */
struct equal {
    uint64_t bits[COMPARED_MAX]; /* of each word, that count */
    uint8_t strings[STRINGS_MAX]; /* the words where they begin */
    struct {
        uint8_t at; /* bytes */
        bool half;  /* a float32 */
    } floats[FLOATS_MAX];
    unsigned nstrings, nfloats;
};

static void
count_bytes(struct equal *e, uint64_t from, uint64_t n)
{
    for (uint64_t i = from; i < from + n; i++)
        e->bits[i / 8] |= (uint64_t)UINT8_MAX << (8 * (i % 8));
}

static bool
add_floats(struct equal *e, uint64_t at, bool half, unsigned n)
{
    unsigned size = half ? 4 : 8;

    rt_assert(at % size == 0);
    if (e->nfloats + n > FLOATS_MAX)
        return false;
    for (unsigned i = 0; i < n; i++) {
        e->floats[e->nfloats].at = (uint8_t)(at + i * size);
        e->floats[e->nfloats++].half = half;
    }
    return true;
}

/* Adds a part of the value, at that byte; false: it is compared in another
 * way than by bytes, strings and floats. */
static bool
add_part(struct equal *e, const struct rtype *t, uint64_t at)
{
    rt_assert(at + rtype_size(t) <= 8 * COMPARED_MAX);
    if ((t->flags & RT_F_MEMEQ) != 0) {
        count_bytes(e, at, rtype_size(t));
        return true;
    }
    switch (t->kind) {
    case RK_FLOAT32:
    case RK_COMPLEX64:
        return add_floats(e, at, true, t->kind == RK_FLOAT32 ? 1 : 2);
    case RK_FLOAT64:
    case RK_COMPLEX128:
        return add_floats(e, at, false, t->kind == RK_FLOAT64 ? 1 : 2);
    case RK_STRING:
        rt_assert(at % 8 == 0);
        if (e->nstrings == STRINGS_MAX)
            return false;
        e->strings[e->nstrings++] = (uint8_t)(at / 8);
        return true;
    case RK_STRUCT:
        for (uint32_t i = 0; i < t->nfields; i++)
            if (strcmp(t->fields[i].name, "_") != 0 &&
                !add_part(e, t->fields[i].type, at + t->fields[i].offset))
                return false;
        return true;
    case RK_ARRAY:
        for (uint64_t i = 0; i < t->len && rtype_size(t) != 0; i++)
            if (!add_part(e, t->elem, at + i * rtype_size(t->elem)))
                return false;
        return true;
    default:
        return false;
    }
}

static bool
how_equal(struct equal *e, const struct rtype *t)
{
    uint64_t size = rtype_size(t);

    *e = (struct equal){0};
    return size > 0 && size <= 8 * COMPARED_MAX &&
        t->slots == (size + 7) / 8 && add_part(e, t, 0);
}

bool
op_can_compare(const struct rtype *t)
{
    struct equal e;

    return how_equal(&e, t);
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
    op_trap_nil(c, p, r);
    op_look(c, (struct op_mem){r, -1, 0, w->c}, bytes, t != NULL);
    if (t != NULL)
        store(c, bytes, r);
    else
        load(c, bytes, r);
    op_end_trap(c, r); /* nobody asks for what would be loaded */
}

/* rax, and the flags, are zero if these bits of two slots are equal. */
static void
compare_bits(struct jit_fn *c, uint32_t x, uint32_t y, uint64_t bits)
{
    op_load(c, X_RAX, jit_use(c, x));
    x_rr(&c->b, X_XOR, X_RAX, op_gpr(c, jit_use(c, y), X_RDX));
    if (bits == UINT64_MAX)
        return;
    if ((bits & (bits + 1)) == 0) {
        x_shift_i(&c->b, X_SHL, X_RAX, __builtin_clzll(bits));
        return;
    }
    x_const(&c->b, X_RDX, (int64_t)bits);
    x_rr(&c->b, X_AND, X_RAX, X_RDX);
}

/* xmm = a float in a slot; rax is lost. */
static int
load_float(
    struct jit_fn *c, int xmm, const struct jit_web *w, unsigned at, bool half)
{
    if (!half)
        return op_xmm(c, w, xmm);
    op_load(c, X_RAX, w);
    if (at % 8 != 0)
        x_shift_i(&c->b, X_SHR, X_RAX, 32);
    x_rr(&c->b, X_MOVF_FROM, xmm, X_RAX);
    return xmm;
}

/* The flags tell whether two floats are equal, and one that is no number is
 * not. */
static void
compare_floats(struct jit_fn *c, const struct jit_web *x,
    const struct jit_web *y, unsigned at, bool half)
{
    int a = load_float(c, X_XMM0, x, at, half);
    int b = load_float(c, X_XMM1, y, at, half);

    x_rr(&c->b, half ? X_UCOMF32 : X_UCOMF, a, b);
    x_rr(&c->b, X_SET + X_P, 0, X_RCX);
    x_rr(&c->b, X_SET + X_NE, 0, X_RAX);
    x_rr(&c->b, X_OR, X_RAX, X_RCX);
    x_rr(&c->b, X_LOAD8U, X_RAX, X_RAX);
    x_rr(&c->b, X_TEST, X_RAX, X_RAX);
}

/* EQT: words first, then floats, then strings.  Whoever sees a difference jumps
 * to the end, where the flags tell. */
void
op_equal_words(struct jit_fn *c)
{
    const struct code_ins *w = jit_now(c)->w;
    uint8_t *differ[COMPARED_MAX + FLOATS_MAX + STRINGS_MAX];
    unsigned n = 0;
    struct equal e;
    bool can = how_equal(&e, c->im->types[w[1].imm]);

    rt_assert(can);
    (void)can;
    x_rr(&c->b, X_XOR32, X_RAX, X_RAX);
    for (unsigned i = 0; i < COMPARED_MAX; i++)
        if (e.bits[i] != 0) {
            compare_bits(c, w->b + i, w->c + i, e.bits[i]);
            differ[n++] = x_jump(&c->b, X_NE);
        }
    for (unsigned i = 0; i < e.nfloats; i++) {
        unsigned at = e.floats[i].at;
        compare_floats(c, jit_use(c, w->b + at / 8), jit_use(c, w->c + at / 8),
            at, e.floats[i].half);
        differ[n++] = x_jump(&c->b, X_NE);
    }
    for (unsigned i = 0; i < e.nstrings; i++) {
        op_compare_strings(c, w->b + e.strings[i], w->c + e.strings[i]);
        differ[n++] = x_jump(&c->b, X_NE);
    }
    for (unsigned i = 0; i < n; i++)
        x_fix(differ[i], c->b.p);
    op_set(c, X_E, w->a);
}
