/* SPDX-License-Identifier: MIT */
/* Directives in comments, and messages about single characters. */
#include "runtime/lang/syntax/scan_int.h"

#include <stdio.h>
#include <string.h>

#include "runtime/base/arena.h"
#include "runtime/lang/syntax/ast.h"
#include "runtime/lang/syntax/uniclass.h"

/* Larger lines and columns in a directive are errors, as in Go. */
enum {
    LINE_MAX_VALUE = 1 << 30
};

/* Whether Go's %q shows the character itself. */
static int
printable(uint32_t c)
{
    static const uint32_t hidden[][2] = {{0x7f, 0xa0}, {0xad, 0xad},
        {0x61c, 0x61c}, {0x1680, 0x1680}, {0x180e, 0x180e}, {0x2000, 0x200f},
        {0x2028, 0x202f}, {0x205f, 0x206f}, {0x3000, 0x3000}, {0xd800, 0xf8ff},
        {0xfeff, 0xfeff}, {0xfff0, 0xfffb}, {0xfffe, 0xffff},
        {0xe0000, UINT32_MAX}};
    size_t i;

    if (c < ' ')
        return 0;
    for (i = 0; i < sizeof hidden / sizeof hidden[0]; i++)
        if (c >= hidden[i][0] && c <= hidden[i][1])
            return 0;
    return 1;
}

const char *
scan_quote_char(uint32_t c, char *buf)
{
    static const char from[] = "\a\b\f\n\r\t\v\\'", to[] = "abfnrtv\\'";
    const char *at = c != 0 && c < 0x80 ? strchr(from, (int)c) : NULL;

    if (at != NULL) {
        sprintf(buf, "'\\%c'", to[at - from]);
    } else if (printable(c)) {
        char utf[4];

        sprintf(buf, "'%.*s'", lang_utf8_encode(c, utf), utf);
    } else if (c < 0x80) {
        sprintf(buf, "'\\x%02x'", c);
    } else {
        sprintf(buf, c < 0x10000 ? "'\\u%04x'" : "'\\U%08x'", c);
    }
    return buf;
}

const char *
scan_unicode_char(uint32_t c, char *buf)
{
    int n = sprintf(buf, "U+%04X", c);

    if (printable(c) && c <= 0x10ffff) {
        char utf[4];

        sprintf(buf + n, " '%.*s'", lang_utf8_encode(c, utf), utf);
    }
    return buf;
}

void
scan_bad_char(struct scan *s, lang_pos pos, uint32_t c, const char *tail)
{
    char buf[32];

    if (scan_said(s, tail[0] == '\0' ? c : SCAN_BAD_IN_NAME | c))
        return;
    lang_errf(s->diag, pos, "invalid character %s%s", scan_unicode_char(c, buf),
        tail);
}

void
scan_bad_digit(struct scan *s, lang_pos pos, uint32_t c)
{
    char buf[32];

    scan_said(s, SCAN_BAD_DIGIT);
    lang_errf(s->diag, pos, "identifier cannot begin with digit %s",
        scan_unicode_char(c, buf));
}

static void
go_directive(struct scan *s, const uint8_t *from, const uint8_t *to)
{
    struct ast_directive *d = rt_arena_alloc(s->arena, sizeof *d);

    if (d == NULL) {
        s->nomem = 1;
        return;
    }
    while (to > from && (to[-1] == '\r' || to[-1] == ' ' || to[-1] == '\t'))
        to--;
    d->next = s->dirs;
    d->pos = scan_pos_at(s, from);
    d->text = (const char *)from + 2;
    d->len = (uint32_t)(to - from) - 2;
    s->dirs = d;
}

/* The last `:` of [from, to), or NULL. */
static const uint8_t *
last_colon(const uint8_t *from, const uint8_t *to)
{
    return memrchr(from, ':', (size_t)(to - from));
}

/* The decimal number [from, to): 1 and *n, 0 = not a number.  One that is too
 * large counts as 0, which is as wrong. */
static int
number(const uint8_t *from, const uint8_t *to, uint32_t *n)
{
    uint32_t big = 0;
    uint64_t x = 0;

    if (from == to)
        return 0;
    for (; from < to; from++) {
        if (*from < '0' || *from > '9')
            return 0;
        x = x * 10 + (uint64_t)(*from - '0');
        if (x > LINE_MAX_VALUE)
            x = big = LINE_MAX_VALUE + 1u;
    }
    *n = big != 0 ? 0 : (uint32_t)x;
    return 1;
}

/* The name that a directive without one keeps. */
static const char *
current_name(const struct lang_file *f)
{
    return f->ndir == 0 ? f->name : f->dir[f->ndir - 1].name;
}

static const char *
copy(struct scan *s, const uint8_t *from, const uint8_t *to)
{
    size_t n = (size_t)(to - from);
    char *p = rt_arena_alloc(s->arena, n + 1);

    if (p == NULL) {
        s->nomem = 1;
        return NULL;
    }
    memcpy(p, from, n);
    p[n] = '\0';
    return p;
}

static void
bad_number(
    struct scan *s, const uint8_t *from, const uint8_t *to, const char *what)
{
    lang_errf(s->diag, scan_pos_at(s, from), "invalid %s number: %.*s", what,
        (int)(to - from), (const char *)from);
}

/* [from, to) is `file:line` or `file:line:col`; next is the first byte that
 * it holds for. */
static void
line_directive(
    struct scan *s, const uint8_t *from, const uint8_t *to, const uint8_t *next)
{
    const uint8_t *c1, *c2;
    uint32_t line = 0, col = 0, n;
    const char *name;

    c1 = last_colon(from, to);
    if (c1 == NULL)
        return;
    if (!number(c1 + 1, to, &line)) {
        bad_number(s, c1 + 1, to, "line");
        return;
    }
    c2 = last_colon(from, c1);
    if (c2 != NULL && number(c2 + 1, c1, &n)) {
        col = line;
        line = n;
        if (col == 0) {
            bad_number(s, c1 + 1, to, "column");
            return;
        }
        to = c1;
        c1 = c2;
    }
    if (line == 0) {
        bad_number(s, c1 + 1, to, "line");
        return;
    }
    name = c1 == from && col != 0 ? current_name(s->file) : copy(s, from, c1);
    if (name == NULL || lang_file_line_dir(s->file, (uint32_t)(next - s->text),
                            name, line, col) != RT_OK)
        s->nomem = 1;
}

void
scan_directive(
    struct scan *s, const uint8_t *from, const uint8_t *to, int block)
{
    int at_bol = from == s->text || from[-1] == '\n';
    const uint8_t *last = to;

    if (to - from < 5 || (from[2] != 'g' && from[2] != 'l'))
        return;
    if (!block && memcmp(from + 2, "go:", 3) == 0) {
        go_directive(s, from, to);
        return;
    }
    if (to - from < 7 || memcmp(from + 2, "line ", 5) != 0)
        return;
    if (block) {
        line_directive(s, from + 7, to - 2, to);
        return;
    }
    if (!at_bol)
        return;
    if (last[-1] == '\r')
        last--;
    line_directive(s, from + 7, last, to < s->end ? to + 1 : to);
}
