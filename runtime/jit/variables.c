/* SPDX-License-Identifier: MIT */

/* Which slots ranges of numbers are found out for: those that an index or a
 * division in a loop asks for, and those from which something follows for one,
 * here called variables; and what instructions do about them, as acts, so that
 * the walk, which comes by again and again, need not ask instructions. */
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
look_at_all(struct jit_fn *c, struct jit_variables *v, int32_t *has)
{
    const struct jit_numbers *numbers = c->jit->numbers;
    uint8_t *notes = v->notes;
    uint32_t n = 0, nasks = 0;

    for (int32_t k = 0; k < c->n; k++) {
        const struct jit_numbers *g = &numbers[c->v[k].w[0].op];

        notes[k] = g->asks; /* enum jit_asks */
        /* Nobody can foretell what it does. */
        v->asks[nasks] = has[n] = k;
        nasks += g->asks != JIT_ASKS_NOTHING;
        n += g->relates;
    }
    v->nasks = nasks;
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
    v->asks = jit_room(c, (size_t)c->n + 1, sizeof *v->asks);
    int32_t *has = jit_room(c, (size_t)c->n + 1, sizeof *has);
    if (c->failed)
        return false;
    uint32_t n = look_at_all(c, v, has);
    struct relation *r = jit_room(c, (size_t)n + 1, sizeof *r);
    if (c->failed)
        return false;
    add_all_related(c, v, r, find_relations(c, has, n, r));
    number_variables(c, v);
    return true;
}

/* ---- what there is to be done -------------------------------------------- */

/* Acts are found from the end of a block to its beginning.  What nobody asks for
 * behind need not be found out. */
struct search {
    struct jit_fn *c;
    const struct jit_variables *v;
    struct jit_acts *to;
    uint64_t *needs; /* by block: what `need` is where it begins */
    uint64_t *need; /* the set of slots that acts behind ask for; or that are live
                       where ways lead back to */
    uint32_t block;
    uint32_t end;   /* the first act behind the block */
};

/* What the first act that there is forgets before. */
static inline uint64_t *
gone(const struct jit_acts *to)
{
    return to->gone + (size_t)to->first_act * to->words;
}

/* Instruction k does that with these, or there is JIT_NO_VARIABLE, before all acts
 * that there are. */
static inline struct jit_act *
put(struct jit_acts *to, int32_t k, enum jit_act_does does, uint16_t var,
    uint16_t a, uint16_t b)
{
    rt_assert(to->first_act > 0);
    struct jit_act *act = &to->act[--to->first_act];
    uint64_t *is = gone(to);
    uint32_t w = to->words;

    act->k = k;
    act->does = (uint8_t)does;
    act->var = var;
    act->a = a;
    act->b = b;
    do /* most often there is one word */
        *is++ = 0;
    while (--w > 0);
    return act;
}

/* The set of what is gone before the first act of the block; NULL: there is none.
 * What an act is to find out something from cannot be gone with it. */
static uint64_t *
gone_before(struct search *s, int32_t k)
{
    struct jit_acts *to = s->to;

    if (to->first_act == s->end)
        return NULL;
    if (to->act[to->first_act].does == JIT_GIVES)
        (void)put(to, k, JIT_FORGETS, JIT_NO_VARIABLE, JIT_NO_VARIABLE,
            JIT_NO_VARIABLE);
    return gone(to);
}

/* Likewise, but for variable `var` only. */
static void
forget_before(struct search *s, int32_t k, uint16_t var)
{
    struct jit_acts *to = s->to;
    const struct jit_act *act = &to->act[to->first_act];

    if (to->first_act == s->end)
        return;
    if (act->does == JIT_GIVES && (act->a == var || act->b == var))
        (void)gone_before(s, k);
    rt_bit_set(gone(to), var);
}

/* Whether all that w asks for are variables: of others nothing is known. */
static bool
is_question(const struct jit_variables *v, enum jit_asks asks,
    const struct code_ins *w, uint32_t slot[2])
{
    slot[0] = asks == JIT_ASKS_ELEMENT ? w->c
        : asks == JIT_ASKS_INDEX ? w->a : w->b;
    slot[1] = asks == JIT_ASKS_ELEMENT ? w->b + 1u : slot[0];
    return rt_bit_get(v->slots, slot[0]) && rt_bit_get(v->slots, slot[1]);
}

static void
put_question(struct search *s, int32_t k, enum jit_asks asks)
{
    uint32_t slot[2];

    if (!is_question(s->v, asks, s->c->v[k].w, slot))
        return;
    put(s->to, k, JIT_ASKS_FOR, JIT_NO_VARIABLE, s->v->var[slot[0]],
        s->v->var[slot[1]])->test = (uint8_t)asks;
    rt_bit_set(s->need, slot[0]);
    rt_bit_set(s->need, slot[1]);
}

/* Slots from `from` to before `end` are lost; is: the set of variables that are
 * gone, or NULL. */
static void
lose(struct search *s, uint32_t from, uint32_t end, uint64_t *is)
{
    const struct jit_variables *v = s->v;

    if (from >= s->c->ns)
        return;
    uint32_t first = v->next[from],
             last = end < s->c->ns ? v->next[end] : v->n;
    if (first == last)
        return;
    end = end < s->c->ns ? end : s->c->ns;
    if (s->c->words == 1) { /* most often */
        s->need[0] &= ~rt_low_bits(end) | rt_low_bits(from);
        if (is != NULL)
            is[0] |= rt_low_bits(last) & ~rt_low_bits(first);
        return;
    }
    rt_bits_fill(s->need, from, end, false);
    if (is != NULL)
        rt_bits_fill(is, first, last, true);
}

/* A slice is made: its length is the number that it was made with. */
static void
put_length(struct search *s, int32_t k, const struct code_ins *w)
{
    uint16_t len = s->v->var[w->b], of = s->v->var[w->a + 1u];

    if (len != JIT_NO_VARIABLE && of != JIT_NO_VARIABLE &&
        !(w->b >= w->a && w->b < w->a + 3u) &&
        rt_bit_get(s->need, w->a + 1u))
        (void)put(s->to, k, JIT_HAS_LENGTH, of, len, JIT_NO_VARIABLE);
}

/* x may assign several variables, or loses something. */
static void
put_all_gone(struct search *s, int32_t k)
{
    const struct jit_ins *x = &s->c->v[k];
    const struct jit_opnd *o = s->c->op + x->ops;
    uint32_t from, kept;

    rt_assert(!jit_numbers_of(s->c, x)->gives && x->w[0].op != OP_MOV);
    if (x->w[0].op == OP_MAKESLICE)
        put_length(s, k, x->w);
    uint64_t *is = gone_before(s, k);
    if (jit_lost(x, &from, &kept)) {
        lose(s, from, from + 2, is);
        lose(s, from + 2 + kept, s->c->ns, is);
    }
    for (uint32_t i = 0, end = jit_assigned(x); i < end; i++)
        if (o[i].def && s->v->var[o[i].slot] != JIT_NO_VARIABLE) {
            rt_bit_clear(s->need, o[i].slot);
            if (is != NULL)
                rt_bit_set(is, s->v->var[o[i].slot]);
        }
    if (x->w[0].op == OP_MAKESLICE)
        rt_bit_set(s->need, x->w[0].b);
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
    bool may_lose = (v->notes[k] & JIT_NOTE_LOSES) != 0;
    uint32_t slot = NO_SLOT;

    if ((may_lose && x->w[0].op != OP_MOV && loses(c, v, x)) ||
        x->w[0].op == OP_MAKESLICE)
        return MANY;
    if (c->does != NULL && !may_lose) {
        uint64_t set = c->does[k].defs & v->slots[0];

        return (set & (set - 1)) != 0 ? MANY : (uint32_t)__builtin_ctzll(set);
    }
    const struct jit_opnd *o = c->op + x->ops, *end = o + jit_assigned(x);
    for (; o < end; o++)
        if (o->def && v->var[o->slot] != JIT_NO_VARIABLE)
            slot = slot == NO_SLOT ? o->slot : MANY;
    return slot;
}

/* Something is known of the slot, a variable, that w assigns. */
static void
put_known(struct search *s, int32_t k, const struct jit_numbers *g,
    const struct code_ins *w, uint32_t slot)
{
    const struct jit_variables *v = s->v;
    uint16_t var = v->var[slot], a = JIT_NO_VARIABLE, b = JIT_NO_VARIABLE;
    uint32_t from = g->counts ? w->a : w->b;

    if (g->sources > 0)
        a = v->var[from];
    if (g->sources > 1)
        b = v->var[w->c];
    if (w->op == OP_MOV && a == JIT_NO_VARIABLE) {
        forget_before(s, k, var);
        return;
    }
    (void)put(s->to, k, w->op == OP_MOV ? JIT_MOVES : JIT_GIVES, var, a, b);
    rt_bit_set(gone(s->to), var);
    if (a != JIT_NO_VARIABLE)
        rt_bit_set(s->need, from);
    if (b != JIT_NO_VARIABLE)
        rt_bit_set(s->need, w->c);
}

/* What instruction k does to variables. */
static void
put_assigned(struct search *s, int32_t k)
{
    const struct jit_ins *x = &s->c->v[k];
    const struct jit_numbers *g = jit_numbers_of(s->c, x);
    uint32_t slot = assigned(s->c, s->v, k);
    bool moves = x->w[0].op == OP_MOV;

    if (slot == MANY)
        put_all_gone(s, k);
    if (slot >= MANY || (moves && x->w[0].b == slot))
        return;
    bool needed = rt_bit_get(s->need, slot);
    rt_bit_clear(s->need, slot);
    if (needed && (moves || (g->gives && slot == x->w[0].a)))
        put_known(s, k, g, x->w, slot);
    else
        forget_before(s, k, s->v->var[slot]);
}

/* A way leads to `to`; the block that begins there, or -1. */
static int32_t
lead(struct search *s, int32_t to)
{
    int32_t b = s->c->lead[to];

    if (b < 0 || (uint32_t)b >= s->to->nblocks)
        return -1;
    /* Blocks behind have been searched. */
    uint32_t words = s->c->words, w = 0;
    const uint64_t *need = (uint32_t)b > s->block
        ? s->needs + (size_t)b * words : jit_live(s->c, to);
    do /* most often there is one word */
        s->need[w] |= need[w];
    while (++w < words);
    return b;
}

static void
lead_far(struct jit_fn *c, int32_t to, void *arg)
{
    (void)c;
    (void)lead(arg, to);
}

/* The ways that lead on from instruction k. */
static void
put_ways(struct search *s, int32_t k)
{
    struct jit_fn *c = s->c;
    const struct jit_ins *x = &c->v[k];
    const struct jit_numbers *g = jit_numbers_of(c, x);
    const struct code_ins *w = x->w;
    enum jit_act_does does = JIT_LEADS;
    uint16_t a = JIT_NO_VARIABLE, b = JIT_NO_VARIABLE;
    int32_t ways[2] = {-1, -1};

    if (w->op == OP_SWITCH) {
        (void)put(s->to, k, JIT_LEADS_FAR, a, a, a);
        jit_each_succ(c, x, lead_far, s);
        return;
    }
    rt_assert(x->nsucc <= 2);
    for (unsigned i = 0; i < x->nsucc; i++)
        ways[i] = lead(s, x->succ[i]);
    if (g->compares != JIT_NO_TEST && x->nsucc == 2 && x->falls &&
        x->succ[0] != x->succ[1])
        a = s->v->var[w->a];
    if (a != JIT_NO_VARIABLE) {
        does = g->compares == JIT_WITH_NUMBER ? JIT_TESTS_NUMBER : JIT_TESTS;
        b = does == JIT_TESTS_NUMBER ? w->b : s->v->var[w->b];
        rt_bit_set(s->need, w->a);
        if (does == JIT_TESTS && b != JIT_NO_VARIABLE)
            rt_bit_set(s->need, w->b);
    } else if (ways[0] < 0 && ways[1] < 0) {
        return;
    }
    struct jit_act *act = put(s->to, k, does, JIT_NO_VARIABLE, a, b);
    act->to[0] = ways[0];
    act->to[1] = ways[1];
    act->test = g->test;
}

/* The variables that are needed where the block begins. */
static void
note_needed(const struct search *s, uint32_t b)
{
    const struct jit_variables *v = s->v;
    uint64_t *needed = s->to->needed + (size_t)b * s->to->words;

    for (uint32_t w = 0; w < s->to->words; w++)
        needed[w] = 0;
    for (uint32_t w = 0; w < s->c->words; w++)
        for (uint64_t is = s->need[w] & v->slots[w]; is != 0; is &= is - 1)
            rt_bit_set(
                needed, v->var[64 * w + (uint32_t)__builtin_ctzll(is)]);
}

static void
search_block(struct search *s, uint32_t b)
{
    const struct jit_does *does = s->c->does; /* NULL: it is not known */
    int32_t begin = s->c->block[b], end = s->c->block[b + 1];
    uint64_t slots = s->v->slots[0];

    s->block = b;
    s->end = s->to->first_act;
    s->need = s->needs + (size_t)b * s->c->words;
    for (uint32_t w = 0; w < s->c->words; w++)
        s->need[w] = 0;
    for (int32_t k = end - 1; k >= begin; k--) {
        unsigned note = s->v->notes[k];
        bool assigns = does == NULL || (does[k].defs & slots) != 0;

        if (note == 0 && !assigns)
            continue;
        if ((note & JIT_NOTE_TURNS) != 0)
            put_ways(s, k);
        if (assigns || (note & JIT_NOTE_LOSES) != 0)
            put_assigned(s, k);
        if ((note & JIT_NOTE_ASKS) != 0)
            put_question(s, k, (enum jit_asks)(note & JIT_NOTE_ASKS));
    }
    s->to->first[b] = s->to->first_act;
    note_needed(s, b);
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

/* The instruction behind which nothing asks, and no way leads back to before. */
static int32_t
find_last(const struct jit_fn *c, const struct jit_variables *v)
{
    uint32_t i = 0, slot[2];
    int32_t last = 0;

    for (uint32_t q = 0; q <= v->nasks; q++) {
        int32_t k = q < v->nasks ? v->asks[q] : c->n;

        for (; i < c->nturns && c->turns[i] < k; i++)
            if (leads_back(&c->v[c->turns[i]], last))
                last = c->turns[i];
        if (k < c->n &&
            is_question(v, (enum jit_asks)(v->notes[k] & JIT_NOTE_ASKS),
                c->v[k].w, slot))
            last = k;
    }
    return last;
}

bool
jit_find_acts(
    struct jit_fn *c, const struct jit_variables *v, struct jit_acts *to)
{
    /* Of an instruction there are two acts at most that are its own, and one that
     * forgets what one before has assigned; or one more behind a block. */
    size_t max = 2 * (size_t)c->n + c->nblocks;
    struct search s = {.c = c, .v = v, .to = to};
    int32_t last = find_last(c, v);

    to->words = (v->n + 63) / 64;
    to->act = jit_room(c, max, sizeof *to->act);
    to->gone = jit_room(c, max * to->words, sizeof *to->gone);
    to->first = jit_room(c, (size_t)c->nblocks + 1, sizeof *to->first);
    to->nblocks = 0;
    while (to->nblocks < c->nblocks && c->block[to->nblocks] <= last)
        to->nblocks++;
    to->needed =
        jit_room(c, (size_t)to->nblocks * to->words, sizeof *to->needed);
    s.needs = jit_room(c, (size_t)to->nblocks * c->words, sizeof *s.needs);
    if (c->failed)
        return false;
    to->first_act = to->first[to->nblocks] = (uint32_t)max;
    for (uint32_t b = to->nblocks; b-- > 0;)
        search_block(&s, b);
    return true;
}
