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

#endif
