/* SPDX-License-Identifier: MIT */
/* Life of a heap, and its knobs. */
#include "gc/gc_int.h"

#include "runtime/base/clock.h"

static void
init_locks(struct gc_heap *h)
{
    rt_lock_init(&h->lock, RANK_GC_HEAP);
    rt_lock_init(&h->special_lock, RANK_FIXALLOC);
    rt_lock_init(&h->final_lock, RANK_GC_FINAL);
    rt_lock_init(&h->work_lock, RANK_GC_WORK);
}

static void
init_allocators(struct gc_heap *h)
{
    rt_persist_init(&h->persist, &h->os);
    rt_fixalloc_init(&h->spans, &h->os, sizeof(struct gc_span));
    rt_fixalloc_init(&h->specials, &h->os, sizeof(struct gc_special));
    rt_fixalloc_init(&h->workbufs, &h->os, sizeof(struct gc_workbuf));
    h->work_empty = &h->first_workbuf;
    for (unsigned i = 0; i < META_SIZES; i++)
        rt_fixalloc_init(&h->meta[i], &h->os,
            (i + 1) * META_STEP * sizeof(uint64_t));
    for (unsigned i = 0; i < FREE_LISTS; i++)
        rt_list_init(&h->free[i]);
    for (unsigned i = 0; i < GC_NSPANCLASS; i++)
        gc_central_init(&h->central[i]);
}

enum rt_status
gc_heap_new(struct gc_heap **out, const struct gc_config *cfg,
    const struct gc_host *host, void *arg, const struct gc_prof_sink *prof,
    void *prof_arg, struct trace_rec *trace)
{
    struct rt_os os = { .fail_at = cfg->fail_alloc, .keep = cfg->keep };
    struct gc_heap *h = rt_os_map(&os, sizeof *h);

    *out = NULL;
    if (h == NULL)
        return RT_ENOMEM;
    h->os = os;
    h->host = host;
    h->arg = arg;
    h->prof = prof;
    h->prof_arg = prof_arg;
    h->trace = trace;
    h->cfg = *cfg;
    h->born = rt_nanotime();
    init_locks(h);
    init_allocators(h);
    h->finals.tail = &h->finals.head;
    h->cleanups.tail = &h->cleanups.head;
    /* Generations begin above 2, so that none is ever negative. */
    a32_store_rlx(&h->sweepgen, 4);
    a32_store_rlx(&h->sweep_class, GC_NSPANCLASS);
    ai32_store_rlx(&h->percent, cfg->percent);
    ai64_store_rlx(&h->mem_limit, cfg->mem_limit);
    h->limiter.last = h->born;
    gc_pacer_set_goal(h);
    *out = h;
    return RT_OK;
}

void
gc_heap_free(struct gc_heap *h)
{
    if (h == NULL)
        return;
    gc_sites_fini(h);
    gc_pages_fini(h);
    for (unsigned i = 0; i < META_SIZES; i++)
        rt_fixalloc_fini(&h->meta[i]);
    rt_fixalloc_fini(&h->workbufs);
    rt_fixalloc_fini(&h->specials);
    rt_fixalloc_fini(&h->spans);
    rt_persist_fini(&h->persist);
    struct rt_os os = h->os;
    rt_os_unmap_used(&os, h, sizeof *h, sizeof *h);
    rt_check(a64_load_rlx(&os.reserved) == 0 &&
        a64_load_rlx(&os.committed) == 0, "the heap leaks memory");
}

bool
gc_should_start(const struct gc_heap *h)
{
    return a32_load_rlx(&h->requested) != 0;
}

uint64_t
gc_cycles(const struct gc_heap *h)
{
    return a64_load_rlx(&h->cycles);
}

uint64_t
gc_begun(const struct gc_heap *h)
{
    return a64_load_acq(&h->begun);
}

int64_t
gc_last_end(const struct gc_heap *h)
{
    return ai64_load_rlx(&h->last_end);
}

uint64_t
gc_heap_live(const struct gc_heap *h)
{
    return a64_load_rlx(&h->heap_live);
}

uint64_t
gc_heap_marked(const struct gc_heap *h)
{
    return a64_load_rlx(&h->heap_marked);
}

uint64_t
gc_heap_goal(const struct gc_heap *h)
{
    return a64_load_rlx(&h->goal);
}

int32_t
gc_set_percent(struct gc_heap *h, int32_t percent)
{
    int32_t old;

    do {
        old = ai32_load_rlx(&h->percent);
    } while (!ai32_cas_full(&h->percent, old, percent < 0 ? -1 : percent));
    gc_pacer_set_goal(h);
    return old;
}

int32_t
gc_percent(const struct gc_heap *h)
{
    return ai32_load_rlx(&h->percent);
}

int64_t
gc_set_memory_limit(struct gc_heap *h, int64_t limit)
{
    int64_t old = ai64_load_rlx(&h->mem_limit);

    if (limit < 0)
        return old;
    while (!ai64_cas_full(&h->mem_limit, old, limit))
        old = ai64_load_rlx(&h->mem_limit);
    gc_pacer_set_goal(h);
    return old;
}

uint64_t
gc_scavenge(struct gc_heap *h, uint64_t max)
{
    rt_lock(&h->lock);
    uint64_t n = gc_pages_release_locked(h, max);
    rt_unlock(&h->lock);
    return n;
}

bool
gc_scavenge_some(struct gc_heap *h)
{
    enum { STEP = 64 << 10 };
    uint64_t excess = gc_pacer_excess(h);

    if (excess == 0)
        return false;
    return gc_scavenge(h, excess < STEP ? excess : STEP) != 0 &&
        excess > STEP;
}
