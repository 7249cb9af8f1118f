/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_LANG_LOAD_TESTMAIN_H
#define RUNTIME_LANG_LOAD_TESTMAIN_H

/*
 * The program that runs the tests of a package: a source text that imports the
 * package, and its external tests, and names their tests, benchmarks, fuzz
 * tests and examples to package testing.
 */

#include "runtime/lang/load/graph.h"

/*
 * Makes the text, in the graph's arena.  Either package may be NULL.  NULL: a
 * test has a wrong signature; g->errors says which.
 */
const char *testmain_text(struct graph *g, const char *path,
    const struct graph_package *package, const struct graph_package *xtest);

#endif
