/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_LANG_GEN_GEN_SUM_H
#define RUNTIME_LANG_GEN_GEN_SUM_H

/*
 * Whose address stays with a function (gen_escape.c), and what is known of
 * functions for those who call them, which stands in stocks, too.
 */

#include "runtime/lang/gen/gen_int.h"

/* Marks variables, literals and calls of a declared function, literals inside
 * included, whose memory nobody keeps beyond their frame or iteration. */
void gen_escape(struct gen *g, struct object *fn);
void gen_escape_free(struct gen *g);

/* What a function does with its parameters: leak[param * (1 + nres)] is the
 * least number of derefs with which one flows to the heap, those behind it to
 * which result; ESCAPE_NOT: it does not. */
struct escape_sum {
    uint32_t nparams, nres;
    const int8_t *leak;
    const struct escape_block *block; /* NULL: it takes none */
};
enum { ESCAPE_NOT = 127 };

/* What a function needs for what it returns the addresses of, where its caller
 * lends it (gen_lent.c).  Its parameters' flows are other ones then. */
struct escape_block {
    uint32_t words;
    bool linked;           /* there may be addresses of it in it */
    const int8_t *heap;    /* as leak, by parameter: to the heap, */
    const int8_t *into;    /* into the block */
    const uint8_t *out;    /* by result: may be an address of it? */
    const uint8_t *kinds;  /* enum code_slot_kind of each word */
};

/* Which expressions and variables of a body are where in the block. */
struct escape_site {
    const void *at;
    uint32_t off; /* bytes */
    uint32_t words;
};
struct escape_sites {
    const struct escape_site *at;
    uint32_t n;
};

/* Those of a function that has been looked at; NULL: none. */
const struct escape_block *gen_escape_block(struct gen *g, struct object *fn);
const struct escape_sites *gen_escape_sites(struct gen *g, struct object *fn);
/* Of a function that gen_escape() was called with; NULL: the worst, or more
 * is known than fits in here. */
const struct escape_sum *gen_escape_sum(struct gen *g, struct object *fn);

#endif
