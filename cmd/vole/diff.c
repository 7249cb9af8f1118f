/* SPDX-License-Identifier: MIT */
#include "cmd/vole/diff.h"

#include <stdlib.h>
#include <string.h>

enum { CONTEXT = 3 };

struct text {
    const char **line; /* each with its end */
    size_t *len;
    unsigned n;
};

/* A pair of lines that match. */
struct pair {
    unsigned x, y;
};

struct diff {
    struct text x, y;
    struct pair *pairs; /* ascending in both; the last is the ends */
    unsigned n;
    FILE *out;
};

static bool
split(const char *s, struct text *t)
{
    size_t i, lines = 1, n = strlen(s);

    for (i = 0; i < n; i++)
        lines += s[i] == '\n';
    t->n = 0;
    t->line = calloc(lines, sizeof *t->line);
    t->len = calloc(lines, sizeof *t->len);
    if (t->line == NULL || t->len == NULL)
        return false;
    while (*s != 0) {
        const char *end = strchr(s, '\n');
        size_t k = end == NULL ? strlen(s) : (size_t)(end - s) + 1;

        t->line[t->n] = s;
        t->len[t->n++] = k;
        s += k;
    }
    return true;
}

static bool
same(const struct diff *d, unsigned x, unsigned y)
{
    return d->x.len[x] == d->y.len[y] &&
        memcmp(d->x.line[x], d->y.line[y], d->x.len[x]) == 0;
}

/* ---- lines that are there once in each ---------------------------------------------- */

struct place {
    const char *line;
    size_t len;
    unsigned at;
    bool of_y;
};

static int
by_line(const void *a, const void *b)
{
    const struct place *p = a, *q = b;
    int c = memcmp(p->line, q->line, p->len < q->len ? p->len : q->len);

    if (c != 0 || p->len != q->len)
        return c != 0 ? c : p->len < q->len ? -1 : 1;
    if (p->of_y != q->of_y)
        return p->of_y ? 1 : -1;
    return p->at < q->at ? -1 : p->at > q->at;
}

static int
by_x(const void *a, const void *b)
{
    const struct pair *p = a, *q = b;

    return p->x < q->x ? -1 : p->x > q->x;
}

/* *n pairs of lines that are there once in x and once in y, by x. */
static struct pair *
unique_pairs(struct diff *d, unsigned *n)
{
    unsigned total = d->x.n + d->y.n, i, k = 0, end;
    struct place *all = calloc(total + 1, sizeof *all);
    struct pair *out = calloc(total + 1, sizeof *out);

    *n = 0;
    for (i = 0; all != NULL && i < d->x.n; i++)
        all[k++] = (struct place){d->x.line[i], d->x.len[i], i, false};
    for (i = 0; all != NULL && i < d->y.n; i++)
        all[k++] = (struct place){d->y.line[i], d->y.len[i], i, true};
    if (k > 1)
        qsort(all, k, sizeof *all, by_line);
    for (i = 0; out != NULL && i < k; i = end) {
        for (end = i + 1; end < k && all[end].len == all[i].len &&
             memcmp(all[end].line, all[i].line, all[i].len) == 0;)
            end++;
        if (end == i + 2 && !all[i].of_y && all[i + 1].of_y)
            out[(*n)++] = (struct pair){all[i].at, all[i + 1].at};
    }
    free(all);
    if (*n > 1)
        qsort(out, *n, sizeof *out, by_x);
    return out;
}

/* Leaves of the pairs, which ascend in x, the longest run that ascends in y,
 * too.  tail[k] is the pair with which the best run of k + 1 ends. */
static bool
keep_ascending(struct pair *p, unsigned *n)
{
    unsigned *tail = calloc(*n + 1, sizeof *tail);
    unsigned *before = calloc(*n + 1, sizeof *before);
    unsigned i, k, len = 0;
    bool good = tail != NULL && before != NULL;

    for (i = 0; good && i < *n; i++) {
        unsigned lo = 0, hi = len;

        while (lo < hi) {
            unsigned mid = lo + (hi - lo) / 2;

            if (p[tail[mid]].y < p[i].y)
                lo = mid + 1;
            else
                hi = mid;
        }
        before[i] = lo == 0 ? i : tail[lo - 1];
        tail[lo] = i;
        len = lo == len ? len + 1 : len;
    }
    if (good && len > 0) {
        for (k = len, i = tail[len - 1]; k > 0; i = before[i])
            tail[--k] = i;
        for (k = 0; k < len; k++)
            p[k] = p[tail[k]];
    }
    *n = len;
    free(tail);
    free(before);
    return good;
}

/* ---- output ---------------------------------------------------------------------------- */

/* A part of the diff: lines done of both texts, and those of the open hunk. */
struct hunk {
    unsigned x, y;         /* done */
    unsigned at_x, at_y;   /* where the hunk begins */
    unsigned nx, ny;
    char *text;
    size_t size;
    FILE *lines;
};

static void
put(FILE *out, char mark, const struct text *t, unsigned i)
{
    fprintf(out, "%c%.*s", mark, (int)t->len[i], t->line[i]);
    if (t->line[i][t->len[i] - 1] != '\n')
        fputs("\n\\ No newline at end of file\n", out);
}

static void
put_same(struct diff *d, struct hunk *h, unsigned end)
{
    for (; h->x < end; h->x++, h->y++) {
        put(h->lines, ' ', &d->x, h->x);
        h->nx++;
        h->ny++;
    }
}

static void
close_hunk(struct diff *d, struct hunk *h)
{
    fflush(h->lines);
    fprintf(d->out, "@@ -%u,%u +%u,%u @@\n%.*s",
        h->nx > 0 ? h->at_x + 1 : h->at_x, h->nx,
        h->ny > 0 ? h->at_y + 1 : h->at_y, h->ny, (int)h->size,
        h->text == NULL ? "" : h->text);
    rewind(h->lines);
    h->nx = h->ny = 0;
}

/* Writes the changes up to the matching lines from (x, y) to (xe, ...). */
static void
step(struct diff *d, struct hunk *h, struct pair start, unsigned end)
{
    unsigned common = end - start.x;
    bool last = end == d->x.n && start.y + common == d->y.n;
    bool near;

    for (; h->x < start.x; h->x++, h->nx++)
        put(h->lines, '-', &d->x, h->x);
    for (; h->y < start.y; h->y++, h->ny++)
        put(h->lines, '+', &d->y, h->y);
    near = common < CONTEXT || (h->nx + h->ny > 0 && common < 2 * CONTEXT);
    if (!last && near) { /* to the next change, which joins this one */
        put_same(d, h, end);
        return;
    }
    if (h->nx + h->ny > 0) {
        put_same(d, h, h->x + (common < CONTEXT ? common : CONTEXT));
        close_hunk(d, h);
    }
    if (last)
        return;
    h->x = end - CONTEXT;
    h->y = start.y + common - CONTEXT;
    h->at_x = h->x;
    h->at_y = h->y;
    put_same(d, h, end);
}

static bool
write_hunks(struct diff *d)
{
    struct hunk h = {0};
    unsigned i;

    h.lines = open_memstream(&h.text, &h.size);
    if (h.lines == NULL)
        return false;
    for (i = 0; i < d->n; i++) {
        struct pair start = d->pairs[i];
        unsigned end;

        if (start.x < h.x)
            continue; /* matched on the way to another */
        while (start.x > h.x && start.y > h.y &&
            same(d, start.x - 1, start.y - 1)) {
            start.x--;
            start.y--;
        }
        for (end = start.x; end < d->x.n &&
             start.y + (end - start.x) < d->y.n &&
             same(d, end, start.y + (end - start.x));)
            end++;
        step(d, &h, start, end);
    }
    fclose(h.lines);
    free(h.text);
    return true;
}

bool
diff_write(FILE *out, const char *old_name, const char *old,
    const char *new_name, const char *new)
{
    struct diff d = {.out = out};
    bool good;

    if (strcmp(old, new) == 0)
        return true;
    good = split(old, &d.x) && split(new, &d.y);
    d.pairs = good ? unique_pairs(&d, &d.n) : NULL;
    good = d.pairs != NULL && keep_ascending(d.pairs, &d.n);
    if (good) {
        memmove(d.pairs + 1, d.pairs, d.n * sizeof *d.pairs);
        d.pairs[0] = (struct pair){0, 0};
        d.pairs[d.n + 1] = (struct pair){d.x.n, d.y.n};
        d.n += 2;
        fprintf(out, "diff %s %s\n--- %s\n+++ %s\n", old_name, new_name,
            old_name, new_name);
        good = write_hunks(&d);
    }
    free(d.pairs);
    free(d.x.line);
    free(d.x.len);
    free(d.y.line);
    free(d.y.len);
    return good;
}
