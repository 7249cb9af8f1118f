/* SPDX-License-Identifier: MIT */
#include "runtime/lang/load/tree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/base/arena.h"
#include "runtime/lang/load/tree_int.h"

static enum rt_status
no_memory(struct rt_err *err)
{
    return rt_errf(err, RT_ENOMEM, UINT64_MAX, "out of memory");
}

char *
tree_slurp(struct rt_arena *a, struct tree_map *map, const char *path,
    size_t *len)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat st;
    char *text = NULL;
    size_t n = 0, size = 0;
    ssize_t k;

    if (fd < 0)
        return NULL;
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode)) {
        size = (size_t)st.st_size;
        if (map != NULL)
            text = tree_map_text(map, fd, size);
        if (text != NULL) {
            close(fd);
            *len = size;
            return text;
        }
        text = rt_arena_alloc(a, size + 1);
    }
    while (text != NULL && n < size) {
        k = read(fd, text + n, size - n);
        if (k < 0 && errno == EINTR)
            continue;
        if (k <= 0)
            break;
        n += (size_t)k;
    }
    close(fd);
    if (text != NULL)
        text[n] = 0;
    *len = n;
    return text;
}

/* ---- one tree --------------------------------------------------------------- */

/* The N of "const Version = N", which each release's own version package has;
 * 0: there is none. */
static unsigned
release_of(const char *root)
{
    static const char word[] = "const Version = ";
    struct rt_arena a = {0};
    char *path = rt_arena_printf(
        &a, "%s/src/internal/goversion/goversion.go", root);
    unsigned minor = 0;
    size_t len;
    char *text = path == NULL ? NULL : tree_slurp(&a, NULL, path, &len);
    char *at = text == NULL ? NULL : strstr(text, word);

    if (at != NULL)
        minor = (unsigned)strtoul(at + sizeof word - 1, NULL, 10);
    rt_arena_free(&a);
    return minor;
}

enum rt_status
tree_open(const char *root, struct tree **out, struct rt_err *err)
{
    struct tree_pack *pack = tree_pack_open(root);
    unsigned minor = pack != NULL ? tree_pack_minor(pack) : release_of(root);
    enum rt_status st = RT_OK;
    struct tree *t = NULL;

    *out = NULL;
    if (minor == 0)
        st = rt_errf(err, RT_EUNSUP, UINT64_MAX,
            "%s has no sources of Go's library", root);
    else if (minor < TREE_OLDEST_MINOR)
        st = rt_errf(err, RT_EUNSUP, UINT64_MAX,
            "%s has the library of Go 1.%u, and vole needs 1.%u or newer",
            root, minor, (unsigned)TREE_OLDEST_MINOR);
    else if ((t = calloc(1, sizeof *t)) == NULL ||
        (t->root = strdup(root)) == NULL)
        st = no_memory(err);
    if (st != RT_OK) {
        free(t);
        tree_pack_free(pack);
        return st;
    }
    t->minor = minor;
    t->pack = pack;
    if (pack == NULL)
        t->map = tree_map_new();
    *out = t;
    return RT_OK;
}

void
tree_free(struct tree *t)
{
    if (t == NULL)
        return;
    tree_pack_free(t->pack);
    tree_map_free(t->map);
    free(t->root);
    free(t);
}

const char *
tree_root(const struct tree *t)
{
    return t->root;
}

unsigned
tree_minor(const struct tree *t)
{
    return t->minor;
}

const uint8_t *
tree_sum(const struct tree *t)
{
    return t->pack == NULL ? NULL : tree_pack_sum(t->pack);
}

/* ---- which one -------------------------------------------------------------- */

/* The best tree so far. */
struct search {
    struct tree *best;
    unsigned wanted;
};

/* Is a tree of release a to be preferred to one of release b? */
static bool
better(unsigned a, unsigned b, unsigned wanted)
{
    bool known_a = a <= TREE_TESTED_MINOR, known_b = b <= TREE_TESTED_MINOR;

    if ((a >= wanted) != (b >= wanted))
        return a >= wanted;
    if (known_a != known_b)
        return known_a;
    return known_a ? a > b : a < b;
}

/* Keeps the tree in root if it is one and better than the best. */
static void
consider(const char *root, struct search *s)
{
    struct tree *t;

    if (tree_open(root, &t, NULL) != RT_OK)
        return;
    if (s->best != NULL && !better(t->minor, s->best->minor, s->wanted)) {
        tree_free(t);
        return;
    }
    tree_free(s->best);
    s->best = t;
}

/* Folders parent/prefix*. */
static void
consider_all(const char *parent, const char *prefix, struct search *s)
{
    DIR *d = opendir(parent);
    struct dirent *e;
    char root[512];

    while (d != NULL && (e = readdir(d)) != NULL) {
        int n = snprintf(root, sizeof root, "%s/%s", parent, e->d_name);

        if (strncmp(e->d_name, prefix, strlen(prefix)) == 0 &&
            n > 0 && (size_t)n < sizeof root)
            consider(root, s);
    }
    if (d != NULL)
        closedir(d);
}

/* The tree that the program go belongs to, root/bin/go once links are
 * followed. */
static void
consider_program(const char *path, struct search *s)
{
    const char *end;
    char name[4096], *real, *slash;

    for (; path != NULL && *path != 0; path = *end == 0 ? NULL : end + 1) {
        end = strchrnul(path, ':');
        snprintf(name, sizeof name, "%.*s/go", (int)(end - path), path);
        if (access(name, X_OK) != 0)
            continue;
        real = realpath(name, NULL);
        slash = real == NULL ? NULL : strrchr(real, '/');
        if (slash != NULL && slash - real >= 4 &&
            memcmp(slash - 4, "/bin", 4) == 0) {
            slash[-4] = 0;
            consider(real, s);
        }
        free(real);
        return;
    }
}

enum rt_status
tree_find(
    const struct tree_places *where, struct tree **out, struct rt_err *err)
{
    struct search s = {.wanted = where->wanted};

    *out = NULL;
    if (where->voleroot != NULL && *where->voleroot != 0)
        return tree_open(where->voleroot, out, err);
    if (!where->no_pack)
        consider(TREE_PACK, &s);
    if (where->goroot != NULL && *where->goroot != 0)
        consider(where->goroot, &s);
    consider_program(where->path, &s);
    consider("/usr/local/go", &s);
    consider_all("/usr/lib", "go-", &s);
    consider_all("/usr/share", "go-", &s);
    *out = s.best;
    if (s.best != NULL)
        return RT_OK;
    return rt_errf(err, RT_EUNSUP, UINT64_MAX,
        "vole finds no sources of Go's library: install Debian's package "
        "golang-1.%u-src or a newer one, or set VOLEROOT to the folder of a "
        "Go installation", (unsigned)TREE_OLDEST_MINOR);
}

/* ---- packages --------------------------------------------------------------- */

static bool
is_folder(const char *path)
{
    struct stat st;

    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* A path of names, none of which is empty, ".", ".." or begins with a dot. */
static bool
is_plain(const char *path)
{
    const char *p;

    for (p = path;; p++) {
        if (*p == '.' || *p == '/' || *p == 0)
            return false;
        p = strchrnul(p, '/');
        if (*p == 0)
            return true;
    }
}

/* The folder of a package, in the arena; NULL if there is none. */
static char *
folder_of(const struct tree *t, const char *path, struct rt_arena *a)
{
    char *s;

    if (!is_plain(path))
        return NULL;
    s = rt_arena_printf(a, "%s/src/%s", t->root, path);
    return s != NULL && is_folder(s) ? s : NULL;
}

bool
tree_has(const struct tree *t, const char *path)
{
    struct rt_arena a = {0};
    bool has;

    if (strncmp(path, "vendor/", 7) == 0 || strncmp(path, "cmd/", 4) == 0)
        return false;
    if (t->pack != NULL)
        return tree_pack_has(t->pack, path);
    has = folder_of(t, path, &a) != NULL;
    rt_arena_free(&a);
    return has;
}

static bool
ends_with(const char *s, const char *tail)
{
    size_t n = strlen(s), t = strlen(tail);

    return n >= t && strcmp(s + n - t, tail) == 0;
}

static int
by_name(const void *a, const void *b)
{
    return strcmp(((const struct tree_file *)a)->name,
        ((const struct tree_file *)b)->name);
}

/* The Go and assembly files of a folder, tests not, that their names do not
 * exclude; names only. */
static enum rt_status
list(const struct build_tags *tags, const char *folder, struct rt_arena *a,
    struct tree_file **out, unsigned *n, struct rt_err *err)
{
    DIR *d = opendir(folder);
    struct tree_file *at = NULL, *p;
    unsigned cap = 0;
    struct dirent *e;

    *n = 0;
    if (d == NULL)
        return rt_err_os(err, errno, "%s", folder);
    while ((e = readdir(d)) != NULL) {
        if (e->d_name[0] == '.' || e->d_name[0] == '_' ||
            ends_with(e->d_name, "_test.go") ||
            (!ends_with(e->d_name, ".go") && !ends_with(e->d_name, ".s")) ||
            !build_name_fits(tags, e->d_name))
            continue;
        p = rt_arena_more(a, at, *n, &cap, sizeof *p);
        if (p == NULL)
            break;
        at = p;
        at[*n] = (struct tree_file){
            .name = rt_arena_strndup(a, e->d_name, strlen(e->d_name))};
        if (at[(*n)++].name == NULL)
            break;
    }
    closedir(d);
    if (e != NULL)
        return no_memory(err);
    if (*n != 0)
        qsort(at, *n, sizeof *at, by_name);
    *out = at;
    return RT_OK;
}

static bool
has_assembly(const struct build_tags *tags, const struct tree_file *f,
    unsigned n)
{
    unsigned i;

    for (i = 0; i < n; i++)
        if (ends_with(f[i].name, ".s") &&
            tree_fits(tags, f[i].name, f[i].text, f[i].len))
            return true;
    return false;
}

/* Leaves the Go files that belong to the package, under their whole names. */
static enum rt_status
choose(const struct tree *t, const char *path, struct rt_arena *a,
    struct tree_file *f, unsigned *n, struct rt_err *err)
{
    struct build_tags tags = tree_tags(t->minor);
    unsigned i, k = 0;

    tags.no_arch = tree_drops_arch(t->minor, path) ||
        (!tree_keeps_arch(path) && has_assembly(&tags, f, *n));
    for (i = 0; i < *n; i++) {
        if (!ends_with(f[i].name, ".go") ||
            !tree_fits(&tags, f[i].name, f[i].text, f[i].len))
            continue;
        f[k] = f[i];
        f[k].name = rt_arena_printf(a, "%s/%s", path, f[i].name);
        if (f[k++].name == NULL)
            return no_memory(err);
    }
    *n = k;
    return RT_OK;
}

enum rt_status
tree_read(const struct tree *t, const char *path, struct rt_arena *a,
    struct tree_file **files, unsigned *n, struct rt_err *err)
{
    struct build_tags tags = tree_tags(t->minor); /* no choice has more */
    char *folder, *full;
    enum rt_status st;
    unsigned i;

    *n = 0;
    if (t->pack != NULL)
        return tree_pack_read(t->pack, path, a, files, n, err);
    folder = folder_of(t, path, a);
    if (folder == NULL)
        return rt_errf(err, RT_EUNSUP, UINT64_MAX, "package %s is not in std",
            path);
    st = list(&tags, folder, a, files, n, err);
    for (i = 0; st == RT_OK && i < *n; i++) {
        struct tree_file *f = &(*files)[i];

        full = rt_arena_printf(a, "%s/%s", folder, f->name);
        if (full == NULL)
            return no_memory(err);
        f->text = tree_slurp(a, t->map, full, &f->len);
        if (f->text == NULL)
            return rt_err_os(err, errno, "%s", full);
    }
    if (st == RT_OK)
        st = choose(t, path, a, *files, n, err);
    if (st == RT_OK && *n == 0)
        st = rt_errf(err, RT_EUNSUP, UINT64_MAX, "package %s is not in std",
            path);
    return st;
}

void
tree_parsed(const struct tree *t)
{
    if (t->map != NULL)
        tree_map_drop(t->map);
}

void
tree_rest(const struct tree *t)
{
    if (t->pack != NULL)
        tree_pack_rest(t->pack);
}
