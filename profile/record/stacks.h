/* SPDX-License-Identifier: MIT */
#ifndef PROFILE_RECORD_STACKS_H
#define PROFILE_RECORD_STACKS_H

/* Copies of stacks that are freed all at once; all zero: none yet.  One thread
 * at a time. */

#include <stdint.h>

#include "runtime/base/callstack.h"

struct prof_stacks_chunk;

struct prof_stacks {
    struct prof_stacks_chunk *chunks;
};

/* A copy of n words, at most CALLSTACK_MAX; it stays where it is until
 * prof_stacks_free().  NULL: no memory. */
const vpc *prof_stacks_keep(
    struct prof_stacks *s, const vpc *stk, uint32_t n);

/* Frees the copies; *s is as new. */
void prof_stacks_free(struct prof_stacks *s);

#endif
