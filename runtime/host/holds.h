/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_HOST_HOLDS_H
#define RUNTIME_HOST_HOLDS_H

/*
 * Who holds which locks, or wants them: a table by goroutine and by lock.  One
 * thread at a time is in here.
 */

#include <stdbool.h>
#include <stdint.h>

#include "sched/sched.h"

/* A line of the program's own code. */
struct lock_place {
    const char *func, *file;
    uint32_t line; /* 0: unknown */
};

enum { HOLD_STACK = 12 };
#define HOLDS_NONE UINT32_MAX

struct hold_link {
    uint32_t prev, next; /* HOLDS_NONE: there is none */
};

/* Somebody holds a lock or wants it. */
struct hold {
    const void *lock;
    vgoid id;
    bool shared;
    bool writes; /* the lock is an RWMutex, and not for reading */
    struct lock_place at;
    vpc pcs[HOLD_STACK]; /* where it took it, or stands, leaf first */
    unsigned npcs;
    /* holds.c: in the lists of those with the same hash */
    struct hold_link by_g, by_lock;
};

/* Zero is an empty table.  What is in it moves when something is taken out. */
struct holds {
    struct hold *v;
    uint32_t n, cap; /* cap: a power of two, also of lists of each kind */
    uint32_t *first_of_g, *first_of_lock;
};

/* Puts a copy into it; NULL: no memory. */
struct hold *holds_add(struct holds *h, const struct hold *x);
void holds_remove(struct holds *h, uint32_t i);
/* The numbers of those of a goroutine, in the order in which they came, and of
 * those of a lock: the one after `after`, of HOLDS_NONE the first; HOLDS_NONE:
 * there are no more. */
uint32_t holds_of_g(const struct holds *h, vgoid id, uint32_t after);
uint32_t holds_of_lock(
    const struct holds *h, const void *lock, uint32_t after);
void holds_clear(struct holds *h);
void holds_free(struct holds *h);
bool holds_valid(const struct holds *h);

#endif
