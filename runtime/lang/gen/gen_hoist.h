/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_LANG_GEN_GEN_HOIST_H
#define RUNTIME_LANG_GEN_GEN_HOIST_H

/*
 * What of a statement is evaluated first: its calls, where something is read
 * before them (gen_hoist.c).  Expressions that have been made stay known until
 * the caller resets f->hoisted.n, at the latest when it releases the
 * temporaries that they are in.
 */

#include <stdbool.h>

#include "runtime/lang/syntax/ast.h"

struct gfunc;

/* Makes the calls in the expressions of a and then of b where something is
 * read before one of them; false: there was no need. */
bool gf_hoist(struct gfunc *f, struct ast_exprs a, struct ast_exprs b);
/* The same for one expression, */
void gf_hoist1(struct gfunc *f, struct ast_expr *e);
/* for the function and the arguments of a call, */
bool gf_hoist_call(struct gfunc *f, struct ast_expr *e);
/* and for what e is made of, but not for e. */
void gf_hoist_kids(struct gfunc *f, struct ast_expr *e);
/* Makes the calls in the expressions, since one follows that is none of them;
 * false: they are too deep for it. */
bool gf_hoist_calls(struct gfunc *f, struct ast_exprs a);
/* dst = e, an expression that is no part of another; temporaries stay the
 * caller's. */
void gf_whole_to(struct gfunc *f, struct ast_expr *e, int dst);
/* The slot of an expression that was made already, or NO_SLOT. */
int gf_hoisted(const struct gfunc *f, const struct ast_expr *e);

#endif
