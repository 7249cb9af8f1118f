/* SPDX-License-Identifier: MIT */

/*
 * A function's instructions as the compiler sees them: small functions spliced
 * in, targets of jumps as numbers of instructions, operands one by one.
 */
#include "runtime/jit/jit_int.h"

#include <string.h>

#include "runtime/code/arith.h"
#include "runtime/code/atomics.h"
#include "runtime/code/opinfo.h"
#include "runtime/jit/access.h"

/* In place of an offset in succ, until it is resolved. */
enum { SUCC_END = -2 };

/* Behind the last one of those that are to be resolved. */
enum { NO_INS = -1 };

/* There is room for so many at first, where others are spliced in: most often
 * that is enough, and what is not used costs nothing. */
enum { INS_PER_WORD = 4 };

/* Words of a move beyond which a function of C copies them. */
enum { MOVED_MAX = 16 };

static void *
take(struct jit_fn *c, size_t n, size_t size, int fill)
{
    void *p = rt_arena_array(c->mem, n + 1, size);

    if (p == NULL)
        c->failed = true;
    else if (fill >= 0)
        memset(p, fill, (n + 1) * size);
    return p;
}

void *
jit_alloc(struct jit_fn *c, size_t n, size_t size)
{
    return take(c, n, size, 0);
}

void *
jit_room(struct jit_fn *c, size_t n, size_t size)
{
    enum { POISON = VOLE_CHECKS >= 2 ? 0xa5 : -1 };

    return take(c, n, size, POISON);
}

/* ---- instructions ------------------------------------------------------- */

/* Room for more instructions; false: memory is exhausted. */
static bool
more_ins(struct jit_fn *c)
{
    struct jit_ins *v = jit_room(c, 2 * c->max_ins, sizeof *v);

    if (v == NULL)
        return false;
    memcpy(v, c->v, c->max_ins * sizeof *v);
    c->v = v;
    c->max_ins *= 2;
    return true;
}

/* All of it is nothing.  Compilers make that a few stores for each of two parts,
 * but a loop for more than 64 bytes, which takes three times as long. */
static inline void
clear(struct jit_ins *x)
{
    enum { PART = 64 };

    memset(x, 0, PART);
    memset((uint8_t *)x + PART, 0, sizeof *x - PART);
}
_Static_assert(sizeof(struct jit_ins) <= 128, "each part has 64 bytes at most");

/* Another instruction of that frame, with so many words behind it; NULL: memory
 * is exhausted.  What put() has answered before is elsewhere then. */
static inline struct jit_ins *
put(struct jit_fn *c, uint32_t frame, const struct code_ins *pc, unsigned n)
{
    if ((size_t)c->n == c->max_ins && !more_ins(c))
        return NULL;
    struct jit_ins *x = &c->v[c->n++];
    clear(x);
    x->pc = pc;
    x->frame = frame;
    x->w[0] = pc[0];
    for (unsigned i = 1; i <= n && i < JIT_INS_WORDS; i++)
        x->w[i] = pc[i];
    x->w[0].op = (uint16_t)code_plain(pc->op);
    x->watched = x->w[0].op != pc->op;
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

static inline bool
makes_call(const struct jit_ins *x)
{
    return x->kind == JIT_CALL || x->w[0].op == OP_CALLN ||
        x->w[0].op == OP_RUNDEFER;
}

/* What becomes of x, which is not spliced in. */
static inline void
set_kind(struct jit_fn *c, struct jit_ins *x)
{
    int kind = c->jit->shapes[x->w[0].op].kind;

    rt_assert_full(kind < 0 || kind == (int)jit_x64_kind(c, x));
    x->kind = (uint8_t)(kind >= 0 ? kind : (int)jit_x64_kind(c, x));
    x->loses = kind != JIT_NATIVE && makes_call(x);
    rt_assert(x->loses == makes_call(x));
}

/* The instruction x, which has been put last, leads to the next one. */
static inline void
lead_on(const struct jit_fn *c, struct jit_ins *x)
{
    rt_assert(x == &c->v[c->n - 1]);
    x->nsucc = 1;
    x->succ[0] = c->n;
    x->falls = true;
    x->plain = x->w[0].op != OP_SWITCH;
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
    for (uint32_t i = 0; i < n; i++) {
        uint32_t word = to <= from ? i : n - 1 - i;
        struct code_ins w = {.op = OP_MOV};

        w.a = (uint16_t)(to + word);
        w.b = (uint16_t)(from + word);
        struct jit_ins *x = put_as(c, frame, pc, w);
        if (x == NULL)
            return;
        x->part = i > 0;
    }
}

uint32_t
jit_moved(const struct code_ins *pc)
{
    if (pc->op == OP_MOVN)
        return pc->c <= MOVED_MAX ? pc->c : 0;
    return pc->op == OP_MOV2 ? 2 : pc->op == OP_MOV3 ? 3 : 0;
}

/* How many slots a return leaves in the caller's. */
static uint32_t
results_of(const struct code_ins *pc)
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
    uint32_t base = c->jit->frames[frame].base, n = results_of(pc);

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
    for (uint32_t i = 0, behind; i < end && !c->failed; i += 1 + behind) {
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
    c->max_ins = (c->alone ? 1 : INS_PER_WORD) * (size_t)(c->f->ncode + 1u);
    c->first_frame = c->jit->nframes;
    c->v = jit_room(c, c->max_ins, sizeof *c->v);
    if (c->failed || (!c->alone && !jit_find_loops(c)))
        return false;
    decode(c, c->f, 0, 0);
    c->vs = c->ns;
    c->words = (c->ns + 63) / 64;
    return !c->failed;
}

/* ---- operands ----------------------------------------------------------- */

bool
jit_call_base(const struct jit_ins *x, uint32_t *base)
{
    *base = x->w[0].a;
    return makes_call(x);
}

void
jit_find_lost(const struct jit_fn *c, const struct jit_ins *x, uint32_t *from,
    uint32_t *kept)
{
    uint32_t base;

    *kept = 0;
    if (jit_call_base(x, &base)) {
        *from = base - 2;
    } else if (x->kind == JIT_INLINE) {
        *from = x->w[0].a - 2u;
        *kept = c->jit->frames[x->callee].f->nargs;
    } else {
        rt_assert(x->ends);
        *from = jit_frame_of(c, x)->base - 2u;
        *kept = results_of(x->pc);
    }
}

/* Whether the operand is one of an array in the frame, of which one is found by
 * its index. */
static bool
is_of_array(const struct jit_ins *x, uint32_t i)
{
    return (x->w[0].op == OP_FLDX || x->w[0].op == OP_FSTX) && i > 0 &&
        i <= (uint32_t)x->w[1].imm;
}

/* Where an operand of x has to be; i: the how many-th it is. */
static enum jit_place
place_of(const struct jit_ins *x, uint32_t i)
{
    if (x->decided)
        return JIT_NOWHERE;
    switch ((enum jit_kind)x->kind) {
    case JIT_NATIVE:
        return is_of_array(x, i) ? JIT_PINNED : JIT_ANY;
    case JIT_CALL: /* the closure or interface comes first */
        return (x->w[0].op == OP_CALLC && i < 1) ||
                (x->w[0].op == OP_CALLI && i < 2) ? JIT_ANY : JIT_MEMORY;
    case JIT_LEAVE:
        return JIT_NOWHERE;
    case JIT_INLINE:
        return jit_inline_asks(x) && i < 1 ? JIT_ANY : JIT_NOWHERE;
    default:
        return JIT_MEMORY;
    }
}

/* Room for more operands, and a few that are none behind them; false: memory is
 * exhausted. */
static bool
more_operands(struct jit_fn *c)
{
    enum { BEHIND = 2 };
    uint32_t max = c->max_ops == 0 ? 3 * (uint32_t)c->n + 2 * CODE_FIXED_MAX
                                   : 2 * c->max_ops;
    struct jit_opnd *op = jit_room(c, (size_t)max + BEHIND, sizeof *op);

    if (op == NULL)
        return false;
    if (c->nop > 0)
        memcpy(op, c->op, c->nop * sizeof *op);
    c->op = op;
    c->max_ops = max;
    return true;
}

static inline void
put_slot(struct jit_fn *c, struct jit_ins *x, uint32_t slot,
    const struct code_operand *o, enum code_class holds)
{
    if (slot >= c->ns || (c->nop == c->max_ops && !more_operands(c))) {
        c->failed = true;
        return;
    }
    c->op[c->nop++] = (struct jit_opnd){.slot = (uint16_t)slot,
        .def = o->def || o->may,
        .use = o->use || o->may,
        .place = (uint8_t)place_of(x, x->nops),
        .holds = (uint8_t)holds};
    x->nops++;
}

static void
put_operand(void *arg, const struct code_operand *o)
{
    struct jit_fn *c = arg;
    struct jit_ins *x = jit_now(c);
    bool any = o->holds[0] == 'x'; /* whatever it is */

    for (uint32_t i = 0; i < o->n; i++)
        put_slot(c, x, o->slot + i, o,
            any ? CODE_CLASS_ANY : code_class_of(o, i));
}

/* What x does, once all of its operands are there. */
static void
note_does(struct jit_fn *c, const struct jit_ins *x)
{
    const struct jit_opnd *o = c->op + x->ops, *end = o + x->nops;
    struct jit_does does = {0, 0};

    if (c->does == NULL)
        return;
    for (; o < end; o++) {
        does.uses |= (uint64_t)o->use << o->slot % 64;
        does.defs |= (uint64_t)o->def << o->slot % 64;
    }
    c->does[x - c->v] = does;
}

/* The operands that all instructions of the kind have, behind those that x has:
 * what they do. */
static RT_ALWAYS_INLINE struct jit_does
put_fixed(struct jit_fn *c, struct jit_ins *x, const struct code_ins *w,
    const struct jit_shape *shape)
{
    bool elsewhere = x->kind != JIT_NATIVE || x->decided;
    struct jit_does does = {0, 0};
    uint64_t columns; /* op, a, b and c */
    uint32_t ns = c->ns;

    if (c->nop + CODE_FIXED_MAX > c->max_ops && !more_operands(c))
        return does;
    rt_assert(!is_of_array(x, 1));
    memcpy(&columns, w, sizeof columns);
    struct jit_opnd *first = c->op + c->nop, *o = first;
    const struct jit_fixed *s = shape->slot, *end = s + shape->n;
    for (; s < end; s++) {
        uint32_t at = (uint16_t)(columns >> 16 * (1 + s->column));
        uint32_t slot = at + s->plus;

        if (slot >= ns) {
            if (at == CODE_NO_SLOT)
                continue;
            c->failed = true;
            return does;
        }
        does.uses |= (uint64_t)s->use << slot % 64;
        does.defs |= (uint64_t)s->def << slot % 64;
        o->slot = (uint16_t)slot;
        o->def = s->def;
        o->use = s->use;
        o->place = s->place;
        o->holds = s->holds;
        if (elsewhere)
            o->place = (uint8_t)place_of(x, (uint32_t)(o - first));
        o++;
    }
    x->nops += (uint32_t)(o - first);
    c->nop += (uint32_t)(o - first);
    return does;
}
_Static_assert(offsetof(struct code_ins, a) == 2 &&
    offsetof(struct code_ins, b) == 4 && offsetof(struct code_ins, c) == 6,
    "put_fixed() takes columns from all of an instruction");

/* Of one that writes a part of a slot: the slot has a new value then. */
static void
put_part(struct jit_fn *c, const struct jit_ins *x)
{
    if (x->w[0].op < OP_FS8 || x->w[0].op > OP_FS32 || c->failed)
        return;
    rt_assert(x->nops == 2 && c->op[x->ops].use &&
        c->op[x->ops].slot == (uint32_t)x->w[0].imm / 8);
    c->op[x->ops].def = true;
}

/* Of a native that is no call, in place of those of one. */
static void
put_native(struct jit_fn *c, const struct jit_ins *x)
{
    const struct code_native *native = &c->im->natives[x->w[0].imm];
    struct code_operand args = {.slot = x->w[0].a, .use = true, .holds = "pi"};
    struct code_operand res = {.slot = x->w[0].a, .def = true, .holds = "i"};
    struct code_atomic a = {.wide = false};
    bool arith = code_arith_of(native) != CODE_ARITH_NONE;
    bool known = arith || code_is_atomic(native, &a);

    rt_assert(known);
    args.n = native->nargs;
    res.n = native->nres;
    if (arith)
        args.holds = "i";
    if (a.wide && a.op == CODE_ATOMIC_LOAD)
        res.holds = "x"; /* it may be a pointer */
    put_operand(c, &args);
    put_operand(c, &res);
}

bool
jit_is_native(const struct jit_ins *x)
{
    return x->w[0].op == OP_CALLN && x->kind == JIT_NATIVE;
}

/* Where the slots end of the function that x is in. */
static uint32_t
frame_end(const struct jit_fn *c, const struct jit_ins *x)
{
    const struct jit_frame *f = jit_frame_of(c, x);
    uint32_t end =
        x->frame == 0 ? c->f->extent : (uint32_t)f->base + f->f->extent;

    return end < c->ns ? end : c->ns;
}

/* The variables' own slots, and the address by which the interpreter reaches
 * one. */
static void
put_vars(struct jit_fn *c, struct jit_ins *x)
{
    struct code_operand o = {.holds = "x"};
    bool loads = x->known && jit_is_load(x->w[0].op);

    for (uint32_t i = 0; i < x->nwords; i++) {
        uint32_t slot = jit_slot_of_word(c, x->object, x->word + i);
        o.def = !loads;
        o.use = loads;
        if (slot != 0)
            put_slot(c, x, slot, &o, CODE_CLASS_ANY);
    }
    if (!x->known || x->pointer == x->w[0].b)
        return;
    o.def = false;
    o.use = true;
    put_slot(c, x, x->pointer, &o, CODE_CLASS_ANY);
    if (!c->failed)
        c->op[c->nop - 1].place = JIT_NOWHERE;
}

/* Of x, whose kind says more than which slots it has, what that is. */
static void
put_special(struct jit_fn *c, struct jit_ins *x)
{
    struct code_operand args = {.use = true, .holds = "x"};
    const struct code_ins *w = jit_words(x);
    const struct jit_shape *shape = &c->jit->shapes[code_plain(w->op)];

    if (x->kind == JIT_INLINE && w->op == OP_TAILCALL) {
        args.slot = w->a;
        args.n = c->jit->frames[x->callee].f->nargs;
        put_operand(c, &args);
        note_does(c, x);
        return;
    }
    if (shape->n >= 0)
        (void)put_fixed(c, x, w, shape);
    else
        code_operands(c->im, w, put_operand, c);
    put_part(c, x);
    if (x->object != 0)
        put_vars(c, x);
    if (jit_is_native(x)) {
        put_native(c, x);
    } else if (!x->part && code_call_area(c->im, w, &args.slot, &args.n)) {
        uint32_t end = frame_end(c, x);
        /* The collector does not know who is called, even if it is known
         * here. */
        if (x->kind == JIT_INLINE && !x->decided)
            args.n = c->jit->frames[x->callee].f->nargs;
        else if (args.n > end - args.slot)
            args.n = end - args.slot;
        put_operand(c, &args);
    }
    note_does(c, x);
}

void
jit_put_moved(struct jit_fn *c, struct jit_ins *x)
{
    const struct code_ins *was = &x->w[JIT_WAS];
    const struct jit_shape *shape = &c->jit->shapes[was->op];
    uint32_t n;

    rt_assert(x->moved && x->made && shape->n >= 0);
    x->ops = c->nop;
    x->nops = 0;
    (void)put_fixed(c, x, x->w, &c->jit->shapes[x->w[0].op]);
    n = x->nops;
    (void)put_fixed(c, x, was, shape);
    /* Of the load, what it reads: only by that it can be done again. */
    for (uint32_t i = n; i < x->nops;) {
        struct jit_opnd *o = &c->op[x->ops + i];

        if (o->use) {
            o->place = JIT_NOWHERE;
            i++;
        } else {
            *o = c->op[--c->nop];
            x->nops--;
        }
    }
    note_does(c, x);
}

static void
put_operands(struct jit_fn *c)
{
    for (jit_go_to(c, 0); c->k < c->n && !c->failed;
         jit_go_to(c, c->k + 1)) {
        struct jit_ins *x = jit_now(c);
        const struct jit_shape *shape = &c->jit->shapes[x->w[0].op];

        x->ops = c->nop;
        x->nops = 0;
        if (x->loses)
            c->losers[c->nlosers++] = c->k;
        if (x->moved) {
            jit_put_moved(c, x);
        } else if (shape->simple && x->object == 0) {
            struct jit_does does = put_fixed(c, x, x->w, shape);
            if (c->does != NULL)
                c->does[c->k] = does;
        } else {
            put_special(c, x);
        }
    }
}

/* Deferred functions may let a function go on at recover_off at any time. */
static void
pin_recovered(struct jit_fn *c)
{
    const uint64_t *live;

    if ((c->f->flags & CODE_F_DEFER) == 0 || c->memory)
        return;
    live = vm_live_at(c->jit->vm, c->f, c->f->recover_off);
    for (uint32_t i = 0; i < c->f->nslots; i++)
        if (live == NULL || rt_bit_get(live, i))
            c->pinned[i] = 1;
}

bool
jit_operands(struct jit_fn *c)
{
    c->nop = c->nlosers = 0;
    c->pinned = jit_alloc(c, c->ns, 1);
    c->losers = jit_room(c, (size_t)c->n, sizeof *c->losers);
    c->does = c->words == 1 && !c->memory
        ? jit_room(c, (size_t)c->n, sizeof *c->does)
        : NULL;
    if (c->failed)
        return false;
    if (c->memory)
        memset(c->pinned, 1, c->ns);
    put_operands(c);
    pin_recovered(c);
    return !c->failed;
}

/* Puts an operand for each slot that holds a result of call x and is live
 * behind; of what is spliced in, that holds whatever was there when its frame
 * begins.  With them its operands are behind those of all others. */
static void
put_results(struct jit_fn *c, struct jit_ins *x)
{
    bool splices = x->kind == JIT_INLINE;
    uint32_t from, n;

    if (splices)
        from = x->w[0].a + (uint32_t)c->jit->frames[x->callee].f->nargs;
    else if (jit_is_native(x) || !jit_call_base(x, &from))
        return;
    if (x->nsucc == 0 || x->succ[0] >= c->n)
        return;
    const uint64_t *live = jit_live(c, x->succ[0]);
    n = (uint32_t)rt_bits_count(live, from, c->vs);
    if (n == 0)
        return;
    while (c->nop + x->nops + n > c->max_ops)
        if (!more_operands(c))
            return;
    if (x->nops > 0)
        memcpy(c->op + c->nop, c->op + x->ops, x->nops * sizeof *c->op);
    x->ops = c->nop;
    c->nop += x->nops;
    x->nops += n;
    RT_EACH_BIT (s, live, c->ns)
        if (s >= from && s < c->vs)
            c->op[c->nop++] = (struct jit_opnd){.slot = (uint16_t)s,
                .def = true,
                .place = splices ? JIT_NOWHERE : JIT_MEMORY};
}

bool
jit_results(struct jit_fn *c)
{
    for (uint32_t i = 0; i < c->nlosers && !c->failed; i++)
        put_results(c, &c->v[c->losers[i]]);
    return !c->failed;
}
