/* SPDX-License-Identifier: MIT */

/*
 * The classical backward data-flow analysis over the operand descriptors of
 * opcode.def.  In functions that defer, a call may also go on at recover_off,
 * so what is live there is live everywhere.
 */
#include "runtime/code/live.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/code/opinfo.h"

enum { TOO_LARGE = 1 << 22 }; /* words of bits for one function */

struct flow {
    const struct code_image *im;
    const struct code_func *f;
    uint64_t *live; /* words for each instruction word */
    uint64_t *tmp;
    uint32_t words;
};

static void
set_range(uint64_t *bits, uint32_t from, uint32_t n, uint32_t max, bool val)
{
    for (uint32_t i = from; i < from + n && i < max; i++) {
        uint64_t b = (uint64_t)1 << (i % 64);
        bits[i / 64] = val ? bits[i / 64] | b : bits[i / 64] & ~b;
    }
}

static void
kill(void *arg, const struct code_operand *o)
{
    struct flow *fl = arg;

    if (o->def)
        set_range(fl->tmp, o->slot, o->n, fl->f->nslots, false);
}

static void
gen(void *arg, const struct code_operand *o)
{
    struct flow *fl = arg;

    if (o->use)
        set_range(fl->tmp, o->slot, o->n, fl->f->nslots, true);
}

static void
join(struct flow *fl, uint32_t off)
{
    if (off < fl->f->ncode)
        for (uint32_t i = 0; i < fl->words; i++)
            fl->tmp[i] |= fl->live[(uint64_t)off * fl->words + i];
}

/* Computes what is live before the instruction; true if that is news. */
static bool
step(struct flow *fl, uint32_t off)
{
    const struct code_func *f = fl->f;
    const struct code_ins *pc = f->code + off;
    uint64_t *in = fl->live + (uint64_t)off * fl->words;
    uint32_t succ[2], from, nargs;
    unsigned n = code_successors(f, off, succ);

    memset(fl->tmp, 0, 8u * fl->words);
    for (unsigned i = 0; i < n; i++)
        join(fl, succ[i]);
    if (pc->op == OP_SWITCH)
        for (int32_t i = 1; i <= pc->imm; i++)
            join(fl, succ[0] + (uint32_t)i);
    bool call = code_call_area(fl->im, pc, &from, &nargs);
    if (call && from >= 2 && from - 2 < f->nslots)
        set_range(fl->tmp, from - 2, f->nslots, f->nslots, false);
    if (call)
        set_range(fl->tmp, from, nargs, f->nslots, true);
    code_operands(fl->im, pc, kill, fl);
    code_operands(fl->im, pc, gen, fl);
    if (f->flags & CODE_F_DEFER)
        join(fl, f->recover_off);
    if (memcmp(in, fl->tmp, 8u * fl->words) == 0)
        return false;
    memcpy(in, fl->tmp, 8u * fl->words);
    return true;
}

/* Instructions that are to be visited, and those that have been. */
struct visit {
    const struct code_func *f;
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
        uint32_t off = v->todo[--v->ntodo], succ[2];

        if (off & 1) {
            v->order[v->norder++] = off >> 1;
            continue;
        }
        off >>= 1;
        if (v->seen[off])
            continue;
        v->seen[off] = 1;
        v->todo[v->ntodo++] = off << 1 | 1;
        unsigned n = code_successors(v->f, off, succ);
        if (v->f->code[off].op == OP_SWITCH)
            for (int32_t i = 1; i <= v->f->code[off].imm; i++)
                push(v, succ[0] + (uint32_t)i);
        while (n-- > 0)
            push(v, succ[n]);
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
        .order = malloc((size_t)f->ncode * sizeof *v.order) };
    bool ok = v.seen != NULL && v.todo != NULL && v.order != NULL;

    if (ok) {
        if (f->flags & CODE_F_DEFER)
            visit_from(&v, f->recover_off);
        visit_from(&v, 0);
        for (bool again = true; again;) {
            again = false;
            for (uint32_t i = 0; i < v.norder; i++)
                again |= step(fl, v.order[i]);
        }
    }
    free(v.seen);
    free(v.todo);
    free(v.order);
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
    if (v != NULL) {
        v[0] = fl.words;
        fl.live = v + 1;
    }
    if (v == NULL || fl.tmp == NULL || !solve(&fl)) {
        free(v);
        v = NULL;
    }
    free(fl.tmp);
    return v;
}
