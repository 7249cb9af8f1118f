/* SPDX-License-Identifier: MIT */
#ifndef PROFILE_READ_PLIST_H
#define PROFILE_READ_PLIST_H

/*
 * The source lines of functions, each with what it cost.
 */

#include "profile/read/preport.h"

struct plist_line {
    int64_t line, flat, cum;
    const char *text; /* not NUL-terminated; NULL without source */
    size_t len;
};

struct plist_func {
    const char *name, *file;  /* file is "" if the profile does not say */
    int64_t flat, cum;        /* sums of the lines' */
    const char *error;        /* why there is no source, or NULL */
    const struct plist_line *lines; /* around those with a value; without
                                       source only these */
    size_t nlines;
};

/*
 * Calls fn for each function (in each of its files) whose name matches the
 * report's symbol, by name and file.  RT_EFORMAT with a message where none
 * does or the expression is bad; a missing source file is no error.
 */
enum rt_status plist_each(struct preport *r,
    void (*fn)(void *arg, const struct plist_func *x), void *arg,
    struct rt_err *e);

#endif
