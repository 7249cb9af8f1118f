/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_LANG_LOAD_BUILDINFO_H
#define RUNTIME_LANG_LOAD_BUILDINFO_H

struct graph;

/*
 * What runtime/debug.ReadBuildInfo says of the program of a graph, in the lines of
 * its text: its path, the module of that and all others that it is made of, by
 * their paths.  In the graph's memory; NULL: there is none.
 */
const char *buildinfo_of(struct graph *g);

#endif
