/* SPDX-License-Identifier: MIT */
/*
 * The packages that count for go.mod: those of the main module and the tools
 * that it names, all that these and their tests import ("all"), the tests of
 * all these, and what such tests import.  Packages of the library are looked
 * no further into: they need no module.
 */
#include <stdlib.h>
#include <string.h>

#include "runtime/base/arena.h"
#include "runtime/base/throw.h"
#include "runtime/lang/load/gosum.h"
#include "runtime/lang/load/modcache.h"
#include "runtime/lang/load/semver.h"
#include "runtime/lang/load/tidy_int.h"

bool
tidy_is_external(const struct tidy_package *p)
{
    return p->mod.path != NULL && *p->mod.version != 0;
}

static bool
is_main(const struct tidy_package *p)
{
    return p->mod.path != NULL && *p->mod.version == 0;
}

/* ---- modules -------------------------------------------------------------------- */

/* What go.sum has against the files of the cache. */
static const char *
mismatch(struct tidy *t, const struct module_version *by)
{
    const char *want = gosum_find(t->a, modset_sums(t->mods), by, false);
    const char *have = want == NULL ? NULL : modset_zip_sum(t->mods, by);

    return have == NULL || strcmp(have, want) == 0
        ? NULL : gosum_mismatch(t->a, by, false, have, want);
}

/* What a folder that takes a module's place lacks. */
static const char *
no_module(struct tidy *t, const struct modset_module *m)
{
    const char *file;

    if (m->dir == NULL)
        return rt_arena_printf(t->a, "%s@%s: replacement directory %s does "
            "not exist", m->id.path, m->id.version, m->by.path);
    file = paths_join(t->a, m->dir, "go.mod");
    return paths_is_file(file) ? NULL : rt_arena_printf(t->a,
        "module %s: reading %s: open %s: no such file or directory",
        m->by.path, paths_rel(t->a, t->mods->cwd, file), file);
}

/* The module with its files, which are fetched if they must be; NULL: *why
 * says why not. */
static struct modset_module *
get_module(struct tidy *t, const struct module_version *id, const char **why)
{
    struct modset *s = t->mods;
    const char *key =
        rt_arena_printf(t->a, "%s@%s", id->path, id->version);
    struct modset_module *m = rt_strmap_get(&t->modules, key);

    if (m == NULL) {
        m = modset_module(s, id);
        rt_strmap_add(&t->modules, t->a, key, m);
        if (m->local)
            m->bad = no_module(t, m);
        else if (m->dir != NULL || s->fetch_files(s->fetch_ctx, &m->by))
            m->dir = modcache_dir(t->a, s->cache, &m->by);
        else
            m->bad = download_forgive(t->query.d);
        if (m->bad == NULL && !m->local)
            m->bad = mismatch(t, &m->by);
    }
    rt_assert(m->bad != NULL || m->dir != NULL);
    *why = m->bad;
    return m->bad == NULL ? m : NULL;
}

/* ---- who has a package ----------------------------------------------------------- */

struct finding {
    struct tidy_package *p;
    const char *several; /* for an ambiguous import */
    unsigned n, cap;
};

static void
add_other(struct tidy *t, struct finding *f, const struct module_version *m)
{
    struct tidy_package *p = f->p;

    p->others = rt_arena_more(
        t->a, p->others, p->nothers, &f->cap, sizeof *p->others);
    p->others[p->nothers++] = *m;
}

/* Looks into one module whose path is a beginning of the package's. */
static void
try_module(struct tidy *t, struct finding *f, const struct module_version *id)
{
    bool own = *id->version == 0;
    const char *why = NULL, *dir;
    struct modset_module *m =
        own ? &t->mods->mains[0] : get_module(t, id, &why);

    if (m == NULL) {
        f->p->error = why;
        return;
    }
    dir = resolve_folder(t->mods, m, f->p->path);
    if (dir == NULL) {
        add_other(t, f, id);
        return;
    }
    f->several = rt_arena_printf(t->a, "\n\t%s%s%s (%s)%s", id->path,
        own ? "" : " ", id->version, dir,
        f->several == NULL ? "" : f->several);
    if (f->n++ == 0) {
        f->p->mod = *id;
        f->p->dir = dir;
    }
}

/* Looks into all modules that r requires, or those that these need. */
static void
try_modules(struct tidy *t, const struct tidy_roots *r,
    const struct mvs_graph *g, struct finding *f)
{
    const char *own = t->mods->mains[0].id.path, *v;
    char *prefix = paths_dup(t->a, f->p->path), *slash;

    for (;;) {
        v = strcmp(prefix, own) == 0 ? ""
            : g == NULL ? tidy_root(r, prefix) : mvs_selected(g, prefix);
        if (v != NULL && strcmp(prefix, "go") != 0 &&
            strcmp(prefix, "toolchain") != 0) {
            struct module_version id = {paths_dup(t->a, prefix), v};

            try_module(t, f, &id);
        }
        slash = strrchr(prefix, '/');
        if (slash == NULL || f->p->error != NULL)
            break;
        *slash = 0;
    }
}

/* Is a path one of the library, whether that has it or not? */
static bool
is_std_path(const char *path)
{
    return memchr(path, '.', strcspn(path, "/")) == NULL;
}

static bool
is_odd(struct tidy *t, struct tidy_package *p)
{
    if (*p->path == '/')
        p->error = rt_arena_printf(t->a, "\"%s\" is not a package path; see "
            "'go help packages'", p->path);
    else if (paths_starts(p->path, "./") || paths_starts(p->path, "../") ||
        strcmp(p->path, ".") == 0 || strcmp(p->path, "..") == 0)
        p->error = rt_arena_printf(t->a, "\"%s\" is relative, but relative "
            "import paths are not supported in module mode", p->path);
    else if (strchr(p->path, '@') != NULL)
        p->error = rt_arena_printf(t->a, "import path \"%s\" should not have "
            "@version", p->path);
    return p->error != NULL;
}

void
tidy_resolve(struct tidy *t, struct tidy_roots *r, struct tidy_package *p,
    bool whole)
{
    struct finding f = {.p = p};
    struct mvs_graph *g = NULL;
    struct rt_err none;

    if (strcmp(p->path, "C") == 0 || strcmp(p->path, "unsafe") == 0 ||
        t->g->std.has(t->g->std.ctx, p->path) || is_odd(t, p))
        return;
    if (whole || !r->pruned)
        g = tidy_graph(t, r);
    for (;;) {
        try_modules(t, r, g, &f);
        if (f.n != 0 || p->error != NULL || g != NULL)
            break;
        g = tidy_graph(t, r);
        if (g == NULL)
            break;
        p->nothers = 0;
    }
    if (p->error == NULL && g == NULL && f.n == 0) {
        none = *t->err;
        p->error = rt_arena_printf(t->a, "%s", none.text);
    } else if (p->error == NULL && f.n > 1) {
        p->error = rt_arena_printf(t->a, "ambiguous import: found package %s "
            "in multiple modules:%s", p->path, f.several);
    } else if (p->error == NULL && f.n == 0) {
        p->missing = true;
        p->error = rt_arena_printf(t->a, is_std_path(p->path)
            ? "package %s is not in std"
            : "cannot find module providing package %s", p->path);
    }
    if (p->error != NULL) {
        p->mod = (struct module_version){NULL, NULL};
        p->dir = NULL;
    }
}

/* ---- who could have one ----------------------------------------------------------- */

/* A version for a module that is only there by a replacement without one: older
 * than any. */
static const char *
zero_version(struct tidy *t, const char *path)
{
    return rt_arena_printf(
        t->a, "v%u.0.0-00010101000000-000000000000", semver_path_major(path));
}

/* The newest replaced version of a module. */
static const char *
newest_replaced(struct tidy *t, const char *path)
{
    const struct module_file *f = &t->mods->files[0];
    const char *best = NULL;
    unsigned i;

    for (i = 0; i < f->nreplace; i++) {
        const struct module_version *m = &f->replace[i].old;

        if (strcmp(m->path, path) != 0)
            continue;
        if (best == NULL || semver_compare(best, m->version) < 0)
            best = m->version;
    }
    return best != NULL && *best == 0 ? zero_version(t, path) : best;
}

static bool
has_package(struct tidy *t, const struct module_version *id, const char *path)
{
    const char *why;
    struct modset_module *m = get_module(t, id, &why);

    return m != NULL && resolve_folder(t->mods, m, path) != NULL;
}

/* The longest prefix that a replacement is of. */
static bool
find_replaced(struct tidy *t, struct tidy_package *p,
    const struct mvs_graph *g, struct module_version *out)
{
    char *prefix = paths_dup(t->a, p->path), *slash;

    for (; prefix != NULL; prefix = slash == NULL ? NULL : prefix) {
        const char *v = newest_replaced(t, prefix);
        const char *have = mvs_selected(g, prefix);

        *out = (struct module_version){paths_dup(t->a, prefix), v};
        if (v != NULL &&
            (have == NULL || mvs_compare(prefix, have, v) < 0) &&
            has_package(t, out, p->path))
            return true;
        slash = strrchr(prefix, '/');
        if (slash != NULL)
            *slash = 0;
    }
    return false;
}

/* The longest prefix that is a module on the proxies which has the package. */
static bool
find_remote(struct tidy *t, struct tidy_package *p,
    const struct mvs_graph *g, struct module_version *out)
{
    const char *own = t->mods->mains[0].id.path, *why = NULL;
    char *prefix = paths_dup(t->a, p->path), *slash;

    for (; prefix != NULL; prefix = slash == NULL ? NULL : prefix) {
        const char *v = strcmp(prefix, own) == 0 ? NULL
            : query_version(&t->query, prefix, "latest", "");

        *out = (struct module_version){paths_dup(t->a, prefix), v};
        if (v != NULL && has_package(t, out, p->path)) {
            const char *have = mvs_selected(g, prefix);

            if (have == NULL || mvs_compare(prefix, have, v) < 0)
                return true;
            p->error = rt_arena_printf(t->a, "package %s provided by %s at "
                "latest version %s but not at required version %s", p->path,
                prefix, v, have);
            return false;
        }
        if (v != NULL)
            why = rt_arena_printf(t->a, "module %s@latest found (%s), but "
                "does not contain package %s", prefix, v, p->path);
        else if (why == NULL && strcmp(prefix, own) != 0 &&
            t->err->code != RT_EOF)
            why = rt_arena_printf(t->a, "%s", t->err->text);
        slash = strrchr(prefix, '/');
        if (slash != NULL)
            *slash = 0;
    }
    if (why != NULL)
        p->error = paths_starts(why, "module ")
            ? why : rt_arena_printf(t->a, "%s: %s", p->error, why);
    return false;
}

bool
tidy_find_missing(
    struct tidy *t, struct tidy_package *p, struct module_version *out)
{
    const struct mvs_graph *g = tidy_graph(t, t->roots);

    rt_assert(p->missing);
    if (g == NULL)
        return false;
    if (find_replaced(t, p, g, out))
        return true;
    if (is_std_path(p->path))
        return false;
    t->o->say(t->o->ctx, rt_arena_printf(
        t->a, "go: finding module for package %s", p->path));
    return find_remote(t, p, g, out);
}

/* ---- packages ------------------------------------------------------------------------ */

static void
push(struct tidy *t, struct tidy_package ***list, unsigned *n, unsigned *cap,
    struct tidy_package *p)
{
    *list = rt_arena_more(t->a, *list, *n, cap, sizeof(**list));
    (*list)[(*n)++] = p;
}

static const struct list_package *
read_folder(struct tidy *t, const char *dir, const char *path)
{
    struct list_package *f = rt_strmap_get(&t->folders, dir);
    struct rt_err err;

    if (f != NULL)
        return f;
    f = rt_arena_alloc(t->a, sizeof *f);
    f->path = f->shown = path;
    f->dir = dir;
    f->doc = f->root = f->target = f->godebug = "";
    f->debug = f->test_debug = "";
    if (list_read_folder(&t->files, f, &err) != RT_OK) {
        f->error = rt_arena_alloc(t->a, sizeof *f->error);
        f->error->pos = ".";
        f->error->text = rt_arena_printf(t->a, "%s", err.text);
    }
    rt_strmap_add(&t->folders, t->a, dir, f);
    return f;
}

/* What prevents the imports of a folder from being known. */
static const char *
fault_of(struct tidy *t, const struct list_package *f)
{
    const struct list_error *e = f->error;

    if (e == NULL || *e->pos == 0 || f->field[LIST_INVALID_GO].n == 0)
        return NULL;
    return rt_arena_printf(t->a, "%s: %s", e->pos, e->text);
}

static struct tidy_package *
get_package(struct tidy *t, const char *path)
{
    struct tidy_package *p = rt_strmap_get(&t->bypath, path);

    if (p != NULL)
        return p;
    p = rt_arena_alloc(t->a, sizeof *p);
    p->path = path;
    rt_strmap_add(&t->bypath, t->a, path, p);
    tidy_resolve(t, t->roots, p, false);
    if (p->dir != NULL) {
        p->files = read_folder(t, p->dir, path);
        p->error = fault_of(t, p->files);
    }
    push(t, &t->queue, &t->nqueue, &t->queuecap, p);
    return p;
}

/* What p imports and its tests are looked at by settle(), once p's imports
 * are known. */
static void
put_into_all(struct tidy *t, struct tidy_package *p)
{
    if (p->in_all)
        return;
    p->in_all = true;
    if (p->loaded)
        push(t, &t->all, &t->nall, &t->allcap, p);
}

/* The packages that one role of files imports, behind p's. */
static void
import_role(struct tidy *t, struct tidy_package *p, enum package_role role)
{
    const struct list_package *f = p->files;
    unsigned i;

    for (i = 0; i < f->nwhere[role]; i++) {
        struct tidy_package *q = get_package(t, f->where[role][i].path);

        p->imports[p->nimports++] = q;
        if (p->in_all)
            put_into_all(t, q);
    }
}

static void
add_test(struct tidy *t, struct tidy_package *p)
{
    struct tidy_package *x;

    if (p->test != NULL || p->files == NULL || p->test_of != NULL)
        return;
    x = p->test = rt_arena_alloc(t->a, sizeof *x);
    *x = (struct tidy_package){.path = p->path, .mod = p->mod, .dir = p->dir,
        .files = p->files, .test_of = p, .loaded = true};
    x->in_all = is_main(p) || (t->close_over_tests && p->in_all);
    x->imports = rt_arena_array(t->a,
        p->files->nwhere[PACKAGE_TEST] + p->files->nwhere[PACKAGE_XTEST] + 1,
        sizeof(*x->imports));
    import_role(t, x, PACKAGE_TEST);
    import_role(t, x, PACKAGE_XTEST);
}

/* Follows what came into "all" after it was loaded; import graphs may be deep,
 * so this is no recursion. */
static void
settle(struct tidy *t)
{
    unsigned i;

    while (t->nall > 0) {
        struct tidy_package *p = t->all[--t->nall];

        rt_assert(p->in_all && p->loaded);
        for (i = 0; i < p->nimports; i++)
            put_into_all(t, p->imports[i]);
        add_test(t, p);
    }
}

static void
load_imports(struct tidy *t, struct tidy_package *p)
{
    p->loaded = true;
    if (p->files == NULL || p->error != NULL)
        return;
    p->imports = rt_arena_array(
        t->a, p->files->nwhere[PACKAGE_PLAIN] + 1, sizeof(*p->imports));
    import_role(t, p, PACKAGE_PLAIN);
    if (p->in_all)
        add_test(t, p);
}

/* All in the order of their distance from the main module. */
static void
order(struct tidy *t)
{
    unsigned i, k;

    t->npkg = 0;
    for (i = 0; i < t->nroot; i++) {
        t->queue[i]->met = true;
        push(t, &t->pkg, &t->npkg, &t->cap, t->queue[i]);
    }
    for (i = 0; i < t->npkg; i++) {
        struct tidy_package *p = t->pkg[i];

        for (k = 0; k <= p->nimports; k++) {
            struct tidy_package *q =
                k < p->nimports ? p->imports[k] : p->test;

            if (q == NULL || q->met)
                continue;
            q->met = true;
            q->from = p;
            push(t, &t->pkg, &t->npkg, &t->cap, q);
        }
    }
    rt_assert(t->npkg >= t->nqueue);
}

enum rt_status
tidy_load(struct tidy *t)
{
    struct paths_list dirs = {0}, paths = {0};
    const struct module_file *f = &t->mods->files[0];
    unsigned i;

    t->bypath = (struct rt_strmap){0};
    t->nqueue = t->head = 0;
    t->g->match_all = true;
    graph_match(t->g, "all", &dirs, &paths, t->err);
    for (i = 0; i < paths.n; i++)
        put_into_all(t, get_package(t, paths.at[i]));
    for (i = 0; i < f->ntool; i++)
        put_into_all(t, get_package(t, f->tool[i]));
    t->nroot = t->nqueue;
    while (t->head < t->nqueue) {
        load_imports(t, t->queue[t->head++]);
        settle(t);
    }
    rt_assert(t->nall == 0);
    order(t);
    return download_status(t->query.d);
}

const char *
tidy_way(struct tidy *t, const struct tidy_package *p)
{
    const struct tidy_package *q, **way;
    struct paths_list text = {0};
    unsigned n = 0;

    for (q = p; q != NULL; q = q->from)
        n++;
    way = rt_arena_array(t->a, n, sizeof(*way));
    for (q = p; q != NULL; q = q->from)
        way[--n] = q;
    for (;; n++) {
        q = way[n];
        paths_push(t->a, &text, q->path);
        if (q->test_of != NULL)
            paths_push(t->a, &text, ".test");
        if (q == p)
            return paths_concat(t->a, &text);
        paths_push(t->a, &text,
            way[n + 1]->test_of == q ? " tested by\n\t" : " imports\n\t");
    }
}
