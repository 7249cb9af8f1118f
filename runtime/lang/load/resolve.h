/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_LANG_LOAD_RESOLVE_H
#define RUNTIME_LANG_LOAD_RESOLVE_H

/*
 * From an import path to the folder of the package, or to the words in which
 * Go says that there is none.
 */

#include <stdbool.h>

#include "runtime/lang/load/modset.h"
#include "runtime/lang/syntax/parse.h"

enum resolve_kind {
    RESOLVE_LIBRARY, /* of the standard library: whoever has it, has it */
    RESOLVE_FOLDER,  /* of a module */
    RESOLVE_NONE     /* why says what is wrong; further lines begin \t */
};

struct resolved {
    enum resolve_kind kind;
    const char *dir;
    struct modset_module *module;
    const char *why;
};

/* Whether the standard library as it is here has a package. */
struct resolve_std {
    void *ctx;
    bool (*has)(void *ctx, const char *path);
    /* Says that it has not, and what to do about it. */
    const char *(*why)(void *ctx, const char *path);
    /* Lays vole's patch over the parsed files of the library's package, which
     * is of release 1.minor; where there is one, *files becomes a longer list.
     * RT_ENOMEM, RT_EIO.  NULL: no patches. */
    enum rt_status (*patch)(void *ctx, const char *path, unsigned minor,
        struct ast_file ***files, uint32_t *nfiles, struct rt_err *err);
};

/* Finds the package with that path, for the package `importer` (its import
 * path, for messages and for what is internal; "" for the command line). */
struct resolved resolve_import(struct modset *s,
    const struct resolve_std *std, const char *path, const char *importer);

/* The folder of the package in a module, NULL if there is none: what lies in
 * a module inside of the module does not count. */
const char *resolve_folder(
    struct modset *s, const struct modset_module *m, const char *path);

/* May a package import another, as far as folders called internal forbid? */
bool resolve_may_use(const char *path, const char *importer, bool std);

#endif
