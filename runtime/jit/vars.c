/* SPDX-License-Identifier: MIT */

/*
 * Variables that code reaches by their address: those that closures share with
 * the function that makes them, and the closures themselves.  Where closures
 * have been spliced in, it is most often known of an address which variable it
 * is of.  Then
 *
 *   - a variable's value gets a slot of its own, beside the memory where it
 *     stays: what is loaded from there is that slot, and what is stored goes to
 *     both.  Memory is always right, so that exits, calls and the collector
 *     need not know of such slots.  They have no place in the frame; their
 *     place is the variable itself;
 *   - who is called by a closure need not be asked;
 *   - what a variable of the generator's own is compared with, as the state of
 *     a loop over a function, is decided here.
 *
 * This is a walk over the blocks, again and again until nothing changes, with
 * what each slot and each word of these objects holds.  It is optimistic: what
 * is not known to be reached is not looked at.  An object (objects.c) is a
 * frame's block of cells, or what an instruction allocates.  A word whose
 * address has got to where it is not followed, a callee included, is leaked
 * (leak.c): nothing is known of it on the ways that lead on from there, until it
 * is made anew.  What a closure has captured stays so, whoever has its address.
 */
#include "runtime/jit/vars.h"

#include <string.h>

#include "runtime/jit/access.h"

static bool
is_leaked(const struct jit_vars *v, uint32_t word)
{
    return jit_content(v, word)->kind == LEAKED;
}

/* The address a gets to where it is not followed. */
static void
leak(struct jit_vars *v, struct jit_val a)
{
    struct jit_state now = {v->now, v->known};

    v->leaks |= jit_leak(v, &now, a);
}

/* ---- instructions -------------------------------------------------------- */

static void
lose(struct jit_vars *v, const struct jit_ins *x)
{
    uint32_t from, kept;

    if (!jit_lost(x, &from, &kept))
        return;
    jit_forget_slots(v, from, from + 2);
    jit_forget_slots(v, from + 2 + kept, v->c->ns);
}

/* The word is made anew. */
static void
put_content(struct jit_vars *v, uint32_t word, struct jit_val val)
{
    jit_set_content(v, word, val);
    if (v->marks)
        jit_note_content(v, word, val);
}

/* The closure that w makes, from `word` on; others may have the address of that
 * memory already. */
static void
make_closure(struct jit_vars *v, uint32_t word, const struct code_ins *w)
{
    struct jit_object *o = &v->object[v->word[word].object];
    int32_t f = w[1].imm;
    uint32_t b = w->b, n = w->c;

    if (word + n >= o->first + o->n) {
        for (uint32_t i = 0; i < n; i++)
            leak(v, v->now[b + i]);
        jit_leak_words(v, word, o->first + o->n - word);
        return;
    }
    for (uint32_t i = 0; i <= n; i++) {
        v->word[word + i].assigned |= jit_is_own_word(w, i);
        bool made = !v->word[word + i].assigned;
        v->again |= made != v->word[word + i].made;
        v->word[word + i].made = made;
    }
    bool leaked = is_leaked(v, word);
    put_content(v, word, (struct jit_val){.kind = FUNC, .n = f});
    for (uint32_t i = 0; i < n; i++)
        put_content(v, word + 1 + i, v->now[b + i]);
    for (uint32_t i = 0; i < n && leaked; i++)
        leak(v, v->now[b + i]);
}

/* An instruction that makes so many words of a frame's cells, from that one on, may
 * wait if each has a slot; where there is no loop it is not worth the time. */
static void
want_slots(struct jit_vars *v, uint32_t word, uint32_t n)
{
    if (!v->marks || !v->c->loops_back ||
        jit_is_made(&v->object[v->word[word].object]))
        return;
    for (uint32_t i = word; i < word + n; i++)
        v->word[i].loaded = true;
}

/* CELL, NEW, MKCLO, MKCLOAT of what is known. */
static bool
make(struct jit_vars *v, int32_t k)
{
    struct jit_ins *x = &v->c->v[k];
    const struct code_ins *w = x->w;
    int i = v->makes[k] - 1;
    uint32_t word = 0;

    if (w->op == OP_MKCLOAT) {
        struct jit_val a = v->now[w->a];
        if (!jit_word_at(v, a, 0, &word) || !jit_has_base(v, &v->object[a.object]))
            return false;
        make_closure(v, word, w);
        if (v->marks) {
            x->object = (uint16_t)(v->word[word].object + 1);
            x->word = (uint16_t)(word - v->object[a.object].first);
            x->nwords = (uint16_t)(w->c + 1);
            want_slots(v, word, x->nwords);
        }
        return true;
    }
    if (i < 0)
        return false;
    const struct jit_object *o = &v->object[i];
    uint32_t first = w->op == OP_CELL ? w->c : 0;
    uint32_t n = w->op == OP_CELL ? w[1].a : o->n;
    if (w->op != OP_CELL)
        jit_forget_object(v, (uint32_t)i);
    else
        x->there = v->marks && jit_has_base(v, o);
    bool followed = first + n <= o->n;
    if (!followed)
        first = n = 0;
    if (w->op == OP_MKCLO)
        make_closure(v, o->first, w);
    for (uint32_t j = first; j < first + n && w->op != OP_MKCLO; j++)
        put_content(v, o->first + j, (struct jit_val){.kind = NUMBER});
    jit_set_slot(v, o->base,
        (struct jit_val){.kind = ADDRESS, .object = (uint16_t)i});
    jit_set_slot(v, w->a, followed ? (struct jit_val){.kind = ADDRESS,
        .object = (uint16_t)i, .n = (int32_t)first} : jit_any());
    if (v->marks) {
        x->object = (uint16_t)(i + 1);
        x->word = (uint16_t)first;
        x->nwords = (uint16_t)n;
        if (x->there && n > 0)
            want_slots(v, o->first + first, n);
    }
    return true;
}

/* Whether one of the n words from `word` on is. */
static bool
any_leaked(const struct jit_vars *v, uint32_t word, unsigned n)
{
    bool leaked = false;

    for (unsigned i = 0; i < n; i++)
        leaked |= is_leaked(v, word + i);
    return leaked;
}

/* The words that are accessed, by an address that is of the object: machine
 * code is not left. */
static void
mark_safe(struct jit_vars *v, struct jit_ins *x, uint32_t word)
{
    const struct jit_word *w = &v->word[word];

    rt_assert(!x->known && x->kind == JIT_NATIVE);
    x->safe = true;
    x->object = (uint16_t)(w->object + 1);
    x->word = (uint16_t)(word - v->object[w->object].first);
    v->any = true;
}

/* Likewise of n words that have slots, by the object's own address and an
 * offset. */
static void
mark_access(struct jit_vars *v, struct jit_ins *x, uint32_t word, unsigned n)
{
    const struct jit_object *o = &v->object[v->word[word].object];

    rt_assert(!x->known && x->kind == JIT_NATIVE);
    rt_assert(!any_leaked(v, word, n));
    x->pointer = x->w[0].b;
    x->w[0].b = (uint16_t)o->base;
    x->w[0].c = (uint16_t)(8 * (word - o->first));
    x->made = x->known = true;
    x->object = (uint16_t)(v->word[word].object + 1);
    x->word = (uint16_t)(word - o->first);
    x->nwords = (uint16_t)n;
    for (unsigned i = 0; i < n; i++)
        v->word[word + i].loaded |= jit_is_load(x->w[0].op);
    v->any = true;
}

/* The words that x accesses by address p; false: not all are the object's, of
 * which nothing is known from now on, or not all are of the variable that p is of.
 * That happens on ways that nobody takes: what an interface holds is loaded there
 * as a value of another type, which may be larger. */
static bool
words_accessed(struct jit_vars *v, struct jit_val p, const struct jit_ins *x,
    uint32_t *word, unsigned *n)
{
    int32_t off = x->w[0].c;
    uint32_t last, own;

    *n = jit_words_accessed(x->w[0].op);
    if (*n == 0)
        off -= off % 8; /* a part of a word */
    if (jit_word_at(v, p, off, word) &&
        jit_word_at(v, p, off + 8 * ((int32_t)(*n > 0 ? *n : 1) - 1), &last) &&
        jit_word_at(v, p, 0, &own))
        return jit_first_word(v, own) == jit_first_word(v, *word) &&
            jit_first_word(v, own) == jit_first_word(v, last);
    leak(v, (struct jit_val){ADDRESS, p.object, -1});
    return false;
}

/* A slot gets what has been in another place. */
static void
assign(struct jit_vars *v, uint32_t slot, struct jit_val a)
{
    jit_set_slot(v, slot, a);
    if (a.kind != ADDRESS || a.n != 0)
        return;
    struct jit_object *o = &v->object[a.object];
    if (o->base == slot && !o->moved)
        o->moved = v->again = true;
}

static void
load(struct jit_vars *v, struct jit_ins *x)
{
    const struct code_ins *w = x->w;
    struct jit_val p = v->now[w->b], a[JIT_WORDS_ACCESSED];
    uint32_t to = w->a, word = 0;
    unsigned n = jit_words_accessed(w->op);
    bool known = p.kind == ADDRESS && words_accessed(v, p, x, &word, &n);

    for (unsigned i = 0; i < n; i++) {
        a[i] = jit_any();
        if (known && !is_leaked(v, word + i) &&
            jit_content(v, word + i)->kind != UNSEEN)
            a[i] = *jit_content(v, word + i);
    }
    if (known && v->marks) {
        if (n > 0 && !any_leaked(v, word, n) &&
            jit_has_base(v, &v->object[p.object]))
            mark_access(v, x, word, n);
        else
            mark_safe(v, x, word);
    }
    jit_set_slot(v, to, jit_any());
    for (unsigned i = 0; i < n; i++)
        assign(v, to + i, a[i]);
}

static void
store(struct jit_vars *v, struct jit_ins *x)
{
    const struct code_ins *w = x->w;
    struct jit_val p = v->now[w->b], a = v->now[w->a];
    uint32_t word;
    unsigned n = jit_words_accessed(w->op);

    for (unsigned i = 0; i < n; i++)
        leak(v, v->now[w->a + i]);
    if (p.kind != ADDRESS || !words_accessed(v, p, x, &word, &n))
        return;
    bool leaks = n == 0 || !jit_has_base(v, &v->object[p.object]);
    for (unsigned i = 0; i < n; i++)
        leaks |= v->word[word + i].made || is_leaked(v, word + i);
    if (leaks)
        jit_leak_words(v, word, jit_words_touched(w->op));
    for (unsigned i = 0; i < n && !leaks; i++)
        jit_set_content(v, word + i,
            w->op == OP_ST64 && a.kind != ADDRESS ? a : jit_any());
    if (!v->marks)
        return;
    if (!leaks && w->op == OP_ST64) {
        mark_access(v, x, word, n);
        x->numbered = a.kind == NUMBER;
        x->number = a.n;
        return;
    }
    mark_safe(v, x, word);
    if (!leaks)
        x->nwords = (uint16_t)n;
}

static void
define(struct jit_vars *v, const struct jit_ins *x)
{
    const struct jit_opnd *o = v->c->op + x->ops;

    lose(v, x);
    for (uint32_t i = 0; i < x->nops; i++)
        if (o[i].def)
            jit_set_slot(v, o[i].slot, jit_any());
}

/* Whatever else it is, calls too: a callee that keeps no address may return it,
 * or put it where the caller finds it.  What has not been leaked, it cannot
 * assign. */
static void
other(struct jit_vars *v, const struct jit_ins *x)
{
    const struct jit_opnd *o = v->c->op + x->ops;
    bool looks = x->w[0].op != OP_CELLEND && x->w[0].op != OP_CHKNIL;

    for (uint32_t i = 0; i < x->nops && looks; i++)
        if (o[i].use)
            leak(v, v->now[o[i].slot]);
    define(v, x);
}

/* Whether x, which leads to the next one only, leaves all as it is: nothing is
 * known of its operands, and it does not make anything known. */
static bool
says_nothing(const struct jit_vars *v, const struct jit_ins *x)
{
    const struct jit_opnd *o = v->c->op + x->ops, *end = o + x->nops;

    rt_assert(!x->ends);
    for (; o < end; o++)
        if (rt_bit_get(v->known, o->slot))
            return false;
    switch (x->w[0].op) {
    case OP_LDI:
    case OP_LDFN:
    case OP_CELL:
    case OP_CELLEND:
    case OP_NEW:
    case OP_MKCLO:
    case OP_MKCLOAT:
        return false;
    default:
        return !x->loses;
    }
}

static void step_by(struct jit_vars *v, int32_t k);

/* From before instruction k to behind it. */
static void
step(struct jit_vars *v, int32_t k)
{
    step_by(v, k);
    if (v->marks)
        jit_note_reach(v, &v->c->v[k]);
}

static void
step_by(struct jit_vars *v, int32_t k)
{
    struct jit_ins *x = &v->c->v[k];
    const struct code_ins *w = x->w;
    uint32_t base;

    if (x->kind == JIT_INLINE) {
        lose(v, x);
        return;
    }
    if (w->op == OP_CELLEND)
        jit_set_slot(v, w->a, jit_any()); /* its frame has no block any more */
    if (x->kind != JIT_NATIVE &&
        (x->kind == JIT_TAIL || jit_call_base(x, &base))) {
        other(v, x);
        return;
    }
    switch (w->op) {
    case OP_NOP: /* what it has been may name an address */
        break;
    case OP_MOV:
        assign(v, w->a, v->now[w->b]);
        break;
    case OP_LDI:
        jit_set_slot(v, w->a, (struct jit_val){.kind = NUMBER, .n = w->imm});
        break;
    case OP_LDFN:
        jit_set_slot(v, w->a, (struct jit_val){.kind = FUNC, .n = w->imm});
        break;
    default:
        if (jit_is_load(w->op))
            load(v, x);
        else if (jit_is_store(w->op))
            store(v, x);
        else if (!make(v, k))
            other(v, x);
        break;
    }
    if (x->ends)
        lose(v, x);
}

/* ---- ways ---------------------------------------------------------------- */

/* Whether the closure that x calls is known to be the function's that is
 * spliced in there. */
static bool
is_known_closure(struct jit_vars *v, const struct jit_ins *x)
{
    const struct code_func *f;
    struct jit_val b;
    uint32_t word;

    if (x->kind != JIT_INLINE || x->w[0].op != OP_CALLC)
        return false;
    f = v->c->jit->frames[x->callee].f;
    b = v->now[x->w[0].b];
    if (jit_word_at(v, b, 0, &word))
        b = *jit_content(v, word);
    return b.kind == FUNC && (uint32_t)b.n == f->id;
}

/* Whether the jump forwards is taken, of two numbers. */
static bool
jumps(unsigned op, int64_t a, int64_t b)
{
    switch (op) {
    case OP_JF:
    case OP_JEQ:
    case OP_JEQI:
        return a == b;
    case OP_JT:
    case OP_JNE:
    case OP_JNEI:
        return a != b;
    case OP_JLT:
    case OP_JLTI:
        return a < b;
    case OP_JLE:
    case OP_JLEI:
        return a <= b;
    case OP_JGTI:
        return a > b;
    case OP_JGEI:
        return a >= b;
    case OP_JULT:
        return (uint64_t)a < (uint64_t)b;
    default:
        rt_assert(op == OP_JULE);
        return (uint64_t)a <= (uint64_t)b;
    }
}

/* The numbers of which x, which compares one of few with a number, jumps
 * forwards. */
static uint32_t
numbers_that_jump(const struct jit_vars *v, const struct jit_ins *x)
{
    const struct code_ins *w = x->w;
    bool bools = w->op == OP_JT || w->op == OP_JF;
    uint32_t from = 0;

    for (uint32_t set = jit_numbers(v->now[w->a]); set != 0; set &= set - 1) {
        int n = __builtin_ctz(set);
        if (jumps(w->op, n + JIT_FEW_FIRST, bools ? 0 : (int16_t)w->b))
            from |= (uint32_t)1 << n;
    }
    return from;
}

static bool
compares_with_number(const struct jit_ins *x)
{
    unsigned op = x->w[0].op;

    return x->kind == JIT_NATIVE && x->nsucc == 2 && x->falls &&
        (op == OP_JT || op == OP_JF || (op >= OP_JEQI && op <= OP_JGEI));
}

/* Whether x, which jumps forwards, does so always, or never: where to. */
static bool
is_decided(const struct jit_vars *v, const struct jit_ins *x, int32_t *to)
{
    const struct code_ins *w = x->w;
    bool bools = w->op == OP_JT || w->op == OP_JF;
    bool slots = w->op >= OP_JEQ && w->op <= OP_JULE;
    int64_t b;

    if (compares_with_number(x) && v->now[w->a].kind == FEW) {
        uint32_t from = numbers_that_jump(v, x);
        *to = x->succ[from != 0];
        return from == 0 || from == jit_numbers(v->now[w->a]);
    }
    if (x->kind != JIT_NATIVE || x->nsucc != 2 || !x->falls ||
        !(bools || slots || (w->op >= OP_JEQI && w->op <= OP_JGEI)) ||
        v->now[w->a].kind != NUMBER ||
        (slots && v->now[w->b].kind != NUMBER))
        return false;
    b = bools ? 0 : slots ? v->now[w->b].n : (int16_t)w->b;
    *to = x->succ[jumps(w->op, v->now[w->a].n, b)];
    return true;
}

/* Where a spliced function's return x leads, behind which v->now holds: if its
 * caller asks for nothing but a result that is known here, as a loop does of its
 * body, not to the question.  On other ways there may be another answer, and
 * whatever else is known there goes with it.  The answer that goes on behind the
 * question is left to it. */
static int32_t
past_question(const struct jit_vars *v, const struct jit_ins *x)
{
    int32_t to = x->succ[0], past;

    rt_assert(x->ends && x->nsucc == 1);
    if (to >= v->c->n || !is_decided(v, &v->c->v[to], &past))
        return to;
    return past < v->c->n && v->c->lead[past] >= 0 ? past : to;
}

/* The return x, before which v->now holds; whether it leads to what follows in
 * order. */
static bool
go_back(struct jit_vars *v, int32_t k)
{
    struct jit_ins *x = &v->c->v[k];

    step(v, k);
    int32_t to = past_question(v, x);
    if (v->marks && to != x->succ[0]) {
        v->c->jit->frames[x->frame].asked = v->any = true;
        x->succ[0] = to;
        x->falls = to == k + 1;
        x->plain = false;
    }
    if (to < v->c->n)
        jit_arrive(v->c, to, v);
    return to == k + 1;
}

/* The ways that lead on from x, which compares one of few numbers with another one:
 * on each it is one of those that lead there.  The one that falls is the last. */
static void
part(struct jit_vars *v, const struct jit_ins *x)
{
    uint32_t slot = x->w[0].a;
    uint32_t jump = numbers_that_jump(v, x), all = jit_numbers(v->now[slot]);

    for (unsigned i = 2; i-- > 0;) {
        jit_set_slot(v, slot, jit_one_of(i == 1 ? jump : all & ~jump));
        if (x->succ[i] < v->c->n)
            jit_arrive(v->c, x->succ[i], v);
    }
}

/* The ways that lead on from x, before which v->now holds; then it is done.
 * Whether one leads to what follows in order. */
static bool
go_on(struct jit_vars *v, int32_t k)
{
    struct jit_fn *c = v->c;
    struct jit_ins *x = &c->v[k];
    int32_t to;

    if (is_decided(v, x, &to)) {
        if (v->marks) {
            x->decided = v->any = true;
            x->nsucc = 1;
            x->other = to == x->succ[0] ? x->succ[1] : x->succ[0];
            x->succ[0] = to;
            x->falls = to == k + 1;
        }
        if (to < c->n)
            jit_arrive(c, to, v);
        return to == k + 1;
    }
    if (is_known_closure(v, x)) {
        step(v, k);
        if (v->marks) {
            x->decided = v->any = true;
            x->nsucc = 1;
        }
        jit_arrive(c, x->succ[0], v);
        return true;
    }
    if (x->ends && x->nsucc == 1)
        return go_back(v, k);
    step(v, k);
    if (compares_with_number(x) && v->now[x->w[0].a].kind == FEW)
        part(v, x);
    else
        jit_each_succ(c, x, jit_arrive, v);
    return x->falls;
}

static void
walk(struct jit_vars *v, uint32_t b)
{
    struct jit_fn *c = v->c;
    int32_t k = c->block[b], end = c->block[b + 1];

    jit_hold_block(v, b);
    if (v->marks)
        jit_note_leaks(v, b);
    for (; k < end; k++) {
        const struct jit_ins *x = &c->v[k];
        bool more = true;

        /* Most lead to the next one only, and no block begins there. */
        if (!x->plain || x->ends || k + 1 == end)
            more = go_on(v, k);
        else if (!says_nothing(v, x))
            step(v, k);
        if (v->marks && v->leaks)
            jit_note_leaks(v, b);
        if (!more)
            return;
    }
}

/* Until nothing changes.  What has turned out meanwhile to be a closure's word, or
 * not to be one, has been taken for something else before: then it is to be done
 * again. */
static void
walk_all(struct jit_vars *v)
{
    struct jit_fn *c = v->c;
    bool more = true;

    memset(v->knows, 0, 8u * v->set);
    memset(v->seen, 0, c->nblocks);
    memset(v->changed, 0, c->nblocks);
    v->again = false;
    v->seen[0] = v->changed[0] = true;
    while (more) {
        more = false;
        for (uint32_t b = 0; b < c->nblocks; b++) {
            if (!v->changed[b])
                continue;
            v->changed[b] = false;
            more = true;
            walk(v, b);
        }
    }
}

/* ---- slots for values ---------------------------------------------------- */

/* A slot for each word that is loaded. */
static bool
give_slots(struct jit_vars *v)
{
    struct jit_fn *c = v->c;
    uint32_t *words = jit_room(c, v->nwords, sizeof *words);

    c->home = jit_alloc(c, v->nwords, sizeof *c->home);
    c->reach = jit_room(c, v->nwords, sizeof *c->reach);
    if (c->failed)
        return false;
    for (uint32_t i = 0; i < v->nwords; i++) {
        struct jit_word *w = &v->word[i];
        const struct jit_object *o = &v->object[w->object];

        if (!w->loaded)
            continue;
        words[c->nhomes] = i;
        c->reach[c->nhomes] = jit_reach_of(v, i);
        c->home[c->nhomes++] = (struct jit_home){
            .object = (uint16_t)(w->object + 1),
            .base = (uint16_t)o->base, .word = (uint16_t)(i - o->first),
            .heap = jit_is_made(o), .leaks = w->leaks};
    }
    c->ns = c->vs + c->nhomes;
    c->words = (c->ns + 63) / 64;
    rt_assert_full(jit_homes_valid(c));
    return jit_put_leaks(v, words);
}

/* Where the addresses are of what instructions make. */
static void
find_bases(struct jit_vars *v)
{
    for (uint32_t i = 0; i < v->nobjects; i++)
        if (jit_is_made(&v->object[i]))
            rt_bit_set(v->bases, v->object[i].base);
}

bool
jit_vars(struct jit_fn *c, bool *changed)
{
    struct jit_vars *v;
    uint32_t objects, words;

    *changed = false;
    if (!c->closures || c->jit->vm->race != NULL ||
        (c->f->flags & CODE_F_DEFER) != 0 ||
        !jit_count_objects(c, &objects, &words))
        return true;
    v = jit_alloc(c, 1, sizeof *v);
    if (v == NULL)
        return false;
    v->c = c;
    if (!jit_find_objects(v, objects, words))
        return false;
    v->size = c->ns + v->nwords;
    v->at = jit_room(c, (size_t)c->nblocks * v->size, sizeof *v->at);
    v->set = (v->size + 63) / 64;
    v->knows = jit_room(c, (size_t)c->nblocks * v->set, sizeof *v->knows);
    v->now = jit_room(c, v->size, sizeof *v->now);
    v->known = jit_alloc(c, v->set, sizeof *v->known);
    v->seen = jit_room(c, c->nblocks, 1);
    v->changed = jit_room(c, c->nblocks, 1);
    v->found = jit_room(c, v->nobjects, sizeof *v->found);
    v->finds = jit_room(c, v->nobjects, sizeof *v->finds);
    v->bases = jit_alloc(c, c->words, 8);
    v->leaked_words = (v->nwords + 63) / 64;
    v->leaked = jit_alloc(c, (size_t)c->nblocks * v->leaked_words, 8);
    v->losing = jit_alloc(c, v->leaked_words, 8);
    v->lost = jit_room(c, v->nwords, sizeof *v->lost);
    jit_reach_begin(v);
    if (c->failed)
        return false;
    find_bases(v);
    jit_hold_nothing(v);
    do
        walk_all(v);
    while (v->again);
    v->marks = true;
    for (uint32_t b = 0; b < c->nblocks; b++)
        if (v->seen[b])
            walk(v, b);
    rt_assert(!v->again);
    *changed = v->any;
    return !v->any || (jit_spread_reach(v) && give_slots(v));
}
