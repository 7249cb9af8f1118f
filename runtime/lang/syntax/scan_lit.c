/* SPDX-License-Identifier: MIT */
/* Number, rune and string literals.  Values are not computed here: a literal
 * stays the text that const.c converts; here its form is checked. */
#include "runtime/lang/syntax/scan_int.h"

#include <string.h>

#include "runtime/lang/syntax/uniclass.h"

/* Reports at p unless the literal was found bad already. */
static void
bad_at(struct scan *s, const uint8_t *at, const char *msg)
{
    if (!s->bad)
        lang_errf(s->diag, scan_pos_at(s, at), "%s", msg);
    s->bad = 1;
}

static const char *
base_name(int base)
{
    switch (base) {
    case 2:
        return "binary";
    case 8:
        return "octal";
    case 16:
        return "hexadecimal";
    default:
        return "decimal";
    }
}

static int
digit_value(uint8_t c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c |= 0x20;
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return 16;
}

enum {
    HAS_DIGIT = 1,
    HAS_SEP = 2
};

/*
 * Skips digits and underscores; in a base up to 10 any decimal digit is taken
 * and the first that is too large for the base is left in *invalid.
 */
static int
digits(struct scan *s, int base, const uint8_t **invalid)
{
    int take = base <= 10 ? 10 : 16, seen = 0;

    for (;; s->p++) {
        int d = digit_value(*s->p);

        if (*s->p == '_') {
            seen |= HAS_SEP;
            continue;
        }
        if (d >= take)
            return seen;
        seen |= HAS_DIGIT;
        if (d >= base && *invalid == NULL)
            *invalid = s->p;
    }
}

/* The first underscore of [p, end) that is not between digits, or NULL.  A
 * base prefix counts as a digit. */
static const uint8_t *
misplaced_separator(const uint8_t *p, const uint8_t *end, int prefix)
{
    const uint8_t *sep = NULL;
    int before = 0; /* what came before: a digit? */

    if (prefix != 0 && prefix != '0') {
        p += 2;
        before = 1;
    }
    for (; p < end; p++) {
        int is_digit = digit_value(*p) < (prefix == 'x' ? 16 : 10);

        if (*p == '_') {
            if (!before)
                return p;
            sep = p;
            before = 0;
        } else {
            if (sep != NULL && !is_digit)
                return sep;
            sep = NULL;
            before = is_digit;
        }
    }
    return sep;
}

static int
base_prefix(struct scan *s, int *base)
{
    int prefix;

    *base = 10;
    if (*s->p != '0')
        return 0;
    s->p++;
    prefix = *s->p | 0x20;
    switch (prefix) {
    case 'x':
        *base = 16;
        break;
    case 'o':
        *base = 8;
        break;
    case 'b':
        *base = 2;
        break;
    default:
        *base = 8;
        return '0';
    }
    s->p++;
    return prefix;
}

static int
exponent(struct scan *s, int prefix, int *kind)
{
    int e = *s->p | 0x20, seen;
    const uint8_t *ignore = NULL;

    if (e != 'e' && e != 'p') {
        if (prefix == 'x' && *kind == LIT_FLOAT)
            bad_at(s, s->p, "hexadecimal mantissa requires a 'p' exponent");
        return 0;
    }
    if (e == 'e' && prefix != 0 && prefix != '0')
        bad_at(s, s->p,
            *s->p == 'e' ? "'e' exponent requires decimal mantissa"
                         : "'E' exponent requires decimal mantissa");
    else if (e == 'p' && prefix != 'x')
        bad_at(s, s->p,
            *s->p == 'p' ? "'p' exponent requires hexadecimal mantissa"
                         : "'P' exponent requires hexadecimal mantissa");
    s->p++;
    if (*s->p == '+' || *s->p == '-')
        s->p++;
    *kind = LIT_FLOAT;
    seen = digits(s, 10, &ignore);
    if (!(seen & HAS_DIGIT))
        bad_at(s, s->p, "exponent has no digits");
    return seen;
}

void
scan_number(struct scan *s, int seen_dot)
{
    const uint8_t *start = s->text + s->off, *invalid = NULL, *sep;
    int base = 10, prefix = 0, seen = 0, kind = LIT_INT;

    if (!seen_dot) {
        prefix = base_prefix(s, &base);
        seen = prefix == '0' ? HAS_DIGIT : 0;
        seen |= digits(s, base, &invalid);
        if (*s->p == '.') {
            if (prefix == 'o' || prefix == 'b') {
                bad_at(s, s->p,
                    prefix == 'o' ? "invalid radix point in octal literal"
                                  : "invalid radix point in binary literal");
            }
            s->p++;
            seen_dot = 1;
        }
    }
    if (seen_dot) {
        kind = LIT_FLOAT;
        seen |= digits(s, base == 8 ? 10 : base, &invalid);
    }
    if (!(seen & HAS_DIGIT) && !s->bad) {
        lang_errf(s->diag, scan_pos_at(s, s->p), "%s literal has no digits",
            base_name(base));
        s->bad = 1;
    }
    seen |= exponent(s, prefix, &kind);
    if (*s->p == 'i') {
        kind = LIT_IMAG;
        s->p++;
    }
    if (kind == LIT_INT && invalid != NULL && !s->bad) {
        lang_errf(s->diag, scan_pos_at(s, invalid),
            "invalid digit '%c' in %s literal", *invalid, base_name(base));
        s->bad = 1;
    }
    if (seen & HAS_SEP) {
        sep = misplaced_separator(start, s->p, prefix);
        if (sep != NULL)
            bad_at(s, sep, "'_' must separate successive digits");
    }
    s->tok = TOK_LITERAL;
    s->lit = (uint8_t)kind;
    s->nlsemi = 1;
}

/* The character at p as a code point, for messages; p does not move. */
static uint32_t
peek(struct scan *s)
{
    uint32_t c = *s->p;

    if (c >= 0x80 && scan_wide(s, &c) == 0)
        c = 0xfffd;
    return c;
}

/* n digits of an escape in the base; 0 on error (reported). */
static int
escape_digits(struct scan *s, int n, int base, uint32_t max)
{
    char buf[16];
    uint32_t x = 0;

    for (; n > 0; n--) {
        int d = digit_value(*s->p);

        if (*s->p == 0)
            return 1;
        if (d >= base) {
            lang_errf(s->diag, scan_pos_at(s, s->p),
                "invalid character %s in %s escape",
                scan_quote_char(peek(s), buf), base_name(base));
            s->bad = 1;
            return 0;
        }
        x = x * (uint32_t)base + (uint32_t)d;
        s->p++;
    }
    if (x > max && base == 8) {
        lang_errf(
            s->diag, scan_pos_at(s, s->p), "octal escape value %u > 255", x);
        s->bad = 1;
        return 0;
    }
    if (x > max || (max > 255 && x >= 0xd800 && x < 0xe000)) {
        char uni[32];

        lang_errf(s->diag, scan_pos_at(s, s->p),
            "escape is invalid Unicode code point %s",
            scan_unicode_char(x, uni));
        s->bad = 1;
        return 0;
    }
    return 1;
}

/* p is behind the backslash; 0 on error, with p where it is. */
static int
escape(struct scan *s, uint8_t quote)
{
    uint8_t c = *s->p;

    switch (c) {
    case 'a':
    case 'b':
    case 'f':
    case 'n':
    case 'r':
    case 't':
    case 'v':
    case '\\':
        s->p++;
        return 1;
    case '0' ... '7':
        return escape_digits(s, 3, 8, 255);
    case 'x':
        s->p++;
        return escape_digits(s, 2, 16, 255);
    case 'u':
        s->p++;
        return escape_digits(s, 4, 16, 0x10ffff);
    case 'U':
        s->p++;
        return escape_digits(s, 8, 16, 0x10ffff);
    case 0:
        return 1;
    default:
        if (c == quote) {
            s->p++;
            return 1;
        }
        lang_errf(s->diag, scan_pos_at(s, s->p), "unknown escape");
        s->bad = 1;
        return 0;
    }
}

/* Moves over one plain character of a literal; skips broken ones. */
static void
advance(struct scan *s)
{
    uint32_t c;

    if (*s->p < 0x80)
        s->p++;
    else
        s->p += scan_wide(s, &c);
}

void
scan_string(struct scan *s)
{
    for (;;) {
        while (*s->p >= ' ' && *s->p < 0x80 && *s->p != '"' && *s->p != '\\')
            s->p++;
        switch (*s->p) {
        case '"':
            s->p++;
            return;
        case '\\':
            s->p++;
            escape(s, '"');
            break;
        case '\n':
            lang_errf(s->diag, scan_pos_at(s, s->p), "newline in string");
            s->bad = 1;
            return;
        case 0:
            if (scan_nul(s))
                break;
            lang_errf(s->diag, s->file->base + s->off, "string not terminated");
            s->bad = 1;
            return;
        default:
            advance(s);
        }
    }
}

void
scan_raw_string(struct scan *s)
{
    for (;;) {
        while (*s->p != '`' && *s->p != 0 && *s->p < 0x80)
            s->p++;
        if (*s->p == '`') {
            s->p++;
            return;
        }
        if (*s->p >= 0x80) {
            advance(s);
        } else if (!scan_nul(s)) {
            lang_errf(s->diag, s->file->base + s->off, "string not terminated");
            s->bad = 1;
            return;
        }
    }
}

void
scan_rune(struct scan *s)
{
    uint32_t n;

    for (n = 0;; n++) {
        switch (*s->p) {
        case '\'':
            if (n == 0)
                bad_at(s, s->p, "empty rune literal or unescaped '");
            else if (n != 1)
                bad_at(s, s->text + s->off,
                    "more than one character in rune literal");
            s->p++;
            return;
        case '\\':
            s->p++;
            escape(s, '\'');
            break;
        case '\n':
            bad_at(s, s->p, "newline in rune literal");
            return;
        case 0:
            if (scan_nul(s))
                break;
            bad_at(s, s->text + s->off, "rune literal not terminated");
            return;
        default:
            advance(s);
        }
    }
}

/* The character of an escape: base and count of its digits at *in. */
static uint32_t
escape_value(const char **in, int n, uint32_t base)
{
    uint32_t x = 0;

    for (; n > 0; n--)
        x = x * base + (uint32_t)digit_value((uint8_t) * (*in)++);
    return x;
}

/* One escape at *in, behind the backslash; returns the end of the output. */
static char *
unescape(const char **in, char *out)
{
    static const char from[] = "abfnrtv", to[] = "\a\b\f\n\r\t\v";
    char c = *(*in)++;
    const char *at;

    switch (c) {
    case 'x':
        *out++ = (char)escape_value(in, 2, 16);
        return out;
    case 'u':
        return out + lang_utf8_encode(escape_value(in, 4, 16), out);
    case 'U':
        return out + lang_utf8_encode(escape_value(in, 8, 16), out);
    case '0' ... '7':
        (*in)--;
        *out++ = (char)escape_value(in, 3, 8);
        return out;
    default:
        at = strchr(from, c);
        *out++ = at != NULL ? to[at - from] : c;
        return out;
    }
}

size_t
scan_unquote(const char *text, size_t len, char *out)
{
    const char *in = text + 1, *end = text + len - 1;
    char *start = out;

    while (in < end) {
        char c = *in++;

        if (text[0] == '`') {
            if (c != '\r')
                *out++ = c;
        } else if (c == '\\') {
            out = unescape(&in, out);
        } else {
            *out++ = c;
        }
    }
    *out = '\0';
    return (size_t)(out - start);
}
