/* SPDX-License-Identifier: MIT */
#ifndef TRACE_READ_REWRITE_INT_H
#define TRACE_READ_REWRITE_INT_H

/*
 * What the two halves of trace_rewrite() share, for them only: rewrite.c knows
 * what happens, rewrite_out.c how it is written.
 */

#include "trace/read/rewrite.h"

enum { BUF = 1 << 16, ROOM = 256, TICK0 = 1000, MAX_BODY = 2000 };

enum gstate { NONE, RUNNABLE, RUNNING, WAITING, CALLING };

/* Which frames of a stack of the source make one here. */
enum frames { WHOLE, LEAF, ROOT, UNKNOWN, NFRAMES };

struct gor {
    uint64_t id, seq, entry, first;
    uint8_t state;
    uint8_t early;    /* state before the trace; NONE: was not there, ran */
    bool assist;
};

struct proc {
    int64_t id;
    uint64_t g;       /* who runs; 0 = nobody */
    uint64_t thread;
    uint8_t *buf;
    uint32_t n;
    uint64_t begin, last; /* ticks of the batch and of its last event */
    uint64_t start_g, start_seq, start_tick; /* a start not yet written */
    bool running, sweeping, stw;
};

struct stack {
    uint64_t src;
    uint8_t frames;
};

struct rewriter {
    struct trace_file *f;
    struct trace_rewrite *how;
    struct trace_idmap gmap, pmap, strmap, stkmap[NFRAMES];
    struct gor *gs;
    struct proc *ps;
    struct trace_text *strs;
    struct stack *stks;
    uint64_t gs_cap, ps_cap, strs_cap, nstrs, stks_cap, nstks;
    uint64_t tick;     /* of the event at hand */
    uint64_t base;     /* tick of how->from */
    uint64_t cycles, procs;
    bool writing, gc, stw, nomem, failed;
};

/* A goroutine or P of the source, new or known; NULL: no memory. */
struct gor *rw_gor(struct rewriter *w, uint64_t id);
struct proc *rw_proc(struct rewriter *w, int64_t id);

/* The id in the new file of a text, of (a part of) a stack of the source; 0 for
 * none, and where there is no memory. */
uint64_t rw_string(struct rewriter *w, struct trace_text t);
uint64_t rw_stack(struct rewriter *w, uint64_t src, enum frames frames);

/* That of the stack that names a goroutine. */
uint64_t rw_entry_of(struct rewriter *w, const struct gor *g);

/* Bytes of the new file, as they are; what a P has collected. */
void rw_put(struct rewriter *w, const void *data, size_t n);
void rw_flush(struct rewriter *w, struct proc *p);

/* A record with its values, the time difference first; returns its end. */
uint8_t *rw_encode(uint8_t *q, unsigned type, const uint64_t *v, unsigned n);

/* A start waits for the label that may follow it: writes it with that, 0 for
 * none. */
void rw_settle(struct rewriter *w, struct proc *p, uint64_t label);

/* Records of now, if it is in the part. */
void rw_record(struct rewriter *w, struct proc *p, unsigned type,
    const uint64_t *vals, unsigned n);
void rw_record0(struct rewriter *w, struct proc *p, unsigned type);
void rw_record1(struct rewriter *w, struct proc *p, unsigned type, uint64_t v);

/* All that comes after the events. */
void rw_put_tables(struct rewriter *w);

#endif
