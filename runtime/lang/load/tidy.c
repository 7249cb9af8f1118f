/* SPDX-License-Identifier: MIT */
/*
 * Packages are loaded by the requirements that there are; what these packages
 * lack is added, until nothing is.  In between requirements are never taken
 * away, so that their set grows to an end; at last only those stay that are
 * needed.
 */
#include "runtime/lang/load/tidy.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/base/arena.h"
#include "runtime/base/goversion.h"
#include "runtime/base/throw.h"
#include "runtime/lang/load/gosum.h"
#include "runtime/lang/load/modfile.h"
#include "runtime/lang/load/semver.h"
#include "runtime/lang/load/tidy_int.h"

enum {
    WIDE_ALL_BEFORE = 16, /* "all" has tests of tests */
    PRUNED_SINCE = 17,
    STRICT_SINCE = 21     /* no other go command's selection counts */
};

static void
say(struct tidy *t, const char *text)
{
    t->o->say(t->o->ctx, rt_arena_printf(t->a, "go: %s", text));
}

static enum rt_status
said(struct tidy *t)
{
    return rt_errf(t->err, RT_EFORMAT, UINT64_MAX, "%s", "");
}

/* ---- requirements of go.mod ---------------------------------------------------------- */

static void
first_roots(struct tidy *t)
{
    const struct module_file *f = &t->mods->files[0];
    struct module_version *at =
        rt_arena_array(t->a, f->nrequire + 3, sizeof *at);
    const char *go = t->o->go != NULL ? t->o->go
        : f->go != NULL ? f->go : &RT_GO_VERSION[2];
    unsigned i, n = 0;

    for (i = 0; i < f->nrequire; i++) {
        const struct module_require *r = &f->require[i];

        if (modset_excluded(t->mods, &r->mod))
            continue;
        at[n++] = r->mod;
        if (!r->indirect)
            rt_strmap_add(
                &t->direct, t->a, r->mod.path, (void *)r->mod.path);
    }
    at[n++] = (struct module_version){"go", go};
    if (f->toolchain != NULL && strcmp(f->toolchain, "default") != 0)
        at[n++] = (struct module_version){"toolchain", f->toolchain};
    t->roots = tidy_new_roots(t, at, n, module_minor(f) >= PRUNED_SINCE ||
        f->go == NULL);
}

static const char *
go_of(const struct tidy *t)
{
    return t->o->go != NULL ? t->o->go : tidy_root(t->roots, "go");
}

static enum rt_status
set_language(struct tidy *t)
{
    const char *go = go_of(t);
    unsigned minor = semver_go_minor(go);

    if (minor > RT_GO_MINOR)
        return rt_errf(t->err, RT_EFORMAT, UINT64_MAX, "go: updating go.mod "
            "requires go >= %s (running go %s; GOTOOLCHAIN=local)", go,
            &RT_GO_VERSION[2]);
    t->close_over_tests = minor < WIDE_ALL_BEFORE;
    t->roots = tidy_convert(t, minor >= PRUNED_SINCE);
    return t->roots == NULL ? t->err->code : RT_OK;
}

/* ---- until nothing is missing ----------------------------------------------------------- */

static void
find_direct(struct tidy *t)
{
    unsigned i, k;

    t->direct = (struct rt_strmap){0};
    for (i = 0; i < t->npkg; i++) {
        const struct tidy_package *p = t->pkg[i];

        if (p->mod.path == NULL || tidy_is_external(p))
            continue;
        for (k = 0; k < p->nimports; k++)
            if (tidy_is_external(p->imports[k]))
                rt_strmap_add(&t->direct, t->a, p->imports[k]->mod.path,
                    (void *)p->imports[k]->mod.path);
    }
}

/* Would a package be another's, or be found, by other roots? */
static bool
changes(struct tidy *t, struct tidy_roots *r, const struct tidy_package *p)
{
    struct tidy_package again = {.path = p->path};
    const char *v;

    if (tidy_is_external(p)) {
        v = mvs_selected(r->graph, p->mod.path);
        return v == NULL || strcmp(v, p->mod.version) != 0;
    }
    if (p->error == NULL || p->test_of != NULL)
        return false;
    tidy_resolve(t, r, &again, false);
    return again.error == NULL;
}

/* Adds what packages need; *changed says that they must be loaded again. */
static enum rt_status
update(struct tidy *t, bool *changed)
{
    struct tidy_roots *least, *r;
    unsigned i;

    find_direct(t);
    least = tidy_minimal(t);
    r = least == NULL ? NULL : tidy_update(t, true, least->at, least->n);
    if (r == NULL || tidy_graph(t, r) == NULL)
        return t->err->code;
    *changed =
        strcmp(tidy_root(r, "go"), tidy_root(t->roots, "go")) != 0;
    for (i = 0; i < t->npkg && !*changed && !tidy_same_roots(r, t->roots);
         i++)
        *changed = changes(t, r, t->pkg[i]);
    t->roots = r;
    return RT_OK;
}

/* Requires a module for each package that none has; *n of them. */
static enum rt_status
add_missing(struct tidy *t, unsigned *n)
{
    struct module_version *add =
        rt_arena_array(t->a, t->npkg + 1, sizeof *add);
    struct tidy_roots *r;
    unsigned i;

    *n = 0;
    for (i = 0; i < t->npkg; i++) {
        struct tidy_package *p = t->pkg[i];

        if (!p->missing || p->test_of != NULL ||
            !tidy_find_missing(t, p, &add[*n]))
            continue;
        if (p->from != NULL) /* not a tool, which nobody imports */
            say(t, rt_arena_printf(t->a, "found %s in %s %s", p->path,
                add[*n].path, add[*n].version));
        ++*n;
    }
    if (*n == 0)
        return RT_OK;
    r = tidy_update(t, false, add, *n);
    if (r == NULL)
        return t->err->code;
    if (tidy_same_roots(r, t->roots))
        *n = 0;
    t->roots = r;
    return RT_OK;
}

/* What packages lack in the end; the library's that this one has not are
 * nothing that go.mod could have. */
static void
report(struct tidy *t, bool missing)
{
    unsigned i;

    for (i = 0; i < t->npkg; i++) {
        struct tidy_package *p = t->pkg[i];

        if (p->error == NULL || p->test_of != NULL ||
            (p->missing && !missing) ||
            (p->missing && paths_ends(p->error, " is not in std")))
            continue;
        say(t, rt_arena_printf(
            t->a, "%s: %s", tidy_way(t, p), p->error));
        t->failed = !t->o->errors;
    }
}

static enum rt_status
settle(struct tidy *t)
{
    enum rt_status st;
    bool changed;
    unsigned n;

    do {
        n = 0;
        changed = false;
        st = set_language(t);
        if (st == RT_OK)
            st = tidy_load(t);
        if (st == RT_OK) {
            st = update(t, &changed);
            if (st != RT_OK)
                report(t, false); /* says more than what is amiss now */
        }
        if (st == RT_OK && !changed)
            st = add_missing(t, &n);
    } while (st == RT_OK && (changed || n != 0));
    return st;
}

/* ---- go.sum ------------------------------------------------------------------------------------ */

struct sums {
    struct tidy *t;
    struct rt_strmap keys; /* "path version" and "path version/go.mod" */
    struct paths_list want; /* the same */
};

static void
keep(struct sums *s, const struct module_version *id, bool mod)
{
    struct tidy *t = s->t;
    const char *root, *key;
    struct module_version by = modset_replaced(t->mods, id, &root);

    if (*by.version == 0)
        return;
    key = rt_arena_printf(
        t->a, "%s %s%s", by.path, by.version, mod ? "/go.mod" : "");
    if (rt_strmap_get(&s->keys, key) != NULL)
        return;
    rt_strmap_add(&s->keys, t->a, key, (void *)key);
    paths_push(t->a, &s->want, key);
}

/* The modules whose paths are beginnings of a package's: they must be seen to
 * find out that it is in one of them. */
static void
keep_prefixes(struct sums *s, const struct tidy_roots *r, const char *path,
    bool roots)
{
    char *prefix = paths_dup(s->t->a, path), *slash;

    for (;;) {
        struct module_version id = {paths_dup(s->t->a, prefix),
            roots ? tidy_root(r, prefix) : mvs_selected(r->graph, prefix)};

        if (id.version != NULL &&
            strcmp(prefix, s->t->mods->mains[0].id.path) != 0)
            keep(s, &id, false);
        slash = strrchr(prefix, '/');
        if (slash == NULL)
            break;
        *slash = 0;
    }
}

/* All that loading the same packages again reads. */
static enum rt_status
keep_sums(struct sums *s, struct tidy_roots *r)
{
    struct tidy *t = s->t;
    const struct mvs_graph *g = tidy_graph(t, r);
    bool mods = semver_go_minor(tidy_root(r, "go")) >= STRICT_SINCE;
    unsigned i;

    if (g == NULL)
        return t->err->code;
    for (i = 0; i < t->npkg; i++) {
        const struct tidy_package *p = t->pkg[i];
        const char *v;

        if (p->test_of != NULL || (p->mod.path == NULL && p->error == NULL))
            continue;
        if (mods && tidy_is_external(p))
            keep(s, &p->mod, true);
        v = p->mod.path == NULL || !r->pruned
            ? NULL : tidy_root(r, p->mod.path);
        keep_prefixes(
            s, r, p->path, v != NULL && strcmp(v, p->mod.version) == 0);
    }
    for (i = 0; i < g->nread; i++)
        if (strcmp(g->read[i].id.path, "go") != 0 &&
            strcmp(g->read[i].id.path, "toolchain") != 0)
            keep(s, &g->read[i].id, true);
    return RT_OK;
}

/* The line of a sum that go.sum lacks. */
static void
add_line(struct sums *s, const char *key, struct paths_list *out)
{
    struct tidy *t = s->t;
    const char *space = strchr(key, ' '), *sum;
    bool mod = paths_ends(key, "/go.mod");
    size_t n = strlen(space + 1) - (mod ? strlen("/go.mod") : 0);
    struct module_version id = {
        rt_arena_strndup(t->a, key, (size_t)(space - key)),
        rt_arena_strndup(t->a, space + 1, n)};

    sum = mod ? modset_mod_sum(t->mods, &id) : modset_zip_sum(t->mods, &id);
    if (sum != NULL)
        paths_push(t->a, out, rt_arena_printf(t->a, "%s %s", key, sum));
}

static const char *
sum_text(struct sums *s, const char *path, const char **old)
{
    struct tidy *t = s->t;
    struct gosum have = {0};
    struct rt_strmap known = {0};
    struct paths_list out = {0};
    const char *text = "";
    size_t len, n = 0;
    char *p;
    unsigned i;

    *old = paths_read(t->a, path, &len);
    gosum_read(t->a, &have, path);
    for (i = 0; i < have.lines.n; i++) {
        const char *line = have.lines.at[i];
        size_t k = strcspn(line, " ");
        const char *key = rt_arena_strndup(t->a, line,
            k + (line[k] != 0) + strcspn(line + k + (line[k] != 0), " "));

        if (rt_strmap_get(&s->keys, key) == NULL)
            continue;
        rt_strmap_add(&known, t->a, key, (void *)key);
        paths_push(t->a, &out, line);
    }
    for (i = 0; i < s->want.n; i++)
        if (rt_strmap_get(&known, s->want.at[i]) == NULL)
            add_line(s, s->want.at[i], &out);
    gosum_sort(&out);
    for (i = 0; i < out.n; i++)
        n += strlen(out.at[i]) + 1;
    text = p = rt_arena_alloc(t->a, n + 1);
    for (i = 0; i < out.n; i++)
        if (i == 0 || strcmp(out.at[i - 1], out.at[i]) != 0) {
            len = strlen(out.at[i]);
            memcpy(p, out.at[i], len);
            p[len] = '\n';
            p += len + 1;
        }
    return *text == 0 && *old == NULL ? NULL : text;
}

/* ---- other go commands ----------------------------------------------------------------------------- */

static const char *
compatible(struct tidy *t)
{
    const char *go = tidy_root(t->roots, "go");
    const char *v = t->o->compat;
    unsigned minor = semver_go_minor(go);

    if (v == NULL)
        v = minor >= STRICT_SINCE
            ? go : rt_arena_printf(t->a, "1.%u", minor - 1);
    return semver_go_compare(v, go) > 0 ? go : v;
}

static void
suggest(struct tidy *t, const char *compat, bool upgrade, bool unresolved)
{
    const char *go = tidy_root(t->roots, "go"), *old = t->mods->files[0].go;
    bool before = semver_go_minor(compat) + 1 == semver_go_minor(go);
    const char *goflag = old != NULL && strcmp(old, go) == 0
        ? "" : rt_arena_printf(t->a, " -go=%s", go);
    const char *flag = before
        ? "" : rt_arena_printf(t->a, " -compat=%s", compat);
    const char *e = unresolved ? " -e" : "";

    t->o->say(t->o->ctx, "");
    if (upgrade)
        t->o->say(t->o->ctx, rt_arena_printf(t->a, "To upgrade to the "
            "versions selected by go %s%s:\n\tgo mod tidy%s -go=%s && go mod "
            "tidy%s -go=%s%s", compat,
            unresolved ? ", leaving some packages unresolved" : "", e, compat,
            e, go, flag));
    else if (unresolved)
        t->o->say(t->o->ctx, rt_arena_printf(t->a, "To proceed despite "
            "packages unresolved in go %s:\n\tgo mod tidy -e%s%s", compat,
            goflag, flag));
    t->o->say(t->o->ctx, rt_arena_printf(t->a, "If reproducibility with go "
        "%s is not needed:\n\tgo mod tidy%s -compat=%s", compat, goflag, go));
    t->o->say(t->o->ctx, "For information about 'go mod tidy' compatibility, "
        "see:\n\thttps://go.dev/ref/mod#graph-pruning");
}

/* One package by the selection of an older go command. */
static bool
differs(struct tidy *t, struct tidy_roots *r, const struct tidy_package *p,
    const char *compat, bool *unresolved)
{
    struct tidy_package again = {.path = p->path};
    const char *way, *v;

    tidy_resolve(t, r, &again, true);
    if (again.mod.path == p->mod.path ||
        (again.mod.path != NULL && p->mod.path != NULL &&
            strcmp(again.mod.path, p->mod.path) == 0 &&
            strcmp(again.mod.version, p->mod.version) == 0))
        return false;
    way = tidy_way(t, p);
    if (p->mod.path == NULL) {
        say(t, rt_arena_printf(t->a, "%s failed to load from any module,\n\t"
            "but go %s would load it from %s@%s", p->path, compat,
            again.mod.path, again.mod.version));
        return true;
    }
    v = mvs_selected(r->graph, p->mod.path);
    *unresolved |= again.error != NULL;
    if (again.missing)
        say(t, rt_arena_printf(t->a, "%s loaded from %s@%s,\n\tbut go %s "
            "would fail to locate it in %s@%s", way, p->mod.path,
            p->mod.version, compat, p->mod.path, v == NULL ? "none" : v));
    else if (again.error != NULL)
        say(t, rt_arena_printf(t->a, "%s loaded from %s@%s,\n\tbut go %s "
            "would fail to locate it:\n\t%s", way, p->mod.path,
            p->mod.version, compat, again.error));
    else
        say(t, rt_arena_printf(t->a, "%s loaded from %s@%s,\n\tbut go %s "
            "would select %s\n", way, p->mod.path, p->mod.version, compat,
            again.mod.version));
    return true;
}

/* Whether the go command before this go.mod's would select the same. */
static enum rt_status
check_compatible(struct tidy *t, struct sums *s)
{
    const char *compat = compatible(t);
    bool pruned = semver_go_minor(compat) >= PRUNED_SINCE;
    bool any = false, upgrade = false, unresolved = false;
    struct tidy_roots *r;
    unsigned i;

    if (pruned == t->roots->pruned)
        return RT_OK;
    r = tidy_new_roots(t, t->roots->at, t->roots->n, pruned);
    if (tidy_graph(t, r) == NULL)
        return t->err->code;
    for (i = 0; i < t->npkg; i++)
        if (t->pkg[i]->test_of == NULL &&
            (t->pkg[i]->mod.path != NULL || t->pkg[i]->error != NULL))
            any |= differs(t, r, t->pkg[i], compat, &unresolved);
    for (i = 0; i < r->n && any && !upgrade; i++)
        upgrade = strcmp(r->at[i].version,
                      mvs_selected(r->graph, r->at[i].path)) != 0;
    if (any && !t->o->errors) {
        suggest(t, compat, upgrade, unresolved);
        return said(t);
    }
    return keep_sums(s, r);
}

/* ---- the result -------------------------------------------------------------------------------------- */

static void
write_mod(struct tidy *t, struct tidy_result *out)
{
    const char *go = tidy_root(t->roots, "go");
    const char *toolchain = tidy_root(t->roots, "toolchain");
    struct module_require *list =
        rt_arena_array(t->a, t->roots->n + 1, sizeof *list);
    struct modfile *f;
    size_t len;
    unsigned i, n = 0;

    for (i = 0; i < t->roots->n; i++) {
        const struct module_version *m = &t->roots->at[i];

        if (strcmp(m->path, "go") != 0 && strcmp(m->path, "toolchain") != 0)
            list[n++] = (struct module_require){
                *m, rt_strmap_get(&t->direct, m->path) == NULL};
    }
    f = modfile_parse(t->a, out->old, strlen(out->old));
    out->formatted = modfile_format(f, &len);
    modfile_set_go(f, go);
    if (toolchain == NULL || strcmp(toolchain + 2, go) == 0 ||
        semver_go_minor(toolchain + 2) < STRICT_SINCE)
        toolchain = NULL;
    modfile_set_toolchain(f, toolchain);
    modfile_set_requirements(f, list, n,
        semver_go_minor(go) >= PRUNED_SINCE);
    out->text = modfile_format(f, &len);
}

static void
find_unused(struct tidy *t, const struct tidy_roots *before,
    struct tidy_result *out)
{
    unsigned i;

    for (i = 0; i < before->n; i++) {
        const char *path = before->at[i].path;
        const char *v = t->roots->pruned ? tidy_root(t->roots, path)
                                         : mvs_selected(t->roots->graph, path);

        if (v == NULL && strcmp(path, "toolchain") != 0)
            paths_push(t->a, &out->unused, path);
    }
}

/* The root behind which a version of the language is required, and whether it
 * does so itself; NULL: no one alone. */
static const struct module_version *
who_needs(struct tidy *t, const char *go, bool *itself)
{
    const struct mvs_graph *g = t->roots->graph;
    struct mvs *m = mvs_new(t->mods);
    unsigned i, k;

    *itself = true;
    for (i = 0; i < g->nread; i++)
        for (k = 0; k < g->read[i].nrequire; k++)
            if (strcmp(g->read[i].require[k].path, "go") == 0 &&
                strcmp(g->read[i].require[k].version, go) == 0 &&
                tidy_root(t->roots, g->read[i].id.path) != NULL)
                return &g->read[i].id;
    *itself = false;
    for (i = 0; i < t->roots->n; i++) {
        g = mvs_load(m, &t->roots->at[i], 1, t->roots->pruned);
        if (mvs_selected(g, "go") != NULL &&
            strcmp(mvs_selected(g, "go"), go) == 0)
            return &t->roots->at[i];
    }
    return NULL; /* only together */
}

/* Whether the version of the language that was asked for is enough. */
static enum rt_status
check_language(struct tidy *t)
{
    const char *go = mvs_selected(t->roots->graph, "go");
    const struct module_version *m;
    bool itself;

    rt_assert(go != NULL);
    if (t->o->go == NULL || strcmp(go, t->o->go) == 0)
        return RT_OK;
    m = who_needs(t, go, &itself);
    if (m == NULL)
        return rt_errf(t->err, RT_EFORMAT, UINT64_MAX, "go: modules require "
            "go@%s, but %s is requested", go, t->o->go);
    return rt_errf(t->err, RT_EFORMAT, UINT64_MAX,
        "go: %s@%s %srequires go@%s, but %s is requested", m->path,
        m->version, itself ? "" : "indirectly ", go, t->o->go);
}

static enum rt_status
run(struct tidy *t, struct tidy_result *out)
{
    struct tidy_roots *before = t->roots, *least;
    struct sums s = {.t = t};
    enum rt_status st = settle(t);

    if (st != RT_OK)
        return t->failed ? said(t) : st;
    least = tidy_minimal(t);
    if (least == NULL || tidy_graph(t, least) == NULL)
        return t->err->code;
    t->roots = least;
    st = check_language(t);
    if (st != RT_OK)
        return st;
    report(t, true);
    if (t->failed)
        return said(t);
    if (t->npkg == 0)
        t->o->say(t->o->ctx, "go: warning: \"all\" matched no packages");
    find_unused(t, before, out);
    st = keep_sums(&s, least);
    if (st == RT_OK)
        st = check_compatible(t, &s);
    if (st != RT_OK)
        return st;
    write_mod(t, out);
    out->sum = sum_text(&s, out->sum_path, &out->old_sum);
    return RT_OK;
}

enum rt_status
tidy_module(struct graph *g, struct download *d, const struct tidy_options *o,
    struct tidy_result *out, struct rt_err *err)
{
    static const struct list_options folders = {.any_tags = true};
    struct tidy t = {.g = g, .a = g->a, .mods = &g->mods, .o = o, .err = err,
        .query = {&g->mods, d, err, false},
        .files = {.g = g, .a = g->a, .o = &folders}};
    size_t len;

    rt_assert(g->mods.nmains == 1 && o->say != NULL);
    *out = (struct tidy_result){
        .path = paths_join(g->a, g->mods.root, "go.mod"),
        .sum_path = paths_join(g->a, g->mods.root, "go.sum")};
    out->old = paths_read(g->a, out->path, &len);
    if (out->old == NULL)
        return rt_errf(err, RT_EIO, UINT64_MAX, "go: %s cannot be read",
            out->path);
    t.files.tags = package_tags(g->a, NULL, false);
    t.mvs = mvs_new(&g->mods);
    first_roots(&t);
    return run(&t, out);
}
