/* SPDX-License-Identifier: MIT */
#ifndef CMD_VOLE_TEST_COVER_H
#define CMD_VOLE_TEST_COVER_H

/*
 * vole test -cover: the profile of many packages in one file.  Each process
 * writes its own into a temporary folder.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "runtime/vole.h"

struct test_child_flags;

/* As on the command line. */
struct test_cover_flags {
    bool on;
    const char *mode, *profile, *pkg;
};

struct test_cover {
    FILE *out;          /* the profile, NULL without -coverprofile */
    const char *name;   /* its */
    char dir[64];       /* of those of the packages; "" without */
    char *pkgs, *in;    /* -coverpkg as import paths, and as it was given */
};

/* Whether anything is to be measured, which other flags than -cover say too. */
bool test_cover_on(const struct test_cover_flags *f);

/*
 * Sets what the processes of packages are told, and begins the profile in dir;
 * *c is zero.  False: it was reported.  opt is for finding packages.
 */
bool test_cover_begin(struct test_cover *c, const struct test_cover_flags *f,
    const char *dir, const struct vole_options *opt,
    struct test_child_flags *child);

/* The argument by which the program of the package of that number writes its
 * profile, to be freed; NULL without a profile.  False, with errno: no memory. */
bool test_cover_file(
    const struct test_cover *c, unsigned number, char **argument);

/* Adds the profile that it has written, if it has.  Not `ran`: nothing was to
 * be tested, and what initialisers have executed does not count. */
void test_cover_add(struct test_cover *c, unsigned number, bool ran);

/* The profile is whole: false if it could not be written, which is reported. */
bool test_cover_end(struct test_cover *c);

/* What a package's process said of its coverage, "coverage: 5.0% of
 * statements": *n bytes of its output; NULL if it said nothing. */
const char *test_cover_said(const char *text, size_t len, size_t *n);

#endif
