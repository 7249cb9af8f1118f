/* SPDX-License-Identifier: MIT */

/*
 * Whose method an interface's call is, and whose a closure's, as a guess: what
 * the interpreter has seen there last.  Machine code asks for the type, or for
 * the function, and where it is another one makes the call as ever.  Where all is
 * compiled before anything has been executed, for tests, it is of every other
 * call some type that has the method, so that either answer is common.
 */
#include "runtime/jit/jit_int.h"

#include <stdlib.h>

/* Nobody's number. */
enum { NO_TYPE = UINT32_MAX };

/* Whether both take the same arguments: a selector is of a name and a
 * signature. */
static bool
take_the_same(const struct jit *jit, uint32_t f, uint32_t g)
{
    const struct code_func *funcs = jit->vm->im->funcs;

    return funcs[f].nargs == funcs[g].nargs && funcs[f].nres == funcs[g].nres;
}

bool
jit_find_implementors(struct jit *jit)
{
    const struct code_image *im = jit->vm->im;
    uint32_t *to = calloc((size_t)im->nselectors + 1, sizeof *to);

    jit->implementors = to;
    if (to == NULL)
        return false;
    for (uint32_t i = 0; i < im->ntypes; i++) {
        const struct rtype *t = im->types[i];

        for (uint32_t m = 0; m < t->msize; m++) {
            uint32_t sel = t->mtab[m].sel;

            if (sel >= im->nselectors || t->mtab[m].func >= im->nfuncs)
                continue;
            rt_assert(to[sel] == 0 || take_the_same(jit, t->mtab[m].func,
                vm_method(im->types[to[sel] - 1], sel)));
            to[sel] = i + 1;
        }
    }
    return true;
}

void
jit_guess_type(struct jit_fn *c, struct jit_ins *x)
{
    const struct jit *jit = c->jit;
    uint32_t sel = x->w[0].c, type;

    rt_assert(x->w[0].op == OP_CALLI && sel < c->im->nselectors);
    if (jit->implementors != NULL)
        type = (x->pc - c->im->code) % 2 == 0 ? jit->implementors[sel] - 1u
                                              : NO_TYPE;
    else if (!vm_noted_callee(jit->vm, x->pc, &type))
        return;
    /* A type that has been made by now is none of the program's. */
    if (type < c->im->ntypes &&
        vm_method(c->im->types[type], sel) != CODE_NO_FUNC)
        x->callee = type + 1;
}

const struct code_func *
jit_guess_closure(const struct jit_fn *c, const struct jit_ins *x)
{
    const struct jit *jit = c->jit;
    uint32_t f;

    rt_assert(x->w[0].op == OP_CALLC);
    /* Nor is a function that has been made. */
    return jit->implementors == NULL &&
            vm_noted_callee(jit->vm, x->pc, &f) && f < c->im->nfuncs
        ? &c->im->funcs[f] : NULL;
}
