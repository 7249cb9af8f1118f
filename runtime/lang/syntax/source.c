/* SPDX-License-Identifier: MIT */
#include "runtime/lang/syntax/source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    FIRST_READ = 64 << 10
};

void
lang_sources_init(struct lang_sources *s)
{
    memset(s, 0, sizeof *s);
    s->next = 1;
}

void
lang_sources_free(struct lang_sources *s)
{
    uint32_t i;

    for (i = 0; i < s->nfile; i++) {
        struct lang_file *f = s->file[i];

        if (f->owns_text)
            free((uint8_t *)f->text);
        free(f->line);
        free(f->dir);
        free((char *)f->name);
        free(f);
    }
    free(s->file);
    lang_sources_init(s);
}

static enum rt_status
out_of_memory(struct rt_err *err, const char *name)
{
    return rt_errf(err, RT_ENOMEM, UINT64_MAX, "%s: out of memory", name);
}

static int
reserve_file(struct lang_sources *s)
{
    uint32_t cap = s->cap == 0 ? 16 : s->cap * 2;
    struct lang_file **file;

    if (s->nfile < s->cap)
        return 0;
    file = realloc(s->file, cap * sizeof *file);
    if (file == NULL)
        return -1;
    s->file = file;
    s->cap = cap;
    return 0;
}

enum rt_status
lang_sources_add(struct lang_sources *s, const char *name, const uint8_t *text,
    size_t size, struct lang_file **out, struct rt_err *err)
{
    struct lang_file *f;

    if (size >= LANG_SOURCE_MAX || LANG_SOURCE_MAX - size <= s->next)
        return rt_errf(err, RT_ELIMIT, UINT64_MAX,
            "%s: source text is too large (limit 2 GiB)", name);
    if (reserve_file(s) != 0)
        return out_of_memory(err, name);
    f = calloc(1, sizeof *f);
    if (f == NULL)
        return out_of_memory(err, name);
    f->name = strdup(name);
    if (f->name == NULL) {
        free(f);
        return out_of_memory(err, name);
    }
    f->text = text;
    f->size = (uint32_t)size;
    f->base = s->next;
    f->index = s->nfile;
    s->file[s->nfile++] = f;
    s->next += f->size + 1;
    *out = f;
    return RT_OK;
}

/* Reads all of fd; the result is followed by a NUL byte. */
static enum rt_status
read_all(int fd, const char *path, size_t hint, uint8_t **out, size_t *size,
    struct rt_err *err)
{
    size_t cap = hint + 2 > FIRST_READ ? hint + 2 : FIRST_READ;
    size_t n = 0;
    uint8_t *buf = malloc(cap), *more;
    ssize_t got;

    if (buf == NULL)
        return out_of_memory(err, path);
    for (;;) {
        if (n + 1 == cap) {
            if (cap > LANG_SOURCE_MAX) {
                free(buf);
                return rt_errf(err, RT_ELIMIT, UINT64_MAX,
                    "%s: source text is too large (limit 2 GiB)", path);
            }
            cap *= 2;
            more = realloc(buf, cap);
            if (more == NULL) {
                free(buf);
                return out_of_memory(err, path);
            }
            buf = more;
        }
        got = read(fd, buf + n, cap - n - 1);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0) {
            int e = errno;

            free(buf);
            return rt_err_os(err, e, "read %s", path);
        }
        if (got == 0)
            break;
        n += (size_t)got;
    }
    buf[n] = 0;
    *out = buf;
    *size = n;
    return RT_OK;
}

enum rt_status
lang_sources_read(struct lang_sources *s, const char *name, const char *path,
    struct lang_file **out, struct rt_err *err)
{
    struct stat st;
    uint8_t *text = NULL;
    size_t size = 0;
    enum rt_status r;
    int fd = open(path, O_RDONLY | O_CLOEXEC);

    if (fd < 0)
        return rt_err_os(err, errno, "open %s", path);
    if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))
        st.st_size = 0;
    r = read_all(fd, path, (size_t)st.st_size, &text, &size, err);
    close(fd);
    if (r != RT_OK)
        return r;
    r = lang_sources_add(s, name, text, size, out, err);
    if (r != RT_OK)
        free(text);
    else
        (*out)->owns_text = 1;
    return r;
}

struct lang_file *
lang_pos_file(const struct lang_sources *s, lang_pos pos)
{
    uint32_t lo = 0, hi = s->nfile;

    if (pos == 0 || pos >= s->next)
        return NULL;
    while (lo + 1 < hi) {
        uint32_t mid = lo + (hi - lo) / 2;

        if (s->file[mid]->base <= pos)
            lo = mid;
        else
            hi = mid;
    }
    return s->file[lo];
}

/* Fills f->line.  Without memory for it, positions stay unknown. */
static int
build_lines(struct lang_file *f)
{
    const uint8_t *p, *end = f->text + f->size;
    uint32_t n = 1;

    for (p = f->text; (p = memchr(p, '\n', (size_t)(end - p))) != NULL; p++)
        n++;
    f->line = malloc(n * sizeof *f->line);
    if (f->line == NULL)
        return -1;
    f->line[0] = 0;
    f->nline = 1;
    for (p = f->text; (p = memchr(p, '\n', (size_t)(end - p))) != NULL; p++)
        f->line[f->nline++] = (uint32_t)(p - f->text) + 1;
    return 0;
}

enum { NEAR = 4 }; /* lines */

/* Index of the line that off lies on. */
static uint32_t
find_line(struct lang_file *f, uint32_t off)
{
    uint32_t lo = 0, hi = f->nline, i = f->last_line;

    /* Most look-ups are of the same line again or of one soon after it. */
    if (f->line[i] <= off) {
        for (lo = i; lo < i + NEAR; lo++)
            if (lo + 1 == hi || off < f->line[lo + 1])
                return f->last_line = lo;
    }
    while (lo + 1 < hi) {
        uint32_t mid = lo + (hi - lo) / 2;

        if (f->line[mid] <= off)
            lo = mid;
        else
            hi = mid;
    }
    f->last_line = lo;
    return lo;
}

static struct lang_place
physical(struct lang_file *f, uint32_t off)
{
    struct lang_place at = {.file = ""};
    uint32_t i;

    if (f->line == NULL && build_lines(f) != 0)
        return at;
    i = find_line(f, off);
    at.file = f->name;
    at.line = i + 1;
    at.col = off - f->line[i] + 1;
    return at;
}

struct lang_place
lang_pos_physical(const struct lang_sources *s, lang_pos pos)
{
    struct lang_place at = {.file = ""};
    struct lang_file *f = lang_pos_file(s, pos);

    return f == NULL ? at : physical(f, pos - f->base);
}

static const struct lang_line_dir *
find_dir(const struct lang_file *f, uint32_t off)
{
    uint32_t lo = 0, hi = f->ndir;

    if (hi == 0 || off < f->dir[0].off)
        return NULL;
    while (lo + 1 < hi) {
        uint32_t mid = lo + (hi - lo) / 2;

        if (f->dir[mid].off <= off)
            lo = mid;
        else
            hi = mid;
    }
    return &f->dir[lo];
}

static struct lang_place
place_in(struct lang_file *f, lang_pos pos)
{
    uint32_t off = pos - f->base;
    struct lang_place at = physical(f, off);
    const struct lang_line_dir *d;

    d = find_dir(f, off);
    if (d == NULL || at.line == 0)
        return at;
    at.file = d->name;
    at.directed = d->name != f->name;
    if (d->as_col == 0)
        at.col = 0;
    else if (at.line == d->line)
        at.col = d->as_col + (off - d->off);
    at.line = d->as_line + (at.line - d->line);
    return at;
}

struct lang_place
lang_pos_place(const struct lang_sources *s, lang_pos pos)
{
    struct lang_file *f = NULL;

    return lang_pos_place_near(s, pos, &f);
}

struct lang_place
lang_pos_place_near(
    const struct lang_sources *s, lang_pos pos, struct lang_file **near)
{
    struct lang_file *f = *near;

    if (f == NULL || pos < f->base || pos - f->base >= f->size)
        f = *near = lang_pos_file(s, pos);
    return f == NULL ? (struct lang_place){.file = ""} : place_in(f, pos);
}

enum rt_status
lang_file_line_dir(struct lang_file *f, uint32_t off, const char *name,
    uint32_t as_line, uint32_t as_col)
{
    struct lang_place at;
    struct lang_line_dir *d;

    if (f->ndir != 0 && f->dir[f->ndir - 1].off >= off)
        return RT_OK;
    if (f->ndir == f->dir_cap) {
        uint32_t cap = f->dir_cap == 0 ? 8 : f->dir_cap * 2;

        d = realloc(f->dir, cap * sizeof *d);
        if (d == NULL)
            return RT_ENOMEM;
        f->dir = d;
        f->dir_cap = cap;
    }
    at = physical(f, off);
    if (at.line == 0)
        return RT_ENOMEM;
    d = &f->dir[f->ndir++];
    d->off = off;
    d->line = at.line;
    d->name = name;
    d->as_line = as_line;
    d->as_col = as_col;
    return RT_OK;
}
