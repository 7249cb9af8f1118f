/* SPDX-License-Identifier: MIT */
#include "runtime/lang/load/paths.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/base/arena.h"
#include "runtime/base/throw.h"

void
paths_push(struct rt_arena *a, struct paths_list *l, const char *s)
{
    l->at = rt_arena_more(a, l->at, l->n, &l->cap, sizeof(*l->at));
    l->at[l->n++] = s;
}

char *
paths_concat(struct rt_arena *a, const struct paths_list *l)
{
    size_t size = 1;
    char *text, *end;
    unsigned i;

    for (i = 0; i < l->n; i++)
        size += strlen(l->at[i]);
    end = text = rt_arena_alloc(a, size);
    for (i = 0; i < l->n; i++)
        end = stpcpy(end, l->at[i]);
    rt_assert((size_t)(end - text) + 1 == size);
    return text;
}

bool
paths_has(const struct paths_list *l, const char *s)
{
    unsigned i;

    for (i = 0; i < l->n; i++)
        if (strcmp(l->at[i], s) == 0)
            return true;
    return false;
}

static int
by_bytes(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

void
paths_sort(struct paths_list *l)
{
    if (l->n > 1)
        qsort(l->at, l->n, sizeof *l->at, by_bytes);
}

char *
paths_dup(struct rt_arena *a, const char *s)
{
    return rt_arena_strndup(a, s, strlen(s));
}

/* Appends the element of n bytes to out, which ends at `end`; returns the new
 * end.  ".." takes one off, where there is one that is no "..". */
static char *
add_element(char *out, char *end, const char *s, size_t n)
{
    char *last = end;

    if (n == 0 || (n == 1 && *s == '.'))
        return end;
    if (n == 2 && s[0] == '.' && s[1] == '.') {
        while (last > out && last[-1] != '/')
            last--;
        if (last < end && !(end - last == 2 && memcmp(last, "..", 2) == 0))
            return last > out + 1 ? last - 1 : last;
        if (*out == '/' && end == out + 1)
            return end;
    }
    if (end > out && end[-1] != '/')
        *end++ = '/';
    memcpy(end, s, n);
    return end + n;
}

char *
paths_clean(struct rt_arena *a, const char *path)
{
    char *out = rt_arena_alloc(a, strlen(path) + 2), *end = out;

    if (*path == '/')
        *end++ = '/';
    while (*path != 0) {
        size_t n = strcspn(path, "/");

        end = add_element(out, end, path, n);
        path += n;
        path += *path == '/';
    }
    if (end == out)
        *end++ = '.';
    *end = 0;
    return out;
}

char *
paths_join(struct rt_arena *a, const char *dir, const char *name)
{
    if (*dir == 0 || *name == '/')
        return paths_clean(a, name);
    return paths_clean(a, rt_arena_printf(a, "%s/%s", dir, name));
}

char *
paths_cwd(struct rt_arena *a)
{
    char *cwd = getcwd(NULL, 0);
    char *out = paths_dup(a, cwd == NULL ? "/" : cwd);

    free(cwd);
    return out;
}

const char *
paths_under(const char *dir, const char *path)
{
    size_t n = strlen(dir);

    if (strcmp(dir, "/") == 0)
        return *path == '/' ? path + 1 : NULL;
    if (strncmp(dir, path, n) != 0 || (path[n] != 0 && path[n] != '/'))
        return NULL;
    return path[n] == 0 ? path + n : path + n + 1;
}

const char *
paths_rel(struct rt_arena *a, const char *base, const char *path)
{
    const char *rest = paths_under(base, path);
    char *up = paths_dup(a, base);
    const char *out = "..";

    if (rest != NULL)
        return *rest == 0 ? "." : rest;
    if (*base != '/' || *path != '/')
        return path; /* nothing tells how they lie to each other */
    for (;;) {
        char *slash = strrchr(up, '/');

        rt_assert(slash != NULL); /* all absolute paths are below / */
        slash[slash == up] = 0;
        rest = paths_under(up, path);
        if (rest != NULL)
            break;
        out = rt_arena_printf(a, "../%s", out);
    }
    if (*rest != 0)
        out = rt_arena_printf(a, "%s/%s", out, rest);
    return strlen(out) < strlen(path) ? out : path;
}

char *
paths_dir(struct rt_arena *a, const char *path)
{
    const char *slash = strrchr(path, '/');

    if (slash == NULL)
        return paths_dup(a, ".");
    return rt_arena_strndup(
        a, path, slash == path ? 1 : (size_t)(slash - path));
}

void
paths_make_above(const char *path)
{
    char p[4096], *slash = p;

    if (snprintf(p, sizeof p, "%s", path) >= (int)sizeof p)
        return;
    while ((slash = strchr(slash + 1, '/')) != NULL) {
        *slash = 0;
        mkdir(p, 0777);
        *slash = '/';
    }
}

bool
paths_is_dir(const char *path)
{
    struct stat st;

    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

bool
paths_is_file(const char *path)
{
    struct stat st;

    return stat(path, &st) == 0 && !S_ISDIR(st.st_mode);
}

void *
paths_map(const char *path, size_t least, size_t *size)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat st;
    void *p = MAP_FAILED;

    if (fd < 0)
        return NULL;
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
        (size_t)st.st_size >= least) {
        *size = (size_t)st.st_size;
        p = mmap(NULL, *size, PROT_READ, MAP_PRIVATE, fd, 0);
    }
    close(fd);
    return p == MAP_FAILED ? NULL : p;
}

bool
paths_exists(const char *path)
{
    struct stat st;

    return stat(path, &st) == 0;
}

bool
paths_starts(const char *s, const char *head)
{
    return strncmp(s, head, strlen(head)) == 0;
}

bool
paths_ends(const char *s, const char *tail)
{
    size_t n = strlen(s), t = strlen(tail);

    return n >= t && strcmp(s + n - t, tail) == 0;
}

/* The pattern of n bytes, against as many elements of the path as it has. */
static bool
globs(const char *pattern, size_t n, const char *path)
{
    char pat[256], head[1024];
    size_t i, slashes = 0, len = 0;

    if (n == 0 || n >= sizeof pat || strlen(path) >= sizeof head)
        return false;
    memcpy(pat, pattern, n);
    pat[n] = 0;
    for (i = 0; i < n; i++)
        slashes += pat[i] == '/';
    for (; path[len] != 0; len++)
        if (path[len] == '/' && slashes-- == 0)
            break;
    memcpy(head, path, len);
    head[len] = 0;
    return fnmatch(pat, head, FNM_PATHNAME) == 0;
}

bool
paths_globs(const char *patterns, const char *path)
{
    while (*patterns != 0) {
        size_t n = strcspn(patterns, ",");

        if (globs(patterns, n, path))
            return true;
        patterns += n;
        patterns += *patterns == ',';
    }
    return false;
}

/* Reads to the end; what is no file has no size. */
static char *
read_all(struct rt_arena *a, int fd, size_t cap, size_t *len)
{
    char *buf = rt_arena_alloc(a, cap + 1);

    *len = 0;
    for (;;) {
        ssize_t k = read(fd, buf + *len, cap - *len);

        if (k == 0 && *len < cap)
            return buf;
        if (k < 0 && errno != EINTR)
            return NULL;
        *len += k > 0 ? (size_t)k : 0;
        if (*len == cap) {
            char *more = rt_arena_alloc(a, 2 * cap + 1);

            memcpy(more, buf, *len);
            buf = more;
            cap *= 2;
        }
    }
}

char *
paths_read(struct rt_arena *a, const char *path, size_t *len)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC), saved;
    struct stat st;
    char *buf = NULL;

    if (fd < 0)
        return NULL;
    if (fstat(fd, &st) == 0 && S_ISDIR(st.st_mode))
        errno = EISDIR;
    else
        buf = read_all(a, fd, (size_t)st.st_size + 64, len);
    saved = errno;
    close(fd);
    errno = saved;
    return buf;
}

const char *
paths_error(struct rt_arena *a, int err)
{
    char *s = paths_dup(a, strerror(err));

    if (*s >= 'A' && *s <= 'Z' && !(s[1] >= 'A' && s[1] <= 'Z'))
        *s |= 0x20;
    return s;
}

bool
paths_entries(struct rt_arena *a, const char *dir, struct paths_list *out)
{
    DIR *d = opendir(dir);
    struct dirent *e;

    if (d == NULL)
        return false;
    while ((e = readdir(d)) != NULL)
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
            paths_push(a, out, paths_dup(a, e->d_name));
    closedir(d);
    paths_sort(out);
    return true;
}
