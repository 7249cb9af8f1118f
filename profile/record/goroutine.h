/* SPDX-License-Identifier: MIT */
#ifndef PROFILE_RECORD_GOROUTINE_H
#define PROFILE_RECORD_GOROUTINE_H

/*
 * The goroutine profile: the stack of every goroutine at one instant, while
 * the world hardly stops (Go's goroutineProfileWithLabelsConcurrent).
 *
 *   1. world stopped: count, record the caller, begin a new generation: every
 *      goroutine is now absent from it
 *   2. world runs: the coordinator records one goroutine after the other; a
 *      goroutine that is about to run is recorded first, by the thread that
 *      will run it
 *   3. world stopped: the generation ends
 *
 *      absent --(coordinator, or before it runs)--> in progress
 *      in progress --(same thread)--> satisfied
 *      absent --(born during the profile, system goroutines)--> satisfied
 *
 * States belong to a generation, so nothing needs to be reset afterwards.
 */

#include <stdbool.h>
#include <stdint.h>

#include "profile/record/labels.h"
#include "profile/record/stacks.h"
#include "runtime/base/atomic.h"
#include "runtime/base/callstack.h"
#include "runtime/base/err.h"
#include "runtime/base/lock.h"
#include "runtime/base/tunables.h"

struct prof;

enum prof_gseen { PROF_G_ABSENT, PROF_G_PROGRESS, PROF_G_SATISFIED };

/* Embedded in each G.  Zeroed memory is a valid state. */
struct prof_g {
    a_u32 seen;   /* atomic: 4 * generation + enum prof_gseen */
    a_u32 pin;    /* atomic: 1 while the wall clock profile reads the stack */
    struct prof_labels *labels; /* a reference; the g's own, or of whoever
                                   creates or ends it */
    uint64_t blocked_at; /* ticks at which the wait began, where the block
                            profile wants to know of it; else 0; valid while
                            waiting; owner of the g */
};

/* What is known of a goroutine besides its stack. */
struct prof_ginfo {
    uint64_t id, parent;
    vpc created_at;
    const char *state;    /* static: "running", "chan receive" ... */
    uint64_t waiting_ns;  /* for how long; 0: unknown or not at all */
    bool alive;
    bool system;          /* does not belong into profiles now */
    bool running;         /* its stack is not to be touched */
};

struct prof_grecord {
    uint64_t id, parent;
    vpc created_at;
    const char *state;
    uint64_t waiting_ns;
    const vpc *stk;       /* belong to the set */
    uint32_t nstk;
    struct prof_labels *labels;
};

/* The records of one profile. */
struct prof_gset {
    uint32_t n;    /* records */
    uint32_t want; /* goroutines that there were at the stop: equal to n
                      unless memory ran out */
    struct prof_grecord *v;
    struct prof_stacks stacks; /* of the records */
};

struct prof_gor {
    a_u32 active;       /* atomic, changed in STW: hooks have work to do;
                           PROF_GOR_* */
    uint32_t gen;       /* written in STW */
    struct rt_lock ctl; /* PROF_CTL: one profile at a time */
    struct rt_lock lock; /* PROF_GOR: set */
    struct prof_gset *set; /* being filled */
    uint32_t room;         /* records that set->v has */
    a_u32 nleaked;         /* atomic: found by the last look for leaks */
};

enum {
    PROF_GOR_PROFILE = 1, /* a goroutine profile is being taken */
    PROF_GOR_WALL = 2     /* the wall clock profile is on */
};

/*
 * Takes a profile of all user goroutines, the caller's first.  room: if there
 * are more than so many, *out stays NULL and *n tells how many there are.
 * The caller is a goroutine on its P, or any thread that is no M.
 * RT_ENOMEM.
 */
enum rt_status prof_goroutines(
    struct prof *p, uint32_t room, uint32_t *n, struct prof_gset **out);

/* The same with the world stopped all the time: for tests and comparison. */
enum rt_status prof_goroutines_stopped(
    struct prof *p, uint32_t room, uint32_t *n, struct prof_gset **out);

/*
 * The goroutines that wait for what nobody can ever do: which have leaked, as
 * host->leaked() finds them.  The world stands meanwhile.  RT_ESTATE where the
 * host cannot tell; RT_ENOMEM.
 */
enum rt_status prof_goroutines_leaked(
    struct prof *p, uint32_t *n, struct prof_gset **out);

void prof_gset_free(struct prof_gset *s);

/* There are no more records than goroutines, each has a stack, and no
 * goroutine (of the first ones) is there twice.  For full builds and tests. */
bool prof_gset_valid(const struct prof_gset *s);

/* Whether the hooks below have anything to do; changes only while the world is
 * stopped. */
static inline bool
prof_gor_on(const struct prof_gor *gor)
{
    return !RT_NO_PROFILES &&
        __builtin_expect(a32_load_rlx(&gor->active) != 0, 0);
}

void prof_g_before_run_slow(struct prof *p, struct prof_g *g);

/* Scheduler: g is about to run on the calling thread, its state says so
 * already, its stack has not changed yet.  With a P or in the stead of one;
 * takes PROF_GOR. */
static inline void
prof_g_before_run(struct prof *p, struct prof_gor *gor, struct prof_g *g)
{
    if (prof_gor_on(gor))
        prof_g_before_run_slow(p, g);
}

void prof_g_born_slow(struct prof_gor *gor, struct prof_g *g);

/* Scheduler: g is being made; its state is still dead. */
static inline void
prof_g_born(struct prof_gor *gor, struct prof_g *g)
{
    if (prof_gor_on(gor))
        prof_g_born_slow(gor, g);
}

#endif
