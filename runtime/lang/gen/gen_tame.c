/* SPDX-License-Identifier: MIT */
/*
 * Adaptors: a function that returns an iterator which goes over another one, one of
 * its parameters, as
 *
 *     func Map(seq iter.Seq[int], f func(int) int) iter.Seq[int] {
 *         return func(yield func(int) bool) {
 *             for x := range seq { ... yield(f(x)) ... }
 *         }
 *     }
 *
 * Whether seq keeps its body, the closure of the loop, nobody knows in Map; so that
 * closure is on the heap, and all that it captures, and yield is taken to be kept by
 * whoever goes over Map's result, too.  But who calls Map most often knows what it is
 * given.  So such a function has a second form, in which no iterator that is a
 * parameter, and never assigned, keeps its body: they, and what is returned, are
 * called tame.  The literal that is returned is generated once more for it, with the
 * bodies of its loops, in which more stays.
 *
 * That form is called where all iterators among the arguments are known to keep
 * nothing: declared functions, what such a function returns, or what a tame form
 * does.
 */
#include "runtime/lang/gen/gen_escape.h"
#include "runtime/lang/gen/gen_tame.h"

enum { MARK_CALL = 4 };

/* ---- while a body is read ------------------------------------------------- */

/* Is it a function that is given a function, and returns nothing? */
static bool
is_iterator(const struct type *t)
{
    t = type_under((struct type *)t);
    return t->kind == TYPE_FUNC && t->nparams == 1 && t->nvars == 1 &&
        !t->variadic && type_kind_of(t->vars[0]->type) == TYPE_FUNC;
}

static bool
has_iterators(const struct type *sig)
{
    bool any = false;

    for (uint32_t i = 0; i < sig->nparams; i++)
        any |= is_iterator(sig->vars[i]->type) && object_by_value(sig->vars[i]);
    return any;
}

const struct sum *
esc_tame_param(const struct esc *x, const struct ast_expr *e)
{
    static const int8_t none = NO_LEAK;
    static const struct sum tame = {.s = {.nparams = 1, .leak = &none}};
    const struct type *sig = x->fns.at[0].sig;

    rt_assert(x->tame && e->kind == EXPR_NAME);
    for (uint32_t i = 0; i < sig->nparams; i++)
        if (e->obj == sig->vars[i] && is_iterator(e->obj->type) &&
            object_by_value(e->obj))
            return &tame;
    return NULL;
}

/* Is e known to keep nothing of what it is given, whoever calls it? */
static bool
keeps_nothing(struct esc *x, struct ast_expr *e)
{
    struct object *fn;
    const struct sum *s;

    e = esc_origin(x, e);
    if (e->kind == EXPR_CALL) {
        s = esc_literal_sum(x, e);
    } else {
        fn = esc_static_callee(e);
        if (fn == NULL || fn->type->recv != NULL)
            return false;
        s = esc_sum_of(x, fn);
    }
    return s != NULL && esc_leak(s, NULL, 0, 0) == NO_LEAK;
}

static bool
is_library(const struct object *fn)
{
    return fn == NULL || fn->pkg == NULL || fn->pkg->library;
}

const struct sum *
esc_tame_call(struct esc *x, struct ast_expr *e, struct object *fn,
    const struct sum *s)
{
    struct type *sig = type_under(ast_unparen(e->call.fun)->type);
    struct ast_exprs args = e->call.args;
    uint64_t key = (uint64_t)(uintptr_t)e;

    rt_assert(s->tame != NULL);
    if (is_library(x->self) || fn->type->recv != NULL || sig->variadic ||
        args.n != sig->nparams ||
        (args.n == 1 && args.at[0]->mode == MODE_TUPLE))
        return NULL;
    for (uint32_t i = 0; i < args.n; i++)
        if (is_iterator(sig->vars[i]->type) && !keeps_nothing(x, args.at[i]))
            return NULL;
    gmap_put(x->g, &x->g->escapes->tame, key, MARK_CALL);
    return s->tame;
}

/* ---- the second form ------------------------------------------------------ */

/* Is it the returned literal, or the body of a loop of that? */
static bool
is_part(const struct esc *x, uint32_t fn, uint32_t lit)
{
    while (fn != lit && x->fns.at[fn].is_range)
        fn = x->fns.at[fn].up;
    return fn == lit;
}

static unsigned
mark_of(const struct loc *l)
{
    return l->site == SITE_NEXT ? MARK_NEXT_STAYS : MARK_STAYS;
}

/* What of the literal stays now.  What was read twice stays if both do. */
static void
mark_tame(struct esc *x, uint32_t lit)
{
    struct gen_map *tame = &x->g->escapes->tame;

    for (unsigned pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < x->locs.n; i++) {
            const struct loc *l = &x->locs.at[i];
            uint64_t key = (uint64_t)(uintptr_t)l->at;
            uint32_t marks = 0;

            if (l->escapes != (pass == 1) || !is_part(x, l->fn, lit) ||
                (l->site != SITE_VAR && l->site != SITE_RANGE &&
                    l->site != SITE_NEXT && l->site != SITE_EXPR) ||
                (l->site == SITE_EXPR &&
                    ((struct ast_expr *)l->at)->kind != EXPR_FUNCLIT))
                continue;
            gmap_get(tame, key, &marks);
            if (pass == 0)
                gmap_put(x->g, tame, key, marks | mark_of(l));
            else if ((marks & mark_of(l)) != 0)
                gmap_put(x->g, tame, key, marks & ~mark_of(l));
        }
}

static void
read_again(struct esc *x, struct object *fn, struct sum *s)
{
    struct sum **sums;
    uint32_t i, lit = 0;

    esc_read(x, fn);
    if (x->failed)
        return;
    sums = gen_scratch(x->g, x->fns.n * sizeof *sums);
    for (i = 0; i < x->fns.n; i++) {
        sums[i] = x->fns.at[i].is_range ? NULL :
            esc_new_sum(x->g, x->fns.at[i].nparams, i == 0 ? x->nres : 0);
        if (x->fns.at[i].lit == s->lit)
            lit = i;
    }
    rt_assert(lit != 0);
    esc_follow(x, sums);
    if (sums[lit]->heap[0] != NO_LEAK)
        return;
    mark_tame(x, lit);
    sums[lit]->leak[0] = NO_LEAK;
    s->tame = sums[lit];
}

void
esc_find_tame(struct esc *x, struct object *fn, struct sum *s)
{
    struct esc y = {.g = x->g, .level = x->level, .self = fn, .tame = true};
    const struct func_info *info = s->lit == NULL ? NULL : s->lit->info;
    const struct sum *lit;

    if (info == NULL || is_library(fn) || fn->type->recv != NULL ||
        !has_iterators(fn->type) || !is_iterator(info->sig))
        return;
    lit = esc_sum_kept(x->g, s->lit);
    if (lit == NULL || esc_leak(lit, NULL, 0, 0) == NO_LEAK)
        return;
    y.f = x->f;
    read_again(&y, fn, s);
    esc_free(&y);
}

/* ---- code ---------------------------------------------------------------- */

static uint32_t
marks_of(const struct gen *g, const void *what)
{
    uint32_t marks = 0;

    if (g->escapes != NULL)
        gmap_get(&g->escapes->tame, (uint64_t)(uintptr_t)what, &marks);
    return marks;
}

bool
gf_is_tame(const struct gfunc *f)
{
    return f->w->tame && f->w->kind != WORK_FUNC;
}

unsigned
gf_tame_marks(const struct gfunc *f, const void *what)
{
    return gf_is_tame(f) ? marks_of(f->g, what) & (MARK_STAYS | MARK_NEXT_STAYS)
                         : 0;
}

bool
gen_calls_tame(const struct gen *g, const struct ast_expr *e)
{
    return (marks_of(g, e) & MARK_CALL) != 0;
}

const struct ast_func *
gen_tame_literal(struct gen *g, struct object *fn)
{
    const struct sum *s = esc_sum_kept(g, fn);

    rt_assert(s != NULL && s->tame != NULL && s->lit != NULL);
    return s->lit;
}
