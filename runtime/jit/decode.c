/* SPDX-License-Identifier: MIT */

/*
 * A function's instructions as the compiler sees them: small functions spliced
 * in, targets of jumps as numbers of instructions.
 */
#include "runtime/jit/jit_int.h"

#include <string.h>

#include "runtime/code/opinfo.h"

/* In place of an offset in succ, until it is resolved. */
enum { SUCC_END = -2 };

/* Behind the last one of those that are to be resolved. */
enum { NO_INS = -1 };

/* There is room for so many at first, where others are spliced in: most often
 * that is enough, also for short functions that call others, and what is not used
 * costs nothing. */
enum { INS_PER_WORD = 4, INS_MORE = 512 };

/* Words of a move beyond which a function of C copies them. */
enum { MOVED_MAX = 16 };

void *
jit_alloc(struct jit_fn *c, size_t n, size_t size)
{
    void *p = jit_room(c, n, size);

    if (p != NULL)
        memset(p, 0, (n + 1) * size);
    return p;
}

/* ---- instructions ------------------------------------------------------- */

/* Room for n instructions and one more; NULL: memory is exhausted. */
static struct jit_ins *
room_for_ins(struct jit_fn *c, size_t n)
{
    enum { ALIGN = _Alignof(struct jit_ins) };
    uint8_t *p = jit_room(c, (n + 1) * sizeof(struct jit_ins) + ALIGN, 1);

    if (p == NULL)
        return NULL;
    return (struct jit_ins *)(void *)(p + -(uintptr_t)p % ALIGN);
}

/* Room for n more instructions behind those that there are; false: memory is
 * exhausted.  What has been asked about them before is elsewhere then. */
static bool
more_ins(struct jit_fn *c, size_t n)
{
    size_t max = 2 * c->max_ins + n;
    struct jit_ins *v = room_for_ins(c, max);

    if (v == NULL)
        return false;
    memcpy(v, c->v, (size_t)c->n * sizeof *v);
    c->v = v;
    c->max_ins = max;
    return true;
}

static inline bool
room_for_more(struct jit_fn *c, size_t n)
{
    return (size_t)c->n + n <= c->max_ins || more_ins(c, n);
}

/* All of it is nothing.  Compilers make that a few stores for each of two parts,
 * but a loop for more than 64 bytes, which takes three times as long.  Where
 * sanitizers look, they take the second part for what is behind no object. */
static inline void
clear(struct jit_ins *x)
{
    enum { PART = 64 }; /* bytes */

    if (RT_ASAN) {
        *x = (struct jit_ins){0};
        return;
    }
    memset(x, 0, PART);
    memset((uint8_t *)x + PART, 0, sizeof *x - PART);
}
_Static_assert(sizeof(struct jit_ins) <= 128, "each part has 64 bytes at most");

/* Of x nothing is known but where it stands. */
static inline void
begin(struct jit_ins *x, uint32_t frame, const struct code_ins *pc)
{
    clear(x);
    x->pc = pc;
    x->frame = frame;
}

/* Instruction x leads to the one in order, which has that number. */
static inline void
fall(struct jit_ins *x, int32_t next)
{
    x->nsucc = 1;
    x->succ[0] = next;
    x->falls = x->plain = true;
}

/* Another instruction of that frame, of which nothing else is known; NULL: memory
 * is exhausted.  What it has answered before is elsewhere then. */
static inline struct jit_ins *
put_empty(struct jit_fn *c, uint32_t frame, const struct code_ins *pc)
{
    if (!room_for_more(c, 1))
        return NULL;
    struct jit_ins *x = &c->v[c->n++];
    begin(x, frame, pc);
    return x;
}

/* The same with its words, so many behind the first. */
static inline struct jit_ins *
put(struct jit_fn *c, uint32_t frame, const struct code_ins *pc, unsigned n)
{
    struct jit_ins *x = put_empty(c, frame, pc);
    unsigned op = code_plain(pc->op);

    if (x == NULL)
        return NULL;
    x->w[0] = pc[0];
    for (unsigned i = 1; i <= n && i < JIT_INS_WORDS; i++)
        x->w[i] = pc[i];
    if (op != pc->op) {
        x->w[0].op = (uint16_t)op;
        x->watched = true;
    }
    return x;
}

static void
shift_slot(uint16_t *slot, uint16_t base)
{
    if (*slot != CODE_NO_SLOT)
        *slot = (uint16_t)(*slot + base);
}

/* What the slots of a spliced instruction are in the outermost function. */
static void
shift_slots(const struct jit_fn *c, struct code_ins *w, uint16_t base)
{
    unsigned slots = c->jit->shapes[w->op].shifts;

    rt_assert(base >= 2); /* a frame has a header */
    if ((slots & 1) != 0)
        shift_slot(&w->a, base);
    if (w->op == OP_MAPGETOK)
        shift_slot(&w[1].a, base);
    if (w->op >= OP_FX8U && w->op <= OP_FS32)
        w->imm += 8 * base;
    if ((slots & 2) != 0)
        shift_slot(&w->b, base);
    if ((slots & 4) != 0)
        shift_slot(&w->c, base);
}

/* What becomes of x, which is not spliced in. */
static inline void
set_kind(struct jit_fn *c, struct jit_ins *x)
{
    int kind = c->jit->shapes[x->w[0].op].kind;

    rt_assert_full(kind < 0 || kind == (int)jit_x64_kind(c, x));
    x->kind = (uint8_t)(kind >= 0 ? kind : (int)jit_x64_kind(c, x));
    if (kind != JIT_NATIVE)
        x->loses = jit_makes_call(x);
    rt_assert(x->loses == jit_makes_call(x));
}

/* The instruction x, which has been put last, leads to the next one. */
static inline void
lead_on(const struct jit_fn *c, struct jit_ins *x)
{
    rt_assert(x == &c->v[c->n - 1]);
    fall(x, c->n);
    if (x->w[0].op == OP_SWITCH) /* and to the others behind that */
        x->plain = false;
}

/* The succ of x, which has been put last, are numbers once all instructions of
 * its function are there. */
static inline void
resolve_later(struct jit_fn *c, struct jit_ins *x)
{
    rt_assert(x == &c->v[c->n - 1]);
    x->other = c->unresolved;
    c->unresolved = c->n - 1;
}

/* What may follow the instruction at offset off of f: as offsets, unless it is
 * the next one only. */
static inline void
set_succ(struct jit_fn *c, struct jit_ins *x, const struct code_func *f,
    uint32_t off)
{
    uint32_t succ[2];

    if (c->jit->shapes[x->w[0].op].goes_on) {
        lead_on(c, x);
        return;
    }
    resolve_later(c, x);
    x->nsucc = (uint8_t)code_successors(f, off, succ);
    for (unsigned i = 0; i < x->nsucc; i++)
        x->succ[i] = (int32_t)succ[i];
    x->falls =
        x->nsucc > 0 && x->w[0].op != OP_JMP && x->w[0].op != OP_LJMP;
}

/* Turns offsets into numbers of instructions, and SUCC_END into `end`. */
static void
resolve(struct jit_fn *c, const int32_t *at, int32_t end)
{
    while (c->unresolved != NO_INS) {
        struct jit_ins *x = &c->v[c->unresolved];

        for (unsigned i = 0; i < x->nsucc; i++)
            x->succ[i] = x->succ[i] == SUCC_END ? end : at[x->succ[i]];
        rt_assert(x->nsucc < 1 || (x->succ[0] >= 0 && x->succ[0] <= end));
        rt_assert(x->nsucc < 2 || (x->succ[1] >= 0 && x->succ[1] <= end));
        c->unresolved = x->other;
        x->other = 0;
    }
}

/* An instruction in the place of the one at pc, or of a part of that, that
 * leads to the next one. */
static struct jit_ins *
put_as(struct jit_fn *c, uint32_t frame, const struct code_ins *pc,
    struct code_ins w)
{
    struct jit_ins *x = put(c, frame, pc, jit_words_behind(c, pc));

    if (x == NULL)
        return NULL;
    rt_assert(!x->watched && code_plain(w.op) == w.op);
    x->w[0] = w;
    x->made = true;
    lead_on(c, x);
    set_kind(c, x);
    return x;
}

/* n words from one slot to another, one at a time, in the place of pc: each
 * word may have a register of its own then.  None is written before it is
 * read. */
static void
put_moves(struct jit_fn *c, uint32_t frame, const struct code_ins *pc,
    uint32_t to, uint32_t from, uint32_t n)
{
    if (!room_for_more(c, n))
        return;
    struct jit_ins *x = c->v + c->n;
    int32_t next = c->n;
    for (uint32_t i = 0; i < n; i++, x++) {
        uint32_t word = to <= from ? i : n - 1 - i;

        begin(x, frame, pc);
        x->w[0] = (struct code_ins){.op = OP_MOV,
            .a = (uint16_t)(to + word), .b = (uint16_t)(from + word)};
        fall(x, ++next);
        x->made = true;
        x->part = i > 0;
        rt_assert(x->kind == JIT_NATIVE && !x->loses);
    }
    c->n = next;
}

uint32_t
jit_moved(const struct code_ins *pc)
{
    if (pc->op == OP_MOVN)
        return pc->c <= MOVED_MAX ? pc->c : 0;
    return pc->op == OP_MOV2 ? 2 : pc->op == OP_MOV3 ? 3 : 0;
}

uint32_t
jit_results_of(const struct code_ins *pc)
{
    return pc->op == OP_RET ? 0
        : pc->op == OP_RET1 ? 1
        : pc->op == OP_RET2 ? 2
                            : pc->b;
}

/* A spliced function's return: its results to where the caller looks for them,
 * and a jump behind it, which of the last one leads to what follows. */
static void
splice_return(
    struct jit_fn *c, uint32_t frame, const struct code_ins *pc, bool last)
{
    uint32_t base = c->jit->frames[frame].base, n = jit_results_of(pc);

    put_moves(c, frame, pc, base, pc->a + base, n);
    struct jit_ins *x =
        put_as(c, frame, pc, (struct code_ins){.op = OP_JMP});
    if (x == NULL)
        return;
    x->part = n > 0;
    x->ends = x->loses = true;
    if (last)
        return;
    x->succ[0] = SUCC_END;
    x->falls = x->plain = false;
    resolve_later(c, x);
}

static bool
is_return(const struct code_ins *pc)
{
    return pc->op == OP_RET || pc->op == OP_RET1 || pc->op == OP_RET2 ||
        pc->op == OP_RETN;
}

static void decode(struct jit_fn *c, const struct code_func *f,
    uint32_t frame, int32_t after);

/* Puts the callee of the call that has been put last behind it.  One that asks
 * is followed by the call itself, too. */
static void
splice(struct jit_fn *c, const struct code_func *callee)
{
    int32_t call = c->n - 1;
    struct jit_ins *x = &c->v[call];
    const struct code_ins *pc = x->pc;
    bool asks = jit_inline_asks(x);
    uint32_t up = x->frame, frame = jit_new_frame(c, callee, x);
    struct code_ins w = x->w[0];

    if (frame == 0)
        return;
    if (w.op == OP_CALLI)
        c->jit->frames[frame].type = jit_guessed_type(c, x);
    x->kind = JIT_INLINE;
    x->loses = true;
    x->callee = frame;
    x->plain = false;
    rt_assert(x->succ[0] == call + 1);
    c->closures |= w.op == OP_CALLC;
    rt_assert(w.a + (uint32_t)callee->extent <= c->ns);
    if ((w.op == OP_CALLC && (callee->flags & CODE_F_CLOSURE) != 0) ||
        w.op == OP_CALLI) {
        struct code_ins move = {.op = OP_MOV};
        bool method = w.op == OP_CALLI;
        move.a = (uint16_t)(method ? w.a : w.a + callee->ctx);
        move.b = (uint16_t)(method ? w.b + 1 : w.b);
        x = put_as(c, up, pc, move);
        if (x == NULL)
            return;
        x->part = true;
    }
    decode(c, callee, frame, asks);
    c->jit->frames[frame].behind = c->n + asks;
    if (!asks)
        return;
    c->v[call].nsucc = 2;
    c->v[call].succ[1] = c->n;
    x = put_as(c, up, pc, w);
    if (x != NULL)
        x->cold = true;
}

/* Puts the function that the wrapper of that frame calls at pc, at its end,
 * behind it. */
static void
splice_instead(struct jit_fn *c, uint32_t frame, const struct code_ins *pc,
    int32_t after)
{
    const struct code_func *f = &c->im->funcs[pc->imm];
    uint32_t instead = jit_new_frame_instead(c, f, frame);
    struct jit_ins *x = put(c, frame, pc, 0);

    if (x == NULL || instead == 0)
        return;
    lead_on(c, x);
    x->w[0].a = c->jit->frames[frame].base;
    x->kind = JIT_INLINE;
    x->loses = true;
    x->plain = false;
    x->callee = instead;
    decode(c, f, instead, after);
    c->jit->frames[instead].behind = c->n + after;
}

/* The instructions of f from offset i on that are easy, of that frame; the offset
 * of the first other one.  Two of three are so.  at: by offset, their numbers. */
static RT_ALWAYS_INLINE uint32_t
put_easy(struct jit_fn *c, const struct code_func *f, uint32_t frame,
    uint32_t i, uint32_t end, int32_t *at)
{
    const struct jit_shape *shapes = c->jit->shapes;
    uint16_t base = c->jit->frames[frame].base;
    const struct code_ins *pc = f->code + i;

    if (!room_for_more(c, end - i))
        return i;
    struct jit_ins *x = c->v + c->n;
    int32_t next = c->n;
    for (; i < end; i++, pc++, x++) {
        if (pc->op >= OP_COUNT || !shapes[pc->op].easy)
            break;
        unsigned shifts = shapes[pc->op].shifts;

        at[i] = next;
        begin(x, frame, pc);
        x->w[0] = *pc;
        rt_assert_full(jit_x64_kind(c, x) == JIT_NATIVE && !jit_makes_call(x));
        fall(x, ++next);
        if (frame == 0)
            continue;
        if ((shifts & 1) != 0)
            shift_slot(&x->w[0].a, base);
        if ((shifts & 2) != 0)
            shift_slot(&x->w[0].b, base);
        if ((shifts & 4) != 0)
            shift_slot(&x->w[0].c, base);
    }
    c->n = next;
    return i;
}

/* The instructions of f, which is what the frame is of; its returns lead so
 * many instructions behind them. */
static void
decode(struct jit_fn *c, const struct code_func *f, uint32_t frame,
    int32_t after)
{
    int32_t *at = jit_room(c, f->ncode, sizeof *at);
    int32_t unresolved = c->unresolved; /* the caller's */
    uint32_t end = frame == 0 ? f->ncode : jit_end_of(c, f);

    if (c->failed)
        return;
    c->unresolved = NO_INS;
    for (uint32_t i = 0, behind; !c->failed; i += 1 + behind) {
        i = put_easy(c, f, frame, i, end, at);
        if (i >= end)
            break;
        const struct code_ins *pc = f->code + i;

        behind = jit_words_behind(c, pc);
        at[i] = c->n;
        if (frame != 0 && is_return(pc)) {
            splice_return(c, frame, pc,
                after == 0 && i + 1 + behind == end);
            continue;
        }
        if (frame != 0 && pc->op == OP_TAILCALL) {
            splice_instead(c, frame, pc, after);
            continue;
        }
        if (jit_moved(pc) > 0) {
            uint32_t base = frame == 0 ? 0 : c->jit->frames[frame].base;
            put_moves(c, frame, pc, pc->a + base, pc->b + base,
                jit_moved(pc));
            continue;
        }
        struct jit_ins *x = put(c, frame, pc, behind);
        if (x == NULL)
            return;
        if (frame != 0)
            shift_slots(c, x->w, c->jit->frames[frame].base);
        set_succ(c, x, f, i);
        set_kind(c, x);
        if (x->w[0].op == OP_CALLI)
            jit_guess_type(c, x);
        else if (x->w[0].op != OP_CALL && x->w[0].op != OP_CALLC)
            continue;
        const struct code_func *callee = jit_inlined(c, x);
        if (callee != NULL)
            splice(c, callee);
    }
    at[f->ncode] = c->n;
    if (!c->failed)
        resolve(c, at, c->n + after);
    c->unresolved = unresolved;
}

bool
jit_decode(struct jit_fn *c)
{
    c->ns = c->f->extent;
    c->max_ins = c->f->ncode + (size_t)1;
    if (!c->alone)
        c->max_ins = INS_PER_WORD * c->max_ins + INS_MORE;
    c->first_frame = c->jit->nframes;
    c->v = room_for_ins(c, c->max_ins);
    if (c->failed)
        return false;
    decode(c, c->f, 0, 0);
    /* What follows takes the place of the room that is left, and of what only this
     * has needed: it is so in each function, and the cache still has it. */
    if (!c->failed)
        rt_arena_shorten(c->mem, c->v + c->n + 1);
    c->loops = NULL;
    c->nloops = 0;
    c->vs = c->ns;
    c->words = (c->ns + 63) / 64;
    return !c->failed;
}
