/* SPDX-License-Identifier: MIT */

/*
 * Short loops.  At each jump backwards machine code looks if somebody wants the
 * goroutine to stop, which takes as long as a short loop needs for all else.  So
 * what is in such a loop is emitted several times, one behind the other, as it is:
 * where its end is reached, all is as where it begins, since each web has its
 * register everywhere.  Only behind the last one it is asked.
 *
 * That is possible where what is emitted is executed in order, from the header to
 * the jump backwards, but for jumps out of the loop.  Whatever leads to its
 * instructions from elsewhere leads to the first ones; none of them leads to
 * another one but the next, or the question might be passed by for ever.
 */
#include "runtime/jit/jit_int.h"

/* Whether what is before `last`, from instruction k on, leads to nothing up to
 * there but each to the next one. */
static bool
is_straight(const struct jit_fn *c, int32_t k, int32_t last)
{
    for (int32_t i = k, next; i < last; i = next) {
        const struct jit_ins *x = &c->v[i];

        next = jit_next(c, i);
        for (unsigned s = 0; s < x->nsucc; s++)
            if (x->succ[s] != next && x->succ[s] >= k && x->succ[s] <= last)
                return false;
        if (x->w[0].op == OP_SWITCH)
            return false;
    }
    return true;
}

bool
jit_goes_round(struct jit_fn *c, int32_t to)
{
    /* Of the machine's bytes, for what is emitted so often. */
    enum { FOUR_TIMES = 32, TWICE = 64 };
    bool is = c->head == to;

    if (is && c->rounds == 0) {
        ptrdiff_t bytes = c->b.p - c->v[to].addr;
        c->most = bytes > TWICE || !is_straight(c, to, c->k) ? 1 :
            bytes > FOUR_TIMES ? 2 : 4;
    }
    c->again = is && c->rounds + 1 < c->most;
    if (!c->again) {
        c->head = -1;
        c->rounds = 0;
    }
    return c->again;
}

struct jit_ins *
jit_go_round(struct jit_fn *c)
{
    rt_assert(c->head > 0 && c->rounds < UINT8_MAX && c->lead[c->head] >= 0);
    c->again = false;
    c->rounds++;
    jit_go_to(c, c->head - 1);
    return jit_now(c);
}
