/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_LANG_SYNTAX_SCAN_INT_H
#define RUNTIME_LANG_SYNTAX_SCAN_INT_H

/* What scan.c (tokens), scan_lit.c (literals) and scan_dir.c (directives,
 * messages about characters) share. */

#include "runtime/lang/syntax/scan.h"

lang_pos scan_pos_at(const struct scan *s, const uint8_t *at);

/* What may be wrong with a byte; characters that no token begins with stand
 * for themselves. */
enum {
    SCAN_BAD_UTF8 = 1 << 24,
    SCAN_BAD_BOM,
    SCAN_BAD_NUL,
    SCAN_BAD_DIGIT,
    SCAN_BAD_IN_NAME = 1 << 25 /* and the character */
};

/*
 * Takes down that something is wrong at p; nonzero if it is the same as last
 * time, on the same line: nobody need hear that again, and a text may have
 * millions of them.
 */
int scan_said(struct scan *s, uint32_t what);

/*
 * Decodes the character at p, a byte >= 0x80, without moving; returns its
 * length.  Reports and skips a byte that is not UTF-8 and a byte order mark,
 * and returns 0.
 */
int scan_wide(struct scan *s, uint32_t *c);

/* With a NUL at p: at the end of the text returns 0; else reports and skips
 * it and returns 1. */
int scan_nul(struct scan *s);

/* scan_lit.c: p is at the first digit, or behind the `.` of `.5`. */
void scan_number(struct scan *s, int seen_dot);

/* p is behind the opening quote. */
void scan_string(struct scan *s);
void scan_raw_string(struct scan *s);
void scan_rune(struct scan *s);

/* "invalid character U+0040 '@'" and tail. */
void scan_bad_char(struct scan *s, lang_pos pos, uint32_t c,
    const char *tail);

/* "identifier cannot begin with digit U+0661 '...'". */
void scan_bad_digit(struct scan *s, lang_pos pos, uint32_t c);

/* c in single quotes, escaped where it cannot be printed; buf has 16 bytes. */
const char *scan_quote_char(uint32_t c, char *buf);

/* c as U+0040 '@'; buf has 32 bytes. */
const char *scan_unicode_char(uint32_t c, char *buf);

/* Looks for a directive in the comment [from, to). */
void scan_directive(struct scan *s, const uint8_t *from, const uint8_t *to,
    int block);

#endif
