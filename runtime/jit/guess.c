/* SPDX-License-Identifier: MIT */

/*
 * Whose method an interface's call is, as a guess: of the type that the
 * interpreter has seen there last.  Machine code asks for the type, and where it
 * is another one looks for the method as ever.  Where all is compiled before
 * anything has been executed, for tests, it is some type that has the method, so
 * that either answer is common.
 */
#include "runtime/jit/jit_int.h"

#include <stdlib.h>

bool
jit_find_implementors(struct jit *jit)
{
    const struct code_image *im = jit->vm->im;

    jit->implementors =
        calloc((size_t)im->nselectors + 1, sizeof *jit->implementors);
    if (jit->implementors == NULL)
        return false;
    for (uint32_t i = 0; i < im->ntypes; i++) {
        const struct rtype *t = im->types[i];

        for (uint32_t m = 0; m < t->msize; m++)
            if (t->mtab[m].sel < im->nselectors)
                jit->implementors[t->mtab[m].sel] = i + 1;
    }
    return true;
}

void
jit_guess_type(struct jit_fn *c, struct jit_ins *x)
{
    const struct jit *jit = c->jit;
    uint32_t sel = x->w[0].c, type;

    rt_assert(x->w[0].op == OP_CALLI && sel < c->im->nselectors);
    type = jit->implementors != NULL
        ? jit->implementors[sel]
        : a32_load_rlx(&jit->vm->callees[vm_callee_at(x->pc)]);
    /* Another call may stand there, of another method; and types that have been
     * made by now are none of the program's. */
    if (type != 0 && type <= c->im->ntypes &&
        vm_method(c->im->types[type - 1], sel) != CODE_NO_FUNC)
        x->callee = type;
}
