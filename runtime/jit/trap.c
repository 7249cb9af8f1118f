/* SPDX-License-Identifier: MIT */

/*
 * Nil pointers that the processor tells of.  No memory is ever mapped at the
 * addresses that a nil pointer leads to with a small offset, so that an access
 * by one faults.  Where the handler of faults is there (jit_config.traps) the
 * instruction of the machine that touches such memory first needs no comparison
 * before it: it is written down with the record by which machine code is left
 * there.  The handler lets the thread go on at the way out, with that record, as
 * a comparison before the access would have done, which the interpreter then does
 * anew.
 *
 * That is as exact as the comparison: when the first access faults, nothing has
 * been done of the instruction, and all registers are as before it, but for
 * scratch.  An address that is no nil pointer, but leads nowhere, is left to the
 * interpreter likewise, and faults there.
 */
#include "runtime/jit/jit_int.h"

/* The system puts nothing into the first two pages that is not asked to be there. */
enum {
    EMPTY = 2 * VM_NIL_PAGE,
    /* Of what is accessed, some byte below that is touched first. */
    ACCESSED = 64
};

bool
jit_traps(const struct jit_fn *c, const struct jit_ins *x)
{
    unsigned op = x->w[0].op;

    return c->jit->cfg.traps && op >= OP_LD8U && op <= OP_STT &&
        x->w[0].c <= EMPTY - VM_NIL_PAGE - ACCESSED && !x->watched;
}

void
jit_put_trap(struct jit_fn *c, uint32_t record)
{
    struct jit *jit = c->jit;

    rt_assert(jit->cfg.traps);
    if (jit->ntraps == JIT_TRAPS) {
        c->failed = true;
        return;
    }
    rt_assert(c->failed || record < jit->nrecs);
    jit->traps[jit->ntraps++] =
        (struct jit_trap){jit_exec(jit, c->b.p), record};
}

bool
jit_trap_at(const struct jit *jit, uintptr_t addr, uint32_t *record)
{
    /* acq: pairs with the rel in publish(). */
    uint32_t lo = 0, hi = a32_load_acq(&jit->traps_done);

    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (jit->traps[mid].addr < addr)
            lo = mid + 1;
        else
            hi = mid;
    }
    if (lo == a32_load_rlx(&jit->traps_done) || jit->traps[lo].addr != addr)
        return false;
    *record = jit->traps[lo].record;
    return true;
}
