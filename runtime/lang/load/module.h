/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_LANG_LOAD_MODULE_H
#define RUNTIME_LANG_LOAD_MODULE_H

/*
 * What go.mod and go.work say.  The grammar is that of Go's reference of
 * modules; the messages are Go's.  All memory is the arena's (paths.h says
 * what that means); the texts need not stay.
 */

#include <stdbool.h>
#include <stddef.h>

#include "runtime/base/err.h"

struct rt_arena;

/* A module of a version; "" where any version or none is meant. */
struct module_version {
    const char *path;
    const char *version;
};

struct module_require {
    struct module_version mod;
    bool indirect;
};

struct module_replace {
    struct module_version old;
    struct module_version by; /* a folder if it has no version */
    const char *root; /* that the folder is relative to */
};

/* Versions that should not be used, both ends included. */
struct module_retract {
    const char *low, *high;
    const char *why; /* comments above and behind, or those of the block */
};

/* The lists end with n; zero where there is no such directive. */
struct module_file {
    const char *path;      /* of the module; NULL: none is named */
    const char *go;        /* "1.22"; NULL: no such line */
    const char *toolchain; /* or NULL */
    struct module_require *require;
    struct module_replace *replace;
    struct module_version *exclude;
    struct module_retract *retract;
    const char **tool, **ignore, **use, **godebug;
    unsigned nrequire, nreplace, nexclude, nretract, ntool, nignore, nuse,
        ngodebug;
};

enum module_kind {
    MODULE_MAIN, /* the go.mod of the program: strict */
    MODULE_DEP,  /* that of a dependency: what it does not know is nothing,
                    replace and exclude are not its business */
    MODULE_WORK  /* a go.work */
};

/*
 * Reads the text; `name` is what messages call the file.  RT_EFORMAT: *errors
 * has a line for each mistake, "go.mod:3: unknown directive: x".
 */
enum rt_status module_parse(struct rt_arena *a, const char *name,
    const char *text, size_t len, enum module_kind kind,
    struct module_file *out, const char **errors);

/* The language's minor version that the file asks for: 16 where it says
 * nothing, as in Go. */
unsigned module_minor(const struct module_file *m);

#endif
