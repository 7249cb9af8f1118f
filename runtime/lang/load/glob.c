/* SPDX-License-Identifier: MIT */
#include "runtime/lang/load/glob.h"

#include <stdint.h>
#include <string.h>

#include "runtime/base/arena.h"
#include "runtime/base/throw.h"
#include "runtime/base/utf8.h"

/* The rune at *p, which is not at the end, and *p behind it. */
static int32_t
rune(const char **p)
{
    int32_t r;

    *p += rt_utf8_decode((const uint8_t *)*p, strlen(*p), &r);
    return r;
}

/* A rune of a set, where - and ] cannot be; false: there is none. */
static bool
set_rune(const char **p, int32_t *r)
{
    if (**p == '\\')
        ++*p;
    else if (**p == '-' || **p == ']')
        return false;
    if (**p == 0)
        return false;
    *r = rune(p);
    return true;
}

/* Whether the set at *p, behind its [, has r; *p is behind the ] then, or NULL
 * if it is malformed. */
static bool
set_has(const char **p, int32_t r)
{
    bool not= **p == '^', hit = false;
    const char *s = *p + not;
    int32_t low, high;
    unsigned n;

    for (n = 0; *s != ']' || n == 0; n++) {
        if (!set_rune(&s, &low)) {
            *p = NULL;
            return false;
        }
        high = low;
        if (*s == '-' && (s++, !set_rune(&s, &high))) {
            *p = NULL;
            return false;
        }
        hit |= low <= r && r <= high;
    }
    *p = s + 1;
    return hit != not;
}

bool
glob_valid(const char *p)
{
    while (*p != 0) {
        if (*p == '[') {
            p++;
            set_has(&p, 0);
            if (p == NULL)
                return false;
            continue;
        }
        if (*p == '\\' && *++p == 0)
            return false;
        p++;
    }
    return true;
}

/* Does what comes next in the pattern, which is no *, fit the next rune of the
 * name?  Both are behind it then. */
static bool
step(const char **pat, const char **name)
{
    const char *p = *pat;
    int32_t r = rune(name);
    bool hit;

    if (*p == '?') {
        p++;
        hit = r != '/';
    } else if (*p == '[') {
        p++;
        hit = set_has(&p, r);
        rt_assert(p != NULL);
    } else {
        p += *p == '\\';
        hit = *p != 0 && rune(&p) == r;
    }
    *pat = p;
    return hit;
}

bool
glob_fits(const char *p, const char *name)
{
    const char *star = NULL, *from = NULL; /* to take up again after the last * */

    rt_assert_full(glob_valid(p));
    while (*name != 0 || *p != 0) {
        if (*p == '*') {
            star = ++p;
            from = name;
            continue;
        }
        if (*name != 0 && *p != 0 && step(&p, &name))
            continue;
        if (star == NULL || *from == 0 || *from == '/')
            return false;
        p = star;
        name = ++from;
    }
    return true;
}

bool
glob_elements_valid(struct rt_arena *a, const char *pattern)
{
    for (;;) {
        size_t n = strcspn(pattern, "/");

        if (!glob_valid(rt_arena_strndup(a, pattern, n)))
            return false;
        if (pattern[n] == 0)
            return true;
        pattern += n + 1;
    }
}

/* Has the element something that is not itself? */
static bool
is_pattern(const char *s)
{
    return strpbrk(s, "*?[\\") != NULL;
}

/* Appends what fits the rest of a pattern below dir/at. */
static void
find(struct rt_arena *a, const char *dir, const char *at, const char *pattern,
    struct paths_list *out)
{
    const char *slash = strchr(pattern, '/');
    size_t n = slash == NULL ? strlen(pattern) : (size_t)(slash - pattern);
    const char *element = rt_arena_strndup(a, pattern, n);
    struct paths_list names = {0};
    unsigned i;

    if (is_pattern(element))
        paths_entries(a, paths_join(a, dir, at), &names);
    else
        paths_push(a, &names, element);
    for (i = 0; i < names.n; i++) {
        const char *rel = paths_join(a, at, names.at[i]);
        const char *full = paths_join(a, dir, rel);

        if (is_pattern(element) && !glob_fits(element, names.at[i]))
            continue;
        if (slash == NULL && paths_exists(full))
            paths_push(a, out, rel);
        else if (slash != NULL && paths_is_dir(full))
            find(a, dir, rel, slash + 1, out);
    }
}

void
glob_find(struct rt_arena *a, const char *dir, const char *pattern,
    struct paths_list *out)
{
    rt_assert(glob_elements_valid(a, pattern));
    find(a, dir, "", pattern, out);
}
