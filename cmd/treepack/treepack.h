/* SPDX-License-Identifier: MIT */
#ifndef CMD_TREEPACK_TREEPACK_H
#define CMD_TREEPACK_TREEPACK_H

#include <stddef.h>

/*
 * Copies Go source without its comments; lines stay where they are, and
 * directives (//go:...) as they are.  The text must be a right one; `out` has
 * room for n bytes.  How many were written.
 */
size_t treepack_strip(const char *text, size_t n, char *out);

#endif
