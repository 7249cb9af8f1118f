/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_JIT_RANGES_H
#define RUNTIME_JIT_RANGES_H

/* Between ranges.c and variables.c: which instructions ask for ranges of
 * numbers, from which slots they follow, and what there is to be done. */

#include "runtime/jit/jit_int.h"

enum { JIT_NO_VARIABLE = UINT16_MAX };

/* The slots of whose numbers something is to be found out. */
struct jit_variables {
    uint16_t *var;    /* by slot: the variable that it is, or JIT_NO_VARIABLE */
    uint16_t *next;   /* by slot: the first variable there or above */
    uint16_t *slot;   /* by variable, in order */
    uint64_t *slots;  /* the set of slots that are variables */
    uint8_t *notes;   /* by instruction: which of JIT_NOTE_... */
    int32_t *asks;    /* instructions that ask for a number, in order */
    uint32_t nasks;
    uint32_t n;       /* variables */
};

/* What is to be known of instructions without looking at them again, of which
 * each takes two lines of the cache. */
enum {
    JIT_NOTE_ASKS = 3,  /* of this part: enum jit_asks of its operation */
    JIT_NOTE_LOSES = 4, /* as jit_lost() says */
    JIT_NOTE_TURNS = 8  /* it need not lead to the next one only, or a block ends
                           there */
};

/* Finds them; false: there are none, or memory is exhausted (c->failed). */
bool jit_find_variables(struct jit_fn *c, struct jit_variables *v);

/* What is done about variables.  Where one instruction does several of these, they
 * follow each other in this order. */
enum jit_act_does {
    JIT_FORGETS,      /* nothing else */
    JIT_ASKS_FOR,     /* what the operation asks for; a, and of an element the
                         length b */
    JIT_MOVES,        /* var = a */
    JIT_GIVES,        /* jit_interval_of() a and b says what var becomes */
    JIT_HAS_LENGTH,   /* var is the length of what is made, which is a */
    JIT_LEADS,        /* on to the blocks `to` */
    JIT_TESTS,        /* likewise: it jumps to to[1], as a and b compare */
    JIT_TESTS_NUMBER, /* likewise; b is the number */
    JIT_LEADS_FAR     /* to all that jit_each_succ() finds */
};

/* A piece of work in the walk.  In that order: jit_interval_of() is asked for,
 * what is assigned is forgotten, and the rest is done. */
struct jit_act {
    int32_t k;     /* the instruction */
    uint8_t does;  /* enum jit_act_does */
    uint8_t test;  /* of JIT_TESTS and the like: which */
    uint16_t var;  /* JIT_NO_VARIABLE, here and below: none */
    uint16_t a, b;
    int32_t to[2]; /* -1: none */
};

/* All of them, in order, from first_act on; of each block the first one, which
 * that of the next block ends. */
struct jit_acts {
    struct jit_act *act;
    uint64_t *gone; /* by act: the set of variables that become anything, here or
                       behind the act before */
    uint64_t *needed; /* by block: the set of variables of which somebody may want
                         to know where it begins */
    uint32_t *first;
    uint32_t words; /* of a set of variables */
    uint32_t first_act;
    uint32_t nblocks; /* in blocks from here on nothing asks, and no way leads
                         back from there */
};

/* False: memory is exhausted. */
bool jit_find_acts(
    struct jit_fn *c, const struct jit_variables *v, struct jit_acts *to);

static inline const struct jit_numbers *
jit_numbers_of(const struct jit_fn *c, const struct jit_ins *x)
{
    return &c->jit->numbers[x->w[0].op];
}

#endif
