/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_JIT_RANGES_H
#define RUNTIME_JIT_RANGES_H

/* Between ranges.c and variables.c: which instructions ask for ranges of
 * numbers, and from which slots they follow. */

#include "runtime/jit/fact.h"
#include "runtime/jit/jit_int.h"

/* The slots of whose numbers something is to be found out. */
struct jit_variables {
    uint16_t *var;    /* by slot: the variable that it is, or JIT_NO_VARIABLE */
    uint16_t *next;   /* by slot: the first variable there or above */
    uint16_t *slot;   /* by variable, in order */
    uint64_t *slots;  /* the set of slots that are variables */
    uint32_t n;       /* variables */
};

/* Finds them; false: there are none, or memory is exhausted (c->failed). */
bool jit_find_variables(struct jit_fn *c, struct jit_variables *v);

/* The slots from whose numbers that follows which w assigns; how many. */
unsigned jit_range_sources(const struct code_ins *w, uint32_t of[2]);

/* How a jump compares, and in *t which test of ranges.c that is. */
enum jit_compared { JIT_WITH_SLOT, JIT_WITH_NUMBER, JIT_NO_TEST };
enum jit_compared jit_compares(unsigned op, unsigned *t);

/* The slots of an index and the length it must be below. */
static inline bool
jit_is_element(const struct jit_ins *x, uint32_t *index, uint32_t *len)
{
    const struct code_ins *w = x->w;

    if (w->op < OP_LDX8U || w->op > OP_XADDR)
        return false;
    *index = w->c;
    *len = w->b + 1u;
    return true;
}

/* Whether it asks if what it divides is not negative. */
static inline bool
jit_is_division(unsigned op)
{
    return op == OP_DIVI || op == OP_REMI || op == OP_DIV || op == OP_REM;
}

#endif
