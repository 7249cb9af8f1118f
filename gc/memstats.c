/* SPDX-License-Identifier: MIT */
/* Go's MemStats out of the counters of the heap. */
#include "gc/gc_int.h"

#include "trace/record/trace.h"

static void
fill_objects(struct gc_heap *h, struct gc_memstats *out)
{
    uint64_t tiny = a64_load_rlx(&h->counts.tiny);

    out->total_alloc = a64_load_rlx(&h->counts.large_bytes);
    uint64_t freed = a64_load_rlx(&h->counts.large_freed);
    for (unsigned i = 0; i < GC_NCLASS; i++) {
        uint64_t m = a64_load_rlx(&h->counts.mallocs[i]);
        uint64_t f = a64_load_rlx(&h->counts.frees[i]);
        out->by_size[i].size = gc_class_size[i];
        out->by_size[i].mallocs = m;
        out->by_size[i].frees = f;
        out->mallocs += m;
        out->frees += f;
        out->total_alloc += m * gc_class_size[i];
        freed += f * gc_class_size[i];
    }
    /* Objects inside of tiny blocks count as freed at once: nobody knows
     * when they die. */
    out->mallocs += tiny;
    out->frees += tiny;
    out->alloc = out->heap_alloc = out->total_alloc - freed;
    out->heap_objects = out->mallocs - out->frees;
}

static void
fill_pages(struct gc_heap *h, struct gc_memstats *out)
{
    rt_lock(&h->lock);
    out->heap_inuse = h->pages_inuse * GC_PAGE_SIZE;
    out->heap_idle = h->pages_free * GC_PAGE_SIZE;
    out->heap_released = h->pages_released * GC_PAGE_SIZE;
    out->mspan_inuse = h->spans.inuse;
    out->mspan_sys = h->spans.sys;
    for (unsigned i = 0; i < META_SIZES; i++) {
        out->mspan_inuse += h->meta[i].inuse;
        out->mspan_sys += h->meta[i].sys;
    }
    out->mcache_inuse = h->npcaches * sizeof(struct gc_pcache);
    rt_unlock(&h->lock);
    out->mcache_sys = out->mcache_inuse;
    out->heap_sys = out->heap_inuse + out->heap_idle;
    rt_lock(&h->work_lock);
    out->gc_sys = h->workbufs.sys + a64_load_rlx(&h->persist.bytes);
    rt_unlock(&h->work_lock);
    rt_lock(&h->special_lock);
    out->other_sys = h->specials.sys + sizeof *h;
    rt_unlock(&h->special_lock);
    if (h->trace != NULL) {
        struct trace_stats ts;

        trace_get_stats(h->trace, &ts);
        out->other_sys += ts.memory;
    }
    if (h->prof != NULL && h->prof->sys != NULL)
        out->buck_hash_sys = h->prof->sys(h->prof_arg);
    out->sys = out->buck_hash_sys + out->heap_sys + out->mspan_sys + out->mcache_sys +
        out->gc_sys + out->other_sys;
}

void
gc_read_memstats(struct gc_heap *h, struct gc_memstats *out)
{
    memset(out, 0, sizeof *out);
    gc_cache_flush_all(h);
    fill_objects(h, out);
    fill_pages(h, out);
    out->next_gc = a64_load_rlx(&h->goal);
    out->last_gc = (uint64_t)h->last_wall;
    out->pause_total_ns = h->pause_total;
    memcpy(out->pause_ns, h->pause_ns, sizeof out->pause_ns);
    memcpy(out->pause_end, h->pause_end, sizeof out->pause_end);
    out->num_gc = (uint32_t)a64_load_rlx(&h->cycles);
    out->num_forced_gc = (uint32_t)h->forced;
    out->gc_cpu_fraction = h->cpu_fraction;
}
