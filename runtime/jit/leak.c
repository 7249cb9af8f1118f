/* SPDX-License-Identifier: MIT */

/* What becomes of objects (vars.c) whose addresses get to where they are not
 * followed, and in which instructions those with slots of their own may be looked
 * at by others. */
#include "runtime/jit/vars.h"

/* The word's variable is to be leaked; each once, whatever leads to it. */
static void
lose_variable(struct jit_vars *v, uint32_t word)
{
    uint32_t first = jit_first_word(v, word);

    if (rt_bit_get(v->losing, first))
        return;
    rt_assert(v->nlost < v->nwords);
    rt_bit_set(v->losing, first);
    v->lost[v->nlost++] = first;
}

/* Likewise what the address a leads to, if it is one. */
static void
lose(struct jit_vars *v, struct jit_val a)
{
    uint32_t word;

    if (a.kind != ADDRESS)
        return;
    rt_assert(a.object < v->nobjects);
    const struct jit_object *o = &v->object[a.object];
    if (jit_word_at(v, a, 0, &word))
        lose_variable(v, word);
    else
        for (uint32_t i = o->first; i < o->first + o->n; i++)
            lose_variable(v, i);
}

/* Those are leaked in the state; whether less is known there than before.  A
 * closure stays what it is, but what it has captured is leaked with it. */
static bool
leak_lost(struct jit_vars *v, const struct jit_state *state)
{
    uint32_t ns = v->c->ns;
    bool less = false;

    for (uint32_t k = 0; k < v->nlost; k++) {
        uint32_t first = v->lost[k], end = first + v->word[first].n;

        for (uint32_t i = first; i < end; i++) {
            struct jit_val was = jit_state_get(v, state, ns + i);

            if (was.kind == LEAKED)
                continue;
            if (!v->word[i].made) {
                jit_state_set(
                    v, state, ns + i, (struct jit_val){.kind = LEAKED});
                v->word[i].leaks = less = true;
            }
            lose(v, was);
        }
    }
    while (v->nlost > 0)
        rt_bit_clear(v->losing, v->lost[--v->nlost]);
    return less;
}

bool
jit_leak_address(
    struct jit_vars *v, const struct jit_state *state, struct jit_val a)
{
    rt_assert(a.kind == ADDRESS && v->nlost == 0);
    lose(v, a);
    return leak_lost(v, state);
}

void
jit_leak_words(struct jit_vars *v, uint32_t word, unsigned n)
{
    struct jit_state now = {v->now, v->known};

    rt_assert(v->nlost == 0);
    for (uint32_t i = word; i < word + n; i++) {
        v->again |= v->word[i].made;
        v->word[i].made = false;
        v->word[i].assigned = true;
        lose_variable(v, i);
    }
    v->leaks |= leak_lost(v, &now);
}

void
jit_note_leaks(struct jit_vars *v, uint32_t b)
{
    uint32_t ns = v->c->ns;

    v->leaks = false;
    RT_EACH_BIT (i, v->known, v->size)
        if (i >= ns && v->now[i].kind == LEAKED)
            rt_bit_set(v->leaked + (size_t)b * v->leaked_words, i - ns);
}

/* For block b, which words had been leaked in, of the variables that have
 * slots. */
static void
put_leaks(struct jit_vars *v, uint32_t b, const uint32_t *words)
{
    struct jit_fn *c = v->c;
    size_t n = (c->nhomes + 63) / 64;
    const uint64_t *leaked = v->leaked + (size_t)b * v->leaked_words;

    for (uint32_t i = 0; i < c->nhomes; i++)
        for (int32_t k = c->block[b];
             k < c->block[b + 1] && rt_bit_get(leaked, words[i]); k++)
            rt_bit_set(c->leaked + (size_t)k * n, i);
}

bool
jit_put_leaks(struct jit_vars *v, const uint32_t *words)
{
    struct jit_fn *c = v->c;
    bool any = false;

    for (uint32_t i = 0; i < c->nhomes; i++)
        any |= c->home[i].leaks;
    if (!any)
        return true;
    c->leaked = jit_alloc(c, (size_t)c->n * ((c->nhomes + 63) / 64), 8);
    for (uint32_t b = 0; b < c->nblocks && !c->failed; b++)
        put_leaks(v, b, words);
    return !c->failed;
}
