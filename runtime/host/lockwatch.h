/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_HOST_LOCKWATCH_H
#define RUNTIME_HOST_LOCKWATCH_H

/*
 * Watches a program's locks while it runs, on all its threads, for -lockorder
 * and, without a seed, -deadlocks; and tells at the end.
 */

#include <stdbool.h>

struct sched;
struct vm;
struct vm_watch;
struct lockwatch;

/* NULL: no memory. */
struct lockwatch *lockwatch_new(bool order, bool deadlocks);
void lockwatch_free(struct lockwatch *w);
/* For the vm's configuration. */
const struct vm_watch *lockwatch_hooks(const struct lockwatch *w);
/* vm has been made with the hooks; false: no memory. */
bool lockwatch_begin(struct lockwatch *w, struct vm *vm);
/* Writes those that can never go on to the file, by lockwatch_end(): as JSON if
 * its name ends in ".json", else for Graphviz. */
void lockwatch_draw(struct lockwatch *w, const char *file);
/* All goroutines of s stand still; status is that of the process.  Tells on
 * standard error what was found; the process's status because of that. */
int lockwatch_end(struct lockwatch *w, struct sched *s, int status);
/* Whether that has told of locks that are taken in orders which can
 * deadlock. */
bool lockwatch_warned(const struct lockwatch *w);

#endif
