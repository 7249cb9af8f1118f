/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_LANG_LOAD_MODFILE_INT_H
#define RUNTIME_LANG_LOAD_MODFILE_INT_H

/*
 * The text of a go.mod in parts.  Comments are where they belong to: "before"
 * a line (with "" for an empty line above it in a block), or its "suffix".  A
 * line that is removed has no words until modfile_clean() drops it.
 */

#include "runtime/lang/load/modfile.h"
#include "runtime/lang/load/paths.h"

struct line {
    struct paths_list word; /* none: removed */
    struct paths_list before, suffix;
    bool in_block;
};

struct lines {
    struct line **at;
    unsigned n, cap;
};

enum stmt_kind { COMMENTS, LINE, BLOCK };

struct stmt {
    enum stmt_kind kind;
    struct line *line;        /* of LINE */
    struct paths_list word;   /* of BLOCK: before "(" */
    struct paths_list before; /* of COMMENTS and BLOCK */
    struct paths_list suffix; /* of BLOCK, behind the ")" */
    struct paths_list open;   /* of BLOCK, behind the "(" */
    struct paths_list close;  /* of BLOCK, above the ")" */
    struct lines lines;
};

struct modfile {
    struct rt_arena *a;
    struct stmt **at;
    unsigned n, cap;
};

/* Puts a statement where f->at[at] is. */
void modfile_insert(struct modfile *f, unsigned at, struct stmt *x);

/* Appends a line to a block's. */
void modfile_push(struct modfile *f, struct lines *l, struct line *x);

/* Drops the lines without words and the blocks without lines; a block of one
 * line becomes a line. */
void modfile_clean(struct modfile *f);

struct stmt *modfile_stmt(struct modfile *f, enum stmt_kind kind);

#endif
