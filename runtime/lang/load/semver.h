/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_LANG_LOAD_SEMVER_H
#define RUNTIME_LANG_LOAD_SEMVER_H

/*
 * Versions of modules: "v1.2.3", "v1.2.3-pre.1+build", ordered as on
 * semver.org; and those of the language, "1.21", "1.22rc1", "1.22.3".
 */

#include <stdbool.h>

/* Is it vMAJOR.MINOR.PATCH with or without what may follow? */
bool semver_valid(const char *v);

/* Less than, equal to or greater than 0 as a is older than, the same as or
 * newer than b.  What is no version is older than all that are. */
int semver_compare(const char *a, const char *b);

/* Is it "1.N", with or without a patch or a pre-release? */
bool semver_go_valid(const char *v);

/* The N of such a version; 0 if it is none. */
unsigned semver_go_minor(const char *v);

/* As semver_compare(), of versions of the language: 1.21 < 1.21rc1 < 1.21.0;
 * before 1.21, 1.20rc1 < 1.20 = 1.20.0. */
int semver_go_compare(const char *a, const char *b);

/* Is it a version before a release? */
bool semver_prerelease(const char *v);

/* Is it one that names a revision, "v0.0.0-20191109021931-daa7c04131f5"? */
bool semver_pseudo(const char *v);

/* The first version of the module path: "/v2", ".v3" of gopkg.in; 0 where the
 * path has none of them and versions are v0 and v1. */
unsigned semver_path_major(const char *path);

/* Does the version belong to a module with that path?  +incompatible ones
 * belong to paths without a major version. */
bool semver_fits_path(const char *v, const char *path);

#endif
