/* SPDX-License-Identifier: MIT */
/*
 * The slots of the frame.  A value takes the lowest run of free slots whose
 * kinds fit.  Functions may have tens of thousands of variables, so the slots
 * are sets of bits, searched a word at a time from where the last search has
 * shown that nothing lower is open.
 */
#include "runtime/lang/gen/gen_int.h"

#include <stdlib.h>
#include <string.h>

/* No slot has both kinds, and none behind the last has one. */
static bool
slots_valid(const struct gslots *s)
{
    uint32_t i;

    for (i = 0; i < s->words; i++) {
        uint64_t any = s->pointer[i] | s->scalar[i];

        if ((s->pointer[i] & s->scalar[i]) != 0 ||
            (i * 64 >= s->n && any != 0) ||
            (i == s->n / 64 && s->n % 64 != 0 && any >> s->n % 64 != 0))
            return false;
    }
    return s->n <= s->words * 64;
}

/* ---- sets of slots ------------------------------------------------------- */

static void
set_bits(uint64_t *set, uint32_t at, uint32_t n, bool on)
{
    while (n > 0) {
        uint32_t lo = at % 64, k = n < 64 - lo ? n : 64 - lo;
        uint64_t mask = (k == 64 ? ~(uint64_t)0 : ((uint64_t)1 << k) - 1)
            << lo;

        if (on)
            set[at / 64] |= mask;
        else
            set[at / 64] &= ~mask;
        at += k;
        n -= k;
    }
}

static bool
has_bit(const uint64_t *set, uint32_t at)
{
    return set[at / 64] >> at % 64 & 1;
}

/* The 64 slots from `at` on that are free and may be of this kind.  Those that
 * the function does not have yet may be of either. */
static uint64_t
open_slots(const struct gslots *s, enum code_slot_kind kind, uint32_t at)
{
    const uint64_t *other = kind == CODE_POINTER ? s->scalar : s->pointer;
    uint32_t w = at / 64, lo = at % 64;
    uint64_t shut = 0;

    if (w < s->words)
        shut = (s->live[w] | other[w]) >> lo;
    if (lo != 0 && w + 1 < s->words)
        shut |= (s->live[w + 1] | other[w + 1]) << (64 - lo);
    return ~shut;
}

static uint64_t *
wider(struct gfunc *f, uint64_t *set, uint32_t from, uint32_t to)
{
    uint64_t *p = realloc(set, to * sizeof *p);

    if (p == NULL)
        rt_arena_nomem(f->g->arena);
    memset(p + from, 0, (to - from) * sizeof *p);
    return p;
}

static void
too_large(struct gfunc *f)
{
    lang_pos pos = f->pos;

    if (pos == 0 && f->info != NULL && f->info->func != NULL)
        pos = f->info->func->sig->pos; /* the parameters are too many */
    if (!f->g->failed && !f->over && !gf_crowd_more(f))
        gen_errorf(f->g, pos, "stack frame too large (over %d words)",
            GEN_MAX_SLOTS);
}

/* Makes the slots below n the function's. */
static void
grow(struct gfunc *f, uint32_t n)
{
    struct gslots *s = &f->slots;
    uint32_t words = s->words ? s->words : 4;

    if (n <= s->n)
        return;
    while (words * 64 < n)
        words *= 2;
    if (words != s->words) {
        s->live = wider(f, s->live, s->words, words);
        s->scalar = wider(f, s->scalar, s->words, words);
        s->pointer = wider(f, s->pointer, s->words, words);
        s->words = words;
    }
    s->n = n;
    if (n > GEN_MAX_SLOTS)
        too_large(f);
}

void
gf_slots_reset(struct gfunc *f)
{
    struct gslots *s = &f->slots;
    size_t bytes = (s->n + 63) / 64 * sizeof *s->live;

    if (s->n != 0) {
        memset(s->live, 0, bytes);
        memset(s->scalar, 0, bytes);
        memset(s->pointer, 0, bytes);
    }
    rt_assert_full(slots_valid(s));
    s->n = 0;
    s->taken.n = 0;
    s->low[CODE_SCALAR] = s->low[CODE_POINTER] = 0;
}

void
gf_slots_free(struct gfunc *f)
{
    free(f->slots.live);
    free(f->slots.scalar);
    free(f->slots.pointer);
    free(f->slots.taken.at);
}

void
gf_set_kinds(struct gfunc *f, uint32_t at,
    const enum code_slot_kind *kinds, uint32_t n)
{
    uint32_t i;

    if (at + n > f->slots.n)
        grow(f, at + n);
    rt_assert(f->slots.n <= f->slots.words * 64);
    for (i = 0; i < n; i++) {
        uint64_t bit = (uint64_t)1 << (at + i) % 64;
        uint64_t *pointer = &f->slots.pointer[(at + i) / 64];
        uint64_t *scalar = &f->slots.scalar[(at + i) / 64];

        *pointer &= ~bit;
        *scalar &= ~bit;
        *(kinds[i] == CODE_POINTER ? pointer : scalar) |= bit;
    }
}

bool
gf_slot_is_pointer(const struct gfunc *f, uint32_t slot)
{
    rt_assert(slot < f->slots.n);
    return has_bit(f->slots.pointer, slot);
}

/* ---- taking and releasing ------------------------------------------------ */

/* The lowest of the 64 runs that begin at `at` or behind it which are open
 * for these kinds, as a set. */
static uint64_t
open_runs(const struct gslots *s, uint32_t at, const enum code_slot_kind *kinds,
    uint32_t n)
{
    uint64_t open = ~(uint64_t)0;
    uint32_t i;

    for (i = 0; i < n && open != 0; i++)
        open &= open_slots(s, kinds[i], at + i);
    return open;
}

static void
take(struct gfunc *f, uint32_t at, const enum code_slot_kind *kinds, uint32_t n)
{
    struct gtaken *t;

    rt_assert((open_runs(&f->slots, at, kinds, n) & 1) != 0);
    gf_set_kinds(f, at, kinds, n);
    if (n == 1)
        f->slots.live[at / 64] |= (uint64_t)1 << at % 64;
    else
        set_bits(f->slots.live, at, n, true);
    t = gvec_push(f->g, &f->slots.taken);
    t->at = at;
    t->n = n;
    if (at + n > f->top)
        f->top = at + n;
    gf_need(f, (int)(at + n));
}

/* The lowest run of slots for a value.  What this learns of single slots
 * shortens the next search. */
static uint32_t
first_fit(struct gfunc *f, const enum code_slot_kind *kinds, uint32_t n)
{
    struct gslots *s = &f->slots;
    uint32_t *low = &s->low[kinds[0]];
    uint32_t at = *low > f->nargs ? *low : f->nargs;
    uint64_t open;

    while ((open = open_slots(s, kinds[0], at)) == 0)
        at += 64;
    at += (uint32_t)__builtin_ctzll(open);
    *low = at;
    if (n == 1)
        return at;
    while ((open = open_runs(s, at, kinds, n)) == 0)
        at += 64;
    return at + (uint32_t)__builtin_ctzll(open);
}

int
gf_temp_kinds(struct gfunc *f, const enum code_slot_kind *kinds, uint32_t n)
{
    uint32_t at;

    if ((f->g->failed || f->over) && f->slots.n > GEN_MAX_SLOTS)
        return 0;
    if (n == 0)
        return (int)f->nargs;
    at = first_fit(f, kinds, n);
    rt_assert(at >= f->nargs);
    take(f, at, kinds, n);
    return (int)at;
}

/* The kinds of a value's slots: in `small` where they fit. */
static const uint8_t *
kinds_of(struct gfunc *f, struct type *t, enum code_slot_kind small[64])
{
    uint32_t n = type_slots(t);
    enum code_slot_kind *kinds = n > 64 ? gen_scratch(f->g, n) : small;

    type_slot_kinds(t, kinds);
    return kinds;
}

int
gf_temp(struct gfunc *f, struct type *t)
{
    enum code_slot_kind small[64];
    uint32_t n = type_slots(t);

    if (n > GEN_MAX_SLOTS) {
        too_large(f);
        return 0;
    }
    return gf_temp_kinds(f, kinds_of(f, t, small), n);
}

int
gf_temp_int(struct gfunc *f)
{
    enum code_slot_kind k = CODE_SCALAR;

    return gf_temp_kinds(f, &k, 1);
}

int
gf_temp_ptr(struct gfunc *f)
{
    enum code_slot_kind k = CODE_POINTER;

    return gf_temp_kinds(f, &k, 1);
}

bool
gf_claim(struct gfunc *f, int slot, struct type *t)
{
    enum code_slot_kind small[64];
    uint32_t n = type_slots(t);
    const enum code_slot_kind *kinds;

    if (n > sizeof small)
        return false;
    kinds = kinds_of(f, t, small);
    if ((open_runs(&f->slots, (uint32_t)slot, kinds, n) & 1) == 0)
        return false;
    take(f, (uint32_t)slot, kinds, n);
    return true;
}

void
gf_take_fixed(struct gfunc *f, struct type *t)
{
    enum code_slot_kind small[64];
    uint32_t n = type_slots(t), at = f->slots.n;

    if (n > GEN_MAX_SLOTS || at + n > GEN_MAX_SLOTS) {
        too_large(f);
        return;
    }
    gf_set_kinds(f, at, kinds_of(f, t, small), n);
    set_bits(f->slots.live, at, n, true);
}

uint32_t
gf_mark(struct gfunc *f)
{
    return f->slots.taken.n;
}

/* Lowers `top` to the highest live slot, but not into the arguments. */
static void
lower_top(struct gfunc *f)
{
    const struct gslots *s = &f->slots;

    if (f->top <= f->nargs ||
        (f->top <= s->n && has_bit(s->live, f->top - 1)))
        return;
    while (f->top > f->nargs) {
        uint32_t w = (f->top - 1) / 64, bits = (f->top - 1) % 64 + 1;
        uint64_t live = w < s->words ? s->live[w] << (64 - bits) : 0;

        if (live != 0) {
            f->top -= (uint32_t)__builtin_clzll(live);
            break;
        }
        f->top = w * 64;
    }
    if (f->top < f->nargs)
        f->top = f->nargs;
}

/* A slot has become free: searches of both kinds may begin there. */
static void
lower_low(struct gslots *s, uint32_t at)
{
    if (at < s->low[CODE_SCALAR])
        s->low[CODE_SCALAR] = at;
    if (at < s->low[CODE_POINTER])
        s->low[CODE_POINTER] = at;
}

void
gf_release(struct gfunc *f, uint32_t mark)
{
    struct gslots *s = &f->slots;

    rt_assert(mark <= s->taken.n);
    while (s->taken.n > mark) {
        const struct gtaken *t = &s->taken.at[--s->taken.n];

        if (t->n == 1)
            s->live[t->at / 64] &= ~((uint64_t)1 << t->at % 64);
        else
            set_bits(s->live, t->at, t->n, false);
        lower_low(s, t->at);
    }
    lower_top(f);
}

void
gf_guard(struct gfunc *f, uint32_t at, uint32_t n, bool on)
{
    struct gslots *s = &f->slots;

    if (n == 0)
        return;
    grow(f, at + n);
    set_bits(s->live, at, n, on);
    if (on && at + n > f->top)
        f->top = at + n;
    if (!on)
        lower_low(s, at);
}

int
gf_call_base(struct gfunc *f)
{
    return (int)f->top + 2;
}

void
gf_need(struct gfunc *f, int end)
{
    if ((uint32_t)end > f->extent)
        f->extent = (uint32_t)end;
    if (end > GEN_MAX_SLOTS)
        too_large(f);
}
