/* SPDX-License-Identifier: MIT */
#include "runtime/lang/load/why.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/base/arena.h"
#include "runtime/base/throw.h"
#include "runtime/lang/load/list.h"

/* A package, or its tests, on the way. */
struct step {
    struct list_package *p;
    const char *name;     /* of tests "path.test" */
    const struct step *from; /* NULL: of the main module */
    unsigned depth;
    bool test;
};

struct search {
    struct list l;
    struct rt_strmap byname; /* of steps */
    struct step **step;      /* breadth first */
    unsigned n, cap;
    struct rt_strmap needed; /* packages of which the tests count */
    struct list_package **left; /* of need() */
    unsigned nleft, leftcap;
};

static void
push(struct search *s, struct list_package *p, bool test,
    const struct step *from)
{
    struct rt_arena *a = s->l.a;
    const char *name =
        test ? rt_arena_printf(a, "%s.test", p->path) : p->path;
    struct step *x;

    if (rt_strmap_get(&s->byname, name) != NULL)
        return;
    x = rt_arena_alloc(a, sizeof *x);
    *x = (struct step){p, name, from, from == NULL ? 1 : from->depth + 1,
        test};
    rt_strmap_add(&s->byname, a, name, x);
    s->step = rt_arena_more(a, s->step, s->n, &s->cap, sizeof(*s->step));
    s->step[s->n++] = x;
}

/* ---- what is needed -------------------------------------------------------------- */

static void
mark(struct search *s, struct list_package *p)
{
    if (rt_strmap_get(&s->needed, p->path) != NULL)
        return;
    rt_strmap_add(&s->needed, s->l.a, p->path, p);
    list_push(s->l.a, &s->left, &s->nleft, &s->leftcap, p);
}

static void
need(struct search *s, struct list_package *p)
{
    unsigned i;

    rt_assert(s->nleft == 0);
    mark(s, p);
    while (s->nleft > 0) {
        p = s->left[--s->nleft];
        for (i = 0; i < p->nimports; i++)
            mark(s, p->imports[i]);
    }
}

/* The main modules' packages, all that these and their tests import, and, of
 * what is no part of the library, tests. */
static void
need_all(struct search *s)
{
    unsigned i, k;

    for (i = 0; i < s->l.npkg; i++) {
        struct list_package *p = s->l.pkg[i];

        list_load_tests(&s->l, p);
        need(s, p);
        for (k = 0; k < p->ntest_imports; k++)
            need(s, p->test_imports[k]);
        for (k = 0; k < p->nxtest_imports; k++)
            need(s, p->xtest_imports[k]);
    }
}

static int
by_path(const void *a, const void *b)
{
    return strcmp((*(struct list_package *const *)a)->path,
        (*(struct list_package *const *)b)->path);
}

/* What the tests of a package import, inside and outside, by path. */
static void
push_test_imports(struct search *s, const struct step *x)
{
    struct list_package **all, *p = x->p;
    unsigned i, n = 0;

    all = rt_arena_array(s->l.a, p->ntest_imports + p->nxtest_imports + 1,
        sizeof(*all));
    for (i = 0; i < p->ntest_imports; i++)
        all[n++] = p->test_imports[i];
    for (i = 0; i < p->nxtest_imports; i++)
        all[n++] = p->xtest_imports[i];
    if (n > 1)
        qsort(all, n, sizeof(*all), by_path);
    for (i = 0; i < n; i++)
        push(s, all[i], false, x);
}

static void
search(struct search *s)
{
    unsigned i, k;

    for (i = 0; i < s->l.npkg; i++)
        push(s, s->l.pkg[i], false, NULL);
    for (i = 0; i < s->n; i++) {
        const struct step *x = s->step[i];
        struct list_package *p = x->p;

        if (x->test) {
            push_test_imports(s, x);
            continue;
        }
        for (k = 0; k < p->nwhere[PACKAGE_PLAIN] && k < p->nimports; k++)
            push(s, p->imports[k], false, x);
        if (p->standard || rt_strmap_get(&s->needed, p->path) == NULL)
            continue;
        list_load_tests(&s->l, p);
        push(s, p, true, x);
    }
    rt_assert(s->n >= s->l.npkg);
}

/* ---- answers ---------------------------------------------------------------------- */

static void
print_way(struct rt_arena *a, const struct step *x, FILE *out)
{
    const char **name = rt_arena_array(a, x->depth, sizeof(*name));
    unsigned i, n = x->depth;

    for (i = n; x != NULL; x = x->from)
        name[--i] = x->name;
    rt_assert(i == 0);
    for (; i < n; i++)
        fprintf(out, "%s\n", name[i]);
}

static int
by_name(const void *a, const void *b)
{
    return strcmp((*(const struct step *const *)a)->name,
        (*(const struct step *const *)b)->name);
}

/* The package of a module to which the way is shortest. */
static const struct step *
best_of(struct search *s, struct step *const *sorted, const char *module)
{
    const struct step *best = NULL;
    unsigned i;

    for (i = 0; i < s->n; i++) {
        const struct step *x = sorted[i];

        if (!x->test && x->p->module != NULL &&
            strcmp(x->p->module->id.path, module) == 0 &&
            (best == NULL || x->depth < best->depth))
            best = x;
    }
    return best;
}

static void
answer(struct search *s, const char *word, const char *kind,
    const struct step *x, bool first, FILE *out)
{
    fprintf(out, "%s# %s\n", first ? "" : "\n", word);
    if (x == NULL)
        fprintf(out, "(main module does not need %s%s)\n", kind, word);
    else
        print_way(s->l.a, x, out);
}

static enum rt_status
print_modules(struct search *s, const char *const *words, unsigned n,
    FILE *out, struct rt_err *err)
{
    struct list_module **m;
    struct step **sorted;
    unsigned i, nm;

    if (!list_modules(&s->l, words, n, &m, &nm))
        return rt_errf(err, RT_EFORMAT, UINT64_MAX, "%s",
            s->l.warnings.at[s->l.warnings.n - 1]);
    sorted = rt_arena_array(s->l.a, s->n + 1, sizeof(*sorted));
    memcpy(sorted, s->step, s->n * sizeof(*sorted));
    qsort(sorted, s->n, sizeof(*sorted), by_name);
    for (i = 0; i < nm; i++)
        answer(s, m[i]->path, "module ",
            best_of(s, sorted, m[i]->path), i == 0, out);
    return RT_OK;
}

enum rt_status
why_print(struct graph *g, bool modules, const char *const *words, unsigned n,
    FILE *out, struct rt_err *err)
{
    static const char *const all[] = {"all"};
    static const struct list_options o = {
        .only_mains = true, .any_tags = true, .errors = true};
    struct search s = {.n = 0};
    enum rt_status st;
    unsigned i;

    g->match_all = true;
    st = list_load(&s.l, g, &o, all, 1, err);
    if (st != RT_OK)
        return st;
    need_all(&s);
    search(&s);
    if (modules)
        return print_modules(&s, words, n, out, err);
    for (i = 0; i < n; i++)
        answer(&s, words[i], "package ", rt_strmap_get(&s.byname, words[i]),
            i == 0, out);
    return RT_OK;
}
