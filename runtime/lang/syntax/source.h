/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_LANG_SYNTAX_SOURCE_H
#define RUNTIME_LANG_SYNTAX_SOURCE_H

/*
 * All source files of one compilation in one table, so that a position is
 * one 32-bit number: file f covers the positions base(f) .. base(f)+size(f),
 * the last being its end of file.  Position 0 is "unknown".  Line and column
 * are recovered on demand; the table of line starts of a file is built at
 * the first question.  Two kinds of line exist: the physical one, and the one
 * a //line directive claims (Go prints the latter).
 *
 * Threads: none; one table belongs to one compilation.
 */

#include "runtime/base/err.h"

#include <stddef.h>
#include <stdbool.h>
#include <stdint.h>

struct rt_arena;

typedef uint32_t lang_pos;

/* The sum of the sizes of all files stays below this (2 GiB). */
#define LANG_SOURCE_MAX 0x7fffffffu

/* From a //line directive on: what it claims for the text that follows. */
struct lang_line_dir {
    uint32_t off;     /* first byte offset it holds for */
    uint32_t line;    /* the physical line of that offset, from 1 */
    const char *name; /* claimed file name, NUL-terminated */
    uint32_t as_line; /* claimed line of offset off */
    uint32_t as_col;  /* claimed column of off; 0 = columns not reported */
};

struct lang_file {
    const char *name;    /* as shown in messages; NUL-terminated */
    const uint8_t *text; /* size bytes, then one NUL byte */
    uint32_t size;
    lang_pos base;       /* position of the first byte */
    uint32_t index;      /* in lang_sources.file */
    uint16_t lang;       /* minor version of the language that it is written
                            in, 21 for Go 1.21; 0: the newest */
    bool lang_own;       /* its //go:build line says so, not the module */
    /* Private to source.c. */
    uint32_t *line;      /* offset of each line's first byte; NULL = not yet */
    uint32_t nline;
    struct lang_line_dir *dir;
    uint32_t ndir;
    uint32_t dir_cap;
    uint32_t last_line;  /* where the last look-up ended */
    uint8_t owns_text;
};

struct lang_sources {
    struct lang_file **file;
    uint32_t nfile;
    uint32_t cap;
    lang_pos next; /* base of the next file */
};

/* A position as people read it. */
struct lang_place {
    const char *file; /* "" = unknown position */
    uint32_t line;    /* from 1 */
    uint32_t col;     /* in bytes, from 1; 0 = not to be shown */
    bool directed;    /* file is what a //line directive says */
};

void lang_sources_init(struct lang_sources *s);

/* Frees the table, the line tables and the texts it owns. */
void lang_sources_free(struct lang_sources *s);

/*
 * Adds a text of size bytes; text[size] must be readable and NUL, and the
 * text must outlive the table.  The name is copied.  RT_ELIMIT when the total
 * would exceed LANG_SOURCE_MAX, RT_ENOMEM.
 */
enum rt_status lang_sources_add(struct lang_sources *s, const char *name,
    const uint8_t *text, size_t size, struct lang_file **out,
    struct rt_err *err);

/*
 * Reads the file at path ("-" is not special) and adds it under name.  The
 * table owns the text.  RT_EIO with the errno of the failed call; a directory
 * is an error.
 */
enum rt_status lang_sources_read(struct lang_sources *s, const char *name,
    const char *path, struct lang_file **out, struct rt_err *err);

/* The file that pos lies in; NULL for position 0 and beyond the table. */
struct lang_file *lang_pos_file(const struct lang_sources *s, lang_pos pos);

/* What a message shows for pos, //line directives applied. */
struct lang_place lang_pos_place(const struct lang_sources *s, lang_pos pos);

/* The same for many positions in a row: *near is the file of the last one, at
 * first NULL. */
struct lang_place lang_pos_place_near(
    const struct lang_sources *s, lang_pos pos, struct lang_file **near);

/* As lang_pos_place() without //line directives. */
struct lang_place lang_pos_physical(const struct lang_sources *s,
    lang_pos pos);

/*
 * Records a //line directive (the scanner calls it): text from offset off is
 * line as_line of file name.  A directive at or before the last one recorded
 * is ignored, so that a text may be scanned twice.  The name is not copied.
 */
enum rt_status lang_file_line_dir(struct lang_file *f, uint32_t off,
    const char *name, uint32_t as_line, uint32_t as_col);

#endif
