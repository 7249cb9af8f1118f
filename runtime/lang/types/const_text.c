/* SPDX-License-Identifier: MIT */

/* Constants as text: Go's literals in, the form of messages out. */

#include "runtime/lang/types/const_int.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Beyond, Go's own floats overflow, and a literal is malformed. */
enum {
    EXP10_MAX = 646456992
};

/* ---- literals ----------------------------------------------------------- */

/* s has no underscores; hex floats start with 0x. */
static const struct constv *
parse_float(struct const_ctx *c, char *s)
{
    bool hex = s[0] == '0' && (s[1] | 32) == 'x';
    char *p = hex ? s + 2 : s, *w = p, *digits = p, *end;
    long exp = 0, frac = 0;
    bool dot = false;

    for (; *p && (hex ? (*p | 32) != 'p' : (*p | 32) != 'e'); p++) {
        if (*p == '.') {
            dot = true;
            continue;
        }
        frac += dot;
        *w++ = *p;
    }
    if (*p) {
        exp = strtol(p + 1, &end, 10);
        if (*end || end == p + 1)
            return const_unknown();
    }
    *w = '\0';
    if (w == digits)
        return const_unknown();
    if (exp > EXP10_MAX)
        return const_unknown();
    if (exp < -EXP10_MAX)
        return const_int64(c, 0);
    return const_digits(
        c, digits, hex ? 16 : 10, hex ? 2 : 10, exp - frac * (hex ? 4 : 1));
}

static const struct constv *
parse_real(struct const_ctx *c, char *s, bool imag)
{
    char kind = s[0] == '0' ? (char)(s[1] | 32) : 0;
    size_t i;

    if (kind == 'b')
        return const_digits(c, s + 2, 2, 2, 0);
    if (kind == 'o')
        return const_digits(c, s + 2, 8, 2, 0);
    if (kind == 'x') {
        if (strpbrk(s, ".pP"))
            return parse_float(c, s);
        return const_digits(c, s + 2, 16, 2, 0);
    }
    if (strpbrk(s, ".eE"))
        return parse_float(c, s);
    for (i = 0; s[i] == '0' && s[i + 1]; i++)
        ;
    return const_digits(c, s + i, i > 0 && !imag ? 8 : 10, 2, 0);
}

/* Most numbers are decimal or hexadecimal ones of a few digits. */
static bool
short_number(const char *text, size_t len, int64_t *v)
{
    bool hex = len > 2 && text[0] == '0' && (text[1] | 32) == 'x';
    size_t i;

    if (len > 15 || (text[0] == '0' && len > 1 && !hex))
        return false;
    *v = 0;
    for (i = hex ? 2 : 0; i < len; i++) {
        int d = text[i] - '0';

        if (hex && (text[i] | 32) >= 'a' && (text[i] | 32) <= 'f')
            d = (text[i] | 32) - 'a' + 10;
        else if (d < 0 || d > 9)
            return false;
        *v = *v * (hex ? 16 : 10) + d;
    }
    return true;
}

const struct constv *
const_number(struct const_ctx *c, const char *text, size_t len)
{
    char small[64], *s = small, *w;
    const struct constv *v;
    int64_t n;
    bool imag;
    size_t i;

    if (len == 0)
        return const_unknown();
    if (short_number(text, len, &n))
        return const_int64(c, n);
    imag = text[len - 1] == 'i';
    if (len >= sizeof small)
        s = const_alloc(c, len + 1);
    for (w = s, i = 0; i < len - imag; i++)
        if (text[i] != '_')
            *w++ = text[i];
    *w = '\0';
    v = parse_real(c, s, imag);
    if (imag && const_kind(v) != CONST_UNKNOWN)
        v = const_make_complex(c, const_int64(c, 0), v);
    return v;
}

/* ---- text --------------------------------------------------------------- */

static char *
quote(struct const_ctx *c, const char *s, size_t n, bool cut)
{
    char *buf = const_alloc(c, n * 4 + 8), *w = buf;
    size_t i;

    *w++ = '"';
    for (i = 0; i < n; i++) {
        unsigned char ch = (unsigned char)s[i];
        static const char esc[] = "\a\b\f\n\r\t\v\"\\";
        const char *e = ch ? strchr(esc, ch) : NULL;

        if (e) {
            *w++ = '\\';
            *w++ = "abfnrtv\"\\"[e - esc];
        } else if (ch < 0x20 || ch == 0x7f) {
            w += sprintf(w, "\\x%02x", ch);
        } else {
            *w++ = (char)ch;
        }
    }
    if (!cut)
        *w++ = '"';
    *w = '\0';
    return buf;
}

/* The quoted string, cut to 72 characters with "..." where longer. */
static const char *
string_text(struct const_ctx *c, const struct constv *v)
{
    size_t n, i = 0, runes = 0;
    const char *p = const_str_val(c, v, &n);
    char *q;

    q = quote(c, p, n > 400 ? 400 : n, n > 400);
    while (q[i] && runes < 69) {
        i++;
        while (((unsigned char)q[i] & 0xc0) == 0x80)
            i++;
        runes++;
    }
    if (strlen(q + i) > 3)
        strcpy(q + i, "...");
    return q;
}

static const char *
float_text(struct const_ctx *c, const struct constv *v)
{
    double d = const_to_double(v), l, e, m;
    char *buf = const_alloc(c, 64);
    long exp;

    if (isfinite(d) && (d != 0 || const_sign(v) == 0)) {
        int p;

        snprintf(buf, 64, "%.6g", d);
        /* 1.00000001 is not 1: show enough digits. */
        if (const_kind(v) == CONST_FLOAT && !strchr(buf, '.'))
            for (p = 7; p < 18; p++) {
                snprintf(buf, 64, "%.*g", p, d);
                if (strtod(buf, NULL) == d)
                    break;
            }
        return buf;
    }
    /* d * 2^exp as m * 10^e */
    d = const_frexp(v, &exp);
    l = (double)exp * 0.30102999566398119521;
    e = floor(l);
    m = d * pow(10, l - e);
    if (fabs(m) < 1) {
        m *= 10;
        e -= 1;
    }
    if (fabs(m) >= 9.999995) {
        m /= 10;
        e += 1;
    }
    snprintf(buf, 64, "%.6ge%+.0f", m, e);
    return buf;
}

const char *
const_text(struct const_ctx *c, const struct constv *v)
{
    return const_text_as(c, v, const_kind(v));
}

const char *
const_text_as(struct const_ctx *c, const struct constv *v, enum const_kind as)
{
    const char *re, *im;
    char *buf;

    if (as == CONST_FLOAT && const_kind(v) == CONST_INT)
        return float_text(c, v);
    if (as == CONST_COMPLEX &&
        (const_kind(v) == CONST_INT || const_kind(v) == CONST_FLOAT)) {
        re = float_text(c, v);
        buf = const_alloc(c, strlen(re) + 8);
        sprintf(buf, "(%s + 0i)", re);
        return buf;
    }
    switch (const_kind(v)) {
    case CONST_BOOL:
        return const_bool_val(v) ? "true" : "false";
    case CONST_STRING:
        return string_text(c, v);
    case CONST_INT:
        return const_int_text(c, v);
    case CONST_FLOAT:
        return float_text(c, v);
    case CONST_COMPLEX:
        re = const_text_as(c, const_real(c, v), CONST_FLOAT);
        im = const_text_as(c, const_imag(c, v), CONST_FLOAT);
        buf = const_alloc(c, strlen(re) + strlen(im) + 8);
        sprintf(buf, "(%s + %si)", re, im);
        return buf;
    default:
        return "unknown";
    }
}
