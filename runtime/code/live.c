/* SPDX-License-Identifier: MIT */

/*
 * The classical backward data-flow analysis over the operand descriptors of
 * opcode.def.  In functions that defer, a call may also go on at recover_off,
 * so what is live there is live everywhere.
 */
#include "runtime/code/live.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/base/bits.h"
#include "runtime/code/opinfo.h"

enum { TOO_LARGE = 1 << 22 }; /* words of bits for one function */

/* What may follow an instruction, beside those of a jump table. */
struct ways {
    uint32_t succ[2];
    uint32_t n;
};

struct flow {
    const struct code_image *im;
    const struct code_func *f;
    uint64_t *live; /* words for each instruction word */
    uint64_t *gen;  /* likewise: slots that it needs, whatever lives behind */
    uint64_t *kill; /* and those that need not live before it for that */
    uint64_t *tmp;
    struct ways *ways; /* by instruction, of those that can be reached */
    uint32_t words;
    uint64_t *needs, *kills; /* gen and kill of the instruction whose operands
                                are put */
};

static void
set_range(uint64_t *bits, uint32_t from, uint32_t n, uint32_t max)
{
    uint32_t end = n < max && from < max - n ? from + n : max;

    rt_bits_fill(bits, from, end, true);
}

static uint64_t *
set_of(const struct flow *fl, uint64_t *sets, uint32_t off)
{
    return sets + (uint64_t)off * fl->words;
}

static void
note_operand(void *arg, const struct code_operand *o)
{
    struct flow *fl = arg;

    if (o->def)
        set_range(fl->kills, o->slot, o->n, fl->f->nslots);
    if (o->use)
        set_range(fl->needs, o->slot, o->n, fl->f->nslots);
}

/* What the instruction needs, to gen, and what it assigns, to kill: its operands,
 * and of a call the arguments, and all behind the header of the callee's frame. */
static void
find_needs(struct flow *fl, uint32_t off, uint64_t *gen, uint64_t *kill)
{
    const struct code_ins *pc = fl->f->code + off;
    uint32_t from, nargs, nslots = fl->f->nslots;
    bool call = code_call_area(fl->im, pc, &from, &nargs);

    fl->needs = gen;
    fl->kills = kill;
    code_operands(fl->im, pc, note_operand, fl);
    if (!call)
        return;
    /* An argument that is an operand, too, is assigned behind that. */
    memset(fl->tmp, 0, 8u * fl->words);
    set_range(fl->tmp, from, nargs, nslots);
    for (uint32_t i = 0; i < fl->words; i++)
        gen[i] |= fl->tmp[i] & ~kill[i];
    if (from >= 2 && from - 2 < nslots)
        set_range(kill, from - 2, nslots, nslots);
}

static void
join(struct flow *fl, uint32_t off)
{
    const uint64_t *live = set_of(fl, fl->live, off);

    for (uint32_t i = 0; off < fl->f->ncode && i < fl->words; i++)
        fl->tmp[i] |= live[i];
}

/* Computes what is live before the instruction; true if that is news. */
static bool
step(struct flow *fl, uint32_t off)
{
    const struct code_func *f = fl->f;
    const struct code_ins *pc = f->code + off;
    uint64_t *in = set_of(fl, fl->live, off);
    const uint64_t *gen = set_of(fl, fl->gen, off);
    const uint64_t *kill = set_of(fl, fl->kill, off);
    const struct ways *to = &fl->ways[off];
    bool news = false;

    for (uint32_t i = 0; i < fl->words; i++)
        fl->tmp[i] = 0;
    for (uint32_t i = 0; i < to->n; i++)
        join(fl, to->succ[i]);
    if (pc->op == OP_SWITCH)
        for (int32_t i = 1; i <= pc->imm; i++)
            join(fl, to->succ[0] + (uint32_t)i);
    for (uint32_t i = 0; i < fl->words; i++)
        fl->tmp[i] = (fl->tmp[i] & ~kill[i]) | gen[i];
    if (f->flags & CODE_F_DEFER)
        join(fl, f->recover_off);
    for (uint32_t i = 0; i < fl->words; i++) {
        news |= in[i] != fl->tmp[i];
        in[i] = fl->tmp[i];
    }
    return news;
}

/* Instructions that are to be visited, and those that have been. */
struct visit {
    const struct code_func *f;
    struct ways *ways;
    uint8_t *seen;
    uint32_t *todo; /* offset << 1, | 1 where all behind it are in order */
    uint32_t ntodo;
    uint32_t *order;
    uint32_t norder;
};

static void
push(struct visit *v, uint32_t off)
{
    if (off < v->f->ncode && !v->seen[off])
        v->todo[v->ntodo++] = off << 1;
}

/* Puts what can be reached from `root` in order, each instruction behind all
 * that may follow it but for those that loop back. */
static void
visit_from(struct visit *v, uint32_t root)
{
    push(v, root);
    while (v->ntodo > 0) {
        uint32_t off = v->todo[--v->ntodo];

        if (off & 1) {
            v->order[v->norder++] = off >> 1;
            continue;
        }
        off >>= 1;
        if (v->seen[off])
            continue;
        v->seen[off] = 1;
        v->todo[v->ntodo++] = off << 1 | 1;
        struct ways *to = &v->ways[off];
        to->n = code_successors(v->f, off, to->succ);
        if (v->f->code[off].op == OP_SWITCH)
            for (int32_t i = 1; i <= v->f->code[off].imm; i++)
                push(v, to->succ[0] + (uint32_t)i);
        for (uint32_t n = to->n; n-- > 0;)
            push(v, to->succ[n]);
    }
}

/* In that order what is known passes through any number of jumps, whichever
 * way they go, in one round; only loops take more. */
static bool
solve(struct flow *fl)
{
    const struct code_func *f = fl->f;
    /* An instruction is put off once itself, and once for each that it may
     * follow: two at most, and a jump table's. */
    struct visit v = { .f = f, .seen = calloc(f->ncode, 1),
        .todo = malloc(5 * (size_t)f->ncode * sizeof *v.todo),
        .order = malloc((size_t)f->ncode * sizeof *v.order),
        .ways = malloc((size_t)f->ncode * sizeof *v.ways) };
    bool ok = v.seen != NULL && v.todo != NULL && v.order != NULL &&
        v.ways != NULL;

    fl->ways = v.ways;

    if (ok) {
        if (f->flags & CODE_F_DEFER)
            visit_from(&v, f->recover_off);
        visit_from(&v, 0);
        for (uint32_t i = 0; i < v.norder; i++)
            find_needs(fl, v.order[i], set_of(fl, fl->gen, v.order[i]),
                set_of(fl, fl->kill, v.order[i]));
        for (bool again = true; again;) {
            again = false;
            for (uint32_t i = 0; i < v.norder; i++)
                again |= step(fl, v.order[i]);
        }
    }
    free(v.seen);
    free(v.todo);
    free(v.order);
    free(v.ways);
    return ok;
}

uint64_t *
code_live_compute(const struct code_image *im, const struct code_func *f)
{
    struct flow fl = { .im = im, .f = f, .words = (f->nslots + 63u) / 64 };
    uint64_t total = (uint64_t)fl.words * f->ncode;

    if (fl.words == 0)
        fl.words = 1;
    if (total > TOO_LARGE)
        return NULL;
    /* The first word tells how many words an instruction has. */
    uint64_t *v = calloc(1 + (uint64_t)fl.words * f->ncode, 8);
    fl.tmp = calloc(fl.words, 8);
    fl.gen = calloc((uint64_t)fl.words * f->ncode + 1, 8);
    fl.kill = calloc((uint64_t)fl.words * f->ncode + 1, 8);
    if (v != NULL) {
        v[0] = fl.words;
        fl.live = v + 1;
    }
    if (v == NULL || fl.tmp == NULL || fl.gen == NULL || fl.kill == NULL ||
        !solve(&fl)) {
        free(v);
        v = NULL;
    }
    free(fl.gen);
    free(fl.kill);
    free(fl.tmp);
    return v;
}

/* Straight on from recover_off: what is needed before it is killed; sets: room
 * for four.  false: there are several ways. */
static bool
go_straight(struct flow *fl, uint64_t *set, uint64_t *sets)
{
    uint64_t *gone = sets, *gen = gone + fl->words, *kill = gen + fl->words;
    uint32_t off = fl->f->recover_off, succ[2];

    fl->tmp = kill + fl->words;
    for (;;) {
        memset(gen, 0, 16u * fl->words); /* and kill */
        find_needs(fl, off, gen, kill);
        for (uint32_t i = 0; i < fl->words; i++) {
            set[i] |= gen[i] & ~gone[i];
            gone[i] |= kill[i];
        }
        unsigned n = code_successors(fl->f, off, succ);
        if (n == 0)
            return true;
        if (n > 1 || fl->f->code[off].op == OP_SWITCH || succ[0] <= off)
            return false;
        off = succ[0];
    }
}

bool
code_live_recovered(
    const struct code_image *im, const struct code_func *f, uint64_t *set)
{
    struct flow fl = {.im = im, .f = f, .words = (f->nslots + 63u) / 64};
    uint64_t *sets = calloc(4 * (size_t)fl.words + 1, 8);
    bool ok = sets != NULL && go_straight(&fl, set, sets);

    free(sets);
    return ok;
}
