/* SPDX-License-Identifier: MIT */
#include "runtime/lang/load/clause.h"

#include <string.h>

#include "runtime/base/arena.h"
#include "runtime/base/throw.h"
#include "runtime/lang/load/paths.h"

struct head {
    struct rt_arena *a;
    struct clause *c;
    const char *counted; /* up to where lines are counted */
    unsigned line;
    const char *bol;     /* where that line begins */
    const char *comment; /* the last group of comments that was skipped */
    const char *comment_end;
    bool attached;       /* nothing but an end of line is behind it */
};

/* ---- words -------------------------------------------------------------------- */

static bool
is_word(char c)
{
    return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
        (c >= '0' && c <= '9') || (c & 0x80) != 0;
}

/* Behind a comment, NULL where there is none. */
static const char *
comment_end(const char *p)
{
    const char *end;

    if (p[0] != '/')
        return NULL;
    if (p[1] == '/')
        return p + strcspn(p, "\n");
    if (p[1] != '*')
        return NULL;
    end = strstr(p + 2, "*/");
    return end == NULL ? p + strlen(p) : end + 2;
}

/* Behind blanks, semicolons and comments; a blank line ends a group of
 * comments. */
static const char *
skip(struct head *h, const char *p)
{
    unsigned lines = 0;

    h->comment = NULL;
    for (;;) {
        const char *end = comment_end(p);

        if (end != NULL) {
            if (h->comment == NULL || lines > 1)
                h->comment = p;
            h->comment_end = p = end;
            lines = 0;
        } else if (*p != 0 && strchr(" \t\r\n;", *p) != NULL) {
            lines += *p == '\n';
            p++;
        } else {
            h->attached = lines <= 1;
            return p;
        }
    }
}

static bool
take_keyword(struct head *h, const char **p, const char *word)
{
    size_t n = 0;

    while (is_word((*p)[n]))
        n++;
    if (n != strlen(word) || memcmp(*p, word, n) != 0)
        return false;
    *p = skip(h, *p + n);
    return true;
}

/* ---- imports -------------------------------------------------------------------- */

/* Places are asked for in the order of the text. */
static void
place(struct head *h, const char *p, struct clause_import *im)
{
    rt_assert(p >= h->counted);
    for (; h->counted < p; h->counted++)
        if (*h->counted == '\n') {
            h->line++;
            h->bol = h->counted + 1;
        }
    im->line = h->line;
    im->col = (unsigned)(p - h->bol) + 1;
}

static void
add_import(
    struct head *h, const char *spec, const char *path, size_t n)
{
    struct clause *c = h->c;

    if (n == 1 && *path == 'C') {
        c->cgo = true;
        return;
    }
    c->imports = rt_arena_more(
        h->a, c->imports, c->nimports, &c->cap, sizeof *c->imports);
    c->imports[c->nimports].path = rt_arena_strndup(h->a, path, n);
    place(h, spec, &c->imports[c->nimports++]);
}

/* Behind one import spec; NULL if it is none. */
static const char *
import_spec(struct head *h, const char *p)
{
    const char *spec = p, *end;

    if (*p == '.')
        p++;
    while (is_word(*p))
        p++;
    p = skip(h, p);
    if (*p != '"' && *p != '`')
        return NULL;
    end = strchr(p + 1, *p);
    if (end == NULL)
        return NULL;
    add_import(h, spec, p + 1, (size_t)(end - p) - 1);
    return skip(h, end + 1);
}

static void
imports(struct head *h, const char *p)
{
    while (p != NULL && take_keyword(h, &p, "import")) {
        if (*p != '(') {
            p = import_spec(h, p);
        } else {
            for (p = skip(h, p + 1); p != NULL && *p != ')' && *p != 0;)
                p = import_spec(h, p);
            if (p != NULL && *p == ')')
                p = skip(h, p + 1);
        }
    }
}

/* ---- the comment ---------------------------------------------------------------- */

/* Is the line of a comment one for tools, such as //go:build? */
static bool
is_directive(const char *s, size_t n)
{
    size_t i;

    if (n >= 6 && memcmp(s, "//line", 6) == 0)
        return n > 6 && s[6] == ' ';
    if (n < 5 || s[1] != '/')
        return false;
    for (i = 2; i < n && s[i] != ':'; i++)
        if (!((s[i] >= 'a' && s[i] <= 'z') || (s[i] >= '0' && s[i] <= '9')))
            return false;
    return i > 2 && i + 1 < n &&
        ((s[i + 1] >= 'a' && s[i + 1] <= 'z') ||
            (s[i + 1] >= '0' && s[i + 1] <= '9'));
}

/* Copies a group of comments without what makes them comments. */
static char *
comment_text(struct head *h)
{
    size_t n = (size_t)(h->comment_end - h->comment);
    char *out = rt_arena_alloc(h->a, n + 2), *o = out;
    const char *p = h->comment, *stop = h->comment_end;

    while (p < stop) {
        const char *end = comment_end(p);

        if (end == NULL) {
            p++;
            continue;
        }
        if (p[1] == '/') {
            if (!is_directive(p, (size_t)(end - p))) {
                const char *s = p + 2 + (p[2] == ' ');

                if (s < end) {
                    memcpy(o, s, (size_t)(end - s));
                    o += end - s;
                }
                *o++ = '\n';
            }
        } else if (end - p >= 4) {
            memcpy(o, p + 2, (size_t)(end - p) - 4);
            o += end - p - 4;
            *o++ = '\n';
        }
        p = end;
    }
    *o = 0;
    return out;
}

static bool
is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool
is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}

/* The bytes up to the period that ends the first sentence: one behind a
 * capital letter that stands alone is of an abbreviation. */
static size_t
sentence(const char *s)
{
    size_t i;

    for (i = 0; s[i] != 0; i++)
        if (is_blank(s[i]) && i > 0 && s[i - 1] == '.' &&
            (i < 2 || !is_upper(s[i - 2]) || (i > 2 && is_upper(s[i - 3]))))
            return i;
    return i;
}

static bool
begins(const char *s, const char *lower)
{
    for (; *lower != 0; s++, lower++)
        if ((is_upper(*s) ? *s | 0x20 : *s) != *lower)
            return false;
    return true;
}

/* The first sentence of a text, its blanks single, of its first paragraph
 * only; "" for one that is no prose. */
static const char *
synopsis(struct rt_arena *a, char *s)
{
    char *out, *o;
    size_t i, n;
    bool gap = false;

    while (*s == '\n' || *s == '\r')
        s++;
    n = sentence(s);
    s[n] = 0;
    if (*s == ' ' || *s == '\t' || paths_starts(s, "# ") ||
        begins(s, "copyright") || begins(s, "all rights") ||
        begins(s, "author"))
        return "";
    o = out = rt_arena_alloc(a, n + 1);
    for (i = 0; i < n; i++) {
        if (is_blank(s[i])) {
            size_t k = i;

            while (is_blank(s[k]) && (k == i || s[k] != '\n'))
                k++;
            if (s[i] == '\n' && s[k] == '\n')
                break; /* the paragraph ends */
            gap = o > out;
            continue;
        }
        if (gap)
            *o++ = ' ';
        gap = false;
        *o++ = s[i];
    }
    *o = 0;
    return out;
}

/* ---- all of it ------------------------------------------------------------------- */

void
clause_read(struct rt_arena *a, const char *text, struct clause *c)
{
    struct head h = {.a = a, .c = c, .line = 1};
    const char *p;
    size_t n = 0;

    *c = (struct clause){.package = "", .doc = "", .rest = text};
    if (strncmp(text, "\xef\xbb\xbf", 3) == 0)
        text += 3;
    h.counted = h.bol = text;
    c->rest = p = skip(&h, text);
    if (h.comment != NULL && h.attached)
        c->doc = synopsis(a, comment_text(&h));
    if (!take_keyword(&h, &p, "package"))
        return;
    while (is_word(p[n]))
        n++;
    c->package = rt_arena_strndup(a, p, n);
    c->rest = p + n;
    imports(&h, skip(&h, p + n));
}

const char *
clause_next_debug(struct rt_arena *a, const char *text, const char **at)
{
    static const char mark[] = "//go:debug ";
    const char *p = *at, *end;

    for (;; p = end) {
        const char *s;

        p += strspn(p, " \t\r\n");
        end = comment_end(p);
        if (end == NULL)
            return NULL;
        if (!paths_starts(p, mark) || (p != text && p[-1] != '\n'))
            continue;
        s = p + sizeof mark - 1;
        s += strspn(s, " \t");
        *at = p;
        return rt_arena_strndup(a, s, strcspn(s, " \t\r\n"));
    }
}

const char *
clause_debug(struct rt_arena *a, const char *text)
{
    const char *out = "", *at = text, *s;

    while ((s = clause_next_debug(a, text, &at)) != NULL) {
        if (strchr(s, '=') != NULL)
            out = rt_arena_printf(
                a, "%s%s%s", out, *out == 0 ? "" : ",", s);
        at = comment_end(at);
    }
    return out;
}
