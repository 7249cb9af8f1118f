/* SPDX-License-Identifier: MIT */

/* The liveness tables of functions, made on the collector's first visit and
 * kept until the VM ends. */

#include <stdlib.h>

#include "runtime/code/live.h"
#include "runtime/vm/vm_int.h"

/* Several markers may compute the same function: the first one to be done
 * publishes its result. */
static uint64_t *
first_visit(struct vm *vm, const struct code_func *f)
{
    uint64_t *v = code_live_compute(vm->im, f);

    /* full: pairs with the acq in vm_live_at(). */
    if (v == NULL || aptr_cas_full(&vm->live[f->id], NULL, v))
        return v;
    free(v);
    return aptr_load_acq(&vm->live[f->id]);
}

const uint64_t *
vm_live_at(struct vm *vm, const struct code_func *f, uint32_t off)
{
    /* Functions that the program has made have no tables. */
    if (f->id >= vm->im->nfuncs)
        return NULL;
    /* acq: pairs with the cas in first_visit(). */
    uint64_t *v = aptr_load_acq(&vm->live[f->id]);

    rt_assert(off < f->ncode);
    if (rt_unlikely(v == NULL))
        v = first_visit(vm, f);
    return v == NULL ? NULL : code_live_at(v, off);
}

void
vm_live_free(struct vm *vm)
{
    for (uint32_t i = 0; i < vm->im->nfuncs; i++)
        free(aptr_load_rlx(&vm->live[i]));
    free(vm->live);
}
