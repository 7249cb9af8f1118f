/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_JIT_VARS_H
#define RUNTIME_JIT_VARS_H

/* The inside of vars.c, holds.c, leak.c, meet.c and objects.c: what is known of
 * slots and of memory that is reached by address. */

#include "runtime/jit/jit_int.h"

enum jit_val_kind { UNSEEN, ANY, NUMBER, FUNC, ADDRESS, LEAKED, FEW };

/* What a slot or a word holds: the number n, the static closure of function n,
 * or the address of word n of the object.  Where a word is LEAKED, others may
 * read and write it.  FEW: one of two numbers, or some more, from JIT_FEW_FIRST on,
 * that have their bits in n, as the state of a loop over a function has behind it. */
struct jit_val {
    uint16_t kind; /* enum jit_val_kind */
    uint16_t object;
    int32_t n;
};

/* So many numbers at most are told apart, from the first one on. */
enum { JIT_FEW_FIRST = -1, JIT_FEW_MOST = 4 };

/* The numbers that a may be, as a set of bits; 0: it is not one of few. */
static inline uint32_t
jit_numbers(struct jit_val a)
{
    if (a.kind == FEW)
        return (uint32_t)a.n;
    return a.kind == NUMBER && a.n >= JIT_FEW_FIRST &&
            a.n < JIT_FEW_FIRST + 32
        ? (uint32_t)1 << (a.n - JIT_FEW_FIRST) : 0;
}

/* One of these. */
static inline struct jit_val
jit_one_of(uint32_t numbers)
{
    int n = __builtin_popcount(numbers);

    if (n == 1)
        return (struct jit_val){.kind = NUMBER,
            .n = JIT_FEW_FIRST + __builtin_ctz(numbers)};
    return n == 0 || n > JIT_FEW_MOST
        ? (struct jit_val){.kind = ANY}
        : (struct jit_val){.kind = FEW, .n = (int32_t)numbers};
}

struct jit_object {
    uint32_t frame; /* of a block of cells: whose it is */
    int32_t at;     /* else the instruction that makes it; or -1 */
    uint32_t base;  /* the slot that has its address */
    bool moved;     /* its address gets there in another way than by being
                       made, so that it may have been lost meanwhile */
    uint32_t first, n; /* its words, from all objects' first one on */
};

struct jit_word {
    uint16_t object;
    uint16_t first, n; /* the words of its variable, from the object's first */
    uint16_t slot;     /* for its value: so many behind the first such slot */
    bool leaks;  /* somewhere it is LEAKED */
    bool made;   /* a closure's, as it is made: nobody else assigns it */
    bool assigned; /* it is not `made`, for somebody does */
    bool loaded; /* an instruction takes it from its slot; or what makes it may
                    wait */
};

/* An address of one variable is in another one, a closure: a word of each. */
struct jit_has {
    uint32_t word, of;
};

struct jit_vars {
    struct jit_fn *c;
    struct jit_object *object;
    struct jit_word *word;
    uint32_t nobjects, nwords;
    uint16_t *makes; /* by instruction: the object that it makes, and 1 */
    uint32_t size; /* values in a state: slots, then words */
    struct jit_val *at; /* by block: where it begins, those in `knows` */
    uint64_t *knows; /* by block: the set of those that are not as most are,
                        which is ANY of a slot, and UNSEEN of a word */
    uint32_t set;    /* words of such a set */
    bool *seen, *changed; /* by block */
    struct jit_val *now; /* all */
    uint64_t *known; /* of now: the set of those that need not be as most are */
    bool *found; /* by object: its address is somewhere, where one has looked */
    uint32_t *finds; /* those, in the order in which they were found */
    uint32_t nfinds;
    uint64_t *bases; /* the set of slots with addresses of what is made */
    uint64_t *reach; /* by the first word of a variable: the set of those of
                        c->address by which one comes there */
    uint32_t reach_words;
    uint32_t *address_of; /* of those, which word's */
    struct jit_has *has; /* closures, and what they have captured */
    uint32_t nhas, max_has;
    uint64_t *leaked; /* by block: words that are LEAKED somewhere in it */
    uint32_t leaked_words; /* of such a set */
    bool leaks; /* some word has become LEAKED in v->now */
    uint64_t *losing; /* in leak.c: the set of variables that are being leaked, by
                         their first words, */
    uint32_t *lost;   /* and those, in the order in which they were found */
    uint32_t nlost;
    bool again; /* something is known to be a closure's, or not to be one */
    bool marks; /* instructions are told what is known */
    bool any;   /* and one has been */
};

/* Whether an instruction makes it all; else it is a frame's cells. */
static inline bool
jit_is_made(const struct jit_object *o)
{
    return o->at >= 0;
}

/* The first word of a word's variable. */
static inline uint32_t
jit_first_word(const struct jit_vars *v, uint32_t word)
{
    const struct jit_word *w = &v->word[word];

    rt_assert(word < v->nwords);
    return v->object[w->object].first + w->first;
}

/* ---- what is known at one place (holds.c) --------------------------------- */

static inline struct jit_val
jit_any(void)
{
    return (struct jit_val){.kind = ANY};
}

/* What most values are: of most slots nothing is known, and most words have not
 * been seen. */
static inline struct jit_val
jit_most(const struct jit_vars *v, uint32_t i)
{
    return i < v->c->ns ? jit_any() : (struct jit_val){.kind = UNSEEN};
}

static inline const struct jit_val *
jit_content(const struct jit_vars *v, uint32_t word)
{
    rt_assert(word < v->nwords);
    return &v->now[v->c->ns + word];
}

static inline void
jit_set_slot(struct jit_vars *v, uint32_t slot, struct jit_val a)
{
    rt_assert(slot < v->c->ns && a.kind != UNSEEN);
    v->now[slot] = a;
    if (a.kind == ANY)
        rt_bit_clear(v->known, slot);
    else
        rt_bit_set(v->known, slot);
}

static inline void
jit_set_content(struct jit_vars *v, uint32_t word, struct jit_val a)
{
    rt_assert(word < v->nwords);
    v->now[v->c->ns + word] = a;
    rt_bit_set(v->known, v->c->ns + word);
}

/* Now all is as most are; or what holds where block b begins does. */
void jit_hold_nothing(struct jit_vars *v);
void jit_hold_block(struct jit_vars *v, uint32_t b);
/* Whether `known` is what it is said to be; for assertions. */
bool jit_known_valid(const struct jit_vars *v);
/* Nothing is known of slots from `from` to before `end`. */
void jit_forget_slots(struct jit_vars *v, uint32_t from, uint32_t end);
/* The object is another one than before, if it was made before. */
void jit_forget_object(struct jit_vars *v, uint32_t object);

/* ---- what is leaked (leak.c) ---------------------------------------------- */

/* What holds at one place: v->now and v->known, or those of a block.  Of a block
 * only those values are there that are known. */
struct jit_state {
    struct jit_val *val;
    uint64_t *known;
};

static inline struct jit_val
jit_state_get(
    const struct jit_vars *v, const struct jit_state *state, uint32_t i)
{
    rt_assert(i < v->size);
    return rt_bit_get(state->known, i) ? state->val[i] : jit_most(v, i);
}

static inline void
jit_state_set(const struct jit_vars *v, const struct jit_state *state,
    uint32_t i, struct jit_val a)
{
    rt_assert(i < v->size);
    state->val[i] = a;
    if (a.kind == jit_most(v, i).kind)
        rt_bit_clear(state->known, i);
    else
        rt_bit_set(state->known, i);
}

/* Address a gets to where it is not followed; whether less is known in the state
 * than before. */
bool jit_leak_address(struct jit_vars *v, const struct jit_state *state,
    struct jit_val a);
static inline bool
jit_leak(struct jit_vars *v, const struct jit_state *state, struct jit_val a)
{
    return a.kind == ADDRESS && jit_leak_address(v, state, a);
}
/* So many words from that one on are assigned by somebody, in v->now. */
void jit_leak_words(struct jit_vars *v, uint32_t word, unsigned n);
/* What is LEAKED in v->now is so in block b. */
void jit_note_leaks(struct jit_vars *v, uint32_t b);
/* Tells of the variables with slots where they are LEAKED; words: which each is.
 * false: there is no memory. */
bool jit_put_leaks(struct jit_vars *v, const uint32_t *words);

/* ---- ways (meet.c) --------------------------------------------------------- */

/* Whether the object's address is where it was when it was made, and has been
 * there ever since: by that its variables are loaded wherever they live. */
static inline bool
jit_has_base(const struct jit_vars *v, const struct jit_object *o)
{
    struct jit_val b = v->now[o->base];

    rt_assert(o->base < v->c->vs);
    return !o->moved && b.kind == ADDRESS && b.n == 0 &&
        &v->object[b.object] == o;
}

/* A way leads to instruction `to`, with what is known now; arg: struct
 * jit_vars. */
void jit_arrive(struct jit_fn *c, int32_t to, void *arg);

/* ---- objects.c ------------------------------------------------------------ */

/* How many objects and words of them there are at most; whether
 * there is anything to be known: else it is not worth the time. */
bool jit_count_objects(
    const struct jit_fn *c, uint32_t *objects, uint32_t *words);
/* The objects, and which instruction makes which; false: no memory for them. */
bool jit_find_objects(struct jit_vars *v, uint32_t objects, uint32_t words);
/* The word at byte `off` from address a, if it is one. */
bool jit_word_at(
    const struct jit_vars *v, struct jit_val a, int32_t off, uint32_t *word);
/* Room for all by which the interpreter may come to a variable; and, once that has
 * been spread, the set of those of c->address for the variable of a word. */
void jit_reach_begin(struct jit_vars *v);
uint64_t *jit_reach_of(const struct jit_vars *v, uint32_t word);
/* The word gets a value.  x has been done, so that v->now holds behind it: slots
 * may have addresses now.  By that of a block of cells nobody comes to what is in
 * it: CELL makes variables anew. */
void jit_note_content(struct jit_vars *v, uint32_t word, struct jit_val val);
void jit_note_reach(struct jit_vars *v, const struct jit_ins *x);
/* What is in a closure can be reached by what reaches that one; false: there is no
 * memory. */
bool jit_spread_reach(struct jit_vars *v);

#endif
