/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_LANG_LOAD_CLAUSE_H
#define RUNTIME_LANG_LOAD_CLAUSE_H

/*
 * The head of a Go source: the comment above its package clause, the clause,
 * and its imports.  It is read without the parser, of files that may be
 * wrong: what cannot be understood ends it.
 */

#include <stdbool.h>

struct rt_arena;

struct clause_import {
    const char *path;
    unsigned line, col; /* of the spec: its name, where it has one */
};

struct clause {
    const char *package; /* "" if there is no package clause */
    const char *doc;     /* first sentence of the comment, or "" */
    struct clause_import *imports;
    unsigned nimports, cap;
    const char *rest;    /* of the text, behind the package clause, or where it
                            should be */
    bool cgo;            /* imports "C" */
};

/* Reads the head of a text that ends with 0.  All memory is the arena's, whose
 * nomem must be set. */
void clause_read(struct rt_arena *a, const char *text, struct clause *c);

/* The value of the next //go:debug line above the package clause of text, from
 * *at on, which then is where that line begins; NULL: there is none. */
const char *clause_next_debug(
    struct rt_arena *a, const char *text, const char **at);

/* The values of the //go:debug lines above the package clause, "k=v" each
 * behind the other with a comma, or "". */
const char *clause_debug(struct rt_arena *a, const char *text);

#endif
