/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_LANG_LOAD_SHELF_H
#define RUNTIME_LANG_LOAD_SHELF_H

/*
 * Code of the tree's packages, kept in a folder (entry.h): stocks
 * (runtime/lang/gen/stock.h), which any program may take functions from that is
 * compiled with the same tree.  So a program that is new, or was changed, waits
 * for its own packages and for what no program before it has reached.
 *
 * Each program adds a stock with what it had to generate, unless that is
 * little.  There are at most SHELF_MOST; then they are begun anew.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/lang/load/entry.h"
#include "runtime/lang/load/tree.h"

enum { SHELF_MOST = 8, SHELF_LEAST = 32 /* functions */ };

struct shelf {
    struct entry_name names[SHELF_MOST];
    struct entry entries[SHELF_MOST];
    const uint32_t *stocks[SHELF_MOST]; /* n of them, in these entries */
    unsigned n;
    unsigned next; /* the first name without a good entry, or SHELF_MOST */
    bool open;
};

/* Finds the stocks of this tree; `more` is what else the library's code depends
 * on.  Not open afterwards: nothing can be kept. */
void shelf_open(struct shelf *s, const struct entry_folder *f,
    const struct tree *tree, const char *more);

/* Keeps one more, of n words, if entry_collect() has found the tree's files
 * fit. */
void shelf_add(struct shelf *s, const struct entry_folder *f,
    const uint32_t *words, size_t n);

/* Nothing may be in use any more that was taken from its stocks. */
void shelf_close(struct shelf *s);

#endif
