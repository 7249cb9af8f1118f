/* SPDX-License-Identifier: MIT */

/*
 * Where several ways lead, what vars.c knows there: what holds on all of them.
 * Of that which is live somebody may ask; of objects nobody has the address of any
 * more nothing is kept.
 */
#include "runtime/jit/vars.h"

#include <string.h>

static bool
is_same(struct jit_val a, struct jit_val b)
{
    return a.kind == b.kind && (a.kind <= ANY || a.kind == LEAKED ||
        (a.n == b.n && (a.kind != ADDRESS || a.object == b.object)));
}

/* Two ways lead to where slot or word i holds something else: less is known in
 * that state.  Where there are no cells on one of them, their base is nothing: it
 * is for CELL and CELLEND. */
static bool
leak_at(struct jit_vars *v, const struct jit_state *state, uint32_t i,
    struct jit_val a)
{
    if (a.kind == ADDRESS && a.n == 0 && i < v->c->ns &&
        !jit_is_made(&v->object[a.object]) && v->object[a.object].base == i)
        return false;
    return jit_leak(v, state, a);
}

/* What holds of slot or word i if it is one of both.  In slots other numbers come
 * together too often, and are seldom asked for. */
static struct jit_val
either(const struct jit_vars *v, uint32_t i, struct jit_val a, struct jit_val b)
{
    uint32_t of_a = jit_numbers(a), of_b = jit_numbers(b);

    return i < v->c->ns || of_a == 0 || of_b == 0 ? jit_any()
                                                  : jit_one_of(of_a | of_b);
}

/* What is known in `state`, with which a block begins, on another way there, too,
 * of slot or word i; whether that is less than before. */
static bool
meet(struct jit_vars *v, const struct jit_state *state, uint32_t i,
    struct jit_val is)
{
    struct jit_val was = jit_state_get(v, state, i);

    if (is_same(was, is) || is.kind == UNSEEN)
        return false;
    if (was.kind == UNSEEN) {
        jit_state_set(v, state, i, is);
        return true;
    }
    bool less = false;
    if (was.kind != LEAKED) {
        struct jit_val now = is.kind == LEAKED ? is : either(v, i, was, is);
        less = !is_same(was, now);
        jit_state_set(v, state, i, now);
    }
    less |= leak_at(v, state, i, was);
    return leak_at(v, state, i, is) || less;
}

/* The object that a leads to is found, if it was not before. */
static void
find(struct jit_vars *v, struct jit_val a)
{
    if (a.kind != ADDRESS || v->found[a.object])
        return;
    rt_assert(v->nfinds < v->nobjects);
    v->found[a.object] = true;
    v->finds[v->nfinds++] = a.object;
}

/* Which objects' addresses the program still has where these slots are live:
 * what others hold, nobody can ask for. */
static void
find_objects(struct jit_vars *v, const uint64_t *live)
{
    memset(v->found, 0, v->nobjects);
    v->nfinds = 0;
    RT_EACH_BIT (s, v->known, v->c->ns)
        if (s < v->c->ns && rt_bit_get(live, s))
            find(v, v->now[s]);
    for (uint32_t i = 0; i < v->nfinds; i++) {
        const struct jit_object *o = &v->object[v->finds[i]];
        for (uint32_t w = 0; w < o->n; w++)
            find(v, *jit_content(v, o->first + w));
    }
}

/* What is known of a word where find_objects() has looked. */
static struct jit_val
found_content(struct jit_vars *v, uint32_t word)
{
    return v->found[v->word[word].object] ? *jit_content(v, word)
                                          : (struct jit_val){.kind = UNSEEN};
}

/* The program may have an object's address in a closure alone.  Where it was made
 * the address is all the same, unless that slot has been used for something else:
 * then it is no loss, for nobody asks for it. */
static bool
keep_bases(struct jit_vars *v, const struct jit_state *state,
    const uint64_t *live, bool first)
{
    const uint64_t *known = first ? v->known : state->known;
    bool less = false;

    for (uint32_t w = 0; w < v->c->words; w++)
        for (uint64_t set = known[w] & v->bases[w] & ~live[w]; set != 0;
             set &= set - 1) {
            uint32_t s = 64 * w + (uint32_t)__builtin_ctzll(set);
            struct jit_val is = first ? v->now[s] : jit_state_get(v, state, s);

            if (is.kind != ADDRESS)
                continue;
            const struct jit_object *o = &v->object[is.object];
            bool keeps = jit_has_base(v, o);
            if (!jit_is_made(o) || o->base != s || keeps != first)
                continue;
            jit_state_set(v, state, s, first ? is : jit_any());
            less |= !first;
        }
    return less;
}

/* The first way that leads to block b, where those slots are live. */
static void
arrive_first(struct jit_vars *v, uint32_t b, const uint64_t *live)
{
    struct jit_val *at = v->at + (size_t)b * v->size;
    uint64_t *knows = v->knows + (size_t)b * v->set;
    struct jit_state state = {at, knows};
    uint32_t ns = v->c->ns;

    memset(knows, 0, 8u * v->set);
    RT_EACH_BIT (i, v->known, v->size) {
        struct jit_val is = i < ns ? v->now[i] : found_content(v, i - ns);

        if ((i < ns && !rt_bit_get(live, i)) || is.kind == jit_most(v, i).kind)
            continue;
        at[i] = is;
        rt_bit_set(knows, i);
    }
    keep_bases(v, &state, live, true);
    v->changed[b] = v->seen[b] = true;
}

/* What is known there of what is known now or in the state with which block b
 * begins, whose slots are live; whether that is less than before. */
static bool
meet_all(struct jit_vars *v, const struct jit_state *state, const uint64_t *live)
{
    uint32_t ns = v->c->ns;
    bool less = false;

    /* Of any other slot that is not live nothing is known there already. */
    for (uint32_t w = 0; w < v->set; w++)
        for (uint64_t set = v->known[w] | state->known[w]; set != 0;
             set &= set - 1) {
            uint32_t i = 64 * w + (uint32_t)__builtin_ctzll(set);

            if (i >= ns || rt_bit_get(live, i))
                less |= meet(v, state, i,
                    i < ns ? v->now[i] : found_content(v, i - ns));
        }
    return less;
}

void
jit_arrive(struct jit_fn *c, int32_t to, void *arg)
{
    struct jit_vars *v = arg;
    int32_t b = c->lead[to];

    if (b < 0 || v->marks)
        return;
    struct jit_state state = {
        v->at + (size_t)b * v->size, v->knows + (size_t)b * v->set};
    const uint64_t *live = jit_live(c, to);
    rt_assert_full(jit_known_valid(v));
    find_objects(v, live);
    if (!v->seen[b]) {
        arrive_first(v, (uint32_t)b, live);
        return;
    }
    bool less = keep_bases(v, &state, live, false);
    /* What has been leaked takes with it what it holds on this way, which the state
     * has behind the first round only. */
    while (meet_all(v, &state, live))
        less = true;
    v->changed[b] |= less;
}
