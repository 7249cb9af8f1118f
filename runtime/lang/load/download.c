/* SPDX-License-Identifier: MIT */
#include "runtime/lang/load/download.h"

#include <errno.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <stdnoreturn.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/base/arena.h"
#include "runtime/lang/load/gosum.h"
#include "runtime/lang/load/modcache.h"
#include "runtime/lang/load/modset.h"

struct download {
    struct rt_arena *a; /* that of mods */
    const struct download_options *o;
    struct modset *mods;
    struct gosum *sums;
    enum rt_status st; /* the first failure of what modset asked for */
    struct rt_err *err;
};

/* ---- files of the cache --------------------------------------------------------- */

/* Writes a file all at once: nobody sees a part of it. */
static enum rt_status
write_file(struct download *d, const char *path, const void *data, size_t len,
    mode_t mode)
{
    const char *temp =
        rt_arena_printf(d->a, "%s.tmp%ld", path, (long)getpid());
    FILE *f;
    bool bad;

    paths_make_above(path);
    f = fopen(temp, "wb");
    if (f == NULL)
        return rt_err_os(d->err, errno, "%s", temp);
    bad = fwrite(data, 1, len, f) != len;
    if (fclose(f) != 0 || bad || chmod(temp, mode) != 0 ||
        rename(temp, path) != 0) {
        rt_err_os(d->err, errno, "%s", path);
        unlink(temp);
        return RT_EIO;
    }
    return RT_OK;
}

/* ---- proxies ---------------------------------------------------------------------- */

/* From one element of GOPROXY. */
static enum rt_status
ask(struct download *d, const char *proxy, const struct module_version *m,
    const char *tail, unsigned char **data, size_t *len)
{
    size_t n = strlen(proxy);

    if (strcmp(proxy, "off") == 0)
        return rt_errf(d->err, RT_EUNSUP, UINT64_MAX,
            "%s@%s: module lookup disabled by GOPROXY=off", m->path,
            m->version);
    if (strcmp(proxy, "direct") == 0)
        return rt_errf(d->err, RT_EUNSUP, UINT64_MAX,
            "%s@%s: no proxy has it, and vole does not fetch from version "
            "control (GOPROXY=direct)", m->path, m->version);
    while (n > 0 && proxy[n - 1] == '/')
        n--;
    return d->o->fetch(d->o->ctx,
        rt_arena_printf(d->a, "%.*s/%s/%s", (int)n, proxy,
            modcache_escape(d->a, m->path), tail),
        data, len, d->err);
}

/* As for Go: behind a comma the next is asked if one has nothing, behind a bar
 * after any failure. */
static enum rt_status
try_proxies(struct download *d, const struct module_version *m,
    const char *tail, unsigned char **data, size_t *len)
{
    const struct goenv *e = &d->mods->env;
    const char *list = goenv_proxy(e);
    const char *own = goenv_get(e, "GONOPROXY");
    enum rt_status st = RT_EOF;

    if (*own == 0)
        own = goenv_get(e, "GOPRIVATE");
    if (paths_globs(own, m->path))
        list = "direct";
    while (*list != 0) {
        size_t n = strcspn(list, ",|");
        char sep = list[n];

        if (n != 0) {
            st = ask(d, rt_arena_strndup(d->a, list, n), m, tail, data, len);
            if (st == RT_OK || st == RT_ENOMEM ||
                (st != RT_EOF && sep != '|'))
                return st;
        }
        list += n + (sep != 0);
    }
    return st;
}

/* A file of a version. */
static enum rt_status
from_proxies(struct download *d, const struct module_version *m,
    const char *ext, unsigned char **data, size_t *len)
{
    const char *tail = rt_arena_printf(
        d->a, "@v/%s.%s", modcache_escape(d->a, m->version), ext);
    enum rt_status st = try_proxies(d, m, tail, data, len);

    return st == RT_EOF
        ? rt_errf(d->err, RT_EIO, UINT64_MAX, "%s@%s: not found on any proxy",
              m->path, m->version)
        : st;
}

enum rt_status
download_ask(struct download *d, const char *path, const char *tail,
    const char **text)
{
    const struct module_version m = {path, tail};
    unsigned char *data = NULL;
    size_t len;
    enum rt_status st = try_proxies(d, &m, tail, &data, &len);

    *text = st == RT_OK
        ? rt_arena_strndup(d->a, (const char *)data, len) : NULL;
    free(data);
    return st;
}

/* ---- sums --------------------------------------------------------------------------- */

/* Compares a sum with go.sum's.  RT_EUNSUP: go.sum has none. */
static enum rt_status
verify(struct download *d, const struct module_version *m, bool mod,
    const char *sum)
{
    const char *want = gosum_find(d->a, d->sums, m, mod);

    if (want == NULL && d->o->add_sums) {
        gosum_add(d->a, d->sums, m, mod, sum);
        return RT_OK;
    }
    if (want == NULL)
        return rt_errf(d->err, RT_EUNSUP, UINT64_MAX, "%s@%s: missing go.sum "
            "entry%s; to add it, unchecked:\n\tvole mod download -sum",
            m->path, m->version, mod ? " for go.mod file" : "");
    if (strcmp(want, sum) == 0)
        return RT_OK;
    return rt_errf(d->err, RT_EFORMAT, UINT64_MAX, "%s",
        gosum_mismatch(d->a, m, mod, sum, want));
}

/* ---- one module ------------------------------------------------------------------------ */

static enum rt_status
get_mod(struct download *d, const struct module_version *m)
{
    const char *path = modcache_file(d->a, d->mods->cache, m, "mod");
    unsigned char *data = NULL;
    size_t len;
    char *have = paths_read(d->a, path, &len);
    enum rt_status st;

    if (have != NULL)
        return verify(d, m, true, gosum_of_mod(d->a, have, len));
    st = from_proxies(d, m, "mod", &data, &len);
    if (st == RT_OK)
        st = verify(d, m, true, gosum_of_mod(d->a, data, len));
    if (st == RT_OK)
        st = write_file(d, path, data, len, 0644);
    free(data);
    return st;
}

/* What modset asks for while it follows requirements. */
static bool
fetch_mod(void *ctx, const struct module_version *m)
{
    struct download *d = ctx;

    if (d->st == RT_OK)
        d->st = get_mod(d, m);
    return d->st == RT_OK;
}

/* Unpacks into a folder beside and renames that, so that a folder with the
 * right name is complete. */
static enum rt_status
unpack(struct download *d, const struct module_version *m,
    const struct unzip_entry *e, unsigned n)
{
    const char *dir = modcache_dir(d->a, d->mods->cache, m);
    const char *temp = rt_arena_printf(d->a, "%s.tmp%ld", dir,
        (long)getpid());
    const char *prefix =
        rt_arena_printf(d->a, "%s@%s/", m->path, m->version);
    enum rt_status st = RT_OK;
    unsigned i;

    for (i = 0; i < n && st == RT_OK; i++) {
        unsigned char *data;

        if (!paths_starts(e[i].name, prefix))
            return rt_errf(d->err, RT_EFORMAT, UINT64_MAX,
                "%s@%s: zip: unexpected file name %s", m->path, m->version,
                e[i].name);
        if (paths_ends(e[i].name, "/"))
            continue;
        data = malloc(e[i].size + 1);
        if (data == NULL)
            rt_arena_nomem(d->a);
        st = unzip_read(&e[i], data, d->err);
        if (st == RT_OK)
            st = write_file(d,
                rt_arena_printf(
                    d->a, "%s/%s", temp, e[i].name + strlen(prefix)),
                data, e[i].size, 0444);
        free(data);
    }
    if (st == RT_OK && rename(temp, dir) != 0 && !paths_is_dir(dir))
        st = rt_err_os(d->err, errno, "%s", dir);
    return st;
}

static enum rt_status
use_zip(struct download *d, const struct module_version *m,
    const unsigned char *zip, size_t len, bool fresh)
{
    struct unzip_entry *e = NULL;
    const char *sum;
    unsigned n = 0;
    enum rt_status st = unzip_list(d->a, zip, len, &e, &n, d->err);

    if (st != RT_OK)
        return st;
    sum = gosum_of_zip(d->a, e, n, d->err);
    st = sum == NULL ? RT_EFORMAT : verify(d, m, false, sum);
    if (st == RT_OK)
        st = unpack(d, m, e, n);
    if (st == RT_OK && fresh)
        st = write_file(d, modcache_file(d->a, d->mods->cache, m, "zip"),
            zip, len, 0644);
    if (st == RT_OK && fresh)
        st = write_file(d, modcache_file(d->a, d->mods->cache, m, "ziphash"),
            sum, strlen(sum), 0644);
    return st;
}

static enum rt_status
get_info(struct download *d, const struct module_version *m)
{
    const char *path = modcache_file(d->a, d->mods->cache, m, "info");
    unsigned char *data = NULL;
    size_t len;
    enum rt_status st = from_proxies(d, m, "info", &data, &len);

    if (st == RT_OK)
        st = write_file(d, path, data, len, 0644);
    free(data);
    return st;
}

const char *
download_info(struct download *d, const struct module_version *m)
{
    const char *path = modcache_file(d->a, d->mods->cache, m, "info");
    size_t len;

    if (!paths_is_file(path) && get_info(d, m) != RT_OK)
        return NULL;
    return paths_read(d->a, path, &len);
}

static enum rt_status
get_zip(struct download *d, const struct module_version *m)
{
    const char *path = modcache_file(d->a, d->mods->cache, m, "zip");
    unsigned char *data = NULL;
    size_t len;
    char *have;
    enum rt_status st;

    if (paths_is_dir(modcache_dir(d->a, d->mods->cache, m)))
        return RT_OK;
    have = paths_read(d->a, path, &len);
    if (have != NULL)
        return use_zip(d, m, (unsigned char *)have, len, false);
    if (d->o->say != NULL)
        d->o->say(d->o->ctx, rt_arena_printf(d->a, "downloading %s %s",
            m->path, m->version));
    st = get_info(d, m);
    if (st == RT_OK)
        st = from_proxies(d, m, "zip", &data, &len);
    if (st == RT_OK)
        st = use_zip(d, m, data, len, true);
    free(data);
    return st;
}

/* A module that go.sum knows only by its go.mod has no package that anybody
 * needs. */
static enum rt_status
get_module(struct download *d, const struct modset_module *m)
{
    enum rt_status st;

    if (m->local)
        return RT_OK;
    st = get_mod(d, &m->by);
    if (st != RT_OK)
        return st;
    if (!d->o->add_sums && gosum_find(d->a, d->sums, &m->by, false) == NULL)
        return RT_OK;
    return get_zip(d, &m->by);
}

/* ---- all of them --------------------------------------------------------------------------- */

static enum rt_status
failed(struct download *d)
{
    return rt_errf(d->err, RT_EFORMAT, UINT64_MAX, "%s", d->mods->error);
}

/* What resolve_import() asks for when a module may have a package. */
static bool
fetch_files(void *ctx, const struct module_version *m)
{
    struct download *d = ctx;

    if (d->st == RT_OK)
        d->st = get_mod(d, m);
    if (d->st == RT_OK)
        d->st = get_zip(d, m);
    return d->st == RT_OK;
}

static enum rt_status
attach(struct download *d, const char *dir)
{
    /* The sums must be known before the first go.mod is fetched. */
    if (modset_open(d->mods, d->a, d->o->env, dir, "readonly") != RT_OK)
        return failed(d);
    if (*d->mods->cache == 0)
        return rt_errf(d->err, RT_EFORMAT, UINT64_MAX,
            "module cache not found: neither GOMODCACHE nor GOPATH nor HOME "
            "is set");
    d->sums = modset_sums(d->mods);
    d->mods->fetch = fetch_mod;
    d->mods->fetch_files = fetch_files;
    d->mods->fetch_ctx = d;
    if (modset_open(d->mods, d->a, d->o->env, dir, "readonly") != RT_OK)
        return failed(d);
    d->mods->unchecked = d->o->add_sums;
    return RT_OK;
}

static enum rt_status
run(struct download *d, const char *dir)
{
    enum rt_status st = attach(d, dir);
    unsigned i;

    if (st == RT_OK && d->mods->root == NULL)
        st = rt_errf(d->err, RT_EFORMAT, UINT64_MAX, "go: no modules "
            "specified (see 'go help mod download')");
    if (st == RT_OK && d->o->add_sums)
        modset_complete(d->mods);
    if (d->st != RT_OK)
        return d->st;
    for (i = 0; st == RT_OK && i < d->mods->nlist; i++)
        st = get_module(d, &d->mods->list[i]);
    return st == RT_OK ? gosum_save(d->a, d->sums, d->err) : st;
}

enum rt_status
download_attach(struct modset *s, const char *dir,
    const struct download_options *o, struct download **out,
    struct rt_err *err)
{
    struct download *d = rt_arena_alloc(s->a, sizeof *d);

    d->a = s->a;
    d->o = o;
    d->mods = s;
    d->err = err;
    *out = d;
    return attach(d, dir);
}

enum rt_status
download_status(const struct download *d)
{
    return d->st;
}

const char *
download_forgive(struct download *d)
{
    if (d->st == RT_OK)
        return NULL;
    d->st = RT_OK;
    return rt_arena_printf(d->a, "%s", d->err->text);
}

static noreturn void
escape(void *arg)
{
    longjmp(*(jmp_buf *)arg, 1);
}

enum rt_status
download_modules(
    const char *dir, const struct download_options *o, struct rt_err *err)
{
    struct rt_arena a = {.nomem = escape};
    struct modset mods = {0};
    struct download d = {
        .a = &a, .o = o, .mods = &mods, .err = err, .st = RT_OK};
    jmp_buf out;
    enum rt_status st;

    a.nomem_arg = &out;
    if (setjmp(out) == 0)
        st = run(&d, dir);
    else
        st = rt_errf(err, RT_ENOMEM, UINT64_MAX, "out of memory");
    rt_arena_free(&a);
    return st;
}
