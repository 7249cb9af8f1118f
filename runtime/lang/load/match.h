/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_LANG_LOAD_MATCH_H
#define RUNTIME_LANG_LOAD_MATCH_H

#include <stdbool.h>

/* Does a pattern, in which "..." stands for any text, fit an import path?
 * "x/..." fits x, too. */
bool match_fits(const char *pattern, const char *path);

#endif
