/* SPDX-License-Identifier: MIT */
#include "runtime/lang/load/graph.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/arena.h"
#include "runtime/base/throw.h"
#include "runtime/lang/load/build_tag.h"
#include "runtime/lang/load/embed.h"

enum { FILE_LANG_SINCE = 21 };

static const char files_path[] = "command-line-arguments";

/* ---- packages --------------------------------------------------------------------- */

static void
push(struct rt_arena *a, struct graph_package ***list, unsigned *n,
    unsigned *cap, struct graph_package *p)
{
    *list = rt_arena_more(a, *list, *n, cap, sizeof(**list));
    (*list)[(*n)++] = p;
}

static struct graph_package *
find(struct graph *g, const char *path)
{
    return rt_strmap_get(&g->bypath, path);
}

static struct graph_package *
new_package(struct graph *g, const char *path, const char *dir)
{
    struct graph_package *p = rt_arena_alloc(g->a, sizeof *p);

    p->path = p->code_path = path;
    p->title = "";
    p->dir = dir;
    lang_diag_init(&p->diag, g->parse->src, g->limit);
    push(g->a, &g->all, &g->nall, &g->allcap, p);
    rt_strmap_add(&g->bypath, g->a, path, p);
    return p;
}

static enum rt_status
error(struct graph *g, const char *text)
{
    paths_push(g->a, &g->errors, text);
    return RT_EFORMAT;
}

/* ---- files -------------------------------------------------------------------------- */

/* How messages name a file: from the working directory, "./x.go" for one in
 * it. */
static const char *
shown(struct graph *g, const char *path)
{
    const char *rel = paths_rel(g->a, g->mods.cwd, path);

    return strchr(rel, '/') == NULL ? rt_arena_printf(g->a, "./%s", rel)
                                    : rel;
}

/* A file may ask for another version than its module, but none of before
 * Go 1.21: until then such lines meant nothing but themselves. */
static void
set_language(struct lang_file *f, unsigned minor)
{
    unsigned own = build_text_version(f->text, f->size);

    f->lang = (uint16_t)minor;
    if (own == 0)
        return;
    f->lang = (uint16_t)(own < FILE_LANG_SINCE ? FILE_LANG_SINCE : own);
    f->lang_own = own >= FILE_LANG_SINCE;
}

/* Go's default where no go.mod speaks: the newest. */
static unsigned
language(struct graph *g, struct graph_package *p)
{
    if (g->lang != 0 && (p->module == NULL || p->module->main))
        return g->lang;
    return p->module == NULL ? 0 : modset_minor(&g->mods, p->module);
}

/* Does a package get counters? */
static bool
is_covered(const struct graph *g, const struct graph_package *p)
{
    const char *list = g->coverpkg, *end;
    size_t n = strlen(p->path);

    if (g->cover == COVER_OFF || p->role == PACKAGE_XTEST)
        return false;
    if (list == NULL)
        return p->role == PACKAGE_TEST;
    for (; list != NULL; list = *end == 0 ? NULL : end + 1) {
        end = strchrnul(list, ',');
        if ((size_t)(end - list) == n && memcmp(list, p->path, n) == 0)
            return true;
    }
    return false;
}

/* Puts counters into the text of a file, unless it has errors: then they are
 * reported when it is parsed as it is. */
static enum rt_status
cover_file(struct graph *g, struct graph_package *p, struct package_file *x,
    struct rt_err *err)
{
    struct cover_file *f = &p->cover[p->ncover];
    struct lang_diag diag;
    struct lang_file *src;
    struct ast_file *tree;
    enum rt_status st = lang_sources_add(g->parse->src, x->name,
        (const uint8_t *)x->text, x->len, &src, err);

    if (st != RT_OK)
        return st;
    lang_diag_init(&diag, g->parse->src, 1);
    g->parse->diag = &diag;
    st = parse_file(g->parse, src, 0, &tree);
    if (st == RT_OK && !lang_diag_any(&diag)) {
        *f = (struct cover_file){.name = x->name, .first = 0};
        if (p->ncover > 0)
            f->first = f[-1].first + f[-1].n;
        x->text = cover_text(g->a, g->parse, tree, g->cover, f, &x->len);
        p->ncover++;
    }
    lang_diag_free(&diag);
    return st;
}

static enum rt_status
parse_one(struct graph *g, struct graph_package *p, const char *name,
    const struct package_file *x, struct rt_err *err)
{
    struct lang_file *f;
    struct ast_file *tree;
    enum rt_status st = lang_sources_add(
        g->parse->src, name, (const uint8_t *)x->text, x->len, &f, err);

    if (st != RT_OK)
        return st;
    set_language(f, p->minor);
    g->parse->diag = &p->diag;
    st = parse_file(g->parse, f, 0, &tree);
    if (st != RT_OK)
        return rt_errf(err, st, UINT64_MAX, "%s: out of memory", name);
    tree->assembly = p->have.assembly;
    p->files[p->nfiles++] = tree;
    return RT_OK;
}

/* The file that declares the counters. */
static enum rt_status
add_counters(struct graph *g, struct graph_package *p, struct rt_err *err)
{
    const struct cover_file *last = &p->cover[p->ncover - 1];
    struct package_file x = {.name = "_cover.go"};

    rt_assert(p->ncover > 0 && p->ncover <= p->nfiles);
    x.text = cover_counters(g->a, p->files[0]->package.name->text, g->cover,
        last->first + last->n);
    x.len = strlen(x.text);
    return parse_one(g, p, x.name, &x, err);
}

/* What package_read() is to know of a module's package. */
static unsigned
special(struct graph *g, const struct modset_module *m, const char *path)
{
    return (tree_load_patches(g->tree, path) ? PACKAGE_PATCHED : 0) |
        (m != NULL && strcmp(m->id.path, "std") == 0 ? PACKAGE_STD : 0);
}

/* A module's package for which there is a patch. */
static enum rt_status
patch(struct graph *g, struct graph_package *p, struct rt_err *err)
{
    struct ast_file **more, **all;
    uint32_t n;
    enum rt_status st =
        tree_load_module_patch(g->tree, g->parse, p->path, &more, &n, err);

    if (st != RT_OK || n == 0)
        return st;
    tree_patch(g->parse, p->files, p->nfiles, more, n);
    all = rt_arena_array(g->a, p->nfiles + n, sizeof *all);
    memcpy(all, p->files, p->nfiles * sizeof *all);
    memcpy(all + p->nfiles, more, n * sizeof *all);
    p->files = all;
    p->nfiles += n;
    return RT_OK;
}

static enum rt_status
parse_files(struct graph *g, struct graph_package *p, enum package_role role,
    struct rt_err *err)
{
    enum rt_status st = RT_OK;
    unsigned i;

    rt_assert(role != PACKAGE_PLAIN || p->nfiles == 0);
    for (i = 0; i < p->have.n && st == RT_OK; i++) {
        struct package_file *x = &p->have.at[i];
        const char *path = paths_join(g->a, p->dir, x->name);

        if (x->role != role)
            continue;
        if (p->cover != NULL && role == PACKAGE_PLAIN)
            st = cover_file(g, p, x, err);
        if (st == RT_OK)
            st = parse_one(g, p, shown(g, path), x, err);
    }
    return st;
}

/* The files of tests come behind the others, whatever their names: variables
 * are initialised, and functions init run, in this order. */
static enum rt_status
parse_package(struct graph *g, struct graph_package *p, struct rt_err *err)
{
    enum rt_status st = RT_OK;

    p->files = rt_arena_array(g->a, p->have.n + 1, sizeof *p->files);
    if (is_covered(g, p))
        p->cover = rt_arena_array(g->a, p->have.n + 1, sizeof *p->cover);
    if (p->role != PACKAGE_XTEST)
        st = parse_files(g, p, PACKAGE_PLAIN, err);
    if (st == RT_OK && p->role != PACKAGE_PLAIN)
        st = parse_files(g, p, p->role, err);
    if (st == RT_OK && p->ncover != 0)
        st = add_counters(g, p, err);
    if (st == RT_OK && p->role != PACKAGE_XTEST && p->module != NULL)
        st = patch(g, p, err);
    return st;
}

/* A package of the library's own module is what the library has under its
 * name, with vole's patch: its tests find what other packages find. */
static enum rt_status
patch_package(struct graph *g, struct graph_package *p, struct rt_err *err)
{
    unsigned i;

    if (g->std.patch == NULL || p->role == PACKAGE_XTEST ||
        p->module == NULL || strcmp(p->module->id.path, "std") != 0)
        return RT_OK;
    for (i = 0; i < p->nfiles; i++)
        p->files[i]->standard = true;
    return g->std.patch(
        g->std.ctx, p->path, p->minor, &p->files, &p->nfiles, err);
}

/* ---- imports ---------------------------------------------------------------------------- */

struct import {
    const char *path;
    lang_pos pos;
    const char *file;
};

static int
by_path(const void *a, const void *b)
{
    const struct import *x = a, *y = b;
    int c = strcmp(x->path, y->path);

    return c != 0 ? c : x->pos < y->pos ? -1 : x->pos > y->pos;
}

/* All imports of a package, each path once, in the order of paths. */
static struct import *
list_imports(struct graph *g, struct graph_package *p, unsigned *n)
{
    struct import *list;
    unsigned i, k, all = 0;

    for (i = 0; i < p->nfiles; i++)
        all += p->files[i]->nimport;
    list = rt_arena_array(g->a, all + 1, sizeof *list);
    all = 0;
    for (i = 0; i < p->nfiles; i++)
        for (k = 0; k < p->files[i]->nimport; k++) {
            const struct ast_decl *d = p->files[i]->decls.at[k];

            if (d->import.value != NULL && *d->import.value != 0)
                list[all++] = (struct import){d->import.value,
                    d->import.name.name != NULL ? d->import.name.pos
                                                : d->import.path->pos,
                    p->files[i]->src->name};
        }
    if (all > 1)
        qsort(list, all, sizeof *list, by_path);
    for (i = k = 0; i < all; i++)
        if (k == 0 || strcmp(list[k - 1].path, list[i].path) != 0)
            list[k++] = list[i];
    *n = k;
    return list;
}

/* "x.go:3:8", without the "./" that messages about code have. */
static const char *
place(struct graph *g, lang_pos pos)
{
    struct lang_place at = lang_pos_place(g->parse->src, pos);
    const char *file = at.file;

    if (paths_starts(file, "./"))
        file += 2;
    return rt_arena_printf(g->a, "%s:%u:%u", file, at.line, at.col);
}

/* The chain from the first package to p: "package a\n\timports b from x.go". */
static const char *
chain(struct graph *g, const struct graph_package *p)
{
    const struct graph_package *q, **way;
    struct paths_list text = {0};
    unsigned i, n = 0;

    for (q = p; q != NULL; q = q->parent)
        n++;
    way = rt_arena_array(g->a, n, sizeof(*way));
    for (i = n, q = p; q != NULL; q = q->parent)
        way[--i] = q;
    for (; i < n; i++) {
        const char *file = way[i]->parent_file, *slash;

        if (way[i]->parent == NULL) {
            paths_push(g->a, &text, "package ");
            paths_push(g->a, &text, way[i]->path);
            continue;
        }
        slash = strrchr(file, '/');
        paths_push(g->a, &text, rt_arena_printf(g->a, "\n\timports %s from %s",
            way[i]->path, slash == NULL ? file : slash + 1));
    }
    return paths_concat(g->a, &text);
}

static enum rt_status
cycle(struct graph *g, struct graph_package *p, const struct import *im)
{
    const char *slash = strrchr(im->file, '/');

    return error(g, rt_arena_printf(g->a,
        "%s\n\timports %s from %s: import cycle not allowed%s", chain(g, p),
        im->path, slash == NULL ? im->file : slash + 1,
        p->role == PACKAGE_PLAIN ? "" : " in test"));
}

/* The import path that decides which internal packages p may use: external
 * tests may what the package in their folder may. */
static const char *
importer(struct graph *g, const struct graph_package *p)
{
    struct modset_module *m;
    const char *path;

    if (strcmp(p->path, files_path) != 0 && p->role != PACKAGE_XTEST)
        return p->path;
    path = modset_import_path(&g->mods, p->dir, &m);
    return path == NULL ? files_path : path;
}

static enum rt_status
bad_import(struct graph *g, struct graph_package *p,
    const struct import *im, const char *why)
{
    if (paths_starts(why, "use of internal "))
        return error(g, rt_arena_printf(g->a, "%s\n\t%s: %s", chain(g, p),
            place(g, im->pos), why));
    if (paths_starts(why, "verifying ")) {
        if (!paths_has(&g->errors, why)) /* of the module, not the import */
            error(g, why);
        return RT_EFORMAT;
    }
    return error(
        g, rt_arena_printf(g->a, "%s: %s", place(g, im->pos), why));
}

/* Finds one import, whose own have to be followed if it was not there yet
 * (*fresh); *out is NULL for one of the library. */
static enum rt_status
find_import(struct graph *g, struct graph_package *p,
    const struct import *im, struct graph_package **out, bool *fresh,
    struct rt_err *err)
{
    struct resolved r;
    struct graph_package *q = find(g, im->path);
    enum rt_status st;

    *out = q;
    *fresh = false;
    if (q != NULL && q->busy)
        return cycle(g, p, im);
    if (q != NULL && p->made)
        return RT_OK;
    r = resolve_import(&g->mods, &g->std, im->path, importer(g, p));
    if (r.kind == RESOLVE_NONE) {
        *out = NULL;
        return bad_import(g, p, im, r.why);
    }
    if (q != NULL && q->have.error != NULL) {
        /* A pattern or another import found the folder, and no package. */
        *out = NULL;
        return bad_import(g, p, im, q->have.error);
    }
    if (q != NULL || r.kind == RESOLVE_LIBRARY)
        return RT_OK;
    q = *out = new_package(g, im->path, r.dir);
    q->module = r.module;
    q->header = true;
    q->parent = p;
    q->parent_file = im->file;
    st = package_read(g->a, r.dir, g->tags, special(g, r.module, im->path),
        &q->have, err);
    if (st == RT_OK && q->have.error != NULL) {
        *out = NULL;
        return bad_import(g, p, im, q->have.error);
    }
    *fresh = st == RT_OK;
    return st;
}

/* Finds the files of //go:embed. */
static enum rt_status
embed(struct graph *g, struct graph_package *p)
{
    const char *why;
    lang_pos where;
    uint32_t i;

    for (i = 0; i < p->nfiles; i++)
        if (!embed_files(
                g->a, p->dir, p->files[i], &p->diag, &where, &why))
            return error(g, rt_arena_printf(
                g->a, "%s: %s", place(g, where), why));
    return RT_OK;
}

/* A package whose imports are being followed, and the next of them. */
struct step {
    struct graph_package *p;
    const struct import *im;
    unsigned n, next;
};

struct steps {
    struct step *at;
    unsigned n, cap;
};

/* Parses a package, whose imports are next then. */
static enum rt_status
enter(struct graph *g, struct steps *s, struct graph_package *p,
    struct rt_err *err)
{
    struct step x = {.p = p};
    enum rt_status st = RT_OK;

    rt_assert(!p->busy && p->imports == NULL);
    if (p->files == NULL) {
        p->minor = language(g, p);
        st = parse_package(g, p, err);
        if (st == RT_OK)
            st = patch_package(g, p, err);
    }
    if (st == RT_OK)
        st = embed(g, p);
    if (st != RT_OK)
        return st;
    x.im = list_imports(g, p, &x.n);
    p->imports = rt_arena_array(g->a, x.n + 1, sizeof(*p->imports));
    p->busy = true;
    s->at = rt_arena_more(g->a, s->at, s->n, &s->cap, sizeof *s->at);
    s->at[s->n++] = x;
    return RT_OK;
}

/* Follows the next import of the package that is deepest in. */
static enum rt_status
follow(struct graph *g, struct steps *s, struct rt_err *err)
{
    struct step *x = &s->at[s->n - 1];
    struct graph_package *p = x->p, *q;
    enum rt_status st;
    bool fresh;

    rt_assert(p->busy && x->next <= x->n && p->nimports <= x->next);
    if (x->next == x->n) {
        p->busy = false;
        push(g->a, &g->order, &g->norder, &g->ordercap, p);
        s->n--;
        return RT_OK;
    }
    st = find_import(g, p, &x->im[x->next++], &q, &fresh, err);
    if (st != RT_OK && st != RT_EFORMAT)
        return st;
    rt_assert(!fresh || (q != NULL && q->parent == p));
    if (q != NULL)
        p->imports[p->nimports++] = q;
    return fresh ? enter(g, s, q, err) : st;
}

/* Parses p and what it imports, each behind its imports.  Packages may form
 * chains of any length, so this is no recursion. */
static enum rt_status
load(struct graph *g, struct graph_package *p, struct rt_err *err)
{
    struct steps s = {0};
    enum rt_status st = enter(g, &s, p, err), st2;

    while (s.n > 0) {
        st2 = follow(g, &s, err);
        if (st2 != RT_OK && st2 != RT_EFORMAT)
            return st2;
        if (st == RT_OK)
            st = st2;
    }
    rt_assert(!p->busy);
    rt_assert(st != RT_OK || g->order[g->norder - 1] == p);
    return st;
}

/* ---- roots ------------------------------------------------------------------------------ */

static bool
is_program(const struct graph_package *p)
{
    return p->nfiles > 0 && p->files[0]->package.name != NULL &&
        strcmp(p->files[0]->package.name->text, "main") == 0;
}

/* `matched`: by a pattern, which a folder with nothing but tests may fit. */
static enum rt_status
add_folder(struct graph *g, const char *dir, const char *path, bool matched,
    struct rt_err *err)
{
    struct graph_package *p = path == NULL ? NULL : find(g, path);
    enum rt_status st;

    if (p != NULL) { /* imported by another, or named twice */
        p->named = true;
        if (is_program(p))
            p->code_path = "main";
        return RT_OK;
    }
    p = new_package(g, path == NULL ? files_path : path, dir);
    p->named = true;
    modset_import_path(&g->mods, dir, &p->module);
    p->header = p->module != NULL;
    st = package_read(
        g->a, dir, g->tags, special(g, p->module, p->path), &p->have, err);
    if (st != RT_OK)
        return st;
    if (matched && p->have.n != 0 && p->have.count[PACKAGE_PLAIN] == 0)
        return RT_OK;
    if (p->have.error != NULL) {
        const char *text = p->have.error;

        if (paths_starts(text, "build constraints"))
            text = rt_arena_printf(g->a, "package %s: %s", p->path, text);
        else if (paths_starts(text, "no non-test"))
            text = rt_arena_printf(g->a, "%s: %s", p->path, text);
        return error(g, text);
    }
    st = load(g, p, err);
    if (is_program(p))
        p->code_path = "main";
    return st;
}

enum rt_status
graph_add_word(struct graph *g, const char *word, struct rt_err *err)
{
    struct paths_list dirs = {0}, paths = {0};
    enum rt_status st = graph_match(g, word, &dirs, &paths, err);
    unsigned i;

    for (i = 0; i < dirs.n && st != RT_EIO && st != RT_ENOMEM; i++) {
        enum rt_status st2 = add_folder(g, dirs.at[i], paths.at[i],
            strstr(word, "...") != NULL, err);

        if (st2 != RT_OK)
            st = st2;
    }
    return st;
}

static struct graph_package *
new_files(struct graph *g, const char *path, const char *dir)
{
    struct graph_package *p = new_package(g, path, dir);

    p->named = true;
    p->code_path = "main";
    if (*dir != 0)
        modset_import_path(&g->mods, dir, &p->module);
    return p;
}

enum rt_status
graph_add_files(struct graph *g, const char *const *paths, unsigned n,
    struct rt_err *err)
{
    const char *dir = paths_dir(g->a, paths_join(g->a, g->mods.cwd, paths[0]));
    struct graph_package *p = new_files(g, files_path, dir);
    enum rt_status st = RT_OK;
    unsigned i;

    p->minor = language(g, p);

    /* The names in messages are those that were given; so they are parsed
     * here, and load() finds no more of them. */
    p->files = rt_arena_array(g->a, n + 1, sizeof *p->files);
    for (i = 0; i < n && st == RT_OK; i++) {
        struct package_file x;

        st = package_read_file(g->a, paths[i], &x, err);
        if (st == RT_OK)
            st = parse_one(g, p, paths[i], &x, err);
    }
    return st == RT_OK ? load(g, p, err) : st;
}

enum rt_status
graph_add_text(
    struct graph *g, struct ast_file *file, bool made, struct rt_err *err)
{
    struct graph_package *p = new_files(g, made ? "" : files_path, "");
    struct lang_diag fresh = p->diag;

    p->diag = *g->parse->diag;
    *g->parse->diag = fresh;
    p->made = made;
    p->files = rt_arena_array(g->a, 1, sizeof *p->files);
    p->files[p->nfiles++] = file;
    return load(g, p, err);
}

/* A package of tests, the files of that role. */
static struct graph_package *
new_tests(struct graph *g, const char *path, const struct package_files *have,
    struct modset_module *m, enum package_role role)
{
    struct graph_package *p = new_package(g, path, have->dir);

    p->header = true;
    p->role = role;
    p->module = m;
    p->have = *have;
    return p;
}

enum rt_status
graph_add_tests(struct graph *g, const char *dir,
    struct graph_package **package, struct graph_package **xtest,
    struct rt_err *err)
{
    struct modset_module *m;
    const char *path = modset_import_path(&g->mods, dir, &m), *title;
    struct package_files have;
    enum rt_status st;

    *package = *xtest = NULL;
    if (path == NULL)
        path = files_path;
    title = rt_arena_printf(g->a, " [%s.test]", path);
    st = package_read(g->a, dir, g->tags, PACKAGE_TESTS | special(g, m, path),
        &have, err);
    if (st == RT_OK && have.error != NULL)
        return error(g, have.error);
    if (st == RT_OK &&
        have.count[PACKAGE_PLAIN] + have.count[PACKAGE_TEST] != 0) {
        *package = new_tests(g, path, &have, m, PACKAGE_TEST);
        (*package)->title = have.count[PACKAGE_TEST] != 0 ? title : "";
        st = load(g, *package, err);
    }
    if (st != RT_OK || have.count[PACKAGE_XTEST] == 0)
        return st;
    *xtest = new_tests(g, rt_arena_printf(g->a, "%s_test", path), &have, m,
        PACKAGE_XTEST);
    (*xtest)->title = title;
    return load(g, *xtest, err);
}

void
graph_free(struct graph *g)
{
    unsigned i;

    for (i = 0; i < g->nall; i++)
        lang_diag_free(&g->all[i]->diag);
}
