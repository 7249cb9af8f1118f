/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_LANG_LOAD_TREE_H
#define RUNTIME_LANG_LOAD_TREE_H

/*
 * A tree of Go's sources: the folder of an installed Go, or of Debian's
 * golang-N-src, whose src/ has the standard library.  Packages that vole does
 * not bring itself are loaded from one.
 *
 * Threads: none; a tree belongs to one compilation.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/err.h"

struct rt_arena;

/* The oldest release whose library vole can use, and the newest that it is
 * tested with. */
enum { TREE_OLDEST_MINOR = 19, TREE_TESTED_MINOR = 26 };

/* Where to look, besides the places where packages of systems put trees.
 * Each may be NULL. */
struct tree_places {
    const char *voleroot; /* the only place, if it is given and not "" */
    const char *goroot;
    const char *path; /* folders by ':'; one of them may have a program go */
    bool no_pack;     /* not the tree that is installed with vole */
    unsigned wanted;  /* the program is made for a library of Go 1.wanted, or
                         0: older ones come behind */
};

struct tree; /* a folder, or a packed tree, and its release */

/* One source of a package; text[len] is 0. */
struct tree_file {
    const char *name; /* "encoding/csv/reader.go" */
    const char *text;
    size_t len;
};

/*
 * The newest tree that vole is tested with; where there is none, the oldest of
 * those that are newer.  One that is as new as is wanted comes before others.
 * RT_EUNSUP: there is none, err says what to install;
 * RT_ENOMEM.
 */
enum rt_status tree_find(
    const struct tree_places *where, struct tree **out, struct rt_err *err);

/* The tree in that folder, or packed in that file; RT_EUNSUP: it is none. */
enum rt_status tree_open(
    const char *root, struct tree **out, struct rt_err *err);

void tree_free(struct tree *t);

/* The folder above src/, or the packed file. */
const char *tree_root(const struct tree *t);

/* Its release: 19 for go1.19. */
unsigned tree_minor(const struct tree *t);

/* SHA-256 of all that is in a packed tree, in its head; NULL: it is a folder. */
const uint8_t *tree_sum(const struct tree *t);

/* Whether there may be a package with this path that programs can import. */
bool tree_has(const struct tree *t, const char *path);

/*
 * Reads the files of a package that belong to it on this system (see
 * tree_tag.c), sorted by name; *n of them.  Those of the modules that Go brings
 * with its library have paths vendor/golang.org/x/...  All memory is in the
 * arena, but the texts are where the tree is, as long as that.
 * RT_EUNSUP: there is no such package; RT_EIO, RT_ENOMEM.
 */
enum rt_status tree_read(const struct tree *t, const char *path,
    struct rt_arena *a, struct tree_file **files, unsigned *n,
    struct rt_err *err);

/* The parser has seen what was read of a folder: its pages are given back, and
 * come again where somebody looks at one. */
void tree_parsed(const struct tree *t);

/* What has been read is hardly read again: the pages of a packed tree are no
 * longer this process's, until somebody looks at one. */
void tree_rest(const struct tree *t);

#endif
