/* SPDX-License-Identifier: MIT */
#include "runtime/lang/load/tree_load.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/arena.h"
#include "runtime/base/throw.h"
#include "runtime/lang/load/tree_int.h"

/* Packages that programs may import, that vole does not bring, and that Go
 * 1.19 did not have yet. */
static const struct {
    const char *path;
    unsigned minor;
} newer[] = {{"crypto/ecdh", 20}, {"crypto/fips140", 24}, {"crypto/hkdf", 24},
    {"crypto/hpke", 26}, {"crypto/mlkem", 24}, {"crypto/pbkdf2", 24},
    {"crypto/sha3", 24}, {"go/version", 22}, {"runtime/coverage", 20},
    {"testing/cryptotest", 26},
    {"testing/slogtest", 21}};

static const char *
env(const struct tree_load *l, const char *name)
{
    return l->env == NULL ? NULL : l->env(name);
}

/* VOLETREE has the path. */
static bool
is_asked_for(const struct tree_load *l, const char *path)
{
    const char *list = env(l, "VOLETREE"), *end;
    size_t n = strlen(path);

    for (; list != NULL; list = *end == 0 ? NULL : end + 1) {
        end = strchrnul(list, ',');
        if ((size_t)(end - list) == n && memcmp(list, path, n) == 0)
            return true;
    }
    return false;
}

static enum rt_status
look(struct tree_load *l, struct rt_err *err)
{
    struct tree_places where = {.voleroot = env(l, "VOLEROOT"),
        .goroot = env(l, "GOROOT"), .path = env(l, "PATH"),
        .wanted = l->wanted};
    enum rt_status st = RT_OK;

    if (!l->looked)
        st = tree_find(&where, &l->tree, &l->why);
    if (st == RT_ENOMEM)
        return rt_errf(err, st, UINT64_MAX, "out of memory");
    l->looked = true;
    if (l->tree == NULL && err != NULL)
        *err = l->why;
    return l->tree == NULL ? RT_EUNSUP : RT_OK;
}

/* Vole's own forms of these are for where there is no tree, or one that is too
 * old for what they offer: they are no hash functions for package crypto, with
 * which they would have to register, random numbers from a seed are Go's only
 * in Go's own form, and the names of types are, too.  A program starts some 1
 * to 6 million instructions later for each. */
static const struct {
    const char *path;
    unsigned minor; /* of the first tree that has all names of vole's form */
} substitutes[] = {{"container/heap", 0}, {"container/list", 0},
    {"container/ring", 0}, {"crypto/md5", 0}, {"crypto/sha1", 0},
    {"crypto/sha256", 0}, {"encoding", 24}, {"encoding/base64", 22},
    {"encoding/binary", 23}, {"encoding/hex", 22}, {"hash", 25},
    {"hash/adler32", 0}, {"hash/crc32", 0}, {"hash/crc64", 0},
    {"hash/fnv", 0}, {"math/rand", 0}, {"text/tabwriter", 0}};

bool
tree_load_prefers(struct tree_load *l, const char *path)
{
    size_t i;

    for (i = 0; i < sizeof substitutes / sizeof substitutes[0]; i++)
        if (strcmp(path, substitutes[i].path) == 0 &&
            look(l, NULL) == RT_OK &&
            tree_minor(l->tree) >= substitutes[i].minor)
            return true;
    return is_asked_for(l, path);
}

/* Says which release has a package that this tree is too old for. */
static enum rt_status
missing(const struct tree_load *l, const char *path, struct rt_err *err)
{
    size_t i;

    for (i = 0; i < sizeof newer / sizeof newer[0]; i++)
        if (strcmp(newer[i].path, path) == 0 &&
            newer[i].minor > tree_minor(l->tree))
            return rt_errf(err, RT_EUNSUP, UINT64_MAX,
                "package %s needs the library of Go 1.%u or newer; %s has "
                "that of Go 1.%u", path, newer[i].minor, tree_root(l->tree),
                tree_minor(l->tree));
    return rt_errf(
        err, RT_EUNSUP, UINT64_MAX, "package %s is not in std", path);
}

static enum rt_status
parse(struct parse_ctx *parse, const char *name, const char *text, size_t len,
    unsigned flags, struct ast_file **out, struct rt_err *err)
{
    struct lang_file *f;
    enum rt_status st = lang_sources_add(
        parse->src, name, (const uint8_t *)text, len, &f, err);

    if (st == RT_OK)
        st = parse_file(parse, f, flags, out);
    return st;
}

/* The files of the patch, behind the n there are already. */
static enum rt_status
parse_patch(struct tree_load *l, struct parse_ctx *pc, const void *patch,
    unsigned minor, struct ast_file **list, uint32_t *n, struct rt_err *err)
{
    struct build_tags tags = tree_tags(minor);
    struct program_source s;
    enum rt_status st = RT_OK;
    unsigned i;

    for (i = 0; st == RT_OK && l->patches->file(patch, i, &s); i++)
        if (tree_fits(&tags, strrchr(s.name, '/') + 1, s.text, s.len))
            st = parse(pc, s.name, s.text, s.len, PARSE_LAZY_BODIES,
                &list[(*n)++], err);
    return st;
}

/* The patch of a package and how many files it has; NULL where there is none,
 * or no memory to ask. */
static const void *
find_patch(const struct tree_load *l, const char *path, unsigned *nfiles)
{
    struct program_source s;
    const void *patch;
    char *name;

    *nfiles = 0;
    /* What the library has taken from a module needs what that needs. */
    if (strncmp(path, "vendor/", 7) == 0)
        path += 7;
    if (l->patches == NULL || asprintf(&name, "tree/%s", path) < 0)
        return NULL;
    patch = l->patches->find(name);
    free(name);
    while (patch != NULL && l->patches->file(patch, *nfiles, &s))
        ++*nfiles;
    return patch;
}

/* Is there a patch of which a file belongs to a program with this tree?  One
 * for trees that are too old to have a package is all of it there. */
static bool
patch_fits(const struct tree_load *l, const char *path)
{
    struct build_tags tags = tree_tags(tree_minor(l->tree));
    struct program_source s;
    unsigned i, n;
    const void *patch = find_patch(l, path, &n);

    for (i = 0; i < n && l->patches->file(patch, i, &s); i++)
        if (tree_fits(&tags, strrchr(s.name, '/') + 1, s.text, s.len))
            return true;
    return false;
}

enum rt_status
tree_load_has(struct tree_load *l, const char *path, struct rt_err *err)
{
    enum rt_status st = look(l, err);

    if (st != RT_OK)
        return st;
    return tree_has(l->tree, path) || patch_fits(l, path)
        ? RT_OK
        : missing(l, path, err);
}

enum rt_status
tree_load_package(struct tree_load *l, struct parse_ctx *pc, const char *path,
    struct ast_file ***files, uint32_t *nfiles, struct rt_err *err)
{
    enum rt_status st = look(l, err);
    struct tree_file *f;
    struct ast_file **list;
    const void *patch;
    unsigned i, n, npatch;
    uint32_t all;

    if (st == RT_OK)
        st = tree_read(l->tree, path, pc->arena, &f, &n, err);
    if (st == RT_EUNSUP && l->tree != NULL) {
        if (!patch_fits(l, path))
            return missing(l, path, err);
        n = 0;
        st = RT_OK;
    }
    if (st != RT_OK)
        return st;
    patch = find_patch(l, path, &npatch);
    list = rt_arena_array(pc->arena, n + npatch, sizeof *list);
    if (list == NULL)
        return rt_errf(err, RT_ENOMEM, UINT64_MAX, "out of memory");
    for (i = 0; st == RT_OK && i < n; i++)
        st = parse(pc, f[i].name, f[i].text, f[i].len, PARSE_LAZY_BODIES,
            &list[i], err);
    if (n != 0)
        tree_parsed(l->tree);
    all = n;
    if (st == RT_OK && patch != NULL)
        st = parse_patch(
            l, pc, patch, tree_minor(l->tree), list, &all, err);
    if (st != RT_OK)
        return st;
    tree_patch(pc, list, n, list + n, all - n);
    paths_push(pc->arena, &l->used, paths_dup(pc->arena, path));
    *files = list;
    *nfiles = all;
    return RT_OK;
}

enum rt_status
tree_load_more(struct tree_load *l, struct parse_ctx *pc, const char *path,
    struct ast_file **own, uint32_t nown, struct ast_file ***files,
    uint32_t *nfiles, struct rt_err *err)
{
    enum rt_status st;

    *nfiles = 0;
    if (strcmp(path, "syscall") != 0 && strcmp(path, "os") != 0)
        return RT_OK;
    st = tree_load_package(l, pc, path, files, nfiles, err);
    if (st == RT_EUNSUP)
        return RT_OK;
    if (st == RT_OK)
        tree_patch(pc, *files, *nfiles, own, nown);
    return st;
}

enum rt_status
tree_load_patch(struct tree_load *l, struct parse_ctx *pc, const char *path,
    unsigned minor, struct ast_file ***files, uint32_t *nfiles,
    struct rt_err *err)
{
    uint32_t n = *nfiles, all = n;
    unsigned npatch;
    const void *patch = find_patch(l, path, &npatch);
    struct ast_file **list;
    enum rt_status st;

    if (npatch == 0)
        return RT_OK;
    list = rt_arena_array(pc->arena, n + npatch, sizeof *list);
    if (list == NULL)
        return rt_errf(err, RT_ENOMEM, UINT64_MAX, "out of memory");
    memcpy(list, *files, n * sizeof *list);
    st = parse_patch(l, pc, patch, minor, list, &all, err);
    if (st != RT_OK)
        return st;
    rt_assert(all <= n + npatch);
    tree_patch(pc, list, n, list + n, all - n);
    *files = list;
    *nfiles = all;
    return RT_OK;
}

bool
tree_load_patches(const struct tree_load *l, const char *path)
{
    unsigned n;

    return strchr(path, '.') != NULL && find_patch(l, path, &n) != NULL;
}

enum rt_status
tree_load_module_patch(struct tree_load *l, struct parse_ctx *pc,
    const char *path, struct ast_file ***files, uint32_t *nfiles,
    struct rt_err *err)
{
    struct program_source s;
    enum rt_status st = RT_OK;
    const void *patch = NULL;
    unsigned i, n = 0;

    if (strchr(path, '.') != NULL)
        patch = find_patch(l, path, &n);
    *files = n == 0 ? NULL : rt_arena_array(pc->arena, n, sizeof **files);
    if (n != 0 && *files == NULL)
        return rt_errf(err, RT_ENOMEM, UINT64_MAX, "out of memory");
    for (i = 0; st == RT_OK && i < n && l->patches->file(patch, i, &s); i++)
        st = parse(pc, s.name, s.text, s.len, 0, &(*files)[i], err);
    rt_assert(st != RT_OK || i == n);
    *nfiles = n;
    return st;
}

void
tree_load_free(struct tree_load *l)
{
    tree_free(l->tree);
    l->tree = NULL;
}
