/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_LANG_TYPES_CHECK_GENERIC_H
#define RUNTIME_LANG_TYPES_CHECK_GENERIC_H

/* What the files of the checker share about type parameters and what is
 * generic; included at the end of check_int.h, whose types it uses. */

#include "runtime/lang/types/check_int.h"

/* ---- type parameters (tparam.c) ----------------------------------------- */

/* Declares the parameters of a list in the innermost scope, and then gives
 * them their constraints. */
const struct tparam_list *tparam_declare(
    struct check *c, const struct ast_fields *fs);
void tparam_bounds(
    struct check *c, const struct ast_fields *fs, const struct tparam_list *l);
/* Does a receiver's type declare parameters? */
bool tparam_is_generic_receiver(struct ast_expr *e);
/* The receiver's type of method m; its parameters are declared in the
 * innermost scope and entered into m. */
struct type *tparam_receiver(
    struct check *c, struct object *m, struct ast_expr *e);

/* ---- type sets (typeset.c, union.c) ---------------------------------------------- */

/* Have two terms no type in common? */
bool type_terms_disjoint(const struct type_term *x, const struct type_term *y);
bool type_term_includes(const struct type_term *x, struct type *t);
void typeset_unite(
    struct check *c, struct type_terms *s, const struct type_terms *more);
void typeset_intersect(
    struct check *c, struct type_terms *s, const struct type_terms *with);
/* The type of an embedded element, which may be a union. */
struct type *check_union(struct check *c, struct ast_expr *e);
/* Reports terms that must not be in one union. */
void check_union_terms(struct check *c, struct type *u, struct ast_expr *e);
/* Is there no type at all that a complete interface admits? */
bool typeset_is_empty(const struct type *iface);
/* Is each type of a in b? */
bool typeset_subset(const struct type_terms *a, const struct type_terms *b);
/* Restricts f to what its element t, written at pos, admits; an interface t is
 * complete. */
void typeset_add(
    struct check *c, struct iface_info *f, struct type *t, lang_pos pos);
/* May t only be used as a constraint? */
bool type_is_constraint(struct check *c, struct type *t);
/* The constraint of a parameter as a complete interface; the empty one while
 * it is not known. */
struct type *type_bound(struct type *param);
/* Calls f with each type in the type set of t and its underlying type, with
 * NULLs where the set has no specific types; for anything but a parameter just
 * with t.  False as soon as f is. */
typedef bool (*type_term_fn)(struct type *t, struct type *u, void *arg);
bool type_each_term(struct type *t, type_term_fn f, void *arg);
/* Does is() hold for each type in the type set of t, of which there must be
 * some? */
bool type_all(struct type *t, bool (*is)(struct type *));
/* Why a term does not do, or NULL. */
typedef const char *(*type_cond_fn)(
    struct check *c, struct type *t, struct type *u, void *arg);
/* The underlying type that all types in the type set of t share; of channels
 * the most restricted.  NULL, and *cause (which may be NULL) says why, where
 * there is none or cond (which may be NULL) objects to a term. */
struct type *type_common(struct check *c, struct type *t, type_cond_fn cond,
    void *arg, const char **cause);

/* ---- instances (verify.c) ----------------------------------------------- */

/* Does V satisfy (constraint) or implement the interface T?  *cause, which may
 * be NULL, says why not. */
bool type_implements(struct check *c, struct type *V, struct type *T,
    bool constraint, const char **cause);
/* Asks later whether the arguments satisfy the parameters' constraints.
 * exprs: those that were written, or NULL. */
void check_delay_verify(struct check *c, lang_pos pos,
    const struct tparam_list *params, struct type *const *targs,
    const struct ast_exprs *exprs);
void check_verify(struct check *c, const struct inst_use *u);

/* ---- instantiation without end (mono.c) ---------------------------------- */

/* Takes down type arguments that satisfy the constraints. */
void mono_record(struct check *c, const struct inst_use *u);
/* Reports a cycle among all those taken down. */
void mono_check(struct check *c);

/* ---- inference (infer.c) ------------------------------------------------- */

/* A question: which types do the parameters stand for if values of the
 * arguments' types are passed for parameters of types ptypes?  Zeroed, then
 * check_infer_add(); f->targs is the answer. */
struct subst;

struct infer {
    struct check *c;
    lang_pos pos; /* of what is not the fault of one argument */
    const struct tparam_list *params;
    struct type **targs;  /* one for each; NULL: to be found */
    struct type **ptypes; /* overwritten */
    struct ast_expr **args;
    uint32_t nargs;
    bool reverse; /* the argument is the variable that is assigned to */
    lang_pos errpos;
    const char *err; /* may be NULL where it failed: nothing to report */
};

/* Adds fresh copies of parameters, with the first ntargs known: calls of a
 * function by itself must not mix up theirs.  *rename puts the copies in. */
void check_infer_add(struct infer *f, const struct tparam_list *l,
    struct type *const *targs, uint32_t ntargs, struct subst *rename);
/* False: an error, in f->err. */
bool check_infer(struct infer *f);

/* ---- uses of generic functions (check_inst.c) ---------------------------- */

/* Is e, which is checked, a generic function that lacks type arguments? */
bool check_is_generic_func(const struct ast_expr *e);
/* Gives the function f (a name, pkg.X, or an index of these) all its type
 * arguments; pos is where the use is. */
struct type *check_instantiate(struct check *c, struct ast_expr *f,
    struct type *const *targs, lang_pos pos);
/* F[A, B]: e, whose operand is checked, becomes a value that may still lack
 * arguments. */
void check_index_func(struct check *c, struct ast_expr *e);
/* The generic e stands where a value is wanted: finds its arguments by the
 * type that it is assigned to (target, may be NULL), or reports. */
void check_generic_value(
    struct check *c, struct ast_expr *e, const struct target *target);
/* The call e of a function of type sig, with checked arguments: finds what
 * type arguments are missing and compares the arguments with the parameters.
 * The signature without type parameters, sig itself after an error. */
struct type *check_call_args(
    struct check *c, struct ast_expr *e, struct type *sig);

#endif
