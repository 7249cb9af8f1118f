/* SPDX-License-Identifier: MIT */
/*
 * Sweeping: the mark bits of a span become its alloc bits.  Done by whoever
 * needs slots of the class, by the background sweeper, and by the next cycle
 * for what is left (Go's mgcsweep.go).
 */
#include "gc/gc_int.h"
#include "gc/special.h"

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
        rt_asan_poison(p, s->elemsize);
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

/* Puts swept spans where they belong. */
static void
give_back(struct gc_heap *h, struct gc_span *const *s, unsigned n)
{
    struct gc_span *empty[RT_GC_BATCH];
    struct gc_span *used[RT_GC_BATCH];
    unsigned nempty = 0;
    unsigned nused = 0;

    for (unsigned i = 0; i < n; i++)
        if (s[i]->alloc_count == 0)
            empty[nempty++] = s[i];
        else
            used[nused++] = s[i];
    gc_central_put(h, used, nused);
    if (nempty != 0)
        gc_spans_free(h, empty, nempty);
}

/* Sweeps one; returns how many objects it frees. */
static uint32_t
sweep(struct gc_heap *h, struct gc_span *s, struct gc_sweep_run *run)
{
    rt_assert(a32_load_rlx(&s->sweepgen) == a32_load_rlx(&h->sweepgen) - 1);
    rt_assert(a32_load_rlx(&s->state) == SPAN_INUSE);
    rt_assert_full(gc_span_valid(h, s));
    if (s->specials != NULL && gc_specials_sweep(h, s))
        run->final = true;
    /* After it: what waits for its finalizer lives on. */
    if (rt_unlikely(s->sites != NULL))
        gc_sites_sweep(h, s);
    uint32_t live = move_bits(s);
    rt_assert(live <= s->alloc_count);
    uint32_t freed = s->alloc_count - live;
    run->swept += s->npages * GC_PAGE_SIZE;
    run->reclaimed += freed * gc_slot_bytes(s);
    if (s->magic == 0 && freed != 0)
        a64_add_rlx(&h->counts.large_freed, s->npages * GC_PAGE_SIZE);
    s->alloc_count = live;
    s->next_window = 0;
    s->fresh = false;
    /* rel: pairs with the acq in gc_ensure_swept(). */
    a32_store_rel(&s->sweepgen, a32_load_rlx(&h->sweepgen));
    return freed;
}

void
gc_sweep_spans(struct gc_heap *h, struct gc_pcache *pc,
    struct gc_span *const *s, unsigned n, bool keep,
    struct gc_sweep_run *run)
{
    rt_assert(n >= 1 && n <= RT_GC_BATCH);
    assert_phase(h, GC_OFF); /* nothing is swept while marking */
    unsigned class = gc_span_class(s[0]);
    uint64_t before = run->swept;
    uint64_t freed = 0;

    begin_run(h, pc, run);
    for (unsigned i = 0; i < n; i++) {
        if (i + 1 < n)
            __builtin_prefetch(s[i + 1]->alloc);
        freed += sweep(h, s[i], run);
    }
    if (freed != 0)
        a64_add_rlx(&h->counts.frees[class], freed);
    a64_add_rlx(&h->pace.pages_swept, (run->swept - before) / GC_PAGE_SIZE);
    if (!keep)
        give_back(h, s, n);
    /* full: the last one sees what all the others did. */
    rt_check(a64_add_full(&h->unswept, -(uint64_t)n) >= n,
        "more spans swept than there are");
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

/* Sweeps up to n of the next unswept spans of any class; returns how many:
 * 0 only when there are none. */
static unsigned
sweep_next(struct gc_heap *h, struct gc_pcache *pc, uint64_t n,
    struct gc_sweep_run *run)
{
    uint32_t c = a32_load_rlx(&h->sweep_class);
    struct gc_span *s[RT_GC_BATCH];

    if (n > RT_GC_BATCH)
        n = RT_GC_BATCH;
    while (c < GC_NSPANCLASS) {
        unsigned k = gc_central_unswept(h, c, s, (unsigned)n);
        if (k > 0) {
            gc_sweep_spans(h, pc, s, k, false, run);
            return k;
        }
        /* Unswept lists only shrink: this class is done for the cycle. */
        a32_cas_rlx(&h->sweep_class, c, c + 1);
        c = a32_load_rlx(&h->sweep_class);
    }
    return 0;
}

void
gc_sweep_all(struct gc_heap *h, struct gc_pcache *pc)
{
    struct gc_sweep_run run = { 0 };

    while (sweep_next(h, pc, RT_GC_BATCH, &run) != 0) {
    }
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
    uint64_t done = a64_load_rlx(&p->pages_swept);
    if (done >= want)
        return;
    struct gc_sweep_run run = { 0 };
    do {
        if (sweep_next(h, pc, want - done, &run) == 0)
            break;
        done = a64_load_rlx(&p->pages_swept);
    } while (done < want);
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
    unsigned k;

    while (n > 0 && (k = sweep_next(h, pc, n, &run)) != 0)
        n -= k;
    gc_sweep_end(h, pc, &run);
    return n == 0;
}
