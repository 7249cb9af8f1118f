/* SPDX-License-Identifier: MIT */

/*
 * What numbers may be in slots, so far as tests, loops' conditions and
 * arithmetic say: an interval for each slot, another slot whose number is
 * greater, and one whose number is the same.  A walk in order carries that
 * from instruction to instruction; at leaders it is what holds on all ways
 * there.  Blocks are walked again until nothing changes where they begin.
 * Around loops intervals grow, and by steps that make an end of it: to the
 * nearest number that the function compares with, or far beyond.
 *
 * Most slots say nothing of any index or division.  Only those from which
 * something follows for one have an entry, here called a variable.
 *
 * It says of a division that what is divided is not negative, and of an
 * element that its index is one.  Slots are as the interpreter has them: what
 * is found holds wherever machine code is entered.
 */
#include "runtime/jit/jit_int.h"

#include <string.h>

#include "runtime/code/opinfo.h"
#include "runtime/jit/fact.h"

enum {
    PASSES = 24,     /* of walks; then nothing is known */
    STEPS = 12,      /* numbers that the function compares with, at most */
    FACTS = 1 << 16, /* of all blocks together, at most */
    NONE = JIT_NO_VARIABLE
};

struct ranges {
    struct jit_fn *c;
    uint16_t *var;    /* by slot: the variable that it is, or NONE */
    uint16_t *next;   /* by slot: the first variable there or above */
    uint16_t *slot;   /* by variable, in order */
    uint64_t *slots;  /* the set of slots that are variables */
    uint32_t n;       /* variables */
    int32_t *act;     /* the instructions that say something of variables, or
                         lead elsewhere, in order */
    uint32_t *first;  /* by block: the first of them; behind the last, all */
    int32_t last;     /* find_last() */
    struct jit_fact *at;  /* by block and variable */
    bool *seen;       /* by block: some way leads there */
    bool *changed;    /* by block: it has to be walked again */
    struct jit_fact *now; /* by variable, in the walk */
    struct jit_fact *jumps; /* likewise, where a jump leads */
    uint64_t *namers;   /* by variable: whose facts, of now, may have it as
                           below or same, so that assign() has to look there:
                           the set of their numbers modulo 64 */
    int64_t step[STEPS];
    uint32_t nsteps;
};

/* ---- what is known of variables ----------------------------------------- */

/* Of a slot, which need not be one. */
static struct jit_fact
fact_of(const struct ranges *r, uint32_t slot)
{
    return r->var[slot] == NONE ? jit_anything : r->now[r->var[slot]];
}

/* The fact of variable v has another one as below or same, if it is one. */
static inline void
name(struct ranges *r, uint32_t v, uint16_t other)
{
    if (other != NONE)
        r->namers[other] |= (uint64_t)1 << v % 64;
}

/* Whether what the facts say of others is known there; for assertions. */
static bool
names_valid(const struct ranges *r)
{
    for (uint32_t v = 0; v < r->n; v++) {
        const struct jit_fact *f = &r->now[v];
        uint64_t is = (uint64_t)1 << v % 64;

        if ((f->below != NONE && (r->namers[f->below] & is) == 0) ||
            (f->same != NONE && (r->namers[f->same] & is) == 0))
            return false;
    }
    return true;
}

/* Variables from v to before end are below or the same as none of these. */
static inline void
forget_names(struct ranges *r, uint64_t namers, uint32_t v, uint32_t end)
{
    for (; namers != 0; namers &= namers - 1)
        for (uint32_t i = (uint32_t)__builtin_ctzll(namers); i < r->n;
             i += 64) {
            struct jit_fact *f = &r->now[i];

            if (f->below >= v && f->below < end)
                f->below = NONE;
            if (f->same >= v && f->same < end)
                f->same = NONE;
        }
}

/* The variable v is assigned something new, of which only f is known. */
static void
assign(struct ranges *r, uint32_t v, struct jit_fact f)
{
    rt_assert(v < r->n && f.below != v && f.same != v);
    forget_names(r, r->namers[v], v, v + 1);
    r->namers[v] = 0;
    r->now[v] = f;
    name(r, v, f.below);
    name(r, v, f.same);
}

/* Nothing is known of slots from `from` to before `end`. */
static void
forget(struct ranges *r, uint32_t from, uint32_t end)
{
    uint64_t namers = 0;
    uint32_t first, v;

    if (from >= r->c->ns)
        return;
    first = r->next[from];
    for (v = first; v < r->n && r->slot[v] < end; v++) {
        r->now[v] = jit_anything;
        namers |= r->namers[v];
        r->namers[v] = 0;
    }
    forget_names(r, namers, first, v);
}

static bool
are_same(const struct jit_fact *f, uint32_t a, uint32_t b)
{
    return a == b || f[a].same == b || f[b].same == a ||
        (f[a].same != NONE && f[a].same == f[b].same);
}

/* Whether what is in a is less than what is in b, with signs. */
static bool
is_less(const struct jit_fact *f, uint32_t a, uint32_t b)
{
    return f[a].hi < f[b].lo ||
        (f[a].below != NONE && are_same(f, f[a].below, b));
}

/* a < b, or a <= b; false: it cannot be. */
static bool
learn_less(struct ranges *r, struct jit_fact *f, uint32_t a, uint32_t b,
    bool less)
{
    int64_t one = less ? 1 : 0;

    if (a == b)
        return !less;
    if (less && (f[b].hi == INT64_MIN || f[a].lo == INT64_MAX))
        return false;
    if (f[a].hi > f[b].hi - one)
        f[a].hi = f[b].hi - one;
    if (f[b].lo < f[a].lo + one)
        f[b].lo = f[a].lo + one;
    if (less) {
        /* Copies may be dead where this is asked for. */
        uint16_t first = f[b].same == NONE || f[b].same == a ? (uint16_t)b
                                                             : f[b].same;
        f[a].below = first;
        name(r, a, first);
    }
    return jit_is_possible(f[a]) && jit_is_possible(f[b]);
}

static bool
learn_equal(struct jit_fact *f, uint32_t a, uint32_t b)
{
    int64_t lo = f[a].lo > f[b].lo ? f[a].lo : f[b].lo;
    int64_t hi = f[a].hi < f[b].hi ? f[a].hi : f[b].hi;

    f[a].lo = f[b].lo = lo;
    f[a].hi = f[b].hi = hi;
    return lo <= hi;
}

/* It is at least lo and at most hi. */
static bool
learn_between(struct jit_fact *f, uint32_t a, int64_t lo, int64_t hi)
{
    if (f[a].lo < lo)
        f[a].lo = lo;
    if (f[a].hi > hi)
        f[a].hi = hi;
    return jit_is_possible(f[a]);
}

/* a < b without signs, or a <= b: what is below what is not negative is not
 * negative either. */
static bool
learn_below(struct ranges *r, struct jit_fact *f, uint32_t a, uint32_t b,
    bool less)
{
    return f[b].lo < 0 || (learn_less(r, f, a, b, less) &&
                              learn_between(f, a, 0, INT64_MAX));
}

/* ---- conditions --------------------------------------------------------- */

/* As opcode.def orders jumps by two slots, and those by a slot and a number. */
enum test { EQ, NE, LT, LE, ULT, ULE };
enum test_i { EQI, NEI, LTI, LEI, GTI, GEI };

static bool
learn_test(struct ranges *r, struct jit_fact *f, enum test t, uint32_t a,
    uint32_t b, bool holds)
{
    switch (t) {
    case EQ:
    case NE:
        return holds != (t == EQ) || a == b || learn_equal(f, a, b);
    case LT:
    case LE:
        return holds ? learn_less(r, f, a, b, t == LT)
                     : learn_less(r, f, b, a, t == LE);
    default:
        return holds ? learn_below(r, f, a, b, t == ULT)
                     : learn_below(r, f, b, a, t == ULE);
    }
}

static bool
learn_test_i(
    struct jit_fact *f, enum test_i t, uint32_t a, int64_t v, bool holds)
{
    switch (t) {
    case EQI:
    case NEI:
        return holds != (t == EQI) || learn_between(f, a, v, v);
    case LTI:
    case GEI:
        return holds == (t == LTI) ? learn_between(f, a, INT64_MIN, v - 1)
                                   : learn_between(f, a, v, INT64_MAX);
    default:
        return holds == (t == LEI) ? learn_between(f, a, INT64_MIN, v)
                                   : learn_between(f, a, v + 1, INT64_MAX);
    }
}

/* How a jump compares. */
enum compared { WITH_SLOT, WITH_NUMBER, NOT };

static enum compared
compares(unsigned op, unsigned *t)
{
    if (op >= OP_JEQ && op <= OP_LJULE) {
        *t = op - (op >= OP_LJEQ ? OP_LJEQ : OP_JEQ);
        return WITH_SLOT;
    }
    if (op >= OP_JEQI && op <= OP_LJGEI) {
        *t = op - (op >= OP_LJEQI ? OP_LJEQI : OP_JEQI);
        return WITH_NUMBER;
    }
    *t = op == OP_FORLT ? (unsigned)LT : (unsigned)LTI;
    return op == OP_FORLT ? WITH_SLOT : op == OP_FORLTI ? WITH_NUMBER : NOT;
}

/* What the jump x says if it jumps, or if not; false: it never does so. */
static bool
learn_jump(
    struct ranges *r, struct jit_fact *f, const struct jit_ins *x, bool jumps)
{
    const struct code_ins *w = x->w;
    unsigned t;
    enum compared with = compares(w->op, &t);

    if (with == NOT || r->var[w->a] == NONE)
        return true;
    if (with == WITH_NUMBER)
        return learn_test_i(f, (enum test_i)t, r->var[w->a], (int16_t)w->b,
            jumps);
    return r->var[w->b] == NONE ||
        learn_test(r, f, (enum test)t, r->var[w->a], r->var[w->b], jumps);
}

/* ---- operations --------------------------------------------------------- */

/* The slots from whose numbers that follows which w assigns; how many. */
static unsigned
sources(const struct code_ins *w, uint32_t of[2])
{
    of[0] = w->b;
    of[1] = w->c;
    switch (w->op) {
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
        return 1;
    case OP_FORLT:
    case OP_FORLTI:
        of[0] = w->a;
        return 1;
    default:
        return 0;
    }
}

/* What x assigns to its first slot, where that is one number. */
static struct jit_fact
result(const struct ranges *r, const struct jit_ins *x)
{
    uint32_t of[2];
    unsigned n = sources(x->w, of);

    return jit_fact_of(x->w, n > 0 ? fact_of(r, of[0]) : jit_anything,
        n > 1 ? fact_of(r, of[1]) : jit_anything);
}

/* A slot is the same as another behind it. */
static void
move(struct ranges *r, uint32_t to, uint32_t from)
{
    uint16_t v = r->var[to], of = r->var[from];
    struct jit_fact f = fact_of(r, from);

    if (v == NONE || v == of)
        return;
    if (f.below == v)
        f.below = NONE;
    f.same = of;
    assign(r, v, f);
}

/* The slots of an index and the length it must be below. */
static bool
is_element(const struct jit_ins *x, uint32_t *index, uint32_t *len)
{
    const struct code_ins *w = x->w;

    if (w->op < OP_LDX8U || w->op > OP_XADDR)
        return false;
    *index = w->c;
    *len = w->b + 1u;
    return true;
}

/* Behind an access its index is known to be one; false: it always fails. */
static bool
learn_index(struct ranges *r, const struct jit_ins *x)
{
    struct jit_fact *f = r->now;
    uint32_t index, len;

    if (is_element(x, &index, &len)) {
        index = r->var[index];
        len = r->var[len];
        return index == NONE || len == NONE ||
            (learn_between(f, len, 0, INT64_MAX) &&
                learn_less(r, f, index, len, true) &&
                learn_between(f, index, 0, INT64_MAX));
    }
    index = x->w[0].op == OP_CHKIDX ? r->var[x->w[0].a] : NONE;
    return index == NONE ||
        learn_between(f, index, 0, (int64_t)x->w[0].imm - 1);
}

/* A slice is made: its length is the number that it was made with. */
static void
learn_length(struct ranges *r, const struct code_ins *w)
{
    uint16_t len = r->var[w->b], of = r->var[w->a + 1u];

    if (len == NONE || of == NONE || (w->b >= w->a && w->b < w->a + 3u))
        return;
    r->now[of].same = len;
    name(r, of, len);
}

/* From before x to behind it, if it does not fail. */
static void
step(struct ranges *r, const struct jit_ins *x)
{
    struct jit_fn *c = r->c;
    const struct jit_opnd *o = c->op + x->ops;
    const struct code_ins *w = x->w;
    uint32_t from, kept;

    if (w->op == OP_MOV) {
        move(r, w->a, w->b);
        return;
    }
    struct jit_fact f = result(r, x);
    if (jit_lost(c, x, &from, &kept)) {
        forget(r, from, from + 2);
        forget(r, from + 2 + kept, c->ns);
    }
    for (uint32_t i = 0; i < x->nops; i++)
        if (o[i].def && r->var[o[i].slot] != NONE)
            assign(r, r->var[o[i].slot],
                o[i].slot == w->a && jit_is_possible(f) ? f : jit_anything);
    if (w->op == OP_MAKESLICE)
        learn_length(r, w);
}

/* ---- ways --------------------------------------------------------------- */

/* The numbers that the function compares with, and their neighbours, where
 * intervals stop to grow. */
static void
find_steps(struct ranges *r)
{
    struct jit_fn *c = r->c;

    for (int32_t k = 0; k < c->n && r->nsteps + 2 <= STEPS; k++) {
        const struct code_ins *w = c->v[k].w;

        if ((w->op >= OP_JEQI && w->op <= OP_LJGEI) || w->op == OP_FORLTI) {
            r->step[r->nsteps++] = (int16_t)w->b - 1;
            r->step[r->nsteps++] = (int16_t)w->b;
        }
    }
}

static int64_t
grow_up(const struct ranges *r, int64_t hi)
{
    static const int64_t far[] = {(int64_t)1 << 31, (int64_t)1 << 62,
        INT64_MAX - 1, INT64_MAX};
    int64_t to = INT64_MAX;

    for (unsigned i = 0; i < sizeof far / sizeof far[0]; i++)
        if (far[i] >= hi && far[i] < to)
            to = far[i];
    for (uint32_t i = 0; i < r->nsteps; i++)
        if (r->step[i] >= hi && r->step[i] < to)
            to = r->step[i];
    return to;
}

static int64_t
grow_down(const struct ranges *r, int64_t lo)
{
    static const int64_t far[] = {0, -1, INT32_MIN, INT64_MIN};
    int64_t to = INT64_MIN;

    for (unsigned i = 0; i < sizeof far / sizeof far[0]; i++)
        if (far[i] <= lo && far[i] > to)
            to = far[i];
    for (uint32_t i = 0; i < r->nsteps; i++)
        if (r->step[i] <= lo && r->step[i] > to)
            to = r->step[i];
    return to;
}

/* What is true of f, too, is left of what was; whether that is less. */
static bool
meet(const struct ranges *r, struct jit_fact *was, const struct jit_fact *f)
{
    struct jit_fact n = *was;

    if (f->lo == n.lo && f->hi == n.hi && f->below == n.below &&
        f->same == n.same)
        return false;
    if (f->lo < n.lo)
        n.lo = grow_down(r, f->lo);
    if (f->hi > n.hi)
        n.hi = grow_up(r, f->hi);
    if (n.below != f->below)
        n.below = NONE;
    if (n.same != f->same)
        n.same = NONE;
    bool changed = n.lo != was->lo || n.hi != was->hi ||
        n.below != was->below || n.same != was->same;
    *was = n;
    return changed;
}

/* f holds on a way to instruction `to`, where a block may begin. */
static void
arrive(struct ranges *r, int32_t to, const struct jit_fact *f)
{
    int32_t b = r->c->lead[to];

    if (b < 0 || to > r->last)
        return;
    struct jit_fact *at = r->at + (size_t)b * r->n;
    const uint64_t *live = jit_live(r->c, to);
    for (uint32_t v = 0; v < r->n && !r->seen[b]; v++)
        at[v] = jit_anything; /* if it is not live nobody will ask */
    for (uint32_t w = 0; w < r->c->words; w++)
        for (uint64_t s = live[w] & r->slots[w]; s != 0; s &= s - 1) {
            uint32_t v = r->var[64 * w + (uint32_t)__builtin_ctzll(s)];

            if (!r->seen[b])
                at[v] = f[v];
            else
                r->changed[b] |= meet(r, &at[v], &f[v]);
        }
    r->changed[b] |= !r->seen[b];
    r->seen[b] = true;
}

static void
arrive_now(struct jit_fn *c, int32_t to, void *arg)
{
    struct ranges *r = arg;

    (void)c;
    arrive(r, to, r->now);
}

/* What now holds, on the ways that lead on from x; false: none leads to what
 * follows in order. */
static bool
go_on(struct ranges *r, const struct jit_ins *x)
{
    struct jit_fn *c = r->c;

    unsigned t;

    if (x->nsucc != 2 || x->w[0].op == OP_SWITCH || !x->falls ||
        x->succ[0] == x->succ[1] || compares(x->w[0].op, &t) == NOT ||
        r->var[x->w[0].a] == NONE) {
        if (!jit_goes_on(c, x))
            jit_each_succ(c, x, arrive_now, r);
        return x->falls;
    }
    memcpy(r->jumps, r->now, r->n * sizeof *r->now);
    if (learn_jump(r, r->jumps, x, true) && x->succ[1] < c->n)
        arrive(r, x->succ[1], r->jumps);
    if (!learn_jump(r, r->now, x, false))
        return false;
    if (x->succ[0] < c->n)
        arrive(r, x->succ[0], r->now);
    return true;
}

static bool
is_division(unsigned op)
{
    return op == OP_DIVI || op == OP_REMI || op == OP_DIV || op == OP_REM;
}

/* What the instruction need not look for. */
static void
mark(const struct ranges *r, struct jit_ins *x)
{
    const struct code_ins *w = x->w;
    uint32_t index, len;

    if (is_element(x, &index, &len)) {
        index = r->var[index];
        len = r->var[len];
        x->in_range = index != NONE && len != NONE && r->now[index].lo >= 0 &&
            is_less(r->now, index, len);
    } else if (w->op == OP_CHKIDX) {
        x->in_range =
            fact_of(r, w->a).lo >= 0 && fact_of(r, w->a).hi < w->imm;
    } else if (is_division(w->op)) {
        x->natural = fact_of(r, w->b).lo >= 0;
    }
}

/* What holds where block b begins holds now. */
static void
take(struct ranges *r, uint32_t b)
{
    const struct jit_fact *at = r->at + (size_t)b * r->n;

    for (uint32_t v = 0; v < r->n; v++) {
        r->now[v] = at[v];
        name(r, v, at[v].below);
        name(r, v, at[v].same);
    }
}

/* Walks a block that some way leads to, as far as ways lead. */
static void
walk(struct ranges *r, uint32_t b, bool marks)
{
    struct jit_fn *c = r->c;

    rt_assert(r->seen[b] && c->v[c->block[b]].reached);
    take(r, b);
    for (uint32_t i = r->first[b]; i < r->first[b + 1]; i++) {
        struct jit_ins *x = &c->v[r->act[i]];

        rt_assert_full(names_valid(r));
        if (marks)
            mark(r, x);
        if (!learn_index(r, x))
            return;
        step(r, x);
        if (!go_on(r, x))
            return;
    }
}

/* Walks the blocks where something has changed; whether there was one. */
static bool
walk_changed(struct ranges *r)
{
    bool any = false;

    for (uint32_t b = 0; b < r->c->nblocks; b++) {
        if (!r->changed[b])
            continue;
        r->changed[b] = false;
        walk(r, b, false);
        any = true;
    }
    return any;
}

/* Whether walk() has anything to do at instruction k.  Of those that it passes
 * by none is an access or division whose operands are variables, none assigns a
 * variable, and each leads to the next one, which begins no block. */
static bool
acts(const struct ranges *r, int32_t k)
{
    struct jit_fn *c = r->c;
    const struct jit_ins *x = &c->v[k];
    const struct jit_opnd *o = c->op + x->ops;
    uint32_t index, len;

    if (x->loses || x->nsucc != 1 || !x->falls || k + 1 == c->n ||
        c->lead[k + 1] >= 0 || x->w[0].op == OP_SWITCH)
        return true;
    for (uint32_t i = 0; i < x->nops; i++)
        if (o[i].def && r->var[o[i].slot] != NONE)
            return true;
    if (is_element(x, &index, &len))
        return r->var[index] != NONE && r->var[len] != NONE;
    if (x->w[0].op == OP_CHKIDX)
        return r->var[x->w[0].a] != NONE;
    return is_division(x->w[0].op) && r->var[x->w[0].b] != NONE;
}

static void
find_acts(struct ranges *r)
{
    struct jit_fn *c = r->c;
    uint32_t n = 0;

    for (uint32_t b = 0; b < c->nblocks; b++) {
        r->first[b] = n;
        for (int32_t k = c->block[b]; k < c->block[b + 1]; k++)
            if (acts(r, k))
                r->act[n++] = k;
    }
    r->first[c->nblocks] = n;
}

/* Behind this instruction none is marked, and no way leads back. */
static int32_t
find_last(const struct jit_fn *c)
{
    int32_t last = 0;
    uint32_t index, len;

    for (int32_t k = 0; k < c->n; k++) {
        const struct jit_ins *x = &c->v[k];
        bool asks = is_element(x, &index, &len) ||
            x->w[0].op == OP_CHKIDX || is_division(x->w[0].op);

        for (unsigned i = 0; i < x->nsucc; i++)
            asks |= x->succ[i] <= last;
        if (asks)
            last = k;
    }
    return last;
}

/* All that begins with nothing known: the function, and where it goes on after
 * a panic. */
static void
begin(struct ranges *r)
{
    for (uint32_t v = 0; v < r->n; v++)
        r->now[v] = jit_anything;
    for (uint32_t b = 0; b < r->c->nblocks; b++)
        if (b == 0 || r->c->v[r->c->block[b]].resumes)
            arrive(r, r->c->block[b], r->now);
}

/* ---- variables ---------------------------------------------------------- */

/* Of a slot that is always in memory nothing is found out. */
static bool
add_variable(struct ranges *r, uint32_t slot)
{
    if (r->c->pinned[slot] || r->var[slot] != NONE)
        return false;
    r->var[slot] = 0; /* its number follows */
    return true;
}

/* Of each of two slots something follows for the other one. */
static bool
add_both(struct ranges *r, uint32_t a, uint32_t b)
{
    if (r->var[a] == NONE && r->var[b] == NONE)
        return false;
    bool first = add_variable(r, a);
    return add_variable(r, b) || first;
}

/* The slots from which something follows for what x assigns or compares, if
 * that is a variable; whether there was one more. */
static bool
add_sources(struct ranges *r, const struct jit_ins *x)
{
    const struct code_ins *w = x->w;
    bool more = false;
    uint32_t of[2];
    unsigned n = sources(w, of), t;

    for (unsigned i = 0; i < n; i++)
        more |= r->var[w->a] != NONE && add_variable(r, of[i]);
    if (w->op == OP_MAKESLICE)
        more |= r->var[w->a + 1u] != NONE && add_variable(r, w->b);
    if (compares(w->op, &t) == WITH_SLOT)
        more |= add_both(r, w->a, w->b);
    return more;
}

/* The slots that x asks for itself, if it is in a loop: elsewhere it would not
 * be worth the work. */
static bool
add_asked(struct ranges *r, const struct jit_ins *x)
{
    uint32_t index, len;
    bool first;

    if (x->depth == 0 || x->kind != JIT_NATIVE || !x->reached)
        return false;
    if (is_element(x, &index, &len)) {
        first = add_variable(r, index);
        return add_variable(r, len) || first;
    }
    if (x->w[0].op == OP_CHKIDX)
        return add_variable(r, x->w[0].a);
    return is_division(x->w[0].op) && add_variable(r, x->w[0].b);
}

/* Which slots are variables; false: none is. */
static bool
find_variables(struct ranges *r)
{
    struct jit_fn *c = r->c;
    bool more = false;

    for (uint32_t s = 0; s < c->ns; s++)
        r->var[s] = NONE;
    for (int32_t k = 0; k < c->n; k++)
        more |= add_asked(r, &c->v[k]);
    if (!more)
        return false;
    while (more) {
        more = false;
        for (int32_t k = c->n - 1; k >= 0; k--)
            more |= add_sources(r, &c->v[k]);
    }
    for (uint32_t s = 0; s < c->ns; s++) {
        r->next[s] = (uint16_t)r->n;
        if (r->var[s] == NONE)
            continue;
        rt_bit_set(r->slots, s);
        r->var[s] = (uint16_t)r->n;
        r->slot[r->n++] = (uint16_t)s;
    }
    return true;
}

bool
jit_ranges(struct jit_fn *c)
{
    struct ranges r = {.c = c};
    unsigned pass = 0;

    r.var = jit_room(c, c->ns, sizeof *r.var);
    r.next = jit_room(c, c->ns, sizeof *r.next);
    r.slot = jit_room(c, c->ns, sizeof *r.slot);
    r.slots = jit_alloc(c, c->words, sizeof *r.slots);
    if (c->failed)
        return false;
    if (!find_variables(&r) || (size_t)c->nblocks * r.n > FACTS)
        return true;
    r.at = jit_room(c, (size_t)c->nblocks * r.n, sizeof *r.at);
    r.act = jit_room(c, (size_t)c->n, sizeof *r.act);
    r.first = jit_room(c, (size_t)c->nblocks + 1, sizeof *r.first);
    r.seen = jit_alloc(c, c->nblocks, sizeof *r.seen);
    r.changed = jit_alloc(c, c->nblocks, sizeof *r.changed);
    r.now = jit_room(c, r.n, sizeof *r.now);
    r.jumps = jit_room(c, r.n, sizeof *r.jumps);
    r.namers = jit_alloc(c, r.n, sizeof *r.namers);
    if (c->failed)
        return false;
    find_steps(&r);
    find_acts(&r);
    r.last = find_last(c);
    begin(&r);
    while (walk_changed(&r))
        if (++pass == PASSES)
            return true;
    /* Nothing changes any more: what has been found holds. */
    for (uint32_t b = 0; b < c->nblocks; b++)
        if (r.seen[b])
            walk(&r, b, true);
    return true;
}
