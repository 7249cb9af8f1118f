/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_JIT_RANGES_H
#define RUNTIME_JIT_RANGES_H

/* Between ranges.c and variables.c: which instructions ask for ranges of
 * numbers, from which slots they follow, and what there is to be done. */

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

/* What there is to be done at instruction k. */
struct jit_act {
    int32_t k;
    bool asks;  /* of what are variables all */
    bool leads; /* elsewhere than to the next one, or a block begins there */
    uint16_t does; /* enum jit_act_does */
    uint16_t var;  /* the only one that it assigns, for these; in JIT_ASSIGNS
                      of an instruction that assigns others: JIT_NO_VARIABLE */
};

/* What it does to variables. */
enum jit_act_does {
    JIT_DOES_NOTHING,
    JIT_MOVES,  /* it is OP_MOV, to var */
    JIT_GIVES,  /* jit_fact_of() says what var becomes */
    JIT_CLEARS, /* var becomes anything */
    JIT_ASSIGNS /* more than one, or it loses something */
};

/* All of them, in order, with room for as many as there are instructions; of
 * each block the first one, and behind the last block all.  Behind the
 * instruction *last nothing asks, and no way leads back. */
void jit_find_acts(struct jit_fn *c, const struct jit_variables *v,
    struct jit_act *act, uint32_t *first, int32_t *last);

static inline const struct jit_numbers *
jit_numbers_of(const struct jit_fn *c, const struct jit_ins *x)
{
    return &c->jit->numbers[x->w[0].op];
}

/* The slots from whose numbers that follows which w assigns, by what its
 * operation says; how many. */
static inline unsigned
jit_range_sources(
    const struct jit_numbers *g, const struct code_ins *w, uint32_t of[2])
{
    of[0] = g->counts ? w->a : w->b;
    of[1] = w->c;
    return g->sources;
}

#endif
