/* SPDX-License-Identifier: MIT */

/*
 * Pointers that are known not to be nil where a block begins: on each way
 * there an access by the same value has succeeded, or it is an address that
 * never is nil.  The emitter carries that on within the block, and asks only
 * where nothing is known.
 *
 * Only slots by which something in a loop is accessed count, and those from
 * which they are copied.  A walk writes down what is done with them, up to each
 * copy and each way to a block; what holds where blocks begin is found by that,
 * again and again until nothing changes.  It is optimistic: a block to which no
 * way leads yet says nothing.
 *
 * Slots are as the interpreter has them, which asks in the same places: what is
 * found holds wherever machine code is entered.
 */
#include "runtime/jit/jit_int.h"

#include <string.h>

#include "runtime/code/opinfo.h"

enum { NO_SLOT = UINT32_MAX };

/* What is to be known of instructions without looking at them again, of which
 * each takes two lines of the cache. */
enum {
    NOTE_BY_B = 1,  /* it accesses memory by b, or, below, by a; if it asks */
    NOTE_BY_A = 2,
    NOTE_LOSES = 4, /* as jit_lost() says */
    NOTE_TURNS = 8  /* it need not lead to the next one only, or a block ends
                       there */
};

/* Slot `to` is no nil pointer if `from` is none; or, where that is NO_SLOT, a way
 * leads to block `to`. */
struct act {
    uint32_t to, from;
};

struct nil {
    struct jit_fn *c;
    void *scratch; /* from here on memory is needed by this pass alone */
    uint64_t *wanted; /* the slots that count */
    uint8_t *notes;  /* by instruction */
    struct act *act;
    uint64_t *masks; /* by act, two sets: what holds before is what has held
                        behind the one before, of the slots in the first, and the
                        slots in the second */
    size_t nacts, max_acts;
    uint32_t *first; /* by block: of its acts; behind the last, all */
    bool *seen;      /* by block: some way leads there */
    uint64_t *changed; /* the set of blocks that have to be walked again */
    uint64_t *now;
};

/* By which slot the operation accesses memory, if it fails where that is nil; or
 * MOVES. */
enum { BY = NOTE_BY_B | NOTE_BY_A, MOVES = 4 };

static const uint8_t does_of[OP_COUNT] = {
    [OP_LD8U ... OP_LEA] = NOTE_BY_B,
    [OP_LDP8U ... OP_PADDR] = NOTE_BY_B,
    [OP_CHKNIL] = NOTE_BY_A,
    [OP_MOV] = MOVES,
};
_Static_assert(OP_STT == OP_LEA - 1 && OP_LDM < OP_ST8 && OP_LD8U < OP_LDM,
    "accesses by a pointer are in one row");

/* The slot that x, which accesses memory by that, asks for. */
static uint32_t
asked(const struct jit_ins *x, unsigned by)
{
    if (x->known || x->safe || x->dropped)
        return NO_SLOT;
    return (by & NOTE_BY_B) != 0 ? x->w[0].b : x->w[0].a;
}

/* The slots that are asked for in loops; whether there are any.  Elsewhere it
 * would not be worth the work. */
static bool
find_asked(struct nil *v)
{
    struct jit_fn *c = v->c;
    uint64_t any = 0;

    for (uint32_t b = 0; b < c->nblocks; b++) {
        const struct jit_ins *x = &c->v[c->block[b]],
                             *end = &c->v[c->block[b + 1]];

        if (x->depth == 0)
            continue; /* deeper is only what a jump back leads to */
        for (; x < end; x++) {
            unsigned by = does_of[x->w[0].op] & BY;

            if (by == 0 || x->depth == 0 || jit_traps(c, x))
                continue;
            uint32_t slot = asked(x, by);
            if (slot != NO_SLOT)
                rt_bit_set(v->wanted, slot);
        }
    }
    for (uint32_t w = 0; w < c->words; w++)
        any |= v->wanted[w];
    return any != 0;
}

/* Takes notes of all instructions, and adds the slots from which those that count
 * are copied; move: room for a number of each. */
static void
look_at_all(struct nil *v, int32_t *move)
{
    struct jit_fn *c = v->c;
    uint32_t n = 0;

    for (int32_t k = 0; k < c->n; k++) {
        unsigned does = does_of[c->v[k].w[0].op];

        v->notes[k] = does & BY;
        move[n] = k; /* nobody can foretell whether it is one */
        n += does / MOVES;
    }
    for (uint32_t i = 0; i < c->nlosers; i++)
        v->notes[c->losers[i]] |= NOTE_LOSES;
    for (uint32_t i = 0; i < c->nturns; i++)
        v->notes[c->turns[i]] |= NOTE_TURNS;
    for (uint32_t b = 0; b < c->nblocks; b++)
        v->notes[c->block[b + 1] - 1] |= NOTE_TURNS;
    while (n-- > 0) {
        const struct code_ins *w = c->v[move[n]].w;

        if (rt_bit_get(v->wanted, w->a))
            rt_bit_set(v->wanted, w->b);
    }
}

/* ---- what is done --------------------------------------------------------- */

/* Of the act that comes next: what holds still, and what does then. */
static inline uint64_t *
kept(const struct nil *v)
{
    return v->masks + v->nacts * 2 * v->c->words;
}

static inline uint64_t *
set(const struct nil *v)
{
    return kept(v) + v->c->words;
}

/* Nothing has been done, as yet. */
static inline void
begin(const struct nil *v)
{
    uint64_t *keeps = kept(v), *sets = set(v);
    uint32_t w = 0;

    do { /* most often there is one word */
        keeps[w] = ~(uint64_t)0;
        sets[w] = 0;
    } while (++w < v->c->words);
}

static inline void
put(struct nil *v, uint32_t to, uint32_t from)
{
    rt_assert(v->nacts < v->max_acts);
    v->act[v->nacts++] = (struct act){to, from};
    begin(v);
}

static void
put_way(struct jit_fn *c, int32_t to, void *arg)
{
    if (c->lead[to] >= 0)
        put(arg, (uint32_t)c->lead[to], NO_SLOT);
}

/* Nothing is known of slots in word w of the set. */
static inline void
forget(const struct nil *v, uint32_t w, uint64_t lost)
{
    kept(v)[w] &= ~lost;
    set(v)[w] &= ~lost;
}

/* Nor of those from `from` on, but for n behind the first two. */
static void
lose(const struct nil *v, uint32_t from, uint32_t n)
{
    if (v->c->words == 1) { /* most often */
        if (from < 64)
            forget(v, 0,
                ~rt_low_bits(from) & ~(rt_low_bits(n) << 2 << from));
        return;
    }
    for (uint32_t w = from / 64; w < v->c->words; w++)
        forget(v, w,
            rt_bits_within(w, from, v->c->ns) &
                ~rt_bits_within(w, from + 2, from + 2 + n));
}

/* x assigns a slot that counts. */
static inline void
put_def(struct nil *v, const struct jit_ins *x, uint32_t slot)
{
    unsigned op = x->w[0].op;

    if (op == OP_MOV && !x->dropped) {
        put(v, slot, x->w[0].b);
    } else if (jit_is_address(op) && !x->dropped) {
        rt_bit_set(set(v), slot);
    } else {
        forget(v, slot / 64, (uint64_t)1 << slot % 64);
    }
}

static void
put_defs(struct nil *v, int32_t k)
{
    struct jit_fn *c = v->c;
    const struct jit_ins *x = &c->v[k];
    uint32_t from, n;

    if (c->does != NULL && (v->notes[k] & NOTE_LOSES) == 0) {
        uint64_t defs = c->does[k].defs & v->wanted[0];

        for (; defs != 0; defs &= defs - 1)
            put_def(v, x, (uint32_t)__builtin_ctzll(defs));
        return;
    }
    const struct jit_opnd *o = c->op + x->ops;
    if (jit_lost(x, &from, &n))
        lose(v, from, n);
    for (uint32_t i = 0, end = jit_assigned(x); i < end; i++)
        if (o[i].def && rt_bit_get(v->wanted, o[i].slot))
            put_def(v, x, o[i].slot);
}

/* Writes down what is done in a block, which is reached. */
static void
put_block(struct nil *v, int32_t k, int32_t end)
{
    struct jit_fn *c = v->c;
    const struct jit_does *does = c->does; /* NULL: it is not known */
    uint64_t wanted = v->wanted[0];

    for (; k < end; k++) {
        unsigned note = v->notes[k], by = note & BY;
        bool assigns = does == NULL || (does[k].defs & wanted) != 0;

        if (note == 0 && !assigns)
            continue;
        const struct jit_ins *x = &c->v[k];
        rt_assert(x->reached);
        if (by != 0) {
            uint32_t slot = asked(x, by);

            if (slot != NO_SLOT && rt_bit_get(v->wanted, slot))
                rt_bit_set(set(v), slot);
        }
        if (assigns || (note & NOTE_LOSES) != 0)
            put_defs(v, k);
        if ((note & NOTE_TURNS) != 0)
            jit_each_succ(c, x, put_way, v);
    }
}

/* Writes down what is done. */
static bool
put_all(struct nil *v)
{
    enum { PER_INS = 3 }; /* two ways, and those of SWITCH lead to jumps */
    struct jit_fn *c = v->c;

    v->max_acts = (size_t)c->n * PER_INS;
    c->notnil = jit_alloc(c, (size_t)c->nblocks * c->words, 8);
    v->scratch = rt_arena_at(c->mem);
    v->act = jit_room(c, v->max_acts, sizeof *v->act);
    v->masks = jit_room(c, (v->max_acts + 1) * c->words, 2 * sizeof *v->masks);
    v->first = jit_room(c, (size_t)c->nblocks + 1, sizeof *v->first);
    v->seen = jit_alloc(c, c->nblocks, 1);
    v->changed = jit_alloc(c, c->nblocks / 64 + 1, 8);
    v->now = jit_alloc(c, c->words, 8);
    v->notes = jit_room(c, (size_t)c->n, 1);
    int32_t *move = jit_room(c, (size_t)c->n + 1, sizeof *move);
    if (c->failed)
        return false;
    look_at_all(v, move);
    for (uint32_t b = 0; b < c->nblocks; b++) {
        v->first[b] = (uint32_t)v->nacts;
        begin(v);
        if (c->v[c->block[b]].reached)
            put_block(v, c->block[b], c->block[b + 1]);
    }
    v->first[c->nblocks] = (uint32_t)v->nacts;
    return true;
}

/* ---- what holds ----------------------------------------------------------- */

static uint64_t *
begin_of(const struct nil *v, uint32_t b)
{
    return v->c->notnil + (size_t)b * v->c->words;
}

/* A way leads to block b, where not more is known than is now. */
static inline void
arrive(struct nil *v, uint32_t b)
{
    uint64_t *at = begin_of(v, b), first = (uint64_t)v->seen[b] - 1;
    uint64_t less = first;
    uint32_t w = 0;

    do {
        uint64_t both = (at[w] | first) & v->now[w];
        less |= both ^ at[w];
        at[w] = both;
    } while (++w < v->c->words);
    v->seen[b] = true;
    v->changed[b / 64] |= (uint64_t)(less != 0) << b % 64;
}

/* What an act says of now. */
static inline void
go_on(struct nil *v, const struct act *a, const uint64_t *mask)
{
    uint32_t words = v->c->words, w = 0;

    do
        v->now[w] = (v->now[w] & mask[w]) | mask[words + w];
    while (++w < words);
    if (a->from == NO_SLOT) {
        arrive(v, a->to);
        return;
    }
    uint64_t is = rt_bit_get(v->now, a->from);
    rt_bit_clear(v->now, a->to);
    v->now[a->to / 64] |= is << a->to % 64;
}

static void
walk(struct nil *v, uint32_t b)
{
    const uint64_t *mask = v->masks + (size_t)v->first[b] * 2 * v->c->words;
    const struct act *a = v->act + v->first[b], *end = v->act + v->first[b + 1];

    memcpy(v->now, begin_of(v, b), 8u * v->c->words);
    for (; a < end; a++, mask += 2 * v->c->words)
        go_on(v, a, mask);
}

/* Where a block is entered from elsewhere: by a call of the function, or by a
 * panic that has been recovered. */
static void
enter_blocks(struct nil *v)
{
    struct jit_fn *c = v->c;
    bool defers = (c->f->flags & CODE_F_DEFER) != 0;

    for (uint32_t b = 0; b < (defers ? c->nblocks : 1); b++)
        if (b == 0 || jit_recovers_at(c, &c->v[c->block[b]])) {
            v->seen[b] = true;
            rt_bit_set(v->changed, b);
        }
}

/* Walks the blocks where something has changed; whether there was one. */
static bool
walk_changed(struct nil *v)
{
    bool any = false;

    for (uint32_t w = 0; 64 * w < v->c->nblocks; w++)
        while (v->changed[w] != 0) {
            uint32_t b = 64 * w + (uint32_t)__builtin_ctzll(v->changed[w]);

            v->changed[w] &= v->changed[w] - 1;
            walk(v, b);
            any = true;
        }
    return any;
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
    if (!find_asked(&v))
        return true;
    if (!put_all(&v))
        return false;
    enter_blocks(&v);
    while (walk_changed(&v))
        ;
    rt_arena_shorten(c->mem, v.scratch);
    return true;
}
