/* SPDX-License-Identifier: MIT */

/*
 * What numbers may be in slots, so far as tests, loops' conditions and
 * arithmetic say: an interval for each slot, another slot whose number is
 * greater, and one whose number is the same.  A walk in order carries that
 * from instruction to instruction; at leaders it is what holds on all ways
 * there.  Walks are repeated until nothing changes.  Around loops intervals
 * grow, and by steps that make an end of it: to the nearest number that the
 * function compares with, or far beyond.
 *
 * It says of a division that what is divided is not negative, and of an
 * element that its index is one.  Slots are as the interpreter has them: what
 * is found holds wherever machine code is entered.
 */
#include "runtime/jit/jit_int.h"

#include <string.h>

#include "runtime/code/opinfo.h"

enum {
    PASSES = 24,     /* of walks; then nothing is known */
    STEPS = 12,      /* numbers that the function compares with, at most */
    FACTS = 1 << 16, /* of all leaders together, at most */
    NO_SLOT = UINT16_MAX
};

struct fact {
    int64_t lo, hi;
    uint16_t below; /* a slot whose number is greater; NO_SLOT: none known */
    uint16_t same;  /* a slot whose number is the same; likewise */
};

struct ranges {
    struct jit_fn *c;
    struct fact *at;  /* by leader and slot */
    bool *seen;       /* by leader: some way leads there */
    int32_t *lead;    /* by instruction: the leader's number */
    struct fact *now; /* by slot, in the walk */
    struct fact *jumps; /* likewise, where a jump leads */
    bool *named;        /* by slot: a fact of now may have it as below or same,
                           so that assign() has to look for it */
    int64_t step[STEPS];
    uint32_t nsteps;
    bool changed;
};

static const struct fact anything = {INT64_MIN, INT64_MAX, NO_SLOT, NO_SLOT};

static struct fact
between(int64_t lo, int64_t hi)
{
    rt_assert(lo <= hi);
    return (struct fact){lo, hi, NO_SLOT, NO_SLOT};
}

/* ---- what is known of slots --------------------------------------------- */

/* The slot is assigned something new, of which only f is known. */
static void
assign(struct ranges *r, uint32_t slot, struct fact f)
{
    rt_assert(slot < r->c->ns && f.below != slot && f.same != slot);
    rt_assert(f.below == NO_SLOT || r->named[f.below]);
    rt_assert(f.same == NO_SLOT || r->named[f.same]);
    for (uint32_t s = 0; s < r->c->ns && r->named[slot]; s++) {
        if (r->now[s].below == slot)
            r->now[s].below = NO_SLOT;
        if (r->now[s].same == slot)
            r->now[s].same = NO_SLOT;
    }
    r->named[slot] = false;
    r->now[slot] = r->c->pinned[slot] ? anything : f;
}

static bool
are_same(const struct fact *f, uint32_t a, uint32_t b)
{
    return a == b || f[a].same == b || f[b].same == a ||
        (f[a].same != NO_SLOT && f[a].same == f[b].same);
}

/* Whether what is in a is less than what is in b, with signs. */
static bool
is_less(const struct fact *f, uint32_t a, uint32_t b)
{
    return f[a].hi < f[b].lo ||
        (f[a].below != NO_SLOT && are_same(f, f[a].below, b));
}

static bool
is_possible(struct fact f)
{
    return f.lo <= f.hi;
}

/* a < b, or a <= b; false: it cannot be. */
static bool
learn_less(struct ranges *r, struct fact *f, uint32_t a, uint32_t b, bool less)
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
    rt_assert(!r->c->pinned[a] && !r->c->pinned[b]);
    if (less) {
        f[a].below = (uint16_t)b;
        r->named[b] = true;
    }
    return is_possible(f[a]) && is_possible(f[b]);
}

static bool
learn_equal(struct fact *f, uint32_t a, uint32_t b)
{
    int64_t lo = f[a].lo > f[b].lo ? f[a].lo : f[b].lo;
    int64_t hi = f[a].hi < f[b].hi ? f[a].hi : f[b].hi;

    f[a].lo = f[b].lo = lo;
    f[a].hi = f[b].hi = hi;
    return lo <= hi;
}

/* It is at least lo and at most hi. */
static bool
learn_between(struct fact *f, uint32_t a, int64_t lo, int64_t hi)
{
    if (f[a].lo < lo)
        f[a].lo = lo;
    if (f[a].hi > hi)
        f[a].hi = hi;
    return is_possible(f[a]);
}

/* ---- conditions --------------------------------------------------------- */

/* As opcode.def orders jumps by two slots, and those by a slot and a number. */
enum test { EQ, NE, LT, LE, ULT, ULE };
enum test_i { EQI, NEI, LTI, LEI, GTI, GEI };

static bool
learn_test(struct ranges *r, struct fact *f, enum test t, uint32_t a,
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
    default: /* below what is not negative is what is not negative either */
        return !holds || f[b].lo < 0 ||
            (learn_less(r, f, a, b, t == ULT) &&
                learn_between(f, a, 0, INT64_MAX));
    }
}

static bool
learn_test_i(
    struct fact *f, enum test_i t, uint32_t a, int64_t v, bool holds)
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

/* What the jump x says if it jumps, or if not; false: it never does so. */
static bool
learn_jump(
    struct ranges *r, struct fact *f, const struct jit_ins *x, bool jumps)
{
    const struct code_ins *w = x->w;
    const struct jit_opnd *o = r->c->op + x->ops;
    unsigned op = w->op;

    for (uint32_t i = 0; i < x->nops; i++)
        if (r->c->pinned[o[i].slot])
            return true; /* it may change without an assignment */
    if (op >= OP_JEQ && op <= OP_LJULE)
        return learn_test(r, f,
            (enum test)(op - (op >= OP_LJEQ ? OP_LJEQ : OP_JEQ)), w->a, w->b,
            jumps);
    if (op >= OP_JEQI && op <= OP_LJGEI)
        return learn_test_i(f,
            (enum test_i)(op - (op >= OP_LJEQI ? OP_LJEQI : OP_JEQI)), w->a,
            (int16_t)w->b, jumps);
    if (op == OP_FORLT)
        return learn_test(r, f, LT, w->a, w->b, jumps);
    if (op == OP_FORLTI)
        return learn_test_i(f, LTI, w->a, (int16_t)w->b, jumps);
    return true;
}

/* ---- operations --------------------------------------------------------- */

static struct fact
add(struct fact a, struct fact b)
{
    int64_t lo, hi;

    if (__builtin_add_overflow(a.lo, b.lo, &lo) ||
        __builtin_add_overflow(a.hi, b.hi, &hi))
        return anything;
    return between(lo, hi);
}

static struct fact
subtract(struct fact a, struct fact b)
{
    int64_t lo, hi;

    if (__builtin_sub_overflow(a.lo, b.hi, &lo) ||
        __builtin_sub_overflow(a.hi, b.lo, &hi))
        return anything;
    return between(lo, hi);
}

static struct fact
multiply(struct fact a, struct fact b)
{
    int64_t p[4], lo, hi;

    if (__builtin_mul_overflow(a.lo, b.lo, &p[0]) ||
        __builtin_mul_overflow(a.lo, b.hi, &p[1]) ||
        __builtin_mul_overflow(a.hi, b.lo, &p[2]) ||
        __builtin_mul_overflow(a.hi, b.hi, &p[3]))
        return anything;
    lo = hi = p[0];
    for (unsigned i = 1; i < 4; i++) {
        lo = p[i] < lo ? p[i] : lo;
        hi = p[i] > hi ? p[i] : hi;
    }
    return between(lo, hi);
}

/* Bits of both: no more than of one that is not negative. */
static struct fact
both_bits(struct fact a, struct fact b)
{
    if (a.lo < 0 && b.lo < 0)
        return anything;
    if (a.lo >= 0 && b.lo >= 0)
        return between(0, a.hi < b.hi ? a.hi : b.hi);
    return between(0, a.lo >= 0 ? a.hi : b.hi);
}

static struct fact
remainder_by(struct fact a, int64_t d)
{
    int64_t most = (d < 0 ? -d : d) - 1;

    rt_assert(d != 0);
    return between(a.lo >= 0 ? 0 : -most, a.hi <= 0 ? 0 : most);
}

static struct fact
quotient_by(struct fact a, int64_t d)
{
    return d > 0 ? between(a.lo / d, a.hi / d) : anything;
}

/* The result of an operation by a number; anything, if that is not known. */
static struct fact
immediate(const struct code_ins *w, struct fact b)
{
    int64_t v = (int16_t)w->c;

    switch (w->op) {
    case OP_ADDI:
        return add(b, between(v, v));
    case OP_ISUB:
        return subtract(between(v, v), b);
    case OP_MULI:
        return multiply(b, between(v, v));
    case OP_ANDI:
        return both_bits(b, between(v, v));
    case OP_DIVI:
        return quotient_by(b, v);
    case OP_REMI:
        return remainder_by(b, v);
    case OP_UREMI:
        return between(0, w->c - 1);
    case OP_SHRI:
        return between(b.lo >> (w->c & 63), b.hi >> (w->c & 63));
    case OP_USHRI:
        return w->c == 0 ? anything
                         : between(0, (int64_t)(UINT64_MAX >> (w->c & 63)));
    case OP_SHLI:
        return w->c > 61 ? anything
                         : multiply(b, between((int64_t)1 << w->c,
                                           (int64_t)1 << w->c));
    default:
        return anything;
    }
}

/* By its size, of what is loaded or cut to it. */
static struct fact
sized(unsigned op)
{
    switch (op) {
    case OP_ZX8:
    case OP_LD8U:
    case OP_LDX8U:
    case OP_LDP8U:
    case OP_GLD8U:
        return between(0, UINT8_MAX);
    case OP_ZX16:
    case OP_LD16U:
    case OP_LDX16U:
        return between(0, UINT16_MAX);
    case OP_ZX32:
        return between(0, UINT32_MAX);
    case OP_SX8:
        return between(INT8_MIN, INT8_MAX);
    case OP_SX16:
        return between(INT16_MIN, INT16_MAX);
    case OP_SX32:
        return between(INT32_MIN, INT32_MAX);
    default:
        return anything;
    }
}

/* What x assigns to its first slot, where that is one number. */
static struct fact
result(const struct ranges *r, const struct jit_ins *x)
{
    const struct code_ins *w = x->w;

    switch (w->op) {
    case OP_LDI:
        return between(w->imm, w->imm);
    case OP_ADD:
        return add(r->now[w->b], r->now[w->c]);
    case OP_SUB:
        return subtract(r->now[w->b], r->now[w->c]);
    case OP_MUL:
        return multiply(r->now[w->b], r->now[w->c]);
    case OP_AND:
        return both_bits(r->now[w->b], r->now[w->c]);
    case OP_ADDI:
    case OP_ISUB:
    case OP_MULI:
    case OP_ANDI:
    case OP_DIVI:
    case OP_REMI:
    case OP_UREMI:
    case OP_SHRI:
    case OP_USHRI:
    case OP_SHLI:
        return immediate(w, r->now[w->b]);
    default:
        return sized(w->op);
    }
}

static bool
is_among(uint32_t slot, uint32_t from, uint32_t n)
{
    return slot >= from && slot < from + n;
}

/* A slot is the same as another behind it. */
static void
move(struct ranges *r, uint32_t to, uint32_t from)
{
    struct fact f = r->now[from];

    if (to == from)
        return;
    if (f.below == to)
        f.below = NO_SLOT;
    f.same = r->c->pinned[from] ? NO_SLOT : (uint16_t)from;
    r->named[from] = true;
    assign(r, to, anything);
    if (!r->c->pinned[to])
        r->now[to] = f;
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
    struct fact *f = r->now;
    const uint8_t *pinned = r->c->pinned;
    uint32_t index, len;

    if (is_element(x, &index, &len))
        return pinned[index] || pinned[len] ||
            (learn_between(f, len, 0, INT64_MAX) &&
                learn_less(r, f, index, len, true) &&
                learn_between(f, index, 0, INT64_MAX));
    return x->w[0].op != OP_CHKIDX || pinned[x->w[0].a] ||
        learn_between(f, x->w[0].a, 0, (int64_t)x->w[0].imm - 1);
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
    struct fact f = result(r, x);
    uint32_t len = w->op == OP_MAKESLICE ? w->b : NO_SLOT;
    if (w->op == OP_FORLT || w->op == OP_FORLTI)
        f = add(r->now[w->a], between(1, 1));
    if (jit_lost(c, x, &from, &kept))
        for (uint32_t s = from; s < c->ns; s++)
            if (s < from + 2 || s >= from + 2 + kept)
                assign(r, s, anything);
    for (uint32_t i = 0; i < x->nops; i++)
        if (o[i].def)
            assign(r, o[i].slot,
                o[i].slot == w->a && is_possible(f) ? f : anything);
    if (len != NO_SLOT && !is_among(len, w->a, 3) && !c->pinned[len] &&
        !c->pinned[w->a + 1u]) {
        r->now[w->a + 1u].same = (uint16_t)len;
        r->named[len] = true;
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

/* What is true of f, too, is left of what was. */
static void
meet(struct ranges *r, struct fact *was, const struct fact *f)
{
    struct fact n = *was;

    if (f->lo < n.lo)
        n.lo = grow_down(r, f->lo);
    if (f->hi > n.hi)
        n.hi = grow_up(r, f->hi);
    if (n.below != f->below)
        n.below = NO_SLOT;
    if (n.same != f->same)
        n.same = NO_SLOT;
    r->changed |= n.lo != was->lo || n.hi != was->hi ||
        n.below != was->below || n.same != was->same;
    *was = n;
}

/* f holds on a way to the leader. */
static void
arrive(struct ranges *r, int32_t to, const struct fact *f)
{
    int32_t lead = r->lead[to];
    struct fact *at = r->at + (size_t)lead * r->c->ns;

    rt_assert(lead >= 0);
    if (!r->seen[lead]) {
        memcpy(at, f, r->c->ns * sizeof *f);
        r->seen[lead] = r->changed = true;
        return;
    }
    for (uint32_t s = 0; s < r->c->ns; s++)
        meet(r, &at[s], &f[s]);
}

static void
arrive_now(struct jit_fn *c, int32_t to, void *arg)
{
    struct ranges *r = arg;

    if (c->v[to].leader)
        arrive(r, to, r->now);
}

/* What now holds, on the ways that lead on from x; false: none leads to what
 * follows in order. */
static bool
go_on(struct ranges *r, const struct jit_ins *x)
{
    struct jit_fn *c = r->c;

    if (x->nsucc != 2 || x->w[0].op == OP_SWITCH || !x->falls ||
        x->succ[0] == x->succ[1]) {
        jit_each_succ(c, x, arrive_now, r);
        return x->falls;
    }
    memcpy(r->jumps, r->now, c->ns * sizeof *r->now);
    if (learn_jump(r, r->jumps, x, true) && x->succ[1] < c->n)
        arrive(r, x->succ[1], r->jumps);
    if (!learn_jump(r, r->now, x, false))
        return false;
    if (x->succ[0] < c->n)
        arrive_now(c, x->succ[0], r);
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
    const struct jit_fn *c = r->c;
    const struct fact *f = r->now;
    const struct code_ins *w = x->w;
    uint32_t index, len;

    if (is_element(x, &index, &len))
        x->in_range = !c->pinned[index] && !c->pinned[len] &&
            f[index].lo >= 0 && is_less(f, index, len);
    else if (w->op == OP_CHKIDX)
        x->in_range = f[w->a].lo >= 0 && f[w->a].hi < w->imm;
    else if (is_division(w->op))
        x->natural = f[w->b].lo >= 0;
}

/* What holds at a leader holds now. */
static void
take(struct ranges *r, int32_t lead)
{
    const struct fact *at = r->at + (size_t)lead * r->c->ns;

    for (uint32_t s = 0; s < r->c->ns; s++) {
        r->now[s] = at[s];
        if (at[s].below != NO_SLOT)
            r->named[at[s].below] = true;
        if (at[s].same != NO_SLOT)
            r->named[at[s].same] = true;
    }
}

static void
walk(struct ranges *r, bool marks)
{
    struct jit_fn *c = r->c;
    bool known = false;

    for (int32_t k = 0; k < c->n; k++) {
        struct jit_ins *x = &c->v[k];

        if (r->lead[k] >= 0) {
            known = r->seen[r->lead[k]];
            if (known)
                take(r, r->lead[k]);
        }
        if (!known || !x->reached) {
            known = false;
            continue;
        }
        if (marks)
            mark(r, x);
        known = learn_index(r, x);
        if (!known)
            continue;
        step(r, x);
        known = go_on(r, x);
    }
}

/* All that begins with nothing known: the function, and where it goes on after
 * a panic. */
static void
begin(struct ranges *r)
{
    for (uint32_t s = 0; s < r->c->ns; s++)
        r->now[s] = anything;
    for (int32_t k = 0; k < r->c->n; k++)
        if (k == 0 || r->c->v[k].resumes)
            arrive(r, k, r->now);
}

/* Whether something in a loop would profit. */
static bool
is_worth(const struct jit_fn *c)
{
    uint32_t index, len;

    for (int32_t k = 0; k < c->n; k++) {
        const struct jit_ins *x = &c->v[k];
        unsigned op = x->w[0].op;

        if (x->depth > 0 && x->kind == JIT_NATIVE &&
            (is_element(x, &index, &len) || is_division(op) ||
                op == OP_CHKIDX))
            return true;
    }
    return false;
}

bool
jit_ranges(struct jit_fn *c)
{
    struct ranges r = {.c = c};
    size_t leaders = 0;

    if (!is_worth(c))
        return true;
    r.lead = jit_alloc(c, (size_t)c->n, sizeof *r.lead);
    if (c->failed)
        return false;
    for (int32_t k = 0; k < c->n; k++)
        r.lead[k] = k == 0 || c->v[k].leader || c->v[k].resumes
            ? (int32_t)leaders++ : -1;
    if (leaders * c->ns > FACTS)
        return true;
    r.at = jit_alloc(c, leaders * c->ns, sizeof *r.at);
    r.seen = jit_alloc(c, leaders, sizeof *r.seen);
    r.now = jit_alloc(c, c->ns, sizeof *r.now);
    r.jumps = jit_alloc(c, c->ns, sizeof *r.jumps);
    r.named = jit_alloc(c, c->ns, sizeof *r.named);
    if (c->failed)
        return false;
    find_steps(&r);
    begin(&r);
    r.changed = true;
    for (unsigned i = 0; i < PASSES && r.changed; i++) {
        r.changed = false;
        walk(&r, false);
    }
    /* A walk that changes nothing says so: what it has found holds. */
    if (!r.changed)
        walk(&r, true);
    return true;
}
