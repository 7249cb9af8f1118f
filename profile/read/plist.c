/* SPDX-License-Identifier: MIT */
#include "profile/read/plist.h"

#include <stdlib.h>
#include <string.h>

#include "profile/read/pregex.h"
#include "profile/read/psource.h"

enum {
    MARGIN = 5,          /* lines shown before and after */
    MAX_SHOWN = 1 << 20  /* lines of one function */
};

static int
by_place(const void *pa, const void *pb, void *ctx)
{
    const struct pgraph *g = ctx;
    const struct pgraph_node *a = &g->nodes[*(const uint32_t *)pa];
    const struct pgraph_node *b = &g->nodes[*(const uint32_t *)pb];
    int c = strcmp(a->name, b->name);

    if (c == 0)
        c = strcmp(a->file, b->file);
    if (c == 0 && a->line != b->line)
        c = a->line < b->line ? -1 : 1;
    return c;
}

/* The first and the last line to show. */
static void
extent(const struct pgraph *g, const uint32_t *at, size_t n, int64_t *from,
    int64_t *to)
{
    size_t i;

    *from = INT64_MAX;
    *to = 0;
    for (i = 0; i < n; i++) {
        const struct pgraph_node *x = &g->nodes[at[i]];
        int64_t line = x->line < 0 ? 0 : x->line;
        int64_t start = x->start_line > 0 ? x->start_line : line - MARGIN;

        if (start < *from)
            *from = start;
        if (line < INT64_MAX - MARGIN && line + MARGIN > *to)
            *to = line + MARGIN;
    }
    if (*from < 1)
        *from = 1;
}

/* Several nodes of one line differ in mapping or start; they are added. */
static void
add_line(const struct pgraph *g, const uint32_t *at, size_t n, size_t *next,
    struct plist_line *y)
{
    while (*next < n && g->nodes[at[*next]].line < y->line)
        ++*next;
    for (; *next < n && g->nodes[at[*next]].line == y->line; ++*next) {
        y->flat += g->nodes[at[*next]].flat;
        y->cum += g->nodes[at[*next]].cum;
    }
}

static size_t
source_lines(const struct pgraph *g, const uint32_t *at, size_t n,
    const struct psource *src, int64_t from, int64_t to,
    struct plist_line *lines)
{
    size_t next = 0, k = 0;
    int64_t i;

    for (i = from; i <= to && i - from < MAX_SHOWN; i++) {
        struct plist_line y = {.line = i};

        y.text = psource_line(src, i, &y.len);
        if (y.text == NULL)
            break;
        add_line(g, at, n, &next, &y);
        lines[k++] = y;
    }
    return k;
}

static size_t
bare_lines(const struct pgraph *g, const uint32_t *at, size_t n,
    struct plist_line *lines)
{
    size_t next = 0, k = 0;

    while (next < n) {
        struct plist_line y = {.line = g->nodes[at[next]].line};

        add_line(g, at, n, &next, &y);
        lines[k++] = y;
    }
    return k;
}

/* One function in one file: n nodes, by line. */
static enum rt_status
one(struct preport *r, const uint32_t *at, size_t n,
    void (*fn)(void *arg, const struct plist_func *x), void *arg)
{
    const struct pgraph *g = r->g;
    struct plist_func x = {.name = g->nodes[at[0]].name,
        .file = g->nodes[at[0]].file};
    struct psource src = {0};
    struct plist_line *lines;
    struct rt_err why;
    int64_t from, to;
    size_t i, room;

    for (i = 0; i < n; i++) {
        x.flat += g->nodes[at[i]].flat;
        x.cum += g->nodes[at[i]].cum;
    }
    if (*x.file == '\0') {
        fn(arg, &x);
        return RT_OK;
    }
    if (psource_open(&src, x.file, r->opt.trim_path, r->opt.source_path,
        &why) != RT_OK) {
        if (why.code == RT_ENOMEM)
            return RT_ENOMEM;
        x.error = why.text;
    }
    extent(g, at, n, &from, &to);
    room = n;
    if (x.error == NULL && to >= from) {
        if (to > (int64_t)src.nlines)
            to = (int64_t)src.nlines;
        room = to >= from ? (size_t)(to - from + 1) : 0;
        if (room > MAX_SHOWN)
            room = MAX_SHOWN;
    }
    lines = calloc(room + 1, sizeof *lines);
    if (lines != NULL) {
        x.nlines = x.error != NULL ? bare_lines(g, at, n, lines)
            : source_lines(g, at, n, &src, from, to, lines);
        x.lines = lines;
        fn(arg, &x);
    }
    psource_close(&src);
    free(lines);
    return lines == NULL ? RT_ENOMEM : RT_OK;
}

/* Whether the name appears with a file somewhere in its run of nodes. */
static bool
has_file(const struct pgraph *g, const uint32_t *at, size_t n)
{
    /* Sorted: nodes without a file come first. */
    return *g->nodes[at[n - 1]].file != '\0';
}

static enum rt_status
walk(struct preport *r, const uint32_t *at, size_t n,
    void (*fn)(void *arg, const struct plist_func *x), void *arg)
{
    const struct pgraph *g = r->g;
    enum rt_status st = RT_OK;
    size_t i, j, k;

    for (i = 0; st == RT_OK && i < n; i = j) {
        for (j = i; j < n && g->nodes[at[j]].name == g->nodes[at[i]].name; j++)
            ;
        if (has_file(g, at + i, j - i)) {
            while (*g->nodes[at[i]].file == '\0')
                i++;
        }
        for (; st == RT_OK && i < j; i = k) {
            for (k = i; k < j && g->nodes[at[k]].file == g->nodes[at[i]].file;
                k++)
                ;
            st = one(r, at + i, k - i, fn, arg);
        }
    }
    return st;
}

enum rt_status
plist_each(struct preport *r, void (*fn)(void *arg, const struct plist_func *x),
    void *arg, struct rt_err *e)
{
    const struct pgraph *g = r->g;
    struct pregex re;
    enum rt_status st = pregex_compile(&re, "list", r->opt.symbol, e);
    uint32_t *at;
    size_t i, n = 0;

    if (st != RT_OK)
        return st;
    at = malloc((g->nshown + 1) * sizeof *at);
    for (i = 0; at != NULL && i < g->nshown; i++) {
        if (pregex_match(&re, g->nodes[g->shown[i]].name))
            at[n++] = g->shown[i];
    }
    pregex_free(&re);
    if (at != NULL)
        qsort_r(at, n, sizeof *at, by_place, (void *)(uintptr_t)g);
    if (at != NULL && n == 0)
        st = rt_errf(e, RT_EFORMAT, UINT64_MAX,
            "no matches found for regexp: %.200s", r->opt.symbol);
    else
        st = at == NULL ? RT_ENOMEM : walk(r, at, n, fn, arg);
    free(at);
    return st == RT_ENOMEM
        ? rt_errf(e, RT_ENOMEM, UINT64_MAX, "out of memory") : st;
}
