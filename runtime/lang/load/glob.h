/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_LANG_LOAD_GLOB_H
#define RUNTIME_LANG_LOAD_GLOB_H

/*
 * Patterns of file names as Go's path.Match has them: * any bytes but a slash,
 * ? one rune but a slash, [a-z] and [^a-z] one of a set or none of it, \ takes
 * the rune behind it as it is.
 */

#include <stdbool.h>

#include "runtime/lang/load/paths.h"

/* Can the pattern be understood? */
bool glob_valid(const char *pattern);

/* And each part between slashes by itself?  In F[/]x they cannot. */
bool glob_elements_valid(struct rt_arena *a, const char *pattern);

/* Does the valid pattern fit all of the name? */
bool glob_fits(const char *pattern, const char *name);

/* The names below the folder that the pattern fits, whose elements are valid, as
 * they are seen from there, sorted by their elements; hidden ones too. */
void glob_find(struct rt_arena *a, const char *dir, const char *pattern,
    struct paths_list *out);

#endif
