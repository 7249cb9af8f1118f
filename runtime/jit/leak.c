/* SPDX-License-Identifier: MIT */

/* What becomes of objects (vars.c) whose addresses get to where they are not
 * followed, and in which instructions those with slots of their own may be looked
 * at by others. */
#include "runtime/jit/vars.h"

enum { LEAK_DEEP = 16 }; /* closures in closures that are followed */

static bool leak_value(struct jit_vars *v, const struct jit_state *state,
    struct jit_val a, unsigned deep);

/* The variable of a word.  A closure stays what it is, but what it has captured
 * is leaked with it. */
static bool
leak_word(struct jit_vars *v, const struct jit_state *state, uint32_t word,
    unsigned deep)
{
    const struct jit_word *w = &v->word[word];
    uint32_t first = jit_first_word(v, word), ns = v->c->ns;
    bool less = false;

    for (uint32_t i = first; i < first + w->n; i++) {
        struct jit_val was = jit_state_get(v, state, ns + i);

        if (was.kind == LEAKED)
            continue;
        if (!v->word[i].made || deep == LEAK_DEEP) {
            jit_state_set(v, state, ns + i, (struct jit_val){.kind = LEAKED});
            v->word[i].leaks = less = true;
        }
        less |= leak_value(v, state, was, deep + 1);
    }
    return less;
}

static bool
leak_value(struct jit_vars *v, const struct jit_state *state, struct jit_val a,
    unsigned deep)
{
    uint32_t word;
    bool less = false;

    if (a.kind != ADDRESS)
        return false;
    rt_assert(a.object < v->nobjects);
    if (jit_word_at(v, a, 0, &word))
        return leak_word(v, state, word, deep);
    const struct jit_object *o = &v->object[a.object];
    for (uint32_t i = o->first; i < o->first + o->n; i++)
        less |= leak_word(v, state, i, deep);
    return less;
}

bool
jit_leak_address(
    struct jit_vars *v, const struct jit_state *state, struct jit_val a)
{
    return leak_value(v, state, a, 0);
}

void
jit_leak_words(struct jit_vars *v, uint32_t word, unsigned n)
{
    struct jit_state now = {v->now, v->known};

    for (uint32_t i = word; i < word + n; i++) {
        v->again |= v->word[i].made;
        v->word[i].made = false;
        v->word[i].assigned = true;
        v->leaks |= leak_word(v, &now, i, 0);
    }
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
