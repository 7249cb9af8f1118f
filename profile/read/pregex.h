/* SPDX-License-Identifier: MIT */
#ifndef PROFILE_READ_PREGEX_H
#define PROFILE_READ_PREGEX_H

/*
 * Regular expressions as pprof's users write them, Go's syntax, on top of
 * POSIX extended ones: \d \w \s \b, classes such as [\w.], (?:...), (?i) in
 * front, lazy repetition (which matches the same texts), \Q...\E.  What has
 * no counterpart (named groups, \p{...}, flags inside) is refused.
 *
 * Expressions may come from a profile: their length, nesting and counted
 * repetition are limited, back references do not exist.
 */

#include <regex.h>
#include <stdbool.h>

#include "runtime/base/err.h"

struct pregex {
    regex_t re;
    bool set; /* compiled; an unset one matches nothing */
};

/* Compiles text; "" and NULL leave *r unset.  RT_EFORMAT with a message that
 * begins with the name of the option, RT_ENOMEM. */
enum rt_status pregex_compile(struct pregex *r, const char *option,
    const char *text, struct rt_err *e);

/* As pregex_compile() for "^(text)$". */
enum rt_status pregex_compile_whole(struct pregex *r, const char *option,
    const char *text, struct rt_err *e);

/* Whether the text contains a match. */
bool pregex_match(const struct pregex *r, const char *text);

void pregex_free(struct pregex *r);

#endif
