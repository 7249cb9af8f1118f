/* SPDX-License-Identifier: MIT */
#include "runtime/lang/load/tree_pack.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "runtime/base/arena.h"
#include "runtime/lang/load/paths.h"

struct tree_pack {
    const uint8_t *at; /* mapped */
    size_t size;
    const struct tree_pack_head *head;
    const struct tree_pack_entry *entries;
    const char *names;
};

static bool
is_whole(const struct tree_pack *p)
{
    const struct tree_pack_head *h = p->head;
    uint64_t need = sizeof *h +
        (uint64_t)h->n * sizeof *p->entries + h->names;

    return memcmp(h->magic, TREE_PACK_MAGIC, sizeof h->magic) == 0 &&
        h->version == TREE_PACK_VERSION && need <= p->size;
}

struct tree_pack *
tree_pack_open(const char *path)
{
    struct tree_pack *p;
    size_t size = 0;
    void *at = paths_map(path, sizeof *p->head, &size);

    if (at == NULL)
        return NULL;
    p = calloc(1, sizeof *p);
    if (p == NULL) {
        munmap(at, size);
        return NULL;
    }
    p->at = at;
    p->size = size;
    p->head = at;
    p->entries = (const void *)(p->head + 1);
    if (!is_whole(p)) {
        tree_pack_free(p);
        return NULL;
    }
    p->names = (const char *)(p->entries + p->head->n);
    return p;
}

void
tree_pack_free(struct tree_pack *p)
{
    if (p == NULL)
        return;
    munmap((void *)(uintptr_t)p->at, p->size);
    free(p);
}

unsigned
tree_pack_minor(const struct tree_pack *p)
{
    return p->head->minor;
}

const uint8_t *
tree_pack_sum(const struct tree_pack *p)
{
    return p->head->sum;
}

void
tree_pack_rest(const struct tree_pack *p)
{
    /* Where that cannot be done they stay. */
    (void)madvise((void *)(uintptr_t)p->at, p->size, MADV_DONTNEED);
}

/* Below, at or above 0 as the entry's path is in order beside this one. */
static int
compare(const struct tree_pack *p, const struct tree_pack_entry *e,
    const char *path, size_t n)
{
    size_t least = e->name_len < n ? e->name_len : n;
    int c;

    if ((uint64_t)e->name + e->name_len > p->head->names)
        return 1; /* damaged: not found */
    c = memcmp(p->names + e->name, path, least);
    return c != 0 ? c : (e->name_len > n) - (e->name_len < n);
}

static const struct tree_pack_entry *
find(const struct tree_pack *p, const char *path)
{
    uint32_t lo = 0, hi = p->head->n;
    size_t n = strlen(path);

    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        int c = compare(p, &p->entries[mid], path, n);

        if (c == 0)
            return &p->entries[mid];
        if (c < 0)
            lo = mid + 1;
        else
            hi = mid;
    }
    return NULL;
}

bool
tree_pack_has(const struct tree_pack *p, const char *path)
{
    return find(p, path) != NULL;
}

/* The files of a package, which stay where they are; false if it is damaged. */
static bool
split(const uint8_t *at, size_t size, struct rt_arena *a,
    struct tree_file *files, unsigned n, const char *path)
{
    struct tree_pack_file f;
    uint64_t need;
    unsigned i;

    for (i = 0; i < n; i++) {
        if (size < sizeof f)
            return false;
        memcpy(&f, at, sizeof f);
        at += sizeof f;
        size -= sizeof f;
        need = (uint64_t)f.name_len + f.text_len + 1;
        if (need > size || at[need - 1] != 0)
            return false;
        files[i].name = rt_arena_printf(
            a, "%s/%.*s", path, (int)f.name_len, (const char *)at);
        files[i].text = (const char *)at + f.name_len;
        files[i].len = f.text_len;
        if (files[i].name == NULL)
            return false;
        at += need;
        size -= need;
    }
    return size == 0;
}

static enum rt_status
damaged(const char *path, struct rt_err *err)
{
    return rt_errf(err, RT_EFORMAT, UINT64_MAX,
        "the packed package %s is damaged", path);
}

enum rt_status
tree_pack_read(const struct tree_pack *p, const char *path,
    struct rt_arena *a, struct tree_file **files, unsigned *n,
    struct rt_err *err)
{
    const struct tree_pack_entry *e = find(p, path);
    const uint8_t *at;

    *n = 0;
    if (e == NULL)
        return rt_errf(err, RT_EUNSUP, UINT64_MAX, "package %s is not in std",
            path);
    if (e->at > p->size || e->size > p->size - e->at ||
        e->nfiles > e->size / sizeof(struct tree_pack_file) ||
        tree_pack_hash(p->at + e->at, e->size) != e->hash)
        return damaged(path, err);
    at = p->at + e->at;
    *files = rt_arena_array(a, e->nfiles, sizeof **files);
    if (*files == NULL)
        return rt_errf(err, RT_ENOMEM, UINT64_MAX, "out of memory");
    if (!split(at, e->size, a, *files, e->nfiles, path))
        return damaged(path, err);
    *n = e->nfiles;
    return RT_OK;
}
