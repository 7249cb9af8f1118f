/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_LANG_LOAD_GODEBUG_H
#define RUNTIME_LANG_LOAD_GODEBUG_H

/*
 * The settings of GODEBUG that a program has by default: for each whose
 * meaning changed in a release that is newer than the program's go.mod, its
 * old value; then what go.mod (or go.work) and //go:debug lines say.
 */

#include "runtime/lang/load/modset.h"
#include "runtime/lang/load/tree.h"

/*
 * "name=value,...", sorted by name, or "".  The settings are those of the
 * tree's table, which knows when each changed; without a tree, or of one that
 * has no such table, only those that are said count.  `debug`: values of
 * //go:debug lines, between commas.  The language's version 1.minor counts
 * where no line asks for another default.
 */
const char *godebug_default(struct rt_arena *a, const struct tree *t,
    const struct modset *s, unsigned minor, const char *debug);

struct graph;

/* The settings of the program that a graph is of, once its packages are
 * loaded; //go:debug lines that make no sense are errors of theirs.  Of the library's settings only those count that the runtime itself
 * has, unless a tree was opened: who has none of its packages needs no more. */
const char *godebug_of(struct graph *g);

#endif
