/* SPDX-License-Identifier: MIT */
/*
 * Cells: the memory of variables, literals and closures whose address does not
 * outlive their frame (gen_escape.c says which).  They are words of one block
 * of the frame, which is made when the first is needed.  A place has one cell
 * however often it is executed: what it held belongs to an iteration that is
 * over.
 *
 * Machine code follows what is in the first words of a block, which are those of
 * variables and closures; arrays stand behind them.
 */
#include "runtime/code/opinfo.h"
#include "runtime/lang/gen/gen_int.h"
#include "runtime/lang/gen/gen_lent.h"

#include <string.h>

enum {
    CELL_WORDS = 2048, /* of a frame; what does not fit is allocated */
    FIRST_WORDS = 96,  /* a block of no more is as it is */
    SMALL_WORDS = 16   /* a cell of more stands behind the others */
};

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

/* A closure of so many words from `base` on, the last ones of its own.  at: a slot
 * of the caller's, none of these, for the address of its home, unless that is the
 * heap. */
static void
new_closure(struct gfunc *f, uint32_t fn, int base, uint32_t words,
    uint32_t own, const enum code_slot_kind *kinds, int home, int at, int dst)
{
    rt_assert(own <= words);
    rt_assert(home == HOME_HEAP || at < base || at >= base + (int)words);
    if (home >= 0)
        gf_lent(f, home, at);
    if (home >= 0 ||
        (home == HOME_CELL && gf_cell(f, kinds, words + 1, at))) {
        gf_abc(f, OP_MKCLOAT, at, base, (int)words);
        gf_ext(f, (int)own, fn);
        gf_move(f, dst, at, 1);
        return;
    }
    gf_abc(f, OP_MKCLO, dst, base, (int)words);
    gf_ext(f, (int)own, fn);
}

void
gf_make_closure(struct gfunc *f, uint32_t fn, struct object **caps,
    uint32_t n, uint32_t own, int home, int dst)
{
    uint32_t i, words = 0, m = gf_mark(f);
    enum code_slot_kind *kinds;
    int base, at, cell = NO_SLOT;

    if (n + own == 0) {
        gf_func_value(f, fn, dst);
        return;
    }
    /* Not dst, which may be a variable whose old value is captured; and before
     * the outgoing area begins, or it might lie in there, among what is
     * captured. */
    if (home != HOME_HEAP)
        cell = gf_temp_ptr(f);
    /* Gathered in the outgoing area: MKCLO is no safepoint. */
    base = gf_call_base(f) + 2;
    at = base;
    kinds = gen_scratch(f->g, 1 + n * GEN_FRAME_VAR_SLOTS + own);
    kinds[0] = CODE_SCALAR;
    for (i = 0; i < n; i++) {
        struct object *v = caps[i];
        uint32_t k = gf_capture_kinds(f, v, kinds + 1 + words);

        if (v->gen == 0) {
            gen_errorf(f->g, f->pos, "vole: captured variable %s has no "
                "place", v->name ? v->name->text : "_");
            return;
        }
        gf_need(f, at + (int)k);
        gf_move(f, at, gf_var_slot(v), k);
        at += (int)k;
        words += k;
    }
    gf_need(f, at + (int)own);
    for (i = 0; i < own; i++) {
        gf_ai(f, OP_LDI, at++, 0);
        kinds[++words] = CODE_SCALAR;
    }
    rt_assert(at == base + (int)words);
    new_closure(f, fn, base, words, own, kinds, home, cell, dst);
    gf_release(f, m);
}

void
gf_cells_end(struct gfunc *f)
{
    if (f->cells != NO_SLOT)
        gf_abc(f, OP_CELLEND, f->cells, 0, 0);
}

/* The cells that are small, or those that are not, get words from `at` on, and
 * these their kinds; up to where. */
static uint32_t
place_cells(struct gfunc *f, bool small, uint32_t at, enum code_slot_kind *kinds)
{
    struct code_func *cf = f->cf;

    for (uint32_t i = 0; i < cf->ncode; i += 1 + code_ext_words(cf->code + i)) {
        struct code_ins *w = cf->code + i;

        if (w->op != OP_CELL || (w[1].a <= SMALL_WORDS) != small)
            continue;
        rt_assert(w->c + (uint32_t)w[1].a <= f->cell_kinds.n);
        memcpy(kinds + at, f->cell_kinds.at + w->c, w[1].a * sizeof *kinds);
        w->c = (uint16_t)at;
        at += w[1].a;
    }
    return at;
}

static void
put_small_first(struct gfunc *f)
{
    uint32_t n = f->cell_kinds.n;
    enum code_slot_kind *kinds = gen_scratch(f->g, n * sizeof *kinds);

    n = place_cells(f, true, 0, kinds);
    n = place_cells(f, false, n, kinds);
    rt_assert(n <= f->cell_kinds.n);
    memcpy(f->cell_kinds.at, kinds, n * sizeof *kinds);
    f->cell_kinds.n = n;
}

void
gf_cells_finish(struct gfunc *f)
{
    if (f->cell_kinds.n > FIRST_WORDS)
        put_small_first(f);
    f->cf->cells = gen_kinds_layout(f->g, f->cell_kinds.at, f->cell_kinds.n);
}
