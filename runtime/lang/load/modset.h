/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_LANG_LOAD_MODSET_H
#define RUNTIME_LANG_LOAD_MODSET_H

/*
 * The modules of a build: those that are being worked on (of the go.mod above
 * the program, or of a go.work), and a version of each that they need, found
 * by minimal version selection (mvs.c).  As in Go, a go.mod of 1.17 or later
 * names all that the build needs, so that those of others are read only when
 * a package is in none of the modules that it names.
 *
 * All memory is the arena's, whose nomem must be set.
 */

#include <stdbool.h>

#include "runtime/lang/load/goenv.h"
#include "runtime/lang/load/gosum.h"
#include "runtime/lang/load/module.h"

struct modset_module {
    struct module_version id; /* as required; no version: a main module */
    struct module_version by; /* what replaces it; the same if nothing does */
    const char *dir;  /* of its files; NULL: they are not there */
    bool main;
    bool local;       /* dir is no part of the cache: it may have modules in
                         folders of its own */
    unsigned minor;   /* language; 0: not looked for yet */
    bool checked;     /* go.sum was asked; */
    const char *bad;  /* what it has against the files, or NULL */
};

enum modset_mode {
    MODSET_READONLY,
    MODSET_MOD,   /* as readonly: vole changes no go.mod */
    MODSET_VENDOR
};

/* A line of vendor/modules.txt: a package and the module that has it. */
struct modset_vendored {
    const char *package;
    struct modset_module *module;
};

struct modset {
    struct rt_arena *a;
    struct goenv env;
    const char *cwd;
    const char *cache; /* "" where there is none */
    const char *root;  /* the folder of go.mod or go.work; NULL: there is
                          none, and no module */
    const char *work;  /* the go.work, or NULL */
    const char *above; /* the folder of the go.mod that is next, or NULL */
    enum modset_mode mode;
    struct modset_module *mains;
    struct module_file *files; /* of mains */
    unsigned nmains;
    struct module_file workfile; /* where there is one */
    /* What the build uses besides mains, sorted by path. */
    struct modset_module *list;
    unsigned nlist;
    bool complete; /* the requirements of requirements are in it */
    struct modset_vendored *vendored;
    unsigned nvendored, vendorcap;
    /* Set before modset_open(), or NULL: puts the go.mod of a module that is
     * not there into the cache; false if it cannot. */
    bool (*fetch)(void *ctx, const struct module_version *m);
    bool (*fetch_files)(void *ctx, const struct module_version *m); /* and
                           these its files */
    void *fetch_ctx;
    bool unchecked;     /* what go.sum does not know is taken */
    struct gosum *sums; /* NULL: not read yet */
    const char *error; /* why something failed; lines without the last end */
};

/*
 * Finds go.mod (or go.work) in dir or above it and reads it; *s is zero but for
 * fetch.  `mode` is the
 * value of the flag -mod, NULL if it was not given.  Without a go.mod all is
 * well: root is NULL.  RT_EFORMAT: s->error says, in Go's words, why not.
 */
enum rt_status modset_open(struct modset *s, struct rt_arena *a,
    goenv_fn env, const char *dir, const char *mode);

/* The go.mod of the folder that the set was opened for, or of one above it: also
 * where a go.work does not use it.  NULL: there is none. */
const char *modset_gomod(const struct modset *s);

/* Selects versions from the requirements of all requirements; once. */
enum rt_status modset_complete(struct modset *s);

/* The module of that path in the build; NULL if there is none. */
struct modset_module *modset_find(struct modset *s, const char *path);

/* A version of a module, whether the build uses it or not. */
struct modset_module *modset_module(
    struct modset *s, const struct module_version *id);

/* The language's minor version of a module (16 where its go.mod is silent). */
unsigned modset_minor(struct modset *s, struct modset_module *m);

/* The newest of the main modules' versions, 0 without any: they may use what
 * the library of that release has. */
unsigned modset_newest(struct modset *s);

/* Reads the go.mod of a module as it is used; false if it is not there. */
bool modset_read(struct modset *s, const struct module_version *id,
    struct module_file *out);

/* What replaces a module; the same if nothing does. */
struct module_version modset_replaced(
    struct modset *s, const struct module_version *id, const char **root);

/* Is this version excluded by a main module? */
bool modset_excluded(const struct modset *s, const struct module_version *m);

/* What go.sum says, of the main module or of all that a go.work uses. */
struct gosum *modset_sums(struct modset *s);

/* The sums of a module's files and of its go.mod as the cache has them; NULL:
 * it has them not. */
const char *modset_zip_sum(struct modset *s, const struct module_version *m);
const char *modset_mod_sum(struct modset *s, const struct module_version *m);

/* What go.sum has against using a module's files for a package, which importer
 * ("": the command line) imports; NULL: nothing.  A text that begins with
 * "verifying " is about the module. */
const char *modset_check(struct modset *s, struct modset_module *m,
    const char *path, const char *importer);

/* Looks whether the zips and folders of the modules that the build uses are as
 * they were fetched; a line for each that is not, none if all are. */
void modset_verify(struct modset *s, struct paths_list *bad);

/* The import path of a folder of a main module; NULL if it is in none. */
const char *modset_import_path(
    struct modset *s, const char *dir, struct modset_module **m);

#endif
