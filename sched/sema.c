/* SPDX-License-Identifier: MIT */
/*
 * Semaphores and notify lists: what package sync waits on.
 *
 * The address of a semaphore picks one of SEMA_ROOTS roots.  A root holds a
 * list of addresses, linked through `next`, each entry being the first
 * waiter for its address; the waiters for one address hang on that one
 * through wait_link, oldest first, and its `prev` is the last of them.
 *
 * Tokens are handed over: who releases takes its own token back on behalf of
 * the first waiter, so that a goroutine that runs again after
 * sema_acquire() owns the token.  No wake-up is lost:
 *   acquire: nwait++, then looks at *addr   (with the root's lock)
 *   release: (*addr)++, then looks at nwait
 * with full order between the two steps on both sides, so either the
 * acquirer sees the token or the releaser sees the waiter.
 *
 * Source of the idea: Go's sema.go (there woken goroutines compete again).
 */
#include "sched/bubble.h"
#include "sched/sched_int.h"

static struct sema_root *
root_of(struct sema_root *roots, const void *addr)
{
    return &roots[((uintptr_t)addr >> 3) % SEMA_ROOTS];
}

static struct sched_sudog **
find(struct sema_root *r, const void *addr)
{
    struct sched_sudog **at = &r->head;

    while (*at != NULL && (*at)->key != addr)
        at = &(*at)->next;
    return at;
}

/* Each address is there once, belongs to this root, and its waiters hang on
 * the first, which knows the last.  The root's lock held. */
static bool
root_valid(const struct sema_root *roots, const struct sema_root *r)
{
    for (const struct sched_sudog *f = r->head; f != NULL; f = f->next) {
        const struct sched_sudog *last = f;

        if (&roots[((uintptr_t)f->key >> 3) % SEMA_ROOTS] != r)
            return false;
        for (const struct sched_sudog *o = f->next; o != NULL; o = o->next)
            if (o->key == f->key)
                return false;
        for (; last->wait_link != NULL; last = last->wait_link)
            if (last->wait_link->key != f->key)
                return false;
        if (f->prev != last)
            return false;
    }
    return true;
}

static void
sema_enqueue(struct sema_root *r, struct sched_sudog *sd, void *addr, bool lifo)
{
    struct sched_sudog **at = find(r, addr), *first = *at;

    sd->key = addr;
    sd->wait_link = NULL;
    sd->next = NULL;
    sd->prev = sd;
    if (first == NULL) {
        *at = sd;
    } else if (lifo) {
        sd->ntimed = first->ntimed;
        sd->since = first->since;
        sd->wait_link = first;
        sd->prev = first->prev;
        sd->next = first->next;
        first->next = first->prev = NULL;
        *at = sd;
    } else {
        first->prev->wait_link = sd;
        first->prev = sd;
        sd->prev = NULL;
    }
}

/* Takes sd, which follows `before` (NULL: it is the first), off *at. */
static void
unlink_one(struct sched_sudog **at, struct sched_sudog *before,
    struct sched_sudog *sd)
{
    struct sched_sudog *first = *at, *second = sd->wait_link;

    rt_assert(before == NULL ? first == sd : before->wait_link == sd);
    rt_assert(second == NULL || second->key == sd->key);
    if (before != NULL) {
        before->wait_link = second;
        if (first->prev == sd)
            first->prev = before;
    } else if (second != NULL) {
        second->ntimed = sd->ntimed;
        second->since = sd->since;
        second->prev = sd->prev;
        second->next = sd->next;
        *at = second;
    } else {
        *at = sd->next;
    }
    sd->next = sd->prev = sd->wait_link = NULL;
}

/* ---- the mutex profile ---------------------------------------------------------- */

static bool
is_lock(enum sched_wait w)
{
    return w == WAIT_MUTEX_LOCK || w == WAIT_RWMUTEX_LOCK ||
        w == WAIT_RWMUTEX_RLOCK;
}

/* sd, which has just been queued, is timed; first is the first waiter for
 * its address. */
static void
time_it(struct sched *s, struct sched_sudog *first, struct sched_sudog *sd)
{
    sd->timed = true;
    first->ntimed++;
    first->since += rt_ticks(s->prof->clock);
}

/*
 * The first waiter is about to go: the ticks that all timed ones have waited
 * since they came, or since the last time.  The sum over (now - since) is
 * n * now - (sum of since), so nobody needs to look at each of them.
 */
static int64_t
charge(struct sched *s, struct sched_sudog *first)
{
    uint64_t now = rt_ticks(s->prof->clock);
    uint64_t all = first->ntimed * now - first->since;

    rt_assert(first->ntimed >= first->timed);
    first->ntimed -= first->timed;
    first->since = first->ntimed * now;
    return (int64_t)all;
}

static void
wait_here(struct sched_m *m, struct sema_root *r, void *addr, bool lifo,
    uint32_t ticket, enum sched_wait why)
{
    struct sched_sudog *sd = &m->g->sudog;

    assert_has_p(m);
    rt_assert_held(&r->lock);
    rt_assert(!sd->queued && m->g->waiting == NULL);
    sd->g = m->g;
    sd->elem = NULL;
    sd->chan = NULL;
    sd->select_case = -1;
    sd->ticket = ticket;
    sd->timed = false;
    sd->ntimed = 0;
    sd->since = 0;
    sema_enqueue(r, sd, addr, lifo);
    if (prof_mutex_on(&m->sched->prof->block) && is_lock(why))
        time_it(m->sched, *find(r, addr), sd);
    sched_park_begin(m, m->g, why);
}

/* ---- semaphores ------------------------------------------------------------------ */

static bool
take_token(a_u32 *addr)
{
    for (;;) {
        uint32_t v = a32_load_acq(addr);

        if (v == 0)
            return false;
        if (a32_cas_full(addr, v, v - 1))
            return true;
    }
}

/* in_bubble: it is released in the caller's bubble only, if there is one. */
static bool
acquire(struct sched_m *m, a_u32 *addr, bool lifo, enum sched_wait reason,
    bool in_bubble)
{
    struct sema_root *r = root_of(m->sched->sema, addr);

    if (take_token(addr))
        return true;
    rt_lock(&r->lock);
    a32_add_full(&r->nwait, 1); /* full: see the head of the file */
    if (take_token(addr)) {
        a32_add_full(&r->nwait, UINT32_MAX);
        rt_unlock(&r->lock);
        return true;
    }
    m->g->durable = in_bubble && m->g->bubble != NULL;
    wait_here(m, r, addr, lifo, 0, reason);
    rt_assert_full(root_valid(m->sched->sema, r));
    rt_unlock(&r->lock);
    return false;
}

bool
sema_acquire(struct sched_m *m, a_u32 *addr, bool lifo,
    enum sched_wait reason)
{
    return acquire(m, addr, lifo, reason, false);
}

bool
sema_acquire_in(struct sched_m *m, a_u32 *addr, enum sched_wait reason)
{
    return acquire(m, addr, false, reason, true);
}

void
sema_release(struct sched_m *m, a_u32 *addr, bool handoff)
{
    sema_release_lock(m, addr, handoff, 0);
}

void
sema_release_lock(
    struct sched_m *m, a_u32 *addr, bool handoff, uint32_t skip)
{
    struct sema_root *r = root_of(m->sched->sema, addr);
    struct sched_sudog **at, *sd;
    int64_t waited = -1;

    (void)handoff; /* sched_ready() puts the waiter next in any case */
    a32_add_full(addr, 1); /* full: see the head of the file */
    if (a32_load_acq(&r->nwait) == 0)
        return;
    rt_lock(&r->lock);
    at = find(r, addr);
    sd = *at;
    /* Without a token somebody else has been faster; its own release will
     * come here again. */
    if (sd == NULL || !take_token(addr)) {
        rt_unlock(&r->lock);
        return;
    }
    if (rt_unlikely(sd->ntimed != 0))
        waited = charge(m->sched, sd);
    unlink_one(at, NULL, sd);
    rt_assert_full(root_valid(m->sched->sema, r));
    rt_assert(a32_load_rlx(&r->nwait) > 0);
    a32_add_full(&r->nwait, UINT32_MAX);
    rt_unlock(&r->lock);
    if (rt_unlikely(waited >= 0))
        sched_prof_unlock(m, waited, skip);
    sched_ready(m, sd->g);
}

/* ---- notify lists -------------------------------------------------------------------- */

/* Tickets wrap around. */
static bool
before(uint32_t a, uint32_t b)
{
    return (int32_t)(a - b) < 0;
}

uint32_t
notify_add(struct sema_notify *l)
{
    return a32_add_full(&l->wait, 1);
}

bool
notify_wait(struct sched_m *m, struct sema_notify *l, uint32_t ticket)
{
    struct sema_root *r = root_of(m->sched->notify, l);

    rt_lock(&r->lock);
    if (before(ticket, a32_load_rlx(&l->notify))) {
        rt_unlock(&r->lock);
        return true;
    }
    wait_here(m, r, l, false, ticket, WAIT_COND);
    rt_assert_full(root_valid(m->sched->notify, r));
    rt_unlock(&r->lock);
    return false;
}

/* Somebody waits in a bubble that m is not in. */
static bool
is_foreign(const struct sched_m *m, const struct sched_g *g)
{
    return g->bubble != NULL && g->bubble != bubble_of(m);
}

bool
notify_all(struct sched_m *m, struct sema_notify *l)
{
    struct sema_root *r = root_of(m->sched->notify, l);
    struct sched_sudog **at, *sd;

    /* Nobody has come since the last one. */
    if (a32_load_acq(&l->wait) == a32_load_acq(&l->notify))
        return true;
    rt_lock(&r->lock);
    at = find(r, l);
    for (sd = *at; sd != NULL; sd = sd->wait_link)
        if (rt_unlikely(is_foreign(m, sd->g))) {
            rt_unlock(&r->lock);
            return false;
        }
    sd = *at;
    if (sd != NULL)
        *at = sd->next;
    a32_store_rel(&l->notify, a32_load_acq(&l->wait));
    rt_unlock(&r->lock);
    while (sd != NULL) {
        struct sched_sudog *next = sd->wait_link;

        sd->next = sd->prev = sd->wait_link = NULL;
        sched_ready(m, sd->g);
        sd = next;
    }
    return true;
}

bool
notify_one(struct sched_m *m, struct sema_notify *l)
{
    struct sema_root *r = root_of(m->sched->notify, l);
    struct sched_sudog **at, *sd, *prev = NULL;
    uint32_t t;

    if (a32_load_acq(&l->wait) == a32_load_acq(&l->notify))
        return true;
    rt_lock(&r->lock);
    t = a32_load_rlx(&l->notify);
    if (t == a32_load_acq(&l->wait)) {
        rt_unlock(&r->lock);
        return true;
    }
    rt_assert(before(t, a32_load_acq(&l->wait)));
    /* Its owner may not have come to notify_wait() yet: then it will not
     * wait at all. */
    at = find(r, l);
    for (sd = *at; sd != NULL && sd->ticket != t; sd = sd->wait_link)
        prev = sd;
    if (sd != NULL && rt_unlikely(is_foreign(m, sd->g))) {
        rt_unlock(&r->lock);
        return false;
    }
    a32_store_rel(&l->notify, t + 1);
    if (sd != NULL)
        unlink_one(at, prev, sd);
    rt_assert_full(root_valid(m->sched->notify, r));
    rt_unlock(&r->lock);
    if (sd != NULL)
        sched_ready(m, sd->g);
    return true;
}
