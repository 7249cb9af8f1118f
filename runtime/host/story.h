/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_HOST_STORY_H
#define RUNTIME_HOST_STORY_H

/*
 * The story of an execution by a seed that fails: whose turn it was, from
 * which line to which, why the next one came; then who holds what and waits
 * for whom.
 */

#include "sched/seed.h"

struct vm;
struct story;

/* How much of it. */
enum story_kind {
    STORY_WHOLE,
    STORY_WAITERS /* who waits for whom, where goroutines can never go on */
};

/* NULL: no memory.  The watch is to be put into the rules of the run. */
struct story *story_new(enum story_kind kind);
void story_free(struct story *st);
const struct seed_watch *story_watch(struct story *st);
/* A run begins; vm is there until it has ended. */
void story_begin(struct story *st, struct vm *vm);

#endif
