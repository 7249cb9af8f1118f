/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_EXPLORE_EXPLORE_H
#define RUNTIME_EXPLORE_EXPLORE_H

/*
 * Looks for schedules by which something fails: runs a target, which is a
 * program or one function of its tests, by one plan after the other, in worker
 * processes that are forked from the caller's.  So the caller must have no
 * other threads, and the target may do to its process what it likes.
 *
 * A failure is an execution that ends by itself with a status that is not 0,
 * or otherwise than by itself (enum seed_end).  It is known by its kind and the
 * functions in which goroutines stand, so that one bug that many schedules show
 * is told once.  One in which a timer came early does not end the search: tests
 * that sleep for others, or have an eye on a clock, fail so, and others say more.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/err.h"
#include "sched/seed.h"

struct explore_target {
    /* Runs it once, from its beginning, by the plan.  In a worker; standard
     * error is kept.  False: it cannot be run. */
    bool (*run)(void *arg, const struct seed_plan *plan,
        const struct seed_rules *rules, struct seed_result *out);
    void *arg;
    bool tests; /* standard output is kept, too, not thrown away: what tests say
                   of a failure.  One that ends with a status of its own is
                   also known by the places that it names */
};

enum explore_strategy {
    EXPLORE_MIX,    /* random, PCT of depth 2 to 4, POS, PCT with early timers,
                       in turn; before them all the schedule without
                       deviations */
    EXPLORE_PUNCTUAL, /* the same without early timers */
    EXPLORE_RANDOM,
    EXPLORE_PCT,
    EXPLORE_POS,
    EXPLORE_DFS     /* all schedules of at most `bound` deviations, those of
                       fewer first; by one worker */
};

/* How far it has come. */
struct explore_count {
    uint64_t schedules; /* that have been run */
    uint64_t distinct;  /* different ones among them */
    uint64_t endless;   /* given up: no end within the budget, by a strategy
                           that may starve goroutines */
    uint64_t failures;  /* executions that failed */
    uint64_t steps;     /* points of the longest that came to an end */
    uint64_t used;      /* likewise, as a budget counts them */
    int64_t ns;         /* of real time */
};

struct explore_config {
    enum explore_strategy strategy;
    uint64_t schedules;  /* at most; 0: no limit */
    int64_t duration;    /* ns, at most; 0: no limit */
    uint64_t seed;       /* of the first schedule */
    uint32_t depth;      /* PCT */
    uint32_t bound;      /* DFS */
    bool all;            /* goes on after the first failure; else it is the
                            only one that is kept, or the first in which a timer
                            came early, where there is no other */
    unsigned workers;    /* 0: one for each processor */
    int64_t patience;    /* ns that a worker may wait; 0: 30 s.  What computes is
                            ended by the rules' budget */
    bool interrupts;     /* SIGINT and SIGTERM end the search, not the process */
    struct seed_rules rules; /* budget 0: as many points as follow from what the
                                other schedules have taken */
    /* Called now and then, and at the end; may be NULL. */
    void (*progress)(void *arg, const struct explore_count *c);
    void *progress_arg;
};

struct explore_failure {
    struct seed_plan plan; /* by which it was found */
    struct seed_dev *devs; /* the same as a list: what was decided against
                              rank 0 */
    uint32_t ndevs;
    bool early;            /* of that list: the clock is a candidate */
    uint64_t early_by;     /* ns: by how much a timer did come early; not 0: as on
                              a machine that was so busy, and told apart */
    bool closed;           /* likewise: nobody from outside calls */
    enum seed_end end;
    int status;
    bool races, orders;    /* as in seed_result */
    uint64_t failure;      /* as in seed_result */
    uint64_t steps;
    uint64_t budget;       /* by which it was run */
    uint64_t at;           /* number of its schedule, from 1 */
    uint64_t times;        /* how many schedules failed like this */
    char *text;            /* what it said on standard error */
};

struct explore_report {
    struct explore_count count;
    bool exhausted;        /* DFS: there are no more within the bound */
    int signal;            /* has ended the search; 0: none */
    struct explore_failure *v; /* in the order in which they were found */
    uint32_t n;
    char trouble[256];     /* a worker that died or did not answer; or "" */
};

/* Explores.  With cfg->interrupts no other thread may take those signals.  out is
 * to be given to explore_report_free() in any case.  A status
 * that is not RT_OK: it could not be done, err says why. */
enum rt_status explore(const struct explore_target *t,
    const struct explore_config *cfg, struct explore_report *out,
    struct rt_err *err);
void explore_report_free(struct explore_report *r);

/*
 * shrink.c: tries to make the failure happen with fewer deviations from what a
 * scheduler without preemption does, in at most `runs` executions and ns
 * nanoseconds; f->devs and f->ndevs are the result, f->text and f->steps what
 * that says.  *took: executions.  RT_ESTATE: the list of its deviations
 * does not show the failure again.
 */
enum rt_status explore_shrink(const struct explore_target *t,
    const struct seed_rules *rules, struct explore_failure *f, uint32_t runs,
    int64_t ns, uint32_t *took, struct rt_err *err);

#endif
