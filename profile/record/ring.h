/* SPDX-License-Identifier: MIT */
#ifndef PROFILE_RECORD_RING_H
#define PROFILE_RECORD_RING_H

/*
 * A ring of samples.  Signal handlers of any number of threads put records
 * in, one thread takes them out; nobody waits for anybody.
 */

#include <stdbool.h>
#include <stdint.h>

#include "profile/record/timed.h"

struct prof_cpu_ring;

/* NULL: no memory. */
struct prof_cpu_ring *prof_ring_new(void);
void prof_ring_free(struct prof_cpu_ring *r);

/* A sample as it comes out; labels have a reference, the taker's. */
struct prof_sample {
    uint64_t when; /* ticks */
    struct prof_where w;
    vpc stk[CALLSTACK_MAX];
};

/* Async-signal-safe; takes a reference to the labels.  Counts a sample for
 * which there is no room. */
void prof_ring_put(struct prof_cpu_ring *r, uint64_t when,
    const struct prof_where *w, const vpc *stk);

/* One thread at a time.  False: nothing there. */
bool prof_ring_take(struct prof_cpu_ring *r, struct prof_sample *out);

/* The words of records are within the ring, and all others are clear.  Nobody
 * puts or takes meanwhile.  For full builds and tests. */
bool prof_ring_valid(struct prof_cpu_ring *r);

/* How many were lost since the last call. */
uint64_t prof_ring_lost(struct prof_cpu_ring *r);

#endif
