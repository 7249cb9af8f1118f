/* SPDX-License-Identifier: MIT */
/*
 * The scheduler's part in a mark: workers, the scanning of stacks, the flushing
 * of Ps, and who waits for the collector.
 *
 * Workers.  Each P has one native goroutine that marks, parked except while
 * it runs on that P.  Every look for something to run begins here while a
 * mark is under way (gcwork_pick), and ends here before a P goes idle
 * (gcwork_pick_idle), so a quarter of the processors marks whatever the
 * program does, and those that have nothing else to do as well.  A worker
 * parks whenever it stops; the next look decides anew.
 *
 * Stacks.  Each goroutine that was there at the first stop is scanned once,
 * which g->gc_cycle == s->gc_cycle says; those that are born later say so
 * from birth, since all they begin with is shaded.  One that does not run is
 * scanned by a worker, which holds it by G_SCAN meanwhile.  One that runs is
 * asked (g->gc_wanted) and scans itself at its next safepoint; if it parks
 * before, a worker finds it parked: it stands in the list scan_later until
 * somebody has scanned it.
 *
 * Memory order of a scan: the scanner's CAS of G_SCAN (full) comes after the
 * store of the state by whoever stopped the goroutine (rel), so it sees the
 * frames; whoever lets it run changes the state by CAS after the scanner's
 * store (rel) of the state without G_SCAN.  The plain stores of states in
 * g_set_state() are safe without a mark, and s->gc_marking changes only while
 * the world is stopped: see there.
 *
 * Source: Go's mgc.go (gcBgMarkWorker), mgcpacer.go (findRunnableGCWorker),
 * preempt.go (suspendG).
 */
#include "sched/sched_int.h"

#include "runtime/base/clock.h"
#include "runtime/base/futex.h"

enum {
    WAIT_SPIN_NS = 10 * 1000, /* for which a worker waits for others that
                                 run: usually they are there at once */
    WAIT_MOST_NS = 5 * 1000 * 1000, /* and then sleeps, or leaves the P to
                                 others, until gcwork_event(); the limit is
                                 there for faults of this only */
    SLICE_LEAST_NS = 200 * 1000 /* a fractional worker runs so long */
};

/* ---- the first and the last moment of a mark ----------------------------------- */

void
sched_gc_mark_begin(struct sched *s)
{
    uint32_t n = a32_load_rlx(&s->nprocs), dedicated;
    struct sched_m *m = sched_m_self();

    assert_stw(s);
    rt_assert(!a32_load_rlx(&s->gc_marking));
    rt_lock(&s->allg_lock);
    s->scan_first = s->gchunk_left;
    s->scan_head = s->gchunks;
    aptr_store_rlx(&s->scan_chunk, s->gchunks);
    rt_unlock(&s->allg_lock);
    a32_store_rlx(&s->scan_globals, 0);
    a32_store_rlx(&s->scan_misc, 1);
    a32_store_rlx(&s->scan_busy, 0);
    a32_store_rlx(&s->nscan_later, 0);
    s->scan_later = s->scan_last = NULL;
    gc_worker_shares(n, &dedicated, &s->gc_fraction);
    ai32_store_rlx(&s->gc_dedicated, (int32_t)dedicated);
    s->gc_start = rt_nanotime();
    for (uint32_t i = 0; i < a32_load_rlx(&s->nall); i++)
        s->allp[i]->gc_time = 0;
    a32_store_rlx(&s->gc_cycle, a32_load_rlx(&s->gc_cycle) + 1);
    a32_store_rlx(&s->gc_marking, 1);
    sched_watch(s);
    /* Who begins the cycle lets others run soon: the workers. */
    if (m != NULL && m->p != NULL)
        a32_store_rlx(&m->p->preempt, 2);
}

void
sched_gc_mark_end(struct sched *s)
{
    assert_stw(s);
    rt_assert(a32_load_rlx(&s->nscan_later) == 0);
    rt_assert(s->scan_later == NULL && s->scan_last == NULL);
    a32_store_rlx(&s->gc_marking, 0);
    sched_watch(s);
}

/* ---- stacks ---------------------------------------------------------------------- */

/* g does not run, or is the caller's own at a safepoint. */
static void
scan_roots_of(struct sched *s, struct sched_g *g, struct gc_marker *mk)
{
    /* It cannot begin to run, or is the caller's. */
    rt_assert((a32_load_rlx(&g->state) & G_SCAN) != 0 ||
        (sched_m_self() != NULL && sched_m_self()->g == g));
    if (g->native == NULL) {
        s->host->mark_g(s->ha, g, mk);
        for (struct sched_sudog *sd = g->waiting; sd != NULL;
            sd = sd->wait_link)
            gc_mark_maybe(mk, (uintptr_t)sd->chan);
        /* Whose slot may be dead by now, too. */
        if (g->wait_reason == WAIT_CHAN_RECV ||
            g->wait_reason == WAIT_CHAN_SEND)
            gc_mark_maybe(mk, (uintptr_t)g->sudog.chan);
    }
    sched_saw(s, g);
    /* rel: pairs with the acq in scan_g() */
    a32_store_rel(&g->gc_cycle, a32_load_rlx(&s->gc_cycle));
}

/* The P on which g runs shall bring it to a safepoint. */
static void
ask(struct sched *s, struct sched_g *g)
{
    uint32_t n = a32_load_acq(&s->nprocs);

    /* full: the goroutine looks at it after it has seen the request */
    a32_store_full(&g->gc_wanted, a32_load_rlx(&s->gc_cycle));
    for (uint32_t i = 0; i < n; i++)
        if (aptr_load_acq(&s->allp[i]->curg) == g)
            preempt_one(s, s->allp[i], 1);
}

/* False: g runs, and will scan itself or be found again. */
static bool
scan_g(struct sched *s, struct sched_g *g, struct gc_marker *mk)
{
    uint32_t cycle = a32_load_rlx(&s->gc_cycle), st;

    for (;;) {
        if (a32_load_acq(&g->gc_cycle) == cycle)
            return true;
        st = a32_load_acq(&g->state);
        switch (st) {
        case G_IDLE:
        case G_DEAD:
            return true;
        case G_RUNNING:
            if (g->native != NULL)
                return true;
            ask(s, g);
            return false;
        case G_RUNNABLE:
        case G_SYSCALL:
        case G_WAITING:
            if (!a32_cas_full(&g->state, st, st | G_SCAN))
                break;
            scan_roots_of(s, g, mk);
            a32_store_rel(&g->state, st);
            return true;
        default:
            rt_cpu_relax();
            break;
        }
    }
}

/* nscan_later counts who is not scanned yet, on the list or in the hands of
 * a thread that tries again.  At the end: who runs on and on hides nobody. */
static void
put_later(struct sched *s, struct sched_g *g)
{
    rt_lock(&s->gc_lock);
    rt_assert((s->scan_later == NULL) == (s->scan_last == NULL));
    g->gc_link = NULL;
    if (s->scan_last == NULL)
        s->scan_later = g;
    else
        s->scan_last->gc_link = g;
    s->scan_last = g;
    rt_unlock(&s->gc_lock);
}

static struct sched_g *
get_later(struct sched *s)
{
    struct sched_g *g = NULL;

    if (a32_load_acq(&s->nscan_later) == 0)
        return NULL;
    rt_lock(&s->gc_lock);
    g = s->scan_later;
    if (g != NULL) {
        s->scan_later = g->gc_link;
        if (s->scan_later == NULL)
            s->scan_last = NULL;
    }
    rt_unlock(&s->gc_lock);
    return g;
}

/* Takes a chunk of goroutines that nobody has taken. */
static bool
scan_chunk(struct sched *s, struct gc_marker *mk)
{
    struct sched_gchunk *c;

    do {
        c = aptr_load_acq(&s->scan_chunk);
        if (c == NULL)
            return false;
    } while (!aptr_cas_full(&s->scan_chunk, c, gchunk_next(c)));
    for (uint32_t i = c == s->scan_head ? s->scan_first : 0; i < G_CHUNK; i++)
        if (!scan_g(s, gchunk_g(c, i), mk)) {
            a32_add_full(&s->nscan_later, 1);
            put_later(s, gchunk_g(c, i));
        }
    return true;
}

bool
sched_gc_roots_left(struct sched *s)
{
    return a32_load_rlx(&s->scan_globals) != UINT32_MAX ||
        a32_load_rlx(&s->scan_misc) != 0 ||
        aptr_load_rlx(&s->scan_chunk) != NULL;
}

static void
mark_timer(void *arg, void *obj)
{
    gc_mark_maybe(arg, (uintptr_t)obj);
}

static enum gc_roots
mark_piece(struct sched *s, struct gc_marker *mk)
{
    struct sched_g *g;

    if (a32_load_rlx(&s->scan_globals) != UINT32_MAX) {
        uint32_t i = a32_add_full(&s->scan_globals, 1);
        /* Far below the end of the numbers: a piece is many bytes. */
        if (s->host->mark_globals(s->ha, i, mk))
            return GC_ROOTS_SOME;
        a32_store_rlx(&s->scan_globals, UINT32_MAX);
    }
    /* In one piece: timers move from P to P when the world stops. */
    if (a32_load_rlx(&s->scan_misc) != 0 &&
        a32_cas_full(&s->scan_misc, 1, 0)) {
        timers_roots(s, mark_timer, mk);
        return GC_ROOTS_SOME;
    }
    if (scan_chunk(s, mk))
        return GC_ROOTS_SOME;
    /* Each once, until one can be scanned. */
    for (uint32_t n = a32_load_acq(&s->nscan_later); n > 0; n--) {
        g = get_later(s);
        if (g == NULL)
            break;
        if (scan_g(s, g, mk)) {
            a32_add_full(&s->nscan_later, UINT32_MAX);
            return GC_ROOTS_SOME;
        }
        put_later(s, g);
    }
    /* 1: nobody but us, who has nothing in his hands, and no piece is left
     * to be taken: so those that wait can only become fewer.  In this order:
     * who is at a piece may add to them before he leaves. */
    return a32_load_acq(&s->scan_busy) == 1 &&
        a32_load_acq(&s->nscan_later) == 0 ? GC_ROOTS_DONE : GC_ROOTS_WAIT;
}

enum gc_roots
sched_gc_mark_root(struct sched *s, struct gc_marker *mk)
{
    enum gc_roots r;

    rt_assert(a32_load_rlx(&s->gc_marking));
    /* full: whoever takes something says so before */
    a32_add_full(&s->scan_busy, 1);
    r = mark_piece(s, mk);
    a32_add_full(&s->scan_busy, UINT32_MAX);
    return r;
}

/* ---- flushing the Ps -------------------------------------------------------------- */

/* Ps in system calls are taken from them, idle ones have no owner: their
 * greys are handed over here.  Returns the Ps that must find a new owner. */
static uint32_t
flush_ownerless(struct sched *s, uint32_t epoch, struct sched_pi **taken)
{
    uint32_t n = a32_load_rlx(&s->nall), k = 0;

    rt_lock(&s->lock);
    if (!a32_load_rlx(&s->gcwaiting)) {
        for (struct sched_pi *p = s->pidle; p != NULL; p = p->idle_next)
            gc_flush_marks(&p->p.cache, epoch);
        for (uint32_t i = 0; i < n; i++) {
            struct sched_pi *p = s->allp[i];

            if (a32_load_acq(&p->p.cache.flushed) == epoch)
                continue;
            if (p_state(p) == P_DEAD) {
                gc_flush_marks(&p->p.cache, epoch);
            } else if (retake_locked(s, p, P_IDLE)) {
                gc_flush_marks(&p->p.cache, epoch);
                taken[k++] = p;
            }
        }
    }
    rt_unlock(&s->lock);
    return k;
}

bool
sched_gc_flush_ps(struct sched *s, struct gc_pcache *pc, uint32_t epoch)
{
    struct sched_pi *taken[SCHED_MAX_PROCS];
    uint32_t n = a32_load_acq(&s->nall), left = 0, k;
    bool others = false;

    for (uint32_t i = 0; i < n; i++) {
        struct sched_pi *p = s->allp[i];

        /* acq: pairs with the rel in gc_flush_marks() */
        if (a32_load_acq(&p->p.cache.flushed) == epoch)
            continue;
        if (&p->p.cache == pc) {
            gc_flush_marks(pc, epoch);
            continue;
        }
        left++;
        /* full: who gets or gives up the P changes its state, then looks at
         * what is wanted. */
        if (a32_load_rlx(&p->flush_wanted) != epoch)
            a32_store_full(&p->flush_wanted, epoch);
        if (p_state(p) != P_RUNNING)
            others = true;
        else if (a32_load_rlx(&p->p.preempt) == 0)
            preempt_one(s, p, 1);
    }
    if (left == 0)
        return true;
    if (others)
        for (k = flush_ownerless(s, epoch, taken); k > 0; k--)
            p_handoff(s, taken[k - 1]);
    return false;
}

void
gcwork_event(struct sched *s)
{
    /* full: pairs with worker_nap(), which counts itself and then looks. */
    a32_add_full(&s->gc_event, 1);
    if (a32_load_acq(&s->gc_nappers) != 0)
        rt_futex_wake(&s->gc_event, RT_FUTEX_ALL);
}

/* The owner's side. */
static void
flush_own(struct sched_pi *p)
{
    uint32_t epoch = a32_load_acq(&p->flush_wanted);

    rt_assert(sched_m_self() != NULL);
    if (a32_load_rlx(&p->p.cache.flushed) == epoch)
        return;
    gc_flush_marks(&p->p.cache, epoch);
    gcwork_event(p->s);
}

void
gcwork_flush(struct sched_pi *p)
{
    flush_own(p);
}

void
gcwork_left(struct sched_pi *p)
{
    if (a32_load_acq(&p->flush_wanted) != a32_load_acq(&p->p.cache.flushed))
        gcwork_event(p->s);
}

void
gcwork_stands(struct sched *s, struct sched_g *g)
{
    uint32_t cycle = a32_load_rlx(&s->gc_cycle);

    /* Goroutines are never freed, so that what is read of one that has gone
     * on is merely old: then somebody looks for nothing. */
    if (a32_load_acq(&g->gc_wanted) == cycle &&
        a32_load_acq(&g->gc_cycle) != cycle)
        gcwork_event(s);
}

bool
gcwork_safepoint(struct sched_m *m)
{
    struct sched *s = m->sched;
    struct sched_g *g = m->g;
    struct gc_pcache *pc = &m->p->cache;
    uint32_t cycle = a32_load_rlx(&s->gc_cycle);
    bool must = false;

    assert_has_p(m);
    rt_assert(g != NULL);
    if (a32_load_acq(&g->gc_wanted) == cycle &&
        a32_load_rlx(&g->gc_cycle) != cycle && g->native == NULL) {
        scan_roots_of(s, g, pc->marker);
        gcwork_event(s);
        gc_work_available(s->heap, &must);
    }
    flush_own(pi_of(m->p));
    if (!pc->assist_wait)
        return must;
    if (!gc_assist_safepoint(s->heap, pc)) {
        pi_of(m->p)->assist_park = true;
        return true;
    }
    /* Where it was the last that marked, this P is to look on. */
    gc_work_available(s->heap, &must);
    return must;
}

/* ---- waiting ------------------------------------------------------------------------- */

/* Under gc_lock, of which the wakers take whole lists. */
static void
park(struct sched_m *m, struct sched_g **list, enum sched_wait why)
{
    struct sched_g *g = m->g;

    rt_assert_held(&m->sched->gc_lock);
    rt_assert(g->gc_wait == NULL);
    g->gc_wait = *list;
    *list = g;
    sched_park_begin(m, g, why);
}

static void
ready_all(struct sched_m *m, struct sched_g *list)
{
    while (list != NULL) {
        struct sched_g *g = list;

        list = g->gc_wait;
        g->gc_wait = NULL;
        sched_ready(m, g);
    }
}

bool
gcwork_park(struct sched_mi *mi)
{
    struct sched_m *m = &mi->m;
    struct sched *s = m->sched;
    struct sched_pi *p = pi_of(m->p);
    bool wait;

    if (!p->assist_park && !gc_must_wait(s->heap))
        return false;
    p->assist_park = false;
    rt_lock(&s->gc_lock);
    /* full: the waker looks at the count after it has changed what is waited
     * for */
    a32_add_full(&s->nassist, 1);
    wait = !gc_assist_retry(s->heap);
    if (wait)
        park(m, &s->assist_wait, WAIT_GC_ASSIST);
    else
        a32_add_full(&s->nassist, UINT32_MAX);
    rt_unlock(&s->gc_lock);
    return wait;
}

void
sched_gc_wake_assists(struct sched *s)
{
    struct sched_m *m = sched_m_self();
    struct sched_g *list;

    if (rt_likely(a32_load_acq(&s->nassist) == 0) || m == NULL)
        return;
    rt_lock(&s->gc_lock);
    list = s->assist_wait;
    s->assist_wait = NULL;
    a32_store_rlx(&s->nassist, 0);
    rt_unlock(&s->gc_lock);
    ready_all(m, list);
}

bool
sched_gc_wait(struct sched_m *m, uint64_t mark)
{
    struct sched *s = m->sched;
    bool done;

    rt_lock(&s->gc_lock);
    done = gc_cycles(s->heap) >= mark;
    if (!done)
        park(m, &s->cycle_wait, WAIT_GC_CYCLE);
    rt_unlock(&s->gc_lock);
    return done;
}

void
sched_gc_mark_done(struct sched *s)
{
    struct sched_m *m = sched_m_self();
    struct sched_g *list;

    rt_lock(&s->gc_lock);
    list = s->cycle_wait;
    s->cycle_wait = NULL;
    rt_unlock(&s->gc_lock);
    ready_all(m, list);
}

/* ---- workers --------------------------------------------------------------------------- */

/* What a worker's stop() looks at. */
struct turn {
    struct sched_m *m;
    struct sched_pi *p;
    enum gc_worker kind;
    int64_t start;
    bool other; /* somebody else wants the P */
};

/* The worker has had its share of this P's time, and more. */
static bool
sated(const struct turn *t, int64_t now)
{
    const struct sched *s = t->p->s;
    double time = (double)(t->p->gc_time + now - t->start);

    return now - t->start >= SLICE_LEAST_NS &&
        time > 1.2 * s->gc_fraction * (double)(now - s->gc_start);
}

static bool
stop_worker(void *arg)
{
    struct turn *t = arg;
    struct sched_pi *p = t->p;
    struct sched *s = p->s;
    int64_t now = rt_nanotime();
    uint32_t why = 0;

    if (a32_load_rlx(&p->p.preempt) != 0) {
        why = a32_swap_full(&p->p.preempt, 0);
        flush_own(p);
    }
    if (a32_load_acq(&s->gcwaiting) || a32_load_acq(&s->exiting))
        return true;
    /* Timers are fired by who looks for work; Ps that are idle would do it,
     * but there may be none. */
    t->other = a64_load_rlx(&p->timers.next) <= (uint64_t)now;
    switch (t->kind) {
    case GC_WORKER_DEDICATED:
        return t->other;
    case GC_WORKER_FRACTIONAL:
        t->other = t->other || why == 2;
        return t->other || sated(t, now);
    case GC_WORKER_IDLE:
        t->other = t->other || !runq_empty(p) ||
            a32_load_acq(&s->qsize) != 0 || gcwork_timer_due(s, now);
        return t->other;
    }
    return true;
}

bool
gcwork_timer_due(struct sched *s, int64_t now)
{
    uint64_t next = timers_next_all(s);

    return next != 0 && next <= (uint64_t)now;
}

/* Nobody has anything for this P to do, not even for others to take. */
static bool
idle(struct sched *s, const struct turn *t)
{
    return !t->other && runq_empty(t->p) && !sched_spread(s) &&
        !a32_load_acq(&s->gcwaiting) && !a32_load_acq(&s->exiting);
}

/* Sleeps until others have done what the mark waits for, if they have not
 * since `event` was read, or until there is something else for this P. */
static void
worker_nap(struct sched *s, const struct turn *t, uint32_t event)
{
    int64_t most =
        timers_wait(timers_next_all(s), sched_now(s), WAIT_MOST_NS);

    /* full: pairs with whoever puts work or asks for this P, and then looks
     * whether somebody naps. */
    a32_add_full(&s->gc_nappers, 1);
    if (idle(s, t) && a32_load_acq(&t->p->p.preempt) == 0) {
        rt_assert(runq_empty(t->p)); /* nobody else puts there */
        rt_futex_wait(&s->gc_event, event, most);
    }
    a32_add_full(&s->gc_nappers, UINT32_MAX);
}

/* Nothing to do: perhaps only until a goroutine on another P has scanned
 * itself, or until it has handed over its greys. */
static void
wait_for_others(struct sched *s, const struct turn *t, enum gc_worked r,
    uint32_t event)
{
    int64_t until = rt_nanotime() + WAIT_SPIN_NS;

    if (r == GC_WORKED_EMPTY && a32_load_acq(&s->nscan_later) == 0)
        return;
    /* Meanwhile goroutines run here, if there are any. */
    t->p->gc_again = until + WAIT_MOST_NS;
    t->p->gc_event = event;
    rt_assert(t->m->p == &t->p->p);
    while (a32_load_acq(&s->gc_event) == event && idle(s, t)) {
        if (rt_nanotime() > until) {
            worker_nap(s, t, event);
            return;
        }
        rt_cpu_relax();
    }
}

static enum sched_run
worker(struct sched_m *m, struct sched_g *g, void *arg)
{
    struct sched *s = m->sched;
    struct sched_pi *p = arg;
    struct turn t = {m, p, p->gc_kind, rt_nanotime(), false};
    uint32_t event = a32_load_acq(&s->gc_event);
    enum gc_worked r;

    assert_has_p(m);
    rt_assert(m->g == g && p->gc_worker == g);
    if (&p->p == m->p && p->gc_picked) {
        p->gc_picked = false;
        r = gc_worker_run(s->heap, &p->p.cache, t.kind, stop_worker, &t);
        if (r == GC_WORKED_EMPTY || r == GC_WORKED_WAIT)
            wait_for_others(s, &t, r, event);
        if (t.kind != GC_WORKER_IDLE)
            p->gc_time += rt_nanotime() - t.start;
        if (t.kind == GC_WORKER_DEDICATED)
            ai32_add_full(&s->gc_dedicated, 1);
    }
    sched_park_begin(m, g, WAIT_GC_WORKER);
    return SCHED_RUN_PARKED;
}

/* Makes p's worker the next to run. */
static struct sched_g *
take_worker(struct sched_mi *m, struct sched_pi *p, enum gc_worker kind)
{
    static const char *const labels[] = {
        [GC_WORKER_DEDICATED] = "GC (dedicated)",
        [GC_WORKER_FRACTIONAL] = "GC (fractional)",
        [GC_WORKER_IDLE] = "GC (idle)",
    };
    struct sched_g *g = p->gc_worker;

    rt_assert(m->m.p == &p->p && !p->gc_picked);
    if (g == NULL) {
        g = p->gc_worker = g_new_native(&m->m, worker, p,
            NATIVE_MARK_WORKER);
        if (g == NULL)
            return NULL;
    } else {
        g_unpark(&m->m, g);
    }
    g->label = labels[kind];
    p->gc_kind = kind;
    p->gc_picked = true;
    return g;
}

static bool
take_dedicated(struct sched *s)
{
    int32_t n;

    do {
        n = ai32_load_rlx(&s->gc_dedicated);
        if (n <= 0)
            return false;
    } while (!ai32_cas_full(&s->gc_dedicated, n, n - 1));
    return true;
}

/* p's worker has found nothing but what others must do first, and since then
 * nothing of that has happened. */
static bool
worker_waits(const struct sched *s, const struct sched_pi *p, int64_t now)
{
    return now < p->gc_again && a32_load_acq(&s->gc_event) == p->gc_event;
}

struct sched_g *
gcwork_pick(struct sched_mi *m)
{
    struct sched *s = m->m.sched;
    struct sched_pi *p = pi_of(m->m.p);
    int64_t age, now;
    bool must;

    flush_own(p);
    if (!gc_work_available(s->heap, &must))
        return NULL;
    now = rt_nanotime();
    /* Meanwhile goroutines run here, those of other Ps, too, which may be
     * what the mark waits for; otherwise the worker would be started again at
     * once, millions of times a second. */
    bool others = !runq_empty(p) || sched_spread(s);
    if (must && others && worker_waits(s, p, now))
        return NULL;
    if (take_dedicated(s)) {
        struct sched_g *g = take_worker(m, p, GC_WORKER_DEDICATED);

        if (g == NULL)
            ai32_add_full(&s->gc_dedicated, 1);
        return g;
    }
    if (must && !others)
        return take_worker(m, p, GC_WORKER_FRACTIONAL);
    if (must && worker_waits(s, p, now))
        return NULL;
    age = now - s->gc_start;
    if (must ? p->gc_must != p->tick
             : (double)p->gc_time < s->gc_fraction * (double)age) {
        /* "Must" does not mean that nobody else has a turn. */
        p->gc_must = p->tick + 1;
        return take_worker(m, p, GC_WORKER_FRACTIONAL);
    }
    return NULL;
}

struct sched_g *
gcwork_pick_idle(struct sched_mi *m)
{
    struct sched *s = m->m.sched;
    struct sched_pi *p = pi_of(m->m.p);
    bool must;

    if (!gc_work_available(s->heap, &must) ||
        a32_load_acq(&s->qsize) != 0 ||
        gcwork_timer_due(s, rt_nanotime()))
        return NULL;
    return take_worker(m, p, GC_WORKER_IDLE);
}

void
sched_gc_wake_worker(struct sched *s)
{
    sched_wakep(s);
}
