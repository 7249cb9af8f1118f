/* SPDX-License-Identifier: MIT */
/* Tables and paragraphs that fit the terminal. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/common/out.h"

enum {
    GAP = 2,        /* between two columns */
    MIN_TEXT = 12   /* an elastic column is not made narrower */
};

void
out_table_init(struct out_table *t, const char *align)
{
    memset(t, 0, sizeof *t);
    t->ncols = (int)strlen(align);
    memcpy(t->align, align, (size_t)t->ncols);
}

static bool
room(struct out_table *t)
{
    size_t cap = t->cap == 0 ? 32 : t->cap * 2;
    char **p;

    if (t->nrows < t->cap)
        return true;
    p = realloc(t->cells, cap * (size_t)t->ncols * sizeof *p);
    if (p == NULL)
        return false;
    t->cells = p;
    t->cap = cap;
    return true;
}

void
out_table_row(struct out_table *t, const char *const *cells)
{
    int i;

    if (t->oom || !room(t)) {
        t->oom = true;
        return;
    }
    for (i = 0; i < t->ncols; i++) {
        char *c = strdup(cells[i]);

        if (c == NULL)
            t->oom = true;
        t->cells[t->nrows * (size_t)t->ncols + (size_t)i] = c;
    }
    t->nrows++;
}

/* Cells that a text takes, all its characters being one wide. */
static int
width_of(const char *s)
{
    int n = 0;

    for (; s != NULL && *s != '\0'; s++)
        n += (*s & 0xc0) != 0x80;
    return n;
}

static void
pad(struct out *o, int n)
{
    if (n > 0)
        fprintf(o->f, "%*s", n, "");
}

void
out_cell(struct out *o, const char *s, int width)
{
    int w = width_of(s);

    pad(o, width - w);
    fputs(s, o->f);
    pad(o, -width - w);
}

/* ---- what fits */

struct layout {
    int width[OUT_COLS];
    int indent;
    bool hidden[OUT_COLS];
};

static bool
is_text(char align)
{
    return align == 'L' || align == 'F';
}

static int
line_width(const struct layout *y, const struct out_table *t)
{
    int i, sum = y->indent - GAP;

    for (i = 0; i < t->ncols; i++)
        sum += y->hidden[i] ? 0 : y->width[i] + GAP;
    return sum;
}

static void
measure(struct layout *y, const struct out_table *t)
{
    size_t r, i, n = (size_t)t->ncols;

    for (r = 0; r < t->nrows; r++) {
        for (i = 0; i < n; i++) {
            int w = width_of(t->cells[r * n + i]);

            if (w > y->width[i])
                y->width[i] = w;
        }
    }
}

/* Takes from the widest text that can give something, until the line fits. */
static void
squeeze(struct layout *y, const struct out_table *t, int most)
{
    int over = line_width(y, t) - most;

    while (over > 0) {
        int i, widest = -1;

        for (i = 0; i < t->ncols; i++) {
            if (is_text(t->align[i]) && y->width[i] > MIN_TEXT &&
                (widest < 0 || y->width[i] > y->width[widest]))
                widest = i;
        }
        if (widest < 0)
            return;
        y->width[widest]--;
        over--;
    }
}

/* The column behind the last of those from `first` on that fit beside column
 * 0, which begins every line. */
static int
fitting(const struct layout *y, const struct out_table *t, int first,
    int most)
{
    int at = y->indent + (first == 0 ? 0 : y->width[0] + GAP), i;

    for (i = first; i < t->ncols; i++) {
        int w = y->hidden[i] ? 0 : y->width[i];

        if (at + w > most && i > first + (first == 0))
            return i;
        at += w == 0 ? 0 : w + GAP;
    }
    return i;
}

/* ---- printing */

/* The bytes of s's first n characters. */
static size_t
bytes_of(const char *s, int n)
{
    const char *p = s;

    while (*p != '\0' && n-- > 0) {
        do
            p++;
        while ((*p & 0xc0) == 0x80);
    }
    return (size_t)(p - s);
}

/* A text of w characters in fewer: a name of a function keeps its end, which
 * tells more than its package. */
static void
put_cut(struct out *o, const char *s, int w, int width, char align)
{
    const char *mark = o->utf8 ? "\342\200\246" : "~";

    if (align == 'F')
        fprintf(o->f, "%s%s", mark, s + bytes_of(s, w - width + 1));
    else
        fprintf(o->f, "%.*s%s", (int)bytes_of(s, width - 1), s, mark);
}

static void
put_cell(struct out *o, const struct layout *y, const struct out_table *t,
    const char *s, int i, bool last)
{
    int w = width_of(s);

    if (t->align[i] == 'r')
        pad(o, y->width[i] - w);
    if (w > y->width[i])
        put_cut(o, s, w, y->width[i], t->align[i]);
    else
        fputs(s, o->f);
    if (t->align[i] != 'r' && !last)
        pad(o, y->width[i] - w);
}

static bool
is_empty(const char *s)
{
    return s == NULL || *s == '\0';
}

/* Columns from .. to - 1 of a row, after column 0 if that is not the first. */
static void
put_row(struct out *o, const struct layout *y, const struct out_table *t,
    size_t row, int from, int to)
{
    char **c = t->cells + row * (size_t)t->ncols;
    int i;

    while (to > from && (is_empty(c[to - 1]) || y->hidden[to - 1]))
        to--;
    pad(o, y->indent);
    if (from > 0)
        put_cell(o, y, t, is_empty(c[0]) ? "" : c[0], 0, to == from);
    for (i = from; i < to; i++) {
        if (y->hidden[i])
            continue;
        if (i > 0)
            pad(o, GAP);
        put_cell(o, y, t, is_empty(c[i]) ? "" : c[i], i, i + 1 == to);
    }
}

static void
put_block(struct out *o, const struct layout *y, const struct out_table *t,
    int from, int to)
{
    size_t r;

    for (r = 0; r < t->nrows; r++) {
        fputs(r == 0 ? out_style(o, OUT_DIM) : "", o->f);
        put_row(o, y, t, r, from, to);
        fputs(r == 0 ? out_style(o, OUT_PLAIN) : "", o->f);
        fputc('\n', o->f);
    }
}

void
out_table_print(struct out *o, struct out_table *t, int indent)
{
    struct layout y = {.indent = indent};
    size_t i;
    int from = 0, to;

    o->nomem |= t->oom;
    measure(&y, t);
    for (to = 0; to < t->ncols; to++)
        y.hidden[to] = t->align[to] == 'B' && line_width(&y, t) > o->width;
    squeeze(&y, t, o->width);
    do {
        to = fitting(&y, t, from, o->width);
        if (from > 0)
            fputc('\n', o->f);
        put_block(o, &y, t, from, to);
        from = to;
    } while (from < t->ncols);
    for (i = 0; i < t->nrows * (size_t)t->ncols; i++)
        free(t->cells[i]);
    free(t->cells);
    memset(t, 0, sizeof *t);
}

/* ---- paragraphs */

/* The end of the word at s: a number stays with its unit. */
static const char *
word_end(const char *s)
{
    const char *p = s;

    for (;;) {
        while (*p != '\0' && *p != ' ')
            p++;
        if (*p == '\0' || p == s || p[-1] < '0' || p[-1] > '9' ||
            strchr("%BkMGTPEnmsu\302", p[1]) == NULL)
            return p;
        p++;
    }
}

/* Cells of n bytes; a change of colour takes none. */
static int
width_within(const char *s, size_t n)
{
    size_t i;
    int w = 0;

    for (i = 0; i < n; i++) {
        if (s[i] == '\033') {
            while (i < n && s[i] != 'm')
                i++;
        } else {
            w += (s[i] & 0xc0) != 0x80;
        }
    }
    return w;
}

static void
fill(struct out *o, const char *s, int rest)
{
    bool first = true;
    int at = 0;

    while (*s != '\0') {
        const char *end = word_end(s);
        int w = width_within(s, (size_t)(end - s));

        if (!first && at + 1 + w > o->width && at > rest) {
            fputc('\n', o->f);
            pad(o, rest);
            at = rest;
        } else if (!first) {
            fputc(' ', o->f);
            at++;
        }
        fwrite(s, 1, (size_t)(end - s), o->f);
        at += w;
        first = false;
        s = *end == ' ' ? end + 1 : end;
    }
    fputc('\n', o->f);
}

void
out_fill(struct out *o, int rest, const char *fmt, ...)
{
    char *text;
    va_list ap;
    int n;

    va_start(ap, fmt);
    n = vasprintf(&text, fmt, ap);
    va_end(ap);
    if (n < 0) {
        o->nomem = true;
        return;
    }
    fill(o, text, rest);
    free(text);
}
