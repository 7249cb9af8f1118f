/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_LANG_LOAD_TREE_STOCK_H
#define RUNTIME_LANG_LOAD_TREE_STOCK_H

/*
 * Ready code of the packages of a packed tree (runtime/lang/gen/stock.h), in a
 * file beside it that the build makes: "gotree.stock" beside "gotree.pack".
 * With it not even the first program that imports them has to compile them.
 *
 * The file names what it was made by and from: the build of vole, and the sum
 * in the head of the pack.  Copying and installing change neither.  What lies
 * in it is trusted as vole itself is.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/err.h"
#include "runtime/lang/load/tree.h"

struct tree_stock {
    const uint32_t *words; /* the stock; NULL: there is none */
    void *map;
    size_t mapped;
};

/* Maps the stock of a tree, read-only.  There is none beside a folder, none
 * made by another build of vole, nor one made from another tree. */
void tree_stock_open(struct tree_stock *s, const struct tree *t);

/* Nothing may be in use any more that was taken from it. */
void tree_stock_close(struct tree_stock *s);

/* Writes the stock of a packed tree to a file. */
enum rt_status tree_stock_write(const char *path, const struct tree *t,
    const uint32_t *words, size_t n, struct rt_err *err);

#endif
