/* SPDX-License-Identifier: MIT */
/*
 * The library as the checker's importer: vole's own packages, a tree's, and
 * vole's own with what else the tree has of them.
 */
#include <string.h>

#include "runtime/base/goversion.h"
#include "runtime/lang/load/build_tag.h"
#include "runtime/lang/load/program_int.h"

/* Reports whether a text has the word OpenRoot, OpenInRoot or os.Root.  An 'R'
 * is rare, and the search for a byte is many times faster than that for a
 * word. */
static bool
names_root(const uint8_t *text, size_t size)
{
    static const char *const before[] = {"Open", "OpenIn", "os."};
    const uint8_t *end = text + size, *p = text;
    size_t i;

    while ((p = memchr(p, 'R', (size_t)(end - p))) != NULL) {
        if (end - p >= 4 && memcmp(p, "Root", 4) == 0)
            for (i = 0; i < sizeof before / sizeof before[0]; i++) {
                size_t n = strlen(before[i]);

                if ((size_t)(p - text) >= n &&
                    memcmp(p - n, before[i], n) == 0)
                    return true;
            }
        p++;
    }
    return false;
}

/* Has the program a folder that nothing leads out of, an os.Root?  Its files
 * are the tree's, with which those of vole's own package cannot be mixed, so
 * all of os is the tree's then.  That a comment has the word does no harm but
 * to the start. */
static bool
has_roots(const struct program *p)
{
    uint32_t i;

    for (i = 0; i < p->src.nfile; i++) {
        const struct lang_file *f = p->src.file[i];

        if (f->text != NULL && names_root(f->text, f->size))
            return true;
    }
    return false;
}

/* The bundled package with that path, unless another is to take its place. */
static const void *
find_bundled(struct program *p, const char *path)
{
    if (p->library == NULL || strncmp(path, "tree/", 5) == 0 ||
        tree_load_prefers(&p->tree, path))
        return NULL;
    if (strcmp(path, "os") == 0 && !p->os_loaded)
        p->os_of_tree = has_roots(p) &&
            tree_load_has(&p->tree, "os", NULL) == RT_OK &&
            tree_minor(p->tree.tree) >= 24;
    if (strcmp(path, "os") == 0 && p->os_of_tree)
        return NULL;
    return p->library->find(path);
}

/* Source i of a bundled package, with a name of NULL where its //go:build line
 * excludes it; false behind the last one. */
static bool
bundled_source(const struct program *p, const void *package, unsigned i,
    struct program_source *out)
{
    /* What the program wants by -tags is no business of the library's. */
    static const char *const plain[] = {"vole", NULL};
    static const char *const race[] = {"vole", "race", NULL};
    const struct build_tags tags = {
        .minor = RT_GO_MINOR, .more = p->race ? race : plain};
    const char *why;

    if (!p->library->file(package, i, out))
        return false;
    if (build_text_fits(&tags, (const uint8_t *)out->text, out->len, &why) !=
        BUILD_FITS)
        out->name = NULL;
    return true;
}

static enum rt_status
load_package(void *ctx, const char *path, struct ast_file ***files,
    uint32_t *nfiles, struct rt_err *err)
{
    struct program *p = ctx;
    const void *package = find_bundled(p, path);
    struct program_source s;
    struct ast_file **list = NULL;
    unsigned i, k = 0, n = 0;

    p->os_loaded |= strcmp(path, "os") == 0;
    if (package == NULL)
        return tree_load_package(
            &p->tree, &p->parse, path, files, nfiles, err);
    while (p->library->file(package, n, &s))
        n++;
    list = rt_arena_alloc(&p->front, n * sizeof *list);
    if (list == NULL)
        return rt_errf(err, RT_ENOMEM, UINT64_MAX, "out of memory");
    for (i = 0; bundled_source(p, package, i, &s); i++) {
        struct lang_file *f;
        enum rt_status st;

        if (s.name == NULL)
            continue;
        st = lang_sources_add(&p->src, s.name, (const uint8_t *)s.text,
            s.len, &f, err);
        if (st == RT_OK)
            st = parse_file(&p->parse, f, PARSE_LAZY_BODIES, &list[k++]);
        if (st == RT_ENOMEM)
            rt_arena_nomem(&p->front); /* no fault of the import */
        if (st != RT_OK)
            return st;
    }
    *files = list;
    *nfiles = k;
    return RT_OK;
}

static enum rt_status
load_more(void *ctx, const struct check_pkg *pkg, struct ast_file ***files,
    uint32_t *nfiles, struct rt_err *err)
{
    struct program *p = ctx;
    enum rt_status st;

    *nfiles = 0;
    if (find_bundled(p, pkg->path) == NULL)
        return RT_OK;
    st = tree_load_more(&p->tree, &p->parse, pkg->path, pkg->files,
        pkg->nfiles, files, nfiles, err);
    if (st == RT_ENOMEM)
        rt_arena_nomem(&p->front);
    return st;
}

/* Packages of the library are known to do with the variables that a program
 * reaches; those of a tree are not. */
static bool
is_eager(void *ctx, const char *path)
{
    return find_bundled(ctx, path) == NULL;
}

/* The library's packages import those of modules that it brings copies of,
 * whatever others of these names the program has. */
static const char *
brought_path(void *ctx, const char *path)
{
    struct program *p = ctx;
    const char *own;

    if (memchr(path, '.', strcspn(path, "/")) == NULL)
        return path;
    own = rt_arena_printf(&p->front, "vendor/%s", path);
    return own == NULL ? path : own;
}

/* Only what looks like a path of the library makes anybody look for a tree. */
static bool
has_package(void *ctx, const char *path)
{
    struct program *p = ctx;

    if (find_bundled(p, path) != NULL)
        return true;
    return memchr(path, '.', strcspn(path, "/")) == NULL &&
        tree_load_has(&p->tree, path, NULL) == RT_OK;
}

static const char *
why_not(void *ctx, const char *path)
{
    struct program *p = ctx;
    struct rt_err err = {0};

    tree_load_has(&p->tree, path, &err);
    return rt_arena_printf(&p->front, "%s", err.text);
}

static enum rt_status
patch_package(void *ctx, const char *path, unsigned minor,
    struct ast_file ***files, uint32_t *nfiles, struct rt_err *err)
{
    struct program *p = ctx;

    return tree_load_patch(
        &p->tree, &p->parse, path, minor, files, nfiles, err);
}

static const char *
package_called(void *ctx, const char *name)
{
    struct program *p = ctx;

    return p->library->called(name);
}

/* A package of a tree may lack a name because the tree is old. */
static const char *
edition(void *ctx, const char *path)
{
    struct program *p = ctx;

    if (memchr(path, '.', strcspn(path, "/")) != NULL ||
        find_bundled(p, path) != NULL ||
        tree_load_has(&p->tree, path, NULL) != RT_OK ||
        tree_minor(p->tree.tree) >= RT_GO_MINOR)
        return NULL;
    return rt_arena_printf(&p->front, "the library in %s is that of Go 1.%u",
        tree_root(p->tree.tree), tree_minor(p->tree.tree));
}

void
program_import_init(struct program *p, bool called)
{
    p->host = (struct check_host){.ctx = p, .load = load_package,
        .eager = is_eager, .path = brought_path, .more = load_more,
        .edition = edition, .called = called ? package_called : NULL};
}

struct resolve_std
program_std(struct program *p)
{
    return (struct resolve_std){
        p, has_package, why_not, p->library == NULL ? NULL : patch_package};
}

bool
program_is_usual(struct program *p)
{
    const char *asked = p->tree.env == NULL ? NULL : p->tree.env("VOLETREE");

    /* Where package os is not loaded it still may be. */
    return (asked == NULL || *asked == 0) &&
        (p->os_loaded ? !p->os_of_tree : !has_roots(p));
}

bool
program_needs_tree(struct program *p)
{
    const struct graph *g = &p->graph;
    uint32_t i, k, m;

    for (i = 0; i < g->norder; i++)
        for (k = 0; k < g->order[i]->nfiles; k++) {
            const struct ast_file *f = g->order[i]->files[k];

            for (m = 0; m < f->nimport; m++) {
                const char *path = f->decls.at[m]->import.value;

                if (path != NULL && strcmp(path, "unsafe") != 0 &&
                    find_bundled(p, path) == NULL && has_package(p, path))
                    return true;
            }
        }
    return false;
}
