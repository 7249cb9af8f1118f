/* SPDX-License-Identifier: MIT */

/*
 * The order in which package variables are initialised: again and again the
 * first one in source order that depends on no uninitialised one, where a
 * reference to a function counts as one to all that its body refers to (Go
 * specification, Package initialization).
 *
 * The graph has a node for each variable and constant, and one for each group
 * of functions that can reach one another: a group is done as soon as all
 * that it refers to is.  So the graph has no more edges than the source has
 * references.  A binary heap by source order holds the ready ones, constants
 * before variables.
 *
 * What never becomes ready lies on or behind a cycle.  Then Go's compiler
 * counts, for each variable that is left, those that it depends on through
 * any functions, and takes the one with the fewest next; to name the same
 * cycles, so is done here.  That, and what is said of n cycles that share a
 * long way, grows with the square of the source: so there is a limit, beyond
 * which the source's order does, and the last message says that there are
 * more.
 */

#include <stdlib.h>
#include <string.h>

#include "runtime/lang/types/check_int.h"

enum {
    CYCLE_WORK = 4000 * 1000, /* references that are followed for messages */
    ENTRY_WORK = 8,           /* what a line of a message counts */
};

struct node {
    struct decl_info *d; /* NULL: a group of functions */
    uint32_t ndeps;      /* that are not done */
    struct node **users;
    uint32_t nusers, usercap;
    struct node *last_user; /* noted already */
    uint32_t order;
    bool done;
};

/* A declaration in the search for groups. */
struct visit {
    uint32_t index; /* order of discovery */
    uint32_t low;   /* least index that it is known to reach */
    uint32_t next;  /* of its dependencies */
    bool open;      /* its group is not known yet */
    bool on_cycle;
};

struct graph {
    struct check *c;
    struct check_pkg *pkg;
    struct node *nodes; /* of variables and constants, by order */
    uint32_t n;
    uint64_t *heap; /* keys; the low half is an index of nodes */
    uint32_t nheap, heapcap;
    struct node **ready; /* groups */
    uint32_t nready, readycap;
    /* The search for groups. */
    bool all; /* variables may be in one, too */
    uint32_t nvisits;
    struct decl_info **path;
    uint32_t npath, pathcap;
    struct decl_info **open;
    uint32_t nopen, opencap;
    uint32_t work; /* done for messages, up to CYCLE_WORK or little more */
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

/* ---- the heap ----------------------------------------------------------- */

static void
heap_push(struct graph *g, uint64_t key)
{
    uint32_t i;

    CHECK_PUSH(g->c, g->heap, g->nheap, g->heapcap, key);
    for (i = g->nheap - 1; i > 0 && g->heap[(i - 1) / 2] > key;
         i = (i - 1) / 2)
        g->heap[i] = g->heap[(i - 1) / 2];
    g->heap[i] = key;
}

static uint64_t
heap_pop(struct graph *g)
{
    uint64_t top = g->heap[0], x = g->heap[--g->nheap];
    uint32_t i = 0, k;

    while ((k = 2 * i + 1) < g->nheap) {
        if (k + 1 < g->nheap && g->heap[k + 1] < g->heap[k])
            k++;
        if (g->heap[k] >= x)
            break;
        g->heap[i] = g->heap[k];
        i = k;
    }
    g->heap[i] = x;
    return top;
}

/* The source's order, but constants first: they have their values before any
 * variable has, and what refers to one waits for nothing. */
static uint64_t
ready_key(const struct node *x)
{
    rt_assert(x->d != NULL);
    return (uint64_t)(x->d->decl->kind == DECL_VAR) << 63 | x->order;
}

/* ---- groups ------------------------------------------------------------- */

static bool
is_func(const struct decl_info *d)
{
    return d->obj->kind == OBJ_FUNC;
}

/* d's next dependency in the package that a group may have; NULL: no more. */
static struct decl_info *
next_member(struct graph *g, struct decl_info *d)
{
    struct visit *v = d->visit;

    while (v->next < d->ndeps) {
        struct decl_info *t = d->deps[v->next++]->dinfo;

        if (!t || t->pkg != g->pkg)
            continue;
        if (t == d)
            v->on_cycle = true;
        if (is_func(t) || (g->all && t->node))
            return t;
    }
    return NULL;
}

static void
open_visit(struct graph *g, struct decl_info *d)
{
    rt_assert(d->visit == NULL);
    d->visit = CHECK_NEW(g->c, struct visit);
    d->visit->index = d->visit->low = ++g->nvisits;
    d->visit->open = true;
    CHECK_PUSH(g->c, g->path, g->npath, g->pathcap, d);
    CHECK_PUSH(g->c, g->open, g->nopen, g->opencap, d);
}

static void
add_edge(struct graph *g, struct node *from, struct node *to)
{
    if (!from || from->last_user == to)
        return;
    from->last_user = to;
    if (from->done)
        return;
    CHECK_PUSH(g->c, from->users, from->nusers, from->usercap, to);
    to->ndeps++;
}

/* Links `to` with what d refers to.  All groups that are meant are known. */
static void
link_deps(struct graph *g, struct decl_info *d, struct node *to)
{
    uint32_t i;

    for (i = 0; i < d->ndeps; i++) {
        struct decl_info *t = d->deps[i]->dinfo;

        if (t && t->pkg == g->pkg && !(to->d == NULL && t->node == to))
            add_edge(g, t->node, to);
    }
}

/* The group whose first found member is d is complete: it is the open
 * declarations from d on. */
static void
close_group(struct graph *g, struct decl_info *d)
{
    uint32_t i, from = g->nopen;
    struct node *x = NULL;

    rt_assert(from > 0 && d->visit->open);
    while (g->open[--from] != d)
        ;
    if (!g->all)
        x = CHECK_NEW(g->c, struct node);
    for (i = from; i < g->nopen; i++) {
        g->open[i]->visit->open = false;
        g->open[i]->visit->on_cycle |= g->nopen - from > 1;
        if (x)
            g->open[i]->node = x;
    }
    for (i = from; x && i < g->nopen; i++)
        link_deps(g, g->open[i], x);
    g->nopen = from;
    if (x && x->ndeps == 0)
        CHECK_PUSH(g->c, g->ready, g->nready, g->readycap, x);
}

/* Finds the groups of d and of all below it (Tarjan's algorithm, with a stack
 * of its own: a chain of functions may be long). */
static void
find_groups(struct graph *g, struct decl_info *d)
{
    struct decl_info *t, *up;

    if (d->visit)
        return;
    open_visit(g, d);
    while (g->npath > 0) {
        d = g->path[g->npath - 1];
        t = next_member(g, d);
        if (t && !t->visit) {
            open_visit(g, t);
        } else if (t) {
            if (t->visit->open && t->visit->index < d->visit->low)
                d->visit->low = t->visit->index;
        } else {
            g->npath--;
            if (d->visit->low == d->visit->index)
                close_group(g, d);
            up = g->npath ? g->path[g->npath - 1] : NULL;
            if (up && d->visit->low < up->visit->low)
                up->visit->low = d->visit->low;
        }
    }
    rt_assert(g->nopen == 0); /* nobody outside reaches the first of them */
}

/* ---- cycles ------------------------------------------------------------- */

struct finder {
    struct check *c;
    struct decl_info *goal;
    uint32_t mark;
    struct object **path;
    uint32_t n, cap;
    uint32_t work;
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
        f->work++;
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
report_cycle(struct graph *g, struct decl_info *d)
{
    struct check *c = g->c;
    struct finder f = {.c = c, .goal = d, .mark = ++c->in->mark};
    struct check_text b = {.c = c};
    uint32_t i;
    bool found = find_path(&f, d);

    g->work += f.work + ENTRY_WORK * f.n;
    if (!found)
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

/* Counts the variables that x depends on and that are not done, and makes x a
 * user of each; not beyond the limit. */
static void
reach(struct graph *g, struct node *x)
{
    struct decl_info **stack = NULL;
    uint32_t n = 0, cap = 0, i, mark = ++g->c->in->mark;

    CHECK_PUSH(g->c, stack, n, cap, x->d);
    while (n > 0 && g->work <= CYCLE_WORK) {
        struct decl_info *d = stack[--n];

        g->work += d->ndeps;

        for (i = 0; i < d->ndeps; i++) {
            struct decl_info *t = d->deps[i]->dinfo;

            if (!t || t->mark == mark || t->pkg != g->pkg)
                continue;
            t->mark = mark;
            if (is_func(t))
                CHECK_PUSH(g->c, stack, n, cap, t);
            else
                add_edge(g, t->node, x);
        }
    }
}

static uint64_t
key_of(const struct node *x, bool counted)
{
    return ready_key(x) | (uint64_t)(counted ? x->ndeps : 0) << 32;
}

/* Some variables are left.  The one that depends on the fewest of them is the
 * next; if it is on a cycle, the cycle is reported. */
static void
report_cycles(struct graph *g)
{
    uint32_t i;
    bool counted;

    g->all = true;
    g->nvisits = 0;
    for (i = 0; i < g->pkg->ndecls; i++)
        g->pkg->decls[i]->visit = NULL;
    for (i = 0; i < g->n; i++) {
        g->nodes[i].nusers = g->nodes[i].ndeps = 0;
        g->nodes[i].last_user = NULL;
    }
    for (i = 0; i < g->n; i++) {
        if (g->nodes[i].done)
            continue;
        find_groups(g, g->nodes[i].d);
        reach(g, &g->nodes[i]);
    }
    counted = g->work <= CYCLE_WORK;
    for (i = 0; i < g->n; i++)
        if (!g->nodes[i].done)
            heap_push(g, key_of(&g->nodes[i], counted));
    g->work = 0;
    while (g->nheap > 0 && !lang_diag_full(g->c->parse->diag)) {
        uint64_t key = heap_pop(g);
        struct node *x = &g->nodes[(uint32_t)key];

        if (x->done || key != key_of(x, counted))
            continue;
        if (x->d->visit->on_cycle && (x->ndeps > 0 || !counted)) {
            if (g->work > CYCLE_WORK) {
                check_errf(g->c, x->d->obj->pos,
                    "initialization cycle for %s (more are not listed)",
                    x->d->obj->name->text);
                return;
            }
            report_cycle(g, x->d);
        }
        x->done = true;
        for (i = 0; i < x->nusers; i++) {
            x->users[i]->ndeps--;
            if (!x->users[i]->done && counted)
                heap_push(g, key_of(x->users[i], counted));
        }
    }
}

/* ---- the order ---------------------------------------------------------- */

static void
build(struct graph *g)
{
    struct check_pkg *pkg = g->pkg;
    uint32_t i, k, n;

    for (i = n = 0; i < pkg->ndecls; i++)
        n += wanted(pkg, pkg->decls[i]);
    g->nodes = CHECK_ARRAY(g->c, struct node, n);
    for (i = 0; i < pkg->ndecls; i++) {
        struct decl_info *d = pkg->decls[i];

        d->node = NULL;
        d->visit = NULL;
        d->emitted = false;
        if (!wanted(pkg, d))
            continue;
        d->node = &g->nodes[g->n];
        d->node->d = d;
        d->node->order = g->n++;
    }
    for (i = 0; i < g->n; i++) {
        struct decl_info *d = g->nodes[i].d;

        for (k = 0; k < d->ndeps; k++)
            if (d->deps[k]->dinfo && d->deps[k]->dinfo->pkg == pkg &&
                is_func(d->deps[k]->dinfo))
                find_groups(g, d->deps[k]->dinfo);
        link_deps(g, d, &g->nodes[i]);
    }
}

static void
emit(struct graph *g, struct node *x)
{
    struct decl_info *d = x->d;
    struct init_item *it;
    uint32_t i;

    if (!d->init || d->decl->kind != DECL_VAR || d->emitted)
        return;
    rt_assert(g->pkg->ninit_items < g->n);
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

    rt_assert(!x->done && x->ndeps == 0);
    x->done = true;
    if (x->d)
        emit(g, x);
    for (i = 0; i < x->nusers; i++) {
        struct node *u = x->users[i];

        rt_assert(!u->done && u->ndeps > 0);
        if (--u->ndeps > 0)
            continue;
        if (u->d)
            heap_push(g, ready_key(u));
        else
            CHECK_PUSH(g->c, g->ready, g->nready, g->readycap, u);
    }
}

/* Finishes what can be; how many variables and constants that are. */
static uint32_t
run(struct graph *g)
{
    uint32_t i, n = 0;

    for (i = 0; i < g->n; i++)
        if (g->nodes[i].ndeps == 0)
            heap_push(g, ready_key(&g->nodes[i]));
    while (g->nready > 0 || g->nheap > 0) {
        if (g->nready > 0) {
            finish(g, g->ready[--g->nready]);
        } else {
            finish(g, &g->nodes[(uint32_t)heap_pop(g)]);
            n++;
        }
    }
    return n;
}

bool
check_init_order(struct check *c, struct check_pkg *pkg)
{
    struct graph g = {.c = c, .pkg = pkg};

    pkg->ninit_items = 0;
    build(&g);
    pkg->init_items = CHECK_ARRAY(c, struct init_item, g.n);
    if (run(&g) == g.n)
        return true;
    report_cycles(&g);
    return false;
}
