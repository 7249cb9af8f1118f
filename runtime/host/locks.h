/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_HOST_LOCKS_H
#define RUNTIME_HOST_LOCKS_H

/*
 * Who holds which locks and who wants them, by the points that goroutines pass.
 * At its point before Lock a goroutine wants the lock; when it comes to its
 * next point it has got it.  So this is known without a word from package
 * sync.  The caller sees to it that one thread at a time is in here.
 */

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "runtime/host/holds.h"
#include "runtime/vm/vm.h"
#include "sched/sched.h"

/* The innermost line of g, which stands still, that is not the library's; of one
 * that has none the line of its go statement. */
struct lock_place locks_place_of(const struct vm *vm, const struct sched_g *g);
/* "file.go:12" */
void locks_place_say(FILE *out, const struct lock_place *p);

struct locks {
    struct vm *vm;
    struct holds held, wanted;
    bool lost; /* memory was lacking: it is not whole */
};

/* A program begins; *l is zero or was used before. */
void locks_begin(struct locks *l, struct vm *vm);
void locks_fini(struct locks *l);
/* g is about to do what stands at its point.  What it wants now; NULL:
 * nothing. */
const struct hold *locks_point(struct locks *l, struct sched_g *g);

/* Who waits for whom, of goroutines that stand still: of those that can never go
 * on, where these are why the program ends. */
void locks_say(struct locks *l, struct sched *s, FILE *out);

/* At the end: how many goroutines that can never go on (g->leaked) wait for
 * locks; and if there are any, or if all are wanted, who of those that can never
 * go on waits for whom, with their stacks.  The number of the first. */
uint32_t locks_say_lost(
    struct locks *l, struct sched *s, bool all, FILE *out);

/* The same of those that can never go on as a graph: of Graphviz, or JSON with
 * the stacks.  False: it could not be written. */
enum locks_format { LOCKS_DOT, LOCKS_JSON };
bool locks_graph(
    struct locks *l, struct sched *s, enum locks_format how, FILE *out);

/* Prints a stack as tracebacks do, each line after `before`. */
void locks_say_stack(const struct vm *vm, const vpc *pcs, unsigned n,
    const char *before, FILE *out);

#endif
