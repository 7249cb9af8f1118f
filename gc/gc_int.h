/* SPDX-License-Identifier: MIT */
#ifndef GC_GC_INT_H
#define GC_GC_INT_H

/*
 * The inside of the heap; only gc/ includes this.
 *
 * Address space comes in regions (one reservation each), cut into arenas of
 * 4 MB, of which each has a record with the span of every page.  A span is a
 * run of pages: free, or in use for the slots of one size class or for one
 * large object.
 *
 * Bits of a span in use, one per slot:
 *   alloc   the slot holds an object, or a P owns the window it lies in
 *   mark    reached by the current cycle; empty outside of marking and
 *           before the sweep.  While a mark runs beside the program the free
 *           slots of windows are marked too, so that what is allocated is
 *           black; what has not been used is unmarked when the window goes
 *           back
 *
 * Phases (h->phase, changed in STW, see cycle.c and concur.c):
 *
 *   GC_OFF --gc_begin(): first stop--> GC_MARK --second stop--> GC_TERM
 *     ^  \________ one stop for all (gc_collect()) _____________^  |
 *     \_______________________ world starts ______________________/
 *
 * Invariant of GC_MARK: a marked object is scanned, or in a grey buffer; what
 * a scanned object or stack points to is marked, except through stores that
 * have not passed their barrier yet.  Nothing is swept while marking.
 *
 * Sweep generations: h->sweepgen grows by 2 with each cycle, world stopped.
 *   s->sweepgen == h->sweepgen - 2   the span needs sweeping
 *   s->sweepgen == h->sweepgen - 1   somebody sweeps it
 *   s->sweepgen == h->sweepgen       swept
 * A span in use is in exactly one of: the window of a P (swept), its stock
 * (swept), a central list, the hands of its sweeper.
 *
 * Balance, world stopped and caches flushed:
 *   pages_inuse + pages_free == pages of all arenas
 *   alloc_count == number of alloc bits of the span
 *   heap_live == heap_marked + bytes allocated since the last cycle
 */

#include "gc/gc.h"
#include "runtime/base/bits.h"
#include "runtime/base/fixalloc.h"
#include "runtime/base/list.h"
#include "runtime/base/lock.h"
#include "runtime/base/osmem.h"
#include "runtime/base/persist.h"
#include "runtime/base/throw.h"
#include "runtime/base/tunables.h"

enum {
    ARENA_SHIFT = 22,
    ARENA_SIZE = 1 << ARENA_SHIFT,
    ARENA_PAGES = ARENA_SIZE / GC_PAGE_SIZE,
    TABLE_BITS = 13, /* each of the two levels of the arena table */
    TABLE_SIZE = 1 << TABLE_BITS,
    FREE_LISTS = 128,      /* of free spans with 1 to 127 pages; 0: larger */
    META_STEP = 8,         /* words */
    META_SIZES = 8,        /* sizes of span metadata, in META_STEP pages */
    TINY_SIZE = GC_TINY_SIZE, /* a block of the tiny allocator */
    TINY_CLASS = 2
};

_Static_assert(ARENA_SHIFT + 2 * TABLE_BITS == 48, "48-bit addresses");

#define GC_POISON UINT64_C(0xdeaddeaddeaddead)

enum gc_span_state { SPAN_FREE, SPAN_INUSE };

/* The sweep of a cycle; ending: somebody calls post_sweep. */
enum gc_sweep_state { SWEEP_DONE, SWEEP_OPEN, SWEEP_ENDING };

/* In this order within one object.  An object may have many cleanups, and one
 * of each other kind. */
enum gc_special_kind {
    SPECIAL_FINALIZER,
    SPECIAL_WEAK,    /* a weak pointer's handle */
    SPECIAL_CLEANUP,
    SPECIAL_PROFILE
};

/* Something attached to one object; guarded by the span's lock, later by
 * GC_FINAL while in the queue of ready finalizers. */
struct gc_special {
    struct gc_special *next; /* highest offset first,
                                then by kind */
    uint32_t kind;
    uint64_t offset;         /* of the object's address in its span */
    union {
        struct gc_finalizer fin;
        struct gc_weak *weak;    /* in the heap; kept alive by this */
        struct {
            void *rec;           /* in the heap; kept alive by this */
            uint64_t id;
        } cleanup;
        struct {
            void *site;
            uint64_t size;
        } prof;
    };
};

/* Specials that have become due, first in, first out. */
struct gc_queue {
    struct gc_special *head;
    struct gc_special **tail;
};

struct gc_span {
    /* What marking looks at is one cache line.  Const while in use; guarded
     * by GC_HEAP while free. */
    _Alignas(RT_CACHE_LINE) uint8_t *base;
    a_u64 *alloc;       /* atomic bits; written by the owner */
    a_u64 *mark;        /* atomic bits while marking */
    uint64_t *ptrbits;  /* a bit per word where slots <= GC_BITMAP_MAX */
    const struct rt_layout **layouts; /* by slot, for larger ones */
    uint64_t elemsize;  /* bytes of a slot; of a large object: as asked for */
    uint32_t nelems;
    uint32_t magic;     /* gc_class_magic; 0 for large objects */
    a_u32 state;        /* atomic: enum gc_span_state */
    uint8_t spanclass;  /* 2 * size class + noscan */
    bool fresh;         /* memory of free slots is zero; owner only */

    struct rt_list node; /* guarded by GC_HEAP while free, else GC_CENTRAL */
    uint64_t npages;     /* as the first group */
    uint32_t nwords;     /* of alloc and mark: nelems / 64, rounded up */
    uint32_t alloc_count; /* alloc bits; valid while no P owns the span */
    uint32_t next_window; /* windows below have been handed out; owner */
    a_u32 sweepgen;       /* atomic; see above */
    struct rt_lock special_lock; /* GC_SPECIAL */
    struct gc_special *specials; /* guarded by special_lock */
    void **sites;        /* of the sampled object in each slot; or NULL */
};

_Static_assert(offsetof(struct gc_span, node) == RT_CACHE_LINE &&
    sizeof(struct gc_span) == 2 * RT_CACHE_LINE, "two cache lines");

struct gc_arena {
    a_ptr span[ARENA_PAGES]; /* atomic; written under GC_HEAP.  A free span
                                fills only its first and last page */
    /* guarded by GC_HEAP */
    uint64_t released[ARENA_PAGES / 64]; /* no memory behind the page */
    uint64_t dirty[ARENA_PAGES / 64];    /* the page may not be zero */
    a_u64 special[ARENA_PAGES / 64]; /* atomic: a span that begins here has
                                        specials; see special.c */
    uint8_t *base;
    struct gc_arena *next; /* in order of creation */
};

struct gc_region {
    struct gc_region *next;
    uint8_t *base;
    size_t size;
    size_t committed; /* from base on */
};

/* Spans of one class, guarded by lock.  Which of the two lists holds the
 * swept spans depends on the generation: see swept() in
 * central.c. */
struct gc_central {
    _Alignas(RT_CACHE_LINE) struct rt_lock lock; /* GC_CENTRAL */
    struct rt_list partial[2]; /* with free slots (unswept: perhaps) */
    struct rt_list full[2];
};

/* A grey object by its first address, or a piece of a large one by an address
 * inside. */
struct gc_grey {
    uintptr_t addr; /* 0: none */
    struct gc_span *s;
};

struct gc_workbuf {
    struct gc_workbuf *next;
    uint32_t n;
    struct gc_grey obj[RT_GC_WORKBUF];
};

/* Allocation statistics by class, index 0 for large objects. */
struct gc_counts {
    a_u64 mallocs[GC_NCLASS];
    a_u64 frees[GC_NCLASS];
    a_u64 large_bytes;       /* allocated */
    a_u64 large_freed;
    a_u64 tiny;              /* allocations inside of tiny blocks */
};

struct gc_cycle_times {
    int64_t start;      /* sweeping what is left */
    int64_t stopped;    /* the first stop began */
    int64_t mark;       /* marking began */
    int64_t running;    /* world started again, where it did */
    int64_t term_stop;  /* the last stop but that one began */
    int64_t term;       /* marking ended */
    int64_t end;        /* world started after the last stop */
    int64_t pause;      /* of all stops, from the beginning of each until the
                           world was started */
};

/* Processor time that collections take, in ns. */
struct gc_times {
    a_i64 assist;
    a_i64 worker; /* dedicated and fractional */
    a_i64 idle;   /* idle workers: nobody misses it */
};

/*
 * Keeps collections that the memory limit causes from taking more than half
 * of the processors: a bucket fills with the collector's time and empties
 * with the program's; while it is full there are no assists (Go's
 * mgclimit.go).
 */
struct gc_limiter {
    a_u32 busy;       /* somebody is at the rest */
    a_u32 limiting;   /* atomic: the bucket is full */
    int64_t fill;     /* ns */
    int64_t last;     /* time of the last update */
    int64_t last_gc;  /* collector's time then */
};

enum { GC_PACE_HISTORY = 4 };

/* How the cycles are paced; see pacer.c. */
struct gc_pace {
    /* written in STW */
    uint64_t live_begin;   /* heap_live when the mark began */
    uint64_t expected;     /* bytes that it will have to scan */
    uint64_t most;         /* more than that there cannot be */
    uint64_t last_work;    /* scanned by the last mark, roots included */
    double cons_mark[GC_PACE_HISTORY]; /* bytes allocated by a processor in
                              the time in which another one scans a byte */
    uint32_t next;         /* which of them comes next */
    /* atomic */
    a_u64 ratio;           /* bytes to scan per 1024 bytes allocated */
    a_i64 credit;          /* bytes scanned by workers, not yet spent */
    a_u64 scanned;         /* in this cycle */
    a_u64 sweep_ratio;     /* pages to sweep per MB allocated */
    a_u64 sweep_basis;     /* heap_live when sweeping began */
    a_u64 pages_swept;     /* since then */
};

/* Bytes of pages in use at the ends of marks; written in STW. */
struct gc_peak {
    int64_t since;   /* ns */
    uint64_t most;   /* since then */
    uint64_t before; /* in the second before that */
};

struct gc_heap {
    /* const after init */
    const struct gc_host *host;
    void *arg;
    const struct gc_prof_sink *prof;
    void *prof_arg;
    struct trace_rec *trace;
    struct gc_config cfg; /* percent and mem_limit live below */
    int64_t born;         /* rt_nanotime() */
    struct rt_os os;
    struct rt_persist persist;

    a_ptr table[TABLE_SIZE]; /* atomic: second level -> struct gc_arena */

    struct gc_central central[GC_NSPANCLASS];

    /* guarded by lock */
    struct rt_lock lock; /* GC_HEAP */
    struct rt_list free[FREE_LISTS];
    uint64_t free_map[FREE_LISTS / 64]; /* which lists are not empty */
    struct gc_arena *arenas;
    struct gc_arena *last_arena;
    struct gc_region *regions; /* the newest first, which may grow */
    struct rt_fixalloc spans;
    struct rt_fixalloc meta[META_SIZES];
    struct gc_pcache *pcaches;
    uint32_t npcaches;
    uint64_t pages_inuse;
    uint64_t pages_free;
    uint64_t pages_released; /* of those free */
    uint64_t spans_inuse;

    struct rt_lock special_lock; /* FIXALLOC */
    struct rt_fixalloc specials; /* guarded by special_lock */

    struct rt_lock final_lock; /* GC_FINAL */
    struct gc_queue finals;   /* guarded by final_lock: oldest first */
    struct gc_queue cleanups; /* the same */
    a_u64 cleanup_id;         /* the last one given out */

    struct rt_lock work_lock; /* GC_WORK */
    /* guarded by work_lock */
    struct gc_workbuf *work_full;
    struct gc_workbuf *work_empty;
    struct rt_fixalloc workbufs;
    struct gc_workbuf first_workbuf; /* one of them is there whatever happens */

    /* atomic */
    a_u32 sweepgen;    /* written in STW */
    a_u64 unswept;     /* spans of this cycle not swept yet */
    a_u32 sweep_open;  /* enum gc_sweep_state */
    a_u32 sweep_class; /* central list that the sweeper looks at first */
    a_u32 running;     /* a cycle begins, marks or ends */
    a_u32 phase;       /* enum gc_phase; written in STW */
    a_u32 work_nfull;  /* buffers in work_full */
    a_u32 work_overflow; /* a grey object was dropped: scan all marked ones
                            in the second stop */
    a_u32 active;      /* threads that drain: their greys are in their hands */
    a_u32 roots_done;  /* mark_root() has said so */
    a_u32 ending;      /* somebody tries to end the mark */
    a_u32 greys_found; /* gc_flush_marks() has handed some over */
    a_ptr root_arena;  /* struct gc_arena *: specials from here on are roots
                          not marked yet */
    a_u32 root_queues; /* likewise the queues of what is due */
    a_u64 black;       /* bytes of free slots marked in advance, and of objects
                          made since the mark began */
    a_u64 marked;      /* bytes found by markers that have been flushed */
    a_u64 stack_scan;  /* bytes of stacks and globals scanned in this cycle */
    a_u64 global_scan;
    a_u32 requested;   /* a collection was asked for */
    a_u64 heap_live;
    a_u64 heap_marked; /* bytes that the last cycle found alive */
    a_u64 root_bytes;  /* stacks and globals in the last cycle */
    a_u64 goal;        /* heap_live at which a mark should have ended */
    a_u64 inuse_peak;  /* see gc_pacer_peak(); written in STW */
    a_u64 goal_peak;   /* the goal then */
    a_u64 trigger;     /* heap_live at which a cycle is asked for */
    a_i32 percent;
    a_i64 mem_limit;
    a_u64 cycles;      /* marks that have ended */
    a_u64 begun;       /* marks that have begun; written in STW */
    a_i64 last_end;
    struct gc_counts counts;
    struct gc_times spent;  /* in this cycle */
    struct gc_times total;  /* in the cycles before */
    struct gc_pace pace;
    struct gc_limiter limiter;

    /* who holds `ending` */
    uint32_t flush_epoch;
    bool flush_open;   /* not all Ps have seen it yet */

    /* written in STW by the collector */
    struct gc_arena *root_last; /* arenas after it are younger than the mark */
    enum gc_why why;            /* of the cycle */
    int64_t stop_cpu;           /* ns of all stops, times Ps */
    double cpu_fraction;        /* of all processor time since the start that
                                   collections have used up to the last one's
                                   end, that of idle workers left out */
    uint64_t forced;
    uint64_t pause_total;
    uint64_t pause_ns[GC_PAUSES];
    uint64_t pause_end[GC_PAUSES];
    int64_t last_wall;
    uint64_t live_before;  /* the last cycle's sizes for gctrace */
    uint64_t live_term;    /* when marking ended */
    uint64_t goal_before;
    uint64_t stack_bytes;
    uint64_t global_bytes;
    struct gc_cycle_times times;
    struct gc_peak peak;
};

/* The phases in which a function makes sense. */
#define assert_phase(h, p) rt_assert(a32_load_rlx(&(h)->phase) == (p))

/* ---- span.c --------------------------------------------------------- */

static inline struct gc_arena *
gc_arena_of(const struct gc_heap *h, uintptr_t addr)
{
    uintptr_t i = addr >> ARENA_SHIFT;

    if (rt_unlikely(i >> TABLE_BITS >= TABLE_SIZE))
        return NULL;
    /* acq: pairs with the rel in add_arena(), for both levels. */
    const a_ptr *t = aptr_load_acq(&h->table[i >> TABLE_BITS]);
    if (t == NULL)
        return NULL;
    return aptr_load_acq(&t[i % TABLE_SIZE]);
}

static inline unsigned
gc_page_index(uintptr_t addr)
{
    return (unsigned)(addr >> GC_PAGE_SHIFT) % ARENA_PAGES;
}

/* The span in use that addr lies in, or NULL. */
static inline struct gc_span *
gc_span_of(const struct gc_heap *h, uintptr_t addr)
{
    struct gc_arena *a = gc_arena_of(h, addr);

    if (a == NULL)
        return NULL;
    /* acq: pairs with the rel in set_pages(). */
    struct gc_span *s = aptr_load_acq(&a->span[gc_page_index(addr)]);
    if (s == NULL || a32_load_acq(&s->state) != SPAN_INUSE)
        return NULL;
    return s;
}

/* The slot of an address in the span; may be nelems in the tail. */
static inline uint32_t
gc_slot_of(const struct gc_span *s, uintptr_t addr)
{
    /* Exact for offsets below 2^32 / size; spans are far smaller. */
    uint64_t off = addr - (uintptr_t)s->base;

    rt_assert(off < s->npages * GC_PAGE_SIZE);
    return s->magic == 0 ? 0 : (uint32_t)(off * s->magic >> 32);
}

static inline uint8_t *
gc_slot_base(const struct gc_span *s, uint32_t slot)
{
    return s->base + (uint64_t)slot * s->elemsize;
}

static inline bool
gc_span_noscan(const struct gc_span *s)
{
    return s->spanclass & 1;
}

static inline unsigned
gc_span_class(const struct gc_span *s)
{
    return s->spanclass / 2;
}

static inline bool
gc_slot_allocated(const struct gc_span *s, uint32_t slot)
{
    return slot < s->nelems &&
        (a64_load_rlx(&s->alloc[slot / 64]) >> (slot % 64) & 1);
}

static inline bool
gc_slot_marked(const struct gc_span *s, uint32_t slot)
{
    return a64_load_rlx(&s->mark[slot / 64]) >> (slot % 64) & 1;
}

/* The slots of a window that exist. */
static inline uint64_t
gc_window_mask(const struct gc_span *s, uint32_t window)
{
    uint32_t left = s->nelems - window * 64;

    rt_assert(window < s->nwords);
    return rt_low_bits(left < 64 ? left : 64);
}

/* Bytes that a span counts in heap_live per slot. */
static inline uint64_t
gc_slot_bytes(const struct gc_span *s)
{
    return s->magic == 0 ? s->npages * GC_PAGE_SIZE : s->elemsize;
}

/* Makes a span for one object of large bytes: takes pages and sets up slots
 * and bits.  NULL when there is no memory. */
struct gc_span *gc_span_new(struct gc_heap *h, unsigned spanclass,
    uint64_t large);

/* Makes up to n spans of small objects; returns how many. */
unsigned gc_spans_new(struct gc_heap *h, unsigned spanclass,
    struct gc_span **out, unsigned n);

/* Gives empty spans back to the pages.  No specials, in no list. */
void gc_spans_free(struct gc_heap *h, struct gc_span *const *s, unsigned n);

/* What must hold of a span in use that no P has a window of: its slots fit its
 * pages, its counts are those of its bits, and what is marked is allocated.
 * The caller owns it, or the world is stopped. */
bool gc_span_valid(const struct gc_heap *h, const struct gc_span *s);

/* Counts the alloc bits. */
uint32_t gc_span_count(const struct gc_span *s);

/* Calls fn for each span in use.  World stopped. */
void gc_for_each_span(struct gc_heap *h,
    void (*fn)(struct gc_heap *h, struct gc_span *s, void *arg), void *arg);

/* ---- pages.c -------------------------------------------------------- */

/* A span record in state FREE, unlinked, with npages pages of the page table
 * pointing to it; *fresh: all of it is zero.  GC_HEAP held.  NULL when there
 * is no memory. */
struct gc_span *gc_pages_alloc_locked(struct gc_heap *h, uint64_t npages,
    bool *fresh);

/* Takes the pages of a span back and its record too.  GC_HEAP held. */
void gc_pages_free_locked(struct gc_heap *h, struct gc_span *s);

/* Gives all address space back, at the end. */
void gc_pages_fini(struct gc_heap *h);

/* Discards the memory of free pages, at most max bytes; returns how many.
 * GC_HEAP held. */
uint64_t gc_pages_release_locked(struct gc_heap *h, uint64_t max);

/* ---- cache.c, central.c --------------------------------------------- */

/* Finds a window with a slot for the class, all of them held; false: no
 * memory.  May sweep; may ask for a collection. */
bool gc_cache_refill(struct gc_pcache *pc, unsigned spanclass);

/* Makes free what is held of a window, up to the next heap sample.  False:
 * nothing, the next one is it. */
bool gc_window_share(struct gc_pcache *pc, struct gc_window *w);

/* Makes the pointer bits of all free slots of the window say mask, so that
 * the usual allocation, of the same type as the one before, need not write
 * them. */
void gc_window_prefill(struct gc_window *w, uint64_t mask);

/* Gives the spans of a cache back.  World stopped, or the owner. */
void gc_cache_flush(struct gc_pcache *pc);

/* Flushes all caches.  World stopped. */
void gc_cache_flush_all(struct gc_heap *h);

void gc_central_init(struct gc_central *c);

/* Each span is in the list in which its generation and its free slots put it.
 * World stopped, caches flushed or not. */
bool gc_central_valid(struct gc_heap *h);

/* A swept span of the class with a free slot, in no list; NULL: no memory.
 * Others that come along go into the stock. */
struct gc_span *gc_central_get(struct gc_pcache *pc, unsigned spanclass);

/* Puts swept spans of one class, whose alloc_count is right, into their
 * lists. */
void gc_central_put(struct gc_heap *h, struct gc_span *const *s, unsigned n);

/* The same for all of a P's stock. */
void gc_central_put_stock(struct gc_heap *h, unsigned spanclass,
    struct gc_stock *k);

/* Takes up to n spans to sweep of a class out of its lists and marks them as
 * being swept; returns how many. */
unsigned gc_central_unswept(struct gc_heap *h, unsigned spanclass,
    struct gc_span **out, unsigned n);

/* ---- sweep.c -------------------------------------------------------- */

/* What one run of sweeping did, for the trace. */
struct gc_sweep_run {
    bool open;  /* the event that begins it has been emitted */
    bool final; /* a finalizer became ready */
    uint64_t swept;
    uint64_t reclaimed;
};

/* Sweeps n spans of one class, at most RT_GC_BATCH, that the caller took with
 * gc_central_unswept().  keep: the caller wants their slots, they stay out of
 * the lists; else they go into lists or, when empty, back to the pages. */
void gc_sweep_spans(struct gc_heap *h, struct gc_pcache *pc,
    struct gc_span *const *s, unsigned n, bool keep,
    struct gc_sweep_run *run);

/* Ends a run: emits the event, wakes who waits for finalizers, calls
 * post_sweep after the last span.  No locks held. */
void gc_sweep_end(struct gc_heap *h, struct gc_pcache *pc,
    struct gc_sweep_run *run);

/* Sweeps until nothing is left; others may still be at their last spans.
 * Owner of pc's P. */
void gc_sweep_all(struct gc_heap *h, struct gc_pcache *pc);

/* As gc_sweep_all(), and waits for the others and for post_sweep. */
void gc_sweep_wait(struct gc_heap *h, struct gc_pcache *pc);

/* Makes sure that the span is swept. */
void gc_ensure_swept(struct gc_heap *h, struct gc_pcache *pc,
    struct gc_span *s);

/* ---- sites.c -------------------------------------------------------- */

/* Notes the sampled site of a small object in the caller's window; false: it
 * is a large one, or no memory. */
bool gc_site_set(struct gc_span *s, uint32_t slot, void *site);

/* Tells the profiler of the unmarked objects, while s is swept. */
void gc_sites_sweep(struct gc_heap *h, struct gc_span *s);

/* The span is about to be freed; the whole heap. */
void gc_sites_free(struct gc_span *s);
void gc_sites_fini(struct gc_heap *h);

/* ---- work.c, mark.c ------------------------------------------------- */

void gc_marker_init(struct gc_marker *m, struct gc_heap *h);
/* Gives the buffer to the common lists; true if there were greys in it. */
bool gc_marker_flush(struct gc_marker *m);
/* Adds the counters of a P's marker to the heap's and clears them. */
void gc_marker_sum(struct gc_marker *m);
/* Where others have nothing to do and this marker has much, gives them half;
 * true: there is work in the common list. */
bool gc_work_share(struct gc_marker *m);
void gc_work_push_slow(struct gc_marker *m, struct gc_grey g);
/* Nothing left anywhere: addr is 0. */
struct gc_grey gc_work_pop_slow(struct gc_marker *m);

static inline void
gc_work_push(struct gc_marker *m, uintptr_t addr, struct gc_span *s)
{
    struct gc_workbuf *b = m->buf;
    struct gc_grey g = { addr, s };

    if (rt_unlikely(b == NULL || b->n == RT_GC_WORKBUF))
        gc_work_push_slow(m, g);
    else
        b->obj[b->n++] = g;
}

static inline struct gc_grey
gc_work_pop(struct gc_marker *m)
{
    struct gc_workbuf *b = m->buf;

    if (rt_unlikely(b == NULL || b->n == 0))
        return gc_work_pop_slow(m);
    return b->obj[--b->n];
}

/* Scans what the object of s in this slot points to. */
void gc_scan_slot(struct gc_marker *m, struct gc_span *s, uint32_t slot);

/* Scans until nothing is grey, or about `work` bytes have been looked at.
 * True: nothing was left.  No greys are in flight on return. */
bool gc_drain_some(struct gc_marker *m, uint64_t work);

/* Until nothing is grey.  World stopped. */
void gc_mark_drain(struct gc_marker *m);

/* ---- pacer.c -------------------------------------------------------- */

/* Computes goal and trigger from heap_marked. */
void gc_pacer_set_goal(struct gc_heap *h);

/* World stopped: the mark begins, has ended. */
void gc_pacer_begin(struct gc_heap *h);
void gc_pacer_end(struct gc_heap *h);

/* World stopped, after the mark: how much memory it took to get there. */
void gc_pacer_peak(struct gc_heap *h);

/* The goal is not below the trigger, and what has been scanned is accounted
 * for: credit is not more than that.  World stopped. */
bool gc_pacer_valid(const struct gc_heap *h);

/* How much an allocation must mark, from how things stand. */
void gc_pacer_revise(struct gc_heap *h);

/* Says what it has computed: VOLEDEBUG gcpacertrace=1. */
void gc_pacer_print(struct gc_heap *h);

/* Adds to heap_live; asks for a collection when the trigger is reached, has
 * the allocation pay its part of marking. */
void gc_pacer_allocated(struct gc_pcache *pc, uint64_t bytes);

/* Sweeps what is due before bytes are allocated. */
void gc_sweep_pay(struct gc_pcache *pc, uint64_t bytes);

/* Nanoseconds of collector's time, idle workers not counted. */
int64_t gc_time_spent(const struct gc_heap *h);

/* Looks at the clock for the limiter; any thread. */
void gc_limiter_update(struct gc_heap *h, int64_t now);

/* GOMAXPROCS. */
uint32_t gc_procs(const struct gc_heap *h);

/* ---- cycle.c, concur.c, others -------------------------------------- */

/* The steps of a cycle; see cycle.c.  All but the first and last: world
 * stopped. */
void gc_cycle_start(struct gc_heap *h, struct gc_pcache *pc, enum gc_why why);
void gc_sweep_termination(struct gc_heap *h);
void gc_mark_all(struct gc_heap *h); /* from all roots, until the end */
void gc_mark_termination(struct gc_heap *h, struct gc_pcache *pc);
void gc_cycle_finish(struct gc_heap *h, struct gc_pcache *pc);
/* Stops the world; when that began, in ns: to stop it is part of the pause. */
int64_t gc_stop_world(struct gc_heap *h, const char *why);
/* Ends a stop that began at `since`, and counts it as a pause of the cycle;
 * when that was, in ns. */
int64_t gc_start_world(struct gc_heap *h, int64_t since);
/* Where the events of pc's P go; NULL: no trace is on. */
struct trace_pbuf *gc_events(struct gc_heap *h, struct gc_pcache *pc);

/* Marks beside the program; the caller holds `running`. */
void gc_concurrent_begin(struct gc_heap *h, struct gc_pcache *pc,
    enum gc_why why);
bool gc_concurrent(const struct gc_heap *h);

/* Pays the debt of a P whose owner allocates. */
void gc_assist_alloc(struct gc_pcache *pc);

/* Free slots of all windows become black, world stopped; those of one window
 * that is handed out while marking. */
void gc_cache_blacken(struct gc_heap *h, struct gc_pcache *pc);

/* Asks the host for a collection. */
void gc_request(struct gc_pcache *pc);

/* How many bytes of free pages need not be kept. */
uint64_t gc_pacer_excess(struct gc_heap *h);

/* Prints the gctrace line of the cycle that has just ended. */
void gc_trace_print(struct gc_heap *h);

/* Throws when gc_verify() finds something. */
void gc_verify_or_throw(struct gc_heap *h, const char *when);

/* reach.c: a marker with found() has reached the object of s in this slot. */
void gc_reach_found(struct gc_marker *m, struct gc_span *s, uint32_t slot);

/* Throws where a marked object points to one that is not.  After marking,
 * before the sweep generation changes. */
void gc_verify_marks(struct gc_heap *h);

/* Marks the roots once more: throws where that finds an object.  As above. */
void gc_check_marks(struct gc_heap *h);

/* Words of pointer bits are written by the owner of the window and read by
 * markers, which look at the bits of other slots in them. */
static RT_ALWAYS_INLINE uint64_t
gc_load_bits(const uint64_t *p)
{
    return a64_load_rlx((const a_u64 *)(const void *)p);
}

static RT_ALWAYS_INLINE void
gc_store_bits(uint64_t *p, uint64_t v)
{
    a64_store_rlx((a_u64 *)(void *)p, v);
}

/* Replaces the nw (1 to 64) bits at bit offset off by m. */
static RT_ALWAYS_INLINE void
gc_put_ptrbits(uint64_t *bits, uint32_t off, uint32_t nw, uint64_t m)
{
    uint32_t sh = off % 64;
    uint64_t c = ~(uint64_t)0 >> (64 - nw);

    bits += off / 64;
    gc_store_bits(bits, (bits[0] & ~(c << sh)) | m << sh);
    if (sh + nw > 64)
        gc_store_bits(bits + 1,
            (bits[1] & ~(c >> (64 - sh))) | m >> (64 - sh));
}

#endif
