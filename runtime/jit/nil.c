/* SPDX-License-Identifier: MIT */

/*
 * Pointers that are known not to be nil where a block begins: on each way
 * there an access by the same value has succeeded, or it is an address that
 * never is nil.  The emitter carries that on within the block, and asks only
 * where nothing is known.
 *
 * Only slots by which something in a loop is accessed count, and those from
 * which they are copied.  A walk writes down what is done with them; what holds where
 * blocks begin is found by that, again and again until nothing changes.  It is
 * optimistic: a block to which no way leads yet says nothing.
 *
 * Slots are as the interpreter has them, which asks in the same places: what is
 * found holds wherever machine code is entered.
 */
#include "runtime/jit/jit_int.h"

#include <string.h>

#include "runtime/code/opinfo.h"

enum { NO_SLOT = UINT32_MAX };

/* What an instruction does with what is known. */
enum what {
    SET,   /* slot a is not nil */
    CLEAR, /* it may be */
    COPY,  /* it is if b is not */
    LOSE,  /* nothing is known of slots from a to before b */
    LEAD   /* it may lead to the block a */
};

struct act {
    uint32_t what : 3; /* enum what */
    uint32_t a : 29;
    uint32_t b;
};

struct nil {
    struct jit_fn *c;
    void *scratch; /* from here on memory is needed by this pass alone */
    uint64_t *wanted; /* the slots that count */
    struct act *act;
    size_t nacts, max_acts;
    uint32_t *first; /* by block: of its acts; behind the last, all */
    bool *seen;      /* by block: some way leads there */
    bool *changed;   /* by block: it has to be walked again */
    uint64_t *now;
    bool more;
};

/* The slot that x accesses memory by, if it fails where that is nil. */
static uint32_t
asked(const struct jit_ins *x)
{
    const struct code_ins *w = x->w;

    bool by_b = (w->op >= OP_LD8U && w->op <= OP_LEA) ||
        (w->op >= OP_LDP8U && w->op <= OP_PADDR);

    if (!(by_b || w->op == OP_CHKNIL) || x->known || x->safe || x->dropped)
        return NO_SLOT;
    return by_b ? w->b : w->a;
}
_Static_assert(OP_STT == OP_LEA - 1 && OP_LDM < OP_ST8 && OP_LD8U < OP_LDM,
    "accesses by a pointer are in one row");

/* The slots that count; whether there are any.  Outside loops it would not be
 * worth the work. */
static bool
find_wanted(struct nil *v)
{
    struct jit_fn *c = v->c;
    bool any = false;

    for (uint32_t b = 0; b < c->nblocks; b++) {
        const struct jit_ins *x = &c->v[c->block[b]],
                             *end = &c->v[c->block[b + 1]];

        /* Deeper is only what a jump back leads to. */
        for (; x < end && x->depth > 0; x++) {
            uint32_t slot = asked(x);

            if (slot == NO_SLOT)
                continue;
            rt_bit_set(v->wanted, slot);
            any = true;
        }
    }
    for (int32_t k = c->n - 1; k >= 0 && any; k--)
        if (c->v[k].w[0].op == OP_MOV &&
            rt_bit_get(v->wanted, c->v[k].w[0].a))
            rt_bit_set(v->wanted, c->v[k].w[0].b);
    return any;
}

static void
put(struct nil *v, enum what what, uint32_t a, uint32_t b)
{
    rt_assert(v->nacts < v->max_acts && a < (uint32_t)1 << 29);
    v->act[v->nacts++] = (struct act){(uint32_t)what, a, b};
}

static void
put_way(struct jit_fn *c, int32_t to, void *arg)
{
    if (c->lead[to] >= 0)
        put(arg, LEAD, (uint32_t)c->lead[to], 0);
}

/* What x assigns to a slot that counts. */
static void
put_def(struct nil *v, const struct jit_ins *x, uint32_t slot)
{
    unsigned op = x->w[0].op;

    if (op == OP_MOV && !x->dropped)
        put(v, COPY, slot, x->w[0].b);
    else
        put(v, jit_is_address(op) && !x->dropped ? SET : CLEAR, slot, 0);
}

static void
put_defs(struct nil *v, const struct jit_ins *x)
{
    struct jit_fn *c = v->c;
    const struct jit_opnd *o = c->op + x->ops;
    uint32_t from, kept;

    if (jit_lost(x, &from, &kept)) {
        put(v, LOSE, from, from + 2);
        put(v, LOSE, from + 2 + kept, c->ns);
    }
    for (uint32_t i = 0; i < x->nops; i++)
        if (o[i].def && rt_bit_get(v->wanted, o[i].slot))
            put_def(v, x, o[i].slot);
}

static void
put_block(struct nil *v, int32_t k, int32_t end)
{
    struct jit_fn *c = v->c;

    for (; k < end; k++) {
        const struct jit_ins *x = &c->v[k];
        uint32_t slot = asked(x);

        if (!x->reached)
            continue;
        if (slot != NO_SLOT && rt_bit_get(v->wanted, slot))
            put(v, SET, slot, 0);
        if (c->does == NULL || x->loses ||
            (c->does[k].defs & v->wanted[0]) != 0)
            put_defs(v, x);
        if (k + 1 == end || !x->plain)
            jit_each_succ(c, x, put_way, v);
    }
}

/* Writes down what is done. */
static bool
put_all(struct nil *v)
{
    enum { PER_INS = 6 }; /* two ways, and those of SWITCH lead to jumps */
    struct jit_fn *c = v->c;

    v->max_acts = (size_t)c->n * PER_INS + c->nop;
    c->notnil = jit_alloc(c, (size_t)c->nblocks * c->words, 8);
    v->scratch = rt_arena_at(c->mem);
    v->act = jit_room(c, v->max_acts, sizeof *v->act);
    v->first = jit_room(c, (size_t)c->nblocks + 1, sizeof *v->first);
    v->seen = jit_alloc(c, c->nblocks, 1);
    v->changed = jit_alloc(c, c->nblocks, 1);
    v->now = jit_alloc(c, c->words, 8);
    if (c->failed)
        return false;
    for (uint32_t b = 0; b < c->nblocks; b++) {
        v->first[b] = (uint32_t)v->nacts;
        put_block(v, c->block[b], c->block[b + 1]);
    }
    v->first[c->nblocks] = (uint32_t)v->nacts;
    return true;
}

static uint64_t *
begin_of(const struct nil *v, uint32_t b)
{
    return v->c->notnil + (size_t)b * v->c->words;
}

/* A way leads to block b, where not more is known than is now. */
static void
arrive(struct nil *v, uint32_t b)
{
    uint64_t *at = begin_of(v, b);
    bool less = !v->seen[b];

    for (uint32_t i = 0; i < v->c->words; i++) {
        uint64_t both = v->seen[b] ? at[i] & v->now[i] : v->now[i];
        less |= both != at[i];
        at[i] = both;
    }
    v->seen[b] = true;
    v->changed[b] |= less;
    v->more |= less;
}

static void
walk(struct nil *v, uint32_t b)
{
    v->changed[b] = false;
    memcpy(v->now, begin_of(v, b), 8u * v->c->words);
    for (uint32_t i = v->first[b]; i < v->first[b + 1]; i++) {
        const struct act *a = &v->act[i];

        switch ((enum what)a->what) {
        case SET:
            rt_bit_set(v->now, a->a);
            break;
        case CLEAR:
            rt_bit_clear(v->now, a->a);
            break;
        case COPY:
            rt_bits_fill(v->now, a->a, a->a + 1u, rt_bit_get(v->now, a->b));
            break;
        case LOSE:
            rt_bits_fill(v->now, a->a, a->b, false);
            break;
        case LEAD:
            arrive(v, a->a);
            break;
        }
    }
}

/* Where a block is entered from elsewhere: by a call of the function, or by a
 * panic that has been recovered. */
static void
enter_blocks(struct nil *v)
{
    struct jit_fn *c = v->c;

    for (uint32_t b = 0; b < c->nblocks; b++)
        v->seen[b] = v->changed[b] =
            b == 0 || jit_recovers_at(c, &c->v[c->block[b]]);
}

bool
jit_nil(struct jit_fn *c)
{
    struct nil v = {.c = c};

    rt_assert(c->notnil == NULL && !c->memory);
    if (!c->asks || c->nblocks < 2)
        return true;
    v.wanted = jit_alloc(c, c->words, 8);
    if (c->failed)
        return false;
    if (!find_wanted(&v))
        return true;
    if (!put_all(&v))
        return false;
    enter_blocks(&v);
    do {
        v.more = false;
        for (uint32_t b = 0; b < c->nblocks; b++)
            if (v.changed[b])
                walk(&v, b);
    } while (v.more);
    rt_arena_shorten(c->mem, v.scratch);
    return true;
}
