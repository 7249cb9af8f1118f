/* SPDX-License-Identifier: MIT */
#include "profile/read/psource.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_SOURCE = 64 << 20 };

/* ---- names */

/* Takes the next of a list separated by ':'. */
static bool
next_dir(const char **list, const char **dir, size_t *n)
{
    if (*list == NULL || **list == '\0')
        return false;
    *dir = *list;
    *n = strcspn(*list, ":");
    *list += *n + ((*list)[*n] == ':');
    return true;
}

/* Behind "/<last component of dir>/" in path, or NULL. */
static const char *
after_base(const char *path, const char *dir, size_t n)
{
    char want[256];
    const char *at;
    size_t i;

    while (n > 1 && dir[n - 1] == '/')
        n--;
    for (i = n; i > 0 && dir[i - 1] != '/'; i--)
        ;
    if (n == i || n - i + 3 > sizeof want)
        return NULL;
    snprintf(want, sizeof want, "/%.*s/", (int)(n - i), dir + i);
    at = strstr(path, want);
    return at == NULL ? NULL : at + strlen(want);
}

const char *
psource_trim(const char *path, const char *trim_path,
    const char *source_path)
{
    static const char own[] = "/proc/self/cwd/.:/proc/self/cwd";
    const char *lists[2] = {trim_path, own}, *dir, *at;
    size_t n;
    int i;

    if (trim_path == NULL || *trim_path == '\0') {
        while (next_dir(&source_path, &dir, &n)) {
            at = after_base(path, dir, n);
            if (at != NULL)
                return at;
        }
    }
    for (i = 0; i < 2; i++) {
        while (next_dir(&lists[i], &dir, &n)) {
            while (n > 0 && dir[n - 1] == '/')
                n--;
            if (n > 0 && strncmp(path, dir, n) == 0 && path[n] == '/')
                return path + n + 1;
        }
    }
    return path;
}

char *
psource_clean(const char *path)
{
    bool rooted = *path == '/';
    size_t n = 0, floor; /* ".." does not go below floor */
    char *out = malloc(strlen(path) + 2);

    if (out == NULL)
        return NULL;
    if (rooted)
        out[n++] = '/';
    floor = n;
    while (*path != '\0') {
        size_t len;

        path += strspn(path, "/");
        len = strcspn(path, "/");
        if (len == 0 || (len == 1 && *path == '.')) {
            path += len;
            continue;
        }
        if (len == 2 && path[0] == '.' && path[1] == '.') {
            path += len;
            if (n > floor) {
                while (n > floor && out[n - 1] != '/')
                    n--;
                if (n > floor)
                    n--;
                continue;
            }
            if (rooted)
                continue;
            if (n > 0)
                out[n++] = '/';
            out[n++] = '.';
            out[n++] = '.';
            floor = n;
            continue;
        }
        if (n > (size_t)rooted)
            out[n++] = '/';
        memcpy(out + n, path, len);
        n += len;
        path += len;
    }
    if (n == 0)
        out[n++] = '.';
    out[n] = '\0';
    return out;
}

/* ---- files */

/* Only regular files: a profile may name a device or a pipe. */
static int
open_file(const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat s;

    if (fd < 0)
        return -1;
    if (fstat(fd, &s) != 0 || !S_ISREG(s.st_mode)) {
        close(fd);
        errno = S_ISDIR(s.st_mode) ? EISDIR : EINVAL;
        return -1;
    }
    return fd;
}

/* Below dir (n bytes) and all its parents. */
static int
search_up(const char *dir, size_t n, const char *path)
{
    char name[PATH_MAX];
    int fd;

    for (;;) {
        while (n > 1 && dir[n - 1] == '/')
            n--;
        if (snprintf(name, sizeof name, "%.*s/%s", (int)n, dir, path) <
            (int)sizeof name) {
            fd = open_file(name);
            if (fd >= 0)
                return fd;
        }
        if (n <= 1)
            return -1;
        while (n > 0 && dir[n - 1] != '/')
            n--;
        if (n == 0)
            return -1;
    }
}

static enum rt_status
find_file(const char *path, const char *trim_path, const char *source_path,
    int *fd, struct rt_err *e)
{
    char cwd[PATH_MAX];
    const char *short_path, *dirs, *dir;
    size_t n;

    *fd = *path == '/' ? open_file(path) : -1;
    if (*fd >= 0)
        return RT_OK;
    if (source_path == NULL || *source_path == '\0') {
        if (getcwd(cwd, sizeof cwd) == NULL)
            return rt_err_os(e, errno, "current folder");
        source_path = cwd;
    }
    short_path = psource_trim(path, trim_path, source_path);
    if (*short_path == '/') {
        *fd = open_file(short_path);
        return *fd >= 0 ? RT_OK
            : rt_errf(e, RT_EIO, UINT64_MAX, "open %.300s: %s", short_path,
                errno == ENOENT ? "no such file or directory"
                    : strerror(errno));
    }
    dirs = source_path;
    while (next_dir(&dirs, &dir, &n)) {
        *fd = search_up(dir, n, short_path);
        if (*fd >= 0)
            return RT_OK;
    }
    return rt_errf(e, RT_EIO, UINT64_MAX,
        "could not find file %.200s on path %.200s", short_path, source_path);
}

static enum rt_status
index_lines(struct psource *s, struct rt_err *e)
{
    size_t i, n = 0;

    for (i = 0; i < s->size; i++)
        n += s->text[i] == '\n';
    s->line = malloc((n + 3) * sizeof *s->line);
    if (s->line == NULL)
        return rt_errf(e, RT_ENOMEM, UINT64_MAX, "out of memory");
    s->line[1] = 0;
    s->nlines = s->size > 0;
    for (i = 0; i < s->size; i++) {
        if (s->text[i] == '\n') {
            s->line[s->nlines + 1] = i + 1;
            s->nlines += i + 1 < s->size;
        }
    }
    s->line[s->nlines + 1] = s->size + (s->size > 0 &&
        s->text[s->size - 1] != '\n');
    return RT_OK;
}

enum rt_status
psource_open(struct psource *s, const char *path, const char *trim_path,
    const char *source_path, struct rt_err *e)
{
    size_t cap = 1 << 16;
    enum rt_status st;
    ssize_t r;
    int fd;

    *s = (struct psource){0};
    st = find_file(path, trim_path, source_path, &fd, e);
    if (st != RT_OK)
        return st;
    for (;;) {
        if (s->text == NULL || s->size == cap) {
            char *p;

            cap = s->text == NULL ? cap : cap * 2;
            p = cap > MAX_SOURCE ? NULL : realloc(s->text, cap);
            if (p == NULL) {
                st = cap > MAX_SOURCE
                    ? rt_errf(e, RT_ELIMIT, UINT64_MAX, "too large")
                    : rt_errf(e, RT_ENOMEM, UINT64_MAX, "out of memory");
                break;
            }
            s->text = p;
        }
        r = read(fd, s->text + s->size, cap - s->size);
        if (r < 0 && errno == EINTR)
            continue;
        if (r < 0)
            st = rt_err_os(e, errno, "read %.300s", path);
        if (r <= 0)
            break;
        s->size += (size_t)r;
    }
    close(fd);
    if (st == RT_OK)
        st = index_lines(s, e);
    if (st != RT_OK)
        psource_close(s);
    return st;
}

const char *
psource_line(const struct psource *s, int64_t i, size_t *n)
{
    size_t end;

    if (i < 1 || (uint64_t)i > s->nlines)
        return NULL;
    end = s->line[i + 1] - 1;
    if (end > s->line[i] && s->text[end - 1] == '\r')
        end--;
    *n = end - s->line[i];
    return s->text + s->line[i];
}

void
psource_close(struct psource *s)
{
    free(s->text);
    free(s->line);
    *s = (struct psource){0};
}
