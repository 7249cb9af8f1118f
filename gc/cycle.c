/* SPDX-License-Identifier: MIT */
/*
 * A collection (Go's mgc.go).  The steps, and the places of the profiler's
 * calls:
 *
 *     gc_cycle_start()         world runs: sweep what is left
 *     stop the world
 *     gc_sweep_termination()   caches come back (beside the program: become
 *                              black), caches of the library are dropped
 *     [start the world; mark beside the program: concur.c; stop the world]
 *     mark
 *     gc_mark_termination()    new goal; sweepgen += 2; next_cycle
 *     start the world
 *     gc_cycle_finish()        flush; who waited goes on
 *     sweep                    post_sweep after the last span
 *
 * gc_collect() runs it with one stop, which marks.
 */
#include "gc/gc_int.h"
#include "gc/special.h"

#include <time.h>

#include "runtime/base/clock.h"
#include "runtime/race/race.h"
#include "trace/record/trace.h"

struct trace_pbuf *
gc_events(struct gc_heap *h, struct gc_pcache *pc)
{
    if (h->trace == NULL || pc->trace == NULL || !trace_on(h->trace))
        return NULL;
    return pc->trace;
}

static void
trace_begin(struct gc_heap *h, struct trace_pbuf *b)
{
    vpc stk[TRACE_STACK_MAX];

    if (b == NULL)
        return;
    uint32_t n = trace_walk(h->trace, stk);
    trace_gc_start(h->trace, b, stk, n);
}

static void
trace_end(struct gc_heap *h, struct trace_pbuf *b)
{
    if (b == NULL)
        return;
    trace_heap_alloc(h->trace, b, a64_load_rlx(&h->heap_live));
    trace_heap_goal(h->trace, b, a64_load_rlx(&h->goal));
    trace_gc_done(h->trace, b);
}

int64_t
gc_stop_world(struct gc_heap *h, const char *why)
{
    int64_t now = rt_nanotime();

    h->host->stop_world(h->arg, why);
    return h->host->stopping_at != NULL ? h->host->stopping_at(h->arg) : now;
}

int64_t
gc_start_world(struct gc_heap *h, int64_t since)
{
    int64_t now;

    h->host->start_world(h->arg);
    now = h->host->started_at != NULL ? h->host->started_at(h->arg)
                                      : rt_nanotime();
    rt_assert(now >= since);
    h->times.pause += now - since;
    return now;
}

void
gc_cycle_start(struct gc_heap *h, struct gc_pcache *pc, enum gc_why why)
{
    memset(&h->times, 0, sizeof h->times);
    h->times.start = rt_nanotime();
    h->why = why;
    gc_sweep_all(h, pc);
    trace_begin(h, gc_events(h, pc));
}

void
gc_sweep_termination(struct gc_heap *h)
{
    rt_check(a64_load_rlx(&h->unswept) == 0 &&
        a32_load_rlx(&h->sweep_open) == SWEEP_DONE,
        "a cycle begins before the sweep of the last one has ended");
    if (h->cfg.verify)
        gc_verify_or_throw(h, "before marking");
    /* rel: pairs with gc_begun() */
    a64_store_rel(&h->begun, a64_load_rlx(&h->begun) + 1);
    h->live_before = a64_load_rlx(&h->heap_live);
    h->goal_before = a64_load_rlx(&h->goal);
    a32_store_rlx(&h->requested, 0);
    a64_store_rlx(&h->black, 0);
    a64_store_rlx(&h->marked, 0);
    a64_store_rlx(&h->stack_scan, 0);
    a64_store_rlx(&h->global_scan, 0);
    if (h->host->clear_caches != NULL)
        h->host->clear_caches(h->arg);
}

void
gc_mark_all(struct gc_heap *h)
{
    struct gc_marker m;

    gc_marker_init(&m, h);
    h->host->mark_roots(h->arg, &m);
    gc_specials_mark(&m);
    gc_mark_drain(&m);
    gc_marker_flush(&m);
    a64_add_rlx(&h->pace.scanned,
        m.scanned + m.stack_bytes + m.global_bytes);
    gc_marker_sum(&m);
}

/* Sweeping must be over when the next mark begins: pages for each megabyte
 * that is allocated until then. */
static void
set_sweep_ratio(struct gc_heap *h)
{
    enum { MB = 1 << 20 };
    uint64_t live = a64_load_rlx(&h->heap_live);
    uint64_t trigger = a64_load_rlx(&h->trigger);
    uint64_t room = trigger > live ? trigger - live : 0;
    uint64_t pages = h->pages_inuse;

    /* Some slack, since windows count as used when they are handed out. */
    room = room > 2 * MB ? room - MB : room / 2 + 1;
    a64_store_rlx(&h->pace.sweep_basis, live);
    a64_store_rlx(&h->pace.pages_swept, 0);
    a64_store_rlx(&h->pace.sweep_ratio,
        (uint64_t)(((__uint128_t)pages << 20) / room) + 1);
}

void
gc_mark_termination(struct gc_heap *h, struct gc_pcache *pc)
{
    uint64_t marked = a64_load_rlx(&h->marked) + a64_load_rlx(&h->black);

    if (h->cfg.verify || h->cfg.checkmark)
        gc_verify_marks(h);
    if (h->cfg.checkmark)
        gc_check_marks(h);
    /* It makes all that goroutines have accessed new to them. */
    if (rt_unlikely(h->cfg.race != NULL) && gc_specials_due(h))
        race_mark_ended_stw(h->cfg.race);
    h->stack_bytes = a64_load_rlx(&h->stack_scan);
    h->global_bytes = a64_load_rlx(&h->global_scan);
    a64_store_rlx(&h->root_bytes, h->stack_bytes + h->global_bytes);
    h->live_term = a64_load_rlx(&h->heap_live);
    gc_pacer_peak(h);
    gc_pacer_end(h);
    a64_store_rlx(&h->heap_marked, marked);
    a64_store_rlx(&h->heap_live, marked);
    gc_pacer_set_goal(h);
    /* From here on every span is unswept. */
    a32_store_rlx(&h->sweepgen, a32_load_rlx(&h->sweepgen) + 2);
    a32_store_rlx(&h->sweep_class, 0);
    a32_store_rlx(&h->sweep_open, SWEEP_OPEN);
    set_sweep_ratio(h);
    a64_store_rlx(&h->unswept, h->spans_inuse);
    if (h->prof != NULL && h->prof->next_cycle != NULL)
        h->prof->next_cycle(h->prof_arg);
    trace_end(h, gc_events(h, pc));
}

static void
add_times(a_i64 *total, a_i64 *spent)
{
    ai64_add_rlx(total, ai64_load_rlx(spent));
    ai64_store_rlx(spent, 0);
}

/* The books of a cycle whose last stop has just ended. */
static void
account(struct gc_heap *h)
{
    const struct gc_cycle_times *t = &h->times;
    struct timespec ts;
    uint64_t n = a64_load_rlx(&h->cycles);
    int64_t pause = t->pause;

    clock_gettime(CLOCK_REALTIME, &ts);
    h->last_wall = ts.tv_sec * 1000000000LL + ts.tv_nsec;
    h->pause_ns[n % GC_PAUSES] = (uint64_t)pause;
    h->pause_end[n % GC_PAUSES] = (uint64_t)h->last_wall;
    h->pause_total += (uint64_t)pause;
    h->stop_cpu += pause * gc_procs(h);
    if (h->why == GC_WHY_FORCED)
        h->forced++;
    h->cpu_fraction = (double)(gc_time_spent(h) + h->stop_cpu) /
        ((double)(t->end - h->born) * gc_procs(h));
    a64_store_rel(&h->cycles, n + 1);
    ai64_store_rlx(&h->last_end, t->end);
}

/* The right to run a cycle is free again. */
static void
set_idle(struct gc_heap *h)
{
    /* full: pairs with the cas of the next cycle, which sees all of this one;
     * and who waits because of gc_must_wait() is seen from here, or sees
     * this. */
    a32_store_full(&h->running, 0);
    if (h->host->wake_assists != NULL)
        h->host->wake_assists(h->arg);
}

void
gc_cycle_finish(struct gc_heap *h, struct gc_pcache *pc)
{
    account(h);
    if (h->cfg.trace)
        gc_trace_print(h);
    if (h->cfg.pacer_trace)
        gc_pacer_print(h);
    add_times(&h->total.assist, &h->spent.assist);
    add_times(&h->total.worker, &h->spent.worker);
    add_times(&h->total.idle, &h->spent.idle);
    if (h->prof != NULL && h->prof->flush != NULL)
        h->prof->flush(h->prof_arg);
    set_idle(h);
    if (h->host->mark_done != NULL)
        h->host->mark_done(h->arg);
    /* In an empty heap nobody else would end the sweep. */
    struct gc_sweep_run none = { 0 };
    gc_sweep_end(h, pc, &none);
    if (h->host->wake_sweeper != NULL && !gc_sweep_done(h))
        h->host->wake_sweeper(h->arg);
}

/* A cycle with one stop. */
static void
run_cycle(struct gc_heap *h, struct gc_pcache *pc, enum gc_why why)
{
    gc_cycle_start(h, pc, why);
    h->times.stopped = gc_stop_world(h, "GC");
    gc_cache_flush_all(h);
    gc_sweep_termination(h);
    gc_pacer_begin(h);
    a32_store_rlx(&h->phase, GC_TERM);
    h->times.mark = rt_nanotime();
    gc_mark_all(h);
    h->times.term_stop = h->times.term = rt_nanotime();
    gc_mark_termination(h, pc);
    a32_store_rlx(&h->phase, GC_OFF);
    h->times.end = gc_start_world(h, h->times.stopped);
    gc_cycle_finish(h, pc);
}

bool
gc_collect(struct gc_heap *h, struct gc_pcache *pc, enum gc_why why)
{
    if (!a32_cas_full(&h->running, 0, 1))
        return false;
    run_cycle(h, pc, why);
    if (why == GC_WHY_FORCED)
        gc_sweep_wait(h, pc);
    return true;
}

/* `running` is held. */
static void
begin(struct gc_heap *h, struct gc_pcache *pc, enum gc_why why)
{
    if (gc_concurrent(h))
        gc_concurrent_begin(h, pc, why);
    else
        run_cycle(h, pc, why);
}

bool
gc_begin(struct gc_heap *h, struct gc_pcache *pc, enum gc_why why,
    uint64_t *mark)
{
    if (!a32_cas_full(&h->running, 0, 1))
        return false;
    *mark = a64_load_rlx(&h->cycles) + 1;
    begin(h, pc, why);
    return true;
}

void
gc_poll(struct gc_heap *h, struct gc_pcache *pc)
{
    if (!gc_should_start(h) || !a32_cas_full(&h->running, 0, 1))
        return;
    /* Somebody else's cycle may have come first. */
    if (gc_should_start(h))
        begin(h, pc, GC_WHY_HEAP);
    else
        set_idle(h);
}
