/* SPDX-License-Identifier: MIT */
#include "runtime/lang/load/example.h"

#include <string.h>
#include <strings.h>

#include "runtime/base/arena.h"

/* ---- the last comment ---------------------------------------------------------------- */

/* Comments with nothing but blanks between them, one line below the other. */
struct group {
    const char *begin, *end;
};

static bool
is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* Behind the string or rune that p begins; a raw string has no escapes. */
static const char *
skip_quoted(const char *p, const char *end)
{
    char quote = *p;

    for (p++; p < end && *p != quote; p++)
        if (*p == '\\' && quote != '`' && p + 1 < end)
            p++;
    return p < end ? p + 1 : end;
}

static bool
begins_comment(const char *p, const char *end)
{
    return end - p >= 2 && p[0] == '/' && (p[1] == '/' || p[1] == '*');
}

/* Behind the comment that p begins; a line's end is not part of it. */
static const char *
skip_comment(const char *p, const char *end)
{
    bool line = p[1] == '/';

    for (p += 2; p < end; p++) {
        if (line ? *p == '\n' : end - p >= 2 && p[0] == '*' && p[1] == '/')
            return line ? p : p + 2;
    }
    return end;
}

/* The group that p begins.  One that stands behind something in its line ends
 * with that line, so that comments below are another. */
static struct group
read_group(const char *p, const char *end, bool behind)
{
    struct group g = {p, skip_comment(p, end)};

    for (p = g.end;;) {
        unsigned lines = 0;

        for (; p < end && is_blank(*p); p++)
            lines += *p == '\n';
        if (!begins_comment(p, end) || lines > (behind ? 0u : 1u))
            return g;
        p = g.end = skip_comment(p, end);
    }
}

/* begin is NULL if there is none.  The brace stands before the body. */
static struct group
last_group(const char *p, const char *end)
{
    struct group g = {NULL, NULL};
    bool behind = true;

    while (p < end) {
        if (begins_comment(p, end)) {
            g = read_group(p, end, behind);
            p = g.end;
            behind = true;
        } else if (*p == '"' || *p == '\'' || *p == '`') {
            p = skip_quoted(p, end);
            behind = true;
        } else {
            if (*p == '\n')
                behind = false;
            else if (!is_blank(*p))
                behind = true;
            p++;
        }
    }
    return g;
}

/* ---- its text ------------------------------------------------------------------------ */

static bool
is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

/* Is what stands behind the two slashes for a tool, such as "go:noinline"? */
static bool
is_directive(const char *p, const char *end)
{
    static const char *const words[] = {"line ", "extern ", "export "};
    const char *q = p;
    size_t i;

    for (i = 0; i < sizeof words / sizeof words[0]; i++) {
        size_t n = strlen(words[i]);

        if ((size_t)(end - p) >= n && memcmp(p, words[i], n) == 0)
            return true;
    }
    while (q < end && is_word(*q))
        q++;
    return q > p && end - q >= 2 && *q == ':' && is_word(q[1]);
}

/* Adds a line to what is at *out, without the blanks at its end, and not a
 * second empty line below another or one at the beginning. */
static void
add_line(const char *text, char **out, const char *p, const char *end)
{
    while (end > p && is_blank(end[-1]))
        end--;
    if (p == end && (*out == text || (*out - text >= 2 && (*out)[-2] == '\n')))
        return;
    memcpy(*out, p, (size_t)(end - p));
    *out += end - p;
    *(*out)++ = '\n';
}

/* The text of a group, without the marks. */
static char *
group_text(struct rt_arena *a, struct group g)
{
    char *text = rt_arena_alloc(a, (size_t)(g.end - g.begin) + 2), *out = text;
    const char *p = g.begin, *end, *nl;

    while (p < g.end) {
        if (!begins_comment(p, g.end)) {
            p++;
            continue;
        }
        end = skip_comment(p, g.end);
        if (p[1] == '/') {
            p += 2;
            if (!is_directive(p, end))
                add_line(text, &out, p + (p < end && *p == ' '), end);
            p = end;
            continue;
        }
        for (p += 2; (nl = memchr(p, '\n', (size_t)(end - p))) != NULL;
             p = nl + 1)
            add_line(text, &out, p, nl);
        add_line(text, &out, p, end - 2);
        p = end;
    }
    *out = 0;
    return text;
}

const char *
example_output(struct rt_arena *a, const char *begin, const char *end,
    bool *unordered)
{
    static const char free_order[] = "unordered ", mark[] = "output:";
    struct group g = last_group(begin, end);
    const char *p;

    *unordered = false;
    if (g.begin == NULL)
        return NULL;
    for (p = group_text(a, g); is_blank(*p); p++)
        ;
    *unordered = strncasecmp(p, free_order, sizeof free_order - 1) == 0;
    if (*unordered)
        p += sizeof free_order - 1;
    if (strncasecmp(p, mark, sizeof mark - 1) != 0)
        return NULL;
    for (p += sizeof mark - 1; *p == ' '; p++)
        ;
    return *p == '\n' ? p + 1 : p;
}
