/* SPDX-License-Identifier: MIT */
/*
 * A collection.  In this form the world stands still from the roots to the
 * end of marking; sweeping is lazy.  The steps have the order, and the
 * profiler's calls the places, of the concurrent collector (Go's mgc.go):
 *
 *     sweep what is left       world runs
 *     stop the world           caches come back, roots, mark
 *     mark termination         next_cycle; new goal; sweepgen += 2
 *     start the world          flush
 *     sweep                    post_sweep after the last span
 */
#include "gc/gc_int.h"

#include <time.h>

#include "runtime/base/clock.h"
#include "trace/record/trace.h"

/* Where events of this cycle go; NULL: no trace is on. */
static struct trace_pbuf *
events(struct gc_heap *h, struct gc_pcache *pc)
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
    trace_stw_start(h->trace, b, TRACE_STW_SWEEP_TERM);
}

static void
trace_middle(struct gc_heap *h, struct trace_pbuf *b)
{
    if (b == NULL)
        return;
    trace_stw_done(h->trace, b);
    trace_stw_start(h->trace, b, TRACE_STW_MARK_TERM);
}

static void
trace_end(struct gc_heap *h, struct trace_pbuf *b)
{
    if (b == NULL)
        return;
    trace_heap_alloc(h->trace, b, a64_load_rlx(&h->heap_live));
    trace_heap_goal(h->trace, b, a64_load_rlx(&h->goal));
    trace_stw_done(h->trace, b);
    trace_gc_done(h->trace, b);
}

static void
sweep_termination(struct gc_heap *h)
{
    gc_cache_flush_all(h);
    rt_check(a64_load_rlx(&h->unswept) == 0 &&
        a32_load_rlx(&h->sweep_open) == SWEEP_DONE,
        "a cycle begins before the sweep of the last one has ended");
    h->live_before = a64_load_rlx(&h->heap_live);
    h->goal_before = a64_load_rlx(&h->goal);
    if (h->cfg.verify)
        gc_verify_or_throw(h, "before marking");
    if (h->host->clear_caches != NULL)
        h->host->clear_caches(h->arg);
}

static void
mark(struct gc_heap *h)
{
    struct gc_marker m;

    gc_marker_init(&m, h);
    h->host->mark_roots(h->arg, &m);
    gc_specials_mark(&m);
    gc_mark_drain(&m);
    gc_marker_flush(&m);
    a64_store_rlx(&h->heap_marked, m.bytes);
    a64_store_rlx(&h->root_bytes, m.stack_bytes + m.global_bytes);
    h->stack_bytes = m.stack_bytes;
    h->global_bytes = m.global_bytes;
    if (h->cfg.verify)
        gc_verify_marks(h);
}

static void
mark_termination(struct gc_heap *h)
{
    a64_store_rlx(&h->heap_live, a64_load_rlx(&h->heap_marked));
    gc_pacer_set_goal(h);
    a32_store_rlx(&h->requested, 0);
    /* From here on every span is unswept. */
    a32_store_rlx(&h->sweepgen, a32_load_rlx(&h->sweepgen) + 2);
    a32_store_rlx(&h->sweep_class, 0);
    a32_store_rlx(&h->sweep_open, SWEEP_OPEN);
    a64_store_rlx(&h->unswept, h->spans_inuse);
    if (h->prof != NULL && h->prof->next_cycle != NULL)
        h->prof->next_cycle(h->prof_arg);
}

/* The books of the stop that is about to end. */
static void
account(struct gc_heap *h, enum gc_why why)
{
    struct timespec ts;
    uint64_t n = a64_load_rlx(&h->cycles);
    uint64_t pause = (uint64_t)(h->times.end - h->times.stopped);

    clock_gettime(CLOCK_REALTIME, &ts);
    h->last_wall = ts.tv_sec * 1000000000LL + ts.tv_nsec;
    h->pause_ns[n % GC_PAUSES] = pause;
    h->pause_end[n % GC_PAUSES] = (uint64_t)h->last_wall;
    h->pause_total += pause;
    if (why == GC_WHY_FORCED)
        h->forced++;
    a64_store_rlx(&h->cycles, n + 1);
    ai64_store_rlx(&h->last_end, h->times.end);
}

static void
stopped(struct gc_heap *h, struct gc_pcache *pc, enum gc_why why)
{
    struct trace_pbuf *b = events(h, pc);

    h->times.stopped = rt_nanotime();
    trace_begin(h, b);
    sweep_termination(h);
    h->times.mark = rt_nanotime();
    mark(h);
    h->times.term = rt_nanotime();
    trace_middle(h, b);
    mark_termination(h);
    h->times.end = rt_nanotime();
    account(h, why);
    trace_end(h, b);
}

static void
run_cycle(struct gc_heap *h, struct gc_pcache *pc, enum gc_why why)
{
    h->times.start = rt_nanotime();
    gc_sweep_all(h, pc);
    h->host->stop_world(h->arg, "GC");
    stopped(h, pc, why);
    if (h->cfg.trace)
        gc_trace_print(h, why);
    h->host->start_world(h->arg);
    if (h->prof != NULL && h->prof->flush != NULL)
        h->prof->flush(h->prof_arg);
    /* rel: pairs with the cas of the next cycle, which comes after flush. */
    a32_store_rel(&h->running, 0);
    if (why == GC_WHY_FORCED) {
        gc_sweep_wait(h, pc);
        return;
    }
    /* In an empty heap nobody else would end the sweep. */
    struct gc_sweep_run none = { 0 };
    gc_sweep_end(h, pc, &none);
    if (h->host->wake_sweeper != NULL)
        h->host->wake_sweeper(h->arg);
}

bool
gc_collect(struct gc_heap *h, struct gc_pcache *pc, enum gc_why why)
{
    if (!a32_cas_full(&h->running, 0, 1))
        return false;
    run_cycle(h, pc, why);
    return true;
}

void
gc_poll(struct gc_heap *h, struct gc_pcache *pc)
{
    if (!gc_should_start(h) || !a32_cas_full(&h->running, 0, 1))
        return;
    /* Somebody else's cycle may have come first. */
    if (gc_should_start(h))
        run_cycle(h, pc, GC_WHY_HEAP);
    else
        a32_store_rel(&h->running, 0);
}
