/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_CODE_LEAF_H
#define RUNTIME_CODE_LEAF_H

/*
 * Leaves: functions so small and simple that machine code for a caller may
 * contain them.  A leaf's frame is then never entered, unless something in it
 * fails, but it has its place all the same, above the caller's slots; so the
 * caller's extent includes it.
 */

#include <stdbool.h>

#include "runtime/code/code.h"

/* Whether f is one: few instructions, no loop, no call, nothing that needs
 * the frame itself. */
bool code_is_leaf(const struct code_image *im, const struct code_func *f);

/* Makes the extent of every function reach over the frames of the leaves that
 * it calls.  The generator's last step. */
void code_reserve_leaves(struct code_image *im);

#endif
