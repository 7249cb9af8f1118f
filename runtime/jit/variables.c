/* SPDX-License-Identifier: MIT */

/* Which slots ranges of numbers are found out for: those that an index or a
 * division in a loop asks for, and those from which something follows for one,
 * here called variables. */
#include "runtime/jit/ranges.h"

#include <string.h>

#include "runtime/jit/fact.h"

static enum jit_asks
asks_of(unsigned op)
{
    if (op >= OP_LDX8U && op <= OP_XADDR)
        return JIT_ASKS_ELEMENT;
    if (op == OP_CHKIDX)
        return JIT_ASKS_INDEX;
    return op == OP_DIVI || op == OP_REMI || op == OP_DIV || op == OP_REM
        ? JIT_ASKS_SIGN : JIT_ASKS_NOTHING;
}

static enum jit_compared
compares(unsigned op, uint8_t *test)
{
    if (op >= OP_JEQ && op <= OP_LJULE) {
        *test = (uint8_t)(op - (op >= OP_LJEQ ? OP_LJEQ : OP_JEQ));
        return JIT_WITH_SLOT;
    }
    if (op >= OP_JEQI && op <= OP_LJGEI) {
        *test = (uint8_t)(op - (op >= OP_LJEQI ? OP_LJEQI : OP_JEQI));
        return JIT_WITH_NUMBER;
    }
    *test = op == OP_FORLT ? OP_JLT - OP_JEQ : OP_JLTI - OP_JEQI;
    return op == OP_FORLT ? JIT_WITH_SLOT
        : op == OP_FORLTI ? JIT_WITH_NUMBER : JIT_NO_TEST;
}

static uint8_t
sources_of(unsigned op)
{
    switch (op) {
    case OP_ADD:
    case OP_SUB:
    case OP_MUL:
    case OP_AND:
        return 2;
    case OP_MOV:
    case OP_ADDI:
    case OP_ISUB:
    case OP_MULI:
    case OP_ANDI:
    case OP_DIVI:
    case OP_REMI:
    case OP_SHRI:
    case OP_SHLI:
    case OP_FORLT:
    case OP_FORLTI:
        return 1;
    default:
        return 0;
    }
}

void
jit_find_numbers(struct jit_numbers to[OP_COUNT])
{
    for (unsigned op = 0; op < OP_COUNT; op++) {
        struct jit_numbers *g = &to[op];

        g->asks = (uint8_t)asks_of(op);
        g->compares = (uint8_t)compares(op, &g->test);
        g->sources = sources_of(op);
        g->counts = op == OP_FORLT || op == OP_FORLTI;
        g->gives = jit_gives_fact(op);
        g->relates = g->sources > 0 || g->compares == JIT_WITH_SLOT ||
            op == OP_MAKESLICE;
        rt_assert(op == OP_MOV || g->sources == 0 || g->gives);
    }
}

/* ---- which slots are variables ------------------------------------------- */

/* For a slot something follows from others, if it is a variable; or, of `both`,
 * for each of two from the other one. */
struct relation {
    uint16_t slot, of[2];
    uint8_t n; /* others */
    bool both;
};

/* Of a slot that is always in memory nothing is found out. */
static inline void
add_variable(const struct jit_fn *c, struct jit_variables *v, uint32_t slot)
{
    if (c->pinned[slot] == 0)
        rt_bit_set(v->slots, slot);
}

/* The slots that x asks for itself. */
static void
add_asked(const struct jit_fn *c, struct jit_variables *v,
    const struct jit_ins *x)
{
    const struct code_ins *w = x->w;

    if (x->kind != JIT_NATIVE || !x->reached)
        return;
    switch ((enum jit_asks)jit_numbers_of(c, x)->asks) {
    case JIT_ASKS_ELEMENT:
        add_variable(c, v, w->c);
        add_variable(c, v, w->b + 1u);
        return;
    case JIT_ASKS_INDEX:
        add_variable(c, v, w->a);
        return;
    case JIT_ASKS_SIGN:
        add_variable(c, v, w->b);
        return;
    case JIT_ASKS_NOTHING:
        return;
    }
}

/* Those that are asked for in loops: elsewhere it would not be worth the work.
 * Whether there are any. */
static bool
add_all_asked(const struct jit_fn *c, struct jit_variables *v)
{
    uint64_t any = 0;

    for (uint32_t b = 0; b < c->nblocks; b++) {
        const struct jit_ins *x = &c->v[c->block[b]],
                             *end = &c->v[c->block[b + 1]];

        if (x->depth == 0)
            continue; /* deeper is only what a jump back leads to */
        for (; x < end; x++)
            if (jit_numbers_of(c, x)->asks != JIT_ASKS_NOTHING && x->depth > 0)
                add_asked(c, v, x);
    }
    for (uint32_t w = 0; w < c->words; w++)
        any |= v->slots[w];
    return any != 0;
}

/* What w says about slots, if that is not about one only. */
static bool
relates(const struct jit_numbers *g, const struct code_ins *w,
    struct relation *to)
{
    bool both = g->compares == JIT_WITH_SLOT;

    *to = (struct relation){
        w->a, {w->b, w->c}, both ? 1 : g->sources, both};
    if (w->op == OP_MAKESLICE) {
        to->slot++;
        to->n = 1;
    }
    return both || to->n > 1 || (!g->counts && w->b != to->slot);
}

/* Takes notes of all instructions; those that relate slots, and how many. */
static uint32_t
look_at_all(struct jit_fn *c, uint8_t *notes, int32_t *has)
{
    const struct jit_numbers *numbers = c->jit->numbers;
    uint32_t n = 0;

    for (int32_t k = 0; k < c->n; k++) {
        const struct jit_numbers *g = &numbers[c->v[k].w[0].op];

        notes[k] = g->asks; /* enum jit_asks */
        has[n] = k; /* nobody can foretell whether it does */
        n += g->relates;
    }
    for (uint32_t i = 0; i < c->nlosers; i++)
        notes[c->losers[i]] |= JIT_NOTE_LOSES;
    for (uint32_t i = 0; i < c->nturns; i++)
        notes[c->turns[i]] |= JIT_NOTE_TURNS;
    for (uint32_t b = 0; b < c->nblocks; b++)
        notes[c->block[b + 1] - 1] |= JIT_NOTE_TURNS;
    return n;
}

/* What these instructions say about slots; how many do. */
static uint32_t
find_relations(const struct jit_fn *c, const int32_t *has, uint32_t n,
    struct relation *to)
{
    uint32_t found = 0;

    for (uint32_t i = 0; i < n; i++) {
        const struct jit_ins *x = &c->v[has[i]];

        found += relates(jit_numbers_of(c, x), x->w, to + found);
    }
    return found;
}

/* Whether something follows by the relation for a variable: then all of it are
 * variables. */
static bool
add_related(const struct jit_fn *c, struct jit_variables *v,
    const struct relation *r)
{
    bool is = rt_bit_get(v->slots, r->slot);

    if (!is && !(r->both && rt_bit_get(v->slots, r->of[0])))
        return false;
    if (!is)
        add_variable(c, v, r->slot);
    for (unsigned i = 0; i < r->n; i++)
        add_variable(c, v, r->of[i]);
    return true;
}

/* The slots from which something follows for variables. */
static void
add_all_related(const struct jit_fn *c, struct jit_variables *v,
    struct relation *r, uint32_t n)
{
    uint32_t from = 0, left;

    /* What has been followed once need not be looked at again. */
    do {
        left = n;
        for (uint32_t i = n; i-- > from;)
            if (!add_related(c, v, &r[i]))
                r[--left] = r[i];
        rt_assert(left >= from);
    } while (left != from && (from = left) < n);
}

static void
number_variables(const struct jit_fn *c, struct jit_variables *v)
{
    uint32_t s = 0;

    memset(v->var, 0xff, c->ns * sizeof *v->var); /* JIT_NO_VARIABLE */
    RT_EACH_BIT (is, v->slots, c->ns) {
        while (s <= is)
            v->next[s++] = (uint16_t)v->n;
        v->var[is] = (uint16_t)v->n;
        v->slot[v->n++] = (uint16_t)is;
    }
    while (s < c->ns)
        v->next[s++] = (uint16_t)v->n;
}

bool
jit_find_variables(struct jit_fn *c, struct jit_variables *v)
{
    v->n = 0;
    if (!c->loops_back)
        return false; /* add_asked() would find nothing */
    v->slots = jit_alloc(c, c->words, sizeof *v->slots);
    if (c->failed || !add_all_asked(c, v))
        return false;
    v->var = jit_room(c, c->ns, sizeof *v->var);
    v->next = jit_room(c, c->ns, sizeof *v->next);
    v->slot = jit_room(c, c->ns, sizeof *v->slot);
    v->notes = jit_room(c, (size_t)c->n, sizeof *v->notes);
    int32_t *has = jit_room(c, (size_t)c->n + 1, sizeof *has);
    if (c->failed)
        return false;
    uint32_t n = look_at_all(c, v->notes, has);
    struct relation *r = jit_room(c, (size_t)n + 1, sizeof *r);
    if (c->failed)
        return false;
    add_all_related(c, v, r, find_relations(c, has, n, r));
    number_variables(c, v);
    return true;
}

/* ---- what there is to be done -------------------------------------------- */

/* What the next act is to forget before. */
static inline uint64_t *
gone(const struct jit_acts *to)
{
    return to->gone + (size_t)to->n * to->words;
}

/* Nothing, as yet. */
static inline void
forget_nothing(const struct jit_acts *to)
{
    uint32_t w = 0;

    do /* most often there is one word */
        gone(to)[w] = 0;
    while (++w < to->words);
}

/* Instruction k does that with these, or there is JIT_NO_VARIABLE. */
static inline struct jit_act *
put(struct jit_acts *to, int32_t k, enum jit_act_does does, uint16_t var,
    uint16_t a, uint16_t b)
{
    struct jit_act *act = &to->act[to->n++];

    act->k = k;
    act->does = (uint8_t)does;
    act->var = var;
    act->a = a;
    act->b = b;
    forget_nothing(to);
    return act;
}

/* x asks for what is in slots a and b, if these are variables: of others nothing
 * is known. */
static void
put_question(const struct jit_variables *v, struct jit_acts *to, int32_t k,
    enum jit_asks asks, const struct code_ins *w)
{
    uint16_t a, b = JIT_NO_VARIABLE;

    a = v->var[asks == JIT_ASKS_ELEMENT ? w->c
            : asks == JIT_ASKS_INDEX    ? w->a : w->b];
    if (asks == JIT_ASKS_ELEMENT)
        b = v->var[w->b + 1u];
    if (a == JIT_NO_VARIABLE ||
        (asks == JIT_ASKS_ELEMENT && b == JIT_NO_VARIABLE))
        return;
    put(to, k, JIT_ASKS_FOR, JIT_NO_VARIABLE, a, b)->test = (uint8_t)asks;
    to->last = k;
}

/* Variables in slots from `from` to before `end`. */
static void
forget(const struct jit_fn *c, const struct jit_variables *v,
    struct jit_acts *to, uint32_t from, uint32_t end)
{
    if (from < c->ns)
        rt_bits_fill(gone(to), v->next[from], end < c->ns ? v->next[end] : v->n,
            true);
}

/* A slice is made: its length is the number that it was made with. */
static void
put_length(const struct jit_variables *v, struct jit_acts *to, int32_t k,
    const struct code_ins *w)
{
    uint16_t len = v->var[w->b], of = v->var[w->a + 1u];

    if (len == JIT_NO_VARIABLE || of == JIT_NO_VARIABLE ||
        (w->b >= w->a && w->b < w->a + 3u))
        return;
    (void)put(to, k, JIT_HAS_LENGTH, of, len, JIT_NO_VARIABLE);
}

/* x may assign several variables, or loses something. */
static void
put_all_gone(const struct jit_fn *c, const struct jit_variables *v,
    struct jit_acts *to, const struct jit_ins *x)
{
    const struct jit_opnd *o = c->op + x->ops;
    uint32_t from, kept;

    rt_assert(!jit_numbers_of(c, x)->gives && x->w[0].op != OP_MOV);
    if (jit_lost(x, &from, &kept)) {
        forget(c, v, to, from, from + 2);
        forget(c, v, to, from + 2 + kept, c->ns);
    }
    for (uint32_t i = 0; i < x->nops; i++)
        if (o[i].def && v->var[o[i].slot] != JIT_NO_VARIABLE)
            rt_bit_set(gone(to), v->var[o[i].slot]);
    if (x->w[0].op == OP_MAKESLICE)
        put_length(v, to, (int32_t)(x - c->v), x->w);
}

/* x assigns variable `var` something that jit_interval_of() says. */
static void
put_given(const struct jit_variables *v, struct jit_acts *to, int32_t k,
    const struct jit_numbers *g, const struct code_ins *w, uint16_t var)
{
    uint16_t a = JIT_NO_VARIABLE, b = JIT_NO_VARIABLE;

    if (g->sources > 0)
        a = v->var[g->counts ? w->a : w->b];
    if (g->sources > 1)
        b = v->var[w->c];
    if ((a != JIT_NO_VARIABLE && rt_bit_get(gone(to), a)) ||
        (b != JIT_NO_VARIABLE && rt_bit_get(gone(to), b)))
        (void)put(to, k, JIT_FORGETS, var, a, b); /* it has been, before */
    rt_bit_set(gone(to), var);
    (void)put(to, k, JIT_GIVES, var, a, b);
}

/* Whether x loses what is known of variables. */
static bool
loses(const struct jit_fn *c, const struct jit_variables *v,
    const struct jit_ins *x)
{
    uint32_t from, kept;

    return jit_lost(x, &from, &kept) && from < c->ns && v->next[from] < v->n;
}

/* The slot of the only variable that instruction k assigns; NO_SLOT: it assigns
 * none; MANY: others, or it loses something. */
enum { NO_SLOT = UINT32_MAX, MANY = UINT32_MAX - 1 };

static uint32_t
assigned(const struct jit_fn *c, const struct jit_variables *v, int32_t k)
{
    const struct jit_ins *x = &c->v[k];
    uint32_t slot = NO_SLOT;

    if (((v->notes[k] & JIT_NOTE_LOSES) != 0 && x->w[0].op != OP_MOV &&
            loses(c, v, x)) ||
        x->w[0].op == OP_MAKESLICE)
        return MANY;
    if (c->does != NULL && (v->notes[k] & JIT_NOTE_LOSES) == 0) {
        uint64_t set = c->does[k].defs & v->slots[0];

        return set == 0               ? NO_SLOT
            : (set & (set - 1)) != 0 ? MANY
                                     : (uint32_t)__builtin_ctzll(set);
    }
    const struct jit_opnd *o = c->op + x->ops, *end = o + x->nops;
    for (; o < end; o++)
        if (o->def && v->var[o->slot] != JIT_NO_VARIABLE)
            slot = slot == NO_SLOT ? o->slot : MANY;
    return slot;
}

/* What instruction k does to variables. */
static void
put_assigned(const struct jit_fn *c, const struct jit_variables *v,
    struct jit_acts *to, int32_t k)
{
    const struct jit_ins *x = &c->v[k];
    const struct jit_numbers *g = jit_numbers_of(c, x);
    uint32_t slot = assigned(c, v, k);

    if (slot == NO_SLOT)
        return;
    if (slot == MANY) {
        put_all_gone(c, v, to, x);
        return;
    }
    uint16_t var = v->var[slot];
    if (x->w[0].op != OP_MOV && slot == x->w[0].a && g->gives) {
        put_given(v, to, k, g, x->w, var);
        return;
    }
    uint16_t of = x->w[0].op == OP_MOV ? v->var[x->w[0].b] : JIT_NO_VARIABLE;
    if (of == var)
        return;
    rt_bit_set(gone(to), var);
    if (of != JIT_NO_VARIABLE)
        (void)put(to, k, JIT_MOVES, var, of, JIT_NO_VARIABLE);
}

/* Whether one of the ways behind x leads back to `last`, or before. */
static bool
leads_back(const struct jit_ins *x, int32_t last)
{
    bool back = false;

    for (unsigned i = 0; i < x->nsucc; i++)
        back |= x->succ[i] <= last;
    return back;
}

/* The ways that lead on from x, at which a block may begin, or to elsewhere than
 * what follows. */
static void
put_ways(const struct jit_fn *c, const struct jit_variables *v,
    struct jit_acts *to, int32_t k)
{
    const struct jit_ins *x = &c->v[k];
    const struct jit_numbers *g = jit_numbers_of(c, x);
    enum jit_act_does does = JIT_LEADS;
    uint16_t a = JIT_NO_VARIABLE, b = JIT_NO_VARIABLE;
    int32_t ways[2] = {-1, -1};

    if (leads_back(x, to->last))
        to->last = k;
    if (x->w[0].op == OP_SWITCH) {
        (void)put(to, k, JIT_LEADS_FAR, a, a, a);
        return;
    }
    rt_assert(x->nsucc <= 2);
    for (unsigned i = 0; i < x->nsucc; i++)
        ways[i] = c->lead[x->succ[i]];
    if (x->nsucc == 2 && x->falls && x->succ[0] != x->succ[1] &&
        g->compares != JIT_NO_TEST)
        a = v->var[x->w[0].a];
    if (a != JIT_NO_VARIABLE)
        does = g->compares == JIT_WITH_NUMBER ? JIT_TESTS_NUMBER : JIT_TESTS;
    else if (ways[0] < 0 && ways[1] < 0)
        return;
    if (does == JIT_TESTS_NUMBER)
        b = x->w[0].b;
    else if (does == JIT_TESTS)
        b = v->var[x->w[0].b];
    struct jit_act *act = put(to, k, does, JIT_NO_VARIABLE, a, b);
    act->to[0] = ways[0];
    act->to[1] = ways[1];
    act->test = g->test;
}

static void
put_block(const struct jit_fn *c, const struct jit_variables *v,
    struct jit_acts *to, int32_t k, int32_t end)
{
    const struct jit_does *does = c->does; /* NULL: it is not known */
    uint64_t slots = v->slots[0];

    for (; k < end; k++) {
        unsigned note = v->notes[k];
        bool assigns = does == NULL || (does[k].defs & slots) != 0;

        if (note == 0 && !assigns)
            continue;
        if ((note & JIT_NOTE_ASKS) != 0)
            put_question(
                v, to, k, (enum jit_asks)(note & JIT_NOTE_ASKS), c->v[k].w);
        if (assigns || (note & JIT_NOTE_LOSES) != 0)
            put_assigned(c, v, to, k);
        if ((note & JIT_NOTE_TURNS) != 0)
            put_ways(c, v, to, k);
    }
}

bool
jit_find_acts(
    struct jit_fn *c, const struct jit_variables *v, struct jit_acts *to)
{
    /* Of an instruction there are two acts at most that are its own, and one that
     * forgets what one before has assigned; or one more behind a block. */
    size_t max = 2 * (size_t)c->n + c->nblocks;

    to->words = (v->n + 63) / 64;
    to->n = 0;
    to->last = 0;
    to->act = jit_room(c, max, sizeof *to->act);
    to->gone = jit_room(c, (max + 1) * to->words, sizeof *to->gone);
    to->first = jit_room(c, (size_t)c->nblocks + 1, sizeof *to->first);
    if (c->failed)
        return false;
    for (uint32_t b = 0; b < c->nblocks; b++) {
        to->first[b] = to->n;
        forget_nothing(to);
        put_block(c, v, to, c->block[b], c->block[b + 1]);
        rt_assert(to->n <= max);
    }
    to->first[c->nblocks] = to->n;
    return true;
}
