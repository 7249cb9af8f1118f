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
 * drain.c (from buffers to bytes of the file), control.c (start, stop, read).
 *
 * Phases of a recorder:
 *     OFF -> ON      trace_start(), world stopped
 *     ON -> DRAIN    trace_stop(), world stopped
 *     DRAIN -> OFF   the reader, when it has taken everything
 * `on` is 1 within ON only, and falls to 0 early when the trace is cut (Note
 * [cut] in buf.c).  The phase changes under TRACE_BUF.
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
    TRACE_PASS_BUFS = 16    /* full buffers that one drain pass takes */
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
    uint64_t waits;
    bool reading;                         /* a reader is inside */
    bool failed;                          /* err says why it was cut */
    bool closing;                         /* the last events of trace_stop():
                                             no limit holds them up */
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
    a_u64 bytes;  /* handed over */
    struct trace_stacktab stacks;
    struct trace_strtab strings;

    /* reader only (the one inside, or trace_start() before there is one) */
    struct trace_out out;
    bool header_done, freq_done, told;
    bool pending; /* the last pass has left something behind */
    const struct trace_stack *stack_done; /* last one written */
    const struct trace_str *str_done;
    uint64_t table_tick;  /* tick for batches that hold tables only */
    struct trace_symcache *syms;
    pthread_t thread;     /* with a file */
    bool has_thread;
};

/* ---- buf.c */

/* Gives b an empty buffer, handing in the one that it has.  False: the trace
 * is cut or has just been; the event must be dropped. */
bool trace_buf_refill(struct trace_rec *r, struct trace_pbuf *b);

/* Hands in what b has; TRACE_BUF not held. */
void trace_buf_hand_in(struct trace_rec *r, struct trace_pbuf *b);

/* Returns a buffer that the reader has taken entirely. */
void trace_buf_recycle(struct trace_state *s, struct trace_buf *t);

/* Ends recording at once, with the cause, without stopping the world. */
void trace_cut(struct trace_rec *r, const struct rt_err *e);

/* Frees all buffers of all lists and Ps; nobody emits or reads. */
void trace_buf_free_all(struct trace_state *s);

/* Bumps a futex word and wakes everyone who sleeps on it. */
void trace_kick(a_u32 *word);

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
    const vpc *stk, uint32_t n);
void trace_emit_close_process(struct trace_rec *r, struct trace_pbuf *b);

/* ---- drain.c */

/*
 * Collects what is ready into s->out.  all: also what is in the buffers of
 * Ps.  Returns false when out is empty and nothing more will come (phase
 * DRAIN, all taken).  Reader only.
 */
bool trace_drain_pass(struct trace_rec *r, bool all);

/* Prepares the reader's side of a new trace.  False: no memory. */
bool trace_drain_open(struct trace_rec *r);

/* Frees what a trace has needed on the reader's side. */
void trace_drain_free(struct trace_state *s);

#endif
