/* SPDX-License-Identifier: MIT */
#include "runtime/lang/load/tree_stock.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "runtime/base/throw.h"
#include "runtime/lang/gen/stock.h"
#include "runtime/lang/load/entry.h"
#include "runtime/lang/load/paths.h"

#define TREE_STOCK_MAGIC "VOLEcode"

/* Behind it are the words. */
struct head {
    char magic[8];
    uint8_t origin[SHA256_SIZE];
    uint64_t n;
};

/* Which code this is; false where that cannot be told. */
static bool
origin_of(const struct tree *t, uint8_t out[SHA256_SIZE])
{
    const uint8_t *sum = tree_sum(t);
    struct sha256 h;

    if (sum == NULL || !entry_hash(&h))
        return false;
    entry_add_number(&h, tree_minor(t));
    entry_add_bytes(&h, sum, SHA256_SIZE);
    sha256_end(&h, out);
    return true;
}

/* The name beside the tree's; false: it has none. */
static bool
path_of(const struct tree *t, char out[PATH_MAX])
{
    static const char pack[] = ".pack";
    const char *root = tree_root(t);
    size_t n = strlen(root);

    if (!paths_ends(root, pack))
        return false;
    n = (size_t)snprintf(out, PATH_MAX, "%.*s.stock",
        (int)(n - (sizeof pack - 1)), root);
    return n < PATH_MAX;
}

/* Is all of it there, and of that origin? */
static bool
is_of(const struct tree_stock *s, const uint8_t origin[SHA256_SIZE])
{
    const struct head *h = s->map;
    const uint32_t *words = (const uint32_t *)(h + 1);
    size_t n = (s->mapped - sizeof *h) / sizeof *words;

    return memcmp(h->magic, TREE_STOCK_MAGIC, sizeof h->magic) == 0 &&
        memcmp(h->origin, origin, SHA256_SIZE) == 0 && h->n == n &&
        n >= STOCK_H_SIZE && words[STOCK_H_MAGIC] == STOCK_MAGIC &&
        words[STOCK_H_WORDS] == n;
}

void
tree_stock_open(struct tree_stock *s, const struct tree *t)
{
    char path[PATH_MAX];
    uint8_t origin[SHA256_SIZE];

    rt_assert(s->map == NULL);
    if (!path_of(t, path) || !origin_of(t, origin))
        return;
    s->map = paths_map(path, sizeof(struct head), &s->mapped);
    if (s->map == NULL)
        return;
    if (is_of(s, origin))
        s->words = (const uint32_t *)((const struct head *)s->map + 1);
    else
        tree_stock_close(s);
}

void
tree_stock_close(struct tree_stock *s)
{
    if (s->map != NULL)
        munmap(s->map, s->mapped);
    *s = (struct tree_stock){.words = NULL};
}

enum rt_status
tree_stock_write(const char *path, const struct tree *t,
    const uint32_t *words, size_t n, struct rt_err *err)
{
    struct head h = {.n = n};
    bool good;
    FILE *f;

    memcpy(h.magic, TREE_STOCK_MAGIC, sizeof h.magic);
    if (!origin_of(t, h.origin))
        return rt_errf(err, RT_EUNSUP, UINT64_MAX,
            "%s is not packed, or vole has no build id", tree_root(t));
    f = fopen(path, "wb");
    if (f == NULL)
        return rt_err_os(err, errno, "%s", path);
    good = fwrite(&h, sizeof h, 1, f) == 1 &&
        fwrite(words, sizeof *words, n, f) == n;
    if (fclose(f) != 0 || !good)
        return rt_err_os(err, errno, "%s", path);
    return RT_OK;
}
