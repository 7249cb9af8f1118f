/* SPDX-License-Identifier: MIT */
/*
 * The words of a command line that name packages: folders, import paths, and
 * patterns, in which "..." stands for any text.
 */
#include <errno.h>
#include <string.h>

#include "runtime/base/arena.h"
#include "runtime/base/throw.h"
#include "runtime/lang/load/graph.h"
#include "runtime/lang/load/match.h"

struct match {
    struct graph *g;
    struct paths_list *dirs, *paths;
    const char *pattern; /* of import paths or of folders */
    const char *module;  /* a module that is not worked on, whose folder this
                            is: its path, or NULL */
    const char *module_dir;
    bool of_paths;
};

static bool
is_local(const char *word)
{
    return *word == '/' || strcmp(word, ".") == 0 ||
        strcmp(word, "..") == 0 || paths_starts(word, "./") ||
        paths_starts(word, "../");
}

bool
match_fits(const char *pattern, const char *text)
{
    const char *dots = strstr(pattern, "..."), *p;
    size_t n = dots == NULL ? 0 : (size_t)(dots - pattern);

    if (dots == NULL)
        return strcmp(pattern, text) == 0;
    if (strcmp(dots, "...") == 0 && n > 0 && pattern[n - 1] == '/' &&
        strlen(text) == n - 1 && strncmp(pattern, text, n - 1) == 0)
        return true;
    if (strncmp(pattern, text, n) != 0)
        return false;
    for (p = text + n;; p++) {
        if (match_fits(dots + 3, p))
            return true;
        if (*p == 0)
            return false;
    }
}

static bool
is_skipped(const char *name)
{
    return *name == '.' || *name == '_' || strcmp(name, "testdata") == 0 ||
        strcmp(name, "vendor") == 0 || strcmp(name, "node_modules") == 0;
}

static bool
is_ignored(const struct match *m, const struct modset_module *mod,
    const char *dir)
{
    const struct module_file *f;
    unsigned i;

    if (mod == NULL || !mod->main)
        return false;
    rt_assert(mod >= m->g->mods.mains &&
        mod < m->g->mods.mains + m->g->mods.nmains);
    f = &m->g->mods.files[mod - m->g->mods.mains];
    for (i = 0; i < f->nignore; i++)
        if (strcmp(paths_join(m->g->a, mod->dir, f->ignore[i]), dir) == 0)
            return true;
    return false;
}

/* The import path of a folder, in whatever is gone through. */
static const char *
import_path(struct match *m, const char *dir, struct modset_module **mod)
{
    const char *rest;

    if (m->module_dir == NULL)
        return modset_import_path(&m->g->mods, dir, mod);
    rest = paths_under(m->module_dir, dir);
    if (*m->module == 0 || *rest == 0)
        return *rest == 0 ? m->module : rest;
    return rt_arena_printf(m->g->a, "%s/%s", m->module, rest);
}

/* Is it the folder of the packages that the library brings copies of? */
static bool
is_brought(const struct match *m, const char *dir)
{
    const char *rest =
        m->module_dir == NULL ? NULL : paths_under(m->module_dir, dir);

    return rest != NULL && *m->module == 0 && strcmp(rest, "vendor") == 0;
}

/* Packages of the library that nothing imports without cgo are in no pattern,
 * and neither is what only documents. */
static bool
is_hidden(const struct match *m, const char *path)
{
    return m->module_dir != NULL && *m->module == 0 &&
        (strcmp(path, "builtin") == 0 || strcmp(path, "runtime/cgo") == 0);
}

/* Looks at a folder, and appends those in it to `left`, the last one first;
 * those of other modules do not count but for the first, the top. */
static void
look(struct match *m, const char *dir, bool top, struct paths_list *left)
{
    struct rt_arena *a = m->g->a;
    struct paths_list names = {0};
    struct modset_module *mod = NULL;
    const char *path = import_path(m, dir, &mod);
    bool go = false;
    unsigned i;

    if ((!top && paths_is_file(paths_join(a, dir, "go.mod"))) ||
        is_ignored(m, mod, dir) || !paths_entries(a, dir, &names))
        return;
    for (i = 0; i < names.n && !go; i++)
        go = paths_ends(names.at[i], ".go") && names.at[i][0] != '_' &&
            names.at[i][0] != '.';
    if (go && !is_hidden(m, path) &&
        match_fits(m->pattern, m->of_paths ? path : dir)) {
        paths_push(a, m->dirs, dir);
        paths_push(a, m->paths, path);
    }
    for (i = names.n; i-- > 0;) {
        const char *sub = paths_join(a, dir, names.at[i]);

        if ((!is_skipped(names.at[i]) || is_brought(m, sub)) &&
            paths_is_dir(sub))
            paths_push(a, left, sub);
    }
}

/* Goes through a folder and all below it. */
static void
walk(struct match *m, const char *dir)
{
    struct paths_list left = {0};

    look(m, dir, true, &left);
    while (left.n > 0)
        look(m, left.at[--left.n], false, &left);
}

/* A pattern finds packages that fit this system; none is an error only where
 * one was named. */
static void
drop_excluded(struct match *m)
{
    unsigned i, k = 0;

    rt_assert(m->dirs->n == m->paths->n);
    for (i = 0; i < m->dirs->n; i++) {
        struct package_files f;
        struct rt_err err;

        if (package_read(m->g->a, m->dirs->at[i], m->g->tags, PACKAGE_TESTS, &f,
                &err) == RT_OK && f.n == 0)
            continue;
        m->dirs->at[k] = m->dirs->at[i];
        m->paths->at[k++] = m->paths->at[i];
    }
    m->dirs->n = m->paths->n = k;
}

/* May the pattern fit something that begins with a module's path? */
static bool
may_fit(const char *pattern, const char *module)
{
    const char *dots = strstr(pattern, "...");
    size_t n = (size_t)(dots - pattern), k = strlen(module);

    rt_assert(dots != NULL);
    return strncmp(pattern, module, n < k ? n : k) == 0;
}

/* The packages of a folder of a module, or of Go's library. */
static void
walk_module(struct match *m, const char *path, const char *dir)
{
    rt_assert(m->module_dir == NULL && dir != NULL);
    m->module = path;
    m->module_dir = dir;
    walk(m, dir);
    m->module_dir = NULL;
}

static void
walk_library(struct match *m)
{
    const char *src;

    if (tree_load_has(m->g->tree, "fmt", NULL) != RT_OK)
        return;
    src = rt_arena_printf(m->g->a, "%s/src", tree_root(m->g->tree->tree));
    if (paths_is_dir(src))
        walk_module(m, "", src);
}

/* Import paths of others than the modules that are worked on: of the library,
 * and of the modules that these need. */
static void
walk_others(struct match *m)
{
    struct modset *s = &m->g->mods;
    size_t n = strcspn(m->pattern, "/");
    unsigned i;

    if (memmem(m->pattern, n, "...", 3) != NULL ||
        memchr(m->pattern, '.', n) == NULL)
        walk_library(m);
    if (s->mode == MODSET_VENDOR)
        return;
    for (i = 0; i < s->nlist; i++)
        if (s->list[i].dir != NULL && may_fit(m->pattern, s->list[i].id.path))
            walk_module(m, s->list[i].id.path, s->list[i].dir);
}

static enum rt_status
match_pattern(struct match *m, const char *word)
{
    struct modset *s = &m->g->mods;
    struct rt_arena *a = m->g->a;
    unsigned i;

    rt_assert(m->module_dir == NULL && m->dirs->n == m->paths->n);
    m->of_paths = !is_local(word);
    if (strcmp(word, "std") == 0) {
        m->of_paths = true;
        m->pattern = "...";
        walk_library(m);
    } else if (m->of_paths) {
        m->pattern = strcmp(word, "all") == 0 ? "..." : word;
        for (i = 0; i < s->nmains; i++)
            walk(m, s->mains[i].dir);
        if (m->g->match_all && strcmp(word, "all") != 0)
            walk_others(m);
    } else {
        char *dir = paths_dup(a, word);

        *strstr(dir, "...") = 0;
        if (!paths_ends(dir, "/"))
            dir = paths_dir(a, dir);
        if (!paths_exists(paths_join(a, s->cwd, dir))) {
            paths_push(a, &m->g->errors, rt_arena_printf(a,
                "pattern %s: lstat %s: no such file or directory", word,
                dir));
            return RT_EFORMAT;
        }
        m->pattern = paths_join(a, s->cwd, word);
        walk(m, paths_join(a, s->cwd, dir));
    }
    if (!m->g->match_all)
        drop_excluded(m);
    if (m->dirs->n == 0)
        paths_push(a, &m->g->errors, rt_arena_printf(a,
            "go: warning: \"%s\" matched no packages", word));
    return m->dirs->n == 0 ? RT_EFORMAT : RT_OK;
}

static enum rt_status
match_folder(struct match *m, const char *word)
{
    struct graph *g = m->g;
    const char *dir = paths_join(g->a, g->mods.cwd, word);
    struct modset_module *mod;

    if (!paths_is_dir(dir)) {
        paths_push(g->a, &g->errors,
            rt_arena_printf(g->a, "stat %s: directory not found", dir));
        return RT_EFORMAT;
    }
    paths_push(g->a, m->dirs, dir);
    paths_push(g->a, m->paths, modset_import_path(&g->mods, dir, &mod));
    return RT_OK;
}

enum rt_status
graph_match(struct graph *g, const char *word, struct paths_list *dirs,
    struct paths_list *paths, struct rt_err *err)
{
    struct match m = {.g = g, .dirs = dirs, .paths = paths};
    struct resolved r;

    (void)err;
    if (strstr(word, "...") != NULL || strcmp(word, "all") == 0 ||
        (g->match_all && strcmp(word, "std") == 0))
        return match_pattern(&m, word);
    if (is_local(word) || paths_is_dir(word))
        return match_folder(&m, word);
    r = resolve_import(&g->mods, &g->std, word, "");
    if (r.kind == RESOLVE_FOLDER) {
        paths_push(g->a, dirs, r.dir);
        paths_push(g->a, paths, word);
        return RT_OK;
    }
    paths_push(g->a, &g->errors, r.kind == RESOLVE_NONE ? r.why
        : rt_arena_printf(g->a, "package %s is of the library", word));
    return RT_EFORMAT;
}
