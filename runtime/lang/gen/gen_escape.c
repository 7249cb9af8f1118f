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
 * result.  That is worked out when first asked for.  What a function hands to
 * itself flows to its own parameters, and what it gets from itself from its
 * results; among functions that call one another in a circle, and where the
 * chain of calls is long, the worst is taken.
 *
 * What leads nowhere but to results of a declared function that are returned
 * once per call may be memory of the caller's, who knows how long it needs
 * them: gen_lent.c.
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

static bool
is_result(const struct esc *x, uint32_t t)
{
    return t >= 1 && t <= x->nres;
}

/* A parameter's value comes to t. */
static void
note_leak(struct esc *x, struct sum **sums, uint32_t t, const struct loc *p,
    int d)
{
    struct sum *s = sums[p->fn];
    int8_t *l;

    if (s == NULL)
        return;
    rt_assert(p->index < s->s.nparams);
    if (p->fn == 0 && is_result(x, t))
        l = &s->leak[p->index * (1 + s->s.nres) + t];
    else if (p->fn == 0 && x->locs.at[t].lent)
        l = &s->into[p->index];
    else
        l = &s->heap[p->index];
    if (d < *l)
        *l = (int8_t)d;
}

/* The address of s comes to t, which lives longer. */
static void
note_address(struct esc *x, struct sum *sum, uint32_t t, uint32_t s)
{
    bool lent = is_result(x, t) || x->locs.at[t].lent;
    struct loc *l = &x->locs.at[s];

    if (!l->escapes || (l->lent && !lent)) {
        l->escapes = true;
        l->lent = lent && esc_may_lend(x, l);
        *gvec_push(x->g, &x->queue) = s;
    }
    if (!l->lent)
        return;
    if (is_result(x, t))
        sum->out[t - 1] = 1;
    else
        x->linked = true;
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
            if (base < 0)
                note_address(x, sums[0], t, at);
        }
        if (at == t && base < 0)
            x->linked = true;
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

void
esc_follow(struct esc *x, struct sum **sums)
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
        case SITE_BOX:
            ((struct ast_expr *)l->at)->flags |= AST_F_BOX_STAYS;
            break;
        case SITE_RANGE:
            s->mark |= MARK_STAYS;
            break;
        case SITE_NEXT:
            s->mark |= MARK_NEXT_STAYS;
            break;
        case SITE_CALL:
            ((struct ast_expr *)l->at)->flags |= AST_F_LENDS;
            break;
        default:
            break;
        }
    }
    /* What was read twice has two locations, and is one thing: if one of them
     * does not stay, it does not. */
    for (i = 0; i < x->locs.n; i++) {
        const struct loc *l = &x->locs.at[i];

        if (l->escapes && l->site == SITE_EXPR)
            ((struct ast_expr *)l->at)->flags &= (uint8_t)~AST_F_STAYS;
        else if (l->escapes && l->site == SITE_BOX)
            ((struct ast_expr *)l->at)->flags &= (uint8_t)~AST_F_BOX_STAYS;
        else if (l->escapes && l->site == SITE_CALL)
            ((struct ast_expr *)l->at)->flags &= (uint8_t)~AST_F_LENDS;
    }
}

/* ---- summaries ----------------------------------------------------------- */

struct sum *
esc_new_sum(struct gen *g, uint32_t nparams, uint32_t nres)
{
    struct sum *s = gen_scratch(g, sizeof *s);
    size_t n = (size_t)nparams * (1 + nres);

    memset(s, 0, sizeof *s);
    s->s.nparams = nparams;
    s->s.nres = nres;
    s->leak = gen_scratch(g, n + 1);
    s->s.leak = s->leak;
    memset(s->leak, NO_LEAK, n);
    s->heap = gen_scratch(g, nparams + 1u);
    s->into = gen_scratch(g, nparams + 1u);
    s->out = gen_scratch(g, nres + 1u);
    memset(s->heap, NO_LEAK, nparams);
    memset(s->into, NO_LEAK, nparams);
    memset(s->out, 0, nres);
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
    struct sum *s = esc_new_sum(g, nparams, nres);

    memset(s->leak, 0, (size_t)nparams * (1 + nres));
    return s;
}

/* For who lends nothing, what would be in the block goes to the heap, too. */
static void
join_leaks(struct sum *s)
{
    uint32_t i;

    for (i = 0; i < s->s.nparams; i++) {
        int8_t *l = &s->leak[i * (1 + s->s.nres)];

        if (s->heap[i] < *l)
            *l = s->heap[i];
        if (s->into[i] < *l)
            *l = s->into[i];
    }
}

void
esc_read(struct esc *x, struct object *fn)
{
    struct type *sig = fn->type;
    struct ast_func *func = &fn->decl->func.func;
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
    esc_declare_params(x, sig, sig->recv != NULL);
    esc_stmts(x, func->body->stmts);
}

void
esc_free(struct esc *x)
{
    free(x->locs.at);
    free(x->flows.at);
    free(x->fns.at);
    free(x->queue.at);
    gmap_free(&x->ids);
}

static void
analyse(struct esc *x, struct object *fn)
{
    struct gen *g = x->g;
    struct sum **sums;
    uint32_t i;

    esc_read(x, fn);
    sums = gen_scratch(g, x->fns.n * sizeof *sums);
    for (i = 0; i < x->fns.n; i++)
        sums[i] = x->fns.at[i].is_range ? NULL :
            (x->failed ? worst : esc_new_sum)(
                g, x->fns.at[i].nparams, i == 0 ? x->nres : 0);
    if (!x->failed) {
        esc_follow(x, sums);
        mark_sites(x);
        for (i = 0; i < x->fns.n; i++)
            if (sums[i] != NULL)
                join_leaks(sums[i]);
        if (!g->escapes->asked.at[g->escapes->asked.n - 1].cut)
            esc_make_block(x, fn, sums[0]);
    }
    if (!x->fns.at[0].returns_else)
        sums[0]->lit = x->lit;
    keep_sum(g, fn, sums[0]);
    for (i = 1; i < x->fns.n; i++)
        if (sums[i] != NULL)
            keep_sum(g, x->fns.at[i].lit, sums[i]);
    if (!x->failed)
        esc_find_tame(x, fn, sums[0]);
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
        return; /* itself, by a loop over a function: the worst only there */
    for (k = at - 1; k < e->asked.n; k++) {
        e->asked.at[k].cyclic = true;
        if (at - 1 < e->asked.at[k].root)
            e->asked.at[k].root = at - 1;
    }
}

/* How much is known of those that are being analysed depends on which of them
 * was asked first. */
static void
note_cut(struct escape_sums *e)
{
    uint32_t k;

    for (k = 0; k < e->asked.n; k++)
        e->asked.at[k].cut = true;
}

static void
analyse_at(struct gen *g, struct object *fn, uint32_t level)
{
    struct escape_sums *e = g->escapes;
    struct esc x = {0};
    struct asked *a = gvec_push(g, &e->asked), done;
    const struct sum *ready = NULL;
    uint32_t id = 0;

    if (gmap_get(&e->ids, (uint64_t)(uintptr_t)fn, &id))
        ready = e->list.at[id];
    a->fn = fn;
    a->cyclic = a->cut = false;
    a->root = e->asked.n - 1;
    gmap_put(g, &e->ids, (uint64_t)(uintptr_t)fn, BUSY);
    x.g = g;
    x.f.g = g;
    x.level = level;
    x.ready = ready;
    x.self = fn;
    gf_scan_body(&x.f, fn->decl->func.func.body);
    analyse(&x, fn);
    done = e->asked.at[e->asked.n - 1];
    if (gmap_get(&e->ids, (uint64_t)(uintptr_t)fn, &id) && done.cyclic) {
        e->list.at[id]->cyclic = true;
        e->list.at[id]->root = e->asked.at[done.root].fn;
    }
    e->asked.n--;
    esc_free(&x);
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
    s->ready = true;
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
            if (x->level == CALLS_DEEP) {
                note_cut(g->escapes);
                return NULL;
            }
            if (!has_body(g, fn))
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

const struct sum *
esc_sum_kept(struct gen *g, const void *key)
{
    uint32_t id;

    if (g->escapes == NULL ||
        !gmap_get(&g->escapes->ids, (uint64_t)(uintptr_t)key, &id) ||
        id == BUSY)
        return NULL;
    return g->escapes->list.at[id];
}

const struct escape_sum *
gen_escape_sum(struct gen *g, struct object *fn)
{
    const struct sum *s = esc_sum_kept(g, fn);

    if (s == NULL || s->cyclic || s->lit != NULL ||
        s->s.nparams >= UINT16_MAX)
        return NULL;
    return &s->s;
}

void
gen_escape(struct gen *g, struct object *fn)
{
    uint32_t id;

    begin(g);
    if (fn->type == NULL)
        return;
    /* A stock's knowledge of fn does not tell what in its body stays. */
    if (!gmap_get(&g->escapes->ids, (uint64_t)(uintptr_t)fn, &id) ||
        (id != BUSY && g->escapes->list.at[id]->ready))
        analyse_at(g, fn, 0);
}

const struct escape_block *
gen_escape_block(struct gen *g, struct object *fn)
{
    const struct sum *s = esc_sum_kept(g, fn);

    return s != NULL ? s->s.block : NULL;
}

const struct escape_sites *
gen_escape_sites(struct gen *g, struct object *fn)
{
    const struct sum *s = esc_sum_kept(g, fn);

    return s != NULL && s->sites.n != 0 ? &s->sites : NULL;
}

void
gen_escape_free(struct gen *g)
{
    if (g->escapes == NULL)
        return;
    gmap_free(&g->escapes->ids);
    gmap_free(&g->escapes->tame);
    free(g->escapes->list.at);
    free(g->escapes->asked.at);
    free(g->escapes);
    g->escapes = NULL;
}
