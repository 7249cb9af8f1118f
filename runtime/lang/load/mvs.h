/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_LANG_LOAD_MVS_H
#define RUNTIME_LANG_LOAD_MVS_H

/*
 * Minimal version selection: of each module the newest of the versions that
 * somebody requires.  As in Go, the requirements of a module whose go.mod is
 * of 1.17 or later are enough for its packages, so that what they require in
 * turn does not count where the main module is as new ("pruning").
 */

#include <stdbool.h>

#include "runtime/lang/load/modset.h"

/* The modules that the main modules of s need; *n of them, sorted by path. */
struct module_version *mvs_select(struct modset *s, unsigned *n);

/* A requirement: of a main module (without a version) or another. */
typedef void (*mvs_edge_fn)(void *arg, const struct module_version *from,
    const struct module_version *to);

/* Calls fn for all requirements that count, in the order of `go mod graph`:
 * breadth first, with the language and the toolchain among the modules. */
void mvs_graph(struct modset *s, mvs_edge_fn fn, void *arg);

/*
 * Selections from other roots than those of go.mod, as who edits it needs
 * them.  One mvs serves many: each go.mod is read once.
 */
struct mvs;

/* A go.mod that counts, and what it requires but for what is excluded. */
struct mvs_read {
    struct module_version id;
    const struct module_version *require;
    unsigned nrequire;
};

struct mvs_graph {
    struct module_version *list; /* the versions that are selected, by path,
                                    of the language and the toolchain too */
    unsigned n;
    struct mvs_read *read;
    unsigned nread;
    const struct module_version *absent; /* one whose go.mod is not there */
};

struct mvs *mvs_new(struct modset *s);

/* What the roots need: modules, "go" and "toolchain". */
struct mvs_graph *mvs_load(struct mvs *m, const struct module_version *roots,
    unsigned n, bool pruned);

/* The version that is selected of a module; NULL: none. */
const char *mvs_selected(const struct mvs_graph *g, const char *path);

/* Less than, equal to or greater than 0 as version x of a module, of "go" or
 * "toolchain" is older than, the same as or newer than y. */
int mvs_compare(const char *path, const char *x, const char *y);

/* For qsort() of module versions: by path, then the older first. */
int mvs_order(const void *a, const void *b);

#endif
