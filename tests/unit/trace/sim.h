/* SPDX-License-Identifier: MIT */
#ifndef TESTS_UNIT_TRACE_SIM_H
#define TESTS_UNIT_TRACE_SIM_H

/*
 * A fake runtime for the recorder: several threads play Ms with a P each and
 * run Gs that do nothing but create, wake, block, yield, call the system and
 * collect garbage, at random, and tell the recorder so.  One more thread
 * plays netpoll, which has no P.  The world stops by a read-write lock: an M
 * holds it for reading from one safepoint to the next.
 */

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "trace/record/trace.h"

enum { SIM_MAX_PROCS = 16, SIM_MIN_GS = 8, SIM_MAX_GS = 4096 };

enum sim_state { SIM_FREE, SIM_RUNNABLE, SIM_RUNNING, SIM_WAITING, SIM_SYS };

struct sim_g {
    struct trace_gstate trace;
    uint64_t id;
    vpc entry;
    enum sim_state state;
    uint64_t sys_return; /* ticks; 0 = not from a system call */
    bool assisting;
    unsigned regions;
};

struct sim_p {
    struct trace_pbuf trace;
    struct sim *sim;
    struct sim_g *g;
    int id;
    bool has_m;
    unsigned rand;
    uint64_t steps;
    pthread_t thread;
};

struct sim {
    struct trace_rec rec;
    struct rt_clock clock;
    struct trace_host host;
    pthread_rwlock_t world;
    pthread_mutex_t lock; /* what follows, and Gs that do not run */
    struct sim_g *gs[SIM_MAX_GS];
    struct sim_g *runq[SIM_MAX_GS], *waiting[SIM_MAX_GS];
    unsigned ngs, nrunq, nwaiting, nlive;
    uint64_t next_id, next_task;
    bool gc_running;
    bool gc_owner_done;
    struct sim_p p[SIM_MAX_PROCS];
    int procs;
    uint64_t limit;       /* steps of each P; 0 = until sim_halt() */
    a_u32 halt;
    pthread_t poller;
    bool running;
    a_u32 failures;       /* calls of host.failed */
    struct rt_err failure;
};

/* Prepares a world of procs Ps; nothing runs yet. */
void sim_init(struct sim *s, int procs, unsigned seed);

/* Starts the threads; each P makes limit steps (0: until sim_halt()). */
void sim_run(struct sim *s, uint64_t limit);

/* Waits for the Ps to finish, after telling them to stop if halt. */
void sim_join(struct sim *s, bool halt);

void sim_fini(struct sim *s);

#endif
