/* SPDX-License-Identifier: MIT */
#include "profile/wire/tab.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/throw.h"

enum { TAB = 8, PADDING = 1 };

/* Cells that end at a tab, and the widths that their columns get. */
enum { MAX_COLS = 8 };

struct line {
    const char *s;
    size_t n;               /* without the newline */
    unsigned ncells;
    size_t width[MAX_COLS]; /* characters of each cell, then of its column */
};

static size_t
characters(const char *s, size_t n)
{
    size_t k = 0;

    for (size_t i = 0; i < n; i++)
        k += (s[i] & 0xc0) != 0x80; /* not the rest of a UTF-8 sequence */
    return k;
}

static void
measure(struct line *l)
{
    const char *s = l->s, *end = l->s + l->n, *tab;

    l->ncells = 0;
    while (l->ncells < MAX_COLS &&
        (tab = memchr(s, '\t', (size_t)(end - s))) != NULL) {
        l->width[l->ncells++] = characters(s, (size_t)(tab - s));
        s = tab + 1;
    }
}

/* Makes every cell of column c in lines a..b-1 as wide as the widest. */
static void
level(struct line *v, size_t a, size_t b, unsigned c)
{
    size_t w = 0;

    for (size_t i = a; i < b; i++)
        if (v[i].width[c] + PADDING > w)
            w = v[i].width[c] + PADDING;
    w = (w + TAB - 1) / TAB * TAB;
    for (size_t i = a; i < b; i++)
        v[i].width[c] = w;
}

static void
columns(struct line *v, size_t n)
{
    for (unsigned c = 0; c < MAX_COLS; c++)
        for (size_t i = 0; i < n;) {
            size_t k = i;

            while (k < n && v[k].ncells > c)
                k++;
            if (k > i)
                level(v, i, k, c);
            i = k + (k == i);
        }
}

static void
put_line(struct wire_buf *out, const struct line *l)
{
    const char *s = l->s, *end = l->s + l->n;

    for (unsigned c = 0; c < l->ncells; c++) {
        const char *tab = memchr(s, '\t', (size_t)(end - s));
        size_t w = characters(s, (size_t)(tab - s));

        rt_assert(w < l->width[c]); /* its column was levelled with it */
        wire_buf_put(out, s, (size_t)(tab - s));
        for (; w < l->width[c]; w = w / TAB * TAB + TAB)
            wire_buf_put(out, "\t", 1);
        s = tab + 1;
    }
    wire_buf_put(out, s, (size_t)(end - s));
    wire_buf_put(out, "\n", 1);
}

/* The lines that are open go out. */
static void
close_columns(struct wire_tab *t)
{
    const char *s = (const char *)t->cur.data, *end = s + t->line;
    size_t n = 0, i = 0;
    struct line *v;

    for (const char *p = s; p < end; p++)
        n += *p == '\n';
    if (n == 0)
        return;
    v = malloc(n * sizeof *v);
    if (v == NULL) {
        t->out.failed = true;
        return;
    }
    for (; i < n; i++) {
        const char *nl = memchr(s, '\n', (size_t)(end - s));

        rt_assert(nl != NULL);
        v[i].s = s;
        v[i].n = (size_t)(nl - s);
        measure(&v[i]);
        s = nl + 1;
    }
    columns(v, n);
    for (i = 0; i < n; i++)
        put_line(&t->out, &v[i]);
    free(v);
    rt_assert(t->line <= t->cur.n && s == end);
    memmove(t->cur.data, t->cur.data + t->line, t->cur.n - t->line);
    t->cur.n -= t->line;
    t->line = 0;
}

/* A line has been completed: one without columns closes those before it. */
static void
line_done(struct wire_tab *t, size_t end)
{
    const uint8_t *p = t->cur.data + t->line;
    bool plain = memchr(p, '\t', end - t->line) == NULL;

    t->line = end;
    if (plain)
        close_columns(t);
}

void
wire_tabf(struct wire_tab *t, const char *fmt, ...)
{
    char small[512], *s = small;
    va_list ap;
    size_t from;
    int n;

    va_start(ap, fmt);
    n = vsnprintf(small, sizeof small, fmt, ap);
    va_end(ap);
    if (n >= (int)sizeof small && (s = malloc((size_t)n + 1)) != NULL) {
        va_start(ap, fmt);
        vsnprintf(s, (size_t)n + 1, fmt, ap);
        va_end(ap);
    }
    if (n < 0 || s == NULL) {
        t->out.failed = true;
        return;
    }
    from = t->cur.n;
    if (wire_buf_put(&t->cur, s, (size_t)n))
        while (from < t->cur.n) {
            const uint8_t *nl =
                memchr(t->cur.data + from, '\n', t->cur.n - from);
            size_t open;

            if (nl == NULL)
                break;
            from = (size_t)(nl - t->cur.data) + 1;
            open = t->cur.n - from;
            line_done(t, from);
            from = t->cur.n - open;
        }
    if (s != small)
        free(s);
}

bool
wire_tab_flush(struct wire_tab *t)
{
    close_columns(t);
    return !t->out.failed && !t->cur.failed;
}

void
wire_tab_free(struct wire_tab *t)
{
    wire_buf_free(&t->out);
    wire_buf_free(&t->cur);
}
