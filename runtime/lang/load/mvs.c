/* SPDX-License-Identifier: MIT */
#include "runtime/lang/load/mvs.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/base/arena.h"
#include "runtime/lang/load/semver.h"

enum { PRUNED_SINCE = 17 };

/* A version of a module that somebody requires. */
struct node {
    struct module_version id;
    bool wanted[2]; /* to be followed: not pruned, pruned */
    bool read, old; /* its go.mod was; and is older than pruning */
    struct module_file file;
};

struct search {
    struct modset *s;
    struct node **node; /* in the order of their discovery */
    unsigned n, cap;
    unsigned *slot; /* index + 1 by hash; nslot is a power of two */
    unsigned nslot;
    struct {
        struct node *node;
        bool pruned;
    } *queue;
    unsigned head, tail, qcap;
};

static void *
grow(struct search *q, const void *old, unsigned n, unsigned *cap,
    size_t size)
{
    unsigned more = *cap == 0 ? 64 : *cap * 2;
    void *p = rt_arena_array(q->s->a, more, size);

    if (n != 0)
        memcpy(p, old, n * size);
    *cap = more;
    return p;
}

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

    while (q->slot[i] != 0 && !same(&q->node[q->slot[i] - 1]->id, m))
        i = (i + 1) & (q->nslot - 1);
    return i;
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

        if (q->n == q->cap)
            q->node = grow(q, q->node, q->n, &q->cap, sizeof(*q->node));
        x->id = *m;
        q->node[q->n++] = x;
        q->slot[i] = q->n;
    }
    return q->node[q->slot[i] - 1];
}

static void
enqueue(struct search *q, const struct module_version *m, bool pruned)
{
    struct node *x = node_of(q, m);

    /* What is followed without pruning needs no other visit. */
    if (x->wanted[pruned] || x->wanted[false])
        return;
    x->wanted[pruned] = true;
    if (q->tail == q->qcap)
        q->queue = grow(q, q->queue, q->tail, &q->qcap, sizeof *q->queue);
    q->queue[q->tail].node = x;
    q->queue[q->tail++].pruned = pruned;
}

static void
visit(struct search *q, struct node *x, bool pruned)
{
    bool follow;
    unsigned i;

    if (!x->read) {
        x->read = true;
        if (!modset_read(q->s, &x->id, &x->file))
            x->file = (struct module_file){0};
        x->old = module_minor(&x->file) < PRUNED_SINCE;
    }
    follow = !pruned || x->old;
    for (i = 0; i < x->file.nrequire; i++) {
        const struct module_version *to = &x->file.require[i].mod;

        if (modset_excluded(q->s, to))
            continue;
        node_of(q, to);
        if (follow)
            enqueue(q, to, pruned && !x->old);
    }
}

static void
search(struct search *q)
{
    unsigned i, k;

    for (i = 0; i < q->s->nmains; i++) {
        const struct module_file *f = &q->s->files[i];
        bool pruned =
            q->s->work != NULL || module_minor(f) >= PRUNED_SINCE;

        for (k = 0; k < f->nrequire; k++) {
            const struct module_version *to = &f->require[k].mod;

            if (modset_excluded(q->s, to))
                continue;
            enqueue(q, to, pruned);
        }
    }
    while (q->head < q->tail) {
        struct node *x = q->queue[q->head].node;

        visit(q, x, q->queue[q->head++].pruned);
    }
}

static int
by_path(const void *a, const void *b)
{
    const struct module_version *x = a, *y = b;
    int c = strcmp(x->path, y->path);

    return c != 0 ? c : -semver_compare(x->version, y->version);
}

struct module_version *
mvs_select(struct modset *s, unsigned *n)
{
    struct search q = {.s = s};
    struct module_version *all;
    unsigned i, k = 0;

    search(&q);
    all = rt_arena_array(s->a, q.n + 1, sizeof *all);
    for (i = 0; i < q.n; i++)
        all[i] = q.node[i]->id;
    if (q.n > 1)
        qsort(all, q.n, sizeof *all, by_path);
    for (i = 0; i < q.n; i++)
        if (k == 0 || strcmp(all[k - 1].path, all[i].path) != 0)
            all[k++] = all[i];
    *n = k;
    return all;
}
