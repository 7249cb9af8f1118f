/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_EXPLORE_WORKER_H
#define RUNTIME_EXPLORE_WORKER_H

/*
 * A process that runs schedules on request, one request at a time.
 */

#include <sys/types.h>

#include "runtime/explore/explore.h"

struct worker {
    pid_t pid;  /* 0: none */
    int fd;     /* a socket; -1: none */
    bool busy;
    /* what it is at */
    uint64_t first, count;
    uint64_t rest; /* of the last, which it has not come to */
    int64_t asked; /* ns: when */
    int64_t since; /* ns: that, or when it was last seen to compute */
    int64_t cpu;   /* ns of its CPU time by then */
};

/* Schedules first to first + count - 1 of the strategy; or, where count is 0,
 * one by the list of deviations. */
struct worker_request {
    enum explore_strategy strategy;
    uint64_t first, count;
    uint64_t seed;
    uint32_t depth, bound;
    uint32_t steps; /* of the longest so far that came to an end */
    uint64_t used;  /* likewise, as a budget counts them */
    uint64_t budget; /* of a list, if the rules say nothing: 0 = by `used` */
    bool early;     /* of a list */
    uint32_t ndevs;
    const struct seed_dev *devs;
};

/* Up to and with the first that failed. */
struct worker_reply {
    uint64_t ran;
    uint64_t endless;
    uint64_t steps, used; /* as in the request, of these */
    bool failed;
    bool exhausted;    /* DFS: there is no more */
    bool broken;       /* the target cannot be run */
    struct explore_failure f; /* the last; its at is not set.  devs and text
                                 are the caller's to free */
    uint64_t *hashes;  /* of those that ran; likewise */
};

/* Forks.  The worker has a group of its own, so that signals from the terminal
 * are the caller's, and ends with the thread that calls this.  mask is to be its
 * mask of signals, NULL: the caller's.  RT_EIO, RT_ENOMEM. */
enum rt_status worker_start(struct worker *w, const struct explore_target *t,
    const struct seed_rules *rules, const sigset_t *mask, struct rt_err *err);
/* Ends the process, whatever it does. */
void worker_stop(struct worker *w);

/* False: the process has gone. */
bool worker_ask(struct worker *w, const struct worker_request *q);
bool worker_answer(struct worker *w, struct worker_reply *r);
void worker_reply_free(struct worker_reply *r);

/* Whether it computes, or would if the machine let it: it has had `least` ns of
 * CPU time since this was last true, or one of its threads can run.  False: it
 * waits. */
bool worker_computes(struct worker *w, int64_t least);

/* The plan of schedule number i, from 0, of a strategy that is not DFS. */
struct seed_plan worker_plan(const struct worker_request *q, uint64_t i);

#endif
