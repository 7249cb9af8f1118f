/* SPDX-License-Identifier: MIT */

/*
 * A function's instructions as the compiler sees them: leaves spliced in,
 * targets of jumps as numbers of instructions, operands one by one.
 */
#include "runtime/jit/jit_int.h"

#include <string.h>

#include "runtime/code/atomics.h"
#include "runtime/code/leaf.h"
#include "runtime/code/opinfo.h"

/* In place of an offset in succ, until it is resolved. */
enum { SUCC_NEXT = -1, SUCC_END = -2 };

void *
jit_alloc(struct jit_fn *c, size_t n, size_t size)
{
    void *p = rt_arena_array(&c->mem, n + 1, size);

    if (p == NULL)
        c->failed = true;
    return p;
}

/* ---- instructions ------------------------------------------------------- */

/* Whether the machine does all that is in the leaf itself. */
static bool
can_splice(struct jit_fn *c, const struct code_func *leaf, uint32_t base)
{
    if (leaf == c->f || !code_is_leaf(c->im, leaf) ||
        base + leaf->extent > c->f->extent)
        return false;
    for (uint32_t i = 0; i < leaf->ncode;
         i += 1 + code_ext_words(leaf->code + i)) {
        struct jit_ins x = {.pc = leaf->code + i};

        for (unsigned w = 0; w <= code_ext_words(x.pc); w++)
            x.w[w] = x.pc[w];
        enum jit_kind kind = jit_x64_kind(c, &x);
        if ((kind != JIT_NATIVE && x.w[0].op != OP_THROW) ||
            jit_x64_has_slow(c, &x))
            return false;
    }
    return true;
}

/* An upper bound of how many instructions there will be. */
static size_t
count(const struct jit_fn *c)
{
    size_t n = c->f->ncode;

    for (uint32_t i = 0; i < c->f->ncode;
         i += 1 + code_ext_words(c->f->code + i)) {
        const struct code_ins *pc = c->f->code + i;
        if (pc->op == OP_CALL && code_is_leaf(c->im, &c->im->funcs[pc->imm]))
            n += 2 * (size_t)c->im->funcs[pc->imm].ncode + 1;
    }
    return n;
}

static struct jit_ins *
put(struct jit_fn *c, const struct code_ins *pc)
{
    struct jit_ins *x = &c->v[c->n++];
    unsigned n = code_ext_words(pc);

    rt_assert((size_t)c->n <= c->max_ins);
    x->pc = pc;
    for (unsigned i = 0; i <= n && i < JIT_INS_WORDS; i++)
        x->w[i] = pc[i];
    return x;
}

/* What the slots of a leaf's instruction are in the caller. */
static void
shift_slots(struct code_ins *w, uint16_t base)
{
    const struct code_opinfo *o = code_opinfo(w->op);

    rt_assert(o != NULL && base >= 2); /* a frame has a header */
    if (strchr("dumwB", o->col[0][0]) != NULL)
        w->a = (uint16_t)(w->a + base);
    if (o->fmt == CODE_FMT_AI || o->fmt == CODE_FMT_I)
        return;
    if (strchr("dumw", o->col[1][0]) != NULL)
        w->b = (uint16_t)(w->b + base);
    if (strchr("dumw", o->col[2][0]) != NULL)
        w->c = (uint16_t)(w->c + base);
}

/* What may follow the instruction at offset off of f, as offsets. */
static void
set_succ(struct jit_ins *x, const struct code_func *f, uint32_t off)
{
    uint32_t succ[2];

    x->nsucc = (uint8_t)code_successors(f, off, succ);
    for (unsigned i = 0; i < x->nsucc; i++)
        x->succ[i] = (int32_t)succ[i];
    x->falls =
        x->nsucc > 0 && x->w[0].op != OP_JMP && x->w[0].op != OP_LJMP;
}

/* Turns offsets into numbers of instructions from first on; those of leaves
 * among them have been turned already. */
static void
resolve(struct jit_fn *c, int32_t first, const int32_t *at)
{
    for (int32_t k = first; k < c->n; k++) {
        struct jit_ins *x = &c->v[k];

        for (unsigned i = 0; !x->resolved && i < x->nsucc; i++)
            if (x->succ[i] == SUCC_NEXT)
                x->succ[i] = k + 1;
            else
                x->succ[i] = x->succ[i] == SUCC_END ? c->n : at[x->succ[i]];
        rt_assert(x->nsucc < 1 || (x->succ[0] >= 0 && x->succ[0] <= c->n));
        rt_assert(x->nsucc < 2 || (x->succ[1] >= 0 && x->succ[1] <= c->n));
        x->resolved = true;
    }
}

/* A leaf's return: its results to where the caller looks for them, and a jump
 * behind the leaf. */
static void
splice_return(struct jit_fn *c, const struct code_ins *pc, uint16_t base,
    const struct code_ins *ret)
{
    struct jit_ins *x;

    if (pc->op != OP_RET) {
        x = put(c, pc);
        x->w[0] = (struct code_ins){
            .op = pc->op == OP_RET1 ? OP_MOV : OP_MOV2};
        x->w[0].a = base;
        x->w[0].b = (uint16_t)(pc->a + base);
        x->nsucc = 1;
        x->succ[0] = SUCC_NEXT;
        x->falls = true;
        x->leaf_ret = ret;
        x->base = base;
    }
    x = put(c, pc);
    x->w[0] = (struct code_ins){.op = OP_JMP};
    x->nsucc = 1;
    x->succ[0] = SUCC_END;
    x->leaf_ret = ret;
    x->base = base;
}

static void
splice(struct jit_fn *c, const struct code_func *leaf,
    const struct code_ins *call)
{
    int32_t *at = jit_alloc(c, leaf->ncode, sizeof *at);
    int32_t first = c->n;

    rt_assert(call->op == OP_CALL && leaf != c->f);
    rt_assert(call->a + (uint32_t)leaf->extent <= c->ns);
    if (at == NULL)
        return;
    for (uint32_t i = 0; i < leaf->ncode;
         i += 1 + code_ext_words(leaf->code + i)) {
        const struct code_ins *pc = leaf->code + i;

        at[i] = c->n;
        if (pc->op == OP_RET || pc->op == OP_RET1 || pc->op == OP_RET2) {
            splice_return(c, pc, call->a, call + 1);
            continue;
        }
        struct jit_ins *x = put(c, pc);
        x->leaf_ret = call + 1;
        x->base = call->a;
        shift_slots(&x->w[0], call->a);
        set_succ(x, leaf, i);
    }
    at[leaf->ncode] = c->n;
    resolve(c, first, at);
}

bool
jit_decode(struct jit_fn *c)
{
    const struct code_func *f = c->f;
    int32_t *at = jit_alloc(c, f->ncode, sizeof *at);

    c->ns = f->extent;
    c->words = (c->ns + 63) / 64;
    c->max_ins = count(c);
    c->v = jit_alloc(c, c->max_ins, sizeof *c->v);
    if (c->failed)
        return false;
    for (uint32_t i = 0; i < f->ncode; i += 1 + code_ext_words(f->code + i)) {
        struct jit_ins *x = put(c, f->code + i);
        const struct code_func *g = &c->im->funcs[0];

        at[i] = c->n - 1;
        set_succ(x, f, i);
        if (x->w[0].op == OP_CALL)
            g = &c->im->funcs[x->w[0].imm];
        if (x->w[0].op == OP_CALL && can_splice(c, g, x->w[0].a)) {
            x->kind = JIT_LEAF;
            x->succ[0] = SUCC_NEXT;
            splice(c, g, x->pc);
        }
    }
    at[f->ncode] = c->n;
    resolve(c, 0, at);
    for (int32_t k = 0; k < c->n; k++)
        if (c->v[k].kind != JIT_LEAF)
            c->v[k].kind = (uint8_t)jit_x64_kind(c, &c->v[k]);
    return !c->failed;
}

/* ---- operands ----------------------------------------------------------- */

bool
jit_call_base(const struct jit_ins *x, uint32_t *base)
{
    *base = x->w[0].a;
    return x->kind == JIT_CALL || x->w[0].op == OP_CALLN ||
        x->w[0].op == OP_RUNDEFER;
}

/* Where an operand of x has to be; i: the how many-th it is. */
static enum jit_place
place_of(const struct jit_ins *x, uint32_t i)
{
    switch ((enum jit_kind)x->kind) {
    case JIT_NATIVE:
        return JIT_ANY;
    case JIT_CALL: /* the closure or interface comes first */
        return (x->w[0].op == OP_CALLC && i < 1) ||
                (x->w[0].op == OP_CALLI && i < 2) ? JIT_ANY : JIT_MEMORY;
    case JIT_LEAVE:
    case JIT_LEAF:
        return JIT_NOWHERE;
    default:
        return JIT_MEMORY;
    }
}

static void
put_slot(struct jit_fn *c, struct jit_ins *x, uint32_t slot,
    const struct code_operand *o, uint32_t i)
{
    if (slot >= c->ns) {
        c->failed = true;
        return;
    }
    if (c->op != NULL)
        c->op[c->nop] = (struct jit_opnd){.slot = (uint16_t)slot,
            .def = o->def || o->may,
            .use = o->use || o->may,
            .place = (uint8_t)place_of(x, x->nops),
            .holds = (uint8_t)code_class_of(o, i)};
    c->nop++;
    x->nops++;
}

static void
put_operand(void *arg, const struct code_operand *o)
{
    struct jit_fn *c = arg;

    for (uint32_t i = 0; i < o->n; i++)
        put_slot(c, jit_now(c), o->slot + i, o, i);
}

/* Slots that are accessed by address, or in parts. */
static void
pin(struct jit_fn *c, const struct jit_ins *x)
{
    uint32_t slot = (uint32_t)x->w[0].imm / 8;

    if (x->w[0].op >= OP_FX8U && x->w[0].op <= OP_FS32 && slot < c->ns)
        c->pinned[slot] = 1;
    if (x->w[0].op == OP_FLDX || x->w[0].op == OP_FSTX)
        for (slot = x->w[0].b; slot < c->ns; slot++)
            c->pinned[slot] = 1;
}

/* Of an atomic operation, in place of those of a call. */
static void
put_atomic(struct jit_fn *c, const struct jit_ins *x)
{
    struct code_operand args = {.slot = x->w[0].a, .use = true, .holds = "pi"};
    struct code_operand res = {.slot = x->w[0].a, .def = true, .holds = "i"};
    struct code_atomic a;
    bool is = code_is_atomic(&c->im->natives[x->w[0].imm], &a);

    rt_assert(is);
    args.n = a.nargs;
    res.n = a.nres;
    if (a.wide && a.op == CODE_ATOMIC_LOAD)
        res.holds = "x"; /* it may be a pointer */
    put_operand(c, &args);
    put_operand(c, &res);
}

bool
jit_is_atomic(const struct jit_ins *x)
{
    return x->w[0].op == OP_CALLN && x->kind == JIT_NATIVE;
}

static void
put_operands(struct jit_fn *c)
{
    c->nop = 0;
    for (c->k = 0; c->k < c->n; c->k++) {
        struct jit_ins *x = jit_now(c);
        struct code_operand args = {.use = true, .holds = "x"};

        x->ops = c->nop;
        x->nops = 0;
        pin(c, x);
        /* In a leaf all words are there, with the caller's slots. */
        code_operands(c->im, x->leaf_ret != NULL ? x->w : x->pc, put_operand,
            c);
        if (jit_is_atomic(x))
            put_atomic(c, x);
        else if (x->leaf_ret == NULL &&
            code_call_area(c->im, x->pc, &args.slot, &args.n)) {
            if (args.n > c->ns - args.slot)
                args.n = c->ns - args.slot;
            put_operand(c, &args);
        }
    }
}

/* Deferred functions may let a function go on at recover_off at any time. */
static void
pin_recovered(struct jit_fn *c)
{
    const uint64_t *live;

    if ((c->f->flags & CODE_F_DEFER) == 0)
        return;
    live = vm_live_at(c->jit->vm, c->f, c->f->recover_off);
    for (uint32_t i = 0; i < c->f->nslots; i++)
        if (live == NULL || jit_has(live, i))
            c->pinned[i] = 1;
}

bool
jit_operands(struct jit_fn *c)
{
    c->pinned = jit_alloc(c, c->ns, 1);
    if (c->failed)
        return false;
    put_operands(c);
    pin_recovered(c);
    uint32_t n = c->nop;
    c->op = jit_alloc(c, n, sizeof *c->op);
    if (!c->failed)
        put_operands(c);
    rt_assert(c->nop == n); /* as many as were counted */
    return !c->failed;
}

/* Calls f for each slot that holds a result of call x and is live behind. */
static uint32_t
each_result(struct jit_fn *c, const struct jit_ins *x, struct jit_opnd *to)
{
    uint32_t base, n = 0;

    if (jit_is_atomic(x) || !jit_call_base(x, &base) || x->nsucc == 0 ||
        x->succ[0] >= c->n)
        return 0;
    for (uint32_t s = base; s < c->ns; s++)
        if (jit_has(jit_live(c, x->succ[0]), s)) {
            if (to != NULL)
                to[n] = (struct jit_opnd){.slot = (uint16_t)s, .def = true,
                    .place = JIT_MEMORY};
            n++;
        }
    return n;
}

bool
jit_results(struct jit_fn *c)
{
    uint32_t n = c->nop, at = 0;

    for (int32_t k = 0; k < c->n; k++)
        n += each_result(c, &c->v[k], NULL);
    struct jit_opnd *op = jit_alloc(c, n, sizeof *op);
    if (op == NULL)
        return false;
    for (int32_t k = 0; k < c->n; k++) {
        struct jit_ins *x = &c->v[k];

        memcpy(op + at, c->op + x->ops, x->nops * sizeof *op);
        x->ops = at;
        x->nops += each_result(c, x, op + at + x->nops);
        at += x->nops;
    }
    rt_assert(at == n);
    c->op = op;
    c->nop = n;
    return true;
}
