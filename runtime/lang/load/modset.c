/* SPDX-License-Identifier: MIT */
#include "runtime/lang/load/modset.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/arena.h"
#include "runtime/base/goversion.h"
#include "runtime/base/throw.h"
#include "runtime/lang/load/modcache.h"
#include "runtime/lang/load/mvs.h"
#include "runtime/lang/load/paths.h"
#include "runtime/lang/load/semver.h"

enum { VENDOR_SINCE = 14, LAZY_SINCE = 17 };

static enum rt_status
failed(struct modset *s, const char *text)
{
    s->error = text;
    return RT_EFORMAT;
}

/* ---- replacements and exclusions ---------------------------------------------- */

static const struct module_replace *
find_replace(const struct module_file *f, const struct module_version *id)
{
    const struct module_replace *any = NULL;
    unsigned i;

    for (i = 0; i < f->nreplace; i++) {
        const struct module_replace *r = &f->replace[i];

        if (strcmp(r->old.path, id->path) != 0)
            continue;
        if (strcmp(r->old.version, id->version) == 0)
            return r;
        if (*r->old.version == 0)
            any = r;
    }
    return any;
}

struct module_version
modset_replaced(
    struct modset *s, const struct module_version *id, const char **root)
{
    const struct module_replace *r = NULL;
    unsigned i;

    if (s->work != NULL)
        r = find_replace(&s->workfile, id);
    for (i = 0; i < s->nmains && r == NULL; i++)
        r = find_replace(&s->files[i], id);
    *root = r == NULL ? NULL : r->root;
    return r == NULL ? *id : r->by;
}

bool
modset_excluded(const struct modset *s, const struct module_version *m)
{
    unsigned i, k;

    for (i = 0; i < s->nmains; i++)
        for (k = 0; k < s->files[i].nexclude; k++)
            if (strcmp(s->files[i].exclude[k].path, m->path) == 0 &&
                strcmp(s->files[i].exclude[k].version, m->version) == 0)
                return true;
    return false;
}

/* ---- one module ------------------------------------------------------------------ */

/* The folder that a replacement without a version names. */
static const char *
local_dir(struct modset *s, const struct module_version *by, const char *root)
{
    rt_assert(*by->version == 0 && (root != NULL || s->root != NULL));
    return paths_join(s->a, root == NULL ? s->root : root, by->path);
}

bool
modset_read(struct modset *s, const struct module_version *id,
    struct module_file *out)
{
    const char *root, *file, *errors;
    struct module_version by = modset_replaced(s, id, &root);
    size_t len;
    char *text;

    if (*by.version == 0)
        file = paths_join(s->a, local_dir(s, &by, root), "go.mod");
    else if (*s->cache == 0)
        return false;
    else
        file = modcache_file(s->a, s->cache, &by, "mod");
    text = paths_read(s->a, file, &len);
    if (text == NULL && s->fetch != NULL && *by.version != 0 &&
        s->fetch(s->fetch_ctx, &by))
        text = paths_read(s->a, file, &len);
    if (text == NULL)
        return false;
    module_parse(s->a, file, text, len, MODULE_DEP, out, &errors);
    return true;
}

static void
set_module(struct modset *s, struct modset_module *m,
    const struct module_version *id)
{
    const char *root;

    *m = (struct modset_module){.id = *id};
    m->by = modset_replaced(s, id, &root);
    m->local = *m->by.version == 0;
    if (m->local)
        m->dir = local_dir(s, &m->by, root);
    else if (*s->cache != 0)
        m->dir = modcache_dir(s->a, s->cache, &m->by);
    rt_assert(!m->local || m->dir != NULL);
    if (m->dir != NULL && !paths_is_dir(m->dir))
        m->dir = NULL;
}

struct modset_module *
modset_module(struct modset *s, const struct module_version *id)
{
    struct modset_module *m = rt_arena_alloc(s->a, sizeof *m);

    set_module(s, m, id);
    return m;
}

unsigned
modset_minor(struct modset *s, struct modset_module *m)
{
    struct module_file f = {0};

    if (m->minor == 0) {
        modset_read(s, &m->id, &f);
        m->minor = module_minor(&f);
    }
    return m->minor;
}

unsigned
modset_newest(struct modset *s)
{
    unsigned i, minor, newest = 0;

    for (i = 0; i < s->nmains; i++) {
        minor = modset_minor(s, &s->mains[i]);
        newest = minor > newest ? minor : newest;
    }
    return newest;
}

static int
by_path(const void *a, const void *b)
{
    const struct modset_module *x = a, *y = b;

    return strcmp(x->id.path, y->id.path);
}

struct modset_module *
modset_find(struct modset *s, const char *path)
{
    struct modset_module key = {.id = {path, ""}};
    unsigned i;

    for (i = 0; i < s->nmains; i++)
        if (strcmp(s->mains[i].id.path, path) == 0)
            return &s->mains[i];
    return s->nlist == 0
        ? NULL
        : bsearch(&key, s->list, s->nlist, sizeof *s->list, by_path);
}

const char *
modset_import_path(
    struct modset *s, const char *dir, struct modset_module **m)
{
    const char *best = NULL, *rest;
    unsigned i;

    *m = NULL;
    for (i = 0; i < s->nmains; i++) {
        rest = paths_under(s->mains[i].dir, dir);
        if (rest == NULL || (best != NULL && strlen(rest) > strlen(best)))
            continue;
        best = rest;
        *m = &s->mains[i];
    }
    if (best == NULL)
        return NULL;
    if (*best == 0)
        return (*m)->id.path;
    if (strcmp((*m)->id.path, "std") == 0)
        return best; /* the tree of Go itself */
    return rt_arena_printf(s->a, "%s/%s", (*m)->id.path, best);
}

/* Main modules have folders and are below the root; the others are sorted by
 * path, each once, and no main module is among them. */
static bool
modset_valid(struct modset *s)
{
    unsigned i;

    if ((s->root == NULL) != (s->nmains == 0 && s->work == NULL))
        return false;
    for (i = 0; i < s->nmains; i++)
        if (!s->mains[i].main || s->mains[i].dir == NULL)
            return false;
    for (i = 0; i < s->nlist; i++)
        if (s->list[i].main ||
            modset_find(s, s->list[i].id.path) != &s->list[i] ||
            (i > 0 && by_path(&s->list[i - 1], &s->list[i]) >= 0))
            return false;
    return true;
}

/* ---- the list --------------------------------------------------------------------- */

static void
set_list(struct modset *s, const struct module_version *ids, unsigned n)
{
    unsigned i, k = 0;

    s->nlist = 0;
    s->list = rt_arena_array(s->a, n + 1, sizeof *s->list);
    for (i = 0; i < n; i++)
        if (modset_find(s, ids[i].path) == NULL)
            set_module(s, &s->list[k++], &ids[i]);
    s->nlist = k;
    if (k > 1)
        qsort(s->list, k, sizeof *s->list, by_path);
}

enum rt_status
modset_complete(struct modset *s)
{
    struct module_version *ids;
    unsigned n;

    if (s->complete || s->mode == MODSET_VENDOR)
        return RT_OK;
    s->complete = true;
    ids = mvs_select(s, &n);
    set_list(s, ids, n);
    rt_assert_full(modset_valid(s));
    return RT_OK;
}

/* What the one go.mod requires, which is enough where it is tidy. */
static void
list_roots(struct modset *s)
{
    const struct module_file *f = &s->files[0];
    struct module_version *ids =
        rt_arena_array(s->a, f->nrequire + 1, sizeof *ids);
    unsigned i, k, n = 0;

    rt_assert(s->work == NULL && s->nmains == 1);
    for (i = 0; i < f->nrequire; i++) {
        const struct module_version *m = &f->require[i].mod;

        if (modset_excluded(s, m))
            continue;
        for (k = 0; k < n && strcmp(ids[k].path, m->path) != 0; k++)
            ;
        if (k == n)
            ids[n++] = *m;
        else if (semver_compare(ids[k].version, m->version) < 0)
            ids[k] = *m;
    }
    set_list(s, ids, n);
    rt_assert_full(modset_valid(s));
}

/* ---- vendor/ -------------------------------------------------------------------------- */

struct vendor_line {
    struct module_version id;
    bool explicit;
    const char *go;
};

static void
add_vendored(
    struct modset *s, const char *package, struct modset_module *m)
{
    rt_assert(m != NULL && m->dir != NULL && *package != 0);
    s->vendored = rt_arena_more(s->a, s->vendored, s->nvendored,
        &s->vendorcap, sizeof *s->vendored);
    s->vendored[s->nvendored++] = (struct modset_vendored){package, m};
}

/* "# path version [=> ...]", behind "# "; NULL if it is not that. */
static struct modset_module *
vendored_module(struct modset *s, char *line)
{
    char *save = NULL, *path = strtok_r(line, " ", &save);
    char *version = strtok_r(NULL, " ", &save);
    struct modset_module *m;

    if (path == NULL || version == NULL || !semver_valid(version))
        return NULL;
    m = rt_arena_alloc(s->a, sizeof *m);
    m->id = m->by = (struct module_version){path, version};
    m->dir = paths_join(s->a, s->root, "vendor");
    return m;
}

/* "## explicit; go 1.20", behind "## ". */
static void
vendored_notes(struct modset_module *m, const char *notes, bool *explicit)
{
    const char *go = strstr(notes, "go 1.");

    *explicit = paths_starts(notes, "explicit");
    if (go != NULL)
        m->minor = (unsigned)strtoul(go + 5, NULL, 10);
}

/* Does go.mod require "path@version"? */
static bool
is_required(struct modset *s, const char *key)
{
    unsigned i;

    for (i = 0; i < s->files[0].nrequire; i++) {
        const struct module_version *m = &s->files[0].require[i].mod;
        size_t n = strlen(m->path);

        if (strncmp(m->path, key, n) == 0 && key[n] == '@' &&
            strcmp(m->version, key + n + 1) == 0)
            return true;
    }
    return false;
}

/* Whether modules.txt is about what go.mod requires now: a line of text for
 * each difference. */
static const char *
vendor_differences(struct modset *s, const struct paths_list *explicit)
{
    const char *out = "";
    unsigned i;

    rt_assert(s->work == NULL && s->nmains == 1);
    for (i = 0; i < s->files[0].nrequire; i++) {
        const struct module_version *m = &s->files[0].require[i].mod;
        const char *key = rt_arena_printf(s->a, "%s@%s", m->path, m->version);

        if (!paths_has(explicit, key))
            out = rt_arena_printf(s->a, "%s\n\t%s: is explicitly required in "
                "go.mod, but not marked as explicit in vendor/modules.txt",
                out, key);
    }
    for (i = 0; i < explicit->n; i++)
        if (!is_required(s, explicit->at[i]))
            out = rt_arena_printf(s->a, "%s\n\t%s: is marked as explicit in "
                "vendor/modules.txt, but not explicitly required in go.mod",
                out, explicit->at[i]);
    return out;
}

static enum rt_status
read_vendor(struct modset *s)
{
    const char *file = paths_join(s->a, s->root, "vendor/modules.txt"), *bad;
    struct paths_list explicit = {0};
    struct modset_module *m = NULL;
    size_t len;
    char *text = paths_read(s->a, file, &len), *line, *save = NULL;
    bool exp;

    for (line = text == NULL ? NULL : strtok_r(text, "\r\n", &save);
         line != NULL; line = strtok_r(NULL, "\r\n", &save)) {
        if (paths_starts(line, "## ")) {
            if (m == NULL)
                continue;
            vendored_notes(m, line + 3, &exp);
            if (exp)
                paths_push(s->a, &explicit, rt_arena_printf(s->a, "%s@%s",
                    m->id.path, m->id.version));
        } else if (paths_starts(line, "# ")) {
            m = vendored_module(s, line + 2);
        } else if (m != NULL) {
            if (m->minor == 0)
                m->minor = 16;
            add_vendored(s, line, m);
        }
    }
    bad = s->work != NULL || module_minor(&s->files[0]) < VENDOR_SINCE
        ? "" : vendor_differences(s, &explicit);
    if (*bad == 0)
        return RT_OK;
    return failed(s, rt_arena_printf(s->a, "go: inconsistent vendoring in "
        "%s:%s\n\n\tTo ignore the vendor directory, use -mod=readonly or "
        "-mod=mod.\n\tTo sync the vendor directory, run:\n\t\tgo mod vendor",
        s->root, bad));
}

/* ---- opening --------------------------------------------------------------------------- */

/* The folder, dir or one above it, that has a file of this name. */
static const char *
find_above(struct rt_arena *a, const char *dir, const char *name)
{
    char *d = paths_dup(a, dir);

    for (;;) {
        char *slash;

        if (paths_is_file(paths_join(a, d, name)))
            return d;
        slash = strrchr(d, '/');
        if (slash == NULL || d[1] == 0)
            return NULL;
        slash[slash == d] = 0;
    }
}

static enum rt_status
read_file(struct modset *s, const char *path, enum module_kind kind,
    struct module_file *out)
{
    const char *name = paths_rel(s->a, s->cwd, path), *errors;
    size_t len;
    char *text = paths_read(s->a, path, &len);

    if (text == NULL)
        return failed(s, rt_arena_printf(s->a, "go: open %s: %s", name,
            paths_error(s->a, errno)));
    if (module_parse(s->a, name, text, len, kind, out, &errors) != RT_OK)
        return failed(s, rt_arena_printf(
            s->a, "go: errors parsing %s:\n%s", name, errors));
    if (out->go != NULL && semver_go_minor(out->go) > RT_GO_MINOR)
        return failed(s, rt_arena_printf(s->a, "go: %s requires go >= %s "
            "(running go %s; GOTOOLCHAIN=local)", name, out->go,
            &RT_GO_VERSION[2]));
    return RT_OK;
}

static enum rt_status
add_main(struct modset *s, const char *dir)
{
    struct modset_module *m = &s->mains[s->nmains];
    struct module_file *f = &s->files[s->nmains];
    const char *file = paths_join(s->a, dir, "go.mod");
    enum rt_status st;
    unsigned i;

    if (s->work != NULL && !paths_is_file(file)) {
        const char *name = paths_rel(s->a, s->cwd, dir);

        return failed(s, rt_arena_printf(s->a, "go: cannot load module %s "
            "listed in go.work file: open %s/go.mod: %s", name, name,
            paths_error(s->a, errno)));
    }
    st = read_file(s, file, MODULE_MAIN, f);
    if (st != RT_OK)
        return st;
    if (f->path == NULL)
        return failed(s, rt_arena_printf(s->a, "go: error reading %s: "
            "missing module declaration. To specify the module path:\n\t"
            "go mod edit -module=example.com/mod",
            paths_rel(s->a, s->cwd, file)));
    for (i = 0; i < f->nreplace; i++)
        f->replace[i].root = dir;
    *m = (struct modset_module){.id = {f->path, ""}, .by = {f->path, ""},
        .dir = dir, .main = true, .local = true, .minor = module_minor(f)};
    s->nmains++;
    return RT_OK;
}

/* The modules that go.work uses. */
static enum rt_status
open_work(struct modset *s)
{
    enum rt_status st = read_file(s, s->work, MODULE_WORK, &s->workfile);
    unsigned i, n = s->workfile.nuse;

    s->root = paths_dir(s->a, s->work);
    for (i = 0; i < s->workfile.nreplace; i++)
        s->workfile.replace[i].root = s->root;
    s->mains = rt_arena_array(s->a, n + 1, sizeof *s->mains);
    s->files = rt_arena_array(s->a, n + 1, sizeof *s->files);
    for (i = 0; i < n && st == RT_OK; i++)
        st = add_main(s, paths_join(s->a, s->root, s->workfile.use[i]));
    return st;
}

/* The go.work that counts for dir: GOWORK, or one above; NULL: none does. */
static const char *
find_work(struct modset *s, const char *dir)
{
    const char *v = goenv_get(&s->env, "GOWORK"), *above;

    if (strcmp(v, "off") == 0)
        return NULL;
    if (*v != 0)
        return paths_clean(s->a, v);
    above = find_above(s->a, dir, "go.work");
    return above == NULL ? NULL : paths_join(s->a, above, "go.work");
}

static enum rt_status
choose_mode(struct modset *s, const char *mode)
{
    unsigned minor = s->work != NULL ? module_minor(&s->workfile)
                                     : module_minor(&s->files[0]);

    mode = goenv_flag(&s->env, "mod", mode);
    if (mode == NULL) {
        bool vendor = minor >= VENDOR_SINCE &&
            paths_is_dir(paths_join(s->a, s->root, "vendor")) &&
            (s->work == NULL || minor >= 22);

        s->mode = vendor ? MODSET_VENDOR : MODSET_READONLY;
    } else if (strcmp(mode, "vendor") == 0) {
        s->mode = MODSET_VENDOR;
    } else if (strcmp(mode, "mod") == 0) {
        s->mode = MODSET_MOD;
    } else if (strcmp(mode, "readonly") != 0) {
        return failed(s, rt_arena_printf(s->a,
            "-mod=%s not supported (can be '', 'mod', 'readonly', or "
            "'vendor')", mode));
    }
    return RT_OK;
}

static bool
is_used(const struct modset *s, const char *dir)
{
    unsigned i;

    for (i = 0; i < s->nmains; i++)
        if (strcmp(s->mains[i].dir, dir) == 0)
            return true;
    return false;
}

const char *
modset_gomod(const struct modset *s)
{
    return s->above == NULL ? NULL : paths_join(s->a, s->above, "go.mod");
}

enum rt_status
modset_open(struct modset *s, struct rt_arena *a, goenv_fn env,
    const char *dir, const char *mode)
{
    enum rt_status st;

    *s = (struct modset){
        .a = a, .fetch = s->fetch, .fetch_files = s->fetch_files,
        .fetch_ctx = s->fetch_ctx};
    goenv_init(&s->env, a, env);
    s->cwd = paths_cwd(a);
    s->cache = goenv_modcache(&s->env);
    s->work = find_work(s, dir);
    s->above = find_above(a, dir, "go.mod");
    if (s->work != NULL) {
        st = open_work(s);
    } else if (s->above != NULL) {
        s->root = s->above;
        s->mains = rt_arena_array(a, 1, sizeof *s->mains);
        s->files = rt_arena_array(a, 1, sizeof *s->files);
        st = add_main(s, s->above);
    } else {
        s->complete = true;
        return RT_OK;
    }
    if (st == RT_OK && s->work != NULL && s->above != NULL &&
        !is_used(s, s->above))
        st = failed(s, "current directory is contained in a module that is "
            "not one of the workspace modules listed in go.work. You can add "
            "the module to the workspace using:\n\tgo work use .");
    if (st == RT_OK)
        st = choose_mode(s, mode);
    if (st != RT_OK)
        return st;
    if (s->mode == MODSET_VENDOR)
        return read_vendor(s);
    if (s->work == NULL && module_minor(&s->files[0]) >= LAZY_SINCE)
        list_roots(s);
    else
        modset_complete(s);
    return RT_OK;
}
