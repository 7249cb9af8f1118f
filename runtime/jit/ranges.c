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
 * Most slots say nothing of any index or division.  Only variables have an
 * entry: see variables.c.
 *
 * It says of a division that what is divided is not negative, and of an
 * element that its index is one.  Slots are as the interpreter has them: what
 * is found holds wherever machine code is entered.
 */
#include "runtime/jit/jit_int.h"

#include <string.h>

#include "runtime/code/opinfo.h"
#include "runtime/jit/fact.h"
#include "runtime/jit/ranges.h"

enum {
    PASSES = 24,     /* of walks; then nothing is known */
    STEPS = 12,      /* numbers that the function compares with, at most */
    FACTS = 1 << 16, /* of all blocks together, at most */
    NONE = JIT_NO_VARIABLE
};

struct ranges {
    struct jit_fn *c;
    struct jit_variables v;
    uint32_t words;   /* of a set of variables */
    struct jit_act *act; /* jit_find_acts(), and the others */
    uint32_t *first;
    int32_t last;
    struct jit_fact *at;  /* by block and variable, of those in `knows` */
    uint64_t *knows;  /* by block: the set of variables of which something is
                         known where it begins */
    bool *seen;       /* by block: some way leads there */
    bool *changed;    /* by block: it has to be walked again */
    struct jit_fact *now; /* by variable, in the walk */
    uint64_t *namers;   /* by variable: whose facts, of now, may have it as
                           below or same, so that assign() has to look there:
                           the set of their numbers modulo 64 */
    uint64_t *known;    /* the set of variables of which something may be known
                           now, or which may be named.  It is few of them, most
                           often: so nobody looks at all */
    int64_t step[STEPS];
    uint32_t nsteps;
};

/* ---- what is known of variables ----------------------------------------- */

/* Of a slot, which need not be one. */
static struct jit_fact
fact_of(const struct ranges *r, uint32_t slot)
{
    return r->v.var[slot] == NONE ? jit_anything : r->now[r->v.var[slot]];
}

/* Something may be found out of variable v. */
static inline void
know(struct ranges *r, uint32_t v)
{
    rt_bit_set(r->known, v);
}

/* The fact of variable v has another one as below or same, if it is one. */
static inline void
name(struct ranges *r, uint32_t v, uint16_t other)
{
    if (other == NONE)
        return;
    r->namers[other] |= (uint64_t)1 << v % 64;
    know(r, other);
}

static bool
is_anything(const struct jit_fact *f)
{
    return f->lo == INT64_MIN && f->hi == INT64_MAX &&
        (f->below & f->same) == NONE;
}

/* Whether what the facts say of others is known there; for assertions. */
static bool
names_valid(const struct ranges *r)
{
    for (uint32_t v = 0; v < r->v.n; v++) {
        const struct jit_fact *f = &r->now[v];
        uint64_t is = (uint64_t)1 << v % 64;

        if (!rt_bit_get(r->known, v) && (!is_anything(f) || r->namers[v] != 0))
            return false;
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
        for (uint32_t i = (uint32_t)__builtin_ctzll(namers); i < r->v.n;
             i += 64) {
            struct jit_fact *f = &r->now[i];

            if (f->below >= v && f->below < end)
                f->below = NONE;
            if (f->same >= v && f->same < end)
                f->same = NONE;
        }
}

/* The variable v is assigned something of which nothing is known. */
static void
clear(struct ranges *r, uint32_t v)
{
    rt_assert(v < r->v.n);
    if (!rt_bit_get(r->known, v))
        return;
    forget_names(r, r->namers[v], v, v + 1);
    r->namers[v] = 0;
    r->now[v] = jit_anything;
    rt_bit_clear(r->known, v);
}

/* Likewise something new, of which only f is known. */
static void
assign(struct ranges *r, uint32_t v, struct jit_fact f)
{
    rt_assert(v < r->v.n && f.below != v && f.same != v);
    clear(r, v);
    if (is_anything(&f))
        return;
    r->now[v] = f;
    know(r, v);
    name(r, v, f.below);
    name(r, v, f.same);
}

/* Nothing is known of slots from `from` to before `end`. */
static void
forget(struct ranges *r, uint32_t from, uint32_t end)
{
    uint64_t namers = 0;
    uint32_t first, last;

    if (from >= r->c->ns)
        return;
    first = r->v.next[from];
    last = end < r->c->ns ? r->v.next[end] : r->v.n;
    for (uint32_t w = first / 64; 64 * w < last; w++) {
        uint64_t set = r->known[w] & rt_bits_within(w, first, last);

        r->known[w] &= ~set;
        for (; set != 0; set &= set - 1) {
            uint32_t v = 64 * w + (uint32_t)__builtin_ctzll(set);

            r->now[v] = jit_anything;
            namers |= r->namers[v];
            r->namers[v] = 0;
        }
    }
    forget_names(r, namers, first, last);
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

/* What a jump that compares these variables (b may be none) says if it jumps,
 * or if not, of the first one also of what it is a copy of; false: it never does
 * so. */
static bool
learn_jump(struct ranges *r, const struct jit_ins *x, uint16_t a, uint16_t b,
    bool jumps)
{
    const struct jit_numbers *g = jit_numbers_of(r->c, x);

    if (g->compares != JIT_WITH_NUMBER)
        return b == NONE ||
            learn_test(r, r->now, (enum test)g->test, a, b, jumps);
    enum test_i t = (enum test_i)g->test;
    int64_t n = (int16_t)x->w[0].b;
    uint16_t of = r->now[a].same;
    return learn_test_i(r->now, t, a, n, jumps) &&
        (of == NONE || learn_test_i(r->now, t, of, n, jumps));
}

/* ---- operations --------------------------------------------------------- */

/* What x assigns to slot a, of which it may say something. */
static struct jit_fact
result(const struct ranges *r, const struct jit_ins *x)
{
    uint32_t of[2];
    unsigned n = jit_range_sources(jit_numbers_of(r->c, x), x->w, of);

    return jit_fact_of(x->w, n > 0 ? fact_of(r, of[0]) : jit_anything,
        n > 1 ? fact_of(r, of[1]) : jit_anything);
}

/* Variable v is the same as what is in slot `from`. */
static void
move(struct ranges *r, uint16_t v, uint32_t from)
{
    uint16_t of = r->v.var[from];
    struct jit_fact f;

    if (v == of)
        return;
    f = fact_of(r, from);
    if (f.below == v)
        f.below = NONE;
    f.same = of;
    assign(r, v, f);
}

/* Behind an access its index is known to be one; false: it always fails. */
static bool
learn_index(struct ranges *r, const struct jit_ins *x)
{
    const struct code_ins *w = x->w;
    struct jit_fact *f = r->now;
    uint32_t index, len;

    switch ((enum jit_asks)jit_numbers_of(r->c, x)->asks) {
    case JIT_ASKS_ELEMENT:
        index = r->v.var[w->c];
        len = r->v.var[w->b + 1u];
        know(r, index);
        know(r, len);
        return learn_between(f, len, 0, INT64_MAX) &&
            learn_less(r, f, index, len, true) &&
            learn_between(f, index, 0, INT64_MAX);
    case JIT_ASKS_INDEX:
        index = r->v.var[w->a];
        know(r, index);
        return learn_between(f, index, 0, (int64_t)w->imm - 1);
    default:
        return true;
    }
}

/* A slice is made: its length is the number that it was made with. */
static void
learn_length(struct ranges *r, const struct code_ins *w)
{
    uint16_t len = r->v.var[w->b], of = r->v.var[w->a + 1u];

    if (len == NONE || of == NONE || (w->b >= w->a && w->b < w->a + 3u))
        return;
    r->now[of].same = len;
    know(r, of);
    name(r, of, len);
}

/* x assigns several variables, or loses something. */
static void
assign_all(struct ranges *r, const struct jit_ins *x)
{
    struct jit_fn *c = r->c;
    const struct jit_opnd *o = c->op + x->ops;
    uint32_t from, kept;

    rt_assert(!jit_numbers_of(c, x)->gives && x->w[0].op != OP_MOV);
    if (jit_lost(x, &from, &kept)) {
        forget(r, from, from + 2);
        forget(r, from + 2 + kept, c->ns);
    }
    for (uint32_t i = 0; i < x->nops; i++)
        if (o[i].def && r->v.var[o[i].slot] != NONE)
            clear(r, r->v.var[o[i].slot]);
    if (x->w[0].op == OP_MAKESLICE)
        learn_length(r, x->w);
}

/* From before x to behind it, if it does not fail. */
static void
step(struct ranges *r, const struct jit_act *a, const struct jit_ins *x)
{
    struct jit_fact f;

    switch ((enum jit_act_does)a->does) {
    case JIT_DOES_NOTHING:
        return;
    case JIT_MOVES:
        move(r, a->var, x->w[0].b);
        return;
    case JIT_GIVES:
        f = result(r, x);
        assign(r, a->var, jit_is_possible(f) ? f : jit_anything);
        return;
    case JIT_CLEARS:
        clear(r, a->var);
        return;
    case JIT_ASSIGNS:
        assign_all(r, x);
        return;
    }
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

/* Whether variable v, or a copy of it, is greater than that, by these facts, of
 * those that are known: v itself may be dead. */
static bool
is_above(const struct ranges *r, const struct jit_fact *f,
    const uint64_t *known, uint32_t v, int64_t n)
{
    if (rt_bit_get(known, v) && f[v].lo > n)
        return true;
    RT_EACH_BIT (u, known, r->v.n)
        if (f[u].same == v && f[u].lo > n)
            return true;
    return false;
}

/* What variable v is below on both of two ways, those that have led to where `at`
 * holds of what it knows, and the one that does now, if one of them says so: on the
 * other one it follows from the intervals, as where a loop over a slice, which is
 * not empty there, begins at 0. */
static uint16_t
below_on_both(const struct ranges *r, const struct jit_fact *at,
    const uint64_t *knows, uint32_t v)
{
    const struct jit_fact *was = &at[v], *f = &r->now[v];

    if (was->below != NONE &&
        is_above(r, r->now, r->known, was->below, f->hi))
        return was->below;
    if (f->below != NONE && is_above(r, at, knows, f->below, was->hi))
        return f->below;
    return NONE;
}

/* What is true of variable v now, too, is left of what was; whether that is
 * another thing. */
static inline bool
meet(const struct ranges *r, struct jit_fact *at, const uint64_t *knows,
    uint32_t v)
{
    const struct jit_fact *f = &r->now[v];
    struct jit_fact was = at[v], n = was;

    if (n.below != f->below)
        n.below = below_on_both(r, at, knows, v);
    if (f->lo < n.lo)
        n.lo = grow_down(r, f->lo);
    if (f->hi > n.hi)
        n.hi = grow_up(r, f->hi);
    if (n.same != f->same)
        n.same = NONE;
    at[v] = n;
    return n.lo != was.lo || n.hi != was.hi || n.below != was.below ||
        n.same != was.same;
}

/* The first way that leads to block b, where those slots are live: of others
 * nobody will ask. */
static void
arrive_first(struct ranges *r, uint32_t b, const uint64_t *live)
{
    struct jit_fact *at = r->at + (size_t)b * r->v.n;
    uint64_t *knows = r->knows + (size_t)b * r->words;

    for (uint32_t w = 0; w < r->words; w++) {
        uint64_t set = 0;

        for (uint64_t s = r->known[w]; s != 0; s &= s - 1) {
            uint32_t v = 64 * w + (uint32_t)__builtin_ctzll(s);

            if (is_anything(&r->now[v]) || !rt_bit_get(live, r->v.slot[v]))
                continue;
            at[v] = r->now[v];
            set |= s & -s;
        }
        knows[w] = set;
    }
    r->seen[b] = r->changed[b] = true;
}

/* What now holds does so on a way to instruction `to`, where a block may
 * begin. */
static void
arrive(struct ranges *r, int32_t to)
{
    int32_t b = r->c->lead[to];

    if (b < 0 || to > r->last)
        return;
    if (!r->seen[b]) {
        arrive_first(r, (uint32_t)b, jit_live(r->c, to));
        return;
    }
    struct jit_fact *at = r->at + (size_t)b * r->v.n;
    uint64_t *knows = r->knows + (size_t)b * r->words;
    bool changed = false;
    for (uint32_t w = 0; w < r->words; w++)
        for (uint64_t s = knows[w]; s != 0; s &= s - 1) {
            uint32_t v = 64 * w + (uint32_t)__builtin_ctzll(s);

            if (!meet(r, at, knows, v))
                continue;
            changed = true;
            if (is_anything(&at[v]))
                knows[w] &= ~(s & -s);
        }
    r->changed[b] |= changed;
}

static void
arrive_now(struct jit_fn *c, int32_t to, void *arg)
{
    struct ranges *r = arg;

    (void)c;
    arrive(r, to);
}

/* What now holds, on the ways that lead on from x; false: none leads to what
 * follows in order. */
static bool
go_on(struct ranges *r, const struct jit_ins *x)
{
    struct jit_fn *c = r->c;
    const struct code_ins *w = x->w;
    unsigned with = JIT_NO_TEST;

    if (x->nsucc == 2 && x->falls && x->succ[0] != x->succ[1])
        with = jit_numbers_of(c, x)->compares;
    if (with == JIT_NO_TEST || r->v.var[w->a] == NONE) {
        if (!jit_goes_on(c, x))
            jit_each_succ(c, x, arrive_now, r);
        return x->falls;
    }
    /* What jumping says is said of what is compared only. */
    uint16_t a = r->v.var[w->a];
    uint16_t b = with == JIT_WITH_SLOT ? r->v.var[w->b] : NONE;
    uint16_t of = r->now[a].same == NONE ? a : r->now[a].same;
    struct jit_fact was_a = r->now[a], was_b = r->now[b == NONE ? a : b],
                    was_of = r->now[of];
    know(r, a);
    know(r, of);
    if (b != NONE)
        know(r, b);
    if (learn_jump(r, x, a, b, true) && x->succ[1] < c->n)
        arrive(r, x->succ[1]);
    r->now[b == NONE ? a : b] = was_b;
    r->now[of] = was_of;
    r->now[a] = was_a;
    if (!learn_jump(r, x, a, b, false))
        return false;
    if (x->succ[0] < c->n)
        arrive(r, x->succ[0]);
    return true;
}

/* What the instruction, which asks of variables, need not look for. */
static void
mark(const struct ranges *r, struct jit_ins *x)
{
    const struct code_ins *w = x->w;
    const struct jit_fact *f;

    switch ((enum jit_asks)jit_numbers_of(r->c, x)->asks) {
    case JIT_ASKS_ELEMENT:
        f = &r->now[r->v.var[w->c]];
        x->in_range = f->lo >= 0 &&
            is_less(r->now, r->v.var[w->c], r->v.var[w->b + 1u]);
        break;
    case JIT_ASKS_INDEX:
        f = &r->now[r->v.var[w->a]];
        x->in_range = f->lo >= 0 && f->hi < w->imm;
        break;
    default:
        x->natural = r->now[r->v.var[w->b]].lo >= 0;
        break;
    }
}

/* What holds where block b begins holds now. */
static void
take(struct ranges *r, uint32_t b)
{
    const struct jit_fact *at = r->at + (size_t)b * r->v.n;
    const uint64_t *knows = r->knows + (size_t)b * r->words;

    for (uint32_t w = 0; w < r->words; w++) {
        for (uint64_t s = r->known[w]; s != 0; s &= s - 1) {
            uint32_t v = 64 * w + (uint32_t)__builtin_ctzll(s);

            r->now[v] = jit_anything;
            r->namers[v] = 0;
        }
        r->known[w] = 0;
    }
    for (uint32_t w = 0; w < r->words; w++) {
        r->known[w] |= knows[w]; /* some may be named already */
        for (uint64_t s = knows[w]; s != 0; s &= s - 1) {
            uint32_t v = 64 * w + (uint32_t)__builtin_ctzll(s);

            r->now[v] = at[v];
            name(r, v, at[v].below);
            name(r, v, at[v].same);
        }
    }
}

/* Walks a block that some way leads to, as far as ways lead, and marks its
 * instructions: what holds at last where it begins is what it is walked with
 * last. */
static void
walk(struct ranges *r, uint32_t b)
{
    struct jit_fn *c = r->c;

    rt_assert(r->seen[b] && c->v[c->block[b]].reached);
    take(r, b);
    for (uint32_t i = r->first[b]; i < r->first[b + 1]; i++) {
        const struct jit_act *a = &r->act[i];
        struct jit_ins *x = &c->v[a->k];

        rt_assert_full(names_valid(r));
        if (a->asks) {
            mark(r, x);
            if (!learn_index(r, x))
                return;
        }
        step(r, a, x);
        if (a->leads && !go_on(r, x))
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
        walk(r, b);
        any = true;
    }
    return any;
}

/* All that begins with nothing known: the function, and where it goes on after
 * a panic. */
static void
begin(struct ranges *r)
{
    for (uint32_t v = 0; v < r->v.n; v++)
        r->now[v] = jit_anything;
    for (uint32_t b = 0; b < r->c->nblocks; b++)
        if (b == 0 || r->c->v[r->c->block[b]].resumes)
            arrive(r, r->c->block[b]);
}

/* What has been found need not hold. */
static void
forget_marks(struct jit_fn *c)
{
    for (int32_t k = 0; k < c->n; k++)
        c->v[k].in_range = c->v[k].natural = false;
}

bool
jit_ranges(struct jit_fn *c)
{
    struct ranges r = {.c = c};
    unsigned pass = 0;

    if (!jit_find_variables(c, &r.v))
        return !c->failed;
    if ((size_t)c->nblocks * r.v.n > FACTS)
        return true;
    r.at = jit_room(c, (size_t)c->nblocks * r.v.n, sizeof *r.at);
    r.act = jit_room(c, (size_t)c->n, sizeof *r.act);
    r.first = jit_room(c, (size_t)c->nblocks + 1, sizeof *r.first);
    r.seen = jit_alloc(c, c->nblocks, sizeof *r.seen);
    r.changed = jit_alloc(c, c->nblocks, sizeof *r.changed);
    r.words = (r.v.n + 63) / 64;
    r.knows = jit_room(c, (size_t)c->nblocks * r.words, sizeof *r.knows);
    r.known = jit_alloc(c, r.words, sizeof *r.known);
    r.now = jit_room(c, r.v.n, sizeof *r.now);
    r.namers = jit_alloc(c, r.v.n, sizeof *r.namers);
    if (c->failed)
        return false;
    find_steps(&r);
    jit_find_acts(c, &r.v, r.act, r.first, &r.last);
    begin(&r);
    while (walk_changed(&r))
        if (++pass == PASSES) {
            forget_marks(c);
            break;
        }
    return true;
}
