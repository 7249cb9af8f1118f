/* SPDX-License-Identifier: MIT */

/* Where jumps lead, and how deep loops are. */
#include "runtime/jit/jit_int.h"

#include "runtime/code/opinfo.h"

static inline void
set_leader(struct jit_fn *c, int32_t k)
{
    c->v[k].leader = true;
    rt_bit_set(c->leaders, (uint32_t)k);
}

static inline void
lead(struct jit_fn *c, const struct jit_ins *x, int32_t k, int32_t to)
{
    if (!x->falls || to != k + 1)
        set_leader(c, to);
    if (to <= k) {
        c->v[to].header = true;
        rt_bit_set(c->stops, (uint32_t)to);
    }
}

/* A jump backwards ends a loop, which is all between. */
static void
deepen(struct jit_fn *c, int32_t to, int32_t from)
{
    rt_assert(to >= 0 && to <= from && from < c->n);
    for (int32_t i = to; i <= from; i++)
        if (c->v[i].depth < JIT_DEPTH)
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
    struct jit_ins *x = &c->v[k], *end = &c->v[c->n];

    for (;;) {
        if (x->plain)
            x++;
        else if (x->nsucc == 1 && x->w[0].op != OP_SWITCH)
            x = &c->v[x->succ[0]];
        else
            break;
        if (x == end || x->reached)
            return;
        x->reached = true;
    }
    jit_each_succ(c, x, reach, t);
}

/* What has been found out before, of another flow. */
static void
forget_flow(struct jit_fn *c)
{
    for (uint32_t i = c->first_frame; i < c->jit->nframes; i++)
        c->jit->frames[i].shows = false;
    for (int32_t k = 0; k < c->n; k++) {
        struct jit_ins *x = &c->v[k];

        x->reached = x->leader = x->header = false;
        x->resumes = x->lands = x->shows = false;
        x->depth = 0;
    }
}

bool
jit_reach(struct jit_fn *c)
{
    struct todo t = {jit_room(c, (size_t)c->n, sizeof *t.v), 0};

    if (c->failed)
        return false;
    if (c->flows)
        forget_flow(c);
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
        f->asked || !jit_repeats(c, f->f) || !jit_calls_back(f->f))
        return;
    struct jit_ins *behind = &c->v[f->behind];
    if (behind->reached && behind->frame == 0 && !behind->part) {
        set_leader(c, f->behind);
        behind->resumes = true;
    }
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
jit_show_frame(struct jit_fn *c, struct jit_ins *x)
{
    rt_assert(x->frame != 0 && x->reached);
    if (!shows_frame(c, x))
        return;
    x->shows = true;
    rt_bit_set(c->stops, (uint32_t)(x - c->v));
    land_behind(c, x);
    c->jit->frames[x->frame].shows = true;
}

/* Leaders and headers of what instruction k, which need not be plain, leads to;
 * whether a way leads back. */
static bool
turn(struct jit_fn *c, int32_t k)
{
    struct jit_ins *x = &c->v[k];
    bool back = false;

    if (x->reached && x->kind == JIT_INLINE)
        resume_behind(c, x);
    if (x->falls && x->nsucc == 1 && x->w[0].op != OP_SWITCH)
        return false;
    for (unsigned i = 0; i < x->nsucc; i++) {
        int32_t to = x->succ[i];

        if (to < c->n)
            lead(c, x, k, to);
        if (to <= k) {
            back = true;
            land_behind(c, &c->v[to]);
        }
    }
    if (x->w[0].op == OP_SWITCH)
        for (int32_t i = 0; i <= x->w[0].imm && x->succ[0] + i < c->n; i++)
            set_leader(c, x->succ[0] + i);
    if (!x->falls && k + 1 < c->n)
        set_leader(c, k + 1);
    return back;
}

bool
jit_leaders(struct jit_fn *c)
{
    bool defers = (c->f->flags & CODE_F_DEFER) != 0, back = false;

    c->flows = true;
    /* Nothing falls into it that is known here. */
    for (int32_t k = 0; k < c->n && defers; k++)
        if (jit_recovers_at(c, &c->v[k])) {
            set_leader(c, k);
            c->v[k].resumes = true;
        }
    for (uint32_t i = 0; i < c->nturns; i++)
        back |= turn(c, c->turns[i]);
    c->loops_back = back;
    for (uint32_t i = 0; i < c->nturns && back; i++) {
        int32_t k = c->turns[i];

        for (unsigned way = 0; way < c->v[k].nsucc; way++)
            if (c->v[k].succ[way] <= k)
                deepen(c, c->v[k].succ[way], k);
    }
    return true;
}

bool
jit_blocks(struct jit_fn *c)
{
    c->lead = jit_room(c, (size_t)c->n + 1, sizeof *c->lead);
    c->block = jit_room(c, (size_t)c->n + 1, sizeof *c->block);
    if (c->failed)
        return false;
    rt_assert(c->n > 0);
    memset(c->lead, 0xff, ((size_t)c->n + 1) * sizeof *c->lead); /* -1 */
    c->lead[0] = 0;
    c->block[0] = 0;
    c->nblocks = 1;
    RT_EACH_BIT (k, c->leaders, (uint32_t)c->n) {
        rt_assert(c->v[k].leader);
        if (k == 0)
            continue;
        c->lead[k] = (int32_t)c->nblocks;
        c->block[c->nblocks++] = (int32_t)k;
    }
    c->block[c->nblocks] = c->n;
    return true;
}

/* ---- what is executed seldom --------------------------------------------- */

static void
count_way(struct jit_fn *c, int32_t to, void *arg)
{
    uint32_t *ways = arg;

    rt_assert(to < c->n);
    /* The one in order comes with the first other one. */
    if (ways[to]++ == 0 && to > 0 && c->v[to - 1].plain &&
        c->v[to - 1].reached)
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

static inline bool
calls(const struct jit_ins *x)
{
    return (x->kind == JIT_CALL ||
               (x->kind == JIT_HELPER && x->w[0].op == OP_CALLN)) &&
        !x->cold;
}

/* Whether what follows at k, up to where it branches, calls Go code, or a
 * native: before block_end(). */
static bool
block_calls(const struct jit_fn *c, int32_t k)
{
    const struct jit_ins *x = &c->v[k], *end = &c->v[c->n];

    do
        if (calls(x))
            return true;
    while (!x->ends && ++x < end && !x->leader);
    return false;
}

/* The block at k, if one way leads there: within it each instruction has but the
 * one before it. */
static void
set_cold(struct jit_fn *c, int32_t k, const uint32_t *ways)
{
    int32_t end = block_end(c, k);

    rt_assert(!c->v[k].leader || ways[k] > 0);
    if (c->v[k].leader && ways[k] != 1)
        return;
    for (; k < end; k++)
        c->v[k].cold = true;
}

uint32_t *
jit_count_ways(struct jit_fn *c)
{
    uint32_t *ways = jit_alloc(c, (size_t)c->n, sizeof *ways);

    if (ways == NULL)
        return NULL;
    for (uint32_t i = 0; i < c->nturns; i++)
        if (c->v[c->turns[i]].reached)
            jit_each_succ(c, &c->v[c->turns[i]], count_way, ways);
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
    for (uint32_t i = 0; i < c->nturns; i++) {
        const struct jit_ins *x = &c->v[c->turns[i]];

        if (x->nsucc != 2 || x->frame == 0 || x->kind != JIT_NATIVE ||
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
