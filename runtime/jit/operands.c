/* SPDX-License-Identifier: MIT */

/*
 * The operands of instructions, one by one: which slot it is, whether it is read
 * or assigned, and where it has to be.
 */
#include "runtime/jit/jit_int.h"

#include <string.h>

#include "runtime/code/arith.h"
#include "runtime/code/atomics.h"
#include "runtime/code/live.h"
#include "runtime/code/opinfo.h"
#include "runtime/jit/access.h"

bool
jit_call_base(const struct jit_ins *x, uint32_t *base)
{
    *base = x->w[0].a;
    return jit_makes_call(x);
}

/* What x loses: that is asked again and again. */
static void
note_lost(const struct jit_fn *c, struct jit_ins *x)
{
    uint32_t base = x->w[0].a, kept = 0;

    if (jit_makes_call(x)) {
        /* all of it */
    } else if (x->kind == JIT_INLINE) {
        kept = c->jit->frames[x->callee].f->nargs;
    } else {
        rt_assert(x->ends);
        base = jit_frame_of(c, x)->base;
        kept = jit_results_of(x->pc);
    }
    rt_assert(base >= 2 && base - 2 <= UINT16_MAX && kept <= UINT16_MAX);
    x->lost_from = (uint16_t)(base - 2);
    x->lost_kept = (uint16_t)kept;
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
    if (slot >= c->ns || x->nops == UINT16_MAX ||
        (c->nop == c->max_ops && !more_operands(c))) {
        c->failed = true;
        return;
    }
    c->op[c->nop++] = (struct jit_opnd){.slot = (uint16_t)slot,
        .def = o->def || o->may,
        .use = o->use || o->may,
        .place = place_of(x, x->nops) & 3,
        .holds = holds & 7};
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
    struct jit_does does = {0, 0};
    uint64_t columns; /* op, a, b and c */
    uint32_t ns = c->ns, n;

    if (c->nop + CODE_FIXED_MAX > c->max_ops && !more_operands(c))
        return does;
    rt_assert(!is_of_array(x, 1));
    memcpy(&columns, w, sizeof columns);
    struct jit_opnd *first = c->op + c->nop, *o = first;
    const struct jit_fixed *s = shape->slot, *end = s + shape->n;
    for (; s < end; s++) {
        uint32_t at = (uint16_t)(columns >> s->shift);
        uint32_t slot = at + s->is.slot;

        if (slot >= ns) {
            if (at == CODE_NO_SLOT) {
                x->assigns = UINT8_MAX; /* the others have other numbers */
                continue;
            }
            c->failed = true;
            return does;
        }
        does.uses |= (uint64_t)s->use << slot % 64;
        does.defs |= (uint64_t)s->def << slot % 64;
        *o = s->is;
        o->slot = (uint16_t)slot;
        o++;
    }
    n = (uint32_t)(o - first);
    if (x->kind != JIT_NATIVE || x->decided)
        for (uint32_t i = 0; i < n; i++)
            first[i].place = place_of(x, i) & 3;
    rt_assert(x->nops <= UINT16_MAX - n);
    x->nops = (uint16_t)(x->nops + n);
    c->nop += n;
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
    x->assigns = UINT8_MAX;
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

/* What jit_leaders() and jit_find_resumes() are to look at: for them nobody walks
 * over all instructions once more, of which each takes two lines of the cache. */
static RT_ALWAYS_INLINE void
look_at(
    struct jit_fn *c, struct jit_ins *x, int32_t k, const struct jit_shape *shape)
{
    if (!x->plain)
        c->turns[c->nturns++] = k;
    if (x->kind != JIT_NATIVE)
        rt_bit_set(c->stops, (uint32_t)k);
    else if (!shape->slow)
        return;
    if (x->frame != 0 && x->reached)
        jit_show_frame(c, x);
}

/* Instruction k is a move, as two of five are: nothing is to be asked of it but its
 * slots.  There is room. */
static RT_ALWAYS_INLINE void
put_move(struct jit_fn *c, struct jit_ins *x, int32_t k,
    const struct jit_shape *shape)
{
    struct jit_opnd *o = c->op + c->nop;
    uint32_t to = x->w[0].a, from = x->w[0].b;

    rt_assert(x->plain && x->kind == JIT_NATIVE && !x->loses && !x->decided);
    rt_assert(shape->n == 2 && shape->slot[0].def && shape->slot[1].use);
    o[0] = shape->slot[0].is;
    o[1] = shape->slot[1].is;
    o[0].slot = (uint16_t)to;
    o[1].slot = (uint16_t)from;
    x->ops = c->nop;
    x->nops = 2;
    x->assigns = 1;
    x->in_order = true;
    c->nop += 2;
    c->failed |= to >= c->ns || from >= c->ns;
    if (c->does != NULL)
        c->does[k] = (struct jit_does){
            (uint64_t)1 << from % 64, (uint64_t)1 << to % 64};
}

static void
put_operands(struct jit_fn *c)
{
    const struct jit_shape *shapes = c->jit->shapes;

    for (int32_t k = 0; k < c->n && !c->failed; k++) {
        struct jit_ins *x = &c->v[k];
        const struct jit_shape *shape = &shapes[x->w[0].op];

        if (x->w[0].op == OP_MOV && !x->moved && c->nop + 2 <= c->max_ops) {
            put_move(c, x, k, shape);
            continue;
        }
        look_at(c, x, k, shape);
        x->ops = c->nop;
        x->nops = 0;
        if (x->loses) {
            c->losers[c->nlosers++] = k;
            note_lost(c, x);
        }
        if (shape->simple && x->object == 0 && !x->moved) {
            x->assigns = shape->assigns;
            struct jit_does does = put_fixed(c, x, x->w, shape);
            x->in_order = shape->in_order;
            if (c->does != NULL)
                c->does[k] = does;
            continue;
        }
        jit_go_to(c, k);
        x->in_order = false;
        x->assigns = UINT8_MAX;
        if (x->moved)
            jit_put_moved(c, x);
        else
            put_special(c, x);
    }
}

/* Whether the table says the same, as far as there is one. */
static bool
is_recovered_set(const struct jit_fn *c, const uint64_t *set)
{
    const uint64_t *live =
        vm_live_at(c->jit->vm, c->f, c->f->recover_off);
    bool same = true;

    for (uint32_t i = 0; i < c->f->nslots && live != NULL; i++)
        same &= rt_bit_get(set, i) == rt_bit_get(live, i);
    return same;
}

/* Deferred functions may let a function go on at recover_off at any time. */
static void
pin_recovered(struct jit_fn *c)
{
    const uint64_t *live;

    if ((c->f->flags & CODE_F_DEFER) == 0 || c->memory)
        return;
    uint64_t *set = jit_alloc(c, c->f->nslots / 64u + 1, sizeof *set);
    if (c->failed)
        return;
    if (code_live_recovered(c->im, c->f, set)) {
        rt_assert_full(is_recovered_set(c, set));
        live = set;
    } else {
        live = vm_live_at(c->jit->vm, c->f, c->f->recover_off);
    }
    for (uint32_t i = 0; i < c->f->nslots; i++)
        if (live == NULL || rt_bit_get(live, i))
            c->pinned[i] = 1;
}

bool
jit_operands(struct jit_fn *c)
{
    uint32_t words = (uint32_t)c->n / 64 + 1; /* of a set of instructions */

    c->nop = c->nlosers = c->nturns = 0;
    if (!c->flows)
        c->turns = jit_room(c, (size_t)c->n, sizeof *c->turns);
    c->leaders = jit_alloc(c, words, 8);
    c->stops = jit_alloc(c, words, 8);
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
    if (x->nops + n > UINT16_MAX) {
        c->failed = true;
        return;
    }
    while (c->nop + x->nops + n > c->max_ops)
        if (!more_operands(c))
            return;
    if (x->nops > 0)
        memcpy(c->op + c->nop, c->op + x->ops, x->nops * sizeof *c->op);
    x->ops = c->nop;
    c->nop += x->nops;
    x->nops = (uint16_t)(x->nops + n);
    for (uint32_t w = from / 64; w < c->words; w++)
        for (uint64_t b = live[w] & rt_bits_within(w, from, c->vs); b != 0;
             b &= b - 1)
            c->op[c->nop++] = (struct jit_opnd){
                .slot = (uint16_t)(64 * w + (uint32_t)__builtin_ctzll(b)),
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
