/* SPDX-License-Identifier: MIT */
/*
 * Accesses.  A cell knows the last writes of its bytes and the reads since
 * then that are not followed by other reads: whoever comes later and is
 * ordered after those is ordered after all others, too.
 *
 * The checks in race.h compare without a lock what the cell knows with the
 * goroutine's own epoch: if that is there, it has been through here since its
 * last tick, and what others do to the cell meanwhile they compare with it.
 *
 * One change is made without the cell's lock: a goroutine adds bytes to a word
 * that has its present time, by a compare-and-swap (more_bytes(), which machine
 * code does too, jit_keep_look()).  Nobody knows that time yet: others find such
 * a word neither before what they do nor their own.  So who has the lock may
 * write words of other kinds plainly, as replace() does.  All else takes both
 * words out of the cell as long as it works on them (take()), so that the
 * compare-and-swap fails, and puts both back.  Whoever has added bytes looks at
 * the other word then: if somebody was at work before, that is to be seen
 * there.
 */
#include "runtime/race/race_int.h"

#include <string.h>

#include "runtime/base/hash.h"

/* The conflict that an access finds, if any. */
struct look {
    struct race_g *g;
    uint64_t e;
    bool writes; /* what is being looked through is writes */
    bool found;
    struct race_told before;
};

/* For race_list_each(): whether the known access races with the new one. */
static void
look_at(void *arg, uint64_t e, uint32_t stack)
{
    struct look *k = arg;

    if (k->found || (e & k->e & RACE_MASK) == 0 ||
        (e & k->e & RACE_ATOMIC) != 0 || race_before(k->g, e))
        return;
    k->found = true;
    k->before = (struct race_told){e, stack, k->writes};
}

static struct rt_lock *
lock_of(struct race *r, uint64_t cell)
{
    return &r->cell_locks[rt_hash_u64(cell, 0) % RACE_CELL_LOCKS].lock;
}

/* The access becomes part of what is known; the cell's lock held.  c is what
 * take() has got. */
static void
record(struct race_g *g, struct race_cell *c, struct race_where *where,
    uint64_t e, bool write, uint32_t at)
{
    enum race_drop drop =
        (e & RACE_ATOMIC) != 0 ? RACE_DROP_BEFORE : RACE_DROP_ALL;

    if (!write) {
        race_list_drop(g, &c->read, &where->read, e, RACE_DROP_BEFORE);
        race_list_add(g->race, &c->read, &where->read, e, at);
        return;
    }
    /* Whoever races with what a plain write covers and is not told of yet
     * races with the write as well. */
    race_list_drop(g, &c->read, &where->read, e, drop);
    race_list_drop(g, &c->write, &where->write, e, drop);
    race_list_add(g->race, &c->write, &where->write, e, at);
}

/* Whether a word of a cell is one access, of no other bytes than e's, or
 * nothing. */
static bool
within(uint64_t known, uint64_t e)
{
    return (known & RACE_MASK & ~e) == 0 && !race_is_list(known);
}

/*
 * What most accesses find: at most one write and one read, of no other bytes,
 * with which the access does not race and of which record() leaves nothing in
 * the word that the access goes to.  False: nothing has been done.  The cell's
 * lock held.
 */
static bool
replace(struct race_g *g, struct race_cell *c, struct race_where *where,
    uint64_t e, bool write, uint32_t at)
{
    uint64_t w = a64_load_rlx(&c->write), d = a64_load_rlx(&c->read);

    if (race_is_list(w) || !within(d, e) || (write && !within(w, e)))
        return false;
    /* Atomic ones leave plain ones where they are. */
    if ((e & RACE_ATOMIC) != 0 && ((w != 0 && (w & RACE_ATOMIC) == 0) || d != 0))
        return false;
    if ((w != 0 && !race_before(g, w)) || (d != 0 && !race_before(g, d)))
        return false;
    if (write) {
        a64_store_rlx(&c->read, 0);
        a32_store_rlx(&where->write, at);
        a64_store_rlx(&c->write, e);
    } else {
        a32_store_rlx(&where->read, at);
        a64_store_rlx(&c->read, e);
    }
    return true;
}

/* Whether the place pc, where g is, is that of a cell's stack; if so the two
 * are remembered, for what is done again and again. */
static bool
is_place(struct race_g *g, const a_u32 *stack, struct rt_lock *l,
    const void *pc, const void *fp)
{
    struct race *r = g->race;

    if (pc != NULL && pc == g->place && a32_load_rlx(stack) == g->place_stack)
        return true;
    vpc here = r->host == NULL ? 0
        : r->host->place(r->host_arg, g->owner, pc, fp);
    if (here == 0)
        return false;
    rt_lock(l);
    uint32_t id = a32_load_rlx(stack);
    bool is = race_stack_pc(r, id) == here;
    rt_unlock(l);
    if (is) {
        g->place = pc;
        g->place_stack = id;
    }
    return is;
}

/*
 * More bytes of a cell that is all the goroutine's own at its present time: as
 * []byte is gone through, most accesses are that.  It must be the same place in
 * the program, so that the stack which is known does for them too.  The word is
 * the goroutine's own, so that its stack is as well, and stays.  False: it is
 * something else.
 */
static bool
more_bytes(struct race_g *g, struct race_cell *c, uint64_t cell, uint64_t e,
    bool write, const void *pc, const void *fp)
{
    struct race *r = g->race;
    struct race_where *where = &r->where[cell];
    a_u64 *word = write ? &c->write : &c->read;
    a_u64 *other = write ? &c->read : &c->write;
    uint64_t known = a64_load_rlx(word);

    if (known == 0 || !race_is_now(known, e) ||
        !is_place(g, write ? &where->write : &where->read, lock_of(r, cell), pc,
            fp))
        return false;
    /* full: what put() has written to the other word before this one, or
     * take(), is seen. */
    return a64_cas_full(word, known, known | (e & RACE_MASK)) &&
        race_is_now(a64_load_rlx(other), e);
}

/* What the cell knows, which is out of it until put(); its lock held. */
static struct race_cell
take(struct race_cell *c)
{
    struct race_cell known = {0};

    a64_store_rlx(&known.write, a64_swap_full(&c->write, RACE_BUSY));
    a64_store_rlx(&known.read, a64_swap_full(&c->read, RACE_BUSY));
    return known;
}

static void
put(struct race_cell *c, const struct race_cell *known)
{
    rt_assert(a64_load_rlx(&c->write) == RACE_BUSY &&
        a64_load_rlx(&c->read) == RACE_BUSY);
    /* rel: pairs with the full in more_bytes(). */
    a64_store_rel(&c->write, a64_load_rlx(&known->write));
    a64_store_rel(&c->read, a64_load_rlx(&known->read));
}

/* The page's cells are about to know something. */
static RT_NOINLINE void
knows_page(struct race *r, a_bool8 *page)
{
    bool first = a8_load_rlx(page) == PAGE_NEW;

    /* Of two threads that come at the same time both may put it down. */
    a8_store_rlx(page, PAGE_KNOWS);
    if (!first)
        return;
    uint32_t k = a32_add_rlx(&r->ntouched, 1);
    if (k < RACE_TOUCHED)
        r->touched[k] = (uint32_t)(page - r->known);
}

void
race_access(struct race_g *g, uint64_t cell, uint64_t e, bool write,
    const void *pc, const void *fp)
{
    struct race *r = g->race;
    struct race_cell *c = &r->cells[cell];
    struct race_where *where = &r->where[cell];
    struct look k = {.g = g, .e = e, .writes = true};

    rt_assert(cell < r->cfg.span / 8 && (e & RACE_MASK) != 0);
    if (!g->used)
        race_use(g);
    if (more_bytes(g, c, cell, e, write, pc, fp))
        return;
    uint32_t at = race_stack_here(g, pc, fp);
    a_bool8 *page = &r->known[cell >> (RACE_PAGE_SHIFT - 3)];
    if (a8_load_rlx(page) != PAGE_KNOWS)
        knows_page(r, page);
    rt_lock(lock_of(r, cell));
    if (replace(g, c, where, e, write, at)) {
        rt_unlock(lock_of(r, cell));
        return;
    }
    struct race_cell known = take(c);
    race_list_each(r, a64_load_rlx(&known.write), a32_load_rlx(&where->write),
        look_at, &k);
    k.writes = false;
    if (write)
        race_list_each(r, a64_load_rlx(&known.read),
            a32_load_rlx(&where->read), look_at, &k);
    record(g, &known, where, e, write, at);
    put(c, &known);
    rt_unlock(lock_of(r, cell));
    if (!k.found)
        return;
    struct race_told now = {e, at, write};
    unsigned first = (unsigned)__builtin_ctzll(e & RACE_MASK);
    race_report(g, r->cfg.lo + cell * 8 + first, &now, &k.before);
}

/* The piece of a range that lies in the word of addr. */
static unsigned
piece(uintptr_t addr, uintptr_t end)
{
    uintptr_t to = (addr & ~(uintptr_t)7) + 8;

    return (unsigned)((to < end ? to : end) - addr);
}

void
race_read_range(struct race_g *g, const void *p, uint64_t n, const void *pc,
    const void *fp)
{
    uintptr_t a = (uintptr_t)p, end = a + n;

    if (a - g->lo >= g->span)
        return;
    rt_assert(n <= g->span - (a - g->lo));
    for (unsigned k; a < end; a += k) {
        k = piece(a, end);
        race_read(g, (const void *)a, k, pc, fp);
    }
}

void
race_write_range(struct race_g *g, const void *p, uint64_t n, const void *pc,
    const void *fp)
{
    uintptr_t a = (uintptr_t)p, end = a + n;

    if (a - g->lo >= g->span)
        return;
    rt_assert(n <= g->span - (a - g->lo));
    for (unsigned k; a < end; a += k) {
        k = piece(a, end);
        race_write(g, (const void *)a, k, pc, fp);
    }
}

/* ---- who else has to do with it ---------------------------------------------- */

/* Of one cell, for an access of epoch and mask e. */
static bool
shared(const struct race_cell *c, uint64_t e, bool write)
{
    uint64_t w = a64_load_rlx(&c->write), r = a64_load_rlx(&c->read);

    if ((w | r) == 0)
        return false;
    if (write)
        return !race_covers(w, e) || !race_is_now(r, e);
    return !race_covers(r, e) && !race_covers(w, e);
}

static bool
range_shared(
    const struct race_g *g, const void *p, uint64_t n, bool write)
{
    uintptr_t a = (uintptr_t)p, end = a + n;

    if (a - g->lo >= g->span)
        return false;
    rt_assert(n <= g->span - (a - g->lo));
    for (unsigned k; a < end; a += k) {
        k = piece(a, end);
        uint64_t off = a - g->lo;
        uint64_t e = g->epoch | ((UINT64_C(1) << k) - 1) << (off & 7);

        if (shared(&g->cells[off >> 3], e, write))
            return true;
    }
    return false;
}

bool
race_read_shared(const struct race_g *g, const void *p, uint64_t n)
{
    return range_shared(g, p, n, false);
}

bool
race_write_shared(const struct race_g *g, const void *p, uint64_t n)
{
    return range_shared(g, p, n, true);
}

/* ---- what is forgotten ------------------------------------------------------ */

void
race_cells_reset(struct race *r)
{
    const uint64_t n = UINT64_C(1) << (RACE_PAGE_SHIFT - 3);
    uint32_t k = a32_load_rlx(&r->ntouched);

    rt_assert(k <= RACE_TOUCHED);
    for (uint32_t i = 0; i < k; i++) {
        uint64_t page = r->touched[i];

        memset(&r->cells[page * n], 0, n * sizeof *r->cells);
        a8_store_rlx(&r->known[page], PAGE_NEW);
    }
    a32_store_rlx(&r->ntouched, 0);
}

/* Cells of more bytes than that are given back.  Those of fewer are likely to be
 * needed again at once, and writing them costs less than to have them anew. */
enum { DISCARD = 16 << 20 };

/* Nobody has an address of what the cells are about. */
static void
forget(struct race *r, struct race_cell *c, uint64_t n)
{
    for (; n > 0; c++, n--) {
        uint64_t w = a64_load_rlx(&c->write), d = a64_load_rlx(&c->read);

        if ((w | d) == 0)
            continue;
        if (w != 0 && race_is_list(w))
            race_list_free(r, w);
        if (d != 0 && race_is_list(d))
            race_list_free(r, d);
        memset(c, 0, sizeof *c);
    }
}

/* n bytes from the offset on. */
static void
forget_pages(struct race *r, uint64_t off, uint64_t n)
{
    const uint64_t size = UINT64_C(1) << RACE_PAGE_SHIFT;

    for (uint64_t k, end = off + n; off < end; off += k) {
        a_bool8 *known = &r->known[off >> RACE_PAGE_SHIFT];

        k = size - off % size < end - off ? size - off % size : end - off;
        if (a8_load_rlx(known) != PAGE_KNOWS)
            continue;
        if (k == size)
            a8_store_rlx(known, PAGE_FORGOT);
        forget(r, &r->cells[off / 8], k / 8);
    }
}

/* Whole pages between the two. */
static void
discard(struct race *r, const void *begin, const void *end)
{
    uintptr_t from = ((uintptr_t)begin + 4095) & ~(uintptr_t)4095;
    uintptr_t to = (uintptr_t)end & ~(uintptr_t)4095;

    if (from < to)
        rt_os_discard(&r->os, (void *)from, to - from);
}

void
race_clear(struct race *r, const void *p, uint64_t n)
{
    uint64_t off = (uintptr_t)p - r->cfg.lo;

    rt_assert(off % 8 == 0 && n % 8 == 0);
    if (n == 0 || off >= r->cfg.span)
        return;
    rt_assert(n <= r->cfg.span - off);
    race_objects_clear(r, (uintptr_t)p, n);
    if (!a32_load_rlx(&r->shared))
        return;
    forget_pages(r, off, n);
    if (n < DISCARD)
        return;
    discard(r, &r->cells[off / 8], &r->cells[(off + n) / 8]);
    discard(r, &r->where[off / 8], &r->where[(off + n) / 8]);
}
