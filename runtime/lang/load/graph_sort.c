/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "runtime/base/arena.h"
#include "runtime/base/throw.h"
#include "runtime/lang/load/graph.h"

/*
 * The order of initialisation, by Kahn's algorithm: a package becomes ready
 * when the last of its imports has its place, and of those that are ready the
 * one with the first path is next.  The ready ones stand in a binary heap, so
 * that a program of n packages takes n log n steps.
 */

struct sort {
    struct graph_package **order;  /* as loaded */
    struct graph_package **ready;  /* the heap */
    unsigned nready;
    unsigned *waits;               /* imports without a place, of each */
    unsigned *users, *first;       /* who imports package i:
                                      users[first[i] .. first[i + 1]) */
};

/* Packages of one path, a folder's and its tests', keep their order. */
static bool
before(const struct graph_package *a, const struct graph_package *b)
{
    int c = strcmp(a->path, b->path);

    return c != 0 ? c < 0 : a->index < b->index;
}

static void
put_ready(struct sort *s, struct graph_package *p)
{
    unsigned i = s->nready++;

    for (; i != 0 && before(p, s->ready[(i - 1) / 2]); i = (i - 1) / 2)
        s->ready[i] = s->ready[(i - 1) / 2];
    s->ready[i] = p;
}

static struct graph_package *
take_ready(struct sort *s)
{
    struct graph_package *top = s->ready[0], *last = s->ready[--s->nready];
    unsigned i = 0, child;

    for (; (child = 2 * i + 1) < s->nready; i = child) {
        if (child + 1 < s->nready &&
            before(s->ready[child + 1], s->ready[child]))
            child++;
        if (!before(s->ready[child], last))
            break;
        s->ready[i] = s->ready[child];
    }
    s->ready[i] = last;
    return top;
}

/* Fills s->users and s->first; s->waits[i] becomes what i imports. */
static void
list_users(struct sort *s, const struct graph *g)
{
    unsigned n = g->norder, edges = 0, i, k;
    unsigned *end = rt_arena_array(g->a, n + 1, sizeof *end);

    for (i = 0; i < n; i++) {
        s->waits[i] = g->order[i]->nimports;
        edges += s->waits[i];
        for (k = 0; k < s->waits[i]; k++) {
            const struct graph_package *q = g->order[i]->imports[k];

            rt_assert(q->index < n && g->order[q->index] == q);
            s->first[q->index + 1]++;
        }
    }
    for (i = 0; i < n; i++) {
        s->first[i + 1] += s->first[i];
        end[i] = s->first[i];
    }
    rt_assert(s->first[n] == edges);
    s->users = rt_arena_array(g->a, edges + 1, sizeof *s->users);
    for (i = 0; i < n; i++)
        for (k = 0; k < s->waits[i]; k++)
            s->users[end[g->order[i]->imports[k]->index]++] = i;
}

void
graph_sort(struct graph *g)
{
    unsigned n = g->norder, i, k;
    struct sort s = {
        .order = rt_arena_array(g->a, n + 1, sizeof *s.order),
        .ready = rt_arena_array(g->a, n + 1, sizeof *s.ready),
        .waits = rt_arena_array(g->a, n + 1, sizeof *s.waits),
        .first = rt_arena_array(g->a, n + 2, sizeof *s.first),
    };

    for (i = 0; i < n; i++) {
        s.order[i] = g->order[i];
        s.order[i]->index = i;
    }
    list_users(&s, g);
    for (i = 0; i < n; i++)
        if (s.waits[i] == 0)
            put_ready(&s, s.order[i]);
    for (i = 0; i < n; i++) {
        struct graph_package *p;

        /* Imports have no cycles, and what is imported was loaded. */
        rt_assert(s.nready != 0);
        p = g->order[i] = take_ready(&s);
        for (k = s.first[p->index]; k < s.first[p->index + 1]; k++)
            if (--s.waits[s.users[k]] == 0)
                put_ready(&s, s.order[s.users[k]]);
    }
}
