/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_CODE_LEAF_H
#define RUNTIME_CODE_LEAF_H

/*
 * Leaves: functions so small and simple that machine code for a caller contains
 * them wherever it can: few instructions, no loop, no call, nothing that needs
 * the frame itself.  A leaf's frame is then never entered, unless something in
 * it fails, but it has its place all the same, above the caller's slots.  The
 * caller's extent includes it, so that no room has to be asked for, as it has
 * for other functions that are spliced in.
 */

#include "runtime/code/code.h"

enum { CODE_LEAF_WORDS = 24 }; /* of the largest */

/* Makes the extent of every function reach over the frames of the leaves that
 * it calls.  The generator's last step. */
void code_reserve_leaves(struct code_image *im);

#endif
