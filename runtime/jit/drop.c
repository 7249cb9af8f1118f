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
    int32_t *loud;    /* by block: its first instruction that is not quiet, before
                         which all is known whatever is behind; or its end */
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

/* Before instruction k, which is not quiet, all that is live is needed. */
static void
need_all(struct drop *d, int32_t k)
{
    memcpy(d->now, jit_live(d->c, k), 8u * d->c->words);
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

static void
step(struct drop *d, int32_t k)
{
    struct jit_ins *x = &d->c->v[k];

    if (!x->reached)
        return;
    if (!jit_is_quiet(d->c, x)) {
        need_all(d, k);
        return;
    }
    if (!jit_goes_on(d->c, x))
        jit_each_succ(d->c, x, join, d);
    step_quiet(d, x);
}

/* From the end of what is looked at to where block b begins. */
static void
walk(struct drop *d, uint32_t b, int32_t end)
{
    memset(d->now, 0, 8u * d->c->words);
    memset(d->over, 0xff, 8u * d->vars);
    for (int32_t k = end - 1; k >= d->c->block[b]; k--)
        step(d, k);
}

/* Whether more is needed where block b begins than was known. */
static bool
need_more(struct drop *d, uint32_t b)
{
    struct jit_fn *c = d->c;
    uint64_t *needed = d->needed + (size_t)b * c->words;
    uint64_t *stored = d->stored + (size_t)b * d->vars;
    int32_t end = d->loud[b] < c->block[b + 1] ? d->loud[b] + 1 : d->loud[b];

    walk(d, b, end);
    bool more = memcmp(needed, d->now, 8u * c->words) != 0 ||
        memcmp(stored, d->over, 8u * d->vars) != 0;
    memcpy(needed, d->now, 8u * c->words);
    memcpy(stored, d->over, 8u * d->vars);
    return more;
}

static void
find_loud(struct drop *d)
{
    struct jit_fn *c = d->c;

    for (uint32_t b = 0; b < c->nblocks; b++) {
        int32_t k = c->block[b], end = c->block[b + 1];

        while (k < end && (!c->v[k].reached || jit_is_quiet(c, &c->v[k])))
            k++;
        d->loud[b] = k;
    }
}

/* What is assigned, or stored, for nobody. */
static bool
drop_all(struct jit_fn *c)
{
    struct drop d = {.c = c, .vars = (c->nhomes + 63) / 64};
    bool more = true;

    d.needed = jit_alloc(c, (size_t)c->nblocks * c->words, 8);
    d.stored = jit_alloc(c, (size_t)c->nblocks * d.vars, 8);
    d.loud = jit_room(c, c->nblocks, sizeof *d.loud);
    d.now = jit_alloc(c, c->words, 8);
    d.over = jit_alloc(c, d.vars, 8);
    if (c->failed)
        return false;
    memset(d.stored, 0xff, 8u * c->nblocks * (size_t)d.vars);
    find_loud(&d);
    while (more) {
        more = false;
        for (uint32_t b = c->nblocks; b-- > 0;)
            more |= need_more(&d, b);
    }
    rt_assert(d.vars == 0 || c->home != NULL);
    d.marks = true;
    for (uint32_t b = 0; b < c->nblocks; b++)
        walk(&d, b, c->block[b + 1]);
    return true;
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
    bool *changed; /* by block: it has to be walked again */
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
            c->home[i].word < x->word + x->nwords) {
            bool own = jit_is_own_word(x->w, c->home[i].word - x->word);
            m->now[i] = (struct held){
                (zero || own) && !x->waits ? NUMBER : ANYTHING, 0};
        }
}

/* Whether x stores a number to a variable's memory, at once. */
static bool
stores_number(const struct jit_fn *c, const struct jit_ins *x)
{
    return x->numbered && !x->hidden && !x->waits &&
        x->w[0].op == OP_ST64 && var_of(c, x, 0) >= 0;
}

static void
step_memory(struct memory *m, struct jit_ins *x)
{
    if (x->object == 0)
        return;
    if (!x->known)
        make(m, x);
    if (x->w[0].op != OP_ST64 || x->hidden)
        return;
    int32_t var = var_of(m->c, x, 0);
    if (var < 0)
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
        m->more = m->changed[b] = true;
    }
}

static void
walk_memory(struct memory *m, uint32_t b)
{
    struct jit_fn *c = m->c;

    memcpy(m->now, m->at + (size_t)b * c->nhomes, c->nhomes * sizeof *m->now);
    for (int32_t k = c->block[b]; k < c->block[b + 1]; k++) {
        struct jit_ins *x = &c->v[k];

        if (!x->reached)
            continue;
        step_memory(m, x);
        if (!jit_goes_on(c, x))
            jit_each_succ(c, x, arrive, m);
    }
}

/* Whether there is anything to be hidden: else it is not worth the time. */
static bool
any_number(const struct jit_fn *c)
{
    for (int32_t k = 0; k < c->n; k++)
        if (c->v[k].numbered && stores_number(c, &c->v[k]))
            return true;
    return false;
}

/* Numbers that are stored where they are already. */
static bool
hide_same(struct jit_fn *c)
{
    struct memory m = {.c = c, .more = true};

    if (!any_number(c))
        return true;
    m.at = jit_alloc(c, (size_t)c->nblocks * c->nhomes, sizeof *m.at);
    m.now = jit_alloc(c, c->nhomes, sizeof *m.now);
    m.changed = jit_room(c, c->nblocks, sizeof *m.changed);
    if (c->failed)
        return false;
    hold_anything(&m);
    memcpy(m.at, m.now, c->nhomes * sizeof *m.now);
    memset(m.changed, true, c->nblocks);
    while (m.more) {
        m.more = false;
        for (uint32_t b = 0; b < c->nblocks; b++) {
            if (!m.changed[b])
                continue;
            m.changed[b] = false;
            walk_memory(&m, b);
        }
    }
    m.marks = true;
    for (uint32_t b = 0; b < c->nblocks; b++)
        walk_memory(&m, b);
    return true;
}

bool
jit_drop(struct jit_fn *c)
{
    return drop_all(c) && hide_same(c);
}
