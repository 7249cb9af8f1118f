/* SPDX-License-Identifier: MIT */
#include "cmd/treepack/treepack.h"

#include <string.h>

/* Behind the quoted text that begins at p. */
static const char *
quoted(const char *p, const char *end)
{
    char q = *p++;

    while (p < end && *p != q)
        p += *p == '\\' && q != '`' && p + 1 < end ? 2 : 1;
    return p < end ? p + 1 : end;
}

/* Behind the comment that begins at p. */
static const char *
comment(const char *p, const char *end)
{
    const char *stop;

    if (p[1] == '/') {
        stop = memchr(p, '\n', (size_t)(end - p));
        return stop == NULL ? end : stop;
    }
    stop = memmem(p + 2, (size_t)(end - p - 2), "*/", 2);
    return stop == NULL ? end : stop + 2;
}

static int
is_directive(const char *p, const char *end)
{
    return end - p > 5 && memcmp(p, "//go:", 5) == 0;
}

size_t
treepack_strip(const char *text, size_t n, char *out)
{
    const char *p = text, *end = text + n, *from;
    char *to = out;

    while (p < end) {
        from = p;
        if (*p == '"' || *p == '\'' || *p == '`') {
            p = quoted(p, end);
        } else if (end - p > 1 && *p == '/' && (p[1] == '/' || p[1] == '*')) {
            p = comment(p, end);
            if (!is_directive(from, end)) {
                int lines = 0;

                for (; from < p; from++)
                    if (*from == '\n') {
                        *to++ = '\n';
                        lines++;
                    }
                if (lines == 0 && p < end && *p != '\n')
                    *to++ = ' ';
                while (p < end && *p == '\n' && to > out &&
                    (to[-1] == ' ' || to[-1] == '\t'))
                    to--;
                continue;
            }
        } else {
            p++;
        }
        memcpy(to, from, (size_t)(p - from));
        to += p - from;
    }
    return (size_t)(to - out);
}
