/* SPDX-License-Identifier: MIT */
#ifndef TRACE_READ_REWRITE2_INT_H
#define TRACE_READ_REWRITE2_INT_H

/*
 * What the two halves of trace_rewrite_v2() share, for them only: rewrite2.c
 * knows what happens, rewrite2_out.c how it is written.
 */

#include "runtime/base/varint.h"
#include "trace/read/rewrite.h"
#include "trace/read/v2.h"

#define NONE UINT64_MAX     /* no thread, no P, no goroutine */
#define OUTSIDE (NONE - 1)  /* thread of what happens on no P */
#define MADE_UP (UINT64_C(1) << 40) /* threads from here on are */

enum {
    BUF = 1 << 14, /* bytes of a batch; at most V2_MAX_BATCH */
    ROOM = 1 + 6 * RT_VARINT_MAX,
    TICK0 = 1000,
    GEN = 1
};

enum { P_RUNNING = 1, P_IDLE };
enum gstate { GONE, RUNNABLE, RUNNING, CALLING, WAITING }; /* as in GoStatus */
enum frames { WHOLE, LEAF, NFRAMES };

struct gor {
    uint64_t id, seq, entry;
    uint32_t m;        /* CALLING: its thread, index + 1 */
    uint32_t p;        /* RUNNING: its P, index + 1 */
    uint8_t state;
    bool assist;
};

struct proc {
    int64_t id;
    uint64_t g, seq, thread;
    uint64_t call_tick, call_stk; /* a GoSysCall that is not written yet */
    uint32_t m;        /* index + 1 of its thread; 0 = does not run */
    uint32_t place;    /* its place in the writer's running, + 1; 0 = none */
    bool known, calls, sweeping;
};

struct thread {
    uint64_t id;
    uint8_t *buf;
    uint32_t n;
    uint64_t begin, last; /* ticks of the batch and of its last event */
    uint32_t next_free;   /* made-up ones: index + 1 of the next */
    bool busy;            /* has a P, or a goroutine in a system call */
};

struct stack {
    uint64_t src;
    uint8_t frames;
};

struct writer {
    struct trace_file *f;
    struct trace_rewrite *how;
    struct trace_idmap gmap, pmap, mmap, strmap, stkmap[NFRAMES];
    struct gor *gs;
    struct proc *ps;
    struct thread *ms;
    struct trace_text *strs;
    struct stack *stks;
    uint32_t *running;     /* the Ps that have a thread and a goroutine */
    uint64_t nrunning, running_cap;
    uint64_t gs_cap, ps_cap, ms_cap, strs_cap, stks_cap, nstks;
    uint64_t seed;         /* of the hashes of texts */
    uint64_t tick, made_up, procs, gc_seq, stw_g;
    uint32_t free;         /* made-up threads that are free: index + 1 */
    struct thread samples; /* the batch of CPU samples */
    bool writing, gc, procs_due, nomem, failed;
};

/* A goroutine, P or thread, new or known; NULL: no memory. */
struct gor *rw2_gor(struct writer *w, uint64_t id);
struct proc *rw2_proc(struct writer *w, int64_t id);
struct thread *rw2_thread(struct writer *w, uint64_t id);

/* The thread of what happens on no P. */
struct thread *rw2_outside(struct writer *w);

/* The id in the new file of a text, of (a part of) a stack of the source; 0 for
 * none, and where there is no memory. */
uint64_t rw2_string(struct writer *w, struct trace_text t);
uint64_t rw2_words(struct writer *w, const char *s);
uint64_t rw2_stack(struct writer *w, uint64_t src, enum frames frames);

/* Bytes of the new file, as they are; what a thread has collected. */
void rw2_put(struct writer *w, const void *data, size_t n);
void rw2_flush(struct writer *w, struct thread *m);

/* The thread's buffer has room for a record; false: no memory. */
bool rw2_make_room(struct writer *w, struct thread *m);

/* An event with n values; nothing happens before the part has begun. */
void rw2_emit_at(struct writer *w, struct thread *m, uint64_t tick,
    unsigned type, unsigned n, const uint64_t *v);

/* The thread that runs a P; NULL = none. */
struct thread *rw2_thread_of(struct writer *w, const struct proc *p);

/* The P's thread or goroutine has changed: it is among those that run a
 * goroutine, or is not any more. */
void rw2_see_running(struct writer *w, struct proc *p);

/* Any P that runs a goroutine, p if it does; NULL = none. */
struct proc *rw2_some_running(struct writer *w, struct proc *p);

/* All that comes after the events. */
void rw2_put_tables(struct writer *w);

#define EMIT(w, m, type, ...) \
    rw2_emit_at(w, m, (w)->tick, type, \
        sizeof((uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t), \
        (const uint64_t[]){__VA_ARGS__})
#define EMIT0(w, m, type) rw2_emit_at(w, m, (w)->tick, type, 0, NULL)

#endif
