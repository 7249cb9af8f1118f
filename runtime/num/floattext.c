/* SPDX-License-Identifier: MIT */

/*
 * The text of floats. decimal.h has the digits, if they are few; those of long
 * texts come from the C library, whose printf rounds correctly to any
 * precision. This file chooses how many digits to ask for and lays them out.
 */
#include "runtime/num/numtext.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/num/decimal.h"

/* Decimal digits of a float: 0.d[0]d[1]... times 10^dp, no trailing zero. */
struct digits {
    int nd;
    int dp;
    char d[40];
};

/* Takes the digits of m * 10^exp, of which m may have up to 20. */
static void
take_decimal(struct digits *d, uint64_t m, int exp)
{
    static_assert(sizeof d->d >= 20, "room for any 64 bits");
    char tmp[NUM_UINT_ROOM];

    d->nd = (int)num_format_uint(tmp, m, false, 10);
    d->dp = d->nd + exp;
    memcpy(d->d, tmp, 20);
    while (d->nd > 0 && d->d[d->nd - 1] == '0')
        d->nd--;
    if (d->nd == 0)
        d->dp = 0;
}

/* The fewest digits that read back as v, which is finite and not negative. */
static void
take_shortest(struct digits *d, double v, int bits)
{
    struct num_decimal shortest = {0, 0};

    /* An integer of so few digits is its own shortest form. */
    if (v < (bits == 32 ? 1e6 : 1e15) && v == (double)(int64_t)v)
        shortest.m = (uint64_t)v;
    else
        shortest = num_shortest(v, bits);
    take_decimal(d, shortest.m, shortest.exp);
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

/*
 * The text of v, which is finite and not negative, to n digits, 1 or more;
 * false if that is not known without the C library.
 */
static bool
take_rounded(struct digits *d, double v, int64_t n)
{
    struct num_decimal r = {0, 0};

    if (n > NUM_ROUNDED_MOST || (v != 0 && !num_rounded(&r, v, (int)n)))
        return false;
    take_decimal(d, r.m, r.exp);
    return true;
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

    if (take_rounded(&d, v, eprec))
        return layout_g(p, &d, eprec, false, fmt);
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

/* %e with a precision. */
static char *
format_e(char *p, double v, int64_t prec, char fmt, size_t room)
{
    struct digits d;

    if (take_rounded(&d, v, prec + 1))
        return layout_e(p, &d, prec, fmt);
    return p + snprintf(p, room, fmt == 'e' ? "%.*e" : "%.*E", (int)prec, v);
}

/* %f with a precision. */
static char *
format_f(char *p, double v, int64_t prec, size_t room)
{
    uint64_t whole, frac;

    if (prec > NUM_FIXED_MOST || !num_fixed(&whole, &frac, v, (int)prec))
        return p + snprintf(p, room, "%.*f", (int)prec, v);
    p += num_format_uint(p, whole, false, 10);
    if (prec == 0)
        return p;
    *p = '.';
    for (int64_t i = prec; i > 0; i--) {
        p[i] = (char)('0' + frac % 10);
        frac /= 10;
    }
    return p + prec + 1;
}

static char *
format_shortest(char *p, double v, char fmt, int bits)
{
    struct digits d;

    take_shortest(&d, v, bits);
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
        return (size_t)(format_e(p, v, prec, fmt, room - 1) - out);
    case 'f':
        if (prec < 0)
            break;
        return (size_t)(format_f(p, v, prec, room - 1) - out);
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
