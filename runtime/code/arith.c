/* SPDX-License-Identifier: MIT */
#include "runtime/code/arith.h"

#include <string.h>

#include "runtime/base/throw.h"

static const struct {
    const char *name; /* in math/bits */
    enum code_arith arith;
} natives[] = {
    {"Add", CODE_ARITH_ADD},
    {"Add64", CODE_ARITH_ADD},
    {"Sub", CODE_ARITH_SUB},
    {"Sub64", CODE_ARITH_SUB},
    {"Mul", CODE_ARITH_MUL},
    {"Mul64", CODE_ARITH_MUL},
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
            rt_assert(n->nres == 2 &&
                n->nargs == (natives[i].arith == CODE_ARITH_MUL ? 2 : 3));
            return natives[i].arith;
        }
    return CODE_ARITH_NONE;
}
