/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_LIB_SUPPORT_QUOTE_H
#define RUNTIME_LIB_SUPPORT_QUOTE_H

/*
 * Go's quoted strings and runes, by the rules of strconv.Quote and its
 * family. Pure functions on buffers of the caller, as in numtext.h.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Which characters may stand unescaped. */
enum quote_mode {
    QUOTE_PRINT = 0,  /* those of uni_is_print() */
    QUOTE_ASCII = 1,  /* printable ASCII only */
    QUOTE_GRAPHIC = 2 /* printable ones, and Unicode spaces */
};

/* strconv.IsGraphic; strconv.IsPrint is uni_is_print(). */
bool quote_is_graphic(int32_t r);

/*
 * Writes s[0:n] between two bytes q (a quotation mark) into out, escaped by
 * mode. out needs quote_room(n) bytes. Returns the number written.
 */
size_t quote_string(
    char *out, const char *s, size_t n, char q, enum quote_mode mode);

static inline size_t
quote_room(size_t n)
{
    /* Every byte may become \xNN; a rune of four bytes \UNNNNNNNN. */
    return 4 * n + 2;
}

/* Writes the rune r between single quotes into out (14 bytes). */
size_t quote_rune(char *out, int32_t r, enum quote_mode mode);

#endif
