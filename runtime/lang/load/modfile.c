/* SPDX-License-Identifier: MIT */
#include "runtime/lang/load/modfile.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/base/arena.h"
#include "runtime/base/throw.h"
#include "runtime/lang/load/modfile_int.h"

bool
modfile_valid(const struct modfile *f)
{
    unsigned i, k;

    if (f->n > f->cap)
        return false;
    for (i = 0; i < f->n; i++) {
        const struct stmt *x = f->at[i];

        if (x->kind == LINE ? x->line == NULL || x->line->in_block
                            : x->line != NULL)
            return false;
        if (x->kind == BLOCK && x->word.n == 0)
            return false;
        if (x->kind != BLOCK && (x->lines.n != 0 || x->word.n != 0))
            return false;
        for (k = 0; k < x->lines.n; k++)
            if (!x->lines.at[k]->in_block)
                return false;
    }
    return true;
}

void
modfile_insert(struct modfile *f, unsigned at, struct stmt *x)
{
    rt_assert(at <= f->n);
    f->at = rt_arena_more(f->a, f->at, f->n, &f->cap, sizeof(*f->at));
    memmove(&f->at[at + 1], &f->at[at], (f->n - at) * sizeof(*f->at));
    f->at[at] = x;
    f->n++;
}

void
modfile_push(struct modfile *f, struct lines *l, struct line *x)
{
    l->at = rt_arena_more(f->a, l->at, l->n, &l->cap, sizeof(*l->at));
    l->at[l->n++] = x;
}

struct stmt *
modfile_stmt(struct modfile *f, enum stmt_kind kind)
{
    struct stmt *x = rt_arena_alloc(f->a, sizeof *x);

    x->kind = kind;
    return x;
}

/* ---- reading ---------------------------------------------------------------------- */

struct reader {
    struct modfile *f;
    const char *p, *end;
    struct paths_list word;
    const char *comment; /* of the line, or NULL */
};

/* The end of the word at s, which may be quoted. */
static const char *
word_end(const char *s, const char *end)
{
    char quote = *s;

    if (strchr("()[]{},", quote) != NULL)
        return s + 1;
    if (quote == '"' || quote == '`') {
        for (s++; s < end && *s != quote && *s != '\n'; s++)
            if (*s == '\\' && quote == '"' && s + 1 < end)
                s++;
        return s < end ? s + 1 : end;
    }
    while (s < end && strchr(" \t\r\n()[]{},", *s) == NULL &&
        (*s != '/' || s + 1 >= end || s[1] != '/'))
        s++;
    return s;
}

/* A word without quotes that it does not need. */
static const char *
plain(struct rt_arena *a, const char *s, size_t n)
{
    const char *in = rt_arena_strndup(a, s + 1, n < 2 ? 0 : n - 2);

    if ((*s != '"' && *s != '`') || *in == 0 || n < 2 ||
        strpbrk(in, " \t\r\n()[]{},\"'`\\") != NULL ||
        strstr(in, "//") != NULL || strstr(in, "/*") != NULL)
        return rt_arena_strndup(a, s, n);
    return in;
}

/* The words and the comment of the next line; false at the end. */
static bool
next_line(struct reader *r)
{
    struct rt_arena *a = r->f->a;

    r->word = (struct paths_list){0};
    r->comment = NULL;
    if (r->p >= r->end)
        return false;
    while (r->p < r->end && *r->p != '\n') {
        const char *s = r->p;

        if (*s == ' ' || *s == '\t' || *s == '\r') {
            r->p++;
        } else if (*s == '/' && s + 1 < r->end && s[1] == '/') {
            while (r->p < r->end && *r->p != '\n')
                r->p++;
            while (r->p > s && strchr(" \t\r", r->p[-1]) != NULL)
                r->p--;
            r->comment = rt_arena_strndup(a, s, (size_t)(r->p - s));
            while (r->p < r->end && *r->p != '\n')
                r->p++;
        } else {
            r->p = word_end(s, r->end);
            rt_assert(r->p > s);
            paths_push(a, &r->word, plain(a, s, (size_t)(r->p - s)));
        }
    }
    r->p += r->p < r->end;
    return true;
}

static struct line *
line_of(struct reader *r)
{
    struct line *x = rt_arena_alloc(r->f->a, sizeof *x);

    x->word = r->word;
    if (r->comment != NULL)
        paths_push(r->f->a, &x->suffix, r->comment);
    return x;
}

/* The lines up to ")". */
static void
read_block(struct reader *r, struct stmt *b)
{
    struct rt_arena *a = r->f->a;
    struct paths_list before = {0};

    while (next_line(r)) {
        if (r->word.n == 0 && r->comment != NULL) {
            paths_push(a, &before, r->comment);
        } else if (r->word.n == 0) {
            if (before.n == 0 ? b->lines.n > 0
                              : *before.at[before.n - 1] != 0)
                paths_push(a, &before, "");
        } else if (strcmp(r->word.at[0], ")") == 0) {
            if (before.n != 1 || *before.at[0] != 0)
                b->close = before;
            if (r->comment != NULL)
                paths_push(a, &b->suffix, r->comment);
            return;
        } else {
            struct line *x = line_of(r);

            x->before = before;
            x->in_block = true;
            before = (struct paths_list){0};
            modfile_push(r->f, &b->lines, x);
        }
    }
}

static void
read_stmt(struct reader *r, struct paths_list *before)
{
    struct paths_list *w = &r->word;
    bool open = w->n > 1 && strcmp(w->at[w->n - 1], "(") == 0;
    bool empty = w->n > 2 && strcmp(w->at[w->n - 2], "(") == 0 &&
        strcmp(w->at[w->n - 1], ")") == 0;
    struct stmt *x = modfile_stmt(r->f, open || empty ? BLOCK : LINE);

    modfile_insert(r->f, r->f->n, x);
    if (x->kind == LINE) {
        x->line = line_of(r);
        x->line->before = *before;
        return;
    }
    x->before = *before;
    w->n -= open ? 1 : 2;
    x->word = *w;
    if (r->comment != NULL)
        paths_push(r->f->a, open ? &x->open : &x->suffix, r->comment);
    if (open)
        read_block(r, x);
}

struct modfile *
modfile_parse(struct rt_arena *a, const char *text, size_t len)
{
    struct modfile *f = rt_arena_alloc(a, sizeof *f);
    struct reader r = {.f = f, .p = text, .end = text + len};
    struct paths_list before = {0};

    f->a = a;
    for (;;) {
        bool more = next_line(&r);

        if (more && r.word.n == 0 && r.comment != NULL) {
            paths_push(a, &before, r.comment);
            continue;
        }
        if (more && r.word.n != 0) {
            read_stmt(&r, &before);
        } else if (before.n != 0) {
            struct stmt *x = modfile_stmt(f, COMMENTS);

            x->before = before;
            modfile_insert(f, f->n, x);
        }
        before = (struct paths_list){0};
        if (!more)
            break;
    }
    rt_assert_full(modfile_valid(f));
    return f;
}

/* ---- writing ---------------------------------------------------------------------- */

struct printer {
    char *text;
    size_t n, cap;
    struct rt_arena *a;
    struct paths_list suffix; /* comments for the end of the line */
    int margin;
};

static void
put(struct printer *p, const char *s)
{
    size_t n = strlen(s);

    if (p->n + n + 1 > p->cap) {
        size_t cap = (p->n + n + 1) * 2;
        char *more = rt_arena_alloc(p->a, cap);

        if (p->n != 0)
            memcpy(more, p->text, p->n);
        p->text = more;
        p->cap = cap;
    }
    memcpy(p->text + p->n, s, n + 1);
    p->n += n;
}

static void
trim(struct printer *p)
{
    while (p->n > 0 && (p->text[p->n - 1] == ' ' || p->text[p->n - 1] == '\t'))
        p->text[--p->n] = 0;
}

static void
indent(struct printer *p)
{
    int i;

    for (i = 0; i < p->margin; i++)
        put(p, "\t");
}

/* Ends a line; of empty ones there is one at most, and none at the top. */
static void
newline(struct printer *p)
{
    unsigned i;

    for (i = 0; i < p->suffix.n; i++) {
        if (i > 0) {
            trim(p);
            put(p, "\n");
            indent(p);
        } else {
            put(p, " ");
        }
        put(p, p->suffix.at[i]);
    }
    p->suffix.n = 0;
    trim(p);
    if (p->n > 0 &&
        (p->n < 2 || p->text[p->n - 1] != '\n' || p->text[p->n - 2] != '\n'))
        put(p, "\n");
    indent(p);
}

static void
put_before(struct printer *p, const struct paths_list *l)
{
    unsigned i;

    if (l->n == 0)
        return;
    trim(p);
    if (p->n > 0 && p->text[p->n - 1] != '\n')
        put(p, "\n");
    indent(p);
    for (i = 0; i < l->n; i++) {
        put(p, l->at[i]);
        newline(p);
    }
}

static void
put_suffix(struct printer *p, const struct paths_list *l)
{
    unsigned i;

    for (i = 0; i < l->n; i++)
        paths_push(p->a, &p->suffix, l->at[i]);
}

static void
put_words(struct printer *p, const struct paths_list *l)
{
    const char *sep = "";
    unsigned i;

    for (i = 0; i < l->n; i++) {
        if (strchr(",)]}", *l->at[i]) != NULL)
            sep = "";
        put(p, sep);
        put(p, l->at[i]);
        sep = strchr("([{", *l->at[i]) != NULL ? "" : " ";
    }
}

static void
put_line(struct printer *p, const struct line *x)
{
    put_before(p, &x->before);
    put_words(p, &x->word);
    put_suffix(p, &x->suffix);
}

static void
put_block(struct printer *p, const struct stmt *x)
{
    unsigned i;

    put_before(p, &x->before);
    put_words(p, &x->word);
    put(p, " (");
    put_suffix(p, &x->open);
    p->margin++;
    for (i = 0; i < x->lines.n; i++) {
        newline(p);
        put_line(p, x->lines.at[i]);
    }
    p->margin--;
    newline(p);
    put_before(p, &x->close);
    put(p, ")");
    put_suffix(p, &x->suffix);
}

static void
put_stmt(struct printer *p, const struct stmt *x)
{
    switch (x->kind) {
    case COMMENTS:
        put_before(p, &x->before);
        return;
    case LINE:
        put_line(p, x->line);
        break;
    case BLOCK:
        put_block(p, x);
        break;
    }
    newline(p);
}

/* ---- cleaning up --------------------------------------------------------------------- */

static void
append_all(struct modfile *f, struct paths_list *to,
    const struct paths_list *from)
{
    unsigned i;

    for (i = 0; i < from->n; i++)
        paths_push(f->a, to, from->at[i]);
}

/* A block of one line is a line. */
static void
collapse(struct modfile *f, struct stmt *x)
{
    struct line *old = x->lines.at[0], *new;

    new = rt_arena_alloc(f->a, sizeof *new);
    append_all(f, &new->word, &x->word);
    append_all(f, &new->word, &old->word);
    append_all(f, &new->before, &x->before);
    append_all(f, &new->before, &old->before);
    append_all(f, &new->suffix, &old->suffix);
    append_all(f, &new->suffix, &x->suffix);
    *x = (struct stmt){.kind = LINE, .line = new};
}

void
modfile_clean(struct modfile *f)
{
    unsigned i, k, n = 0, left;

    for (i = 0; i < f->n; i++) {
        struct stmt *x = f->at[i];

        if (x->kind == LINE && x->line->word.n == 0)
            continue;
        for (k = 0, left = 0; k < x->lines.n; k++)
            if (x->lines.at[k]->word.n != 0)
                x->lines.at[left++] = x->lines.at[k];
        x->lines.n = left;
        if (x->kind == BLOCK && left == 0)
            continue;
        if (x->kind == BLOCK && left == 1 && x->close.n == 0)
            collapse(f, x);
        f->at[n++] = x;
    }
    f->n = n;
    rt_assert_full(modfile_valid(f));
}

char *
modfile_format(struct modfile *f, size_t *len)
{
    struct printer p = {.a = f->a};
    unsigned i;

    rt_assert_full(modfile_valid(f));
    put(&p, "");
    for (i = 0; i < f->n; i++) {
        put_stmt(&p, f->at[i]);
        if (i + 1 < f->n)
            newline(&p);
    }
    while (p.n > 0 && p.text[p.n - 1] == '\n' &&
        (p.n == 1 || p.text[p.n - 2] == '\n'))
        p.text[--p.n] = 0;
    *len = p.n;
    return p.text;
}
