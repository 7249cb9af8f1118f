/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_LANG_GEN_GEN_TAME_H
#define RUNTIME_LANG_GEN_GEN_TAME_H

/* What code is made by of what gen_tame.c knows of adaptors of iterators. */

#include "runtime/lang/gen/gen_int.h"

/* What stays in a function that is tame: marks of a statement, or not 0 for a
 * variable or an expression; in others 0. */
unsigned gf_tame_marks(const struct gfunc *f, const void *what);
bool gf_is_tame(const struct gfunc *f);
/* Whether call e is of a function's form that returns what is tame; and the literal
 * that it returns. */
bool gen_calls_tame(const struct gen *g, const struct ast_expr *e);
const struct ast_func *gen_tame_literal(struct gen *g, struct object *fn);

#endif
