/* SPDX-License-Identifier: MIT */
#include "runtime/lang/load/list.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/arena.h"
#include "runtime/base/throw.h"
#include "runtime/lang/load/semver.h"

static const char files_path[] = "command-line-arguments";

void
list_push(struct rt_arena *a, struct list_package ***list, unsigned *n,
    unsigned *cap, struct list_package *p)
{
    *list = rt_arena_more(a, *list, *n, cap, sizeof(**list));
    (*list)[(*n)++] = p;
}

/* ---- errors -------------------------------------------------------------------- */

/* The imports that lead from a package that was named to p. */
static void
add_stack(struct list *l, struct list_error *e, const struct list_package *p)
{
    const struct list_package *q, **way;
    unsigned i, n = 0;

    for (q = p; q != NULL; q = q->parent)
        n++;
    way = rt_arena_array(l->a, n, sizeof(*way));
    for (i = n, q = p; q != NULL; q = q->parent)
        way[--i] = q;
    for (; i < n; i++) {
        q = way[i];
        paths_push(l->a, &e->stack, q->path);
        paths_push(l->a, &e->from,
            q->parent == NULL || q->parent_file == NULL ? "" : q->parent_file);
    }
}

static struct list_error *
new_error(struct list *l, const struct list_package *p, const char *pos,
    const char *text)
{
    struct list_error *e = rt_arena_alloc(l->a, sizeof *e);

    if (p != NULL)
        add_stack(l, e, p);
    e->pos = pos;
    e->text = text;
    return e;
}

const char *
list_error_text(struct rt_arena *a, const struct list_error *e)
{
    struct paths_list out = {0};
    unsigned i;

    if (*e->pos != 0 && (e->stack.n == 0 || !e->with_stack))
        return rt_arena_printf(a, "%s: %s", e->pos, e->text);
    if (e->stack.n == 0)
        return e->text;
    paths_push(a, &out, rt_arena_printf(a, "package %s", e->stack.at[0]));
    for (i = 1; i < e->stack.n; i++)
        paths_push(a, &out, rt_arena_printf(a, "\n\timports %s%s%s",
            e->stack.at[i], *e->from.at[i] == 0 ? "" : " from ",
            e->from.at[i]));
    if (*e->pos != 0)
        paths_push(a, &out, rt_arena_printf(a, "\n\t%s", e->pos));
    paths_push(a, &out, rt_arena_printf(a, ": %s", e->text));
    return paths_concat(a, &out);
}

static void
fail(struct list_package *p, struct list_error *e)
{
    if (p->error == NULL)
        p->error = e;
    p->incomplete = true;
}

/* The name of a file in "m/x.go:3:8". */
static const char *
file_of(struct list *l, const char *pos)
{
    const char *slash = strrchr(pos, '/');
    const char *name = slash == NULL ? pos : slash + 1;

    return rt_arena_strndup(l->a, name, strcspn(name, ":"));
}

/* ---- packages -------------------------------------------------------------------- */

static struct list_package *
new_package(struct list *l, const char *path, const char *dir)
{
    struct list_package *p = rt_arena_alloc(l->a, sizeof *p);

    p->path = p->shown = path;
    p->dir = dir;
    p->doc = p->root = p->target = p->godebug = "";
    p->debug = p->test_debug = "";
    return p;
}

/* The tree, NULL where there is none. */
static const struct tree *
tree_of(struct list *l)
{
    if (!l->g->tree->looked)
        tree_load_has(l->g->tree, "fmt", NULL);
    return l->g->tree->tree;
}

/* The folder of a package of Go's library, "" where it is packed. */
static const char *
library_dir(struct list *l, const char *path)
{
    const struct tree *t = tree_of(l);
    const char *dir;

    if (t == NULL)
        return "";
    dir = rt_arena_printf(l->a, "%s/src/%s", tree_root(t), path);
    return paths_is_dir(dir) ? dir : "";
}

/* GOBIN or GOPATH/bin and the name of a program: where go install puts it. */
static const char *
target(struct list *l, const struct list_package *p)
{
    const char *bin = goenv_get(&l->g->mods.env, "GOBIN"), *end = p->path;
    const char *top, *name;
    unsigned major = semver_path_major(p->path);

    if (*bin == 0) {
        top = goenv_gopath(&l->g->mods.env);
        top = rt_arena_strndup(l->a, top, strcspn(top, ":"));
        if (*top == 0)
            return "";
        bin = paths_join(l->a, top, "bin");
    }
    name = strrchr(end, '/') == NULL ? end : strrchr(end, '/') + 1;
    if (major > 1 && *name == 'v' && name > p->path) {
        end = paths_dir(l->a, p->path);
        name = strrchr(end, '/') == NULL ? end : strrchr(end, '/') + 1;
    }
    return paths_join(l->a, bin, name);
}

static void
set_place(struct list *l, struct list_package *p)
{
    if (p->standard) {
        const struct tree *t = tree_of(l);

        p->root = t == NULL || *p->dir == 0 ? "" : tree_root(t);
    } else if (p->module != NULL && strcmp(p->path, files_path) != 0 &&
        p->module->dir != NULL) {
        p->root = p->module->dir;
    }
}

/* Reads the package's files. */
static void
read_package(struct list *l, struct list_package *p)
{
    struct rt_err err;

    set_place(l, p);
    if (list_read_folder(l, p, &err) != RT_OK)
        p->error =
            new_error(l, NULL, "", rt_arena_printf(l->a, "%s", err.text));
    if (p->error != NULL) {
        p->incomplete = true;
        if (paths_starts(p->error->text, "build constraints"))
            add_stack(l, p->error, p);
        else if (*p->error->pos != 0 && p->error->stack.n == 0)
            add_stack(l, p->error, p);
    }
    if (p->name == NULL)
        p->name = "";
    if (strcmp(p->name, "main") == 0) {
        p->linked = true;
        if (!p->standard && p->module != NULL)
            p->target = target(l, p);
    }
}

static struct list_package *
library_package(struct list *l, const char *path)
{
    struct list_package *p = rt_strmap_get(&l->bypath, path);

    if (p != NULL)
        return p;
    p = new_package(l, path, library_dir(l, path));
    p->standard = true;
    rt_strmap_add(&l->bypath, l->a, p->path, p);
    return p;
}

static struct list_package *
module_package(struct list *l, const char *path, const char *dir,
    struct modset_module *m)
{
    struct list_package *p = rt_strmap_get(&l->bypath, path);

    if (p != NULL)
        return p;
    p = new_package(l, path, dir);
    p->module = m;
    p->standard = m != NULL && strcmp(m->id.path, "std") == 0;
    rt_strmap_add(&l->bypath, l->a, p->path, p);
    return p;
}

/* The library's folder is named where a package is not in it. */
static const char *
with_folder(struct list *l, const char *path, const char *why)
{
    const struct tree *t = tree_of(l);

    if (t == NULL || !paths_ends(why, " is not in std"))
        return why;
    return rt_arena_printf(
        l->a, "%s (%s/src/%s)", why, tree_root(t), path);
}

/* One that is not there. */
static struct list_package *
absent_package(struct list *l, const char *path, struct list_package *by,
    const char *pos, const char *why)
{
    struct list_package *p = rt_strmap_get(&l->bypath, path);

    if (p != NULL)
        return p;
    p = new_package(l, path, "");
    p->name = "";
    p->loaded = true;
    fail(p, new_error(l, by, pos, with_folder(l, path, why)));
    rt_strmap_add(&l->bypath, l->a, p->path, p);
    return p;
}

/* ---- imports --------------------------------------------------------------------- */

/* Packages of the library import those that it has copies of. */
const char *
list_brought(struct list *l, const char *path)
{
    const char *own;

    if (memchr(path, '.', strcspn(path, "/")) == NULL)
        return path;
    own = rt_arena_printf(l->a, "vendor/%s", path);
    return own;
}

static struct list_package *
find(struct list *l, struct list_package *by, const char *path,
    const char *pos)
{
    struct resolved r;

    if (by->standard)
        return library_package(l, list_brought(l, path));
    r = resolve_import(&l->g->mods, &l->g->std, path,
        strcmp(by->path, files_path) == 0 ? "" : by->path);
    if (r.kind == RESOLVE_LIBRARY)
        return library_package(l, path);
    if (r.kind == RESOLVE_FOLDER)
        return module_package(l, path, r.dir, r.module);
    if (paths_starts(r.why, "use of internal ")) {
        struct list_error *e = new_error(l, by, pos, r.why);

        e->with_stack = true;
        fail(by, e);
        return NULL;
    }
    return absent_package(l, path, by, pos, r.why);
}

static void
cycle(struct list *l, struct list_package *by, struct list_package *p,
    const char *pos)
{
    struct list_error *e = new_error(l, by, "", "import cycle not allowed");

    paths_push(l->a, &e->stack, p->path);
    paths_push(l->a, &e->from, file_of(l, pos));
    fail(p, e);
}

/* A package one role of whose files' imports are being loaded. */
struct step {
    struct list_package *p;
    enum package_role role;
    unsigned next;               /* of the imports */
    struct list_package *found;  /* what that is, once it is known; or NULL */
    struct list_package **out;
    unsigned nout;
};

struct steps {
    struct step *at;
    unsigned n, cap;
};

static void
enter(struct list *l, struct steps *s, struct list_package *p,
    enum package_role role)
{
    struct step x = {.p = p, .role = role};

    x.out = rt_arena_array(l->a, p->nwhere[role] + 2, sizeof(*x.out));
    s->at = rt_arena_more(l->a, s->at, s->n, &s->cap, sizeof *s->at);
    s->at[s->n++] = x;
}

/* Begins to load what a package imports. */
static void
enter_plain(struct list *l, struct steps *s, struct list_package *p)
{
    if (p->loaded)
        return;
    p->loaded = true;
    if (l->o->find)
        return;
    p->busy = true;
    enter(l, s, p, PACKAGE_PLAIN);
}

/* The package is there, and what it imports: the field Imports then has what
 * is meant. */
static void
take_import(struct list *l, struct step *x)
{
    struct list_package *p = x->p, *q = x->found;
    const struct list_import *im = &p->where[x->role][x->next];

    if (!q->busy && strcmp(q->name, "main") == 0 && *q->dir != 0)
        fail(p, new_error(l, p, im->pos, rt_arena_printf(l->a,
            "import \"%s\" is a program, not an importable package",
            im->path)));
    x->out[x->nout++] = q;
    if (x->role == PACKAGE_PLAIN && strcmp(q->path, im->path) != 0) {
        p->field[LIST_IMPORTS].at[x->next] = q->path;
        paths_push(l->a, &p->map, im->path);
        paths_push(l->a, &p->map, q->path);
    }
}

/* Finds the next import of the package that is deepest in, or takes it where
 * it has been loaded; false behind the last. */
static bool
follow(struct list *l, struct steps *s)
{
    struct step *x = &s->at[s->n - 1];
    struct list_package *p = x->p, *q = x->found;
    const struct list_import *im;

    if (x->next == p->nwhere[x->role])
        return false;
    im = &p->where[x->role][x->next];
    if (q == NULL) {
        q = x->found = find(l, p, im->path, im->pos);
        if (q != NULL && q->busy)
            cycle(l, p, q, im->pos);
        if (q != NULL && !q->loaded) {
            q->parent = p;
            q->parent_file = *im->pos == 0 ? NULL : file_of(l, im->pos);
            read_package(l, q);
            enter_plain(l, s, q);
            return true; /* x may have moved */
        }
    }
    if (q != NULL) {
        if (q->parent == p && !q->busy)
            q->parent = NULL;
        take_import(l, x);
    }
    x->found = NULL;
    x->next++;
    return true;
}

/* Loads all that the steps lead to.  Packages may form chains of any length,
 * so this is no recursion, but for what programs need of the library. */
static void
run_steps(struct list *l, struct steps *s)
{
    while (s->n > 0) {
        struct step *x = &s->at[s->n - 1];
        struct list_package *p = x->p;

        if (follow(l, s))
            continue;
        rt_assert(x->found == NULL && x->nout <= p->nwhere[x->role]);
        s->n--;
        if (x->role == PACKAGE_TEST) {
            p->test_imports = x->out;
            p->ntest_imports = x->nout;
        } else if (x->role == PACKAGE_XTEST) {
            p->xtest_imports = x->out;
            p->nxtest_imports = x->nout;
        } else {
            p->imports = x->out;
            p->nimports = x->nout;
            p->busy = false;
            if (p->linked)
                p->imports[p->nimports++] = list_library(l, p, "runtime");
        }
    }
}

void
list_load_tests(struct list *l, struct list_package *p)
{
    struct steps s = {0};

    if (p->tests_loaded || l->o->find)
        return;
    p->tests_loaded = true;
    enter(l, &s, p, PACKAGE_TEST);
    run_steps(l, &s);
    enter(l, &s, p, PACKAGE_XTEST);
    run_steps(l, &s);
}

struct list_package *
list_library(struct list *l, struct list_package *by, const char *path)
{
    struct list_package *p = library_package(l, path);

    if (!p->loaded) {
        p->parent = by;
        read_package(l, p);
        list_load_imports(l, p);
        p->parent = NULL;
    }
    return p;
}

void
list_load_imports(struct list *l, struct list_package *p)
{
    struct steps s = {0};

    enter_plain(l, &s, p);
    run_steps(l, &s);
}

/* ---- words ----------------------------------------------------------------------- */

static void
name_package(struct list *l, struct list_package *p, const char *word)
{
    if (!paths_has(&p->match, word))
        paths_push(l->a, &p->match, word);
    if (p->named)
        return;
    p->named = true;
    if (!p->loaded) {
        read_package(l, p);
        list_load_imports(l, p);
    }
    if (l->o->test)
        list_read_test_embeds(l, p);
    list_push(l->a, &l->pkg, &l->npkg, &l->cap, p);
}

static struct list_package *
folder_package(struct list *l, const char *dir, const char *path)
{
    struct modset_module *m;
    struct list_package *p;
    const struct tree *t;
    const char *rest;

    if (modset_import_path(&l->g->mods, dir, &m) != NULL && path != NULL)
        return module_package(l, path, dir, m);
    t = tree_of(l);
    rest = t == NULL ? NULL : paths_under(
        rt_arena_printf(l->a, "%s/src", tree_root(t)), dir);
    if (rest != NULL && *rest != 0)
        return library_package(l, rest);
    if (path != NULL) {
        struct resolved r =
            resolve_import(&l->g->mods, &l->g->std, path, "");

        return r.kind == RESOLVE_LIBRARY ? library_package(l, path)
                                         : module_package(l, path, dir,
                                               r.module);
    }
    p = new_package(l, files_path, dir);
    return p;
}

/* A word that names nothing is a package that is not there. */
static void
name_absent(struct list *l, const char *word, const char *why)
{
    struct list_package *p = absent_package(l, word, NULL, "", why);

    name_package(l, p, word);
}

/* A folder, which need not be a package; `matched`: by a pattern, which does
 * not name what is excluded here. */
static void
name_folder(struct list *l, const char *word, const char *dir,
    const char *path, bool matched)
{
    struct list_package *p = folder_package(l, dir, path);
    unsigned n = l->npkg;

    name_package(l, p, word);
    if (matched && l->npkg != n && p->error != NULL &&
        paths_starts(p->error->text, "build constraints exclude")) {
        p->named = false;
        l->npkg = n;
        return;
    }
    if (p->error != NULL && paths_starts(p->error->text, "no Go files in ")) {
        p->path = p->shown = word;
        p->module = NULL;
        p->root = "";
    }
}

static enum rt_status
name_files(struct list *l, const char *const *words, unsigned n,
    struct rt_err *err)
{
    struct list_package *p = new_package(l, files_path,
        paths_dir(l->a, paths_join(l->a, l->g->mods.cwd, words[0])));
    enum rt_status st = RT_OK;
    unsigned i;

    for (i = 0; i < n; i++) {
        const char *dir = paths_dir(l->a, paths_clean(l->a, words[i]));
        const char *first = paths_dir(l->a, paths_clean(l->a, words[0]));

        if (strcmp(dir, first) != 0) {
            l->failed = true;
            paths_push(l->a, &l->warnings, rt_arena_printf(l->a,
                "named files must all be in one directory; have %s and %s",
                first, dir));
            return RT_OK;
        }
        paths_push(l->a, &p->match, words[i]);
    }
    p->named = true;
    st = list_read_files(l, p, words, n, err);
    if (st != RT_OK)
        return st;
    p->linked = p->name != NULL && strcmp(p->name, "main") == 0;
    list_load_imports(l, p);
    list_push(l->a, &l->pkg, &l->npkg, &l->cap, p);
    return RT_OK;
}

static int
by_path(const void *a, const void *b)
{
    return strcmp((*(struct list_package *const *)a)->path,
        (*(struct list_package *const *)b)->path);
}

struct found {
    struct list_package **at;
    unsigned n, cap;
};

/* Adds those that were not found before. */
static void
add_all(struct list *l, struct found *f, struct list_package *const *p,
    unsigned n)
{
    unsigned i;

    for (i = 0; i < n; i++)
        if (p[i]->mark != l->mark) {
            p[i]->mark = l->mark;
            list_push(l->a, &f->at, &f->n, &f->cap, p[i]);
        }
}

/* "all" is the packages of the main modules, which are the last that were
 * named, and what these and their tests need. */
static void
name_needed(struct list *l, unsigned first)
{
    struct found all = {0};
    unsigned i;

    for (i = first; i < l->npkg; i++)
        list_load_tests(l, l->pkg[i]);
    l->mark++;
    if (l->npkg > first)
        add_all(l, &all, l->pkg + first, l->npkg - first);
    for (i = 0; i < all.n; i++) {
        const struct list_package *p = all.at[i];

        add_all(l, &all, p->imports, p->nimports);
        add_all(l, &all, p->test_imports, p->ntest_imports);
        add_all(l, &all, p->xtest_imports, p->nxtest_imports);
    }
    l->npkg = first;
    if (all.n > 1)
        qsort(all.at, all.n, sizeof(*all.at), by_path);
    for (i = 0; i < all.n; i++) {
        all.at[i]->named = false;
        name_package(l, all.at[i], "all");
    }
}

/* One word; patterns name what fits, without its faults. */
static enum rt_status
name_word(struct list *l, const char *word, struct rt_err *err)
{
    struct graph *g = l->g;
    struct paths_list dirs = {0}, paths = {0};
    bool pattern = strstr(word, "...") != NULL ||
        strcmp(word, "all") == 0 || strcmp(word, "std") == 0;
    struct resolved r = {.kind = RESOLVE_NONE};
    unsigned i, first = l->npkg;

    if (!pattern && *word != '.' && *word != '/') {
        r = resolve_import(&g->mods, &g->std, word, "");
        if (r.kind == RESOLVE_LIBRARY ||
            (r.kind == RESOLVE_NONE &&
                paths_starts(r.why, "use of internal package")))
            name_package(l, library_package(l, word), word);
        else if (r.kind == RESOLVE_FOLDER)
            name_package(
                l, module_package(l, word, r.dir, r.module), word);
        else
            name_absent(l, word, r.why);
        return RT_OK;
    }
    if (graph_match(g, word, &dirs, &paths, err) != RT_OK &&
        g->errors.n != 0) {
        const char *why = g->errors.at[--g->errors.n];

        if (pattern)
            paths_push(l->a, &l->warnings, why);
        else
            name_absent(l, word, why);
        l->failed |= paths_starts(why, "pattern ");
    }
    for (i = 0; i < dirs.n; i++)
        name_folder(l, word, dirs.at[i], paths.at[i], pattern);
    if (strcmp(word, "all") == 0 && !l->o->only_mains)
        name_needed(l, first);
    return RT_OK;
}

enum rt_status
list_load(struct list *l, struct graph *g, const struct list_options *o,
    const char *const *words, unsigned n, struct rt_err *err)
{
    enum rt_status st = RT_OK;
    unsigned i;

    rt_assert(g->a != NULL && l->npkg == 0);
    l->g = g;
    l->a = g->a;
    l->o = o;
    l->tags = package_tags(
        g->a, goenv_flag(&g->mods.env, "tags", o->tags), false);
    while (*l->tags != NULL && strcmp(*l->tags, "gc") != 0)
        l->tags++; /* vole's own are none of the go command's */
    if (n != 0 && paths_ends(words[0], ".go"))
        return name_files(l, words, n, err);
    for (i = 0; i < n && st == RT_OK && !l->failed; i++)
        st = name_word(l, words[i], err);
    return st;
}
