/* SPDX-License-Identifier: MIT */

/* Where jumps lead, how deep loops are, and which slots are live. */
#include "runtime/jit/jit_int.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/code/live.h"
#include "runtime/code/opinfo.h"

enum { DEPTH_MAX = 6 };

void
jit_each_succ(struct jit_fn *c, const struct jit_ins *x,
    void (*fn)(struct jit_fn *c, int32_t to, void *arg), void *arg)
{
    for (unsigned i = 0; i < x->nsucc; i++)
        if (x->succ[i] < c->n)
            fn(c, x->succ[i], arg);
    if (x->w[0].op == OP_SWITCH && x->kind != JIT_LEAF)
        for (int32_t i = 1; i <= x->w[0].imm; i++) {
            rt_assert(x->succ[0] + i < c->n);
            fn(c, x->succ[0] + i, arg);
        }
}

static void
lead(struct jit_fn *c, int32_t to, void *arg)
{
    const int32_t *from = arg;

    if (!c->v[*from].falls || to != *from + 1)
        c->v[to].leader = true;
    if (to <= *from)
        c->v[to].header = true;
}

/* A jump backwards ends a loop, which is all between. */
static void
deepen(struct jit_fn *c, int32_t to, int32_t from)
{
    rt_assert(to >= 0 && to <= from && from < c->n);
    for (int32_t i = to; i <= from; i++)
        if (c->v[i].depth < DEPTH_MAX)
            c->v[i].depth++;
}

/* Whether a deferred call may let the function go on at x. */
static bool
recovers_at(const struct jit_fn *c, const struct jit_ins *x)
{
    return (c->f->flags & CODE_F_DEFER) != 0 && x->leaf_ret == NULL &&
        x->pc == c->f->code + c->f->recover_off;
}

/* Instructions that are reached, but not looked at. */
struct todo {
    int32_t *v;
    int32_t n;
};

static void
reach(struct jit_fn *c, int32_t to, void *arg)
{
    struct todo *t = arg;

    if (c->v[to].reached)
        return;
    c->v[to].reached = true;
    t->v[t->n++] = to;
}

bool
jit_reach(struct jit_fn *c)
{
    struct todo t = {jit_alloc(c, (size_t)c->n, sizeof *t.v), 0};

    if (c->failed)
        return false;
    reach(c, 0, &t);
    for (int32_t k = 0; k < c->n; k++)
        if (recovers_at(c, &c->v[k]))
            reach(c, k, &t);
    while (t.n > 0) {
        rt_assert(t.n <= c->n);
        jit_each_succ(c, &c->v[t.v[--t.n]], reach, &t);
    }
    return true;
}

void
jit_leaders(struct jit_fn *c)
{
    for (int32_t k = 0; k < c->n; k++) {
        struct jit_ins *x = &c->v[k];

        jit_each_succ(c, x, lead, &k);
        if (x->w[0].op == OP_SWITCH && x->kind != JIT_LEAF)
            for (int32_t i = 0; i <= x->w[0].imm && x->succ[0] + i < c->n; i++)
                c->v[x->succ[0] + i].leader = true;
        if (!x->falls && k + 1 < c->n)
            c->v[k + 1].leader = true;
        /* Nothing falls into it that is known here. */
        if (recovers_at(c, x))
            x->leader = x->resumes = true;
    }
    for (int32_t k = 0; k < c->n; k++)
        for (unsigned i = 0; i < c->v[k].nsucc; i++)
            if (c->v[k].succ[i] <= k)
                deepen(c, c->v[k].succ[i], k);
}

static void
join(struct jit_fn *c, int32_t to, void *arg)
{
    uint64_t *set = arg;
    const uint64_t *live = jit_live(c, to);

    for (uint32_t i = 0; i < c->words; i++)
        set[i] |= live[i];
}

/* From what is live behind instruction k to what is live before it. */
static void
transfer(struct jit_fn *c, int32_t k, uint64_t *set)
{
    const struct jit_ins *x = &c->v[k];
    const struct jit_opnd *o = c->op + x->ops;
    uint32_t from;

    if (jit_call_base(x, &from))
        for (uint32_t s = from - 2; s < c->ns; s++)
            jit_drop(set, s);
    for (uint32_t i = 0; i < x->nops; i++)
        if (o[i].def && !o[i].use)
            jit_drop(set, o[i].slot);
    for (uint32_t i = 0; i < x->nops; i++)
        if (o[i].use)
            jit_add(set, o[i].slot);
    if (x->leaf_ret == NULL && code_reads_rest(x->pc, &from))
        for (uint32_t s = from; s < c->ns; s++)
            jit_add(set, s);
}

/* The compiler and the collector agree on what is live: nothing is missing
 * here that counts there. */
static bool
covers(const struct jit_fn *c)
{
    uint64_t *table = code_live_compute(c->im, c->f);
    bool ok = true;

    for (int32_t k = 0; table != NULL && k < c->n && ok; k++) {
        const struct jit_ins *x = &c->v[k];
        if (x->leaf_ret != NULL)
            continue;
        const uint64_t *live =
            code_live_at(table, (uint32_t)(x->pc - c->f->code));
        for (uint32_t s = 0; s < c->f->nslots; s++)
            ok &= !jit_has(live, s) || c->pinned[s] ||
                jit_has(jit_live(c, k), s);
    }
    free(table);
    return ok;
}

bool
jit_liveness(struct jit_fn *c)
{
    uint64_t *set = jit_alloc(c, c->words, 8);
    bool again = true;

    c->live = jit_alloc(c, (size_t)(c->n + 1) * c->words, 8);
    if (c->failed)
        return false;
    while (again) {
        again = false;
        for (int32_t k = c->n - 1; k >= 0; k--) {
            memset(set, 0, 8u * c->words);
            jit_each_succ(c, &c->v[k], join, set);
            transfer(c, k, set);
            if (memcmp(set, jit_live(c, k), 8u * c->words) != 0) {
                memcpy(jit_live(c, k), set, 8u * c->words);
                again = true;
            }
        }
    }
    rt_assert_full(covers(c));
    return true;
}
