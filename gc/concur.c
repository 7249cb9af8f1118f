/* SPDX-License-Identifier: MIT */
/*
 * Marking beside the program: its beginning, workers, assists, its end.
 *
 * A marker's greys are in its own buffer, in buffers of the common list, or,
 * in a drain, in flight.  `active` counts the threads that drain: only they
 * have greys in flight; a marker whose P nobody drains on has at most what
 * the write barrier has put there.
 *
 * The end.  Where the common list is empty, nobody drains and all roots are
 * marked, only greys of barriers are left, in the markers of Ps.  So whoever
 * finds it so, and has won `ending`:
 *
 *   1. has every P hand its greys over, one after the other, while the
 *      program runs (flush_ps); if any did, marking goes on;
 *   2. stops the world and looks once more: a P may have shaded something
 *      after it was asked, through another one that had not been yet.  That
 *      is little, as a rule, and is scanned at once; if it is not, the world
 *      starts and marking goes on.
 *
 * Nothing is decided by 1, it only makes sure that 2 takes no time and
 * seldom fails; so what threads see of the three conditions without a lock
 * need not be exact.
 *
 * Lost wake-ups: a worker that finds nothing goes to sleep, and
 * gc_work_available() tells the scheduler whether to run one again; it is
 * asked whenever a P looks for something to do, and says "must" when the
 * mark could be ended.  Who makes work visible to others wakes an idle P
 * (wake_worker); a thread that leaves its P's own business as the last one,
 * an assist, asks its own P to look.
 */
#include "gc/gc_int.h"
#include "gc/special.h"

#include "runtime/base/clock.h"
#include "trace/record/trace.h"

enum {
    STEP_BYTES = 8 << 10,  /* marked between two looks at anything else */
    ASSIST_LEAST = 16 << 10, /* an assist pays in advance */
    ROOTS_AHEAD = 8,       /* full buffers beside which no more roots are
                              marked: they would only take memory */
    FINAL_STEPS = 4,       /* of marking in the second stop */
    FLUSH_NS = 5 * 1000    /* for which a worker waits for the other Ps */
};

bool
gc_concurrent(const struct gc_heap *h)
{
    return h->host->mark_root != NULL && !h->cfg.stop_world;
}

enum gc_phase
gc_phase(const struct gc_heap *h)
{
    return (enum gc_phase)a32_load_rlx(&h->phase);
}

/* ---- the first stop -------------------------------------------------------- */

static void
set_barriers(struct gc_heap *h, bool on)
{
    for (struct gc_pcache *pc = h->pcaches; pc != NULL; pc = pc->next) {
        pc->barrier = on;
        pc->assist_wait = false;
        pc->debt = 0;
        if (on)
            gc_cache_blacken(h, pc);
    }
}

static void
first_stop(struct gc_heap *h)
{
    gc_sweep_termination(h);
    assert_phase(h, GC_OFF);
    rt_assert(a32_load_rlx(&h->active) == 0);
    rt_assert(a32_load_rlx(&h->work_nfull) == 0 && h->work_full == NULL);
    rt_assert_full(gc_central_valid(h));
    a32_store_rlx(&h->roots_done, 0);
    a32_store_rlx(&h->ending, 0);
    h->flush_open = false;
    gc_specials_mark_begin(h);
    h->host->mark_begin(h->arg);
    set_barriers(h, true);
    gc_pacer_begin(h);
    a32_store_rlx(&h->phase, GC_MARK);
}

void
gc_concurrent_begin(struct gc_heap *h, struct gc_pcache *pc, enum gc_why why)
{
    gc_cycle_start(h, pc, why);
    h->times.stopped = gc_stop_world(h, "GC sweep termination");
    first_stop(h);
    h->times.mark = rt_nanotime();
    h->times.running = gc_start_world(h, h->times.stopped);
    h->host->wake_worker(h->arg);
    h->host->wake_assists(h->arg);
}

/* ---- the end ------------------------------------------------------------------ */

/* Nothing is left but greys of barriers; see "The end". */
static bool
quiet(struct gc_heap *h)
{
    return a32_load_acq(&h->roots_done) != 0 &&
        a32_load_acq(&h->active) == 0 && a32_load_acq(&h->work_nfull) == 0;
}

bool
gc_work_available(struct gc_heap *h, bool *must)
{
    *must = false;
    if (a32_load_rlx(&h->phase) != GC_MARK)
        return false;
    if (a32_load_acq(&h->work_nfull) != 0)
        return true;
    if (a32_load_acq(&h->roots_done) == 0) {
        /* Somebody must ask for them again and again; but those that are in
         * others' hands are nothing to be done here.  A worker would find
         * nothing, park, and be started again a million times a second for
         * as long as the system lets the other threads wait. */
        *must = a32_load_acq(&h->active) == 0;
        return *must || gc_specials_mark_left(h) ||
            h->host->roots_left(h->arg);
    }
    *must = a32_load_acq(&h->ending) == 0 && quiet(h);
    return *must;
}

void
gc_flush_marks(struct gc_pcache *pc, uint32_t epoch)
{
    struct gc_heap *h = pc->heap;

    rt_assert(pc->marker == &pc->own);
    if (gc_marker_flush(&pc->own))
        a32_store_rel(&h->greys_found, 1);
    /* rel: pairs with the acq of flush_ps() */
    a32_store_rel(&pc->flushed, epoch);
}

/* Everybody's greys and sums, world stopped. */
static void
flush_all(struct gc_heap *h)
{
    for (struct gc_pcache *pc = h->pcaches; pc != NULL; pc = pc->next) {
        gc_marker_flush(&pc->own);
        gc_marker_sum(&pc->own);
    }
}

/* World stopped: scans what is left if that is little; true: nothing is. */
static bool
last_greys(struct gc_heap *h)
{
    struct gc_marker m;
    bool done = false;

    flush_all(h);
    gc_marker_init(&m, h);
    /* The objects whose greys were dropped can only be found in a stop. */
    if (a32_load_rlx(&h->work_overflow) != 0) {
        gc_cache_flush_all(h);
        gc_mark_drain(&m);
    }
    for (int i = 0; i < FINAL_STEPS && !done; i++)
        done = gc_drain_some(&m, STEP_BYTES);
    gc_marker_flush(&m);
    a64_add_rlx(&h->pace.scanned, m.scanned);
    gc_marker_sum(&m);
    return done && a32_load_rlx(&h->work_nfull) == 0 &&
        a32_load_rlx(&h->work_overflow) == 0;
}

static void
second_stop(struct gc_heap *h, struct gc_pcache *pc)
{
    assert_phase(h, GC_MARK);
    rt_assert(a32_load_rlx(&h->work_nfull) == 0);
    h->times.term = rt_nanotime();
    a32_store_rlx(&h->phase, GC_TERM);
    set_barriers(h, false);
    gc_cache_flush_all(h);
    h->host->mark_end(h->arg);
    gc_mark_termination(h, pc);
    a32_store_rlx(&h->phase, GC_OFF);
}

/* `ending` is held, which it is not any more on return; true: the mark has
 * ended. */
static bool
stop_and_end(struct gc_heap *h, struct gc_pcache *pc)
{
    rt_assert(a32_load_rlx(&h->ending) == 1);
    h->times.term_stop = gc_stop_world(h, "GC mark termination");
    bool done = last_greys(h);
    if (done)
        second_stop(h, pc);
    a32_store_rel(&h->ending, 0);
    h->times.end = gc_start_world(h, h->times.term_stop);
    if (!done) {
        h->host->wake_worker(h->arg);
        return false;
    }
    h->host->wake_assists(h->arg);
    gc_cycle_finish(h, pc);
    return true;
}

void
gc_finish_mark(struct gc_heap *h, struct gc_pcache *pc)
{
    if (gc_phase(h) != GC_MARK)
        return;
    h->times.term_stop = gc_stop_world(h, "GC mark termination");
    flush_all(h);
    gc_cache_flush_all(h);
    gc_mark_all(h);
    second_stop(h, pc);
    h->times.end = gc_start_world(h, h->times.term_stop);
    gc_cycle_finish(h, pc);
}

/* EMPTY: all Ps have handed over their greys, and there were none; STOPPED:
 * there were some; WAIT: not all have seen it yet. */
static enum gc_worked
flushed(struct gc_heap *h, struct gc_pcache *pc)
{
    int64_t until = rt_nanotime() + FLUSH_NS;

    rt_assert(a32_load_rlx(&h->ending) == 1); /* guards the epoch */
    if (!h->flush_open) {
        h->flush_open = true;
        a32_store_rel(&h->greys_found, 0);
        h->flush_epoch++;
    }
    while (!h->host->flush_ps(h->arg, pc, h->flush_epoch)) {
        if (rt_nanotime() > until)
            return GC_WORKED_WAIT;
        rt_cpu_relax();
    }
    h->flush_open = false;
    return a32_load_acq(&h->greys_found) == 0 ? GC_WORKED_EMPTY
                                              : GC_WORKED_STOPPED;
}

static enum gc_worked
try_end(struct gc_heap *h, struct gc_pcache *pc)
{
    if (!quiet(h))
        return GC_WORKED_EMPTY;
    /* full: with the release below, the plain fields that `ending` guards */
    if (!a32_cas_full(&h->ending, 0, 1))
        return GC_WORKED_EMPTY;
    enum gc_worked r = GC_WORKED_STOPPED;
    if (a32_load_rlx(&h->phase) == GC_MARK)
        r = flushed(h, pc);
    if (r != GC_WORKED_EMPTY || !quiet(h)) {
        a32_store_rel(&h->ending, 0);
        return r == GC_WORKED_EMPTY ? GC_WORKED_STOPPED : r;
    }
    return stop_and_end(h, pc) ? GC_WORKED_DONE : GC_WORKED_STOPPED;
}

/* ---- workers ------------------------------------------------------------------- */

/* Marks one piece of the roots. */
static enum gc_roots
root_piece(struct gc_heap *h, struct gc_marker *m)
{
    if (gc_specials_mark_next(m))
        return GC_ROOTS_SOME;
    enum gc_roots r = h->host->mark_root(h->arg, m);
    if (r == GC_ROOTS_DONE)
        a32_store_rel(&h->roots_done, 1);
    return r;
}

/* The work since `before` counts, and is credit for those in debt. */
static void
earn(struct gc_heap *h, struct gc_marker *m, uint64_t *before)
{
    uint64_t n = m->scanned - *before;

    rt_assert(m->scanned >= *before);
    *before = m->scanned;
    if (n == 0)
        return;
    a64_add_rlx(&h->pace.scanned, n);
    /* full: pairs with gc_assist_retry(), which looks after it has queued. */
    ai64_add_full(&h->pace.credit, (int64_t)n);
    h->host->wake_assists(h->arg);
    if (gc_work_share(m))
        h->host->wake_worker(h->arg);
}

/* The inside of a drain.  True: stopped; false: nothing to do just now. */
static bool
drain(struct gc_heap *h, struct gc_marker *m, bool (*stop)(void *arg),
    void *arg)
{
    uint64_t before = m->scanned;
    enum gc_roots r = a32_load_acq(&h->roots_done) ? GC_ROOTS_DONE
                                                   : GC_ROOTS_SOME;

    for (;;) {
        if (stop(arg))
            return true;
        if (r == GC_ROOTS_SOME &&
            a32_load_rlx(&h->work_nfull) < ROOTS_AHEAD) {
            uint64_t roots = m->stack_bytes + m->global_bytes;
            r = root_piece(h, m);
            m->scanned += m->stack_bytes + m->global_bytes - roots;
            if (r == GC_ROOTS_SOME) {
                earn(h, m, &before);
                continue;
            }
        }
        bool none = gc_drain_some(m, STEP_BYTES);
        earn(h, m, &before);
        if (!none)
            continue;
        if (r == GC_ROOTS_DONE || a32_load_acq(&h->roots_done))
            return false;
        r = root_piece(h, m);
        if (r == GC_ROOTS_WAIT)
            return false;
    }
}

/* Drains with pc's marker. */
static bool
drain_on(struct gc_heap *h, struct gc_pcache *pc, bool (*stop)(void *arg),
    void *arg)
{
    struct gc_marker *m = &pc->own;

    rt_assert(m->heap == h && m->check == NULL);
    a32_add_full(&h->active, 1);
    bool stopped = drain(h, m, stop, arg);
    gc_marker_flush(m);
    /* full: what has been handed over is seen by who sees us leave. */
    a32_add_full(&h->active, UINT32_MAX);
    gc_marker_sum(m);
    return stopped;
}

enum gc_worked
gc_worker_run(struct gc_heap *h, struct gc_pcache *pc, enum gc_worker kind,
    bool (*stop)(void *arg), void *arg)
{
    if (a32_load_rlx(&h->phase) != GC_MARK)
        return GC_WORKED_DONE;
    int64_t t0 = rt_nanotime();
    bool stopped = drain_on(h, pc, stop, arg), must;
    int64_t t1 = rt_nanotime();
    ai64_add_rlx(kind == GC_WORKER_IDLE ? &h->spent.idle : &h->spent.worker,
        t1 - t0);
    gc_pacer_revise(h);
    gc_limiter_update(h, t1);
    if (!stopped)
        return try_end(h, pc);
    /* This P has something else to do; one that is idle has not. */
    if (gc_work_available(h, &must))
        h->host->wake_worker(h->arg);
    return GC_WORKED_STOPPED;
}

/* ---- assists -------------------------------------------------------------------- */

/* Pays as much of the debt as there is credit. */
static bool
take_credit(struct gc_heap *h, struct gc_pcache *pc)
{
    int64_t c = ai64_load_rlx(&h->pace.credit);

    if (c <= 0)
        return false;
    int64_t n = c < pc->debt ? c : pc->debt;
    /* Two at a time may take the same: it becomes negative for a moment. */
    ai64_add_rlx(&h->pace.credit, -n);
    pc->debt -= n;
    return pc->debt <= 0;
}

static bool
until_paid(void *arg)
{
    const struct gc_pcache *pc = arg;

    rt_assert(pc->debt >= 0);
    return (int64_t)pc->own.scanned >= pc->debt;
}

/* Scans objects, and roots where that is allowed; true: paid. */
static bool
assist(struct gc_heap *h, struct gc_pcache *pc, bool roots)
{
    struct gc_marker *m = &pc->own;
    struct trace_pbuf *b = gc_events(h, pc);
    vpc stk[TRACE_STACK_MAX];
    int64_t t0 = rt_nanotime();

    /* The readers of traces want to know whose assist it is. */
    uint32_t n = b != NULL ? trace_walk(h->trace, stk) : 0;
    if (n == 0)
        b = NULL;
    if (b != NULL)
        trace_mark_assist_start(h->trace, b, stk, n);
    int64_t pay = pc->debt > ASSIST_LEAST ? pc->debt : ASSIST_LEAST;
    uint64_t before = m->scanned;
    /* until_paid() compares what has been scanned with the debt. */
    pc->debt = (int64_t)before + pay;
    if (roots) {
        drain_on(h, pc, until_paid, pc);
    } else {
        a32_add_full(&h->active, 1);
        while (!until_paid(pc) && !gc_drain_some(m, STEP_BYTES)) {
        }
        gc_marker_flush(m);
        a32_add_full(&h->active, UINT32_MAX);
        gc_marker_sum(m);
    }
    int64_t work = (int64_t)(m->scanned - before);
    if (!roots)
        a64_add_rlx(&h->pace.scanned, (uint64_t)work);
    else
        ai64_add_rlx(&h->pace.credit, -work);
    pc->debt = pay - work;
    int64_t t1 = rt_nanotime();
    ai64_add_rlx(&h->spent.assist, t1 - t0);
    gc_limiter_update(h, t1);
    gc_pacer_revise(h);
    if (b != NULL)
        trace_mark_assist_done(h->trace, b);
    return pc->debt <= 0;
}

/* There is nothing left to mark, and room until the mark has ended: who could
 * want to be paid?  Beyond the goal those in debt wait for the end, which may
 * take long where threads do not get to run. */
static bool
forgiven(struct gc_heap *h)
{
    return quiet(h) && a64_load_rlx(&h->heap_live) < a64_load_rlx(&h->goal);
}

void
gc_assist_alloc(struct gc_pcache *pc)
{
    struct gc_heap *h = pc->heap;
    bool must;

    rt_assert(pc->barrier && pc->debt > 0);
    if (a32_load_rlx(&h->limiter.limiting) != 0) {
        pc->debt = 0;
        return;
    }
    if (take_credit(h, pc))
        return;
    bool paid = a32_load_rlx(&h->work_nfull) != 0 && assist(h, pc, false);
    gc_work_available(h, &must);
    if (paid && !must)
        return;
    if (forgiven(h))
        pc->debt = 0;
    pc->assist_wait = pc->debt > 0;
    h->host->request_gc(h->arg, pc);
}

bool
gc_assist_retry(const struct gc_heap *h)
{
    if (a32_load_rlx(&h->phase) == GC_MARK)
        return ai64_load_acq(&h->pace.credit) > 0;
    return !gc_must_wait(h);
}

bool
gc_assist_safepoint(struct gc_heap *h, struct gc_pcache *pc)
{
    bool must;

    pc->assist_wait = false;
    if (!pc->barrier || pc->debt <= 0 || take_credit(h, pc))
        return true;
    if (forgiven(h)) {
        pc->debt = 0;
        return true;
    }
    if (gc_work_available(h, &must) && !must && assist(h, pc, true))
        return true;
    return false;
}
