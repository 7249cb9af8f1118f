/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_LANG_LOAD_BUILD_TAG_H
#define RUNTIME_LANG_LOAD_BUILD_TAG_H

/*
 * Which files of a directory belong to the program: by their names
 * (x_linux.go, x_windows_amd64.go) and by the //go:build line above the
 * package clause.  As in Go's go/build and go/build/constraint, with the tags
 * linux, amd64, unix, vole and go1.1 to the language's version.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* False for the name of a file (without its folder) of another system. */
bool build_name_fits(const char *name);

enum build_fit {
    BUILD_FITS,
    BUILD_OTHER, /* the line excludes the file */
    BUILD_BAD    /* the line cannot be understood: *why says it */
};

/* What the //go:build line of a source text says; one without a line fits. */
enum build_fit build_text_fits(
    const uint8_t *text, size_t n, const char **why);

#endif
