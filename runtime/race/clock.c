/* SPDX-License-Identifier: MIT */
/*
 * Goroutines and their slots.  A slot's clock goes on where its last owner's
 * ended, so that one slot after the other can serve many goroutines.  Reuse is
 * exact where the new goroutine's parent has seen the end of the old one:
 * whatever the old one did happens before all that the new one does.  Where
 * there is no such slot and many are in use, the one that has been dead for
 * longest is taken, and a race with its last owner may go unseen.
 *
 * A time that has no access in it needs no clock of its own.  So when others
 * have been told what a goroutine knows, its epoch becomes the next one, which
 * no cell knows, and its vector gets that clock with the first access.  Who
 * hands on values, or takes a lock to look whether there is work, tells the same
 * clock again.
 */
#include "runtime/race/race_int.h"

#include <string.h>

/* How many of the dead are looked at for an exact match, and how many children
 * of a goroutine that has not learnt anything since are born without a look. */
enum { LOOK = 64, VAIN = 16 };

/* Where so many live, each one of so many is told that they are a crowd. */
enum { CROWD = RACE_SLOTS / 2, CROWD_EACH = 1024 };

void
race_use(struct race_g *g)
{
    rt_assert(!g->used);
    race_vec_tick(
        &g->race->mem, &g->vec, g->slot, (uint32_t)race_clock(g->epoch));
    g->used = true;
}

static void
set_time(struct race_g *g, uint64_t epoch)
{
    rt_assert((epoch & (RACE_MASK | RACE_ATOMIC)) == 0);
    g->epoch = epoch;
    g->whole = epoch | RACE_MASK;
}

void
race_tick(struct race_g *g)
{
    if (g->sole != NULL)
        g->sole = NULL;
    /* A clock that has reached its end stands still: then some accesses seem
     * to be earlier than they are, which hides races and makes none. */
    if (!g->used || race_clock(g->epoch) == UINT32_MAX)
        return;
    set_time(g, g->epoch + race_epoch(0, 1));
    g->used = false;
    g->told = g->learnt;
}

void
race_untick(struct race_g *g)
{
    rt_assert(!g->used && g->told == g->learnt);
    set_time(g, g->epoch - race_epoch(0, 1));
    g->used = true;
}

/* ---- slots; slot_lock held -------------------------------------------------- */

/* The goroutine of a slot; NULL: it is dead, or was never used. */
static struct race_g *
who_lives(const struct race *r, uint32_t slot)
{
    return r->slots[slot].lives ? &r->gs[slot] : NULL;
}

static void
unbury(struct race *r, uint32_t slot)
{
    struct race_slot_info *s = &r->slots[slot];

    rt_assert(!s->lives && r->ndead > 0);
    if (s->prev != 0)
        r->slots[s->prev].next = s->next;
    else
        r->first_dead = s->next;
    if (s->next != 0)
        r->slots[s->next].prev = s->prev;
    else
        r->last_dead = s->prev;
    s->prev = s->next = 0;
    r->ndead--;
}

/*
 * The slots of those that have ended become dead, in the order of their ends.
 * That is put off to when somebody needs the lock for more: a goroutine that
 * makes others on one processor, while these end on another, would wait for it
 * each time.
 */
static void
settle(struct race *r)
{
    uint32_t slot, before, last, after = 0;

    rt_assert_held(&r->slot_lock);
    if (a32_load_rlx(&r->ended) == 0)
        return;
    last = a32_swap_full(&r->ended, 0);
    for (slot = last; slot != 0; after = slot, slot = before) {
        struct race_slot_info *s = &r->slots[slot];

        rt_assert(s->lives && r->gs[slot].over);
        before = r->last[slot].before;
        s->lives = false;
        s->next = (uint16_t)after;
        s->prev = (uint16_t)(before != 0 ? before : r->last_dead);
        r->ndead++;
    }
    if (r->last_dead != 0)
        r->slots[r->last_dead].next = (uint16_t)after;
    else
        r->first_dead = after;
    r->last_dead = last;
}

/* The lock, and all that have ended are among the dead. */
static void
lock_slots(struct race *r)
{
    rt_lock(&r->slot_lock);
    settle(r);
}

/* A dead slot whose end the parent has seen; 0: none. */
static uint32_t
exact_slot(const struct race *r, const struct race_g *parent)
{
    uint32_t s = r->last_dead;

    for (unsigned i = 0; i < LOOK && s != 0; i++, s = r->slots[s].prev)
        if (race_vec_at(&parent->vec, s) >= r->last[s].clock &&
            r->last[s].clock < UINT32_MAX / 2)
            return s;
    return 0;
}

static uint32_t
take_slot(struct race *r, struct race_g *parent)
{
    uint32_t s = 0;

    rt_assert_held(&r->slot_lock);
    if (parent != NULL && (parent->vain == 0 || parent->vain >= VAIN)) {
        settle(r);
        s = exact_slot(r, parent);
        parent->vain = 0;
    }
    if (parent != NULL && s == 0)
        parent->vain++;
    if (s == 0 && r->nslots < RACE_SLOTS_FIRST)
        return r->nslots++;
    if (s == 0 && r->first_dead == 0)
        settle(r);
    if (s == 0 && (s = r->first_dead) != 0)
        a32_add_rlx(&r->mem.guessed, 1);
    if (s != 0) {
        unbury(r, s);
        return s;
    }
    return r->nslots < RACE_NO_SLOT ? r->nslots++ : 0;
}

static void
note_owner(struct race *r, const struct race_g *g, uint64_t goid,
    uint32_t stack, bool root)
{
    uint32_t k = ++r->nowners;

    rt_assert_held(&r->slot_lock);
    r->owners[k % RACE_OWNERS] = (struct race_owner){
        .goid = goid, .slot = g->slot,
        .first = (uint32_t)race_clock(g->epoch),
        .stack = stack, .before = r->slots[g->slot].owner, .root = root};
    r->slots[g->slot].owner = k;
}

/* ---- goroutines -------------------------------------------------------------- */

/* Those that live are watched from now on; slot_lock held, by the thread of the
 * only one. */
static void
share_locked(struct race *r)
{
    rt_assert_held(&r->slot_lock);
    if (a32_load_rlx(&r->shared))
        return;
    /* Who sees anything of it is ordered by how it came to know the memory. */
    a32_store_rlx(&r->shared, 1);
    for (uint32_t s = 1; s < r->nslots; s++)
        if (r->slots[s].lives)
            r->gs[s].span = r->cfg.span;
}

void
race_share(struct race_g *g)
{
    struct race *r = g->race;

    lock_slots(r);
    share_locked(r);
    rt_unlock(&r->slot_lock);
}

/* One with a slot, whose clock is *clock, and its owner; NULL: there are too
 * many.  All else comes without the lock, for which those wait that end. */
static struct race_g *
start_locked(struct race *r, struct race_g *parent, uint64_t goid,
    uint32_t stack, uint32_t *clock)
{
    uint32_t slot = take_slot(r, parent);
    struct race_g *g;

    if (slot == 0)
        return NULL;
    g = &r->gs[slot];
    /* Most often the next goroutine's, which somebody else had last. */
    rt_prefetch(&r->gs[r->first_dead], sizeof *r->gs / RT_CACHE_LINE);
    g->over = false;
    g->slot = slot;
    *clock = r->last[slot].clock;
    set_time(g, race_epoch(slot, (uint64_t)*clock + 1));
    if (r->nowners > 0)
        share_locked(r);
    g->span = r->nowners > 0 ? r->cfg.span : 0;
    rt_assert(!r->slots[slot].lives);
    r->slots[slot].lives = true;
    g->crowds = r->nslots - r->ndead >= CROWD &&
        (r->nslots - r->ndead) % CROWD_EACH == 0;
    note_owner(r, g, goid, stack, parent == NULL);
    g->learnt = (uint64_t)r->nowners << 32;
    return g;
}

struct race_g *
race_g_new(struct race *r, struct race_g *parent, uint64_t goid, void *owner,
    vpc at)
{
    struct race_g *g;
    uint32_t stack, clock;

    stack = parent != NULL ? race_stack_here(parent, NULL, NULL)
        : at != 0 ? race_stack_add(r, 0, at) : 0;
    rt_assert(parent == NULL || parent->race == r);
    rt_lock(&r->slot_lock);
    g = start_locked(r, parent, goid, stack, &clock);
    rt_unlock(&r->slot_lock);
    if (g == NULL)
        return NULL;
    g->cells = r->cells;
    g->where = r->where;
    g->lo = r->cfg.lo;
    g->race = r;
    g->owner = owner;
    g->quiet = 0;
    g->vain = 0;
    g->used = false;
    g->told = 0;
    g->sole = NULL;
    g->made = 0;
    if (parent != NULL) {
        race_vec_fork(&r->mem, &g->vec, &parent->vec, g->slot,
            parent->made == (uint32_t)parent->learnt + 1);
        parent->made = (uint32_t)parent->learnt + 1;
    }
    race_vec_put(&r->mem, &g->vec, g->slot, clock);
    if (parent != NULL)
        race_tick(parent);
    return g;
}

void
race_g_end(struct race_g *g)
{
    struct race *r = g->race;
    struct race_last *last = &r->last[g->slot];
    uint32_t clock = race_vec_at(&g->vec, g->slot);
    uint32_t before;

    race_vec_clear(&r->mem, &g->vec);
    g->owner = NULL;
    g->over = true;
    /* Nobody looks at it before the slot is one of the dead. */
    rt_assert(g == &r->gs[g->slot]);
    last->clock = clock;
    do {
        before = a32_load_rlx(&r->ended);
        last->before = before;
        /* rel: pairs with the full in settle(). */
    } while (!a32_cas_rel(&r->ended, before, g->slot));
}

bool
race_quiet(struct race_g *g, bool on)
{
    if (!on && g->quiet == 0)
        return false;
    g->quiet += on ? 1 : UINT32_MAX;
    return true;
}

bool
race_owner_of(
    struct race *r, uint64_t e, struct race_owner *out, bool *done)
{
    uint32_t slot = race_slot(e);
    bool found = false;

    lock_slots(r);
    rt_assert(slot > 0 && slot < r->nslots);
    *done = !r->slots[slot].lives;
    for (uint32_t k = r->slots[slot].owner; k != 0 && !found;) {
        const struct race_owner *o = &r->owners[k % RACE_OWNERS];

        if (r->nowners - k >= RACE_OWNERS || o->slot != slot)
            break; /* its place has gone to another */
        found = o->first <= race_clock(e);
        if (found)
            *out = *o;
        else
            *done = true;
        k = o->before;
    }
    rt_unlock(&r->slot_lock);
    return found;
}

/* ---- the collector ------------------------------------------------------------- */

void
race_mark_ended_stw(struct race *r)
{
    lock_slots(r);
    rt_unlock(&r->slot_lock);
    for (uint32_t i = 1; i < r->nslots; i++) {
        struct race_g *g = who_lives(r, i);

        race_vec_put(&r->mem, &r->mark, i,
            g != NULL ? race_vec_at(&g->vec, i) : r->last[i].clock);
        if (g != NULL)
            race_tick(g);
    }
}

void
race_acquire_mark(struct race_g *g)
{
    race_vec_join(&g->race->mem, &g->vec, &g->race->mark);
    g->vain = 0;
    g->learnt++;
}

/* Whether slots, goroutines and the list of the dead agree. */
bool
race_slots_valid(const struct race *r)
{
    uint32_t dead = 0, prev = 0;

    for (uint32_t s = r->first_dead; s != 0; prev = s, s = r->slots[s].next) {
        if (s >= r->nslots || r->slots[s].lives ||
            r->slots[s].prev != prev || ++dead > r->ndead)
            return false;
    }
    if (dead != r->ndead || prev != r->last_dead)
        return false;
    for (uint32_t s = 1; s < r->nslots; s++) {
        const struct race_g *g = who_lives(r, s);

        if (g == NULL)
            dead--;
        else if (g->slot != s || g->race != r)
            return false;
        else if (!g->over && race_known_time(g) !=
            race_epoch(s, race_vec_at(&g->vec, s)))
            return false;
    }
    return dead == 0;
}

void
race_slots_reset(struct race *r)
{
    uint32_t n = r->nowners < RACE_OWNERS ? r->nowners + 1 : RACE_OWNERS;

    memset(r->slots, 0, r->nslots * sizeof *r->slots);
    memset(r->last, 0, r->nslots * sizeof *r->last);
    memset(r->gs, 0, r->nslots * sizeof *r->gs);
    memset(r->owners, 0, n * sizeof *r->owners);
    r->nslots = 1;
    r->nowners = r->first_dead = r->last_dead = r->ndead = 0;
    a32_store_rlx(&r->ended, 0);
    r->mark = (struct race_vec){0};
}
