/* SPDX-License-Identifier: MIT */
/*
 * An entry is a file: struct head, the files of the tree, what is kept.  It is
 * written under another name and renamed, so nobody sees half of one.  Whoever
 * keeps something says by a sum in it that it is not damaged.
 */
#include "runtime/lang/load/entry.h"

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
#include "runtime/lang/load/paths.h"
#include "runtime/lang/load/tree_load.h"

#define ENTRY_MAGIC UINT64_C(0x3265686361636f76) /* "vocache2" */

/* All entries together, in bytes; a server is some 8 MB. */
enum { ENTRY_MOST = 256 << 20 };

/* How often it is noted that an entry is used, and how old a file must be for
 * its times to tell whether it has changed, in seconds. */
enum { ENTRY_TOUCH = 3600, ENTRY_SETTLED = 2 };

struct head {
    uint64_t magic;
    uint64_t ndeps, nkept; /* bytes of each, multiples of 8 */
};

/* A file or folder of the tree as it was, then its name with a 0 behind, up to
 * a multiple of 8 bytes. */
struct dep {
    uint64_t dev, ino, size;
    int64_t mtime, mtime_ns, ctime, ctime_ns;
    uint64_t len; /* of the name and what fills it up */
};

void
entry_begin(struct entry_folder *f, const char *path)
{
    f->path = path != NULL && *path == '/' ? path : NULL;
    clock_gettime(CLOCK_REALTIME, &f->begun);
}

void
entry_end(struct entry_folder *f)
{
    free(f->deps);
    f->deps = NULL;
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
bool
entry_hash(struct sha256 *h)
{
    struct build_id b = {.here = (uintptr_t)entry_begin};

    sha256_init(h);
    dl_iterate_phdr(look_at_object, &b);
    if (b.n == 0)
        return false;
    sha256_add(h, b.id, b.n);
    return true;
}

void
entry_add_bytes(struct sha256 *h, const void *at, size_t n)
{
    uint64_t len = n;

    sha256_add(h, &len, sizeof len);
    if (n != 0)
        sha256_add(h, at, n);
}

void
entry_add_text(struct sha256 *h, const char *s)
{
    entry_add_bytes(h, s == NULL ? "" : s, s == NULL ? 0 : strlen(s));
}

void
entry_add_number(struct sha256 *h, uint64_t v)
{
    sha256_add(h, &v, sizeof v);
}

struct entry_name
entry_name_end(struct sha256 *h, const char *ending)
{
    struct entry_name name;
    uint8_t sum[SHA256_SIZE];
    int i;

    rt_assert(strlen(ending) < sizeof name.text - 2 * SHA256_SIZE);
    sha256_end(h, sum);
    for (i = 0; i < SHA256_SIZE; i++)
        snprintf(name.text + 2 * i, 3, "%02x", sum[i]);
    strcat(name.text, ending);
    return name;
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
is_settled(const struct entry_folder *f, const struct stat *st)
{
    return st->st_mtim.tv_sec < f->begun.tv_sec - ENTRY_SETTLED &&
        st->st_ctim.tv_sec < f->begun.tv_sec - ENTRY_SETTLED;
}

static bool
add_dep(struct entry_folder *f, const char *path)
{
    size_t len = (strlen(path) + 8) & ~(size_t)7;
    struct stat st;
    struct dep d;
    uint8_t *p;

    if (stat(path, &st) != 0 || !is_settled(f, &st))
        return false;
    p = realloc(f->deps, f->ndeps + sizeof d + len);
    if (p == NULL)
        return false;
    f->deps = p;
    p += f->ndeps;
    d = dep_of(&st, len);
    memcpy(p, &d, sizeof d);
    memset(p + sizeof d, 0, len);
    memcpy(p + sizeof d, path, strlen(path));
    f->ndeps += sizeof d + len;
    return true;
}

/* A folder and all files in it that could belong to its package. */
static bool
add_folder(struct entry_folder *f, const char *folder, struct rt_arena *a)
{
    struct paths_list names = {0};
    unsigned i;

    if (!add_dep(f, folder) || !paths_entries(a, folder, &names))
        return false;
    for (i = 0; i < names.n; i++)
        if ((paths_ends(names.at[i], ".go") &&
                !paths_ends(names.at[i], "_test.go")) ||
            paths_ends(names.at[i], ".s"))
            if (!add_dep(f, paths_join(a, folder, names.at[i])))
                return false;
    return true;
}

void
entry_collect(struct entry_folder *f, const struct tree_load *l,
    struct rt_arena *a)
{
    const struct tree *tree = l->tree;
    bool good = true;
    unsigned i;

    if (f->path == NULL || tree == NULL)
        return;
    rt_assert(f->deps == NULL);
    if (!paths_is_dir(tree_root(tree)))
        good = add_dep(f, tree_root(tree));
    else
        for (i = 0; good && i < l->used.n; i++)
            good = add_folder(f, rt_arena_printf(
                a, "%s/src/%s", tree_root(tree), l->used.at[i]), a);
    if (!good)
        entry_end(f);
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
path_of(const struct entry_folder *f, const char *name, char out[4096])
{
    if (snprintf(out, 4096, "%s/%s", f->path, name) >= 4096)
        out[0] = 0;
}

/* The file's bytes, which may be changed in memory: below 2 GiB if there is
 * room, where machine code has their addresses in four bytes. */
static void *
map_bytes(int fd, size_t n)
{
    void *p = MAP_FAILED;

#ifdef MAP_32BIT
    p = mmap(
        NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_32BIT, fd, 0);
#endif
    return p != MAP_FAILED
        ? p
        : mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
}

/* Maps a file that nobody else could have written. */
static bool
map_entry(struct entry *e, const char *path)
{
    struct stat st;
    void *p = MAP_FAILED;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);

    if (fd < 0)
        return false;
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
        st.st_uid == geteuid() && (st.st_mode & (S_IWGRP | S_IWOTH)) == 0 &&
        (size_t)st.st_size >= sizeof(struct head)) {
        e->mapped = (size_t)st.st_size;
        p = map_bytes(fd, e->mapped);
    }
    close(fd);
    e->map = p == MAP_FAILED ? NULL : p;
    return e->map != NULL;
}

void
entry_close(struct entry *e)
{
    if (e->map != NULL)
        munmap(e->map, e->mapped);
    e->map = NULL;
}

/* The entry is used: it is among the last to go. */
static void
touch(const struct entry_folder *f, const char *path)
{
    struct stat st;

    if (stat(path, &st) == 0 &&
        st.st_mtim.tv_sec + ENTRY_TOUCH < f->begun.tv_sec)
        utimensat(AT_FDCWD, path, NULL, 0);
}

bool
entry_open(const struct entry_folder *f, const struct entry_name *name,
    struct entry *e)
{
    char path[4096];
    const struct head *h;
    size_t left;

    *e = (struct entry){.map = NULL};
    if (f->path == NULL || name->text[0] == 0)
        return false;
    path_of(f, name->text, path);
    if (!map_entry(e, path))
        return false;
    h = (const void *)e->map;
    left = e->mapped - sizeof *h;
    if (h->magic == ENTRY_MAGIC && h->ndeps <= left &&
        h->nkept == left - h->ndeps && h->ndeps % 8 == 0 &&
        deps_hold(e->map + sizeof *h, h->ndeps)) {
        e->at = e->map + sizeof *h + h->ndeps;
        e->size = h->nkept;
        touch(f, path);
        return true;
    }
    entry_close(e);
    return false;
}

/* ---- keeping --------------------------------------------------------------------------- */

static void
write_entry(const struct entry_folder *to, const struct entry_name *name,
    const void *at, size_t size)
{
    struct head h = {ENTRY_MAGIC, to->ndeps, size};
    char temp[4096], path[4096], fresh[32];
    bool good;
    FILE *f;
    int fd;

    snprintf(fresh, sizeof fresh, "new-%ld", (long)getpid());
    path_of(to, fresh, temp);
    path_of(to, name->text, path);
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
        (to->ndeps == 0 ||
            fwrite(to->deps, 1, to->ndeps, f) == to->ndeps) &&
        fwrite(at, 1, size, f) == size;
    if (fclose(f) != 0 || !good || rename(temp, path) != 0)
        unlink(temp);
}

struct listed {
    char name[80];
    int64_t used;
    uint64_t size;
};

RT_VEC(listed_vec, struct listed);

static int
by_use(const void *a, const void *b)
{
    const struct listed *x = a, *y = b;

    return (x->used > y->used) - (x->used < y->used);
}

/* What is there, as far as that can be told. */
static struct listed_vec
list_entries(const struct entry_folder *f)
{
    DIR *d = opendir(f->path);
    struct listed_vec list = {0};
    struct dirent *e;
    struct stat st;

    while (d != NULL && (e = readdir(d)) != NULL) {
        struct listed x = {.used = 0};

        if (strlen(e->d_name) >= sizeof x.name ||
            (!paths_ends(e->d_name, ENTRY_IMAGE) &&
                !paths_ends(e->d_name, ENTRY_STOCK) &&
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
trim(const struct entry_folder *f)
{
    struct listed_vec list = list_entries(f);
    uint64_t sum = 0;
    char path[4096];
    size_t i;

    for (i = 0; i < list.n; i++)
        sum += list.v[i].size;
    if (sum > ENTRY_MOST)
        qsort(list.v, list.n, sizeof *list.v, by_use);
    for (i = 0; i < list.n && sum > ENTRY_MOST; i++) {
        path_of(f, list.v[i].name, path);
        if (unlink(path) == 0)
            sum -= list.v[i].size;
    }
    rt_vec_free(&list);
}

void
entry_store(const struct entry_folder *f, const struct entry_name *name,
    const void *at, size_t size)
{
    if (f->path == NULL || f->deps == NULL || name->text[0] == 0)
        return;
    rt_assert(size % 8 == 0);
    paths_make_above(f->path);
    mkdir(f->path, 0700);
    write_entry(f, name, at, size);
    trim(f);
}

void
entry_put(const struct entry_folder *f, const struct entry_name *name,
    const void *at, size_t size)
{
    rt_assert(f->ndeps == 0 && size % 8 == 0);
    if (f->path != NULL && name->text[0] != 0)
        write_entry(f, name, at, size);
}

void
entry_remove(const struct entry_folder *f, const struct entry_name *name)
{
    char path[4096];

    path_of(f, name->text, path);
    unlink(path);
}
