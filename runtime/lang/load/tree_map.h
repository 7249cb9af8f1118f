/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_LANG_LOAD_TREE_MAP_H
#define RUNTIME_LANG_LOAD_TREE_MAP_H

/*
 * The texts of an installed tree, mapped one behind the other.  Nearly all that
 * a program imports of the library is compiled already: of most texts the
 * declarations are read, once, and none of the bodies.  So their pages are given
 * back behind the parser, and come again from the system's where somebody looks.
 *
 * Threads: as the tree, of which it is a part.
 */

#include <stddef.h>

struct tree_map;

/* An empty one.  NULL: there is no memory or no room for it, and files have to
 * be read. */
struct tree_map *tree_map_new(void);

/* Everything that was mapped is gone; NULL does nothing. */
void tree_map_free(struct tree_map *m);

/* The text of a file that has `size` bytes, with a 0 behind, which lives as long
 * as the map.  NULL: it cannot be mapped so, for one because its last page has
 * no room for the 0, and has to be read. */
char *tree_map_text(struct tree_map *m, int fd, size_t size);

/* Gives back the pages of all texts since the last call.  They stay where they
 * are and can be read. */
void tree_map_drop(struct tree_map *m);

#endif
