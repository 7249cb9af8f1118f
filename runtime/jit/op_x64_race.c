/* SPDX-License-Identifier: MIT */

/*
 * Accesses as the race detector wants to know of them.  Most are covered by what
 * the memory's cell knows already, as race_read() and race_write() say it; that
 * is looked at here, and whatever else there is becomes a call, behind the
 * function's code, which keeps all registers of webs.
 *
 * A cell's word covers an access if it has the goroutine's epoch and all bytes
 * of the mask: known ^ epoch, of which only the mask and what is above the
 * eight bytes' bits is looked at, is the mask.
 */
#include "runtime/jit/op_x64.h"

#include "runtime/race/race.h"

_Static_assert(sizeof(struct race_cell) == 16, "an offset is scaled by 2");

enum {
    AT_READ = offsetof(struct race_cell, read),
    AT_WRITE = offsetof(struct race_cell, write),
    CELL = sizeof(struct race_cell)
};

void
jit_x64_masks(uint64_t *table)
{
    for (unsigned z = 0; z < 3; z++)
        for (unsigned at = 0; at < 8; at++) {
            uint64_t mask = ((UINT64_C(1) << (1u << z)) - 1) << at;
            bool fits = at + (1u << z) <= 8;
            /* What is in two cells is not covered by one. */
            table[16 * z + at] = fits ? mask | ~RACE_MASK : 0;
            table[16 * z + 8 + at] = fits ? mask : ~UINT64_C(0);
        }
}

static void
put_address(struct jit_fn *c, int reg, const struct jit_look *l)
{
    if (l->index < 0 && l->disp == 0)
        x_mov(&c->b, reg, l->base);
    else
        op_mem_put(c, X_LEA, reg,
            (struct op_mem){l->base, l->index, l->shift, l->disp});
}

/* OP_LOOK = the cell of the offset there, a multiple of 8. */
static void
to_cell(struct jit_fn *c)
{
    x_rr(&c->b, X_ADD, OP_LOOK, OP_LOOK);
    x_rm(&c->b, X_ADD, OP_LOOK, OP_RACE, offsetof(struct race_g, cells));
}

/* OP_LOOK = the offset of the address there.  A jump for what is not
 * watched. */
static uint8_t *
to_offset(struct jit_fn *c)
{
    x_rm(&c->b, X_SUB, OP_LOOK, OP_RACE, offsetof(struct race_g, lo));
    x_rm(&c->b, X_CMP, OP_LOOK, OP_RACE, offsetof(struct race_g, span));
    return x_jump(&c->b, X_AE);
}

/* rdx = the last three bits of the offset in OP_LOOK, which becomes the
 * cell. */
static void
split(struct jit_fn *c)
{
    x_rr(&c->b, X_LOAD32, X_RDX, OP_LOOK);
    x_rr(&c->b, X_GROUP32_I8, X_ALU_AND, X_RDX);
    x_i8(&c->b, 7);
    x_alu_i(&c->b, X_ALU_AND, OP_LOOK, -8);
    to_cell(c);
}

/* "Equal" if the cell's word covers the bytes at rdx. */
static void
compare_part(struct jit_fn *c, unsigned bytes, int word)
{
    uint32_t first = 16 * (uint32_t)__builtin_ctz(bytes);

    rt_assert(bytes <= 4 && first + 16 <= JIT_NMASKS);
    x_rm(&c->b, X_LOAD, OP_LOOK, OP_LOOK, word);
    x_rm(&c->b, X_XOR, OP_LOOK, OP_RACE, offsetof(struct race_g, epoch));
    x_abs_index(&c->b, X_AND, OP_LOOK, X_RDX,
        jit_table_mask(c->jit, first));
    x_abs_index(&c->b, X_CMP, OP_LOOK, X_RDX,
        jit_table_mask(c->jit, first + 8));
}

/* The call. */
static void
call_detector(struct jit_fn *c, const struct jit_look *l)
{
    const struct jit_ins *x = jit_now(c);

    if (c->jit->cfg.stats)
        x_abs(&c->b, X_INC, 0, jit_table_counter(c->jit, x->pc));
    put_address(c, X_RDX, l);
    x_rm(&c->b, X_STORE, X_RDX, X_RSP, OP_AT_SCRATCH);
    op_write_headers(c);
    op_load_frame(c, X_RDX);
    x_rm(&c->b, X_STORE, X_RDX, X_RSP, OP_AT_SCRATCH_2);
    x_const(&c->b, OP_LOOK, (int64_t)(uintptr_t)x->pc);
    x_const(&c->b, X_RDX, 2 * l->bytes + l->write);
    x_abs(&c->b, X_JUMP, 2,
        jit_table_routine(c->jit, c->floats ? JIT_LOOK : JIT_LOOK_INT));
}

/* OP_LOOK = the offset of the address. */
static void
put_offset(struct jit_fn *c, const struct jit_look *l)
{
    put_address(c, OP_LOOK, l);
    x_rm(&c->b, X_SUB, OP_LOOK, OP_RACE, offsetof(struct race_g, lo));
}

/* What is not covered, as far as that has been looked at: a part of a word that
 * is read may have been written, and where one is written the goroutine itself
 * may have read another. */
static void
tell(struct jit_fn *c, uint32_t arg)
{
    const struct jit_look *l = &c->looks.v[arg];
    uint8_t *others = NULL, *covered = NULL;

    if (l->bytes < 8 && l->write) {
        put_offset(c, l);
        x_alu_i(&c->b, X_ALU_AND, OP_LOOK, -8);
        to_cell(c);
        x_rm(&c->b, X_LOAD, X_RDX, OP_LOOK, AT_READ);
        x_rm(&c->b, X_XOR, X_RDX, OP_RACE, offsetof(struct race_g, epoch));
        x_alu_i(&c->b, X_ALU_CMP, X_RDX, RACE_MASK);
        others = x_jump(&c->b, X_A);
    }
    if (l->bytes < 8) {
        put_offset(c, l);
        split(c);
        compare_part(c, l->bytes, AT_WRITE);
        covered = x_jump(&c->b, X_E);
    }
    if (others != NULL)
        x_fix(others, c->b.p);
    call_detector(c, l);
    if (covered != NULL)
        x_fix(covered, c->b.p);
}

/* Jumps to one place. */
enum { JUMPS = 12 };

struct jumps {
    unsigned n;
    uint8_t *v[JUMPS];
};

static void
jump(struct jit_fn *c, struct jumps *j, int cc)
{
    rt_assert(j->n < JUMPS);
    j->v[j->n++] = x_jump(&c->b, cc);
}

static void
jumps_end(struct jit_fn *c, const struct jumps *j)
{
    for (unsigned i = 0; i < j->n; i++)
        x_fix(j->v[i], c->b.p);
}

/* The word at OP_LOOK and behind; rdx: the epoch and all bytes.  Goes on with
 * "equal" if it is covered. */
static void
look_at_word(
    struct jit_fn *c, bool write, int cell, struct jumps *yes, struct jumps *no)
{
    if (write) {
        x_rm(&c->b, X_CMP, X_RDX, OP_LOOK, cell + AT_WRITE);
        jump(c, no, X_NE);
        x_alu_mi(&c->b, X_ALU_CMP, OP_LOOK, cell + AT_READ, 0);
        jump(c, yes, X_E);
        x_rm(&c->b, X_CMP, X_RDX, OP_LOOK, cell + AT_READ);
    } else {
        x_rm(&c->b, X_CMP, X_RDX, OP_LOOK, cell + AT_READ);
        jump(c, yes, X_E);
        x_rm(&c->b, X_CMP, X_RDX, OP_LOOK, cell + AT_WRITE);
    }
}

/* Of words, which begin at a multiple of 8 unless something unsafe has been
 * done.  Here and below, what is not covered goes on, or jumps to `no`, with
 * "not equal". */
static void
look_at_words(struct jit_fn *c, const struct jit_look *l, struct jumps *yes,
    struct jumps *no)
{
    unsigned n = l->bytes / 8;

    x_rr(&c->b, X_TEST8_I, 0, OP_LOOK);
    x_i8(&c->b, 7);
    jump(c, no, X_NE);
    yes->v[yes->n++] = to_offset(c);
    to_cell(c);
    x_rm(&c->b, X_LOAD, X_RDX, OP_RACE, offsetof(struct race_g, whole));
    for (unsigned i = 0; i < n; i++) {
        struct jumps next = {0};
        bool last = i + 1 == n;

        look_at_word(c, l->write, CELL * (int)i, last ? yes : &next, no);
        if (!last)
            jump(c, no, X_NE);
        jumps_end(c, &next);
    }
}

static void
look_at_part(struct jit_fn *c, const struct jit_look *l, struct jumps *yes,
    struct jumps *no)
{
    yes->v[yes->n++] = to_offset(c);
    split(c);
    if (l->write) {
        x_alu_mi(&c->b, X_ALU_CMP, OP_LOOK, AT_READ, 0);
        jump(c, no, X_NE);
    }
    compare_part(c, l->bytes, l->write ? AT_WRITE : AT_READ);
}

void
op_look_at(struct jit_fn *c, struct op_mem m, uint32_t bytes, bool write)
{
    struct jit_look l = {m.disp, (int8_t)m.base, (int8_t)m.index,
        (uint8_t)m.shift, (uint8_t)bytes, write};
    struct jumps yes = {0}, no = {0};

    rt_assert(jit_now(c)->watched);
    rt_assert(bytes == 1 || bytes == 2 || bytes == 4 ||
        (bytes % 8 == 0 && bytes > 0 && bytes <= 32));
    rt_assert(m.base != X_RDX && m.index != X_RDX && c->jit->vm->race != NULL);
    c->looked = true;
    if (!rt_vec_push(&c->looks, l)) {
        c->failed = true;
        return;
    }
    put_address(c, OP_LOOK, &l);
    if (bytes < 8)
        look_at_part(c, &l, &yes, &no);
    else
        look_at_words(c, &l, &yes, &no);
    /* Those are told apart here once more, so that what is covered does not
     * jump. */
    jumps_end(c, &no);
    size_t stub = jit_seldom(c, X_NE, tell, (uint32_t)(c->looks.n - 1));
    jumps_end(c, &yes);
    jit_back(c, stub);
}
