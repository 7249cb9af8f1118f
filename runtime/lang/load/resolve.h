/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_LANG_LOAD_RESOLVE_H
#define RUNTIME_LANG_LOAD_RESOLVE_H

/*
 * From an import path to the folder of the package, or to the words in which
 * Go says that there is none.
 */

#include <stdbool.h>

#include "runtime/lang/load/modset.h"

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
};

/* Finds the package with that path, for the package `importer` (its import
 * path, for messages and for what is internal; "" for the command line). */
struct resolved resolve_import(struct modset *s,
    const struct resolve_std *std, const char *path, const char *importer);

/* May a package import another, as far as folders called internal forbid? */
bool resolve_may_use(const char *path, const char *importer, bool std);

#endif
