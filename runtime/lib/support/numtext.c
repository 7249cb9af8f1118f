/* SPDX-License-Identifier: MIT */

/*
 * Digits come from the C library, whose printf and strtod round correctly
 * (glibc does so for any precision); this file only chooses how many digits
 * to ask for and lays them out. The shortest digits of a float are found by
 * asking for more and more until they read back as the same value:
 *
 * - with up to 15 (float32: 6) digits every decimal survives the trip
 *   through a normal float, so the first question can be that long, and
 *   trailing zeros are then dropped;
 * - the correctly rounded n-digit decimal is the nearest one, so if it does
 *   not read back no other of n digits does, except at a power of two, where
 *   the gap below is half the gap above: there the next decimal up is tried,
 *   and of two equally near float32 ones the upper is taken, as Go does.
 */
#include "runtime/lib/support/numtext.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Decimal digits of a float: 0.d[0]d[1]... times 10^dp, no trailing zero. */
struct digits {
    int nd;
    int dp;
    char d[40];
};

size_t
num_format_uint(char *out, uint64_t u, bool neg, int base)
{
    char tmp[NUM_UINT_ROOM];
    size_t i = sizeof tmp;

    if (base == 10) {
        do {
            tmp[--i] = (char)('0' + u % 10);
            u /= 10;
        } while (u != 0);
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

static char
lower(char c)
{
    return (char)(c | ('x' - 'X'));
}

/* Reports whether each '_' stands between digits, or after a base prefix. */
static bool
underscores_ok(const char *s, size_t n)
{
    char last = '^'; /* kind of the byte before: ^ start, 0 digit, _, ! other */
    size_t i = 0;
    bool hex = false;

    if (n >= 1 && (s[0] == '-' || s[0] == '+'))
        i++;
    if (n - i >= 2 && s[i] == '0' &&
        (lower(s[i + 1]) == 'b' || lower(s[i + 1]) == 'o' ||
            lower(s[i + 1]) == 'x')) {
        hex = lower(s[i + 1]) == 'x';
        i += 2;
        last = '0';
    }
    for (; i < n; i++) {
        char c = s[i];

        if ((c >= '0' && c <= '9') ||
            (hex && lower(c) >= 'a' && lower(c) <= 'f')) {
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

static int
digit_value(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c = lower(c);
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
            char c = n >= 3 ? lower(s[1]) : 0;

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
        d = digit_value(s[i]);
        if (d >= base)
            return NUM_SYNTAX;
        if (__builtin_mul_overflow(v, (uint64_t)base, &v) ||
            __builtin_add_overflow(v, (uint64_t)d, &v) || v > limit) {
            *out = limit;
            return NUM_RANGE;
        }
    }
    if (underscores && !underscores_ok(all, all_n))
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

/* Reads the output of "%.*e" (sign already gone) into d. */
static void
take_digits(struct digits *d, const char *s)
{
    int exp;
    const char *e = strchr(s, 'e');

    exp = atoi(e + 1);
    d->nd = 0;
    for (; s < e; s++) {
        if (*s != '.')
            d->d[d->nd++] = *s;
    }
    while (d->nd > 0 && d->d[d->nd - 1] == '0')
        d->nd--;
    d->dp = d->nd == 0 ? 0 : exp + 1;
}

static bool
reads_back(const char *s, double v, int bits)
{
    return bits == 32 ? (double)strtof(s, NULL) == v : strtod(s, NULL) == v;
}

/* Adds one unit in the last place to the mantissa of "d.ddde+xx". */
static bool
bump_last(char *s)
{
    char *p = strchr(s, 'e');

    while (p-- > s) {
        if (*p == '.')
            continue;
        if (*p != '9') {
            ++*p;
            return true;
        }
        *p = '0';
    }
    return false;
}

/* Reports whether v lies exactly between two decimals of n digits. */
static bool
halfway(double v, int n)
{
    char buf[64];
    const char *p;

    snprintf(buf, sizeof buf, "%.*e", n + 24, v);
    p = buf + 1 + n; /* the digit after the n-th; buf[1] is the point */
    return p[0] == '5' && strspn(p + 1, "0") == 24;
}

/*
 * The shortest digits of a v that has at most 15 of them, where the exact
 * powers of ten reach: m = v * 10^k is a guess at the digits, and m / 10^k,
 * a correctly rounded quotient of two exact numbers, is what they read back
 * as. False if v needs more digits or is out of reach.
 */
static bool
short_digits(struct digits *d, double v)
{
    static const double pow10[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7,
        1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22};
    char tmp[NUM_UINT_ROOM];
    int whole = 0, k; /* digits before the point; 10^k makes 15 in all */
    double m;

    if (!(v >= 1e-7 && v < 1e15))
        return false;
    while (whole < 15 && v >= pow10[whole])
        whole++;
    k = 15 - whole;
    for (double x = v; whole == 0 && x < 0.1 && k < 22; x *= 10)
        k++;
    m = rint(v * pow10[k]);
    if (m >= 1e15 || m / pow10[k] != v)
        return false;
    d->nd = (int)num_format_uint(tmp, (uint64_t)m, false, 10);
    d->dp = d->nd - k;
    memcpy(d->d, tmp, (size_t)d->nd);
    while (d->nd > 0 && d->d[d->nd - 1] == '0')
        d->nd--;
    return true;
}

/* The fewest digits that read back as v, which is finite and positive. */
static void
shortest(struct digits *d, double v, int bits)
{
    int exp, n, first = bits == 32 ? 6 : 15, last = bits == 32 ? 9 : 17;
    bool power = frexp(v, &exp) == 0.5;
    char buf[48], up[48];

    if (v < 1e15 && v == (double)(int64_t)v && (bits == 64 || v < 1e6)) {
        /* An integer of so few digits is its own shortest form. */
        char tmp[NUM_UINT_ROOM];

        d->nd = d->dp = (int)num_format_uint(tmp, (uint64_t)v, false, 10);
        memcpy(d->d, tmp, (size_t)d->nd);
        while (d->nd > 0 && d->d[d->nd - 1] == '0')
            d->nd--;
        return;
    }
    if (bits == 64 && short_digits(d, v))
        return;
    if (v < (bits == 32 ? 0x1p-126 : 0x1p-1022))
        first = 1;
    for (n = first; n <= last; n++) {
        snprintf(buf, sizeof buf, "%.*e", n - 1, v);
        if (reads_back(buf, v, bits) &&
            !(power && bits == 32 && halfway(v, n)))
            break;
        if (!power)
            continue;
        memcpy(up, buf, sizeof up);
        if (reads_back(buf, v, bits) && strtod(buf, NULL) > v)
            break;
        if (bump_last(up) && reads_back(up, v, bits)) {
            memcpy(buf, up, sizeof buf);
            break;
        }
    }
    take_digits(d, buf);
}

static char *
put_exponent(char *p, int exp)
{
    *p++ = exp < 0 ? '-' : '+';
    if (exp < 0)
        exp = -exp;
    if (exp < 10)
        *p++ = '0';
    return p + num_format_uint(p, (uint64_t)exp, false, 10);
}

static char *
layout_e(char *p, const struct digits *d, int64_t prec, char e)
{
    int64_t i;

    *p++ = d->nd > 0 ? d->d[0] : '0';
    if (prec > 0) {
        *p++ = '.';
        for (i = 1; i <= prec; i++)
            *p++ = i < d->nd ? d->d[i] : '0';
    }
    *p++ = e;
    return put_exponent(p, d->nd == 0 ? 0 : d->dp - 1);
}

static char *
layout_f(char *p, const struct digits *d, int64_t prec)
{
    int64_t i;

    if (d->dp > 0) {
        for (i = 0; i < d->dp; i++)
            *p++ = i < d->nd ? d->d[i] : '0';
    } else {
        *p++ = '0';
    }
    if (prec > 0) {
        *p++ = '.';
        for (i = d->dp; i < d->dp + prec; i++)
            *p++ = i >= 0 && i < d->nd ? d->d[i] : '0';
    }
    return p;
}

/* %b: the mantissa as an integer, and a power of two. */
static char *
layout_b(char *p, double v, int bits)
{
    int exp, width = bits == 32 ? 24 : 53, low = bits == 32 ? -149 : -1074;
    double m = v == 0 ? 0 : frexp(v, &exp);

    if (v == 0)
        exp = low;
    else
        exp -= width;
    if (exp < low) {
        m = ldexp(v, -low);
        exp = low;
    } else {
        m = ldexp(m, width);
    }
    p += num_format_uint(p, (uint64_t)m, false, 10);
    *p++ = 'p';
    *p++ = exp < 0 ? '-' : '+';
    return p + num_format_uint(p, (uint64_t)abs(exp), false, 10);
}

/* %x: 0x1.yyyp+dd, rounded half to even at prec hexadecimal digits. */
static char *
layout_x(char *p, double v, int64_t prec, bool upper)
{
    const char *hex = upper ? "0123456789ABCDEF" : "0123456789abcdef";
    int exp = 0, i;
    uint64_t m = 0;

    if (v != 0) {
        m = (uint64_t)ldexp(frexp(v, &exp), 61);
        exp--;
    }
    if (prec >= 0 && prec < 15) {
        int shift = (int)prec * 4;
        uint64_t rest = (m << shift) & ((UINT64_C(1) << 60) - 1);

        m >>= 60 - shift;
        if ((rest | (m & 1)) > UINT64_C(1) << 59)
            m++;
        m <<= 60 - shift;
        if (m & UINT64_C(1) << 61) {
            m >>= 1;
            exp++;
        }
    }
    *p++ = '0';
    *p++ = upper ? 'X' : 'x';
    *p++ = (char)('0' + ((m >> 60) & 1));
    m = m << 4;
    if (prec < 0 && m != 0) {
        *p++ = '.';
        while (m != 0) {
            *p++ = hex[m >> 60];
            m <<= 4;
        }
    } else if (prec > 0) {
        *p++ = '.';
        for (i = 0; i < prec; i++) {
            *p++ = hex[m >> 60];
            m <<= 4;
        }
    }
    *p++ = upper ? 'P' : 'p';
    return put_exponent(p, exp);
}

size_t
num_float_room(char fmt, int64_t prec)
{
    if (prec > INT64_C(1) << 30)
        return SIZE_MAX;
    if (prec < 0)
        prec = 17;
    /* Sign, integer digits of the largest float, point, exponent; spare. */
    if (fmt != 'e' && fmt != 'E')
        return (size_t)prec + 400;
    return (size_t)prec + 64;
}

/* %g: chooses between %e and %f by the exponent. */
static char *
layout_g(char *p, const struct digits *d, int64_t prec, bool is_short, char fmt)
{
    int64_t eprec = prec, exp = d->dp - 1;

    if (eprec > d->nd && d->nd >= d->dp)
        eprec = d->nd;
    if (is_short)
        eprec = 6;
    if (exp < -4 || exp >= eprec) {
        if (prec > d->nd)
            prec = d->nd;
        return layout_e(p, d, prec - 1, (char)(fmt + 'e' - 'g'));
    }
    return layout_f(p, d, d->nd > d->dp ? d->nd - d->dp : 0);
}

/* Rounds to the given number of decimal digits, at most 800 of them. */
static char *
format_g(char *p, double v, int64_t prec, char fmt)
{
    enum { MOST = 800 }; /* no float has more significant digits */
    char buf[MOST + 32];
    struct digits d;
    int64_t eprec = prec == 0 ? 1 : prec;
    int n = eprec > MOST ? MOST : (int)eprec;
    char *e, *last;
    int exp;

    snprintf(buf, sizeof buf, "%.*e", n - 1, v);
    if (n <= 30) {
        take_digits(&d, buf);
        return layout_g(p, &d, eprec, false, fmt);
    }
    /* Too many digits for struct digits: trim zeros and lay out by hand. */
    e = strchr(buf, 'e');
    exp = atoi(e + 1);
    last = e;
    while (last[-1] == '0')
        last--;
    if (last[-1] == '.')
        last--;
    *last = 0;
    d.nd = (int)(last - buf) - (last - buf > 1 ? 1 : 0);
    if (buf[0] == '0')
        d.nd = 0;
    d.dp = d.nd == 0 ? 0 : exp + 1;
    if (d.nd == 0) {
        *p++ = '0';
        return p;
    }
    n = d.nd;
    if (eprec > n && n >= d.dp)
        eprec = n;
    if (d.dp - 1 < -4 || d.dp - 1 >= eprec) {
        memcpy(p, buf, (size_t)(last - buf));
        p += last - buf;
        *p++ = (char)(fmt + 'e' - 'g');
        return put_exponent(p, exp);
    }
    return p +
           snprintf(p, (size_t)n + 352, "%.*f", n > d.dp ? n - d.dp : 0, v);
}

static char *
format_shortest(char *p, double v, char fmt, int bits)
{
    struct digits d = {0, 0, {0}};

    if (v != 0)
        shortest(&d, v, bits);
    switch (fmt) {
    case 'e':
    case 'E':
        return layout_e(p, &d, d.nd - 1, fmt);
    case 'f':
        return layout_f(p, &d, d.nd > d.dp ? d.nd - d.dp : 0);
    default:
        return layout_g(p, &d, d.nd, true, fmt);
    }
}

size_t
num_format_float(char *out, double v, char fmt, int64_t prec, int bits)
{
    char *p = out;
    size_t room = num_float_room(fmt, prec);

    if (bits == 32)
        v = (float)v;
    if (isnan(v)) {
        memcpy(out, "NaN", 3);
        return 3;
    }
    if (isinf(v)) {
        memcpy(out, v < 0 ? "-Inf" : "+Inf", 4);
        return 4;
    }
    if (signbit(v)) {
        *p++ = '-';
        v = -v;
    }
    switch (fmt) {
    case 'b':
        return (size_t)(layout_b(p, v, bits) - out);
    case 'x':
    case 'X':
        return (size_t)(layout_x(p, v, prec, fmt == 'X') - out);
    case 'e':
    case 'E':
        if (prec < 0)
            break;
        p += snprintf(
            p, room - 1, fmt == 'e' ? "%.*e" : "%.*E", (int)prec, v);
        return (size_t)(p - out);
    case 'f':
        if (prec < 0)
            break;
        p += snprintf(p, room - 1, "%.*f", (int)prec, v);
        return (size_t)(p - out);
    case 'g':
    case 'G':
        if (prec < 0)
            break;
        return (size_t)(format_g(p, v, prec, fmt) - out);
    default:
        out[0] = '%';
        out[1] = fmt;
        return 2;
    }
    return (size_t)(format_shortest(p, v, fmt, bits) - out);
}

/* Length of the common prefix of s[0:n] and word, in any case. */
static size_t
match_word(const char *s, size_t n, const char *word)
{
    size_t i;

    for (i = 0; i < n && word[i] != 0; i++) {
        char c = s[i];

        if (c >= 'A' && c <= 'Z')
            c = lower(c);
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
    if (i + 2 < n && s[i] == '0' && lower(s[i + 1]) == 'x') {
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
                   (hex && lower(c) >= 'a' && lower(c) <= 'f')) {
            digit = true;
        } else {
            break;
        }
    }
    if (!digit)
        return 0;
    if (i < n && lower(s[i]) == expchar) {
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
    if (*underscores && !underscores_ok(s, i))
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
            m = m << 4 | (uint64_t)digit_value(*s);
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

enum num_code
num_parse_float(const char *s, size_t n, int bits, double *out, size_t *used)
{
    char small[128], *buf = small;
    bool underscores = false;
    size_t len, i, k = 0;

    *out = 0;
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
