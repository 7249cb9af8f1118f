/* SPDX-License-Identifier: MIT */
/*
 * What code is emitted with: instructions, labels and jumps, moves and
 * constants.
 */
#include "runtime/lang/gen/gen_int.h"

/* ---- instructions -------------------------------------------------------- */

static uint32_t
push(struct gfunc *f, struct code_ins ins)
{
    struct gline *l;

    if (f->lines.n == 0 || f->lines.at[f->lines.n - 1].pos != f->pos) {
        l = gvec_push(f->g, &f->lines);
        l->off = f->code.n;
        l->pos = f->pos;
    }
    *gvec_push(f->g, &f->code) = ins;
    return f->code.n - 1;
}

uint32_t
gf_abc(struct gfunc *f, enum code_op op, int a, int b, int c)
{
    struct code_ins ins = {0};

    /* Slots are too high only where the frame has been found too large. */
    rt_assert(f->g->failed || f->over || ((a | b | c) >= 0 && a <= UINT16_MAX &&
        b <= UINT16_MAX && c <= UINT16_MAX));
    ins.op = (uint16_t)op;
    ins.a = (uint16_t)a;
    ins.b = (uint16_t)b;
    ins.c = (uint16_t)c;
    return push(f, ins);
}

uint32_t
gf_ai(struct gfunc *f, enum code_op op, int a, int64_t imm)
{
    struct code_ins ins = {0};

    rt_assert(f->g->failed || f->over || (a >= 0 && a <= UINT16_MAX));
    rt_assert(imm >= INT32_MIN && imm <= UINT32_MAX);
    ins.op = (uint16_t)op;
    ins.a = (uint16_t)a;
    ins.imm = (int32_t)imm;
    return push(f, ins);
}

void
gf_ext(struct gfunc *f, int a, int64_t imm)
{
    gf_ai(f, OP_EXT, a, imm);
}

void
gf_ext_size(struct gfunc *f, int a, int64_t size)
{
    if (size > INT32_MAX && !f->g->failed) {
        gen_errorf(f->g, f->pos, "type too large for vole");
        size = 0;
    }
    gf_ext(f, a, size);
}

/* ---- labels and jumps ---------------------------------------------------- */

uint32_t
gf_label(struct gfunc *f)
{
    gvec_push(f->g, &f->labels)->at = -1;
    return f->labels.n - 1;
}

void
gf_place(struct gfunc *f, uint32_t label)
{
    rt_assert(!gf_placed(f, label));
    f->labels.at[label].at = (int32_t)f->code.n;
}

bool
gf_placed(struct gfunc *f, uint32_t label)
{
    rt_assert(label < f->labels.n);
    return f->labels.at[label].at >= 0;
}

static void
fix(struct gfunc *f, uint32_t ins, uint32_t next, uint32_t label,
    enum gfix_kind kind)
{
    struct gfix *x = gvec_push(f->g, &f->fixes);

    rt_assert(label < f->labels.n && ins < f->code.n && next > ins);
    x->ins = ins;
    x->next = next;
    x->label = label;
    x->kind = (uint8_t)kind;
}

void
gf_jump(struct gfunc *f, uint32_t label)
{
    uint32_t at =
        gf_ai(f, gf_placed(f, label) ? OP_LJMP : OP_JMP, 0, 0);

    fix(f, at, at + 1, label, FIX_IMM);
}

void
gf_jump_if(struct gfunc *f, int slot, bool sense, uint32_t label)
{
    bool back = gf_placed(f, label);
    uint32_t at = gf_ai(f,
        sense ? (back ? OP_LJT : OP_JT) : (back ? OP_LJF : OP_JF), slot, 0);

    fix(f, at, at + 1, label, FIX_IMM);
}

static enum code_op
loop_form(enum code_op op)
{
    switch (op) {
    case OP_JEQ: return OP_LJEQ;
    case OP_JNE: return OP_LJNE;
    case OP_JLT: return OP_LJLT;
    case OP_JLE: return OP_LJLE;
    case OP_JULT: return OP_LJULT;
    case OP_JULE: return OP_LJULE;
    case OP_JEQI: return OP_LJEQI;
    case OP_JNEI: return OP_LJNEI;
    case OP_JLTI: return OP_LJLTI;
    case OP_JLEI: return OP_LJLEI;
    case OP_JGTI: return OP_LJGTI;
    case OP_JGEI: return OP_LJGEI;
    case OP_FORLT: case OP_FORLTI: return op;
    default: return OP_COUNT;
    }
}

void
gf_jump_cmp(struct gfunc *f, enum code_op op, int a, int b, uint32_t label)
{
    bool back = gf_placed(f, label);
    uint32_t at, skip;

    if (!f->long_jumps && (!back || loop_form(op) != OP_COUNT)) {
        at = gf_abc(f, back ? loop_form(op) : op, a, b, 0);
        fix(f, at, at + 1, label, FIX_C);
        return;
    }
    /* Over two jumps: the taken one goes far or back. */
    if (back && f->long_jumps && (op == OP_FORLT || op == OP_FORLTI)) {
        gf_abc(f, OP_ADDI, a, a, 1);
        op = op == OP_FORLT ? OP_JLT : OP_JLTI;
    }
    rt_assert(op != OP_FORLT && op != OP_FORLTI);
    gf_abc(f, op, a, b, 1);
    skip = gf_label(f);
    at = gf_ai(f, OP_JMP, 0, 0);
    fix(f, at, at + 1, skip, FIX_IMM);
    gf_jump(f, label);
    gf_place(f, skip);
}

void
gf_jump_ext(struct gfunc *f, uint32_t ins, uint32_t next, uint32_t label)
{
    fix(f, ins, next, label, FIX_IMM);
}

void
gf_resolve(struct gfunc *f)
{
    uint32_t i;

    for (i = 0; i < f->fixes.n; i++) {
        const struct gfix *x = &f->fixes.at[i];

        rt_assert(x->next <= f->code.n || f->g->failed);
        int64_t d = (int64_t)f->labels.at[x->label].at - x->next;

        rt_assert(f->g->failed || f->over || gf_placed(f, x->label));

        if (x->kind == FIX_IMM) {
            f->code.at[x->ins].imm = (int32_t)d;
        } else {
            if (d < INT16_MIN || d > INT16_MAX) {
                f->again = true;
                f->long_jumps = true;
            }
            f->code.at[x->ins].c = (uint16_t)d;
        }
    }
}

/* ---- moves and constants ------------------------------------------------- */

void
gf_move(struct gfunc *f, int dst, int src, uint32_t n)
{
    if (dst == src || n == 0)
        return;
    rt_assert(f->g->failed || f->over || (dst >= 0 && src >= 0 && n <= GEN_MAX_SLOTS));
    if (n == 1)
        gf_abc(f, OP_MOV, dst, src, 0);
    else if (n == 2)
        gf_abc(f, OP_MOV2, dst, src, 0);
    else if (n == 3)
        gf_abc(f, OP_MOV3, dst, src, 0);
    else
        gf_abc(f, OP_MOVN, dst, src, (int)n);
}

void
gf_zero(struct gfunc *f, int dst, uint32_t n)
{
    if (n == 1)
        gf_ai(f, OP_LDI, dst, 0);
    else if (n != 0)
        gf_ai(f, OP_ZERO, dst, (int64_t)n);
}

void
gf_load_const(struct gfunc *f, int dst, uint64_t v)
{
    if ((int64_t)v >= INT32_MIN && (int64_t)v <= INT32_MAX)
        gf_ai(f, OP_LDI, dst, (int64_t)v);
    else
        gf_ai(f, OP_LDK, dst, gen_const(f->g, v));
}

int
gf_const_slot(struct gfunc *f, uint64_t v)
{
    uint32_t i;
    int t;

    for (i = 0; i < f->consts.n; i++)
        if (f->consts.at[i].value == v)
            break;
    if (i < f->consts.n && f->consts.at[i].slot >= 0)
        return f->consts.at[i].slot;
    if (i == f->consts.n && f->loop_depth > 0 && f->collect &&
        f->consts.n < 24) {
        struct gconst *k = gvec_push(f->g, &f->consts);

        k->value = v;
        k->slot = NO_SLOT;
        f->again = true;
    }
    t = gf_temp_int(f);
    gf_load_const(f, t, v);
    return t;
}
