/* SPDX-License-Identifier: MIT */

/* Integers to text and back. */
#include "runtime/num/numtext.h"

#include <string.h>

#include "runtime/num/numtext_int.h"

size_t
num_format_uint(char *out, uint64_t u, bool neg, int base)
{
    char tmp[NUM_UINT_ROOM];
    size_t i = sizeof tmp;

    if (base == 10) {
        for (; u >= 100; u /= 100) {
            unsigned two = (unsigned)(u % 100);

            tmp[--i] = (char)('0' + two % 10);
            tmp[--i] = (char)('0' + two / 10);
        }
        if (u >= 10) {
            tmp[--i] = (char)('0' + u % 10);
            u /= 10;
        }
        tmp[--i] = (char)('0' + u);
    } else {
        unsigned b = (unsigned)base;
        do {
            tmp[--i] = "0123456789abcdefghijklmnopqrstuvwxyz"[u % b];
            u /= b;
        } while (u != 0);
    }
    if (neg)
        tmp[--i] = '-';
    memcpy(out, tmp + i, sizeof tmp - i);
    return sizeof tmp - i;
}

bool
num_underscores_ok(const char *s, size_t n)
{
    char last = '^'; /* kind of the byte before: ^ start, 0 digit, _, ! other */
    size_t i = 0;
    bool hex = false;

    if (n >= 1 && (s[0] == '-' || s[0] == '+'))
        i++;
    if (n - i >= 2 && s[i] == '0' &&
        (num_lower(s[i + 1]) == 'b' || num_lower(s[i + 1]) == 'o' ||
            num_lower(s[i + 1]) == 'x')) {
        hex = num_lower(s[i + 1]) == 'x';
        i += 2;
        last = '0';
    }
    for (; i < n; i++) {
        char c = s[i];

        if ((c >= '0' && c <= '9') ||
            (hex && num_lower(c) >= 'a' && num_lower(c) <= 'f')) {
            last = '0';
        } else if (c == '_') {
            if (last != '0')
                return false;
            last = '_';
        } else {
            if (last == '_')
                return false;
            last = '!';
        }
    }
    return last != '_';
}

int
num_digit_value(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c = num_lower(c);
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 10;
    return 99;
}

enum num_code
num_parse_uint(
    const char *s, size_t n, int64_t base, int64_t bits, uint64_t *out)
{
    const char *all = s;
    size_t all_n = n, i;
    bool auto_base = base == 0, underscores = false;
    uint64_t limit, v = 0;

    *out = 0;
    if (n == 0)
        return NUM_SYNTAX;
    if (base == 0) {
        base = 10;
        if (s[0] == '0') {
            size_t skip = 2;
            char c = n >= 3 ? num_lower(s[1]) : 0;

            if (c == 'b')
                base = 2;
            else if (c == 'o')
                base = 8;
            else if (c == 'x')
                base = 16;
            else
                base = 8, skip = 1;
            s += skip;
            n -= skip;
        }
    } else if (base < 2 || base > 36) {
        return NUM_BASE;
    }
    if (bits == 0)
        bits = 64;
    else if (bits < 0 || bits > 64)
        return NUM_BITS;
    limit = bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;

    for (i = 0; i < n; i++) {
        int d;

        if (s[i] == '_' && auto_base) {
            underscores = true;
            continue;
        }
        d = num_digit_value(s[i]);
        if (d >= base)
            return NUM_SYNTAX;
        if (__builtin_mul_overflow(v, (uint64_t)base, &v) ||
            __builtin_add_overflow(v, (uint64_t)d, &v) || v > limit) {
            *out = limit;
            return NUM_RANGE;
        }
    }
    if (underscores && !num_underscores_ok(all, all_n))
        return NUM_SYNTAX;
    *out = v;
    return NUM_OK;
}

enum num_code
num_parse_int(const char *s, size_t n, int64_t base, int64_t bits, int64_t *out)
{
    bool neg = false;
    uint64_t u, cutoff;
    enum num_code rc;

    *out = 0;
    if (n == 0)
        return NUM_SYNTAX;
    if (s[0] == '+' || s[0] == '-') {
        neg = s[0] == '-';
        s++;
        n--;
    }
    rc = num_parse_uint(s, n, base, bits, &u);
    if (rc != NUM_OK && rc != NUM_RANGE)
        return rc;
    cutoff = UINT64_C(1) << ((bits == 0 ? 64 : bits) - 1);
    if (!neg && u >= cutoff) {
        *out = (int64_t)(cutoff - 1);
        return NUM_RANGE;
    }
    if (neg && u > cutoff) {
        *out = (int64_t)(0 - cutoff);
        return NUM_RANGE;
    }
    *out = (int64_t)(neg ? 0 - u : u);
    return NUM_OK;
}
