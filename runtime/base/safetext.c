/* SPDX-License-Identifier: MIT */
#include "runtime/base/safetext.h"

#include <stdbool.h>
#include <string.h>

#include "runtime/base/utf8.h"

/* Marks, embeddings and isolates of bidirectional text, and the two that end a
 * line. */
static bool
turns(int32_t r)
{
    return r == 0x200e || r == 0x200f || r == 0x061c ||
        (r >= 0x2028 && r <= 0x202e) || (r >= 0x2066 && r <= 0x2069);
}

size_t
rt_safe_char(const char *s, size_t n, char esc[RT_SAFE_ESC])
{
    const uint8_t *p = (const uint8_t *)s;
    int32_t r;
    unsigned w;

    esc[0] = '\0';
    if (*p >= 0x20 && *p < 0x7f)
        return 1;
    w = rt_utf8_decode(p, n, &r);
    if (w == 1)
        snprintf(esc, RT_SAFE_ESC, "\\x%02x", *p);
    else if (r < 0xa0)
        snprintf(esc, RT_SAFE_ESC, "\\x%02x", (unsigned)r);
    else if (turns(r))
        snprintf(esc, RT_SAFE_ESC, "\\u%04x", (unsigned)r);
    return w;
}

size_t
rt_json_char(const char *s, size_t n, char esc[RT_SAFE_ESC])
{
    size_t w = rt_safe_char(s, n, esc);

    if (*s == '"' || *s == '\\')
        snprintf(esc, RT_SAFE_ESC, "\\%c", *s);
    else if (w == 1 && (*s & 0x80) != 0)
        snprintf(esc, RT_SAFE_ESC, "\\ufffd");
    else if (esc[0] != '\0' && esc[1] == 'x')
        snprintf(esc, RT_SAFE_ESC, "\\u%04x",
            w == 1 ? (uint8_t)s[0] : (uint8_t)s[1]);
    return w;
}

char *
rt_safe_text(char *buf, size_t size, const char *s, size_t n)
{
    size_t i = 0, k = 0;

    while (i < n) {
        char esc[RT_SAFE_ESC];
        size_t w = rt_safe_char(s + i, n - i, esc);
        const char *from = *esc != '\0' ? esc : s + i;
        size_t len = *esc != '\0' ? strlen(esc) : w;

        if (k + len >= size)
            break;
        memcpy(buf + k, from, len);
        k += len;
        i += w;
    }
    buf[k] = '\0';
    return buf;
}

void
rt_safe_put(FILE *out, const char *s, size_t n)
{
    size_t i = 0, from = 0;

    while (i < n) {
        char esc[RT_SAFE_ESC];
        size_t w = rt_safe_char(s + i, n - i, esc);

        if (*esc != '\0' && s[i] != '\t') {
            fwrite(s + from, 1, i - from, out);
            fputs(esc, out);
            from = i + w;
        }
        i += w;
    }
    fwrite(s + from, 1, n - from, out);
}
