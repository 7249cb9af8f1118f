/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_LANG_GEN_GEN_H
#define RUNTIME_LANG_GEN_GEN_H

/*
 * The code generator: from the checked tree to a program image.
 *
 * Generation follows reachability.  It starts at the entry function and goes
 * on until no function, package variable or method that something reached is
 * left; library bodies are parsed and checked on the way, user code is
 * complete already.  A method of a type that occurs in an interface is
 * reached when its selector is called through some interface.
 */

#include "runtime/base/err.h"
#include "runtime/code/code.h"
#include "runtime/lang/types/check.h"

/* What a generation takes and gives besides the program (stock.h). */
struct gen_options {
    const uint32_t *stock; /* of the bundled library; NULL: none */
    const uint32_t *const *kept; /* nkept others, of the tree as it is */
    unsigned nkept;
    /* Not NULL: *record is a stock, of *nrecord words, of the library's functions
     * that were generated because they are in no stock yet; free() it.  These
     * are what the program reaches of the bundled packages and, with `tree`, of
     * the tree's; with `all`, whatever there is in those that it imports.  NULL
     * where there are fewer than `least`. */
    uint32_t **record;
    size_t *nrecord;
    uint32_t least;
    bool tree, all;
};

/*
 * Generates the program of package `main`, which has been checked without
 * errors.  `arena` holds the image and must outlive it; the checker's arena
 * may be freed afterwards (names and texts are copied).  Library errors and
 * limits (a frame of more than GEN_MAX_SLOTS) are reported in the diag:
 * RT_EFORMAT then.  RT_ENOMEM out of memory.  opt may be NULL.
 */
enum rt_status gen_program(struct check *c, struct check_pkg *main,
    struct rt_arena *arena, const struct gen_options *opt,
    struct code_image **out, struct rt_err *err);

#endif
