/* SPDX-License-Identifier: MIT */
#include "runtime/lang/load/buildinfo.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/base/throw.h"
#include "runtime/lang/load/graph.h"
#include "runtime/lang/load/paths.h"

static const char files[] = "command-line-arguments";

/* Is it what the program is made of, or whose tests it has? */
static bool
is_main(const struct graph_package *p, enum package_role role)
{
    return !p->made && p->role == role &&
        (p->named || role == PACKAGE_TEST || role == PACKAGE_XTEST);
}

static const struct graph_package *
main_package(const struct graph *g)
{
    static const enum package_role roles[] = {
        PACKAGE_TEST, PACKAGE_XTEST, PACKAGE_PLAIN};
    uint32_t i, k;

    for (k = 0; k < sizeof roles / sizeof *roles; k++)
        for (i = 0; i < g->norder; i++)
            if (is_main(g->order[i], roles[k]))
                return g->order[i];
    return NULL;
}

/* Are its files those of a program? */
static bool
is_program(const struct graph_package *p)
{
    unsigned i;

    for (i = 0; i < p->have.n; i++)
        if (strcmp(p->have.at[i].package, "main") == 0)
            return true;
    return false;
}

/* Its import path; as go test has it, the program that tests a package which is
 * none itself has a name of its own. */
static const char *
path_of(struct graph *g, const struct graph_package *p, bool test)
{
    size_t n = strlen(p->path);

    if (p->role == PACKAGE_XTEST && paths_ends(p->path, "_test"))
        n -= strlen("_test");
    return rt_arena_printf(
        g->a, "%.*s%s", (int)n, p->path, test ? ".test" : "");
}

static const char *
version_of(const struct module_version *m)
{
    return m->version == NULL || *m->version == 0 ? "(devel)" : m->version;
}

/* A module's line, and that of what replaces it. */
static void
add_lines(struct graph *g, struct rt_arena_text *text, const char *word,
    const struct modset_module *m)
{
    bool same = strcmp(m->id.path, m->by.path) == 0 &&
        strcmp(version_of(&m->id), version_of(&m->by)) == 0;
    const char *sum = NULL;

    if (m->by.version != NULL && *m->by.version != 0)
        sum = gosum_find(g->a, modset_sums(&g->mods), &m->by, false);
    sum = sum == NULL ? "" : sum;
    rt_arena_add(g->a, text, "%s\t%s\t%s", word, m->id.path,
        version_of(&m->id));
    if (!same)
        rt_arena_add(g->a, text, "\n=>\t%s\t%s", m->by.path,
            version_of(&m->by));
    rt_arena_add(g->a, text, "\t%s\n", sum);
}

static int
by_path(const void *a, const void *b)
{
    const struct modset_module *const *x = a, *const *y = b;

    return strcmp((*x)->id.path, (*y)->id.path);
}

const char *
buildinfo_of(struct graph *g)
{
    const struct graph_package *p = main_package(g);
    const struct modset_module **list, *own;
    struct rt_arena_text text = {NULL, 0, 0};
    uint32_t i, n = 0;
    bool test;

    test = p != NULL && p->role != PACKAGE_PLAIN && !is_program(p);
    rt_arena_add(g->a, &text, "path\t%s\n",
        p == NULL ? files : path_of(g, p, test));
    own = p == NULL || strcmp(p->path, files) == 0 ? NULL : p->module;
    if (own != NULL)
        add_lines(g, &text, "mod", own);
    list = rt_arena_alloc(g->a, (g->norder + 1) * sizeof *list);
    for (i = 0; list != NULL && i < g->norder && !test; i++)
        if (g->order[i] != p && g->order[i]->module != NULL &&
            g->order[i]->module != own)
            list[n++] = g->order[i]->module;
    if (n > 1)
        qsort(list, n, sizeof *list, by_path);
    for (i = 0; i < n; i++) {
        rt_assert(i == 0 || by_path(&list[i - 1], &list[i]) <= 0);
        if (i == 0 || list[i] != list[i - 1])
            add_lines(g, &text, "dep", list[i]);
    }
    return text.at;
}
