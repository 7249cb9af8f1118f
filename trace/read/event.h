/* SPDX-License-Identifier: MIT */
#ifndef TRACE_READ_EVENT_H
#define TRACE_READ_EVENT_H

/*
 * Events as the reader hands them out, and the decoding of one record.  All
 * versions of the format come out alike: what an old version lacks is 0.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/throw.h"
#include "runtime/base/trace_event.h"
#include "trace/read/number.h"

enum {
    TRACE_NARGS = 4,
    TRACE_MAX_STRING = 1000000, /* bytes, as in Go's readers */
    TRACE_MAX_FRAMES = 1000,
    TRACE_MAX_RECORD = 1 << 16, /* no legal record is longer */
    TRACE_BUILTIN = 64,         /* strings that Go's newer readers add */
    TRACE_NEW_RECORD = 2048     /* Go's newer readers refuse longer ones */
};

/* A P that is none: events of threads without one.  A thread that is not
 * known. */
#define TRACE_NO_P (-1)
#define TRACE_NO_M (-1)

/*
 * Kinds of events that only the second family of formats (Go 1.22 and later)
 * has; what it shares with the first has the first one's number, whatever
 * its own is.  TRACE_EV_KINDS is the size of a table by kind.
 */
enum {
    TRACE_EV_GO_SYSCALL_END = TRACE_EV_COUNT, /* left a system call in which
                                  it kept its P: goes on running */
    TRACE_EV_GO_LABEL,         /* labels the goroutine that runs: string */
    TRACE_EV_KINDS
};

struct trace_event {
    uint64_t off;  /* byte offset of its record in the file */
    uint64_t ts;   /* ticks */
    int64_t ns;    /* nanoseconds since the first event; never decreases */
    int64_t p;     /* P that wrote it, or TRACE_NO_P */
    uint64_t g;    /* goroutine that it is about, 0 = none */
    int64_t m;     /* thread that it happened on, or TRACE_NO_M (all of the
                      first family but ProcStart) */
    uint8_t type;  /* enum trace_ev, or one of those above */
    uint8_t nargs; /* values in args */
    uint8_t wire;  /* second family: number of the record it was made of */
    bool derived;  /* second family: Go's reader has no such event; it goes
                      with another one of the same record */
    bool snapshot; /* tells what was so before the trace began: goroutines
                      and their states, an open collection */
    uint64_t args[TRACE_NARGS]; /* as in the format, without time and stack:
          Gomaxprocs procs; ProcStart thread; GCStart seq; STWStart kind;
          GCSweepDone swept, reclaimed; GoCreate g, stack of the new one
          (1.5: its pc); GoStart g, seq; GoUnblock g, seq; GoSysExit g, seq,
          real ticks; GoWaiting g; GoInSyscall g; HeapAlloc bytes; HeapGoal
          bytes; GoStartLabel g, seq, string; UserTaskCreate task, parent,
          string; UserTaskEnd task; UserRegion task, mode, string; UserLog
          task, string; CPUSample ticks, p, g; GoLabel string */
    uint64_t stk;  /* stack id, 0 = none */
    const char *msg; /* UserLog: the message, not NUL-terminated */
    uint32_t msg_len;
    const char *why; /* second family: the reason that the file gives, in
                        words, of a block, a yield, a stop of the world; not
                        NUL-terminated */
    uint32_t why_len; /* 0 = none is given */
    uint64_t seq;  /* 1.5: global sequence number; else 0 */
};

/* "GoCreate" and so on; "?" for a number without a name. */
const char *trace_ev_name(unsigned ev);

/* One record, cut into numbers. */
struct trace_record {
    const uint8_t *at, *next; /* the record is [at, next) */
    uint8_t ev;
    uint8_t top;              /* the two top bits of its first byte */
    uint32_t nvals;
    uint64_t vals[6];         /* not for String and Stack */
    const uint8_t *body;      /* Stack: [body, body_end) after the count */
    const uint8_t *body_end;
    uint64_t id;              /* String and Stack */
    uint64_t len;             /* String: bytes of text; Stack: frames */
    const char *text;         /* String, UserLog */
    uint32_t text_len;
    const char *rule;         /* TRACE_DECODE_BAD: the rule that is broken */
};

enum trace_decode {
    TRACE_DECODE_OK,
    TRACE_DECODE_CUT, /* the bytes end within the record */
    TRACE_DECODE_BAD  /* *why says what is wrong with it */
};

/* Decodes the record at p of a file of the given header version (5 for
 * "go 1.5", 19 ...).  why: at least 128 bytes. */
enum trace_decode trace_decode(const uint8_t *p, const uint8_t *end,
    int version, struct trace_record *r, char *why);

/* Turns the values of an event record (not a table, not a Batch) into
 * e->type, nargs, args, stk, msg; *dt and *dseq are its differences. */
void trace_event_fill(const struct trace_record *r, int version,
    struct trace_event *e, uint64_t *dt, uint64_t *dseq);

/*
 * The short way for common records: events without text and without a place
 * of their own, of versions from 1.7 on.
 */

/* By first byte of a record: how many numbers follow, whether the last one is
 * a stack, whether its length is before them; 0: not a common record. */
struct trace_forms {
    uint8_t n[256];
};

enum {
    TRACE_FORM_COUNT = 0x3f,
    TRACE_FORM_STACK = 0x40,
    TRACE_FORM_LONG = 0x80
};

void trace_forms_init(struct trace_forms *t, int version);

/* The end of a common record at p and its time difference; NULL where it is
 * none, or is wrong. */
static inline const uint8_t *
trace_skim(const struct trace_forms *t, const uint8_t *p, const uint8_t *end,
    uint64_t *dt)
{
    unsigned n = t->n[*p];
    const uint8_t *stop = NULL;

    if (n == 0 || end - p < TRACE_ROOM)
        return NULL;
    p++;
    if (n & TRACE_FORM_LONG) {
        if (*p > TRACE_ROOM - 16)
            return NULL;
        stop = p + 1 + *p;
        p++;
    }
    p = trace_number8(p, dt);
    if (p == NULL)
        return NULL;
    p = trace_skip8(p, (n & TRACE_FORM_COUNT) - 1);
    return stop != NULL && p != stop ? NULL : p;
}

/* The common record at p as an event: type, nargs, args, stk and m, no text;
 * the rest of *e stays as it is.  NULL as before. */
static inline const uint8_t *
trace_event_common(const struct trace_forms *t, const uint8_t *p,
    const uint8_t *end, struct trace_event *e, uint64_t *dt)
{
    unsigned form = t->n[*p], n, i;
    const uint8_t *stop = NULL;

    if (form == 0 || end - p < TRACE_ROOM)
        return NULL;
    e->type = *p++ & 0x3f;
    if (form & TRACE_FORM_LONG) {
        if (*p > TRACE_ROOM - 16)
            return NULL;
        stop = p + 1 + *p;
        p++;
    }
    n = (form & TRACE_FORM_COUNT) - 1 - ((form & TRACE_FORM_STACK) != 0);
    e->nargs = (uint8_t)n;
    for (i = 0; i < TRACE_NARGS; i++)
        e->args[i] = 0;
    e->stk = 0;
    rt_assert(n <= TRACE_NARGS);
    p = trace_number8(p, dt);
    for (i = 0; p != NULL && i < n; i++)
        p = trace_number8(p, &e->args[i]);
    if (p != NULL && (form & TRACE_FORM_STACK))
        p = trace_number8(p, &e->stk);
    e->m = TRACE_NO_M;
    if (e->type == TRACE_EV_PROC_START)
        e->m = (int64_t)e->args[0];
    e->msg = NULL;
    e->msg_len = 0;
    return stop != NULL && p != stop ? NULL : p;
}

/* True for the events after which a goroutine does not run any more. */
static inline bool
trace_ev_leaves(unsigned ev)
{
    const uint64_t all = UINT64_C(1) << TRACE_EV_GO_END |
        UINT64_C(1) << TRACE_EV_GO_STOP |
        UINT64_C(1) << TRACE_EV_GO_SCHED |
        UINT64_C(1) << TRACE_EV_GO_PREEMPT |
        UINT64_C(1) << TRACE_EV_GO_SLEEP |
        UINT64_C(1) << TRACE_EV_GO_BLOCK |
        UINT64_C(1) << TRACE_EV_GO_BLOCK_SEND |
        UINT64_C(1) << TRACE_EV_GO_BLOCK_RECV |
        UINT64_C(1) << TRACE_EV_GO_BLOCK_SELECT |
        UINT64_C(1) << TRACE_EV_GO_BLOCK_SYNC |
        UINT64_C(1) << TRACE_EV_GO_BLOCK_COND |
        UINT64_C(1) << TRACE_EV_GO_BLOCK_NET |
        UINT64_C(1) << TRACE_EV_GO_BLOCK_GC |
        UINT64_C(1) << TRACE_EV_GO_SYS_BLOCK;

    return ev < 64 && (all >> ev & 1) != 0;
}

/* True for those of them after which it waits for something. */
static inline bool
trace_ev_blocks(unsigned ev)
{
    return trace_ev_leaves(ev) && ev != TRACE_EV_GO_END &&
        ev != TRACE_EV_GO_STOP && ev != TRACE_EV_GO_SCHED &&
        ev != TRACE_EV_GO_PREEMPT;
}

/* True for those with which it begins to run. */
static inline bool
trace_ev_starts(unsigned ev)
{
    return ev == TRACE_EV_GO_START || ev == TRACE_EV_GO_START_LOCAL ||
        ev == TRACE_EV_GO_START_LABEL;
}

/* True for the records that are not events: no time, no place in the order. */
static inline bool
trace_ev_is_table(unsigned ev)
{
    return ev == TRACE_EV_FREQUENCY || ev == TRACE_EV_STACK ||
        ev == TRACE_EV_STRING || ev == TRACE_EV_TIMER_GOROUTINE;
}

#endif
