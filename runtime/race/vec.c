/* SPDX-License-Identifier: MIT */
/*
 * Vectors of clocks.  They are as long as the highest slot that they know
 * anything of, and with thousands of goroutines what the detector does most is
 * to copy and to join them.  So they are made of pieces, which vectors share
 * from the second piece on: who takes over another's vector takes references,
 * and where two have the same piece there is nothing to be joined.  A piece to
 * which there is one reference is its vector's own and may be written.
 *
 * Vectors of one piece, which are those of most programs, are copied instead:
 * as they are written at each tick, what is shared would be copied anyway.
 *
 * Note [ticks].  A goroutine's tick makes the piece with its own slot what it
 * knows at the beginning of the new time.  What it lets others know at that
 * time, or later, has all of that; and whoever has heard of that time of the
 * slot has heard it from there, as vectors are handed on whole.  So of two
 * pieces one is part of the other if that knows the tick that has made it, and
 * clocks need not be compared one by one.  The same is true of the piece that
 * the goroutine has when it lets others know of that time at first: where two
 * meet, that is what both know then.  And a piece whose time the other one does
 * not know is no part of that.  None of this is so any longer when a slot has
 * got a new owner who knows nothing of the old one.
 *
 * Note [bases].  A goroutine that makes thousands of others, each of which does
 * one thing and ends, would hand on each piece each time.  So all pieces
 * together become a base, to which there is one reference, and beside which a
 * vector keeps what is news: the clock of its owner, and of who has made the
 * owner since the base was.  Whoever is told of such a vector and knows its base
 * takes the news alone.  A vector that hears of others gets pieces again.
 */
#include "runtime/race/vec.h"

#include <string.h>


/* What comes before a piece's clocks is as long as so many of them. */
enum { HEAD = sizeof(struct race_clocks) / sizeof(uint32_t) };

_Static_assert(((RACE_CLOCKS + HEAD) & (RACE_CLOCKS + HEAD - 1)) == 0 &&
    ((RACE_CLOCKS_FEW + HEAD) & (RACE_CLOCKS_FEW + HEAD - 1)) == 0,
    "sizes of pieces are powers of two");

/* Which of two knows more of some slot. */
enum more { MORE_NONE = 0, MORE_A = 1, MORE_B = 2 };

/* gcc makes a second version for processors with wide registers.  It could
 * choose as well, but would ask the processor when a program is loaded, which
 * traps in a virtual machine. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define LOOP(name) name##_wide
#define LOOP_FOR __attribute__((target("avx2"), optimize("O3")))
#include "runtime/race/loops.inc"
#define LOOP_FOR __attribute__((optimize("O3")))
#define PICK(m, name) ((m)->wide ? name##_wide : name##_plain)
#else
#define LOOP_FOR
#define PICK(m, name) ((void)(m), name##_plain)
#endif
#define LOOP(name) name##_plain
#include "runtime/race/loops.inc"

/* ---- pieces ----------------------------------------------------------------- */

static size_t
size_of(uint32_t n)
{
    return sizeof(struct race_clocks) + n * sizeof(uint32_t);
}

/* How many clocks piece k has that is to have n at least. */
static uint32_t
length(uint32_t n, uint32_t k)
{
    uint32_t len = k > 0 ? RACE_CLOCKS : RACE_CLOCKS_FEW;

    rt_assert(n <= RACE_CLOCKS);
    while (len < n)
        len = 2 * len + HEAD;
    return len;
}

/* A piece of n clocks, those of y first, if any. */
static struct race_clocks *
piece_new(struct race_mem *m, uint32_t n, const struct race_clocks *y)
{
    struct race_clocks *x = race_mem_take(m, size_of(n));
    uint32_t known = y != NULL ? y->n : 0;

    rt_assert(n == length(n, 0) && known <= n);
    if (x == NULL)
        rt_no_memory();
    x->n = n;
    x->by = y != NULL ? y->by : 0;
    x->unused = 0;
    if (y != NULL)
        memcpy(x->v, y->v, known * sizeof *x->v);
    memset(x->v + known, 0, (n - known) * sizeof *x->v);
    a32_store_rlx(&x->refs, 1);
    return x;
}

static struct race_clocks *
share(struct race_clocks *x)
{
    if (x != NULL)
        a32_add_rlx(&x->refs, 1);
    return x;
}

static void
drop(struct race_mem *m, struct race_clocks *x)
{
    if (x == NULL)
        return;
    if (race_clocks_own(x) || a32_add_full(&x->refs, UINT32_MAX) == 1)
        race_mem_put(m, x, size_of(x->n));
}

/* ---- vectors ------------------------------------------------------------------ */

static void
stretch_more(struct race_mem *m, struct race_vec *a, uint32_t n)
{
    uint32_t cap = a->cap == 0 ? 4 : a->cap;

    rt_assert(n <= UINT16_MAX / 2);

    if (n > a->cap) {
        while (cap < n)
            cap *= 2;
        struct race_clocks **c = race_mem_get(m, cap * sizeof *c);
        if (c == NULL)
            rt_no_memory();
        if (a->cap != 0) {
            memcpy(c, a->c, a->n * sizeof *c);
            race_mem_put(m, a->c, a->cap * sizeof *c);
        }
        a->c = c;
        a->cap = (uint16_t)cap;
    }
    for (; a->n < n; a->n++)
        a->c[a->n] = NULL;
}

/* At least n pieces, of which some may not be there. */
static inline void
stretch(struct race_mem *m, struct race_vec *a, uint32_t n)
{
    if (rt_unlikely(a->n < n))
        stretch_more(m, a, n);
}

/* Piece k as one that may be written, with room for n clocks. */
static struct race_clocks *
own(struct race_mem *m, struct race_vec *a, uint32_t k, uint32_t n)
{
    struct race_clocks *x = a->c[k], *y;

    rt_assert(k < a->n);
    if (x != NULL && x->n >= n && race_clocks_own(x))
        return x;
    if (x != NULL && x->n > n)
        n = x->n;
    y = piece_new(m, length(n, k), x);
    drop(m, x);
    a->c[k] = y;
    return y;
}

/* ---- bases: see Note [bases] ----------------------------------------------- */

/* So many references of a base are taken at a time where many get it. */
enum { SPARE = 64 };

static size_t
base_size(uint32_t n)
{
    return sizeof(struct race_base) + n * sizeof(struct race_clocks *);
}

/* The pieces become a base, which is a's alone. */
static void
lean(struct race_mem *m, struct race_vec *a)
{
    struct race_base *b = race_mem_take(m, base_size(a->n));

    rt_assert(a->base == NULL && a->nnews == 0);
    if (b == NULL)
        rt_no_memory();
    a32_store_rlx(&b->refs, 1);
    b->n = a->n;
    if (a->n > 0)
        memcpy(b->c, a->c, a->n * sizeof *a->c);
    a->n = 0;
    a->base = b;
}

static struct race_base *
share_base(struct race_base *b)
{
    a32_add_rlx(&b->refs, 1);
    return b;
}

/* n references are given back. */
static void
drop_base(struct race_mem *m, struct race_base *b, uint32_t n)
{
    /* full: what others have read of it is read. */
    if (b == NULL || a32_add_full(&b->refs, -n) != n)
        return;
    for (uint32_t k = 0; k < b->n; k++)
        drop(m, b->c[k]);
    race_mem_put(m, b, base_size(b->n));
}

/* The clock of slot i in a's own pieces. */
static void
put_piece(struct race_mem *m, struct race_vec *a, uint32_t i, uint32_t c,
    bool tick)
{
    uint32_t k = i / RACE_CLOCKS;
    struct race_clocks *x;

    stretch(m, a, k + 1);
    i -= k * RACE_CLOCKS;
    x = own(m, a, k, i + 1);
    x->v[i] = c;
    x->by = tick ? i + 1 : 0;
}

static void
without_base(struct race_mem *m, struct race_vec *a)
{
    struct race_base *b = a->base;

    rt_assert(a->n == 0);
    a->base = NULL;
    stretch(m, a, b->n);
    for (uint32_t k = 0; k < b->n; k++)
        a->c[k] = share(b->c[k]);
    drop_base(m, b, a->spare + 1u);
    a->spare = 0;
    for (uint32_t j = 0; j < a->nnews; j++)
        put_piece(m, a, a->news[j].slot, a->news[j].clock, a->news[j].tick);
    a->nnews = 0;
}

/* a has pieces, and nothing else. */
static inline void
whole(struct race_mem *m, struct race_vec *a)
{
    if (rt_unlikely(a->base != NULL))
        without_base(m, a);
}

/* The clock of slot i is news, and the latest; false: there is no room. */
static bool
add_news(struct race_vec *a, uint32_t i, uint32_t c, bool tick)
{
    uint32_t j = 0, n = a->nnews;

    rt_assert(a->base != NULL);
    while (j < n && a->news[j].slot != i)
        j++;
    if (j == RACE_NEWS)
        return false;
    if (j < n)
        n--;
    for (; j < n; j++)
        a->news[j] = a->news[j + 1];
    a->news[n] = (struct race_news){
        .slot = i & INT32_MAX, .clock = c, .tick = tick};
    a->nnews = (uint16_t)(n + 1);
    return true;
}

/* b's news become part of a, which has pieces. */
static void
join_news(struct race_mem *m, struct race_vec *a, const struct race_vec *b)
{
    rt_assert(a->base == NULL);
    for (uint32_t j = 0; j < b->nnews; j++)
        if (race_vec_at(a, b->news[j].slot) < b->news[j].clock)
            put_piece(m, a, b->news[j].slot, b->news[j].clock, false);
}

/* All pieces of a vector, its own or its base's. */
struct pieces {
    struct race_clocks *const *c;
    uint32_t n;
};

static struct pieces
pieces_of(const struct race_vec *a)
{
    return a->base != NULL ? (struct pieces){a->base->c, a->base->n}
        : (struct pieces){a->c, a->n};
}

/* ---- order ---------------------------------------------------------------------- */

/* Whether a is known to be part of b, from the tick that has made it. */
static bool
knows_tick(const struct race_mem *m, const struct race_clocks *b,
    const struct race_clocks *a)
{
    uint32_t i = a->by - 1;

    rt_assert(a->by <= a->n);
    return a->by != 0 && i < b->n && b->v[i] >= a->v[i] &&
        !a32_load_rlx(&m->guessed);
}

/* y's clocks become part of x's, which nobody else has. */
static void
take_in(const struct race_mem *m, struct race_clocks *x,
    const struct race_clocks *y)
{
    rt_assert(x->n >= y->n);
    PICK(m, max_into)(x->v, y->v, y->n);
    x->by = 0;
}

/* Of vectors so short pieces are not shared. */
static bool
is_short(const struct race_vec *a, const struct race_vec *b)
{
    return pieces_of(a).n <= 1 && pieces_of(b).n <= 1;
}

/* Both are one piece of their own, with room for the same clocks. */
static inline bool
only_pieces(const struct race_vec *a, const struct race_vec *b)
{
    const struct race_clocks *x = race_vec_only(a), *y = race_vec_only(b);

    return x != NULL && y != NULL && x->n == y->n;
}

/* Both have as many pieces, how many is returned; if that is one, it is each
 * one's own and has room for the same clocks. */
static uint32_t
level_all(struct race_mem *m, struct race_vec *a, struct race_vec *b)
{
    uint32_t n, len = RACE_CLOCKS_FEW;

    if (only_pieces(a, b))
        return 1;
    whole(m, a);
    whole(m, b);
    n = a->n > b->n ? a->n : b->n;
    stretch(m, a, n);
    stretch(m, b, n);
    if (n != 1)
        return n;
    if (a->c[0] != NULL && a->c[0]->n > len)
        len = a->c[0]->n;
    if (b->c[0] != NULL && b->c[0]->n > len)
        len = b->c[0]->n;
    own(m, a, 0, len);
    own(m, b, 0, len);
    rt_assert(only_pieces(a, b));
    return 1;
}

/* What of piece k one may know more than the other: see Note [ticks]. */
static RT_ALWAYS_INLINE unsigned
piece_compare(struct race_mem *m, struct race_vec *a, struct race_vec *b,
    uint32_t k)
{
    if (a->c[k] == b->c[k])
        return MORE_NONE;
    if (a->c[k] == NULL)
        return MORE_B;
    if (b->c[k] == NULL)
        return MORE_A;
    if (knows_tick(m, b->c[k], a->c[k]))
        return MORE_B;
    if (knows_tick(m, a->c[k], b->c[k]))
        return MORE_A;
    if (a->c[k]->by != 0 && b->c[k]->by != 0 && !a32_load_rlx(&m->guessed))
        return MORE_A | MORE_B;
    if (a->c[k]->n < b->c[k]->n)
        own(m, a, k, b->c[k]->n);
    else if (b->c[k]->n < a->c[k]->n)
        own(m, b, k, a->c[k]->n);
    return PICK(m, compare)(a->c[k]->v, b->c[k]->v, a->c[k]->n);
}

/* Piece k of a becomes x, a reference that is given away. */
static void
replace(struct race_mem *m, struct race_vec *a, uint32_t k, struct race_clocks *x)
{
    drop(m, a->c[k]);
    a->c[k] = x;
}

/* y becomes part of a's piece k, as the same piece if it may be shared. */
static void
piece_join(struct race_mem *m, struct race_vec *a, uint32_t k,
    struct race_clocks *y, bool may_share)
{
    const struct race_clocks *x = a->c[k];

    if (y == NULL || x == y)
        return;
    if (x == NULL && may_share) {
        a->c[k] = share(y);
        return;
    }
    if (x != NULL && knows_tick(m, x, y))
        return;
    if (x != NULL && may_share && knows_tick(m, y, x)) {
        replace(m, a, k, share(y));
        return;
    }
    if (x != NULL && x->n >= y->n && !race_clocks_own(x)) {
        unsigned more = PICK(m, compare)(x->v, y->v, y->n);

        if ((more & MORE_B) == 0)
            return;
        if ((more & MORE_A) == 0 && x->n == y->n) {
            replace(m, a, k, share(y));
            return;
        }
    }
    take_in(m, own(m, a, k, y->n), y);
}

void
race_vec_join(struct race_mem *m, struct race_vec *a, const struct race_vec *b)
{
    struct pieces y = pieces_of(b);
    bool may_share;

    rt_assert(a != b);
    if (only_pieces(a, b)) {
        if (!knows_tick(m, a->c[0], b->c[0]))
            take_in(m, a->c[0], b->c[0]);
        return;
    }
    whole(m, a);
    stretch(m, a, y.n);
    may_share = !is_short(a, b);
    for (uint32_t k = 0; k < y.n; k++)
        piece_join(m, a, k, y.c[k], may_share);
    join_news(m, a, b);
}

void
race_vec_merge(struct race_mem *m, struct race_vec *a, const struct race_vec *b,
    struct race_vec *merged)
{
    rt_assert(a != b && merged != a && merged != b && merged->nnews == 0);
    whole(m, a);
    if (b->base != NULL && merged->base == b->base) {
        join_news(m, a, b);
        return;
    }
    if (b->base != NULL || is_short(a, b)) {
        race_vec_join(m, a, b);
        rt_assert(merged->spare == 0);
        drop_base(m, merged->base, 1);
        merged->base = b->base != NULL ? share_base(b->base) : NULL;
        return;
    }
    stretch(m, a, b->n);
    stretch(m, merged, b->n);
    for (uint32_t k = 0; k < b->n; k++) {
        if (merged->c[k] == b->c[k])
            continue;
        piece_join(m, a, k, b->c[k], true);
        /* It is not written while there is this reference, too. */
        if (b->c[k] != NULL && !race_clocks_own(b->c[k]))
            replace(m, merged, k, share(b->c[k]));
    }
}

/* a, with nothing in it, becomes what b is; the base is a reference that is given
 * away. */
static void
set_base(struct race_vec *a, struct race_base *base, const struct race_vec *b)
{
    rt_assert(a->n == 0 && a->base == NULL && base == b->base);
    a->base = base;
    a->nnews = b->nnews;
    memcpy(a->news, b->news, b->nnews * sizeof *b->news);
}

void
race_vec_set(struct race_mem *m, struct race_vec *a, const struct race_vec *b)
{
    rt_assert(a != b);
    if (b->base != NULL) {
        race_vec_clear(m, a);
        set_base(a, share_base(b->base), b);
        return;
    }
    if (a->base != NULL)
        race_vec_clear(m, a);
    stretch(m, a, b->n);
    if (b->n == 1 && a->n == 1 && b->c[0] != NULL) {
        const struct race_clocks *y = b->c[0];
        struct race_clocks *x = own(m, a, 0, y->n);

        memcpy(x->v, y->v, y->n * sizeof *x->v);
        memset(x->v + y->n, 0, (x->n - y->n) * sizeof *x->v);
        x->by = y->by;
        return;
    }
    for (uint32_t k = 0; k < a->n; k++)
        if (k >= b->n)
            replace(m, a, k, NULL);
        else if (a->c[k] != b->c[k])
            replace(m, a, k, share(b->c[k]));
    a->n = b->n;
}

/* A reference of a's base for somebody else.  Who makes many goroutines, which
 * end elsewhere, would have the count handed back for each. */
static struct race_base *
spare_base(struct race_vec *a)
{
    if (a->spare == 0) {
        a32_add_rlx(&a->base->refs, SPARE);
        a->spare = SPARE;
    }
    a->spare--;
    return a->base;
}

void
race_vec_fork(struct race_mem *m, struct race_vec *a, struct race_vec *b,
    uint32_t slot, bool again)
{
    /* Of what a goroutine and its parent have as news there are two. */
    if (b->nnews + 1 >= RACE_NEWS)
        whole(m, b);
    if (b->base == NULL && (again || b->n > 1 || slot >= RACE_CLOCKS))
        lean(m, b);
    if (b->base == NULL) {
        race_vec_set(m, a, b);
        return;
    }
    race_vec_clear(m, a);
    set_base(a, spare_base(b), b);
}

void
race_vec_put_any(struct race_mem *m, struct race_vec *a, uint32_t i,
    uint32_t c, bool tick)
{
    if (a->base != NULL && add_news(a, i, c, tick))
        return;
    whole(m, a);
    put_piece(m, a, i, c, tick);
}

/* The more of both, which share it from then on; by: as in a piece, of this
 * one, or 0. */
static void
piece_both(struct race_mem *m, struct race_vec *a, struct race_vec *b,
    uint32_t k, uint32_t by)
{
    uint32_t len = a->c[k]->n > b->c[k]->n ? a->c[k]->n : b->c[k]->n;
    struct race_clocks *x = own(m, a, k, len);

    take_in(m, x, b->c[k]);
    x->by = by;
    replace(m, b, k, share(x));
}

void
race_vec_meet(struct race_mem *m, struct race_vec *a, struct race_vec *b,
    uint32_t told)
{
    uint32_t n, by = told != 0 ? told % RACE_CLOCKS + 1 : 0;

    rt_assert(a != b);
    rt_assert(told == 0 || race_vec_at(a, told) != race_vec_at(b, told));
    n = level_all(m, a, b);
    if (n == 1) {
        PICK(m, max_both)(a->c[0]->v, b->c[0]->v, a->c[0]->n);
        a->c[0]->by = b->c[0]->by = by <= a->c[0]->n ? by : 0;
        return;
    }
    for (uint32_t k = 0; k < n; k++) {
        unsigned more = piece_compare(m, a, b, k);

        if (more == (MORE_A | MORE_B)) {
            piece_both(m, a, b, k, k == told / RACE_CLOCKS ? by : 0);
            continue;
        }
        if (more & MORE_A)
            replace(m, b, k, share(a->c[k]));
        else if (more & MORE_B)
            replace(m, a, k, share(b->c[k]));
        else if (rt_unlikely(a->c[k] != b->c[k]))
            replace(m, b, k, share(a->c[k])); /* nothing to look at again */
    }
}

void
race_vec_swap(struct race_mem *m, struct race_vec *a, struct race_vec *b)
{
    uint32_t n;

    rt_assert(a != b);
    n = level_all(m, a, b);
    if (n == 1) {
        PICK(m, max_swap)(a->c[0]->v, b->c[0]->v, a->c[0]->n);
        a->c[0]->by = b->c[0]->by = 0;
        return;
    }
    for (uint32_t k = 0; k < n; k++) {
        unsigned more = piece_compare(m, a, b, k);
        struct race_clocks *was = share(a->c[k]);

        if (more & MORE_B) {
            if (more & MORE_A)
                take_in(m, own(m, a, k, b->c[k]->n), b->c[k]);
            else
                replace(m, a, k, share(b->c[k]));
        }
        replace(m, b, k, was);
    }
}

void
race_vec_clear(struct race_mem *m, struct race_vec *a)
{
    for (uint32_t k = 0; k < a->n; k++)
        drop(m, a->c[k]);
    a->n = 0;
    drop_base(m, a->base, a->spare + 1u);
    a->base = NULL;
    a->spare = 0;
    a->nnews = 0;
}

void
race_vec_free(struct race_mem *m, struct race_vec *a)
{
    race_vec_clear(m, a);
    if (a->cap != 0)
        race_mem_put(m, a->c, a->cap * sizeof *a->c);
    *a = (struct race_vec){0};
}

static bool
pieces_valid(struct pieces a)
{
    for (uint32_t k = 0; k < a.n; k++)
        if (a.c[k] != NULL && (a32_load_rlx(&a.c[k]->refs) == 0 ||
            a.c[k]->n > RACE_CLOCKS || a.c[k]->n != length(a.c[k]->n, k)))
            return false;
    return true;
}

bool
race_vec_valid(const struct race_vec *a)
{
    if (a->n > a->cap || !pieces_valid((struct pieces){a->c, a->n}))
        return false;
    if (a->base == NULL)
        return a->nnews == 0;
    return a->nnews <= RACE_NEWS && a32_load_rlx(&a->base->refs) > 0 &&
        pieces_valid(pieces_of(a));
}
