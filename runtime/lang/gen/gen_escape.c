/* SPDX-License-Identifier: MIT */
/*
 * Whose address stays with a function.
 *
 * A declared function and the literals and loop bodies inside are looked at
 * together.  Each variable, and each expression that makes memory, is a
 * location; "the value of s, dereferenced d times, comes to be in t" is a flow
 * from s to t, with d = -1 where it is the address of s.  What is stored
 * through a pointer, sent, kept by a native or handed to nobody knows whom
 * flows to the location HEAP.  From every location t the flows are followed
 * backwards: where one of -1 derefs leads to s and t lives longer than s, s
 * needs memory of the heap, and what is in it flows to the heap, too.  All
 * others may be cells (gen_cell.c).
 *
 * Who calls a function needs to know only what it does with its parameters:
 * the least number of derefs with which each flows to the heap and to each
 * result.  That is worked out when first asked for; within a recursion, and
 * where the chain of calls is long, it is taken for the worst.
 *
 * Longer than s lives t if t is the heap or a result, belongs to a function
 * around that of s, or to the same one and an outer loop.  A variable of a
 * three-clause loop hands its value to the next iteration, but has a new
 * address there: as t it counts as outside of the loop, as s as inside.
 *
 * Idea: escape analysis of Go's compiler, cmd/compile/internal/escape.
 */
#include "runtime/lang/gen/gen_escape.h"
#include "runtime/lang/gen/gen_stock.h"
#include "runtime/lang/types/spec.h"

#include <stdlib.h>
#include <string.h>

/* ---- following the flows ------------------------------------------------- */

static bool
is_inside(const struct esc *x, uint32_t fn, uint32_t of)
{
    while (fn != of && fn != 0)
        fn = x->fns.at[fn].up;
    return fn == of;
}

/* Does t live longer than s? */
static bool
outlives(const struct esc *x, uint32_t t, uint32_t s)
{
    const struct loc *a = &x->locs.at[t], *b = &x->locs.at[s];

    if (t <= x->nres || a->escapes)
        return true;
    if (a->fn == b->fn)
        return a->depth < b->inside;
    /* To a function inside that of s it may flow, for that is called while s
     * is there: in the same iteration, or its closure has been kept. */
    return !is_inside(x, a->fn, b->fn);
}

/* A parameter's value comes to t. */
static void
note_leak(struct esc *x, struct sum **sums, uint32_t t, const struct loc *p,
    int d)
{
    struct sum *s = sums[p->fn];
    uint32_t r = 0;
    int8_t *l;

    if (s == NULL)
        return;
    if (p->fn == 0 && t >= 1 && t <= x->nres)
        r = t;
    rt_assert(p->index < s->s.nparams && r <= s->s.nres);
    l = &s->leak[p->index * (1 + s->s.nres) + r];
    if (d < *l)
        *l = (int8_t)d;
}

/* Everything that flows to t. */
static void
walk_from(struct esc *x, struct sum **sums, uint32_t t)
{
    GVEC(uint32_t) todo = {0};

    x->walks++;
    x->locs.at[t].walk = x->walks;
    x->locs.at[t].derefs = 0;
    *gvec_push(x->g, &todo) = t;
    while (todo.n > 0) {
        uint32_t at = todo.at[--todo.n], i;
        struct loc *l = &x->locs.at[at];
        int base = l->derefs;

        if (at != t && outlives(x, t, at)) {
            if (l->param)
                note_leak(x, sums, t, l, base < 0 ? 0 : base);
            if (base < 0 && !l->escapes) {
                l->escapes = true;
                *gvec_push(x->g, &x->queue) = at;
            }
        }
        if (base < 0)
            base = 0;
        for (i = l->flows; i != 0; i = x->flows.at[i - 1].next) {
            const struct flow *w = &x->flows.at[i - 1];
            struct loc *s = &x->locs.at[w->from];
            int d = base + w->derefs;

            if (d > DEREFS_MAX)
                d = DEREFS_MAX;
            if (s->walk == x->walks && s->derefs <= d)
                continue;
            s->walk = x->walks;
            s->derefs = d;
            *gvec_push(x->g, &todo) = w->from;
        }
    }
    free(todo.at);
}

static void
follow(struct esc *x, struct sum **sums)
{
    uint32_t i;

    for (i = 0; i < x->locs.n; i++)
        walk_from(x, sums, i);
    while (x->queue.n > 0)
        walk_from(x, sums, x->queue.at[--x->queue.n]);
}

static void
mark_sites(struct esc *x)
{
    uint32_t i;

    for (i = 0; i < x->locs.n; i++) {
        struct loc *l = &x->locs.at[i];
        struct ast_stmt *s = l->at;

        if (l->escapes)
            continue;
        switch (l->site) {
        case SITE_VAR:
            ((struct object *)l->at)->gen_stays = true;
            break;
        case SITE_EXPR:
            ((struct ast_expr *)l->at)->flags |= AST_F_STAYS;
            break;
        case SITE_RANGE:
            s->mark |= MARK_STAYS;
            break;
        case SITE_NEXT:
            s->mark |= MARK_NEXT_STAYS;
            break;
        default:
            break;
        }
    }
}

/* ---- summaries ----------------------------------------------------------- */

static struct sum *
new_sum(struct gen *g, uint32_t nparams, uint32_t nres)
{
    struct sum *s = gen_scratch(g, sizeof *s);
    size_t n = (size_t)nparams * (1 + nres);

    memset(s, 0, sizeof *s);
    s->s.nparams = nparams;
    s->s.nres = nres;
    s->leak = gen_scratch(g, n + 1);
    s->s.leak = s->leak;
    memset(s->leak, NO_LEAK, n);
    return s;
}

static void
keep_sum(struct gen *g, const void *key, struct sum *s)
{
    struct escape_sums *e = g->escapes;
    uint32_t id = e->list.n;

    *gvec_push(g, &e->list) = s;
    gmap_put(g, &e->ids, (uint64_t)(uintptr_t)key, id);
}

/* The worst that a function can do. */
static struct sum *
worst(struct gen *g, uint32_t nparams, uint32_t nres)
{
    struct sum *s = new_sum(g, nparams, nres);

    memset(s->leak, 0, (size_t)nparams * (1 + nres));
    return s;
}

static void
analyse(struct esc *x, struct object *fn)
{
    struct gen *g = x->g;
    struct type *sig = fn->type;
    struct ast_func *func = &fn->decl->func.func;
    bool recv = sig->recv != NULL;
    struct sum **sums;
    uint32_t i;

    x->depth = 1;
    esc_new_loc(x, SITE_NONE, NULL, NULL);
    x->locs.at[HEAP].escapes = true;
    x->locs.at[HEAP].depth = 0;
    x->nres = sig->nvars - sig->nparams;
    for (i = 0; i < x->nres; i++)
        esc_new_loc(x, SITE_NONE, NULL, NULL);
    esc_enter(x, false, HEAP, sig, NULL);
    rt_assert(x->fn == 0);
    esc_declare_params(x, sig, recv);
    esc_stmts(x, func->body->stmts);
    sums = gen_scratch(g, x->fns.n * sizeof *sums);
    for (i = 0; i < x->fns.n; i++)
        sums[i] = x->fns.at[i].is_range ? NULL :
            (x->failed ? worst : new_sum)(
                g, x->fns.at[i].nparams, i == 0 ? x->nres : 0);
    if (!x->failed) {
        follow(x, sums);
        mark_sites(x);
    }
    if (!x->fns.at[0].returns_else)
        sums[0]->lit = x->lit;
    keep_sum(g, fn, sums[0]);
    for (i = 1; i < x->fns.n; i++)
        if (sums[i] != NULL)
            keep_sum(g, x->fns.at[i].lit, sums[i]);
}

/* The functions that are being analysed, from that one on, call themselves
 * through one another.  What others may think of them must not depend on which
 * of them was asked first: it is the worst. */
static void
note_circle(struct escape_sums *e, const struct object *fn)
{
    uint32_t at = e->asked.n, k;

    while (at > 0 && e->asked.at[at - 1].fn != fn)
        at--;
    rt_assert(at > 0);
    if (at == e->asked.n)
        return; /* itself: the worst only there */
    for (k = at - 1; k < e->asked.n; k++) {
        e->asked.at[k].cyclic = true;
        if (at - 1 < e->asked.at[k].root)
            e->asked.at[k].root = at - 1;
    }
}

static void
analyse_at(struct gen *g, struct object *fn, uint32_t level)
{
    struct escape_sums *e = g->escapes;
    struct esc x = {0};
    struct asked *a = gvec_push(g, &e->asked), done;
    uint32_t id = 0;

    a->fn = fn;
    a->cyclic = false;
    a->root = e->asked.n - 1;
    gmap_put(g, &e->ids, (uint64_t)(uintptr_t)fn, BUSY);
    x.g = g;
    x.f.g = g;
    x.level = level;
    gf_scan_body(&x.f, fn->decl->func.func.body);
    analyse(&x, fn);
    done = e->asked.at[e->asked.n - 1];
    if (gmap_get(&e->ids, (uint64_t)(uintptr_t)fn, &id) && done.cyclic) {
        e->list.at[id]->cyclic = true;
        e->list.at[id]->root = e->asked.at[done.root].fn;
    }
    e->asked.n--;
    free(x.locs.at);
    free(x.flows.at);
    free(x.fns.at);
    free(x.queue.at);
    gmap_free(&x.ids);
}

static bool
has_body(struct gen *g, struct object *fn)
{
    if (fn->origin != NULL ? !check_func_spec(g->c, fn) :
            fn->pkg != NULL && fn->pkg->library &&
                !check_func_body(g->c, fn))
        return false;
    return fn->decl != NULL && fn->decl->func.func.body != NULL &&
        fn->type != NULL && !type_has_params(fn->type);
}

static void
begin(struct gen *g)
{
    if (g->escapes != NULL)
        return;
    g->escapes = calloc(1, sizeof *g->escapes);
    if (g->escapes == NULL)
        rt_arena_nomem(g->arena);
}

/* From the stock, so that its body need not be read. */
static bool
ready_sum(struct gen *g, struct object *fn)
{
    struct sum *s;
    struct escape_sum ready;

    if (fn->pkg == NULL || !gen_stock_sum(g, fn, &ready))
        return false;
    s = gen_scratch(g, sizeof *s);
    memset(s, 0, sizeof *s);
    s->s = ready;
    keep_sum(g, fn, s);
    return true;
}

const struct sum *
esc_sum_of(struct esc *x, struct object *fn)
{
    struct gen *g = x->g;
    struct sum *s;
    uint64_t key;
    uint32_t id, root = 0;

    fn = check_linked(g->c, fn);
    key = (uint64_t)(uintptr_t)fn;
    if (!gmap_get(&g->escapes->ids, key, &id)) {
        if (!ready_sum(g, fn)) {
            if (x->level == CALLS_DEEP || !has_body(g, fn))
                return NULL;
            analyse_at(g, fn, x->level + 1);
        }
        if (!gmap_get(&g->escapes->ids, key, &id))
            return NULL;
    }
    if (id == BUSY) {
        note_circle(g->escapes, fn);
        return NULL;
    }
    s = g->escapes->list.at[id];
    if (!s->cyclic)
        return s;
    /* A circle may turn out to be part of a larger one. */
    while (gmap_get(&g->escapes->ids, (uint64_t)(uintptr_t)s->root, &root) &&
        root != BUSY && g->escapes->list.at[root] != s &&
        g->escapes->list.at[root]->cyclic)
        s = g->escapes->list.at[root];
    if (root == BUSY)
        note_circle(g->escapes, s->root);
    return NULL;
}

const struct escape_sum *
gen_escape_sum(struct gen *g, struct object *fn)
{
    uint32_t id;

    if (g->escapes == NULL ||
        !gmap_get(&g->escapes->ids, (uint64_t)(uintptr_t)fn, &id) ||
        id == BUSY || g->escapes->list.at[id]->cyclic ||
        g->escapes->list.at[id]->lit != NULL ||
        g->escapes->list.at[id]->s.nparams >= UINT16_MAX)
        return NULL;
    return &g->escapes->list.at[id]->s;
}

void
gen_escape(struct gen *g, struct object *fn)
{
    uint32_t id;

    begin(g);
    if (!gmap_get(&g->escapes->ids, (uint64_t)(uintptr_t)fn, &id) &&
        fn->type != NULL)
        analyse_at(g, fn, 0);
}

void
gen_escape_free(struct gen *g)
{
    if (g->escapes == NULL)
        return;
    gmap_free(&g->escapes->ids);
    free(g->escapes->list.at);
    free(g->escapes->asked.at);
    free(g->escapes);
    g->escapes = NULL;
}
