/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_LANG_LOAD_CACHE_H
#define RUNTIME_LANG_LOAD_CACHE_H

/*
 * Images of programs that import packages of a tree of Go's sources, kept in a
 * folder (entry.h) so that the next run of the same program need not parse,
 * check and generate these packages again.  A program without such packages
 * starts faster than a file is found, and is not kept.
 *
 * An entry's name is a hash of all that the image depends on but the tree's
 * files: the sources of the program and of the modules that it uses, which are
 * read in any case, what files they embed, how they are to be compiled, which
 * tree it is, and which build of vole this is.
 */

#include "runtime/code/code.h"
#include "runtime/lang/load/entry.h"
#include "runtime/lang/load/graph.h"

struct cache {
    struct entry_name name; /* of this program's image */
    struct entry entry;     /* where it was found */
};

/*
 * Names the entry of a program whose graph is sorted, without errors, and not
 * checked.  `more` is what else its image depends on.  No name comes of it
 * where the build of vole cannot be told.
 */
void cache_name(struct cache *c, const struct graph *g,
    const struct lang_sources *src, const struct tree *tree,
    const char *const *more, unsigned nmore);

/* The image in the entry of that name; NULL if there is none, or a file has
 * changed.  It lives until cache_free(). */
const struct code_image *cache_find(
    struct cache *c, const struct entry_folder *f);

/* Keeps the image that was made meanwhile, if it was not found. */
void cache_store(const struct cache *c, const struct entry_folder *f,
    const struct code_image *im);

void cache_free(struct cache *c);

#endif
