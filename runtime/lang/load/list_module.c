/* SPDX-License-Identifier: MIT */
/*
 * What is known of modules: by go.mod, go.sum and the module cache.
 */
#include <stdlib.h>
#include <string.h>

#include "runtime/base/arena.h"
#include "runtime/base/throw.h"
#include "runtime/lang/load/gosum.h"
#include "runtime/lang/load/list.h"
#include "runtime/lang/load/match.h"
#include "runtime/lang/load/modcache.h"

static const char *
if_file(const char *path)
{
    return paths_is_file(path) ? path : "";
}

/* The time of a version, as what was fetched with it says. */
static const char *
time_of(struct list *l, const struct module_version *v)
{
    const char *cache = l->g->mods.cache;
    const char *p;
    size_t len;

    if (*cache == 0 || *v->version == 0)
        return "";
    p = paths_read(l->a, modcache_file(l->a, cache, v, "info"), &len);
    p = p == NULL ? NULL : strstr(p, "\"Time\":\"");
    if (p == NULL)
        return "";
    p += strlen("\"Time\":\"");
    return rt_arena_strndup(l->a, p, strcspn(p, "\""));
}

/* Is it required by a main module itself, and not said to be indirect? */
static bool
is_direct(const struct modset *s, const char *path)
{
    unsigned i, k;

    for (i = 0; i < s->nmains; i++)
        for (k = 0; k < s->files[i].nrequire; k++)
            if (strcmp(s->files[i].require[k].mod.path, path) == 0 &&
                !s->files[i].require[k].indirect)
                return true;
    return false;
}

/* The version of the language that a go.mod names, "" if none. */
static const char *
go_line(struct list *l, const char *file)
{
    struct module_file f;
    const char *errors;
    size_t len;
    char *text = *file == 0 ? NULL : paths_read(l->a, file, &len);

    if (text == NULL)
        return "";
    module_parse(l->a, file, text, len, MODULE_DEP, &f, &errors);
    return f.go == NULL ? "" : f.go;
}

static void
set_place(struct list *l, struct list_module *m,
    const struct module_version *v, const char *dir, bool local)
{
    const char *cache = l->g->mods.cache;

    m->dir = dir == NULL ? "" : dir;
    if (local)
        m->gomod = *m->dir == 0 ? ""
            : if_file(paths_join(l->a, m->dir, "go.mod"));
    else
        m->gomod = *cache == 0
            ? "" : if_file(modcache_file(l->a, cache, v, "mod"));
    m->go = go_line(l, m->gomod);
}

static void
set_sums(struct list *l, struct list_module *m,
    const struct module_version *v)
{
    const struct gosum *s = modset_sums(&l->g->mods);

    m->sum = gosum_find(l->a, s, v, false);
    m->modsum = gosum_find(l->a, s, v, true);
}

struct list_module *
list_module(struct list *l, const struct modset_module *m)
{
    struct list_module *out = rt_arena_alloc(l->a, sizeof *out);
    struct modset *s = &l->g->mods;
    bool replaced = strcmp(m->id.path, m->by.path) != 0 ||
        strcmp(m->id.version, m->by.version) != 0;

    out->path = m->id.path;
    out->version = m->id.version;
    out->main = m->main;
    out->indirect = !m->main && !is_direct(s, m->id.path);
    if (s->mode == MODSET_VENDOR && !m->main) {
        out->go = rt_arena_printf(l->a, "1.%u", m->minor);
        if (m->minor == 16)
            out->go = "";
        out->dir = paths_join(l->a, m->dir, m->id.path);
        return out;
    }
    out->time = m->main ? "" : time_of(l, &m->id);
    set_place(l, out, &m->by, m->dir, m->local);
    if (replaced) {
        struct list_module *by = rt_arena_alloc(l->a, sizeof *by);

        by->path = m->by.path;
        by->version = m->by.version;
        by->time = time_of(l, &m->by);
        by->dir = out->dir;
        by->gomod = out->gomod;
        by->go = out->go;
        if (!m->local)
            set_sums(l, by, &m->by);
        out->sum = by->sum;
        out->modsum = by->modsum;
        out->replace = by;
    } else if (!m->main) {
        set_sums(l, out, &m->id);
        if (out->sum == NULL) /* files and a go.mod that nobody vouches for */
            out->dir = "";
        if (out->modsum == NULL)
            out->gomod = out->go = "";
    }
    return out;
}

void
list_set_version(struct list *l, struct list_module *m)
{
    const struct module_version v = {m->path, m->version};
    const struct modset_module *x = modset_module(&l->g->mods, &v);

    rt_assert(*m->version != 0);
    m->time = time_of(l, &v);
    set_place(l, m, &v, x->dir, false);
    set_sums(l, m, &v);
}

/* ---- words ------------------------------------------------------------------------ */

struct found {
    struct list_module **at;
    unsigned n, cap;
};

static void
add_module(struct list *l, struct found *f, struct list_module *m)
{
    f->at = rt_arena_more(l->a, f->at, f->n, &f->cap, sizeof(*f->at));
    f->at[f->n++] = m;
}

static void
add(struct list *l, struct found *f, const struct modset_module *m)
{
    unsigned i;

    for (i = 0; i < f->n; i++)
        if (strcmp(f->at[i]->path, m->id.path) == 0)
            return;
    add_module(l, f, list_module(l, m));
}

/* "all", or a pattern. */
static void
add_pattern(struct list *l, struct found *f, const char *pattern)
{
    struct modset *s = &l->g->mods;
    unsigned i, n = f->n;

    modset_complete(s);
    for (i = 0; i < s->nmains; i++)
        if (match_fits(pattern, s->mains[i].id.path))
            add(l, f, &s->mains[i]);
    for (i = 0; i < s->nlist; i++)
        if (match_fits(pattern, s->list[i].id.path))
            add(l, f, &s->list[i]);
    if (f->n == n)
        paths_push(l->a, &l->warnings, rt_arena_printf(l->a,
            "warning: pattern \"%s\" matched no module dependencies",
            pattern));
}

static bool
add_word(struct list *l, struct found *f, const char *word)
{
    struct modset *s = &l->g->mods;
    const char *at = strchr(word, '@');
    struct modset_module *m;
    struct list_module *other;

    if (at != NULL && l->o->query != NULL) {
        if (!list_query(l, rt_arena_strndup(l->a, word, (size_t)(at - word)),
                at + 1, &other))
            return false;
        add_module(l, f, other);
        return true;
    }
    if (strcmp(word, "all") == 0 && s->mode == MODSET_VENDOR) {
        paths_push(l->a, &l->warnings, "go: can't compute 'all' using the "
            "vendor directory\n\t(Use -mod=mod or -mod=readonly to bypass.)");
        return false;
    }
    if (strcmp(word, "all") == 0 || strstr(word, "...") != NULL) {
        add_pattern(l, f, strcmp(word, "all") == 0 ? "..." : word);
        return true;
    }
    m = modset_find(s, word);
    if (m == NULL && !s->complete) {
        modset_complete(s);
        m = modset_find(s, word);
    }
    if (m == NULL && (l->o->errors || l->o->versions)) {
        struct list_module *none = rt_arena_alloc(l->a, sizeof *none);

        *none = (struct list_module){.path = word, .version = "",
            .error = l->o->versions ? NULL : rt_arena_printf(
                l->a, "module %s: not a known dependency", word)};
        add_module(l, f, none);
        return true;
    }
    if (m == NULL) {
        paths_push(l->a, &l->warnings, rt_arena_printf(
            l->a, "go: module %s: not a known dependency", word));
        return false;
    }
    add(l, f, m);
    return true;
}

bool
list_modules(struct list *l, const char *const *words, unsigned n,
    struct list_module ***out, unsigned *nout)
{
    struct found f = {0};
    bool good = true;
    unsigned i;

    for (i = 0; n == 0 && i < l->g->mods.nmains; i++)
        add(l, &f, &l->g->mods.mains[i]);
    for (i = 0; i < n; i++)
        good &= add_word(l, &f, words[i]);
    rt_assert(f.n <= f.cap);
    for (i = 0; l->o->query != NULL && i < f.n; i++)
        list_query_more(l, f.at[i]);
    *out = f.at;
    *nout = f.n;
    return good;
}
