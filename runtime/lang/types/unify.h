/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_LANG_TYPES_UNIFY_H
#define RUNTIME_LANG_TYPES_UNIFY_H

/* What unification (unify.c) and inference (infer.c) share. */

#include "runtime/lang/types/check_int.h"
#include "runtime/lang/types/generic.h"

/* How types are compared; 0: inexactly. */
enum {
    UNIFY_ASSIGN = 1, /* inexactly at the top, exactly below */
    UNIFY_EXACT = 2
};

struct unifier {
    struct check *c;
    const struct tparam_list *params; /* the bound ones */
    uint32_t *slot; /* of each parameter; those known to be equal share one */
    struct type **types; /* by slot; NULL: not known yet */
    uint32_t depth, steps;
    bool strict; /* interfaces match only what has the same methods: the rule
                    before Go 1.21 */
};

/* targs: one for each of l, NULL where it is not known. */
void unify_init(struct unifier *u, struct check *c, const struct tparam_list *l,
    struct type *const *targs);
/* What parameter i stands for so far, or NULL. */
struct type *unify_at(const struct unifier *u, uint32_t i);
void unify_set(struct unifier *u, uint32_t i, struct type *t);
/* How many parameters have no type yet. */
uint32_t unify_unknowns(const struct unifier *u);
/* Makes x and y match, giving types to parameters; false where it cannot be
 * done, some may have got types all the same. */
bool unify(struct unifier *u, struct type *x, struct type *y, unsigned mode);

#endif
