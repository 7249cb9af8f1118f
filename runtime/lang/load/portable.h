/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_LANG_LOAD_PORTABLE_H
#define RUNTIME_LANG_LOAD_PORTABLE_H

/*
 * Whether a package is whole without its processor.  Most packages with
 * assembly have files in Go that stand in for it on other processors.  Some
 * have none: their assembly is only a part, and the files that go with it
 * declare what all others need.  The texts tell these apart without being
 * parsed: a name that only a file for the processor declares, with a body if it
 * is a function, is used in one that is for all.
 */

#include <stdbool.h>
#include <stddef.h>

struct rt_arena;

/* text[len] is 0. */
struct portable_text {
    const char *text;
    size_t len;
};

/* Whether none of the texts in kept uses what only those in left declare. */
bool portable_is_whole(struct rt_arena *a, const struct portable_text *kept,
    unsigned nkept, const struct portable_text *left, unsigned nleft);

#endif
