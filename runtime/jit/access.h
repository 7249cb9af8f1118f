/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_JIT_ACCESS_H
#define RUNTIME_JIT_ACCESS_H

/* Loads and stores by a pointer, of whole words or of a part of one. */

#include <stdbool.h>

#include "runtime/base/throw.h"
#include "runtime/code/code.h"

enum { JIT_WORDS_ACCESSED = 3 }; /* at most */

static inline bool
jit_is_load(unsigned op)
{
    return op >= OP_LD8U && op <= OP_LD3;
}

static inline bool
jit_is_store(unsigned op)
{
    return op >= OP_ST8 && op <= OP_STIFACE;
}

/* How many words; 0: a part of one. */
static inline unsigned
jit_words_accessed(unsigned op)
{
    rt_assert(jit_is_load(op) || jit_is_store(op));
    switch (op) {
    case OP_LD64:
    case OP_ST64:
    case OP_STP:
        return 1;
    case OP_LD2:
    case OP_STSTR:
    case OP_STIFACE:
        return 2;
    case OP_LD3:
    case OP_STSLICE:
        return 3;
    default:
        return 0;
    }
}

/* Whether word i of what w makes is a closure's own, zero at first. */
static inline bool
jit_is_own_word(const struct code_ins *w, uint32_t i)
{
    if (w->op != OP_MKCLO && w->op != OP_MKCLOAT)
        return false;
    rt_assert(w[1].a <= w->c);
    return i > (uint32_t)w->c - w[1].a;
}

/* Those that it has to do with, wholly or in part. */
static inline unsigned
jit_words_touched(unsigned op)
{
    unsigned n = jit_words_accessed(op);

    return n == 0 ? 1 : n;
}

#endif
