/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_LANG_LOAD_WHY_H
#define RUNTIME_LANG_LOAD_WHY_H

/*
 * Why a package or a module is needed: the shortest way of imports from the
 * main module to it.  As `go mod why` has it: tests of all packages that the
 * main module needs count, and files for whatever system.
 */

#include <stdio.h>

#include "runtime/lang/load/graph.h"

/* Prints for each word, an import path or, with `modules`, a module's path or
 * "all", why it is needed, or that it is not.  RT_EFORMAT: err says which
 * module is none. */
enum rt_status why_print(struct graph *g, bool modules,
    const char *const *words, unsigned n, FILE *out, struct rt_err *err);

#endif
