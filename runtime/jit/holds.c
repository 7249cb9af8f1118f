/* SPDX-License-Identifier: MIT */

/*
 * What vars.c knows at one place of the code: of each slot, and of each word of
 * the objects that it follows.  Of most slots nothing is known, and most words
 * have not been seen: where states are copied, met or cleared nobody looks at
 * these, but at a set of the others.
 */
#include "runtime/jit/vars.h"

#include <string.h>

void
jit_hold_nothing(struct jit_vars *v)
{
    for (uint32_t i = 0; i < v->size; i++)
        v->now[i] = jit_most(v, i);
    memset(v->known, 0, 8u * v->set);
}

void
jit_hold_block(struct jit_vars *v, uint32_t b)
{
    const struct jit_val *at = v->at + (size_t)b * v->size;
    const uint64_t *knows = v->knows + (size_t)b * v->set;

    RT_EACH_BIT (i, v->known, v->size)
        v->now[i] = jit_most(v, i);
    RT_EACH_BIT (i, knows, v->size)
        v->now[i] = at[i];
    memcpy(v->known, knows, 8u * v->set);
    rt_assert_full(jit_known_valid(v));
}

bool
jit_known_valid(const struct jit_vars *v)
{
    bool ok = true;

    for (uint32_t i = 0; i < v->size; i++)
        ok &= rt_bit_get(v->known, i) ||
            v->now[i].kind == jit_most(v, i).kind;
    return ok;
}

/* ---- what is forgotten --------------------------------------------------- */

void
jit_forget_slots(struct jit_vars *v, uint32_t from, uint32_t end)
{
    if (end > v->c->ns)
        end = v->c->ns;
    for (uint32_t w = from / 64; 64 * w < end; w++) {
        uint64_t set = v->known[w] & rt_bits_within(w, from, end);

        v->known[w] &= ~set;
        for (; set != 0; set &= set - 1)
            v->now[64 * w + (uint32_t)__builtin_ctzll(set)] = jit_any();
    }
}

void
jit_forget_object(struct jit_vars *v, uint32_t object)
{
    uint32_t first = v->object[object].first;

    rt_assert(object < v->nobjects);
    if (jit_content(v, first)->kind == UNSEEN)
        return;
    RT_EACH_BIT (i, v->known, v->size)
        if (v->now[i].kind == ADDRESS && v->now[i].object == object)
            v->now[i] = jit_any();
}
