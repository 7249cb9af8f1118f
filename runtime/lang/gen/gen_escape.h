/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_LANG_GEN_GEN_ESCAPE_H
#define RUNTIME_LANG_GEN_GEN_ESCAPE_H

/*
 * Between the two halves of the escape analysis: gen_flow.c, which reads a
 * body and writes down what flows where, and gen_escape.c, which follows the
 * flows.
 */

#include "runtime/lang/gen/gen_int.h"

enum {
    HEAP = 0, /* location */
    LOCS_MAX = 3000,    /* of more all are on the heap */
    FLOWS_MAX = 20000,
    CALLS_DEEP = 200,   /* callees of callees that are looked into */
    DEREFS_MAX = 20,
    NO_LEAK = ESCAPE_NOT
};

#define NOWHERE UINT32_MAX

struct flow {
    uint32_t from, next; /* next: 1 + index, of the same target */
    int32_t derefs;
};

enum site { SITE_NONE, SITE_VAR, SITE_EXPR, SITE_RANGE, SITE_NEXT };

struct loc {
    void *at;         /* by site: object, expression, statement */
    uint8_t site;     /* enum site */
    bool escapes;
    bool param;       /* of function fn, number `index` */
    uint16_t index;
    uint32_t fn;
    uint32_t depth;   /* loops around, as a target */
    uint32_t inside;  /* as a source */
    uint32_t flows;   /* 1 + the first that comes here */
    uint32_t walk;    /* the last walk that found it, */
    int32_t derefs;   /* with so many */
};

struct sum {
    struct escape_sum s;
    int8_t *leak;         /* s.leak */
    struct ast_func *lit; /* all that it returns: this literal; or NULL */
    bool cyclic;          /* it calls itself through others: the worst */
    struct object *root;  /* cyclic: the first of the circle that was asked */
};

/* A function that is being analysed. */
struct asked {
    struct object *fn;
    bool cyclic;
    uint32_t root; /* the lowest that it has led to */
};

struct escape_sums {
    struct gen_map ids; /* object or literal -> index of list, or BUSY */
    GVEC(struct sum *) list;
    GVEC(struct asked) asked; /* one asks for the next */
};

#define BUSY (UINT32_MAX - 1) /* a map cannot hold the largest */

/* A function, literal or loop body. */
struct fn {
    uint32_t up;
    bool is_range;
    bool returns_else; /* something else than one literal */
    uint32_t closure;  /* location */
    uint32_t next;     /* loop bodies: location of the nest's variable */
    struct type *sig;
    struct ast_func *lit;
    uint32_t nparams;
};

struct esc {
    struct gen *g;
    struct gfunc f; /* stands for the function in questions */
    GVEC(struct loc) locs;
    GVEC(struct flow) flows;
    GVEC(struct fn) fns;
    GVEC(uint32_t) queue;
    struct gen_map ids; /* variable -> location */
    uint32_t fn, depth; /* where the walk is */
    uint32_t nres;      /* locations 1 ... nres are the results */
    uint32_t walks;
    uint32_t level;     /* of callees */
    struct ast_func *lit; /* what is returned */
    bool failed;        /* too much, or not understood */
};


/* A new location of what is being read; t: the type of a variable, or NULL. */
uint32_t esc_new_loc(struct esc *x, enum site site, void *at, struct type *t);
/* Enters a function, literal or loop body; returns the one around it. */
uint32_t esc_enter(struct esc *x, bool is_range, uint32_t closure,
    struct type *sig, struct ast_func *lit);
/* Locations of the parameters and results of the function entered last. */
void esc_declare_params(struct esc *x, struct type *sig, bool recv);
/* Reads statements. */
void esc_stmts(struct esc *x, struct ast_stmts list);
/* What is known of a function; NULL: the worst. */
const struct sum *esc_sum_of(struct esc *x, struct object *fn);

#endif
