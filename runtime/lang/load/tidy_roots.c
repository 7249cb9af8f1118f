/* SPDX-License-Identifier: MIT */
/*
 * Which requirements a go.mod needs.  Since Go 1.17 it names all modules that
 * have packages for the main module, and those that the pruned graph would
 * otherwise lose; before, those that others do not require for it.
 */
#include <stdlib.h>
#include <string.h>

#include "runtime/base/arena.h"
#include "runtime/base/throw.h"
#include "runtime/lang/load/tidy_int.h"

/* A list that grows, in which each path is once. */
struct set {
    struct rt_arena *a;
    struct module_version *at;
    unsigned n, cap;
    struct rt_strmap paths;
};

static bool
has(const struct set *s, const char *path)
{
    return rt_strmap_get(&s->paths, path) != NULL;
}

static void
append(struct set *s, const struct module_version *m)
{
    s->at = rt_arena_more(s->a, s->at, s->n, &s->cap, sizeof *s->at);
    s->at[s->n++] = *m;
    rt_strmap_add(&s->paths, s->a, m->path, (void *)m->path);
}

bool
tidy_roots_valid(const struct tidy_roots *r)
{
    bool go = false;
    unsigned i;

    for (i = 0; i < r->n; i++) {
        if (i > 0 && mvs_order(&r->at[i - 1], &r->at[i]) > 0)
            return false;
        if (*r->at[i].version == 0)
            return false;
        go |= strcmp(r->at[i].path, "go") == 0;
    }
    return go;
}

struct tidy_roots *
tidy_new_roots(
    struct tidy *t, const struct module_version *at, unsigned n, bool pruned)
{
    struct tidy_roots *r = rt_arena_alloc(t->a, sizeof *r);

    r->at = rt_arena_array(t->a, n + 1, sizeof *r->at);
    if (n != 0)
        memcpy(r->at, at, n * sizeof *at);
    r->n = n;
    r->pruned = pruned;
    if (n > 1)
        qsort(r->at, n, sizeof *r->at, mvs_order);
    rt_assert(tidy_roots_valid(r));
    return r;
}

/* Of several of one path the newest counts: it is the last. */
const char *
tidy_root(const struct tidy_roots *r, const char *path)
{
    unsigned lo = 0, hi = r->n;

    while (lo < hi) {
        unsigned mid = lo + (hi - lo) / 2;

        if (strcmp(r->at[mid].path, path) <= 0)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo > 0 && strcmp(r->at[lo - 1].path, path) == 0
        ? r->at[lo - 1].version : NULL;
}

bool
tidy_same_roots(const struct tidy_roots *x, const struct tidy_roots *y)
{
    unsigned i;

    if (x->n != y->n)
        return false;
    for (i = 0; i < x->n; i++)
        if (mvs_order(&x->at[i], &y->at[i]) != 0)
            return false;
    return true;
}

static bool
is_main(const struct tidy *t, const char *path)
{
    return strcmp(t->mods->mains[0].id.path, path) == 0;
}

/* ---- what they need --------------------------------------------------------------- */

static struct mvs_graph *
absent(struct tidy *t, const struct module_version *m)
{
    const char *root, *why = download_forgive(t->query.d);
    struct module_version by = modset_replaced(t->mods, m, &root);

    if (why == NULL && *by.version == 0)
        why = rt_arena_printf(t->a, "reading %s/go.mod: open %s: no such file "
            "or directory", by.path, paths_join(t->a,
            paths_join(t->a, root == NULL ? "" : root, by.path), "go.mod"));
    rt_errf(t->err, RT_EFORMAT, UINT64_MAX, "go: %s@%s%s: %s", m->path,
        m->version, *by.version != 0 ? "" : rt_arena_printf(
            t->a, " (replaced by %s)", by.path),
        why == NULL ? "its go.mod cannot be read" : why);
    return NULL;
}

struct mvs_graph *
tidy_graph(struct tidy *t, struct tidy_roots *r)
{
    struct mvs_graph *g = r->graph;

    if (g == NULL)
        g = mvs_load(t->mvs, r->at, r->n, r->pruned);
    if (g->absent != NULL)
        return absent(t, g->absent);
    return r->graph = g;
}

/* ---- the fewest of an unpruned graph ------------------------------------------------ */

/* A module, and the next of its requirements to be followed. */
struct step {
    const struct mvs_read *read;
    unsigned next;
};

struct fewest {
    struct tidy *t;
    struct mvs_graph *g;
    struct rt_strmap read;  /* path@version: struct mvs_read */
    struct rt_strmap done;  /* visited */
    struct rt_strmap have;  /* path: version that the result brings */
    const struct module_version **post;
    unsigned npost;
    struct step *step;
    unsigned nstep, stepcap;
    const struct module_version **left; /* of bring() */
    unsigned nleft, leftcap;
    struct set out;
};

static const char *
key_of(struct tidy *t, const struct module_version *m)
{
    return rt_arena_printf(t->a, "%s@%s", m->path, m->version);
}

/* Puts the modules that m leads to into f->post, each behind what it requires.
 * Requirements may form long chains, so the ways back are kept in a list. */
static void
post_order(struct fewest *f, const struct module_version *m)
{
    struct rt_arena *a = f->t->a;

    f->nstep = 0;
    for (;;) {
        const char *key = key_of(f->t, m);
        struct step *top;

        if (rt_strmap_get(&f->done, key) == NULL) {
            const struct mvs_read *r = rt_strmap_get(&f->read, key);

            rt_strmap_add(&f->done, a, key, (void *)key);
            if (r != NULL) {
                f->step = rt_arena_more(
                    a, f->step, f->nstep, &f->stepcap, sizeof *f->step);
                f->step[f->nstep++] = (struct step){r, 0};
            }
        }
        for (;; f->nstep--) {
            if (f->nstep == 0)
                return;
            top = &f->step[f->nstep - 1];
            if (top->next < top->read->nrequire)
                break;
            f->post[f->npost++] = &top->read->id;
        }
        m = &top->read->require[top->next++];
    }
}

/* What comes with a module; in the order of a recursion, since of a path's
 * versions only those count that are newer than what came before. */
static void
bring(struct fewest *f, const struct module_version *m)
{
    struct rt_arena *a = f->t->a;
    unsigned i;

    f->nleft = 0;
    for (;;) {
        struct module_version *have = rt_strmap_get(&f->have, m->path);
        const struct mvs_read *r = NULL;

        if (have == NULL) {
            have = rt_arena_alloc(a, sizeof *have);
            *have = *m;
            rt_strmap_add(&f->have, a, m->path, have);
            r = rt_strmap_get(&f->read, key_of(f->t, m));
        } else if (mvs_compare(m->path, have->version, m->version) < 0) {
            have->version = m->version;
            r = rt_strmap_get(&f->read, key_of(f->t, m));
        }
        for (i = r == NULL ? 0 : r->nrequire; i-- > 0;) {
            f->left = rt_arena_more(
                a, f->left, f->nleft, &f->leftcap, sizeof(*f->left));
            f->left[f->nleft++] = &r->require[i];
        }
        if (f->nleft == 0)
            return;
        m = f->left[--f->nleft];
    }
}

/* The fewest roots, `base` and what these do not bring, that select the same
 * versions as keep. */
static struct tidy_roots *
fewest(struct tidy *t, const struct set *base, const struct module_version *keep,
    unsigned n)
{
    struct tidy_roots *all = tidy_new_roots(t, keep, n, false);
    struct fewest f = {.t = t, .out.a = t->a};
    unsigned i;

    f.g = tidy_graph(t, all);
    if (f.g == NULL)
        return NULL;
    f.post = rt_arena_array(t->a, f.g->nread + 1, sizeof(*f.post));
    for (i = 0; i < f.g->nread; i++)
        rt_strmap_add(
            &f.read, t->a, key_of(t, &f.g->read[i].id), &f.g->read[i]);
    for (i = 0; i < f.g->n; i++)
        post_order(&f, &f.g->list[i]);
    for (i = 0; i < base->n; i++) {
        struct module_version m = {base->at[i].path,
            mvs_selected(f.g, base->at[i].path)};

        if (m.version == NULL || has(&f.out, m.path))
            continue;
        append(&f.out, &m);
        bring(&f, &m);
    }
    rt_assert(f.npost <= f.g->nread);
    for (i = f.npost; i-- > 0;) {
        const struct module_version *m = f.post[i], *have;
        const char *v = mvs_selected(f.g, m->path);

        if (is_main(t, m->path) || v == NULL || strcmp(v, m->version) != 0)
            continue;
        have = rt_strmap_get(&f.have, m->path);
        if (have != NULL && strcmp(have->version, v) == 0)
            continue;
        append(&f.out, m);
        bring(&f, m);
    }
    return tidy_new_roots(t, f.out.at, f.out.n, false);
}

static void
keep_language(struct tidy *t, struct set *s)
{
    static const char *const paths[] = {"go", "toolchain"};
    unsigned i;

    for (i = 0; i < 2; i++) {
        struct module_version m = {paths[i], tidy_root(t->roots, paths[i])};

        if (m.version != NULL)
            append(s, &m);
    }
}

static struct tidy_roots *
minimal_unpruned(struct tidy *t)
{
    struct set keep = {.a = t->a}, base = {.a = t->a};
    struct tidy_roots *r;
    unsigned i, k;
    bool more = false;

    keep_language(t, &keep);
    for (i = 0; i < t->npkg; i++) {
        const struct tidy_package *p = t->pkg[i];

        if (!tidy_is_external(p) || has(&keep, p->mod.path))
            continue;
        append(&keep, &p->mod);
        if (rt_strmap_get(&t->direct, p->mod.path) != NULL)
            append(&base, &p->mod);
    }
    r = fewest(t, &base, keep.at, keep.n);
    if (r == NULL || tidy_graph(t, r) == NULL)
        return NULL;
    /* What could have had a package must not become older, but may go. */
    for (i = 0; i < t->npkg; i++)
        for (k = 0; k < t->pkg[i]->nothers; k++) {
            const struct module_version *m = &t->pkg[i]->others[k];
            const char *v = mvs_selected(r->graph, m->path);

            if (v == NULL || is_main(t, m->path) ||
                mvs_compare(m->path, v, m->version) >= 0)
                continue;
            append(&keep, m);
            more = true;
        }
    return more ? fewest(t, &base, keep.at, keep.n) : r;
}

static struct tidy_roots *
update_unpruned(struct tidy *t, const struct module_version *add, unsigned n)
{
    struct set keep = {.a = t->a}, base = {.a = t->a};
    struct mvs_graph *g = tidy_graph(t, t->roots);
    unsigned i;

    if (g == NULL)
        return NULL;
    for (i = 0; i < t->roots->n; i++) {
        const struct module_version *m = &t->roots->at[i];
        const char *v = mvs_selected(g, m->path);

        if (!is_main(t, m->path) && !has(&base, m->path) && v != NULL &&
            strcmp(v, m->version) == 0)
            append(&base, m);
    }
    for (i = 0; i < g->n; i++)
        if (!is_main(t, g->list[i].path))
            append(&keep, &g->list[i]);
    for (i = 0; i < n; i++)
        append(&keep, &add[i]);
    for (i = 0; i < keep.n; i++)
        if (rt_strmap_get(&t->direct, keep.at[i].path) != NULL &&
            !has(&base, keep.at[i].path))
            append(&base, &keep.at[i]);
    return fewest(t, &base, keep.at, keep.n);
}

/* ---- pruned ------------------------------------------------------------------------------ */

static void
enqueue(
    struct tidy_package **queue, unsigned *n, struct tidy_package *p)
{
    if (p == NULL || p->met)
        return;
    p->met = true;
    queue[(*n)++] = p;
}

/* Where packages became ambiguous because roots are fewer, the module that had
 * them must be one. */
static struct tidy_roots *
disambiguate(struct tidy *t, struct tidy_roots *r, struct set *roots)
{
    unsigned i, before;

    do {
        before = roots->n;
        for (i = 0; i < t->npkg; i++) {
            const struct tidy_package *p = t->pkg[i];
            struct tidy_package again = {.path = p->path};

            if (p->mod.path == NULL || p->test_of != NULL ||
                has(roots, p->mod.path))
                continue;
            tidy_resolve(t, r, &again, false);
            if (again.error != NULL && !again.missing &&
                paths_starts(again.error, "ambiguous import"))
                append(roots, &p->mod);
        }
        if (roots->n != before) {
            r = tidy_new_roots(t, roots->at, roots->n, true);
            if (tidy_graph(t, r) == NULL)
                return NULL;
        }
    } while (roots->n != before);
    return r;
}

static struct tidy_roots *
minimal_pruned(struct tidy *t)
{
    struct set roots = {.a = t->a};
    struct tidy_package **queue =
        rt_arena_array(t->a, t->npkg + 1, sizeof(*queue));
    struct tidy_roots *r;
    unsigned i, k, head = 0, n = 0, end;

    keep_language(t, &roots);
    rt_strmap_add(&roots.paths, t->a, t->mods->mains[0].id.path,
        (void *)t->mods->mains[0].id.path);
    for (i = 0; i < t->npkg; i++)
        t->pkg[i]->met = false;
    for (i = 0; i < t->npkg; i++) {
        struct tidy_package *p = t->pkg[i];

        if (!p->in_all)
            continue;
        if (tidy_is_external(p) && !has(&roots, p->mod.path))
            append(&roots, &p->mod);
        enqueue(queue, &n, p);
    }
    r = tidy_new_roots(t, roots.at, roots.n, true);
    while (head < n) { /* one depth of imports after the other */
        struct mvs_graph *g = tidy_graph(t, r);

        if (g == NULL)
            return NULL;
        for (end = n; head < end; head++) {
            struct tidy_package *p = queue[head];
            const char *v;

            if (p->mod.path == NULL)
                continue;
            for (k = 0; k < p->nimports; k++)
                enqueue(queue, &n, p->imports[k]);
            enqueue(queue, &n, p->test);
            if (has(&roots, p->mod.path))
                continue;
            v = mvs_selected(g, p->mod.path);
            if (v == NULL ||
                mvs_compare(p->mod.path, v, p->mod.version) < 0)
                append(&roots, &p->mod);
        }
        rt_assert(n <= t->npkg);
        if (roots.n > r->n)
            r = tidy_new_roots(t, roots.at, roots.n, true);
    }
    if (tidy_graph(t, r) == NULL)
        return NULL;
    return disambiguate(t, r, &roots);
}

static struct tidy_roots *
update_pruned(struct tidy *t, bool packages, const struct module_version *add,
    unsigned n)
{
    struct tidy_roots *r = t->roots;
    struct set roots = {.a = t->a};
    bool changed = true;
    unsigned i;

    for (i = 0; i < r->n; i++)
        append(&roots, &r->at[i]);
    for (i = 0; packages && i < t->npkg; i++) {
        const struct tidy_package *p = t->pkg[i];

        if (p->in_all && tidy_is_external(p) && !has(&roots, p->mod.path))
            append(&roots, &p->mod);
    }
    for (i = 0; i < n; i++) {
        const char *v = tidy_root(r, add[i].path);

        if (v == NULL || mvs_compare(add[i].path, v, add[i].version) < 0)
            append(&roots, &add[i]);
    }
    while (changed) {
        struct mvs_graph *g;

        r = tidy_new_roots(t, roots.at, roots.n, true);
        g = tidy_graph(t, r);
        if (g == NULL)
            return NULL;
        roots = (struct set){.a = t->a};
        changed = false;
        for (i = 0; i < r->n; i++) {
            struct module_version m = {
                r->at[i].path, mvs_selected(g, r->at[i].path)};

            rt_assert(m.version != NULL);
            if (is_main(t, m.path) || has(&roots, m.path))
                continue;
            append(&roots, &m);
            changed |= strcmp(m.version, r->at[i].version) != 0;
        }
    }
    return roots.n == r->n
        ? r : tidy_new_roots(t, roots.at, roots.n, true);
}

/* ---- either ---------------------------------------------------------------------------------- */

struct tidy_roots *
tidy_minimal(struct tidy *t)
{
    return t->roots->pruned ? minimal_pruned(t) : minimal_unpruned(t);
}

struct tidy_roots *
tidy_update(struct tidy *t, bool packages, const struct module_version *add,
    unsigned n)
{
    return t->roots->pruned ? update_pruned(t, packages, add, n)
                            : update_unpruned(t, add, n);
}

struct tidy_roots *
tidy_convert(struct tidy *t, bool pruned)
{
    struct mvs_graph *g;
    struct set list = {.a = t->a};
    unsigned i;

    if (t->roots->pruned == pruned)
        return t->roots;
    if (!pruned)
        return update_unpruned(t, NULL, 0);
    g = tidy_graph(t, t->roots);
    for (i = 0; g != NULL && i < g->n; i++)
        if (!is_main(t, g->list[i].path))
            append(&list, &g->list[i]);
    return g == NULL ? NULL : tidy_new_roots(t, list.at, list.n, true);
}
