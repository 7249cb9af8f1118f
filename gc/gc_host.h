/* SPDX-License-Identifier: MIT */
#ifndef GC_GC_HOST_H
#define GC_GC_HOST_H

/*
 * What the collector needs of the layers above (the scheduler and the
 * virtual machine) and of the memory profiler.  Both tables are const after
 * gc_heap_new(); unit tests install fakes.  Unless said otherwise a call is
 * made with no lock of gc held.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gc_heap;
struct gc_marker;
struct gc_pcache;

/* What mark_root() has to say. */
enum gc_roots {
    GC_ROOTS_SOME, /* a piece has been marked: call again */
    GC_ROOTS_WAIT, /* what is left is in the hands of others, or frames of
                      goroutines that run: call again later */
    GC_ROOTS_DONE  /* all roots of this cycle have been marked */
};

struct gc_host {
    /*
     * A stop is in the trace from its stopping_at to its started_at.
     *
     * Stops every goroutine but the calling one at a safepoint and gives the
     * caller exclusive use of the heap until start_world.  Called on the
     * thread that runs gc_collect(), whose goroutine stands at a safepoint.
     * Another stop may come first: everything may change during the call.
     */
    void (*stop_world)(void *arg, const char *reason);
    void (*start_world)(void *arg);
    /* When this thread's last stop_world began, the stops of others before it
     * being over, in ns.  NULL: when it was called. */
    int64_t (*stopping_at)(void *arg);
    /* When this thread's last start_world had let all Ps go on, in ns; what
     * it did after that, such as looking for more threads, was no part of
     * the stop.  NULL: at its end. */
    int64_t (*started_at)(void *arg);

    /*
     * World stopped.  Calls gc_mark_*(m, ...) for everything outside the
     * heap that holds pointers into it: globals, frames and panics of every
     * goroutine, channel waiters' elements, timers, and whatever the layers
     * keep in memory of their own.  Adds the bytes of stacks and globals
     * with gc_mark_account().  Allocates nothing from the heap.
     */
    void (*mark_roots)(void *arg, struct gc_marker *m);

    /*
     * Marking beside the program; all NULL where the host cannot: then the
     * whole mark is in the first stop and uses mark_roots().
     *
     * mark_begin and mark_end: world stopped.  The roots are those of this
     * moment: what comes later is shaded where it comes from.  Between the
     * two the host has workers call gc_worker_run() and, where a goroutine
     * stands at a safepoint, gc_assist_safepoint().
     */
    void (*mark_begin)(void *arg);
    void (*mark_end)(void *arg);
    /* Marks one piece of the roots that nobody has taken yet: the same things
     * as mark_roots(), a stack by the rules of sched/gcwork.c.  Any thread
     * with a P, the world runs. */
    enum gc_roots (*mark_root)(void *arg, struct gc_marker *m);
    /* Whether mark_root() has a piece that nobody has taken yet and that can
     * be marked at once; any thread, cheap, while roots are left. */
    bool (*roots_left)(void *arg);
    /* Makes every P call gc_flush_marks() since the number `epoch` was first
     * given: asks those that run, does it for those that do not.  Never
     * waits; true when all have.  Owner of pc's P. */
    bool (*flush_ps)(void *arg, struct gc_pcache *pc, uint32_t epoch);
    /* There is work for more workers; any thread that owns a P, cheap. */
    void (*wake_worker)(void *arg);
    /* Goroutines that wait because of gc_assist_safepoint() or gc_must_wait()
     * should look again: there is credit, or marking has begun or ended. */
    void (*wake_assists)(void *arg);
    /* A mark has ended; the world runs again.  Whoever waits for it goes
     * on. */
    void (*mark_done)(void *arg);

    /*
     * Asks for gc_poll() on a goroutine at its next safepoint.  Called by an
     * allocation on pc's P: the usual answer is to preempt the goroutine
     * that runs there.  Called again and again, about once per 8 KB
     * allocated, until a cycle has run; must be cheap.
     */
    void (*request_gc)(void *arg, struct gc_pcache *pc);

    /* World stopped, before marking: drop caches such as sync.Pool's.  May
     * be NULL. */
    void (*clear_caches)(void *arg);

    /* There are spans to sweep: make somebody call gc_sweep_some() in the
     * background.  Must not block; any thread.  May be NULL. */
    void (*wake_sweeper)(void *arg);

    /* gc_finalizer_next() has something to hand out.  Must not block; any
     * thread.  May be NULL. */
    void (*finalizers_ready)(void *arg);

    /* GOMAXPROCS; NULL: as many as there are pcaches. */
    uint32_t (*procs)(void *arg);

    /* One whole line of text with its newline, for VOLEDEBUG=gctrace=1. */
    void (*print)(void *arg, const char *line);
};

/*
 * The memory profiler as gc sees it (profile/record/profile.h has the real
 * one).  The four that belong to a cycle are called in the order of Go's
 * mprof.go: next_cycle with the world stopped at mark termination, flush
 * after the world runs again, post_sweep when the last span of the cycle has
 * been swept.  Any member may be NULL.
 */
struct gc_prof_sink {
    /* A sampled object of size bytes was allocated at p by the goroutine
     * that runs on pc's P.  Returns the profile's own record of the
     * allocation site, which comes back in free(); NULL: forget it. */
    void *(*malloc)(void *arg, struct gc_pcache *pc, void *p, size_t size);
    /* The object of size bytes at p whose sample was site has been freed.
     * Any thread, during sweeping. */
    void (*free)(void *arg, void *p, void *site, size_t size);
    /* The same for n objects of one site and size; may be NULL. */
    void (*free_many)(void *arg, void *site, size_t size, uint64_t n);
    /* How many bytes to allocate before the next sample; INT64_MAX: none.
     * Called after each sample and when gc_sample_reset() asks. */
    int64_t (*next_sample)(void *arg, struct gc_pcache *pc);
    void (*next_cycle)(void *arg);
    void (*flush)(void *arg);
    void (*post_sweep)(void *arg);
    /* Bytes that the profile's tables take, for MemStats.BuckHashSys. */
    uint64_t (*sys)(void *arg);
};

#endif
