/* SPDX-License-Identifier: MIT */

/* Where jumps lead, how deep loops are, and which slots are live. */
#include "runtime/jit/jit_int.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/code/live.h"
#include "runtime/code/opinfo.h"

enum { DEPTH_MAX = 6 };

static void
lead(struct jit_fn *c, int32_t to, void *arg)
{
    const int32_t *from = arg;

    if (!c->v[*from].falls || to != *from + 1)
        c->v[to].leader = true;
    if (to <= *from)
        c->v[to].header = true;
}

/* A jump backwards ends a loop, which is all between. */
static void
deepen(struct jit_fn *c, int32_t to, int32_t from)
{
    rt_assert(to >= 0 && to <= from && from < c->n);
    for (int32_t i = to; i <= from; i++)
        if (c->v[i].depth < DEPTH_MAX)
            c->v[i].depth++;
}

bool
jit_recovers_at(const struct jit_fn *c, const struct jit_ins *x)
{
    return (c->f->flags & CODE_F_DEFER) != 0 && x->frame == 0 &&
        x->pc == c->f->code + c->f->recover_off;
}

/* Instructions that are reached, but not looked at. */
struct todo {
    int32_t *v;
    int32_t n;
};

static void
reach(struct jit_fn *c, int32_t to, void *arg)
{
    struct todo *t = arg;

    if (c->v[to].reached)
        return;
    c->v[to].reached = true;
    t->v[t->n++] = to;
}

/* Marks what instruction k leads to, straight on as long as that is one way. */
static void
follow(struct jit_fn *c, int32_t k, struct todo *t)
{
    const struct jit_ins *x = &c->v[k];

    while (x->plain || (x->nsucc == 1 && x->w[0].op != OP_SWITCH)) {
        k = x->succ[0];
        if (k >= c->n || c->v[k].reached)
            return;
        c->v[k].reached = true;
        x = &c->v[k];
    }
    jit_each_succ(c, x, reach, t);
}

bool
jit_reach(struct jit_fn *c)
{
    struct todo t = {jit_room(c, (size_t)c->n, sizeof *t.v), 0};

    if (c->failed)
        return false;
    for (int32_t k = 0; k < c->n && c->flows; k++)
        c->v[k].reached = false;
    reach(c, 0, &t);
    if ((c->f->flags & CODE_F_DEFER) != 0)
        for (int32_t k = 0; k < c->n; k++)
            if (jit_recovers_at(c, &c->v[k]))
                reach(c, k, &t);
    while (t.n > 0) {
        rt_assert(t.n <= c->n);
        follow(c, t.v[--t.n], &t);
    }
    return true;
}

/* A loop that is spliced in at x may have begun before there was machine code:
 * when it has ended, its caller goes on in machine code. */
static void
resume_behind(struct jit_fn *c, const struct jit_ins *x)
{
    const struct jit_frame *f = &c->jit->frames[x->callee];

    if (x->kind != JIT_INLINE || x->frame != 0 || f->behind >= c->n ||
        f->asked || !jit_calls_back(f->f))
        return;
    struct jit_ins *behind = &c->v[f->behind];
    if (behind->reached && behind->frame == 0 && !behind->part)
        behind->leader = behind->resumes = true;
}

static bool
shows_frame(const struct jit_fn *c, const struct jit_ins *x)
{
    switch ((enum jit_kind)x->kind) {
    case JIT_CALL:
    case JIT_HELPER:
    case JIT_LEAVE:
        return true;
    case JIT_NATIVE:
        return c->jit->shapes[x->w[0].op].slow && !x->there;
    default:
        rt_assert(x->kind == JIT_INLINE);
        return false;
    }
}

/* Somebody may look at the frame of x, which is spliced in, or return from it,
 * and from those around it. */
static void
land_behind(struct jit_fn *c, const struct jit_ins *x)
{
    const struct jit_frame *frames = c->jit->frames;

    for (uint32_t i = x->frame; i != 0; i = frames[i].up) {
        rt_assert(frames[i].behind > 0 && frames[i].behind < c->n);
        c->v[frames[i].behind].lands = true;
    }
}

void
jit_leaders(struct jit_fn *c)
{
    bool defers = (c->f->flags & CODE_F_DEFER) != 0, back = false;

    for (uint32_t i = c->first_frame; i < c->jit->nframes; i++)
        c->jit->frames[i].shows = false;
    for (int32_t k = 0; k < c->n && c->flows; k++) {
        struct jit_ins *x = &c->v[k];

        x->leader = x->header = x->resumes = x->lands = false;
        x->depth = 0;
    }
    c->flows = true;
    for (int32_t k = 0; k < c->n; k++) {
        struct jit_ins *x = &c->v[k];

        /* Nothing falls into it that is known here. */
        if (defers && jit_recovers_at(c, x))
            x->leader = x->resumes = true;
        x->shows = x->frame != 0 && x->reached && shows_frame(c, x);
        if (x->shows) {
            land_behind(c, x);
            c->jit->frames[x->frame].shows = true;
        }
        if (x->plain)
            continue;
        if (x->reached && x->kind == JIT_INLINE)
            resume_behind(c, x);
        if (x->falls && x->nsucc == 1 && x->w[0].op != OP_SWITCH)
            continue;
        jit_each_succ(c, x, lead, &k);
        for (unsigned i = 0; i < x->nsucc; i++)
            if (x->succ[i] <= k) {
                back = true;
                land_behind(c, &c->v[x->succ[i]]);
            }
        if (x->w[0].op == OP_SWITCH)
            for (int32_t i = 0; i <= x->w[0].imm && x->succ[0] + i < c->n; i++)
                c->v[x->succ[0] + i].leader = true;
        if (!x->falls && k + 1 < c->n)
            c->v[k + 1].leader = true;
    }
    c->loops_back = back;
    for (int32_t k = 0; k < c->n && back; k++)
        for (unsigned i = 0; i < c->v[k].nsucc && !c->v[k].plain; i++)
            if (c->v[k].succ[i] <= k)
                deepen(c, c->v[k].succ[i], k);
}

bool
jit_blocks(struct jit_fn *c)
{
    c->lead = jit_room(c, (size_t)c->n + 1, sizeof *c->lead);
    c->block = jit_room(c, (size_t)c->n + 1, sizeof *c->block);
    if (c->failed)
        return false;
    rt_assert(c->n > 0);
    c->nblocks = 0;
    for (int32_t k = 0; k < c->n; k++) {
        bool begins = k == 0 || c->v[k].leader;

        c->lead[k] = begins ? (int32_t)c->nblocks : -1;
        if (begins)
            c->block[c->nblocks++] = k;
    }
    c->block[c->nblocks] = c->n;
    c->lead[c->n] = -1;
    return true;
}

/* ---- what is executed seldom --------------------------------------------- */

static void
count_way(struct jit_fn *c, int32_t to, void *arg)
{
    uint32_t *ways = arg;

    rt_assert(to < c->n);
    ways[to]++;
}

/* The instruction behind the block that k is in, or behind the end of what is
 * spliced in. */
static int32_t
block_end(const struct jit_fn *c, int32_t k)
{
    do
        k++;
    while (k < c->n && !c->v[k].leader && !c->v[k - 1].ends);
    return k;
}

/* Whether what follows at k, up to where it branches, calls Go code. */
static bool
block_calls(const struct jit_fn *c, int32_t k)
{
    for (int32_t end = block_end(c, k); k < end; k++)
        if (c->v[k].kind == JIT_CALL && !c->v[k].cold)
            return true;
    return false;
}

static void
set_cold(struct jit_fn *c, int32_t k, const uint32_t *ways)
{
    int32_t end = block_end(c, k);

    for (; ways[k] == 1 && k < end; k++)
        c->v[k].cold = true;
}

uint32_t *
jit_count_ways(struct jit_fn *c)
{
    uint32_t *ways = jit_alloc(c, (size_t)c->n, sizeof *ways);

    for (int32_t k = 0; k < c->n && ways != NULL; k++)
        if (c->v[k].reached)
            jit_each_succ(c, &c->v[k], count_way, ways);
    return ways;
}

/* A small function that is spliced in and calls on one of two ways does on
 * the other what it is there for: a lock is free, a buffer has room. */
bool
jit_cool(struct jit_fn *c)
{
    uint32_t *ways = NULL;

    if (jit_spliced(c) == 0)
        return true;
    for (int32_t k = 0; k < c->n; k++) {
        const struct jit_ins *x = &c->v[k];

        if (x->plain || x->nsucc != 2 || x->frame == 0 ||
            x->kind != JIT_NATIVE ||
            !x->reached || x->succ[0] >= c->n || x->succ[1] >= c->n)
            continue;
        bool calls = block_calls(c, x->succ[0]);
        if (calls == block_calls(c, x->succ[1]))
            continue;
        if (ways == NULL)
            ways = jit_count_ways(c);
        if (ways == NULL)
            return false;
        set_cold(c, x->succ[!calls], ways);
    }
    return true;
}

/* ---- liveness ------------------------------------------------------------ */

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

/* Of the slots in word w of a set, those before `to`. */
static inline uint64_t
slots_before(uint32_t w, uint32_t to)
{
    uint32_t first = 64 * w;

    if (to >= first + 64)
        return ~(uint64_t)0;
    return to <= first ? 0 : ((uint64_t)1 << (to - first)) - 1;
}

/* What the frames around x need once it has returned, in word w.  A way that
 * ends within x's frame, as one that panics, does not lead there, but the
 * collector, when it comes to a frame around it, counts on the return. */
static inline uint64_t
around(const struct jit_fn *c, const struct jit_ins *x, uint32_t w)
{
    const struct jit_frame *f = c->jit->frames;
    uint64_t set = 0;

    for (uint32_t i = x->frame; i != 0; i = f[i].up) {
        rt_assert(f[i].behind < c->n && f[i].base - 2u < c->ns);
        set |= jit_live(c, f[i].behind)[w] & slots_before(w, f[i].base - 2u);
    }
    return set;
}

/* What x, which loses something, loses in word w. */
static inline uint64_t
lost(const struct jit_fn *c, const struct jit_ins *x, uint32_t w)
{
    uint32_t from, kept;

    jit_find_lost(c, x, &from, &kept);
    return slots_before(w, c->vs) & ~slots_before(w, from) &
        ~(slots_before(w, from + 2 + kept) & ~slots_before(w, from + 2));
}

/* What must have lived before x for what is live behind it, in word w.  What is
 * spliced in may read slots that nobody has assigned, as those behind the
 * arguments of a closure's call: they are its own, and before there need not be
 * room for them. */
static RT_ALWAYS_INLINE uint64_t
live_through(const struct jit_fn *c, const struct jit_ins *x, uint32_t w)
{
    uint64_t set = 0;

    if (x->plain) {
        set = jit_live(c, x->succ[0])[w];
        if (x->loses)
            set &= ~lost(c, x, w);
        return x->frame == 0 ? set : set | around(c, x, w);
    }
    if (x->kind == JIT_INLINE && x->nsucc == 2) {
        set = jit_live(c, x->succ[0])[w] & ~lost(c, x, w);
        set |= jit_live(c, x->succ[1])[w];
        return set | around(c, x, w);
    }
    for (unsigned i = 0; i < x->nsucc; i++)
        if (x->succ[i] < c->n)
            set |= jit_live(c, x->succ[i])[w];
    if (x->w[0].op == OP_SWITCH)
        for (int32_t i = 1; i <= x->w[0].imm; i++) {
            rt_assert(x->succ[0] + i < c->n);
            set |= jit_live(c, x->succ[0] + i)[w];
        }
    /* The collector counts on either way. */
    if (x->decided && x->kind == JIT_NATIVE && x->other < c->n)
        set |= jit_live(c, x->other)[w];
    if (x->loses)
        set &= ~lost(c, x, w);
    return set | around(c, x, w);
}

/* From what lives through instruction k to what is live before it, in word w;
 * only: there is no other one. */
static RT_ALWAYS_INLINE uint64_t
transfer(
    const struct jit_fn *c, int32_t k, uint64_t set, uint32_t w, bool only)
{
    if (only)
        return (set & ~c->does[k].defs) | c->does[k].uses;

    const struct jit_ins *x = &c->v[k];
    const struct jit_opnd *o = c->op + x->ops, *end = o + x->nops;
    uint64_t uses = 0, defs = 0;

    if (c->asked != NULL)
        uses = c->asked[(size_t)k * c->words + w];
    for (; o < end; o++) {
        if (o->slot / 64u != w)
            continue;
        uses |= (uint64_t)o->use << o->slot % 64;
        defs |= (uint64_t)o->def << o->slot % 64;
    }
    return (set & ~defs) | uses;
}

/* Instructions of which each but the last one leads to the next one only. */
struct straight {
    int32_t first, last;
    bool seen;
    uint64_t through; /* what has lived through its last one, if it is seen */
};

/* All of them, in order; how many there are. */
static uint32_t
find_straight(const struct jit_fn *c, struct straight *to)
{
    uint32_t n = 0;
    int32_t first = 0;

    for (int32_t k = 0; k < c->n; k++) {
        const struct jit_ins *x = &c->v[k];

        if ((x->plain || (x->falls && x->nsucc == 1 && !x->decided)) &&
            k + 1 < c->n && !x[1].leader)
            continue;
        to[n++] = (struct straight){.first = first, .last = k};
        first = k + 1;
    }
    rt_assert(first == c->n);
    return n;
}

/* What is live in b, if that is not known yet for what lives through its last
 * instruction; whether something else is live where it begins than before.
 * Nothing in a frame assigns slots of those around it, and what leads out of
 * one is the last of its piece: what the frames around need lives there. */
static RT_ALWAYS_INLINE bool
update(struct jit_fn *c, struct straight *b, uint32_t w, bool only)
{
    uint32_t words = only ? 1 : c->words;
    const struct jit_ins *x = &c->v[b->last];
    uint64_t set = live_through(c, x, w), *live;
    int32_t k = b->last;

    rt_assert(b->first <= k && k < c->n);
    if (b->seen && b->through == set)
        return false;
    b->through = set;
    b->seen = true;
    live = c->live + (size_t)k * words + w;
    set = transfer(c, k, set, w, only);
    for (int32_t first = b->first; k > first; k--) {
        *live = set;
        live -= words;
        x--;
        if (x->loses)
            set &= ~lost(c, x, w);
        set = transfer(c, k - 1, set, w, only);
    }
    if (*live == set)
        return false;
    *live = set;
    return true;
}

/* The slots of one word, of which those of others know nothing. */
static RT_ALWAYS_INLINE void
find_live(
    struct jit_fn *c, struct straight *b, uint32_t n, uint32_t w, bool only)
{
    bool again = true;

    for (uint32_t i = 0; i < n; i++)
        b[i].seen = false;
    while (again) {
        again = false;
        for (uint32_t i = n; i-- > 0;)
            again |= update(c, &b[i], w, only);
    }
}

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
    struct straight *b = jit_room(c, (size_t)c->n, sizeof *b);
    uint32_t n;

    c->live = jit_alloc(c, (size_t)(c->n + 1) * c->words, 8);
    if (c->failed)
        return false;
    n = find_straight(c, b);
    if (c->words == 1)
        find_live(c, b, n, 0, true);
    else
        for (uint32_t w = 0; w < c->words; w++)
            find_live(c, b, n, w, false);
    rt_assert_full(covers_all(c));
    rt_assert_full(stays_inside(c));
    return true;
}
