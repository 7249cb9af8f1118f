/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_LANG_GEN_GEN_LENT_H
#define RUNTIME_LANG_GEN_GEN_LENT_H

/* gen_lent.c: memory of the caller's, for what a function returns. */

#include <stdbool.h>
#include <stdint.h>

#include "runtime/lang/gen/gen_int.h"

/* A call of fn, which takes memory for what it returns: the slot of its address
 * where some is lent; else NO_SLOT. */
int gf_lend(struct gfunc *f, const struct ast_expr *e, struct object *fn);
/* Whether what is lent for the closure of e, a literal, has so many words. */
bool gf_fits(const struct gfunc *f, const struct ast_expr *e, uint32_t words);
/* dst = the address of what is at byte `home` of what this function got. */
void gf_lent(struct gfunc *f, int home, int dst);

#endif
