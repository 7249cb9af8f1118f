/* SPDX-License-Identifier: MIT */
/*
 * Synchronisation objects: what has been released at an address.  A table has
 * a list for each piece of 512 bytes, so that memory which is handed out anew
 * can be cleared of them.  An object without anything in it is the same as
 * none.
 */
#include "runtime/race/race_int.h"

#include "runtime/base/hash.h"

static uint64_t
npieces(const struct race *r)
{
    return r->cfg.span >> RACE_CHUNK_SHIFT;
}

static uint64_t
piece_of(const struct race *r, const void *p)
{
    uint64_t off = (uintptr_t)p - r->cfg.lo;

    return off < r->cfg.span ? off >> RACE_CHUNK_SHIFT : npieces(r);
}

static struct rt_lock *
lock_of(struct race *r, uint64_t piece)
{
    return &r->sync_locks[rt_hash_u64(piece, 0) % RACE_SYNC_LOCKS].lock;
}

static struct rt_lock *
lock_at(struct race *r, const void *p)
{
    struct rt_lock *l = lock_of(r, piece_of(r, p));

    rt_lock(l);
    return l;
}

/* The object at p or NULL; its lock held, as for all below. */
static struct race_object *
find(const struct race *r, const void *p)
{
    struct race_object *o = aptr_load_rlx(&r->pieces[piece_of(r, p)]);

    while (o != NULL && o->addr != (uintptr_t)p)
        o = o->next;
    return o;
}

static struct race_object *
another_object(struct race *r)
{
    struct race_object *o = race_mem_get(&r->mem, sizeof *o);

    if (o == NULL)
        rt_no_memory();
    rt_lock(&r->mem.lock);
    o->other = r->objects;
    r->objects = o;
    rt_unlock(&r->mem.lock);
    return o;
}

/* One with nothing in it. */
static struct race_object *
new_object(struct race *r)
{
    struct race_object *o;

    rt_lock(&r->mem.lock);
    o = r->unused;
    if (o != NULL)
        r->unused = o->next;
    rt_unlock(&r->mem.lock);
    if (o == NULL)
        o = another_object(r);
    rt_assert(a64_load_rlx(&o->heard) == 0 && o->vec.n == 0 &&
        o->vec.base == NULL && o->merged.n == 0 && o->merged.base == NULL);
    return o;
}

static void
free_object(struct race *r, struct race_object *o)
{
    race_vec_free(&r->mem, &o->vec);
    race_vec_free(&r->mem, &o->merged);
    o->vec = o->merged = (struct race_vec){0};
    o->epoch = o->learnt = 0;
    a64_store_rlx(&o->heard, 0);
    rt_lock(&r->mem.lock);
    o->next = r->unused;
    r->unused = o;
    rt_unlock(&r->mem.lock);
}

static struct race_object *
get(struct race *r, const void *p)
{
    struct race_object *o = find(r, p);
    a_ptr *head = &r->pieces[piece_of(r, p)];

    if (o != NULL)
        return o;
    o = new_object(r);
    o->addr = (uintptr_t)p;
    o->next = aptr_load_rlx(head);
    aptr_store_rlx(head, o);
    return o;
}

/* Whether g has heard already of the time at which one goroutine released the
 * object: see Note [ticks] in vec.c. */
static bool
knows_release(const struct race_g *g, const struct race_object *o)
{
    return o->epoch != 0 && race_before(g, o->epoch) &&
        !a32_load_rlx(&g->race->mem.guessed);
}

/* What the object holds is about to be learnt; false: it tells nothing. */
static bool
hear(struct race_object *o)
{
    uint64_t h;

    /* Its goroutine may take it back, or give it back, at the same time. */
    while ((h = a64_load_rlx(&o->heard)) != 0) {
        if ((h & RACE_TAKEN_BACK) != 0)
            return false;
        /* acq: pairs with the rel in give_back(). */
        if (a64_cas_acq(&o->heard, h, 0))
            break;
    }
    return true;
}

static void
acquire(struct race_g *g, const void *p)
{
    struct race_object *o = find(g->race, p);

    if (o == NULL || !hear(o))
        return;
    if (knows_release(g, o))
        return;
    race_vec_join(&g->race->mem, &g->vec, &o->vec);
    g->vain = 0;
    g->learnt++;
}

static struct race_object *
release(struct race_g *g, const void *p)
{
    struct race_object *o = get(g->race, p);
    uint64_t now;

    /* Who knows the time of a release knows all that has been released. */
    if (!g->used && g->told != g->learnt)
        race_use(g);
    now = race_known_time(g);
    if (o->epoch != 0 && o->learnt == g->learnt) {
        /* It has released it before, and of others it knows what it knew. */
        rt_assert(race_slot(o->epoch) == g->slot && o->merged.n == 0 &&
            o->merged.base == NULL);
        if (o->epoch < now)
            race_vec_tick(&g->race->mem, &o->vec, g->slot,
                (uint32_t)race_clock(now));
    } else {
        race_vec_clear(&g->race->mem, &o->merged);
        race_vec_set(&g->race->mem, &o->vec, &g->vec);
        o->learnt = g->learnt;
    }
    o->epoch = now;
    a64_store_rlx(&o->heard, 0);
    rt_assert(race_vec_at(&o->vec, g->slot) == race_clock(o->epoch));
    return o;
}

static void
merge(struct race_g *g, const void *p)
{
    struct race_object *o = get(g->race, p);

    o->epoch = 0;
    a64_store_rlx(&o->heard, 0);
    race_vec_merge(&g->race->mem, &o->vec, &g->vec, &o->merged);
}

void
race_acquire(struct race_g *g, const void *p)
{
    struct rt_lock *l;

    if (g->quiet > 0)
        return;
    l = lock_at(g->race, p);
    acquire(g, p);
    rt_unlock(l);
}

void
race_release(struct race_g *g, const void *p)
{
    struct rt_lock *l;

    if (g->quiet > 0)
        return;
    l = lock_at(g->race, p);
    release(g, p);
    rt_unlock(l);
    race_tick(g);
}

/* Whether g has told nobody of anything but by the lock at p, and has learnt
 * nothing since. */
static bool
is_sole(const struct race_g *g, const void *p)
{
    return g->sole != NULL && g->sole_at == p && g->sole_learnt == g->learnt;
}

/* Whether nobody, and nothing, has heard of the time at which g released the
 * lock at p, nor has g accessed anything since; then it is so no more. */
static bool
take_back(struct race_g *g, const void *p)
{
    uint64_t e = race_known_time(g);

    if (!is_sole(g, p) || g->used ||
        !a64_cas_rlx(&g->sole->heard, e | RACE_UNHEARD, e | RACE_TAKEN_BACK))
        return false;
    race_untick(g);
    rt_assert(g->epoch == e);
    return true;
}

/* Whether the time is the one that g has taken back with the lock at p, which
 * holds what is to be told again; then it tells it. */
static bool
give_back(struct race_g *g, const void *p)
{
    struct race_object *o = g->sole;

    /* rel: pairs with the acq in hear(). */
    if (!is_sole(g, p) || !g->used ||
        !a64_cas_rel(&o->heard, g->epoch | RACE_TAKEN_BACK,
            g->epoch | RACE_UNHEARD))
        return false;
    race_tick(g);
    g->sole = o;
    return true;
}

/*
 * Where others may have heard of the object, the time in which g released it is
 * over, and whatever it accesses from then on is new.  A goroutine that takes
 * a lock again and again, with nobody else there, would find all that it guards
 * new each time.  So its time goes back to when it had the lock.  Nobody can
 * learn what it knew then: others have to wait for the lock, and when it is
 * given back once more they learn what it knows then.
 */
void
race_lock(struct race_g *g, const void *p)
{
    struct rt_lock *l;

    if (g->quiet > 0 || take_back(g, p))
        return;
    l = lock_at(g->race, p);
    acquire(g, p);
    rt_unlock(l);
}

void
race_unlock(struct race_g *g, const void *p)
{
    struct race_object *o;
    struct rt_lock *l;
    bool first;

    if (g->quiet > 0 || give_back(g, p))
        return;
    l = lock_at(g->race, p);
    o = release(g, p);
    a64_store_rlx(&o->heard, o->epoch | RACE_UNHEARD);
    first = g->used;
    rt_unlock(l);
    race_tick(g);
    if (!first)
        return;
    g->sole = o;
    g->sole_at = p;
    g->sole_learnt = g->learnt;
}

void
race_merge(struct race_g *g, const void *p)
{
    struct rt_lock *l;

    if (g->quiet > 0)
        return;
    l = lock_at(g->race, p);
    merge(g, p);
    rt_unlock(l);
    race_tick(g);
}

void
race_swap(struct race_g *g, const void *p)
{
    struct rt_lock *l;

    if (g->quiet > 0)
        return;
    l = lock_at(g->race, p);
    struct race_object *o = get(g->race, p);
    if (o->merged.n > 0 || o->merged.base != NULL)
        race_vec_clear(&g->race->mem, &o->merged);
    race_vec_swap(&g->race->mem, &g->vec, &o->vec);
    o->epoch = 0;
    a64_store_rlx(&o->heard, 0);
    rt_unlock(l);
    race_tick(g); /* the object holds nothing of what g has just learnt */
    g->vain = 0;
    g->learnt++;
}

void
race_pass(struct race *r, const void *from, const void *to)
{
    struct rt_lock *l = lock_at(r, from);
    struct race_object *o = find(r, from);
    struct race_vec copy = {0};

    if (o != NULL && !hear(o))
        o = NULL;
    if (o != NULL)
        race_vec_set(&r->mem, &copy, &o->vec);
    rt_unlock(l);
    if (o == NULL)
        return;
    l = lock_at(r, to);
    o = get(r, to);
    o->epoch = 0;
    a64_store_rlx(&o->heard, 0);
    race_vec_join(&r->mem, &o->vec, &copy);
    rt_unlock(l);
    race_vec_free(&r->mem, &copy);
}

void
race_meet(struct race_g *g, struct race_g *other)
{
    rt_assert(g != other && g->race == other->race);
    if (g->quiet > 0)
        return;
    race_vec_meet(&g->race->mem, &g->vec, &other->vec,
        g->used ? g->slot : other->used ? other->slot : 0);
    g->vain = other->vain = 0;
    g->learnt++;
    other->learnt++;
    race_tick(g);
    race_tick(other);
}

/* ---- atomic operations ---------------------------------------------------- */

void
race_atomic_begin(struct race_g *g, const void *p)
{
    (void)lock_at(g->race, p);
}

void
race_atomic_end(struct race_g *g, const void *p, unsigned size,
    enum race_atomic what, const void *pc, const void *fp)
{
    struct race *r = g->race;
    struct rt_lock *l = lock_of(r, piece_of(r, p));
    uint64_t off = (uintptr_t)p - g->lo;

    rt_assert_held(l);
    rt_assert(size > 0 && size <= 8 && off % size == 0);
    /* The access is one of the time before the tick, and of what the goroutine
     * has just learnt. */
    uint64_t e = g->epoch | RACE_ATOMIC |
        ((UINT64_C(1) << size) - 1) << (off & 7);
    bool orders = g->quiet == 0;
    if (off < g->span && !g->used)
        race_use(g); /* what is released has the access in it */
    if (orders && what != RACE_STORE)
        acquire(g, p);
    if (orders && what == RACE_STORE)
        release(g, p);
    else if (orders && what == RACE_RMW)
        merge(g, p);
    rt_unlock(l);
    if (off < g->span)
        race_access(g, off >> 3, e, what != RACE_LOAD, pc, fp);
    if (orders && what != RACE_LOAD)
        race_tick(g);
}

void
race_touch(struct race_g *g, const void *p, unsigned size, const void *pc,
    const void *fp)
{
    uint64_t off = (uintptr_t)p - g->lo;

    rt_assert(size > 0 && (off & 7) + size <= 8);
    if (off >= g->span)
        return;
    uint64_t e = g->epoch | RACE_ATOMIC |
        ((UINT64_C(1) << size) - 1) << (off & 7);
    const struct race_cell *c = &g->cells[off >> 3];
    /* As in race_write(): it is there already, as an unlock follows a lock. */
    if (race_covers(a64_load_rlx(&c->write), e) && a64_load_rlx(&c->read) == 0)
        return;
    race_access(g, off >> 3, e, true, pc, fp);
}

/* ---- memory that is handed out anew ----------------------------------------- */

static void
clear_piece(struct race *r, uint64_t piece, uintptr_t addr, uint64_t n)
{
    struct rt_lock *l = lock_of(r, piece);
    struct race_object *o, *next, *keep = NULL;

    rt_lock(l);
    for (o = aptr_load_rlx(&r->pieces[piece]); o != NULL; o = next) {
        next = o->next;
        if (o->addr - addr < n) {
            free_object(r, o);
        } else {
            o->next = keep;
            keep = o;
        }
    }
    aptr_store_rlx(&r->pieces[piece], keep);
    rt_unlock(l);
}

void
race_objects_clear(struct race *r, uintptr_t addr, uint64_t n)
{
    uint64_t off = addr - r->cfg.lo;

    rt_assert(n > 0 && off < r->cfg.span && n <= r->cfg.span - off);
    for (uint64_t i = off >> RACE_CHUNK_SHIFT;
        i <= (off + n - 1) >> RACE_CHUNK_SHIFT; i++)
        /* Nobody makes an object where nobody has an address of. */
        if (aptr_load_rlx(&r->pieces[i]) != NULL)
            clear_piece(r, i, addr, n);
}

bool
race_objects_valid(const struct race *r)
{
    /* Of what lies elsewhere; the rest is too much to look at. */
    const struct race_object *o = aptr_load_rlx(&r->pieces[npieces(r)]);

    for (; o != NULL; o = o->next)
        if (o->addr - r->cfg.lo < r->cfg.span || !race_vec_valid(&o->vec) ||
            !race_vec_valid(&o->merged))
            return false;
    return true;
}

void
race_objects_reset(struct race *r)
{
    for (const struct race_object *o = r->objects; o != NULL; o = o->other)
        aptr_store_rlx(&r->pieces[piece_of(r, (const void *)o->addr)], NULL);
    r->objects = r->unused = NULL;
}
