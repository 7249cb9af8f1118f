/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_CODE_ATOMICS_H
#define RUNTIME_CODE_ATOMICS_H

/*
 * Natives that are one atomic operation on a word of memory, for which a
 * processor has instructions: machine code has these in place of the call, and
 * functions that consist of little else are leaves.  Stores of pointers, which
 * may need a write barrier, are not among them.
 */

#include <stdbool.h>

#include "runtime/code/code.h"

enum code_atomic_op {
    CODE_ATOMIC_LOAD,
    CODE_ATOMIC_STORE,
    CODE_ATOMIC_ADD, /* answers the sum */
    CODE_ATOMIC_AND, /* these answer what was there before */
    CODE_ATOMIC_OR,
    CODE_ATOMIC_SWAP,
    CODE_ATOMIC_CAS, /* answers whether it was done */
    CODE_ATOMIC_TAKE /* bits, which it sets if none of the other value's bits is
                        set; once, and answers whether it was done */
};

/* Its arguments are the word's address and so many values: those that the
 * call gives, or else these constants. */
struct code_atomic {
    uint8_t op; /* enum code_atomic_op */
    bool wide;  /* 64 bits, else 32 */
    bool sign;  /* a result of 32 bits is sign-extended */
    uint8_t nargs, nres; /* slots of the call */
    bool constant;
    int8_t value[2];
};

/* Whether the native is one, and what it does. */
bool code_is_atomic(const struct code_native *n, struct code_atomic *a);

#endif
