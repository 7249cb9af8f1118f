/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_LANG_LOAD_CACHE_H
#define RUNTIME_LANG_LOAD_CACHE_H

/*
 * Images of programs that import packages of a tree of Go's sources, kept in a
 * folder so that the next run of the same program need not parse, check and
 * generate these packages again.  A program without such packages starts
 * faster than a file is found, and is not kept.
 *
 * The name of an entry is a hash of all that the image depends on but the
 * tree's files: the sources of the program and of the modules that it uses,
 * which are read in any case, what files they embed, how they are to be
 * compiled, which tree it is, and which build of vole this is.  The tree's files
 * are named in the entry, which is good as long as none of them has changed:
 * size, inode and times are compared.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "runtime/code/code.h"
#include "runtime/lang/load/graph.h"

struct cache {
    const char *folder;    /* absolute; NULL: nothing is kept */
    struct timespec begun; /* before any file was read */
    char name[80];         /* of the entry; "": none */
    uint8_t *deps;         /* from malloc: the files, as an entry has them */
    size_t ndeps;
    uint8_t *map;          /* the entry that was found; NULL: none */
    size_t mapped;
};

/* Begins with a folder, NULL for none, before files are read. */
void cache_init(struct cache *c, const char *folder);

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
const struct code_image *cache_find(struct cache *c);

/*
 * Looks at the files of the packages that were taken from the tree, before it
 * is forgotten which these are.  Where one is so new that it may have changed
 * since it was read, nothing will be kept.
 */
void cache_collect(struct cache *c, const struct tree_load *tree,
    struct rt_arena *a);

/* Keeps the image that was made meanwhile, if cache_collect() has found it
 * fit.  Entries that were not used for longest go when there are too many.
 * What fails leaves things as they were. */
void cache_store(struct cache *c, const struct code_image *im);

void cache_free(struct cache *c);

#endif
