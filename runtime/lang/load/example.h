/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_LANG_LOAD_EXAMPLE_H
#define RUNTIME_LANG_LOAD_EXAMPLE_H

/*
 * The output that an example promises: the last comment of its body, wherever
 * that stands, if its text begins with "Output:" or "Unordered output:".
 */

#include <stdbool.h>
#include <stddef.h>

struct rt_arena;

/*
 * The text between the braces of an example, from begin to end.  Returns what
 * the example must print, in the arena; NULL if it says nothing about that.
 * Sets *unordered if the order of the lines does not matter.
 */
const char *example_output(struct rt_arena *a, const char *begin,
    const char *end, bool *unordered);

#endif
