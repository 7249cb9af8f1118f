/* SPDX-License-Identifier: MIT */
#ifndef TESTS_UNIT_SCHED_FAKE_H
#define TESTS_UNIT_SCHED_FAKE_H

/*
 * A host for the scheduler whose goroutines are state machines in C, with a
 * real heap and a real (silent or recording) tracer.
 *
 * A goroutine is a function of a struct co that begins with CO_BEGIN and ends
 * with CO_END; between them it may use CO_WAIT(), CO_YIELD() and CO_LOOP(),
 * and keeps what must survive them in the struct.
 */

#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "runtime/base/throw.h"
#include "sched/sched.h"
#include "sched/seed.h"

enum { CO_SLOTS = 8, WORLD_ROOTS = 64 };

struct world;

struct co {
    enum sched_run (*fn)(struct co *c);
    struct world *w;
    struct sched_g *g;
    struct sched_m *m; /* the M that runs it now */
    int pc;
    int64_t i, k, n;
    union rt_slot v[CO_SLOTS]; /* the frame: scanned by the collector */
    struct chan_case cases[4];
    a_u32 poisoned;
    struct co *next; /* list of all */
};

typedef enum sched_run (*co_fn)(struct co *c);

struct world {
    struct sched *s;
    struct gc_heap *heap;
    struct trace_rec trace;
    struct rt_clock clock;
    a_u32 fatals;
    char text[128];      /* of the last fatal error */
    void *root[WORLD_ROOTS];
    a_u64 count[8];      /* for the tests */
    a_u32 word[8];
    a_ptr cos;           /* struct co *: all */
    unsigned frames;     /* of every goroutine's stack, as walk_g tells them;
                            set by the first goroutine */
    /* NULL, or what a thread does before it stops the world for a mark to
     * begin or to end; set by the first goroutine */
    void (*before_stop)(struct world *w);
    /* NULL, or what a new M does instead of being given its part; set by the
     * first goroutine */
    bool (*no_thread)(struct world *w, struct sched_m *m);
    bool no_memory;      /* for goroutines */
};

/* What is passed to `go`: the function and up to 4 slots of arguments, which
 * arrive in v[0..3]. */
struct co_start {
    co_fn fn;
};

#define CO_BEGIN switch (c->pc) { case 0:
#define CO_END } return SCHED_RUN_DONE

/* The macros below must not stand inside another switch.
 *
 * An operation that answers true when the goroutine has parked. */
#define CO_WAIT(parked)                  \
    do {                                 \
        c->pc = __LINE__;                \
        if (parked)                      \
            return SCHED_RUN_PARKED;     \
        __attribute__((fallthrough));    \
    case __LINE__:;                      \
    } while (0)

#define CO_YIELD()                       \
    do {                                 \
        c->pc = __LINE__;                \
        return SCHED_RUN_YIELD;          \
    case __LINE__:;                      \
    } while (0)

/* A loop's back edge. */
#define CO_LOOP()                        \
    do {                                 \
        c->pc = __LINE__;                \
        if (co_preempted(c))             \
            return SCHED_RUN_PREEMPT;    \
        __attribute__((fallthrough));    \
    case __LINE__:;                      \
    } while (0)

/* In front of an operation that others may notice: with a seed, a decision. */
#define CO_POINT(where)                              \
    do {                                             \
        c->pc = __LINE__;                            \
        __attribute__((fallthrough));                \
    case __LINE__:                                   \
        if (seed_point(c->m, (where), false))        \
            return SCHED_RUN_YIELD;                  \
    } while (0)

bool co_preempted(struct co *c);

/* Everybody tells main that he is done through root[0]. */
#define CO_DONE() CO_SEND(c->w->root[0], &c->v[7])

#define CO_WAIT_ALL(n)                           \
    for (c->i = 0; c->i < (n); c->i++)           \
        CO_RECV(c->w->root[0], &c->v[7])

/* The next number of c's own series, which is in c->k: from 0 to n - 1. */
int64_t co_random(struct co *c, int64_t n);

/* Adds to what the tests count, and reads it. */
void co_count(struct co *c, int i, uint64_t n);
uint64_t world_count(const struct world *w, int i);

/* Starts fn with the slots; throws where memory is out. */
struct sched_g *co_go(struct co *c, co_fn fn, int64_t a, int64_t b,
    void *p, void *q);

#define CO_SEND(ch, slot) \
    CO_WAIT(chan_send(c->m, (ch), (slot)) == CHAN_PARK)
#define CO_RECV(ch, slot) \
    CO_WAIT(chan_recv(c->m, (ch), (slot)) == CHAN_PARK)

extern const struct rt_layout layout_int, layout_ptr, layout_byte,
    layout_empty, layout_big;

struct sched_chan *co_chan(struct co *c, int64_t size);

/* Numbers of Ps to try. */
extern const uint32_t world_procs[3];

#define FOR_PROCS(p)                                                       \
    for (unsigned p##_i = 0, p;                                            \
        p##_i < 3 && (p = world_procs[p##_i], 1); p##_i++)

/* Makes a world, runs fn as its first goroutine, checks that all threads
 * have been collected; the exit status.  w is filled for looking at. */
int world_run(struct world *w, uint32_t procs, co_fn fn);
void world_open(struct world *w, uint32_t procs);
void world_open_prof(struct world *w, uint32_t procs, struct prof *prof);
/* By what `wanted` says of procs, prof, seed and race; the rest is the
 * world's. */
void world_open_as(struct world *w, const struct sched_config *wanted);
int world_go(struct world *w, co_fn fn);
void world_close(struct world *w);

#endif
