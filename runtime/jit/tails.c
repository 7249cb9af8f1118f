/* SPDX-License-Identifier: MIT */

/*
 * Short ends.  What is spliced in comes in the order of its bytecode: in a loop over
 * a function the ways out of the bodies stand amid the way that is gone each time,
 * and jumps lead past them to a few moves, behind which there is the next jump.
 * Where such a jump is in a loop, what it leads to is emitted in its place, up to a
 * jump or to the end of the loop, and once more where it belongs, for those who
 * come there on other ways.
 *
 * All is there as where that block begins, since each web has its register
 * everywhere.  Nothing leads into the copy, and machine code cannot be entered there.
 */
#include "runtime/jit/jit_int.h"

enum {
    SHORT = 4, /* instructions of one end, with code or without */
    ENDS = 4   /* that are emitted one behind the other */
};

/* Whether x may be among those that are emitted again: nothing but its code is to
 * be there. */
static bool
may_be_copied(const struct jit_ins *x)
{
    return x->reached && x->kind == JIT_NATIVE && !x->header && !x->resumes &&
        !x->inside && !x->lands && !x->loses && !x->watched && !x->decided &&
        x->depth > 0;
}

/* Whether x ends what is copied: it jumps, forwards always, or backwards. */
static bool
ends_tail(const struct jit_ins *x)
{
    unsigned op = x->w[0].op;

    return op == OP_JMP || op == OP_LJMP || op == OP_FORLT || op == OP_FORLTI;
}

/* Whether behind it there may be somewhere else to go, which is not there. */
static bool
goes_past(const struct jit_ins *x)
{
    return x->w[0].op == OP_FORLT || x->w[0].op == OP_FORLTI;
}

/* The last instruction of the short end that begins at k; -1: it is none. */
static int32_t
last_of(const struct jit_fn *c, int32_t k)
{
    unsigned n = 0;

    for (; k < c->n && n < SHORT; k = jit_next(c, k)) {
        const struct jit_ins *x = &c->v[k];
        unsigned op = x->w[0].op;

        if (!may_be_copied(x))
            return -1;
        if (ends_tail(x))
            return k;
        if (x->nsucc != 1 || !x->falls ||
            (op != OP_MOV && op != OP_LDI && op != OP_NOP && op != OP_ST64 &&
                op != OP_LD64))
            return -1;
        n += !x->dropped && op != OP_NOP;
    }
    return -1;
}

bool
jit_copies_end(struct jit_fn *c, int32_t to)
{
    const struct jit_ins *x = jit_now(c);
    int32_t last;

    if (c->odd || c->ends == ENDS || x->depth == 0 || x->cold || to <= c->k ||
        c->v[to].depth < x->depth || (last = last_of(c, to)) < 0)
        return false;
    if (c->ends == 0)
        c->copied_from = c->k;
    c->ends++;
    c->copied = to;
    c->copied_last = last;
    c->head = -1;
    return true;
}

struct jit_ins *
jit_go_on(struct jit_fn *c)
{
    rt_assert(c->ends > 0 && c->ends <= ENDS);
    if (c->copied >= 0) {
        jit_go_to(c, c->copied - 1);
        c->copied = -1;
    } else if (c->k == c->copied_last) {
        const struct jit_ins *x = jit_now(c);
        if (goes_past(x))
            jit_goto(c, X_ALWAYS, jit_next(c, c->k));
        c->ends = 0;
        jit_go_to(c, c->copied_from);
    }
    return jit_now(c);
}
