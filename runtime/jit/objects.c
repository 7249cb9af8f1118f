/* SPDX-License-Identifier: MIT */

/* The objects that vars.c follows: blocks of cells, and what instructions
 * allocate. */
#include "runtime/jit/vars.h"

enum {
    OBJECT_WORDS = 128, /* what is larger is not followed; of a block of cells,
                           so many of its first words are */
    NEW_WORDS = 8,
    /* Values of all states together: what takes longer to find out is not
     * worth it. */
    VALUES_MAX = 1 << 20
};

static int
cells_of(const struct jit_vars *v, uint32_t frame)
{
    for (uint32_t i = 0; i < v->nobjects; i++)
        if (!jit_is_made(&v->object[i]) && v->object[i].frame == frame)
            return (int)i;
    return -1;
}

/* Another object of n words, each its own variable's. */
static void
put_object(struct jit_vars *v, struct jit_object o, uint32_t n)
{
    o.first = v->nwords;
    o.n = n;
    for (uint32_t i = 0; i < n; i++)
        v->word[v->nwords++] = (struct jit_word){
            .object = (uint16_t)v->nobjects, .first = (uint16_t)i, .n = 1};
    v->object[v->nobjects++] = o;
}

/* Words are of one variable. */
static void
join_words(
    struct jit_vars *v, const struct jit_object *o, uint32_t first, uint32_t n)
{
    for (uint32_t i = first; i < first + n && i < o->n; i++) {
        v->word[o->first + i].first = (uint16_t)first;
        v->word[o->first + i].n = (uint16_t)n;
    }
}

/* The words of the object that instruction k makes; 0: it makes none, or none
 * that is followed. */
static uint32_t
words_made(const struct jit_fn *c, int32_t k)
{
    const struct code_ins *w = c->v[k].w;
    uint64_t size = 0;

    switch (w->op) {
    case OP_CELL:
        size = c->im->funcs[w[1].imm].cells.size;
        return size > 8u * OBJECT_WORDS ? OBJECT_WORDS : (uint32_t)(size / 8);
    case OP_NEW:
        size = c->im->types[w->imm]->layout.size;
        return size % 8 != 0 || size > 8u * NEW_WORDS ? 0 :
                                                        (uint32_t)(size / 8);
    case OP_MKCLO:
        return w->c >= OBJECT_WORDS ? 0 : 1u + w->c;
    default:
        return 0;
    }
}

/* Instruction k makes an object of n words, or a variable of one. */
static void
find_object(struct jit_vars *v, int32_t k, uint32_t n)
{
    const struct jit_ins *x = &v->c->v[k];
    const struct code_ins *w = x->w;
    bool cells = w->op == OP_CELL;
    int i = cells ? cells_of(v, x->frame) : -1;

    if (i < 0) {
        i = (int)v->nobjects;
        put_object(v,
            (struct jit_object){.frame = x->frame, .at = cells ? -1 : k,
                .base = cells ? w->b : w->a}, n);
    }
    /* All of a frame's cells are of one block. */
    rt_assert(v->object[i].n == n && jit_is_made(&v->object[i]) == !cells);
    v->makes[k] = (uint16_t)(i + 1);
    if (!cells)
        join_words(v, &v->object[i], 0, n);
    else if (w->c + (uint32_t)w[1].a <= n)
        join_words(v, &v->object[i], w->c, w[1].a);
}

bool
jit_count_objects(
    const struct jit_fn *c, uint32_t *objects, uint32_t *words)
{
    int64_t frame = -1; /* of the last cells */

    *objects = *words = 0;
    for (int32_t k = 0; k < c->n; k++) {
        const struct jit_ins *x = &c->v[k];
        uint32_t n = x->reached ? words_made(c, k) : 0;

        if (x->reached && x->watched)
            return false;
        if (n == 0 || (x->w[0].op == OP_CELL && x->frame == frame))
            continue;
        if (x->w[0].op == OP_CELL)
            frame = x->frame;
        ++*objects;
        *words += n;
    }
    return *objects > 0 && *objects < UINT16_MAX &&
        (uint64_t)c->nblocks * (c->ns + *words) <= VALUES_MAX;
}

bool
jit_find_objects(struct jit_vars *v, uint32_t objects, uint32_t words)
{
    struct jit_fn *c = v->c;

    v->object = jit_alloc(c, objects, sizeof *v->object);
    v->word = jit_alloc(c, words, sizeof *v->word);
    v->makes = jit_alloc(c, (size_t)c->n, sizeof *v->makes);
    if (c->failed)
        return false;
    for (int32_t k = 0; k < c->n; k++) {
        uint32_t n = c->v[k].reached ? words_made(c, k) : 0;
        if (n > 0)
            find_object(v, k, n);
    }
    rt_assert(v->nobjects <= objects && v->nwords <= words);
    return true;
}

/* ---- how the interpreter comes to a variable ------------------------------- */

bool
jit_word_at(
    const struct jit_vars *v, struct jit_val a, int32_t off, uint32_t *word)
{
    const struct jit_object *o = &v->object[a.object];
    int64_t i = a.n + (int64_t)off / 8;

    if (a.kind != ADDRESS || off % 8 != 0 || i < 0 || i >= o->n)
        return false;
    *word = o->first + (uint32_t)i;
    return true;
}

/* The word that a, which is in a slot or in a closure, is the address of. */
static uint32_t
address_word(const struct jit_vars *v, struct jit_val a)
{
    uint32_t word = 0;
    bool is = jit_word_at(v, a, 0, &word);

    rt_assert(is);
    (void)is;
    return word;
}

uint64_t *
jit_reach_of(const struct jit_vars *v, uint32_t word)
{
    return v->reach + (size_t)jit_first_word(v, word) * v->reach_words;
}

void
jit_reach_begin(struct jit_vars *v)
{
    struct jit_fn *c = v->c;

    c->address = jit_room(c, c->nop, sizeof *c->address);
    v->address_of = jit_room(c, c->nop, sizeof *v->address_of);
    v->max_has = c->nop;
    v->has = jit_room(c, v->max_has, sizeof *v->has);
}

void
jit_note_content(struct jit_vars *v, uint32_t word, struct jit_val val)
{
    if (val.kind != ADDRESS)
        return;
    rt_assert(v->nhas < v->max_has);
    v->has[v->nhas++] = (struct jit_has){address_word(v, val), word};
}

void
jit_note_reach(struct jit_vars *v, const struct jit_ins *x)
{
    struct jit_fn *c = v->c;
    const struct jit_opnd *o = c->op + x->ops;

    for (uint32_t i = 0; i < x->nops; i++) {
        struct jit_val a = v->now[o[i].slot];

        if (!o[i].def || a.kind != ADDRESS)
            continue;
        const struct jit_object *to = &v->object[a.object];
        if (!jit_is_made(to) && to->base == o[i].slot)
            continue;
        rt_assert(c->naddresses < c->nop);
        v->address_of[c->naddresses] = address_word(v, a);
        c->address[c->naddresses++] =
            (struct jit_address){.slot = o[i].slot, .frame = x->frame};
    }
}

bool
jit_spread_reach(struct jit_vars *v)
{
    struct jit_fn *c = v->c;
    bool more = true;

    v->reach_words = (c->naddresses + 63) / 64;
    v->reach = jit_alloc(c, (size_t)v->nwords * v->reach_words, 8);
    if (c->failed)
        return false;
    for (uint32_t i = 0; i < c->naddresses; i++)
        rt_bit_set(jit_reach_of(v, v->address_of[i]), i);
    while (more) {
        more = false;
        for (uint32_t i = 0; i < v->nhas; i++) {
            uint64_t *to = jit_reach_of(v, v->has[i].word);
            const uint64_t *by = jit_reach_of(v, v->has[i].of);
            for (uint32_t w = 0; w < v->reach_words; w++) {
                more |= (by[w] & ~to[w]) != 0;
                to[w] |= by[w];
            }
        }
    }
    return true;
}
