/* SPDX-License-Identifier: MIT */

/*
 * Webs.  Each assignment to a slot is a node, and at each leader each slot
 * that is live there is one: what may reach it is joined to it.  A walk over
 * the instructions in order keeps the node that is in each slot (cur); the
 * allocator and the emitter walk in the same way.
 */
#include "runtime/jit/jit_int.h"

#include <string.h>

static uint32_t
find(struct jit_fn *c, uint32_t x)
{
    while (c->uf[x] != x) {
        c->uf[x] = c->uf[c->uf[x]];
        x = c->uf[x];
    }
    return x;
}

static void
unite(struct jit_fn *c, uint32_t a, uint32_t b)
{
    rt_assert(a < c->nn && b < c->nn);
    a = find(c, a);
    b = find(c, b);
    if (a != b)
        c->uf[b] = a;
}

static uint32_t
node(struct jit_fn *c)
{
    rt_assert(c->nn < c->max_nodes);
    c->uf[c->nn] = c->nn;
    return c->nn++;
}

static int32_t *
phi_at(const struct jit_fn *c, int32_t k)
{
    rt_assert(k >= 0 && k < c->n && c->lead[k] >= 0);
    return c->phi + (size_t)c->lead[k] * c->ns;
}

/* What is in the slots reaches the leader `to`. */
static void
reach(struct jit_fn *c, int32_t to, void *arg)
{
    const int32_t *phi;

    (void)arg;
    if (c->lead[to] < 0)
        return;
    phi = phi_at(c, to);
    for (uint32_t s = 0; s < c->ns; s++)
        if (phi[s] >= 0 && c->cur[s] != JIT_NO_NODE)
            unite(c, (uint32_t)phi[s], c->cur[s]);
        else if (phi[s] >= 0)
            c->torn[(size_t)c->lead[to] * c->ns + s] = 1;
}

static bool
make_nodes(struct jit_fn *c)
{
    size_t leaders = 0, n = 2 * (size_t)c->nop + 2 * (size_t)c->ns;

    c->lead = jit_alloc(c, (size_t)c->n, sizeof *c->lead);
    if (c->failed)
        return false;
    for (int32_t k = 0; k < c->n; k++)
        c->lead[k] = c->v[k].leader ? (int32_t)leaders++ : -1;
    c->phi = jit_alloc(c, leaders * c->ns, sizeof *c->phi);
    c->torn = jit_alloc(c, leaders * c->ns, 1);
    c->max_nodes = n + leaders * c->ns;
    c->uf = jit_alloc(c, c->max_nodes, sizeof *c->uf);
    c->cur = jit_alloc(c, c->ns, sizeof *c->cur);
    if (c->failed)
        return false;
    for (int32_t k = 0; k < c->n; k++)
        for (uint32_t s = 0; c->lead[k] >= 0 && s < c->ns; s++)
            phi_at(c, k)[s] =
                jit_has(jit_live(c, k), s) ? (int32_t)node(c) : -1;
    c->entry = c->nn;
    for (uint32_t s = 0; s < c->ns; s++)
        node(c);
    return true;
}

void
jit_cur_start(struct jit_fn *c)
{
    if (c->memory)
        return;
    for (uint32_t s = 0; s < c->ns; s++)
        c->cur[s] = c->entry + s;
}

void
jit_cur_at(struct jit_fn *c, int32_t k)
{
    if (c->memory || c->lead[k] < 0)
        return;
    for (uint32_t s = 0; s < c->ns; s++)
        c->cur[s] =
            phi_at(c, k)[s] < 0 ? JIT_NO_NODE : (uint32_t)phi_at(c, k)[s];
}

void
jit_cur_step(struct jit_fn *c, int32_t k)
{
    const struct jit_ins *x = &c->v[k];
    const struct jit_opnd *o = c->op + x->ops;
    uint32_t from, kept;

    if (c->memory)
        return;
    /* Of the callee's frame only the results are known. */
    if (jit_lost(c, x, &from, &kept))
        for (uint32_t s = from; s < c->ns; s++)
            if (s < from + 2 || s >= from + 2 + kept)
                c->cur[s] = JIT_NO_NODE;
    for (uint32_t i = 0; i < x->nops; i++)
        if (o[i].def)
            c->cur[o[i].slot] = o[i].node;
}

/* Gives the operands of x their nodes: reads have what is there, writes are
 * new. */
static void
link_operands(struct jit_fn *c, struct jit_ins *x)
{
    struct jit_opnd *o = c->op + x->ops;

    for (uint32_t i = 0; i < x->nops; i++) {
        if (!o[i].use)
            continue;
        if (c->cur[o[i].slot] == JIT_NO_NODE)
            c->cur[o[i].slot] = node(c);
        o[i].node = c->cur[o[i].slot];
    }
    for (uint32_t i = 0; i < x->nops; i++) {
        if (!o[i].def)
            continue;
        uint32_t d = node(c);
        if (o[i].use)
            unite(c, o[i].node, d);
        else
            o[i].node = d;
    }
}

/* From nodes to webs. */
static bool
number(struct jit_fn *c)
{
    uint32_t *id = jit_alloc(c, c->nn, sizeof *id);

    if (id == NULL)
        return false;
    rt_assert(c->nw == 0 && c->nn <= c->max_nodes);
    for (uint32_t i = 0; i < c->nn; i++) {
        uint32_t r = find(c, i);
        if (id[r] == 0)
            id[r] = ++c->nw;
    }
    for (uint32_t i = 0; i < c->nn; i++)
        id[i] = id[find(c, i)];
    for (uint32_t i = 0; i < c->nn; i++)
        c->uf[i] = id[i] - 1;
    c->web = jit_alloc(c, c->nw, sizeof *c->web);
    if (c->failed)
        return false;
    for (uint32_t i = 0; i < c->nw; i++)
        c->web[i].reg = -1;
    for (uint32_t i = 0; i < c->nop; i++)
        jit_web_of(c, c->op[i].node)->slot = c->op[i].slot;
    for (int32_t k = 0; k < c->n; k++)
        for (uint32_t s = 0; c->lead[k] >= 0 && s < c->ns; s++)
            if (phi_at(c, k)[s] >= 0)
                jit_web_of(c, (uint32_t)phi_at(c, k)[s])->slot = (int32_t)s;
    for (uint32_t s = 0; s < c->ns; s++) {
        struct jit_web *w = jit_web_of(c, c->entry + s);
        w->slot = (int32_t)s;
        w->variable = true;
    }
    return true;
}

bool
jit_webs(struct jit_fn *c)
{
    if (!make_nodes(c))
        return false;
    jit_cur_start(c);
    reach(c, 0, NULL);
    for (int32_t k = 0; k < c->n; k++) {
        struct jit_ins *x = &c->v[k];

        jit_cur_at(c, k);
        link_operands(c, x);
        jit_cur_step(c, k);
        jit_each_succ(c, x, reach, NULL);
    }
    return number(c);
}

bool
jit_webs_in_memory(struct jit_fn *c)
{
    rt_assert(c->memory && c->alone);
    c->nn = c->nw = c->ns;
    c->uf = jit_alloc(c, c->nn, sizeof *c->uf);
    c->web = jit_alloc(c, c->nw, sizeof *c->web);
    if (c->failed)
        return false;
    for (uint32_t s = 0; s < c->ns; s++) {
        c->uf[s] = s;
        c->web[s] = (struct jit_web){.slot = (int32_t)s, .reg = -1,
            .pinned = true, .variable = true};
    }
    for (uint32_t i = 0; i < c->nop; i++)
        c->op[i].node = c->op[i].slot;
    return true;
}
