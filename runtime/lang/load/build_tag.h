/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_LANG_LOAD_BUILD_TAG_H
#define RUNTIME_LANG_LOAD_BUILD_TAG_H

/*
 * Which files of a directory belong to the program: by their names
 * (x_linux.go, x_windows_amd64.go) and by the //go:build line above the
 * package clause.  As in Go's go/build and go/build/constraint.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What holds besides linux, unix and go1.1 to the release. */
struct build_tags {
    unsigned minor; /* the release: 26 for go1.26 */
    bool no_arch;   /* amd64 does not hold, and no other processor does */
    bool any;       /* of a text: each tag but "ignore" is as it is wanted, so
                       that what belongs to some system fits */
    const char *const *more; /* ended by NULL */
};

/* Those of a program: the language's release, amd64, vole. */
extern const struct build_tags build_tags_program;

/* False for the name of a file (without its folder) of another system. */
bool build_name_fits(const struct build_tags *tags, const char *name);

enum build_fit {
    BUILD_FITS,
    BUILD_OTHER, /* the line excludes the file */
    BUILD_BAD    /* the line cannot be understood: *why says it */
};

/* What the //go:build line of a source text says; one without a line fits. */
enum build_fit build_text_fits(const struct build_tags *tags,
    const uint8_t *text, size_t n, const char **why);

/* The language's minor version that the //go:build line of a text asks for:
 * what it implies, as "go1.21" or "linux && go1.21" do.  0: nothing. */
unsigned build_text_version(const uint8_t *text, size_t n);

#endif
