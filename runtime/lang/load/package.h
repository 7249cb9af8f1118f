/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_LANG_LOAD_PACKAGE_H
#define RUNTIME_LANG_LOAD_PACKAGE_H

/*
 * The files of a folder that make up a package: chosen by their names and
 * //go:build lines, sorted into those of the package, its tests and the tests
 * in a package of their own.  As in Go's go/build without cgo: a file that
 * imports "C" is left out.  Where assembly belongs to a package, the package
 * is taken without the processor, so that its portable files stand in; if these
 * are not enough (portable.h), with it.
 */

#include <stdbool.h>
#include <stddef.h>

#include "runtime/base/err.h"
#include "runtime/lang/load/paths.h"

enum package_role { PACKAGE_PLAIN, PACKAGE_TEST, PACKAGE_XTEST };

struct package_file {
    const char *name;    /* without its folder */
    const char *text;    /* text[len] is 0 */
    size_t len;
    const char *package; /* of its package clause; "" if it has none */
    enum package_role role;
};

struct package_files {
    const char *dir;
    struct package_file *at; /* sorted by name */
    unsigned n, cap;
    unsigned count[3]; /* by role */
    unsigned excluded; /* Go files that do not belong to it */
    bool assembly; /* there is some for this processor */
    const char *error; /* text of what is wrong with the folder, or NULL */
};

/* The tags that hold besides those of the system: those of vole, the last of
 * them "gc", and behind it what -tags names (separated by commas or blanks;
 * NULL: none). */
const char *const *package_tags(
    struct rt_arena *a, const char *flag, bool race);

/* What else is wanted of a folder. */
enum {
    PACKAGE_TESTS = 1,    /* one of tests alone is a package, too */
    PACKAGE_PATCHED = 2,  /* its assembly is not missed: a patch has Go in
                             place of it */
    PACKAGE_STD = 4       /* it is of Go's own library, which means by "purego"
                             what vole does: it holds everywhere */
};

/*
 * Reads a folder; f->error says, in Go's words, why it is no package: it has
 * no Go files, all are excluded, several packages are in it, a line cannot be
 * understood.  RT_EIO: the folder cannot be read.  The arena's nomem must be
 * set.
 */
enum rt_status package_read(struct rt_arena *a, const char *dir,
    const char *const *tags, unsigned wanted, struct package_files *f,
    struct rt_err *err);

/* Reads one file whatever it says of where it belongs. */
enum rt_status package_read_file(struct rt_arena *a, const char *path,
    struct package_file *f, struct rt_err *err);

#endif
