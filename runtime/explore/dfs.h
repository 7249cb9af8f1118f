/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_EXPLORE_DFS_H
#define RUNTIME_EXPLORE_DFS_H

/*
 * All schedules of at most `bound` deviations, those of fewer first (iterative
 * context bounding: M. Musuvathi and S. Qadeer, PLDI 2007).  A schedule is
 * followed by the one that differs at its last decision whose rank can grow.
 */

#include "sched/seed.h"

struct dfs {
    uint32_t bound;
    uint32_t level;  /* most deviations of those that are run now */
    struct seed_dev *devs; /* of the next */
    uint32_t ndevs;
    bool done;
};

void dfs_begin(struct dfs *x, uint32_t bound);
/* For assertions: the next has no more deviations than its level allows, and
 * that is within the bound until all is done. */
bool dfs_valid(const struct dfs *x);
/* Whether they are in order, each of them one from what is done by itself. */
bool dfs_devs_valid(const struct seed_dev *v, uint32_t n);
void dfs_free(struct dfs *x);
/* The next schedule; false: there is none. */
bool dfs_next(const struct dfs *x, uint64_t seed, struct seed_plan *out);
/* What became of it.  False: no memory. */
bool dfs_ran(struct dfs *x, const struct seed_result *r);

#endif
