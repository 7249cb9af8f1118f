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
 * entry, and what is done about them is worked out before the walk: see
 * variables.c.
 *
 * It says of a division that what is divided is not negative, and of an
 * element that its index is one.  Slots are as the interpreter has them: what
 * is found holds wherever machine code is entered.
 */
#include "runtime/jit/fact.h"
#include "runtime/jit/ranges.h"

enum {
    PASSES = 24,     /* of walks; then nothing is known */
    STEPS = 12,      /* numbers that the function compares with, at most */
    FACTS = 1 << 16, /* of all blocks together, at most */
    NONE = JIT_NO_VARIABLE,
    NO_BLOCK = UINT32_MAX
};

struct fact {
    int64_t lo, hi; /* as in struct jit_interval */
    union {
        struct {
            uint16_t below; /* a variable whose number is greater; NONE: none is
                               known */
            uint16_t same; /* one whose number is the same; likewise */
        };
        uint32_t others; /* both */
    };
};

struct ranges {
    struct jit_fn *c;
    struct jit_variables v;
    struct jit_acts acts;
    uint32_t words;   /* of a set of variables */
    uint32_t nblocks; /* blocks from here on need not be walked */
    struct fact *at;  /* by block and variable, of those in `knows` */
    uint64_t *knows;  /* by block: the set of variables of which something is
                         known where it begins */
    bool *seen;       /* by block: some way leads there */
    uint64_t *changed; /* the set of blocks that have to be walked again */
    struct fact *now; /* by variable, in the walk, of those in `known`; behind
                         them, nothing is known */
    uint64_t *known;  /* the set of variables of which something may be known
                         now: of the others nobody looks for a fact.  It is few
                         of them, most often */
    uint64_t *named;  /* those that facts may have as below or same */
    uint64_t *namers; /* by variable, of those: whose facts may have it so: the
                         set of their numbers modulo 64 */
    uint32_t holds;   /* what is known now of what is live there is so where this
                         block begins; or NO_BLOCK */
    int32_t step[STEPS];
    uint32_t nsteps;
};

/* ---- what is known of variables ----------------------------------------- */

/* Nobody can foretell whether something is known. */
static inline struct fact *
fact_of(const struct ranges *r, uint32_t v)
{
    uint32_t unless = (uint32_t)rt_bit_get(r->known, v) - 1;

    return &r->now[v + ((r->v.n - v) & unless)];
}

/* Of what an instruction reads, which need not be a variable. */
static inline struct jit_interval
interval_of(const struct ranges *r, uint32_t v)
{
    if (v == NONE)
        return jit_any_number();
    const struct fact *f = fact_of(r, v);
    return (struct jit_interval){f->lo, f->hi};
}

/* Something may be found out of variable v. */
static inline void
know(struct ranges *r, uint32_t v)
{
    r->now[v] = *fact_of(r, v);
    rt_bit_set(r->known, v);
}

/* The fact of variable v has another one as below or same. */
static inline void
name(struct ranges *r, uint32_t v, uint32_t other)
{
    uint64_t was = rt_bit_get(r->named, other) ? r->namers[other] : 0;

    rt_bit_set(r->named, other);
    r->namers[other] = was | (uint64_t)1 << v % 64;
}

/* Likewise, if it is one. */
static inline void
name_both(struct ranges *r, uint32_t v, const struct fact *f)
{
    if (f->below != NONE)
        name(r, v, f->below);
    if (f->same != NONE)
        name(r, v, f->same);
}

static inline bool
is_anything(const struct fact *f)
{
    return f->lo == INT64_MIN && f->hi == INT64_MAX && f->others == UINT32_MAX;
}

static inline bool
is_possible(const struct fact *f)
{
    return f->lo <= f->hi;
}

static bool
is_named_by(const struct ranges *r, uint32_t v, uint32_t other)
{
    return other == NONE || (rt_bit_get(r->named, other) &&
                                (r->namers[other] >> v % 64 & 1) != 0);
}

/* Whether what the facts say of others is known there; for assertions. */
static bool
names_valid(const struct ranges *r)
{
    for (uint32_t v = 0; v < r->v.n; v++) {
        const struct fact *f = fact_of(r, v);

        if (!is_named_by(r, v, f->below) || !is_named_by(r, v, f->same))
            return false;
    }
    return is_anything(&r->now[r->v.n]);
}

/* No variable is below or the same as that one, which was named. */
static void
forget_name(struct ranges *r, uint32_t v)
{
    for (uint64_t s = r->namers[v]; s != 0; s &= s - 1)
        for (uint32_t i = (uint32_t)__builtin_ctzll(s); i < r->v.n; i += 64) {
            struct fact *f = &r->now[i]; /* who is not known, does no harm */

            if (f->below == v)
                f->below = NONE;
            if (f->same == v)
                f->same = NONE;
        }
}

/* These variables, in word w of their set, are assigned something of which nothing
 * is known. */
static inline void
forget_word(struct ranges *r, uint32_t w, uint64_t gone)
{
    uint64_t named = r->named[w] & gone;

    r->known[w] &= ~gone;
    if (named == 0)
        return;
    r->named[w] ^= named;
    for (; named != 0; named &= named - 1)
        forget_name(r, 64 * w + (uint32_t)__builtin_ctzll(named));
}

static inline void
forget(struct ranges *r, const uint64_t *gone)
{
    uint32_t w = 0;

    r->holds = NO_BLOCK;
    do /* most often there is one */
        forget_word(r, w, gone[w]);
    while (++w < r->words);
}

static bool
are_same(const struct ranges *r, uint32_t a, uint32_t b)
{
    const struct fact *f = fact_of(r, a), *g = fact_of(r, b);

    return a == b || f->same == b || g->same == a ||
        (f->same != NONE && f->same == g->same);
}

/* Whether what is in a is less than what is in b, with signs. */
static bool
is_less(const struct ranges *r, uint32_t a, uint32_t b)
{
    const struct fact *f = fact_of(r, a);

    return f->hi < fact_of(r, b)->lo ||
        (f->below != NONE && are_same(r, f->below, b));
}

/* a < b, or a <= b; false: it cannot be.  Here and below something may be known
 * of variables that are learned about: know(). */
static bool
learn_less(struct ranges *r, uint32_t a, uint32_t b, bool less)
{
    struct fact *f = &r->now[a], *g = &r->now[b];
    int64_t one = less ? 1 : 0;

    if (a == b)
        return !less;
    if (less && (g->hi == INT64_MIN || f->lo == INT64_MAX))
        return false;
    if (f->hi > g->hi - one)
        f->hi = g->hi - one;
    if (g->lo < f->lo + one)
        g->lo = f->lo + one;
    if (less) {
        /* Copies may be dead where this is asked for. */
        f->below = g->same == NONE || g->same == a ? (uint16_t)b : g->same;
        name(r, a, f->below);
    }
    return is_possible(f) && is_possible(g);
}

static bool
learn_equal(struct fact *f, struct fact *g)
{
    int64_t lo = f->lo > g->lo ? f->lo : g->lo;
    int64_t hi = f->hi < g->hi ? f->hi : g->hi;

    f->lo = g->lo = lo;
    f->hi = g->hi = hi;
    return lo <= hi;
}

/* It is at least lo and at most hi. */
static bool
learn_between(struct fact *f, int64_t lo, int64_t hi)
{
    if (f->lo < lo)
        f->lo = lo;
    if (f->hi > hi)
        f->hi = hi;
    return is_possible(f);
}

/* a < b without signs, or a <= b: what is below what is not negative is not
 * negative either. */
static bool
learn_below(struct ranges *r, uint32_t a, uint32_t b, bool less)
{
    return r->now[b].lo < 0 || (learn_less(r, a, b, less) &&
                                   learn_between(&r->now[a], 0, INT64_MAX));
}

/* ---- conditions --------------------------------------------------------- */

/* As opcode.def orders jumps by two slots, and those by a slot and a number. */
enum test { EQ, NE, LT, LE, ULT, ULE };
enum test_i { EQI, NEI, LTI, LEI, GTI, GEI };

static bool
learn_test(
    struct ranges *r, enum test t, uint32_t a, uint32_t b, bool holds)
{
    switch (t) {
    case EQ:
    case NE:
        return holds != (t == EQ) || a == b ||
            learn_equal(&r->now[a], &r->now[b]);
    case LT:
    case LE:
        return holds ? learn_less(r, a, b, t == LT)
                     : learn_less(r, b, a, t == LE);
    default:
        return holds ? learn_below(r, a, b, t == ULT)
                     : learn_below(r, b, a, t == ULE);
    }
}

static bool
learn_test_i(struct fact *f, enum test_i t, int64_t v, bool holds)
{
    switch (t) {
    case EQI:
    case NEI:
        return holds != (t == EQI) || learn_between(f, v, v);
    case LTI:
    case GEI:
        return holds == (t == LTI) ? learn_between(f, INT64_MIN, v - 1)
                                   : learn_between(f, v, INT64_MAX);
    default:
        return holds == (t == LEI) ? learn_between(f, INT64_MIN, v)
                                   : learn_between(f, v + 1, INT64_MAX);
    }
}

/* What a jump by that test says if it jumps, or if not, of its first variable
 * also of what it is a copy of; false: it never does so. */
static bool
learn_jump(struct ranges *r, const struct jit_act *t, bool jumps)
{
    if (t->does == JIT_TESTS)
        return t->b == NONE ||
            learn_test(r, (enum test)t->test, t->a, t->b, jumps);
    enum test_i test = (enum test_i)t->test;
    struct fact *f = &r->now[t->a];
    int64_t n = (int16_t)t->b;
    uint16_t of = f->same;
    return learn_test_i(f, test, n, jumps) &&
        (of == NONE || learn_test_i(&r->now[of], test, n, jumps));
}

/* ---- operations --------------------------------------------------------- */

/* What the instruction asks for is known, or it need not look for it. */
static void
mark(const struct ranges *r, const struct jit_act *q, struct jit_ins *x)
{
    const struct fact *f = fact_of(r, q->a);

    switch ((enum jit_asks)q->test) {
    case JIT_ASKS_ELEMENT:
        x->in_range = f->lo >= 0 && is_less(r, q->a, q->b);
        break;
    case JIT_ASKS_INDEX:
        x->in_range = f->lo >= 0 && f->hi < x->w[0].imm;
        break;
    default:
        x->natural = f->lo >= 0;
        break;
    }
}

/* Behind an access its index is known to be one; false: it always fails. */
static bool
learn_index(
    struct ranges *r, const struct jit_act *q, const struct jit_ins *x)
{
    switch ((enum jit_asks)q->test) {
    case JIT_ASKS_ELEMENT:
        know(r, q->a);
        know(r, q->b);
        return learn_between(&r->now[q->b], 0, INT64_MAX) &&
            learn_less(r, q->a, q->b, true) &&
            learn_between(&r->now[q->a], 0, INT64_MAX);
    case JIT_ASKS_INDEX:
        know(r, q->a);
        return learn_between(&r->now[q->a], 0, (int64_t)x->w[0].imm - 1);
    default:
        return true;
    }
}

/* A variable is the same as another one. */
static inline void
move(struct ranges *r, const struct jit_act *a)
{
    uint32_t v = a->var;
    struct fact *f = &r->now[v];

    rt_assert(v != a->a);
    *f = *fact_of(r, a->a);
    f->same = a->a;
    rt_bit_set(r->known, v);
    if (f->below != NONE)
        name(r, v, f->below);
    name(r, v, f->same);
}

/* What the instruction makes is assigned to a variable, what was in it is
 * forgotten, with others. */
static inline void
give(struct ranges *r, const struct jit_act *a, const uint64_t *gone)
{
    uint32_t v = a->var;
    struct jit_interval is = jit_interval_of(r->c->v[a->k].w,
        interval_of(r, a->a), interval_of(r, a->b));

    forget(r, gone);
    if (!jit_is_possible(is) || jit_is_any_number(is))
        return;
    rt_bit_set(r->known, v);
    r->now[v] = (struct fact){is.lo, is.hi, .others = UINT32_MAX};
}

/* A slice has been made of that length. */
static inline void
set_length(struct ranges *r, const struct jit_act *a)
{
    know(r, a->var);
    r->now[a->var].same = a->a;
    name(r, a->var, a->a);
}

/* ---- ways --------------------------------------------------------------- */

/* A number where intervals stop to grow, which is in order among the others. */
static void
add_step(struct ranges *r, int32_t n)
{
    uint32_t i = r->nsteps++;

    for (; i > 0 && r->step[i - 1] > n; i--)
        r->step[i] = r->step[i - 1];
    r->step[i] = n;
}

/* The numbers that the function compares with, and their neighbours. */
static void
find_steps(struct ranges *r)
{
    struct jit_fn *c = r->c;

    for (uint32_t i = 0; i < c->nturns && r->nsteps + 2 <= STEPS; i++) {
        const struct code_ins *w = c->v[c->turns[i]].w;

        if (jit_numbers_of(c, &c->v[c->turns[i]])->compares !=
            JIT_WITH_NUMBER)
            continue;
        add_step(r, (int16_t)w->b - 1);
        add_step(r, (int16_t)w->b);
    }
}

static int64_t
grow_up(const struct ranges *r, int64_t hi)
{
    const int64_t far[] = {(int64_t)1 << 31, (int64_t)1 << 62, INT64_MAX - 1};

    if (r->nsteps > 0 && hi <= r->step[r->nsteps - 1]) {
        uint32_t i = 0;

        while (r->step[i] < hi)
            i++;
        return r->step[i];
    }
    for (unsigned i = 0; i < sizeof far / sizeof far[0]; i++)
        if (far[i] >= hi)
            return far[i];
    return INT64_MAX;
}

static int64_t
grow_down(const struct ranges *r, int64_t lo)
{
    int64_t to = lo >= 0        ? 0
        : lo == -1        ? -1
        : lo >= INT32_MIN ? INT32_MIN : INT64_MIN;

    for (uint32_t i = r->nsteps; i-- > 0;)
        if (r->step[i] <= lo)
            return r->step[i] > to ? r->step[i] : to;
    return to;
}

/* Whether variable v, or a copy of it, is greater than that, by these facts, of
 * those that are known: v itself may be dead. */
static bool
is_above(const struct ranges *r, const struct fact *f,
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
below_on_both(const struct ranges *r, const struct fact *at,
    const uint64_t *knows, uint32_t v)
{
    const struct fact *was = &at[v], *f = &r->now[v];

    if (was->below != NONE &&
        is_above(r, r->now, r->known, was->below, f->hi))
        return was->below;
    if (f->below != NONE && is_above(r, at, knows, f->below, was->hi))
        return f->below;
    return NONE;
}

static inline bool
are_equal(const struct fact *f, const struct fact *g)
{
    return ((f->lo ^ g->lo) | (f->hi ^ g->hi) | (f->others ^ g->others)) == 0;
}

/* What is true of variable v now, too, is left of what was, which is another
 * thing; whether what is left is. */
static bool
meet(const struct ranges *r, struct fact *at, uint64_t *knows, uint32_t v)
{
    const struct fact *f = &r->now[v];
    struct fact was = at[v], n = was;

    if (n.below != f->below)
        n.below = below_on_both(r, at, knows, v);
    if (f->lo < n.lo)
        n.lo = grow_down(r, f->lo);
    if (f->hi > n.hi)
        n.hi = grow_up(r, f->hi);
    if (n.same != f->same)
        n.same = NONE;
    at[v] = n;
    if (is_anything(&n))
        rt_bit_clear(knows, v);
    return !are_equal(&n, &was);
}

static inline struct fact *
facts_at(const struct ranges *r, uint32_t b)
{
    return r->at + (size_t)b * r->v.n;
}

static inline uint64_t *
known_at(const struct ranges *r, uint32_t b)
{
    return r->knows + (size_t)b * r->words;
}

/* The first way that leads to block b. */
static void
arrive_first(struct ranges *r, uint32_t b)
{
    struct fact *at = facts_at(r, b);
    uint64_t *knows = known_at(r, b);
    const uint64_t *needed = r->acts.needed + (size_t)b * r->words;

    for (uint32_t w = 0; w < r->words; w++) {
        uint64_t set = r->known[w] & needed[w];

        for (uint64_t s = set; s != 0; s &= s - 1) {
            uint32_t v = 64 * w + (uint32_t)__builtin_ctzll(s);

            at[v] = r->now[v];
            set ^= is_anything(&at[v]) ? s & -s : 0;
        }
        knows[w] = set;
    }
    r->holds = b;
    r->seen[b] = true;
    rt_bit_set(r->changed, b);
}

/* What now holds does so on a way to block b, to which others have led; whether
 * something else holds there then. */
static bool
arrive_again(struct ranges *r, uint32_t b)
{
    struct fact *at = facts_at(r, b);
    uint64_t *knows = known_at(r, b);
    bool changed = false;

    for (uint32_t w = 0; w < r->words; w++) {
        uint64_t both = knows[w] & r->known[w], lost = knows[w] ^ both;

        for (uint64_t s = both; s != 0; s &= s - 1) {
            uint32_t v = 64 * w + (uint32_t)__builtin_ctzll(s);

            if (are_equal(&at[v], &r->now[v]))
                continue;
            /* What is lost before it is so already. */
            knows[w] &= ~(lost & ((s & -s) - 1));
            changed |= meet(r, at, knows, v);
        }
        knows[w] &= ~lost;
        changed |= lost != 0;
    }
    return changed;
}

/* What now holds does so on a way to block `to`, which has to be walked again if
 * that changes what holds there; -1: to no block. */
static void
arrive(struct ranges *r, int32_t to)
{
    uint32_t b = (uint32_t)to;

    if (b >= r->nblocks)
        return;
    if (!r->seen[b])
        arrive_first(r, b);
    else if (arrive_again(r, b))
        rt_bit_set(r->changed, b);
}

static void
arrive_now(struct jit_fn *c, int32_t to, void *arg)
{
    arrive(arg, c->lead[to]);
}

/* What now holds, on the two ways that lead on from a test; false: none leads to
 * what follows in order. */
static bool
go_on(struct ranges *r, const struct jit_act *t)
{
    uint16_t a = t->a, b = t->does == JIT_TESTS && t->b != NONE ? t->b : a, of;

    know(r, a);
    know(r, b);
    of = r->now[a].same == NONE ? a : r->now[a].same;
    know(r, of);
    /* What jumping says is said of what is compared only. */
    if ((uint32_t)t->to[1] < r->nblocks) {
        struct fact was_a = r->now[a], was_b = r->now[b], was_of = r->now[of];

        if (learn_jump(r, t, true))
            arrive(r, t->to[1]);
        r->now[b] = was_b;
        r->now[of] = was_of;
        r->now[a] = was_a;
        r->holds = NO_BLOCK;
    }
    if (!learn_jump(r, t, false))
        return false;
    arrive(r, t->to[0]);
    return true;
}

/* What holds where block b begins holds now. */
static void
take(struct ranges *r, uint32_t b)
{
    const struct fact *at = facts_at(r, b);
    const uint64_t *knows = known_at(r, b);

    for (uint32_t w = 0; w < r->words; w++)
        r->known[w] = knows[w];
    if (r->holds == b)
        return; /* what is known no more did no harm */
    for (uint32_t w = 0; w < r->words; w++)
        r->named[w] = 0;
    for (uint32_t w = 0; w < r->words; w++)
        for (uint64_t s = knows[w]; s != 0; s &= s - 1) {
            uint32_t v = 64 * w + (uint32_t)__builtin_ctzll(s);

            r->now[v] = at[v];
            if (at[v].others != UINT32_MAX)
                name_both(r, v, &at[v]);
        }
}

/* One piece of work; false: it does not go on behind that. */
static inline bool
act(struct ranges *r, const struct jit_act *a, const uint64_t *gone)
{
    struct jit_fn *c = r->c;

    if (a->does == JIT_GIVES) {
        give(r, a, gone);
        return true;
    }
    forget(r, gone);
    switch ((enum jit_act_does)a->does) {
    case JIT_MOVES:
        move(r, a);
        return true;
    case JIT_LEADS:
        arrive(r, a->to[0]);
        arrive(r, a->to[1]);
        return true;
    case JIT_TESTS:
    case JIT_TESTS_NUMBER:
        return go_on(r, a);
    case JIT_ASKS_FOR:
        mark(r, a, &c->v[a->k]);
        return learn_index(r, a, &c->v[a->k]);
    case JIT_HAS_LENGTH:
        set_length(r, a);
        return true;
    case JIT_LEADS_FAR:
        jit_each_succ(c, &c->v[a->k], arrive_now, r);
        return true;
    default:
        rt_assert(a->does == JIT_FORGETS);
        return true;
    }
}

/* Walks a block that some way leads to, as far as ways lead, and marks its
 * instructions: what holds at last where it begins is what it is walked with
 * last. */
static void
walk(struct ranges *r, uint32_t b)
{
    const uint64_t *gone = r->acts.gone + (size_t)r->acts.first[b] * r->words;
    const struct jit_act *a = r->acts.act + r->acts.first[b],
                         *end = r->acts.act + r->acts.first[b + 1];

    rt_assert(r->seen[b] && r->c->v[r->c->block[b]].reached);
    take(r, b);
    r->holds = NO_BLOCK;
    for (; a < end; a++, gone += r->words) {
        rt_assert_full(names_valid(r));
        if (!act(r, a, gone))
            return;
    }
}

/* Walks the blocks where something has changed; whether there was one.  What
 * changes before the one that is walked is left for the next time. */
static bool
walk_changed(struct ranges *r)
{
    bool any = false;

    for (uint32_t w = 0; 64 * w < r->nblocks; w++) {
        uint64_t left = ~(uint64_t)0, s;

        while ((s = r->changed[w] & left) != 0) {
            s &= -s;
            left = ~(s | (s - 1));
            r->changed[w] &= ~s;
            walk(r, 64 * w + (uint32_t)__builtin_ctzll(s));
            any = true;
        }
    }
    return any;
}

/* All that begins with nothing known: the function, and where it goes on after
 * a panic. */
static void
begin(struct ranges *r)
{
    const struct jit_fn *c = r->c;

    for (uint32_t b = 0; b < r->nblocks; b++)
        if (b == 0 || c->v[c->block[b]].resumes)
            arrive(r, (int32_t)b);
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
    struct ranges r = {.c = c, .holds = NO_BLOCK};
    unsigned pass = 0;

    if (!jit_find_variables(c, &r.v))
        return !c->failed;
    if ((size_t)c->nblocks * r.v.n > FACTS)
        return true;
    r.words = (r.v.n + 63) / 64;
    r.at = jit_room(c, (size_t)c->nblocks * r.v.n, sizeof *r.at);
    r.knows = jit_room(c, (size_t)c->nblocks * r.words, sizeof *r.knows);
    r.seen = jit_alloc(c, c->nblocks, sizeof *r.seen);
    r.changed = jit_alloc(c, c->nblocks / 64 + 1, sizeof *r.changed);
    r.now = jit_room(c, (size_t)r.v.n + 1, sizeof *r.now);
    r.known = jit_alloc(c, r.words, sizeof *r.known);
    r.named = jit_alloc(c, r.words, sizeof *r.named);
    r.namers = jit_room(c, r.v.n, sizeof *r.namers);
    if (c->failed || !jit_find_acts(c, &r.v, &r.acts))
        return false;
    for (uint32_t v = 0; v <= r.v.n; v++)
        r.now[v] = (struct fact){INT64_MIN, INT64_MAX, .others = UINT32_MAX};
    r.nblocks = r.acts.nblocks;
    find_steps(&r);
    begin(&r);
    while (walk_changed(&r))
        if (++pass == PASSES) {
            forget_marks(c);
            break;
        }
    return true;
}
