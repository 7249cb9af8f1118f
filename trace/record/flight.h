/* SPDX-License-Identifier: MIT */
#ifndef TRACE_RECORD_FLIGHT_H
#define TRACE_RECORD_FLIGHT_H

/*
 * The flight recorder from inside: flight.c keeps the windows, flight_dump.c
 * makes a trace of them.
 *
 * A window is the state of all Gs and Ps at one moment, when the world was
 * stopped, and the events after it, up to the next window.  The events are as
 * they were written: their sequence numbers count from the start of the
 * recording, and a G that was there before is not created.  A dump that
 * begins with window w therefore writes the beginning that w's state
 * describes, and subtracts from each sequence number what its G had then.
 *
 * Windows are appended and filled under TRACE_BUF; they are freed, and read
 * by a dump, under TRACE_CTL.  All but the last one are constant.
 */

#include <pthread.h>

#include "trace/record/trace_int.h"

/* A batch of one P. */
struct flight_chunk {
    struct flight_chunk *next;
    uint32_t len;
    uint8_t data[];
};

struct flight_g {
    uint64_t goid;
    vpc entry;
    uint64_t seq;    /* at the moment */
    enum trace_gstatus status; /* as the events tell it */
};

struct flight_p {
    int32_t id;
    bool started, sweeping;
    uint64_t thread, goid;
};

struct flight_window {
    struct flight_window *next;
    bool first;     /* what is before it does not fit */
    uint64_t tick;  /* of its moment, not before any earlier event */
    int64_t when;   /* rt_nanotime() of it */
    uint64_t procs;
    uint64_t gcseq;
    uint32_t gc_open, stw_open, stw_kind;
    struct flight_g *gs;
    size_t ngs, capgs;
    struct flight_p *ps;
    size_t nps;
    bool oom;       /* something is missing */
    /* guarded by TRACE_BUF while it is the last window */
    struct flight_chunk *chunks, *tail;
    uint64_t bytes;
};

struct trace_flight {
    /* const */
    struct trace_rec *r;
    int64_t min_age, roll_ns;
    uint64_t max_bytes, roll_bytes, hard_bytes;
    pthread_t thread;
    /* guarded by TRACE_BUF */
    struct flight_window *windows, *last;
    uint64_t bytes;  /* of all windows */
    bool lost;       /* an event could not be kept: chunks are dropped until
                        the next window */
    /* atomic */
    a_u32 wake;      /* futex of the thread */
    a_u32 quit;
};

/* The windows are whole, in order, and counted.  A build with -Dchecks=full, and
 * tests. */
bool trace_flight_valid_locked(const struct trace_flight *fl);

/* Frees what is not needed any more at the time `now` of rt_nanotime(): all
 * before a window that begins anew, and the oldest ones as long as there are
 * more bytes than wanted or the next one is old enough by itself.  The last
 * window and one before it stay.  TRACE_CTL held. */
void trace_flight_prune(struct trace_state *s, int64_t now);

/* The trace of windows from w up to but not including end, whose state says
 * what to close.  The world may run; TRACE_CTL held. */
enum rt_status trace_flight_encode(struct trace_rec *r,
    const struct flight_window *w, const struct flight_window *end,
    struct trace_out *o);

#endif
