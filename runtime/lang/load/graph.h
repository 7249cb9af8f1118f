/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_LANG_LOAD_GRAPH_H
#define RUNTIME_LANG_LOAD_GRAPH_H

/*
 * The packages of a program that are made of files: those that were named and
 * what they import from modules.  Each is parsed in full and comes behind
 * those that it imports; packages of the library are not in the graph, the
 * checker loads them when they are imported.
 *
 * What is wrong with imports is found before anything is checked, and then
 * nothing is checked: as with go build, no messages follow from a package
 * that is not there.
 */

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "runtime/base/strmap.h"
#include "runtime/lang/load/cover.h"
#include "runtime/lang/load/package.h"
#include "runtime/lang/load/resolve.h"
#include "runtime/lang/load/tree_load.h"
#include "runtime/lang/syntax/parse.h"

struct graph_package {
    const char *path;       /* import path; "command-line-arguments" where
                               files were named */
    const char *code_path;  /* in names of functions: "main" for a program */
    const char *dir;        /* absolute; "" for a text */
    struct modset_module *module; /* NULL outside of modules */
    bool named;             /* was asked for, not only imported */
    bool header;            /* "# path" stands above its messages */
    const char *title;      /* behind the path there, or "" */
    bool made;              /* may import whatever is in the graph */
    bool busy;              /* its imports are being loaded */
    bool failed;            /* has errors, or imports what has */
    unsigned minor;         /* language; 0: the newest */
    enum package_role role; /* PACKAGE_TEST: with the tests in the package;
                               PACKAGE_XTEST: the external tests */
    struct package_files have; /* of its folder */
    struct ast_file **files;
    uint32_t nfiles;
    struct graph_package **imports;
    unsigned nimports;
    struct cover_file *cover; /* those of its files that have counters */
    unsigned ncover;
    struct lang_diag diag;
    struct check_pkg *checked;
    unsigned index;         /* graph_sort(): in the order of loading */
    struct graph_package *parent; /* that imports it, while busy */
    const char *parent_file;      /* in which */
};

struct graph {
    struct rt_arena *a; /* nomem is set while graph functions run */
    struct parse_ctx *parse;
    struct modset mods;
    struct resolve_std std;
    struct tree_load *tree; /* for patches of modules' packages */
    const char *const *tags;
    const char *tagflag; /* what -tags says, or GOFLAGS; or NULL */
    bool match_all;   /* patterns of import paths name packages of the library
                         and of the modules that are needed, too; who asks
                         drops those that build constraints exclude */
    unsigned limit;   /* of messages in each package; 0: none */
    enum cover_mode cover;
    const char *coverpkg, *coverin; /* as in struct vole_options; or NULL */
    unsigned lang;    /* -lang: minor version; 0: as go.mod says */
    struct graph_package **order; /* imports before importers */
    unsigned norder, ordercap;
    struct graph_package **all;
    unsigned nall, allcap;
    struct rt_strmap bypath; /* the first of each path */
    struct paths_list errors; /* that prevent checking; lines each */
};

/*
 * Adds what a word of a command line names: a folder, an import path, a
 * pattern with "...".  `tests` says what else of the folder is wanted: then
 * two packages may come of one word.  RT_EFORMAT: g->errors says what is
 * wrong; RT_EIO, RT_ENOMEM: err does.
 */
enum rt_status graph_add_word(
    struct graph *g, const char *word, struct rt_err *err);

/* Adds the package that is made of these files, whatever they say of where
 * they belong. */
enum rt_status graph_add_files(struct graph *g, const char *const *paths,
    unsigned n, struct rt_err *err);

/* Adds a package of one file that is parsed already; what the parser has said of
 * it, without finding the syntax wrong, becomes the package's.  One that was
 * `made` here may import whatever is in the graph. */
enum rt_status graph_add_text(struct graph *g, struct ast_file *file,
    bool made, struct rt_err *err);

/* The folders that a word names, absolute, sorted: one, or all that fit a
 * pattern.  The import path of each is in *paths at the same place. */
enum rt_status graph_match(struct graph *g, const char *word,
    struct paths_list *dirs, struct paths_list *paths, struct rt_err *err);

/*
 * Adds the package in a folder with the tests inside of it, and its external
 * tests, which are a package of their own.  *package and *xtest are NULL where
 * there is no such thing.
 */
enum rt_status graph_add_tests(struct graph *g, const char *dir,
    struct graph_package **package, struct graph_package **xtest,
    struct rt_err *err);

/* Puts g->order into Go's order of initialisation: of the packages whose
 * imports come before them, the one with the first path is next. */
void graph_sort(struct graph *g);

/* Frees what is not in the arena. */
void graph_free(struct graph *g);

#endif
