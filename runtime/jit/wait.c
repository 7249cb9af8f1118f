/* SPDX-License-Identifier: MIT */

/*
 * Stores that wait.  A variable that has a register (vars.c) need not be in its
 * memory as long as nobody looks there.  Where machine code may be left, the
 * record has the variable, and whoever leaves by it writes it to its memory first:
 * so a store waits, if on each way from there the variable is stored anew, or out of
 * reach, before a call, or a function of C, may look.
 *
 * Backwards it is found out for which stores that is so; forwards, where what waits
 * may be asked for.  There the variable is live: that is all that the rest of the
 * compiler need know.  The address is read from the object's base then, which must
 * be live as well, and the same as where it was stored.
 *
 * A pointer waits only in a block of cells, which is looked at with the stack, and
 * needs no barrier.
 *
 * What makes variables anew, or a closure, in a block that is there already, waits
 * likewise.  Meanwhile the collector finds there what has been there before, of
 * the round before, for instance: that is what it is before CELL in the
 * interpreter, too.
 */
#include "runtime/jit/jit_int.h"

#include <string.h>

#include "runtime/code/opinfo.h"
#include "runtime/jit/access.h"

struct wait {
    struct jit_fn *c;
    uint64_t *over; /* by block: variables that nobody looks at in memory before
                       they are stored */
    uint64_t *late; /* by block: those that wait on some way there */
    uint64_t *made; /* by block: those that have been made on each way there, so
                       that the base has their object's address */
    uint64_t *now, *there; /* late and made, or over, at some instruction */
    uint64_t *never; /* variables that must not */
    uint64_t *bases; /* slots with the address of an object of variables */
    uint32_t words;  /* of a set of variables */
    bool marks, any, refused;
    bool again; /* what is live is known with what is asked for */
    bool lost;  /* something that waits is live where no record has it */
};

/* Whether an address that has been put in its slot may be there at instruction k,
 * where that is live: the frame has not ended, or it is among its results.  A
 * function in the place of a wrapper has from that what it is given. */
static bool
may_be_there(const struct jit_fn *c, const struct jit_address *a, int32_t k)
{
    const struct jit_frame *frames = c->jit->frames, *by = &frames[a->frame];
    uint32_t frame = c->v[k].frame;

    for (; frame > a->frame; frame = frames[frame].up)
        if (frames[frame].instead != 0)
            return true;
    return frame == a->frame || a->slot < by->base + by->f->nres;
}

bool
jit_is_reachable(const struct jit_fn *c, uint32_t var, int32_t k)
{
    const uint64_t *live = jit_live(c, k), *by = c->reach[var];

    RT_EACH_BIT (i, by, c->naddresses)
        if (rt_bit_get(live, c->address[i].slot) &&
            may_be_there(c, &c->address[i], k))
            return true;
    return false;
}

/* Whether x makes the object anew, or words of it. */
static bool
is_making(const struct jit_ins *x)
{
    return x->object != 0 && !x->known && !x->safe;
}

/* The variables that x assigns, as a set of those from the first one on; false:
 * it does not, or some word of what it stores is none. */
static bool
assigned_by(const struct jit_fn *c, const struct jit_ins *x, uint32_t *first,
    uint32_t *n)
{
    *n = 0;
    if (x->object == 0 || x->nwords == 0 ||
        ((x->known || x->safe) && !jit_is_store(x->w[0].op)))
        return false;
    for (uint32_t i = 0; i < x->nwords; i++) {
        uint32_t slot = jit_slot_of_word(c, x->object, x->word + i);

        if (slot == 0)
            continue;
        if (*n == 0)
            *first = slot - c->vs;
        ++*n;
    }
    return *n > 0;
}

/* Those that x assigns; or, if it is the end of a frame's cells, those in them:
 * nobody looks there any more. */
static void
set_assigned(const struct wait *v, const struct jit_ins *x, bool to, bool end)
{
    const struct jit_fn *c = v->c;
    uint32_t first, n;

    for (uint32_t i = 0; i < c->nhomes && x->w[0].op == OP_CELLEND; i++)
        if (!c->home[i].heap && c->home[i].base == x->w[0].a) {
            if (end)
                rt_bit_set(v->now, i);
            else
                rt_bit_clear(v->now, i);
        }
    if (!assigned_by(c, x, &first, &n))
        return;
    for (uint32_t i = first; i < first + n; i++)
        if (to)
            rt_bit_set(v->now, i);
        else
            rt_bit_clear(v->now, i);
}

bool
jit_is_looked_at(const struct jit_ins *x)
{
    return x->kind == JIT_CALL || x->kind == JIT_HELPER || x->kind == JIT_TAIL;
}

/* Whether the outermost function returns: its variables end. */
static bool
ends_all(const struct jit_ins *x)
{
    unsigned op = x->w[0].op;

    return x->kind == JIT_NATIVE && x->nsucc == 0 &&
        (op == OP_RET || op == OP_RET1 || op == OP_RET2 || op == OP_RETN);
}

bool
jit_has_record(const struct jit_fn *c, const struct jit_ins *x)
{
    return !x->part && !ends_all(x) &&
        (x->header || x->resumes || c->jit->cfg.exits != 0 ||
            !jit_is_quiet(c, x));
}

/* ---- backwards ----------------------------------------------------------- */

/* Whether nothing that is asked for here changes by x: it neither has to do with
 * variables, nor may anybody look at them meanwhile. */
static bool
is_apart(const struct jit_ins *x)
{
    return x->object == 0 && !x->watched && !jit_is_looked_at(x) &&
        x->w[0].op != OP_CELLEND;
}

/* Whether x makes variables, or a closure, in a frame's cells. */
static bool
is_made_there(const struct jit_ins *x)
{
    return is_making(x) &&
        (x->w[0].op == OP_MKCLOAT || x->w[0].op == OP_CELL);
}

/* Likewise, where the frame's cells are there already: else it is not worth the
 * time. */
static bool
is_made_again(const struct jit_ins *x)
{
    return is_made_there(x) && (x->w[0].op == OP_MKCLOAT || x->there);
}

/* Whether x may wait, for all that it stores. */
static bool
may_wait(const struct wait *v, const struct jit_ins *x)
{
    const struct jit_fn *c = v->c;
    uint32_t first, n;

    if (!(x->known || x->safe || is_made_there(x)) || x->kind != JIT_NATIVE ||
        x->watched || !assigned_by(c, x, &first, &n) || n != x->nwords)
        return false;
    if (x->w[0].op != OP_ST64 && c->home[first].heap)
        return false;
    for (uint32_t i = first; i < first + n; i++)
        if (!rt_bit_get(v->now, i) || rt_bit_get(v->never, i))
            return false;
    return true;
}

/* From behind instruction k to before it.  Where others may read a variable, it
 * is looked at. */
static void
step_back(struct wait *v, int32_t k)
{
    struct jit_fn *c = v->c;
    struct jit_ins *x = &c->v[k];

    rt_assert(!x->waits || x->object != 0);
    if (ends_all(x))
        memset(v->now, 0xff, 8u * v->words);
    for (uint32_t w = 0; w < v->words && c->leaked != NULL; w++)
        v->now[w] &= ~c->leaked[(size_t)k * v->words + w];
    if (ends_all(x) || is_apart(x))
        return;
    if (v->marks) {
        x->waits = may_wait(v, x);
        v->any |= x->waits && (!is_made_there(x) || is_made_again(x));
        c->makes_late |= x->waits && is_made_again(x);
    }
    set_assigned(v, x, true, true);
    if (jit_is_looked_at(x) || x->watched) {
        for (uint32_t i = 0; i < c->nhomes; i++)
            if (rt_bit_get(v->now, i) && jit_is_reachable(c, i, k))
                rt_bit_clear(v->now, i);
        return;
    }
    if (!x->safe || !jit_is_load(x->w[0].op))
        return;
    for (uint32_t i = 0; i < jit_words_touched(x->w[0].op); i++) {
        uint32_t slot = jit_slot_of_word(c, x->object, x->word + i);
        if (slot != 0)
            rt_bit_clear(v->now, slot - c->vs);
    }
}

static void
join(struct jit_fn *c, int32_t to, void *arg)
{
    struct wait *v = arg;
    int32_t b = c->lead[to];

    for (uint32_t w = 0; w < v->words && b >= 0; w++)
        v->now[w] &= v->over[(size_t)b * v->words + w];
}

/* Block b, from its end; whether less is known where it begins. */
static bool
walk_back(struct wait *v, uint32_t b)
{
    struct jit_fn *c = v->c;
    uint64_t *over = v->over + (size_t)b * v->words;

    memset(v->now, 0xff, 8u * v->words);
    for (int32_t k = c->block[b + 1] - 1; k >= c->block[b]; k--) {
        const struct jit_ins *x = &c->v[k];

        if (!x->reached)
            continue;
        if (!jit_goes_on(c, x))
            jit_each_succ(c, x, join, v);
        step_back(v, k);
    }
    bool less = memcmp(over, v->now, 8u * v->words) != 0;
    memcpy(over, v->now, 8u * v->words);
    return less;
}

static void
find_waiting(struct wait *v)
{
    struct jit_fn *c = v->c;
    bool more = true;

    v->marks = v->any = false;
    memset(v->over, 0xff, 8u * c->nblocks * (size_t)v->words);
    while (more) {
        more = false;
        for (uint32_t b = c->nblocks; b-- > 0;)
            more |= walk_back(v, b);
    }
    v->marks = true;
    for (uint32_t b = c->nblocks; b-- > 0;)
        walk_back(v, b);
}

/* ---- forwards ------------------------------------------------------------ */

/* The variable must be in memory all the time. */
static void
refuse(struct wait *v, uint32_t var)
{
    rt_bit_set(v->never, var);
    rt_bit_clear(v->now, var);
    v->refused = true;
}

/* There may be a record at instruction k.  Where a variable has not been made on
 * some way there, its address is in no slot that is live: else it would be leaked.
 * A slot that had its address may be live with something else: so one may seem to be
 * reached later, but not here.  It is asked for here as well then, since it is not in
 * memory; by the base, which is what it is there. */
static void
ask(struct wait *v, int32_t k)
{
    struct jit_fn *c = v->c;
    const uint64_t *live = jit_live(c, k);

    RT_EACH_BIT (i, v->now, c->nhomes) {
        bool lives = v->again && rt_bit_get(live, c->vs + i),
             based = rt_bit_get(live, c->home[i].base),
             reachable = lives || jit_is_reachable(c, i, k);

        v->lost |= lives && !(based && rt_bit_get(v->there, i));
        if (reachable && !based && !v->again)
            refuse(v, i);
        else if (!reachable || !based || !rt_bit_get(v->there, i))
            rt_bit_clear(v->now, i);
        else if (v->marks)
            rt_bit_set(c->asked + (size_t)k * c->words, c->vs + i);
    }
}

/* Instruction k assigns a slot in which the address of an object has been: what
 * waits there, and may be reached in another way, would be lost. */
static void
lose_base(struct wait *v, int32_t k, uint32_t slot)
{
    struct jit_fn *c = v->c;
    const struct jit_ins *x = &c->v[k];

    for (uint32_t i = 0; i < c->nhomes; i++) {
        if (c->home[i].base != slot ||
            (is_making(x) && x->object == c->home[i].object))
            continue;
        rt_bit_clear(v->there, i);
        if (!rt_bit_get(v->now, i) || !jit_is_reachable(c, i, k))
            continue;
        v->lost |= v->again;
        if (!v->again)
            refuse(v, i);
    }
}

static bool
any_late(const struct wait *v)
{
    uint64_t set = 0;

    for (uint32_t w = 0; w < v->words; w++)
        set |= v->now[w];
    return set != 0;
}

static void
step(struct wait *v, int32_t k)
{
    struct jit_fn *c = v->c;
    struct jit_ins *x = &c->v[k];
    const struct jit_opnd *o = c->op + x->ops;
    uint32_t first, n;

    if (any_late(v) && (jit_has_record(c, x) || jit_is_looked_at(x)))
        ask(v, k);
    for (uint32_t i = 0; i < x->nops; i++)
        if (o[i].def && o[i].slot < c->vs && rt_bit_get(v->bases, o[i].slot))
            lose_base(v, k, o[i].slot);
    if (x->object == 0 && x->w[0].op != OP_CELLEND)
        return;
    set_assigned(v, x, x->waits, false);
    if (is_making(x) && assigned_by(c, x, &first, &n))
        rt_bits_fill(v->there, first, first + n, true);
}

static void
arrive(struct jit_fn *c, int32_t to, void *arg)
{
    struct wait *v = arg;
    int32_t b = c->lead[to];

    if (b < 0)
        return;
    uint64_t *late = v->late + (size_t)b * v->words;
    uint64_t *made = v->made + (size_t)b * v->words;
    for (uint32_t w = 0; w < v->words; w++) {
        v->any |= (v->now[w] & ~late[w]) != 0 || (made[w] & ~v->there[w]) != 0;
        late[w] |= v->now[w];
        made[w] &= v->there[w];
    }
}

static void
walk(struct wait *v, uint32_t b)
{
    struct jit_fn *c = v->c;

    memcpy(v->now, v->late + (size_t)b * v->words, 8u * v->words);
    memcpy(v->there, v->made + (size_t)b * v->words, 8u * v->words);
    for (int32_t k = c->block[b]; k < c->block[b + 1]; k++) {
        const struct jit_ins *x = &c->v[k];

        if (!x->reached)
            continue;
        step(v, k);
        if (!jit_goes_on(c, x))
            jit_each_succ(c, x, arrive, v);
    }
}

/* Where what waits may be asked for. */
static void
find_asked(struct wait *v)
{
    struct jit_fn *c = v->c;

    v->marks = false;
    memset(v->late, 0, 8u * c->nblocks * (size_t)v->words);
    memset(v->made, 0xff, 8u * c->nblocks * (size_t)v->words);
    memset(v->made, 0, 8u * v->words);
    do {
        v->any = false;
        for (uint32_t b = 0; b < c->nblocks; b++)
            walk(v, b);
    } while (v->any);
    v->marks = true;
    for (uint32_t b = 0; b < c->nblocks && !v->refused; b++)
        walk(v, b);
}

/* Whether something of which a store waits is live where there may be a record that
 * does not have it: most often there is nothing. */
static bool
is_any_live(struct wait *v)
{
    struct jit_fn *c = v->c;
    uint32_t first, n;

    memset(v->now, 0, 8u * v->words);
    for (int32_t k = 0; k < c->n; k++)
        if (c->v[k].waits && c->v[k].reached &&
            assigned_by(c, &c->v[k], &first, &n))
            rt_bits_fill(v->now, first, first + n, true);
    for (int32_t k = 0; k < c->n; k++) {
        const struct jit_ins *x = &c->v[k];
        const uint64_t *asked = c->asked + (size_t)k * c->words;

        if (!x->reached || !(jit_has_record(c, x) || jit_is_looked_at(x)))
            continue;
        RT_EACH_BIT (i, v->now, c->nhomes)
            if (rt_bit_get(jit_live(c, k), c->vs + i) &&
                !rt_bit_get(asked, c->vs + i))
                return true;
    }
    return false;
}

/* Whether a loop stores to a variable: else it is not worth the time. */
static bool
is_worth_it(const struct jit_fn *c)
{
    for (int32_t k = 0; k < c->n && c->nhomes > 0; k++) {
        const struct jit_ins *x = &c->v[k];

        if (x->depth > 0 && x->reached && x->nwords > 0 &&
            (is_made_again(x) ||
                ((x->known || x->safe) && jit_is_store(x->w[0].op))))
            return true;
    }
    return false;
}

bool
jit_wait(struct jit_fn *c)
{
    struct wait v = {.c = c, .words = (c->nhomes + 63) / 64};
    size_t n = (size_t)c->nblocks * v.words;

    if (!is_worth_it(c))
        return true;
    v.over = jit_room(c, n, 8);
    v.late = jit_room(c, n, 8);
    v.made = jit_room(c, n, 8);
    v.now = jit_room(c, v.words, 8);
    v.there = jit_room(c, v.words, 8);
    v.never = jit_alloc(c, v.words, 8);
    v.bases = jit_alloc(c, c->words, 8);
    if (c->failed)
        return false;
    for (uint32_t i = 0; i < c->nhomes; i++)
        rt_bit_set(v.bases, c->home[i].base);
    for (;;) {
        find_waiting(&v);
        if (!v.any) {
            for (int32_t k = 0; k < c->n; k++)
                c->v[k].waits = false;
            return true;
        }
        c->asked = jit_alloc(c, (size_t)c->n * c->words, 8);
        if (c->failed)
            return false;
        v.refused = false;
        find_asked(&v);
        if (!v.refused)
            break;
        c->asked = NULL;
    }
    for (int32_t k = 0; k < c->n && c->does != NULL; k++)
        c->does[k].uses |= c->asked[k];
    if (!jit_liveness(c))
        return false;
    if (!is_any_live(&v))
        return true;
    v.again = true;
    find_asked(&v);
    rt_assert_full(!v.lost);
    return true;
}
