/* SPDX-License-Identifier: MIT */
#include "profile/read/pregex.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_TEXT = 4096,
    MAX_DEPTH = 100,
    MAX_COUNT = 100, /* product of counted repetitions in one expression */
    MAX_MATCHED = 1 << 16
};

struct xlate {
    const char *p;
    char *out; /* at most 12 bytes for each of the input */
    size_t n;
    int depth;
    long counts;
    bool icase;
    const char *why;
};

static void
put(struct xlate *x, const char *s)
{
    size_t n = strlen(s);

    memcpy(x->out + x->n, s, n);
    x->n += n;
}

static void
put_char(struct xlate *x, char c)
{
    x->out[x->n++] = c;
}

/* A character that stands for itself. */
static void
put_literal(struct xlate *x, char c)
{
    if (strchr(".[]{}()*+?^$|\\", c) != NULL)
        put_char(x, '\\');
    put_char(x, c);
}

static bool
fail(struct xlate *x, const char *why)
{
    x->why = why;
    return false;
}

/* What \d \w \s mean within brackets; NULL for other letters. */
static const char *
class_of(char c)
{
    switch (c) {
    case 'd':
        return "0-9";
    case 'w':
        return "[:alnum:]_";
    case 's':
        return "[:space:]";
    default:
        return NULL;
    }
}

static char
control(char c)
{
    static const char from[] = "tnrfva", to[] = "\t\n\r\f\v\a";
    const char *at = strchr(from, c);

    return at == NULL ? '\0' : to[at - from];
}

static bool
escape(struct xlate *x)
{
    char c = *++x->p;
    const char *cls = class_of((char)tolower((unsigned char)c));

    if (c == '\0')
        return fail(x, "trailing backslash");
    x->p++;
    if (cls != NULL) {
        put(x, isupper((unsigned char)c) ? "[^" : "[");
        put(x, cls);
        put_char(x, ']');
    } else if (c == 'b' || c == 'B') {
        put_char(x, '\\');
        put_char(x, c);
    } else if (c == 'A') {
        put_char(x, '^');
    } else if (c == 'z') {
        put_char(x, '$');
    } else if (c == 'Q') {
        while (*x->p != '\0' && strncmp(x->p, "\\E", 2) != 0)
            put_literal(x, *x->p++);
        x->p += *x->p != '\0' ? 2 : 0;
    } else if (control(c) != '\0') {
        put_char(x, control(c));
    } else if (isalnum((unsigned char)c)) {
        return fail(x, "an escape that is not supported");
    } else {
        put_literal(x, c);
    }
    return true;
}

/* Within brackets POSIX knows no escapes: ] comes first, - and ^ last. */
static bool
bracket(struct xlate *x)
{
    bool close = false, dash = false, caret = false;
    size_t start;

    put_char(x, *x->p++);
    if (*x->p == '^')
        put_char(x, *x->p++);
    start = x->n;
    for (bool first = true; first || *x->p != ']'; first = false) {
        char c = *x->p;
        const char *cls;

        if (c == '\0')
            return fail(x, "missing closing ]");
        if (c == '[' && x->p[1] == ':') {
            const char *end = strstr(x->p + 2, ":]");

            if (end == NULL || end - x->p > 12)
                return fail(x, "a bad character class");
            while (x->p < end + 2)
                put_char(x, *x->p++);
            continue;
        }
        x->p++;
        if (c == '\\') {
            c = *x->p;
            if (c == '\0')
                return fail(x, "missing closing ]");
            x->p++;
            cls = class_of(c);
            if (cls != NULL) {
                put(x, cls);
                continue;
            }
            if (control(c) != '\0')
                c = control(c);
            else if (isalnum((unsigned char)c))
                return fail(x, "an escape that is not supported");
            close |= c == ']';
            dash |= c == '-';
            caret |= c == '^';
            if (c == ']' || c == '-' || c == '^')
                continue;
        } else if (c == ']' && first) {
            close = true;
            continue;
        }
        put_char(x, c);
    }
    x->p++;
    if (close) {
        memmove(x->out + start + 1, x->out + start, x->n - start);
        x->out[start] = ']';
        x->n++;
    }
    if (caret && x->n == start) {
        /* Nothing but a caret would negate. */
        x->n = start - 1;
        put(x, dash ? "(\\^|-)" : "\\^");
        return true;
    }
    if (caret)
        put_char(x, '^');
    if (dash)
        put_char(x, '-');
    put_char(x, ']');
    return true;
}

static bool
group(struct xlate *x)
{
    if (++x->depth > MAX_DEPTH)
        return fail(x, "nested too deeply");
    x->p++;
    put_char(x, '(');
    if (*x->p != '?')
        return true;
    if (x->p[1] != ':')
        return fail(x, "a kind of group that is not supported");
    x->p += 2;
    return true;
}

/* {n}, {n,}, {n,m}; any other brace stands for itself, as in Go. */
static bool
braces(struct xlate *x)
{
    const char *p = x->p + 1;
    long lo, hi;
    char *end;

    if (!isdigit((unsigned char)*p)) {
        put_literal(x, *x->p++);
        return true;
    }
    lo = hi = strtol(p, &end, 10);
    if (*end == ',')
        hi = isdigit((unsigned char)*++end) ? strtol(end, &end, 10) : lo;
    if (*end != '}') {
        put_literal(x, *x->p++);
        return true;
    }
    if (lo > MAX_COUNT || hi > MAX_COUNT || lo > hi)
        return fail(x, "a bad repeat count");
    x->counts *= hi > 1 ? hi : 1;
    if (x->counts > MAX_COUNT)
        return fail(x, "too much repetition");
    while (x->p <= end)
        put_char(x, *x->p++);
    return true;
}

static bool
piece(struct xlate *x)
{
    switch (*x->p) {
    case '\\':
        return escape(x);
    case '[':
        return bracket(x);
    case '(':
        return group(x);
    case ')':
        if (x->depth-- == 0)
            return fail(x, "unexpected )");
        put_char(x, *x->p++);
        return true;
    case '*':
    case '+':
    case '?':
        if (x->n == 0)
            return fail(x, "missing argument to repetition operator");
        put_char(x, *x->p++);
        x->p += *x->p == '?'; /* lazy */
        return true;
    case '{':
        return braces(x);
    default:
        put_char(x, *x->p++);
        return true;
    }
}

static bool
translate(struct xlate *x, const char *text, bool whole)
{
    x->p = text;
    if (strncmp(x->p, "(?i)", 4) == 0) {
        x->icase = true;
        x->p += 4;
    }
    if (whole)
        put(x, "^(");
    while (*x->p != '\0') {
        if (!piece(x))
            return false;
    }
    if (x->depth > 0)
        return fail(x, "missing closing )");
    if (whole)
        put(x, ")$");
    x->out[x->n] = '\0';
    return true;
}

static enum rt_status
compile(struct pregex *r, const char *option, const char *text, bool whole,
    struct rt_err *e)
{
    struct xlate x = {.counts = 1};
    char why[128];
    int code;

    r->set = false;
    if (text == NULL || *text == '\0')
        return RT_OK;
    if (strlen(text) > MAX_TEXT)
        return rt_errf(e, RT_EFORMAT, UINT64_MAX,
            "%s: the regular expression is too long", option);
    x.out = malloc(strlen(text) * 12 + 16);
    if (x.out == NULL)
        return rt_errf(e, RT_ENOMEM, UINT64_MAX, "out of memory");
    if (!translate(&x, text, whole)) {
        free(x.out);
        return rt_errf(e, RT_EFORMAT, UINT64_MAX, "%s: bad regular "
            "expression \"%.100s\": %s", option, text, x.why);
    }
    code = regcomp(&r->re, x.out,
        REG_EXTENDED | REG_NOSUB | (x.icase ? REG_ICASE : 0));
    free(x.out);
    if (code == 0) {
        r->set = true;
        return RT_OK;
    }
    regerror(code, &r->re, why, sizeof why);
    return rt_errf(e, code == REG_ESPACE ? RT_ENOMEM : RT_EFORMAT, UINT64_MAX,
        "%s: bad regular expression \"%.100s\": %s", option, text, why);
}

enum rt_status
pregex_compile(struct pregex *r, const char *option, const char *text,
    struct rt_err *e)
{
    return compile(r, option, text, false, e);
}

enum rt_status
pregex_compile_whole(struct pregex *r, const char *option, const char *text,
    struct rt_err *e)
{
    return compile(r, option, text, true, e);
}

bool
pregex_match(const struct pregex *r, const char *text)
{
    char cut[MAX_MATCHED + 1];

    if (!r->set)
        return false;
    /* A name of many megabytes is nobody's; libc would need a multiple of
     * its size to look at it. */
    if (strnlen(text, MAX_MATCHED + 1) > MAX_MATCHED) {
        memcpy(cut, text, MAX_MATCHED);
        cut[MAX_MATCHED] = '\0';
        text = cut;
    }
    return regexec(&r->re, text, 0, NULL, 0) == 0;
}

void
pregex_free(struct pregex *r)
{
    if (r->set)
        regfree(&r->re);
    r->set = false;
}
