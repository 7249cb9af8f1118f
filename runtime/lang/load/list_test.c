/* SPDX-License-Identifier: MIT */
/*
 * What is listed besides the packages that were named: their tests, and all
 * that they depend on.
 */
#include <stdlib.h>
#include <string.h>

#include "runtime/base/arena.h"
#include "runtime/base/throw.h"
#include "runtime/lang/load/godebug.h"
#include "runtime/lang/load/list.h"

/* ---- orders -------------------------------------------------------------------- */

/* A package, and the next of its imports to be followed. */
struct step {
    struct list_package *p;
    unsigned next;
    struct list_package **imports; /* of recompile(): as they are to be */
    bool differs;
};

/* Packages may form chains of any length, so the ways back are lists. */
struct steps {
    struct step *at;
    unsigned n, cap;
};

static void
push_step(struct list *l, struct steps *s, struct list_package *p)
{
    s->at = rt_arena_more(l->a, s->at, s->n, &s->cap, sizeof *s->at);
    s->at[s->n++] = (struct step){.p = p};
}

struct order {
    struct list_package **at;
    unsigned n, cap;
};

/* Each package behind those that it imports. */
static void
visit(struct list *l, struct order *o, struct list_package *p)
{
    struct steps s = {0};

    for (;;) {
        struct step *x;

        if (p->mark != l->mark) {
            p->mark = l->mark;
            push_step(l, &s, p);
        }
        while (s.at[s.n - 1].next == s.at[s.n - 1].p->nimports) {
            list_push(l->a, &o->at, &o->n, &o->cap, s.at[s.n - 1].p);
            if (--s.n == 0)
                return;
        }
        x = &s.at[s.n - 1];
        p = x->p->imports[x->next++];
    }
}

static struct order
order_from(struct list *l, struct list_package *const *roots, unsigned n)
{
    struct order o = {0};
    unsigned i;

    l->mark++;
    for (i = 0; i < n; i++)
        if (roots[i]->mark != l->mark)
            visit(l, &o, roots[i]);
    return o;
}

static int
by_shown(const void *a, const void *b)
{
    return strcmp((*(struct list_package *const *)a)->shown,
        (*(struct list_package *const *)b)->shown);
}

static int
by_pos(const void *a, const void *b)
{
    return strcmp((*(struct list_error *const *)a)->pos,
        (*(struct list_error *const *)b)->pos);
}

/* Does one of those that p depends on import p? */
static bool
in_circle(const struct order *o, const struct list_package *p)
{
    unsigned i, k;

    for (i = 0; i < o->n; i++)
        for (k = 0; k < o->at[i]->nimports; k++)
            if (o->at[i]->imports[k] == p)
                return true;
    return false;
}

/* What a package depends on, and what is wrong with that. */
static void
set_deps(struct list *l, struct list_package *p)
{
    struct order o = order_from(l, &p, 1);
    unsigned i, n = 0;

    p->field[LIST_DEPS].n = 0;
    p->depserrors = rt_arena_array(l->a, o.n + 1, sizeof(*p->depserrors));
    if (o.n > 1)
        qsort(o.at, o.n, sizeof(*o.at), by_shown);
    for (i = 0; i < o.n; i++) {
        struct list_package *q = o.at[i];

        if (q != p || (p->error != NULL && in_circle(&o, p)))
            paths_push(l->a, &p->field[LIST_DEPS], q->shown);
        if (q->error != NULL &&
            (q != p || paths_starts(q->error->text, "import cycle")))
            p->depserrors[n++] = q->error;
    }
    if (n > 1)
        qsort(p->depserrors, n, sizeof(*p->depserrors), by_pos);
    p->ndepserrors = n;
    p->incomplete |= n != 0;
}

/* ---- tests ----------------------------------------------------------------------- */

static const char *
with_tests(struct list *l, const char *path, const struct list_package *p)
{
    return rt_arena_printf(l->a, "%s [%s.test]", path, p->path);
}

static struct list_package *
copy(struct list *l, const struct list_package *p,
    const struct list_package *tested)
{
    struct list_package *q = rt_arena_alloc(l->a, sizeof *q);

    *q = *p;
    q->shown = with_tests(l, p->path, tested);
    q->for_test = tested->path;
    q->target = "";
    q->mark = 0;
    return q;
}

/* Appends list b to a copy of list a. */
static struct paths_list
concat(struct list *l, const struct paths_list *a, const struct paths_list *b)
{
    struct paths_list out = {0};
    unsigned i;

    for (i = 0; i < a->n; i++)
        paths_push(l->a, &out, a->at[i]);
    for (i = 0; i < b->n; i++)
        paths_push(l->a, &out, b->at[i]);
    return out;
}

/* What tests of one role import, as it is meant; the map says what that was. */
static struct paths_list
test_imports(struct list *l, const struct list_package *p,
    enum package_role role, struct paths_list *map)
{
    struct paths_list out = {0};
    unsigned i;

    for (i = 0; i < p->nwhere[role]; i++) {
        const char *path = p->where[role][i].path;
        const char *meant = p->standard ? list_brought(l, path) : path;

        if (meant != path) {
            paths_push(l->a, map, path);
            paths_push(l->a, map, meant);
        }
        paths_push(l->a, &out, meant);
    }
    return out;
}

/* The package with its tests in it. */
static struct list_package *
inside_tests(struct list *l, struct list_package *p)
{
    struct list_package *q = copy(l, p, p);
    struct paths_list tests = test_imports(l, p, PACKAGE_TEST, &q->map);
    unsigned i;

    q->field[LIST_GO_FILES] =
        concat(l, &p->field[LIST_GO_FILES], &p->field[LIST_TEST_GO]);
    q->field[LIST_IMPORTS] = concat(l, &tests, &p->field[LIST_IMPORTS]);
    q->field[LIST_EMBED_FILES] = concat(
        l, &p->field[LIST_EMBED_FILES], &p->field[LIST_TEST_EMBED_FILES]);
    if (l->o->compiled)
        q->field[LIST_COMPILED] = q->field[LIST_GO_FILES];
    q->linked = false;
    q->nimports = 0;
    q->imports = rt_arena_array(
        l->a, p->ntest_imports + p->nimports + 1, sizeof(*q->imports));
    for (i = 0; i < p->ntest_imports; i++)
        q->imports[q->nimports++] = p->test_imports[i];
    for (i = 0; i < p->nimports; i++)
        q->imports[q->nimports++] = p->imports[i];
    return q;
}

static struct list_package *
outside_tests(struct list *l, struct list_package *p)
{
    struct list_package *q = rt_arena_alloc(l->a, sizeof *q);

    q->path = rt_arena_printf(l->a, "%s_test", p->path);
    q->shown = with_tests(l, q->path, p);
    q->name = rt_arena_printf(l->a, "%s_test", p->name);
    q->dir = p->dir;
    q->root = p->root;
    q->doc = q->target = q->godebug = q->debug = q->test_debug = "";
    q->for_test = p->path;
    q->module = p->module;
    q->standard = p->standard;
    q->loaded = true;
    q->field[LIST_GO_FILES] = p->field[LIST_XTEST_GO];
    q->field[LIST_IMPORTS] = test_imports(l, p, PACKAGE_XTEST, &q->map);
    q->field[LIST_EMBED_FILES] = p->field[LIST_XTEST_EMBED_FILES];
    if (l->o->compiled)
        q->field[LIST_COMPILED] = q->field[LIST_GO_FILES];
    q->imports = p->xtest_imports;
    q->nimports = p->nxtest_imports;
    return q;
}

static struct list_package *
test_program(struct list *l, struct list_package *p)
{
    static const char *const needed[] = {"os", "reflect", "testing",
        "testing/internal/testdeps", "runtime"};
    enum { NEEDED = sizeof needed / sizeof needed[0] };
    struct list_package *q = rt_arena_alloc(l->a, sizeof *q);
    unsigned i;

    q->path = q->shown = rt_arena_printf(l->a, "%s.test", p->path);
    q->name = "main";
    q->dir = p->dir;
    q->root = p->root;
    q->doc = q->target = q->godebug = q->test_debug = "";
    q->module = p->module;
    q->loaded = q->is_test_program = true;
    q->imports = rt_arena_array(l->a, NEEDED + 2, sizeof(*q->imports));
    for (i = 0; i < NEEDED; i++) {
        q->imports[q->nimports++] = list_library(l, p, needed[i]);
        if (i + 1 < NEEDED)
            paths_push(l->a, &q->field[LIST_IMPORTS], needed[i]);
    }
    paths_push(l->a, &q->field[LIST_GO_FILES], "_testmain.go");
    if (l->o->compiled)
        q->field[LIST_COMPILED] = q->field[LIST_GO_FILES];
    q->debug = *p->debug == 0 || *p->test_debug == 0
        ? rt_arena_printf(l->a, "%s%s", p->debug, p->test_debug)
        : rt_arena_printf(l->a, "%s,%s", p->debug, p->test_debug);
    return q;
}

/* Begins to look what is to take the place of a package. */
static void
enter(struct list *l, struct steps *s, struct list_package *p)
{
    struct step *x;

    p->remade_mark = l->mark;
    p->remade = p;
    push_step(l, s, p);
    x = &s->at[s->n - 1];
    x->imports = rt_arena_array(l->a, p->nimports + 1, sizeof(*x->imports));
}

/* Replaces what program imports, however far behind, and what imports, however
 * far behind, what is tested, by copies that import it with its tests. */
static void
recompile(struct list *l, struct list_package *program,
    struct list_package *tested, struct list_package *inside)
{
    struct steps s = {0};

    rt_assert(program != tested && inside != tested);
    enter(l, &s, program);
    while (s.n > 0) {
        struct step *x = &s.at[s.n - 1];
        struct list_package *p = x->p, *q, *r;

        if (x->next < p->nimports) {
            q = p->imports[x->next];
            if (q != tested && q->remade_mark != l->mark) {
                enter(l, &s, q);
                continue;
            }
            r = q == tested ? inside : q->remade;
            x->differs |= r != q;
            x->imports[x->next++] = r;
            continue;
        }
        if (x->differs) {
            if (p != inside && p->for_test == NULL && !p->is_test_program)
                p->remade = copy(l, p, tested);
            p->remade->imports = x->imports;
        }
        s.n--;
    }
}

void
list_tests(struct list *l, struct list_package *p,
    struct list_package **program, struct list_package **inside,
    struct list_package **outside)
{
    *inside = p;
    *outside = NULL;
    list_load_tests(l, p);
    *program = test_program(l, p);
    if (p->field[LIST_TEST_GO].n != 0)
        *inside = inside_tests(l, p);
    if (p->field[LIST_XTEST_GO].n != 0)
        *outside = outside_tests(l, p);
    if (p->field[LIST_GO_FILES].n + p->field[LIST_TEST_GO].n != 0)
        (*program)->imports[(*program)->nimports++] = *inside;
    if (*outside != NULL)
        (*program)->imports[(*program)->nimports++] = *outside;
    l->mark++;
    if (*inside != p)
        recompile(l, *program, p, *inside);
}

static bool
has_tests(const struct list_package *p)
{
    return p->field[LIST_TEST_GO].n + p->field[LIST_XTEST_GO].n != 0;
}

static void
add_tests(struct list *l)
{
    unsigned i, n = l->npkg;

    for (i = 0; i < n; i++) {
        struct list_package *p = l->pkg[i], *program, *inside, *outside;

        if (p->error != NULL || !has_tests(p))
            continue;
        list_tests(l, p, &program, &inside, &outside);
        program->named = true;
        list_push(l->a, &l->pkg, &l->npkg, &l->cap, program);
        if (inside != p) {
            inside->named = true;
            list_push(l->a, &l->pkg, &l->npkg, &l->cap, inside);
        }
        if (outside != NULL) {
            outside->named = true;
            list_push(l->a, &l->pkg, &l->npkg, &l->cap, outside);
        }
    }
}

/* ---- all of it --------------------------------------------------------------------- */

/* Imports of packages that were made for a test are shown as such. */
static void
show_imports(struct list *l, struct list_package *p)
{
    struct paths_list *im = &p->field[LIST_IMPORTS];
    struct paths_list fresh = {0};
    unsigned i, k;

    for (i = 0; i < im->n; i++) {
        const char *name = im->at[i];

        for (k = 0; k < p->nimports; k++)
            if (p->imports[k]->for_test != NULL &&
                strcmp(p->imports[k]->path, im->at[i]) == 0)
                name = p->imports[k]->shown;
        if (name != im->at[i]) {
            paths_push(l->a, &p->map, im->at[i]);
            paths_push(l->a, &p->map, name);
        }
        paths_push(l->a, &fresh, name);
    }
    if (p->is_test_program) {
        for (k = 0; k < p->nimports; k++)
            if (!paths_has(&fresh, p->imports[k]->shown) &&
                strcmp(p->imports[k]->path, "runtime") != 0) {
                paths_push(l->a, &fresh, p->imports[k]->shown);
                if (p->imports[k]->shown != p->imports[k]->path) {
                    paths_push(l->a, &p->map, p->imports[k]->path);
                    paths_push(l->a, &p->map, p->imports[k]->shown);
                }
            }
        paths_sort(&fresh);
    }
    *im = fresh;
}

static void
clear_imports(struct list_package *p)
{
    p->field[LIST_IMPORTS].n = p->field[LIST_TEST_IMPORTS].n =
        p->field[LIST_XTEST_IMPORTS].n = p->field[LIST_DEPS].n = 0;
}

static void
set_godebug(struct list *l, struct list_package *p)
{
    struct modset *s = &l->g->mods;

    if (strcmp(p->name, "main") != 0 || p->standard)
        return;
    tree_load_has(l->g->tree, "fmt", NULL);
    p->godebug = godebug_default(l->a, l->g->tree->tree, s,
        s->work != NULL     ? module_minor(&s->workfile)
            : s->nmains != 0 ? module_minor(&s->files[0]) : 0, p->debug);
}

void
list_complete(struct list *l)
{
    unsigned i;

    if (l->o->test && !l->o->find)
        add_tests(l);
    if (l->o->deps && !l->o->find) {
        struct order o = order_from(l, l->pkg, l->npkg);

        l->pkg = o.at;
        l->npkg = o.n;
        l->cap = o.cap;
    }
    for (i = 0; i < l->npkg; i++) {
        set_deps(l, l->pkg[i]);
        set_godebug(l, l->pkg[i]);
    }
    for (i = 0; i < l->npkg; i++) {
        show_imports(l, l->pkg[i]);
        if (l->o->find)
            clear_imports(l->pkg[i]);
    }
}
