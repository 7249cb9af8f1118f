/* SPDX-License-Identifier: MIT */
/*
 * Which goroutines have leaked: they wait for something that no goroutine
 * which can still run will ever reach, so nobody will wake them.
 *
 * All goroutines but those that wait for a channel or for something of
 * package sync are roots, and so is everything else that the collector begins
 * with.  What is reached from there is followed; a waiting goroutine is a
 * root as well from the moment on at which one of the things that it waits
 * for has been reached.  Those that are left over when nothing new is reached
 * have leaked.  What lies outside the heap, as a package variable does, is
 * always reached, unless it is the waiting goroutine's own memory.
 *
 * Each waiting goroutine is found through a table of what is waited for, when
 * the mark comes by: so a chain of goroutines that wait for each other takes
 * no longer than as many that do not.
 *
 * Source of the idea: goroutine leak profiles in Go's mgc.go.
 */
#include <stdlib.h>

#include "gc/reach.h"
#include "runtime/base/hash.h"
#include "sched/sched_int.h"

enum { NONE = UINT32_MAX };

/* A goroutine that nobody may be able to wake. */
struct waiting {
    struct sched_g *g;
    bool live;
    uint32_t next; /* list of those that have become live */
};

/* It waits for this object, among others perhaps. */
struct wish {
    const void *obj;
    uint32_t who;
    uint32_t next; /* same place in the table */
};

struct search {
    struct sched *s;
    struct gc_reach *r;
    struct waiting *v;
    struct wish *wishes;
    uint32_t *table; /* first wish for an object, by hash */
    uint32_t n, nwishes, mask;
    uint32_t live; /* first of those whose stacks are to be marked */
};

/* What a goroutine may wait for without a way out. */
enum need {
    NEED_NOTHING, /* somebody else will wake it */
    NEED_CHANS,
    NEED_KEY,     /* a semaphore or notify list */
    NEED_WONDER   /* nothing can */
};

static enum need
need_of(const struct sched_g *g)
{
    if (sched_g_state(g) != G_WAITING || g->native != NULL ||
        sched_g_is_system(g))
        return NEED_NOTHING;
    switch ((enum sched_wait)g->wait_reason) {
    case WAIT_CHAN_RECV:
    case WAIT_CHAN_SEND:
    case WAIT_SELECT:
        return NEED_CHANS;
    case WAIT_MUTEX_LOCK:
    case WAIT_RWMUTEX_RLOCK:
    case WAIT_RWMUTEX_LOCK:
    case WAIT_WAITGROUP:
    case WAIT_COND:
        return NEED_KEY;
    case WAIT_CHAN_RECV_NIL:
    case WAIT_CHAN_SEND_NIL:
    case WAIT_SELECT_NONE:
        return NEED_WONDER;
    default:
        return NEED_NOTHING;
    }
}

/* Calls fn for each object that g, which needs something, waits for. */
static void
each_need(struct sched_g *g, void (*fn)(struct search *x, const void *p),
    struct search *x)
{
    const struct sched_sudog *sd = g->waiting;

    switch (need_of(g)) {
    case NEED_CHANS:
        if (g->wait_reason != WAIT_SELECT)
            fn(x, g->sudog.chan);
        for (; g->wait_reason == WAIT_SELECT && sd != NULL;
            sd = sd->wait_link)
            fn(x, sd->chan);
        break;
    case NEED_KEY:
        fn(x, g->sudog.key);
        break;
    default:
        break;
    }
}

/* ---- the table --------------------------------------------------------------- */

static uint32_t *
place(const struct search *x, const void *obj)
{
    return &x->table[rt_hash_u64((uintptr_t)obj, RT_HASH_K2) & x->mask];
}

static void
count_wish(struct search *x, const void *p)
{
    (void)p;
    x->nwishes++;
}

static void
count_g(void *arg, struct sched_g *g)
{
    struct search *x = arg;

    if (need_of(g) == NEED_NOTHING)
        return;
    x->n++;
    each_need(g, count_wish, x);
}

static void
make_live(struct search *x, uint32_t who)
{
    struct waiting *w = &x->v[who];

    rt_assert(who < x->n);
    if (w->live)
        return;
    w->live = true;
    w->next = x->live;
    x->live = who;
}

/* For the goroutine that was added last. */
static void
add_wish(struct search *x, const void *p)
{
    const struct sched *s = x->s;
    const void *obj = gc_reach_watch(x->r, p);
    uint32_t *at;

    if (obj == NULL && s->host->private_to(s->ha, x->v[x->n - 1].g, p))
        return; /* nobody else can, and the goroutine itself waits */
    if (obj == NULL) { /* no object: somebody can reach it */
        make_live(x, x->n - 1);
        return;
    }
    at = place(x, obj);
    x->wishes[x->nwishes] = (struct wish){obj, x->n - 1, *at};
    *at = x->nwishes++;
}

static void
add_g(void *arg, struct sched_g *g)
{
    struct search *x = arg;

    g->leaked = false;
    if (need_of(g) == NEED_NOTHING)
        return;
    x->v[x->n++] = (struct waiting){g, false, NONE};
    each_need(g, add_wish, x);
}

/* The mark has come to an object that somebody waits for. */
static void
found(void *arg, const void *obj)
{
    struct search *x = arg;

    for (uint32_t i = *place(x, obj); i != NONE; i = x->wishes[i].next)
        if (x->wishes[i].obj == obj)
            make_live(x, x->wishes[i].who);
}

/* ---- marking ------------------------------------------------------------------- */

static void
mark_g(struct search *x, struct sched_g *g)
{
    struct gc_marker *mk = gc_reach_marker(x->r);

    if (g->native != NULL)
        return;
    x->s->host->mark_g(x->s->ha, g, mk);
    for (struct sched_sudog *sd = g->waiting; sd != NULL; sd = sd->wait_link)
        gc_mark_maybe(mk, (uintptr_t)sd->chan);
}

static void
mark_root_g(void *arg, struct sched_g *g)
{
    enum sched_gstate st = sched_g_state(g);

    if (st != G_IDLE && st != G_DEAD && need_of(g) == NEED_NOTHING)
        mark_g(arg, g);
}

static void
mark_ptr(void *arg, void *p)
{
    gc_mark_maybe(arg, (uintptr_t)p);
}

static void
mark_all(struct search *x)
{
    struct sched *s = x->s;
    struct gc_marker *mk = gc_reach_marker(x->r);

    for (uint32_t i = 0; s->host->mark_globals(s->ha, i, mk); i++) {
    }
    timers_roots(s, mark_ptr, mk);
    gc_reach_specials(x->r);
    sched_each_g(s, mark_root_g, x);
    gc_reach_drain(x->r);
    while (x->live != NONE) {
        struct waiting *w = &x->v[x->live];

        x->live = w->next;
        mark_g(x, w->g);
        gc_reach_drain(x->r);
    }
}

/* ---- all of it ------------------------------------------------------------------ */

static bool
search_prepare(struct search *x)
{
    uint32_t cap = 16;

    sched_each_g(x->s, count_g, x);
    while (cap < 2 * x->nwishes)
        cap *= 2;
    x->mask = cap - 1;
    x->v = malloc((x->n + 1) * sizeof *x->v);
    x->wishes = malloc((x->nwishes + 1) * sizeof *x->wishes);
    x->table = malloc(cap * sizeof *x->table);
    if (x->v == NULL || x->wishes == NULL || x->table == NULL)
        return false;
    for (uint32_t i = 0; i < cap; i++)
        x->table[i] = NONE;
    x->r = gc_reach_begin(x->s->heap, found, x);
    return x->r != NULL;
}

bool
sched_prof_leaked(struct sched *s, void (*fn)(void *arg, struct prof_g *g),
    void *arg)
{
    struct search x = {.s = s, .live = NONE};
    bool ok = search_prepare(&x);

    if (ok) {
        x.n = x.nwishes = 0;
        sched_each_g(s, add_g, &x);
        mark_all(&x);
        gc_reach_end(x.r);
    }
    for (uint32_t i = 0; ok && i < x.n; i++) {
        if (x.v[i].live)
            continue;
        x.v[i].g->leaked = true;
        fn(arg, &x.v[i].g->prof);
    }
    free(x.table);
    free(x.wishes);
    free(x.v);
    return ok;
}
