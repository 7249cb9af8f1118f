/* SPDX-License-Identifier: MIT */
#include "runtime/code/arith.h"

#include <string.h>

#include "runtime/base/throw.h"

static const struct {
    const char *name; /* in math/bits */
    enum code_arith arith;
    uint8_t nargs, nres;
} natives[] = {
    {"Add", CODE_ARITH_ADD, 3, 2},
    {"Add64", CODE_ARITH_ADD, 3, 2},
    {"Sub", CODE_ARITH_SUB, 3, 2},
    {"Sub64", CODE_ARITH_SUB, 3, 2},
    {"Mul", CODE_ARITH_MUL, 2, 2},
    {"Mul64", CODE_ARITH_MUL, 2, 2},
    {"ReverseBytes", CODE_ARITH_SWAP, 1, 1},
    {"ReverseBytes64", CODE_ARITH_SWAP, 1, 1},
    {"ReverseBytes32", CODE_ARITH_SWAP32, 1, 1},
};

enum code_arith
code_arith_of(const struct code_native *n)
{
    static const char path[] = "math/bits.";
    size_t len = sizeof path - 1;

    if (strncmp(n->name, path, len) != 0)
        return CODE_ARITH_NONE;
    for (unsigned i = 0; i < sizeof natives / sizeof *natives; i++)
        if (strcmp(n->name + len, natives[i].name) == 0) {
            rt_assert(n->nres == natives[i].nres &&
                n->nargs == natives[i].nargs);
            return natives[i].arith;
        }
    return CODE_ARITH_NONE;
}
