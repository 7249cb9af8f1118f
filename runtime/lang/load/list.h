/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_LANG_LOAD_LIST_H
#define RUNTIME_LANG_LOAD_LIST_H

/*
 * What is known of packages without compiling them, as `go list` tells it:
 * their files by kind, imports, all that they depend on, their modules, and
 * what is wrong with them.  Files are chosen as the go command does it without
 * cgo, of Go's library too; what vole compiles of the library and of packages
 * with assembly may be other files.
 *
 * All memory is the arena's of the graph, whose nomem must be set.
 */

#include <stdbool.h>
#include <stdio.h>

#include "runtime/base/strmap.h"
#include "runtime/lang/load/graph.h"
#include "runtime/lang/load/query.h"

/* The fields that are lists of texts, in the order of `go list -json`; the
 * names in between are those of others. */
#define LIST_FIELDS(X)                                                       \
    X(GO_FILES, "GoFiles")                                                   \
    X(COMPILED, "CompiledGoFiles")                                           \
    X(IGNORED_GO, "IgnoredGoFiles")                                          \
    X(INVALID_GO, "InvalidGoFiles")                                          \
    X(IGNORED_OTHER, "IgnoredOtherFiles")                                    \
    X(C, "CFiles")                                                           \
    X(CXX, "CXXFiles")                                                       \
    X(M, "MFiles")                                                           \
    X(H, "HFiles")                                                           \
    X(F, "FFiles")                                                           \
    X(S, "SFiles")                                                           \
    X(SWIG, "SwigFiles")                                                     \
    X(SWIGCXX, "SwigCXXFiles")                                               \
    X(SYSO, "SysoFiles")                                                     \
    X(EMBED_PATTERNS, "EmbedPatterns")                                       \
    X(EMBED_FILES, "EmbedFiles")                                             \
    X(IMPORTS, "Imports")                                                    \
    X(DEPS, "Deps")                                                          \
    X(TEST_GO, "TestGoFiles")                                                \
    X(TEST_IMPORTS, "TestImports")                                           \
    X(TEST_EMBED_PATTERNS, "TestEmbedPatterns")                              \
    X(TEST_EMBED_FILES, "TestEmbedFiles")                                    \
    X(XTEST_GO, "XTestGoFiles")                                              \
    X(XTEST_IMPORTS, "XTestImports")                                         \
    X(XTEST_EMBED_PATTERNS, "XTestEmbedPatterns")                            \
    X(XTEST_EMBED_FILES, "XTestEmbedFiles")

enum list_field {
#define X(id, name) LIST_##id,
    LIST_FIELDS(X)
#undef X
    LIST_NFIELDS
};

struct list_error {
    struct paths_list stack; /* import paths, from a package that was named */
    struct paths_list from;  /* the file that imports each, "" for the first */
    const char *pos;         /* "m.go:3:8", or "" */
    const char *text;
    bool with_stack;         /* in its message, even where pos is known */
};

/* An import and where it stands first. */
struct list_import {
    const char *path;
    const char *pos;
};

struct list_package {
    const char *path;     /* without what stands in brackets */
    const char *shown;    /* "path [for.test]", or path */
    const char *dir, *name, *doc, *root, *target;
    const char *for_test; /* or NULL */
    const char *godebug;  /* of a program, or "" */
    const char *debug;    /* its //go:debug lines, and those of its tests */
    const char *test_debug;
    struct modset_module *module; /* NULL outside of modules */
    struct paths_list match;      /* the words that name it */
    bool standard, named, incomplete;
    bool is_test_program;
    bool linked;    /* a program: needs the runtime whatever it imports */
    bool loaded, tests_loaded, busy;
    struct paths_list field[LIST_NFIELDS];
    struct paths_list map;        /* imports: what is written, what is meant */
    struct list_error *error;     /* or NULL */
    struct list_error **depserrors;
    unsigned ndepserrors;
    struct list_import *where[3]; /* by role, sorted by path */
    unsigned nwhere[3];
    struct list_package **imports, **test_imports, **xtest_imports;
    unsigned nimports, ntest_imports, nxtest_imports;
    struct list_package *parent;  /* that imports it, while it is loaded */
    const char *parent_file;      /* in which */
    unsigned mark;
    struct list_package *remade;  /* what takes its place in a test program */
    unsigned remade_mark;         /* for which that holds */
};

struct list_options {
    const char *tags; /* as struct program_options has it */
    bool deps, test, find, compiled;
    bool errors;      /* of modules: one that is not known is listed, too */
    bool only_mains;  /* the word "all" is the packages of the main modules */
    struct query *query; /* of modules: asks the proxies; NULL: nobody */
    bool versions, update, retracted; /* what of modules they are asked */
    bool any_tags;    /* every tag holds, and does not, but "ignore": all
                         that could be imported somewhere */
};

struct list {
    struct graph *g;
    struct rt_arena *a;
    const struct list_options *o;
    const char *const *tags;
    struct rt_strmap bypath;
    struct list_package **pkg; /* the result, in its order */
    unsigned npkg, cap;
    struct paths_list warnings;
    unsigned mark;
    bool failed; /* a word cannot be understood: the last warning says why */
};

/* Finds what words name, and all that it imports; l->pkg are those named.
 * RT_EIO: err says which folder cannot be read. */
enum rt_status list_load(struct list *l, struct graph *g,
    const struct list_options *o, const char *const *words, unsigned n,
    struct rt_err *err);

/* Adds the tests of what is listed, with -test, and what it all depends on,
 * with -deps; sets the fields that depend on that. */
void list_complete(struct list *l);

/* A package of the library, which somebody needs without importing it. */
struct list_package *list_library(
    struct list *l, struct list_package *by, const char *path);

/* Loads what its tests import, inside of the package and outside. */
void list_load_tests(struct list *l, struct list_package *p);

/* Loads what a package imports, and all behind it. */
void list_load_imports(struct list *l, struct list_package *p);

/* Appends to a list of packages that has room for *n more than it has. */
void list_push(struct rt_arena *a, struct list_package ***list, unsigned *n,
    unsigned *cap, struct list_package *p);

/* The packages for testing p: its test program, p with its tests inside (p
 * itself if it has none), and its external tests (or NULL).  Packages between
 * are copied where they import what changes. */
void list_tests(struct list *l, struct list_package *p,
    struct list_package **program, struct list_package **inside,
    struct list_package **outside);

/* What a package of the library means by an import. */
const char *list_brought(struct list *l, const char *path);

/* Reads the files of a package's folder into its fields.  RT_EIO. */
enum rt_status list_read_folder(
    struct list *l, struct list_package *p, struct rt_err *err);

/* Finds the files that a package's tests embed. */
void list_read_test_embeds(struct list *l, struct list_package *p);

/* The same of files that were named. */
enum rt_status list_read_files(struct list *l, struct list_package *p,
    const char *const *files, unsigned n, struct rt_err *err);

/* The message of an error, as the go command prints it. */
const char *list_error_text(struct rt_arena *a, const struct list_error *e);

/* What the module of a package is, as `go list -m` tells it. */
struct list_module {
    const char *path, *version, *time, *dir, *gomod, *go, *sum, *modsum;
    const char *query;
    struct paths_list versions;
    struct paths_list retracted; /* why it is, or else empty */
    struct list_module *replace, *update;
    bool main, indirect;
    const char *error;
};

struct list_module *list_module(struct list *l, const struct modset_module *m);

/* One that a query is about: version is a word of query.h's.  False:
 * l->warnings' last says why there is none. */
bool list_query(struct list *l, const char *path, const char *version,
    struct list_module **out);

/* Adds what the proxies know of a module: its versions, a newer one. */
void list_query_more(struct list *l, struct list_module *m);

/* What is known of a version of a module that need not be the build's. */
void list_set_version(struct list *l, struct list_module *m);

/* Modules that words name, of those that the build uses: all of them, paths,
 * patterns; or path@version, whatever that uses.  False: l->warnings' last says that one is none. */
bool list_modules(struct list *l, const char *const *words, unsigned n,
    struct list_module ***out, unsigned *nout);

/* Write one as JSON, with the fields that `fields` names between commas
 * (NULL: all). */
void list_json_package(struct list *l, const struct list_package *p,
    const char *fields, FILE *out);
void list_json_module(
    const struct list_module *m, const char *fields, FILE *out);

#endif
