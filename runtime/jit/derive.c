/* SPDX-License-Identifier: MIT */

/*
 * What need not be worked out.  An address of a variable in a frame's cells is
 * that of their block, which has a slot of its own, and a number; and what a
 * closure there has captured is most often such an address, or a number.  Machine
 * code that knows the variables themselves (vars.c) asks for neither, but the
 * interpreter does: so a record says how it is derived, and there is neither code
 * nor a register for it.
 *
 * A web is derived if all that it is assigned is the same word of the same block,
 * which is in its slot wherever the web lives; if nobody but moves to such webs,
 * and closures that are made in cells, asks for it; and if it does not live where
 * a call looks at the frame.
 */
#include "runtime/jit/jit_int.h"

#include "runtime/jit/access.h"

/* After so many rounds nothing is derived: what is found out, or refused, goes
 * from one move of an address to the next one in each, and programs have few. */
enum { ROUNDS = 16 };

struct is {
    enum { NO_WAY, NUMBER, DERIVED, OTHER } kind;
    int32_t value;   /* NUMBER; DERIVED: words from the block's beginning on */
    uint32_t of;     /* DERIVED: the slot with the block's address, */
    uint32_t block;  /* and its web */
};

struct derive {
    struct jit_fn *c;
    struct is *is;   /* by web */
    uint64_t *slots; /* the set of slots with a web that is derived */
    uint64_t *bases; /* the set of slots with addresses of their blocks */
    uint64_t *set;   /* for what is live behind an instruction */
    bool more;
};

static bool
is_same(struct is a, struct is b)
{
    return a.kind == b.kind &&
        (a.kind == NO_WAY || a.kind == OTHER ||
            (a.value == b.value &&
                (a.kind == NUMBER || (a.of == b.of && a.block == b.block))));
}

static void
put(struct derive *d, uint32_t web, struct is is)
{
    struct is *was = &d->is[web];

    if (is.kind == NO_WAY || was->kind == OTHER || is_same(*was, is))
        return;
    *was = was->kind == NO_WAY ? is : (struct is){.kind = OTHER};
    d->more = true;
}

/* It is no longer to be derived. */
static void
refuse(struct derive *d, uint32_t web)
{
    put(d, web, (struct is){.kind = OTHER});
}

/* The web of a slot that x reads; JIT_NO_NODE: it does not. */
static uint32_t
web_read(const struct jit_fn *c, const struct jit_ins *x, uint32_t slot)
{
    const struct jit_opnd *o = c->op + x->ops;

    for (uint32_t i = 0; i < x->nops; i++)
        if (o[i].use && o[i].slot == slot)
            return c->uf[o[i].node];
    return JIT_NO_NODE;
}

/* What x reads into its first operand, if it is one move. */
static uint32_t
web_moved(const struct jit_fn *c, const struct jit_ins *x)
{
    if (x->kind != JIT_NATIVE)
        return JIT_NO_NODE;
    if (x->w[0].op == OP_MOV && x->nops == 2)
        return web_read(c, x, x->w[0].b);
    if (x->w[0].op != OP_LD64 || !x->known)
        return JIT_NO_NODE;
    uint32_t slot = jit_slot_of_word(c, x->object, x->word);
    return slot == 0 ? JIT_NO_NODE : web_read(c, x, slot);
}

/* An address that is always the same, as a number if it is small. */
static struct is
number(uintptr_t p)
{
    return p > INT32_MAX
        ? (struct is){.kind = OTHER}
        : (struct is){.kind = NUMBER, .value = (int32_t)p};
}

/* Word i of the closure that x makes. */
static struct is
captured(const struct derive *d, const struct jit_ins *x, uint32_t i)
{
    const struct jit_fn *c = d->c;

    if (i == 0)
        return number((uintptr_t)&c->im->funcs[x->w[1].imm]);
    uint32_t web = web_read(c, x, x->w[0].b + i - 1);
    return web == JIT_NO_NODE ? (struct is){.kind = OTHER} : d->is[web];
}

/* What x assigns to a variable's slot. */
static struct is
variable(const struct derive *d, const struct jit_ins *x, uint32_t slot)
{
    const struct jit_home *h = &d->c->home[slot - d->c->vs];

    if (x->kind != JIT_NATIVE)
        return (struct is){.kind = OTHER};
    switch (x->w[0].op) {
    case OP_CELL:
        return (struct is){.kind = NUMBER, .value = 0};
    case OP_MKCLOAT:
        return captured(d, x, h->word - (uint32_t)x->word);
    case OP_ST64:
        if (x->known && x->numbered)
            return (struct is){.kind = NUMBER, .value = x->number};
        return (struct is){.kind = OTHER};
    default:
        return (struct is){.kind = OTHER};
    }
}

static struct is
assigned(const struct derive *d, const struct jit_ins *x,
    const struct jit_opnd *o)
{
    const struct jit_fn *c = d->c;
    const struct code_ins *w = x->w;

    if (o->use || c->pinned[o->slot] != 0)
        return (struct is){.kind = OTHER};
    if (o->slot >= c->vs)
        return variable(d, x, o->slot);
    if (w->op == OP_LDI && x->kind == JIT_NATIVE)
        return (struct is){.kind = NUMBER, .value = w->imm};
    if (w->op == OP_LDFN && x->kind == JIT_NATIVE)
        return number((uintptr_t)&c->im->funcs[w->imm].self);
    if (w->op == OP_CELL && x->kind == JIT_NATIVE && o->slot == w->a)
        return (struct is){.kind = DERIVED, .value = w->c, .of = w->b,
            .block = web_read(c, x, w->b)};
    uint32_t from = web_moved(c, x);
    return from == JIT_NO_NODE ? (struct is){.kind = OTHER} : d->is[from];
}

/* Whether x, which reads the web by operand o, can do without it. */
static bool
needs_none(const struct derive *d, const struct jit_ins *x,
    const struct jit_opnd *o)
{
    const struct jit_fn *c = d->c;
    uint32_t web = c->uf[o->node];

    if (o->place == JIT_NOWHERE || x->dropped)
        return true;
    if (x->w[0].op == OP_MKCLOAT && x->kind == JIT_NATIVE)
        return true; /* op_fill_closure() works out what it stores */
    return web_moved(c, x) == web &&
        is_same(d->is[c->uf[c->op[x->ops].node]], d->is[web]);
}

/* What all webs are assigned, and by whom they are read. */
static void
find_values(struct derive *d)
{
    struct jit_fn *c = d->c;

    for (int32_t k = 0; k < c->n; k++) {
        const struct jit_ins *x = &c->v[k];
        const struct jit_opnd *o = c->op + x->ops;

        for (uint32_t i = 0; i < x->nops && x->reached; i++)
            if (o[i].def)
                put(d, c->uf[o[i].node], assigned(d, x, &o[i]));
    }
}

static void
find_readers(struct derive *d)
{
    struct jit_fn *c = d->c;

    for (int32_t k = 0; k < c->n; k++) {
        const struct jit_ins *x = &c->v[k];
        const struct jit_opnd *o = c->op + x->ops;

        for (uint32_t i = 0; i < x->nops && x->reached; i++)
            if (o[i].use && d->is[c->uf[o[i].node]].kind == DERIVED &&
                !needs_none(d, x, &o[i]))
                refuse(d, c->uf[o[i].node]);
    }
}

/* Whether the web in a slot that is live before instruction k, at which cur
 * stands, can be derived there. */
static bool
has_block(const struct derive *d, int32_t k, const struct is *is)
{
    const struct jit_fn *c = d->c;

    return rt_bit_get(jit_live(c, k), is->of) &&
        c->cur[is->of] != JIT_NO_NODE && c->uf[c->cur[is->of]] == is->block;
}

static void
look_before(struct derive *d, int32_t k)
{
    struct jit_fn *c = d->c;
    const uint64_t *live = jit_live(c, k);
    bool called = jit_is_looked_at(&c->v[k]);
    const uint64_t *torn = c->lead[k] < 0
        ? NULL : c->torn + (size_t)c->lead[k] * c->words;

    for (uint32_t w = 0; w < c->words; w++)
        for (uint64_t b = live[w] & d->slots[w]; b != 0; b &= b - 1) {
            uint32_t s = 64 * w + (uint32_t)__builtin_ctzll(b);
            if (c->cur[s] == JIT_NO_NODE)
                continue;
            uint32_t web = c->uf[c->cur[s]];
            const struct is *is = &d->is[web];
            if (is->kind == DERIVED &&
                (!has_block(d, k, is) || (called && s < c->vs) ||
                    (torn != NULL && rt_bit_get(torn, s))))
                refuse(d, web);
        }
}

/* The slot of a block gets something else, by x: what lives on is not to be
 * derived from that. */
static void
lose_block(struct derive *d, const struct jit_ins *x, uint32_t slot)
{
    struct jit_fn *c = d->c;
    const uint64_t *behind = jit_live_behind(c, x, d->set);

    for (uint32_t w = 0; w < c->words; w++)
        for (uint64_t b = behind[w] & d->slots[w]; b != 0; b &= b - 1) {
            uint32_t s = 64 * w + (uint32_t)__builtin_ctzll(b);
            if (c->cur[s] == JIT_NO_NODE)
                continue;
            uint32_t web = c->uf[c->cur[s]];
            if (d->is[web].kind == DERIVED && d->is[web].of == slot)
                refuse(d, web);
        }
}

static void
find_places(struct derive *d)
{
    struct jit_fn *c = d->c;

    jit_cur_start(c);
    for (int32_t k = 0; k < c->n; k++) {
        const struct jit_ins *x = &c->v[k];
        const struct jit_opnd *o = c->op + x->ops;

        if (!x->reached)
            continue;
        jit_cur_at(c, k);
        look_before(d, k);
        for (uint32_t i = 0; i < x->nops; i++)
            if (o[i].def && rt_bit_get(d->bases, o[i].slot) &&
                (x->w[0].op != OP_CELL || x->w[0].b != o[i].slot))
                lose_block(d, x, o[i].slot);
        jit_cur_step(c, k);
    }
}

/* Webs that are derived, and variables that are numbers, are told so. */
static void
tell(const struct derive *d)
{
    struct jit_fn *c = d->c;

    for (uint32_t i = 0; i < c->nw; i++) {
        const struct is *is = &d->is[i];
        struct jit_web *w = &c->web[i];

        if (is->kind == DERIVED) {
            rt_assert(is->of < c->vs && is->value <= UINT8_MAX && !w->pinned);
            w->derived = w->fixed = w->away = true;
            w->of = (uint16_t)is->of;
            w->value = is->value;
        } else if (is->kind == NUMBER && w->slot >= c->vs && !w->pinned) {
            w->fixed = w->constant = true;
            w->value = is->value;
        }
    }
}

/* Sets of slots with derived webs, and with blocks; whether there are any. */
static bool
find_slots(struct derive *d)
{
    struct jit_fn *c = d->c;
    bool any = false;

    for (uint32_t i = 0; i < c->nw; i++)
        if (d->is[i].kind == DERIVED) {
            rt_bit_set(d->slots, c->web[i].slot);
            rt_bit_set(d->bases, d->is[i].of);
            any = true;
        }
    return any;
}

/* Whether it comes to an end, which is that nothing changes any more. */
static bool
find_all(struct derive *d)
{
    unsigned round = 0;

    do {
        d->more = false;
        find_values(d);
        if (++round > ROUNDS)
            return false;
    } while (d->more);
    if (!find_slots(d))
        return true;
    do {
        d->more = false;
        find_values(d);
        find_readers(d);
        find_places(d);
        if (++round > ROUNDS)
            return false;
    } while (d->more);
    return true;
}

bool
jit_derive(struct jit_fn *c)
{
    struct derive d = {.c = c};

    if (!c->makes_late)
        return true;
    d.is = jit_alloc(c, c->nw, sizeof *d.is);
    d.slots = jit_alloc(c, c->words, 8);
    d.bases = jit_alloc(c, c->words, 8);
    d.set = jit_room(c, c->words, 8);
    if (c->failed)
        return false;
    for (uint32_t i = 0; i < c->nw; i++)
        if (c->web[i].variable)
            d.is[i].kind = OTHER; /* it is there at entry */
    if (find_all(&d))
        tell(&d);
    return true;
}
