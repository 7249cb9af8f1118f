/* SPDX-License-Identifier: MIT */
#ifndef GC_GC_H
#define GC_GC_H

/*
 * The heap: allocation by size class from per-P caches, precise mark-sweep
 * collection, finalizers, statistics.  The public interface of the layer.
 *
 * Two rules hold everywhere:
 *  - An allocation never collects, stops or scans its own goroutine; it may
 *    sweep spans, and it may ask the host for a collection, which then runs
 *    at a safepoint.  So C code may keep raw pointers between safepoints.
 *  - Memory comes zeroed, objects never move, and any address inside an
 *    object keeps the whole object alive.
 *
 * Where the ideas come from: Go's malloc.go, mheap.go, mgc.go, mgcsweep.go,
 * mbitmap.go; the bitmap windows are our own.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "gc/gc_host.h"
#include "gc/sizeclass.h"
#include "runtime/base/asan.h"
#include "runtime/base/atomic.h"
#include "runtime/base/compiler.h"
#include "runtime/base/err.h"
#include "runtime/base/layout.h"
#include "runtime/base/list.h"
#include "runtime/base/tunables.h"

struct gc_heap;
struct gc_span;
struct gc_marker;
struct race;
struct rt_keep;
struct trace_pbuf;
struct trace_rec;

/* Objects of at most this size describe their pointers in the span's bitmap;
 * larger ones by a pointer to their layout. */
enum { GC_BITMAP_MAX = 512 };

/* Go's limit: make() panics beyond; below, memory just runs out. */
#define GC_MAX_ALLOC ((uint64_t)1 << 48)

struct gc_config {
    int32_t percent;     /* GOGC; negative: collect only when asked */
    int64_t mem_limit;   /* GOMEMLIMIT in bytes; INT64_MAX: none */
    bool trace;          /* VOLEDEBUG gctrace=1: one line per cycle */
    uint32_t stress;     /* VOLEDEBUG gcstress=N: ask for a collection at
                            every Nth allocation; 0: off */
    bool verify;         /* VOLEDEBUG gcverify=1: check the heap's invariants
                            before and after each cycle */
    bool stop_world;     /* VOLEDEBUG gcstoptheworld=1: mark in the first
                            stop */
    bool checkmark;      /* VOLEDEBUG gccheckmark=1: after each mark another
                            one, world stopped, which must find nothing */
    bool pacer_trace;    /* VOLEDEBUG gcpacertrace=1: how goal and trigger
                            are found */
    uint32_t shade_off;  /* VOLEDEBUG gcshadeoff=N, checked builds: the write
                            barrier does not shade 1: the old value, 2: the
                            new one; for tests that show that both must be */
    void *base;          /* where the heap must begin; NULL: anywhere */
    void *near;          /* without base: where it should begin, or a multiple
                            of 1 TiB above, so that it is not where the system
                            puts what the program maps: pointers to what was
                            unmapped must not become such to objects.  NULL:
                            anywhere */
    struct race *race;   /* what is told of memory that is handed out anew; it
                            watches all that lies from base on; NULL: none */
    struct rt_keep *keep; /* where its mappings come from and go to before the
                             system is asked; it must outlive the heap; NULL:
                             none */
    uint32_t fail_alloc; /* VOLEDEBUG failalloc=N: the Nth request to the
                            operating system and all later ones fail; 0: off */
};

/* shade_off */
enum { GC_SHADE_OLD = 1, GC_SHADE_NEW = 2 };

/* GOGC=100, no memory limit, all debugging off. */
#define GC_CONFIG_DEFAULT \
    ((struct gc_config){ .percent = 100, .mem_limit = INT64_MAX })

/*
 * Creates a heap.  host and prof (may be NULL) stay the caller's and must
 * outlive the heap, as must arg (passed to the host's functions) and
 * prof_arg; trace may be NULL.  RT_ENOMEM on failure.
 */
enum rt_status gc_heap_new(struct gc_heap **out, const struct gc_config *cfg,
    const struct gc_host *host, void *arg, const struct gc_prof_sink *prof,
    void *prof_arg, struct trace_rec *trace);

/* Gives all memory back.  No other thread may use the heap any more; the
 * pcaches need not be torn down before.  Finalizers do not run. */
void gc_heap_free(struct gc_heap *h);

/*
 * A window of 64 neighbouring slots of one span, owned by one P.  Invariant:
 * bit i of free or of held is set when base + i * size is free; the span's
 * alloc bits of the whole window are set as long as the P owns it.
 *
 * Note [sample].  Nothing is counted when a slot is taken: the bytes of the
 * slots in free are off pc->countdown already, and held are those for which
 * it did not suffice.  So with free at 0 either a heap sample is due or the
 * window is used up.  What is not used goes back to the countdown.  Which of
 * a P's objects come first in this does not matter: the distances between
 * samples have no memory.
 */
struct gc_window {
    uint64_t free;
    uint64_t held;
    uint8_t *base;         /* slot 0 of the window */
    uint64_t *ptrbits;     /* pointer bits of slot 0; NULL where the class has
                              none (noscan, or larger than GC_BITMAP_MAX) */
    struct gc_span *span;  /* NULL: none yet */
    uint64_t mask;         /* what the pointer bits of each free slot say
                              already; see gc_window_prefill() */
    uint32_t size;         /* slot size; 0 while span is NULL */
    uint32_t index;        /* number of the window in the span */
};

/* Spans of one class that a P has besides its window, so that it need not
 * take locks for each: slow path only. */
struct gc_stock {
    struct rt_list ready; /* with free slots, for the next windows */
    struct rt_list full;  /* used up */
    uint64_t mallocs;     /* slots used, not in the books yet */
    uint32_t take;        /* spans to take the next time */
};

struct gc_workbuf;

/* One thread's part in marking.  Every P has one, which belongs to whoever
 * owns the P; markers of a stopped world stand on the stack. */
struct gc_marker {
    struct gc_heap *heap;
    struct gc_workbuf *buf; /* being filled and emptied; may be NULL */
    uint64_t bytes;         /* of objects marked */
    uint64_t objects;
    uint64_t scanned;       /* bytes looked at: the unit of mark work */
    uint64_t stack_bytes;   /* from gc_mark_account() */
    uint64_t global_bytes;
    const char *check;      /* not NULL: finding an object is a fault, and
                               this says whose */
    const void *from;       /* with check: the object being scanned */
    /* reach.h: whom to tell of watched objects; NULL: the collector's own
     * mark */
    void (*found)(void *arg, const void *obj);
    void *found_arg;
};

/* Bytes of a block of the tiny allocator. */
enum { GC_TINY_SIZE = 16 };

/*
 * The allocation state of one P, embedded by value in the scheduler's P so
 * that the fast path needs no call.  Every field belongs to the thread that
 * owns the P, and to the collector while the world is stopped.
 */
struct gc_pcache {
    int64_t countdown;  /* bytes until the next heap sample, without those of
                           the free slots of windows: Note [sample]; 0 under
                           gcstress, so that all go the slow way */
    uint8_t *tiny;      /* current block of the tiny allocator, or NULL */
    uint32_t tiny_off;  /* bytes of it in use; 0: there is no block */
    bool barrier;       /* a mark runs beside the program: the write barrier
                           is on; changed in STW */
    bool assist_wait;   /* a debt could not be paid while allocating: see
                           gc_assist_safepoint() */
    struct gc_window win[GC_NSPANCLASS];

    /* slow path only */
    struct gc_heap *heap;
    void *owner;              /* the host's P */
    struct trace_pbuf *trace; /* set by the host after gc_pcache_init(), NULL:
                                 no events */
    struct gc_pcache *next;   /* list of all, guarded by GC_HEAP */
    struct gc_marker *marker; /* &own: greys of the write barrier, of assists
                                 and of the worker on this P */
    struct gc_marker own;
    int64_t debt;             /* bytes that must be marked for what has been
                                 allocated; negative: credit */
    a_u32 flushed;            /* atomic: last epoch of gc_flush_marks() */
    int64_t next_sample;      /* bytes to the next sample; counts only while
                                 gcstress keeps countdown at 0 */
    uint64_t tiny_allocs;     /* allocations that found room in a block */
    uint32_t stress_left;     /* allocations until a stress collection */
    struct gc_stock stock[GC_NSPANCLASS];
};

/* Registers a P's cache with the heap.  *pc is zeroed first.  World stopped,
 * or before the P runs. */
void gc_pcache_init(struct gc_heap *h, struct gc_pcache *pc, void *owner);

/* Returns the spans of a cache and takes it off the heap's list, when a P
 * goes away.  World stopped. */
void gc_pcache_fini(struct gc_pcache *pc);

/* ---- Allocation ------------------------------------------------------ */

/* The address of every object of size zero. */
extern const uint64_t gc_zero_object;

void *gc_alloc_slow(struct gc_pcache *pc, const struct rt_layout *l);

/* Zeroes size bytes at p, a multiple of 8 and not 0; few, as a rule. */
static RT_ALWAYS_INLINE void
gc_zero_small(uint8_t *p, uint32_t size)
{
    if (size <= 16) {
        memset(p, 0, 8);
        memset(p + size - 8, 0, 8);
    } else if (size <= 32) {
        memset(p, 0, 16);
        memset(p + size - 16, 0, 16);
    } else if (size <= 64) {
        memset(p, 0, 32);
        memset(p + size - 32, 0, 32);
    } else {
        memset(p, 0, size);
    }
}

/* Takes the lowest slot of *set, which is free or held of w and not empty;
 * not zeroed. */
static RT_ALWAYS_INLINE uint8_t *
gc_window_take(struct gc_window *w, uint64_t *set, uint32_t *slot)
{
    *slot = (uint32_t)__builtin_ctzll(*set);
    *set &= *set - 1;
    uint8_t *p = w->base + (uint64_t)*slot * w->size;
    rt_asan_unpoison(p, w->size);
    return p;
}

/*
 * Allocates one zeroed value of the layout, which must outlive the heap.
 * NULL when there is no memory.  Owner of pc's P; no safepoint.  Fast where
 * the class's last allocation had the same pointer mask.
 */
static inline void *
gc_alloc(struct gc_pcache *pc, const struct rt_layout *l)
{
    uint64_t size = l->size;

    /* Up to eight words the mask is one byte. */
    if (rt_unlikely(size > 64 || l->ptrdata == 0))
        return gc_alloc_slow(pc, l);
    struct gc_window *w = &pc->win[gc_class8[(size + 7) / 8] * 2];
    if (rt_unlikely(w->free == 0 || w->mask != l->ptrmask[0]))
        return gc_alloc_slow(pc, l);
    uint32_t slot;
    uint8_t *p = gc_window_take(w, &w->free, &slot);
    gc_zero_small(p, w->size);
    return p;
}

/* True when n elements of the layout are few enough to be one object; the
 * caller panics otherwise (makeslice: len out of range). */
static inline bool
gc_array_fits(const struct rt_layout *l, uint64_t n)
{
    uint64_t bytes;

    return !__builtin_mul_overflow(l->size, n, &bytes) &&
        bytes <= GC_MAX_ALLOC;
}

/*
 * Allocates n consecutive zeroed values of the layout.  The object may be
 * larger than asked for: gc_round_size() tells how large.  NULL when there
 * is no memory or gc_array_fits() is false.
 */
void *gc_alloc_array(struct gc_pcache *pc, const struct rt_layout *l,
    uint64_t n);

/* Allocates size zeroed bytes without pointers, 8-aligned from 8 bytes on
 * and less aligned below; NULL as above. */
void *gc_alloc_noscan(struct gc_pcache *pc, uint64_t size);

/* As gc_alloc_noscan() with undefined content, for strings and buffers that
 * the caller fills at once. */
void *gc_alloc_noscan_dirty(struct gc_pcache *pc, uint64_t size);

/* The size of the slot that an allocation of size bytes gets: what append
 * makes of a wanted capacity.  Saturates at UINT64_MAX. */
uint64_t gc_round_size(uint64_t size);

/* What an address points into. */
struct gc_object {
    uint8_t *base;
    uint64_t size;   /* of the slot, at least the size asked for */
    bool noscan;
};

/* Finds the object that any interior address belongs to; false when the
 * address is not in an allocated object of the heap.  May be called while
 * the program runs; the answer is exact for objects that the caller keeps
 * reachable. */
bool gc_find_object(struct gc_heap *h, const void *addr,
    struct gc_object *out);

/* What the profile has noted of the object at base, gc_find_object()'s, which
 * the caller keeps reachable: the answer of the sink's malloc(); NULL where it
 * was not sampled. */
void *gc_find_site(struct gc_heap *h, const uint8_t *base);

/* ---- Write barrier --------------------------------------------------- */

void gc_barrier_slow(struct gc_pcache *pc, void *old, void *val);
void gc_barrier_range_slow(struct gc_pcache *pc, const struct rt_layout *l,
    void *dst, const void *src, uint64_t n);

/* Before `*slot = val`, where slot lies in the heap or in a global. */
static inline void
gc_write_barrier(struct gc_pcache *pc, void **slot, void *val)
{
    /* The slot may be one that others change by atomic operations; what they
     * put there they have shaded. */
    if (rt_unlikely(pc->barrier))
        gc_barrier_slow(pc, aptr_load_rlx((const a_ptr *)(void *)slot), val);
}

/* Before n values of the layout are copied from src (NULL: cleared) to dst
 * in the heap or in a global. */
static inline void
gc_write_barrier_range(struct gc_pcache *pc, const struct rt_layout *l,
    void *dst, const void *src, uint64_t n)
{
    if (rt_unlikely(pc->barrier) && l->ptrdata != 0)
        gc_barrier_range_slow(pc, l, dst, src, n);
}

/*
 * Shading: what a value that goes where marking may have been already needs,
 * while pc->barrier is on: the new values of stores that initialise a fresh
 * object (fresh objects are black), values copied into the frame of another
 * goroutine, arguments of `go`, defer records, and whatever else is put in a
 * root without the write barrier.  Owner of pc's P; any locks below GC_WORK.
 */
void gc_shade_slow(struct gc_pcache *pc, const void *val);
void gc_shade_range_slow(struct gc_pcache *pc, const struct rt_layout *l,
    const void *src, uint64_t n);
void gc_shade_words_slow(struct gc_pcache *pc, const void *words, uint64_t n);

/* One pointer: NULL, into an object, or outside of the heap. */
static inline void
gc_shade(struct gc_pcache *pc, const void *val)
{
    if (rt_unlikely(pc->barrier))
        gc_shade_slow(pc, val);
}

/* n values of the layout at src. */
static inline void
gc_shade_range(struct gc_pcache *pc, const struct rt_layout *l,
    const void *src, uint64_t n)
{
    if (rt_unlikely(pc->barrier) && l->ptrdata != 0)
        gc_shade_range_slow(pc, l, src, n);
}

/* n words of which nobody knows which are pointers (slots of frames). */
static inline void
gc_shade_words(struct gc_pcache *pc, const void *words, uint64_t n)
{
    if (rt_unlikely(pc->barrier))
        gc_shade_words_slow(pc, words, n);
}

/* ---- Roots: for the host's mark_roots and mark_root --------------------- */

/* Marks what p points to: NULL, any address in an object, or any address
 * outside the heap.  An address in free heap memory is a bug and throws. */
void gc_mark_ptr(struct gc_marker *m, const void *p);

/* Marks what the n consecutive values of the layout at base point to. */
void gc_mark_range(struct gc_marker *m, const void *base,
    const struct rt_layout *l, uint64_t n);

/* Marks the words of base whose bits are set in mask (little-endian bit
 * order, nwords bits). */
void gc_mark_mask(struct gc_marker *m, const void *base, const uint8_t *mask,
    uint64_t nwords);

/* Marks the object that the word points into if it does; for words that may
 * be anything. */
void gc_mark_maybe(struct gc_marker *m, uintptr_t word);

/* The same for a word that the program may still use as a pointer: where
 * VOLEDEBUG gccheckmark=1 marks a second time, its object must be marked. */
void gc_mark_word(struct gc_marker *m, uintptr_t word);

/* Adds to what the collector counts as roots when it sets the next goal. */
void gc_mark_account(struct gc_marker *m, uint64_t stack_bytes,
    uint64_t global_bytes);

/* ---- Collection -------------------------------------------------------- */

enum gc_why {
    GC_WHY_HEAP,    /* the heap reached its goal, or gcstress */
    GC_WHY_FORCED,  /* runtime.GC */
    GC_WHY_PERIODIC /* no collection for two minutes */
};

/* True when an allocation asked for a collection that has not run yet. */
bool gc_should_start(const struct gc_heap *h);

enum gc_phase {
    GC_OFF,  /* no cycle marks; sweeping may be under way */
    GC_MARK, /* the mark runs beside the program; barriers are on */
    GC_TERM  /* world stopped: mark termination, or all of a mark */
};

/* The phase; changes in STW only. */
enum gc_phase gc_phase(const struct gc_heap *h);

/*
 * Begins a cycle if one is wanted.  The goroutine of the calling thread,
 * which owns pc's P, stands at a safepoint: its frames are complete and no C
 * code below keeps heap pointers.  On return the mark runs in the background
 * (where the host can do that), or the cycle is over.
 */
void gc_poll(struct gc_heap *h, struct gc_pcache *pc);

/*
 * Begins a cycle as gc_poll() does, wanted or not; *mark: which one that is,
 * as gc_cycles() counts when it has ended.  False when another one is
 * beginning, marking or ending: then its end comes first.
 */
bool gc_begin(struct gc_heap *h, struct gc_pcache *pc, enum gc_why why,
    uint64_t *mark);

/*
 * Runs a whole cycle with its mark in one stop; for GC_WHY_FORCED sweeps
 * everything too before it returns.  Context as gc_poll().  False when another thread is running a
 * cycle: the caller passes a safepoint (yields) and tries again.
 */
bool gc_collect(struct gc_heap *h, struct gc_pcache *pc, enum gc_why why);

/*
 * Ends a mark that runs beside the program and that no worker will end any
 * more: all threads but this one have left, its goroutines will not go on.
 * Nothing where no mark is under way.
 */
void gc_finish_mark(struct gc_heap *h, struct gc_pcache *pc);

/* Sweeps up to n spans; false when there are none left.  Owner of pc's P: a sweeping thread must hold
 * the world from being stopped, so it passes no safepoint in here.  pc may be
 * NULL (no events) where no cycle can begin. */
bool gc_sweep_some(struct gc_heap *h, struct gc_pcache *pc, unsigned n);

/* ---- Marking beside the program: for the host's workers ----------------- */

/* How a worker came by its P. */
enum gc_worker {
    GC_WORKER_DEDICATED,  /* has it until the mark ends */
    GC_WORKER_FRACTIONAL, /* for a part of the time */
    GC_WORKER_IDLE        /* nobody else wants it */
};

/*
 * A quarter of the processors marks: how many of n Ps a worker has for itself
 * and, where that is too far from a quarter, which part of each P's time it
 * takes besides (Go's mgcpacer.go).
 */
void gc_worker_shares(uint32_t n, uint32_t *dedicated, double *fraction);

/* What gc_worker_run() says when it returns. */
enum gc_worked {
    GC_WORKED_STOPPED, /* stop() said so; there may be more to do */
    GC_WORKED_EMPTY,   /* nothing to do for this worker at the moment */
    GC_WORKED_WAIT,    /* the same, until other Ps hand over their greys */
    GC_WORKED_DONE     /* the mark has ended */
};

/*
 * Marks on pc's P until there is nothing left or stop(arg), which is asked
 * every few microseconds, says so; where nothing is left, ends the mark.  The
 * calling thread owns the P and stands at a safepoint.
 */
enum gc_worked gc_worker_run(struct gc_heap *h, struct gc_pcache *pc,
    enum gc_worker kind, bool (*stop)(void *arg), void *arg);

/* Is there something for gc_worker_run() to do?  *must: nobody else will do
 * it (the mark is to be ended).  Any thread. */
bool gc_work_available(struct gc_heap *h, bool *must);

/* Hands the greys of pc's P over and notes the epoch.  Owner of the P, or
 * whoever keeps anybody from becoming it. */
void gc_flush_marks(struct gc_pcache *pc, uint32_t epoch);

/*
 * Where pc->assist_wait is set and the goroutine stands at a safepoint: pays
 * the debt by marking.  False: that was not possible, the goroutine waits for
 * wake_assists() and then calls again.
 */
bool gc_assist_safepoint(struct gc_heap *h, struct gc_pcache *pc);

/*
 * True where goroutines that reach a safepoint are to wait until
 * wake_assists(): the heap is beyond its goal, and another thread is about to
 * begin a cycle or has just ended one.  Owner of a P.
 */
bool gc_must_wait(const struct gc_heap *h);

/* Would gc_assist_safepoint() or gc_must_wait() say something else now?  Asked
 * by the host after it has queued a waiter, so that no wake-up is lost. */
bool gc_assist_retry(const struct gc_heap *h);

/* Is everything swept, and has the profiler been told?  Any thread. */
bool gc_sweep_done(const struct gc_heap *h);

/* Number of finished cycles, and the time of the last one's end on the
 * monotonic clock in ns (0: none yet).  Any thread. */
uint64_t gc_cycles(const struct gc_heap *h);

/* Number of cycles whose first stop has come; it is gc_cycles() or one more.
 * What is garbage now has been swept when mark gc_begun() + 1 has ended and
 * gc_sweep_done() is true after that, or one more mark has begun. */
uint64_t gc_begun(const struct gc_heap *h);
int64_t gc_last_end(const struct gc_heap *h);

/* debug.SetGCPercent and debug.SetMemoryLimit (negative limit: only ask):
 * return the old value.  Any thread. */
int32_t gc_set_percent(struct gc_heap *h, int32_t percent);
/* What debug.SetGCPercent would return.  Any thread. */
int32_t gc_percent(const struct gc_heap *h);
int64_t gc_set_memory_limit(struct gc_heap *h, int64_t limit);

/* Gives free pages back to the operating system, at most max bytes of them;
 * returns how many bytes.  Any thread. */
uint64_t gc_scavenge(struct gc_heap *h, uint64_t max);

/* The same for a piece of what the heap will not soon grow to again; true
 * when there is more of that. */
bool gc_scavenge_some(struct gc_heap *h);

/* Makes every P ask the sink for a new sampling distance: after a change of
 * the rate.  World stopped. */
void gc_sample_reset(struct gc_heap *h);

/* Checks the invariants of the whole heap; RT_EFORMAT with the first broken
 * one in e.  World stopped. */
enum rt_status gc_verify(struct gc_heap *h, struct rt_err *e);

/* ---- Finalizers -------------------------------------------------------- */

struct gc_finalizer {
    void *obj;          /* first byte of the object */
    void *fn;           /* the function value: a heap pointer or any other */
    const void *info;   /* the host's own: the types of the call */
};

/*
 * Arranges for the finalizer to be handed out once obj is unreachable.
 * RT_EFORMAT when obj is not the beginning of a heap object, RT_ESTATE when
 * it has a finalizer already, RT_ENOMEM.  Owner of pc's P.
 */
enum rt_status gc_set_finalizer(struct gc_pcache *pc, void *obj, void *fn,
    const void *info);

/* Takes the finalizer of obj away; false when there is none. */
bool gc_clear_finalizer(struct gc_pcache *pc, void *obj);

/* Hands out the next object that is ready to be finalized, in the order in
 * which they were found; false when there is none.  From then on the caller
 * keeps obj and fn alive.  Owner of pc's P; pc may be NULL where no mark can
 * run. */
bool gc_finalizer_next(struct gc_heap *h, struct gc_pcache *pc,
    struct gc_finalizer *out);

/* ---- Cleanups and weak pointers ------------------------------------------ */

/*
 * Hands rec, a heap object, to gc_cleanup_next() once the object that p
 * points into is unreachable and has no finalizer.  Several may be attached.
 * RT_EFORMAT when p is not in a heap object, RT_ENOMEM.  *id names it.
 * Owner of pc's P.
 */
enum rt_status gc_add_cleanup(struct gc_pcache *pc, void *p, void *rec,
    uint64_t *id);

/* Takes the cleanup id, attached at p, away; false when it is gone. */
bool gc_stop_cleanup(struct gc_pcache *pc, void *p, uint64_t id);

/* The rec of the next cleanup that is due, NULL when there is none; the
 * caller keeps it alive. */
void *gc_cleanup_next(struct gc_pcache *pc);

/*
 * The handle of a weak pointer to p: a small heap object, the same one for
 * equal p as long as the object lives; p itself where it is not in the heap,
 * since that never dies.  NULL: no memory.  gc_weak_get() gives p back, or
 * NULL once the object has died or its finalizer is due.  Owner of pc's P.
 */
void *gc_weak_make(struct gc_pcache *pc, void *p);
void *gc_weak_get(struct gc_pcache *pc, void *handle);

/* ---- Statistics -------------------------------------------------------- */

enum { GC_PAUSES = 256 };

/* Go's runtime.MemStats, byte for byte as documented there. */
struct gc_memstats {
    uint64_t alloc, total_alloc, sys, lookups, mallocs, frees;
    uint64_t heap_alloc, heap_sys, heap_idle, heap_inuse, heap_released,
        heap_objects;
    uint64_t stack_inuse, stack_sys; /* left zero: the host fills them */
    uint64_t mspan_inuse, mspan_sys, mcache_inuse, mcache_sys, buck_hash_sys,
        gc_sys, other_sys;
    uint64_t next_gc;
    uint64_t last_gc;       /* wall clock, ns since 1970 */
    uint64_t pause_total_ns;
    uint64_t pause_ns[GC_PAUSES];
    uint64_t pause_end[GC_PAUSES];
    uint32_t num_gc, num_forced_gc;
    double gc_cpu_fraction;
    struct {
        uint32_t size;
        uint64_t mallocs, frees;
    } by_size[GC_NCLASS];
};

/* Fills *out.  World stopped. */
void gc_read_memstats(struct gc_heap *h, struct gc_memstats *out);

/* Bytes of live and not yet swept objects, roughly; any thread. */
uint64_t gc_heap_live(const struct gc_heap *h);
uint64_t gc_heap_goal(const struct gc_heap *h);
/* Bytes that the last cycle found alive; any thread. */
uint64_t gc_heap_marked(const struct gc_heap *h);

#endif
