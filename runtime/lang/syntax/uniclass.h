/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_LANG_SYNTAX_UNICLASS_H
#define RUNTIME_LANG_SYNTAX_UNICLASS_H

/*
 * The character classes that Go's lexical rules name, and UTF-8.  Unicode
 * 15.0, the version of today's Go.
 */

#include <stdint.h>

#include "runtime/base/utf8.h"

/* Category L without "_". */
int lang_is_letter(uint32_t c);

/* Category Nd. */
int lang_is_digit(uint32_t c);

/* Category Lu: what makes a name exported. */
int lang_is_upper(uint32_t c);

/*
 * Decodes one character at p, which is followed by at least one byte that is
 * no continuation byte (the NUL behind a text).  Returns its length 1..4, or
 * 0 if the bytes are not valid UTF-8 (too long, surrogate, > U+10FFFF).  Apart
 * from rt_utf8_decode() because of these two conventions.
 */
int lang_utf8_decode(const uint8_t *p, uint32_t *c);

/* Writes c, which is valid, as UTF-8 to out; returns the length 1..4. */
static inline int
lang_utf8_encode(uint32_t c, char out[4])
{
    return (int)rt_utf8_encode((uint8_t *)out, (int32_t)c);
}

#endif
