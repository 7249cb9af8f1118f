/* SPDX-License-Identifier: MIT */
/*
 * Sweeping: the mark bits of a span become its alloc bits.  Done by whoever
 * needs slots of the class, by the background sweeper, and by the next cycle
 * for what is left (Go's mgcsweep.go).
 */
#include "gc/gc_int.h"

#include <sched.h>

#include "trace/record/trace.h"

static void
begin_run(struct gc_heap *h, struct gc_pcache *pc, struct gc_sweep_run *run)
{
    if (run->open || pc == NULL || pc->trace == NULL || h->trace == NULL ||
        !trace_on(h->trace))
        return;
    vpc stk[TRACE_STACK_MAX];
    uint32_t n = trace_walk(h->trace, stk);
    trace_sweep_start(h->trace, pc->trace, stk, n);
    run->open = true;
}

/* Makes use after free visible, where a build wants to pay for it. */
static void
wipe(struct gc_span *s, uint32_t word, uint64_t freed)
{
    if (!RT_ASAN && VOLE_CHECKS == 0)
        return;
    for (; freed != 0; freed &= freed - 1) {
        uint32_t slot = word * 64 + (uint32_t)__builtin_ctzll(freed);
        uint8_t *p = gc_slot_base(s, slot);
        if (VOLE_CHECKS != 0) {
            uint64_t poison = GC_POISON;
            for (uint64_t i = 0; i + 8 <= s->elemsize; i += 8)
                memcpy(p + i, &poison, 8);
        }
        gc_asan_poison(p, s->elemsize);
    }
}

/* Alloc bits = mark bits, mark bits = 0; returns how many objects live. */
static uint32_t
move_bits(struct gc_span *s)
{
    uint32_t live = 0;

    for (uint32_t i = 0; i < s->nwords; i++) {
        uint64_t mark = a64_load_rlx(&s->mark[i]);
        uint64_t was = a64_load_rlx(&s->alloc[i]);
        rt_assert((mark & ~was) == 0);
        if (mark != was)
            wipe(s, i, was & ~mark);
        a64_store_rlx(&s->alloc[i], mark);
        a64_store_rlx(&s->mark[i], 0);
        live += (uint32_t)__builtin_popcountll(mark);
    }
    return live;
}

static void
count_freed(struct gc_heap *h, struct gc_span *s, uint32_t freed)
{
    if (freed == 0)
        return;
    a64_add_rlx(&h->counts.frees[gc_span_class(s)], freed);
    if (s->magic == 0)
        a64_add_rlx(&h->counts.large_freed, s->npages * GC_PAGE_SIZE);
}

bool
gc_sweep_span(struct gc_heap *h, struct gc_pcache *pc, struct gc_span *s,
    bool keep, struct gc_sweep_run *run)
{
    begin_run(h, pc, run);
    if (s->specials != NULL && gc_specials_sweep(h, s))
        run->final = true;
    /* After it: what waits for its finalizer lives on. */
    if (rt_unlikely(s->sites != NULL))
        gc_sites_sweep(h, s);
    uint32_t live = move_bits(s);
    uint32_t freed = s->alloc_count - live;
    count_freed(h, s, freed);
    run->swept += s->npages * GC_PAGE_SIZE;
    a64_add_rlx(&h->pace.pages_swept, s->npages);
    run->reclaimed += freed * gc_slot_bytes(s);
    s->alloc_count = live;
    s->next_window = 0;
    s->fresh = false;
    /* rel: pairs with the acq in gc_ensure_swept(). */
    a32_store_rel(&s->sweepgen, a32_load_rlx(&h->sweepgen));
    bool empty = live == 0 && !keep;
    if (empty)
        gc_span_free(h, s);
    else if (!keep)
        gc_central_put(h, s);
    /* full: the last one sees what all the others did. */
    rt_check(a64_add_full(&h->unswept, (uint64_t)-1) != 0,
        "more spans swept than there are");
    return empty;
}

void
gc_sweep_end(struct gc_heap *h, struct gc_pcache *pc,
    struct gc_sweep_run *run)
{
    if (run->open)
        trace_sweep_done(h->trace, pc->trace, run->swept, run->reclaimed);
    if (run->final && h->host->finalizers_ready != NULL)
        h->host->finalizers_ready(h->arg);
    if (a64_load_acq(&h->unswept) != 0 ||
        a32_load_rlx(&h->sweep_open) != SWEEP_OPEN ||
        !a32_cas_full(&h->sweep_open, SWEEP_OPEN, SWEEP_ENDING))
        return;
    if (h->prof != NULL && h->prof->post_sweep != NULL)
        h->prof->post_sweep(h->prof_arg);
    /* rel: pairs with the acq in gc_sweep_wait(). */
    a32_store_rel(&h->sweep_open, SWEEP_DONE);
}

void
gc_sweep_wait(struct gc_heap *h, struct gc_pcache *pc)
{
    gc_sweep_all(h, pc);
    /* Others may be at their last spans: they need nothing from here. */
    while (a32_load_acq(&h->sweep_open) != SWEEP_DONE)
        sched_yield();
}

/* The next unswept span of any class, taken out of its list. */
static struct gc_span *
take_any(struct gc_heap *h)
{
    uint32_t c = a32_load_rlx(&h->sweep_class);

    while (c < GC_NSPANCLASS) {
        struct gc_span *s = gc_central_unswept(h, c);
        if (s != NULL)
            return s;
        /* Unswept lists only shrink: this class is done for the cycle. */
        a32_cas_rlx(&h->sweep_class, c, c + 1);
        c = a32_load_rlx(&h->sweep_class);
    }
    return NULL;
}

void
gc_sweep_all(struct gc_heap *h, struct gc_pcache *pc)
{
    struct gc_sweep_run run = { 0 };
    struct gc_span *s;

    while ((s = take_any(h)) != NULL)
        gc_sweep_span(h, pc, s, false, &run);
    gc_sweep_end(h, pc, &run);
}

/*
 * The sweep must be over when the next mark begins.  So each allocation
 * sweeps first what it owes, in proportion to the room up to the trigger,
 * unless the background sweeper has been there before (Go's
 * deductSweepCredit).
 */
void
gc_sweep_pay(struct gc_pcache *pc, uint64_t bytes)
{
    struct gc_heap *h = pc->heap;
    struct gc_pace *p = &h->pace;

    if (rt_likely(a64_load_rlx(&h->unswept) == 0))
        return;
    uint64_t live = a64_load_rlx(&h->heap_live) + bytes;
    uint64_t basis = a64_load_rlx(&p->sweep_basis);
    if (live <= basis)
        return;
    uint64_t want = (uint64_t)((__uint128_t)(live - basis) *
        a64_load_rlx(&p->sweep_ratio) >> 20);
    if (a64_load_rlx(&p->pages_swept) >= want)
        return;
    struct gc_sweep_run run = { 0 };
    while (a64_load_rlx(&p->pages_swept) < want) {
        struct gc_span *s = take_any(h);
        if (s == NULL)
            break;
        gc_sweep_span(h, pc, s, false, &run);
    }
    gc_sweep_end(h, pc, &run);
}

bool
gc_sweep_done(const struct gc_heap *h)
{
    /* acq: pairs with the rel in gc_sweep_end() */
    return a64_load_rlx(&h->unswept) == 0 &&
        a32_load_acq(&h->sweep_open) == SWEEP_DONE;
}

bool
gc_sweep_some(struct gc_heap *h, struct gc_pcache *pc, unsigned n)
{
    struct gc_sweep_run run = { 0 };

    while (n > 0) {
        struct gc_span *s = take_any(h);
        if (s == NULL)
            break;
        gc_sweep_span(h, pc, s, false, &run);
        n--;
    }
    gc_sweep_end(h, pc, &run);
    if (n == 0)
        return true;
    /* Nothing left: a piece of work for the operating system's sake. */
    enum { SCAVENGE_STEP = 64 << 10 };
    uint64_t excess = gc_pacer_excess(h);
    if (excess == 0)
        return false;
    uint64_t step = excess < SCAVENGE_STEP ? excess : SCAVENGE_STEP;
    return gc_scavenge(h, step) != 0 && excess > step;
}
