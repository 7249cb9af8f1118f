/* SPDX-License-Identifier: MIT */

/*
 * Webs.  Each assignment to a slot is a node, and at each leader each slot
 * that is live there is one: what may reach it is joined to it.  A walk over
 * the instructions in order keeps the node that is in each slot (cur); the
 * allocator and the emitter walk in the same way.
 */
#include "runtime/jit/jit_int.h"

#include <string.h>

static inline uint32_t
find(uint32_t *uf, uint32_t x)
{
    for (uint32_t up = uf[x]; up != x; up = uf[x]) {
        uf[x] = uf[up];
        x = up;
    }
    return x;
}

static inline void
unite(struct jit_fn *c, uint32_t a, uint32_t b)
{
    uint32_t *uf = c->uf;

    rt_assert(a < c->max_nodes && b < c->max_nodes);
    /* Most often each is the first one of its web. */
    if (uf[a] != a)
        a = find(uf, a);
    if (uf[b] != b)
        b = find(uf, b);
    if (a < b)
        uf[b] = a;
    else
        uf[a] = b;
}

/* Nothing is known of the slots from `from` to before `end`. */
static void
forget(struct jit_fn *c, uint32_t from, uint32_t end)
{
    if (from < end)
        memset(c->cur + from, 0xff, (end - from) * sizeof *c->cur);
}
_Static_assert(JIT_NO_NODE == UINT32_MAX, "forget() sets all bits");

/* What is in the slots reaches the leader `to`. */
static void
reach(struct jit_fn *c, int32_t to, void *arg)
{
    const uint64_t *live = jit_live(c, to);
    uint32_t words = c->words, phi;
    const uint32_t *cur = c->cur;
    int32_t b = c->lead[to];

    (void)arg;
    if (b < 0)
        return;
    phi = c->phi[b];
    for (uint32_t w = 0; w < words; w++, cur += 64)
        for (uint64_t set = live[w]; set != 0; set &= set - 1) {
            uint32_t is = cur[__builtin_ctzll(set)];

            if (is != JIT_NO_NODE)
                unite(c, phi, is);
            else
                c->torn[(size_t)b * words + w] |= set & -set;
            phi++;
        }
}

static bool
make_nodes(struct jit_fn *c)
{
    uint32_t nn = 0;

    c->max_nodes = 2 * (size_t)c->nop;
    for (uint32_t b = 0; b < c->nblocks; b++)
        c->max_nodes += rt_bits_count(jit_live(c, c->block[b]), 0, c->ns);
    c->phi = jit_room(c, (size_t)c->nblocks + 1, sizeof *c->phi);
    c->torn = jit_alloc(c, (size_t)c->nblocks * c->words, 8);
    c->cur = jit_room(c, c->ns, sizeof *c->cur);
    c->uf = jit_room(c, c->max_nodes, sizeof *c->uf);
    c->slot_of = jit_room(c, c->max_nodes, sizeof *c->slot_of);
    if (c->failed)
        return false;
    for (uint32_t b = 0; b < c->nblocks; b++) {
        c->phi[b] = nn;
        RT_EACH_BIT (s, jit_live(c, c->block[b]), c->ns) {
            c->uf[nn] = nn;
            c->slot_of[nn++] = (uint16_t)s;
        }
    }
    c->phi[c->nblocks] = c->nn = nn;
    return true;
}

void
jit_cur_start(struct jit_fn *c)
{
    jit_cur_at(c, 0);
}

void
jit_cur_block(struct jit_fn *c, int32_t k)
{
    uint32_t phi = c->phi[c->lead[k]], *cur = c->cur, words = c->words;
    const uint64_t *live = jit_live(c, k);

    forget(c, 0, c->ns);
    for (uint32_t w = 0; w < words; w++, cur += 64)
        for (uint64_t b = live[w]; b != 0; b &= b - 1)
            cur[__builtin_ctzll(b)] = phi++;
}

void
jit_cur_lose(struct jit_fn *c, const struct jit_ins *x)
{
    uint32_t from, kept;

    jit_lost(x, &from, &kept);
    for (uint32_t s = from; s < from + 2 && s < c->vs; s++)
        c->cur[s] = JIT_NO_NODE;
    forget(c, from + 2 + kept, c->vs);
}

/* Giving operands their nodes: what of struct jit_fn is asked for all the
 * time. */
struct linking {
    uint32_t *cur, *uf, nn;
    uint16_t *slot_of;
    const uint8_t *pinned;
};

/* Another node, of that slot. */
static RT_ALWAYS_INLINE uint32_t
node(struct linking *l, uint32_t slot)
{
    uint32_t is = l->nn++;

    l->uf[is] = is;
    l->slot_of[is] = (uint16_t)slot;
    return is;
}

/* What is read has the node that is there, and what is assigned a new one, which
 * holds from then on; whether that may be in a register. */
static RT_ALWAYS_INLINE bool
link_operand(struct linking *l, struct jit_opnd *o)
{
    uint32_t slot = o->slot, is = l->cur[slot];

    if (!o->use || is == JIT_NO_NODE)
        is = node(l, slot);
    o->node = l->cur[slot] = is;
    return o->def & (l->pinned[slot] == 0);
}

/* Whether what x assigns stands before what it reads, of the same slots. */
static bool
assigns_first(const struct jit_fn *c, const struct jit_ins *x)
{
    const struct jit_opnd *o = c->op + x->ops;

    for (uint32_t i = 0; i < x->nops; i++)
        for (uint32_t j = i + 1; j < x->nops; j++)
            if (o[i].use && !o[j].use && o[i].slot == o[j].slot)
                return false;
    return true;
}

/* All that x reads, and then what it assigns. */
static bool
link_in_turn(struct jit_fn *c, struct linking *l, const struct jit_ins *x)
{
    struct jit_opnd *o = c->op + x->ops, *end = o + x->nops;
    bool begins = false;

    for (struct jit_opnd *p = o; p < end; p++)
        if (p->use)
            (void)link_operand(l, p);
    if (x->loses)
        jit_cur_lose(c, x);
    for (struct jit_opnd *p = o; p < end; p++) {
        if (p->use && p->def)
            l->cur[p->slot] = p->node;
        else if (p->def)
            (void)link_operand(l, p);
        begins |= p->def && l->pinned[p->slot] == 0;
    }
    return begins;
}

/* The same of a move. */
static RT_ALWAYS_INLINE void
link_move(struct linking *l, struct jit_ins *x, struct jit_opnd *o)
{
    uint32_t is = l->cur[o[1].slot], to = o[0].slot;

    rt_assert(x->nops == 2 && !o[0].use && o[0].def && !o[1].def && o[1].use);
    if (rt_unlikely(is == JIT_NO_NODE))
        l->cur[o[1].slot] = is = node(l, o[1].slot);
    o[1].node = is;
    o[0].node = l->cur[to] = node(l, to);
    x->begins = l->pinned[to] == 0;
}

static RT_ALWAYS_INLINE void
link_operands(struct jit_fn *c, struct linking *l, struct jit_ins *x)
{
    struct jit_opnd *o = c->op + x->ops;
    bool begins = false;

    if (x->w[0].op == OP_MOV && !x->moved) {
        link_move(l, x, o);
        return;
    }
    if (x->loses || !x->in_order) {
        x->begins = link_in_turn(c, l, x);
        return;
    }
    rt_assert_full(assigns_first(c, x));
    for (uint32_t i = x->nops; i-- > 0;)
        begins |= link_operand(l, &o[i]);
    x->begins = begins;
}

/* From nodes to webs, in the order of their first nodes: each node but these
 * has been joined to one before it, whose web is known by then. */
static bool
number(struct jit_fn *c)
{
    static const struct jit_web none = {.reg = -1};
    const uint8_t *pinned = c->pinned;
    const uint16_t *slot_of = c->slot_of;
    uint32_t *uf = c->uf, nw = 0, nn = c->nn;

    c->web = jit_room(c, nn, sizeof *c->web);
    if (c->failed)
        return false;
    rt_assert(nn <= c->max_nodes);
    struct jit_web *w = c->web;
    for (uint32_t i = 0; i < nn; i++) {
        rt_assert(uf[i] <= i);
        if (uf[i] != i) {
            uf[i] = uf[uf[i]];
            continue;
        }
        uint32_t slot = slot_of[i];
        *w = none;
        w->slot = (uint16_t)slot;
        w->pinned = pinned[slot] != 0;
        w++;
        uf[i] = nw++;
    }
    c->nw = nw;
    /* What is there at entry is some number. */
    for (uint32_t i = c->phi[0]; i < c->phi[1]; i++)
        jit_web_of(c, i)->variable = true;
    return true;
}

bool
jit_webs(struct jit_fn *c)
{
    if (!make_nodes(c))
        return false;
    struct linking l = {.cur = c->cur, .uf = c->uf, .nn = c->nn,
        .slot_of = c->slot_of, .pinned = c->pinned};
    for (uint32_t b = 0; b < c->nblocks; b++) {
        struct jit_ins *x = c->v + c->block[b], *last = c->v + c->block[b + 1];

        jit_cur_block(c, c->block[b]);
        for (last--; x <= last; x++) {
            link_operands(c, &l, x);
            if ((!x->plain || x == last) && !jit_goes_on(c, x))
                jit_each_succ(c, x, reach, NULL);
        }
    }
    rt_assert(l.nn <= c->max_nodes);
    c->nn = l.nn;
    return number(c);
}

bool
jit_webs_in_memory(struct jit_fn *c)
{
    rt_assert(c->memory && c->alone);
    c->nn = c->nw = c->ns;
    c->uf = jit_room(c, c->nn, sizeof *c->uf);
    c->web = jit_room(c, c->nw, sizeof *c->web);
    if (c->failed)
        return false;
    for (uint32_t s = 0; s < c->ns; s++) {
        c->uf[s] = s;
        c->web[s] = (struct jit_web){.slot = (uint16_t)s, .reg = -1,
            .pinned = true, .variable = true};
    }
    for (uint32_t i = 0; i < c->nop; i++)
        c->op[i].node = c->op[i].slot;
    return true;
}
