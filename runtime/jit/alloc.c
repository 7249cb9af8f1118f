/* SPDX-License-Identifier: MIT */

/*
 * Which web gets which register.  A web is worth a register by how often its
 * operands are executed, eight times as often for each loop around them, less
 * the saves and loads that the register costs at calls.  The worthiest web
 * chooses first: a register that no web has with which it is live at the same
 * time, that of the other side of a move if it can.
 */
#include "runtime/jit/lives.h"

#include <string.h>

#include "runtime/code/opinfo.h"
#include "runtime/jit/access.h"

static void
hint(struct jit_web *w, uint32_t other, uint32_t max)
{
    rt_assert(other <= UINT16_MAX);
    if (w->nhint < max)
        w->hint[w->nhint++] = (uint16_t)other;
}

/* Of an operand that may be in a register, what kind of number it holds. */
static inline void
count_class(struct jit_fn *c, struct jit_web *w, unsigned holds)
{
    enum { INT = 1 << CODE_CLASS_INT | 1 << CODE_CLASS_POINTER,
        FLOAT = 1 << CODE_CLASS_FLOAT64 | 1 << CODE_CLASS_FLOAT32 };

    w->nint += (uint32_t)INT >> holds & 1;
    if (((uint32_t)FLOAT >> holds & 1) == 0)
        return;
    w->nfloat++;
    c->computes = true;
}

/* x assigns something to the variable in a slot: it may be a number, which is known,
 * and small. */
static void
count_variable(const struct jit_fn *c, const struct jit_ins *x, uint32_t slot,
    struct jit_web *w)
{
    unsigned op = x->w[0].op;

    if (w->fixed)
        return;
    int32_t n = op == OP_ST64 ? x->number : 0;
    bool numbers = op == OP_ST64 ? x->numbered && n == (int8_t)n
                                 : op == OP_CELL || op == OP_NEW ||
            jit_is_own_word(x->w, c->home[slot - c->vs].word - x->word);

    if (numbers && (!w->constant || w->value == n)) {
        w->constant = true;
        w->value = n;
    } else {
        w->variable = true;
    }
}

/* An operand of x that has to be somewhere. */
static void
count_placed(const struct jit_fn *c, const struct jit_ins *x,
    const struct jit_opnd *o, struct jit_web *w, int32_t often)
{
    if (o->place != JIT_MEMORY) {
        w->kept |= o->place == JIT_NOWHERE;
        w->pinned |= o->place == JIT_PINNED;
        w->variable |= o->def;
        return;
    }
    w->inmem = true;
    w->saves += o->use ? often : 0;
    w->loads += o->def ? often : 0;
    if (o->def && o->slot >= c->vs) { /* it is made there */
        w->defined = true;
        count_variable(c, x, o->slot, w);
    } else {
        w->variable |= o->def;
    }
}

/* One operand of instruction x, which is executed `often`. */
static RT_ALWAYS_INLINE void
count_operand(struct jit_fn *c, const struct jit_ins *x,
    const struct jit_opnd *o, struct jit_web *w, int32_t often)
{
    rt_assert(o->def || o->use);
    rt_assert(w->slot == o->slot && w->pinned >= (c->pinned[o->slot] != 0));
    if (o->place != JIT_ANY) {
        count_placed(c, x, o, w, often);
        return;
    }
    count_class(c, w, o->holds);
    if (o->use) {
        w->weight += often;
        w->used = true;
    }
    if (!o->def)
        return;
    w->weight += often;
    w->defined = true;
    w->defs += often;
    if (o->slot >= c->vs) {
        count_variable(c, x, o->slot, w);
    } else if (x->w[0].op == OP_LDI &&
        (!w->constant || w->value == x->w[0].imm)) {
        w->constant = true;
        w->value = x->w[0].imm;
    } else {
        w->variable = true;
    }
}

/* A slice that is made of one: most often it takes its place. */
static RT_NOINLINE void
give_slice_hints(struct jit_fn *c, const struct jit_ins *x)
{
    const struct code_ins *w = x->w;

    jit_go_to(c, (int32_t)(x - c->v));
    for (uint32_t i = 0; i < 3; i++)
        hint(jit_def(c, w->a + i), (uint32_t)(jit_use(c, w->b + i) - c->web),
            JIT_HINTS / 2);
}

/* A variable and what is loaded from there, or stored. */
static RT_NOINLINE void
give_var_hints(struct jit_fn *c, const struct jit_ins *x)
{
    const struct jit_opnd *o = c->op + x->ops;

    for (uint32_t i = 2; i < x->nops; i++)
        if (o[i].slot >= c->vs) {
            uint32_t word = c->home[o[i].slot - c->vs].word - (uint32_t)x->word;
            uint32_t var = c->uf[o[i].node], with = c->uf[o[word].node];
            rt_assert(word < x->nwords);
            hint(&c->web[var], with, JIT_HINTS);
            hint(&c->web[with], var, JIT_HINTS);
        }
}

/* Webs of x that would do well with the same register. */
static void
give_hints(struct jit_fn *c, const struct jit_ins *x)
{
    const struct jit_opnd *o = c->op + x->ops;

    if (x->kind != JIT_NATIVE || x->nops < 2)
        return;
    if (x->object != 0 && (x->known || (x->safe && x->nwords > 0))) {
        give_var_hints(c, x);
        return;
    }
    switch (x->w[0].op) {
    case OP_SLICE:
    case OP_APPEND64:
    case OP_APPENDT:
    case OP_APPENDG:
    case OP_APPENDSL:
        give_slice_hints(c, x);
        return;
    default:
        break;
    }
    if (!o[0].def || !o[1].use)
        return;
    uint32_t d = c->uf[o[0].node], s = c->uf[o[1].node];
    if (x->w[0].op == OP_MOV) {
        hint(&c->web[d], s, JIT_HINTS);
        hint(&c->web[s], d, JIT_HINTS);
    } else {
        hint(&c->web[d], s, JIT_HINTS / 2);
    }
}

static bool
is_pointer_of(const struct code_func *f, uint32_t slot)
{
    return slot < f->nslots && (f->ptrmask[slot / 8] >> (slot % 8) & 1) != 0;
}

/* Whether the collector, coming to x, looks at the slot. */
static bool
is_pointer(const struct jit_fn *c, const struct jit_ins *x, uint32_t slot)
{
    const struct jit_frame *frames = c->jit->frames;

    for (uint32_t i = x->frame; i != 0; i = frames[i].up)
        if (slot >= frames[i].base &&
            is_pointer_of(frames[i].f, slot - frames[i].base))
            return true;
    return is_pointer_of(c->f, slot);
}

/* The web w, which is in a slot that is live behind x, must live through it. */
static void
live_through(struct jit_fn *c, const struct jit_ins *x, struct jit_web *w,
    int32_t often)
{
    w->saves += often;
    /* What a variable costs beside the call is little: its loop may go round
     * more often than is guessed, and waits for its memory each time. */
    w->loads += w->slot < c->vs ? often : often / 4;
    /* The collector looks at it, also where it is always nil. */
    if (!w->inmem)
        w->inmem = is_pointer(c, x, w->slot);
}

/* What is live behind x, which is a call, and is not assigned by it must live
 * through it; set: room. */
static RT_NOINLINE void
live_behind(struct jit_fn *c, const struct jit_ins *x, const uint64_t *behind,
    uint64_t *set, int32_t often)
{
    const struct jit_opnd *o = c->op + x->ops;
    const struct jit_lives *l = c->lives;

    for (uint32_t w = 0; w < c->words; w++)
        set[w] = behind[w] & l->open[w];
    for (uint32_t i = 0; i < x->nops; i++)
        if (o[i].def)
            rt_bit_clear(set, o[i].slot);
    RT_EACH_BIT (s, set, c->ns)
        live_through(c, x, &c->web[l->slot[s].web], often);
}

/* The store x waits, or nobody sees it: the address, which has been counted as
 * often as x is executed, is asked for once, most often. */
static void
ask_seldom(struct jit_fn *c, const struct jit_ins *x, int32_t often)
{
    const struct jit_opnd *base = c->op + x->ops + 1;

    rt_assert(x->nops > 1 && base->use && !base->def);
    if (base->place == JIT_ANY)
        c->web[c->uf[base->node]].weight += 1 - often;
}

/* Instruction x, which is a move that somebody needs. */
static RT_ALWAYS_INLINE void
weigh_move(struct jit_fn *c, const struct jit_ins *x)
{
    const struct jit_opnd *o = c->op + x->ops;
    uint32_t d = c->uf[o[0].node], s = c->uf[o[1].node];
    struct jit_web *to = &c->web[d], *from = &c->web[s];
    int32_t often = x->cold ? 1 : 1 << (3 * x->depth);

    rt_assert(x->plain && x->kind == JIT_NATIVE && x->object == 0);
    rt_assert(o[0].def && !o[0].use && o[1].use && !o[1].def);
    rt_assert(o[0].holds == CODE_CLASS_ANY && o[1].holds == CODE_CLASS_ANY);
    rt_assert(to->slot < c->vs && from->slot < c->vs && !x->waits && !x->hidden);
    if (x->begins) {
        const uint64_t *behind = jit_live(c, x->succ[0]);

        lives_keep(c, c->lives, behind, c->lives->n);
        lives_point(c->lives, s);
        lives_begin(c, c->lives, o[0].slot, d, behind);
    }
    to->weight += often;
    to->defs += often;
    to->defined = to->variable = true;
    from->weight += often;
    from->used = true;
    hint(to, s, JIT_HINTS);
    hint(from, d, JIT_HINTS);
}

/* Instruction x; set: room. */
static RT_ALWAYS_INLINE void
weigh_ins(struct jit_fn *c, const struct jit_ins *x, uint64_t *set)
{
    const struct jit_opnd *o = c->op + x->ops, *end = o + x->nops;
    struct jit_lives *l = c->lives;
    int32_t often = x->cold ? 1 : 1 << (3 * x->depth);
    bool goes_on = x->nsucc > 0;
    bool calls = (x->kind == JIT_CALL || x->kind == JIT_HELPER) && goes_on;
    bool begins = x->begins && goes_on;
    const uint64_t *behind = NULL;

    if (begins || calls)
        behind = x->nsucc == 1 && x->w[0].op != OP_SWITCH
            ? jit_live(c, x->succ[0])
            : jit_live_behind(c, x, set);
    if (begins)
        lives_step(c, l, x, behind);
    for (; o < end; o++) {
        uint32_t i = c->uf[o->node];

        count_operand(c, x, o, &c->web[i], often);
        if (begins && o->def && c->pinned[o->slot] == 0)
            lives_begin(c, l, o->slot, i, behind);
    }
    if ((x->waits | x->hidden) && jit_is_store(x->w[0].op))
        ask_seldom(c, x, often);
    give_hints(c, x);
    if (calls)
        live_behind(c, x, behind, set, often);
}

static bool
weigh(struct jit_fn *c)
{
    uint64_t *set = jit_room(c, c->words, 8);

    if (c->failed || !jit_lives_begin(c))
        return false;
    for (uint32_t b = 0; b < c->nblocks; b++) {
        const struct jit_ins *x = &c->v[c->block[b]],
                             *end = &c->v[c->block[b + 1]];

        lives_at(c, c->lives, c->block[b]);
        for (; x < end; x++)
            if (x->w[0].op == OP_MOV && !x->moved && !x->dropped)
                weigh_move(c, x);
            else
                weigh_ins(c, x, set);
    }
    lives_end(c, c->lives);
    return true;
}

/* A move between a float and something of no kind. */
static void
spread_floats(struct jit_fn *c)
{
    enum { ROUNDS = 4 };
    bool more = true;

    for (unsigned r = 0; r < ROUNDS && more; r++) {
        more = false;
        for (int32_t k = 0; k < c->n; k++) {
            const struct jit_ins *x = &c->v[k];
            if (x->w[0].op != OP_MOV || x->kind != JIT_NATIVE)
                continue;
            struct jit_web *d = jit_web_of(c, c->op[x->ops].node);
            struct jit_web *s = jit_web_of(c, c->op[x->ops + 1].node);
            if (d->nint > 0 || s->nint > 0 || d->nfloat + s->nfloat == 0)
                continue;
            more |= d->nfloat == 0 || s->nfloat == 0;
            s->nfloat += d->nfloat > 0;
            d->nfloat += s->nfloat > 0;
        }
    }
}

/* What a block's address is worth that only the end of the frame asks for; and a
 * variable in it, for which there would be no memory: a register that nobody else
 * takes. */
static void
weigh_unmade(const struct jit_fn *c, struct jit_web *w)
{
    if (c->unmade[w - c->web] != 0)
        w->weight = 1;
    else if (w->slot >= c->vs && w->weight < 2 &&
        rt_bit_get(c->bases, c->home[w->slot - c->vs].base))
        w->weight = 2;
}

/* Decides how the web gets into memory where it must; true if a register is
 * worth it then. */
static bool
is_worth(const struct jit_fn *c, struct jit_web *w)
{
    rt_assert(w->reg < 0); /* nobody has chosen yet */
    if (!w->used && !w->defined)
        return false; /* then it is no constant, either */
    if (w->derived) {
        rt_bit_set(c->placed, w->slot);
        return false;
    }
    bool var = w->slot >= c->vs;
    if (w->constant && (w->variable || w->pinned))
        w->constant = false;
    if (w->constant) {
        w->through = w->inmem && !var;
        w->away = !w->through;
        if (w->away)
            rt_bit_set(c->placed, w->slot);
        return false;
    }
    if (jit_is_dead(w))
        return false; /* what it is assigned goes nowhere */
    /* A variable is in memory, too, by what is stored there. */
    w->through = !var && w->defs <= w->saves;
    if (w->defs > 0 && !var)
        w->weight -= w->through ? w->defs : w->saves;
    w->weight -= w->loads;
    if (c->unmade != NULL)
        weigh_unmade(c, w);
    else if (var && !w->used)
        return false;
    return !w->pinned && w->weight > 0;
}

/* The register of choice of those in the set; -1: there is none. */
static inline int
preferred(const struct jit_fn *c, const struct jit_web *w, uint32_t set)
{
    for (uint32_t h = 0; h < w->nhint; h++) {
        int r = c->web[w->hint[h]].reg;
        if (r >= 0 && (set >> r & 1) != 0)
            return r;
    }
    return set == 0 ? -1 : __builtin_ctz(set);
}

static void
choose(struct jit_fn *c, uint32_t i)
{
    const struct jit_web *w = &c->web[i];
    uint32_t beside = c->nhomes > 0 ? lives_beside(c, i, true)
                                    : lives_beside(c, i, false);
    uint32_t set = c->jit->regs[w->nfloat > w->nint] & ~beside;

    rt_assert(!w->constant && !w->pinned);
    int reg = preferred(c, w, set);
    if (reg >= 0)
        lives_take(c, i, reg);
}

/* A web that is worth a register. */
struct worthy {
    int32_t weight;
    uint32_t web;
};

enum { FEW = 16 };

/* n of them into the order of their weights, the heaviest first, and of equal
 * ones the order that they have; tmp: room for as many. */
static void
sort(struct worthy *v, struct worthy *tmp, uint32_t n)
{
    uint32_t half = n / 2, a = 0, b = half;

    if (n <= FEW) {
        for (uint32_t i = 1; i < n; i++) {
            struct worthy x = v[i];
            uint32_t at = i;
            for (; at > 0 && v[at - 1].weight < x.weight; at--)
                v[at] = v[at - 1];
            v[at] = x;
        }
        return;
    }
    sort(v, tmp, half);
    sort(v + half, tmp, n - half);
    memcpy(tmp, v, half * sizeof *v);
    for (uint32_t i = 0; a < half; i++)
        v[i] = b < n && tmp[a].weight < v[b].weight ? v[b++] : tmp[a++];
}

/* Those that are worth a register, in the order in which they choose: the
 * heaviest first, and of equal ones the first one; how many.  Few weigh more
 * than what is executed once can: the others are counted by their weights. */
static uint32_t
order_webs(struct jit_fn *c, uint32_t *order)
{
    enum { LIGHT = 64 };
    struct worthy *heavy = jit_room(c, c->nw, sizeof *heavy);
    struct worthy *tmp = jit_room(c, c->nw / 2, sizeof *tmp);
    struct worthy *light = jit_room(c, c->nw, sizeof *light);
    uint32_t at[LIGHT] = {0}, n = 0, nheavy = 0, most = 0;

    if (c->failed)
        return 0;
    for (uint32_t i = 0; i < c->nw; i++) {
        struct jit_web *w = &c->web[i];

        if (!is_worth(c, w))
            continue;
        if (w->weight >= LIGHT) {
            heavy[nheavy++] = (struct worthy){w->weight, i};
            continue;
        }
        rt_assert(w->weight > 0);
        at[w->weight]++;
        most = (uint32_t)w->weight > most ? (uint32_t)w->weight : most;
        light[n++] = (struct worthy){w->weight, i};
    }
    sort(heavy, tmp, nheavy);
    for (uint32_t i = 0; i < nheavy; i++)
        order[i] = heavy[i].web;
    for (uint32_t w = most + 1, from = nheavy; w-- > 0;) {
        uint32_t count = at[w];
        at[w] = from;
        from += count;
    }
    for (uint32_t i = 0; i < n; i++)
        order[at[light[i].weight]++] = light[i].web;
    return nheavy + n;
}

bool
jit_allocate(struct jit_fn *c)
{
    uint32_t *order = jit_room(c, c->nw, sizeof *order);

    c->placed = jit_alloc(c, c->words, 8);
    if (c->failed || !weigh(c))
        return false;
    if (c->computes)
        spread_floats(c);
    uint32_t n = order_webs(c, order);
    for (uint32_t i = 0; i < n; i++)
        choose(c, order[i]);
    return !c->failed;
}
