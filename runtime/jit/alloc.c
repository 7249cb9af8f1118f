/* SPDX-License-Identifier: MIT */

/*
 * Which web gets which register.  A web is worth a register by how often its
 * operands are executed, eight times as often for each loop around them, less
 * the saves and loads that the register costs at calls.  The worthiest web
 * chooses first: a register that no web has with which it is live at the same
 * time, that of the other side of a move if it can.
 */
#include "runtime/jit/jit_int.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/code/opinfo.h"

static void
clash(struct jit_fn *c, uint32_t a, uint32_t b)
{
    rt_assert(a < c->nw && b < c->nw);
    if (a == b)
        return;
    rt_bit_set(c->clash + (size_t)a * c->clash_words, b);
    rt_bit_set(c->clash + (size_t)b * c->clash_words, a);
}

static void
hint(struct jit_web *w, uint32_t other, uint32_t max)
{
    if (w->nhint < max)
        w->hint[w->nhint++] = other;
}

static void
count_class(struct jit_web *w, enum code_class holds)
{
    if (holds == CODE_CLASS_INT || holds == CODE_CLASS_POINTER)
        w->nint++;
    else if (holds == CODE_CLASS_FLOAT64 || holds == CODE_CLASS_FLOAT32)
        w->nfloat++;
}

/* One operand of instruction x, which is executed `often`. */
static void
count_operand(struct jit_fn *c, const struct jit_ins *x,
    const struct jit_opnd *o, double often)
{
    struct jit_web *w = jit_web_of(c, o->node);
    bool ldi = x->w[0].op == OP_LDI;

    rt_assert(o->def || o->use);
    rt_assert(w->slot == o->slot);
    w->pinned |= c->pinned[o->slot] != 0;
    if (o->place == JIT_NOWHERE) {
        w->kept = true;
        w->variable |= o->def;
        return;
    }
    if (o->place == JIT_PINNED) {
        w->pinned = true;
        w->variable |= o->def;
        return;
    }
    if (o->place == JIT_MEMORY) {
        w->nmem++;
        w->saves += o->use ? often : 0;
        w->loads += o->def ? often : 0;
        w->variable |= o->def;
        return;
    }
    count_class(w, (enum code_class)o->holds);
    w->weight += (o->use ? often : 0) + (o->def ? often : 0);
    w->nuse += o->use;
    if (!o->def)
        return;
    w->ndef++;
    w->defs += often;
    if (ldi && (!w->constant || w->value == x->w[0].imm)) {
        w->constant = true;
        w->value = x->w[0].imm;
    } else {
        w->variable = true;
    }
}

/* A slice that is made of one: most often it takes its place. */
static void
give_slice_hints(struct jit_fn *c)
{
    const struct code_ins *w = jit_now(c)->w;

    for (uint32_t i = 0; i < 3; i++)
        hint(jit_def(c, w->a + i), (uint32_t)(jit_use(c, w->b + i) - c->web),
            JIT_HINTS / 2);
}

/* Webs that would do well with the same register. */
static void
give_hints(struct jit_fn *c)
{
    const struct jit_ins *x = jit_now(c);
    const struct jit_opnd *o = c->op + x->ops;

    if (x->kind != JIT_NATIVE)
        return;
    switch (x->w[0].op) {
    case OP_SLICE:
    case OP_APPEND64:
    case OP_APPENDT:
    case OP_APPENDSL:
        give_slice_hints(c);
        return;
    default:
        break;
    }
    if (x->nops < 2 || !o[0].def || !o[1].use)
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

/* What is live behind x in the slot s must live through x, which is a call. */
static void
live_through(struct jit_fn *c, const struct jit_ins *x, uint32_t s,
    double often)
{
    struct jit_web *w = jit_web_of(c, c->cur[s]);

    w->saves += often;
    w->loads += often;
    /* The collector looks at it, also where it is always nil. */
    if (is_pointer(c, x, s))
        w->nmem++;
}

/* The webs that are in a set of slots, where cur stands. */
static void
find_webs(const struct jit_fn *c, const uint64_t *set, uint64_t *webs)
{
    memset(webs, 0, 8u * c->clash_words);
    RT_EACH_BIT (s, set, c->ns)
        if (c->cur[s] != JIT_NO_NODE)
            rt_bit_set(webs, c->uf[c->cur[s]]);
}

/* What x writes clashes with the other webs that are live behind it, but what
 * is moved with its copy.  Here it is said of one of the two only. */
static void
clash_behind(struct jit_fn *c, const struct jit_ins *x, uint64_t *webs)
{
    const struct jit_opnd *o = c->op + x->ops;

    if (x->w[0].op == OP_MOV && x->kind == JIT_NATIVE)
        rt_bit_clear(webs, c->uf[o[1].node]);
    for (uint32_t i = 0; i < x->nops; i++) {
        if (!o[i].def)
            continue;
        uint32_t d = c->uf[o[i].node];
        uint64_t *row = c->clash + (size_t)d * c->clash_words;
        for (uint32_t w = 0; w < c->clash_words; w++)
            row[w] |= webs[w];
        for (uint32_t k = 0; k < i; k++)
            if (o[k].def)
                clash(c, d, c->uf[o[k].node]);
    }
}

static bool
writes(const struct jit_fn *c, const struct jit_ins *x)
{
    const struct jit_opnd *o = c->op + x->ops;

    for (uint32_t i = 0; i < x->nops; i++)
        if (o[i].def)
            return true;
    return false;
}

static bool
writes_slot(const struct jit_fn *c, const struct jit_ins *x, uint32_t slot)
{
    const struct jit_opnd *o = c->op + x->ops;

    for (uint32_t i = 0; i < x->nops; i++)
        if (o[i].def && o[i].slot == slot)
            return true;
    return false;
}

/* What is live behind x clashes with what x writes, and must live through x
 * if that is a call; cur is as behind x.  Two sets for a while: of slots, and
 * of webs. */
static void
live_behind(struct jit_fn *c, const struct jit_ins *x, uint64_t *set,
    uint64_t *webs, double often)
{
    bool call = x->kind == JIT_CALL || x->kind == JIT_HELPER;

    if (!call && !writes(c, x))
        return;
    const uint64_t *behind = jit_live_behind(c, x, set);
    find_webs(c, behind, webs);
    clash_behind(c, x, webs);
    if (!call)
        return;
    RT_EACH_BIT (s, behind, c->ns)
        if (c->cur[s] != JIT_NO_NODE && !writes_slot(c, x, s))
            live_through(c, x, s, often);
}

/* A slot that is torn at the leader clashes with what is live there: where
 * nothing is known of it, it has been assigned nothing that would clash, but a
 * record loads it all the same. */
static void
live_torn(struct jit_fn *c, int32_t k)
{
    const uint64_t *torn = c->torn + (size_t)c->lead[k] * c->words;

    RT_EACH_BIT (s, torn, c->ns)
        RT_EACH_BIT (q, jit_live(c, k), c->ns)
            clash(c, c->uf[c->cur[s]], c->uf[c->cur[q]]);
}

/* What is live at a leader clashes, as nothing there is defined in order. */
static void
live_at_entry(struct jit_fn *c)
{
    RT_EACH_BIT (s, jit_live(c, 0), c->ns)
        RT_EACH_BIT (q, jit_live(c, 0), c->ns)
            clash(c, c->uf[c->cur[s]], c->uf[c->cur[q]]);
}

static bool
weigh(struct jit_fn *c)
{
    uint64_t *set = jit_alloc(c, c->words, 8), *webs;

    c->clash_words = (c->nw + 63) / 64;
    webs = jit_alloc(c, c->clash_words, 8);
    c->clash = jit_alloc(c, (size_t)c->nw * c->clash_words, 8);
    if (c->failed)
        return false;
    jit_cur_start(c);
    live_at_entry(c);
    for (c->k = 0; c->k < c->n; c->k++) {
        const struct jit_ins *x = jit_now(c);
        double often =
            x->cold ? 1 : (double)((uint64_t)1 << (3 * x->depth));

        jit_cur_at(c, c->k);
        if (c->lead[c->k] >= 0)
            live_torn(c, c->k);
        for (uint32_t i = 0; i < x->nops; i++)
            count_operand(c, x, &c->op[x->ops + i], often);
        give_hints(c);
        jit_cur_step(c, c->k);
        if (x->nsucc > 0)
            live_behind(c, x, set, webs, often);
    }
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

/* Decides how the web gets into memory where it must; true if a register is
 * worth it then. */
static bool
is_worth(struct jit_web *w)
{
    rt_assert(w->reg < 0); /* nobody has chosen yet */
    w->constant = w->constant && !w->variable && !w->pinned;
    if (w->constant) {
        w->through = w->nmem > 0;
        return false;
    }
    w->through = w->defs <= w->saves;
    if (w->defs > 0)
        w->weight -= w->through ? w->defs : w->saves;
    w->weight -= w->loads;
    return !w->pinned && w->weight > 0 && w->nuse + w->ndef > 0;
}

/* near: by web, the registers of webs that clash with it. */
static void
take(struct jit_fn *c, uint32_t i, int reg, uint32_t *near)
{
    const uint64_t *row = c->clash + (size_t)i * c->clash_words;

    rt_assert(c->web[i].reg < 0 && reg >= 0);
    rt_assert((near[i] >> reg & 1) == 0);
    c->web[i].reg = reg;
    RT_EACH_BIT (k, row, c->nw)
        near[k] |= (uint32_t)1 << reg;
}

static void
choose(struct jit_fn *c, uint32_t i, uint32_t *near)
{
    const struct jit_web *w = &c->web[i];
    uint32_t set = c->jit->regs[w->nfloat > w->nint] & ~near[i];

    rt_assert(!w->constant && !w->pinned);
    for (uint32_t h = 0; h < w->nhint; h++) {
        int r = c->web[w->hint[h]].reg;
        if (r >= 0 && (set >> r & 1) != 0) {
            take(c, i, r, near);
            return;
        }
    }
    if (set != 0)
        take(c, i, __builtin_ctz(set), near);
}

/* Who clashes with one of these n webs, with that the web clashes, too; and
 * nobody with himself.  Of the others nobody asks. */
static void
clash_both_ways(struct jit_fn *c, const uint32_t *web, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        uint64_t *row = c->clash + (size_t)web[i] * c->clash_words;

        rt_bit_clear(row, web[i]);
        RT_EACH_BIT (k, row, c->nw)
            rt_bit_set(c->clash + (size_t)k * c->clash_words, web[i]);
    }
}

static int
by_weight(const void *a, const void *b, void *arg)
{
    const struct jit_web *w = arg;
    double x = w[*(const uint32_t *)a].weight;
    double y = w[*(const uint32_t *)b].weight;

    return x < y ? 1 : x > y ? -1 : 0;
}

bool
jit_allocate(struct jit_fn *c)
{
    uint32_t *order = jit_alloc(c, c->nw, sizeof *order);
    uint32_t *near = jit_alloc(c, c->nw, sizeof *near);
    uint32_t n = 0;

    if (c->failed || !weigh(c))
        return false;
    spread_floats(c);
    for (uint32_t i = 0; i < c->nw; i++)
        if (is_worth(&c->web[i]))
            order[n++] = i;
    clash_both_ways(c, order, n);
    qsort_r(order, n, sizeof *order, by_weight, c->web);
    for (uint32_t i = 0; i < n; i++)
        choose(c, order[i], near);
    return true;
}
