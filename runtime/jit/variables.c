/* SPDX-License-Identifier: MIT */

/* Which slots ranges of numbers are found out for: those that an index or a
 * division in a loop asks for, and those from which something follows for one,
 * here called variables. */
#include "runtime/jit/ranges.h"

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

/* Of a slot that is always in memory nothing is found out. */
static bool
add_variable(
    const struct jit_fn *c, struct jit_variables *v, uint32_t slot)
{
    if (c->pinned[slot] || v->var[slot] != JIT_NO_VARIABLE)
        return false;
    v->var[slot] = 0; /* its number follows */
    return true;
}

/* Of each of two slots something follows for the other one. */
static bool
add_both(const struct jit_fn *c, struct jit_variables *v, uint32_t a,
    uint32_t b)
{
    if (v->var[a] == JIT_NO_VARIABLE && v->var[b] == JIT_NO_VARIABLE)
        return false;
    bool first = add_variable(c, v, a);
    return add_variable(c, v, b) || first;
}

/* The slots from which something follows for what x assigns or compares, if
 * that is a variable; whether there was one more. */
static bool
add_sources(const struct jit_fn *c, struct jit_variables *v,
    const struct jit_ins *x)
{
    const struct code_ins *w = x->w;
    const struct jit_numbers *g = jit_numbers_of(c, x);
    bool more = false;
    uint32_t of[2];
    unsigned n = jit_range_sources(g, w, of);

    if (n > 0 && v->var[w->a] != JIT_NO_VARIABLE)
        for (unsigned i = 0; i < n; i++)
            more |= add_variable(c, v, of[i]);
    if (w->op == OP_MAKESLICE)
        more |= v->var[w->a + 1u] != JIT_NO_VARIABLE &&
            add_variable(c, v, w->b);
    if (g->compares == JIT_WITH_SLOT)
        more |= add_both(c, v, w->a, w->b);
    return more;
}

/* The slots that x asks for itself. */
static bool
add_asked(const struct jit_fn *c, struct jit_variables *v,
    const struct jit_ins *x)
{
    const struct code_ins *w = x->w;
    bool first;

    if (x->kind != JIT_NATIVE || !x->reached)
        return false;
    switch ((enum jit_asks)jit_numbers_of(c, x)->asks) {
    case JIT_ASKS_ELEMENT:
        first = add_variable(c, v, w->c);
        return add_variable(c, v, w->b + 1u) || first;
    case JIT_ASKS_INDEX:
        return add_variable(c, v, w->a);
    case JIT_ASKS_SIGN:
        return add_variable(c, v, w->b);
    default:
        return false;
    }
}

/* Those that are asked for in loops: elsewhere it would not be worth the work. */
static bool
add_all_asked(const struct jit_fn *c, struct jit_variables *v)
{
    bool any = false;

    for (uint32_t b = 0; b < c->nblocks; b++) {
        const struct jit_ins *x = &c->v[c->block[b]],
                             *end = &c->v[c->block[b + 1]];

        /* Deeper is only what a jump back leads to. */
        for (; x < end && x->depth > 0; x++)
            if (jit_numbers_of(c, x)->asks != JIT_ASKS_NOTHING)
                any |= add_asked(c, v, x);
    }
    return any;
}

bool
jit_find_variables(struct jit_fn *c, struct jit_variables *v)
{
    v->n = 0;
    if (!c->loops_back)
        return false; /* add_asked() would find nothing */
    v->var = jit_room(c, c->ns, sizeof *v->var);
    v->next = jit_room(c, c->ns, sizeof *v->next);
    v->slot = jit_room(c, c->ns, sizeof *v->slot);
    v->slots = jit_alloc(c, c->words, sizeof *v->slots);
    if (c->failed)
        return false;
    for (uint32_t s = 0; s < c->ns; s++)
        v->var[s] = JIT_NO_VARIABLE;
    if (!add_all_asked(c, v))
        return false;
    int32_t *has = jit_room(c, (size_t)c->n, sizeof *has), n = 0;
    if (c->failed)
        return false;
    for (int32_t k = 0; k < c->n; k++)
        if (jit_numbers_of(c, &c->v[k])->relates)
            has[n++] = k;
    for (bool more = true; more;) {
        more = false;
        for (int32_t i = n; i-- > 0;)
            more |= add_sources(c, v, &c->v[has[i]]);
    }
    for (uint32_t s = 0; s < c->ns; s++) {
        v->next[s] = (uint16_t)v->n;
        if (v->var[s] == JIT_NO_VARIABLE)
            continue;
        rt_bit_set(v->slots, s);
        v->var[s] = (uint16_t)v->n;
        v->slot[v->n++] = (uint16_t)s;
    }
    return true;
}

/* ---- what there is to be done -------------------------------------------- */

/* Whether all that x asks for are variables: of others nothing is known. */
static bool
asks(const struct jit_variables *v, const struct jit_numbers *g,
    const struct code_ins *w)
{
    switch ((enum jit_asks)g->asks) {
    case JIT_ASKS_ELEMENT:
        return v->var[w->c] != JIT_NO_VARIABLE &&
            v->var[w->b + 1u] != JIT_NO_VARIABLE;
    case JIT_ASKS_INDEX:
        return v->var[w->a] != JIT_NO_VARIABLE;
    case JIT_ASKS_SIGN:
        return v->var[w->b] != JIT_NO_VARIABLE;
    default:
        return false;
    }
}

/* Whether x loses what is known of variables. */
static bool
loses(const struct jit_fn *c, const struct jit_variables *v,
    const struct jit_ins *x)
{
    uint32_t from, kept;

    return jit_lost(x, &from, &kept) && from < c->ns &&
        v->next[from] < v->n;
}

/* What instruction k does to variables; the one that it assigns, if it is one. */
static enum jit_act_does
does(const struct jit_fn *c, const struct jit_variables *v, int32_t k,
    uint16_t *var)
{
    const struct jit_ins *x = &c->v[k];
    const struct jit_opnd *o = c->op + x->ops, *end = o + x->nops;
    uint32_t slot = 0, n = 0;

    if (c->does != NULL && !x->loses && (c->does[k].defs & v->slots[0]) == 0)
        return JIT_DOES_NOTHING;
    if (x->w[0].op != OP_MOV && loses(c, v, x))
        return JIT_ASSIGNS;
    for (; o < end; o++)
        if (o->def && v->var[o->slot] != JIT_NO_VARIABLE) {
            slot = o->slot;
            n++;
        }
    if (n != 1 || x->w[0].op == OP_MAKESLICE)
        return n == 0 ? JIT_DOES_NOTHING : JIT_ASSIGNS;
    *var = v->var[slot];
    if (x->w[0].op == OP_MOV)
        return JIT_MOVES;
    return slot == x->w[0].a && jit_numbers_of(c, x)->gives ? JIT_GIVES
                                                            : JIT_CLEARS;
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

void
jit_find_acts(struct jit_fn *c, const struct jit_variables *v,
    struct jit_act *act, uint32_t *first, int32_t *last)
{
    uint32_t n = 0;
    int32_t so_far = 0;

    for (uint32_t b = 0; b < c->nblocks; b++) {
        int32_t end = c->block[b + 1];

        first[b] = n;
        for (int32_t k = c->block[b]; k < end; k++) {
            const struct jit_ins *x = &c->v[k];
            const struct jit_numbers *g = jit_numbers_of(c, x);
            uint16_t var = JIT_NO_VARIABLE;
            bool asked = g->asks != JIT_ASKS_NOTHING && asks(v, g, x->w);
            bool leads = k + 1 == end || (!x->plain &&
                (x->nsucc != 1 || !x->falls || x->w[0].op == OP_SWITCH));
            enum jit_act_does what = does(c, v, k, &var);

            if (!asked && !leads && what == JIT_DOES_NOTHING)
                continue;
            if (asked || (leads && leads_back(x, so_far)))
                so_far = k;
            act[n++] = (struct jit_act){.k = k, .asks = asked, .leads = leads,
                .does = (uint16_t)what, .var = var};
        }
    }
    first[c->nblocks] = n;
    *last = so_far;
}
