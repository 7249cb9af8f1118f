/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_LIB_SUPPORT_PROFSET_H
#define RUNTIME_LIB_SUPPORT_PROFSET_H

/*
 * The profiles that a program makes itself (pprof.NewProfile).  Go keeps the
 * values that stacks belong to; the stacks are here, outside the collected
 * heap, so that any thread can write the profile.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/callstack.h"
#include "runtime/base/lock.h"

struct profset_one;

struct profset {
    struct rt_lock lock; /* LEAF: the rest */
    struct profset_one **v;
    uint32_t n, cap;
};

/* Stacks of one profile, copied. */
struct profset_stacks {
    uint32_t n;
    const vpc **pcs;  /* n of them, each with len[i] words */
    uint32_t *len;
    void *mem;        /* private: holds all of it */
};

void profset_init(struct profset *s);
void profset_fini(struct profset *s);

/* A new profile; its number, or -1 where memory is out.  The name is copied;
 * that it is new is the caller's business. */
int64_t profset_make(struct profset *s, const char *name, size_t len);

/* Adds a copy of a stack; its place, or -1 where memory is out. */
int64_t profset_add(
    struct profset *s, uint32_t id, const vpc *pcs, uint32_t n);
void profset_remove(struct profset *s, uint32_t id, int64_t place);

/* The number of the profile with a name, -1 if there is none. */
int64_t profset_find(struct profset *s, const char *name);
/* The name of a profile, which lives as long as the set; NULL: no such. */
const char *profset_name(struct profset *s, uint32_t id);
uint32_t profset_count(struct profset *s, uint32_t id);

/* Copies all stacks of a profile; false where memory is out. */
bool profset_copy(struct profset *s, uint32_t id, struct profset_stacks *out);
void profset_stacks_free(struct profset_stacks *c);

#endif
