/* SPDX-License-Identifier: MIT */
#ifndef PROFILE_WIRE_TEXT_H
#define PROFILE_WIRE_TEXT_H

/*
 * The texts of debug=1, for people: Go's words, numbers and columns.  Here
 * addresses are shown as return addresses, one more than those of the calls,
 * because readers of this form subtract one.  RT_ENOMEM, RT_EIO.
 */

#include "profile/wire/pprof.h"

/* The numbers that follow a heap profile; see runtime.MemStats. */
struct wire_memstats {
    uint64_t alloc, total_alloc, sys, lookups, mallocs, frees;
    uint64_t heap_alloc, heap_sys, heap_idle, heap_inuse, heap_released,
        heap_objects;
    uint64_t stack_inuse, stack_sys, mspan_inuse, mspan_sys, mcache_inuse,
        mcache_sys, buck_hash_sys, gc_sys, other_sys;
    uint64_t next_gc, last_gc;
    const uint64_t *pause_ns, *pause_end; /* 256 each */
    uint32_t num_gc, num_forced_gc;
    double gc_cpu_fraction;
    bool debug_gc;
    uint64_t max_rss; /* bytes */
};

/* heap and allocs: sorted by bytes in use. */
enum rt_status wire_text_heap(const struct wire_sink *sink,
    const struct wire_syms *syms, const struct wire_heap *v, size_t n,
    int64_t rate, const struct wire_memstats *ms);

/* goroutine, threadcreate, user-defined: grouped, most frequent first. */
enum rt_status wire_text_count(const struct wire_sink *sink,
    const struct wire_syms *syms, const char *name,
    const struct wire_count *v, size_t n);

/* block (name "contention") and mutex (name "mutex"; period: the fraction in
 * force): sorted by cycles. */
enum rt_status wire_text_cycles(const struct wire_sink *sink,
    const struct wire_syms *syms, const char *name,
    const struct wire_cycles *v, size_t n, int64_t cycles_per_sec,
    int64_t period);

#endif
