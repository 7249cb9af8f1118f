/* SPDX-License-Identifier: MIT */

/*
 * What is done for nobody.  The interpreter needs more than machine code does,
 * such as addresses of variables that have slots of their own; but it needs
 * that only where machine code may be left, or somebody may look at the frame.
 * What is assigned anew before the next such place need not be assigned, and
 * what is stored to a variable's memory need not be stored.
 */
#include "runtime/jit/jit_int.h"

#include <string.h>

#include "runtime/code/opinfo.h"
#include "runtime/jit/access.h"

struct drop {
    struct jit_fn *c;
    uint64_t *needed; /* by block: slots that somebody asks for */
    uint64_t *stored; /* by block: variables that are stored before */
    uint64_t *now, *over;
    uint32_t vars; /* words of a set of variables */
    bool marks;
};

bool
jit_is_quiet(const struct jit_fn *c, const struct jit_ins *x)
{
    unsigned op = x->w[0].op;

    if (x->watched || x->header || x->resumes || c->jit->cfg.exits != 0)
        return false;
    if (x->kind == JIT_INLINE)
        return x->nsucc == 2 || !jit_inline_needs_room(c, x);
    if (x->kind != JIT_NATIVE)
        return false;
    if (x->known || x->safe || x->decided || x->there)
        return true;
    if (c->jit->shapes[op].does)
        return false;
    return (op >= OP_MOV && op <= OP_ZERO) || (op >= OP_ADD && op <= OP_SLES) ||
        op == OP_JMP || (op >= OP_JT && op <= OP_JNLEF && x->nsucc == 2);
}

/* The variable of the word behind so many that x accesses, by its number; -1:
 * none with a slot. */
static int32_t
var_of(const struct jit_fn *c, const struct jit_ins *x, uint32_t behind)
{
    uint32_t slot = x->known || x->safe
        ? jit_slot_of_word(c, x->object, x->word + behind) : 0;

    rt_assert(slot == 0 || (slot >= c->vs && slot < c->ns));
    return slot == 0 ? -1 : (int32_t)(slot - c->vs);
}

static bool
is_for_nobody(const struct drop *d, const struct jit_ins *x)
{
    const struct jit_opnd *o = d->c->op + x->ops;
    bool defines = false;

    if (x->nsucc != 1 || x->ends || jit_is_store(x->w[0].op))
        return false;
    for (uint32_t i = 0; i < x->nops; i++) {
        defines |= o[i].def;
        if (o[i].def && (o[i].use || rt_bit_get(d->now, o[i].slot)))
            return false;
    }
    return defines;
}

static void
mark_dropped(struct jit_fn *c, struct jit_ins *x)
{
    rt_assert(x->kind == JIT_NATIVE && x->nsucc == 1 && !x->hidden);
    x->dropped = true;
    for (uint32_t i = 0; i < x->nops; i++)
        c->op[x->ops + i].place = JIT_NOWHERE;
}

/* From behind x, which is quiet, to before it. */
static void
step_quiet(struct drop *d, struct jit_ins *x)
{
    struct jit_fn *c = d->c;
    const struct jit_opnd *o = c->op + x->ops;
    unsigned op = x->w[0].op;

    if (is_for_nobody(d, x)) {
        if (d->marks)
            mark_dropped(c, x);
        return;
    }
    for (uint32_t i = 0; i < x->nops; i++)
        if (o[i].def && !o[i].use)
            rt_bit_clear(d->now, o[i].slot);
    for (uint32_t i = 0; i < x->nops; i++)
        if (o[i].use && o[i].place != JIT_NOWHERE)
            rt_bit_set(d->now, o[i].slot);
    /* A load is from memory, if there is no register. */
    unsigned loads = jit_is_load(op) ? jit_words_touched(op) : 0;
    for (uint32_t i = 0; i < loads; i++) {
        int32_t var = var_of(c, x, i);
        if (var >= 0)
            rt_bit_clear(d->over, (uint32_t)var);
    }
    int32_t var = op == OP_ST64 ? var_of(c, x, 0) : -1;
    if (var < 0)
        return;
    if (d->marks && rt_bit_get(d->over, (uint32_t)var))
        x->hidden = true;
    rt_bit_set(d->over, (uint32_t)var);
}

static void
step(struct drop *d, int32_t k)
{
    struct jit_fn *c = d->c;
    struct jit_ins *x = &c->v[k];
    const uint64_t *live = jit_live(c, k);

    if (jit_is_quiet(c, x)) {
        step_quiet(d, x);
        return;
    }
    memcpy(d->now, live, 8u * c->words);
    memset(d->over, 0, 8u * d->vars);
}

static void
join(struct jit_fn *c, int32_t to, void *arg)
{
    struct drop *d = arg;
    int32_t b = c->lead[to];

    if (b < 0)
        return;
    for (uint32_t w = 0; w < c->words; w++)
        d->now[w] |= d->needed[(size_t)b * c->words + w];
    for (uint32_t w = 0; w < d->vars; w++)
        d->over[w] &= d->stored[(size_t)b * d->vars + w];
}

/* Block b, from its end; whether more is needed where it begins. */
static bool
walk(struct drop *d, uint32_t b)
{
    struct jit_fn *c = d->c;
    uint64_t *needed = d->needed + (size_t)b * c->words;
    uint64_t *stored = d->stored + (size_t)b * d->vars;

    memset(d->now, 0, 8u * c->words);
    memset(d->over, 0xff, 8u * d->vars);
    for (int32_t k = c->block[b + 1] - 1; k >= c->block[b]; k--) {
        if (!c->v[k].reached)
            continue;
        jit_each_succ(c, &c->v[k], join, d);
        step(d, k);
    }
    bool more = memcmp(needed, d->now, 8u * c->words) != 0 ||
        memcmp(stored, d->over, 8u * d->vars) != 0;
    memcpy(needed, d->now, 8u * c->words);
    memcpy(stored, d->over, 8u * d->vars);
    return more;
}

/* ---- what is there already ----------------------------------------------- */

/* What the memory of a variable holds; of several ways, on all of them. */
struct held {
    enum { NO_WAY, NUMBER, ANYTHING } kind;
    int32_t n;
};

struct memory {
    struct jit_fn *c;
    struct held *at; /* by block: of all variables */
    struct held *now;
    bool more, marks;
};

static void
hold_anything(struct memory *m)
{
    for (uint32_t i = 0; i < m->c->nhomes; i++)
        m->now[i].kind = ANYTHING;
}

/* x makes variables, which are zero, or a closure. */
static void
make(struct memory *m, const struct jit_ins *x)
{
    struct jit_fn *c = m->c;
    bool zero = x->w[0].op == OP_CELL || x->w[0].op == OP_NEW;

    for (uint32_t i = 0; i < c->nhomes; i++)
        if (c->home[i].object == x->object && c->home[i].word >= x->word &&
            c->home[i].word < x->word + x->nwords)
            m->now[i] = (struct held){zero ? NUMBER : ANYTHING, 0};
}

static void
step_memory(struct memory *m, struct jit_ins *x)
{
    int32_t var = var_of(m->c, x, 0);

    if (x->object != 0 && !x->known)
        make(m, x);
    if (var < 0 || x->w[0].op != OP_ST64 || x->hidden)
        return;
    struct held *h = &m->now[var];
    if (x->waits) {
        h->kind = ANYTHING; /* it may be stored, at some time */
        return;
    }
    if (m->marks && x->numbered && h->kind == NUMBER && h->n == x->number)
        x->hidden = true;
    *h = (struct held){x->numbered ? NUMBER : ANYTHING, x->number};
}

static void
arrive(struct jit_fn *c, int32_t to, void *arg)
{
    struct memory *m = arg;
    int32_t b = c->lead[to];

    if (b < 0)
        return;
    struct held *at = m->at + (size_t)b * c->nhomes;
    for (uint32_t i = 0; i < c->nhomes; i++) {
        struct held is = m->now[i];
        if (is.kind == NO_WAY || at[i].kind == ANYTHING ||
            (at[i].kind == is.kind && at[i].n == is.n))
            continue;
        at[i] = at[i].kind == NO_WAY ? is : (struct held){ANYTHING, 0};
        m->more = true;
    }
}

static void
walk_memory(struct memory *m)
{
    struct jit_fn *c = m->c;

    for (uint32_t b = 0; b < c->nblocks; b++) {
        memcpy(m->now, m->at + (size_t)b * c->nhomes,
            c->nhomes * sizeof *m->now);
        for (int32_t k = c->block[b]; k < c->block[b + 1]; k++) {
            if (!c->v[k].reached)
                continue;
            step_memory(m, &c->v[k]);
            jit_each_succ(c, &c->v[k], arrive, m);
        }
    }
}

/* Numbers that are stored where they are already. */
static bool
hide_same(struct jit_fn *c)
{
    struct memory m = {.c = c};

    m.at = jit_alloc(c, (size_t)c->nblocks * c->nhomes, sizeof *m.at);
    m.now = jit_alloc(c, c->nhomes, sizeof *m.now);
    if (c->failed)
        return false;
    hold_anything(&m);
    memcpy(m.at, m.now, c->nhomes * sizeof *m.now);
    do {
        m.more = false;
        walk_memory(&m);
    } while (m.more);
    m.marks = true;
    walk_memory(&m);
    return true;
}

bool
jit_drop(struct jit_fn *c)
{
    struct drop d = {.c = c, .vars = (c->nhomes + 63) / 64};
    bool more = true;

    d.needed = jit_alloc(c, (size_t)c->nblocks * c->words, 8);
    d.stored = jit_alloc(c, (size_t)c->nblocks * d.vars, 8);
    d.now = jit_alloc(c, c->words, 8);
    d.over = jit_alloc(c, d.vars, 8);
    if (c->failed)
        return false;
    memset(d.stored, 0xff, 8u * c->nblocks * (size_t)d.vars);
    while (more) {
        more = false;
        for (uint32_t b = c->nblocks; b-- > 0;)
            more |= walk(&d, b);
    }
    rt_assert(d.vars == 0 || c->home != NULL);
    d.marks = true;
    for (uint32_t b = 0; b < c->nblocks; b++)
        walk(&d, b);
    return hide_same(c);
}
