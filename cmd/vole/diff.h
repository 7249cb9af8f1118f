/* SPDX-License-Identifier: MIT */
#ifndef CMD_VOLE_DIFF_H
#define CMD_VOLE_DIFF_H

#include <stdbool.h>
#include <stdio.h>

/*
 * Writes what is different between two texts as a unified diff with three
 * lines around each change, headed as the go command does it; nothing where
 * they are the same.  Lines that are there once in each text are matched
 * first, so that the time grows little faster than the texts.  False: out of
 * memory.
 */
bool diff_write(FILE *out, const char *old_name, const char *old,
    const char *new_name, const char *new);

#endif
