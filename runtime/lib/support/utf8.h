/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_LIB_SUPPORT_UTF8_H
#define RUNTIME_LIB_SUPPORT_UTF8_H

/*
 * UTF-8 for the natives, with the rules of Go's unicode/utf8: an invalid
 * sequence decodes as U+FFFD of length 1; surrogates and overlong forms are
 * invalid.
 */

#include <stdbool.h>
#include <stdint.h>

#define UTF8_ERROR 0xFFFD
#define UTF8_MAX_RUNE 0x10FFFF

/* Decodes the first rune of the n > 0 bytes at p into *r; returns its length. */
static inline int
lib_utf8_decode(const uint8_t *p, int64_t n, int32_t *r)
{
    uint32_t c = p[0];
    if (c < 0x80) {
        *r = (int32_t)c;
        return 1;
    }
    *r = UTF8_ERROR;
    if (c < 0xC2 || c > 0xF4 || n < 2 || (p[1] & 0xC0) != 0x80)
        return 1;
    if (c < 0xE0) {
        *r = (int32_t)((c & 0x1F) << 6 | (p[1] & 0x3Fu));
        return 2;
    }
    if (n < 3 || (p[2] & 0xC0) != 0x80)
        return 1;
    if (c < 0xF0) {
        uint32_t v = (c & 0x0F) << 12 | (p[1] & 0x3Fu) << 6 | (p[2] & 0x3Fu);
        if (v < 0x800 || (v >= 0xD800 && v < 0xE000))
            return 1;
        *r = (int32_t)v;
        return 3;
    }
    if (n < 4 || (p[3] & 0xC0) != 0x80)
        return 1;
    uint32_t v = (c & 0x07) << 18 | (p[1] & 0x3Fu) << 12 |
        (p[2] & 0x3Fu) << 6 | (p[3] & 0x3Fu);
    if (v < 0x10000 || v > UTF8_MAX_RUNE)
        return 1;
    *r = (int32_t)v;
    return 4;
}

/* Decodes the last rune of the n > 0 bytes at p into *r; returns its length. */
static inline int
lib_utf8_decode_last(const uint8_t *p, int64_t n, int32_t *r)
{
    if (p[n - 1] < 0x80) {
        *r = p[n - 1];
        return 1;
    }
    int64_t lim = n > 4 ? n - 4 : 0;
    for (int64_t i = n - 2; i >= lim; i--) {
        if ((p[i] & 0xC0) != 0x80) {
            int size = lib_utf8_decode(p + i, n - i, r);
            if (i + size == n)
                return size;
            break;
        }
    }
    *r = UTF8_ERROR;
    return 1;
}

/* The length of r's encoding, -1 if it has none. */
static inline int
lib_utf8_len(int32_t r)
{
    if (r < 0)
        return -1;
    if (r < 0x80)
        return 1;
    if (r < 0x800)
        return 2;
    if (r < 0x10000)
        return r >= 0xD800 && r < 0xE000 ? -1 : 3;
    return r <= UTF8_MAX_RUNE ? 4 : -1;
}

/* Writes r, U+FFFD if it is invalid, to p (room for 4); returns the length. */
static inline int
lib_utf8_encode(uint8_t *p, int32_t r)
{
    switch (lib_utf8_len(r)) {
    case 1:
        p[0] = (uint8_t)r;
        return 1;
    case 2:
        p[0] = (uint8_t)(0xC0 | r >> 6);
        p[1] = (uint8_t)(0x80 | (r & 0x3F));
        return 2;
    case 4:
        p[0] = (uint8_t)(0xF0 | r >> 18);
        p[1] = (uint8_t)(0x80 | (r >> 12 & 0x3F));
        p[2] = (uint8_t)(0x80 | (r >> 6 & 0x3F));
        p[3] = (uint8_t)(0x80 | (r & 0x3F));
        return 4;
    case -1:
        r = UTF8_ERROR;
        break;
    }
    p[0] = (uint8_t)(0xE0 | r >> 12);
    p[1] = (uint8_t)(0x80 | (r >> 6 & 0x3F));
    p[2] = (uint8_t)(0x80 | (r & 0x3F));
    return 3;
}

/* The number of runes in the n bytes at p. */
int64_t lib_utf8_count(const uint8_t *p, int64_t n);

/* Whether the n bytes at p are valid UTF-8. */
bool lib_utf8_valid(const uint8_t *p, int64_t n);

#endif
