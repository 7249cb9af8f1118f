/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_LANG_LOAD_TREE_INT_H
#define RUNTIME_LANG_LOAD_TREE_INT_H

/* What the files of tree*.c share. */

#include "runtime/lang/load/build_tag.h"
#include "runtime/lang/load/tree.h"
#include "runtime/lang/load/tree_map.h"
#include "runtime/lang/load/tree_pack.h"

struct tree {
    char *root;
    unsigned minor;
    struct tree_pack *pack; /* NULL: root is a folder */
    struct tree_map *map; /* texts of files in it; NULL: they are read */
};

/* All of a file, in the map or, if that is NULL or has no place for it, in the
 * arena, with a 0 behind.  NULL: cannot be read, or no memory. */
char *tree_slurp(struct rt_arena *a, struct tree_map *map, const char *path,
    size_t *len);

/* Whether these tags, the ones of a package of a tree, include a file.
 * Only files that end in .go or .s are asked for. */
bool tree_fits(const struct build_tags *tags, const char *name,
    const char *text, size_t len);

/* The tags that all packages of a release have. */
struct build_tags tree_tags(unsigned minor);

/* Does a package that has assembly for this processor keep the Go files that
 * belong to it? */
bool tree_keeps_arch(const char *path);

/* Is a package that has no assembly taken as if it had? */
bool tree_drops_arch(unsigned minor, const char *path);

#endif
