/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_BASE_SAFETEXT_H
#define RUNTIME_BASE_SAFETEXT_H

/*
 * Texts that came from elsewhere, on their way to a terminal: names in traces
 * and profiles, names of files, messages that quote them.  What a terminal
 * would obey instead of showing (control characters, those of C1 too, and
 * what turns the direction of writing) and bytes that are no UTF-8 become
 * \xNN or \uNNNN; all else stays.
 */

#include <stddef.h>
#include <stdio.h>

enum { RT_SAFE_ESC = 12 };

/*
 * Looks at the first character of s (n > 0 bytes): returns how many bytes it
 * has, and in esc what to show in its place, "" where it may be shown itself.
 */
size_t rt_safe_char(const char *s, size_t n, char esc[RT_SAFE_ESC]);

/* The same for a character within a string of JSON: quotes and backslashes
 * have an escape as well, and bytes that are no UTF-8 are U+FFFD. */
size_t rt_json_char(const char *s, size_t n, char esc[RT_SAFE_ESC]);

/* Writes s to buf with all such characters replaced, NUL-terminated and cut
 * between characters to what fits in size bytes (> 0).  Returns buf. */
char *rt_safe_text(char *buf, size_t size, const char *s, size_t n);

/* The same to a file, not cut; tabs stay. */
void rt_safe_put(FILE *out, const char *s, size_t n);

#endif
