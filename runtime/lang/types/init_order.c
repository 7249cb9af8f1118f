/* SPDX-License-Identifier: MIT */

/*
 * The order in which package variables are initialised: again and again the
 * first one in source order that depends on no uninitialised one, where a
 * reference to a function counts as one to all that its body refers to (Go
 * specification, Package initialization).
 *
 * A depth-first walk from each variable through functions gives its direct
 * and indirect variables; a binary heap by source order holds the ready
 * ones.  What never becomes ready lies on or behind a cycle.
 */

#include <stdlib.h>
#include <string.h>

#include "runtime/lang/types/check_int.h"

struct node {
    struct decl_info *d;
    uint32_t ndeps; /* uninitialised ones */
    struct node **users;
    uint32_t nusers, usercap;
    uint32_t order;
    bool done;
};

struct graph {
    struct check *c;
    struct check_pkg *pkg;
    struct node *nodes;
    uint32_t n;
    struct node **heap;
    uint32_t nheap;
    uint32_t mark;
};

static bool
wanted(const struct check_pkg *pkg, const struct decl_info *d)
{
    if (d->decl->kind == DECL_CONST)
        return !pkg->library;
    if (d->decl->kind != DECL_VAR)
        return false;
    return !pkg->library || d->init_checked;
}

static void
heap_push(struct graph *g, struct node *x)
{
    uint32_t i = g->nheap++;

    for (; i > 0 && g->heap[(i - 1) / 2]->order > x->order; i = (i - 1) / 2)
        g->heap[i] = g->heap[(i - 1) / 2];
    g->heap[i] = x;
}

static struct node *
heap_pop(struct graph *g)
{
    struct node *top = g->heap[0], *x = g->heap[--g->nheap];
    uint32_t i = 0, k;

    while ((k = 2 * i + 1) < g->nheap) {
        if (k + 1 < g->nheap && g->heap[k + 1]->order < g->heap[k]->order)
            k++;
        if (g->heap[k]->order >= x->order)
            break;
        g->heap[i] = g->heap[k];
        i = k;
    }
    g->heap[i] = x;
    return top;
}

/* Collects what variables x depends on. */
static void
reach(struct graph *g, struct node *x)
{
    struct decl_info **stack = NULL;
    uint32_t n = 0, cap = 0, i;

    g->mark = ++g->c->in->mark;
    CHECK_PUSH(g->c, stack, n, cap, x->d);
    while (n > 0) {
        struct decl_info *d = stack[--n];

        for (i = 0; i < d->ndeps; i++) {
            struct decl_info *t = d->deps[i]->dinfo;

            if (!t || t->mark == g->mark || t->pkg != g->pkg)
                continue;
            t->mark = g->mark;
            if (t->obj->kind == OBJ_FUNC) {
                CHECK_PUSH(g->c, stack, n, cap, t);
            } else if (t->node) {
                CHECK_PUSH(
                    g->c, t->node->users, t->node->nusers, t->node->usercap, x);
                x->ndeps++;
            }
        }
    }
}

/* ---- cycles ------------------------------------------------------------- */

struct finder {
    struct check *c;
    struct decl_info *goal;
    uint32_t mark;
    struct object **path;
    uint32_t n, cap;
};

/* Depth first from d to f->goal; the path is left in f.  Explicit stack: a
 * chain of functions may be long. */
static bool
find_path(struct finder *f, struct decl_info *start)
{
    struct frame {
        struct decl_info *d;
        uint32_t i;
    } *st = NULL;

    uint32_t n = 0, cap = 0, k;
    struct frame fr = {start, 0};

    CHECK_PUSH(f->c, st, n, cap, fr);
    while (n > 0) {
        struct frame *t = &st[n - 1];
        struct decl_info *d;

        if (t->i == t->d->ndeps) {
            n--;
            continue;
        }
        d = t->d->deps[t->i++]->dinfo;
        if (!d || d->pkg != f->goal->pkg)
            continue;
        if (d == f->goal) {
            for (k = 0; k < n; k++)
                CHECK_PUSH(f->c, f->path, f->n, f->cap, st[k].d->obj);
            return true;
        }
        if (d->mark == f->mark)
            continue;
        d->mark = f->mark;
        fr.d = d;
        fr.i = 0;
        CHECK_PUSH(f->c, st, n, cap, fr);
    }
    return false;
}

static void
report_cycle(struct check *c, struct decl_info *d)
{
    struct finder f = {.c = c, .goal = d, .mark = ++c->in->mark};
    struct check_text b = {.c = c};
    uint32_t i;

    if (!find_path(&f, d))
        return;
    if (f.n == 1) {
        check_errf(c, d->obj->pos, "initialization cycle: %s refers to itself",
            d->obj->name->text);
        return;
    }
    check_text_add(&b, "initialization cycle for ");
    check_text_add(&b, d->obj->name->text);
    for (i = 0; i < f.n; i++) {
        check_text_add(&b, "\n\t");
        check_text_add(&b, check_place(c, f.path[i]->pos));
        check_text_add(&b, ": ");
        check_text_add(&b, f.path[i]->name->text);
        check_text_add(&b, " refers to ");
        check_text_add(&b, f.path[(i + 1) % f.n]->name->text);
    }
    check_errf(c, d->obj->pos, "%s", check_text_str(&b));
}

/* ---- the order ---------------------------------------------------------- */

static void
build(struct graph *g)
{
    struct check_pkg *pkg = g->pkg;
    uint32_t i;

    g->nodes = CHECK_ARRAY(g->c, struct node, pkg->ndecls);
    g->heap = CHECK_ARRAY(g->c, struct node *, pkg->ndecls + 1);
    for (i = 0; i < pkg->ndecls; i++) {
        struct decl_info *d = pkg->decls[i];

        d->node = NULL;
        d->emitted = false;
        if (!wanted(pkg, d))
            continue;
        d->node = &g->nodes[g->n];
        d->node->d = d;
        d->node->order = g->n++;
    }
    for (i = 0; i < g->n; i++)
        reach(g, &g->nodes[i]);
}

static void
emit(struct graph *g, struct node *x)
{
    struct decl_info *d = x->d;
    struct init_item *it;
    uint32_t i;

    if (!d->init || d->decl->kind != DECL_VAR || d->emitted)
        return;
    d->emitted = true;
    for (i = 0; i < d->nlhs; i++)
        d->lhs[i]->dinfo->emitted = true;
    it = &g->pkg->init_items[g->pkg->ninit_items++];
    it->rhs = d->init;
    if (d->lhs) {
        it->lhs = d->lhs;
        it->nlhs = d->nlhs;
    } else {
        it->lhs = CHECK_NEW(g->c, struct object *);
        it->lhs[0] = d->obj;
        it->nlhs = 1;
    }
}

/* x counts as initialised. */
static void
finish(struct graph *g, struct node *x)
{
    uint32_t i;

    x->done = true;
    emit(g, x);
    for (i = 0; i < x->nusers; i++)
        if (--x->users[i]->ndeps == 0 && !x->users[i]->done)
            heap_push(g, x->users[i]);
}

/* The node on which the fewest others wait. */
static struct node *
least(struct graph *g)
{
    struct node *best = NULL;
    uint32_t i;

    for (i = 0; i < g->n; i++)
        if (!g->nodes[i].done && (!best || g->nodes[i].ndeps < best->ndeps))
            best = &g->nodes[i];
    return best;
}

bool
check_init_order(struct check *c, struct check_pkg *pkg)
{
    struct graph g = {.c = c, .pkg = pkg};
    struct node *x;
    bool ok = true;
    uint32_t i;

    pkg->ninit_items = 0;
    build(&g);
    pkg->init_items = CHECK_ARRAY(c, struct init_item, g.n);
    for (i = 0; i < g.n; i++)
        if (g.nodes[i].ndeps == 0)
            heap_push(&g, &g.nodes[i]);
    for (;;) {
        while (g.nheap > 0)
            finish(&g, heap_pop(&g));
        x = least(&g);
        if (!x || lang_diag_full(c->parse->diag))
            return ok;
        ok = false;
        report_cycle(c, x->d);
        finish(&g, x);
    }
}
