/* SPDX-License-Identifier: MIT */
#include "runtime/lang/load/gosum.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/base/arena.h"
#include "runtime/base/throw.h"
#include "runtime/lang/load/semver.h"
#include "runtime/lang/load/sha256.h"

enum { VERSION_MAX = 256 };

void
gosum_read(struct rt_arena *a, struct gosum *s, const char *path)
{
    size_t len;
    char *text = paths_read(a, path, &len), *save = NULL, *line;

    for (line = text == NULL ? NULL : strtok_r(text, "\r\n", &save);
         line != NULL; line = strtok_r(NULL, "\r\n", &save))
        paths_push(a, &s->lines, line);
}

/* "path version " or "path version/go.mod ", as lines begin. */
static const char *
head(struct rt_arena *a, const struct module_version *m, bool mod)
{
    return rt_arena_printf(
        a, "%s %s%s ", m->path, m->version, mod ? "/go.mod" : "");
}

const char *
gosum_find(struct rt_arena *a, const struct gosum *s,
    const struct module_version *m, bool mod)
{
    const char *h = head(a, m, mod);
    size_t n = strlen(h);
    unsigned i;

    for (i = 0; i < s->lines.n; i++)
        if (strncmp(s->lines.at[i], h, n) == 0 &&
            paths_starts(s->lines.at[i] + n, "h1:"))
            return s->lines.at[i] + n;
    return NULL;
}

void
gosum_add(struct rt_arena *a, struct gosum *s,
    const struct module_version *m, bool mod, const char *sum)
{
    const char *line =
        rt_arena_printf(a, "%s%s", head(a, m, mod), sum);

    rt_assert(paths_starts(sum, "h1:") && *m->version != 0);
    paths_push(a, &s->lines, line);
    paths_push(a, &s->added, line);
}

const char *
gosum_mismatch(struct rt_arena *a, const struct module_version *m, bool mod,
    const char *have, const char *want)
{
    rt_assert(strcmp(have, want) != 0);
    return rt_arena_printf(a, "verifying %s@%s%s: checksum mismatch\n\t"
        "downloaded: %s\n\tgo.sum:     %s\n\n"
        "SECURITY ERROR\nThis is not what go.sum was made for.", m->path,
        m->version, mod ? "/go.mod" : "", have, want);
}

/* "path version[/go.mod] sum": by path, then the older version, then its
 * files before its go.mod. */
static int
by_module(const void *a, const void *b)
{
    const char *x = *(const char *const *)a, *y = *(const char *const *)b;
    size_t n = strcspn(x, " "), m = strcspn(y, " ");
    char v[2][VERSION_MAX];
    int c = memcmp(x, y, n < m ? n : m);

    if (c != 0 || n != m)
        return c != 0 ? c : n < m ? -1 : 1;
    x += n + (x[n] == ' ');
    y += n + (y[n] == ' ');
    snprintf(v[0], sizeof v[0], "%.*s", (int)strcspn(x, " /"), x);
    snprintf(v[1], sizeof v[1], "%.*s", (int)strcspn(y, " /"), y);
    c = semver_compare(v[0], v[1]);
    return c != 0 ? c : strcmp(x, y);
}

void
gosum_sort(struct paths_list *l)
{
    if (l->n > 1)
        qsort(l->at, l->n, sizeof *l->at, by_module);
}

enum rt_status
gosum_save(struct rt_arena *a, struct gosum *s, struct rt_err *err)
{
    struct gosum own = {.path = s->path};
    unsigned i;

    if (s->added.n == 0)
        return RT_OK;
    gosum_read(a, &own, s->path);
    for (i = 0; i < s->added.n; i++)
        paths_push(a, &own.lines, s->added.at[i]);
    gosum_sort(&own.lines);
    return gosum_write(a, s->path, &own.lines, err);
}

enum rt_status
gosum_write(struct rt_arena *a, const char *path,
    const struct paths_list *lines, struct rt_err *err)
{
    const char *temp = rt_arena_printf(a, "%s.%ld", path, (long)getpid());
    unsigned i;
    FILE *f = fopen(temp, "w");
    bool bad;

    if (f == NULL)
        return rt_err_os(err, errno, "%s", temp);
    for (i = 0; i < lines->n; i++)
        fprintf(f, "%s\n", lines->at[i]);
    bad = ferror(f) != 0;
    if (fclose(f) != 0 || bad || rename(temp, path) != 0)
        return rt_err_os(err, errno, "%s", path);
    return RT_OK;
}

/* ---- sums ------------------------------------------------------------------------ */

static const char *
base64(struct rt_arena *a, const uint8_t *p, size_t n)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
        "abcdefghijklmnopqrstuvwxyz0123456789+/";
    char *out = rt_arena_alloc(a, (n + 2) / 3 * 4 + 1), *o = out;
    size_t i, k;

    for (i = 0; i < n; i += 3) {
        uint32_t v = 0;

        for (k = 0; k < 3; k++)
            v = v << 8 | (i + k < n ? p[i + k] : 0u);
        for (k = 0; k < 4; k++)
            *o++ = i + k <= n ? letters[v >> (18 - 6 * k) & 63] : '=';
    }
    rt_assert((size_t)(o - out) == (n + 2) / 3 * 4);
    return out;
}

/* The line of a file in the text whose sum counts. */
static void
add_file(struct sha256 *all, const char *name, const void *data, size_t n)
{
    struct sha256 one;
    uint8_t sum[SHA256_SIZE];
    char hex[2 * SHA256_SIZE + 3];
    int i;

    sha256_init(&one);
    sha256_add(&one, data, n);
    sha256_end(&one, sum);
    for (i = 0; i < SHA256_SIZE; i++)
        snprintf(hex + 2 * i, 3, "%02x", sum[i]);
    sha256_add(all, hex, 2 * SHA256_SIZE);
    sha256_add(all, "  ", 2);
    sha256_add(all, name, strlen(name));
    sha256_add(all, "\n", 1);
}

static const char *
finish(struct rt_arena *a, struct sha256 *all)
{
    uint8_t sum[SHA256_SIZE];

    sha256_end(all, sum);
    return rt_arena_printf(a, "h1:%s", base64(a, sum, sizeof sum));
}

const char *
gosum_of_mod(struct rt_arena *a, const void *text, size_t len)
{
    struct sha256 all;

    sha256_init(&all);
    add_file(&all, "go.mod", text, len);
    return finish(a, &all);
}

const char *
gosum_of_zip(struct rt_arena *a, const struct unzip_entry *e, unsigned n,
    struct rt_err *err)
{
    struct sha256 all;
    unsigned i;

    sha256_init(&all);
    for (i = 0; i < n; i++) {
        uint8_t *data;

        if (paths_ends(e[i].name, "/"))
            continue;
        data = malloc(e[i].size + 1);
        if (data == NULL)
            rt_arena_nomem(a);
        if (unzip_read(&e[i], data, err) != RT_OK) {
            rt_err_wrap(err, "%s", e[i].name);
            free(data);
            return NULL;
        }
        add_file(&all, e[i].name, data, e[i].size);
        free(data);
    }
    return finish(a, &all);
}

/* The files below a folder, in any order, each with what is to stand for the
 * folder before it.  Folders may be nested deeply, so this is no recursion. */
static void
find_files(struct rt_arena *a, const char *dir, const char *prefix,
    struct paths_list *out)
{
    struct paths_list left = {0}; /* folders, below dir */
    unsigned i;

    paths_push(a, &left, "");
    while (left.n > 0) {
        const char *at = left.at[--left.n];
        struct paths_list names = {0};

        paths_entries(a, paths_join(a, dir, at), &names);
        for (i = 0; i < names.n; i++) {
            const char *rel = paths_join(a, at, names.at[i]);

            if (paths_is_dir(paths_join(a, dir, rel)))
                paths_push(a, &left, rel);
            else
                paths_push(a, out, rt_arena_printf(a, "%s/%s", prefix, rel));
        }
    }
}

const char *
gosum_of_dir(struct rt_arena *a, const char *dir, const char *prefix)
{
    struct paths_list files = {0};
    struct sha256 all;
    size_t len;
    unsigned i;

    find_files(a, dir, prefix, &files);
    paths_sort(&files);
    sha256_init(&all);
    for (i = 0; i < files.n; i++) {
        const char *name = files.at[i];

        rt_assert(paths_starts(name, prefix) && name[strlen(prefix)] == '/');
        char *text = paths_read(
            a, paths_join(a, dir, name + strlen(prefix) + 1), &len);

        if (text == NULL)
            return NULL;
        add_file(&all, name, text, len);
    }
    return finish(a, &all);
}
