/* SPDX-License-Identifier: MIT */
/*
 * When to collect.  The goal is Go's: what was alive after the last cycle,
 * plus GOGC percent of that and of the roots; never below 4 MB at GOGC=100;
 * and below the memory limit if there is one.  While the world is stopped for
 * all of a cycle, the trigger is the goal itself.
 */
#include "gc/gc_int.h"

#include "trace/record/trace.h"

/* a + b, or the largest number. */
static uint64_t
add_sat(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
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

void
gc_pacer_set_goal(struct gc_heap *h)
{
    uint64_t live = a64_load_rlx(&h->heap_marked);
    uint64_t goal = percent_goal(h, live);
    uint64_t limit = limit_goal(h, live);

    a64_store_rlx(&h->goal, goal < limit ? goal : limit);
}

void
gc_request(struct gc_pcache *pc)
{
    struct gc_heap *h = pc->heap;

    /* Asked anew each time: who was asked before may have ended or parked
     * without a look at it. */
    if (a32_load_rlx(&h->requested) == 0)
        a32_store_rlx(&h->requested, 1);
    h->host->request_gc(h->arg, pc);
}

void
gc_pacer_allocated(struct gc_pcache *pc, uint64_t bytes)
{
    struct gc_heap *h = pc->heap;
    uint64_t live = a64_add_rlx(&h->heap_live, bytes) + bytes;

    if (pc->trace != NULL && h->trace != NULL && trace_on(h->trace))
        trace_heap_alloc(h->trace, pc->trace, live);
    if (live >= a64_load_rlx(&h->goal))
        gc_request(pc);
}

uint64_t
gc_pacer_excess(struct gc_heap *h)
{
    uint64_t goal = a64_load_rlx(&h->goal);
    int64_t limit = ai64_load_rlx(&h->mem_limit);

    rt_lock(&h->lock);
    uint64_t inuse = h->pages_inuse * GC_PAGE_SIZE;
    uint64_t backed = (h->pages_inuse + h->pages_free - h->pages_released) *
        GC_PAGE_SIZE;
    rt_unlock(&h->lock);
    /* A tenth more than the heap will grow to again anyway. */
    uint64_t keep = goal == UINT64_MAX ? inuse + inuse / 10
                                       : add_sat(goal, goal / 10);
    if ((uint64_t)limit < keep)
        keep = (uint64_t)limit;
    return backed > keep && backed > inuse ? backed - keep : 0;
}
