/* SPDX-License-Identifier: MIT */

/*
 * What stands behind a function's code: ways out of it, what is seldom done, and
 * where frames that have been made return to; and where jumps lead, which is
 * known by then.
 */
#include "runtime/jit/jit_int.h"

#include <string.h>

/* Bytes that one stub stays below, beside JIT_SLOT_BYTES for each slot. */
enum { STUB_BYTES = 1024 };

/* What is live at the instruction behind what is spliced in, where the way
 * there goes on. */
static void
load_landing(struct jit_fn *c, uint32_t frame, int32_t behind)
{
    const struct jit_reload *l = &c->reload[frame - c->first_frame];

    if (c->v[behind].leader) {
        jit_load_block(c, behind);
        return;
    }
    rt_assert(l->web != NULL && c->v[behind].lands && !c->memory);
    for (uint32_t i = 0; i < l->n; i++)
        jit_x64_load(c, &c->web[l->web[i]]);
}

/* Where frames that have been made return to. */
static void
emit_lands(struct jit_fn *c)
{
    struct jit_frame *frames = c->jit->frames;

    for (uint32_t i = c->first_frame; i < c->jit->nframes; i++) {
        struct jit_frame *f = &frames[i];

        if (!f->made)
            continue;
        if (c->b.p + STUB_BYTES + (size_t)JIT_SLOT_BYTES * c->ns > c->end) {
            c->failed = true;
            return;
        }
        const struct jit_ins *x = &c->v[f->behind];
        rt_assert(x->reached && x->frame == f->up);
        f->land = jit_exec(c->jit, c->b.p);
        jit_put_spot(c, x, f->base);
        jit_x64_land(c, f);
        jit_put_spot(c, x, 0);
        load_landing(c, i, f->behind);
        x_jump_to(&c->b, X_ALWAYS, x->addr);
    }
    for (size_t i = 0; i < c->lands.n; i++) {
        uint32_t addr = frames[c->lands.v[i].frame].land;
        memcpy(c->lands.v[i].at, &addr, sizeof addr);
    }
}

/* The last instruction in order whose code is at the same place as that of k:
 * those before have none. */
static int32_t
with_code(const struct jit_fn *c, int32_t k)
{
    while (c->v[k].falls && k + 1 < c->n &&
        c->v[k + 1].addr == c->v[k].addr)
        k++;
    return k;
}

/* Where a jump to instruction k ends: one forwards that does nothing but jump
 * on is passed by, as those behind a table are. */
static int32_t
end_of_jumps(const struct jit_fn *c, int32_t k)
{
    for (k = with_code(c, k); c->v[k].w[0].op == OP_JMP && c->v[k].succ[0] > k;
         k = with_code(c, c->v[k].succ[0]))
        ;
    return k;
}

static void
fix(const struct jit_fn *c, const struct jit_fix *f)
{
    const uint8_t *to = c->v[end_of_jumps(c, f->target)].addr;
    uint32_t addr = jit_exec(c->jit, to);

    rt_assert(to != NULL && to >= c->start && to <= c->b.p);
    if (f->address)
        memcpy(f->at, &addr, sizeof addr);
    else
        x_fix(f->at, to);
}

/* Another stub of the same instruction that does the same; NULL: there is none
 * among those that have been emitted.  Half of what calls functions is so. */
static const struct jit_stub *
same_stub(const struct jit_fn *c, size_t i)
{
    const struct jit_stub *s = &c->stubs.v[i], *first = c->stubs.v;

    for (const struct jit_stub *o = s; o > first && o[-1].k == s->k; o--)
        if (o[-1].emit == s->emit && o[-1].value == s->value &&
            o[-1].kind == s->kind && o[-1].back == s->back)
            return o - 1;
    return NULL;
}

static void
emit_stubs(struct jit_fn *c)
{
    size_t room = STUB_BYTES + (size_t)JIT_SLOT_BYTES * c->ns;

    for (size_t i = 0; i < c->fixes.n; i++)
        fix(c, &c->fixes.v[i]);
    for (size_t i = 0; i < c->stubs.n && !c->failed; i++) {
        struct jit_stub *s = &c->stubs.v[i];
        const struct jit_stub *same;

        if (c->b.p + room > c->end) {
            c->failed = true;
            return;
        }
        if (s->emit == NULL && s->kind == JIT_EXIT_PREEMPT)
            s->value = c->v[s->value].rec;
        same = same_stub(c, i);
        if (same != NULL) {
            x_fix(s->jump, x_target(same->jump));
            continue;
        }
        x_fix(s->jump, c->b.p);
        jit_put_spot(c, &c->v[s->k], 0);
        const uint8_t *begin = c->b.p;
        if (s->emit != NULL) {
            jit_go_to(c, s->k);
            s->emit(c, s->value);
            rt_assert(c->trap < 0);
            x_jump_to(&c->b, X_ALWAYS, s->back);
        } else {
            jit_x64_stub(c, s);
        }
        rt_assert(c->b.p <= begin + room);
    }
}

void
jit_emit_behind(struct jit_fn *c)
{
    emit_stubs(c);
    emit_lands(c);
}
