/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_HOST_SEEDED_H
#define RUNTIME_HOST_SEEDED_H

/*
 * Running one program by many schedules, in one process: for those who look
 * for the ones that fail.
 */

#include "runtime/vole.h"
#include "sched/seed.h"

/*
 * Runs the program by the plan, as vole_run() would, and says how that ended.
 * v has been opened with a schedule, whatever that says; it may be run again
 * and again, each time from the beginning.  False: it cannot be run, after a
 * message.  out->recs are v's until the next run.
 */
bool host_run_plan(struct vole *v, const struct seed_plan *plan,
    const struct seed_rules *rules, struct seed_result *out);

/* From now on runs that fail tell their story, as with opt.story. */
void host_tell_story(struct vole *v);

#endif
