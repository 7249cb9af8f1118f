/* SPDX-License-Identifier: MIT */
/*
 * Select: all channels are locked in the order of their addresses, the cases
 * are tried in random order, and if none is ready the goroutine waits on all
 * of them.  Whoever takes one of its waiters wins it by CAS of select_done;
 * the other waiters are taken off their queues by select_finish() when the
 * goroutine runs again.  Source: Go's select.go.
 */
#include "sched/chan_int.h"

#include <stdlib.h>
#include <string.h>

enum { SELECT_INLINE = 16 };

/* Copies of what is needed after the last unlock: the goroutine and its
 * cases may be gone by then. */
struct pick {
    struct sched_chan **locks; /* each channel once, by address */
    uint32_t *poll;            /* indices of cases in random order */
    uint32_t n;                /* cases with a channel */
    uint32_t nlocks;
    struct sched_chan *locks_in[SELECT_INLINE];
    uint32_t poll_in[SELECT_INLINE];
};

struct sched_sudog *
sudog_get(struct sched_m *m)
{
    struct sched_pi *p = pi_of(m->p);
    struct sched_sudog *sd = p->sudogs;

    if (sd != NULL) {
        rt_assert(p->nsudogs > 0 && !sd->queued);
        p->sudogs = sd->next;
        p->nsudogs--;
        return sd;
    }
    sd = calloc(1, sizeof *sd);
    if (sd == NULL)
        rt_no_memory();
    return sd;
}

void
sudog_put(struct sched_m *m, struct sched_sudog *sd)
{
    struct sched_pi *p = pi_of(m->p);

    rt_assert(!sd->queued);
    if (p->nsudogs >= RT_SUDOG_CACHE) {
        free(sd);
        return;
    }
    sd->next = p->sudogs;
    p->sudogs = sd;
    p->nsudogs++;
}

static int
by_address(const void *a, const void *b)
{
    uintptr_t x = (uintptr_t)*(struct sched_chan *const *)a;
    uintptr_t y = (uintptr_t)*(struct sched_chan *const *)b;

    return x < y ? -1 : x > y;
}

static void
sort(struct sched_chan **v, uint32_t n)
{
    if (n > SELECT_INLINE) {
        qsort(v, n, sizeof *v, by_address);
        return;
    }
    for (uint32_t i = 1; i < n; i++) {
        struct sched_chan *c = v[i];
        uint32_t k = i;

        for (; k > 0 && (uintptr_t)v[k - 1] > (uintptr_t)c; k--)
            v[k] = v[k - 1];
        v[k] = c;
    }
}

/* locks[0..n) in order, each once. */
static void
sort_locks(struct pick *k)
{
    sort(k->locks, k->n);
    for (uint32_t i = 0; i < k->n; i++)
        if (i == 0 || k->locks[i] != k->locks[i - 1])
            k->locks[k->nlocks++] = k->locks[i];
    /* The order of locking, which keeps selects from waiting for each
     * other. */
    for (uint32_t i = 1; i < k->nlocks; i++)
        rt_assert_full((uintptr_t)k->locks[i - 1] < (uintptr_t)k->locks[i]);
}

static void
pick_prepare(struct sched_m *m, struct pick *k, const struct chan_case *cases,
    uint32_t n)
{
    struct rt_rand *r = &pi_of(m->p)->rand;

    k->n = k->nlocks = 0;
    k->locks = k->locks_in;
    k->poll = k->poll_in;
    if (n > SELECT_INLINE) {
        k->locks = malloc(n * sizeof *k->locks);
        k->poll = malloc(n * sizeof *k->poll);
        if (k->locks == NULL || k->poll == NULL)
            rt_no_memory();
    }
    for (uint32_t i = 0; i < n; i++) {
        uint32_t at;

        if (cases[i].chan == NULL)
            continue;
        /* Shuffles as it goes. */
        at = m->sched->seed != NULL ? k->n : rt_rand_below(r, k->n + 1);
        k->poll[k->n] = k->poll[at];
        k->poll[at] = i;
        k->locks[k->n++] = cases[i].chan;
    }
    sort_locks(k);
}

static void
release(struct pick *k)
{
    if (k->locks != k->locks_in)
        free(k->locks);
    if (k->poll != k->poll_in)
        free(k->poll);
}

static void
lock_all(struct sched_m *m, struct pick *k)
{
    for (uint32_t i = 0; i < k->nlocks; i++)
        if (i == 0)
            chan_lock_patiently(m, k->locks[i]);
        else
            chan_lock(m, k->locks[i]);
}

static void
unlock_all(const struct sched_m *m, struct pick *k)
{
    for (uint32_t i = k->nlocks; i-- > 0;)
        chan_unlock(m, k->locks[i]);
}

/* With a seed: the first case of those in poll order shall be one that is
 * ready, if there is any, of its choice. */
static void
choose(struct sched_m *m, struct pick *k, const struct chan_case *cases)
{
    uint32_t n = 0, at;

    for (uint32_t i = 0; i < k->n; i++) {
        const struct chan_case *c = &cases[k->poll[i]];

        if (!chan_ready_locked(m, c->chan, c->send))
            continue;
        at = k->poll[n];
        k->poll[n++] = k->poll[i];
        k->poll[i] = at;
    }
    if (n == 0)
        return;
    at = seed_case(m->sched->seed, n);
    uint32_t first = k->poll[0];
    k->poll[0] = k->poll[at];
    k->poll[at] = first;
}

/* Takes the first case that is ready. */
static enum chan_status
poll_cases(struct sched_m *m, struct pick *k, const struct chan_case *cases,
    struct sched_g **wake)
{
    *wake = NULL;
    for (uint32_t i = 0; i < k->n; i++) {
        const struct chan_case *c = &cases[k->poll[i]];
        enum chan_status st = c->send
            ? chan_try_send_locked(m, c->chan, c->elem, wake)
            : chan_try_recv_locked(m, c->chan, c->elem, wake);

        if (st != CHAN_WOULD_BLOCK) {
            m->g->sel_index = (int32_t)k->poll[i];
            return st;
        }
    }
    return CHAN_WOULD_BLOCK;
}

/* Whether another case sends what is in the same place. */
static bool
is_sent(const struct pick *k, const struct chan_case *cases,
    const struct chan_case *c)
{
    uint64_t size = c->chan->elem->size;

    for (uint32_t i = 0; i < k->n; i++) {
        const struct chan_case *x = &cases[k->poll[i]];

        if (x->send && (uintptr_t)x->elem < (uintptr_t)c->elem + size &&
            (uintptr_t)c->elem < (uintptr_t)x->elem + x->chan->elem->size)
            return true;
    }
    return false;
}

/* Waits on all channels; their locks are held.  The time with which to call
 * timer_kick_parked() after that, or 0. */
static uint64_t
select_enqueue(struct sched_m *m, struct pick *k, const struct chan_case *cases)
{
    struct sched_g *g = m->g;
    uint64_t first = 0;

    rt_assert(g->waiting == NULL); /* the last select is over */
    a32_store_rlx(&g->select_done, 0);
    g->waiting = NULL;
    for (uint32_t i = k->n; i-- > 0;) {
        const struct chan_case *c = &cases[k->poll[i]];
        struct sched_sudog *sd = sudog_get(m);

        sd->g = g;
        sd->elem = c->elem;
        sd->chan = c->chan;
        sd->select_case = (int32_t)k->poll[i];
        sd->wait_link = g->waiting;
        g->waiting = sd;
        sd->is_send = c->send;
        waitq_put(c->send ? &c->chan->sendq : &c->chan->recvq, sd);
        if (!c->send && c->elem != NULL && !is_sent(k, cases, c))
            chan_zero(c->chan, c->elem);
        if (c->chan->timed) {
            uint64_t kick = tchan_settle_locked(m, c->chan);

            if (kick != 0 && (first == 0 || kick < first))
                first = kick;
        }
    }
    return first;
}

/* A case that is plainly not ready, seen without the lock: then a select
 * with a default need not take it.  Any order of the looks is an order of
 * events that could have happened, as the channel may change right after. */
static bool
surely_blocks(const struct chan_case *c)
{
    const struct sched_chan *ch = c->chan;

    if (ch == NULL)
        return true;
    if (ch->timed)
        return false; /* it may expire by being looked at */
    return !c->send && ch->cap > 0 && a64_load_acq(&ch->count) == 0 &&
        a32_load_acq(&ch->closed) == 0 && a64_load_acq(&ch->count) == 0;
}

/* A case of a channel that belongs to another bubble. */
static bool
any_outside(const struct sched_m *m, const struct chan_case *cases, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (cases[i].chan != NULL && chan_outside(m, cases[i].chan))
            return true;
    return false;
}

/* All channels are of the bubble that the goroutine is in. */
static bool
all_in_bubble(const struct pick *k)
{
    for (uint32_t i = 0; i < k->nlocks; i++)
        if (k->locks[i]->bubble == 0)
            return false;
    return true;
}

enum chan_status
chan_select(struct sched_m *m, const struct chan_case *cases, uint32_t n,
    bool has_default)
{
    struct sched_g *wake;
    enum chan_status st;
    uint64_t kick = 0;
    struct pick k;

    assert_has_p(m);
    rt_assert(m->g != NULL);
    if (any_outside(m, cases, n))
        return CHAN_OUTSIDE;
    if (has_default && n == 1 && surely_blocks(cases)) {
        m->g->sel_index = -1;
        return CHAN_DONE;
    }
    /* One case alone is that operation, to whoever looks at the goroutine as
     * well; so it is in Go. */
    if (n == 1 && !has_default) {
        m->g->sel_index = 0;
        return cases->send ? chan_send(m, cases->chan, cases->elem)
                           : chan_recv(m, cases->chan, cases->elem);
    }
    pick_prepare(m, &k, cases, n);
    lock_all(m, &k);
    if (m->sched->seed != NULL)
        choose(m, &k, cases);
    st = poll_cases(m, &k, cases, &wake);
    if (st == CHAN_WOULD_BLOCK && has_default) {
        m->g->sel_index = -1;
        st = CHAN_DONE;
    } else if (st == CHAN_WOULD_BLOCK) {
        kick = select_enqueue(m, &k, cases);
        m->g->durable = m->g->bubble != NULL && all_in_bubble(&k);
        sched_park_begin(m, m->g, n == 0 ? WAIT_SELECT_NONE : WAIT_SELECT);
        st = CHAN_PARK;
    }
    unlock_all(m, &k);
    release(&k);
    if (wake != NULL)
        sched_ready(m, wake);
    if (kick != 0)
        timer_kick_parked(m, kick);
    return st;
}

static void
shift(struct sched_sudog *sd, const union rt_slot *lo,
    const union rt_slot *hi, union rt_slot *to)
{
    if (sd->elem >= lo && sd->elem < hi)
        sd->elem = to + (sd->elem - lo);
}

/* All channels of a select, each once, in the order of locking. */
static bool
channels_of(const struct sched_g *g, struct pick *k)
{
    uint32_t n = 0;

    for (const struct sched_sudog *sd = g->waiting; sd; sd = sd->wait_link)
        n++;
    *k = (struct pick){ .locks = k->locks_in, .poll = k->poll_in };
    if (n > SELECT_INLINE && (k->locks = malloc(n * sizeof *k->locks)) == NULL)
        return false;
    for (const struct sched_sudog *sd = g->waiting; sd; sd = sd->wait_link)
        k->locks[k->n++] = sd->chan;
    sort_locks(k);
    return true;
}

bool
sched_shift_elems(struct sched_m *m, struct sched_g *g,
    const union rt_slot *lo, const union rt_slot *hi, union rt_slot *to,
    void (*move)(void *arg), void *arg)
{
    bool waits = sched_g_state(g) == G_WAITING;
    struct pick k;

    rt_assert(m->p != NULL && lo <= hi && g != m->g);
    if (waits && g->wait_reason == WAIT_SELECT) {
        if (!channels_of(g, &k))
            return false;
        lock_all(m, &k);
        move(arg);
        for (struct sched_sudog *sd = g->waiting; sd; sd = sd->wait_link)
            shift(sd, lo, hi, to);
        unlock_all(m, &k);
        release(&k);
    } else if (waits && (g->wait_reason == WAIT_CHAN_RECV ||
        g->wait_reason == WAIT_CHAN_SEND)) {
        struct sched_chan *c = g->sudog.chan;
        chan_lock(m, c);
        move(arg);
        shift(&g->sudog, lo, hi, to);
        chan_unlock(m, c);
    } else {
        /* Whoever woke it has written what there was to write. */
        move(arg);
    }
    return true;
}

void
select_finish(struct sched_m *m, struct sched_g *g)
{
    struct sched_sudog *sd;

    while ((sd = g->waiting) != NULL) {
        struct sched_chan *c = sd->chan;
        uint64_t kick = 0;

        rt_assert(sd->g == g && sd->chan != NULL);
        g->waiting = sd->wait_link;
        chan_lock(m, c);
        if (sd->queued)
            waitq_remove(sd->is_send ? &c->sendq : &c->recvq, sd);
        if (c->timed)
            kick = tchan_settle_locked(m, c);
        chan_unlock(m, c);
        if (kick != 0)
            timer_kick(m->sched, kick);
        sd->wait_link = NULL;
        sd->chan = NULL;
        sd->elem = NULL;
        sudog_put(m, sd);
    }
}
