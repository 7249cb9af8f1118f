/* SPDX-License-Identifier: MIT */
#ifndef PROFILE_READ_PSOURCE_H
#define PROFILE_READ_PSOURCE_H

/*
 * Source files, found from the names that profiles carry, and their lines.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/err.h"

/*
 * The part of a file's name that is looked for: without one of the prefixes
 * in trim_path (separated by ':'); if there are none (NULL or ""), without
 * everything up to the last component of a folder in source_path, so that
 * /build/project/x.go is x.go below /home/me/project.  Points into path.
 */
const char *psource_trim(const char *path, const char *trim_path,
    const char *source_path);

/* The shortest equal path: no "//", "/./", "a/..".  From malloc; NULL without
 * memory. */
char *psource_clean(const char *path);

struct psource {
    char *text;
    size_t size;
    size_t *line; /* where line i begins, 1 <= i <= nlines; and the end */
    size_t nlines;
};

/*
 * Reads a source file: at its own path if that is absolute and exists, else
 * trimmed, below the folders of source_path (NULL: the current one) and their
 * parents.  RT_EIO with what was looked for, RT_ELIMIT for one of more than
 * 64 MiB, RT_ENOMEM.
 */
enum rt_status psource_open(struct psource *s, const char *path,
    const char *trim_path, const char *source_path, struct rt_err *e);

/* Line i without its end; *n is its length.  NULL beyond the last one. */
const char *psource_line(const struct psource *s, int64_t i, size_t *n);

void psource_close(struct psource *s);

#endif
