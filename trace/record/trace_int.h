/* SPDX-License-Identifier: MIT */
#ifndef TRACE_RECORD_TRACE_INT_H
#define TRACE_RECORD_TRACE_INT_H

/*
 * The recorder from inside.
 *
 *     emitters --> pbuf.buf --full--> full list --drain--> file or trace_read
 *                     |                                      ^
 *                     +------- published part, every 100 ms -+
 *
 * Files: buf.c (buffers and lists), stacktab.c, strtab.c, writer.c (events),
 * drain.c (from buffers to bytes of the file), control.c (start, stop, read),
 * snapshot.c (the events of a start and of a stop), flight.c, flight_dump.c (the
 * flight recorder).
 *
 * Phases of a recorder:
 *     OFF -> ON      trace_start(), world stopped
 *     ON -> DRAIN    trace_stop(), world stopped
 *     DRAIN -> OFF   the reader, when it has taken everything
 * `on` is 1 within ON, and while the flight recorder records; it falls to 0
 * early when the trace is cut (Note [cut] in buf.c).  The phase changes under
 * TRACE_BUF.
 *
 * A full buffer may have two destinations: the full list, from which the
 * reader takes it, and the flight recorder, which takes a copy.  All Ps change
 * buffers, with the world stopped, when a trace starts or stops, so that the
 * events of one buffer have the same destinations.
 */

#include <pthread.h>

#include "runtime/base/lock.h"
#include "runtime/base/throw.h"
#include "runtime/base/varint.h"
#include "trace/record/stacktab.h"
#include "trace/record/strtab.h"
#include "trace/record/trace.h"

enum {
    TRACE_BUF_BYTES = VOLE_HOSTILE ? 1024 : 64 * 1024,
    TRACE_EVENT_MAX = 128,  /* no event but a log message is longer */
    TRACE_LOG_MAX = VOLE_HOSTILE ? 256 : 16 * 1024,
    TRACE_BATCH_MAX = 1 + 2 * RT_VARINT_MAX,
    TRACE_KEEP_BUFS = 64,   /* empty buffers that wait for the next use; what
                               is beyond that is freed */
    TRACE_PASS_BUFS = 16,   /* full buffers that one drain pass takes, or a
                               little more */
    TRACE_KICK_BUFS = 8     /* full buffers for which the reader is woken: to
                               wake it takes as long as some hundred events.
                               Fewer wait for its next look, which comes
                               after cfg.flush_ms anyway */
};

static_assert(TRACE_BATCH_MAX + TRACE_EVENT_MAX + TRACE_LOG_MAX + 16 <
    TRACE_BUF_BYTES, "the longest event fits into an empty buffer");

enum trace_phase { TRACE_OFF, TRACE_ON, TRACE_DRAIN };

/* One run of events of one P: a batch of the file. */
struct trace_buf {
    struct trace_buf *next; /* guarded by TRACE_BUF */
    int32_t id;             /* P number for the Batch record */
    a_u32 committed;        /* bytes that the reader may take; written by the
                               owner of the P with release */
    uint32_t flushed;       /* reader only: bytes that it has taken */
    uint64_t flushed_tick;  /* reader only: tick of the last event taken */
    uint64_t last;          /* tick of the last event; written before the
                               buffer is handed in */
    struct trace_buf *link; /* reader only: list of current buffers */
    bool file_only;         /* the beginning or end of a trace */
    uint8_t data[TRACE_BUF_BYTES];
};

/* Growable bytes on the reader's side. */
struct trace_out {
    uint8_t *data;
    size_t len, cap;
    bool oom; /* something could not be appended */
};

struct trace_state {
    struct rt_lock global_lock; /* TRACE_GLOBAL */
    struct rt_lock lock;        /* TRACE_BUF */
    struct rt_lock ctl;         /* TRACE_CTL: the flight recorder's windows
                                   change; held while the world is stopped, so
                                   never waited for with a P */

    /* guarded by TRACE_GLOBAL */
    struct trace_pbuf global;
    struct trace_pbuf cpu; /* CPU samples need batches of their own */

    /* guarded by TRACE_BUF */
    enum trace_phase phase;
    struct trace_pbuf *pbufs;             /* all, the two above included */
    struct trace_buf *full, *full_tail;   /* FIFO */
    struct trace_buf *empty;              /* stack */
    uint64_t nfull, nempty, nbufs;        /* lengths; nbufs = all buffers */
    uint64_t max_full;                    /* when emitters wait, or the cut */
    uint64_t kick_full;                   /* when the reader is woken, less than
                                             that */
    uint64_t waits;
    bool reading;                         /* a reader is inside */
    bool failed;                          /* err says why it was cut */
    bool closing;                         /* the last events of trace_stop():
                                             no limit holds them up */
    bool file_only;                       /* new buffers are; world stopped */
    bool dropped;                         /* an event, for want of memory:
                                             no P gets a buffer any more */
    bool early;                           /* ended before trace_stop(), which
                                             has to clean up */
    unsigned users;                       /* trace, flight recorder: the
                                             tables are open while > 0 */
    struct trace_flight *fl;              /* NULL: off; changes in STW */
    uint64_t flight_lost;
    struct rt_err err;
    struct trace_stats last;              /* of the trace that ended */
    uint64_t retired[TRACE_EV_COUNT];     /* events of Ps that are gone */

    /* const while a trace is on */
    struct trace_config cfg;
    uint64_t start_tick;

    /* atomic */
    a_u32 wake;   /* futex of the reader: changes when there is work */
    a_u32 space;  /* futex of waiting emitters: changes when room is made */
    a_u32 done;   /* futex of trace_stop(): changes when a reader leaves */
    a_u64 order;  /* tick of the last event about the whole process */
    a_u64 gcseq;  /* cycles begun in this trace */
    a_u32 gc_open, stw_open;
    a_u32 stw_kind; /* of the last STWStart */
    a_u64 bytes;  /* handed over */
    struct trace_stacktab stacks;
    struct trace_strtab strings;

    /* reader only (the one inside, or trace_start() before there is one) */
    struct trace_out out;
    bool header_done, freq_done, told;
    bool pending; /* the last pass has left something behind, or has seen the
                     end: another one is due, for which nobody kicks */
    struct trace_buf *taken, *taken_tail; /* from the full list: FIFO */
    const struct trace_stack *stack_done; /* last one written */
    const struct trace_str *str_done;
    uint64_t table_tick;  /* tick for batches that hold tables only */
    struct trace_symcache *syms;
    pthread_t thread;     /* with a file */
    bool has_thread;
};

/* ---- buf.c */

/* Gives b an empty buffer, handing in the one that it has, for events from
 * the time `when` on (0: now).  False: the trace is cut or has just been; the
 * event must be dropped. */
bool trace_buf_refill(struct trace_rec *r, struct trace_pbuf *b,
    uint64_t when);

/* Hands in what b has; TRACE_BUF not held. */
void trace_buf_hand_in(struct trace_rec *r, struct trace_pbuf *b);

/* The same for all; world stopped. */
void trace_buf_hand_in_all(struct trace_rec *r);

/* Returns a buffer that the reader has taken entirely. */
void trace_buf_recycle(struct trace_state *s, struct trace_buf *t);

/* Ends recording at once, with the cause, without stopping the world. */
void trace_cut(struct trace_rec *r, const struct rt_err *e);

/* Frees all buffers of all lists and Ps, and what the Ps know of stacks; nobody
 * emits or reads. */
void trace_buf_free_all_locked(struct trace_state *s);

/* Frees the full list. */
void trace_buf_free_full_locked(struct trace_state *s);

/* Bumps a futex word and wakes everyone who sleeps on it. */
void trace_kick(a_u32 *word);

/* ---- valid.c: walks, for full builds and tests */

/* Whether the n bytes are a Batch record of P id and whole events, at least
 * one; *first and *last: ticks of the batch and of its last event. */
bool trace_events_valid(const uint8_t *data, uint32_t n, int32_t id,
    uint64_t *first, uint64_t *last);
/* The same of what is published, and how far the reader is.  The reader, or
 * the last that has t. */
bool trace_buf_valid(const struct trace_buf *t);
/* Position, end and buffer of b agree.  The owner of b. */
bool trace_pbuf_valid(const struct trace_pbuf *b);
/* All buffers are in one list or in one hand, and counted. */
bool trace_lists_valid_locked(const struct trace_state *s);
/* The lists, and the phase with all that depends on it.  Between two
 * operations that change it. */
bool trace_state_valid_locked(const struct trace_rec *r);

/* ---- writer.c: events of the snapshot and of the end, on or not */

void trace_emit_create(struct trace_rec *r, struct trace_pbuf *b,
    struct trace_gstate *newg, uint64_t goid, vpc entry, uint64_t stack);
void trace_emit_start(struct trace_rec *r, struct trace_pbuf *b,
    struct trace_gstate *g);
void trace_emit_proc_start(struct trace_rec *r, struct trace_pbuf *b,
    uint64_t thread);
void trace_emit_gomaxprocs(struct trace_rec *r, struct trace_pbuf *b,
    uint64_t procs, uint64_t stack);
void trace_emit_waiting(struct trace_rec *r, struct trace_pbuf *b,
    struct trace_gstate *g, bool in_syscall);
void trace_emit_close(struct trace_rec *r, struct trace_pbuf *b,
    const vpc *stk, uint32_t n, bool keep);
void trace_emit_close_process(struct trace_rec *r, struct trace_pbuf *b,
    bool keep);

/* ---- drain.c */

/*
 * Collects what is ready into s->out.  all: also what is in the buffers of
 * Ps.  Returns false when out is empty and nothing more will come (phase
 * DRAIN, all taken).  Reader only.
 */
bool trace_drain_pass(struct trace_rec *r, bool all);

/* Writes out to the file of the trace, all of it or, as readers see it, nothing
 * (Note [a pass is written whole] in drain.c).  False with *e filled where that
 * fails; nothing may follow then.  Reader only. */
bool trace_drain_write(struct trace_state *s, struct rt_err *e);

/* Prepares the reader's side of a new trace.  False: no memory. */
bool trace_drain_open(struct trace_rec *r);

/* Frees what a trace has needed on the reader's side. */
void trace_drain_free(struct trace_state *s);

/* Appending to the bytes of a file; where memory ends, o->oom. */
uint8_t *trace_out_room(struct trace_out *o, size_t n);
void trace_out_bytes(struct trace_out *o, const void *data, size_t n);
void trace_out_header(struct trace_out *o);
void trace_out_batch(struct trace_out *o, int32_t id, uint64_t tick);
void trace_out_frequency(struct trace_rec *r, struct trace_out *o);
void trace_out_string(struct trace_out *o, const struct trace_str *st);

/* A stack with its names, which come into the string table; mark (may be
 * NULL) is told their ids. */
void trace_out_stack(struct trace_rec *r, struct trace_out *o,
    struct trace_symcache *c, const struct trace_stack *st,
    void (*mark)(void *arg, uint32_t string), void *arg);

/* A cache for that; NULL: no memory.  Freed by free(). */
struct trace_symcache *trace_symcache_new(void);

/* ---- control.c */

/* The only place where the phase changes: OFF, ON, DRAIN, OFF; a trace that
 * could not begin is OFF again at once. */
void trace_set_phase_locked(struct trace_state *s, enum trace_phase to);

/* Fresh state of a P's buffer, its counters if counts. */
void trace_reset_pbuf(struct trace_pbuf *b, bool counts);
/* The state of the process: collector, order. */
void trace_reset_process(struct trace_state *s);
/* What the users of the recorder together want to be recorded. */
void trace_apply_config(struct trace_rec *r);
/* One user of the tables less; TRACE_BUF held. */
void trace_release_locked(struct trace_state *s);

/* ---- snapshot.c */

/* World stopped, `on` is 0: the events that tell of each G and P. */
void trace_snapshot(struct trace_rec *r);
/* World stopped: the events that end what is under way. */
void trace_close_all(struct trace_rec *r);

/* ---- flight.c */

/* A copy of a buffer that is full or handed in. */
void trace_flight_add_locked(struct trace_state *s, const struct trace_buf *t);
/* World stopped: numbers have changed, or events were lost. */
void trace_flight_rebase(struct trace_rec *r);
/* Recording has stopped: it begins anew as soon as the world can be. */
void trace_flight_kick_locked(struct trace_state *s);
/* End of the recorder: no world to stop any more. */
void trace_flight_fini(struct trace_rec *r);
uint64_t trace_flight_memory_locked(const struct trace_state *s);
void trace_flight_stats_locked(const struct trace_state *s,
    struct trace_stats *st);

#endif
