/* SPDX-License-Identifier: MIT */
/*
 * What the proxies know of modules that are listed.
 */
#include <string.h>

#include "runtime/base/arena.h"
#include "runtime/base/throw.h"
#include "runtime/lang/load/list.h"
#include "runtime/lang/load/query.h"
#include "runtime/lang/load/semver.h"

/* Why a version was taken back, as the newest go.mod of the module says it. */
static void
set_retracted(struct list *l, struct list_module *m)
{
    const char *why = query_retracted(l->o->query, m->path, m->version);

    if (why != NULL)
        paths_push(l->a, &m->retracted, why);
}

/* Says what the last question failed for. */
static void
set_error(struct list *l, struct list_module *m)
{
    const struct rt_err *err = l->o->query->err;

    if (m->error == NULL)
        m->error = rt_arena_printf(
            l->a, "module %s: %s", m->path, err->text);
}

static void
set_update(struct list *l, struct list_module *m)
{
    struct query *q = l->o->query;
    struct list_module *new;
    const char *v;

    q->err->code = RT_OK;
    v = query_version(q, m->path, "upgrade", m->version);
    if (v == NULL && q->err->code != RT_EOF && q->err->code != RT_EFORMAT) {
        set_error(l, m);
        return;
    }
    if (v == NULL || semver_compare(v, m->version) <= 0)
        return;
    new = rt_arena_alloc(l->a, sizeof *new);
    new->path = m->path;
    new->version = v;
    new->time = query_time(q, m->path, v);
    m->update = new;
}

/* Is it a version of a proxy, not of a folder or the one worked on? */
static bool
is_remote(const struct list_module *m)
{
    return m != NULL && !m->main && *m->version != 0;
}

void
list_query_more(struct list *l, struct list_module *m)
{
    struct query *q = l->o->query;

    rt_assert(q != NULL && m->path != NULL);
    if (l->o->versions && !m->main) {
        if (query_versions(q, m->path, l->o->retracted, &m->versions) != RT_OK)
            set_error(l, m);
    }
    if (l->o->update && is_remote(m) && m->replace == NULL)
        set_update(l, m);
    if (l->o->update && is_remote(m->replace)) {
        m->replace->time =
            query_time(q, m->replace->path, m->replace->version);
        set_update(l, m->replace);
    }
    if ((l->o->update || l->o->retracted) && is_remote(m) &&
        m->replace == NULL)
        set_retracted(l, m);
}

bool
list_query(struct list *l, const char *path, const char *version,
    struct list_module **out)
{
    struct query *q = l->o->query;
    struct modset_module *used = modset_find(&l->g->mods, path);
    struct list_module *m = rt_arena_alloc(l->a, sizeof *m);
    const char *v;

    *out = m;
    *m = (struct list_module){.path = path, .version = version};
    q->err->text[0] = 0;
    v = *version == 0 ? NULL : query_version(
        q, path, version, used == NULL ? "" : used->id.version);
    if (v != NULL) {
        m->version = v;
        m->query = strcmp(v, version) == 0 ? NULL : version;
        m->time = query_time(q, path, v); /* brings it into the cache */
        list_set_version(l, m);
        return true;
    }
    m->error = *version == 0
        ? rt_arena_printf(l->a, "module %s: invalid version query: \"\"", path)
        : rt_arena_printf(l->a, "module %s: %s", path,
              paths_starts(q->err->text, "module ") &&
                      strstr(q->err->text, ": ") != NULL
                  ? strstr(q->err->text, ": ") + 2 : q->err->text);
    if (l->o->errors)
        return true;
    paths_push(l->a, &l->warnings, rt_arena_printf(l->a, "go: %s", m->error));
    return false;
}
