/* SPDX-License-Identifier: MIT */
#include "runtime/lib/support/quote.h"

#include "runtime/lib/unicode/unicode.h"
#include "runtime/lib/support/utf8.h"

bool
quote_is_graphic(int32_t r)
{
    if (uni_is_print(r))
        return true;
    return r == 0xa0 || r == 0x1680 || (r >= 0x2000 && r <= 0x200a) ||
           r == 0x202f || r == 0x205f || r == 0x3000;
}

static char *
put_hex(char *p, char letter, uint32_t v, int width)
{
    *p++ = '\\';
    *p++ = letter;
    while (width-- > 0)
        *p++ = "0123456789abcdef"[v >> (4 * width) & 15];
    return p;
}

static bool
may_stand(int32_t r, enum quote_mode mode)
{
    if (mode == QUOTE_ASCII)
        return r < 0x80 && uni_is_print(r);
    return mode == QUOTE_GRAPHIC ? quote_is_graphic(r) : uni_is_print(r);
}

static char *
put_rune(char *p, int32_t r, char q, enum quote_mode mode)
{
    static const char letters[] = "abtnvfr"; /* from \a (7) to \r (13) */

    if (r == q || r == '\\') {
        *p++ = '\\';
        *p++ = (char)r;
        return p;
    }
    if (may_stand(r, mode))
        return p + lib_utf8_encode((uint8_t *)p, r);
    if (r >= 7 && r <= 13) {
        *p++ = '\\';
        *p++ = letters[r - 7];
        return p;
    }
    if ((r >= 0 && r < ' ') || r == 0x7f)
        return put_hex(p, 'x', (uint32_t)r, 2);
    if (lib_utf8_len(r) < 0)
        r = UTF8_ERROR;
    return put_hex(p, r < 0x10000 ? 'u' : 'U', (uint32_t)r, r < 0x10000 ? 4 : 8);
}

size_t
quote_string(char *out, const char *s, size_t n, char q, enum quote_mode mode)
{
    char *p = out;

    *p++ = q;
    while (n > 0) {
        int32_t r;
        size_t len =
            (size_t)lib_utf8_decode((const uint8_t *)s, (int64_t)n, &r);

        if (len == 1 && r == UTF8_ERROR)
            p = put_hex(p, 'x', (unsigned char)*s, 2);
        else
            p = put_rune(p, r, q, mode);
        s += len;
        n -= len;
    }
    *p++ = q;
    return (size_t)(p - out);
}

size_t
quote_rune(char *out, int32_t r, enum quote_mode mode)
{
    char *p = out;

    if (lib_utf8_len(r) < 0)
        r = UTF8_ERROR;
    *p++ = '\'';
    p = put_rune(p, r, '\'', mode);
    *p++ = '\'';
    return (size_t)(p - out);
}
