/* SPDX-License-Identifier: MIT */
#include "runtime/lang/load/mvs.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/base/arena.h"
#include "runtime/base/throw.h"
#include "runtime/lang/load/paths.h"
#include "runtime/lang/load/semver.h"

enum { PRUNED_SINCE = 17, TOOLCHAINS_SINCE = 21 };

static const char DEFAULT_GO[] = "1.16";

/* A version of a module that somebody requires. */
struct node {
    struct module_version id;
    bool wanted[2]; /* to be followed: not pruned, pruned */
    bool read, old; /* its go.mod was; and is older than pruning */
    struct module_version *require; /* what that asks for, but for what a main
                                       module excludes */
    unsigned nrequire;
    bool absent;    /* there is no such go.mod */
    bool shown;
    unsigned epoch; /* of the search that met it last */
};

struct search {
    struct modset *s;
    struct node **node; /* all that any search met */
    struct node **found; /* those of this one, in the order of discovery */
    unsigned nfound, foundcap, epoch;
    unsigned n, cap;
    unsigned *slot; /* index + 1 by hash; nslot is a power of two */
    unsigned nslot;
    struct {
        struct node *node;
        bool pruned;
    } *queue;
    unsigned head, tail, qcap;
};

static unsigned
hash(const struct module_version *m)
{
    unsigned h = 2166136261u;
    const char *s;

    for (s = m->path; *s != 0; s++)
        h = (h ^ (unsigned char)*s) * 16777619u;
    for (s = m->version; *s != 0; s++)
        h = (h ^ (unsigned char)*s) * 16777619u;
    return h;
}

static bool
same(const struct module_version *x, const struct module_version *y)
{
    return strcmp(x->path, y->path) == 0 &&
        strcmp(x->version, y->version) == 0;
}

static unsigned
slot_of(const struct search *q, const struct module_version *m)
{
    unsigned i = hash(m) & (q->nslot - 1);

    rt_assert((q->nslot & (q->nslot - 1)) == 0 && q->n < q->nslot);
    while (q->slot[i] != 0 && !same(&q->node[q->slot[i] - 1]->id, m))
        i = (i + 1) & (q->nslot - 1);
    return i;
}

/* Every node is found where it is, and this search has met no more than there
 * are. */
static bool
search_valid(const struct search *q)
{
    for (unsigned i = 0; i < q->n; i++)
        if (q->slot[slot_of(q, &q->node[i]->id)] != i + 1)
            return false;
    return q->nfound <= q->n && q->head <= q->tail &&
        (q->n == 0 || q->n * 2 <= q->nslot);
}

static void
rehash(struct search *q)
{
    unsigned i;

    q->nslot = q->nslot == 0 ? 256 : q->nslot * 2;
    q->slot = rt_arena_array(q->s->a, q->nslot, sizeof *q->slot);
    for (i = 0; i < q->n; i++)
        q->slot[slot_of(q, &q->node[i]->id)] = i + 1;
}

static struct node *
node_of(struct search *q, const struct module_version *m)
{
    unsigned i;

    if (q->n * 2 >= q->nslot)
        rehash(q);
    i = slot_of(q, m);
    if (q->slot[i] == 0) {
        struct node *x = rt_arena_alloc(q->s->a, sizeof *x);

        q->node = rt_arena_more(
            q->s->a, q->node, q->n, &q->cap, sizeof(*q->node));
        x->id = *m;
        q->node[q->n++] = x;
        q->slot[i] = q->n;
    }
    return q->node[q->slot[i] - 1];
}

/* The same, as one that this search meets. */
static struct node *
meet(struct search *q, const struct module_version *m)
{
    struct node *x = node_of(q, m);

    rt_assert(q->epoch > 0 && x->epoch <= q->epoch);
    if (x->epoch == q->epoch)
        return x;
    q->found = rt_arena_more(
        q->s->a, q->found, q->nfound, &q->foundcap, sizeof(*q->found));
    q->found[q->nfound++] = x;
    x->epoch = q->epoch;
    x->wanted[false] = x->wanted[true] = false;
    return x;
}

static void
enqueue(struct search *q, const struct module_version *m, bool pruned)
{
    struct node *x = meet(q, m);

    /* What is followed without pruning needs no other visit. */
    if (x->wanted[pruned] || x->wanted[false])
        return;
    x->wanted[pruned] = true;
    q->queue = rt_arena_more(
        q->s->a, q->queue, q->tail, &q->qcap, sizeof *q->queue);
    q->queue[q->tail].node = x;
    q->queue[q->tail++].pruned = pruned;
}

static int
by_path(const void *a, const void *b)
{
    const struct module_version *x = a, *y = b;
    int c = strcmp(x->path, y->path);

    return c != 0 ? c : -semver_compare(x->version, y->version);
}

/* Is it the language or the go command?  They are in the graph like modules,
 * which need them, but nothing is selected of them. */
static bool
is_toolchain(const struct module_version *m)
{
    return strcmp(m->path, "go") == 0 || strcmp(m->path, "toolchain") == 0;
}

static void
add_require(struct node *x, const char *path, const char *version)
{
    x->require[x->nrequire++] = (struct module_version){path, version};
}

/* What a go.mod requires; the language only of a version that says which
 * toolchains there are. */
static void
read_requirements(struct search *q, struct node *x)
{
    struct module_file f = {0};
    unsigned i;

    rt_assert(!x->read && x->nrequire == 0);
    x->read = true;
    if (is_toolchain(&x->id)) {
        x->require = rt_arena_array(q->s->a, 1, sizeof *x->require);
        if (strcmp(x->id.path, "go") == 0 &&
            semver_go_minor(x->id.version) >= TOOLCHAINS_SINCE)
            add_require(x, "toolchain",
                rt_arena_printf(q->s->a, "go%s", x->id.version));
        return;
    }
    x->absent = !modset_read(q->s, &x->id, &f);
    if (x->absent)
        f = (struct module_file){0};
    x->old = module_minor(&f) < PRUNED_SINCE;
    x->require = rt_arena_array(q->s->a, f.nrequire + 1, sizeof *x->require);
    for (i = 0; i < f.nrequire; i++)
        if (!modset_excluded(q->s, &f.require[i].mod))
            x->require[x->nrequire++] = f.require[i].mod;
    if (f.go != NULL && module_minor(&f) >= TOOLCHAINS_SINCE)
        add_require(x, "go", f.go);
    rt_assert(x->nrequire <= f.nrequire + 1);
}

static void
visit(struct search *q, struct node *x, bool pruned)
{
    bool follow;
    unsigned i;

    rt_assert(x->wanted[pruned] && x->epoch == q->epoch);
    if (!x->read)
        read_requirements(q, x);
    follow = !pruned || x->old;
    for (i = 0; i < x->nrequire; i++) {
        meet(q, &x->require[i]);
        if (follow)
            enqueue(q, &x->require[i], pruned && !x->old);
    }
}

/* What a main module requires, by path. */
static struct module_version *
of_main(struct modset *s, const struct module_file *f, unsigned *n)
{
    struct module_version *list =
        rt_arena_array(s->a, f->nrequire + 2, sizeof *list);
    unsigned i, k = 0;

    for (i = 0; i < f->nrequire; i++)
        if (!modset_excluded(s, &f->require[i].mod))
            list[k++] = f->require[i].mod;
    list[k++] = (struct module_version){
        "go", f->go == NULL ? DEFAULT_GO : f->go};
    if (f->toolchain != NULL)
        list[k++] = (struct module_version){"toolchain", f->toolchain};
    qsort(list, k, sizeof *list, by_path);
    *n = k;
    return list;
}

/* Begins a search; what earlier ones read stays. */
static void
begin(struct search *q)
{
    q->epoch++;
    q->nfound = q->head = q->tail = 0;
}

static void
follow_all(struct search *q)
{
    while (q->head < q->tail) {
        struct node *x = q->queue[q->head].node;

        visit(q, x, q->queue[q->head++].pruned);
    }
    rt_assert_full(search_valid(q));
}

static void
search(struct search *q)
{
    unsigned i, k, n;

    begin(q);
    for (i = 0; i < q->s->nmains; i++) {
        const struct module_file *f = &q->s->files[i];
        struct module_version *list = of_main(q->s, f, &n);
        bool pruned =
            q->s->work != NULL || module_minor(f) >= PRUNED_SINCE;

        for (k = 0; k < n; k++)
            enqueue(q, &list[k], pruned);
    }
    follow_all(q);
}

/* Is it sorted by path, each path once? */
static bool
each_once(const struct module_version *list, unsigned n)
{
    for (unsigned i = 1; i < n; i++)
        if (strcmp(list[i - 1].path, list[i].path) >= 0)
            return false;
    return true;
}

struct module_version *
mvs_select(struct modset *s, unsigned *n)
{
    struct search q = {.s = s};
    struct module_version *all;
    unsigned i, k = 0, m = 0;

    search(&q);
    all = rt_arena_array(s->a, q.nfound + 1, sizeof *all);
    for (i = 0; i < q.nfound; i++)
        if (!is_toolchain(&q.found[i]->id))
            all[m++] = q.found[i]->id;
    if (m > 1)
        qsort(all, m, sizeof *all, by_path);
    for (i = 0; i < m; i++)
        if (k == 0 || strcmp(all[k - 1].path, all[i].path) != 0)
            all[k++] = all[i];
    rt_assert_full(each_once(all, k));
    *n = k;
    return all;
}

/* ---- many selections ------------------------------------------------------------- */

struct mvs {
    struct search q;
};

struct mvs *
mvs_new(struct modset *s)
{
    struct mvs *m = rt_arena_alloc(s->a, sizeof *m);

    m->q.s = s;
    return m;
}

int
mvs_compare(const char *path, const char *x, const char *y)
{
    if (strcmp(path, "toolchain") == 0)
        return semver_go_compare(x + (paths_starts(x, "go") ? 2 : 0),
            y + (paths_starts(y, "go") ? 2 : 0));
    return strcmp(path, "go") == 0 ? semver_go_compare(x, y)
                                   : semver_compare(x, y);
}

int
mvs_order(const void *a, const void *b)
{
    const struct module_version *x = a, *y = b;
    int c = strcmp(x->path, y->path);

    return c != 0 ? c : mvs_compare(x->path, x->version, y->version);
}

struct mvs_graph *
mvs_load(struct mvs *m, const struct module_version *roots, unsigned n,
    bool pruned)
{
    struct search *q = &m->q;
    struct rt_arena *a = q->s->a;
    struct mvs_graph *g = rt_arena_alloc(a, sizeof *g);
    unsigned i;

    begin(q);
    for (i = 0; i < n; i++)
        enqueue(q, &roots[i], pruned);
    follow_all(q);
    g->read = rt_arena_array(a, q->nfound + 1, sizeof *g->read);
    g->list = rt_arena_array(a, q->nfound + 1, sizeof *g->list);
    for (i = 0; i < q->nfound; i++) {
        struct node *x = q->found[i];

        g->list[g->n++] = x->id;
        if (!x->wanted[false] && !x->wanted[true])
            continue;
        rt_assert(x->read);
        g->read[g->nread++] =
            (struct mvs_read){x->id, x->require, x->nrequire};
        if (x->absent && g->absent == NULL)
            g->absent = &x->id;
    }
    if (g->n > 1)
        qsort(g->list, g->n, sizeof *g->list, mvs_order);
    for (i = 0, n = 0; i < g->n; i++) { /* of each path the newest */
        if (n > 0 && strcmp(g->list[n - 1].path, g->list[i].path) == 0)
            n--;
        g->list[n++] = g->list[i];
    }
    g->n = n;
    rt_assert(g->n <= q->nfound && g->nread <= q->nfound);
    rt_assert_full(each_once(g->list, g->n));
    return g;
}

static int
compare_path(const void *a, const void *b)
{
    const struct module_version *x = a, *y = b;

    return strcmp(x->path, y->path);
}

const char *
mvs_selected(const struct mvs_graph *g, const char *path)
{
    struct module_version key = {path, ""}, *m;

    m = g->n == 0
        ? NULL : bsearch(&key, g->list, g->n, sizeof *g->list, compare_path);
    return m == NULL ? NULL : m->version;
}

/* ---- the graph ------------------------------------------------------------------- */

struct walk {
    struct node **queue;
    unsigned n, cap;
};

static void
show(struct search *q, struct walk *w, const struct module_version *from,
    const struct module_version *to, mvs_edge_fn fn, void *arg)
{
    struct node *x = node_of(q, to);

    fn(arg, from, to);
    if (x->shown)
        return;
    x->shown = true;
    w->queue = rt_arena_more(
        q->s->a, w->queue, w->n, &w->cap, sizeof(*w->queue));
    w->queue[w->n++] = x;
}

void
mvs_graph(struct modset *s, mvs_edge_fn fn, void *arg)
{
    struct search q = {.s = s};
    struct walk w = {0};
    unsigned i, k, n;

    search(&q);
    for (i = 0; i < s->nmains; i++) {
        struct module_version *list = of_main(s, &s->files[i], &n);

        for (k = 0; k < n; k++)
            show(&q, &w, &s->mains[i].id, &list[k], fn, arg);
    }
    rt_assert(w.n <= q.n);
    for (i = 0; i < w.n; i++)
        for (k = 0; k < w.queue[i]->nrequire; k++)
            show(&q, &w, &w.queue[i]->id, &w.queue[i]->require[k], fn, arg);
}
