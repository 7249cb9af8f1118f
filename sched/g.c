/* SPDX-License-Identifier: MIT */
/*
 * Goroutines: their states, birth, death and reuse.
 */
#include "sched/bubble_int.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/race/race.h"

static const char *const wait_texts[WAIT_COUNT] = {
    [WAIT_NONE] = "waiting",
    [WAIT_CHAN_RECV] = "chan receive",
    [WAIT_CHAN_SEND] = "chan send",
    [WAIT_CHAN_RECV_NIL] = "chan receive (nil chan)",
    [WAIT_CHAN_SEND_NIL] = "chan send (nil chan)",
    [WAIT_SELECT] = "select",
    [WAIT_SELECT_NONE] = "select (no cases)",
    [WAIT_SLEEP] = "sleep",
    [WAIT_SEMACQUIRE] = "semacquire",
    [WAIT_MUTEX_LOCK] = "sync.Mutex.Lock",
    [WAIT_RWMUTEX_RLOCK] = "sync.RWMutex.RLock",
    [WAIT_RWMUTEX_LOCK] = "sync.RWMutex.Lock",
    [WAIT_WAITGROUP] = "sync.WaitGroup.Wait",
    [WAIT_COND] = "sync.Cond.Wait",
    [WAIT_IO] = "IO wait",
    [WAIT_FINALIZER] = "finalizer wait",
    [WAIT_GC_CYCLE] = "wait for GC cycle",
    [WAIT_GC_ASSIST] = "GC assist wait",
    [WAIT_GC_WORKER] = "GC worker (idle)",
    [WAIT_GC_SWEEP] = "GC sweep wait",
    [WAIT_GC_SCAVENGE] = "GC scavenge wait",
    [WAIT_GC_FORCE] = "force gc (idle)",
    [WAIT_TRACE_READER] = "trace reader (blocked)",
    [WAIT_SYNCTEST_RUN] = "synctest.Run",
    [WAIT_SYNCTEST_WAIT] = "synctest.Wait",
};

const char *
sched_wait_text(enum sched_wait w)
{
    return w < WAIT_COUNT ? wait_texts[w] : "waiting";
}

const char *
sched_native_name(enum sched_native n)
{
    static const char *const names[NATIVE_COUNT] = {
        [NATIVE_MARK_WORKER] = "runtime.gcBgMarkWorker",
        [NATIVE_SWEEPER] = "runtime.bgsweep",
        [NATIVE_SCAVENGER] = "runtime.bgscavenge",
        [NATIVE_STARTER] = "runtime.forcegchelper",
    };

    return names[n];
}

#if VOLE_CHECKS >= 1
static bool
legal(enum sched_gstate from, enum sched_gstate to)
{
    static const struct {
        uint8_t from, to;
    } edges[] = {
#define G_EDGE(from, to, fn, who) {G_##from, G_##to},
#include "sched/gstate.def"
#undef G_EDGE
    };
    size_t i;

    for (i = 0; i < sizeof edges / sizeof *edges; i++)
        if (edges[i].from == from && edges[i].to == to)
            return true;
    return false;
}
#endif

static void
check_edge(struct sched_g *g, enum sched_gstate from, enum sched_gstate to)
{
#if VOLE_CHECKS >= 1
    uint32_t now = a32_load_rlx(&g->state) & ~(uint32_t)G_SCAN;

    if (now != from || !legal(from, to))
        rt_throwf("g %llu: bad edge %u (expected %u) -> %u",
            (unsigned long long)g->id, now, from, to);
#else
    (void)g;
    (void)from;
    (void)to;
#endif
}

/*
 * Note [states and scans].  A marker holds a goroutine that does not run by
 * G_SCAN, which it sets by CAS.  Only then are stores of the state not
 * enough.  gc_marking changes while the world is stopped, and a stop waits
 * for every thread that has a P, or had one when it changed a state; so such
 * a thread may go by what it reads.  A running goroutine is never held.
 */
void
g_set_state(struct sched *s, struct sched_g *g, enum sched_gstate from,
    enum sched_gstate to)
{
    if (rt_unlikely(a32_load_rlx(&s->gc_marking)) &&
        (from == G_RUNNABLE || from == G_WAITING || from == G_SYSCALL)) {
        g_set_state_any(g, from, to);
        return;
    }
    check_edge(g, from, to);
    /* rel: pairs with the acquire loads of whoever looks at a g from
     * outside (tracebacks, profiles, markers).  The hand-over itself is
     * ordered by the run queues. */
    a32_store_rel(&g->state, to);
    /* A mark may wait for this goroutine to stand still. */
    if (from == G_RUNNING && rt_unlikely(a32_load_rlx(&s->gc_marking)))
        gcwork_stands(s, g);
}

void
g_set_state_any(struct sched_g *g, enum sched_gstate from,
    enum sched_gstate to)
{
    check_edge(g, from, to);
    /* full: pairs with the marker's store, which ends its scan. */
    for (int i = 0; !a32_cas_full(&g->state, from, to); i++) {
        if (i < 100)
            rt_cpu_relax();
        else
            sched_yield(); /* the marker may have lost its processor */
    }
}

/* ---- storage ------------------------------------------------------------------- */

/*
 * Note [dead ones].  A P keeps the goroutines that died there in a list; a
 * full list becomes its second, and the one that was second goes to the
 * scheduler.  Lists change hands as a whole, by their first: to walk them
 * would be to wait for cache lines of another processor, with SCHED held.
 * Source: J. Bonwick and J. Adams, Magazines and Vmem (USENIX 2001).
 */

/* A chunk more than n; true: there is one, of whoever was first. */
static bool
add_chunk(struct sched *s, uint32_t n)
{
    struct sched_gchunk *c;

    if (!globrunq_reserve(s, (n + 1) * G_CHUNK) ||
        (s->seed != NULL && !seed_reserve(s->seed, (n + 1) * G_CHUNK)))
        return false;
    if (posix_memalign((void **)&c, RT_CACHE_LINE, sizeof *c) != 0)
        return false;
    memset(c, 0, sizeof *c);
    rt_lock(&s->allg_lock);
    if (s->ngchunks == n) {
        c->next = s->gchunks;
        s->gchunks = c;
        s->ngchunks++;
        s->gchunk_left = G_CHUNK;
        c = NULL;
    }
    rt_unlock(&s->allg_lock);
    free(c);
    return true;
}

static struct sched_g *
g_new(struct sched *s)
{
    struct sched_g *g = NULL;
    uint32_t n;

    do {
        rt_lock(&s->allg_lock);
        n = s->ngchunks;
        if (s->gchunk_left > 0)
            g = gchunk_g(s->gchunks, --s->gchunk_left);
        rt_unlock(&s->allg_lock);
    } while (g == NULL && add_chunk(s, n));
    return g;
}

static void
take_list(struct sched *s, struct sched_pi *p)
{
    struct sched_g *g = p->gfull;

    p->gfull = NULL;
    if (g == NULL && a32_load_rlx(&s->gfull_any)) {
        rt_lock(&s->lock);
        g = s->gfull;
        if (g != NULL)
            s->gfull = g->free_next;
        a32_store_rlx(&s->gfull_any, s->gfull != NULL);
        rt_unlock(&s->lock);
    }
    p->gfree = g;
    p->ngfree = g != NULL ? RT_GFREE_LIST : 0;
}

/* A dead or new g; NULL out of memory. */
static struct sched_g *
get(struct sched_mi *m)
{
    struct sched *s = m->m.sched;
    struct sched_pi *p = pi_of(m->m.p);
    struct sched_g *g;

    if (p->gfree == NULL)
        take_list(s, p);
    g = p->gfree;
    if (g == NULL)
        return g_new(s);
    rt_assert(p->ngfree > 0 && sched_g_state(g) == G_DEAD);
    p->gfree = g->sched_link;
    p->ngfree--;
    g->sched_link = NULL;
    /* Whoever makes many will take the next ones soon. */
    if (p->gfree != NULL) {
        g_prefetch(p->gfree->sched_link);
        g_prefetch_host(p->gfree);
    }
    return g;
}

static void
give_list(struct sched *s, struct sched_g *g)
{
    rt_lock(&s->lock);
    g->free_next = s->gfull;
    s->gfull = g;
    a32_store_rlx(&s->gfull_any, true);
    rt_unlock(&s->lock);
}

void
g_put(struct sched_mi *m, struct sched_g *g)
{
    struct sched_pi *p = pi_of(m->m.p);

    rt_assert(sched_g_state(g) == G_DEAD && g->waiting == NULL);
    g->sched_link = p->gfree;
    p->gfree = g;
    if (++p->ngfree < RT_GFREE_LIST)
        return;
    if (p->gfull != NULL)
        give_list(m->m.sched, p->gfull);
    p->gfull = p->gfree;
    p->gfree = NULL;
    p->ngfree = 0;
}

static void
free_g(struct sched *s, struct sched_g *g)
{
    uint32_t st = a32_load_rlx(&g->state);

    while (g->waiting != NULL) {
        struct sched_sudog *sd = g->waiting;

        g->waiting = sd->wait_link;
        free(sd);
    }
    free(g->timer);
    prof_labels_unref(g->prof.labels);
    if (st != G_IDLE && st != G_DEAD && g->native == NULL)
        s->host->g_free(s->ha, g);
}

void
g_free_all(struct sched *s)
{
    uint32_t first = s->gchunk_left;

    while (s->gchunks != NULL) {
        struct sched_gchunk *c = s->gchunks;

        for (uint32_t i = first; i < G_CHUNK; i++)
            free_g(s, gchunk_g(c, i));
        first = 0;
        s->gchunks = c->next;
        free(c);
    }
    free(s->globq.ring);
}

/* ---- birth ------------------------------------------------------------------------ */

static vgoid
next_id(struct sched *s, struct sched_pi *p)
{
    if (p->goid == p->goid_end) {
        /* rlx: only uniqueness counts. */
        p->goid = a64_add_rlx(&s->goid, SCHED_GOID_BATCH) + 1;
        p->goid_end = p->goid + SCHED_GOID_BATCH;
    }
    rt_assert(p->goid < p->goid_end);
    return p->goid++;
}

static RT_NOINLINE void
trace_birth(struct sched_m *m, struct sched_g *g)
{
    struct trace_rec *r = m->sched->trace;
    vpc pcs[TRACE_STACK_MAX];
    uint32_t n = 0;

    if (m->g != NULL && m->g->native == NULL)
        n = trace_walk(r, pcs);
    else if (g->created_at != 0 && r->max_stack > 0)
        pcs[n++] = g->created_at; /* by a timer */
    trace_go_create(r, &m->p->trace, &g->trace, g->id, g->entry, pcs, n);
}

/* g is born: whatever kind it is, and runnable. */
static void
begin_life(struct sched_m *m, struct sched_g *g, vpc at, vpc entry,
    bool system)
{
    struct sched *s = m->sched;
    struct sched_pi *p = pi_of(m->p);

    assert_has_p(m);
    rt_assert(g->waiting == NULL && sched_g_bound(g) == NULL && !g->locked);
    rt_assert(g->prof.labels == NULL);
    g->id = next_id(s, p);
    g->parent_id = m->g != NULL ? m->g->id : 0;
    g->created_at = at;
    g->entry = entry;
    g->system = system;
    g->m = NULL;
    g->wake_panic = false;
    g->label = NULL;
    if (s->seed != NULL)
        seed_born(s->seed, g);
    rt_assert(g->bubble == NULL && !g->durable);
    if (rt_unlikely(!system && bubble_of(m) != NULL))
        bubble_born(bubble_of(m), g);
    g->prof.labels = m->g != NULL && !system ?
        prof_labels_ref(m->g->prof.labels) : NULL;
    g->prof.blocked_at = 0;
    a32_store_rlx(&g->user_code, 0);
    prof_g_born(&s->prof->gor, &g->prof);
    memset(&g->trace, 0, sizeof g->trace);
    /* Scanned already, as far as a mark that is under way is concerned. */
    a32_store_rlx(&g->gc_cycle, a32_load_rlx(&s->gc_cycle));
    if (system)
        ai64_add_rlx(&s->nsys, 1);
    /* Single writer: a plain increment through the atomic. */
    ai64_store_rlx(&p->ngo, ai64_load_rlx(&p->ngo) + 1);
    if (trace_on(s->trace))
        trace_birth(m, g);
    g_set_state(s, g, sched_g_state(g), G_RUNNABLE);
}

/* The race detector learns of a goroutine; false: there are too many.  One
 * that a timer starts comes after whoever has set it. */
static bool
race_birth(struct sched_m *m, struct sched_g *g)
{
    struct race *r = m->sched->cfg.race;
    struct race_g *parent = m->g != NULL ? m->g->race : NULL;

    if (rt_likely(r == NULL))
        return true;
    g->race = race_g_new(r, parent, g->id, g, g->created_at);
    rt_assert(parent == NULL || mi_of(m)->race_cause == NULL);
    if (g->race != NULL && parent == NULL && mi_of(m)->race_cause != NULL)
        race_acquire(g->race, mi_of(m)->race_cause);
    /* The number of goroutines that the detector can tell apart is limited, and
     * what one makes in a time slice may be more: others have their turn. */
    if (g->race != NULL && rt_unlikely(race_g_crowds(g->race)) &&
        parent != NULL && !m->by_seed)
        preempt_one(m->sched, pi_of(m->p), 2);
    return g->race != NULL;
}

static struct sched_g *
create(struct sched_m *m, const void *fn, const union rt_slot *args,
    uint32_t nargs, vpc at, vpc entry, bool system)
{
    struct sched *s = m->sched;
    struct sched_g *g = get(mi_of(m));

    if (g == NULL)
        return NULL;
    /* A goroutine that is born while a mark runs will not be scanned. */
    gc_shade(&m->p->cache, fn);
    gc_shade_words(&m->p->cache, args, nargs);
    if (s->host->g_init(s->ha, g, fn, args, nargs) != RT_OK) {
        a32_store_rlx(&g->state, G_DEAD);
        g_put(mi_of(m), g);
        return NULL;
    }
    begin_life(m, g, at, entry, system);
    if (!race_birth(m, g)) {
        s->host->fatal(s->ha, "race: too many goroutines");
        return NULL;
    }
    runq_put(pi_of(m->p), g, true);
    return g;
}

struct sched_g *
g_new_native(struct sched_m *m,
    enum sched_run (*fn)(struct sched_m *m, struct sched_g *g, void *arg),
    void *arg, enum sched_native what)
{
    struct sched_g *g = g_new(m->sched);
    vpc base = m->sched->cfg.native;

    if (g == NULL)
        return NULL;
    g->native = fn;
    g->native_arg = arg;
    begin_life(m, g, 0,
        base == 0 ? 0 : vpc_make(vpc_func(base) + (uint32_t)what, 0), true);
    return g;
}

struct sched_g *
sched_go_native(struct sched_m *m,
    enum sched_run (*fn)(struct sched_m *m, struct sched_g *g, void *arg),
    void *arg, enum sched_native what)
{
    struct sched_g *g = g_new_native(m, fn, arg, what);

    if (g == NULL)
        return NULL;
    runq_put(pi_of(m->p), g, false);
    sched_wakep(m->sched);
    return g;
}

struct sched_g *
sched_go(struct sched_m *m, const void *fn, const union rt_slot *args,
    uint32_t nargs, vpc at, vpc entry)
{
    struct sched_g *g = create(m, fn, args, nargs, at, entry, false);

    if (g != NULL)
        sched_wakep(m->sched);
    return g;
}

struct sched_g *
sched_go_quiet(struct sched_m *m, const void *fn, vpc entry)
{
    return create(m, fn, NULL, 0, 0, entry, false);
}

struct sched_g *
sched_go_system(struct sched_m *m, const void *fn, vpc entry)
{
    struct sched_g *g = create(m, fn, NULL, 0, 0, entry, true);

    if (g != NULL)
        sched_wakep(m->sched);
    return g;
}

uint32_t
sched_num_goroutine(struct sched *s)
{
    int64_t n = -ai64_load_rlx(&s->nsys);
    uint32_t i;

    for (i = 0; i < a32_load_acq(&s->nall); i++)
        n += ai64_load_rlx(&s->allp[i]->ngo);
    return n < 0 ? 0 : (uint32_t)n;
}

static bool
alive(const struct sched_g *g)
{
    enum sched_gstate st = sched_g_state(g);

    return st != G_DEAD && st != G_IDLE;
}

void
sched_each_g(struct sched *s, void (*fn)(void *arg, struct sched_g *g),
    void *arg)
{
    struct sched_gchunk *c;
    uint32_t first;

    /* Chunks are never freed or relinked: the lock guards the start only. */
    rt_lock(&s->allg_lock);
    c = s->gchunks;
    first = s->gchunk_left;
    rt_unlock(&s->allg_lock);
    for (; c != NULL; c = c->next) {
        for (uint32_t i = first; i < G_CHUNK; i++)
            if (alive(gchunk_g(c, i)))
                fn(arg, gchunk_g(c, i));
        first = 0;
    }
}

struct list {
    struct sched_g **v;
    size_t n, cap;
};

static void
count(void *arg, struct sched_g *g)
{
    size_t *n = arg;

    (void)g;
    ++*n;
}

static void
gather_g(void *arg, struct sched_g *g)
{
    struct list *l = arg;

    if (l->n < l->cap)
        l->v[l->n++] = g;
}

static int
by_id(const void *a, const void *b)
{
    const struct sched_g *x = *(struct sched_g *const *)a;
    const struct sched_g *y = *(struct sched_g *const *)b;

    return x->id < y->id ? -1 : x->id > y->id;
}

void
sched_for_each_g(struct sched *s, void (*fn)(void *arg, struct sched_g *g),
    void *arg)
{
    struct list l = {NULL, 0, 0};

    sched_each_g(s, count, &l.cap);
    l.v = malloc((l.cap + 1) * sizeof *l.v);
    if (l.v == NULL) {
        sched_each_g(s, fn, arg); /* unsorted rather than not at all */
        return;
    }
    sched_each_g(s, gather_g, &l);
    qsort(l.v, l.n, sizeof *l.v, by_id);
    for (size_t i = 0; i < l.n; i++)
        fn(arg, l.v[i]);
    free(l.v);
}
