/* SPDX-License-Identifier: MIT */
#include "runtime/code/leaf.h"

#include "runtime/code/arith.h"
#include "runtime/code/atomics.h"
#include "runtime/code/opinfo.h"

/* Operations that a leaf may consist of: at most they panic, and nothing
 * names slots by number but their operands. */
static bool
simple(const struct code_image *im, const struct code_ins *pc)
{
    unsigned does = code_does(pc->op);
    struct code_atomic a;

    if (pc->op == OP_CHKIDX || pc->op == OP_THROW)
        return true;
    if (pc->op == OP_CALLN)
        return code_is_atomic(&im->natives[pc->imm], &a) ||
            code_arith_of(&im->natives[pc->imm]) != CODE_ARITH_NONE;
    if ((does & ~(unsigned)(CODE_PANICS | CODE_ENDS)) != 0)
        return false;
    switch (pc->op) {
    case OP_FX8U:
    case OP_FX8S:
    case OP_FX16U:
    case OP_FX16S:
    case OP_FX32U:
    case OP_FX32S:
    case OP_FS8:
    case OP_FS16:
    case OP_FS32:
    case OP_FLDX:
    case OP_FSTX:
    case OP_SWITCH:
    case OP_RETN:
    case OP_RECVOK:
    case OP_SELIDX:
        return false;
    default:
        return true;
    }
}

static bool
is_leaf(const struct code_image *im, const struct code_func *f)
{
    if (f->ncode > CODE_LEAF_WORDS ||
        (f->flags & (CODE_F_DEFER | CODE_F_NOINLINE)) != 0)
        return false;
    for (uint32_t i = 0; i < f->ncode; i += 1 + code_ext_words(f->code + i)) {
        int32_t disp;

        if (!simple(im, f->code + i))
            return false;
        if (code_jump(f->code + i, &disp) && disp < 0)
            return false;
    }
    return f->ncode > 0;
}

void
code_reserve_leaves(struct code_image *im)
{
    for (uint32_t i = 0; i < im->nfuncs; i++) {
        struct code_func *f = &im->funcs[i];
        uint32_t extent = f->extent;

        for (uint32_t k = 0; k < f->ncode;
             k += 1 + code_ext_words(f->code + k)) {
            const struct code_ins *pc = f->code + k;
            if (pc->op != OP_CALL)
                continue;
            const struct code_func *g = &im->funcs[pc->imm];
            if (pc->a + (uint32_t)g->extent > extent && is_leaf(im, g))
                extent = pc->a + (uint32_t)g->extent;
        }
        if (extent < CODE_NO_SLOT)
            f->extent = (uint16_t)extent;
    }
}
