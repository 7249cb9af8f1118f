/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_LANG_GEN_GEN_STOCK_H
#define RUNTIME_LANG_GEN_GEN_STOCK_H

/*
 * Code made before, and what is noted while it is made (stock.h): the recorder
 * is gen_record.c, and gen_stock.c takes from what there is.
 */

#include "runtime/lang/gen/gen_sum.h"

/* A recorder; gen_record_free() it. */
struct gen_record *gen_record_new(struct gen *g);
void gen_record_free(struct gen_record *r);
/* A function is being generated, from here on until its end. */
void gen_record_begin(struct gen *g, const struct work *w, uint32_t id);
void gen_record_end(struct gen *g, const struct code_func *cf);
/* Takes note of what has been asked for, and of the number that it got. */
void gen_record_note(struct gen *g, enum stock_kind kind, const void *what,
    uint64_t value);
/* The stock, in malloc memory; NULL: it would have fewer functions than
 * that. */
uint32_t *gen_record_finish(struct gen *g, uint32_t least, size_t *n);

static inline void
gen_note(struct gen *g, enum stock_kind kind, const void *what,
    uint64_t value)
{
    if (rt_unlikely(g->record != NULL))
        gen_record_note(g, kind, what, value);
}

/* Opens those that the options name. */
void gen_stocks_open(struct gen *g);
void gen_stocks_close(struct gen *g);
/* What the stocks know of a function's parameters; false: nothing. */
bool gen_stock_sum(struct gen *g, struct object *fn, struct escape_sum *out);
/* Whether the initialiser of a library's variable is in a stock: it will be
 * taken from there, and nobody need look at it. */
bool gen_stock_init(struct gen *g, struct object *v);
/* Makes function `id` from a stock; false where it is in none.  The parts of
 * one that was made like this are in its stock. */
bool gen_stock_take(struct gen *g, uint32_t id);

#endif
