/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_LANG_GEN_GEN_RECORD_H
#define RUNTIME_LANG_GEN_GEN_RECORD_H

/*
 * Between the two halves of the recorder: gen_record.c, which writes what a
 * function is, and gen_record_put.c, which has the tables of what functions
 * ask for.
 */

#include "runtime/lang/gen/gen_stock.h"

struct note {
    uint32_t req;
    uint64_t value;
};

/* A table of the stock, and which number each thing in it has. */
struct table {
    GVEC(uint32_t) rows;
    uint32_t n;
    struct gen_map ids;
};

struct gen_record {
    struct table pkgs, objs, types, strs, consts, sels;
    struct table parts; /* a row: 1 + where in funcs; 0: not recorded */
    GVEC(uint32_t) words; /* of types and instances */
    GVEC(uint8_t) bytes;  /* the tables' rows point into these two */
    GVEC(uint32_t) funcs; /* records, one behind the other */
    GVEC(uint32_t) starts; /* of them, but for parts */
    /* The function that is being generated. */
    bool on;           /* it is recorded */
    struct object *fn;  /* a declared function, or */
    bool lent;          /* fn: with memory for what it returns */
    struct object *var; /* the initialiser of a variable, or */
    uint32_t part;      /* a part */
    bool bad;          /* something cannot be written down */
    GVEC(struct note) notes;
};

#define REC_PUT(g, vec, x)                                                   \
    ((void)(*gvec_push((g), &(vec)) = (uint32_t)(x)))

/* ---- gen_record_put.c ---------------------------------------------------
 *
 * Each returns a number in the table of its kind.  What cannot be written
 * down makes the function that is being recorded `bad`. */

/* Finds what has this key; where it is new it gets the next number. */
bool stock_known(struct gen *g, struct table *t, uint64_t key, uint32_t *id);
uint32_t stock_put_str(struct gen *g, const void *s, size_t n);
uint32_t stock_put_name(struct gen *g, const char *s);
/* Is it of package level, and found by its number? */
bool stock_is_declared(const struct object *o);
/* That, or an instance of a function that is. */
uint32_t stock_put_obj(struct gen *g, const struct object *o);
uint32_t stock_put_type(struct gen *g, struct type *t);
uint32_t stock_put_const(struct gen *g, uint64_t v);
/* The selector with number `at` of the program. */
uint32_t stock_put_selector(struct gen *g, const struct object *m, uint64_t at);

#endif
