/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_LANG_LOAD_COVER_H
#define RUNTIME_LANG_LOAD_COVER_H

/*
 * Coverage of tests: counters in the sources of packages, one for each run of
 * statements that are executed together, as those of `go tool cover`.
 */

#include <stdbool.h>
#include <stdint.h>

#include "runtime/base/arena.h"
#include "runtime/lang/syntax/parse.h"

enum cover_mode { COVER_OFF, COVER_SET, COVER_COUNT, COVER_ATOMIC };

/* Statements between two places in a file, whose lines and columns count from
 * 1. */
struct cover_block {
    uint32_t line, col, to_line, to_col;
    uint32_t nstmt;
};

struct cover_file {
    const char *name; /* without its folder */
    uint32_t first;   /* its first counter's number in the package */
    uint32_t n;
    struct cover_block *blocks; /* that many, in the order of counters */
};

/*
 * The text of a file with counters, of which the first has the number
 * f->first; fills in the rest of *f.  No line begins elsewhere.  `tree` is what
 * the text was parsed to without errors.  The arena's nomem must be set.
 */
const char *cover_text(struct rt_arena *a, struct parse_ctx *parse,
    const struct ast_file *tree, enum cover_mode mode, struct cover_file *f,
    size_t *len);

/* The file that declares n counters for a package of that name. */
const char *cover_counters(struct rt_arena *a, const char *package,
    enum cover_mode mode, uint32_t n);

/* Adds block i as an element of Go's []testing.CoverBlock:
 * "{6, 7, 19, 11, 1}, ". */
void cover_add_block(struct rt_arena *a, struct rt_arena_text *t,
    const struct cover_file *f, unsigned i);

#endif
