/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_LANG_GEN_GEN_ESCAPE_H
#define RUNTIME_LANG_GEN_GEN_ESCAPE_H

/*
 * Between the two halves of the escape analysis: gen_flow.c, gen_flow_call.c
 * and gen_flow_stmt.c, which read a body and write down what flows where, and
 * gen_escape.c, which follows the flows.
 */

#include "runtime/lang/gen/gen_sum.h"

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

enum site {
    SITE_NONE, SITE_VAR, SITE_EXPR, SITE_BOX, SITE_RANGE, SITE_NEXT, SITE_CALL
};

struct loc {
    void *at;         /* by site: object, expression, statement */
    uint8_t site;     /* enum site */
    bool escapes;
    bool lent;        /* only by way of results: it may be the caller's */
    bool param;       /* of function fn, number `index` */
    uint16_t index;
    uint32_t fn;
    uint32_t depth;   /* loops around, as a target */
    uint32_t inside;  /* as a source */
    uint32_t flows;   /* 1 + the first that comes here */
    uint32_t walk;    /* the last walk that found it, */
    int32_t derefs;   /* with so many */
    struct type *type; /* of what is there; NULL: nothing that can be lent */
    struct ast_expr *value; /* of a function's variable: what it has from its
                               declaration on; NULL: nobody knows */
    const struct escape_block *block; /* CALL: of the callee */
};

struct sum {
    struct escape_sum s;
    int8_t *leak;         /* s.leak */
    int8_t *heap, *into;  /* while it is made: those of the block, by parameter */
    uint8_t *out;         /* the same by result */
    struct escape_sites sites; /* what in the body is part of the block */
    bool ready;           /* from a stock: the body was not read */
    struct ast_func *lit; /* all that it returns: this literal; or NULL */
    const struct sum *tame; /* what that does if no iterator that is a parameter
                               keeps its body (gen_tame.c); NULL: as always */
    bool cyclic;          /* it calls itself through others: the worst */
    struct object *root;  /* cyclic: the first of the circle that was asked */
};

/* A function that is being analysed. */
struct asked {
    struct object *fn;
    bool cyclic;
    bool cut;      /* the chain of calls was too long to be followed */
    uint32_t root; /* the lowest that it has led to */
};

struct escape_sums {
    struct gen_map ids; /* object or literal -> index of list, or BUSY */
    GVEC(struct sum *) list;
    GVEC(struct asked) asked; /* one asks for the next */
    struct gen_map tame; /* gen_tame.c: statements, variables and literals that
                            stay, by marks; calls */
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
    struct object *self; /* the declared function */
    const struct sum *ready; /* what a stock says of the function, or NULL */
    bool tame;          /* no iterator that is a parameter keeps its body */
    bool linked;        /* what is lent has addresses of it in it */
    bool failed;        /* too much, or not understood */
};

/* Where the results of a call go: n locations, dereferenced d times. */
struct esc_targets {
    const uint32_t *to;
    int d;
    uint32_t n;
    bool later;    /* the call is not made here: nothing is lent to it */
    uint32_t lent; /* location of what is; HEAP: nothing */
    uint32_t params; /* the first of the callee's parameters, if that is the
                        function that is analysed, or within; else HEAP */
};

/* ---- gen_flow.c: locations ------------------------------------------------ */

/* A new location of what is being read; t: the type of a variable, or NULL. */
uint32_t esc_new_loc(struct esc *x, enum site site, void *at, struct type *t);
/* The location of a new variable; NOWHERE for NULL. */
uint32_t esc_declare(struct esc *x, struct object *v);
/* The location of a variable that was declared, HEAP for those of packages;
 * the loop bodies between its function and here share it. */
uint32_t esc_loc_of(struct esc *x, struct object *v);
/* The expression that a function e has come from: that with which its variable
 * was declared, if there is no other assignment; else e itself. */
struct ast_expr *esc_origin(struct esc *x, struct ast_expr *e);
/* What is in `from`, dereferenced d times, comes to be in `to`. */
void esc_add(struct esc *x, uint32_t to, uint32_t from, int d);
/* The address of `from`, dereferenced d times, comes to be in `to`. */
void esc_add_addr(struct esc *x, uint32_t to, uint32_t from, int d);
/* Enters a function, literal or loop body; returns the one around it. */
uint32_t esc_enter(struct esc *x, bool is_range, uint32_t closure,
    struct type *sig, struct ast_func *lit);
/* Locations of the parameters and results of the function entered last. */
void esc_declare_params(struct esc *x, struct type *sig, bool recv);

/* ---- gen_flow.c: expressions ---------------------------------------------- */

/* The value of e, dereferenced d times, comes to be in `to`. */
void esc_val(struct esc *x, struct ast_expr *e, uint32_t to, int d);
/* The same as a t: what is boxed on its way to an interface is on the heap. */
void esc_as(struct esc *x, struct ast_expr *e, struct type *t, uint32_t to,
    int d);
/* Nobody keeps the value of e. */
void esc_discard(struct esc *x, struct ast_expr *e);
void esc_discard_list(struct esc *x, struct ast_exprs list);
/* How many pointers a selector follows. */
int esc_count_derefs(const struct selection *how);
/* The operand of selector e after its steps, or its address. */
void esc_steps(struct esc *x, struct ast_expr *e, bool addr, uint32_t to,
    int d);
/* The receiver as the method that selector e names wants it. */
void esc_receiver(struct esc *x, struct ast_expr *e, uint32_t to, int d);
/* Memory that e makes, for n times t (NULL: of no size), whose address comes to
 * `to`: its location; what is in it is for the caller to say. */
uint32_t esc_site(struct esc *x, struct ast_expr *e, struct type *t, int64_t n,
    uint32_t to, int d);
/* A function literal, the location of the closure. */
uint32_t esc_literal(struct esc *x, struct ast_expr *e, uint32_t to, int d);

/* ---- gen_flow_call.c ------------------------------------------------------ */

/* Calls of builtins, and conversions. */
void esc_builtin(struct esc *x, struct ast_expr *e, uint32_t to, int d);
void esc_conversion(struct esc *x, struct ast_expr *e, uint32_t to, int d);
/* The function or method that fun always calls; NULL when it depends. */
struct object *esc_static_callee(struct ast_expr *fun);
/* What is known of the function that e, no declared one, is: of the literal that
 * is all that a call returns; NULL: nothing. */
const struct sum *esc_literal_sum(struct esc *x, struct ast_expr *e);
/* With how many derefs a parameter flows to the heap (r = 0) or to result
 * r - 1; NO_LEAK: it does not. s, fn: what is known of the callee, or NULL. */
int esc_leak(const struct sum *s, struct object *fn, uint32_t param,
    uint32_t r);
/* A call whose results go to rs. */
void esc_call(struct esc *x, struct ast_expr *e, const struct esc_targets *rs);
/* Its arguments, which are the parameters behind the first `before`. */
void esc_flow_args(struct esc *x, struct ast_expr *e, struct type *sig,
    const struct sum *s, struct object *fn, uint32_t before,
    const struct esc_targets *rs);

/* ---- gen_flow_stmt.c ------------------------------------------------------ */

/* Reads statements. */
void esc_stmts(struct esc *x, struct ast_stmts list);

/* ---- gen_escape.c --------------------------------------------------------- */

/* What is known of a function; NULL: the worst. */
const struct sum *esc_sum_of(struct esc *x, struct object *fn);

/* Reads the body of fn, and says with what; and follows all flows, for a sum of each
 * of x->fns that is not NULL. */
void esc_read(struct esc *x, struct object *fn);
void esc_free(struct esc *x); /* what that has allocated */
void esc_follow(struct esc *x, struct sum **sums);
struct sum *esc_new_sum(struct gen *g, uint32_t nparams, uint32_t nres);
/* The sum of a literal of a function that has been looked at; NULL: none. */
const struct sum *esc_sum_kept(struct gen *g, const void *key);

/* ---- gen_tame.c ----------------------------------------------------------- */

/* What the literal that fn returns does if no iterator that is a parameter keeps its
 * body, when fn has been looked at; s: what is known of fn. */
void esc_find_tame(struct esc *x, struct object *fn, struct sum *s);
/* Whether e, that has come from nowhere else, is a parameter that is taken to be so:
 * what is known of it then; else NULL. */
const struct sum *esc_tame_param(const struct esc *x, const struct ast_expr *e);
/* What is known of what call e of fn, whose sum s is, returns, if it is given
 * iterators that keep no bodies: the call makes it so; else NULL. */
const struct sum *esc_tame_call(struct esc *x, struct ast_expr *e,
    struct object *fn, const struct sum *s);

/* ---- gen_lent.c ----------------------------------------------------------- */

/* May the memory of a location that leads nowhere but to results be the
 * caller's? */
bool esc_may_lend(const struct esc *x, const struct loc *l);
/* The block of what may, and where in it each is: of fn, whose sum s is, when
 * all flows have been followed. */
void esc_make_block(struct esc *x, struct object *fn, struct sum *s);

#endif
