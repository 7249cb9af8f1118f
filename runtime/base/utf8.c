/* SPDX-License-Identifier: MIT */
#include "runtime/base/utf8.h"

#include <string.h>

static bool
is_cont(uint8_t b)
{
    return (b & 0xC0) == 0x80;
}

unsigned
rt_utf8_decode_slow(const uint8_t *s, size_t n, int32_t *r)
{
    uint8_t b = s[0];
    int32_t c;

    *r = RT_RUNE_ERROR;
    if (b < 0xC2 || b > 0xF4)
        return b < 0x80 ? (*r = b, 1) : 1;
    if (n < 2 || !is_cont(s[1]))
        return 1;
    if (b < 0xE0) {
        *r = (b & 0x1F) << 6 | (s[1] & 0x3F);
        return 2;
    }
    if (n < 3 || !is_cont(s[2]))
        return 1;
    if (b < 0xF0) {
        c = (b & 0x0F) << 12 | (s[1] & 0x3F) << 6 | (s[2] & 0x3F);
        if (c < 0x800 || !rt_rune_valid(c))
            return 1;
        *r = c;
        return 3;
    }
    if (n < 4 || !is_cont(s[3]))
        return 1;
    c = (b & 0x07) << 18 | (s[1] & 0x3F) << 12 | (s[2] & 0x3F) << 6 |
        (s[3] & 0x3F);
    if (c < 0x10000 || c > RT_RUNE_MAX)
        return 1;
    *r = c;
    return 4;
}

unsigned
rt_utf8_width(int32_t r)
{
    if (!rt_rune_valid(r))
        return 3;
    return r < 0x80 ? 1 : r < 0x800 ? 2 : r < 0x10000 ? 3 : 4;
}

unsigned
rt_utf8_encode(uint8_t out[4], int32_t r)
{
    if (!rt_rune_valid(r))
        r = RT_RUNE_ERROR;
    if (r < 0x80) {
        out[0] = (uint8_t)r;
        return 1;
    }
    if (r < 0x800) {
        out[0] = (uint8_t)(0xC0 | r >> 6);
        out[1] = (uint8_t)(0x80 | (r & 0x3F));
        return 2;
    }
    if (r < 0x10000) {
        out[0] = (uint8_t)(0xE0 | r >> 12);
        out[1] = (uint8_t)(0x80 | (r >> 6 & 0x3F));
        out[2] = (uint8_t)(0x80 | (r & 0x3F));
        return 3;
    }
    out[0] = (uint8_t)(0xF0 | r >> 18);
    out[1] = (uint8_t)(0x80 | (r >> 12 & 0x3F));
    out[2] = (uint8_t)(0x80 | (r >> 6 & 0x3F));
    out[3] = (uint8_t)(0x80 | (r & 0x3F));
    return 4;
}

/* Length of the prefix of s that is ASCII, in steps of eight bytes. */
static size_t
ascii_prefix(const uint8_t *s, size_t n)
{
    size_t i = 0;

    for (; n - i >= 8; i += 8) {
        uint64_t w;
        memcpy(&w, s + i, 8);
        if (w & UINT64_C(0x8080808080808080))
            break;
    }
    return i;
}

/* rt_utf8_decode(), without a call where two bytes are one rune: most letters
 * that are not of ASCII. */
static inline unsigned
decode(const uint8_t *s, size_t n, int32_t *r)
{
    if (n >= 2 && s[0] >= 0xC2 && s[0] < 0xE0 && is_cont(s[1])) {
        *r = (s[0] & 0x1F) << 6 | (s[1] & 0x3F);
        return 2;
    }
    return rt_utf8_decode(s, n, r);
}

size_t
rt_utf8_count(const uint8_t *s, size_t n)
{
    size_t i = ascii_prefix(s, n);
    size_t runes = i;
    int32_t r;

    for (; i < n; runes++)
        i += decode(s + i, n - i, &r);
    return runes;
}

size_t
rt_utf8_decode_all(const uint8_t *s, size_t n, int32_t *out)
{
    size_t runes = 0;

    for (size_t i = 0; i < n; runes++)
        i += decode(s + i, n - i, &out[runes]);
    return runes;
}
