/* SPDX-License-Identifier: MIT */
/*
 * treepack TREE|auto|none OUT LICENSE: packs the packages of a tree of Go's
 * sources for an installed vole (runtime/lang/load/tree_pack.h), and puts the
 * licence of the tree beside.  With none, or where auto finds no tree, the
 * pack is empty.  Only the build runs this program.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cmd/treepack/treepack.h"
#include "runtime/base/arena.h"
#include "runtime/lang/load/tree.h"
#include "runtime/lang/load/tree_pack.h"

struct item {
    const char *path;
    struct tree_pack_entry entry;
    uint8_t *files;
};

struct pack {
    struct rt_arena arena;
    struct tree *tree; /* NULL: an empty pack */
    struct item *items;
    size_t n, cap;
};

static void
stop(const char *what, const char *of)
{
    fprintf(stderr, "treepack: %s%s%s\n", of, *of != 0 ? ": " : "", what);
    exit(1);
}

static void *
need(void *p)
{
    if (p == NULL)
        stop("out of memory", "");
    return p;
}

/* ---- packages --------------------------------------------------------------- */

/* Packages that programs cannot use: the go command's and Go's own runtime. */
static bool
is_left_out(const char *path)
{
    static const char *const trees[] = {"cmd", "runtime", "builtin",
        "plugin", "reflect", NULL};
    int i;

    for (i = 0; trees[i] != NULL; i++) {
        size_t n = strlen(trees[i]);

        if (strncmp(path, trees[i], n) == 0 &&
            (path[n] == 0 || path[n] == '/'))
            return true;
    }
    return false;
}

/* The files of a package, one behind the other; their sum in *size. */
static uint8_t *
join(const struct tree_file *f, unsigned n, uint32_t *size)
{
    size_t most = 0;
    uint8_t *out, *at;
    unsigned i;

    for (i = 0; i < n; i++)
        most += sizeof(struct tree_pack_file) + strlen(f[i].name) + f[i].len +
            1;
    at = out = need(malloc(most + 1));
    for (i = 0; i < n; i++) {
        const char *name = strrchr(f[i].name, '/') + 1;
        struct tree_pack_file h = {.name_len = (uint32_t)strlen(name)};

        h.text_len = (uint32_t)treepack_strip(
            f[i].text, f[i].len, (char *)at + sizeof h + h.name_len);
        memcpy(at, &h, sizeof h);
        memcpy(at + sizeof h, name, h.name_len);
        at += sizeof h + h.name_len + h.text_len;
        *at++ = 0;
    }
    *size = (uint32_t)(at - out);
    return out;
}

static void
add_package(struct pack *p, const char *path)
{
    struct tree_file *files;
    struct item it = {.path = path};
    struct rt_arena a = {0};
    unsigned n;

    if (tree_read(p->tree, path, &a, &files, &n, NULL) != RT_OK) {
        rt_arena_free(&a);
        return;
    }
    it.files = join(files, n, &it.entry.size);
    it.entry.hash = tree_pack_hash(it.files, it.entry.size);
    it.entry.nfiles = n;
    rt_arena_free(&a);
    if (p->n == p->cap) {
        p->cap = p->cap * 2 + 64;
        p->items = need(realloc(p->items, p->cap * sizeof *p->items));
    }
    p->items[p->n++] = it;
}

/* The packages below a folder, whose path begins with `path`. */
static void
walk(struct pack *p, const char *folder, const char *path)
{
    DIR *d = opendir(folder);
    struct dirent *e;

    if (d == NULL)
        return;
    while ((e = readdir(d)) != NULL) {
        char *sub = rt_arena_printf(&p->arena, "%s/%s", folder, e->d_name);
        char *name = rt_arena_printf(&p->arena, "%s%s%s", path,
            *path != 0 ? "/" : "", e->d_name);
        struct stat st;

        if (e->d_name[0] == '.' || e->d_name[0] == '_' ||
            strcmp(e->d_name, "testdata") == 0 || is_left_out(need(name)) ||
            stat(need(sub), &st) != 0 || !S_ISDIR(st.st_mode))
            continue;
        add_package(p, name);
        walk(p, sub, name);
    }
    closedir(d);
}

static int
by_path(const void *a, const void *b)
{
    return strcmp(
        ((const struct item *)a)->path, ((const struct item *)b)->path);
}

/* ---- files ------------------------------------------------------------------ */

static FILE *
create(const char *path)
{
    FILE *f = fopen(path, "wb");

    if (f == NULL)
        stop("cannot be written", path);
    return f;
}

static void
put(FILE *f, const void *at, size_t n)
{
    if (n != 0 && fwrite(at, 1, n, f) != n)
        stop("cannot be written", "the pack");
}

/* Says of each package where its name and where it itself is going to be;
 * returns the bytes of all names. */
static uint32_t
place_packages(struct pack *p)
{
    uint32_t names = 0;
    uint64_t at;
    size_t i;

    for (i = 0; i < p->n; i++) {
        p->items[i].entry.name = names;
        p->items[i].entry.name_len = (uint32_t)strlen(p->items[i].path);
        names += p->items[i].entry.name_len;
    }
    at = sizeof(struct tree_pack_head) + p->n * sizeof p->items->entry + names;
    for (i = 0; i < p->n; i++) {
        p->items[i].entry.at = at;
        at += p->items[i].entry.size;
    }
    return names;
}

static void
put_summed(FILE *f, struct sha256 *sum, const void *at, size_t n)
{
    sha256_add(sum, at, n);
    put(f, at, n);
}

static void
put_packages(const struct pack *p, FILE *f, struct sha256 *sum)
{
    size_t i;

    for (i = 0; i < p->n; i++)
        put_summed(f, sum, &p->items[i].entry, sizeof p->items[i].entry);
    for (i = 0; i < p->n; i++)
        put_summed(f, sum, p->items[i].path, p->items[i].entry.name_len);
    for (i = 0; i < p->n; i++)
        put_summed(f, sum, p->items[i].files, p->items[i].entry.size);
}

static void
write_pack(struct pack *p, const char *path)
{
    struct tree_pack_head h = {
        .version = TREE_PACK_VERSION, .n = (uint32_t)p->n};
    struct sha256 sum;
    FILE *f = create(path);

    memcpy(h.magic, TREE_PACK_MAGIC, sizeof h.magic);
    h.minor = p->tree == NULL ? 0 : tree_minor(p->tree);
    h.names = place_packages(p);
    put(f, &h, sizeof h); /* for the place; the sum is not known yet */
    sha256_init(&sum);
    put_packages(p, f, &sum);
    sha256_end(&sum, h.sum);
    rewind(f);
    put(f, &h, sizeof h);
    if (fclose(f) != 0)
        stop("cannot be written", path);
}

static bool
copy(const char *from, const char *to)
{
    FILE *in = fopen(from, "rb"), *out;
    char buf[8192];
    size_t n;

    if (in == NULL)
        return false;
    out = create(to);
    while ((n = fread(buf, 1, sizeof buf, in)) > 0)
        put(out, buf, n);
    fclose(in);
    if (fclose(out) != 0)
        stop("cannot be written", to);
    return true;
}

/* The licence lies above src/; Debian has it with its documents. */
static void
copy_licence(struct pack *p, const char *to)
{
    const char *from;

    if (p->tree == NULL) {
        fclose(create(to));
        return;
    }
    from = need(rt_arena_printf(&p->arena, "%s/LICENSE", tree_root(p->tree)));
    if (copy(from, to))
        return;
    from = need(rt_arena_printf(&p->arena,
        "/usr/share/doc/golang-1.%u-src/copyright", tree_minor(p->tree)));
    if (!copy(from, to))
        stop("there is no licence to put beside it", tree_root(p->tree));
}

static void
find_tree(struct pack *p, const char *which)
{
    struct tree_places where = {
        .goroot = getenv("GOROOT"), .path = getenv("PATH"), .no_pack = true};
    struct rt_err err = {0};
    enum rt_status st;

    if (strcmp(which, "none") == 0)
        return;
    if (strcmp(which, "auto") != 0) {
        if (tree_open(which, &p->tree, &err) != RT_OK)
            stop(err.text, "gotree");
        return;
    }
    st = tree_find(&where, &p->tree, &err);
    if (st != RT_OK && st != RT_EUNSUP)
        stop(err.text, "gotree");
}

int
main(int argc, char **argv)
{
    struct pack p = {0};

    if (argc != 4)
        stop("TREE|auto|none OUT LICENSE", "usage");
    find_tree(&p, argv[1]);
    if (p.tree != NULL) {
        char *src = need(
            rt_arena_printf(&p.arena, "%s/src", tree_root(p.tree)));

        walk(&p, src, "");
        qsort(p.items, p.n, sizeof *p.items, by_path);
    }
    write_pack(&p, argv[2]);
    copy_licence(&p, argv[3]);
    while (p.n > 0)
        free(p.items[--p.n].files);
    free(p.items);
    tree_free(p.tree);
    rt_arena_free(&p.arena);
    return 0;
}
