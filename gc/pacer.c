/* SPDX-License-Identifier: MIT */
/*
 * When to collect, and how hard.
 *
 * The goal is Go's: what was alive after the last cycle, plus GOGC percent of
 * that and of the roots; never below 4 MB at GOGC=100; and below the memory
 * limit if there is one.  A mark that is one stop begins at the goal.
 *
 * A mark beside the program should end at the goal, so it begins before: at
 * the trigger.  How long before follows from the work that is expected, about
 * as much as last time, and from how fast the program has allocated in the
 * last marks for each byte that was scanned, at equal processor time (the
 * cons/mark ratio; the largest of some cycles).  Workers take a quarter of
 * the processors.  If that does not suffice, allocation pays: each byte
 * allocated owes `ratio` bytes of marking, such that what is left to scan is
 * scanned when the room up to the goal is used up.  Workers pay into a common
 * credit, from which debts are paid first.
 *
 * Source: Go's mgcpacer.go of 1.19 and its design document 44167.
 */
#include "gc/gc_int.h"

#include <stdio.h>

#include "runtime/base/clock.h"

#include "trace/record/trace.h"

/* a + b, or the largest number. */
static uint64_t
add_sat(uint64_t a, uint64_t b)
{
    uint64_t sum;

    return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

static uint64_t
percent_goal(struct gc_heap *h, uint64_t live)
{
    int32_t percent = ai32_load_rlx(&h->percent);

    if (percent < 0)
        return UINT64_MAX;
    __uint128_t base = (__uint128_t)live + a64_load_rlx(&h->root_bytes);
    __uint128_t growth = base * (uint32_t)percent / 100;
    uint64_t goal = add_sat(live,
        growth > UINT64_MAX ? UINT64_MAX : (uint64_t)growth);
    uint64_t least = (uint64_t)RT_GC_HEAP_MIN * (uint32_t)percent / 100;
    return goal < least ? least : goal;
}

/* What the limit leaves for objects, at least a little more than live: a
 * limit that cannot be kept must not stop the program by collecting. */
static uint64_t
limit_goal(struct gc_heap *h, uint64_t live)
{
    int64_t limit = ai64_load_rlx(&h->mem_limit);

    if (limit == INT64_MAX)
        return UINT64_MAX;
    rt_lock(&h->lock);
    uint64_t heap = (h->pages_inuse + h->pages_free) * GC_PAGE_SIZE;
    rt_unlock(&h->lock);
    uint64_t all = a64_load_rlx(&h->os.committed);
    uint64_t other = (all > heap ? all - heap : 0) +
        a64_load_rlx(&h->root_bytes);
    uint64_t room = (uint64_t)limit > other ? (uint64_t)limit - other : 0;
    uint64_t least = live + live / 16 + RT_GC_HEAP_MIN / 64;
    return room < least ? least : room;
}

/* ---- goal and trigger --------------------------------------------------- */

static double
max_cons_mark(const struct gc_heap *h)
{
    double r = 0;

    for (unsigned i = 0; i < GC_PACE_HISTORY; i++)
        if (h->pace.cons_mark[i] > r)
            r = h->pace.cons_mark[i];
    return r;
}

/* Bytes that will be allocated while expected bytes are scanned by a quarter
 * of the processors. */
static double
runway(const struct gc_heap *h)
{
    return max_cons_mark(h) * 3 * (double)h->pace.last_work;
}

static uint64_t
trigger_for(struct gc_heap *h, uint64_t live, uint64_t goal)
{
    if (!gc_concurrent(h) || goal == UINT64_MAX || goal <= live)
        return goal;
    /* Not so early that garbage has hardly gathered, and not so late that a
     * wrong guess leaves no room. */
    rt_assert(goal > live);
    uint64_t low = live + (goal - live) / 10 * 7;
    uint64_t high = live + (goal - live) / 20 * 19;
    double run = runway(h);

    rt_assert(live <= low && low <= high && high <= goal && run >= 0);
    if (run >= (double)(goal - low))
        return low;
    if (run <= (double)(goal - high))
        return high;
    return goal - (uint64_t)run;
}

void
gc_pacer_set_goal(struct gc_heap *h)
{
    uint64_t live = a64_load_rlx(&h->heap_marked);
    uint64_t goal = percent_goal(h, live);
    uint64_t limit = limit_goal(h, live);

    if (limit < goal)
        goal = limit;
    a64_store_rlx(&h->goal, goal);
    a64_store_rlx(&h->trigger, trigger_for(h, live, goal));
}

/* ---- a cycle ------------------------------------------------------------- */

bool
gc_pacer_valid(const struct gc_heap *h)
{
    const struct gc_pace *p = &h->pace;

    if (a64_load_rlx(&h->trigger) > a64_load_rlx(&h->goal) ||
        p->next >= GC_PACE_HISTORY || p->expected > p->most)
        return false;
    /* Below 0 where two have taken the same credit; see take_credit(). */
    if (ai64_load_rlx(&p->credit) > (int64_t)a64_load_rlx(&p->scanned))
        return false;
    for (unsigned i = 0; i < GC_PACE_HISTORY; i++)
        if (!(p->cons_mark[i] >= 0))
            return false;
    return true;
}

void
gc_pacer_begin(struct gc_heap *h)
{
    struct gc_pace *p = &h->pace;

    rt_assert_full(gc_pacer_valid(h));
    p->live_begin = a64_load_rlx(&h->heap_live);
    p->most = p->live_begin + a64_load_rlx(&h->root_bytes);
    p->expected = p->last_work != 0 && p->last_work < p->most ? p->last_work
                                                               : p->most;
    a64_store_rlx(&p->scanned, 0);
    ai64_store_rlx(&p->credit, 0);
    ai64_store_rlx(&h->spent.assist, 0);
    ai64_store_rlx(&h->spent.worker, 0);
    ai64_store_rlx(&h->spent.idle, 0);
    gc_pacer_revise(h);
}

void
gc_pacer_revise(struct gc_heap *h)
{
    enum { LEAST = 1000 };
    struct gc_pace *p = &h->pace;
    uint64_t live = a64_load_rlx(&h->heap_live);
    uint64_t goal = a64_load_rlx(&h->goal);
    uint64_t done = a64_load_rlx(&p->scanned);
    uint64_t work = p->expected;

    /* Missed already: everything may have to be scanned, and the heap may
     * grow by another tenth for it. */
    if (live >= goal || done >= work) {
        work = p->most;
        goal = add_sat(live > goal ? live : goal,
            (live > goal ? live : goal) / 10);
    }
    uint64_t left = work > done + LEAST ? work - done : LEAST;
    uint64_t room = goal > live ? goal - live : 1;
    rt_assert(room > 0 && left >= LEAST);
    __uint128_t r = ((__uint128_t)left << 10) / room;
    a64_store_rlx(&p->ratio, r > UINT32_MAX ? UINT32_MAX : (uint64_t)r);
}

void
gc_pacer_end(struct gc_heap *h)
{
    struct gc_pace *p = &h->pace;
    uint64_t live = a64_load_rlx(&h->heap_live);
    int64_t wall = h->times.term - h->times.mark;
    double all = (double)wall * gc_procs(h);
    double gc = (double)(ai64_load_rlx(&h->spent.assist) +
        ai64_load_rlx(&h->spent.worker) + ai64_load_rlx(&h->spent.idle));

    assert_phase(h, GC_TERM);
    rt_assert_full(gc_pacer_valid(h));
    p->last_work = a64_load_rlx(&p->scanned);
    if (wall <= 0 || gc <= 0 || live < p->live_begin || p->last_work == 0)
        return;
    double share = gc / all < 0.99 ? gc / all : 0.99;
    p->cons_mark[p->next] = (double)(live - p->live_begin) * share /
        ((double)p->last_work * (1 - share));
    p->next = (p->next + 1) % GC_PACE_HISTORY;
}

void
gc_pacer_print(struct gc_heap *h)
{
    char line[256];

    snprintf(line, sizeof line,
        "pacer: mark of %lu bytes (expected %lu), %lu allocated meanwhile, "
        "cons/mark %.3f, live %lu, trigger %lu, goal %lu\n",
        (unsigned long)h->pace.last_work, (unsigned long)h->pace.expected,
        (unsigned long)(h->live_term - h->pace.live_begin), max_cons_mark(h),
        (unsigned long)a64_load_rlx(&h->heap_marked),
        (unsigned long)a64_load_rlx(&h->trigger),
        (unsigned long)a64_load_rlx(&h->goal));
    if (h->host->print != NULL)
        h->host->print(h->arg, line);
}

void
gc_worker_shares(uint32_t n, uint32_t *dedicated, double *fraction)
{
    double want = n * 0.25;
    uint32_t d = (uint32_t)(want + 0.5);
    double error = d / want - 1;

    /* Whole Ps alone would be off by too much: take fewer, and a part of the
     * time of each. */
    *fraction = 0;
    if (error < -0.3 || error > 0.3) {
        if (d > want)
            d--;
        *fraction = (want - d) / n;
    }
    rt_assert(d <= n && *fraction >= 0 && *fraction < 1);
    *dedicated = d;
}

uint32_t
gc_procs(const struct gc_heap *h)
{
    uint32_t n = h->host->procs != NULL ? h->host->procs(h->arg)
                                        : h->npcaches;

    return n == 0 ? 1 : n;
}

/* ---- the limiter ----------------------------------------------------------- */

int64_t
gc_time_spent(const struct gc_heap *h)
{
    return ai64_load_rlx(&h->total.assist) + ai64_load_rlx(&h->total.worker) +
        ai64_load_rlx(&h->spent.assist) + ai64_load_rlx(&h->spent.worker);
}

void
gc_limiter_update(struct gc_heap *h, int64_t now)
{
    static const int64_t SECOND = 1000000000;
    struct gc_limiter *l = &h->limiter;

    if (!a32_cas_full(&l->busy, 0, 1))
        return;
    int64_t procs = gc_procs(h);
    int64_t gc = gc_time_spent(h) - l->last_gc;
    int64_t all = (now - l->last) * procs;
    if (now > l->last && gc >= 0) {
        l->fill += gc - (all - gc);
        if (l->fill < 0)
            l->fill = 0;
        if (l->fill > SECOND * procs)
            l->fill = SECOND * procs;
        l->last = now;
        l->last_gc += gc;
        a32_store_rlx(&l->limiting, l->fill >= SECOND * procs);
    }
    a32_store_rel(&l->busy, 0); /* rel: pairs with the cas */
}

/* ---- allocation -------------------------------------------------------------- */

/*
 * Between the moment at which a thread has won `running` and its first stop
 * nobody marks, so allocation owes nothing; and the thread may not get to run
 * for long.  The same goes for the time between the last stop and the end of
 * the books.  So whoever is beyond the goal then waits, as Go has him wait for
 * the semaphore of gcStart().
 */
bool
gc_must_wait(const struct gc_heap *h)
{
    /* acq: with a phase that is not older */
    return a32_load_acq(&h->running) != 0 &&
        a32_load_rlx(&h->phase) == GC_OFF &&
        a64_load_rlx(&h->heap_live) >= a64_load_rlx(&h->goal);
}

void
gc_request(struct gc_pcache *pc)
{
    struct gc_heap *h = pc->heap;

    if (a32_load_rlx(&h->running) == 0) {
        if (a32_load_rlx(&h->requested) == 0)
            a32_store_rlx(&h->requested, 1);
    } else if (!gc_must_wait(h)) {
        return;
    }
    /* Asked anew each time: who was asked before may have ended or parked
     * without a look at it. */
    h->host->request_gc(h->arg, pc);
}

void
gc_pacer_allocated(struct gc_pcache *pc, uint64_t bytes)
{
    struct gc_heap *h = pc->heap;
    uint64_t live = a64_add_rlx(&h->heap_live, bytes) + bytes;

    if (pc->trace != NULL && h->trace != NULL && trace_on(h->trace))
        trace_heap_alloc(h->trace, pc->trace, live);
    if (rt_unlikely(pc->barrier)) {
        pc->debt += (int64_t)((__uint128_t)bytes *
            a64_load_rlx(&h->pace.ratio) >> 10);
        if (pc->debt > 0)
            gc_assist_alloc(pc);
    } else if (live >= a64_load_rlx(&h->trigger)) {
        gc_request(pc);
    }
}

/* Small heaps have many cycles in a second and end them at all sizes: the
 * largest of the last one to two seconds counts. */
void
gc_pacer_peak(struct gc_heap *h)
{
    static const int64_t SECOND = 1000000000;
    struct gc_peak *k = &h->peak;
    uint64_t inuse = h->pages_inuse * GC_PAGE_SIZE;
    int64_t age = h->times.term - k->since;

    if (h->why != GC_WHY_HEAP || age >= SECOND) {
        k->before = h->why == GC_WHY_HEAP && age < 2 * SECOND ? k->most : 0;
        k->most = 0;
        k->since = h->times.term;
    }
    if (inuse > k->most)
        k->most = inuse;
    a64_store_rlx(&h->inuse_peak, k->most > k->before ? k->most : k->before);
    a64_store_rlx(&h->goal_peak, a64_load_rlx(&h->goal));
}

/* What the heap will grow to again: as many pages as the last mark ended with,
 * in the proportion of the goals (Go's mgcscavenge.go). */
static uint64_t
expected_inuse(const struct gc_heap *h)
{
    uint64_t goal = a64_load_rlx(&h->goal);
    uint64_t peak = a64_load_rlx(&h->inuse_peak);
    uint64_t before = a64_load_rlx(&h->goal_peak);

    if (goal == UINT64_MAX)
        return 0;
    if (before != 0 && before != UINT64_MAX)
        peak = (uint64_t)((__uint128_t)peak * goal / before);
    return peak > goal ? peak : goal;
}

uint64_t
gc_pacer_excess(struct gc_heap *h)
{
    uint64_t want = expected_inuse(h);
    int64_t limit = ai64_load_rlx(&h->mem_limit);

    rt_lock(&h->lock);
    uint64_t inuse = h->pages_inuse * GC_PAGE_SIZE;
    uint64_t backed = (h->pages_inuse + h->pages_free - h->pages_released) *
        GC_PAGE_SIZE;
    rt_unlock(&h->lock);
    /* A tenth more than that. */
    uint64_t keep = want > inuse ? want : inuse;
    keep = add_sat(keep, keep / 10);
    if ((uint64_t)limit < keep)
        keep = (uint64_t)limit;
    return backed > keep && backed > inuse ? backed - keep : 0;
}
