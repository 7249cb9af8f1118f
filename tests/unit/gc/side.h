/* SPDX-License-Identifier: MIT */
#ifndef TESTS_UNIT_GC_SIDE_H
#define TESTS_UNIT_GC_SIDE_H

/* A host that marks beside the program, on one thread: the test is the
 * program, calls the worker where it wants one to run, and says which roots
 * may be scanned already.  So every order of events can be had. */

#include "tests/unit/gc/fake.h"

#include "gc/gc_int.h"

enum { PS = 3, PIECES = 2, WORDS = 64 };

struct side {
    struct gc_heap *h;
    struct gc_pcache pc[PS];
    void *root[PIECES][WORDS]; /* two places: say, globals and a stack */
    int order[PIECES];         /* in which they are scanned */
    int allowed, taken;        /* pieces that may be, that have been */
    bool deaf;                 /* the Ps do not hear that they should flush */
    int stops, flushes, assists, workers, done, requests, sweeps;
    bool stopped;
    int steps; /* of a worker until it is stopped; negative: no end */
};

extern const struct gc_host side_host;

/* cfg NULL: the default, with each mark verified. */
void side_start(struct side *s, const struct gc_config *cfg);

/* A worker that makes at most `steps` steps; negative: as many as it can. */
enum gc_worked side_work(struct side *s, int steps);

/* The first stop of a mark. */
void side_begin(struct side *s);

/* Lets everything be scanned and the mark end. */
void side_end(struct side *s);

/* Sweeps what the mark has left. */
void side_sweep(struct side *s);

/* A whole cycle. */
void side_cycle(struct side *s);

/* Is there an object at p? */
bool side_alive(struct side *s, const void *p);

/* Fails if the heap is not as it should be. */
void side_valid(struct side *s);

#endif
