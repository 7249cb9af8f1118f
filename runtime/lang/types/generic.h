/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_LANG_TYPES_GENERIC_H
#define RUNTIME_LANG_TYPES_GENERIC_H

/*
 * Generic types and functions.
 *
 * A generic declaration is checked once, its operands having types that
 * mention type parameters (TYPE_PARAM).  What uses it names an instance:
 *
 *  - of a type: a TYPE_NAMED with origin and targs, whose underlying type is
 *    made at the first type_under() and whose methods are made when somebody
 *    looks them up;
 *  - of a function or a method: an OBJ_FUNC with origin and targs.  Its type
 *    is the signature with the arguments in place; its body is the origin's,
 *    written in origin->tparams.  A method's parameters are those that its
 *    receiver declares, func (l *List[E]) ...: its own E, not the type's.
 *
 * In the tree a NAME or pkg.X that denotes a generic function has such an
 * instance as its obj, whether the arguments were written or inferred; an
 * INDEX that wrote some has become a PAREN with AST_F_INST.  Inside a generic
 * body the arguments may mention the body's own parameters.
 *
 * In a generic body, further:
 *  - a constant converted to a type parameter keeps its value as it was, and
 *    has the parameter as its type; T(1) is no constant, and its operand stays
 *    untyped;
 *  - len, cap and unsafe.Sizeof and the like are no constants where they
 *    depend on a parameter;
 *  - a selection whose operand is of parameter type, or a pointer to one, says
 *    which method of the constraint is meant: it is to be looked up anew once
 *    the type is known.
 *
 * Nothing here takes locks; all memory is in the checker's arena.
 */

#include <stdbool.h>
#include <stdint.h>

#include "runtime/lang/types/object.h"
#include "runtime/lang/types/type.h"

struct check;

/* ---- substitution (subst.c) --------------------------------------------- */

/* What type parameters stand for. */
struct subst {
    struct check *c;
    const struct tparam_list *from;
    struct type *const *to; /* one for each of from; NULL: stays as it is */
    /* What stands for a type declared inside a function, which may mention
     * the parameters without having any itself; NULL: itself. */
    struct type *(*local)(void *arg, struct type *t);
    void *arg;
};

/* t with the parameters replaced: t itself where it has none of them. */
struct type *type_subst(const struct subst *s, struct type *t);

/* Does t mention a type parameter of any declaration? */
bool type_has_params(struct type *t);
/* One of l? */
bool type_mentions(struct type *t, const struct tparam_list *l);
/* Calls each with those of l, as often as t mentions them. */
void type_each_mentioned(struct type *t, const struct tparam_list *l,
    void (*each)(struct type *param, void *arg), void *arg);

/* ---- instances (instance.c) --------------------------------------------- */

/* A hash, the same for identical types; of all that a type is made of but the
 * insides of interfaces, so that it can be asked early. */
uint32_t type_shape(struct type *t);

/* The instance of a generic type (TYPE_NAMED with tparams) with as many
 * arguments as it has parameters; targs is copied. */
struct type *check_instance(
    struct check *c, struct type *generic, struct type *const *targs);

/* The instance of a generic function or, with its receiver's arguments, of a
 * method declared on a generic type: one object for each list of n arguments.
 * Its type is there after check_obj(), NULL while the origin is still being
 * declared. */
struct object *check_func_instance(struct check *c, struct object *origin,
    struct type *const *targs, uint32_t n);

/* What the method m, declared on a type's origin, is for the type t itself: m
 * where t is no instance. */
struct object *check_method_of(
    struct check *c, struct type *t, struct object *m);

/* Gives an instance its type, if its origin has one by now; check_obj() does
 * so. */
void check_instance_type(struct check *c, struct object *o);

#endif
