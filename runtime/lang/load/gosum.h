/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_LANG_LOAD_GOSUM_H
#define RUNTIME_LANG_LOAD_GOSUM_H

/*
 * go.sum: a line for each module's files, "path version h1:...", and for its
 * go.mod, "path version/go.mod h1:...".  A sum is over the sums of the files
 * by name.  All memory is the arena's, whose nomem must be set.
 */

#include <stdint.h>

#include "runtime/lang/load/module.h"
#include "runtime/lang/load/paths.h"
#include "runtime/lang/load/unzip.h"

struct gosum {
    const char *path;        /* of the file that gosum_save() writes */
    struct paths_list lines; /* of all files that were read */
    struct paths_list added;
};

/* Adds the lines of a file; nothing if there is none. */
void gosum_read(struct rt_arena *a, struct gosum *s, const char *path);

/* The sum that is known, NULL if there is none; `mod`: of the go.mod. */
const char *gosum_find(struct rt_arena *a, const struct gosum *s,
    const struct module_version *m, bool mod);

/* Adds a sum that was not known. */
void gosum_add(struct rt_arena *a, struct gosum *s,
    const struct module_version *m, bool mod, const char *sum);

/* What is said where a sum is not that of go.sum. */
const char *gosum_mismatch(struct rt_arena *a, const struct module_version *m,
    bool mod, const char *have, const char *want);

/* The sum of the files in a folder, as if they were a zip's entries below
 * prefix; NULL: one cannot be read, errno says why. */
const char *gosum_of_dir(
    struct rt_arena *a, const char *dir, const char *prefix);

/* Puts lines into the order of the go command. */
void gosum_sort(struct paths_list *l);

/* Writes these lines. */
enum rt_status gosum_write(struct rt_arena *a, const char *path,
    const struct paths_list *lines, struct rt_err *err);

/* Writes the file again, sorted, if something was added. */
enum rt_status gosum_save(
    struct rt_arena *a, struct gosum *s, struct rt_err *err);

/* The sum of a go.mod, "h1:...". */
const char *gosum_of_mod(struct rt_arena *a, const void *text, size_t len);

/* The sum of a zip's entries; NULL: one is damaged, err says which. */
const char *gosum_of_zip(struct rt_arena *a, const struct unzip_entry *e,
    unsigned n, struct rt_err *err);

#endif
