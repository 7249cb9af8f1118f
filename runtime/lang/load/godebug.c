/* SPDX-License-Identifier: MIT */
#include "runtime/lang/load/godebug.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/base/arena.h"
#include "runtime/base/throw.h"
#include "runtime/lang/load/clause.h"
#include "runtime/lang/load/graph.h"
#include "runtime/lang/load/paths.h"
#include "runtime/lang/load/semver.h"

static const char table_path[] = "internal/godebugs";

/* A setting of the library's table. */
struct row {
    const char *name, *old; /* old: NULL where it never changed */
    unsigned changed;
};

struct rows {
    const struct row *at;
    unsigned n;
};

/* What vole's runtime heeds, where there is no table. */
static const struct row own_rows[] = {
    {"asynctimerchan", "1", 23}, {"panicnil", "1", 21}};

/* The text of the table, NULL if the tree has none. */
static const char *
table_text(struct rt_arena *a, const struct tree *t)
{
    struct tree_file *files;
    unsigned i, n;

    if (t == NULL || !tree_has(t, table_path) ||
        tree_read(t, table_path, a, &files, &n, NULL) != RT_OK)
        return NULL;
    for (i = 0; i < n; i++)
        if (paths_ends(files[i].name, "/table.go"))
            return files[i].text;
    return NULL;
}

/* The value of a field of a row, "Name: " ..., up to the row's end. */
static const char *
field(const char *row, const char *end, const char *name)
{
    const char *p = strstr(row, name);

    return p == NULL || p >= end ? NULL : p + strlen(name);
}

static const char *
quoted(struct rt_arena *a, const char *p)
{
    if (p == NULL || *p != '"')
        return NULL;
    return rt_arena_strndup(a, p + 1, strcspn(p + 1, "\""));
}

/* Each row of the table is a line, {Name: "x", Changed: 23, Old: "1"}. */
static struct rows
read_table(struct rt_arena *a, const struct tree *t)
{
    const char *p = table_text(a, t), *end;
    struct rows r = {NULL, 0};
    struct row *rows = NULL;
    unsigned cap = 0;

    if (p == NULL)
        return (struct rows){own_rows, sizeof own_rows / sizeof own_rows[0]};
    for (; *p != 0; p = end + (*end != 0)) {
        const char *changed;
        struct row x = {NULL, NULL, 0};

        end = strchrnul(p, '\n');
        p += strspn(p, " \t");
        if (*p != '{')
            continue;
        x.name = quoted(a, field(p, end, "Name: "));
        x.old = quoted(a, field(p, end, "Old: "));
        changed = field(p, end, "Changed: ");
        if (changed != NULL)
            x.changed = (unsigned)strtoul(changed, NULL, 10);
        if (x.name == NULL)
            continue;
        r.at = rows = rt_arena_more(a, rows, r.n, &cap, sizeof *rows);
        rows[r.n++] = x;
    }
    return r;
}

/* ---- settings --------------------------------------------------------------------- */

static size_t
key_length(const char *setting)
{
    return strcspn(setting, "=");
}

/* Sets a key, in place of what was said of it before. */
static void
set(struct rt_arena *a, struct paths_list *l, const char *setting)
{
    size_t n = key_length(setting);
    unsigned i;

    for (i = 0; i < l->n; i++)
        if (key_length(l->at[i]) == n &&
            strncmp(l->at[i], setting, n) == 0) {
            l->at[i] = setting;
            return;
        }
    paths_push(a, l, setting);
}

static void
set_all(struct rt_arena *a, struct paths_list *l, const char *list)
{
    while (*list != 0) {
        size_t n = strcspn(list, ",");

        if (n != 0)
            set(a, l, rt_arena_strndup(a, list, n));
        list += n + (list[n] != 0);
    }
}

static int
by_key(const void *a, const void *b)
{
    const char *x = *(const char *const *)a, *y = *(const char *const *)b;
    size_t n = key_length(x), m = key_length(y);
    int c = memcmp(x, y, n < m ? n : m);

    return c != 0 ? c : n < m ? -1 : n > m;
}

static const char *
join(struct rt_arena *a, struct paths_list *l)
{
    size_t size = 1;
    unsigned i;
    char *out, *o;

    for (i = 0; i < l->n; i++)
        size += strlen(l->at[i]) + 1;
    if (l->n > 1)
        qsort(l->at, l->n, sizeof *l->at, by_key);
    o = out = rt_arena_alloc(a, size);
    for (i = 0; i < l->n; i++) {
        size_t n = strlen(l->at[i]);

        if (i > 0)
            *o++ = ',';
        memcpy(o, l->at[i], n);
        o += n;
    }
    rt_assert((size_t)(o - out) < size);
    return out;
}

/* The version that "default=go1.21" among them names, and takes it out. */
static unsigned
take_default(struct paths_list *l, unsigned minor)
{
    unsigned i, k = 0;

    for (i = 0; i < l->n; i++) {
        const char *v = l->at[i];

        if (!paths_starts(v, "default=")) {
            l->at[k++] = v;
            continue;
        }
        v += strlen("default=");
        if (paths_starts(v, "go") && semver_go_valid(v + 2))
            minor = semver_go_minor(v + 2);
    }
    l->n = k;
    return minor;
}

const char *
godebug_default(struct rt_arena *a, const struct tree *t,
    const struct modset *s, unsigned minor, const char *debug)
{
    struct paths_list said = {0}, all = {0};
    const struct module_file *f = s->work != NULL ? &s->workfile
        : s->nmains != 0 ? &s->files[0] : NULL;
    struct rows r;
    unsigned i;

    for (i = 0; f != NULL && i < f->ngodebug; i++)
        set(a, &said, f->godebug[i]);
    set_all(a, &said, debug);
    minor = take_default(&said, minor);
    r = read_table(a, t);
    for (i = 0; i < r.n && minor != 0; i++)
        if (minor < r.at[i].changed && r.at[i].old != NULL)
            paths_push(a, &all,
                rt_arena_printf(a, "%s=%s", r.at[i].name, r.at[i].old));
    for (i = 0; i < said.n; i++)
        set(a, &all, said.at[i]);
    return join(a, &all);
}

/* What is wrong with the value of a //go:debug line, or NULL. */
static const char *
wrong(struct rt_arena *a, const struct tree *t, const char *setting)
{
    size_t n = key_length(setting);
    struct rows r;
    unsigned i;

    if (setting[n] == 0)
        return "missing key=value";
    if (strpbrk(setting, " \t,\"'`") != NULL)
        return "key=value contains space, comma or quote";
    if (paths_starts(setting, "default="))
        return paths_starts(setting + n + 1, "go") &&
                semver_go_valid(setting + n + 3)
            ? NULL : "value for default= must be goVERSION";
    r = read_table(a, t);
    for (i = 0; i < r.n; i++)
        if (strlen(r.at[i].name) == n &&
            strncmp(r.at[i].name, setting, n) == 0)
            return NULL;
    return r.at == own_rows ? NULL : rt_arena_printf(a,
        "unknown //go:debug setting \"%.*s\"", (int)n, setting);
}

/* Reports lines of a file that make no sense. */
static void
check_lines(
    struct graph *g, struct graph_package *p, const struct lang_file *f)
{
    const char *text = (const char *)f->text, *at = text, *s;

    while ((s = clause_next_debug(g->a, text, &at)) != NULL) {
        const char *why;

        tree_load_has(g->tree, "fmt", NULL); /* for the names that there are */
        why = wrong(g->a, g->tree->tree, s);
        if (why != NULL) {
            lang_errf(&p->diag, f->base + (lang_pos)(at - text),
                "invalid //go:debug: %s", why);
            p->failed = true; /* nothing else is looked at */
        }
        at += strcspn(at, "\n");
    }
}

/* Is it a program, or tests, whose settings count? */
static bool
has_settings(const struct graph_package *p)
{
    return p->role != PACKAGE_PLAIN ||
        (p->named && p->nfiles != 0 && p->files[0]->package.name != NULL &&
            strcmp(p->files[0]->package.name->text, "main") == 0);
}

const char *
godebug_of(struct graph *g)
{
    struct modset *s = &g->mods;
    const char *said = "";
    unsigned i, k, minor = 0;

    for (i = 0; i < g->nall; i++) {
        struct graph_package *p = g->all[i];

        for (k = 0; k < p->nfiles; k++) {
            const char *debug =
                clause_debug(g->a, (const char *)p->files[k]->src->text);

            if (p->module == NULL || p->module->main)
                check_lines(g, p, p->files[k]->src);
            if (*debug != 0 && has_settings(p))
                said = rt_arena_printf(
                    g->a, "%s%s%s", said, *said == 0 ? "" : ",", debug);
        }
    }
    if (s->nmains != 0)
        minor = module_minor(s->work != NULL ? &s->workfile : &s->files[0]);
    return godebug_default(g->a, g->tree->tree, s, minor, said);
}
