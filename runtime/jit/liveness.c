/* SPDX-License-Identifier: MIT */

/*
 * Which slots are live before each instruction: sets of slots, of `words` words.
 * Most functions have no more slots than there are bits in one word: for those
 * the loops over words are none, since all of this is made twice.
 */
#include "runtime/jit/jit_int.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/code/live.h"

static void
join(struct jit_fn *c, int32_t to, void *arg)
{
    uint64_t *set = arg;
    const uint64_t *live = jit_live(c, to);

    rt_assert(to >= 0 && to < c->n);
    for (uint32_t i = 0; i < c->words; i++)
        set[i] |= live[i];
}

const uint64_t *
jit_live_behind(struct jit_fn *c, const struct jit_ins *x, uint64_t *set)
{
    if (x->nsucc == 1 && x->w[0].op != OP_SWITCH)
        return jit_live(c, x->succ[0]);
    memset(set, 0, 8u * c->words);
    jit_each_succ(c, x, join, set);
    return set;
}

/* ---- what lives through an instruction ----------------------------------- */

/* What is live before instruction k, in word w of a set. */
static RT_ALWAYS_INLINE uint64_t
live_at(const struct jit_fn *c, int32_t k, uint32_t w, uint32_t words)
{
    rt_assert(k >= 0 && k < c->n && w < words && words == c->words);
    return c->live[(size_t)k * words + w];
}

static RT_ALWAYS_INLINE void
add_live(const struct jit_fn *c, int32_t k, uint64_t *set, uint32_t words)
{
    for (uint32_t w = 0; w < words; w++)
        set[w] |= live_at(c, k, w, words);
}

/* What the frames around x need once it has returned.  A way that ends within
 * x's frame, as one that panics, does not lead there, but the collector, when
 * it comes to a frame around it, counts on the return. */
static RT_ALWAYS_INLINE void
add_around(const struct jit_fn *c, const struct jit_ins *x, uint64_t *set,
    uint32_t words)
{
    const struct jit_frame *f = c->jit->frames;

    for (uint32_t i = x->frame; i != 0; i = f[i].up) {
        uint32_t end = f[i].base - 2u;

        rt_assert(f[i].behind < c->n && end < c->ns);
        for (uint32_t w = 0; w < words; w++)
            set[w] |= live_at(c, f[i].behind, w, words) &
                rt_bits_within(w, 0, end);
    }
}

/* Without what x loses, if it does. */
static RT_ALWAYS_INLINE void
lose(const struct jit_fn *c, const struct jit_ins *x, uint64_t *set,
    uint32_t words)
{
    uint32_t from, kept;

    if (!x->loses)
        return;
    jit_lost(x, &from, &kept);
    for (uint32_t w = 0; w < words; w++) {
        uint64_t stays = rt_bits_within(w, from + 2, from + 2 + kept);

        set[w] &= ~rt_bits_within(w, from, c->vs) | stays;
    }
}

/* What must have lived before x for what is live behind it.  What is spliced in
 * may read slots that nobody has assigned, as those behind the arguments of a
 * closure's call: they are its own, and before there need not be room for
 * them. */
static RT_ALWAYS_INLINE void
live_through(const struct jit_fn *c, const struct jit_ins *x, uint64_t *set,
    uint32_t words)
{
    for (uint32_t w = 0; w < words; w++)
        set[w] = x->plain ? live_at(c, x->succ[0], w, words) : 0;
    if (x->plain) {
        lose(c, x, set, words);
        add_around(c, x, set, words);
        return;
    }
    if (x->kind == JIT_INLINE && x->nsucc == 2) {
        add_live(c, x->succ[0], set, words);
        lose(c, x, set, words);
        add_live(c, x->succ[1], set, words);
        add_around(c, x, set, words);
        return;
    }
    for (unsigned i = 0; i < x->nsucc; i++)
        if (x->succ[i] < c->n)
            add_live(c, x->succ[i], set, words);
    if (x->w[0].op == OP_SWITCH)
        for (int32_t i = 1; i <= x->w[0].imm; i++)
            add_live(c, x->succ[0] + i, set, words);
    /* The collector counts on either way. */
    if (x->decided && x->kind == JIT_NATIVE && x->other < c->n)
        add_live(c, x->other, set, words);
    lose(c, x, set, words);
    add_around(c, x, set, words);
}

/* From what lives through instruction k to what is live before it. */
static RT_ALWAYS_INLINE void
transfer(const struct jit_fn *c, int32_t k, uint64_t *set, uint32_t words)
{
    if (words == 1) {
        set[0] = (set[0] & ~c->does[k].defs) | c->does[k].uses;
        return;
    }
    const struct jit_ins *x = &c->v[k];
    const struct jit_opnd *o = c->op + x->ops, *end = o + x->nops;

    for (const struct jit_opnd *p = o; p < end; p++)
        set[p->slot / 64u] &= ~((uint64_t)p->def << p->slot % 64);
    for (const struct jit_opnd *p = o; p < end; p++)
        set[p->slot / 64u] |= (uint64_t)p->use << p->slot % 64;
    if (c->asked != NULL)
        for (uint32_t w = 0; w < words; w++)
            set[w] |= c->asked[(size_t)k * words + w];
}

/* ---- straight on --------------------------------------------------------- */

/* Instructions of which each but the last one leads to the next one only. */
struct straight {
    int32_t first, last;
};

/* All of them, in order; how many there are.  Each ends where a block does, or
 * with an instruction that need not be plain. */
static uint32_t
find_straight(const struct jit_fn *c, struct straight *to)
{
    const int32_t *turn = c->turns, *end = turn + c->nturns;
    uint32_t n = 0;

    for (uint32_t b = 0; b < c->nblocks; b++) {
        int32_t first = c->block[b], last = c->block[b + 1] - 1;

        for (; turn < end && *turn < last; turn++) {
            const struct jit_ins *x = &c->v[*turn];

            if (x->plain || (x->falls && x->nsucc == 1 && !x->decided))
                continue;
            to[n++] = (struct straight){.first = first, .last = *turn};
            first = *turn + 1;
        }
        turn += turn < end && *turn == last;
        to[n++] = (struct straight){.first = first, .last = last};
    }
    rt_assert(turn == end && to[n - 1].last == c->n - 1);
    return n;
}

/* Where sets have one word, what an instruction loses that leads to the next one
 * only is no more live before it than what it assigns: it counts as that, so that
 * the instructions themselves need not be looked at. */
static void
count_lost(struct jit_fn *c, const struct straight *b)
{
    uint32_t from, kept;

    rt_assert(c->words == 1 && c->does != NULL);
    for (uint32_t i = 0; i < c->nlosers; i++) {
        int32_t k = c->losers[i];

        rt_assert(k < c->n && c->v[k].loses);
        while (b->last < k)
            b++;
        if (b->last == k)
            continue;
        jit_lost(&c->v[k], &from, &kept);
        c->does[k].defs |= rt_bits_within(0, from, c->vs) &
            ~rt_bits_within(0, from + 2, from + 2 + kept);
    }
}

static RT_ALWAYS_INLINE bool
is_same(const uint64_t *a, const uint64_t *b, uint32_t words)
{
    uint64_t differs = 0;

    for (uint32_t w = 0; w < words; w++)
        differs |= a[w] ^ b[w];
    return differs == 0;
}

static RT_ALWAYS_INLINE void
copy(uint64_t *to, const uint64_t *from, uint32_t words)
{
    for (uint32_t w = 0; w < words; w++)
        to[w] = from[w];
}

/* What is live in b, if that is not known yet for what lives through its last
 * instruction, which was `through`; whether something else is live where it
 * begins than before.  Nothing in a frame assigns slots of those around it, and
 * what leads out of one is the last of its piece: what the frames around need
 * lives there.  set: room. */
static RT_ALWAYS_INLINE bool
update(struct jit_fn *c, const struct straight *b, uint64_t *through,
    uint64_t *set, uint32_t words, bool seen)
{
    int32_t k = b->last;
    uint64_t *live = c->live + (size_t)k * words;

    rt_assert(b->first <= k && k < c->n);
    live_through(c, &c->v[k], set, words);
    if (seen && is_same(through, set, words))
        return false;
    copy(through, set, words);
    transfer(c, k, set, words);
    for (int32_t first = b->first; k > first; k--) {
        copy(live, set, words);
        live -= words;
        if (words != 1)
            lose(c, &c->v[k - 1], set, words);
        transfer(c, k - 1, set, words);
    }
    if (is_same(live, set, words))
        return false;
    copy(live, set, words);
    return true;
}

/* Again and again, from the end, until nothing changes.  through, set: room. */
static RT_ALWAYS_INLINE void
find_live(struct jit_fn *c, const struct straight *b, uint32_t n,
    uint64_t *through, uint64_t *set, uint32_t words)
{
    bool again = true;

    for (bool seen = false; again; seen = true) {
        again = false;
        for (uint32_t i = n; i-- > 0;)
            again |= update(
                c, &b[i], through + (size_t)i * words, set, words, seen);
    }
}

/* ---- checks -------------------------------------------------------------- */

/* Where f's frame, which is that one, stands while x is executed; NULL: it is
 * not around x.  end: of its slots then. */
static const struct code_ins *
stands_at(const struct jit_fn *c, const struct code_func *f, uint32_t frame,
    const struct jit_ins *x, uint32_t *end)
{
    const struct jit_frame *frames = c->jit->frames;
    const struct code_ins *pc = x->pc;

    *end = f->nslots;
    for (uint32_t i = x->frame; i != frame; i = frames[i].up) {
        if (i == 0)
            return NULL;
        pc = frames[i].ret;
        *end = frames[i].base - 2u - frames[frame].base;
    }
    return pc;
}

/* The compiler and the collector agree on what is live in f, whose frame is
 * that one, also while functions that it calls are executed: nothing is
 * missing here that counts there. */
static bool
covers(const struct jit_fn *c, const struct code_func *f, uint32_t frame)
{
    uint64_t *table = code_live_compute(c->im, f);
    uint32_t base = c->jit->frames[frame].base, end;
    bool ok = true;

    for (int32_t k = 0; table != NULL && k < c->n && ok; k++) {
        const struct jit_ins *x = &c->v[k];
        const struct code_ins *pc = stands_at(c, f, frame, x, &end);
        if (pc == NULL || x->part || !x->reached)
            continue;
        const uint64_t *live = code_live_at(table, (uint32_t)(pc - f->code));
        for (uint32_t s = 0; s < f->nslots && s < end; s++)
            ok &= !rt_bit_get(live, s) || c->pinned[base + s] ||
                rt_bit_get(jit_live(c, k), base + s);
    }
    free(table);
    return ok;
}

static bool
covers_all(const struct jit_fn *c)
{
    bool ok = covers(c, c->f, 0);

    for (uint32_t i = c->first_frame; i < c->jit->nframes; i++)
        ok &= covers(c, c->jit->frames[i].f, i);
    return ok;
}

/* Where the frames end that x is in: so far there is room. */
static uint32_t
room_at(const struct jit_fn *c, const struct jit_ins *x)
{
    const struct jit_frame *frames = c->jit->frames;
    uint32_t most = c->f->extent;

    for (uint32_t i = x->frame; i != 0; i = frames[i].up) {
        uint32_t end = (uint32_t)frames[i].base + frames[i].f->extent;
        most = end > most ? end : most;
    }
    return most;
}

/* Nothing is live where there need not be memory for it: what is live is
 * written there around calls and at exits.  Neither is where an instruction has
 * been begun, as the call that a closure is moved for to its function's frame. */
static bool
stays_inside(const struct jit_fn *c)
{
    bool ok = true;

    for (int32_t k = 0; k < c->n && ok; k++)
        for (uint32_t s = room_at(c, &c->v[k]); s < c->vs && ok; s++)
            ok = !c->v[k].reached || c->v[k].part ||
                !rt_bit_get(jit_live(c, k), s);
    return ok;
}

bool
jit_liveness(struct jit_fn *c)
{
    uint64_t *through, *set, only;
    uint32_t n;

    c->live = jit_room(c, (size_t)(c->n + 1) * c->words, 8);
    void *scratch = rt_arena_at(c->mem);
    struct straight *b = jit_room(c, (size_t)c->n, sizeof *b);
    if (c->failed)
        return false;
    /* Only by a jump backwards is anything asked for before it is known; behind
     * the end nothing is live. */
    memset(jit_live(c, c->n), 0, 8u * c->words);
    for (uint32_t i = 0; i < c->nblocks && c->loops_back; i++)
        memset(jit_live(c, c->block[i]), 0, 8u * c->words);
    n = find_straight(c, b);
    through = jit_room(c, (size_t)n * c->words, 8);
    set = jit_room(c, c->words, 8);
    if (c->failed)
        return false;
    if (c->words == 1)
        count_lost(c, b);
    if (c->words == 1)
        find_live(c, b, n, through, &only, 1);
    else if (c->words == 2)
        find_live(c, b, n, through, set, 2);
    else
        find_live(c, b, n, through, set, c->words);
    rt_assert_full(covers_all(c));
    rt_assert_full(stays_inside(c));
    rt_arena_shorten(c->mem, scratch);
    return true;
}
