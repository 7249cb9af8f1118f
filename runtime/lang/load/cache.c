/* SPDX-License-Identifier: MIT */
/*
 * An entry is a file: struct head, the files of the tree, the packed image.  It
 * is written under another name and renamed, so nobody sees half of one, and
 * its image has a sum, so nobody runs a damaged one.
 */
#include "runtime/lang/load/cache.h"

#include <dirent.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/base/throw.h"
#include "runtime/base/vec.h"
#include "runtime/code/pack.h"
#include "runtime/lang/load/paths.h"
#include "runtime/lang/load/sha256.h"
#include "runtime/lang/load/tree_load.h"

#define CACHE_MAGIC UINT64_C(0x3165686361636f76) /* "vocache1" */
#define CACHE_SUFFIX ".image"

/* All entries together, in bytes; a server is some 8 MB. */
enum { CACHE_MOST = 256 << 20 };

/* How often it is noted that an entry is used, and how old a file must be for
 * its times to tell whether it has changed, in seconds. */
enum { CACHE_TOUCH = 3600, CACHE_SETTLED = 2 };

struct head {
    uint64_t magic;
    uint64_t ndeps, nimage; /* bytes of each, multiples of 8 */
};

/* A file or folder of the tree as it was, then its name with a 0 behind, up to
 * a multiple of 8 bytes. */
struct dep {
    uint64_t dev, ino, size;
    int64_t mtime, mtime_ns, ctime, ctime_ns;
    uint64_t len; /* of the name and what fills it up */
};

void
cache_init(struct cache *c, const char *folder)
{
    c->folder = folder != NULL && *folder == '/' ? folder : NULL;
    clock_gettime(CLOCK_REALTIME, &c->begun);
}

/* ---- names ------------------------------------------------------------------- */

struct build_id {
    uintptr_t here; /* an address in the object that is looked for */
    const uint8_t *id;
    size_t n;
};

static void
find_note(struct build_id *b, const uint8_t *at, size_t size)
{
    while (size >= sizeof(ElfW(Nhdr))) {
        const ElfW(Nhdr) *n = (const void *)at;
        size_t name = (n->n_namesz + 3) & ~3u, desc = (n->n_descsz + 3) & ~3u;

        if (name + desc > size - sizeof *n)
            return;
        if (n->n_type == NT_GNU_BUILD_ID && n->n_namesz == 4 &&
            memcmp(n + 1, "GNU", 4) == 0) {
            b->id = (const uint8_t *)(n + 1) + name;
            b->n = n->n_descsz;
        }
        at += sizeof *n + name + desc;
        size -= sizeof *n + name + desc;
    }
}

static int
look_at_object(struct dl_phdr_info *o, size_t size, void *arg)
{
    struct build_id *b = arg;
    bool mine = false;
    int i;

    (void)size;
    for (i = 0; i < o->dlpi_phnum; i++)
        if (o->dlpi_phdr[i].p_type == PT_LOAD &&
            b->here - o->dlpi_addr - o->dlpi_phdr[i].p_vaddr <
                o->dlpi_phdr[i].p_memsz)
            mine = true;
    for (i = 0; mine && i < o->dlpi_phnum; i++)
        if (o->dlpi_phdr[i].p_type == PT_NOTE)
            find_note(b,
                (const void *)(o->dlpi_addr + o->dlpi_phdr[i].p_vaddr),
                o->dlpi_phdr[i].p_memsz);
    return mine;
}

/* What the linker has made of the contents of this very program or library. */
static bool
add_build(struct sha256 *h)
{
    struct build_id b = {.here = (uintptr_t)cache_init};

    dl_iterate_phdr(look_at_object, &b);
    if (b.n == 0)
        return false;
    sha256_add(h, b.id, b.n);
    return true;
}

static void
add_bytes(struct sha256 *h, const void *at, size_t n)
{
    uint64_t len = n;

    sha256_add(h, &len, sizeof len);
    if (n != 0)
        sha256_add(h, at, n);
}

static void
add_text(struct sha256 *h, const char *s)
{
    add_bytes(h, s == NULL ? "" : s, s == NULL ? 0 : strlen(s));
}

static void
add_number(struct sha256 *h, uint64_t v)
{
    sha256_add(h, &v, sizeof v);
}

static void
add_embedded(struct sha256 *h, const struct ast_file *f)
{
    uint32_t i, k;

    for (i = 0; i < f->decls.n; i++) {
        const struct ast_decl *d = f->decls.at[i];

        if (d->kind != DECL_VAR || d->var.embed == NULL)
            continue;
        add_number(h, i);
        add_number(h, d->var.embed->n);
        for (k = 0; k < d->var.embed->n; k++) {
            add_text(h, d->var.embed->files[k].name);
            add_bytes(h, d->var.embed->files[k].data,
                d->var.embed->files[k].len);
        }
    }
}

static void
add_package(struct sha256 *h, const struct graph_package *p)
{
    uint32_t i;

    add_text(h, p->path);
    add_text(h, p->code_path);
    add_text(h, p->dir);
    add_number(h, p->named);
    add_number(h, p->minor);
    add_number(h, p->nfiles);
    for (i = 0; i < p->nfiles; i++) {
        add_number(h, p->files[i]->src->index);
        add_embedded(h, p->files[i]);
    }
}

void
cache_name(struct cache *c, const struct graph *g,
    const struct lang_sources *src, const struct tree *tree,
    const char *const *more, unsigned nmore)
{
    uint8_t sum[SHA256_SIZE];
    struct sha256 h;
    char cwd[4096];
    uint32_t i;

    if (c->folder == NULL)
        return;
    sha256_init(&h);
    if (!add_build(&h) || getcwd(cwd, sizeof cwd) == NULL)
        return;
    add_text(&h, cwd);
    add_text(&h, tree_root(tree));
    add_number(&h, tree_minor(tree));
    for (i = 0; i < nmore; i++)
        add_text(&h, more[i]);
    for (i = 0; i < src->nfile; i++) {
        add_text(&h, src->file[i]->name);
        add_number(&h, src->file[i]->lang);
        add_bytes(&h, src->file[i]->text, src->file[i]->size);
    }
    for (i = 0; i < g->norder; i++)
        add_package(&h, g->order[i]);
    sha256_end(&h, sum);
    for (i = 0; i < SHA256_SIZE; i++)
        snprintf(c->name + 2 * i, 3, "%02x", sum[i]);
    strcat(c->name, CACHE_SUFFIX);
}

/* ---- files of the tree ------------------------------------------------------------ */

static struct dep
dep_of(const struct stat *st, size_t len)
{
    return (struct dep){st->st_dev, st->st_ino, (uint64_t)st->st_size,
        st->st_mtim.tv_sec, st->st_mtim.tv_nsec, st->st_ctim.tv_sec,
        st->st_ctim.tv_nsec, len};
}

/* It has not changed since just before it was read; times go by the clock's
 * ticks, and that of another machine may be behind. */
static bool
is_settled(const struct cache *c, const struct stat *st)
{
    return st->st_mtim.tv_sec < c->begun.tv_sec - CACHE_SETTLED &&
        st->st_ctim.tv_sec < c->begun.tv_sec - CACHE_SETTLED;
}

static bool
add_dep(struct cache *c, const char *path)
{
    size_t len = (strlen(path) + 8) & ~(size_t)7;
    struct stat st;
    struct dep d;
    uint8_t *p;

    if (stat(path, &st) != 0 || !is_settled(c, &st))
        return false;
    p = realloc(c->deps, c->ndeps + sizeof d + len);
    if (p == NULL)
        return false;
    c->deps = p;
    p += c->ndeps;
    d = dep_of(&st, len);
    memcpy(p, &d, sizeof d);
    memset(p + sizeof d, 0, len);
    memcpy(p + sizeof d, path, strlen(path));
    c->ndeps += sizeof d + len;
    return true;
}

/* A folder and all files in it that could belong to its package. */
static bool
add_folder(struct cache *c, const char *folder, struct rt_arena *a)
{
    struct paths_list names = {0};
    unsigned i;

    if (!add_dep(c, folder) || !paths_entries(a, folder, &names))
        return false;
    for (i = 0; i < names.n; i++)
        if ((paths_ends(names.at[i], ".go") &&
                !paths_ends(names.at[i], "_test.go")) ||
            paths_ends(names.at[i], ".s"))
            if (!add_dep(c, paths_join(a, folder, names.at[i])))
                return false;
    return true;
}

void
cache_collect(struct cache *c, const struct tree_load *l, struct rt_arena *a)
{
    const struct tree *tree = l->tree;
    bool good = true;
    unsigned i;

    if (c->name[0] == 0 || c->map != NULL)
        return;
    rt_assert(c->deps == NULL && tree != NULL);
    if (!paths_is_dir(tree_root(tree)))
        good = add_dep(c, tree_root(tree));
    else
        for (i = 0; good && i < l->used.n; i++)
            good = add_folder(c, rt_arena_printf(
                a, "%s/src/%s", tree_root(tree), l->used.at[i]), a);
    if (!good)
        c->name[0] = 0;
}

/* Is each file what it was? */
static bool
deps_hold(const uint8_t *at, size_t n)
{
    while (n != 0) {
        const struct dep *d = (const void *)at;
        const char *name = (const char *)(d + 1);
        struct dep now;
        struct stat st;

        if (n < sizeof *d || d->len == 0 || d->len % 8 != 0 ||
            d->len > n - sizeof *d || name[d->len - 1] != 0 ||
            stat(name, &st) != 0)
            return false;
        now = dep_of(&st, d->len);
        if (memcmp(&now, d, sizeof now) != 0)
            return false;
        at += sizeof *d + d->len;
        n -= sizeof *d + d->len;
    }
    return true;
}

/* ---- entries ------------------------------------------------------------------------- */

static void
path_of(const struct cache *c, const char *name, char out[4096])
{
    if (snprintf(out, 4096, "%s/%s", c->folder, name) >= 4096)
        out[0] = 0;
}

/* Maps a file that nobody else could have written. */
static bool
map_entry(struct cache *c)
{
    char path[4096];
    struct stat st;
    void *p = MAP_FAILED;
    int fd;

    path_of(c, c->name, path);
    fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (fd < 0)
        return false;
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
        st.st_uid == geteuid() && (st.st_mode & (S_IWGRP | S_IWOTH)) == 0 &&
        (size_t)st.st_size >= sizeof(struct head)) {
        c->mapped = (size_t)st.st_size;
        p = mmap(NULL, c->mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
    }
    close(fd);
    c->map = p == MAP_FAILED ? NULL : p;
    return c->map != NULL;
}

static void
unmap(struct cache *c)
{
    if (c->map != NULL)
        munmap(c->map, c->mapped);
    c->map = NULL;
}

/* The entry is used: it is among the last to go. */
static void
touch(const struct cache *c)
{
    char path[4096];
    struct stat st;

    path_of(c, c->name, path);
    if (stat(path, &st) == 0 &&
        st.st_mtim.tv_sec + CACHE_TOUCH < c->begun.tv_sec)
        utimensat(AT_FDCWD, path, NULL, 0);
}

const struct code_image *
cache_find(struct cache *c)
{
    const struct code_image *im = NULL;
    const struct head *h;
    uint8_t *deps;
    size_t left;

    if (c->name[0] == 0 || !map_entry(c))
        return NULL;
    h = (const void *)c->map;
    deps = c->map + sizeof *h;
    left = c->mapped - sizeof *h;
    if (h->magic == CACHE_MAGIC && h->ndeps <= left &&
        h->nimage == left - h->ndeps && h->ndeps % 8 == 0 &&
        deps_hold(deps, h->ndeps))
        im = code_unpack(deps + h->ndeps, h->nimage);
    if (im != NULL)
        touch(c);
    else
        unmap(c);
    return im;
}

/* ---- keeping --------------------------------------------------------------------------- */

static void
write_entry(const struct cache *c, const struct code_packed *image)
{
    struct head h = {CACHE_MAGIC, c->ndeps, image->size};
    char temp[4096], path[4096], name[32];
    bool good;
    FILE *f;
    int fd;

    snprintf(name, sizeof name, "new-%ld", (long)getpid());
    path_of(c, name, temp);
    path_of(c, c->name, path);
    fd = open(temp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0)
        return;
    f = fdopen(fd, "w");
    if (f == NULL) {
        close(fd);
        unlink(temp);
        return;
    }
    good = fwrite(&h, sizeof h, 1, f) == 1 &&
        fwrite(c->deps, 1, c->ndeps, f) == c->ndeps &&
        fwrite(image->at, 1, image->size, f) == image->size;
    if (fclose(f) != 0 || !good || rename(temp, path) != 0)
        unlink(temp);
}

struct entry {
    char name[80];
    int64_t used;
    uint64_t size;
};

RT_VEC(entry_vec, struct entry);

static int
by_use(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;

    return (x->used > y->used) - (x->used < y->used);
}

/* What is there, as far as that can be told. */
static struct entry_vec
list_entries(const struct cache *c)
{
    DIR *d = opendir(c->folder);
    struct entry_vec list = {0};
    struct dirent *e;
    struct stat st;

    while (d != NULL && (e = readdir(d)) != NULL) {
        struct entry x = {.used = 0};

        if (strlen(e->d_name) >= sizeof x.name ||
            (!paths_ends(e->d_name, CACHE_SUFFIX) &&
                !paths_starts(e->d_name, "new-")) ||
            fstatat(dirfd(d), e->d_name, &st, AT_SYMLINK_NOFOLLOW) != 0)
            continue;
        x.used = st.st_mtim.tv_sec;
        x.size = (uint64_t)st.st_size;
        strcpy(x.name, e->d_name);
        if (!rt_vec_push(&list, x))
            break;
    }
    if (d != NULL)
        closedir(d);
    return list;
}

/* Takes the entries away that were not used for longest. */
static void
trim(const struct cache *c)
{
    struct entry_vec list = list_entries(c);
    uint64_t sum = 0;
    char path[4096];
    size_t i;

    for (i = 0; i < list.n; i++)
        sum += list.v[i].size;
    if (sum > CACHE_MOST)
        qsort(list.v, list.n, sizeof *list.v, by_use);
    for (i = 0; i < list.n && sum > CACHE_MOST; i++) {
        path_of(c, list.v[i].name, path);
        if (unlink(path) == 0)
            sum -= list.v[i].size;
    }
    rt_vec_free(&list);
}

void
cache_store(struct cache *c, const struct code_image *im)
{
    struct code_packed packed;

    if (c->name[0] == 0 || c->map != NULL || c->deps == NULL)
        return;
    if (!code_pack(im, &packed))
        return;
    paths_make_above(c->folder);
    mkdir(c->folder, 0700);
    write_entry(c, &packed);
    free(packed.at);
    trim(c);
}

void
cache_free(struct cache *c)
{
    unmap(c);
    free(c->deps);
    c->deps = NULL;
}
