/* SPDX-License-Identifier: MIT */
/*
 * Whether the modules of the cache are those that go.sum is about.
 */
#include <stdlib.h>
#include <string.h>

#include "runtime/base/arena.h"
#include "runtime/lang/load/gosum.h"
#include "runtime/lang/load/modcache.h"
#include "runtime/lang/load/modset.h"
#include "runtime/lang/load/unzip.h"

struct gosum *
modset_sums(struct modset *s)
{
    unsigned i;

    if (s->sums != NULL)
        return s->sums;
    s->sums = rt_arena_alloc(s->a, sizeof *s->sums);
    if (s->root == NULL)
        return s->sums;
    s->sums->path = paths_join(
        s->a, s->root, s->work != NULL ? "go.work.sum" : "go.sum");
    gosum_read(s->a, s->sums, s->sums->path);
    for (i = 0; s->work != NULL && i < s->nmains; i++)
        gosum_read(
            s->a, s->sums, paths_join(s->a, s->mains[i].dir, "go.sum"));
    return s->sums;
}

/* As it was fetched, or of the zip itself. */
const char *
modset_zip_sum(struct modset *s, const struct module_version *m)
{
    struct unzip_entry *e;
    unsigned n;
    size_t len;
    char *text =
        paths_read(s->a, modcache_file(s->a, s->cache, m, "ziphash"), &len);

    if (text != NULL)
        return rt_arena_strndup(s->a, text, strcspn(text, " \t\r\n"));
    text = paths_read(s->a, modcache_file(s->a, s->cache, m, "zip"), &len);
    if (text == NULL || unzip_list(s->a, (unsigned char *)text, len, &e, &n,
                            NULL) != RT_OK)
        return NULL;
    return gosum_of_zip(s->a, e, n, NULL);
}

const char *
modset_mod_sum(struct modset *s, const struct module_version *m)
{
    size_t len;
    char *text =
        paths_read(s->a, modcache_file(s->a, s->cache, m, "mod"), &len);

    return text == NULL ? NULL : gosum_of_mod(s->a, text, len);
}

/* What is wrong with what the cache has of a module. */
static const char *
compare(struct modset *s, const struct module_version *m)
{
    const struct gosum *sums = modset_sums(s);
    const char *zip = gosum_find(s->a, sums, m, false);
    const char *mod = gosum_find(s->a, sums, m, true), *have;

    have = zip == NULL ? NULL : modset_zip_sum(s, m);
    if (have != NULL && strcmp(have, zip) != 0)
        return gosum_mismatch(s->a, m, false, have, zip);
    if (mod == NULL)
        return rt_arena_printf(s->a, "%s@%s: missing go.sum entry for go.mod "
            "file; to add it:\n\tvole mod download -sum", m->path,
            m->version);
    have = modset_mod_sum(s, m);
    return have == NULL || strcmp(have, mod) == 0
        ? NULL : gosum_mismatch(s->a, m, true, have, mod);
}

const char *
modset_check(struct modset *s, struct modset_module *m, const char *path,
    const char *importer)
{
    const char *by;

    if (m->local || m->main || s->unchecked || s->mode != MODSET_READONLY)
        return NULL;
    if (gosum_find(s->a, modset_sums(s), &m->by, false) == NULL) {
        by = *importer == 0 ? "" : rt_arena_printf(
            s->a, " (imported by %s)", importer);
        return rt_arena_printf(s->a, "missing go.sum entry for module "
            "providing package %s%s; to add:\n\tvole mod download -sum",
            path, by);
    }
    if (!m->checked)
        m->bad = compare(s, &m->by);
    m->checked = true;
    return m->bad;
}

/* ---- the cache -------------------------------------------------------------------- */

static void
verify_zip(struct modset *s, const struct module_version *m, const char *sum,
    struct paths_list *bad)
{
    const char *name = modcache_file(s->a, s->cache, m, "zip"), *have = NULL;
    struct unzip_entry *e;
    struct rt_err err;
    unsigned n;
    size_t len;
    char *text = paths_read(s->a, name, &len);

    if (text == NULL)
        return;
    err.text[0] = 0;
    if (unzip_list(s->a, (unsigned char *)text, len, &e, &n, &err) == RT_OK)
        have = gosum_of_zip(s->a, e, n, &err);
    if (have == NULL)
        paths_push(s->a, bad, rt_arena_printf(
            s->a, "%s %s: %s", m->path, m->version, err.text));
    else if (strcmp(have, sum) != 0)
        paths_push(s->a, bad, rt_arena_printf(s->a,
            "%s %s: zip has been modified (%s)", m->path, m->version, name));
}

static void
verify_dir(struct modset *s, const struct module_version *m, const char *sum,
    struct paths_list *bad)
{
    const char *dir = modcache_dir(s->a, s->cache, m), *have;

    if (!paths_is_dir(dir))
        return;
    have = gosum_of_dir(s->a, dir,
        rt_arena_printf(s->a, "%s@%s", m->path, m->version));
    if (have == NULL || strcmp(have, sum) != 0)
        paths_push(s->a, bad, rt_arena_printf(s->a,
            "%s %s: dir has been modified (%s)", m->path, m->version, dir));
}

static void
verify_one(struct modset *s, const struct module_version *m,
    struct paths_list *bad)
{
    const char *hash = modcache_file(s->a, s->cache, m, "ziphash");
    size_t len;
    char *sum = paths_read(s->a, hash, &len);

    if (sum != NULL) {
        sum[strcspn(sum, " \t\r\n")] = 0;
        verify_zip(s, m, sum, bad);
        verify_dir(s, m, sum, bad);
    } else if (paths_is_file(modcache_file(s->a, s->cache, m, "zip")) ||
        paths_is_dir(modcache_dir(s->a, s->cache, m))) {
        paths_push(s->a, bad, rt_arena_printf(s->a,
            "%s %s: missing ziphash: open %s: no such file or directory",
            m->path, m->version, hash));
    } /* else nothing was fetched */
}

void
modset_verify(struct modset *s, struct paths_list *bad)
{
    unsigned i;

    modset_complete(s);
    for (i = 0; i < s->nlist; i++)
        if (!s->list[i].local)
            verify_one(s, &s->list[i].by, bad);
}
