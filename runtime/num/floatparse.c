/* SPDX-License-Identifier: MIT */

/*
 * Floats from text. A plain decimal literal is read at once into an integer
 * and a power of ten, and decimal.h rounds them. The others, and the few that
 * it cannot tell, are copied for the C library, whose strtod rounds correctly,
 * or for hex_value().
 */
#include "runtime/num/numtext.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/num/decimal.h"
#include "runtime/num/numtext_int.h"

/* Length of the common prefix of s[0:n] and word, in any case. */
static size_t
match_word(const char *s, size_t n, const char *word)
{
    size_t i;

    for (i = 0; i < n && word[i] != 0; i++) {
        char c = s[i];

        if (c >= 'A' && c <= 'Z')
            c = num_lower(c);
        if (c != word[i])
            break;
    }
    return i;
}

/* Infinity and NaN; returns the length matched, 0 if it is none of them. */
static size_t
parse_special(const char *s, size_t n, double *out)
{
    size_t sign = n > 0 && (s[0] == '+' || s[0] == '-'), k;

    k = match_word(s + sign, n - sign, "infinity");
    if (k > 3 && k < 8)
        k = 3;
    if (k == 3 || k == 8) {
        *out = s[0] == '-' ? -(double)INFINITY : (double)INFINITY;
        return sign + k;
    }
    if (sign == 0 && match_word(s, n, "nan") == 3) {
        *out = (double)NAN;
        return 3;
    }
    return 0;
}

/*
 * Length of the literal at the start of s[0:n], 0 if there is none. Sets
 * *underscores if it holds any. A binary exponent is compulsory with
 * hexadecimal digits.
 */
static size_t
scan_float(const char *s, size_t n, bool *underscores)
{
    size_t i = 0;
    bool hex = false, digit = false, point = false;
    char expchar = 'e';

    if (i < n && (s[i] == '+' || s[i] == '-'))
        i++;
    if (i + 2 < n && s[i] == '0' && num_lower(s[i + 1]) == 'x') {
        hex = true;
        expchar = 'p';
        i += 2;
    }
    for (; i < n; i++) {
        char c = s[i];

        if (c == '_') {
            *underscores = true;
        } else if (c == '.') {
            if (point)
                break;
            point = true;
        } else if ((c >= '0' && c <= '9') ||
                   (hex && num_lower(c) >= 'a' && num_lower(c) <= 'f')) {
            digit = true;
        } else {
            break;
        }
    }
    if (!digit)
        return 0;
    if (i < n && num_lower(s[i]) == expchar) {
        size_t k = i + 1;

        if (k < n && (s[k] == '+' || s[k] == '-'))
            k++;
        if (k >= n || s[k] < '0' || s[k] > '9')
            return 0;
        for (; k < n && ((s[k] >= '0' && s[k] <= '9') || s[k] == '_'); k++) {
            if (s[k] == '_')
                *underscores = true;
        }
        i = k;
    } else if (hex) {
        return 0;
    }
    if (*underscores && !num_underscores_ok(s, i))
        return 0;
    return i;
}

/* The decimal exponent at s, kept small enough to add to anything. */
static int64_t
exponent_value(const char *s)
{
    bool neg = *s == '-';
    int64_t e = 0;

    if (*s == '-' || *s == '+')
        s++;
    for (; *s != 0; s++) {
        if (e < 1000000000000)
            e = e * 10 + (*s - '0');
    }
    return neg ? -e : e;
}

/*
 * Value of a hexadecimal literal (sign gone, prefix and underscores too).
 * Own code, because strtof() of glibc 2.36 misrounds hexadecimal subnormals.
 */
static double
hex_value(const char *s, int bits)
{
    int width = bits == 32 ? 24 : 53, low = bits == 32 ? -149 : -1074;
    uint64_t m = 0;
    int64_t exp = 0;
    bool point = false, sticky = false;
    int top, drop;

    for (; *s != 'p' && *s != 'P'; s++) {
        if (*s == '.') {
            point = true;
            continue;
        }
        if (m >> 60 == 0) {
            m = m << 4 | (uint64_t)num_digit_value(*s);
            exp -= point ? 4 : 0;
        } else {
            sticky |= *s != '0';
            exp += point ? 0 : 4;
        }
    }
    if (m == 0)
        return 0;
    exp += exponent_value(s + 1);
    top = 63 - __builtin_clzll(m);
    if (exp + top > 1100)
        return (double)INFINITY;
    if (exp + top < -1100)
        return 0;
    /* Drop the bits beyond the width, or below the least subnormal. */
    drop = top + 1 - width;
    if (exp + drop < low)
        drop = (int)(low - exp);
    if (drop > 0) {
        uint64_t rest, half, kept;

        if (drop > 64)
            return 0;
        kept = drop == 64 ? 0 : m >> drop;
        half = UINT64_C(1) << (drop - 1);
        rest = drop == 64 ? m : m & ((half << 1) - 1);
        if (rest > half || (rest == half && (sticky || (kept & 1))))
            kept++;
        m = kept;
        exp += drop;
    }
    if (bits == 32 && m != 0 && exp + 63 - __builtin_clzll(m) > 127)
        return (double)INFINITY;
    return ldexp((double)m, (int)exp);
}

static double
text_value(const char *s, int bits)
{
    bool neg = *s == '-';
    double v;

    if (*s == '-' || *s == '+')
        s++;
    if (s[0] == '0' && (s[1] == 'x' || s[1] == 'X'))
        v = hex_value(s + 2, bits);
    else
        v = bits == 32 ? (double)strtof(s, NULL) : strtod(s, NULL);
    return neg ? -v : v;
}

/* A decimal literal: the number m * 10^exp, or if cut between it and the
 * next m. */
struct literal {
    uint64_t m;
    int64_t exp;
    bool cut;
};

/*
 * Reads the exponent behind the 'e' at s[i] and adds it to l->exp. Returns
 * where it ends, 0 if it is not plain.
 */
static size_t
read_exponent(struct literal *l, const char *s, size_t n, size_t i)
{
    bool neg = false;
    int64_t e = 0;
    size_t start;

    i++;
    if (i < n && (s[i] == '+' || s[i] == '-'))
        neg = s[i++] == '-';
    start = i;
    for (; i < n && s[i] >= '0' && s[i] <= '9'; i++) {
        if (e < 1000000000000)
            e = e * 10 + (s[i] - '0');
    }
    if (i == start || (i < n && s[i] == '_'))
        return 0;
    l->exp += neg ? -e : e;
    return i;
}

/*
 * Reads the literal at the start of s[0:n], which has no sign. Returns its
 * length, 0 if it is none or not plain.
 */
static size_t
read_literal(struct literal *l, const char *s, size_t n)
{
    enum { MOST = 19 }; /* digits that any 64 bits can hold */
    bool point = false, digit = false;
    int nd = 0;
    size_t i;

    *l = (struct literal){0, 0, false};
    for (i = 0; i < n; i++) {
        unsigned c = (unsigned char)s[i] - (unsigned)'0';

        if (c <= 9) {
            digit = true;
            if (nd < MOST) {
                l->m = l->m * 10 + c;
                nd += l->m != 0;
                l->exp -= point;
            } else {
                l->cut |= c != 0;
                l->exp += !point;
            }
        } else if (s[i] == '.' && !point) {
            point = true;
        } else {
            break;
        }
    }
    if (!digit)
        return 0;
    if (i < n && num_lower(s[i]) == 'e')
        return read_exponent(l, s, n, i);
    if (i < n && (s[i] == '_' || num_lower(s[i]) == 'x'))
        return 0;
    return i;
}

/*
 * The float nearest to a literal; false if it cannot be told. Where both the
 * integer and the power of ten are floats, one operation rounds correctly.
 */
static bool
literal_value(double *v, const struct literal *l, int bits)
{
    static const double pow10[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7,
        1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22};
    double next;

    if (bits != 32 && !l->cut && l->m <= UINT64_C(1) << 53) {
        if (l->exp >= 0 && l->exp <= 22) {
            *v = (double)l->m * pow10[l->exp];
            return true;
        }
        if (l->exp < 0 && l->exp >= -22) {
            *v = (double)l->m / pow10[-l->exp];
            return true;
        }
    }
    if (!num_nearest(v, l->m, l->exp, bits))
        return false;
    return !l->cut ||
           (num_nearest(&next, l->m + 1, l->exp, bits) && next == *v);
}

/* Parses a plain decimal; returns the length used, 0 if s has none. */
static size_t
parse_plain(const char *s, size_t n, int bits, double *out)
{
    size_t sign = n > 0 && (s[0] == '+' || s[0] == '-'), len;
    struct literal l;
    double v;

    len = read_literal(&l, s + sign, n - sign);
    if (len == 0 || !literal_value(&v, &l, bits))
        return 0;
    *out = s[0] == '-' ? -v : v;
    return sign + len;
}

enum num_code
num_parse_float(const char *s, size_t n, int bits, double *out, size_t *used)
{
    char small[128], *buf = small;
    bool underscores = false;
    size_t len, i, k = 0;

    *out = 0;
    *used = parse_plain(s, n, bits, out);
    if (*used > 0)
        return isinf(*out) ? NUM_RANGE : NUM_OK;
    *used = parse_special(s, n, out);
    if (*used > 0)
        return NUM_OK;
    len = scan_float(s, n, &underscores);
    if (len == 0)
        return NUM_SYNTAX;
    if (len >= sizeof small) {
        buf = malloc(len + 1);
        if (buf == NULL)
            return NUM_NOMEM;
    }
    for (i = 0; i < len; i++) {
        if (s[i] != '_')
            buf[k++] = s[i];
    }
    buf[k] = 0;
    *out = text_value(buf, bits);
    if (buf != small)
        free(buf);
    *used = len;
    return isinf(*out) ? NUM_RANGE : NUM_OK;
}
