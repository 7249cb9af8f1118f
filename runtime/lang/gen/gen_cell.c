/* SPDX-License-Identifier: MIT */
/*
 * Cells: the memory of variables, literals and closures whose address does not
 * outlive their frame (gen_escape.c says which).  They are words of one block
 * of the frame, which is made when the first is needed.  A place has one cell
 * however often it is executed: what it held belongs to an iteration that is
 * over.
 */
#include "runtime/lang/gen/gen_int.h"

enum { CELL_WORDS = 2048 }; /* of a frame; what does not fit is allocated */

void
gf_cells_start(struct gfunc *f)
{
    f->cell_kinds.n = 0;
    f->cells = NO_SLOT;
    if (!f->wants_cells)
        return;
    f->cells = gf_temp_ptr(f);
    gf_ai(f, OP_LDI, f->cells, 0);
}

bool
gf_cell(struct gfunc *f, const enum code_slot_kind *kinds, uint32_t n, int dst)
{
    uint32_t at = f->cell_kinds.n, i;

    rt_assert(at <= CELL_WORDS);
    if (n == 0 || at + n > CELL_WORDS)
        return false;
    if (f->cells == NO_SLOT) {
        f->wants_cells = true;
        f->again = true;
        return true; /* this pass's code is no good anyway */
    }
    for (i = 0; i < n; i++) {
        if (f->cell_kinds.n == f->cell_kinds.cap)
            f->cell_kinds.at = gen_scratch_grow(f->g, f->cell_kinds.at,
                &f->cell_kinds.cap, sizeof *f->cell_kinds.at);
        f->cell_kinds.at[f->cell_kinds.n++] = kinds[i];
    }
    gf_abc(f, OP_CELL, dst, f->cells, (int)at);
    gf_ext(f, (int)n, f->id);
    return true;
}

void
gf_new(struct gfunc *f, struct type *t, int home, int dst)
{
    if (home >= 0) {
        gf_lent(f, home, dst);
        return;
    }
    if (home == HOME_CELL && type_size(t) <= GEN_CELL_BYTES) {
        uint32_t n = type_slots(t);
        enum code_slot_kind *kinds = gen_scratch(f->g, n + 1);

        type_slot_kinds(t, kinds);
        if (gf_cell(f, kinds, n, dst))
            return;
    }
    gf_ai(f, OP_NEW, dst, gen_type(f->g, t));
}

void
gf_new_closure(struct gfunc *f, uint32_t fn, int base, uint32_t words,
    const enum code_slot_kind *kinds, int home, int at, int dst)
{
    rt_assert(home == HOME_HEAP || at < base || at >= base + (int)words);
    if (home >= 0)
        gf_lent(f, home, at);
    if (home >= 0 ||
        (home == HOME_CELL && gf_cell(f, kinds, words + 1, at))) {
        gf_abc(f, OP_MKCLOAT, at, base, (int)words);
        gf_ext(f, 0, fn);
        gf_move(f, dst, at, 1);
        return;
    }
    gf_abc(f, OP_MKCLO, dst, base, (int)words);
    gf_ext(f, 0, fn);
}

void
gf_cells_end(struct gfunc *f)
{
    if (f->cells != NO_SLOT)
        gf_abc(f, OP_CELLEND, f->cells, 0, 0);
}

void
gf_cells_finish(struct gfunc *f)
{
    f->cf->cells = gen_kinds_layout(f->g, f->cell_kinds.at, f->cell_kinds.n);
}
