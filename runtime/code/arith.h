/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_CODE_ARITH_H
#define RUNTIME_CODE_ARITH_H

/*
 * Natives that are a few instructions of arithmetic on whole words, or look for a
 * byte: machine code has these in place of the call, and functions that consist of
 * little else are leaves.
 */

#include "runtime/code/code.h"

enum code_arith {
    CODE_ARITH_NONE, /* it is another native */
    CODE_ARITH_ADD,  /* sum and carry out of x, y, carry */
    CODE_ARITH_SUB,  /* difference and borrow out of x, y, borrow */
    CODE_ARITH_MUL,  /* high and low word of the product of x, y */
    CODE_ARITH_SWAP, /* x, its bytes in the other order */
    CODE_ARITH_SWAP32, /* likewise its lower four; the others are zero */
    CODE_ARITH_INDEX_BYTE /* where byte z is first among the y bytes at x; or -1 */
};

/* Which of them the native is. */
enum code_arith code_arith_of(const struct code_native *n);

#endif
