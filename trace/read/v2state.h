/* SPDX-License-Identifier: MIT */
#ifndef TRACE_READ_V2STATE_H
#define TRACE_READ_V2STATE_H

/*
 * What the orderer of the second family knows of goroutines, Ps and threads
 * while it merges: the rules that say when an event may come, what it
 * changes, and which events of the common model it stands for.
 */

#include "trace/read/v2.h"

#define V2_NONE UINT64_MAX /* no goroutine, no P, no thread */

enum { V2_GO_RUNNABLE = 1, V2_GO_RUNNING, V2_GO_SYSCALL, V2_GO_WAITING };
enum { V2_P_RUNNING = 1, V2_P_IDLE, V2_P_SYSCALL, V2_P_ABANDONED };

struct v2_region {
    uint64_t task;
    uint32_t name;
};

struct v2_g {
    uint64_t id;
    uint64_t gen, seq;   /* sequence number within a generation */
    uint32_t waiters;    /* cursors that wait for it */
    uint8_t status;      /* 0: is not there */
    bool lost_p;         /* in a system call without its P */
    bool assist;
    uint32_t stw;        /* open stop of the world: string + 1 */
    struct v2_region *regions;
    uint64_t nregions, regions_cap;
};

struct v2_p {
    uint64_t id, gen, seq;
    uint32_t waiters;
    uint32_t m;          /* thread that has it, index + 1; 0 = none */
    uint8_t status;
    bool sweeping;
};

struct v2_m {
    uint64_t id, g, p;   /* V2_NONE = none */
    uint32_t cursor;     /* its cursor + 1 while that waits for the thread
                            to lose its P */
};

struct v2_ctx {
    uint64_t m, p, g;
};

enum { V2_QUEUE = 12 };

struct v2_out {
    struct trace_event ev;
    bool counts;         /* Go's reader makes an event of it, too: it gets a
                            nanosecond of its own */
};

struct v2_state {
    struct trace_file *f;
    const struct v2_gen *gen;
    const struct v2_ids *ids;
    bool initial;        /* in the first generation */

    struct trace_idmap gmap, pmap, mmap, tasks;
    struct v2_g *gs;
    struct v2_p *ps;
    struct v2_m *ms;
    uint8_t *task_open;
    uint8_t *kind_of;    /* by string: kind of block + 1, cached */
    uint64_t gs_cap, ps_cap, ms_cap, tasks_cap, kinds_cap;
    uint64_t gc_seq, cycles;
    uint8_t gc_state;    /* 0 not known, 1 off, 2 on */
    uint32_t gc_waiters;

    struct v2_out out[V2_QUEUE];
    uint32_t nout;
    /* Whose waiters may go on after this step; indices. */
    uint32_t woke_g[4], woke_p[4], woke_m[4];
    uint32_t nwoke_g, nwoke_p, nwoke_m;
    bool woke_gc;
    /* What the event waits for: index into gs, ps or ms. */
    uint32_t need;
    uint64_t need_seq;
};

/* One event of one thread, decoded. */
struct v2_item {
    struct v2_event ev;
    uint64_t off, ticks, ns;
    uint32_t stk, stk2, str, str2; /* numbers of the file */
    uint8_t undefined; /* 0, or the value that is no id of its generation:
                          its place in ev.args */
    bool undefined_string; /* and whether that should be a string */
};

enum v2_step { V2_OK, V2_WAIT_G, V2_WAIT_P, V2_WAIT_M, V2_WAIT_GC, V2_BAD,
    V2_NOMEM };

/* Tries one event of thread m (index into ms; UINT32_MAX = no thread).  V2_OK:
 * it has happened, and out has what it stands for; V2_BAD: a problem has been
 * reported and Go's reader would stop. */
enum v2_step v2_step(struct v2_state *s, uint32_t m,
    const struct v2_item *it);

/* Index of a thread, or -1 when there is no memory. */
int64_t v2_thread(struct v2_state *s, uint64_t id);

void v2_state_clear(struct v2_state *s);

/* A P that a thread has is that thread's, the maps and tables agree, and all
 * states are ones that there are. */
bool v2_state_valid(const struct v2_state *s);

#endif
