/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_BASE_UTF8_H
#define RUNTIME_BASE_UTF8_H

/* UTF-8 with the rules of Go: a byte that begins no valid encoding counts as
 * one rune U+FFFD of width 1; surrogates and values above U+10FFFF have no
 * encoding. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RT_RUNE_ERROR ((int32_t)0xFFFD)
#define RT_RUNE_MAX   ((int32_t)0x10FFFF)

/* As rt_utf8_decode() for a first byte of 0x80 and above. */
unsigned rt_utf8_decode_slow(const uint8_t *s, size_t n, int32_t *r);

/* Decodes the first rune of s (n > 0 bytes) and returns its width. */
static inline unsigned
rt_utf8_decode(const uint8_t *s, size_t n, int32_t *r)
{
    if (s[0] < 0x80) {
        *r = s[0];
        return 1;
    }
    return rt_utf8_decode_slow(s, n, r);
}

/* Writes r, or U+FFFD where r is no rune; returns the width, 1 to 4. */
unsigned rt_utf8_encode(uint8_t out[4], int32_t r);

/* Bytes that rt_utf8_encode() writes for r. */
unsigned rt_utf8_width(int32_t r);

/* True for what may be encoded. */
static inline bool
rt_rune_valid(int32_t r)
{
    return (r >= 0 && r < 0xD800) || (r > 0xDFFF && r <= RT_RUNE_MAX);
}

/* Number of runes in s. */
size_t rt_utf8_count(const uint8_t *s, size_t n);

/* The runes of s, for which there is room: n is enough; how many. */
size_t rt_utf8_decode_all(const uint8_t *s, size_t n, int32_t *out);

#endif
