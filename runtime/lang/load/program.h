/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_LANG_LOAD_PROGRAM_H
#define RUNTIME_LANG_LOAD_PROGRAM_H

/*
 * From the paths on a command line to a program image: finds the files of
 * the package, reads, parses, checks and generates.  Messages are collected,
 * not printed.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "runtime/base/err.h"
#include "runtime/code/code.h"

struct program;

/* A file of an imported package: text[len] is 0, and all of it stays as long
 * as the program. */
struct program_source {
    const char *name; /* for messages, e.g. "fmt/print.go" */
    const char *text;
    size_t len;
};

/*
 * Where imported packages come from.  The front end stands beside the
 * runtime and does not know what is bundled with it, so whoever loads a
 * program says so.
 */
struct program_library {
    /* The package with this import path, NULL if there is none. */
    const void *(*find)(const char *path);
    /* Its i-th file; false if it has no more than i. */
    bool (*file)(const void *package, unsigned i, struct program_source *out);
    /* The import path of the package with this name, NULL if there is none. */
    const char *(*called)(const char *name);
};

/* A program in memory. */
struct program_text {
    const char *name; /* as if it were a file's */
    const char *text;
    size_t len;
    bool statements;  /* no file but statements of main, which import the
                         packages that they name */
};

struct program_options {
    const struct program_library *library; /* NULL: nothing to import */
    /* Ready code of its packages (runtime/lang/gen/stock.h); NULL: none. */
    const uint32_t *stock;
    bool all_errors; /* report every error, not only the first ten */
    const struct program_text *text; /* instead of paths; copied.  Or NULL */
    /* A variable of the environment, as getenv(), for Go's library and the
     * settings of the go command; NULL: none is set. */
    const char *(*env)(const char *name);
    bool tests;       /* the path is a folder: the program is the one that runs
                         the tests in it */
    /* With tests: as the fields of struct vole_options; or NULL. */
    const char *cover, *coverpkg, *coverin;
    const char *tags; /* further build tags, between commas; NULL: GOFLAGS */
    bool race;        /* so is the tag race */
    const char *mod;  /* as Go's flag -mod; or NULL */
    unsigned lang;    /* the language's minor version in spite of what go.mod
                         says; 0: none is given */
    const char *cache; /* absolute path of a folder where images are kept for
                          the next time; NULL: none */
    const char *image_in; /* absolute path of a folder that the caller has for
                             this program alone: the image is kept there, and
                             found without a look at the sources; NULL: none */
    bool image_late;      /* with it: no sooner than program_keep() says so */
    void *image_at; /* page-aligned: where the image is to be; NULL: anywhere */
};

/*
 * Reads and checks packages, with all that they import from modules: .go
 * files that make up one, or words that each name a folder (its .go files but
 * tests and those that build constraints exclude), an import path, or, with
 * "...", many of them.  The first that is named is the program.  RT_OK: no errors.  RT_EFORMAT: there are some, which
 * program_write_errors() prints.  RT_EIO, RT_ENOMEM ...: err says why.  In
 * all cases *out must be freed if it is not NULL.
 */
enum rt_status program_load(const char *const *paths, unsigned npaths,
    const struct program_options *opt, struct program **out,
    struct rt_err *err);

/* What program_packages() tells of each package. */
typedef void (*program_package_fn)(void *arg, const char *path,
    const char *dir, bool has_tests, const char *error);

/*
 * Finds the packages that words name, as program_load() does, and calls fn for
 * each: with its import path, its folder, whether there are tests in it, and
 * what is wrong with the folder (NULL: nothing).  A word that names none is
 * such a package, too.  RT_EFORMAT: a pattern fits none, or go.mod is wrong.
 */
enum rt_status program_packages(const char *const *words, unsigned n,
    const struct program_options *opt, program_package_fn fn, void *arg,
    struct rt_err *err);

struct graph;

/* What program_graph() calls. */
typedef enum rt_status (*program_graph_fn)(
    void *arg, struct graph *g, struct rt_err *err);

/* Finds the modules of the working directory and calls fn with the graph, in
 * which there are no packages; returns what fn does.  RT_EFORMAT: go.mod is
 * wrong. */
enum rt_status program_graph(const struct program_options *opt,
    program_graph_fn fn, void *arg, struct rt_err *err);

/* Generates the image, once, of a program that loaded without errors.  It
 * belongs to the program. */
enum rt_status program_image(struct program *p,
    const struct code_image **out, struct rt_err *err);

/* The same instead of program_image(), to have the ready code of all functions
 * of the packages that the program imports: of the bundled ones, or with `tree`
 * of a tree's, too, but for those that are in the stock it was loaded with.  *n
 * words, to be freed. */
enum rt_status program_record(struct program *p, bool tree, uint32_t **stock,
    size_t *n, struct rt_err *err);

/* The settings of GODEBUG that the program has by default, "a=1,b=0"; until
 * program_trim(). */
const char *program_godebug(const struct program *p);

/* What debug.ReadBuildInfo says of the program's modules (buildinfo.h); until
 * program_trim(). */
const char *program_buildinfo(const struct program *p);

/* Where Go's library is: what the environment says, or the folder of the tree;
 * "" where there is none, or it is packed.  Until program_trim(). */
const char *program_goroot(struct program *p);

/*
 * Keeps the image in the folder of program_options.image_in, if it is not there
 * already.  The texts are those of program_godebug() and program_buildinfo().  Any
 * thread may call it once there is an image, while the program runs, too.
 */
void program_keep(
    struct program *p, const char *godebug, const char *buildinfo);

/* Gives back what only the front end needs: sources, tree, types.  The image
 * stays; it is kept for the next time where that was asked for. */
void program_trim(struct program *p);

/* Writes "file:line:col: text" lines; nonzero if out is in error. */
int program_write_errors(struct program *p, FILE *out);
bool program_has_errors(const struct program *p);

void program_free(struct program *p);

#endif
