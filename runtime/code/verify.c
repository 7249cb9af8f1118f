/* SPDX-License-Identifier: MIT */
#include "runtime/code/verify.h"

#include <stdlib.h>

#include "runtime/code/disasm.h"
#include "runtime/code/opinfo.h"

struct check {
    const struct code_image *im;
    const struct code_func *f;
    const struct code_ins *pc;
    uint8_t *starts; /* one byte an instruction word: 1 = begins one */
    const char *fault;
};

static void
fail(struct check *c, const char *fault)
{
    if (c->fault == NULL)
        c->fault = fault;
}

static void
check_slots(void *arg, const struct code_operand *o)
{
    struct check *c = arg;

    if (o->slot + o->n > c->f->extent)
        fail(c, "slot outside the frame");
}

static void
check_type(struct check *c, int32_t id)
{
    if ((uint32_t)id >= c->im->ntypes)
        fail(c, "type number out of range");
}

static void
check_func(struct check *c, int32_t id)
{
    if ((uint32_t)id >= c->im->nfuncs)
        fail(c, "function number out of range");
}

static void
check_base(struct check *c, uint16_t base)
{
    /* The frame of a callee may begin below nslots, above what is live at
     * the call (code.h); two header slots must fit below it. */
    if (base < 2u)
        fail(c, "call base leaves no room for the frame's header");
    else if (base > c->f->extent)
        fail(c, "call base outside the frame");
}

static void
check_imm(struct check *c, char kind)
{
    const struct code_image *im = c->im;
    uint32_t v = (uint32_t)c->pc->imm;

    switch (kind) {
    case 'k':
        if (v >= im->nconsts)
            fail(c, "constant number out of range");
        break;
    case 's':
        if (v >= im->nstrings)
            fail(c, "string number out of range");
        break;
    case 'F':
        check_func(c, c->pc->imm);
        break;
    case 'T':
        check_type(c, c->pc->imm);
        break;
    case 'N':
        if (v >= im->nnatives)
            fail(c, "native number out of range");
        break;
    case 'g':
        if (v >= im->globals_size)
            fail(c, "global offset out of range");
        break;
    default:
        break;
    }
}

/* Whether SLICE or SLICESTR says of its bounds what a slice expression can:
 * signs of those that are given, and of a string neither a capacity nor an
 * array. */
static bool
bounds_valid(const struct code_ins *pc)
{
    unsigned a = pc[1].a, given = a & CODE_SLICE_GIVEN;
    unsigned no_sign = a / CODE_SLICE_NO_SIGN;

    return (a & ~(unsigned)CODE_SLICE_ALL) == 0 && (no_sign & ~given) == 0 &&
        (pc->op == OP_SLICE || (a & (CODE_SLICE_MAX | CODE_SLICE_ARRAY)) == 0);
}

static void
check_ext_word(struct check *c, unsigned i)
{
    int32_t imm = c->pc[i].imm;

    switch (code_ext_kind(c->pc, i)) {
    case CODE_EXT_TYPE:
        check_type(c, imm);
        break;
    case CODE_EXT_FUNC:
        check_func(c, imm);
        break;
    case CODE_EXT_SELECTOR:
        if ((uint32_t)imm >= c->im->nselectors)
            fail(c, "selector number out of range");
        break;
    case CODE_EXT_SIZE:
        if (imm < 0)
            fail(c, "negative size");
        break;
    case CODE_EXT_JUMP: /* check_jumps() will */
    case CODE_EXT_NUMBER:
        break;
    }
}

static void
check_ext(struct check *c)
{
    const struct code_ins *pc = c->pc;
    unsigned n = code_ext_words(pc);

    for (unsigned i = 1; i <= n; i++)
        if (pc[i].op != OP_EXT)
            fail(c, "EXT word missing");
    if (c->fault != NULL)
        return;
    for (unsigned i = 1; i <= n; i++)
        check_ext_word(c, i);
    if ((pc->op == OP_SLICE || pc->op == OP_SLICESTR) && !bounds_valid(pc))
        fail(c, "bounds of no slice expression");
    if ((pc->op == OP_MKCLO || pc->op == OP_MKCLOAT) && pc[1].a > pc->c)
        fail(c, "more words of its own than the closure has");
}

static void
check_target(struct check *c, int64_t to)
{
    if (to < 0 || to >= c->f->ncode || !c->starts[to])
        fail(c, "jump to no instruction");
}

static void
check_jumps(struct check *c)
{
    const struct code_ins *pc = c->pc;
    int64_t next = code_after(pc) - c->f->code;
    int32_t disp;

    if (code_jump(pc, &disp))
        check_target(c, next + disp);
    if (pc->op == OP_SWITCH) {
        if (pc->imm < 0 || next + pc->imm > c->f->ncode) {
            fail(c, "jump table outside the function");
            return;
        }
        for (int32_t i = 0; i < pc->imm; i++)
            if (c->f->code[next + i].op != OP_JMP &&
                c->f->code[next + i].op != OP_LJMP)
                fail(c, "jump table with something else than JMP");
        check_target(c, next + pc->imm);
    }
    uint32_t succ[2];
    if (code_successors(c->f, (uint32_t)(pc - c->f->code), succ) != 0 &&
        pc->op != OP_JMP && pc->op != OP_LJMP)
        check_target(c, next);
}

static void
check_ins(struct check *c)
{
    const struct code_ins *pc = c->pc;
    const struct code_opinfo *o = code_opinfo(pc->op);

    check_ext(c);
    if (c->fault != NULL)
        return;
    if (o->fmt == CODE_FMT_AI || o->fmt == CODE_FMT_I)
        check_imm(c, o->col[1][0]);
    if (c->fault != NULL)
        return;
    if (o->col[0][0] == 'B' && pc->op != OP_RUNDEFER && pc->op != OP_GO &&
        pc->op != OP_GOC && pc->op != OP_DEFER && pc->op != OP_DEFERC &&
        pc->op != OP_DEFERAT)
        check_base(c, pc->a);
    if (pc->op == OP_LDFN)
        check_func(c, pc->imm);
    code_operands(c->im, pc, check_slots, c);
    check_jumps(c);
}

/* Marks where instructions begin; a fault where one runs over the end. */
static void
find_starts(struct check *c)
{
    const struct code_func *f = c->f;

    for (uint32_t off = 0; off < f->ncode;) {
        c->pc = f->code + off;
        if (code_opinfo(c->pc->op) == NULL ||
            code_plain(c->pc->op) >= OP_END || c->pc->op == OP_EXT) {
            fail(c, "unknown instruction");
            return;
        }
        uint32_t n = 1 + code_ext_words(c->pc);
        if (n > f->ncode - off) {
            fail(c, "EXT words outside the function");
            return;
        }
        c->starts[off] = 1;
        off += n;
    }
}

static void
check_head(struct check *c)
{
    const struct code_func *f = c->f;
    const struct code_image *im = c->im;

    c->pc = f->code;
    if (f->code < im->code || f->code + f->ncode > im->code + im->ncode)
        fail(c, "code outside the image");
    else if (f->ncode == 0)
        fail(c, "empty function");
    else if (f->extent < f->nslots || f->nslots < f->nargs ||
        f->extent < f->nres)
        fail(c, "frame too small");
    else if (f->nslots != 0 && f->ptrmask == NULL)
        fail(c, "slot kinds missing");
    else if (f->ctx >= (f->extent ? f->extent : 1))
        fail(c, "closure slot outside the frame");
    else if ((f->flags & CODE_F_DEFER) && f->recover_off >= f->ncode)
        fail(c, "recovery offset outside the function");
    else if (f->id != (uint32_t)(f - im->funcs))
        fail(c, "wrong function number");
    else if (f > im->funcs && f->code < f[-1].code + f[-1].ncode)
        fail(c, "functions not in order of their code");
}

static enum rt_status
check_one(const struct code_image *im, const struct code_func *f,
    struct rt_err *e)
{
    struct check c = { .im = im, .f = f };

    check_head(&c);
    if (c.fault == NULL) {
        c.starts = calloc(f->ncode, 1);
        if (c.starts == NULL)
            return rt_errf(e, RT_ENOMEM, UINT64_MAX, "out of memory");
        find_starts(&c);
        if (c.fault == NULL && (f->flags & CODE_F_DEFER) &&
            !c.starts[f->recover_off])
            fail(&c, "recovery offset at no instruction");
        for (uint32_t off = 0; off < f->ncode && c.fault == NULL; off++)
            if (c.starts[off]) {
                c.pc = f->code + off;
                check_ins(&c);
            }
        free(c.starts);
    }
    if (c.fault == NULL)
        return RT_OK;
    return rt_errf(e, RT_EFORMAT, (uint64_t)(c.pc - im->code),
        "%s+%ld: %s: %s", f->name, (long)(c.pc - f->code),
        code_op_name(c.pc->op), c.fault);
}

enum rt_status
code_verify(const struct code_image *im, struct rt_err *e)
{
    if (im->entry >= im->nfuncs)
        return rt_errf(
            e, RT_EFORMAT, UINT64_MAX, "entry function out of range");
    for (uint32_t i = 0; i < im->nfuncs; i++) {
        enum rt_status st = check_one(im, &im->funcs[i], e);
        if (st != RT_OK)
            return st;
    }
    return RT_OK;
}
