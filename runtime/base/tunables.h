/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_BASE_TUNABLES_H
#define RUNTIME_BASE_TUNABLES_H

/*
 * Every size and threshold that is a choice and not a promise.  The hostile
 * build makes them tiny, so that what happens rarely happens all the time:
 * full queues, refills, stack growth, buffer hand-over.
 */

#if VOLE_HOSTILE
#define RT_TUNE(normal, hostile) (hostile)
#else
#define RT_TUNE(normal, hostile) (normal)
#endif

/*
 * 1 (-Dc_args=-DRT_NO_PROFILES=1): the places where the program's own work asks
 * whether a profile is on are left out, and there are no memory, block, mutex
 * or goroutine profiles.  Only to measure what asking costs.
 */
#ifndef RT_NO_PROFILES
#define RT_NO_PROFILES 0
#endif

/* The same for the tracer: 1 (-Dc_args=-DRT_NO_TRACE=1): nobody asks whether a
 * trace is on, and there is none. */
#ifndef RT_NO_TRACE
#define RT_NO_TRACE 0
#endif

enum {
    /* base */
    RT_ARENA_CHUNK = RT_TUNE(64 * 1024, 256), /* bytes of a region's chunk */
    RT_ARENA_CHUNK_MOST = RT_TUNE(1024 * 1024, 256), /* in a large region */
    RT_ARENA_LARGE = RT_TUNE(4096 * 1024, 64 * 1024), /* bytes of a region that
                                                     asks for huge pages */
    RT_ARENA_KEPT = RT_TUNE(1024 * 1024, 128), /* bytes used that are cleared;
                                                 more is given back */
    RT_PERSIST_CHUNK = RT_TUNE(256 * 1024, 4096),
    RT_FIXALLOC_CHUNK = RT_TUNE(16 * 1024, 4096),

    /* gc */
    RT_GC_WORKBUF = RT_TUNE(253, 6),       /* pointers in a mark buffer */
    RT_GC_OBLET = RT_TUNE(128 * 1024, 512), /* bytes scanned as one piece */
    RT_GC_GROW = RT_TUNE(64 << 20, 4 << 20), /* address space per request */
    RT_GC_HEAP_MIN = RT_TUNE(4 << 20, 256 << 10), /* first goal at GOGC=100 */
    RT_GC_SWEEP_SEARCH = RT_TUNE(100, 2), /* full spans that a refill sweeps
                                             before it takes a fresh one */
    RT_GC_BATCH = RT_TUNE(8, 2),     /* spans taken or swept in one go */
    RT_GC_STOCK = RT_TUNE(8, 2),     /* pages that a P takes in advance */

    /* sched */
    RT_RUNQ = RT_TUNE(256, 4),         /* slots of a P's run queue; 2^n */
    RT_SUDOG_CACHE = RT_TUNE(128, 1),  /* free wait records of a P */
    RT_GFREE_LIST = RT_TUNE(32, 1),    /* dead goroutines that Ps hand over */

    /* vm */
    RT_STACK_MIN = RT_TUNE(512, 256), /* bytes of a new goroutine's stack */

    /* trace */
    RT_TRACE_BUF = RT_TUNE(64 * 1024, 1024) /* bytes of an event buffer */
};

#endif
