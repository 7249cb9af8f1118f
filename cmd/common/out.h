/* SPDX-License-Identifier: MIT */
#ifndef CMD_COMMON_OUT_H
#define CMD_COMMON_OUT_H

/*
 * Text for people and for programs: numbers with units, aligned tables,
 * colour on terminals only, JSON.  Everything goes through a struct out,
 * which notices where output fails.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct out {
    FILE *f;
    bool colour; /* a terminal, and NO_COLOR is not set */
    bool utf8;   /* the locale can show more than ASCII */
    int width;   /* columns that a line should not exceed */
    bool nomem;  /* something was left out: out_finish() says so */
    int err;     /* errno of the first write that failed, or 0 */
};

/* Standard output. */
void out_init(struct out *o);

/* Writes out everything.  0 when all is well or the reader of a pipe has
 * gone away; else 1, after a message "prog: ...". */
int out_finish(struct out *o, const char *prog);

/* True when output has failed, so that long loops can end. */
bool out_failed(const struct out *o);

void out_printf(struct out *o, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* ---- colour; each is "" where there is none */

enum out_style { OUT_PLAIN, OUT_BOLD, OUT_DIM, OUT_RED, OUT_GREEN,
    OUT_YELLOW, OUT_CYAN };

const char *out_style(const struct out *o, enum out_style s);

/* ---- numbers, into the caller's buffer, which is returned */

enum { OUT_NUM = 32 };

/* "412 ns", "1.23 ms", "2.50 s", "3m05s". */
char *out_duration(const struct out *o, char *buf, int64_t ns);
/* The same for a moment on a ruler whose marks are step ns apart: with as many
 * digits as tell one mark from the next, such as "1.234567 s". */
char *out_moment(const struct out *o, char *buf, int64_t ns, int64_t step);
/* "96 B", "1.2 MB": powers of 1,024 as Go's tools. */
char *out_bytes(char *buf, uint64_t n);
/* "93,772". */
char *out_count(char *buf, uint64_t n);
/* "12.3 %"; "-" where whole is 0. */
char *out_share(char *buf, double part, double whole);

/* A bar of the given share of width cells, into buf (width * 3 + 1 bytes). */
char *out_bar(const struct out *o, char *buf, double share, int width);

/* ---- untrusted text */

/* Copies s, cut to what fits in size bytes, without anything that a terminal
 * would obey (runtime/base/safetext.h).  Returns buf. */
char *out_clean(char *buf, size_t size, const char *s, size_t len);

/* A message "prog: ..." on standard error, made safe in the same way: it may
 * quote a file and its name.  No newline in fmt. */
void out_tell(const char *prog, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* ---- paragraphs and tables, within o->width where that is possible */

/* Prints a text that fmt makes and a newline; lines after the first begin
 * after `rest` spaces. */
void out_fill(struct out *o, int rest, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

enum { OUT_COLS = 18 };

struct out_table {
    int ncols;
    char align[OUT_COLS];
    char **cells;          /* nrows * ncols, the header first */
    size_t nrows, cap;
    bool oom;
};

/*
 * Begins a table; align has one letter per column: l and r to the left and to
 * the right; to the left as well L, a text that may be cut, F, a name that
 * may be cut and keeps its end, and B, a bar that is left out, where the line
 * would be too long.  Where it still is, the columns are printed in several
 * blocks, each with column 0.
 */
void out_table_init(struct out_table *t, const char *align);

/* Adds a row of ncols texts, which are copied. */
void out_table_row(struct out_table *t, const char *const *cells);

/* Prints all rows, the first as the heading, each line after indent spaces,
 * and frees the table. */
void out_table_print(struct out *o, struct out_table *t, int indent);

/* Prints s in width cells: to the right of them, or to the left if width is
 * negative. */
void out_cell(struct out *o, const char *s, int width);

/* ---- JSON */

/* A string with quotes and escapes; bytes that are not UTF-8 become U+FFFD. */
void out_json_string(struct out *o, const char *s, size_t len);

#endif
