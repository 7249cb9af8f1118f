/* SPDX-License-Identifier: MIT */
#include "runtime/code/arith.h"

#include <string.h>

#include "runtime/base/throw.h"

struct row {
    const char *name; /* in its package */
    enum code_arith arith;
    uint8_t nargs, nres;
};

static const struct row in_bits[] = {
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

static const struct row in_strings[] = {
    {"IndexByte", CODE_ARITH_INDEX_BYTE, 3, 1},
};

static const struct {
    const char *path;
    const struct row *rows;
    unsigned n;
} packages[] = {
    {"math/bits.", in_bits, sizeof in_bits / sizeof *in_bits},
    {"strings.", in_strings, sizeof in_strings / sizeof *in_strings},
};

enum code_arith
code_arith_of(const struct code_native *n)
{
    for (unsigned p = 0; p < sizeof packages / sizeof *packages; p++) {
        const struct row *row = packages[p].rows, *end = row + packages[p].n;
        size_t len = strlen(packages[p].path);

        if (strncmp(n->name, packages[p].path, len) != 0)
            continue;
        for (; row < end; row++)
            if (n->name[len] == row->name[0] &&
                strcmp(n->name + len, row->name) == 0) {
                rt_assert(n->nres == row->nres && n->nargs == row->nargs);
                return row->arith;
            }
    }
    return CODE_ARITH_NONE;
}
