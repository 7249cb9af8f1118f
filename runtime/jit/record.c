/* SPDX-License-Identifier: MIT */

/*
 * Records: where everything is before an instruction, for who leaves machine code
 * there, or enters it.
 */
#include "runtime/jit/jit_int.h"

#include <string.h>

/* A variable's, which is asked for seldom. */
static RT_NOINLINE void
put_cell(const struct jit_fn *c, struct jit_pair *p, int32_t k, uint32_t slot,
    const struct jit_web *w)
{
    const struct jit_home *home = &c->home[slot - c->vs];

    bool known = w->constant || w->derived;

    rt_assert(home->word <= UINT8_MAX);
    *p = (struct jit_pair){.slot = home->base,
        .reg = (uint8_t)(known ? home->word : w->reg),
        .constant = known,
        .cell = true,
        .derived = w->derived,
        .late = c->asked != NULL &&
            rt_bit_get(c->asked + (size_t)k * c->words, slot),
        .value = w->derived ? jit_derived(w->of, w->value)
            : known         ? w->value
                            : home->word};
}

/* A pair for each slot that is live before instruction k, at which cur stands,
 * and not in memory only. */
static RT_ALWAYS_INLINE void
put_pairs(struct jit_fn *c, int32_t k, bool derives)
{
    const uint64_t *live = jit_live(c, k);
    struct jit_pair *p = c->jit->pairs + c->jit->npairs;

    for (uint32_t i = 0, words = c->words; i < words; i++)
        for (uint64_t b = live[i] & c->away[i]; b != 0; b &= b - 1, p++) {
            uint32_t s = 64 * i + (uint32_t)__builtin_ctzll(b);
            const struct jit_web *w = jit_web_of(c, c->cur[s]);

            rt_assert(s < c->ns && s == w->slot);
            rt_assert(w->derived
                    ? derives && !w->constant && w->reg < 0
                    : w->constant != (w->reg >= 0));
            if (derives && w->derived && s < c->vs) {
                *p = (struct jit_pair){.slot = (uint16_t)s,
                    .constant = true,
                    .derived = true,
                    .value = jit_derived(w->of, w->value)};
                continue;
            }
            if (s < c->vs)
                *p = (struct jit_pair){.slot = (uint16_t)s,
                    .reg = (uint8_t)w->reg & (uint8_t)(w->constant - 1),
                    .constant = w->constant,
                    .value = w->value};
            else
                put_cell(c, p, k, s, w);
        }
    c->jit->npairs = (uint32_t)(p - c->jit->pairs);
}

/* For the blocks by which something from the first pair on is derived, and
 * which may not be there: in the order of their frames, as they are to be made. */
static void
put_blocks(struct jit_fn *c, uint32_t first)
{
    struct jit *jit = c->jit;
    uint32_t end = jit->npairs;

    for (uint32_t i = first; i < end; i++) {
        uint32_t s = jit_derived_of(&jit->pairs[i]), at = jit->npairs;

        if (!jit->pairs[i].derived || !jit_is_unmade(c, jit_web_of(c, c->cur[s])))
            continue;
        while (at > end && jit->pairs[at - 1].slot > s)
            at--;
        if (at > end && jit->pairs[at - 1].slot == s)
            continue;
        memmove(&jit->pairs[at + 1], &jit->pairs[at],
            (jit->npairs++ - at) * sizeof *jit->pairs);
        jit->pairs[at] = (struct jit_pair){.slot = (uint16_t)s,
            .constant = true,
            .derived = true,
            .block = true,
            .value = (int32_t)c->unmade[c->uf[c->cur[s]]] - 1};
    }
}

/* Likewise where some may be derived. */
static RT_NOINLINE void
put_all_pairs(struct jit_fn *c, int32_t k)
{
    uint32_t first = c->jit->npairs;

    put_pairs(c, k, true);
    if (c->unmade != NULL)
        put_blocks(c, first);
}

uint32_t
jit_put_record(struct jit_fn *c, int32_t k)
{
    struct jit *jit = c->jit;
    const struct jit_ins *x = &c->v[k];

    rt_assert(x->reached && x->pc != NULL && !x->part);
    if (jit->nrecs == JIT_RECORDS || jit->npairs > JIT_PAIRS - 2 * c->ns) {
        c->failed = true;
        return 0;
    }
    uint32_t first = jit->npairs;
    if (c->makes_late)
        put_all_pairs(c, k);
    else if (!c->memory)
        put_pairs(c, k, false);
    jit->recs[jit->nrecs] = (struct jit_record){
        .off = (uint32_t)(x->pc - c->im->code),
        .frame = x->frame,
        .first = first,
        .n = (uint16_t)(jit->npairs - first)};
    return jit->nrecs++;
}
