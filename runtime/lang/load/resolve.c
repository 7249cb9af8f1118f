/* SPDX-License-Identifier: MIT */
#include "runtime/lang/load/resolve.h"

#include <stdio.h>
#include <string.h>

#include "runtime/base/arena.h"
#include "runtime/lang/load/modcache.h"
#include "runtime/lang/load/paths.h"

/* ---- internal/ ----------------------------------------------------------------- */

/* The last element "internal" of a path, NULL if there is none. */
static const char *
last_internal(const char *path)
{
    static const char word[] = "internal";
    enum { N = sizeof word - 1 };
    const char *p = path, *found = NULL;

    for (; *p != 0; p += strcspn(p, "/"), p += *p == '/')
        if (strncmp(p, word, N) == 0 && (p[N] == 0 || p[N] == '/'))
            found = p;
    return found;
}

bool
resolve_may_use(const char *path, const char *importer, bool std)
{
    const char *in = last_internal(path);
    size_t n;

    if (in == NULL)
        return true;
    if (in == path)
        return !std;
    n = (size_t)(in - path) - 1;
    return strncmp(importer, path, n) == 0 &&
        (importer[n] == 0 || importer[n] == '/');
}

/* ---- folders of modules ----------------------------------------------------------- */

static bool
has_go_files(struct modset *s, const char *dir)
{
    struct paths_list names = {0};
    unsigned i;

    if (!paths_entries(s->a, dir, &names))
        return false;
    for (i = 0; i < names.n; i++)
        if (paths_ends(names.at[i], ".go") &&
            paths_is_file(paths_join(s->a, dir, names.at[i])))
            return true;
    return false;
}

const char *
resolve_folder(
    struct modset *s, const struct modset_module *m, const char *path)
{
    const char *rest = paths_under(m->id.path, path), *dir, *d;

    if (strcmp(m->id.path, "std") == 0 && m->main)
        rest = path;
    if (rest == NULL || m->dir == NULL)
        return NULL;
    dir = *rest == 0 ? m->dir : paths_join(s->a, m->dir, rest);
    if (!has_go_files(s, dir))
        return NULL;
    if (!m->local)
        return dir;
    for (d = dir; strcmp(d, m->dir) != 0; d = paths_dir(s->a, d))
        if (paths_is_file(paths_join(s->a, d, "go.mod")))
            return NULL;
    return dir;
}

/* What was found on the way through the modules whose path is a beginning of
 * the package's. */
struct found {
    struct resolved r;
    const char *several; /* lines for an ambiguous import */
    unsigned n;
    struct modset_module *absent; /* is needed, but not in the cache */
};

static void
try_module(struct modset *s, struct modset_module *m, const char *path,
    struct found *f)
{
    const char *dir;

    if (m->dir == NULL && !m->local && s->fetch_files != NULL &&
        paths_under(m->id.path, path) != NULL &&
        s->fetch_files(s->fetch_ctx, &m->by))
        m->dir = modcache_dir(s->a, s->cache, &m->by);
    dir = resolve_folder(s, m, path);
    if (m->dir == NULL && f->absent == NULL)
        f->absent = m;
    if (dir == NULL)
        return;
    if (f->n++ == 0)
        f->r = (struct resolved){RESOLVE_FOLDER, dir, m, NULL};
    f->several = rt_arena_printf(s->a, "%s\n\t%s%s%s (%s)",
        f->several == NULL ? "" : f->several, m->id.path,
        *m->id.version == 0 ? "" : " ", m->id.version, dir);
}

static void
try_modules(struct modset *s, const char *path, struct found *f)
{
    char *prefix = paths_dup(s->a, path), *slash;

    *f = (struct found){0};
    for (;;) {
        struct modset_module *m = modset_find(s, prefix);

        if (m != NULL)
            try_module(s, m, path, f);
        slash = strrchr(prefix, '/');
        if (slash == NULL)
            break;
        *slash = 0;
    }
    if (s->nmains > 0 && strcmp(s->mains[0].id.path, "std") == 0)
        try_module(s, &s->mains[0], path, f);
}

/* ---- messages ----------------------------------------------------------------------- */

static struct resolved
none(const char *why)
{
    return (struct resolved){.kind = RESOLVE_NONE, .why = why};
}

/* Does the first element look like the name of a host? */
static bool
is_remote(const char *path)
{
    return memchr(path, '.', strcspn(path, "/")) != NULL;
}

static bool
has_main_prefix(struct modset *s, const char *path)
{
    unsigned i;

    for (i = 0; i < s->nmains; i++)
        if (paths_under(s->mains[i].id.path, path) != NULL)
            return true;
    return false;
}

static struct resolved
not_found(struct modset *s, const struct resolve_std *std, const char *path,
    const struct found *f)
{
    if (f->absent != NULL)
        return none(rt_arena_printf(s->a, "module %s@%s, which provides "
            "package %s, is not in the module cache; to fetch it:\n\t"
            "vole mod download", f->absent->by.path, f->absent->by.version,
            path));
    if (!is_remote(path) && !has_main_prefix(s, path))
        return none(std->why(std->ctx, path));
    if (s->root == NULL)
        return none(rt_arena_printf(s->a, "no required module provides "
            "package %s: go.mod file not found in current directory or any "
            "parent directory; to make one:\n\tvole mod init example.com/main\n"
            "then add the module and its version to it, and fetch it:\n\t"
            "require MODULE VERSION\n\tvole mod download -sum", path));
    return none(rt_arena_printf(s->a, "no required module provides package "
        "%s; to add it:\n\tgo get %s", path, path));
}

/* ---- vendor/ --------------------------------------------------------------------------- */

static struct resolved
find_vendored(
    struct modset *s, const struct resolve_std *std, const char *path)
{
    const char *dir = paths_join(s->a, s->root, "vendor");
    struct found f = {0};
    unsigned i;

    for (i = 0; i < s->nmains; i++)
        try_module(s, &s->mains[i], path, &f);
    for (i = 0; i < s->nvendored; i++)
        if (strcmp(s->vendored[i].package, path) == 0) {
            dir = paths_join(s->a, dir, path);
            if (!has_go_files(s, dir))
                break;
            if (f.n > 0)
                return none(rt_arena_printf(s->a, "ambiguous import: found "
                    "package %s in multiple directories:\n\t%s\n\t%s", path,
                    f.r.dir, dir));
            return (struct resolved){
                RESOLVE_FOLDER, dir, s->vendored[i].module, NULL};
        }
    if (f.n > 0)
        return f.r;
    if (!is_remote(path) && !has_main_prefix(s, path))
        return none(std->why(std->ctx, path));
    return none(rt_arena_printf(s->a, "cannot find module providing package "
        "%s: import lookup disabled by -mod=vendor%s", path,
        module_minor(&s->files[0]) >= 14 &&
                goenv_flag(&s->env, "mod", NULL) == NULL ?
            "\n\t(Go version in go.mod is at least 1.14 and vendor "
            "directory exists.)" : ""));
}

/* Is the main module one of those whose folders lie in the library's own
 * tree, where internal packages of the library may be used?  Those are std
 * itself and cmd, Go's tools. */
static bool
is_in_tree(struct modset *s)
{
    const char *name = s->nmains > 0 ? s->mains[0].id.path : "";

    return strcmp(name, "std") == 0 || (strcmp(name, "cmd") == 0 &&
        paths_is_dir(paths_join(s->a, s->root, "../internal")));
}

/* ---- the question ------------------------------------------------------------------------ */

struct resolved
resolve_import(struct modset *s, const struct resolve_std *std,
    const char *path, const char *importer)
{
    struct found f;

    if (strcmp(path, "unsafe") == 0 || strcmp(path, "C") == 0)
        return (struct resolved){.kind = RESOLVE_LIBRARY};
    if (std->has(std->ctx, path)) {
        if (!resolve_may_use(path, importer, true) && !is_in_tree(s))
            return none(rt_arena_printf(s->a,
                "use of internal package %s not allowed", path));
        return (struct resolved){.kind = RESOLVE_LIBRARY};
    }
    if (s->root != NULL && s->mode == MODSET_VENDOR) {
        f.r = find_vendored(s, std, path);
    } else {
        try_modules(s, path, &f);
        if (f.n == 0 && !s->complete) {
            modset_complete(s);
            try_modules(s, path, &f);
        }
        if (f.n > 1)
            return none(rt_arena_printf(s->a, "ambiguous import: found "
                "package %s in multiple modules:%s", path, f.several));
        if (f.n == 0)
            f.r = not_found(s, std, path, &f);
    }
    if (f.r.kind == RESOLVE_FOLDER && f.r.module != NULL) {
        const char *bad = modset_check(s, f.r.module, path, importer);

        if (bad != NULL)
            return none(bad);
    }
    if (f.r.kind == RESOLVE_FOLDER && *importer != 0 &&
        !resolve_may_use(path, importer, false))
        return none(rt_arena_printf(s->a,
            "use of internal package %s not allowed", path));
    return f.r;
}
