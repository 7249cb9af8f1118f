/* SPDX-License-Identifier: MIT */

/* Where the interpreter may want to go on in machine code, and whether it can. */
#include "runtime/jit/jit_int.h"

/* Somebody may look at the frame and those around it, or return from it. */
static void
need_frames(struct jit_fn *c, uint32_t frame)
{
    struct jit_frame *frames = c->jit->frames;

    for (; frame != 0; frame = frames[frame].up)
        frames[frame].made =
            c->v[frames[frame].behind].reached && !frames[frame].asked;
}

/* The address of a variable is used where there is an access to that, even if the
 * program has it from elsewhere by then; other machine code of the function, as
 * part of another one, need not have it in memory. */
bool
jit_as_interpreted(const struct jit_fn *c, int32_t k)
{
    const uint64_t *live, *here;

    here = jit_live(c, k);
    live = vm_live_at(c->jit->vm, c->f, (uint32_t)(c->v[k].pc - c->f->code));
    for (uint32_t s = 0; s < c->f->nslots && live != NULL; s++)
        if (rt_bit_get(here, s) && !rt_bit_get(live, s))
            return false;
    return true;
}

bool
jit_as_in_frames(const struct jit_fn *c, int32_t k)
{
    const struct jit_frame *frames = c->jit->frames;
    const struct code_ins *pc = c->v[k].pc;
    const uint64_t *here = jit_live(c, k);
    uint32_t end = c->vs;

    for (uint32_t i = c->v[k].frame;; i = frames[i].up) {
        const struct code_func *f = i == 0 ? c->f : frames[i].f;
        uint32_t base = i == 0 ? 0 : frames[i].base;
        const uint64_t *live =
            vm_live_at(c->jit->vm, f, (uint32_t)(pc - f->code));

        if (live == NULL)
            return false;
        for (uint32_t s = base; s < end; s++)
            if (rt_bit_get(here, s) &&
                (s - base >= f->nslots || !rt_bit_get(live, s - base)))
                return false;
        if (i == 0)
            return true;
        pc = frames[i].ret;
        end = base - 2;
    }
}

void
jit_find_resumes(struct jit_fn *c)
{
    c->v[0].resumes = true;
    RT_EACH_BIT (k, c->stops, (uint32_t)c->n) {
        struct jit_ins *x = &c->v[k];
        bool behind = false;

        rt_assert(x->kind != JIT_NATIVE || x->header || x->shows);
        rt_assert(!x->shows || x->frame != 0);
        if (!x->reached)
            continue;
        if (x->header && x->frame == 0)
            x->resumes = true;
        if (x->kind == JIT_NATIVE && x->frame == 0)
            continue;
        if (x->frame != 0 && (x->header || x->shows))
            need_frames(c, x->frame);
        switch ((enum jit_kind)x->kind) {
        case JIT_CALL:
            x->resumes = true; /* the stack has grown */
            behind = true;
            break;
        case JIT_HELPER:
        case JIT_LEAVE:
            behind = true;
            break;
        case JIT_INLINE:
            x->resumes |= x->nsucc == 1 && jit_inline_needs_room(c, x);
            break;
        default:
            break;
        }
        if (x->frame != 0) {
            x->resumes = false;
            x->inside = x->header && !x->part && !c->memory &&
                jit_as_in_frames(c, (int32_t)k);
            continue;
        }
        for (unsigned i = 0; behind && i < x->nsucc; i++)
            if (x->succ[i] < c->n)
                c->v[x->succ[i]].resumes = true;
    }
}
