/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_LANG_SYNTAX_DIAG_H
#define RUNTIME_LANG_SYNTAX_DIAG_H

/*
 * The messages of one compilation.  Scanner, parser and checker report here;
 * the command prints.  As in Go's compiler there is at most one syntax error
 * per line, the same text is reported once per line, messages come out
 * sorted by position, and collecting stops at a limit (10), which the last
 * line `too many errors` tells.
 *
 * Once lang_diag_full() is true, further messages are dropped and a phase
 * should return as soon as it can.
 */

#include "runtime/lang/syntax/source.h"

#include <stdio.h>

enum { LANG_DIAG_LIMIT = 10 };

struct lang_msg {
    lang_pos pos;    /* 0 = no position */
    uint32_t seq;    /* order of arrival */
    const char *text; /* no trailing newline; further lines start with \t */
};

struct lang_diag {
    const struct lang_sources *src;
    struct lang_msg *msg;
    uint32_t nmsg;
    uint32_t cap;
    uint32_t limit;       /* 0 = none */
    uint8_t full;         /* the limit was reached, or: */
    uint8_t stopped;      /* by lang_diag_stop() */
    uint8_t sorted;
    uint8_t nomem;        /* a message was lost */
    lang_pos full_pos;    /* of the message that reached the limit */
    const char *syn_file; /* line of the last syntax error */
    uint32_t syn_line;
    uint32_t last;        /* index of the last message of lang_errf() */
    const char *last_file;
    uint32_t last_line;
};

/* limit: messages to keep, 0 = all.  src must outlive the diag. */
void lang_diag_init(struct lang_diag *d, const struct lang_sources *src,
    uint32_t limit);
void lang_diag_free(struct lang_diag *d);

/* Reports a message of the checker or scanner (no "syntax error: " in front);
 * the same text twice on one line counts once. */
void lang_errf(struct lang_diag *d, lang_pos pos, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/*
 * Reports a syntax error; the text begins with "syntax error: ".  Only the
 * first one of each line counts.
 */
void lang_syntax_errf(struct lang_diag *d, lang_pos pos, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

static inline int
lang_diag_full(const struct lang_diag *d)
{
    return d->full;
}

/* No further message is wanted. */
void lang_diag_stop(struct lang_diag *d);

/* True when anything was reported. */
static inline int
lang_diag_any(const struct lang_diag *d)
{
    return d->nmsg != 0 || d->nomem;
}

/* True when a syntax error was reported: the tree has holes. */
static inline int
lang_diag_syntax(const struct lang_diag *d)
{
    return d->syn_file != NULL || d->nomem;
}

/* Sorts the messages by position (stable).  Call before reading d->msg. */
void lang_diag_sort(struct lang_diag *d);

/*
 * Sorts, and writes "file:line:col: text" lines to out, then "too many
 * errors" with the place of the last message if the limit was reached.
 * Returns what ferror(out) says.
 */
int lang_diag_write(struct lang_diag *d, FILE *out);

#endif
